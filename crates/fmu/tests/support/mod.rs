//! FMUs unpacked into folders, for calls of the C functions.

#![allow(
    dead_code,
    unsafe_code,
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "each test file uses a part, and fails by a panic; the functions take pointers"
)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;

use bristle_fmu::{FmuContents, FmuKind, FmuMachine, FmuName, FmuRequest, fmi3};
use bristle_scenario::{Changes, PackedText, SourceMap, Template, packed_law};

/// A law with the parameters of the catalogue's example.
pub(crate) const LAW: &str = "law = \"lugre\"
bristle_stiffness = 1e4
bristle_damping = 31.6
viscous_coefficient = 0.4
stribeck_velocity = 1e-3
kinetic_coefficient = 0.1
static_coefficient = 0.15
";

/// The resources of an FMU in a folder, and what it is made of.
pub(crate) struct Unpacked {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) contents: FmuContents,
    pub(crate) machine: FmuMachine,
}

impl Unpacked {
    fn of(request: FmuRequest, packed: PackedText) -> Self {
        let contents = FmuContents::new(request, packed).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in &contents.files {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let machine = FmuMachine::new(&contents, folder.path()).unwrap();
        Self {
            folder,
            contents,
            machine,
        }
    }

    /// The FMU of a law.
    pub(crate) fn law(text: &str, dimension: usize) -> Self {
        let request = FmuRequest {
            kind: FmuKind::Law {
                dimension,
                normal_force: 10.0,
            },
            model: "law".to_owned(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            parameters: Vec::new(),
        };
        let packed = PackedText {
            text: text.to_owned(),
            changes: Vec::new(),
            data: Vec::new(),
        };
        Self::of(request, packed)
    }

    /// The FMU of a law of the catalogue with typical values.
    pub(crate) fn named_law(name: &str, parameters: &[String], dimension: usize) -> Self {
        let packed = packed_law(name, parameters, &mut SourceMap::new()).unwrap();
        Self::law(&packed.text, dimension)
    }

    /// The FMU of an example.
    pub(crate) fn scenario(name: &str, inputs: &[&str], parameters: &[&str], set: &[&str]) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let overrides: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        let mut sources = SourceMap::new();
        let template = Template::read(&path.join(name), &overrides, &mut sources).unwrap();
        let packed = template.packed(&Changes::NONE, &mut sources).unwrap();
        let names = |texts: &[&str]| {
            let each = texts.iter().map(|&text| FmuName {
                path: text.to_owned(),
                name: text.to_owned(),
            });
            each.collect()
        };
        let request = FmuRequest {
            kind: FmuKind::Scenario,
            model: "scenario".to_owned(),
            inputs: names(inputs),
            outputs: Vec::new(),
            parameters: names(parameters),
        };
        Self::of(request, packed)
    }

    /// The value reference of a variable.
    pub(crate) fn reference(&self, name: &str) -> u32 {
        let all = self.machine.variables();
        let place = all.iter().position(|own| own.name == name);
        u32::try_from(place.unwrap()).unwrap() + 1
    }

    /// An instance through the functions of FMI 3.0.
    pub(crate) fn instance(&self) -> Instance {
        self.instance_as(&self.contents.token)
    }

    pub(crate) fn instance_as(&self, token: &str) -> Instance {
        let text = |text: &str| CString::new(text).unwrap();
        let (name, token) = (text("test"), text(token));
        let folder = text(self.folder.path().to_str().unwrap());
        let pointer = unsafe {
            match self.machine {
                FmuMachine::Law(_) => fmi3::fmi3InstantiateModelExchange(
                    name.as_ptr(),
                    token.as_ptr(),
                    folder.as_ptr(),
                    false,
                    false,
                    null_mut(),
                    Some(keep),
                ),
                FmuMachine::Scenario(_) => fmi3::fmi3InstantiateCoSimulation(
                    name.as_ptr(),
                    token.as_ptr(),
                    folder.as_ptr(),
                    false,
                    false,
                    false,
                    true,
                    std::ptr::null(),
                    0,
                    null_mut(),
                    Some(keep),
                    std::ptr::null(),
                ),
            }
        };
        Instance(pointer)
    }
}

thread_local! {
    static MESSAGES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C" fn keep(
    _environment: *mut c_void,
    _status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    let text = unsafe { CStr::from_ptr(message) };
    let text = text.to_string_lossy().into_owned();
    MESSAGES.with(|all| all.borrow_mut().push(text));
}

/// The messages since the last call, in one text.
pub(crate) fn messages() -> String {
    MESSAGES.with(|all| std::mem::take(&mut *all.borrow_mut()).join("\n"))
}

/// A pointer to an instance.
pub(crate) struct Instance(pub(crate) *mut c_void);

impl Drop for Instance {
    fn drop(&mut self) {
        unsafe { fmi3::fmi3FreeInstance(self.0) }
    }
}

impl Instance {
    pub(crate) fn initialise(&self) -> c_int {
        let status = self.enter();
        status.max(unsafe { fmi3::fmi3ExitInitializationMode(self.0) })
    }

    pub(crate) fn enter(&self) -> c_int {
        unsafe { fmi3::fmi3EnterInitializationMode(self.0, false, 0.0, 0.0, false, 0.0) }
    }

    /// From the event mode to the continuous-time mode.
    pub(crate) fn go_on(&self) {
        let (mut a, mut b, mut c, mut d, mut e, mut t) = (false, false, false, false, false, 0.0);
        unsafe {
            let s = fmi3::fmi3UpdateDiscreteStates(
                self.0, &raw mut a, &raw mut b, &raw mut c, &raw mut d, &raw mut e, &raw mut t,
            );
            assert_eq!(s, 0, "{}", messages());
            assert_eq!(fmi3::fmi3EnterContinuousTimeMode(self.0), 0);
        }
    }

    pub(crate) fn set(&self, reference: u32, value: f64) -> c_int {
        unsafe { fmi3::fmi3SetFloat64(self.0, &raw const reference, 1, &raw const value, 1) }
    }

    pub(crate) fn get(&self, reference: u32) -> f64 {
        let mut value = f64::NAN;
        let status =
            unsafe { fmi3::fmi3GetFloat64(self.0, &raw const reference, 1, &raw mut value, 1) };
        assert_eq!(status, 0, "{}", messages());
        value
    }

    pub(crate) fn set_states(&self, values: &[f64]) -> c_int {
        unsafe { fmi3::fmi3SetContinuousStates(self.0, values.as_ptr(), values.len()) }
    }

    pub(crate) fn states(&self) -> Vec<f64> {
        let mut count = 0;
        unsafe {
            assert_eq!(
                fmi3::fmi3GetNumberOfContinuousStates(self.0, &raw mut count),
                0
            );
            let mut out = vec![0.0; count];
            assert_eq!(
                fmi3::fmi3GetContinuousStates(self.0, out.as_mut_ptr(), count),
                0
            );
            out
        }
    }

    pub(crate) fn derivatives(&self) -> Vec<f64> {
        let mut out = self.states();
        let status =
            unsafe { fmi3::fmi3GetContinuousStateDerivatives(self.0, out.as_mut_ptr(), out.len()) };
        assert_eq!(status, 0, "{}", messages());
        out
    }

    pub(crate) fn directional(&self, unknowns: &[u32], knowns: &[u32], seed: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; unknowns.len()];
        let status = unsafe {
            fmi3::fmi3GetDirectionalDerivative(
                self.0,
                unknowns.as_ptr(),
                unknowns.len(),
                knowns.as_ptr(),
                knowns.len(),
                seed.as_ptr(),
                seed.len(),
                out.as_mut_ptr(),
                out.len(),
            )
        };
        assert_eq!(status, 0, "{}", messages());
        out
    }

    /// Status, whether it returned early, and the time that was reached.
    pub(crate) fn step(&self, from: f64, length: f64) -> (c_int, bool, f64) {
        let (mut event, mut over, mut early, mut last) = (false, false, false, f64::NAN);
        let status = unsafe {
            fmi3::fmi3DoStep(
                self.0,
                from,
                length,
                true,
                &raw mut event,
                &raw mut over,
                &raw mut early,
                &raw mut last,
            )
        };
        (status, early, last)
    }

    /// The state as bytes, through both functions.
    pub(crate) fn save(&self) -> Vec<u8> {
        let (mut state, mut size) = (null_mut(), 0);
        unsafe {
            assert_eq!(
                fmi3::fmi3GetFMUState(self.0, &raw mut state),
                0,
                "{}",
                messages()
            );
            assert_eq!(
                fmi3::fmi3SerializedFMUStateSize(self.0, state, &raw mut size),
                0
            );
            let mut bytes = vec![0; size];
            let written = fmi3::fmi3SerializeFMUState(self.0, state, bytes.as_mut_ptr(), size);
            assert_eq!(written, 0);
            assert_eq!(fmi3::fmi3FreeFMUState(self.0, &raw mut state), 0);
            assert!(state.is_null());
            bytes
        }
    }

    pub(crate) fn restore(&self, bytes: &[u8]) -> c_int {
        let mut state = null_mut();
        unsafe {
            let read =
                fmi3::fmi3DeserializeFMUState(self.0, bytes.as_ptr(), bytes.len(), &raw mut state);
            assert_eq!(read, 0);
            let status = fmi3::fmi3SetFMUState(self.0, state);
            fmi3::fmi3FreeFMUState(self.0, &raw mut state);
            status
        }
    }
}
