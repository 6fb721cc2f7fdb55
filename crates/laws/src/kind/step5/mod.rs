//! The laws that Adams and RecurDyn share: the same curves with STEP5 under the name of each maker.

mod regularised;
mod stick_slip;

pub use regularised::{Step5Regularised, Step5RegularisedParameters};
pub use stick_slip::{Step5StickSlip, Step5StickSlipParameters};

use std::fmt::Debug;

/// What the card of a law of one maker says of its own.
pub trait Maker: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Catalogue name of the law.
    const NAME: &'static str;
    /// Title for people.
    const TITLE: &'static str;
    /// Paper and place.
    const SOURCE: &'static str;
    /// Remarks.
    const REMARKS: &'static str;
}
