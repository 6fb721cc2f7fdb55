//! Stops for the ranges of joints: where the coordinates start, and how hard the stops are.
//!
//! The formats give the ends of a range and no stiffness. A stop that fits every joint follows from the inertia I
//! that meets it: K = I ω² and D = 2 ζ I ω, with ω and ζ the same everywhere. At a radius of 1 m a depth (m) and an
//! angle (rad) have the same number, and K and D are those of the angle.

use bristle_laws::{LawCard, Normal};
use nalgebra::Vector3;

use crate::machine::{CoordinateName, ImportedMachine, MachineJoint, MachineStop, MassProperties};
use crate::numbers::number;
use crate::remarks::{ImportRemark, RemarkKind};

/// Frequency at which a joint swings on its stop, with all others held, Hz: a touch of 5 ms.
const FREQUENCY: f64 = 100.0;

/// Damping ratio of that swing.
const DAMPING_RATIO: f64 = 0.2;

/// How far a start may lie outside of a range, m or rad: files round to some six digits.
const ROUNDING: f64 = 1e-6;

/// What the constants above mean, for the head of the scenario.
pub(crate) fn assumption() -> String {
    format!(
        "Assumed: a joint alone swings on its\n\
         # stop at {} Hz with a damping ratio of {}, and bounces with {} of its speed; a radius of 1 m, so that the depth is\n\
         # the angle. Under a static load a real stop is stiffer or softer: replace `normal` by what is known.",
        number(FREQUENCY),
        number(DAMPING_RATIO),
        number((restitution() * 100.0).round() / 100.0)
    )
}

/// Speed after over speed before of a mass on a spring and damper that only press:
/// exp(−ζ/√(1−ζ²) · atan2(2ζ√(1−ζ²), 2ζ²−1)).
fn restitution() -> f64 {
    let z = DAMPING_RATIO;
    let root = (1.0 - z * z).sqrt();
    (-z / root * (2.0 * z * root).atan2(2.0 * z * z - 1.0)).exp()
}

/// The fields of the normal-force law of a stop that this inertia (kg or kg m²) meets, without braces:
/// those of the catalogue's law with a stiffness in N/m and a damping in N s/m.
pub(crate) fn law(inertia: f64) -> String {
    let omega = std::f64::consts::TAU * FREQUENCY;
    let stiffness = number(short(inertia * omega * omega));
    let damping = number(short(2.0 * DAMPING_RATIO * inertia * omega));
    let fields = |card: &LawCard<'_>| {
        let named = |unit: &str| card.parameters.iter().find(|own| own.unit == unit);
        let (k, d) = (named("N/m")?, named("N s/m")?);
        Some(format!(
            "law = \"{}\", {} = {stiffness}, {} = {damping}",
            card.name, k.name, d.name
        ))
    };
    Normal::CARDS.iter().find_map(fields).unwrap_or_default()
}

/// Three digits: more would claim a measurement.
pub(crate) fn short(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// Moves starts into the ranges. What follows another coordinate starts where that one says.
pub(crate) fn start_within(machine: &mut ImportedMachine, remarks: &mut Vec<ImportRemark>) {
    for stop in &machine.stops {
        let follows = machine
            .couplings
            .iter()
            .any(|coupling| coupling.to == stop.coordinate);
        let body = &mut machine.bodies[stop.coordinate.body];
        if follows || body.held.is_some() || stop.coordinate.name.is_some() {
            continue;
        }
        let given = body.start.unwrap_or(0.0);
        let start = given.clamp(stop.min, stop.max);
        if (start - given).abs() <= ROUNDING {
            continue;
        }
        body.start = Some(start);
        body.comments.push(format!(
            "starts at the end of its range: {} is outside",
            number(given)
        ));
        let what = "a joint that is outside of its range at 0: it starts at the nearer end";
        let detail = format!("{}: starts at {}", text(stop), number(start));
        remarks.push(
            ImportRemark::new(RemarkKind::Changed, stop.line, what, detail)
                .remedy("give the body another `coordinate` for the start"),
        );
    }
}

/// Gives stops the inertia that meets them, and leaves out those that cannot be.
pub(crate) fn settle(machine: &mut ImportedMachine, remarks: &mut Vec<ImportRemark>) {
    let totals = Totals::of(machine);
    let mut stops = std::mem::take(&mut machine.stops);
    stops.retain_mut(|stop| {
        let body = &machine.bodies[stop.coordinate.body];
        if body.held.is_some() {
            // it never moves
            return false;
        }
        let start = match stop.coordinate.name {
            None => body.start.unwrap_or(0.0),
            Some(_) => 0.0,
        };
        if start < stop.min - ROUNDING || start > stop.max + ROUNDING {
            let what = "limits of a joint that starts outside of them, and cannot start elsewhere: no stop";
            let detail = format!("{}: starts at {}", text(stop), number(start));
            remarks.push(
                ImportRemark::new(RemarkKind::Lost, stop.line, what, detail)
                    .remedy("change what it follows, or add a [joint_stop.NAME] with another range"),
            );
            return false;
        }
        stop.inertia = totals.inertia(machine, &stop.coordinate);
        if stop.inertia > 0.0 {
            return true;
        }
        let what = "limits of a joint that moves nothing: no stop";
        remarks.push(ImportRemark::new(RemarkKind::Lost, stop.line, what, text(stop)));
        false
    });
    machine.stops = stops;
}

fn text(stop: &MachineStop) -> String {
    let unit = if stop.coordinate.turns { "rad" } else { "m" };
    format!(
        "joint \"{}\": {} … {} {unit}",
        stop.name,
        number(stop.min),
        number(stop.max)
    )
}

/// What each body carries, itself included, in the axes of the body and with all coordinates at 0.
struct Totals(Vec<MassProperties>);

impl Totals {
    fn of(machine: &ImportedMachine) -> Self {
        let own = machine.bodies.iter();
        let mut totals: Vec<MassProperties> = own
            .map(|body| body.inertia.unwrap_or(MassProperties::NONE))
            .collect();
        // a parent stands before its children
        for (index, body) in machine.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                totals[parent] = totals[parent].with(&totals[index].placed(&body.place));
            }
        }
        Self(totals)
    }

    /// Inertia of a coordinate and of what is geared to it beside, kg or kg m².
    fn inertia(&self, machine: &ImportedMachine, own: &CoordinateName) -> f64 {
        let geared = machine.couplings.iter().filter(|c| c.from == *own);
        let geared = geared.filter(|c| !carries(machine, own.body, c.to.body));
        let geared: f64 = geared
            .map(|c| c.ratio * c.ratio * self.alone(machine, &c.to))
            .sum();
        self.alone(machine, own) + geared
    }

    fn alone(&self, machine: &ImportedMachine, own: &CoordinateName) -> f64 {
        let total = &self.0[own.body];
        if !own.turns {
            return total.mass;
        }
        let axis: Vector3<f64> = match machine.bodies[own.body].joint {
            MachineJoint::Revolute(axis)
            | MachineJoint::Cylindrical(axis)
            | MachineJoint::Planar(axis) => axis,
            MachineJoint::Universal(first, second) => {
                if own.name == Some("second_angle") {
                    second
                } else {
                    first
                }
            }
            _ => return 0.0,
        };
        // Steiner: the axis goes through the origin of the body
        let across = total.centre - axis * axis.dot(&total.centre);
        axis.dot(&(total.tensor * axis)) + total.mass * across.norm_squared()
    }
}

/// Whether a body carries another one.
fn carries(machine: &ImportedMachine, carrier: usize, body: usize) -> bool {
    let up = std::iter::successors(Some(body), |&at| machine.bodies[at].parent);
    up.take(machine.bodies.len()).any(|at| at == carrier)
}
