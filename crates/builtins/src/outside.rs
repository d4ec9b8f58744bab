//! Parameters of the run, and questions to its user.

use super::{Cost, Row};
use ndscript_bytecode::Form;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::host::parameter::Parameter;
use ndscript_machine::natives::context::{Context, number_fault};
use ndscript_machine::natives::effect::OutsideSource;
use ndscript_machine::natives::native::Control;

fn param(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let parameters = context.parameters.clone();
    context.charge(parameters.len() + 1);
    let Some(name) = context.heap.as_str(arguments[0]) else {
        return Err(context.wrong_argument("param", "a string", arguments[0]));
    };
    let Some((_, given)) = parameters
        .iter()
        .rev()
        .find(|parameter| parameter.0 == name)
    else {
        return Ok(arguments[1]);
    };
    let given = match given {
        Parameter::Typed(text) if !arguments[1].is_kind(Kind::Text) => &Parameter::read(text),
        given => given,
    };
    check_kind(context, given, arguments)?;
    match given {
        Parameter::Boolean(given) => Ok(Value::boolean(*given)),
        Parameter::Number(given) => {
            let value = context.heap.float(*given);
            value.map_err(|fault| number_fault(fault, &parameter_in_words(context, arguments[0])))
        }
        Parameter::Data(given) => {
            let value = context.heap.make(given);
            context.charge_comparisons();
            value.map_err(|_| {
                Fault::error(
                    ErrorKind::Value,
                    format!(
                        "{} is no value of the language",
                        parameter_in_words(context, arguments[0])
                    ),
                )
            })
        }
        Parameter::Text(given) | Parameter::Typed(given) => {
            context.reserve(given.len())?;
            context.charge(given.len() / 8);
            Ok(context.heap.text(given))
        }
    }
}

/// An error unless the given value of a parameter is a number or a Boolean where its default is one.
fn check_kind(context: &Context, given: &Parameter, arguments: &[Value]) -> Result<(), Fault> {
    let default = arguments[1];
    let wanted = match default.kind() {
        Kind::Boolean => "true or false",
        _ if default.is_number() => "a number",
        _ => return Ok(()),
    };
    let found = match given {
        Parameter::Boolean(_) | Parameter::Number(_)
            if matches!(given, Parameter::Number(_)) == default.is_number() =>
        {
            return Ok(());
        }
        Parameter::Boolean(given) => given.to_string(),
        Parameter::Number(given) => given.to_string(),
        Parameter::Text(given) | Parameter::Typed(given) => {
            let shown: String = given.chars().take(40).collect();
            format!(
                "{shown:?}{}",
                if shown.len() < given.len() { "..." } else { "" }
            )
        }
        Parameter::Data(_) => return Ok(()),
    };
    let message = format!(
        "{} must be {wanted}, not {found}",
        parameter_in_words(context, arguments[0])
    );
    Err(Fault::error(ErrorKind::Type, message).with_hint(format!(
        "without it the program takes {}",
        context.brief(default)
    )))
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
    ).from_outside(OutsideSource::Asked)
    .costing(Cost::Linear),
    Row::control(
        "input",
        "prompt",
        1,
        Some(1),
        Control::Input,
        "Shows what was printed so far, asks, and returns a line of text; earlier choices are dropped.",
        ("input(\"Your name? \")", "Ada"),
    ).from_outside(OutsideSource::Asked)
    .costing(Cost::Linear),
    Row::plain(
        "param",
        "name, default",
        2,
        Some(2),
        param,
        "The value given for the run under this name, else the default. Where the default is a string, what is given on the \
         command line is one, too: `007` keeps its zeros.",
        ("param(\"size\", 10)", "10"),
    ).with_form(Form::Parameter),
];
