//! The rows of a motion.

use std::io::BufRead;
use std::path::Path;

use bristle_units::format_number;

use super::MotionColumns;
use crate::Problem;
use crate::text::{TextReader, TextRow, Wanted};

const WANTED: Wanted<'_> = Wanted {
    example: "t,v,N",
    names: "the columns are t; v, or vx and vy, or vx, vy and vz; N; and, if wanted, Fe, or Fex and so \
            on; --columns t,v,N names them in order, and --rate 1kHz stands for t",
};

/// One row, in up to three directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionRow {
    /// Time, s.
    pub t: f64,
    /// Slip velocity, m/s.
    pub velocity: [f64; 3],
    /// Normal force, N.
    pub normal_force: f64,
    /// Applied force, N.
    pub applied: [f64; 3],
}

/// Reads a motion row by row and checks it.
#[derive(Debug)]
pub struct MotionReader<R> {
    text: TextReader<R>,
    /// Where the quantities stand.
    pub columns: MotionColumns,
    /// The sampling rate, Hz, if no column is the time.
    rate: Option<f64>,
    rows: u64,
    last: Option<(f64, u64)>,
}

impl<R: BufRead> MotionReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If the file is no text or its header is not that of a motion.
    pub fn open(input: R, path: &Path) -> Result<Self, Problem> {
        Self::open_as(input, path, None, None)
    }

    /// Reads a motion whose columns have these names, in order, and whose times are those of a rate
    /// (Hz), where they are given.
    ///
    /// # Errors
    /// As [`Self::open`], or if the file has another number of columns, or both a rate and times.
    pub fn open_as(
        input: R,
        path: &Path,
        names: Option<&[String]>,
        rate: Option<f64>,
    ) -> Result<Self, Problem> {
        let text = match names {
            None => TextReader::open(input, path, WANTED)?,
            Some(names) => TextReader::open_named(input, path, WANTED, names)?,
        };
        let columns = match rate {
            None => MotionColumns::of(text.names(), &text.place())?,
            Some(_) => MotionColumns::without_time(text.names(), &text.place())?,
        };
        Ok(Self {
            text,
            columns,
            rate,
            rows: 0,
            last: None,
        })
    }

    /// The next row, or none at the end. The rows of a motion have increasing times.
    ///
    /// # Errors
    /// With file and line, if a row has other cells than the header, a cell is no finite number,
    /// times do not increase, or the normal force is negative.
    pub fn next_row(&mut self) -> Result<Option<MotionRow>, Problem> {
        let Some(row) = self.text.next_row()? else {
            return Ok(None);
        };
        let mut read = self.columns.row(&row)?;
        if let Some(rate) = self.rate {
            read.t = self.rows as f64 / rate;
            self.rows += 1;
        }
        check(&read, &row, self.last)?;
        self.last = Some((read.t, row.line));
        Ok(Some(read))
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.text.bytes()
    }

    /// File and line, for messages.
    pub fn place(&self) -> String {
        self.text.place()
    }
}

impl MotionColumns {
    fn row(&self, row: &TextRow<'_>) -> Result<MotionRow, Problem> {
        let value = |index: usize| {
            let number = row.number(index);
            number.ok_or_else(|| row.no_number(index, &row.place()))
        };
        let vector = |indices: &[usize]| {
            let mut vector = [0.0; 3];
            for (x, &index) in vector.iter_mut().zip(indices) {
                *x = value(index)?;
            }
            Ok(vector)
        };
        Ok(MotionRow {
            t: self.t.map_or(Ok(0.0), value)?,
            velocity: vector(&self.velocity)?,
            normal_force: value(self.normal_force)?,
            applied: vector(&self.applied)?,
        })
    }
}

/// Times must increase from the `last` one, of another line, and the normal force presses.
fn check(row: &MotionRow, text: &TextRow<'_>, last: Option<(f64, u64)>) -> Result<(), Problem> {
    let place = || text.place();
    match last {
        Some((last, line)) if row.t < last => {
            let (place, t, last) = (place(), format_number(row.t), format_number(last));
            let message = format!("{place}: t = {t} s comes after t = {last} s in line {line}");
            return Err(Problem::with(message, "sort the rows by time"));
        }
        Some((last, line)) if row.t <= last => {
            let (place, t) = (place(), format_number(row.t));
            let message = format!("{place}: t = {t} s stands in line {line} already");
            let help = "keep one of them; a jump is two samples a little apart";
            return Err(Problem::with(message, help));
        }
        _ => {}
    }
    if row.normal_force < 0.0 {
        let (place, n) = (place(), format_number(row.normal_force));
        let message = format!("{place}: N = {n} N, must be 0 or more");
        let help = "N is the force that presses the bodies together; 0 where they are apart";
        return Err(Problem::with(message, help));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Vec<MotionRow>, Problem> {
        let mut rows = MotionReader::open(text, Path::new("m.csv"))?;
        let mut all = Vec::new();
        while let Some(row) = rows.next_row()? {
            all.push(row);
        }
        Ok(all)
    }

    #[test]
    fn marks_line_ends_comments_and_quotes_are_no_obstacle() {
        let plain = read(b"t,v,N\n0,1e-3,10\n0.5,-2,0\n").unwrap();
        let second = MotionRow {
            t: 0.5,
            velocity: [-2.0, 0.0, 0.0],
            ..MotionRow::default()
        };
        assert_eq!(plain[1], second);
        let dressed = "\u{feff}# bench\r\n\r\nN;\"t\";v\r\n10; 0;\"1e-3\"\r\n# more\r\n0;0.5;-2";
        assert_eq!(read(dressed.as_bytes()).unwrap(), plain);
        let noted = b"t,\"note, if any\",v,N\n0,\"a, b\",1e-3,10\n0.5,,-2,0\n";
        assert_eq!(read(noted).unwrap(), plain);
        let old = b"t,v,N\r0,1e-3,10\r0.5,-2,0\r";
        assert_eq!(
            read(old).unwrap(),
            plain,
            "a carriage return ends a line too"
        );
    }

    #[test]
    fn bad_rows_are_reported_with_their_line() {
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
                "m.csv:2: found 1 cell",
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
    fn names_and_a_rate_stand_for_a_header_and_times() {
        let names = ["v", "N"].map(str::to_owned);
        let text: &[u8] = b"1e-3\t10\n-2\t0\n";
        let path = Path::new("m.csv");
        let mut rows = MotionReader::open_as(text, path, Some(&names), Some(2.0)).unwrap();
        assert_eq!(rows.next_row().unwrap().unwrap().velocity[0], 1e-3);
        let second = rows.next_row().unwrap().unwrap();
        assert_eq!((second.t, second.velocity[0]), (0.5, -2.0));
        let both: &[u8] = b"t,v,N\n0,1,1\n";
        let problem = MotionReader::open_as(both, path, None, Some(2.0)).unwrap_err();
        assert!(problem.message.contains("--rate"), "{problem:?}");
    }

    #[test]
    fn foreign_files_are_refused() {
        assert!(
            read(b"\xff\xfet\0,\0v\0\n\0")
                .unwrap_err()
                .message
                .contains("UTF-16")
        );
        let endless = vec![b'7'; 3 << 20];
        assert!(read(&endless).unwrap_err().message.contains("too long"));
    }
}
