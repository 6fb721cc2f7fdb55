//! The tangent of the residual: mass matrix M and S = m M + c C + k K.
//!
//! With W_b the net wrench on body b about its origin and J_i the motion of degree of freedom i,
//! the residual is r_i = −Σ_b J_i(b)·W_b. Its variation has three parts:
//!
//! - J_iᵀ ∂W/∂x δx, what elements and inertia hand over as 6 × 6 blocks;
//! - J_iᵀ (∂W/∂V δV + ∂W/∂A δA), where velocities and accelerations of a body change with the
//!   coordinates of the joints that carry it, at fixed q̇ and q̈;
//! - δJ_iᵀ W: loads turn against the axes that they work on.
//!
//! The last two vanish for a body that hangs on something at rest by a joint with one step,
//! or freely ([`Model::is_simple`]): most bodies, so they are cheap.

use crate::dynamics::joined;
use crate::frame::{Frame, Mat3, Mat6, Vec3, Vec6, cross};
use crate::joint::{Kind, Step};
use crate::kinematics::Motion;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::system::Scratch;
use bristle_integrate::{Instant, Weights};

/// ∂ of a body's motion by one degree of freedom, at fixed rates of the others.
struct Column {
    /// Displacement and rotation: also ∂V/∂q̇ and ∂A/∂q̈.
    motion: Vec6,
    /// ∂V/∂q.
    velocity: Vec6,
    /// ∂A/∂q.
    acceleration: Vec6,
    /// ∂A/∂q̇.
    by_rate: Vec6,
}

impl Model {
    /// Mass matrix and S from the blocks that the elements handed over.
    pub(crate) fn tangent_into(&self, scratch: &mut Scratch, at: &Instant<'_>, weights: Weights) {
        scratch.mass.clear();
        scratch.matrix.clear();
        if self.has_chains {
            self.carriers_into(scratch, at);
        }
        for i in 1..self.bodies.len() {
            if self.chains[i].is_empty() {
                continue;
            }
            if self.bodies[i].inertia.mass > 0.0 {
                let blocks = self.inertia_blocks(i, &scratch.frames[i]);
                self.add_inertia(scratch, i, &blocks, weights);
            }
            if !self.is_simple[i] && weights.stiffness != 0.0 {
                self.add_turning(scratch, i, weights.stiffness);
            }
        }
        let blocks = std::mem::take(&mut scratch.blocks);
        for (row, column, block) in &blocks.combined {
            // the residual is inertia less applied forces
            self.project(scratch, (row.0, column.0), |_, motion, matrix| {
                matrix.matrix(-block * motion);
            });
        }
        for (row, column, block) in &blocks.mass {
            let simple = self.is_simple[column.0];
            self.project(scratch, (row.0, column.0), |of, motion, matrix| {
                let wrench = -block * motion;
                matrix.mass(wrench);
                matrix.matrix(wrench * weights.mass);
                if !simple {
                    let more = of.acceleration * weights.stiffness + of.by_rate * weights.damping;
                    matrix.matrix(-block * more);
                }
            });
        }
        for (row, column, block) in &blocks.rate {
            self.project(scratch, (row.0, column.0), |of, _, matrix| {
                matrix.matrix(-block * of.velocity * weights.stiffness);
            });
        }
        scratch.blocks = blocks;
        for &(dof, slope) in &scratch.joint_slopes {
            scratch.matrix.add(dof, dof, slope);
        }
    }

    /// Visits every column of a body, and adds the wrenches it gives projected on the rows' chain.
    fn project(
        &self,
        scratch: &mut Scratch,
        (row, column): (usize, usize),
        wrenches: impl Fn(&Column, Vec6, &mut Target<'_>),
    ) {
        let Scratch {
            frames,
            motions,
            carriers,
            mass,
            matrix,
            ..
        } = scratch;
        let p = frames[row].p;
        for &j in &self.chains[column] {
            let of = if self.is_simple[column] {
                Column::simple(&motions[j], &frames[column].p)
            } else {
                self.column(frames, motions, carriers, (j, column))
            };
            let mut target = Target {
                rows: &self.chains[row],
                motions,
                p: &p,
                column: j,
                mass,
                matrix,
            };
            wrenches(&of, of.motion, &mut target);
        }
    }

    fn add_inertia(
        &self,
        scratch: &mut Scratch,
        body: usize,
        [by_a, by_v, by_x]: &[Mat6; 3],
        weights: Weights,
    ) {
        let Weights {
            mass,
            damping,
            stiffness,
        } = weights;
        let simple = by_a * mass + by_v * damping + by_x * stiffness;
        let is_simple = self.is_simple[body];
        self.project(scratch, (body, body), |of, motion, target| {
            target.mass(by_a * motion);
            target.matrix(simple * motion);
            if !is_simple {
                let more = of.acceleration * stiffness + of.by_rate * damping;
                target.matrix(by_a * more + by_v * of.velocity * stiffness);
            }
        });
    }

    /// δJ_iᵀ W of the net wrench on one body.
    fn add_turning(&self, scratch: &mut Scratch, body: usize, weight: f64) {
        let p = scratch.frames[body].p;
        let wrench = &scratch.own_wrenches[body];
        let force = Vec3::new(wrench[0], wrench[1], wrench[2]);
        let moment = Vec3::new(wrench[3], wrench[4], wrench[5]);
        let dofs = &self.joints.dofs;
        for &i in &self.chains[body] {
            let (along, about) = scratch.motions[i].of(&p);
            for &k in &self.chains[body] {
                let carries = dofs[k].step < dofs[i].step;
                let turned = if carries {
                    // the axis of i and what hangs on it turn about the axis of k
                    let Motion::About(e, _) = &scratch.motions[k] else {
                        continue;
                    };
                    e.cross(&along).dot(&force) + e.cross(&about).dot(&moment)
                } else {
                    // the body moves away from the axis of i
                    let own = dofs[k].step == dofs[i].step && dofs[k].kind == Kind::Translation;
                    if !dofs[i].turns || own {
                        continue;
                    }
                    let (moved, _) = scratch.motions[k].of(&p);
                    about.cross(&moved).dot(&force)
                };
                scratch.matrix.add(i, k, -turned * weight);
            }
        }
    }

    /// Frames before the single steps of every joint.
    fn carriers_into(&self, scratch: &mut Scratch, at: &Instant<'_>) {
        let Scratch {
            frames, carriers, ..
        } = scratch;
        for i in 1..self.bodies.len() {
            let parent = frames[self.bodies[i].parent.0];
            self.walk(i, &parent, at.t, (at.q, at.v, at.a), |step, before| {
                if let Step::Slide(_, by) | Step::Turn(_, by) = step {
                    carriers[by.place()] = *before;
                }
            });
        }
    }

    /// How the motion of a body changes with a degree of freedom `k` of its chain.
    fn column(
        &self,
        frames: &[Frame],
        motions: &[Motion],
        carriers: &[Frame],
        (k, body): (usize, usize),
    ) -> Column {
        let at = &frames[body];
        let dof = &self.joints.dofs[k];
        let parent = &frames[self.bodies[dof.body].parent.0];
        match (&motions[k], dof.kind) {
            (Motion::Along(e), Kind::Single) => slid(e, &carriers[k], at),
            (Motion::Along(e), _) => slid(e, parent, at),
            (Motion::About(e, _), Kind::Single) => turned(e, &carriers[k], at),
            (Motion::About(e, _), _) => turned_freely(e, parent, &frames[dof.body], at),
        }
    }

    /// ∂(inertia wrench)/∂(a, α), by (v, ω), and by (x, θ).
    fn inertia_blocks(&self, body: usize, frame: &Frame) -> [Mat6; 3] {
        let inertia = &self.bodies[body].inertia;
        let (m, arm) = (inertia.mass, frame.r * inertia.centre);
        let tensor = frame.r * inertia.tensor * frame.r.transpose();
        let hat = cross(&arm);
        let mut by_a = Mat6::zeros();
        add(&mut by_a, (0, 0), &Mat3::from_diagonal_element(m));
        add(&mut by_a, (0, 3), &(-hat * m));
        add(&mut by_a, (3, 0), &(hat * m));
        add(&mut by_a, (3, 3), &(tensor - hat * hat * m));
        let w = cross(&frame.w);
        // gyroscopic: ω × (ω × r) and ω × I ω by ω
        let whirl = -(cross(&frame.w.cross(&arm)) + w * hat) * m;
        let gyro = w * tensor - cross(&(tensor * frame.w));
        let mut by_v = Mat6::zeros();
        add(&mut by_v, (0, 3), &whirl);
        add(&mut by_v, (3, 3), &(gyro + hat * whirl));
        // turning the body turns its inertia and the arm of its centre of mass
        let spin = |x: &Vec3| tensor * cross(x) - cross(&(tensor * x));
        let turned = spin(&frame.alpha) + w * spin(&frame.w);
        let by_arm = -(cross(&frame.alpha) + w * w) * hat * m;
        let force = (frame.acceleration_at(&arm) - self.gravity) * m;
        let mut by_x = Mat6::zeros();
        add(&mut by_x, (0, 3), &by_arm);
        add(
            &mut by_x,
            (3, 3),
            &(turned + hat * by_arm + cross(&force) * hat),
        );
        [by_a, by_v, by_x]
    }
}

/// Where the wrenches of a column go.
struct Target<'a> {
    rows: &'a [usize],
    motions: &'a [Motion],
    p: &'a Vec3,
    column: usize,
    mass: &'a mut Matrix,
    matrix: &'a mut Matrix,
}

impl Target<'_> {
    fn mass(&mut self, wrench: Vec6) {
        for &i in self.rows {
            let x = self.motions[i].force(self.p, &wrench);
            self.mass.add(i, self.column, x);
        }
    }

    fn matrix(&mut self, wrench: Vec6) {
        for &i in self.rows {
            let x = self.motions[i].force(self.p, &wrench);
            self.matrix.add(i, self.column, x);
        }
    }
}

impl Column {
    fn simple(motion: &Motion, p: &Vec3) -> Self {
        let (along, about) = motion.of(p);
        Self {
            motion: joined(&along, &about),
            velocity: Vec6::zeros(),
            acceleration: Vec6::zeros(),
            by_rate: Vec6::zeros(),
        }
    }
}

/// A translation along `e`, an axis of the frame `before`.
fn slid(e: &Vec3, before: &Frame, _at: &Frame) -> Column {
    let none = Vec3::zeros();
    let w = &before.w;
    Column {
        motion: joined(e, &none),
        velocity: joined(&w.cross(e), &none),
        acceleration: joined(&(before.alpha.cross(e) + w.cross(&w.cross(e))), &none),
        by_rate: joined(&(w.cross(e) * 2.0), &none),
    }
}

/// A rotation about `e`, an axis of the frame `before`, through its origin.
///
/// The motion relative to `before` (position r, velocity u, ϖ, acceleration) turns as a whole;
/// what `before` itself does stays.
fn turned(e: &Vec3, before: &Frame, at: &Frame) -> Column {
    let seen = Seen::from(before, at);
    let mut column = seen.turned(e, before);
    let w = &before.w;
    column.by_rate = joined(
        &(w.cross(&e.cross(&seen.r)) * 2.0 + e.cross(&seen.u) * 2.0),
        &(w.cross(e) + e.cross(&seen.spin)),
    );
    column
}

/// A rotation about an axis `e` of the parent, of a joint whose angular velocity has its
/// components in the parent: the body's own velocities stay, what hangs on it turns.
fn turned_freely(e: &Vec3, parent: &Frame, own: &Frame, at: &Frame) -> Column {
    let seen = Seen::from(own, at);
    let mut column = seen.turned(e, own);
    let (w, rate, r) = (&parent.w, own.w - parent.w, &seen.r);
    let across = e.cross(r);
    let swung = w.cross(&across) * 2.0 + e.cross(&rate.cross(r)) + rate.cross(&across);
    column.by_rate = joined(
        &(swung + e.cross(&seen.u) * 2.0),
        &(w.cross(e) + e.cross(&seen.spin)),
    );
    column
}

/// The motion of a frame as seen from another one.
struct Seen {
    /// Position, velocity and acceleration, m.
    r: Vec3,
    u: Vec3,
    du: Vec3,
    /// Angular velocity and acceleration, rad.
    spin: Vec3,
    dspin: Vec3,
}

impl Seen {
    fn from(base: &Frame, at: &Frame) -> Self {
        let r = at.p - base.p;
        let u = at.v - base.velocity_at(&r);
        let spin = at.w - base.w;
        Self {
            r,
            u,
            du: at.a - base.acceleration_at(&r) - base.w.cross(&u) * 2.0,
            spin,
            dspin: at.alpha - base.alpha - base.w.cross(&spin),
        }
    }

    /// All of it turned about `e`, while `base` keeps its motion.
    fn turned(&self, e: &Vec3, base: &Frame) -> Column {
        let (w, moved) = (&base.w, e.cross(&self.r));
        let (u, spin) = (e.cross(&self.u), e.cross(&self.spin));
        let carried = base.alpha.cross(&moved) + w.cross(&w.cross(&moved));
        Column {
            motion: joined(&moved, e),
            velocity: joined(&(w.cross(&moved) + u), &spin),
            acceleration: joined(
                &(carried + w.cross(&u) * 2.0 + e.cross(&self.du)),
                &(w.cross(&spin) + e.cross(&self.dspin)),
            ),
            by_rate: Vec6::zeros(),
        }
    }
}

fn add(block: &mut Mat6, (i, j): (usize, usize), part: &Mat3) {
    let mut view = block.fixed_view_mut::<3, 3>(i, j);
    view += part;
}
