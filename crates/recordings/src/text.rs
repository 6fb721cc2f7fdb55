//! The one reader of text tables: a line of names, then rows of cells, each with its place.
//!
//! Cells are separated by semicolons, tabs, commas or blanks, whichever the header has most of.
//! Blank lines and lines that start with `#` are skipped; quotes, a byte order mark and the line
//! ends of all systems are understood. What a cell must hold is the business of the caller: a test
//! bench leaves cells empty and writes decimal commas, a motion or a table of a scenario does not.

use std::borrow::Cow;
use std::io::{BufRead, Read as _};
use std::ops::Range;
use std::path::Path;

use bristle_units::number_of;

use crate::Problem;

/// Longer lines are no rows of numbers, bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// What some programs put in front of UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Separators of cells; a blank is any number of blanks. Earlier ones win a tie.
const SEPARATORS: [char; 3] = [';', '\t', ','];

/// A header, for messages.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// A header such as `t,v,N`.
    pub example: &'a str,
    /// What to do where the header has numbers instead of names.
    pub names: &'a str,
}

/// Reads a text table line by line.
#[derive(Debug)]
pub struct TextReader<R> {
    input: R,
    file: String,
    /// What ends a line: old programs write a carriage return only.
    line_end: u8,
    /// The current line, as it stands in the file and as text.
    buffer: Vec<u8>,
    text: String,
    cells: Vec<Range<usize>>,
    separator: char,
    names: Vec<String>,
    line: u64,
    bytes: u64,
    /// The current line is the first row, and no header.
    pending: bool,
}

/// One row of a text table.
#[derive(Clone, Copy, Debug)]
pub struct TextRow<'a> {
    file: &'a str,
    text: &'a str,
    cells: &'a [Range<usize>],
    names: &'a [String],
    /// Its line, from 1.
    pub line: u64,
}

impl<R: BufRead> TextReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If the file cannot be read, is empty or no text, or its first line does not name the columns
    /// or names one twice.
    pub fn open(input: R, path: &Path, wanted: Wanted<'_>) -> Result<Self, Problem> {
        let mut reader = Self::at_first_line(input, path, wanted)?;
        if numbers_separator(&reader.text).is_some() {
            let message = format!(
                "{}: the first line must name the columns, found numbers: the header is missing",
                reader.place()
            );
            return Err(Problem::with(message, wanted.names));
        }
        reader.separator = separator(&reader.text);
        reader.split();
        let row = reader.row();
        reader.names = (0..row.len()).map(|i| row.text(i).into_owned()).collect();
        reader.check_names()?;
        Ok(reader)
    }

    /// Gives the columns these names, in order. A header in the file is passed over.
    ///
    /// # Errors
    /// As [`Self::open`], or if the first line has another number of cells.
    pub fn open_named(
        input: R,
        path: &Path,
        wanted: Wanted<'_>,
        names: &[String],
    ) -> Result<Self, Problem> {
        let mut reader = Self::at_first_line(input, path, wanted)?;
        let of_numbers = numbers_separator(&reader.text);
        reader.separator = of_numbers.unwrap_or_else(|| separator(&reader.text));
        reader.pending = of_numbers.is_some();
        reader.split();
        let row = reader.row();
        let cells = (0..row.len()).rev().find(|&i| !row.cell(i).is_empty());
        let cells = cells.map_or(0, |last| last + 1);
        if cells > names.len() || row.len() < names.len() {
            let (place, count) = (reader.place(), names.len());
            let named = match count {
                1 => "1 column is named".to_owned(),
                _ => format!("{count} columns are named"),
            };
            let message = format!("{place}: {named}, but the line has {cells}");
            let help = "name all of them in order; - stands for one that is not used";
            return Err(Problem::with(message, help));
        }
        reader.names = names.to_vec();
        reader.check_names()?;
        Ok(reader)
    }

    fn at_first_line(input: R, path: &Path, wanted: Wanted<'_>) -> Result<Self, Problem> {
        let mut reader = Self {
            input,
            file: path.display().to_string(),
            line_end: b'\n',
            buffer: Vec::new(),
            text: String::new(),
            cells: Vec::new(),
            separator: ',',
            names: Vec::new(),
            line: 0,
            bytes: 0,
            pending: false,
        };
        reader.line_end = line_end(&mut reader.input);
        if !reader.next_line()? {
            let message = format!(
                "{} is empty; its first line must name the columns",
                reader.file
            );
            let help = format!("for example: {}", wanted.example);
            return Err(Problem::with(message, help));
        }
        Ok(reader)
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What separates the cells.
    pub fn separator(&self) -> char {
        self.separator
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// File and line, for messages.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// The next row, or none at the end. It has as many cells as the header; empty ones beyond them
    /// are dropped.
    ///
    /// # Errors
    /// If the file cannot be read, or the line is too long or has another number of cells.
    pub fn next_row(&mut self) -> Result<Option<TextRow<'_>>, Problem> {
        if !std::mem::take(&mut self.pending) && !self.next_line()? {
            return Ok(None);
        }
        self.split();
        let expected = self.names.len();
        let row = self.row();
        if row.len() > expected && (expected..row.len()).all(|i| row.cell(i).is_empty()) {
            self.cells.truncate(expected);
        }
        if self.cells.len() != expected {
            return Err(self.wrong_count());
        }
        Ok(Some(self.row()))
    }

    fn row(&self) -> TextRow<'_> {
        TextRow {
            file: &self.file,
            text: &self.text,
            cells: &self.cells,
            names: &self.names,
            line: self.line,
        }
    }

    fn check_names(&self) -> Result<(), Problem> {
        for (i, name) in self.names.iter().enumerate() {
            if !name.is_empty() && self.names[..i].contains(name) {
                let message = format!("{}: the column \"{name}\" appears twice", self.place());
                return Err(Problem::new(message));
            }
        }
        Ok(())
    }

    /// Takes the next line that is neither blank nor a comment.
    fn next_line(&mut self) -> Result<bool, Problem> {
        loop {
            self.buffer.clear();
            self.line += 1;
            let read = self.read_line()?;
            if read == self.bytes {
                self.start_of_file()?;
            }
            let first = self.line;
            // a line break between quotes is a part of the cell
            while let Some(at) = self.open_quote() {
                if self.buffer.len() as u64 >= LONGEST_LINE || self.read_line()? == 0 {
                    return Err(self.unclosed(first, at));
                }
                self.line += 1;
            }
            let content = self.buffer.trim_ascii();
            if read > 0 && (content.is_empty() || content.starts_with(b"#")) {
                continue;
            }
            self.text.clear();
            self.text.push_str(&String::from_utf8_lossy(&self.buffer));
            self.text
                .truncate(self.text.trim_end_matches(['\r', '\n']).len());
            return Ok(read > 0);
        }
    }

    /// Appends a line to the buffer; returns its length in bytes.
    fn read_line(&mut self) -> Result<u64, Problem> {
        let mut limited = self.input.by_ref().take(LONGEST_LINE);
        let read = limited
            .read_until(self.line_end, &mut self.buffer)
            .map_err(|error| Problem::new(format!("cannot read {}: {error}", self.file)))?
            as u64;
        self.bytes += read;
        let all = self.buffer.len() as u64;
        if all >= LONGEST_LINE && self.buffer.last() != Some(&self.line_end) {
            let place = self.place();
            let message = format!("{place}: the line is too long for a row of numbers");
            return Err(Problem::new(message));
        }
        Ok(read)
    }

    /// Where the quote stands that is open at the end of the line. A header may have any separator.
    fn open_quote(&self) -> Option<usize> {
        let line = &self.buffer;
        if !line.contains(&b'"') || line.trim_ascii_start().starts_with(b"#") {
            return None;
        }
        if self.names.is_empty() {
            let mut all = SEPARATORS.iter();
            return all.find_map(|c| scan(line, *c, |_| ()));
        }
        scan(line, self.separator, |_| ())
    }

    /// A quote at a byte of the buffer, whose first line is `first`, that nothing closes.
    fn unclosed(&self, first: u64, at: usize) -> Problem {
        let before = self.buffer.get(..at).unwrap_or_default();
        let mut lines = before.rsplit(|byte| *byte == self.line_end);
        let own = lines.next();
        let above = lines.count() as u64;
        let column = 1 + String::from_utf8_lossy(own.unwrap_or_default())
            .chars()
            .count();
        let (file, line) = (&self.file, first + above);
        let message = format!("{file}:{line}:{column}: a quote is opened here and never closed");
        Problem::with(
            message,
            "close it, or write two quotes for one within a cell",
        )
    }

    /// What only the first line shows: the encoding.
    fn start_of_file(&mut self) -> Result<(), Problem> {
        if self.buffer.starts_with(&[0xff, 0xfe]) || self.buffer.starts_with(&[0xfe, 0xff]) {
            let message = format!("{}: the file is UTF-16 text", self.file);
            return Err(Problem::with(message, "save it as UTF-8 or plain ASCII"));
        }
        if self.buffer.starts_with(BYTE_ORDER_MARK) {
            self.buffer.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(())
    }

    /// Finds the cells of the current line.
    fn split(&mut self) {
        self.cells.clear();
        let (text, separator) = (&self.text, self.separator);
        if separator == ' ' {
            let mut end = 0;
            for cell in text.split_whitespace() {
                let start = end + text[end..].find(cell).unwrap_or_default();
                end = start + cell.len();
                self.cells.push(start..end);
            }
            return;
        }
        let mut start = 0;
        let cells = &mut self.cells;
        scan(text.as_bytes(), separator, |end| {
            cells.push(start..end);
            start = end + separator.len_utf8();
        });
        self.cells.push(start..text.len());
    }

    fn wrong_count(&self) -> Problem {
        let (found, expected) = (self.cells.len(), self.names.len());
        let place = self.place();
        let cells = number_of(found, "cell", "cells");
        let message = format!("{place}: found {cells}, expected {expected} as in the header");
        let other = SEPARATORS.into_iter().find(|&c| self.text.contains(c));
        if self.separator == ',' && found > expected {
            let help = "are there decimal commas? Separate the cells with semicolons, or write \
                        decimals with a point";
            Problem::with(message, help)
        } else if let Some(other) = other.filter(|&c| c != self.separator) {
            let (own, other) = (spoken(self.separator), spoken(other));
            let help = format!("the header is separated by {own}, the line by {other}");
            Problem::with(message, help)
        } else {
            Problem::new(message)
        }
    }
}

impl<'a> TextRow<'a> {
    /// Number of cells.
    #[allow(clippy::len_without_is_empty, reason = "a row has a cell at least")]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// A cell without blanks and quotes around it.
    pub fn cell(&self, index: usize) -> &'a str {
        let range = self.cells.get(index).cloned().unwrap_or_default();
        let cell = self.text.get(range).unwrap_or_default();
        cell.trim().trim_matches('"').trim()
    }

    /// A cell as text: without blanks and the quotes around it, two quotes between them as one.
    pub fn text(&self, index: usize) -> Cow<'a, str> {
        let range = self.cells.get(index).cloned().unwrap_or_default();
        let cell = self.text.get(range).unwrap_or_default().trim();
        let inner = cell.strip_prefix('"').and_then(|c| c.strip_suffix('"'));
        match inner {
            Some(inner) if inner.contains('"') => Cow::Owned(inner.replace("\"\"", "\"")),
            Some(inner) => Cow::Borrowed(inner.trim()),
            None => Cow::Borrowed(cell),
        }
    }

    /// All cells in order.
    pub fn iter(&self) -> impl Iterator<Item = &'a str> + '_ {
        (0..self.len()).map(|i| self.cell(i))
    }

    /// Name of a column.
    pub fn name(&self, index: usize) -> &'a str {
        self.names.get(index).map_or("", String::as_str)
    }

    /// Column of characters at which a cell starts, from 1.
    pub fn character(&self, index: usize) -> usize {
        let start = self.cells.get(index).map_or(0, |range| range.start);
        1 + self.text.get(..start).unwrap_or_default().chars().count()
    }

    /// File and line, for messages.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// A cell that must hold a finite number; none if it does not.
    pub fn number(&self, index: usize) -> Option<f64> {
        let number = self.cell(index).parse::<f64>().ok();
        number.filter(|x| x.is_finite())
    }

    /// Says at `place` that a cell holds no finite number.
    pub fn no_number(&self, index: usize, place: &str) -> Problem {
        let (cell, name) = (self.cell(index), self.name(index));
        if cell.is_empty() {
            return Problem::new(format!("{place}: the cell in column \"{name}\" is empty"));
        }
        let shown: String = cell.chars().take(40).collect();
        let message = format!("{place}: \"{shown}\" in column \"{name}\" is not a finite number");
        let with_point = cell.replacen(',', ".", 1);
        if cell != with_point && with_point.parse::<f64>().is_ok() {
            let help = format!("write decimals with a point: {with_point}");
            return Problem::with(message, help);
        }
        Problem::new(message)
    }
}

/// Hands every separator of a line that is not between quotes to `found`; returns where the quote
/// stands that is open at its end. A quote opens at the start of a cell only: elsewhere it is an inch. Two
/// quotes between quotes stand for one.
fn scan(line: &[u8], separator: char, mut found: impl FnMut(usize)) -> Option<usize> {
    let (mut open, mut may_open, mut opened) = (false, true, 0);
    for (at, &byte) in line.iter().enumerate() {
        if byte == b'"' && (open || may_open) {
            // behind a closing quote another one opens again
            may_open = open;
            open = !open;
            // two quotes within a cell do not open another one
            if open && (at == 0 || line[at - 1] != b'"') {
                opened = at;
            }
        } else if char::from(byte) == separator && !open {
            found(at);
            may_open = true;
        } else {
            may_open &= byte == b' ' && !open;
        }
    }
    open.then_some(opened)
}

/// What ends the lines of a file, by its first bytes.
fn line_end(input: &mut impl BufRead) -> u8 {
    // what cannot be read is reported where it is read
    let start = input.fill_buf().unwrap_or_default();
    let end = start.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
    match end.map(|at| (start[at], start.get(at + 1))) {
        Some((b'\r', Some(next))) if *next != b'\n' => b'\r',
        _ => b'\n',
    }
}

/// The separator that a header has most of.
fn separator(header: &str) -> char {
    let blank = header.split_whitespace().count() > 1;
    let mut best = (0, if blank { ' ' } else { ',' });
    for c in SEPARATORS {
        let mut count = 0;
        scan(header.as_bytes(), c, |_| count += 1);
        if count > best.0 {
            best = (count, c);
        }
    }
    best.1
}

/// What separates the cells of a line of numbers; none if it is anything else. Decimal commas are
/// understood where something else separates.
fn numbers_separator(line: &str) -> Option<char> {
    let is_number = |cell: &str, commas: bool| {
        let cell = cell.trim().trim_matches('"').trim();
        let point = if commas {
            cell.replacen(',', ".", 1)
        } else {
            cell.to_owned()
        };
        point.parse::<f64>().is_ok()
    };
    let all_numbers = |cells: &[&str], commas: bool| {
        let filled = cells.iter().filter(|cell| !cell.trim().is_empty());
        let (numbers, others): (Vec<&str>, Vec<&str>) = filled.partition(|c| is_number(c, commas));
        !numbers.is_empty() && others.is_empty()
    };
    for separator in [';', '\t', ','] {
        let cells: Vec<&str> = line.split(separator).collect();
        if cells.len() > 1 && all_numbers(&cells, separator != ',') {
            return Some(separator);
        }
    }
    let cells: Vec<&str> = line.split_whitespace().collect();
    all_numbers(&cells, true).then_some(if cells.len() > 1 { ' ' } else { ',' })
}

fn spoken(separator: char) -> &'static str {
    match separator {
        ';' => "semicolons",
        '\t' => "tabs",
        ' ' => "blanks",
        _ => "commas",
    }
}
