//! The zero of a function by false position.

/// A point of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) f: f64,
}

/// False position with the Illinois rule: an end that stays twice counts half.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) low: Point,
    pub(crate) high: Point,
    /// The end that moved last.
    moved: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Low,
    High,
}

impl Search {
    /// Between two points with f < 0 at the second one.
    pub(crate) fn new(low: Point, high: Point) -> Self {
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
        let point = Point { x, f };
        if f.is_sign_negative() {
            self.high = point;
            if self.moved == Some(End::High) {
                self.low.f *= 0.5;
            }
            self.moved = Some(End::High);
        } else {
            self.low = point;
            if self.moved == Some(End::Low) {
                self.high.f *= 0.5;
            }
            self.moved = Some(End::Low);
        }
    }
}
