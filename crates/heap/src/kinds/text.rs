//! Strings: immutable, indexed by Unicode scalar values, interned unless they can grow.

mod in_heap;

use crate::hashes::Hashes;
use crate::value::{Handle, Kind, Value};
pub use in_heap::{InternWalk, StringSearch};
use ndscript_base::keyed::{self, WordsKeyed};
use ndscript_base::room::{self, block};
use std::hash::Hasher;

/// A text of at least this many bytes is long: equal ones may be several words, as with arrays. Results of operators of
/// that length can grow, see [`super::growing`]; texts in sets, and names of fields, are interned like shorter texts.
pub const LONG: usize = 128;

/// A string.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub(crate) form: Form,
    /// The number of characters; equal to the bytes for ASCII.
    pub characters: u32,
    hash: Hashes,
    aside: Option<Box<RareProperties>>,
}

/// Where a string is stored.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Interned(Box<str>),
    /// A number of bytes from the beginning of a buffer.
    Growing {
        buffer: Handle,
        length: u32,
    },
}

impl Default for Form {
    fn default() -> Form {
        Form::Interned(Box::default())
    }
}

/// Rare properties of texts; for all other texts this is one word.
#[derive(Clone, Debug)]
enum RareProperties {
    /// For a long interned string that is not ASCII: where every [`MARKED`]th character begins.
    Marks(Vec<u32>),
    /// For a growing text, once it has named a field or was frozen: the interned text. Finding it again would mean
    /// reading all of it, and it is charged once, so it lives as long as this one.
    Interned(Handle),
}

/// The number under which the reader of a saved run knows the buffers of growing texts, which only texts refer to.
pub(crate) const BUFFERS: usize = Kind::Position as usize;

const BYTES_OF_ASIDE: usize = 32;

/// Hashing or copying this many bytes of a string costs as much as visiting one element.
const BYTES_OF_VISIT: usize = 16;

/// Characters between two marks.
pub(crate) const MARKED: usize = 256;

impl Text {
    pub(crate) fn growing(buffer: Handle, length: u32, characters: u32) -> Text {
        Text {
            form: Form::Growing { buffer, length },
            characters,
            hash: Hashes::default(),
            aside: None,
        }
    }

    /// The hash by which it is interned.
    #[inline]
    pub(crate) fn table_hash(&self) -> u64 {
        self.hash.in_table()
    }

    /// The hash of its bytes, of one that is interned.
    #[inline]
    pub(crate) fn hash(&self) -> u32 {
        self.hash.content
    }

    /// The number of bytes.
    #[inline]
    pub fn length(&self) -> usize {
        match &self.form {
            Form::Interned(string) => string.len(),
            Form::Growing { length, .. } => *length as usize,
        }
    }

    /// Whether all equal ones are one word.
    #[inline]
    pub fn is_interned(&self) -> bool {
        matches!(self.form, Form::Interned(_))
    }

    /// The buffer of a growing text.
    #[inline]
    pub(crate) fn buffer(&self) -> Option<Handle> {
        match self.form {
            Form::Interned(_) => None,
            Form::Growing { buffer, .. } => Some(buffer),
        }
    }

    /// Whether each character is a byte.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        self.characters as usize == self.length()
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        let string = self
            .interned_string()
            .map_or(0, |string| block(string.len()));
        let aside = match self.aside.as_deref() {
            Some(RareProperties::Marks(marks)) => BYTES_OF_ASIDE + room::row(marks),
            Some(RareProperties::Interned(_)) => BYTES_OF_ASIDE,
            None => 0,
        };
        string + aside
    }

    /// The string of an interned text.
    #[inline]
    pub(crate) fn interned_string(&self) -> Option<&str> {
        match &self.form {
            Form::Interned(string) => Some(string),
            Form::Growing { .. } => None,
        }
    }

    fn interned(string: Box<str>, hash: Hashes, characters: usize, marks: Vec<u32>) -> Text {
        let aside = (!marks.is_empty()).then(|| Box::new(RareProperties::Marks(marks)));
        Text {
            form: Form::Interned(string),
            characters: characters as u32,
            hash,
            aside,
        }
    }

    /// The interned text of a growing one, if it is known.
    #[inline]
    pub(crate) fn known_interned(&self) -> Option<Handle> {
        match self.aside.as_deref() {
            Some(RareProperties::Interned(interned)) => Some(*interned),
            _ => None,
        }
    }
}

/// A view of a string, wherever it is stored.
#[derive(Clone, Copy, Debug)]
pub struct TextView<'a> {
    pub string: &'a str,
    /// The number of characters.
    pub characters: u32,
    /// Where every [`MARKED`]th character begins, and perhaps some beyond the string; empty if that was not recorded.
    marks: &'a [u32],
}

impl<'a> TextView<'a> {
    /// Whether each character is a byte.
    #[inline]
    pub fn is_ascii(self) -> bool {
        self.characters as usize == self.string.len()
    }

    /// The character at an index.
    pub fn character(self, index: usize) -> Option<&'a str> {
        let at = self.byte_offset(index)?;
        let character = self.string[at..].chars().next()?;
        Some(&self.string[at..at + character.len_utf8()])
    }

    /// Where the character with this index begins; the end of the string is valid, too.
    pub fn byte_offset(self, index: usize) -> Option<usize> {
        if index >= self.characters as usize {
            return (index == self.characters as usize).then_some(self.string.len());
        }
        if self.is_ascii() {
            return Some(index);
        }
        let (begin, rest) = match self.marks.get(index / MARKED) {
            Some(mark) => (*mark as usize, index % MARKED),
            None => (0, index),
        };
        self.string[begin..]
            .char_indices()
            .map(|(at, _)| begin + at)
            .nth(rest)
    }

    /// How many characters are passed to reach the one with this index.
    pub fn visits_to(self, index: usize) -> usize {
        match self.marks {
            _ if self.is_ascii() => 0,
            [] => index,
            _ => index % MARKED,
        }
    }
}

/// The hashes of bytes.
pub fn hash_bytes(bytes: &[u8]) -> Hashes {
    let mut hash = BytesHash::default();
    bytes
        .chunks(BytesHash::BLOCK)
        .for_each(|block| hash.add(block));
    hash.finish()
}

/// The hash of bytes that come block by block.
#[derive(Default, Clone, Copy, Debug)]
pub struct BytesHash {
    content: u64,
    keyed: WordsKeyed,
}

impl BytesHash {
    /// All blocks but the last have this many bytes.
    pub const BLOCK: usize = 1 << 14;

    pub fn add(&mut self, block: &[u8]) {
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write(block);
        self.content = self.content.rotate_left(23).wrapping_add(hasher.finish());
        let mut hasher = keyed::hasher();
        hasher.write(block);
        self.keyed.add(hasher.finish());
    }

    pub fn finish(self) -> Hashes {
        Hashes::new(
            (self.content ^ self.content >> 32) as u32,
            self.keyed.finish(),
        )
    }
}

/// The word of a text of this many bytes.
#[inline]
fn text_word(handle: Handle, length: usize) -> Value {
    if length < LONG {
        Value::handle(Kind::Text, handle)
    } else {
        Value::long_text(handle)
    }
}

/// The characters of a string, counted block by block, with the places where some of them begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct CharacterCount {
    pub characters: usize,
    pub marks: Vec<u32>,
}

impl CharacterCount {
    pub(crate) fn all(string: &str) -> CharacterCount {
        let mut counting = CharacterCount::default();
        if string.is_ascii() {
            counting.characters = string.len();
        } else {
            counting.add(string.as_bytes(), 0);
        }
        counting
    }

    /// Counts the characters that begin in a block, which begins at byte `from` of the string.
    pub(crate) fn add(&mut self, block: &[u8], from: usize) {
        if block.is_ascii() {
            let mut at = self.characters.next_multiple_of(MARKED) - self.characters;
            while at < block.len() {
                self.marks.push((from + at) as u32);
                at += MARKED;
            }
            self.characters += block.len();
            return;
        }
        for (at, byte) in block.iter().enumerate() {
            // A character begins at every byte that does not continue one.
            if (*byte as i8) >= -0x40 {
                if self.characters.is_multiple_of(MARKED) {
                    self.marks.push((from + at) as u32);
                }
                self.characters += 1;
            }
        }
    }

    /// The text of the string with its counts.
    fn text(self, string: Box<str>, hash: Hashes) -> Text {
        let needs_marks = self.characters != string.len() && self.characters > 4 * MARKED;
        Text::interned(
            string,
            hash,
            self.characters,
            if needs_marks { self.marks } else { Vec::new() },
        )
    }
}

impl ndscript_base::codec::Saved for Text {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Text {
            form,
            characters: _,
            hash: _,
            aside: _,
        } = self;
        match form {
            Form::Interned(string) => {
                out.byte(0);
                out.number(string.len() as u64);
                out.raw(string.as_bytes());
            }
            Form::Growing { buffer, length } => {
                out.byte(1);
                buffer.save(out);
                length.save(out);
                self.known_interned().is_some().save(out);
                self.known_interned()
                    .iter()
                    .for_each(|interned| interned.save(out));
            }
        }
    }

    /// [`Heap::mend_texts`](crate::store::heap::Heap::mend_texts) counts the characters of a growing text, and must see
    /// how much of it is saved.
    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Text, ndscript_base::codec::Unsound> {
        if from.byte()? == 1 {
            let (buffer, length) = (from.handle(BUFFERS)?, u32::load(from)?);
            let mut text = Text::growing(buffer, length, 0);
            if bool::load(from)? {
                text.aside = Some(Box::new(RareProperties::Interned(
                    from.handle(Kind::Text as usize)?,
                )));
            }
            return Ok(text);
        }
        let string = String::load(from)?;
        let hash = hash_bytes(string.as_bytes());
        Ok(CharacterCount::all(&string).text(string.into(), hash))
    }
}
