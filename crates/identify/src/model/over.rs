//! The numbers of a model where they act, as numbers of any kind.

use bristle_laws::{Friction, ParameterError, Scalar};

use super::{Acting, FitModel};

/// What [`Acting`] holds with numbers of the type `P`: f64 for a force, dual for its derivatives.
pub(crate) struct ActingOver<'a, P> {
    /// The same as plain numbers.
    pub(crate) plain: &'a Acting,
    /// Number of states of the law.
    pub(crate) count: usize,
    pub(crate) law: Option<Friction<P>>,
    pub(crate) mass: P,
    pub(crate) offset: P,
    pub(crate) gravity: P,
    pub(crate) phase: P,
    pub(crate) preload: P,
    pub(crate) gap: P,
    pub(crate) closing: P,
    pub(crate) transmitted: P,
    pub(crate) drag: (P, P),
}

impl<'a> ActingOver<'a, f64> {
    /// The numbers themselves.
    pub(crate) fn of(plain: &'a Acting) -> Self {
        let law = plain.law.as_ref();
        // a law is made of its own numbers, and so cannot be refused
        let law = law.and_then(|law| law.with_parameters(&mut |_, _, x| x).ok());
        Self {
            plain,
            count: count(plain),
            law,
            mass: plain.mass,
            offset: plain.offset,
            gravity: plain.gravity,
            phase: plain.phase,
            preload: plain.preload,
            gap: plain.gap,
            closing: plain.closing,
            transmitted: plain.transmitted,
            drag: plain.drag,
        }
    }
}

fn count(plain: &Acting) -> usize {
    plain.law.as_ref().map_or(0, |law| law.layout().len(1))
}

impl<P: Scalar> ActingOver<'_, P> {
    /// Whether a term acts, or would with another value of its number.
    pub(crate) fn acts(term: P) -> bool {
        term.value() != 0.0 || !term.is_constant()
    }
}

impl FitModel {
    /// The parameters `p` where they act; `plain` are their values.
    ///
    /// # Errors
    /// If a law refuses them.
    pub(crate) fn acting_over<'a, P: Scalar>(
        &self,
        p: &[P],
        plain: &'a Acting,
    ) -> Result<ActingOver<'a, P>, ParameterError> {
        let law = plain.law.as_ref().map(|law| {
            law.with_parameters(&mut |field, element, x| self.number(p, (field, element), x))
        });
        let term = |name: &str, value: f64| {
            let found = self
                .parameters
                .iter()
                .position(|q| q.field.is_none() && q.name == name);
            found.map_or(P::from_f64(value), |i| p[i])
        };
        let backward_drag = if self.terms.asymmetric {
            "drag_negative"
        } else {
            "drag"
        };
        Ok(ActingOver {
            plain,
            count: count(plain),
            law: law.transpose()?,
            mass: term("mass", plain.mass),
            offset: term("offset", plain.offset),
            gravity: term("gravity", plain.gravity),
            phase: term("gravity_angle", plain.phase),
            preload: term("preload", plain.preload),
            gap: term("gap", plain.gap),
            closing: term("closing_force", plain.closing),
            transmitted: term("load_share", plain.transmitted),
            drag: (
                term("drag", plain.drag.0),
                term(backward_drag, plain.drag.1),
            ),
        })
    }

    /// The number of a field of the law whose value is `x`: a parameter, or what the law has by
    /// itself.
    fn number<P: Scalar>(&self, p: &[P], field: (&str, usize), x: f64) -> P {
        let known = self.parameters.iter().position(|q| {
            q.field.is_some_and(|(_, element)| {
                let card = self.card_of(q).filter(|_| !q.negative);
                let name = card.map_or(&*q.name, |card| &*card.name);
                element == field.1 && name == field.0
            })
        });
        known
            .map(|i| p[i])
            .filter(|p| p.value().is_finite())
            .unwrap_or(P::from_f64(x))
    }
}
