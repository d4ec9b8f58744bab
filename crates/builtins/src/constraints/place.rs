//! A place of a board, by its name.

use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;

use crate::args;

/// A place of a board by its position, index or key.
pub(crate) fn place(
    context: &mut Context,
    function: &str,
    board: Value,
    name: Value,
) -> Result<usize, Fault> {
    let is_key = board.is_kind(Kind::Object) && name.is_kind(Kind::Text);
    let name = if is_key {
        context.name_in_use(name)?.unwrap_or(name)
    } else {
        name
    };
    place_named(context, function, board, name)
}

/// As [`place`], for works that have looked up the interned text of a key.
pub(crate) fn place_named(
    context: &mut Context,
    function: &str,
    board: Value,
    name: Value,
) -> Result<usize, Fault> {
    let handle = board.payload();
    match board.kind() {
        Kind::Grid => {
            let position = args::position(context, function, name);
            let (x, y) = position.map_err(|fault| {
                fault.with_hint(
                    "places of a grid are positions, such as `position(0, 1)` and what `positionsOf(g)` lists; `rowOf` \
                     and `columnOf` give what the cells hold, and `filter(positionsOf(g), p => p.y == 0)` the places of a row",
                )
            })?;
            context.cell(handle, x, y)
        }
        Kind::Object => {
            let found = name
                .is_kind(Kind::Text)
                .then(|| context.heap.objects[handle].find(name))
                .flatten();
            found.ok_or_else(|| {
                let wrong = context.wrong_argument(function, "a key of the board", name);
                if !name.is_number() && name.as_position().is_none() {
                    return wrong;
                }
                wrong.with_hint(format!(
                    "the keys of an object are texts: \"{}\"",
                    context.brief(name)
                ))
            })
        }
        _ => {
            let count = context.heap.places_of(board);
            if name.is_number() {
                return context.index_in(name, count, "array");
            }
            let wrong = context.wrong_argument(function, "an index of the board", name);
            Err(wrong.with_hint(
                "a place of an array is named by its index; all places of a rule are on one board",
            ))
        }
    }
}
