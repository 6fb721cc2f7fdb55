//! The plots of a joint with friction.

use bristle_mechanics::Model;
use bristle_mechanics::element::{BallFriction, JointFriction};
use bristle_results::{PairKind, Plot};

/// What a joint shows: of a rotation torque, angle and angular velocity.
struct JointQuantities {
    /// Name and channel.
    force: [&'static str; 2],
    slip: [&'static str; 2],
    velocity: [&'static str; 2],
}

const SLIDES: JointQuantities = JointQuantities {
    force: ["friction", "friction"],
    slip: ["slip", "slip"],
    velocity: ["slip velocity", "slip_velocity"],
};
const TURNS: JointQuantities = JointQuantities {
    force: ["friction torque", "torque"],
    slip: ["angle", "angle"],
    velocity: ["angular velocity", "angular_velocity"],
};

/// Friction, load, coefficient and slip over time; friction over slip and over slip velocity. `applied` is
/// the label and the channel of what drives the joint.
pub(super) fn of_joint(
    model: &Model,
    joint: &JointFriction,
    applied: Option<(String, String)>,
) -> Vec<Plot> {
    let name = &joint.name;
    let channel = |what: &str| format!("{}.{name}.{what}", PairKind::Joint.section());
    // a contact of the same name has files of its own
    let taken = model.contacts().any(|contact| contact.name == *name);
    let word = if taken { "joint_" } else { "" };
    let file = |what: &str| format!("{what}_{word}{name}.svg");
    let JointQuantities {
        force: [force, force_channel],
        slip: [slip, slip_channel],
        velocity: [velocity, velocity_channel],
    } = if joint.radius.is_some() {
        TURNS
    } else {
        SLIDES
    };
    let over_time = |what: &str, title: &str, label: &str, of: &str| {
        let title = format!("{title} of joint {name}");
        Plot::over_time(file(what), title, label).with(label, channel(of))
    };
    let over = |what: &str, label: &str, x: &str| {
        let title = format!("Joint {name}: {force} over {label}");
        Plot::against(file(what), title, label, force).with_path(
            force,
            channel(x),
            channel(force_channel),
        )
    };
    let title = format!("{} of joint {name}", capital(force));
    let mut total = Plot::over_time(file("friction"), title, force);
    // the load comes first: where both are equal, friction is drawn over it
    if let Some((label, channel)) = applied {
        total = total.with(label, channel);
    }
    vec![
        total.with(force, channel(force_channel)),
        over_time("load", "Load", "load", "load"),
        over_time(
            "coefficient",
            "Friction over load",
            "friction over load",
            "coefficient",
        ),
        over_time("slip", &capital(velocity), velocity, velocity_channel),
        over("loop", slip, slip_channel),
        over("characteristic", velocity, velocity_channel),
    ]
}

/// Friction torque, load, coefficient and angular velocity of a spherical joint over time; friction over slip
/// speed.
pub(super) fn of_ball(model: &Model, ball: &BallFriction) -> Vec<Plot> {
    let name = &ball.name;
    let channel = |what: &str| format!("{}.{name}.{what}", PairKind::Joint.section());
    let taken = model.contacts().any(|contact| contact.name == *name);
    let word = if taken { "joint_" } else { "" };
    let file = |what: &str| format!("{what}_{word}{name}.svg");
    let vector = |what: &str, label: &str, of: &str| {
        let title = format!("{} of joint {name}", capital(label));
        ["x", "y", "z"]
            .iter()
            .fold(Plot::over_time(file(what), title, label), |plot, axis| {
                plot.with(format!("about {axis}"), channel(&format!("{of}.{axis}")))
            })
    };
    let size = |what: &str, title: &str, label: &str, of: &str| {
        let title = format!("{title} of joint {name}");
        Plot::over_time(file(what), title, label).with(label, channel(of))
    };
    let title = format!("Joint {name}: friction over slip speed");
    let characteristic = Plot::against(file("characteristic"), title, "slip speed", "friction");
    vec![
        vector("friction", "friction torque", "torque"),
        size("load", "Load", "load", "load"),
        size(
            "coefficient",
            "Friction over load",
            "friction over load",
            "coefficient",
        ),
        vector("slip", "angular velocity", "angular_velocity"),
        characteristic.with_path("friction", channel("slip_velocity"), channel("friction")),
    ]
}

/// A text that begins with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
