//! Constraints that the prelude makes of others.

use super::constraint::{board, flag, known_options, place, place_named};
use super::constraint_work::Holding;
use super::ordering_work::Ordering;
use super::{Cost, Row, args};
use crate::value::board::{Constraint, Tally};
use crate::value::{Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::Fault;
use crate::vm::work::constraining::Places;

/// `__inOrder(b, p, q, strict)`: the number at p is not larger than that at q, or smaller.
fn in_order(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "ordered";
    let board = board(context, FUNCTION, arguments[0])?;
    let places = [
        place(context, FUNCTION, board, arguments[1])? as u32,
        place(context, FUNCTION, board, arguments[2])? as u32,
    ];
    let is_strict = args::boolean(context, FUNCTION, arguments[3])?;
    let ordering = Ordering::new(places, is_strict);
    let places = Places::These(places.to_vec());
    context.constrain(FUNCTION, board, place_named, places, ordering)
}

/// `__strict(options)`: whether the options of `ordered` say so.
fn strict(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    known_options(context, "ordered", arguments[0], &["strict"])?;
    flag(context, "ordered", arguments[0], "strict").map(Value::boolean)
}

/// `__eitherValues(b, [place, values], missing)`: a rule that always holds, so that the place is one of the board's from now on
/// and the values are looked at.
fn either_values(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "either";
    let board = board(context, FUNCTION, arguments[0])?;
    let pair = arguments[1].handle_of(Kind::Array);
    let parts = pair
        .filter(|pair| context.heap.array_len(*pair) == 2)
        .map(|pair| [0, 1].map(|at| context.heap.element(pair, at).unwrap_or(Value::NULL)));
    let Some([name, values]) = parts else {
        let wanted = "pairs of a place and its values, `[place, values]`";
        return Err(context.wrong_argument(FUNCTION, wanted, arguments[1]));
    };
    let place = place(context, FUNCTION, board, name)? as u32;
    let holding = Holding::new(FUNCTION, values, move |places, values| {
        let (least, most) = (0, u64::MAX);
        Constraint::Count {
            places,
            values,
            least,
            most,
            tally: Tally::AtLeast,
        }
    })
    .allowing_missing(arguments[2] == Value::TRUE);
    context.constrain(
        FUNCTION,
        board,
        place_named,
        Places::These(vec![place]),
        holding,
    )
}

/// `__missing(options)`: whether the options of `either` allow values that no place can hold.
fn missing_in_either(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    known_options(context, "either", arguments[0], &["missing"])?;
    flag(context, "either", arguments[0], "missing").map(Value::boolean)
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::script(
        "ordered",
        "b[, places[, options]]",
        &[(1, "orderedAll"), (2, "orderedPlaces"), (3, "orderedBy")],
        "Puts a constraint on a board: the numbers at the places, in their order, do not go down; with `{strict: true}` they go \
         up.",
        ("ordered([setOf(2, 3), setOf(1, 2, 4)])", "[{2, 3}, {2, 4}]"),
    )
    .costing(Cost::Linear),
    Row::script(
        "lexicographic",
        "b, rows",
        &[(2, "lexicographic")],
        "Puts a constraint on a board: each array of places, of numbers or of strings, reads no later than the next, as words in \
         a dictionary.",
        ("lexicographic([setOf(2, 3), setOf(1, 2)], [[0], [1]])", "[{2}, {2}]"),
    )
    .costing(Cost::Search),
    Row::script(
        "either",
        "b, list[, options]",
        &[(2, "eitherSimply"), (3, "eitherBy")],
        "Puts a constraint on a board: of `[[place, values], ...]`, at least one place holds one of its values (a set, or one \
         value).",
        ("either([1, setOf(1, 2)], [[0, 2], [1, setOf(2)]])", "[1, {2}]"),
    )
    .costing(Cost::Search),
    Row::plain("__inOrder", "", 4, Some(4), in_order, "", ("", "")),
    Row::plain("__strict", "", 1, Some(1), strict, "", ("", "")),
    Row::plain("__eitherValues", "", 3, Some(3), either_values, "", ("", "")),
    Row::plain("__missing", "", 1, Some(1), missing_in_either, "", ("", "")),
];
