//! Relations: sets of pairs that can be called, `r(a, b)`, and followed in both directions.

use super::collection::{BYTES_IN_SET, sorting};
use super::{Cost, Row, args};
use crate::bytecode::Shortcut;
use crate::value::array::Array;
use crate::value::memo::MemoKey;
use crate::value::relation::Side;
use crate::value::value::Handle;
use crate::value::{Heap, Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::{ErrorKind, Fault};

/// Bytes that a pair of a relation takes, in its two rows and its table.
const BYTES_OF_PAIR: usize = 80;

fn handle(context: &Context, function: &str, value: Value) -> Result<Handle, Fault> {
    args::handle(context, function, "a relation", Kind::Relation, value)
}

fn is_pair(context: &Context, value: Value) -> bool {
    value.handle_of(Kind::Array).is_some_and(|array| context.heap.array_len(array) == 2)
}

fn pair(context: &mut Context, value: Value) -> Result<(Value, Value), Fault> {
    if !is_pair(context, value) {
        let found = context.describe(value);
        return Err(Fault::error(ErrorKind::Type, format!("a relation is made of pairs, but this is none: {found}"))
            .with_hint("write `relation([a, b], [c, d])`, or give one array of such pairs"));
    }
    let (left, right) = match context.heap.elements(value.payload()) {
        [left, right] => (*left, *right),
        _ => (Value::NULL, Value::NULL),
    };
    Ok((context.frozen(left)?, context.frozen(right)?))
}

pub(super) fn make(context: &mut Context, pairs: Vec<(Value, Value)>) -> Result<Value, Fault> {
    context.reserve(pairs.len().saturating_mul(BYTES_OF_PAIR))?;
    context.charge(2 * sorting(pairs.len()));
    Ok(context.heap.relation(pairs))
}

fn relation(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let list = match arguments {
        [list] if list.is_kind(Kind::Array) => {
            let elements = args::collection(context, "relation", *list)?;
            // `[a, b]` alone is one pair, unless `a` and `b` are pairs themselves.
            let is_list = elements.len() != 2 || elements.iter().all(|element| is_pair(context, *element));
            if is_list { elements } else { vec![*list] }
        }
        _ => arguments.to_vec(),
    };
    context.charge(list.len());
    let mut pairs = Vec::with_capacity(list.len());
    for value in list {
        pairs.push(pair(context, value)?);
    }
    make(context, pairs)
}

fn image(context: &mut Context, function: &str, arguments: &[Value], side: Side) -> Result<Value, Fault> {
    let key = if side == Side::Left { MemoKey::LeftImage } else { MemoKey::RightImage };
    if let Some((found, charge)) = context.heap.remembered_operation(key, arguments[0], arguments[1]) {
        context.charge(charge);
        return Ok(found);
    }
    let relation = handle(context, function, arguments[0])?;
    let set = args::set(context, function, arguments[1])?;
    let largest = context.heap.relations[relation].pairs.len();
    context.reserve(largest.saturating_mul(BYTES_IN_SET))?;
    let (image, charge) = context.heap.image(relation, set, side);
    context.charge(charge);
    Ok(image)
}

fn left_image(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    image(context, "leftImage", arguments, Side::Left)
}

fn right_image(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    image(context, "rightImage", arguments, Side::Right)
}

fn inverse(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let relation = handle(context, "inverse", arguments[0])?;
    let pairs = context.heap.relations[relation].pairs.iter().map(|(left, right)| (*right, *left)).collect();
    make(context, pairs)
}

fn symmetric_closure(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let relation = handle(context, "symmetricClosure", arguments[0])?;
    let pairs = context.heap.relations[relation].pairs.iter();
    let pairs = pairs.flat_map(|(left, right)| [(*left, *right), (*right, *left)]).collect();
    make(context, pairs)
}

/// The pairs with this value on the left, of pairs that are sorted.
fn starting_with<'a>(heap: &Heap, pairs: &'a [(Value, Value)], left: Value) -> &'a [(Value, Value)] {
    let start = pairs.partition_point(|pair| heap.order(pair.0, left).is_lt());
    let length = pairs[start..].partition_point(|pair| pair.0 == left);
    &pairs[start..start + length]
}

fn compose(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let first = handle(context, "compose", arguments[0])?;
    let second = handle(context, "compose", arguments[1])?;
    let (from, onward) = (context.heap.relations[first].pairs.clone(), context.heap.relations[second].pairs.clone());
    let from: Vec<(Value, &[(Value, Value)])> =
        from.iter().map(|pair| (pair.0, starting_with(&context.heap, &onward, pair.1))).collect();
    // Counted before they are stored: there can be as many as the product of the two sizes.
    let count: usize = from.iter().map(|(_, reached)| reached.len()).sum();
    context.reserve(count.saturating_mul(BYTES_OF_PAIR))?;
    let composed = from.iter().flat_map(|(left, reached)| reached.iter().map(|pair| (*left, pair.1))).collect();
    let work = sorting(from.len()) + count;
    context.charge(work);
    make(context, composed)
}

fn pairs_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let relation = handle(context, "pairsOf", arguments[0])?;
    let count = context.heap.relations[relation].pairs.len();
    context.reserve(count.saturating_mul(size_of::<Array>() + 32 + BYTES_IN_SET))?;
    context.charge(count);
    let pairs = context.heap.relations[relation].pairs.clone();
    // Pairs that are sorted by left and then right are sorted as arrays.
    let pairs: Vec<Value> =
        pairs.into_iter().map(|(left, right)| context.heap.frozen_array(vec![left, right])).collect();
    Ok(context.heap.set_of_sorted(&pairs))
}

fn one_side(context: &mut Context, function: &str, argument: Value, side: Side) -> Result<Value, Fault> {
    let relation = handle(context, function, argument)?;
    let count = context.heap.relations[relation].pairs.len();
    context.reserve(count.saturating_mul(BYTES_IN_SET + 8))?;
    context.charge(sorting(count));
    let pairs = context.heap.relations[relation].pairs.iter();
    let elements = pairs.map(|pair| if side == Side::Left { pair.0 } else { pair.1 }).collect();
    Ok(context.heap.set_of_frozen(elements))
}

fn domain_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    one_side(context, "domainOf", arguments[0], Side::Left)
}

fn range_of(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    one_side(context, "rangeOf", arguments[0], Side::Right)
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
        "The relation with all pairs turned round.",
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
        "pairsOf",
        "r",
        1,
        Some(1),
        pairs_of,
        "The set of the pairs, each a frozen array.",
        ("pairsOf(relation([2, 3], [1, 2]))", "{[1, 2], [2, 3]}"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "domainOf",
        "r",
        1,
        Some(1),
        domain_of,
        "The set of what stands on the left of pairs.",
        ("domainOf(relation([1, 2], [1, 3]))", "{1}"),
    )
    .costing(Cost::Sorting),
    Row::plain(
        "rangeOf",
        "r",
        1,
        Some(1),
        range_of,
        "The set of what stands on the right of pairs.",
        ("rangeOf(relation([1, 2], [1, 3]))", "{2, 3}"),
    )
    .costing(Cost::Sorting),
];
