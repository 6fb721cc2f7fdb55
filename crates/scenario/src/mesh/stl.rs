//! STL: triangles of three corners each, in binary or as text.

use super::{MeshFault, MeshFile, numbers, shown};
use bristle_mechanics::Vec3;

/// Bytes before the triangles of a binary file: 80 of any text, and their count.
const HEAD: usize = 84;
/// Bytes of a triangle: the normal and three corners of 4-byte numbers, and two bytes more.
const TRIANGLE: usize = 50;

/// A file whose size fits its count of triangles is binary, even if it begins with "solid".
pub(super) fn read(bytes: &[u8]) -> Result<MeshFile, MeshFault> {
    let count = bytes
        .get(80..HEAD)
        .and_then(|count| count.try_into().ok())
        .map(|count| u32::from_le_bytes(count) as usize);
    let needed = |count: usize| count.saturating_mul(TRIANGLE).saturating_add(HEAD);
    let is_binary = count.is_some_and(|count| needed(count) == bytes.len());
    let begins = bytes.trim_ascii_start().get(..5);
    // a text has no zeros, and the count of a binary file has
    let has_zeros = bytes.iter().take(HEAD).any(|&byte| byte == 0);
    let is_text = !has_zeros && begins.is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    if is_text && !is_binary {
        return text(&String::from_utf8_lossy(bytes));
    }
    let Some(count) = count else {
        return Err(MeshFault::whole(format!(
            "it has {} bytes, and an STL file has at least {HEAD}, or begins with \"solid\"; export it again",
            bytes.len()
        )));
    };
    if bytes.len() < needed(count) {
        let whole = (bytes.len() - HEAD) / TRIANGLE;
        return Err(MeshFault::whole(format!(
            "it is cut off: a binary STL file of {count} triangles has {} bytes, this one {}, and ends in triangle {}; \
             copy or export it again",
            needed(count),
            bytes.len(),
            whole + 1
        )));
    }
    binary(&bytes[HEAD..needed(count)])
}

fn binary(bytes: &[u8]) -> Result<MeshFile, MeshFault> {
    let mut mesh = MeshFile::default();
    for (k, triangle) in (0_u32..).zip(bytes.chunks_exact(TRIANGLE)) {
        for corner in triangle[12..48].chunks_exact(12) {
            let at = |i: usize| {
                let number = corner[4 * i..4 * i + 4].try_into().unwrap_or_default();
                f64::from(f32::from_le_bytes(number))
            };
            let corner = Vec3::new(at(0), at(1), at(2));
            if !corner.iter().all(|x| x.is_finite()) {
                return Err(MeshFault::whole(format!(
                    "a corner of triangle {} is no finite number; export it again",
                    k + 1
                )));
            }
            mesh.corners.push(corner);
        }
        mesh.triangles.push([3 * k, 3 * k + 1, 3 * k + 2]);
    }
    Ok(mesh)
}

/// `facet`, `outer loop`, three times `vertex x y z`, `endloop`, `endfacet`; each begins a line.
fn text(text: &str) -> Result<MeshFile, MeshFault> {
    let mut mesh = MeshFile::default();
    let mut open: Option<u32> = None;
    let mut corners = 0;
    let mut last = 1;
    for (line, content) in (1_u32..).zip(text.lines()) {
        last = line;
        let mut words = content.split_whitespace();
        let Some(first) = words.next() else {
            continue;
        };
        match first.to_ascii_lowercase().as_str() {
            "facet" => (open, corners) = (Some(line), 0),
            "vertex" if open.is_none() => {
                return Err(MeshFault::at(line, "vertex without a facet"));
            }
            "vertex" => {
                mesh.corners.push(numbers(&mut words, line)?);
                corners += 1;
            }
            "endfacet" => {
                let Some(begin) = open.take() else {
                    return Err(MeshFault::at(line, "endfacet without a facet"));
                };
                if corners != 3 {
                    let what = format!("a facet has 3 corners, this one {corners}");
                    return Err(MeshFault::at(begin, what));
                }
                let next = mesh.corners.len() as u64;
                // 2³² corners do not fit into a file of the largest size
                let at = u32::try_from(next).unwrap_or(u32::MAX);
                mesh.push([at - 3, at - 2, at - 1], begin);
            }
            "solid" | "outer" | "endloop" | "endsolid" => {}
            _ => {
                return Err(MeshFault::at(
                    line,
                    format!("{} is no word of an STL file", shown(first)),
                ));
            }
        }
    }
    match open {
        Some(begin) => Err(MeshFault::at(
            last,
            format!(
                "it is cut off: the facet of line {begin} does not end; copy or export it again"
            ),
        )),
        None => Ok(mesh),
    }
}
