//! The language of formulas: from text to a program in postfix order.
//!
//! Operators `+ - * / ^` with the usual precedence (`-t^2` is −(t²), `2^3^2` is 2⁹), `|x|`;
//! constants `pi`, `tau`, `e`; functions of one and two arguments ([`UNARY`], [`BINARY`]). What
//! other names there are is said by whoever reads the formula; those win over constants.
//!
//! This crate knows the language alone. What the operations do is up to the reader: a function of
//! time evaluates them with two derivatives, a friction law over vectors and dual numbers.
//!
//! ```
//! use bristle_formula::{Binary, Formula, Op};
//!
//! let formula = Formula::parse("2*x + 1", &["x"])?;
//! assert_eq!(formula.ops()[1], Op::Name(0));
//! assert_eq!(formula.ops().last(), Some(&Op::Binary(Binary::Add)));
//!
//! let error = Formula::parse("2*y + 1", &["x"]).unwrap_err();
//! assert_eq!(error.range, 2..3);
//! # Ok::<(), bristle_formula::FormulaError>(())
//! ```

mod function;
mod parse;

use std::ops::Range;

pub use function::{BINARY, Binary, UNARY, Unary};

/// Operands that a formula may hold at once; those that people write need less than ten.
pub const MAX_DEPTH: usize = 32;

/// One step of a formula in postfix order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// A number.
    Number(f64),
    /// The name of this position among the names of the reader.
    Name(usize),
    /// A function of the operand on top.
    Unary(Unary),
    /// A function of the two operands on top.
    Binary(Binary),
}

/// A formula that has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    ops: Vec<Op>,
    places: Vec<Range<usize>>,
}

impl Formula {
    /// Reads a formula in which `names` may stand. A name may contain one `/`, as `dz/dt`.
    ///
    /// Every step of the program leaves between 1 and [`MAX_DEPTH`] operands, and the last one leaves 1.
    ///
    /// # Errors
    /// What is wrong, with its place.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, FormulaError> {
        parse::parse(text, names)
    }

    /// The steps, in postfix order.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Where every step stands: the byte range of its number, name, operator or function.
    pub fn places(&self) -> &[Range<usize>] {
        &self.places
    }
}

/// Why a text is not a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct FormulaError {
    /// Byte range of the part at fault.
    pub range: Range<usize>,
    /// What is wrong, and what was expected.
    pub reason: String,
    /// The name that is not known, if that is what is wrong.
    pub unknown: Option<String>,
}
