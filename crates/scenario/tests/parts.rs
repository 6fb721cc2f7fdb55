//! Parts: the ground of a part is the body of its place, written or not.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod machine;

use machine::{close, run};

/// A mass of 1 kg that falls 100 mm on the ground of its part, which stands 1 m up, held back by a spring.
fn falls(plane: &str, from: &str) -> f64 {
    let (_, rows) = run(&format!(
        r#"
title = "A part on a shelf"
[simulation]
end_time = "0.6 s"
output_step = "0.1 s"
gravity = [0, 0, -9.81]
[part.drop.body.mass]
joint = "prismatic"
axis = [0, 0, 1]
position = [0, 0, "100 mm"]
mass = "1 kg"
[part.drop.spring.hold]
{from}
to = {{ body = "mass", point = ["100 mm", 0, 0] }}
stiffness = 1
length = "100 mm"
[part.drop.contact.floor]
points = {{ body = "mass", at = [[0, 0, 0]] }}
{plane}
normal = {{ law = "kelvin_voigt", stiffness = 1e5, damping = 400 }}
friction = "none"
[place.shelf]
part = "drop"
position = [0, 0, "1 m"]
"#
    ));
    rows.last("body.shelf_mass.position.z")
}

#[test]
fn an_end_that_is_left_out_is_on_the_place() {
    let written = falls(
        "plane = { body = \"ground\" }",
        "from = { body = \"ground\" }",
    );
    // m g/k below the face; the spring pulls with less than a millionth of that
    close("rests", written, 1.0 - 9.81 / 1e5, 1e-7);
    for (plane, from) in [
        ("", "from = { body = \"ground\" }"),
        ("plane = { normal = [0, 0, 1] }", "from = {}"),
        ("", ""),
    ] {
        let left_out = falls(plane, from);
        assert_eq!(left_out.to_bits(), written.to_bits(), "{plane} {from}");
    }
}
