//! Numbers that hardly anyone measured.

use crate::machine::ImportedMachine;
use crate::numbers;
use crate::remarks::{ImportRemark, RemarkKind};

/// From how many equal numbers on they look like a placeholder.
const MANY: usize = 3;

/// Points out numbers that are the same everywhere.
pub(crate) fn point_out(machine: &ImportedMachine, remarks: &mut Vec<ImportRemark>) {
    let friction: Vec<(u32, f64)> = machine
        .frictions
        .iter()
        .map(|f| (f.line, f.level))
        .collect();
    same(&friction, "friction", "N or N m", remarks);
    let damped = machine.springs.iter().filter(|s| s.damping > 0.0);
    let damping: Vec<(u32, f64)> = damped.map(|s| (s.line, s.damping)).collect();
    same(&damping, "damping", "SI units", remarks);
    let inertias = machine.bodies.iter().filter_map(|body| {
        let own = body.inertia.filter(|own| own.mass > 0.0)?;
        Some((body.line, own))
    });
    let inertias: Vec<_> = inertias.collect();
    if let Some((line, own)) = inertias.first()
        && inertias.len() >= MANY
        && inertias
            .iter()
            .all(|(_, other)| (other.mass, other.tensor) == (own.mass, own.tensor))
    {
        let count = inertias.len();
        remarks.push(doubt(
            *line,
            "mass and inertia look like placeholders",
            format!(
                "{} kg and the same inertia in all {count} bodies",
                numbers::number(own.mass)
            ),
        ));
    }
    for (line, own) in &inertias {
        let unit = |x: f64| (x - 1.0).abs() < 1e-12;
        // a solid of 1 kg m² in all directions has a radius of gyration of 1 m/√m
        if own.tensor.diagonal().iter().all(|x| unit(*x)) {
            remarks.push(doubt(
                *line,
                "inertia looks like a placeholder",
                format!(
                    "1 kg m² in all directions at {} kg",
                    numbers::number(own.mass)
                ),
            ));
        }
    }
}

/// A number that is the same in all places.
fn same(values: &[(u32, f64)], name: &str, unit: &str, remarks: &mut Vec<ImportRemark>) {
    let Some(&(line, first)) = values.first() else {
        return;
    };
    if values.len() >= MANY && values.iter().all(|(_, x)| x.to_bits() == first.to_bits()) {
        let count = values.len();
        remarks.push(doubt(
            line,
            &format!("{name} looks like a placeholder"),
            format!(
                "{} ({unit}) in all {count} joints that have any",
                numbers::number(first)
            ),
        ));
    }
}

fn doubt(line: u32, what: &str, detail: String) -> ImportRemark {
    ImportRemark::new(RemarkKind::Doubtful, line, what, detail)
        .remedy("measure it, or find it with `bristle calibrate`")
}
