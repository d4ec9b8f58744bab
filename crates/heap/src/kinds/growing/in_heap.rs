//! Growing texts in the heap: who may append to a buffer, and how a failure shortens it.

use super::Buffer;
use crate::kinds::text::{CharacterCount, LONG, MARKED, Text};
use crate::store::heap::Heap;
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};
use ndscript_base::room;

impl Heap {
    /// The text of an operator's result.
    pub fn text_of_operator(&mut self, string: &str) -> Value {
        if string.len() < LONG {
            return self.text(string);
        }
        self.add_buffer(string.to_string(), CharacterCount::all(string))
    }

    /// A text of its own, for a string whose characters are counted.
    pub(crate) fn add_buffer(&mut self, string: String, counting: CharacterCount) -> Value {
        let length = string.len() as u32;
        let characters = counting.characters as u32;
        let marks = if length == characters {
            Vec::new()
        } else {
            counting.marks
        };
        let buffer = Buffer {
            string,
            end: length,
            stamp: self.serials.top,
            continuation: None,
            characters,
            marks,
            needed: 0,
        };
        self.allocated(buffer.bytes());
        let buffer = self.buffers.add(buffer, &mut self.account.bytes);
        self.add_growing(buffer, length, characters)
    }

    fn add_growing(&mut self, buffer: Handle, length: u32, characters: u32) -> Value {
        Value::long_text(self.texts.add(
            Text::growing(buffer, length, characters),
            &mut self.account.bytes,
        ))
    }

    /// Whether a value is a text that can grow in place.
    #[inline]
    pub fn can_append_to(&self, value: Value) -> bool {
        if !value.may_equal_another() || !value.is_kind(Kind::Text) {
            return false;
        }
        let text = &self.texts[value.payload()];
        text.buffer()
            .is_some_and(|buffer| self.buffers[buffer].ends_at(text.length()))
    }

    /// The bytes that appending `more` bytes to a text allocates.
    pub fn bytes_to_append(&self, text: Value, more: usize) -> usize {
        let Some(buffer) = self.texts[text.payload()].buffer() else {
            return 0;
        };
        let Buffer {
            string, end, marks, ..
        } = &self.buffers[buffer];
        if string.len() > *end as usize {
            return 2 * (string.len() + more) + room::row(marks);
        }
        let room = if string.capacity() - string.len() >= more {
            0
        } else {
            more.max(room::step(string.capacity()))
        };
        room + more / MARKED * 4
            + if marks.is_empty() {
                string.len() / MARKED * 4
            } else {
                room::row(marks) / 4
            }
    }

    /// Appends to a text for which [`Heap::can_append_to`] holds.
    pub fn append(&mut self, text: Value, more: &str) -> Value {
        let mut counting = self.count_characters_after(text);
        if more.is_ascii() && self.text_at(text.payload()).is_ascii() {
            counting.characters += more.len();
        } else {
            counting.add(more.as_bytes(), self.texts[text.payload()].length());
        }
        self.append_counted(text, more, counting)
    }

    /// Appends to a text for which [`Heap::can_append_to`] holds, where that only writes `more` into spare capacity:
    /// `more` is interned, and everything is ASCII.
    #[inline]
    pub fn append_in_room(&mut self, text: Value, more: Value) -> Option<Value> {
        let handle = self.texts[text.payload()].buffer()?;
        let (buffer, more) = (&mut self.buffers[handle], &self.texts[more.payload()]);
        let end = more.interned_string()?;
        let has_room = buffer.string.capacity() - buffer.string.len() >= end.len();
        let is_logged = buffer.stamp >= self.serials.top;
        if !has_room
            || !is_logged
            || !buffer.is_ascii()
            || !more.is_ascii()
            || buffer.end as usize != buffer.string.len()
        {
            return None;
        }
        buffer.string.push_str(end);
        buffer.end = buffer.string.len() as u32;
        buffer.characters = buffer.end;
        let length = buffer.end;
        Some(self.add_growing(handle, length, length))
    }

    /// For counting the characters appended to a text: only the marks after it are recorded.
    pub(crate) fn count_characters_after(&self, text: Value) -> CharacterCount {
        CharacterCount {
            characters: self.texts[text.payload()].characters as usize,
            marks: Vec::new(),
        }
    }

    /// Appends to a text for which [`Heap::can_append_to`] holds, with the counts of the appended part.
    pub(crate) fn append_counted(
        &mut self,
        text: Value,
        more: &str,
        counting: CharacterCount,
    ) -> Value {
        let Some(handle) = self.texts[text.payload()].buffer() else {
            return text;
        };
        self.log_growth(handle, self.texts[text.payload()].characters);
        let buffer = &mut self.buffers[handle];
        if more.is_empty() {
            let (length, characters) = (buffer.end, counting.characters as u32);
            return self.add_growing(handle, length, characters);
        }
        if buffer.string.len() > buffer.end as usize {
            let string = [
                buffer.string.get(..buffer.end as usize).unwrap_or_default(),
                more,
            ]
            .concat();
            buffer.end = string.len() as u32;
            let counting = CharacterCount::all(&string);
            let longer = self.add_buffer(string, counting);
            self.buffers[handle].continuation = self.texts[longer.payload()].buffer();
            return longer;
        }
        let before = buffer.bytes();
        let is_ascii = counting.characters - buffer.characters as usize == more.len();
        if !buffer.is_ascii() || !is_ascii {
            buffer.mark_ascii();
            room::grow(&mut buffer.marks, counting.marks.len());
            buffer.marks.extend(counting.marks);
        }
        room::grow_text(&mut buffer.string, more.len());
        buffer.string.push_str(more);
        buffer.end = buffer.string.len() as u32;
        buffer.characters = counting.characters as u32;
        let (length, characters, grown) = (buffer.end, buffer.characters, buffer.bytes() - before);
        self.allocated(grown);
        self.add_growing(handle, length, characters)
    }
}

impl Heap {
    /// Logs how long a buffer is before the text at its end grows, which has this many characters.
    #[inline]
    fn log_growth(&mut self, handle: Handle, characters: u32) {
        let buffer = &mut self.buffers[handle];
        if buffer.stamp < self.serials.top {
            let characters = Value::integer(i64::from(characters));
            let entry = Entry::new(Target::Buffer, handle, buffer.end, characters, buffer.stamp);
            buffer.stamp = self.serials.top;
            self.logs_texts = true;
            self.log(entry);
        }
    }

    /// Undoes the growth of texts in a buffer, unless a result needs it. The entry was the top of the trail.
    pub(crate) fn undo_growth(
        &mut self,
        handle: Handle,
        end: usize,
        characters: Value,
        stamp: u64,
    ) {
        let is_carried = self.protected.has(self.trail.len());
        let buffer = &mut self.buffers[handle];
        buffer.stamp = stamp;
        let continuation = buffer.continuation.take();
        if is_carried {
            if let Some(continuation) = continuation {
                self.buffers[continuation].stamp = stamp;
            }
            return;
        }
        buffer.end = end as u32;
        // A collection may have freed more than the undo does.
        if buffer.string.len() <= end || !self.host_holds {
            buffer.cut(end);
            buffer.characters = characters.integer_unchecked() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that grow in every way, each compared with a string that was built separately.
    #[test]
    fn texts_on_the_way_stay_what_they_are() {
        let mut heap = Heap::default();
        let mut kept: Vec<(Value, String)> = Vec::new();
        let start = "x".repeat(LONG);
        let mut seed = 1_u64;
        for _ in 0..40 {
            let (mut text, mut string) = (heap.text_of_operator(&start), start.clone());
            for _ in 0..80 {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let more = [
                    "ab",
                    "",
                    "é",
                    "\u{10348}y",
                    "a long part, a long part, a long part",
                ][(seed >> 40) as usize % 5];
                // Sometimes it goes back to an earlier one.
                if seed >> 60 == 0 && !kept.is_empty() {
                    (text, string) = kept[(seed >> 33) as usize % kept.len()].clone();
                }
                string.push_str(more);
                let is_end = heap.can_append_to(text);
                let word = heap.text(more);
                let in_room = if is_end {
                    heap.append_in_room(text, word)
                } else {
                    None
                };
                let other = |heap: &mut Heap| {
                    if is_end {
                        heap.append(text, more)
                    } else {
                        heap.text_of_operator(&string)
                    }
                };
                text = in_room.unwrap_or_else(|| other(&mut heap));
                kept.push((text, string.clone()));
            }
        }
        for (text, string) in &kept {
            let view = heap.as_text(*text).unwrap();
            assert_eq!(view.string, string);
            assert_eq!(view.characters as usize, string.chars().count());
            for index in [
                0,
                1,
                127,
                200,
                255,
                256,
                257,
                511,
                600,
                view.characters as usize,
            ] {
                let offset = string
                    .char_indices()
                    .map(|(at, _)| at)
                    .chain([string.len()])
                    .nth(index);
                assert_eq!(view.byte_offset(index), offset, "{index}");
            }
        }
        assert_eq!(heap.account.bytes, heap.exact_bytes());
    }

    /// Begins what a choice point begins.
    fn choose(heap: &mut Heap) -> usize {
        let serial = heap.next_serial();
        heap.set_top(serial);
        heap.trail_mark()
    }

    #[test]
    fn a_buffer_whose_texts_are_gone_is_not_mistaken_for_another_one() {
        let mut heap = Heap::default();
        let text = heap.text_of_operator(&"x".repeat(LONG));
        let mark = choose(&mut heap);
        heap.append(text, "long end");
        // No register refers to it any more, but the trail does.
        heap.collect([]);
        let other = heap.text_of_operator(&"y".repeat(LONG + 4));
        heap.undo_to(mark);
        assert_eq!(heap.as_str(other), Some(&*"y".repeat(LONG + 4)));
        assert!(heap.can_append_to(other));
    }

    #[test]
    fn results_stay_when_choices_below_them_are_forgotten() {
        let mut heap = Heap::default();
        let (first, second) = (
            heap.text_of_operator(&"x".repeat(LONG)),
            heap.text_of_operator(&"y".repeat(LONG)),
        );
        let begin = choose(&mut heap);
        let first = heap.append(first, "first");
        let outer = heap.serials.top;
        let forgotten = choose(&mut heap);
        heap.append(first, " and more");
        let search = choose(&mut heap);
        let second = heap.append(second, "second");
        heap.carry_texts(search);
        // The entry of the first text is dropped, so that of the second moves down.
        heap.drop_entries_above(forgotten, outer);
        heap.set_top(outer);
        heap.undo_to(begin);
        assert_eq!(heap.as_str(second), Some(&*("y".repeat(LONG) + "second")));
        assert!(!heap.protected.reaches(0));
    }

    #[test]
    fn collecting_gives_back_what_no_text_needs() {
        let mut heap = Heap::default();
        let kept = heap.text_of_operator(&"é".repeat(LONG));
        let mut text = kept;
        for _ in 0..100_000 {
            text = heap.append(text, "é");
        }
        let bytes = |heap: &Heap| heap.buffers.iter().map(Buffer::bytes).sum::<usize>();
        assert!(bytes(&heap) > 200_000);
        heap.collect([kept]);
        assert!(bytes(&heap) < 400);
        assert_eq!(heap.as_str(kept), Some(&*"é".repeat(LONG)));
        // Once it was made longer, no other text is made of it in its place.
        assert!(!heap.can_append_to(kept));
    }
}
