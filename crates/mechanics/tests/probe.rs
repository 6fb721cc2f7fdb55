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
