//! Formulas in the time `t`, with exact derivatives.

mod function;

use std::fmt;
use std::sync::Arc;

use bristle_formula::{Formula, MAX_DEPTH, Op};

use crate::{Jet, SignalError};
use function::{binary, binary_branch, unary, unary_branch};

/// Samples on the time axis in the search for switches of `abs`, `step`, `floor` and the like.
const SCAN: u32 = 4096;

/// The only name of a formula in `t`.
const TIME: Op = Op::Name(0);

/// A formula in `t` (s).
///
/// Operators `+ - * / ^` with the usual precedence (`-t^2` is −(t²), `2^3^2` is 2⁹); constants
/// `pi`, `tau`, `e`; functions `sin cos tan asin acos atan sinh cosh tanh exp ln log log10 log2
/// sqrt cbrt abs sign step floor ceil` of one argument (`log` is the natural one, `step(x)` is 0
/// for x < 0 and 1 from 0 on) and `min max atan2 pow dot` of two; `|x|` is `abs(x)`.
///
/// Value and two derivatives are carried along together, so the derivatives are exact. At a corner
/// (|x| at 0) they are those of the right side.
#[derive(Clone, PartialEq)]
pub struct Expression {
    text: Arc<str>,
    program: Arc<[Op]>,
}

impl Expression {
    /// Reads a formula.
    ///
    /// # Errors
    /// [`SignalError::Expression`] with the byte range of the part that could not be read.
    pub fn parse(text: &str) -> Result<Self, SignalError> {
        let formula = Formula::parse(text, &["t"]).map_err(|error| SignalError::Expression {
            text: text.to_owned(),
            range: error.range,
            reason: error.reason,
        })?;
        Ok(Self {
            text: text.into(),
            program: formula.ops().into(),
        })
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if `t` does not occur.
    pub fn is_constant(&self) -> bool {
        !self.program.contains(&TIME)
    }

    pub(crate) fn jet(&self, t: f64) -> Jet {
        self.run(t, |_| {})
    }

    /// Runs the program; `branch` hears which branch each switching function took.
    fn run(&self, t: f64, mut branch: impl FnMut(f64)) -> Jet {
        let mut stack = [Jet::default(); MAX_DEPTH];
        let mut top = 0;
        for op in self.program.iter() {
            // The parser guarantees 1 <= top <= MAX_DEPTH after every step.
            match op {
                Op::Number(number) => {
                    stack[top] = Jet::constant(*number);
                    top += 1;
                }
                Op::Name(_) => {
                    stack[top] = Jet::time(t);
                    top += 1;
                }
                Op::Unary(function) => {
                    let x = stack[top - 1];
                    unary_branch(*function, x).into_iter().for_each(&mut branch);
                    stack[top - 1] = unary(*function, x);
                }
                Op::Binary(function) => {
                    top -= 1;
                    let (x, y) = (stack[top - 1], stack[top]);
                    binary_branch(*function, x, y)
                        .into_iter()
                        .for_each(&mut branch);
                    stack[top - 1] = binary(*function, x, y);
                }
            }
        }
        stack[0]
    }

    fn branches(&self, t: f64) -> Vec<f64> {
        let mut branches = Vec::new();
        self.run(t, |branch| branches.push(branch));
        branches
    }

    /// Switches are found by sampling and bisection: each is the first time, to the last bit, of
    /// the new branch. Two switches within 1/4096 of the run are seen as one.
    pub(crate) fn breakpoints(&self, end_time: f64, out: &mut Vec<f64>) {
        if !(end_time > 0.0 && end_time.is_finite()) || self.branches(0.0).is_empty() {
            return;
        }
        let mut found = Vec::new();
        let (mut left, mut before) = (0.0, self.branches(0.0));
        for sample in 1..=SCAN {
            let right = end_time * f64::from(sample) / f64::from(SCAN);
            let after = self.branches(right);
            if after != before {
                let (mut low, mut high) = (left, right);
                loop {
                    let middle = 0.5 * (low + high);
                    if middle <= low || middle >= high {
                        break;
                    }
                    if self.branches(middle) == before {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                found.push(high);
            }
            (left, before) = (right, after);
        }
        // More than a quarter of the samples: an oscillation, not a set of corners.
        if found.len() < 1024 {
            out.append(&mut found);
        }
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Expression({:?})", self.text)
    }
}
