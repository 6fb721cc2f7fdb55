//! The places of a machine that are not linear.

use crate::error::Result;
use crate::grid::PeriodGrid;
use crate::pair::{LocalForce, Pair, PairTrace, PairWork};
use bristle_mechanics::small_motion::CubicPlace;
use nalgebra::{Complex, DMatrix, DVector};

/// A place that is not linear.
#[derive(Clone, Debug)]
pub enum Site {
    /// A friction pair with its load.
    Pair(Box<Pair>),
    /// A cubic spring.
    Cubic(CubicSite),
}

/// What is not linear of a spring f = k s + k₃ s³.
#[derive(Clone, Debug)]
pub struct CubicSite {
    /// `spring.X` or `joint_spring.X`.
    pub name: String,
    /// The spring.
    pub place: CubicPlace,
}

/// A motion of a site that the drives give it: u = Re u_h e^(ihΩt), in its own coordinates.
#[derive(Clone, Debug)]
pub struct SiteDrive {
    /// h.
    pub order: usize,
    /// u_h, by coordinate of the site.
    pub motion: Vec<Complex<f64>>,
}

/// Working storage and result of a site.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteWork {
    pair: PairWork,
    cubic: LocalForce,
    cubic_motion: Vec<f64>,
    is_cubic: bool,
}

impl SiteWork {
    pub(crate) fn result(&self) -> &LocalForce {
        if self.is_cubic {
            &self.cubic
        } else {
            &self.pair.result
        }
    }

    pub(crate) fn trace(&self) -> &PairTrace {
        &self.pair.trace
    }

    pub(crate) fn keep_trace(&mut self) {
        self.pair.keeps_trace = true;
    }

    /// Displacement of a cubic spring at a sample.
    pub(crate) fn cubic_motion(&self, sample: usize) -> f64 {
        self.cubic_motion.get(sample).copied().unwrap_or(0.0)
    }

    pub(crate) fn wants_slopes(&mut self, wants: bool) {
        self.pair.leaves_slopes = !wants;
    }
}

impl Site {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Pair(pair) => &pair.name,
            Self::Cubic(spring) => &spring.name,
        }
    }

    /// The pair, if it is one.
    pub fn pair(&self) -> Option<&Pair> {
        match self {
            Self::Pair(pair) => Some(pair),
            Self::Cubic(_) => None,
        }
    }

    /// Coordinates that enter its force.
    pub fn coordinates(&self) -> usize {
        match self {
            Self::Pair(pair) => pair.coordinates(),
            Self::Cubic(_) => 1,
        }
    }

    /// Coordinates by the degrees of freedom.
    pub fn rows(&self) -> DMatrix<f64> {
        match self {
            Self::Pair(pair) => {
                let rows: Vec<_> = (0..pair.coordinates())
                    .map(|c| pair.place.by_dofs.row(pair.row(c)))
                    .collect();
                if rows.is_empty() {
                    return DMatrix::zeros(0, pair.place.by_dofs.ncols());
                }
                DMatrix::from_rows(&rows)
            }
            Self::Cubic(spring) => spring.place.by_dofs.clone(),
        }
    }

    /// Its coordinates by a driven coordinate.
    pub(crate) fn by_drive(&self, place: usize) -> DVector<f64> {
        let (all, rows): (_, Vec<usize>) = match self {
            Self::Pair(pair) => {
                let rows = (0..pair.coordinates()).map(|c| pair.row(c));
                (&pair.place.by_drives, rows.collect())
            }
            Self::Cubic(spring) => (&spring.place.by_drives, vec![0]),
        };
        DVector::from_iterator(rows.len(), rows.iter().map(|&row| all[(row, place)]))
    }

    /// Takes its rows into other coordinates of the machine.
    pub(crate) fn transform_rows(&mut self, by: impl Fn(&DMatrix<f64>) -> DMatrix<f64>) {
        let rows = match self {
            Self::Pair(pair) => &mut pair.place.by_dofs,
            Self::Cubic(spring) => &mut spring.place.by_dofs,
        };
        *rows = by(rows);
    }

    pub(crate) fn reference_stiffness(&self, coordinate: usize, usual: f64) -> f64 {
        match self {
            Self::Pair(pair) => pair.reference_stiffness(coordinate, usual),
            Self::Cubic(_) => 0.0,
        }
    }

    pub(crate) fn force(
        &self,
        motion: &[f64],
        grid: &PeriodGrid,
        omega: f64,
        work: &mut SiteWork,
    ) -> Result<()> {
        match self {
            Self::Pair(pair) => pair.periodic_force(motion, grid, omega, &mut work.pair),
            Self::Cubic(spring) => {
                work.is_cubic = true;
                if work.pair.keeps_trace {
                    let samples = 0..grid.samples();
                    work.cubic_motion = samples.map(|k| grid.value(motion, k)).collect();
                }
                spring.force(motion, grid, &mut work.cubic);
                Ok(())
            }
        }
    }
}

impl CubicSite {
    /// k₃ ((s₀ + u)³ − s₀³ − 3 s₀² u): the tangent at rest is in the linear machine.
    fn force(&self, motion: &[f64], grid: &PeriodGrid, out: &mut LocalForce) {
        let width = grid.width();
        out.is_unique = true;
        out.force = vec![0.0; width];
        out.jacobian = vec![0.0; width * width];
        let CubicPlace {
            cubic,
            at_rest: rest,
            ..
        } = self.place;
        for k in 0..grid.samples() {
            let (u, basis) = (grid.value(motion, k), grid.basis(k));
            let force = cubic * u * u * (3.0 * rest + u);
            let slope = cubic * u * (6.0 * rest + 3.0 * u);
            for j in 0..width {
                let weighted = basis[j] * grid.weight(j);
                out.force[j] += weighted * force;
                let row = &mut out.jacobian[j * width..(j + 1) * width];
                for (x, basis) in row.iter_mut().zip(basis) {
                    *x += weighted * slope * basis;
                }
            }
        }
    }

    /// Force and slope beyond the linear ones, for a displacement from rest.
    pub(crate) fn slope(&self, u: f64) -> f64 {
        self.place.cubic * u * (6.0 * self.place.at_rest + 3.0 * u)
    }
}
