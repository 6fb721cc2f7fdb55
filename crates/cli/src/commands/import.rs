//! `bristle import`: a scenario from URDF or MJCF.

use std::fs;
use std::path::Path;

use bristle_import::{
    ImportOptions, ImportProblem, ImportRemark, Imported, ImportedMachine, RemarkKind,
};
use bristle_laws::{Friction, LawCard};
use bristle_recordings::read_bytes;
use bristle_results::TextPage;
use bristle_scenario::suggest;
use bristle_units::number_of;
use serde_json::{Value, json};

use super::{print_json, refuse};
use crate::args::ImportArguments;
use crate::exit::Exit;
use crate::render;
use crate::terminal::Stream;

/// Places of one sort that the report names; `--json` has all of them.
const NAMED: usize = 6;

/// Reads the file, writes the scenario and reports.
pub(crate) fn import(arguments: &ImportArguments) -> Exit {
    let law = match law(&arguments.law) {
        Ok(law) => law,
        Err(exit) => return exit,
    };
    let path = &arguments.model;
    let text = match read_bytes(path) {
        // comments of such files are often in an older encoding
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(problem) => return refuse(problem.message, problem.help),
    };
    let file = path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let options = ImportOptions {
        file: &file,
        law,
        floating: arguments.floating,
        repair: arguments.repair,
    };
    match bristle_import::import(&text, &options) {
        Ok(imported) => deliver(arguments, &imported),
        Err(problems) => {
            refuse_all(arguments, &problems);
            Exit::BadInput
        }
    }
}

fn law(name: &str) -> Result<&'static LawCard<'static>, Exit> {
    Friction::card_of(name).ok_or_else(|| {
        let names = Friction::CARDS.iter().map(|card| card.name);
        let meant = suggest::did_you_mean(name, names).unwrap_or_default();
        refuse(
            format!("--law: there is no friction law called \"{name}\""),
            Some(
                format!("{meant} `bristle laws` lists all of them")
                    .trim()
                    .to_owned(),
            ),
        )
    })
}

/// Writes or prints the scenario.
fn deliver(arguments: &ImportArguments, imported: &Imported) -> Exit {
    if let Some(path) = &arguments.out {
        if path.exists() && !arguments.force {
            return refuse(
                format!("{} exists", path.display()),
                Some("choose another name, or replace it with --force".to_owned()),
            );
        }
        if let Err(error) = fs::write(path, &imported.toml) {
            return refuse(format!("cannot write {}: {error}", path.display()), None);
        }
    }
    if arguments.json {
        print_json(&as_json(arguments, imported));
        return Exit::Done;
    }
    if arguments.out.is_none() {
        Stream::Out.print(&imported.toml);
    }
    if !arguments.quiet {
        // the scenario may be on standard output
        let stream = if arguments.out.is_some() {
            Stream::Out
        } else {
            Stream::Err
        };
        let mut page = TextPage::new(stream.width(), stream.colour());
        report(&mut page, imported, &arguments.model);
        if let Some(path) = &arguments.out {
            page.line("");
            page.line(&format!("{}: next, bristle check {0}", path.display()));
        }
        stream.print(&page.into_text());
    }
    Exit::Done
}

/// What was taken over, and the remarks by sort.
fn report(page: &mut TextPage, imported: &Imported, file: &Path) {
    let machine = &imported.machine;
    page.bold(&format!(
        "{} ({}, {})",
        machine.title,
        machine.format,
        file.display()
    ));
    page.paragraph("  taken over  ", &taken(machine));
    for kind in [
        RemarkKind::Assumed,
        RemarkKind::Changed,
        RemarkKind::Doubtful,
        RemarkKind::Lost,
    ] {
        let mut sorts: Vec<&str> = Vec::new();
        let own = || imported.remarks.iter().filter(|remark| remark.kind == kind);
        for remark in own() {
            if !sorts.contains(&remark.what.as_str()) {
                sorts.push(&remark.what);
            }
        }
        for sort in sorts {
            let places: Vec<&ImportRemark> = own().filter(|remark| remark.what == sort).collect();
            page.paragraph(
                &format!("  {:<10}  ", kind.word()),
                &sort_text(sort, &places),
            );
        }
    }
}

/// One sort of remarks with its places.
fn sort_text(sort: &str, places: &[&ImportRemark]) -> String {
    let place = |remark: &&ImportRemark| {
        let detail = if remark.detail.is_empty() {
            String::new()
        } else {
            format!(": {}", remark.detail)
        };
        format!("line {}{detail}", remark.line)
    };
    let mut named: Vec<String> = places.iter().take(NAMED).map(place).collect();
    if places.len() > NAMED {
        let lines: Vec<String> = places[NAMED..]
            .iter()
            .map(|remark| remark.line.to_string())
            .collect();
        named.push(format!("lines {}", lines.join(", ")));
    }
    let remedy = places.first().map_or("", |remark| remark.remedy.as_str());
    let remedy = if remedy.is_empty() {
        String::new()
    } else {
        format!(". Remedy: {remedy}")
    };
    format!("{sort}: {}{remedy}", named.join("; "))
}

fn freedoms(machine: &ImportedMachine) -> usize {
    let own = machine.bodies.iter().filter(|body| body.held.is_none());
    own.map(|body| body.joint.freedoms()).sum()
}

fn mass(machine: &ImportedMachine) -> f64 {
    let own = machine.bodies.iter().filter_map(|body| body.inertia);
    own.map(|own| own.mass).sum()
}

fn taken(machine: &ImportedMachine) -> String {
    let freedoms = number_of(freedoms(machine), "joint coordinate", "joint coordinates");
    let mut parts = vec![
        number_of(machine.bodies.len(), "body", "bodies"),
        freedoms,
        format!("{:.6} kg", mass(machine)),
    ];
    let more = [
        (
            machine.frictions.len(),
            "friction in a joint",
            "frictions in joints",
        ),
        (
            machine.springs.len(),
            "spring or damper in a joint",
            "springs or dampers in joints",
        ),
        (machine.stops.len(), "stop of a joint", "stops of joints"),
        (machine.couplings.len(), "coupling", "couplings"),
        (machine.loops.len(), "loop", "loops"),
    ];
    parts.extend(
        more.into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| number_of(count, one, many)),
    );
    parts.join(", ")
}

fn as_json(arguments: &ImportArguments, imported: &Imported) -> Value {
    let machine = &imported.machine;
    let remarks = imported.remarks.iter().map(|remark| {
        json!({
            "kind": remark.kind.word(),
            "line": remark.line,
            "what": remark.what,
            "detail": remark.detail,
            "remedy": remark.remedy,
        })
    });
    json!({
        "file": arguments.model.display().to_string(),
        "ok": true,
        "format": machine.format,
        "title": machine.title,
        "bodies": machine.bodies.len(),
        "coordinates": freedoms(machine),
        "mass": mass(machine),
        "joint_friction": machine.frictions.len(),
        "joint_spring": machine.springs.len(),
        "joint_stop": machine.stops.len(),
        "couplings": machine.couplings.len(),
        "loops": machine.loops.len(),
        "remarks": remarks.collect::<Vec<_>>(),
        "errors": [],
        "out": arguments.out.as_ref().map(|path| path.display().to_string()),
        "scenario": imported.toml,
    })
}

fn refuse_all(arguments: &ImportArguments, problems: &[ImportProblem]) {
    let file = arguments.model.display();
    if arguments.json {
        let errors = problems.iter().map(|problem| {
            json!({ "line": problem.line, "what": problem.what, "remedy": problem.remedy })
        });
        print_json(&json!({
            "file": file.to_string(),
            "ok": false,
            "remarks": [],
            "errors": errors.collect::<Vec<_>>(),
            "scenario": null,
        }));
        return;
    }
    for problem in problems {
        let message = format!("{file}, line {}: {}", problem.line, problem.what);
        render::error(message, Some(problem.remedy.clone()));
    }
}
