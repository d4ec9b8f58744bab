//! Arrays in the heap: how they are made, read and changed, with what a failure needs to undo it.

use super::{Array, Role};
use crate::store::heap::Heap;
use crate::store::slots::{Slots, Undo};
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};
use ndscript_base::room;
use ndscript_base::room::block;
use std::cmp::Reverse;

impl Heap {
    /// A new array.
    pub fn array(&mut self, values: Vec<Value>) -> Value {
        self.allocated(room::row(&values));
        let slots = Slots::new(values, self.serials.latest);
        Value::handle(
            Kind::Array,
            self.arrays.add(
                Array {
                    slots,
                    ..Array::default()
                },
                &mut self.account.bytes,
            ),
        )
    }

    /// The elements of an array.
    #[inline]
    pub fn elements(&mut self, array: Handle) -> &[Value] {
        if self.arrays[array].view().is_some() {
            self.unfold(array);
        }
        self.arrays[array].slots.values()
    }

    /// The number of elements of an array.
    #[inline]
    pub fn array_len(&self, array: Handle) -> usize {
        let array = &self.arrays[array];
        array
            .view()
            .map_or(array.slots.len(), |view| view.length as usize)
    }

    /// The element at an index.
    #[inline(always)]
    pub fn element(&mut self, array: Handle, index: usize) -> Option<Value> {
        let found = &self.arrays[array];
        if found.view().is_none() {
            found.slots.get(index)
        } else {
            self.element_of_view(array, index)
        }
    }

    /// An element of an array that stands for the undecided cells of a grid. Once the grid has changed, the array gets
    /// elements of its own.
    #[inline(never)]
    fn element_of_view(&mut self, array: Handle, index: usize) -> Option<Value> {
        let view = self.arrays[array].view()?;
        if index >= view.length as usize {
            return None;
        }
        if let Some(cell) = self.grids[view.grid].undecided_now(view.version, index) {
            return self.grids[view.grid].position_of(cell);
        }
        self.unfold(array);
        self.arrays[array].slots.get(index)
    }

    /// Writes out the elements of a view, and records the work.
    #[cold]
    fn unfold(&mut self, array: Handle) {
        if self.arrays[array].view().is_some() {
            self.record_unfolding(array);
            self.write_out(array);
        }
    }

    /// The steps to compute the cells of a view; 0 for other arrays.
    pub fn steps_of_unfolding(&self, array: Handle) -> usize {
        let Some(view) = self.arrays[array].view() else {
            return 0;
        };
        let grid = &self.grids[view.grid];
        view.length as usize / 4 + grid.slots.len() / 64 + grid.changes_since(view.version) / 4
    }

    /// Records the work of writing out a view.
    pub fn record_unfolding(&self, array: Handle) {
        let steps = self.steps_of_unfolding(array);
        if steps > 0 {
            self.record_lasting_work(steps);
            self.record_operation(steps);
        }
    }

    /// Records the work of reading a view without writing it out.
    pub fn record_look(&self, array: Handle) {
        let steps = self.steps_of_unfolding(array);
        if steps > 0 {
            self.record_work(steps);
            self.record_operation(steps);
        }
    }

    /// Replaces a view by the positions themselves.
    pub fn write_out(&mut self, array: Handle) {
        let Some(view) = self.arrays[array].view() else {
            return;
        };
        self.arrays[array].role = Role::None;
        let grid = &self.grids[view.grid];
        let positions: Vec<Value> = grid
            .undecided_then(view.version)
            .into_iter()
            .filter_map(|cell| grid.position_of(cell))
            .collect();
        self.allocated(block(positions.capacity() * 8));
        *self.arrays[array].slots.values_mut_unlogged() = positions;
    }

    /// Writes out all views of a grid, so that its history is not needed any more.
    pub fn write_out_views_of(&mut self, grid: Handle) {
        let mut views: Vec<(Reverse<u32>, Handle)> = Vec::new();
        let mut length = 0;
        for array in self.arrays.handles() {
            if let Some(view) = self.arrays[array].view().filter(|view| view.grid == grid) {
                views.push((Reverse(view.version), array));
                length += view.length as usize;
            }
        }
        views.sort_unstable();
        let steps = 2 * views.len() + length / 4 + self.grids[grid].changes_since(0) / 4;
        self.record_work(steps);
        self.record_operation(steps);
        let (mut written, mut bytes) = (views.iter(), 0);
        let arrays = &mut self.arrays;
        self.grids[grid].undecided_at_moments(views.iter().map(|view| view.0.0), |positions| {
            let Some((_, array)) = written.next() else {
                return;
            };
            let positions: Vec<Value> = positions.collect();
            bytes += block(positions.capacity() * 8);
            arrays[*array].role = Role::None;
            *arrays[*array].slots.values_mut_unlogged() = positions;
        });
        self.allocated(bytes);
        self.grids[grid].discard_history();
    }

    /// Writes an element that exists, of an array that is not frozen.
    #[inline]
    pub fn set_element(&mut self, array: Handle, index: usize, value: Value) {
        let top = self.serials.top;
        let target = &mut self.arrays[array];
        if target.slots.is_fresh(top) {
            target.slots.values_mut_unlogged()[index] = value;
        } else {
            let undo = target.slots.set(index, value, top);
            self.log_array(array, undo);
        }
    }

    /// Puts a change of an array on the trail, if it is to be undone.
    #[inline]
    fn log_array(&mut self, array: Handle, undo: Option<Undo>) {
        if let Some(undo) = undo {
            self.account.bytes += self.arrays[array].slots.take_bytes_to_account();
            self.log(Entry::of_slots(
                Target::Array,
                Target::ArrayLength,
                array,
                undo,
            ));
        }
    }

    /// Writes an element, if it exists, the array is not frozen and logging needs no large allocation; false if not, and
    /// nothing has changed.
    #[inline(always)]
    pub fn write_element(&mut self, array: Handle, index: usize, value: Value) -> bool {
        match self.arrays[array].fresh_place(index, self.serials.top) {
            Some(place) => {
                *place = value;
                true
            }
            None => self.write_logged(array, index, value),
        }
    }

    /// Writes an element at once, if that is little work and takes little memory; else returns false.
    #[inline(never)]
    fn write_logged(&mut self, array: Handle, index: usize, value: Value) -> bool {
        let target = &mut self.arrays[array];
        // If it takes much memory, that must be requested first.
        if !target.is_open()
            || index >= target.slots.len()
            || target.slots.bytes_to_log(self.serials.top) > 1 << 10
        {
            return false;
        }
        let undo = target.slots.set(index, value, self.serials.top);
        self.log_array(array, undo);
        true
    }

    /// Appends an element, if it fits without growing and the array is not frozen; false if not, and nothing has
    /// changed.
    #[inline(never)]
    pub fn append_element(&mut self, array: Handle, value: Value) -> bool {
        let target = &mut self.arrays[array];
        if !target.is_open() || target.slots.is_full() {
            return false;
        }
        let undo = target.slots.push(value, self.serials.top);
        self.log_array(array, undo);
        true
    }

    /// Appends an element to an array that is not frozen.
    #[inline]
    pub fn push_element(&mut self, array: Handle, value: Value) {
        if self.arrays[array].view().is_some() {
            self.unfold(array);
        }
        let top = self.serials.top;
        let slots = &mut self.arrays[array].slots;
        let before = slots.bytes_of_values();
        let undo = slots.push(value, top);
        let added = slots.bytes_of_values() - before;
        if added > 0 {
            self.allocated(added);
        }
        self.log_array(array, undo);
    }

    /// Removes and returns the last element of an array that is not frozen.
    pub fn pop_element(&mut self, array: Handle) -> Option<Value> {
        if self.elements(array).is_empty() {
            return None;
        }
        let (value, [length, element]) = self.arrays[array].slots.pop(self.serials.top);
        self.log_array(array, length);
        self.log_array(array, element);
        Some(value)
    }
}
