//! Functions of all collections: arrays, sets, queues, objects (keys), grids (positions), strings (characters).

use super::list_work::{ReverseList, ShuffleList, SumList, ZipLists};
use super::{array, queue};
use crate::texts::text;
use crate::{Cost, Row, args};
use ndscript_bytecode::Shortcut;
use ndscript_bytecode::{Form, ResultKind, Shows};
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::natives::effect::{NativeEffect, OutsideSource};
use ndscript_machine::work::lookup::Lookup;

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
        Kind::Relation if function != "isSingleton" && function != "singletonValue" => {
            heap.relations[handle].pairs.len()
        }
        _ => return Err(context.wrong_argument(function, "a collection", value)),
    })
}

fn is_empty(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    Ok(Value::boolean(
        count(context, "isEmpty", arguments[0])? == 0,
    ))
}

fn is_singleton(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    Ok(Value::boolean(
        count(context, "isSingleton", arguments[0])? == 1,
    ))
}

fn size_of_collection(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    Ok(Value::size(count(context, "sizeOf", arguments[0])?))
}

fn contains(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (element, collection) = (arguments[0], arguments[1]);
    let handle = collection.payload();
    let found = match collection.kind() {
        Kind::Set => return context.perform_looking_up(collection, element, Lookup::Contains),
        Kind::Array => array::find(context, collection, element)?.is_some(),
        Kind::Queue => queue::is_waiting(context, collection, element)?,
        Kind::Object => {
            let name = if element.is_kind(Kind::Text) {
                context.name_in_use(element)?
            } else {
                None
            };
            name.is_some_and(|name| context.heap.objects[handle].find(name).is_some())
        }
        Kind::Grid => element
            .as_position()
            .is_some_and(|(x, y)| context.heap.grids[handle].cell(x, y).is_some()),
        // A text in a text is a part of any length.
        Kind::Text => {
            element.is_kind(Kind::Text) && text::find(context, collection, element)?.is_some()
        }
        _ => {
            let fault = context.wrong_argument(
                "contains",
                "a collection as its second argument",
                collection,
            );
            return Err(fault.with_hint("write `contains(element, collection)`"));
        }
    };
    Ok(Value::boolean(found))
}

fn singleton_value(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let size = count(context, "singletonValue", arguments[0])?;
    if size != 1 {
        let words = format!(
            "`singletonValue` wants one element, and {} has {size}",
            context.brief(arguments[0])
        );
        context.set_failure_message(&words)?;
        return Err(Fault::Fail);
    }
    let element = match arguments[0].kind() {
        Kind::Set => context.heap.set_get(arguments[0], 0),
        Kind::Array => context.heap.element(arguments[0].payload(), 0),
        _ => {
            let collection = arguments[0];
            return context.perform_listing(
                move |context| context.list(collection),
                |_, elements| elements.first().copied().ok_or(Fault::Fail),
            );
        }
    };
    element.ok_or(Fault::Fail)
}

fn to_array(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let collection = arguments[0];
    context.perform_array(move |context| args::collection(context, "toArray", collection))
}

fn to_set(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let collection = arguments[0];
    if collection.is_kind(Kind::Set) {
        return Ok(collection);
    }
    context.perform_set(move |context| args::collection(context, "toSet", collection))
}

fn sum(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let collection = arguments[0];
    context.perform(move |context| Ok(SumList::new(args::collection(context, "sum", collection)?)))
}

fn sorted(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let collection = arguments[0];
    context.perform_sorting(move |context| {
        Ok((args::collection(context, "sorted", collection)?, None))
    })
}

/// `__sortedBy(elements, keys)`: two arrays of one length.
fn sorted_by(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (elements, keys) = (arguments[0], arguments[1]);
    context.perform_sorting(move |context| Ok((context.list(elements)?, Some(context.list(keys)?))))
}

fn reversed(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let collection = arguments[0];
    context.perform(move |context| {
        Ok(ReverseList::new(args::collection(
            context, "reversed", collection,
        )?))
    })
}

fn shuffled(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let collection = arguments[0];
    context.perform(move |context| {
        Ok(ShuffleList::new(args::collection(
            context, "shuffled", collection,
        )?))
    })
}

fn zip(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (left, right) = (arguments[0], arguments[1]);
    context.perform(move |context| {
        let (left, right) = (
            args::collection(context, "zip", left)?,
            args::collection(context, "zip", right)?,
        );
        Ok(ZipLists::new(left, right))
    })
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
        return Err(
            Fault::error(ErrorKind::Value, "the step of `range` must not be 0")
                .with_hint("`range(a, b, -1)` counts down"),
        );
    }
    let distance = if step > 0 { to - from } else { from - to };
    let count = if distance <= 0 {
        0
    } else {
        (distance as u64).div_ceil(step.unsigned_abs()) as usize
    };
    context.perform_array(move |_| Ok(ListWalk::of_numbers(from, step, count)))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "isEmpty",
        "collection",
        1,
        Some(1),
        is_empty,
        "Whether the collection has no elements, or the relation no pairs.",
        ("isEmpty([])", "true"),
    ).with_effect(NativeEffect::Counts)
    .with_shortcuts(&[Shortcut::IsEmpty]),
    Row::plain(
        "isSingleton",
        "collection",
        1,
        Some(1),
        is_singleton,
        "Whether the collection has exactly one element.",
        ("isSingleton(setOf(4))", "true"),
    ).with_effect(NativeEffect::Counts)
    .with_shortcuts(&[Shortcut::IsSingleton]),
    Row::plain(
        "sizeOf",
        "collection",
        1,
        Some(1),
        size_of_collection,
        "The number of elements; of a relation the number of pairs, of a grid the number of cells.",
        ("[sizeOf(\"abc\"), sizeOf(relation([1, 2], [1, 3]))]", "[3, 2]"),
    ).with_effect(NativeEffect::Counts).giving(ResultKind::Number)
    .with_shortcuts(&[Shortcut::SizeOf]),
    Row::plain(
        "contains",
        "element, collection",
        2,
        Some(2),
        contains,
        "Whether the collection has an element that is equal to this one. The elements of a grid are its positions: \
         `contains(x, valuesOf(grid))` looks at its cells.",
        ("contains(2, [1, 2, 3])", "true"),
    ).looking_for(0, 1)
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
    ).with_effect(NativeEffect::Lists).giving(ResultKind::Array).passing_elements().unchanging("it is a new array")
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain("toSet", "collection", 1, Some(1), to_set, "The set of the elements.", ("toSet([2, 1, 2])", "{1, 2}")).giving(ResultKind::Set).passing_elements().unchanging("it is a new set")
        .costing(Cost::Sorting),
    Row::script(
        "map",
        "collection, f",
        &[(2, "map")],
        "The array of the results of `f(element)`. Of a grid, `f` gets the positions; `mapGrid` makes a grid of its cells.",
        ("map([1, 2, 3], x => x * x)", "[1, 4, 9]"),
    ).giving(ResultKind::Array).with_form(Form::Map).calling_with_elements()
    .costing(Cost::Calls)
    .returning_fresh(),
    Row::script(
        "filter",
        "collection, f",
        &[(2, "filter")],
        "The array of the elements for which `f(element)` is true. Of a grid, `f` gets the positions.",
        ("filter(range(6), x => x % 2 == 0)", "[0, 2, 4]"),
    ).giving(ResultKind::Array).passing_elements().unchanging("it is a new array").calling_with_elements()
    .costing(Cost::Calls)
    .returning_fresh(),
    Row::script(
        "reduce",
        "collection, f, start",
        &[(3, "reduce")],
        "Combines the elements: calls `f(accumulated, element)` for each of them, beginning with `start`.",
        ("reduce([1, 2, 3], (a, x) => a + x, \"\")", "123"),
    )
    .costing(Cost::Calls),
    Row::script(
        "count",
        "collection, f",
        &[(2, "count")],
        "How many elements there are for which `f(element)` is true. Of a grid, `f` gets the positions.",
        ("count([3, 8, 5], x => x > 4)", "2"),
    ).calling_with_elements()
    .costing(Cost::Calls),
    Row::script(
        "groupBy",
        "collection, f",
        &[(2, "groupBy")],
        "An object of arrays: the elements by the text of `f(element)`, in the order in which they come.",
        ("groupBy([1, 2, 3, 4], x => x % 2 == 0 ? \"even\" : \"odd\")", "{odd: [1, 3], even: [2, 4]}"),
    )
    .showing(Shows::Keys)
    .costing(Cost::Calls),
    Row::script(
        "minBy",
        "collection, f",
        &[(2, "minBy")],
        "The element with the smallest `f(element)`, a number or a string; the first of them if there are several.",
        ("minBy([\"pear\", \"fig\", \"nut\"], s => sizeOf(s))", "fig"),
    )
    .costing(Cost::Calls),
    Row::script(
        "maxBy",
        "collection, f",
        &[(2, "maxBy")],
        "The element with the largest `f(element)`, a number or a string; the first of them if there are several.",
        ("maxBy([\"fig\", \"pear\", \"plum\"], s => sizeOf(s))", "pear"),
    )
    .costing(Cost::Calls),
    Row::script(
        "any",
        "collection, f",
        &[(2, "any")],
        "Whether `f(element)` is true for at least one element; stops at the first. Of a grid, `f` gets the positions.",
        ("any([1, 2], x => x > 1)", "true"),
    ).calling_with_elements()
    .costing(Cost::Calls),
    Row::script(
        "all",
        "collection, f",
        &[(2, "all")],
        "Whether `f(element)` is true for every element; stops at the first for which it is not. Of a grid, `f` gets the \
         positions.",
        ("all([1, 2], x => x > 1)", "false"),
    ).calling_with_elements()
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
    ).with_effect(NativeEffect::Rearranges).giving(ResultKind::Array).passing_elements().unchanging("it is a new array")
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
    ).with_effect(NativeEffect::Reverses).giving(ResultKind::Array).passing_elements().unchanging("it is a new array")
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
    ).with_effect(NativeEffect::Rearranges).from_outside(OutsideSource::Shuffled).giving(ResultKind::Array).passing_elements().unchanging("it is a new array")
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "zip",
        "c, d",
        2,
        Some(2),
        zip,
        "The array of pairs of the elements at the same index, as many as the shorter collection has.",
        ("zip([1, 2, 3], \"ab\")", "[[1, \"a\"], [2, \"b\"]]"),
    ).with_effect(NativeEffect::Zips).giving(ResultKind::Array)
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain(
        "range",
        "[a, ]b[, step]",
        1,
        Some(3),
        range,
        "The numbers from a (or 0) up to, but not including, b, in steps.",
        ("range(1, 10, 3)", "[1, 4, 7]"),
    ).giving(ResultKind::Array).with_form(Form::Range)
    .costing(Cost::Linear)
    .returning_fresh(),
    Row::plain("__sortedBy", "", 2, Some(2), sorted_by, "", ("", "")).with_effect(NativeEffect::Rearranges),
];
