//! What cards say of parameters and of behaviour is true.

use crate::motion::{LOAD, build, laws};
use bristle_laws::card::{Behaviour, ParameterKind, Printed, Relation, Role};
use bristle_laws::curve::Shape;
use bristle_laws::friction::{standard, typical};
use bristle_laws::{Friction, HOLD_ANY_LOAD, LawCard, ParameterCard, REFERENCE, Slip, Step, Value};

fn find<'a>(card: &LawCard<'a>, name: &str) -> &'a ParameterCard {
    let found = card.parameters.iter().find(|p| p.name == name);
    found.unwrap_or_else(|| panic!("{} has no {name}", card.name))
}

fn number(law: &Friction, parameter: &ParameterCard) -> Option<f64> {
    let mut values = law.to_values().into_iter();
    values.find_map(|(name, value)| match value {
        Value::Number(x) if *name == *parameter.name => Some(x),
        _ => None,
    })
}

fn is_level(parameter: &ParameterCard) -> bool {
    matches!(parameter.role, Role::Level | Role::StaticLevel | Role::Drop)
}

#[test]
fn units_fit_the_roles() {
    for card in Friction::CARDS {
        for p in card.parameters {
            let units: &[&str] = match p.role {
                Role::Level
                | Role::StaticLevel
                | Role::Drop
                | Role::LevelDifference
                | Role::Share
                | Role::Shape => &["1"],
                Role::Stiffness => &["1/m", "N/m"],
                Role::Damping | Role::Viscous => &["s/m", "N s/m"],
                Role::StribeckSpeed | Role::StickSpeed => &["m/s", "s/m"],
                Role::Speed => &["m/s"],
                Role::Length => &["m"],
                Role::Time => &["s", "1/s"],
            };
            let name = format!("{}.{}", card.name, p.name);
            assert!(
                units.contains(&&*p.unit),
                "{name}: {:?} in {}",
                p.role,
                p.unit
            );
            assert_eq!(
                p.role == Role::Share,
                matches!(p.relation, Relation::SumIsOne | Relation::SumNotBelow(_)),
                "{name}"
            );
            assert!(
                p.kind != ParameterKind::Curve || p.name == Shape::FIELD,
                "{name}"
            );
        }
    }
}

#[test]
fn relations_name_parameters_and_hold_in_the_typical_and_the_standard_set() {
    for card in Friction::CARDS {
        for law in [typical(card), standard(card)].map(|set| Friction::build(card.name, &set)) {
            let law = law.expect("admissible");
            let value = |p: &ParameterCard| number(&law, p);
            for p in card.parameters {
                match p.relation {
                    Relation::Free => {}
                    Relation::NotBelow(base) => {
                        assert!(
                            value(p) >= value(find(card, base)),
                            "{}.{}",
                            card.name,
                            p.name
                        );
                    }
                    Relation::BelowRatio { level, stiffness } => {
                        let (level, stiffness) = (find(card, level), find(card, stiffness));
                        assert!(is_level(level) && stiffness.role == Role::Stiffness);
                        let ratio = value(level).zip(value(stiffness)).map(|(l, s)| l / s);
                        assert!(value(p) < ratio, "{}.{}", card.name, p.name);
                    }
                    Relation::SumIsOne | Relation::SumNotBelow(_) => {
                        let sum: f64 = law.list(p.role).expect("a list").iter().sum();
                        let least = match p.relation {
                            Relation::SumNotBelow(level) => value(find(card, level)),
                            _ => Some(1.0 - 1e-12),
                        };
                        assert!(Some(sum) >= least, "{}.{}", card.name, p.name);
                    }
                }
            }
        }
    }
}

#[test]
fn laws_that_hold_keep_a_force_at_rest() {
    for (name, law) in laws() {
        // pulled over a third of the way to break-away, then at rest for a second
        let path = 0.3 * law.breakaway_deflection(LOAD).unwrap_or(1e-6);
        let sliding = law.steady(10.0 * law.slip_speed(), LOAD);
        let held = 0.3 * sliding.expect("every law slides");
        let slip = |v: f64| Slip {
            applied: [held],
            ..Slip::new([v], LOAD)
        };
        let step = |v: f64, duration: f64| Step {
            mean: slip(v),
            end: slip(v),
            duration,
        };
        let speed = 1e-3 * law.slip_speed();
        let mut state = vec![0.0; law.layout().len(1)];
        law.start(&slip(0.0), &mut state);
        let mut pulled = state.clone();
        law.update(&step(speed, path / speed), &state, &mut pulled);
        let [force] = law.update(&step(0.0, 1.0), &pulled, &mut state);
        let holds = law.card().does(Behaviour::Holds);
        assert_eq!(force > 0.1 * held, holds, "{name}: {force} N");
        assert!(!holds || !law.always_creeps(), "{name}");
    }
}

#[test]
fn laws_that_jump_have_modes_that_end() {
    for (name, law) in laws() {
        let slip = Slip::new([0.0], LOAD);
        let mut state = vec![0.0; law.layout().len(1)];
        law.start(&slip, &mut state);
        let jumps = law.card().does(Behaviour::Jumps);
        assert_eq!(law.mode_margin(&slip, &state).is_finite(), jumps, "{name}");
        assert!(!jumps || law.layout().scalars > 0, "{name}");
    }
}

#[test]
fn corners_are_where_the_slope_of_the_steady_curve_jumps() {
    let mut wrong = Vec::new();
    for card in Friction::CARDS {
        let law = build(card);
        let speeds = [Role::StribeckSpeed, Role::StickSpeed, Role::Speed];
        let has_corner = card
            .parameters
            .iter()
            .filter(|p| speeds.contains(&p.role))
            .any(|p| {
                let Some(x) = number(&law, p) else {
                    return false;
                };
                let v = if p.is_reciprocal() { 1.0 / x } else { x };
                let force = |factor: f64| law.steady(v * factor, LOAD);
                let slope = |a: f64, b: f64| Some((force(b)? - force(a)?) / (b - a));
                // 1e-6 of the speed to both sides
                let (Some(below), Some(above)) = (slope(1.0 - 1e-6, 1.0), slope(1.0, 1.0 + 1e-6))
                else {
                    return false;
                };
                (above - below).abs() > 0.01 * LOAD * law.kinetic_level().unwrap_or(1.0)
            });
        if has_corner != card.does(Behaviour::Corner) {
            wrong.push(card.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn what_is_printed_and_recommended_is_in_the_catalogue() {
    for printed in Friction::CARDS.iter().filter_map(|card| card.printed) {
        let differs = printed.differs.iter().map(|(feature, _)| feature);
        for feature in printed.has.iter().chain(differs) {
            assert!(Printed::FEATURES.contains(feature), "{feature}");
        }
    }
    for name in HOLD_ANY_LOAD {
        let card = Friction::card_of(name).expect("in the catalogue");
        assert!(card.does(Behaviour::Holds) && !card.does(Behaviour::Drifts));
    }
    assert!(Friction::card_of(REFERENCE).is_some());
}
