//! What all collections have in common: arrays, sets, queues, objects (keys), grids (positions), strings (characters).

use super::{Cost, Row, args, array};
use crate::bytecode::Shortcut;
use crate::value::array::Array;
use crate::value::freeze::Unfreezable;
use crate::value::{Heap, Kind, Value};
use crate::vm::arithmetic::Operator;
use crate::vm::context::Context;
use crate::vm::error::{ErrorKind, Fault};

/// What sorting so many elements is charged.
pub(super) fn sorting(count: usize) -> usize {
    count * (count.max(1).ilog2() as usize + 1) / 4 + 1
}

/// Bytes that an element of a large set takes, with its node.
pub(super) const BYTES_IN_SET: usize = 48;

/// The number of elements, without looking at any.
fn count(context: &Context, function: &str, value: Value) -> Result<usize, Fault> {
    let heap = &context.heap;
    let handle = value.payload();
    Ok(match value.kind() {
        Kind::Array => heap.array_len(handle),
        Kind::Set => heap.set_len(value),
        Kind::Queue => heap.queues[handle].len(),
        Kind::Object => heap.objects[handle].len(),
        Kind::Grid => heap.grids[handle].slots.len(),
        Kind::Text => heap.texts[handle].characters as usize,
        _ => return Err(context.wrong_argument(function, "a collection", value)),
    })
}

fn is_empty(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    Ok(Value::boolean(count(context, "isEmpty", arguments[0])? == 0))
}

fn is_singleton(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    Ok(Value::boolean(count(context, "isSingleton", arguments[0])? == 1))
}

fn size_of_collection(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    Ok(Value::size(count(context, "sizeOf", arguments[0])?))
}

fn contains(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (element, collection) = (arguments[0], arguments[1]);
    let handle = collection.payload();
    let found = match collection.kind() {
        Kind::Set => {
            // What contains itself has no value, so no set holds it.
            let frozen = context.heap.freeze(element);
            context.charge_comparisons();
            frozen.is_ok_and(|frozen| context.heap.set_contains(collection, frozen))
        }
        Kind::Array => array::find(context, handle, element)?.is_some(),
        Kind::Queue if context.heap.queues[handle].has_priorities => {
            let places = context.heap.queues[handle].values().to_vec();
            context.charge(places.len() / 4 + 1);
            places.into_iter().skip(3).step_by(3).any(|waiting| context.equal(waiting, element))
        }
        Kind::Queue => {
            let (found, work) = context.heap.is_waiting(handle, element);
            context.charge(work / 4);
            context.charge_comparisons();
            found
        }
        Kind::Object => {
            let fields = &context.heap.objects[handle];
            element.is_kind(Kind::Text) && fields.find(element).is_some()
        }
        Kind::Grid => element.as_position().is_some_and(|(x, y)| context.heap.grids[handle].cell(x, y).is_some()),
        Kind::Text => {
            let text = &context.heap.texts[handle].string;
            let work = text.len() / 16;
            let character = context.heap.as_text(element).filter(|text| text.characters == 1);
            let found = character.is_some_and(|character| text.contains(&*character.string));
            context.charge(work);
            found
        }
        _ => {
            let fault = context.wrong_argument("contains", "a collection as its second argument", collection);
            return Err(fault.with_hint("write `contains(element, collection)`"));
        }
    };
    Ok(Value::boolean(found))
}

fn singleton_value(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if count(context, "singletonValue", arguments[0])? != 1 {
        return Err(Fault::Fail);
    }
    let element = match arguments[0].kind() {
        Kind::Set => context.heap.set_get(arguments[0], 0),
        Kind::Array => context.heap.element(arguments[0].payload(), 0),
        _ => context.list_of(arguments[0])?.first().copied(),
    };
    element.ok_or(Fault::Fail)
}

fn to_array(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let elements = args::collection(context, "toArray", arguments[0])?;
    Ok(context.heap.array(elements))
}

fn to_set(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if arguments[0].is_kind(Kind::Set) {
        return Ok(arguments[0]);
    }
    let mut elements = args::collection(context, "toSet", arguments[0])?;
    context.reserve(elements.len().saturating_mul(BYTES_IN_SET))?;
    for element in &mut elements {
        *element = context.frozen(*element)?;
    }
    context.charge(sorting(elements.len()));
    Ok(context.heap.set_of_frozen(elements))
}

fn sum(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let mut total = Value::ZERO;
    for element in args::collection(context, "sum", arguments[0])? {
        let exact = match total.both_integers(element) {
            true => Heap::integer(total.integer_unchecked() + element.integer_unchecked()).ok(),
            false if !element.is_number() => return Err(context.wrong_argument("sum", "numbers", element)),
            false => None,
        };
        total = match exact {
            Some(exact) => exact,
            None => context.operate(Operator::Add, total, element)?,
        };
    }
    Ok(total)
}

/// The elements in the order of their keys; equal ones stay as they are.
fn by_keys(context: &mut Context, elements: Vec<Value>, keys: Vec<Value>) -> Result<Value, Fault> {
    context.reserve(elements.len().saturating_mul(40))?;
    let mut keyed = Vec::with_capacity(elements.len());
    for (element, key) in elements.into_iter().zip(keys) {
        let frozen = context.heap.freeze(key);
        context.charge_comparisons();
        let key = frozen.map_err(|unfreezable| match unfreezable {
            Unfreezable::ContainsItself => {
                Fault::error(ErrorKind::Value, "an array that contains itself cannot be sorted")
                    .with_hint("sort by a key: `sorted(c, x => ...)`")
            }
            Unfreezable::Host(host) => context.no_copy(host, "cannot be sorted"),
        })?;
        keyed.push((key, element));
    }
    context.charge(sorting(keyed.len()));
    keyed.sort_by(|a, b| context.heap.order(a.0, b.0));
    Ok(context.heap.array(keyed.into_iter().map(|pair| pair.1).collect()))
}

fn sorted(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let elements = args::collection(context, "sorted", arguments[0])?;
    by_keys(context, elements.clone(), elements)
}

/// `__sortedBy(elements, keys)`: two arrays of one length.
fn sorted_by(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let elements = args::collection(context, "sorted", arguments[0])?;
    let keys = args::collection(context, "sorted", arguments[1])?;
    by_keys(context, elements, keys)
}

fn reversed(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let mut elements = args::collection(context, "reversed", arguments[0])?;
    elements.reverse();
    Ok(context.heap.array(elements))
}

fn shuffled(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let mut elements = args::collection(context, "shuffled", arguments[0])?;
    context.charge(elements.len());
    for place in (1..elements.len()).rev() {
        let other = context.rng.below(place as u64 + 1) as usize;
        elements.swap(place, other);
    }
    Ok(context.heap.array(elements))
}

fn zip(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let left = args::collection(context, "zip", arguments[0])?;
    let right = args::collection(context, "zip", arguments[1])?;
    let count = left.len().min(right.len());
    context.reserve(count.saturating_mul(size_of::<Array>() + 32))?;
    context.charge(count);
    let pairs = left.into_iter().zip(right).map(|(a, b)| context.heap.array(vec![a, b])).collect();
    Ok(context.heap.array(pairs))
}

fn range(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let mut numbers = [0, 0, 1];
    match arguments {
        [to] => numbers[1] = args::integer(context, "range", *to)?,
        _ => {
            for (number, argument) in numbers.iter_mut().zip(arguments) {
                *number = args::integer(context, "range", *argument)?;
            }
        }
    }
    let [from, to, step] = numbers;
    if step == 0 {
        return Err(Fault::error(ErrorKind::Value, "the step of `range` must not be 0")
            .with_hint("`range(a, b, -1)` counts down"));
    }
    let distance = if step > 0 { to - from } else { from - to };
    let count = if distance <= 0 { 0 } else { (distance as u64).div_ceil(step.unsigned_abs()) as usize };
    context.reserve(count.saturating_mul(8))?;
    context.charge(count / 8);
    let elements = (0..count as i64).map(|at| Value::integer(from + at * step)).collect();
    Ok(context.heap.array(elements))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "isEmpty",
        "collection",
        1,
        Some(1),
        is_empty,
        "Whether the collection has no elements.",
        ("isEmpty([])", "true"),
    )
    .with_shortcuts(&[Shortcut::IsEmpty]),
    Row::plain(
        "isSingleton",
        "collection",
        1,
        Some(1),
        is_singleton,
        "Whether the collection has exactly one element.",
        ("isSingleton(setOf(4))", "true"),
    )
    .with_shortcuts(&[Shortcut::IsSingleton]),
    Row::plain(
        "sizeOf",
        "collection",
        1,
        Some(1),
        size_of_collection,
        "The number of elements.",
        ("sizeOf(\"abc\")", "3"),
    )
    .with_shortcuts(&[Shortcut::SizeOf]),
    Row::plain(
        "contains",
        "element, collection",
        2,
        Some(2),
        contains,
        "Whether the collection has an element that is equal to this one.",
        ("contains(2, [1, 2, 3])", "true"),
    )
    .with_shortcuts(&[Shortcut::Contains])
    .costing(Cost::Linear),
    Row::plain(
        "singletonValue",
        "collection",
        1,
        Some(1),
        singleton_value,
        "The only element. Fails unless there is exactly one.",
        ("singletonValue(setOf(\"a\"))", "a"),
    )
    .with_shortcuts(&[Shortcut::SingletonValue]),
    Row::plain(
        "toArray",
        "collection",
        1,
        Some(1),
        to_array,
        "A new array of the elements.",
        ("toArray(setOf(3, 1, 2))", "[1, 2, 3]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain("toSet", "collection", 1, Some(1), to_set, "The set of the elements.", ("toSet([2, 1, 2])", "{1, 2}"))
        .costing(Cost::Sorting),
    Row::script(
        "map",
        "collection, f",
        &[(2, "map")],
        "The array of the results of `f(element)`.",
        ("map([1, 2, 3], x => x * x)", "[1, 4, 9]"),
    )
    .costing(Cost::Calls)
    .returning_fresh(),
    Row::script(
        "filter",
        "collection, f",
        &[(2, "filter")],
        "The array of the elements for which `f(element)` is true.",
        ("filter(range(6), x => x % 2 == 0)", "[0, 2, 4]"),
    )
    .costing(Cost::Calls)
    .returning_fresh(),
    Row::script(
        "reduce",
        "collection, f, start",
        &[(3, "reduce")],
        "Puts the elements together: `f(accumulated, element)` for each of them, from `start` on.",
        ("reduce([1, 2, 3], (a, x) => a + x, \"\")", "123"),
    )
    .costing(Cost::Calls),
    Row::script(
        "any",
        "collection, f",
        &[(2, "any")],
        "Whether `f(element)` is true for at least one element; stops at the first.",
        ("any([1, 2], x => x > 1)", "true"),
    )
    .costing(Cost::Calls),
    Row::script(
        "all",
        "collection, f",
        &[(2, "all")],
        "Whether `f(element)` is true for every element; stops at the first for which it is not.",
        ("all([1, 2], x => x > 1)", "false"),
    )
    .costing(Cost::Calls),
    Row::plain(
        "sum",
        "collection",
        1,
        Some(1),
        sum,
        "The sum of numbers; 0 if there are none.",
        ("sum([1, 2, 3.5])", "6.5"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "sorted",
        "collection[, keyFunction]",
        1,
        Some(2),
        sorted,
        "A new array of the elements in order, or in the order of their keys; equal ones stay in their order.",
        ("sorted([\"ccc\", \"a\", \"bb\"], s => sizeOf(s))", "[\"a\", \"bb\", \"ccc\"]"),
    )
    .costing(Cost::Sorting)
    .with_scripts(&[(2, "sortedByKey")])
    .returning_fresh(),
    Row::plain(
        "reversed",
        "collection",
        1,
        Some(1),
        reversed,
        "A new array of the elements, the last one first.",
        ("reversed([1, 2, 3])", "[3, 2, 1]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "shuffled",
        "collection",
        1,
        Some(1),
        shuffled,
        "A new array of the elements in a random order. This is a draw, not a choice.",
        ("sorted(shuffled([3, 1, 2]))", "[1, 2, 3]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "zip",
        "c, d",
        2,
        Some(2),
        zip,
        "The array of pairs of the elements at equal places; the shorter collection counts.",
        ("zip([1, 2, 3], \"ab\")", "[[1, \"a\"], [2, \"b\"]]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "range",
        "[a, ]b[, step]",
        1,
        Some(3),
        range,
        "The numbers from a (or 0) on, in steps, up to but without b.",
        ("range(1, 10, 3)", "[1, 4, 7]"),
    )
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain("__sortedBy", "", 2, Some(2), sorted_by, "", ("", "")),
];
