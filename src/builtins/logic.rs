//! Literals of propositional logic.

use super::list_work::Listed;
use super::{Cost, Row, args};
use crate::value::budget::Budget;
use crate::value::text::{Finding, LONG};
use crate::value::{Kind, Value, room};
use crate::vm::context::Context;
use crate::vm::error::Fault;
use crate::vm::work::{Held, Work};

fn true_in(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::handle(context, "trueIn", "a string", Kind::Text, arguments[0])?;
    let (literal, model) = (arguments[0], arguments[1]);
    let is_negated = context.heap.as_str(literal).is_some_and(|literal| literal.starts_with('!'));
    if !is_negated && let Some(found) = has(context, model, literal) {
        return Ok(Value::boolean(found));
    }
    context.perform(|context| {
        let listing = match model.kind() {
            Kind::Set | Kind::Object | Kind::Grid => None,
            _ => Some(args::collection(context, "trueIn", model)?),
        };
        let wanted = if is_negated { Wanted::Sought(Finding::behind(literal, 1)) } else { Wanted::Known(literal) };
        let listed = listing.map(|listing| Listed::new(listing, literal, is_negated));
        Ok(LookingUp { literal, model, wanted, is_negated, listed })
    })
}

/// Whether a string is in a model that need not be listed; sets and objects have interned ones, so that equal ones are one
/// word. `None` for one that has to be.
fn has(context: &Context, model: Value, wanted: Value) -> Option<bool> {
    let interned = || context.heap.find_interned(wanted);
    match model.kind() {
        Kind::Set => Some(interned().is_some_and(|wanted| context.heap.set_contains(model, wanted))),
        Kind::Object => {
            Some(interned().is_some_and(|wanted| context.heap.objects[model.payload()].find(wanted).is_some()))
        }
        // Positions are no strings.
        Kind::Grid => Some(false),
        _ => None,
    }
}

/// The word for what is looked up.
#[derive(Clone)]
enum Wanted {
    Known(Value),
    /// What stands behind the `!`.
    Sought(Finding),
}

/// A literal that is looked up in a model.
#[derive(Clone)]
struct LookingUp {
    literal: Value,
    model: Value,
    wanted: Wanted,
    is_negated: bool,
    /// A model that has to be listed.
    listed: Option<Listed>,
}

impl Work for LookingUp {
    fn go(&mut self, context: &mut Context, budget: &mut Budget) -> Result<Option<Value>, Fault> {
        if let Wanted::Sought(finding) = &mut self.wanted {
            match finding.go(&context.heap, budget) {
                None => return Ok(None),
                // What is not interned is in no set and no object, and is nowhere if it is short.
                Some(None) => {
                    let rest = context.heap.as_str(self.literal).and_then(|literal| literal.get(1..)).unwrap_or("");
                    if self.listed.is_none() || rest.len() < LONG {
                        return Ok(Some(Value::TRUE));
                    }
                    let rest = rest.to_string();
                    context.reserve(room::block(rest.len()))?;
                    self.wanted = Wanted::Known(context.heap.text_owned(rest));
                }
                Some(Some(found)) => self.wanted = Wanted::Known(found),
            }
        }
        let Wanted::Known(wanted) = self.wanted else { return Ok(None) };
        match &mut self.listed {
            Some(listed) => {
                listed.wanted = wanted;
                listed.go(context, budget)
            }
            None => Ok(has(context, self.model, wanted).map(|found| Value::boolean(found != self.is_negated))),
        }
    }

    fn hold(&self, held: &mut Held) {
        held.values.extend([self.literal, self.model]);
        if let Wanted::Known(wanted) = self.wanted {
            held.values.push(wanted);
        }
        self.listed.iter().for_each(|listed| listed.hold(held));
    }

    fn bytes(&self) -> usize {
        self.listed.as_ref().map_or(0, Work::bytes)
    }

    fn fork(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
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
