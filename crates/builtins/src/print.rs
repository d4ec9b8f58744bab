//! Text of the solution, and of the error output.

use super::{Cost, Row};
use ndscript_bytecode::Shows;
use ndscript_heap::Value;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::writing::TextTarget;

fn print(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    context.write(arguments, "", TextTarget::Print(Value::NULL))
}

fn print_line(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    context.write(arguments, "\n", TextTarget::Print(Value::NULL))
}

/// The steps charged for showing a line of `debug`.
const STEPS_OF_LINE: usize = 100;

fn debug(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    // The host shows the line at once: a call of the system, which takes some microseconds.
    context.charge(STEPS_OF_LINE);
    context.write(arguments, "", TextTarget::Debug)
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "print",
        "a, b, ...",
        0,
        None,
        print,
        "Prints its arguments one after another; undone on failure.",
        ("print(1, \" and \", [2])", "null"),
    )
    .showing(Shows::Arguments)
    .costing(Cost::Linear),
    Row::plain(
        "printLine",
        "a, b, ...",
        0,
        None,
        print_line,
        "Prints its arguments one after another, and a line break; undone on failure.",
        ("printLine(\"size: \", 3)", "null"),
    )
    .showing(Shows::Arguments)
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
