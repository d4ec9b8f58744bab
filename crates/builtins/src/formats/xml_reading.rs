//! `readXml`: a text as elements with their attributes and contents, in pieces.

use super::markup::{Attributes, Piece, piece, plain};
use crate::texts::text_search::BYTES_OF_VISIT;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::kinds::text::InternWalk;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// A tag has at most this many bytes; other text is read in pieces of this many bytes.
const LONGEST_TAG: usize = 1 << 16;
/// The bytes of an element, apart from its texts.
const ELEMENT: usize = 1 << 10;

/// An element that is open.
#[derive(Clone)]
struct OpenElement {
    object: Handle,
    name: String,
    children: Vec<Value>,
}

/// A text being read as elements.
#[derive(Clone)]
pub struct XmlReader {
    text: Value,
    at: usize,
    open: Vec<OpenElement>,
    /// The text since the last tag.
    between: String,
    interning: Option<InternWalk>,
    result: Option<Value>,
}

impl XmlReader {
    pub fn new(text: Value) -> XmlReader {
        XmlReader {
            text,
            at: 0,
            open: Vec::new(),
            between: String::new(),
            interning: None,
            result: None,
        }
    }

    fn wrong(&self, context: &Context, what: &str) -> Fault {
        let text = context.heap.as_str(self.text).unwrap_or_default();
        let line = text[..self.at].matches('\n').count() + 1;
        let message = format!("`readXml` cannot read line {line}: {what}");
        Fault::error(ErrorKind::Value, message)
    }

    /// The memory that a piece of this many bytes may take.
    fn room(&self, length: usize) -> usize {
        let children = self.open.iter().rev().take(2);
        let children: usize = children
            .map(|open| room::step(8 * open.children.capacity()))
            .sum();
        let open = room::step(size_of::<OpenElement>() * self.open.capacity());
        ELEMENT + 16 * length + children + open + room::step(self.between.capacity())
    }

    /// Puts a value into the innermost element; it fits into memory.
    fn put(&mut self, value: Value) {
        if let Some(open) = self.open.last_mut() {
            room::grow(&mut open.children, 1);
            open.children.push(value);
        }
    }

    /// Makes the object for an element, and waits for its children.
    fn enter(&mut self, context: &mut Context, name: &str, attributes: &[(String, String)]) {
        let object = context.heap.object().payload();
        let fields = context.heap.object();
        for (key, value) in attributes {
            let (key, value) = (context.heap.text(key), context.heap.text(value));
            context.heap.set_field(fields.payload(), key, value);
        }
        let text = context.heap.text(name);
        put(context, object, "name", text);
        put(context, object, "attributes", fields);
        room::grow(&mut self.open, 1);
        self.open.push(OpenElement {
            object,
            name: name.to_string(),
            children: Vec::new(),
        });
    }

    fn close(&mut self, context: &mut Context) {
        let Some(open) = self.open.pop() else {
            return;
        };
        let children = context.heap.array(open.children);
        put(context, open.object, "children", children);
        let element = Value::handle(Kind::Object, open.object);
        match self.open.is_empty() {
            true => self.result = Some(element),
            false => self.put(element),
        }
    }

    /// Reads the next item: a tag, or some of the text before one.
    fn step(&mut self, context: &mut Context, budget: &mut Budget) -> Result<(), Fault> {
        let text = context.heap.as_str(self.text).unwrap_or_default();
        let mut most = (text.len() - self.at).min(LONGEST_TAG);
        while !text.is_char_boundary(self.at + most) {
            most -= 1;
        }
        let rest = &text[self.at..self.at + most];
        let between = rest.find('<').unwrap_or(most);
        if between > 0 {
            // An entity must not be split.
            let whole = &rest[..between];
            let torn = whole
                .rfind('&')
                .filter(|at| between == most && *at > 0 && most - *at < 16);
            let between = torn.unwrap_or(between);
            budget.spend(between / BYTES_OF_VISIT + 1);
            let plain = plain(&whole[..between]);
            let is_blank = plain.trim().trim_start_matches('\u{feff}').is_empty();
            if !is_blank && (self.open.is_empty() || self.result.is_some()) {
                return Err(self.wrong(context, "text stands outside of all elements"));
            }
            context.reserve(self.room(between))?;
            if !self.open.is_empty() {
                room::grow_text(&mut self.between, plain.len());
                self.between.push_str(&plain);
            }
            self.at += between;
            return Ok(());
        }
        let Some((found, length)) = piece(rest) else {
            return Err(match self.open.last() {
                Some(open) if rest.is_empty() => {
                    let name: String = open.name.chars().take(40).collect();
                    self.wrong(context, &format!("the text ends within `<{name}>`"))
                }
                None if rest.is_empty() => self.wrong(context, "there is no element"),
                _ if rest.len() < LONGEST_TAG - 4 => {
                    self.wrong(context, "the text ends within a tag")
                }
                _ => self.wrong(context, "a tag is longer than 64,000 characters"),
            });
        };
        budget.spend(length / BYTES_OF_VISIT + 8);
        match found {
            Piece::Other => {}
            Piece::Data(data) => {
                let data = data.to_string();
                context.reserve(self.room(length))?;
                room::grow_text(&mut self.between, data.len());
                self.between.push_str(&data);
            }
            Piece::Open(..) | Piece::Close(_) if !self.between.trim().is_empty() => {
                let between = std::mem::take(&mut self.between);
                self.interning = Some(InternWalk::new(between));
                return Ok(());
            }
            Piece::Open(name, attributes, is_closed) => {
                if let Some(unread) = attributes.unread() {
                    let unread: String = unread.chars().take(40).collect();
                    return Err(self.wrong(
                        context,
                        &format!("`{unread}` in `<{name}>` is no attribute, which is written `name=\"value\"`"),
                    ));
                }
                let (name, attributes) = (name.to_string(), owned(attributes));
                if self.result.is_some() {
                    return Err(self.wrong(context, "a second element stands beside the first"));
                }
                context.reserve(self.room(length))?;
                self.between.clear();
                self.enter(context, &name, &attributes);
                if is_closed {
                    self.close(context);
                }
            }
            Piece::Close(name) => {
                let is_open = self.open.last().is_some_and(|open| open.name == name);
                if !is_open {
                    let name: String = name.chars().take(40).collect();
                    return Err(self.wrong(context, &format!("`</{name}>` closes nothing")));
                }
                context.reserve(self.room(length))?;
                self.between.clear();
                self.close(context);
            }
        }
        self.at += length;
        Ok(())
    }
}

fn owned(attributes: Attributes<'_>) -> Vec<(String, String)> {
    attributes
        .all()
        .map(|(name, value)| (name.to_string(), value))
        .collect()
}

fn put(context: &mut Context, object: Handle, key: &str, value: Value) {
    let key = context.heap.text(key);
    context.heap.set_field(object, key, value);
}

impl Work for XmlReader {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        while !budget.is_spent() {
            context.reserve(self.room(0))?;
            if let Some(interning) = &mut self.interning {
                let Some(text) = interning.resume(&mut context.heap, budget) else {
                    return Ok(None);
                };
                self.interning = None;
                self.put(text);
                continue;
            }
            let length = context.heap.as_str(self.text).unwrap_or_default().len();
            if self.at == length && self.result.is_some() {
                return Ok(self.result);
            }
            self.step(context, budget)?;
        }
        Ok(None)
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
        tracer.values.extend(self.result);
        for open in &self.open {
            tracer.values.push(Value::handle(Kind::Object, open.object));
            tracer.values.extend_from_slice(&open.children);
        }
        if let Some(interning) = &self.interning {
            interning.values(&mut |value| tracer.values.push(value));
        }
    }

    fn bytes(&self) -> usize {
        let open = self
            .open
            .iter()
            .map(|open| room::row(&open.children) + room::block(open.name.capacity()));
        room::row(&self.open)
            + open.sum::<usize>()
            + room::block(self.between.capacity())
            + self.interning.as_ref().map_or(0, InternWalk::bytes)
    }
}
