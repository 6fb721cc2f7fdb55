//! A law at work along a motion: its state, and the play in series with it.

use bristle_laws::{Friction, Scalar, Step};

use super::condition::Condition;
use super::slope::force_and_slope;
use crate::model::ActingOver;

/// A stay too short for anything but a change of mode at rest.
const INSTANT: f64 = 1e-100;

/// A balance of the play is one within this share of its width.
const BALANCED: f64 = 1e-6;

/// A law at work. Over dual numbers its state and force carry their derivatives along; every
/// choice (steps, modes, signs) follows the values.
#[derive(Clone)]
pub(super) struct ForwardModel<'a, P> {
    acting: &'a ActingOver<'a, P>,
    law: &'a Friction<P>,
    state: Vec<P>,
    new: Vec<P>,
    pub(super) force: P,
}

/// A slip velocity that makes up the motion together with the play.
struct Root {
    w: f64,
    /// ∂(balance)/∂w, s; none on a jump of the law, where nothing balances.
    slope: Option<f64>,
}

impl<'a, P: Scalar> ForwardModel<'a, P> {
    pub(super) fn start(
        acting: &'a ActingOver<'a, P>,
        law: &'a Friction<P>,
        at: Condition<P>,
    ) -> Self {
        let mut forward = Self {
            acting,
            law,
            state: vec![P::zero(); acting.count],
            new: vec![P::zero(); acting.count],
            force: P::zero(),
        };
        law.start(&at.slip(), &mut forward.state);
        forward.force = law.rates(&at.slip(), &forward.state, &mut forward.new)[0];
        if forward.acting.gap.value() > 0.0 {
            // play hides the first velocity
            forward.force = P::zero();
        }
        forward
    }

    /// The force at the end of a step; the states there are in `new`.
    fn update(&mut self, step: &Step<P, 1>) -> P {
        self.law.update(step, &self.state, &mut self.new)[0]
    }

    fn accept(&mut self) {
        std::mem::swap(&mut self.state, &mut self.new);
    }

    fn step(&mut self, from: Condition<P>, to: Condition<P>, h: f64) {
        let mean = Condition::between(from, to, 0.5);
        if self.acting.gap.value() > 0.0 {
            self.step_with_play(mean, to, h);
            return;
        }
        self.force = self.update(&Step {
            mean: mean.slip(),
            end: to.slip(),
            duration: h,
        });
        self.accept();
    }

    /// Displacement of the play under a force: (gap/2) tanh(F/F_b), soft about zero, closed at
    /// forces beyond F_b.
    fn play(&self, force: P) -> P {
        // tanh is 1 from here on; hyperbolic functions overflow much later
        let most = P::from_f64(20.0);
        let share = (force / self.acting.closing).min(most).max(-most);
        self.acting.gap * 0.5 * share.tanh()
    }

    /// Finds the slip velocity of the law such that the slip and the play make up the motion. Its
    /// derivatives follow from those of the balance at this velocity and its slope there.
    fn step_with_play(&mut self, mean: Condition<P>, to: Condition<P>, h: f64) {
        let before = self.play(self.force);
        let root = self.root(mean, to, h, before.value());
        let at = |w: P| Step {
            mean: mean.slip_at(w),
            end: to.slip_at(w),
            duration: h,
        };
        let mut w = P::from_f64(root.w);
        self.force = self.update(&at(w));
        let balance = (w - mean.v) * h + self.play(self.force) - before;
        if let Some(slope) = root.slope
            && !balance.is_constant()
        {
            w = w - (balance - balance.value()) / slope;
            self.force = self.update(&at(w));
        }
        self.accept();
    }

    /// The balance rises with the slip, so that it has one root: Newton's method with the exact
    /// slope, within an interval that shrinks.
    fn root(&self, mean: Condition<P>, to: Condition<P>, h: f64, before: f64) -> Root {
        let (gap, closing) = (self.acting.plain.gap, self.acting.plain.closing);
        let old: Vec<f64> = self.state.iter().map(|x| x.value()).collect();
        let mut new = old.clone();
        let (mean, to) = (mean.values(), to.values());
        let mut try_slip = |w: f64| {
            let step = Step {
                mean: mean.slip_at(w),
                end: to.slip_at(w),
                duration: h,
            };
            let Some(law) = &self.acting.plain.law else {
                return (f64::NAN, h, h);
            };
            let (force, slope) = force_and_slope(law, &step, 1.0, &old, &mut new);
            let moved = 0.5 * gap * (force / closing).tanh();
            // d/dF of (b/2) tanh(F/F_b) from the value itself
            let open = 1.0 - (2.0 * moved / gap).powi(2);
            let play_slope = 0.5 * gap / closing * open;
            let exact = h + play_slope * slope;
            // friction that falls with speed may outweigh the rest; the search goes up all the same
            let search = h + play_slope * slope.max(0.0);
            ((w - mean.v) * h + moved - before, search, exact)
        };
        // the play moves by its whole width at most
        let reach = gap / h;
        let (mut low, mut high) = (mean.v - reach, mean.v + reach);
        let mut w = mean.v;
        let (mut balance, mut slope, mut exact) = try_slip(w);
        let tolerance = 1e-10 * gap;
        let mut last = f64::INFINITY;
        for _ in 0..60 {
            if balance.abs() < tolerance || !balance.is_finite() {
                break;
            }
            if balance > 0.0 {
                high = w;
            } else {
                low = w;
            }
            let mut next = w - balance / slope;
            if next <= low || next >= high || (next - w).abs() > 0.5 * last {
                next = 0.5 * (low + high);
            }
            last = (next - w).abs();
            if last <= f64::EPSILON * w.abs() {
                break;
            }
            w = next;
            (balance, slope, exact) = try_slip(w);
        }
        let balanced = balance.abs() <= BALANCED * gap && exact != 0.0;
        Root {
            w,
            slope: balanced.then_some(exact),
        }
    }

    /// The law of a pair that stands still for an instant learns it: modes end there.
    fn rest(&mut self, at: Condition<P>) {
        if self.acting.gap.value() > 0.0 || self.state.is_empty() {
            return;
        }
        self.update(&Step::constant(at.slip(), INSTANT));
        self.accept();
    }

    /// Moves over a segment in `steps` steps on either side of a reversal.
    pub(super) fn segment(&mut self, from: Condition<P>, to: Condition<P>, h: f64, steps: u8) {
        if from.v * to.v < 0.0 {
            let s = from.v / (from.v - to.v);
            let mut middle = Condition::between(from, to, s);
            middle.v = 0.0;
            self.piece(from, middle, s * h, steps);
            self.rest(middle);
            self.piece(middle, to, (1.0 - s) * h, steps);
        } else {
            self.piece(from, to, h, steps);
            if to.v == 0.0 && from.v != 0.0 {
                self.rest(to);
            }
        }
    }

    fn piece(&mut self, from: Condition<P>, to: Condition<P>, h: f64, steps: u8) {
        if h <= 0.0 {
            return;
        }
        let part = h / f64::from(steps);
        let mut last = from;
        for i in 1..=steps {
            let next = if i == steps {
                to
            } else {
                Condition::between(from, to, f64::from(i) / f64::from(steps))
            };
            self.step(last, next, part);
            last = next;
        }
    }
}
