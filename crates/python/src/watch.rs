//! Ctrl-C and progress while the interpreter is let go.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Signals are looked at this often: fast enough that Ctrl-C seems immediate.
pub(crate) const PERIOD: Duration = Duration::from_millis(50);

/// Looks at signals and reports progress from the thread that called from Python.
pub(crate) struct Watcher {
    progress: Option<Py<PyAny>>,
    last: Instant,
    /// Why the computation should end.
    pub(crate) raised: Option<PyErr>,
}

impl Watcher {
    /// A watcher; `progress` is called with what is done and all there is to do.
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Self {
        Self {
            progress,
            last: Instant::now(),
            raised: None,
        }
    }

    /// Looks, if it is time to; whether the computation may go on. Called without the interpreter.
    pub(crate) fn goes_on(&mut self, done: f64, total: f64) -> bool {
        if self.raised.is_some() {
            return false;
        }
        if self.last.elapsed() < PERIOD {
            return true;
        }
        self.last = Instant::now();
        self.look(done, total)
    }

    /// Looks now.
    pub(crate) fn look(&mut self, done: f64, total: f64) -> bool {
        let looked = Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(progress) => progress.call1(py, (done, total)).map(|_| ()),
                None => Ok(()),
            }
        });
        match looked {
            Ok(()) => true,
            Err(raised) => {
                self.raised = Some(raised);
                false
            }
        }
    }
}
