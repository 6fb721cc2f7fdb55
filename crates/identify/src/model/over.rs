//! The numbers of a model where they act, as numbers of any kind.

use bristle_laws::{Friction, ParameterError, Scalar};

use super::{Acting, FitModel};

/// What [`Acting`] holds with numbers of the type `P`: f64 for a force, dual for its derivatives.
pub(crate) struct ActingOver<'a, P> {
    /// The same as plain numbers.
    pub(crate) plain: &'a Acting,
    /// Number of states of the law.
    pub(crate) count: usize,
    pub(crate) forward: Option<Friction<P>>,
    pub(crate) backward: Option<Friction<P>>,
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
        let same = |law: &Option<Friction>| {
            let law = law.as_ref()?;
            // a law is made of its own numbers, and so cannot be refused
            law.with_parameters(&mut |_, _, x| x).ok()
        };
        Self {
            plain,
            count: count(plain),
            forward: same(&plain.forward),
            backward: same(&plain.backward),
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
    plain.forward.as_ref().map_or(0, |law| law.layout().len(1))
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
        let law = |law: &Option<Friction>, negative: bool| {
            let law = law.as_ref();
            law.map(|law| {
                law.with_parameters(&mut |field, element, x| {
                    self.number(p, (field, element), negative, x)
                })
            })
            .transpose()
        };
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
            forward: law(&plain.forward, false)?,
            backward: law(&plain.backward, true)?,
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
    fn number<P: Scalar>(&self, p: &[P], field: (&str, usize), negative: bool, x: f64) -> P {
        let of = |wanted: bool| {
            self.parameters.iter().position(|q| {
                let own = q.field.filter(|_| q.negative == wanted);
                own.is_some_and(|(_, element)| {
                    element == field.1 && self.card_of(q).is_some_and(|card| card.name == field.0)
                })
            })
        };
        let own = if negative { of(true) } else { None };
        let known = own.or_else(|| of(false)).map(|i| p[i]);
        known
            .filter(|p| p.value().is_finite())
            .unwrap_or(P::from_f64(x))
    }
}
