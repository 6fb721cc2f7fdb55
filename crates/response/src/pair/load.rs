//! What presses a pair.

use bristle_laws::Normal;
use bristle_laws::normal::{Indentation, NormalForce};

/// A load that is given over the period: N = max(0, N₀ + Σ N_k cos(kθ + φ_k)).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PeriodicLoad {
    /// N₀, N.
    pub mean: f64,
    /// Order, amplitude (N), phase (rad).
    pub harmonics: Vec<LoadHarmonic>,
}

/// A harmonic of a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadHarmonic {
    /// Multiple of the frequency of the response.
    pub order: usize,
    /// Amplitude, N.
    pub amplitude: f64,
    /// Phase against a cosine, rad.
    pub phase: f64,
}

impl PeriodicLoad {
    /// The load at an angle θ, N.
    pub fn value(&self, theta: f64) -> f64 {
        let wave = |h: &LoadHarmonic| h.amplitude * (h.order as f64 * theta + h.phase).cos();
        (self.mean + self.harmonics.iter().map(wave).sum::<f64>()).max(0.0)
    }
}

/// Where the normal force comes from.
#[derive(Clone, Debug)]
pub enum NormalLoad {
    /// Given.
    Given(PeriodicLoad),
    /// A normal-force law and the gap at rest, m.
    Law {
        /// The law.
        law: Normal,
        /// Height above the plane at rest, m; negative in contact.
        gap: f64,
        /// Normal force at rest, N.
        at_rest: f64,
    },
}

/// Normal force at a sample with its derivatives by the gap and its rate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SampleLoad {
    pub(super) force: f64,
    pub(super) by_gap: f64,
    pub(super) by_gap_rate: f64,
    pub(super) impact_rate: f64,
    pub(super) gap: f64,
}

impl NormalLoad {
    /// The load at rest, N.
    pub fn at_rest(&self) -> f64 {
        match self {
            Self::Given(load) => load.mean.max(0.0),
            Self::Law { at_rest, .. } => *at_rest,
        }
    }

    pub(super) fn stiffness_at_rest(&self) -> f64 {
        let Self::Law { law, gap, .. } = self else {
            return 0.0;
        };
        let rest = Indentation {
            depth: -gap,
            rate: 0.0,
            impact_rate: 0.0,
        };
        law.evaluate(&rest).stiffness
    }

    /// The load at the angle θ, for a displacement of the gap (m) and its rate (m/s); `before` is
    /// the sample before it.
    pub(super) fn at(
        &self,
        theta: f64,
        displacement: f64,
        rate: f64,
        before: &SampleLoad,
    ) -> SampleLoad {
        match self {
            Self::Given(load) => SampleLoad {
                force: load.value(theta),
                ..SampleLoad::default()
            },
            Self::Law { law, gap, .. } => {
                let now = gap + displacement;
                // the closing speed at touch-down stays until the bodies part
                let impact_rate = if now >= 0.0 {
                    0.0
                } else if before.gap < 0.0 && before.impact_rate > 0.0 {
                    before.impact_rate
                } else {
                    (-rate).max(0.0)
                };
                let NormalForce {
                    force,
                    stiffness,
                    damping,
                } = law.evaluate(&Indentation {
                    depth: -now,
                    rate: -rate,
                    impact_rate,
                });
                SampleLoad {
                    force,
                    by_gap: -stiffness,
                    by_gap_rate: -damping,
                    impact_rate,
                    gap: now,
                }
            }
        }
    }
}
