//! Ctrl-C, SIGTERM, and the signal of a file that grows past a limit.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::exit::Exit;
use crate::render;
use crate::terminal::Stream;

/// What a signal does. Signals reach the process as a whole, and so does this.
static ON_SIGNAL: OnSignal = OnSignal {
    requested: AtomicBool::new(false),
    answer: AtomicU8::new(END),
    message: OnceLock::new(),
};

/// Ends the process at once: nothing is lost yet.
const END: u8 = 0;
/// Asks the run to stop after the present step; the second signal ends the process.
const ASK: u8 = 1;
/// Waits for the end of the process: files are being written.
const WAIT: u8 = 2;

struct OnSignal {
    requested: AtomicBool,
    answer: AtomicU8,
    message: OnceLock<&'static str>,
}

impl OnSignal {
    fn hear(&self) {
        let again = self.requested.swap(true, Ordering::SeqCst);
        match self.answer.load(Ordering::SeqCst) {
            END => {
                Stream::Err.clear_line();
                render::error(*self.message.get().unwrap_or(&"interrupted"), None);
            }
            ASK if again => {}
            _ => return,
        }
        std::process::exit(i32::from(Exit::RunFailed.code()));
    }
}

/// Takes the signals from the first moment on, so that none ends the process by its default.
pub(crate) fn prepare() {
    // without a handler a signal ends the process, and the rows so far stay in their file
    drop(ctrlc::set_handler(|| ON_SIGNAL.hear()));
    ignore_file_size_limit();
}

/// A file that reaches the limit of its size is then an error of the write, with a place.
#[cfg(unix)]
fn ignore_file_size_limit() {
    let flag = std::sync::Arc::new(AtomicBool::new(false));
    drop(signal_hook::flag::register(libc::SIGXFSZ, flag));
}

#[cfg(not(unix))]
fn ignore_file_size_limit() {}

/// Whether the user wants the run to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interrupt(());

impl Interrupt {
    /// From now on the first signal asks the run to stop after the present step, so that what was
    /// computed is kept; the second one ends the process.
    pub(crate) fn listen() -> Self {
        ON_SIGNAL.answer.store(ASK, Ordering::SeqCst);
        Self(())
    }

    /// From now on a signal ends the process at once with this message, and with the code of a run
    /// that was interrupted: for work that leaves nothing behind, until [`Self::wait`].
    pub(crate) fn ends_with(message: &'static str) -> Self {
        // a command calls this once
        let _ = ON_SIGNAL.message.set(message);
        ON_SIGNAL.answer.store(END, Ordering::SeqCst);
        Self(())
    }

    /// From now on signals wait for the end of the process: files are being written.
    #[allow(clippy::unused_self, reason = "only who listens may ask for it")]
    pub(crate) fn wait(self) {
        ON_SIGNAL.answer.store(WAIT, Ordering::SeqCst);
    }

    /// What is set when a signal comes.
    #[allow(clippy::unused_self, reason = "only who listens may ask for it")]
    pub(crate) fn flag(self) -> &'static AtomicBool {
        &ON_SIGNAL.requested
    }

    /// Whether a signal came.
    pub(crate) fn requested(self) -> bool {
        self.flag().load(Ordering::Relaxed)
    }
}
