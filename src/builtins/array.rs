//! Arrays.

use super::{Cost, Row, args};
use crate::bytecode::Shortcut;
use crate::value::value::Handle;
use crate::value::{Kind, Value, room};
use crate::vm::context::Context;
use crate::vm::error::{ErrorKind, Fault};

/// Where the first element that is equal to a value stands.
pub(super) fn find(context: &mut Context, array: Handle, value: Value) -> Result<Option<usize>, Fault> {
    if !value.is_kind(Kind::Array) {
        let found = context.heap.elements(array).iter().position(|element| *element == value);
        let work = found.unwrap_or(context.heap.array_len(array)) / 8;
        context.charge(work);
        return Ok(found);
    }
    context.reserve(context.heap.array_len(array) * 8)?;
    let elements = context.heap.elements(array).to_vec();
    context.charge(elements.len() / 4);
    Ok(elements.into_iter().position(|element| context.equal(element, value)))
}

/// An index that is at most `most`.
fn index(context: &Context, function: &str, value: Value, most: usize) -> Result<usize, Fault> {
    let index = args::integer(context, function, value)?;
    match usize::try_from(index) {
        Ok(index) if index <= most => Ok(index),
        _ => Err(Fault::error(ErrorKind::Index, format!("`{function}` got the index {index}, which is out of range"))
            .with_hint(format!("here an index lies between 0 and {most}"))),
    }
}

/// Makes sure that an array can grow by one element.
fn room_for_one(context: &mut Context, array: Handle) -> Result<(), Fault> {
    let slots = &context.heap.arrays[array].slots;
    if slots.is_full() { context.reserve(room::step(slots.len() * 8).max(64)) } else { Ok(()) }
}

/// Makes sure that so many elements can be written so that it can be undone.
fn room_to_move(context: &mut Context, array: Handle, elements: usize) -> Result<(), Fault> {
    if context.heap.arrays[array].slots.is_fresh(context.heap.top) {
        return Ok(());
    }
    context.reserve_write(Value::handle(Kind::Array, array))?;
    // An entry of the trail for each.
    context.reserve(elements * 24)
}

fn push(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let array = args::array(context, "push", arguments[0])?;
    context.writable(array)?;
    context.heap.elements(array);
    room_for_one(context, array)?;
    context.heap.push_element(array, arguments[1]);
    Ok(arguments[0])
}

fn pop(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let array = args::array(context, "pop", arguments[0])?;
    context.writable(array)?;
    context.reserve_write(arguments[0])?;
    context
        .heap
        .pop_element(array)
        .ok_or_else(|| Fault::error(ErrorKind::Empty, "`pop` of an empty array").with_hint("check `isEmpty(a)` first"))
}

fn insert(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let array = args::array(context, "insert", arguments[0])?;
    context.writable(array)?;
    let length = context.heap.elements(array).len();
    let at = index(context, "insert", arguments[1], length)?;
    room_for_one(context, array)?;
    room_to_move(context, array, length - at)?;
    context.charge((length - at) / 4);
    context.heap.insert_element(array, at, arguments[2]);
    Ok(arguments[0])
}

fn remove_at(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let array = args::array(context, "removeAt", arguments[0])?;
    context.writable(array)?;
    let length = context.heap.elements(array).len();
    let Some(last) = length.checked_sub(1) else {
        args::integer(context, "removeAt", arguments[1])?;
        return Err(Fault::error(ErrorKind::Index, "`removeAt` of an empty array: no index is in range"));
    };
    let at = index(context, "removeAt", arguments[1], last)?;
    room_to_move(context, array, length - at)?;
    context.charge((length - at) / 4);
    Ok(context.heap.remove_element(array, at))
}

fn slice(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if arguments[0].is_kind(Kind::Text) {
        let fault = context.wrong_argument("slice", "an array", arguments[0]);
        return Err(fault.with_hint("`substring(s, from, to)` takes a part of a string"));
    }
    let array = args::array(context, "slice", arguments[0])?;
    let length = context.heap.array_len(array);
    let from = index(context, "slice", arguments[1], length)?;
    let to = index(context, "slice", arguments[2], length)?;
    if from > to {
        return Err(Fault::error(ErrorKind::Index, format!("`slice` from {from} to {to} goes backwards"))
            .with_hint("the first index must not be larger than the second"));
    }
    context.reserve((to - from) * 8)?;
    context.charge((to - from) / 8);
    let part = context.heap.elements(array)[from..to].to_vec();
    Ok(context.heap.array(part))
}

fn concat(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let left = args::array(context, "concat", arguments[0])?;
    let right = args::array(context, "concat", arguments[1])?;
    let length = context.heap.array_len(left) + context.heap.array_len(right);
    context.reserve(length * 8)?;
    context.charge(length / 8);
    let mut joined = Vec::with_capacity(length);
    joined.extend_from_slice(context.heap.elements(left));
    joined.extend_from_slice(context.heap.elements(right));
    Ok(context.heap.array(joined))
}

fn index_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let found = match arguments[0].kind() {
        Kind::Array => find(context, arguments[0].payload(), arguments[1])?,
        Kind::Text => {
            let text = &context.heap.texts[arguments[0].payload()].string;
            let Some(part) = context.heap.as_str(arguments[1]) else {
                return Err(context.wrong_argument("indexOf", "a string to look for in a string", arguments[1]));
            };
            let work = (text.len() + part.len()) / 8;
            let found = text.find(part).map(|at| text[..at].chars().count());
            context.charge(work);
            found
        }
        _ => return Err(context.wrong_argument("indexOf", "an array or a string", arguments[0])),
    };
    Ok(found.map_or(Value::integer(-1), Value::size))
}

fn join(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let elements = args::collection(context, "join", arguments[0])?;
    let separator = args::text(context, "join", arguments[1])?;
    let mut out = String::new();
    for (at, element) in elements.into_iter().enumerate() {
        if at > 0 {
            out.push_str(&separator);
        }
        let before = out.capacity();
        context.display_to(element, &mut out)?;
        if out.capacity() != before {
            context.reserve(out.capacity() * 2)?;
        }
    }
    context.charge(out.len() / 8);
    Ok(context.heap.text_owned(out))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "push",
        "array, value",
        2,
        Some(2),
        push,
        "Appends a value; returns the array.",
        ("push([1, 2], 3)", "[1, 2, 3]"),
    )
    .with_shortcuts(&[Shortcut::Push]),
    Row::plain(
        "pop",
        "array",
        1,
        Some(1),
        pop,
        "Removes the last element and returns it; an error if there is none.",
        ("pop([1, 2])", "2"),
    ),
    Row::plain(
        "insert",
        "array, index, value",
        3,
        Some(3),
        insert,
        "Inserts a value before the element with this index; returns the array.",
        ("insert([1, 3], 1, 2)", "[1, 2, 3]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "removeAt",
        "array, index",
        2,
        Some(2),
        remove_at,
        "Removes the element with this index and returns it.",
        ("var a = [1, 2, 3]; removeAt(a, 0); a", "[2, 3]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "slice",
        "array, from, to",
        3,
        Some(3),
        slice,
        "A new array of the elements from one index up to but without another.",
        ("slice([1, 2, 3, 4], 1, 3)", "[2, 3]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "concat",
        "a, b",
        2,
        Some(2),
        concat,
        "A new array of the elements of two arrays.",
        ("concat([1], [2, 3])", "[1, 2, 3]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "indexOf",
        "array, value | string, part",
        2,
        Some(2),
        index_of,
        "Where the value, or the part of a string, stands first; -1 if it does not.",
        ("indexOf([\"a\", \"b\"], \"b\")", "1"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "join",
        "collection, separator",
        2,
        Some(2),
        join,
        "The elements as one text, with the separator between them.",
        ("join([1, 2, \"x\"], \"-\")", "1-2-x"),
    )
    .costing(Cost::Linear),
];
