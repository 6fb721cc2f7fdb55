//! The plots that every run draws.

mod joint;
mod motion;

use bristle_mechanics::element::{
    Contact, Element, ElementInput, JointController, JointEffort, JointFriction, JointSpring,
};
use bristle_mechanics::{Frame, Joint, JointOwner, Model, Vec3};
use bristle_results::{ChannelTable, Plot};
use bristle_scenario::{PlotSpec, Scenario};

use crate::model;

const AXES: [&str; 3] = ["x", "y", "z"];
/// Points of a contact that are drawn one by one, at most.
const POINTS: usize = 24;
/// A direction this close to another one is the same to the eye: cos 0.8°.
const PARALLEL: f64 = 0.9999;

/// The plots of a run with these results, and those that the scenario asks for; these win where names
/// are equal.
pub(crate) fn of_scenario(scenario: &Scenario, table: &ChannelTable) -> Vec<Plot> {
    let own: Vec<Plot> = scenario.plots.iter().map(of_spec).collect();
    let mut plots = of_model(&scenario.model, scenario.plan.end_time, table);
    plots.retain(|plot| own.iter().all(|other| other.file != plot.file));
    plots.extend(own);
    plots
}

fn of_spec(spec: &PlotSpec) -> Plot {
    let (file, title, label) = (&*spec.file, &*spec.title, quantity(&spec.label));
    let (plot, x) = match &spec.against {
        Some((x, x_label)) => (
            Plot::against(file, title, axis(x_label, x), label),
            x.as_str(),
        ),
        None => (Plot::over_time(file, title, label), "t"),
    };
    let channels = spec.channels.iter();
    let plot = channels.fold(plot, |plot, channel| {
        plot.with_path(short(channel, &spec.channels), x, channel.as_str())
    });
    plot.during(spec.during)
}

/// A label without its unit: the axis finds that, with a prefix, from the channels.
fn quantity(label: &str) -> &str {
    match label.rsplit_once(" (") {
        Some((quantity, unit)) if unit.ends_with(')') => quantity,
        _ => label,
    }
}

/// What the horizontal axis is called: its quantity, or the last words of a number's name.
fn axis(label: &str, channel: &str) -> String {
    if label.is_empty() {
        channel
            .rsplit('.')
            .next()
            .unwrap_or(channel)
            .replace('_', " ")
    } else {
        quantity(label).to_owned()
    }
}

/// A channel's name without the words that all of `names` begin with.
fn short<'n>(name: &'n str, names: &[String]) -> &'n str {
    let starts = name.match_indices('.').map(|(at, _)| at + 1);
    let common = starts
        .take_while(|&end| names.iter().all(|other| other.starts_with(&name[..end])))
        .last();
    match common {
        Some(end) if names.len() > 1 => &name[end..],
        _ => name,
    }
}

/// Friction, load and slip of every contact and of every joint with friction, motion of every body,
/// energies.
fn of_model(model: &Model, end_time: f64, table: &ChannelTable) -> Vec<Plot> {
    let state = model.start();
    let frames = model.frames(state.t, &state.q, &state.v, &state.a);
    let scene = StartScene {
        model,
        frames,
        end_time,
    };
    let mut plots = Vec::new();
    for contact in model::contacts(model) {
        plots.extend(scene.contact(contact));
    }
    for friction in model.joint_frictions() {
        plots.extend(joint::of_joint(model, friction, scene.load_on(friction)));
    }
    let elements = model.elements().iter();
    for ball in elements.filter_map(|element| element.downcast()) {
        plots.extend(joint::of_ball(model, ball));
    }
    for body in model.bodies().iter().skip(1) {
        plots.extend(motion::of_body(body, table));
    }
    plots.push(energies());
    plots
}

/// A model and where its bodies are at the start.
struct StartScene<'m> {
    model: &'m Model,
    frames: Vec<Frame>,
    end_time: f64,
}

impl StartScene<'_> {
    fn contact(&self, contact: &Contact) -> Vec<Plot> {
        let name = &contact.name;
        let axis = self.world_axis(contact);
        let along = axis.map_or_else(String::new, |axis| format!(" along {axis}"));
        let quantity = axis.map_or("friction.magnitude".to_owned(), |a| format!("friction.{a}"));
        let mut total = Plot::over_time(
            format!("friction_{name}.svg"),
            format!("Friction of contact {name}{along}"),
            "force",
        );
        // the load comes first: where both are equal, friction is drawn over it
        if let Some((label, channel)) = self.load_along(contact) {
            total = total.with(label, channel);
        }
        let mut plots = vec![total.with("total friction", format!("contact.{name}.{quantity}"))];
        plots.extend(points(contact, &quantity, "Friction", "friction", &along));
        let normal = Plot::over_time(
            format!("normal_{name}.svg"),
            format!("Normal force of contact {name}"),
            "normal force",
        );
        plots.push(normal.with("total", format!("contact.{name}.normal_force")));
        plots.extend(points(
            contact,
            "normal_force",
            "Normal force",
            "normal",
            "",
        ));
        let slip = Plot::over_time(
            format!("slip_{name}.svg"),
            format!("Slip speed of contact {name}"),
            "slip speed",
        );
        plots.push(slip.with("fastest point", format!("contact.{name}.slip_speed")));
        if contact.resistance.is_some() {
            let couple = Plot::over_time(
                format!("resistance_{name}.svg"),
                format!("Rolling and spinning resistance of contact {name}"),
                "moment",
            );
            let moment = |what: &str| format!("contact.{name}.{what}_moment");
            let couple = couple.with("against rolling", moment("rolling"));
            plots.push(couple.with("against spinning", moment("spinning")));
        }
        plots
    }

    /// The world axis along which the body of a contact moves, if it moves along one: forces are
    /// then drawn with their sign.
    fn world_axis(&self, contact: &Contact) -> Option<&'static str> {
        let index = contact.body.index();
        let Joint::Prismatic { axis } = self.model.bodies().get(index)?.joint else {
            return None;
        };
        let direction = self.frames.get(index)?.r * axis;
        let largest = direction.iamax();
        (direction[largest] > PARALLEL).then(|| AXES[largest])
    }

    /// The one force or spring that pulls the body of a contact along its plane.
    fn load_along(&self, contact: &Contact) -> Option<(String, String)> {
        if !contact.surface.is_plane() {
            return None;
        }
        let plane = self.frames.get(contact.surface.body.index())?.r * contact.surface.axes;
        let normal: Vec3 = plane.column(2).into();
        let mut found = self.model.elements().iter().filter_map(|element| {
            let name = element.name();
            if !element.bodies().contains(&contact.body) {
                return None;
            }
            match element.kind() {
                "force" if self.acts_across(&**element, &normal) => Some((
                    format!("applied force {name}"),
                    format!("force.{name}.magnitude"),
                )),
                "spring" => Some((
                    format!("force of the spring {name}"),
                    format!("spring.{name}.force"),
                )),
                _ => None,
            }
        });
        let load = found.next()?;
        found.next().is_none().then_some(load)
    }

    /// The one load on the coordinate of a joint with friction: a motor or a spring there, or a force
    /// along the axis on which the body slides.
    fn load_on(&self, friction: &JointFriction) -> Option<(String, String)> {
        let place = (friction.joint, friction.place);
        let mut found = self.model.elements().iter().filter_map(|element| {
            let (name, kind) = (element.name(), element.kind());
            let on_coordinate = |own: (JointOwner, usize), word: &str, what: &str| {
                let named = (format!("{word} {name}"), format!("{kind}.{name}.{what}"));
                (own == place).then_some(named)
            };
            if let Some(effort) = element.downcast::<JointEffort>() {
                let word = if effort.turns { "torque" } else { "force" };
                return on_coordinate(
                    (effort.joint, effort.place),
                    &format!("applied {word}"),
                    "magnitude",
                );
            }
            if let Some(servo) = element.downcast::<JointController>() {
                let word = if servo.turns { "torque" } else { "force" };
                return on_coordinate(
                    (servo.joint, servo.place),
                    &format!("controlled {word}"),
                    "magnitude",
                );
            }
            if let Some(spring) = element.downcast::<JointSpring>() {
                let word = if spring.turns { "torque" } else { "force" };
                return on_coordinate(
                    (spring.joint, spring.place),
                    &format!("{word} of the spring"),
                    word,
                );
            }
            let named = (
                format!("applied force {name}"),
                format!("force.{name}.magnitude"),
            );
            (kind == "force" && self.acts_along(&**element, friction)).then_some(named)
        });
        let load = found.next()?;
        found.next().is_none().then_some(load)
    }

    /// Whether a force acts in the direction in which the body of a joint slides.
    fn acts_along(&self, force: &dyn Element, friction: &JointFriction) -> bool {
        let JointOwner::Body(body) = friction.joint else {
            return false;
        };
        let sliding = self
            .model
            .bodies()
            .get(body.index())
            .zip(self.frames.get(body.index()));
        let Some((Joint::Prismatic { axis }, frame)) = sliding.map(|(b, frame)| (&b.joint, frame))
        else {
            return false;
        };
        let axis = frame.r * axis;
        force.bodies().contains(&body)
            && self.all_forces(force, |vector, magnitude| {
                (vector - axis * magnitude).norm() <= 1e-3 * vector.norm()
            })
    }

    /// Whether a force acts at right angles to `normal`.
    fn acts_across(&self, force: &dyn Element, normal: &Vec3) -> bool {
        self.all_forces(force, |vector, _| {
            vector.dot(normal).abs() <= 1e-3 * vector.norm()
        })
    }

    /// Whether a force has a property whenever it acts, as far as samples over the run show: of its vector
    /// and its magnitude.
    fn all_forces(&self, force: &dyn Element, has: impl Fn(&Vec3, f64) -> bool) -> bool {
        const SAMPLES: u32 = 64;
        let (mut largest, mut all) = (0.0_f64, true);
        for i in 0..=SAMPLES {
            let t = self.end_time * f64::from(i) / f64::from(SAMPLES);
            let (mut components, mut sample) = (Vec::new(), Vec::new());
            let at = ElementInput {
                t,
                step: 0.0,
                stage: None,
                gravity: self.model.gravity(),
                frames: &self.frames,
                history: &[],
            };
            force.work_pairs(&at, &mut |pair| components.push(pair.force));
            let [x, y, z] = components[..] else {
                return false;
            };
            force.sample(&at, &mut sample);
            let vector = Vec3::new(x, y, z);
            largest = largest.max(vector.norm());
            all &= has(&vector, sample.first().copied().unwrap_or(0.0));
        }
        all && largest > 0.0
    }
}

/// One curve for each point of a contact, if there are several and not too many.
fn points(contact: &Contact, quantity: &str, title: &str, file: &str, along: &str) -> Option<Plot> {
    let name = &contact.name;
    let count = contact.points.len();
    let plot = Plot::over_time(
        format!("{file}_{name}.points.svg"),
        format!("{title} of the points of contact {name}{along}"),
        title.to_lowercase(),
    );
    let with = |plot: Plot, i: usize| {
        plot.with(
            format!("point {i}"),
            format!("contact.{name}.point{i}.{quantity}"),
        )
    };
    (count > 1 && count <= POINTS).then(|| (1..=count).fold(plot, with))
}

fn energies() -> Plot {
    let mut plot = Plot::over_time("energies.svg", "Energies", "energy");
    for (label, name) in [
        ("input", "input"),
        ("kinetic", "kinetic"),
        ("stored", "stored"),
        ("dissipated", "dissipated"),
    ] {
        plot = plot.with(label, format!("energy.{name}"));
    }
    plot
}
