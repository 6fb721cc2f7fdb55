//! Files of triangles: what is read, refused, and worth a second look.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use bristle_scenario::{Changes, SourceMap, Template, load};
use std::fmt::Write as _;

const BALL: &str = r#"
title = "Ball"
[simulation]
end_time = 0.1
gravity = [0, 0, -9.81]
[body.ball]
joint = "free"
mass = 1
shape = { sphere = 0.1 }
position = [0, 0, 2]
[contact.touch]
points = { body = "ball", sphere = { radius = 0.1 } }
surface = { mesh = "NAME" SETTINGS }
normal = { law = "kelvin_voigt", stiffness = 1e6, damping = 10 }
friction = "none"
"#;

/// A folder with a scenario and a mesh.
fn place(name: &str, settings: &str, mesh: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let scenario = BALL.replace("NAME", name).replace("SETTINGS", settings);
    std::fs::write(folder.path().join("machine.toml"), scenario).unwrap();
    std::fs::write(folder.path().join(name), mesh).unwrap();
    folder
}

/// Errors, or warnings of a scenario that is sound.
fn said(name: &str, settings: &str, mesh: impl AsRef<[u8]>) -> (bool, Vec<String>) {
    let folder = place(name, settings, mesh.as_ref());
    let path = folder.path().join("machine.toml");
    match load(&path, &[], &mut SourceMap::new()) {
        Ok(scenario) => {
            let warnings = scenario.warnings.iter();
            (true, warnings.map(|w| w.message.clone()).collect())
        }
        Err(errors) => (false, errors.iter().map(|e| e.message.clone()).collect()),
    }
}

/// A file is refused with a message that begins with its name, a line if it has one, and what is wrong.
fn refuses(name: &str, mesh: impl AsRef<[u8]>, message: &str) {
    let (sound, errors) = said(name, "", mesh);
    assert!(!sound && errors.len() == 1, "{message}: {errors:?}");
    let found = errors[0].split_once("surface.mesh: ").unwrap().1;
    let found = &found[found.find(name).unwrap()..];
    assert!(found.starts_with(message), "{message}\n{found}");
}

/// A binary STL file of triangles.
fn binary(triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes[..5].copy_from_slice(b"solid");
    bytes.extend(u32::try_from(triangles.len()).unwrap().to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// The triangles of a tetrahedron.
fn tetrahedron(size: f32) -> Vec<[[f32; 3]; 3]> {
    let [o, x, y, z] = [
        [0.0; 3],
        [size, 0.0, 0.0],
        [0.0, size, 0.0],
        [0.0, 0.0, size],
    ];
    vec![[o, y, x], [o, x, z], [o, z, y], [x, y, z]]
}

fn text_of(triangles: &[[[f32; 3]; 3]]) -> String {
    let mut text = "solid part\n".to_owned();
    for triangle in triangles {
        text += " facet normal 0 0 0\n  outer loop\n";
        for [x, y, z] in triangle {
            writeln!(text, "   vertex {x:e} {y:e} {z:e}").unwrap();
        }
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid part\n"
}

#[test]
fn sound_files_are_read_without_a_word() {
    let triangles = tetrahedron(1.0);
    let none = (true, Vec::<String>::new());
    // a binary file may begin with "solid", too
    assert_eq!(said("part.stl", "", binary(&triangles)), none);
    assert_eq!(said("PART.STL", "", text_of(&triangles)), none);
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let faces = "f 1/1/1 3/2 2\nf -4 -3 -1\nf 1 4//2 3\nf 2 3 4 # the slope\n";
    let obj = format!("# a part\nmtllib x.mtl\n{corners}vt 0 0\no part\nusemtl red\n{faces}");
    assert_eq!(said("part.obj", "", obj), none);
    assert_eq!(
        said("part.stl", ", scale = \"mm\"", binary(&tetrahedron(1e3))),
        none
    );
    let [o, y, x] = triangles[0];
    let sheet = binary(&[[o, x, y]]);
    assert_eq!(said("part.stl", ", open = true", sheet), none);
}

#[test]
fn binary_files_that_are_no_meshes_are_refused() {
    let whole = binary(&tetrahedron(1.0));
    let mut wild = tetrahedron(1.0);
    wild[2][1][0] = f32::NAN;
    refuses(
        "a.step",
        &whole,
        "a.step: a mesh is a file NAME.stl or NAME.obj",
    );
    refuses(
        "a.stl",
        "",
        "a.stl: it has 0 bytes, and an STL file has at least 84",
    );
    let cut = "a.stl: it is cut off: a binary STL file of 4 triangles has 284 bytes, this one 200, and ends in triangle 3";
    refuses("a.stl", &whole[..200], cut);
    refuses("a.stl", [&[0; 80], &whole[80..200]].concat(), cut);
    let noise = "a.stl: it is cut off: a binary STL file of 2021161080 triangles";
    refuses("a.stl", vec![b'x'; 500], noise);
    refuses("a.stl", binary(&[]), "a.stl: it has no triangles");
    let message = "a.stl: a corner of triangle 3 is no finite number";
    refuses("a.stl", binary(&wild), message);
}

#[test]
fn texts_that_are_no_meshes_are_refused() {
    let text = text_of(&tetrahedron(1.0));
    let lines: Vec<&str> = text.lines().collect();
    let changed = |from: &str, to: &str| text.replacen(from, to, 1);
    let corner = "   vertex 0e0 0e0 0e0\n";
    for (text, message) in [
        (
            lines[..10].join("\n"),
            "10: it is cut off: the facet of line 9",
        ),
        (
            changed("1e0", "nan"),
            "5: y of a corner is \"nan\", no finite number",
        ),
        (changed("1e0", "1,0"), "5: y of a corner is \"1,0\""),
        (
            changed(corner, "vertex 0 0\n"),
            "4: z of a corner is missing",
        ),
        (changed(corner, ""), "2: a facet has 3 corners, this one 2"),
        (
            changed(" facet normal 0 0 0\n", ""),
            "3: vertex without a facet",
        ),
        (
            "solid of rock\nand sand\n".into(),
            "2: \"and\" is no word of an STL file",
        ),
    ] {
        refuses("a.stl", text, &format!("a.stl:{message}"));
    }
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 0\n";
    for (face, message) in [
        (
            "1 2 5",
            ":5: there is no corner 5: the file has 4 up to here",
        ),
        ("1 2 -5", ":5: there is no corner -5"),
        ("0 1 2", ":5: there is no corner 0"),
        (
            "1 2 9999999999999999999",
            ":5: \"9999999999999999999\" is no number of a corner",
        ),
        ("1 2", ":5: a face has 3 or more corners, this one 2"),
        ("2 4 3 1", ":5: the face has 4 corners and is hollow"),
        ("1 2 2", ": it has no triangle with an area"),
    ] {
        refuses(
            "a.obj",
            format!("{corners}f {face}\n"),
            &format!("a.obj{message}"),
        );
    }
    let far = "v 0 0 0\nv 1 0 0\nv 0 1e300 0\nf 1 2 3\n";
    refuses(
        "a.obj",
        far,
        "a.obj, line 4: a corner is not a finite number below 1e9 m",
    );
    refuses("a.obj", "v 0 0\n", "a.obj:1: z of a corner is missing");
    refuses("a.obj", b"\x00\xff\n", "a.obj: it has no triangles");
}

#[test]
fn fields_of_a_mesh_are_checked() {
    let (_, errors) = said("a.stl", ", scale = \"furlong\"", binary(&tetrahedron(1.0)));
    let message = "contact.touch.surface.scale = \"furlong\": expected the unit of the file, such as \"mm\", or a factor, such as 0.001";
    assert_eq!(errors, [message]);
    let (_, errors) = said("a.stl", ", scale = -1", binary(&tetrahedron(1.0)));
    assert_eq!(
        errors,
        ["contact.touch.surface.scale = -1, must be in (0, ∞)"]
    );
    let (_, errors) = said("a.stl", ", sphere = { radius = 1 }", "");
    let message = "contact.touch.surface: \"sphere\" and \"mesh\" exclude each other; give one of";
    assert!(
        errors.len() == 1 && errors[0].starts_with(message),
        "{errors:?}"
    );
}

#[test]
fn meshes_that_deserve_a_second_look_are_named() {
    let triangles = tetrahedron(1.0);
    let mut turned = triangles.clone();
    turned[2].swap(0, 1);
    let inwards: Vec<_> = triangles.iter().map(|&[a, b, c]| [b, a, c]).collect();
    let mut more = triangles.clone();
    more.extend([[[0.0; 3], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]], triangles[1]]);
    for (settings, mesh, messages) in [
        (
            "",
            triangles[..3].to_vec(),
            &["has 3 edges with one triangle alone, the first at triangle 1; it has holes."][..],
        ),
        (
            "",
            turned,
            &[
                "has 1 triangles that look to another side than their neighbours, the first at triangle 3; they are turned",
            ],
        ),
        (
            "",
            inwards.clone(),
            &["looks inwards all over; it is turned"],
        ),
        (", inside = true", inwards, &[]),
        (", inside = true", triangles.clone(), &[]),
        (
            "",
            more,
            &[
                "has 1 triangles without area, the first at triangle 5; they are left out",
                "has 1 triangles with the corners of another one, the first at triangle 6; they are left out",
            ],
        ),
        (
            "",
            tetrahedron(120.0),
            &[
                "suspicious size: part.stl is 120 m by 120 m by 120 m, and what touches it 0.2 m; the file has no unit and is read in metres. If it is in millimetres write scale = \"mm\", if the size is right scale = 1",
            ],
        ),
        (", scale = 1", tetrahedron(120.0), &[]),
        (
            ", scale = \"mm\"",
            tetrahedron(0.12),
            &["suspicious size: part.stl is 0.00012 m by 0.00012 m by 0.00012 m"],
        ),
    ] {
        // a point in the hollow, or outside
        let (sound, warnings) = said("part.stl", settings, binary(&mesh));
        let found = warnings
            .iter()
            .filter(|warning| !warning.contains("start inside"));
        let found: Vec<&str> = found
            .map(|found| {
                let own = found.strip_prefix("contact.touch.surface.mesh: ").unwrap();
                own.strip_prefix("part.stl ").unwrap_or(own)
            })
            .collect();
        assert!(
            sound && found.len() == messages.len(),
            "{messages:?} {warnings:?}"
        );
        let alike = found
            .iter()
            .zip(messages)
            .all(|(found, wanted)| found.starts_with(wanted));
        assert!(alike, "{messages:?} {found:?}");
    }
}

/// The file takes part in what identifies a scenario, and goes into its package.
#[test]
fn a_mesh_belongs_to_its_scenario() {
    let stl = binary(&tetrahedron(1.0));
    let folder = place("part.stl", "", &stl);
    let path = folder.path().join("machine.toml");
    let hash = || load(&path, &[], &mut SourceMap::new()).unwrap().hash;
    let first = hash();
    let mut sources = SourceMap::new();
    let template = Template::read(&path, &[], &mut sources).unwrap();
    let packed = template.packed(&Changes::NONE, &mut sources).unwrap();
    let text = &packed.text;
    assert!(text.contains("mesh = \"data-1.stl\""), "{text}");
    assert_eq!(packed.data, [("data-1.stl".to_owned(), stl)]);
    assert_eq!(hash(), first);
    let other = binary(&tetrahedron(1.5));
    std::fs::write(folder.path().join("part.stl"), other).unwrap();
    assert_ne!(hash(), first);
}
