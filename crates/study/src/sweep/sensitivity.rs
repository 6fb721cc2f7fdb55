//! How much each number of a sweep depends on each parameter.

use bristle_results::format_number;

use super::indices::{IndexEstimate, SampleClasses, SamplePairs, pearson, ranks};
use super::sample::SampleMethod;
use super::study::Study;
use super::table::SweepTable;

/// Runs from which a dependence is read, at least.
const FEWEST: usize = 8;

/// How much the numbers of a sweep depend on its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivities {
    /// How the indices of Sobol' are estimated; nothing where there are none.
    pub estimator: Option<&'static str>,
    /// For each number that varies and each parameter that is a quantity, number by number.
    pub rows: Vec<Sensitivity>,
}

/// How much a number depends on a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// The number, as the table has it.
    pub number: String,
    /// Its unit.
    pub unit: String,
    /// The parameter, as the table has it.
    pub parameter: String,
    /// Runs from which it is read.
    pub runs: usize,
    /// Pearson's coefficient of correlation.
    pub pearson: Option<f64>,
    /// Spearman's: that of the ranks.
    pub spearman: Option<f64>,
    /// The part of the variance that the parameter explains alone.
    pub first_order: Option<IndexEstimate>,
    /// The part of the variance that is gone when the parameter is known last, with all others.
    pub total_order: Option<IndexEstimate>,
}

impl Sensitivity {
    /// By how much the parameter matters: by the best measure that there is.
    pub fn weight(&self) -> f64 {
        let estimate = self.total_order.or(self.first_order);
        let weight = estimate.map(|estimate| estimate.value);
        weight.or(self.spearman.map(f64::abs)).unwrap_or(0.0)
    }
}

const BY_PAIRS: &str = "first order by Saltelli et al. (2010), total by Jansen (1999); 95 % intervals \
                        of a jackknife over 20 groups of points";
const BY_CLASSES: &str = "first order by the means of 2 ∛n classes of equal size, less what chance \
                          explains (ε² of Kelley); 95 % intervals of a jackknife over 20 groups of runs";

const BY_EVEN_CLASSES: &str = "first order by the means of 2 ∛n classes of equal size, less half of \
                               what chance would explain; 95 % intervals of a jackknife over 20 \
                               groups of runs, with the other half";

const TOO_FEW_PAIRS: &str =
    "none of first and total order, which need 40 points of saltelli at least";
const TOO_FEW_RUNS: &str = "none of first order, which need 100 runs at least";

impl Sensitivities {
    /// Those of a sweep that is complete; nothing for a grid, whose plots show more.
    pub(super) fn of(study: &Study, table: &SweepTable) -> Option<Self> {
        let design = study.design();
        if design.is_grid() {
            return None;
        }
        let method = design.drawn().map(|sample| sample.method);
        let parameters: Vec<SweptParameter> = study
            .axes()
            .iter()
            .enumerate()
            .filter(|(_, axis)| axis.is_numeric())
            .map(|(place, axis)| {
                let values = axis.values.iter().filter_map(|value| value.si).collect();
                let name = axis.path.clone();
                SweptParameter {
                    place,
                    name,
                    values,
                }
            })
            .collect();
        let mut rows = Vec::new();
        for ((name, unit), values) in table.columns().iter().zip(table.numbers()) {
            let independent = independent(method, study.axes().len(), &values);
            if independent.len() < FEWEST || is_constant(independent.iter().map(|&i| values[i])) {
                continue;
            }
            for parameter in &parameters {
                rows.push(Sensitivity {
                    number: name.clone(),
                    unit: unit.clone(),
                    ..parameter.acts_on(&values, &independent, method, study.axes().len())
                });
            }
        }
        let has_indices = rows.iter().any(|row| row.first_order.is_some());
        let estimator = match method {
            Some(SampleMethod::Saltelli) if !has_indices => Some(TOO_FEW_PAIRS),
            Some(_) if !has_indices => Some(TOO_FEW_RUNS),
            Some(SampleMethod::Saltelli) => Some(BY_PAIRS),
            Some(SampleMethod::Sobol) => Some(BY_EVEN_CLASSES),
            Some(SampleMethod::LatinHypercube) => Some(BY_CLASSES),
            None => None,
        };
        (!rows.is_empty()).then_some(Self { estimator, rows })
    }
}

impl Sensitivities {
    /// As CSV; cells are empty where there is no estimate.
    pub(super) fn csv(&self) -> std::result::Result<Vec<u8>, csv::Error> {
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record([
            "number",
            "unit",
            "parameter",
            "runs",
            "pearson",
            "spearman",
            "first_order",
            "first_order_low",
            "first_order_high",
            "total_order",
            "total_order_low",
            "total_order_high",
        ])?;
        for row in &self.rows {
            let ends = |estimate: Option<IndexEstimate>| match estimate {
                Some(IndexEstimate { value, low, high }) => [Some(value), Some(low), Some(high)],
                None => [None; 3],
            };
            let numbers = [row.pearson, row.spearman].into_iter();
            let numbers = numbers
                .chain(ends(row.first_order))
                .chain(ends(row.total_order));
            let mut record = vec![row.number.clone(), row.unit.clone(), row.parameter.clone()];
            record.push(row.runs.to_string());
            record.extend(numbers.map(|number| number.map_or_else(String::new, format_number)));
            out.write_record(&record)?;
        }
        out.into_inner().map_err(|error| error.into_error().into())
    }
}

/// A parameter and its values by case.
struct SweptParameter {
    place: usize,
    name: String,
    values: Vec<f64>,
}

impl SweptParameter {
    /// How much it acts on a number with these values by case; correlations are read from the cases
    /// that are drawn independently.
    fn acts_on(
        &self,
        number: &[f64],
        independent: &[usize],
        method: Option<SampleMethod>,
        parameters: usize,
    ) -> Sensitivity {
        let x: Vec<f64> = independent.iter().map(|&i| self.values[i]).collect();
        let y: Vec<f64> = independent.iter().map(|&i| number[i]).collect();
        let (mut first_order, mut total_order) = (None, None);
        match method {
            Some(SampleMethod::Saltelli) => {
                let blocks = number.chunks_exact(parameters + 2);
                let rows =
                    blocks.map(|block| [block[0], block[self.place + 1], block[parameters + 1]]);
                let pairs = SamplePairs::new(rows);
                first_order = pairs.first_order();
                total_order = pairs.total_order();
            }
            Some(method) => {
                let evenly_spread = method == SampleMethod::Sobol;
                first_order = SampleClasses::new(&x, &y).first_order(evenly_spread);
            }
            None => {}
        }
        Sensitivity {
            number: String::new(),
            unit: String::new(),
            parameter: self.name.clone(),
            runs: x.len(),
            pearson: pearson(&x, &y),
            spearman: pearson(&ranks(&x), &ranks(&y)),
            first_order,
            total_order,
        }
    }
}

/// Cases that have the number and are drawn independently of each other: of Saltelli's design those
/// of A and B.
fn independent(method: Option<SampleMethod>, parameters: usize, number: &[f64]) -> Vec<usize> {
    let block = parameters + 2;
    let drawn = |case: &usize| {
        method != Some(SampleMethod::Saltelli)
            || matches!(case % block, 0)
            || case % block == block - 1
    };
    let cases = 0..number.len();
    cases
        .filter(drawn)
        .filter(|&case| number[case].is_finite())
        .collect()
}

fn is_constant(mut values: impl Iterator<Item = f64>) -> bool {
    let first = values.next();
    first.is_none_or(|first| values.all(|value| value.to_bits() == first.to_bits()))
}
