//! What a scenario simulates, in words.

use bristle_integrate::{Control, GeneralisedAlpha, Method, Plan};
use bristle_laws::Friction;
use bristle_mechanics::element::{Contact, Element, JointLoad, NormalForceSource, RubbingJoint};
use bristle_mechanics::{Body, Joint, Model};
use bristle_results::{PairKind, format_quantity};
use bristle_units::number_of;

/// Bodies, degrees of freedom, contacts and joints with their laws and the method, in one phrase.
pub(crate) fn phrase(model: &Model, plan: &Plan) -> String {
    let bodies = model.bodies().len().saturating_sub(1);
    let mut parts = vec![
        number_of(bodies, "body", "bodies"),
        number_of(
            degrees_of_freedom(model),
            "degree of freedom",
            "degrees of freedom",
        ),
    ];
    let all: Vec<&Contact> = contacts(model).collect();
    let alike = all.chunk_by(|a, b| contact_phrase(a) == contact_phrase(b));
    parts.extend(alike.flat_map(several));
    let joint =
        |joint: RubbingJoint<'_>| format!("joint {} ({})", joint.name, joint_phrase(&joint));
    parts.extend(model.rubbing_joints().map(joint));
    format!("{}; {}", parts.join(", "), method(plan))
}

/// Contacts that are alike: each by its name, or all at once if they are many.
fn several(alike: &[&Contact]) -> Vec<String> {
    const MANY: usize = 4;
    let one = |contact: &Contact| contact_phrase(contact);
    if let [first, .., last] = alike
        && alike.len() > MANY
    {
        let (count, what) = (alike.len(), one(first));
        return vec![format!(
            "{count} contacts {} to {} ({what} each)",
            first.name, last.name
        )];
    }
    let named = alike.iter();
    named
        .map(|contact| format!("contact {} ({})", contact.name, one(contact)))
        .collect()
}

/// The contacts of a model.
pub(crate) fn contacts(model: &Model) -> impl Iterator<Item = &Contact> {
    model.contacts()
}

/// The friction laws of a model by their paths, as `contact.base` and `joint_friction.pin`.
pub(crate) fn friction_laws(model: &Model) -> impl Iterator<Item = (String, &Friction)> {
    let of_contacts = model.contacts().filter_map(|contact| {
        let path = format!("{}.{}", PairKind::Contact.section(), contact.name);
        Some((path, contact.friction.law()?))
    });
    let of_joints = model.rubbing_joints().filter_map(|joint| {
        let path = format!("{}.{}", PairKind::Joint.section(), joint.name);
        Some((path, joint.law?))
    });
    of_contacts.chain(of_joints)
}

/// Degrees of freedom of a model: those of its joints less independent constraints of loops.
pub(crate) fn degrees_of_freedom(model: &Model) -> usize {
    let of_joints: usize = model.bodies().iter().map(Body::dofs).sum();
    of_joints.saturating_sub(model.constraints())
}

/// Points and laws of a contact.
pub(crate) fn contact_phrase(contact: &Contact) -> String {
    let points = number_of(contact.points.len(), "point", "points");
    let friction = match contact.friction.law() {
        Some(_) => friction_law(contact),
        None => "smooth",
    };
    format!("{points}, {friction} with {}", normal_law(contact))
}

/// Law and load of a joint with friction.
pub(crate) fn joint_phrase(joint: &RubbingJoint<'_>) -> String {
    let load = match joint.load {
        JointLoad::Given(_) => "given load",
        JointLoad::Reaction { .. } => "its reaction as load",
    };
    format!("{} with {load}", joint.law_name)
}

/// Catalogue name of a contact's friction law.
pub(crate) fn friction_law(contact: &Contact) -> &str {
    contact.friction.law_name()
}

/// Catalogue name of a contact's normal law, or that its normal force is prescribed.
pub(crate) fn normal_law(contact: &Contact) -> &'static str {
    match &contact.normal {
        NormalForceSource::Law(law) => law.card().name,
        NormalForceSource::Prescribed(_) => "prescribed normal force",
    }
}

/// The joint of a body as a scenario names it.
pub(crate) fn joint(joint: &Joint) -> &'static str {
    match joint {
        Joint::Fixed => "fixed",
        Joint::Revolute { .. } => "revolute",
        Joint::Prismatic { .. } => "prismatic",
        Joint::Cylindrical { .. } => "cylindrical",
        Joint::Planar { .. } => "planar",
        Joint::Translational => "point",
        Joint::Universal { .. } => "universal",
        Joint::Spherical => "spherical",
        Joint::Free => "free",
        Joint::Prescribed(_) => "prescribed",
    }
}

/// The method, its tolerance and its steps.
pub(crate) fn method(plan: &Plan) -> String {
    let name = match plan.method {
        Method::Esdirk4 => "ESDIRK4".to_owned(),
        Method::NEWMARK => "Newmark".to_owned(),
        // one method by either name
        method if method == Method::generalised_alpha(0.5) => {
            "generalised-α (ρ = 0.5; HHT with α = 1/3)".to_owned()
        }
        Method::GeneralisedAlpha(GeneralisedAlpha {
            alpha_m, alpha_f, ..
        }) if alpha_m.abs() < f64::EPSILON => format!("HHT (α = {alpha_f})"),
        // α_f = ρ/(1 + ρ)
        Method::GeneralisedAlpha(GeneralisedAlpha { alpha_f, .. }) => {
            format!("generalised-α (ρ = {:.3})", alpha_f / (1.0 - alpha_f))
        }
    };
    let steps = match plan.control {
        Control::Fixed { step } => format!("steps of {}", format_quantity(step, "s")),
        Control::Adaptive { max_step, .. } => {
            format!("steps up to {}", format_quantity(max_step, "s"))
        }
        Control::Halving { max_step, .. } => {
            let longest = format_quantity(max_step, "s");
            format!("steps in powers of two up to {longest}")
        }
        Control::Slip { max_step, .. } => {
            let longest = format_quantity(max_step, "s");
            format!("steps from the slip speed up to {longest}")
        }
    };
    format!("{name}, tolerance {:e}, {steps}", plan.tolerance)
}

/// Kind and name of the elements that are no contacts.
pub(crate) fn loads(model: &Model) -> impl Iterator<Item = &dyn Element> {
    let elements = model.elements().iter().map(|element| &**element);
    elements.filter(|element| element.downcast::<Contact>().is_none())
}
