//! Axes that change the friction law of a contact or of a joint.
//!
//! Laws have different fields. Where an axis puts another law there, the fields of the
//! scenario's law are translated (see [`crate::adapt`]), and axes over fields that the law of a case
//! does not have mean nothing in it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bristle_laws::parameters::same_name;
use bristle_laws::{Declaration, LawCard};
use bristle_results::PairKind;
use bristle_scenario::{Changes, SourceMap, Template, law_of_file};

use super::axis::{Axis, AxisValue};
use super::case::{Case, Unsound};
use super::design::Design;
use super::error::StudyError;
use crate::adapt::{self, Given};
use crate::candidate::{Candidate, is_file};
use crate::law_place::LawPlace;
use crate::loads::mean_loads;

/// Stands for all contacts or joints in a path.
const ALL: &str = "*";

/// The axes over laws, and what they need.
#[derive(Debug, Default)]
pub(super) struct LawAxes {
    axes: Vec<LawAxis>,
    /// Load of a point by path of the contact or joint, when it is needed first.
    loads: OnceLock<BTreeMap<String, f64>>,
}

#[derive(Debug)]
struct LawAxis {
    /// Position among the axes.
    axis: usize,
    /// Path of the contact or joint.
    place: String,
    /// The law of the scenario.
    own: Declaration,
    /// The laws that the axis puts in its place, by the texts of its values.
    targets: BTreeMap<String, Candidate>,
    /// Axes over fields of the same law.
    fields: Vec<FieldAxis>,
}

/// An axis over a field of a law.
#[derive(Debug)]
struct FieldAxis {
    /// Position among the axes.
    axis: usize,
    /// Name of the field.
    name: String,
    /// Its path, with the name of the contact or joint where the axis has `*`.
    path: String,
}

impl LawAxes {
    /// The axes over laws.
    ///
    /// # Errors
    /// A file with a law, or equations, that cannot be read.
    pub(super) fn of(
        design: &Design,
        template: &Template,
        sources: &SourceMap,
    ) -> Result<Self, StudyError> {
        let axes = design.axes();
        let mut law_axes = Vec::new();
        for (i, axis) in axes.iter().enumerate() {
            for place in places_of(&axis.path, template) {
                let table = template.root().find(&format!("{place}.friction"));
                // what is wrong with the scenario's own law is reported when it is built
                let own = table.and_then(|table| law_of_file(table, sources).ok().flatten());
                let Some(own) = own else {
                    continue;
                };
                let others = axes.iter().enumerate().filter(|(j, _)| *j != i);
                law_axes.push(LawAxis {
                    axis: i,
                    targets: targets(&design.origin(), axis, &own)?,
                    own,
                    fields: others
                        .filter_map(|(j, other)| FieldAxis::at(&place, j, other))
                        .collect(),
                    place,
                });
            }
        }
        Ok(Self {
            axes: law_axes,
            loads: OnceLock::new(),
        })
    }

    /// The changes of a case.
    pub(super) fn case(
        &self,
        axes: &[Axis],
        place: String,
        values: &[&AxisValue],
        template: &Template,
        sources: &SourceMap,
    ) -> Result<Case, Unsound> {
        let mut case = Case {
            place,
            ..Case::default()
        };
        let mut apart: Vec<usize> = Vec::new();
        let mut late: Vec<String> = Vec::new();
        let text = |i: usize| format!("{}={}", axes[i].path, values[i].text);
        let mut others = Vec::new();
        for law_axis in &self.axes {
            apart.push(law_axis.axis);
            apart.extend(law_axis.fields.iter().map(|field| field.axis));
        }
        for i in (0..axes.len()).filter(|i| !apart.contains(i)) {
            others.push(text(i));
        }
        case.texts.clone_from(&others);
        for law_axis in &self.axes {
            let Some(candidate) = law_axis.targets.get(&values[law_axis.axis].text) else {
                // the reader says that there is no such law, and which was meant
                let value = &values[law_axis.axis].text;
                late.push(format!("{}.friction.law={value}", law_axis.place));
                continue;
            };
            let (own, target) = (law_axis.own.card(), candidate.law.card());
            let mut own_texts = others.clone();
            for field in &law_axis.fields {
                let (in_own, in_target) = (has(&own, &field.name), has(&target, &field.name));
                let text = format!("{}={}", field.path, values[field.axis].text);
                if in_own {
                    own_texts.push(text.clone());
                }
                if in_target || !in_own {
                    // a field that neither law has is for the reader to refuse
                    late.push(text);
                } else if !case.ignored.contains(&field.axis) {
                    case.ignored.push(field.axis);
                }
            }
            if law_axis.own == candidate.law && candidate.given.is_empty() {
                continue;
            }
            let given = law_axis.given(values, &target);
            self.translate(
                law_axis, candidate, &own_texts, &given, template, sources, &mut case,
            )?;
        }
        case.texts.append(&mut late);
        Ok(case)
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one call, and all of it is needed"
    )]
    fn translate(
        &self,
        law_axis: &LawAxis,
        candidate: &Candidate,
        own_texts: &[String],
        given: &[Given],
        template: &Template,
        sources: &SourceMap,
        case: &mut Case,
    ) -> Result<(), Unsound> {
        let mut sources = sources.clone();
        let changes = Changes {
            option: &case.place,
            removed: &[],
            texts: own_texts,
        };
        let scenario = match template.build_any(&changes, &mut sources) {
            Ok(scenario) => scenario,
            Err(diagnostics) => {
                return Err(Unsound {
                    diagnostics,
                    sources,
                });
            }
        };
        let places = LawPlace::all(&scenario.model);
        let Some(place) = places.iter().find(|place| place.is_at(&law_axis.place)) else {
            return Ok(());
        };
        let own = &place.law;
        let target = candidate.law.card();
        let load = adapt::needs_load(&own.card(), &target).then(|| {
            let loads = self.loads.get_or_init(|| loads_of(template, &sources));
            loads.get(&law_axis.place).copied()
        });
        let friction = format!("{}.friction", law_axis.place);
        let table = template
            .root()
            .find(&friction)
            .and_then(|node| node.as_table());
        // what the file of a law gives, unless an axis does
        let stands = |(name, _): &&Given| given.iter().all(|(known, _)| known != name);
        let mut all = candidate.given_in_full();
        all.retain(|entry| stands(&entry));
        all.extend_from_slice(given);
        let adapted = adapt::adapt(own, table, &target, &all, load.flatten());
        let path = |name: &String| format!("{friction}.{name}");
        case.removed.extend(adapted.removed.iter().map(path));
        case.removed.push("plot".to_owned());
        if names_states(template, &law_axis.place) {
            case.removed.push("expect".to_owned());
        }
        if law_axis.own != candidate.law {
            case.texts
                .push(format!("{friction}.law={}", candidate.text));
        }
        // what an axis gives is applied later, from its own text
        let derived = adapted.set.iter().take(adapted.set.len() - given.len());
        case.texts
            .extend(derived.map(|(name, text)| format!("{friction}.{name}={text}")));
        Ok(())
    }
}

/// The contact or joint whose law a path names; all of a kind where it has `*`.
fn places_of(path: &str, template: &Template) -> Vec<String> {
    let place = path.strip_suffix(".friction.law");
    let Some((section, name)) = place.and_then(|place| place.split_once('.')) else {
        return Vec::new();
    };
    let mut kinds = [PairKind::Contact, PairKind::Joint].into_iter();
    if !kinds.any(|kind| kind.section() == section) {
        return Vec::new();
    }
    if name != ALL {
        return vec![format!("{section}.{name}")];
    }
    let table = template
        .root()
        .find(section)
        .and_then(|node| node.as_table());
    let entries = table.map_or(&[][..], |table| &table.entries);
    let place = |key: &str| format!("{section}.{key}");
    entries.iter().map(|entry| place(&entry.key)).collect()
}

impl FieldAxis {
    /// The field that an axis changes of the law at a place.
    fn at(place: &str, axis: usize, other: &Axis) -> Option<Self> {
        let (section, _) = place.split_once('.')?;
        let behind = |place: &str| other.path.strip_prefix(&format!("{place}.friction."));
        let rest = behind(place).or_else(|| behind(&format!("{section}.{ALL}")))?;
        Some(Self {
            axis,
            name: rest.split('.').next().unwrap_or(rest).to_owned(),
            path: format!("{place}.friction.{rest}"),
        })
    }
}

/// Whether an expectation is about states of the law at a place, which another law lacks.
fn names_states(template: &Template, place: &str) -> bool {
    let expectations = template
        .root()
        .find("expect")
        .and_then(|node| node.as_list());
    let prefix = format!("{place}.");
    let of_state = |text: &str| {
        text.starts_with(&prefix) && (text.contains(".state") || text.contains(".mode"))
    };
    expectations.unwrap_or_default().iter().any(|expectation| {
        let value = expectation.find("value").and_then(|node| node.as_text());
        value.is_some_and(of_state)
    })
}

/// The loads of the scenario as it stands, so that they do not depend on which case is first.
fn loads_of(template: &Template, sources: &SourceMap) -> BTreeMap<String, f64> {
    let scenario = template.build_any(&Changes::NONE, &mut sources.clone());
    scenario.map_or_else(|_| BTreeMap::new(), |scenario| mean_loads(&scenario))
}

/// Whether a law has a field of this name or symbol.
fn has(card: &LawCard<'_>, field: &str) -> bool {
    let mut known = card.parameters.iter();
    known.any(|p| same_name(&p.name, field) || p.symbol == field)
        || card.at_negative_velocities(field).is_some()
}

/// The laws that the values of an axis name: of the catalogue, of files, equations, or, by its
/// name, the law of the scenario. A text that is none of these is for the reader to refuse.
fn targets(
    origin: &str,
    axis: &Axis,
    own: &Declaration,
) -> Result<BTreeMap<String, Candidate>, StudyError> {
    let mut targets = BTreeMap::new();
    for value in &axis.values {
        let text = value.text.trim_matches('"');
        let option = format!("{origin} {}", axis.path);
        let found = if let Some(law) = Declaration::named(text) {
            Ok(Candidate::own(law))
        } else if same_name(text, own.card().name) {
            Ok(Candidate::own(own.clone()))
        } else if is_file(text) {
            Candidate::from_file(text)
        } else if text.starts_with('{') {
            Candidate::from_equations(&option, text)
        } else {
            continue;
        };
        let candidate = found.map_err(|no_law| {
            let (diagnostics, sources) = no_law.report(&format!("{option}={text}"));
            StudyError::Scenario {
                diagnostics,
                sources,
            }
        })?;
        targets.insert(value.text.clone(), candidate);
    }
    Ok(targets)
}

impl LawAxis {
    /// The fields of the target law that axes give.
    fn given(&self, values: &[&AxisValue], target: &LawCard<'_>) -> Vec<Given> {
        let fields = self.fields.iter();
        let full = |field: &str| adapt::full_name(target, field);
        fields
            .filter(|field| has(target, &field.name))
            .map(|field| (full(&field.name), values[field.axis].text.clone()))
            .collect()
    }
}
