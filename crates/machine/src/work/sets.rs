//! Making large sets, and operations on them.

use super::freezing::FreezeAllWork;
use super::{Tracer, Work};
use crate::errors::error::{ErrorKind, Fault};
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::sets::memo::MemoKey;
use ndscript_heap::sets::set_making::SetBuilder;
use ndscript_heap::sets::set_operation::SetOperationWalk;
use ndscript_heap::walks::freeze::Unfreezable;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::walks::sorting::{Keyed, SortWalk};

/// The set of the elements of a list.
#[derive(Clone)]
enum SetWork {
    Listing(ListWalk),
    Freezing(FreezeAllWork),
    Making(SetBuilder),
}

impl Work for SetWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        loop {
            match self {
                SetWork::Listing(listing) => {
                    if !listing.resume(&mut context.heap, budget) {
                        return Ok(None);
                    }
                    *self = SetWork::Freezing(FreezeAllWork::new(std::mem::take(
                        &mut listing.elements,
                    )));
                }
                SetWork::Freezing(freezing) => {
                    let is_frozen = freezing.resume(context, budget);
                    if !is_frozen.map_err(|why| context.no_frozen(why, Context::not_frozen))? {
                        return Ok(None);
                    }
                    context.reserve(SetBuilder::bytes_of_work(freezing.values.len()))?;
                    *self = SetWork::Making(SetBuilder::new(std::mem::take(&mut freezing.values)));
                }
                SetWork::Making(making) => return Ok(making.resume(&mut context.heap, budget)),
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        match self {
            SetWork::Listing(listing) => listing.values(&mut |value| tracer.values.push(value)),
            SetWork::Freezing(freezing) => freezing.trace(tracer),
            SetWork::Making(making) => {
                making.values(&mut |value| tracer.values.push(value), &mut |tree| {
                    tracer.trees.push(tree)
                });
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            SetWork::Listing(listing) => listing.bytes(),
            SetWork::Freezing(freezing) => freezing.bytes(),
            SetWork::Making(making) => making.bytes(),
        }
    }
}

/// Values in the order of their keys.
#[derive(Clone)]
enum SortedWork {
    /// Of a list by itself, or by a list of keys.
    Listing(ListWalk, Option<ListWalk>),
    /// Of a list by itself: whether anything from an element on must be frozen, and whether nothing before it had to
    /// be.
    Looking(Vec<Value>, usize, bool),
    /// Nothing must be frozen.
    Plain(SortWalk<Value>),
    /// Something must be frozen: the elements, and a growing copy of them.
    Doubling(Vec<Value>, Vec<Value>),
    /// The keys are being frozen.
    Freezing(Vec<Value>, FreezeAllWork),
    Keying(Vec<Value>, Vec<Value>, Vec<Keyed>),
    Sorting(SortWalk<Keyed>),
    Taking(Vec<Keyed>, Vec<Value>),
}

impl Work for SortedWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        loop {
            match self {
                SortedWork::Listing(listing, keys) => {
                    let is_listed = listing.resume(&mut context.heap, budget)
                        && keys
                            .as_mut()
                            .is_none_or(|keys| keys.resume(&mut context.heap, budget));
                    if !is_listed {
                        return Ok(None);
                    }
                    let elements = std::mem::take(&mut listing.elements);
                    *self = match keys {
                        Some(keys) => SortedWork::Freezing(
                            elements,
                            FreezeAllWork::new(std::mem::take(&mut keys.elements)),
                        ),
                        None => SortedWork::Looking(elements, 0, true),
                    };
                }
                SortedWork::Looking(elements, at, is_plain) => {
                    let end = elements.len().min(*at + budget.room_for(1));
                    budget.spend(end.saturating_sub(*at));
                    *is_plain &= elements[*at..end]
                        .iter()
                        .all(|element| !element.may_equal_another());
                    *at = end;
                    if *is_plain && end < elements.len() {
                        return Ok(None);
                    }
                    context.reserve(elements.len().saturating_mul(8))?;
                    let elements = std::mem::take(elements);
                    *self = if *is_plain {
                        SortedWork::Plain(SortWalk::new(elements))
                    } else {
                        let keys = Vec::with_capacity(elements.len());
                        SortedWork::Doubling(elements, keys)
                    };
                }
                SortedWork::Doubling(elements, keys) => {
                    let some = (elements.len() - keys.len()).min(budget.room_for(1));
                    budget.spend(some / 2);
                    keys.extend_from_slice(&elements[keys.len()..keys.len() + some]);
                    if keys.len() < elements.len() {
                        return Ok(None);
                    }
                    let keys = FreezeAllWork::new(std::mem::take(keys));
                    *self = SortedWork::Freezing(std::mem::take(elements), keys);
                }
                SortedWork::Plain(sorting) => {
                    if !sorting.resume(&context.heap, budget) {
                        return Ok(None);
                    }
                    let sorted = std::mem::replace(sorting, SortWalk::new(Vec::new())).into_items();
                    return Ok(Some(context.heap.array(sorted)));
                }
                SortedWork::Freezing(elements, keys) => {
                    let is_frozen = keys.resume(context, budget);
                    if !is_frozen.map_err(|why| context.no_frozen(why, not_sorted))? {
                        return Ok(None);
                    }
                    context.reserve(elements.len().saturating_mul(2 * size_of::<Keyed>()))?;
                    let (elements, keys) =
                        (std::mem::take(elements), std::mem::take(&mut keys.values));
                    let keyed = Vec::with_capacity(elements.len());
                    *self = SortedWork::Keying(elements, keys, keyed);
                }
                SortedWork::Keying(elements, keys, keyed) => {
                    let some = (elements.len() - keyed.len()).min(budget.room_for(2));
                    budget.spend(2 * some);
                    let from = keyed.len();
                    let pairs = elements[from..from + some].iter().zip(&keys[from..]);
                    keyed.extend(pairs.map(|(value, key)| Keyed {
                        key: *key,
                        value: *value,
                    }));
                    if keyed.len() < elements.len() {
                        return Ok(None);
                    }
                    *self = SortedWork::Sorting(SortWalk::new(std::mem::take(keyed)));
                }
                SortedWork::Sorting(sorting) => {
                    if !sorting.resume(&context.heap, budget) {
                        return Ok(None);
                    }
                    let keyed = std::mem::replace(sorting, SortWalk::new(Vec::new())).into_items();
                    let values = Vec::with_capacity(keyed.len());
                    *self = SortedWork::Taking(keyed, values);
                }
                SortedWork::Taking(keyed, values) => {
                    let some = (keyed.len() - values.len()).min(budget.room_for(1));
                    budget.spend(some);
                    values.extend(
                        keyed[values.len()..values.len() + some]
                            .iter()
                            .map(|keyed| keyed.value),
                    );
                    if values.len() < keyed.len() {
                        return Ok(None);
                    }
                    return Ok(Some(context.heap.array(std::mem::take(values))));
                }
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        let mut hold = |value| tracer.values.push(value);
        match self {
            SortedWork::Listing(listing, keys) => {
                listing.values(&mut hold);
                keys.iter().for_each(|keys| keys.values(&mut hold));
            }
            SortedWork::Looking(elements, ..) | SortedWork::Doubling(elements, _) => {
                elements.iter().for_each(|value| hold(*value));
            }
            SortedWork::Plain(sorting) => sorting.values(&mut hold),
            SortedWork::Freezing(elements, keys) => {
                elements.iter().for_each(|value| hold(*value));
                keys.trace(tracer);
            }
            SortedWork::Keying(elements, keys, _) => {
                elements.iter().chain(keys).for_each(|value| hold(*value))
            }
            SortedWork::Sorting(sorting) => sorting.values(&mut hold),
            SortedWork::Taking(keyed, _) => keyed.iter().for_each(|keyed| hold(keyed.value)),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            SortedWork::Listing(listing, keys) => {
                listing.bytes() + keys.as_ref().map_or(0, ListWalk::bytes)
            }
            SortedWork::Looking(elements, ..) => room::row(elements),
            SortedWork::Plain(sorting) => sorting.bytes(),
            SortedWork::Doubling(elements, keys) => room::row(elements) + room::row(keys),
            SortedWork::Freezing(elements, keys) => room::row(elements) + keys.bytes(),
            SortedWork::Keying(elements, keys, keyed) => {
                room::row(elements) + room::row(keys) + room::row(keyed)
            }
            SortedWork::Sorting(sorting) => sorting.bytes(),
            SortedWork::Taking(keyed, values) => room::row(keyed) + room::row(values),
        }
    }
}

/// The error for a key that has no order.
fn not_sorted(context: &Context, unfreezable: Unfreezable) -> Fault {
    match unfreezable {
        Unfreezable::ContainsItself => Fault::error(
            ErrorKind::Value,
            "an array that contains itself cannot be sorted",
        )
        .with_hint("sort by a key: `sorted(c, x => ...)`"),
        Unfreezable::Host(host) => context.no_copy(host, "cannot be sorted"),
    }
}

/// An operation on two sets.
#[derive(Clone)]
struct SetOperation {
    sides: [Value; 2],
    combining: SetOperationWalk,
}

impl Work for SetOperation {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if let Some(bytes) = self.combining.bytes_for_lists(&context.heap) {
            context.reserve(bytes)?;
            self.combining.go_by_lists(&mut context.heap);
        }
        Ok(self.combining.resume(&mut context.heap, budget))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.sides);
        self.combining
            .values(&mut |value| tracer.values.push(value), &mut |tree| {
                tracer.trees.push(tree)
            });
    }

    fn bytes(&self) -> usize {
        self.combining.bytes()
    }
}

impl Context {
    /// The set of the elements of a list.
    ///
    /// # Errors
    /// If one of them has no frozen form; [`Fault::Later`].
    pub fn perform_set(
        &mut self,
        list: impl FnOnce(&mut Context) -> Result<ListWalk, Fault>,
    ) -> Result<Value, Fault> {
        self.perform(|context| Ok(SetWork::Listing(list(context)?)))
    }

    /// The array of the elements of a list in order, or in the order of keys.
    ///
    /// # Errors
    /// If a key has no order; [`Fault::Later`].
    pub fn perform_sorting(
        &mut self,
        lists: impl FnOnce(&mut Context) -> Result<(ListWalk, Option<ListWalk>), Fault>,
    ) -> Result<Value, Fault> {
        self.perform(|context| {
            let (list, keys) = lists(context)?;
            Ok(SortedWork::Listing(list, keys))
        })
    }

    /// An operation on two large sets.
    ///
    /// # Errors
    /// [`Fault::Later`].
    pub fn perform_combining(&mut self, key: MemoKey, a: Value, b: Value) -> Result<Value, Fault> {
        self.perform(|context| {
            let combining = SetOperationWalk::new(&mut context.heap, key, a, b);
            context.reserve(combining.bytes_needed())?;
            Ok(SetOperation {
                sides: [a, b],
                combining,
            })
        })
    }
}
