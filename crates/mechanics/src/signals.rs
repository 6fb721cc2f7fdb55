//! The functions of time of a model: loads of its elements, motions of its driven coordinates.

use crate::body::{Body, BodyId, Joint};
use crate::element::Element;
use crate::joint::{Coordinate, JointStep};
use crate::model::Model;
use bristle_signals::Signal;

/// A joint coordinate that is driven, and its motion.
#[derive(Clone, Copy, Debug)]
pub struct DrivenCoordinate<'a> {
    /// Place among the driven coordinates of the model, for [`Model::set_drive_signal`].
    pub place: usize,
    /// The body whose joint it is in.
    pub body: BodyId,
    /// Place among the single coordinates of the joint.
    pub coordinate: usize,
    /// Whether it is an angle (rad), not a displacement (m).
    pub turns: bool,
    /// The motion.
    pub signal: &'a Signal,
}

impl Model {
    /// The motions of driven joint coordinates.
    pub fn drive_signals(&self) -> impl Iterator<Item = DrivenCoordinate<'_>> {
        self.joints.drives.iter().enumerate().map(|(place, drive)| {
            let step = &self.joints.of_body[drive.body][drive.step];
            DrivenCoordinate {
                place,
                body: BodyId(drive.body),
                coordinate: drive.step,
                turns: matches!(step, JointStep::Turn(..)),
                signal: self.drive_signal(place),
            }
        })
    }

    /// Replaces the motion of a driven joint coordinate; `false` if there is none at that place.
    ///
    /// A motion that is a constant 0 has no channels: put it in before they are listed.
    pub fn set_drive_signal(&mut self, place: usize, signal: &Signal) -> bool {
        self.change_drive(place, &mut |own| own.clone_from(signal))
    }

    /// A force element, to change its functions of time ([`Element::signals_mut`]).
    pub fn element_mut(&mut self, element: usize) -> Option<&mut dyn Element> {
        self.elements.get_mut(element).map(|element| &mut **element)
    }

    /// Gives all harmonics of loads and motions this frequency of order 1 (Hz, positive), or takes
    /// it away.
    pub fn set_frequency(&mut self, frequency: Option<f64>) {
        for element in &mut self.elements {
            for (_, signal) in element.signals_mut() {
                signal.set_frequency(frequency);
            }
        }
        for place in 0..self.joints.drives.len() {
            self.change_drive(place, &mut |signal| signal.set_frequency(frequency));
        }
    }

    /// A motion is kept with its body and with the step of its joint.
    fn change_drive(&mut self, place: usize, change: &mut dyn FnMut(&mut Signal)) -> bool {
        let Some(drive) = self.joints.drives.get(place).copied() else {
            return false;
        };
        if let Some(own) = driven_mut(&mut self.bodies[drive.body], drive.step) {
            change(own);
        }
        if let JointStep::Slide(_, Coordinate::Driven { signal, .. })
        | JointStep::Turn(_, Coordinate::Driven { signal, .. }) =
            &mut self.joints.of_body[drive.body][drive.step]
        {
            change(signal);
        }
        true
    }
}

fn driven_mut(body: &mut Body, coordinate: usize) -> Option<&mut Signal> {
    if let Joint::Prescribed(motion) = &mut body.joint {
        return Some(if coordinate == 0 {
            &mut motion.displacement
        } else {
            &mut motion.angle
        });
    }
    let mut drives = body.drives.iter_mut();
    let found = drives.find(|(place, _)| *place == coordinate);
    found.map(|(_, signal)| signal)
}
