//! The first characters of the text of a value, for messages. The work is bounded by the number of characters, not by
//! the size of the value.

use super::quoting::{key_or_quoted, quote};
use super::show::Names;
use crate::kinds::queue::Queue;
use crate::store::heap::Heap;
use crate::value::{Kind, Value};

/// A text with room for `left` more characters; what exceeds it is dropped.
struct BoundedText {
    text: String,
    left: usize,
}

impl BoundedText {
    fn push(&mut self, text: &str) {
        let end = text
            .char_indices()
            .nth(self.left)
            .map_or(text.len(), |(end, _)| end);
        self.left -= text[..end].chars().count();
        self.text.push_str(&text[..end]);
    }

    /// Appends what `write` writes for a text, which it sees only as far as it fits.
    fn push_with(&mut self, text: &str, write: impl FnOnce(&str, &mut String)) {
        let mut written = String::new();
        write(excerpt(text, self.left), &mut written);
        self.push(&written);
    }
}

/// The first `most` characters of a text.
pub fn excerpt(text: &str, most: usize) -> &str {
    text.char_indices()
        .nth(most)
        .map_or(text, |(end, _)| &text[..end])
}

/// A collection whose text is being written.
struct OpenCollection {
    value: Value,
    /// The elements, for objects each after its key; at most as many as can be shown.
    elements: Vec<Value>,
    next: usize,
    close: &'static str,
}

impl Heap {
    /// The text of a value as `Heap::show_inside` writes it, if that has no more than `most` characters; else its first
    /// `most + 1`.
    pub fn show_beginning(&self, value: Value, names: &dyn Names, most: usize) -> String {
        let mut out = BoundedText {
            text: String::new(),
            left: most.saturating_add(1),
        };
        let mut path: Vec<OpenCollection> = Vec::new();
        self.write_or_open(value, names, &mut path, &mut out);
        while let Some(open) = path.last_mut() {
            if out.left == 0 {
                break;
            }
            let Some(mut element) = open.elements.get(open.next).copied() else {
                out.push(open.close);
                path.pop();
                continue;
            };
            if open.next > 0 {
                out.push(", ");
            }
            open.next += 1;
            if open.value.is_kind(Kind::Object) {
                out.push_with(self.as_str(element).unwrap_or(""), key_or_quoted);
                out.push(": ");
                element = open.elements.get(open.next).copied().unwrap_or(Value::NULL);
                open.next += 1;
            }
            self.write_or_open(element, names, &mut path, &mut out);
        }
        out.text
    }

    /// Writes a value without elements, or opens a collection. A collection that is open already (a cycle) is written
    /// as `...`.
    fn write_or_open(
        &self,
        value: Value,
        names: &dyn Names,
        path: &mut Vec<OpenCollection>,
        out: &mut BoundedText,
    ) {
        // Each element takes at least one character.
        let most = out.left;
        let first = |values: &[Value]| values[..values.len().min(most)].to_vec();
        let (elements, begin, close) = match value.kind() {
            Kind::Array => match self.arrays[value.payload()].view() {
                None => (first(self.arrays[value.payload()].slots.values()), "[", "]"),
                Some(_) => (first(&self.array_snapshot(value.payload())), "[", "]"),
            },
            Kind::Set => {
                let count = self.set_len(value).min(most);
                (
                    (0..count)
                        .filter_map(|at| self.set_get(value, at))
                        .collect(),
                    "{",
                    "}",
                )
            }
            Kind::Object => (first(self.objects[value.payload()].slots()), "{", "}"),
            Kind::Queue => (
                self.first_waiting(&self.queues[value.payload()], most),
                "queue [",
                "]",
            ),
            Kind::Text => return out.push_with(self.as_str(value).unwrap_or(""), quote),
            _ => {
                let mut leaf = String::new();
                self.show_leaf(value, names, &mut leaf);
                return out.push(&leaf);
            }
        };
        if path.iter().any(|open| open.value == value) {
            return out.push("...");
        }
        out.push(begin);
        path.push(OpenCollection {
            value,
            elements,
            next: 0,
            close,
        });
    }

    /// The first `most` waiting elements, in the order in which they are taken.
    fn first_waiting(&self, queue: &Queue, most: usize) -> Vec<Value> {
        let Some(entries) = queue.priorities() else {
            return queue
                .waiting_in_order()
                .iter()
                .take(most)
                .copied()
                .collect();
        };
        // The best `most` entries so far, in order.
        let mut best: Vec<&[Value]> = Vec::new();
        for entry in entries {
            let order = |other: &&[Value]| {
                self.order(other[0], entry[0])
                    .then_with(|| self.order(other[1], entry[1]))
            };
            if best.len() < most || best.last().is_some_and(|last| order(last).is_gt()) {
                let at = best.partition_point(|other| order(other).is_lt());
                best.insert(at, entry);
                best.truncate(most);
            }
        }
        best.into_iter().map(|entry| entry[2]).collect()
    }
}
