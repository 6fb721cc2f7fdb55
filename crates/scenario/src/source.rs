//! The texts that a scenario is made of.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// Identifies a [`Source`] within its [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(usize);

/// A byte range of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span of a byte range within a source.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        Self {
            source,
            start: range.start,
            end: range.end,
        }
    }
}

/// Where a text came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// A `--set path=value` of the command line.
    Override,
    /// A text in memory that may name files relative to this folder.
    TextIn(PathBuf),
    /// Anything else, such as a text in memory.
    Text,
}

/// A named text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    origin: Origin,
    /// Byte offset at which every line starts.
    lines: Vec<usize>,
}

/// A place in a text as editors count it, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

impl Source {
    /// The name shown to the user: the path of a file as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the text came from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The folder against which relative paths in this text are resolved.
    pub fn directory(&self) -> &Path {
        match &self.origin {
            Origin::File(path) => path.parent().unwrap_or(Path::new("")),
            Origin::TextIn(folder) => folder,
            Origin::Override | Origin::Text => Path::new(""),
        }
    }

    /// Line and column of a byte offset; an offset beyond the text counts as its end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.clamp(offset);
        let start = self.line_start(offset);
        Position {
            line: self.line(offset),
            column: 1 + self.text[start..offset].chars().count(),
        }
    }

    /// Number of the line around a byte offset, from 1.
    fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|&start| start <= offset)
    }

    /// The byte range of lines by their numbers from 1, without the last line break; lines that
    /// do not exist are left out.
    pub fn lines(&self, first: usize, last: usize) -> Range<usize> {
        let start = |line: usize| self.lines.get(line - 1).copied();
        let from = start(first.max(1)).unwrap_or(self.text.len());
        let to = start(last.max(1) + 1).map_or(self.text.len(), |next| next - 1);
        from..to.max(from)
    }

    /// The line around a byte offset, without its line break.
    pub fn line_at(&self, offset: usize) -> &str {
        let line = self.line(self.clamp(offset));
        let line = &self.text[self.lines(line, line)];
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// Byte offset at which the line around `offset` starts.
    pub fn line_start(&self, offset: usize) -> usize {
        let line = self.line(self.clamp(offset));
        self.lines.get(line - 1).copied().unwrap_or(0)
    }

    /// The nearest character boundary at or before `offset`.
    pub fn clamp(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// All texts of one scenario.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the text of a file.
    pub fn add_file(&mut self, path: &Path, text: String) -> SourceId {
        self.add(
            path.display().to_string(),
            text,
            Origin::File(path.to_owned()),
        )
    }

    /// Adds a text of the given name and origin.
    pub fn add(&mut self, name: String, text: String, origin: Origin) -> SourceId {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let lines = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .collect();
        let source = Source {
            name,
            text,
            origin,
            lines,
        };
        self.sources.push(source);
        SourceId(self.sources.len() - 1)
    }

    /// The source of an id; `None` if the id is from another map.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0)
    }

    /// All sources in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.sources
            .iter()
            .enumerate()
            .map(|(index, source)| (SourceId(index), source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let mut sources = SourceMap::new();
        let id = sources.add("s".to_owned(), "a = 1\r\nµ = 2\n".to_owned(), Origin::Text);
        let source = sources.get(id).unwrap();
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        // µ takes two bytes but one column.
        assert_eq!(source.position(12), Position { line: 2, column: 5 });
        assert_eq!(source.position(8), Position { line: 2, column: 1 });
        assert_eq!(source.position(999), Position { line: 3, column: 1 });
        assert_eq!(source.line_at(2), "a = 1");
        assert_eq!(source.line_at(9), "µ = 2");
        assert_eq!(source.line_at(999), "");
    }
}
