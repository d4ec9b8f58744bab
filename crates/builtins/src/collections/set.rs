//! Sets, which are immutable: every operation returns a new set.

use super::list_work::ContainsAll;
use crate::{Cost, Row, args};
use ndscript_bytecode::Shortcut;
use ndscript_bytecode::{Form, ResultKind};
use ndscript_heap::Value;
use ndscript_heap::sets::memo::MemoKey;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::lookup::Lookup;

fn set_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if let [element] = *arguments {
        return context.perform_freezing([element], |context, frozen| match frozen {
            Ok(frozen) => Ok(context.heap.singleton(frozen[0])),
            Err(unfreezable) => Err(context.not_frozen(unfreezable)),
        });
    }
    const FEW: usize = 16;
    if arguments.len() <= FEW
        && arguments
            .iter()
            .all(|element| context.frozen_already(*element).is_some())
    {
        context.charge(arguments.len());
        return Ok(context.heap.set_of_frozen(arguments.to_vec()));
    }
    let elements = arguments.to_vec();
    context.perform_set(move |_| Ok(ListWalk::of_list(elements)))
}

/// An operation on two sets, remembered if possible. A remembered result costs as many steps; otherwise the steps
/// would depend on when garbage was collected, which clears the memo.
#[inline(always)]
fn remembered_or(
    context: &mut Context,
    function: &str,
    key: MemoKey,
    arguments: &[Value],
) -> Result<Value, Fault> {
    let (a, b) = (arguments[0], arguments[1]);
    if let Some((found, charge)) = context.heap.remembered_operation(key, a, b) {
        context.charge(charge);
        return Ok(found);
    }
    operate(context, function, key, arguments)
}

/// Combines two sets: small ones at once, large ones in pieces.
fn operate(
    context: &mut Context,
    function: &str,
    key: MemoKey,
    arguments: &[Value],
) -> Result<Value, Fault> {
    let (a, b) = (
        args::set(context, function, arguments[0])?,
        args::set(context, function, arguments[1])?,
    );
    let count = context.heap.set_len(a) + context.heap.set_len(b);
    // Sets with few elements together are combined at once, and the result is remembered.
    if count > context.piece.few() {
        return context.perform_combining(key, a, b);
    }
    let Some((result, charge)) = context.heap.set_operation(key, a, b) else {
        return context.perform_combining(key, a, b);
    };
    context.charge(charge);
    Ok(result)
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
    remembered_or(
        context,
        "symmetricDifference",
        MemoKey::SymmetricDifference,
        arguments,
    )
}

fn is_subset(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (a, b) = (
        args::set(context, "isSubset", arguments[0])?,
        args::set(context, "isSubset", arguments[1])?,
    );
    if a == b || context.heap.set_len(a) > context.heap.set_len(b) {
        return Ok(Value::boolean(a == b));
    }
    context.perform(|context| Ok(ContainsAll::new(context.list(a)?, b)))
}

fn add(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let set = args::set(context, "add", arguments[0])?;
    context.charge(4);
    context.perform_looking_up(set, arguments[1], Lookup::Add)
}

fn remove(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let set = args::set(context, "remove", arguments[0])?;
    context.charge(4);
    context.perform_looking_up(set, arguments[1], Lookup::Remove)
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
    .giving(ResultKind::Set)
    .with_form(Form::SetOf)
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
    .giving(ResultKind::Set)
    .unchanging("a set does not change")
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
    .giving(ResultKind::Set)
    .passing_elements()
    .unchanging("a set does not change")
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
    .giving(ResultKind::Set)
    .passing_elements()
    .unchanging("a set does not change")
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
    .giving(ResultKind::Set)
    .unchanging("a set does not change")
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
    .giving(ResultKind::SetOf(2))
    .unchanging("a set does not change")
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
    .giving(ResultKind::SetOf(2))
    .passing_elements()
    .unchanging("a set does not change")
    .costing(Cost::Logarithmic),
];
