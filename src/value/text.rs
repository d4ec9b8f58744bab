//! Strings: immutable, interned, indexed by Unicode scalar values.

use std::hash::Hasher;

use super::budget::Budget;
use super::heap::Heap;
use super::number::spread;
use super::room::{self, block};
use super::value::{Handle, Kind, Value};

/// An interned string.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub string: Box<str>,
    /// How many characters it has; equal to the bytes for ASCII.
    pub characters: u32,
    hash: u32,
    /// Of a long string that is not ASCII: where every [`MARKED`]th character begins.
    marks: Option<Box<Marks>>,
}

/// Places where characters begin. Few texts have some, and to all others they are one word.
#[derive(Clone, Debug)]
struct Marks(Vec<u32>);

/// Characters between two marks.
const MARKED: usize = 256;

impl Text {
    /// The hash by which it is interned.
    #[inline]
    pub(super) fn table_hash(&self) -> u64 {
        spread(self.hash)
    }

    /// The hash of its bytes.
    #[inline]
    pub(super) fn hash(&self) -> u32 {
        self.hash
    }

    /// Whether each character is a byte.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        self.characters as usize == self.string.len()
    }

    /// The character at an index.
    pub fn character(&self, index: usize) -> Option<&str> {
        let at = self.byte_offset(index)?;
        let character = self.string[at..].chars().next()?;
        Some(&self.string[at..at + character.len_utf8()])
    }

    /// Where the character with this index begins; the end of the string counts as a place, too.
    pub fn byte_offset(&self, index: usize) -> Option<usize> {
        if self.is_ascii() {
            return (index <= self.string.len()).then_some(index);
        }
        let (begin, rest) = match self.marks.as_ref().map(|marks| marks.0.get(index / MARKED)) {
            Some(mark) => (*mark? as usize, index % MARKED),
            None => (0, index),
        };
        let places = self.string[begin..].char_indices().map(|(at, _)| begin + at);
        places.chain([self.string.len()]).nth(rest)
    }

    /// How many characters are passed on the way to the one with this index.
    pub fn visits_to(&self, index: usize) -> usize {
        match self.marks {
            _ if self.is_ascii() => 0,
            Some(_) => index % MARKED,
            None => index,
        }
    }

    fn new(string: Box<str>, hash: u32, characters: usize, marks: Vec<u32>) -> Text {
        let marks = (!marks.is_empty()).then(|| Box::new(Marks(marks)));
        Text { string, characters: characters as u32, hash, marks }
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        block(self.string.len()) + self.marks.as_ref().map_or(0, |marks| 32 + room::row(&marks.0))
    }
}

/// A fast hash of bytes; its results never show.
pub fn hash_bytes(bytes: &[u8]) -> u32 {
    let mut hash = BytesHash::default();
    bytes.chunks(BytesHash::BLOCK).for_each(|block| hash.add(block));
    hash.finish()
}

/// The same for bytes that come block by block.
#[derive(Clone, Copy, Debug, Default)]
pub struct BytesHash(u64);

impl BytesHash {
    /// All blocks but the last have so many bytes.
    pub const BLOCK: usize = 1 << 14;

    pub fn add(&mut self, block: &[u8]) {
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write(block);
        self.0 = self.0.rotate_left(23).wrapping_add(hasher.finish());
    }

    pub fn finish(self) -> u32 {
        (self.0 ^ self.0 >> 32) as u32
    }
}

impl Heap {
    /// The value of a string.
    pub fn text(&mut self, string: &str) -> Value {
        let hash = hash_bytes(string.as_bytes());
        match self.find_hashed(string, hash) {
            Some(found) => found,
            None => self.intern_new(Counting::all(string).text(string.into(), hash)),
        }
    }

    /// The value of a string, if it is in use.
    pub fn find_text(&self, string: &str) -> Option<Value> {
        self.find_hashed(string, hash_bytes(string.as_bytes()))
    }

    fn find_hashed(&self, string: &str, hash: u32) -> Option<Value> {
        let is_same = |handle: &Handle| self.texts[*handle].hash == hash && *self.texts[*handle].string == *string;
        self.text_table.find(spread(hash), is_same).map(|found| Value::handle(Kind::Text, *found))
    }

    /// The value of a string that is at hand already.
    pub fn text_owned(&mut self, string: String) -> Value {
        let hash = hash_bytes(string.as_bytes());
        match self.find_hashed(&string, hash) {
            Some(found) => found,
            None => self.intern_new(Counting::all(&string).text(string.into_boxed_str(), hash)),
        }
    }

    fn intern_new(&mut self, text: Text) -> Value {
        self.allocated(text.bytes());
        let hash = text.table_hash();
        let handle = self.texts.add(text, &mut self.bytes);
        let texts = &self.texts;
        let hasher = |handle: &Handle| texts[*handle].table_hash();
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

/// The characters of a string, counted block by block, with the places where some of them begin.
#[derive(Clone, Debug, Default)]
struct Counting {
    characters: usize,
    marks: Vec<u32>,
}

impl Counting {
    fn all(string: &str) -> Counting {
        let mut counting = Counting::default();
        if string.is_ascii() {
            counting.characters = string.len();
        } else {
            counting.add(string.as_bytes(), 0);
        }
        counting
    }

    /// Counts the characters that begin in a block, which begins at a byte of the string.
    fn add(&mut self, block: &[u8], from: usize) {
        for (at, byte) in block.iter().enumerate() {
            // Characters begin where no byte goes on with one.
            if (*byte as i8) >= -0x40 {
                if self.characters.is_multiple_of(MARKED) {
                    self.marks.push((from + at) as u32);
                }
                self.characters += 1;
            }
        }
    }

    /// The string with what was found out.
    fn text(self, string: Box<str>, hash: u32) -> Text {
        let needs_marks = self.characters != string.len() && self.characters > 4 * MARKED;
        Text::new(string, hash, self.characters, if needs_marks { self.marks } else { Vec::new() })
    }
}

/// A look for the rest of a string among the strings in use, block by block.
#[derive(Clone, Debug)]
pub struct Finding {
    text: Value,
    /// Where the rest begins, and how far it was looked at.
    from: usize,
    at: usize,
    hash: BytesHash,
}

impl Finding {
    /// For what stands behind so many bytes of a string.
    pub fn behind(text: Value, from: usize) -> Finding {
        Finding { text, from, at: from, hash: BytesHash::default() }
    }

    /// Goes on; when it is done, the value of the rest if it is in use.
    pub fn go(&mut self, heap: &Heap, budget: &mut Budget) -> Option<Option<Value>> {
        let text = heap.as_str(self.text).unwrap_or("");
        while self.at < text.len() {
            if budget.is_spent() {
                return None;
            }
            let block = &text.as_bytes()[self.at..text.len().min(self.at + BytesHash::BLOCK)];
            budget.spend(block.len() / 16 + 1);
            self.hash.add(block);
            self.at += block.len();
        }
        Some(heap.find_hashed(text.get(self.from..).unwrap_or(""), self.hash.finish()))
    }
}

/// A string that is being made the value that stands for it, block by block.
#[derive(Clone, Debug, Default)]
pub struct Interning {
    string: String,
    /// The bytes that were looked at.
    done: usize,
    hash: BytesHash,
    counting: Counting,
}

impl Interning {
    pub fn new(string: String) -> Interning {
        Interning { string, ..Interning::default() }
    }

    /// Goes on; the value when it is done.
    pub fn go(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<Value> {
        let bytes = self.string.as_bytes();
        while self.done < bytes.len() {
            if budget.is_spent() {
                return None;
            }
            let block = &bytes[self.done..bytes.len().min(self.done + BytesHash::BLOCK)];
            budget.spend(block.len() / 3 + 1);
            self.hash.add(block);
            self.counting.add(block, self.done);
            self.done += block.len();
        }
        let hash = self.hash.finish();
        if let Some(found) = heap.find_hashed(&self.string, hash) {
            return Some(found);
        }
        let (string, counting) = (std::mem::take(&mut self.string), std::mem::take(&mut self.counting));
        Some(heap.intern_new(counting.text(string.into_boxed_str(), hash)))
    }

    pub fn bytes(&self) -> usize {
        block(self.string.capacity())
    }
}

#[cfg(feature = "save")]
impl crate::codec::Saved for Text {
    fn save(&self, out: &mut crate::codec::Writer) {
        let Text { string, characters: _, hash: _, marks: _ } = self;
        out.number(string.len() as u64);
        out.raw(string.as_bytes());
    }

    fn load(from: &mut crate::codec::Reader<'_>) -> Result<Text, crate::codec::Unsound> {
        let string = String::load(from)?;
        let hash = hash_bytes(string.as_bytes());
        Ok(Counting::all(&string).text(string.into(), hash))
    }
}
