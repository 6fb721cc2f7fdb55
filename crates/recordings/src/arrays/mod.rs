//! Columns of numbers from NumPy's `.npz` and MATLAB's `.mat` (version 5: `save -v6`, `save -v7`).
//!
//! A vector is a column with the name of its variable; a matrix is one column per column of it,
//! `name_1`, `name_2`, … What is as long as the longest variable counts, the rest is named in a note and left
//! out: scalars, text, structures, complex numbers.

mod elements;

use std::io::{Cursor, Read};
use std::path::Path;

use bristle_units::number_of;
use matfile::{MatFile, NumericData};
use npyz::{NpyFile, Order};
use zip::ZipArchive;

use crate::{DataTable, Problem};

/// A variable of a file.
struct Variable {
    name: String,
    /// Rows and columns.
    size: (usize, usize),
    /// Values, column after column.
    values: Vec<f64>,
}

/// A member larger than this (bytes, unpacked) is no recording: a guard against archives that
/// unpack to fill the memory.
const LARGEST: u64 = 4 << 30;

/// Reads the file if it is one of these, by its first bytes.
pub(crate) fn read(bytes: &[u8], path: &Path) -> Option<Result<DataTable, Problem>> {
    let file = path.display().to_string();
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Some(npz(bytes, &file));
    }
    if bytes.starts_with(b"\x93NUMPY") {
        let message = format!("{file} holds one array without a name");
        let help = "write the columns with their names: numpy.savez(\"data.npz\", t=t, v=v, F=F)";
        return Some(Err(Problem::with(message, help)));
    }
    if bytes.starts_with(b"\x89HDF") || bytes.starts_with(b"MATLAB 7.3") {
        let message = format!("{file} is a MATLAB file of version 7.3 (HDF5), which is not read");
        let help = "save it in MATLAB with save(\"data.mat\", \"-v7\", …), or as text";
        return Some(Err(Problem::with(message, help)));
    }
    bytes
        .starts_with(b"MATLAB 5.0 MAT-file")
        .then(|| mat(bytes, &file))
}

fn npz(bytes: &[u8], file: &str) -> Result<DataTable, Problem> {
    let broken = |error: &dyn std::fmt::Display| {
        Problem::new(format!("cannot read {file} as .npz: {error}"))
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| broken(&e))?;
    let (mut variables, mut skipped) = (Vec::new(), Vec::new());
    for i in 0..archive.len() {
        let member = archive.by_index(i).map_err(|e| broken(&e))?;
        let Some(name) = member.name().strip_suffix(".npy").map(str::to_owned) else {
            continue;
        };
        if member.size() > LARGEST {
            return Err(broken(&format!("\"{name}\" is larger than 4 GiB")));
        }
        let mut plain = Vec::new();
        member
            .take(LARGEST)
            .read_to_end(&mut plain)
            .map_err(|e| broken(&format!("\"{name}\": {e}")))?;
        match npy(&plain).map_err(|e| broken(&format!("\"{name}\": {e}")))? {
            Some((size, values)) => variables.push(Variable { name, size, values }),
            None => skipped.push(name),
        }
    }
    table(file, variables, skipped)
}

/// Size and values of an array; none if it is not one of real numbers with one or two axes.
type Array = Option<((usize, usize), Vec<f64>)>;

/// Headers of arrays of numbers are shorter than this, bytes.
const LONGEST_HEADER: usize = 4096;

/// Brackets within brackets: those of the dictionary, of the shape, and of the fields of a record.
const DEEPEST: usize = 4;

/// The axes that a header of an array claims, before anything is allocated for them; none if it has
/// more than two, or one of length 0.
fn axes(bytes: &[u8]) -> Result<Option<(usize, usize)>, &'static str> {
    let (start, length) = match bytes.get(6) {
        Some(1) => {
            let length = bytes.get(8..10).and_then(|b| b.try_into().ok());
            (10, length.map(|b| usize::from(u16::from_le_bytes(b))))
        }
        Some(2 | 3) => {
            let length = bytes.get(8..12).and_then(|b| b.try_into().ok());
            (12, length.map(|b| u32::from_le_bytes(b) as usize))
        }
        _ => return Err("it is of no known version"),
    };
    let length = length.ok_or("it is cut short")?;
    if length > LONGEST_HEADER {
        return Err("its header is longer than that of an array of numbers");
    }
    let header = bytes.get(start..start + length).ok_or("it is cut short")?;
    let mut depth = 0_usize;
    for byte in header {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err("its header is no header of an array");
        }
    }
    let header = String::from_utf8_lossy(header);
    let shape = header.split("shape").nth(1);
    let shape = shape.and_then(|text| text.split_once('(')?.1.split_once(')'));
    let (shape, _) = shape.ok_or("its header has no shape")?;
    let mut sizes = Vec::new();
    for text in shape.split(',').map(str::trim).filter(|t| !t.is_empty()) {
        let size = text.trim_end_matches('L').parse::<usize>();
        sizes.push(size.map_err(|_| "its shape is none")?);
    }
    let (rows, columns) = match sizes[..] {
        [] => (1, 1),
        [rows] => (rows, 1),
        [rows, columns] => (rows, columns),
        _ => return Ok(None),
    };
    // a value takes a byte at least: a header may claim anything
    let fits = rows
        .checked_mul(columns)
        .is_some_and(|n| n <= bytes.len() - start - length);
    if rows == 0 || columns == 0 {
        Ok(None)
    } else if fits {
        Ok(Some((rows, columns)))
    } else {
        Err("it holds fewer values than its header says")
    }
}

fn npy(bytes: &[u8]) -> std::io::Result<Array> {
    let Some((rows, columns)) = axes(bytes).map_err(std::io::Error::other)? else {
        return Ok(None);
    };
    let array = NpyFile::new(bytes)?;
    let order = array.order();
    let Some(values) = numbers(array)? else {
        return Ok(None);
    };
    if values.len() != rows * columns {
        return Ok(None);
    }
    let values = if order == Order::C && columns > 1 {
        (0..columns)
            .flat_map(|j| values.iter().skip(j).step_by(columns).copied())
            .collect()
    } else {
        values
    };
    Ok(Some(((rows, columns), values)))
}

/// The values of an array of any real kind.
#[allow(
    clippy::cast_lossless,
    clippy::cast_precision_loss,
    reason = "one line for all kinds; integers beyond 2^53 are rounded"
)]
fn numbers(array: NpyFile<&[u8]>) -> std::io::Result<Option<Vec<f64>>> {
    let mut array = array;
    macro_rules! as_one_of {
        ($($kind:ty),*) => {$(
            array = match array.try_data::<$kind>() {
                Ok(data) => {
                    return data
                        .map(|x| x.map(|x| x as f64))
                        .collect::<std::io::Result<Vec<f64>>>()
                        .map(Some);
                }
                Err(back) => back,
            };
        )*};
    }
    as_one_of!(f64, f32, i64, i32, i16, i8, u64, u32, u16, u8);
    drop(array);
    Ok(None)
}

fn mat(bytes: &[u8], file: &str) -> Result<DataTable, Problem> {
    if let Err(why) = elements::check(bytes) {
        let message = format!("cannot read {file} as a MATLAB file: {why}");
        return Err(Problem::new(message));
    }
    let content = MatFile::parse(bytes).map_err(|error| {
        let message = format!("cannot read {file} as a MATLAB file: {error}");
        Problem::with(
            message,
            "variables must be numeric arrays; save them with -v7 or -v6",
        )
    })?;
    let (mut variables, mut skipped) = (Vec::new(), Vec::new());
    for array in content.arrays() {
        let name = array.name().to_owned();
        let size = match array.size().as_slice() {
            [rows, columns] => (*rows, *columns),
            _ => (0, 0),
        };
        match real(array.data()) {
            Some(values)
                if !values.is_empty() && size.0.checked_mul(size.1) == Some(values.len()) =>
            {
                variables.push(Variable { name, size, values });
            }
            _ => skipped.push(name),
        }
    }
    table(file, variables, skipped)
}

/// The values of a MATLAB array; none if they are complex.
#[allow(
    clippy::cast_lossless,
    clippy::cast_precision_loss,
    reason = "one line for all kinds; integers beyond 2^53 are rounded"
)]
fn real(data: &NumericData) -> Option<Vec<f64>> {
    macro_rules! any_of {
        ($($kind:ident),*) => {
            match data {
                $(NumericData::$kind { real, imag: None } => {
                    Some(real.iter().map(|x| *x as f64).collect())
                })*
                _ => None,
            }
        };
    }
    any_of!(
        Double, Single, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64
    )
}

/// The variables that are as long as the longest one, as columns.
fn table(
    file: &str,
    variables: Vec<Variable>,
    mut skipped: Vec<String>,
) -> Result<DataTable, Problem> {
    // a vector may lie or stand
    let upright = |(rows, columns): (usize, usize)| {
        if rows == 1 {
            (columns, 1)
        } else {
            (rows, columns)
        }
    };
    let length = variables.iter().map(|v| upright(v.size).0).max();
    let length = length.unwrap_or(0);
    if length < 2 {
        let message = format!("{file} holds no vector of real numbers");
        return Err(Problem::with(
            message,
            "it must hold one vector for each column, such as t, v and F",
        ));
    }
    let mut table = DataTable {
        file: file.to_owned(),
        lines: (1..=length as u64).collect(),
        ..DataTable::default()
    };
    for variable in variables {
        let (rows, columns) = upright(variable.size);
        if rows != length {
            skipped.push(format!(
                "{} ({})",
                variable.name,
                number_of(rows, "value", "values")
            ));
            continue;
        }
        for (j, column) in variable.values.chunks(rows).enumerate() {
            table.names.push(if columns == 1 {
                variable.name.clone()
            } else {
                format!("{}_{}", variable.name, j + 1)
            });
            table.columns.push(column.to_vec());
        }
    }
    table.units = vec![String::new(); table.names.len()];
    if !skipped.is_empty() {
        table.notes.push(format!(
            "left out, as no columns of {length} real numbers: {}",
            skipped.join(", ")
        ));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(bytes: &[u8]) -> String {
        read(bytes, Path::new("d")).unwrap().unwrap_err().message
    }

    #[test]
    fn what_is_none_of_these_is_left_to_the_reader_of_text() {
        assert!(read(b"t,v,F\n0,1,1\n", Path::new("d.csv")).is_none());
    }

    /// An array with this header and 16 bytes.
    fn array(header: &str) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend([0; 16]);
        bytes
    }

    #[test]
    fn headers_are_believed_as_far_as_there_are_bytes() {
        let of = |shape: &str| {
            let header =
                format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
            axes(&array(&header))
        };
        assert_eq!(of("(2,)"), Ok(Some((2, 1))));
        assert_eq!(of("(1, 2)"), Ok(Some((1, 2))));
        for empty in [
            "(1000000000000, 0)",
            "(0, 1000000000000)",
            "(0,)",
            "(1, 1, 1)",
        ] {
            assert_eq!(of(empty), Ok(None), "{empty}");
        }
        for hostile in [
            "(17,)",
            "(18446744073709551615,)",
            "(4294967296, 4294967296)",
            "(2305843009213693952, 8)",
            "(-1,)",
            "(99999999999999999999999,)",
        ] {
            assert!(of(hostile).is_err(), "{hostile}");
        }
        for header in ["", "{", &"(".repeat(4000), &" ".repeat(60_000), "shape ("] {
            assert!(axes(&array(header)).is_err());
        }
        for cut in 0..12 {
            assert!(axes(&array("{}")[..cut]).is_err());
        }
    }

    #[test]
    fn files_that_cannot_be_read_say_what_they_are() {
        assert!(problem(b"\x89HDF\r\n").contains("7.3"));
        assert!(problem(b"\x93NUMPY\x01\x00").contains("without a name"));
        assert!(problem(b"PK\x03\x04 and no more").contains("as .npz"));
        assert!(problem(b"MATLAB 5.0 MAT-file, and no more").contains("as a MATLAB file"));
    }
}
