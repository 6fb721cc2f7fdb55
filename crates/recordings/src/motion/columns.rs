//! The header of a motion.

use crate::column_units::split;
use crate::{Problem, Quantity};

/// What every header may have, for messages.
const WANTED: &str =
    "t; v, or vx and vy, or vx, vy and vz; N; and, if wanted, Fe, or Fex and so on";

/// Where the quantities stand in a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MotionColumns {
    /// The time; none where a sampling rate gives it.
    pub t: Option<usize>,
    /// The slip velocity, one column per direction.
    pub velocity: Vec<usize>,
    /// The normal force.
    pub normal_force: usize,
    /// The applied force: as many columns as directions, or none.
    pub applied: Vec<usize>,
    /// Names that are not used.
    pub unused: Vec<String>,
}

const KNOWN: [&str; 10] = ["t", "v", "vx", "vy", "vz", "N", "Fe", "Fex", "Fey", "Fez"];

impl MotionColumns {
    /// Recognises the columns by their names; `place` is file and line, for messages.
    ///
    /// # Errors
    /// If a quantity is missing, incomplete, or stands under a name that only resembles its own.
    pub fn of(names: &[String], place: &str) -> Result<Self, Problem> {
        let t = Header { names, place }.required("t")?;
        Self::with_time(names, place, Some(t))
    }

    /// The same for a motion whose times are those of a sampling rate.
    ///
    /// # Errors
    /// As [`Self::of`], or if there is a column of the time.
    pub fn without_time(names: &[String], place: &str) -> Result<Self, Problem> {
        if names.iter().any(|name| name == "t") {
            let message = format!("{place}: the time is that of --rate and that of column t");
            return Err(Problem::with(message, "leave out one of them"));
        }
        Self::with_time(names, place, None)
    }

    fn with_time(names: &[String], place: &str, t: Option<usize>) -> Result<Self, Problem> {
        let find = |name: &str| names.iter().position(|column| column == name);
        let header = Header { names, place };
        let normal_force = header.required("N")?;
        let velocity = header.velocity()?;
        let applied = header.applied(velocity.len())?;
        let used: Vec<usize> = t
            .into_iter()
            .chain([normal_force])
            .chain(velocity.iter().copied())
            .chain(applied.iter().copied())
            .collect();
        let mut unused = Vec::new();
        for name in names.iter().filter(|name| !name.is_empty()) {
            if find(name).is_some_and(|index| used.contains(&index)) {
                continue;
            }
            if let Some(known) = mistaken(name) {
                let message = format!("{place}: the column \"{name}\" is not known");
                let help = format!("name it \"{known}\" if that is what it holds, or take it out");
                return Err(Problem::with(message, help));
            }
            unused.push(name.clone());
        }
        Ok(Self {
            t,
            velocity,
            normal_force,
            applied,
            unused,
        })
    }
}

struct Header<'a> {
    names: &'a [String],
    place: &'a str,
}

impl Header<'_> {
    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|column| column == name)
    }

    fn required(&self, name: &str) -> Result<usize, Problem> {
        self.find(name).ok_or_else(|| self.missing(name, name))
    }

    fn missing(&self, what: &str, known: &str) -> Problem {
        let Self { names, place } = self;
        let message = format!(
            "{place}: there is no column {what}; the columns are {}",
            quoted(names)
        );
        let near = names
            .iter()
            .find(|name| meant(name).is_some_and(|m| known.starts_with(m)));
        let help = match near {
            Some(near) => format!("is it \"{near}\"? The names are {WANTED}"),
            None => format!("the names are {WANTED}"),
        };
        Problem::with(message, help)
    }

    fn velocity(&self) -> Result<Vec<usize>, Problem> {
        let place = self.place;
        let parts = ["vx", "vy", "vz"].map(|name| self.find(name));
        match (self.find("v"), parts) {
            (Some(v), [None, None, None]) => Ok(vec![v]),
            (None, [None, None, None]) => Err(self.missing("v, nor vx and vy", "v")),
            (None, [Some(x), Some(y), z]) => {
                Ok([Some(x), Some(y), z].into_iter().flatten().collect())
            }
            (Some(_), _) => Err(Problem::with(
                format!("{place}: there is both v and a component of it"),
                "give v for one direction, vx and vy for two, vx, vy and vz for three",
            )),
            (None, _) => Err(Problem::with(
                format!(
                    "{place}: the velocity is incomplete; the columns are {}",
                    quoted(self.names)
                ),
                "give v for one direction, vx and vy for two, vx, vy and vz for three",
            )),
        }
    }

    /// The applied force has the directions of the velocity, or is not given.
    fn applied(&self, directions: usize) -> Result<Vec<usize>, Problem> {
        let wanted: &[&str] = match directions {
            1 => &["Fe"],
            2 => &["Fex", "Fey"],
            _ => &["Fex", "Fey", "Fez"],
        };
        let found: Vec<usize> = wanted.iter().filter_map(|name| self.find(name)).collect();
        let others = KNOWN
            .iter()
            .filter(|name| name.starts_with("Fe") && !wanted.contains(name));
        let stray = others.copied().find(|name| self.find(name).is_some());
        if stray.is_none() && (found.is_empty() || found.len() == wanted.len()) {
            return Ok(found);
        }
        let message = format!(
            "{}: the applied force does not have the directions of the velocity",
            self.place
        );
        Err(Problem::with(
            message,
            format!("give {}, or none", wanted.join(" and ")),
        ))
    }
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    quoted.join(", ")
}

/// The known name that differs in case, blanks or a unit behind it only.
fn spelt(base: &str) -> Option<&'static str> {
    let plain = base.replace('_', "");
    let mut known = KNOWN.into_iter();
    known.find(|known| known.to_lowercase() == plain)
}

/// The known name that is meant by another one: by its spelling, or as a word for its quantity.
fn meant(name: &str) -> Option<&'static str> {
    let base = split(name).0;
    spelt(&base).or_else(|| match Quantity::of_word(&base)? {
        Quantity::Time => Some("t"),
        Quantity::Velocity => Some("v"),
        Quantity::Load => Some("N"),
        Quantity::Applied => Some("Fe"),
        _ => None,
    })
}

/// The known name for which a column that is not used was probably meant. Other words for the
/// time, the velocity and the normal force may stand beside these.
fn mistaken(name: &str) -> Option<&'static str> {
    let known = meant(name)?;
    (known.starts_with("Fe") || spelt(&split(name).0).is_some()).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str) -> Result<MotionColumns, Problem> {
        let file = format!("{header}\n");
        let reader = super::super::MotionReader::open(file.as_bytes(), "m.csv".as_ref())?;
        Ok(reader.columns)
    }

    #[test]
    fn columns_stand_in_any_order() {
        let columns = read("N, \"vy\", t, vx, F, temperature").unwrap();
        assert_eq!((columns.t, columns.normal_force), (Some(2), 0));
        assert_eq!(columns.velocity, [3, 1]);
        assert_eq!(columns.unused, ["F", "temperature"]);
        assert!(columns.applied.is_empty());
        assert_eq!(read("t\tv\tN\tFe").unwrap().applied, [3]);
        assert_eq!(read("t;vx;vy;vz;N;Fex;Fey;Fez").unwrap().applied, [5, 6, 7]);
    }

    #[test]
    fn wrong_headers_say_what_there_is() {
        for (header, parts) in [
            ("time,v,N", ["no column t", "is it \"time\"?"]),
            ("t,v", ["no column N", "\"t\", \"v\""]),
            ("t,velocity,N", ["no column v", "is it \"velocity\"?"]),
            ("t,v [m/s],N", ["no column v", "is it \"v [m/s]\"?"]),
            ("t,vx,N", ["velocity is incomplete", "vx and vy"]),
            ("t,v,vx,N", ["both v and", "vx and vy for two"]),
            ("t,v,N,fe", ["\"fe\" is not known", "name it \"Fe\""]),
            ("t,v,N,Fex", ["applied force", "give Fe, or none"]),
            (
                "t,vx,vy,N,Fe",
                ["applied force", "give Fex and Fey, or none"],
            ),
            ("t,v,N,t", ["appears twice", ""]),
            ("0,1,2", ["must name the columns", "vx and vy"]),
        ] {
            let problem = read(header).unwrap_err();
            let text = format!("{} | {}", problem.message, problem.help.unwrap_or_default());
            assert!(text.starts_with("m.csv:1: "), "{text}");
            for part in parts {
                assert!(text.contains(part), "{header}: {text}");
            }
        }
    }
}
