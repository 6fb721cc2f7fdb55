//! `adams_regularised`: the regularised friction of Adams.
//!
//! Its text is that of `step5_regularised`; v_d = 1.5 v_s is the rule of the joints of Adams.

use crate::step5_laws::step5_regularised;

step5_regularised! {
    AdamsRegularised, AdamsRegularisedParameters, "Adams",
    name: "adams_regularised",
    title: "Adams, regularised",
    source: "Schuderer, Rill, Schaeffer, Schulz (Friction Modeling from a Practical Point of View), section 2; Adams joint friction",
    remarks: "u = v/|v|: direction by the vector, size by |v|; the vector form is ours. The contact manual of Adams names the cubic STEP; the published numbers need STEP5 from -v_s to v_s. v_d defaults to 1.5 v_s, the rule of the joints of Adams.",
}
