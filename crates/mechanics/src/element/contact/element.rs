//! The contact as a force element.

use super::blocks::{Blocks, Slopes};
use super::events::TOGETHER;
use super::{Contact, MAX_MEMORY, OWN, PLANE, Pressing, hold, report};
use crate::body::BodyId;
use crate::element::within::hermite;
use crate::element::{Account, Conjugate, Element, Moment, Sink, SlipPlaces};
use crate::frame::{Frame, Mat3, Vec3};
use bristle_integrate::SlipState;
use bristle_laws::normal::Indentation;
use bristle_laws::{MAX_STATES, Slip};

impl Element for Contact {
    fn kind(&self) -> &'static str {
        "contact"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn memory(&self) -> usize {
        self.points.len() * self.point_memory()
    }

    fn start(&self, t: f64, frames: &[Frame], memory: &mut [f64]) {
        let (size, states) = (self.point_memory(), self.states());
        for (point, memory) in self.points.iter().zip(memory.chunks_exact_mut(size)) {
            let relative = self.relative(point, frames);
            let impact = Self::impact_rate(&relative, 0.0);
            let normal = self.normal_force(t, &relative, impact).force;
            let slip = Slip::new([relative.u.x, relative.u.y], normal);
            self.friction.start(&slip, &mut memory[..states]);
            let place = relative.place();
            let (own, rest) = memory[states..].split_at_mut(OWN);
            let [u, v] = slip.velocity;
            own.copy_from_slice(&[place[0], place[1], normal, impact, u, v]);
            if let Some(law) = self.friction.stiction() {
                hold::start(law, slip.velocity, &mut rest[..hold::MEMORY]);
            }
            if self.resistance.is_some() {
                let at = now(t, frames, &[]);
                let w = self.relative_rate(&at, &relative);
                Self::start_couple(w, &mut memory[self.couple_memory()..]);
            }
        }
    }

    fn apply(&self, at: &Moment<'_>, memory: &mut [f64], sink: &mut dyn Sink) {
        let size = self.point_memory();
        let weights = sink.weights();
        // a plane that is moved by a drive does not yield, but its drive feels the force
        let both = sink.moves(self.plane.body);
        let carried = self.plane.body != BodyId::GROUND;
        let zero = Vec3::zeros();
        let (mut force, mut moment_a, mut moment_b) = (zero, zero, zero);
        let mut blocks = Blocks::ZERO;
        let w = [&at.frames[self.body.0].w, &at.frames[self.plane.body.0].w];
        let turns = w.iter().any(|w| **w != zero);
        let pairs = at
            .memory
            .chunks_exact(size)
            .zip(memory.chunks_exact_mut(size));
        for (point, (old, new)) in self.points.iter().zip(pairs) {
            let relative = self.relative(point, at.frames);
            let local = self.advance(at, &relative, (old, new), weights.is_some());
            let f = relative.axes * self.local_force(&local);
            force += f;
            moment_a += relative.arm_a.cross(&f);
            if carried {
                moment_b += relative.arm_b.cross(&f);
            }
            let turn = |m: Mat3| relative.axes * m * relative.axes.transpose();
            if let Some(couple) = &local.couple {
                let moment = relative.axes * couple.moment;
                moment_a += moment;
                moment_b += moment;
            }
            if let Some(weights) = weights.filter(|_| at.step > 0.0) {
                let (by_y, by_u) = self.local_tangent(&local, relative.rolls, at.step);
                if let Some(couple) = &local.couple {
                    blocks.add_couple(&turn(couple.by_rate * weights.damping), both);
                }
                let slopes = Slopes {
                    d: turn(by_y * weights.stiffness + by_u * weights.damping),
                    e: if turns {
                        turn(by_u * weights.stiffness)
                    } else {
                        Mat3::zeros()
                    },
                    force: f * weights.stiffness,
                };
                blocks.add(&relative, &slopes, w, both);
            }
        }
        sink.wrench(self.body, &force, &moment_a);
        if carried {
            sink.wrench(self.plane.body, &-force, &-moment_b);
        }
        if weights.is_some() {
            sink.block(self.body, self.body, &blocks.aa);
            if both {
                sink.block(self.body, self.plane.body, &blocks.ab);
                sink.block(self.plane.body, self.body, &blocks.ba);
                sink.block(self.plane.body, self.plane.body, &blocks.bb);
            }
        }
    }

    fn stored(&self, t: f64, frames: &[Frame], memory: &[f64]) -> f64 {
        let elastic = match &self.pressing {
            Pressing::Law(law) => self.points.iter().fold(0.0, |sum, point| {
                sum + law.stored_energy(-self.relative(point, frames).y.z)
            }),
            Pressing::Prescribed(_) => 0.0,
        };
        elastic + self.held(t, frames, memory)
    }

    fn held(&self, t: f64, frames: &[Frame], memory: &[f64]) -> f64 {
        let (size, states) = (self.point_memory(), self.states());
        let points = self.points.iter().zip(memory.chunks_exact(size));
        points.fold(0.0, |sum, (point, memory)| {
            let normal = self.normal_force(t, &self.relative(point, frames), memory[states + 3]);
            let couple = self.resistance.as_ref().map_or(0.0, |resistance| {
                Self::held_by_couple(resistance, normal.force, &memory[self.couple_memory()..])
            });
            let bristles = &memory[..states];
            sum + couple + self.friction.stored_energy::<PLANE>(normal.force, bristles)
        })
    }

    fn conjugates(&self, t: f64, frames: &[Frame], memory: &[f64], out: &mut dyn FnMut(Conjugate)) {
        let (size, states) = (self.point_memory(), self.states());
        for (point, memory) in self.points.iter().zip(memory.chunks_exact(size)) {
            let r = self.relative(point, frames);
            let at = now(t, frames, memory);
            let mut unused = [0.0; MAX_MEMORY];
            let local = self.advance(&at, &r, (memory, &mut unused[..size]), false);
            let mut book = |force, coordinate, rate, rate_only| {
                let account = Account::Dissipated;
                out(Conjugate {
                    force,
                    coordinate,
                    rate,
                    rate_only,
                    account,
                });
            };
            book(local.friction[0], r.y.x, r.u.x, r.rolls);
            book(local.friction[1], r.y.y, r.u.y, r.rolls);
            if let Some(couple) = &local.couple {
                let w = self.relative_rate(&at, &r);
                for i in 0..3 {
                    book(-couple.moment[i], 0.0, w[i], true);
                }
            }
            if let Pressing::Law(law) = &self.pressing {
                // what the normal force does beyond its elastic part
                let at_rest = Indentation {
                    depth: -r.y.z,
                    rate: 0.0,
                    impact_rate: memory[states + 3],
                };
                let force = local.normal.force - law.evaluate(&at_rest).force;
                book(force, -r.y.z, -r.u.z, false);
            }
        }
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
        let vectors = self.friction.layout().vectors * PLANE;
        let size = self.friction.state_size(self.typical_load());
        for point in scales.chunks_exact_mut(self.point_memory()) {
            if let Some(size) = size {
                point[..vectors].fill(size);
            }
            if self.resistance.is_some() {
                Self::angle_scales(&mut point[self.couple_memory()..]);
            }
        }
    }

    fn memory_rates(&self, t: f64, frames: &[Frame], memory: &[f64], rates: &mut [f64]) {
        rates.fill(0.0);
        let (size, states) = (self.point_memory(), self.states());
        let all = memory.chunks_exact(size).zip(rates.chunks_exact_mut(size));
        for (point, (memory, rates)) in self.points.iter().zip(all) {
            let relative = self.relative(point, frames);
            let normal = self.normal_force(t, &relative, memory[states + 3]);
            let slip = Slip::new([relative.u.x, relative.u.y], normal.force);
            self.friction
                .rates(&slip, &memory[..states], &mut rates[..states]);
            if let Some(resistance) = &self.resistance {
                let w = self.relative_rate(&now(t, frames, memory), &relative);
                let from = self.couple_memory();
                resistance.rates(w, normal.force, &memory[from..], &mut rates[from..]);
            }
        }
    }

    fn memory_between(&self, ends: (&Moment<'_>, &Moment<'_>), theta: f64, memory: &mut [f64]) {
        let (size, states) = (self.point_memory(), self.states());
        let h = ends.1.t - ends.0.t;
        let vectors = self.friction.layout().vectors * PLANE;
        for (i, point) in self.points.iter().enumerate() {
            let range = i * size..(i + 1) * size;
            let (from, to) = (&ends.0.memory[range.clone()], &ends.1.memory[range.clone()]);
            let out = &mut memory[range];
            let mut rates = [[0.0; MAX_STATES]; 2];
            for (end, (old, rates)) in [ends.0, ends.1]
                .iter()
                .zip([from, to].iter().zip(&mut rates))
            {
                let relative = self.relative(point, end.frames);
                let normal = self.normal_force(end.t, &relative, old[states + 3]);
                let slip = Slip::new([relative.u.x, relative.u.y], normal.force);
                self.friction
                    .rates(&slip, &old[..states], &mut rates[..states]);
            }
            for j in 0..size {
                let held = self.friction.stiction().is_some() && j == states + OWN + PLANE;
                let mode = (vectors..states).contains(&j) || held;
                out[j] = if j < vectors {
                    hermite([from[j], to[j]], [h * rates[0][j], h * rates[1][j]], theta)
                } else if mode {
                    if theta < 1.0 { from[j] } else { to[j] }
                } else {
                    from[j] + theta * (to[j] - from[j])
                };
            }
        }
    }

    fn switches(&self) -> bool {
        self.friction.jumps() || self.friction.stiction().is_some()
    }

    fn margin(&self, t: f64, frames: &[Frame], memory: &[f64]) -> f64 {
        let points = self.points.iter();
        let memories = memory.chunks_exact(self.point_memory());
        points
            .zip(memories)
            .map(|(point, memory)| {
                self.point_margin(&self.slip_at(t, point, frames, memory), memory)
            })
            .fold(f64::INFINITY, f64::min)
    }

    fn switch(&self, t: f64, frames: &[Frame], memory: &mut [f64]) {
        let (size, states) = (self.point_memory(), self.states());
        for (point, memory) in self.points.iter().zip(memory.chunks_exact_mut(size)) {
            let slip = self.slip_at(t, point, frames, memory);
            if self.point_margin(&slip, memory) >= TOGETHER {
                continue;
            }
            let (state, own) = memory.split_at_mut(states);
            match self.friction.stiction() {
                Some(law) => hold::switch(law, slip.velocity, &mut own[OWN..]),
                None => self.friction.change_mode(&slip, state),
            }
        }
    }

    fn turn(&self, h: f64, before: &[f64], after: &[f64]) -> Option<f64> {
        let (size, states) = (self.point_memory(), self.states());
        let ends = before.chunks_exact(size).zip(after.chunks_exact(size));
        ends.filter_map(|(from, to)| self.point_turn(h, &from[states..], &to[states..]))
            .reduce(f64::min)
    }

    /// The slip of a ball is no displacement in the plane.
    fn slip_places(&self, t: f64, frames: &[Frame], memory: &[f64]) -> SlipPlaces {
        let size = self.point_memory();
        let place = |(point, memory): (_, &[f64])| {
            let relative = self.relative(point, frames);
            let normal = self.normal_force(t, &relative, memory[self.states() + 3]);
            (normal.force > 0.0 && !relative.rolls).then(|| relative.place())
        };
        self.points
            .iter()
            .zip(memory.chunks_exact(size))
            .map(place)
            .collect()
    }

    fn slips(&self, t: f64, frames: &[Frame], memory: &[f64], each: &mut dyn FnMut(SlipState)) {
        let speed = self.friction.slip_speed();
        for (point, memory) in self
            .points
            .iter()
            .zip(memory.chunks_exact(self.point_memory()))
        {
            let slip = self.slip_at(t, point, frames, memory);
            if slip.normal_force > 0.0 {
                let [x, y] = slip.velocity;
                let deflection = self.friction.breakaway_deflection(slip.normal_force);
                each(SlipState {
                    ratio: x.hypot(y) / speed,
                    rate: deflection.map_or(0.0, |z| self.kinetic_share(speed) * speed / z),
                });
            }
        }
    }

    fn breakpoints(&self, end_time: f64) -> Vec<f64> {
        match &self.pressing {
            Pressing::Law(_) => Vec::new(),
            Pressing::Prescribed(signal) => signal.breakpoints(end_time),
        }
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.body, self.plane.body]
    }

    fn as_contact(&self) -> Option<&Contact> {
        Some(self)
    }

    fn channels(&self) -> Vec<(String, &'static str, String)> {
        report::channels(self)
    }

    fn sample(&self, t: f64, frames: &[Frame], memory: &[f64], out: &mut Vec<f64>) {
        report::sample(self, t, frames, memory, out);
    }
}

/// A committed moment.
fn now<'a>(t: f64, frames: &'a [Frame], memory: &'a [f64]) -> Moment<'a> {
    Moment {
        t,
        step: 0.0,
        frames,
        memory,
    }
}
