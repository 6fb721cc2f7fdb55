//! The table of a sweep as arrays.

use std::path::Path;

use bristle_results::{Channel, NpzFile, Result};

use super::study::Study;
use super::table::{SweepTable, meaning};

/// Writes the numbers of the table as `.npz`: parameters that are quantities and all numbers of the
/// runs, NaN where there is none, with `case` and `complete` (1 or 0) beside them.
pub(super) fn write(study: &Study, table: &SweepTable, path: &Path) -> Result<()> {
    let mut file = NpzFile::create(path)?;
    let cases = 0..study.count();
    let number = |case: usize| i64::try_from(case + 1).unwrap_or(i64::MAX);
    file.counts("case", &cases.clone().map(number).collect::<Vec<_>>())?;
    let complete = cases.clone().map(|case| i64::from(table.is_complete(case)));
    file.counts("complete", &complete.collect::<Vec<_>>())?;
    let mut channels = vec![
        Channel::new("case", "1", "number of the case"),
        Channel::new("complete", "1", "1 if the run completed, else 0"),
    ];
    for (i, axis) in study.axes().iter().enumerate() {
        if !axis.is_numeric() {
            continue;
        }
        let values = cases
            .clone()
            .map(|case| study.values(case)[i].si.unwrap_or(f64::NAN));
        file.column(&axis.path, &values.collect::<Vec<_>>())?;
        channels.push(Channel::new(&*axis.path, axis.unit(), "parameter, in SI"));
    }
    for ((name, unit), values) in table.columns().iter().zip(table.numbers()) {
        file.column(name, &values)?;
        channels.push(Channel::new(name, unit, meaning(name)));
    }
    file.describe(&channels)?;
    file.finish()
}
