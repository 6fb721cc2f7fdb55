//! What a picture shows: axes and curves by their points.

/// How the values along an axis are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisScale {
    /// Equal distances for equal differences.
    #[default]
    Linear,
    /// Equal distances for equal ratios; values that are not positive are left out.
    Logarithmic,
    /// Logarithmic on either side of zero, for curves over speeds of both signs. The decade of the
    /// smallest value meets its mirror image in the middle; zero itself lies there.
    SignedLogarithmic,
}

/// What an axis shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FigureAxis {
    /// The quantity, without unit.
    pub label: String,
    /// Its SI unit; `1` or nothing for numbers without dimension. A prefix is chosen to suit.
    pub unit: String,
    /// How its values are spread.
    pub scale: AxisScale,
    /// Whether its values are counts or numbers of things, between which there is nothing.
    pub whole: bool,
}

impl FigureAxis {
    /// A linear axis.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            unit: unit.into(),
            scale: AxisScale::Linear,
            whole: false,
        }
    }

    /// A linear axis of counts, or of numbers of things: its ticks are whole.
    pub fn of_counts(label: impl Into<String>) -> Self {
        Self {
            whole: true,
            ..Self::new(label, "1")
        }
    }

    /// The same axis with its values spread in another way.
    #[must_use]
    pub fn scaled(mut self, scale: AxisScale) -> Self {
        self.scale = scale;
        self
    }
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveStyle {
    /// A line through its points.
    #[default]
    Line,
    /// A thin line, for the bounds of a band.
    Thin,
    /// A dashed line, for parts of a curve that are less than the rest of it, as unstable motions.
    Dashed,
    /// Its points alone, for data.
    Points,
}

/// A curve by its points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureCurve {
    /// What the legend says. A curve without a label goes on with the one before it, in the same
    /// colour and under the same entry of the legend.
    pub label: String,
    /// Values along the horizontal axis, in the unit of its axis.
    pub x: Vec<f64>,
    /// As many values along the vertical axis, in the unit of its axis.
    pub y: Vec<f64>,
    /// How it is drawn.
    pub style: CurveStyle,
}

impl FigureCurve {
    /// A line.
    pub fn new(label: impl Into<String>, x: impl Into<Vec<f64>>, y: impl Into<Vec<f64>>) -> Self {
        Self {
            label: label.into(),
            x: x.into(),
            y: y.into(),
            style: CurveStyle::Line,
        }
    }

    /// The same points drawn in another way.
    #[must_use]
    pub fn styled(mut self, style: CurveStyle) -> Self {
        self.style = style;
        self
    }
}

/// A picture of curves on common axes, from whatever tables they come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Title.
    pub title: String,
    /// Horizontal axis.
    pub x: FigureAxis,
    /// Vertical axis.
    pub y: FigureAxis,
    /// The curves, in the order of the legend.
    pub curves: Vec<FigureCurve>,
}

impl Figure {
    /// The place in the legend of each curve: those without a label share that of the one before.
    pub fn entries(&self) -> Vec<usize> {
        let mut entry = 0;
        let each = self.curves.iter().enumerate().map(|(i, curve)| {
            if i > 0 && !curve.label.is_empty() {
                entry += 1;
            }
            entry
        });
        each.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_without_a_label_goes_on_with_the_one_before() {
        let labels = ["rest", "", "", "mode", ""];
        let curves = labels.map(|label| FigureCurve::new(label, [0.0], [0.0]));
        let figure = Figure {
            curves: curves.to_vec(),
            ..Figure::default()
        };
        assert_eq!(figure.entries(), [0, 0, 0, 1, 1]);
    }
}
