//! URDF: links, joints, and the tree that they make.

mod joint;
mod link;
mod tags;

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{UnitQuaternion, Vector3};
use roxmltree::Node;

use crate::ImportOptions;
use crate::machine::{ImportedMachine, MachineBody, MachineJoint, Placement};
use crate::names::NameMap;
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;

/// What a caller gets of a file that is wrong.
type Problems = Vec<ImportProblem>;

/// The links and joints of the file, and how they are joined.
struct Tree<'a, 'input> {
    /// Name and element of every link, in the order of the file.
    links: Vec<(&'a str, Node<'a, 'input>)>,
    /// Parent link (a position) and joint of every link but the root.
    above: Vec<Option<(usize, Node<'a, 'input>)>>,
    root: usize,
}

/// Reads the machine of a `<robot>`.
pub(crate) fn read(
    robot: Node<'_, '_>,
    options: &ImportOptions<'_>,
    remarks: &mut Vec<ImportRemark>,
) -> Result<ImportedMachine, Problems> {
    tags::check(robot, remarks)?;
    let tree = tree(robot)?;
    let mut machine = ImportedMachine {
        title: robot.attribute("name").unwrap_or("robot").to_owned(),
        format: "URDF",
        gravity: Vector3::new(0.0, 0.0, -9.81),
        ..ImportedMachine::default()
    };
    assume(robot, options, &tree, remarks);
    let mut names = NameMap::default();
    let mut problems = Vec::new();
    // positions in the machine of the links
    let mut place_of: BTreeMap<usize, usize> = BTreeMap::new();
    for link in order(&tree) {
        match body(&tree, link, options, &mut names, remarks) {
            Ok(mut body) => {
                body.parent =
                    tree.above[link].and_then(|(parent, _)| place_of.get(&parent).copied());
                place_of.insert(link, machine.bodies.len());
                machine.bodies.push(body);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut joints = joint::Joints::default();
    for link in order(&tree) {
        if let (Some((_, node)), Some(&body)) = (tree.above[link], place_of.get(&link)) {
            joints.add(node, body, &machine);
        }
    }
    for node in joints.in_order() {
        if let Err(problem) = joints.resist(node, &mut machine, remarks) {
            problems.push(problem);
        }
    }
    if problems.is_empty() {
        Ok(machine)
    } else {
        Err(problems)
    }
}

/// What a scenario needs and URDF does not say.
fn assume(
    robot: Node<'_, '_>,
    options: &ImportOptions<'_>,
    tree: &Tree<'_, '_>,
    remarks: &mut Vec<ImportRemark>,
) {
    let line = xml::line(robot);
    let assumed =
        |what: &str, detail: String| ImportRemark::new(RemarkKind::Assumed, line, what, detail);
    remarks.push(
        assumed("gravity: URDF has none", "[0, 0, -9.81] m/s²".to_owned())
            .remedy("change `gravity` in [simulation]"),
    );
    remarks.push(
        assumed("end time: URDF has none", "1 s".to_owned())
            .remedy("change `end_time` in [simulation]"),
    );
    let (name, node) = tree.links[tree.root];
    let how = if options.floating {
        "floats freely"
    } else {
        "stands on the ground"
    };
    let remedy = if options.floating {
        "leave --floating away if it stands on the ground"
    } else {
        "give --floating if it is a vehicle, a walking or a flying robot"
    };
    remarks.push(
        ImportRemark::new(
            RemarkKind::Assumed,
            xml::line(node),
            "the base: URDF does not say whether it is fastened",
            format!("link \"{name}\" {how}"),
        )
        .remedy(remedy),
    );
}

/// A link with the joint that carries it.
fn body(
    tree: &Tree<'_, '_>,
    link: usize,
    options: &ImportOptions<'_>,
    names: &mut NameMap,
    remarks: &mut Vec<ImportRemark>,
) -> Result<MachineBody, ImportProblem> {
    let (given, node) = tree.links[link];
    let line = xml::line(node);
    let name = names.take(given);
    if name != given {
        remarks.push(ImportRemark::new(
            RemarkKind::Changed,
            line,
            "name that a scenario cannot have (letters, digits, \"_\" and \"-\"), or that is there already",
            format!("link \"{given}\" is body \"{name}\""),
        ));
    }
    let mut body = MachineBody::new(name, line, MachineJoint::Fixed);
    body.origin = format!("link \"{given}\"");
    if let Some((parent, node)) = tree.above[link] {
        body.joint = joint::kind(node)?;
        body.place = origin(node)?;
        let joint = node.attribute("name").unwrap_or_default();
        body.origin = format!(
            "link \"{given}\", joint \"{joint}\" on \"{}\"",
            tree.links[parent].0
        );
    } else if options.floating {
        body.joint = MachineJoint::Free;
    }
    body.inertia = link::inertia(node)?;
    body.solid = link::geometry(node, given, body.inertia.as_ref(), remarks)?;
    Ok(body)
}

/// `<origin xyz rpy>` of an element: rotations about the fixed axes x, y, z in this order.
fn origin(node: Node<'_, '_>) -> Result<Placement, ImportProblem> {
    let Some(origin) = xml::first(node, "origin") else {
        return Ok(Placement::default());
    };
    let position = xml::vector(origin, "xyz")?.unwrap_or_default();
    let rpy = xml::vector(origin, "rpy")?.unwrap_or_default();
    Ok(Placement {
        position,
        rotation: UnitQuaternion::from_euler_angles(rpy.x, rpy.y, rpy.z),
    })
}

/// Links and joints as a tree.
fn tree<'a, 'input>(robot: Node<'a, 'input>) -> Result<Tree<'a, 'input>, Problems> {
    let mut problems = Vec::new();
    let mut links: Vec<(&str, Node<'_, '_>)> = Vec::new();
    let mut position: BTreeMap<&str, usize> = BTreeMap::new();
    for node in xml::named(robot, "link") {
        let name = xml::required(node, "name").map_err(|problem| vec![problem])?;
        if position.insert(name, links.len()).is_some() {
            let what = format!("a second link is called \"{name}\"");
            problems.push(ImportProblem::new(
                xml::line(node),
                what,
                "give each link a name of its own",
            ));
        }
        links.push((name, node));
    }
    let mut above: Vec<Option<(usize, Node<'_, '_>)>> = vec![None; links.len()];
    let mut joint_names = BTreeSet::new();
    for node in xml::named(robot, "joint") {
        match ends(node, &position) {
            Ok((parent, child)) => {
                let name = node.attribute("name").unwrap_or_default();
                if !joint_names.insert(name) {
                    let what = format!("a second joint is called \"{name}\"");
                    problems.push(ImportProblem::new(
                        xml::line(node),
                        what,
                        "give each joint a name of its own",
                    ));
                }
                if let Some((_, other)) = above[child] {
                    problems.push(two_joints(links[child].0, other, node));
                } else {
                    above[child] = Some((parent, node));
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let root = root(&links, &above).map_err(|problem| vec![problem])?;
    Ok(Tree { links, above, root })
}

fn two_joints(link: &str, first: Node<'_, '_>, second: Node<'_, '_>) -> ImportProblem {
    let name = |node: Node<'_, '_>| node.attribute("name").unwrap_or_default().to_owned();
    ImportProblem::new(
        xml::line(second),
        format!(
            "link \"{link}\" is the child of two joints, \"{}\" (line {}) and \"{}\": URDF describes trees only",
            name(first),
            xml::line(first),
            name(second)
        ),
        "remove one of them, import, and close the loop in the scenario with a [loop.NAME]",
    )
}

/// Parent and child of a joint.
fn ends(
    node: Node<'_, '_>,
    links: &BTreeMap<&str, usize>,
) -> Result<(usize, usize), ImportProblem> {
    let name = node.attribute("name").unwrap_or_default();
    let end = |tag: &'static str| {
        let element = xml::first(node, tag).ok_or_else(|| {
            let what = format!("joint \"{name}\" has no <{tag}>");
            ImportProblem::new(xml::line(node), what, format!("add <{tag} link=\"…\"/>"))
        })?;
        let link = xml::required(element, "link")?;
        links.get(link).copied().ok_or_else(|| {
            let what = format!("joint \"{name}\": there is no link \"{link}\"");
            ImportProblem::new(xml::line(element), what, "name a link of this file")
        })
    };
    Ok((end("parent")?, end("child")?))
}

/// The one link that no joint carries.
fn root(
    links: &[(&str, Node<'_, '_>)],
    above: &[Option<(usize, Node<'_, '_>)>],
) -> Result<usize, ImportProblem> {
    let roots: Vec<usize> = (0..links.len())
        .filter(|&link| above[link].is_none())
        .collect();
    let Some(&first) = roots.first() else {
        return Err(match links.first() {
            None => ImportProblem::new(
                1,
                "there is no <link>",
                "give a URDF with at least one link",
            ),
            Some(_) => circle(0, links, above),
        });
    };
    if let Some(&second) = roots.get(1) {
        let named: Vec<String> = roots
            .iter()
            .map(|&link| format!("\"{}\" (line {})", links[link].0, xml::line(links[link].1)))
            .collect();
        return Err(ImportProblem::new(
            xml::line(links[second].1),
            format!(
                "{} links have no joint that carries them: {}",
                roots.len(),
                named.join(", ")
            ),
            "a robot is one tree: join them by fixed joints, or split the file",
        ));
    }
    // from each link the way up must end at the root
    let lost = (0..links.len()).find(|&link| {
        let ways = std::iter::successors(Some(link), |&at| above[at].map(|(parent, _)| parent));
        ways.take(links.len() + 1).count() > links.len()
    });
    lost.map_or(Ok(first), |link| Err(circle(link, links, above)))
}

/// Joints that carry each other in a circle.
fn circle(
    from: usize,
    links: &[(&str, Node<'_, '_>)],
    above: &[Option<(usize, Node<'_, '_>)>],
) -> ImportProblem {
    let up = |at: usize| above[at].map_or(at, |(parent, _)| parent);
    // as many steps as there are links end on the circle
    let start = (0..links.len()).fold(from, |at, _| up(at));
    let mut names = vec![links[start].0];
    let mut at = up(start);
    while at != start {
        names.push(links[at].0);
        at = up(at);
    }
    names.push(links[start].0);
    ImportProblem::new(
        above[start].map_or(1, |(_, node)| xml::line(node)),
        format!("these links carry each other: {}", names.join(" on ")),
        "URDF describes trees only: remove one joint, and close the loop in the scenario with a [loop.NAME]",
    )
}

/// Links from the root on, each after its parent, in the order of the file among the links of one parent.
fn order(tree: &Tree<'_, '_>) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); tree.links.len()];
    for (link, above) in tree.above.iter().enumerate() {
        if let Some((parent, _)) = above {
            below[*parent].push(link);
        }
    }
    let (mut order, mut open) = (Vec::new(), vec![tree.root]);
    while let Some(link) = open.pop() {
        order.push(link);
        open.extend(below[link].iter().rev());
    }
    order
}
