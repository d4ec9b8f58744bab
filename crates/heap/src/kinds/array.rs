//! Arrays: rows of values. The list of a grid's undecided positions is an array, too, which only stores the grid and
//! the version until more than its size is read.

use std::cmp::Reverse;

use crate::number::Hashes;
use crate::store::heap::Heap;
use crate::store::slots::{Slots, Undo};
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};
use ndscript_base::room::{self, block};

/// An array.
#[derive(Clone, Debug, Default)]
pub struct Array {
    pub slots: Slots,
    pub role: Role,
}

/// The role of an array apart from being a row of values. It has at most one of these, so that they share their memory.
#[derive(Clone, Copy, Debug, Default)]
pub enum Role {
    #[default]
    None,
    /// The content of a set: interned, and immutable. The hashes of its elements.
    Frozen(Hashes),
    /// A container with constraints, now or before: the board's handle plus 1.
    Board(u32),
    /// The view that defines the elements, as long as they are not written out in the slots.
    View(UndecidedView),
}

/// The undecided positions of a grid at a moment.
#[derive(Clone, Copy, Debug)]
pub struct UndecidedView {
    pub grid: Handle,
    /// The length of the grid's history at that moment.
    pub version: u32,
    /// The number of positions.
    pub length: u32,
}

impl Array {
    /// Whether it is the content of a set.
    #[inline(always)]
    pub fn is_frozen(&self) -> bool {
        matches!(self.role, Role::Frozen(_))
    }

    /// The hashes of its elements, if it is frozen.
    #[inline]
    pub fn hash(&self) -> Hashes {
        if let Role::Frozen(hashes) = self.role {
            hashes
        } else {
            Hashes::default()
        }
    }

    /// The board's handle plus 1, or 0 if it never had constraints.
    #[inline(always)]
    pub fn board(&self) -> u32 {
        if let Role::Board(board) = self.role {
            board
        } else {
            0
        }
    }

    /// The view that defines the elements, as long as they are not written out.
    #[inline(always)]
    pub fn view(&self) -> Option<UndecidedView> {
        if let Role::View(view) = self.role {
            Some(view)
        } else {
            None
        }
    }

    /// Whether its elements are written out and may be written: it is in no set and under no constraint.
    #[inline(always)]
    fn is_open(&self) -> bool {
        matches!(self.role, Role::None)
    }

    /// The hash by which a frozen one is interned.
    #[inline]
    pub(crate) fn table_hash(&self) -> u64 {
        self.hash().in_table()
    }

    /// Whether the element at an index exists and may be written.
    #[inline]
    pub fn is_writable_at(&self, index: i64) -> bool {
        self.is_open() && index >= 0 && (index as usize) < self.slots.len()
    }

    /// The place of an element that can be written directly: not frozen, no board, and nothing to log.
    #[inline(always)]
    pub fn fresh_place(&mut self, index: usize, top: u64) -> Option<&mut Value> {
        if !self.is_open() || !self.slots.is_fresh(top) {
            return None;
        }
        self.slots.values_mut_unlogged().get_mut(index)
    }
}

impl Heap {
    /// A new array.
    pub fn array(&mut self, values: Vec<Value>) -> Value {
        self.allocated(room::row(&values));
        let slots = Slots::new(values, self.serial);
        Value::handle(
            Kind::Array,
            self.arrays.add(
                Array {
                    slots,
                    ..Array::default()
                },
                &mut self.bytes,
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
        let top = self.top;
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
            self.bytes += self.arrays[array].slots.take_bytes_to_account();
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
        match self.arrays[array].fresh_place(index, self.top) {
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
            || target.slots.bytes_to_log(self.top) > 1 << 10
        {
            return false;
        }
        let undo = target.slots.set(index, value, self.top);
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
        let undo = target.slots.push(value, self.top);
        self.log_array(array, undo);
        true
    }

    /// Appends an element to an array that is not frozen.
    #[inline]
    pub fn push_element(&mut self, array: Handle, value: Value) {
        if self.arrays[array].view().is_some() {
            self.unfold(array);
        }
        let top = self.top;
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
        let (value, [length, element]) = self.arrays[array].slots.pop(self.top);
        self.log_array(array, length);
        self.log_array(array, element);
        Some(value)
    }
}

impl ndscript_base::codec::Saved for Array {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Array { slots, role: _ } = self;
        slots.save(out);
        self.is_frozen().save(out);
        self.board().save(out);
        self.hash().content.save(out);
        self.view().save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Array, ndscript_base::codec::Unsound> {
        let (slots, frozen, board) = (Slots::load(from)?, bool::load(from)?, u32::load(from)?);
        // The hash for tables differs in each process.
        let hash = Hashes::new(u32::load(from)?, 0);
        let role = match (frozen, board, Option::load(from)?) {
            (false, 0, None) => Role::None,
            (true, 0, None) => Role::Frozen(hash),
            (false, board, None) => Role::Board(board),
            (false, 0, Some(view)) => Role::View(view),
            _ => {
                return Err(ndscript_base::codec::Unsound::Wrong(
                    "an array is two things at once",
                ));
            }
        };
        Ok(Array { slots, role })
    }
}
ndscript_base::saved!(struct UndecidedView { grid, version, length });

#[cfg(test)]
mod tests {
    #[test]
    fn an_array_is_56_bytes() {
        assert_eq!(size_of::<super::Array>(), 56);
    }
}
