//! Which branches of a law's rates hold: kinks that leave no trace in its states.

/// Whether the branches of a law's rates hold at an instant, e.g. which of its elements slide.
///
/// A law whose modes are states needs none. Where the rates jump without one (an element comes to
/// its limit, a bristle turns against the motion), a solver that steps over the instant sees no
/// error if all its trial steps take the same side; the branches at the ends of a step show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    on: u32,
    known: u32,
}

impl Branches {
    /// No branches.
    pub const NONE: Self = Self { on: 0, known: 0 };

    /// With the branch `index`, below 32; `None` where both sides have the same rates.
    #[must_use]
    pub const fn with(self, index: usize, on: Option<bool>) -> Self {
        let bit = 1 << index;
        match on {
            None => self,
            Some(on) => Self {
                on: if on { self.on | bit } else { self.on },
                known: self.known | bit,
            },
        }
    }

    /// Whether no branch that both know is on in one of them only.
    pub const fn agree(self, other: Self) -> bool {
        (self.on ^ other.on) & self.known & other.known == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_branches_agree_with_both_sides() {
        let on = Branches::NONE.with(3, Some(true)).with(1, Some(false));
        let off = Branches::NONE.with(3, Some(false));
        assert!(!on.agree(off) && !off.agree(on));
        assert!(on.agree(Branches::NONE.with(3, None)) && on.agree(Branches::NONE));
        assert!(on.agree(Branches::NONE.with(1, Some(false)).with(0, Some(true))));
    }
}
