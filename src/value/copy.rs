//! Copies of values.

use rustc_hash::FxHashMap;

use super::heap::Heap;
use super::hosted::NoCopy;
use super::value::{Kind, Value};

impl Heap {
    /// A copy of one level: what changes is copied, what it contains is shared. Immutable values are themselves, and
    /// so are those of the host, which [`Heap::copy_host`] copies.
    pub fn copy(&mut self, value: Value) -> Value {
        let handle = value.payload();
        match value.kind() {
            Kind::Array => {
                let elements = self.elements(handle).to_vec();
                self.array(elements)
            }
            Kind::Grid => {
                let grid = &self.grids[handle];
                let (width, height, cells) = (grid.width, grid.height, grid.slots.values().to_vec());
                self.grid(width, height, cells)
            }
            Kind::Object => {
                let fields: Vec<(Value, Value)> = self.fields(value);
                let copy = self.object();
                for (key, value) in fields {
                    self.set_field(copy.payload(), key, value);
                }
                copy
            }
            Kind::Queue => {
                let queue = &self.queues[handle];
                let (has_priorities, values) = (queue.has_priorities, queue.values().to_vec());
                let copy = self.queue(has_priorities);
                self.replace_queue(copy.payload(), values);
                copy
            }
            _ => value,
        }
    }

    /// The fields of an object.
    pub fn fields(&self, object: Value) -> Vec<(Value, Value)> {
        let object = &self.objects[object.payload()];
        object.keys().zip(object.values()).collect()
    }

    /// A copy of a value and everything that can change in it; what is shared, and cycles, stay so. Returns the
    /// number of values that were looked at as well.
    ///
    /// # Errors
    /// If there is no copy of a value of the host inside.
    pub fn deep_copy(&mut self, value: Value) -> Result<(Value, usize), NoCopy> {
        let mut copies: FxHashMap<Value, Value> = FxHashMap::default();
        let mut work = Vec::new();
        let mut looked_at = 1;
        let root = self.shallow(value, &mut copies, &mut work)?;
        while let Some(copy) = work.pop() {
            let handle = copy.payload();
            match copy.kind() {
                Kind::Array => {
                    for at in 0..self.array_len(handle) {
                        let element = self.arrays[handle].slots.values()[at];
                        let element = self.shallow(element, &mut copies, &mut work)?;
                        self.set_element(handle, at, element);
                        looked_at += 1;
                    }
                }
                Kind::Grid => {
                    for at in 0..self.grids[handle].slots.len() {
                        let cell = self.grids[handle].slots.values()[at];
                        let cell = self.shallow(cell, &mut copies, &mut work)?;
                        self.set_cell(handle, at, cell);
                        looked_at += 1;
                    }
                }
                Kind::Object => {
                    for (key, value) in self.fields(copy) {
                        let value = self.shallow(value, &mut copies, &mut work)?;
                        self.set_field(handle, key, value);
                        looked_at += 1;
                    }
                }
                _ => {
                    let values = self.queues[handle].values().to_vec();
                    looked_at += values.len();
                    let values = values.into_iter().map(|value| self.shallow(value, &mut copies, &mut work));
                    let values = values.collect::<Result<_, _>>()?;
                    self.replace_queue(handle, values);
                }
            }
        }
        Ok((root, looked_at))
    }

    fn shallow(
        &mut self,
        value: Value,
        copies: &mut FxHashMap<Value, Value>,
        work: &mut Vec<Value>,
    ) -> Result<Value, NoCopy> {
        if !matches!(value.kind(), Kind::Array | Kind::Grid | Kind::Object | Kind::Queue | Kind::Host) {
            return Ok(value);
        }
        if let Some(copy) = copies.get(&value) {
            return Ok(*copy);
        }
        if value.is_kind(Kind::Host) {
            let copy = self.copy_host(value)?;
            copies.insert(value, copy);
            return Ok(copy);
        }
        let copy = self.copy(value);
        copies.insert(value, copy);
        work.push(copy);
        Ok(copy)
    }
}
