//! Motions in which a law's rates jump where no state says so.
//!
//! Expected values: `tools/check_laws`, the same laws written a second time in Python and solved
//! by SciPy (DOP853, 1e-11) with an event at every kink; and one closed form.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test fails by a panic")]

mod common;

use bristle_laws::curve::{Shape, TableCurve};
use bristle_laws::{Friction, Value};
use bristle_rig::Sample;
use common::{drive, law, sample};
use std::sync::Arc;

/// At the default tolerance the forces are within 1e-7 of the largest one, ten times better than
/// promised: the kinks are located, and the rest is smooth.
const SHARE: f64 = 1e-7;

fn follows(law: &Friction, motion: &[Sample<2>], expected: &[[f64; 2]]) {
    let name = law.card().name;
    let forces = drive(law, motion, 1e-8).unwrap();
    let largest = expected
        .iter()
        .fold(0.0_f64, |m, [x, y]| m.max(x.hypot(*y)));
    for (force, value) in forces[1..].iter().zip(expected) {
        let off = (force[0] - value[0]).hypot(force[1] - value[1]);
        assert!(off < SHARE * largest, "{name}: {force:?} is not {value:?}");
    }
}

#[test]
fn a_bristle_turns_against_the_motion() {
    // beyond z_ba it unloads elastically from z.v = 0 on
    let law = law(
        "elastoplastic",
        &[
            ("sigma_0", 1e4),
            ("sigma_1", 30.0),
            ("sigma_2", 0.04),
            ("v_s", 1e-3),
            ("mu_k", 0.1),
            ("mu_s", 0.15),
            ("z_ba", 4e-6),
        ],
    );
    follows(
        &law,
        &[
            sample(0.0, [1e-3, 0.0], 10.0),
            sample(0.05, [1e-3, 0.0], 10.0),
            sample(0.06, [-4e-4, 6e-4], 10.0),
            sample(0.1, [-4e-4, 6e-4], 10.0),
            sample(0.11, [2e-4, -1e-3], 10.0),
        ],
        &[
            [1.180_898_266_297, 0.0],
            [0.979_180_981_304, 0.468_377_600_829],
            [-0.519_675_734_195, 1.111_074_124_158],
            [-0.461_782_760_366, 0.488_174_546_847],
        ],
    );
}

#[test]
fn a_slider_under_a_load_that_falls_and_rises() {
    follows(
        &law("jenkins", &[("k_t", 1e5), ("mu_k", 0.5)]),
        &[
            sample(0.0, [1e-3, 0.0], 10.0),
            sample(0.06, [1e-3, 0.0], 10.0),
            sample(0.1, [-1e-3, 8e-4], 2.0),
            sample(0.12, [-1e-3, 8e-4], 4.0),
            sample(0.14, [1e-3, 8e-4], 8.0),
        ],
        &[
            [5.0, 0.0],
            [0.498_873_254_663, 0.866_674_953_933],
            [-1.145_800_677_685, 1.639_250_074_581],
            [-1.118_287_080_891, 3.201_283_496_242],
        ],
    );
}

#[test]
fn a_slider_held_by_a_load_that_outruns_it() {
    // N rises from 0, the motion slows down: it slides until k_t v = mu_k dN/dt, then it is stuck
    let (k, mu, load_rate, v, end) = (4e4, 0.5, 4000.0, 0.06, 4e-3);
    let jenkins = law("jenkins", &[("k_t", k), ("mu_k", mu)]);
    let motion = [sample(0.0, [v], 0.0), sample(end, [0.0], load_rate * end)];
    let forces = drive(&jenkins, &motion, 1e-8).unwrap();
    let slow = mu * load_rate / k;
    let caught = end * (1.0 - slow / v);
    let expected = mu * load_rate * caught + k * 0.5 * slow * (end - caught);
    // closed form; the switch is located to some roundings of the segment
    assert!((forces[1][0] - expected).abs() < 1e-11 * expected);
}

#[test]
fn sliders_start_again_in_another_direction() {
    // they rest within some roundings of their limits
    follows(
        &gms(),
        &[
            sample(0.0, [0.0, 0.0], 10.0),
            sample(0.5, [5e-4, 0.0], 10.0),
            sample(1.0, [0.0, 0.0], 10.0),
            sample(1.02, [5e-4, 3e-4], 10.0),
            sample(1.05, [-6e-4, 5e-4], 10.0),
        ],
        &[
            [1.400_140_873_444, 0.0],
            [1.499_106_894_529, 0.0],
            [1.370_214_510_863, 0.358_305_057_226],
            [0.282_928_188_250, 0.859_700_390_156],
        ],
    );
}

fn gms() -> Friction {
    let numbers = [
        ("v_s", 1e-3),
        ("mu_k", 0.1),
        ("mu_s", 0.15),
        ("sigma_2", 0.04),
        ("C", 5.0),
    ]
    .map(|(name, x)| (name.to_owned(), Value::Number(x)));
    let lists = [
        ("k_i", vec![4e3, 3e3, 2e3, 1e3]),
        ("alpha_i", vec![0.1, 0.2, 0.3, 0.4]),
    ]
    .map(|(name, list)| (name.to_owned(), Value::List(list)));
    let values = numbers.into_iter().chain(lists).collect();
    Friction::build("gms", &values).unwrap()
}

#[test]
fn a_slider_on_the_border_of_sliding_and_sticking() {
    // the third one comes to f.v = 0 above its level and is held there, then at its level, until it
    // slides on; the same however the motion is cut
    let motion = [
        sample(0.0, [5e-4, 0.0], 10.0),
        sample(1.0, [5e-4, 0.0], 10.0),
        sample(1.02, [-1e-3, 1e-3], 10.0),
        sample(1.04, [-2e-3, -1e-3], 10.0),
    ];
    let expected = [
        [1.389_600_391_536, 0.0],
        [0.840_902_809_597, 0.649_507_762_425],
        [-0.106_441_428_840, 0.450_263_528_989],
    ];
    follows(&gms(), &motion, &expected);
    for parts in [7, 40] {
        let [from, to] = [motion[2], motion[3]];
        let mut cut = motion[..3].to_vec();
        cut.extend(
            (1..=parts).map(|i| common::between(&from, &to, f64::from(i) / f64::from(parts))),
        );
        let forces = drive(&gms(), &cut, 1e-8).unwrap();
        let ([x, y], [fx, fy]) = (expected[2], *forces.last().unwrap());
        assert!(
            (fx - x).hypot(fy - y) < SHARE * expected[0][0],
            "{parts}: {fx} {fy}"
        );
    }
}

#[test]
fn sliders_that_stick_and_slide_by_turns() {
    // five elements near their levels; as the motion turns fast, each sticks and slides four or five
    // times, some two at once
    let number = |name: &str, x| (name.to_owned(), Value::Number(x));
    let list = |name: &str, x: &[f64]| (name.to_owned(), Value::List(x.to_vec()));
    let values = vec![
        number("stribeck_velocity", 0.1),
        ("stribeck".to_owned(), Value::Curve(Shape::Rational)),
        number("kinetic_coefficient", 0.08),
        number("static_coefficient", 0.1),
        number("viscous_coefficient", 1e-3),
        number("attraction", 2600.0),
        list("element_stiffnesses", &[2e4, 7e4, 4e4, 5e4, 2e4]),
        list("element_fractions", &[0.1, 0.3, 0.3, 0.2, 0.1]),
    ];
    let law = Friction::build("gms", &values).unwrap();
    let motion = [
        sample(0.0, [0.6, 0.65], 10.0),
        sample(1e-4, [0.6, 0.65], 10.0),
        sample(1.004e-4, [1.1, -1.5], 10.0),
        sample(1.006e-4, [1.6, -2.0], 10.0),
    ];
    let expected = [
        [0.550_335_830_080, 0.596_197_149_253],
        [0.664_474_210_790, 0.447_015_544_842],
        [0.672_584_461_604, 0.429_292_850_775],
    ];
    follows(&law, &motion, &expected);
    for parts in [3, 10, 40] {
        let [from, to] = [motion[1], motion[2]];
        let cuts =
            (1..=parts).map(|i| common::between(&from, &to, f64::from(i) / f64::from(parts)));
        let cut: Vec<_> = motion[..2].iter().copied().chain(cuts).collect();
        let force = *drive(&law, &cut, 1e-8).unwrap().last().unwrap();
        let off = (force[0] - expected[1][0]).hypot(force[1] - expected[1][1]);
        assert!(off < SHARE * 0.8, "{parts}: {force:?}");
    }
}

#[test]
fn a_dip_in_a_table_is_not_stepped_over() {
    // one element of gms along a fast stop; in sliding df/dt = C (1 - f/g)
    let points = [(0.0, 0.1), (0.049, 0.1), (0.05, 0.05), (0.051, 0.1)];
    let table = TableCurve::new(&points).unwrap();
    let values = vec![
        (
            "stribeck".to_owned(),
            Value::Curve(Shape::Table(Arc::new(table))),
        ),
        ("attraction".to_owned(), Value::Number(1.0)),
        ("element_stiffnesses".to_owned(), Value::List(vec![1e6])),
        ("element_fractions".to_owned(), Value::List(vec![1.0])),
    ];
    let law = Friction::build("gms", &values).unwrap();
    let motion = [
        sample(0.0, [0.2, 0.0], 1.0),
        sample(1.0, [0.2, 0.0], 1.0),
        sample(1.1, [0.0, 0.0], 1.0),
    ];
    let last = drive(&law, &motion, 1e-8).unwrap()[2][0];
    // f' = 1 - f/g by small trapezoids over the speed, v = 0.2 - 2 t
    let level = |v: f64| law.steady(v, 1.0).unwrap_or(0.1);
    let (mut f, parts) = (0.1, 200_000);
    for i in 0..parts {
        let h = 0.1 / f64::from(parts);
        let rate = 0.5 / level(0.2 - 2.0 * h * f64::from(i))
            + 0.5 / level(0.2 - 2.0 * h * f64::from(i + 1));
        // exact for a constant level: 1/g is taken in its mean
        f = 1.0 / rate + (f - 1.0 / rate) * (-rate * h).exp();
    }
    assert!(0.1 - f > 1e-4, "the dip is felt: {f}");
    // the trapezoids are good to (1/200 000)^2 of some 1e4 of curvature
    assert!((last - f).abs() < SHARE * 0.1, "{last} {f}");
}
