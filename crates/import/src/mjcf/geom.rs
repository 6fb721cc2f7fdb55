//! Mass and moments of inertia of a body: given, or those of its geoms.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};
use roxmltree::Node;

use super::settings::{ClassedElement, CompilerSettings, FromGeoms, onto};
use crate::machine::{MassProperties, Placement, symmetric};
use crate::numbers::number;
use crate::remarks::ImportProblem;
use crate::xml;

/// Density where a geom has neither mass nor density, kg/m³.
const WATER: f64 = 1000.0;

/// Mass properties of a body in its own frame; `geoms` are the elements with the places of `<frame>`s around
/// them. `None` if there are none.
pub(super) fn inertia(
    body: Node<'_, '_>,
    geoms: &[(ClassedElement<'_, '_, '_>, Placement)],
    settings: &CompilerSettings,
) -> Result<Option<MassProperties>, ImportProblem> {
    let given = xml::first(body, "inertial");
    if let Some(given) = given.filter(|_| settings.from_geoms != FromGeoms::Always) {
        return inertial(&settings.element(given, None)?).map(Some);
    }
    if settings.from_geoms == FromGeoms::Never {
        return Ok(None);
    }
    let mut sum: Option<MassProperties> = None;
    for (geom, around) in geoms {
        if let Some(own) = mass_of(geom)? {
            let own = own.placed(around);
            sum = Some(sum.map_or(own, |sum| sum.with(&own)));
        }
    }
    Ok(sum)
}

/// `<inertial>`.
fn inertial(own: &ClassedElement<'_, '_, '_>) -> Result<MassProperties, ImportProblem> {
    xml::required(own.node, "mass")?;
    let mass = own.number("mass")?.unwrap_or_default();
    let tensor = if let Some([xx, yy, zz, xy, xz, yz]) = own.exactly::<6>("fullinertia")? {
        Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    } else {
        let diagonal = own.vector("diaginertia")?.unwrap_or_default();
        Matrix3::from_diagonal(&diagonal)
    };
    let point = MassProperties {
        mass,
        centre: Vector3::zeros(),
        tensor,
    };
    Ok(point.placed(&own.placement()?))
}

/// A geom of even density in the frame of its body; `None` for one without mass.
fn mass_of(geom: &ClassedElement<'_, '_, '_>) -> Result<Option<MassProperties>, ImportProblem> {
    let kind = geom.attribute("type").unwrap_or("sphere").to_owned();
    let mass = geom.number("mass")?;
    let density = geom.number("density")?.unwrap_or(WATER);
    if mass == Some(0.0)
        || (mass.is_none() && density == 0.0)
        || matches!(kind.as_str(), "plane" | "hfield")
    {
        return Ok(None);
    }
    let refuse = |what: String| {
        let remedy = "give the body an <inertial>, or compile the model first: MuJoCo writes the inertia of meshes";
        Err(ImportProblem::new(geom.line(), what, remedy))
    };
    if matches!(kind.as_str(), "mesh" | "sdf") || geom.attribute("mesh").is_some() {
        return refuse(format!(
            "the mass of a body comes from a {kind} geom, whose volume is in another file"
        ));
    }
    if geom.attribute("shellinertia") == Some("true") {
        return refuse("shellinertia: mass on the surface of a geom".to_owned());
    }
    let (place, half) = extent(geom, &kind)?;
    let Some((volume, moments)) = solid(&kind, &half) else {
        return refuse(format!("geom type \"{kind}\" is unknown to Bristle"));
    };
    if volume <= 0.0 {
        let what = format!("<geom type=\"{kind}\"> of size {}", number(half.x));
        return refuse(what);
    }
    let mass = mass.unwrap_or(density * volume);
    let tensor = symmetric(&Matrix3::from_diagonal(&(moments * mass)));
    Ok(Some(
        MassProperties {
            mass,
            centre: Vector3::zeros(),
            tensor,
        }
        .placed(&place),
    ))
}

/// Place and half sizes; `fromto` gives the axis of a long one.
fn extent(
    geom: &ClassedElement<'_, '_, '_>,
    kind: &str,
) -> Result<(Placement, Vector3<f64>), ImportProblem> {
    let size = geom.list("size")?.unwrap_or_default();
    let at = |i: usize| size.get(i).copied().unwrap_or(0.0);
    let Some([a, b, c, d, e, f]) = geom.exactly::<6>("fromto")? else {
        return Ok((geom.placement()?, Vector3::new(at(0), at(1), at(2))));
    };
    let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
    let length = (to - from).norm();
    let Some(direction) = xml::unit(to - from) else {
        let what = "<geom fromto>: both ends are the same point";
        return Err(ImportProblem::new(geom.line(), what, "give two points"));
    };
    let place = Placement {
        position: (from + to) * 0.5,
        rotation: onto(&direction),
    };
    let half = match kind {
        "box" | "ellipsoid" => Vector3::new(
            at(0),
            if size.len() > 1 { at(1) } else { at(0) },
            0.5 * length,
        ),
        _ => Vector3::new(at(0), 0.5 * length, 0.0),
    };
    Ok((place, half))
}

/// Volume, and principal moments over the mass, of a solid along z.
fn solid(kind: &str, half: &Vector3<f64>) -> Option<(f64, Vector3<f64>)> {
    let (r, h) = (half.x, half.y);
    let squares =
        |a: f64, b: f64, c: f64| Vector3::new(b * b + c * c, a * a + c * c, a * a + b * b);
    Some(match kind {
        "sphere" => (4.0 / 3.0 * PI * r.powi(3), Vector3::repeat(0.4 * r * r)),
        "box" => (8.0 * half.product(), squares(half.x, half.y, half.z) / 3.0),
        "ellipsoid" => (
            4.0 / 3.0 * PI * half.product(),
            squares(half.x, half.y, half.z) / 5.0,
        ),
        "cylinder" => {
            let across = (3.0 * r * r + 4.0 * h * h) / 12.0;
            (
                2.0 * PI * r * r * h,
                Vector3::new(across, across, 0.5 * r * r),
            )
        }
        "capsule" => {
            // a cylinder of half length h and two half balls, whose centroids are at h + 3r/8
            let (middle, ends) = (2.0 * PI * r * r * h, 4.0 / 3.0 * PI * r.powi(3));
            let volume = middle + ends;
            let across = middle * (3.0 * r * r + 4.0 * h * h) / 12.0
                + ends * (0.4 * r * r + h * h + 0.75 * h * r);
            let along = middle * 0.5 * r * r + ends * 0.4 * r * r;
            (volume, Vector3::new(across, across, along) / volume)
        }
        _ => return None,
    })
}
