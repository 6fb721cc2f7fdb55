//! Inertia and geometry of a link.

use nalgebra::{Matrix3, Vector3};
use roxmltree::Node;

use super::origin;
use crate::machine::{DrawnSolid, MassProperties};
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};
use crate::xml;

/// `<inertial>`: the tensor has axes of its own, turned here into those of the link. `None` if there is none.
pub(super) fn inertia(link: Node<'_, '_>) -> Result<Option<MassProperties>, ImportProblem> {
    let Some(inertial) = xml::first(link, "inertial") else {
        return Ok(None);
    };
    let name = link.attribute("name").unwrap_or_default();
    let missing = |tag: &str, remedy: &str| {
        let what = format!("link \"{name}\": <inertial> has no <{tag}>");
        ImportProblem::new(xml::line(inertial), what, remedy)
    };
    let mass = xml::first(inertial, "mass")
        .ok_or_else(|| missing("mass", "add <mass value=\"…\"/> in kg"))?;
    xml::required(mass, "value")?;
    let mass = xml::number(mass, "value")?.unwrap_or_default();
    let tensor = match xml::first(inertial, "inertia") {
        Some(inertia) => tensor(inertia)?,
        None if mass == 0.0 => Matrix3::zeros(),
        None => {
            let remedy = "add <inertia ixx=\"…\" ixy=\"…\" ixz=\"…\" iyy=\"…\" iyz=\"…\" izz=\"…\"/> in kg m²";
            return Err(missing("inertia", remedy));
        }
    };
    let own = MassProperties {
        mass,
        centre: Vector3::zeros(),
        tensor,
    };
    Ok(Some(own.placed(&origin(inertial)?)))
}

fn tensor(node: Node<'_, '_>) -> Result<Matrix3<f64>, ImportProblem> {
    let diagonal = |name: &str| {
        xml::required(node, name)?;
        Ok(xml::number(node, name)?.unwrap_or_default())
    };
    let beside = |name: &str| Ok(xml::number(node, name)?.unwrap_or_default());
    let (xx, yy, zz) = (diagonal("ixx")?, diagonal("iyy")?, diagonal("izz")?);
    let (xy, xz, yz) = (beside("ixy")?, beside("ixz")?, beside("iyz")?);
    Ok(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
}

/// What to draw: the first box, sphere or cylinder that lies about the centre of mass in the axes of the
/// link, as a scenario has it. Everything else is remarked.
pub(super) fn geometry(
    link: Node<'_, '_>,
    name: &str,
    inertia: Option<&MassProperties>,
    remarks: &mut Vec<ImportRemark>,
) -> Result<Option<DrawnSolid>, ImportProblem> {
    let mut drawn = None;
    for kind in ["visual", "collision"] {
        for node in xml::named(link, kind) {
            let Some(shape) = xml::first(node, "geometry").and_then(|g| xml::children(g).next())
            else {
                continue;
            };
            let place = origin(node)?;
            let at_centre = inertia.is_some_and(|own| {
                own.mass > 0.0
                    && (own.centre - place.position).norm() < 1e-9
                    && place.rotation.angle() < 1e-9
            });
            if let Some(solid) = solid(shape)?.filter(|_| at_centre) {
                drawn = drawn.or(Some(solid));
                continue;
            }
            remarks.push(lost(name, kind, shape));
        }
    }
    Ok(drawn)
}

fn lost(link: &str, kind: &str, shape: Node<'_, '_>) -> ImportRemark {
    let tag = shape.tag_name().name();
    let (what, detail) = if tag == "mesh" {
        let file = shape.attribute("filename").unwrap_or_default();
        (
            "mesh: bodies have no meshes yet",
            format!("link \"{link}\": {kind} {file}"),
        )
    } else {
        (
            "geometry away from the centre of mass: a scenario draws and counts solids about it",
            format!("link \"{link}\": {kind} {tag}"),
        )
    };
    ImportRemark::new(RemarkKind::Lost, xml::line(shape), what, detail).remedy(
        "contacts need a [contact.NAME] with points of the body: a sphere, a capsule, a box",
    )
}

/// A solid of the file; `None` for a mesh and the like.
fn solid(shape: Node<'_, '_>) -> Result<Option<DrawnSolid>, ImportProblem> {
    let positive = |name: &str| Ok(xml::number(shape, name)?.filter(|x| *x > 0.0));
    Ok(match shape.tag_name().name() {
        "box" => xml::vector(shape, "size")?
            .filter(|size| size.min() > 0.0)
            .map(|size| DrawnSolid::Box([size.x, size.y, size.z])),
        "sphere" => positive("radius")?.map(DrawnSolid::Sphere),
        "cylinder" => {
            let (radius, length) = (positive("radius")?, positive("length")?);
            radius
                .zip(length)
                .map(|(radius, length)| DrawnSolid::Cylinder { radius, length })
        }
        _ => None,
    })
}
