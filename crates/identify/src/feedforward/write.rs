//! A feedforward as source text.

use std::fmt::Write as _;

use super::template::{C, MATLAB, PYTHON, STRUCTURED_TEXT, SourceTemplate};
use super::{Feedforward, FrictionFunction};

/// A language of controllers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C89.
    C,
    /// Structured Text of IEC 61131-3.
    StructuredText,
    /// MATLAB and Octave.
    Matlab,
    /// Python 3.
    Python,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::C, Self::StructuredText, Self::Matlab, Self::Python];

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::StructuredText => "st",
            Self::Matlab => "m",
            Self::Python => "py",
        }
    }

    fn template(self) -> &'static SourceTemplate {
        match self {
            Self::C => &C,
            Self::StructuredText => &STRUCTURED_TEXT,
            Self::Matlab => &MATLAB,
            Self::Python => &PYTHON,
        }
    }
}

impl Feedforward {
    /// A file with the function `friction_feedforward(v, a)`, with the position `x` behind them
    /// where the machine has a weight.
    pub fn source(&self, language: Language) -> String {
        let template = language.template();
        let arguments = if self.gravity.is_some() {
            ["v", "a", "x"].as_slice()
        } else {
            &["v", "a"]
        };
        let typed: Vec<String> = arguments.iter().map(|x| format!("double {x}")).collect();
        let named = arguments.join(", ");
        let unused = match self.mass {
            Some(_) => "",
            None => "    (void)a;\n",
        };
        let mut parts = self.numbers();
        parts.extend([
            ("{c_arguments}", typed.join(", ")),
            (
                "{python_arguments}",
                named.replace('a', "a=0.0").replace('x', "x=0.0"),
            ),
            ("{arguments}", named),
            ("{rest}", self.rest(template.sine)),
            ("{unused}", unused.to_owned()),
            // the head comes last: names of records in it are no parts of the source
            ("{head}", self.head().join(template.line)),
        ]);
        let source = match self.friction {
            FrictionFunction::Stribeck { .. } => template.closed,
            FrictionFunction::Table { .. } => template.table,
        };
        let fill = |text: String, (name, part): &(&str, String)| text.replace(name, part);
        parts.iter().fold(source.to_owned(), fill)
    }

    /// The numbers of the friction, by their names in a template.
    fn numbers(&self) -> Vec<(&'static str, String)> {
        match &self.friction {
            FrictionFunction::Stribeck {
                offset,
                kinetic,
                static_level,
                speed,
                exponent,
                viscous,
                width,
            } => vec![
                ("{offset}", number(*offset)),
                ("{kinetic}", number(*kinetic)),
                ("{rise}", number(static_level - kinetic)),
                ("{speed}", number(*speed)),
                ("{exponent}", number(*exponent)),
                ("{viscous}", number(*viscous)),
                ("{width}", number(*width)),
            ],
            FrictionFunction::Table { velocity, force } => vec![
                ("{velocities}", numbers(velocity)),
                ("{forces}", numbers(force)),
                ("{count}", velocity.len().to_string()),
                ("{last}", (velocity.len() - 1).to_string()),
            ],
        }
    }

    /// The lines of the head of a file: what it gives, from what, and its limits.
    fn head(&self) -> Vec<String> {
        let unit = |linear| self.units.of(linear);
        let force = self.units.name("force");
        let mut lines = vec![format!(
            "Feedforward {force} in {} for a velocity v in {} and an acceleration a in {}{}.",
            unit("N"),
            unit("m/s"),
            unit("m/s^2"),
            if self.gravity.is_some() {
                " at the angle x in rad"
            } else {
                ""
            }
        )];
        lines.push(format!("Identified by Bristle: {}.", self.origin));
        lines.extend(self.remarks.iter().map(|remark| format!("{remark}.")));
        if let FrictionFunction::Stribeck { width, .. } = self.friction {
            let (width, unit) = (number(width), unit("m/s"));
            lines.push(format!(
                "Below {width} {unit} the sign of v is a straight line through zero."
            ));
        } else {
            lines.push("Straight lines between the points, constant beyond them.".to_owned());
        }
        // nothing in a name may end the comment, or begin another
        let safe = |line: String| {
            let plain = line
                .replace("*/", "* /")
                .replace("/*", "/ *")
                .replace("*)", "* )")
                .replace("\"\"\"", "'''");
            plain
                .chars()
                .map(|c| if c.is_control() || c == '\\' { ' ' } else { c })
                .collect()
        };
        lines.into_iter().map(safe).collect()
    }

    /// The terms beside friction, with the sine of the language.
    fn rest(&self, sine: &str) -> String {
        let mut text = String::new();
        if let Some(mass) = self.mass {
            let _ = write!(text, " + {} * a", number(mass));
        }
        if let Some((weight, angle)) = self.gravity {
            let _ = write!(
                text,
                " + {} * {sine}(x + {})",
                number(weight),
                number(angle)
            );
        }
        text
    }
}

/// A number as all four languages read it, with all its digits: 2.0, 1.0e-9, (-0.5).
fn number(x: f64) -> String {
    let text = format!("{x:?}");
    let text = match text.split_once('e') {
        Some((mantissa, power)) if !mantissa.contains('.') => format!("{mantissa}.0e{power}"),
        _ => text,
    };
    if x < 0.0 { format!("({text})") } else { text }
}

fn numbers(values: &[f64]) -> String {
    let each: Vec<String> = values
        .iter()
        .map(|x| number(*x).replace(['(', ')'], ""))
        .collect();
    each.join(", ")
}
