//! `recurdyn_regularised`: the regularised friction of RecurDyn.
//!
//! Its text is that of `step5_regularised`. The option "sliding only" of RecurDyn is μs = μk, the
//! option "stiction only" μk = μs.

use crate::step5_laws::step5_regularised;

step5_regularised! {
    RecurDynRegularised, RecurDynRegularisedParameters, "RecurDyn",
    name: "recurdyn_regularised",
    title: "RecurDyn, regularised",
    source: "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2",
    remarks: "The same curve as adams_regularised; the vector form is ours. Sliding only: set mu_s = mu_k. Stiction only: set mu_k = mu_s.",
}
