//! The plots of a response: amplitude and phase over the frequency, losses, the path of the first
//! harmonic.

use bristle_response::{ChannelResult, MarkedPoint, PairResult};
use bristle_results::{AxisScale, CurveStyle, Figure, FigureAxis, FigureCurve};

use super::reading::{leading_amplitude, stable};
use super::table::{pair_name, phase};
use super::{ResponseOutcome, last_part};

/// Curves in a picture at most.
const MOST: usize = 32;
/// From this ratio of the values on, their axis is logarithmic.
const DECADES: f64 = 20.0;

/// A plot and the name of its files.
pub(super) struct ResponsePlot {
    pub(super) file: String,
    pub(super) figure: Figure,
}

/// All plots.
pub(super) fn all(outcome: &ResponseOutcome) -> Vec<ResponsePlot> {
    let mut plots = Vec::new();
    for i in 0..outcome.channels.len() {
        plots.extend([
            amplitude(outcome, i),
            phases(outcome, i),
            nyquist(outcome, i),
        ]);
    }
    plots.extend(pairs(outcome));
    plots.extend(peaks(outcome));
    plots
}

/// Values of a curve, one for each point.
type PointNumber<'r> = &'r dyn Fn(&MarkedPoint) -> f64;

/// What is drawn of all curves.
struct CurvePicture<'r> {
    title: String,
    x: (FigureAxis, PointNumber<'r>),
    y: (FigureAxis, PointNumber<'r>),
    /// Whether angles go on beyond half a turn.
    unwrapped: bool,
}

impl CurvePicture<'_> {
    /// Every curve with its unstable parts dashed, then its peaks and folds.
    fn figure(self, outcome: &ResponseOutcome) -> Figure {
        let mut curves = Vec::new();
        let (mut peaks, mut folds) = (MarkedPlaces::default(), MarkedPlaces::default());
        let mut dashed = false;
        let single = outcome.cases.len() == 1;
        for case in outcome.cases.iter().take(MOST) {
            let points = &case.curve.points;
            let x: Vec<f64> = points.iter().map(self.x.1).collect();
            let mut y: Vec<f64> = points.iter().map(self.y.1).collect();
            if self.unwrapped {
                unwrap(&mut y);
            }
            for (i, point) in points.iter().enumerate() {
                if point.peak {
                    peaks.push(x[i], y[i]);
                }
                if point.marks.fold {
                    folds.push(x[i], y[i]);
                }
            }
            let label = if single {
                last_part(&self.y.0.label).to_owned()
            } else {
                case.label(&outcome.varied)
            };
            dashed |= parts(points, [&x, &y], &label, &mut curves);
        }
        curves.extend(peaks.curve("peak"));
        curves.extend(folds.curve("fold"));
        let note = if dashed { " (dashed: unstable)" } else { "" };
        Figure {
            title: self.title + note,
            x: self.x.0,
            y: self.y.0,
            curves,
        }
    }
}

/// Points that are marked.
#[derive(Default)]
struct MarkedPlaces {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl MarkedPlaces {
    fn push(&mut self, x: f64, y: f64) {
        self.x.push(x);
        self.y.push(y);
    }

    fn curve(self, label: &str) -> Option<FigureCurve> {
        let some = !self.x.is_empty();
        some.then(|| FigureCurve::new(label, self.x, self.y).styled(CurveStyle::Points))
    }
}

/// Adds the stable and unstable parts of a curve; whether there is an unstable one.
fn parts(
    points: &[MarkedPoint],
    [x, y]: [&[f64]; 2],
    label: &str,
    curves: &mut Vec<FigureCurve>,
) -> bool {
    let own = curves.len();
    let name = |curves: &[FigureCurve]| if curves.len() == own { label } else { "" }.to_owned();
    if let ([x], [y]) = (x, y) {
        curves.push(FigureCurve::new(label, [*x], [*y]).styled(CurveStyle::Points));
        return false;
    }
    let mut start = 0;
    let mut any = false;
    for i in 1..x.len() {
        let dashed = is_unstable(&points[i - 1], &points[i]);
        any |= dashed;
        let last = i + 1 == x.len();
        if !last && is_unstable(&points[i], &points[i + 1]) == dashed {
            continue;
        }
        let part = start..=i;
        let curve = FigureCurve::new(name(curves), &x[part.clone()], &y[part]);
        curves.push(if dashed {
            curve.styled(CurveStyle::Dashed)
        } else {
            curve
        });
        start = i;
    }
    any
}

/// Whether the motion is unstable between two points. Where the stability changes it is neither.
fn is_unstable(a: &MarkedPoint, b: &MarkedPoint) -> bool {
    let unstable = |p: &MarkedPoint| stable(p) == Some(false);
    match (a.bifurcation, b.bifurcation) {
        (None, Some(_)) => unstable(a),
        (Some(_), None) => unstable(b),
        _ => unstable(a) && unstable(b),
    }
}

/// Takes turns off angles (degrees) that jump.
fn unwrap(angles: &mut [f64]) {
    let mut turns = 0.0;
    let mut before = f64::NAN;
    for angle in angles {
        let own = *angle;
        if own - before > 180.0 {
            turns -= 360.0;
        } else if own - before < -180.0 {
            turns += 360.0;
        }
        if own.is_finite() {
            before = own;
        }
        *angle = own + turns;
    }
}

fn frequency() -> (FigureAxis, PointNumber<'static>) {
    (FigureAxis::new("frequency", "Hz"), &|p| p.result.frequency)
}

/// A number of a channel; not a number where there is none.
fn of_channel(
    i: usize,
    number: impl Fn(&ChannelResult) -> Option<f64>,
) -> impl Fn(&MarkedPoint) -> f64 {
    move |point: &MarkedPoint| {
        let read = point.result.channels.get(i);
        read.and_then(&number).unwrap_or(f64::NAN)
    }
}

fn amplitude(outcome: &ResponseOutcome, i: usize) -> ResponsePlot {
    let channel = &outcome.channels[i];
    let size = of_channel(i, |read| Some(read.amplitude));
    let mut axis = FigureAxis::new("amplitude", &*channel.unit);
    let largest = outcome.cases.iter().map(|case| {
        let sizes = case.curve.points.iter().map(&size);
        sizes.fold(0.0, f64::max)
    });
    if is_wide(largest.filter(|size| *size > 0.0)) {
        axis = axis.scaled(AxisScale::Logarithmic);
    }
    let drawn = CurvePicture {
        title: format!("Amplitude of {}", channel.name),
        x: frequency(),
        y: (axis, &size),
        unwrapped: false,
    };
    ResponsePlot {
        file: format!("amplitude_{}", channel.name),
        figure: drawn.figure(outcome),
    }
}

fn phases(outcome: &ResponseOutcome, i: usize) -> ResponsePlot {
    let channel = &outcome.channels[i];
    let angle = of_channel(i, |read| phase(read).map(f64::to_degrees));
    let drawn = CurvePicture {
        title: format!("Phase of {}", channel.name),
        x: frequency(),
        y: (FigureAxis::new("phase", "°"), &angle),
        unwrapped: true,
    };
    ResponsePlot {
        file: format!("phase_{}", channel.name),
        figure: drawn.figure(outcome),
    }
}

fn nyquist(outcome: &ResponseOutcome, i: usize) -> ResponsePlot {
    let channel = &outcome.channels[i];
    let real = of_channel(i, |read| Some(read.harmonics.get(1)?.re));
    let imaginary = of_channel(i, |read| Some(read.harmonics.get(1)?.im));
    let drawn = CurvePicture {
        title: format!("First harmonic of {}", channel.name),
        x: (FigureAxis::new("real part", &*channel.unit), &real),
        y: (
            FigureAxis::new("imaginary part", &*channel.unit),
            &imaginary,
        ),
        unwrapped: false,
    };
    ResponsePlot {
        file: format!("nyquist_{}", channel.name),
        figure: drawn.figure(outcome),
    }
}

/// Energy lost and time stuck of every contact and joint with friction.
fn pairs(outcome: &ResponseOutcome) -> Vec<ResponsePlot> {
    let first = outcome.cases.iter().find_map(|c| c.curve.points.first());
    let pairs = first.map_or(&[][..], |point| &point.result.pairs);
    let mut plots = Vec::new();
    for (i, pair) in pairs.iter().enumerate() {
        let name = pair_name(pair);
        for plot in PAIR_PLOTS {
            let number = plot.number;
            let read = |point: &MarkedPoint| point.result.pairs.get(i).map_or(f64::NAN, number);
            let points = outcome.cases.iter().flat_map(|case| &case.curve.points);
            let none = if points.map(&read).all(|x| x == 0.0) {
                ": none"
            } else {
                ""
            };
            let drawn = CurvePicture {
                title: format!("{}{none}, {name}", plot.title),
                x: frequency(),
                y: (FigureAxis::new(plot.label, plot.unit), &read),
                unwrapped: false,
            };
            plots.push(ResponsePlot {
                file: format!("{}_{name}", plot.file),
                figure: drawn.figure(outcome),
            });
        }
    }
    plots
}

/// A plot of every contact and joint with friction.
struct PairPlot {
    file: &'static str,
    title: &'static str,
    label: &'static str,
    unit: &'static str,
    number: fn(&PairResult) -> f64,
}

const PAIR_PLOTS: [PairPlot; 2] = [
    PairPlot {
        file: "dissipated",
        title: "Energy lost in a cycle",
        label: "energy lost",
        unit: "J",
        number: |pair| pair.dissipated_per_cycle,
    },
    PairPlot {
        file: "stuck",
        title: "Part of the cycle that it sticks",
        label: "stuck",
        unit: "1",
        number: |pair| pair.stuck_fraction,
    },
];

/// The highest peak over the value, where one number is varied.
fn peaks(outcome: &ResponseOutcome) -> Option<ResponsePlot> {
    let [path] = &outcome.varied[..] else {
        return None;
    };
    let channel = outcome.channels.first()?;
    let mut highest: Vec<(f64, f64)> = Vec::new();
    for case in &outcome.cases {
        let value = case.values.first()?.si?;
        highest.extend(
            case.highest()
                .map(|point| (value, leading_amplitude(point))),
        );
    }
    highest.sort_by(|a, b| a.0.total_cmp(&b.0));
    if highest.len() < 2 {
        return None;
    }
    let (x, y): (Vec<f64>, Vec<f64>) = highest.into_iter().unzip();
    let unit = outcome.cases.first()?.values.first()?.unit.clone();
    let axis = |axis: FigureAxis, values: &[f64]| {
        if is_wide(values.iter().copied()) {
            axis.scaled(AxisScale::Logarithmic)
        } else {
            axis
        }
    };
    let along = axis(FigureAxis::new(path, unit), &x);
    let size = axis(FigureAxis::new("amplitude", &*channel.unit), &y);
    let dots = FigureCurve::new("computed", x.clone(), y.clone()).styled(CurveStyle::Points);
    let figure = Figure {
        title: format!("Highest amplitude of {}", channel.name),
        x: along,
        y: size,
        curves: vec![FigureCurve::new("highest amplitude", x, y), dots],
    };
    Some(ResponsePlot {
        file: "peaks".to_owned(),
        figure,
    })
}

/// Whether values are positive and differ so much that their axis is logarithmic.
fn is_wide(values: impl Iterator<Item = f64>) -> bool {
    let ends = values.fold([f64::INFINITY, 0.0], |[least, most], value| {
        [value.min(least), value.max(most)]
    });
    ends[0] > 0.0 && ends[1] > DECADES * ends[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_goes_on_beyond_half_a_turn() {
        let mut angles = [-10.0, -90.0, -170.0, 175.0, 90.0, f64::NAN, 80.0, -175.0];
        unwrap(&mut angles);
        let shown = angles.map(|angle| format!("{angle}")).join(" ");
        assert_eq!(shown, "-10 -90 -170 -185 -270 NaN -280 -175");
    }
}
