//! `foreach`.

use super::error::{ErrorKind, Fault};
use super::machine::Machine;
use crate::value::array::Array;
use crate::value::grid::Grid;
use crate::value::slots::Slots;
use crate::value::{Kind, Value};

impl Machine {
    /// The collection as it is now, in a form that nothing changes.
    pub(super) fn snapshot(&mut self, collection: Value, fresh: bool) -> Result<Value, Fault> {
        let context = &mut self.context;
        let handle = collection.payload();
        Ok(match collection.kind() {
            Kind::Set => collection,
            Kind::Array if fresh || context.heap.arrays[handle].frozen => collection,
            Kind::Array => {
                if let Some(view) = context.heap.arrays[handle].view {
                    let slots = Slots::new(Vec::new(), context.heap.serial);
                    let copy = context
                        .heap
                        .arrays
                        .add(Array { slots, view: Some(view), ..Array::default() }, &mut context.heap.bytes);
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
            Kind::Text if context.heap.texts[handle].string.is_ascii() => collection,
            Kind::Text | Kind::Object | Kind::Queue | Kind::Grid => {
                return context.perform_array(move |context| context.list(collection));
            }
            _ => {
                return Err(Fault::error(
                    ErrorKind::Type,
                    format!("cannot go over {}: it is no collection", context.describe(collection)),
                )
                .with_hint("collections are arrays, sets, queues, objects, grids and strings"));
            }
        })
    }

    /// The element at an index of a snapshot.
    #[inline]
    pub(super) fn next_element(&mut self, collection: Value, index: usize) -> Option<Value> {
        match collection.kind() {
            Kind::Array => self.context.heap.element(collection.payload(), index),
            Kind::Set => self.context.heap.set_get(collection, index),
            _ => {
                let character = self.context.heap.as_str(collection)?.get(index..)?.get(..1)?.to_string();
                Some(self.context.heap.text(&character))
            }
        }
    }

    /// The bounds of a `foreach` over a range.
    pub(super) fn range_bounds(&mut self, from: Value, to: Value) -> Result<(), Fault> {
        for bound in [from, to] {
            if !bound.is_integer() {
                return Err(self.context.wrong_argument("range", "whole numbers", bound));
            }
        }
        Ok(())
    }
}

/// The steps to neighbors: those to all eight row by row, then left, right, up and down. A loop over neighbors keeps the
/// numbers of the steps that are still to be taken as the bits of an integer.
const STEPS: [(i64, i64); 12] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1), (0, 1)];

/// The next neighbor of a position, and the steps that are left then.
#[inline]
pub(super) fn next_neighbor(position: Value, steps: Value) -> Option<(Value, Value)> {
    let left = steps.integer_unchecked();
    let (x, y) = position.as_position()?;
    let (dx, dy) = *STEPS.get(left.trailing_zeros() as usize)?;
    // All steps that are kept lead into the grid.
    Some((Value::position(x + dx, y + dy)?, Value::integer(left & (left - 1))))
}

impl super::context::Context {
    /// The steps from a position to its neighbors inside a grid.
    pub(super) fn neighbors_inside(&mut self, position: Value, grid: Value, eight: bool) -> Result<Value, Fault> {
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
pub(super) fn steps_inside(grid: &Grid, x: i64, y: i64, eight: bool) -> Value {
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
