//! One scenario under several friction laws.

mod behaviour;
mod laws;
mod trace;
mod tracing;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use bristle_laws::Friction;
use bristle_results::{ChannelTable, ContactSummary, PairKind, Status, Summary, format_number};
use bristle_scenario::{
    Changes, Diagnostic, Diagnostics, Scenario, Severity, SourceMap, Template, suggest,
};

pub use crate::candidate::Candidate;
pub use behaviour::MeasuredBehaviour;
pub use laws::LawError;
pub use trace::{Trace, TraceUnits, along};

use crate::adapt::{Facts, adapt, needs_load};
use crate::engine::{channels_of, execute};
use crate::law_place::LawPlace;
use crate::loads::mean_loads;
use crate::stribeck_peak::Peak;
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
    /// `--contact` and `--joint`: what changes its law; everything if empty.
    pub places: Vec<(PairKind, String)>,
    /// Whether the runs keep their rows.
    pub keeps_rows: bool,
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
    /// A contact or joint that the scenario does not have.
    #[error("--{} {name}: the scenario has no such {} with friction; {suggestion}", kind.word(), kind.word())]
    Place {
        /// What it is said to be.
        kind: PairKind,
        /// The name.
        name: String,
        /// What there is.
        suggestion: String,
    },
    /// A scenario without friction.
    #[error(
        "the scenario has neither a contact nor a joint with friction, so there is no law to compare"
    )]
    NoFriction,
}

/// A comparison that is ready to run.
#[derive(Debug)]
pub struct LawComparison {
    template: Template,
    sources: SourceMap,
    base: Scenario,
    places: Vec<LawPlace>,
    variants: Vec<Variant>,
    keeps_rows: bool,
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
    /// The contacts and joints.
    pub pairs: Vec<PairRun>,
    /// All channels at the output times, if the request asks for them.
    pub table: Option<ChannelTable>,
}

/// One contact, or one joint, in a law's run.
#[derive(Clone, Debug)]
pub struct PairRun {
    /// What it is.
    pub kind: PairKind,
    /// Its name.
    pub name: String,
    /// Slip and stick.
    pub summary: ContactSummary,
    /// How it behaved.
    pub behaviour: MeasuredBehaviour,
    /// At output times and accepted steps.
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
        let places = chosen(&base, &request.places)?;
        if let ([only], Some(first)) = (&candidates[..], places.first())
            && first.law.card().name != only.label
        {
            candidates.insert(0, Candidate::own(first.law.declaration()));
        }
        let needs = |place: &LawPlace| {
            candidates.iter().any(|c| {
                c.law != place.law.declaration() && needs_load(&place.law.card(), &c.law.card())
            })
        };
        let loads = if places.iter().any(needs) {
            mean_loads(&base)
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
            for place in &places {
                variant.change(place, &template, loads.get(&place.path()).copied());
            }
            variant
        };
        let comparison = Self {
            variants: candidates.into_iter().map(variant).collect(),
            template,
            sources,
            base,
            places,
            keeps_rows: request.keeps_rows,
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
            pairs: Vec::new(),
            table: None,
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
                .places
                .iter()
                .map(|place| ChannelPlaces::of(place, &channels))
                .collect(),
            traces: vec![(Trace::default(), 0.0); self.places.len()],
            table: self.keeps_rows.then(|| ChannelTable::new(channels)),
            stop,
            step,
        };
        let summary = execute(&scenario, &mut tracing);
        if summary.status == Status::Interrupted {
            return None;
        }
        let traces = tracing.traces;
        run.table = tracing.table;
        run.reason = summary.error.as_ref().map(|error| error.message.clone());
        let of_run = LawPlace::all(&scenario.model);
        for (place, (trace, _)) in self.places.iter().zip(traces) {
            let Some(own) = of_run.iter().find(|own| own.is_at(&place.path())) else {
                continue;
            };
            let mut pairs = summary.pairs();
            let found = pairs.find(|(kind, name, _)| *kind == place.kind && *name == place.name);
            let slipped = found.map(|(.., pair)| pair.clone()).unwrap_or_default();
            run.pairs.push(PairRun {
                kind: place.kind,
                name: place.name.clone(),
                behaviour: judged(place, &own.law, &trace, slipped.first_slip_time),
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

/// The contacts and joints whose law changes.
fn chosen(base: &Scenario, names: &[(PairKind, String)]) -> Result<Vec<LawPlace>, CompareError> {
    let all = LawPlace::all(&base.model);
    if all.is_empty() {
        return Err(CompareError::NoFriction);
    }
    let is = |place: &LawPlace, (kind, name): &(PairKind, String)| {
        place.kind == *kind && place.name == *name
    };
    for wanted in names {
        if all.iter().any(|place| is(place, wanted)) {
            continue;
        }
        let (kind, name) = wanted.clone();
        let alike = all.iter().filter(|place| place.kind == kind);
        let meant = suggest::did_you_mean(&name, alike.map(|place| place.name.as_str()));
        let options = all
            .iter()
            .map(|place| format!("--{} {}", place.kind.word(), place.name));
        let known = || format!("there is {}", options.collect::<Vec<_>>().join(", "));
        return Err(CompareError::Place {
            kind,
            name,
            suggestion: meant.unwrap_or_else(known),
        });
    }
    let chosen = |place: &LawPlace| names.is_empty() || names.iter().any(|name| is(place, name));
    Ok(all.into_iter().filter(chosen).collect())
}

/// What a trace under a law shows, held against the levels of the law in the units of the trace.
fn judged(
    place: &LawPlace,
    law: &Friction,
    trace: &Trace,
    first_slip: Option<f64>,
) -> MeasuredBehaviour {
    let loads: Vec<f64> = trace.normal.iter().copied().filter(|n| *n > 0.0).collect();
    let load = loads.iter().sum::<f64>() / loads.len().max(1) as f64 / place.points.max(1) as f64;
    let facts = Facts::of(law, Some(load));
    let lever = place.radius.unwrap_or(1.0);
    let steady = |speed: f64| Some(law.steady(speed * lever, load)? / load);
    let levels = RunLevels {
        highest: facts.level().map_or(0.0, |fact| fact.value),
        viscous: facts.viscous.as_ref().map_or(0.0, |fact| fact.value) * lever,
        own: Peak::of(law, load),
        steady: Some(&steady),
        scenario: Peak::of(&place.law, load),
        slip_speed: place.slip_speed / lever,
    };
    measure(trace, &levels, first_slip)
}

impl Variant {
    fn change(&mut self, place: &LawPlace, template: &Template, load: Option<f64>) {
        let Candidate {
            law, text, given, ..
        } = &self.candidate;
        let own = place.law.declaration();
        if own == *law && given.is_empty() {
            return;
        }
        let card = law.card();
        let path = place.path();
        let friction = format!("{path}.friction");
        let table = template
            .root()
            .find(&friction)
            .and_then(|node| node.as_table());
        let adapted = adapt(&place.law, table, &card, given, load);
        let field = |name: &String| format!("{friction}.{name}");
        self.removed.extend(adapted.removed.iter().map(field));
        if own != *law {
            self.texts.push(format!("{friction}.law={text}"));
        }
        let set = adapted.set.iter();
        self.texts
            .extend(set.map(|(name, text)| format!("{friction}.{name}={text}")));
        // one threshold for all, so that their slip times can be compared
        let speed = format_number(place.slip_speed);
        self.texts.push(format!("{path}.slip_speed={speed}"));
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
