//! A response curve over frequency.

use crate::balance::HarmonicBalance;
use crate::error::{ResponseError, Result};
use crate::excitation::Excitation;
use crate::follow::{FollowedPoint, Follower, GridChoice, resized};
use crate::newton::CurveParameter;
use nalgebra::DVector;

/// Secant steps to a fold or a peak.
const REFINEMENTS: usize = 12;
/// A fold is found when the parameter's share of the direction is this small.
const FOLDED: f64 = 1e-6;
/// First level of the excitation where the start is hard to find.
const FIRST_LEVEL: f64 = 0.02;
/// Points of a curve at most: one that turns without end stops here.
const MAX_POINTS: usize = 20_000;

/// Frequencies of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveRange {
    /// From, rad/s.
    pub from: f64,
    /// To, rad/s; the same for a single point.
    pub to: f64,
    /// Frequencies that are solved for exactly wherever the curve passes them, rad/s.
    pub at: Vec<f64>,
}

/// How a curve is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveOptions {
    /// Harmonics and samples.
    pub grid: GridChoice,
    /// Longest step, as part of the range.
    pub longest_step: f64,
    /// The curve ends where the motion at the pairs exceeds this, m.
    pub max_motion: f64,
}

impl Default for CurveOptions {
    fn default() -> Self {
        Self {
            grid: GridChoice {
                harmonics: None,
                samples: None,
                tolerance: 1e-4,
            },
            longest_step: 0.02,
            max_motion: f64::INFINITY,
        }
    }
}

/// What a point of a curve is, beside a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointMarks {
    /// The frequency was asked for.
    pub asked: bool,
    /// The curve turns back here.
    pub fold: bool,
}

/// A response curve.
#[derive(Clone, Debug, Default)]
pub struct FollowedCurve {
    /// In the order of the curve.
    pub points: Vec<FollowedPoint>,
    /// What they are.
    pub marks: Vec<PointMarks>,
    /// Why it ended before the range did.
    pub error: Option<ResponseError>,
    /// How it ended.
    pub end: CurveEnd,
}

/// What goes on while a curve is computed.
pub struct CurveControl<'a> {
    /// Sees the angular frequency of each point that is found, rad/s.
    pub found: &'a mut dyn FnMut(f64),
    /// Whether the curve is to be left as it stands.
    pub stops: &'a dyn Fn() -> bool,
}

impl std::fmt::Debug for CurveControl<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("CurveControl")
            .finish_non_exhaustive()
    }
}

/// How a curve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveEnd {
    /// At the end of the range.
    #[default]
    Complete,
    /// It turned back and left the range where it began.
    AtStart,
    /// The motion exceeds what is allowed.
    TooLarge,
    /// It was stopped.
    Stopped,
    /// It has as many points as a curve may have.
    TooManyPoints,
    /// A step found no solution.
    Failed,
}

/// Follows the response over a range of frequencies.
///
/// # Errors
/// If there is no first point. A curve that ends early is kept, with its error.
pub fn respond(
    balance: &HarmonicBalance,
    range: &CurveRange,
    options: &CurveOptions,
    control: &mut CurveControl<'_>,
) -> Result<FollowedCurve> {
    let width = (range.to - range.from).abs();
    let unit = if width > 0.0 { width } else { range.from };
    let mut follower = Follower::new(balance, CurveParameter::Frequency, options.grid, unit);
    let first = start(&mut follower, range.from)?;
    let mut curve = FollowedCurve::default();
    if width == 0.0 {
        (control.found)(first.omega());
        curve.points.push(first);
        curve.marks.push(PointMarks {
            asked: true,
            fold: false,
        });
        return Ok(curve);
    }
    let mut points = Vec::new();
    let mut count = 0;
    let mut end = CurveEnd::Failed;
    let ended = follower.follow(first, options.longest_step, &mut points, &mut |point| {
        count += 1;
        (control.found)(point.omega());
        let found = if (control.stops)() {
            CurveEnd::Stopped
        } else if point.omega() >= range.to {
            CurveEnd::Complete
        } else if point.omega() <= range.from {
            CurveEnd::AtStart
        } else if point.solution.w.norm() > options.max_motion {
            CurveEnd::TooLarge
        } else if count >= MAX_POINTS {
            CurveEnd::TooManyPoints
        } else {
            return true;
        };
        end = found;
        false
    });
    curve.error = ended.err();
    curve.end = end;
    refine(&mut follower, points, range, &mut curve, control.stops);
    Ok(curve)
}

/// The first point: from the linear machine, or by raising the excitation.
fn start(follower: &mut Follower<'_>, omega: f64) -> Result<FollowedPoint> {
    let balance = follower.balance;
    let grid = follower.choice.first(balance.linear.highest_order());
    let drive = Excitation::at(omega);
    let zero = DVector::zeros(balance.unknowns(&grid));
    let direct = follower.solve(drive, &zero, &grid);
    let Err(error) = direct else {
        return direct;
    };
    let mut raised = Follower::new(balance, CurveParameter::Level, follower.choice, 1.0);
    let low = Excitation {
        level: FIRST_LEVEL,
        ..drive
    };
    let Ok(first) = raised.solve(low, &zero, &grid) else {
        return Err(error);
    };
    let mut points = Vec::new();
    raised.follow(first, 0.1, &mut points, &mut |point| {
        point.solution.drive.level < 1.0
    })?;
    let Some(last) = points.last() else {
        return Err(error);
    };
    follower.solve(drive, &last.solution.w, &last.grid)
}

/// Puts folds, and the frequencies asked for, between the points, unless the curve was stopped.
fn refine(
    follower: &mut Follower<'_>,
    points: Vec<FollowedPoint>,
    range: &CurveRange,
    curve: &mut FollowedCurve,
    stops: &dyn Fn() -> bool,
) {
    let mut targets = range.at.clone();
    targets.extend([range.from, range.to]);
    let mut all = points.into_iter();
    let Some(mut last) = all.next() else {
        return;
    };
    push(
        curve,
        last.clone(),
        PointMarks {
            asked: true,
            fold: false,
        },
    );
    for next in all {
        if stops() {
            curve.end = CurveEnd::Stopped;
        }
        // who waits for the curve so far does not wait for what lies between its points
        if curve.end != CurveEnd::Stopped {
            refine_between(follower, &last, &next, &targets, curve);
        }
        if next.omega() >= range.from && next.omega() <= range.to {
            push(curve, next.clone(), PointMarks::default());
        }
        last = next;
    }
}

/// Puts the fold between two points, and the frequencies asked for.
fn refine_between(
    follower: &mut Follower<'_>,
    last: &FollowedPoint,
    next: &FollowedPoint,
    targets: &[f64],
    curve: &mut FollowedCurve,
) {
    let turns = last.parameter_slope() * next.parameter_slope() < 0.0;
    let fold = turns.then(|| fold(follower, last, next)).flatten();
    let Some(fold) = fold else {
        between(follower, last, next, targets, curve);
        return;
    };
    between(follower, last, &fold, targets, curve);
    let marks = PointMarks {
        asked: false,
        fold: true,
    };
    push(curve, fold.clone(), marks);
    between(follower, &fold, next, targets, curve);
}

fn push(curve: &mut FollowedCurve, point: FollowedPoint, marks: PointMarks) {
    curve.points.push(point);
    curve.marks.push(marks);
}

/// Solves for the frequencies asked for between two points.
fn between(
    follower: &mut Follower<'_>,
    a: &FollowedPoint,
    b: &FollowedPoint,
    targets: &[f64],
    curve: &mut FollowedCurve,
) {
    let (low, high) = (a.omega().min(b.omega()), a.omega().max(b.omega()));
    let close = 1e-12 * high;
    let mut inside: Vec<f64> = targets
        .iter()
        .copied()
        .filter(|x| *x > low + close && *x < high - close)
        .collect();
    inside.sort_by(f64::total_cmp);
    if b.omega() < a.omega() {
        inside.reverse();
    }
    for omega in inside {
        let len = a.solution.w.len().max(b.solution.w.len());
        let part = (omega - a.omega()) / (b.omega() - a.omega());
        let (from, to) = (resized(&a.solution.w, len), resized(&b.solution.w, len));
        let guess = &from + (to - &from) * part;
        let drive = Excitation {
            omega,
            ..a.solution.drive
        };
        let grid = if b.solution.w.len() == len {
            &b.grid
        } else {
            &a.grid
        };
        if let Ok(mut point) = follower.solve(drive, &guess, grid) {
            if a.parameter_slope() < 0.0 {
                point.tangent = -point.tangent;
            }
            push(
                curve,
                point,
                PointMarks {
                    asked: true,
                    fold: false,
                },
            );
        }
    }
}

/// The fold between two points, by the secant of the parameter's share of the direction.
fn fold(
    follower: &mut Follower<'_>,
    a: &FollowedPoint,
    b: &FollowedPoint,
) -> Option<FollowedPoint> {
    let n = a.solution.w.len();
    let moved = resized(&b.solution.w, n) - &a.solution.w;
    let (mut low, mut high) = (0.0, {
        let along = moved.dot(&a.tangent.rows(0, n)) / a.scales.w;
        along + (b.omega() - a.omega()) * a.parameter_slope() / a.scales.parameter
    });
    let (mut at_low, mut at_high) = (a.parameter_slope(), b.parameter_slope());
    let mut best = None;
    for _ in 0..REFINEMENTS {
        let secant = low - at_low * (high - low) / (at_high - at_low);
        let inner = 0.02 * (high - low);
        let step = secant.clamp(low + inner, high - inner);
        let point = follower.step(a, step).ok()?;
        let slope = point.parameter_slope();
        best = Some(point);
        if slope.abs() < FOLDED {
            break;
        }
        if slope * at_low > 0.0 {
            (low, at_low) = (step, slope);
        } else {
            (high, at_high) = (step, slope);
        }
    }
    best
}
