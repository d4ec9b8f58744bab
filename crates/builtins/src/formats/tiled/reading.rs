//! A text of Tiled as an object, tag by tag.

use super::super::json_reading::JsonReader;
use super::super::markup::{Piece, piece, plain};
use super::fields::Fields;
use super::json::Walk;
use super::layer::Encoding;
use super::making::MapBuilder;
use super::values::{LONGEST_TAG, NotAMap, VALUES_OF_TAG, short};
use ndscript_base::budget::Budget;
use ndscript_heap::Value;
use ndscript_heap::value::Handle;
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// At most this many bytes of a layer's numbers are read at a time.
const BLOCK: usize = 1 << 10;

/// A text that is being read.
#[derive(Clone)]
enum Source {
    Xml { text: Value, at: usize },
    Json(Box<JsonReader>),
    Walk(Walk),
}

/// A text being read as a map.
#[derive(Clone)]
pub struct TiledReader {
    /// The text, and over it the one of a set of tiles that it names.
    sources: Vec<Source>,
    making: MapBuilder,
}

impl TiledReader {
    pub fn new(context: &Context, text: Value, given: Option<Handle>) -> TiledReader {
        TiledReader {
            sources: vec![source(context, text)],
            making: MapBuilder::new(given),
        }
    }

    /// The error of `readTiled`, with the line.
    fn fault(&self, context: &Context, wrong: NotAMap) -> Fault {
        let what = match wrong {
            NotAMap::Fault(fault) => return fault,
            NotAMap::Text(what) => what,
        };
        let place = match self.sources.last() {
            Some(Source::Xml { text, at }) => {
                let text = context.heap.as_str(*text).unwrap_or_default();
                format!("line {}", text[..*at].matches('\n').count() + 1)
            }
            _ => "the text".to_string(),
        };
        let place = match self.sources.len() {
            0 | 1 => place,
            _ => format!("{place} of the set of tiles"),
        };
        let message = format!("`readTiled` cannot read {place}: {what}");
        Fault::error(ErrorKind::Value, message)
    }

    /// Reads the next tag, or moves to it.
    fn read_tag(
        &mut self,
        context: &mut Context,
        text: Value,
        at: usize,
        budget: &mut Budget,
    ) -> Result<usize, NotAMap> {
        let whole = context.heap.as_str(text).unwrap_or_default();
        let mut most = (whole.len() - at).min(LONGEST_TAG);
        while !whole.is_char_boundary(at + most) {
            most -= 1;
        }
        let rest = &whole[at..at + most];
        if rest.is_empty() {
            return Err(match self.making.innermost() {
                None => NotAMap::new("this is no map of Tiled: it has no `<map>`"),
                Some(tag) => NotAMap::Text(format!("the text ends within `<{}>`", short(tag))),
            });
        }
        let length = rest.find('<').unwrap_or(most);
        budget.spend(length / 16 + 1);
        if length > 0 {
            if self.making.wants_text() {
                let between = plain(&rest[..length]);
                context.reserve(self.making.room(context, length))?;
                self.making.take_text(&between);
            }
            return Ok(length);
        }
        let Some((found, length)) = piece(rest) else {
            return Err(match rest.len() < LONGEST_TAG - 4 {
                true => NotAMap::new("the text ends within a tag"),
                false => NotAMap::new("a tag is longer than 64,000 characters"),
            });
        };
        budget.spend(length / 4 + 8);
        // The text is taken out of the heap while the results go into the heap.
        match found {
            Piece::Other => {}
            Piece::Data(data) => {
                let data = data.to_string();
                context.reserve(self.making.room(context, length))?;
                if self.making.wants_text() {
                    self.making.take_text(&data);
                }
            }
            Piece::Close(name) => {
                let name = name.to_string();
                context.reserve(self.making.room(context, length))?;
                self.making.close(context, &name)?;
            }
            Piece::Open(name, attributes, is_closed) => {
                if let Some(unread) = attributes.unread() {
                    let unread: String = unread.chars().take(40).collect();
                    return Err(NotAMap::new(&format!(
                        "`{unread}` in `<{name}>` is no attribute, which is written `name=\"value\"`"
                    )));
                }
                let name = name.to_string();
                let fields = attributes
                    .all()
                    .map(|(name, value)| (name.to_string(), value));
                let fields = Fields::new(fields);
                context.reserve(self.making.room(context, length))?;
                self.making.enter(context, &name, &fields)?;
                if is_closed {
                    self.making.close(context, &name)?;
                }
            }
        }
        Ok(length)
    }

    /// Whether the numbers of a layer are being read.
    fn is_in_numbers(&self) -> bool {
        let numbers = self.making.numbers.as_ref();
        numbers.is_some_and(|numbers| numbers.encoding != Encoding::Tags)
            && matches!(self.making.innermost(), Some("data" | "chunk"))
    }

    /// Reads numbers, at most up to the next tag; how far it has come.
    fn read_numbers(
        &mut self,
        context: &mut Context,
        text: Value,
        at: usize,
        budget: &mut Budget,
    ) -> Result<usize, NotAMap> {
        let room = self
            .making
            .numbers
            .as_ref()
            .map_or(0, |numbers| numbers.room(BLOCK));
        context.reserve(VALUES_OF_TAG + room)?;
        let bytes = context.heap.as_str(text).unwrap_or_default().as_bytes();
        let block = &bytes[at..(at + BLOCK).min(bytes.len())];
        if block.is_empty() {
            return Err(NotAMap::new("the text ends within a layer"));
        }
        budget.spend(block.len());
        let mut length = 0;
        if let Some(numbers) = &mut self.making.numbers {
            for byte in block.iter().take_while(|byte| **byte != b'<') {
                if !numbers.take(*byte)? {
                    return Err(NotAMap::new("what stands here is no number of a tile"));
                }
                length += 1;
            }
        }
        Ok(length)
    }

    /// Continues by a step.
    fn step(&mut self, context: &mut Context, budget: &mut Budget) -> Result<(), NotAMap> {
        if self.making.is_busy() {
            self.making.work(context, budget)?;
            return Ok(());
        }
        let depth = self.sources.len();
        match self.sources.last_mut() {
            None => {}
            Some(Source::Json(reading)) => {
                if let Some(root) = reading.resume(context, budget)? {
                    context.reserve(VALUES_OF_TAG)?;
                    let walk = Walk::new(context, root)?;
                    self.sources[depth - 1] = Source::Walk(walk);
                }
            }
            Some(Source::Walk(walk)) => {
                let is_done = walk.step(context, &mut self.making, budget)?;
                if is_done {
                    self.sources.pop();
                }
            }
            Some(Source::Xml { text, at }) => {
                let (text, from) = (*text, *at);
                let length = match self.is_in_numbers() && !self.is_at_tag(context, text, from) {
                    true => self.read_numbers(context, text, from, budget)?,
                    false => self.read_tag(context, text, from, budget)?,
                };
                if let Some(Source::Xml { at, .. }) = self.sources.get_mut(depth - 1) {
                    *at = from + length;
                }
                // The text of a set ends with its last tag.
                if self.making.take_closed_set() && depth > 1 {
                    self.sources.pop();
                }
            }
        }
        if let Some(text) = self.making.take_elsewhere() {
            self.making.take_closed_set();
            self.sources.push(source(context, text));
        }
        Ok(())
    }

    fn is_at_tag(&self, context: &Context, text: Value, at: usize) -> bool {
        let text = context.heap.as_str(text).unwrap_or_default();
        text.as_bytes().get(at) == Some(&b'<')
    }
}

/// The beginning of a text.
fn source(context: &Context, text: Value) -> Source {
    let start = context.heap.as_str(text).unwrap_or_default();
    let start = start.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    match start.starts_with(['{', '[']) {
        true => Source::Json(Box::new(JsonReader::new("readTiled", text))),
        false => Source::Xml { text, at: 0 },
    }
}

impl Work for TiledReader {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        while !budget.is_spent() {
            if self.making.result.is_some() && !self.making.is_busy() {
                return Ok(self.making.result);
            }
            let step = self.step(context, budget);
            step.map_err(|wrong| self.fault(context, wrong))?;
        }
        Ok(None)
    }

    fn trace(&self, tracer: &mut Tracer) {
        for source in &self.sources {
            match source {
                Source::Xml { text, .. } => tracer.values.push(*text),
                Source::Json(reading) => reading.trace(tracer),
                Source::Walk(walk) => walk.trace(tracer),
            }
        }
        self.making.trace(tracer);
    }

    fn bytes(&self) -> usize {
        let sources = self.sources.iter().map(|source| match source {
            Source::Xml { .. } => 0,
            Source::Json(reading) => reading.bytes(),
            Source::Walk(walk) => walk.bytes(),
        });
        sources.sum::<usize>() + self.making.bytes()
    }
}
