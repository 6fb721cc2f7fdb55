//! Columns of numbers from text, as test benches write them.

use std::io::Cursor;
use std::path::Path;

use crate::text::{TextReader, TextRow, Wanted};
use crate::{DataTable, Problem};

/// Cells that stand for a missing value.
const MISSING: [&str; 8] = ["", "nan", "na", "n/a", "null", "none", "-", "nil"];

const WANTED: Wanted<'_> = Wanted {
    example: "t,v,N,F",
    names: "put a line such as t,v,N,F above them, or name the columns in order: --columns t,v,F; \
            where none is the time, --rate 1kHz gives it",
};

impl DataTable {
    /// Reads text; the path is for messages.
    pub(crate) fn parse_text(
        bytes: &[u8],
        path: &Path,
        names: Option<&[String]>,
    ) -> Result<Self, Problem> {
        let input = Cursor::new(bytes);
        let mut reader = match names {
            None => TextReader::open(input, path, WANTED)?,
            Some(names) => TextReader::open_named(input, path, WANTED, names)?,
        };
        let mut table = Self {
            file: path.display().to_string(),
            names: reader.names().to_vec(),
            columns: vec![Vec::new(); reader.names().len()],
            ..Self::default()
        };
        // a comma that separates cells is no decimal comma
        let commas = reader.separator() != ',';
        let mut first = true;
        while let Some(row) = reader.next_row()? {
            if row.iter().all(str::is_empty) {
                continue;
            }
            if std::mem::take(&mut first) && is_unit_row(&row) {
                let bare = |c: &str| c.trim_matches(['[', ']', '(', ')']).to_owned();
                table.units = row.iter().map(bare).collect();
                continue;
            }
            table.push(&row, commas)?;
        }
        if table.lines.is_empty() {
            let message = format!("{} has no rows below its header", table.file);
            return Err(Problem::new(message));
        }
        table.units.resize(table.names.len(), String::new());
        Ok(table)
    }

    fn push(&mut self, row: &TextRow<'_>, commas: bool) -> Result<(), Problem> {
        for (i, column) in self.columns.iter_mut().enumerate() {
            let cell = row.cell(i);
            let Some(value) = number(cell, commas) else {
                let shown: String = cell.chars().take(40).collect();
                let (place, name) = (row.place(), row.name(i));
                let message = format!("{place}: \"{shown}\" in column \"{name}\" is not a number");
                return Err(Problem::new(message));
            };
            if commas && cell.contains(',') && self.notes.is_empty() {
                let note = "decimal commas were read as decimal points";
                self.notes.push(note.to_owned());
            }
            column.push(value);
        }
        self.lines.push(row.line);
        Ok(())
    }
}

/// A line of units: no cell is a number, and at least one is not a missing value.
fn is_unit_row(row: &TextRow<'_>) -> bool {
    row.iter().all(|c| number(c, true).is_none_or(f64::is_nan))
        && row.iter().any(|c| number(c, true).is_none())
}

/// A number, NaN for a missing one, none for anything else.
fn number(cell: &str, decimal_comma: bool) -> Option<f64> {
    if MISSING.iter().any(|word| cell.eq_ignore_ascii_case(word)) {
        return Some(f64::NAN);
    }
    if let Ok(x) = cell.parse::<f64>() {
        return Some(if x.is_finite() { x } else { f64::NAN });
    }
    if decimal_comma && cell.matches(',').count() == 1 {
        return cell.replacen(',', ".", 1).parse().ok();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<DataTable, Problem> {
        DataTable::parse(text.as_bytes(), Path::new("d.csv"))
    }

    #[test]
    fn dialects_of_test_benches_are_read() {
        let plain = parse("t,v,F\n0,1.5,2\n1,2.5,3\n").unwrap();
        assert_eq!(plain.columns[1], [1.5, 2.5]);
        for text in [
            "\u{feff}t;v;F\r\n0;1,5;2\r\n1;2,5;3\r\n",
            "# bench 7\n\nt\tv\tF\n0\t1.5\t2\n\n1\t2.5\t3",
            "t,v,F\n[s],[m/s],[N]\n0,1.5,2\n1,2.5,3,\n",
            "t,v,F\r0,1.5,2\r1,2.5,3\r",
        ] {
            let table = parse(text).unwrap();
            assert_eq!(table.columns, plain.columns, "{text:?}");
        }
        assert_eq!(parse("t,v\n[s],[m/s]\n0,1\n").unwrap().units, ["s", "m/s"]);
        assert!(
            parse("t,v\n0,nan\n1,\n").unwrap().columns[1]
                .iter()
                .all(|x| x.is_nan())
        );
    }

    #[test]
    fn what_cannot_be_read_is_reported_with_its_line() {
        for (text, part) in [
            ("", "is empty"),
            ("t,v\n", "no rows"),
            ("0,1\n1,2\n", "d.csv:1: the first line must name"),
            ("t,v\n0,1\n1,2,3\n", "d.csv:3: found 3 cells, expected 2"),
            ("t,v\n0,1\n1,fast\n", "d.csv:3: \"fast\" in column \"v\""),
            ("t,v,t\n0,1,2\n", "\"t\" appears twice"),
        ] {
            let problem = parse(text).unwrap_err();
            assert!(problem.message.contains(part), "{problem:?}");
        }
    }

    #[test]
    fn names_in_quotes_may_have_line_breaks_and_inches() {
        let table = parse("t;\"Force\n[N]\";\"x (5\"\" bore)\"\n0;1;2\n").unwrap();
        assert_eq!(table.names[1], "Force\n[N]");
        assert_eq!(table.columns, [[0.0], [1.0], [2.0]]);
        assert_eq!(table.lines, [3]);
        let table = parse("t,x 5\",F\n0,1,2\n").unwrap();
        assert_eq!(table.columns, [[0.0], [1.0], [2.0]]);
    }

    #[test]
    fn tables_of_numbers_only_take_the_names_that_are_given() {
        let names = ["t", "v", "F"].map(str::to_owned);
        for text in [
            "0.000000\t0.000000\t2\n1\t2.5\t3\n",
            "0;0,000000;2\n1;2,5;3\n",
            "0,0.0,2\n1,2.5,3\n",
            "0,0 0,0 2\n1,0 2,5 3\n",
            "0\t0,0\t2\t\n1\t2,5\t3\t\n",
            "time;speed;force\n0;0,0;2\n1;2,5;3\n",
        ] {
            let path = Path::new("d.csv");
            let table = DataTable::parse_named(text.as_bytes(), path, &names).unwrap();
            assert_eq!(table.columns[1], [0.0, 2.5], "{text:?}");
            assert_eq!(table.names, names);
            if !text.starts_with("time") {
                let problem = parse(text).unwrap_err();
                assert!(problem.message.contains("header is missing"), "{problem:?}");
                assert!(problem.help.unwrap().contains("--columns t,v,F"));
            }
        }
        let two = &names[..2];
        let problem = DataTable::parse_named(b"0,1,2\n", Path::new("d.csv"), two).unwrap_err();
        assert!(
            problem
                .message
                .contains("2 columns are named, but the line has 3")
        );
    }

    #[test]
    fn blanks_separate_cells_where_nothing_else_does() {
        let table = parse("t   v  F\n 0  1,5   2\n 1   2.5 3\n").unwrap();
        assert_eq!(table.columns, [[0.0, 1.0], [1.5, 2.5], [2.0, 3.0]]);
    }
}
