//! Equality constraints: loops and couplings.

use std::collections::BTreeMap;

use nalgebra::Quaternion;
use nalgebra::UnitQuaternion;
use roxmltree::Node;

use super::body::BodyPlace;
use super::settings::{ClassedElement, CompilerSettings};
use crate::machine::{
    CoordinateName, ImportedMachine, MachineCoupling, MachineJoint, MachineLoop, Placement,
};
use crate::numbers::number;
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;

/// What constraints name.
pub(super) struct Known {
    /// `body NAME` and `site NAME`.
    pub(super) sites: BTreeMap<String, BodyPlace>,
    pub(super) joints: BTreeMap<String, CoordinateName>,
}

/// Reads a constraint.
pub(super) fn read(
    node: Node<'_, '_>,
    settings: &CompilerSettings,
    known: &Known,
    machine: &mut ImportedMachine,
    remarks: &mut Vec<ImportRemark>,
) -> Result<(), ImportProblem> {
    // its defaults have the tag <equality>, and hold the solver's parameters only
    let own = settings.element(node, None)?;
    let tag = xml::tag(node);
    let count = machine.loops.len() + machine.couplings.len();
    let fallback = format!("{tag}_{}", count + 1);
    let name = clean(own.attribute("name").unwrap_or(&fallback));
    let lost = |what: &str| {
        ImportRemark::new(
            RemarkKind::Lost,
            own.line(),
            what,
            format!("<{tag}> {name}"),
        )
    };
    if own.attribute("active") == Some("false") {
        remarks.push(lost("constraint that is not active"));
        return Ok(());
    }
    match tag.as_str() {
        "connect" => {
            let (from, to) = ends(&own, known)?;
            let anchor = own.vector("anchor")?.unwrap_or_default();
            let by_sites = own.attribute("site1").is_some();
            let (from, to) = if by_sites {
                (from, to)
            } else {
                tied(machine, &from, &to, &anchor.into())
            };
            let joint = MachineJoint::Spherical;
            let at_point = |(body, place): BodyPlace| {
                (
                    body,
                    Placement {
                        position: place.position,
                        ..Placement::default()
                    },
                )
            };
            machine.loops.push(MachineLoop {
                name,
                line: own.line(),
                joint,
                from: at_point(from),
                to: at_point(to),
            });
        }
        "weld" => weld(&own, name, known, machine)?,
        "joint" => joints(&own, name, known, machine, remarks)?,
        _ => remarks.push(lost("constraint that a scenario does not have")),
    }
    Ok(())
}

/// Both bodies as one, at the relative place that is given or that of the start.
fn weld(
    own: &ClassedElement<'_, '_, '_>,
    name: String,
    known: &Known,
    machine: &mut ImportedMachine,
) -> Result<(), ImportProblem> {
    let (from, to) = ends(own, known)?;
    let (from, to) = match own.exactly::<7>("relpose")? {
        _ if own.attribute("site1").is_some() => (from, to),
        Some([x, y, z, w, i, j, k]) if w * w + i * i + j * j + k * k > 0.0 => {
            let pose = Placement {
                position: [x, y, z].into(),
                rotation: UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k)),
            };
            ((from.0, from.1.then(&pose)), to)
        }
        _ => tied(machine, &from, &to, &Placement::default()),
    };
    machine.loops.push(MachineLoop {
        name,
        line: own.line(),
        joint: MachineJoint::Fixed,
        from,
        to,
    });
    Ok(())
}

fn clean(name: &str) -> String {
    crate::names::NameMap::default().take(name)
}

/// Bodies or sites of both ends; without a second body the world.
fn ends(
    own: &ClassedElement<'_, '_, '_>,
    known: &Known,
) -> Result<(BodyPlace, BodyPlace), ImportProblem> {
    let sort = if own.attribute("site1").is_some() {
        "site"
    } else {
        "body"
    };
    let end = |number: u8| {
        let name = own.attribute(&format!("{sort}{number}"));
        let name = name.or((number == 2).then_some("world"));
        let key = format!("{sort} {}", name.unwrap_or_default());
        known.sites.get(&key).copied().ok_or_else(|| {
            let what = format!("<{}>: there is no {key}", xml::tag(own.node));
            ImportProblem::new(own.line(), what, "name a body or site of this file")
        })
    };
    Ok((end(1)?, end(2)?))
}

/// Both ends at a place of the first one, as they are at the start.
fn tied(
    machine: &ImportedMachine,
    from: &BodyPlace,
    to: &BodyPlace,
    place: &Placement,
) -> (BodyPlace, BodyPlace) {
    let places = machine.places();
    let world = |body: Option<usize>| {
        body.and_then(|body| places.get(body).copied())
            .unwrap_or_default()
    };
    let own = from.1.then(place);
    let shared = world(from.0).then(&own);
    ((from.0, own), (to.0, world(to.0).inverse().then(&shared)))
}

/// q₁ − q₁₀ = c₀ + c₁ (q₂ − q₂₀) + …
fn joints(
    own: &ClassedElement<'_, '_, '_>,
    name: String,
    known: &Known,
    machine: &mut ImportedMachine,
    remarks: &mut Vec<ImportRemark>,
) -> Result<(), ImportProblem> {
    let find = |attribute: &str| match own.attribute(attribute) {
        None => Ok(None),
        Some(joint) => known.joints.get(joint).copied().map(Some).ok_or_else(|| {
            let what =
                format!("<joint> {attribute}=\"{joint}\": there is no hinge or slide of that name");
            ImportProblem::new(own.line(), what, "name a joint of this file")
        }),
    };
    let (to, from) = (find("joint1")?, find("joint2")?);
    let given = own.list("polycoef")?.unwrap_or_else(|| vec![0.0, 1.0]);
    let at = |i: usize| given.get(i).copied().unwrap_or(0.0);
    let curved = (2..5).any(|i| at(i) != 0.0);
    let Some(to) = to else {
        return Err(ImportProblem::new(
            own.line(),
            "<joint> has no joint1",
            "name the joint that follows",
        ));
    };
    let (offset, ratio) = (at(0), at(1));
    match from {
        Some(from) if !curved && ratio != 0.0 => {
            if offset != 0.0 && to.name.is_some() {
                let what = "offset of a coupled coordinate that shares its joint with others";
                remarks.push(ImportRemark::new(
                    RemarkKind::Lost,
                    own.line(),
                    what,
                    name.clone(),
                ));
            }
            let comment = format!("equality: polycoef {} {}", number(offset), number(ratio));
            machine.couplings.push(MachineCoupling {
                name,
                line: own.line(),
                from,
                to,
                ratio,
                offset,
                comment,
            });
        }
        None if to.name.is_none() => machine.bodies[to.body].held = Some(offset),
        _ => {
            let what = "coupling of joints by a polynomial: a scenario has linear ones";
            remarks.push(ImportRemark::new(RemarkKind::Lost, own.line(), what, name));
        }
    }
    Ok(())
}
