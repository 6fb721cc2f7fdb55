//! The machine as the text of a scenario.

use std::fmt::Write as _;

use nalgebra::Vector3;

use crate::ImportOptions;
use crate::friction_table;
use crate::machine::{
    CoordinateName, DrawnSolid, ImportedMachine, MachineBody, MachineCoupling, MachineFriction,
    MachineJoint, MachineLoop, MachineSpring, MachineStop, MassProperties, Placement,
};
use crate::numbers::{number, orientation, vector};
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::stops;

/// The scenario. Lines of the file stand beside what came from them.
pub(crate) fn scenario(
    machine: &ImportedMachine,
    options: &ImportOptions<'_>,
    remarks: &[ImportRemark],
) -> Result<String, Vec<ImportProblem>> {
    let mut text = head(machine, options, remarks);
    for body in &machine.bodies {
        text.push_str(&body_table(machine, body));
    }
    for friction in &machine.frictions {
        text.push_str(
            &friction_section(machine, friction, options).map_err(|problem| vec![problem])?,
        );
    }
    for spring in &machine.springs {
        text.push_str(&spring_section(machine, spring));
    }
    for stop in &machine.stops {
        text.push_str(&stop_section(machine, stop));
    }
    for coupling in &machine.couplings {
        text.push_str(&coupling_section(machine, coupling));
    }
    for own in &machine.loops {
        text.push_str(&loop_section(machine, own));
    }
    Ok(text)
}

fn head(
    machine: &ImportedMachine,
    options: &ImportOptions<'_>,
    remarks: &[ImportRemark],
) -> String {
    let mut text = format!(
        "# From {} by `bristle import`; line numbers are those of that file.\n",
        comment(options.file)
    );
    let count = |kind| remarks.iter().filter(|remark| remark.kind == kind).count();
    let (lost, doubtful) = (count(RemarkKind::Lost), count(RemarkKind::Doubtful));
    if lost + doubtful > 0 {
        let _ = writeln!(
            text,
            "# Not taken over: {lost} places; doubtful: {doubtful}. `bristle import {}` lists them.",
            comment(options.file)
        );
    }
    for remark in remarks
        .iter()
        .filter(|remark| remark.kind == RemarkKind::Assumed)
    {
        let _ = writeln!(
            text,
            "# Assumed: {}: {}",
            comment(&remark.what),
            comment(&remark.detail)
        );
    }
    if !machine.frictions.is_empty() {
        let _ = writeln!(
            text,
            "# Friction: {} gives its level and nothing else. It is the `load`, constant: it does not depend on the\n\
             # load of the joint. Assumed: {}.",
            machine.format,
            friction_table::assumption()
        );
    }
    if !machine.stops.is_empty() {
        let _ = writeln!(
            text,
            "# Stops: {} gives the range of a joint and nothing else. {}",
            machine.format,
            stops::assumption()
        );
    }
    let _ = write!(
        text,
        "\ntitle = {}\n\n[simulation]\nend_time = \"1 s\"\ngravity  = {}\n",
        quoted(&format!("{} (from {})", machine.title, options.file)),
        vector(&machine.gravity)
    );
    text
}

/// Text for a comment: one line.
fn comment(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let escaped = comment(text).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

fn body_table(machine: &ImportedMachine, body: &MachineBody) -> String {
    let mut text = format!("\n# {}: {}\n", line(body.line), comment(&body.origin));
    for own in &body.comments {
        let _ = writeln!(text, "# {}", comment(own));
    }
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some(parent) = body.parent {
        rows.push(("parent", quoted(&machine.bodies[parent].name)));
    }
    rows.push(("joint", quoted(body.joint.word())));
    rows.extend(axes(&body.joint));
    if body.place.position != Vector3::zeros() {
        rows.push(("position", vector(&body.place.position)));
    }
    if let Some(turned) = orientation(&body.place.rotation) {
        rows.push(("orientation", turned));
    }
    if let Some(start) = body.start {
        rows.push(("coordinate", number(start)));
    }
    if let Some(held) = body.held {
        rows.push(("drive", format!("{{ coordinate = {} }}", number(held))));
    }
    if let Some(inertia) = &body.inertia {
        rows.extend(mass_rows(inertia));
    }
    // without moments of its own the body would take those of the shape
    let has_moments = body.inertia.is_some_and(|own| own.tensor.amax() > 0.0);
    if let Some(solid) = body.solid.as_ref().filter(|_| has_moments) {
        rows.push(("shape", shape(solid)));
    }
    text.push_str(&table(&format!("body.{}", body.name), &rows));
    text
}

/// A table with its signs of equality below each other.
fn table(name: &str, rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    let mut text = format!("[{name}]\n");
    for (key, value) in rows {
        let _ = writeln!(text, "{key:<width$} = {value}");
    }
    text
}

fn line(line: u32) -> String {
    format!("Line {line}")
}

fn axes(joint: &MachineJoint) -> Vec<(&'static str, String)> {
    match joint {
        MachineJoint::Revolute(axis)
        | MachineJoint::Prismatic(axis)
        | MachineJoint::Cylindrical(axis) => {
            vec![("axis", vector(axis))]
        }
        MachineJoint::Planar(normal) => vec![("normal", vector(normal))],
        MachineJoint::Universal(first, second) => {
            vec![("axis", vector(first)), ("second_axis", vector(second))]
        }
        MachineJoint::Fixed | MachineJoint::Free | MachineJoint::Spherical => Vec::new(),
    }
}

fn mass_rows(own: &MassProperties) -> Vec<(&'static str, String)> {
    let mut rows = vec![("mass", number(own.mass))];
    if own.centre != Vector3::zeros() {
        rows.push(("centre_of_mass", vector(&own.centre)));
    }
    // the dust of a rotation
    let largest = own.tensor.amax();
    let t = &own
        .tensor
        .map(|x| if x.abs() < 1e-15 * largest { 0.0 } else { x });
    let diagonal = t.diagonal();
    let beside = t[(0, 1)].abs() + t[(0, 2)].abs() + t[(1, 2)].abs();
    if t.amax() == 0.0 {
        return rows;
    }
    // principal moments must be positive each; a matrix may have a 0
    let value = if beside == 0.0 && diagonal.min() > 0.0 {
        vector(&diagonal)
    } else {
        let row = |i: usize| vector(&Vector3::new(t[(i, 0)], t[(i, 1)], t[(i, 2)]));
        format!("[{}, {}, {}]", row(0), row(1), row(2))
    };
    rows.push(("inertia", value));
    rows
}

fn shape(solid: &DrawnSolid) -> String {
    match solid {
        DrawnSolid::Box(edges) => format!("{{ box = {} }}", vector(&Vector3::from(*edges))),
        DrawnSolid::Sphere(radius) => format!("{{ sphere = {} }}", number(*radius)),
        DrawnSolid::Cylinder { radius, length } => {
            format!(
                "{{ cylinder = {{ radius = {}, length = {} }} }}",
                number(*radius),
                number(*length)
            )
        }
    }
}

fn friction_section(
    machine: &ImportedMachine,
    own: &MachineFriction,
    options: &ImportOptions<'_>,
) -> Result<String, ImportProblem> {
    let law = friction_table::table(options.law, own.level).map_err(|error| {
        ImportProblem::new(
            own.line,
            format!(
                "{}: the law \"{}\" cannot be set up from a level alone: {error}",
                own.name, options.law.name
            ),
            "choose another one by --law; `bristle laws` lists them",
        )
    })?;
    let unit = if own.coordinate.turns {
        "N m, at a radius of 1 m"
    } else {
        "N"
    };
    let factor = law.factor.map_or_else(String::new, |factor| {
        format!("; this law goes up to {} times its load", number(factor))
    });
    let mut rows = coordinate(machine, &own.coordinate);
    rows.push(("load", number(own.level)));
    if own.coordinate.turns {
        rows.push(("radius", "1".to_owned()));
    }
    rows.push(("friction", format!("{{ {} }}", law.fields)));
    Ok(format!(
        "\n# {}: friction {} {unit}{factor}\n{}",
        line(own.line),
        number(own.level),
        table(&format!("joint_friction.{}", own.name), &rows)
    ))
}

fn spring_section(machine: &ImportedMachine, own: &MachineSpring) -> String {
    let mut rows = coordinate(machine, &own.coordinate);
    if own.stiffness != 0.0 {
        rows.push(("stiffness", number(own.stiffness)));
        if own.rest != 0.0 {
            rows.push(("rest", number(own.rest)));
        }
    }
    if own.damping != 0.0 {
        rows.push(("damping", number(own.damping)));
    }
    format!(
        "\n# {}\n{}",
        line(own.line),
        table(&format!("joint_spring.{}", own.name), &rows)
    )
}

fn stop_section(machine: &ImportedMachine, own: &MachineStop) -> String {
    let unit = if own.coordinate.turns { "kg m²" } else { "kg" };
    let mut rows = coordinate(machine, &own.coordinate);
    rows.push(("min", number(own.min)));
    rows.push(("max", number(own.max)));
    if own.coordinate.turns {
        rows.push(("radius", "1".to_owned()));
    }
    rows.push(("normal", format!("{{ {} }}", stops::law(own.inertia))));
    format!(
        "\n# {}: range of the joint; {} {unit}, all others at 0, meet the stop\n{}",
        line(own.line),
        number(stops::short(own.inertia)),
        table(&format!("joint_stop.{}", own.name), &rows)
    )
}

fn coordinate(machine: &ImportedMachine, own: &CoordinateName) -> Vec<(&'static str, String)> {
    let mut rows = vec![("body", quoted(&machine.bodies[own.body].name))];
    if let Some(name) = own.name {
        rows.push(("coordinate", quoted(name)));
    }
    rows
}

fn coupling_section(machine: &ImportedMachine, own: &MachineCoupling) -> String {
    let end = |end: &CoordinateName, more: &str| {
        let name = end
            .name
            .map_or_else(String::new, |name| format!(", coordinate = \"{name}\""));
        format!(
            "{{ body = {}{name}{more} }}",
            quoted(&machine.bodies[end.body].name)
        )
    };
    let kind = match (own.from.turns, own.to.turns) {
        (true, true) => "\"gear\"",
        (true, false) => "\"rack\"",
        (false, _) => "\"linear\"",
    };
    let mut rows = vec![("kind", kind.to_owned())];
    if own.from.turns {
        rows.push(("from", end(&own.from, "")));
        rows.push(("to", end(&own.to, "")));
        rows.push(("ratio", number(own.ratio)));
    } else {
        let from = end(
            &own.from,
            &format!(", coefficient = {}", number(-own.ratio)),
        );
        let to = end(&own.to, ", coefficient = 1");
        rows.push(("terms", format!("[{to}, {from}]")));
    }
    format!(
        "\n# {}: {}\n{}",
        line(own.line),
        comment(&own.comment),
        table(&format!("coupling.{}", own.name), &rows)
    )
}

fn loop_section(machine: &ImportedMachine, own: &MachineLoop) -> String {
    let end = |(body, place): &(Option<usize>, Placement)| {
        let mut parts = Vec::new();
        if let Some(body) = body {
            parts.push(format!("body = {}", quoted(&machine.bodies[*body].name)));
        }
        if place.position != Vector3::zeros() || body.is_none() {
            parts.push(format!("point = {}", vector(&place.position)));
        }
        if let Some(turned) = orientation(&place.rotation) {
            parts.push(format!("orientation = {turned}"));
        }
        format!("{{ {} }}", parts.join(", "))
    };
    let mut rows = vec![("joint", quoted(own.joint.word()))];
    rows.extend(axes(&own.joint));
    rows.push(("from", end(&own.from)));
    rows.push(("to", end(&own.to)));
    format!(
        "\n# {}\n{}",
        line(own.line),
        table(&format!("loop.{}", own.name), &rows)
    )
}
