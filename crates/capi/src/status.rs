//! The outcome of a call.

use std::cell::RefCell;
use std::ffi::{CString, c_char};

use bristle_laws::ParameterError;
use bristle_scenario::{Diagnostics, Severity, SourceMap};
#[cfg(feature = "scenarios")]
use bristle_study::SessionError;

/// The status of a call, as `bristle.h` numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum CallStatus {
    /// A name that is not known.
    UnknownName = 1,
    /// A value that a law or a scenario refuses.
    Parameter = 2,
    /// A wrong argument.
    Argument = 3,
    /// A number that is not finite.
    NotFinite = 4,
    /// A run that cannot go on.
    Failed = 5,
    /// A buffer that is too small.
    Room = 6,
    /// A fault of Bristle.
    Internal = 7,
}

/// Why a call fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct CallError {
    /// Its kind.
    pub status: CallStatus,
    /// The reason in words.
    pub text: String,
}

impl CallError {
    pub(crate) fn new(status: CallStatus, text: impl Into<String>) -> Self {
        Self {
            status,
            text: text.into(),
        }
    }

    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(CallStatus::Argument, text)
    }

    /// The first error of the reader, with its place.
    pub(crate) fn diagnosed(all: &Diagnostics, sources: &SourceMap) -> Self {
        let mut errors = all.iter().filter(|own| own.severity == Severity::Error);
        let Some(error) = errors.next() else {
            return Self::new(CallStatus::Parameter, "it cannot be read");
        };
        let place = error.labels.first().and_then(|label| {
            let source = sources.get(label.span.source)?;
            let at = source.position(label.span.start);
            Some(format!("{}:{}:{}: ", source.name(), at.line, at.column))
        });
        let help = error.help.as_ref();
        let help = help.map_or(String::new(), |help| format!("; {help}"));
        let place = place.unwrap_or_default();
        Self::new(
            CallStatus::Parameter,
            format!("{place}{}{help}", error.message),
        )
    }
}

impl From<ParameterError> for CallError {
    fn from(error: ParameterError) -> Self {
        let status = match error {
            ParameterError::UnknownLaw { .. } => CallStatus::UnknownName,
            _ => CallStatus::Parameter,
        };
        Self::new(status, error.to_string())
    }
}

#[cfg(feature = "scenarios")]
impl From<SessionError> for CallError {
    fn from(error: SessionError) -> Self {
        let status = match error {
            SessionError::Unknown { .. } => CallStatus::UnknownName,
            SessionError::NotFinite { .. } => CallStatus::NotFinite,
            SessionError::Failed(_) | SessionError::Stopped { .. } => CallStatus::Failed,
            _ => CallStatus::Argument,
        };
        Self::new(status, error.to_string())
    }
}

thread_local! {
    /// Belongs to the thread that made the call, as errno does.
    static LAST: RefCell<CString> = RefCell::default();
}

/// Keeps the reason for [`last`]; gives the status of the call.
pub(crate) fn keep(error: &CallError) -> i32 {
    let text = CString::new(error.text.replace('\0', " ")).unwrap_or_default();
    LAST.with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = text;
        }
    });
    error.status as i32
}

/// The reason of the last failure of this thread.
pub(crate) fn last() -> *const c_char {
    LAST.with(|last| last.try_borrow().map_or(c"".as_ptr(), |last| last.as_ptr()))
}
