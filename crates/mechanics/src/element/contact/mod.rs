//! Contact between points or balls of one body and a plane of another.

mod blocks;
mod element;
mod events;
mod geometry;
mod hold;
mod report;
mod rolling;

pub use rolling::Resistance;

use super::Moment;
use crate::body::BodyId;
use crate::frame::{Frame, Mat3, Vec3};
use bristle_laws::normal::{Indentation, Normal, NormalForce};
use bristle_laws::{Friction, MAX_STATES, Slip, Step, Tangent};
use bristle_signals::Signal;
use geometry::Relative;
use rolling::Couple;

/// Dimension of the tangent plane.
const PLANE: usize = 2;
/// Memory of a point beside the law's states: y₁, y₂ (of a ball u₁, u₂), N, impact speed, u₁, u₂;
/// then that of the hold, then that of the rolling resistance.
const OWN: usize = 6;
/// The longest memory of a point.
const MAX_MEMORY: usize = MAX_STATES + OWN + hold::MEMORY + rolling::MEMORY;

/// A plane of a body.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// The body.
    pub body: BodyId,
    /// A point of the plane, in body axes, m.
    pub point: Vec3,
    /// Columns: two tangents and the outward normal, in body axes.
    pub axes: Mat3,
}

impl Plane {
    /// The plane through `point` with the outward `normal` (body axes).
    ///
    /// The first tangent is the projection of the body's x axis (of y where x is the normal).
    pub fn new(body: BodyId, point: Vec3, normal: Vec3) -> Self {
        let n = normal.normalize();
        let guide = if n.x.abs() < 0.9 {
            Vec3::x()
        } else {
            Vec3::y()
        };
        let first = (guide - n * n.dot(&guide)).normalize();
        Self {
            body,
            point,
            axes: Mat3::from_columns(&[first, n.cross(&first), n]),
        }
    }
}

/// Where the normal force comes from.
#[derive(Clone, Debug)]
pub enum Pressing {
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

/// A contact: points of one body on a plane of another, with a normal and a friction law.
///
/// Depth and slip velocity are those of the paper: δ = −(r_A − r_P)·n with n outward from the
/// plane, the relative velocity taken in the middle of the penetration zone, both forces applied
/// there (Colantonio et al. 2022, eqs. 15–18, with the signs that belong together). Friction
/// states live in the axes of the plane and turn with it.
///
/// A ball touches the plane below its centre, wherever it has turned to; its slip is the
/// integral of the slip velocity, not a displacement of one point.
///
/// Where a mode of the friction law makes the force jump, the mode stays as it is during a step,
/// and [`Element::margin`](super::Element::margin) tells the integrator when it ends.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Name.
    pub name: String,
    /// The body that has the points.
    pub body: BodyId,
    /// The points.
    pub points: Vec<ContactPoint>,
    /// The plane.
    pub plane: Plane,
    /// The normal force.
    pub pressing: Pressing,
    /// The friction law, if there is friction.
    pub friction: Friction,
    /// Speed from which the contact counts as slipping, m/s.
    pub slip_speed: f64,
    /// Resistance to rolling and spinning.
    pub resistance: Option<Resistance>,
}

/// A contact point at one moment, in the axes of the plane.
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
}

/// Forces at a point in the axes of the plane, and their slopes.
struct Local {
    friction: [f64; 2],
    normal: NormalForce,
    tangent: Tangent<2>,
    couple: Option<Couple>,
}

impl Contact {
    fn point_memory(&self) -> usize {
        self.couple_memory() + self.resistance.as_ref().map_or(0, |_| rolling::MEMORY)
    }

    /// Where the memory of the rolling resistance begins.
    fn couple_memory(&self) -> usize {
        self.states() + OWN + self.friction.stiction().map_or(0, |_| hold::MEMORY)
    }

    fn states(&self) -> usize {
        self.friction.layout().len(PLANE)
    }

    #[inline]
    fn normal_force(&self, t: f64, relative: &Relative, impact_rate: f64) -> NormalForce {
        match &self.pressing {
            Pressing::Law(law) => law.evaluate(&Indentation {
                depth: -relative.y.z,
                rate: -relative.u.z,
                impact_rate,
            }),
            Pressing::Prescribed(signal) => NormalForce {
                force: signal.value(t).max(0.0),
                stiffness: 0.0,
                damping: 0.0,
            },
        }
    }

    /// The closing speed at touch-down: kept while the point stays in contact.
    fn impact_rate(relative: &Relative, old: f64) -> f64 {
        if relative.y.z >= 0.0 {
            0.0
        } else if old > 0.0 {
            old
        } else {
            (-relative.u.z).max(0.0)
        }
    }

    /// Forces at the end of a step, the memory there, and the slopes if wanted.
    #[inline]
    fn advance(
        &self,
        at: &Moment<'_>,
        relative: &Relative,
        (old, new): (&[f64], &mut [f64]),
        want_tangent: bool,
    ) -> Local {
        let states = self.states();
        let (z_old, own_old) = old.split_at(states);
        let (z_new, own_new) = new.split_at_mut(states);
        let impact = Self::impact_rate(relative, own_old[3]);
        let normal = self.normal_force(at.t, relative, impact);
        let velocity = [relative.u.x, relative.u.y];
        let end = Slip::new(velocity, normal.force);
        let hold = self.friction.stiction();
        let couple = self.resistance.as_ref().map(|resistance| {
            let from = self.couple_memory() - states;
            let w = self.relative_rate(at, relative);
            let loads = (own_old[2], normal.force);
            let memory = (&own_old[from..], &mut own_new[from..]);
            Self::couple(resistance, at, w, loads, memory)
        });
        let (own_old, own_new) = (
            &own_old[..self.couple_memory() - states],
            &mut own_new[..self.couple_memory() - states],
        );
        if at.step == 0.0 {
            z_new.copy_from_slice(z_old);
            own_new.copy_from_slice(own_old);
            let mut rates = [0.0; MAX_STATES];
            let friction = match hold {
                Some(hold) => self.force_now(hold, &end, &own_old[OWN..]),
                None => self.friction.rates(&end, z_old, &mut rates[..states]),
            };
            return Local {
                friction,
                normal,
                tangent: Tangent::ZERO,
                couple,
            };
        }
        let place = relative.place();
        let [x, y] = place;
        let own = [x, y, normal.force, impact, velocity[0], velocity[1]];
        own_new[..OWN].copy_from_slice(&own);
        let mean = Slip::new(
            relative.mean_velocity([own_old[0], own_old[1]], at.step),
            0.5 * (own_old[2] + normal.force),
        );
        let step = Step {
            mean,
            end,
            duration: at.step,
        };
        let law = &self.friction;
        let (friction, tangent) = match (hold, want_tangent) {
            (Some(hold), _) => self.advance_hold(hold, &step, &own_old[OWN..], &mut own_new[OWN..]),
            (None, true) if law.jumps() => law.update_in_mode_with_tangent(&step, z_old, z_new),
            (None, true) => law.update_with_tangent(&step, z_old, z_new),
            (None, false) if law.jumps() => {
                (law.update_in_mode(&step, z_old, z_new), Tangent::ZERO)
            }
            (None, false) => (law.update(&step, z_old, z_new), Tangent::ZERO),
        };
        Local {
            friction,
            normal,
            tangent,
            couple,
        }
    }

    /// A normal force to take natural sizes from: the first one prescribed, or 1 N.
    ///
    /// Laws per unit of normal force do not depend on it.
    fn typical_load(&self) -> f64 {
        match &self.pressing {
            Pressing::Prescribed(signal) if signal.value(0.0) > 0.0 => signal.value(0.0),
            _ => 1.0,
        }
    }

    /// Whether the normal force pushes the bodies apart.
    fn pushes(&self) -> f64 {
        match self.pressing {
            Pressing::Law(_) => 1.0,
            Pressing::Prescribed(_) => 0.0,
        }
    }

    /// The force on the body with the points, in the axes of the plane.
    fn local_force(&self, local: &Local) -> Vec3 {
        Vec3::new(
            -local.friction[0],
            -local.friction[1],
            self.pushes() * local.normal.force,
        )
    }

    /// ∂f/∂y and ∂f/∂u of the force on the body with the points, in the axes of the plane.
    fn local_tangent(&self, local: &Local, rolls: bool, step: f64) -> (Mat3, Mat3) {
        let NormalForce {
            stiffness, damping, ..
        } = local.normal;
        let Tangent {
            mean_velocity,
            velocity,
            mean_normal_force,
            normal_force,
        } = &local.tangent;
        let (mut by_y, mut by_u) = (Mat3::zeros(), Mat3::zeros());
        for i in 0..PLANE {
            for j in 0..PLANE {
                if rolls {
                    by_u[(i, j)] = -velocity[i][j] - 0.5 * mean_velocity[i][j];
                } else {
                    by_y[(i, j)] = -mean_velocity[i][j] / step;
                    by_u[(i, j)] = -velocity[i][j];
                }
            }
            // y_z = −δ, u_z = −dδ/dt
            let by_n = 0.5 * mean_normal_force[i] + normal_force[i];
            by_y[(i, 2)] = by_n * stiffness;
            by_u[(i, 2)] = by_n * damping;
        }
        by_y[(2, 2)] = -self.pushes() * stiffness;
        by_u[(2, 2)] = -self.pushes() * damping;
        (by_y, by_u)
    }

    /// Forces and motion at every point, at a committed moment.
    pub fn samples<'a>(
        &'a self,
        t: f64,
        frames: &'a [Frame],
        memory: &'a [f64],
    ) -> impl Iterator<Item = ContactSample> + 'a {
        let size = self.point_memory();
        self.points
            .iter()
            .zip(memory.chunks_exact(size))
            .map(move |(point, memory)| {
                let relative = self.relative(point, frames);
                let at = Moment {
                    t,
                    step: 0.0,
                    frames,
                    memory,
                };
                let mut unused = [0.0; MAX_MEMORY];
                let local = self.advance(&at, &relative, (memory, &mut unused[..size]), false);
                let [f1, f2] = local.friction;
                ContactSample {
                    friction: relative.axes * Vec3::new(f1, f2, 0.0),
                    normal_force: local.normal.force,
                    slip_velocity: relative.axes * Vec3::new(relative.u.x, relative.u.y, 0.0),
                    depth: -relative.y.z,
                }
            })
    }

    /// The largest slip speed of the points that carry load; `None` if none does.
    pub fn slip_speed_now(&self, t: f64, frames: &[Frame], memory: &[f64]) -> Option<f64> {
        let size = self.point_memory();
        let mut speed = None;
        for (point, memory) in self.points.iter().zip(memory.chunks_exact(size)) {
            let relative = self.relative(point, frames);
            let normal = self.normal_force(t, &relative, memory[self.states() + 3]);
            if normal.force > 0.0 {
                let own = relative.u.x.hypot(relative.u.y);
                speed = Some(own.max(speed.unwrap_or(0.0)));
            }
        }
        speed
    }
}
