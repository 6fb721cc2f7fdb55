//! What noise of the motion does to a fit.
//!
//! A force that is fitted over a noisy velocity is fitted over the wrong variable: levels and slopes
//! come out too small, and no residual shows it. How much is found by simulation: the model makes
//! forces of the measured motion, noise of the size that the motion has is added, and the fit shows
//! what becomes of the parameters (indirect inference; where that is much, noise is added to the
//! measured record too, SIMEX; Cook and Stefanski 1994).

mod added;
mod bias;
mod draw;
mod steady;

pub(crate) use bias::{Ended, NoiseBias};
pub(crate) use draw::refitted;
