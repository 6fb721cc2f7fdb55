//! One scenario under several friction laws.

mod behaviour;
mod laws;
mod trace;
mod tracing;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use bristle_laws::Friction;
use bristle_mechanics::element::Contact;
use bristle_results::{ContactSummary, Status, Summary, format_number};
use bristle_scenario::{
    Changes, Diagnostic, Diagnostics, Scenario, Severity, SourceMap, Template, suggest,
};

pub use crate::candidate::Candidate;
pub use behaviour::MeasuredBehaviour;
pub use laws::LawError;
pub use trace::{Trace, along};

use crate::adapt::{Facts, adapt, needs_load};
use crate::engine::{channels_of, execute};
use crate::loads::normal_forces;
use behaviour::{RunLevels, measure};
use trace::ChannelPlaces;
use tracing::Tracing;

/// The option that changes come from, for diagnostics.
const LAW: &str = "--law";

/// What is compared.
#[derive(Clone, Debug)]
pub struct CompareRequest {
    /// The scenario's file.
    pub scenario: PathBuf,
    /// `--set`.
    pub overrides: Vec<String>,
    /// `--law`: names or files.
    pub laws: Vec<String>,
    /// `--param LAW:name=value`.
    pub parameters: Vec<String>,
    /// `--contact`: which contacts change their law; all if empty.
    pub contacts: Vec<String>,
}

/// Why laws cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The scenario is not sound, as it stands or with the parameters that are given for a law.
    #[error("the scenario is not sound")]
    Scenario {
        /// What is wrong.
        diagnostics: Diagnostics,
        /// Where.
        sources: Box<SourceMap>,
    },
    /// A law.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A contact that the scenario does not have.
    #[error("--contact {name}: the scenario has no such contact{suggestion}")]
    Contact {
        /// The name.
        name: String,
        /// What there is.
        suggestion: String,
    },
    /// A scenario without friction.
    #[error("the scenario has no contact with friction, so there is no law to compare")]
    NoContact,
}

/// A comparison that is ready to run.
#[derive(Debug)]
pub struct LawComparison {
    template: Template,
    sources: SourceMap,
    base: Scenario,
    contacts: Vec<Compared>,
    variants: Vec<Variant>,
}

/// A contact whose law changes.
#[derive(Clone, Debug)]
struct Compared {
    name: String,
    points: usize,
    slip_speed: f64,
    own: Friction,
}

/// One law, and what it changes in the scenario.
#[derive(Clone, Debug)]
struct Variant {
    candidate: Candidate,
    removed: Vec<String>,
    texts: Vec<String>,
    notes: Vec<String>,
}

/// One law's run.
#[derive(Clone, Debug)]
pub struct LawRun {
    /// How the law is called.
    pub label: String,
    /// Its name in the catalogue.
    pub law: String,
    /// What was changed in the scenario, as texts path=value.
    pub changes: Vec<String>,
    /// How its parameters were derived.
    pub notes: Vec<String>,
    /// The run; nothing if the scenario is not sound with this law.
    pub summary: Option<Summary>,
    /// Why it did not complete.
    pub reason: Option<String>,
    /// The contacts.
    pub contacts: Vec<ContactRun>,
}

/// One contact in a law's run.
#[derive(Clone, Debug)]
pub struct ContactRun {
    /// Its name.
    pub name: String,
    /// Slip and stick.
    pub summary: ContactSummary,
    /// How it behaved.
    pub behaviour: MeasuredBehaviour,
    /// Row by row.
    pub trace: Trace,
}

impl LawComparison {
    /// Reads scenario and laws, and translates the parameters.
    ///
    /// With one law only, the scenario's own is compared with it.
    ///
    /// # Errors
    /// [`CompareError`].
    pub fn read(request: &CompareRequest) -> Result<Self, CompareError> {
        let mut candidates = laws::candidates(&request.laws, &request.parameters)?;
        let mut sources = SourceMap::new();
        let template = match Template::read(&request.scenario, &request.overrides, &mut sources) {
            Ok(template) => template,
            Err(diagnostics) => return Err(unsound(diagnostics, sources)),
        };
        let base = match template.build(&Changes::NONE, &mut sources) {
            Ok(base) => base,
            Err(diagnostics) => return Err(unsound(diagnostics, sources)),
        };
        let contacts = compared(&base, &request.contacts)?;
        if let ([only], Some(first)) = (&candidates[..], contacts.first())
            && first.own.card().name != only.label
        {
            candidates.insert(0, Candidate::own(first.own.declaration()));
        }
        let needs = |contact: &Compared| {
            candidates.iter().any(|c| {
                c.law != contact.own.declaration() && needs_load(&contact.own.card(), &c.law.card())
            })
        };
        let loads = if contacts.iter().any(needs) {
            normal_forces(&base)
        } else {
            std::collections::BTreeMap::new()
        };
        let variant = |candidate: Candidate| {
            let mut variant = Variant {
                candidate,
                // they may name states that only the scenario's law has, and are not looked at
                removed: vec!["expect".to_owned(), "plot".to_owned()],
                texts: Vec::new(),
                notes: Vec::new(),
            };
            for contact in &contacts {
                variant.change(contact, &template, loads.get(&contact.name).copied());
            }
            variant
        };
        let comparison = Self {
            variants: candidates.into_iter().map(variant).collect(),
            template,
            sources,
            base,
            contacts,
        };
        comparison.check_given()?;
        Ok(comparison)
    }

    /// The scenario's title.
    pub fn title(&self) -> &str {
        &self.base.title
    }

    /// The scenario's end time, s.
    pub fn end_time(&self) -> f64 {
        self.base.plan.end_time
    }

    /// Labels of the laws.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.variants
            .iter()
            .map(|variant| variant.candidate.label.as_str())
    }

    /// Parameters that the user gives for a law must be sound: that is bad input, not a law that
    /// fails.
    fn check_given(&self) -> Result<(), CompareError> {
        for variant in self
            .variants
            .iter()
            .filter(|v| !v.candidate.given.is_empty())
        {
            let mut sources = self.sources.clone();
            if let Err(diagnostics) = self.template.build(&variant.changes(), &mut sources) {
                return Err(unsound(diagnostics, sources));
            }
        }
        Ok(())
    }

    /// Runs the law at a place in the list; `step` hears the model time and may stop the run.
    ///
    /// Nothing if there is no such law or the run was stopped.
    pub fn run(
        &self,
        index: usize,
        stop: &AtomicBool,
        step: &mut dyn FnMut(f64),
    ) -> Option<LawRun> {
        let variant = self.variants.get(index)?;
        let mut run = LawRun {
            label: variant.candidate.label.clone(),
            law: variant.candidate.law.card().name.to_owned(),
            changes: variant.texts.clone(),
            notes: variant.notes.clone(),
            summary: None,
            reason: None,
            contacts: Vec::new(),
        };
        let mut sources = self.sources.clone();
        let scenario = match self.template.build(&variant.changes(), &mut sources) {
            Ok(scenario) => scenario,
            Err(diagnostics) => {
                let mut errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
                run.reason = errors
                    .next()
                    .map(|error: &Diagnostic| error.message.clone());
                return Some(run);
            }
        };
        let channels = channels_of(&scenario);
        let mut tracing = Tracing {
            places: self
                .contacts
                .iter()
                .map(|c| ChannelPlaces::of(&c.name, c.points, &channels))
                .collect(),
            traces: vec![(Trace::default(), 0.0); self.contacts.len()],
            stop,
            step,
        };
        let summary = execute(&scenario, &mut tracing);
        if summary.status == Status::Interrupted {
            return None;
        }
        let traces = tracing.traces;
        run.reason = summary.error.as_ref().map(|error| error.message.clone());
        for (contact, (trace, _)) in self.contacts.iter().zip(traces) {
            let own = scenario.model.contacts().find(|c| c.name == contact.name);
            let Some(law) = own.and_then(|own| own.friction.law()) else {
                continue;
            };
            let slipped = summary
                .contacts
                .get(&contact.name)
                .cloned()
                .unwrap_or_default();
            let levels = levels(contact, law, &trace);
            run.contacts.push(ContactRun {
                name: contact.name.clone(),
                behaviour: measure(&trace, &levels, slipped.first_slip_time),
                summary: slipped,
                trace,
            });
        }
        run.summary = Some(summary);
        Some(run)
    }
}

fn unsound(diagnostics: Diagnostics, sources: SourceMap) -> CompareError {
    CompareError::Scenario {
        diagnostics,
        sources: Box::new(sources),
    }
}

/// The contacts whose law changes.
fn compared(base: &Scenario, names: &[String]) -> Result<Vec<Compared>, CompareError> {
    let with_law = |contact: &Contact| {
        Some(Compared {
            name: contact.name.clone(),
            points: contact.points.len(),
            slip_speed: contact.slip_speed,
            own: contact.friction.law()?.clone(),
        })
    };
    let all: Vec<Compared> = base.model.contacts().filter_map(with_law).collect();
    if all.is_empty() {
        return Err(CompareError::NoContact);
    }
    for name in names {
        if all.iter().all(|contact| contact.name != *name) {
            let known: Vec<&str> = all.iter().map(|contact| contact.name.as_str()).collect();
            let suggestion = suggest::did_you_mean(name, known.iter().copied())
                .unwrap_or_else(|| format!("it has {}", known.join(", ")));
            return Err(CompareError::Contact {
                name: name.clone(),
                suggestion: format!("; {suggestion}"),
            });
        }
    }
    let chosen = |contact: &Compared| names.is_empty() || names.contains(&contact.name);
    Ok(all.into_iter().filter(chosen).collect())
}

/// The levels against which a trace is judged.
fn levels(contact: &Compared, law: &Friction, trace: &Trace) -> RunLevels {
    let loads: Vec<f64> = trace.normal.iter().copied().filter(|n| *n > 0.0).collect();
    let load = loads.iter().sum::<f64>() / loads.len().max(1) as f64 / contact.points.max(1) as f64;
    let facts = Facts::of(law, Some(load));
    let scenario = Facts::of(&contact.own, None);
    let value = |fact: &Option<crate::adapt::SourcedNumber>| fact.as_ref().map(|fact| fact.value);
    let peak = value(&scenario.static_level).zip(value(&scenario.kinetic_level));
    RunLevels {
        highest: facts.level().map_or(0.0, |fact| fact.value),
        viscous: value(&facts.viscous).unwrap_or(0.0),
        peak: peak.filter(|(mu_s, mu_k)| mu_s > &(1.02 * mu_k)),
        slip_speed: contact.slip_speed,
    }
}

impl Variant {
    fn change(&mut self, contact: &Compared, template: &Template, load: Option<f64>) {
        let Candidate {
            law, text, given, ..
        } = &self.candidate;
        let own = contact.own.declaration();
        if own == *law && given.is_empty() {
            return;
        }
        let card = law.card();
        let friction = format!("contact.{}.friction", contact.name);
        let table = template
            .root()
            .find(&friction)
            .and_then(|node| node.as_table());
        let adapted = adapt(&contact.own, table, &card, given, load);
        let path = |name: &String| format!("{friction}.{name}");
        self.removed.extend(adapted.removed.iter().map(path));
        if own != *law {
            self.texts.push(format!("{friction}.law={text}"));
        }
        let set = adapted.set.iter();
        self.texts
            .extend(set.map(|(name, text)| format!("{friction}.{name}={text}")));
        // one threshold for all, so that their slip times can be compared
        let speed = format_number(contact.slip_speed);
        self.texts
            .push(format!("contact.{}.slip_speed={speed}", contact.name));
        for note in adapted.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        if !adapted.unused.is_empty() {
            let note = format!("{} has no {}", card.name, adapted.unused.join(", "));
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    fn changes(&self) -> Changes<'_> {
        Changes {
            option: LAW,
            removed: &self.removed,
            texts: &self.texts,
        }
    }
}
