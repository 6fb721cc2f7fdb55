//! A law knows no axes unless its card says so: rotations, reflections and embeddings change nothing.

use crate::motion::{LOAD, Pair, laws, length, map_slip, map_state, map_step, stop_and_go, wiggle};
use bristle_laws::card::Behaviour;
use bristle_laws::{Friction, Slip, Step};

/// The laws without an axis of their own.
fn isotropic_laws() -> impl Iterator<Item = (&'static str, Friction)> {
    laws().filter(|(_, law)| !law.card().does(Behaviour::Anisotropic))
}

/// Both views along a motion and along its image give images of one another.
fn equivariant<const D: usize, const E: usize>(
    name: &str,
    law: &Friction,
    steps: &[Step<f64, D>],
    map: &impl Fn(&[f64; D]) -> [f64; E],
    tolerance: f64,
) {
    let mut pair = Pair::at_start(law, &steps[0].mean);
    let mut image = Pair::at_start(law, &map_slip(&steps[0].mean, map));
    for (k, step) in steps.iter().enumerate() {
        let (force, forced) = (pair.advance(step), image.advance(&map_step(step, map)));
        near(name, k, &map(&force), &forced, tolerance * LOAD);
        let mapped = map_state(law, &pair.state, map);
        let size = length(&mapped).max(f64::MIN_POSITIVE);
        near(name, k, &mapped, &image.state, tolerance * size);
        // the continuous view, from the very same state
        let (mut rates, mut rated) = (vec![0.0; pair.state.len()], vec![0.0; mapped.len()]);
        let force = law.rates(&step.end, &pair.state, &mut rates);
        let forced = law.rates(&map_slip(&step.end, map), &mapped, &mut rated);
        let (value, turned) = (length(&force), length(&forced));
        // |F| must not know the axes (case C10)
        assert!(
            (value - turned).abs() <= tolerance * LOAD,
            "{name}: |F| {value} {turned}"
        );
        near(name, k, &map(&force), &forced, tolerance * LOAD);
        let mapped = map_state(law, &rates, map);
        near(
            name,
            k,
            &mapped,
            &rated,
            10.0 * tolerance * (length(&mapped) + law.slip_speed()),
        );
    }
}

fn near(name: &str, step: usize, a: &[f64], b: &[f64], tolerance: f64) {
    let ok = a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(
        ok && a.len() == b.len(),
        "{name}, step {step}: {a:?} is not {b:?}"
    );
}

#[test]
fn rotations_in_the_plane() {
    for (name, law) in isotropic_laws() {
        let steps = wiggle::<2>(&law, 120);
        for degrees in (0..=360).step_by(15) {
            let (s, c) = f64::from(degrees).to_radians().sin_cos();
            let turn = |v: &[f64; 2]| [c * v[0] - s * v[1], s * v[0] + c * v[1]];
            // a hundred steps of a contracting law keep the rounding of the rotation
            equivariant(name, &law, &steps, &turn, 1e-12);
        }
    }
}

#[test]
fn rotations_in_space() {
    for (name, law) in isotropic_laws() {
        let steps = wiggle::<3>(&law, 120);
        for k in 0..12 {
            // unit quaternions spread over the sphere
            let k = f64::from(k);
            let raw = [
                (1.3 * k).cos(),
                (2.1 * k + 1.0).sin(),
                (0.7 * k).sin(),
                (2.9 * k).cos(),
            ];
            let norm = length(&raw);
            let [w, x, y, z] = raw.map(|q| q / norm);
            let turn = |v: &[f64; 3]| -> [f64; 3] {
                let cross = |a: &[f64; 3]| {
                    [
                        y * a[2] - z * a[1],
                        z * a[0] - x * a[2],
                        x * a[1] - y * a[0],
                    ]
                };
                let once = cross(v);
                let twice = cross(&once);
                std::array::from_fn(|i| v[i] + 2.0 * (w * once[i] + twice[i]))
            };
            equivariant(name, &law, &steps, &turn, 1e-12);
        }
    }
}

#[test]
fn odd() {
    for (name, law) in laws() {
        // a sign costs no rounding at all; the bound leaves room for a fold over components
        equivariant(
            name,
            &law,
            &stop_and_go(&law),
            &|v: &[f64; 1]| [-v[0]],
            1e-15,
        );
        equivariant(
            name,
            &law,
            &wiggle::<2>(&law, 120),
            &|v: &[f64; 2]| v.map(|x| -x),
            1e-15,
        );
        equivariant(
            name,
            &law,
            &wiggle::<3>(&law, 120),
            &|v: &[f64; 3]| v.map(|x| -x),
            1e-15,
        );
    }
}

#[test]
fn one_dimension_is_part_of_two_and_three() {
    for (name, law) in laws() {
        // sqrt(v v) is |v| exactly; divisions by it may round differently
        let tolerance = 1e-13;
        for steps in [stop_and_go(&law), wiggle::<1>(&law, 120)] {
            equivariant(name, &law, &steps, &|v: &[f64; 1]| [v[0], 0.0], tolerance);
            if law.card().does(Behaviour::Anisotropic) {
                continue;
            }
            equivariant(
                name,
                &law,
                &steps,
                &|v: &[f64; 1]| [0.0, 0.0, v[0]],
                tolerance,
            );
        }
        equivariant(
            name,
            &law,
            &wiggle::<2>(&law, 120),
            &|v| [v[0], v[1], 0.0],
            tolerance,
        );
    }
}

#[test]
fn no_normal_force_no_friction() {
    for (name, law) in laws() {
        let steps = wiggle::<2>(&law, 120);
        let mut pair = Pair::at_start(&law, &steps[0].mean);
        for step in steps {
            let mut loose = step;
            loose.mean.normal_force = 0.0;
            loose.end.normal_force = 0.0;
            let (mut new, mut rates) = (pair.state.clone(), pair.state.clone());
            let updated = law.update(&loose, &pair.state, &mut new);
            let force = law.rates(&loose.end, &pair.state, &mut rates);
            assert!(
                length(&updated) == 0.0 && length(&force) == 0.0,
                "{name}: {updated:?} {force:?}"
            );
            let finite = new.iter().chain(&rates).all(|x| x.is_finite());
            assert!(finite, "{name}: {new:?} {rates:?}");
            // only the end is without load
            loose.mean.normal_force = LOAD;
            let ended = law.update(&loose, &pair.state, &mut new);
            assert!(length(&ended) == 0.0, "{name}: {ended:?}");
            let rest = Slip::new([0.0; 2], 0.0);
            let rested = law.rates(&rest, &pair.state, &mut rates);
            assert!(length(&rested) == 0.0, "{name}: {rested:?}");
            pair.advance(&step);
        }
    }
}
