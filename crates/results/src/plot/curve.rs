//! A picture of curves, before it is drawn.

/// What an axis shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FigureAxis {
    /// The quantity, without unit.
    pub label: String,
    /// Its SI unit; `1` or nothing for numbers without dimension. A prefix is chosen to suit.
    pub unit: String,
}

/// A curve by its points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureCurve {
    /// What the legend says.
    pub label: String,
    /// Values along the horizontal axis, in the unit of its axis.
    pub x: Vec<f64>,
    /// As many values along the vertical axis, in the unit of its axis.
    pub y: Vec<f64>,
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
