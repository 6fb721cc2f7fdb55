//! Which column is what, and in which unit.

use bristle_scenario::{parse_any_quantity, suggest};

pub(super) use super::quantity::{Quantity, quantity};
use super::table::Table;
use crate::motion::Problem;

/// A column that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chosen {
    pub(super) quantity: Quantity,
    pub(super) index: usize,
    /// The unit as given.
    pub(super) unit: String,
    /// What the values are multiplied with.
    pub(super) factor: f64,
    /// Whether it turns instead of moving along.
    pub(super) rotary: bool,
}

/// What the user says about columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wishes {
    pub(super) columns: Vec<(Quantity, String)>,
    pub(super) units: Vec<(Quantity, String)>,
    pub(super) gains: Vec<(Quantity, f64)>,
}

impl Wishes {
    /// Whether the user says which column a quantity is.
    pub(super) fn names(&self, quantity: Quantity) -> bool {
        self.columns.iter().any(|(q, _)| *q == quantity)
    }
}

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
pub(super) fn split(name: &str) -> (String, String) {
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

/// Chooses the columns of a table.
pub(super) fn choose(table: &Table, wishes: &Wishes) -> Result<Vec<Chosen>, Problem> {
    let mut all = Vec::new();
    for quantity in Quantity::ALL {
        let wished = wishes.columns.iter().find(|(q, _)| *q == quantity);
        let index = match wished {
            Some((_, name)) => Some(named(table, quantity, name)?),
            None => found(table, quantity, wishes)?,
        };
        if let Some(index) = index {
            all.push(with_unit(table, quantity, index, wishes)?);
        }
    }
    for (quantity, _) in &wishes.units {
        if !all.iter().any(|c| c.quantity == *quantity) {
            let message = format!(
                "{}: --unit {} is given, but there is no such column",
                table.file,
                quantity.name()
            );
            return Err(Problem::new(message));
        }
    }
    Ok(all)
}

fn listed(table: &Table) -> String {
    let quoted: Vec<String> = table.names.iter().map(|n| format!("\"{n}\"")).collect();
    quoted.join(", ")
}

pub(super) fn named(table: &Table, quantity: Quantity, name: &str) -> Result<usize, Problem> {
    let position = table.names.iter().position(|n| n == name);
    position
        .or_else(|| {
            table
                .names
                .iter()
                .position(|n| n.eq_ignore_ascii_case(name))
        })
        .ok_or_else(|| {
            let meant = suggest::did_you_mean(name, table.names.iter().map(String::as_str));
            let columns = format!("the columns are {}", listed(table));
            Problem::with(
                format!(
                    "{}: there is no column \"{name}\" for the {}",
                    table.file,
                    quantity.name()
                ),
                meant.map_or(columns.clone(), |m| format!("{m} {columns}")),
            )
        })
}

/// The column of a quantity by its name.
#[allow(clippy::too_many_lines, reason = "one rule after the other")]
pub(super) fn found(
    table: &Table,
    quantity: Quantity,
    wishes: &Wishes,
) -> Result<Option<usize>, Problem> {
    let taken = |i: usize| {
        wishes
            .columns
            .iter()
            .any(|(_, name)| *name == table.names[i])
    };
    let all: Vec<(usize, String, String)> = table
        .names
        .iter()
        .enumerate()
        .filter(|(i, _)| !taken(*i))
        .map(|(i, name)| {
            let (base, unit) = split(name);
            (i, base, unit)
        })
        .collect();
    let exact = |word: &str| {
        all.iter()
            .find(|(i, ..)| table.names[*i] == word)
            .map(|(i, ..)| *i)
    };
    // T beside t is a temperature, and F_N beside F_T or F a normal force
    let upper_t = exact("T").filter(|_| exact("t").is_some());
    let has_other_force = ["F_T", "Ft", "F_t", "FT", "F"]
        .iter()
        .any(|w| exact(w).is_some());
    let f_n = exact("F_N").filter(|_| has_other_force);
    match quantity {
        Quantity::Temperature if upper_t.is_some() => return Ok(upper_t),
        Quantity::Load if f_n.is_some() => return Ok(f_n),
        _ => {}
    }
    let mut matching: Vec<usize> = all
        .iter()
        .filter(|(i, base, _)| {
            quantity.words().contains(&base.as_str()) && Some(*i) != upper_t && Some(*i) != f_n
        })
        .map(|(i, ..)| *i)
        .collect();
    if quantity == Quantity::Time && matching.len() > 1 {
        matching.truncate(1);
    }
    match matching[..] {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => {
            // the plainest name wins if it is alone: F before friction_force
            let first = |i: &usize| {
                let (_, base, _) = &all[all.iter().position(|(k, ..)| k == i).unwrap_or(0)];
                quantity
                    .words()
                    .iter()
                    .position(|w| w == base)
                    .unwrap_or(usize::MAX)
            };
            let best = matching.iter().map(first).min();
            let mut plain = matching.iter().filter(|i| Some(first(i)) == best);
            if let (Some(one), None, true) =
                (plain.next(), plain.next(), best.is_some_and(|b| b < 2))
            {
                return Ok(Some(*one));
            }
            let names: Vec<&str> = matching.iter().map(|&i| table.names[i].as_str()).collect();
            let message = format!(
                "{}: {} could be the {}",
                table.file,
                names.join(" and "),
                quantity.name()
            );
            let help = format!("say which: --column {}={}", quantity.name(), names[0]);
            Err(Problem::with(message, help))
        }
    }
}

pub(super) fn with_unit(
    table: &Table,
    quantity: Quantity,
    index: usize,
    wishes: &Wishes,
) -> Result<Chosen, Problem> {
    let given = wishes.units.iter().find(|(q, _)| *q == quantity);
    let (_, from_name) = split(&table.names[index]);
    let from_row = table.units[index].clone();
    let unit = given.map_or(
        if from_row.is_empty() {
            from_name
        } else {
            from_row
        },
        |(_, u)| u.clone(),
    );
    let gain = wishes
        .gains
        .iter()
        .find(|(q, _)| *q == quantity)
        .map(|(_, g)| *g);
    let (factor, rotary) = factor(quantity, &unit).or_else(|problem| match (given, gain) {
        // a gain turns anything into SI; a unit that was not asked for may be a part of the name
        (_, Some(_)) => Ok((1.0, false)),
        (None, None) if quantity == Quantity::Force || quantity == Quantity::Temperature => {
            Ok((1.0, false))
        }
        _ => Err(Problem::with(
            format!(
                "{}: column \"{}\": {}",
                table.file, table.names[index], problem.message
            ),
            problem.help.unwrap_or_default(),
        )),
    })?;
    Ok(Chosen {
        quantity,
        index,
        unit,
        factor: factor * gain.unwrap_or(1.0),
        rotary,
    })
}

/// The factor to SI of a unit, and whether the quantity turns.
fn factor(quantity: Quantity, unit: &str) -> Result<(f64, bool), Problem> {
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
    Err(Problem::with(
        format!("\"{unit}\" is not a unit of a {}", quantity.name()),
        format!(
            "units such as {}; or give --gain {}=NUMBER to SI",
            quantity.units().join(", "),
            quantity.name()
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn chosen(header: &str) -> Result<Vec<(Quantity, String, f64)>, Problem> {
        let count = header.split(',').count();
        let row = vec!["1"; count].join(",");
        let table = Table::parse(format!("{header}\n{row}\n").as_bytes(), Path::new("d.csv"))?;
        let all = choose(&table, &Wishes::default())?;
        Ok(all
            .into_iter()
            .map(|c| (c.quantity, table.names[c.index].clone(), c.factor))
            .collect())
    }

    #[test]
    fn names_and_units_of_columns_are_understood() {
        use Quantity::{Force, Load, Position, Temperature, Time, Velocity};
        for (header, expected) in [
            (
                "t,v,N,F",
                vec![
                    (Time, "t", 1.0),
                    (Velocity, "v", 1.0),
                    (Force, "F", 1.0),
                    (Load, "N", 1.0),
                ],
            ),
            (
                "t_s,x_m,v_m_s,F_N,band_N",
                vec![
                    (Time, "t_s", 1.0),
                    (Position, "x_m", 1.0),
                    (Velocity, "v_m_s", 1.0),
                    (Force, "F_N", 1.0),
                    (Load, "band_N", 1.0),
                ],
            ),
            (
                "Time [ms],Position (mm),Force/kN",
                vec![
                    (Time, "Time [ms]", 1e-3),
                    (Position, "Position (mm)", 1e-3),
                    (Force, "Force/kN", 1e3),
                ],
            ),
            (
                "t,T,v,F_T,F_N",
                vec![
                    (Time, "t", 1.0),
                    (Velocity, "v", 1.0),
                    (Force, "F_T", 1.0),
                    (Load, "F_N", 1.0),
                    (Temperature, "T", 1.0),
                ],
            ),
        ] {
            let found = chosen(header).unwrap();
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(q, n, f)| (q, n.to_owned(), f))
                .collect();
            assert_eq!(found, expected, "{header}");
        }
    }

    #[test]
    fn doubtful_columns_are_asked_for() {
        let problem = chosen("t,v,torque,friction_force").unwrap_err();
        assert!(
            problem
                .message
                .contains("torque and friction_force could be the force")
        );
        assert!(problem.help.unwrap().contains("--column force="));
        assert!(
            quantity("forse")
                .unwrap_err()
                .help
                .unwrap()
                .contains("force")
        );
    }
}
