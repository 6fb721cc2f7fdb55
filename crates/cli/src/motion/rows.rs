//! The rows of a motion.

use std::io::{BufRead, Read as _};
use std::path::Path;

use bristle_results::format_number;

use super::{Columns, Problem, bare, cells};

/// Longer lines are no rows of numbers, bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// What some programs put in front of UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One row, in up to three directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) t: f64,
    pub(crate) velocity: [f64; 3],
    pub(crate) normal_force: f64,
    pub(crate) applied: [f64; 3],
}

/// Reads a motion line by line and checks it.
#[derive(Debug)]
pub(crate) struct Rows<R> {
    input: R,
    file: String,
    pub(crate) columns: Columns,
    buffer: Vec<u8>,
    line: u64,
    bytes: u64,
    last: Option<(f64, u64)>,
}

impl<R: BufRead> Rows<R> {
    /// Reads the header.
    pub(crate) fn open(input: R, path: &Path) -> Result<Self, Problem> {
        let file = path.display().to_string();
        let columns = Columns {
            separator: ',',
            count: 0,
            names: Vec::new(),
            t: 0,
            velocity: Vec::new(),
            normal_force: 0,
            applied: Vec::new(),
            unused: Vec::new(),
        };
        let (buffer, line, bytes, last) = (Vec::new(), 0, 0, None);
        let mut rows = Self {
            input,
            file,
            columns,
            buffer,
            line,
            bytes,
            last,
        };
        if !rows.next_line()? {
            let message = format!(
                "{} is empty; its first line must name the columns",
                rows.file
            );
            return Err(Problem::with(message, "for example: t,v,N"));
        }
        let place = rows.place();
        if rows.buffer.starts_with(&[0xff, 0xfe]) || rows.buffer.starts_with(&[0xfe, 0xff]) {
            let message = format!("{place}: the file is UTF-16 text");
            return Err(Problem::with(message, "save it as UTF-8 or plain ASCII"));
        }
        let text = String::from_utf8_lossy(&rows.buffer);
        let text = text.trim_end();
        if text.contains('\r') {
            let message = format!("{place}: the lines end with a carriage return only");
            return Err(Problem::with(message, "save the file with line feeds"));
        }
        rows.columns = Columns::read(text, &place)?;
        Ok(rows)
    }

    /// The next row, or none at the end. The rows of a motion have increasing times.
    pub(crate) fn next(&mut self) -> Result<Option<Row>, Problem> {
        if !self.next_line()? {
            return Ok(None);
        }
        let row = self.row()?;
        self.check(&row)?;
        self.last = Some((row.t, self.line));
        Ok(Some(row))
    }

    /// Bytes read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// File and line, for messages.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// Puts the next line that is neither blank nor a comment into the buffer.
    fn next_line(&mut self) -> Result<bool, Problem> {
        loop {
            self.buffer.clear();
            let mut limited = self.input.by_ref().take(LONGEST_LINE);
            let read = limited
                .read_until(b'\n', &mut self.buffer)
                .map_err(|error| Problem::new(format!("cannot read {}: {error}", self.file)))?
                as u64;
            self.bytes += read;
            self.line += 1;
            if read == LONGEST_LINE && !self.buffer.ends_with(b"\n") {
                let message = format!(
                    "{}: the line is too long for a row of numbers",
                    self.place()
                );
                return Err(Problem::new(message));
            }
            if self.line == 1 && self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.buffer.drain(..BYTE_ORDER_MARK.len());
            }
            let content = self.buffer.trim_ascii();
            if read == 0 || !(content.is_empty() || content.starts_with(b"#")) {
                return Ok(read > 0);
            }
        }
    }

    fn row(&self) -> Result<Row, Problem> {
        let text = String::from_utf8_lossy(&self.buffer);
        let Columns {
            separator, count, ..
        } = self.columns;
        let cells = cells(&text, separator);
        if cells.len() != count {
            return Err(self.wrong_count(&text, cells.len()));
        }
        let value =
            |index: usize| self.number(index, cells.get(index).copied().unwrap_or_default());
        let vector = |indices: &[usize]| {
            let mut vector = [0.0; 3];
            for (x, &index) in vector.iter_mut().zip(indices) {
                *x = value(index)?;
            }
            Ok(vector)
        };
        Ok(Row {
            t: value(self.columns.t)?,
            velocity: vector(&self.columns.velocity)?,
            normal_force: value(self.columns.normal_force)?,
            applied: vector(&self.columns.applied)?,
        })
    }

    fn number(&self, index: usize, cell: &str) -> Result<f64, Problem> {
        let text = bare(cell);
        match text.parse::<f64>() {
            Ok(x) if x.is_finite() => return Ok(x),
            _ => {}
        }
        let name = self.columns.names.get(index).map_or("", String::as_str);
        let shown: String = text.chars().take(40).collect();
        let place = self.place();
        if text.is_empty() {
            return Err(Problem::new(format!(
                "{place}: the cell in column \"{name}\" is empty"
            )));
        }
        let message = format!("{place}: \"{shown}\" in column \"{name}\" is not a finite number");
        let with_point = text.replacen(',', ".", 1);
        Err(if text != with_point && with_point.parse::<f64>().is_ok() {
            Problem::with(
                message,
                format!("write decimals with a point: {with_point}"),
            )
        } else {
            Problem::new(message)
        })
    }

    fn wrong_count(&self, text: &str, found: usize) -> Problem {
        let expected = self.columns.count;
        let place = self.place();
        let message = format!("{place}: found {found} cells, expected {expected} as in the header");
        let other = [';', '\t'].into_iter().find(|&c| text.contains(c));
        if self.columns.separator == ',' && found > expected {
            Problem::with(
                message,
                "are there decimal commas? Write decimals with a point",
            )
        } else if let Some(other) = other.filter(|&c| c != self.columns.separator) {
            let (own, other) = (spoken(self.columns.separator), spoken(other));
            Problem::with(
                message,
                format!("the header is separated by {own}, the line by {other}"),
            )
        } else {
            Problem::new(message)
        }
    }

    fn check(&self, row: &Row) -> Result<(), Problem> {
        let place = self.place();
        let t = format_number(row.t);
        match self.last {
            Some((last, line)) if row.t < last => {
                let last = format_number(last);
                let message = format!("{place}: t = {t} s comes after t = {last} s in line {line}");
                return Err(Problem::with(message, "sort the rows by time"));
            }
            Some((last, line)) if row.t <= last => {
                let message = format!("{place}: t = {t} s stands in line {line} already");
                let help = "keep one of them; a jump is two samples a little apart";
                return Err(Problem::with(message, help));
            }
            _ => {}
        }
        if row.normal_force < 0.0 {
            let n = format_number(row.normal_force);
            let message = format!("{place}: N = {n} N, must be 0 or more");
            let help = "N is the force that presses the bodies together; 0 where they are apart";
            return Err(Problem::with(message, help));
        }
        Ok(())
    }
}

fn spoken(separator: char) -> &'static str {
    match separator {
        ';' => "semicolons",
        '\t' => "tabs",
        _ => "commas",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Vec<Row>, Problem> {
        let mut rows = Rows::open(text, Path::new("m.csv"))?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(row);
        }
        Ok(all)
    }

    #[test]
    fn marks_line_ends_comments_and_quotes_are_no_obstacle() {
        let plain = read(b"t,v,N\n0,1e-3,10\n0.5,-2,0\n").unwrap();
        let second = Row {
            t: 0.5,
            velocity: [-2.0, 0.0, 0.0],
            ..Row::default()
        };
        assert_eq!(plain[1], second);
        let dressed = "\u{feff}# bench\r\n\r\nN;\"t\";v\r\n10; 0;\"1e-3\"\r\n# more\r\n0;0.5;-2";
        assert_eq!(read(dressed.as_bytes()).unwrap(), plain);
        let noted = b"t,\"note, if any\",v,N\n0,\"a, b\",1e-3,10\n0.5,,-2,0\n";
        assert_eq!(read(noted).unwrap(), plain);
    }

    #[test]
    fn bad_rows_are_told_with_their_line() {
        let cases: [(&str, &str, &str); 13] = [
            (
                "t,v,N\n0,1,1\n1,a,1\n",
                "m.csv:3: \"a\" in column \"v\"",
                "",
            ),
            (
                "t,v,N\n0,nan,1\n",
                "m.csv:2: \"nan\" in column \"v\" is not a finite",
                "",
            ),
            ("t,v,N\n0,1,inf\n", "m.csv:2: \"inf\" in column \"N\"", ""),
            ("t,v,N\n0,1e999,1\n", "m.csv:2: \"1e999\"", ""),
            (
                "t,v,N\n0,,1\n",
                "m.csv:2: the cell in column \"v\" is empty",
                "",
            ),
            (
                "t,v,N\n0,1,-1\n",
                "m.csv:2: N = -1 N, must be 0 or more",
                "presses",
            ),
            (
                "t,v,N\n1,1,1\n0,1,1\n",
                "m.csv:3: t = 0 s comes after t = 1 s in line 2",
                "sort",
            ),
            (
                "t,v,N\n1,1,1\n1,2,1\n",
                "m.csv:3: t = 1 s stands in line 2 already",
                "keep one",
            ),
            ("t,v,N\n0,1\n", "m.csv:2: found 2 cells, expected 3", ""),
            (
                "t,v,N\n0,0,1,5,10\n",
                "m.csv:2: found 5 cells",
                "decimal commas",
            ),
            (
                "t;v;N\n0;1,5;10\n",
                "m.csv:2: \"1,5\" in column \"v\"",
                "1.5",
            ),
            (
                "t,v,N\n0;1;10\n",
                "m.csv:2: found 1 cells",
                "by commas, the line by semicolons",
            ),
            ("", "m.csv is empty", "t,v,N"),
        ];
        for (text, message, help) in cases {
            let problem = read(text.as_bytes()).unwrap_err();
            assert!(problem.message.contains(message), "{problem:?}");
            assert!(
                problem.help.clone().unwrap_or_default().contains(help),
                "{problem:?}"
            );
        }
    }

    #[test]
    fn foreign_files_are_refused() {
        assert!(
            read(b"\xff\xfet\0,\0v\0\n\0")
                .unwrap_err()
                .message
                .contains("UTF-16")
        );
        assert!(
            read(b"t,v,N\r0,1,1\r")
                .unwrap_err()
                .message
                .contains("carriage return")
        );
        let endless = vec![b'7'; 3 << 20];
        assert!(read(&endless).unwrap_err().message.contains("too long"));
    }
}
