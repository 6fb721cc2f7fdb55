//! Arguments of `bristle response`.

use std::f64::consts::TAU;

use bristle_units::{Unit, parse_quantity};
use clap::ValueEnum;

use super::sweep::jobs;
use super::{OutputArguments, ScenarioArguments};

/// `bristle response`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bristle response damper --from 10Hz --to 30Hz
  bristle response damper --from 10Hz --to 30Hz --out curve --report    plots, table and a page
  bristle response damper --at \"95 rad/s,16Hz,960rpm\" --json            these frequencies alone
  bristle response damper --from 10Hz --to 30Hz --channel body.machine.velocity.x
  bristle response damper --from 10Hz --to 30Hz --vary joint_friction.damper.load=5,10,20
  bristle response damper --from 10Hz --to 25Hz --optimise joint_friction.damper.load=2:60
  bristle response damper --mode 1                frequency and damping over amplitude
  bristle response blades.toml --from 30Hz --to 80Hz \\
      --vary contact.*.normal.prescribed=0.5,1,2,5                     all contacts together

Frequencies are in Hz, rad/s or rpm; a number alone is in Hz. A load, a prescribed normal force or a
prescribed motion of the form { harmonic = { amplitude = 2, phase = 0, order = 1 } } is
amplitude cos(order 2 pi f t + phase) at the frequency f; all other loads are constant and hold the
machine in its static equilibrium, about which it moves.

The motion is found by harmonic balance: a sum of harmonics, whose number is chosen for --tolerance.
Every friction law marches its state over the period until it repeats. The curve is followed around
its folds, so that at one frequency there may be several motions, stable and unstable.
With --method time every frequency is integrated over time from rest until the motion repeats: for
laws that jump between stick and slip, and as a check, which --verify makes at a few points.

Amplitudes are half of peak to peak; phases are of the first harmonic, and negative where the motion
lags. The folder holds response.csv with a row for each point, columns.json with units and meanings,
plots, and response.json, which is what --json prints (docs/guide/response.md).

Exit codes: 0 done, 1 the curve ended early or was interrupted (what was found is kept), 2 bad
input.")]
pub(crate) struct ResponseArguments {
    #[command(flatten)]
    pub(crate) scenario: ScenarioArguments,
    /// Where the curve begins, as in 30Hz, "190 rad/s" or 1800rpm. [default: the least of --at]
    #[arg(long, value_name = "FREQUENCY", value_parser = frequency, allow_hyphen_values = true)]
    pub(crate) from: Option<f64>,
    /// Where it ends; the same as --from for one frequency alone. [default: the largest of --at]
    #[arg(long, value_name = "FREQUENCY", value_parser = frequency, allow_hyphen_values = true)]
    pub(crate) to: Option<f64>,
    /// Frequencies to solve for exactly, wherever the curve passes them.
    #[arg(long, value_name = "F,…", value_parser = frequency, value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) at: Vec<f64>,
    /// A channel to report with amplitude, phase and harmonics; may be repeated, and the peaks are
    /// those of the first. [default: the displacement of what is excited]
    #[arg(long = "channel", value_name = "CHANNEL")]
    pub(crate) channels: Vec<String>,
    /// A field of the scenario and its values, a curve for each: path=a,b,c or path=from:to:count or
    /// path=from:to:count:log; may be repeated.
    #[arg(long, value_name = "PATH=VALUES")]
    pub(crate) vary: Vec<String>,
    /// The highest harmonic. [default: as many as --tolerance needs]
    #[arg(long, value_name = "N", value_parser = harmonics)]
    pub(crate) harmonics: Option<usize>,
    /// Samples of a period for the friction laws. [default: as many as --tolerance needs]
    #[arg(long, value_name = "N", value_parser = samples)]
    pub(crate) samples: Option<usize>,
    /// Allowed error of the motion, relative to its size.
    #[arg(long, value_name = "NUMBER", value_parser = tolerance, default_value = "1e-4")]
    pub(crate) tolerance: f64,
    /// The curve ends where the motion at the contacts and joints exceeds this, as in "1 mm".
    #[arg(long, value_name = "LENGTH", value_parser = amplitude, allow_hyphen_values = true)]
    pub(crate) max_amplitude: Option<f64>,
    /// Leave the stability of the motions out.
    #[arg(long)]
    pub(crate) no_stability: bool,
    /// How the motion is found: hb (harmonic balance) or time (time integration until it is
    /// periodic).
    #[arg(long, value_name = "METHOD", default_value = "hb")]
    pub(crate) method: ResponseMethod,
    /// Frequencies of --method time, evenly between --from and --to.
    #[arg(long, value_name = "N", value_parser = points, default_value = "21")]
    pub(crate) points: usize,
    /// Follow a mode of the machine, by its number in `bristle modes`, over its amplitude: frequency,
    /// damping ratio and losses.
    #[arg(long, value_name = "K", conflicts_with_all = ["from", "to", "at", "vary", "verify", "optimise"])]
    pub(crate) mode: Option<usize>,
    /// Find the value of a field between two ends for which the highest amplitude of the first channel
    /// is least; the search is logarithmic.
    #[arg(long, value_name = "PATH=FROM:TO", conflicts_with = "vary")]
    pub(crate) optimise: Option<String>,
    /// Integrate over time at a few points of the curve, and print the differences.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Curves at the same time. [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// How a periodic motion is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResponseMethod {
    /// Harmonic balance.
    Hb,
    /// Time integration until periodic.
    Time,
}

/// A frequency in rad/s.
fn frequency(text: &str) -> Result<f64, String> {
    let form = "a frequency such as 30Hz, \"190 rad/s\" or 1800rpm";
    let omega = match parse_quantity(text, Unit::HERTZ) {
        Ok(hertz) => TAU * hertz,
        Err(_) => {
            parse_quantity(text, Unit::RADIAN_PER_SECOND).map_err(|_| format!("must be {form}"))?
        }
    };
    if omega > 0.0 && omega.is_finite() {
        Ok(omega)
    } else {
        Err(format!("must be above 0: {form}"))
    }
}

/// The highest harmonic.
fn harmonics(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1000) => Ok(number),
        _ => Err("must be a whole number from 1 to 1000".to_owned()),
    }
}

/// Samples of a period.
fn samples(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 16..=1_048_576) => Ok(number),
        _ => Err("must be a whole number from 16 to 1048576".to_owned()),
    }
}

/// Points of a curve.
fn points(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 2..=10_000) => Ok(number),
        _ => Err("must be a whole number from 2 to 10000".to_owned()),
    }
}

/// A part of the motion.
fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (1e-12..=0.1).contains(&number) => Ok(number),
        _ => Err("must be a number from 1e-12 to 0.1".to_owned()),
    }
}

/// A length in m.
fn amplitude(text: &str) -> Result<f64, String> {
    match parse_quantity(text, Unit::METRE) {
        Ok(length) if length > 0.0 => Ok(length),
        Ok(_) => Err("must be above 0, as in \"1 mm\"".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_have_three_units() {
        for (text, hertz) in [
            ("30Hz", 30.0),
            ("30 Hz", 30.0),
            ("30", 30.0),
            ("1.5kHz", 1500.0),
            ("1800rpm", 30.0),
        ] {
            let omega = frequency(text).unwrap();
            assert!((omega - TAU * hertz).abs() < 1e-12 * omega, "{text}");
        }
        assert_eq!(frequency("190 rad/s"), Ok(190.0));
        for (text, part) in [
            ("0Hz", "above 0"),
            ("-3 Hz", "above 0"),
            ("-3 rad/s", "above 0"),
            ("inf", "30Hz"),
            ("30 m", "30Hz"),
            ("fast", "30Hz"),
        ] {
            let error = frequency(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
