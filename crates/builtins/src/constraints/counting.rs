//! Constraints that count: how many places hold some values, and what their numbers add up to.

use super::constraint::{allows_missing, board, count_of, places, with_options};
use super::constraint_work::{SumBuilder, ValuesBuilder};
use super::place::{place, place_named};
use super::sum_work::{SumOfParts, too_large};
use crate::options::known_options;
use crate::{Cost, Row, args};
use ndscript_base::counted::counted;
use ndscript_base::keyed::KeyedMap;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::NativeEffect;
use ndscript_machine::work::posting::Places;
use ndscript_solver::{Count, Tally};

/// Posts `atLeast`, `atMost` or `exactly`.
fn count_where(context: &mut Context, tally: Tally, arguments: &[Value]) -> Result<Value, Fault> {
    let function = tally.name();
    let board = board(context, function, arguments[0])?;
    let count = args::integer(context, function, arguments[1])?;
    let (arguments, options) = with_options(context, function, arguments, 3, &["missing"])?;
    let missing = allows_missing(context, function, options)?;
    let places = places(context, function, arguments.get(3), true)?;
    let (least, most) = match (u64::try_from(count), tally) {
        (Ok(count), _) => tally.bounds(count),
        (Err(_), Tally::AtLeast) => (0, u64::MAX),
        // A limit below every possible count: there are always more.
        (Err(_), Tally::AtMost | Tally::Exactly | Tally::Counts) => (1, 0),
    };
    post_count(
        context,
        tally,
        board,
        places,
        arguments[2],
        (least, most),
        missing,
    )
}

/// Posts a count on places.
fn post_count(
    context: &mut Context,
    tally: Tally,
    board: Value,
    places: Places,
    values: Value,
    (least, most): (u64, u64),
    missing: bool,
) -> Result<Value, Fault> {
    let holding = ValuesBuilder::new(tally.name(), values, move |places, values| {
        Count {
            places,
            values,
            least,
            most,
            tally,
        }
        .into()
    })
    .allowing_missing(missing);
    context.constrain(tally.name(), board, place_named, places, holding)
}

/// `__countOf(b, entry[, places][, options])`: one of the limits of `counts`, a pair.
fn count_of_limits(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let function = Tally::Counts.name();
    let board = board(context, function, arguments[0])?;
    let (arguments, options) = with_options(context, function, arguments, 2, &["missing"])?;
    let missing = allows_missing(context, function, options)?;
    let places = places(context, function, arguments.get(2), true)?;
    let entry = arguments[1];
    let Some([values, bounds]) = pair_of(context, entry) else {
        let wanted = "pairs of a value and its number, `[value, number]`";
        return Err(context.wrong_argument(function, wanted, entry));
    };
    let bounds = match pair_of(context, bounds) {
        Some(bounds) => bounds,
        None => [bounds, bounds],
    };
    let [low, high] = bounds.map(|bound| args::integer(context, function, bound));
    let (low, high) = (low?, high?);
    let bounds = match u64::try_from(high) {
        Ok(high) => (low.max(0) as u64, high),
        // A limit below every possible count: there are always more.
        Err(_) => (1, 0),
    };
    post_count(
        context,
        Tally::Counts,
        board,
        places,
        values,
        bounds,
        missing,
    )
}

/// The two elements of an array of that length.
fn pair_of(context: &mut Context, value: Value) -> Option<[Value; 2]> {
    let pair = value
        .handle_of(Kind::Array)
        .filter(|pair| context.heap.array_len(*pair) == 2)?;
    Some([0, 1].map(|at| context.heap.element(pair, at).unwrap_or(Value::NULL)))
}

/// `__limits(limits, candidates)`: pairs from values to numbers. A key of an object means the text, if the board has
/// it as a candidate, or else the candidate that prints so: `{3: 2}` says how many places hold the number 3.
fn limits(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (limits, candidates) = (arguments[0], arguments[1]);
    let object = match limits.kind() {
        Kind::Array => return Ok(limits),
        Kind::Object => limits.payload(),
        _ => {
            let wanted = "an object, or an array of pairs, from values to numbers";
            return Err(context.wrong_argument(Tally::Counts.name(), wanted, limits));
        }
    };
    let candidates = context.heap.elements(candidates.payload()).to_vec();
    let keys: Vec<Value> = context.heap.objects[object].keys().collect();
    context.charge(keys.len() + candidates.len());
    let shown = |value: &Value| match value.kind() {
        Kind::Text => context.heap.as_str(*value).map(str::to_string),
        _ if value.is_number() || value.as_position().is_some() => Some(context.brief(*value)),
        Kind::Boolean | Kind::Null => Some(context.brief(*value)),
        _ => None,
    };
    let mut named: KeyedMap<String, Value> = KeyedMap::default();
    for value in &candidates {
        let Some(text) = shown(value) else { continue };
        if value.is_kind(Kind::Text) || !named.contains_key(&text) {
            named.insert(text, *value);
        }
    }
    let mut pairs = Vec::with_capacity(keys.len());
    for key in keys {
        let known = context.heap.as_str(key).and_then(|text| named.get(text));
        let value = known.copied().unwrap_or(key);
        let bounds = context.heap.objects[object].get(key);
        pairs.push([value, bounds.unwrap_or(Value::NULL)]);
    }
    let pairs = pairs
        .into_iter()
        .map(|pair| context.heap.array(pair.to_vec()))
        .collect();
    Ok(context.heap.array(pairs))
}

fn at_least(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    count_where(context, Tally::AtLeast, arguments)
}

fn at_most(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    count_where(context, Tally::AtMost, arguments)
}

fn exactly(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    count_where(context, Tally::Exactly, arguments)
}

fn sum_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "sumOf";
    let board = board(context, FUNCTION, arguments[0])?;
    let low = args::number(context, FUNCTION, arguments[1])?;
    let high = args::number(context, FUNCTION, arguments[2]).map_err(|fault| {
        fault.with_hint("the sum lies between two numbers: `sumOf(b, low, high, places)`; for one sum write it twice")
    })?;
    let places = places(context, FUNCTION, arguments.get(3), false)?;
    if let Some(factors) = arguments.get(4) {
        let wanted = count_of(context, board, &places);
        check_factors(context, FUNCTION, *factors, wanted)?;
    }
    let summing = SumBuilder::new(FUNCTION, arguments.get(4).copied(), low, high);
    context.constrain(FUNCTION, board, place_named, places, summing)
}

/// An error unless there are as many factors as places.
fn check_factors(
    context: &Context,
    function: &str,
    factors: Value,
    wanted: usize,
) -> Result<(), Fault> {
    let array = args::array(context, function, factors).map_err(|fault| match factors.kind() {
        Kind::Object => fault.with_hint(
            "factors are an array, one for each place, or a function of value and place: `(v, p) => v * o[p]`",
        ),
        _ => fault,
    })?;
    let given = context.heap.array_len(array);
    if given == wanted {
        return Ok(());
    }
    let message = format!(
        "`{function}` has {} for {}",
        counted(given, "factor"),
        counted(wanted, "place")
    );
    Err(Fault::error(ErrorKind::Value, message)
        .with_hint("give one factor for each place, in their order"))
}

/// `__factors(places, factors, function)`: an error unless there is a factor for each place.
fn factors(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let function = args::text(context, "__factors", arguments[2])?;
    let places = args::array(context, &function, arguments[0])?;
    let wanted = context.heap.array_len(places);
    check_factors(context, &function, arguments[1], wanted)?;
    Ok(Value::NULL)
}

/// `__sumOfParts(b, low, high, places, parts)`: for each place its candidates, and what each counts.
fn sum_of_parts(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "sumOf";
    let board = board(context, FUNCTION, arguments[0])?;
    let bounds = [
        args::number(context, FUNCTION, arguments[1])?,
        args::number(context, FUNCTION, arguments[2])?,
    ];
    let places = places(context, FUNCTION, arguments.get(3), false)?;
    let summing = SumOfParts::new(bounds, arguments[4]);
    context.constrain(FUNCTION, board, place_named, places, summing)
}

/// `__partOfSum(value, factor)`: what a value counts, its number times the factor, or the factor alone if it is no number.
fn part_of_sum(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let factor = args::number(context, "sumOf", arguments[1])?;
    let number = context.heap.as_f64(arguments[0]).unwrap_or(1.0);
    context.heap.float(number * factor).map_err(|_| too_large())
}

/// `__placeIn(b, place, function)`: the place; an error of the function if there is none.
fn place_in(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let function = context
        .heap
        .as_str(arguments[2])
        .unwrap_or_default()
        .to_string();
    let board = board(context, &function, arguments[0])?;
    place(context, &function, board, arguments[1])?;
    Ok(arguments[1])
}

/// `__resultOfSum(b, options)`: the place that holds the sum.
fn result_of_sum(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "sumOf";
    let board = board(context, FUNCTION, arguments[0])?;
    known_options(context, FUNCTION, arguments[1], &["result"])?;
    let key = context.heap.text("result");
    let result = context.heap.objects[arguments[1].payload()].get(key);
    let Some(result) = result else {
        let wanted = "a place as its result: `{result: place}`";
        return Err(context.wrong_argument(FUNCTION, wanted, arguments[1]));
    };
    place(context, FUNCTION, board, result)?;
    Ok(result)
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "atLeast",
        "b, n, values[, places][, options]",
        3,
        Some(5),
        at_least,
        "Puts a constraint on a board: at least n of the places hold one of the values (a set, or one value). A place that is \
         listed twice counts once. A value that no place of the board can hold, and never could, is an error, but for the option \
         `{missing: true}`; so it is in all constraints that name values.",
        ("atLeast([setOf(1, 2), setOf(2, 3)], 2, 2)", "[{2}, {2}]"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .costing(Cost::Linear),
    Row::plain(
        "atMost",
        "b, n, values[, places][, options]",
        3,
        Some(5),
        at_most,
        "Puts a constraint on a board: at most n of the places hold one of the values (a set, or one value).",
        ("atMost([2, setOf(2, 3)], 1, 2)", "[2, {3}]"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .costing(Cost::Linear),
    Row::plain(
        "exactly",
        "b, n, values[, places][, options]",
        3,
        Some(5),
        exactly,
        "Puts a constraint on a board: n of the places hold one of the values (a set, or one value).",
        ("exactly([2, setOf(2, 3), setOf(2)], 2, 2)", "[2, {3}, {2}]"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .costing(Cost::Linear),
    Row::script(
        "counts",
        "b, limits[, places][, options]",
        &[(2, "countsOfAll"), (3, "countsOfPlaces"), (4, "countsBy")],
        "Puts constraints on a board: how many of the places hold each value, as an object or an array of pairs from values to \
         a number or `[low, high]`. A key of an object is a text, or the value that shows as it: `{3: 2}`. \
         Counts of the same places, of parts of them, or beside `allDifferent`, are reasoned about together: what the least numbers leave no room for fails at once.",
        (
            "counts([setOf(1, 2), setOf(1, 2), setOf(1, 2, 3)], [[1, 1], [2, [0, 1]]])[2]",
            "{3}",
        ),
    ).constraining()
    .costing(Cost::Linear),
    Row::plain(
        "sumOf",
        "b, low, high[, places[, factors[, options]]]",
        3,
        Some(6),
        sum_of,
        "Puts a constraint on a board: the sum of the numbers, each times its factor, lies between the two. A place that is \
         listed twice is added twice. Factors are an array with one for each place, or a function of value and place, which is \
         asked once for each candidate; what is no number counts as its factor then. With `{result: place}` the sum is also the number \
         at that place. Sums are exact: what may become too large \
         for that is an error.",
        ("sumOf([setOf(1, 5, 9), setOf(2, 3)], 7, 7)", "[{5}, {2}]"),
    ).constraining().with_effect(NativeEffect::Constrains)
    .with_scripts(&[(5, "sumOfBy"), (6, "sumOfInto")])
    .costing(Cost::Linear),
    Row::script(
        "costOf",
        "b, places, factors",
        &[(3, "costOf")],
        "Lets what `minimize` looks for cost a sum of a board: of the numbers at the places (all, if they are null), each \
          times its factor, as in `sumOf`, once a solution is found; a place that is undecided then counts with its least. It says at \
          once which candidates are too dear beside the cheapest solution so far, so it comes before `decide`. The sum cannot be \
          negative. Outside of `minimize` it does nothing. Returns the board.",
        (
            "let b = allDifferent([setOf(1, 2, 3), setOf(1, 2, 3)]); minimize(() => { costOf(b, [0, 1], [1, 5]); decide(b); }); b",
            "[{2}, {1}]",
        ),
    )
    .adding_price()
    .costing(Cost::Search),
    Row::plain("__sumOf", "", 5, Some(5), sum_of, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__sumOfParts", "", 5, Some(5), sum_of_parts, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__partOfSum", "", 2, Some(2), part_of_sum, "", ("", "")),
    Row::plain("__resultOfSum", "", 2, Some(2), result_of_sum, "", ("", "")),
    Row::plain("__factors", "", 3, Some(3), factors, "", ("", "")),
    Row::plain("__placeIn", "", 3, Some(3), place_in, "", ("", "")),
    Row::plain("__countOf", "", 2, Some(4), count_of_limits, "", ("", "")).with_effect(NativeEffect::Constrains),
    Row::plain("__limits", "", 2, Some(2), limits, "", ("", "")),
];
