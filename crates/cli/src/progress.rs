//! The progress bar of a run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bristle_results::format_quantity;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::Stream;

/// Divisions of the bar.
const PARTS: u64 = 10_000;
/// The bar is drawn this often, and not at all for runs that are shorter.
const INTERVAL: Duration = Duration::from_millis(100);

/// Shows how far a run is: model time, rate and time left. It draws on a terminal only.
#[derive(Debug)]
pub(crate) struct RunProgress {
    bar: ProgressBar,
    end_time: f64,
    start: Instant,
    shown: Instant,
}

impl RunProgress {
    /// A bar for a run up to `end_time` (s).
    pub(crate) fn new(end_time: f64, quiet: bool) -> Self {
        let target = if quiet || !Stream::Err.is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(PARTS), target);
        let template = if Stream::Err.width() < 60 {
            "{percent:>3} % {msg}"
        } else {
            "{bar:24} {percent:>3} %  {msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        let now = Instant::now();
        Self {
            bar,
            end_time,
            start: now,
            shown: now,
        }
    }

    /// The model time that was reached (s).
    pub(crate) fn reached(&mut self, t: f64) {
        if self.bar.is_hidden() || self.shown.elapsed() < INTERVAL {
            return;
        }
        self.shown = Instant::now();
        let wall = self.start.elapsed().as_secs_f64();
        let part = (t / self.end_time).clamp(0.0, 1.0);
        let rate = t / wall;
        let left = wall * (1.0 - part) / part;
        let mut message = format!("{} at {rate:.2} × real time", format_quantity(t, "s"));
        if left.is_finite() {
            let _ = write!(message, ", {} left", clock(left));
        }
        self.bar.set_message(message);
        // the position is a picture, not a number to compute with
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "part is in [0, 1]"
        )]
        self.bar.set_position((part * PARTS as f64) as u64);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Shows which frequency a response curve has reached. It draws on a terminal only.
#[derive(Debug)]
pub(crate) struct CurveProgress {
    bar: ProgressBar,
    /// Ends of the range, rad/s.
    ends: [f64; 2],
    shown: Instant,
    points: usize,
}

impl CurveProgress {
    /// A bar for a curve between two angular frequencies (rad/s).
    pub(crate) fn new(ends: [f64; 2], quiet: bool) -> Self {
        let target = if quiet || !Stream::Err.is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(PARTS), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {msg}") {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self {
            bar,
            ends,
            shown: Instant::now(),
            points: 0,
        }
    }

    /// The angular frequency of a new point; it goes back behind a fold.
    pub(crate) fn reached(&mut self, omega: f64) {
        self.points += 1;
        if self.bar.is_hidden() || self.shown.elapsed() < INTERVAL {
            return;
        }
        self.shown = Instant::now();
        let [from, to] = self.ends;
        let part = ((omega - from) / (to - from)).clamp(0.0, 1.0);
        let frequency = format_quantity(omega / std::f64::consts::TAU, "Hz");
        self.bar
            .set_message(format!("{frequency}, {} points", self.points));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "part is in [0, 1], or no number, which becomes 0"
        )]
        self.bar.set_position((part * PARTS as f64) as u64);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how many runs of many are done, and the time left. It draws on a terminal only.
#[derive(Debug)]
pub(crate) struct Counting {
    bar: ProgressBar,
    start: Instant,
    /// Runs that were made now: those that were there before took no time.
    computed: usize,
    failed: usize,
    done: usize,
    all: usize,
}

impl Counting {
    /// A bar for so many runs.
    pub(crate) fn new(all: usize, quiet: bool) -> Self {
        let target = if quiet || !Stream::Err.is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(all as u64), target);
        let template = if Stream::Err.width() < 60 {
            "{pos}/{len} {msg}"
        } else {
            "{bar:24} {pos}/{len}  {msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self {
            bar,
            start: Instant::now(),
            computed: 0,
            failed: 0,
            done: 0,
            all,
        }
    }

    /// A run is done.
    pub(crate) fn done(&mut self, computed: bool, failed: bool) {
        self.done += 1;
        self.computed += usize::from(computed);
        self.failed += usize::from(failed);
        if !self.bar.is_hidden() {
            self.bar.set_position(self.done as u64);
            self.tick();
        }
    }

    /// Time has passed.
    pub(crate) fn tick(&self) {
        if self.bar.is_hidden() {
            return;
        }
        let each = self.start.elapsed().as_secs_f64() / self.computed as f64;
        let left = each * self.all.saturating_sub(self.done) as f64;
        let mut message = String::new();
        if left.is_finite() {
            message = format!("{} left", clock(left));
        }
        if self.failed > 0 {
            let _ = write!(message, ", {} failed", self.failed);
        }
        self.bar.set_message(message);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Shows which stage a fit has reached, and how long it has taken. It draws on a terminal only.
#[derive(Debug)]
pub(crate) struct Fitting {
    bar: ProgressBar,
    law: String,
}

impl Fitting {
    /// A line for the fit of a law.
    pub(crate) fn new(law: &str, quiet: bool) -> Self {
        let target = if quiet || !Stream::Err.is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}  {msg}") {
            bar.set_style(style);
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(INTERVAL);
        }
        let law = law.to_owned();
        Self { bar, law }
    }

    /// A stage, and how much of it is done.
    pub(crate) fn reached(&self, stage: &str, done: usize, of: usize) {
        if self.bar.is_hidden() {
            return;
        }
        let part = if of > 1 {
            format!(" {} of {of}", done + 1)
        } else {
            String::new()
        };
        self.bar.set_message(format!("{}: {stage}{part}", self.law));
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how much of a file was read. It draws on a terminal only.
#[derive(Debug)]
pub(crate) struct ReadProgress {
    bar: ProgressBar,
    path: PathBuf,
}

impl ReadProgress {
    /// A bar for a file; `quiet` if the terminal shows something else.
    pub(crate) fn new(path: &Path, quiet: bool) -> Self {
        let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let target = if quiet || size == 0 || !Stream::Err.is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(size), target);
        let template = "{bar:24} {percent:>3} %  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        let path = path.to_owned();
        Self { bar, path }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes that were read.
    pub(crate) fn reached(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A duration on the clock: `8 s`, `3:20 min`, `2:05 h`.
fn clock(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor();
    if minutes < 1.0 {
        format!("{seconds:.0} s")
    } else if minutes < 60.0 {
        format!(
            "{minutes:.0}:{:02.0} min",
            (seconds - 60.0 * minutes).floor()
        )
    } else {
        let hours = (minutes / 60.0).floor();
        format!("{hours:.0}:{:02.0} h", minutes - 60.0 * hours)
    }
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn durations_read_like_a_clock() {
        assert_eq!(clock(7.6), "8 s");
        assert_eq!(clock(200.0), "3:20 min");
        assert_eq!(clock(7_500.0), "2:05 h");
    }
}
