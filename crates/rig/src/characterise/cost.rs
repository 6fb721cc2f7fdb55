//! What a law costs an integrator.

use super::{Bench, Card, Feature, standard, stick_slip};
use bristle_integrate::{Control, Flow, Method, Plan, Statistics};
use bristle_laws::card::Behaviour;
use bristle_laws::{Friction, REFERENCE};
use bristle_mechanics::element::{
    Attachment, Contact, ContactPoint, NormalForceSource, Spring, Surface,
};
use bristle_mechanics::record::{RowObserver, Start, simulate};
use bristle_mechanics::{Body, BodyId, Inertia, Joint, Model, ModelBuilder, Prescribed, Vec3};
use bristle_signals::{Ramp, RampShape, Signal};

const CARD: Card = Card {
    key: "computational_cost",
    title: "Computationally efficient",
    quantity: "iterations over 15 s of stick-slip",
    unit: "1",
    criterion: "the integrator needs at most twice the iterations of LuGre (standard set) for the stick-slip run, Newmark with error control, tolerance 1e-6",
};

/// A run that takes more steps than this is given up.
const MOST_STEPS: usize = 50_000;

/// Counts the steps, and looks at nothing else.
struct Blind {
    steps: usize,
}

impl RowObserver for Blind {
    fn row(&mut self, _values: &[f64]) -> Flow {
        Flow::Continue
    }

    fn step(&mut self, _t: f64) -> Flow {
        self.steps += 1;
        if self.steps < MOST_STEPS {
            Flow::Continue
        } else {
            Flow::Stop
        }
    }
}

/// A block on a drawn spring; `None` if the numbers make no model.
fn model(bench: &Bench<'_>, law: &Friction) -> Option<Model> {
    let options = bench.options;
    let mut builder = ModelBuilder::new();
    let inertia = Inertia {
        mass: options.mass,
        ..Inertia::NONE
    };
    let slider = Joint::Prismatic { axis: Vec3::x() };
    let block = builder.body(Body::new("block", slider, inertia)).ok()?;
    let drawn = Prescribed {
        direction: Vec3::x(),
        displacement: Signal::ramp(Ramp {
            from: 0.0,
            to: options.drawing_speed * 2.0 * stick_slip::END,
            start: 0.0,
            duration: 2.0 * stick_slip::END,
            shape: RampShape::Linear,
        })
        .ok()?,
        axis: Vec3::z(),
        angle: Signal::Constant(0.0),
    };
    let end = Body::new("end", Joint::Prescribed(drawn), Inertia::NONE);
    let end = builder.body(end).ok()?;
    let contact = Contact {
        name: "base".to_owned(),
        body: block,
        points: vec![ContactPoint::new(Vec3::zeros())],
        surface: Surface::plane(BodyId::GROUND, Vec3::zeros(), Vec3::z()),
        normal: NormalForceSource::Prescribed(Signal::Constant(options.normal_force)),
        friction: law.clone().into(),
        slip_speed: law.slip_speed(),
        resistance: None,
    };
    let attach = |body| Attachment {
        body,
        point: Vec3::zeros(),
    };
    let spring = Spring {
        name: "spring".to_owned(),
        from: attach(block),
        to: attach(end),
        stiffness: options.stiffness,
        cubic: 0.0,
        damping: 0.0,
        length: 0.0,
    };
    builder.element(Box::new(contact)).ok()?;
    builder.element(Box::new(spring)).ok()?;
    Some(builder.build())
}

/// Steps and iterations of the run, or why it ended early.
fn run(bench: &Bench<'_>, law: &Friction) -> Result<Statistics, String> {
    let model = model(bench, law).ok_or("the model cannot be built")?;
    let plan = Plan {
        method: Method::NEWMARK,
        end_time: stick_slip::END,
        tolerance: 1e-6,
        control: Control::Adaptive {
            min_step: 1e-10,
            max_step: 0.05,
            first_step: 1e-5,
        },
    };
    let mut blind = Blind { steps: 0 };
    let outcome = simulate(&model, &plan, Start::AsGiven, stick_slip::END, &mut blind);
    match outcome.error {
        Some(error) => Err(error.to_string()),
        None if outcome.statistics.stopped => {
            let t = outcome.end_time;
            Err(format!("given up at t = {t:.3} s after {MOST_STEPS} steps"))
        }
        None => Ok(outcome.statistics),
    }
}

pub(super) fn measure(bench: &mut Bench<'_>) -> Feature {
    bench.measure(&CARD, |bench, feature| {
        let reference = Friction::build(REFERENCE, &standard(REFERENCE).unwrap_or_default());
        let reference = reference
            .map_err(|e| e.to_string())
            .and_then(|law| run(bench, &law));
        match (run(bench, bench.law), reference) {
            (Ok(own), Ok(reference)) => {
                feature.value = Some(own.iterations as f64);
                feature.push("steps", own.steps as f64, "1");
                feature.push("rejected steps", own.rejected as f64, "1");
                feature.push("iterations of LuGre", reference.iterations as f64, "1");
                feature.verdict = (own.iterations <= 2 * reference.iterations).into();
            }
            (Err(error), _) => {
                feature.verdict = false.into();
                feature.note(&format!("the run does not get through: {error}"));
                if bench.law.card().does(Behaviour::AppliedForce) {
                    feature.note(
                        "a contact does not know the applied force that this law holds at rest",
                    );
                }
            }
            (_, Err(error)) => feature.note(&format!("no reference: {error}")),
        }
        Ok(())
    })
}
