//! `--sample` and `--range`: designs whose values are drawn at random, or fill the space evenly.
//!
//! Every value follows from the method, the number of runs, the position of its parameter and the
//! seed alone.

use bristle_scenario::suggest;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::axis::{Axis, AxisValue, MOST_VALUES, split};
use super::error::DesignError;
use super::interval::Interval;
use super::sobol::{MOST_DIMENSIONS, SobolPoints};

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleMethod {
    /// Each parameter takes each of n equal parts of its range once, in random order.
    LatinHypercube,
    /// Sobol' points, all shifted by the same random digits.
    Sobol,
    /// Pairs of Sobol' points A and B, and points that have one parameter of B and the others of A:
    /// the design of Saltelli et al. (2010) for sensitivity indices.
    Saltelli,
}

const METHODS: [(&str, SampleMethod); 3] = [
    ("lhs", SampleMethod::LatinHypercube),
    ("sobol", SampleMethod::Sobol),
    ("saltelli", SampleMethod::Saltelli),
];

impl SampleMethod {
    /// As in `--sample`.
    pub fn word(self) -> &'static str {
        METHODS
            .iter()
            .find(|(_, method)| *method == self)
            .map_or("", |(word, _)| word)
    }
}

/// A method and the number of its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// How values are drawn.
    pub method: SampleMethod,
    /// Points; of Saltelli's design each makes as many runs as there are parameters, and two more.
    pub points: usize,
}

impl Sampling {
    /// Reads `METHOD:N`.
    ///
    /// # Errors
    /// [`DesignError`].
    pub fn parse(text: &str) -> Result<Self, DesignError> {
        let refuse = |reason: String| DesignError::new("--sample", text, reason);
        let Some((word, count)) = text.split_once(':') else {
            return Err(refuse(
                "expected METHOD:N, as in lhs:1000, sobol:1024 or saltelli:512".to_owned(),
            ));
        };
        let known = METHODS.iter().find(|(known, _)| *known == word.trim());
        let Some(&(_, method)) = known else {
            let meant = suggest::did_you_mean(word, METHODS.iter().map(|(word, _)| *word));
            let meant = meant.map_or(String::new(), |text| format!("; {text}"));
            return Err(refuse(format!(
                "there is no method \"{word}\"{meant}; there are lhs, sobol and saltelli"
            )));
        };
        let points = count
            .trim()
            .parse()
            .ok()
            .filter(|n| (2..=MOST_VALUES).contains(n));
        let points = points.ok_or_else(|| {
            refuse(format!(
                "the number of points \"{count}\" must be a whole number from 2 to {MOST_VALUES}"
            ))
        })?;
        Ok(Self { method, points })
    }

    /// Runs for so many parameters.
    pub fn runs(self, parameters: usize) -> usize {
        match self.method {
            SampleMethod::Saltelli => self.points.saturating_mul(parameters + 2),
            _ => self.points,
        }
    }

    /// The axes: for each range as many values as there are runs.
    pub(super) fn axes(
        self,
        ranges: &[ParameterRange],
        seed: u64,
    ) -> Result<Vec<Axis>, DesignError> {
        let refuse = |reason: String| {
            let text = format!("{}:{}", self.method.word(), self.points);
            DesignError::new("--sample", &text, reason)
        };
        let (count, runs) = (ranges.len(), self.runs(ranges.len()));
        if runs > MOST_VALUES {
            return Err(refuse(format!("{runs} runs are more than {MOST_VALUES}")));
        }
        let dimensions = match self.method {
            SampleMethod::LatinHypercube => 0,
            SampleMethod::Sobol => count,
            SampleMethod::Saltelli => 2 * count,
        };
        if dimensions > MOST_DIMENSIONS {
            let most = MOST_DIMENSIONS * count / dimensions;
            return Err(refuse(format!(
                "{count} parameters are more than {most}; lhs takes any number of them"
            )));
        }
        let points = SobolPoints::new(dimensions);
        let axis = |(place, range): (usize, &ParameterRange)| {
            let parts = match self.method {
                SampleMethod::LatinHypercube => latin(self.points, seed, place),
                SampleMethod::Sobol => shifted(&points, self.points, seed, place),
                SampleMethod::Saltelli => {
                    let a = shifted(&points, self.points, seed, place);
                    let b = shifted(&points, self.points, seed, count + place);
                    let rows = a.into_iter().zip(b);
                    rows.flat_map(|(a, b)| {
                        (0..count + 2)
                            .map(move |row| if takes_b(row, place, count) { b } else { a })
                    })
                    .collect()
                }
            };
            let values = parts
                .into_iter()
                .map(|part| AxisValue::new(range.interval.text(part)));
            Axis {
                path: range.path.clone(),
                values: values.collect(),
                repeated: Vec::new(),
            }
        };
        Ok(ranges.iter().enumerate().map(axis).collect())
    }
}

/// Whether a row of a block of Saltelli's design has the parameter at `place` from B: the first row
/// is A, the last one B, and row i + 1 is A but for parameter i.
fn takes_b(row: usize, place: usize, parameters: usize) -> bool {
    row == place + 1 || row == parameters + 1
}

/// Random numbers of one parameter; those of another one are independent of them.
fn numbers(seed: u64, place: usize) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut numbers = ChaCha8Rng::from_seed(key);
    numbers.set_stream(place as u64);
    numbers
}

/// One number in each of `count` equal parts of 0 to 1, in random order.
fn latin(count: usize, seed: u64, place: usize) -> Vec<f64> {
    let mut numbers = numbers(seed, place);
    let mut order: Vec<(u64, usize)> = (0..count).map(|i| (numbers.next_u64(), i)).collect();
    order.sort_unstable();
    let within = |(_, part): (u64, usize)| {
        let random = (numbers.next_u64() >> 11) as f64 / 2_f64.powi(53);
        (part as f64 + random) / count as f64
    };
    order.into_iter().map(within).collect()
}

/// Coordinates of Sobol' points with random digits added.
fn shifted(points: &SobolPoints, count: usize, seed: u64, dimension: usize) -> Vec<f64> {
    let shift = numbers(seed, dimension).next_u32();
    let coordinates = (0..)
        .take(count)
        .map(|i| points.coordinate(i, dimension) ^ shift);
    // the middle of the last digit is never an end
    coordinates
        .map(|x| (f64::from(x) + 0.5) / 2_f64.powi(32))
        .collect()
}

/// `--range`: a path of the scenario and the ends between which its values lie.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterRange {
    /// As in `contact.base.friction.static_coefficient`.
    pub path: String,
    interval: Interval,
}

impl ParameterRange {
    /// Reads `path=from:to` or `path=from:to:log`.
    ///
    /// # Errors
    /// [`DesignError`].
    pub fn parse(text: &str) -> Result<Self, DesignError> {
        let refuse = |reason: String| DesignError::new("--range", text, reason);
        let form = || refuse("expected path=from:to or path=from:to:log".to_owned());
        let (path, ends) = text.split_once('=').ok_or_else(form)?;
        let path = path.trim();
        let parts = split(ends, ':').unwrap_or_default();
        let (from, to, logarithmic) = match parts[..] {
            [from, to] | [from, to, "lin" | "linear"] => (from, to, false),
            [from, to, "log"] => (from, to, true),
            [_, _, spacing] => {
                return Err(refuse(format!(
                    "the spacing is lin or log, not \"{spacing}\""
                )));
            }
            _ => return Err(form()),
        };
        if path.is_empty() {
            return Err(form());
        }
        let interval = Interval::parse(from, to, logarithmic).map_err(refuse)?;
        if interval.from >= interval.to {
            let reason = if interval.from > interval.to {
                format!("{from} is not below {to}; write the smaller end first")
            } else {
                format!("both ends are {from}; a fixed value is given by --set")
            };
            return Err(refuse(reason));
        }
        let path = path.to_owned();
        Ok(Self { path, interval })
    }

    /// As in `0.1 mm … 1 mm (log)`.
    pub fn words(&self) -> String {
        self.interval.words()
    }

    /// The change of the scenario at a part of the way from one end to the other.
    pub(super) fn change(&self, part: f64) -> String {
        format!("{}={}", self.path, self.interval.text(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(texts: &[&str]) -> Vec<ParameterRange> {
        texts
            .iter()
            .map(|text| ParameterRange::parse(text).unwrap())
            .collect()
    }

    fn values(axis: &Axis) -> Vec<f64> {
        axis.values.iter().map(|value| value.si.unwrap()).collect()
    }

    #[test]
    fn a_latin_hypercube_has_one_value_in_each_part() {
        let sample = Sampling::parse("lhs:500").unwrap();
        let ranges = ranges(&["a=1 mm:3 mm", "b=0.01:100:log"]);
        let axes = sample.axes(&ranges, 7).unwrap();
        let parts = |axis: &Axis, part: fn(f64) -> f64| {
            let mut parts: Vec<f64> = values(axis)
                .into_iter()
                .map(|v| (part(v) * 500.0).floor())
                .collect();
            parts.sort_by(f64::total_cmp);
            assert!(parts.into_iter().eq((0..500).map(f64::from)));
        };
        parts(&axes[0], |v| (v * 1e3 - 1.0) / 2.0);
        parts(&axes[1], |v| (v / 0.01).ln() / 1e4_f64.ln());
        assert_eq!((axes[0].unit(), axes[1].unit()), ("m", "1"));
        // another parameter behind them changes nothing, another seed all
        assert_eq!(sample.axes(&ranges[..1], 7).unwrap()[0], axes[0]);
        assert_ne!(sample.axes(&ranges, 8).unwrap(), axes);
    }

    /// 2^m points with any shift: each parameter has one value in each of 2^m equal parts.
    #[test]
    fn shifted_points_stay_stratified() {
        let axes = Sampling::parse("sobol:256")
            .unwrap()
            .axes(&ranges(&["a=0:1", "b=0:1"]), 3)
            .unwrap();
        for axis in &axes {
            let mut parts: Vec<f64> = values(axis)
                .into_iter()
                .map(|v| (v * 256.0).floor())
                .collect();
            parts.sort_by(f64::total_cmp);
            assert!(parts.into_iter().eq((0..256).map(f64::from)));
        }
    }

    #[test]
    fn blocks_of_saltelli_have_one_parameter_of_b() {
        let sample = Sampling::parse("saltelli:4").unwrap();
        let axes = sample
            .axes(&ranges(&["a=0:1", "b=0:1", "c=0:1"]), 0)
            .unwrap();
        assert_eq!((sample.runs(3), axes[0].values.len()), (20, 20));
        for (place, axis) in axes.iter().enumerate() {
            for block in values(axis).chunks(5) {
                let (a, b) = (block[0], block[4]);
                assert!(a.to_bits() != b.to_bits());
                for (row, value) in block.iter().enumerate().take(4).skip(1) {
                    let expected = if row == place + 1 { b } else { a };
                    assert!(value.to_bits() == expected.to_bits());
                }
            }
        }
    }

    #[test]
    fn bad_texts_are_refused_with_their_reason() {
        for (text, part) in [
            ("lhs", "METHOD:N"),
            ("lsh:10", "did you mean \"lhs\""),
            ("random:10", "there are lhs, sobol and saltelli"),
            ("lhs:0", "from 2 to 1000000"),
            ("lhs:1000000000", "from 2 to 1000000"),
            ("lhs:1e3", "whole number"),
            ("lhs:-5", "whole number"),
        ] {
            let error = Sampling::parse(text).unwrap_err().to_string();
            assert!(
                error.contains(part) && error.contains(text),
                "{text}: {error}"
            );
        }
        for (text, part) in [
            ("a", "path=from:to"),
            ("=1:2", "path=from:to"),
            ("a=1", "path=from:to"),
            ("a=1:2:3:4", "path=from:to"),
            ("a=2:1", "smaller end first"),
            ("a=2 mm:1e-3 m", "smaller end first"),
            ("a=1:1", "both ends are 1"),
            ("a=0:1:log", "same sign"),
            ("a=-1:1:log", "same sign"),
            ("a=1:2:cubic", "lin or log"),
            ("a=1 mm:2 s", "different kinds, mm and s"),
            ("a=low:high", "\"low\" is not a number"),
        ] {
            let error = ParameterRange::parse(text).unwrap_err().to_string();
            assert!(
                error.contains(part) && error.contains(text),
                "{text}: {error}"
            );
        }
        let many: Vec<String> = (0..60).map(|i| format!("p{i}=0:1")).collect();
        let many = ranges(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let saltelli = |points| Sampling {
            method: SampleMethod::Saltelli,
            points,
        };
        let error = saltelli(8).axes(&many, 0).unwrap_err().to_string();
        assert!(error.contains("more than 50"), "{error}");
        let error = saltelli(900_000)
            .axes(&many[..3], 0)
            .unwrap_err()
            .to_string();
        assert!(error.contains("4500000 runs"), "{error}");
    }
}
