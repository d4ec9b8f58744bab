//! Texts that grow: a program that builds a long text piece by piece, `s = s + "ab"`, has its characters in a buffer.
//! Each earlier text is a beginning of it, so none is copied and all of them stay unchanged.
//!
//! The text that ends where the buffer ends grows in place; appending to any other one begins a new buffer. Which
//! case applies depends on what the program did before, never on what was collected, saved or forked, because it
//! determines the charge. So a buffer remembers how long it has been, and equal texts can be different words.
//!
//! A failure undoes the growth of texts since the choice: the trail records how long the buffer was. Only texts that
//! outlive their branch need the characters beyond: those of results, see `protected_ranges`, and those that the host
//! holds. The latter must make no difference to the run: then a buffer ends earlier than its characters do, and
//! appending to the text at its end makes a copy without being charged for it.

mod in_heap;

use super::text::BUFFERS;
use super::text::{CharacterCount, MARKED};
use crate::value::Handle;
use ndscript_base::room::{self, block};

/// The characters of texts with a common beginning.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    string: String,
    /// How many bytes it has had. Garbage collection removes bytes that no text needs any more, and then no text ends
    /// here.
    end: u32,
    /// The serial under which the end was last logged, or it was made.
    stamp: u64,
    /// The buffer that continues this one, because the host holds a text beyond the end: to the run both are one.
    continuation: Option<Handle>,
    /// The characters of the string.
    characters: u32,
    /// Where every [`MARKED`]th character begins.
    marks: Vec<u32>,
    /// During garbage collection, the length of the longest surviving text.
    needed: u32,
}

impl Buffer {
    #[inline]
    pub(crate) fn string(&self) -> &str {
        &self.string
    }

    #[inline]
    pub(crate) fn marks(&self) -> &[u32] {
        &self.marks
    }

    fn is_ascii(&self) -> bool {
        self.characters as usize == self.string.len()
    }

    /// Records where characters begin in a string that was ASCII so far.
    fn mark_ascii(&mut self) {
        if self.marks.is_empty() {
            self.marks = (0..self.characters).step_by(MARKED).collect();
        }
    }

    /// Whether a text of this many bytes can grow in it.
    #[inline]
    fn ends_at(&self, length: usize) -> bool {
        self.end as usize == length && self.string.len() >= length
    }

    /// Truncates it to this many bytes. A register that is never read may hold a text that a failure has undone, and
    /// that ends within a character now.
    fn cut(&mut self, end: usize) {
        if end < self.string.len() {
            let end = (0..=end)
                .rev()
                .find(|end| self.string.is_char_boundary(*end))
                .unwrap_or(0);
            self.string.truncate(end);
            let marks = self.marks.partition_point(|mark| (*mark as usize) < end);
            self.marks.truncate(marks);
        }
    }

    /// Records a text that survives the collection.
    #[inline]
    pub(crate) fn need(&mut self, length: usize) {
        self.needed = self.needed.max(length as u32);
    }

    /// The buffer that continues the text at its end.
    pub(crate) fn continuation(&self) -> Option<Handle> {
        self.continuation
    }

    /// Discards the link to that buffer: no text needs it.
    pub(crate) fn ends_here(&mut self) {
        self.continuation = None;
    }

    /// Frees the bytes after the longest text that is left.
    pub(crate) fn free_rest(&mut self) {
        let needed = std::mem::take(&mut self.needed) as usize;
        if needed < self.string.len() {
            self.cut(needed);
            self.string.shrink_to_fit();
            self.marks.shrink_to_fit();
        }
    }

    /// The bytes that it owns.
    pub(crate) fn bytes(&self) -> usize {
        block(self.string.capacity()) + room::row(&self.marks)
    }
}

impl ndscript_base::codec::Saved for Buffer {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Buffer {
            string,
            end,
            stamp,
            continuation,
            characters: _,
            marks: _,
            needed: _,
        } = self;
        string.save(out);
        end.save(out);
        stamp.save(out);
        continuation.is_some().save(out);
        continuation.iter().for_each(|buffer| buffer.save(out));
        // With less capacity than before it would grow again soon, and reach a limit of memory earlier.
        out.number((string.capacity() - string.len()) as u64);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Buffer, ndscript_base::codec::Unsound> {
        let mut string = String::load(from)?;
        let end = u32::load(from)?;
        let stamp = u64::load(from)?;
        let continuation = if bool::load(from)? {
            Some(from.handle(BUFFERS)?)
        } else {
            None
        };
        let spare = usize::load(from)?;
        from.make_room::<u8>(spare)?;
        string.reserve_exact(spare);
        let CharacterCount { characters, marks } = CharacterCount::all(&string);
        let marks = if characters == string.len() {
            Vec::new()
        } else {
            marks
        };
        Ok(Buffer {
            string,
            end,
            stamp,
            continuation,
            characters: characters as u32,
            marks,
            needed: 0,
        })
    }
}
