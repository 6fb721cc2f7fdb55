//! The load of a contact, or of the friction in a joint, over time.

use bristle_integrate::State;
use bristle_mechanics::element::{
    Assembly, Contact, Element, ElementInput, JointElement, JointFriction, JointLoad,
    NormalForceSource, TangentWeights,
};
use bristle_mechanics::{Body, BodyId, Frame, Joint, JointOwner, Model};
use nalgebra::{Matrix6, Vector3};

/// Loads closer to the limit than this share count as sliding.
pub(super) const SLIDING: f64 = 0.999;

/// What presses and pulls on a contact at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLoad {
    /// Time, s.
    pub t: f64,
    /// Tangential force that friction has to hold, N, in the axes of the plane.
    pub tangential: [f64; 2],
    /// Normal force of all points, N.
    pub normal: f64,
}

impl ContactLoad {
    /// Size of the tangential force, N.
    pub fn size(&self) -> f64 {
        self.tangential[0].hypot(self.tangential[1])
    }
}

/// The loads of a pair, and the mass that they move.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadHistory {
    /// Mass that moves with the slip, kg.
    pub mass: f64,
    /// In the order of time.
    pub all: Vec<ContactLoad>,
}

/// A pull this small beside the force or moment that it is a part of is one of rounding.
const ROUNDING: f64 = 1e-12;

/// Moments that are looked at, besides those at which a load jumps.
const TIMES: u32 = 4000;

/// The load of a contact from the start to `end_time`.
///
/// `None` where it is not known without a simulation: a body that moves another one or is moved
/// by it, several contacts on the body, a plane that moves, a curved surface.
pub fn loads(model: &Model, contact: &Contact, end_time: f64) -> Option<LoadHistory> {
    let joint = &model.bodies()[contact.body.index()].joint;
    // other joints take a part of the load
    let open = matches!(
        joint,
        Joint::Free | Joint::Prismatic { .. } | Joint::Planar { .. }
    );
    let fixed = contact.surface.body == BodyId::GROUND && contact.surface.is_plane();
    let one = Neighbours {
        contacts: 1,
        joint_elements: 0,
    };
    if !open || !fixed || !alone(model, contact.body, one) {
        return None;
    }
    let state = model.start();
    let at = |t: f64| load_at(model, contact, &state, t);
    Some(LoadHistory {
        mass: model.bodies()[contact.body.index()].inertia.mass,
        all: times(model, end_time)?.into_iter().map(at).collect(),
    })
}

/// The load of the friction in a joint from the start to `end_time`, at its friction radius.
///
/// A load from the reaction of the joint is that of the joint at rest: the reaction balances all
/// other forces. `None` where it is not known without a simulation, as for a contact; of a
/// cylindrical joint also where the other coordinate moves, for nothing holds it.
pub fn joint_loads(model: &Model, friction: &JointFriction, end_time: f64) -> Option<LoadHistory> {
    let JointOwner::Body(owner) = friction.joint else {
        return None;
    };
    let body = &model.bodies()[owner.index()];
    let frictions: Vec<&JointFriction> = model
        .joint_frictions()
        .filter(|other| other.joint == friction.joint)
        .collect();
    let places: &[usize] = match &body.joint {
        Joint::Revolute { .. } | Joint::Prismatic { .. } => &[0],
        Joint::Cylindrical { .. } => &[0, 1],
        _ => return None,
    };
    let count = |place: usize| frictions.iter().filter(|f| f.place == place).count();
    let one_each = places.iter().all(|place| count(*place) <= 1);
    let own = Neighbours {
        contacts: 0,
        joint_elements: frictions.len(),
    };
    let known = one_each && alone(model, owner, own);
    if !body.drives.is_empty() || !known {
        return None;
    }
    let state = model.start();
    let at = |t: f64| {
        let frames = model.frames(t, &state.q, &state.v, &state.a);
        let pull = Pull::of(model, owner, t, &frames);
        let others = places.iter().filter(|place| **place != friction.place);
        let mut rests = others.map(|place| {
            let own = frictions.iter().find(|other| other.place == *place);
            let started = body.velocity.get(*place).is_some_and(|v| v.abs() > 0.0);
            !started && own.map_or_else(|| pull.vanishes(*place), |own| pull.is_held_by(own, t))
        });
        rests.all(|rests| rests).then(|| pull.on(friction, t))?
    };
    let all = times(model, end_time)?.into_iter().map(at);
    Some(LoadHistory {
        mass: moved_mass(body, friction),
        all: all.collect::<Option<_>>()?,
    })
}

/// What pulls at a body with a joint, about the origin of the body.
struct Pull<'a> {
    joint: &'a Joint,
    /// Of the joint.
    axis: Vector3<f64>,
    force: Vector3<f64>,
    moment: Vector3<f64>,
}

impl<'a> Pull<'a> {
    fn of(model: &'a Model, of: BodyId, t: f64, frames: &[Frame]) -> Self {
        let (body, frame) = (&model.bodies()[of.index()], &frames[of.index()]);
        let total = Total::of(model, of, t, frames);
        let arm = frame.r * body.inertia.centre;
        let weight = model.gravity() * body.inertia.mass;
        Self {
            joint: &body.joint,
            axis: axis(&body.joint).map_or_else(Vector3::zeros, |axis| frame.r * axis),
            force: total.force,
            moment: total.moment + arm.cross(&weight),
        }
    }

    /// The force or the moment that acts on a coordinate.
    fn acting(&self, place: usize) -> &Vector3<f64> {
        if turns(self.joint, place) {
            &self.moment
        } else {
            &self.force
        }
    }

    /// Whether nothing but rounding moves a coordinate.
    fn vanishes(&self, place: usize) -> bool {
        let acting = self.acting(place);
        self.axis.dot(acting).abs() <= ROUNDING * acting.norm()
    }

    /// Whether the friction of another coordinate keeps it at rest.
    fn is_held_by(&self, other: &JointFriction, t: f64) -> bool {
        let held = |load: ContactLoad| {
            let most = other.friction.law()?.highest_level()? * load.normal;
            Some(load.size() < SLIDING * most || load.size() <= 0.0)
        };
        self.on(other, t).and_then(held).unwrap_or(false)
    }

    /// The load of a friction of the joint.
    fn on(&self, friction: &JointFriction, t: f64) -> Option<ContactLoad> {
        let pull = self.axis.dot(self.acting(friction.place)) / friction.lever();
        let normal = match &friction.load {
            JointLoad::Given(normal) => normal.value(t).max(0.0),
            JointLoad::Reaction { .. } => {
                friction.reaction(&self.axis, &self.force, &self.moment)?
            }
        };
        Some(ContactLoad {
            t,
            tangential: [pull, 0.0],
            normal,
        })
    }
}

/// The axis of a joint that may have friction, in the axes of the body.
fn axis(joint: &Joint) -> Option<&Vector3<f64>> {
    match joint {
        Joint::Revolute { axis } | Joint::Prismatic { axis } | Joint::Cylindrical { axis } => {
            Some(axis)
        }
        _ => None,
    }
}

/// Whether a coordinate is an angle.
fn turns(joint: &Joint, place: usize) -> bool {
    match joint {
        Joint::Revolute { .. } => true,
        Joint::Cylindrical { .. } => place == 1,
        _ => false,
    }
}

/// The mass at the friction radius that has the inertia of the body in its joint, kg.
fn moved_mass(body: &Body, friction: &JointFriction) -> f64 {
    let inertia = &body.inertia;
    let Some((axis, radius)) = axis(&body.joint).zip(friction.radius) else {
        return inertia.mass;
    };
    let arm = axis.cross(&inertia.centre).norm();
    let about = axis.dot(&(inertia.tensor * axis)) + inertia.mass * arm * arm;
    about / (radius * radius)
}

/// The moments that are looked at, ascending.
fn times(model: &Model, end_time: f64) -> Option<Vec<f64>> {
    if end_time.is_nan() || end_time <= 0.0 {
        return None;
    }
    let mut times: Vec<f64> = (0..=TIMES)
        .map(|k| end_time * f64::from(k) / f64::from(TIMES))
        .collect();
    for element in model.elements() {
        let jumps = element.breakpoints(end_time);
        // on both sides of a jump
        times.extend(jumps.iter().flat_map(|t| [t.next_down(), t.next_up()]));
    }
    times.retain(|t| (0.0..=end_time).contains(t));
    times.sort_by(f64::total_cmp);
    Some(times)
}

/// What holds a body beside its joint.
#[derive(Clone, Copy, PartialEq)]
struct Neighbours {
    contacts: usize,
    joint_elements: usize,
}

/// Whether nothing but so many contacts and elements of its joint stand between the body and what
/// does not move by itself.
fn alone(model: &Model, body: BodyId, allowed: Neighbours) -> bool {
    let parent = |body: BodyId| model.bodies()[body.index()].parent;
    let carries = model.bodies().iter().any(|other| other.parent == body);
    if carries || !rests(model, parent(body)) {
        return false;
    }
    let mut found = Neighbours {
        contacts: 0,
        joint_elements: 0,
    };
    for element in model.elements_on(body) {
        let joint = element.on_joint().map(JointElement::joint);
        found.joint_elements += usize::from(joint.is_some_and(|(of, _)| of.moving() == body));
        found.contacts += usize::from(element.downcast::<Contact>().is_some());
        if found.contacts > allowed.contacts || found.joint_elements > allowed.joint_elements {
            return false;
        }
        let others = element.bodies().into_iter();
        if others
            .filter(|other| *other != body)
            .any(|other| moves(model, other))
        {
            return false;
        }
    }
    found == allowed
}

/// Whether a body stands still whatever happens: a motion of its own, prescribed or driven, loads
/// what it carries by inertia.
fn rests(model: &Model, mut body: BodyId) -> bool {
    while body != BodyId::GROUND {
        let this = &model.bodies()[body.index()];
        if !matches!(this.joint, Joint::Fixed) {
            return false;
        }
        body = this.parent;
    }
    true
}

/// Whether a body has a degree of freedom on its way to the ground.
fn moves(model: &Model, mut body: BodyId) -> bool {
    while body != BodyId::GROUND {
        let this = &model.bodies()[body.index()];
        if this.dofs() > 0 {
            return true;
        }
        body = this.parent;
    }
    false
}

fn load_at(model: &Model, contact: &Contact, state: &State, t: f64) -> ContactLoad {
    let frames = model.frames(t, &state.q, &state.v, &state.a);
    let body = &model.bodies()[contact.body.index()];
    let total = Total::of(model, contact.body, t, &frames);
    let axes = contact.surface.axes;
    let normal = axes.column(2).dot(&total.force);
    let mut pull = total.force - axes.column(2) * normal;
    if let Joint::Prismatic { axis } = &body.joint {
        // the guide takes the rest; the joint frame turns with the body, which does not turn
        let along = frames[contact.body.index()].r * axis;
        pull = along * along.dot(&total.force);
    }
    let normal = match &contact.normal {
        NormalForceSource::Prescribed(signal) => {
            signal.value(t).max(0.0) * contact.points.len() as f64
        }
        NormalForceSource::Law(_) => (-normal).max(0.0),
    };
    ContactLoad {
        t,
        tangential: [axes.column(0).dot(&pull), axes.column(1).dot(&pull)],
        normal,
    }
}

/// Adds the forces on one body up.
struct Total {
    body: BodyId,
    force: Vector3<f64>,
    /// About the origin of the body, without that of gravity.
    moment: Vector3<f64>,
}

impl Total {
    /// Of gravity and all elements but contacts.
    fn of(model: &Model, body: BodyId, t: f64, frames: &[Frame]) -> Self {
        let mut total = Self {
            body,
            force: model.gravity() * model.bodies()[body.index()].inertia.mass,
            moment: Vector3::zeros(),
        };
        for element in model.elements() {
            let Some(element) = element.on_frames() else {
                continue;
            };
            if (element as &dyn Element).downcast::<Contact>().is_none() {
                let mut history = vec![0.0; element.history_len()];
                let kept = history.clone();
                let input = ElementInput {
                    t,
                    step: 0.0,
                    stage: None,
                    gravity: model.gravity(),
                    frames,
                    history: &kept,
                };
                element.apply(&input, &mut history, &mut total);
            }
        }
        total
    }
}

impl Assembly for Total {
    fn weights(&self) -> Option<TangentWeights> {
        None
    }
    fn wrench(&mut self, body: BodyId, force: &Vector3<f64>, moment: &Vector3<f64>) {
        if body == self.body {
            self.force += force;
            self.moment += moment;
        }
    }
    fn block(&mut self, _row: BodyId, _column: BodyId, _block: &Matrix6<f64>) {}
    fn moves(&self, _body: BodyId) -> bool {
        true
    }
}
