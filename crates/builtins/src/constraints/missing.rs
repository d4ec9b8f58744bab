//! Values that a constraint names, but that no place of its board can hold: mostly misspelt ones.

use ndscript_base::budget::Budget;
use ndscript_base::keyed::KeyedSet;
use ndscript_base::spelling::nearest;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;
use ndscript_machine::work::posting::Target;

/// At most this many values of the board are listed.
const MOST_NAMED: usize = 8;

/// Searches the places without a constraint for a value that the board has not numbered.
#[derive(Clone, Default)]
pub struct MissingSearch {
    /// The current place, and its next candidate.
    at: usize,
    next: usize,
}

impl MissingSearch {
    /// Continues; true when a place is found that can hold the value.
    ///
    /// # Errors
    /// If there is none.
    pub fn refuse(
        &mut self,
        context: &mut Context,
        target: &Target,
        function: &str,
        value: Value,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let count = context.heap.places_of(target.container);
        while self.at < count {
            budget.spend(2);
            let content = context.heap.at_place(target.container, self.at);
            let is_bound = context.heap.boards[target.board].solver.is_bound(self.at);
            let (size, visits) = match is_bound {
                true => (0, 0),
                false => (
                    context.heap.candidate_count(content),
                    context.heap.visits_of_candidate(content),
                ),
            };
            while self.next < size {
                budget.spend(visits);
                if context.heap.candidate(content, self.next) == Some(value) {
                    return Ok(true);
                }
                self.next += 1;
                if self.next < size && budget.is_spent() {
                    return Ok(false);
                }
            }
            // Mostly the next places hold an equal set.
            let alike = match is_bound {
                true => 1,
                false => {
                    let most = budget.room_for(1).min(count - self.at);
                    context.heap.alike_from(target.container, self.at, most)
                }
            };
            budget.spend(alike);
            (self.at, self.next) = (self.at + alike, 0);
            // Each piece makes progress, however small it is.
            if self.at < count && budget.is_spent() {
                return Ok(false);
            }
        }
        context.refuse_element(target.container, function, value, budget)?;
        Err(missing(context, target, function, value))
    }
}

/// At most this many values that places without a constraint can hold are recorded.
const MOST_RECORDED: usize = 256;

/// Looks for several values, one after another.
#[derive(Clone, Default)]
pub struct MissingValues {
    are_allowed: bool,
    current: MissingSearch,
    found: KeyedSet<Value>,
}

impl MissingValues {
    pub fn new(are_allowed: bool) -> MissingValues {
        MissingValues {
            are_allowed,
            ..MissingValues::default()
        }
    }

    pub fn are_allowed(&self) -> bool {
        self.are_allowed
    }

    /// Continues; true when a value is allowed, known, or found. Then the next value can be searched.
    ///
    /// # Errors
    /// If no place can hold it.
    pub fn refuse(
        &mut self,
        context: &mut Context,
        target: &Target,
        function: &str,
        value: Value,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let is_known = context.heap.boards[target.board].number_of(value).is_some();
        if is_known || self.are_allowed || self.found.contains(&value) {
            return Ok(true);
        }
        if !self
            .current
            .refuse(context, target, function, value, budget)?
        {
            return Ok(false);
        }
        self.current = MissingSearch::default();
        if self.found.len() < MOST_RECORDED {
            self.found.insert(value);
        }
        Ok(true)
    }

    /// Shows what must not be collected.
    pub fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.found.iter());
    }
}

/// The error for a value that no place of a board can hold, with those that there are.
fn missing(context: &Context, target: &Target, function: &str, value: Value) -> Fault {
    let known = context.heap.boards[target.board].universe();
    let shown: Vec<String> = known
        .iter()
        .take(MOST_NAMED)
        .map(|value| context.brief(*value))
        .collect();
    let more = if known.len() > MOST_NAMED {
        ", ..."
    } else {
        ""
    };
    let message = format!(
        "`{function}` is given {}, which no place of the board can hold",
        context.brief(value)
    );
    let close = context.heap.as_str(value).and_then(|value| {
        let known = known.iter().filter_map(|known| context.heap.as_str(*known));
        nearest(value, known.take(64))
    });
    let character = context
        .heap
        .as_str(value)
        .filter(|value| value.chars().count() == 1);
    let is_in_text = character.is_some_and(|character| {
        let mut texts = known.iter().filter_map(|known| context.heap.as_str(*known));
        texts.any(|text| text.chars().nth(1).is_some() && text.contains(character))
    });
    let meant = match close {
        _ if matches!(value.kind(), Kind::Function | Kind::Native) => {
            "a function is one value, and `toSet(filter(values, f))` the set of those for which it is true; ".to_string()
        }
        _ if value == Value::TRUE && matches!(function, "circuit" | "acyclic") => {
            format!("the edges that hold `true` are chosen, unless the call names another value: `{function}(b, edges, v)`; ")
        }
        _ if is_in_text => {
            "a text is one value, and `toSet(s)` the set of its characters; ".to_string()
        }
        Some(close) => format!("did you mean {close:?}? "),
        None => String::new(),
    };
    let content_in_words = if shown.is_empty() {
        "the board has no values".to_string()
    } else {
        format!("the board has {}{more}", shown.join(", "))
    };
    Fault::error(ErrorKind::Value, message).with_hint(format!(
        "{meant}{content_in_words}; where that is meant, write `{{missing: true}}` as the last argument"
    ))
}
