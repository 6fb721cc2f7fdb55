//! The examples that are part of the program: scenarios, what they include, and data.
//!
//! Where a command takes a scenario and there is no file of that name, an example is read in its place.
//! Its files stand in a folder that does not exist, so that they find each other and never a file
//! of the user's.

use std::path::{Path, PathBuf};

use crate::suggest::{self, is_same_name};
use bristle_recordings::Problem;

/// The folder in which the examples find each other.
const FOLDER: &str = "<examples>";

/// A file that is part of the program.
#[derive(Debug)]
pub struct Shipped {
    /// Its name, with what follows the point.
    pub file: &'static str,
    /// What it holds.
    pub text: &'static str,
    /// What it is for.
    pub group: ShippedGroup,
}

/// What an example is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShippedGroup {
    /// One to start from.
    Start,
    /// One of several that show the same machine, or the same effect.
    Family(&'static str),
    /// Included by others; no scenario by itself.
    Part,
    /// Measured or computed columns.
    Data,
}

use ShippedGroup::{Data, Family, Part, Start};

macro_rules! shipped {
    ($($file:literal: $group:expr),* $(,)?) => {
        &[$(Shipped {
            file: $file,
            text: include_str!(concat!("../../../examples/", $file)),
            group: $group,
        }),*]
    };
}

const ROBOTS: ShippedGroup = Family("robots");
const LOOPS: ShippedGroup = Family("closed loops and couplings");
const EFFECTS: ShippedGroup = Family("effects of friction");
const CUBE: ShippedGroup = Family("a cube on points");
const PULSE: ShippedGroup = Family("pulses below the limit");
const BLADES: ShippedGroup = Family("turbine blades");
const FESTOON: ShippedGroup = Family("a crane's cable festoon");

/// Every example, in the order of the list.
pub const SHIPPED: &[Shipped] = shipped![
    "pendulum.toml": Start,
    "slider.toml": Start,
    "brake.toml": Start,
    "arm.toml": Start,
    "stick-slip.toml": Start,
    "isolator.toml": Start,
    "damper.toml": Start,
    "slider-crank.toml": Start,
    "robot-arm.toml": ROBOTS,
    "squeezer.toml": LOOPS,
    "four-bar.toml": LOOPS,
    "toggle-clamp.toml": LOOPS,
    "scissor-lift.toml": LOOPS,
    "screw-jack.toml": LOOPS,
    "own-law.toml": EFFECTS,
    "drift-vibration.toml": EFFECTS,
    "drift-pulsating-load.toml": EFFECTS,
    "press-fit.toml": EFFECTS,
    "belt.toml": EFFECTS,
    "rolling-ball.toml": EFFECTS,
    "groove.toml": EFFECTS,
    "bowl.toml": EFFECTS,
    "band-brake.toml": EFFECTS,
    "cam.toml": EFFECTS,
    "ramp.toml": EFFECTS,
    "block-one-point.toml": CUBE,
    "cube-0deg.toml": CUBE,
    "cube-30deg.toml": CUBE,
    "cube-60deg.toml": CUBE,
    "cube-90deg.toml": CUBE,
    "cube-30deg-plane.toml": CUBE,
    "cube-4points.toml": CUBE,
    "pulse-adams-regularised.toml": PULSE,
    "pulse-recurdyn-regularised.toml": PULSE,
    "pulse-simpack-regularised.toml": PULSE,
    "pulse-adams-stick-slip.toml": PULSE,
    "pulse-recurdyn-stick-slip.toml": PULSE,
    "pulse-simpack-stick-slip.toml": PULSE,
    "pulse-lugre.toml": PULSE,
    "pulse-lugre-drift.toml": PULSE,
    "blade.toml": BLADES,
    "blades-sim1.toml": BLADES,
    "blades-sim1-four-points.toml": BLADES,
    "blades-sim1-gkf.toml": BLADES,
    "blades-sim2.toml": BLADES,
    "blades-sim2-gkf.toml": BLADES,
    "blades-sim2-four-points.toml": BLADES,
    "blades-response.toml": BLADES,
    "blades-r1-sim1.toml": BLADES,
    "blades-r1-sim2.toml": BLADES,
    "festoon.toml": FESTOON,
    "festoon-adams.toml": FESTOON,
    "festoon-recurdyn.toml": FESTOON,
    "festoon-simpack.toml": FESTOON,
    "bench.csv": Data,
    "motion.csv": Data,
    "quake.csv": Data,
    "ramp.obj": Data,
    "cube.toml": Part,
    "festoon-rail.toml": Part,
    "pulse.toml": Part,
    "blades-layout.toml": Part,
    "blades-r1-layout.toml": Part,
    "blades-four-points.toml": Part,
    "blade-part.toml": Part,
];

impl Shipped {
    /// The example of a name, with or without its end; hyphens and underscores are the same.
    pub fn named(name: &str) -> Option<&'static Self> {
        let is = |one: &&Self| is_same_name(one.file, name) || is_same_name(one.name(), name);
        SHIPPED.iter().find(is)
    }

    /// The name that commands take: that of a scenario goes without its end.
    pub fn name(&self) -> &'static str {
        self.file.strip_suffix(".toml").unwrap_or(self.file)
    }

    /// Whether it can be run.
    pub fn is_scenario(&self) -> bool {
        matches!(self.group, Start | Family(_))
    }

    /// The title of a scenario, or what the first line of data says.
    pub fn title(&self) -> &'static str {
        if self.group == Data {
            return self
                .text
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("# ");
        }
        let line = self
            .text
            .lines()
            .find_map(|line| line.strip_prefix("title"));
        let quoted = line.and_then(|line| line.split('"').nth(1));
        quoted.unwrap_or_default()
    }

    /// Whether this example reads another one, directly or through others.
    pub fn needs(&self, other: &Self) -> bool {
        let reads = |one: &Self, other: &Self| one.text.contains(&format!("\"{}\"", other.file));
        let mut between = SHIPPED.iter().filter(|between| reads(self, between));
        reads(self, other) || between.any(|between| between.needs(other))
    }
}

/// Where a scenario is read that the user calls by this path: a file, or else an example. A folder of the name,
/// such as that of results, is no scenario.
pub(crate) fn place(path: &Path) -> PathBuf {
    if path.exists() && !(path.is_dir() && called(path).is_some()) {
        return path.to_owned();
    }
    let found = called(path).map(|one| (path.with_file_name(one.file), one));
    match found {
        Some((file, _)) if file.exists() => file,
        Some((_, one)) => Path::new(FOLDER).join(one.file),
        None => path.to_owned(),
    }
}

/// The scenario that a path in no folder names.
fn called(path: &Path) -> Option<&'static Shipped> {
    let alone = path.parent().is_none_or(|folder| folder == Path::new(""));
    let name = path.to_str().filter(|_| alone)?;
    Shipped::named(name).filter(|one| one.is_scenario())
}

/// The example that a path without a file may mean.
pub(crate) fn meant(path: &Path) -> Option<String> {
    let name = path.to_str().filter(|_| !path.exists())?;
    let names = SHIPPED.iter().filter(|one| one.is_scenario());
    let meant = suggest::did_you_mean(name, names.map(Shipped::name));
    let meant = meant.map_or(String::new(), |meant| meant + " ");
    Some(format!(
        "{meant}`bristle examples` lists the scenarios that come with Bristle"
    ))
}

/// What should be said where a path names an example and a file that is another one: the file is read.
pub fn both(path: &Path) -> Option<String> {
    let one = called(path)?;
    let file = if path.exists() {
        path.to_owned()
    } else {
        path.with_file_name(one.file)
    };
    let text = std::fs::read_to_string(&file).ok()?;
    (text != one.text).then(|| {
        format!(
            "{} is the file in this folder, not the example of that name",
            file.display()
        )
    })
}

/// The text of an example at a path in [`FOLDER`].
pub(crate) fn text(path: &Path) -> Option<&'static str> {
    let inside = path.strip_prefix(FOLDER).ok()?.to_str()?;
    let found = SHIPPED.iter().find(|one| one.file == inside);
    found.map(|one| one.text)
}

/// The bytes of a regular file, or of an example.
pub(crate) fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    if let Some(text) = text(path) {
        return Ok(text.into());
    }
    // a device may have no end, a pipe no writer
    if !path.metadata()?.is_file() {
        return Err(std::io::Error::other("it is not a regular file"));
    }
    std::fs::read(path)
}

/// Whether a field always names a file of data: columns, or triangles.
pub(crate) fn names_data(field: &str) -> bool {
    ["csv", "mesh"].contains(&field)
}

/// The same of a file with at most so many bytes.
pub(crate) fn bytes_up_to(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    if text(path).is_none() && path.metadata()?.len() > most {
        let message = format!("it has more than {} MiB", most >> 20);
        return Err(std::io::Error::other(message));
    }
    bytes(path)
}

/// The columns of a file, or of data among the examples, as [`bristle_recordings::read_columns`].
///
/// # Errors
/// [`Problem`] with file, line and column, as there.
pub fn read_columns(path: &Path, names: &[&str]) -> Result<(Vec<Vec<f64>>, Vec<usize>), Problem> {
    match text(path) {
        Some(text) => bristle_recordings::read_columns_of(text.as_bytes(), path, names),
        None => bristle_recordings::read_columns(path, names),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_example_is_listed_once_with_a_title() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let entries = std::fs::read_dir(folder).expect("the examples");
        let files = entries.map(|entry| entry.expect("an entry").path());
        let files: BTreeSet<String> = files
            .filter(|path| path.is_file())
            .map(|path| {
                path.file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        let listed: BTreeSet<String> = SHIPPED.iter().map(|one| one.file.to_owned()).collect();
        assert_eq!(listed, files);
        assert_eq!(listed.len(), SHIPPED.len());
        for one in SHIPPED.iter().filter(|one| one.group != Part) {
            assert!(!one.title().is_empty(), "{}", one.file);
        }
    }

    #[test]
    fn what_an_example_reads_is_there() {
        for one in SHIPPED.iter().filter(|one| one.is_scenario()) {
            for word in one.text.split('"').skip(1).step_by(2) {
                let end = Path::new(word).extension();
                let is_file =
                    end.is_some_and(|end| ["toml", "csv", "obj"].iter().any(|known| end == *known));
                assert!(
                    !is_file || Shipped::named(word).is_some(),
                    "{}: {word}",
                    one.file
                );
            }
        }
        let [cube, quake] = ["cube", "quake.csv"].map(|name| Shipped::named(name).expect("there"));
        assert!(Shipped::named("cube_30deg").expect("there").needs(cube));
        assert!(Shipped::named("isolator.toml").expect("there").needs(quake));
        assert!(!Shipped::named("pendulum").expect("there").needs(quake));
    }

    #[test]
    fn names_without_a_file_lead_to_examples() {
        let placed = |path: &str| place(Path::new(path)).display().to_string();
        assert_eq!(
            placed("pendulum"),
            Path::new(FOLDER)
                .join("pendulum.toml")
                .display()
                .to_string()
        );
        assert_eq!(placed("nowhere/pendulum.toml"), "nowhere/pendulum.toml");
        assert_eq!(placed("cube"), "cube", "a part is no scenario");
        assert_eq!(placed("bench.csv"), "bench.csv", "nor are data");
        assert!(text(&place(Path::new("pendulum.toml"))).is_some());
        assert!(text(Path::new("examples/pendulum.toml")).is_none());
    }
}
