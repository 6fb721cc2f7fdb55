//! Blocks of points: a component of theirs in an array, from a column and back.

#![allow(
    clippy::inline_always,
    reason = "vector instructions are chosen by the caller, into which all must go"
)]

use crate::numbers::lanes::Lanes;

/// Number of points of a block: enough for loops that fill the widest registers, few
/// enough for the first cache.
pub(super) const BLOCK: usize = 64;

/// A component at the points of a block.
pub(super) type BlockColumn = [f64; BLOCK];

/// A block of zeros.
pub(super) const ZERO: BlockColumn = [0.0; BLOCK];

#[inline(always)]
pub(super) fn lanes_at<const D: usize>(vector: &[&BlockColumn; D], i: usize) -> [Lanes<1>; D] {
    vector.map(|block| Lanes([block[i]]))
}

#[inline(always)]
pub(super) fn set<const D: usize>(vector: &mut [BlockColumn; D], i: usize, values: [Lanes<1>; D]) {
    for (block, Lanes([x])) in vector.iter_mut().zip(values) {
        block[i] = x;
    }
}

/// The block of a column that starts at `from`; empty past the last full one.
#[inline(always)]
pub(super) fn full(column: &[f64], from: usize) -> &BlockColumn {
    column[from..].first_chunk().unwrap_or(&ZERO)
}

/// The rest of a column.
#[inline(always)]
pub(super) fn rest(column: &[f64], from: usize) -> BlockColumn {
    let mut block = ZERO;
    for (x, y) in block.iter_mut().zip(&column[from..]) {
        *x = *y;
    }
    block
}

#[inline(always)]
pub(super) fn store(block: &BlockColumn, column: &mut [f64], from: usize) {
    if let Some(full) = column[from..].first_chunk_mut::<BLOCK>() {
        *full = *block;
    } else {
        let rest = &mut column[from..];
        rest.copy_from_slice(&block[..rest.len()]);
    }
}
