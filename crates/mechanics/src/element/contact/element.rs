//! The contact as a force element.

use super::blocks::{ContactBlocks, ForceTangent};
use super::geometry::PointPast;
use super::rolling::AngularSlip;
use super::{Contact, NormalForceSource, Resistance, report};
use crate::body::BodyId;
use crate::channel::ChannelInfo;
use crate::element::{
    Assembly, ElasticPart, Element, ElementInput, EnergyAccount, FrameElement, Frictional, WorkPair,
};
use crate::frame::{Mat3, Vec3};
use bristle_laws::Slip;
use bristle_laws::normal::Indentation;
use bristle_signals::Signal;
use std::ops::Range;

impl Element for Contact {
    fn kind(&self) -> &'static str {
        "contact"
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn bodies(&self) -> [BodyId; 2] {
        [self.body, self.surface.body]
    }

    fn history_len(&self) -> usize {
        self.points.len() * self.point_history_len()
    }

    fn staged(&self) -> Vec<Range<usize>> {
        let len = self.point_history_len();
        let couple = self.couple_start();
        let resistance = self.resistance.as_ref();
        let couples = resistance.into_iter().flat_map(Resistance::staged);
        let couples = couples.map(|range| couple + range.start..couple + range.end);
        let of_point: Vec<_> = self.friction.staged().into_iter().chain(couples).collect();
        let points = (0..self.points.len()).flat_map(|point| {
            let at = point * len;
            let own = of_point.iter();
            own.map(move |range| at + range.start..at + range.end)
        });
        points.collect()
    }

    fn stored_energy(&self, at: &ElementInput<'_>) -> f64 {
        match &self.normal {
            NormalForceSource::Law(law) => self.points.iter().fold(0.0, |sum, point| {
                sum + law.stored_energy(-self.gap(point, at.frames))
            }),
            NormalForceSource::Prescribed(_) => 0.0,
        }
    }

    fn work_pairs(&self, at: &ElementInput<'_>, out: &mut dyn FnMut(WorkPair)) {
        for (r, at) in self.each_point(at) {
            let point = self.point_force(&at, &r);
            let mut book = |force, coordinate, rate, rate_only| {
                out(WorkPair {
                    force,
                    coordinate,
                    rate,
                    rate_only,
                    elastic: None,
                    account: EnergyAccount::Dissipated,
                });
            };
            let [x, y] = point.friction.force;
            // the slip velocity less what it has beyond the rate of the place
            let rates = [r.gamma.x - r.beyond[0], r.gamma.y - r.beyond[1]];
            book(x, r.g.x, rates[0], r.rolls);
            book(y, r.g.y, rates[1], r.rolls);
            book(x, 0.0, r.beyond[0], true);
            book(y, 0.0, r.beyond[1], true);
            if let Some(couple) = &point.couple {
                let w = self.angular_velocity(&at, &r);
                for i in 0..3 {
                    book(-couple.moment[i], 0.0, w[i], true);
                }
            }
            if let NormalForceSource::Law(law) = &self.normal {
                let at_rest = Indentation {
                    depth: r.depth(),
                    rate: 0.0,
                    impact_rate: self.split(at.history).impact_rate,
                };
                out(WorkPair {
                    force: point.normal.force,
                    // above the surface there is no force: what lies there of a step does no work
                    coordinate: r.depth().max(0.0),
                    rate: -r.gamma.z,
                    rate_only: false,
                    elastic: Some(ElasticPart {
                        force: law.evaluate(&at_rest).force,
                        energy: law.stored_energy(r.depth()),
                    }),
                    account: EnergyAccount::Dissipated,
                });
            }
        }
    }

    fn signals(&self) -> Vec<(&'static str, &Signal)> {
        match &self.normal {
            NormalForceSource::Law(_) => Vec::new(),
            NormalForceSource::Prescribed(signal) => vec![("prescribed", signal)],
        }
    }

    fn signals_mut(&mut self) -> Vec<(&'static str, &mut Signal)> {
        match &mut self.normal {
            NormalForceSource::Law(_) => Vec::new(),
            NormalForceSource::Prescribed(signal) => vec![("prescribed", signal)],
        }
    }

    fn channels(&self) -> Vec<ChannelInfo> {
        report::channels(self)
    }

    fn sample(&self, at: &ElementInput<'_>, out: &mut Vec<f64>) {
        report::sample(self, at, out);
    }

    fn frictional(&self) -> Option<&dyn Frictional> {
        Some(self)
    }
}

impl FrameElement for Contact {
    fn start(&self, at: &ElementInput<'_>, history: &mut [f64]) {
        let histories = history.chunks_exact_mut(self.point_history_len());
        for (point, history) in self.points.iter().zip(histories) {
            let carried = PointPast {
                history: &[],
                step: 0.0,
            };
            let relative = self.relative(point, at.frames, carried);
            let impact = Self::impact_rate(&relative, 0.0);
            let normal = self.normal_force(at.t, &relative, impact).force;
            let own = self.split_mut(history);
            (*own.impact_rate, *own.gap) = (impact, relative.g.z);
            own.beyond.copy_from_slice(&relative.beyond);
            if let Some(place) = &relative.curved {
                place.carried.write(own.tangent);
            }
            let slip = Slip::new(relative.slip_velocity(), normal);
            self.friction.start(&slip, relative.position(), own.pair);
            if let Some(resistance) = &self.resistance {
                let w = self.angular_velocity(at, &relative);
                resistance.start(&AngularSlip::new(w, normal), own.couple);
            }
        }
    }

    fn apply(&self, at: &ElementInput<'_>, history: &mut [f64], assembly: &mut dyn Assembly) {
        let weights = assembly.weights();
        // a surface that is moved by a drive does not yield, but its drive feels the force
        let both = assembly.moves(self.surface.body);
        let carried = self.surface.body != BodyId::GROUND;
        let zero = Vec3::zeros();
        let (mut force, mut moment_a, mut moment_b) = (zero, zero, zero);
        let mut blocks = ContactBlocks::new(both);
        let w = [self.body, self.surface.body].map(|body| at.frames[body.0].w);
        let turns = w.iter().any(|w| *w != zero);
        let new = history.chunks_exact_mut(self.point_history_len());
        for ((relative, at), new) in self.each_point(at).zip(new) {
            let point = self.advance(&at, &relative, new, weights.is_some());
            let f = relative.axes * self.local_force(&point);
            force += f;
            moment_a += relative.arm_a.cross(&f);
            if carried {
                moment_b += relative.arm_b.cross(&f);
            }
            let world = |m: Mat3| relative.axes * m * relative.axes.transpose();
            if let Some(couple) = &point.couple {
                let moment = relative.axes * couple.moment;
                moment_a += moment;
                moment_b += moment;
            }
            if let Some(weights) = weights.filter(|_| at.step > 0.0) {
                let tangent = self.local_tangent(&point, weights, at.step);
                let (by_g, by_gamma) = (tangent.by_position, tangent.by_velocity);
                if let Some(couple) = &point.couple {
                    blocks.add_couple(&world(couple.by_velocity * weights.damping));
                }
                let tangent = ForceTangent {
                    d: world(by_g * weights.stiffness + by_gamma * weights.damping),
                    e: if turns {
                        world(by_gamma * weights.stiffness)
                    } else {
                        Mat3::zeros()
                    },
                    force: f * weights.stiffness,
                };
                blocks.add(&relative, &tangent, &w);
                if let Some(place) = &relative.curved {
                    blocks.add_turning(&relative, place, &tangent, &(w[0] - w[1]));
                }
            }
        }
        assembly.wrench(self.body, &force, &moment_a);
        if carried {
            assembly.wrench(self.surface.body, &-force, &-moment_b);
        }
        if weights.is_some() {
            assembly.block(self.body, self.body, &blocks.aa);
            if both {
                assembly.block(self.body, self.surface.body, &blocks.ab);
                assembly.block(self.surface.body, self.body, &blocks.ba);
                assembly.block(self.surface.body, self.surface.body, &blocks.bb);
            }
        }
    }

    fn renew_motion(&self, at: &ElementInput<'_>, history: &mut [f64]) {
        let all = history.chunks_exact_mut(self.point_history_len());
        for ((relative, at), history) in self.each_point(at).zip(all) {
            let slip = self.slip(&at, &relative, at.history);
            let own = self.split_mut(history);
            own.beyond.copy_from_slice(&relative.beyond);
            if let Some(place) = &relative.curved {
                place.carried.write(own.tangent);
            }
            self.friction.renew_motion(&slip, own.pair);
            if let Some(resistance) = &self.resistance {
                let w = self.angular_velocity(&at, &relative);
                resistance.renew_motion(&AngularSlip::new(w, slip.normal_force), own.couple);
            }
        }
    }

    fn history_rates(&self, at: &ElementInput<'_>, rates: &mut [f64]) {
        rates.fill(0.0);
        let all = rates.chunks_exact_mut(self.point_history_len());
        for ((relative, at), rates) in self.each_point(at).zip(all) {
            let slip = self.slip(&at, &relative, at.history);
            let (own, rates) = (self.split(at.history), self.split_mut(rates));
            if let Some(place) = &relative.curved {
                place.carried.write_rates(rates.tangent);
            }
            self.friction.rates(&slip, own.pair, rates.pair);
            if let Some(resistance) = &self.resistance {
                let w = self.angular_velocity(&at, &relative);
                let slip = AngularSlip::new(w, slip.normal_force);
                resistance.rates(&slip, own.couple, rates.couple);
            }
        }
    }
}
