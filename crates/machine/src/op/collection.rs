//! New arrays, objects, functions and texts.

use super::{After, Done, or_forged};
use crate::machine::Machine;
use ndscript_bytecode::{Capture, Code, Register};
use ndscript_heap::{Kind, Value};

/// Capturing at most this many variables is not charged separately.
const FEW: usize = 64;

impl Machine {
    /// `R[to] :=` a new array of `count` registers from `first`
    pub(crate) fn new_array(&mut self, to: Register, first: Register, count: u32) -> Done {
        let elements = self.row(first, count as usize).to_vec();
        let array = self.context.heap.array(elements);
        self.set(to, array);
        Ok(After::LookAtMemory)
    }

    /// Append `count` registers from `first` to the array `R[array]`
    pub(crate) fn append(&mut self, array: Register, first: Register, count: u32) -> Done {
        let is_open = |array: &u32| !self.context.heap.arrays[*array].is_frozen();
        let handle = or_forged(self.get(array).handle_of(Kind::Array).filter(is_open))?;
        let first = self.base as usize + first as usize;
        for value in &self.stack[first..first + count as usize] {
            self.context.heap.push_element(handle, *value);
        }
        self.context.charge(count as usize / 8);
        Ok(After::Next)
    }

    /// `R[to] :=` a new object without fields, with capacity for this many
    pub(crate) fn new_object(&mut self, to: Register, fields: u32) -> Done {
        let object = self.context.heap.object_with_room(fields as usize);
        self.set(to, object);
        Ok(After::LookAtMemory)
    }

    /// The new object `R[object]` gets the field `K[key]`, `R[from]`
    pub(crate) fn put_field(&mut self, object: Register, from: Register, key: u32) -> Done {
        let key = self.constants[key as usize];
        let object = or_forged(self.get(object).handle_of(Kind::Object))?;
        let value = self.get(from);
        self.context.heap.set_field(object, key, value);
        Ok(After::Next)
    }

    /// `R[to] :=` the function with the variables that it captures
    pub(crate) fn closure(&mut self, to: Register, function: u32, code: &Code) -> Done {
        let captures = &code.functions[function as usize].captures;
        if captures.len() > FEW {
            self.context.reserve(size_of_val(&captures[..]))?;
            self.context.charge(captures.len());
        }
        let mut captured = Vec::with_capacity(captures.len());
        for capture in captures {
            captured.push(match *capture {
                Capture::Register(register) => self.get(register),
                Capture::Spilled { register, index } => {
                    let array = or_forged(self.get(register).handle_of(Kind::Array))?;
                    self.context
                        .heap
                        .element(array, index as usize)
                        .unwrap_or(Value::NULL)
                }
                Capture::Captured(index) => self.captured(index),
            });
        }
        let closure = self
            .context
            .heap
            .closure(function, captured.into_boxed_slice());
        self.set(to, closure);
        Ok(After::LookAtMemory)
    }

    /// `R[to] :=` the text of `count` registers from `first`, joined
    pub(crate) fn join_text(&mut self, to: Register, first: Register, count: u32) -> Done {
        let first = self.base as usize + first as usize;
        let text = self
            .context
            .concatenate(&self.stack[first..first + count as usize])?;
        self.set(to, text);
        Ok(After::LookAtMemory)
    }
}
