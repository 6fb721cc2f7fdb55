//! Joints: kind, axis, limits, friction, damping, mimic.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use roxmltree::Node;

use crate::machine::{
    CoordinateName, ImportedMachine, MachineCoupling, MachineFriction, MachineJoint, MachineSpring,
    MachineStop,
};
use crate::names::NameMap;
use crate::numbers::number;
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;

/// The joint of an element. Without `<axis>` the axis is x, as URDF has it.
pub(super) fn kind(node: Node<'_, '_>) -> Result<MachineJoint, ImportProblem> {
    let axis = match xml::first(node, "axis") {
        Some(axis) => xml::direction(axis, "xyz"),
        None => Ok(None),
    };
    let axis = || axis.clone().map(|axis| axis.unwrap_or(Vector3::x()));
    Ok(match xml::required(node, "type")? {
        "fixed" => MachineJoint::Fixed,
        "revolute" | "continuous" => MachineJoint::Revolute(axis()?),
        "prismatic" => MachineJoint::Prismatic(axis()?),
        "planar" => MachineJoint::Planar(axis()?),
        "floating" => MachineJoint::Free,
        other => {
            return Err(ImportProblem::new(
                xml::line(node),
                format!(
                    "joint \"{}\": type \"{other}\"",
                    node.attribute("name").unwrap_or_default()
                ),
                "the types are fixed, revolute, continuous, prismatic, planar and floating",
            ));
        }
    })
}

/// The joints of the file by name, and the names of what resists them.
#[derive(Default)]
pub(super) struct Joints<'a, 'input> {
    list: Vec<Node<'a, 'input>>,
    names: Vec<String>,
    coordinate: BTreeMap<&'a str, CoordinateName>,
    taken: NameMap,
}

impl<'a, 'input> Joints<'a, 'input> {
    /// Takes note of the joint that carries a body.
    pub(super) fn add(&mut self, node: Node<'a, 'input>, body: usize, machine: &ImportedMachine) {
        let name = node.attribute("name").unwrap_or_default();
        let turns = match machine.bodies[body].joint {
            MachineJoint::Revolute(_) => Some(true),
            MachineJoint::Prismatic(_) => Some(false),
            _ => None,
        };
        if let Some(turns) = turns {
            self.coordinate.insert(
                name,
                CoordinateName {
                    body,
                    name: None,
                    turns,
                },
            );
        }
        self.list.push(node);
        self.names.push(self.taken.take(name));
    }

    /// All joints.
    pub(super) fn in_order(&self) -> Vec<Node<'a, 'input>> {
        self.list.clone()
    }

    /// Limits, friction, damping and mimic of a joint.
    pub(super) fn resist(
        &self,
        node: Node<'a, 'input>,
        machine: &mut ImportedMachine,
        remarks: &mut Vec<ImportRemark>,
    ) -> Result<(), ImportProblem> {
        let given = node.attribute("name").unwrap_or_default();
        let Some(coordinate) = self.coordinate.get(given).copied() else {
            not_single(node, given, remarks);
            return Ok(());
        };
        let place = self.list.iter().position(|own| *own == node);
        let name = place
            .and_then(|place| self.names.get(place))
            .cloned()
            .unwrap_or_default();
        range(node, &name, coordinate, machine, remarks)?;
        let effort = efforts(node, coordinate, machine, remarks)?;
        if let Some(dynamics) = xml::first(node, "dynamics") {
            let line = xml::line(dynamics);
            let damping = not_negative(dynamics, "damping", given)?;
            if damping > 0.0 {
                machine.springs.push(MachineSpring {
                    name: name.clone(),
                    line,
                    coordinate,
                    stiffness: 0.0,
                    damping,
                    rest: 0.0,
                });
            }
            let level = not_negative(dynamics, "friction", given)?;
            if level > 0.0 {
                if let Some(effort) = effort.filter(|effort| level > *effort) {
                    let detail = format!(
                        "joint \"{given}\": friction {}, effort {}",
                        number(level),
                        number(effort)
                    );
                    let what =
                        "friction above the effort limit: the motor could not move the joint";
                    remarks.push(ImportRemark::new(RemarkKind::Doubtful, line, what, detail));
                }
                machine.frictions.push(MachineFriction {
                    name: name.clone(),
                    line,
                    coordinate,
                    level,
                });
            }
        }
        match xml::first(node, "mimic") {
            Some(mimic) => self.mimic(mimic, name, coordinate, machine, remarks),
            None => Ok(()),
        }
    }

    /// q = multiplier × q_leader + offset.
    fn mimic(
        &self,
        mimic: Node<'_, '_>,
        name: String,
        to: CoordinateName,
        machine: &mut ImportedMachine,
        remarks: &mut Vec<ImportRemark>,
    ) -> Result<(), ImportProblem> {
        let line = xml::line(mimic);
        let leader = xml::required(mimic, "joint")?;
        let Some(from) = self.coordinate.get(leader).copied() else {
            let what = "mimic of a joint that is not there, or has no single coordinate: the joint is free";
            let detail = format!("joint \"{name}\" mimics \"{leader}\"");
            remarks.push(
                ImportRemark::new(RemarkKind::Lost, line, what, detail)
                    .remedy("name a revolute or prismatic joint of this file"),
            );
            return Ok(());
        };
        if from.body == to.body {
            let what = format!("joint \"{name}\" mimics itself");
            return Err(ImportProblem::new(line, what, "remove the <mimic>"));
        }
        let ratio = xml::number(mimic, "multiplier")?.unwrap_or(1.0);
        let offset = xml::number(mimic, "offset")?.unwrap_or(0.0);
        let follower = &mut machine.bodies[to.body];
        if ratio == 0.0 {
            follower.held = Some(offset);
            follower
                .comments
                .push(format!("mimics \"{leader}\" by 0: held"));
            return Ok(());
        }
        let comment = format!(
            "mimic of \"{leader}\": multiplier {}, offset {}",
            number(ratio),
            number(offset)
        );
        machine.couplings.push(MachineCoupling {
            name,
            line,
            from,
            to,
            ratio,
            offset,
            comment,
        });
        Ok(())
    }
}

/// What a joint without a single coordinate cannot have.
fn not_single(node: Node<'_, '_>, name: &str, remarks: &mut Vec<ImportRemark>) {
    let kind = node.attribute("type").unwrap_or_default();
    if kind == "fixed" {
        return;
    }
    for tag in ["dynamics", "limit", "mimic"] {
        if let Some(child) = xml::first(node, tag) {
            let what = format!(
                "<{tag}> of a {kind} joint: URDF does not say to which coordinate it belongs"
            );
            remarks.push(ImportRemark::new(
                RemarkKind::Lost,
                xml::line(child),
                what,
                format!("joint \"{name}\""),
            ));
        }
    }
}

/// A number that may not be negative; 0 if it is not given.
fn not_negative(node: Node<'_, '_>, attribute: &str, joint: &str) -> Result<f64, ImportProblem> {
    let x = xml::number(node, attribute)?.unwrap_or(0.0);
    if x >= 0.0 {
        return Ok(x);
    }
    Err(ImportProblem::new(
        xml::line(node),
        format!(
            "joint \"{joint}\": {attribute} {}: it would drive the joint",
            number(x)
        ),
        "give 0 or a positive number",
    ))
}

/// The range of a joint as a stop.
fn range(
    node: Node<'_, '_>,
    name: &str,
    coordinate: CoordinateName,
    machine: &mut ImportedMachine,
    remarks: &mut Vec<ImportRemark>,
) -> Result<(), ImportProblem> {
    let Some(limit) = xml::first(node, "limit") else {
        return Ok(());
    };
    let (lower, upper) = (xml::number(limit, "lower")?, xml::number(limit, "upper")?);
    if node.attribute("type") == Some("continuous") || (lower.is_none() && upper.is_none()) {
        return Ok(());
    }
    let (min, max) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
    let line = xml::line(limit);
    if min >= max {
        let unit = if coordinate.turns { "rad" } else { "m" };
        let detail = format!(
            "joint \"{}\": {} … {} {unit}",
            node.attribute("name").unwrap_or_default(),
            number(min),
            number(max)
        );
        let what = "limits of a joint that leave it no range: it moves freely";
        remarks.push(
            ImportRemark::new(RemarkKind::Lost, line, what, detail)
                .remedy("give `lower` below `upper`, or make the joint fixed"),
        );
        return Ok(());
    }
    machine.stops.push(MachineStop {
        name: name.to_owned(),
        line,
        coordinate,
        min,
        max,
        inertia: 0.0,
    });
    Ok(())
}

/// Limits of effort and speed as a comment and a remark; returns the effort.
fn efforts(
    node: Node<'_, '_>,
    coordinate: CoordinateName,
    machine: &mut ImportedMachine,
    remarks: &mut Vec<ImportRemark>,
) -> Result<Option<f64>, ImportProblem> {
    let Some(limit) = xml::first(node, "limit") else {
        return Ok(None);
    };
    let [length, force] = if coordinate.turns {
        ["rad", "N m"]
    } else {
        ["m", "N"]
    };
    let mut parts = Vec::new();
    let effort = xml::number(limit, "effort")?;
    if let Some(effort) = effort {
        parts.push(format!("{} {force}", number(effort)));
    }
    if let Some(velocity) = xml::number(limit, "velocity")? {
        parts.push(format!("{} {length}/s", number(velocity)));
    }
    if parts.is_empty() {
        return Ok(effort);
    }
    let text = parts.join(", ");
    machine.bodies[coordinate.body].comments.push(format!(
        "limits of effort and speed in the file, which nothing enforces here: {text}"
    ));
    let what = "limits of effort and speed of joints: they bound a motor, and there is none";
    remarks.push(ImportRemark::new(
        RemarkKind::Lost,
        xml::line(limit),
        what,
        format!(
            "joint \"{}\": {text}",
            node.attribute("name").unwrap_or_default()
        ),
    ));
    Ok(effort)
}
