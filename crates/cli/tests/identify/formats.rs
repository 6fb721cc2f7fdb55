//! Dialects of CSV, and arrays of NumPy and MATLAB.

use super::{TANH, bench, identify, json, plain, value};
use crate::support::Place;

#[test]
fn dialects_of_a_file_give_the_same_parameters() {
    let place = Place::new();
    let comma = |x: f64| x.to_string().replace('.', ",");
    let files = [
        plain(),
        format!(
            "\u{feff}t;v;F;N\r\n{}",
            bench(600, |t, v, f| format!(
                "{};{};{};10\r",
                comma(t),
                comma(v),
                comma(f)
            ))
        ),
        format!(
            "Time [ms],speed (mm/s),Force/kN,normal force\n{}",
            bench(600, |t, v, f| format!(
                "{},{},{},10",
                1e3 * t,
                1e3 * v,
                1e-3 * f
            ))
        ),
        format!(
            "t,v,F,N\ns,m/s,N,N\n{}",
            bench(600, |t, v, f| {
                let f = if (t - 2.0).abs() < 1e-9 {
                    "nan".to_owned()
                } else {
                    f.to_string()
                };
                format!("{t},{v},{f},10")
            })
        ),
    ];
    for file in files {
        let fit = json(&identify(&place, &file, &TANH));
        // the file has all digits of the closed form
        assert!((value(&fit, "kinetic_coefficient") - 0.3).abs() < 1e-6);
        assert!((value(&fit, "regularisation_velocity") - 5e-3).abs() < 1e-7);
        assert_eq!(fit["status"], "identified");
    }
}

/// An array of NumPy as its format describes it: magic, version 1.0, a header whose end falls on a
/// multiple of 64 bytes, little-endian values.
fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let length = u16::try_from(header.len()).expect("a short header");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

/// A matrix of doubles as the format of MATLAB's level 5 describes it, a column.
fn mat_variable(name: &str, values: &[f64]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut element = |kind: u32, data: &[u8]| {
        body.extend(kind.to_le_bytes());
        body.extend(u32::try_from(data.len()).expect("short").to_le_bytes());
        body.extend(data);
        body.extend(vec![0; data.len().next_multiple_of(8) - data.len()]);
    };
    // flags: class double; size; name; values
    element(6, &[6, 0, 0, 0, 0, 0, 0, 0]);
    let rows = i32::try_from(values.len()).expect("few");
    element(5, &[rows.to_le_bytes(), 1_i32.to_le_bytes()].concat());
    element(1, name.as_bytes());
    let data: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
    element(9, &data);
    let mut all = 14_u32.to_le_bytes().to_vec();
    all.extend(u32::try_from(body.len()).expect("short").to_le_bytes());
    all.extend(body);
    all
}

/// The record of [`plain`] as NumPy and MATLAB store it, and damaged files.
#[test]
fn arrays_of_numpy_and_matlab_are_read() {
    use std::io::Write as _;
    let place = Place::new();
    let t: Vec<f64> = (0..600).map(|i| f64::from(i) * 0.01).collect();
    let v: Vec<f64> = t.iter().map(|t| 0.05 * (2.0 * t).sin()).collect();
    let f: Vec<f64> = v.iter().map(|v| 3.0 * (v / 5e-3).tanh()).collect();
    let pairs: Vec<f64> = f.iter().flat_map(|f| [*f, 10.0]).collect();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, shape, values) in [
        ("t", "(600,)", &t),
        ("v", "(1, 600)", &v),
        ("force", "(600, 2)", &pairs),
        ("rate", "()", &vec![100.0]),
    ] {
        let how = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("{name}.npy"), how)
            .expect("a member");
        zip.write_all(&npy(shape, values)).expect("a member");
    }
    let npz = zip.finish().expect("an archive").into_inner();
    let mut mat = b"MATLAB 5.0 MAT-file".to_vec();
    mat.resize(124, b' ');
    mat.extend([0, 1, b'I', b'M']);
    for (name, values) in [("t", &t), ("v", &v), ("force_1", &f), ("fs", &vec![100.0])] {
        mat.extend(mat_variable(name, values));
    }
    for (name, bytes) in [("data.npz", &npz), ("data.mat", &mat)] {
        std::fs::write(place.path(name), bytes).expect("a file");
        let mut all = vec!["identify", name, "--column", "force=force_1"];
        all.extend(["--normal-force", "10"]);
        all.extend(TANH);
        let fit = json(&place.bristle(&all));
        // the file has all digits of the closed form
        assert!((value(&fit, "kinetic_coefficient") - 0.3).abs() < 1e-6);
        assert!((value(&fit, "regularisation_velocity") - 5e-3).abs() < 1e-7);
        // cut short: refused, whatever the place of the cut
        for part in [20, 130, 200, 5000, bytes.len() - 7] {
            std::fs::write(place.path(name), &bytes[..part]).expect("a file");
            let ran = place.bristle(&all);
            assert_eq!(ran.code, Some(2), "{name} cut at {part}: {}", ran.err);
        }
    }
}
