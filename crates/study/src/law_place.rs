//! Where a scenario has friction laws: in contacts and in joints.

use bristle_laws::Friction;
use bristle_mechanics::Model;
use bristle_results::PairKind;

/// A contact or a joint with its friction law.
#[derive(Clone, Debug)]
pub(crate) struct LawPlace {
    pub(crate) kind: PairKind,
    pub(crate) name: String,
    /// Points of a contact; a joint has one pair of faces.
    pub(crate) points: usize,
    /// Speed from which it slips, m/s.
    pub(crate) slip_speed: f64,
    /// Friction radius of a joint that turns, m.
    pub(crate) radius: Option<f64>,
    pub(crate) law: Friction,
}

impl LawPlace {
    /// All of a model, contacts first.
    pub(crate) fn all(model: &Model) -> Vec<Self> {
        let contacts = model.contacts().filter_map(|contact| {
            Some(Self {
                kind: PairKind::Contact,
                name: contact.name.clone(),
                points: contact.points.len(),
                slip_speed: contact.slip_speed,
                radius: None,
                law: contact.friction.law()?.clone(),
            })
        });
        let joints = model.rubbing_joints().filter_map(|joint| {
            Some(Self {
                kind: PairKind::Joint,
                name: joint.name.to_owned(),
                points: 1,
                slip_speed: joint.slip_speed,
                radius: joint.radius,
                law: joint.law?.clone(),
            })
        });
        contacts.chain(joints).collect()
    }

    /// Its section of the scenario, as `contact.base` and `joint_friction.pin`.
    pub(crate) fn path(&self) -> String {
        format!("{}.{}", self.kind.section(), self.name)
    }

    /// The channel with its load, N.
    pub(crate) fn load_channel(&self) -> String {
        let load = match self.kind {
            PairKind::Contact => "normal_force",
            PairKind::Joint => "load",
        };
        format!("{}.{load}", self.path())
    }

    /// Whether it has this path.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        self.path() == path
    }
}
