//! `foreach`.

use super::{After, Done, Fast};
use crate::errors::error::{ErrorKind, Fault};
use crate::host::hosted::AT_FOREACH;
use crate::machine::Machine;
use crate::natives::context::Context;
use ndscript_bytecode::Register;
use ndscript_heap::kinds::array::{Array, Role};
use ndscript_heap::kinds::grid::Grid;
use ndscript_heap::store::slots::Slots;
use ndscript_heap::{Kind, Value};

/// The fast forms of `..._next` return whether there is a next element; if not, the main loop leaves.
impl Fast<'_> {
    /// `R[at + 1] := 0`, where `R[at]` is a collection that nothing changes
    #[inline(always)]
    pub fn foreach_begin(&mut self, at: Register, fresh: u8) -> Option<()> {
        let at = at as usize;
        let is_fixed = match self.r[at].handle_of(Kind::Array) {
            Some(array) => fresh != 0 || self.heap.arrays[array].is_frozen(),
            None => self.r[at].is_kind(Kind::Set),
        };
        if !is_fixed {
            return None;
        }
        self.r[at + 1] = Value::ZERO;
        Some(())
    }

    /// `R[at + 2] :=` the next element of `R[at]`, of an array or a small set
    #[inline(always)]
    pub fn foreach_next(&mut self, at: Register) -> Option<bool> {
        let at = at as usize;
        let index = self.r[at + 1].integer_unchecked() as usize;
        let next = if let Some(array) = self.r[at].handle_of(Kind::Array) {
            let array = &self.heap.arrays[array];
            if array.view().is_some() {
                return None;
            }
            array.slots.get(index)
        } else {
            self.heap.sets[self.r[at].handle_of(Kind::Set)?]
                .small_row()?
                .get(index)
                .copied()
        };
        let Some(value) = next else {
            return Some(false);
        };
        self.r[at + 1] = Value::size(index + 1);
        self.r[at + 2] = value;
        Some(true)
    }

    /// `R[at] := 0`, `R[at + 1] :=` the bound of a range, where both are there already
    #[inline(always)]
    pub fn range_begin(&mut self, at: Register) -> Option<()> {
        self.r[at as usize]
            .both_integers(self.r[at as usize + 1])
            .then_some(())
    }

    /// `R[at + 2] := R[at]`, `R[at] += 1`, as long as `R[at]` has not reached `R[at + 1]`
    #[inline(always)]
    pub fn range_next(&mut self, at: Register) -> bool {
        let at = at as usize;
        let next = self.r[at];
        let is_inside = next.scaled() < self.r[at + 1].scaled();
        if is_inside {
            self.r[at + 2] = next;
            self.r[at] = next.successor();
        }
        is_inside
    }

    /// `R[at + 2] :=` the next of the neighbors of `R[at]`, which `R[at + 1]` then lacks
    #[inline(always)]
    pub fn neighbors_next(&mut self, at: Register) -> bool {
        let at = at as usize;
        let Some((neighbor, rest)) = next_neighbor(self.r[at], self.r[at + 1]) else {
            return false;
        };
        self.r[at + 1] = rest;
        self.r[at + 2] = neighbor;
        true
    }
}

impl Machine {
    /// `R[at] :=` the collection `R[at]` as it is now, `R[at + 1] := 0`
    pub(crate) fn foreach_begin(&mut self, at: Register, fresh: u8) -> Done {
        let snapshot = self.snapshot(self.get(at), fresh != 0)?;
        self.set(at, snapshot);
        self.set(at + 1, Value::ZERO);
        Ok(After::LookAtMemory)
    }

    /// `R[at + 2] :=` the next element of `R[at]`, or go to `target`
    pub(crate) fn foreach_next(&mut self, at: Register, target: u32) -> Done {
        let index = self.get(at + 1).integer_unchecked() as usize;
        match self.next_element(self.get(at), index) {
            Some(value) => {
                self.set(at + 1, Value::size(index + 1));
                self.set(at + 2, value);
            }
            None => self.pc = target,
        }
        Ok(After::Next)
    }

    /// Check that the bounds `R[at]` and `R[at + 1]` of a range are valid
    pub(crate) fn range_begin(&mut self, at: Register) -> Done {
        self.range_bounds(self.get(at), self.get(at + 1))?;
        Ok(After::Next)
    }

    /// `R[at + 2] := R[at]`, `R[at] += 1`; or go to `target` once `R[at]` reaches `R[at + 1]`
    pub(crate) fn range_next(&mut self, at: Register, target: u32) -> Done {
        if !self.fast().range_next(at) {
            self.pc = target;
        }
        Ok(After::Next)
    }

    /// `R[at + 1] :=` which neighbors of the position `R[at]` are inside the grid `R[at + 1]`, of eight or of four
    pub(crate) fn neighbors_begin(&mut self, at: Register, eight: u8) -> Done {
        let steps = self
            .context
            .neighbors_inside(self.get(at), self.get(at + 1), eight != 0)?;
        self.set(at + 1, steps);
        Ok(After::Next)
    }

    /// `R[at + 2] :=` the next of these neighbors of `R[at]`, which `R[at + 1]` then lacks; or go to `target`
    pub(crate) fn neighbors_next(&mut self, at: Register, target: u32) -> Done {
        if !self.fast().neighbors_next(at) {
            self.pc = target;
        }
        Ok(After::Next)
    }
}

impl Machine {
    /// The collection as it is now, in a form that nothing changes.
    pub(crate) fn snapshot(&mut self, collection: Value, fresh: bool) -> Result<Value, Fault> {
        let context = &mut self.context;
        let handle = collection.payload();
        Ok(match collection.kind() {
            Kind::Set => collection,
            Kind::Array if fresh || context.heap.arrays[handle].is_frozen() => collection,
            Kind::Array => {
                if let Some(view) = context.heap.arrays[handle].view() {
                    let slots = Slots::new(Vec::new(), context.heap.serials.latest);
                    let copy = context.heap.arrays.add(
                        Array {
                            slots,
                            role: Role::View(view),
                        },
                        &mut context.heap.account.bytes,
                    );
                    return Ok(Value::handle(Kind::Array, copy));
                }
                let count = context.heap.array_len(handle);
                if count > context.piece.few() {
                    return context.perform_array(move |context| context.list(collection));
                }
                let elements = context.heap.elements(handle).to_vec();
                context.charge(count / 8);
                context.heap.array(elements)
            }
            Kind::Text if context.heap.texts[handle].is_ascii() => collection,
            Kind::Text | Kind::Object | Kind::Queue | Kind::Grid => {
                return context.perform_array(move |context| context.list(collection));
            }
            Kind::Host if let Some(listed) = context.at_sign(collection, AT_FOREACH, &[]) => {
                let listed = listed?;
                if !matches!(listed.kind(), Kind::Array | Kind::Set) {
                    let what = context.describe(listed);
                    let message =
                        format!("the host gives {what} to loop over, and no array or set");
                    return Err(Fault::error(ErrorKind::Type, message));
                }
                listed
            }
            _ => {
                return Err(Fault::error(
                    ErrorKind::Type,
                    format!(
                        "cannot loop over {}: it is not a collection",
                        context.describe(collection)
                    ),
                )
                .with_hint("collections are arrays, sets, queues, objects, grids and strings"));
            }
        })
    }

    /// The element at an index of a snapshot.
    #[inline]
    pub(crate) fn next_element(&mut self, collection: Value, index: usize) -> Option<Value> {
        match collection.kind() {
            Kind::Array => self.context.heap.element(collection.payload(), index),
            Kind::Set => self.context.heap.set_get(collection, index),
            _ => {
                let character = self
                    .context
                    .heap
                    .as_str(collection)?
                    .get(index..)?
                    .get(..1)?
                    .to_string();
                Some(self.context.heap.text(&character))
            }
        }
    }

    /// The bounds of a `foreach` over a range.
    pub(crate) fn range_bounds(&mut self, from: Value, to: Value) -> Result<(), Fault> {
        for bound in [from, to] {
            if !bound.is_integer() {
                return Err(self.context.wrong_argument("range", "whole numbers", bound));
            }
        }
        Ok(())
    }
}

/// The steps to neighbors: those to all eight row by row, then left, right, up and down. A loop over neighbors stores
/// the remaining steps as the bits of an integer.
const STEPS: [(i64, i64); 12] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (-1, 0),
    (1, 0),
    (0, -1),
    (0, 1),
];

/// The next neighbor of a position, and the steps that are left then.
#[inline]
pub(crate) fn next_neighbor(position: Value, steps: Value) -> Option<(Value, Value)> {
    let left = steps.integer_unchecked();
    let (x, y) = position.as_position()?;
    let (dx, dy) = *STEPS.get(left.trailing_zeros() as usize)?;
    // All remaining steps lead into the grid.
    Some((
        Value::position(x + dx, y + dy)?,
        Value::integer(left & (left - 1)),
    ))
}

impl Context {
    /// The steps from a position to its neighbors inside a grid.
    pub(crate) fn neighbors_inside(
        &mut self,
        position: Value,
        grid: Value,
        eight: bool,
    ) -> Result<Value, Fault> {
        let function = if eight { "neighbors8Of" } else { "neighborsOf" };
        self.fuel -= 1;
        let Some((x, y)) = position.as_position() else {
            return Err(self.wrong_argument(function, "a position", position));
        };
        let Some(handle) = grid.handle_of(Kind::Grid) else {
            return Err(self.wrong_argument(function, "a grid", grid));
        };
        Ok(steps_inside(&self.heap.grids[handle], x, y, eight))
    }
}

/// The steps from a position to its neighbors inside a grid.
#[inline(always)]
pub(crate) fn steps_inside(grid: &Grid, x: i64, y: i64, eight: bool) -> Value {
    // For the column to the left, the own one and the one to the right whether they are in the grid, then rows.
    let column = |x: i64| ((x as u64) < grid.width as u64) as i64;
    let row = |y: i64| ((y as u64) < grid.height as u64) as i64;
    let (left, middle, right) = (column(x - 1), column(x), column(x + 1));
    let (up, level, down) = (row(y - 1), row(y), row(y + 1));
    let three = left | middle << 1 | right << 2;
    let steps = if eight {
        (up * three) | ((level * (left | right << 1)) << 3) | ((down * three) << 5)
    } else {
        ((level * (left | right << 1)) | ((middle * (up | down << 1)) << 2)) << 8
    };
    Value::integer(steps)
}
