//! Parameters of the run, and questions to the one who runs it.

use super::{Cost, Row};
use crate::value::data::Data;
use crate::value::{Kind, Value};
use crate::vm::context::{Context, Parameter, number_fault};
use crate::vm::error::{ErrorKind, Fault};
use crate::vm::native::Control;

fn param(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let parameters = context.parameters.clone();
    context.charge(parameters.len() + 1);
    let Some(name) = context.heap.as_str(arguments[0]) else {
        return Err(context.wrong_argument("param", "a string", arguments[0]));
    };
    let found = parameters.iter().rev().find(|parameter| parameter.0 == name);
    match found {
        None => Ok(arguments[1]),
        Some((_, given)) if !is_of_kind(given, arguments[1]) => Err(wrong_kind(context, given, arguments)),
        Some((_, Parameter::Boolean(given))) => Ok(Value::boolean(*given)),
        Some((_, Parameter::Number(given))) => {
            let value = context.heap.float(*given);
            value.map_err(|fault| number_fault(fault, &parameter_in_words(context, arguments[0])))
        }
        Some((_, Parameter::Data(given))) => {
            let before = context.heap.bytes;
            let value = context.heap.make(given);
            context.charge((context.heap.bytes - before) / 8);
            value.map_err(|_| {
                Fault::error(
                    ErrorKind::Value,
                    format!("{} is no value of the language", parameter_in_words(context, arguments[0])),
                )
            })
        }
        Some((_, Parameter::Text(given))) => {
            context.reserve(given.len())?;
            context.charge(given.len() / 8);
            Ok(context.heap.text(given))
        }
    }
}

/// Whether a parameter can stand for the default. A default that is a number or a Boolean says what is wanted.
fn is_of_kind(given: &Parameter, default: Value) -> bool {
    match given {
        Parameter::Boolean(_) => !default.is_number(),
        Parameter::Number(_) => !default.is_kind(Kind::Boolean),
        Parameter::Text(_) => !default.is_number() && !default.is_kind(Kind::Boolean),
        Parameter::Data(_) => true,
    }
}

fn wrong_kind(context: &Context, given: &Parameter, arguments: &[Value]) -> Fault {
    let found = match given {
        Parameter::Boolean(given) => format!("{given} (a boolean)"),
        Parameter::Number(given) => format!("{given} (a number)"),
        Parameter::Text(given) => {
            format!("{} (a string)", Data::from(vec![brief(given)]).to_string().trim_matches(['[', ']']))
        }
        Parameter::Data(_) => "a value".to_string(),
    };
    let wanted = if arguments[1].is_number() { "a number" } else { "true or false" };
    Fault::error(
        ErrorKind::Value,
        format!("{} must be {wanted}, not {found}", parameter_in_words(context, arguments[0])),
    )
    .with_hint(format!("without it, it is {}", context.brief(arguments[1])))
}

/// The beginning of a text.
fn brief(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("{short}...") } else { short }
}

fn parameter_in_words(context: &Context, name: Value) -> String {
    format!("the parameter {}", context.words(name))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::control(
        "ask",
        "prompt, options",
        2,
        Some(2),
        Control::Ask,
        "Shows what was printed so far, asks, and returns the option picked; earlier choices are dropped.",
        ("ask(\"Which way?\", [\"left\", \"right\"])", "left"),
    )
    .costing(Cost::Linear),
    Row::control(
        "input",
        "prompt",
        1,
        Some(1),
        Control::Input,
        "Shows what was printed so far, asks, and returns a line of text; earlier choices are dropped.",
        ("input(\"Your name? \")", "Ada"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "param",
        "name, default",
        2,
        Some(2),
        param,
        "The value given for the run under this name, else the default; an error if the default is a number or a Boolean and the value is not.",
        ("param(\"size\", 10)", "10"),
    ),
];
