//! `recurdyn_stick_slip`: the stick–slip friction of RecurDyn.

use crate::kind::makers::{Maker, StickSlip};

/// The stick–slip friction of RecurDyn.
pub type RecurDynStickSlip<P = f64> = StickSlip<RecurDynStickSlipCard, P>;

/// The maker.
#[derive(Clone, Debug, PartialEq)]
pub enum RecurDynStickSlipCard {}

impl Maker for RecurDynStickSlipCard {
    const NAME: &'static str = "recurdyn_stick_slip";
    const TITLE: &'static str = "RecurDyn, stick-slip";
    const SOURCE: &'static str = "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), eqs. 2-5";
    const REMARKS: &'static str = "The same law as adams_stick_slip, which prints the opposite sign. Vector form, bound and reset of x are ours.";
}
