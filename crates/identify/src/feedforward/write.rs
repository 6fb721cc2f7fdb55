//! A feedforward as source text.

use std::fmt::Write as _;

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
}

impl Feedforward {
    /// A file with the function `friction_feedforward(v, a)`, with the position `x` behind them
    /// where the machine has a weight.
    pub fn source(&self, language: Language) -> String {
        match language {
            Language::C => self.c(),
            Language::StructuredText => self.structured_text(),
            Language::Matlab => self.matlab(),
            Language::Python => self.python(),
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
        // nothing in a name may end the comment
        let safe = |line: String| {
            let plain = line
                .replace("*/", "* /")
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

    fn arguments(&self, kind: &str) -> String {
        let names: &[&str] = if self.gravity.is_some() {
            &["v", "a", "x"]
        } else {
            &["v", "a"]
        };
        let each: Vec<String> = names.iter().map(|name| format!("{kind}{name}")).collect();
        each.join(", ")
    }

    fn c(&self) -> String {
        let head = self.head().join("\n   ");
        let unused = if self.mass.is_none() {
            "    (void)a;\n"
        } else {
            ""
        };
        let (arguments, rest) = (self.arguments("double "), self.rest("sin"));
        let mut text = format!(
            "/* {head} */\n#include <math.h>\n\ndouble friction_feedforward({arguments})\n{{\n"
        );
        match &self.friction {
            FrictionFunction::Stribeck { .. } => {
                let s = self.stribeck();
                let _ = write!(
                    text,
                    "    double direction = v / {width};\n{unused}\
                     \x20   if (direction > 1.0) direction = 1.0;\n\
                     \x20   if (direction < -1.0) direction = -1.0;\n\
                     \x20   return {offset} + direction * ({kinetic} + {rise} * exp(-pow(fabs(v) / {speed}, {exponent})))\n\
                     \x20       + {viscous} * v{rest};\n}}\n",
                    width = s.width,
                    offset = s.offset,
                    kinetic = s.kinetic,
                    rise = s.rise,
                    speed = s.speed,
                    exponent = s.exponent,
                    viscous = s.viscous,
                );
            }
            FrictionFunction::Table { velocity, force } => {
                let (count, last) = (velocity.len(), velocity.len() - 1);
                let _ = write!(
                    text,
                    "    static const double V[{count}] = {{{}}};\n\
                     \x20   static const double F[{count}] = {{{}}};\n\
                     \x20   double friction = v - v;\n    int i;\n{unused}\
                     \x20   if (v <= V[0]) friction = F[0];\n\
                     \x20   if (v > V[{last}]) friction = F[{last}];\n\
                     \x20   for (i = 1; i < {count}; i++) {{\n\
                     \x20       if (v > V[i - 1] && v <= V[i])\n\
                     \x20           friction = F[i - 1] + (v - V[i - 1]) / (V[i] - V[i - 1]) * (F[i] - F[i - 1]);\n\
                     \x20   }}\n    return friction{rest};\n}}\n",
                    numbers(velocity),
                    numbers(force),
                );
            }
        }
        text
    }

    fn structured_text(&self) -> String {
        let head = self.head().join("\n   ");
        let (arguments, rest) = (self.arguments(""), self.rest("SIN"));
        let mut text = format!(
            "(* {head} *)\nFUNCTION FrictionFeedforward : LREAL\nVAR_INPUT\n    {arguments} : LREAL;\nEND_VAR\n"
        );
        match &self.friction {
            FrictionFunction::Stribeck { .. } => {
                let s = self.stribeck();
                let _ = write!(
                    text,
                    "VAR\n    direction : LREAL;\nEND_VAR\n\
                     direction := LIMIT(-1.0, v / {width}, 1.0);\n\
                     FrictionFeedforward := {offset} + direction * ({kinetic} + {rise} * EXP(-EXPT(ABS(v) / {speed}, {exponent})))\n\
                     \x20   + {viscous} * v{rest};\nEND_FUNCTION\n",
                    width = s.width,
                    offset = s.offset,
                    kinetic = s.kinetic,
                    rise = s.rise,
                    speed = s.speed,
                    exponent = s.exponent,
                    viscous = s.viscous,
                );
            }
            FrictionFunction::Table { velocity, force } => {
                let last = velocity.len() - 1;
                let _ = write!(
                    text,
                    "VAR\n    V_ : ARRAY[0..{last}] OF LREAL := [{}];\n    F_ : ARRAY[0..{last}] OF LREAL := [{}];\n\
                     \x20   friction : LREAL;\n    i : INT;\nEND_VAR\n\
                     friction := F_[{last}];\nIF v <= V_[0] THEN friction := F_[0]; END_IF;\n\
                     FOR i := 1 TO {last} DO\n    IF v > V_[i - 1] AND v <= V_[i] THEN\n\
                     \x20       friction := F_[i - 1] + (v - V_[i - 1]) / (V_[i] - V_[i - 1]) * (F_[i] - F_[i - 1]);\n\
                     \x20   END_IF;\nEND_FOR;\nFrictionFeedforward := friction{rest};\nEND_FUNCTION\n",
                    numbers(velocity),
                    numbers(force),
                );
            }
        }
        text
    }

    fn matlab(&self) -> String {
        let head = self.head().join("\n% ");
        let (arguments, rest) = (self.arguments(""), self.rest("sin"));
        let rest = rest.replace(" * a", " .* a");
        let mut text = format!("function F = friction_feedforward({arguments})\n% {head}\n");
        match &self.friction {
            FrictionFunction::Stribeck { .. } => {
                let s = self.stribeck();
                let _ = write!(
                    text,
                    "direction = max(-1, min(1, v / {width}));\n\
                     F = {offset} + direction .* ({kinetic} + {rise} * exp(-(abs(v) / {speed}).^{exponent})) ...\n\
                     \x20   + {viscous} * v{rest};\nend\n",
                    width = s.width,
                    offset = s.offset,
                    kinetic = s.kinetic,
                    rise = s.rise,
                    speed = s.speed,
                    exponent = s.exponent,
                    viscous = s.viscous,
                );
            }
            FrictionFunction::Table { velocity, force } => {
                let _ = write!(
                    text,
                    "V = [{}];\nforces = [{}];\n\
                     F = interp1(V, forces, max(V(1), min(V(end), v))){rest};\nend\n",
                    numbers(velocity),
                    numbers(force),
                );
            }
        }
        text
    }

    fn python(&self) -> String {
        let head = self.head().join("\n    ");
        let names = if self.gravity.is_some() {
            "v, a=0.0, x=0.0"
        } else {
            "v, a=0.0"
        };
        let rest = self.rest("math.sin");
        let mut text = format!(
            "import math\n\n\ndef friction_feedforward({names}):\n    \"\"\"{head}\"\"\"\n"
        );
        match &self.friction {
            FrictionFunction::Stribeck { .. } => {
                let s = self.stribeck();
                let _ = write!(
                    text,
                    "    direction = max(-1.0, min(1.0, v / {width}))\n\
                     \x20   level = {kinetic} + {rise} * math.exp(-((abs(v) / {speed}) ** {exponent}))\n\
                     \x20   return {offset} + direction * level + {viscous} * v{rest}\n",
                    width = s.width,
                    offset = s.offset,
                    kinetic = s.kinetic,
                    rise = s.rise,
                    speed = s.speed,
                    exponent = s.exponent,
                    viscous = s.viscous,
                );
            }
            FrictionFunction::Table { velocity, force } => {
                let _ = write!(
                    text,
                    "    velocities = [{}]\n    forces = [{}]\n\
                     \x20   friction = forces[0] if v <= velocities[0] else forces[-1] if v > velocities[-1] else math.nan\n\
                     \x20   for v0, v1, f0, f1 in zip(velocities, velocities[1:], forces, forces[1:]):\n\
                     \x20       if v0 < v <= v1:\n\
                     \x20           friction = f0 + (v - v0) / (v1 - v0) * (f1 - f0)\n\
                     \x20   return friction{rest}\n",
                    numbers(velocity),
                    numbers(force),
                );
            }
        }
        text
    }

    /// The numbers of the closed form as text.
    fn stribeck(&self) -> StribeckText {
        match self.friction {
            FrictionFunction::Stribeck {
                offset,
                kinetic,
                static_level,
                speed,
                exponent,
                viscous,
                width,
            } => StribeckText {
                offset: number(offset),
                kinetic: number(kinetic),
                rise: number(static_level - kinetic),
                speed: number(speed),
                exponent: number(exponent),
                viscous: number(viscous),
                width: number(width),
            },
            FrictionFunction::Table { .. } => StribeckText::default(),
        }
    }
}

/// The numbers of a Stribeck curve as text.
#[derive(Default)]
struct StribeckText {
    offset: String,
    kinetic: String,
    rise: String,
    speed: String,
    exponent: String,
    viscous: String,
    width: String,
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
