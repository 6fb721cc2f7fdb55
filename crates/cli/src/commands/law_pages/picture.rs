//! The picture of a law on its page.

use std::sync::Arc;

use bristle_laws::card::{LawCard, Role};
use bristle_laws::curve::{Shape, TableCurve};
use bristle_laws::friction::{EXAMPLE, typical_value};
use bristle_laws::normal::Indentation;
use bristle_laws::parameters::Value;
use bristle_laws::{Friction, Normal, Values};
use bristle_results::{Figure, FigureAxis, FigureCurve, Result, draw_beside};
use bristle_rig::characterise::{self as bench, BenchOptions, MeasuredCurve, standard};

use super::{LawField, shown};
use crate::commands::characterise::axis;

/// The points of the example of a table: speed, m/s, and coefficient.
const POINTS: [(f64, f64); 3] = [(0.0, 0.15), (1e-3, 0.12), (1e-2, 0.1)];

/// Closing speeds of the impacts in the picture of a normal-force law, m/s.
const CLOSING: [f64; 2] = [0.2, 0.1];

/// Mass of the body that strikes, kg.
const MASS: f64 = 1.0;

/// Steps of an impact on a spring as stiff as the law; a picture shows no more.
const STEPS: u32 = 4000;

/// A law in pictures, and what they show.
pub(super) struct LawPicture {
    pub(super) svg: String,
    pub(super) alternative: String,
    pub(super) caption: String,
}

/// The picture of a law, where it builds with its typical parameters.
pub(super) fn draw(field: LawField, card: &LawCard) -> Result<Option<LawPicture>> {
    match field {
        LawField::Friction => friction(card),
        LawField::Normal => normal(card),
        LawField::Stribeck => stribeck(card),
    }
}

/// Steady sliding, and presliding loops, at the standard parameters.
fn friction(card: &LawCard) -> Result<Option<LawPicture>> {
    let Ok(law) = Friction::build(card.name, &standard(card.name).unwrap_or_default()) else {
        return Ok(None);
    };
    let curves = bench::portrait(&law, &BenchOptions::default());
    let figures: Vec<Figure> = curves.iter().map(figure).collect();
    Ok(Some(LawPicture {
        svg: draw_beside(card.name, &figures)?,
        alternative: "steady sliding, and presliding loops".to_owned(),
        caption: "10 N, with the parameters of the [test bench](../validation/characterisation.md): the force in \
                  steady sliding, and over a displacement with an inner loop, where the law has one."
            .to_owned(),
    }))
}

fn figure(curve: &MeasuredCurve) -> Figure {
    Figure {
        title: curve.picture.title.to_owned(),
        x: axis(curve.picture.x),
        y: axis(curve.picture.y),
        curves: vec![FigureCurve::new(&*curve.label, &*curve.x, &*curve.y)],
    }
}

/// The steady force of a law that has the curve.
fn stribeck(card: &LawCard) -> Result<Option<LawPicture>> {
    let mut values = standard(EXAMPLE.name).unwrap_or_default();
    values.retain(|(name, _)| name != Shape::FIELD);
    let shape = Shape::named(card.name).or_else(|| {
        // points have the levels and the speed in them
        let held = [Role::Stiffness, Role::Damping].map(|role| EXAMPLE.with_role(role));
        values.retain(|(name, _)| held.iter().flatten().any(|p| *p.name == **name));
        TableCurve::new(&POINTS)
            .ok()
            .map(|table| Shape::Table(Arc::new(table)))
    });
    values.extend(shape.map(|shape| (Shape::FIELD.to_owned(), Value::Curve(shape))));
    let Ok(law) = Friction::build(EXAMPLE.name, &values) else {
        return Ok(None);
    };
    let curves = bench::portrait(&law, &BenchOptions::default());
    let figures: Vec<Figure> = curves.iter().take(1).map(figure).collect();
    Ok(Some(LawPicture {
        svg: draw_beside(card.name, &figures)?,
        alternative: "steady sliding with this curve".to_owned(),
        caption: format!(
            "`{}` with this curve, 10 N, with the parameters of the [test \
             bench](../validation/characterisation.md): the force in steady sliding.",
            EXAMPLE.name
        ),
    }))
}

/// The force over the depth in an impact: up while the bodies close, down while they part.
fn normal(card: &LawCard) -> Result<Option<LawPicture>> {
    // of parameters that replace each other, those of the example
    let typical = shown(LawField::Normal, card).into_iter();
    let values: Values = typical
        .map(|p| (p.name.to_string(), typical_value(p)))
        .collect();
    let Ok(law) = Normal::build(card.name, &values) else {
        return Ok(None);
    };
    let curves = CLOSING.iter().map(|&speed| {
        let (depth, force): (Vec<f64>, Vec<f64>) = impact(&law, speed).into_iter().unzip();
        FigureCurve::new(format!("{speed} m/s"), depth, force)
    });
    let figure = Figure {
        title: "Force in an impact".to_owned(),
        x: FigureAxis::new("depth", "m"),
        y: FigureAxis::new("normal force", "N"),
        curves: curves.collect(),
    };
    Ok(Some(LawPicture {
        svg: draw_beside(card.name, &[figure])?,
        alternative: "force over depth in two impacts".to_owned(),
        caption: format!(
            "A body of 1 kg strikes at {} and {} m/s, with typical parameters: the force over the depth, while the \
             bodies close and part. The area within a curve is the energy lost.",
            CLOSING[0], CLOSING[1]
        ),
    }))
}

/// Depth (m) and force (N) of an impact, by the midpoint rule, until the bodies part.
fn impact(law: &Normal, speed: f64) -> Vec<(f64, f64)> {
    let force = |depth: f64, rate: f64| {
        let indentation = Indentation {
            depth,
            rate,
            impact_rate: speed,
        };
        law.evaluate(&indentation).force
    };
    // the period of a spring that takes the same energy at the same depth
    let depth = energy_depth(law, 0.5 * MASS * speed * speed);
    let h = 4.0 * depth / speed / f64::from(STEPS);
    let (mut x, mut v) = (0.0, speed);
    let mut path = vec![(0.0, 0.0)];
    for _ in 0..4 * STEPS {
        let (middle, rate) = (x + 0.5 * h * v, v - 0.5 * h * force(x, v) / MASS);
        let f = force(middle, rate);
        x += h * rate;
        v -= h * f / MASS;
        if x <= 0.0 {
            break;
        }
        path.push((x, force(x, v)));
    }
    path.push((0.0, 0.0));
    // enough for the eye
    let every = path.len().div_ceil(200);
    let last = path.len() - 1;
    let kept = path.into_iter().enumerate();
    // a damper acts from the first point on
    kept.filter(|(at, _)| at % every == 0 || *at == 1 || *at == last)
        .map(|(_, point)| point)
        .collect()
}

/// The depth at which the law stores an energy, by doubling and halving.
fn energy_depth(law: &Normal, energy: f64) -> f64 {
    let mut depth = 1e-9;
    while law.stored_energy(depth) < energy && depth < 1.0 {
        depth *= 1.1;
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kelvin and Voigt without damping is a spring: the deepest point is v √(m/k) and the largest
    /// force v √(m k); half a percent of the grid of points that are kept.
    #[test]
    fn an_impact_on_a_spring_is_half_a_sine() {
        let values = vec![
            ("stiffness".to_owned(), Value::Number(1e6)),
            ("damping".to_owned(), Value::Number(0.0)),
        ];
        let law = Normal::build("kelvin_voigt", &values).expect("a law");
        let path = impact(&law, 0.1);
        let deepest = path.iter().map(|p| p.0).fold(0.0, f64::max);
        let largest = path.iter().map(|p| p.1).fold(0.0, f64::max);
        assert!((deepest / 1e-4 - 1.0).abs() < 5e-3, "{deepest}");
        assert!((largest / 100.0 - 1.0).abs() < 5e-3, "{largest}");
    }
}
