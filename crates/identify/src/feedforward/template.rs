//! The sources of the languages, with the names of what is filled in between braces.

/// The source of a language: with the closed form, and with the table.
pub(super) struct SourceTemplate {
    /// What begins a further line of the head.
    pub(super) line: &'static str,
    pub(super) sine: &'static str,
    pub(super) closed: &'static str,
    pub(super) table: &'static str,
}

pub(super) const C: SourceTemplate = SourceTemplate {
    line: "\n   ",
    sine: "sin",
    closed: r"/* {head} */
#include <math.h>

double friction_feedforward({c_arguments})
{
    double direction = v / {width};
{unused}    if (direction > 1.0) direction = 1.0;
    if (direction < -1.0) direction = -1.0;
    return {offset} + direction * ({kinetic} + {rise} * exp(-pow(fabs(v) / {speed}, {exponent})))
        + {viscous} * v{rest};
}
",
    table: r"/* {head} */
#include <math.h>

double friction_feedforward({c_arguments})
{
    static const double V[{count}] = {{velocities}};
    static const double F[{count}] = {{forces}};
    double friction = v - v;
    int i;
{unused}    if (v <= V[0]) friction = F[0];
    if (v > V[{last}]) friction = F[{last}];
    for (i = 1; i < {count}; i++) {
        if (v > V[i - 1] && v <= V[i])
            friction = F[i - 1] + (v - V[i - 1]) / (V[i] - V[i - 1]) * (F[i] - F[i - 1]);
    }
    return friction{rest};
}
",
};

pub(super) const STRUCTURED_TEXT: SourceTemplate = SourceTemplate {
    line: "\n   ",
    sine: "SIN",
    closed: r"(* {head} *)
FUNCTION FrictionFeedforward : LREAL
VAR_INPUT
    {arguments} : LREAL;
END_VAR
VAR
    direction : LREAL;
END_VAR
direction := LIMIT(-1.0, v / {width}, 1.0);
FrictionFeedforward := {offset} + direction * ({kinetic} + {rise} * EXP(-EXPT(ABS(v) / {speed}, {exponent})))
    + {viscous} * v{rest};
END_FUNCTION
",
    table: r"(* {head} *)
FUNCTION FrictionFeedforward : LREAL
VAR_INPUT
    {arguments} : LREAL;
END_VAR
VAR
    V_TABLE : ARRAY[0..{last}] OF LREAL := [{velocities}];
    F_TABLE : ARRAY[0..{last}] OF LREAL := [{forces}];
    friction : LREAL;
    i : INT;
END_VAR
friction := F_TABLE[{last}];
IF v <= V_TABLE[0] THEN friction := F_TABLE[0]; END_IF;
FOR i := 1 TO {last} DO
    IF v > V_TABLE[i - 1] AND v <= V_TABLE[i] THEN
        friction := F_TABLE[i - 1] + (v - V_TABLE[i - 1]) / (V_TABLE[i] - V_TABLE[i - 1]) * (F_TABLE[i] - F_TABLE[i - 1]);
    END_IF;
END_FOR;
FrictionFeedforward := friction{rest};
END_FUNCTION
",
};

pub(super) const MATLAB: SourceTemplate = SourceTemplate {
    line: "\n% ",
    sine: "sin",
    closed: r"function F = feedforward({arguments})
% {head}
direction = max(-1, min(1, v / {width}));
F = {offset} + direction .* ({kinetic} + {rise} * exp(-(abs(v) / {speed}).^{exponent})) ...
    + {viscous} * v{rest};
end
",
    table: r"function F = feedforward({arguments})
% {head}
V = [{velocities}];
forces = [{forces}];
F = interp1(V, forces, max(V(1), min(V(end), v))){rest};
end
",
};

pub(super) const PYTHON: SourceTemplate = SourceTemplate {
    line: "\n    ",
    sine: "math.sin",
    closed: r#"import math


def friction_feedforward({python_arguments}):
    """{head}"""
    direction = max(-1.0, min(1.0, v / {width}))
    level = {kinetic} + {rise} * math.exp(-((abs(v) / {speed}) ** {exponent}))
    return {offset} + direction * level + {viscous} * v{rest}
"#,
    table: r#"import math


def friction_feedforward({python_arguments}):
    """{head}"""
    velocities = [{velocities}]
    forces = [{forces}]
    friction = forces[0] if v <= velocities[0] else forces[-1] if v > velocities[-1] else math.nan
    for v0, v1, f0, f1 in zip(velocities, velocities[1:], forces, forces[1:]):
        if v0 < v <= v1:
            friction = f0 + (v - v0) / (v1 - v0) * (f1 - f0)
    return friction{rest}
"#,
};
