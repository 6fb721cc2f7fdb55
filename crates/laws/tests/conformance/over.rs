//! Derivatives by the parameters of a law, from its text over dual numbers, against differences.

use crate::derivatives::Tally;
use crate::motion::{laws, wiggle};
use bristle_laws::{Friction, Real, Scalar, Slip, Step};
use num_dual::{Derivative, DualSVec64};

type Dual = DualSVec64<1>;

/// A number of a law: field, element, value.
type Number = (String, usize, f64);

fn numbers(law: &Friction) -> Vec<Number> {
    let mut numbers = Vec::new();
    law.with_parameters(&mut |field, element, x| {
        numbers.push((field.to_owned(), element, x));
        x
    })
    .expect("a law is itself");
    numbers
}

/// How much a number moves when `moved` does: fractions add to 1, so that the first one falls.
fn share(moved: &Number, (field, element): (&str, usize)) -> f64 {
    if field != moved.0 {
        0.0
    } else if element == moved.1 {
        1.0
    } else if field == "element_fractions" && element == 0 {
        -1.0
    } else {
        0.0
    }
}

/// A step with nothing that moves with a parameter.
fn constant<T: Scalar>(step: &Step<f64, 3>) -> Step<T, 3> {
    let slip = |slip: &Slip<f64, 3>| Slip {
        velocity: slip.velocity.map(T::from_f64),
        normal_force: T::from_f64(slip.normal_force),
        applied: slip.applied.map(T::from_f64),
    };
    Step {
        mean: slip(&step.mean),
        end: slip(&step.end),
        duration: step.duration,
    }
}

/// The forces along a motion, and the steady ones at its speeds.
fn forces<T: Scalar>(law: &Friction<T>, count: usize, steps: &[Step<f64, 3>]) -> Vec<T> {
    let mut old = vec![T::zero(); count];
    law.start(&constant::<T>(&steps[0]).mean, &mut old);
    let mut all = Vec::new();
    for step in steps.iter().map(constant::<T>) {
        let mut new = vec![T::zero(); count];
        all.extend(law.update(&step, &old, &mut new));
        let speed = step.end.velocity[0].abs();
        all.extend(law.steady(speed, step.end.normal_force));
        old = new;
    }
    all
}

fn slope(x: &Dual) -> f64 {
    x.eps.0.map_or(0.0, |eps| eps[0])
}

#[test]
fn derivatives_by_every_parameter_along_a_motion() {
    for (name, law) in laws() {
        let mut tally = Tally::default();
        let steps = wiggle::<3>(&law, 120);
        let count = law.layout().len(3);
        for moved in numbers(&law) {
            let follows = moved.0 == "element_fractions" && moved.1 == 0;
            if follows || moved.2 == 0.0 {
                continue;
            }
            let dual = law.with_parameters(&mut |field, element, x| {
                let d = share(&moved, (field, element));
                Dual::new(x, Derivative::some([d].into()))
            });
            let exact = forces(&dual.expect("the values of the law"), count, &steps);
            let column: Vec<f64> = exact.iter().map(slope).collect();
            let label = format!("{name} dF/d{}[{}]", moved.0, moved.1);
            tally.column(&label, &column, moved.2, |by| {
                let shifted = law.with_parameters(&mut |field, element, x| {
                    x + by * share(&moved, (field, element))
                });
                forces(&shifted.expect("a small step"), count, &steps)
            });
        }
        tally.finish(name, 60);
    }
}

/// The exponent of Dahl's law is smooth through 1, where the law has a formula of its own.
#[test]
fn the_exponent_of_dahl_through_one() {
    // y' = -|y|^n from y0 over a: at n = 1 dy/dn = y0 e^(-a) (a^2/2 - a ln y0), in closed form
    let law = law_of_dahl(1.0);
    let (sigma_0, mu_k, travel) = (1e4, 0.1, 2e-6);
    for z in [-5e-6, 0.0, 7e-6] {
        let (a, y) = (travel * sigma_0 / mu_k, 1.0 - z * sigma_0 / mu_k);
        let closed = y * (-a).exp() * (a * a / 2.0 - a * y.ln());
        let exact = after(&law, z, travel);
        // F = mu_k N (1 - y): rounding only
        assert!((exact + mu_k * closed).abs() < 1e-15, "{exact} {closed}");
        for n in [1.0 - 3e-7, 1.0 + 1e-4] {
            let near = after(&law_of_dahl(n), z, travel);
            // the second derivative is of order 0.1
            assert!((near - exact).abs() < 0.1 * (n - 1.0).abs(), "{n}: {near}");
        }
    }
}

/// dF/dn after a travel from a deflection, at 1 N.
fn after(law: &Friction<Dual>, z: f64, travel: f64) -> f64 {
    let step = Step::constant(
        Slip::new([Dual::from_f64(travel)], Dual::from_f64(1.0)),
        1.0,
    );
    let mut new = [Dual::from_f64(0.0)];
    slope(&law.update(&step, &[Dual::from_f64(z)], &mut new)[0])
}

fn law_of_dahl(n: f64) -> Friction<Dual> {
    let card = Friction::card_of("dahl").expect("in the catalogue");
    let law = Friction::build("dahl", &bristle_laws::friction::typical(card)).expect("sound");
    let over = law.with_parameters(&mut |field, _, x| {
        if field == "dahl_exponent" {
            Dual::new(n, Derivative::some([1.0].into()))
        } else {
            Dual::from_f64(x)
        }
    });
    over.expect("sound")
}
