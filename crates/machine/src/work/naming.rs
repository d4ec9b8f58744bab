//! The names of fields. They are interned, so a growing text is interned, or searched among the texts in use, before
//! a field is found by it.

use super::{Tracer, Work};
use crate::errors::error::Fault;
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::kinds::text::{InternWalk, StringSearch};
use ndscript_heap::{Kind, Value};

/// A text that names a field.
#[derive(Clone)]
pub struct NameWork {
    text: Value,
    lookup: NameLookup,
    name: Option<Value>,
}

#[derive(Clone)]
enum NameLookup {
    /// Nothing is made of a text that is not in use.
    Find(StringSearch),
    Make(InternWalk),
}

impl NameWork {
    pub fn finding(text: Value) -> NameWork {
        NameWork {
            text,
            lookup: NameLookup::Find(StringSearch::default()),
            name: None,
        }
    }

    fn making(context: &mut Context, text: Value) -> Result<NameWork, Fault> {
        let length = context.heap.as_str(text).map_or(0, str::len);
        context.reserve(room::block(length))?;
        Ok(NameWork {
            text,
            lookup: NameLookup::Make(InternWalk::of_text(&context.heap, text, 0)),
            name: None,
        })
    }

    /// Continues; true when it is done.
    pub fn look_up(&mut self, context: &mut Context, budget: &mut Budget) -> bool {
        let done = match &mut self.lookup {
            NameLookup::Find(finding) => {
                let string = context.heap.as_str(self.text).unwrap_or("");
                finding.resume(&context.heap, string, budget)
            }
            NameLookup::Make(interning) => interning.resume(&mut context.heap, budget).map(Some),
        };
        self.name = done.flatten();
        done.is_some()
    }
}

impl Work for NameWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        Ok(self.look_up(context, budget).then_some(Value::NULL))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.text);
        tracer.values.extend(self.name);
    }

    fn bytes(&self) -> usize {
        if let NameLookup::Make(interning) = &self.lookup {
            interning.bytes()
        } else {
            0
        }
    }

    /// The instruction has more to do with the name, perhaps by another work.
    fn is_taken_whole(&self) -> bool {
        true
    }
}

impl Context {
    /// The name of a field that is written.
    ///
    /// # Errors
    /// [`Fault::Later`].
    pub fn name(&mut self, text: Value) -> Result<Value, Fault> {
        if let Some(known) = self.heap.known_interned(text) {
            return Ok(known);
        }
        let name = self.once_and_for_all(|context| {
            let naming = context.perform_whole(|context| NameWork::making(context, text))?;
            Ok(context.named(naming))
        })?;
        Ok(name.unwrap_or(text))
    }

    /// The name of a field to look up; `None` if it is not in use.
    ///
    /// # Errors
    /// [`Fault::Later`].
    pub fn name_in_use(&mut self, text: Value) -> Result<Option<Value>, Fault> {
        if let Some(known) = self.heap.known_interned(text) {
            return Ok(Some(known));
        }
        self.once_and_for_all(|context| {
            let naming = context.perform_whole(|_| Ok(NameWork::finding(text)))?;
            Ok(context.named(naming))
        })
    }

    /// The name is stored only now: until the instruction takes it, a saved run may have to find it again, and be
    /// charged for it.
    fn named(&mut self, naming: NameWork) -> Option<Value> {
        let name = naming.name?;
        self.heap.keep_interned(naming.text, name);
        Some(name)
    }
}

/// The names of many places, one after the other, for works.
#[derive(Clone, Default)]
pub struct Names {
    naming: Option<NameWork>,
}

impl Names {
    /// The value that finds a place by its name: the interned text of a growing one, any other value unchanged.
    /// `None` if the budget is too small.
    pub fn finding_name(
        &mut self,
        context: &mut Context,
        name: Value,
        budget: &mut Budget,
    ) -> Option<Value> {
        if !name.is_kind(Kind::Text) {
            return Some(name);
        }
        if let Some(known) = context.heap.known_interned(name) {
            return Some(known);
        }
        let naming = self.naming.get_or_insert_with(|| NameWork::finding(name));
        if !naming.look_up(context, budget) {
            return None;
        }
        let found = naming.name;
        self.naming = None;
        Some(found.unwrap_or(name))
    }
}
