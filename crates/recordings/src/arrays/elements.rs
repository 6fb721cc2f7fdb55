//! The elements of a MATLAB file, looked through before they are read: the reader believes their sizes.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

use super::LARGEST;

/// Length of the header of the file.
const HEADER: usize = 128;

/// Kinds of elements: whole numbers of 4 bytes, an array, and a compressed element.
const INTEGERS: u32 = 5;
const MATRIX: u32 = 14;
const COMPRESSED: u32 = 15;

/// Flags of an array, which stand before its dimensions.
const FLAGS: usize = 16;

type Checked = Result<(), &'static str>;

/// Whether all elements lie within the file, and arrays have dimensions that can be.
pub(super) fn check(bytes: &[u8]) -> Checked {
    let little = bytes.get(126..HEADER) == Some(b"IM");
    let mut rest = bytes.get(HEADER..).unwrap_or_default();
    while !rest.is_empty() {
        let (kind, length) = tag(rest, little).ok_or("it is cut short")?;
        let end = length.checked_add(8).ok_or("it is cut short")?;
        let body = rest.get(8..end).ok_or("it is cut short")?;
        match kind {
            MATRIX => dimensions(body, little)?,
            COMPRESSED => unpacked(body, little)?,
            _ => return Err("it holds something that is no variable"),
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    Ok(())
}

fn word(bytes: &[u8], little: bool) -> Option<u32> {
    let four = bytes.get(..4)?.try_into().ok()?;
    Some(if little {
        u32::from_le_bytes(four)
    } else {
        u32::from_be_bytes(four)
    })
}

/// Kind and length of an element in the long form.
fn tag(bytes: &[u8], little: bool) -> Option<(u32, usize)> {
    let length = word(bytes.get(4..)?, little)?;
    Some((word(bytes, little)?, usize::try_from(length).ok()?))
}

/// The array within a compressed element.
fn unpacked(body: &[u8], little: bool) -> Checked {
    let mut plain = Vec::new();
    ZlibDecoder::new(body)
        .take(LARGEST)
        .read_to_end(&mut plain)
        .map_err(|_| "a compressed variable is damaged or too large")?;
    match tag(&plain, little) {
        Some((MATRIX, _)) => dimensions(plain.get(8..).unwrap_or_default(), little),
        _ => Err("a compressed element holds no variable"),
    }
}

/// The parts of an array lie within it: flags, dimensions, name, values. What has up to four bytes may stand in
/// the tag itself.
fn parts(body: &[u8], little: bool) -> Checked {
    let mut rest = body;
    while let Some((kind, length)) = tag(rest, little) {
        let short = kind >> 16 != 0;
        let length = if short { 0 } else { length };
        if length > rest.len() - 8 {
            return Err("a part of a variable is longer than the variable");
        }
        // the last part may lack its padding
        rest = rest
            .get(8 + length.next_multiple_of(8)..)
            .unwrap_or_default();
    }
    Ok(())
}

/// The dimensions of an array: none is negative, and their product is a number of values.
fn dimensions(body: &[u8], little: bool) -> Checked {
    parts(body, little)?;
    let what = "the dimensions of a variable are none";
    let body = body.get(FLAGS..).ok_or(what)?;
    let (kind, length) = tag(body, little).ok_or(what)?;
    // other forms are refused by the reader
    if kind != INTEGERS {
        return Ok(());
    }
    let sizes = length.checked_add(8).and_then(|end| body.get(8..end));
    let mut count = 1_i32;
    for size in sizes.ok_or(what)?.chunks_exact(4) {
        let size = word(size, little).ok_or(what)?;
        let size = i32::try_from(size).map_err(|_| what)?;
        count = count.checked_mul(size).ok_or(what)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with one array of these dimensions and no values.
    fn file(sizes: &[u32]) -> Vec<u8> {
        let mut bytes = vec![b' '; 126];
        bytes.extend(b"IM");
        let length = u32::try_from(24 + 4 * sizes.len()).unwrap();
        let numbers = [MATRIX, length, 6, 8, 6, 0, INTEGERS, length - 24];
        for number in numbers.iter().chain(sizes) {
            bytes.extend(number.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn dimensions_that_cannot_be_are_refused() {
        for sizes in [&[60, 1][..], &[0, 5], &[1; 40]] {
            assert_eq!(check(&file(sizes)), Ok(()), "{sizes:?}");
        }
        for sizes in [
            &[65_536, 65_536][..],
            &[0x7fff_ffff, 2],
            &[u32::MAX, u32::MAX],
        ] {
            assert!(check(&file(sizes)).is_err(), "{sizes:?}");
        }
        let whole = file(&[60, 1]);
        for length in 129..whole.len() {
            assert!(check(&whole[..length]).is_err(), "{length}");
        }
        let mut long = whole.clone();
        let values = [9_u32, u32::MAX, 0, 0];
        long[132] += 16;
        long.extend(values.iter().flat_map(|word| word.to_le_bytes()));
        assert!(check(&long).is_err());
        let mut packed = whole[..128].to_vec();
        packed.extend(COMPRESSED.to_le_bytes());
        packed.extend([4, 0, 0, 0, 1, 2, 3, 4]);
        assert!(check(&packed).is_err());
    }
}
