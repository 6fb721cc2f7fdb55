//! Dual numbers with the derivatives by a few inputs at a time.

use num_dual::{Derivative, DualSVec64};

/// Inputs of one pass.
pub(crate) const AT_ONCE: usize = 8;

/// A number with the derivatives by the inputs of a pass.
pub(crate) type SeededDual = DualSVec64<AT_ONCE>;

/// The value of an input, with derivative 1 by itself if it is one of those from `first` on.
pub(crate) fn seeded(value: f64, input: usize, first: usize) -> SeededDual {
    let eps = match input.checked_sub(first) {
        Some(k) if k < AT_ONCE => {
            Derivative::derivative_generic(nalgebra::Const, nalgebra::Const, k)
        }
        _ => Derivative::none(),
    };
    SeededDual::new(value, eps)
}
