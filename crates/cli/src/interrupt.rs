//! Ctrl-C and SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

/// Whether the user wants the run to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. The first signal asks the run to stop after the present step, so that
    /// what was computed is kept; the second one ends the process.
    pub(crate) fn listen() -> Self {
        let this = Self::default();
        let flag = Arc::clone(&this.0);
        let heard = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::SeqCst) {
                std::process::exit(i32::from(Exit::RunFailed.code()));
            }
        });
        // without a handler the signal ends the process, and the rows so far stay in their file
        drop(heard);
        this
    }

    /// What is set when a signal comes.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether a signal came.
    pub(crate) fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
