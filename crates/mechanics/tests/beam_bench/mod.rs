//! A stand for beam elements alone: frames are set by hand, wrenches and blocks are collected
//! in dense matrices, so that no joint, tree or integrator takes part in what is tested.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "each test uses its own part, and a test fails by a panic"
)]

use bristle_mechanics::element::{
    Assembly, BeamElement, BeamEnd, BeamProperties, CrossSection, Element, ElementInput,
    FrameElement, Material, Rayleigh, TangentWeights, WorkPair,
};
use bristle_mechanics::{Body, BodyId, Frame, Inertia, Joint, ModelBuilder, Vec3};
use nalgebra::{DMatrix, DVector, Matrix6, Rotation3, UnitQuaternion, Vector6};

/// Elements between bodies; body 0 is the ground, the free ones are those that move.
#[derive(Clone, Debug)]
pub struct Stand {
    pub ids: Vec<BodyId>,
    pub frames: Vec<Frame>,
    pub free: Vec<bool>,
    pub elements: Vec<BeamElement>,
    pub gravity: Vec3,
}

/// What the elements handed over.
#[derive(Debug)]
pub struct Collected {
    weights: Option<TangentWeights>,
    place: Vec<Option<usize>>,
    /// Wrenches on all bodies.
    pub wrenches: Vec<Vector6<f64>>,
    pub blocks: DMatrix<f64>,
    pub mass: DMatrix<f64>,
    pub rate: DMatrix<f64>,
}

impl Assembly for Collected {
    fn weights(&self) -> Option<TangentWeights> {
        self.weights
    }
    fn wrench(&mut self, body: BodyId, force: &Vec3, moment: &Vec3) {
        self.wrenches[body.index()] +=
            Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z);
    }
    fn block(&mut self, row: BodyId, column: BodyId, block: &Matrix6<f64>) {
        add(&self.place, &mut self.blocks, (row, column), block);
    }
    fn wants_configuration_tangent(&self) -> bool {
        self.weights.is_some()
    }
    fn configuration_block(&mut self, row: BodyId, column: BodyId, blocks: &[Matrix6<f64>; 3]) {
        let [by_place, by_rate, by_acceleration] = blocks;
        if let Some(weights) = self.weights {
            let block = by_place * weights.stiffness + by_rate * weights.damping;
            add(&self.place, &mut self.blocks, (row, column), &block);
        }
        add(&self.place, &mut self.rate, (row, column), by_rate);
        add(&self.place, &mut self.mass, (row, column), by_acceleration);
    }
    fn rate_block(&mut self, row: BodyId, column: BodyId, block: &Matrix6<f64>) {
        add(&self.place, &mut self.rate, (row, column), block);
    }
    fn moves(&self, body: BodyId) -> bool {
        self.place[body.index()].is_some()
    }
}

fn add(
    place: &[Option<usize>],
    matrix: &mut DMatrix<f64>,
    (row, column): (BodyId, BodyId),
    block: &Matrix6<f64>,
) {
    let (i, j) = (place[row.index()].unwrap(), place[column.index()].unwrap());
    let mut view = matrix.fixed_view_mut::<6, 6>(6 * i, 6 * j);
    view += block;
}

impl Collected {
    /// Wrenches on the free bodies.
    pub fn force(&self) -> DVector<f64> {
        let free = self.place.iter().filter(|p| p.is_some()).count();
        let mut force = DVector::zeros(6 * free);
        for (wrench, place) in self.wrenches.iter().zip(&self.place) {
            if let Some(i) = place {
                force.fixed_rows_mut::<6>(6 * i).copy_from(wrench);
            }
        }
        force
    }
}

impl Stand {
    /// So many bodies at rest at the origin, all free, beside the ground.
    pub fn new(bodies: usize) -> Self {
        let mut builder = ModelBuilder::new();
        let mut ids = vec![BodyId::GROUND];
        for k in 0..bodies {
            let inertia = Inertia::solid_sphere(1.0, 1.0);
            let body = Body::new(&format!("b{k}"), Joint::Free, inertia);
            ids.push(builder.body(body).unwrap());
        }
        let mut free = vec![true; bodies + 1];
        free[0] = false;
        Self {
            ids,
            frames: vec![Frame::WORLD; bodies + 1],
            free,
            elements: Vec::new(),
            gravity: Vec3::zeros(),
        }
    }

    /// A straight beam along x from the ground's origin, with section axes y and z of the world.
    pub fn cantilever(elements: usize, length: f64, properties: &BeamProperties) -> Self {
        let places: Vec<Vec3> = (0..=elements)
            .map(|k| Vec3::x() * (length * k as f64 / elements as f64))
            .collect();
        Self::along(&places, properties)
    }

    /// A beam through the places, straight between them, z axes of the sections near world z;
    /// the first place belongs to the ground.
    pub fn along(places: &[Vec3], properties: &BeamProperties) -> Self {
        let mut stand = Self::new(places.len() - 1);
        for (frame, place) in stand.frames.iter_mut().zip(places).skip(1) {
            frame.p = *place;
        }
        for (k, pair) in places.windows(2).enumerate() {
            let chord = pair[1] - pair[0];
            let (x, z) = (chord.normalize(), Vec3::z());
            let y = z.cross(&x).normalize();
            let axes = Rotation3::from_basis_unchecked(&[x, y, x.cross(&y)]);
            let end = |body: usize, point| BeamEnd {
                body: stand.ids[body],
                point,
                orientation: UnitQuaternion::from_rotation_matrix(&axes),
            };
            let start = if k == 0 { pair[0] } else { Vec3::zeros() };
            let ends = [end(k, start), end(k + 1, Vec3::zeros())];
            let name = format!("e{k}");
            let element = BeamElement::new(&name, ends, chord.norm(), properties).unwrap();
            stand.elements.push(element);
        }
        stand
    }

    pub fn gravity(&mut self, gravity: Vec3) {
        self.gravity = gravity;
    }

    fn input(&self) -> ElementInput<'_> {
        ElementInput {
            t: 0.0,
            step: 0.0,
            stage: None,
            gravity: self.gravity,
            frames: &self.frames,
            history: &[],
        }
    }

    /// Evaluates all elements.
    pub fn collect(&self, weights: Option<(f64, f64)>) -> Collected {
        let mut count = 0;
        let place: Vec<_> = self
            .free
            .iter()
            .map(|&free| {
                count += usize::from(free);
                free.then(|| count - 1)
            })
            .collect();
        let zeros = || DMatrix::zeros(6 * count, 6 * count);
        let mut sink = Collected {
            weights: weights.map(|(damping, stiffness)| TangentWeights { damping, stiffness }),
            wrenches: vec![Vector6::zeros(); place.len()],
            place,
            blocks: zeros(),
            mass: zeros(),
            rate: zeros(),
        };
        for element in &self.elements {
            element.apply(&self.input(), &mut [], &mut sink);
        }
        sink
    }

    fn free_frames(&mut self) -> impl Iterator<Item = &mut Frame> {
        let free = &self.free;
        let frames = self.frames.iter_mut().zip(free);
        frames.filter_map(|(frame, &free)| free.then_some(frame))
    }

    /// Moves the free bodies by displacements and rotation vectors (world axes).
    pub fn displace(&mut self, dx: &DVector<f64>) {
        for (k, frame) in self.free_frames().enumerate() {
            let d = |i: usize| Vec3::new(dx[6 * k + i], dx[6 * k + i + 1], dx[6 * k + i + 2]);
            frame.p += d(0);
            frame.r = Rotation3::new(d(3)).matrix() * frame.r;
        }
    }

    /// Adds to the velocities of the free bodies.
    pub fn push(&mut self, dv: &DVector<f64>) {
        for (k, frame) in self.free_frames().enumerate() {
            frame.v += dv.fixed_rows::<3>(6 * k);
            frame.w += dv.fixed_rows::<3>(6 * k + 3);
        }
    }

    /// Adds to the accelerations of the free bodies.
    pub fn accelerate(&mut self, da: &DVector<f64>) {
        for (k, frame) in self.free_frames().enumerate() {
            frame.a += da.fixed_rows::<3>(6 * k);
            frame.alpha += da.fixed_rows::<3>(6 * k + 3);
        }
    }

    /// Newton's method for the equilibrium with fixed loads on the free bodies.
    pub fn solve(&mut self, load: &DVector<f64>) {
        let size = 1e-11 * load.norm().max(1e-300);
        let mut last = f64::INFINITY;
        for _ in 0..60 {
            let sink = self.collect(Some((0.0, 1.0)));
            let residual = sink.force() + load;
            let dx = (-sink.blocks).lu().solve(&residual).unwrap();
            self.displace(&dx);
            // quadratic convergence ends in rounding
            if residual.norm() < size || (dx.norm() < 1e-9 && dx.norm() >= 0.5 * last) {
                return;
            }
            last = dx.norm();
        }
        panic!("no equilibrium");
    }

    pub fn stored(&self) -> f64 {
        let elements = self.elements.iter();
        elements.map(|e| e.stored_energy(&self.input())).sum()
    }

    pub fn kinetic(&self) -> f64 {
        self.elements
            .iter()
            .map(|e| e.kinetic_energy(&self.frames))
            .sum()
    }

    /// Power of the damping, W.
    pub fn lost_power(&self) -> f64 {
        let mut power = 0.0;
        for element in &self.elements {
            let mut add = |pair: WorkPair| power += pair.force * pair.rate;
            element.work_pairs(&self.input(), &mut add);
        }
        power
    }

    pub fn sample(&self, element: usize) -> Vec<f64> {
        let mut out = Vec::new();
        self.elements[element].sample(&self.input(), &mut out);
        out
    }
}

/// A material and section without damping.
pub fn properties(section: CrossSection, material: Material) -> BeamProperties {
    BeamProperties {
        section,
        material,
        damping: Rayleigh::default(),
        reference: BodyId::GROUND,
    }
}

/// A steel strip: 20 mm by 4 mm.
pub fn steel() -> BeamProperties {
    properties(
        CrossSection::rectangular(0.02, 0.004),
        Material {
            young: 2.1e11,
            shear: 8.1e10,
            density: 7850.0,
        },
    )
}

/// A reproducible sequence of numbers in [-1, 1].
pub fn numbers(n: usize, seed: u64) -> DVector<f64> {
    let mut x = seed;
    DVector::from_fn(n, |_, _| {
        x = x
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((x >> 33) as f64) / f64::from(u32::MAX >> 1) * 2.0 - 1.0
    })
}
