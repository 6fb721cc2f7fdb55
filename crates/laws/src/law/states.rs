//! What a law holds: its states, and what it can hold at rest.

/// The states of a law. Vectors turn with the contact's frame, scalars do not.
///
/// A state slice holds the vectors first, each of `D` entries, then the scalars. Modes
/// (stick, slip) are scalars that hold small whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateLayout {
    /// Number of vector states.
    pub vectors: usize,
    /// Number of scalar states.
    pub scalars: usize,
}

impl StateLayout {
    /// No state.
    pub const NONE: Self = Self {
        vectors: 0,
        scalars: 0,
    };

    /// Length of the state slice in `dimension` dimensions.
    pub const fn len(self, dimension: usize) -> usize {
        self.vectors * dimension + self.scalars
    }

    /// Whether there is no state.
    pub const fn is_empty(self) -> bool {
        self.vectors == 0 && self.scalars == 0
    }
}

/// The largest state slice a law may have (ten elements in three dimensions, with their modes).
pub const MAX_STATES: usize = 48;

/// What a law that answers the applied force at rest can hold: slower than `speed` (m/s) the pair
/// is at rest, and friction balances a force up to `coefficient` times the normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StictionLimit {
    /// Half width of the dead zone, m/s.
    pub speed: f64,
    /// Static friction coefficient.
    pub coefficient: f64,
}
