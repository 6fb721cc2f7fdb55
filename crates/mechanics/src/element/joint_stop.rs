//! Stops of a single joint coordinate: a normal-force law at the ends of its range.

use super::{
    ElasticPart, Element, ElementInput, EnergyAccount, JointElement, JointForce, JointInput,
    TangentWeights, WithinStep, WorkPair,
};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::constraint::JointOwner;
use bristle_laws::Normal;
use bristle_laws::normal::{Indentation, NormalForce};

/// Stops at the ends of the range of a joint coordinate q.
///
/// $$ \delta = \rho\,\max(q-q_{\max},\; q_{\min}-q), \qquad Q = \mp\rho\,N(\delta,\dot\delta) $$
///
/// with the normal-force law N of the faces that meet. For a displacement ρ = 1, for an angle ρ is
/// the radius at which they meet, m.
#[derive(Clone, Debug)]
pub struct JointStop {
    /// Name.
    pub name: String,
    /// The joint it is in. The angle of a loop is counted within half a turn of 0.
    pub joint: JointOwner,
    /// Place of the coordinate among the single coordinates of the joint.
    pub place: usize,
    /// Least coordinate, m or rad.
    pub min: Option<f64>,
    /// Largest coordinate, m or rad.
    pub max: Option<f64>,
    /// The law of the faces.
    pub normal: Normal,
    /// Radius ρ at which they meet, m; a displacement has none.
    pub radius: Option<f64>,
}

/// Its history: the coordinate, its rate, and the closing speed at touch-down, m/s.
struct StopHistory {
    coordinate: f64,
    rate: f64,
    impact_rate: f64,
}

impl StopHistory {
    const LEN: usize = 3;

    fn read(history: &[f64]) -> Self {
        Self {
            coordinate: history[0],
            rate: history[1],
            impact_rate: history[2],
        }
    }

    fn write(&self, history: &mut [f64]) {
        history.copy_from_slice(&[self.coordinate, self.rate, self.impact_rate]);
    }
}

/// The end of the range that is near.
struct NearEnd {
    /// Depth beyond it, m.
    depth: f64,
    /// 1 at the upper end, −1 at the lower one.
    sign: f64,
}

impl JointStop {
    fn lever(&self) -> f64 {
        self.radius.unwrap_or(1.0)
    }

    fn end(&self, coordinate: f64) -> NearEnd {
        let beyond = |end: Option<f64>, sign: f64| NearEnd {
            depth: end.map_or(f64::NEG_INFINITY, |end| {
                self.lever() * sign * (coordinate - end)
            }),
            sign,
        };
        let (upper, lower) = (beyond(self.max, 1.0), beyond(self.min, -1.0));
        if upper.depth >= lower.depth {
            upper
        } else {
            lower
        }
    }

    fn normal_force(&self, end: &NearEnd, motion: &StopHistory) -> NormalForce {
        self.normal.evaluate(&Indentation {
            depth: end.depth,
            rate: self.lever() * end.sign * motion.rate,
            impact_rate: motion.impact_rate,
        })
    }

    fn touches(&self, history: &[f64]) -> bool {
        self.end(StopHistory::read(history).coordinate).depth > 0.0
    }
}

impl Element for JointStop {
    fn kind(&self) -> &'static str {
        "joint_stop"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> [BodyId; 2] {
        self.joint.bodies()
    }

    fn history_len(&self) -> usize {
        StopHistory::LEN
    }

    fn stored_energy(&self, at: &ElementInput<'_>) -> f64 {
        let end = self.end(StopHistory::read(at.history).coordinate);
        self.normal.stored_energy(end.depth)
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        let motion = StopHistory::read(at.history);
        let end = self.end(motion.coordinate);
        let elastic = self.normal.evaluate(&Indentation {
            depth: end.depth,
            rate: 0.0,
            impact_rate: motion.impact_rate,
        });
        out(WorkPair {
            force: self.normal_force(&end, &motion).force,
            // out of touch there is no force: what lies there of a step does no work
            coordinate: end.depth.max(0.0),
            rate: self.lever() * end.sign * motion.rate,
            rate_only: false,
            elastic: Some(ElasticPart {
                force: elastic.force,
                energy: self.normal.stored_energy(end.depth),
            }),
            account: EnergyAccount::Dissipated,
        });
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        let (what, unit) = if self.radius.is_some() {
            ("torque", "N m")
        } else {
            ("force", "N")
        };
        let name = format!("joint_stop.{}.{what}", self.name);
        let meaning = format!("{what} of the stop on the joint coordinate");
        vec![ChannelInfo::new(name, unit, &meaning)]
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        let motion = StopHistory::read(at.history);
        let end = self.end(motion.coordinate);
        out.push(-end.sign * self.lever() * self.normal_force(&end, &motion).force);
    }

    fn touching_stops(&self, history: &[f64], seed: u64) -> u64 {
        seed.wrapping_mul(31)
            .wrapping_add(u64::from(self.touches(history)) + 1)
    }

    fn stop_begins(&self, before: &[f64], after: &[f64]) -> bool {
        !self.touches(before) && self.touches(after)
    }
}

impl JointElement for JointStop {
    fn joint(&self) -> (JointOwner, usize) {
        (self.joint, self.place)
    }

    fn start(&self, at: &JointInput<'_>, history: &mut [f64]) {
        let motion = StopHistory {
            coordinate: at.coordinate,
            rate: at.rate,
            impact_rate: 0.0,
        };
        motion.write(history);
    }

    fn apply(
        &self,
        at: &JointInput<'_>,
        history: &mut [f64],
        weights: Option<TangentWeights>,
    ) -> JointForce {
        let old = StopHistory::read(at.history);
        let end = self.end(at.coordinate);
        let impact_rate = if end.depth <= 0.0 {
            0.0
        } else if self.touches(at.history) || at.step <= 0.0 {
            old.impact_rate
        } else {
            // a step that goes through an impact ends with another speed than that of the touch-down
            self.lever() * end.sign * old.rate
        };
        let motion = StopHistory {
            coordinate: at.coordinate,
            rate: at.rate,
            impact_rate,
        };
        let normal = self.normal_force(&end, &motion);
        motion.write(history);
        let lever = self.lever();
        JointForce {
            force: lever * end.sign * normal.force,
            slope: weights.map_or(0.0, |weights| {
                let own = weights.stiffness * normal.stiffness + weights.damping * normal.damping;
                lever * lever * own
            }),
            by_reaction: 0.0,
        }
    }

    fn renew_motion(&self, rate: f64, history: &mut [f64]) {
        history[1] = rate;
    }

    fn follow(&self, at: &WithinStep<'_>, history: &mut [f64]) {
        history[..2].copy_from_slice(&[at.coordinate, at.rate]);
    }

    fn history_rates(&self, at: &JointInput<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
        rates[0] = at.rate;
    }
}
