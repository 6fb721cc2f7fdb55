//! `bristle laws --markdown`: the pages of the laws, from their cards.

mod picture;
mod prose;

use std::fmt::Write as _;
use std::path::Path;

use bristle_laws::card::{Default, LawCard, ParameterCard, ParameterKind, Role, Typical};
use bristle_laws::curve::Shape;
use bristle_laws::friction::{EXAMPLE, typical_value};
use bristle_laws::{Friction, Normal, Values};
use bristle_results::{FolderMaker, Foreign, OutputFolder, Result};

use self::picture::LawPicture;
use self::prose::{plain, prose, tex};
use super::parameter_text::{default, range, typical};
use crate::exit::Exit;
use crate::terminal::Stream;

/// What the reader of a page must know about its origin.
const ORIGIN: &str = "<!-- Written by `bristle laws --markdown docs/laws` from the law's card: change \
                      the card, not this page. -->";

/// Writes all pages to a folder.
pub(super) fn write(folder: &Path, foreign: Foreign) -> Exit {
    match write_all(folder, foreign) {
        Ok(count) => {
            Stream::Out.print(&format!("{count} pages in {}\n", folder.display()));
            Exit::Done
        }
        Err(error) => super::unwritten(&error),
    }
}

fn write_all(folder: &Path, foreign: Foreign) -> Result<usize> {
    let maker = FolderMaker {
        command: "laws",
        last: "README.md",
    };
    let folder = OutputFolder::open(folder, maker, foreign)?;
    let mut count = 1;
    for (field, card) in all() {
        let file = file(field, card);
        let picture = picture::draw(field, card)?;
        let page = page(field, card, picture.as_ref());
        folder.write(&format!("{file}.md"), page.as_bytes())?;
        if let Some(picture) = picture {
            folder.write(&format!("{file}.svg"), picture.svg.as_bytes())?;
        }
        count += 1;
    }
    folder.finish(index().as_bytes())?;
    Ok(count)
}

fn all() -> impl Iterator<Item = (LawField, &'static LawCard<'static>)> {
    let friction = Friction::CARDS
        .iter()
        .map(|card| (LawField::Friction, card));
    let normal = Normal::CARDS.iter().map(|card| (LawField::Normal, card));
    let stribeck = Shape::CARDS.iter().map(|card| (LawField::Stribeck, card));
    friction.chain(normal).chain(stribeck)
}

/// Name of the page of a card, without its ending.
fn file(field: LawField, card: &LawCard) -> String {
    match field {
        LawField::Friction | LawField::Normal => card.name.to_owned(),
        // common words are told apart from laws
        LawField::Stribeck => format!("stribeck_{}", card.name),
    }
}

/// The field of a contact that takes the law.
#[derive(Clone, Copy, PartialEq)]
enum LawField {
    Friction,
    Normal,
    /// The field `stribeck` of a friction law.
    Stribeck,
}

fn index() -> String {
    let mut text = format!("{ORIGIN}\n\n# The laws\n");
    for (field, title) in [
        (LawField::Friction, "Friction laws"),
        (LawField::Normal, "Normal-force laws"),
        (LawField::Stribeck, "Stribeck curves"),
    ] {
        let _ = write!(
            text,
            "\n## {title}\n\n| name | states | what it is for | source |\n|---|---|---|---|\n"
        );
        for (_, card) in all().filter(|(own, _)| *own == field) {
            let states: Vec<&str> = card.states.iter().map(|state| &*state.name).collect();
            let states = if states.is_empty() {
                "–".to_owned()
            } else {
                plain(&states.join(", "))
            };
            let (name, file) = (card.name, file(field, card));
            let (summary, source) = (prose(card.summary), plain(card.source));
            let _ = writeln!(
                text,
                "| [`{name}`]({file}.md) | {states} | {summary} | {source} |"
            );
        }
    }
    text
}

fn page(field: LawField, card: &LawCard, picture: Option<&LawPicture>) -> String {
    let kind = match field {
        LawField::Friction => "Friction law",
        LawField::Normal => "Normal-force law",
        LawField::Stribeck => "Stribeck curve, for the field `stribeck` of a friction law",
    };
    let mut text = format!(
        "{ORIGIN}\n\n# `{}`: {}\n\n{kind}. {}\n\n## Equations\n",
        card.name,
        plain(card.title),
        prose(card.summary)
    );
    for equation in card.equations {
        let _ = write!(
            text,
            "\n$$\n{}\n$$\n\n*{}*\n",
            equation.tex,
            prose(equation.source)
        );
    }
    if let Some(picture) = picture {
        let (
            file,
            LawPicture {
                alternative,
                caption,
                ..
            },
        ) = (file(field, card), picture);
        let _ = write!(
            text,
            "\n## On the bench\n\n![{}: {alternative}]({file}.svg)\n\n*{caption}*\n",
            card.name
        );
    }
    if !card.parameters.is_empty() {
        parameters(&mut text, card);
    }
    if !card.states.is_empty() {
        text.push_str("\n## States\n\n| name | unit | meaning |\n|---|---|---|\n");
        for state in card.states {
            let (name, unit) = (&state.name, plain(&state.unit));
            let meaning = prose(&state.description());
            let _ = writeln!(text, "| `{name}` | {unit} | {meaning} |");
        }
    }
    for (title, list) in [("Reproduces", card.reproduces), ("Limits", card.cannot)] {
        if !list.is_empty() {
            let _ = write!(text, "\n## {title}\n\n");
            for entry in list {
                let _ = writeln!(text, "- {}", prose(entry));
            }
        }
    }
    for (title, paragraph) in [("Remarks", card.remarks), ("Source", card.source)] {
        if !paragraph.is_empty() {
            let _ = write!(text, "\n## {title}\n\n{}\n", prose(paragraph));
        }
    }
    if field == LawField::Stribeck {
        chosen(&mut text, card);
    } else {
        example(&mut text, field, card);
    }
    text
}

fn parameters(text: &mut String, card: &LawCard) {
    text.push_str(
        "\n## Parameters\n\n| symbol | parameter | unit | range | default |\n|---|---|---|---|---|\n",
    );
    for parameter in card.parameters {
        let unit = match parameter.kind {
            ParameterKind::Flag | ParameterKind::Curve => "–".to_owned(),
            ParameterKind::Number | ParameterKind::List => plain(&parameter.unit),
        };
        // the command line takes the symbol as well as the name
        let (symbol, also) = match tex(&parameter.symbol) {
            Some(tex) => (format!("${tex}$"), format!(", `{}`", parameter.symbol)),
            None => ("–".to_owned(), String::new()),
        };
        let _ = writeln!(
            text,
            "| {symbol} | `{}`{also}<br>{} | {unit} | {} | {} |",
            parameter.name,
            prose(parameter.meaning.trim()),
            plain(&range(parameter)),
            value(parameter),
        );
    }
}

/// The value where none is given, and what is typical.
fn value(parameter: &ParameterCard) -> String {
    let default = match parameter.default {
        Default::Scaled(..) | Default::Curve(_) => format!("`{}`", default(parameter)),
        _ => default(parameter),
    };
    let typical = typical(parameter.typical);
    if default.trim_matches('`') == typical {
        default
    } else {
        format!("{default}; typical {typical}")
    }
}

/// How a law names the curve.
fn chosen(text: &mut String, card: &LawCard) {
    let name = |role| EXAMPLE.with_role(role).map_or("", |p| &*p.name);
    let levels = format!(
        "{} = 1e-3\n{} = 0.1\n{} = 0.15\n",
        name(Role::StribeckSpeed),
        name(Role::Level),
        name(Role::StaticLevel)
    );
    let (value, levels) = match card.name {
        "table" => (
            "{ points = [[0, 0.15], [\"1 mm/s\", 0.12], [\"1 cm/s\", 0.1]] }".to_owned(),
            "",
        ),
        name => match card.with_role(Role::Speed) {
            Some(speed) => (
                format!("{{ curve = \"{name}\", {} = \"3 mm/s\" }}", speed.name),
                &*levels,
            ),
            None => (format!("\"{name}\""), &*levels),
        },
    };
    let _ = write!(
        text,
        "\n## In a law\n\nAs a field of the friction law of a contact, or with `--param` on the \
         command line:\n\n```toml\n[contact.base.friction]\nlaw = \"{}\"\nstribeck = {value}\n\
         {} = 1e4\n{} = 31.6\n{levels}```\n",
        EXAMPLE.name,
        name(Role::Stiffness),
        name(Role::Damping)
    );
}

/// The law in a scenario, with its typical parameters.
fn example(text: &mut String, field: LawField, card: &LawCard) {
    let (what, name) = match field {
        LawField::Friction | LawField::Stribeck => ("friction", "friction"),
        LawField::Normal => ("normal force", "normal"),
    };
    let _ = write!(
        text,
        "\n## In a scenario\n\nWith typical values, as the {what} of a contact \
         (see [scenario files](../guide/scenario.md)):\n\n```toml\n[contact.base.{name}]\nlaw = \"{}\"\n",
        card.name
    );
    for parameter in shown(field, card) {
        let value = match parameter.typical {
            Typical::Curve(name) => format!("\"{name}\""),
            other => typical(other),
        };
        let _ = writeln!(text, "{} = {value}", parameter.name);
    }
    text.push_str("```\n");
}

/// The parameters of the example: of those that replace each other, the first that are enough.
fn shown<'a>(field: LawField, card: &LawCard<'a>) -> Vec<&'a ParameterCard> {
    let (mut shown, spare): (Vec<_>, Vec<_>) = card
        .parameters
        .iter()
        .partition(|parameter| parameter.default != Default::Absent);
    let mut sound = builds(field, card, &shown);
    for parameter in spare {
        if sound {
            break;
        }
        shown.push(parameter);
        sound = builds(field, card, &shown);
    }
    shown
}

fn builds(field: LawField, card: &LawCard, parameters: &[&ParameterCard]) -> bool {
    let named = |p: &&ParameterCard| (p.name.to_string(), typical_value(p));
    let values: Values = parameters.iter().map(named).collect();
    match field {
        LawField::Friction | LawField::Stribeck => Friction::build(card.name, &values).is_ok(),
        LawField::Normal => Normal::build(card.name, &values).is_ok(),
    }
}
