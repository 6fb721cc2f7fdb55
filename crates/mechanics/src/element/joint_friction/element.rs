//! Joint friction as a force element.

use super::{JointFriction, JointLoad, MAX_MEMORY, Now, hold};
use crate::body::BodyId;
use crate::element::within::{hermite, turn};
use crate::element::{
    Account, Conjugate, Element, JointForce, JointMoment, Moment, Sink, SlipPlaces, TangentWeights,
};
use crate::frame::Frame;
use bristle_integrate::SlipState;
use bristle_laws::Slip;

/// A mode whose margin is this close to its end switches.
const TOGETHER: f64 = 1e-9;

impl Element for JointFriction {
    fn kind(&self) -> &'static str {
        "joint_friction"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn memory(&self) -> usize {
        self.own() + super::OWN
    }

    /// Nothing acts on bodies: see [`Element::apply_joint`].
    fn apply(&self, _at: &Moment<'_>, _memory: &mut [f64], _sink: &mut dyn Sink) {}

    fn as_joint_friction(&self) -> Option<&JointFriction> {
        Some(self)
    }

    fn joint(&self) -> Option<(BodyId, usize)> {
        Some((self.body, self.place))
    }

    fn start_joint(&self, at: &JointMoment<'_>, memory: &mut [f64]) {
        let (states, own) = (self.states(), self.own());
        let (v, load) = (self.radius * at.rate, self.load_at(at));
        let slip = Slip::new([v], load);
        self.friction.start(&slip, &mut memory[..states]);
        if let Some(law) = self.friction.stiction() {
            hold::start(law, v, &mut memory[states..own]);
        }
        memory[own..].copy_from_slice(&[self.radius * at.coordinate, v, load]);
    }

    fn apply_joint(
        &self,
        at: &JointMoment<'_>,
        memory: &mut [f64],
        weights: Option<TangentWeights>,
    ) -> JointForce {
        let radius = self.radius;
        if at.step <= 0.0 {
            memory.copy_from_slice(at.memory);
            let slip = Slip::new([radius * at.rate], self.load_now(at.t, at.memory));
            return JointForce {
                force: radius * self.force_at(&slip, at.memory),
                slope: 0.0,
            };
        }
        let (force, tangent) = self.advance(at, memory, weights.is_some());
        let slope = weights.map_or(0.0, |weights| {
            weights.damping * tangent.velocity[0][0]
                + weights.stiffness * tangent.mean_velocity[0][0] / at.step
        });
        JointForce {
            force: radius * force,
            slope: radius * radius * slope,
        }
    }

    fn stored(&self, t: f64, frames: &[Frame], memory: &[f64]) -> f64 {
        self.held(t, frames, memory)
    }

    fn held(&self, t: f64, _frames: &[Frame], memory: &[f64]) -> f64 {
        let load = self.load_now(t, memory);
        self.friction
            .stored_energy::<1>(load, &memory[..self.states()])
    }

    fn conjugates(
        &self,
        t: f64,
        _frames: &[Frame],
        memory: &[f64],
        out: &mut dyn FnMut(Conjugate),
    ) {
        let now = self.now(t, memory);
        out(Conjugate {
            force: now.force,
            coordinate: memory[self.own()],
            rate: now.slip.velocity[0],
            rate_only: false,
            account: Account::Dissipated,
        });
    }

    fn natural_sizes(&self) -> Option<(f64, f64)> {
        if let Some(law) = self.friction.stiction() {
            return Some((law.speed * hold::GIVE, law.speed));
        }
        let length = self.friction.breakaway_deflection(self.typical_load())?;
        Some((length, self.friction.slip_speed()))
    }

    fn memory_scales(&self, scales: &mut [f64]) {
        scales.fill(0.0);
        if let Some(size) = self.friction.state_size(self.typical_load()) {
            scales[..self.friction.layout().vectors].fill(size);
        }
    }

    fn memory_rates(&self, t: f64, _frames: &[Frame], memory: &[f64], rates: &mut [f64]) {
        rates.fill(0.0);
        let states = self.states();
        let slip = self.slip_now(t, memory);
        self.friction
            .rates(&slip, &memory[..states], &mut rates[..states]);
    }

    fn joint_memory_rates(&self, at: &JointMoment<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
        let (states, own) = (self.states(), self.own());
        let velocity = self.radius * at.rate;
        let slip = Slip::new([velocity], self.load_now(at.t, at.memory));
        self.friction
            .rates(&slip, &at.memory[..states], &mut rates[..states]);
        rates[own] = velocity;
    }

    fn memory_between(&self, ends: (&Moment<'_>, &Moment<'_>), theta: f64, memory: &mut [f64]) {
        let (from, to) = (ends.0.memory, ends.1.memory);
        let h = ends.1.t - ends.0.t;
        let (vectors, states) = (self.friction.layout().vectors, self.states());
        let mut rates = [[0.0; MAX_MEMORY]; 2];
        for (end, rates) in [ends.0, ends.1].into_iter().zip(&mut rates) {
            self.memory_rates(end.t, end.frames, end.memory, &mut rates[..memory.len()]);
        }
        for (j, out) in memory.iter_mut().enumerate() {
            let mode = (vectors..self.own()).contains(&j) && j != states;
            let scalar_state =
                j == states && states > vectors && self.friction.stiction().is_none();
            *out = if j < vectors {
                let slopes = [h * rates[0][j], h * rates[1][j]];
                hermite([from[j], to[j]], slopes, theta)
            } else if mode || scalar_state {
                if theta < 1.0 { from[j] } else { to[j] }
            } else {
                from[j] + theta * (to[j] - from[j])
            };
        }
    }

    fn switches(&self) -> bool {
        self.friction.jumps() || self.friction.stiction().is_some()
    }

    fn margin(&self, t: f64, _frames: &[Frame], memory: &[f64]) -> f64 {
        let (states, own) = (self.states(), self.own());
        let slip = self.slip_now(t, memory);
        match self.friction.stiction() {
            Some(law) => hold::margin(law, slip.velocity[0], &memory[states..own]),
            None => self.friction.mode_margin(&slip, &memory[..states]),
        }
    }

    fn switch(&self, t: f64, frames: &[Frame], memory: &mut [f64]) {
        if self.margin(t, frames, memory) >= TOGETHER {
            return;
        }
        let (states, own) = (self.states(), self.own());
        let slip = self.slip_now(t, memory);
        match self.friction.stiction() {
            Some(law) => hold::switch(law, slip.velocity[0], &mut memory[states..own]),
            None => self.friction.change_mode(&slip, &mut memory[..states]),
        }
    }

    /// As in a contact: the law sees the displacement of the step, and misses a way to and fro.
    fn turn(&self, h: f64, before: &[f64], after: &[f64]) -> Option<f64> {
        let own = self.own();
        let (u, v, load) = (before[own + 1], after[own + 1], after[own + 2]);
        if u * v >= 0.0 || load <= 0.0 {
            return None;
        }
        let (forth, back) = (u.abs(), v.abs());
        turn(&self.friction, h, (forth, back), load)
    }

    fn slips(&self, t: f64, _frames: &[Frame], memory: &[f64], each: &mut dyn FnMut(SlipState)) {
        let slip = self.slip_now(t, memory);
        if slip.normal_force <= 0.0 {
            return;
        }
        let speed = self.friction.slip_speed();
        let deflection = self.friction.breakaway_deflection(slip.normal_force);
        each(SlipState {
            ratio: slip.velocity[0].abs() / speed,
            rate: deflection.map_or(0.0, |z| speed / z),
        });
    }

    fn breakpoints(&self, end_time: f64) -> Vec<f64> {
        match &self.load {
            JointLoad::Given(signal) => signal.breakpoints(end_time),
            JointLoad::Reaction { .. } => Vec::new(),
        }
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.body, self.body]
    }

    fn slip_threshold(&self) -> Option<f64> {
        Some(self.slip_speed)
    }

    fn slip_speed_now(&self, t: f64, memory: &[f64]) -> Option<f64> {
        let slip = self.slip_now(t, memory);
        (slip.normal_force > 0.0).then_some(slip.velocity[0].abs())
    }

    fn slip_places(&self, _t: f64, _frames: &[Frame], memory: &[f64]) -> SlipPlaces {
        vec![Some([memory[self.own()], 0.0])]
    }

    fn channels(&self) -> Vec<(String, &'static str, String)> {
        let one = |what: &str, unit, meaning: &str| {
            let name = format!("joint_friction.{}.{what}", self.name);
            (name, unit, meaning.to_owned())
        };
        let mut out = vec![
            one("friction", "N", "friction along the slip"),
            one("load", "N", "load on the sliding faces"),
            one("coefficient", "1", "friction over load"),
            one("slip_velocity", "m/s", "slip velocity"),
            one(
                "slip",
                "m",
                "slip displacement: the coordinate times the friction radius",
            ),
        ];
        if (self.radius - 1.0).abs() > f64::EPSILON {
            out.push(one("torque", "N m", "friction torque along the rotation"));
        }
        let layout = self.friction.layout();
        for k in 1..=layout.vectors {
            let name = if k == 1 {
                "state".to_owned()
            } else {
                format!("state{k}")
            };
            out.push(one(&name, "m", "friction state"));
        }
        for k in 1..=layout.scalars {
            out.push(one(
                &format!("mode{k}"),
                "1",
                "scalar friction state or mode",
            ));
        }
        out
    }

    fn sample(&self, t: f64, _frames: &[Frame], memory: &[f64], out: &mut Vec<f64>) {
        let Now { slip, force } = self.now(t, memory);
        let load = slip.normal_force;
        let coefficient = if load > 0.0 { force / load } else { 0.0 };
        let slid = memory[self.own()];
        out.extend([force, load, coefficient, slip.velocity[0], slid]);
        if (self.radius - 1.0).abs() > f64::EPSILON {
            out.push(self.radius * force);
        }
        out.extend_from_slice(&memory[..self.states()]);
    }
}
