//! Contacts whose prescribed load leaves out the weight that presses their body.

use bristle_mechanics::element::{Contact, NormalForceSource};
use bristle_mechanics::{Body, BodyId, Joint, Model};
use bristle_results::format_quantity;

/// A weight that is a smaller part of the prescribed load, or differs from it by less, is no news.
const NEAR: f64 = 0.05;

/// A sentence for each such contact. A body that carries others, or lies on a contact that presses by its depth,
/// is left out: what presses it is not its weight alone.
pub(super) fn notes(model: &Model) -> Vec<String> {
    let state = model.start();
    let frames = model.frames(state.t, &state.q, &state.v, &state.a);
    let note = |contact: &Contact| {
        let NormalForceSource::Prescribed(signal) = &contact.normal else {
            return None;
        };
        let body = alone(model, contact.body)?;
        let surface = frames.get(contact.surface.body.index())?;
        let normal = surface.r * contact.surface.axes.column(2);
        let weight = -body.inertia.mass * model.gravity().dot(&normal);
        let given = signal.value(state.t) * contact.points.len() as f64;
        let larger = weight.max(given);
        if !contact.surface.is_plane()
            || weight <= NEAR * given
            || (weight - given).abs() <= NEAR * larger
        {
            return None;
        }
        let then = if matches!(body.joint, Joint::Free | Joint::Translational) {
            "nothing carries it, and it falls"
        } else {
            "its joint carries that"
        };
        Some(format!(
            "contact {}: the normal force is prescribed ({}), so that the weight of {} on its plane ({}) makes no \
             friction; {then}. A law of normal force takes the load from the motion",
            contact.name,
            format_quantity(given, "N"),
            body.name,
            format_quantity(weight, "N"),
        ))
    };
    model.contacts().filter_map(note).collect()
}

/// The body, if it carries no other and no contact presses it.
fn alone(model: &Model, body: BodyId) -> Option<&Body> {
    let index = body.index();
    let own = model.bodies().get(index).filter(|_| index > 0)?;
    let mut others = model.bodies().iter().skip(1);
    let carries = others.any(|other| other.parent.index() == index);
    let pressed = model.contacts().any(|contact| {
        let on = [contact.body, contact.surface.body];
        contact.pushes() && on.iter().any(|one| one.index() == index)
    });
    (!carries && !pressed).then_some(own)
}
