//! `adams_stick_slip`: the stick–slip friction of Adams.
//!
//! Its text is that of `step5_stick_slip`.

use crate::step5_laws::step5_stick_slip;

step5_stick_slip! {
    AdamsStickSlip, AdamsStickSlipParameters, "Adams",
    name: "adams_stick_slip",
    title: "Adams, stick-slip",
    remarks: "The same law as recurdyn_stick_slip, which prints the opposite sign. Vector form, bound and reset of x are ours.",
}
