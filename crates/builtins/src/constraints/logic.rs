//! Literals of propositional logic.

use crate::collections::list_work::ContainsElement;
use crate::{Cost, Row, args};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::kinds::text::{InternWalk, LONG, StringSearch};
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

fn true_in(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::handle(context, "trueIn", "a string", Kind::Text, arguments[0])?;
    let (literal, model) = (arguments[0], arguments[1]);
    let is_negated = context
        .heap
        .as_str(literal)
        .is_some_and(|literal| literal.starts_with('!'));
    if !is_negated
        && context.heap.is_interned_text(literal)
        && let Some(found) = has(context, model, literal)
    {
        return Ok(Value::boolean(found));
    }
    context.perform(|context| {
        let listing = match model.kind() {
            Kind::Set | Kind::Object | Kind::Grid => None,
            _ => Some(args::collection(context, "trueIn", model)?),
        };
        // A list may hold the literal itself, even if it is not interned.
        let wanted = match is_negated || listing.is_none() {
            true => Wanted::Sought(StringSearch::default()),
            false => Wanted::Known(literal),
        };
        let listed = listing.map(|listing| ContainsElement::new(listing, literal, is_negated));
        Ok(LookingUp {
            literal,
            model,
            wanted,
            is_negated,
            model_search: listed,
        })
    })
}

/// Whether a string is in a model that need not be listed; sets and objects hold interned strings, so that equal ones
/// are one word. `None` for a model that must be listed.
fn has(context: &Context, model: Value, wanted: Value) -> Option<bool> {
    match model.kind() {
        Kind::Set => Some(context.heap.set_contains(model, wanted)),
        Kind::Object => Some(context.heap.objects[model.payload()].find(wanted).is_some()),
        // Positions are no strings.
        Kind::Grid => Some(false),
        _ => None,
    }
}

/// The value being looked up.
#[derive(Clone)]
enum Wanted {
    Known(Value),
    /// The literal without its `!` is searched among the texts in use.
    Sought(StringSearch),
    /// It is interned, to be compared with a list.
    Interned(InternWalk),
}

/// A literal that is looked up in a model.
#[derive(Clone)]
struct LookingUp {
    literal: Value,
    model: Value,
    wanted: Wanted,
    is_negated: bool,
    /// A model that has to be listed.
    model_search: Option<ContainsElement>,
}

impl Work for LookingUp {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let from = usize::from(self.is_negated);
        if let Wanted::Sought(finding) = &mut self.wanted {
            let rest = context
                .heap
                .as_str(self.literal)
                .and_then(|literal| literal.get(from..))
                .unwrap_or("");
            let length = rest.len();
            match finding.resume(&context.heap, rest, budget) {
                None => return Ok(None),
                // A text that is not interned is in no set and no object, and does not occur if it is short.
                Some(None) => {
                    if self.model_search.is_none() || length < LONG {
                        return Ok(Some(Value::boolean(self.is_negated)));
                    }
                    context.reserve(room::block(length))?;
                    self.wanted =
                        Wanted::Interned(InternWalk::of_text(&context.heap, self.literal, from));
                }
                Some(Some(found)) => self.wanted = Wanted::Known(found),
            }
        }
        if let Wanted::Interned(interning) = &mut self.wanted {
            match interning.resume(&mut context.heap, budget) {
                None => return Ok(None),
                Some(word) => self.wanted = Wanted::Known(word),
            }
        }
        let Wanted::Known(wanted) = self.wanted else {
            return Ok(None);
        };
        match &mut self.model_search {
            Some(search) => {
                search.look_for(wanted);
                search.resume(context, budget)
            }
            None => Ok(has(context, self.model, wanted)
                .map(|found| Value::boolean(found != self.is_negated))),
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.literal, self.model]);
        match &self.wanted {
            Wanted::Known(wanted) => tracer.values.push(*wanted),
            Wanted::Sought(_) => {}
            Wanted::Interned(interning) => interning.values(&mut |value| tracer.values.push(value)),
        }
        self.model_search
            .iter()
            .for_each(|listed| listed.trace(tracer));
    }

    fn bytes(&self) -> usize {
        let interning = if let Wanted::Interned(interning) = &self.wanted {
            interning.bytes()
        } else {
            0
        };
        self.model_search.as_ref().map_or(0, Work::bytes) + interning
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
    (
        "let model = setOf(\"a\", \"b\"); [trueIn(\"a\", model), trueIn(\"!b\", model)]",
        "[true, false]",
    ),
)
.costing(Cost::Linear)];
