//! What a law can and cannot do, measured.
//!
//! [`characterise`] puts a law on the bench and measures each feature of friction with a written
//! numerical criterion. N is the normal force of [`BenchOptions`] (10 N), m its mass (1 kg), F the
//! friction force, x the displacement.
//!
//! | feature | measured | yes if |
//! |---|---|---|
//! | arbitrary steady-state characteristic | F after 5 s and 200 µm of sliding at 0.1 mm/s to 0.1 m/s | F at some higher speed is more than 5 % below F at a lower one |
//! | stick-slip | m on a spring of 20 N/m whose end is drawn at 0.1 m/s for 15 s, and at 0.02 m/s for 45 s | in the last two thirds of either run there are two or more stick phases: slower than 1 % of the drawing speed for longer than a tenth of the natural period |
//! | presliding displacement | load to half of the break-away force and back to zero, in 1 s each | the block moves more than 1 nm and gives back a quarter of it or more |
//! | frictional lag | v = 1 mm/s (1.5 + cos ωt), F rising less F falling at 1.5 mm/s | at ω = 25 rad/s it is above 0.1 % of F |
//! | varying break-away force | peak of F for a load ramp of 3 and of 30 N/s | the peak falls by more than 1 % |
//! | hysteresis with non-local memory | F at the start and the end of an inner loop, turning points 0, 1, −0.5, 0.3, −0.5 times 8, 16 and 24 µm | the difference is below 0.5 % of the peak of F in all three, and the outer loop of 24 µm has an area |
//! | transition curve in presliding | F over x from rest, as its parameters change, in units of its own level and initial stiffness | its shape has three or more independent freedoms |
//! | computational cost | iterations of the integrator over 15 s of stick-slip | not more than twice those of `lugre` |
//! | holds under vibration | load 0.5 N + 0.4 N sin(10πt), both at most 0.9 of the kinetic level | the mean position moves at less than 0.1 µm/s from the 6th to the 11th second |
//! | holds a constant load | half of the break-away force for 10 s | the mean position moves at less than 1 nm/s from the 6th to the 11th second |
//! | falling normal force in stick | F at rest under 0.75 N while N falls from 10 to 1 N | F keeps its value down to N = 8 N, and is at the limit at 1 N: not above the static level, and not let go |
//! | Coulomb's dissipation | energy of a slow cycle of ±1 mm against 4 F A | they differ by less than 10 % |
//! | passivity | F v less the rate of stored energy, at all speeds to 1 m/s, after a jump of the speed in sliding at the static level | it is never negative |
//!
//! A measurement that cannot be done is a note of its feature. All of it is deterministic.

mod block;
mod cost;
mod drawn;
mod energy;
mod hold;
mod presliding;
mod rate;
mod standard;
mod steady;
mod stick_slip;
mod transition;

use crate::drive::{DriveError, Driver, Sample};
use bristle_laws::Friction;

pub use drawn::{DrawnBlock, DrawnMotion, draw};
pub use standard::{printed, standard};

/// Whether a law has a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureVerdict {
    /// It has.
    Yes,
    /// It has not.
    No,
    /// It could not be measured, or the question makes no sense for the law.
    NotApplicable,
}

impl From<bool> for FeatureVerdict {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// A measured number beside the main one of a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredNumber {
    /// Name.
    pub name: &'static str,
    /// Value, SI.
    pub value: f64,
    /// SI unit.
    pub unit: &'static str,
}

/// A feature of friction, as measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Stable name.
    pub key: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// Whether the law has it.
    pub verdict: FeatureVerdict,
    /// The number behind the verdict, SI.
    pub value: Option<f64>,
    /// What the number is.
    pub quantity: &'static str,
    /// SI unit of the number.
    pub unit: &'static str,
    /// When the verdict is yes.
    pub criterion: &'static str,
    /// What else was measured.
    pub numbers: Vec<MeasuredNumber>,
    /// Remarks; why it could not be measured.
    pub note: String,
    /// What Colantonio et al. 2022, table 1, print for this law.
    pub printed: Option<bool>,
}

/// The fixed part of a feature.
struct Card {
    key: &'static str,
    title: &'static str,
    quantity: &'static str,
    unit: &'static str,
    criterion: &'static str,
}

impl Card {
    fn feature(&self, law: &Friction) -> Feature {
        Feature {
            key: self.key,
            title: self.title,
            verdict: FeatureVerdict::NotApplicable,
            value: None,
            quantity: self.quantity,
            unit: self.unit,
            criterion: self.criterion,
            numbers: Vec::new(),
            note: String::new(),
            printed: printed(law.card().name, self.key),
        }
    }
}

impl Feature {
    /// A measured number by name.
    pub fn number(&self, name: &str) -> Option<f64> {
        let found = self.numbers.iter().find(|n| n.name == name);
        found.map(|n| n.value)
    }

    fn push(&mut self, name: &'static str, value: f64, unit: &'static str) {
        self.numbers.push(MeasuredNumber { name, value, unit });
    }

    fn note(&mut self, text: &str) {
        if !self.note.is_empty() {
            self.note.push_str("; ");
        }
        self.note.push_str(text);
    }
}

/// A measured curve.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredCurve {
    /// The picture it belongs to.
    pub picture: &'static Picture,
    /// What the legend says.
    pub label: String,
    /// Whether this curve stands for its law where several laws share the picture.
    pub stands_for_law: bool,
    /// Along the horizontal axis, SI.
    pub x: Vec<f64>,
    /// Along the vertical axis, SI.
    pub y: Vec<f64>,
}

/// A picture of curves.
#[derive(Debug, PartialEq, Eq)]
pub struct Picture {
    /// File name without ending.
    pub key: &'static str,
    /// Title.
    pub title: &'static str,
    /// What it shows of friction, in two sentences.
    pub about: &'static str,
    /// The horizontal axis.
    pub x: PictureAxis,
    /// The vertical axis.
    pub y: PictureAxis,
}

/// An axis of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureAxis {
    /// Quantity.
    pub label: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// How its values are spread.
    pub scale: PictureScale,
}

/// How the values along an axis are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureScale {
    /// Equal distances for equal differences.
    Linear,
    /// Equal distances for equal ratios.
    Logarithmic,
    /// Logarithmic on either side of zero.
    SignedLogarithmic,
}

impl PictureAxis {
    const fn linear(label: &'static str, unit: &'static str) -> Self {
        Self::spread(label, unit, PictureScale::Linear)
    }

    const fn spread(label: &'static str, unit: &'static str, scale: PictureScale) -> Self {
        Self { label, unit, scale }
    }
}

/// Conditions of the bench. SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchOptions {
    /// Normal force, N.
    pub normal_force: f64,
    /// Mass of the block, kg.
    pub mass: f64,
    /// Stiffness of the spring of the stick-slip test, N/m.
    pub stiffness: f64,
    /// Speed at which that spring is drawn, m/s.
    pub drawing_speed: f64,
}

impl Default for BenchOptions {
    fn default() -> Self {
        Self {
            normal_force: 10.0,
            mass: 1.0,
            stiffness: 20.0,
            drawing_speed: 0.1,
        }
    }
}

/// What was measured on a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Characterisation {
    /// Catalogue name of the law.
    pub law: String,
    /// The features, in the order of the module's table.
    pub features: Vec<Feature>,
    /// Curves for pictures.
    pub curves: Vec<MeasuredCurve>,
}

impl Characterisation {
    /// A feature by key.
    pub fn feature(&self, key: &str) -> Option<&Feature> {
        self.features.iter().find(|f| f.key == key)
    }
}

/// Why a measurement could not be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasurementFailure {
    /// The block needs more steps than are allowed.
    #[error("the block needs too many steps at t = {t:.6} s")]
    TooManySteps {
        /// Time, s.
        t: f64,
    },
    /// The friction force is no finite number.
    #[error("the force is not a finite number at t = {t:.6} s")]
    NotFinite {
        /// Time, s.
        t: f64,
    },
    /// A prescribed motion could not be followed.
    #[error("{0}")]
    Drive(#[from] DriveError),
}

/// The law, the conditions, and the results.
struct Bench<'l> {
    law: &'l Friction,
    options: BenchOptions,
    curves: Vec<MeasuredCurve>,
}

/// Accuracy of the driver per step, relative.
const ACCURACY: f64 = 1e-7;

impl Bench<'_> {
    fn sample(&self, t: f64, v: f64) -> Sample<1> {
        Sample {
            t,
            velocity: [v],
            normal_force: self.options.normal_force,
            applied: [0.0],
        }
    }

    /// A driver that starts with a speed.
    fn driver(&self, v: f64) -> Driver<'_, 1> {
        Driver::new(self.law, &self.sample(0.0, v), ACCURACY)
    }

    /// Adds a curve; the last one of a picture stands for the law.
    fn curve(
        &mut self,
        picture: &'static Picture,
        label: impl Into<String>,
        x: Vec<f64>,
        y: Vec<f64>,
    ) {
        for earlier in &mut self.curves {
            earlier.stands_for_law &= earlier.picture.key != picture.key;
        }
        self.curves.push(MeasuredCurve {
            picture,
            label: label.into(),
            stands_for_law: true,
            x,
            y,
        });
    }

    /// Measures a feature; what fails becomes its note.
    fn measure(
        &mut self,
        card: &Card,
        how: impl FnOnce(&mut Self, &mut Feature) -> Result<(), MeasurementFailure>,
    ) -> Feature {
        let mut feature = card.feature(self.law);
        if let Err(failure) = how(self, &mut feature) {
            feature.verdict = FeatureVerdict::NotApplicable;
            feature.note(&format!("not measured: {failure}"));
        }
        feature
    }
}

/// Measures all features of a law; see the module for how.
///
/// ```
/// use bristle_laws::Friction;
/// use bristle_rig::characterise::{BenchOptions, FeatureVerdict, characterise, standard};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let law = Friction::build("jenkins", &standard("jenkins").unwrap_or_default())?;
/// let report = characterise(&law, &BenchOptions::default());
/// let lag = report.feature("frictional_lag").map(|f| f.verdict);
/// assert_eq!(lag, Some(FeatureVerdict::No));
/// # Ok(())
/// # }
/// ```
pub fn characterise(law: &Friction, options: &BenchOptions) -> Characterisation {
    let mut bench = Bench {
        law,
        options: *options,
        curves: Vec::new(),
    };
    let steady = steady::measure(&mut bench);
    let stick_slip = stick_slip::measure(&mut bench);
    let break_away = rate::break_away(&mut bench);
    // the load that counts as half of break-away
    let level = break_away.number("peak at 3 N/s").unwrap_or(0.0);
    let features = vec![
        steady,
        stick_slip,
        presliding::displacement(&mut bench, level),
        rate::lag(&mut bench),
        break_away,
        presliding::memory(&mut bench),
        transition::measure(&mut bench),
        cost::measure(&mut bench),
        hold::vibration(&mut bench),
        hold::constant(&mut bench, level),
        hold::falling_normal_force(&mut bench),
        energy::dissipation(&mut bench),
        energy::passivity(&mut bench),
    ];
    Characterisation {
        law: law.card().name.to_owned(),
        features,
        curves: bench.curves,
    }
}

/// The two curves that show a law best, without its features: steady sliding at velocities of both
/// signs, and presliding loops.
pub fn portrait(law: &Friction, options: &BenchOptions) -> Vec<MeasuredCurve> {
    let mut bench = Bench {
        law,
        options: *options,
        curves: Vec::new(),
    };
    steady::measure(&mut bench);
    presliding::memory(&mut bench);
    let mut curves = bench.curves;
    curves.retain(|curve| curve.stands_for_law);
    curves
}
