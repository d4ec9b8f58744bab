//! Literals of propositional logic.

use super::{Cost, Row, args};
use crate::value::{Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::Fault;

fn true_in(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let literal = args::text(context, "trueIn", arguments[0])?;
    let (name, negated) = match literal.strip_prefix('!') {
        Some(rest) => (context.heap.text(rest), true),
        None => (arguments[0], false),
    };
    let model = arguments[1];
    let handle = model.payload();
    // Strings are interned, so that equal ones are one word.
    let (found, work) = match model.kind() {
        Kind::Set => (context.heap.set_contains(model, name), 1),
        Kind::Object => (context.heap.objects[handle].find(name).is_some(), 1),
        Kind::Array => {
            let elements = context.heap.elements(handle);
            (elements.contains(&name), elements.len())
        }
        Kind::Text => {
            let (text, name) = (&context.heap.texts[handle], context.heap.as_text(name));
            let is_inside =
                |name: &crate::value::text::Text| name.characters == 1 && text.string.contains(&*name.string);
            (name.is_some_and(is_inside), text.string.len())
        }
        // Positions are no strings.
        Kind::Grid => (false, 1),
        _ => {
            let elements = args::collection(context, "trueIn", model)?;
            (elements.contains(&name), elements.len())
        }
    };
    context.charge(work / 8 + 1);
    Ok(Value::boolean(found != negated))
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
