//! What can be done with every value.

use rustc_hash::FxHashSet;

use super::{Cost, Row, args};
use crate::value::value::MAX_INTEGER;
use crate::value::{Kind, Value};
use crate::vm::context::{Context, number_fault};
use crate::vm::error::{ErrorKind, Fault};

fn to_string(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if arguments[0].is_kind(Kind::Text) {
        return Ok(arguments[0]);
    }
    let text = context.display(arguments[0])?;
    Ok(context.heap.text_owned(text))
}

fn to_number(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = args::text(context, "toNumber", arguments[0])?;
    context.charge(text.len() / 8);
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let what = || context.brief(arguments[0]);
    let number = match (is_number(digits), text.parse::<f64>()) {
        (true, Ok(number)) => number,
        _ => {
            let message = format!("`toNumber` cannot read {} as a number", what());
            return Err(
                Fault::error(ErrorKind::Value, message).with_hint("numbers are written like 12, -3, 2.5 or 1e6")
            );
        }
    };
    if digits.bytes().all(|byte| byte.is_ascii_digit()) && number.abs() > MAX_INTEGER as f64 {
        let message = format!("integer overflow: {} is beyond {MAX_INTEGER}", what());
        return Err(Fault::error(ErrorKind::Overflow, message));
    }
    let what = what();
    context.heap.float(number).map_err(|fault| number_fault(fault, &what))
}

/// Whether a text without sign is what the language takes for a number: `12`, `0.5`, `1e-6`.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

fn type_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = match arguments[0].kind() {
        Kind::Null | Kind::Unset | Kind::Variable => "null",
        Kind::Boolean => "boolean",
        Kind::Integer | Kind::Float | Kind::BoxedFloat => "number",
        Kind::Text => "string",
        Kind::Position => "position",
        Kind::Array => "array",
        Kind::Set => "set",
        Kind::Relation => "relation",
        Kind::Grid => "grid",
        Kind::Object => "object",
        Kind::Queue => "queue",
        Kind::Function | Kind::Native | Kind::Method => "function",
        Kind::Host => context.heap.rules_of(arguments[0]).name,
    };
    Ok(context.heap.text(name))
}

/// Bytes of a shallow copy, at most, and the number of values in it.
fn size_of_copy(context: &Context, value: Value) -> (usize, usize) {
    let (heap, handle) = (&context.heap, value.payload());
    let (count, bytes_each) = match value.kind() {
        Kind::Array => (heap.array_len(handle), 8),
        Kind::Grid => (heap.grids[handle].slots.len(), 8),
        // Keys and values, room to grow, and the index of the keys.
        Kind::Object => (heap.objects[handle].len(), 80),
        Kind::Queue => (heap.queues[handle].values().len(), 8),
        Kind::Host => (1, heap.host_bytes(value)),
        _ => return (0, 0),
    };
    (count * bytes_each + 128, count)
}

fn copy(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (bytes, count) = size_of_copy(context, arguments[0]);
    context.reserve(bytes)?;
    context.charge(count / 8 + 1);
    if arguments[0].is_kind(Kind::Host) {
        let copied = context.heap.copy_host(arguments[0]);
        return copied.map_err(|host| context.no_copy(host, "cannot be copied"));
    }
    Ok(context.heap.copy(arguments[0]))
}

fn deep_copy(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    // A copy is never much larger than everything that there is; only if that may not fit is it measured.
    if context.bytes().saturating_mul(5) > context.limits.memory {
        let bytes = measure(context, arguments[0]);
        context.reserve(bytes)?;
    }
    let copied = context.heap.deep_copy(arguments[0]);
    let (copy, work) = copied.map_err(|host| context.no_copy(host, "cannot be copied"))?;
    context.charge(work);
    Ok(copy)
}

/// Bytes of a deep copy, at most.
fn measure(context: &mut Context, value: Value) -> usize {
    let changes =
        |value: Value| matches!(value.kind(), Kind::Array | Kind::Grid | Kind::Object | Kind::Queue | Kind::Host);
    let mut met: FxHashSet<Value> = FxHashSet::default();
    let mut work = vec![value];
    let mut bytes = 0;
    while let Some(value) = work.pop() {
        if !changes(value) || !met.insert(value) {
            continue;
        }
        let (own, count) = size_of_copy(context, value);
        bytes += own;
        context.charge(count / 8 + 1);
        let (heap, handle) = (&context.heap, value.payload());
        let parts = match value.kind() {
            Kind::Array => heap.arrays[handle].slots.values(),
            Kind::Grid => heap.grids[handle].slots.values(),
            Kind::Object => heap.objects[handle].slots(),
            Kind::Host => &[],
            _ => heap.queues[handle].values(),
        };
        work.extend(parts.iter().copied().filter(|part| changes(*part)));
    }
    bytes
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "toString",
        "v",
        1,
        Some(1),
        to_string,
        "The text of a value, as `print` shows it.",
        ("toString([1, \"a\"]) + \"!\"", "[1, \"a\"]!"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "toNumber",
        "s",
        1,
        Some(1),
        to_number,
        "The number that a string spells; an error if it spells none.",
        ("toNumber(\"12\") + 1", "13"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "typeOf",
        "v",
        1,
        Some(1),
        type_of,
        "What a value is: \"null\", \"boolean\", \"number\", \"string\", \"position\", \"array\", \"set\", \"relation\", \
         \"grid\", \"object\", \"queue\" or \"function\"; a type of the host has a name of its own.",
        ("typeOf(setOf(1))", "set"),
    ),
    Row::plain(
        "copy",
        "v",
        1,
        Some(1),
        copy,
        "A copy of one level: what is inside is shared.",
        ("let a = [1]; let b = copy(a); push(b, 2); [a, b]", "[[1], [1, 2]]"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "deepCopy",
        "v",
        1,
        Some(1),
        deep_copy,
        "A copy of a value and of everything inside that can change.",
        ("let a = [[1]]; let b = deepCopy(a); push(b[0], 2); [a, b]", "[[[1]], [[1, 2]]]"),
    )
    .costing(Cost::Linear),
];
