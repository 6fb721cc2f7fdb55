//! A wrong scenario is answered with the place, the field, the value and what is allowed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]
#![allow(clippy::too_many_lines, reason = "a table of cases is read like data")]

use std::path::Path;

use bristle_scenario::{Diagnostics, Severity, SourceMap, load};

const CUBE: &str = include_str!("scenarios/cube.toml");

struct Answer {
    diagnostics: Diagnostics,
    sources: SourceMap,
}

/// Loads a scenario from a file of this text.
fn answer(text: &str, overrides: &[&str]) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cube.toml");
    std::fs::write(&path, text).unwrap();
    from_file(&path, overrides)
}

fn from_file(path: &Path, overrides: &[&str]) -> Answer {
    let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
    let mut sources = SourceMap::new();
    let diagnostics = match load(path, &overrides, &mut sources) {
        Ok(_) => Diagnostics::new(),
        Err(diagnostics) => diagnostics,
    };
    Answer {
        diagnostics,
        sources,
    }
}

impl Answer {
    /// Place, underlined text and message of every error.
    fn errors(&self) -> Vec<(String, String, String)> {
        self.diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .map(|d| {
                let (place, marked) = d.locate(&self.sources).map_or_else(
                    || (String::new(), String::new()),
                    |l| {
                        let file = l.file.rsplit(['/', '\\']).next().unwrap_or_default();
                        let place = format!("{file}:{}:{}", l.position.line, l.position.column);
                        (place, l.text[l.range].to_owned())
                    },
                );
                (place, marked, d.message.clone())
            })
            .collect()
    }
}

/// The cube with one text replaced by another.
fn cube(from: &str, to: &str) -> String {
    assert_eq!(CUBE.matches(from).count(), 1, "{from} is not there once");
    CUBE.replace(from, to)
}

#[test]
fn every_fault_is_answered_at_its_place() {
    let cases: &[(&str, &str, &str, &str, &str)] = &[
        // replaced, by, place, underlined, message
        (
            "\"1 kg\"",
            "true",
            "cube.toml:10:12",
            "true",
            "body.cube.mass: expected a mass in kg: a number or a text with a unit such as \"250 g\", found a boolean",
        ),
        (
            "mass     =",
            "mas =",
            "cube.toml:10:1",
            "mas",
            "unknown field \"mas\" in body.cube",
        ),
        (
            "mass     = \"1 kg\"\n",
            "",
            "cube.toml:8:7",
            "cube",
            "missing field \"mass\" in body.cube: a free body can move and needs a mass in (0, ∞) kg",
        ),
        (
            "\"1 kg\"",
            "\"1 kgg\"",
            "cube.toml:10:15",
            "kgg",
            "body.cube.mass: unknown unit \"kgg\"",
        ),
        (
            "\"1 kg\"",
            "\"1 mm\"",
            "cube.toml:10:15",
            "mm",
            "body.cube.mass: 1 mm is a length; this field is a mass in kg",
        ),
        (
            "\"1 kg\"",
            "-1",
            "cube.toml:10:12",
            "-1",
            "body.cube.mass = -1 kg, must be in (0, ∞) kg",
        ),
        (
            "\"1 kg\"",
            "nan",
            "cube.toml:10:12",
            "nan",
            "body.cube.mass = NaN kg, must be in (0, ∞) kg",
        ),
        (
            "\"free\"",
            "\"fre\"",
            "cube.toml:9:12",
            "\"fre\"",
            "body.cube.joint = \"fre\", must be one of \"free\", \"fixed\", \"revolute\", \"prismatic\", \"cylindrical\", \"planar\", \"universal\", \"spherical\", \"point\", \"prescribed\"",
        ),
        (
            "position =",
            "axis =",
            "cube.toml:12:1",
            "axis",
            "body.cube.axis: a free joint does not use it; it belongs to joint = \"revolute\" or \"prismatic\" or \"cylindrical\" or \"universal\"",
        ),
        (
            "shape    = { box = [\"100 mm\", \"100 mm\", \"100 mm\"] }\n",
            "",
            "cube.toml:8:7",
            "cube",
            "body.cube: one of \"shape\", \"inertia\" is missing: a free body can turn and needs moments of inertia in (0, ∞) kg m^2",
        ),
        (
            "shape    = { box = [\"100 mm\", \"100 mm\", \"100 mm\"] }",
            "inertia = [1, 1, 3]",
            "cube.toml:11:11",
            "[1, 1, 3]",
            "body.cube.inertia: principal moments 1, 1, 3 kg m^2: each must be in (0, ∞) kg m^2, and none may exceed the sum of the others",
        ),
        (
            "shape    = { box = [\"100 mm\", \"100 mm\", \"100 mm\"] }",
            "shape = { box = [1, 0, 1] }",
            "cube.toml:11:21",
            "0",
            "body.cube.shape.box.1 = 0 m, must be in (0, ∞) m",
        ),
        (
            "law = \"lugre\"",
            "law = \"lugr\"",
            "cube.toml:18:20",
            "\"lugr\"",
            "contact.base.friction.law: there is no law \"lugr\"",
        ),
        (
            "law = \"lugre\", ",
            "",
            "cube.toml:18:1",
            "friction",
            "missing field \"law\" in contact.base.friction",
        ),
        (
            "stribeck_velocity = \"1 mm/s\"",
            "stribeck_velocity = 0",
            "cube.toml:19:34",
            "0",
            "contact.base.friction.stribeck_velocity = 0 m/s, must be in (0, ∞) m/s",
        ),
        (
            "stribeck_velocity = \"1 mm/s\"",
            "stribeck_velocity = \"1 mm\"",
            "cube.toml:19:37",
            "mm",
            "contact.base.friction.stribeck_velocity: 1 mm is a length; this field is a velocity in m/s",
        ),
        (
            "static_coefficient = 0.15",
            "static_coefficient = 0.05",
            "cube.toml:19:92",
            "0.05",
            "contact.base.friction.static_coefficient = 0.05: must not be below kinetic_coefficient = 0.1",
        ),
        (
            "bristle_stiffness = 1e4, ",
            "",
            "cube.toml:18:1",
            "friction",
            "missing field \"bristle_stiffness\" (sigma_0) in contact.base.friction",
        ),
        (
            "area = \"1083 mm^2\", ",
            "",
            "cube.toml:17:56",
            "3e-9",
            "contact.base.normal.surface_constant = 3e-9: needs area beside it",
        ),
        (
            "{ body = \"cube\", circle",
            "{ body = \"cub\", circle",
            "cube.toml:15:21",
            "\"cub\"",
            "contact.base.points.body: there is no body \"cub\"",
        ),
        (
            "{ body = \"ground\", normal = [0, 0, 1] }",
            "{ body = \"cube\" }",
            "cube.toml:15:21",
            "\"cube\"",
            "contact.base: points and plane belong to the same body, which cannot slip on itself",
        ),
        (
            "normal = [0, 0, 1]",
            "normal = [0, 0, 0]",
            "cube.toml:16:40",
            "[0, 0, 0]",
            "contact.base.plane.normal: a direction cannot be the vector [0, 0, 0]",
        ),
        (
            "count = 6",
            "count = 0",
            "cube.toml:15:66",
            "0",
            "contact.base.points.circle.count = 0, must be in [1, 100000]",
        ),
        (
            "end_time    = 4.0",
            "end_time = 0",
            "cube.toml:4:12",
            "0",
            "simulation.end_time = 0 s, must be in (0, ∞) s",
        ),
        (
            "\"1 ms\"",
            "\"5 s\"",
            "cube.toml:5:15",
            "\"5 s\"",
            "simulation.output_step: 5 s is longer than end_time = 4 s",
        ),
        (
            "\"1 ms\"",
            "1e-9",
            "cube.toml:5:15",
            "1e-9",
            "simulation.output_step: 1e-9 s gives 4.0e9 rows of results, more than 1e8",
        ),
        (
            "tolerance = 1e-6",
            "tolerance = 1e-6, alpha = 0.1",
            "cube.toml:6:76",
            "alpha",
            "simulation.integrator.alpha: the method newmark has no alpha; hht has it",
        ),
        (
            "tolerance = 1e-6",
            "spectral_radius = 1",
            "cube.toml:6:58",
            "spectral_radius",
            "simulation.integrator.spectral_radius: the method newmark has no spectral radius; generalised_alpha has one",
        ),
        (
            "tolerance = 1e-6",
            "step = 1e-3",
            "cube.toml:6:37",
            "max_step",
            "simulation.integrator.max_step: with \"step\" all steps have that length; give either of them",
        ),
        (
            "tolerance = 1e-6",
            "min_step = 1",
            "cube.toml:6:69",
            "1",
            "simulation.integrator.min_step: 1 s is longer than max_step = 0.0001 s",
        ),
        (
            "[3, 10], [4, 0]",
            "[3, 10], [3, 0]",
            "cube.toml:24:42",
            "[3, 0]",
            "force.press.magnitude.table: table row 3: time 3 s must be greater than 3 s, the time of the row before",
        ),
        (
            "{ angle = \"30 deg\", in = \"xy\" }",
            "{ angle = \"30 deg\", in = \"zy\" }",
            "cube.toml:28:38",
            "\"zy\"",
            "force.pull.direction.in = \"zy\", must be one of \"xy\", \"yz\", \"xz\"",
        ),
        (
            "{ table = [[0, 10], [3, 10], [4, 0]] }",
            "\"1/t\"",
            "cube.toml:24:13",
            "\"1/t\"",
            "force.press.magnitude = inf N at t = 0 s, must be in (-∞, ∞) N",
        ),
        (
            "\"contact.base.first_slip_time\"",
            "\"contact.base.first_slip\"",
            "cube.toml:33:9",
            "\"contact.base.first_slip\"",
            "expect.0.value: there is no quantity \"contact.base.first_slip\"",
        ),
        (
            "\"contact.base.first_slip_time\"",
            "\"body.cube.velocity.x\"",
            "cube.toml:33:9",
            "\"body.cube.velocity.x\"",
            "expect.0: the value is a function of time: say when with \"at\" or \"during\", or how with \"statistic\"",
        ),
        (
            "\"3.5 s\"",
            "\"3.5 N\"",
            "cube.toml:34:17",
            "N",
            "expect.0.expected: 3.5 N is a force; this field is a time in s",
        ),
        (
            "\"5 ms\"",
            "-1",
            "cube.toml:35:13",
            "-1",
            "expect.0.tolerance = -1 s, must be in [0, ∞) s",
        ),
        (
            "\"5 ms\"",
            "1\nat = 2",
            "cube.toml:36:1",
            "at",
            "expect.0.at: the value is one number of the summary, not a function of time",
        ),
        (
            "title = ",
            "titel = ",
            "cube.toml:1:1",
            "titel",
            "unknown field \"titel\" in the scenario",
        ),
    ];
    for (from, to, place, marked, message) in cases {
        let errors = answer(&cube(from, to), &[]).errors();
        let found = (*place).to_owned();
        let expected = (found, (*marked).to_owned(), (*message).to_owned());
        assert!(
            errors.contains(&expected),
            "expected {expected:#?}\nfound {errors:#?}"
        );
    }
}

#[test]
fn one_fault_gives_one_error() {
    for (from, to) in [
        ("\"1 kg\"", "-1"),
        ("law = \"lugre\"", "law = \"lugr\""),
        ("static_coefficient = 0.15", "static_coefficient = 0.05"),
        ("[3, 10], [4, 0]", "[3, 10], [3, 0]"),
        ("\"contact.base.first_slip_time\"", "\"contact.base.slips\""),
        ("end_time    = 4.0", "end_time = nan"),
        ("{ body = \"cube\", circle", "{ body = \"cub\", circle"),
    ] {
        let errors = answer(&cube(from, to), &[]).errors();
        assert_eq!(errors.len(), 1, "{from} → {to}: {errors:#?}");
    }
}

#[test]
fn all_faults_are_found_at_once() {
    let text = cube("\"1 kg\"", "-1")
        .replace("stribeck_velocity = \"1 mm/s\"", "stribeck_velocity = 0")
        .replace("end_time    = 4.0", "end_time = \"4 m\"")
        .replace("\"5 ms\"", "\"5 ms\"\ntolerence = 3");
    let places: Vec<String> = answer(&text, &[])
        .errors()
        .into_iter()
        .map(|e| e.0)
        .collect();
    assert_eq!(
        places,
        [
            "cube.toml:4:15",
            "cube.toml:10:12",
            "cube.toml:19:34",
            "cube.toml:36:1"
        ]
    );
}

#[test]
fn files_that_are_no_scenario() {
    let errors = answer("", &[]).errors();
    assert_eq!(
        errors,
        [(
            "cube.toml:1:1".into(),
            String::new(),
            "the scenario is empty".into()
        )]
    );
    let errors = from_file(Path::new("nowhere/no.toml"), &[]).errors();
    assert!(
        errors[0].2.starts_with("cannot read nowhere/no.toml: "),
        "{errors:?}"
    );
    let errors = answer(&format!("{CUBE}\n[body.cube]\nmass = 1\n"), &[]).errors();
    assert_eq!(
        (errors[0].0.as_str(), errors[0].1.as_str()),
        ("cube.toml:38:7", "cube")
    );
    assert!(errors[0].2.contains("duplicate key"), "{errors:?}");
    let errors = answer("title = \"T\"\n", &[]).errors();
    let messages: Vec<&str> = errors.iter().map(|e| e.2.as_str()).collect();
    assert_eq!(
        messages,
        [
            "missing table \"simulation\" in the scenario",
            "missing table \"body\" in the scenario"
        ]
    );
}

/// A scenario of bodies alone.
fn bodies(text: &str) -> Vec<(String, String, String)> {
    answer(
        &format!("title = \"T\"\nsimulation = {{ end_time = 1 }}\n{text}"),
        &[],
    )
    .errors()
}

#[test]
fn bodies_form_a_tree() {
    let fixed = |name: &str, parent: &str| {
        format!("[body.{name}]\njoint = \"fixed\"\nparent = \"{parent}\"\n")
    };
    let circle = [
        fixed("a", "c"),
        fixed("b", "a"),
        fixed("c", "b"),
        fixed("d", "a"),
    ]
    .concat();
    let errors = bodies(&circle);
    let message = "body.a.parent: these bodies carry each other: a on c on b on a";
    assert_eq!(
        errors,
        [("cube.toml:5:10".into(), "\"c\"".into(), message.into())]
    );
    let errors = bodies(&fixed("a", "a"));
    assert_eq!(
        errors[0].2,
        "body.a.parent: these bodies carry each other: a on a"
    );
    let errors = bodies(&[fixed("arm", "ground"), fixed("b", "amr")].concat());
    assert_eq!(errors[0].2, "body.b.parent: there is no body \"amr\"");
    let errors = bodies(&fixed("ground", "ground"));
    assert_eq!(
        (errors[0].0.as_str(), errors[0].1.as_str()),
        ("cube.toml:3:7", "ground")
    );
    let errors = bodies("[body.\"a.b\"]\njoint = \"fixed\"\n");
    assert_eq!(
        errors[0].2,
        "body.a.b: the name \"a.b\" may hold letters, digits, \"_\" and \"-\" only"
    );
    let errors = bodies("[body]\n");
    assert_eq!(
        errors[0].2,
        "body: there is no body; a scenario needs at least one [body.NAME]"
    );
}

#[test]
fn a_normal_force_never_pulls() {
    let normal = |text: &str| answer(CUBE, &[&format!("contact.base.normal={text}")]).errors();
    let errors = normal("{ prescribed = { table = [[0, 10], [4, -2]] } }");
    let (place, marked, message) = &errors[0];
    assert_eq!(
        (place.as_str(), marked.as_str()),
        ("--set:1:36", "{ table = [[0, 10], [4, -2]] }")
    );
    // the line crosses zero at 10/3 s; the next sample is at a multiple of 4 ms
    let start = "contact.base.normal.prescribed = -";
    let end = " N at t = 3.336 s, must be in [0, ∞) N";
    assert!(
        message.starts_with(start) && message.ends_with(end),
        "{message}"
    );
    let errors = normal("{ total = \"-3 N\" }");
    assert_eq!(
        errors[0].2,
        "contact.base.normal.total = -3 N at t = 0 s, must be in [0, ∞) N"
    );
    let errors = normal("{}");
    assert_eq!(
        errors[0].2,
        "contact.base.normal: one of \"law\", \"prescribed\", \"total\" is missing"
    );
}

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
    let mixed =
        errors("[plot.p]\nchannels = [\"body.cube.position.x\", \"energy.input\"]\n").errors();
    assert_eq!(
        mixed[0].2,
        "plot.p.channels: body.cube.position.x (m) and energy.input (J) cannot share one axis; \
         make two plots"
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
    let machine = include_str!("scenarios/machine.toml");
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
fn moments_of_inertia_that_overflow() {
    let text = "[body.a]\njoint = \"free\"\nmass = 1e300\nshape = { sphere = 1e200 }\n";
    assert_eq!(
        bodies(text)[0].2,
        "body.a.shape: the moments of inertia are beyond 1.8e308 kg m^2"
    );
}
