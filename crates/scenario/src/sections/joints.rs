//! Joints: their kinds, motions and places.

use bristle_mechanics::{Joint, Vec3};
use bristle_signals::Signal;
use nalgebra::{Unit as UnitVector, UnitQuaternion};

use super::motion;
use super::values::{Allowed, direction, refuse_unused, signal_as};
use crate::{Diagnostic, Field, FieldKind, FieldRange, Fields, Section, Unit};

const DIRECTION: FieldKind = FieldKind::Vector3 { unit: Unit::ONE };

pub(super) const ORIENTATION: Section = Section {
    name: "orientation",
    doc: "A rotation about an axis.",
    fields: &[
        Field::required("axis", DIRECTION, "Axis of the rotation"),
        Field::required(
            "angle",
            FieldKind::Number {
                unit: Unit::RADIAN,
                range: FieldRange::Any,
            },
            "Angle of the rotation",
        ),
    ],
};

/// Joint coordinates as functions of time; which ones there are depends on the joint.
pub(super) const DRIVE: Section = Section {
    name: "drive",
    doc: "Joint coordinates that are functions of time.",
    fields: &[
        Field::optional(
            "coordinate",
            FieldKind::Any(
                "a function of time: a displacement (m), of a revolute joint an angle (rad)",
            ),
            "Displacement of a prismatic or cylindrical joint, angle of a revolute one",
        ),
        Field::optional(
            "angle",
            FieldKind::Signal { unit: Unit::RADIAN },
            "Angle of a revolute, cylindrical or planar joint, first angle of a universal one",
        ),
        Field::optional(
            "second_angle",
            FieldKind::Signal { unit: Unit::RADIAN },
            "Second angle of a universal joint",
        ),
        Field::optional(
            "x",
            FieldKind::Signal { unit: Unit::METRE },
            "Displacement of a planar joint along its first tangent",
        ),
        Field::optional(
            "y",
            FieldKind::Signal { unit: Unit::METRE },
            "Displacement of a planar joint along its second tangent",
        ),
    ],
};

/// The joints that a scenario can name.
pub(super) const WORDS: &[&str] = &[
    "free",
    "fixed",
    "revolute",
    "prismatic",
    "cylindrical",
    "planar",
    "universal",
    "spherical",
    "point",
    "prescribed",
];

/// Fields that belong to some joints only.
const OWN: &[(&str, &[&str])] = &[
    (
        "axis",
        &["revolute", "prismatic", "cylindrical", "universal"],
    ),
    ("second_axis", &["universal"]),
    ("normal", &["planar"]),
    ("coordinate", &["revolute", "prismatic", "cylindrical"]),
    ("rate", &["revolute", "prismatic", "cylindrical"]),
    ("angle", &["revolute", "cylindrical", "planar"]),
    ("angular_rate", &["revolute", "cylindrical", "planar"]),
    (
        "drive",
        &[
            "revolute",
            "prismatic",
            "cylindrical",
            "planar",
            "universal",
        ],
    ),
    ("motion", &["prescribed"]),
    ("velocity", &["free", "planar", "point"]),
    ("angular_velocity", &["free", "spherical"]),
];

/// The word for the joint; fields that it does not use are refused.
pub(super) fn word(fields: &Fields<'_>) -> Option<&'static str> {
    let word = fields.choice("joint")?;
    for (field, owners) in OWN.iter().filter(|(_, owners)| !owners.contains(&word)) {
        let owners: Vec<String> = owners.iter().map(|o| format!("\"{o}\"")).collect();
        let owners = owners.join(" or ");
        let reason = format!("a {word} joint does not use it; it belongs to joint = {owners}");
        refuse_unused(fields, field, &reason);
    }
    Some(word)
}

/// The joint of a word.
pub(super) fn read(word: &str, fields: &Fields<'_>, end_time: Option<f64>) -> Option<Joint> {
    let axis = || direction(fields, "axis");
    match word {
        "free" => Some(Joint::Free),
        "fixed" => Some(Joint::Fixed),
        "spherical" => Some(Joint::Spherical),
        "point" => Some(Joint::Translational),
        "revolute" => axis().map(|axis| Joint::Revolute { axis }),
        "prismatic" => axis().map(|axis| Joint::Prismatic { axis }),
        "cylindrical" => axis().map(|axis| Joint::Cylindrical { axis }),
        "planar" => direction(fields, "normal").map(|normal| Joint::Planar { normal }),
        "universal" => universal(fields),
        _ if fields.has("motion") => {
            motion::read(&fields.section("motion")?, end_time).map(Joint::Prescribed)
        }
        _ => {
            let message = format!(
                "missing field \"motion\" in {}: a prescribed joint needs one",
                fields.path()
            );
            let help = "for example motion = { direction = [1, 0, 0], displacement = { sine = \
                        { amplitude = \"1 mm\", frequency = \"2 Hz\" } } }";
            fields
                .reader()
                .report(Diagnostic::error(message).at(fields.name_span()).help(help));
            None
        }
    }
}

fn universal(fields: &Fields<'_>) -> Option<Joint> {
    let (first, second) = (direction(fields, "axis"), direction(fields, "second_axis"));
    let (first, second) = (first?, second?);
    if first.cross(&second).norm() < 1e-6 {
        let message = "is parallel to \"axis\": both rotations would be the same one";
        fields.error("second_axis", message);
        return None;
    }
    Some(Joint::Universal { first, second })
}

/// Coordinates and rates at the start.
pub(super) struct JointStart {
    pub(super) coordinates: Vec<f64>,
    pub(super) velocity: Vec<f64>,
}

/// Where a joint starts, and how fast.
pub(super) fn start(word: &str, fields: &Fields<'_>) -> Option<JointStart> {
    let velocity = fields.vector("velocity")?;
    let spin = fields.vector("angular_velocity")?;
    let (angle, angular_rate) = (fields.number("angle")?, fields.number("angular_rate")?);
    let turns = word == "revolute";
    let own = |name: &str, [unit, turning]: [Unit; 2]| {
        let unit = if turns { turning } else { unit };
        let value = fields.number_as(name, unit, FieldRange::Any);
        (value.is_some() || !fields.has(name)).then(|| value.unwrap_or(0.0))
    };
    let coordinate = own("coordinate", [Unit::METRE, Unit::RADIAN])?;
    let rate = own("rate", [Unit::METRE_PER_SECOND, Unit::RADIAN_PER_SECOND])?;
    for (one, other) in [("coordinate", "angle"), ("rate", "angular_rate")] {
        if turns && fields.has(one) && fields.has(other) {
            fields.error(other, format!("is the same as \"{one}\"; give one of both"));
            return None;
        }
    }
    let (coordinates, velocity) = match word {
        "free" => (Vec::new(), [velocity, spin].concat()),
        "spherical" => (Vec::new(), spin.to_vec()),
        "point" => (Vec::new(), velocity.to_vec()),
        "revolute" => (vec![coordinate + angle], vec![rate + angular_rate]),
        "prismatic" => (vec![coordinate], vec![rate]),
        "cylindrical" => (vec![coordinate, angle], vec![rate, angular_rate]),
        "planar" => {
            let normal = direction(fields, "normal")?;
            let along = Vec3::from_row_slice(&velocity);
            if along.dot(&normal).abs() > 1e-9 * along.norm() {
                fields.error("velocity", "must lie in the plane of the joint");
                return None;
            }
            let [first, second] = bristle_mechanics::tangents(&normal);
            let rates = vec![along.dot(&first), along.dot(&second), angular_rate];
            (vec![0.0, 0.0, angle], rates)
        }
        _ => (Vec::new(), Vec::new()),
    };
    Some(JointStart {
        coordinates,
        velocity,
    })
}

/// The driven coordinates: their place in the joint, and the motion.
pub(super) fn drives(
    word: &str,
    fields: &Fields<'_>,
    end_time: Option<f64>,
) -> Option<Vec<(usize, Signal)>> {
    if !fields.has("drive") {
        return Some(Vec::new());
    }
    let drive = fields.section("drive")?;
    let places: &[(&str, usize)] = match word {
        "revolute" => &[("coordinate", 0), ("angle", 0)],
        "prismatic" => &[("coordinate", 0)],
        "cylindrical" => &[("coordinate", 0), ("angle", 1)],
        "planar" => &[("x", 0), ("y", 1), ("angle", 2)],
        _ => &[("angle", 0), ("second_angle", 1)],
    };
    let mut sound = true;
    for name in ["coordinate", "angle", "second_angle", "x", "y"] {
        if drive.has(name) && !places.iter().any(|(own, _)| *own == name) {
            let names: Vec<&str> = places.iter().map(|(name, _)| *name).collect();
            let reason = format!("a {word} joint has {}", names.join(", "));
            refuse_unused(&drive, name, &reason);
            sound = false;
        }
    }
    let mut drives: Vec<(usize, Signal)> = Vec::new();
    for &(name, place) in places.iter().filter(|(name, _)| drive.has(name)) {
        let unit = if word == "revolute" || name.ends_with("angle") {
            Unit::RADIAN
        } else {
            Unit::METRE
        };
        let Some(signal) = signal_as(
            &drive,
            name,
            Allowed {
                unit,
                range: FieldRange::Any,
            },
            end_time,
        ) else {
            sound = false;
            continue;
        };
        motion::warn_of_jumps(&drive, name, &signal, end_time);
        if drives.iter().any(|(other, _)| *other == place) {
            drive.error(name, "this coordinate is given twice");
            sound = false;
        }
        drives.push((place, signal));
    }
    if drives.is_empty() && sound {
        let names: Vec<&str> = places.iter().map(|(name, _)| *name).collect();
        let message = format!("{}: one of {} is missing", drive.path(), names.join(", "));
        drive.reader().error(drive.name_span(), message);
        sound = false;
    }
    sound.then_some(drives)
}

/// A rotation about an axis.
pub(super) fn rotation(fields: &Fields<'_>) -> Option<UnitQuaternion<f64>> {
    let (axis, angle) = (direction(fields, "axis"), fields.number("angle"));
    Some(UnitQuaternion::from_axis_angle(
        &UnitVector::new_unchecked(axis?),
        angle?,
    ))
}
