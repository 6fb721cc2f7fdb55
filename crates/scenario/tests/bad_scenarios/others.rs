//! Files of laws, expectations, plots, and scenarios that chance has mutilated.

use super::{CUBE, answer, from_file};

#[test]
fn law_files_that_are_missing_or_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let start = CUBE.find("friction =").unwrap();
    let end = CUBE.find("[force.press]").unwrap();
    let text = format!(
        "{}friction = \"dry.toml\"\n{}",
        &CUBE[..start],
        &CUBE[end..]
    );
    std::fs::write(folder.path().join("cube.toml"), text).unwrap();
    let errors = from_file(&folder.path().join("cube.toml"), &[]).errors();
    let [(place, marked, message)] = errors.as_slice() else {
        panic!("{errors:?}")
    };
    assert_eq!(
        (place.as_str(), marked.as_str()),
        ("cube.toml:18:12", "\"dry.toml\"")
    );
    assert!(message.starts_with("cannot read "), "{message}");
    let law = "law = \"coulomb_tanh\"\nmu_k = -1\nv_r = 1\n";
    std::fs::write(folder.path().join("dry.toml"), law).unwrap();
    let errors = from_file(&folder.path().join("cube.toml"), &[]).errors();
    let message = "contact.base.friction.kinetic_coefficient = -1, must be in (0, ∞)";
    assert_eq!(
        errors,
        [("dry.toml:2:8".into(), "-1".into(), message.into())]
    );
}

#[test]
fn expectations_and_plots_of_unknown_quantities() {
    let errors = |text: &str| answer(&format!("{CUBE}\n{text}"), &[]);
    let plot = errors("[plot.p]\nchannels = [\"body.cube.*\", \"energy.input\", \"nothing.*\"]\n");
    let all = plot.diagnostics.render_plain(&plot.sources);
    assert!(
        all.contains("plot.p.channels: there is no quantity \"nothing.*\""),
        "{all}"
    );
    let mixed = "[plot.p]\nchannels = [\"body.cube.position.x\", \"energy.input\"]\n";
    assert!(errors(mixed).errors().is_empty());
    assert_eq!(
        errors(&format!("{mixed}label = \"size\"\n")).errors()[0].2,
        "plot.p.label: names one axis, but body.cube.position.x (m) and energy.input (J) have axes of their \
         own; leave it out"
    );
    let over = errors(
        "[plot.p]\nchannels = [\"energy.input\"]\nagainst = \"contact.base.slip_sped\"\n\
         during = [2, 1]\n",
    );
    let all = over.diagnostics.render_plain(&over.sources);
    for part in [
        "plot.p.against: there is no quantity \"contact.base.slip_sped\"",
        "did you mean \"contact.base.slip_speed\"?",
        "expected two times [from, to] with 0 ≤ from < to",
    ] {
        assert!(all.contains(part), "{all}");
    }
    let after = errors("[plot.p]\nchannels = [\"energy.input\"]\nduring = [4, 5]\n");
    assert_eq!(
        after.errors()[0].2,
        "plot.p.during: begins at 4 s, when the run has ended: end_time = 4 s"
    );
    let near = errors(
        "[[expect]]\nvalue = \"body.cube.velocty.x\"\nexpected = 0\ntolerance = 0\nat = 1\n",
    );
    let all = near.diagnostics.render_plain(&near.sources);
    assert!(
        all.contains("did you mean \"body.cube.velocity.x\"?"),
        "{all}"
    );
    let late =
        errors("[[expect]]\nvalue = \"energy.input\"\nexpected = 0\ntolerance = 0\nat = 5\n");
    assert_eq!(
        late.errors()[0].2,
        "expect.1.at: 5 s is after end_time = 4 s"
    );
    let window =
        "[[expect]]\nvalue = \"energy.input\"\nexpected = 0\ntolerance = 0\nduring = [2, 1]\n";
    assert_eq!(
        errors(window).errors()[0].2,
        "expect.1.during: expected two times [from, to] with 0 ≤ from < to ≤ end_time = 4 s"
    );
}

/// Replaces, removes and doubles words and lines at random; whatever comes out is answered.
#[test]
fn mutilated_scenarios_are_answered() {
    let machine = include_str!("../scenarios/machine.toml");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cube.toml");
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let words = [
        "0",
        "-1",
        "nan",
        "1e300",
        "\"1e200 km\"",
        "[]",
        "{}",
        "\"\"",
        "true",
        "[1, 2]",
        "{ t = 1 }",
    ];
    let mut sound = 0;
    for _ in 0..100 {
        let mut lines: Vec<String> = machine.lines().map(str::to_owned).collect();
        for _ in 0..=random(2) {
            let line = random(lines.len());
            let cut = lines[line].split_once('=').map(|(name, _)| name.to_owned());
            match (random(3), cut) {
                (0, _) => drop(lines.remove(line)),
                (1, _) => lines.insert(line, lines[random(lines.len())].clone()),
                (_, Some(name)) => lines[line] = format!("{name}= {}", words[random(words.len())]),
                (_, None) => {}
            }
        }
        std::fs::write(&path, lines.join("\n")).unwrap();
        let answer = from_file(&path, &[]);
        sound += usize::from(answer.errors().is_empty());
        // also the pictures of the places must not fail
        answer.diagnostics.render_plain(&answer.sources);
    }
    assert!(sound < 100, "no fault was found");
}

#[test]
fn surfaces_that_cannot_be_are_refused() {
    let plane = "plane    = { body = \"ground\", normal = [0, 0, 1] }";
    for (surface, message) in [
        (
            "surface = { sphere = { radius = 1 }, ball = 1 }",
            "unknown field \"ball\" in contact.base.surface",
        ),
        (
            "surface = { sphere = { radius = 1 }, cone = { half_angle = 1 } }",
            "contact.base.surface: \"sphere\" and \"cone\" exclude each other",
        ),
        (
            "surface = { sphere = { radius = -1 } }",
            "contact.base.surface.sphere.radius = -1 m, must be in (0, ∞) m",
        ),
        (
            "surface = { cone = { half_angle = \"90 deg\" } }",
            "contact.base.surface.cone.half_angle = 1.5707963267948966 rad, must be in (0, 1.5707963267948966) rad",
        ),
        (
            "surface = { cylinder = { radius = 1, axis = [0, 0, 0] } }",
            "contact.base.surface.cylinder.axis: a direction cannot be the vector [0, 0, 0]",
        ),
        (
            "surface = { cam = { profile = [[0, 0], [1, 1], [1, 0], [0, 1]] } }",
            "contact.base.surface.cam.profile: the profile crosses itself",
        ),
        (
            "surface = { cam = { polar = [[0, 1], [1, -1]] } }",
            "contact.base.surface.cam.polar.1 = -1 m, must be in (0, ∞) m",
        ),
        (
            "surface = { body = \"cube\", sphere = { radius = 1 } }",
            "contact.base: points and surface belong to the same body, which cannot slip on itself",
        ),
        (
            "plane = {}\nsurface = { sphere = { radius = 1 } }",
            "contact.base.surface: a contact has a plane or a surface, not both",
        ),
    ] {
        let errors = answer(&super::cube(plane, surface), &[]).errors();
        let found = errors
            .iter()
            .any(|(_, _, found)| found.starts_with(message));
        assert!(found && errors.len() == 1, "{surface}: {errors:?}");
    }
    let big = super::cube(
        plane,
        "surface = { sphere = { radius = 0.1 }, inside = true }",
    );
    let start = big.find("circle =").unwrap();
    let end = big[start..].find('\n').unwrap() + start;
    let big = format!(
        "{}sphere = {{ radius = 0.1 }} }}{}",
        &big[..start],
        &big[end..]
    );
    let errors = answer(&big, &[]).errors();
    let message = "contact.base: a ball with a radius of 0.1 m does not fit into the radius of 0.1 m around it";
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].2, message);
}
