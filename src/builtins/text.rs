//! Strings: sequences of Unicode scalar values, which no built-in changes.

use super::{Cost, Row, args};
use crate::limits::LimitReached;
use crate::value::text::Text;
use crate::value::value::Handle;
use crate::value::{Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::{ErrorKind, Fault};

/// What a string takes beside its bytes.
const OVERHEAD: usize = size_of::<Text>() + 16;

/// A string, left in the heap.
fn string(context: &Context, function: &str, value: Value) -> Result<Handle, Fault> {
    args::handle(context, function, "a string", Kind::Text, value)
}

/// Makes sure that a string of so many bytes may be made, and pays for it.
fn reserve(context: &mut Context, bytes: usize) -> Result<(), Fault> {
    // A string counts its characters in 32 bits.
    if bytes > u32::MAX as usize {
        return Err(Fault::Limit(LimitReached::Memory(context.limits.memory)));
    }
    context.reserve(bytes)?;
    context.charge(bytes / 8 + 1);
    Ok(())
}

/// The array of pieces of a string.
fn pieces<'a>(context: &mut Context, pieces: impl Iterator<Item = &'a str> + Clone) -> Result<Value, Fault> {
    let (count, bytes) = pieces.clone().fold((0, 0), |(count, bytes), piece| (count + 1, bytes + piece.len()));
    context.reserve(bytes + count * (8 + OVERHEAD))?;
    context.charge(bytes / 8 + count + 1);
    let values = pieces.map(|piece| context.heap.text(piece)).collect();
    Ok(context.heap.array(values))
}

fn split(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = args::text(context, "split", arguments[0])?;
    let separator = args::text(context, "split", arguments[1])?;
    if separator.is_empty() { characters(context, arguments[0]) } else { pieces(context, text.split(&*separator)) }
}

fn characters(context: &mut Context, text: Value) -> Result<Value, Fault> {
    let elements = context.list_of(text)?;
    context.charge(elements.len() + 1);
    Ok(context.heap.array(elements))
}

fn chars(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    string(context, "chars", arguments[0])?;
    characters(context, arguments[0])
}

fn lines(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = args::text(context, "lines", arguments[0])?;
    pieces(context, text.lines())
}

fn substring(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let handle = string(context, "substring", arguments[0])?;
    let from = args::integer(context, "substring", arguments[1])?;
    let to = args::integer(context, "substring", arguments[2])?;
    let text = &context.heap.texts[handle];
    let length = text.characters as i64;
    if let Some(outside) = [from, to].into_iter().find(|index| !(0..=length).contains(index)) {
        let message = format!("`substring` wants indexes from 0 to {length} for this string, not {outside}");
        return Err(Fault::error(ErrorKind::Index, message)
            .with_hint("`to` is the index behind the last character; `sizeOf(s)` is the number of characters"));
    }
    if from > to {
        let message = format!("`substring` wants `from` not to be behind `to`, but {from} is behind {to}");
        return Err(Fault::error(ErrorKind::Index, message));
    }
    let length = text.string.len();
    let bounds = text.byte_offset(from as usize).zip(text.byte_offset(to as usize));
    let (start, end) = bounds.unwrap_or((length, length));
    let scanned = if text.characters as usize == length { 0 } else { end };
    reserve(context, end - start)?;
    context.charge(scanned / 8);
    let part = context.heap.texts[handle].string[start..end].to_string();
    Ok(context.heap.text_owned(part))
}

fn replace(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = string(context, "replace", arguments[0])?;
    let from = string(context, "replace", arguments[1])?;
    let to = string(context, "replace", arguments[2])?;
    let texts = &context.heap.texts;
    let (text, from, to) = (&*texts[text].string, &*texts[from].string, &*texts[to].string);
    let (length, found) = (text.len(), text.matches(from).count());
    if found == 0 {
        context.charge(length / 8 + 1);
        return Ok(arguments[0]);
    }
    let bytes = (length - found * from.len()).saturating_add(found.saturating_mul(to.len()));
    context.charge(length / 8);
    reserve(context, bytes)?;
    let texts = &context.heap.texts;
    let [text, from, to] = [0, 1, 2].map(|at| &*texts[arguments[at].payload()].string);
    let replaced = text.replace(from, to);
    Ok(context.heap.text_owned(replaced))
}

fn trim(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = string(context, "trim", arguments[0])?;
    let bytes = context.heap.texts[text].string.trim().len();
    if bytes == context.heap.texts[text].string.len() {
        return Ok(arguments[0]);
    }
    reserve(context, bytes)?;
    let trimmed = context.heap.texts[text].string.trim().to_string();
    Ok(context.heap.text_owned(trimmed))
}

/// A string with the case of its letters changed.
fn recased(context: &mut Context, text: Handle, recase: fn(&str) -> String) -> Result<Value, Fault> {
    let string = &context.heap.texts[text].string;
    // One character of two bytes becomes at most three of two each.
    let bytes = if string.is_ascii() { string.len() } else { string.len().saturating_mul(3) };
    reserve(context, bytes)?;
    let recased = recase(&context.heap.texts[text].string);
    Ok(context.heap.text_owned(recased))
}

fn upper(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = string(context, "upper", arguments[0])?;
    recased(context, text, str::to_uppercase)
}

fn lower(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = string(context, "lower", arguments[0])?;
    recased(context, text, str::to_lowercase)
}

fn starts_with(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = string(context, "startsWith", arguments[0])?;
    let part = string(context, "startsWith", arguments[1])?;
    let (text, part) = (&context.heap.texts[text].string, &context.heap.texts[part].string);
    let (holds, work) = (text.starts_with(&**part), part.len() / 8);
    context.charge(work);
    Ok(Value::boolean(holds))
}

fn ends_with(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = string(context, "endsWith", arguments[0])?;
    let part = string(context, "endsWith", arguments[1])?;
    let (text, part) = (&context.heap.texts[text].string, &context.heap.texts[part].string);
    let (holds, work) = (text.ends_with(&**part), part.len() / 8);
    context.charge(work);
    Ok(Value::boolean(holds))
}

fn repeat(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = string(context, "repeat", arguments[0])?;
    let count = args::integer(context, "repeat", arguments[1])?;
    if count < 0 {
        let message = format!("`repeat` wants a number that is 0 or more, not {count}");
        return Err(Fault::error(ErrorKind::Value, message));
    }
    let length = context.heap.texts[text].string.len();
    if length == 0 || count == 1 {
        return Ok(arguments[0]);
    }
    reserve(context, length.saturating_mul(count as usize))?;
    let repeated = context.heap.texts[text].string.repeat(count as usize);
    Ok(context.heap.text_owned(repeated))
}

/// The rows of this domain. `indexOf` is among the arrays.
pub const TABLE: &[Row] = &[
    Row::plain(
        "split",
        "s, separator",
        2,
        Some(2),
        split,
        "The pieces of s between the separators; with an empty separator, its characters.",
        ("split(\"a,b,,c\", \",\")", "[\"a\", \"b\", \"\", \"c\"]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain("chars", "s", 1, Some(1), chars, "The characters of s.", ("chars(\"né\")", "[\"n\", \"é\"]"))
        .costing(Cost::Linear)
        .returning_fresh(),
    Row::plain(
        "lines",
        "s",
        1,
        Some(1),
        lines,
        "The lines of s; a line break at its end begins no further one.",
        ("lines(\"one\\ntwo\\n\")", "[\"one\", \"two\"]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "substring",
        "s, from, to",
        3,
        Some(3),
        substring,
        "The characters of s from the index `from` up to, but not including, the index `to`.",
        ("substring(\"castle\", 1, 4)", "ast"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "replace",
        "s, from, to",
        3,
        Some(3),
        replace,
        "s with every occurrence of `from` replaced by `to`.",
        ("replace(\"banana\", \"an\", \"o\")", "booa"),
    )
    .costing(Cost::Linear),
    Row::plain("trim", "s", 1, Some(1), trim, "s without white space at its ends.", ("trim(\"  hill \")", "hill"))
        .costing(Cost::Linear),
    Row::plain("upper", "s", 1, Some(1), upper, "s in capital letters.", ("upper(\"door\")", "DOOR"))
        .costing(Cost::Linear),
    Row::plain("lower", "s", 1, Some(1), lower, "s in small letters.", ("lower(\"Door\")", "door"))
        .costing(Cost::Linear),
    Row::plain(
        "startsWith",
        "s, part",
        2,
        Some(2),
        starts_with,
        "Whether s begins with the part.",
        ("startsWith(\"castle\", \"cas\")", "true"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "endsWith",
        "s, part",
        2,
        Some(2),
        ends_with,
        "Whether s ends with the part.",
        ("endsWith(\"castle\", \"cas\")", "false"),
    )
    .costing(Cost::Linear),
    Row::plain("repeat", "s, n", 2, Some(2), repeat, "s n times in a row.", ("repeat(\"ab\", 3)", "ababab"))
        .costing(Cost::Linear),
];
