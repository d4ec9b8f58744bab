//! Texts in the heap: interned and on the way to it.

use super::{
    BYTES_OF_ASIDE, BYTES_OF_VISIT, BytesHash, CharacterCount, Form, LONG, RareProperties, Text,
    TextView, hash_bytes, text_word,
};
use crate::hashes::Hashes;
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_base::room::block;

impl Heap {
    /// The value of a string.
    pub fn text(&mut self, string: &str) -> Value {
        let hash = hash_bytes(string.as_bytes());
        match self.find_hashed(string, hash) {
            Some(found) => found,
            None => self.intern_new(CharacterCount::all(string).text(string.into(), hash)),
        }
    }

    /// The value of a string, if it is in use.
    pub fn find_text(&self, string: &str) -> Option<Value> {
        self.find_hashed(string, hash_bytes(string.as_bytes()))
    }

    fn find_hashed(&self, string: &str, hash: Hashes) -> Option<Value> {
        let is_same = |handle: &Handle| {
            let text = &self.texts[*handle];
            text.hash == hash && text.interned_string() == Some(string)
        };
        self.interned
            .texts
            .find(hash.in_table(), is_same)
            .map(|found| text_word(*found, string.len()))
    }

    /// The value of a part of a string, from one byte to another.
    pub fn part_of_text(&mut self, text: Value, from: usize, to: usize) -> Value {
        let part = self
            .as_str(text)
            .and_then(|text| text.get(from..to))
            .unwrap_or("");
        let hash = hash_bytes(part.as_bytes());
        match self.find_hashed(part, hash) {
            Some(found) => found,
            None => {
                let new = CharacterCount::all(part).text(part.into(), hash);
                self.intern_new(new)
            }
        }
    }

    /// The value of an owned string.
    pub fn text_owned(&mut self, string: String) -> Value {
        let hash = hash_bytes(string.as_bytes());
        match self.find_hashed(&string, hash) {
            Some(found) => found,
            None => {
                self.intern_new(CharacterCount::all(&string).text(string.into_boxed_str(), hash))
            }
        }
    }

    fn intern_new(&mut self, text: Text) -> Value {
        self.allocated(text.bytes());
        let (hash, length) = (text.table_hash(), text.length());
        let handle = self.texts.add(text, &mut self.account.bytes);
        let texts = &self.texts;
        let hasher = |handle: &Handle| texts[*handle].table_hash();
        self.interned
            .texts
            .enter(hash, handle, &hasher, &mut self.account.bytes);
        text_word(handle, length)
    }

    /// The string, if the value is one.
    #[inline]
    pub fn as_text(&self, value: Value) -> Option<TextView<'_>> {
        value
            .handle_of(Kind::Text)
            .map(|handle| self.text_at(handle))
    }

    /// The string with a handle.
    #[inline]
    pub fn text_at(&self, handle: Handle) -> TextView<'_> {
        let text = &self.texts[handle];
        match &text.form {
            Form::Interned(string) => {
                let marks = match text.aside.as_deref() {
                    Some(RareProperties::Marks(marks)) => &marks[..],
                    _ => &[],
                };
                TextView {
                    string,
                    characters: text.characters,
                    marks,
                }
            }
            Form::Growing { buffer, length } => {
                let buffer = &self.buffers[*buffer];
                let string = buffer.string().get(..*length as usize).unwrap_or_default();
                TextView {
                    string,
                    characters: text.characters,
                    marks: buffer.marks(),
                }
            }
        }
    }

    /// The string, if the value is one.
    #[inline]
    pub fn as_str(&self, value: Value) -> Option<&str> {
        self.as_text(value).map(|text| text.string)
    }

    /// The number of bytes of the string, if the value is one.
    #[inline]
    pub fn text_length(&self, value: Value) -> Option<usize> {
        value
            .handle_of(Kind::Text)
            .map(|handle| self.texts[handle].length())
    }

    /// Whether no other word has an equal value, for texts; true for other values.
    #[inline]
    pub fn is_interned_text(&self, value: Value) -> bool {
        !value.may_equal_another() || self.texts[value.payload()].is_interned()
    }

    /// The interned text of a text, if it is known: the form that fields have as name.
    #[inline]
    pub fn known_interned(&self, text: Value) -> Option<Value> {
        if self.is_interned_text(text) {
            return Some(text);
        }
        self.texts[text.payload()]
            .known_interned()
            .map(Value::long_text)
    }

    /// Stores the interned text of a growing text.
    pub fn keep_interned(&mut self, text: Value, interned: Value) {
        let text = &mut self.texts[text.payload()];
        if !text.is_interned() && text.aside.is_none() {
            text.aside = Some(Box::new(RareProperties::Interned(interned.payload())));
            self.allocated(BYTES_OF_ASIDE);
        }
    }

    /// Whether two texts that are different words have different lengths, or are both interned: then they are not equal.
    #[inline]
    pub fn are_different_texts(&self, a: Value, b: Value) -> bool {
        let (x, y) = (&self.texts[a.payload()], &self.texts[b.payload()]);
        x.length() != y.length() || x.is_interned() && y.is_interned()
    }
}

/// A search for a string among the strings in use, block by block.
#[derive(Clone, Debug, Default)]
pub struct StringSearch {
    /// The number of bytes read.
    at: usize,
    hash: BytesHash,
}

impl StringSearch {
    /// Continues with the string, which must be equal each time; when it is done, returns its value if it is in use.
    pub fn resume(
        &mut self,
        heap: &Heap,
        string: &str,
        budget: &mut Budget,
    ) -> Option<Option<Value>> {
        let bytes = string.as_bytes();
        while self.at < bytes.len() {
            if budget.is_spent() {
                return None;
            }
            let block = &bytes[self.at..bytes.len().min(self.at + BytesHash::BLOCK)];
            budget.spend(block.len() / BYTES_OF_VISIT + 1);
            self.hash.add(block);
            self.at += block.len();
        }
        Some(heap.find_hashed(string, self.hash.finish()))
    }
}

/// A string being turned into a value, block by block.
#[derive(Clone, Debug, Default)]
pub struct InternWalk {
    string: String,
    target: InternTarget,
    /// The bytes read so far.
    done: usize,
    hash: BytesHash,
    counting: CharacterCount,
}

/// The value that a string becomes.
#[derive(Clone, Copy, Debug, Default)]
enum InternTarget {
    /// The one word for it.
    #[default]
    Interned,
    /// The interned word for the bytes of a text from an offset on; the string is the copied part.
    InternedOf(Value, usize),
    /// A text that can grow.
    Growing,
    /// The end of a growing text, which ends where its buffer does.
    EndOf(Value),
}

impl InternWalk {
    pub fn new(string: String) -> InternWalk {
        InternWalk {
            string,
            ..InternWalk::default()
        }
    }

    /// Makes a text that can grow, if the string is long.
    pub fn growing(string: String) -> InternWalk {
        let target = if string.len() < LONG {
            InternTarget::Interned
        } else {
            InternTarget::Growing
        };
        InternWalk {
            string,
            target,
            ..InternWalk::default()
        }
    }

    /// Begins to intern the bytes of a text from an offset on. There must be memory for them.
    pub fn of_text(heap: &Heap, text: Value, from: usize) -> InternWalk {
        let length = heap.as_str(text).map_or(0, str::len).saturating_sub(from);
        let string = String::with_capacity(length);
        InternWalk {
            string,
            target: InternTarget::InternedOf(text, from),
            ..InternWalk::default()
        }
    }

    /// Appends to a text for which [`Heap::can_append_to`] holds; the result fits into memory.
    pub fn end_of(heap: &Heap, text: Value, string: String) -> InternWalk {
        let counting = heap.count_characters_after(text);
        InternWalk {
            string,
            target: InternTarget::EndOf(text),
            counting,
            ..InternWalk::default()
        }
    }

    /// Continues; the value when it is done.
    pub fn resume(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<Value> {
        let (source, before) = match self.target {
            InternTarget::EndOf(text) => (None, heap.as_str(text).map_or(0, str::len)),
            InternTarget::InternedOf(text, from) => {
                (heap.as_str(text).and_then(|text| text.get(from..)), 0)
            }
            InternTarget::Interned | InternTarget::Growing => (None, 0),
        };
        let is_interned = matches!(
            self.target,
            InternTarget::Interned | InternTarget::InternedOf(..)
        );
        let length = source.map_or(self.string.len(), str::len);
        while self.done < length {
            if budget.is_spent() {
                return None;
            }
            let end = length.min(self.done + BytesHash::BLOCK);
            if let Some(source) = source {
                budget.spend((end - self.done) / BYTES_OF_VISIT);
                let to = (0..=end)
                    .rev()
                    .find(|at| source.is_char_boundary(*at))
                    .unwrap_or(0);
                self.string
                    .push_str(source.get(self.string.len()..to).unwrap_or(""));
            }
            let block = &source.unwrap_or(&self.string).as_bytes()[self.done..end];
            budget.spend(block.len() / 3 + 1);
            if is_interned {
                self.hash.add(block);
            }
            self.counting.add(block, before + self.done);
            self.done = end;
        }
        let hash = self.hash.finish();
        if is_interned && let Some(found) = heap.find_hashed(&self.string, hash) {
            return Some(found);
        }
        let (string, counting) = (
            std::mem::take(&mut self.string),
            std::mem::take(&mut self.counting),
        );
        Some(match self.target {
            InternTarget::Interned | InternTarget::InternedOf(..) => {
                heap.intern_new(counting.text(string.into_boxed_str(), hash))
            }
            InternTarget::Growing => heap.add_buffer(string, counting),
            InternTarget::EndOf(text) => heap.append_counted(text, &string, counting),
        })
    }

    /// Shows the values in it.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        if let InternTarget::EndOf(text) | InternTarget::InternedOf(text, _) = self.target {
            visit(text);
        }
    }

    pub fn bytes(&self) -> usize {
        block(self.string.capacity()) + room::row(&self.counting.marks)
    }
}
