//! A mass with friction, whose response is known from independent codes: harmonic balance and
//! shooting with force laws of their own (NumPy).
#![allow(missing_docs, clippy::unwrap_used, reason = "a test")]

mod common;
use bristle_response::MarkedPoint;
use common::{AUTO, Asked, JENKINS, at, close, fixed, mass, one, response};

/// P (N), Ω (rad/s), |X₁| (m), its phase (degrees), half peak to peak (m), energy a cycle (J).
const JENKINS_MASS: [[f64; 6]; 10] = [
    [
        0.3,
        115.0,
        0.000_167_612_8,
        -7.383_104,
        0.000_167_612_8,
        0.0,
    ],
    [
        1.0,
        120.0,
        0.000_763_576,
        -97.657_38,
        0.000_761_483_8,
        0.001_937_806,
    ],
    [
        1.0,
        125.0,
        0.000_696_068_9,
        -136.111_6,
        0.000_694_62,
        0.001_135_44,
    ],
    [
        3.0,
        105.0,
        0.001_720_451,
        -72.441_23,
        0.001_725_504,
        0.013_506_05,
    ],
    [
        3.0,
        115.0,
        0.001_399_811,
        -123.228_9,
        0.001_401_629,
        0.009_619_547,
    ],
    [
        3.0,
        140.0,
        0.000_633_326_2,
        -172.804_2,
        0.000_632_903_8,
        0.000_394_845_9,
    ],
    [
        10.0,
        80.0,
        0.001_946_776,
        -17.336_21,
        0.001_959_797,
        0.016_317_57,
    ],
    [
        10.0,
        100.0,
        0.031_140_95,
        -86.014_8,
        0.031_153_11,
        0.366_637_3,
    ],
    [
        10.0,
        110.0,
        0.005_053_113,
        -153.338_6,
        0.005_065_36,
        0.053_584_32,
    ],
    [
        10.0,
        140.0,
        0.001_314_834,
        -165.836_7,
        0.001_315_53,
        0.008_586_356,
    ],
];

#[test]
fn mass_with_a_jenkins_element() {
    for push in [0.3_f64, 1.0, 3.0, 10.0] {
        let rows: Vec<_> = JENKINS_MASS
            .iter()
            .filter(|row| row[0].to_bits() == push.to_bits())
            .collect();
        let omegas: Vec<f64> = rows.iter().map(|row| row[1]).collect();
        let text = mass("2", push, "10", JENKINS, "");
        let curve = response(
            &text,
            &Asked {
                from: 80.0,
                to: 140.0,
                at: &omegas,
                grid: AUTO,
                ..Asked::MASS
            },
        );
        for row in rows {
            let point = one(&curve, row[1]);
            let x = &point.result.channels[0];
            // the default tolerance of the balance is 1e-4 of the motion
            close(x.harmonics[1].norm(), row[2], 2e-4);
            close(x.amplitude, row[4], 2e-4);
            assert!(
                (x.harmonics[1].arg().to_degrees() - row[3]).abs() < 0.03,
                "phase at {row:?}"
            );
            let lost = point.result.pairs[0].dissipated_per_cycle;
            assert!(
                (lost - row[5]).abs() <= 1e-3 * row[5].max(1e-6),
                "energy at {row:?}: {lost}"
            );
        }
    }
}

/// H = 1 in closed form: A·|k + k_eq − mΩ² + i(cΩ + D/(πA²))| = P.
#[test]
fn first_harmonic_in_closed_form() {
    let text = mass("2", 3.0, "10", JENKINS, "");
    let grid = fixed(1, 16_384);
    let curve = response(
        &text,
        &Asked {
            from: 110.0,
            to: 110.0,
            at: &[],
            grid,
            ..Asked::MASS
        },
    );
    let a = curve.points[0].result.channels[0].harmonics[1].norm();
    let (k, k_t, limit, c, omega) = (1e4, 5000.0, 3.0, 2.0, 110.0_f64);
    let theta = (1.0 - 2.0 * (limit / k_t) / a).acos();
    let stiff =
        k + k_t / std::f64::consts::PI * (theta - 0.5 * (2.0 * theta).sin()) - omega * omega;
    let lost = 4.0 * limit * (a - limit / k_t);
    let damped = c * omega + lost / (std::f64::consts::PI * a * a);
    // a sample misses a corner by half a step at most: (2π/16384)² of the force
    close(a * stiff.hypot(damped), 3.0, 1e-6);
}

#[test]
fn peak_of_a_jenkins_mass() {
    let text = mass("2", 3.0, "10", JENKINS, "");
    let curve = response(
        &text,
        &Asked {
            from: 80.0,
            to: 140.0,
            at: &[],
            grid: AUTO,
            ..Asked::MASS
        },
    );
    let peaks: Vec<_> = curve.peaks().collect();
    assert_eq!(peaks.len(), 1);
    // the curve is flat there: 1e-4 of the amplitude, the tolerance, is 5e-4 of the frequency
    close(
        peaks[0].result.frequency * std::f64::consts::TAU,
        106.6503,
        5e-4,
    );
    close(peaks[0].result.channels[0].amplitude, 0.001_869_865, 2e-4);
}

const LUGRE: &str = "{ law = \"lugre\", bristle_stiffness = 2000, bristle_damping = 5, viscous_coefficient = 0.02, \
                     kinetic_coefficient = 0.3, static_coefficient = 0.4, stribeck_velocity = 0.01 }";

/// Ω, half peak to peak, |X₁|, energy; the tolerance is that of the table, 5e-4.
#[test]
fn mass_with_lugre_friction() {
    let rows = [
        [70.0, 0.000_240_348_9, 0.000_225_411_6, 0.001_517_006],
        [100.0, 0.000_986_834_5, 0.000_974_732_4, 0.011_409_42],
        [105.0, 0.001_047_991, 0.001_037_191, 0.012_271_44],
        [130.0, 0.000_477_805_8, 0.000_471_041_4, 0.005_050_394],
    ];
    let text = mass("2", 4.0, "10", LUGRE, "");
    let omegas = rows.map(|row| row[0]);
    let curve = response(
        &text,
        &Asked {
            from: 70.0,
            to: 130.0,
            at: &omegas,
            grid: AUTO,
            ..Asked::MASS
        },
    );
    for row in rows {
        let point = &one(&curve, row[0]).result;
        close(point.channels[0].amplitude, row[1], 5e-4);
        close(point.channels[0].harmonics[1].norm(), row[2], 5e-4);
        close(point.pairs[0].dissipated_per_cycle, row[3], 1e-3);
    }
}

/// A load that changes and opens: N₁, phase, law, Ω, half peak to peak, mean, energy.
#[test]
fn varying_normal_force() {
    let lugre = "{ law = \"lugre\", bristle_stiffness = 2000, bristle_damping = 5, viscous_coefficient = 0, \
                 kinetic_coefficient = 0.3, static_coefficient = 0.4, stribeck_velocity = 0.01 }";
    let classical = "{ law = \"lugre_classical\", bristle_stiffness = 2e4, bristle_damping = 50, viscous_coefficient = 0, \
                     kinetic_coefficient = 0.3, static_coefficient = 0.4, stribeck_velocity = 0.01 }";
    let jenkins = "{ law = \"jenkins\", tangential_stiffness = 2e4, kinetic_coefficient = 0.3 }";
    let rows: [(f64, f64, &str, [f64; 4]); 6] = [
        (
            6.0,
            0.0,
            lugre,
            [104.0, 0.000_243_340_6, -8.673_515e-5, 0.001_730_135],
        ),
        (
            6.0,
            90.0,
            classical,
            [120.0, 0.000_352_17, 4.715_442e-5, 0.003_167_146],
        ),
        (
            6.0,
            90.0,
            jenkins,
            [104.0, 0.000_184_108_7, 2.084_756e-5, 0.000_343_994_8],
        ),
        (
            16.0,
            0.0,
            lugre,
            [120.0, 0.000_186_144_6, -0.000_181_185_9, 0.001_466_129],
        ),
        (
            16.0,
            90.0,
            lugre,
            [95.0, 0.000_281_889_8, -1.460_397e-6, 0.002_090_975],
        ),
        (
            16.0,
            90.0,
            jenkins,
            [120.0, 0.000_872_332, 0.000_220_029_6, 0.007_422_236],
        ),
    ];
    for (n1, phase, law, [omega, half, mean, energy]) in rows {
        let load = format!(
            "{{ sum = [10, {{ harmonic = {{ amplitude = {n1}, phase = \"{phase} deg\" }} }}] }}"
        );
        let text = mass("2", 3.0, &load, law, "");
        let curve = response(
            &text,
            &Asked {
                from: omega,
                to: omega,
                at: &[],
                grid: AUTO,
                ..Asked::MASS
            },
        );
        let point = &curve.points[0].result;
        // the tolerances of the table: 1e-3, and 5e-3 where the load opens
        let allowed = if n1 > 10.0 { 5e-3 } else { 1e-3 };
        close(point.channels[0].amplitude, half, allowed);
        assert!(
            (point.channels[0].mean - mean).abs() < allowed * half,
            "mean of {law} at {omega}"
        );
        close(point.pairs[0].dissipated_per_cycle, energy, 3.0 * allowed);
    }
}

/// A spring that hardens: folds, three solutions at a frequency, and their multipliers.
#[test]
fn folds_of_a_hardening_spring() {
    let law = "{ law = \"jenkins\", tangential_stiffness = 2000, kinetic_coefficient = 0.1 }";
    let cubic = "[joint_spring.cubic]\nbody = \"mass\"\nstiffness = 0\ncubic = 5e8";
    let text = mass("2", 2.5, "10", law, cubic);
    let asked = Asked {
        from: 90.0,
        to: 160.0,
        at: &[100.0, 120.0, 130.0, 145.0],
        grid: fixed(15, 512),
        stability: true,
        ..Asked::MASS
    };
    let curve = response(&text, &asked);
    let folds: Vec<_> = curve.folds().collect();
    assert_eq!(folds.len(), 2);
    for (fold, [omega, half]) in folds
        .iter()
        .zip([[137.7927, 0.004_915_391], [113.2929, 0.001_716_941]])
    {
        close(fold.result.frequency * std::f64::consts::TAU, omega, 2e-4);
        close(fold.result.channels[0].amplitude, half, 2e-3);
    }
    let branches: Vec<f64> = at(&curve, 120.0)
        .iter()
        .map(|p| p.result.channels[0].amplitude)
        .collect();
    assert_eq!(branches.len(), 3);
    for (found, half) in branches
        .iter()
        .zip([0.003_558_428, 0.003_137_538, 0.000_831_658_4])
    {
        close(*found, half, 2e-4);
    }
    let multipliers = |p: &MarkedPoint| p.result.multipliers.clone().unwrap().values;
    let middle = multipliers(at(&curve, 120.0)[1]);
    assert!(
        (middle[0].re - 1.3508).abs() < 5e-3 && (middle[1].re - 0.6139).abs() < 5e-3,
        "{middle:?}"
    );
    let first = multipliers(one(&curve, 100.0));
    assert!(
        (first[0].re - 0.6953).abs() < 5e-3 && (first[0].im - 0.4444).abs() < 5e-3,
        "{first:?}"
    );
    // stuck: the place of the slider is free
    let stuck = multipliers(one(&curve, 145.0));
    assert!(
        (stuck[0].re - 1.0).abs() < 1e-6 && (stuck[1].norm() - 0.957_55).abs() < 5e-3,
        "{stuck:?}"
    );
    let stable: Vec<bool> = at(&curve, 130.0)
        .iter()
        .map(|p| p.result.multipliers.as_ref().unwrap().is_stable())
        .collect();
    assert_eq!(stable, [true, false, true]);
}

/// A constant force and a stop: mean, even and odd harmonics. Ω, X₀, |X₁|, |X₂|, energy.
#[test]
fn preload_and_a_stop() {
    let law = "{ law = \"jenkins\", tangential_stiffness = 5000, kinetic_coefficient = 0.2 }";
    let stop = r#"
[contact.stop]
points = { body = "mass", at = [[0, 0, 0]] }
plane = { body = "ground", normal = [-1, 0, 0], point = ["0.2 mm", 0, 0] }
normal = { law = "kelvin_voigt", stiffness = 8000, damping = 0 }
friction = "none"
[force.weight]
body = "mass"
direction = [1, 0, 0]
magnitude = 3
"#;
    let text = mass("3", 10.0, "10", law, stop);
    let rows = [
        [
            65.0,
            0.000_162_620_1,
            0.000_801_607_3,
            0.000_506_4,
            0.005_757_07,
        ],
        [
            90.0,
            2.360_503e-6,
            0.001_509_311,
            0.000_133_024_1,
            0.009_028_513,
        ],
        [
            115.0,
            -0.003_706_15,
            0.021_364_54,
            0.000_868_802_8,
            0.168_339_7,
        ],
    ];
    for row in rows {
        let asked = Asked {
            from: row[0],
            to: row[0],
            at: &[],
            grid: AUTO,
            ..Asked::MASS
        };
        let curve = response(&text, &asked);
        let point = &curve.points[0].result;
        let x = &point.channels[0];
        assert!(
            (x.mean - row[1]).abs() < 5e-4 * x.amplitude,
            "mean at {row:?}: {}",
            x.mean
        );
        close(x.harmonics[1].norm(), row[2], 5e-4);
        close(x.harmonics[2].norm(), row[3], 5e-4);
        close(point.pairs[0].dissipated_per_cycle, row[4], 5e-4);
    }
}

/// Law, force, Ω, half peak to peak, energy.
#[test]
fn the_same_mass_with_other_laws() {
    let dahl = "{ law = \"dahl\", bristle_stiffness = 2000, kinetic_coefficient = 0.3, dahl_exponent = 1 }";
    let tanh =
        "{ law = \"coulomb_tanh\", kinetic_coefficient = 0.3, regularisation_velocity = 0.02 }";
    let gkf = "{ law = \"gkf\", kinetic_coefficient = 0.3, static_coefficient = 0.4, stribeck_velocity = 0.05, \
               regularisation_velocity = 0.01, viscous_coefficient = 0.02 }";
    let elastoplastic = "{ law = \"elastoplastic\", bristle_stiffness = 2000, bristle_damping = 5, viscous_coefficient = 0.02, \
                         kinetic_coefficient = 0.3, static_coefficient = 0.4, stribeck_velocity = 0.01, \
                         breakaway_deflection = 1e-4 }";
    let rows: [(&str, f64, f64, f64, f64); 7] = [
        (dahl, 4.0, 100.0, 0.001_451_569, 0.015_618_83),
        (dahl, 4.0, 130.0, 0.000_658_955, 0.006_108_01),
        (tanh, 4.0, 100.0, 0.001_152_492, 0.013_650_85),
        (tanh, 4.0, 130.0, 0.000_297_205_7, 0.003_101_699),
        (gkf, 8.0, 100.0, 0.018_998_3, 0.250_694_3),
        (elastoplastic, 4.0, 110.0, 0.000_853_009_2, 0.009_887_035),
        (elastoplastic, 4.0, 130.0, 0.000_491_184_8, 0.005_303_295),
    ];
    for (law, push, omega, half, energy) in rows {
        let text = mass("2", push, "10", law, "");
        let asked = Asked {
            from: omega,
            to: omega,
            at: &[],
            grid: AUTO,
            ..Asked::MASS
        };
        let point = response(&text, &asked).points[0].result.clone();
        close(point.channels[0].amplitude, half, 1e-3);
        close(point.pairs[0].dissipated_per_cycle, energy, 1e-3);
    }
}

/// Regularised friction is nearly a jump here: its harmonics fall as 1/h, and no grid reaches 1e-9.
#[test]
fn a_tolerance_that_is_not_reached_is_said() {
    let law =
        "{ law = \"coulomb_tanh\", kinetic_coefficient = 0.3, regularisation_velocity = 1e-4 }";
    let text = mass("2", 20.0, "10", law, "");
    let grid = bristle_response::GridChoice {
        tolerance: 1e-9,
        ..AUTO
    };
    let asked = Asked {
        from: 110.0,
        to: 110.0,
        grid,
        ..Asked::MASS
    };
    let curve = response(&text, &asked);
    assert!(
        curve
            .warnings
            .iter()
            .any(|w| w.contains("the tolerance 0.000000001")),
        "{:?}",
        curve.warnings
    );
}
