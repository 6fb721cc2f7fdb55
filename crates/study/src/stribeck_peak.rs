//! The Stribeck peak of a law: whether it has one, and how high.

use bristle_laws::Friction;

use crate::adapt::Facts;

/// A smaller difference of the levels is no peak.
const DIFFERENCE: f64 = 0.02;
/// Speeds at which a curve is looked at, m/s: from 10^first to 10^last, so many to a decade.
const DECADES: (i32, i32) = (-7, 1);
const PER_DECADE: i32 = 30;

/// The levels of friction over load before and after break-away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Peak {
    /// μ_s.
    pub(crate) highest: f64,
    /// μ_k.
    pub(crate) sliding: f64,
}

impl Peak {
    /// That of a law under a load (N): from its parameters, else from its steady curve; `None` where
    /// friction does not fall.
    pub(crate) fn of(law: &Friction, load: f64) -> Option<Self> {
        let facts = Facts::of(law, Some(load));
        let known = facts.static_level.zip(facts.kinetic_level);
        let peak = match known {
            Some((highest, sliding)) => Self {
                highest: highest.value,
                sliding: sliding.value,
            },
            None => Self::of_curve(law, load)?,
        };
        (peak.highest > (1.0 + DIFFERENCE) * peak.sliding).then_some(peak)
    }

    /// The largest fall of the steady curve with the speed.
    fn of_curve(law: &Friction, load: f64) -> Option<Self> {
        let speeds = DECADES.0 * PER_DECADE..=DECADES.1 * PER_DECADE;
        let speeds = speeds.map(|i| 10.0_f64.powf(f64::from(i) / f64::from(PER_DECADE)));
        let mut found: Option<Self> = None;
        let mut highest = f64::NEG_INFINITY;
        for speed in speeds {
            let sliding = law.steady(speed, load)? / load;
            highest = highest.max(sliding);
            if found.is_none_or(|peak| highest - sliding > peak.highest - peak.sliding) {
                found = Some(Self { highest, sliding });
            }
        }
        found
    }

    /// A level this part of the way up.
    pub(crate) fn at(&self, part: f64) -> f64 {
        self.sliding + part * (self.highest - self.sliding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typical(name: &str) -> Friction {
        let card = Friction::card_of(name).unwrap();
        Friction::build(name, &bristle_laws::friction::typical(card)).unwrap()
    }

    #[test]
    fn the_peak_is_that_of_the_card_or_of_the_curve() {
        // no level but one: Coulomb's, and Dahl's asymptote
        for name in ["coulomb_tanh", "dahl"] {
            assert_eq!(Peak::of(&typical(name), 10.0), None, "{name}");
        }
        for name in ["lugre", "adams_stick_slip", "gms", "leuven", "karnopp"] {
            let peak = Peak::of(&typical(name), 10.0);
            assert!(
                peak.is_some_and(|p| p.highest > p.sliding),
                "{name}: {peak:?}"
            );
        }
        // Bengisu and Akay, Makkar: levels that no parameter names as such
        let makkar = Peak::of(&typical("makkar"), 10.0);
        assert!(makkar.is_some(), "{makkar:?}");
    }
}
