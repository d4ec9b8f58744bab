//! Arguments of built-ins as Rust values, with the errors that a person can read.

use ndscript_heap::value::Handle;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;

/// An integer.
pub fn integer(context: &Context, function: &str, value: Value) -> Result<i64, Fault> {
    value
        .as_integer()
        .ok_or_else(|| context.wrong_argument(function, "a whole number", value))
}

/// A number of any form.
pub fn number(context: &Context, function: &str, value: Value) -> Result<f64, Fault> {
    context
        .heap
        .as_f64(value)
        .ok_or_else(|| context.wrong_argument(function, "a number", value))
}

/// The error for an element of a collection that is no number.
pub fn no_number(context: &Context, function: &str, wanted: &str, found: Value) -> Fault {
    let fault = context.wrong_argument(function, wanted, found);
    match found.kind() {
        Kind::Position => {
            fault.with_hint("a grid is a collection of its positions; `valuesOf(g)` has its values")
        }
        _ => fault,
    }
}

/// A string; the text is cloned so that the heap stays free.
pub fn text(context: &Context, function: &str, value: Value) -> Result<String, Fault> {
    match context.heap.as_str(value) {
        Some(text) => Ok(text.to_string()),
        None => Err(context.wrong_argument(function, "a string", value)),
    }
}

/// A Boolean.
pub fn boolean(context: &Context, function: &str, value: Value) -> Result<bool, Fault> {
    value
        .as_boolean()
        .ok_or_else(|| context.wrong_argument(function, "true or false", value))
}

/// A position.
pub fn position(context: &Context, function: &str, value: Value) -> Result<(i64, i64), Fault> {
    value
        .as_position()
        .ok_or_else(|| context.wrong_argument(function, "a position", value))
}

/// The handle of a value of a kind; `wanted` is the kind in words, with its article.
pub fn handle(
    context: &Context,
    function: &str,
    wanted: &str,
    kind: Kind,
    value: Value,
) -> Result<Handle, Fault> {
    value
        .handle_of(kind)
        .ok_or_else(|| context.wrong_argument(function, wanted, value))
}

/// An array.
pub fn array(context: &Context, function: &str, value: Value) -> Result<Handle, Fault> {
    let handle = handle(context, function, "an array", Kind::Array, value);
    handle.map_err(|fault| match (function, value.kind()) {
        ("push" | "insert", Kind::Set) => {
            fault.with_hint("a set does not change: write `s = add(s, element);`")
        }
        ("pop" | "removeAt", Kind::Set) => {
            fault.with_hint("a set does not change: write `s = remove(s, element);`")
        }
        ("push", Kind::Queue) => fault.with_hint("write `enqueue(element, queue)`"),
        ("pop", Kind::Queue) => fault.with_hint("write `dequeue(queue)`"),
        (_, Kind::Set | Kind::Queue) => fault.with_hint("`toArray(c)` makes an array of it"),
        _ => fault,
    })
}

/// A set, as the value that it is.
pub fn set(context: &Context, function: &str, value: Value) -> Result<Value, Fault> {
    match handle(context, function, "a set", Kind::Set, value) {
        Ok(_) => Ok(value),
        Err(fault) => Err(match value.kind() {
            Kind::Array => fault.with_hint("`toSet(a)` makes a set of an array"),
            Kind::Queue => fault.with_hint("`toSet(q)` makes a set of a queue"),
            _ => match function {
                "except" => fault.with_hint("`remove(s, element)` takes one element away"),
                "union" => fault.with_hint("`add(s, element)` adds one element"),
                _ => fault,
            },
        }),
    }
}

/// A grid.
pub fn grid(context: &Context, function: &str, value: Value) -> Result<Handle, Fault> {
    handle(context, function, "a grid", Kind::Grid, value)
}

/// An object.
pub fn object(context: &Context, function: &str, value: Value) -> Result<Handle, Fault> {
    handle(context, function, "an object", Kind::Object, value)
}

/// The beginning of a list of the elements of any collection.
pub fn collection(context: &mut Context, function: &str, value: Value) -> Result<ListWalk, Fault> {
    match value.kind() {
        Kind::Array | Kind::Set | Kind::Queue | Kind::Object | Kind::Grid | Kind::Text => {
            context.list(value)
        }
        _ => Err(context.wrong_argument(function, "a collection", value)),
    }
}
