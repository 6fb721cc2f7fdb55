//! What a contact reports.

use super::Contact;
use crate::channel::ChannelInfo;
use crate::element::ElementInput;
use crate::frame::Vec3;

/// Totals that every contact reports.
const TOTALS: usize = 7;

/// The channels, in the order of [`sample`].
pub(super) fn channels(contact: &Contact) -> Vec<ChannelInfo> {
    let name = &contact.name;
    let total =
        format!("total friction of {name} along the slip (the moving body feels the opposite)");
    let mut out = Vec::from(ChannelInfo::vector(
        &format!("contact.{name}.friction"),
        "N",
        &total,
    ));
    let mut add = |what: &str, unit, meaning: &str| {
        out.push(ChannelInfo::new(
            format!("contact.{name}.{what}"),
            unit,
            meaning,
        ));
    };
    add("friction.magnitude", "N", "size of the total friction");
    add(
        "friction.angle",
        "rad",
        if contact.surface.is_plane() {
            "direction of the total friction, from the plane's first tangent"
        } else {
            "direction of the friction of point 1, from the first tangent that it carries"
        },
    );
    add("normal_force", "N", "total normal force");
    add(
        "slip_speed",
        "m/s",
        "largest slip speed of the loaded points",
    );
    if contact.resistance.is_some() {
        add(
            "rolling_moment",
            "N m",
            "size of the total moment against rolling",
        );
        add(
            "spinning_moment",
            "N m",
            "total moment along the spinning about the normal (the moving body feels the opposite)",
        );
    }
    for i in 1..=contact.points.len() {
        point_channels(contact, &format!("contact.{name}.point{i}"), &mut out);
    }
    out
}

fn point_channels(contact: &Contact, point: &str, out: &mut Vec<ChannelInfo>) {
    let one = |what: &str, unit: &'static str, meaning: &str| {
        ChannelInfo::new(format!("{point}.{what}"), unit, meaning)
    };
    let vector = |what: &str, unit: &'static str, meaning: &str| {
        ChannelInfo::vector(&format!("{point}.{what}"), unit, meaning)
    };
    out.extend(vector("friction", "N", "friction along the slip"));
    out.push(one("friction.magnitude", "N", "size of the friction"));
    out.push(one("normal_force", "N", "normal force"));
    out.push(one("depth", "m", "indentation, > 0 in contact"));
    out.extend(vector("slip_velocity", "m/s", "slip velocity"));
    out.push(one("slip_speed", "m/s", "slip speed"));
    for state in contact.friction.state_channels() {
        let name = format!("{point}.{}", state.name);
        if state.is_vector {
            let meaning = format!("{}, world axes", state.meaning);
            out.extend(ChannelInfo::vector(&name, state.unit, &meaning));
        } else {
            out.push(ChannelInfo::new(name, state.unit, &state.meaning));
        }
    }
}

/// The reported quantities at a committed or interpolated instant.
pub(super) fn sample(contact: &Contact, at: &ElementInput<'_>, out: &mut Vec<f64>) {
    let first = out.len();
    out.extend([0.0; TOTALS]);
    let couple = contact.resistance.is_some().then_some([0.0; 2]);
    out.extend(couple.into_iter().flatten());
    let (mut rolling, mut spinning) = (Vec3::zeros(), 0.0);
    let (mut total, mut normal, mut fastest) = (Vec3::zeros(), 0.0, 0.0_f64);
    // of a plane that of all points, else that of the first one
    let mut axes = None;
    for (relative, at) in contact.each_point(at) {
        let point = contact.sample_point(&at, &relative);
        axes.get_or_insert((relative.axes, point.friction));
        total += point.friction;
        normal += point.normal_force;
        rolling += point.rolling_moment;
        spinning += point.spinning_moment;
        let speed = point.slip_velocity.norm();
        if point.normal_force > 0.0 {
            fastest = fastest.max(speed);
        }
        out.extend_from_slice(point.friction.as_slice());
        out.extend([point.friction.norm(), point.normal_force, point.depth]);
        out.extend_from_slice(point.slip_velocity.as_slice());
        out.push(speed);
        let pair = contact.friction.split(contact.split(at.history).pair);
        let (vectors, scalars) = contact.friction.vectors_and_scalars(pair.law);
        for z in vectors {
            let z = relative.axes * Vec3::new(z[0], z[1], 0.0);
            out.extend_from_slice(z.as_slice());
        }
        out.extend_from_slice(scalars);
    }
    let local = axes.map_or(Vec3::zeros(), |(axes, first)| {
        let friction = if contact.surface.is_plane() {
            total
        } else {
            first
        };
        axes.tr_mul(&friction)
    });
    out[first..first + 3].copy_from_slice(total.as_slice());
    out[first + 3] = total.norm();
    out[first + 4] = local.y.atan2(local.x);
    out[first + 5] = normal;
    out[first + 6] = fastest;
    if couple.is_some() {
        out[first + TOTALS] = rolling.norm();
        out[first + TOTALS + 1] = spinning;
    }
}
