//! What friction in joints has in common, of one coordinate or of three.

use super::{BallFriction, Element, JointFriction, JointLoad};
use crate::constraint::JointOwner;
use bristle_laws::Friction;

/// A joint with friction, as those see it who do not ask how many coordinates slide.
#[derive(Clone, Copy, Debug)]
pub struct RubbingJoint<'m> {
    /// Name.
    pub name: &'m str,
    /// The joint it is in.
    pub joint: JointOwner,
    /// The law.
    pub law: Option<&'m Friction>,
    /// Catalogue name of the law, or `none`.
    pub law_name: &'m str,
    /// The load.
    pub load: &'m JointLoad,
    /// Friction radius of a rotation, m.
    pub radius: Option<f64>,
    /// Speed from which the joint counts as slipping, m/s.
    pub slip_speed: f64,
}

impl<'m> RubbingJoint<'m> {
    /// Of an element, if it is one.
    pub fn of(element: &'m dyn Element) -> Option<Self> {
        if let Some(own) = element.downcast::<JointFriction>() {
            return Some(Self {
                name: &own.name,
                joint: own.joint,
                law: own.friction.law(),
                law_name: own.friction.law_name(),
                load: &own.load,
                radius: own.radius,
                slip_speed: own.slip_speed,
            });
        }
        let own = element.downcast::<BallFriction>()?;
        Some(Self {
            name: &own.name,
            joint: own.joint,
            law: own.friction.law(),
            law_name: own.friction.law_name(),
            load: &own.load,
            radius: Some(own.radius),
            slip_speed: own.slip_speed,
        })
    }
}
