//! Calls of the C library with any numbers, counts and NULLs. A line is a call; buffers have the room that the
//! header asks for, as a caller must vouch.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::{null, null_mut};

use bristle::{
    CLaw, bristle_catalogue, bristle_draw, bristle_drive, bristle_last_error, bristle_law_card,
    bristle_law_free, bristle_law_from_toml, bristle_law_new, bristle_law_state_size,
    bristle_law_states, bristle_law_value, bristle_margin, bristle_rates, bristle_scenario_free,
    bristle_scenario_from_toml, bristle_scenario_set, bristle_session_free, bristle_session_hold,
    bristle_session_restore, bristle_session_save, bristle_session_start, bristle_session_step_to,
    bristle_session_value, bristle_start, bristle_steady, bristle_stored_energy, bristle_switch,
    bristle_update, bristle_update_batch_jacobian, bristle_update_jacobian,
};

pub(crate) const SEEDS: [&str; 5] = [
    "new dahl sigma_0=1e4 mu_k=0.2\nstart 2 1e-3 10\nupdate 2 1e-3 1e-3 10 2e-3 11 1e-6\nrates 2 1e-3 10 1e-6\n",
    "toml law = \"lugre\" ; sigma_0 = 1e4 ; sigma_1 = \"31.6 s/m\" ; v_s = 1e-3 ; mu_k = 0.1 ; mu_s = 0.15\n\
     jacobian 3 1e-3 1e-3 10 2e-3 11 1e-6\nbatch 1 1e-3 1e-3 10 2e-3 11 1e-6\nsteady 0.1 10\n",
    "toml law = \"gms\" ; k_i = [4e3, 3e3] ; alpha_i = [0.4, 0.6] ; mu_k = 0.1\ndrive 1 1e-8 0.1 1e-3 10\nvalue mu_k\n",
    "toml law = \"adams_stick_slip\" ; mu_k = 0.1 ; v_s = 1e-4 ; x_s = 1e-5\nmargin 1 1e-3 10 1e-6\nswitch 1 1e-3 10 0\n\
     draw 1 10 0 20 0.1 0.5\nenergy 1 10 1e-6\n",
    "session body.block.mass 2 kg\nhold 0 3 0.5\nstep 0.2\nsave\nstep 0.4\nrestore 40 7\nlook 1\n",
];

const SCENARIO: &str = "title = \"block\"\n[simulation]\nend_time = 0.5\n[body.block]\njoint = \"prismatic\"\naxis = [1, 0, 0]\n\
     mass = 1\n[force.push]\nbody = \"block\"\ndirection = [1, 0, 0]\nmagnitude = 1\n";

/// More samples say nothing else.
const SAMPLES: usize = 5;
/// States in space of the largest law.
const ROOM: usize = 256;

/// A fault of the library is a fault.
fn sound(status: c_int) -> bool {
    assert!((0..7).contains(&status), "status {status}");
    let text = bristle_last_error();
    // SAFETY: never NULL, ends in 0.
    assert!(status == 0 || !unsafe { CStr::from_ptr(text) }.is_empty());
    status == 0
}

/// What is alive between the calls of an input.
struct Host {
    law: *mut CLaw,
    session: *mut bristle::CSession,
    saved: Vec<u8>,
}

impl Drop for Host {
    fn drop(&mut self) {
        // SAFETY: both are NULL or were made by the library.
        unsafe {
            bristle_law_free(self.law);
            bristle_session_free(self.session);
        }
    }
}

/// The words of a line as numbers; what is no number is NULL where a pointer is.
struct Words<'a>(std::str::SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    fn text(&mut self) -> &'a str {
        self.0.next().unwrap_or_default()
    }

    fn number(&mut self) -> f64 {
        self.text().parse().unwrap_or(f64::NAN)
    }

    fn count(&mut self) -> usize {
        // as a cast of C
        self.number() as usize
    }

    fn dim(&mut self) -> c_int {
        self.number() as c_int
    }

    /// A vector of equal entries that differ, or none.
    fn vector(&mut self) -> Option<[f64; ROOM]> {
        let word = self.text();
        (word != "null").then(|| {
            let x: f64 = word.parse().unwrap_or(f64::INFINITY);
            std::array::from_fn(|i| x * (1.0 - 0.3 * (i % 3) as f64))
        })
    }
}

fn pointer(values: &Option<[f64; ROOM]>) -> *const f64 {
    values.as_ref().map_or(null(), |values| values.as_ptr())
}

fn toml(host: &mut Host, text: &str) {
    let text = text.replace(" ; ", "\n");
    let mut law = null_mut();
    // SAFETY: the text has its length.
    let status = unsafe { bristle_law_from_toml(text.as_ptr().cast(), text.len(), &raw mut law) };
    if sound(status) {
        take(host, law);
    }
}

fn take(host: &mut Host, law: *mut CLaw) {
    // SAFETY: the old law is given up once.
    unsafe { bristle_law_free(host.law) };
    host.law = law;
    let mut needed = 0;
    // SAFETY: a small buffer, then none.
    unsafe {
        let mut small = [0; 7];
        sound(bristle_law_card(
            law,
            small.as_mut_ptr(),
            7,
            &raw mut needed,
        ));
        sound(bristle_catalogue(null_mut(), 0, &raw mut needed));
    }
}

fn new(host: &mut Host, words: &mut Words<'_>) {
    let name = CString::new(words.text()).unwrap_or_default();
    let pairs: Vec<(CString, f64)> = words
        .0
        .by_ref()
        .filter_map(|word| word.split_once('='))
        .map(|(name, x)| {
            (
                CString::new(name).unwrap_or_default(),
                x.parse().unwrap_or(f64::NAN),
            )
        })
        .collect();
    let names: Vec<*const c_char> = pairs.iter().map(|(name, _)| name.as_ptr()).collect();
    let values: Vec<f64> = pairs.iter().map(|(_, x)| *x).collect();
    let mut law = null_mut();
    // SAFETY: as many names as values.
    let status = unsafe {
        bristle_law_new(
            name.as_ptr(),
            names.as_ptr(),
            values.as_ptr(),
            values.len(),
            &raw mut law,
        )
    };
    if sound(status) {
        take(host, law);
    }
}

fn point(host: &Host, call: &str, words: &mut Words<'_>) {
    let law: *const CLaw = host.law;
    let dim = words.dim();
    let mut out = vec![0.0; 8 * ROOM * ROOM];
    let mut parts = out.chunks_exact_mut(ROOM * ROOM);
    let mut to = || parts.next().map_or(null_mut(), <[f64]>::as_mut_ptr);
    // SAFETY: all buffers have more room than the largest law needs.
    unsafe {
        match call {
            "start" => {
                let (v, n) = (words.vector(), words.number());
                sound(bristle_start(law, dim, pointer(&v), n, to()));
            }
            "rates" => {
                let (v, n, z) = (words.vector(), words.number(), words.vector());
                sound(bristle_rates(
                    law,
                    dim,
                    pointer(&v),
                    n,
                    pointer(&z),
                    to(),
                    to(),
                    to(),
                    to(),
                    to(),
                    to(),
                    to(),
                    to(),
                ));
            }
            "margin" | "switch" => {
                let (v, n, z) = (words.vector(), words.number(), words.vector());
                let mut moved = z.unwrap_or([0.0; ROOM]);
                sound(bristle_margin(law, dim, pointer(&v), n, pointer(&z), to()));
                sound(bristle_switch(law, dim, pointer(&v), n, moved.as_mut_ptr()));
            }
            "energy" => {
                let (n, z) = (words.number(), words.vector());
                sound(bristle_stored_energy(law, dim, n, pointer(&z), to()));
            }
            _ => step(law, dim, call, words),
        }
    }
}

fn step(law: *const CLaw, dim: c_int, call: &str, words: &mut Words<'_>) {
    let (dt, vm, nm) = (words.number(), words.vector(), words.number());
    let (v, n, z) = (words.vector(), words.number(), words.vector());
    let (mut new, mut force) = ([0.0; ROOM], [0.0; 3]);
    let (new, force) = (new.as_mut_ptr(), force.as_mut_ptr());
    let mut matrix = vec![0.0; ROOM * ROOM];
    let jacobian = matrix.as_mut_ptr();
    let (vm, v, z) = (pointer(&vm), pointer(&v), pointer(&z));
    let none = null_mut();
    // SAFETY: all buffers have more room than the largest law needs.
    unsafe {
        match call {
            "update" => sound(bristle_update(
                law, dim, dt, vm, nm, v, n, z, new, force, jacobian, none, none, none,
            )),
            "jacobian" => sound(bristle_update_jacobian(
                law, dim, dt, vm, nm, v, n, z, new, force, jacobian,
            )),
            _ => {
                let (speeds, ends, loads) = ([vm; 3], [v; 3], [nm; 1]);
                let mut columns = vec![[1e-6]; ROOM];
                let states: Vec<*mut f64> =
                    columns.iter_mut().map(|own| own.as_mut_ptr()).collect();
                let forces = [force; 3];
                sound(bristle_update_batch_jacobian(
                    law,
                    dim,
                    1,
                    dt,
                    speeds.as_ptr(),
                    loads.as_ptr(),
                    ends.as_ptr(),
                    loads.as_ptr(),
                    states.as_ptr(),
                    forces.as_ptr(),
                    jacobian,
                ))
            }
        }
    };
}

fn bench(host: &Host, call: &str, words: &mut Words<'_>) {
    let mut out = [[0.0; 3 * SAMPLES]; 3];
    let [x, y, z] = &mut out;
    // SAFETY: buffers for SAMPLES rows in space.
    unsafe {
        if call == "drive" {
            let (dim, rtol, dt) = (words.dim(), words.number(), words.number());
            let (v, n) = (words.vector(), words.vector());
            let t: [f64; SAMPLES] = std::array::from_fn(|i| dt * i as f64);
            sound(bristle_drive(
                host.law,
                dim,
                rtol,
                SAMPLES,
                t.as_ptr(),
                pointer(&v),
                pointer(&n),
                null(),
                x.as_mut_ptr(),
            ));
        } else {
            let numbers: [f64; 5] = std::array::from_fn(|_| words.number());
            // a block that is drawn for years takes long, and may
            let dt = words.number().min(0.01);
            let t: [f64; SAMPLES] = std::array::from_fn(|i| dt * i as f64);
            let [mass, n, rate, stiffness, speed] = numbers;
            sound(bristle_draw(
                host.law,
                mass,
                n,
                rate,
                stiffness,
                speed,
                SAMPLES,
                t.as_ptr(),
                x.as_mut_ptr(),
                y.as_mut_ptr(),
                z.as_mut_ptr(),
            ));
        }
    }
}

fn begin(host: &mut Host, path: &str, value: &str) {
    let (path, value) = (
        CString::new(path).unwrap_or_default(),
        CString::new(value).unwrap_or_default(),
    );
    let (mut scenario, mut session) = (null_mut(), null_mut());
    // SAFETY: handles are given up once.
    unsafe {
        let text = SCENARIO;
        if !sound(bristle_scenario_from_toml(
            text.as_ptr().cast(),
            text.len(),
            null(),
            &raw mut scenario,
        )) {
            return;
        }
        sound(bristle_scenario_set(
            scenario,
            path.as_ptr(),
            value.as_ptr(),
        ));
        if sound(bristle_session_start(scenario, &raw mut session)) {
            bristle_session_free(host.session);
            host.session = session;
        }
        bristle_scenario_free(scenario);
    }
}

fn session(host: &mut Host, call: &str, words: &mut Words<'_>) {
    let own = host.session;
    // SAFETY: the session is NULL or alive; buffers have the room that is told.
    unsafe {
        match call {
            "hold" => {
                let (input, value, slope) = (words.count(), words.number(), words.number());
                sound(bristle_session_hold(own, input, value, slope));
            }
            "step" => {
                sound(bristle_session_step_to(own, words.number()));
            }
            "save" => {
                let mut needed = 0;
                if sound(bristle_session_save(own, null_mut(), 0, &raw mut needed)) {
                    host.saved = vec![0; needed];
                    sound(bristle_session_save(
                        own,
                        host.saved.as_mut_ptr(),
                        needed,
                        null_mut(),
                    ));
                }
            }
            "restore" => {
                let (place, change) = (words.count(), words.count());
                let size = host.saved.len();
                if let Some(byte) = host.saved.get_mut(place % size.max(1)) {
                    *byte ^= change as u8;
                }
                sound(bristle_session_restore(own, host.saved.as_ptr(), size));
            }
            _ => {
                let mut value = 0.0;
                sound(bristle_session_value(own, words.count(), &raw mut value));
            }
        }
    }
}

/// Runs the calls of an input.
pub fn c_interface(data: &[u8]) {
    let mut host = Host {
        law: null_mut(),
        session: null_mut(),
        saved: Vec::new(),
    };
    let text = String::from_utf8_lossy(data).into_owned();
    for line in text.lines().take(40) {
        let (call, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut words = Words(rest.split_ascii_whitespace());
        match call {
            "toml" => toml(&mut host, rest),
            "new" => new(&mut host, &mut words),
            "drive" | "draw" => bench(&host, call, &mut words),
            "session" => {
                let path = words.text();
                begin(
                    &mut host,
                    path,
                    rest.strip_prefix(path).unwrap_or_default().trim(),
                );
            }
            "hold" | "step" | "save" | "restore" | "look" => session(&mut host, call, &mut words),
            "steady" | "value" | "size" => single(&host, call, &mut words),
            "start" | "rates" | "margin" | "switch" | "energy" | "update" | "jacobian"
            | "batch" => {
                point(&host, call, &mut words);
            }
            _ => {}
        }
    }
}

fn single(host: &Host, call: &str, words: &mut Words<'_>) {
    let (mut value, mut count) = (0.0, 0);
    // SAFETY: the law is NULL or alive.
    unsafe {
        match call {
            "steady" => sound(bristle_steady(
                host.law,
                words.number(),
                words.number(),
                &raw mut value,
            )),
            "value" => {
                let name = CString::new(words.text()).unwrap_or_default();
                sound(bristle_law_value(host.law, name.as_ptr(), &raw mut value))
            }
            _ => {
                let (dim, state) = (words.dim(), words.count());
                sound(bristle_law_states(host.law, dim, &raw mut count));
                sound(bristle_law_state_size(
                    host.law,
                    dim,
                    state,
                    words.number(),
                    &raw mut value,
                ))
            }
        }
    };
}
