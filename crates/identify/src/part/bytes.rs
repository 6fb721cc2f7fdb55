//! Parts and outcomes on their way to another process and back: numbers by their bits.

use crate::Error;

/// What every message begins with: both ends must be the same version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A message that is written, or read in the order in which it was written.
pub(super) struct PartBytes<'a> {
    written: Vec<u8>,
    /// What is still to be read; nothing while it is written.
    rest: Option<&'a [u8]>,
    is_sound: bool,
}

impl<'a> PartBytes<'a> {
    pub(super) fn write() -> Self {
        Self {
            written: Vec::new(),
            rest: None,
            is_sound: true,
        }
    }

    pub(super) fn read(bytes: &'a [u8]) -> Self {
        Self {
            written: Vec::new(),
            rest: Some(bytes),
            is_sound: true,
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.written
    }

    /// # Errors
    /// If what was read is no message, or not all of it was read.
    pub(super) fn finish(self) -> Result<(), Error> {
        let refuse = |reason: &str| {
            Err(Error::Part {
                reason: reason.to_owned(),
            })
        };
        match self.rest {
            _ if !self.is_sound => refuse("it was made by another version of Bristle"),
            Some(rest) if !rest.is_empty() => refuse("there is more of it than there should be"),
            _ => Ok(()),
        }
    }

    pub(super) fn heading(&mut self) {
        let mut version = VERSION.as_bytes().to_vec();
        self.small(&mut version);
        self.is_sound &= version == VERSION.as_bytes();
    }

    pub(super) fn word(&mut self, x: &mut u64) {
        if let Some(rest) = &mut self.rest {
            match rest.split_first_chunk() {
                Some((bytes, left)) => (*x, *rest) = (u64::from_le_bytes(*bytes), left),
                None => self.is_sound = false,
            }
        } else {
            self.written.extend(x.to_le_bytes());
        }
    }

    pub(super) fn number(&mut self, x: &mut f64) {
        let mut bits = x.to_bits();
        self.word(&mut bits);
        *x = f64::from_bits(bits);
    }

    pub(super) fn count(&mut self, x: &mut usize) {
        let mut word = *x as u64;
        self.word(&mut word);
        match usize::try_from(word) {
            Ok(count) => *x = count,
            Err(_) => self.is_sound = false,
        }
    }

    pub(super) fn flag(&mut self, x: &mut bool) {
        let mut word = u64::from(*x);
        self.word(&mut word);
        *x = word == 1;
    }

    /// Bytes as they are.
    pub(super) fn small(&mut self, bytes: &mut Vec<u8>) {
        let mut count = bytes.len();
        self.count(&mut count);
        if let Some(rest) = &mut self.rest {
            match rest.split_at_checked(count) {
                Some((own, left)) => (*bytes, *rest) = (own.to_vec(), left),
                None => self.is_sound = false,
            }
        } else {
            self.written.extend(&*bytes);
        }
    }

    /// A list, entry by entry.
    pub(super) fn list<T: Clone + Default>(
        &mut self,
        list: &mut Vec<T>,
        entry: fn(&mut Self, &mut T),
    ) {
        let mut count = list.len();
        self.count(&mut count);
        if let Some(rest) = self.rest {
            // every entry has a word at least
            if count > rest.len() / size_of::<u64>() {
                self.is_sound = false;
                return;
            }
            *list = vec![T::default(); count];
        }
        for x in list {
            entry(self, x);
        }
    }

    pub(super) fn numbers(&mut self, list: &mut Vec<f64>) {
        self.list(list, Self::number);
    }
}
