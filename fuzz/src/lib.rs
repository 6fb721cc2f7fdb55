//! What hostile inputs are given to: every function takes any bytes, and may not panic, hang or ask
//! for more memory than a machine has.

mod c_interface;

use std::path::Path;
use std::sync::OnceLock;

use bristle_formula::Formula;
use bristle_recordings::{ColumnMap, DataTable, recognise};
use bristle_scenario::{Diagnostics, SourceMap, load, load_text};
use bristle_units::{parse_any_quantity, parse_quantity};

pub use c_interface::c_interface;

/// A target and its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 8] = [
    ("scenario", scenario),
    ("motion", motion),
    ("recording", recording),
    ("npz", npz),
    ("mat", mat),
    ("formula", formula),
    ("units", units),
    ("c_interface", c_interface),
];

/// Inputs from which those of a target are made.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let texts: &[&str] = match target {
        "scenario" => &[
            include_str!("../../examples/stick-slip.toml"),
            include_str!("../../examples/cube-30deg.toml"),
            include_str!("../../examples/own-law.toml"),
            include_str!("../../examples/pulse-lugre.toml"),
            include_str!("../../examples/rolling-ball.toml"),
            include_str!("../../examples/blade.toml"),
        ],
        "motion" => &[
            "0.1 * t",
            "{ table = [[0, 0], [1, 2.5]], repeat = true }",
            "{ chirp = { amplitude = 2, start_frequency = \"30 Hz\", end_frequency = 80, duration = 8 } }",
            "{ pulses = { amplitude = \"1 N\", width = \"50 ms\", count = 1 } }",
            "{ sum = [0.1, { sine = { amplitude = 1, frequency = \"5 Hz\" } }] }",
            "{ ramp = { to = \"10 mm\", start = 1, duration = \"0.5 s\", shape = \"smooth\" } }",
            "{ acceleration = { table = [[0, 0], [1, 1]] }, start_velocity = \"0.1 m/s\" }",
        ],
        "recording" => &[
            "t [s],x [mm],F [N]\n0,0,0\n0.1,1,2\n0.2,3,4\n0.3,5,6\n",
            "time;velocity;force\n0;0,1;2\n1;0,2;3\n",
            "# a comment\nt\tv\tF\n0\t1\t2\n1\t1\t2\n",
            "0 1 2\n1 2 3\n2 3 4\n",
        ],
        "formula" => &[
            "sin(2*pi*f*t) + if(t > 1, 3, -2^t)",
            "max(a, b)/(1 + exp(-c*t))",
            "abs(sign(x))*sqrt(x^2 + 1e-3) - mod(x, 2)",
        ],
        "units" => &[
            "5 kg m/s^2",
            "-1.5e-3 rad/s",
            "10 °C",
            "3 N m s/rad",
            "1e400 mm",
            "\"8]\" (mm)",
        ],
        "c_interface" => &c_interface::SEEDS,
        "npz" => return vec![archive()],
        "mat" => return vec![matlab()],
        _ => &[],
    };
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// A scenario from its text to the model: by way of a file, as users have it.
pub fn scenario(data: &[u8]) {
    static PLACE: OnceLock<std::path::PathBuf> = OnceLock::new();
    let place = PLACE.get_or_init(|| {
        let name = format!("bristle-fuzz-{}.toml", std::process::id());
        std::env::temp_dir().join(name)
    });
    if std::fs::write(place, data).is_ok() {
        let mut sources = SourceMap::new();
        match load(place, &[], &mut sources) {
            Ok(scenario) => drop(scenario.model.start()),
            Err(diagnostics) => drop(diagnostics.render_plain(&sources)),
        }
    }
}

/// A function of time in a scenario.
pub fn motion(data: &[u8]) {
    let value = text(data);
    let quoted = if value.trim_start().starts_with('{') {
        value
    } else {
        format!("{value:?}")
    };
    let scenario = format!(
        "title = \"t\"\n[simulation]\nend_time = 1\noutput_step = 0.1\n[body.a]\njoint = \"prescribed\"\n\
         motion = {{ direction = [1, 0, 0], displacement = {quoted} }}\n"
    );
    self::scenario(scenario.as_bytes());
}

/// A table of text.
pub fn recording(data: &[u8]) {
    table(data, "record.csv");
}

/// Arrays of NumPy.
pub fn npz(data: &[u8]) {
    table(data, "record.npz");
}

/// Arrays of MATLAB.
pub fn mat(data: &[u8]) {
    table(data, "record.mat");
}

fn table(data: &[u8], name: &str) {
    match DataTable::parse(data, Path::new(name)) {
        Ok(table) => drop(recognise(&table, &ColumnMap::default())),
        Err(problem) => drop(problem.to_string()),
    }
}

/// A formula, and its text in the TOML of a scenario.
pub fn formula(data: &[u8]) {
    let text = text(data);
    if let Err(error) = Formula::parse(&text, &["t", "x", "a", "b", "c", "f"]) {
        drop(error.to_string());
    }
    let mut diagnostics = Diagnostics::new();
    drop(load_text(
        "text",
        &text,
        &mut SourceMap::new(),
        &mut diagnostics,
    ));
}

/// A quantity with its unit.
pub fn units(data: &[u8]) {
    let text = text(data);
    let _ = parse_any_quantity(&text);
    for unit in [bristle_units::Unit::METRE, bristle_units::Unit::NEWTON] {
        if let Err(error) = parse_quantity(&text, unit) {
            drop((error.to_string(), error.help()));
        }
    }
}

/// An archive of one array, stored as NumPy stores it.
fn archive() -> Vec<u8> {
    let mut array = b"\x93NUMPY\x01\x00\x46\x00".to_vec();
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }";
    array.extend(format!("{header:<69}\n").bytes());
    for x in [0.0_f64, 1.0, 2.0, 3.0] {
        array.extend(x.to_le_bytes());
    }
    let sum = crc32(&array);
    let size = array.len() as u32;
    let name = b"t.npy";
    let mut common = Vec::new();
    common.extend([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]);
    common.extend(sum.to_le_bytes());
    common.extend(size.to_le_bytes());
    common.extend(size.to_le_bytes());
    common.extend((name.len() as u16).to_le_bytes());
    common.extend([0, 0]);
    let mut zip = b"PK\x03\x04".to_vec();
    zip.extend(&common);
    zip.extend(name);
    zip.extend(array);
    let start = zip.len() as u32;
    zip.extend(b"PK\x01\x02\x14\x00");
    zip.extend(&common);
    zip.extend([0; 14]);
    zip.extend(name);
    let length = zip.len() as u32 - start;
    zip.extend(b"PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00");
    zip.extend(length.to_le_bytes());
    zip.extend(start.to_le_bytes());
    zip.extend([0, 0]);
    zip
}

fn crc32(data: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    };
    !data.iter().fold(!0, step)
}

/// A file of MATLAB, level 5, with one row of four numbers.
fn matlab() -> Vec<u8> {
    let mut file = format!("{:<124}", "MATLAB 5.0 MAT-file").into_bytes();
    file.extend([0, 1, b'I', b'M']);
    let mut array = Vec::new();
    let mut element = |kind: u32, data: &[u8]| {
        array.extend(kind.to_le_bytes());
        array.extend((data.len() as u32).to_le_bytes());
        array.extend(data);
        array.resize(array.len().next_multiple_of(8), 0);
    };
    element(6, &[6, 0, 0, 0, 0, 0, 0, 0]);
    element(5, &[1, 0, 0, 0, 4, 0, 0, 0]);
    element(1, b"t");
    let values: Vec<u8> = [0.0_f64, 1.0, 2.0, 3.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    element(9, &values);
    file.extend(14_u32.to_le_bytes());
    file.extend((array.len() as u32).to_le_bytes());
    file.extend(array);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_are_read() {
        for (target, name) in [("npz", "a.npz"), ("mat", "a.mat"), ("recording", "a.csv")] {
            let table = DataTable::parse(&seeds(target)[0], Path::new(name));
            assert!(table.is_ok(), "{target}: {:?}", table.err());
        }
    }
}
