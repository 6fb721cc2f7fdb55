//! `[body.NAME]`: bodies, their joints and their places.

use bristle_mechanics::{Body, BodyId, Frame, GivenStart, Joint, ModelBuilder, ModelError, Vec3};
use nalgebra::UnitQuaternion;

use super::declared::{DeclaredCoupling, DeclaredLoop};
use super::values::{check_name, vector};
use super::{inertia, joints, motion};
use crate::{Diagnostic, Field, FieldKind, FieldRange, Fields, Section, Unit, suggest};

const ANY_LENGTH: FieldKind = FieldKind::Vector3 { unit: Unit::METRE };
const DIRECTION: FieldKind = FieldKind::Vector3 { unit: Unit::ONE };

pub(super) const BODY: Section = Section {
    name: "body.NAME",
    doc: "A rigid body and the joint that holds it on its parent.",
    fields: &[
        Field::optional("parent", FieldKind::Text, "The body that carries it").default("ground"),
        Field::required(
            "joint",
            FieldKind::Choice(joints::WORDS),
            "How it moves relative to its parent",
        ),
        Field::optional(
            "axis",
            DIRECTION,
            "Axis of a revolute, prismatic or cylindrical joint, first axis of a universal one",
        )
        .default("[1, 0, 0]"),
        Field::optional(
            "second_axis",
            DIRECTION,
            "Second axis of a universal joint, which the first rotation carries",
        )
        .default("[0, 1, 0]"),
        Field::optional("normal", DIRECTION, "Normal of a planar joint").default("[0, 0, 1]"),
        Field::optional(
            "coordinate",
            FieldKind::Any("a displacement (m) or, for a revolute joint, an angle (rad)"),
            "Joint coordinate at the start: displacement of a prismatic or cylindrical joint, \
             angle of a revolute one; 0 if not given",
        ),
        Field::optional(
            "rate",
            FieldKind::Any("a speed (m/s) or, for a revolute joint, an angular speed (rad/s)"),
            "Rate of the joint coordinate at the start; 0 if not given",
        ),
        Field::optional(
            "angle",
            FieldKind::Number {
                unit: Unit::RADIAN,
                range: FieldRange::Any,
            },
            "Angle of a revolute, cylindrical or planar joint at the start",
        )
        .default("0"),
        Field::optional(
            "angular_rate",
            FieldKind::Number {
                unit: Unit::RADIAN_PER_SECOND,
                range: FieldRange::Any,
            },
            "Rate of that angle at the start",
        )
        .default("0"),
        Field::optional(
            "drive",
            FieldKind::Table(&joints::DRIVE),
            "Joint coordinates that are functions of time",
        ),
        Field::optional(
            "motion",
            FieldKind::Table(&motion::MOTION),
            "Motion of a prescribed joint",
        ),
        Field::optional(
            "mass",
            FieldKind::Number {
                unit: Unit::KILOGRAM,
                range: FieldRange::NonNegative,
            },
            "Mass; a body that can move must have one",
        ),
        Field::optional(
            "shape",
            FieldKind::Table(&inertia::SHAPE),
            "A solid of even density, which gives the moments of inertia",
        ),
        Field::optional(
            "inertia",
            FieldKind::Any("three principal moments [Ix, Iy, Iz], or a matrix of 3 rows (kg m^2)"),
            "Moments of inertia about the centre of mass in body axes; wins over the shape",
        ),
        Field::optional("centre_of_mass", ANY_LENGTH, "Centre of mass in body axes")
            .default("[0, 0, 0]"),
        Field::optional(
            "position",
            ANY_LENGTH,
            "Place in the parent: of a free body at the start, else of the joint",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "orientation",
            FieldKind::Table(&joints::ORIENTATION),
            "Orientation in the parent: of a free body at the start, else of the joint",
        ),
        Field::optional(
            "velocity",
            FieldKind::Vector3 {
                unit: Unit::METRE_PER_SECOND,
            },
            "Velocity of a free body at the start, in the axes of the parent",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "angular_velocity",
            FieldKind::Vector3 {
                unit: Unit::RADIAN_PER_SECOND,
            },
            "Angular velocity of a free body at the start, in the axes of the parent",
        )
        .default("[0, 0, 0]"),
    ],
};

/// A body that is declared; without an id if something is wrong with it.
struct DeclaredBody {
    name: String,
    id: Option<BodyId>,
    /// Largest extent of its shape, m.
    size: Option<f64>,
}

/// The bodies of a scenario.
pub(super) struct Bodies {
    known: Vec<DeclaredBody>,
    /// Frames of all bodies at the start.
    pub(super) frames: Vec<Frame>,
    /// The joints that close loops.
    pub(super) loops: Vec<DeclaredLoop>,
    pub(super) couplings: Vec<DeclaredCoupling>,
    pub(super) builder: ModelBuilder,
}

impl Bodies {
    /// The body that a field names. `None`, with the reason recorded, if there is no such body.
    pub(super) fn find(&self, fields: &Fields<'_>, name: &str) -> Option<BodyId> {
        let text = fields.text(name)?;
        if text == "ground" {
            return Some(BodyId::GROUND);
        }
        if let Some(known) = position(text, self.known.iter().map(|k| k.name.as_str())) {
            return self.known[known].id;
        }
        unknown_body(
            fields,
            name,
            text,
            self.known.iter().map(|k| k.name.as_str()),
        );
        None
    }

    /// Largest extent of a body's shape, m.
    pub(super) fn size(&self, id: BodyId) -> Option<f64> {
        let known = self.known.iter().find(|known| known.id == Some(id));
        known.and_then(|known| known.size)
    }

    /// Frame of a body at the start.
    pub(super) fn frame(&self, id: BodyId) -> Frame {
        self.frames.get(id.index()).copied().unwrap_or(Frame::WORLD)
    }

    /// Takes note of the nodes of a beam, so that other parts can name them.
    pub(super) fn add_nodes(&mut self, beam: &str, nodes: &[BodyId]) {
        for (k, &id) in nodes.iter().enumerate() {
            self.known.push(DeclaredBody {
                name: format!("{beam}.node{}", k + 1),
                id: Some(id),
                size: None,
            });
        }
        self.take_frames();
    }

    /// Takes the frames of all bodies at the start again.
    pub(super) fn take_frames(&mut self) {
        let skeleton = self.builder.bones().build();
        let start = skeleton.start();
        self.frames = skeleton.frames(start.t, &start.q, &start.v, &start.a);
    }

    /// Place of a point of a body at the start, in the world.
    pub(super) fn place(&self, id: BodyId, point: &Vec3) -> Vec3 {
        let frame = self.frames.get(id.index()).unwrap_or(&Frame::WORLD);
        frame.p + frame.r * point
    }
}

/// Place of a name in a list; the same spelling wins over one with other hyphens.
fn position<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<usize> {
    let names: Vec<&str> = names.collect();
    let plain = suggest::canonical(name);
    let alike = || {
        names
            .iter()
            .position(|other| suggest::canonical(other) == plain)
    };
    names.iter().position(|other| *other == name).or_else(alike)
}

fn unknown_body<'n>(
    fields: &Fields<'_>,
    field: &str,
    name: &str,
    names: impl Iterator<Item = &'n str>,
) {
    let names: Vec<&str> = std::iter::once("ground").chain(names).collect();
    let message = format!("{}: there is no body \"{name}\"", fields.path_of(field));
    let meant = suggest::did_you_mean(name, names.iter().copied()).unwrap_or_default();
    fields.reader().report(
        Diagnostic::error(message)
            .label(fields.span(field), meant)
            .help(format!("the bodies are {}", names.join(", "))),
    );
}

/// A body as it is read, before it has a place in the tree.
struct BodyDraft<'a> {
    name: String,
    fields: Fields<'a>,
    /// Position of the parent in the list; the ground has none.
    parent: Option<usize>,
    body: Option<Body>,
    size: Option<f64>,
    place: TreePlace,
}

/// Where a draft stands in the tree.
#[derive(Clone, Copy, PartialEq)]
enum TreePlace {
    /// Its parent is not placed yet.
    Waiting,
    /// In the model.
    Placed(BodyId),
    /// It, or something that carries it, is wrong.
    Broken,
}

/// Reads all bodies. The order in the file is free.
pub(super) fn read(root: &Fields<'_>, end_time: Option<f64>) -> Bodies {
    let named = root.named("body");
    let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
    let mut drafts: Vec<BodyDraft<'_>> = named
        .into_iter()
        .map(|(name, fields)| draft(name, fields, &names, end_time))
        .collect();
    if names.is_empty() && root.has("body") {
        root.error(
            "body",
            "there is no body; a scenario needs at least one [body.NAME]",
        );
    }
    let mut builder = ModelBuilder::new();
    while place_next(&mut drafts, &mut builder) {}
    report_loops(&drafts);
    let skeleton = builder.bones().build();
    let start = skeleton.start();
    let frames = skeleton.frames(start.t, &start.q, &start.v, &start.a);
    let known = drafts
        .into_iter()
        .map(|draft| DeclaredBody {
            name: draft.name,
            id: match draft.place {
                TreePlace::Placed(id) => Some(id),
                TreePlace::Waiting | TreePlace::Broken => None,
            },
            size: draft.size,
        })
        .collect();
    Bodies {
        known,
        frames,
        loops: Vec::new(),
        couplings: Vec::new(),
        builder,
    }
}

/// Places the first body whose parent is placed; false if there is none.
fn place_next(drafts: &mut [BodyDraft<'_>], builder: &mut ModelBuilder) -> bool {
    for index in 0..drafts.len() {
        if drafts[index].place != TreePlace::Waiting {
            continue;
        }
        let parent = match drafts[index].parent.map(|parent| drafts[parent].place) {
            None => BodyId::GROUND,
            Some(TreePlace::Placed(id)) => id,
            Some(TreePlace::Broken) => {
                drafts[index].place = TreePlace::Broken;
                return true;
            }
            Some(TreePlace::Waiting) => continue,
        };
        let draft = &mut drafts[index];
        draft.place = TreePlace::Broken;
        if let Some(mut body) = draft.body.take() {
            body.parent = parent;
            match builder.body(body) {
                Ok(id) => draft.place = TreePlace::Placed(id),
                Err(error) => refused(&draft.fields, &error),
            }
        }
        return true;
    }
    false
}

fn refused(fields: &Fields<'_>, error: &ModelError) {
    let ModelError::BadInertia { moments, .. } = error else {
        fields
            .reader()
            .error(fields.name_span(), format!("{}: {error}", fields.path()));
        return;
    };
    let name = if fields.has("inertia") {
        "inertia"
    } else {
        "shape"
    };
    let [a, b, c] = moments;
    let message = format!(
        "principal moments {a}, {b}, {c} kg m^2: each must be in (0, ∞) kg m^2, and none may \
         exceed the sum of the others"
    );
    fields.error(name, message);
}

/// Bodies that still wait carry each other in a circle, or hang on such a circle.
fn report_loops(drafts: &[BodyDraft<'_>]) {
    let mut seen = vec![false; drafts.len()];
    for first in 0..drafts.len() {
        if drafts[first].place != TreePlace::Waiting || seen[first] {
            continue;
        }
        let (mut path, mut at) = (Vec::new(), first);
        while !seen[at] {
            seen[at] = true;
            path.push(at);
            match drafts[at].parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        let Some(start) = path.iter().position(|&index| index == at) else {
            continue;
        };
        let mut names: Vec<&str> = path[start..]
            .iter()
            .map(|&index| drafts[index].name.as_str())
            .collect();
        names.push(&drafts[at].name);
        let message = format!("these bodies carry each other: {}", names.join(" on "));
        drafts[at].fields.error("parent", message);
    }
}

fn draft<'a>(
    name: String,
    fields: Fields<'a>,
    names: &[String],
    end_time: Option<f64>,
) -> BodyDraft<'a> {
    let mut sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
    if name == "ground" {
        let message = "body.ground: \"ground\" is the world, which is there already; choose \
                       another name";
        fields.reader().error(fields.name_span(), message);
        sound = false;
    }
    let mut parent = None;
    match fields.text("parent") {
        Some("ground") => {}
        Some(text) => {
            parent = position(text, names.iter().map(String::as_str));
            if parent.is_none() {
                unknown_body(&fields, "parent", text, names.iter().map(String::as_str));
                sound = false;
            }
        }
        None => sound = false,
    }
    let (body, size) = body(&name, &fields, end_time);
    BodyDraft {
        name,
        fields,
        parent: parent.filter(|_| sound),
        body: body.filter(|_| sound),
        size,
        place: TreePlace::Waiting,
    }
}

fn body(name: &str, fields: &Fields<'_>, end_time: Option<f64>) -> (Option<Body>, Option<f64>) {
    let word = joints::word(fields);
    let joint = word.and_then(|word| joints::read(word, fields, end_time));
    let driven = fields.has("drive");
    let (inertia, size) = inertia::read(fields, word.filter(|_| !driven));
    let position = vector(fields, "position");
    let orientation = if fields.has("orientation") {
        fields
            .section("orientation")
            .and_then(|f| joints::rotation(&f))
    } else {
        Some(UnitQuaternion::identity())
    };
    let start = word.and_then(|word| joints::start(word, fields));
    let drives = word.and_then(|word| joints::drives(word, fields, end_time));
    let body = (|| {
        let mut body = Body::new(name, joint?, inertia?);
        body.position = position?;
        body.orientation = orientation?;
        body.drives = drives?;
        let start = start?;
        body.given = GivenStart {
            coordinates: ["coordinate", "angle"].iter().any(|name| fields.has(name))
                || matches!(body.joint, Joint::Free),
            rates: ["rate", "angular_rate", "velocity", "angular_velocity"]
                .iter()
                .any(|name| fields.has(name)),
        };
        body.coordinates = start.coordinates;
        body.velocity = start.velocity;
        // the rates of driven coordinates are not free
        if matches!(body.joint, Joint::Prescribed(_)) {
            body.velocity.clear();
        }
        let mut places: Vec<usize> = body.drives.iter().map(|(place, _)| *place).collect();
        places.sort_unstable_by(|a, b| b.cmp(a));
        for place in places {
            if place < body.velocity.len() {
                body.velocity.remove(place);
            }
        }
        Some(body)
    })();
    (body, size)
}
