//! Text of the solution, and of the error output.

use super::{Cost, Row};
use crate::limits::LimitReached;
use crate::value::{Value, room};
use crate::vm::context::Context;
use crate::vm::error::Fault;
use crate::vm::output::LARGEST_BUFFER;

/// Appends what `write` writes to the text of the solution, all of it or nothing.
pub(super) fn append(
    context: &mut Context,
    write: impl FnOnce(&mut Context, &mut String) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // Most texts are short: one buffer serves them all.
    let mut text = context.output.take_buffer();
    let written = write(context, &mut text).and_then(|()| put(context, &text));
    if text.capacity() <= LARGEST_BUFFER {
        context.output.buffer = text;
    }
    written
}

fn put(context: &mut Context, text: &str) -> Result<(), Fault> {
    // The heights of the log are kept in 32 bits.
    let length = context.output.text.len() + text.len();
    if length > context.limits.output.min(u32::MAX as usize) {
        return Err(Fault::Limit(LimitReached::Output(context.limits.output)));
    }
    let printed = &context.output.text;
    if printed.capacity() < length {
        context.reserve(text.len().max(room::step(printed.capacity())))?;
    }
    let grown = context.output.write(text);
    context.heap.allocated(grown);
    Ok(())
}

/// Writes values one behind another.
fn joined(context: &mut Context, values: &[Value], out: &mut String) -> Result<(), Fault> {
    values.iter().try_for_each(|value| context.display_to(*value, out))
}

fn print(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    append(context, |context, text| joined(context, arguments, text))?;
    Ok(Value::NULL)
}

fn print_line(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    append(context, |context, text| {
        joined(context, arguments, text)?;
        text.push('\n');
        Ok(())
    })?;
    Ok(Value::NULL)
}

fn debug(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let mut line = String::new();
    joined(context, arguments, &mut line)?;
    (context.debug)(&line);
    Ok(Value::NULL)
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "print",
        "a, b, ...",
        0,
        None,
        print,
        "Prints its arguments one behind another; undone on failure.",
        ("print(1, \" and \", [2])", "null"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "printLine",
        "a, b, ...",
        0,
        None,
        print_line,
        "Prints its arguments one behind another, and a line break; undone on failure.",
        ("printLine(\"size: \", 3)", "null"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "debug",
        "a, b, ...",
        0,
        None,
        debug,
        "Writes its arguments as a line to the error output, at once; never undone.",
        ("debug(\"here: \", [1, 2])", "null"),
    )
    .costing(Cost::Linear),
];
