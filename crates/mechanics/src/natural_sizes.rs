//! The sizes against which errors are judged.

/// The shortest length and the slowest speed that matter to an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NaturalSizes {
    /// Length, m.
    pub length: f64,
    /// Speed, m/s.
    pub speed: f64,
}

impl NaturalSizes {
    /// The smaller of both.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self {
            length: self.length.min(other.length),
            speed: self.speed.min(other.speed),
        }
    }
}
