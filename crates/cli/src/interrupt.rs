//! Ctrl-C and SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;
use crate::render;
use crate::terminal::Stream;

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

    /// Listens from now on. A signal ends the process at once with this message, and with the code
    /// of a run that was interrupted: for work that leaves nothing behind, until [`Self::wait`].
    pub(crate) fn ends_with(message: &'static str) -> Self {
        let this = Self::default();
        let writing = Arc::clone(&this.0);
        let heard = ctrlc::set_handler(move || {
            if !writing.load(Ordering::SeqCst) {
                // the line of a progress bar stays behind
                if Stream::Err.is_terminal() {
                    Stream::Err.print("\r\x1b[2K");
                }
                render::error(message, None);
                std::process::exit(i32::from(Exit::RunFailed.code()));
            }
        });
        // without a handler the signal ends the process, and nothing was written yet
        drop(heard);
        this
    }

    /// From now on signals wait for the end of the process: files are being written.
    pub(crate) fn wait(&self) {
        self.0.store(true, Ordering::SeqCst);
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
