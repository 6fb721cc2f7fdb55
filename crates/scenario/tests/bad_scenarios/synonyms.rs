//! Words of other programs lead to what there is instead, and never to a name that only looks alike.

use super::{CUBE, answer, cube, from_file};

/// All that is said of a scenario.
fn said(text: &str) -> String {
    let answer = answer(text, &[]);
    answer.diagnostics.render_plain(&answer.sources)
}

/// What is said of a word leads to `instead`, and to nothing else.
fn leads(word: &str, text: &str, instead: &str) {
    let said = said(text);
    assert!(said.contains(&format!("\"{word}\"")), "{word}: {said}");
    assert!(said.contains(instead), "{word} → {instead}: {said}");
    assert!(!said.contains("did you mean"), "{word}: {said}");
}

#[test]
fn sections_of_other_programs() {
    for (word, instead) in [
        ("joint", "[body.NAME] with joint = \"revolute\""),
        ("closure", "[loop.NAME] with joint, from and to"),
        ("constraint", "[loop.NAME] with joint, from and to"),
        ("slider", "a joint stands in the body that it carries"),
        ("translational", "[body.NAME] with joint ="),
        ("ball", "[body.NAME] with joint ="),
        ("motor", "drive = { … } in its [body.NAME]"),
        ("actuator", "[joint_torque.NAME]"),
        ("gear", "[coupling.NAME] with kind = \"gear\""),
        ("rack", "[coupling.NAME] with kind"),
        ("damper", "[spring.NAME] has stiffness and damping"),
        ("bearing", "[bushing.NAME]"),
        ("link", "a body is [body.NAME]"),
        ("geom", "[contact.NAME]"),
        ("material", "[contact.NAME]"),
        ("gravity", "it belongs to [simulation]"),
        ("load", "[force.NAME] or [torque.NAME]"),
        ("sensor", "--channels"),
        ("ground", "name it as parent or body"),
    ] {
        leads(word, &format!("{CUBE}\n[{word}.X]\na = 1\n"), instead);
    }
}

#[test]
fn joints_of_other_programs() {
    for (word, instead) in [
        ("hinge", "a hinge is \"revolute\""),
        ("pin", "\"revolute\""),
        ("continuous", "\"revolute\""),
        ("rotational", "\"revolute\""),
        ("slider", "\"prismatic\""),
        (
            "translational",
            "\"prismatic\"; \"point\" moves in all three",
        ),
        ("ball", "\"spherical\""),
        ("weld", "\"fixed\""),
        ("floating", "\"free\""),
        ("screw", "\"cylindrical\" turns and slides"),
        ("gear", "[coupling.NAME] couples"),
        ("cardan", "\"universal\""),
        ("cylinder", "\"cylindrical\""),
        ("motor", "drive = { … }"),
    ] {
        let text = cube("joint    = \"free\"", &format!("joint = \"{word}\""));
        leads(word, &text, instead);
    }
}

#[test]
fn fields_of_other_programs() {
    let lines = [
        ("mass     = \"1 kg\"", "mu", "[joint_friction.NAME]"),
        (
            "mass     = \"1 kg\"",
            "friction_coefficient",
            "[joint_friction.NAME]",
        ),
        ("mass     = \"1 kg\"", "stiction", "[joint_friction.NAME]"),
        ("mass     = \"1 kg\"", "coulomb", "[joint_friction.NAME]"),
        ("mass     = \"1 kg\"", "pos", "the place is position"),
        ("mass     = \"1 kg\"", "quat", "orientation = {"),
        ("mass     = \"1 kg\"", "type", "the kind of joint is joint"),
        (
            "mass     = \"1 kg\"",
            "limit",
            "[joint_stop.NAME] with min, max",
        ),
        ("mass     = \"1 kg\"", "damping", "[joint_spring.NAME]"),
        ("mass     = \"1 kg\"", "motor", "drive = { … }"),
        ("mass     = \"1 kg\"", "ixx", "inertia = [Ix, Iy, Iz]"),
        ("end_time    = 4.0", "dt", "max_step"),
        ("end_time    = 4.0", "duration", "the end is end_time"),
        ("end_time    = 4.0", "rtol", "integrator = {"),
    ];
    for (line, word, instead) in lines {
        leads(word, &cube(line, &format!("{line}\n{word} = 1")), instead);
    }
    for (word, instead) in [
        ("mu", "`bristle laws NAME`"),
        ("friction_coefficient", "friction = { law = \"NAME\", … }"),
        (
            "target",
            "surface = { body = …, cylinder = { radius = … } }",
        ),
        ("sphere", "points = { body = …, sphere = { radius = … } }"),
        ("body", "points = { body = … } and plane = { body = … }"),
        ("stiffness", "normal = { law = \"NAME\", … }"),
    ] {
        let text = cube("[contact.base]", &format!("[contact.base]\n{word} = 1"));
        leads(word, &text, instead);
    }
    let partner = cube("normal = [0, 0, 1] }", "sphere = 0.1 }");
    leads("sphere", &partner, "in the place of plane");
    let corners = cube("circle = {", "corners = {");
    leads("corners", &corners, "points are circle, grid or at");
    let mesh = cube(
        "{ box = [\"100 mm\", \"100 mm\", \"100 mm\"] }",
        "{ stl = 1 }",
    );
    leads("stl", &mesh, "inertia = [Ix, Iy, Iz]");
}

#[test]
fn parameters_of_other_programs() {
    for (word, instead) in [
        ("mu", "lugre has \"kinetic_coefficient\""),
        ("friction_coefficient", "lugre has \"kinetic_coefficient\""),
        ("stiction", "lugre has \"static_coefficient\""),
        ("static_friction", "lugre has \"static_coefficient\""),
        ("viscous_friction", "lugre has \"viscous_coefficient\""),
        (
            "transition_velocity",
            "lugre has no stick speed; laws with one: ",
        ),
    ] {
        let text = cube("law = \"lugre\"", &format!("law = \"lugre\", {word} = 0.1"));
        leads(word, &text, instead);
    }
}

#[test]
fn files_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let (none, import) = ("bristle examples", "bristle import");
    for (name, what, instead) in [
        (
            "robot.urdf",
            "is a robot description (URDF), and no",
            import,
        ),
        ("robot.mjcf", "is a model of MuJoCo (MJCF), and no", import),
        ("scene.xml", "is an XML file, such as", import),
        (
            "plant.slx",
            "is a model of Simulink, which Bristle does not",
            none,
        ),
        ("car.adm", "is a model of Adams, which", none),
    ] {
        let path = folder.path().join(name);
        // with or without a file of this name
        for there in [false, true] {
            if there {
                std::fs::write(&path, "<robot/>").unwrap();
            }
            let answer = from_file(&path, &[]);
            let said = answer.diagnostics.render_plain(&answer.sources);
            assert!(said.contains(what) && said.contains(instead), "{said}");
        }
    }
}
