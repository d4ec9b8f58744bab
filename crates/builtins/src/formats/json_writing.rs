//! `writeJson`: a value as a text, in pieces.

use crate::texts::text_search::{BYTES_OF_VISIT, stretch};
use ndscript_base::budget::Budget;
use ndscript_base::keyed::KeyedSet;
use ndscript_base::room;
use ndscript_heap::kinds::text::InternWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// At most this many bytes of a string are written at a time.
const BLOCK: usize = 1 << 12;

/// A collection that is being written.
#[derive(Clone)]
struct OpenCollection {
    value: Value,
    next: usize,
    count: usize,
    /// How many cells a row of a grid has; 0 for other collections.
    width: usize,
    /// The elements of a queue.
    list: Box<[Value]>,
}

impl OpenCollection {
    /// The part with a number, and the key before it.
    fn part(&self, context: &mut Context) -> (Option<Value>, Value) {
        let handle = self.value.payload();
        let (key, part) = match self.value.kind() {
            Kind::Array => (None, context.heap.element(handle, self.next)),
            Kind::Set => (None, context.heap.set_get(self.value, self.next)),
            Kind::Grid => (None, context.heap.grids[handle].slots.get(self.next)),
            Kind::Object => {
                let slots = context.heap.objects[handle].slots();
                let field = slots.get(2 * self.next..2 * self.next + 2);
                (field.map(|field| field[0]), field.map(|field| field[1]))
            }
            _ => (None, self.list.get(self.next).copied()),
        };
        (key, part.unwrap_or(Value::NULL))
    }
}

/// A value being written.
#[derive(Clone)]
pub struct JsonWriter {
    open: Vec<OpenCollection>,
    entered: KeyedSet<Value>,
    /// The next value to write. It stays until its beginning is written, as memory for that may be missing.
    pending: Option<Value>,
    /// A string whose bytes from one on are not written yet; and if it is a key, the value after it.
    string: Option<(Value, usize)>,
    after: Option<Value>,
    out: String,
    interning: Option<InternWalk>,
}

impl JsonWriter {
    pub fn new(value: Value) -> JsonWriter {
        JsonWriter {
            open: Vec::new(),
            entered: KeyedSet::default(),
            pending: Some(value),
            string: None,
            after: None,
            out: String::new(),
            interning: None,
        }
    }

    /// Begins to write a value.
    fn begin(&mut self, context: &mut Context, value: Value) -> Result<(), Fault> {
        let handle = value.payload();
        let (count, width, list) = match value.kind() {
            Kind::Null | Kind::Boolean | Kind::Integer | Kind::Float | Kind::BoxedFloat => {
                let text = context.display(value)?;
                self.out.push_str(&text);
                return Ok(());
            }
            Kind::Position => {
                let (x, y) = value.as_position().unwrap_or_default();
                self.out.push_str(&format!("{{\"x\":{x},\"y\":{y}}}"));
                return Ok(());
            }
            Kind::Text => {
                self.out.push('"');
                self.string = Some((value, 0));
                return Ok(());
            }
            Kind::Array => (context.heap.array_len(handle), 0, Vec::new()),
            Kind::Set => (context.heap.set_len(value), 0, Vec::new()),
            Kind::Object => (context.heap.objects[handle].len(), 0, Vec::new()),
            Kind::Grid => {
                let grid = &context.heap.grids[handle];
                (grid.slots.len(), grid.width as usize, Vec::new())
            }
            Kind::Queue => {
                context.reserve(8 * context.heap.queues[handle].len())?;
                let list = context.heap.queues[handle].list(&context.heap);
                (list.len(), 0, list)
            }
            _ => {
                let message = format!("`writeJson` has no form for {}", context.describe(value));
                return Err(Fault::error(ErrorKind::Type, message).with_hint(
                    "JSON has objects, arrays, strings, numbers, true, false and null; `pairsOf(r)` is the set of the pairs \
                     of a relation",
                ));
            }
        };
        if !self.entered.insert(value) {
            let message = format!(
                "`writeJson` has no form for {} that contains itself",
                context.describe(value)
            );
            return Err(Fault::error(ErrorKind::Value, message));
        }
        room::grow(&mut self.open, 1);
        self.out.push(if value.is_kind(Kind::Object) {
            '{'
        } else {
            '['
        });
        self.open.push(OpenCollection {
            value,
            next: 0,
            count,
            width,
            list: list.into(),
        });
        Ok(())
    }

    /// Continues with the innermost open collection.
    fn continue_collection(&mut self, context: &mut Context) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        // Rows of a grid are arrays of their own.
        let is_row_end = open.width > 0 && open.next > 0 && open.next % open.width == 0;
        if open.next == open.count {
            if open.width > 0 && open.count > 0 {
                self.out.push(']');
            }
            let is_object = open.value.is_kind(Kind::Object);
            self.out.push(if is_object { '}' } else { ']' });
            self.entered.remove(&open.value);
            self.open.pop();
            return;
        }
        if is_row_end {
            self.out.push_str("],[");
        } else if open.next > 0 {
            self.out.push(',');
        } else if open.width > 0 {
            self.out.push('[');
        }
        let (key, part) = open.part(context);
        open.next += 1;
        match key {
            Some(key) => {
                self.out.push('"');
                (self.string, self.after) = (Some((key, 0)), Some(part));
            }
            None => self.pending = Some(part),
        }
    }

    /// Continues to write a string.
    fn write_string(&mut self, context: &Context, budget: &mut Budget) {
        let Some((value, from)) = self.string else {
            return;
        };
        let text = context.heap.as_str(value).unwrap_or_default();
        let end = stretch(text, from, BLOCK);
        room::grow_text(&mut self.out, end - from + 16);
        budget.spend((end - from) / BYTES_OF_VISIT + 1);
        for character in text[from..end].chars() {
            match character {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\t' => self.out.push_str("\\t"),
                '\r' => self.out.push_str("\\r"),
                control if control < ' ' => {
                    self.out.push_str(&format!("\\u{:04x}", u32::from(control)));
                }
                other => self.out.push(other),
            }
        }
        self.string = (end < text.len()).then_some((value, end));
        if self.string.is_none() {
            self.out.push('"');
        }
    }
}

impl Work for JsonWriter {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        while self.interning.is_none() {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(8);
            // A block of a string takes at most six bytes for one.
            let open = room::step(self.open.capacity() * size_of::<OpenCollection>())
                + 16 * self.entered.capacity();
            context.reserve(room::step(self.out.capacity()).max(8 * BLOCK) + open + 256)?;
            if let Some(value) = self.pending {
                self.begin(context, value)?;
                self.pending = None;
            } else if self.string.is_some() {
                self.write_string(context, budget);
            } else if let Some(value) = self.after.take() {
                self.out.push(':');
                self.pending = Some(value);
            } else if self.open.is_empty() {
                self.interning = Some(InternWalk::new(std::mem::take(&mut self.out)));
            } else {
                self.continue_collection(context);
            }
        }
        Ok(self
            .interning
            .as_mut()
            .and_then(|interning| interning.resume(&mut context.heap, budget)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.pending);
        tracer.values.extend(self.after);
        tracer.values.extend(self.string.map(|(string, _)| string));
        for open in &self.open {
            tracer.values.push(open.value);
            tracer.values.extend_from_slice(&open.list);
        }
    }

    fn bytes(&self) -> usize {
        let lists = self.open.iter().map(|open| 8 * open.list.len());
        room::row(&self.open)
            + lists.sum::<usize>()
            + room::hash_map(self.entered.capacity(), 8)
            + room::block(self.out.capacity())
            + self.interning.as_ref().map_or(0, InternWalk::bytes)
    }
}
