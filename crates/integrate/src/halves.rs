//! The history of a step taken in two halves: what the change of conditions within it does.

use crate::newton::NewtonTrial;
use crate::state::State;
use crate::system::{Instant, System};

/// Advances the history by halves along the path of a converged step.
#[derive(Debug)]
pub(crate) struct Halves {
    displacement: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    residual: Vec<f64>,
    middle: Vec<f64>,
    end: Vec<f64>,
    whole: Vec<f64>,
}

impl Halves {
    pub(crate) fn new<S: System>(system: &S) -> Self {
        let (n, history) = (system.dofs(), system.history_len());
        Self {
            displacement: vec![0.0; n],
            q: vec![0.0; system.coordinates()],
            v: vec![0.0; n],
            a: vec![0.0; n],
            residual: vec![0.0; n],
            middle: vec![0.0; history],
            end: vec![0.0; history],
            whole: vec![0.0; history],
        }
    }

    /// The history at the end of the step that was advanced last.
    pub(crate) fn history(&self) -> &[f64] {
        &self.end
    }

    /// Advances the history from the middle of a step to its end.
    pub(crate) fn go_on<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        middle: &State,
        to: &State,
    ) {
        history_at(
            system,
            scratch,
            middle,
            to,
            &mut self.residual,
            &mut self.end,
        );
    }

    /// Advances the history by the whole step, to where the last correction of its iteration has moved the end: that of the
    /// state is of before.
    pub(crate) fn go_at_once<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        from: &State,
        to: &State,
    ) {
        history_at(
            system,
            scratch,
            from,
            to,
            &mut self.residual,
            &mut self.whole,
        );
    }

    /// The history at the end of the whole step.
    pub(crate) fn whole(&self) -> &[f64] {
        &self.whole
    }

    /// Advances the history by two halves of a step: its path is cubic in the displacements.
    pub(crate) fn advance<S: System>(
        &mut self,
        system: &S,
        scratch: &mut S::Scratch,
        from: &State,
        trial: &NewtonTrial,
    ) {
        let to = &trial.state;
        let h = to.t - from.t;
        for (i, d) in trial.displacement.iter().enumerate() {
            let (v0, v1) = (from.v[i], to.v[i]);
            self.displacement[i] = 0.5 * d + 0.125 * h * (v0 - v1);
            self.v[i] = 1.5 * d / h - 0.25 * (v0 + v1);
            self.a[i] = 0.5 * (from.a[i] + to.a[i]);
        }
        system.displace(&from.q, &self.displacement, &mut self.q);
        let middle = Instant {
            t: from.t + 0.5 * h,
            q: &self.q,
            v: &self.v,
            a: &self.a,
            history: &from.history,
            step: 0.5 * h,
            stage: None,
        };
        system.residual(scratch, &middle, &mut self.residual, &mut self.middle);
        let end = Instant {
            history: &self.middle,
            ..Instant::of(to, 0.5 * h)
        };
        system.residual(scratch, &end, &mut self.residual, &mut self.end);
    }
}

/// The history at the end of a step from one state to the place of another.
fn history_at<S: System>(
    system: &S,
    scratch: &mut S::Scratch,
    from: &State,
    to: &State,
    residual: &mut [f64],
    history: &mut [f64],
) {
    let end = Instant {
        history: &from.history,
        ..Instant::of(to, to.t - from.t)
    };
    system.residual(scratch, &end, residual, history);
}
