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
        let (r, width) = (self.linear.size(), grid.width());
        let (force, mut slope, not_unique) = self.forces(w, grid, drive, work)?;
        for place in 0..width {
            let mut own = slope.view_mut((place * r, place * r), (r, r));
            own -= &self.linear.reference;
        }
        let held = self.held(w, &force, width);
        let mut residual = w.clone();
        let mut jacobian = DMatrix::identity(w.len(), w.len());
        for h in 0..=grid.harmonics() {
            let at = self.linear.receptance(h, drive)?;
            let (first, by) = (first_place(h, r), real_form(&at, h));
            let count = by.nrows();
            balance(&at, first, &by, &held, &mut residual);
            let slopes = slope.rows(first, count);
            jacobian.rows_mut(first, count).gemm(1.0, &by, &slopes, 1.0);
        }
        Ok(Evaluated {
            residual,
            jacobian,
            force,
            not_unique,
        })
    }

    /// f − S w.
    fn held(&self, w: &DVector<f64>, force: &DVector<f64>, width: usize) -> DVector<f64> {
        let r = self.linear.size();
        let mut held = force.clone();
        for place in 0..width {
            let mut own = held.rows_mut(place * r, r);
            own.gemv(-1.0, &self.linear.reference, &w.rows(place * r, r), 1.0);
        }
        held
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
        Ok(self.residual_and_force(w, grid, drive, work)?[0].clone())
    }

    /// The residual, and the coefficients of the forces on w.
    pub(crate) fn residual_and_force(
        &self,
        w: &DVector<f64>,
        grid: &PeriodGrid,
        drive: Excitation,
        work: &mut BalanceWork,
    ) -> Result<[DVector<f64>; 2]> {
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
        let held = self.held(w, &force, grid.width());
        let mut residual = w.clone();
        for h in 0..=grid.harmonics() {
            let at = self.linear.receptance(h, drive)?;
            balance(
                &at,
                first_place(h, r),
                &real_form(&at, h),
                &held,
                &mut residual,
            );
        }
        Ok([residual, force])
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
}

/// Adds A (f − S w) − w₀ of one harmonic to its rows.
fn balance(
    at: &Receptance,
    first: usize,
    by: &DMatrix<f64>,
    held: &DVector<f64>,
    residual: &mut DVector<f64>,
) {
    let (r, count) = (at.driven.len(), by.nrows());
    let mut own = residual.rows_mut(first, count);
    own.gemv(1.0, by, &held.rows(first, count), 1.0);
    for (i, driven) in at.driven.iter().enumerate() {
        own[i] -= driven.re;
        if count > r {
            own[r + i] += driven.im;
        }
    }
}

/// A in real numbers: a − ib = A (f_a − i f_b) for cosine and sine parts.
fn real_form(at: &Receptance, h: usize) -> DMatrix<f64> {
    let r = at.driven.len();
    let count = if h == 0 { r } else { 2 * r };
    DMatrix::from_fn(count, count, |i, k| {
        let a = at.flexibility[(i % r, k % r)];
        match (i < r, k < r) {
            (true, true) | (false, false) => a.re,
            (true, false) => a.im,
            (false, true) => -a.im,
        }
    })
}

/// The first place of a harmonic: its cosine part; its sine part follows.
fn first_place(h: usize, r: usize) -> usize {
    (2 * h).saturating_sub(1) * r
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
