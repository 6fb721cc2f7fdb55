//! Draws plots of the kinds that runs produce, for looking at them:
//! `cargo run -p bristle-results --example gallery -- FOLDER`.

use std::f64::consts::TAU;
use std::path::Path;

use bristle_results::{
    Channel, ChannelTable, Figure, FigureAxis, FigureCurve, Plot, draw, render, write_atomically,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "gallery".into());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let table = stick_slip()?;
    let mut points = Plot::over_time("points.svg", "Friction of each point", "friction force");
    for i in 1..=6 {
        points = points.with(
            format!("base, point {i}"),
            format!("contact.base.point{i}.friction"),
        );
    }
    let plots = [
        points,
        Plot::over_time(
            "deflection.svg",
            "Bristle deflection at break-away",
            "deflection",
        )
        .with("point 1", "deflection"),
        Plot::over_time(
            "height.svg",
            "Height of the cube while it settles",
            "height",
        )
        .with("cube", "height"),
        Plot::over_time("zero.svg", "A force that is never there", "force").with("side", "zero"),
        Plot::over_time("speed.svg", "Slip speed under load", "slip speed")
            .with("contact.base.point1.slip_speed", "speed")
            .with(
                "contact.base.point2.slip_speed, driven by the same long-named motor",
                "noise",
            ),
        Plot::against("loop.svg", "Friction loop", "deflection", "friction force").with_path(
            "point 1",
            "deflection",
            "contact.base.point1.friction",
        ),
    ];
    for plot in &plots {
        write_atomically(&folder.join(&plot.file), render(plot, &table)?.as_bytes())?;
    }
    for count in [12, 30] {
        let svg = draw(&many(count))?;
        write_atomically(&folder.join(format!("many{count}.svg")), svg.as_bytes())?;
    }
    Ok(())
}

/// Six forces that coincide in pairs, and a few more signals.
fn stick_slip() -> Result<ChannelTable, Box<dyn std::error::Error>> {
    let mut channels = vec![Channel::time()];
    for i in 1..=6 {
        channels.push(Channel::new(
            format!("contact.base.point{i}.friction"),
            "N",
            "friction",
        ));
    }
    for (name, unit) in [
        ("deflection", "m"),
        ("height", "m"),
        ("zero", "N"),
        ("speed", "m/s"),
        ("noise", "m/s"),
    ] {
        channels.push(Channel::new(name, unit, "example"));
    }
    let mut table = ChannelTable::new(channels);
    for i in 0..40_000 {
        let t = f64::from(i) * 1e-4;
        let wave = (TAU * 1.3 * t).sin();
        let force = |k: f64| 0.13 * k * (12.0 * (wave + 0.02 * k)).tanh() + 0.02 * k * wave;
        let deflection = 2.3e-6 * ((TAU * 1.3 * t - 0.6).sin() * 3.0).tanh();
        let height = 0.049_998_1 + 3e-7 * (-3.0 * t).exp() * (TAU * 12.0 * t).cos();
        let speed = 0.02 * wave.abs();
        let noise = 0.004 * (TAU * 431.7 * t).sin() * (-0.5 * t).exp() + 0.01 * t / 4.0;
        let (a, b, c) = (force(1.0), force(1.4), force(0.6));
        table.push_row(&[t, a, b, c, c, b, a, deflection, height, 0.0, speed, noise])?;
    }
    Ok(table)
}

/// A family of curves as a comparison of laws would draw it.
fn many(count: u32) -> Figure {
    let t: Vec<f64> = (0..400).map(|i| f64::from(i) * 0.01).collect();
    let curve = |i: u32| {
        let force = |t: &f64| 1500.0 * f64::from(i + 5) * (TAU * 0.25 * t).sin();
        let forces: Vec<f64> = t.iter().map(force).collect();
        FigureCurve::new(format!("law {i}"), &*t, forces)
    };
    Figure {
        title: "Spring force under every law of the catalogue, with a title that is too long"
            .into(),
        x: FigureAxis::new("time", "s"),
        y: FigureAxis::new("spring force", "N"),
        curves: (0..count).map(curve).collect(),
    }
}
