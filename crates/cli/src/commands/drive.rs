//! `bristle drive`: the friction force for a prescribed motion.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;

use bristle_laws::Friction;
use bristle_recordings::{MotionReader, MotionRow, Problem};
use bristle_results::{AtomicFile, format_number};
use bristle_rig::{Driver, Sample, state_names};
use bristle_scenario::SourceMap;

use super::columns::{names_in_order, rate};
use super::refuse;
use crate::args::DriveArguments;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::progress::ReadProgress;
use crate::render;

/// Rows between two looks at the progress and at signals.
const ROWS_BETWEEN: u64 = 1000;

/// Drives.
pub(crate) fn drive(arguments: &DriveArguments) -> Exit {
    let mut sources = SourceMap::new();
    let loaded = bristle_scenario::load_law(&arguments.law, &arguments.parameters, &mut sources);
    let law = match loaded {
        Ok((law, warnings)) => {
            for warning in &warnings {
                render::print_one(warning, &sources);
            }
            law
        }
        Err(diagnostics) => {
            render::print(&diagnostics, &sources);
            return Exit::BadInput;
        }
    };
    let interrupt = Interrupt::listen();
    match checked(arguments, interrupt) {
        Ok(()) => {}
        Err(end) => return end.tell(),
    }
    let rows = match open(arguments) {
        Ok(rows) => rows,
        Err(problem) => return refuse(problem.message, problem.help),
    };
    if !rows.columns.unused.is_empty() {
        let unused = rows.columns.unused.join(", ");
        let message = format!("{}: not used: {unused}", rows.place());
        render::print_one(&bristle_scenario::Diagnostic::warning(message), &sources);
    }
    let mut job = DriveJob {
        law: &law,
        rtol: arguments.rtol,
        rows,
        reading: ReadProgress::new(&arguments.motion, arguments.out.is_none()),
        interrupt,
    };
    let ended = match &arguments.out {
        Some(out) => job.write_file(out),
        None => job.write(&mut BufWriter::new(io::stdout().lock())),
    };
    job.reading.clear();
    match ended {
        Ok(()) => Exit::Done,
        Err(end) => end.tell(),
    }
}

type MotionFile = BufReader<File>;

/// The motion, behind its header.
fn open(arguments: &DriveArguments) -> Result<MotionReader<MotionFile>, Problem> {
    let path = arguments.motion.as_path();
    let names = arguments.columns.as_deref().map(names_in_order);
    let rate = rate(arguments.rate.as_deref())?;
    let unreadable =
        |error: io::Error| Problem::new(format!("cannot read {}: {error}", path.display()));
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(Problem::new(format!(
            "cannot read {}: it is a folder",
            path.display()
        )));
    }
    let input = BufReader::with_capacity(1 << 16, file);
    MotionReader::open_as(input, path, names.as_deref(), rate)
}

/// Reads the whole motion once, so that nothing is written for one that is wrong somewhere.
/// A pipe can be read only once, and is taken as it comes.
fn checked(arguments: &DriveArguments, interrupt: Interrupt) -> Result<(), EarlyEnd> {
    let (path, out) = (arguments.motion.as_path(), arguments.out.as_deref());
    let same = |out: &Path| {
        fs::canonicalize(out)
            .ok()
            .is_some_and(|o| fs::canonicalize(path).ok() == Some(o))
    };
    if out.is_some_and(same) {
        let message = format!("--out is the motion itself, {}", path.display());
        return Err(Problem::with(message, "name another file").into());
    }
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    let mut rows = open(arguments)?;
    let mut count = 0_u64;
    while rows.next_row()?.is_some() {
        count += 1;
        if count.is_multiple_of(ROWS_BETWEEN) && interrupt.requested() {
            return Err(EarlyEnd::interrupted());
        }
    }
    Ok(enough(count, path)?)
}

fn enough(count: u64, path: &Path) -> Result<(), Problem> {
    let message = match count {
        0 => format!("{} has no rows below its header", path.display()),
        1 => format!("{} has one row only", path.display()),
        _ => return Ok(()),
    };
    Err(Problem::with(
        message,
        "a motion needs two samples at least",
    ))
}

/// Why it ended early.
enum EarlyEnd {
    Refused(Problem),
    Failed(String, Option<String>),
    /// Nobody reads any more, as with `head`.
    Unread,
}

impl EarlyEnd {
    fn tell(self) -> Exit {
        match self {
            Self::Refused(problem) => refuse(problem.message, problem.help),
            Self::Failed(message, help) => {
                render::error(message, help);
                Exit::RunFailed
            }
            Self::Unread => Exit::Done,
        }
    }

    fn interrupted() -> Self {
        Self::Failed("interrupted; nothing is kept".to_owned(), None)
    }

    fn of_write(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Unread
        } else {
            Self::Failed(format!("cannot write the forces: {error}"), None)
        }
    }
}

impl From<Problem> for EarlyEnd {
    fn from(problem: Problem) -> Self {
        Self::Refused(problem)
    }
}

struct DriveJob<'a> {
    law: &'a Friction,
    rtol: f64,
    rows: MotionReader<MotionFile>,
    reading: ReadProgress,
    interrupt: Interrupt,
}

impl DriveJob<'_> {
    /// Writes to a file that appears when it is whole.
    fn write_file(&mut self, out: &Path) -> Result<(), EarlyEnd> {
        let file = AtomicFile::create(out).map_err(|error| Problem::new(error.to_string()))?;
        let mut sink = BufWriter::with_capacity(1 << 16, file);
        self.write(&mut sink)?;
        let file = sink
            .into_inner()
            .map_err(|error| EarlyEnd::of_write(error.error()))?;
        file.finish()
            .map_err(|error| EarlyEnd::Failed(error.to_string(), None))
    }

    fn write(&mut self, sink: &mut impl Write) -> Result<(), EarlyEnd> {
        match self.rows.columns.velocity.len() {
            1 => self.follow::<1>(sink),
            2 => self.follow::<2>(sink),
            _ => self.follow::<3>(sink),
        }
    }

    fn follow<const D: usize>(&mut self, sink: &mut impl Write) -> Result<(), EarlyEnd> {
        let path = self.reading.path().to_path_buf();
        let first = self.rows.next_row()?;
        let Some(first) = first else {
            return enough(0, &path).map_err(EarlyEnd::Refused);
        };
        let first = sample::<D>(&first);
        let mut driver = Driver::new(self.law, &first, self.rtol);
        let mut text = header::<D>(self.law);
        push_row(&mut text, &first, driver.force(), driver.state());
        let mut count = 1_u64;
        while let Some(row) = self.rows.next_row()? {
            let sample = sample::<D>(&row);
            let force = driver.advance(&sample).map_err(|error| {
                EarlyEnd::Failed(format!("{}: {error}", self.rows.place()), None)
            })?;
            push_row(&mut text, &sample, force, driver.state());
            sink.write_all(text.as_bytes())
                .map_err(|error| EarlyEnd::of_write(&error))?;
            text.clear();
            count += 1;
            if count.is_multiple_of(ROWS_BETWEEN) {
                self.reading.reached(self.rows.bytes());
                if self.interrupt.requested() {
                    return Err(EarlyEnd::interrupted());
                }
            }
        }
        enough(count, &path)?;
        sink.flush().map_err(|error| EarlyEnd::of_write(&error))
    }
}

fn sample<const D: usize>(row: &MotionRow) -> Sample<D> {
    Sample {
        t: row.t,
        velocity: std::array::from_fn(|i| row.velocity[i]),
        normal_force: row.normal_force,
        applied: std::array::from_fn(|i| row.applied[i]),
    }
}

fn header<const D: usize>(law: &Friction) -> String {
    let forces: &[&str] = match D {
        1 => &["F"],
        2 => &["Fx", "Fy"],
        _ => &["Fx", "Fy", "Fz"],
    };
    let mut names = vec!["t".to_owned()];
    names.extend(forces.iter().map(|name| (*name).to_owned()));
    names.push("mu".to_owned());
    names.extend(state_names::<D>(law));
    names.join(",") + "\n"
}

fn push_row<const D: usize>(text: &mut String, sample: &Sample<D>, force: [f64; D], state: &[f64]) {
    let n = sample.normal_force;
    let size = force.iter().fold(0.0_f64, |size, f| size.hypot(*f));
    let mu = if n > 0.0 { size / n } else { 0.0 };
    text.push_str(&format_number(sample.t));
    for x in force.iter().chain([&mu]).chain(state) {
        text.push(',');
        // a negative zero is a zero
        text.push_str(&format_number(x + 0.0));
    }
    text.push('\n');
}
