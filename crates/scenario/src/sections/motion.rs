//! Motions given as functions of time.

use bristle_mechanics::{Prescribed, Vec3};
use bristle_signals::Signal;

use super::values::{Allowed, direction, signal};
use crate::{Field, FieldKind, FieldRange, Fields, Section, Unit};

const DIRECTION: FieldKind = FieldKind::Vector3 { unit: Unit::ONE };

pub(super) const MOTION: Section = Section {
    name: "motion",
    doc: "A motion given as a function of time: a translation, a rotation, or both.",
    fields: &[
        Field::optional("direction", DIRECTION, "Direction of the translation"),
        Field::optional(
            "displacement",
            FieldKind::Signal { unit: Unit::METRE },
            "Translation along the direction",
        ),
        Field::optional("axis", DIRECTION, "Axis of the rotation"),
        Field::optional(
            "angle",
            FieldKind::Signal { unit: Unit::RADIAN },
            "Angle about the axis",
        ),
    ],
};

/// The motion of a prescribed joint.
pub(super) fn read(fields: &Fields<'_>, end_time: Option<f64>) -> Option<Prescribed> {
    let mut motion = Prescribed {
        direction: Vec3::x(),
        displacement: Signal::Constant(0.0),
        axis: Vec3::z(),
        angle: Signal::Constant(0.0),
    };
    let mut sound = true;
    for (value, along, unit) in [
        ("displacement", "direction", Unit::METRE),
        ("angle", "axis", Unit::RADIAN),
    ] {
        match (fields.has(value), fields.has(along)) {
            (false, false) => continue,
            (true, true) => {}
            (true, false) => {
                fields.error(value, format!("needs \"{along}\" beside it"));
                sound = false;
            }
            (false, true) => {
                fields.error(along, format!("needs \"{value}\" beside it"));
                sound = false;
            }
        }
        let signal = signal(
            fields,
            value,
            Allowed {
                unit,
                range: FieldRange::Any,
            },
            end_time,
        );
        let unit_vector = fields
            .has(along)
            .then(|| direction(fields, along))
            .flatten();
        let (Some(signal), Some(unit_vector)) = (signal, unit_vector) else {
            sound = false;
            continue;
        };
        warn_of_jumps(fields, value, &signal, end_time);
        if value == "angle" {
            (motion.angle, motion.axis) = (signal, unit_vector);
        } else {
            (motion.displacement, motion.direction) = (signal, unit_vector);
        }
    }
    if !fields.has("displacement") && !fields.has("angle") {
        let message = format!(
            "{}: one of \"displacement\", \"angle\" is missing",
            fields.path()
        );
        fields.reader().error(fields.name_span(), message);
        sound = false;
    }
    sound.then_some(motion)
}

/// A jump of a prescribed velocity takes an infinite acceleration; one that is not announced is an error.
pub(super) fn warn_of_jumps(
    fields: &Fields<'_>,
    name: &str,
    signal: &Signal,
    end_time: Option<f64>,
) {
    let Some(end) = end_time else {
        return;
    };
    if signal.hides_corners(end) {
        let message = "more than 10000 points on straight lines: the velocity jumps at every one of \
                       them, and the run cannot stop so often; add interpolation = \"cubic\"";
        fields.error(name, message);
        return;
    }
    let near = 1e-9 * end;
    let jump = signal.breakpoints(end).into_iter().find_map(|t| {
        let (before, after) = (signal.rate(t - near), signal.rate(t + near));
        // the curvature between both places changes the rate as well
        let bend = signal.acceleration(t - near).abs() + signal.acceleration(t + near).abs();
        let step = (after - before).abs();
        let rounding = 1e-9 * before.abs().max(after.abs());
        (step > 4.0 * near * bend + rounding).then_some((t, before, after))
    });
    if let Some((t, before, after)) = jump {
        let unit = if name == "angle" { "rad/s" } else { "m/s" };
        let message = format!(
            "the velocity jumps from {before:.3e} to {after:.3e} {unit} at t = {t} s: a blow to all that \
             hangs on it; use interpolation = \"cubic\", a smooth ramp or a sine where that is not meant"
        );
        fields.warn(name, message);
    }
}
