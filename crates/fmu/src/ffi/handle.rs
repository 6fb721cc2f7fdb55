//! What a pointer to an instance points to, and the calls through it.

use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{FmiStatus, FmuError};
use crate::instance::FmuInstance;

/// The logger of FMI 2.0.
pub(super) type Logger2 =
    unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);

/// The logger of FMI 3.0.
pub(super) type Logger3 = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

/// The logger of an importer, which may have none.
#[derive(Clone, Copy)]
pub(super) enum Logger {
    Two(Option<Logger2>),
    Three(Option<Logger3>),
}

/// Where messages go.
pub(super) struct MessageLog {
    pub(super) logger: Logger,
    pub(super) environment: *mut c_void,
    pub(super) name: CString,
}

/// The outcome of the last step.
pub(super) struct LastEnd {
    pub(super) status: FmiStatus,
    pub(super) time: f64,
    pub(super) is_over: bool,
    pub(super) reason: CString,
}

/// An instance with its logger.
pub(super) struct FmuHandle {
    pub(super) instance: FmuInstance,
    pub(super) log: MessageLog,
    pub(super) last: LastEnd,
    pub(super) may_return_early: bool,
    /// After a panic nothing is certain any more.
    is_broken: bool,
}

/// A saved state, as importers hold it.
pub(super) struct FmuState(pub(super) Vec<u8>);

fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

impl MessageLog {
    pub(super) fn new(logger: Logger, environment: *mut c_void, name: &str) -> Self {
        Self {
            logger,
            environment,
            name: c_text(name),
        }
    }

    /// Hands a message to the importer.
    pub(super) fn tell(&self, status: FmiStatus, text: &str) {
        let category = c_text(status.category());
        match self.logger {
            Logger::Two(Some(logger)) => {
                // the message is a format of printf
                let message = c_text(&text.replace('%', "%%"));
                let (name, category) = (self.name.as_ptr(), category.as_ptr());
                let (at, code) = (self.environment, status.code());
                // SAFETY: the importer gave the function; all texts end in 0 and outlive the call.
                unsafe { logger(at, name, code, category, message.as_ptr()) };
            }
            Logger::Three(Some(logger)) => {
                let message = c_text(text);
                let (at, code) = (self.environment, status.code());
                // SAFETY: as above.
                unsafe { logger(at, code, category.as_ptr(), message.as_ptr()) };
            }
            Logger::Two(None) | Logger::Three(None) => {}
        }
    }
}

impl FmuHandle {
    fn new(instance: FmuInstance, log: MessageLog) -> Self {
        Self {
            instance,
            log,
            last: LastEnd {
                status: FmiStatus::Ok,
                time: 0.0,
                is_over: false,
                reason: CString::default(),
            },
            may_return_early: false,
            is_broken: false,
        }
    }

    /// Notes the outcome of a step.
    pub(super) fn note(&mut self, status: FmiStatus, is_over: bool, reason: &str) {
        self.last = LastEnd {
            status,
            time: self.instance.time(),
            is_over,
            reason: c_text(reason),
        };
    }

    /// Saves the state at a place of the importer, which may hold an older one.
    pub(super) fn save_to(&mut self, at: &mut *mut c_void) -> Result<FmiStatus, FmuError> {
        let bytes = self.instance.save()?;
        let old = at.cast::<FmuState>();
        // SAFETY: a pointer that is not NULL came from this function.
        if let Some(old) = unsafe { old.as_mut() } {
            old.0 = bytes;
        } else {
            *at = Box::into_raw(Box::new(FmuState(bytes))).cast();
        }
        Ok(FmiStatus::Ok)
    }
}

/// The bytes of a saved state.
pub(super) unsafe fn state<'a>(pointer: *mut c_void) -> Result<&'a [u8], FmuError> {
    // SAFETY: a pointer that is not NULL came from `save_to` or `deserialised`.
    let state = unsafe { pointer.cast::<FmuState>().as_ref() };
    state
        .map(|state| state.0.as_slice())
        .ok_or_else(|| FmuError::wrong("the FMU state is NULL"))
}

/// Gives up a saved state.
pub(super) unsafe fn free_state(at: &mut *mut c_void) {
    if !at.is_null() {
        // SAFETY: it came from a box, and the place is cleared so that it is freed once.
        drop(unsafe { Box::from_raw(at.cast::<FmuState>()) });
        *at = std::ptr::null_mut();
    }
}

/// A new instance; NULL if that is refused, with the reason in the log.
pub(super) fn instantiate(
    log: MessageLog,
    make: impl FnOnce() -> Result<FmuInstance, FmuError>,
) -> *mut c_void {
    match catch_unwind(AssertUnwindSafe(make)) {
        Ok(Ok(instance)) => Box::into_raw(Box::new(FmuHandle::new(instance, log))).cast(),
        Ok(Err(error)) => {
            log.tell(error.status, &error.text);
            std::ptr::null_mut()
        }
        Err(_) => {
            log.tell(FmiStatus::Fatal, "internal error: the FMU cannot be used");
            std::ptr::null_mut()
        }
    }
}

/// Ends an instance.
pub(super) unsafe fn free(pointer: *mut c_void) {
    if pointer.is_null() {
        return;
    }
    let _ = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the pointer came from `instantiate`, and the importer gives it up.
        drop(unsafe { Box::from_raw(pointer.cast::<FmuHandle>()) });
    }));
}

/// Makes a call of an instance; gives the status, with its reason in the log.
pub(super) unsafe fn call(
    pointer: *mut c_void,
    function: impl FnOnce(&mut FmuHandle) -> Result<FmiStatus, FmuError>,
) -> c_int {
    // SAFETY: a pointer that is not NULL came from `instantiate`.
    let Some(handle) = (unsafe { pointer.cast::<FmuHandle>().as_mut() }) else {
        return FmiStatus::Error.code();
    };
    if handle.is_broken {
        return FmiStatus::Fatal.code();
    }
    match catch_unwind(AssertUnwindSafe(|| function(handle))) {
        Ok(Ok(status)) => status.code(),
        Ok(Err(error)) => {
            handle.log.tell(error.status, &error.text);
            error.status.code()
        }
        Err(_) => {
            handle.is_broken = true;
            let text = "internal error: the instance cannot be used any more";
            handle.log.tell(FmiStatus::Fatal, text);
            FmiStatus::Fatal.code()
        }
    }
}
