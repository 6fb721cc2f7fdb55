//! A law under a prescribed motion.

use bristle_laws::friction::typical;
use bristle_laws::{Friction, Slip, Step, Value, Values};

/// Named numbers.
pub(crate) fn numbers(list: &[(&str, f64)]) -> Values {
    list.iter()
        .map(|(name, x)| ((*name).to_owned(), Value::Number(*x)))
        .collect()
}

pub(crate) fn build(name: &str, values: &[(&str, f64)]) -> Friction {
    Friction::build(name, &numbers(values)).expect("admissible parameters")
}

pub(crate) fn build_typical(name: &str) -> Friction {
    let card = Friction::card_of(name).expect("a law of the catalogue");
    Friction::build(name, &typical(card)).expect("admissible parameters")
}

/// A law and its state under a prescribed motion.
pub(crate) struct Rig<const D: usize> {
    pub(crate) law: Friction,
    pub(crate) state: Vec<f64>,
}

impl<const D: usize> Rig<D> {
    pub(crate) fn new(law: Friction) -> Self {
        let mut state = vec![0.0; law.layout().len(D)];
        law.start(&Slip::new([0.0; D], 1.0), &mut state);
        Self { law, state }
    }

    pub(crate) fn slide(
        &mut self,
        velocity: [f64; D],
        n: f64,
        duration: f64,
        steps: usize,
    ) -> [f64; D] {
        let mut force = [0.0; D];
        for _ in 0..steps {
            let step = Step::constant(Slip::new(velocity, n), duration / steps as f64);
            let mut new = self.state.clone();
            force = self.law.update(&step, &self.state, &mut new);
            self.state = new;
        }
        force
    }
}

impl Rig<1> {
    /// Moves by `distance` at 1 mm/s.
    pub(crate) fn move_by(&mut self, distance: f64, n: f64, steps: usize) -> f64 {
        let v = 1e-3_f64.copysign(distance);
        self.slide([v], n, distance / v, steps)[0]
    }
}

pub(crate) fn close(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() <= tolerance,
        "{value:e}, expected {expected:e} within {tolerance:e}"
    );
}
