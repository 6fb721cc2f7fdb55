//! What every saved state of a run begins and ends with.

use bristle_integrate::StateArchive;

/// What a saved state begins with.
const MARK: u64 = u64::from_le_bytes(*b"bristle\0");
/// Changes whenever a saved state has other contents.
const VERSION: u64 = 1;

/// Names what a saved state begins with; `hash` identifies the scenario.
///
/// # Errors
/// The reason why the bytes are no state of that scenario.
pub(crate) fn heading(archive: &mut StateArchive, hash: &str) -> Result<(), &'static str> {
    let (mut mark, mut version) = (MARK, VERSION);
    archive.word(&mut mark);
    archive.word(&mut version);
    let mut own = hash.to_owned();
    archive.text(&mut own);
    if (mark, version) != (MARK, VERSION) {
        return Err("another version of Bristle made it");
    }
    if own != hash {
        return Err("it belongs to another scenario");
    }
    Ok(())
}

/// The bytes of a state, with a check sum at their end.
pub(crate) fn sealed(archive: StateArchive) -> Vec<u8> {
    let mut bytes = archive.into_bytes();
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The bytes of a state without their check sum.
///
/// # Errors
/// The reason, if it is not theirs.
pub(crate) fn opened(bytes: &[u8]) -> Result<&[u8], &'static str> {
    let contents = bytes.len().checked_sub(8).ok_or("it is too short")?;
    let (contents, sum) = bytes.split_at(contents);
    if sum != checksum(contents).to_le_bytes() {
        return Err("its bytes are damaged, or no saved state");
    }
    Ok(contents)
}

/// FNV-1a of 64 bits: tells damaged bytes from sound ones.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
