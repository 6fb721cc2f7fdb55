//! Models from the cards of laws.

use bristle_laws::card::{
    Behaviour, Default as Fallback, ParameterKind, Range, Relation, Role as Meaning,
};
use bristle_laws::{Declaration, Friction, LawCard, ParameterCard, ParameterError};

use super::{FitModel, FitParameter, FitRole, Slot};
use crate::Error;
use crate::options::StopFlag;

/// What a machine adds to friction; each is fitted if asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent terms, each there or not, as on the command line"
)]
pub struct MachineTerms {
    /// Mass or inertia times acceleration.
    pub mass: bool,
    /// A constant force.
    pub offset: bool,
    /// A weight times the sine of the position (rad), and the angle at which it is zero.
    pub gravity: bool,
    /// Viscous friction beside the law, which may have none of its own.
    pub drag: bool,
    /// Levels, Stribeck velocity and viscous friction of their own for negative velocities.
    pub asymmetric: bool,
    /// A load that adds to the measured one.
    pub preload: bool,
    /// Play in series with the law.
    pub backlash: bool,
    /// Friction that rises with the force that passes through: the law under
    /// N + l |F + G sin(x + φ₀)|, as in gears.
    pub transmitted: bool,
    /// The force per unit of supply of the controller of a free motion.
    pub motor: bool,
    /// Free motions whose velocity at the start is fitted: the measured one is a difference of
    /// noisy positions, and a heavy machine keeps its error.
    pub starts: usize,
    /// Elements of laws that are made of several; 0 for the usual four.
    pub elements: usize,
}

impl MachineTerms {
    /// Most elements of a law of several: no record resolves more.
    pub const MOST_ELEMENTS: usize = 10;
}

/// Elements of a law of several, unless said otherwise.
const ELEMENTS: usize = 4;

impl FitModel {
    /// A law by its catalogue name, or `none`, with the terms around it.
    ///
    /// Parameters with a default of their own, such as exponents, are held there; [`Self::free_up`]
    /// fits them too.
    ///
    /// # Errors
    /// If there is no such law.
    pub fn of(law: &str, terms: &MachineTerms) -> Result<Self, Error> {
        let declaration = if law == "none" {
            None
        } else {
            Some(Declaration::named(law).ok_or_else(|| {
                let known: Vec<_> = Friction::CARDS.iter().map(|c| c.name).collect();
                ParameterError::UnknownLaw {
                    kind: "friction",
                    name: law.to_owned(),
                    known: known.join(", "),
                }
            })?)
        };
        Ok(Self::of_declared(declaration, terms))
    }

    /// A law of the catalogue or of your own, if any, with the terms around it.
    pub fn of_declared(declaration: Option<Declaration>, terms: &MachineTerms) -> Self {
        let card = declaration.as_ref().map(Declaration::card);
        let mut parameters = Vec::new();
        if let Some(card) = &card {
            let elements = match terms.elements {
                0 => ELEMENTS,
                n => n.min(MachineTerms::MOST_ELEMENTS),
            };
            law_parameters(card, elements, &mut parameters);
            if terms.asymmetric {
                backward_parameters(card, &mut parameters, terms.offset);
            }
        }
        term_parameters(terms, card.is_some(), &mut parameters);
        Self {
            law: card.map_or("none", |c| c.name).to_owned(),
            parameters,
            declaration,
            terms: *terms,
            stop: StopFlag::default(),
        }
    }

    /// Whether the force of the law jumps where a sample comes to stick or to slip, so that the
    /// error of a fit has many small steps.
    pub(crate) fn jumps(&self) -> bool {
        self.does(Behaviour::Jumps) || self.does(Behaviour::AppliedForce)
    }

    /// Whether the curve of the law has a corner: each sample that passes it turns the error of a
    /// fit a little, so that slopes end in the first of many shallow dips.
    pub(crate) fn corners(&self) -> bool {
        self.does(Behaviour::Corner)
    }

    /// The card of the law, if there is one.
    pub(crate) fn card(&self) -> Option<LawCard<'_>> {
        self.declaration.as_ref().map(Declaration::card)
    }

    fn does(&self, behaviour: Behaviour) -> bool {
        self.card().is_some_and(|card| card.does(behaviour))
    }

    /// What the card says of a parameter; nothing of the terms around the law.
    pub(crate) fn card_of(&self, parameter: &FitParameter) -> Option<&ParameterCard> {
        let (field, _) = parameter.field?;
        self.card()?.parameters.get(field)
    }

    /// Number of elements of the law's lists.
    pub(crate) fn elements(&self) -> usize {
        let last = self.parameters.iter().filter_map(|p| p.field);
        last.map(|(_, element)| element + 1).max().unwrap_or(1)
    }
}

impl FitRole {
    fn of(card: &ParameterCard) -> Self {
        match card.role {
            Meaning::Level | Meaning::Drop => Self::Level,
            Meaning::LevelDifference => Self::LevelDifference,
            Meaning::StaticLevel => Self::StaticLevel,
            Meaning::Viscous => Self::Viscous,
            Meaning::Stiffness => Self::Stiffness,
            Meaning::Damping => Self::Damping,
            Meaning::Length => Self::Length,
            Meaning::Time => Self::Time,
            Meaning::Share => Self::Share,
            // the reciprocal of a speed
            Meaning::StribeckSpeed | Meaning::StickSpeed | Meaning::Speed if card.unit == "s/m" => {
                Self::Shape
            }
            Meaning::StribeckSpeed | Meaning::StickSpeed | Meaning::Speed => Self::Speed,
            Meaning::Shape => Self::Shape,
        }
    }
}

fn law_parameters(card: &LawCard<'_>, elements: usize, all: &mut Vec<FitParameter>) {
    for (i, p) in card.parameters.iter().enumerate() {
        let count = match p.kind {
            ParameterKind::Number => 1,
            ParameterKind::List => elements,
            // flags and named choices keep their defaults
            _ => continue,
        };
        for element in 0..count {
            let numbered = |name: &str| match p.kind {
                ParameterKind::List => format!("{name}[{}]", element + 1),
                _ => name.to_owned(),
            };
            all.push(FitParameter {
                name: numbered(&p.name),
                symbol: numbered(&p.symbol),
                unit: p.unit.to_string(),
                role: FitRole::of(p),
                fixed: held(p),
                start: None,
                known: None,
                bounds: None,
                slot: Slot::Log,
                field: Some((i, element)),
                negative: false,
            });
        }
    }
    let place = |name: &str| all.iter().position(|p| p.name == name).unwrap_or(0);
    let slots: Vec<Slot> = all
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let (field, element) = p.field.unwrap_or((0, 0));
            let declared = &card.parameters[field];
            let (first, count) = (i - element, elements);
            match declared.relation {
                Relation::NotBelow(base) => Slot::Above { base: place(base) },
                Relation::BelowRatio { level, stiffness } => Slot::Below {
                    level: place(level),
                    stiffness: place(stiffness),
                },
                Relation::SumIsOne => Slot::Share { first, count },
                Relation::SumNotBelow(level) => Slot::Limit {
                    first,
                    count,
                    level: place(level),
                },
                // over many orders, though it may be zero
                Relation::Free if declared.role == Meaning::Drop => Slot::Log,
                Relation::Free => plain(declared.range),
            }
        })
        .collect();
    for (p, slot) in all.iter_mut().zip(slots) {
        p.slot = slot;
    }
}

fn plain(range: Range) -> Slot {
    match range {
        Range::Positive => Slot::Log,
        Range::NonNegative => Slot::Linear { positive: true },
        Range::Finite => Slot::Linear { positive: false },
        Range::Open(low, high) | Range::Closed(low, high) => Slot::Between { low, high },
    }
}

/// The value at which a parameter is held unless it is asked for: exponents, and what is
/// tied to another parameter or left out (NaN). The viscous coefficient and the static level are
/// fitted.
fn held(card: &ParameterCard) -> Option<f64> {
    match card.default {
        _ if card.fitted => None,
        Fallback::Number(x) => Some(x),
        _ => Some(f64::NAN),
    }
}

/// Levels, Stribeck velocity and viscous coefficient once more, for negative velocities. Beside an
/// offset the levels stay common: a constant force and a difference of levels are the same thing.
fn backward_parameters(card: &LawCard<'_>, all: &mut Vec<FitParameter>, offset: bool) {
    let mut moved = Vec::new();
    for (i, p) in all.iter().enumerate() {
        let level = matches!(
            p.role,
            FitRole::Level | FitRole::StaticLevel | FitRole::LevelDifference
        );
        let may = p
            .field
            .is_some_and(|(field, _)| card.parameters[field].differs_by_direction());
        if may && !(level && offset) {
            moved.push(i);
        }
    }
    let count = all.len();
    for (place, &i) in moved.iter().enumerate() {
        let mut p = all[i].clone();
        if let Some((field, _)) = p.field {
            let own = card.parameters[field].negative();
            (p.name, p.symbol) = (own.name.into_owned(), own.symbol.into_owned());
        }
        p.negative = true;
        if let Slot::Above { base } = p.slot
            && let Some(new) = moved.iter().position(|&m| m == base)
        {
            p.slot = Slot::Above { base: count + new };
        }
        debug_assert_eq!(all.len(), count + place);
        all.push(p);
    }
}

fn term_parameters(terms: &MachineTerms, has_law: bool, all: &mut Vec<FitParameter>) {
    let mut push = |name: &str, symbol: &str, unit: &str, role, slot| {
        all.push(FitParameter {
            name: name.to_owned(),
            symbol: symbol.to_owned(),
            unit: unit.to_owned(),
            role,
            fixed: None,
            start: None,
            known: None,
            bounds: None,
            slot,
            field: None,
            negative: false,
        });
    };
    let (positive, any) = (
        Slot::Linear { positive: true },
        Slot::Linear { positive: false },
    );
    if terms.mass {
        push("mass", "m", "kg", FitRole::Mass, positive);
    }
    if terms.drag {
        push("drag", "d", "N s/m", FitRole::Viscous, positive);
        if terms.asymmetric {
            push("drag_negative", "d-", "N s/m", FitRole::Viscous, positive);
        }
    }
    if terms.offset {
        push("offset", "F_0", "N", FitRole::Offset, any);
    }
    if terms.gravity {
        push("gravity", "G", "N", FitRole::Gravity, any);
        push("gravity_angle", "phi_0", "rad", FitRole::Offset, any);
    }
    if terms.preload && has_law {
        push("preload", "N_0", "N", FitRole::Preload, positive);
    }
    if terms.transmitted && has_law {
        push("load_share", "l", "1", FitRole::Transmitted, positive);
    }
    if terms.motor {
        push("motor", "c", "N/V", FitRole::Motor, Slot::Log);
    }
    for k in 1..=terms.starts {
        push(
            &format!("start_velocity[{k}]"),
            &format!("v_0[{k}]"),
            "m/s",
            FitRole::Start,
            any,
        );
    }
    if terms.backlash && has_law {
        push("gap", "b", "m", FitRole::Gap, Slot::Log);
        push("closing_force", "F_b", "N", FitRole::Closing, Slot::Log);
    }
}
