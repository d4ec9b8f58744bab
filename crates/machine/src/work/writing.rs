//! Texts of large values.

use super::{Tracer, Work};
use crate::errors::error::Fault;
use crate::host::output::LARGEST_BUFFER;
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_base::limits::LimitReached;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::kinds::text::InternWalk;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::walks::show::ShowWalk;

/// Values that are written one after another.
#[derive(Clone)]
pub struct Writing {
    listing: ListWalk,
    is_listed: bool,
    /// The value that is written next, and whether the separator before it is written.
    at: usize,
    is_separated: bool,
    between: Separator,
    end: &'static str,
    then: TextTarget,
    showing: ShowWalk,
    out: String,
    is_written: bool,
    interning: Option<InternWalk>,
}

/// The separator between two values.
#[derive(Clone)]
pub enum Separator {
    Nothing,
    /// A string.
    Text(Value),
    /// A line break after each row of this many values.
    Rows(usize),
}

/// What to do with the text.
#[derive(Clone)]
pub enum TextTarget {
    /// It is the result, interned.
    Text,
    /// It is the result of an operator, which can grow.
    Made,
    /// It is the end of a growing text, up to here the end of its buffer; both together are the result.
    Append(Value),
    /// It is printed; the result is this value.
    Print(Value),
    /// It is a line for the host.
    Debug,
}

impl Writing {
    /// Writes listed values, one after another.
    pub fn new(listing: ListWalk, then: TextTarget) -> Writing {
        Writing {
            listing,
            is_listed: false,
            at: 0,
            is_separated: false,
            between: Separator::Nothing,
            end: "",
            then,
            showing: ShowWalk::default(),
            out: String::new(),
            is_written: false,
            interning: None,
        }
    }

    pub fn with_between(mut self, between: Separator) -> Writing {
        self.between = between;
        self
    }

    /// With `end` after the last one.
    pub fn ending_with(mut self, end: &'static str) -> Writing {
        self.end = end;
        self
    }

    /// Continues with the next value, or the separator before it; false if there is none.
    fn next(&mut self, context: &Context, budget: &mut Budget) -> bool {
        let Some(value) = self.listing.elements.get(self.at).copied() else {
            return false;
        };
        match self.between {
            Separator::Text(separator) if self.at > 0 && !self.is_separated => {
                self.is_separated = true;
                self.showing.begin(
                    &context.heap,
                    separator,
                    true,
                    context,
                    &mut self.out,
                    budget,
                );
                return true;
            }
            Separator::Rows(width) if self.at > 0 && self.at.is_multiple_of(width) => {
                self.out.push('\n')
            }
            _ => {}
        }
        self.at += 1;
        self.is_separated = false;
        self.showing
            .begin(&context.heap, value, true, context, &mut self.out, budget);
        true
    }

    /// Hands on a text that is no value.
    fn end(&mut self, context: &mut Context, mut text: String) -> Result<Option<Value>, Fault> {
        match self.then {
            TextTarget::Print(result) => {
                if let Err(fault) = context.print(&text) {
                    // After a collection it is tried again. A copy would need more memory than was requested.
                    text.truncate(text.len() - self.end.len());
                    self.out = text;
                    return Err(fault);
                }
                Ok(Some(result))
            }
            _ => {
                (context.debug)(&text);
                Ok(Some(Value::NULL))
            }
        }
    }
}

impl Work for Writing {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if let Some(interning) = &mut self.interning {
            return Ok(interning.resume(&mut context.heap, budget));
        }
        if !self.is_listed {
            if !self.listing.resume(&mut context.heap, budget) {
                return Ok(None);
            }
            self.is_listed = true;
        }
        let limit = context.limits.output;
        let left = context.left_for_text(&self.then);
        context.reserve(room::step(self.out.capacity()))?;
        while !self.is_written {
            let shown = self
                .showing
                .resume(&context.heap, context, &mut self.out, left, budget);
            match shown {
                Ok(false) => return Ok(None),
                Ok(true) => {}
                Err(_) => return Err(Fault::Limit(LimitReached::Output(limit))),
            }
            budget.spend(4);
            self.is_written = !self.next(context, budget);
        }
        if let TextTarget::Append(text) = self.then {
            context.reserve(context.heap.bytes_to_append(text, self.out.len()))?;
        }
        self.out.push_str(self.end);
        let text = std::mem::take(&mut self.out);
        let interning = match self.then {
            TextTarget::Text => InternWalk::new(text),
            TextTarget::Made => InternWalk::growing(text),
            TextTarget::Append(to) => InternWalk::end_of(&context.heap, to, text),
            TextTarget::Print(_) | TextTarget::Debug => return self.end(context, text),
        };
        Ok(self
            .interning
            .insert(interning)
            .resume(&mut context.heap, budget))
    }

    fn trace(&self, tracer: &mut Tracer) {
        let mut hold = |value| tracer.values.push(value);
        self.listing.values(&mut hold);
        self.showing.values(&mut hold);
        match self.between {
            Separator::Text(value) => hold(value),
            Separator::Nothing | Separator::Rows(_) => {}
        }
        if let TextTarget::Print(value) | TextTarget::Append(value) = self.then {
            hold(value);
        }
        self.interning
            .iter()
            .for_each(|interning| interning.values(&mut hold));
    }

    fn bytes(&self) -> usize {
        let interning = self.interning.as_ref().map_or(0, InternWalk::bytes);
        self.listing.bytes() + self.showing.bytes() + room::block(self.out.capacity()) + interning
    }
}

impl Context {
    /// Appends to the text of the branch.
    ///
    /// # Errors
    /// A limit; nothing is printed then.
    pub fn print(&mut self, text: &str) -> Result<(), Fault> {
        // The heights of the log are stored in 32 bits.
        let length = self.output.text.len() + text.len();
        if length > self.limits.output.min(u32::MAX as usize) {
            return Err(Fault::Limit(LimitReached::Output(self.limits.output)));
        }
        let printed = &self.output.text;
        if printed.capacity() < length {
            self.reserve(text.len().max(room::step(printed.capacity())))?;
        }
        let added = self.output.write(text);
        self.heap.allocated(added);
        Ok(())
    }

    /// Writes values one after another and a text after them, and does with the result what `then` says. Most texts
    /// are short: they share one buffer.
    ///
    /// # Errors
    /// A limit; [`Fault::Later`].
    pub fn write(
        &mut self,
        values: &[Value],
        end: &'static str,
        then: TextTarget,
    ) -> Result<Value, Fault> {
        if !self.current_work.is_pending()
            && let Some(result) = self.write_short(values, end, &then)?
        {
            return Ok(result);
        }
        let values = values.to_vec();
        self.perform(move |_| Ok(Writing::new(ListWalk::of_list(values), then).ending_with(end)))
    }

    /// The text of values of which the first is a growing text that can grow in place; `None` if all of it must be
    /// written.
    ///
    /// # Errors
    /// A limit; [`Fault::Later`].
    pub fn append(&mut self, values: &[Value]) -> Result<Option<Value>, Fault> {
        let Some((text, more)) = values.split_first() else {
            return Ok(None);
        };
        if self.current_work.is_pending() || !self.heap.can_append_to(*text) {
            return Ok(None);
        }
        if let [more] = more
            && let Some(result) = self.append_at_once(*text, *more)
        {
            return Ok(Some(result));
        }
        let then = TextTarget::Append(*text);
        if let Some(result) = self.write_short(more, "", &then)? {
            return Ok(Some(result));
        }
        let more = more.to_vec();
        self.perform(move |_| Ok(Writing::new(ListWalk::of_list(more), then)))
            .map(Some)
    }

    /// As [`Context::write`], for a short text where it fits: most texts that are built piece by piece do. Takes the
    /// arguments of [`Context::write_short`]; `None` in any other case, and nothing has changed then.
    #[inline]
    fn append_at_once(&mut self, text: Value, more: Value) -> Option<Value> {
        let (before, length) = (self.heap.text_length(text)?, self.heap.text_length(more)?);
        let mut budget = Budget::for_short(self.piece);
        budget.spend(length / 4 + 4);
        let is_short = length <= LARGEST_BUFFER && !budget.is_spent();
        if !is_short
            || before + length > self.limits.output.min(u32::MAX as usize)
            || !self.fits(self.heap.bytes_to_append(text, length))
        {
            return None;
        }
        let appended = self.heap.append_in_room(text, more)?;
        self.charge(length / 8 + 1);
        Some(appended)
    }

    /// The greatest number of bytes that the text may have.
    fn left_for_text(&self, then: &TextTarget) -> usize {
        // A string counts its characters in 32 bits.
        let most = self.limits.output.min(u32::MAX as usize);
        match then {
            TextTarget::Append(text) => {
                most.saturating_sub(self.heap.text_length(*text).unwrap_or(0))
            }
            TextTarget::Text | TextTarget::Made | TextTarget::Print(_) | TextTarget::Debug => most,
        }
    }

    /// Adds the text of a value to a short one; false if it does not fit, or would take longer than a short text may.
    #[inline]
    fn show_short(&self, value: Value, out: &mut String, most: usize, budget: &mut Budget) -> bool {
        if let Some(text) = self.heap.as_str(value)
            && text.len() <= LARGEST_BUFFER
        {
            return ShowWalk::add_short(text, out, most, budget);
        }
        if ShowWalk::is_leaf(value) {
            self.heap.show_leaf(value, self, out);
            return out.len() <= most && !budget.is_spent();
        }
        let mut showing = ShowWalk::default();
        showing.begin(&self.heap, value, true, self, out, budget);
        showing.resume(&self.heap, self, out, most, budget) == Ok(true)
    }

    /// As [`Context::write`], for what fits into the buffer; `None` if it does not.
    fn write_short(
        &mut self,
        values: &[Value],
        end: &str,
        then: &TextTarget,
    ) -> Result<Option<Value>, Fault> {
        self.reserve(0)?;
        let mut out = self.output.take_buffer();
        let mut budget = Budget::for_short(self.piece);
        let most = LARGEST_BUFFER.min(self.left_for_text(then));
        let fits = values
            .iter()
            .all(|value| self.show_short(*value, &mut out, most, &mut budget));
        // If it starts again, after collecting garbage or as a work, it is charged then.
        let room = match then {
            TextTarget::Append(text) if fits => {
                self.reserve(self.heap.bytes_to_append(*text, out.len()))
            }
            _ => Ok(()),
        };
        if fits && room.is_ok() {
            self.charge(out.len() / 8 + values.len());
        }
        let mut result = room.map(|()| None);
        if fits && result.is_ok() {
            out.push_str(end);
            result = match then {
                TextTarget::Text => Ok(Some(self.heap.text(&out))),
                TextTarget::Made => Ok(Some(self.heap.text_of_operator(&out))),
                TextTarget::Append(text) => Ok(Some(self.heap.append(*text, &out))),
                TextTarget::Print(value) => self.print(&out).map(|()| Some(*value)),
                TextTarget::Debug => {
                    (self.debug)(&out);
                    Ok(Some(Value::NULL))
                }
            };
        }
        if out.capacity() <= 2 * LARGEST_BUFFER {
            self.output.buffer = out;
        }
        result
    }
}
