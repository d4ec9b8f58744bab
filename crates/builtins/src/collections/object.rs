//! Objects.

use super::shift_work::{OpenFields, RemoveFieldWork};
use crate::{Cost, Row, args};
use ndscript_bytecode::ResultKind;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::NativeEffect;

/// A key, where a field can have it.
fn key(context: &mut Context, function: &str, value: Value) -> Result<Option<Value>, Fault> {
    if value.is_kind(Kind::Text) {
        return context.name_in_use(value);
    }
    let found = context.describe(value);
    Err(Fault::error(
        ErrorKind::Type,
        format!("`{function}` wants a key, which is a string, not {found}"),
    ))
}

fn keys_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::object(context, "keysOf", arguments[0])?;
    let object = arguments[0];
    context.perform_array(move |context| context.list(object))
}

fn values_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let container = arguments[0];
    let handle = container.payload();
    let (first, step, count) = match container.kind() {
        Kind::Object => (1, 2, context.heap.objects[handle].len()),
        Kind::Grid => (0, 1, context.heap.grids[handle].slots.len()),
        kind => {
            let fault = context.wrong_argument("valuesOf", "an object or a grid", container);
            return Err(match kind {
                Kind::Array => fault.with_hint("an array is the list of its values already"),
                Kind::Set | Kind::Queue => fault.with_hint("`toArray(c)` makes an array of it"),
                _ => fault,
            });
        }
    };
    context.perform_array(move |_| Ok(ListWalk::of_slots(container, first, step, count)))
}

fn has(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let object = args::object(context, "has", arguments[0])?;
    let key = key(context, "has", arguments[1])?;
    Ok(Value::boolean(key.is_some_and(|key| {
        context.heap.objects[object].find(key).is_some()
    })))
}

fn remove_key(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let object = args::object(context, "removeKey", arguments[0])?;
    let key = key(context, "removeKey", arguments[1])?;
    if context.heap.constrained(arguments[0]).is_some() {
        return Err(context.keeps_its_places(arguments[0]));
    }
    let Some(key) = key else {
        return Ok(Value::FALSE);
    };
    context.reserve_write(arguments[0])?;
    let removed = context.perform(|context| Ok(RemoveFieldWork::begin(context, object, key)))?;
    Ok(removed)
}

fn nonsingleton_fields_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::object(context, "nonsingletonFieldsOf", arguments[0])?;
    let object = arguments[0];
    context.perform(move |_| Ok(OpenFields::new(object)))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "keysOf",
        "object",
        1,
        Some(1),
        keys_of,
        "The array of the keys, in the order in which they were added.",
        ("keysOf({b: 1, a: 2})", "[\"b\", \"a\"]"),
    ).with_effect(NativeEffect::ListsKeys).giving(ResultKind::Array)
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "valuesOf",
        "object | grid",
        1,
        Some(1),
        values_of,
        "The array of the values of an object, in the order of the keys, or of what the cells of a grid hold, row by row.",
        ("[valuesOf({b: 1, a: 2}), valuesOf(grid([[3, 4], [5, 6]]))]", "[[1, 2], [3, 4, 5, 6]]"),
    ).with_effect(NativeEffect::Copies).giving(ResultKind::Array)
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "has",
        "object, key",
        2,
        Some(2),
        has,
        "Whether the object has a field of this name.",
        ("has({a: 1}, \"a\")", "true"),
    ).with_effect(NativeEffect::HasKey),
    Row::plain(
        "removeKey",
        "object, key",
        2,
        Some(2),
        remove_key,
        "Removes a field; returns whether it was there.",
        ("var o = {a: 1, b: 2}; removeKey(o, \"a\"); o", "{b: 2}"),
    ).with_effect(NativeEffect::RemovesKey)
    .costing(Cost::Linear),
    Row::plain(
        "nonsingletonFieldsOf",
        "object",
        1,
        Some(1),
        nonsingleton_fields_of,
        "The array of the keys whose value is a set or an array with not exactly one element.",
        ("nonsingletonFieldsOf({a: setOf(1, 2), b: setOf(1), c: 5})", "[\"a\"]"),
    ).with_effect(NativeEffect::FindsPlaces).listing_undecided()
    .costing(Cost::Linear)
    .returning_fresh(),
];
