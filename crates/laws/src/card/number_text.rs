//! Numbers in messages.

use std::fmt;

/// A number as a person writes it: with an exponent where zeros would have to be counted.
///
/// ```
/// use bristle_laws::Shortest;
/// let text = [0.05, -1.0, 1e-9, 2.5e12].map(|x| Shortest(x).to_string());
/// assert_eq!(text, ["0.05", "-1", "1e-9", "2.5e12"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shortest(pub f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || !size.is_finite() || (1e-4..1e9).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}
