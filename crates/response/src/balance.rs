//! The equations of harmonic balance, w_h + A_h (f_h − S w_h) = w₀_h, and their derivatives.

use crate::coordinates::PairCoordinates;
use crate::error::{ResponseError, Result};
use crate::excitation::Excitation;
use crate::grid::PeriodGrid;
use crate::linear::{HarmonicForce, LinearMachine, Receptance};
use crate::site::{Site, SiteDrive, SiteWork};
use bristle_mechanics::modes::Linearised;
use nalgebra::{Complex, DMatrix, DVector};

/// A machine with its sites, ready for harmonic balance.
#[derive(Clone, Debug)]
pub struct HarmonicBalance {
    /// The linear machine.
    pub linear: LinearMachine,
    /// What is not linear.
    pub sites: Vec<Site>,
    /// Coordinates of each site by w.
    maps: Vec<DMatrix<f64>>,
    /// What drives add to the motion of each site.
    driven: Vec<Vec<SiteDrive>>,
}

/// The equations at some coefficients.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// Residual, in m.
    pub residual: DVector<f64>,
    /// Its derivatives by the coefficients.
    pub jacobian: DMatrix<f64>,
    /// Coefficients of the forces on w.
    pub force: DVector<f64>,
    /// Sites whose mean force is not unique.
    pub not_unique: Vec<usize>,
}

/// Working storage of the sites.
#[derive(Clone, Debug)]
pub struct BalanceWork {
    pub(crate) sites: Vec<SiteWork>,
}

/// What the sites do at a motion.
#[derive(Clone, Copy)]
struct SiteForces<'a> {
    /// Coefficients of the motion.
    w: &'a DVector<f64>,
    /// Of the forces on w.
    force: &'a DVector<f64>,
    /// Their derivatives by w.
    slope: &'a DMatrix<f64>,
}

impl HarmonicBalance {
    /// A machine with sites under harmonic forces.
    ///
    /// # Errors
    /// If nothing can move, no load moves anything, or the machine is singular.
    pub fn new(matrices: Linearised, sites: Vec<Site>, forces: Vec<HarmonicForce>) -> Result<Self> {
        if matrices.mass.nrows() == 0 {
            return Err(ResponseError::NothingMoves);
        }
        let PairCoordinates {
            maps,
            pairs,
            reference,
        } = PairCoordinates::of(&sites, &matrices.stiffness, &forces);
        if pairs.nrows() == 0 {
            return Err(ResponseError::NoEffect);
        }
        Ok(Self {
            linear: LinearMachine::new(matrices, pairs, reference, forces)?,
            driven: vec![Vec::new(); sites.len()],
            sites,
            maps,
        })
    }

    /// Unknowns on a grid.
    pub fn unknowns(&self, grid: &PeriodGrid) -> usize {
        self.linear.size() * grid.width()
    }

    /// Working storage.
    pub fn work(&self) -> BalanceWork {
        BalanceWork {
            sites: vec![SiteWork::default(); self.sites.len()],
        }
    }

    /// Adds the motions that drives give the sites, one list per site.
    #[must_use]
    pub fn with_driven_motions(mut self, driven: Vec<Vec<SiteDrive>>) -> Self {
        self.driven = driven;
        self
    }

    /// Coefficients of the motion of a site, coordinate by coordinate.
    pub(crate) fn site_motion(
        &self,
        site: usize,
        w: &DVector<f64>,
        level: f64,
        grid: &PeriodGrid,
    ) -> Vec<f64> {
        let mut motion = self.moved_by(site, w, grid);
        let width = grid.width();
        for own in self.driven[site]
            .iter()
            .filter(|d| d.order <= grid.harmonics())
        {
            for (c, u) in own.motion.iter().enumerate() {
                motion[c * width + 2 * own.order - 1] += level * u.re;
                motion[c * width + 2 * own.order] -= level * u.im;
            }
        }
        motion
    }

    fn moved_by(&self, site: usize, w: &DVector<f64>, grid: &PeriodGrid) -> Vec<f64> {
        let (map, width) = (&self.maps[site], grid.width());
        let r = self.linear.size();
        let mut motion = vec![0.0; map.nrows() * width];
        for c in 0..map.nrows() {
            for j in 0..width {
                let own = &w.as_slice()[j * r..(j + 1) * r];
                let sum: f64 = own.iter().enumerate().map(|(i, w)| map[(c, i)] * w).sum();
                motion[c * width + j] = sum;
            }
        }
        motion
    }

    /// The map of a site: its coordinates by w.
    pub(crate) fn map(&self, site: usize) -> &DMatrix<f64> {
        &self.maps[site]
    }

    /// Forces of all sites on w, with derivatives: f and ∂f/∂w.
    fn forces(
        &self,
        w: &DVector<f64>,
        grid: &PeriodGrid,
        drive: Excitation,
        work: &mut BalanceWork,
    ) -> Result<(DVector<f64>, DMatrix<f64>, Vec<usize>)> {
        let (r, width) = (self.linear.size(), grid.width());
        let mut force = DVector::zeros(r * width);
        let mut slope = DMatrix::zeros(r * width, r * width);
        let mut not_unique = Vec::new();
        for (i, site) in self.sites.iter().enumerate() {
            let motion = self.site_motion(i, w, drive.level, grid);
            let own = &mut work.sites[i];
            site.force(&motion, grid, drive.omega, own)?;
            let local = own.result();
            if !local.is_unique {
                not_unique.push(i);
            }
            scatter(
                &self.maps[i],
                &local.force,
                &local.jacobian,
                width,
                &mut force,
                &mut slope,
            );
        }
        Ok((force, slope, not_unique))
    }

    /// The equations at the coefficients `w`.
    ///
    /// # Errors
    /// If a pair has no periodic state or the linear machine is singular.
    pub fn evaluate(
        &self,
        w: &DVector<f64>,
        grid: &PeriodGrid,
        drive: Excitation,
        work: &mut BalanceWork,
    ) -> Result<Evaluated> {
        let r = self.linear.size();
        let (force, slope, not_unique) = self.forces(w, grid, drive, work)?;
        let mut residual = w.clone();
        let mut jacobian = DMatrix::identity(w.len(), w.len());
        let forces = SiteForces {
            w,
            force: &force,
            slope: &slope,
        };
        for h in 0..=grid.harmonics() {
            let at = self.linear.receptance(h, drive)?;
            let places = harmonic_places(h, r);
            self.balance(&at, &places, &forces, &mut residual, &mut jacobian);
        }
        Ok(Evaluated {
            residual,
            jacobian,
            force,
            not_unique,
        })
    }

    /// The residual alone.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn residual(
        &self,
        w: &DVector<f64>,
        grid: &PeriodGrid,
        drive: Excitation,
        work: &mut BalanceWork,
    ) -> Result<DVector<f64>> {
        let r = self.linear.size();
        let mut force = DVector::zeros(w.len());
        for (i, site) in self.sites.iter().enumerate() {
            let motion = self.site_motion(i, w, drive.level, grid);
            let own = &mut work.sites[i];
            own.wants_slopes(false);
            let found = site.force(&motion, grid, drive.omega, own);
            own.wants_slopes(true);
            found?;
            gather(&self.maps[i], &own.result().force, grid.width(), &mut force);
        }
        let mut residual = w.clone();
        let held = |from: usize| -> DVector<f64> {
            let own: DVector<f64> = w.rows(from, r).into();
            force.rows(from, r) - &self.linear.reference * own
        };
        for h in 0..=grid.harmonics() {
            let at = self.linear.receptance(h, drive)?;
            if let [cosine, sine] = harmonic_places(h, r)[..] {
                let (a, b) = (held(cosine), held(sine));
                let f = DVector::from_fn(r, |i, _| Complex::new(a[i], -b[i]));
                let moved = &at.flexibility * f - &at.driven;
                for i in 0..r {
                    residual[cosine + i] += moved[i].re;
                    residual[sine + i] -= moved[i].im;
                }
            } else {
                let f = held(0).map(|x| Complex::new(x, 0.0));
                let moved = &at.flexibility * f - &at.driven;
                for i in 0..r {
                    residual[i] += moved[i].re;
                }
            }
        }
        Ok(residual)
    }

    /// The site that moves most with a residual.
    pub(crate) fn worst_site(&self, residual: &DVector<f64>, grid: &PeriodGrid) -> String {
        let size = |i: usize| {
            let motion = self.moved_by(i, residual, grid);
            motion.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
        };
        let worst = (0..self.sites.len()).max_by(|&a, &b| size(a).total_cmp(&size(b)));
        worst.map_or_else(
            || "the machine".to_owned(),
            |i| self.sites[i].name().to_owned(),
        )
    }

    /// One harmonic: A (f − S w) − w₀ into its rows.
    fn balance(
        &self,
        at: &Receptance,
        places: &[usize],
        forces: &SiteForces<'_>,
        residual: &mut DVector<f64>,
        jacobian: &mut DMatrix<f64>,
    ) {
        let &SiteForces { w, force, slope } = forces;
        let r = self.linear.size();
        let reference = &self.linear.reference;
        for (part, &start) in places.iter().enumerate() {
            for i in 0..r {
                let mut sum = if part == 0 {
                    -at.driven[i].re
                } else {
                    at.driven[i].im
                };
                for (other, &from) in places.iter().enumerate() {
                    for k in 0..r {
                        let a = at.flexibility[(i, k)];
                        // a − ib = A (fa − i fb): cosine and sine parts
                        let factor = match (part, other) {
                            (0, 0) | (1, 1) => a.re,
                            (0, _) => a.im,
                            _ => -a.im,
                        };
                        if factor == 0.0 {
                            continue;
                        }
                        let held: f64 = (0..r).map(|j| reference[(k, j)] * w[from + j]).sum();
                        sum += factor * (force[from + k] - held);
                        for j in 0..r {
                            jacobian[(start + i, from + j)] -= factor * reference[(k, j)];
                        }
                        for column in 0..w.len() {
                            jacobian[(start + i, column)] += factor * slope[(from + k, column)];
                        }
                    }
                }
                residual[start + i] += sum;
            }
        }
    }
}

/// First places of the cosine and the sine part of a harmonic.
pub(crate) fn harmonic_places(h: usize, r: usize) -> Vec<usize> {
    if h == 0 {
        vec![0]
    } else {
        vec![(2 * h - 1) * r, 2 * h * r]
    }
}

/// The complex harmonic of coefficients.
pub(crate) fn harmonic(coefficients: &DVector<f64>, h: usize, r: usize) -> DVector<Complex<f64>> {
    match harmonic_places(h, r)[..] {
        [cosine, sine] => DVector::from_fn(r, |i, _| {
            Complex::new(coefficients[cosine + i], -coefficients[sine + i])
        }),
        _ => DVector::from_fn(r, |i, _| Complex::new(coefficients[i], 0.0)),
    }
}

/// Adds a local force: f += Pᵀ f_local.
fn gather(map: &DMatrix<f64>, local: &[f64], width: usize, force: &mut DVector<f64>) {
    let (count, r) = map.shape();
    for a in 0..count {
        for (i, by) in map.row(a).iter().enumerate().filter(|(_, x)| **x != 0.0) {
            for j in 0..width {
                force[j * r + i] += by * local[a * width + j];
            }
        }
    }
}

/// Adds a local force and its derivatives: f += Pᵀ f_local, ∂f/∂w += Pᵀ J P.
fn scatter(
    map: &DMatrix<f64>,
    local: &[f64],
    jacobian: &[f64],
    width: usize,
    force: &mut DVector<f64>,
    slope: &mut DMatrix<f64>,
) {
    let (count, r) = map.shape();
    let size = count * width;
    for a in 0..count {
        for (i, by_i) in map.row(a).iter().enumerate().filter(|(_, x)| **x != 0.0) {
            for j in 0..width {
                let row = a * width + j;
                force[j * r + i] += by_i * local[row];
                for b in 0..count {
                    for (k, by_k) in map.row(b).iter().enumerate().filter(|(_, x)| **x != 0.0) {
                        let factor = by_i * by_k;
                        let own = &jacobian[row * size + b * width..row * size + (b + 1) * width];
                        for (l, x) in own.iter().enumerate() {
                            slope[(j * r + i, l * r + k)] += factor * x;
                        }
                    }
                }
            }
        }
    }
}
