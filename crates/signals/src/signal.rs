//! The sum type over all functions of time.

use crate::{Chirp, Expression, Harmonic, Jet, Pieces, Pulses, Ramp, SignalError, Sine, Table};

/// The largest number of breakpoints a signal announces. Beyond it a landing per corner would cost
/// more than error control does.
pub const MAX_BREAKPOINTS: usize = 100_000;

/// A function of time with exact first and second derivatives.
///
/// Build signals with the constructors below, which check the parameters. Evaluation never panics.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Signal {
    /// The same value at all times.
    Constant(f64),
    /// Straight lines between points.
    Table(Table),
    /// Polynomials in pieces: a cubic spline, or an integral.
    Pieces(Pieces),
    /// A harmonic function.
    Sine(Sine),
    /// A cosine, whose frequency may be open.
    Harmonic(Harmonic),
    /// A swept sine.
    Chirp(Chirp),
    /// Rectangular pulses.
    Pulses(Pulses),
    /// A transition between two values.
    Ramp(Ramp),
    /// A formula in `t`.
    Expression(Expression),
    /// The product of two signals, such as an amplitude that grows times a sine.
    Product(Box<(Signal, Signal)>),
    /// The sum of signals.
    Sum(Vec<Signal>),
}

impl Default for Signal {
    fn default() -> Self {
        Self::Constant(0.0)
    }
}

impl Signal {
    /// The same value at all times.
    ///
    /// # Errors
    /// [`SignalError::OutOfRange`] if `value` is not finite.
    pub fn constant(value: f64) -> Result<Self, SignalError> {
        crate::error::Check {
            signal: "constant",
            field: "value",
            value,
            unit: "",
        }
        .finite()?;
        Ok(Self::Constant(value))
    }

    /// Straight lines between the points (`times`, `values`), constant outside.
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn table(times: Vec<f64>, values: Vec<f64>) -> Result<Self, SignalError> {
        Table::new(times, values).map(Self::Table)
    }

    /// A smooth curve through the points (`times`, `values`), constant outside: the cubic spline with
    /// continuous first and second derivatives, exact for cubics (not-a-knot ends).
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn cubic(times: Vec<f64>, values: Vec<f64>) -> Result<Self, SignalError> {
        let table = Table::new(times, values)?;
        Ok(Self::Pieces(Pieces::cubic(&table)))
    }

    /// A harmonic function.
    ///
    /// # Errors
    /// [`SignalError::OutOfRange`] if a parameter is not finite or the frequency negative.
    pub fn sine(sine: Sine) -> Result<Self, SignalError> {
        sine.check().map(|()| Self::Sine(sine))
    }

    /// A cosine of a fixed or an open frequency.
    ///
    /// # Errors
    /// [`SignalError::OutOfRange`] if a parameter is not finite, the order 0 or the frequency not
    /// positive.
    pub fn harmonic(harmonic: Harmonic) -> Result<Self, SignalError> {
        harmonic.check().map(|()| Self::Harmonic(harmonic))
    }

    /// A swept sine.
    ///
    /// # Errors
    /// [`SignalError::OutOfRange`] if the duration is not positive, or a frequency is negative
    /// (zero is not allowed either when the sweep is logarithmic).
    pub fn chirp(chirp: Chirp) -> Result<Self, SignalError> {
        chirp.check().map(|()| Self::Chirp(chirp))
    }

    /// Rectangular pulses.
    ///
    /// # Errors
    /// [`SignalError::OutOfRange`] unless 0 < width ≤ period.
    pub fn pulses(pulses: Pulses) -> Result<Self, SignalError> {
        pulses.check().map(|()| Self::Pulses(pulses))
    }

    /// A transition between two values.
    ///
    /// # Errors
    /// [`SignalError::OutOfRange`] if the duration is not positive or a parameter not finite.
    pub fn ramp(ramp: Ramp) -> Result<Self, SignalError> {
        ramp.check().map(|()| Self::Ramp(ramp))
    }

    /// A formula in `t` (s), such as `"10*(1 - exp(-t/0.2))"`; see [`Expression`].
    ///
    /// # Errors
    /// [`SignalError::Expression`] with the place of the fault.
    pub fn expression(text: &str) -> Result<Self, SignalError> {
        Expression::parse(text).map(Self::Expression)
    }

    /// The product of two signals.
    #[must_use]
    pub fn product(first: Signal, second: Signal) -> Self {
        match (first, second) {
            (Self::Constant(a), Self::Constant(b)) => Self::Constant(a * b),
            (first, second) => Self::Product(Box::new((first, second))),
        }
    }

    /// The sum of signals.
    #[must_use]
    pub fn sum(terms: Vec<Signal>) -> Self {
        Self::Sum(terms)
    }

    /// This signal times a constant, for instance to turn it into another unit.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        if factor.to_bits() == 1.0_f64.to_bits() {
            return self;
        }
        Self::product(Self::Constant(factor), self)
    }

    /// The value at time `t` (s).
    pub fn value(&self, t: f64) -> f64 {
        self.jet(t).value
    }

    /// The first time derivative at `t`, that of the right side at a corner.
    pub fn rate(&self, t: f64) -> f64 {
        self.jet(t).rate
    }

    /// The second time derivative at `t`, that of the right side at a corner.
    pub fn acceleration(&self, t: f64) -> f64 {
        self.jet(t).acceleration
    }

    /// Value, rate and acceleration at once.
    pub fn jet(&self, t: f64) -> Jet {
        match self {
            Self::Constant(value) => Jet::constant(*value),
            Self::Table(table) => table.jet(t),
            Self::Pieces(pieces) => pieces.jet(t),
            Self::Sine(sine) => sine.jet(t),
            Self::Harmonic(harmonic) => harmonic.jet(t),
            Self::Chirp(chirp) => chirp.jet(t),
            Self::Pulses(pulses) => pulses.jet(t),
            Self::Ramp(ramp) => ramp.jet(t),
            Self::Expression(expression) => expression.jet(t),
            Self::Product(factors) => factors.0.jet(t) * factors.1.jet(t),
            Self::Sum(terms) => terms
                .iter()
                .fold(Jet::default(), |sum, term| sum + term.jet(t)),
        }
    }

    /// True if the value never changes. A harmonic without a frequency counts as one that changes.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Expression(expression) => expression.is_constant(),
            Self::Product(factors) => factors.0.is_constant() && factors.1.is_constant(),
            Self::Sum(terms) => terms.iter().all(Self::is_constant),
            _ => false,
        }
    }

    /// The times in the open interval (0, `end_time`) at which the value, the slope or the
    /// curvature jumps, in increasing order and without repetition.
    ///
    /// At most [`MAX_BREAKPOINTS`], the earliest ones. A table of more than ten thousand corners
    /// counts as a sampled curve and announces none.
    pub fn breakpoints(&self, end_time: f64) -> Vec<f64> {
        let mut times = Vec::new();
        self.collect_breakpoints(end_time, &mut times);
        times.retain(|&t| t > 0.0 && t < end_time);
        times.sort_by(f64::total_cmp);
        // Of two corners apart by rounding only (a ramp that ends where a pulse starts) the later
        // one remains: a step between them would be too short to take.
        let rounding = 8.0 * f64::EPSILON * end_time;
        times.reverse();
        times.dedup_by(|earlier, later| *later - *earlier <= rounding);
        times.reverse();
        times.truncate(MAX_BREAKPOINTS);
        times
    }

    pub(crate) fn collect_breakpoints(&self, end_time: f64, out: &mut Vec<f64>) {
        match self {
            Self::Constant(_) | Self::Harmonic(_) => {}
            Self::Table(table) => table.breakpoints(end_time, out),
            Self::Pieces(pieces) => pieces.breakpoints(end_time, out),
            Self::Sine(sine) => out.extend(sine.start),
            Self::Chirp(chirp) => chirp.breakpoints(end_time, out),
            Self::Pulses(pulses) => pulses.breakpoints(end_time, out),
            Self::Ramp(ramp) => ramp.breakpoints(out),
            Self::Expression(expression) => expression.breakpoints(end_time, out),
            Self::Product(factors) => {
                factors.0.collect_breakpoints(end_time, out);
                factors.1.collect_breakpoints(end_time, out);
            }
            Self::Sum(terms) => {
                for term in terms {
                    term.collect_breakpoints(end_time, out);
                }
            }
        }
    }
}

impl From<Expression> for Signal {
    fn from(expression: Expression) -> Self {
        Self::Expression(expression)
    }
}
