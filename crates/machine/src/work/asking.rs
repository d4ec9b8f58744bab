//! Questions with long texts.

use super::writing::{TextTarget, Writing};
use super::{Tracer, Work};
use crate::errors::error::Fault;
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_base::limits::LimitReached;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};

/// A question being prepared: its prompt becomes a string, and its options a list.
#[derive(Clone)]
pub struct QuestionWork {
    prompt: Value,
    /// The text of a prompt that is no string.
    writing: Option<Writing>,
    options: Option<ListWalk>,
}

impl QuestionWork {
    /// A question with options, or one for a free line.
    ///
    /// # Errors
    /// If the options are no collection; a limit.
    pub fn new(
        context: &mut Context,
        prompt: Value,
        options: Option<Value>,
    ) -> Result<QuestionWork, Fault> {
        let options = options.map(|options| context.list(options)).transpose()?;
        let limit = context.limits.output;
        if context
            .heap
            .as_str(prompt)
            .is_some_and(|prompt| prompt.len() > limit)
        {
            return Err(Fault::Limit(LimitReached::Output(limit)));
        }
        let is_text = prompt.is_kind(Kind::Text);
        let writing =
            (!is_text).then(|| Writing::new(ListWalk::of_list(vec![prompt]), TextTarget::Text));
        Ok(QuestionWork {
            prompt,
            writing,
            options,
        })
    }

    /// The prompt, a string, and the options, when all is done.
    pub fn into_parts(self) -> (Value, Option<Vec<Value>>) {
        (self.prompt, self.options.map(|options| options.elements))
    }
}

impl Work for QuestionWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if let Some(writing) = &mut self.writing {
            let Some(prompt) = writing.resume(context, budget)? else {
                return Ok(None);
            };
            self.prompt = prompt;
            self.writing = None;
        }
        let is_listed = self
            .options
            .as_mut()
            .is_none_or(|options| options.resume(&mut context.heap, budget));
        Ok(is_listed.then_some(Value::NULL))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.prompt);
        self.writing
            .iter()
            .for_each(|writing| writing.trace(tracer));
        self.options
            .iter()
            .for_each(|options| options.values(&mut |value| tracer.values.push(value)));
    }

    fn bytes(&self) -> usize {
        self.writing.as_ref().map_or(0, Work::bytes)
            + self.options.as_ref().map_or(0, ListWalk::bytes)
    }

    fn is_taken_whole(&self) -> bool {
        true
    }
}
