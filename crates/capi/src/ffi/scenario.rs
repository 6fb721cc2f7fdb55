//! Scenarios: read and changed.

use std::ffi::{c_char, c_int};
use std::path::Path;

use bristle_scenario::{Changes, Scenario, ScenarioText, SourceMap, Template};

use super::call::{call, text, text_of, unique};
use crate::status::CallError;

/// What a pointer to a scenario points to.
#[derive(Debug)]
pub struct CScenario {
    template: Template,
    sources: SourceMap,
    changes: Vec<String>,
}

impl CScenario {
    fn new(template: Template, sources: SourceMap) -> Self {
        Self {
            template,
            sources,
            changes: Vec::new(),
        }
    }

    /// Builds it with its changes.
    pub(super) fn build(&self) -> Result<Scenario, CallError> {
        let mut sources = self.sources.clone();
        let changes = Changes {
            option: "bristle_scenario_set",
            removed: &[],
            texts: &self.changes,
        };
        let built = self.template.build(&changes, &mut sources);
        built.map_err(|all| CallError::diagnosed(&all, &sources))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_scenario_load(
    path: *const c_char,
    scenario: *mut *mut CScenario,
) -> c_int {
    call(|| unsafe {
        let out = unique(scenario, "scenario")?;
        let mut sources = SourceMap::new();
        let read = Template::read(Path::new(text(path, "path")?), &[], &mut sources);
        let template = read.map_err(|all| CallError::diagnosed(&all, &sources))?;
        *out = Box::into_raw(Box::new(CScenario::new(template, sources)));
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_scenario_from_toml(
    toml: *const c_char,
    length: usize,
    folder: *const c_char,
    scenario: *mut *mut CScenario,
) -> c_int {
    call(|| unsafe {
        let out = unique(scenario, "scenario")?;
        let folder = if folder.is_null() {
            ""
        } else {
            text(folder, "folder")?
        };
        let given = ScenarioText {
            name: "scenario",
            text: text_of(toml, length, "text")?,
            folder: Path::new(folder),
        };
        let mut sources = SourceMap::new();
        let read = Template::of_text(&given, &[], &mut sources);
        let template = read.map_err(|all| CallError::diagnosed(&all, &sources))?;
        *out = Box::into_raw(Box::new(CScenario::new(template, sources)));
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_scenario_free(scenario: *mut CScenario) {
    if !scenario.is_null() {
        // SAFETY: it came from a box, and the caller gives it up.
        drop(unsafe { Box::from_raw(scenario) });
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_scenario_set(
    scenario: *mut CScenario,
    path: *const c_char,
    value: *const c_char,
) -> c_int {
    call(|| unsafe {
        let scenario = unique(scenario, "scenario")?;
        let change = format!("{}={}", text(path, "path")?, text(value, "value")?);
        scenario.changes.push(change);
        Ok(())
    })
}
