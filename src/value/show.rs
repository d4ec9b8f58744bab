//! Values as text.

use crate::keyed::KeyedSet;

use super::budget::Budget;
use super::heap::Heap;
use super::room;
use super::value::{Handle, Kind, Value};
use crate::letters::is_name;

/// What names functions and places of built-ins for [`Heap::show`].
pub trait Names {
    /// The name of a function of the program; `None` if it has none.
    fn function(&self, function: u32) -> Option<&str>;
    /// The name of a built-in.
    fn native(&self, native: u32) -> &str;
    /// The name of a method of a type of the host, by their numbers.
    fn method(&self, rules: u32, method: u32) -> &str;
}

/// The text is longer than was asked for; it was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

/// The text of a value on its way; can stop and go on.
#[derive(Clone, Debug, Default)]
pub struct Showing {
    /// The collections that are open, outermost first.
    open: Vec<Open>,
    entered: KeyedSet<Value>,
    /// A string of which the bytes from one on are still to be written, and whether it is quoted.
    string: Option<(Value, usize, bool)>,
}

/// A collection whose text is being written.
#[derive(Clone, Debug)]
struct Open {
    value: Value,
    /// How many parts are written, and how many there are: elements, or keys and values.
    next: u32,
    count: u32,
    /// The parts, where they do not lie ready in the heap.
    list: Box<[Value]>,
}

impl Open {
    fn close(&self) -> &'static str {
        match self.value.kind() {
            Kind::Set | Kind::Object => "}",
            _ => "]",
        }
    }

    fn part(&self, heap: &Heap, at: usize) -> Value {
        let part = match self.value.kind() {
            _ if !self.list.is_empty() => self.list.get(at).copied(),
            Kind::Set => heap.set_get(self.value, at),
            _ => heap.slots_of(self.value).get(at).copied(),
        };
        part.unwrap_or(Value::NULL)
    }
}

/// So many bytes of a string are written at a time.
const BLOCK: usize = 1 << 14;

impl Showing {
    /// Begins the text of a value, when nothing else is being written. A string is quoted unless it is `bare`.
    /// The note of a moment is written out beside it, for which the budget pays.
    pub fn begin(
        &mut self,
        heap: &Heap,
        value: Value,
        bare: bool,
        names: &dyn Names,
        out: &mut String,
        budget: &mut Budget,
    ) {
        if value.is_kind(Kind::Text) {
            if !bare {
                out.push('"');
            }
            self.string = Some((value, 0, !bare));
            return;
        }
        let handle = value.payload();
        let (count, list, begin) = match value.kind() {
            Kind::Array if heap.arrays[handle].view().is_some() => {
                budget.including(heap, |heap| heap.note_look(handle));
                let list = heap.array_snapshot(handle);
                (list.len(), list, "[")
            }
            Kind::Array => (heap.arrays[handle].slots.len(), Vec::new(), "["),
            Kind::Set => (heap.set_len(value), Vec::new(), "{"),
            Kind::Object => (heap.objects[handle].slots().len(), Vec::new(), "{"),
            Kind::Queue => {
                let list = heap.queues[handle].list(heap);
                (list.len(), list, "queue [")
            }
            _ => return heap.show_leaf(value, names, out),
        };
        if !self.entered.insert(value) {
            out.push_str("...");
            return;
        }
        out.push_str(begin);
        if self.open.len() == self.open.capacity() {
            room::grow(&mut self.open, 1);
        }
        self.open.push(Open { value, next: 0, count: count as u32, list: list.into() });
    }

    /// Goes on; true when the text is written.
    ///
    /// # Errors
    /// [`TooLong`] once `out` holds more than `limit` bytes.
    pub fn go(
        &mut self,
        heap: &Heap,
        names: &dyn Names,
        out: &mut String,
        limit: usize,
        budget: &mut Budget,
    ) -> Result<bool, TooLong> {
        loop {
            if out.len() > limit {
                return Err(TooLong);
            }
            if budget.is_spent() {
                return Ok(false);
            }
            // Short texts are not worth a thought of room, and long ones grow by little.
            if out.len() > BLOCK {
                room::grow_text(out, 64);
            }
            if let Some((value, from, quoted)) = self.string {
                self.write_string(heap, value, from, quoted, out, limit);
                budget.spend((BLOCK.min(heap.as_str(value).map_or(0, str::len) - from)) / 4 + 4);
                continue;
            }
            let Some(open) = self.open.last_mut() else { return Ok(true) };
            budget.spend(8);
            if open.next >= open.count {
                out.push_str(open.close());
                if let Some(open) = self.open.pop() {
                    self.entered.remove(&open.value);
                }
                continue;
            }
            let part = open.part(heap, open.next as usize);
            let is_object = open.value.is_kind(Kind::Object);
            let is_field = is_object && open.next % 2 == 1;
            if open.next > 0 {
                out.push_str(if is_field { ": " } else { ", " });
            }
            open.next += 1;
            let is_key = is_object && !is_field;
            let key = if is_key { heap.as_str(part) } else { None };
            if key.is_some_and(is_name) {
                self.string = Some((part, 0, false));
            } else {
                self.begin(heap, part, false, names, out, budget);
            }
        }
    }

    /// Writes a bare string of at most a block, which needs nothing to be kept. It takes what [`Showing::go`] takes for it,
    /// and is false where that would not come to the end.
    #[inline]
    pub fn add_short(text: &str, out: &mut String, most: usize, budget: &mut Budget) -> bool {
        debug_assert!(text.len() <= BLOCK);
        if budget.is_spent() || out.len() + text.len() > most {
            return false;
        }
        out.push_str(text);
        budget.spend(text.len() / 4 + 4);
        !budget.is_spent()
    }

    /// Writes the next bytes of a string.
    fn write_string(&mut self, heap: &Heap, value: Value, from: usize, quoted: bool, out: &mut String, limit: usize) {
        let text = heap.as_str(value).unwrap_or("");
        // What is beyond the limit is not wanted.
        let most = BLOCK.min(limit.saturating_sub(out.len()).saturating_add(8));
        let mut end = text.len().min(from + most);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        if quoted {
            // An escape sequence is two bytes for one.
            room::grow_text(out, 2 * (end - from) + 1);
            escape(&text[from..end], out);
        } else {
            room::grow_text(out, end - from);
            out.push_str(&text[from..end]);
        }
        self.string = (end < text.len()).then_some((value, end, quoted));
        if quoted && self.string.is_none() {
            out.push('"');
        }
    }

    /// Shows the values in it.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        self.open.iter().flat_map(|open| open.list.iter().chain([&open.value])).for_each(|value| visit(*value));
        self.string.iter().for_each(|string| visit(string.0));
    }

    pub fn bytes(&self) -> usize {
        let lists: usize = self.open.iter().map(|open| room::block(open.list.len() * size_of::<Value>())).sum();
        room::row(&self.open) + lists + room::hash_map(self.entered.capacity(), 8)
    }
}

impl Heap {
    /// Appends the text of a value, strings bare at the top and quoted inside. Stops with [`TooLong`] once `out`
    /// holds more than `limit` bytes.
    pub fn show(&self, value: Value, names: &dyn Names, out: &mut String, limit: usize) -> Result<(), TooLong> {
        let mut showing = Showing::default();
        let mut budget = Budget::unlimited();
        showing.begin(self, value, true, names, out, &mut budget);
        showing.go(self, names, out, limit, &mut budget).map(|_| ())
    }

    /// The elements of an array, also of one that is only a note of a moment.
    pub fn array_snapshot(&self, array: Handle) -> Vec<Value> {
        match self.arrays[array].view() {
            None => self.arrays[array].slots.values().to_vec(),
            Some(view) => {
                let grid = &self.grids[view.grid];
                grid.undecided_then(view.version).into_iter().filter_map(|cell| grid.position_of(cell)).collect()
            }
        }
    }

    pub(super) fn show_leaf(&self, value: Value, names: &dyn Names, out: &mut String) {
        use std::fmt::Write;
        // Writing to a string cannot fail.
        let _ = match value.kind() {
            Kind::Null | Kind::Unset => write!(out, "null"),
            Kind::Boolean => write!(out, "{}", value == Value::TRUE),
            Kind::Integer => write!(out, "{}", value.integer_unchecked()),
            Kind::Float | Kind::BoxedFloat => {
                let mut buffer = ryu_js::Buffer::new();
                write!(out, "{}", buffer.format(self.as_f64(value).unwrap_or(0.0)))
            }
            Kind::Position => {
                let (x, y) = value.as_position().unwrap_or((0, 0));
                write!(out, "({x},{y})")
            }
            Kind::Text => {
                quote(self.as_str(value).unwrap_or(""), out);
                Ok(())
            }
            Kind::Relation => write!(out, "relation"),
            Kind::Grid => {
                let grid = &self.grids[value.payload()];
                write!(out, "grid {}x{}", grid.width, grid.height)
            }
            Kind::Function => match names.function(self.functions[value.payload()].function) {
                Some(name) => write!(out, "function {name}"),
                None => write!(out, "function"),
            },
            Kind::Native => write!(out, "function {}", names.native(value.payload())),
            Kind::Method => {
                let (rules, number) = (self.rules_of(value), self.type_number(value));
                write!(out, "function {}.{}", rules.name, names.method(number, value.method_number()))
            }
            Kind::Host => {
                self.show_host(value, out);
                Ok(())
            }
            Kind::Array | Kind::Set | Kind::Object | Kind::Queue | Kind::Variable => Ok(()),
        };
    }
}

/// Appends the name of a field, quoted unless it is a name.
pub(super) fn key_or_quoted(key: &str, out: &mut String) {
    if is_name(key) {
        out.push_str(key);
    } else {
        quote(key, out);
    }
}

/// Appends a string as it shows inside a collection.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
    escape(text, out);
    out.push('"');
}

fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NoNames;

    impl Names for NoNames {
        fn function(&self, _: u32) -> Option<&str> {
            None
        }

        fn native(&self, _: u32) -> &str {
            ""
        }

        fn method(&self, _: u32, _: u32) -> &str {
            ""
        }
    }

    #[test]
    fn a_text_on_its_way_takes_little_more_than_its_bytes() {
        let mut heap = Heap::default();
        let long = heap.text(&"\r\n".repeat(300_000));
        let many = heap.array(vec![long; 5]);
        let mut out = String::new();
        let mut showing = Showing::default();
        showing.begin(&heap, many, true, &NoNames, &mut out, &mut Budget::unlimited());
        let mut most = 0.0_f64;
        loop {
            let mut budget = Budget::piece(crate::value::budget::PieceSize::default());
            let is_done = showing.go(&heap, &NoNames, &mut out, usize::MAX, &mut budget) == Ok(true);
            if out.len() > 1 << 20 {
                most = most.max(out.capacity() as f64 / out.len() as f64);
            }
            if is_done {
                break;
            }
        }
        assert_eq!(out.len(), 5 * (4 * 300_000 + 2) + 10);
        assert!(most < 1.3, "{most} times its bytes");
    }
}
