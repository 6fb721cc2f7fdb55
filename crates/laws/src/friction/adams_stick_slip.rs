//! `adams_stick_slip`: the stick–slip friction of Adams.

use crate::kind::makers::{Maker, StickSlip};

/// The stick–slip friction of Adams.
pub type AdamsStickSlip<P = f64> = StickSlip<AdamsStickSlipCard, P>;

/// The maker.
#[derive(Clone, Debug, PartialEq)]
pub enum AdamsStickSlipCard {}

impl Maker for AdamsStickSlipCard {
    const NAME: &'static str = "adams_stick_slip";
    const TITLE: &'static str = "Adams, stick-slip";
    const SOURCE: &'static str = "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), eqs. 2-5";
    const REMARKS: &'static str = "The same law as recurdyn_stick_slip, which prints the opposite sign. Vector form, bound and reset of x are ours.";
}
