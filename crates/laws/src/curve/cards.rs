//! The cards of the Stribeck curves.

use std::borrow::Cow;

use crate::card::{
    Default, Equation, LawCard, ParameterCard, ParameterKind, Range, Relation, Role, Typical,
};

pub(super) const CARDS: &[LawCard<'static>] =
    &[EXPONENTIAL, GAUSSIAN, RATIONAL, STEP5, SINE, TABLE];

const fn number(
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    role: Role,
    typical: f64,
    default: Default,
    meaning: &'static str,
) -> ParameterCard {
    ParameterCard {
        name: Cow::Borrowed(name),
        symbol: Cow::Borrowed(symbol),
        unit: Cow::Borrowed(unit),
        role,
        kind: ParameterKind::Number,
        range: Range::Positive,
        typical: Typical::Number(typical),
        standard: None,
        default,
        relation: Relation::Free,
        fitted: false,
        meaning: Cow::Borrowed(meaning),
    }
}

const MU_K: ParameterCard = number(
    "kinetic_coefficient",
    "mu_k",
    "1",
    Role::Level,
    0.1,
    Default::Required,
    "Level of fast sliding; a field of the law.",
);

const MU_S: ParameterCard = number(
    "static_coefficient",
    "mu_s",
    "1",
    Role::StaticLevel,
    0.15,
    Default::Scaled("kinetic_coefficient", 1.0),
    "Level at rest; a field of the law.",
);

const V_S: ParameterCard = number(
    "stribeck_velocity",
    "v_s",
    "m/s",
    Role::StribeckSpeed,
    1e-3,
    Default::Required,
    "Stribeck velocity; a field of the law.",
);

const ALPHA: ParameterCard = number(
    "stribeck_exponent",
    "alpha",
    "1",
    Role::Shape,
    2.0,
    Default::Number(2.0),
    "Exponent; a field of the law.",
);

const V_D: ParameterCard = number(
    "dynamic_velocity",
    "v_d",
    "m/s",
    Role::Speed,
    1.5e-3,
    Default::Scaled("stribeck_velocity", 1.5),
    "Speed above v_s from which the level is mu_k; a field of the curve.",
);

const EXPONENTIAL: LawCard = LawCard {
    name: "exponential",
    title: "Exponential Stribeck curve",
    summary: "The usual one: falls with exp(-(|v|/v_s)^alpha); what a law has if it names no curve.",
    equations: &[Equation {
        text: "g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^alpha)",
        tex: r"g(|\mathbf v|) = \mu_k + (\mu_s-\mu_k)\,e^{-(|\mathbf v|/v_s)^\alpha}",
        source: "Bo & Pavelescu 1982; Colantonio et al. 2022, eq. 23 (|V| before the power)",
    }],
    parameters: &[MU_K, MU_S, V_S, ALPHA],
    states: &[],
    behaviour: &[],
    printed: None,
    reproduces: &[
        "every steepness from alpha = 0.5 (boundary lubrication) to alpha = 2 and beyond",
    ],
    cannot: &["a slope at rest for alpha < 1: it is infinite, and held at 0 in derivatives"],
    source: "Bo & Pavelescu 1982; Armstrong-Helouvry, Dupont, Canudas de Wit 1994",
    remarks: "1/e of the excess is left at v_s; the Stribeck zone ends at about 2 to 3 v_s for alpha = 2.",
};

const GAUSSIAN: LawCard = LawCard {
    name: "gaussian",
    title: "Gaussian Stribeck curve",
    summary: "The exponential curve with alpha = 2, by name.",
    equations: &[Equation {
        text: "g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^2)",
        tex: r"g(|\mathbf v|) = \mu_k + (\mu_s-\mu_k)\,e^{-(|\mathbf v|/v_s)^2}",
        source: "Armstrong-Helouvry 1991; Canudas de Wit et al. 1995",
    }],
    parameters: &[MU_K, MU_S, V_S],
    states: &[],
    behaviour: &[],
    printed: None,
    reproduces: &["smooth at rest: the level leaves mu_s with no slope"],
    cannot: &["stribeck_exponent is not used: a value other than 2 draws a warning"],
    source: "Armstrong-Helouvry 1991; Canudas de Wit, Olsson, Astrom, Lischinsky 1995",
    remarks: "",
};

const RATIONAL: LawCard = LawCard {
    name: "rational",
    title: "Rational (Lorentzian) Stribeck curve",
    summary: "Falls with 1/(1 + (|v|/v_s)^alpha): a longer tail than the exponential curve, and no exponential to compute.",
    equations: &[Equation {
        text: "g = mu_k + (mu_s - mu_k)/(1 + (|v|/v_s)^alpha)",
        tex: r"g(|\mathbf v|) = \mu_k + \frac{\mu_s-\mu_k}{1 + (|\mathbf v|/v_s)^\alpha}",
        source: "Hess & Soom 1990, alpha = 2; other exponents are ours",
    }],
    parameters: &[MU_K, MU_S, V_S, ALPHA],
    states: &[],
    behaviour: &[],
    printed: None,
    reproduces: &["a slow approach to the kinetic level, as lubricated contacts have it"],
    cannot: &["reach mu_k: 1 % of the excess is left at 10 v_s for alpha = 2"],
    source: "Hess & Soom 1990; Armstrong-Helouvry, Dupont, Canudas de Wit 1994 (the seven-parameter law)",
    remarks: "Half of the excess is left at v_s.",
};

const STEP5: LawCard = LawCard {
    name: "step5",
    title: "STEP5 Stribeck curve",
    summary: "mu_s up to v_s, a quintic down to mu_k at v_d: the levels of the Adams and RecurDyn laws.",
    equations: &[Equation {
        text: "g = STEP5(|v|, v_s, mu_s, v_d, mu_k): mu_s + (mu_k - mu_s) r^3 (10 - 15 r + 6 r^2), r = (|v| - v_s)/(v_d - v_s) kept in [0, 1]",
        tex: r"g = \mu_s + (\mu_k-\mu_s)\,r^3(10-15r+6r^2),\quad r=\frac{|\mathbf v|-v_s}{v_d-v_s}\in[0,1]",
        source: "Schuderer et al., section 2 (Adams, RecurDyn)",
    }],
    parameters: &[MU_K, MU_S, V_S, V_D],
    states: &[],
    behaviour: &[],
    printed: None,
    reproduces: &["exactly mu_s below v_s and exactly mu_k from v_d on"],
    cannot: &["stribeck_exponent is not used: a value other than 2 draws a warning"],
    source: "Schuderer, Rill, Schaeffer, Schulz, section 2",
    remarks: "stribeck = { curve = \"step5\", dynamic_velocity = \"3 mm/s\" }; without dynamic_velocity it is 1.5 v_s. Value, slope and curvature are continuous.",
};

const SINE: LawCard = LawCard {
    name: "sine",
    title: "Sine Stribeck curve",
    summary: "mu_s up to v_s, half a cosine down to mu_k at v_d: the levels of the Simpack law.",
    equations: &[Equation {
        text: "g = mu_k + (mu_s - mu_k)(1 + cos(pi (|v| - v_s)/(v_d - v_s)))/2 between v_s and v_d",
        tex: r"g = \mu_k + \frac{\mu_s-\mu_k}{2}\Bigl(1+\cos\pi\frac{|\mathbf v|-v_s}{v_d-v_s}\Bigr),\quad v_s\le|\mathbf v|\le v_d",
        source: "Schuderer et al., section 2 (Simpack)",
    }],
    parameters: &[MU_K, MU_S, V_S, V_D],
    states: &[],
    behaviour: &[],
    printed: None,
    reproduces: &["exactly mu_s below v_s and exactly mu_k from v_d on"],
    cannot: &["stribeck_exponent is not used: a value other than 2 draws a warning"],
    source: "Schuderer, Rill, Schaeffer, Schulz, section 2",
    remarks: "stribeck = { curve = \"sine\", dynamic_velocity = \"3 mm/s\" }; without dynamic_velocity it is 1.5 v_s.",
};

const TABLE: LawCard = LawCard {
    name: "table",
    title: "Stribeck curve through points",
    summary: "Measured coefficients against speed, from a CSV file or a list of points.",
    equations: &[Equation {
        text: "g = a monotone cubic through (v_i, mu_i), v_0 = 0; constant beyond the last point",
        tex: r"g(|\mathbf v|):\ \text{monotone cubic through } (v_i, \mu_i),\ v_0 = 0",
        source: "Fritsch & Butland 1984 (slopes: weighted harmonic means, 0 at both ends)",
    }],
    parameters: &[],
    states: &[],
    behaviour: &[],
    printed: None,
    reproduces: &["any steady characteristic that was measured, also one that rises again"],
    cannot: &[
        "stribeck_exponent is not used: a value other than 2 draws a warning",
        "viscous_coefficient is added on top: leave it 0 if the points hold the viscous part",
    ],
    source: "Fritsch & Carlson 1980; Fritsch & Butland 1984",
    remarks: "stribeck = \"curve.csv\" with the columns v (m/s) and mu, or stribeck = { curve = \"table\", csv = \"curve.csv\", speed = \"v\", coefficient = \"mu\" }, or stribeck = { curve = \"table\", points = [[0, 0.15], [0.01, 0.1]] } (the speeds may have units). The levels come from the points: static_coefficient is that at rest, kinetic_coefficient the lowest; leave both out. stribeck_velocity is then only the speed from which a contact counts as slipping, by default where 1/e of the fall is left.",
};
