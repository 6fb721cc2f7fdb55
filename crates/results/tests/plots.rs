//! Plots are well-formed for any numbers.

#![allow(clippy::unwrap_used, reason = "a test without its picture has failed")]

use bristle_results::{
    Channel, ChannelTable, Error, Figure, FigureAxis, FigureCurve, Plot, draw, render,
};

fn figure(x: Vec<f64>, y: Vec<f64>) -> Figure {
    Figure {
        title: "A <title> & more\u{7}".into(),
        x: FigureAxis::new("time", "s"),
        y: FigureAxis::new("deflection", "m"),
        curves: vec![FigureCurve::new("curve", x, y)],
    }
}

/// The points of the paths of an SVG.
fn points(svg: &str) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    for path in svg.split("<path d=\"").skip(1) {
        let path = path.split('"').next().unwrap();
        let words = path.replace(['M', 'L', 'Z', ','], " ");
        let numbers: Vec<f64> = words
            .split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect();
        points.extend(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])));
    }
    points
}

#[test]
fn any_numbers_give_a_picture_with_finite_points() {
    let cases: [(Vec<f64>, Vec<f64>); 9] = [
        (vec![0.0, 1.0], vec![0.0, 0.0]),
        (vec![0.0], vec![1.0]),
        (vec![0.0, 1.0], vec![1e300, -1e300]),
        (vec![0.0, 1.0], vec![5e-324, 0.0]),
        (vec![0.0, 1e-9], vec![1.0, 1.0 + 1e-13]),
        (vec![1e6, 1e6 + 1e-3], vec![0.05, 0.05 + 1e-9]),
        (vec![0.0, 0.0], vec![0.0, 1.0]),
        (vec![0.0, 1.0, 2.0], vec![f64::NAN, 1.0, 2.0]),
        (vec![0.0, -1.0, 2.0], vec![3e-20, 4e-20, -1e-20]),
    ];
    for (x, y) in cases {
        let svg = draw(&figure(x.clone(), y.clone())).unwrap();
        let drawn = points(&svg);
        assert!(drawn.len() >= 2, "{x:?} {y:?}");
        assert!(
            drawn.iter().all(|p| p.0.is_finite() && p.1.is_finite()),
            "{x:?} {y:?}"
        );
        // inside the canvas, whose size the view box tells
        let size: Vec<f64> = svg
            .split("viewBox=\"0 0 ")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap()
            .split(' ')
            .map(|n| n.parse().unwrap())
            .collect();
        let inside =
            |p: &(f64, f64)| (0.0..=size[0]).contains(&p.0) && (0.0..=size[1]).contains(&p.1);
        assert!(drawn.iter().all(inside), "{x:?} {y:?}: {drawn:?}");
        assert!(svg.contains("<title>A &lt;title&gt; &amp; more </title>"));
    }
}

/// Two units have an axis each, above each other, over the same time.
#[test]
fn channels_of_several_units_are_drawn_above_each_other() {
    let mut table = ChannelTable::new(vec![
        Channel::time(),
        Channel::new("a.x", "m", "position"),
        Channel::new("a.v", "m/s", "velocity"),
        Channel::new("b.x", "m", "position"),
    ]);
    for i in 0..5 {
        let t = f64::from(i);
        table.push_row(&[t, 2.0 * t, 3.0 * t, t]).unwrap();
    }
    let plot = Plot::over_time("both.svg", "Both", "")
        .with("a.x", "a.x")
        .with("a.v", "a.v")
        .with("b.x", "b.x");
    let unit = |name: &str| table.channel(name).map(|channel| channel.unit.clone());
    let parts = plot.by_unit(unit);
    let curves = |plot: &Plot| -> Vec<String> {
        plot.series.iter().map(|series| series.y.clone()).collect()
    };
    assert_eq!(
        parts.iter().map(curves).collect::<Vec<_>>(),
        [vec!["a.x", "b.x"], vec!["a.v"]]
    );
    // curves of one unit share the word for it, and one alone has its own name
    assert_eq!([&*parts[0].y_label, &*parts[1].y_label], ["length", "a.v"]);
    let svg = render(&plot, &table).unwrap();
    assert_eq!(svg.matches("<svg x=\"0.00\" y=").count(), 2, "two panels");
    assert!(
        svg.contains("length (m)") && svg.contains("a.v (m/s)"),
        "{svg}"
    );
    assert_eq!(
        svg.matches(">Both<").count(),
        2,
        "the title of the file and of the picture"
    );
    let one = plot.by_unit(|_| Some("m".to_owned()));
    assert_eq!(one.len(), 1);
    assert_eq!(one[0], plot);
}

#[test]
fn nothing_to_draw_is_said() {
    assert!(matches!(
        draw(&Figure::default()),
        Err(Error::EmptyPlot { .. })
    ));
    let blank = figure(vec![0.0], vec![f64::INFINITY]);
    assert!(matches!(draw(&blank), Err(Error::EmptyPlot { .. })));
}

#[test]
fn units_follow_the_channels() {
    let mut table = ChannelTable::new(vec![
        Channel::time(),
        Channel::new("z", "m", "deflection"),
        Channel::new("f", "N", "force"),
    ]);
    table.push_row(&[0.0, 0.0, 1.0]).unwrap();
    table.push_row(&[1.0, 2e-6, 2.0]).unwrap();
    let plot = Plot::over_time("z.svg", "Bristle", "deflection").with("point", "z");
    let svg = render(&plot, &table).unwrap();
    assert!(svg.contains("deflection (µm)") && svg.contains("time (s)"));
    let svg = render(&plot.with("load", "f"), &table).unwrap();
    assert!(
        svg.contains("point (µm)") && svg.contains("load (N)"),
        "each unit has its axis"
    );
    let unknown = Plot::over_time("z.svg", "", "").with("", "w");
    assert!(matches!(
        render(&unknown, &table),
        Err(Error::UnknownChannel { .. })
    ));
}

#[test]
fn a_curve_on_another_is_dashed() {
    let t = vec![0.0, 1.0, 2.0];
    let curve = |y: [f64; 3]| FigureCurve::new("c", &*t, y);
    let mut figure = figure(Vec::new(), Vec::new());
    figure.curves = vec![curve([0.0, 1.0, 0.0]), curve([0.0, 2.0, 1.0])];
    assert!(!draw(&figure).unwrap().contains("stroke-dasharray=\"10 8\""));
    figure.curves.push(curve([0.0, 1.0, 0.0]));
    assert!(draw(&figure).unwrap().contains("stroke-dasharray=\"10 8\""));
}
