//! Constraints that are made of others.

use super::constraint::{board, flag, known_options, place, place_named};
use super::either_work::Either;
use super::ordering_work::Ordering;
use super::{Cost, Row, args};
use ndscript_heap::{Kind, Value};
use ndscript_machine::context::Context;
use ndscript_machine::error::{ErrorKind, Fault};
use ndscript_machine::work::posting::Places;

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

/// So many places an `either` has at most: what it looks at grows faster than they do.
const MOST_PLACES: usize = 1000;

/// `either(b, list, options)`
fn either(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "either";
    let board = board(context, FUNCTION, arguments[0])?;
    let list = args::array(context, FUNCTION, arguments[1])?;
    let allows_missing = match arguments.get(2) {
        Some(options) => {
            known_options(context, FUNCTION, *options, &["missing"])?;
            flag(context, FUNCTION, *options, "missing")?
        }
        None => false,
    };
    let count = context.heap.array_len(list);
    if count == 0 {
        return Err(Fault::Fail);
    }
    if count > MOST_PLACES {
        let message = format!("`either` takes {MOST_PLACES} places at most, not {count}");
        return Err(Fault::error(ErrorKind::Value, message));
    }
    let (mut places, mut values) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for at in 0..count {
        let pair = context.heap.element(list, at).unwrap_or(Value::NULL);
        let parts = pair
            .handle_of(Kind::Array)
            .filter(|pair| context.heap.array_len(*pair) == 2)
            .map(|pair| [0, 1].map(|at| context.heap.element(pair, at).unwrap_or(Value::NULL)));
        let Some([name, allowed]) = parts else {
            let wanted = "pairs of a place and its values, `[place, values]`";
            return Err(context.wrong_argument(FUNCTION, wanted, pair));
        };
        places.push(place(context, FUNCTION, board, name)? as u32);
        values.push(allowed);
    }
    let making = Either::new(values, allows_missing);
    context.constrain(FUNCTION, board, place_named, Places::These(places), making)
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
    Row::plain(
        "either",
        "b, list[, options]",
        2,
        Some(3),
        either,
        "Puts a constraint on a board: of `[[place, values], ...]`, at least one place holds one of its values (a set, or one \
         value).",
        ("either([1, setOf(1, 2)], [[0, 2], [1, setOf(2)]])", "[1, {2}]"),
    )
    .costing(Cost::Linear),
    Row::plain("__inOrder", "", 4, Some(4), in_order, "", ("", "")),
    Row::plain("__strict", "", 1, Some(1), strict, "", ("", "")),
];
