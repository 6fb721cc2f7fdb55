use super::*;
use std::f64::consts::{FRAC_PI_2, TAU};

const LOW: Vec3 = Vec3::new(-0.1, -0.2, -0.05);
const HIGH: Vec3 = Vec3::new(0.3, 0.1, 0.15);

/// Corners, and triangles that look outwards.
type Parts = (Vec<Vec3>, Vec<[u32; 3]>);

fn block() -> Parts {
    let corner = |k: usize| {
        let pick = |i: usize| if k >> i & 1 == 1 { HIGH[i] } else { LOW[i] };
        Vec3::new(pick(0), pick(1), pick(2))
    };
    let sides = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let cut = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    let triangles = sides.into_iter().flat_map(cut).collect();
    ((0..8).map(corner).collect(), triangles)
}

/// Round the z axis: rings of `around` corners on a sphere, and both poles.
fn globe(radius: f64, around: u32) -> Parts {
    let rings = around / 2;
    let mut corners = vec![Vec3::new(0.0, 0.0, radius)];
    for i in 1..rings {
        let polar = TAU * f64::from(i) / f64::from(around);
        for k in 0..around {
            let turn = TAU * f64::from(k) / f64::from(around);
            let (s, c) = polar.sin_cos();
            corners.push(Vec3::new(s * turn.cos(), s * turn.sin(), c) * radius);
        }
    }
    corners.push(Vec3::new(0.0, 0.0, -radius));
    let last = 1 + (rings - 1) * around;
    let at = |i: u32, k: u32| match i {
        0 => 0,
        i if i == rings => last,
        i => 1 + (i - 1) * around + k % around,
    };
    let mut triangles = Vec::new();
    for i in 0..rings {
        for k in 0..around {
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            if i + 1 < rings {
                triangles.push([a, b, c]);
            }
            if i > 0 {
                triangles.push([a, c, d]);
            }
        }
    }
    // at the lower pole b and c are one: the triangle is a, pole, d
    (corners, triangles)
}

fn mesh((corners, triangles): &Parts, inside: bool) -> TriangleMesh {
    TriangleMesh::new(corners, triangles, inside)
        .expect("sound")
        .0
}

fn findings((corners, triangles): &Parts) -> MeshFindings {
    TriangleMesh::new(corners, triangles, false)
        .expect("sound")
        .1
}

/// Places in a box around the origin, spread evenly.
fn places(count: u32, half: f64) -> impl Iterator<Item = Vec3> {
    // fractions of multiples of the roots of x⁴ = x + 1
    let step = [0.819_172_513, 0.671_043_607, 0.549_700_478];
    (0..count).map(move |k| {
        let at = step.map(|step| (f64::from(k) * step).fract());
        Vec3::new(at[0] - 0.5, at[1] - 0.5, at[2] - 0.5) * (2.0 * half)
    })
}

/// The distance of a box: |max(q, 0)| + min(max qᵢ, 0), q = |x − m| − h.
fn distance_of_box(x: &Vec3) -> f64 {
    let (middle, half) = ((LOW + HIGH) * 0.5, (HIGH - LOW) * 0.5);
    let q = (x - middle).abs() - half;
    q.sup(&Vec3::zeros()).norm() + q.max().min(0.0)
}

#[test]
fn a_box_of_triangles_is_a_box() {
    let [outside, inside] = [false, true].map(|inside| mesh(&block(), inside));
    for x in places(4000, 0.5) {
        let place = outside.nearest(&x);
        assert!((place.distance - distance_of_box(&x)).abs() < 1e-15, "{x}");
        let turned = inside.nearest(&x);
        assert!((turned.distance + place.distance).abs() < 1e-15, "{x}");
        assert!((place.normal.norm() - 1.0).abs() < 1e-14);
        // the normal is the gradient, and the Hessian its derivative, but where two places are as near
        let e = 1e-6;
        let both = |k| [1.0, -1.0].map(|s| outside.nearest(&(x + Vec3::ith(k, s * e))));
        let near = (0..3).all(|k| both(k).iter().all(|p| p.normal.dot(&place.normal) > 0.99));
        for k in (0..3).filter(|_| near) {
            let [up, down] = both(k);
            let slope = (up.distance - down.distance) / (2.0 * e);
            assert!((slope - place.normal[k]).abs() < 1e-4, "{x}");
        }
    }
    // over a face, an edge and a corner
    for (x, size) in [
        (Vec3::new(0.1, 0.0, 0.2), 0.0),
        (Vec3::new(0.34, 0.0, 0.18), 1.0 / 0.05),
        (Vec3::new(0.32, 0.11, 0.17), 1.0 / 0.03),
    ] {
        let place = outside.nearest(&x);
        // eigenvalues are 0 and 1/distance, as of a cylinder and a ball of no radius
        assert!((place.hessian.symmetric_eigenvalues().amax() - size).abs() < 1e-9);
        for k in 0..3 {
            let e = 1e-6;
            let [up, down] = [1.0, -1.0].map(|s| outside.nearest(&(x + Vec3::ith(k, s * e))));
            let turned = (up.normal - down.normal) / (2.0 * e);
            let column: Vec3 = place.hessian.column(k).into();
            // e² of a third derivative of 1/0.03³ /m³
            assert!((turned - column).norm() < 1e-6, "{x}");
        }
    }
}

#[test]
fn the_edge_across_a_side_is_no_edge() {
    let mesh = mesh(&block(), false);
    // the diagonal of the upper side, from corner 4 to 7, and a hair beside it
    for part in [0.25, 0.5, 1.0 / 3.0, 0.9] {
        for off in [0.0, 1e-17, -1e-16, 1e-12] {
            for depth in [1e-9, 1e-6, -1e-9] {
                let x = LOW + (HIGH - LOW) * part + Vec3::new(off, 0.0, 0.0);
                let place = mesh.nearest(&Vec3::new(x.x, x.y, HIGH.z - depth));
                assert!((place.distance + depth).abs() < 1e-16);
                assert!(place.hessian == Mat3::zeros(), "{part} {off}");
                assert!((place.normal - Vec3::z()).norm() < 1e-9);
            }
        }
    }
}

/// A chord of the angle a is R (1 − cos a/2) below its circle; the diagonal of a square patch twice as far.
#[test]
fn a_globe_is_a_sphere_but_for_the_rise_of_its_arcs() {
    let radius = 0.3;
    for around in [24, 48] {
        let parts = globe(radius, around);
        assert_eq!(findings(&parts).open_edges.count, 0);
        let mesh = mesh(&parts, false);
        let rise = radius * (1.0 - (0.5 * TAU / f64::from(around)).cos());
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for x in places(3000, 0.4).filter(|x| x.norm() > 0.2) {
            let more = mesh.nearest(&x).distance - (x.norm() - radius);
            (low, high) = (low.min(more), high.max(more));
        }
        // the mesh lies within the sphere
        assert!(
            low > -1e-15 && high < 2.0 * rise,
            "{low:e} {high:e} {rise:e}"
        );
        assert!(high > 0.8 * rise, "{high:e} {rise:e}");
    }
}

#[test]
fn past_a_rim_there_is_no_material() {
    // a sheet in the plane of x and y that looks up
    let corners = vec![
        Vec3::zeros(),
        Vec3::x(),
        Vec3::new(1.0, 1.0, 0.0),
        Vec3::y(),
    ];
    let sheet = (corners, vec![[0, 1, 2], [0, 2, 3]]);
    assert_eq!(findings(&sheet).open_edges.count, 4);
    for (inside, up) in [(false, 1.0), (true, -1.0)] {
        let mesh = mesh(&sheet, inside);
        for (x, distance) in [
            (Vec3::new(0.5, 0.3, 0.1), 0.1 * up),
            (Vec3::new(0.5, 0.3, -0.1), -0.1 * up),
            (Vec3::new(1.3, 0.3, -0.4), 0.5),
            (Vec3::new(1.3, 0.3, 0.4), 0.5),
            (Vec3::new(-0.3, -0.4, 0.0), 0.5),
        ] {
            let place = mesh.nearest(&x);
            assert!((place.distance - distance).abs() < 1e-15, "{x} {place:?}");
        }
    }
}

#[test]
fn triangles_that_look_to_the_wrong_side_are_turned() {
    let sound = mesh(&block(), false);
    let (corners, triangles) = block();
    let turn = |which: &[usize]| {
        let mut triangles = triangles.clone();
        for &k in which {
            triangles[k].swap(0, 1);
        }
        (corners.clone(), triangles)
    };
    let all: Vec<usize> = (0..12).collect();
    for (which, count, first, whole) in [
        (&[][..], 0, 0, false),
        (&[7], 1, 7, false),
        (&[3, 4, 9], 3, 3, false),
        (&all, 0, 0, true),
        (&all[1..], 1, 0, true),
    ] {
        let parts = turn(which);
        let found = findings(&parts);
        assert_eq!(found.turned, MeshCount { count, first });
        assert_eq!(found.turned_whole, whole);
        let mesh = mesh(&parts, false);
        for x in places(200, 0.4) {
            let off = mesh.nearest(&x).distance - sound.nearest(&x).distance;
            assert!(off.abs() < 1e-15);
        }
    }
}

#[test]
fn what_is_wrong_with_a_mesh_is_found() {
    let (corners, triangles) = block();
    let with = |more: &[[u32; 3]]| (corners.clone(), [&triangles, more].concat());
    let counted = |count, first| MeshCount { count, first };
    assert_eq!(
        findings(&with(&[])),
        MeshFindings {
            triangles: 12,
            low: LOW,
            high: HIGH,
            ..MeshFindings::default()
        }
    );
    let found = findings(&with(&[[0, 1, 1], [3, 1, 2]]));
    assert_eq!(found.without_area, counted(1, 12));
    // the diagonal from 0 to 3 cuts that side: the triangle 1, 2, 3 is a new one, on edges that have two
    assert_eq!(found.crowded_edges.count, 2);
    let found = findings(&with(&[[2, 3, 0], [2, 0, 3]]));
    assert_eq!(found.repeated, counted(2, 12));
    let holed = (corners.clone(), triangles[..11].to_vec());
    assert_eq!(findings(&holed).open_edges.count, 3);
    // a band of three squares with a twist
    let at = |k: u32| {
        let turn = TAU * f64::from(k) / 12.0;
        let (radius, half) = (1.0, 0.25);
        let tilt = 0.5 * turn;
        let across = Vec3::new(tilt.cos() * turn.cos(), tilt.cos() * turn.sin(), tilt.sin());
        let middle = Vec3::new(turn.cos(), turn.sin(), 0.0) * radius;
        [middle - across * half, middle + across * half]
    };
    let band: Vec<Vec3> = (0..12).flat_map(at).collect();
    let strip = (0..12_u32).flat_map(|k| {
        let [a, b] = [2 * k, 2 * k + 1];
        // after a round the lower side is the upper one
        let [c, d] = if k == 11 { [1, 0] } else { [a + 2, b + 2] };
        [[a, b, c], [b, d, c]]
    });
    let twisted = findings(&(band, strip.collect())).twisted;
    assert!(twisted.count > 0, "{twisted:?}");
    let refused = |corners: &[Vec3], triangle| {
        TriangleMesh::new(corners, &[triangle], false).expect_err("no surface")
    };
    let mut wild = corners.clone();
    wild[1].y = f64::NAN;
    assert_eq!(refused(&wild, [0, 1, 2]), MeshError::NotFinite(0));
    wild[1].y = 1e200;
    assert_eq!(refused(&wild, [0, 1, 2]), MeshError::NotFinite(0));
    assert_eq!(refused(&corners, [0, 1, 8]), MeshError::NoCorner(0));
    assert_eq!(refused(&corners, [0, 0, 2]), MeshError::Empty);
}

#[test]
fn a_point_that_is_nowhere_has_no_distance() {
    let mesh = mesh(&block(), false);
    for x in [f64::NAN, f64::INFINITY, 1e300] {
        let place = mesh.nearest(&Vec3::new(x, 0.0, 0.0));
        assert!(place.distance.is_nan() || place.distance > 1e299);
    }
}

#[test]
fn edges_know_how_sharp_they_are() {
    let cosines: Vec<f64> = mesh(&block(), false).edges().map(|(_, c)| c).collect();
    let sharp = cosines
        .iter()
        .filter(|c| (c.acos() - FRAC_PI_2).abs() < 1e-12);
    // 12 edges, and 6 diagonals of sides
    assert_eq!((cosines.len(), sharp.count()), (18, 12));
}
