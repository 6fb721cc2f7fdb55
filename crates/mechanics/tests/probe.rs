mod common;
use bristle_mechanics::record::Start;
use common::*;
use std::time::Instant;

#[test]
fn probe() {
    for (name, start, plan) in [
        ("fixed", Start::Equilibrium, fixed(4.0, 1e-4)),
        ("fixed given", Start::AsGiven, fixed(4.0, 1e-4)),
        ("1e-4", Start::Equilibrium, plan(4.0, 1e-4)),
        ("1e-5", Start::Equilibrium, plan(4.0, 1e-5)),
        ("1e-6", Start::Equilibrium, plan(4.0, 1e-6)),
        ("1e-6 given", Start::AsGiven, plan(4.0, 1e-6)),
    ] {
        let model = cube(30.0, 0.0);
        let t = Instant::now();
        let (out, rows) = record(&model, &plan, start, 1e-3);
        let wall = t.elapsed();
        println!("{name}: {:?} {:?} end {} wall {wall:?}", out.statistics, out.error, out.end_time);
        println!("  {:?} rel {:e}", out.energies, out.energies.relative_imbalance());
        println!("  {:?}", out.contacts);
        if out.error.is_none() {
            for t in [1.5, 2.5, 3.3, 3.6, 3.99] {
                print!("  t {t}: x {:.9} F {:.7} ang {:.9} ", rows.at("body.cube.position.x", t) / 30f64.to_radians().cos(), rows.at("contact.base.friction.magnitude", t), rows.at("contact.base.friction.angle", t) - 30f64.to_radians());
                for i in 1..=6 { print!("{:.6} ", rows.at(&format!("contact.base.point{i}.friction.magnitude"), t)); }
                println!("N {:.6}", rows.at("contact.base.normal_force", t));
            }
        }
    }
}

#[test]
fn blocks() {
    let p = |e| { let mut p = plan(e, 1e-6); p.control = bristle_integrate::Control::Adaptive { min_step: 1e-11, max_step: 0.2, first_step: 1e-6 }; p };
    let model = stick_slip();
    for tol in [1e-6, 1e-7, 1e-8] {
        let mut pl = p(20.0); pl.tolerance = tol;
        let t = Instant::now();
        let (out, rows) = record(&model, &pl, Start::AsGiven, 0.01);
        println!("B1 tol {tol}: {:?} {:?} wall {:?} x20 err {:e} {:?}", out.statistics, out.error, t.elapsed(), rows.at("body.block.position.x", 20.0) - 1.2725964123, out.contacts);
        println!("   {:?} {:e}", out.energies, out.energies.relative_imbalance());
    }
    let n = table(&[(0.0, 10.0), (3.0, 10.0), (4.0, 0.0)]);
    let pull = table(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.75), (4.0, 0.75)]);
    let model = block(1.0194, lugre(), n, vec![pull]).build();
    let (out, rows) = record(&model, &p(4.0), Start::AsGiven, 0.001);
    println!("C17 {:?} x3 {:e} (1.042e-5) v3.95 {} (0.2103) x3.95 {} (0.04086) slip {:?} {:?}", out.statistics, rows.at("body.block.position.x", 3.0), rows.at("joint.block.rate", 3.95), rows.at("body.block.position.x", 3.95), out.contacts[0].first_slip_time, out.error);
    let load = vec![table(&[(0.0, 0.0), (0.5, 0.5), (30.0, 0.5)]), bristle_signals::Signal::expression("0.4*sin(2*pi*5*(t-1))*step(t-1)").unwrap_or_else(|e| panic!("{e}"))];
    let model = block(1.0, lugre_classical(), bristle_signals::Signal::Constant(10.0), load).build();
    let (out, rows) = record(&model, &p(21.0), Start::AsGiven, 0.01);
    println!("C14 {:?} x1 {:e} (6.0956e-6) x11 {:e} (3.4967e-4) x21 {:e} (6.9387e-4) {:?}", out.statistics, rows.at("body.block.position.x", 1.0), rows.at("body.block.position.x", 11.0), rows.at("body.block.position.x", 21.0), out.error);
    let n = bristle_signals::Signal::expression("10+2*sin(2*pi*10*(t-2))*step(t-2)").unwrap();
    let pull = table(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.75), (4.0, 0.75)]);
    let model = block(1.0194, lugre(), n, vec![pull]).build();
    let (out, rows) = record(&model, &p(12.0), Start::AsGiven, 0.01);
    println!("C16 {:?} x2 {:e} (1.035e-5) x7 {:e} (2.7167e-4) x12 {:e} (5.3276e-4) {:?}", out.statistics, rows.at("body.block.position.x", 2.0), rows.at("body.block.position.x", 7.0), rows.at("body.block.position.x", 12.0), out.error);
}
