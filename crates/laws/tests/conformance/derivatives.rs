//! Hand-written and automatic derivatives against differences, away from kinks.

use crate::motion::{LOAD, Pair, build, laws, wiggle};
use bristle_laws::friction::LawVisitor;
use bristle_laws::{Friction, FrictionLaw, Slip, Step, Tangent, tangent_by_dual};

/// What the comparison of one law has seen.
#[derive(Default)]
pub(crate) struct Tally {
    compared: usize,
    bitwise_equal: usize,
}

impl Tally {
    /// Compares an analytic column with differences of `f`, unless `f` has a kink there.
    pub(crate) fn column(
        &mut self,
        label: &str,
        analytic: &[f64],
        scale: f64,
        f: impl Fn(f64) -> Vec<f64>,
    ) {
        let h = 3e-5 * scale;
        let (low, middle, high) = (f(-h), f(0.0), f(h));
        let (lower, upper) = (f(-2.0 * h), f(2.0 * h));
        let size = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let largest = size(analytic).max(size(&middle) / scale);
        for i in 0..analytic.len() {
            let (left, right) = ((middle[i] - low[i]) / h, (high[i] - middle[i]) / h);
            let inner = (high[i] - low[i]) / (2.0 * h);
            let outer = (upper[i] - lower[i]) / (4.0 * h);
            // of a smooth function these differ by 3e-5 and by its square; a kink in the
            // slope, or in the slope of the slope, shows
            let kink = (left - right).abs() > 1e-2 * largest;
            if kink || (inner - outer).abs() > 3e-8 * largest {
                continue;
            }
            // Richardson takes the square away; left are rounding, 1e-16/3e-5, and faint kinks
            let difference = inner + (inner - outer) / 3.0;
            assert!(
                (difference - analytic[i]).abs() <= 1e-7 * largest,
                "{label}[{i}]: analytic {:e}, difference {difference:e}, size {largest:e}",
                analytic[i]
            );
            self.compared += 1;
            self.bitwise_equal += usize::from(difference.to_bits() == analytic[i].to_bits());
        }
    }

    pub(crate) fn finish(&self, name: &str, least: usize) {
        assert!(
            self.compared >= least,
            "{name}: only {} compared",
            self.compared
        );
        // two routes: rounding must tell them apart somewhere
        assert!(
            self.bitwise_equal < self.compared,
            "{name}: the routes are one"
        );
    }
}

/// Steps of the wiggle with the states before them, every fifth.
fn samples<const D: usize>(law: &Friction) -> Vec<(Step<f64, D>, Vec<f64>)> {
    let steps = wiggle::<D>(law, 160);
    let mut pair = Pair::at_start(law, &steps[0].mean);
    let mut samples = Vec::new();
    for (k, step) in steps.into_iter().enumerate() {
        if k % 5 == 0 {
            samples.push((step, pair.state.clone()));
        }
        pair.advance(&step);
    }
    samples
}

fn shifted<const D: usize>(slip: &Slip<f64, D>, j: usize, by: f64) -> Slip<f64, D> {
    let mut slip = *slip;
    if j < D {
        slip.velocity[j] += by;
    } else {
        slip.normal_force += by;
    }
    slip
}

#[test]
fn the_jacobian_of_the_continuous_view() {
    for (name, law) in laws() {
        let mut tally = Tally::default();
        let vs = law.slip_speed();
        for (step, state) in samples::<2>(&law) {
            let n = state.len();
            let jacobian = law.jacobian(&step.end, &state);
            let outputs = |slip: &Slip<f64, 2>, z: &[f64]| {
                let mut rates = vec![0.0; n];
                let force = law.rates(slip, z, &mut rates);
                (force.to_vec(), rates)
            };
            for j in 0..3 {
                let scale = if j < 2 { vs } else { LOAD };
                let at = |by: f64| outputs(&shifted(&step.end, j, by), &state);
                let (force, rate): (Vec<f64>, Vec<f64>) = if j < 2 {
                    (
                        jacobian.force_velocity.iter().map(|row| row[j]).collect(),
                        jacobian.rate_velocity.iter().map(|row| row[j]).collect(),
                    )
                } else {
                    (jacobian.force_normal.to_vec(), jacobian.rate_normal.clone())
                };
                tally.column(&format!("{name} dF/d{j}"), &force, scale, |by| at(by).0);
                tally.column(&format!("{name} drate/d{j}"), &rate, scale, |by| at(by).1);
            }
            for j in 0..n {
                let scale = state[j].abs().max(1e-9);
                let at = |by: f64| {
                    let mut z = state.clone();
                    z[j] += by;
                    outputs(&step.end, &z)
                };
                let rate: Vec<f64> = jacobian.rate_state.iter().map(|row| row[j]).collect();
                let force = jacobian.force_state[j];
                tally.column(&format!("{name} dF/dz{j}"), &force, scale, |by| at(by).0);
                tally.column(&format!("{name} drate/dz{j}"), &rate, scale, |by| at(by).1);
            }
        }
        tally.finish(name, 60);
    }
}

#[test]
fn the_tangent_of_the_update_against_differences() {
    for (name, law) in laws() {
        let mut tally = Tally::default();
        for (step, old) in samples::<3>(&law) {
            let mut new = old.clone();
            let (_, tangent) = law.update_with_tangent(&step, &old, &mut new);
            let force = |step: &Step<f64, 3>| {
                let mut new = old.clone();
                law.update(step, &old, &mut new).to_vec()
            };
            for j in 0..4 {
                let scale = if j < 3 { law.slip_speed() } else { LOAD };
                let column = |matrix: &[[f64; 3]; 3], normal: &[f64; 3]| -> Vec<f64> {
                    if j < 3 {
                        matrix.iter().map(|row| row[j]).collect()
                    } else {
                        normal.to_vec()
                    }
                };
                let mean = column(&tangent.mean_velocity, &tangent.mean_normal_force);
                tally.column(&format!("{name} dF/dmean{j}"), &mean, scale, |by| {
                    force(&Step {
                        mean: shifted(&step.mean, j, by),
                        ..step
                    })
                });
                let end = column(&tangent.velocity, &tangent.normal_force);
                tally.column(&format!("{name} dF/dend{j}"), &end, scale, |by| {
                    force(&Step {
                        end: shifted(&step.end, j, by),
                        ..step
                    })
                });
            }
        }
        tally.finish(name, 100);
    }
}

/// `update_with_tangent`, `tangent_by_dual` and `update` on one step.
struct Routes<'a, const D: usize> {
    step: &'a Step<f64, D>,
    old: &'a [f64],
}

/// State, force and tangent.
type Outcome<const D: usize> = (Vec<f64>, [f64; D], Tangent<D>);

impl<const D: usize> LawVisitor for Routes<'_, D> {
    type Output = [Outcome<D>; 2];

    fn visit<L: FrictionLaw>(self, law: &L) -> Self::Output {
        let (mut hand, mut dual) = (self.old.to_vec(), self.old.to_vec());
        let (f, t) = law.update_with_tangent(self.step, self.old, &mut hand);
        let (g, s) = tangent_by_dual(law, self.step, self.old, &mut dual);
        [(hand, f, t), (dual, g, s)]
    }
}

fn entries<const D: usize>(t: &Tangent<D>) -> Vec<f64> {
    let matrices = t.mean_velocity.iter().chain(&t.velocity).flatten();
    let vectors = t.mean_normal_force.iter().chain(&t.normal_force);
    matrices.chain(vectors).copied().collect()
}

fn close(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().chain(b).fold(0.0, |m: f64, x| m.max(x.abs()));
    // the same formula in two orders of evaluation: some hundred roundings
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * size)
}

fn routes_agree<const D: usize>(law: &Friction, name: &str, step: &Step<f64, D>, old: &[f64]) {
    let [(z, f, t), (dual_z, dual_f, dual_t)] = law.visit(Routes { step, old });
    let mut new = old.to_vec();
    let plain = law.update(step, old, &mut new);
    assert!(
        close(&z, &dual_z) && close(&z, &new),
        "{name}: states {z:?} {dual_z:?} {new:?}"
    );
    assert!(
        close(&f, &dual_f) && close(&f, &plain),
        "{name}: forces {f:?} {dual_f:?}"
    );
    // blocks have different units and are compared by block
    for (block, (a, b)) in [
        (
            t.mean_velocity.as_flattened(),
            dual_t.mean_velocity.as_flattened(),
        ),
        (t.velocity.as_flattened(), dual_t.velocity.as_flattened()),
        (&t.mean_normal_force, &dual_t.mean_normal_force),
        (&t.normal_force, &dual_t.normal_force),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(close(a, b), "{name}, block {block}: {a:?} {b:?}");
    }
    assert!(entries(&t).iter().all(|x| x.is_finite()), "{name}: {t:?}");
}

#[test]
fn the_tangent_by_hand_is_that_of_the_text() {
    for (name, law) in laws() {
        for (step, old) in samples::<1>(&law) {
            routes_agree(&law, name, &step, &old);
        }
        for (step, old) in samples::<2>(&law) {
            routes_agree(&law, name, &step, &old);
        }
        for (step, old) in samples::<3>(&law) {
            routes_agree(&law, name, &step, &old);
            // steps from tiny to far beyond the memory of the state
            for factor in [1e-9, 1e-5, 1e-3, 10.0, 1e4, 1e9] {
                let duration = step.duration * factor;
                routes_agree(&law, name, &Step { duration, ..step }, &old);
            }
        }
    }
}

#[test]
fn the_tangent_at_rest() {
    for card in Friction::CARDS {
        let law = build(card);
        let rest = Slip::new([0.0; 3], LOAD);
        for (_, old) in samples::<3>(&law) {
            routes_agree(&law, card.name, &Step::constant(rest, 1e-3), &old);
        }
    }
}
