//! Runs that are taken step by step.

use std::ffi::{c_char, c_int};

use bristle_study::{Held, Session};

use super::call::{call, give_bytes, give_text, shared, slice, slice_mut, text, unique};
use super::scenario::CScenario;
use crate::status::CallError;

/// What a pointer to a session points to.
#[derive(Debug)]
pub struct CSession {
    session: Session,
}

fn no_such(what: &str, place: usize, count: usize) -> CallError {
    CallError::argument(format!("{what} {place}: there are {count}, counted from 0"))
}

/// One of the texts of a channel or an input.
fn chosen(texts: [&str; 3], what: c_int) -> Result<&str, CallError> {
    usize::try_from(what)
        .ok()
        .and_then(|what| texts.get(what).copied())
        .ok_or_else(|| {
            CallError::argument(format!(
                "what = {what}: expected 0 (name), 1 (unit) or 2 (meaning)"
            ))
        })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_start(
    scenario: *const CScenario,
    session: *mut *mut CSession,
) -> c_int {
    call(|| unsafe {
        let out = unique(session, "session")?;
        let session = Session::start(shared(scenario, "scenario")?.build()?)?;
        *out = Box::into_raw(Box::new(CSession { session }));
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_free(session: *mut CSession) {
    if !session.is_null() {
        // SAFETY: it came from a box, and the caller gives it up.
        drop(unsafe { Box::from_raw(session) });
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_time(
    session: *const CSession,
    time: *mut f64,
    end_time: *mut f64,
) -> c_int {
    call(|| unsafe {
        let session = &shared(session, "session")?.session;
        if let Some(time) = time.as_mut() {
            *time = session.time();
        }
        if let Some(end_time) = end_time.as_mut() {
            *end_time = session.end_time();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_step_to(session: *mut CSession, time: f64) -> c_int {
    call(|| unsafe {
        unique(session, "session")?.session.step_to(time)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_counts(
    session: *const CSession,
    channels: *mut usize,
    inputs: *mut usize,
) -> c_int {
    call(|| unsafe {
        let session = &shared(session, "session")?.session;
        if let Some(channels) = channels.as_mut() {
            *channels = session.channels().len();
        }
        if let Some(inputs) = inputs.as_mut() {
            *inputs = session.inputs().len();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_channel_text(
    session: *const CSession,
    channel: usize,
    what: c_int,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> c_int {
    call(|| unsafe {
        let all = shared(session, "session")?.session.channels();
        let own = all.get(channel);
        let own = own.ok_or_else(|| no_such("channel", channel, all.len()))?;
        let text = chosen([&own.name, &own.unit, &own.meaning], what)?;
        give_text(text, buffer, capacity, needed)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_input_text(
    session: *const CSession,
    input: usize,
    what: c_int,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> c_int {
    call(|| unsafe {
        let all = shared(session, "session")?.session.inputs();
        let own = all.get(input);
        let own = &own.ok_or_else(|| no_such("input", input, all.len()))?.model;
        let text = chosen([&own.name, own.unit, &own.meaning], what)?;
        give_text(text, buffer, capacity, needed)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_channel(
    session: *const CSession,
    name: *const c_char,
    channel: *mut usize,
) -> c_int {
    call(|| unsafe {
        let session = &shared(session, "session")?.session;
        *unique(channel, "channel")? = session.channel(text(name, "name")?)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_input(
    session: *const CSession,
    name: *const c_char,
    input: *mut usize,
) -> c_int {
    call(|| unsafe {
        let session = &shared(session, "session")?.session;
        *unique(input, "input")? = session.input(text(name, "name")?)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_values(
    session: *mut CSession,
    values: *mut f64,
    count: usize,
) -> c_int {
    call(|| unsafe {
        let session = &mut unique(session, "session")?.session;
        let own = session.values()?;
        if own.len() != count {
            let text = format!("count = {count}: there are {} channels", own.len());
            return Err(CallError::argument(text));
        }
        slice_mut(values, count, "values")?.copy_from_slice(own);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_value(
    session: *mut CSession,
    channel: usize,
    value: *mut f64,
) -> c_int {
    call(|| unsafe {
        let all = unique(session, "session")?.session.values()?;
        let own = all.get(channel).copied();
        *unique(value, "value")? = own.ok_or_else(|| no_such("channel", channel, all.len()))?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_hold(
    session: *mut CSession,
    input: usize,
    value: f64,
    slope: f64,
) -> c_int {
    call(|| unsafe {
        let session = &mut unique(session, "session")?.session;
        let count = session.inputs().len();
        let own = session.inputs().get(input);
        let own = own.ok_or_else(|| no_such("input", input, count))?;
        let name = own.model.name.clone();
        session.hold(&name, Held { value, slope })?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_save(
    session: *mut CSession,
    buffer: *mut u8,
    capacity: usize,
    needed: *mut usize,
) -> c_int {
    call(|| unsafe {
        let bytes = unique(session, "session")?.session.save()?;
        give_bytes(&bytes, buffer, capacity, needed)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_session_restore(
    session: *mut CSession,
    bytes: *const u8,
    length: usize,
) -> c_int {
    call(|| unsafe {
        let session = &mut unique(session, "session")?.session;
        session.restore(slice(bytes, length, "bytes")?)?;
        Ok(())
    })
}
