//! The report page: what is on it, of which folders, and what is kept for it.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod support;

use support::{BLOCK, Place, expecting};

fn page(place: &Place, path: &str) -> String {
    std::fs::read_to_string(place.path(path)).expect("the page is there")
}

/// The columns of numbers in a page.
fn columns(page: &str) -> Vec<&str> {
    let starts = page.split("\"data\":\"").skip(1);
    starts.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn a_run_writes_its_page_in_one_file() {
    let place = Place::new();
    place.write("block.toml", &expecting(0.2));
    let run = place.bristle(&["run", "block.toml", "--report", "--quiet"]);
    assert_eq!(run.code, Some(0));
    let page = page(&place, "results/block/report.html");
    // summary, stage, plots, expectations, the scenario's own text, a parameter
    for part in [
        "id=\"stage\"",
        "data-chart=\"0\"",
        "expectations met",
        "static_coefficient",
        "id=\"bristle-data\"",
        "friction over slip velocity",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // nothing is fetched: no source outside the page
    for outside in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
}

#[test]
fn a_folder_gives_the_page_of_its_run() {
    let place = Place::new();
    place.write("block.toml", &expecting(0.2));
    place.bristle(&["run", "block.toml", "--report", "--quiet"]);
    let first = page(&place, "results/block/report.html");
    let again = place.bristle(&["report", "results/block", "--out", "again.html"]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    // the same numbers to the bit
    let again = page(&place, "again.html");
    assert_eq!(columns(&again), columns(&first));
    assert!(columns(&first).len() > 10);
    // a second run removes the page of the first
    place.bristle(&["run", "block.toml", "--quiet"]);
    assert!(!place.path("results/block/report.html").exists());
}

#[test]
fn an_incomplete_folder_is_shown_as_far_as_it_goes_and_marked() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.bristle(&["run", "block.toml", "--quiet"]);
    let folder = place.path("results/block");
    for name in ["summary.json", "model.json", "channels.json"] {
        std::fs::remove_file(folder.join(name)).expect("there");
    }
    let table = std::fs::read_to_string(folder.join("results.csv")).expect("there");
    std::fs::remove_file(folder.join("results.csv")).expect("there");
    let torn = &table[..table.len() - 7];
    std::fs::write(folder.join("results.csv.partial"), torn).expect("written");
    let report = place.bristle(&["report", "results/block"]);
    assert_eq!(report.code, Some(0), "{}", report.err);
    assert!(report.err.contains("never finished"), "{}", report.err);
    let page = page(&place, "results/block/report.html");
    assert!(page.contains("incomplete") && page.contains("never finished"));
}

#[test]
fn folders_that_are_none_are_refused() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    std::fs::create_dir(place.path("empty")).expect("a folder");
    for (folder, reason) in [
        ("empty", "no results of bristle"),
        ("nowhere", "nowhere"),
        ("block.toml", "this is a scenario"),
    ] {
        let report = place.bristle(&["report", folder]);
        assert_eq!(report.code, Some(2), "{folder}");
        assert!(report.err.contains(reason), "{folder}: {}", report.err);
    }
    // a folder of another kind: the remedy
    std::fs::create_dir(place.path("study")).expect("a folder");
    place.write("study/sweep.json", "{}");
    let report = place.bristle(&["report", "study"]);
    assert_eq!(report.code, Some(2));
    assert!(report.err.contains("folder of a sweep"), "{}", report.err);
    place.bristle(&["run", "block.toml", "--quiet"]);
    place.write("mine.html", "my own text");
    let report = place.bristle(&["report", "results/block", "--out", "mine.html"]);
    assert_eq!(report.code, Some(2));
    assert_eq!(page(&place, "mine.html"), "my own text");
}

#[test]
fn beams_have_their_section() {
    let place = Place::new();
    let strip = "title = \"Strip\"\n[simulation]\nend_time = 0.001\n\
        [body.tip]\njoint = \"free\"\nmass = 0.1\nshape = { sphere = 0.01 }\nposition = [0, 0, 0.2]\n\
        [beam.strip]\nfrom = { point = [0, 0, 0] }\nto = { body = \"tip\" }\n\
        section = { rectangle = [\"2 mm\", \"20 mm\"] }\nsection_y = [1, 0, 0]\n\
        young_modulus = \"210 GPa\"\ndensity = 7800\n";
    place.write("strip.toml", strip);
    let ran = place.bristle(&[
        "run",
        "strip.toml",
        "--out",
        "out",
        "--report",
        "--no-plots",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = std::fs::read_to_string(place.path("out/model.json")).expect("kept");
    let model: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let beam = &model["scene"]["chains"][0];
    // half of 2 mm along y and half of 20 mm along z; two elements have three nodes
    assert_eq!(beam["outline"][2], serde_json::json!([0.001, 0.01]));
    assert_eq!(beam["points"].as_array().map(Vec::len), Some(3));
    // ground and tip have the axes of the world, the node between has those of the beam
    for (point, along, across) in [
        (0, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
        (1, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        (2, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
    ] {
        let point = &beam["points"][point];
        assert_eq!(point["along"], serde_json::json!(along));
        assert_eq!(point["across"], serde_json::json!(across));
    }
}

#[test]
fn what_another_version_wrote_is_read_or_named_with_the_reason() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.bristle(&["run", "block.toml", "--quiet"]);
    let change = |name: &str, from: &str, to: &str| {
        let path = place.path("results/block").join(name);
        let text = std::fs::read_to_string(&path).expect("there");
        assert!(text.contains(from), "{name}: {from}");
        std::fs::write(path, text.replace(from, to)).expect("written");
    };
    // a later format of the model, and fields that are not known yet
    change("model.json", "\"format\":1", "\"format\":7");
    change(
        "summary.json",
        "\"steps\"",
        "\"later\": [1, 2],\n  \"steps\"",
    );
    let report = place.bristle(&["report", "results/block"]);
    assert_eq!(report.code, Some(0), "{}", report.err);
    let shown = page(&place, "results/block/report.html");
    assert!(shown.contains("model.json has the format 7"));
    // a summary that is none: told once, and the rest is shown
    std::fs::write(place.path("results/block/summary.json"), "{").expect("written");
    let report = place.bristle(&["report", "results/block"]);
    assert_eq!(report.code, Some(0), "{}", report.err);
    assert!(
        report.err.contains("summary.json is no JSON"),
        "{}",
        report.err
    );
    assert!(
        !report.err.contains("there is no summary.json"),
        "{}",
        report.err
    );
    // a table without rows: an empty run
    let path = place.path("results/block/results.csv");
    let table = std::fs::read_to_string(&path).expect("there");
    std::fs::write(
        &path,
        table.lines().next().unwrap_or_default().to_owned() + "\n",
    )
    .expect("written");
    let report = place.bristle(&["report", "results/block"]);
    assert_eq!(report.code, Some(0), "{}", report.err);
    assert!(page(&place, "results/block/report.html").contains("the table has no rows"));
}

#[test]
fn a_strip_shows_the_motion_and_spares_what_is_no_picture() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.bristle(&["run", "block.toml", "--quiet"]);
    let strip = |more: &[&str]| {
        let mut all = vec!["report", "results/block"];
        all.extend(more);
        place.bristle(&all)
    };
    let drawn = strip(&["--strip", "motion.svg", "--frames", "4"]);
    assert_eq!(drawn.code, Some(0), "{}", drawn.err);
    let svg = page(&place, "motion.svg");
    assert_eq!(svg.matches(">t = ").count(), 4);
    // the block slips at the end: its point and arrow have the colour of slip
    assert!(svg.contains("#d55e00"));
    assert!(!place.path("results/block/report.html").exists());
    // again over itself, but not over a text
    assert_eq!(strip(&["--strip", "motion.svg"]).code, Some(0));
    place.write("mine.svg", "my own text");
    let refused = strip(&["--strip", "mine.svg"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(page(&place, "mine.svg"), "my own text");
    for (frames, reason) in [
        ("1", "from 2 to 300"),
        ("61", "more than the 60"),
        ("many", "not a whole number"),
    ] {
        let refused = strip(&["--strip", "motion.svg", "--frames", frames]);
        assert_eq!(refused.code, Some(2));
        assert!(refused.err.contains(reason), "{}", refused.err);
    }
    // twelve in a row
    let drawn = strip(&["--strip", "motion.svg", "--frames", "60"]);
    assert_eq!(drawn.code, Some(0), "{}", drawn.err);
    let svg = page(&place, "motion.svg");
    assert_eq!(svg.matches(">t = ").count(), 60);
    assert!(svg.contains("width=\"2880\""), "12 pictures of 240");
}

/// The numbers of a GIF: width, height, pictures and hundredths of a second. Its blocks are walked as the
/// format has them (GIF89a), apart from the writer.
fn gif_numbers(bytes: &[u8]) -> [usize; 4] {
    assert_eq!(&bytes[..6], b"GIF89a");
    let short = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let colours = |packed: u8| {
        if packed & 0x80 > 0 {
            3 << ((packed & 7) + 1)
        } else {
            0
        }
    };
    let skip = |mut at: usize| {
        while bytes[at] > 0 {
            at += 1 + usize::from(bytes[at]);
        }
        at + 1
    };
    let (mut at, mut pictures, mut time) = (13 + colours(bytes[10]), 0, 0);
    loop {
        match bytes[at] {
            0x21 => {
                if bytes[at + 1] == 0xf9 {
                    time += short(at + 4);
                }
                at = skip(at + 2);
            }
            0x2c => {
                pictures += 1;
                at = skip(at + 10 + colours(bytes[at + 9]) + 1);
            }
            0x3b => return [short(6), short(8), pictures, time],
            other => panic!("a block {other:#x}"),
        }
    }
}

#[test]
fn a_gif_repeats_the_motion_in_sixty_pictures() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.bristle(&["run", "block.toml", "--quiet"]);
    let gif = |more: &[&str]| {
        let all = [&["report", "results/block", "--gif"], more].concat();
        place.bristle(&all)
    };
    let drawn = gif(&["motion.gif"]);
    assert_eq!(drawn.code, Some(0), "{}", drawn.err);
    let bytes = std::fs::read(place.path("motion.gif")).expect("a GIF");
    let [width, _, pictures, time] = gif_numbers(&bytes);
    // 0.2 s are shown in 3 s
    assert_eq!([width, pictures, time], [640, 60, 300]);
    assert!(
        bytes.windows(11).any(|part| part == b"NETSCAPE2.0"),
        "it repeats"
    );
    // slip has its colour
    assert!(bytes.windows(3).any(|part| part == [0xd5, 0x5e, 0x00]));
    assert!(!place.path("results/block/report.html").exists());
    let drawn = gif(&["motion.gif", "--frames", "100", "--strip", "motion.svg"]);
    assert_eq!(drawn.code, Some(2), "{}", drawn.err);
    let drawn = gif(&["motion.gif", "--frames", "10", "--strip", "motion.svg"]);
    assert_eq!(drawn.code, Some(0), "{}", drawn.err);
    let bytes = std::fs::read(place.path("motion.gif")).expect("a GIF");
    assert_eq!(gif_numbers(&bytes)[2..], [10, 300]);
    assert!(place.path("motion.svg").exists());
    place.write("mine.gif", "my own text");
    let refused = gif(&["mine.gif"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(page(&place, "mine.gif"), "my own text");
    let alone = place.bristle(&["report", "results/block", "--frames", "10"]);
    assert_eq!(alone.code, Some(2), "{}", alone.err);
}

/// A device is written to and never read: `/dev/zero` has no end.
#[test]
#[cfg(unix)]
fn a_device_is_written_to_and_not_looked_into() {
    let place = Place::new();
    place.write("block.toml", BLOCK);
    place.bristle(&["run", "block.toml", "--quiet"]);
    for option in ["--gif", "--strip", "--out"] {
        let written = place.bristle(&["report", "results/block", option, "/dev/zero"]);
        assert_eq!(written.code, Some(0), "{option}: {}", written.err);
    }
}

#[test]
fn small_motion_is_drawn_from_the_start_in_run_and_page() {
    let place = Place::new();
    // 0.1 mm up and down at a height of 0.5 m
    place.write(
        "high.toml",
        "title = \"High\"\n[simulation]\nend_time = 0.5\noutput_step = \"1 ms\"\n\
         [body.plate]\njoint = \"free\"\nmass = 1\nposition = [0, 0, 0.5]\nshape = { box = [0.1, 0.1, 0.01] }\n\
         [force.shaker]\nbody = \"plate\"\ndirection = [0, 0, 1]\n\
         magnitude = { sine = { amplitude = 0.1, frequency = 5, phase = 1.5707963 } }\n",
    );
    let ran = place.bristle(&["run", "high.toml", "--report", "--quiet"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let svg = page(&place, "results/high/position_plate.svg");
    assert!(svg.contains("Displacement from the start of plate"));
    // 0.1 N on 1 kg at 31.4 rad/s: up to 0.2 mm
    assert!(svg.contains("displacement (µm)"), "{svg}");
    let html = page(&place, "results/high/report.html");
    assert!(html.contains("Displacement from the start of plate"));
    assert!(!html.contains("Position of plate"));
}

/// The name of an example is run where no folder has it, and its page is written.
#[test]
fn the_name_of_an_example_is_run() {
    let place = Place::new();
    let ran = place.bristle(&["report", "block-one-point", "--out", "page.html"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(place.path("page.html").is_file());
    assert!(place.path("results/block-one-point/report.html").is_file());
    // it is there now
    let again = place.bristle(&["report", "block-one-point", "--quiet"]);
    assert_eq!((again.code, &*again.out), (Some(0), ""), "{}", again.err);
}
