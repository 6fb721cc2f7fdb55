//! A fit file: what `bristle identify` is asked for, written down.
//!
//! The file is read like a scenario, with units, places and suggestions, and fills the arguments
//! that the command line leaves open. What the command line says of a parameter replaces all that
//! the file says of it.

mod sections;
mod values;

use std::path::{Path, PathBuf};

use bristle_laws::Friction;
use bristle_laws::card::ParameterCard;
use bristle_recordings::Quantity;
use bristle_scenario::{Diagnostics, FieldRange, Fields, Node, Reader, SourceMap, Unit, load_file};
use bristle_units::suggest;
use clap::ValueEnum as _;

use self::sections::FIT;
use self::values::{bounds, texts, value};
use crate::args::{FitTarget, IdentifyArguments, RobustLoss};
use crate::commands::fits::names;
use crate::exit::Exit;
use crate::render;

/// The fit file among the arguments: that of --fit, or a first DATA that ends in .toml.
pub(super) fn of(arguments: &IdentifyArguments) -> Option<PathBuf> {
    let is_toml = |path: &&PathBuf| path.extension().is_some_and(|end| end == "toml");
    let named = arguments.fit.as_ref();
    named
        .or_else(|| arguments.data.first().filter(is_toml))
        .cloned()
}

/// Fills what the command line leaves open.
pub(super) fn fill(path: &Path, arguments: &mut IdentifyArguments) -> Result<(), Exit> {
    if arguments.fit.is_none() {
        arguments.data.remove(0);
    }
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let node = load_file(path, &mut sources, &mut diagnostics);
    let reader = Reader::new(&sources);
    if let Some(node) = &node
        && let Some(file) = Fields::open(&reader, node, node.span, "", &FIT)
    {
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let filling = Filling { file, folder };
        filling.what(arguments);
        filling.parameters(arguments);
        filling.columns(arguments);
        filling.preparation(arguments);
        filling.search(arguments);
        filling.output(arguments);
    }
    diagnostics.extend(reader.into_diagnostics());
    render::print(&diagnostics, &sources);
    if diagnostics.has_errors() {
        return Err(Exit::BadInput);
    }
    Ok(())
}

/// A fit file on its way into the arguments.
struct Filling<'a> {
    file: Fields<'a>,
    /// Where it stands.
    folder: PathBuf,
}

impl Filling<'_> {
    /// Data, law, terms.
    fn what(&self, arguments: &mut IdentifyArguments) {
        let paths = |name: &str| -> Vec<PathBuf> {
            let texts = texts(&self.file, name).into_iter();
            texts.map(|text| self.folder.join(text)).collect()
        };
        let (data, test) = (paths("data"), paths("test"));
        fill_list(&mut arguments.data, data);
        fill_list(&mut arguments.test, test);
        let law = |text: &str| {
            let is_file = Path::new(text).extension().is_some_and(|end| end == "toml");
            if is_file {
                self.folder.join(text).to_string_lossy().into_owned()
            } else {
                text.to_owned()
            }
        };
        let laws = texts(&self.file, "law");
        fill_list(
            &mut arguments.law,
            laws.iter().map(|text| law(text)).collect(),
        );
        fill_list(&mut arguments.with, texts(&self.file, "terms"));
        let target = self.file.choice("target");
        let target = target.and_then(|word| FitTarget::from_str(word, true).ok());
        fill_one(&mut arguments.target, target);
        fill_one(&mut arguments.elements, self.file.count("elements"));
    }

    fn parameters(&self, arguments: &mut IdentifyArguments) {
        let cards: Vec<&'static ParameterCard> = arguments
            .law
            .iter()
            .filter_map(|law| Friction::card_of(&suggest::canonical(law)))
            .flat_map(|card| card.parameters)
            .collect();
        let card = |name: &str| {
            let mut all = cards.iter();
            all.find(|card| card.name == name || card.symbol == name)
                .copied()
        };
        let values = [&arguments.fix, &arguments.start, &arguments.bound];
        let given = values.into_iter().flatten();
        let mut given: Vec<String> = given
            .filter_map(|text| Some(text.split_once('=')?.0.trim().to_owned()))
            .collect();
        given.extend(names(&arguments.free).map(str::to_owned));
        let (mut fix, mut start, mut bound, mut free) = (vec![], vec![], vec![], vec![]);
        for (name, fields) in self.file.named("parameter") {
            let own = card(&name);
            let quantity = |field: &str, node: &Node| value(&fields, field, node, own);
            let of = |field: &str| quantity(field, fields.node(field)?);
            let (held, begin) = (of("fix"), of("start"));
            let between = bounds(&fields, &quantity);
            let freed = fields.flag("free") == Some(true);
            let same = |other: &String| {
                let both = card(other).zip(own);
                *other == name || both.is_some_and(|(a, b)| a.name == b.name)
            };
            if given.iter().any(same) {
                continue;
            }
            fix.extend(held.map(|x| format!("{name}={x:?}")));
            start.extend(begin.map(|x| format!("{name}={x:?}")));
            bound.extend(between.map(|(low, high)| format!("{name}={low:?}:{high:?}")));
            free.extend(freed.then_some(name));
        }
        arguments.fix.splice(0..0, fix);
        arguments.start.splice(0..0, start);
        arguments.bound.splice(0..0, bound);
        arguments.free.splice(0..0, free);
    }

    fn columns(&self, arguments: &mut IdentifyArguments) {
        let options = &mut arguments.column_options;
        let (mut column, mut unit, mut gain) = (vec![], vec![], vec![]);
        for (quantity, fields) in self.file.named("column") {
            if let Err(problem) = Quantity::named(&quantity) {
                let help = problem.help.unwrap_or_default();
                let reader = fields.reader();
                reader.error(fields.name_span(), format!("{}; {help}", problem.message));
                continue;
            }
            column.extend(fields.text("name").map(|name| format!("{quantity}={name}")));
            unit.extend(fields.text("unit").map(|unit| format!("{quantity}={unit}")));
            gain.extend(
                fields
                    .number("gain")
                    .map(|gain| format!("{quantity}={gain:?}")),
            );
        }
        options.column.splice(0..0, column);
        options.unit.splice(0..0, unit);
        options.gain.splice(0..0, gain);
        let names = texts(&self.file, "columns");
        let names = (!names.is_empty()).then(|| names.join(","));
        fill_one(&mut options.columns, names);
    }

    fn preparation(&self, arguments: &mut IdentifyArguments) {
        let Some(prepare) = self.file.section("prepare") else {
            return;
        };
        let word = |field: &str, words: &[&str], unit: Unit| {
            let node = prepare.node(field)?;
            match node.as_text().filter(|text| words.contains(text)) {
                Some(text) => Some(text.to_owned()),
                None => prepare
                    .number_as(field, unit, FieldRange::Positive)
                    .map(text_of),
            }
        };
        fill_one(
            &mut arguments.normal_force,
            word("normal_force", &["mean"], Unit::NEWTON),
        );
        fill_one(
            &mut arguments.lowpass,
            word("lowpass", &["auto", "off"], Unit::HERTZ),
        );
        fill_one(&mut arguments.delay, prepare.number("delay").map(text_of));
        fill_one(
            &mut arguments.resample,
            prepare.number("resample").map(text_of),
        );
        fill_one(
            &mut arguments.column_options.rate,
            prepare.number("rate").map(text_of),
        );
        let trim = prepare.list("trim").filter(|_| prepare.has("trim"));
        let trim = trim.and_then(|ends| {
            let [from, to] = ends[..] else {
                prepare.error("trim", "expected two times, the first and the last to keep");
                return None;
            };
            Some(format!("{from:?}:{to:?}"))
        });
        fill_one(&mut arguments.trim, trim);
        let gains = prepare.list("servo").filter(|_| prepare.has("servo"));
        let gains = gains.map(|all| all.into_iter().map(text_of).collect::<Vec<_>>().join(","));
        fill_one(&mut arguments.servo, gains);
    }

    fn search(&self, arguments: &mut IdentifyArguments) {
        let Some(search) = self.file.section("search") else {
            return;
        };
        let loss = search.choice("loss");
        let loss = loss.and_then(|word| RobustLoss::from_str(word, true).ok());
        fill_one(&mut arguments.loss, loss);
        fill_one(&mut arguments.starts, search.count("starts"));
        arguments.global |= search.flag("global") == Some(true);
        arguments.profile |= search.flag("profile") == Some(true);
    }

    fn output(&self, arguments: &mut IdentifyArguments) {
        let to = &mut arguments.output_to;
        let out = self.file.text("out").map(|text| self.folder.join(text));
        fill_one(&mut to.out, out);
        to.no_plots |= self.file.flag("plots") == Some(false);
        to.report |= self.file.flag("report") == Some(true) && to.out.is_some();
    }
}

fn text_of(x: f64) -> String {
    format!("{x:?}")
}

fn fill_one<T>(open: &mut Option<T>, value: Option<T>) {
    if open.is_none() {
        *open = value;
    }
}

fn fill_list<T>(open: &mut Vec<T>, values: Vec<T>) {
    if open.is_empty() {
        *open = values;
    }
}
