//! The numbers of a state as bytes, written and read by one and the same text.

/// Takes numbers to bytes, or gives them back in the same order.
///
/// What keeps numbers names them once, in one function for both ways, so that the two cannot differ.
/// Bytes that are too short or not of this kind never panic: see [`StateArchive::is_sound`].
#[derive(Debug)]
pub struct StateArchive {
    bytes: Vec<u8>,
    /// Place of the next number, where it reads.
    place: Option<usize>,
    sound: bool,
}

impl StateArchive {
    /// An archive that takes numbers.
    pub fn new() -> Self {
        Self {
            bytes: Vec::new(),
            place: None,
            sound: true,
        }
    }

    /// An archive that gives numbers back.
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.to_vec(),
            place: Some(0),
            sound: true,
        }
    }

    /// Whether it gives numbers back.
    pub fn reads(&self) -> bool {
        self.place.is_some()
    }

    /// Whether all numbers that were asked for were there.
    pub fn is_sound(&self) -> bool {
        self.sound
    }

    /// Whether nothing is left to be read.
    pub fn is_at_end(&self) -> bool {
        self.place.is_none_or(|place| place == self.bytes.len())
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn eight(&mut self, value: u64) -> u64 {
        let Some(place) = &mut self.place else {
            self.bytes.extend(value.to_le_bytes());
            return value;
        };
        let read = self.bytes.get(*place..*place + 8);
        if let Some(Ok(bytes)) = read.map(<[u8; 8]>::try_from) {
            *place += 8;
            return u64::from_le_bytes(bytes);
        }
        self.sound = false;
        value
    }

    /// A number, with all its bits.
    pub fn number(&mut self, value: &mut f64) {
        *value = f64::from_bits(self.eight(value.to_bits()));
    }

    /// A count.
    pub fn count(&mut self, value: &mut usize) {
        let wide = self.eight(u64::try_from(*value).unwrap_or(u64::MAX));
        match usize::try_from(wide) {
            Ok(count) => *value = count,
            Err(_) => self.sound = false,
        }
    }

    /// A number of 64 bits.
    pub fn word(&mut self, value: &mut u64) {
        *value = self.eight(*value);
    }

    /// Yes or no.
    pub fn flag(&mut self, value: &mut bool) {
        let read = self.eight(u64::from(*value));
        self.sound &= read <= 1;
        *value = read == 1;
    }

    /// A number that may be missing.
    pub fn optional(&mut self, value: &mut Option<f64>) {
        let mut is_there = value.is_some();
        self.flag(&mut is_there);
        let mut number = value.unwrap_or(0.0);
        if is_there {
            self.number(&mut number);
        }
        *value = is_there.then_some(number);
    }

    /// Numbers whose count both sides know.
    pub fn numbers(&mut self, values: &mut [f64]) {
        let mut count = values.len();
        self.count(&mut count);
        if count != values.len() {
            self.sound = false;
            return;
        }
        for value in values {
            self.number(value);
        }
    }

    /// How many entries a list has; no more than the bytes that are left can hold.
    pub fn length(&mut self, length: usize) -> usize {
        let mut count = length;
        self.count(&mut count);
        let left = self.place.map(|place| (self.bytes.len() - place) / 8);
        if left.is_some_and(|left| count > left) {
            self.sound = false;
            return 0;
        }
        count
    }

    /// Numbers whose count only the bytes know.
    pub fn list(&mut self, values: &mut Vec<f64>) {
        let count = self.length(values.len());
        values.resize(count, 0.0);
        for value in values {
            self.number(value);
        }
    }

    /// A text.
    pub fn text(&mut self, text: &mut String) {
        let mut count = text.len();
        self.count(&mut count);
        let Some(place) = &mut self.place else {
            self.bytes.extend(text.as_bytes());
            return;
        };
        let end = place.checked_add(count);
        let read = end.and_then(|end| self.bytes.get(*place..end));
        if let Some(Ok(read)) = read.map(std::str::from_utf8) {
            read.clone_into(text);
            *place += count;
        } else {
            self.sound = false;
        }
    }
}

impl Default for StateArchive {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(archive: &mut StateArchive, x: &mut f64, list: &mut Vec<f64>, text: &mut String) {
        archive.number(x);
        archive.list(list);
        archive.text(text);
    }

    #[test]
    fn numbers_come_back_with_their_bits() {
        let (mut x, mut list, mut text) = (-0.0, vec![f64::MIN_POSITIVE, 0.1], "µ".to_owned());
        let mut archive = StateArchive::new();
        visit(&mut archive, &mut x, &mut list, &mut text);
        let bytes = archive.into_bytes();
        let (mut y, mut other, mut words) = (1.0, Vec::new(), String::new());
        let mut archive = StateArchive::of(&bytes);
        visit(&mut archive, &mut y, &mut other, &mut words);
        assert!(archive.is_sound() && archive.is_at_end());
        assert_eq!((x.to_bits(), &list, &text), (y.to_bits(), &other, &words));
        for short in 0..bytes.len() {
            let mut archive = StateArchive::of(&bytes[..short]);
            visit(&mut archive, &mut y, &mut other, &mut words);
            assert!(!archive.is_sound(), "{short}");
        }
    }
}
