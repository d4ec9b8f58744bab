//! Literals of propositional logic.

use super::list_work::Listed;
use super::{Cost, Row, args};
use crate::value::{Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::Fault;

fn true_in(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::handle(context, "trueIn", "a string", Kind::Text, arguments[0])?;
    let (literal, model) = (arguments[0], arguments[1]);
    let rest = context.heap.as_str(literal).and_then(|literal| literal.strip_prefix('!'));
    let (name, is_negated) = match rest {
        Some(rest) => (context.heap.find_text(rest), true),
        None => (Some(literal), false),
    };
    context.charge(rest_length(context, literal) / 8 + 1);
    let Some(wanted) = name else { return Ok(Value::boolean(is_negated)) };
    let handle = model.payload();
    // Strings are interned, so that equal ones are one word.
    let found = match model.kind() {
        Kind::Set => context.heap.set_contains(model, wanted),
        Kind::Object => context.heap.objects[handle].find(wanted).is_some(),
        // Positions are no strings.
        Kind::Grid => false,
        _ => {
            return context.perform(move |context| {
                let listing = args::collection(context, "trueIn", model)?;
                Ok(Listed { listing, wanted, is_negated })
            });
        }
    };
    Ok(Value::boolean(found != is_negated))
}

fn rest_length(context: &Context, literal: Value) -> usize {
    context.heap.as_str(literal).map_or(0, str::len)
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[Row::plain(
    "trueIn",
    "literal, model",
    2,
    Some(2),
    true_in,
    "Whether the string is in the collection; with a leading `!`, whether the rest is not.",
    ("let model = setOf(\"a\", \"b\"); [trueIn(\"a\", model), trueIn(\"!b\", model)]", "[true, false]"),
)
.costing(Cost::Linear)];
