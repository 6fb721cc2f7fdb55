//! All that constrains the coordinates of a tree, row by row.

use super::coupling::Coupling;
use super::loop_joint::{LoopJoint, SingleAxis};
use super::rows::{self, ConstraintRow, RowOwner};

/// What constrains the coordinates of the tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    pub(crate) loops: Vec<LoopJoint>,
    pub(crate) couplings: Vec<Coupling>,
    /// Axes of the single coordinates of every loop.
    pub(super) axes: Vec<Vec<SingleAxis>>,
    /// The independent rows of Φ, owner by owner.
    pub(super) rows: Vec<ConstraintRow>,
    /// Rows that the others imply.
    pub(super) dependent: Vec<ConstraintRow>,
}

impl Constraints {
    /// All rows of these loops and couplings, as if they were independent.
    pub(crate) fn new(loops: Vec<LoopJoint>, couplings: Vec<Coupling>) -> Self {
        let of_loops = loops.iter().enumerate();
        let mut rows: Vec<ConstraintRow> = of_loops
            .flat_map(|(k, own)| rows::of_loop(k, own))
            .collect();
        let rigid = couplings.iter().enumerate().filter(|(_, own)| own.is_rigid);
        rows.extend(rigid.map(|(k, _)| rows::of_coupling(k)));
        let axes = loops.iter().map(|own| SingleAxis::of(&own.joint));
        Self {
            axes: axes.collect(),
            loops,
            couplings,
            rows,
            dependent: Vec::new(),
        }
    }

    /// Number of multipliers.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Rows of an owner among the multipliers.
    pub(crate) fn rows_of(&self, owner: RowOwner) -> std::ops::Range<usize> {
        let first = self.rows.partition_point(|row| row.owner < owner);
        let count = self.rows[first..].partition_point(|row| row.owner == owner);
        first..first + count
    }

    /// All owners, in the order of their rows.
    pub(crate) fn owners(&self) -> Vec<RowOwner> {
        let loops = (0..self.loops.len()).map(RowOwner::Loop);
        let couplings = (0..self.couplings.len()).map(RowOwner::Coupling);
        loops.chain(couplings).collect()
    }

    /// Name of the owner of a multiplier, for people.
    pub(crate) fn name_of(&self, row: usize) -> String {
        let row = self.rows.get(row);
        row.map_or_else(
            || "a constraint".to_owned(),
            |row| self.owner_name(row.owner),
        )
    }

    /// Its name for people.
    pub(crate) fn owner_name(&self, owner: RowOwner) -> String {
        match owner {
            RowOwner::Loop(k) => format!("loop `{}`", self.loops[k].name),
            RowOwner::Coupling(k) => format!("coupling `{}`", self.couplings[k].name),
        }
    }
}
