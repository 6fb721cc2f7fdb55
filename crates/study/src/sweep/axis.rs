//! `--vary`: a path of the scenario and the values that it takes.

use bristle_results::format_number;
use bristle_scenario::parse_any_quantity;

use super::interval::Interval;

/// Most values of one path.
pub const MOST_VALUES: usize = 1_000_000;

/// A path of the scenario and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// As in `contact.base.friction.static_coefficient`.
    pub path: String,
    /// At least one value: of `--vary` all different, of a table or a sample one for each case.
    pub values: Vec<AxisValue>,
    /// Values that were given more than once and are taken once.
    pub repeated: Vec<String>,
}

/// One value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisValue {
    /// As the scenario would have it: `1 mm`, `0.15`, `lugre`.
    pub text: String,
    /// In SI, if it is a quantity.
    pub si: Option<f64>,
    /// SI unit; `1` for pure numbers, empty where there is no quantity.
    pub unit: String,
}

/// Why a `--vary` cannot be understood.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AxisError {
    /// There is no `=`, nothing before it, or nothing behind it.
    #[error("--vary \"{text}\": expected path=value,value,… or path=from:to:count")]
    Form {
        /// The whole text.
        text: String,
    },
    /// A path without values, or an empty value between two commas.
    #[error("--vary {path}: a value is empty in \"{values}\"")]
    Empty {
        /// The path.
        path: String,
        /// All values.
        values: String,
    },
    /// A bracket or a quote is not closed.
    #[error("--vary {path}: a bracket or quote is not closed in \"{values}\"")]
    Open {
        /// The path.
        path: String,
        /// All values.
        values: String,
    },
    /// A range whose parts are not two quantities, a count and perhaps a spacing.
    #[error("--vary {path}: \"{range}\" is no range: {reason}")]
    Range {
        /// The path.
        path: String,
        /// The range.
        range: String,
        /// What is wrong.
        reason: String,
    },
    /// More values than [`MOST_VALUES`].
    #[error("--vary {path}: {count} values are more than {MOST_VALUES}")]
    TooMany {
        /// The path.
        path: String,
        /// How many.
        count: usize,
    },
}

impl AxisError {
    /// What to write.
    pub fn help(&self) -> &'static str {
        "for example --vary spring.drive.damping=30,60,120, \
         --vary \"body.cube.mass=1 kg:5 kg:9\", or with logarithmic spacing \
         --vary spring.drive.stiffness=1e3:1e5:5:log"
    }
}

impl Axis {
    /// Reads `path=a,b,c`, `path=from:to:count` or `path=from:to:count:log`, or a mixture with
    /// commas between.
    ///
    /// # Errors
    /// [`AxisError`].
    pub fn parse(text: &str) -> Result<Self, AxisError> {
        let form = || AxisError::Form {
            text: text.to_owned(),
        };
        let (path, values) = text.split_once('=').ok_or_else(form)?;
        let (path, values) = (path.trim(), values.trim());
        if path.is_empty() || values.is_empty() {
            return Err(form());
        }
        let open = || AxisError::Open {
            path: path.to_owned(),
            values: values.to_owned(),
        };
        let mut axis = Self {
            path: path.to_owned(),
            values: Vec::new(),
            repeated: Vec::new(),
        };
        let mut seen = std::collections::HashSet::new();
        for item in split(values, ',').ok_or_else(open)? {
            if item.is_empty() {
                return Err(AxisError::Empty {
                    path: path.to_owned(),
                    values: values.to_owned(),
                });
            }
            for text in expand(path, item)? {
                let value = AxisValue::new(text);
                if seen.insert(value.identity()) {
                    axis.values.push(value);
                } else {
                    axis.repeated.push(value.text);
                }
            }
            if axis.values.len() > MOST_VALUES {
                return Err(AxisError::TooMany {
                    path: path.to_owned(),
                    count: axis.values.len(),
                });
            }
        }
        Ok(axis)
    }

    /// Whether every value is a quantity.
    pub fn is_numeric(&self) -> bool {
        self.values.iter().all(|value| value.si.is_some())
    }

    /// The SI unit that all values share; `1` if there is none.
    pub fn unit(&self) -> &str {
        match self.values.split_first() {
            Some((first, rest)) if rest.iter().all(|v| v.unit == first.unit) => &first.unit,
            _ => "1",
        }
    }
}

impl AxisValue {
    pub(super) fn new(text: String) -> Self {
        match parse_any_quantity(text.trim_matches('"')) {
            Some(quantity) => Self {
                si: Some(quantity.si()),
                unit: quantity.si_unit(),
                text,
            },
            None => Self {
                text,
                si: None,
                unit: String::new(),
            },
        }
    }

    /// Equal for values that mean the same.
    fn identity(&self) -> String {
        match self.si {
            Some(si) => format!("{} {}", format_number(si), self.unit),
            None => self.text.clone(),
        }
    }
}

/// Parts between separators that stand outside of brackets and quotes; nothing if one stays open.
pub(super) fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth = depth.checked_sub(1)?,
            (None, _) if c == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    (depth == 0 && quote.is_none()).then_some(parts)
}

/// The values of one item: itself, or those of a range.
fn expand(path: &str, item: &str) -> Result<Vec<String>, AxisError> {
    let parts = split(item, ':').unwrap_or_default();
    // texts with a colon that do not begin with a quantity are names of files and the like
    if parts.len() < 2 || parse_any_quantity(parts[0]).is_none() {
        return Ok(vec![item.to_owned()]);
    }
    let range = AxisSteps::parse(&parts).map_err(|reason| AxisError::Range {
        path: path.to_owned(),
        range: item.to_owned(),
        reason,
    })?;
    if range.count > MOST_VALUES {
        return Err(AxisError::TooMany {
            path: path.to_owned(),
            count: range.count,
        });
    }
    Ok(range.texts())
}

/// `from:to:count`, both ends in the unit of the first one.
struct AxisSteps {
    interval: Interval,
    count: usize,
}

impl AxisSteps {
    fn parse(parts: &[&str]) -> Result<Self, String> {
        let (from, to, count, logarithmic) = match *parts {
            [from, to, count] | [from, to, count, "lin" | "linear"] => (from, to, count, false),
            [from, to, count, "log"] => (from, to, count, true),
            [_, _, _, spacing] => {
                return Err(format!("the spacing is lin or log, not \"{spacing}\""));
            }
            _ => return Err("it has the form from:to:count or from:to:count:log".to_owned()),
        };
        let interval = Interval::parse(from, to, logarithmic)?;
        let count = count
            .parse::<usize>()
            .map_err(|_| format!("the count \"{count}\" is not a whole number"))?;
        if count < 2 {
            return Err(format!(
                "a count of {count} does not reach from one end to the other; it is 2 or more"
            ));
        }
        Ok(Self { interval, count })
    }

    fn texts(&self) -> Vec<String> {
        let last = (self.count - 1) as f64;
        let text = |i: usize| self.interval.text(i as f64 / last);
        (0..self.count).map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(vary: &str) -> Vec<String> {
        let axis = Axis::parse(vary).unwrap();
        axis.values.into_iter().map(|value| value.text).collect()
    }

    #[test]
    fn lists_are_split_outside_of_brackets_and_quotes() {
        assert_eq!(texts("a.b=30, 60,120"), ["30", "60", "120"]);
        assert_eq!(texts("a=[1,2],[3,4]"), ["[1,2]", "[3,4]"]);
        assert_eq!(texts("a=\"x,y\",z"), ["\"x,y\"", "z"]);
        assert_eq!(texts("law=lugre,gkf"), ["lugre", "gkf"]);
        assert_eq!(
            texts("friction=c:\\a.toml,b.toml"),
            ["c:\\a.toml", "b.toml"]
        );
    }

    #[test]
    fn ranges_have_exact_ends_and_round_numbers() {
        assert_eq!(texts("a=0.1:0.5:5"), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(texts("a=5:1:3"), ["5", "3", "1"]);
        assert_eq!(texts("a=1 mm:5 mm:3"), ["1 mm", "3 mm", "5 mm"]);
        // 0.5 cm are 5 mm: the unit of the first end counts
        assert_eq!(texts("a=1 mm:0.5 cm:3"), ["1 mm", "3 mm", "5 mm"]);
        assert_eq!(texts("a=1:100:3:log"), ["1", "10", "100"]);
        assert_eq!(texts("a=-1:-100:3:log"), ["-1", "-10", "-100"]);
        assert_eq!(texts("a=0,1:3:3,9"), ["0", "1", "2", "3", "9"]);
    }

    #[test]
    fn values_know_what_they_are_in_si() {
        let axis = Axis::parse("a=1 mm,2e-3 m,1e-3 m").unwrap();
        assert!(axis.is_numeric() && axis.unit() == "m");
        let si: Vec<f64> = axis.values.iter().filter_map(|value| value.si).collect();
        assert_eq!(si, [1e-3, 2e-3]);
        assert_eq!(axis.repeated, ["1e-3 m"]);
        assert!(!Axis::parse("law=lugre,gkf").unwrap().is_numeric());
    }

    #[test]
    fn bad_texts_are_refused_with_their_reason() {
        for (text, part) in [
            ("a", "expected path=value"),
            ("a=", "expected path=value"),
            ("=1", "expected path=value"),
            ("a=1,,2", "a value is empty"),
            ("a=[1,2", "not closed"),
            ("a=1:2", "from:to:count"),
            ("a=1:2:1", "2 or more"),
            ("a=1:2:0", "2 or more"),
            ("a=1:2:x", "not a whole number"),
            ("a=1:2:-3", "not a whole number"),
            ("a=1:b:3", "\"b\" is not a number"),
            ("a=1 mm:2 s:3", "different kinds, mm and s"),
            ("a=1 mm:2:3", "different kinds, mm and no unit"),
            ("a=0:1:3:log", "same sign"),
            ("a=1:2:3:cubic", "lin or log"),
            ("a=1:2:99999999999", "more than 1000000"),
        ] {
            let error = Axis::parse(text).unwrap_err();
            assert!(error.to_string().contains(part), "{text}: {error}");
            assert!(!error.help().is_empty());
        }
    }
}
