//! Force elements: between frames of bodies, or on a joint coordinate.
//!
//! Every element is an [`Element`]: it has a name, energies and channels. What it acts on says one
//! of two traits, [`FrameElement`] or [`JointElement`]; elements between frames know no joints. Friction in
//! a spherical joint is neither: it has three coordinates at once ([`BallFriction`]). An element that slips is [`Frictional`] too, and has that from its
//! [`FrictionPair`](crate::FrictionPair).

mod ball_friction;
mod beam;
mod bushing;
mod cable;
mod contact;
mod force;
mod frictional;
mod input;
mod joint_controller;
mod joint_effort;
mod joint_friction;
mod joint_spring;
mod joint_stop;
mod marker;
mod model_element;
mod rotation;
mod rubbing_joint;
mod spring;

pub(crate) use ball_friction::quaternion_rate;
pub use ball_friction::{BallFriction, BallInput, BallTorque};
pub use beam::{BeamElement, BeamEnd, BeamError, BeamProperties, CrossSection, Material, Rayleigh};
pub use bushing::{Bushing, Mount};
pub use cable::Cable;
pub use contact::{
    CamProfile, Contact, ContactPoint, ContactSample, MeshCount, MeshError, MeshFindings,
    NormalForceSource, ProfileError, Resistance, Surface, SurfacePlace, SurfaceShape, TriangleMesh,
};
pub use force::{Force, Torque};
pub use frictional::{Frictional, SlipPlaces};
pub use input::{Assembly, ElementInput, JointForce, JointInput, TangentWeights, WithinStep};
pub use joint_controller::{ControllerGains, JointController};
pub use joint_effort::JointEffort;
pub use joint_friction::{JointFriction, JointLoad};
pub use joint_spring::JointSpring;
pub use joint_stop::JointStop;
pub use marker::{Marker, MarkerPlace, MarkerTarget, WeightedPoint};
pub use model_element::ModelElement;
pub use rubbing_joint::RubbingJoint;
pub use spring::{Attachment, Spring};

use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::constraint::JointOwner;
use crate::frame::Frame;
use bristle_signals::Signal;
use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;

/// A force and the coordinate it works on, for the energy ledger.
#[derive(Clone, Copy, Debug)]
pub struct WorkPair {
    /// Force or moment, N or N m.
    pub force: f64,
    /// Its coordinate, m or rad; not used if `rate_only`.
    pub coordinate: f64,
    /// The coordinate's rate.
    pub rate: f64,
    /// Whether there is no coordinate (a rotation): work is integrated from the rate.
    pub rate_only: bool,
    /// The part of the force that stores energy, of a force that only presses or only pulls.
    pub elastic: Option<ElasticPart>,
    /// Where the work goes.
    pub account: EnergyAccount,
}

/// The elastic part of a force that is held at 0 where it would change its sign.
///
/// Where damping has brought the whole force to 0 before the faces part, the elastic part acts on
/// nothing any more: the energy in it is lost.
#[derive(Clone, Copy, Debug)]
pub struct ElasticPart {
    /// The elastic force, N or N m.
    pub force: f64,
    /// The energy it has stored, J.
    pub energy: f64,
}

impl WorkPair {
    /// Whether the force is held at 0 while its elastic part is not.
    pub(crate) fn is_held(&self) -> bool {
        self.force <= 0.0 && self.elastic.is_some_and(|part| part.energy > 0.0)
    }

    /// The force without the part that stores energy.
    pub(crate) fn beyond(&self) -> f64 {
        self.force - self.elastic.map_or(0.0, |part| part.force)
    }

    /// Work over a step of length `h` from `last` to this instant, without what is stored: mean force times
    /// displacement.
    ///
    /// In a step in which the whole force comes to 0, or begins again, the stored energy goes by its exact
    /// change: the motion there is free, and steps are as long as it allows, which says nothing of how
    /// well the mean of a force follows that does not act.
    pub(crate) fn work_since(&self, last: &Self, h: f64) -> f64 {
        let displacement = if self.rate_only {
            0.5 * h * (last.rate + self.rate)
        } else {
            self.coordinate - last.coordinate
        };
        match (&last.elastic, &self.elastic) {
            (Some(before), Some(after)) if last.is_held() || self.is_held() => {
                let work = 0.5 * (last.force + self.force) * displacement;
                work - (after.energy - before.energy)
            }
            _ => 0.5 * (last.beyond() + self.beyond()) * displacement,
        }
    }
}

/// Accounts of the energy ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyAccount {
    /// Put in by loads and prescribed motions.
    Input,
    /// Taken out by dampers and friction.
    Dissipated,
}

/// What every force element has: a name, a history, energies and channels.
pub trait Element: Any + Debug + Send + Sync {
    /// `contact`, `spring`, `force`, `torque`, …
    fn kind(&self) -> &'static str;
    /// Its name.
    fn name(&self) -> &str;
    /// The bodies it acts on.
    fn bodies(&self) -> [BodyId; 2];
    /// Length of its history: what it keeps from one step to the next.
    fn history_len(&self) -> usize {
        0
    }
    /// The entries of its history that have smooth rates, which a Runge–Kutta method sums.
    fn staged(&self) -> Vec<Range<usize>> {
        Vec::new()
    }
    /// Energy stored, J, without that in friction states ([`Frictional::bristle_energy`]).
    fn stored_energy(&self, _at: &ElementInput<'_>) -> f64 {
        0.0
    }
    /// Forces and the coordinates they work on.
    fn work_pairs(&self, _at: &ElementInput<'_>, _out: &mut dyn FnMut(WorkPair)) {}
    /// Times at which its loads or their slopes jump.
    fn breakpoints(&self, end_time: f64) -> Vec<f64> {
        let signals = self.signals().into_iter();
        let times = signals.flat_map(|(_, signal)| signal.breakpoints(end_time));
        times.collect()
    }
    /// Its functions of time, by the names of their fields in a scenario.
    fn signals(&self) -> Vec<(&'static str, &Signal)> {
        Vec::new()
    }
    /// The same, to be changed.
    fn signals_mut(&mut self) -> Vec<(&'static str, &mut Signal)> {
        Vec::new()
    }
    /// The quantities it reports.
    fn channels(&self) -> Vec<ChannelInfo>;
    /// Their values, in the order of [`Element::channels`].
    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>);
    /// A number for the set of its stops that touch, made on from `seed`.
    fn touching_stops(&self, _history: &[f64], seed: u64) -> u64 {
        seed
    }
    /// Whether a stop of it begins to load between two histories.
    fn stop_begins(&self, _before: &[f64], _after: &[f64]) -> bool {
        false
    }
    /// What it has by its friction.
    fn frictional(&self) -> Option<&dyn Frictional> {
        None
    }
}

impl dyn Element {
    /// The element as one of the type `E`, if it is one.
    pub fn downcast<E: Element>(&self) -> Option<&E> {
        (self as &dyn Any).downcast_ref()
    }
}

/// A force element between frames of bodies.
pub trait FrameElement: Element {
    /// Sets the history up at the start of a run; that of `at` is empty.
    fn start(&self, _at: &ElementInput<'_>, _history: &mut [f64]) {}
    /// Wrenches at an instant, the history at its end, and tangent blocks if they are wanted.
    fn apply(&self, at: &ElementInput<'_>, history: &mut [f64], assembly: &mut dyn Assembly);
    /// Rates of the history in the continuous view.
    fn history_rates(&self, _at: &ElementInput<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
    }
    /// Takes velocities that have jumped over into the history, which starts as that of `at`.
    fn renew_motion(&self, _at: &ElementInput<'_>, _history: &mut [f64]) {}
    /// Whether it hands over [`Assembly::configuration_block`]s.
    fn has_configuration_tangent(&self) -> bool {
        false
    }
    /// Kinetic energy of an element with mass, J.
    fn kinetic_energy(&self, _frames: &[Frame]) -> f64 {
        0.0
    }
    /// All bodies whose motions it couples.
    fn coupled_bodies(&self) -> Vec<BodyId> {
        self.bodies().to_vec()
    }
}

/// A force element on a single joint coordinate.
pub trait JointElement: Element {
    /// The coordinate it acts on: the joint, and its place there.
    fn joint(&self) -> (JointOwner, usize);
    /// Sets the history up at the start of a run.
    fn start(&self, at: &JointInput<'_>, history: &mut [f64]);
    /// The force against the coordinate, the history at the end, and the slope if wanted.
    fn apply(
        &self,
        at: &JointInput<'_>,
        history: &mut [f64],
        weights: Option<TangentWeights>,
    ) -> JointForce;
    /// Takes a rate of the coordinate that has jumped over into the history.
    fn renew_motion(&self, _rate: f64, _history: &mut [f64]) {}
    /// Takes coordinate and rate of an instant within a step over into the history there, which lies on a
    /// straight line between the histories at the ends. Friction has a path of its own
    /// ([`Frictional::history_between`]).
    fn follow(&self, _at: &WithinStep<'_>, _history: &mut [f64]) {}
    /// Rates of the history in the continuous view.
    fn history_rates(&self, _at: &JointInput<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
    }
}
