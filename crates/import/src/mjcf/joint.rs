//! The joints of a body as one joint of a scenario, and what resists it.

use nalgebra::Vector3;

use super::settings::{ClassedElement, CompilerSettings};
use crate::machine::{
    CoordinateName, ImportedMachine, MachineBody, MachineCoupling, MachineFriction, MachineJoint,
    MachineSpring, MachineStop, MassProperties,
};
use crate::numbers::number;
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;

/// Directions closer than this are the same; files round to some six digits.
const PARALLEL: f64 = 1e-6;

/// A joint of the file.
pub(super) struct FileJoint<'s, 'a, 'input> {
    pub(super) element: ClassedElement<'s, 'a, 'input>,
    pub(super) kind: JointKind,
    /// In the axes of the body.
    pub(super) axis: Vector3<f64>,
    /// Through this point of the body, m.
    pub(super) anchor: Vector3<f64>,
    pub(super) name: String,
}

/// The kinds of MJCF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointKind {
    Free,
    Ball,
    Slide,
    Hinge,
}

/// Several joints of a body as one.
pub(super) struct Combined {
    pub(super) joint: MachineJoint,
    pub(super) anchor: Vector3<f64>,
    /// The coordinate of each joint: its name if there are several.
    pub(super) coordinates: Vec<Option<&'static str>>,
}

/// Reads a joint.
pub(super) fn read<'s, 'a, 'input>(
    element: ClassedElement<'s, 'a, 'input>,
    name: String,
) -> Result<FileJoint<'s, 'a, 'input>, ImportProblem> {
    let kind = if element.node.has_tag_name("freejoint") {
        JointKind::Free
    } else {
        match element.attribute("type") {
            None | Some("hinge") => JointKind::Hinge,
            Some("slide") => JointKind::Slide,
            Some("ball") => JointKind::Ball,
            Some("free") => JointKind::Free,
            Some(other) => {
                let what = format!("joint \"{name}\": type \"{other}\"");
                let remedy = "the types are hinge, slide, ball and free";
                return Err(ImportProblem::new(element.line(), what, remedy));
            }
        }
    };
    let axis = element.vector("axis")?.unwrap_or(Vector3::z());
    let Some(axis) = xml::unit(axis) else {
        let what = format!("joint \"{name}\": axis=\"0 0 0\" is no direction");
        return Err(ImportProblem::new(
            element.line(),
            what,
            "give three numbers, not all 0",
        ));
    };
    let anchor = element.vector("pos")?.unwrap_or_default();
    Ok(FileJoint {
        element,
        kind,
        axis,
        anchor,
        name,
    })
}

/// The joints of one body as one joint; `None` if a scenario has none of that kind.
pub(super) fn combine(joints: &[FileJoint<'_, '_, '_>]) -> Option<Combined> {
    let kinds: Vec<JointKind> = joints.iter().map(|joint| joint.kind).collect();
    let one = |joint: MachineJoint, anchor: Vector3<f64>| {
        Some(Combined {
            joint,
            anchor,
            coordinates: vec![None],
        })
    };
    let parallel = |a: &Vector3<f64>, b: &Vector3<f64>| (a - b).norm() < PARALLEL;
    match (kinds.as_slice(), joints) {
        ([], _) => one(MachineJoint::Fixed, Vector3::zeros()),
        ([JointKind::Free], _) => one(MachineJoint::Free, Vector3::zeros()),
        ([JointKind::Ball], [a]) => one(MachineJoint::Spherical, a.anchor),
        ([JointKind::Hinge], [a]) => one(MachineJoint::Revolute(a.axis), a.anchor),
        ([JointKind::Slide], [a]) => one(MachineJoint::Prismatic(a.axis), a.anchor),
        ([JointKind::Hinge, JointKind::Hinge], [a, b]) => {
            let meet = (a.anchor - b.anchor).norm() < 1e-12;
            (meet && a.axis.cross(&b.axis).norm() > 1e-3).then(|| Combined {
                joint: MachineJoint::Universal(a.axis, b.axis),
                anchor: a.anchor,
                coordinates: vec![Some("angle"), Some("second_angle")],
            })
        }
        ([JointKind::Hinge, JointKind::Slide], [hinge, slide])
        | ([JointKind::Slide, JointKind::Hinge], [slide, hinge]) => {
            let slides_first = kinds[0] == JointKind::Slide;
            let names = [Some("displacement"), Some("angle")];
            parallel(&hinge.axis, &slide.axis).then(|| Combined {
                joint: MachineJoint::Cylindrical(hinge.axis),
                anchor: hinge.anchor,
                coordinates: if slides_first {
                    names.to_vec()
                } else {
                    vec![names[1], names[0]]
                },
            })
        }
        ([JointKind::Slide, JointKind::Slide, JointKind::Hinge], [a, b, hinge]) => {
            planar(a, b, hinge)
        }
        _ => None,
    }
}

/// Two slides and a hinge across both. The axes of a planar joint follow from its normal: x is what of the world's x
/// (y, where the normal is along x) lies in the plane, y is across.
fn planar(
    a: &FileJoint<'_, '_, '_>,
    b: &FileJoint<'_, '_, '_>,
    hinge: &FileJoint<'_, '_, '_>,
) -> Option<Combined> {
    let normal = hinge.axis;
    let guide = if normal.x.abs() < 0.9 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let first = (guide - normal * normal.dot(&guide)).normalize();
    let along = |axis: &Vector3<f64>| axis.dot(&first).abs();
    let across = |axis: &Vector3<f64>| axis.dot(&normal).abs() < PARALLEL;
    let names = if along(&a.axis) > 1.0 - PARALLEL && along(&b.axis) < PARALLEL {
        ["x", "y"]
    } else if along(&b.axis) > 1.0 - PARALLEL && along(&a.axis) < PARALLEL {
        ["y", "x"]
    } else {
        return None;
    };
    (across(&a.axis) && across(&b.axis)).then(|| Combined {
        joint: MachineJoint::Planar(normal),
        anchor: hinge.anchor,
        coordinates: vec![Some(names[0]), Some(names[1]), Some("angle")],
    })
}

/// Friction of a ball joint; what a ball or a free joint has beside that is not taken over.
fn resist_whole(
    joint: &FileJoint<'_, '_, '_>,
    coordinate: CoordinateName,
    level: f64,
    is_passive: bool,
    machine: &mut ImportedMachine,
    remarks: &mut Vec<ImportRemark>,
) {
    let line = joint.element.line();
    let mut remark = |kind: RemarkKind, what: &str| {
        let detail = format!("joint \"{}\"", joint.name);
        remarks.push(ImportRemark::new(kind, line, what, detail));
    };
    let is_ball = joint.kind == JointKind::Ball;
    if is_ball && level > 0.0 {
        let what = "friction of a ball joint: the level is that of the whole torque, in the file of each axis";
        remark(RemarkKind::Changed, what);
        machine.frictions.push(MachineFriction {
            name: joint.name.clone(),
            line,
            coordinate,
            level,
        });
    }
    if is_passive || (level > 0.0 && !is_ball) {
        remark(
            RemarkKind::Lost,
            if is_ball {
                "damping, stiffness or armature of a ball joint"
            } else {
                "friction, damping, stiffness or armature of a free joint"
            },
        );
    }
    if joint.element.attribute("range").is_some() {
        let what = "range of a ball joint: a stop ends the range of a single coordinate";
        remark(RemarkKind::Lost, what);
    }
}

/// Friction, springs, armature and limits of a joint.
pub(super) fn resist(
    joint: &FileJoint<'_, '_, '_>,
    coordinate: CoordinateName,
    settings: &CompilerSettings,
    machine: &mut ImportedMachine,
    remarks: &mut Vec<ImportRemark>,
) -> Result<(), ImportProblem> {
    let (element, line) = (&joint.element, joint.element.line());
    let of = |name: &str| Ok(element.number(name)?.unwrap_or(0.0));
    let (level, damping, stiffness) = (of("frictionloss")?, of("damping")?, of("stiffness")?);
    let armature = of("armature")?;
    for (name, x) in [
        ("frictionloss", level),
        ("damping", damping),
        ("stiffness", stiffness),
        ("armature", armature),
    ] {
        if x < 0.0 {
            let what = format!("joint \"{}\": {name} {}", joint.name, number(x));
            return Err(ImportProblem::new(
                line,
                what,
                "give 0 or a positive number",
            ));
        }
    }
    if matches!(joint.kind, JointKind::Ball | JointKind::Free) {
        let passive = damping + stiffness + armature > 0.0;
        resist_whole(joint, coordinate, level, passive, machine, remarks);
        return Ok(());
    }
    let own = |name: &str| {
        let x = of(name)?;
        Ok(if coordinate.turns {
            settings.angle(x)
        } else {
            x
        })
    };
    // a scenario counts from the place where the file has `ref`
    let reference = own("ref")?;
    let rest = own("springref")? - reference;
    let name = joint.name.clone();
    if stiffness > 0.0 || damping > 0.0 {
        machine.springs.push(MachineSpring {
            name: name.clone(),
            line,
            coordinate,
            stiffness,
            damping,
            rest,
        });
    }
    if level > 0.0 {
        machine.frictions.push(MachineFriction {
            name: name.clone(),
            line,
            coordinate,
            level,
        });
    }
    if armature > 0.0 {
        add_rotor(machine, &name, line, coordinate, armature);
    }
    range(joint, coordinate, settings, reference, machine, remarks)
}

/// The range of a joint as a stop.
fn range(
    joint: &FileJoint<'_, '_, '_>,
    coordinate: CoordinateName,
    settings: &CompilerSettings,
    reference: f64,
    machine: &mut ImportedMachine,
    remarks: &mut Vec<ImportRemark>,
) -> Result<(), ImportProblem> {
    if reference != 0.0 {
        let body = &mut machine.bodies[coordinate.body];
        body.comments.push(format!(
            "coordinate of \"{}\" less {} of the file",
            joint.name,
            number(reference)
        ));
    }
    let range = joint.element.exactly::<2>("range")?;
    let Some(range) = range
        .filter(|range| range[0] < range[1] && joint.element.attribute("limited") != Some("false"))
    else {
        return Ok(());
    };
    let [min, max] = range.map(|x| {
        (if coordinate.turns {
            settings.angle(x)
        } else {
            x
        }) - reference
    });
    let line = joint.element.line();
    for name in ["solreflimit", "solimplimit", "margin"] {
        if let Some(text) = joint.element.attribute(name) {
            let what = "how MuJoCo's solver yields at limits: stops have a stiffness of ours";
            let detail = format!("joint \"{}\": {name}=\"{text}\"", joint.name);
            remarks.push(ImportRemark::new(RemarkKind::Lost, line, what, detail));
        }
    }
    machine.stops.push(MachineStop {
        name: joint.name.clone(),
        line,
        coordinate,
        min,
        max,
        inertia: 0.0,
    });
    Ok(())
}

/// Armature adds to the diagonal of the mass matrix: a rotor on the ground that the coordinate drives by a gear of
/// ratio 1 has the same energy, and no weight that does work.
fn add_rotor(
    machine: &mut ImportedMachine,
    name: &str,
    line: u32,
    coordinate: CoordinateName,
    armature: f64,
) {
    let up = machine.gravity;
    let guide = if up.x.abs() < up.amax() {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let level = xml::unit(guide - up * (up.dot(&guide) / up.norm_squared().max(1e-300)))
        .unwrap_or(Vector3::x());
    let joint = if coordinate.turns {
        MachineJoint::Revolute(Vector3::z())
    } else {
        MachineJoint::Prismatic(level)
    };
    let mut rotor = MachineBody::new(format!("{name}_armature"), line, joint);
    rotor.origin = format!("armature of joint \"{name}\": a rotor that turns or moves with it");
    let (mass, moment) = if coordinate.turns {
        (1e-3, armature)
    } else {
        (armature, 0.0)
    };
    rotor.inertia = Some(MassProperties {
        mass,
        centre: Vector3::zeros(),
        tensor: nalgebra::Matrix3::identity() * moment,
    });
    let to = CoordinateName {
        body: machine.bodies.len(),
        name: None,
        turns: coordinate.turns,
    };
    machine.bodies.push(rotor);
    machine.couplings.push(MachineCoupling {
        name: format!("{name}_armature"),
        line,
        from: coordinate,
        to,
        ratio: 1.0,
        offset: 0.0,
        comment: format!("armature {} of joint \"{name}\"", number(armature)),
    });
}
