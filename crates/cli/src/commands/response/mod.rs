//! `bristle response`: the steady motion under harmonic loads over their frequency.

mod animation;
mod cases;
mod channels;
mod compute;
mod files;
mod json;
mod mode;
mod optimise;
mod page;
mod plots;
mod reading;
mod request;
mod show;
mod table;
mod time;

use bristle_response::{CurveRange, MarkedPoint, ResponseCurve};
use bristle_results::{Channel, format_quantity};
use bristle_study::sweep::AxisValue;

use self::animation::ShownMotion;
use self::time::TimeCheck;
use super::{print_json, refuse, unwritten};
use crate::args::{ResponseArguments, ResponseMethod};
use crate::exit::Exit;

/// Everything that was found.
struct ResponseOutcome {
    /// Title of the scenario.
    title: String,
    /// Channels, the first with the peaks.
    channels: Vec<Channel>,
    /// Paths of `--vary`; none for one curve.
    varied: Vec<String>,
    /// Curves in the order of the cases.
    cases: Vec<CaseCurve>,
    /// Points that were integrated in time too.
    checks: Vec<TimeCheck>,
}

/// A curve, or why there is none.
struct CaseCurve {
    /// Values of `--vary`, by their paths.
    values: Vec<AxisValue>,
    /// What was found; without points if nothing was.
    curve: ResponseCurve,
    /// How it ended.
    end: CaseEnding,
    /// The motion at its highest point, if there is a page.
    motion: Option<ShownMotion>,
}

/// How a curve ended.
#[derive(Clone, Debug, PartialEq)]
enum CaseEnding {
    /// At the end of the range.
    Complete,
    /// Before.
    Early {
        /// Why, in a sentence.
        reason: String,
        /// What to do.
        help: Option<String>,
        /// Of the command.
        exit: Exit,
    },
}

impl CaseCurve {
    /// `mass = 2 kg`, for legends; nothing for one curve alone.
    fn label(&self, varied: &[String]) -> String {
        let words = varied.iter().zip(&self.values);
        let words: Vec<String> = words
            .map(|(path, value)| format!("{} = {}", last_part(path), short(value)))
            .collect();
        words.join(", ")
    }

    /// The point at which the first channel is largest, a peak if there is one.
    fn highest(&self) -> Option<&MarkedPoint> {
        let size = |point: &&MarkedPoint| {
            let first = point.result.channels.first();
            first.map_or(0.0, |channel| channel.amplitude)
        };
        let larger = |a: &&MarkedPoint, b: &&MarkedPoint| size(a).total_cmp(&size(b));
        let peak = self.curve.peaks().max_by(larger);
        peak.or_else(|| self.curve.points.iter().max_by(larger))
    }
}

/// A value for reading: nobody reads all digits of one between two ends.
fn short(value: &AxisValue) -> String {
    match value.si {
        Some(si) if value.text.len() > LONG => format_quantity(si, &value.unit),
        _ => value.text.clone(),
    }
}

/// Texts of values up to this length stand as they are.
const LONG: usize = 8;

/// What stands behind the last point of a path.
fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Follows the curves, and shows and writes them.
pub(crate) fn response(arguments: &ResponseArguments) -> Exit {
    if let Some(exit) = unsuited(arguments) {
        return exit;
    }
    if let Some(number) = arguments.mode {
        return mode::run(arguments, number);
    }
    let range = match request::range(arguments) {
        Ok(range) => range,
        Err(exit) => return exit,
    };
    let mut folder = None;
    let outcome = curves(arguments, &range, &mut || {
        if let Some(out) = &arguments.output.out {
            let opened = files::open(out, arguments.output.force.into());
            folder = Some(opened.map_err(|error| unwritten(&error))?);
        }
        Ok(())
    });
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(exit) => return exit,
    };
    show::warnings(&outcome);
    if arguments.output.json {
        print_json(&json::of(&outcome, arguments.optimise.is_some()));
    } else if !arguments.output.quiet {
        show::text(&outcome, arguments.optimise.is_some());
    }
    let exit = show::ends(&outcome);
    let nothing = outcome.cases.iter().all(|c| c.curve.points.is_empty());
    if let Some(folder) = folder.filter(|_| !nothing)
        && let Err(failed) = files::write(&outcome, folder, arguments)
    {
        return failed;
    }
    exit
}

/// Computes all curves; `begin` is called once the input is known to be sound.
fn curves(
    arguments: &ResponseArguments,
    range: &CurveRange,
    begin: cases::Begin<'_>,
) -> Result<ResponseOutcome, Exit> {
    if let Some(text) = &arguments.optimise {
        optimise::search(arguments, range, text, begin)
    } else if arguments.vary.is_empty() {
        cases::one(arguments, range, begin)
    } else {
        cases::many(arguments, range, &arguments.vary, Some(begin))
    }
}

/// What cannot be combined.
fn unsuited(arguments: &ResponseArguments) -> Option<Exit> {
    if arguments.verify
        && (arguments.method == ResponseMethod::Time
            || !arguments.vary.is_empty()
            || arguments.optimise.is_some())
    {
        let message = "--verify is for one curve by harmonic balance";
        let help = "leave --method time, --vary and --optimise out";
        return Some(refuse(message, Some(help.to_owned())));
    }
    None
}
