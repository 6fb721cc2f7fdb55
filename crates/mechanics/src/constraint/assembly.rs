//! The start of a machine with loops: positions that close them, velocities that keep them closed.
//!
//! Of the coordinates the rows of Φ determine as many as their rank; the others are free. Those
//! whose start is given stay free, as far as they can, and are not moved: a crank keeps the angle
//! that its file has, and the rod follows.

use super::constraints::Constraints;
use super::independent::{RowBasis, determined};
use super::level::ConstraintLevel;
use super::rows::{ConstraintRow, RowOwner};
use crate::frame::Frame;
use crate::kinematics::Motion;
use crate::matrix::Order;
use crate::model::Model;
use bristle_integrate::{Instant, State, System as _};
use std::sync::OnceLock;

/// A start is closed where no row, in units of the machine's size, is above this; rounding of
/// coordinates of some machine sizes.
const CLOSED: f64 = 1e-13;
/// What rounding may leave of a row where no correction makes it smaller.
const ROUNDED: f64 = 1e-10;
/// What a row that others imply may differ by: points and axes are given with some eight digits.
const IMPLIED: f64 = 1e-7;
/// Corrections, and the shortest part of one that is tried.
const MAX_CORRECTIONS: usize = 200;
const SHORTEST: f64 = 1.0 / 1024.0;
/// A correction moves by no more than this, in machine sizes or radians: the nearest closed place
/// is sought, not any.
const REACH: f64 = 0.3;
/// A motion below this is none, in machine sizes or radians.
const MOVED: f64 = 1e-9;
/// Size of the motion that separates a place from its neighbours.
const NEARBY: f64 = 0.02;

/// What the assembly of a start found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssemblyReport {
    /// Degrees of freedom of the tree less independent constraints: the motions that are left.
    pub mobility: usize,
    /// The coordinates that stay free; the others follow from them.
    pub free: Vec<String>,
    /// Coordinates that were moved to close the loops.
    pub moved: Vec<MovedCoordinate>,
    /// Rows that others imply: their reactions are not unique and not among the results.
    pub redundant: Vec<Redundancy>,
    /// Whether the start is a singular position: fewer constraints are independent there than
    /// beside it, so that the machine may go on in more than one way.
    pub is_singular: bool,
}

/// A coordinate that was moved to close the loops.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedCoordinate {
    /// Its name for people.
    pub name: String,
    /// By how much, m or rad.
    pub by: f64,
    /// Whether it is an angle.
    pub turns: bool,
    /// Whether its start was given.
    pub was_given: bool,
}

/// Constraints of a loop or a coupling that others imply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redundancy {
    /// Name of the loop or the coupling.
    pub name: String,
    /// How many.
    pub rows: usize,
}

/// Why a start cannot be assembled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AssemblyError {
    /// No position near the start closes the loops.
    #[error(
        "{owner} cannot be closed: as near as the bodies come, {} is left. Place them closer to a \
         closed position, or check points, axes and lengths", gap(*left, *is_angle)
    )]
    Open {
        /// The loop or coupling that is open most.
        owner: String,
        /// What is left, m or 1.
        left: f64,
        /// Whether it is the cosine of an angle that ought to be square.
        is_angle: bool,
    },
    /// Prescribed motions, or velocities, contradict the loops.
    #[error(
        "{owner} cannot stay closed: the prescribed motions part its ends at {speed:.3e} m/s or \
         rad/s"
    )]
    Parted {
        /// The loop or coupling.
        owner: String,
        /// The speed that is left, m/s or rad/s.
        speed: f64,
    },
}

fn gap(left: f64, is_angle: bool) -> String {
    if is_angle {
        format!(
            "an angle of {:.3} deg between its axes",
            left.abs().min(1.0).asin().to_degrees()
        )
    } else {
        format!("a gap of {:.6} mm between its ends", left.abs() * 1e3)
    }
}

/// The rows of Φ at a place, in units of the machine: lengths over its size.
struct ScaledRows {
    /// G.
    rows: Vec<Vec<f64>>,
    values: Vec<f64>,
}

impl ScaledRows {
    fn size(&self) -> f64 {
        self.values.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
    }

    fn sum(&self) -> f64 {
        self.values.iter().map(|x| x * x).sum()
    }

    /// The shortest change of these columns that brings the rows to zero.
    fn correction(&self, columns: &[usize], of: usize) -> Vec<f64> {
        let part: Vec<Vec<f64>> = self
            .rows
            .iter()
            .map(|row| columns.iter().map(|&c| row[c]).collect())
            .collect();
        let wanted: Vec<f64> = self.values.iter().map(|x| -x).collect();
        let short = RowBasis::of(&part).solve(&wanted, columns.len());
        let mut all = vec![0.0; of];
        for (column, x) in columns.iter().zip(short) {
            all[*column] = x;
        }
        all
    }
}

impl Model {
    /// What the assembly of the start finds; `None` without loops and couplings.
    ///
    /// # Errors
    /// The loop that stays open, and by how much.
    pub fn assembly(&self) -> Option<Result<AssemblyReport, AssemblyError>> {
        let has_any = !self.constraints.is_empty() || !self.constraints.loops.is_empty();
        has_any.then(|| self.assemble(&mut self.start_as_given()))
    }

    /// Moves a state to where its loops are closed, with velocities that keep them so.
    pub(crate) fn assemble(&self, state: &mut State) -> Result<AssemblyReport, AssemblyError> {
        let given = state.clone();
        let here = self.scaled_rows(state, ConstraintLevel::Position);
        let rank = RowBasis::of(&here.rows).rank();
        let preference = self.preference(|body| body.given.coordinates);
        let follow = determined(&here.rows, &preference, rank);
        let mut left = self.close(state, &follow);
        if left > ROUNDED {
            state.q.copy_from_slice(&given.q);
            let all: Vec<usize> = (0..self.dofs).collect();
            left = self.close(state, &all);
        }
        if left > ROUNDED {
            return Err(self.open(state));
        }
        self.check_implied(state)?;
        let here = self.scaled_rows(state, ConstraintLevel::Position);
        let rank = RowBasis::of(&here.rows).rank();
        let independent = self.constraints.len();
        let follow = determined(&here.rows, &preference, rank);
        self.settle_velocities(state, rank)?;
        let free = (0..self.dofs).filter(|dof| !follow.contains(dof));
        Ok(AssemblyReport {
            mobility: self.dofs - independent.min(self.dofs),
            free: free.map(|dof| self.dof_name(dof)).collect(),
            moved: self.moved(&given, state),
            redundant: self.constraints.redundancies(),
            is_singular: rank < independent,
        })
    }

    /// Rows that others imply must be closed with them.
    fn check_implied(&self, state: &State) -> Result<(), AssemblyError> {
        let at = Instant::of(state, 0.0);
        let frames = self.frames(state.t, &state.q, &state.v, &state.a);
        let reach = self.constraints.reach(self);
        let open = self.constraints.dependent.iter().find_map(|row| {
            let left = self.row_value(row, &frames, &at, ConstraintLevel::Position);
            let is_open = left.abs() > IMPLIED * row.unit(reach);
            is_open.then(|| AssemblyError::Open {
                owner: self.constraints.owner_name(row.owner),
                left,
                is_angle: row.is_angle(),
            })
        });
        open.map_or(Ok(()), Err)
    }

    /// Velocities that keep the loops closed, near those given.
    fn settle_velocities(&self, state: &mut State, rank: usize) -> Result<(), AssemblyError> {
        let rates = self.scaled_rows(state, ConstraintLevel::Velocity);
        let preference = self.preference(|body| body.given.rates);
        let follow = determined(&rates.rows, &preference, rank);
        let change = rates.correction(&follow, self.dofs);
        let reach = self.constraints.reach(self);
        for (dof, x) in change.iter().enumerate() {
            state.v[dof] += x * self.unit_of(dof, reach);
        }
        let rates = self.scaled_rows(state, ConstraintLevel::Velocity);
        let fastest = change.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        let parted = |owner: String, speed: f64| AssemblyError::Parted { owner, speed };
        if let Some(row) = largest(&rates.values)
            && rates.values[row].abs() > ROUNDED * fastest
        {
            let speed = rates.values[row].abs() * self.constraints.unit_of(row, reach);
            return Err(parted(self.constraints.name_of(row), speed));
        }
        let at = Instant::of(state, 0.0);
        let frames = self.frames(state.t, &state.q, &state.v, &state.a);
        for row in &self.constraints.dependent {
            let speed = self.row_value(row, &frames, &at, ConstraintLevel::Velocity);
            if speed.abs() > IMPLIED * row.unit(reach) * fastest {
                return Err(parted(self.constraints.owner_name(row.owner), speed.abs()));
            }
        }
        Ok(())
    }

    /// Newton's method on some columns; returns what is left of the rows.
    fn close(&self, state: &mut State, columns: &[usize]) -> f64 {
        let reach = self.constraints.reach(self);
        let mut here = self.scaled_rows(state, ConstraintLevel::Position);
        for _ in 0..MAX_CORRECTIONS {
            if here.size() <= CLOSED || columns.is_empty() {
                break;
            }
            let correction = here.correction(columns, self.dofs);
            let far = correction.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let from = state.q.clone();
            let mut part = (REACH / far).min(1.0);
            let shortest = SHORTEST * part;
            let next = loop {
                let step: Vec<f64> = (0..self.unknowns())
                    .map(|i| {
                        let own = correction.get(i).copied().unwrap_or(0.0);
                        part * own * self.unit_of(i, reach)
                    })
                    .collect();
                self.displace(&from, &step, &mut state.q);
                let next = self.scaled_rows(state, ConstraintLevel::Position);
                if next.sum() < (1.0 - 0.1 * part) * here.sum() {
                    break Some(next);
                }
                part *= 0.5;
                if part < shortest {
                    break None;
                }
            };
            let Some(next) = next else {
                state.q.copy_from_slice(&from);
                break;
            };
            here = next;
        }
        here.size()
    }

    /// Size of a displacement of 1 of a degree of freedom: the machine's size, or a radian.
    fn unit_of(&self, dof: usize, reach: f64) -> f64 {
        match self.joints.dofs.get(dof) {
            Some(dof) if !dof.turns => reach,
            _ => 1.0,
        }
    }

    /// G and the values of the rows of a state.
    fn scaled_rows(&self, state: &State, level: ConstraintLevel) -> ScaledRows {
        let at = Instant::of(state, 0.0);
        let mut frames = vec![Frame::WORLD; self.bodies.len()];
        let mut motions = vec![Motion::Along(crate::frame::Vec3::zeros()); self.motions()];
        self.place(&at, &mut frames, &mut motions);
        let count = self.constraints.len();
        let reach = self.constraints.reach(self);
        let mut values = vec![0.0; count];
        self.constraint_values(&frames, &at, level, &mut values);
        let mut rows = vec![vec![0.0; self.dofs]; count];
        self.jacobian_entries(&frames, &motions, |row, dof, x| {
            rows[row - self.dofs][dof] += x;
        });
        for (row, (entries, value)) in rows.iter_mut().zip(&mut values).enumerate() {
            let unit = self.constraints.unit_of(row, reach);
            *value /= unit;
            for (dof, x) in entries.iter_mut().enumerate() {
                *x *= self.unit_of(dof, reach) / unit;
            }
        }
        ScaledRows { rows, values }
    }

    /// All degrees of freedom, those first that should stay as they are.
    fn preference(&self, is_given: impl Fn(&crate::Body) -> bool) -> Vec<usize> {
        let given = |dof: &usize| is_given(&self.bodies[self.joints.dofs[*dof].body]);
        let first = (0..self.dofs).filter(&given);
        let then = (0..self.dofs).filter(|dof| !given(dof));
        first.chain(then).collect()
    }

    /// The coordinates that differ between two states.
    fn moved(&self, from: &State, to: &State) -> Vec<MovedCoordinate> {
        let reach = self.constraints.reach(self);
        let mut all = Vec::new();
        for (dof, of) in self.joints.dofs.iter().enumerate() {
            let by = if of.kind == crate::joint::CoordinateKind::Single {
                let place = self.coordinate_of_dof(dof);
                to.q[place] - from.q[place]
            } else {
                continue;
            };
            if by.abs() > MOVED * self.unit_of(dof, reach) {
                all.push(MovedCoordinate {
                    name: self.dof_name(dof),
                    by,
                    turns: of.turns,
                    was_given: self.bodies[of.body].given.coordinates,
                });
            }
        }
        all
    }

    /// The row that is open most.
    fn open(&self, state: &State) -> AssemblyError {
        let rows = self.scaled_rows(state, ConstraintLevel::Position);
        let row = largest(&rows.values).unwrap_or(0);
        let unit = self.constraints.unit_of(row, self.constraints.reach(self));
        AssemblyError::Open {
            owner: self.constraints.name_of(row),
            left: rows.values.get(row).copied().unwrap_or(0.0) * unit,
            is_angle: self.constraints.is_angle(row),
        }
    }

    /// Leaves out the rows that others imply, judged beside the start too: at a dead point fewer
    /// rows are independent than anywhere else.
    pub(crate) fn leave_out_dependent_rows(&mut self) {
        if self.constraints.is_empty() {
            return;
        }
        let mut state = self.start_as_given();
        let all: Vec<usize> = (0..self.dofs).collect();
        if self.assemble(&mut state).is_err() {
            // said where the model is checked
            self.close(&mut state, &all);
        }
        let here = RowBasis::of(&self.scaled_rows(&state, ConstraintLevel::Position).rows);
        let reach = self.constraints.reach(self);
        let nearby: Vec<f64> = (0..self.unknowns())
            .map(|dof| NEARBY * self.unit_of(dof, reach) * (1.0 + 2.4 * dof as f64).sin())
            .collect();
        let mut beside = state.clone();
        self.displace(&state.q, &nearby, &mut beside.q);
        let left = self.close(&mut beside, &all);
        let there = RowBasis::of(&self.scaled_rows(&beside, ConstraintLevel::Position).rows);
        let chosen = if left <= ROUNDED && there.rank() > here.rank() {
            there
        } else {
            here
        };
        self.constraints.keep(&chosen.rows);
        self.order = OnceLock::<Order>::new();
    }
}

/// The place of the largest size.
fn largest(values: &[f64]) -> Option<usize> {
    (0..values.len()).max_by(|&a, &b| values[a].abs().total_cmp(&values[b].abs()))
}

impl Constraints {
    /// A length that separates displacements from rounding: the largest distance in the machine, m.
    fn reach(&self, model: &Model) -> f64 {
        let ends = self
            .loops
            .iter()
            .flat_map(|own| [&own.from.point, &own.to.point]);
        let bodies = model.bodies.iter().map(|body| &body.position);
        let size = ends.chain(bodies).fold(0.0_f64, |m, p| m.max(p.norm()));
        if size > 0.0 { size } else { 1.0 }
    }

    /// What a row is measured in: the machine's size, or 1.
    fn unit_of(&self, row: usize, reach: f64) -> f64 {
        self.rows.get(row).map_or(1.0, |row| row.unit(reach))
    }

    fn is_angle(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(ConstraintRow::is_angle)
    }

    /// Keeps these rows, in their order; the others depend on them.
    fn keep(&mut self, chosen: &[usize]) {
        let all = std::mem::take(&mut self.rows);
        for (i, row) in all.into_iter().enumerate() {
            if chosen.contains(&i) {
                self.rows.push(row);
            } else {
                self.dependent.push(row);
            }
        }
    }

    /// How many rows of every owner others imply.
    fn redundancies(&self) -> Vec<Redundancy> {
        let of = |owner: RowOwner| self.dependent.iter().filter(move |row| row.owner == owner);
        let counted = self.owners().into_iter().map(|owner| Redundancy {
            name: self.owner_name(owner),
            rows: of(owner).count(),
        });
        counted.filter(|one| one.rows > 0).collect()
    }
}
