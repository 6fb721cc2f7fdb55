//! What a contact reports.

use super::Contact;
use crate::frame::{Frame, Vec3};

const AXES: [&str; 3] = ["x", "y", "z"];

/// Names, units and meanings, in the order of [`sample`].
pub(super) fn channels(contact: &Contact) -> Vec<Channel> {
    let name = &contact.name;
    let total =
        format!("total friction of {name} along the slip (the moving body feels the opposite)");
    let mut out = vector(&format!("contact.{name}.friction"), "N", &total);
    let mut add = |what: &str, unit, meaning: &str| {
        out.push((format!("contact.{name}.{what}"), unit, meaning.to_owned()));
    };
    add("friction.magnitude", "N", "size of the total friction");
    add(
        "friction.angle",
        "rad",
        "direction of the total friction, from the plane's first tangent",
    );
    add("normal_force", "N", "total normal force");
    add(
        "slip_speed",
        "m/s",
        "largest slip speed of the loaded points",
    );
    for i in 1..=contact.points.len() {
        out.extend(point_channels(contact, &format!("contact.{name}.point{i}")));
    }
    out
}

type Channel = (String, &'static str, String);

fn vector(path: &str, unit: &'static str, meaning: &str) -> Vec<Channel> {
    AXES.iter()
        .map(|axis| (format!("{path}.{axis}"), unit, meaning.to_owned()))
        .collect()
}

fn point_channels(contact: &Contact, point: &str) -> Vec<Channel> {
    let mut out = vector(&format!("{point}.friction"), "N", "friction along the slip");
    let one =
        |what: &str, unit, meaning: &str| (format!("{point}.{what}"), unit, meaning.to_owned());
    out.push(one("friction.magnitude", "N", "size of the friction"));
    out.push(one("normal_force", "N", "normal force"));
    out.push(one("depth", "m", "indentation, > 0 in contact"));
    out.extend(vector(
        &format!("{point}.slip_velocity"),
        "m/s",
        "slip velocity",
    ));
    out.push(one("slip_speed", "m/s", "slip speed"));
    let layout = contact.friction.layout();
    for k in 1..=layout.vectors {
        let state = if k == 1 {
            "state".to_owned()
        } else {
            format!("state{k}")
        };
        out.extend(vector(
            &format!("{point}.{state}"),
            "m",
            "friction state, world axes",
        ));
    }
    for k in 1..=layout.scalars {
        out.push(one(
            &format!("mode{k}"),
            "1",
            "scalar friction state or mode",
        ));
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
