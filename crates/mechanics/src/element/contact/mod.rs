//! Contact between points or balls of one body and a surface of another.

mod blocks;
mod cam;
mod carried;
mod element;
mod frictional;
mod geometry;
mod history;
mod mesh;
mod place;
mod report;
mod rolling;
mod surface;

pub use cam::{CamProfile, ProfileError};
pub use mesh::{MeshCount, MeshError, MeshFindings, TriangleMesh};
pub use place::SurfacePlace;
pub use rolling::Resistance;
pub use surface::{Surface, SurfaceShape};

use super::{ElementInput, TangentWeights};
use crate::body::BodyId;
use crate::frame::{Mat3, Vec3};
use crate::friction_pair::{FrictionPair, PairForce, PairStep};
use bristle_laws::Slip;
use bristle_laws::normal::{Indentation, Normal, NormalForce};
use bristle_signals::Signal;
use geometry::{PointPast, Relative};
use history::PointHistoryMut;
use rolling::{AngularSlip, Couple};

/// Dimension of the tangent plane.
const PLANE: usize = 2;

/// Where the normal force comes from.
#[derive(Clone, Debug)]
pub enum NormalForceSource {
    /// A normal-force law: the bodies press on each other by indentation.
    Law(Normal),
    /// A normal force per point as a function of time; it feeds friction alone.
    Prescribed(Signal),
}

/// A point of a contact, or a ball.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Position of the point or of the centre of the ball in body axes, m.
    pub position: Vec3,
    /// Radius of the ball, m; 0 for a point.
    pub radius: f64,
}

impl ContactPoint {
    /// A point.
    pub fn new(position: Vec3) -> Self {
        Self {
            position,
            radius: 0.0,
        }
    }

    /// A ball.
    pub fn ball(centre: Vec3, radius: f64) -> Self {
        Self {
            position: centre,
            radius,
        }
    }

    /// Whether different points of the body come into contact as it turns.
    fn rolls(&self) -> bool {
        self.radius > 0.0
    }
}

/// A contact: points of one body on a surface of another, with a normal and a friction law.
///
/// On a plane depth and slip velocity are those of the paper: δ = −(r_A − r_P)·n with n outward from the
/// plane, the relative velocity taken in the middle of the penetration zone, both forces applied
/// there (Colantonio et al. 2022, eqs. 15–18, with the signs that belong together). Friction
/// states live in the axes of the plane and turn with it.
///
/// A ball touches the surface below its centre, wherever it has turned to; its slip is the
/// integral of the slip velocity, not a displacement of one point.
///
/// On a curved surface the depth is that of the signed distance, the slip is the velocity of both
/// material points at the contact, and friction states live in tangents that the normal carries
/// along the surface by parallel transport in the frame of its body. The slip is always the
/// integral of the slip velocity there.
///
/// Where a mode of the friction law makes the force jump, the mode stays as it is during a step,
/// and [`Frictional::mode_margin`](super::Frictional::mode_margin) reports when it ends.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Name.
    pub name: String,
    /// The body that has the points.
    pub body: BodyId,
    /// The points.
    pub points: Vec<ContactPoint>,
    /// The surface.
    pub surface: Surface,
    /// The normal force.
    pub normal: NormalForceSource,
    /// Friction of every point; [`FrictionPair::SMOOTH`] of a smooth contact.
    pub friction: FrictionPair<PLANE>,
    /// Speed from which the contact counts as slipping, m/s.
    pub slip_speed: f64,
    /// Resistance to rolling and spinning.
    pub resistance: Option<Resistance>,
}

/// A contact point at one instant.
#[derive(Clone, Copy, Debug)]
pub struct ContactSample {
    /// Friction force along the slip (the moving body feels its opposite), N, world axes.
    pub friction: Vec3,
    /// Normal force, N.
    pub normal_force: f64,
    /// Slip velocity, world axes, m/s.
    pub slip_velocity: Vec3,
    /// Depth, m.
    pub depth: f64,
    /// Moment of the rolling resistance along the rolling (the moving body feels its opposite), N m, world axes.
    pub rolling_moment: Vec3,
    /// Moment of the spinning resistance along the spinning about the normal, N m.
    pub spinning_moment: f64,
}

/// Forces at a point in its tangents and the normal, with their derivatives.
struct PointForce {
    friction: PairForce<PLANE>,
    normal: NormalForce,
    couple: Option<Couple>,
}

/// Derivatives of the force at a point in its tangents and the normal.
struct PointTangent {
    /// By the position of the point, N/m.
    by_position: Mat3,
    /// By its velocity, N s/m.
    by_velocity: Mat3,
}

impl Contact {
    #[inline]
    fn normal_force(&self, t: f64, relative: &Relative, impact_rate: f64) -> NormalForce {
        match &self.normal {
            NormalForceSource::Law(law) => law.evaluate(&Indentation {
                depth: relative.depth(),
                rate: -relative.gamma.z,
                impact_rate,
            }),
            NormalForceSource::Prescribed(signal) => NormalForce {
                force: signal.value(t).max(0.0),
                stiffness: 0.0,
                damping: 0.0,
            },
        }
    }

    /// The closing speed at touch-down: kept while the point stays in contact.
    fn impact_rate(relative: &Relative, old: f64) -> f64 {
        if relative.g.z >= 0.0 {
            0.0
        } else if old > 0.0 {
            old
        } else {
            (-relative.gamma.z).max(0.0)
        }
    }

    /// Slip velocity and normal force of a point with its history as it is.
    fn slip(&self, at: &ElementInput<'_>, relative: &Relative, history: &[f64]) -> Slip<f64, 2> {
        let impact = self.split(history).impact_rate;
        let normal = self.normal_force(at.t, relative, impact);
        Slip::new(relative.slip_velocity(), normal.force)
    }

    /// Forces at the end of a step, the history there, and derivatives if they are wanted.
    #[inline]
    fn advance(
        &self,
        at: &ElementInput<'_>,
        relative: &Relative,
        new: &mut [f64],
        wants_tangent: bool,
    ) -> PointForce {
        if at.step == 0.0 {
            new.copy_from_slice(at.history);
            return self.point_force(at, relative);
        }
        let old = self.split(at.history);
        let gap = relative.g.z;
        let impact = if old.gap >= 0.0 && gap < 0.0 {
            // a step that goes through an impact ends with another speed than that of the touch-down
            ((old.gap - gap) / at.step).max(-relative.gamma.z)
        } else {
            Self::impact_rate(relative, old.impact_rate)
        };
        let normal = self.normal_force(at.t, relative, impact);
        let PointHistoryMut {
            impact_rate,
            gap: new_gap,
            beyond,
            tangent,
            pair,
            couple,
        } = self.split_mut(new);
        if let Some(place) = &relative.curved {
            place.carried.write(tangent);
        }
        (*impact_rate, *new_gap) = (impact, gap);
        beyond.copy_from_slice(&relative.beyond);
        let step = PairStep {
            end: Slip::new(relative.slip_velocity(), normal.force),
            displacement: (!relative.rolls).then(|| relative.position()),
            beyond: std::array::from_fn(|i| 0.5 * (old.beyond[i] + relative.beyond[i])),
            duration: at.step,
            stage: at.stage,
        };
        PointForce {
            friction: self.friction.advance(&step, old.pair, pair, wants_tangent),
            normal,
            couple: self.resistance.as_ref().map(|resistance| {
                let slip = AngularSlip::new(self.angular_velocity(at, relative), normal.force);
                resistance.advance(&slip, at, old.couple, couple)
            }),
        }
    }

    /// Forces with the history as it is.
    fn point_force(&self, at: &ElementInput<'_>, relative: &Relative) -> PointForce {
        let history = self.split(at.history);
        let impact = Self::impact_rate(relative, history.impact_rate);
        let normal = self.normal_force(at.t, relative, impact);
        let slip = Slip::new(relative.slip_velocity(), normal.force);
        PointForce {
            friction: PairForce::alone(self.friction.force(&slip, history.pair)),
            normal,
            couple: self.resistance.as_ref().map(|resistance| {
                let slip = AngularSlip::new(self.angular_velocity(at, relative), normal.force);
                resistance.at_once(&slip, history.couple)
            }),
        }
    }

    /// A normal force to take natural sizes from: the first one prescribed, or 1 N.
    ///
    /// Laws per unit of normal force do not depend on it.
    fn typical_load(&self) -> f64 {
        match &self.normal {
            NormalForceSource::Prescribed(signal) if signal.value(0.0) > 0.0 => signal.value(0.0),
            _ => 1.0,
        }
    }

    /// Whether the normal force pushes the bodies apart.
    pub fn pushes(&self) -> bool {
        matches!(self.normal, NormalForceSource::Law(_))
    }

    /// The force on the body with the points, in the tangents and the normal.
    fn local_force(&self, point: &PointForce) -> Vec3 {
        let [x, y] = point.friction.force;
        let normal = if self.pushes() {
            point.normal.force
        } else {
            0.0
        };
        Vec3::new(-x, -y, normal)
    }

    /// The derivatives of that force, for weights of the tangent and a step of `duration` s.
    ///
    /// Where displacements and velocities are asked for apart, a machine is linearised about a rest:
    /// there the slip of a ball is a displacement, too.
    fn local_tangent(
        &self,
        point: &PointForce,
        weights: TangentWeights,
        duration: f64,
    ) -> PointTangent {
        let mut tangent = self.step_tangent(point);
        if (weights.damping == 0.0) != (weights.stiffness == 0.0) {
            for i in 0..PLANE {
                for j in 0..PLANE {
                    let mean = point.friction.by_mean_velocity[i][j];
                    tangent.by_position[(i, j)] -= mean / duration;
                    tangent.by_velocity[(i, j)] += 0.5 * mean;
                }
            }
        }
        tangent
    }

    /// The derivatives of that force in a step.
    fn step_tangent(&self, point: &PointForce) -> PointTangent {
        let PairForce {
            by_displacement,
            by_velocity: by_slip,
            by_normal_force,
            ..
        } = &point.friction;
        let NormalForce {
            stiffness, damping, ..
        } = point.normal;
        let (mut by_position, mut by_velocity) = (Mat3::zeros(), Mat3::zeros());
        for i in 0..PLANE {
            for j in 0..PLANE {
                by_position[(i, j)] = -by_displacement[i][j];
                by_velocity[(i, j)] = -by_slip[i][j];
            }
            // g_z = −δ, γ_z = −dδ/dt
            by_position[(i, 2)] = by_normal_force[i] * stiffness;
            by_velocity[(i, 2)] = by_normal_force[i] * damping;
        }
        if self.pushes() {
            by_position[(2, 2)] = -stiffness;
            by_velocity[(2, 2)] = -damping;
        }
        PointTangent {
            by_position,
            by_velocity,
        }
    }

    /// Every point with its relative motion and its part of the input's history.
    fn each_point<'a>(
        &'a self,
        at: &'a ElementInput<'_>,
    ) -> impl Iterator<Item = (Relative, ElementInput<'a>)> {
        let histories = at.history.chunks_exact(self.point_history_len());
        let points = self.points.iter().zip(histories);
        points.map(|(point, history)| {
            let step = at.step;
            let relative = self.relative(point, at.frames, PointPast { history, step });
            (relative, ElementInput { history, ..*at })
        })
    }

    /// Forces and motion at every point, at a committed instant.
    pub fn samples<'a>(
        &'a self,
        at: &'a ElementInput<'_>,
    ) -> impl Iterator<Item = ContactSample> + 'a {
        self.each_point(at)
            .map(|(relative, at)| self.sample_point(&at, &relative))
    }

    fn sample_point(&self, at: &ElementInput<'_>, relative: &Relative) -> ContactSample {
        let force = self.point_force(at, relative);
        let world = |[x, y]: [f64; 2]| relative.axes * Vec3::new(x, y, 0.0);
        let couple = force.couple.as_ref();
        let against = couple.map_or_else(Vec3::zeros, |couple| -couple.moment);
        ContactSample {
            friction: world(force.friction.force),
            normal_force: force.normal.force,
            slip_velocity: world(relative.slip_velocity()),
            depth: relative.depth(),
            rolling_moment: world([against.x, against.y]),
            spinning_moment: against.z,
        }
    }
}
