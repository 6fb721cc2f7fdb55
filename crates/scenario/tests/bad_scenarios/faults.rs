//! The cube with one fault: place, underlined text and message.
#![allow(clippy::too_many_lines, reason = "a table of cases is read like data")]

use super::{answer, cube};

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
