//! Sets, which never change: every operation gives a set.

use super::collection::{BYTES_IN_SET, sorting};
use super::{Cost, Row, args};
use crate::bytecode::Shortcut;
use crate::value::Value;
use crate::value::memo::MemoKey;
use crate::vm::context::Context;
use crate::vm::error::Fault;

fn set_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if let [element] = arguments {
        let element = context.frozen(*element)?;
        return Ok(context.heap.singleton(element));
    }
    context.reserve(arguments.len() * BYTES_IN_SET)?;
    let mut elements = Vec::with_capacity(arguments.len());
    for argument in arguments {
        elements.push(context.frozen(*argument)?);
    }
    context.charge(sorting(elements.len()));
    Ok(context.heap.set_of_frozen(elements))
}

/// An operation on two sets, from memory if it can be. That costs the same steps, or they would tell when garbage was
/// collected, and what was remembered with it.
#[inline(always)]
fn remembered_or(context: &mut Context, function: &str, key: MemoKey, arguments: &[Value]) -> Result<Value, Fault> {
    let (a, b) = (arguments[0], arguments[1]);
    if let Some((found, charge)) = context.heap.remembered_operation(key, a, b) {
        context.charge(charge);
        return Ok(found);
    }
    let (a, b) = operands(context, function, arguments)?;
    Ok(operate(context, key, a, b))
}

/// The two sets that an operation takes, once there is room for its result.
fn operands(context: &mut Context, function: &str, arguments: &[Value]) -> Result<(Value, Value), Fault> {
    let (a, b) = (args::set(context, function, arguments[0])?, args::set(context, function, arguments[1])?);
    let (a_len, b_len) = (context.heap.set_len(a), context.heap.set_len(b));
    let (small, large) = (a_len.min(b_len), a_len.max(b_len));
    // A few elements go into a tree one by one, each with a new path.
    let made = if small * 16 < large { small * 20 } else { a_len + b_len };
    context.reserve(made * BYTES_IN_SET)?;
    Ok((a, b))
}

fn operate(context: &mut Context, key: MemoKey, a: Value, b: Value) -> Value {
    let (result, charge) = context.heap.set_operation(key, a, b);
    context.charge(charge);
    result
}

fn union(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    remembered_or(context, "union", MemoKey::Union, arguments)
}

fn intersection(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    remembered_or(context, "intersection", MemoKey::Intersection, arguments)
}

fn except(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    remembered_or(context, "except", MemoKey::Except, arguments)
}

fn symmetric_difference(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (a, b) = operands(context, "symmetricDifference", arguments)?;
    let only_a = operate(context, MemoKey::Except, a, b);
    let only_b = operate(context, MemoKey::Except, b, a);
    Ok(operate(context, MemoKey::Union, only_a, only_b))
}

fn is_subset(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (a, b) = (args::set(context, "isSubset", arguments[0])?, args::set(context, "isSubset", arguments[1])?);
    let length = context.heap.set_len(a);
    if a != b && length <= context.heap.set_len(b) {
        context.reserve(length * 8)?;
        context.charge(length);
    }
    Ok(Value::boolean(context.heap.is_subset(a, b)))
}

fn add(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let set = args::set(context, "add", arguments[0])?;
    let element = context.frozen(arguments[1])?;
    context.charge(4);
    Ok(context.heap.set_add(set, element))
}

fn remove(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let set = args::set(context, "remove", arguments[0])?;
    let frozen = context.heap.freeze(arguments[1]);
    context.charge_comparisons();
    context.charge(4);
    match frozen {
        Ok(element) => Ok(context.heap.set_remove(set, element)),
        // What contains itself has no value, so no set holds it.
        Err(_) => Ok(set),
    }
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "setOf",
        "element, ...",
        0,
        None,
        set_of,
        "The set of its arguments; arrays go in as frozen copies.",
        ("setOf(2, 1, 2)", "{1, 2}"),
    )
    .costing(Cost::Sorting),
    Row::plain(
        "union",
        "s, t",
        2,
        Some(2),
        union,
        "The elements of either set.",
        ("union(setOf(1, 2), setOf(2, 3))", "{1, 2, 3}"),
    )
    .with_shortcuts(&[Shortcut::Union])
    .costing(Cost::Linear),
    Row::plain(
        "intersection",
        "s, t",
        2,
        Some(2),
        intersection,
        "The elements of both sets.",
        ("intersection(setOf(1, 2), setOf(2, 3))", "{2}"),
    )
    .with_shortcuts(&[Shortcut::Intersection])
    .costing(Cost::Linear),
    Row::plain(
        "except",
        "s, t",
        2,
        Some(2),
        except,
        "The elements of s that are not in t.",
        ("except(setOf(1, 2), setOf(2, 3))", "{1}"),
    )
    .with_shortcuts(&[Shortcut::Except])
    .costing(Cost::Linear),
    Row::plain(
        "symmetricDifference",
        "s, t",
        2,
        Some(2),
        symmetric_difference,
        "The elements of exactly one of the two sets.",
        ("symmetricDifference(setOf(1, 2), setOf(2, 3))", "{1, 3}"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "isSubset",
        "s, t",
        2,
        Some(2),
        is_subset,
        "Whether all elements of s are in t.",
        ("isSubset(setOf(1), setOf(1, 2))", "true"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "add",
        "set, element",
        2,
        Some(2),
        add,
        "The set with one more element.",
        ("add(setOf(1), 2)", "{1, 2}"),
    )
    .costing(Cost::Logarithmic),
    Row::plain(
        "remove",
        "set, element",
        2,
        Some(2),
        remove,
        "The set without an element; the same set if it is not in it.",
        ("remove(setOf(1, 2), 2)", "{1}"),
    )
    .costing(Cost::Logarithmic),
];
