//! Dynamics of the beam element: frequencies against theory, momenta and energy of free motion.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by a panic"
)]

mod beam_bench;

use beam_bench::{Stand, numbers, properties};
use bristle_mechanics::Vec3;
use bristle_mechanics::element::{
    BeamElement, BeamEnd, BeamProperties, CrossSection, Material, Rayleigh,
};
use nalgebra::{DMatrix, DVector, Rotation3, UnitQuaternion};
use std::f64::consts::PI;

/// Roots of cos x cosh x = −1: βL of a cantilever (Blevins, *Formulas for Natural Frequency and
/// Mode Shape*, table 8-1), which approach (2k − 1)π/2.
const CANTILEVER: [f64; 5] = [
    1.875_104_068_711_961,
    4.694_091_132_974_175,
    7.854_757_438_237_613,
    10.995_540_734_875_467,
    14.137_168_391_046_47,
];

fn root(k: usize) -> f64 {
    CANTILEVER.get(k).copied().unwrap_or((k as f64 + 0.5) * PI)
}

/// A thin wire: 1 m long, 1 mm thick.
fn thread() -> BeamProperties {
    properties(
        CrossSection::rectangular(1e-3, 1e-3),
        Material {
            young: 2.1e11,
            shear: 8.1e10,
            density: 7850.0,
        },
    )
}

/// Angular frequencies of K φ = ω² M φ, ascending.
fn frequencies(stiffness: &DMatrix<f64>, mass: &DMatrix<f64>) -> Vec<f64> {
    // scaled to a unit diagonal, so that lengths and angles are treated alike
    let scale = mass.diagonal().map(|m| 1.0 / m.sqrt());
    let scale = DMatrix::from_diagonal(&scale);
    let lower = (&scale * mass * &scale).cholesky().unwrap().l();
    let inner = lower
        .solve_lower_triangular(&(&scale * stiffness * &scale))
        .unwrap();
    let matrix = lower.solve_lower_triangular(&inner.transpose()).unwrap();
    let symmetric = (&matrix + matrix.transpose()) * 0.5;
    let values = symmetric.symmetric_eigenvalues();
    let mut values: Vec<f64> = values.iter().map(|x| x.max(0.0).sqrt()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Bending frequencies in the planes x–y and x–z over √(EI/ρA L⁴).
fn bending(elements: usize) -> [Vec<f64>; 2] {
    let mut p = thread();
    p.section = CrossSection::rectangular(0.02, 0.004);
    let sink = Stand::cantilever(elements, 1.0, &p).collect(Some((0.0, 1.0)));
    [(p.section.i_z, [1, 5]), (p.section.i_y, [2, 4])].map(|(i, plane)| {
        let unit = (p.material.young * i / (p.material.density * p.section.area)).sqrt();
        // the planes do not couple: without the stiff axial modes rounding stays small
        let take = |matrix: &DMatrix<f64>| in_plane(matrix, plane);
        let all = frequencies(&take(&-&sink.blocks), &take(&-&sink.mass));
        all.iter().map(|w| w / unit).collect()
    })
}

/// Rows and columns of two components of every body.
fn in_plane(matrix: &DMatrix<f64>, plane: [usize; 2]) -> DMatrix<f64> {
    let place = |i: usize| 6 * (i / 2) + plane[i % 2];
    let n = matrix.nrows() / 3;
    DMatrix::from_fn(n, n, |i, j| matrix[(place(i), place(j))])
}

#[test]
fn ten_frequencies_of_a_cantilever() {
    let (coarse, fine) = (bending(10), bending(20));
    for (coarse, fine) in coarse.iter().zip(&fine) {
        for k in 0..10 {
            let exact = root(k).powi(2);
            let error = |found: &[f64]| found[k] / exact - 1.0;
            // leading error of cubic elements of length h: (βh)⁴/1440 of the frequency, from
            // above; twice that covers the next term where βh is as large as 3
            let bound = |n: f64| 2.0 * (root(k) / n).powi(4) / 1440.0 + 1e-8;
            let (a, b) = (error(coarse), error(fine));
            assert!(a > -1e-8 && a < bound(10.0), "{k}: {a:.2e}");
            assert!(b > -1e-8 && b < bound(20.0), "{k}: {b:.2e}");
            if (1..6).contains(&k) {
                // below, rounding; above, the coarse mesh is not asymptotic
                let order = (a / b).log2();
                assert!((order - 4.0).abs() < 0.2, "{k}: {order}");
            }
        }
    }
}

#[test]
fn axial_and_torsional_frequencies() {
    // (2k − 1)π/2 √(E/ρ)/L and √(GJ/ρI_p); linear shapes: ω h/c = √(6 (1 − cos)/(2 + cos))
    // of the wave number times h, exactly (Cook et al., Concepts of Finite Element Analysis)
    let n = 8;
    let p = thread();
    let (m, s) = (p.material, p.section);
    let sink = Stand::cantilever(n, 1.0, &p).collect(Some((0.0, 1.0)));
    let speeds = [
        (0, (m.young / m.density).sqrt()),
        (
            3,
            (m.shear * s.torsion_constant / (m.density * (s.i_y + s.i_z))).sqrt(),
        ),
    ];
    for (component, speed) in speeds {
        let take = |matrix: &DMatrix<f64>| {
            DMatrix::from_fn(n, n, |i, j| -matrix[(6 * i + component, 6 * j + component)])
        };
        let found = frequencies(&take(&sink.blocks), &take(&sink.mass));
        for (k, w) in found.iter().enumerate() {
            let c = ((k as f64 + 0.5) * PI / n as f64).cos();
            let exact = speed * n as f64 * (6.0 * (1.0 - c) / (2.0 + c)).sqrt();
            // rounding
            assert!(
                (w / exact - 1.0).abs() < 1e-10,
                "{component} {k}: {w} {exact}"
            );
        }
    }
}

#[test]
fn rayleigh_damping_is_that_of_the_matrices() {
    // at rest, against the ground: C = α M + β K
    let mut p = thread();
    p.damping = Rayleigh {
        mass: 3.0,
        stiffness: 2e-5,
    };
    let sink = Stand::cantilever(3, 1.0, &p).collect(Some((0.0, 1.0)));
    let expected = &sink.mass * 3.0 + &sink.blocks * 2e-5;
    let error = (&sink.rate - &expected).abs().max();
    // rounding
    assert!(error < 1e-12 * expected.abs().max(), "{error}");
}

#[test]
fn rotation_stiffens_a_beam() {
    // A. D. Wright et al., J. Appl. Mech. 49 (1982) 197: flapping frequencies of a cantilever that
    // rotates about its root, over √(EI/ρA L⁴)
    for (speed, expected) in [
        (0.0, [3.5160, 22.0345]),
        (1.0, [3.6816, 22.1810]),
        (2.0, [4.1373, 22.6149]),
        (6.0, [7.3604, 26.8091]),
        (12.0, [13.1702, 37.6031]),
    ] {
        let (coarse, fine) = (flapping(16, speed), flapping(32, speed));
        for (k, exact) in expected.iter().enumerate() {
            // the tension stiffens chords: second order
            let limit = fine[k] + (fine[k] - coarse[k]) / 3.0;
            // half a unit of the last printed digit, and what is left of fourth order
            assert!(
                (limit - exact).abs() < 5e-5 + 1e-5 * exact,
                "{speed}: {limit} {exact}"
            );
        }
    }
}

/// Flapping frequencies, over √(EI/ρA L⁴), of a cantilever that rotates about its root.
fn flapping(n: usize, speed: f64) -> Vec<f64> {
    let mut p = thread();
    // thin: at the highest speed the beam grows by 2e-7 of its length
    p.section = CrossSection::rectangular(2e-4, 2e-4);
    let unit = (p.material.young * p.section.i_y / (p.material.density * p.section.area)).sqrt();
    let mut stand = Stand::cantilever(n, 1.0, &p);
    let w = Vec3::z() * (speed * unit);
    // in the rotating frame: what stands still there has the acceleration ω × (ω × x)
    let spin = w.cross_matrix();
    let rigid = |stand: &mut Stand| {
        for frame in &mut stand.frames {
            frame.w = w;
            frame.v = w.cross(&frame.p);
            frame.a = w.cross(&frame.v);
        }
    };
    let turned = |matrix: &DMatrix<f64>, by: &nalgebra::Matrix3<f64>| {
        let mut out = DMatrix::zeros(6 * n, 6 * n);
        for k in 0..n {
            let columns = matrix.columns(6 * k, 3) * by;
            out.columns_mut(6 * k, 3).copy_from(&columns);
        }
        out
    };
    let mut tangent = DMatrix::zeros(6 * n, 6 * n);
    let mut mass = tangent.clone();
    for _ in 0..8 {
        rigid(&mut stand);
        let sink = stand.collect(Some((0.0, 1.0)));
        tangent = -(&sink.blocks + turned(&sink.rate, &spin) + turned(&sink.mass, &(spin * spin)));
        mass = -&sink.mass;
        let dx = tangent.clone().lu().solve(&sink.force()).unwrap();
        stand.displace(&dx);
    }
    // flapping: displacement along the axis of rotation and rotation about y
    let flap = |matrix: &DMatrix<f64>| in_plane(matrix, [2, 4]);
    let found = frequencies(&flap(&tangent), &flap(&mass));
    found.iter().map(|w| w / unit).collect()
}

/// Three soft elements, the first and last between points off their bodies' origins.
fn floppy(damping: Rayleigh, reference: usize) -> Stand {
    let mut stand = Stand::new(4);
    let p = BeamProperties {
        section: CrossSection::rectangular(0.05, 0.03),
        material: Material {
            young: 2e6,
            shear: 8e5,
            density: 1200.0,
        },
        damping,
        reference: stand.ids[reference],
    };
    let offsets = [[0.1, 0.05, 0.0], [0.0; 3], [0.0; 3], [-0.05, 0.0, 0.08]].map(Vec3::from);
    for k in 0..3 {
        let end = |i: usize| BeamEnd {
            body: stand.ids[i + 1],
            point: offsets[i],
            orientation: UnitQuaternion::identity(),
        };
        let name = format!("e{k}");
        let element = BeamElement::new(&name, [end(k), end(k + 1)], 0.3, &p).unwrap();
        stand.elements.push(element);
    }
    for (k, offset) in offsets.iter().enumerate() {
        stand.frames[k + 1].p = Vec3::x() * (0.3 * k as f64) - offset;
    }
    stand
}

/// Accelerations from the equations of motion.
fn accelerations(stand: &Stand) -> DVector<f64> {
    let mut still = stand.frames.clone();
    for frame in &mut still {
        (frame.a, frame.alpha) = (Vec3::zeros(), Vec3::zeros());
    }
    let bare = Stand {
        frames: still,
        ..stand.clone()
    };
    let sink = bare.collect(Some((0.0, 0.0)));
    (-&sink.mass).lu().solve(&sink.force()).unwrap()
}

/// Slopes of positions, rotation vectors since the start of the step, velocities, lost energy.
fn slopes(start: &Stand, turned: &DVector<f64>, stand: &Stand) -> [DVector<f64>; 3] {
    let bodies: Vec<_> = (0..start.free.len()).filter(|&b| start.free[b]).collect();
    let mut moved = DVector::zeros(6 * bodies.len());
    for (k, &b) in bodies.iter().enumerate() {
        let frame = &stand.frames[b];
        moved.fixed_rows_mut::<3>(6 * k).copy_from(&frame.v);
        // rate of a rotation vector to the fourth order in its size, which is that of the step
        let theta: Vec3 = turned.fixed_rows::<3>(6 * k + 3).into();
        let once = theta.cross(&frame.w);
        let rate = frame.w - once * 0.5 + theta.cross(&once) / 12.0;
        moved.fixed_rows_mut::<3>(6 * k + 3).copy_from(&rate);
    }
    let lost = DVector::from_element(1, stand.lost_power());
    [moved, accelerations(stand), lost]
}

/// The classical Runge–Kutta method; returns the energy lost in the step.
fn step(stand: &mut Stand, h: f64) -> f64 {
    let n = 6 * stand.free.iter().filter(|f| **f).count();
    let still = [DVector::zeros(n), DVector::zeros(n), DVector::zeros(1)];
    let moved = |d: &[DVector<f64>; 3], c: f64| {
        let mut next = stand.clone();
        next.displace(&(&d[0] * c));
        next.push(&(&d[1] * c));
        let turned = &d[0] * c;
        (slopes(stand, &turned, &next), next)
    };
    let (k1, _) = moved(&still, 0.0);
    let (k2, _) = moved(&k1, 0.5 * h);
    let (k3, _) = moved(&k2, 0.5 * h);
    let (k4, _) = moved(&k3, h);
    let mean = |i: usize| (&k1[i] + (&k2[i] + &k3[i]) * 2.0 + &k4[i]) / 6.0;
    let (moves, pushes, lost) = (mean(0) * h, mean(1) * h, mean(2)[0] * h);
    stand.displace(&moves);
    stand.push(&pushes);
    lost
}

/// Linear momentum, and angular momentum about the world's origin.
fn momenta(stand: &Stand) -> (Vec3, Vec3) {
    let sink = stand.collect(Some((0.0, 0.0)));
    let bodies: Vec<_> = (0..stand.free.len()).filter(|&b| stand.free[b]).collect();
    let mut v = DVector::zeros(6 * bodies.len());
    for (k, &b) in bodies.iter().enumerate() {
        v.fixed_rows_mut::<3>(6 * k).copy_from(&stand.frames[b].v);
        v.fixed_rows_mut::<3>(6 * k + 3)
            .copy_from(&stand.frames[b].w);
    }
    let p = -sink.mass * v;
    let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
    for (k, &b) in bodies.iter().enumerate() {
        let part: Vec3 = p.fixed_rows::<3>(6 * k).into();
        linear += part;
        angular += stand.frames[b].p.cross(&part) + p.fixed_rows::<3>(6 * k + 3);
    }
    (linear, angular)
}

/// Throws the beam: spinning about an oblique axis, and shaken.
fn throw(stand: &mut Stand) {
    let w = Vec3::new(2.0, -3.0, 5.0);
    let shake = numbers(24, 7) * 0.3;
    for frame in stand.frames.iter_mut().skip(1) {
        frame.w = w;
        frame.v = Vec3::new(0.4, 0.2, -0.3) + w.cross(&frame.p);
    }
    stand.push(&shake);
}

#[test]
fn a_thrown_beam_keeps_energy_and_momenta() {
    let drift = |steps: u32| {
        let h = 0.2 / f64::from(steps);
        let mut stand = floppy(Rayleigh::default(), 0);
        throw(&mut stand);
        let energy = stand.kinetic() + stand.stored();
        let (linear, angular) = momenta(&stand);
        let mut bent: f64 = 0.0;
        for _ in 0..steps {
            step(&mut stand, h);
            let twist = stand.frames[4].r.tr_mul(&stand.frames[1].r);
            bent = bent.max(Rotation3::from_matrix_unchecked(twist).angle());
        }
        assert!(bent > 0.3, "not bent much: {bent}");
        let after = momenta(&stand);
        [
            (stand.kinetic() + stand.stored() - energy).abs() / energy,
            (after.0 - linear).norm() / linear.norm(),
            (after.1 - angular).norm() / angular.norm(),
        ]
    };
    let (coarse, fine) = (drift(1000), drift(2000));
    for (a, b) in coarse.iter().zip(&fine) {
        // the error is that of the integration, of fourth order, or rounding
        assert!(*b < 1e-8, "{coarse:?} {fine:?}");
        assert!(*b < a / 10.0 || *b < 1e-11, "{coarse:?} {fine:?}");
    }
}

/// Runs a damped beam in a fall: relative imbalance of the energy, energy lost, the error of the
/// linear momentum over the momentum that gravity gave.
fn fall(reference: usize, steps: u32) -> (f64, f64, f64) {
    let damping = Rayleigh {
        mass: 3.0,
        stiffness: 3e-4,
    };
    let mut stand = floppy(damping, reference);
    let gravity = Vec3::new(1.0, 2.0, -9.0);
    stand.gravity(gravity);
    throw(&mut stand);
    let energy = stand.kinetic() + stand.stored();
    let (linear, _) = momenta(&stand);
    let (time, mass) = (0.1, 3.0 * 0.3 * 0.05 * 0.03 * 1200.0);
    let h = time / f64::from(steps);
    let lost: f64 = (0..steps).map(|_| step(&mut stand, h)).sum();
    let end = stand.kinetic() + stand.stored() + lost;
    let gained = gravity * (mass * time);
    let error = momenta(&stand).0 - linear - gained;
    let (imbalance, error) = ((end / energy - 1.0).abs(), error.norm() / gained.norm());
    assert!(lost > 1e-3 * energy, "{lost} {energy}");
    (imbalance, lost, error)
}

#[test]
fn a_falling_damped_beam_balances_its_energy() {
    let [ground, own] = [0, 4].map(|reference| {
        let (coarse, fine) = (fall(reference, 1000), fall(reference, 2000));
        // the error of the integration, of fourth order
        assert!(
            fine.0 < 1e-7 && fine.0 < coarse.0 / 10.0,
            "{coarse:?} {fine:?}"
        );
        fine
    });
    assert!(ground.1 > own.1);
    // damped against a part of itself it falls freely; against the ground it is held back
    assert!(own.2 < 1e-8 && ground.2 > 0.01, "{own:?} {ground:?}");
}
