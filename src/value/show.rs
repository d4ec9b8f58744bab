//! Values as text.

use rustc_hash::FxHashSet;

use super::heap::Heap;
use super::value::{Handle, Kind, Value};

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

/// A collection whose text is being written.
struct Open {
    value: Value,
    /// Elements by turns with keys for objects.
    elements: Vec<Value>,
    next: usize,
    close: &'static str,
}

/// The collections that are open, outermost first.
#[derive(Default)]
struct Path {
    open: Vec<Open>,
    entered: FxHashSet<Value>,
}

impl Path {
    fn leave(&mut self) {
        if let Some(open) = self.open.pop() {
            self.entered.remove(&open.value);
        }
    }
}

impl Heap {
    /// Appends the text of a value, strings bare at the top and quoted inside. Stops with [`TooLong`] once `out`
    /// holds more than `limit` bytes.
    pub fn show(&self, value: Value, names: &dyn Names, out: &mut String, limit: usize) -> Result<(), TooLong> {
        if let Some(text) = self.as_str(value) {
            if text.len() > limit.saturating_sub(out.len()) {
                return Err(TooLong);
            }
            out.push_str(text);
            return Ok(());
        }
        self.show_inside(value, names, out, limit)
    }

    /// The same with strings quoted at the top as well.
    pub fn show_inside(&self, value: Value, names: &dyn Names, out: &mut String, limit: usize) -> Result<(), TooLong> {
        let mut path = Path::default();
        self.open(value, names, &mut path, out);
        while let Some(open) = path.open.last_mut() {
            if out.len() > limit {
                return Err(TooLong);
            }
            let Some(element) = open.elements.get(open.next).copied() else {
                out.push_str(open.close);
                path.leave();
                continue;
            };
            if open.next > 0 {
                out.push_str(", ");
            }
            open.next += 1;
            let mut element = element;
            if open.value.is_kind(Kind::Object) {
                self.show_key(element, out);
                out.push_str(": ");
                element = open.elements.get(open.next).copied().unwrap_or(Value::NULL);
                open.next += 1;
            }
            self.open(element, names, &mut path, out);
        }
        if out.len() > limit { Err(TooLong) } else { Ok(()) }
    }

    /// Writes a value that has no parts, or begins one that has.
    fn open(&self, value: Value, names: &dyn Names, path: &mut Path, out: &mut String) {
        let (elements, begin, close) = match value.kind() {
            Kind::Array => (self.array_snapshot(value.payload()), "[", "]"),
            Kind::Set => (self.set_elements(value), "{", "}"),
            Kind::Object => (self.fields(value).into_iter().flat_map(|field| [field.0, field.1]).collect(), "{", "}"),
            Kind::Queue => (self.queues[value.payload()].list(self), "queue [", "]"),
            _ => return self.show_leaf(value, names, out),
        };
        if !path.entered.insert(value) {
            out.push_str("...");
            return;
        }
        out.push_str(begin);
        path.open.push(Open { value, elements, next: 0, close });
    }

    /// The elements of an array, also of one that is only a note of a moment.
    pub fn array_snapshot(&self, array: Handle) -> Vec<Value> {
        match self.arrays[array].view {
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

    fn show_key(&self, key: Value, out: &mut String) {
        key_or_quoted(self.as_str(key).unwrap_or(""), out);
    }
}

/// Appends the name of a field, quoted unless it is a name.
pub(super) fn key_or_quoted(key: &str, out: &mut String) {
    let mut characters = key.chars();
    let is_name = characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_');
    if is_name {
        out.push_str(key);
    } else {
        quote(key, out);
    }
}

/// Appends a string as it shows inside a collection.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
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
    out.push('"');
}
