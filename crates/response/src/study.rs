//! A response curve with what it means: points, peaks, folds, changes of stability.

use crate::analysis::{Analyser, PeriodMotion, PointResult};
use crate::curve::{
    CurveControl, CurveEnd, CurveOptions, CurveRange, FollowedCurve, PointMarks, respond,
};
use crate::error::{ResponseError, Result};
use crate::follow::{FollowedPoint, Follower, GridChoice, MAX_HARMONICS, MAX_SAMPLES};
use crate::machine::Machine;
use crate::newton::CurveParameter;
use bristle_mechanics::Model;
use nalgebra::Complex;

/// Steps to a peak, and to a change of stability.
const PEAK_STEPS: usize = 12;
const CHANGE_STEPS: usize = 14;
/// A peak rises over the valley to the next one by more than this part.
const PROMINENT: f64 = 1e-3;
/// A multiplier counts as complex from this angle on, rad.
const COMPLEX: f64 = 1e-3;

/// What is asked of a curve.
#[derive(Clone, Debug)]
pub struct ResponseRequest {
    /// Channels by name; peaks are those of the first one.
    pub channels: Vec<String>,
    /// Frequencies.
    pub range: CurveRange,
    /// How it is computed.
    pub options: CurveOptions,
    /// Whether the stability of every point is wanted.
    pub stability: bool,
    /// Whether the motion at the highest point is wanted.
    pub motion: bool,
}

/// A point of a curve with its place.
#[derive(Clone, Debug)]
pub struct MarkedPoint {
    /// What it is.
    pub result: PointResult,
    /// Whether its frequency was asked for, or the curve turns there.
    pub marks: PointMarks,
    /// Whether it is a peak of the first channel.
    pub peak: bool,
    /// The change of stability that happens here.
    pub bifurcation: Option<Bifurcation>,
}

/// How a motion loses its stability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bifurcation {
    /// The curve turns back; a multiplier passes +1.
    Fold,
    /// A multiplier passes +1 although the curve goes on: a second curve branches off, as where a
    /// symmetry is lost.
    BranchPoint,
    /// A multiplier passes −1: a motion of twice the period.
    Flip,
    /// A pair of multipliers leaves the unit circle: a slow modulation.
    NeimarkSacker,
}

impl Bifurcation {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::BranchPoint => "branch point (loss of symmetry)",
            Self::Flip => "flip (period doubling)",
            Self::NeimarkSacker => "Neimark-Sacker (modulation)",
        }
    }
}

/// A response curve.
#[derive(Clone, Debug, Default)]
pub struct ResponseCurve {
    /// In the order of the curve.
    pub points: Vec<MarkedPoint>,
    /// How it ended.
    pub end: CurveEnd,
    /// Why it ended before the range did, if it failed.
    pub error: Option<ResponseError>,
    /// States over a period at the highest point of the first channel, if they were wanted.
    pub motion: Option<PeriodMotion>,
    /// What deserves a second look.
    pub warnings: Vec<String>,
}

impl ResponseCurve {
    /// Peaks of the first channel.
    pub fn peaks(&self) -> impl Iterator<Item = &MarkedPoint> {
        self.points.iter().filter(|point| point.peak)
    }

    /// Points where the curve turns back.
    pub fn folds(&self) -> impl Iterator<Item = &MarkedPoint> {
        self.points.iter().filter(|point| point.marks.fold)
    }

    /// Changes of stability, folds among them.
    pub fn bifurcations(&self) -> impl Iterator<Item = (&MarkedPoint, Bifurcation)> {
        self.points
            .iter()
            .filter_map(|point| Some((point, point.bifurcation?)))
    }
}

/// Why a response was not computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CurveError {
    /// A channel that does not exist.
    #[error("there is no channel {0}")]
    NoChannel(String),
    /// The balance.
    #[error(transparent)]
    Response(#[from] ResponseError),
}

/// Computes a curve and everything about its points. One that is stopped keeps what was found.
///
/// # Errors
/// If a channel does not exist or there is no first point.
pub fn response_curve(
    machine: &Machine,
    model: &mut Model,
    request: &ResponseRequest,
    control: &mut CurveControl<'_>,
) -> std::result::Result<ResponseCurve, CurveError> {
    let range = &request.range;
    let highest = request.stability.then(|| {
        let harmonics = request.options.grid.harmonics.unwrap_or(5) as f64;
        harmonics * range.from.max(range.to)
    });
    let mut analyser =
        Analyser::new(machine, model, &request.channels, highest).map_err(CurveError::NoChannel)?;
    let curve = respond(&machine.balance, range, &request.options, control)?;
    let unit = (range.to - range.from).abs();
    let unit = if unit > 0.0 { unit } else { range.from };
    let mut end = curve.end;
    if end == CurveEnd::Stopped {
        analyser.leave_stability();
    }
    let mut reader = CurveReader {
        follower: Follower::new(
            &machine.balance,
            CurveParameter::Frequency,
            request.options.grid,
            unit,
        ),
        analyser: &mut analyser,
        model,
        end: &mut end,
        stops: control.stops,
    };
    let mut out = reader.read(&curve, request.motion)?;
    (out.end, out.error) = (end, curve.error);
    warn(machine, &request.options.grid, &mut out);
    Ok(out)
}

/// A point with its solution.
struct ReadPoint {
    point: FollowedPoint,
    marked: MarkedPoint,
}

/// Reads the points of a curve. One that is stopped keeps its points and gets nothing between them.
struct CurveReader<'a, 'm> {
    follower: Follower<'m>,
    analyser: &'a mut Analyser<'m>,
    model: &'a mut Model,
    end: &'a mut CurveEnd,
    stops: &'a dyn Fn() -> bool,
}

impl CurveReader<'_, '_> {
    fn read(&mut self, curve: &FollowedCurve, motion: bool) -> Result<ResponseCurve> {
        let mut all = Vec::with_capacity(curve.points.len());
        for (point, marks) in curve.points.iter().zip(&curve.marks) {
            all.push(self.marked(point.clone(), *marks)?);
        }
        let all = self.with_changes(all)?;
        let mut all = self.with_peaks(all)?;
        keep_prominent(&mut all);
        let highest = all
            .iter()
            .max_by(|a, b| amplitude(a).total_cmp(&amplitude(b)));
        let motion = match highest.filter(|_| motion) {
            Some(highest) => Some(self.analyser.motion(self.model, &highest.point)?),
            None => None,
        };
        Ok(ResponseCurve {
            motion,
            points: all.into_iter().map(|read| read.marked).collect(),
            ..ResponseCurve::default()
        })
    }

    fn is_stopped(&self) -> bool {
        *self.end == CurveEnd::Stopped
    }

    fn marked(&mut self, point: FollowedPoint, marks: PointMarks) -> Result<ReadPoint> {
        if !self.is_stopped() && (self.stops)() {
            *self.end = CurveEnd::Stopped;
            self.analyser.leave_stability();
        }
        let result = self.analyser.read(self.model, &point)?;
        let bifurcation = marks.fold.then_some(Bifurcation::Fold);
        Ok(ReadPoint {
            point,
            marked: MarkedPoint {
                result,
                marks,
                peak: false,
                bifurcation,
            },
        })
    }

    /// Puts changes of stability between the points.
    fn with_changes(&mut self, all: Vec<ReadPoint>) -> Result<Vec<ReadPoint>> {
        let mut out: Vec<ReadPoint> = Vec::with_capacity(all.len());
        for next in all {
            if let Some(last) = out.last()
                && last.marked.bifurcation.is_none()
                && next.marked.bifurcation.is_none()
                && unstable(last) != unstable(&next)
                && !self.is_stopped()
                && let Some(change) = self.change(&last.point.clone(), unstable(last), &next)?
            {
                out.push(change);
            }
            out.push(next);
        }
        Ok(out)
    }

    /// The change of stability between two points, by halving.
    fn change(
        &mut self,
        from: &FollowedPoint,
        before: Option<usize>,
        next: &ReadPoint,
    ) -> Result<Option<ReadPoint>> {
        let (mut low, mut high) = (0.0, distance(from, &next.point));
        let mut found = None;
        for _ in 0..CHANGE_STEPS {
            let middle = 0.5 * (low + high);
            let Ok(point) = self.follower.step(from, middle) else {
                return Ok(None);
            };
            let read = self.marked(point, PointMarks::default())?;
            if unstable(&read) == before {
                low = middle;
            } else {
                high = middle;
                found = Some(read);
            }
        }
        Ok(found.map(|mut read| {
            read.marked.bifurcation = kind(&read);
            read
        }))
    }

    /// Marks the peaks of the first channel, each put between the points around it.
    fn with_peaks(&mut self, all: Vec<ReadPoint>) -> Result<Vec<ReadPoint>> {
        let sizes: Vec<f64> = all.iter().map(amplitude).collect();
        let mut out = Vec::with_capacity(all.len());
        let count = sizes.len();
        let mut all: Vec<Option<ReadPoint>> = all.into_iter().map(Some).collect();
        for i in 0..count {
            let is_peak =
                i > 0 && i + 1 < count && sizes[i] > sizes[i - 1] && sizes[i] >= sizes[i + 1];
            let own = all[i].take();
            let Some(own) = own else { continue };
            if !is_peak {
                out.push(own);
                continue;
            }
            let ends = [
                out.last().map_or(0.0, |last: &ReadPoint| {
                    -distance(&own.point, &last.point).abs()
                }),
                all[i + 1]
                    .as_ref()
                    .map_or(0.0, |next| distance(&own.point, &next.point).abs()),
            ];
            let peak = if self.is_stopped() {
                None
            } else {
                self.peak(&own, ends, [sizes[i - 1], sizes[i + 1]])?
            };
            if let Some((before, mut peak)) = peak {
                peak.marked.peak = true;
                if before {
                    out.extend([peak, own]);
                } else {
                    out.extend([own, peak]);
                }
            } else {
                let mut own = own;
                own.marked.peak = true;
                out.push(own);
            }
        }
        Ok(out)
    }

    /// The peak near a point, by parabolas over the arc length; whether it comes before the point.
    fn peak(
        &mut self,
        at: &ReadPoint,
        ends: [f64; 2],
        sizes: [f64; 2],
    ) -> Result<Option<(bool, ReadPoint)>> {
        let mut known = vec![
            (ends[0], sizes[0]),
            (0.0, amplitude(at)),
            (ends[1], sizes[1]),
        ];
        let mut best = None;
        for _ in 0..PEAK_STEPS {
            let [a, b, c] = [known[0], known[1], known[2]];
            let Some(s) = summit(a, b, c) else { break };
            if (s - b.0).abs() < 1e-7 * (c.0 - a.0) {
                break;
            }
            let Ok(point) = self.follower.step(&at.point, s) else {
                break;
            };
            let size = self.analyser.amplitude(self.model, &point)?;
            let place = known.partition_point(|x| x.0 < s);
            known.insert(place, (s, size));
            let top = (1..known.len() - 1).max_by(|&i, &j| known[i].1.total_cmp(&known[j].1));
            let top = top.unwrap_or(1);
            if top == place && size > amplitude(at) {
                best = Some((s, point));
            }
            known = known[top - 1..=top + 1].to_vec();
        }
        match best {
            Some((s, point)) => Ok(Some((s < 0.0, self.marked(point, PointMarks::default())?))),
            None => Ok(None),
        }
    }
}

/// Keeps the peaks that stand out of the curve by more than the error of its points: a finer grid
/// from one point to the next is no peak.
fn keep_prominent(all: &mut [ReadPoint]) {
    loop {
        let peaks: Vec<usize> = (0..all.len()).filter(|&i| all[i].marked.peak).collect();
        let faint = peaks.windows(2).find_map(|pair| {
            let valley = all[pair[0]..=pair[1]]
                .iter()
                .map(amplitude)
                .fold(f64::INFINITY, f64::min);
            let sizes = [amplitude(&all[pair[0]]), amplitude(&all[pair[1]])];
            let lower = usize::from(sizes[0] >= sizes[1]);
            (sizes[lower] - valley < PROMINENT * sizes[lower]).then_some(pair[lower])
        });
        match faint {
            Some(place) => all[place].marked.peak = false,
            None => return,
        }
    }
}

/// Where the parabola through three points has its summit.
fn summit(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> Option<f64> {
    let (left, right) = ((b.1 - a.1) / (b.0 - a.0), (c.1 - b.1) / (c.0 - b.0));
    let curvature = (right - left) / (c.0 - a.0);
    if !curvature.is_finite() || curvature >= 0.0 {
        return None;
    }
    let s = 0.5 * (a.0 + b.0) - 0.5 * left / curvature;
    let edge = 0.05 * (c.0 - a.0);
    Some(s.clamp(a.0 + edge, c.0 - edge))
}

fn amplitude(read: &ReadPoint) -> f64 {
    read.marked
        .result
        .channels
        .first()
        .map_or(0.0, |c| c.amplitude)
}

fn unstable(read: &ReadPoint) -> Option<usize> {
    Some(read.marked.result.multipliers.as_ref()?.unstable())
}

/// The arc length from one point to another, along the direction of the first.
fn distance(from: &FollowedPoint, to: &FollowedPoint) -> f64 {
    let n = from.solution.w.len();
    let moved = crate::follow::resized(&to.solution.w, n) - &from.solution.w;
    moved.dot(&from.tangent.rows(0, n)) / from.scales.w
        + (to.omega() - from.omega()) * from.parameter_slope() / from.scales.parameter
}

/// Which multiplier has just left the unit circle.
fn kind(read: &ReadPoint) -> Option<Bifurcation> {
    let multipliers = read.marked.result.multipliers.as_ref()?;
    let near = |m: &&Complex<f64>| (m.norm() - 1.0).abs();
    let crossing = multipliers
        .values
        .iter()
        .filter(|m| (**m - Complex::ONE).norm() > crate::stability::NEUTRAL)
        .min_by(|a, b| near(a).total_cmp(&near(b)))?;
    let angle = crossing.arg().abs();
    Some(if angle < COMPLEX {
        Bifurcation::BranchPoint
    } else if std::f64::consts::PI - angle < COMPLEX {
        Bifurcation::Flip
    } else {
        Bifurcation::NeimarkSacker
    })
}

fn warn(machine: &Machine, grid: &GridChoice, out: &mut ResponseCurve) {
    out.warnings.clone_from(&machine.warnings);
    let at_limit = |point: &&MarkedPoint| {
        let result = &point.result;
        (grid.harmonics.is_none() && result.harmonics >= MAX_HARMONICS)
            || (grid.samples.is_none() && result.samples >= MAX_SAMPLES)
    };
    if let Some(point) = out.points.iter().find(at_limit) {
        out.warnings.push(format!(
            "from {:.6} Hz on some points have {MAX_HARMONICS} harmonics or {MAX_SAMPLES} samples, the \
             most that are tried: their error may exceed the tolerance {}",
            point.result.frequency, grid.tolerance
        ));
    }
    let mut names: Vec<String> = Vec::new();
    for point in &out.points {
        for name in &point.result.not_unique {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    if !names.is_empty() {
        let names = names.join(", ");
        out.warnings.push(format!(
            "{names}: never slips both ways at some points; the mean of the motion depends on the \
             history there, and is that of a machine that starts at rest"
        ));
    }
}
