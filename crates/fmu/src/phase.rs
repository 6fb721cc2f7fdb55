//! The life of an instance.

/// Where an instance is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmuPhase {
    /// Parameters may be set.
    Instantiated,
    /// Its start is computed.
    Initialization,
    /// Model exchange, at an event.
    Event,
    /// Model exchange, between events.
    Continuous,
    /// Co-simulation.
    Step,
    /// Over; values can still be read.
    Terminated,
}

impl FmuPhase {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Instantiated => "instantiated",
            Self::Initialization => "initialization mode",
            Self::Event => "event mode",
            Self::Continuous => "continuous-time mode",
            Self::Step => "step mode",
            Self::Terminated => "terminated",
        }
    }

    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Instantiated => 0,
            Self::Initialization => 1,
            Self::Event => 2,
            Self::Continuous => 3,
            Self::Step => 4,
            Self::Terminated => 5,
        }
    }

    pub(crate) fn of(number: u64) -> Option<Self> {
        let all = [
            Self::Instantiated,
            Self::Initialization,
            Self::Event,
            Self::Continuous,
            Self::Step,
            Self::Terminated,
        ];
        all.into_iter().find(|phase| phase.number() == number)
    }
}

/// Phases in which something is computed.
pub(crate) const COMPUTED: &[FmuPhase] = &[
    FmuPhase::Initialization,
    FmuPhase::Event,
    FmuPhase::Continuous,
    FmuPhase::Step,
    FmuPhase::Terminated,
];
