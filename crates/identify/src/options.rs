//! What a fit is asked to do, and how it reports how far it is.

use crate::Loss;

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
