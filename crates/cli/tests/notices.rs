//! What is said about friction under the loads of a scenario, before and during a run.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod support;

use support::Place;

/// A block of 1 kg on a slider, with a law, a normal force and a pull.
fn block(law: &str, normal: &str, pull: &str) -> String {
    format!(
        "title = \"A block\"\n[simulation]\nend_time = 10.0\noutput_step = 0.1\n\
         [body.block]\njoint = \"prismatic\"\naxis = [1, 0, 0]\nmass = \"1 kg\"\n\
         [contact.base]\npoints = {{ body = \"block\", at = [[0, 0, 0]] }}\n\
         plane = {{ body = \"ground\", normal = [0, 0, 1] }}\n\
         normal = {{ prescribed = {normal} }}\nfriction = {law}\n\
         [force.pull]\nbody = \"block\"\ndirection = [1, 0, 0]\nmagnitude = {pull}\n"
    )
}

const GKF: &str = "{ law = \"gkf\", mu_s = 0.5, mu_k = 0.3, v_s = \"1 cm/s\", v_r = \"1 mm/s\" }";
const LUGRE: &str = "{ law = \"lugre\", sigma_0 = 1e4, sigma_1 = 31.6228, sigma_2 = 0.04, \
                     v_s = 1e-3, mu_k = 0.1, mu_s = 0.15 }";
const VIBRATION: &str = "\"0.5 + 0.4*sin(10*pi*t)\"";

/// The messages of the warnings that `check` gives.
fn warnings(text: &str) -> Vec<String> {
    let place = Place::new();
    place.write("block.toml", text);
    let ran = place.bristle(&["check", "--json", "block.toml"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let judged = ran.json();
    let list = judged["warnings"].as_array().expect("a list").clone();
    let message = |w: &serde_json::Value| w["message"].as_str().expect("a text").to_owned();
    list.iter().map(message).collect()
}

fn about<'a>(warnings: &'a [String], words: &str) -> &'a str {
    let found = warnings.iter().find(|text| text.contains(words));
    found.unwrap_or_else(|| panic!("nothing about {words} in {warnings:#?}"))
}

#[test]
fn creep_under_the_load() {
    // 5 N of 10 N on a ramp of 1 mm/s: 0.5 mm/s, 5 mm in 10 s
    let told = warnings(&block(GKF, "20", "5"));
    let creep = about(&told, "cannot hold a load");
    for words in [
        "contact.base.friction",
        "5 N of the 10 N",
        "500 µm/s",
        "5 mm",
    ] {
        assert!(creep.contains(words), "{words}: {creep}");
    }
    // once
    let count = told
        .iter()
        .filter(|t| t.contains("cannot hold a load"))
        .count();
    assert_eq!(count, 1, "{told:#?}");
}

#[test]
fn drift_under_a_vibrating_load_and_a_pulsating_one() {
    let told = warnings(&block(LUGRE, "10", VIBRATION));
    let drift = about(&told, "drift");
    for words in [
        "vibrates below break-away",
        "60 %",
        "per cycle",
        "elastoplastic",
    ] {
        assert!(drift.contains(words), "{words}: {drift}");
    }
    let told = warnings(&block(LUGRE, "\"10 + 2*sin(20*pi*t)\"", "0.75"));
    let drift = about(&told, "drift");
    for words in [
        "pulsates between 8 N and 12 N",
        "follows it in stick",
        "per cycle",
    ] {
        assert!(drift.contains(words), "{words}: {drift}");
    }
    // what pulses do to bristles is more than slow loading does
    let pulses = "{ pulses = { amplitude = 1.2, width = 1, gap = 1, count = 4 } }";
    let told = warnings(&block(LUGRE, "10", pulses));
    let drift = about(&told, "loaded slowly it would drift");
    assert!(drift.contains("this load jumps"), "{drift}");
    // a steady load does not drift, and laws that hold do not either
    let held = LUGRE.replace("\"lugre\"", "\"elastoplastic\", z_ba = 9e-6");
    for text in [block(LUGRE, "10", "0.5"), block(&held, "10", VIBRATION)] {
        let told = warnings(&text);
        assert!(told.iter().all(|t| !t.contains("drift by")), "{told:#?}");
    }
}

#[test]
fn passivity_and_its_remedy() {
    let told = warnings(&block(LUGRE, "10", "0.5"));
    let text = about(&told, "not passive");
    // by hand: 31.6228 x 0.5 and 4.5 x 0.1/(0.42888 x 31.6228)
    for words in ["15.812 s/m", "damping_velocity = 0.03317"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let mended = LUGRE.replace("mu_k", "damping_velocity = 0.033, mu_k");
    let told = warnings(&block(&mended, "10", "0.5"));
    assert!(told.iter().all(|t| !t.contains("passive")), "{told:#?}");
}

#[test]
fn a_parameter_that_is_not_used() {
    let law = LUGRE.replace("mu_k", "stribeck = \"gaussian\", alpha = 1, mu_k");
    let told = warnings(&block(&law, "10", "0.5"));
    assert!(about(&told, "stribeck_exponent").contains("not used"));
}

#[test]
fn bodies_apart_are_judged_one_by_one() {
    let one = block(GKF, "20", "5");
    let other = "[body.other]\njoint = \"prismatic\"\naxis = [1, 0, 0]\nmass = \"1 kg\"\n\
         [contact.other]\npoints = { body = \"other\", at = [[0, 0, 0]] }\n\
         plane = { body = \"ground\", normal = [0, 0, 1] }\nnormal = { prescribed = 10 }\n";
    let pull = "[force.other]\nbody = \"other\"\ndirection = [1, 0, 0]\nmagnitude = ";
    let text = format!("{one}{other}friction = {LUGRE}\n{pull}{VIBRATION}\n");
    let told = warnings(&text);
    assert!(about(&told, "cannot hold a load").contains("5 N of the 10 N"));
    assert!(about(&told, "drift by").contains("contact.other.friction"));
    // a spring between them: what it carries is not known before they move
    let spring = "[spring.between]\nfrom = { body = \"block\" }\nto = { body = \"other\" }\n\
                  stiffness = 100\n";
    let told = warnings(&format!("{text}{spring}"));
    assert!(about(&told, "cannot hold a load").contains("at half the limit"));
    assert!(told.iter().all(|t| !t.contains("drift by")), "{told:#?}");
}

#[test]
fn a_run_says_it_too() {
    let place = Place::new();
    place.write("block.toml", &block(GKF, "20", "5"));
    let ran = place.bristle(&["run", "block.toml", "--out", "out", "--no-plots", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("cannot hold a load"), "{}", ran.err);
    let summary = ran.json();
    let kept = summary["warnings"].to_string();
    assert!(kept.contains("5 N of the 10 N"), "{kept}");
}

/// An arm on a pin of 10 mm friction radius, with a law, a load and a torque.
fn arm(law: &str, load: &str, torque: &str) -> String {
    format!(
        "title = \"An arm\"\n[simulation]\nend_time = 10.0\noutput_step = 0.1\n\
         [body.arm]\njoint = \"revolute\"\naxis = [0, 0, 1]\nmass = \"1 kg\"\n\
         inertia = [0.01, 0.01, 0.01]\n\
         [joint_friction.pin]\nbody = \"arm\"\nload = {load}\nradius = \"10 mm\"\n\
         friction = {law}\n\
         [torque.drive]\nbody = \"arm\"\naxis = [0, 0, 1]\nmagnitude = {torque}\n"
    )
}

#[test]
fn joints_are_told_the_same() {
    // the block of the other tests, at the friction radius: 10 mm times its forces
    let told = warnings(&arm(GKF, "20", "0.05"));
    let creep = about(&told, "cannot hold a load");
    for words in ["joint_friction.pin.friction", "5 N of the 10 N", "500 µm/s"] {
        assert!(creep.contains(words), "{words}: {creep}");
    }
    // by hand 1.5e-5 ln(2.24/1.44) = 6.593 µm per cycle
    let vibration = "\"0.01*(0.5 + 0.4*sin(10*pi*t))\"";
    let told = warnings(&arm(LUGRE, "10", vibration));
    let drift = about(&told, "vibrates below break-away");
    assert!(drift.contains("joint_friction.pin.friction") && drift.contains("per cycle"));
    // 0.01 kg m² at 10 mm are 100 kg, on 1e5 N/m, and the load has 5 Hz
    assert!(
        drift.contains("its mass has 5.033 Hz on the bristles"),
        "{drift}"
    );
    let told = warnings(&arm(LUGRE, "\"10 + 2*sin(20*pi*t)\"", "7.5e-3"));
    about(&told, "normal force pulsates between 8 N and 12 N");
}

#[test]
fn joints_that_press_themselves_are_told_the_same() {
    // 1 kg at 100 mm from a pin along z, gravity along -y: the pin bears 9.81 N at rest, and
    // with a moment arm of 0.2 m nothing more, since the weight makes no moment across the axis
    let own = "{ reaction = { preload = \"10.19 N\", moment_arm = \"0.2 m\" } }";
    let gravity = "end_time = 10.0\ngravity = [0, -9.81, 0]";
    let pin = |law: &str, torque: &str| {
        let text = arm(law, own, torque).replace("end_time = 10.0", gravity);
        warnings(&text.replace(
            "mass = \"1 kg\"",
            "mass = \"1 kg\"\ncentre_of_mass = [0, 0.1, 0]",
        ))
    };
    // 20 N in all: the numbers of the given load
    let creep = pin(GKF, "0.05");
    let creep = about(&creep, "cannot hold a load");
    for words in ["joint_friction.pin.friction", "5 N of the 10 N", "500 µm/s"] {
        assert!(creep.contains(words), "{words}: {creep}");
    }
    // half of the preload for a load of 10 N: by hand 1.5e-5 ln(2.24/1.44) = 6.593 µm per cycle
    let light = own.replace("10.19", "0.19");
    let text = arm(LUGRE, &light, "\"0.01*(0.5 + 0.4*sin(10*pi*t))\"");
    let text = text.replace("end_time = 10.0", gravity);
    let told = warnings(&text);
    let drift = about(&told, "vibrates below break-away");
    assert!(
        drift.contains("60 %") && drift.contains("joint_friction.pin.friction"),
        "{drift}"
    );
    // a slider that a force presses into its guide
    let slider = "title = \"A slider\"\n[simulation]\nend_time = 10.0\noutput_step = 0.1\n\
         [body.block]\njoint = \"prismatic\"\naxis = [1, 0, 0]\nmass = \"1 kg\"\n\
         [joint_friction.guide]\nbody = \"block\"\nload = { reaction = true }\n\
         friction = LAW\n[force.press]\nbody = \"block\"\ndirection = [0, 0, -1]\n\
         magnitude = 20\n[force.pull]\nbody = \"block\"\ndirection = [1, 0, 0]\nmagnitude = 5\n";
    let told = warnings(&slider.replace("LAW", GKF));
    let creep = about(&told, "cannot hold a load");
    for words in [
        "joint_friction.guide.friction",
        "5 N of the 10 N",
        "500 µm/s",
    ] {
        assert!(creep.contains(words), "{words}: {creep}");
    }
}

/// A sleeve of 1 kg along x and about it, pressed by 20 N on its guide and pulled by 5 N.
fn sleeve(others: &str) -> String {
    format!(
        "title = \"A sleeve\"\n[simulation]\nend_time = 10.0\noutput_step = 0.1\n\
         [body.sleeve]\njoint = \"cylindrical\"\naxis = [1, 0, 0]\nmass = \"1 kg\"\n\
         inertia = [0.01, 0.01, 0.01]\n[joint_friction.guide]\nbody = \"sleeve\"\n\
         coordinate = \"displacement\"\nload = {{ reaction = true }}\nfriction = {GKF}\n\
         [force.press]\nbody = \"sleeve\"\ndirection = [0, 0, -1]\nmagnitude = 20\n\
         [force.pull]\nbody = \"sleeve\"\ndirection = [1, 0, 0]\nmagnitude = 5\n{others}"
    )
}

/// The load of a cylindrical joint is known while its other coordinate stays at rest.
#[test]
fn sleeves_are_told_the_same_while_they_do_not_turn() {
    let creeps = |others: &str, joint: &str, words: &str| {
        let told = warnings(&sleeve(others));
        let path = format!("joint_friction.{joint}.friction: gkf cannot hold a load");
        let creep = about(&told, &path);
        assert!(creep.contains(words), "{words}: {creep}");
    };
    // 5 N of the 10 N that 20 N give, as for a slider: nothing turns it
    creeps("", "guide", "5 N of the 10 N");
    creeps("", "guide", "500 µm/s");
    let torque = |nm: &str| {
        format!("[torque.turn]\nbody = \"sleeve\"\naxis = [1, 0, 0]\nmagnitude = {nm}\n")
    };
    creeps(&torque("0.03"), "guide", "at half the limit");
    // 0.03 N m on 10 mm are 3 N of the 10 N that friction about the axis has
    let about_axis = format!(
        "[joint_friction.pin]\nbody = \"sleeve\"\ncoordinate = \"angle\"\nradius = \"10 mm\"\n\
         load = {{ reaction = true }}\nfriction = {GKF}\n"
    );
    let held = about_axis.clone() + &torque("0.03");
    creeps(&held, "guide", "5 N of the 10 N");
    creeps(&held, "pin", "3 N of the 10 N");
    // 20 N of the 10 N turn it
    let turned = about_axis + &torque("0.2");
    creeps(&turned, "guide", "at half the limit");
}

/// What a shaken table does to a block on it is not known from the forces alone.
#[test]
fn a_block_on_a_body_that_moves_is_told_at_half_the_limit() {
    let table = "[body.table]\njoint = \"prescribed\"\nmotion = { direction = [1, 0, 0], \
                 displacement = \"1e-3*sin(20*t)\" }\n";
    let on = |table: &str, parent: &str| {
        let text = block(GKF, "20", "5");
        let text = text.replace("[body.block]\n", &format!("{table}[body.block]\n{parent}"));
        warnings(&text)
    };
    let still = on("[body.table]\njoint = \"fixed\"\n", "parent = \"table\"\n");
    assert!(about(&still, "cannot hold a load").contains("5 N of the 10 N"));
    let shaken = on(table, "parent = \"table\"\n");
    assert!(about(&shaken, "cannot hold a load").contains("at half the limit"));
}

/// The creep that was told before a run is the one in it.
#[test]
fn a_run_measures_what_moved_in_stick() {
    let place = Place::new();
    place.write("block.toml", &block(GKF, "20", "5"));
    let ran = place.bristle(&["run", "block.toml", "--out", "out", "--no-plots", "--json"]);
    let hold = &ran.json()["contacts"]["base"]["longest_hold"];
    let number = |name: &str| hold[name].as_f64().expect("a number");
    // 0.5 mm/s from the start on, but for the settling of 1 kg on 20 N x 0.5/(1 mm/s) = 1e4 N s/m:
    // m/c = 0.1 ms of it is missing
    assert_eq!((number("from"), number("to")), (0.0, 10.0));
    assert!(
        (number("slip") - 5e-4 * (10.0 - 1e-4)).abs() < 1e-8,
        "{hold}"
    );
    let shown = place.bristle(&["run", "block.toml", "--out", "out", "--no-plots"]);
    assert!(shown.out.contains("longest hold"), "{}", shown.out);
    // a joint, and an expectation by name: its 100 kg at the friction radius settle in
    // m/c = 10 ms, so that 5 um are missing
    let expect = "[[expect]]\nname = \"creep\"\nvalue = \"joint_friction.pin.hold_slip\"\n\
                  expected = \"4.995 mm\"\ntolerance = \"0.1 um\"\n";
    let text = arm(GKF, "20", "0.05") + expect;
    place.write("arm.toml", &text);
    let ran = place.bristle(&["run", "arm.toml", "--out", "arm", "--no-plots"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn a_sweep_that_is_too_fast_for_the_damping() {
    // f = √(k/m)/2π = 10 Hz, ζ = c/2√(km) = 1 %, Q = 50: 54 f²/Q² = 2.16 Hz/min, and 77.6 f/Q² = 0.3104
    // octaves/min; 5 to 20 Hz are 15 Hz and 2 octaves
    let stiffness = (20.0 * std::f64::consts::PI).powi(2);
    let damping = 0.02 * 20.0 * std::f64::consts::PI;
    let warned = |duration: f64, sweep: &str| {
        let place = Place::new();
        let text = format!(
            "title = \"Sweep\"\n[simulation]\nend_time = 1\noutput_step = 0.1\n[body.a]\njoint = \"prismatic\"\n\
             mass = 1\n[spring.s]\nto = {{ body = \"a\" }}\nfrom = {{ point = [-1, 0, 0] }}\n\
             stiffness = {stiffness}\ndamping = {damping}\n[force.shaker]\nbody = \"a\"\n\
             direction = [1, 0, 0]\nmagnitude = {{ chirp = {{ amplitude = 1, start_frequency = 5, \
             end_frequency = 20, duration = {duration}, sweep = \"{sweep}\" }} }}\n"
        );
        place.write("sweep.toml", &text);
        let checked = place.bristle(&["check", "sweep.toml", "--json"]);
        assert_eq!(checked.code, Some(0), "{}", checked.err);
        let warnings = checked.json()["warnings"]
            .as_array()
            .expect("a list")
            .clone();
        let mut about = warnings.iter().filter(|w| w["topic"] == "sweep rate");
        about.next().map(|w| {
            ["rate", "allowed"].map(|name| w["values"][name]["value"].as_f64().expect("a number"))
        })
    };
    let [rate, allowed] = warned(60.0, "linear").expect("a warning");
    assert!(
        (rate - 15.0).abs() < 1e-9 && (allowed - 2.16).abs() < 1e-6,
        "{rate} {allowed}"
    );
    let [rate, allowed] = warned(60.0, "logarithmic").expect("a warning");
    assert!(
        (rate - 2.0).abs() < 1e-9 && (allowed - 0.3104).abs() < 1e-6,
        "{rate} {allowed}"
    );
    // 15 Hz at 2.16 Hz/min take 417 s
    assert!(warned(420.0, "linear").is_none());
}

#[test]
fn warnings_may_be_accepted_by_topic() {
    // σ₁ = 60 s/m with μs − μk = μk/2 and σ₂ = 0 is not passive
    let law =
        "{ law = \"lugre\", sigma_0 = 1e4, sigma_1 = 60, v_s = 1e-3, mu_k = 0.1, mu_s = 0.15 }";
    let text = block(law, "\"10 N\"", "0.1");
    let passivity = |text: &str| warnings(text).iter().any(|w| w.contains("not passive"));
    assert!(passivity(&text));
    let accepting = |list: &str| {
        text.replace(
            "[simulation]\n",
            &format!("[simulation]\naccepted_warnings = {list}\n"),
        )
    };
    assert!(!passivity(&accepting("[\"passivity\"]")));
    assert!(passivity(&accepting("[\"creep\"]")));
    // beside an error as without one
    for fault in [
        "friktion = 1\n[contact.base]",
        "[contact.base]\nstiffness = 1",
    ] {
        let place = Place::new();
        let faulty = accepting("[\"passivity\"]").replace("[contact.base]", fault);
        place.write("block.toml", &faulty);
        let checked = place.bristle(&["check", "block.toml"]);
        assert_eq!(checked.code, Some(2), "{checked:?}");
        assert!(!checked.err.contains("passive"), "{}", checked.err);
    }
    let place = Place::new();
    place.write("block.toml", &accepting("[\"passive\"]"));
    let ran = place.bristle(&["check", "block.toml"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("\"passivity\""), "{}", ran.err);
}

#[test]
fn shipped_scenarios_accept_what_their_parameters_bring() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let place = Place::new();
    for entry in std::fs::read_dir(examples).expect("a folder").flatten() {
        let path = entry.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let ran = place.bristle(&["check", path.to_str().expect("a path"), "--json"]);
            // some are included by others, and no scenario of their own
            let alone = ran.code == Some(0);
            assert!(
                !(alone && ran.out.contains("\"passivity\"")),
                "{}: {}",
                path.display(),
                ran.out
            );
        }
    }
}
