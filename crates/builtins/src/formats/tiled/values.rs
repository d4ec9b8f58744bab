//! Shared parts of the reader: how values are written, and errors in a text.

use ndscript_heap::value::Handle;
use ndscript_heap::{Heap, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;

/// A tag with its attributes has at most this many bytes.
pub const LONGEST_TAG: usize = 1 << 16;
/// The bytes that the name of a tile may take, with its turns and its place among the texts.
pub const LONGEST_NAME: usize = 1 << 17;
/// The bytes of the values made for one tag, apart from its texts.
pub const VALUES_OF_TAG: usize = 1 << 12;

/// Why a text is no map.
pub enum NotAMap {
    Text(String),
    /// Memory, or another error independent of the text.
    Fault(Fault),
}

impl NotAMap {
    pub fn new(text: &str) -> NotAMap {
        NotAMap::Text(text.to_string())
    }
}

impl From<Fault> for NotAMap {
    fn from(fault: Fault) -> NotAMap {
        NotAMap::Fault(fault)
    }
}

/// The beginning of a name, for messages.
pub fn short(name: &str) -> String {
    name.chars().take(40).collect()
}

pub fn signed(number: i32) -> Value {
    Heap::integer(i64::from(number)).unwrap_or(Value::NULL)
}

/// Writes a field; there is room for it.
pub fn put(context: &mut Context, object: Handle, key: &str, value: Value) {
    let key = context.heap.text(key);
    context.heap.set_field(object, key, value);
}

pub fn put_text(context: &mut Context, object: Handle, key: &str, text: &str) {
    let text = context.heap.text(text);
    put(context, object, key, text);
}
