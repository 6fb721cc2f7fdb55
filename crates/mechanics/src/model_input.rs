//! What may be given to a model from outside while it runs: loads and prescribed motions.

use crate::model::Model;
use crate::record::{coordinate_names, is_reported};
use bristle_signals::Signal;

/// A function of time of a model that may be replaced while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInput {
    /// Name: of a load the path of its field, of a prescribed motion that of its channel of speed.
    pub name: String,
    /// SI unit of what is given.
    pub unit: &'static str,
    /// What it is.
    pub meaning: String,
    place: InputPlace,
}

/// Where the function of time stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputPlace {
    /// The load of an element.
    Load(usize),
    /// The motion of a driven coordinate.
    Motion(usize),
}

impl ModelInput {
    /// Whether it is a motion: its function of time is a displacement or an angle, what is given is
    /// the rate of it.
    pub fn is_motion(&self) -> bool {
        matches!(self.place, InputPlace::Motion(_))
    }
}

impl Model {
    /// All functions of time that may be replaced.
    pub fn inputs(&self) -> Vec<ModelInput> {
        let loads = self.elements.iter().enumerate().filter_map(|(i, element)| {
            let signals = element.signals();
            let [(field, _)] = signals[..] else {
                return None;
            };
            let name = element.name();
            let (section, unit, what) = match element.kind() {
                "force" => ("force", "N", "magnitude of the force"),
                "torque" => ("torque", "N m", "magnitude of the torque"),
                "contact" => ("contact", "N", "normal force per point of the contact"),
                "joint_torque" => ("joint_torque", "N m", "torque on the joint"),
                "joint_force" => ("joint_force", "N", "force on the joint"),
                _ => ("joint_friction", "N", "load on the friction of the joint"),
            };
            // of a contact it stands in the table of its normal force
            let table = if section == "contact" { "normal." } else { "" };
            Some(ModelInput {
                name: format!("{section}.{name}.{table}{field}"),
                unit,
                meaning: format!("{what} {name}"),
                place: InputPlace::Load(i),
            })
        });
        let motions = self.drive_signals().filter_map(|drive| {
            let body = &self.bodies[drive.body.0];
            if !is_reported(body, drive.coordinate) {
                return None;
            }
            let [_, rate] = coordinate_names(&body.joint).get(drive.coordinate)?;
            Some(ModelInput {
                name: format!("joint.{}.{rate}", body.name),
                unit: if drive.turns { "rad/s" } else { "m/s" },
                meaning: format!("speed of the prescribed motion of {}", body.name),
                place: InputPlace::Motion(drive.place),
            })
        });
        loads.chain(motions).collect()
    }

    /// The function of time of an input.
    pub fn input_signal(&self, input: &ModelInput) -> Option<&Signal> {
        match input.place {
            InputPlace::Load(element) => {
                let signals = self.elements.get(element)?.signals();
                signals.first().map(|(_, signal)| *signal)
            }
            InputPlace::Motion(place) => {
                (place < self.joints.drives.len()).then(|| self.drive_signal(place))
            }
        }
    }

    /// Replaces the function of time of an input.
    pub fn replace_input(&mut self, input: &ModelInput, signal: Signal) {
        match input.place {
            InputPlace::Load(element) => {
                if let Some(element) = self.element_mut(element)
                    && let Some((_, own)) = element.signals_mut().into_iter().next()
                {
                    *own = signal;
                }
            }
            InputPlace::Motion(place) => {
                self.set_drive_signal(place, &signal);
            }
        }
    }
}
