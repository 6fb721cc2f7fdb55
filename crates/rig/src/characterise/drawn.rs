//! A block that a load and a spring draw over the ground: break-away and stick-slip.

use super::MeasurementFailure;
use super::block::SlidingBlock;
use bristle_laws::Friction;

/// A block at rest at x = 0, and what draws it along x from t = 0. SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnBlock {
    /// Mass, kg, above 0.
    pub mass: f64,
    /// Normal force, N, 0 or more.
    pub normal_force: f64,
    /// Growth of a load that starts at 0 N, N/s.
    pub load_rate: f64,
    /// Stiffness of a spring, N/m, 0 or more.
    pub stiffness: f64,
    /// Speed of the far end of the spring, m/s.
    pub speed: f64,
}

/// Where a block was at the times that were asked for. SI.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnMotion {
    /// Position, m.
    pub x: Vec<f64>,
    /// Velocity, m/s.
    pub v: Vec<f64>,
    /// Friction force, N: the block feels its negative.
    pub force: Vec<f64>,
}

/// Integrates m dv/dt = q t + k (V t − x) − F with q the growth of the load, k the stiffness of the
/// spring and V its speed. Times ascend from 0 s; every one is the end of a step.
///
/// ```
/// use bristle_laws::{Friction, friction};
/// use bristle_rig::characterise::{DrawnBlock, draw};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let card = &Friction::CARDS[0];
/// let law = Friction::build(card.name, &friction::typical(card))?;
/// let block = DrawnBlock { mass: 1.0, normal_force: 10.0, load_rate: 0.0, stiffness: 20.0, speed: 0.1 };
/// let motion = draw(&law, &block, &[0.0, 0.5, 1.0])?;
/// assert_eq!(motion.x.len(), 3);
/// assert!(motion.x[2] <= 0.1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// With the time, if the force is no finite number or the block needs too many steps.
pub fn draw(
    law: &Friction,
    block: &DrawnBlock,
    times: &[f64],
) -> Result<DrawnMotion, MeasurementFailure> {
    let end = times.last().copied().unwrap_or(0.0);
    let load = |t: f64| block.load_rate * t;
    let sliding = SlidingBlock {
        law,
        mass: block.mass,
        normal_force: block.normal_force,
        load: &load,
        spring: (block.stiffness, block.speed),
        corners: times,
        end,
        longest: f64::INFINITY,
    };
    let mut motion = DrawnMotion::default();
    sliding.run(&mut |point| {
        if times.get(motion.x.len()).is_some_and(|t| point.t >= *t) {
            motion.x.push(point.x);
            motion.v.push(point.v);
            motion.force.push(point.force);
        }
        true
    })?;
    Ok(motion)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

    use super::*;
    use bristle_laws::Value;

    /// Below its limit an elastic friction spring and the drawn one are an oscillator: with K the sum
    /// of both stiffnesses, x = q/K (t − sin(ω t)/ω), q the rate of the load and of the drawn spring.
    #[test]
    fn an_elastic_contact_swings_as_an_oscillator() {
        let number = |name: &str, x| (name.to_owned(), Value::Number(x));
        let values = vec![
            number("tangential_stiffness", 300.0),
            number("kinetic_coefficient", 100.0),
        ];
        let law = Friction::build("jenkins", &values).unwrap();
        let block = DrawnBlock {
            mass: 2.0,
            normal_force: 10.0,
            load_rate: 5.0,
            stiffness: 100.0,
            speed: 0.05,
        };
        let times: Vec<f64> = (0..=40).map(|i| 0.05 * f64::from(i)).collect();
        let motion = draw(&law, &block, &times).unwrap();
        let (sum, rate) = (400.0, 5.0 + 100.0 * 0.05);
        let omega = f64::sqrt(sum / 2.0);
        for (t, x) in times.iter().zip(&motion.x) {
            let expected = rate / sum * (t - (omega * t).sin() / omega);
            // steps are allowed 1e-4 each of the largest value
            assert!(
                (x - expected).abs() < 2e-3 * rate / sum,
                "{t}: {x} {expected}"
            );
        }
        assert_eq!(motion.v.len(), times.len());
    }
}
