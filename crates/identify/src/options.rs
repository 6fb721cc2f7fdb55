//! What a fit is asked to do, and how it reports how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Error, Loss};

/// What the fit is asked to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The loss.
    pub loss: Loss,
    /// Points of the search for starting values.
    pub draws: u32,
    /// Starts that are followed to their optimum.
    pub starts: usize,
    /// Most iterations of each.
    pub iterations: u64,
    /// Whether a global method looks for an optimum too.
    pub global: bool,
    /// Whether intervals by profile likelihood are computed too.
    pub profile: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            loss: Loss::Squares,
            draws: 240,
            starts: 6,
            iterations: 80,
            global: false,
            profile: false,
        }
    }
}

/// How far a fit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, in a word or two.
    pub stage: &'static str,
    /// Parts of it that are done.
    pub done: usize,
    /// All parts of it.
    pub of: usize,
}

/// Called with how far a fit is, from any thread.
pub type Watch<'a> = dyn Fn(Progress) + Sync + 'a;

/// How a fit is watched, ended and spread over threads.
#[derive(Clone, Copy)]
pub struct FitControl<'a> {
    /// Hears of every stage.
    pub watch: &'a Watch<'a>,
    /// Ends the fit soon after it has become true.
    pub stop: &'a StopFlag,
    /// Number of threads; none takes all processors. The result does not depend on it.
    pub jobs: Option<usize>,
    /// Computes the parts of the fit elsewhere; none computes them here. The result does not depend
    /// on it.
    pub executor: Option<&'a dyn FitExecutor>,
}

/// Has the parts of a fit computed: in other processes, on other machines.
pub trait FitExecutor: Sync {
    /// The outcomes of parts, in their order: what [`compute_part`](crate::compute_part) makes of each.
    ///
    /// # Errors
    /// If a part cannot be computed; [`Error::Stopped`] if the fit was stopped meanwhile.
    fn compute(&self, parts: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Error>;
}

impl std::fmt::Debug for FitControl<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FitControl")
            .field("stop", self.stop)
            .field("jobs", &self.jobs)
            .field("executor", &self.executor.is_some())
            .finish_non_exhaustive()
    }
}

/// Ends a computation from another thread.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks the computation to end.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    /// [`Error::Stopped`] if it was asked to end.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_set() {
            return Err(Error::Stopped);
        }
        Ok(())
    }
}

impl FitControl<'_> {
    /// Runs on threads of its own, which end with it: a process that forks later finds none that
    /// another thread holds.
    pub(crate) fn on_threads<R: Send>(
        &self,
        run: impl FnOnce() -> Result<R, Error> + Send,
    ) -> Result<R, Error> {
        let threads = self.jobs.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        match pool {
            Ok(pool) => pool.install(run),
            // no threads to be had: the caller's alone
            Err(_) => run(),
        }
    }
}
