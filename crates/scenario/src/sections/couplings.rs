//! `[coupling.NAME]`: gears, racks, screws and other linear equations between joint coordinates.

use std::f64::consts::TAU;

use bristle_mechanics::{Coupling, CouplingSlip, CouplingTerm, JointOwner, ModelError};

use super::bodies::Bodies;
use super::coordinates::{self, SingleCoordinate};
use super::declared::DeclaredCoupling;
use super::values::{check_name, refuse_unused};
use crate::{Diagnostic, Field, FieldKind, FieldRange, Fields, Section, Unit, suggest};

pub(super) const SIDE: Section = Section {
    name: "side",
    doc: "A joint coordinate.",
    fields: &[coordinates::BODY, coordinates::COORDINATE],
};

const TERM: Section = Section {
    name: "term",
    doc: "A joint coordinate with its coefficient.",
    fields: &[
        coordinates::BODY,
        coordinates::COORDINATE,
        Field::required(
            "coefficient",
            FieldKind::Number {
                unit: Unit::ONE,
                range: FieldRange::Any,
            },
            "Its coefficient in the sum, which stays as it is at the start",
        ),
    ],
};

pub(super) const COUPLING: Section = Section {
    name: "coupling.NAME",
    doc: "A coupling of joint coordinates. It keeps the start: what differs there stays different.",
    fields: &[
        Field::required(
            "kind",
            FieldKind::Choice(&["gear", "rack", "screw", "linear"]),
            "gear: angles, q_to = ratio q_from; rack: displacement of \"to\" per angle of \"from\"; \
             screw: the same by its lead; linear: a sum of terms",
        ),
        Field::optional("from", FieldKind::Table(&SIDE), "The driving coordinate"),
        Field::optional("to", FieldKind::Table(&SIDE), "The driven coordinate"),
        Field::optional(
            "ratio",
            FieldKind::Any(
                "of a gear a number, negative where the wheels turn in opposite directions; of a rack a length per radian: the radius of the pinion",
            ),
            "How far \"to\" goes per unit of \"from\"",
        ),
        Field::optional(
            "lead",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::Any,
            },
            "Displacement of a screw in one turn",
        ),
        Field::optional(
            "radius",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::Positive,
            },
            "Where the faces slide: mean radius of a thread, pitch radius of the wheel \"from\"; \
             friction needs it",
        ),
        Field::optional(
            "terms",
            FieldKind::Tables(&TERM),
            "Coordinates of a linear coupling: { body = \"a\", coefficient = 2 }",
        ),
    ],
};

/// Reads all couplings into the model of the bodies.
pub(super) fn read(root: &Fields<'_>, bodies: &mut Bodies) {
    let mut any = false;
    for (name, fields) in root.named("coupling") {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let Some(terms) = terms(&fields, bodies).filter(|_| sound) else {
            continue;
        };
        let offset = at_start(&terms, bodies);
        let slip = if fields.has("radius") {
            let Some(slip) = slip(&fields, &terms) else {
                continue;
            };
            Some(slip)
        } else {
            None
        };
        let coupling = Coupling {
            name: name.clone(),
            is_rigid: true,
            terms,
            offset,
            slip,
        };
        let declared = coupling.clone();
        match bodies.builder.couple(coupling) {
            Ok(id) => {
                any = true;
                bodies.couplings.push(DeclaredCoupling {
                    id,
                    coupling: declared,
                });
            }
            Err(error) => {
                let message = format!("{}: {error}", fields.path());
                fields.reader().error(fields.name_span(), message);
            }
        }
    }
    if any {
        bodies.take_frames();
    }
}

/// How the faces of the coupling slide, at the radius given.
fn slip(fields: &Fields<'_>, terms: &[CouplingTerm]) -> Option<CouplingSlip> {
    let radius = fields.number("radius")?;
    let [_, from] = terms else {
        refuse_unused(
            fields,
            "radius",
            "a linear coupling has no faces that slide",
        );
        return None;
    };
    if fields.has("lead") {
        // Φ = x − p θ/2π: along the helix
        let lead_angle = (-from.coefficient / radius).atan();
        return Some(CouplingSlip {
            by_terms: vec![lead_angle.sin(), radius * lead_angle.cos()],
            load: 1.0 / lead_angle.cos(),
        });
    }
    // the pitch circle of the driving wheel: its torque over the radius presses the teeth
    Some(CouplingSlip {
        by_terms: vec![0.0, radius],
        load: from.coefficient.abs() / radius,
    })
}

/// The coupling that a field names, as the joint that its friction is in.
pub(super) fn find(fields: &Fields<'_>, name: &str, bodies: &Bodies) -> Option<JointOwner> {
    let text = fields.text(name)?;
    let found = bodies
        .couplings
        .iter()
        .find(|own| own.coupling.name == text);
    let Some(found) = found else {
        let names = bodies
            .couplings
            .iter()
            .map(|own| own.coupling.name.as_str());
        let names: Vec<&str> = names.collect();
        let message = format!("{}: there is no coupling \"{text}\"", fields.path_of(name));
        let meant = suggest::did_you_mean(text, names.iter().copied()).unwrap_or_default();
        let help = if names.is_empty() {
            "the scenario has no [coupling.NAME]".to_owned()
        } else {
            format!("the couplings are {}", names.join(", "))
        };
        let diagnostic = Diagnostic::error(message).label(fields.span(name), meant);
        fields.reader().report(diagnostic.help(help));
        return None;
    };
    if found.coupling.slip.is_none() {
        let message = "friction needs to know where it slides: give the coupling a radius (of a \
                       screw the mean radius of its thread, of a gear or a rack that of the pitch \
                       circle of \"from\")";
        fields.error(name, message);
        return None;
    }
    let [to, from, ..] = found.coupling.terms[..] else {
        return None;
    };
    Some(JointOwner::Coupling {
        id: found.id,
        from: from.body,
        to: to.body,
    })
}

fn terms(fields: &Fields<'_>, bodies: &Bodies) -> Option<Vec<CouplingTerm>> {
    let kind = fields.choice("kind")?;
    let uses: &[&str] = match kind {
        "gear" | "rack" => &["from", "to", "ratio"],
        "screw" => &["from", "to", "lead"],
        _ => &["terms"],
    };
    let mut sound = true;
    for name in ["from", "to", "ratio", "lead", "terms"] {
        if !uses.contains(&name) {
            refuse_unused(
                fields,
                name,
                &format!("a coupling of kind \"{kind}\" has none"),
            );
            sound &= !fields.has(name);
        } else if !fields.has(name) {
            let message = format!("missing field \"{name}\" in {}", fields.path());
            fields.reader().error(fields.name_span(), message);
            sound = false;
        }
    }
    if !sound {
        return None;
    }
    if kind == "linear" {
        return linear(fields, bodies);
    }
    let from = side(fields, "from", bodies);
    let to = side(fields, "to", bodies);
    let (from, to) = (from?, to?);
    let ratio = match kind {
        "gear" => fields.number_as("ratio", Unit::ONE, FieldRange::Any)?,
        "rack" => fields.number_as("ratio", Unit::METRE, FieldRange::Any)?,
        _ => fields.number("lead")? / TAU,
    };
    let slides = kind != "gear";
    if !from.turns || to.turns == slides {
        let wanted = if slides {
            "an angle in \"from\" and a displacement in \"to\""
        } else {
            "angles"
        };
        let message = format!("{}: a {kind} couples {wanted}", fields.path());
        fields.reader().error(fields.name_span(), message);
        return None;
    }
    if ratio == 0.0 {
        let name = if kind == "screw" { "lead" } else { "ratio" };
        fields.error(name, "must not be 0: it would hold the driven coordinate");
        return None;
    }
    Some(vec![to.term(1.0), from.term(-ratio)])
}

fn linear(fields: &Fields<'_>, bodies: &Bodies) -> Option<Vec<CouplingTerm>> {
    let mut terms = Vec::new();
    for one in fields.tables("terms") {
        let coordinate = coordinates::any(&one, bodies)?;
        terms.push(coordinate.term(one.number("coefficient")?));
    }
    if terms.iter().all(|term| term.coefficient == 0.0) {
        fields.error("terms", "must have a coefficient that is not 0");
        return None;
    }
    Some(terms)
}

fn side(fields: &Fields<'_>, name: &str, bodies: &Bodies) -> Option<SingleCoordinate> {
    coordinates::any(&fields.section(name)?, bodies)
}

/// The sum at the start.
fn at_start(terms: &[CouplingTerm], bodies: &Bodies) -> f64 {
    let of = |term: &CouplingTerm| {
        let body = &bodies.builder.bodies()[term.body.index()];
        let drive = body.drives.iter().find(|(place, _)| *place == term.place);
        let given = body.coordinates.get(term.place).copied().unwrap_or(0.0);
        term.coefficient * drive.map_or(given, |(_, signal)| signal.value(0.0))
    };
    terms.iter().map(of).sum()
}

/// Two coordinates with nothing but friction between them: a clutch, whose slip is q − q_other.
pub(super) fn clutch(
    name: &str,
    sides: [&SingleCoordinate; 2],
    bodies: &mut Bodies,
) -> Result<JointOwner, ModelError> {
    let [own, other] = sides;
    let id = bodies.builder.couple(Coupling {
        name: name.to_owned(),
        is_rigid: false,
        terms: vec![own.term(1.0), other.term(-1.0)],
        offset: 0.0,
        slip: Some(CouplingSlip {
            by_terms: vec![1.0, -1.0],
            load: 0.0,
        }),
    })?;
    Ok(JointOwner::Coupling {
        id,
        from: other.owner.moving(),
        to: own.owner.moving(),
    })
}

impl SingleCoordinate {
    fn term(&self, coefficient: f64) -> CouplingTerm {
        CouplingTerm {
            body: self.owner.moving(),
            place: self.place,
            coefficient,
        }
    }
}
