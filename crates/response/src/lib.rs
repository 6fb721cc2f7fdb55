//! Steady forced response of machines with friction.
//!
//! A machine at rest is linear but for its friction pairs, stops and cubic springs:
//!
//! $$ \mathbf M\ddot{\mathbf x} + \mathbf C\dot{\mathbf x} + \mathbf K\mathbf x
//!    + \mathbf B^{\mathsf T}\mathbf f(\mathbf B\mathbf x,\mathbf z) = \mathbf p(\Omega t) $$
//!
//! The motion is a sum of harmonics. Of the linear part only the receptances at the pairs are
//! needed, so that the unknowns are the harmonics of the motion at the pairs, whatever the machine
//! hangs on behind them. The pairs march their own laws over the samples of a period to their own
//! periodic state ([`pair`]), with derivatives through the history; Newton's method and
//! continuation along the curve do the rest.
//!
//! Sources: Cameron and Griffin, *An alternating frequency/time domain method* (J. Appl. Mech. 56,
//! 1989); Krack and Gross, *Harmonic Balance for Nonlinear Vibration Problems* (Springer, 2019).

mod analysis;
mod balance;
mod closed;
mod coordinates;
mod curve;
mod error;
mod excitation;
mod factor;
mod follow;
mod grid;
pub mod linear;
mod machine;
mod mode;
mod newton;
pub mod pair;
mod poles;
mod receptance;
mod repetition;
mod site;
mod stability;
mod study;
mod time;

pub use analysis::{Analyser, ChannelResult, PairResult, PeriodMotion, PointResult};
pub use balance::{BalanceWork, Evaluated, HarmonicBalance};
pub use curve::{
    CurveControl, CurveEnd, CurveOptions, CurveRange, FollowedCurve, PointMarks, respond,
};
pub use error::{ResponseError, Result};
pub use excitation::Excitation;
pub use follow::{FollowedPoint, GridChoice};
pub use grid::PeriodGrid;
pub use machine::Machine;
pub use mode::{ModeCurve, ModePoint, ModeRequest, nonlinear_mode};
pub use newton::{CurveParameter, Solution};
pub use site::{CubicSite, Site, SiteDrive};
pub use stability::Multipliers;
pub use study::{
    Bifurcation, CurveError, MarkedPoint, ResponseCurve, ResponseRequest, response_curve,
};
pub use time::{TimePoint, TimeRequest, steady_in_time};
