//! What of a URDF is read, what is known and not taken over, and what nobody knows.

use roxmltree::Node;

use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;

const ROBOT: &[&str] = &["link", "joint"];
const LINK: &[&str] = &["inertial", "visual", "collision"];
const JOINT: &[&str] = &[
    "origin", "parent", "child", "axis", "limit", "dynamics", "mimic",
];

/// Tags that have a meaning elsewhere, and what a reader misses with them.
const KNOWN: &[(&str, &str)] = &[
    ("material", "colours and textures"),
    ("gazebo", "settings of Gazebo"),
    ("transmission", "transmissions and their actuators"),
    ("ros2_control", "settings of ros2_control"),
    ("mujoco", "settings of MuJoCo"),
    ("drake:joint", "joints of Drake"),
    ("loop_joint", "loops of Drake"),
    ("sensor", "sensors"),
    ("self_collision_checking", "settings of collisions"),
    ("contact", "contact parameters of a link"),
    ("safety_controller", "limits of a safety controller"),
    ("calibration", "calibration marks"),
    ("hardwareInterface", "interfaces of the hardware"),
];

/// Remarks on all that is not read; refuses what xacro has not expanded.
pub(super) fn check(
    robot: Node<'_, '_>,
    remarks: &mut Vec<ImportRemark>,
) -> Result<(), Vec<ImportProblem>> {
    let mut raw = Vec::new();
    level(robot, ROBOT, remarks, &mut raw);
    for link in xml::named(robot, "link") {
        level(link, LINK, remarks, &mut raw);
    }
    for joint in xml::named(robot, "joint") {
        level(joint, JOINT, remarks, &mut raw);
    }
    if raw.is_empty() { Ok(()) } else { Err(raw) }
}

/// The children of an element that are not read.
fn level(
    node: Node<'_, '_>,
    read: &[&str],
    remarks: &mut Vec<ImportRemark>,
    raw: &mut Vec<ImportProblem>,
) {
    for child in xml::children(node) {
        let tag = xml::tag(child);
        if tag.starts_with("xacro:") {
            raw.push(ImportProblem::new(
                xml::line(child),
                format!("<{tag}>: the file is xacro, not URDF"),
                "run `xacro FILE.xacro > FILE.urdf` first, and import that",
            ));
        } else if !read.contains(&tag.as_str()) {
            let name = child.attribute("name").or(child.attribute("reference"));
            let detail = name.map(|name| format!("\"{name}\"")).unwrap_or_default();
            let known = KNOWN.iter().find(|(known, _)| *known == tag);
            let what = known.map_or_else(
                || format!("<{tag}> in <{}>: unknown to Bristle", xml::tag(node)),
                |(_, meaning)| format!("<{tag}>: {meaning}"),
            );
            remarks.push(ImportRemark::new(
                RemarkKind::Lost,
                xml::line(child),
                what,
                detail,
            ));
        }
    }
}
