//! `recurdyn_regularised`: the regularised friction of RecurDyn.
//!
//! The option "sliding only" of RecurDyn is μs = μk, the
//! option "stiction only" μk = μs.

use crate::kind::makers::{Maker, Regularised};

/// The regularised friction of RecurDyn.
pub type RecurDynRegularised<P = f64> = Regularised<RecurDynRegularisedCard, P>;

/// The maker.
#[derive(Clone, Debug, PartialEq)]
pub enum RecurDynRegularisedCard {}

impl Maker for RecurDynRegularisedCard {
    const NAME: &'static str = "recurdyn_regularised";
    const TITLE: &'static str = "RecurDyn, regularised";
    const SOURCE: &'static str = "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2";
    const REMARKS: &'static str = "The same curve as adams_regularised; the vector form is ours. Sliding only: set mu_s = mu_k. Stiction only: set mu_k = mu_s.";
}
