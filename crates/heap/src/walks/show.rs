//! Values as text.

use ndscript_base::keyed::KeyedSet;

use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::Budget;
use ndscript_base::letters::is_name;
use ndscript_base::room;

/// Names of functions and places of built-ins for [`Heap::show`].
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

/// The text of a value, being written; can stop and resume.
#[derive(Clone, Debug, Default)]
pub struct ShowWalk {
    /// The collections that are open, outermost first.
    open: Vec<OpenCollection>,
    /// A set of them for lookup, once they are many.
    entered: Option<Box<KeyedSet<Value>>>,
    /// A string of which the bytes from one on are not written yet, and whether it is quoted.
    string: Option<(Value, usize, bool)>,
}

/// A collection whose text is being written.
#[derive(Clone, Debug)]
struct OpenCollection {
    value: Value,
    /// How many parts are written, and how many there are: elements, or keys and values.
    next: u32,
    count: u32,
    /// The parts, where the heap does not store them as a list.
    list: Box<[Value]>,
}

impl OpenCollection {
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

/// Up to this many open collections are searched one by one.
const FEW: usize = 16;

/// At most this many bytes of a string are written at a time.
const BLOCK: usize = 1 << 14;

impl ShowWalk {
    /// Whether a value has no parts, so that its text is written at once; a string may be long.
    #[inline]
    pub fn is_leaf(value: Value) -> bool {
        !matches!(
            value.kind(),
            Kind::Text | Kind::Array | Kind::Set | Kind::Object | Kind::Queue
        )
    }

    /// Begins the text of a value, when nothing else is being written. A string is quoted unless it is `bare`. A view
    /// of a moment is written out first, charged to the budget.
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
                heap.charging_recorded(budget, |heap| heap.record_look(handle));
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
        if self.is_open(value) {
            out.push_str("...");
            return;
        }
        out.push_str(begin);
        self.open(OpenCollection {
            value,
            next: 0,
            count: count as u32,
            list: list.into(),
        });
    }

    /// Whether the text of a collection is being written.
    fn is_open(&self, value: Value) -> bool {
        match &self.entered {
            Some(entered) => entered.contains(&value),
            None => self.open.iter().any(|open| open.value == value),
        }
    }

    /// Enters a collection; one inside of itself is recognized by the list of open ones, or by a set of many.
    fn open(&mut self, open: OpenCollection) {
        if let Some(entered) = &mut self.entered {
            entered.insert(open.value);
        } else if self.open.len() == FEW {
            let values = self.open.iter().map(|open| open.value).chain([open.value]);
            self.entered = Some(Box::new(values.collect()));
        }
        if self.open.len() == self.open.capacity() {
            room::grow(&mut self.open, 1);
        }
        self.open.push(open);
    }

    /// Ends the text of the latest collection.
    fn close(&mut self) {
        if let Some(open) = self.open.pop()
            && let Some(entered) = &mut self.entered
        {
            entered.remove(&open.value);
        }
    }

    /// Continues; true when the text is written.
    ///
    /// # Errors
    /// [`TooLong`] once `out` holds more than `limit` bytes.
    pub fn resume(
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
            // Short texts need no check of memory, and long ones grow by little.
            if out.len() > BLOCK {
                room::grow_text(out, 64);
            }
            if let Some((value, from, quoted)) = self.string {
                self.write_string(heap, value, from, quoted, out, limit);
                budget.spend((BLOCK.min(heap.as_str(value).map_or(0, str::len) - from)) / 4 + 4);
                continue;
            }
            let Some(open) = self.open.last_mut() else {
                return Ok(true);
            };
            budget.spend(8);
            if open.next >= open.count {
                out.push_str(open.close());
                self.close();
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

    /// Writes a bare string of at most one block, which needs no stored state. It takes the arguments of
    /// [`ShowWalk::resume`], and returns false where it would not finish.
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
    fn write_string(
        &mut self,
        heap: &Heap,
        value: Value,
        from: usize,
        quoted: bool,
        out: &mut String,
        limit: usize,
    ) {
        let text = heap.as_str(value).unwrap_or("");
        // Text beyond the limit is not wanted.
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
        self.open
            .iter()
            .flat_map(|open| open.list.iter().chain([&open.value]))
            .for_each(|value| visit(*value));
        self.string.iter().for_each(|string| visit(string.0));
    }

    pub fn bytes(&self) -> usize {
        let lists: usize = self
            .open
            .iter()
            .map(|open| room::block(open.list.len() * size_of::<Value>()))
            .sum();
        let entered = self
            .entered
            .as_ref()
            .map_or(0, |entered| room::hash_map(entered.capacity(), 8));
        room::row(&self.open) + lists + entered
    }
}

impl Heap {
    /// Appends the text of a value, strings bare at the top and quoted inside. Stops with [`TooLong`] once `out`
    /// holds more than `limit` bytes.
    pub fn show(
        &self,
        value: Value,
        names: &dyn Names,
        out: &mut String,
        limit: usize,
    ) -> Result<(), TooLong> {
        let mut showing = ShowWalk::default();
        let mut budget = Budget::unlimited();
        showing.begin(self, value, true, names, out, &mut budget);
        showing
            .resume(self, names, out, limit, &mut budget)
            .map(|_| ())
    }

    /// The elements of an array, also of a view.
    pub fn array_snapshot(&self, array: Handle) -> Vec<Value> {
        match self.arrays[array].view() {
            None => self.arrays[array].slots.values().to_vec(),
            Some(view) => {
                let grid = &self.grids[view.grid];
                grid.undecided_then(view.version)
                    .into_iter()
                    .filter_map(|cell| grid.position_of(cell))
                    .collect()
            }
        }
    }

    /// Writes a value for which [`ShowWalk::is_leaf`] holds.
    pub fn show_leaf(&self, value: Value, names: &dyn Names, out: &mut String) {
        match value.kind() {
            Kind::Null | Kind::Unset => out.push_str("null"),
            Kind::Boolean => out.push_str(if value == Value::TRUE {
                "true"
            } else {
                "false"
            }),
            Kind::Integer => push_integer(value.integer_unchecked(), out),
            Kind::Float | Kind::BoxedFloat => {
                out.push_str(ryu_js::Buffer::new().format(self.as_f64(value).unwrap_or(0.0)));
            }
            Kind::Position => {
                let (x, y) = value.as_position().unwrap_or((0, 0));
                push_pair("(", x, ",", y, out);
                out.push(')');
            }
            Kind::Text => quote(self.as_str(value).unwrap_or(""), out),
            Kind::Relation => out.push_str("relation"),
            Kind::Grid => {
                let grid = &self.grids[value.payload()];
                push_pair(
                    "grid ",
                    i64::from(grid.width),
                    "x",
                    i64::from(grid.height),
                    out,
                );
            }
            Kind::Function => match names.function(self.functions[value.payload()].function) {
                Some(name) => push_function(name, out),
                None => out.push_str("function"),
            },
            Kind::Native => push_function(names.native(value.payload()), out),
            Kind::Method => {
                let (rules, number) = (self.rules_of(value), self.type_number(value));
                push_function(rules.name, out);
                out.push('.');
                out.push_str(names.method(number, value.method_number()));
            }
            Kind::Host => self.show_host(value, out),
            Kind::Array | Kind::Set | Kind::Object | Kind::Queue | Kind::Variable => {}
        }
    }
}

fn push_function(name: &str, out: &mut String) {
    out.push_str("function ");
    out.push_str(name);
}

fn push_pair(before: &str, x: i64, between: &str, y: i64, out: &mut String) {
    out.push_str(before);
    push_integer(x, out);
    out.push_str(between);
    push_integer(y, out);
}

/// Appends the digits of an integer. Programs print integers most, and the general formatting takes several times as
/// long.
fn push_integer(integer: i64, out: &mut String) {
    const MOST: usize = 20;
    let mut digits = [b'0'; MOST];
    let mut left = integer.unsigned_abs();
    let mut begin = MOST;
    loop {
        begin -= 1;
        digits[begin] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if integer < 0 {
        begin -= 1;
        digits[begin] = b'-';
    }
    out.push_str(std::str::from_utf8(&digits[begin..]).unwrap_or_default());
}

/// Appends the name of a field, quoted unless it is a name.
pub(crate) fn key_or_quoted(key: &str, out: &mut String) {
    if is_name(key) {
        out.push_str(key);
    } else {
        quote(key, out);
    }
}

/// Appends a string as it shows inside a collection.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    escape(text, out);
    out.push('"');
}

/// Appends a string as a literal of the language.
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
        let mut showing = ShowWalk::default();
        showing.begin(
            &heap,
            many,
            true,
            &NoNames,
            &mut out,
            &mut Budget::unlimited(),
        );
        let mut most = 0.0_f64;
        loop {
            let mut budget = Budget::piece(ndscript_base::budget::PieceSize::default());
            let is_done =
                showing.resume(&heap, &NoNames, &mut out, usize::MAX, &mut budget) == Ok(true);
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
