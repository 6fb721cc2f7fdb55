//! Axes that change the friction law of a contact.
//!
//! Laws have different fields. Where an axis puts another law into a contact, the fields of the
//! scenario's law are translated (see [`crate::adapt`]), and axes over fields that the law of a case
//! does not have mean nothing in it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bristle_laws::parameters::same_name;
use bristle_laws::{Friction, LawCard};
use bristle_scenario::{SourceMap, Template};

use super::axis::{Axis, AxisValue};
use super::case::{Case, Unsound, VARY};
use crate::adapt::{self, Given};
use crate::loads::normal_forces;
use bristle_scenario::Changes;

/// The axes over laws, and what they need.
#[derive(Debug, Default)]
pub(super) struct LawAxes {
    axes: Vec<LawAxis>,
    /// Normal force of a point by contact, when it is needed first.
    loads: OnceLock<BTreeMap<String, f64>>,
}

#[derive(Debug)]
struct LawAxis {
    /// Position among the axes.
    axis: usize,
    contact: String,
    /// The law of the scenario.
    own: &'static LawCard<'static>,
    /// Axes over fields of the same law, with the names of the fields.
    fields: Vec<(usize, String)>,
}

impl LawAxes {
    pub(super) fn of(axes: &[Axis], template: &Template) -> Self {
        let law_axis = |(i, axis): (usize, &Axis)| {
            let contact = axis
                .path
                .strip_prefix("contact.")?
                .strip_suffix(".friction.law")?;
            let friction = format!("contact.{contact}.friction");
            let law = template
                .root()
                .find(&format!("{friction}.law"))?
                .as_text()?;
            let own = Friction::card_of(law)?;
            let prefix = format!("{friction}.");
            let field = |(j, other): (usize, &Axis)| {
                let name = other.path.strip_prefix(&prefix)?;
                let name = name.split('.').next().unwrap_or(name);
                (j != i).then(|| (j, name.to_owned()))
            };
            let fields = axes.iter().enumerate().filter_map(field).collect();
            Some(LawAxis {
                axis: i,
                contact: contact.to_owned(),
                own,
                fields,
            })
        };
        Self {
            axes: axes.iter().enumerate().filter_map(law_axis).collect(),
            loads: OnceLock::new(),
        }
    }

    /// The changes of a case.
    pub(super) fn case(
        &self,
        axes: &[Axis],
        values: &[&AxisValue],
        template: &Template,
        sources: &SourceMap,
    ) -> Result<Case, Unsound> {
        let mut case = Case::default();
        let mut apart: Vec<usize> = Vec::new();
        let mut late: Vec<String> = Vec::new();
        let text = |i: usize| format!("{}={}", axes[i].path, values[i].text);
        let mut others = Vec::new();
        for law_axis in &self.axes {
            apart.push(law_axis.axis);
            apart.extend(law_axis.fields.iter().map(|(i, _)| *i));
        }
        for i in (0..axes.len()).filter(|i| !apart.contains(i)) {
            others.push(text(i));
        }
        case.texts.clone_from(&others);
        for law_axis in &self.axes {
            let name = values[law_axis.axis].text.trim_matches('"').to_owned();
            let Some(target) = Friction::card_of(&name) else {
                // the reader says that there is no such law, and which was meant
                late.push(text(law_axis.axis));
                continue;
            };
            let has = |card: &LawCard, field: &str| {
                let mut known = card.parameters.iter();
                known.any(|p| same_name(&p.name, field) || p.symbol == field)
            };
            let mut own_texts = others.clone();
            for (i, field) in &law_axis.fields {
                let (in_own, in_target) = (has(law_axis.own, field), has(target, field));
                if in_own {
                    own_texts.push(text(*i));
                }
                if in_target || !in_own {
                    // a field that neither law has is for the reader to refuse
                    late.push(text(*i));
                } else {
                    case.ignored.push(*i);
                }
            }
            if same_name(law_axis.own.name, target.name) {
                continue;
            }
            let given = given(law_axis, values, target, &has);
            self.translate(
                law_axis, target, &own_texts, &given, template, sources, &mut case,
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
        target: &LawCard,
        own_texts: &[String],
        given: &[Given],
        template: &Template,
        sources: &SourceMap,
        case: &mut Case,
    ) -> Result<(), Unsound> {
        let mut sources = sources.clone();
        let changes = Changes {
            option: VARY,
            removed: &[],
            texts: own_texts,
        };
        let scenario = match template.build(&changes, &mut sources) {
            Ok(scenario) => scenario,
            Err(diagnostics) => {
                return Err(Unsound {
                    diagnostics,
                    sources,
                });
            }
        };
        let mut contacts = scenario.model.contacts();
        let contact = contacts.find(|c| c.name == law_axis.contact);
        let Some(own) = contact.and_then(|contact| contact.friction.law()) else {
            return Ok(());
        };
        let load = adapt::needs_load(&own.card(), target).then(|| {
            let loads = self.loads.get_or_init(|| loads_of(template, &sources));
            loads.get(&law_axis.contact).copied()
        });
        let friction = format!("contact.{}.friction", law_axis.contact);
        let table = template
            .root()
            .find(&friction)
            .and_then(|node| node.as_table());
        let adapted = adapt::adapt(own, table, target, given, load.flatten());
        let path = |name: &String| format!("{friction}.{name}");
        case.removed.extend(adapted.removed.iter().map(path));
        case.removed.push("plot".to_owned());
        if names_states(template, &law_axis.contact) {
            case.removed.push("expect".to_owned());
        }
        case.texts.push(format!("{friction}.law={}", target.name));
        // what an axis gives is applied later, from its own text
        let derived = adapted.set.iter().take(adapted.set.len() - given.len());
        case.texts
            .extend(derived.map(|(name, text)| format!("{friction}.{name}={text}")));
        Ok(())
    }
}

/// Whether an expectation is about states of the law of a contact, which another law has not.
fn names_states(template: &Template, contact: &str) -> bool {
    let expectations = template
        .root()
        .find("expect")
        .and_then(|node| node.as_list());
    let prefix = format!("contact.{contact}.");
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
    let scenario = template.build(&Changes::NONE, &mut sources.clone());
    scenario.map_or_else(|_| BTreeMap::new(), |scenario| normal_forces(&scenario))
}

/// The fields of the target law that axes give.
fn given(
    law_axis: &LawAxis,
    values: &[&AxisValue],
    target: &LawCard,
    has: &dyn Fn(&LawCard, &str) -> bool,
) -> Vec<Given> {
    let fields = law_axis
        .fields
        .iter()
        .filter(|(_, field)| has(target, field));
    fields
        .map(|(i, field)| (field.clone(), values[*i].text.clone()))
        .collect()
}
