//! Which column is what, and in which unit.

use bristle_units::suggest;

use crate::column_units::{any_unit, factor, split};
use crate::{DataTable, Problem, Quantity};

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
    /// The sampling rate, Hz, which gives the times instead of a column.
    pub rate: Option<f64>,
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

/// Recognises the columns of a table, by what the user says and by their names.
///
/// # Errors
/// If a column that is named does not exist, several could be a quantity, or a unit is none of it.
pub fn recognise(table: &DataTable, map: &ColumnMap) -> Result<Vec<DataColumn>, Problem> {
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
    table: &DataTable,
    quantity: Quantity,
    map: &ColumnMap,
) -> Result<Option<DataColumn>, Problem> {
    let given = map.columns.iter().find(|(q, _)| *q == quantity);
    if quantity == Quantity::Time && map.rate.is_some() {
        return match given {
            None => Ok(None),
            Some((_, name)) => Err(Problem::new(format!(
                "{}: the time is that of --rate and that of column \"{name}\"; give one of them",
                table.file
            ))),
        };
    }
    let index = match given {
        Some((_, name)) => Some(named(table, quantity, name)?),
        None => found(table, quantity, map)?,
    };
    index
        .map(|i| with_unit(table, quantity, i, map))
        .transpose()
}

fn listed(table: &DataTable) -> String {
    let quoted: Vec<String> = table.names.iter().map(|n| format!("\"{n}\"")).collect();
    quoted.join(", ")
}

/// The column that the user names for a quantity.
fn named(table: &DataTable, quantity: Quantity, name: &str) -> Result<usize, Problem> {
    let position = table.names.iter().position(|n| n == name);
    position
        .or_else(|| {
            table
                .names
                .iter()
                .position(|n| n.eq_ignore_ascii_case(name))
        })
        .or_else(|| without_unit(table, name))
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

/// The only column that has a name but for its unit: `Drehzahl` of `Drehzahl [1/min]`.
fn without_unit(table: &DataTable, name: &str) -> Option<usize> {
    let wanted = split(name).0;
    let names = table.names.iter().enumerate();
    let mut alike = names.filter(|(_, full)| split(full).0 == wanted);
    let (index, _) = alike.next()?;
    alike.next().is_none().then_some(index)
}

/// A column that nobody has named, and its name without the unit.
struct UnnamedColumn<'a> {
    index: usize,
    name: &'a str,
    base: String,
}

/// The column of a quantity by its name.
fn found(table: &DataTable, quantity: Quantity, map: &ColumnMap) -> Result<Option<usize>, Problem> {
    let given = map.columns.iter();
    let given = given.filter_map(|(quantity, name)| named(table, *quantity, name).ok());
    let taken: Vec<usize> = given.collect();
    let names = table.names.iter().enumerate();
    let free = names.filter(|(index, _)| !taken.contains(index));
    let all: Vec<UnnamedColumn<'_>> = free
        .map(|(index, name)| UnnamedColumn {
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
    let matching: Vec<&UnnamedColumn<'_>> = matching.collect();
    match matching[..] {
        [] => Ok(None),
        [one] => Ok(Some(one.index)),
        _ => plainest(table, quantity, &matching).map(Some),
    }
}

/// The plainest name wins if it is alone: F before `friction_force`.
fn plainest(
    table: &DataTable,
    quantity: Quantity,
    matching: &[&UnnamedColumn<'_>],
) -> Result<usize, Problem> {
    let place = |c: &UnnamedColumn<'_>| {
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

/// A column with its unit.
pub(crate) fn with_unit(
    table: &DataTable,
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
    let unit = if quantity == Quantity::Time && unit.is_empty() {
        unit_of_epoch(&table.columns[index]).to_owned()
    } else {
        unit
    };
    let gain = map
        .gains
        .iter()
        .find(|(q, _)| *q == quantity)
        .map(|(_, g)| *g);
    let in_unit =
        factor(quantity, &unit).or_else(|problem| foreign(quantity, &unit, gain, &problem));
    let (factor, rotary) = in_unit.map_err(|problem| {
        let column = &table.names[index];
        Problem {
            message: format!("{}: column \"{column}\": {}", table.file, problem.message),
            help: problem.help,
        }
    })?;
    Ok(DataColumn {
        quantity,
        index,
        unit,
        factor: factor * gain.unwrap_or(1.0),
        rotary,
    })
}

/// The unit of times since 1970 that have none: of this century they are 1e9 s, and the more of what is
/// shorter.
fn unit_of_epoch(values: &[f64]) -> &'static str {
    match values.iter().find(|t| t.is_finite()) {
        Some(1e11..1e14) => "ms",
        Some(1e14..1e17) => "us",
        Some(1e17..1e20) => "ns",
        _ => "",
    }
}

/// The factor of a unit that is none of the quantity: a gain makes the quantity of it, if it is a
/// unit at all.
fn foreign(
    quantity: Quantity,
    unit: &str,
    gain: Option<f64>,
    problem: &Problem,
) -> Result<(f64, bool), Problem> {
    let name = quantity.name();
    let own = quantity.units()[0];
    let Some(factor) = any_unit(unit) else {
        let message = format!("there is no unit \"{unit}\"");
        let help = format!(
            "--unit {name}={own} says what it is in; --unit {name}=1 that it is a plain number"
        );
        return Err(Problem::with(message, help));
    };
    if gain.is_some() {
        return Ok((factor, false));
    }
    let message = format!("{}, and no gain is given", problem.message);
    let help = format!(
        "--gain {name}=NUMBER gives {own} per SI unit of the column, as N/A for a current in A or N/V \
         for a voltage; --unit {name}={own} says that it is in {own} already"
    );
    Err(Problem::with(message, help))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn chosen(header: &str) -> Result<Vec<(Quantity, String, f64)>, Problem> {
        let count = header.split(',').count();
        let row = vec!["1"; count].join(",");
        let table = DataTable::parse(format!("{header}\n{row}\n").as_bytes(), Path::new("d.csv"))?;
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

    fn with_gain(header: &str, gain: Option<f64>) -> Result<f64, Problem> {
        let text = format!("t,v,{header}\n0,1,2\n");
        let table = DataTable::parse(text.as_bytes(), Path::new("d.csv"))?;
        let mut map = ColumnMap::default();
        map.set_column(Quantity::Force, header);
        if let Some(gain) = gain {
            map.set_gain(Quantity::Force, gain);
        }
        let all = recognise(&table, &map)?;
        let force = all.iter().find(|c| c.quantity == Quantity::Force);
        Ok(force.unwrap().factor)
    }

    #[test]
    fn currents_and_voltages_need_a_gain_and_unknown_units_are_refused() {
        for header in ["i [A]", "u (V)", "i_mA", "F [m/s]", "raw [counts]"] {
            let problem = with_gain(header, None).unwrap_err();
            assert!(problem.message.contains("no gain"), "{problem:?}");
            assert!(problem.help.unwrap().contains("--gain force=NUMBER"));
        }
        // 2.5 N/A, after the unit
        for (header, factor) in [("i [A]", 2.5), ("i_mA", 2.5e-3), ("raw [counts]", 2.5)] {
            let found = with_gain(header, Some(2.5)).unwrap();
            assert!((found / factor - 1.0).abs() < 1e-12, "{header}: {found}");
        }
        for gain in [None, Some(2.5)] {
            let problem = with_gain("F [frobs]", gain).unwrap_err();
            assert!(problem.message.contains("no unit \"frobs\""), "{problem:?}");
            assert!(problem.help.unwrap().contains("--unit force=N"));
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
