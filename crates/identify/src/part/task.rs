//! What is computed in a part of a fit, and what comes of it.

use super::bytes::PartBytes;
use crate::Error;
use crate::optimise::Optimum;
use crate::predict::Mesh;

/// What is to be computed from a model, records and options.
#[derive(Clone, Debug)]
pub(crate) enum FitTask {
    /// The starts that are worth following.
    Starts,
    /// A descent from a start, on few samples with coarse steps.
    Descent(Vec<f64>),
    /// A global search from all over the box of the starts.
    Populations,
    /// A descent with steps of the law as short as they must be.
    Refinement(Optimum),
    /// A descent of the motion from where the fit of the force ended.
    Motion(Vec<f64>),
    /// A search by trial from an optimum.
    Polish(Optimum, Vec<Mesh>),
    /// A fit to noisier records.
    Draw(NoiseDraw),
}

/// A draw of the noise of the motion, and from where the fit to it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoiseDraw {
    /// Parameters whose forces take the place of the measured ones; those that were measured if none.
    pub(crate) made_with: Vec<f64>,
    /// Where the fit begins.
    pub(crate) theta: Vec<f64>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) seed: u64,
    /// What the noise is multiplied with.
    pub(crate) factor: f64,
    /// And that of each record.
    pub(crate) scales: Vec<f64>,
    /// Noise of the velocity of each steady curve, m/s.
    pub(crate) sizes: Vec<f64>,
}

/// A task with what else the place that computes it must know.
#[derive(Clone, Debug)]
pub(crate) struct FitPart {
    /// Samples at the start of each record that do not count; all do if there is none.
    pub(crate) masked: Vec<usize>,
    /// Whether free motions are taken as driven ones.
    pub(crate) driven: bool,
    pub(crate) task: FitTask,
}

/// What comes of a task.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartOutcome {
    /// Starts, or one optimum, or none; of a draw the parameters.
    pub(crate) points: Vec<Vec<f64>>,
    pub(crate) cost: f64,
    pub(crate) iterations: u64,
    pub(crate) meshes: Vec<Mesh>,
}

impl PartOutcome {
    /// An optimum.
    pub(crate) fn of(optimum: Optimum, meshes: Vec<Mesh>) -> Self {
        Self {
            points: vec![optimum.theta],
            cost: optimum.cost,
            iterations: optimum.iterations,
            meshes,
        }
    }

    /// The optimum, if there is one.
    pub(crate) fn optimum(&self) -> Option<Optimum> {
        Some(Optimum {
            theta: self.points.first()?.clone(),
            cost: self.cost,
            iterations: self.iterations,
        })
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = PartBytes::write();
        self.clone().pass(&mut bytes);
        bytes.into_bytes()
    }

    /// # Errors
    /// [`Error::Part`] if the bytes are no outcome.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut bytes = PartBytes::read(bytes);
        let mut outcome = Self::default();
        outcome.pass(&mut bytes);
        bytes.finish().map(|()| outcome)
    }

    fn pass(&mut self, bytes: &mut PartBytes<'_>) {
        bytes.heading();
        bytes.list(&mut self.points, PartBytes::numbers);
        bytes.number(&mut self.cost);
        bytes.word(&mut self.iterations);
        bytes.list(&mut self.meshes, pass_mesh);
    }
}

impl FitPart {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = PartBytes::write();
        self.clone().pass(&mut bytes);
        bytes.into_bytes()
    }

    /// # Errors
    /// [`Error::Part`] if the bytes are no part of a fit.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut bytes = PartBytes::read(bytes);
        let mut part = Self {
            masked: Vec::new(),
            driven: false,
            task: FitTask::Starts,
        };
        part.pass(&mut bytes);
        bytes.finish().map(|()| part)
    }

    fn pass(&mut self, bytes: &mut PartBytes<'_>) {
        bytes.heading();
        bytes.list(&mut self.masked, PartBytes::count);
        bytes.flag(&mut self.driven);
        let mut kind = self.task.kind();
        bytes.word(&mut kind);
        if kind != self.task.kind() {
            self.task = FitTask::blank(kind);
        }
        self.task.pass(bytes);
    }
}

impl FitTask {
    /// Its number in a message.
    fn kind(&self) -> u64 {
        match self {
            Self::Starts => 0,
            Self::Descent(_) => 1,
            Self::Populations => 2,
            Self::Refinement(_) => 3,
            Self::Motion(_) => 4,
            Self::Polish(..) => 5,
            Self::Draw(_) => 6,
        }
    }

    /// One of a kind, to be read into.
    fn blank(kind: u64) -> Self {
        match kind {
            1 => Self::Descent(Vec::new()),
            2 => Self::Populations,
            3 => Self::Refinement(Optimum::default()),
            4 => Self::Motion(Vec::new()),
            5 => Self::Polish(Optimum::default(), Vec::new()),
            6 => Self::Draw(NoiseDraw::default()),
            _ => Self::Starts,
        }
    }

    fn pass(&mut self, bytes: &mut PartBytes<'_>) {
        match self {
            Self::Starts | Self::Populations => {}
            Self::Descent(start) | Self::Motion(start) => bytes.numbers(start),
            Self::Refinement(from) => pass_optimum(bytes, from),
            Self::Polish(from, meshes) => {
                pass_optimum(bytes, from);
                bytes.list(meshes, pass_mesh);
            }
            Self::Draw(draw) => {
                bytes.numbers(&mut draw.made_with);
                bytes.numbers(&mut draw.theta);
                bytes.list(&mut draw.meshes, pass_mesh);
                bytes.word(&mut draw.seed);
                bytes.number(&mut draw.factor);
                bytes.numbers(&mut draw.scales);
                bytes.numbers(&mut draw.sizes);
            }
        }
    }
}

fn pass_optimum(bytes: &mut PartBytes<'_>, optimum: &mut Optimum) {
    bytes.numbers(&mut optimum.theta);
    bytes.number(&mut optimum.cost);
    bytes.word(&mut optimum.iterations);
}

fn pass_mesh(bytes: &mut PartBytes<'_>, mesh: &mut Mesh) {
    bytes.small(&mut mesh.steps);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

    use super::*;

    fn draw() -> FitPart {
        FitPart {
            masked: vec![0, 7],
            driven: true,
            task: FitTask::Draw(NoiseDraw {
                made_with: vec![0.1, f64::MIN_POSITIVE],
                theta: vec![f64::NEG_INFINITY, -0.0],
                meshes: vec![Mesh { steps: vec![1, 64] }],
                seed: 3,
                factor: -3.0_f64.sqrt(),
                scales: vec![1.0],
                sizes: vec![0.0],
            }),
        }
    }

    #[test]
    fn a_part_comes_back_from_its_bytes() {
        let part = draw();
        let other = FitPart::of_bytes(&part.to_bytes()).unwrap();
        assert_eq!(format!("{part:?}"), format!("{other:?}"));
        let outcome = PartOutcome {
            points: vec![vec![1.0], vec![]],
            cost: f64::INFINITY,
            iterations: 4,
            meshes: vec![Mesh { steps: vec![2] }],
        };
        let other = PartOutcome::of_bytes(&outcome.to_bytes()).unwrap();
        assert_eq!(format!("{outcome:?}"), format!("{other:?}"));
    }

    #[test]
    fn what_is_no_part_is_refused() {
        let bytes = draw().to_bytes();
        for length in 0..bytes.len() {
            assert!(FitPart::of_bytes(&bytes[..length]).is_err(), "{length}");
        }
        assert!(FitPart::of_bytes(&[&bytes[..], &[0]].concat()).is_err());
        let mut other = bytes;
        // a character of the version
        other[8] ^= 1;
        assert!(FitPart::of_bytes(&other).is_err());
    }
}
