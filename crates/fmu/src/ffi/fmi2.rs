//! The functions of FMI 2.0.

#![allow(
    non_snake_case,
    clippy::too_many_arguments,
    reason = "names and arguments are those of the standard"
)]

use std::ffi::{c_char, c_int, c_void};

use super::handle::{
    FmuHandle, Logger, Logger2, MessageLog, call, free, free_state, instantiate, state,
};
use super::location::folder_of_uri;
use super::pointers::{place, slice, slice_mut, text};
use super::shared::{
    counted, deserialise, done, no_output_derivatives, no_variables, none_of, plain_calls,
    serialise, state_functions,
};
use crate::error::{FmiStatus, FmuError};
use crate::instance::FmuInstance;
use crate::phase::FmuPhase;

/// Number of `fmi2CoSimulation`.
const CO_SIMULATION: c_int = 1;

/// The callbacks of an importer; each may be missing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Fmi2Callbacks {
    /// Takes messages.
    pub logger: Option<Logger2>,
    /// Not used.
    pub allocate_memory: *const c_void,
    /// Not used.
    pub free_memory: *const c_void,
    /// Not used: steps end before they return.
    pub step_finished: *const c_void,
    /// Handed to the logger.
    pub environment: *mut c_void,
}

/// The outcome of an event.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Fmi2EventInfo {
    /// Always 0: all modes are changed at once.
    pub new_discrete_states_needed: c_int,
    /// Always 0.
    pub terminate_simulation: c_int,
    /// Always 0.
    pub nominals_changed: c_int,
    /// 1 if a state jumped.
    pub values_changed: c_int,
    /// Always 0: there are no time events.
    pub next_event_time_defined: c_int,
    /// Without meaning.
    pub next_event_time: f64,
}

/// The platform of the types.
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

/// The version.
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

/// Accepted; the log has warnings and errors always.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetDebugLogging(
    c: *mut c_void,
    _logging_on: c_int,
    _count: usize,
    _categories: *const *const c_char,
) -> c_int {
    unsafe { call(c, |_| Ok(FmiStatus::Ok)) }
}

/// A new instance, or NULL with the reason in the log.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    resources: *const c_char,
    functions: *const Fmi2Callbacks,
    _visible: c_int,
    _logging_on: c_int,
) -> *mut c_void {
    let functions = unsafe { functions.as_ref() };
    let logger = functions.and_then(|functions| functions.logger);
    let environment = functions.map_or(std::ptr::null_mut(), |functions| functions.environment);
    let name = unsafe { text(name, "instanceName") }.unwrap_or_default();
    let log = MessageLog::new(Logger::Two(logger), environment, &name);
    instantiate(log, || {
        let guid = unsafe { text(guid, "fmuGUID") }?;
        let resources = unsafe { text(resources, "fmuResourceLocation") }?;
        let instance = FmuInstance::new(&folder_of_uri(&resources)?, &guid)?;
        if instance.is_co_simulation() != (kind == CO_SIMULATION) {
            return Err(FmuError::wrong(if instance.is_co_simulation() {
                "this FMU is for co-simulation only"
            } else {
                "this FMU is for model exchange only"
            }));
        }
        Ok(instance)
    })
}

/// Ends an instance; NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(c: *mut c_void) {
    unsafe { free(c) }
}

/// Takes the times of the experiment; a scenario has a tolerance of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
    c: *mut c_void,
    _tolerance_defined: c_int,
    _tolerance: f64,
    start: f64,
    stop_defined: c_int,
    stop: f64,
) -> c_int {
    let stop = (stop_defined != 0).then_some(stop);
    unsafe { done(c, |fmu| fmu.set_experiment(start, stop)) }
}

plain_calls! {
    /// Begins the initialisation.
    fmi2EnterInitializationMode => FmuInstance::enter_initialization;
    /// Ends the initialisation.
    fmi2ExitInitializationMode => FmuInstance::exit_initialization;
    /// Enters the event mode.
    fmi2EnterEventMode => |fmu| fmu.enter(FmuPhase::Event);
    /// Enters the continuous-time mode.
    fmi2EnterContinuousTimeMode => |fmu| fmu.enter(FmuPhase::Continuous);
    /// Ends the simulation.
    fmi2Terminate => FmuInstance::terminate;
    /// Goes back to the state after the instantiation.
    fmi2Reset => FmuInstance::reset;
}

state_functions! {
    byte: c_char,
    save: fmi2GetFMUstate, restore: fmi2SetFMUstate, free: fmi2FreeFMUstate,
    size: fmi2SerializedFMUstateSize, serialise: fmi2SerializeFMUstate, deserialise: fmi2DeSerializeFMUstate,
    time: fmi2SetTime, set_states: fmi2SetContinuousStates, indicators: fmi2GetEventIndicators,
    of_states: {
        fmi2GetDerivatives => derivatives,
        fmi2GetContinuousStates => states,
        fmi2GetNominalsOfContinuousStates => nominals,
    },
}

/// Reads numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(
    c: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut f64,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            let references = slice(references, count, "vr")?;
            fmu.get(references, slice_mut(values, count, "value")?)
        })
    }
}

/// Sets numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(
    c: *mut c_void,
    references: *const u32,
    count: usize,
    values: *const f64,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            let references = slice(references, count, "vr")?;
            fmu.set(references, slice(values, count, "value")?)
        })
    }
}

no_variables! {
    fmi2GetInteger("Integer", _values: *mut c_int);
    fmi2GetBoolean("Boolean", _values: *mut c_int);
    fmi2GetString("String", _values: *mut *const c_char);
    fmi2SetInteger("Integer", _values: *const c_int);
    fmi2SetBoolean("Boolean", _values: *const c_int);
    fmi2SetString("String", _values: *const *const c_char);
}

/// Derivatives along a direction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    c: *mut c_void,
    unknowns: *const u32,
    unknown_count: usize,
    knowns: *const u32,
    known_count: usize,
    seed: *const f64,
    out: *mut f64,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            fmu.directional(
                slice(unknowns, unknown_count, "vUnknown_ref")?,
                slice(knowns, known_count, "vKnown_ref")?,
                slice(seed, known_count, "dvKnown")?,
                slice_mut(out, unknown_count, "dvUnknown")?,
            )
        })
    }
}

/// Changes modes that have ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2NewDiscreteStates(c: *mut c_void, info: *mut Fmi2EventInfo) -> c_int {
    unsafe {
        done(c, |fmu| {
            let info = place(info, "eventInfo")?;
            *info = Fmi2EventInfo {
                values_changed: c_int::from(fmu.update_modes()?),
                ..Fmi2EventInfo::default()
            };
            Ok(())
        })
    }
}

/// Follows an accepted step of the solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    c: *mut c_void,
    _no_set_state_before: c_int,
    enter_event_mode: *mut c_int,
    terminate: *mut c_int,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            *place(enter_event_mode, "enterEventMode")? = c_int::from(fmu.completed_step()?);
            *place(terminate, "terminateSimulation")? = 0;
            Ok(())
        })
    }
}

/// Sets rates of change of inputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
    c: *mut c_void,
    references: *const u32,
    count: usize,
    orders: *const c_int,
    values: *const f64,
) -> c_int {
    unsafe {
        call(c, |handle| {
            let references = slice(references, count, "vr")?;
            let orders = slice(orders, count, "order")?;
            let values = slice(values, count, "value")?;
            let mut status = FmiStatus::Ok;
            for ((reference, order), value) in references.iter().zip(orders).zip(values) {
                if !handle.instance.set_slope(*reference, *order, *value)? {
                    status = FmiStatus::Warning;
                }
            }
            if status == FmiStatus::Warning {
                let text =
                    "derivatives of loads are used up to order 1, those of motions not at all";
                handle.log.tell(status, text);
            }
            Ok(status)
        })
    }
}

/// There are no derivatives of outputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealOutputDerivatives(
    c: *mut c_void,
    _references: *const u32,
    count: usize,
    _orders: *const c_int,
    _values: *mut f64,
) -> c_int {
    unsafe { done(c, |_| no_output_derivatives(count)) }
}

/// Steps to the next communication point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DoStep(
    c: *mut c_void,
    from: f64,
    length: f64,
    _no_set_state_before: c_int,
) -> c_int {
    unsafe {
        call(c, |handle| {
            let ended = handle.instance.do_step(from, length);
            step_ended(handle, ended.map(|end| (end.is_over, end.short)))
        })
    }
}

/// Notes the outcome of a step, for those who ask later.
fn step_ended(
    handle: &mut FmuHandle,
    ended: Result<(bool, Option<FmuError>), FmuError>,
) -> Result<FmiStatus, FmuError> {
    let (is_over, short) = match ended {
        Ok(ended) => ended,
        Err(error) => (false, Some(error)),
    };
    let Some(error) = short else {
        handle.note(FmiStatus::Ok, false, "");
        return Ok(FmiStatus::Ok);
    };
    handle.note(error.status, is_over, &error.text);
    Err(error)
}

/// Steps end before they return: there is nothing to cancel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CancelStep(c: *mut c_void) -> c_int {
    unsafe { done(c, |_| Err(FmuError::wrong("there is no step to cancel"))) }
}

/// The status of the last step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStatus(c: *mut c_void, kind: c_int, value: *mut c_int) -> c_int {
    unsafe {
        call(c, |handle| {
            expect_kind(kind, 0)?;
            *place(value, "value")? = handle.last.status.code();
            Ok(FmiStatus::Ok)
        })
    }
}

/// The time that the last step reached.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(c: *mut c_void, kind: c_int, value: *mut f64) -> c_int {
    unsafe {
        call(c, |handle| {
            expect_kind(kind, 2)?;
            *place(value, "value")? = handle.last.time;
            Ok(FmiStatus::Ok)
        })
    }
}

/// There is no integer status.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetIntegerStatus(
    c: *mut c_void,
    kind: c_int,
    _value: *mut c_int,
) -> c_int {
    unsafe { call(c, |_| expect_kind(kind, -1).map(|()| FmiStatus::Ok)) }
}

/// Whether the scenario is over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(
    c: *mut c_void,
    kind: c_int,
    value: *mut c_int,
) -> c_int {
    unsafe {
        call(c, |handle| {
            expect_kind(kind, 3)?;
            *place(value, "value")? = c_int::from(handle.last.is_over);
            Ok(FmiStatus::Ok)
        })
    }
}

/// Why the last step is not done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStringStatus(
    c: *mut c_void,
    kind: c_int,
    value: *mut *const c_char,
) -> c_int {
    unsafe {
        call(c, |handle| {
            expect_kind(kind, 1)?;
            *place(value, "value")? = handle.last.reason.as_ptr();
            Ok(FmiStatus::Ok)
        })
    }
}

/// Refuses another kind of status than the one that a function has.
fn expect_kind(kind: c_int, expected: c_int) -> Result<(), FmuError> {
    if kind == expected {
        return Ok(());
    }
    Err(FmuError::discard(format!(
        "there is no status of the kind {kind} of this type"
    )))
}
