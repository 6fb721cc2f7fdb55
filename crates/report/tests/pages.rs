//! Pages as a whole: what is in them, and that long runs stay small.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use bristle_report::{
    BandKind, Cell, Fact, Grid, Loop, Loops, PageNotice, Report, Scene, SceneBody,
    SceneOrientation, ScenePose, ScenePosition, SceneShape, Timeline, TimelineRow, Tone, strip,
};
use bristle_results::{Channel, ChannelTable, Figure, FigureAxis, FigureCurve, Plot};

fn table(rows: u32) -> ChannelTable {
    let mut table = ChannelTable::new(vec![
        Channel::time(),
        Channel::new("body.cube.position.x", "m", "place"),
        Channel::new(
            "contact.base.friction.x",
            "N",
            "</script><script>alert(1)</script>",
        ),
    ]);
    for i in 0..rows {
        let t = f64::from(i) * 1e-3;
        table.push_row(&[t, t.sin(), t.cos()]).unwrap();
    }
    table
}

#[test]
fn everything_that_was_added_is_on_the_page_and_nothing_breaks_out_of_it() {
    let table = table(50);
    let page = Report::new("A <b>title</b>")
        .subtitle("one & two")
        .badge(Tone::Good, "complete")
        .fact(Fact::new("first slip", "3 s").note("contact base"))
        .notice(PageNotice::warning("creeps").help("raise it"))
        .channels(&table)
        .section("Plots")
        .plot(Plot::over_time("a.svg", "Friction", "force").with("x", "contact.base.friction.x"))
        .plot(Plot::over_time("b.svg", "Lost", "force").with("x", "no.such.channel"))
        .loops(Loops {
            title: "Loop".into(),
            x: FigureAxis::new("displacement", "m"),
            y: FigureAxis::new("friction", "N"),
            paths: vec![Loop {
                label: "total".into(),
                t: table.time().to_vec(),
                x: table.column("body.cube.position.x").unwrap().to_vec(),
                y: table.column("contact.base.friction.x").unwrap().to_vec(),
            }],
        })
        .timeline(Timeline {
            title: "Bands".into(),
            start: 0.0,
            end: 1.0,
            rows: vec![TimelineRow::of_stick_intervals(
                "base",
                (0.0, 1.0),
                &[[0.0, 0.5]],
            )],
        })
        .table(
            Grid::new("Numbers", ["name", "value"])
                .row([Cell::text("mass"), Cell::number(0.05, "kg")])
                .row([Cell::text("iterations"), Cell::number(20_418.0, "1")]),
        )
        .picture("A <map>", "<svg><title>map</title></svg>")
        .source("cube.toml", "title = \"<cube>\"")
        .every_channel()
        .render()
        .unwrap();
    for part in [
        "A &lt;b&gt;title&lt;&#x2f;b&gt;",
        "one &amp; two",
        "there is no channel no.such.channel",
        "data-chart=\"1\"",
        "data-timeline=\"0\"",
        "id=\"explorer\"",
        "raise it",
        "data-value=\"0.05\"",
        ">20418</td>",
        "aria-label=\"A &lt;map&gt;\"",
        "<svg><title>map</title></svg>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script>alert(1)"));
    assert!(!page.contains("title = \"<cube>\""));
    // three.js comes with a stage only
    assert!(!page.contains("var THREE") && page.contains("var uPlot"));
    assert_eq!(format!("{:?}", BandKind::Stick), "Stick");
}

#[test]
fn a_stage_brings_its_library_and_an_unknown_channel_is_told() {
    let stage = |channel: &str| Scene {
        bodies: vec![SceneBody {
            name: "cube".into(),
            shapes: Vec::new(),
            pose: ScenePose {
                position: ScenePosition::Channels([channel, channel, channel].map(str::to_owned)),
                orientation: SceneOrientation::Fixed([1.0, 0.0, 0.0, 0.0]),
            },
        }],
        ..Scene::default()
    };
    let report = |channel| {
        let report = Report::new("Stage").channels(&table(50)).section("Motion");
        report.scene(stage(channel)).render().unwrap()
    };
    let page = report("body.cube.position.x");
    assert!(page.contains("var THREE") && page.contains("id=\"stage\""));
    let page = report("body.cube.position.w");
    assert!(!page.contains("var THREE") && page.contains("no channel body.cube.position.w"));
}

#[test]
fn what_does_not_vary_or_is_no_number_is_said() {
    let mut table = ChannelTable::new(vec![
        Channel::time(),
        Channel::new("still", "N", ""),
        Channel::new("none", "N", ""),
        Channel::new("some", "N", ""),
    ]);
    for i in 0..4_u32 {
        let some = if i == 2 { f64::NAN } else { f64::from(i) };
        table
            .push_row(&[f64::from(i), 2.0, f64::NAN, some])
            .unwrap();
    }
    let plot = |title: &str, name: &str| Plot::over_time("", title, "force").with(name, name);
    let page = Report::new("Odd")
        .channels(&table)
        .plot(plot("Still", "still"))
        .plot(plot("None", "none"))
        .plot(plot("Some", "some"))
        .render()
        .unwrap();
    for part in [
        "Still <span class=\"note\">(it is constant)</span>",
        "“None” cannot be drawn: none of its values is a number.",
        "Some <span class=\"note\">(1 values are not numbers and are left out)</span>",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn curves_on_each_other_are_marked_as_such() {
    let curve =
        |label: &str, height: f64| FigureCurve::new(label, [0.0, 1.0], [height, 1.0 + height]);
    let figure = Figure {
        title: "Laws".into(),
        x: FigureAxis::new("time", "s"),
        y: FigureAxis::new("friction", "N"),
        curves: vec![curve("dahl", 0.0), curve("tanh", 0.0), curve("gkf", 0.5)],
    };
    let page = Report::new("Laws").figure(&figure).render().unwrap();
    let start = page.find("id=\"bristle-data\">").unwrap() + "id=\"bristle-data\">".len();
    let data = &page[start..start + page[start..].find("</script>").unwrap()];
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let curve = |i: usize| {
        let curve = &data["charts"][0]["curves"][i];
        (curve["on"].as_u64().unwrap(), curve["covered"] == true)
    };
    assert_eq!([0, 1, 2].map(curve), [(0, true), (1, false), (0, false)]);
}

#[test]
fn a_strip_has_one_scale_and_a_time_below_each_picture() {
    let mut table = ChannelTable::new(vec![
        Channel::time(),
        Channel::new("x", "m", ""),
        Channel::new("zero", "m", ""),
    ]);
    for i in 0..=10_u32 {
        table
            .push_row(&[0.1 * f64::from(i), f64::from(i), 0.0])
            .unwrap();
    }
    let scene = |x: &str| Scene {
        bodies: vec![SceneBody {
            name: "ball".into(),
            shapes: vec![SceneShape::Sphere {
                radius: 1.0,
                centre: [0.0; 3],
            }],
            pose: ScenePose {
                position: ScenePosition::Channels([x, "zero", "zero"].map(str::to_owned)),
                orientation: SceneOrientation::Fixed([1.0, 0.0, 0.0, 0.0]),
            },
        }],
        ..Scene::default()
    };
    let svg = strip(&scene("x"), &table, 3).unwrap();
    for time in ["t = 0 s<", "t = 0.5 s<", "t = 1 s<"] {
        assert!(svg.contains(time), "{time}");
    }
    // one rim and three great circles for each picture
    assert_eq!(svg.matches("<polyline").count(), 3 * 4);
    let missing = strip(&scene("y"), &table, 3).unwrap_err();
    assert_eq!(missing, "the results have no channel y");
}

#[test]
fn no_data_is_no_reason_to_fail() {
    assert!(Report::new("").render().unwrap().contains("<h1>"));
    let empty = ChannelTable::new(vec![Channel::time(), Channel::new("f", "N", "force")]);
    let plot = Plot::over_time("a.svg", "Force", "force").with("f", "f");
    let page = Report::new("Empty")
        .channels(&empty)
        .plot(plot)
        .every_channel();
    assert!(page.render().is_ok());
}
