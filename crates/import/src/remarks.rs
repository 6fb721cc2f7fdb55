//! What an import has to say: problems that stop it, and remarks on what became of the file.

/// What became of a part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemarkKind {
    /// The file leaves it open; the scenario needs it.
    Assumed,
    /// Taken over in another form or under another name.
    Changed,
    /// Not taken over.
    Lost,
    /// Taken over, although it can hardly be meant.
    Doubtful,
}

impl RemarkKind {
    /// The kind as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Assumed => "assumed",
            Self::Changed => "changed",
            Self::Lost => "lost",
            Self::Doubtful => "doubtful",
        }
    }
}

/// A remark on a line of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportRemark {
    /// What became of it.
    pub kind: RemarkKind,
    /// Line of the file, from 1.
    pub line: u32,
    /// What it is about; the same text for all places of one sort.
    pub what: String,
    /// The name and the values of this place; may be empty.
    pub detail: String,
    /// What to do about it; may be empty.
    pub remedy: String,
}

impl ImportRemark {
    pub(crate) fn new(
        kind: RemarkKind,
        line: u32,
        what: impl Into<String>,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            line,
            what: what.into(),
            detail: detail.into(),
            remedy: String::new(),
        }
    }

    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }
}

/// Why a file cannot be imported.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportProblem {
    /// Line of the file, from 1.
    pub line: u32,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl ImportProblem {
    pub(crate) fn new(line: u32, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            line,
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}
