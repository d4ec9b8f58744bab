//! Copies that are made empty and filled later, once all values that refer to each other are made; and the parts of
//! values by number, for the copying code.

use crate::kinds::hosted::NoCopy;
use crate::store::heap::Heap;
use crate::value::{Kind, Value};
use ndscript_base::room;

impl Heap {
    /// The place of a value in the order of creation; 0 for values without one.
    pub fn creation_order(&self, value: Value) -> u64 {
        let handle = value.payload();
        match value.kind() {
            Kind::Relation => self.relations[handle].sequence,
            Kind::Grid => self.grids[handle].sequence,
            Kind::Object => self.objects[handle].sequence,
            Kind::Queue => self.queues[handle].sequence,
            Kind::Function => self.functions[handle].sequence,
            Kind::Host | Kind::Method => self.hosts.places[handle].sequence,
            _ => 0,
        }
    }

    /// The number of parts of a value: elements, cells, captured variables; keys and values of objects and both sides
    /// of pairs one by one, as well as what a queue stores apart from its elements.
    pub fn count_of_parts(&self, value: Value) -> usize {
        let handle = value.payload();
        match value.kind() {
            Kind::Array => self.array_len(handle),
            Kind::Set => self.set_len(value),
            Kind::Relation => self.relations[handle].pairs.len() * 2,
            Kind::Grid => self.grids[handle].slots.len(),
            Kind::Object => self.objects[handle].slots().len(),
            Kind::Queue => self.queues[handle].values().len(),
            Kind::Function => self.functions[handle].captured.len(),
            Kind::Variable => 1,
            _ => 0,
        }
    }

    /// A part of a value; an array must be written out.
    #[inline]
    pub fn part(&self, value: Value, index: usize) -> Option<Value> {
        let handle = value.payload();
        match value.kind() {
            Kind::Array => self.arrays[handle].slots.get(index),
            Kind::Set => self.set_get(value, index),
            Kind::Relation => {
                let (left, right) = self.relations[handle].pairs.get(index / 2)?;
                Some(if index.is_multiple_of(2) {
                    *left
                } else {
                    *right
                })
            }
            Kind::Grid => self.grids[handle].slots.get(index),
            Kind::Object => self.objects[handle].slots().get(index).copied(),
            Kind::Queue => self.queues[handle].values().get(index).copied(),
            Kind::Function => self.functions[handle].captured.get(index).copied(),
            Kind::Variable if index == 0 => Some(self.variables[handle].value),
            _ => None,
        }
    }

    /// The number of the first element of a set that is more than a number, a text or a position: in the order of sets
    /// all those come first.
    pub fn first_compound(&self, set: Value) -> usize {
        let is_compound = |index: usize| self.set_get(set, index).is_some_and(Value::is_compound);
        let (mut simple, mut end) = (0, self.set_len(set));
        if end == 0 || !is_compound(end - 1) {
            return end;
        }
        while simple < end {
            let middle = simple.midpoint(end);
            if is_compound(middle) {
                end = middle
            } else {
                simple = middle + 1
            }
        }
        end
    }

    /// A copy of a value without its parts, to be filled by [`Heap::fill_shell`], [`Heap::set_field`] or
    /// [`Heap::move_pairs`]. It must not be used before. A value without parts is copied unchanged.
    ///
    /// # Errors
    /// If a value of the host cannot be copied.
    pub fn shell(&mut self, value: Value) -> Result<Value, NoCopy> {
        let handle = value.payload();
        Ok(match value.kind() {
            Kind::Array => self.array(Vec::new()),
            Kind::Relation => self.relation(Vec::new()),
            Kind::Grid => {
                let (width, height) = (self.grids[handle].width, self.grids[handle].height);
                self.grid(width, height, Vec::new())
            }
            Kind::Object => self.object(),
            Kind::Queue => {
                let has_priorities = self.queues[handle].has_priorities;
                self.queue(has_priorities)
            }
            Kind::Function => {
                let function = self.functions[handle].function;
                self.closure(function, Box::default())
            }
            Kind::Variable => self.variable(Value::NULL),
            Kind::Host => return self.copy_host(value),
            _ => value,
        })
    }

    /// Sets the parts of a shell, as many as the original has; not for objects and relations.
    pub fn fill_shell(&mut self, shell: Value, parts: Vec<Value>) {
        let handle = shell.payload();
        match shell.kind() {
            Kind::Array => {
                self.allocated(room::row(&parts));
                *self.arrays[handle].slots.values_mut_unlogged() = parts;
            }
            Kind::Grid => {
                self.allocated(room::row(&parts));
                *self.grids[handle].slots.values_mut_unlogged() = parts;
            }
            Kind::Queue => self.replace_queue(handle, parts),
            Kind::Function => {
                self.allocated(room::block(parts.len() * 8));
                self.functions[handle].captured = parts.into_boxed_slice();
            }
            Kind::Variable => {
                self.variables[handle].value = parts.first().copied().unwrap_or(Value::NULL)
            }
            _ => {}
        }
    }
}
