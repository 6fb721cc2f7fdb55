//! Nested bodies: places, joints, masses.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use roxmltree::Node;

use super::content::{Content, Sorter};
use super::geom;
use super::joint::{self, FileJoint, JointKind};
use super::settings::CompilerSettings;
use crate::machine::{
    CoordinateName, ImportedMachine, MachineBody, MachineJoint, MassProperties, Placement,
};
use crate::names::NameMap;
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;

/// A place on a body (the ground has none).
pub(super) type BodyPlace = (Option<usize>, Placement);

/// What carries a body.
#[derive(Clone, Copy)]
struct Carrier<'c> {
    body: Option<usize>,
    /// Where a scenario has the origin of that body, in the frame of the file.
    origin: Vector3<f64>,
    /// Place of `<frame>`s between.
    around: Placement,
    class: Option<&'c str>,
}

/// A body that is to be added.
struct NewBody<'c> {
    name: String,
    line: u32,
    carrier: Carrier<'c>,
    /// In the frame of what carries it, as the file has that.
    place: Placement,
}

impl NewBody<'_> {
    /// Place of a joint of the body, in the frame that a scenario has of its carrier.
    fn at(&self, anchor: &Vector3<f64>) -> Placement {
        Placement {
            position: self.place.point(anchor) - self.carrier.origin,
            rotation: self.place.rotation,
        }
    }
}

/// Reads bodies one after the other.
pub(super) struct TreeReader<'s> {
    settings: &'s CompilerSettings,
    repair: bool,
    bodies: NameMap,
    joint_names: NameMap,
    sites: BTreeMap<String, BodyPlace>,
    joints: BTreeMap<String, CoordinateName>,
    problems: Vec<ImportProblem>,
}

impl<'s> TreeReader<'s> {
    pub(super) fn new(settings: &'s CompilerSettings, repair: bool) -> Self {
        Self {
            settings,
            repair,
            bodies: NameMap::default(),
            joint_names: NameMap::default(),
            sites: BTreeMap::new(),
            joints: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    /// Named sites and bodies, joints with one coordinate, and what is wrong.
    pub(super) fn finish(
        self,
    ) -> (
        BTreeMap<String, BodyPlace>,
        BTreeMap<String, CoordinateName>,
        Vec<ImportProblem>,
    ) {
        (self.sites, self.joints, self.problems)
    }

    fn sorter<'r>(&mut self, remarks: &'r mut Vec<ImportRemark>) -> Sorter<'s, '_, 'r> {
        Sorter {
            settings: self.settings,
            joint_names: &mut self.joint_names,
            remarks,
        }
    }

    /// The world and all that it carries.
    pub(super) fn world(
        &mut self,
        world: Node<'_, '_>,
        machine: &mut ImportedMachine,
        remarks: &mut Vec<ImportRemark>,
    ) {
        self.sites
            .insert("body world".to_owned(), (None, Placement::default()));
        let carrier = Carrier {
            body: None,
            origin: Vector3::zeros(),
            around: Placement::default(),
            class: world.attribute("childclass"),
        };
        match self.sorter(remarks).content(world, carrier.class) {
            Ok(content) => {
                for (name, place) in &content.sites {
                    self.sites.insert(format!("site {name}"), (None, *place));
                }
                for (element, _) in &content.geoms {
                    let what = "geoms of the world: bodies do not touch without a [contact.NAME]";
                    let name = element.attribute("name").unwrap_or_default();
                    remarks.push(ImportRemark::new(
                        RemarkKind::Lost,
                        element.line(),
                        what,
                        name,
                    ));
                }
                self.children(&content, carrier, machine, remarks);
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    fn children(
        &mut self,
        content: &Content<'_, '_, '_>,
        carrier: Carrier<'_>,
        machine: &mut ImportedMachine,
        remarks: &mut Vec<ImportRemark>,
    ) {
        for &(node, around, class) in &content.bodies {
            let class = class.or(carrier.class);
            let carrier = Carrier {
                around,
                class,
                ..carrier
            };
            if let Err(problem) = self.body(node, carrier, machine, remarks) {
                self.problems.push(problem);
            }
        }
    }

    /// A body with its joints, and what it carries.
    fn body(
        &mut self,
        node: Node<'_, '_>,
        carrier: Carrier<'_>,
        machine: &mut ImportedMachine,
        remarks: &mut Vec<ImportRemark>,
    ) -> Result<(), ImportProblem> {
        let settings = self.settings;
        let class = node.attribute("childclass").or(carrier.class);
        let content = self.sorter(remarks).content(node, class)?;
        let given = node.attribute("name").unwrap_or("body");
        let name = self.bodies.take(given);
        let place = carrier
            .around
            .then(&settings.element(node, None)?.placement()?);
        let inertia = geom::inertia(node, &content.geoms, settings)?;
        let new = NewBody {
            name,
            line: xml::line(node),
            carrier,
            place,
        };
        let index = self.joined(&new, &content, machine)?;
        let origin = anchor(&content.joints);
        let body = &mut machine.bodies[index];
        body.inertia = inertia.map(|own| MassProperties {
            centre: own.centre - origin,
            ..own
        });
        if node.attribute("mocap") == Some("true") {
            let what = "mocap body: it stands still";
            remarks.push(ImportRemark::new(
                RemarkKind::Lost,
                xml::line(node),
                what,
                given,
            ));
        }
        if node.attribute("gravcomp").is_some_and(|x| x != "0") {
            let what = "gravcomp: the body has its weight";
            remarks.push(ImportRemark::new(
                RemarkKind::Lost,
                xml::line(node),
                what,
                given,
            ));
        }
        let at = |place: Placement| {
            (
                Some(index),
                Placement {
                    position: place.position - origin,
                    ..place
                },
            )
        };
        self.sites
            .insert(format!("body {given}"), at(Placement::default()));
        for (name, place) in &content.sites {
            self.sites.insert(format!("site {name}"), at(*place));
        }
        self.resist(&content, index, machine, remarks)?;
        let carrier = Carrier {
            body: Some(index),
            origin,
            around: Placement::default(),
            class,
        };
        self.children(&content, carrier, machine, remarks);
        Ok(())
    }

    /// Adds the body with its joint, or with a chain of joints; returns its position.
    fn joined(
        &mut self,
        new: &NewBody<'_>,
        content: &Content<'_, '_, '_>,
        machine: &mut ImportedMachine,
    ) -> Result<usize, ImportProblem> {
        let names = content
            .joints
            .iter()
            .map(|joint| format!("\"{}\"", joint.name));
        let names: Vec<String> = names.collect();
        let Some(own) = joint::combine(&content.joints) else {
            if self.repair {
                return Ok(self.chained(new, content, machine));
            }
            return Err(ImportProblem::new(
                new.line,
                format!(
                    "body \"{}\" has the joints {}: no joint of a scenario moves like them together",
                    new.name,
                    names.join(", ")
                ),
                "--repair makes them a chain of bodies of a gram each; or replace them by a ball joint",
            ));
        };
        let mut origin = format!("body \"{}\"", new.name);
        if !names.is_empty() {
            origin = format!("{origin}, joint {}", names.join(" and "));
        }
        let index = machine.bodies.len();
        machine.bodies.push(MachineBody {
            parent: new.carrier.body,
            place: new.at(&own.anchor),
            origin,
            ..MachineBody::new(new.name.clone(), new.line, own.joint)
        });
        for (joint, coordinate) in content.joints.iter().zip(&own.coordinates) {
            self.know(joint, index, *coordinate);
        }
        Ok(index)
    }

    /// A chain of bodies with a joint each, of which the last is the body itself.
    fn chained(
        &mut self,
        new: &NewBody<'_>,
        content: &Content<'_, '_, '_>,
        machine: &mut ImportedMachine,
    ) -> usize {
        let mut before: Option<(usize, Vector3<f64>)> = None;
        for (i, joint) in content.joints.iter().enumerate() {
            let name = if i + 1 == content.joints.len() {
                new.name.clone()
            } else {
                self.bodies.take(&format!("{}_{}", new.name, joint.name))
            };
            let kind = match joint.kind {
                JointKind::Hinge => MachineJoint::Revolute(joint.axis),
                JointKind::Slide => MachineJoint::Prismatic(joint.axis),
                JointKind::Ball => MachineJoint::Spherical,
                JointKind::Free => MachineJoint::Free,
            };
            let (parent, place) = match before {
                None => (new.carrier.body, new.at(&joint.anchor)),
                Some((parent, anchor)) => (Some(parent), Placement::from(joint.anchor - anchor)),
            };
            let index = machine.bodies.len();
            machine.bodies.push(MachineBody {
                parent,
                place,
                origin: format!("body \"{}\", joint \"{}\"", new.name, joint.name),
                ..MachineBody::new(name, new.line, kind)
            });
            self.know(joint, index, None);
            before = Some((index, joint.anchor));
        }
        before.map_or(0, |(index, _)| index)
    }

    /// Takes note of a joint with one coordinate.
    fn know(&mut self, joint: &FileJoint<'_, '_, '_>, body: usize, name: Option<&'static str>) {
        let turns = joint.kind == JointKind::Hinge;
        if turns || joint.kind == JointKind::Slide {
            let coordinate = CoordinateName { body, name, turns };
            self.joints.insert(joint.name.clone(), coordinate);
        }
    }

    fn resist(
        &mut self,
        content: &Content<'_, '_, '_>,
        index: usize,
        machine: &mut ImportedMachine,
        remarks: &mut Vec<ImportRemark>,
    ) -> Result<(), ImportProblem> {
        for own in &content.joints {
            let whole = CoordinateName {
                body: index,
                name: None,
                turns: true,
            };
            let coordinate = self.joints.get(&own.name).copied().unwrap_or(whole);
            joint::resist(own, coordinate, self.settings, machine, remarks)?;
        }
        Ok(())
    }
}

/// Where the joint of a body is: there a scenario has the body's origin.
fn anchor(joints: &[FileJoint<'_, '_, '_>]) -> Vector3<f64> {
    let chained = || joints.last().map(|joint| joint.anchor).unwrap_or_default();
    joint::combine(joints).map_or_else(chained, |own| own.anchor)
}
