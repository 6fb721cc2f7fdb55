//! `bristle laws`: the catalogue.

use std::path::Path;

use bristle_laws::card::{
    Default, Equation, LawCard, ParameterCard, ParameterKind, StateCard, Typical,
};
use bristle_laws::curve::Shape;
use bristle_laws::{Declaration, Friction, Normal};
use bristle_scenario::{Diagnostics, SourceMap, law_of_file, load_file, suggest};
use serde_json::{Value, json};

use super::parameter_text::{default, range, typical};
use super::{law_pages, print_json, refuse, unwritten};
use crate::args::LawsArguments;
use crate::exit::Exit;
use crate::page;
use crate::render;
use crate::terminal::Stream;
use bristle_laws::friction::EXAMPLE;
use bristle_results::{TextPage, write_atomically};

/// The catalogue, or one law in full.
pub(crate) fn laws(arguments: &LawsArguments) -> Exit {
    if let Some(folder) = &arguments.markdown {
        return law_pages::write(folder, arguments.force.into());
    }
    if arguments.page {
        return playground(arguments);
    }
    let Some(name) = &arguments.name else {
        if arguments.json {
            print_json(&json!({
                "friction": Friction::CARDS.iter().map(entry).collect::<Vec<_>>(),
                "normal": Normal::CARDS.iter().map(entry).collect::<Vec<_>>(),
                (Shape::FIELD): Shape::CARDS.iter().map(entry).collect::<Vec<_>>(),
            }));
        } else {
            catalogue();
        }
        return Exit::Done;
    };
    if Path::new(name).extension().is_some_and(|e| e == "toml") {
        return of_file(name, arguments.json);
    }
    let found = Friction::card_of(name)
        .map(|card| ("friction", card))
        .or_else(|| Normal::card_of(name).map(|card| ("normal", card)))
        .or_else(|| Shape::card_of(name).map(|card| (Shape::FIELD, card)));
    let Some((kind, card)) = found else {
        let names = Friction::CARDS
            .iter()
            .chain(Normal::CARDS)
            .chain(Shape::CARDS);
        return unknown(name, names.map(|card| card.name));
    };
    let equations: Vec<_> = card.equations.iter().map(Written::of).collect();
    show(kind, card, &equations, arguments.json);
    Exit::Done
}

/// There is no such law; names one that may be meant.
fn unknown(name: &str, names: impl Iterator<Item = &'static str>) -> Exit {
    let help = suggest::did_you_mean(name, names);
    let list = "`bristle laws` lists all of them".to_owned();
    let help = help.map_or(list.clone(), |meant| format!("{meant} {list}"));
    refuse(format!("there is no law called \"{name}\""), Some(help))
}

/// Writes the page on which laws are tried.
fn playground(arguments: &LawsArguments) -> Exit {
    let name = arguments.name.as_deref().unwrap_or(EXAMPLE.name);
    let Some(card) = Friction::card_of(name) else {
        return unknown(name, Friction::CARDS.iter().map(|card| card.name));
    };
    let out = &arguments.out;
    if out.is_dir() {
        let help = "name a file, as in --out laws.html".to_owned();
        return refuse(format!("--out is the folder {}", out.display()), Some(help));
    }
    let page = match bristle_report::playground(card.name) {
        Ok(page) => page,
        Err(error) => return refuse(error.to_string(), None),
    };
    if let Err(error) = write_atomically(out, page.as_bytes()) {
        return unwritten(&error);
    }
    Stream::Out.print(&format!("{}\n", out.display()));
    Exit::Done
}

/// One equation as it is shown.
struct Written {
    text: String,
    tex: &'static str,
    source: &'static str,
}

impl Written {
    fn of(equation: &Equation) -> Self {
        Self {
            text: equation.text.to_owned(),
            tex: equation.tex,
            source: equation.source,
        }
    }

    fn own(text: String) -> Self {
        let (tex, source) = ("", "");
        Self { text, tex, source }
    }
}

/// The law that a file declares, by its name or as equations.
fn of_file(name: &str, as_json: bool) -> Exit {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let law = load_file(Path::new(name), &mut sources, &mut diagnostics)
        .ok_or(diagnostics)
        .and_then(|node| law_of_file(&node, &sources));
    match law {
        Ok(Some(law)) => {
            let card = law.card();
            let equations: Vec<_> = match &law {
                Declaration::Catalogue(card) => card.equations.iter().map(Written::of).collect(),
                Declaration::Own(_) => law.equations().into_iter().map(Written::own).collect(),
            };
            show("friction", &card, &equations, as_json);
            Exit::Done
        }
        Ok(None) => refuse(format!("{name} names no law of the catalogue"), None),
        Err(diagnostics) => {
            render::print(&diagnostics, &sources);
            Exit::BadInput
        }
    }
}

fn show(kind: &str, card: &LawCard<'_>, equations: &[Written], as_json: bool) {
    if as_json {
        print_json(&full(kind, card, equations));
    } else {
        print_card(kind, card, equations);
    }
}

fn catalogue() {
    let mut page = page::new();
    for (title, cards) in [
        ("friction laws", Friction::CARDS),
        ("normal-force laws", Normal::CARDS),
        (
            "Stribeck curves (the field stribeck of a friction law)",
            Shape::CARDS,
        ),
    ] {
        page.bold(title);
        let row = |card: &LawCard| {
            let states: Vec<&str> = card.states.iter().map(|state| &*state.name).collect();
            let states = if states.is_empty() {
                "–".to_owned()
            } else {
                states.join(", ")
            };
            let text = format!("{} – {}", card.title, card.source);
            vec![card.name.to_owned(), states, text]
        };
        let rows: Vec<_> = cards.iter().map(row).collect();
        page.table(&["name", "states", "title – source"], &rows);
        page.line("");
    }
    page.paragraph(
        "",
        "`bristle laws NAME` shows equations, parameters and limits of a law.",
    );
    page::print(page);
}

fn print_card(kind: &str, card: &LawCard, equations: &[Written]) {
    let mut page = page::new();
    page.bold(&format!("{} – {}", card.name, card.title));
    let what = match kind {
        "friction" => "Friction law.",
        Shape::FIELD => "Stribeck curve, for the field stribeck of a friction law.",
        _ => "Normal-force law.",
    };
    page.paragraph("", &format!("{what} {}", card.summary));
    page.heading("equations");
    for equation in equations {
        page.paragraph("  ", &equation.text);
        if !equation.source.is_empty() {
            page.paragraph("      ", equation.source);
        }
    }
    if !card.parameters.is_empty() {
        parameters(&mut page, card);
    }
    if !card.states.is_empty() {
        page.heading("states");
        let row = |state: &StateCard| {
            vec![
                state.name.to_string(),
                state.unit.to_string(),
                state.description(),
            ]
        };
        let rows: Vec<_> = card.states.iter().map(row).collect();
        page.table(&["name", "unit", "meaning"], &rows);
    }
    for (title, list) in [("reproduces", card.reproduces), ("cannot", card.cannot)] {
        if !list.is_empty() {
            page.heading(title);
            for entry in list {
                page.paragraph("  - ", entry);
            }
        }
    }
    for (title, text) in [("remarks", card.remarks), ("source", card.source)] {
        if !text.is_empty() {
            page.heading(title);
            page.paragraph("  ", text);
        }
    }
    page::print(page);
}

fn parameters(page: &mut TextPage, card: &LawCard) {
    page.heading("parameters");
    let row = |p: &ParameterCard| {
        vec![
            p.name.to_string(),
            p.symbol.to_string(),
            p.unit.to_string(),
            range(p),
            typical(p.typical),
            default(p),
            p.meaning.trim().to_owned(),
        ]
    };
    let rows: Vec<_> = card.parameters.iter().map(row).collect();
    let heads = [
        "name", "symbol", "unit", "range", "typical", "default", "meaning",
    ];
    page.table(&heads, &rows);
}

fn entry(card: &LawCard) -> Value {
    json!({
        "name": card.name,
        "title": card.title,
        "summary": card.summary,
        "states": states(card),
        "source": card.source,
    })
}

fn states(card: &LawCard) -> Vec<Value> {
    let state = |state: &StateCard| json!({ "name": state.name, "unit": state.unit, "meaning": state.description() });
    card.states.iter().map(state).collect()
}

fn full(kind: &str, card: &LawCard, equations: &[Written]) -> Value {
    let equation = |e: &Written| json!({ "text": e.text, "tex": e.tex, "source": e.source });
    let parameter = |p: &ParameterCard| {
        json!({
            "name": p.name,
            "symbol": p.symbol,
            "unit": p.unit,
            "kind": match p.kind { ParameterKind::Number => "number", ParameterKind::List => "list", ParameterKind::Flag => "flag", ParameterKind::Curve => "curve" },
            "range": range(p),
            "typical": match p.typical {
                Typical::Number(x) => json!(x),
                Typical::List(list) => json!(list),
                Typical::Flag(flag) => json!(flag),
                Typical::Curve(name) => json!(name),
            },
            "required": p.default == Default::Required,
            "default": match p.default {
                Default::Required | Default::Absent => Value::Null,
                Default::Number(x) => json!(x),
                Default::Flag(flag) => json!(flag),
                Default::Curve(name) => json!(name),
                Default::Scaled(other, factor) => json!({ "parameter": other, "factor": factor }),
            },
            "meaning": p.meaning.trim(),
        })
    };
    json!({
        "name": card.name,
        "kind": kind,
        "title": card.title,
        "summary": card.summary,
        "equations": equations.iter().map(equation).collect::<Vec<_>>(),
        "parameters": card.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "states": states(card),
        "reproduces": card.reproduces,
        "cannot": card.cannot,
        "remarks": card.remarks,
        "source": card.source,
    })
}
