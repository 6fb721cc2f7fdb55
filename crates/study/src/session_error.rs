//! Why a run that is taken step by step cannot do what it is asked.

use bristle_results::RunFailure;
use bristle_scenario::suggest;

/// Why a session cannot do what it is asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// There is no such input or channel.
    #[error("there is no {kind} \"{name}\"{}", hint(meant.as_deref()))]
    Unknown {
        /// `input` or `channel`.
        kind: &'static str,
        /// The name.
        name: String,
        /// A question for what was probably meant.
        meant: Option<String>,
    },
    /// An input that is not a number.
    #[error("{name} = {value} {unit}: expected a finite number")]
    NotFinite {
        /// The input.
        name: String,
        /// Its value.
        value: f64,
        /// Its unit.
        unit: &'static str,
    },
    /// A time before the present one, or none.
    #[error("cannot step to t = {t} s: the session is at t = {now} s; expected a later time")]
    Backwards {
        /// The time that was asked for, s.
        t: f64,
        /// The present time, s.
        now: f64,
    },
    /// A time after the end of the scenario.
    #[error(
        "cannot step to t = {t} s: the scenario ends at t = {end} s; raise simulation.end_time"
    )]
    BeyondEnd {
        /// The time that was asked for, s.
        t: f64,
        /// The end, s.
        end: f64,
    },
    /// The run has failed.
    #[error("{}", with_help(.0))]
    Failed(Box<RunFailure>),
    /// The observer ended a step on its way.
    #[error("the step was stopped at t = {t} s")]
    Stopped {
        /// The time that was reached, s.
        t: f64,
    },
    /// Bytes that are no state of this session.
    #[error("cannot restore this state: {0}")]
    State(&'static str),
}

fn hint(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; {meant}"))
}

fn with_help(failure: &RunFailure) -> String {
    let help = failure.help.as_ref();
    let help = help.map_or_else(String::new, |help| format!("; {help}"));
    format!("{}{help}", failure.message)
}

/// A name that is not among those there are.
pub(crate) fn unknown<'n>(
    kind: &'static str,
    name: &str,
    names: impl Iterator<Item = &'n str>,
) -> SessionError {
    SessionError::Unknown {
        kind,
        name: name.to_owned(),
        meant: suggest::did_you_mean(name, names),
    }
}
