//! From a model at rest to the equations of harmonic balance.

use crate::balance::HarmonicBalance;
use crate::closed::ClosedLoops;
use crate::error::{ResponseError, Result};
use crate::linear::HarmonicForce;
use crate::pair::{LoadHarmonic, NormalLoad, Pair, PeriodicLoad};
use crate::site::{CubicSite, Site, SiteDrive};
use bristle_integrate::State;
use bristle_mechanics::Model;
use bristle_mechanics::element::{
    BallFriction, Cable, Contact, Element, JointFriction, JointLoad, JointStop, NormalForceSource,
};
use bristle_mechanics::modes::{Linearised, Mode};
use bristle_mechanics::small_motion::{PairKindAt, PairPlace};
use bristle_signals::{Harmonic, HarmonicSum, Signal};
use nalgebra::{Complex, DVector};

/// Amplitude with which the effect of a drive is differenced, m or rad.
const DIFFERENCE: f64 = 1e-5;

/// A machine at rest under its constant loads, excited by harmonic ones.
#[derive(Debug)]
pub struct Machine {
    /// The rest.
    pub rest: State,
    /// The equations.
    pub balance: HarmonicBalance,
    /// Harmonics of the prescribed motions: place among the drives, order, complex amplitude.
    pub(crate) drives: Vec<DriveHarmonic>,
    /// What closes its loops.
    pub(crate) closed: Option<ClosedLoops>,
    /// What deserves a second look.
    pub warnings: Vec<String>,
}

/// A harmonic of a prescribed motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DriveHarmonic {
    pub(crate) place: usize,
    pub(crate) order: usize,
    pub(crate) amplitude: Complex<f64>,
}

impl Machine {
    /// The machine about a rest of its model. The model is changed on the way, and left as it was,
    /// but for its harmonics, whose frequency is taken away.
    ///
    /// # Errors
    /// If nothing excites it, a law jumps, a load is no harmonic, or an element is not known to
    /// harmonic balance.
    pub fn new(model: &mut Model, rest: State) -> Result<Self> {
        model.set_frequency(None);
        let mut warnings = Vec::new();
        let mut elements = model.elements().iter();
        if let Some(own) = elements.find(|element| element.downcast::<BallFriction>().is_some()) {
            return Err(ResponseError::Unsupported {
                element: format!("{}.{}", own.kind(), own.name()),
                what: "friction in a spherical joint",
            });
        }
        let excited = check_signals(model)?;
        let mut sites = sites(model, &rest, &mut warnings)?;
        if !excited {
            return Err(ResponseError::NoExcitation);
        }
        for element in model.elements() {
            warnings.extend(taken_as_linear(&**element));
        }
        let mut tree = TreeMotions {
            matrices: model.linearise_without_friction(&rest),
            forces: applied(model, &rest)?,
            driven: vec![Vec::new(); sites.len()],
            closed: ClosedLoops::of(model, &rest),
        };
        let drives = drives(model, &rest, &sites, &mut tree)?;
        let TreeMotions {
            mut matrices,
            mut forces,
            driven,
            closed,
        } = tree;
        if let Some(closed) = &closed {
            matrices = closed.reduce(&matrices);
            for force in &mut forces {
                force.transform(|x| closed.project(x));
            }
            for site in &mut sites {
                site.transform_rows(|rows| closed.rows(rows));
            }
        }
        let balance = HarmonicBalance::new(matrices, sites, forces)?.with_driven_motions(driven);
        Ok(Self {
            rest,
            balance,
            drives,
            closed,
            warnings,
        })
    }

    /// A harmonic of the motion of the whole machine, from that of its balance; multipliers stay at zero.
    pub(crate) fn tree_motion(
        &self,
        h: usize,
        own: DVector<Complex<f64>>,
    ) -> DVector<Complex<f64>> {
        match &self.closed {
            None => own,
            Some(closed) => {
                let len = self.rest.v.len();
                closed.expand(h, &own).resize_vertically(len, Complex::ZERO)
            }
        }
    }

    /// A mode of the whole machine in the coordinates of its balance: those that closed loops leave.
    #[must_use]
    pub fn own_mode(&self, mode: Mode) -> Mode {
        let Some(closed) = &self.closed else {
            return mode;
        };
        let shape = closed.project(&DVector::from_vec(mode.shape));
        Mode {
            shape: shape.iter().copied().collect(),
            ..mode
        }
    }
}

/// The machine in all coordinates of its tree.
struct TreeMotions {
    matrices: Linearised,
    forces: Vec<HarmonicForce>,
    /// What drives add to the motion of each site.
    driven: Vec<Vec<SiteDrive>>,
    closed: Option<ClosedLoops>,
}

/// What to know of an element that is taken as linear about the rest and is not.
fn taken_as_linear(element: &dyn Element) -> Option<String> {
    let name = element.name();
    if element.downcast::<Cable>().is_some() {
        let text = "counts as a linear spring about the rest: it must stay tight";
        return Some(format!("cable.{name} {text}"));
    }
    element.downcast::<JointStop>().map(|_| {
        format!(
            "joint_stop.{name} counts as it is at rest, open or a linear spring: where the motion reaches or \
             leaves it, only --method time is right"
        )
    })
}

/// The parts of a signal.
fn harmonics(signal: &Signal, name: impl FnOnce() -> String) -> Result<HarmonicSum> {
    signal
        .harmonics()
        .map_err(|error| ResponseError::NotHarmonic {
            load: format!("{} ({error})", name()),
        })
}

/// Refuses a load that is no harmonic. Returns whether there is a harmonic.
fn check_signals(model: &Model) -> Result<bool> {
    let mut excited = false;
    for element in model.elements() {
        for (field, signal) in element.signals() {
            let name = || format!("{}.{}.{field}", element.kind(), element.name());
            excited |= !harmonics(signal, name)?.harmonics.is_empty();
        }
    }
    for drive in model.drive_signals() {
        let body = &model.bodies()[drive.body.index()].name;
        let name = || format!("joint.{body}, a prescribed motion");
        excited |= !harmonics(drive.signal, name)?.harmonics.is_empty();
    }
    Ok(excited)
}

fn periodic(sum: HarmonicSum) -> PeriodicLoad {
    let harmonic = |h: Harmonic| LoadHarmonic {
        order: h.order as usize,
        amplitude: h.amplitude,
        phase: h.phase,
    };
    PeriodicLoad {
        mean: sum.mean,
        harmonics: sum.harmonics.into_iter().map(harmonic).collect(),
    }
}

/// All that is not linear.
fn sites(model: &Model, rest: &State, warnings: &mut Vec<String>) -> Result<Vec<Site>> {
    let mut sites = Vec::new();
    for place in model.pair_places(rest) {
        sites.push(Site::Pair(Box::new(pair(model, place, warnings)?)));
    }
    for place in model.cubic_places(rest) {
        let element = &model.elements()[place.element];
        sites.push(Site::Cubic(CubicSite {
            name: format!("{}.{}", element.kind(), element.name()),
            place,
        }));
    }
    Ok(sites)
}

fn pair(model: &Model, place: PairPlace, warnings: &mut Vec<String>) -> Result<Pair> {
    let element = &model.elements()[place.element];
    let element_name = element.name().to_owned();
    let full = format!("{}.{element_name}", element.kind());
    let unsupported = |what| ResponseError::Unsupported {
        element: full.clone(),
        what,
    };
    if let Some(joint) = element.downcast::<JointFriction>() {
        if joint.friction.knows_load_direction() {
            return Err(unsupported("a law of the direction of its load"));
        }
        let load = match &joint.load {
            JointLoad::Given(signal) => periodic(harmonics(signal, || full.clone())?),
            JointLoad::Reaction { .. } => {
                warnings.push(format!(
                    "{full}: the load is held at the reaction of the rest, {:.6} N; in the motion it \
                     changes (--method time follows it)",
                    place.normal_force
                ));
                PeriodicLoad {
                    mean: place.normal_force,
                    harmonics: Vec::new(),
                }
            }
        };
        let law = joint.friction.law();
        return Pair::new(full, element_name, place, law, NormalLoad::Given(load));
    }
    let Some(contact) = element.downcast::<Contact>() else {
        return Err(unsupported("this element"));
    };
    if contact.resistance.is_some() {
        return Err(unsupported("resistance to rolling or spinning"));
    }
    let load = match &contact.normal {
        NormalForceSource::Law(law) => NormalLoad::Law {
            law: law.clone(),
            gap: place.gap,
            at_rest: place.normal_force,
        },
        NormalForceSource::Prescribed(signal) => {
            NormalLoad::Given(periodic(harmonics(signal, || full.clone())?))
        }
    };
    let name = match place.kind {
        PairKindAt::ContactPoint(point) if contact.points.len() > 1 => {
            format!("{full}.point{}", point + 1)
        }
        _ => full.clone(),
    };
    Pair::new(name, element_name, place, contact.friction.law(), load)
}

fn phasor(harmonic: &Harmonic) -> Complex<f64> {
    Complex::from_polar(harmonic.amplitude, harmonic.phase)
}

/// Forces and torques.
fn applied(model: &Model, rest: &State) -> Result<Vec<HarmonicForce>> {
    let mut forces = Vec::new();
    for (i, element) in model.elements().iter().enumerate() {
        let Some(unit) = model.unit_load(i, rest) else {
            continue;
        };
        let unit = unit.map(|x| Complex::new(x, 0.0));
        for (field, signal) in element.signals() {
            let name = || format!("{}.{}.{field}", element.kind(), element.name());
            for harmonic in harmonics(signal, name)?.harmonics {
                let force = &unit * phasor(&harmonic);
                forces.push(HarmonicForce::applied(harmonic.order as usize, force));
            }
        }
    }
    Ok(forces)
}

/// Prescribed motions: the forces with which they drag the machine, and what they move at the
/// pairs.
fn drives(
    model: &mut Model,
    rest: &State,
    sites: &[Site],
    tree: &mut TreeMotions,
) -> Result<Vec<DriveHarmonic>> {
    let mut found = Vec::new();
    let all: Vec<(usize, Signal)> = model
        .drive_signals()
        .map(|drive| (drive.place, drive.signal.clone()))
        .collect();
    for (place, signal) in all {
        let sum = harmonics(&signal, || "a drive".to_owned())?;
        if sum.harmonics.is_empty() {
            continue;
        }
        let columns = drive_columns(model, rest, place, sum.mean);
        model.set_drive_signal(place, &signal);
        let drive = DrivenTree::of(&columns, tree);
        for harmonic in sum.harmonics {
            let (order, size) = (harmonic.order as usize, phasor(&harmonic));
            found.push(DriveHarmonic {
                place,
                order,
                amplitude: size,
            });
            drive.add(order, size, tree);
            for (site, driven) in sites.iter().zip(&mut tree.driven) {
                let mut by = site.by_drive(place);
                if let Some(follows) = &drive.follows {
                    by += site.rows() * follows;
                }
                let motion = by.iter().map(|x| size * *x).collect();
                driven.push(SiteDrive { order, motion });
            }
        }
    }
    Ok(found)
}

/// What one prescribed coordinate does to the tree.
struct DrivenTree {
    /// Forces by the coordinate, its rate and its acceleration.
    by: [DVector<f64>; 3],
    /// P: what closed loops move with it.
    follows: Option<DVector<f64>>,
}

impl DrivenTree {
    /// From the derivatives of all equations, those of constraints behind the others.
    fn of(columns: &[DVector<f64>; 3], tree: &TreeMotions) -> Self {
        let dofs = tree.matrices.mass.nrows();
        let mut by = columns
            .each_ref()
            .map(|column| column.rows(0, dofs).into_owned());
        let Some(closed) = &tree.closed else {
            return Self { by, follows: None };
        };
        let [_, _, acceleration] = columns;
        let held = acceleration.rows(dofs, acceleration.len() - dofs);
        let follows = closed.follow(&held.into_owned());
        let Linearised {
            mass,
            damping,
            stiffness,
        } = &tree.matrices;
        for (by, matrix) in by.iter_mut().zip([stiffness, damping, mass]) {
            *by += matrix * &follows;
        }
        Self {
            by,
            follows: Some(follows),
        }
    }

    /// Adds a harmonic of the coordinate.
    fn add(&self, order: usize, size: Complex<f64>, tree: &mut TreeMotions) {
        let [force, rate, acceleration] = self
            .by
            .each_ref()
            .map(|x| x.map(|x| Complex::new(-x, 0.0)) * size);
        tree.forces.push(HarmonicForce {
            order,
            force,
            by_rate: Some([rate, acceleration]),
        });
        if let (Some(closed), Some(follows)) = (&mut tree.closed, &self.follows) {
            closed.carry(order, follows.map(|x| Complex::new(x, 0.0)) * size);
        }
    }
}

/// ∂r/∂s, ∂r/∂ṡ and ∂r/∂s̈ of a driven coordinate s, by differences.
fn drive_columns(model: &mut Model, rest: &State, place: usize, mean: f64) -> [DVector<f64>; 3] {
    let at = State {
        t: 0.0,
        ..rest.clone()
    };
    drive_slopes(model, place, mean, &mut |model| {
        model.residual_without_friction(&at)
    })
}

/// The derivatives of something by a driven coordinate, its rate and its acceleration. The motion
/// of the drive is left changed.
pub(crate) fn drive_slopes(
    model: &mut Model,
    place: usize,
    mean: f64,
    of: &mut dyn FnMut(&Model) -> DVector<f64>,
) -> [DVector<f64>; 3] {
    let mut value = |moved: f64, phase: Option<f64>| {
        let moving = match phase {
            None => Signal::Constant(mean + moved),
            // at t = 0: displacement and its opposite as acceleration, or a rate alone
            Some(phase) => Signal::sum(vec![
                Signal::Constant(mean),
                Signal::Harmonic(Harmonic {
                    amplitude: moved,
                    phase,
                    order: 1,
                    frequency: Some(1.0 / std::f64::consts::TAU),
                }),
            ]),
        };
        model.set_drive_signal(place, &moving);
        of(model)
    };
    let mut slope = |phase| {
        let (up, down) = (value(DIFFERENCE, phase), value(-DIFFERENCE, phase));
        (up - down) / (2.0 * DIFFERENCE)
    };
    let by_place = slope(None);
    let by_rate = slope(Some(-std::f64::consts::FRAC_PI_2));
    let by_acceleration = &by_place - slope(Some(0.0));
    [by_place, by_rate, by_acceleration]
}
