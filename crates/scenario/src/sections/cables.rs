//! `[cable.NAME]` and `[bushing.NAME]`.

use bristle_mechanics::element::{Bushing, Cable, Mount, Spring};
use bristle_mechanics::{BodyId, Vec3};

use super::bodies::Bodies;
use super::values::{check_name, vector};
use super::{joints, loads};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

pub(super) const CABLE: Section = Section {
    name: "cable.NAME",
    doc: "A cable between points of two bodies: a spring with a damper that pulls only.",
    fields: &[
        loads::FROM,
        Field::required("to", FieldKind::Table(&loads::ATTACHMENT), "The other end"),
        Field::required(
            "stiffness",
            FieldKind::Number {
                unit: Unit::NEWTON_PER_METRE,
                range: FieldRange::Positive,
            },
            "Stiffness in tension",
        ),
        Field::optional(
            "damping",
            FieldKind::Number {
                unit: Unit::NEWTON_SECOND_PER_METRE,
                range: FieldRange::NonNegative,
            },
            "Damping while it is taut",
        )
        .default("0"),
        Field::optional(
            "length",
            FieldKind::Number {
                unit: Unit::METRE,
                range: FieldRange::NonNegative,
            },
            "Length from which it pulls; the distance of the ends at the start if not given",
        ),
    ],
};

const POINT: FieldKind = FieldKind::Vector3 { unit: Unit::METRE };

const FROM: Section = Section {
    name: "from",
    doc: "The frame in which a bushing has its axes.",
    fields: &[
        Field::optional("body", FieldKind::Text, "The body").default("ground"),
        Field::optional("point", POINT, "Origin in body axes").default("[0, 0, 0]"),
        Field::optional(
            "orientation",
            FieldKind::Table(&joints::ORIENTATION),
            "Orientation of the axes in the body",
        ),
    ],
};

const TO: Section = Section {
    name: "to",
    doc: "The frame that a bushing holds.",
    fields: &[
        Field::optional("body", FieldKind::Text, "The body").default("ground"),
        Field::optional(
            "point",
            POINT,
            "Origin in body axes; where the other frame is at the start if not given",
        ),
    ],
};

pub(super) const BUSHING: Section = Section {
    name: "bushing.NAME",
    doc: "Linear stiffness and damping in all directions between two bodies.",
    fields: &[
        Field::optional(
            "from",
            FieldKind::Table(&FROM),
            "The frame that gives the axes",
        )
        .default("that of the ground"),
        Field::required(
            "to",
            FieldKind::Table(&TO),
            "The frame that is held; it is not turned at the start",
        ),
        Field::optional(
            "stiffness",
            FieldKind::Vector3 {
                unit: Unit::NEWTON_PER_METRE,
            },
            "Stiffness along the three axes",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "damping",
            FieldKind::Vector3 {
                unit: Unit::NEWTON_SECOND_PER_METRE,
            },
            "Damping along the three axes",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "rotational_stiffness",
            FieldKind::Vector3 {
                unit: Unit::NEWTON_METRE_PER_RADIAN,
            },
            "Stiffness about the three axes, for small rotations",
        )
        .default("[0, 0, 0]"),
        Field::optional(
            "rotational_damping",
            FieldKind::Vector3 {
                unit: Unit::NEWTON_METRE_SECOND_PER_RADIAN,
            },
            "Damping about the three axes",
        )
        .default("[0, 0, 0]"),
    ],
};

/// Reads all cables; those that are sound.
pub(super) fn cables(root: &Fields<'_>, bodies: &Bodies) -> Vec<Cable> {
    let read = |(name, fields): (String, Fields<'_>)| {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let (from, to) = loads::ends(&fields, bodies);
        let (stiffness, damping) = (fields.number("stiffness"), fields.number("damping"));
        let length = fields.number("length");
        if length.is_none() && fields.has("length") {
            return None;
        }
        let (from, to) = (from?, to?);
        if from.body == to.body {
            let message = "both ends are on the same body, so that the cable does nothing";
            fields.error("to", message);
            return None;
        }
        let distance = || {
            let ends = [from, to].map(|end| bodies.place(end.body, &end.point));
            (ends[1] - ends[0]).norm()
        };
        let cable = Cable(Spring {
            name,
            from,
            to,
            stiffness: stiffness?,
            cubic: 0.0,
            damping: damping?,
            length: length.unwrap_or_else(distance),
        });
        sound.then_some(cable)
    };
    root.named("cable").into_iter().filter_map(read).collect()
}

/// Reads all bushings; those that are sound.
pub(super) fn bushings(root: &Fields<'_>, bodies: &Bodies) -> Vec<Bushing> {
    let read = |(name, fields): (String, Fields<'_>)| {
        let sound = check_name(fields.reader(), fields.name_span(), fields.path(), &name);
        let mounts = mounts(&fields, bodies);
        let stiffness = diagonal(&fields, "stiffness");
        let damping = diagonal(&fields, "damping");
        let rotational_stiffness = diagonal(&fields, "rotational_stiffness");
        let rotational_damping = diagonal(&fields, "rotational_damping");
        let [from, to] = mounts?;
        let bushing = Bushing {
            name,
            from,
            to,
            stiffness: stiffness?,
            damping: damping?,
            rotational_stiffness: rotational_stiffness?,
            rotational_damping: rotational_damping?,
        };
        let all = [
            &bushing.stiffness,
            &bushing.damping,
            &bushing.rotational_stiffness,
            &bushing.rotational_damping,
        ];
        if all.iter().all(|x| x.amax() == 0.0) {
            let message = format!(
                "{}: all stiffness and damping is 0, so that the bushing does nothing",
                fields.path()
            );
            fields.reader().error(fields.name_span(), message);
            return None;
        }
        sound.then_some(bushing)
    };
    root.named("bushing").into_iter().filter_map(read).collect()
}

/// The two frames; they have the same axes at the start.
fn mounts(fields: &Fields<'_>, bodies: &Bodies) -> Option<[Mount; 2]> {
    let (from, to) = (first_mount(fields, bodies), fields.section("to"));
    let (from, to) = (from?, to?);
    let Mount {
        body: a,
        point,
        axes,
    } = from;
    let b = bodies.find(&to, "body")?;
    if a == b {
        let message = "both frames are on the same body, so that the bushing does nothing";
        fields.error("to", message);
        return None;
    }
    let (base, held) = (bodies.frame(a), bodies.frame(b));
    let place = if to.has("point") {
        vector(&to, "point")?
    } else {
        held.r.tr_mul(&(base.p + base.r * point - held.p))
    };
    let to = Mount {
        body: b,
        point: place,
        axes: held.r.tr_mul(&(base.r * axes)),
    };
    Some([from, to])
}

/// The frame that gives the axes; that of the ground if there is none.
fn first_mount(fields: &Fields<'_>, bodies: &Bodies) -> Option<Mount> {
    if !fields.has("from") {
        return Some(Mount {
            body: BodyId::GROUND,
            point: Vec3::zeros(),
            axes: nalgebra::Matrix3::identity(),
        });
    }
    let from = fields.section("from")?;
    let (body, point) = (bodies.find(&from, "body"), vector(&from, "point"));
    let axes = if from.has("orientation") {
        let rotation = from
            .section("orientation")
            .and_then(|f| joints::rotation(&f));
        *rotation?.to_rotation_matrix().matrix()
    } else {
        nalgebra::Matrix3::identity()
    };
    Some(Mount {
        body: body?,
        point: point?,
        axes,
    })
}

/// Three numbers that are not negative.
fn diagonal(fields: &Fields<'_>, name: &str) -> Option<Vec3> {
    let values = vector(fields, name)?;
    if let Some(bad) = values.iter().find(|x| **x < 0.0) {
        fields.error(
            name,
            format!("{bad} is negative; each entry must be 0 or more"),
        );
        return None;
    }
    Some(values)
}
