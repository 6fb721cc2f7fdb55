//! How much of the tangent is renewed where the factors in use do not serve.
//!
//! Fast changes (friction, contact) are cheap and renewed first. Whether the rest was stale is known
//! only after refreshing it. The answer is reused for the next n trial steps; n doubles each time it
//! proves right.

use crate::system::Renew;

/// Largest number of trials for which an answer is reused.
const LONGEST: usize = 32;

/// Where the factors in use come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FactorOrigin {
    /// From another point.
    Old,
    /// From this point, but for what changes slowly.
    Renewed,
    /// From this point, as far as that can help.
    Fresh,
}

/// What the trials so far have shown.
#[derive(Debug, Default)]
pub(crate) struct Renewal {
    /// Trials since all was renewed.
    age: usize,
    /// Age up to which renewing all does not help: what slows the iteration is a kink.
    patience: usize,
    /// Trials left in which less than all does not help; and how many these were at first.
    eager: usize,
    eagerness: usize,
    /// Whether all was renewed at this point of this trial.
    all: bool,
}

fn longer(trials: usize) -> usize {
    (2 * trials).clamp(2, LONGEST)
}

impl Renewal {
    /// A trial begins.
    pub(crate) fn begin(&mut self) {
        self.age += 1;
        self.eager = self.eager.saturating_sub(1);
        self.all = false;
    }

    /// The loads have jumped, or a trial has failed: nothing is known.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// What to renew at a point where `factors` do not serve.
    pub(crate) fn choose(&self, factors: FactorOrigin) -> Renew {
        let first = factors == FactorOrigin::Old && self.eager == 0;
        if first || self.age < self.patience {
            Renew::Changing
        } else {
            Renew::All
        }
    }

    /// What the factors are after that.
    pub(crate) fn done(&mut self, renew: Renew) -> FactorOrigin {
        self.all = renew == Renew::All;
        if self.all {
            self.age = 0;
        }
        if self.all || self.age < self.patience {
            FactorOrigin::Fresh
        } else {
            FactorOrigin::Renewed
        }
    }

    /// Learns from the iteration with `factors`, which went on slowly or not.
    pub(crate) fn judge(&mut self, factors: FactorOrigin, slow: bool) {
        if std::mem::take(&mut self.all) {
            self.patience = if slow { longer(self.patience) } else { 0 };
            if slow {
                self.eager = 0;
            } else if self.eager == 0 {
                self.eagerness = longer(self.eagerness);
                self.eager = self.eagerness;
            }
        } else if factors == FactorOrigin::Renewed && !slow {
            self.eagerness = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One trial whose first point has old factors: what is renewed, in turn, until `serves`.
    fn trial(renewal: &mut Renewal, serves: impl Fn(Renew) -> bool) -> Vec<Renew> {
        renewal.begin();
        let (mut factors, mut done) = (FactorOrigin::Old, Vec::new());
        while factors != FactorOrigin::Fresh {
            let renew = renewal.choose(factors);
            factors = renewal.done(renew);
            done.push(renew);
            renewal.judge(factors, !serves(renew));
            if serves(renew) {
                break;
            }
        }
        done
    }

    #[test]
    fn what_helped_is_done_at_once_for_longer_and_longer() {
        let mut renewal = Renewal::default();
        let serves = |renew| renew == Renew::All;
        let wasted = (0..200)
            .filter(|_| trial(&mut renewal, serves).len() > 1)
            .count();
        // probes after 2, 4, 8, 16, 32, 32, ... trials
        assert!((5..=12).contains(&wasted), "{wasted}");
    }

    #[test]
    fn a_kink_is_not_fought_with_the_costly_part() {
        let mut renewal = Renewal::default();
        let costly = (0..200)
            .filter(|_| trial(&mut renewal, |_| false).contains(&Renew::All))
            .count();
        assert!((5..=12).contains(&costly), "{costly}");
    }

    #[test]
    fn where_little_serves_all_is_never_renewed() {
        let mut renewal = Renewal::default();
        for _ in 0..100 {
            assert_eq!(trial(&mut renewal, |_| true), [Renew::Changing]);
        }
    }
}
