//! How the command ends.

/// The meaning of the exit code of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done.
    Done,
    /// 1: the run failed or was interrupted.
    RunFailed,
    /// 2: bad input; nothing was written.
    BadInput,
    /// 3: the run is complete and an expectation of the scenario was missed.
    ExpectationMissed,
}

impl Exit {
    /// The number.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::RunFailed => 1,
            Self::BadInput => 2,
            Self::ExpectationMissed => 3,
        }
    }
}
