//! Laws: made, described, given up.

use std::ffi::{c_char, c_int};

use super::call::{call, dimension, finite, give_text, load, shared, slice, text, text_of, unique};
use crate::card;
use crate::law::CLaw;
use crate::status::CallError;

unsafe fn give_law(law: CLaw, out: *mut *mut CLaw) -> Result<(), CallError> {
    let out = unsafe { unique(out, "law") }?;
    *out = Box::into_raw(Box::new(law));
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_new(
    name: *const c_char,
    names: *const *const c_char,
    values: *const f64,
    count: usize,
    law: *mut *mut CLaw,
) -> c_int {
    call(|| unsafe {
        unique(law, "law")?;
        let (names, values) = (
            slice(names, count, "names")?,
            slice(values, count, "values")?,
        );
        let mut named = Vec::with_capacity(count);
        for (own, value) in names.iter().zip(values) {
            named.push((text(*own, "a name of a parameter")?.to_owned(), *value));
        }
        give_law(CLaw::named(text(name, "name")?, &named)?, law)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_from_toml(
    toml: *const c_char,
    length: usize,
    law: *mut *mut CLaw,
) -> c_int {
    call(|| unsafe {
        unique(law, "law")?;
        give_law(CLaw::of_text(text_of(toml, length, "text")?)?, law)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_free(law: *mut CLaw) {
    if !law.is_null() {
        // SAFETY: it came from a box, and the caller gives it up.
        drop(unsafe { Box::from_raw(law) });
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_card(
    law: *const CLaw,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> c_int {
    call(|| unsafe {
        let text = shared(law, "law")?.card_json();
        give_text(&text, buffer, capacity, needed)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_catalogue(
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> c_int {
    call(|| unsafe { give_text(&card::catalogue().to_string(), buffer, capacity, needed) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_value(
    law: *const CLaw,
    name: *const c_char,
    value: *mut f64,
) -> c_int {
    call(|| unsafe {
        *unique(value, "value")? = shared(law, "law")?.value(text(name, "name")?)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_states(
    law: *const CLaw,
    dim: c_int,
    count: *mut usize,
) -> c_int {
    call(|| unsafe {
        let law = shared(law, "law")?;
        *unique(count, "count")? = law.states(dimension(law, dim)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_state_name(
    law: *const CLaw,
    dim: c_int,
    state: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> c_int {
    call(|| unsafe {
        let law = shared(law, "law")?;
        let name = law.state_name(dimension(law, dim)?, state)?;
        give_text(&name, buffer, capacity, needed)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_state_size(
    law: *const CLaw,
    dim: c_int,
    state: usize,
    normal_force: f64,
    size: *mut f64,
) -> c_int {
    call(|| unsafe {
        load(normal_force)?;
        let law = shared(law, "law")?;
        *unique(size, "size")? = law.state_size(dimension(law, dim)?, state, normal_force)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_law_jumps(law: *const CLaw, jumps: *mut c_int) -> c_int {
    call(|| unsafe {
        *unique(jumps, "jumps")? = c_int::from(shared(law, "law")?.law.jumps());
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bristle_steady(
    law: *const CLaw,
    speed: f64,
    normal_force: f64,
    force: *mut f64,
) -> c_int {
    call(|| unsafe {
        finite(&[speed], "the speed")?;
        load(normal_force)?;
        let law = &shared(law, "law")?.law;
        let steady = law.steady(speed.abs(), normal_force);
        *unique(force, "force")? = steady.ok_or_else(|| {
            CallError::argument(format!("{} has no steady force there", law.card().name))
        })?;
        Ok(())
    })
}
