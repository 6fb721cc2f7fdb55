//! `recurdyn_stick_slip`: the stick–slip friction of RecurDyn.
//!
//! Its text is that of `step5_stick_slip`.

use crate::step5_laws::step5_stick_slip;

step5_stick_slip! {
    RecurDynStickSlip, RecurDynStickSlipParameters, "RecurDyn",
    name: "recurdyn_stick_slip",
    title: "RecurDyn, stick-slip",
    remarks: "The same law as adams_stick_slip, which prints the opposite sign. Vector form, bound and reset of x are ours.",
}
