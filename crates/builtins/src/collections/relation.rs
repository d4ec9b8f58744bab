//! Relations: sets of pairs that can be called, `r(a, b)`, and followed in both directions.

use super::closure::{ClosureWork, ReachableWork};
use super::relation_work::{Image, Pairs, RelationWork, Sides};
use crate::{Cost, Row, args};
use ndscript_bytecode::ResultKind;
use ndscript_bytecode::Shortcut;
use ndscript_heap::sets::memo::MemoKey;
use ndscript_heap::sets::relation::Side;
use ndscript_heap::value::Handle;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;

fn handle(context: &Context, function: &str, value: Value) -> Result<Handle, Fault> {
    args::handle(context, function, "a relation", Kind::Relation, value)
}

fn is_pair(context: &Context, value: Value) -> bool {
    value
        .handle_of(Kind::Array)
        .is_some_and(|array| context.heap.array_len(array) == 2)
}

/// The error for a value that is no pair.
fn no_pair(context: &Context, value: Value) -> Fault {
    let found = context.describe(value);
    Fault::error(
        ErrorKind::Type,
        format!("a relation consists of pairs, but this is not one: {found}"),
    )
    .with_hint("write `relation([a, b], [c, d])`, or give one array of such pairs")
}

fn relation(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    if let [list] = *arguments
        && let Some(array) = list.handle_of(Kind::Array)
    {
        // `[a, b]` alone is one pair, unless `a` and `b` are pairs themselves.
        let is_list = match context.heap.elements(array) {
            [a, b] => {
                let (a, b) = (*a, *b);
                is_pair(context, a) && is_pair(context, b)
            }
            _ => true,
        };
        if is_list {
            return context
                .perform(move |context| Ok(RelationWork::new(context.list(list)?, no_pair)));
        }
    }
    let list = arguments.to_vec();
    context.perform(move |_| Ok(RelationWork::new(ListWalk::of_list(list), no_pair)))
}

/// The values that a relation relates to a value or a set; remembered from earlier calls.
fn image(
    context: &mut Context,
    function: &str,
    arguments: &[Value],
    side: Side,
) -> Result<Value, Fault> {
    let key = if side == Side::Left {
        MemoKey::LeftImage
    } else {
        MemoKey::RightImage
    };
    if let Some((found, charge)) =
        context
            .heap
            .remembered_operation(key, arguments[0], arguments[1])
    {
        context.charge(charge);
        return Ok(found);
    }
    let relation = handle(context, function, arguments[0])?;
    let set = args::set(context, function, arguments[1])?;
    if !context.current_work.is_pending()
        && let Some((image, charge)) = context.heap.small_image(relation, set, side, context.piece)
    {
        context.charge(charge);
        return Ok(image);
    }
    let operands = [arguments[0], set];
    context.perform(move |context| Ok(Image::new(&mut context.heap, operands, side)))
}

fn left_image(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    image(context, "leftImage", arguments, Side::Left)
}

fn right_image(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    image(context, "rightImage", arguments, Side::Right)
}

fn inverse(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    handle(context, "inverse", arguments[0])?;
    let relation = arguments[0];
    context.perform(move |_| Ok(RelationWork::of(Pairs::Turned(relation))))
}

fn symmetric_closure(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    handle(context, "symmetricClosure", arguments[0])?;
    let relation = arguments[0];
    context.perform(move |_| Ok(RelationWork::of(Pairs::BothWays(relation))))
}

fn compose(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    handle(context, "compose", arguments[0])?;
    handle(context, "compose", arguments[1])?;
    let (first, second) = (arguments[0], arguments[1]);
    context.perform(move |_| {
        Ok(RelationWork::of(Pairs::Composed {
            first,
            second,
            search: None,
            onward: None,
        }))
    })
}

fn transitive_closure(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    handle(context, "transitiveClosure", arguments[0])?;
    let relation = arguments[0];
    context.perform(move |_| Ok(ClosureWork::new(relation)))
}

fn reachable_from(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    handle(context, "reachableFrom", arguments[0])?;
    let (relation, from) = (
        arguments[0],
        args::set(context, "reachableFrom", arguments[1])?,
    );
    context.perform(move |context| Ok(ReachableWork::new(relation, context.list(from)?)))
}

fn pairs_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    handle(context, "pairsOf", arguments[0])?;
    let relation = arguments[0];
    context.perform(move |_| Ok(Sides::new(relation, None)))
}

fn domain_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    handle(context, "domainOf", arguments[0])?;
    let relation = arguments[0];
    context.perform(move |_| Ok(Sides::new(relation, Some(Side::Left))))
}

fn range_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    handle(context, "rangeOf", arguments[0])?;
    let relation = arguments[0];
    context.perform(move |_| Ok(Sides::new(relation, Some(Side::Right))))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "relation",
        "pair, ... | arrayOfPairs",
        0,
        None,
        relation,
        "The relation of pairs `[a, b]`, one by one or in one array. `r(a, b)` tells whether a pair is in it.",
        ("var r = relation([1, 2], [2, 3]); r(1, 2)", "true"),
    )
    .costing(Cost::Sorting),
    Row::plain(
        "leftImage",
        "r, s",
        2,
        Some(2),
        left_image,
        "The set of every a with `r(a, b)` for some b in the set s.",
        ("leftImage(relation([1, \"x\"], [2, \"x\"]), setOf(\"x\"))", "{1, 2}"),
    )
    .with_shortcuts(&[Shortcut::LeftImage])
    .costing(Cost::Sorting),
    Row::plain(
        "rightImage",
        "r, s",
        2,
        Some(2),
        right_image,
        "The set of every b with `r(a, b)` for some a in the set s.",
        ("rightImage(relation([1, \"x\"], [1, \"y\"]), setOf(1))", "{\"x\", \"y\"}"),
    )
    .with_shortcuts(&[Shortcut::RightImage])
    .costing(Cost::Sorting),
    Row::plain(
        "inverse",
        "r",
        1,
        Some(1),
        inverse,
        "The relation with the sides of all pairs swapped.",
        ("pairsOf(inverse(relation([1, 2])))", "{[2, 1]}"),
    )
    .costing(Cost::Sorting),
    Row::plain(
        "symmetricClosure",
        "r",
        1,
        Some(1),
        symmetric_closure,
        "The relation with all its pairs in both directions.",
        ("pairsOf(symmetricClosure(relation([1, 2])))", "{[1, 2], [2, 1]}"),
    )
    .costing(Cost::Sorting),
    Row::plain(
        "compose",
        "r, t",
        2,
        Some(2),
        compose,
        "The relation of a and c for which there is a b with `r(a, b)` and `t(b, c)`.",
        ("pairsOf(compose(relation([1, 2]), relation([2, 3])))", "{[1, 3]}"),
    )
    .costing(Cost::Sorting),
    Row::plain(
        "transitiveClosure",
        "r",
        1,
        Some(1),
        transitive_closure,
        "The relation of a and b where r leads from a to b in one step or more.",
        ("pairsOf(transitiveClosure(relation([1, 2], [2, 3])))", "{[1, 2], [1, 3], [2, 3]}"),
    )
    .costing(Cost::Sorting),
    Row::plain(
        "reachableFrom",
        "r, s",
        2,
        Some(2),
        reachable_from,
        "The set of everything that r leads to from an element of the set s in any number of steps, s itself included.",
        ("reachableFrom(relation([1, 2], [2, 3], [4, 5]), setOf(1))", "{1, 2, 3}"),
    )
    .costing(Cost::Sorting),
    Row::plain(
        "pairsOf",
        "r",
        1,
        Some(1),
        pairs_of,
        "The set of the pairs, each a frozen array.",
        ("pairsOf(relation([2, 3], [1, 2]))", "{[1, 2], [2, 3]}"),
    ).giving(ResultKind::Set)
    .costing(Cost::Linear),
    Row::plain(
        "domainOf",
        "r",
        1,
        Some(1),
        domain_of,
        "The set of the left sides of all pairs.",
        ("domainOf(relation([1, 2], [1, 3]))", "{1}"),
    ).giving(ResultKind::Set)
    .costing(Cost::Sorting),
    Row::plain(
        "rangeOf",
        "r",
        1,
        Some(1),
        range_of,
        "The set of the right sides of all pairs.",
        ("rangeOf(relation([1, 2], [1, 3]))", "{2, 3}"),
    ).giving(ResultKind::Set)
    .costing(Cost::Sorting),
];
