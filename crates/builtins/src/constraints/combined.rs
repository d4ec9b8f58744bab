//! Constraints that are made of others.

use super::constraint::{allows_missing, board, check_callable};
use super::constraint_work::ValuesBuilder;
use super::either_work::EitherBuilder;
use super::lexicographic_work::RowOrder;
use super::ordering_work::OrderedBuilder;
use super::place::{place, place_named};
use crate::options::{flag, known_options};
use crate::{Cost, Row, args};
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::NativeEffect;
use ndscript_machine::work::posting::Places;
use ndscript_solver::Callback;

/// `__inOrder(b, p, q, strict)`: the number at p is not larger than that at q, or smaller.
fn in_order(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "ordered";
    let board = board(context, FUNCTION, arguments[0])?;
    let places = [
        place(context, FUNCTION, board, arguments[1])? as u32,
        place(context, FUNCTION, board, arguments[2])? as u32,
    ];
    let is_strict = args::boolean(context, FUNCTION, arguments[3])?;
    let ordering = OrderedBuilder::new(places, is_strict);
    let places = Places::These(places.to_vec());
    context.constrain(FUNCTION, board, place_named, places, ordering)
}

/// `__strict(options)`: whether the options of `ordered` say so.
fn strict(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    known_options(context, "ordered", arguments[0], &["strict"])?;
    flag(context, "ordered", arguments[0], "strict").map(Value::boolean)
}

/// At most this many places in an `either`: its memory grows faster than their number.
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
    let making = EitherBuilder::new(values, allows_missing);
    context.constrain(FUNCTION, board, place_named, Places::These(places), making)
}

/// `when(b, place, values, f, options)`
fn when(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "when";
    let board = board(context, FUNCTION, arguments[0])?;
    let place = place(context, FUNCTION, board, arguments[1])? as u32;
    check_callable(context, FUNCTION, "b, place, values", arguments[3])?;
    if let Some(options) = arguments.get(4) {
        known_options(context, FUNCTION, *options, &["missing"])?;
    }
    let missing = allows_missing(context, FUNCTION, arguments.get(4).copied())?;
    let waiting = ValuesBuilder::new(FUNCTION, arguments[2], |places, values| {
        let callback = Callback {
            places,
            awaits: Some(values),
            ..Callback::default()
        };
        callback.into()
    });
    let waiting = waiting.calling(arguments[3]).allowing_missing(missing);
    let places = Places::These(vec![place]);
    context.constrain(FUNCTION, board, place_named, places, waiting)
}

/// `__placesOf(row)`: a row of `lexicographic`, which is an array of places.
fn places_of_row(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let rows = "rows that are arrays of places";
    args::handle(context, "lexicographic", rows, Kind::Array, arguments[0])?;
    Ok(arguments[0])
}

/// `__readsNoLater(b, places, split, order)`: of the places, the first ones read no later than the others.
fn reads_no_later(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "lexicographic";
    let board = board(context, FUNCTION, arguments[0])?;
    let split = args::integer(context, FUNCTION, arguments[2])?;
    let split = usize::try_from(split).unwrap_or(0);
    let places = Places::Listed {
        names: Some(arguments[1]),
        are_distinct: false,
    };
    let array = args::array(context, FUNCTION, arguments[1])?;
    // Without places there is nothing to propagate: no row is a prefix of another.
    if context.heap.array_len(array) == 0 {
        return Ok(board);
    }
    let order = RowOrder::new(split, arguments[3]);
    context.constrain(FUNCTION, board, place_named, places, order)
}

/// `__indexes(values, list)`: those of the values that are indexes of a list.
fn indexes(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let count = context.heap.array_len(arguments[1].payload()) as i64;
    let values = context.heap.elements(arguments[0].payload());
    if let Some(other) = values.iter().copied().find(|value| !value.is_number()) {
        let wanted = "numbers as candidates of its index";
        return Err(context.wrong_argument("element", wanted, other));
    }
    let is_index = |value: &&Value| {
        value
            .as_integer()
            .is_some_and(|at| (0..count).contains(&at))
    };
    let (looked_at, found) = (
        values.len(),
        values.iter().filter(is_index).copied().collect(),
    );
    context.charge(looked_at);
    Ok(context.heap.array(found))
}

/// The character of a value by number: private planes of Unicode, which texts do not use.
fn sign_of(number: usize) -> Result<char, Fault> {
    let sign = u32::try_from(number).ok();
    let sign = sign.and_then(|number| char::from_u32(FIRST_SIGN.checked_add(number)?));
    sign.ok_or_else(|| {
        Fault::error(
            ErrorKind::Value,
            "`element` takes boards with 131,068 values at most",
        )
    })
}

const FIRST_SIGN: u32 = 0xF_0000;

/// `__signs(values)`: an object from the characters of values to the values.
fn signs(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let values = context.heap.elements(arguments[0].payload()).to_vec();
    context.charge(values.len());
    let object = context.heap.object_with_room(values.len());
    for (number, value) in values.into_iter().enumerate() {
        let key = context.heap.text(sign_of(number)?.encode_utf8(&mut [0; 4]));
        context.heap.set_field(object.payload(), key, value);
    }
    Ok(object)
}

/// `__textOfElement(values, numbers, number)`: an index, a value and a result, where the index is another one of the numbers or the two
/// are equal.
fn text_of_element(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let values = context.heap.elements(arguments[0].payload()).to_vec();
    let numbers = context.heap.elements(arguments[1].payload()).to_vec();
    let sign_of_value = |wanted: Value| {
        let at = values.iter().position(|value| *value == wanted);
        sign_of(at.unwrap_or(usize::MAX))
    };
    let own = sign_of_value(arguments[2])?;
    let same: Result<Vec<String>, Fault> = (0..values.len())
        .map(|at| sign_of(at).map(|sign| format!("{sign}{sign}")))
        .collect();
    let mut text = format!("{own}({})", same?.join("|"));
    // Numbers that no place can hold any more come no more.
    let others = numbers
        .iter()
        .filter(|other| **other != arguments[2] && values.contains(other));
    let others: Result<String, Fault> = others.map(|other| sign_of_value(*other)).collect();
    let others = others?;
    if !others.is_empty() {
        text += &format!("|[{others}]..");
    }
    context.charge(values.len() + numbers.len() * values.len() / 8);
    Ok(context.heap.text(&text))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::script(
        "element",
        "b, index, places, result",
        &[(4, "elementOf")],
        "Puts a constraint on a board: the number at the place `index` says which of the places, an array, holds the same as the \
         place `result`, from 0. Of a list that is no part of a board, `related(b, index, result, (i, v) => list[i] == v)` says it.",
        ("element([setOf(0, 1, 2), 5, setOf(6, 7), setOf(7, 8)], 0, [1, 2], 3)", "[{1}, 5, {7}, {7}]"),
    ).constraining()
    .costing(Cost::Search),
    Row::script(
        "ordered",
        "b[, places[, options]]",
        &[(1, "orderedAll"), (2, "orderedPlaces"), (3, "orderedBy")],
        "Puts a constraint on a board: the numbers at the places, in their order, do not go down; with `{strict: true}` they go \
         up.",
        ("ordered([setOf(2, 3), setOf(1, 2, 4)])", "[{2, 3}, {2, 4}]"),
    ).constraining()
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
    ).constraining().with_effect(NativeEffect::Constrains)
    .costing(Cost::Linear),
    Row::plain(
        "when",
        "b, place, values, f[, options]",
        4,
        Some(5),
        when,
        "Puts a constraint on a board: as soon as all candidates of the place are among the values (a set, or one value), `f()` \
         runs once, as a function of `constrain` does. It may put constraints.",
        (
            "var b = [setOf(1, 2), setOf(1, 2)]; when(b, 0, 1, () => { narrow(b, 1, 2); }); b[0] = 1; b",
            "[{1}, {2}]",
        ),
    ).constraining().dropping_result().with_effect(NativeEffect::Constrains)
    .costing(Cost::Search),
    Row::script(
        "lexicographic",
        "b, rows",
        &[(2, "lexicographicRows")],
        "Puts a constraint on a board: each array of places reads no later than the next, number by number, or text by text. An \
         array that another one begins with reads before it.",
        (
            "lexicographic([setOf(2, 3), setOf(1, 2), setOf(1, 2), 1], [[0, 1], [2, 3]])",
            "[{2}, {1}, {2}, 1]",
        ),
    ).constraining()
    .costing(Cost::Linear),
    Row::plain("__placesOf", "", 1, Some(1), places_of_row, "", ("", "")),
    Row::plain("__readsNoLater", "", 4, Some(4), reads_no_later, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__inOrder", "", 4, Some(4), in_order, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__strict", "", 1, Some(1), strict, "", ("", "")),
    Row::plain("__indexes", "", 2, Some(2), indexes, "", ("", "")),
    Row::plain("__signs", "", 1, Some(1), signs, "", ("", "")),
    Row::plain("__textOfElement", "", 3, Some(3), text_of_element, "", ("", "")),
];
