//! MJCF, as people write it and as MuJoCo writes it after compiling.

mod body;
mod content;
mod equality;
mod geom;
mod joint;
mod settings;

use nalgebra::Vector3;
use roxmltree::Node;

use crate::ImportOptions;
use crate::machine::ImportedMachine;
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;
use settings::CompilerSettings;

/// Sections of the file with nothing for a scenario, and what a reader misses with them.
const LOST: &[(&str, &str)] = &[
    (
        "actuator",
        "actuators: a drive is a [joint_torque.NAME] here",
    ),
    ("tendon", "tendons"),
    ("sensor", "sensors: joints and bodies have channels"),
    (
        "contact",
        "pairs and exclusions of contacts: bodies do not touch without a [contact.NAME]",
    ),
    ("keyframe", "keyframes"),
    ("deformable", "deformable bodies"),
    ("extension", "plugins"),
];

/// Sections that say nothing of the motion.
const SILENT: &[&str] = &[
    "compiler",
    "option",
    "default",
    "worldbody",
    "equality",
    "asset",
    "visual",
    "statistic",
    "size",
    "custom",
];

/// Reads the machine of a `<mujoco>`.
pub(crate) fn read(
    root: Node<'_, '_>,
    options: &ImportOptions<'_>,
    remarks: &mut Vec<ImportRemark>,
) -> Result<ImportedMachine, Vec<ImportProblem>> {
    sections(root, remarks)?;
    let settings = CompilerSettings::read(root, remarks).map_err(|problem| vec![problem])?;
    let mut machine = ImportedMachine {
        title: root.attribute("model").unwrap_or("MuJoCo model").to_owned(),
        format: "MJCF",
        gravity: gravity(root, remarks).map_err(|problem| vec![problem])?,
        ..ImportedMachine::default()
    };
    let line = xml::line(root);
    remarks.push(
        ImportRemark::new(RemarkKind::Assumed, line, "end time: MJCF has none", "1 s")
            .remedy("change `end_time` in [simulation]"),
    );
    let mut reader = body::TreeReader::new(&settings, options.repair);
    for world in xml::named(root, "worldbody") {
        reader.world(world, &mut machine, remarks);
    }
    let (sites, joints, mut problems) = reader.finish();
    let known = equality::Known { sites, joints };
    for section in xml::named(root, "equality") {
        for own in xml::children(section) {
            if let Err(problem) = equality::read(own, &settings, &known, &mut machine, remarks) {
                problems.push(problem);
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    settings.scale(&mut machine);
    Ok(machine)
}

/// Remarks on what is not read; refuses what other files hold.
fn sections(root: Node<'_, '_>, remarks: &mut Vec<ImportRemark>) -> Result<(), Vec<ImportProblem>> {
    let includes = root
        .descendants()
        .filter(|node| node.has_tag_name("include"));
    let problems: Vec<ImportProblem> = includes
        .map(|node| {
            let file = node.attribute("file").unwrap_or_default();
            ImportProblem::new(
                xml::line(node),
                format!("<include file=\"{file}\">: a part of the model is in another file"),
                "compile it into one file first: in Python, mujoco.mj_saveLastXML(\"whole.xml\", mujoco.MjModel.from_xml_path(…))",
            )
        })
        .collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    for section in xml::children(root) {
        let tag = xml::tag(section);
        if let Some((_, meaning)) = LOST.iter().find(|(known, _)| *known == tag) {
            for own in xml::children(section) {
                let name = own.attribute("name").unwrap_or_default();
                let detail = format!("<{}> {name}", xml::tag(own));
                remarks.push(ImportRemark::new(
                    RemarkKind::Lost,
                    xml::line(own),
                    *meaning,
                    detail.trim(),
                ));
            }
        } else if !SILENT.contains(&tag.as_str()) {
            let what = format!("<{tag}>: unknown to Bristle");
            remarks.push(ImportRemark::new(
                RemarkKind::Lost,
                xml::line(section),
                what,
                "",
            ));
        }
    }
    Ok(())
}

/// Gravity; remarks on other options.
fn gravity(
    root: Node<'_, '_>,
    remarks: &mut Vec<ImportRemark>,
) -> Result<Vector3<f64>, ImportProblem> {
    let mut gravity = Vector3::new(0.0, 0.0, -9.81);
    for option in xml::named(root, "option") {
        let line = xml::line(option);
        gravity = xml::vector(option, "gravity")?.unwrap_or(gravity);
        let flags = xml::named(option, "flag");
        if flags
            .into_iter()
            .any(|flag| flag.attribute("gravity") == Some("disable"))
        {
            gravity = Vector3::zeros();
        }
        for name in ["timestep", "integrator"] {
            if let Some(value) = option.attribute(name) {
                let what = "time integration of MuJoCo: Bristle chooses its steps by their error";
                remarks.push(ImportRemark::new(
                    RemarkKind::Lost,
                    line,
                    what,
                    format!("{name} {value}"),
                ));
            }
        }
        for name in ["density", "viscosity", "wind", "magnetic"] {
            let values = xml::list(option, name)?.unwrap_or_default();
            if values.iter().any(|x| *x != 0.0) {
                let what = "forces of a medium";
                remarks.push(ImportRemark::new(RemarkKind::Lost, line, what, name));
            }
        }
    }
    Ok(gravity)
}
