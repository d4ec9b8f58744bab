//! Strings: immutable, interned, indexed by Unicode scalar values.

use std::hash::Hasher;

use super::heap::Heap;
use super::room::{self, block};
use super::value::{Handle, Kind, Value};

/// An interned string.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub string: Box<str>,
    /// How many characters it has; equal to the bytes for ASCII.
    pub characters: u32,
}

impl Text {
    /// The character at an index.
    pub fn character(&self, index: usize) -> Option<&str> {
        let at = self.byte_offset(index)?;
        let character = self.string[at..].chars().next()?;
        Some(&self.string[at..at + character.len_utf8()])
    }

    /// Where the character with this index begins; the end of the string counts as a place, too.
    pub fn byte_offset(&self, index: usize) -> Option<usize> {
        if self.characters as usize == self.string.len() {
            return (index <= self.string.len()).then_some(index);
        }
        self.string.char_indices().map(|(at, _)| at).chain([self.string.len()]).nth(index)
    }
}

/// A fast hash of bytes; its results never show.
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

impl Heap {
    /// The value of a string.
    pub fn text(&mut self, string: &str) -> Value {
        let hash = hash_bytes(string.as_bytes());
        if let Some(found) = self.text_table.find(hash, |handle| &*self.texts[*handle].string == string) {
            return Value::handle(Kind::Text, *found);
        }
        self.intern_new(hash, string.into())
    }

    /// The value of a string, if it is in use.
    pub fn find_text(&self, string: &str) -> Option<Value> {
        let hash = hash_bytes(string.as_bytes());
        let found = self.text_table.find(hash, |handle| &*self.texts[*handle].string == string);
        found.map(|handle| Value::handle(Kind::Text, *handle))
    }

    /// The value of a string that is at hand already.
    pub fn text_owned(&mut self, string: String) -> Value {
        let hash = hash_bytes(string.as_bytes());
        if let Some(found) = self.text_table.find(hash, |handle| *self.texts[*handle].string == *string) {
            return Value::handle(Kind::Text, *found);
        }
        self.intern_new(hash, string.into_boxed_str())
    }

    fn intern_new(&mut self, hash: u64, string: Box<str>) -> Value {
        let characters = if string.is_ascii() { string.len() } else { string.chars().count() } as u32;
        self.allocated(block(string.len()));
        let handle = self.texts.add(Text { string, characters }, &mut self.bytes);
        let texts = &self.texts;
        let hasher = |handle: &Handle| hash_bytes(texts[*handle].string.as_bytes());
        room::enter(&mut self.text_table, hash, handle, hasher, &mut self.bytes);
        Value::handle(Kind::Text, handle)
    }

    /// The string of a value that is one.
    #[inline]
    pub fn as_text(&self, value: Value) -> Option<&Text> {
        value.handle_of(Kind::Text).map(|handle| &self.texts[handle])
    }

    /// The string of a value that is one.
    #[inline]
    pub fn as_str(&self, value: Value) -> Option<&str> {
        self.as_text(value).map(|text| &*text.string)
    }
}

#[cfg(feature = "save")]
impl crate::codec::Saved for Text {
    fn save(&self, out: &mut crate::codec::Writer) {
        let Text { string, characters: _ } = self;
        out.number(string.len() as u64);
        out.raw(string.as_bytes());
    }

    fn load(from: &mut crate::codec::Reader<'_>) -> Result<Text, crate::codec::Unsound> {
        let string = String::load(from)?;
        let characters = string.chars().count() as u32;
        Ok(Text { string: string.into(), characters })
    }
}
