//! `surface.mesh` of a contact: a file of triangles on which the points press.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bristle_laws::Shortest;
use bristle_mechanics::element::{
    Contact, MeshCount, MeshFindings, Surface, SurfaceShape, TriangleMesh,
};
use bristle_mechanics::{BodyId, Vec3};
use nalgebra::Matrix3;

use super::joints;
use super::values::{refuse_unused, vector};
use crate::mesh::{MAX_MESH_BYTES, MeshFile};
use crate::{Diagnostic, FieldRange, Fields, NodeValue, Source, Unit, parse_quantity, shipped};

/// Fields of a surface that a mesh alone has.
const OWN: [&str; 4] = ["scale", "position", "orientation", "open"];

/// A mesh without a unit that is larger than this (m) was hardly drawn in metres.
const HUGE: f64 = 10.0;
/// What touches a mesh is hardly this much smaller, or larger.
const RATIO: f64 = 100.0;
/// More triangles than this are worth a word.
const MANY: usize = 200_000;

/// A mesh that was read, and what it is like.
struct ReadMesh {
    mesh: TriangleMesh,
    file: MeshFile,
    findings: MeshFindings,
}

/// Says that a field of a mesh stands beside another shape.
pub(super) fn refuse_fields(fields: &Fields<'_>) {
    for name in OWN {
        refuse_unused(fields, name, "only a mesh has it");
    }
}

/// The surface of a mesh; the fields are those of `surface`.
pub(super) fn read(fields: &Fields<'_>, body: Option<BodyId>) -> Option<Surface> {
    let inside = fields.flag("inside");
    let is_open = fields.flag("open");
    let point = vector(fields, "position");
    let axes = if fields.has("orientation") {
        let own = fields.section("orientation");
        own.and_then(|own| joints::rotation(&own))
            .map(|turned| *turned.to_rotation_matrix().matrix())
    } else {
        Some(Matrix3::identity())
    };
    let scale = scale(fields);
    let (file, _) = fields.text_spanned("mesh")?;
    let read = triangles(fields, scale?, inside?)?;
    warn(fields, file, &read, is_open?);
    Some(Surface::mesh(body?, point?, axes?, Arc::new(read.mesh)))
}

/// Metres of one unit of the file.
fn scale(fields: &Fields<'_>) -> Option<f64> {
    let Some(node) = fields.node("scale") else {
        return Some(1.0);
    };
    let path = fields.path_of("scale");
    let NodeValue::Text(text) = &node.value else {
        let range = FieldRange::Positive;
        return fields.reader().number(node, &path, Unit::ONE, range);
    };
    let scale = parse_quantity(&format!("1 {text}"), Unit::METRE).ok();
    if scale.is_none() {
        let message = format!(
            "{path} = \"{text}\": expected the unit of the file, such as \"mm\", or a factor, such as 0.001"
        );
        fields.reader().error(node.span, message);
    }
    scale
}

/// The path of the file, relative to the text that names it.
fn path(fields: &Fields<'_>) -> Option<PathBuf> {
    let (file, span) = fields.text_spanned("mesh")?;
    let folder = fields.reader().sources().get(span.source);
    Some(folder.map_or(Path::new(""), Source::directory).join(file))
}

fn triangles(fields: &Fields<'_>, scale: f64, inside: bool) -> Option<ReadMesh> {
    let path = path(fields)?;
    let (name, span) = (path.display(), fields.span("mesh"));
    let field = fields.path_of("mesh");
    let refuse = |message: String| {
        let diagnostic = Diagnostic::error(format!("{field}: {message}"));
        fields.reader().report(diagnostic.at(span));
    };
    let bytes = shipped::bytes_up_to(&path, MAX_MESH_BYTES)
        .map_err(|error| refuse(format!("cannot read {name}: {error}")))
        .ok()?;
    let file = MeshFile::read(&path, &bytes)
        .map_err(|fault| {
            let line = fault.line.map_or(String::new(), |line| format!(":{line}"));
            refuse(format!("{name}{line}: {}", fault.what));
        })
        .ok()?;
    let corners: Vec<Vec3> = file.corners.iter().map(|corner| corner * scale).collect();
    let (mesh, findings) = TriangleMesh::new(&corners, &file.triangles, inside)
        .map_err(|error| {
            let place = error.triangle().map(|triangle| file.place(triangle));
            let place = place.map_or(String::new(), |place| format!(", {place}"));
            refuse(format!("{name}{place}: {error}"));
        })
        .ok()?;
    Some(ReadMesh {
        mesh,
        file,
        findings,
    })
}

/// Says what of a mesh deserves a second look.
fn warn(fields: &Fields<'_>, name: &str, read: &ReadMesh, is_open: bool) {
    let ReadMesh {
        mesh,
        file,
        findings,
    } = read;
    let say = |what: String| fields.warn("mesh", format!("{name} {what}"));
    for (count, what, then) in doubts(findings, is_open) {
        if count.count > 0 {
            let place = file.place(count.first);
            say(format!(
                "has {} {what}, the first at {place}; {then}",
                count.count
            ));
        }
    }
    if findings.turned_whole {
        let message = "looks inwards all over; it is turned, with its material in it. For points in a hollow write \
                       inside = true";
        say(message.to_owned());
    }
    if findings.triangles > MANY {
        let (all, memory) = (findings.triangles, mesh.memory() >> 20);
        say(format!(
            "has {all} triangles: {memory} MiB of memory, and some seconds to read in every run; a mesh of some \
             thousand triangles is as good where the triangles are much smaller than what touches them"
        ));
    }
}

/// How many there are of what, and what follows from it.
fn doubts(findings: &MeshFindings, is_open: bool) -> [(MeshCount, &'static str, &'static str); 6] {
    let open_edges = if is_open {
        MeshCount::default()
    } else {
        findings.open_edges
    };
    [
        (
            findings.without_area,
            "triangles without area",
            "they are left out",
        ),
        (
            findings.repeated,
            "triangles with the corners of another one",
            "they are left out",
        ),
        (
            open_edges,
            "edges with one triangle alone",
            "it has holes. Past such an edge there is no material, and behind the triangles there is to any depth; close \
             it in the program that made it, or write open = true if it is meant so",
        ),
        (
            findings.crowded_edges,
            "edges with more than two triangles",
            "such an edge is taken for a rim, past which there is no material; export one closed body",
        ),
        (
            findings.twisted,
            "triangles that cannot look as all of their neighbours",
            "it is a band with a twist, or walls cross; export one closed body",
        ),
        (
            findings.turned,
            "triangles that look to another side than their neighbours",
            "they are turned; let the program that made it compute the normals again",
        ),
    ]
}

/// Says where a mesh is much larger or smaller than it can be, as one in millimetres that is read in metres.
pub(super) fn warn_of_size(fields: &Fields<'_>, contact: &Contact, touching: Option<f64>) {
    let SurfaceShape::Mesh(mesh) = &contact.surface.shape else {
        return;
    };
    let Some(table) = fields.node("surface").and_then(crate::Node::as_table) else {
        return;
    };
    let Some(entry) = table.get("mesh") else {
        return;
    };
    let size = mesh.size();
    let largest = size.amax();
    let has_scale = table.get("scale").is_some();
    let (huge, tiny) = touching.map_or((false, false), |touching| {
        (largest > RATIO * touching, largest * RATIO < touching)
    });
    let [x, y, z] = [size.x, size.y, size.z].map(three_digits);
    let name = entry.node.as_text().unwrap_or_default();
    let what = format!(
        "{}.surface.mesh: suspicious size: {name} is {x} m by {y} m by {z} m",
        fields.path()
    );
    let touching = touching.map_or(String::new(), |touching| {
        format!(", and what touches it {} m", three_digits(touching))
    });
    if !has_scale && (huge || largest > HUGE) {
        let message = format!(
            "{what}{touching}; the file has no unit and is read in metres. If it is in millimetres write \
             scale = \"mm\", if the size is right scale = 1"
        );
        fields.reader().warn(entry.node.span, message);
    } else if tiny {
        let message = format!("{what}{touching}; check scale, the unit of the file");
        fields.reader().warn(entry.node.span, message);
    }
}

fn three_digits(x: f64) -> String {
    Shortest(format!("{x:.2e}").parse().unwrap_or(x)).to_string()
}
