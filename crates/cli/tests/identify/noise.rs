//! Noise and quantisation of the motion: which column is used, and what it does to the parameters.
//! Records are synthetic, from a fixed seed; what they were made of is the truth.

use std::fmt::Write as _;

use super::support::Place;
use super::{identify, json, value};

/// Normal numbers from a fixed seed (splitmix64, Box and Muller).
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) as f64 + 0.5) / 18_446_744_073_709_551_616.0
    }

    fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.uniform(), self.uniform());
        (-2.0 * radius.ln()).sqrt() * (2.0 * std::f64::consts::PI * angle).cos()
    }
}

/// An axis of 0.8 N m, 0.05 N m s/rad and an inertia along three sines: t, x, v, torque.
fn axis(inertia: f64, rate: u32, random: &mut Random) -> Vec<[f64; 4]> {
    let waves = [(1.5, 0.5, 0.3), (0.7, 0.9, 1.9), (0.3, 1.7, 4.1)];
    let each = (0..8 * rate).map(|i| {
        let t = f64::from(i) / f64::from(rate);
        let (mut x, mut v, mut a) = (0.0, 0.0, 0.0);
        for (size, frequency, phase) in waves {
            let w = 2.0 * std::f64::consts::PI * frequency;
            let (sine, cosine) = (w * t + phase).sin_cos();
            x += size * sine;
            v += size * w * cosine;
            a -= size * w * w * sine;
        }
        let torque = 0.8 * v.signum() + 0.05 * v + inertia * a + 0.01 * random.normal();
        [t, x, v, torque]
    });
    each.collect()
}

fn table(header: &str, rows: impl Iterator<Item = Vec<f64>>) -> String {
    let mut text = format!("{header}\n");
    for row in rows {
        let cells: Vec<String> = row.iter().map(|x| format!("{x:.9}")).collect();
        let _ = writeln!(text, "{}", cells.join(","));
    }
    text
}

fn fitted(data: &str, arguments: &[&str]) -> serde_json::Value {
    let mut all = vec!["--law", "coulomb_tanh", "--json"];
    all.extend(arguments);
    json(&identify(&Place::new(), data, &all))
}

fn parameter<'a>(fit: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let all = fit["parameters"].as_array().expect("a list");
    all.iter().find(|p| p["name"] == name).expect("a parameter")
}

/// The truth lies in the interval, or the parameter is called biased, or nothing is said of it.
fn honest(fit: &serde_json::Value, name: &str, truth: f64) -> bool {
    let p = parameter(fit, name);
    let end = |k: usize| p["interval95"][k].as_f64();
    let inside = end(0)
        .zip(end(1))
        .is_some_and(|(a, b)| (a..=b).contains(&truth));
    let biased = p["reason"]
        .as_str()
        .is_some_and(|r| r.starts_with("biased"));
    inside || biased && p["verdict"] != "identified" || p["verdict"] == "not identifiable"
}

fn notes(fit: &serde_json::Value) -> String {
    fit["data"][0]["notes"].to_string()
}

#[test]
fn a_coarse_velocity_gives_way_to_its_position() {
    let mut random = Random(1);
    let rows = axis(0.004, 1000, &mut random);
    for bits in [8, 10, 12, 14, 16] {
        let step = 2.0 * std::f64::consts::PI / f64::from(1 << bits);
        let counts: Vec<f64> = rows.iter().map(|r| (r[1] / step).round() * step).collect();
        let each = rows.iter().enumerate().map(|(i, r)| {
            let speed = (counts[i] - counts[i.saturating_sub(1)]) * 1000.0;
            vec![r[0], counts[i], speed, r[3]]
        });
        let fit = fitted(&table("t,x,v,F", each), &["--with", "drag,mass"]);
        assert!(
            notes(&fit).contains("velocity column is not used"),
            "{bits}"
        );
        // finer steps than this lie between two samples
        if bits <= 12 {
            let column = &fit["data"][0]["columns"]["position"];
            let found = column["step"].as_f64().expect("a step");
            assert!((found / step - 1.0).abs() < 1e-4, "{bits}: {found}");
        }
        for (name, truth, close) in [
            ("kinetic_coefficient", 0.8, 0.005),
            ("drag", 0.05, 0.01),
            ("mass", 0.004, 0.01),
        ] {
            let found = value(&fit, name);
            assert!(
                honest(&fit, name, truth),
                "{bits}: {}",
                parameter(&fit, name)
            );
            if bits >= 12 {
                assert!(
                    (found / truth - 1.0).abs() < close,
                    "{bits}: {name} {found}"
                );
            }
        }
    }
}

#[test]
fn the_better_column_is_used_and_a_noisy_velocity_is_filtered() {
    let mut random = Random(2);
    let rows = axis(0.020, 1000, &mut random);
    let cases = [
        ("t,x,v,F", 0.0, 0.3, true),
        ("t,x,v,F", 0.01, 0.0, false),
        ("t,x,v,F", 0.01, 0.5, false),
        ("t,v,F", 0.0, 0.3, false),
        ("t,v,F", 0.0, 1.0, false),
        ("t,x,F", 0.01, 0.0, false),
    ];
    for (header, of_position, of_velocity, replaced) in cases {
        let noisy: Vec<Vec<f64>> = rows
            .iter()
            .map(|r| {
                let x = r[1] + of_position * random.normal();
                let v = r[2] + of_velocity * random.normal();
                match header {
                    "t,v,F" => vec![r[0], v, r[3]],
                    "t,x,F" => vec![r[0], x, r[3]],
                    _ => vec![r[0], x, v, r[3]],
                }
            })
            .collect();
        let fit = fitted(&table(header, noisy.into_iter()), &["--with", "drag,mass"]);
        let unused = notes(&fit).contains("velocity column is not used");
        if of_position == 0.0 || of_velocity == 0.0 {
            assert_eq!(unused, replaced, "{header} {of_position} {of_velocity}");
        }
        for (name, truth) in [
            ("kinetic_coefficient", 0.8),
            ("drag", 0.05),
            ("mass", 0.020),
        ] {
            let what = format!(
                "{header} {of_position} {of_velocity}: {}",
                parameter(&fit, name)
            );
            assert!(honest(&fit, name, truth), "{what}");
        }
        let mass = value(&fit, "mass");
        assert!((mass / 0.020 - 1.0).abs() < 0.05, "{header}: {mass}");
    }
}

/// 2 N and 3 N s/m over velocities of up to 0.2 m/s, which were read with noise.
fn curve(noise: f64, order: &str, random: &mut Random) -> String {
    let mut rows: Vec<Vec<f64>> = (0..1501)
        .map(|i| {
            let v = match order {
                "uniform" => 0.4 * random.uniform() - 0.2,
                _ => -0.2 + 0.4 * f64::from(i) / 1500.0,
            };
            let force = 2.0 * v.signum() + 3.0 * v + 0.01 * random.normal();
            vec![v + noise * random.normal(), force]
        })
        .collect();
    if order == "shuffled" {
        let mut places: Vec<(f64, Vec<f64>)> = rows
            .into_iter()
            .map(|row| (random.uniform(), row))
            .collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows = places.into_iter().map(|(_, row)| row).collect();
    }
    table("v,F", rows.into_iter())
}

#[test]
fn noise_of_the_velocity_of_a_steady_curve_is_in_the_verdict() {
    let width = ["--with", "drag", "--fix", "v_r=1e-5"];
    for (seed, order) in [
        (3, "rising"),
        (4, "shuffled"),
        (5, "uniform"),
        (6, "rising"),
    ] {
        let mut random = Random(seed);
        for noise in [0.004, 0.01, 0.02, 0.05] {
            let data = curve(noise, order, &mut random);
            for arguments in [&width[..], &width[..2]] {
                let fit = fitted(&data, arguments);
                for (name, truth) in [("kinetic_coefficient", 2.0), ("drag", 3.0)] {
                    let p = parameter(&fit, name);
                    assert!(honest(&fit, name, truth), "{order} {noise}: {p}");
                }
            }
        }
    }
}

#[test]
fn a_clean_curve_is_not_called_biased() {
    let mut random = Random(7);
    for order in ["rising", "shuffled", "uniform"] {
        let data = curve(0.0, order, &mut random);
        let fit = fitted(&data, &["--with", "drag", "--fix", "v_r=1e-5"]);
        for (name, truth) in [("kinetic_coefficient", 2.0), ("drag", 3.0)] {
            let p = parameter(&fit, name);
            assert_eq!(p["verdict"], "identified", "{order}: {p}");
            assert!(
                (value(&fit, name) / truth - 1.0).abs() < 0.01,
                "{order} {name}"
            );
        }
        assert!(
            !fit["warnings"].to_string().contains("noise_bias"),
            "{order}"
        );
    }
}
