//! Columns of numbers from a text file, as test benches write them.

use std::path::Path;

use crate::motion::Problem;

/// Named columns of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table {
    /// The file, for messages.
    pub(super) file: String,
    /// Names, as the header has them.
    pub(super) names: Vec<String>,
    /// Units of a second header line; empty where there is none.
    pub(super) units: Vec<String>,
    /// One list of values per column; NaN where a cell is empty or no number.
    pub(super) columns: Vec<Vec<f64>>,
    /// Line of each row.
    pub(super) lines: Vec<u64>,
    /// What had to be understood on the way.
    pub(super) notes: Vec<String>,
}

/// Cells that stand for a missing value.
const MISSING: [&str; 8] = ["", "nan", "na", "n/a", "null", "none", "-", "nil"];

impl Table {
    /// Reads text.
    pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Self, Problem> {
        let file = path.display().to_string();
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            let message = format!("{file}: the file is UTF-16 text");
            return Err(Problem::with(message, "save it as UTF-8 or plain ASCII"));
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        // old programs end lines with a carriage return only
        let text = if text.contains('\n') {
            text.to_owned()
        } else {
            text.replace('\r', "\n")
        };
        let skipped = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
        let Some(header) = text.lines().find(|line| !skipped(line)) else {
            let message = format!("{file} is empty; its first line must name the columns");
            return Err(Problem::with(message, "for example: t,v,N,F"));
        };
        let separator = separator(header);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .flexible(true)
            .has_headers(false)
            .from_reader(text.as_bytes());
        let mut table = Self {
            file,
            ..Self::default()
        };
        let mut rows = 0_u64;
        for record in reader.records() {
            let record = record
                .map_err(|error| Problem::new(format!("cannot read {}: {error}", table.file)))?;
            let line = record.position().map_or(0, csv::Position::line);
            if table.names.is_empty() {
                table.header(&record, line)?;
                continue;
            }
            if record.iter().all(str::is_empty) {
                continue;
            }
            rows += 1;
            if rows == 1 && table.is_unit_row(&record) {
                table.units = record
                    .iter()
                    .map(|c| c.trim_matches(['[', ']', '(', ')']).to_owned())
                    .collect();
                continue;
            }
            table.row(&record, line, separator)?;
        }
        if table.lines.is_empty() {
            let message = format!("{} has no rows below its header", table.file);
            return Err(Problem::new(message));
        }
        table.units.resize(table.names.len(), String::new());
        Ok(table)
    }

    fn header(&mut self, record: &csv::StringRecord, line: u64) -> Result<(), Problem> {
        let names: Vec<String> = record
            .iter()
            .map(|c| c.trim_matches('"').trim().to_owned())
            .collect();
        if names
            .iter()
            .all(|name| number(name, true).is_some_and(f64::is_finite))
        {
            let message = format!(
                "{}:{line}: the first line must name the columns, found numbers",
                self.file
            );
            return Err(Problem::with(
                message,
                "put a line such as t,v,N,F above them",
            ));
        }
        for (i, name) in names.iter().enumerate() {
            if !name.is_empty() && names[..i].contains(name) {
                let message = format!("{}:{line}: the column \"{name}\" appears twice", self.file);
                return Err(Problem::new(message));
            }
        }
        self.columns = vec![Vec::new(); names.len()];
        self.names = names;
        Ok(())
    }

    /// A line of units: no cell is a number, and at least one is not a missing value.
    fn is_unit_row(&self, record: &csv::StringRecord) -> bool {
        record.len() == self.names.len()
            && record
                .iter()
                .all(|c| number(c, true).is_none_or(f64::is_nan))
            && record.iter().any(|c| number(c, true).is_none())
    }

    fn row(&mut self, record: &csv::StringRecord, line: u64, separator: u8) -> Result<(), Problem> {
        let expected = self.names.len();
        // a separator at the end of a line is no cell
        let extra = record.len() > expected && record.iter().skip(expected).all(str::is_empty);
        if record.len() != expected && !extra {
            let message = format!(
                "{}:{line}: found {} cells, expected {expected} as in the header",
                self.file,
                record.len()
            );
            return Err(if separator == b',' && record.len() > expected {
                Problem::with(
                    message,
                    "are there decimal commas? Separate the cells with semicolons, or write decimals \
                     with a point",
                )
            } else {
                Problem::new(message)
            });
        }
        let commas = separator != b',';
        for (i, cell) in record.iter().take(expected).enumerate() {
            let cell = cell.trim_matches('"').trim();
            let Some(value) = number(cell, commas) else {
                let shown: String = cell.chars().take(40).collect();
                let message = format!(
                    "{}:{line}: \"{shown}\" in column \"{}\" is not a number",
                    self.file, self.names[i]
                );
                return Err(Problem::new(message));
            };
            if commas && cell.contains(',') && self.notes.is_empty() {
                self.notes
                    .push("decimal commas were read as decimal points".to_owned());
            }
            self.columns[i].push(value);
        }
        self.lines.push(line);
        Ok(())
    }
}

/// The separator of a header.
fn separator(header: &str) -> u8 {
    [b';', b'\t', b',']
        .into_iter()
        .find(|&c| header.contains(char::from(c)))
        .unwrap_or(if header.split_whitespace().count() > 1 {
            b' '
        } else {
            b','
        })
}

/// A number, NaN for a missing one, none for anything else.
fn number(cell: &str, decimal_comma: bool) -> Option<f64> {
    let cell = cell.trim_matches('"').trim();
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

    fn parse(text: &str) -> Result<Table, Problem> {
        Table::parse(text.as_bytes(), Path::new("d.csv"))
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
    fn what_cannot_be_read_is_told_with_its_line() {
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
}
