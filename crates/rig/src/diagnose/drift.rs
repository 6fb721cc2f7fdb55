//! How far bristles drift under a load that vibrates below break-away.

use super::{ContactLoad, LoadHistory};
use bristle_laws::Friction;
use bristle_laws::card::Behaviour;

/// The drift of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Drift of all cycles, m.
    pub path: f64,
    /// Cycles.
    pub cycles: usize,
    /// From the first cycle to the last, s.
    pub duration: f64,
    /// Whether it is the normal force that pulsates, and not the tangential one.
    pub by_normal_force: bool,
    /// Lowest and highest normal force in these cycles, N.
    pub normal: [f64; 2],
    /// Largest tangential load over what breaks away.
    pub share: f64,
    /// Whether the load jumps, which the law answers with more than the path of slow loading.
    pub jumps: bool,
    /// Natural frequency of the mass on its bristles, Hz, if the load swings too fast for the path
    /// of slow loading.
    pub inert: Option<f64>,
}

/// The drift of `law` under a record of loads, if it is one whose bristles give way below
/// break-away ([`Behaviour::Drifts`]) and there are two cycles or more.
///
/// Slow loading and unloading, with the level at rest: dx = dz/(1 ∓ r) with r the bristle force
/// over its limit L, so that a cycle between the shares r₁ and r₂ leaves
/// (L/σ₀) ln((1 − r₁²)/(1 − r₂²)). This is the exact result for a law without damping at a slow
/// load, and within some 15 % of simulations of vibrating blocks below a third of their natural
/// frequency.
pub fn drift(law: &Friction, loads: &LoadHistory) -> Option<Drift> {
    let mass = loads.mass;
    let loads = &loads.all[..];
    if !law.card().does(Behaviour::Drifts) {
        return None;
    }
    let mu = law.highest_level()?;
    // along the direction of the largest load
    let largest = loads
        .iter()
        .filter(|load| load.normal > 0.0)
        .max_by(|a, b| a.size().total_cmp(&b.size()))?;
    let along = |load: &ContactLoad| {
        let [x, y] = largest.tangential;
        (load.tangential[0] * x + load.tangential[1] * y) / largest.size()
    };
    let shares: Vec<f64> = loads
        .iter()
        .map(|load| {
            let share = along(load) / (mu * load.normal);
            // without load, or sliding: that ends the stick
            if share.abs() < 1.0 { share } else { f64::NAN }
        })
        .collect();
    let turns = turns(&shares);
    let mut sum = Sum::default();
    for three in turns.windows(3) {
        let [a, b, c] = [three[0], three[1], three[2]].map(|i| shares[i]);
        // up from the higher of two lows and back again; downwards alike
        let (low, high) = if b > a { (a.max(c), b) } else { (a.min(c), b) };
        if low * high < 0.0 || high.abs() < low.abs() || !(a.is_finite() && c.is_finite()) {
            continue;
        }
        let normal = loads[three[1]].normal;
        let length = mu * normal / law.stiffness(normal)?;
        let step = length * ((1.0 - low * low) / (1.0 - high * high)).ln();
        sum.add(three, step * high.signum(), high.abs());
    }
    let mut drift = sum.finish(loads, along)?;
    let stiffness = law.stiffness(0.5 * (drift.normal[0] + drift.normal[1]))?;
    let natural = (stiffness / mass).sqrt() / std::f64::consts::TAU;
    let frequency = drift.cycles as f64 / drift.duration;
    drift.inert = (frequency > natural / 3.0).then_some(natural);
    Some(drift)
}

/// Cycles so far.
#[derive(Default)]
struct Sum {
    path: f64,
    cycles: usize,
    first: usize,
    last: usize,
    share: f64,
}

impl Sum {
    fn add(&mut self, three: &[usize], step: f64, share: f64) {
        if self.cycles == 0 {
            self.first = three[0];
        }
        self.last = three[2];
        self.path += step;
        self.cycles += 1;
        self.share = self.share.max(share);
    }

    fn finish(self, loads: &[ContactLoad], along: impl Fn(&ContactLoad) -> f64) -> Option<Drift> {
        let cycles = loads.get(self.first..=self.last)?;
        if self.cycles < 2 {
            return None;
        }
        let normal = cycles
            .iter()
            .map(|load| load.normal)
            .fold([f64::INFINITY, 0.0], |[a, b], n| [n.min(a), n.max(b)]);
        Some(Drift {
            path: self.path.abs(),
            cycles: self.cycles,
            duration: loads[self.last].t - loads[self.first].t,
            by_normal_force: variation(cycles, &|load| load.normal) > variation(cycles, &along),
            normal,
            share: self.share,
            jumps: jumps(cycles),
            inert: None,
        })
    }
}

/// All ups and downs of a quantity over its mean.
fn variation(loads: &[ContactLoad], value: &dyn Fn(&ContactLoad) -> f64) -> f64 {
    let steps = loads
        .windows(2)
        .map(|two| (value(&two[1]) - value(&two[0])).abs());
    let mean = loads.iter().map(|load| value(load).abs()).sum::<f64>() / loads.len() as f64;
    steps.sum::<f64>() / mean
}

/// Whether a load changes by a tenth of the largest one within no time.
fn jumps(loads: &[ContactLoad]) -> bool {
    let largest = loads.iter().map(ContactLoad::size).fold(0.0, f64::max);
    loads.windows(2).any(|two| {
        let [a, b] = [&two[0], &two[1]];
        let [x, y] = [0, 1].map(|i| b.tangential[i] - a.tangential[i]);
        // a jump is looked at on both sides, one rounding apart
        b.t - a.t <= 4.0 * f64::EPSILON * b.t && x.hypot(y) > 0.1 * largest
    })
}

/// Where a record turns, its ends among them; a gap (NaN) is a turn of its own.
fn turns(shares: &[f64]) -> Vec<usize> {
    let mut turns = Vec::new();
    let mut rising: Option<bool> = None;
    for i in 0..shares.len().saturating_sub(1) {
        let step = shares[i + 1] - shares[i];
        if step.is_nan() {
            if rising.take().is_some() {
                turns.push(i);
            }
            turns.push(i + 1);
        } else if step != 0.0 {
            if rising != Some(step > 0.0) {
                turns.push(i);
            }
            rising = Some(step > 0.0);
        }
    }
    if rising.is_some() {
        turns.push(shares.len() - 1);
    }
    turns.dedup();
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_laws::Value;

    fn loads(pull: impl Fn(f64) -> f64, normal: impl Fn(f64) -> f64) -> LoadHistory {
        let at = |k: u32| {
            let t = f64::from(k) * 1e-3;
            ContactLoad {
                t,
                tangential: [0.6 * pull(t), 0.8 * pull(t)],
                normal: normal(t),
            }
        };
        LoadHistory {
            mass: 1.0,
            all: (0..=10_000).map(at).collect(),
        }
    }

    fn law(name: &str, scale: f64) -> Friction {
        let values = [
            ("sigma_0", 1e4 * scale),
            ("sigma_1", 31.62 * scale),
            ("v_s", 1e-3),
            ("mu_k", 0.1),
            ("mu_s", 0.15),
        ];
        let values = values.map(|(name, x)| (name.to_owned(), Value::Number(x)));
        Friction::build(name, &values.to_vec()).expect("admissible")
    }

    #[test]
    fn a_vibrating_load() {
        // 0.5 + 0.4 sin(10 pi t) N on levels of 1.5 N: by hand 1.5e-5 ln(2.24/1.44) per cycle;
        // a simulated block of 1 kg drifts 6.884e-6 m per cycle
        let pull = |t: f64| 0.5 + 0.4 * (10.0 * std::f64::consts::PI * t).sin();
        for (name, scale) in [("lugre", 1.0), ("lugre_classical", 10.0)] {
            let drift = drift(&law(name, scale), &loads(pull, |_| 10.0)).expect("it drifts");
            let cycle = drift.path / drift.cycles as f64;
            // the first of fifty cycles starts in the middle of the swing: 4.9e-6 instead
            assert!((cycle - 6.593e-6).abs() < 1e-8, "{name} {cycle}");
            assert!((cycle / 6.884e-6 - 1.0).abs() < 0.05, "{name} {cycle}");
            assert!(!drift.by_normal_force && (49..=50).contains(&drift.cycles));
            assert_eq!(drift.inert, None, "{name}");
            // 100 kg on 1e5 N/m have 5.03 Hz, and this is 5 Hz
            let mut heavy = loads(pull, |_| 10.0);
            heavy.mass = 100.0;
            let natural = super::drift(&law(name, scale), &heavy).and_then(|d| d.inert);
            assert!(
                (natural.expect("inert") - 5.033).abs() < 1e-3,
                "{natural:?}"
            );
        }
    }

    #[test]
    fn a_pulsating_normal_force() {
        // 0.75 N under 10 + 2 sin(20 pi t) N: by hand 1.5e-5 ln(0.018594/0.013711) per cycle;
        // simulated 5.22e-6
        let normal = |t: f64| 10.0 + 2.0 * (20.0 * std::f64::consts::PI * t).sin();
        let drift = drift(&law("lugre", 1.0), &loads(|_| 0.75, normal)).expect("it drifts");
        let cycle = drift.path / drift.cycles as f64;
        // sampled at a hundredth of the period
        assert!((cycle - 4.57e-6).abs() < 5e-8, "{cycle}");
        assert!((cycle / 5.22e-6 - 1.0).abs() < 0.15, "{cycle}");
        assert!(drift.by_normal_force && (98..=100).contains(&drift.cycles));
        assert!((drift.normal[0] - 8.0).abs() < 0.01 && (drift.normal[1] - 12.0).abs() < 0.01);
    }

    #[test]
    fn jumps_are_seen() {
        let pull = |t: f64| if t.rem_euclid(2.0) < 1.0 { 0.1 } else { 1.2 };
        let smooth = loads(pull, |_| 10.0);
        let sides = (1..10).flat_map(|k| {
            let t = f64::from(k);
            [t.next_down(), t.next_up()].map(|t| ContactLoad {
                t,
                tangential: [0.6 * pull(t), 0.8 * pull(t)],
                normal: 10.0,
            })
        });
        let mut sharp = smooth.clone();
        sharp.all.extend(sides);
        sharp.all.sort_by(|a, b| a.t.total_cmp(&b.t));
        let law = law("lugre", 1.0);
        // what changes within a millisecond is no jump
        assert!(!drift(&law, &smooth).expect("it drifts").jumps);
        assert!(drift(&law, &sharp).expect("it drifts").jumps);
    }

    #[test]
    fn no_cycles_no_drift() {
        let law = law("lugre", 1.0);
        assert_eq!(drift(&law, &loads(|_| 0.5, |_| 10.0)), None);
        assert_eq!(drift(&law, &loads(|t| 0.09 * t, |_| 10.0)), None);
        // sliding all the time
        assert_eq!(drift(&law, &loads(|t| 5.0 + t.sin(), |_| 10.0)), None);
        assert_eq!(drift(&law, &loads(|_| 0.5, |_| 0.0)), None);
        let none = LoadHistory {
            mass: 1.0,
            all: Vec::new(),
        };
        assert_eq!(drift(&law, &none), None);
    }
}
