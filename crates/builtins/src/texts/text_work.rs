//! Built-ins on long texts, as work that can stop and resume.

use super::text_search::{BLOCK, BYTES_OF_VISIT, TextSearch, stretch};
use ndscript_base::budget::Budget;
use ndscript_base::limits::LimitReached;
use ndscript_base::room;
use ndscript_heap::kinds::text::InternWalk;
use ndscript_heap::{Heap, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// A part of at most this many bytes is made in one go.
const SHORT: usize = 256;

/// Where a part of a text begins, as the number of the character; -1 if it is not there.
#[derive(Clone)]
pub struct FindText {
    texts: [Value; 2],
    search: TextSearch,
    found: Option<usize>,
    counted: usize,
    characters: usize,
}

impl FindText {
    pub fn new(text: Value, part: Value) -> FindText {
        FindText {
            texts: [text, part],
            search: TextSearch::new(0),
            found: None,
            counted: 0,
            characters: 0,
        }
    }
}

impl Work for FindText {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let string = |text: Value| context.heap.as_str(text).unwrap_or("");
        let (text, part) = (string(self.texts[0]), string(self.texts[1]));
        let found = match self.found {
            Some(found) => found,
            None => match self.search.resume(text, part, budget) {
                None => return Ok(None),
                Some(None) => return Ok(Some(Value::integer(-1))),
                Some(Some(found)) => *self.found.insert(found),
            },
        };
        let is_ascii = context
            .heap
            .as_text(self.texts[0])
            .is_some_and(|text| text.is_ascii());
        if is_ascii {
            return Ok(Some(Value::size(found)));
        }
        while self.counted < found {
            if budget.is_spent() {
                return Ok(None);
            }
            let end = stretch(text, self.counted, BLOCK).min(found);
            budget.spend((end - self.counted) / BYTES_OF_VISIT + 1);
            self.characters += text[self.counted..end].chars().count();
            self.counted = end;
        }
        Ok(Some(Value::size(self.characters)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.texts);
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// The making of a text from other texts.
pub trait TextBuilder: Clone + Send + Sync + 'static {
    /// Continues, appending to `out`; true when it is done.
    fn resume(&mut self, heap: &Heap, out: &mut String, budget: &mut Budget) -> bool;
    /// The texts that it is made from.
    fn sources(&self) -> &[Value];
}

/// A text that is made, and then interned.
#[derive(Clone)]
pub struct Text<M> {
    making: M,
    out: String,
    interning: Option<InternWalk>,
}

impl<M: TextBuilder> Text<M> {
    pub fn new(making: M) -> Text<M> {
        Text {
            making,
            out: String::new(),
            interning: None,
        }
    }
}

impl<M: TextBuilder> Work for Text<M> {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if self.interning.is_none() {
            context.reserve(room::step(self.out.capacity()))?;
            if !self.making.resume(&context.heap, &mut self.out, budget) {
                return Ok(None);
            }
            self.interning = Some(InternWalk::new(std::mem::take(&mut self.out)));
        }
        Ok(self
            .interning
            .as_mut()
            .and_then(|interning| interning.resume(&mut context.heap, budget)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend_from_slice(self.making.sources());
    }

    fn bytes(&self) -> usize {
        room::block(self.out.capacity()) + self.interning.as_ref().map_or(0, InternWalk::bytes)
    }
}

/// Appends bytes from a place of a text up to another, as many as there is budget for; where it stopped.
pub(crate) fn copy(
    text: &str,
    from: usize,
    to: usize,
    out: &mut String,
    budget: &mut Budget,
) -> usize {
    let bytes = budget.room_for(1).saturating_mul(BYTES_OF_VISIT);
    let end = if to - from <= bytes {
        to
    } else {
        stretch(text, from, bytes).min(to)
    };
    room::grow_text(out, end - from);
    out.push_str(&text[from..end]);
    budget.spend((end - from) / BYTES_OF_VISIT + 1);
    end
}

/// A text with each occurrence of a part replaced.
#[derive(Clone)]
pub struct ReplaceText {
    /// The text, the part, and the replacement.
    texts: [Value; 3],
    /// How much was copied so far, and how much of the replacement.
    copied: usize,
    search: TextSearch,
    found: Option<usize>,
    inserted: usize,
    is_last: bool,
}

impl ReplaceText {
    pub fn new(text: Value, part: Value, replacement: Value) -> ReplaceText {
        let search = TextSearch::new(0);
        ReplaceText {
            texts: [text, part, replacement],
            copied: 0,
            search,
            found: None,
            inserted: 0,
            is_last: false,
        }
    }
}

impl TextBuilder for ReplaceText {
    fn resume(&mut self, heap: &Heap, out: &mut String, budget: &mut Budget) -> bool {
        let string = |text: Value| heap.as_str(text).unwrap_or("");
        let (text, part, instead) = (
            string(self.texts[0]),
            string(self.texts[1]),
            string(self.texts[2]),
        );
        loop {
            if budget.is_spent() {
                return false;
            }
            let Some(found) = self.found else {
                match self.search.resume(text, part, budget) {
                    None => return false,
                    Some(found) => {
                        self.is_last = found.is_none();
                        self.found = Some(found.unwrap_or(text.len()));
                    }
                }
                continue;
            };
            if self.copied < found {
                self.copied = copy(text, self.copied, found, out, budget);
                continue;
            }
            if self.is_last {
                return true;
            }
            if self.inserted < instead.len() {
                self.inserted = copy(instead, self.inserted, instead.len(), out, budget);
                continue;
            }
            budget.spend(4);
            self.copied = found + part.len();
            // An empty part is found before each character, and at the end.
            let next = if part.is_empty() {
                stretch(text, found, 1)
            } else {
                self.copied
            };
            (self.found, self.inserted) = (None, 0);
            self.search.restart(next);
            if part.is_empty() && found == text.len() {
                (self.is_last, self.found) = (true, Some(found));
            }
        }
    }

    fn sources(&self) -> &[Value] {
        &self.texts
    }
}

/// A part of a text.
#[derive(Clone)]
pub struct Part {
    text: [Value; 1],
    from: usize,
    to: usize,
}

impl Part {
    /// From a byte to another.
    pub fn new(text: Value, from: usize, to: usize) -> Part {
        Part {
            text: [text],
            from,
            to,
        }
    }
}

impl TextBuilder for Part {
    fn resume(&mut self, heap: &Heap, out: &mut String, budget: &mut Budget) -> bool {
        let text = heap.as_str(self.text[0]).unwrap_or("");
        while self.from < self.to {
            if budget.is_spent() {
                return false;
            }
            self.from = copy(text, self.from, self.to, out, budget);
        }
        true
    }

    fn sources(&self) -> &[Value] {
        &self.text
    }
}

/// A text without the white space at its ends.
#[derive(Clone)]
pub struct TrimText {
    text: [Value; 1],
    start: usize,
    end: Option<usize>,
    is_trimmed: bool,
}

impl TrimText {
    pub fn new(text: Value) -> TrimText {
        TrimText {
            text: [text],
            start: 0,
            end: None,
            is_trimmed: false,
        }
    }
}

impl TextBuilder for TrimText {
    fn resume(&mut self, heap: &Heap, out: &mut String, budget: &mut Budget) -> bool {
        let text = heap.as_str(self.text[0]).unwrap_or("");
        let end = self.end.get_or_insert(text.len());
        while !self.is_trimmed {
            if budget.is_spent() {
                return false;
            }
            let next = stretch(text, self.start, BLOCK).min(*end);
            let blanks = next - self.start - text[self.start..next].trim_start().len();
            self.start += blanks;
            let mut before = self.start.max(end.saturating_sub(BLOCK));
            while !text.is_char_boundary(before) {
                before += 1;
            }
            let kept = before + text[before..*end].trim_end().len();
            budget.spend((blanks + *end - kept) / 2 + 4);
            // As long as all characters read are blank, there may be more.
            self.is_trimmed =
                self.start < next && kept > before || self.start == *end || kept == self.start;
            *end = kept;
        }
        while self.start < *end {
            if budget.is_spent() {
                return false;
            }
            self.start = copy(text, self.start, *end, out, budget);
        }
        true
    }

    fn sources(&self) -> &[Value] {
        &self.text
    }
}

/// The making of a part of a text. Most are short: such a part is interned directly, without a copy.
#[derive(Clone)]
pub struct TakeText {
    part: Part,
    long: Option<Text<Part>>,
}

impl TakeText {
    /// From a byte to another.
    pub fn new(text: Value, from: usize, to: usize) -> TakeText {
        TakeText {
            part: Part::new(text, from, to),
            long: None,
        }
    }
}

impl Work for TakeText {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let Part {
            text: [text],
            from,
            to,
        } = self.part;
        if to - from > SHORT {
            return self
                .long
                .get_or_insert_with(|| Text::new(self.part.clone()))
                .resume(context, budget);
        }
        if from < to {
            // As much as copying it, and interning the copy.
            budget.spend((to - from) / BYTES_OF_VISIT + (to - from) / 3 + 2);
        }
        Ok(Some(context.heap.part_of_text(text, from, to)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.part.text);
        self.long.iter().for_each(|long| long.trace(tracer));
    }

    fn bytes(&self) -> usize {
        self.long.as_ref().map_or(0, Work::bytes)
    }
}

/// A text with the case of its letters changed.
#[derive(Clone)]
pub struct ChangeCase {
    text: [Value; 1],
    from: usize,
    recase: fn(&str) -> String,
}

impl ChangeCase {
    pub fn new(text: Value, recase: fn(&str) -> String) -> ChangeCase {
        ChangeCase {
            text: [text],
            from: 0,
            recase,
        }
    }
}

impl TextBuilder for ChangeCase {
    fn resume(&mut self, heap: &Heap, out: &mut String, budget: &mut Budget) -> bool {
        let text = heap.as_str(self.text[0]).unwrap_or("");
        while self.from < text.len() {
            if budget.is_spent() {
                return false;
            }
            let mut end = stretch(text, self.from, BLOCK);
            // The small form of a sigma depends on the letters around it, which white space separates.
            if text[self.from..end].contains('Σ') || text[end..].starts_with('Σ') {
                end = text[end..]
                    .find([' ', '\n'])
                    .map_or(text.len(), |blank| end + blank);
            }
            let recased = (self.recase)(&text[self.from..end]);
            budget.spend((end - self.from + recased.len()) / 2);
            room::grow_text(out, recased.len());
            out.push_str(&recased);
            self.from = end;
        }
        true
    }

    fn sources(&self) -> &[Value] {
        &self.text
    }
}

/// A text several times.
#[derive(Clone)]
pub struct RepeatText {
    text: [Value; 1],
    left: usize,
    at: usize,
}

impl RepeatText {
    pub fn new(text: Value, count: usize) -> RepeatText {
        RepeatText {
            text: [text],
            left: count,
            at: 0,
        }
    }
}

impl TextBuilder for RepeatText {
    fn resume(&mut self, heap: &Heap, out: &mut String, budget: &mut Budget) -> bool {
        let text = heap.as_str(self.text[0]).unwrap_or("");
        if out.capacity() == 0 {
            out.reserve_exact(text.len().saturating_mul(self.left));
        }
        // Short ones many at a time.
        let many = text.repeat((BLOCK / text.len().max(1)).min(self.left));
        let times = (many.len() / text.len().max(1)).max(1);
        while self.left > 0 {
            if budget.is_spent() {
                return false;
            }
            if self.at == 0 && self.left >= times && times > 1 {
                out.push_str(&many);
                budget.spend(many.len() / BYTES_OF_VISIT + 1);
                self.left -= times;
                continue;
            }
            self.at = copy(text, self.at, text.len(), out, budget);
            if self.at == text.len() {
                self.at = 0;
                self.left -= 1;
            }
        }
        true
    }

    fn sources(&self) -> &[Value] {
        &self.text
    }
}

/// The text of the characters that have the codes in an array.
#[derive(Clone)]
pub struct TextFromCodes {
    codes: Value,
    at: usize,
    out: String,
    interning: Option<InternWalk>,
}

impl TextFromCodes {
    pub fn new(codes: Value) -> TextFromCodes {
        TextFromCodes {
            codes,
            at: 0,
            out: String::new(),
            interning: None,
        }
    }
}

impl Work for TextFromCodes {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        while let Some(code) = context.heap.element(self.codes.payload(), self.at) {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(2);
            let known = code.as_integer().and_then(|code| u32::try_from(code).ok());
            let Some(character) = known.and_then(char::from_u32) else {
                let wanted = "code points, whole numbers from 0 to 1114111 without 55296 to 57343";
                return Err(context.wrong_argument("textFromCodes", wanted, code));
            };
            if self.out.capacity() - self.out.len() < character.len_utf8() {
                context.reserve(room::step(self.out.capacity()))?;
                room::grow_text(&mut self.out, character.len_utf8());
            }
            self.out.push(character);
            self.at += 1;
        }
        let interning = self
            .interning
            .get_or_insert_with(|| InternWalk::new(std::mem::take(&mut self.out)));
        Ok(interning.resume(&mut context.heap, budget))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.codes);
    }

    fn bytes(&self) -> usize {
        room::block(self.out.capacity()) + self.interning.as_ref().map_or(0, InternWalk::bytes)
    }
}

/// The pieces of a text: between separators, or its lines.
#[derive(Clone)]
pub struct SplitText {
    text: Value,
    /// `None` for line breaks.
    separator: Option<Value>,
    search: TextSearch,
    /// A long piece being copied.
    piece: Option<Text<Part>>,
    /// Where the text continues after the piece; `None` at its end.
    next: Option<usize>,
    pieces: Vec<Value>,
}

impl SplitText {
    pub fn new(text: Value, separator: Option<Value>) -> SplitText {
        let search = TextSearch::new(0);
        SplitText {
            text,
            separator,
            search,
            piece: None,
            next: Some(0),
            pieces: Vec::new(),
        }
    }

    fn keep(&mut self, piece: Value) {
        if self.pieces.len() == self.pieces.capacity() {
            room::grow(&mut self.pieces, 1);
        }
        self.pieces.push(piece);
    }
}

impl Work for SplitText {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        loop {
            if let Some(piece) = &mut self.piece {
                let Some(piece) = piece.resume(context, budget)? else {
                    return Ok(None);
                };
                self.piece = None;
                self.keep(piece);
            }
            let (Some(from), false) = (self.next, budget.is_spent()) else {
                if self.next.is_some() {
                    return Ok(None);
                }
                return Ok(Some(context.heap.array(std::mem::take(&mut self.pieces))));
            };
            let text = context.heap.as_str(self.text).unwrap_or("");
            if self.separator.is_none() && from == text.len() {
                self.next = None;
                continue;
            }
            let separator = self.separator.map_or("\n", |separator| {
                context.heap.as_str(separator).unwrap_or("")
            });
            self.search.from = self.search.from.max(from);
            let Some(found) = self.search.resume(text, separator, budget) else {
                return Ok(None);
            };
            let mut end = found.unwrap_or(text.len());
            self.next = found.map(|found| found + separator.len());
            self.search.restart(self.next.unwrap_or(0));
            if self.separator.is_none() && found.is_some() && text[from..end].ends_with('\r') {
                end -= 1;
            }
            budget.spend(16);
            if end - from > BLOCK {
                self.piece = Some(Text::new(Part::new(self.text, from, end)));
                continue;
            }
            budget.spend((end - from) / BYTES_OF_VISIT);
            let piece = context.heap.part_of_text(self.text, from, end);
            self.keep(piece);
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
        tracer.values.extend(self.separator);
        tracer.values.extend_from_slice(&self.pieces);
    }

    fn bytes(&self) -> usize {
        room::row(&self.pieces) + self.piece.as_ref().map_or(0, Work::bytes)
    }
}

/// Whether a text has another at a byte of it.
#[derive(Clone)]
pub struct MatchesAt {
    text: Value,
    part: Value,
    from: usize,
    at: usize,
}

impl MatchesAt {
    /// The part must fit there.
    pub fn new(text: Value, part: Value, from: usize) -> MatchesAt {
        MatchesAt {
            text,
            part,
            from,
            at: 0,
        }
    }
}

impl Work for MatchesAt {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let bytes = |text: Value| context.heap.as_str(text).unwrap_or("").as_bytes();
        let (text, part) = (bytes(self.text), bytes(self.part));
        while self.at < part.len() {
            if budget.is_spent() {
                return Ok(None);
            }
            let end = part.len().min(self.at + BLOCK);
            budget.spend((end - self.at) / 8 + 1);
            if text.get(self.from + self.at..self.from + end) != Some(&part[self.at..end]) {
                return Ok(Some(Value::FALSE));
            }
            self.at = end;
        }
        Ok(Some(Value::TRUE))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.text, self.part]);
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Runs a work that makes a text of at most this many bytes.
pub(crate) fn make_by<W: Work + 'static>(
    context: &mut Context,
    bytes: usize,
    work: impl FnOnce(&mut Context) -> Result<W, Fault>,
) -> Result<Value, Fault> {
    context.perform(|context| {
        // A string counts its characters in 32 bits.
        if bytes > u32::MAX as usize {
            return Err(Fault::Limit(LimitReached::Memory(context.limits.memory)));
        }
        context.reserve(bytes)?;
        work(context)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript_base::budget::PieceSize;

    #[test]
    fn texts_are_made_as_the_standard_library_makes_them() {
        fn made(heap: &mut Heap, making: impl TextBuilder) -> String {
            let (mut making, mut out) = (making, String::new());
            loop {
                let mut budget = Budget::piece(PieceSize::default());
                budget.spend(budget.room_for(1) - 30);
                if making.resume(heap, &mut out, &mut budget) {
                    return out;
                }
            }
        }
        let mut heap = Heap::default();
        let blanks = " \t\n\u{3000}".repeat(40_000);
        let texts = [
            "",
            " ",
            "a",
            "ab",
            " a b ",
            "ΑΣ ΣΑΣ",
            "aaaa",
            "ß",
            &blanks,
            &format!("{blanks}x y{blanks}"),
        ];
        let parts = ["", "a", "aa", "b", " ", "x y"];
        for text in texts {
            let value = heap.text(text);
            assert_eq!(made(&mut heap, TrimText::new(value)), text.trim());
            assert_eq!(
                made(&mut heap, ChangeCase::new(value, str::to_lowercase)),
                text.to_lowercase()
            );
            assert_eq!(
                made(&mut heap, ChangeCase::new(value, str::to_uppercase)),
                text.to_uppercase()
            );
            assert_eq!(made(&mut heap, RepeatText::new(value, 3)), text.repeat(3));
            for part in parts {
                for instead in ["", "z", "aa"] {
                    let (from, to) = (heap.text(part), heap.text(instead));
                    let replaced = made(&mut heap, ReplaceText::new(value, from, to));
                    assert_eq!(
                        replaced,
                        text.replace(part, instead),
                        "{part:?} by {instead:?} in {} bytes",
                        text.len()
                    );
                }
            }
        }
        let long = "Σα".repeat(50_000) + " " + &"ΑΣ ".repeat(50_000);
        let value = heap.text(&long);
        assert_eq!(
            made(&mut heap, ChangeCase::new(value, str::to_lowercase)),
            long.to_lowercase()
        );
    }
}
