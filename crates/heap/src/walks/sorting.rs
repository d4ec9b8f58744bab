//! Sorting that can stop and resume: a bottom-up stable merge sort.

use std::cmp::Ordering;
use std::marker::PhantomData;

use super::compare::Ordered;
use crate::store::heap::Heap;
use crate::value::{Kind, Value};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// An item that can be sorted in the order of sets: frozen values, pairs of them, and values with keys.
pub trait Sortable: Copy + Send + Sync + 'static {
    /// The sort keys: the first, then the second.
    fn keys(&self) -> [Value; 2];
    /// Whether any comparison with it is short.
    fn is_plain(heap: &Heap, item: &Self) -> bool;
    /// The values in it.
    fn values(&self, visit: &mut dyn FnMut(Value));
}

/// An order of items, which need not be their own.
pub trait OrderOf<T> {
    /// The sort keys: the first, then the second.
    fn keys(item: &T) -> [Value; 2];
    /// Whether any comparison with it is short.
    fn is_plain(heap: &Heap, item: &T) -> bool;

    /// The order of two of them.
    #[inline]
    fn order(heap: &Heap, a: &T, b: &T) -> Ordering {
        let ([a, then_a], [b, then_b]) = (Self::keys(a), Self::keys(b));
        heap.order(a, b).then_with(|| heap.order(then_a, then_b))
    }
}

/// The items' own order.
#[derive(Clone, Copy, Debug)]
pub struct NaturalOrder;

impl<T: Sortable> OrderOf<T> for NaturalOrder {
    #[inline]
    fn keys(item: &T) -> [Value; 2] {
        item.keys()
    }

    fn is_plain(heap: &Heap, item: &T) -> bool {
        T::is_plain(heap, item)
    }
}

/// Whether comparing a value with any other is quick.
fn is_plain(heap: &Heap, value: Value) -> bool {
    match value.kind() {
        Kind::Text => heap.texts[value.payload()].length() <= 64,
        Kind::Array => is_short_row(heap, heap.arrays[value.payload()].slots.values()),
        Kind::Set => heap.sets[value.payload()]
            .small_row()
            .is_some_and(|row| is_short_row(heap, row)),
        Kind::Host => false,
        _ => true,
    }
}

fn is_short_row(heap: &Heap, row: &[Value]) -> bool {
    let is_short = |value: &Value| match value.kind() {
        Kind::Text => heap.texts[value.payload()].length() <= 64,
        kind => !matches!(kind, Kind::Array | Kind::Set | Kind::Host),
    };
    row.len() <= 8 && row.iter().all(is_short)
}

impl Sortable for Value {
    #[inline]
    fn keys(&self) -> [Value; 2] {
        [*self, Value::NULL]
    }

    fn is_plain(heap: &Heap, item: &Value) -> bool {
        is_plain(heap, *item)
    }

    fn values(&self, visit: &mut dyn FnMut(Value)) {
        visit(*self);
    }
}

/// A pair in the order of relations: by left, then by right.
impl Sortable for (Value, Value) {
    #[inline]
    fn keys(&self) -> [Value; 2] {
        [self.0, self.1]
    }

    fn is_plain(heap: &Heap, item: &(Value, Value)) -> bool {
        is_plain(heap, item.0) && is_plain(heap, item.1)
    }

    fn values(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.0);
        visit(self.1);
    }
}

/// The order of pairs by their right sides alone.
#[derive(Clone, Copy, Debug)]
pub struct RightSideOrder;

impl OrderOf<(Value, Value)> for RightSideOrder {
    #[inline]
    fn keys(item: &(Value, Value)) -> [Value; 2] {
        [item.1, Value::NULL]
    }

    fn is_plain(heap: &Heap, item: &(Value, Value)) -> bool {
        is_plain(heap, item.1)
    }
}

/// A value that is sorted by a key.
#[derive(Clone, Copy, Debug)]
pub struct Keyed {
    pub key: Value,
    pub value: Value,
}

impl Sortable for Keyed {
    #[inline]
    fn keys(&self) -> [Value; 2] {
        [self.key, Value::NULL]
    }

    fn is_plain(heap: &Heap, item: &Keyed) -> bool {
        is_plain(heap, item.key)
    }

    fn values(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.key);
        visit(self.value);
    }
}

/// At most this many items are sorted at once, if they are plain.
const RUN: usize = 1 << 11;

/// Items being sorted.
#[derive(Clone, Debug)]
pub struct SortWalk<T, O = NaturalOrder> {
    items: Vec<T>,
    /// The result of the runs that are being merged.
    merged: Vec<T>,
    stage: Stage,
    /// The comparison of the next two items, and which of their keys it compares.
    comparing: (usize, Option<Box<Ordered>>),
    order: PhantomData<O>,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Makes runs of one length, except the last, from an item on.
    Runs {
        at: usize,
        length: usize,
    },
    /// Merges runs two by two: those of `width` that begin at `start`, of which the next items are `left` and `right`.
    Merge {
        width: usize,
        start: usize,
        left: usize,
        right: usize,
    },
    Done,
}

impl<T: Sortable, O: OrderOf<T>> SortWalk<T, O> {
    pub fn new(items: Vec<T>) -> SortWalk<T, O> {
        let stage = if items.len() < 2 {
            Stage::Done
        } else {
            Stage::Runs { at: 0, length: 0 }
        };
        SortWalk {
            items,
            merged: Vec::new(),
            stage,
            comparing: (0, None),
            order: PhantomData,
        }
    }

    /// The bytes for sorting this many items apart from the items.
    pub fn bytes_of_work(count: usize) -> usize {
        count * size_of::<T>()
    }

    /// Continues; true when everything is in order.
    pub fn resume(&mut self, heap: &Heap, budget: &mut Budget) -> bool {
        loop {
            if let Stage::Done = self.stage {
                return true;
            }
            if budget.is_spent() {
                return false;
            }
            match self.stage {
                Stage::Runs { at: 0, .. } => {
                    let length = budget.in_one_go(RUN);
                    self.make_run(heap, budget, 0, length);
                }
                Stage::Runs { at, length } => self.make_run(heap, budget, at, length),
                Stage::Merge { .. } => self.merge(heap, budget),
                Stage::Done => {}
            }
        }
    }

    /// The items, in order.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// Sorts a run of items that are compared fast, at once.
    fn make_run(&mut self, heap: &Heap, budget: &mut Budget, at: usize, length: usize) {
        let end = self.items.len().min(at + length);
        let run = &mut self.items[at..end];
        budget.spend(run.len());
        if !run.iter().all(|item| O::is_plain(heap, item)) {
            // Then single items are the runs to begin with; those that are sorted already do no harm.
            self.begin_merging(1);
            return;
        }
        budget.spend(run.len() * (run.len().max(2).ilog2() as usize + 1));
        heap.charging_recorded(budget, |heap| run.sort_by(|a, b| O::order(heap, a, b)));
        if end == self.items.len() {
            self.begin_merging(length);
        } else {
            self.stage = Stage::Runs { at: end, length };
        }
    }

    /// Begins a pass that merges neighbouring runs of this width.
    fn begin_merging(&mut self, width: usize) {
        if width >= self.items.len() {
            self.stage = Stage::Done;
            return;
        }
        self.merged.clear();
        let count = self.items.len();
        self.merged.reserve_exact(count);
        self.stage = Stage::Merge {
            width,
            start: 0,
            left: 0,
            right: width,
        };
    }

    /// Goes on with a pass of merging until it ends or the budget is spent.
    fn merge(&mut self, heap: &Heap, budget: &mut Budget) {
        let Stage::Merge {
            width,
            mut start,
            mut left,
            mut right,
        } = self.stage
        else {
            return;
        };
        let count = self.items.len();
        while start < count {
            let (middle, end) = (count.min(start + width), count.min(start + 2 * width));
            while left < middle && right < end {
                if budget.is_spent() {
                    self.stage = Stage::Merge {
                        width,
                        start,
                        left,
                        right,
                    };
                    return;
                }
                let (a, b) = (self.items[left], self.items[right]);
                let Some(order) = self.compare(heap, a, b, budget) else {
                    self.stage = Stage::Merge {
                        width,
                        start,
                        left,
                        right,
                    };
                    return;
                };
                budget.spend(4);
                if order.is_le() {
                    self.merged.push(a);
                    left += 1;
                } else {
                    self.merged.push(b);
                    right += 1;
                }
            }
            // One of the runs is used up: the rest of the other follows, as far as the budget allows.
            let (from, to) = if left < middle {
                (&mut left, middle)
            } else {
                (&mut right, end)
            };
            let some = (to - *from).min(budget.room_for(1));
            self.merged
                .extend_from_slice(&self.items[*from..*from + some]);
            *from += some;
            budget.spend(some);
            if *from < to {
                self.stage = Stage::Merge {
                    width,
                    start,
                    left,
                    right,
                };
                return;
            }
            start += 2 * width;
            (left, right) = (start, start + width);
        }
        std::mem::swap(&mut self.items, &mut self.merged);
        self.begin_merging(2 * width);
    }

    /// The order of the next two items, when it is known.
    #[inline]
    fn compare(&mut self, heap: &Heap, a: T, b: T, budget: &mut Budget) -> Option<Ordering> {
        let (keys_a, keys_b) = (O::keys(&a), O::keys(&b));
        let (at, begun) = &mut self.comparing;
        loop {
            let order = heap.order_in_pieces(keys_a[*at], keys_b[*at], begun, budget)?;
            if order.is_ne() || *at == 1 {
                *at = 0;
                return Some(order);
            }
            *at = 1;
        }
    }

    /// Shows the values in it.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        self.items.iter().for_each(|item| item.values(visit));
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.items) + room::row(&self.merged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript_base::budget::PieceSize;

    fn items(heap: &mut Heap, count: usize, kinds: u64) -> Vec<Keyed> {
        let mut state = 9u64;
        (0..count)
            .map(|at| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let number = (state >> 33) as i64 % 500;
                let key = match (state >> 20) % kinds {
                    0 => Value::integer(number),
                    1 => heap.text(&format!("{}{number}", "a long beginning ".repeat(6))),
                    _ => heap.frozen_array(vec![Value::integer(number % 7); 9]),
                };
                Keyed {
                    key,
                    value: Value::integer(at as i64),
                }
            })
            .collect()
    }

    #[test]
    fn is_stable_and_right_however_often_it_stops() {
        let mut heap = Heap::default();
        for (count, kinds) in [
            (0, 1),
            (1, 1),
            (2, 3),
            (100, 1),
            (3_000, 3),
            (3 * RUN + 77, 1),
        ] {
            let items = items(&mut heap, count, kinds);
            let mut expected = items.clone();
            expected.sort_by(|a, b| heap.order(a.key, b.key));
            let mut sorting: SortWalk<Keyed> = SortWalk::new(items);
            let mut pieces = 0;
            loop {
                let mut budget = Budget::piece(PieceSize::default());
                // Nearly nothing is left of it.
                budget.spend(budget.room_for(1) - 50);
                if sorting.resume(&heap, &mut budget) {
                    break;
                }
                pieces += 1;
            }
            assert!(
                count < 1_000 || pieces > 0,
                "{count} items were sorted at once"
            );
            let found: Vec<Value> = sorting.into_items().iter().map(|item| item.value).collect();
            assert_eq!(
                found,
                expected.iter().map(|item| item.value).collect::<Vec<_>>(),
                "{count} items"
            );
        }
    }
}
