//! Units of columns: at the end of their names, and in words of test benches.

use bristle_units::parse_any_quantity;

use crate::{Problem, Quantity};

/// Units at the end of names, as in `v_m_s` or `F_kN`.
const SUFFIXES: [(&str, &str); 31] = [
    ("s", "s"),
    ("ms", "ms"),
    ("us", "us"),
    ("m", "m"),
    ("mm", "mm"),
    ("um", "um"),
    ("m_s", "m/s"),
    ("mm_s", "mm/s"),
    ("um_s", "um/s"),
    ("m_s2", "m/s^2"),
    ("mps", "m/s"),
    ("mm_s2", "mm/s^2"),
    ("rad", "rad"),
    ("deg", "deg"),
    ("rad_s", "rad/s"),
    ("deg_s", "deg/s"),
    ("rad_s2", "rad/s^2"),
    ("N", "N"),
    ("kN", "kN"),
    ("mN", "mN"),
    ("Nm", "N m"),
    ("N_m", "N m"),
    ("mNm", "mN m"),
    ("V", "V"),
    ("A", "A"),
    ("mA", "mA"),
    ("C", "degC"),
    ("K", "K"),
    ("rpm", "rpm"),
    ("sec", "s"),
    ("mPs", "m/s"),
];

/// A column's name without its unit, in lower case, and the unit.
pub fn split(name: &str) -> (String, String) {
    let plain = |base: &str| base.trim().replace(['-', ' ', '.'], "_").to_lowercase();
    if let Some(cut) = name.find(['[', '(']) {
        let unit = name[cut + 1..].trim_end_matches([']', ')', ' ']).trim();
        return (
            plain(&name[..cut]).trim_end_matches('_').to_owned(),
            unit.to_owned(),
        );
    }
    if let Some((base, unit)) = name.split_once('/')
        && !base.trim().is_empty()
        && parse_any_quantity(&format!("1 {}", unit.trim())).is_some()
    {
        return (plain(base), unit.trim().to_owned());
    }
    for (cut, _) in name.match_indices('_') {
        if let Some((_, unit)) = SUFFIXES.iter().find(|(end, _)| *end == &name[cut + 1..]) {
            return (plain(&name[..cut]), (*unit).to_owned());
        }
    }
    (plain(name), String::new())
}

/// The factor to SI of a unit, and whether the quantity turns.
pub(crate) fn factor(quantity: Quantity, unit: &str) -> Result<(f64, bool), Problem> {
    let unit = match unit.trim() {
        "" | "1" | "-" => return Ok((1.0, false)),
        "Nm" | "N.m" | "N*m" | "N·m" => "N m",
        "mNm" => "mN m",
        "m/s2" | "m/s²" => "m/s^2",
        "rad/s2" | "rad/s²" => "rad/s^2",
        "sec" => "s",
        "µm" | "μm" => "um",
        "µm/s" | "μm/s" => "um/s",
        "µs" | "μs" => "us",
        "rpm" | "1/min" if quantity == Quantity::Velocity => {
            return Ok((std::f64::consts::PI / 30.0, true));
        }
        "in" | "inch" if quantity == Quantity::Position => return Ok((0.0254, false)),
        "in/s" if quantity == Quantity::Velocity => return Ok((0.0254, false)),
        "lbf" | "lb" if quantity.units()[0] == "N" => return Ok((4.448_221_615_260_5, false)),
        "kip" if quantity.units()[0] == "N" => return Ok((4_448.221_615_260_5, false)),
        _ if quantity == Quantity::Temperature => return Ok((1.0, false)),
        unit => unit,
    };
    for (i, expected) in quantity.units().iter().enumerate() {
        let (wanted, found) = (format!("1 {expected}"), format!("1 {unit}"));
        let wanted = parse_any_quantity(&wanted);
        let found = parse_any_quantity(&found);
        if let (Some(wanted), Some(found)) = (wanted, found)
            && wanted.dimension == found.dimension
        {
            return Ok((
                found.factor,
                i == 1 && !unit.ends_with('m') || unit.ends_with(" m"),
            ));
        }
    }
    Err(Problem::new(format!(
        "\"{unit}\" is not a unit of a {}",
        quantity.name()
    )))
}

/// What sensors and converters count.
const COUNTS: [&str; 8] = [
    "count",
    "counts",
    "inc",
    "increments",
    "ticks",
    "lsb",
    "digits",
    "%",
];

/// The factor to SI of any unit there is; 1 for counts.
pub(crate) fn any_unit(unit: &str) -> Option<f64> {
    let unit = unit.trim();
    if COUNTS.iter().any(|word| unit.eq_ignore_ascii_case(word)) {
        return Some(1.0);
    }
    let known = |unit: &str| parse_any_quantity(&format!("1 {unit}")).map(|q| q.factor);
    known(unit).or_else(|| {
        let (prefix, base) = unit.split_at_checked(unit.len().checked_sub(1)?)?;
        let share = match prefix {
            "" => 1.0,
            "u" | "µ" | "μ" => 1e-6,
            "m" => 1e-3,
            "k" => 1e3,
            _ => return None,
        };
        matches!(base, "A" | "V").then_some(share)
    })
}
