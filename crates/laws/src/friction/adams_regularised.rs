//! `adams_regularised`: the regularised friction of Adams.
//!
//! v_d = 1.5 v_s is the rule of the joints of Adams.

use crate::kind::makers::{Maker, Regularised};

/// The regularised friction of Adams.
pub type AdamsRegularised<P = f64> = Regularised<AdamsRegularisedCard, P>;

/// The maker.
#[derive(Clone, Debug, PartialEq)]
pub enum AdamsRegularisedCard {}

impl Maker for AdamsRegularisedCard {
    const NAME: &'static str = "adams_regularised";
    const TITLE: &'static str = "Adams, regularised";
    const SOURCE: &'static str = "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2; Adams joint friction";
    const REMARKS: &'static str = "u = v/|v|: direction by the vector, size by |v|; the vector form is ours. The contact manual of Adams names the cubic STEP; the published numbers need STEP5 from -v_s to v_s. v_d defaults to 1.5 v_s, the rule of the joints of Adams.";
}
