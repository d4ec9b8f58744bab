//! Arrays.

use super::list_work::FindInList;
use super::shift_work::{InsertElement, RemoveElement};
use crate::texts::text;
use crate::{Cost, Row, args};
use ndscript_base::room;
use ndscript_bytecode::Shortcut;
use ndscript_bytecode::{ResultKind, Shows};
use ndscript_heap::value::Handle;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::NativeEffect;
use ndscript_machine::work::writing::{Separator, TextTarget, Writing};

/// The index of the first element equal to a value.
pub(crate) fn find(
    context: &mut Context,
    array: Value,
    value: Value,
) -> Result<Option<usize>, Fault> {
    context.heap.elements(array.payload());
    let found = context.perform(|_| Ok(FindInList::new(array, value, 0, 1)))?;
    Ok(found.as_integer().and_then(|at| usize::try_from(at).ok()))
}

/// An index that is at most `most`.
fn index(context: &Context, function: &str, value: Value, most: usize) -> Result<usize, Fault> {
    let index = args::integer(context, function, value)?;
    match usize::try_from(index) {
        Ok(index) if index <= most => Ok(index),
        _ => Err(Fault::error(
            ErrorKind::Index,
            format!("`{function}` got the index {index}, which is out of range"),
        )
        .with_hint(format!("here an index lies between 0 and {most}"))),
    }
}

/// Makes sure that an array can grow by one element.
fn room_for_one(context: &mut Context, array: Handle) -> Result<(), Fault> {
    let slots = &context.heap.arrays[array].slots;
    if slots.is_full() {
        context.reserve(room::step(slots.len() * 8).max(64))
    } else {
        Ok(())
    }
}

/// Reserves memory to log writes of this many elements.
fn room_to_move(context: &mut Context, array: Handle, elements: usize) -> Result<(), Fault> {
    if context.heap.arrays[array]
        .slots
        .is_fresh(context.heap.serials.top)
    {
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
    context.heap.pop_element(array).ok_or_else(|| {
        Fault::error(ErrorKind::Empty, "`pop` of an empty array")
            .with_hint("check `isEmpty(a)` first")
    })
}

fn insert(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let array = args::array(context, "insert", arguments[0])?;
    context.writable(array)?;
    let length = context.heap.elements(array).len();
    let at = index(context, "insert", arguments[1], length)?;
    room_for_one(context, array)?;
    room_to_move(context, array, length - at)?;
    let (result, value) = (arguments[0], arguments[2]);
    context.perform(|context| Ok(InsertElement::begin(context, result, at, value)))
}

fn remove_at(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let array = args::array(context, "removeAt", arguments[0])?;
    context.writable(array)?;
    let length = context.heap.elements(array).len();
    let Some(last) = length.checked_sub(1) else {
        args::integer(context, "removeAt", arguments[1])?;
        return Err(Fault::error(
            ErrorKind::Index,
            "`removeAt` of an empty array: no index is in range",
        ));
    };
    let at = index(context, "removeAt", arguments[1], last)?;
    room_to_move(context, array, length - at)?;
    let array = arguments[0];
    context.perform(|context| Ok(RemoveElement::begin(context, array, at)))
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
        return Err(Fault::error(
            ErrorKind::Index,
            format!("`slice` from {from} to {to} goes backwards"),
        )
        .with_hint("the first index must not be larger than the second"));
    }
    context.heap.elements(array);
    let slots = arguments[0];
    context.perform_array(move |_| Ok(ListWalk::of_slots(slots, from, 1, to - from)))
}

fn concat(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let left = args::array(context, "concat", arguments[0])?;
    let right = args::array(context, "concat", arguments[1])?;
    let count = context.heap.elements(left).len() + context.heap.elements(right).len();
    let rows = arguments.to_vec();
    context.perform_array(move |_| Ok(ListWalk::of_rows(rows, count)))
}

fn index_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let found = match arguments[0].kind() {
        Kind::Array => find(context, arguments[0], arguments[1])?,
        Kind::Text => {
            if !arguments[1].is_kind(Kind::Text) {
                return Err(context.wrong_argument(
                    "indexOf",
                    "a string to look for in a string",
                    arguments[1],
                ));
            }
            text::find(context, arguments[0], arguments[1])?
        }
        _ => return Err(context.wrong_argument("indexOf", "an array or a string", arguments[0])),
    };
    Ok(found.map_or(Value::integer(-1), Value::size))
}

fn join(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (collection, separator) = (arguments[0], arguments[1]);
    args::handle(context, "join", "a string", Kind::Text, separator)?;
    context.perform(move |context| {
        let listing = args::collection(context, "join", collection)?;
        Ok(Writing::new(listing, TextTarget::Text).with_between(Separator::Text(separator)))
    })
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
    ).with_effect(NativeEffect::Pushes)
    .with_shortcuts(&[Shortcut::Push]),
    Row::plain(
        "pop",
        "array",
        1,
        Some(1),
        pop,
        "Removes the last element and returns it; an error if there is none.",
        ("pop([1, 2])", "2"),
    ).with_effect(NativeEffect::Pops),
    Row::plain(
        "insert",
        "array, index, value",
        3,
        Some(3),
        insert,
        "Inserts a value before the element with this index; returns the array.",
        ("insert([1, 3], 1, 2)", "[1, 2, 3]"),
    ).with_effect(NativeEffect::Inserts)
    .costing(Cost::Linear),
    Row::plain(
        "removeAt",
        "array, index",
        2,
        Some(2),
        remove_at,
        "Removes the element with this index and returns it.",
        ("var a = [1, 2, 3]; removeAt(a, 0); a", "[2, 3]"),
    ).with_effect(NativeEffect::RemovesAt)
    .costing(Cost::Linear),
    Row::plain(
        "slice",
        "array, from, to",
        3,
        Some(3),
        slice,
        "A new array of the elements from one index up to, but not including, another.",
        ("slice([1, 2, 3, 4], 1, 3)", "[2, 3]"),
    ).with_effect(NativeEffect::Slices).giving(ResultKind::Array).passing_elements().unchanging("it is a new array")
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
    ).with_effect(NativeEffect::Concatenates).giving(ResultKind::Array).passing_elements().unchanging("it is a new array")
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "indexOf",
        "array, value | string, part",
        2,
        Some(2),
        index_of,
        "The index of the first such value, or of the first such part of a string; -1 if there is none.",
        ("indexOf([\"a\", \"b\"], \"b\")", "1"),
    ).looking_for(1, 0)
    .costing(Cost::Linear),
    Row::plain(
        "join",
        "collection, separator",
        2,
        Some(2),
        join,
        "The elements as one text, with the separator between them.",
        ("join([1, 2, \"x\"], \"-\")", "1-2-x"),
    ).giving(ResultKind::String)
    .showing(Shows::Elements)
    .costing(Cost::Linear),
];
