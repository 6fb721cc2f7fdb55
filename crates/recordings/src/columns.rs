//! Which column is what, and in which unit.

use bristle_units::{parse_any_quantity, suggest};

use crate::{Problem, Quantity, Table};

/// A column that was recognised.
#[derive(Clone, Debug, PartialEq)]
pub struct DataColumn {
    /// What it is.
    pub quantity: Quantity,
    /// Its place in the table.
    pub index: usize,
    /// The unit as given.
    pub unit: String,
    /// What the values are multiplied with.
    pub factor: f64,
    /// Whether it turns instead of moving along.
    pub rotary: bool,
}

/// What the user says about columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnMap {
    /// Names of columns.
    pub columns: Vec<(Quantity, String)>,
    /// Units of their values.
    pub units: Vec<(Quantity, String)>,
    /// What their values are multiplied with.
    pub gains: Vec<(Quantity, f64)>,
}

impl ColumnMap {
    /// Says which column a quantity is.
    pub fn set_column(&mut self, quantity: Quantity, name: &str) {
        put(&mut self.columns, quantity, name.to_owned());
    }

    /// Says in which unit a quantity was written.
    pub fn set_unit(&mut self, quantity: Quantity, unit: &str) {
        put(&mut self.units, quantity, unit.to_owned());
    }

    /// Says what makes SI of a quantity, or of its unit.
    pub fn set_gain(&mut self, quantity: Quantity, gain: f64) {
        put(&mut self.gains, quantity, gain);
    }

    /// Whether the user says which column a quantity is.
    pub fn names(&self, quantity: Quantity) -> bool {
        self.columns.iter().any(|(q, _)| *q == quantity)
    }
}

fn put<T>(list: &mut Vec<(Quantity, T)>, quantity: Quantity, value: T) {
    list.retain(|(q, _)| *q != quantity);
    list.push((quantity, value));
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

/// Recognises the columns of a table, by what the user says and by their names.
///
/// # Errors
/// If a column that is named does not exist, several could be a quantity, or a unit is none of it.
pub fn recognise(table: &Table, map: &ColumnMap) -> Result<Vec<DataColumn>, Problem> {
    let mut all = Vec::new();
    for quantity in Quantity::ALL {
        all.extend(recognise_one(table, quantity, map)?);
    }
    for (quantity, _) in &map.units {
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

/// Recognises the column of one quantity, if there is one.
///
/// # Errors
/// As [`recognise`].
pub fn recognise_one(
    table: &Table,
    quantity: Quantity,
    map: &ColumnMap,
) -> Result<Option<DataColumn>, Problem> {
    let given = map.columns.iter().find(|(q, _)| *q == quantity);
    let index = match given {
        Some((_, name)) => Some(named(table, quantity, name)?),
        None => found(table, quantity, map)?,
    };
    index
        .map(|i| with_unit(table, quantity, i, map))
        .transpose()
}

fn listed(table: &Table) -> String {
    let quoted: Vec<String> = table.names.iter().map(|n| format!("\"{n}\"")).collect();
    quoted.join(", ")
}

/// The column that the user names for a quantity.
fn named(table: &Table, quantity: Quantity, name: &str) -> Result<usize, Problem> {
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

/// A column that nobody has named, and its name without the unit.
struct Candidate<'a> {
    index: usize,
    name: &'a str,
    base: String,
}

/// The column of a quantity by its name.
fn found(table: &Table, quantity: Quantity, map: &ColumnMap) -> Result<Option<usize>, Problem> {
    let taken = |name: &str| map.columns.iter().any(|(_, given)| given == name);
    let names = table.names.iter().enumerate();
    let free = names.filter(|(_, name)| !taken(name));
    let all: Vec<Candidate<'_>> = free
        .map(|(index, name)| Candidate {
            index,
            name,
            base: split(name).0,
        })
        .collect();
    let exact = |word: &str| all.iter().find(|c| c.name == word).map(|c| c.index);
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
    let special = [upper_t, f_n];
    let mut matching = all.iter().filter(|c| {
        quantity.words().contains(&c.base.as_str()) && !special.contains(&Some(c.index))
    });
    if quantity == Quantity::Time {
        return Ok(matching.next().map(|c| c.index));
    }
    let matching: Vec<&Candidate<'_>> = matching.collect();
    match matching[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.index)),
        _ => plainest(table, quantity, &matching).map(Some),
    }
}

/// The plainest name wins if it is alone: F before `friction_force`.
fn plainest(
    table: &Table,
    quantity: Quantity,
    matching: &[&Candidate<'_>],
) -> Result<usize, Problem> {
    let place = |c: &Candidate<'_>| {
        let place = quantity.words().iter().position(|w| *w == c.base);
        place.unwrap_or(usize::MAX)
    };
    let best = matching.iter().map(|c| place(c)).min();
    let mut plain = matching.iter().filter(|c| Some(place(c)) == best);
    if let (Some(one), None, true) = (plain.next(), plain.next(), best.is_some_and(|b| b < 2)) {
        return Ok(one.index);
    }
    let names: Vec<&str> = matching.iter().map(|c| c.name).collect();
    let message = format!(
        "{}: {} could be the {}",
        table.file,
        names.join(" and "),
        quantity.name()
    );
    let help = format!("say which: --column {}={}", quantity.name(), names[0]);
    Err(Problem::with(message, help))
}

fn with_unit(
    table: &Table,
    quantity: Quantity,
    index: usize,
    map: &ColumnMap,
) -> Result<DataColumn, Problem> {
    let given = map.units.iter().find(|(q, _)| *q == quantity);
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
    let gain = map
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
    Ok(DataColumn {
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
        let all = recognise(&table, &ColumnMap::default())?;
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
            Quantity::named("forse")
                .unwrap_err()
                .help
                .unwrap()
                .contains("force")
        );
    }
}
