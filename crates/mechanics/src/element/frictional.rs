//! What an element has by its friction.

use super::{Element, ElementInput};
use crate::friction_pair::{HistoryEnd, StepFraction};
use crate::natural_sizes::NaturalSizes;
use bristle_integrate::SlipState;

/// Where the points of a contact are in its plane, or a joint in its slip, m; none for one without load.
pub type SlipPlaces = Vec<Option<[f64; 3]>>;

/// An element with friction pairs.
pub trait Frictional: Element {
    /// Natural sizes, where its law has them.
    fn natural_sizes(&self) -> Option<NaturalSizes>;
    /// Natural sizes of the entries of a history under its loads; 0 for entries without error
    /// control.
    fn history_scales(&self, history: &[f64], scales: &mut [f64]);
    /// What the path of the history within a step needs of a committed instant at one of its ends: the rates
    /// of the states, and what else its element knows there. Other entries of `end` stay.
    fn history_end(&self, at: &ElementInput<'_>, end: &mut [f64]);
    /// The history within a step; `rates` of its ends are those of [`Frictional::history_end`].
    fn history_between(&self, ends: &[HistoryEnd<'_>; 2], at: StepFraction, history: &mut [f64]);
    /// The part of the stored energy that is in friction states, J: the work of
    /// [`Element::work_pairs`] puts it in and takes it out.
    fn bristle_energy(&self, at: &ElementInput<'_>) -> f64;
    /// Whether its law may hold bodies by a spring without damping.
    fn has_bare_springs(&self) -> bool;
    /// Whether a force or the history jumps where a mode changes.
    fn has_modes(&self) -> bool;
    /// How far its modes are from their ends: 1 is far, below 0 one has ended.
    fn mode_margin(&self, at: &ElementInput<'_>) -> f64;
    /// Changes the modes that have ended; `history` starts as that of `at`.
    fn change_mode(&self, at: &ElementInput<'_>, history: &mut [f64]);
    /// The fraction of a step of `duration` s between two histories at which it should be cut,
    /// because the slip reverses there and the law would miss more than `tolerated` (m).
    fn reversal(&self, duration: f64, tolerated: f64, before: &[f64], after: &[f64])
    -> Option<f64>;
    /// A number for the set of its pairs that touch, made on from `seed`.
    fn touching(&self, _history: &[f64], seed: u64) -> u64 {
        seed
    }
    /// Whether a law of normal force begins to load a pair between two histories.
    fn load_begins(&self, _before: &[f64], _after: &[f64]) -> bool {
        false
    }
    /// The slip of its loaded pairs, for step rules that look at it.
    fn slip_states(&self, at: &ElementInput<'_>, each: &mut dyn FnMut(SlipState));
    /// The speed from which it counts as slipping, m/s.
    fn slip_threshold(&self) -> f64;
    /// The largest slip speed of its loaded pairs, m/s; `None` if none is loaded.
    fn slip_speed(&self, at: &ElementInput<'_>) -> Option<f64>;
    /// The largest friction over normal force of its loaded pairs; `None` if none is loaded.
    fn coefficient(&self, at: &ElementInput<'_>) -> Option<f64>;
    /// Where its loaded pairs are.
    fn slip_places(&self, at: &ElementInput<'_>) -> SlipPlaces;
}
