//! Padding texts to a width.

use super::text_search::BYTES_OF_VISIT;
use super::text_work::{Text, TextBuilder};
use crate::args;
use ndscript_base::budget::Budget;
use ndscript_base::limits::LimitReached;
use ndscript_base::room;
use ndscript_heap::{Heap, Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;

/// The side on which a text is padded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// A text with a repeated filler before or after it.
#[derive(Clone)]
struct PadText {
    /// The text and the filler.
    texts: [Value; 2],
    side: Side,
    /// How many characters of filler are missing, and the position of the next one in the filler.
    left: usize,
    at: usize,
    /// How many bytes of the text are copied.
    copied: usize,
}

impl PadText {
    /// Continues to write the filler; true when there is enough of it.
    fn fill(&mut self, filler: &str, out: &mut String, budget: &mut Budget) -> bool {
        let mut characters = filler[self.at..].chars();
        while self.left > 0 {
            if budget.is_spent() {
                self.at = filler.len() - characters.as_str().len();
                return false;
            }
            budget.spend(1);
            let next = characters.next().or_else(|| {
                characters = filler.chars();
                characters.next()
            });
            let Some(next) = next else { return true };
            room::grow_text(out, next.len_utf8());
            out.push(next);
            self.left -= 1;
        }
        true
    }

    /// Continues to write the text; true when all is written.
    fn copy(&mut self, text: &str, out: &mut String, budget: &mut Budget) -> bool {
        while self.copied < text.len() {
            if budget.is_spent() {
                return false;
            }
            let mut end = text
                .len()
                .min(self.copied + budget.room_for(1).saturating_mul(BYTES_OF_VISIT) + 4);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            room::grow_text(out, end - self.copied);
            out.push_str(&text[self.copied..end]);
            budget.spend((end - self.copied) / BYTES_OF_VISIT + 1);
            self.copied = end;
        }
        true
    }
}

impl TextBuilder for PadText {
    fn resume(&mut self, heap: &Heap, out: &mut String, budget: &mut Budget) -> bool {
        let [text, filler] = self.texts.map(|text| heap.as_str(text).unwrap_or(""));
        match self.side {
            Side::Left => self.fill(filler, out, budget) && self.copy(text, out, budget),
            Side::Right => self.copy(text, out, budget) && self.fill(filler, out, budget),
        }
    }

    fn sources(&self) -> &[Value] {
        &self.texts
    }
}

/// A text padded to a width: the arguments of a built-in are a string or a number, a width, and perhaps a filler.
pub fn pad(
    context: &mut Context,
    function: &str,
    arguments: &[Value],
    side: Side,
) -> Result<Value, Fault> {
    let width = args::integer(context, function, arguments[1])?;
    let filler = match arguments.get(2) {
        Some(filler) => {
            args::handle(context, function, "a string", Kind::Text, *filler)?;
            *filler
        }
        None => context.heap.text(" "),
    };
    if context.heap.as_str(filler).is_some_and(str::is_empty) {
        let message =
            format!("`{function}` wants a string of one character or more to fill with, not \"\"");
        return Err(Fault::error(ErrorKind::Value, message));
    }
    let text = match arguments[0] {
        text if text.is_kind(Kind::Text) => text,
        number if number.is_number() => {
            let shown = context.brief(number);
            context.heap.text(&shown)
        }
        other => {
            let fault = context.wrong_argument(function, "a string or a number", other);
            return Err(fault.with_hint("`toString(v)` is the text of any value"));
        }
    };
    let characters = context
        .heap
        .as_text(text)
        .map_or(0, |text| text.characters as usize);
    let left = usize::try_from(width)
        .unwrap_or(0)
        .saturating_sub(characters);
    if left == 0 {
        return Ok(text);
    }
    let sizes = [text, filler].map(|text| context.heap.as_str(text).map_or(0, str::len));
    let bytes = left
        .saturating_mul(sizes[1].min(4))
        .saturating_add(sizes[0]);
    context.perform(move |context| {
        // A string counts its characters in 32 bits.
        if bytes > u32::MAX as usize {
            return Err(Fault::Limit(LimitReached::Memory(context.limits.memory)));
        }
        context.reserve(bytes)?;
        Ok(Text::new(PadText {
            texts: [text, filler],
            side,
            left,
            at: 0,
            copied: 0,
        }))
    })
}
