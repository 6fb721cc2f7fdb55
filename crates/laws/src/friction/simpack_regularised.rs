//! `simpack_regularised`: the regularised friction of Simpack.

use crate::kind::makers::{Maker, Regularised, StepShape};

/// The regularised friction of Simpack.
pub type SimpackRegularised<P = f64> = Regularised<SimpackRegularisedCard, P>;

/// The maker.
#[derive(Clone, Debug, PartialEq)]
pub enum SimpackRegularisedCard {}

impl Maker for SimpackRegularisedCard {
    const NAME: &'static str = "simpack_regularised";
    const TITLE: &'static str = "Simpack, regularised";
    const SOURCE: &'static str = "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2";
    const REMARKS: &'static str = "u = v/|v|; the vector form is ours. Less steep at rest than STEP5 (pi/2 against 15/8): it creeps faster.";
    const SHAPE: StepShape = StepShape::Sine;
}
