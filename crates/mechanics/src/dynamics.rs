//! Frames, residual and tangent of the tree, by recursion over the bodies.

use crate::body::{BodyId, Joint};
use crate::element::{Moment, Sink, TangentWeights};
use crate::frame::{Frame, Mat3, Mat6, Vec3, Vec6, cross};
use crate::model::Model;
use crate::system::Scratch;
use bristle_integrate::Instant;
use bristle_signals::Signal;
use nalgebra::{Quaternion, UnitQuaternion};

/// How a degree of freedom moves what hangs on it, in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Motion {
    /// A translation along a unit vector.
    Along(Vec3),
    /// A rotation about a unit vector through a point.
    About(Vec3, Vec3),
}

impl Motion {
    /// Displacement and rotation of a body whose origin is at `p`, per unit of the coordinate.
    pub(crate) fn of(&self, p: &Vec3) -> (Vec3, Vec3) {
        match self {
            Self::Along(e) => (*e, Vec3::zeros()),
            Self::About(e, through) => (e.cross(&(p - through)), *e),
        }
    }
}

impl Model {
    /// Frames of all bodies.
    pub fn frames(&self, t: f64, q: &[f64], v: &[f64], a: &[f64]) -> Vec<Frame> {
        let mut frames = vec![Frame::WORLD; self.bodies.len()];
        let mut motions = vec![Motion::Along(Vec3::zeros()); self.dofs];
        self.place(t, (q, v, a), &mut frames, &mut motions);
        frames
    }

    /// Fills in frames and the motions of the degrees of freedom, root to leaf.
    pub(crate) fn place(
        &self,
        t: f64,
        (q, v, a): (&[f64], &[f64], &[f64]),
        frames: &mut [Frame],
        motions: &mut [Motion],
    ) {
        for (i, body) in self.bodies.iter().enumerate().skip(1) {
            let parent = frames[body.parent.0];
            let dof = self.dof_of[i];
            let q = &q[self.coordinate_of[i]..];
            frames[i] = match &body.joint {
                Joint::Free => {
                    let (v, a) = (&v[dof..dof + 6], &a[dof..dof + 6]);
                    free(&parent, q, v, a, &mut motions[dof..dof + 6])
                }
                Joint::Fixed => carried(&parent, &body.position, &self.mounted(i, &parent)),
                Joint::Prismatic { axis } => {
                    let r = self.mounted(i, &parent);
                    let e = r * axis;
                    motions[dof] = Motion::Along(e);
                    let mut frame = carried(&parent, &body.position, &r);
                    slide(&mut frame, &e, [q[0], v[dof], a[dof]]);
                    frame
                }
                Joint::Prescribed(motion) => {
                    let r = self.mounted(i, &parent);
                    let mut frame = carried(&parent, &body.position, &r);
                    let s = motion.displacement.jet(t);
                    slide(
                        &mut frame,
                        &(r * motion.direction),
                        [s.value, s.rate, s.acceleration],
                    );
                    if !matches!(motion.angle, Signal::Constant(0.0)) {
                        let angle = motion.angle.jet(t);
                        let jet = [angle.value, angle.rate, angle.acceleration];
                        turn(&mut frame, &motion.axis, jet);
                    }
                    frame
                }
            };
        }
    }

    /// Axes of a joint frame in the world.
    pub(crate) fn mounted(&self, body: usize, parent: &Frame) -> Mat3 {
        self.mounts[body].map_or(parent.r, |mount| parent.r * mount)
    }

    /// Residual: inertia forces less applied forces, projected on the degrees of freedom.
    pub(crate) fn residual_into(
        &self,
        scratch: &mut Scratch,
        at: &Instant<'_>,
        memory: &mut [f64],
        residual: &mut [f64],
    ) {
        self.place(
            at.t,
            (at.q, at.v, at.a),
            &mut scratch.frames,
            &mut scratch.motions,
        );
        for (i, body) in self.bodies.iter().enumerate() {
            scratch.wrenches[i] = if body.inertia.mass > 0.0 {
                -self.inertia_wrench(i, &scratch.frames[i])
            } else {
                Vec6::zeros()
            };
        }
        self.apply_elements(scratch, at, memory);
        // leaf to root: what hangs on a body loads its joint
        for i in (1..self.bodies.len()).rev() {
            let wrench = scratch.wrenches[i];
            let p = scratch.frames[i].p;
            let (force, moment) = split(&wrench);
            let own = self.dof_of[i]..self.dof_of[i] + self.bodies[i].joint.dofs();
            for (r, motion) in residual[own.clone()].iter_mut().zip(&scratch.motions[own]) {
                let (along, about) = motion.of(&p);
                *r = -(along.dot(&force) + about.dot(&moment));
            }
            let parent = self.bodies[i].parent.0;
            if parent > 0 {
                let arm = p - scratch.frames[parent].p;
                scratch.wrenches[parent] += joined(&force, &(moment + arm.cross(&force)));
            }
        }
    }

    /// m (a − g) at the centre of mass and I α + ω × I ω, as a wrench about the body's origin.
    pub(crate) fn inertia_wrench(&self, body: usize, frame: &Frame) -> Vec6 {
        let inertia = &self.bodies[body].inertia;
        let still = Vec3::zeros();
        if frame.w == still && frame.alpha == still {
            let force = (frame.a - self.gravity) * inertia.mass;
            return joined(&force, &(frame.r * inertia.centre).cross(&force));
        }
        let arm = frame.r * inertia.centre;
        let tensor = frame.r * inertia.tensor * frame.r.transpose();
        let acceleration = frame.a + frame.alpha.cross(&arm) + frame.w.cross(&frame.w.cross(&arm));
        let force = (acceleration - self.gravity) * inertia.mass;
        let moment = tensor * frame.alpha + frame.w.cross(&(tensor * frame.w));
        joined(&force, &(moment + arm.cross(&force)))
    }

    fn apply_elements(&self, scratch: &mut Scratch, at: &Instant<'_>, memory: &mut [f64]) {
        let Scratch {
            frames,
            wrenches,
            blocks,
            weights,
            ..
        } = scratch;
        blocks.clear();
        let mut sink = Collect {
            model: self,
            wrenches,
            blocks,
            weights: *weights,
        };
        for (i, element) in self.elements.iter().enumerate() {
            let range = self.memory_range(i);
            let moment = Moment {
                t: at.t,
                step: at.step,
                frames,
                memory: &at.memory[range.clone()],
            };
            element.apply(&moment, &mut memory[range], &mut sink);
        }
    }

    /// Mass matrix, and m M + c C + k K, from the blocks the elements handed over.
    pub(crate) fn tangent_into(&self, scratch: &mut Scratch, weights: bristle_integrate::Weights) {
        scratch.mass.clear();
        scratch.matrix.clear();
        for i in 1..self.bodies.len() {
            if self.bodies[i].inertia.mass <= 0.0 || self.chains[i].is_empty() {
                continue;
            }
            let (mass, rest) = self.inertia_blocks(i, &scratch.frames[i], weights);
            let columns = &self.chains[i];
            project(
                &mut scratch.mass,
                &scratch.motions,
                (&mass, columns, columns),
                [&scratch.frames[i].p; 2],
            );
            project(
                &mut scratch.matrix,
                &scratch.motions,
                (&rest, columns, columns),
                [&scratch.frames[i].p; 2],
            );
        }
        for (row, column, block) in &scratch.blocks {
            let places = [&scratch.frames[row.0].p, &scratch.frames[column.0].p];
            let chains = (&self.chains[row.0], &self.chains[column.0]);
            // the residual is inertia less applied forces
            project(
                &mut scratch.matrix,
                &scratch.motions,
                (&-block, chains.0, chains.1),
                places,
            );
        }
    }

    /// ∂(inertia wrench)/∂(a, α), and the weighted sum with its derivatives by (v, ω) and (x, θ).
    fn inertia_blocks(
        &self,
        body: usize,
        frame: &Frame,
        weights: bristle_integrate::Weights,
    ) -> (Mat6, Mat6) {
        let inertia = &self.bodies[body].inertia;
        let (m, arm) = (inertia.mass, frame.r * inertia.centre);
        let tensor = frame.r * inertia.tensor * frame.r.transpose();
        let hat = cross(&arm);
        let mut mass = Mat6::zeros();
        mass.fixed_view_mut::<3, 3>(0, 0)
            .copy_from(&Mat3::from_diagonal_element(m));
        mass.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-hat * m));
        mass.fixed_view_mut::<3, 3>(3, 0).copy_from(&(hat * m));
        mass.fixed_view_mut::<3, 3>(3, 3)
            .copy_from(&(tensor - hat * hat * m));
        let mut rest = mass * weights.mass;
        let w = cross(&frame.w);
        // gyroscopic: ω × (ω × r) and ω × I ω by ω
        let whirl = -(cross(&frame.w.cross(&arm)) + w * hat) * m;
        let gyro = w * tensor - cross(&(tensor * frame.w));
        add(&mut rest, (0, 3), &(whirl * weights.damping));
        add(&mut rest, (3, 3), &((gyro + hat * whirl) * weights.damping));
        // turning the body turns its inertia and the arm of its centre of mass
        let spin = |x: &Vec3| tensor * cross(x) - cross(&(tensor * x));
        let turned = spin(&frame.alpha) + w * spin(&frame.w);
        let by_arm = -(cross(&frame.alpha) + w * w) * hat * m;
        let force = (frame.a + frame.alpha.cross(&arm) + frame.w.cross(&frame.w.cross(&arm))
            - self.gravity)
            * m;
        add(&mut rest, (0, 3), &(by_arm * weights.stiffness));
        let moment = turned + hat * by_arm + cross(&force) * hat;
        add(&mut rest, (3, 3), &(moment * weights.stiffness));
        (mass, rest)
    }

    /// Kinetic energy, J.
    pub fn kinetic_energy(&self, frames: &[Frame]) -> f64 {
        let rigid = self
            .bodies
            .iter()
            .zip(frames)
            .skip(1)
            .fold(0.0, |sum, (body, frame)| {
                let inertia = &body.inertia;
                let velocity = frame.velocity_at(&(frame.r * inertia.centre));
                let w = frame.r.tr_mul(&frame.w);
                sum + 0.5 * (inertia.mass * velocity.norm_squared() + w.dot(&(inertia.tensor * w)))
            });
        let elastic = self.elements.iter().map(|e| e.kinetic(frames)).sum::<f64>();
        rigid + elastic
    }

    /// Potential energy of gravity and energy stored in the elements, J.
    pub fn stored_energy(&self, t: f64, frames: &[Frame], memory: &[f64]) -> f64 {
        let weight = self
            .bodies
            .iter()
            .zip(frames)
            .skip(1)
            .fold(0.0, |sum, (body, frame)| {
                let centre = frame.p + frame.r * body.inertia.centre;
                sum - body.inertia.mass * self.gravity.dot(&centre)
            });
        self.elements
            .iter()
            .enumerate()
            .fold(weight, |sum, (i, element)| {
                sum + element.stored(t, frames, &memory[self.memory_range(i)])
            })
    }
}

/// Collects wrenches and blocks of the elements.
struct Collect<'a> {
    model: &'a Model,
    wrenches: &'a mut [Vec6],
    blocks: &'a mut Vec<(BodyId, BodyId, Mat6)>,
    weights: Option<TangentWeights>,
}

impl Sink for Collect<'_> {
    fn weights(&self) -> Option<TangentWeights> {
        self.weights
    }

    fn wrench(&mut self, body: BodyId, force: &Vec3, moment: &Vec3) {
        self.wrenches[body.0] += joined(force, moment);
    }

    fn block(&mut self, row: BodyId, column: BodyId, block: &Mat6) {
        if self.moves(row) && self.moves(column) {
            self.blocks.push((row, column, *block));
        }
    }

    fn moves(&self, body: BodyId) -> bool {
        !self.model.chains[body.0].is_empty()
    }
}

/// Adds J_rowᵀ B J_column.
fn project(
    matrix: &mut crate::linear::Dense,
    motions: &[Motion],
    (block, rows, columns): (&Mat6, &[usize], &[usize]),
    [p_row, p_column]: [&Vec3; 2],
) {
    for &j in columns {
        let (x, theta) = motions[j].of(p_column);
        let wrench = block * joined(&x, &theta);
        let (force, moment) = split(&wrench);
        for &i in rows {
            let (along, about) = motions[i].of(p_row);
            matrix.add(i, j, along.dot(&force) + about.dot(&moment));
        }
    }
}

fn add(block: &mut Mat6, (i, j): (usize, usize), part: &Mat3) {
    let mut view = block.fixed_view_mut::<3, 3>(i, j);
    view += part;
}

fn joined(force: &Vec3, moment: &Vec3) -> Vec6 {
    Vec6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z)
}

fn split(wrench: &Vec6) -> (Vec3, Vec3) {
    (
        Vec3::new(wrench[0], wrench[1], wrench[2]),
        Vec3::new(wrench[3], wrench[4], wrench[5]),
    )
}

/// A frame fixed in its parent at `position`, with axes `r` in the world.
fn carried(parent: &Frame, position: &Vec3, r: &Mat3) -> Frame {
    let arm = parent.r * position;
    Frame {
        p: parent.p + arm,
        r: *r,
        v: parent.velocity_at(&arm),
        w: parent.w,
        a: parent.a + parent.alpha.cross(&arm) + parent.w.cross(&parent.w.cross(&arm)),
        alpha: parent.alpha,
    }
}

/// Slides a carried frame along the unit vector `e` that turns with it.
fn slide(frame: &mut Frame, e: &Vec3, [x, v, a]: [f64; 3]) {
    let arm = e * x;
    frame.p += arm;
    frame.v += frame.w.cross(&arm) + e * v;
    frame.a += frame.alpha.cross(&arm)
        + frame.w.cross(&frame.w.cross(&arm))
        + frame.w.cross(e) * (2.0 * v)
        + e * a;
}

/// Turns a frame about the unit `axis` (its own axes) through its origin.
fn turn(frame: &mut Frame, axis: &Vec3, [angle, rate, acceleration]: [f64; 3]) {
    let e = frame.r * axis;
    frame.alpha += e * acceleration + frame.w.cross(&e) * rate;
    frame.w += e * rate;
    let rotation = UnitQuaternion::from_scaled_axis(axis * angle);
    frame.r *= rotation.to_rotation_matrix().matrix();
}

/// A body that moves freely in its parent's frame; velocities in the parent's axes.
fn free(parent: &Frame, q: &[f64], v: &[f64], a: &[f64], motions: &mut [Motion]) -> Frame {
    let quaternion = Quaternion::new(q[3], q[4], q[5], q[6]);
    let rotation = UnitQuaternion::new_unchecked(quaternion);
    let local = rotation.to_rotation_matrix();
    let vec = |x: &[f64]| Vec3::new(x[0], x[1], x[2]);
    let arm = parent.r * vec(q);
    let (rv, rw) = (parent.r * vec(v), parent.r * vec(&v[3..]));
    let p = parent.p + arm;
    for i in 0..3 {
        let e: Vec3 = parent.r.column(i).into();
        motions[i] = Motion::Along(e);
        motions[i + 3] = Motion::About(e, p);
    }
    let w = parent.w;
    Frame {
        p,
        r: parent.r * local.matrix(),
        v: parent.v + w.cross(&arm) + rv,
        w: w + rw,
        a: parent.a
            + parent.alpha.cross(&arm)
            + w.cross(&w.cross(&arm))
            + w.cross(&rv) * 2.0
            + parent.r * vec(a),
        alpha: parent.alpha + w.cross(&rw) + parent.r * vec(&a[3..]),
    }
}
