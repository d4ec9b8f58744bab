//! Results of boards: the only candidates of places.

use crate::constraints::constraint::board;
use crate::constraints::place::place;
use crate::{Cost, Row, args};
use ndscript_base::counted::counted;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;

/// The only candidate of a place.
pub(crate) fn only_candidate(
    context: &mut Context,
    function: &'static str,
    arguments: &[Value],
) -> Result<Value, Fault> {
    let board = match arguments[0].kind() {
        Kind::Grid | Kind::Object | Kind::Array => arguments[0],
        _ => board(context, function, arguments[0])?,
    };
    let place = place(context, function, board, arguments[1])?;
    let content = match board.kind() {
        Kind::Array => context.heap.element(board.payload(), place),
        _ => Some(context.heap.at_place(board, place)),
    };
    let content = content.unwrap_or(Value::NULL);
    if !content.is_kind(Kind::Set) {
        return Ok(content);
    }
    let count = context.heap.set_len(content);
    match context.heap.set_get(content, 0) {
        Some(value) if count == 1 => Ok(value),
        _ => {
            let (place, found) = (context.brief(arguments[1]), context.brief(content));
            let message = format!(
                "`{function}` wants one candidate in each place, but {place} has {}: {found}",
                counted(count, "candidate")
            );
            Err(Fault::error(ErrorKind::Value, message)
                .with_hint("`decide(b)` guesses what is undecided; `undecided(b)` lists it"))
        }
    }
}

fn value_at(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    only_candidate(context, "valueAt", arguments)
}

/// `__decidedAt(b, place)`: the only candidate of one place, for `decided`.
fn decided_at(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    only_candidate(context, "decided", arguments)
}

/// `__isWhole(b)`: whether constraints are on all places of a board that are not known, and none is a function, so that the search that
/// learns can answer for all of it, and no other search comes in between.
fn is_whole(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    context.charge(context.heap.places_of(arguments[0]));
    let Some(board) = context.heap.constrained(arguments[0]) else {
        return Ok(Value::boolean(false));
    };
    let constraints = context.heap.boards[board].solver.constraints();
    let is_native = constraints.iter().all(|rule| rule.is_native());
    context.charge(constraints.len());
    Ok(Value::boolean(
        is_native && context.heap.free_places(board).is_empty(),
    ))
}

/// `__isAnother(b, call)`: whether a decided board holds another solution than before in this call; nothing else is wanted from then on.
fn is_another(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (container, call) = (arguments[0], arguments[1].as_integer());
    let (Some(board), Some(call)) = (context.heap.constrained(container), call) else {
        return Ok(Value::boolean(true));
    };
    let count = context.heap.places_of(container);
    context.charge(2 * count);
    let mut solution = Vec::with_capacity(count);
    for place in 0..count {
        let content = context.heap.at_place(container, place);
        let value = match content.is_kind(Kind::Set) {
            true => context.heap.set_get(content, 0),
            false => Some(content),
        };
        let number = value.and_then(|value| context.heap.boards[board].number_of(value));
        solution.push(number.map_or(u32::MAX, |number| number as u32));
    }
    let is_another = !context.learning.is_known(call as u64, &solution);
    context.learning.look_besides(call as u64, solution);
    Ok(Value::boolean(is_another))
}

/// `__board(b, function)`: an error in the name of a built-in unless `b` is a board.
fn check_board(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    match arguments[0].kind() {
        Kind::Grid | Kind::Object | Kind::Array => Ok(Value::NULL),
        _ => {
            let name = args::text(context, "", arguments[1])?;
            let wanted = "a board (a grid, an array or an object)";
            Err(context.wrong_argument(&name, wanted, arguments[0]))
        }
    }
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "valueAt",
        "b, place",
        2,
        Some(2),
        value_at,
        "The only candidate of a place of a board; an error if it has none or several.",
        ("valueAt([setOf(\"sea\"), setOf(1, 2)], 0)", "sea"),
    ),
    Row::script(
        "decided",
        "b",
        &[(1, "decided")],
        "A grid, array or object of the same shape with plain values: the only candidate of each place. Another place is an \
         error that names it.",
        ("decided({a: setOf(\"x\"), b: 2})", "{a: \"x\", b: 2}"),
    ).unchanging("it is a copy")
    .costing(Cost::Linear),
    Row::script(
        "unique",
        "b",
        &[(1, "unique")],
        "Whether the board has exactly one solution: `decide` finds one, and no other. Nothing is changed.",
        ("unique(allDifferent([1, setOf(1, 2)]))", "true"),
    )
    .costing(Cost::Search),
    Row::plain("__decidedAt", "", 2, Some(2), decided_at, "", ("", "")),
    Row::plain("__board", "", 2, Some(2), check_board, "", ("", "")),
    Row::plain("__isWhole", "", 1, Some(1), is_whole, "", ("", "")),
    Row::plain("__isAnother", "", 2, Some(2), is_another, "", ("", "")),
];
