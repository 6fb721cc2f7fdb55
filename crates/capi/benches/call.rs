//! One update through the C library beside the same update in Rust, in one run.
//!
//! `cargo bench -p bristle-capi --bench call`: nanoseconds of each, and their ratio. The library is
//! loaded as a program in C loads it; both walk the same path, each step from the states of the one
//! before, in turns, and the shortest of the turns counts. On a given path a processor works on
//! several steps at once; in a simulation the velocity waits for the force of the step before.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    unsafe_code,
    reason = "a bench prints, panics, and calls the library"
)]

use std::ffi::{CString, c_char, c_int, c_void};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use bristle_laws::friction::typical;
use bristle_laws::{Friction, MAX_STATES, Slip, Step, Value};
use libloading::{Library, Symbol};

const STEPS: usize = 20_000;
const TURNS: usize = 40;
const DURATION: f64 = 1e-4;
const NORMAL_FORCE: f64 = 10.0;
/// Velocity by the force before it, m/s per N.
const FEEDBACK: f64 = -1e-9;

type New = unsafe extern "C" fn(
    *const c_char,
    *const *const c_char,
    *const f64,
    usize,
    *mut *mut c_void,
) -> c_int;
type Update = unsafe extern "C" fn(
    *const c_void,
    c_int,
    f64,
    *const f64,
    f64,
    *const f64,
    f64,
    *const f64,
    *mut f64,
    *mut f64,
    *mut f64,
    *mut f64,
    *mut f64,
    *mut f64,
) -> c_int;

/// The library of this build, beside the bench.
fn library() -> Library {
    let program = std::env::current_exe().expect("a path");
    let folder = program.parent();
    let name = libloading::library_filename("bristle");
    let file: PathBuf = folder.expect("a folder").join(name);
    unsafe { Library::new(&file) }.expect("the library loads")
}

/// Velocities of a path that turns and reverses, m/s.
fn path<const D: usize>() -> Vec<[f64; D]> {
    let at = |k: usize| 2e-3 * (0.003 * k as f64).sin();
    (0..STEPS)
        .map(|k| std::array::from_fn(|i| at(k + 700 * i)))
        .collect()
}

/// Nanoseconds of a step.
fn time(work: impl FnOnce() -> f64) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64() * 1e9 / STEPS as f64
}

fn in_rust<const D: usize, const FREE: bool>(law: &Friction, path: &[[f64; D]]) -> f64 {
    let count = law.layout().len(D);
    let (mut old, mut new) = ([0.0; MAX_STATES], [0.0; MAX_STATES]);
    let mut sum = 0.0;
    for v in path {
        let v = if FREE {
            *v
        } else {
            v.map(|v| v + FEEDBACK * sum)
        };
        let step = Step::constant(Slip::new(v, NORMAL_FORCE), DURATION);
        sum = law.update(&step, &old[..count], &mut new[..count])[0];
        old[..count].copy_from_slice(&new[..count]);
    }
    sum
}

fn in_c<const D: usize, const FREE: bool>(
    update: &Update,
    law: *const c_void,
    path: &[[f64; D]],
) -> f64 {
    let dimension = c_int::try_from(D).expect("1 to 3");
    let (mut z, mut force) = ([0.0_f64; MAX_STATES], [0.0_f64; D]);
    let null = std::ptr::null_mut;
    let mut sum = 0.0;
    for v in path {
        let v = if FREE {
            *v
        } else {
            v.map(|v| v + FEEDBACK * sum)
        };
        let (v, z) = (v.as_ptr(), z.as_mut_ptr());
        let status = unsafe {
            update(
                law,
                dimension,
                DURATION,
                v,
                NORMAL_FORCE,
                v,
                NORMAL_FORCE,
                z,
                z,
                force.as_mut_ptr(),
                null(),
                null(),
                null(),
                null(),
            )
        };
        assert_eq!(status, 0);
        sum = force[0];
    }
    sum
}

fn compare<const D: usize>(library: &Library, name: &str) {
    let card = Friction::CARDS.iter().find(|card| card.name == name);
    let values = typical(card.expect("a law of the catalogue"));
    let law = Friction::build(name, &values).expect("typical parameters");
    let number = |(name, value): &(String, Value)| match value {
        Value::Number(value) => Some((CString::new(name.clone()).expect("a name"), *value)),
        _ => None,
    };
    let values: Vec<(CString, f64)> = values.iter().filter_map(number).collect();
    let names: Vec<*const c_char> = values.iter().map(|(name, _)| name.as_ptr()).collect();
    let numbers: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let law_name = CString::new(name).expect("a name");
    let mut handle = std::ptr::null_mut();
    let new: Symbol<New> = unsafe { library.get(b"bristle_law_new") }.expect("there");
    let update: Symbol<Update> = unsafe { library.get(b"bristle_update") }.expect("there");
    let status = unsafe {
        new(
            law_name.as_ptr(),
            names.as_ptr(),
            numbers.as_ptr(),
            names.len(),
            &raw mut handle,
        )
    };
    assert_eq!(status, 0, "{name}");
    let path = path::<D>();
    print!("{name:>18}  {D}D");
    let mut least = [[f64::MAX; 2]; 2];
    for _ in 0..TURNS {
        let times = [
            [
                time(|| in_rust::<D, true>(black_box(&law), &path)),
                time(|| in_c::<D, true>(&update, handle, &path)),
            ],
            [
                time(|| in_rust::<D, false>(black_box(&law), &path)),
                time(|| in_c::<D, false>(&update, handle, &path)),
            ],
        ];
        for (least, time) in least
            .as_flattened_mut()
            .iter_mut()
            .zip(times.as_flattened())
        {
            *least = least.min(*time);
        }
    }
    for (what, [rust, c]) in ["path given", "velocity by the force"].iter().zip(least) {
        let ratio = c / rust;
        print!("   {what}: Rust {rust:5.1} ns, C {c:5.1} ns, {ratio:.2}");
    }
    println!();
}

fn main() {
    let library = library();
    for name in ["lugre", "dahl", "elastoplastic", "jenkins", "coulomb_tanh"] {
        compare::<1>(&library, name);
        compare::<2>(&library, name);
        compare::<3>(&library, name);
    }
}
