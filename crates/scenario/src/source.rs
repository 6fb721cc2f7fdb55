//! The texts that a scenario is made of.

use std::path::{Path, PathBuf};

/// Identifies a [`Source`] within its [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(usize);

/// A byte range of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub fn new(source: SourceId, range: std::ops::Range<usize>) -> Self {
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
    /// Anything else, such as a text in memory.
    Text,
}

/// A named text.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    origin: Origin,
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
            Origin::Override | Origin::Text => Path::new(""),
        }
    }

    /// Line and column of a byte offset; an offset beyond the text counts as its end.
    pub fn position(&self, offset: usize) -> Position {
        let start = self.line_start(offset);
        let before = &self.text[..start];
        Position {
            line: 1 + before.bytes().filter(|&byte| byte == b'\n').count(),
            column: 1 + self.text[start..self.clamp(offset)].chars().count(),
        }
    }

    /// The line around a byte offset, without its line break.
    pub fn line_at(&self, offset: usize) -> &str {
        let line = &self.text[self.line_start(offset)..];
        let line = line.split('\n').next().unwrap_or_default();
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// Byte offset at which the line around `offset` starts.
    pub fn line_start(&self, offset: usize) -> usize {
        self.text[..self.clamp(offset)]
            .rfind('\n')
            .map_or(0, |at| at + 1)
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
        self.sources.push(Source { name, text, origin });
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
