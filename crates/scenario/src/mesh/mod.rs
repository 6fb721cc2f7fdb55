//! Files of triangles: STL (binary and text) and OBJ.

mod obj;
mod stl;

use bristle_mechanics::Vec3;
use std::path::Path;

/// Bytes of a file, at most.
pub(crate) const MAX_MESH_BYTES: u64 = 512 << 20;

/// Triangles as a file has them, without a unit.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct MeshFile {
    /// Corners.
    pub(crate) corners: Vec<Vec3>,
    /// Three corners of every triangle, from 0, counter-clockwise seen from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The line of every triangle, from 1; empty of a binary file.
    pub(crate) lines: Vec<u32>,
}

/// What is wrong with a file, and where.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MeshFault {
    /// The line, from 1.
    pub(crate) line: Option<u32>,
    /// What is wrong, and what to do.
    pub(crate) what: String,
}

impl MeshFault {
    fn at(line: u32, what: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            what: what.into(),
        }
    }

    fn whole(what: impl Into<String>) -> Self {
        Self {
            line: None,
            what: what.into(),
        }
    }
}

impl MeshFile {
    /// What a file holds; the end of its name says which format it is.
    pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<Self, MeshFault> {
        let extension = path.extension().and_then(|end| end.to_str());
        let mesh = match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("stl") => stl::read(bytes)?,
            Some("obj") => obj::read(&String::from_utf8_lossy(bytes))?,
            _ => {
                return Err(MeshFault::whole(
                    "a mesh is a file NAME.stl or NAME.obj; export it as one of these",
                ));
            }
        };
        if mesh.triangles.is_empty() {
            return Err(MeshFault::whole("it has no triangles"));
        }
        Ok(mesh)
    }

    /// How a triangle (from 0) is found in the file.
    pub(crate) fn place(&self, triangle: usize) -> String {
        match self.lines.get(triangle) {
            Some(line) => format!("line {line}"),
            None => format!("triangle {}", triangle + 1),
        }
    }

    fn push(&mut self, corners: [u32; 3], line: u32) {
        self.triangles.push(corners);
        self.lines.push(line);
    }
}

/// Three finite numbers.
fn numbers<'a>(words: &mut impl Iterator<Item = &'a str>, line: u32) -> Result<Vec3, MeshFault> {
    let mut all = [0.0; 3];
    for (number, axis) in all.iter_mut().zip(["x", "y", "z"]) {
        let Some(word) = words.next() else {
            return Err(MeshFault::at(
                line,
                format!("{axis} of a corner is missing"),
            ));
        };
        let read = word.parse::<f64>().ok().filter(|x| x.is_finite());
        *number = read.ok_or_else(|| {
            MeshFault::at(
                line,
                format!("{axis} of a corner is {}, no finite number", shown(word)),
            )
        })?;
    }
    Ok(Vec3::from(all))
}

/// A word of a file, cut where it is long.
fn shown(word: &str) -> String {
    const LONGEST: usize = 24;
    let short: String = word.chars().take(LONGEST).collect();
    let cut = if short.len() < word.len() { "…" } else { "" };
    format!("\"{}{cut}\"", short.escape_debug())
}
