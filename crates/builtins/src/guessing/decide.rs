//! The built-ins of the prelude's `decide`: choosing the next place, and narrowing it to a guess.

use super::fair_work::FairWork;
use super::place_work::NextPlaceWork;
use crate::constraints::constraint::{board, places};
use crate::constraints::place::{place, place_named};
use crate::options::known_options;
use crate::{Row, args};
use ndscript_heap::board::Order;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::NativeEffect;
use ndscript_machine::natives::native::DecideStep;

/// `__narrow(b, place, value, call)`: narrows to a guess of `decide`, in a call whose guesses may be skipped or in
/// another one.
fn narrow_to_guess(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "decide", arguments[0])?;
    let place = place(context, "decide", board, arguments[1])?;
    match arguments[3] {
        Value::NULL => {
            let alone = context.heap.as_candidate(arguments[2]);
            context.narrow_place(board, place, alone)
        }
        call => {
            let call = call
                .as_integer()
                .and_then(|call| u64::try_from(call).ok())
                .unwrap_or(u64::MAX);
            context.guess_place(board, place, arguments[2], call)
        }
    }
}

/// `__skips(options)`, before the first guess: checks the options, and returns whether `decide` may skip guesses that
/// had no part in a failure.
fn skips(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let options = arguments[0];
    known_options(
        context,
        "decide",
        options,
        &[
            "order", "weights", "places", "backjump", "least", "improve", "fair",
        ],
    )?;
    let options = args::object(context, "decide", options)?;
    let mut get = |name| {
        let key = context.heap.text(name);
        context.heap.objects[options].get(key)
    };
    let (wanted, weights) = (get("backjump"), get("weights"));
    match wanted {
        None | Some(Value::TRUE) => {}
        Some(Value::FALSE) => return Ok(Value::FALSE),
        Some(other) => {
            return Err(context.wrong_argument("decide", "true or false as its backjump", other));
        }
    }
    // A function for weights may have other effects, so no guesses are skipped then.
    Ok(Value::boolean(
        !weights.is_some_and(|weights| weights.is_kind(Kind::Function)),
    ))
}

/// The names of the orders, by number.
const ORDERS: [&str; 4] = ["smallest", "conflicts", "first", "random"];

/// `__order(options)`: the number of the order that they name, for `__nextPlace`.
fn order_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let options = args::object(context, "decide", arguments[0])?;
    let key = context.heap.text("order");
    let Some(order) = context.heap.objects[options].get(key) else {
        return Ok(Value::integer(0));
    };
    let named = context
        .heap
        .as_str(order)
        .and_then(|name| ORDERS.iter().position(|known| *known == name));
    match named {
        Some(number) => Ok(Value::size(number)),
        None => {
            let wanted = "\"smallest\", \"conflicts\", \"first\" or \"random\" as its order";
            Err(context.wrong_argument("decide", wanted, order))
        }
    }
}

/// `__places(options)`: the places that they name, or null for all.
fn places_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let options = args::object(context, "decide", arguments[0])?;
    let key = context.heap.text("places");
    Ok(context.heap.objects[options]
        .get(key)
        .unwrap_or(Value::NULL))
}

/// At most this many places are examined before `decide` says that a board has no candidates.
const MOST_VISITED: usize = 64;

/// Fails for a board whose places hold arrays: they count as single values, so nothing would be decided.
fn refuse_lists(context: &Context, board: Value) -> Result<(), Fault> {
    let count = context.heap.places_of(board).min(MOST_VISITED);
    let mut contents = (0..count).map(|place| context.heap.at_place(board, place));
    let Some(first) = contents.next() else {
        return Ok(());
    };
    if !first.is_kind(Kind::Array) || !contents.all(|contents| contents.is_kind(Kind::Array)) {
        return Ok(());
    }
    let message = format!(
        "`decide` finds no candidates: the places of the board hold arrays, such as {}, and an array is one value",
        context.brief(first)
    );
    Err(Fault::error(ErrorKind::Value, message).with_hint(context.set_for_list(first)))
}

/// `__nextPlace(b, order, places)`: the place that `decide` turns to, or null if all are decided.
fn next_place(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "decide", arguments[0])?;
    let order = args::integer(context, "decide", arguments[1])?;
    let order = Order::numbered(order).unwrap_or(Order::Smallest);
    let places = places(context, "decide", arguments.get(2), false)?;
    refuse_lists(context, board)?;
    loop {
        let places = places.clone();
        let next = context.perform(|context| {
            Ok(NextPlaceWork::new(
                context,
                board,
                order,
                places,
                place_named,
            ))
        })?;
        if next != NextPlaceWork::ASK_AGAIN {
            return Ok(next);
        }
    }
}

/// Fails if `decide` has an option that has no effect together with another one.
fn refuse_useless_option(
    context: &mut Context,
    options: Handle,
    name: &str,
    other: &str,
    hint: &'static str,
) -> Result<(), Fault> {
    let key = context.heap.text(name);
    if context.heap.objects[options].get(key).is_none() {
        return Ok(());
    }
    let message = format!("`decide` takes no `{name}` beside `{other}`");
    Err(Fault::error(ErrorKind::Value, message).with_hint(hint))
}

/// `__leastOf(options)`: the places and the factors of `least` and the rounds of `improve`, or null where they are left
/// out; null if there is no `least`.
fn least_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let options = args::object(context, "decide", arguments[0])?;
    let key = context.heap.text("least");
    let least = context.heap.objects[options].get(key);
    let key = context.heap.text("improve");
    let rounds = context.heap.objects[options].get(key);
    let Some(least) = least else {
        if rounds.is_some() {
            let message = "`decide` improves on nothing without `least`".to_owned();
            let hint =
                "say what is to be small: `decide(b, {least: [places, factors], improve: 100})`";
            return Err(Fault::error(ErrorKind::Value, message).with_hint(hint));
        }
        return Ok(Value::NULL);
    };
    let rounds = rounds.unwrap_or(Value::NULL);
    if rounds != Value::NULL && rounds.as_integer().is_none_or(|rounds| rounds < 0) {
        let wanted = "a whole number of rounds as its improve";
        return Err(context.wrong_argument("decide", wanted, rounds));
    }
    let hint =
        "with `least` it looks for the best solution of the whole board, whatever is tried first";
    for name in ["weights", "places", "fair"] {
        refuse_useless_option(context, options, name, "least", hint)?;
    }
    let wanted = "an array of places and, after it, of factors as its least";
    let is_list =
        least.is_kind(Kind::Array) && (1..=2).contains(&context.heap.array_len(least.payload()));
    if !is_list {
        return Err(context.wrong_argument("decide", wanted, least));
    }
    let mut element = |at| {
        context
            .heap
            .element(least.payload(), at)
            .unwrap_or(Value::NULL)
    };
    let (places, factors) = (element(0), element(1));
    let are_places =
        places == Value::NULL || places.is_kind(Kind::Array) || places.is_kind(Kind::Set);
    let are_factors = [Kind::Array, Kind::Function, Kind::Native]
        .into_iter()
        .any(|kind| factors.is_kind(kind));
    if !are_places || factors != Value::NULL && !are_factors {
        return Err(context.wrong_argument("decide", wanted, least));
    }
    Ok(context.heap.array(vec![places, factors, rounds]))
}

/// `__isFair(options)`: whether a solution is drawn before the first guess.
fn is_fair(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let options = args::object(context, "decide", arguments[0])?;
    let key = context.heap.text("fair");
    let is_fair = match context.heap.objects[options].get(key) {
        None | Some(Value::FALSE) => return Ok(Value::FALSE),
        Some(Value::TRUE) => Value::TRUE,
        Some(other) => {
            return Err(context.wrong_argument("decide", "true or false as its fair", other));
        }
    };
    let hint = "with `fair` all solutions are about as likely: leave one of the two out";
    for name in ["weights", "places", "backjump"] {
        refuse_useless_option(context, options, name, "fair", hint)?;
    }
    Ok(is_fair)
}

/// `__drawFairly(b, values)`, after the call has begun, with the values of some solution by place.
fn draw_fairly(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let board = board(context, "decide", arguments[0])?;
    let values = arguments[1];
    context.perform(|_| Ok(FairWork::new(board, values)))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain("__narrow", "", 4, Some(4), narrow_to_guess, "", ("", ""))
        .with_effect(NativeEffect::Narrows)
        .as_stage(DecideStep::Narrow),
    Row::plain("__skips", "", 1, Some(1), skips, "", ("", "")),
    Row::plain("__leastOf", "", 1, Some(1), least_of, "", ("", "")),
    Row::plain("__isFair", "", 1, Some(1), is_fair, "", ("", "")),
    Row::plain("__drawFairly", "", 2, Some(2), draw_fairly, "", ("", "")),
    Row::plain("__order", "", 1, Some(1), order_of, "", ("", "")),
    Row::plain("__places", "", 1, Some(1), places_of, "", ("", "")),
    Row::plain("__nextPlace", "", 3, Some(3), next_place, "", ("", ""))
        .with_effect(NativeEffect::Names)
        .as_stage(DecideStep::NextPlace),
];
