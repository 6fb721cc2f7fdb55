//! Why a call of an importer is refused.

use bristle_study::SessionError;

/// How bad it is, as FMI grades it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FmiStatus {
    /// Done.
    Ok,
    /// Done, with a remark in the log.
    Warning,
    /// Not done; another step, or other values, may be possible.
    Discard,
    /// Not done: the call or its values are wrong.
    Error,
    /// The instance is of no use any more.
    Fatal,
}

impl FmiStatus {
    /// Its number in both versions of FMI.
    pub fn code(self) -> i32 {
        match self {
            Self::Ok => 0,
            Self::Warning => 1,
            Self::Discard => 2,
            Self::Error => 3,
            Self::Fatal => 4,
        }
    }

    /// The log category of both versions of FMI.
    pub fn category(self) -> &'static str {
        match self {
            Self::Ok => "logAll",
            Self::Warning => "logStatusWarning",
            Self::Discard => "logStatusDiscard",
            Self::Error => "logStatusError",
            Self::Fatal => "logStatusFatal",
        }
    }
}

/// Why a call is refused, in one sentence for the log of the importer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct FmuError {
    /// How bad it is.
    pub status: FmiStatus,
    /// The reason.
    pub text: String,
}

impl FmuError {
    /// A wrong call, or wrong values.
    pub fn wrong(text: impl Into<String>) -> Self {
        Self {
            status: FmiStatus::Error,
            text: text.into(),
        }
    }

    /// A step, or values, that cannot be had.
    pub fn discard(text: impl Into<String>) -> Self {
        Self {
            status: FmiStatus::Discard,
            text: text.into(),
        }
    }
}

impl From<SessionError> for FmuError {
    /// What a run cannot do is no fault of the importer.
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Failed(_)
            | SessionError::BeyondEnd { .. }
            | SessionError::Stopped { .. } => Self::discard(error.to_string()),
            _ => Self::wrong(error.to_string()),
        }
    }
}
