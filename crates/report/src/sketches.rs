//! A machine in its motion as sketches, for pictures that stand still and for those that move.

use bristle_results::ChannelTable;

use crate::scene::{Scene, SceneArrow, SceneContact, SceneShape};
use crate::sketch::{Sketch, View};
use crate::space::{SpaceVector, across, add, cross, dot, scaled, unit};
use crate::stance::Stance;

/// A force this many times the usual one is a peak, whose arrow is cut.
const PEAK: f64 = 3.0;
/// Edge of the block of a body without a shape, as a part of the size of the machine.
const MARKER: f64 = 0.16;
/// Length of the largest arrow, as a part of the size of the machine.
const ARROW: f64 = 0.4;

const STICK: &str = "#0072b2";
const SLIP: &str = "#d55e00";
const OPEN: &str = "#9aa4ae";
const LOAD: &str = "#b65a92";
const CHAIN: &str = "#3a9bd1";

/// Sketches of a scene at rows of a table, with one scale of each kind of arrow, from where the page looks.
///
/// # Errors
/// A channel that the table lacks, or too few rows, in words.
pub(crate) fn sketches(
    scene: &Scene,
    table: &ChannelTable,
    rows: &[usize],
) -> Result<Vec<Sketch>, String> {
    let missing = scene.channels().into_iter();
    if let Some(name) = missing
        .into_iter()
        .find(|name| table.column(name).is_none())
    {
        return Err(format!("the results have no channel {name}"));
    }
    let stances: Vec<Stance<'_>> = rows
        .iter()
        .map(|&row| Stance::of(scene, table, row))
        .collect();
    let size = size(&stances);
    let scales = Scales::of(scene, &stances, ARROW * size);
    let view = View::from([1.5, -2.6, 1.35]);
    let drawn = |stance: &Stance<'_>| drawn(scene, stance, &view, &scales, size);
    Ok(stances.iter().map(drawn).collect())
}

/// The rows at evenly spaced times.
///
/// # Errors
/// Too few rows, in words.
pub(crate) fn rows(table: &ChannelTable, frames: usize) -> Result<Vec<usize>, String> {
    let time = table.time();
    let (Some(first), Some(last), true) = (time.first(), time.last(), time.len() > 1) else {
        return Err("the results have fewer than two rows".to_owned());
    };
    let row = |k: usize| {
        let t = first + (last - first) * k as f64 / (frames - 1) as f64;
        time.partition_point(|at| *at < t).min(time.len() - 1)
    };
    Ok((0..frames).map(row).collect())
}

/// The size of the machine: the farthest that two of its corners are apart in one picture.
fn size(stances: &[Stance<'_>]) -> f64 {
    let one = |stance: &Stance<'_>| {
        let corners = stance.corners();
        let side = |k: usize| {
            let values = || corners.iter().map(|corner| corner[k]);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        let sides = [0, 1, 2].map(side);
        sides.iter().map(|s| s * s).sum::<f64>().sqrt()
    };
    let largest = stances.iter().map(one).fold(0.0, f64::max);
    if largest > 0.0 && largest.is_finite() {
        largest
    } else {
        1.0
    }
}

/// Length of the longest arrow (m), metres for a newton of each kind, and the largest moments (N m).
struct Scales {
    longest: f64,
    friction: f64,
    load: f64,
    /// Of joints that rub.
    friction_moment: f64,
    /// Of what drives.
    load_moment: f64,
}

impl Scales {
    fn of(scene: &Scene, stances: &[Stance<'_>], longest: f64) -> Self {
        let largest = |value: &dyn Fn(&Stance<'_>) -> f64| {
            let values = stances.iter().map(value).filter(|value| *value > 0.0);
            let mut values: Vec<f64> = values.collect();
            values.sort_by(f64::total_cmp);
            let usual = values.get(values.len() / 2).copied();
            let most = values.last().copied();
            most.zip(usual)
                .map_or(1.0, |(most, usual)| most.min(PEAK * usual))
        };
        let arrows = |stance: &Stance<'_>, suits: &dyn Fn(&SceneArrow) -> bool| {
            let arrows = scene.arrows.iter().filter(|arrow| suits(arrow));
            let sizes = arrows.map(|arrow| stance.value(&arrow.channel).abs());
            sizes.fold(0.0, f64::max)
        };
        let of_contacts = |stance: &Stance<'_>| {
            let points = scene.contacts.iter().flat_map(|contact| {
                (1..=contact.points.len()).map(|i| stance.friction(contact, i))
            });
            points.map(across).fold(0.0, f64::max)
        };
        let friction = |stance: &Stance<'_>| {
            let joints = arrows(stance, &|a| a.friction.is_some() && !a.moment);
            of_contacts(stance).max(joints)
        };
        Self {
            longest,
            friction: longest / largest(&friction),
            load: longest / largest(&|s| arrows(s, &|a| a.friction.is_none() && !a.moment)),
            friction_moment: largest(&|s| arrows(s, &|a| a.friction.is_some() && a.moment)),
            load_moment: largest(&|s| arrows(s, &|a| a.friction.is_none() && a.moment)),
        }
    }
}

impl Scales {
    /// A vector no longer than the longest arrow.
    fn cut(&self, vector: SpaceVector) -> SpaceVector {
        let length = across(vector);
        if length > self.longest {
            scaled(vector, self.longest / length)
        } else {
            vector
        }
    }
}

fn drawn(scene: &Scene, stance: &Stance<'_>, view: &View, scales: &Scales, size: f64) -> Sketch {
    let mut picture = Sketch::new(view);
    // many planes are pieces of one surface
    let grounds = scene.contacts.iter().filter(|c| c.plane.body.is_none());
    let sheet = if grounds.count() > 3 { 0.12 } else { 0.6 } * size;
    for contact in &scene.contacts {
        plane(contact, stance, &mut picture, sheet);
    }
    for (body, shape) in stance.shapes() {
        picture.solid(&body, shape);
    }
    let edge = MARKER * size;
    let marker = SceneShape::Box {
        edges: [edge, edge, 0.6 * edge],
        centre: [0.0; 3],
    };
    for pose in stance.unseen() {
        picture.solid(&pose, &marker);
    }
    for spring in &scene.springs {
        let from = stance.place(spring.from_body, spring.from);
        let to = stance.place(spring.to_body, spring.to);
        picture.line(&within(from, to, spring.from_body.is_none(), size), OPEN);
    }
    for chain in &scene.chains {
        let points = chain.points.iter().map(|p| stance.place(p.body, p.point));
        picture.line(&points.collect::<Vec<_>>(), CHAIN);
    }
    for contact in &scene.contacts {
        for (i, point) in contact.points.iter().enumerate() {
            let radius = contact.radii.get(i).copied().unwrap_or(0.0);
            let centre = stance.place(contact.body, *point);
            let normal = normal(contact, stance, centre);
            let at = add(centre, scaled(normal, -radius));
            let paint = paint(stance.contact_slips(contact, i + 1));
            let force = scaled(stance.friction(contact, i + 1), -scales.friction);
            picture.arrow(at, scales.cut(force), paint);
            picture.dot(at, paint);
        }
    }
    for one in &scene.arrows {
        arrow(one, stance, scales, size, &mut picture);
    }
    picture
}

/// The ends of a spring; one that leads to a far anchor is cut near the body.
fn within(from: SpaceVector, to: SpaceVector, anchored: bool, size: f64) -> [SpaceVector; 2] {
    let (far, near) = if anchored { (from, to) } else { (to, from) };
    let way = add(far, scaled(near, -1.0));
    let length = across(way);
    let shown = if length > size {
        scaled(way, 0.5 * size / length)
    } else {
        way
    };
    [near, add(near, shown)]
}

/// A load, or the friction of a joint.
fn arrow(
    arrow: &SceneArrow,
    stance: &Stance<'_>,
    scales: &Scales,
    size: f64,
    picture: &mut Sketch,
) {
    let at = stance.place(arrow.body, arrow.point);
    let direction = if arrow.turns {
        stance.turned(arrow.body, arrow.direction)
    } else {
        arrow.direction
    };
    let value = stance.value(&arrow.channel);
    let slips = arrow
        .friction
        .as_ref()
        .map(|slip| paint(stance.slips(slip)));
    let colour = slips.unwrap_or(LOAD);
    if arrow.moment {
        let (most, radius) = if slips.is_some() {
            (scales.friction_moment, 0.2 * size)
        } else {
            (scales.load_moment, 0.14 * size)
        };
        let part = (value / most).clamp(-1.0, 1.0);
        arc(picture, at, scaled(unit(direction), radius), part, colour);
    } else {
        let scale = if slips.is_some() {
            scales.friction
        } else {
            scales.load
        };
        picture.arrow(at, scales.cut(scaled(direction, scale * value)), colour);
    }
}

/// The colour of stick (`Some(false)`), of slip, or of faces that carry no load.
fn paint(slips: Option<bool>) -> &'static str {
    match slips {
        Some(true) => SLIP,
        Some(false) => STICK,
        None => OPEN,
    }
}

/// The axes of a surface in the world: two tangents and the normal of a plane, or x, y and z.
fn axes(contact: &SceneContact, stance: &Stance<'_>) -> [SpaceVector; 3] {
    let plane = &contact.plane;
    let (first, third) = (plane.tangent, plane.normal);
    [first, cross(third, first), third].map(|axis| stance.turned(plane.body, axis))
}

/// The normal of the surface below a point in the world.
fn normal(contact: &SceneContact, stance: &Stance<'_>, at: SpaceVector) -> SpaceVector {
    let axes = axes(contact, stance);
    let Some(surface) = &contact.surface else {
        return axes[2];
    };
    let origin = stance.place(contact.plane.body, contact.plane.point);
    let off = add(at, scaled(origin, -1.0));
    let local = surface.normal(axes.map(|axis| dot(axis, off)));
    in_world(&axes, local)
}

fn in_world(axes: &[SpaceVector; 3], local: SpaceVector) -> SpaceVector {
    let parts = axes.iter().zip(local);
    parts.fold([0.0; 3], |sum, (axis, x)| add(sum, scaled(*axis, x)))
}

/// The part of a plane of the ground that is below the body, or the net of a curved surface.
fn plane(contact: &SceneContact, stance: &Stance<'_>, picture: &mut Sketch, size: f64) {
    if let Some(surface) = &contact.surface {
        let origin = stance.place(contact.plane.body, contact.plane.point);
        let axes = axes(contact, stance);
        for line in &surface.lines {
            let places = line.iter().map(|&x| add(origin, in_world(&axes, x)));
            picture.net(&places.collect::<Vec<_>>());
        }
        return;
    }
    if contact.plane.body.is_some() {
        return;
    }
    let (normal, tangent) = (contact.plane.normal, contact.plane.tangent);
    let second = cross(normal, tangent);
    let body = stance.place(contact.body, [0.0; 3]);
    let off = |k: usize| body[k] - contact.plane.point[k];
    let height: f64 = (0..3).map(|k| off(k) * normal[k]).sum();
    let foot = add(body, scaled(normal, -height));
    let corner = |a: f64, b: f64| {
        let (a, b) = (scaled(tangent, a * size), scaled(second, b * size));
        add(foot, add(a, b))
    };
    let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    picture.sheet(&corners.map(|(a, b)| corner(a, b)));
}

/// A moment about an axis, as long as the radius of the arc; the largest moment goes round by three quarters.
fn arc(picture: &mut Sketch, at: SpaceVector, axis: SpaceVector, part: f64, paint: &str) {
    const STEPS: u32 = 32;
    let radius = across(axis);
    let axis = unit(axis);
    let guide = if axis[0].abs() < 0.9 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let first = unit(cross(axis, guide));
    let second = cross(axis, first);
    let whole = 1.5 * std::f64::consts::PI * part;
    let point = |i: u32| {
        let angle = whole * f64::from(i) / f64::from(STEPS);
        let (x, y) = (radius * angle.cos(), radius * angle.sin());
        add(at, add(scaled(first, x), scaled(second, y)))
    };
    let points: Vec<SpaceVector> = (0..=STEPS).map(point).collect();
    if part.abs() > 0.01 {
        picture.line(&points, paint);
        picture.head(points[points.len() - 2], points[points.len() - 1], paint);
    }
}

/// What the colours of a scene mean.
pub(crate) fn legend(scene: &Scene) -> Vec<(&'static str, &'static str)> {
    let joints = scene.arrows.iter().any(|arrow| arrow.friction.is_some());
    let loads = scene.arrows.iter().any(|arrow| arrow.friction.is_none());
    let mut entries = Vec::new();
    if joints || !scene.contacts.is_empty() {
        entries.extend([(STICK, "sticks"), (SLIP, "slips")]);
    }
    if loads {
        entries.push((LOAD, "load"));
    }
    entries
}
