//! The zero of a function by false position.

/// A point of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BracketPoint {
    pub(crate) x: f64,
    pub(crate) f: f64,
}

/// False position with the Illinois rule: an end that stays twice counts half.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootSearch {
    pub(crate) low: BracketPoint,
    pub(crate) high: BracketPoint,
    /// The end that moved last.
    moved: Option<BracketEnd>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BracketEnd {
    Low,
    High,
}

impl RootSearch {
    /// Between two points with f < 0 at the second one.
    pub(crate) fn new(low: BracketPoint, high: BracketPoint) -> Self {
        Self {
            low,
            high,
            moved: None,
        }
    }

    pub(crate) fn length(&self) -> f64 {
        self.high.x - self.low.x
    }

    pub(crate) fn middle(&self) -> f64 {
        0.5 * (self.low.x + self.high.x)
    }

    pub(crate) fn next(&self) -> f64 {
        let (low, high) = (self.low, self.high);
        let secant = (low.x * high.f - high.x * low.f) / (high.f - low.f);
        if low.f > 0.0 && secant > low.x && secant < high.x {
            secant
        } else {
            self.middle()
        }
    }

    pub(crate) fn note(&mut self, x: f64, f: f64) {
        let point = BracketPoint { x, f };
        if f.is_sign_negative() {
            self.high = point;
            if self.moved == Some(BracketEnd::High) {
                self.low.f *= 0.5;
            }
            self.moved = Some(BracketEnd::High);
        } else {
            self.low = point;
            if self.moved == Some(BracketEnd::Low) {
                self.high.f *= 0.5;
            }
            self.moved = Some(BracketEnd::Low);
        }
    }
}
