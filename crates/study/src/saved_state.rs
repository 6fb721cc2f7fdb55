//! What every saved state of a run begins and ends with.

use bristle_integrate::StateArchive;

use crate::session_error::SessionError;

/// What a saved state begins with.
const MARK: u64 = u64::from_le_bytes(*b"bristle\0");
/// Changes whenever a saved state has other contents.
const VERSION: u64 = 3;

/// A run whose state can be saved.
pub(crate) trait SavedRun {
    /// Whether it can go on.
    fn sound(&self) -> Result<(), SessionError>;
    /// Forgets what only makes the next step cheaper, and what was read at the present time.
    fn rest(&mut self);
    /// The one order of what is saved.
    fn archive(&mut self, archive: &mut StateArchive) -> Result<(), SessionError>;

    /// The present state as bytes.
    fn to_bytes(&mut self) -> Result<Vec<u8>, SessionError> {
        self.sound()?;
        self.rest();
        let mut archive = StateArchive::new();
        self.archive(&mut archive)?;
        Ok(sealed(archive))
    }

    /// Goes to a saved state of the same scenario.
    fn take_bytes(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        let contents = opened(bytes).map_err(SessionError::State)?;
        self.rest();
        let mut archive = StateArchive::of(contents);
        self.archive(&mut archive)?;
        if archive.is_sound() && archive.is_at_end() {
            return Ok(());
        }
        Err(SessionError::State("it belongs to another model"))
    }
}

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
fn sealed(archive: StateArchive) -> Vec<u8> {
    let mut bytes = archive.into_bytes();
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The bytes of a state without their check sum.
///
/// # Errors
/// The reason, if it is not theirs.
fn opened(bytes: &[u8]) -> Result<&[u8], &'static str> {
    let contents = bytes.len().checked_sub(8).ok_or("it is too short")?;
    let (contents, sum) = bytes.split_at(contents);
    if sum != checksum(contents).to_le_bytes() {
        return Err("its bytes are damaged, or no saved state");
    }
    Ok(contents)
}

/// FNV-1a of 64 bits: separates damaged bytes from sound ones.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

    use super::*;

    #[test]
    fn a_state_of_another_version_is_refused_by_name() {
        let mut archive = StateArchive::new();
        let (mut mark, mut version) = (MARK, VERSION + 1);
        archive.word(&mut mark);
        archive.word(&mut version);
        archive.text(&mut "scenario".to_owned());
        let bytes = sealed(archive);
        let mut read = StateArchive::of(opened(&bytes).unwrap());
        let refused = heading(&mut read, "scenario").unwrap_err();
        assert_eq!(refused, "another version of Bristle made it");
    }
}
