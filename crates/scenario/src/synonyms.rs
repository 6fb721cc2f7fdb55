//! What people write who know another program, and what there is instead.
//!
//! The words for the parameters of a law stand with the cards of the laws,
//! [`bristle_laws::card::instead_of`].

use std::path::Path;

use crate::suggest::canonical;

/// Words that mean the same at a place of the scenario.
struct Synonym {
    /// The path of the place, with NAME for what the user named.
    place: &'static str,
    /// With blanks between them.
    words: &'static str,
    /// The end of the message.
    instead: &'static str,
}

const fn of(place: &'static str, words: &'static str, instead: &'static str) -> Synonym {
    Synonym {
        place,
        words,
        instead,
    }
}

const SCENARIO: &str = "";
const MOTION: &str = "body.NAME.motion";
const JOINTS: &str = "body.NAME.joint";
const BODY: &str = "body.NAME";
const SHAPE: &str = "body.NAME.shape";
const CONTACT: &str = "contact.NAME";
const PLANE: &str = "contact.NAME.plane";
const SURFACE: &str = "contact.NAME.surface";
const POINTS: &str = "contact.NAME.points";
const JOINT_FRICTION: &str = "joint_friction.NAME";
const SIMULATION: &str = "simulation";

const SYNONYMS: &[Synonym] = &[
    of(
        SCENARIO,
        "joint joints hinge connector slider revolute prismatic ball spherical translational cylindrical universal pin pivot",
        "a joint stands in the body that it carries: [body.NAME] with joint = \"revolute\" and axis; its friction is \
         [joint_friction.NAME]",
    ),
    of(
        SCENARIO,
        "loops closure constraint constraints equality connect weld",
        "a joint that closes a loop between two bodies is [loop.NAME] with joint, from and to",
    ),
    of(
        SCENARIO,
        "motor motors actuator actuators servo",
        "a joint is driven by drive = { … } in its [body.NAME]; a given torque or force on it is [joint_torque.NAME] \
         or [joint_force.NAME]",
    ),
    of(
        SCENARIO,
        "gear gears transmission couplings rack screw mimic",
        "what couples the coordinates of two joints is [coupling.NAME] with kind = \"gear\", \"rack\", \"screw\" or \
         \"linear\"",
    ),
    of(
        SCENARIO,
        "belt band rope chain pulley",
        "a belt is a chain of points with mass, in contact with the drum and joined by [cable.NAME]: docs/guide/contacts.md",
    ),
    of(
        SCENARIO,
        "clutch brake",
        "a brake is [joint_friction.NAME], whose load is a function of time; a clutch of two shafts is a contact",
    ),
    of(
        SCENARIO,
        "pid controller control feedback",
        "loads and drives are functions of time; a controller steps the scenario from Python, or as an FMU",
    ),
    of(
        SCENARIO,
        "tire tires tyre tyres wheel mesh meshes",
        "points and balls of a body touch planes and simple curved surfaces in a [contact.NAME]; meshes and tyres are not there",
    ),
    of(
        SCENARIO,
        "damper dampers dashpot spring_damper",
        "[spring.NAME] has stiffness and damping; in a joint it is [joint_spring.NAME]",
    ),
    of(
        SCENARIO,
        "bearing bearings mount",
        "an elastic bearing is [bushing.NAME]; friction in a joint is [joint_friction.NAME]",
    ),
    of(
        SCENARIO,
        "link links rod bar bodies rigid_body worldbody parts",
        "a body is [body.NAME], with the joint that carries it",
    ),
    of(
        SCENARIO,
        "ground world base",
        "\"ground\" is always there: name it as parent or body",
    ),
    of(
        SCENARIO,
        "geom geometry collision contacts contact_pair surface friction material",
        "what touches, and with which friction, is [contact.NAME]: points of one body on a plane of another",
    ),
    of(
        SCENARIO,
        "gravity solver integrator settings option options time end_time",
        "it belongs to [simulation]",
    ),
    of(
        SCENARIO,
        "load loads moment moments",
        "a load is [force.NAME] or [torque.NAME]",
    ),
    of(
        SCENARIO,
        "sensor sensors output outputs measure markers",
        "a point to be watched is [marker.NAME]; every run records all channels (`bristle check FILE --channels`); [plot.NAME] draws some of them",
    ),
    of(
        JOINTS,
        "hinge pin pivot rotational rotation rotary continuous",
        "a hinge is \"revolute\"",
    ),
    of(
        JOINTS,
        "slider slide sliding translational translation linear",
        "a slider along an axis is \"prismatic\"; \"point\" moves in all three directions and does not turn",
    ),
    of(
        JOINTS,
        "ball ball_joint ball_and_socket socket",
        "a ball joint is \"spherical\"",
    ),
    of(
        JOINTS,
        "weld welded rigid lock locked none",
        "a body that does not move in its parent is \"fixed\"",
    ),
    of(
        JOINTS,
        "cylinder cylinder_joint",
        "a joint that turns about an axis and slides along it is \"cylindrical\"",
    ),
    of(
        JOINTS,
        "floating freejoint free_joint six_dof 6dof bushing",
        "\"free\" moves in all six directions; elastic in all of them it is \"free\" with a [bushing.NAME]",
    ),
    of(
        JOINTS,
        "cardan hooke u_joint gimbal",
        "a cardan joint is \"universal\"",
    ),
    of(
        JOINTS,
        "screw helical gear rack rack_and_pinion rackpin belt",
        "[coupling.NAME] couples the coordinates of two joints; \"cylindrical\" turns and slides, each by itself",
    ),
    of(
        JOINTS,
        "motor driven actuated motion",
        "give the joint that moves and drive = { … }; \"prescribed\" takes a whole motion",
    ),
    of(
        JOINTS,
        "in_plane inplane plane",
        "a joint that slides and turns in a plane is \"planar\"",
    ),
    of(
        MOTION,
        "velocity speed v rate",
        "a motion at a given velocity is displacement = { velocity = \"5 mm/s\" }, or angle with \"1 rad/s\"",
    ),
    of(
        BODY,
        "type joint_type connection",
        "the kind of joint is joint",
    ),
    of(
        BODY,
        "parent_body parent_link base on",
        "the body that carries it is parent",
    ),
    of(
        BODY,
        "pos xyz origin location translation",
        "the place is position",
    ),
    of(
        BODY,
        "quat quaternion rpy euler rotation",
        "a rotation is orientation = { axis = [0, 0, 1], angle = \"30 deg\" }",
    ),
    of(
        BODY,
        "geometry geom mesh box sphere cylinder density",
        "shape = { box = … }, { sphere = … } or { cylinder = … } gives the moments of inertia, with mass",
    ),
    of(
        BODY,
        "inertia_tensor moment_of_inertia ixx diaginertia",
        "the moments of inertia are inertia = [Ix, Iy, Iz]",
    ),
    of(
        BODY,
        "com cog center_of_mass centre_of_gravity",
        "it is centre_of_mass",
    ),
    of(
        BODY,
        "friction mu friction_coefficient stiction static_friction dynamic_friction kinetic_friction coulomb frictionloss \
         friction_torque joint_friction",
        "friction in the joint of a body is [joint_friction.NAME] with body and friction = { law = … }",
    ),
    of(
        BODY,
        "stiffness damping spring",
        "a spring or damper in the joint of a body is [joint_spring.NAME]",
    ),
    of(
        BODY,
        "limit limits range lower upper stop",
        "the ends of the range of a joint are [joint_stop.NAME] with min, max and a normal-force law",
    ),
    of(
        BODY,
        "motor actuator driver",
        "a driven coordinate is drive = { … }; a given torque or force on it is [joint_torque.NAME] or [joint_force.NAME]",
    ),
    of(
        BODY,
        "force torque load weight",
        "loads are [force.NAME] and [torque.NAME]; weight follows from mass and gravity",
    ),
    of(
        CONTACT,
        "mu friction_coefficient coefficient_of_friction stiction static_friction dynamic_friction kinetic_friction \
         coulomb viscous viscosity mu_s mu_k mu_d law",
        "coefficients stand with their law: friction = { law = \"NAME\", … }; `bristle laws NAME` lists its fields",
    ),
    of(
        CONTACT,
        "partner target with other sphere cylinder capsule cone box mesh terrain",
        "points of one body touch a plane of another, plane = { body = …, normal = … }, or a curved surface, \
         surface = { body = …, cylinder = { radius = … } }; a ball is points = { body = …, sphere = { radius = … } }, and a capsule or a box has its points by these words",
    ),
    of(
        CONTACT,
        "body bodies body1 body2 body_a body_b pair geom1 geom2 from to",
        "the bodies of a contact are in points = { body = … } and plane = { body = … }",
    ),
    of(
        CONTACT,
        "stiffness damping restitution normal_force pressure load n",
        "the normal force is normal = { law = \"NAME\", … } or { prescribed = … }",
    ),
    of(
        PLANE,
        "surface sphere cylinder capsule cone box mesh radius",
        "a curved surface is surface = { sphere | cylinder | capsule | cone = { … } } in the place of plane; a ball \
         on a plane is points = { body = …, sphere = { radius = … } }",
    ),
    of(
        POINTS,
        "corners cylinder mesh surface line rectangle",
        "points are circle, grid or at = [[x, y, z], …]; a ball is sphere, a capsule capsule, and box has the corners of a box",
    ),
    of(
        SURFACE,
        "drum shaft roller bore groove tube pipe bowl ball torus box stl obj file",
        "a surface is sphere, cylinder, capsule, cone, cam or mesh, with inside = true for a bore, a groove or a bowl; a flat one is \
         plane = { … } in the contact",
    ),
    of(
        SHAPE,
        "mesh stl obj ellipsoid capsule cone plate rod",
        "no other solid is there: give inertia = [Ix, Iy, Iz] in the body",
    ),
    of(
        JOINT_FRICTION,
        "joint parent on name",
        "the joint is that of a body: body = \"NAME\"",
    ),
    of(
        JOINT_FRICTION,
        "mu friction_coefficient coefficient_of_friction stiction static_friction dynamic_friction kinetic_friction \
         coulomb viscous viscosity mu_s mu_k mu_d law",
        "coefficients stand with their law: friction = { law = \"NAME\", … }; `bristle laws NAME` lists its fields",
    ),
    of(
        JOINT_FRICTION,
        "normal normal_force preload reaction n",
        "what presses the faces is load: a force, or { reaction = true } for the joint's own reaction",
    ),
    of(
        SIMULATION,
        "duration t_end tend stop_time final_time time",
        "the end is end_time",
    ),
    of(
        SIMULATION,
        "dt h timestep time_step step_size",
        "steps follow the tolerance: integrator = { max_step = … } bounds them, output_step is the distance of \
         the rows",
    ),
    of(
        SIMULATION,
        "solver method tolerance tol rtol atol reltol abstol",
        "it belongs to integrator = { method = …, tolerance = … }",
    ),
];

/// What there is instead of a word at a path such as `body.cube`; `None` if the word is not known.
pub(crate) fn instead(path: &str, word: &str) -> Option<&'static str> {
    let word = canonical(word).to_lowercase();
    let place = place(path);
    let meant = |one: &&Synonym| one.place == place && one.words.split(' ').any(|w| w == word);
    SYNONYMS.iter().find(meant).map(|one| one.instead)
}

/// The path with NAME in the place of the name that follows the section.
fn place(path: &str) -> String {
    let names = path.split('.').enumerate();
    let places = names.map(|(i, name)| if i == 1 { "NAME" } else { name });
    places.collect::<Vec<_>>().join(".")
}

/// Files of other programs, by their ends.
const FILES: &[(&[&str], &str)] = &[
    (&["urdf", "xacro"], "a robot description (URDF)"),
    (&["mjcf"], "a model of MuJoCo (MJCF)"),
    (
        &["xml"],
        "an XML file, such as a model of MuJoCo or a robot description",
    ),
    (&["sdf"], "a world of Gazebo (SDF)"),
    (&["slx", "mdl"], "a model of Simulink"),
    (&["adm", "acf", "cmd"], "a model of Adams"),
    (&["rdyn", "rmd"], "a model of RecurDyn"),
    (&["spck", "sys"], "a model of Simpack"),
    (&["mo"], "a model in Modelica"),
    (&["fmu"], "a functional mock-up unit"),
    (
        &["inp", "bdf", "dat"],
        "a model of a finite element program",
    ),
    (&["step", "stp", "iges", "stl"], "a geometry"),
    (&["csv", "json", "yaml", "yml"], "data"),
    (&["py", "m", "ipynb"], "a program"),
];

/// Ends of files from which `bristle import` makes a scenario.
const IMPORTED: &[&str] = &["urdf", "mjcf", "xml"];

/// A file that another program wrote.
pub(crate) struct ForeignFile {
    /// What it is.
    pub(crate) what: &'static str,
    /// Whether `bristle import` reads it.
    pub(crate) is_imported: bool,
}

/// What a file is that another program wrote, by the end of its name.
pub(crate) fn foreign_file(path: &Path) -> Option<ForeignFile> {
    let end = path.extension()?.to_str()?.to_lowercase();
    let known = FILES.iter().find(|(ends, _)| ends.contains(&end.as_str()));
    known.map(|(_, what)| ForeignFile {
        what,
        is_imported: IMPORTED.contains(&end.as_str()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FieldKind;
    use crate::sections::SCENARIO as ROOT;
    use std::collections::BTreeSet;

    /// The words that a place takes.
    fn taken(place: &str) -> Vec<&'static str> {
        let mut kind = FieldKind::Table(&ROOT);
        for name in place
            .split('.')
            .filter(|name| !name.is_empty() && *name != "NAME")
        {
            let (FieldKind::Table(section) | FieldKind::Named(section)) = kind else {
                panic!("{place} is no place");
            };
            let field = section.fields.iter().find(|field| field.name == name);
            kind = field.expect(place).kind;
        }
        match kind {
            FieldKind::Table(section) | FieldKind::Named(section) => {
                section.fields.iter().map(|field| field.name).collect()
            }
            FieldKind::Choice(words) => words.to_vec(),
            _ => panic!("{place} takes no words"),
        }
    }

    #[test]
    fn no_synonym_is_a_word_of_its_place_and_none_stands_twice() {
        let mut seen = BTreeSet::new();
        for one in SYNONYMS {
            let taken = taken(one.place);
            for word in one.words.split(' ') {
                assert!(!taken.contains(&word), "{word} is taken in {}", one.place);
                assert!(seen.insert((one.place, word)), "{word} in {}", one.place);
            }
        }
    }

    #[test]
    fn places_are_found_by_their_paths() {
        assert_eq!(place(""), "");
        assert_eq!(place("body.left_arm.joint"), "body.NAME.joint");
        assert!(instead("body.arm.joint", "Ball-Joint").is_some_and(|s| s.contains("spherical")));
        assert!(instead("contact.base", "hinge").is_none());
        assert!(foreign_file(Path::new("a/ROBOT.URDF")).is_some());
        assert!(foreign_file(Path::new("a/robot.toml")).is_none());
    }
}
