//! Places in texts: bytes of UTF-8 here, units of UTF-16 in JavaScript.

/// How many units of UTF-16 lie before a byte.
pub fn units_before(text: &str, byte: usize) -> usize {
    let before = text.get(..byte).unwrap_or(text);
    if before.is_ascii() {
        before.len()
    } else {
        before.encode_utf16().count()
    }
}

/// The byte that so many units of UTF-16 lie before; inside a character, its beginning.
pub fn byte_behind(text: &str, units: usize) -> usize {
    let mut seen = 0;
    for (at, character) in text.char_indices() {
        seen += character.len_utf16();
        if seen > units {
            return at;
        }
    }
    text.len()
}

/// Turns bytes into units for places that come in order, going over the text once.
pub struct Walk<'a> {
    text: &'a str,
    byte: usize,
    units: usize,
}

impl<'a> Walk<'a> {
    pub fn new(text: &'a str) -> Walk<'a> {
        Walk {
            text,
            byte: 0,
            units: 0,
        }
    }

    pub fn units_before(&mut self, byte: usize) -> usize {
        if let Some(between) = self.text.get(self.byte..byte) {
            self.units += units_before(between, between.len());
            self.byte = byte;
        }
        self.units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree_at_every_character() {
        let text = "a\u{e4}\u{20ac}\u{1f600}z";
        let mut walk = Walk::new(text);
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let units = units_before(text, byte);
            assert_eq!(walk.units_before(byte), units);
            assert_eq!(byte_behind(text, units), byte);
        }
        assert_eq!(units_before(text, text.len()), 6);
        assert_eq!(byte_behind(text, 4), 6, "inside the surrogate pair");
    }
}
