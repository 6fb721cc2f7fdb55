//! Which triangles of a mesh must be turned so that neighbours look to the same side.

use super::NONE;

/// What is to be turned.
pub(super) struct FaceTurning {
    /// Triangles that look to another side than most of their piece.
    pub(super) turned: Vec<bool>,
    /// Triangles that cannot look to the side of all neighbours.
    pub(super) twisted: Vec<bool>,
}

/// Walks over every piece from triangle to triangle; the fewer ones of a piece are turned.
pub(super) fn turning(triangles: &[[u32; 3]], neighbours: &[[u32; 3]]) -> FaceTurning {
    let count = triangles.len();
    let (mut turned, mut twisted) = (vec![false; count], vec![false; count]);
    let mut seen = vec![false; count];
    let mut piece: Vec<u32> = Vec::new();
    for (first, number) in (0..count).zip(0_u32..) {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        piece.clear();
        piece.push(number);
        let mut at = 0;
        while let Some(&face) = piece.get(at) {
            at += 1;
            let face = face as usize;
            for k in (0..3).filter(|&k| neighbours[face][k] != NONE) {
                let other = neighbours[face][k] as usize;
                let edge = [triangles[face][k], triangles[face][(k + 1) % 3]];
                // neighbours run through their edge in opposite directions
                let agrees = !runs_through(&triangles[other], edge);
                let wanted = turned[face] == agrees;
                if !seen[other] {
                    seen[other] = true;
                    turned[other] = wanted;
                    piece.push(neighbours[face][k]);
                } else if turned[other] != wanted {
                    twisted[face] = true;
                }
            }
        }
        let turned_here = piece.iter().filter(|&&face| turned[face as usize]).count();
        if 2 * turned_here > piece.len() {
            for &face in &piece {
                turned[face as usize] = !turned[face as usize];
            }
        }
    }
    FaceTurning { turned, twisted }
}

/// Whether a triangle runs through an edge in this direction.
fn runs_through(triangle: &[u32; 3], [from, to]: [u32; 2]) -> bool {
    (0..3).any(|k| triangle[k] == from && triangle[(k + 1) % 3] == to)
}
