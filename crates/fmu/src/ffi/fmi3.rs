//! The functions of FMI 3.0.

#![allow(
    non_snake_case,
    clippy::too_many_arguments,
    reason = "names and arguments are those of the standard"
)]

use std::ffi::{c_char, c_int, c_void};
use std::path::PathBuf;

use super::handle::{
    FmuHandle, Logger, Logger3, MessageLog, call, free, free_state, instantiate, state,
};
use super::pointers::{place, slice, slice_mut, text};
use super::shared::{
    counted, deserialise, done, no_output_derivatives, no_variables, none_of, plain_calls,
    serialise, state_functions,
};
use crate::error::{FmiStatus, FmuError};
use crate::instance::FmuInstance;
use crate::phase::FmuPhase;

/// The version.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

/// Accepted; the log has warnings and errors always.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetDebugLogging(
    c: *mut c_void,
    _logging_on: bool,
    _count: usize,
    _categories: *const *const c_char,
) -> c_int {
    unsafe { call(c, |_| Ok(FmiStatus::Ok)) }
}

/// What every instantiation is given.
struct Instantiation {
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    environment: *mut c_void,
    logger: Option<Logger3>,
}

unsafe fn new_instance(given: &Instantiation, is_co_simulation: bool) -> *mut c_void {
    let name = unsafe { text(given.name, "instanceName") }.unwrap_or_default();
    let log = MessageLog::new(Logger::Three(given.logger), given.environment, &name);
    instantiate(log, || {
        let token = unsafe { text(given.token, "instantiationToken") }?;
        let resources = unsafe { text(given.resources, "resourcePath") }?;
        let instance = FmuInstance::new(&PathBuf::from(resources), &token)?;
        if instance.is_co_simulation() != is_co_simulation {
            return Err(FmuError::wrong(if instance.is_co_simulation() {
                "this FMU is for co-simulation only"
            } else {
                "this FMU is for model exchange only"
            }));
        }
        Ok(instance)
    })
}

/// A new instance of a law, or NULL with the reason in the log.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging_on: bool,
    environment: *mut c_void,
    logger: Option<Logger3>,
) -> *mut c_void {
    let given = Instantiation {
        name,
        token,
        resources,
        environment,
        logger,
    };
    unsafe { new_instance(&given, false) }
}

/// A new instance of a scenario, or NULL with the reason in the log.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging_on: bool,
    _event_mode_used: bool,
    early_return_allowed: bool,
    _intermediate: *const u32,
    _intermediate_count: usize,
    environment: *mut c_void,
    logger: Option<Logger3>,
    _intermediate_update: *const c_void,
) -> *mut c_void {
    let given = Instantiation {
        name,
        token,
        resources,
        environment,
        logger,
    };
    let instance = unsafe { new_instance(&given, true) };
    // SAFETY: the pointer was made a line above, or is NULL.
    if let Some(handle) = unsafe { instance.cast::<FmuHandle>().as_mut() } {
        handle.may_return_early = early_return_allowed;
    }
    instance
}

/// There is no scheduled execution: NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging_on: bool,
    environment: *mut c_void,
    logger: Option<Logger3>,
    _clock_update: *const c_void,
    _lock_preemption: *const c_void,
    _unlock_preemption: *const c_void,
) -> *mut c_void {
    let name = unsafe { text(name, "instanceName") }.unwrap_or_default();
    let log = MessageLog::new(Logger::Three(logger), environment, &name);
    log.tell(FmiStatus::Error, "the FMU has no scheduled execution");
    std::ptr::null_mut()
}

/// Ends an instance; NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(c: *mut c_void) {
    unsafe { free(c) }
}

/// Begins the initialisation; a scenario has a tolerance of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterInitializationMode(
    c: *mut c_void,
    _tolerance_defined: bool,
    _tolerance: f64,
    start: f64,
    stop_defined: bool,
    stop: f64,
) -> c_int {
    let stop = stop_defined.then_some(stop);
    unsafe {
        done(c, |fmu| {
            fmu.set_experiment(start, stop)?;
            fmu.enter_initialization()
        })
    }
}

plain_calls! {
    /// Ends the initialisation.
    fmi3ExitInitializationMode => FmuInstance::exit_initialization;
    /// Enters the event mode.
    fmi3EnterEventMode => |fmu| fmu.enter(FmuPhase::Event);
    /// Enters the continuous-time mode.
    fmi3EnterContinuousTimeMode => |fmu| fmu.enter(FmuPhase::Continuous);
    /// Ends the simulation.
    fmi3Terminate => FmuInstance::terminate;
    /// Goes back to the state after the instantiation.
    fmi3Reset => FmuInstance::reset;
    /// There are no structural parameters.
    fmi3EnterConfigurationMode => |_| {
        Err(FmuError::wrong("the FMU has no structural parameters"))
    };
    /// There are no structural parameters.
    fmi3ExitConfigurationMode => |_| {
        Err(FmuError::wrong("the FMU has no structural parameters"))
    };
    /// There is nothing to evaluate at events but modes.
    fmi3EvaluateDiscreteStates => |_| Ok(());
    /// There is no event mode of co-simulation to come back from.
    fmi3EnterStepMode => |fmu| fmu.expect("the step mode", &[FmuPhase::Step]);
}

state_functions! {
    byte: u8,
    save: fmi3GetFMUState, restore: fmi3SetFMUState, free: fmi3FreeFMUState,
    size: fmi3SerializedFMUStateSize, serialise: fmi3SerializeFMUState, deserialise: fmi3DeserializeFMUState,
    time: fmi3SetTime, set_states: fmi3SetContinuousStates, indicators: fmi3GetEventIndicators,
    of_states: {
        fmi3GetContinuousStateDerivatives => derivatives,
        fmi3GetContinuousStates => states,
        fmi3GetNominalsOfContinuousStates => nominals,
    },
}

/// Reads numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    c: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut f64,
    value_count: usize,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            counted("values", value_count, count)?;
            let references = slice(references, count, "valueReferences")?;
            fmu.get(references, slice_mut(values, count, "values")?)
        })
    }
}

/// Sets numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    c: *mut c_void,
    references: *const u32,
    count: usize,
    values: *const f64,
    value_count: usize,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            counted("values", value_count, count)?;
            let references = slice(references, count, "valueReferences")?;
            fmu.set(references, slice(values, count, "values")?)
        })
    }
}

no_variables! {
    fmi3GetFloat32("Float32", _values: *mut f32, _value_count: usize);
    fmi3SetFloat32("Float32", _values: *const f32, _value_count: usize);
    fmi3GetInt8("Int8", _values: *mut i8, _value_count: usize);
    fmi3SetInt8("Int8", _values: *const i8, _value_count: usize);
    fmi3GetUInt8("UInt8", _values: *mut u8, _value_count: usize);
    fmi3SetUInt8("UInt8", _values: *const u8, _value_count: usize);
    fmi3GetInt16("Int16", _values: *mut i16, _value_count: usize);
    fmi3SetInt16("Int16", _values: *const i16, _value_count: usize);
    fmi3GetUInt16("UInt16", _values: *mut u16, _value_count: usize);
    fmi3SetUInt16("UInt16", _values: *const u16, _value_count: usize);
    fmi3GetInt32("Int32", _values: *mut i32, _value_count: usize);
    fmi3SetInt32("Int32", _values: *const i32, _value_count: usize);
    fmi3GetUInt32("UInt32", _values: *mut u32, _value_count: usize);
    fmi3SetUInt32("UInt32", _values: *const u32, _value_count: usize);
    fmi3GetInt64("Int64", _values: *mut i64, _value_count: usize);
    fmi3SetInt64("Int64", _values: *const i64, _value_count: usize);
    fmi3GetUInt64("UInt64", _values: *mut u64, _value_count: usize);
    fmi3SetUInt64("UInt64", _values: *const u64, _value_count: usize);
    fmi3GetBoolean("Boolean", _values: *mut bool, _value_count: usize);
    fmi3SetBoolean("Boolean", _values: *const bool, _value_count: usize);
    fmi3GetString("String", _values: *mut *const c_char, _value_count: usize);
    fmi3SetString("String", _values: *const *const c_char, _value_count: usize);
    fmi3GetBinary("Binary", _sizes: *mut usize, _values: *mut *const u8, _value_count: usize);
    fmi3SetBinary("Binary", _sizes: *const usize, _values: *const *const u8, _value_count: usize);
    fmi3GetClock("Clock", _values: *mut bool);
    fmi3SetClock("Clock", _values: *const bool);
    fmi3GetIntervalDecimal("Clock", _intervals: *mut f64, _qualifiers: *mut c_int);
    fmi3GetIntervalFraction("Clock", _counters: *mut u64, _resolutions: *mut u64, _qualifiers: *mut c_int);
    fmi3GetShiftDecimal("Clock", _shifts: *mut f64);
    fmi3GetShiftFraction("Clock", _counters: *mut u64, _resolutions: *mut u64);
    fmi3SetIntervalDecimal("Clock", _intervals: *const f64);
    fmi3SetIntervalFraction("Clock", _counters: *const u64, _resolutions: *const u64);
    fmi3SetShiftDecimal("Clock", _shifts: *const f64);
    fmi3SetShiftFraction("Clock", _counters: *const u64, _resolutions: *const u64);
}

/// The number of dependencies is not known at run time; the description has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfVariableDependencies(
    c: *mut c_void,
    _reference: u32,
    _count: *mut usize,
) -> c_int {
    unsafe { done(c, |_| Err(no_dependencies())) }
}

/// Dependencies do not change; the description has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetVariableDependencies(
    c: *mut c_void,
    _dependent: u32,
    _elements: *mut usize,
    _independents: *mut u32,
    _independent_elements: *mut usize,
    _kinds: *mut c_int,
    _count: usize,
) -> c_int {
    unsafe { done(c, |_| Err(no_dependencies())) }
}

fn no_dependencies() -> FmuError {
    FmuError::wrong("dependencies do not change at run time; modelDescription.xml has them")
}

/// Derivatives along a direction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetDirectionalDerivative(
    c: *mut c_void,
    unknowns: *const u32,
    unknown_count: usize,
    knowns: *const u32,
    known_count: usize,
    seed: *const f64,
    seed_count: usize,
    out: *mut f64,
    out_count: usize,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            counted("seeds", seed_count, known_count)?;
            counted("sensitivities", out_count, unknown_count)?;
            fmu.directional(
                slice(unknowns, unknown_count, "unknowns")?,
                slice(knowns, known_count, "knowns")?,
                slice(seed, known_count, "seed")?,
                slice_mut(out, unknown_count, "sensitivity")?,
            )
        })
    }
}

/// Derivatives of a weighted sum of unknowns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetAdjointDerivative(
    c: *mut c_void,
    unknowns: *const u32,
    unknown_count: usize,
    knowns: *const u32,
    known_count: usize,
    seed: *const f64,
    seed_count: usize,
    out: *mut f64,
    out_count: usize,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            counted("seeds", seed_count, unknown_count)?;
            counted("sensitivities", out_count, known_count)?;
            fmu.adjoint(
                slice(unknowns, unknown_count, "unknowns")?,
                slice(knowns, known_count, "knowns")?,
                slice(seed, unknown_count, "seed")?,
                slice_mut(out, known_count, "sensitivity")?,
            )
        })
    }
}

/// Changes modes that have ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    c: *mut c_void,
    need_update: *mut bool,
    terminate: *mut bool,
    nominals_changed: *mut bool,
    values_changed: *mut bool,
    next_time_defined: *mut bool,
    next_time: *mut f64,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            *place(need_update, "discreteStatesNeedUpdate")? = false;
            *place(terminate, "terminateSimulation")? = false;
            *place(nominals_changed, "nominalsOfContinuousStatesChanged")? = false;
            *place(next_time_defined, "nextEventTimeDefined")? = false;
            *place(next_time, "nextEventTime")? = 0.0;
            let changed = place(values_changed, "valuesOfContinuousStatesChanged")?;
            *changed = fmu.update_modes()?;
            Ok(())
        })
    }
}

/// Follows an accepted step of the solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3CompletedIntegratorStep(
    c: *mut c_void,
    _no_set_state_before: bool,
    enter_event_mode: *mut bool,
    terminate: *mut bool,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            *place(enter_event_mode, "enterEventMode")? = fmu.completed_step()?;
            *place(terminate, "terminateSimulation")? = false;
            Ok(())
        })
    }
}

/// Number of event indicators.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfEventIndicators(
    c: *mut c_void,
    count: *mut usize,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            *place(count, "nEventIndicators")? = fmu.sizes().1;
            Ok(())
        })
    }
}

/// Number of states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfContinuousStates(
    c: *mut c_void,
    count: *mut usize,
) -> c_int {
    unsafe {
        done(c, |fmu| {
            *place(count, "nContinuousStates")? = fmu.sizes().0;
            Ok(())
        })
    }
}

/// There are no derivatives of outputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetOutputDerivatives(
    c: *mut c_void,
    _references: *const u32,
    count: usize,
    _orders: *const i32,
    _values: *mut f64,
    _value_count: usize,
) -> c_int {
    unsafe { done(c, |_| no_output_derivatives(count)) }
}

/// Steps to the next communication point. Where the importer allows it, a step that cannot be done as
/// a whole returns early at the time that was reached.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    c: *mut c_void,
    from: f64,
    length: f64,
    _no_set_state_before: bool,
    event_handling_needed: *mut bool,
    terminate: *mut bool,
    early_return: *mut bool,
    last_time: *mut f64,
) -> c_int {
    unsafe {
        call(c, |handle| {
            let event = place(event_handling_needed, "eventHandlingNeeded")?;
            let terminate = place(terminate, "terminateSimulation")?;
            let early = place(early_return, "earlyReturn")?;
            let last = place(last_time, "lastSuccessfulTime")?;
            (*event, *terminate, *early) = (false, false, false);
            *last = handle.instance.time();
            let before = handle.instance.time();
            let end = handle.instance.do_step(from, length)?;
            *last = end.time;
            let Some(error) = end.short else {
                return Ok(FmiStatus::Ok);
            };
            *terminate = end.is_over;
            if !(handle.may_return_early && end.time > before) {
                return Err(error);
            }
            *early = true;
            handle.log.tell(FmiStatus::Warning, &error.text);
            Ok(FmiStatus::Ok)
        })
    }
}

/// There are no model partitions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3ActivateModelPartition(
    c: *mut c_void,
    _clock: u32,
    _time: f64,
) -> c_int {
    unsafe { done(c, |_| none_of("Clock", 1)) }
}
