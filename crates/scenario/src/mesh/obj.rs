//! OBJ: corners `v x y z` and faces `f a b c …` that name them.

use super::{MeshFault, MeshFile, numbers, shown};
use bristle_mechanics::Vec3;

/// Lines that begin with another word say nothing of the shape: textures, groups, materials, curves.
pub(super) fn read(text: &str) -> Result<MeshFile, MeshFault> {
    let mut mesh = MeshFile::default();
    let mut face: Vec<u32> = Vec::new();
    for (line, content) in (1_u32..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default();
        let mut words = content.split_whitespace();
        match words.next() {
            Some("v") => mesh.corners.push(numbers(&mut words, line)?),
            Some("f") => {
                face.clear();
                for word in words {
                    face.push(corner(word, mesh.corners.len(), line)?);
                }
                polygon(&face, &mut mesh, line)?;
            }
            _ => {}
        }
    }
    Ok(mesh)
}

/// The corner that a word such as `7`, `7/1/3` or `-1` names, from 0.
fn corner(word: &str, count: usize, line: u32) -> Result<u32, MeshFault> {
    let own = word.split('/').next().unwrap_or_default();
    let Ok(number) = own.parse::<i64>() else {
        let what = format!("{} is no number of a corner", shown(word));
        return Err(MeshFault::at(line, what));
    };
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let place = if number < 0 {
        count.saturating_add(number)
    } else {
        number - 1
    };
    u32::try_from(place)
        .ok()
        .filter(|&place| i64::from(place) < count)
        .ok_or_else(|| {
            let what = format!("there is no corner {number}: the file has {count} up to here");
            MeshFault::at(line, what)
        })
}

/// Cuts a polygon into triangles from its first corner.
fn polygon(face: &[u32], mesh: &mut MeshFile, line: u32) -> Result<(), MeshFault> {
    let &[first, .., _, _] = face else {
        let what = format!("a face has 3 or more corners, this one {}", face.len());
        return Err(MeshFault::at(line, what));
    };
    let place = |corner: u32| mesh.corners[corner as usize];
    let parts = face[1..].windows(2).map(|pair| [first, pair[0], pair[1]]);
    let area = |[a, b, c]: [u32; 3]| (place(b) - place(a)).cross(&(place(c) - place(a)));
    let whole: Vec3 = parts.clone().map(area).sum();
    if face.len() > 3 && parts.clone().any(|part| area(part).dot(&whole) < 0.0) {
        let what = format!(
            "the face has {} corners and is hollow; export the mesh in triangles",
            face.len()
        );
        return Err(MeshFault::at(line, what));
    }
    let parts: Vec<[u32; 3]> = parts.collect();
    for part in parts {
        mesh.push(part, line);
    }
    Ok(())
}
