//! Bodies that move need a mass, and an inertia that a solid can have.
//!
//! What is rigid together counts together: a link without mass may carry fixed ones that have it, and the
//! odd inertia of a fixed link may be sound as a part of the whole. Such groups become one body, which moves
//! in the same way.

use nalgebra::{Matrix3, Vector3};

use crate::machine::{ImportedMachine, MachineBody, MachineJoint, MassProperties, symmetric};
use crate::numbers;
use crate::remarks::{ImportProblem, ImportRemark, RemarkKind};

/// Mass of a body that moves and has none, kg, where repair is asked for.
const REPAIRED_MASS: f64 = 1e-3;

/// Radius of the ball that gives it moments of inertia, m.
const REPAIRED_RADIUS: f64 = 0.01;

/// How far the largest principal moment may exceed the sum of the others, and the least may be negative,
/// relative: a flat body has equality, and files round.
const ROUNDING: f64 = 1e-9;

/// Radius of gyration below which moments of inertia are the noise of a program that wrote 0, m.
const NOISE: f64 = 1e-6;

/// Gives every body that moves a mass and an inertia that Bristle takes.
pub(crate) fn settle(
    machine: &mut ImportedMachine,
    repair: bool,
    remarks: &mut Vec<ImportRemark>,
) -> Result<(), Vec<ImportProblem>> {
    let mut problems = Vec::new();
    for index in 0..machine.bodies.len() {
        silence(&mut machine.bodies[index], remarks);
    }
    for index in 0..machine.bodies.len() {
        let body = &machine.bodies[index];
        if let Some(own) = body.inertia.filter(|own| own.mass < 0.0) {
            problems.push(ImportProblem::new(
                body.line,
                format!(
                    "{}: the mass is {} kg",
                    body.origin,
                    numbers::number(own.mass)
                ),
                "a mass is 0 or positive",
            ));
        } else if body.joint != MachineJoint::Fixed {
            unite(machine, index, remarks);
            if let Err(problem) = judge(&mut machine.bodies[index], repair, remarks) {
                problems.push(problem);
            }
        } else if !carried(machine, index) {
            rest(&mut machine.bodies[index], remarks);
        }
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// Makes a body a point whose moments are rounding errors.
fn silence(body: &mut MachineBody, remarks: &mut Vec<ImportRemark>) {
    let Some(own) = body.inertia.as_mut() else {
        return;
    };
    let largest = own.tensor.amax();
    if largest > 0.0 && largest < own.mass * NOISE * NOISE {
        let detail = format!("{}: {}", body.origin, moments_text(&own.tensor));
        let what = "moments of inertia that are rounding errors: the body is a point mass";
        remarks.push(ImportRemark::new(
            RemarkKind::Changed,
            body.line,
            what,
            detail,
        ));
        own.tensor = Matrix3::zeros();
    }
}

/// Whether a body that is fixed to its parent moves with it.
fn carried(machine: &ImportedMachine, index: usize) -> bool {
    let mut at = Some(index);
    while let Some(body) = at.and_then(|at| machine.bodies.get(at)) {
        if body.joint != MachineJoint::Fixed {
            return true;
        }
        at = body.parent;
    }
    false
}

/// A body that stands on the ground: an odd inertia has no effect, and goes.
fn rest(body: &mut MachineBody, remarks: &mut Vec<ImportRemark>) {
    let Some(own) = body.inertia.as_mut() else {
        return;
    };
    if is_odd(&own.tensor) {
        remarks.push(
            ImportRemark::new(
                RemarkKind::Doubtful,
                body.line,
                "inertia that no solid has, left out: the body stands on the ground, where it has no effect",
                format!("{}: {}", body.origin, moments_text(&own.tensor)),
            )
            .remedy("correct the inertia before you let the body move"),
        );
        own.tensor = Matrix3::zeros();
    }
}

/// Makes a body one with what is fixed to it, if one of them is not sound by itself.
fn unite(machine: &mut ImportedMachine, carrier: usize, remarks: &mut Vec<ImportRemark>) {
    let members = members(machine, carrier);
    let own = machine.bodies[carrier].inertia;
    // a body without mass has no inertia in a scenario, whatever its moments
    let is_odd_itself = |body: &MachineBody| {
        let own = body.inertia.filter(|own| own.tensor.amax() > 0.0);
        own.is_some_and(|own| own.mass == 0.0 || is_odd(&own.tensor))
    };
    let massless = own.is_none_or(|own| own.mass == 0.0);
    let all_sound = !massless
        && !is_odd_itself(&machine.bodies[carrier])
        && !members
            .iter()
            .any(|&(index, _)| is_odd_itself(&machine.bodies[index]));
    if all_sound {
        return;
    }
    let mut sum = own.unwrap_or(MassProperties::NONE);
    let carrier_name = machine.bodies[carrier].name.clone();
    let mut names = Vec::new();
    for (index, place) in members {
        let body = &mut machine.bodies[index];
        if let Some(inertia) = body.inertia.take() {
            sum = sum.with(&inertia.placed(&place));
            names.push(body.name.clone());
            body.comments
                .push(format!("its mass is counted in {carrier_name}"));
        }
    }
    if names.is_empty() {
        return;
    }
    let body = &mut machine.bodies[carrier];
    body.inertia = Some(sum);
    body.comments
        .push(format!("mass and inertia with {}", names.join(", ")));
    remarks.push(ImportRemark::new(
        RemarkKind::Changed,
        body.line,
        "mass and inertia of fixed links counted in the body that carries them, since one of them alone is \
         no body that can move",
        format!("{} with {}", body.origin, names.join(", ")),
    ));
}

/// The bodies that are fixed to one, directly or through others, with their places in it.
fn members(machine: &ImportedMachine, carrier: usize) -> Vec<(usize, crate::machine::Placement)> {
    let mut members: Vec<(usize, crate::machine::Placement)> = Vec::new();
    // a parent stands before its children
    for (index, body) in machine.bodies.iter().enumerate().skip(carrier + 1) {
        if body.joint != MachineJoint::Fixed {
            continue;
        }
        if body.parent == Some(carrier) {
            members.push((index, body.place));
        } else if let Some((_, place)) = members.iter().find(|(at, _)| Some(*at) == body.parent) {
            let place = place.then(&body.place);
            members.push((index, place));
        }
    }
    members
}

/// Refuses what cannot move, or repairs it.
fn judge(
    body: &mut MachineBody,
    repair: bool,
    remarks: &mut Vec<ImportRemark>,
) -> Result<(), ImportProblem> {
    let mut own = body.inertia.unwrap_or(MassProperties::NONE);
    let turns = matches!(body.joint, MachineJoint::Free | MachineJoint::Spherical);
    let word = body.joint.word();
    let mut changes = Vec::new();
    if own.mass == 0.0 {
        if !repair {
            return Err(ImportProblem::new(
                body.line,
                format!(
                    "{}: it moves ({word}) and has no mass, nor has what is fixed to it",
                    body.origin
                ),
                "add an <inertial> with its mass, make the joint fixed, or let --repair give it a gram",
            ));
        }
        own.mass = REPAIRED_MASS;
        changes.push(format!("mass 0 made {} kg", numbers::number(own.mass)));
    }
    let flat = turns && own.tensor.symmetric_eigenvalues().min() <= 0.0;
    if is_odd(&own.tensor) || flat || (repair && !changes.is_empty()) {
        let found = moments_text(&own.tensor);
        if !repair {
            return Err(ImportProblem::new(
                body.line,
                format!(
                    "{}: principal moments of inertia {found}: no solid has them (each must be positive, none \
                     larger than the sum of the others)",
                    body.origin
                ),
                "correct <inertia>, or let --repair raise the least moments until they can be those of a solid",
            ));
        }
        own.tensor = repaired(&own);
        changes.push(format!(
            "principal moments {found} made {}",
            moments_text(&own.tensor)
        ));
    }
    if !changes.is_empty() {
        body.inertia = Some(own);
        body.comments
            .push(format!("repaired: {}", changes.join("; ")));
        remarks.push(
            ImportRemark::new(
                RemarkKind::Changed,
                body.line,
                "mass or inertia repaired",
                format!("{}: {}", body.origin, changes.join("; ")),
            )
            .remedy("replace them by measured values"),
        );
    }
    Ok(())
}

/// Whether no solid has this inertia; none at all is that of a point.
pub(crate) fn is_odd(tensor: &Matrix3<f64>) -> bool {
    if tensor.amax() == 0.0 {
        return false;
    }
    let moments = tensor.symmetric_eigenvalues();
    let (sum, largest) = (moments.sum(), moments.max());
    moments.min() < -ROUNDING * largest || largest > (sum - largest) * (1.0 + ROUNDING)
}

/// The least change of an inertia to that of a solid: moments of a ball where there are none; else negative
/// ones become 0, and both smaller ones grow until their sum is the largest.
fn repaired(own: &MassProperties) -> Matrix3<f64> {
    let ball = 0.4 * own.mass * REPAIRED_RADIUS * REPAIRED_RADIUS;
    if own.tensor.amax() == 0.0 {
        return Matrix3::identity() * ball;
    }
    let eigen = own.tensor.symmetric_eigen();
    let mut moments = eigen.eigenvalues.map(|x| x.max(0.0));
    let largest = moments.imax();
    let top = moments[largest];
    if top == 0.0 {
        return Matrix3::identity() * ball;
    }
    let rest = moments.sum() - top;
    for i in (0..3).filter(|i| *i != largest) {
        if rest <= 0.0 {
            moments[i] = 0.5 * top;
        } else if rest < top {
            moments[i] *= top / rest;
        }
    }
    // a moment of 0 leaves a turn without inertia
    moments = moments.map(|x| x.max(1e-6 * top));
    let axes = eigen.eigenvectors;
    symmetric(&(axes * Matrix3::from_diagonal(&moments) * axes.transpose()))
}

fn moments_text(tensor: &Matrix3<f64>) -> String {
    let mut moments: Vec<f64> = tensor.symmetric_eigenvalues().iter().copied().collect();
    moments.sort_by(f64::total_cmp);
    let v = Vector3::from_row_slice(&moments);
    format!("{:.4e}, {:.4e}, {:.4e} kg m²", v.x, v.y, v.z)
}
