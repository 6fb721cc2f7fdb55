//! What a contact reports.

use super::Contact;
use crate::frame::{Frame, Vec3};

const AXES: [&str; 3] = ["x", "y", "z"];

/// Names, units and meanings, in the order of [`sample`].
pub(super) fn channels(contact: &Contact) -> Vec<(String, &'static str, String)> {
    let name = &contact.name;
    let mut out = Vec::new();
    let mut add = |path: String, unit, meaning: String| out.push((path, unit, meaning));
    for axis in AXES {
        let meaning =
            format!("total friction of {name} along the slip (the moving body feels the opposite)");
        add(format!("contact.{name}.friction.{axis}"), "N", meaning);
    }
    add(
        format!("contact.{name}.friction.magnitude"),
        "N",
        format!("size of the total friction of {name}"),
    );
    add(
        format!("contact.{name}.friction.angle"),
        "rad",
        format!("direction of the total friction of {name} in the plane, from its first tangent"),
    );
    add(
        format!("contact.{name}.normal_force"),
        "N",
        format!("total normal force of {name}"),
    );
    add(
        format!("contact.{name}.slip_speed"),
        "m/s",
        format!("largest slip speed of {name}'s loaded points"),
    );
    let layout = contact.friction.layout();
    for i in 1..=contact.points.len() {
        let point = format!("contact.{name}.point{i}");
        for axis in AXES {
            add(
                format!("{point}.friction.{axis}"),
                "N",
                "friction along the slip".to_owned(),
            );
        }
        add(
            format!("{point}.friction.magnitude"),
            "N",
            "size of the friction".to_owned(),
        );
        add(
            format!("{point}.normal_force"),
            "N",
            "normal force".to_owned(),
        );
        add(
            format!("{point}.depth"),
            "m",
            "indentation, > 0 in contact".to_owned(),
        );
        for axis in AXES {
            add(
                format!("{point}.slip_velocity.{axis}"),
                "m/s",
                "slip velocity".to_owned(),
            );
        }
        add(
            format!("{point}.slip_speed"),
            "m/s",
            "slip speed".to_owned(),
        );
        for k in 1..=layout.vectors {
            let state = if k == 1 {
                "state".to_owned()
            } else {
                format!("state{k}")
            };
            for axis in AXES {
                add(
                    format!("{point}.{state}.{axis}"),
                    "m",
                    "friction state, world axes".to_owned(),
                );
            }
        }
        for k in 1..=layout.scalars {
            add(
                format!("{point}.mode{k}"),
                "1",
                "scalar friction state or mode".to_owned(),
            );
        }
    }
    out
}

/// The reported quantities at a committed or interpolated moment.
pub(super) fn sample(
    contact: &Contact,
    t: f64,
    frames: &[Frame],
    memory: &[f64],
    out: &mut Vec<f64>,
) {
    let first = out.len();
    out.extend([0.0; 7]);
    let layout = contact.friction.layout();
    let (mut total, mut normal, mut fastest) = (Vec3::zeros(), 0.0, 0.0_f64);
    let axes = frames[contact.plane.body.0].r * contact.plane.axes;
    let states = memory.chunks_exact(contact.point_memory());
    for (point, states) in contact.samples(t, frames, memory).zip(states) {
        total += point.friction;
        normal += point.normal_force;
        let speed = point.slip_velocity.norm();
        if point.normal_force > 0.0 {
            fastest = fastest.max(speed);
        }
        out.extend_from_slice(point.friction.as_slice());
        out.extend([point.friction.norm(), point.normal_force, point.depth]);
        out.extend_from_slice(point.slip_velocity.as_slice());
        out.push(speed);
        for k in 0..layout.vectors {
            let z = axes * Vec3::new(states[2 * k], states[2 * k + 1], 0.0);
            out.extend_from_slice(z.as_slice());
        }
        let scalars = 2 * layout.vectors;
        out.extend_from_slice(&states[scalars..scalars + layout.scalars]);
    }
    let local = axes.tr_mul(&total);
    out[first..first + 3].copy_from_slice(total.as_slice());
    out[first + 3] = total.norm();
    out[first + 4] = local.y.atan2(local.x);
    out[first + 5] = normal;
    out[first + 6] = fastest;
}
