//! Random laws and calls: the bits of Rust, from many threads.

#![allow(
    unsafe_code,
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test fails by a panic; bits are compared; C functions are called"
)]

use std::ffi::CString;
use std::ptr::{null, null_mut};

use bristle::{CLaw, bristle_law_free, bristle_law_new, bristle_rates, bristle_update};
use bristle_laws::{Friction, Slip, Step, Value, friction};

/// Numbers in [0, 1), the same ones every time (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A law with numbers about the typical ones, in Rust and through C; none where it refuses them.
fn random_law(random: &mut Random) -> Option<(Friction, *mut CLaw)> {
    let count = Friction::CARDS.len() as f64;
    let place = random.next() * count;
    // the whole part of the place
    let card = Friction::CARDS
        .iter()
        .zip(1_u32..)
        .find(|(_, end)| f64::from(*end) > place);
    let card = card.unwrap().0;
    let mut values = friction::typical(card);
    // what is no number has no place in these arguments
    values.retain(|(_, value)| matches!(value, Value::Number(_)));
    for (_, value) in &mut values {
        if let Value::Number(x) = value {
            *x *= 0.8 + 0.4 * random.next();
        }
    }
    let law = Friction::build(card.name, &values).ok()?;
    let names: Vec<CString> = values
        .iter()
        .map(|(n, _)| CString::new(n.as_str()).unwrap())
        .collect();
    let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    let numbers: Vec<f64> = values
        .iter()
        .map(|(_, value)| match value {
            Value::Number(x) => *x,
            _ => 0.0,
        })
        .collect();
    let name = CString::new(card.name).unwrap();
    let mut handle = null_mut();
    let status = unsafe {
        bristle_law_new(
            name.as_ptr(),
            pointers.as_ptr(),
            numbers.as_ptr(),
            numbers.len(),
            &raw mut handle,
        )
    };
    assert_eq!(status, 0, "{}", card.name);
    Some((law, handle))
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// Both views at a random point in the plane.
fn compare(law: &Friction, handle: *const CLaw, random: &mut Random) {
    let count = law.layout().len(2);
    let v = [1e-2 * (random.next() - 0.5), 1e-2 * (random.next() - 0.5)];
    let (n, dt) = (10.0 * random.next(), 1e-3 * (random.next() + 1e-3));
    let slip = Slip::new(v, n);
    let mut z = vec![0.0; count];
    law.start(&slip, &mut z);
    let (mut force, mut zdot) = ([0.0; 2], vec![0.0; count]);
    let mut expected = vec![0.0; count];
    let none = null_mut();
    let status = unsafe {
        bristle_rates(
            handle,
            2,
            v.as_ptr(),
            n,
            z.as_ptr(),
            force.as_mut_ptr(),
            zdot.as_mut_ptr(),
            none,
            none,
            none,
            none,
            none,
            none,
        )
    };
    assert_eq!(status, 0);
    let name = law.card().name;
    assert_eq!(
        bits(&law.rates(&slip, &z, &mut expected)),
        bits(&force),
        "{name}"
    );
    assert_eq!(bits(&expected), bits(&zdot), "{name}");
    let mut new = vec![0.0; count];
    let (mut by_mean, mut by_end) = ([0.0; 4], [0.0; 4]);
    let status = unsafe {
        bristle_update(
            handle,
            2,
            dt,
            v.as_ptr(),
            n,
            v.as_ptr(),
            n,
            z.as_ptr(),
            new.as_mut_ptr(),
            force.as_mut_ptr(),
            by_mean.as_mut_ptr(),
            by_end.as_mut_ptr(),
            none,
            none,
        )
    };
    assert_eq!(status, 0);
    let step = Step::constant(slip, dt);
    let (f, tangent) = law.update_with_tangent(&step, &z, &mut expected);
    assert_eq!(bits(&f), bits(&force), "{name}");
    assert_eq!(bits(&expected), bits(&new), "{name}");
    assert_eq!(
        bits(tangent.mean_velocity.as_flattened()),
        bits(&by_mean),
        "{name}"
    );
    assert_eq!(
        bits(tangent.velocity.as_flattened()),
        bits(&by_end),
        "{name}"
    );
}

#[test]
fn a_hundred_thousand_laws_and_calls_have_the_bits_of_rust() {
    let mut random = Random(1);
    let mut count = 0;
    while count < 100_000 {
        if let Some((law, handle)) = random_law(&mut random) {
            compare(&law, handle, &mut random);
            unsafe { bristle_law_free(handle) };
            count += 1;
        }
    }
}

#[test]
fn one_law_serves_sixteen_threads() {
    let mut random = Random(7);
    let (law, handle) = loop {
        if let Some(made) = random_law(&mut random) {
            break made;
        }
    };
    let address = handle as usize;
    std::thread::scope(|scope| {
        for seed in 0..16 {
            let law = &law;
            scope.spawn(move || {
                let mut random = Random(seed);
                for _ in 0..1000 {
                    compare(law, address as *const CLaw, &mut random);
                }
                // what fails in one thread is not told in another one
                let mut none = null_mut::<CLaw>();
                let status = unsafe { bristle_law_new(null(), null(), null(), 0, &raw mut none) };
                assert_eq!(status, 3);
            });
        }
    });
    unsafe { bristle_law_free(handle) };
}

/// A normal force of −0 is one of 0, and a law without states takes NULL for them.
#[test]
fn no_states_may_be_null() {
    let mut random = Random(11);
    let (law, handle) = loop {
        match random_law(&mut random) {
            Some((law, handle)) if law.layout().len(1) == 0 => break (law, handle),
            Some((_, handle)) => unsafe { bristle_law_free(handle) },
            None => {}
        }
    };
    let (v, mut force) = (1e-3, f64::NAN);
    for normal_force in [10.0, 0.0, -0.0] {
        let status = unsafe {
            bristle_update(
                handle,
                1,
                1e-3,
                &raw const v,
                normal_force,
                &raw const v,
                normal_force,
                null(),
                null_mut(),
                &raw mut force,
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
            )
        };
        assert_eq!(status, 0);
        let step = Step::constant(Slip::new([v], normal_force), 1e-3);
        assert_eq!(force, law.update(&step, &[], &mut [])[0]);
    }
    unsafe { bristle_law_free(handle) };
}

/// Numbers for negative velocities: the other side on a line, refused in a plane.
#[test]
fn a_law_with_two_sides_is_for_a_line() {
    let mut values = friction::typical(&friction::EXAMPLE);
    values.retain(|(_, value)| matches!(value, Value::Number(_)));
    values.push(("kinetic_coefficient_negative".into(), Value::Number(0.02)));
    let names: Vec<CString> = values
        .iter()
        .map(|(n, _)| CString::new(n.as_str()).unwrap())
        .collect();
    let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    let number = |value: &Value| match value {
        Value::Number(x) => *x,
        _ => f64::NAN,
    };
    let numbers: Vec<f64> = values.iter().map(|(_, value)| number(value)).collect();
    let name = CString::new(friction::EXAMPLE.name).unwrap();
    let mut handle = null_mut();
    let (v, mut z, mut force) = ([-1.0; 2], [0.0; 2], [0.0; 2]);
    unsafe {
        let status = bristle_law_new(
            name.as_ptr(),
            pointers.as_ptr(),
            numbers.as_ptr(),
            numbers.len(),
            &raw mut handle,
        );
        assert_eq!(status, 0);
        let mut update = |dim| {
            bristle_update(
                handle,
                dim,
                1.0,
                v.as_ptr(),
                10.0,
                v.as_ptr(),
                10.0,
                z.as_ptr(),
                z.as_mut_ptr(),
                force.as_mut_ptr(),
                null_mut(),
                null_mut(),
                null_mut(),
                null_mut(),
            )
        };
        assert_eq!(update(1), 0);
        assert_ne!(update(2), 0);
        bristle_law_free(handle);
    }
    // far above the Stribeck velocity the directions differ by their levels alone: N (μ_k − 0.02)
    let law = Friction::build(friction::EXAMPLE.name, &values).unwrap();
    let forward = law.side(1.0).steady(1.0, 10.0).unwrap();
    let level = values.iter().find(|(n, _)| n == "kinetic_coefficient");
    let difference = 10.0 * (number(&level.unwrap().1) - 0.02);
    assert!((forward + force[0] - difference).abs() < 1e-9 * forward);
}
