//! Contact between points of one body and a plane of another.

mod report;

use super::{Account, Conjugate, Element, Moment, Sink};
use crate::body::BodyId;
use crate::frame::{Frame, Mat3, Mat6, Vec3, cross};
use bristle_laws::normal::{Indentation, Normal, NormalForce};
use bristle_laws::{Friction, MAX_STATES, Slip, Step, Tangent};
use bristle_signals::Signal;

/// Dimension of the tangent plane.
const PLANE: usize = 2;
/// Memory of a point beside the law's states: y₁, y₂, N, impact speed.
const OWN: usize = 4;

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

/// A point of a contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// Position in body axes, m.
    pub position: Vec3,
}

/// A contact: points of one body on a plane of another, with a normal and a friction law.
///
/// Depth and slip velocity are those of the paper: δ = −(r_A − r_P)·n with n outward from the
/// plane, the relative velocity taken in the middle of the penetration zone, both forces applied
/// there (Colantonio et al. 2022, eqs. 15–18, with the signs that belong together). Friction
/// states live in the axes of the plane and turn with it.
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

/// Geometry and relative motion of a point.
struct Relative {
    /// Tangents and normal, world axes.
    axes: Mat3,
    /// Coordinates of the point in the axes of the plane, m.
    y: Vec3,
    /// Relative velocity at the middle of the penetration zone, in the axes of the plane, m/s.
    u: Vec3,
    /// From the origins of both bodies to the middle of the penetration zone, world axes, m.
    arm_a: Vec3,
    arm_b: Vec3,
}

/// Forces at a point in the axes of the plane, and their slopes.
struct Local {
    friction: [f64; 2],
    normal: NormalForce,
    tangent: Tangent<2>,
}

impl Contact {
    fn point_memory(&self) -> usize {
        self.friction.layout().len(PLANE) + OWN
    }

    fn states(&self) -> usize {
        self.friction.layout().len(PLANE)
    }

    #[inline]
    fn relative(&self, point: &ContactPoint, frames: &[Frame]) -> Relative {
        let (a, b) = (&frames[self.body.0], &frames[self.plane.body.0]);
        let axes = if self.plane.body == BodyId::GROUND {
            self.plane.axes
        } else {
            b.r * self.plane.axes
        };
        let arm = a.r * point.position;
        let origin = b.r * self.plane.point;
        let place = a.p + arm;
        let y = axes.tr_mul(&(place - b.p - origin));
        let normal: Vec3 = axes.column(2).into();
        let half = 0.5 * (-y.z).max(0.0);
        let arm_a = arm + normal * half;
        let arm_b = a.p + arm_a - b.p;
        let velocity = a.velocity_at(&arm_a) - b.velocity_at(&arm_b);
        Relative {
            axes,
            y,
            u: axes.tr_mul(&velocity),
            arm_a,
            arm_b,
        }
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
        if at.step == 0.0 {
            z_new.copy_from_slice(z_old);
            own_new.copy_from_slice(own_old);
            let mut rates = [0.0; MAX_STATES];
            let friction = self.friction.rates(&end, z_old, &mut rates[..states]);
            return Local {
                friction,
                normal,
                tangent: Tangent::ZERO,
            };
        }
        own_new.copy_from_slice(&[relative.y.x, relative.y.y, normal.force, impact]);
        // the slip of the step is the displacement in the plane: in stick a bristle follows it
        let slipped = [relative.y.x - own_old[0], relative.y.y - own_old[1]];
        let mean = Slip::new(
            slipped.map(|s| s / at.step),
            0.5 * (own_old[2] + normal.force),
        );
        let step = Step {
            mean,
            end,
            duration: at.step,
        };
        if want_tangent {
            let (friction, tangent) = self.friction.update_with_tangent(&step, z_old, z_new);
            Local {
                friction,
                normal,
                tangent,
            }
        } else {
            let friction = self.friction.update(&step, z_old, z_new);
            Local {
                friction,
                normal,
                tangent: Tangent::ZERO,
            }
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
    fn local_tangent(&self, local: &Local, step: f64) -> (Mat3, Mat3) {
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
                by_y[(i, j)] = -mean_velocity[i][j] / step;
                by_u[(i, j)] = -velocity[i][j];
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
                let mut unused = [0.0; MAX_STATES + OWN];
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

/// The tangent blocks of a contact: derivatives of the wrenches by displacement, rotation and
/// their rates, already weighted.
struct Blocks {
    aa: Mat6,
    ab: Mat6,
    ba: Mat6,
    bb: Mat6,
}

/// The weighted slopes of a point's force in world axes.
struct Slopes {
    /// k ∂f/∂y + c ∂f/∂u.
    d: Mat3,
    /// k ∂f/∂u: velocities also turn with the bodies.
    e: Mat3,
    /// k f.
    force: Vec3,
}

impl Blocks {
    const ZERO: Self = Self {
        aa: ZERO6,
        ab: ZERO6,
        ba: ZERO6,
        bb: ZERO6,
    };

    /// Adds a point. With ξ the displacement and rotation θ of a body, in the plane's axes
    ///
    /// δy = ξ_A + θ_A × a − ξ_B − θ_B × b,
    /// δu = (rates alike) + ω_A × (θ_A × a) − ω_B × (ξ_A + θ_A × a − ξ_B) − θ_B × u,
    ///
    /// the force turns with the plane (θ_B × f) and the arms turn with the point.
    fn add(&mut self, r: &Relative, slopes: &Slopes, [w_a, w_b]: [&Vec3; 2], both: bool) {
        let (arm_a, arm_b) = (cross(&r.arm_a), cross(&r.arm_b));
        let Slopes { d, e, force } = slopes;
        let (turn_a, turn_b) = (e * cross(w_a), e * cross(w_b));
        let f = cross(force);
        let xa = d - turn_b;
        let ta = -(d + turn_a - turn_b) * arm_a;
        add_rows(&mut self.aa, &xa, &ta, &arm_a);
        add_moment(&mut self.aa, &Mat3::zeros(), &(f * arm_a));
        if !both {
            return;
        }
        let u: Vec3 = r.axes * r.u;
        let (xb, tb) = (-xa, d * arm_b + e * cross(&u) - f);
        add_rows(&mut self.ab, &xb, &tb, &arm_a);
        add_rows(&mut self.ba, &-xa, &-ta, &arm_b);
        add_rows(&mut self.bb, &-xb, &-tb, &arm_b);
        add_moment(&mut self.ba, &f, &(-f * arm_a));
        add_moment(&mut self.bb, &-f, &Mat3::zeros());
    }
}

const ZERO6: Mat6 = Mat6::from_array_storage(nalgebra::ArrayStorage([[0.0; 6]; 6]));

/// Rows of force and moment (arm × force) of ∂f/∂(x, θ).
fn add_rows(block: &mut Mat6, x: &Mat3, theta: &Mat3, arm: &Mat3) {
    let (mx, mt) = (arm * x, arm * theta);
    for j in 0..3 {
        for i in 0..3 {
            block[(i, j)] += x[(i, j)];
            block[(i, j + 3)] += theta[(i, j)];
            block[(i + 3, j)] += mx[(i, j)];
            block[(i + 3, j + 3)] += mt[(i, j)];
        }
    }
}

fn add_moment(block: &mut Mat6, x: &Mat3, theta: &Mat3) {
    for j in 0..3 {
        for i in 0..3 {
            block[(i + 3, j)] += x[(i, j)];
            block[(i + 3, j + 3)] += theta[(i, j)];
        }
    }
}

impl Element for Contact {
    fn kind(&self) -> &'static str {
        "contact"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn memory(&self) -> usize {
        self.points.len() * self.point_memory()
    }

    fn start(&self, t: f64, frames: &[Frame], memory: &mut [f64]) {
        let (size, states) = (self.point_memory(), self.states());
        for (point, memory) in self.points.iter().zip(memory.chunks_exact_mut(size)) {
            let relative = self.relative(point, frames);
            let impact = Self::impact_rate(&relative, 0.0);
            let normal = self.normal_force(t, &relative, impact).force;
            let slip = Slip::new([relative.u.x, relative.u.y], normal);
            self.friction.start(&slip, &mut memory[..states]);
            memory[states..].copy_from_slice(&[relative.y.x, relative.y.y, normal, impact]);
        }
    }

    fn apply(&self, at: &Moment<'_>, memory: &mut [f64], sink: &mut dyn Sink) {
        let size = self.point_memory();
        let weights = sink.weights();
        let both = sink.moves(self.plane.body);
        let zero = Vec3::zeros();
        let (mut force, mut moment_a, mut moment_b) = (zero, zero, zero);
        let mut blocks = Blocks::ZERO;
        let w = [&at.frames[self.body.0].w, &at.frames[self.plane.body.0].w];
        let turns = w.iter().any(|w| **w != zero);
        let pairs = at
            .memory
            .chunks_exact(size)
            .zip(memory.chunks_exact_mut(size));
        for (point, (old, new)) in self.points.iter().zip(pairs) {
            let relative = self.relative(point, at.frames);
            let local = self.advance(at, &relative, (old, new), weights.is_some());
            let f = relative.axes * self.local_force(&local);
            force += f;
            moment_a += relative.arm_a.cross(&f);
            if both {
                moment_b += relative.arm_b.cross(&f);
            }
            if let Some(weights) = weights.filter(|_| at.step > 0.0) {
                let (by_y, by_u) = self.local_tangent(&local, at.step);
                let turn = |m: Mat3| relative.axes * m * relative.axes.transpose();
                let slopes = Slopes {
                    d: turn(by_y * weights.stiffness + by_u * weights.damping),
                    e: if turns {
                        turn(by_u * weights.stiffness)
                    } else {
                        Mat3::zeros()
                    },
                    force: f * weights.stiffness,
                };
                blocks.add(&relative, &slopes, w, both);
            }
        }
        sink.wrench(self.body, &force, &moment_a);
        if both {
            sink.wrench(self.plane.body, &-force, &-moment_b);
        }
        if weights.is_some() {
            sink.block(self.body, self.body, &blocks.aa);
            if both {
                sink.block(self.body, self.plane.body, &blocks.ab);
                sink.block(self.plane.body, self.body, &blocks.ba);
                sink.block(self.plane.body, self.plane.body, &blocks.bb);
            }
        }
    }

    fn stored(&self, t: f64, frames: &[Frame], memory: &[f64]) -> f64 {
        let elastic = match &self.pressing {
            Pressing::Law(law) => self.points.iter().fold(0.0, |sum, point| {
                sum + law.stored_energy(-self.relative(point, frames).y.z)
            }),
            Pressing::Prescribed(_) => 0.0,
        };
        elastic + self.held(t, frames, memory)
    }

    fn held(&self, t: f64, frames: &[Frame], memory: &[f64]) -> f64 {
        let (size, states) = (self.point_memory(), self.states());
        let points = self.points.iter().zip(memory.chunks_exact(size));
        points.fold(0.0, |sum, (point, memory)| {
            let normal = self.normal_force(t, &self.relative(point, frames), memory[states + 3]);
            sum + self
                .friction
                .stored_energy::<PLANE>(normal.force, &memory[..states])
        })
    }

    fn conjugates(&self, t: f64, frames: &[Frame], memory: &[f64], out: &mut dyn FnMut(Conjugate)) {
        let (size, states) = (self.point_memory(), self.states());
        for (point, memory) in self.points.iter().zip(memory.chunks_exact(size)) {
            let r = self.relative(point, frames);
            let at = Moment {
                t,
                step: 0.0,
                frames,
                memory,
            };
            let mut unused = [0.0; MAX_STATES + OWN];
            let local = self.advance(&at, &r, (memory, &mut unused[..size]), false);
            let mut give = |force, coordinate, rate| {
                let account = Account::Dissipated;
                out(Conjugate {
                    force,
                    coordinate,
                    rate,
                    rate_only: false,
                    account,
                });
            };
            give(local.friction[0], r.y.x, r.u.x);
            give(local.friction[1], r.y.y, r.u.y);
            if let Pressing::Law(law) = &self.pressing {
                // what the normal force does beyond its elastic part
                let at_rest = Indentation {
                    depth: -r.y.z,
                    rate: 0.0,
                    impact_rate: memory[states + 3],
                };
                give(
                    local.normal.force - law.evaluate(&at_rest).force,
                    -r.y.z,
                    -r.u.z,
                );
            }
        }
    }

    fn natural_sizes(&self) -> Option<(f64, f64)> {
        let load = 1.0;
        let length = self.friction.breakaway_deflection(load)?;
        Some((length, self.friction.slip_speed()))
    }

    fn memory_scales(&self, scales: &mut [f64]) {
        scales.fill(0.0);
        let layout = self.friction.layout();
        let Some(length) = self.friction.breakaway_deflection(1.0) else {
            return;
        };
        for point in scales.chunks_exact_mut(self.point_memory()) {
            point[..layout.vectors * PLANE].fill(length);
        }
    }

    fn memory_rates(&self, t: f64, frames: &[Frame], memory: &[f64], rates: &mut [f64]) {
        rates.fill(0.0);
        let (size, states) = (self.point_memory(), self.states());
        let all = memory.chunks_exact(size).zip(rates.chunks_exact_mut(size));
        for (point, (memory, rates)) in self.points.iter().zip(all) {
            let relative = self.relative(point, frames);
            let normal = self.normal_force(t, &relative, memory[states + 3]);
            let slip = Slip::new([relative.u.x, relative.u.y], normal.force);
            self.friction
                .rates(&slip, &memory[..states], &mut rates[..states]);
        }
    }

    fn memory_between(&self, ends: (&Moment<'_>, &Moment<'_>), theta: f64, memory: &mut [f64]) {
        let (size, states) = (self.point_memory(), self.states());
        let h = ends.1.t - ends.0.t;
        let vectors = self.friction.layout().vectors * PLANE;
        for (i, point) in self.points.iter().enumerate() {
            let range = i * size..(i + 1) * size;
            let (from, to) = (&ends.0.memory[range.clone()], &ends.1.memory[range.clone()]);
            let out = &mut memory[range];
            let mut rates = [[0.0; MAX_STATES]; 2];
            for (end, (old, rates)) in [ends.0, ends.1]
                .iter()
                .zip([from, to].iter().zip(&mut rates))
            {
                let relative = self.relative(point, end.frames);
                let normal = self.normal_force(end.t, &relative, old[states + 3]);
                let slip = Slip::new([relative.u.x, relative.u.y], normal.force);
                self.friction
                    .rates(&slip, &old[..states], &mut rates[..states]);
            }
            for j in 0..size {
                out[j] = if j < vectors {
                    hermite((from[j], to[j]), (h * rates[0][j], h * rates[1][j]), theta)
                } else if j < states {
                    if theta < 1.0 { from[j] } else { to[j] } // a mode
                } else {
                    from[j] + theta * (to[j] - from[j])
                };
            }
        }
    }

    fn breakpoints(&self, end_time: f64) -> Vec<f64> {
        match &self.pressing {
            Pressing::Law(_) => Vec::new(),
            Pressing::Prescribed(signal) => signal.breakpoints(end_time),
        }
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.body, self.plane.body]
    }

    fn as_contact(&self) -> Option<&Contact> {
        Some(self)
    }

    fn channels(&self) -> Vec<(String, &'static str, String)> {
        report::channels(self)
    }

    fn sample(&self, t: f64, frames: &[Frame], memory: &[f64], out: &mut Vec<f64>) {
        report::sample(self, t, frames, memory, out);
    }
}

/// Cubic through two values with slopes, limited where the slopes are stiff.
fn hermite((a, b): (f64, f64), (da, db): (f64, f64), s: f64) -> f64 {
    // a relaxation faster than the step has slopes that say nothing about the step
    let limit = 3.0 * (b - a).abs();
    let slope = |d: f64| {
        if d.abs() > limit {
            d.signum() * limit
        } else {
            d
        }
    };
    let (da, db) = (slope(da), slope(db));
    let (c2, c3) = (3.0 * (b - a) - 2.0 * da - db, da + db - 2.0 * (b - a));
    a + s * (da + s * (c2 + s * c3))
}
