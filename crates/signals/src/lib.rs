//! Functions of time: forces, loads and prescribed motions.
//!
//! A [`Signal`] gives its value, its first and its second time derivative, all exact, because a
//! prescribed motion needs the velocity and the acceleration that belong to the position. It also
//! says where it has corners ([`Signal::breakpoints`]), so that an integrator lands on them
//! instead of stepping across.
//!
//! ```
//! use bristle_signals::{Ramp, RampShape, Signal, Sine};
//!
//! let growing = Signal::ramp(Ramp { from: 0.0, to: 2.0, start: 0.0, duration: 1.0, shape: RampShape::Linear })?;
//! let sine = Signal::sine(Sine { amplitude: 1.0, frequency: 0.5, ..Sine::default() })?;
//! let force = Signal::product(growing, sine);
//! assert!((force.value(0.5) - 1.0).abs() < 1e-15);
//! assert_eq!(force.breakpoints(10.0), [1.0]);
//! # Ok::<(), bristle_signals::SignalError>(())
//! ```

mod chirp;
mod error;
mod expression;
mod harmonic;
mod harmonics;
mod integral;
mod jet;
mod pieces;
mod pulses;
mod ramp;
mod signal;
mod sine;
mod table;

pub use chirp::{Chirp, Sweep};
pub use error::SignalError;
pub use expression::Expression;
pub use harmonic::Harmonic;
pub use harmonics::HarmonicSum;
pub use jet::Jet;
pub use pieces::Pieces;
pub use pulses::Pulses;
pub use ramp::{Ramp, RampShape};
pub use signal::{MAX_BREAKPOINTS, Signal};
pub use sine::Sine;
pub use table::Table;
