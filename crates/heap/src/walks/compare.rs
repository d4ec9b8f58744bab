//! The order of frozen values, and the equality of all values.

use std::cmp::Ordering;

use ndscript_base::keyed::KeyedMap;

use crate::sets::difference::Difference;
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::{Budget, VISITS_OF_STEP};
use ndscript_base::room;

/// The rank of a kind in the order of values: kinds with a lower rank come first.
fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Null | Kind::Unset => 0,
        Kind::Boolean => 1,
        Kind::Integer | Kind::Float | Kind::BoxedFloat => 2,
        Kind::Text => 3,
        Kind::Position => 4,
        Kind::Array => 5,
        Kind::Set => 6,
        Kind::Relation
        | Kind::Grid
        | Kind::Object
        | Kind::Queue
        | Kind::Function
        | Kind::Native
        | Kind::Variable => 7,
        Kind::Method => 7,
        Kind::Host => 8,
    }
}

impl Heap {
    /// The order of two frozen values; equal only if they are one word. Does not pause.
    #[inline]
    pub fn order(&self, a: Value, b: Value) -> Ordering {
        self.order_at_once(a, b)
            .unwrap_or_else(|| self.order_of_contents(a, b))
    }

    fn order_of_contents(&self, a: Value, b: Value) -> Ordering {
        let mut budget = Budget::unlimited();
        let order = Ordered::new(a, b).resume(self, &mut budget);
        self.record_work(budget.steps());
        if budget.steps() > LONG_COMPARISON {
            self.record_operation(budget.steps());
        }
        order.unwrap_or(Ordering::Equal)
    }

    /// The order of two frozen values, if that is quick to find.
    #[inline]
    pub(crate) fn order_at_once(&self, a: Value, b: Value) -> Option<Ordering> {
        if a == b {
            return Some(Ordering::Equal);
        }
        if a.both_integers(b) {
            return Some(a.scaled().cmp(&b.scaled()));
        }
        let ranks = rank(a.kind()).cmp(&rank(b.kind()));
        if ranks.is_ne() {
            return Some(ranks);
        }
        match a.kind() {
            Kind::Integer | Kind::Float | Kind::BoxedFloat => {
                let (x, y) = (self.as_f64(a).unwrap_or(0.0), self.as_f64(b).unwrap_or(0.0));
                Some(x.total_cmp(&y))
            }
            Kind::Boolean => Some(a.bits().cmp(&b.bits())),
            Kind::Text => {
                let (x, y) = (
                    self.text_at(a.payload()).string,
                    self.text_at(b.payload()).string,
                );
                (x.len().min(y.len()) < BLOCK).then(|| {
                    self.record_work(x.len().min(y.len()) / BYTES_OF_STEP);
                    x.cmp(y)
                })
            }
            Kind::Position => {
                let key = |value: Value| value.as_position().map(|(x, y)| (y, x));
                Some(key(a).cmp(&key(b)))
            }
            Kind::Array => {
                let (x, y) = (
                    self.arrays[a.payload()].slots.values(),
                    self.arrays[b.payload()].slots.values(),
                );
                self.order_rows_at_once(x, y, 4)
            }
            Kind::Set => {
                let (x, y) = (
                    self.sets[a.payload()].small_row()?,
                    self.sets[b.payload()].small_row()?,
                );
                self.order_rows_at_once(x, y, 1)
            }
            Kind::Host => Some(self.order_hosts(a, b)),
            // Several methods belong to one object.
            _ => Some(
                self.creation(a)
                    .cmp(&self.creation(b))
                    .then_with(|| a.bits().cmp(&b.bits())),
            ),
        }
    }

    /// The order of two rows, if they are short up to where they differ, and the differing elements have no parts.
    /// This costs one step.
    fn order_rows_at_once(
        &self,
        x: &[Value],
        y: &[Value],
        elements_of_step: usize,
    ) -> Option<Ordering> {
        let at = x
            .iter()
            .zip(y)
            .take(SHORT_ROW)
            .take_while(|(x, y)| x == y)
            .count();
        let order = match (x.get(at), y.get(at)) {
            (Some(_), Some(_)) if at == SHORT_ROW => None,
            (Some(x), Some(y))
                if matches!(x.kind(), Kind::Array | Kind::Set) && x.kind() == y.kind() =>
            {
                None
            }
            (Some(x), Some(y)) => self.order_at_once(*x, *y),
            _ => Some(x.len().cmp(&y.len())),
        };
        if order.is_some() {
            self.record_work(at / elements_of_step);
        }
        order
    }

    /// The order of two frozen values, by a running comparison if there is one. `None` if the budget is spent before
    /// it is known.
    #[inline(always)]
    pub fn order_in_pieces(
        &self,
        a: Value,
        b: Value,
        comparison: &mut Option<Box<Ordered>>,
        budget: &mut Budget,
    ) -> Option<Ordering> {
        if a.both_integers(b) {
            return Some(a.scaled().cmp(&b.scaled()));
        }
        self.order_of_others_in_pieces(a, b, comparison, budget)
    }

    /// As [`Heap::order_in_pieces`], for values that are not both integers.
    fn order_of_others_in_pieces(
        &self,
        a: Value,
        b: Value,
        comparison: &mut Option<Box<Ordered>>,
        budget: &mut Budget,
    ) -> Option<Ordering> {
        if comparison.is_none() {
            let work_before = self.recorded_work();
            if let Some(order) = self.order_at_once(a, b) {
                self.charge_recorded_since(budget, work_before);
                return Some(order);
            }
        }
        let mut ordered = comparison
            .take()
            .map_or_else(|| Ordered::new(a, b), |comparison| *comparison);
        let order = ordered.resume(self, budget);
        if order.is_none() {
            *comparison = Some(Box::new(ordered));
        }
        order
    }

    /// The place in the order of creation; built-ins come before everything that a program makes.
    pub(crate) fn creation(&self, value: Value) -> (u8, u64) {
        let handle = value.payload();
        match value.kind() {
            Kind::Relation => (1, self.relations[handle].sequence),
            Kind::Grid => (1, self.grids[handle].sequence),
            Kind::Object => (1, self.objects[handle].sequence),
            Kind::Queue => (1, self.queues[handle].sequence),
            Kind::Function => (1, self.functions[handle].sequence),
            Kind::Method => (1, self.hosts.places[handle].sequence),
            _ => (0, handle as u64),
        }
    }

    /// Whether equality of two different words depends on their contents.
    #[inline]
    pub fn may_be_equal(&self, a: Value, b: Value) -> bool {
        a.may_equal_another()
            && b.may_equal_another()
            && match (a.kind(), b.kind()) {
                (Kind::Text, Kind::Text) => !self.are_different_texts(a, b),
                (a, b) => a == b,
            }
    }
}

/// Rows that differ before this element are compared at once.
const SHORT_ROW: usize = 32;
/// A comparison of at least this number of steps is reported to hosts as an operation.
const LONG_COMPARISON: usize = 1 << 12;
/// Bytes of texts that are compared in a step.
const BYTES_OF_STEP: usize = 64;
/// At most this many bytes of texts are compared at a time.
const BLOCK: usize = 1 << 14;

/// A running comparison of two frozen values. Their parts must stay alive, as they do while the caller roots both
/// values.
#[derive(Clone, Debug)]
pub struct Ordered {
    a: Value,
    b: Value,
    /// Arrays or texts are equal up to here.
    from: usize,
    difference: Option<Difference>,
}

impl Ordered {
    fn new(a: Value, b: Value) -> Ordered {
        Ordered {
            a,
            b,
            from: 0,
            difference: None,
        }
    }

    /// Continues; returns the order, `None` if the budget is spent. It only ever descends, into the first elements
    /// that differ.
    fn resume(&mut self, heap: &Heap, budget: &mut Budget) -> Option<Ordering> {
        loop {
            if budget.is_spent() {
                return None;
            }
            let (a, b) = (self.a, self.b);
            match a.kind() {
                Kind::Text if b.is_kind(Kind::Text) => {
                    let [x, y] = [a, b].map(|side| heap.text_at(side.payload()).string.as_bytes());
                    let block = |text: &'_ [u8]| {
                        self.from.min(text.len())..text.len().min(self.from + BLOCK)
                    };
                    let (x, y) = (&x[block(x)], &y[block(y)]);
                    budget.spend(x.len().min(y.len()) * VISITS_OF_STEP / BYTES_OF_STEP);
                    let order = x.cmp(y);
                    if order.is_ne() || x.len() < BLOCK {
                        return Some(order);
                    }
                    self.from += BLOCK;
                    continue;
                }
                Kind::Array if b.is_kind(Kind::Array) => {
                    let [x, y] = [a, b].map(|side| heap.arrays[side.payload()].slots.values());
                    let end = x
                        .len()
                        .min(y.len())
                        .min(self.from.saturating_add(budget.room_for(1)));
                    let pairs = x[self.from..end].iter().zip(&y[self.from..end]);
                    let equal = pairs.take_while(|(x, y)| x == y).count();
                    budget.spend(equal + 1);
                    self.from += equal;
                    match (x.get(self.from), y.get(self.from)) {
                        (Some(x), Some(y)) if x == y => continue,
                        (Some(x), Some(y)) => (self.a, self.b) = (*x, *y),
                        _ => return Some(x.len().cmp(&y.len())),
                    }
                }
                Kind::Set if b.is_kind(Kind::Set) => {
                    let difference = self
                        .difference
                        .get_or_insert_with(|| Difference::new(heap, a, b));
                    match difference.resume(heap, budget)? {
                        (Some(x), Some(y)) => (self.a, self.b) = (x, y),
                        (x, y) => return Some(x.is_some().cmp(&y.is_some())),
                    }
                }
                _ => {}
            }
            (self.from, self.difference) = (0, None);
            let work_before = heap.recorded_work();
            if let Some(order) = heap.order_at_once(self.a, self.b) {
                heap.charge_recorded_since(budget, work_before);
                return Some(order);
            }
        }
    }
}

/// Compares the contents of two values; can stop and resume.
///
/// Arrays that were compared with each other are taken as equal from then on, so that cycles end, and in classes
/// (Hopcroft and Karp, 1971), so that the work is that of visiting each array once however many pairs there are. So
/// are texts that are too long to be compared at once.
#[derive(Clone, Debug)]
pub struct CompareWalk {
    arrays: Classes,
    texts: Classes,
    /// Pairs of arrays that are still to be compared, from an index on.
    work: Vec<(Handle, Handle, usize)>,
    /// Two values that are no arrays; for texts the bytes from an index on.
    leaves: Option<(Value, Value, usize)>,
    is_first: bool,
}

impl CompareWalk {
    pub fn new(a: Value, b: Value) -> CompareWalk {
        let are_arrays = a.is_kind(Kind::Array) && b.is_kind(Kind::Array);
        CompareWalk {
            arrays: Classes::default(),
            texts: Classes::default(),
            work: if are_arrays {
                vec![(a.payload(), b.payload(), 0)]
            } else {
                Vec::new()
            },
            leaves: if are_arrays { None } else { Some((a, b, 0)) },
            is_first: true,
        }
    }

    /// Continues; returns whether they are equal, `None` if the budget is spent.
    pub fn resume(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<bool> {
        loop {
            if self.leaves.is_some() && !self.compare_leaves(heap, budget)? {
                return Some(false);
            }
            let Some((a, b, from)) = self.work.pop() else {
                return Some(true);
            };
            if budget.is_spent() {
                self.work.push((a, b, from));
                return None;
            }
            if from == 0 {
                budget.spend(4);
                // Most arrays hold no arrays: then there is nothing to record.
                if !self.is_first && !self.arrays.join(a, b) {
                    continue;
                }
                if heap.array_len(a) != heap.array_len(b) {
                    return Some(false);
                }
                let work_before = heap.recorded_work();
                heap.elements(a);
                heap.elements(b);
                heap.charge_recorded_since(budget, work_before);
            }
            if !self.compare_rows(heap, (a, b, from), budget) {
                return Some(false);
            }
            if self.is_first && !self.work.is_empty() {
                self.arrays.join(a, b);
            }
            self.is_first = false;
        }
    }

    /// Compares the next elements of two arrays up to the first leaves that are different words, and puts arrays among
    /// them on the list; false if they are not equal.
    fn compare_rows(
        &mut self,
        heap: &Heap,
        (a, b, from): (Handle, Handle, usize),
        budget: &mut Budget,
    ) -> bool {
        let (x, y) = (heap.arrays[a].slots.values(), heap.arrays[b].slots.values());
        let count = x.len().min(y.len());
        // If all of them are arrays, each costs this number of visits.
        let end = count.min(from.saturating_add(budget.room_for(12)));
        // Later elements are compared later, after the arrays among these.
        let rest = (end < count).then_some(self.work.len());
        self.work.extend(rest.map(|_| (a, b, end)));
        let height = self.work.len();
        let mut next = end;
        for at in from..end {
            let (x, y) = (x[at], y[at]);
            if x == y {
                continue;
            }
            if x.is_kind(Kind::Array) && y.is_kind(Kind::Array) {
                let pair = (x.payload(), y.payload(), 0);
                // Often one pair repeats many times in a row.
                if self.work.last() != Some(&pair) {
                    self.work.push(pair);
                }
            } else if heap.may_be_equal(x, y) {
                (self.leaves, next) = (Some((x, y, 0)), at + 1);
                break;
            } else {
                return false;
            }
        }
        budget.spend(next.saturating_sub(from) + 12 * (self.work.len() - height));
        match rest {
            Some(rest) => self.work[rest].2 = next,
            None if next < count => self.work.push((a, b, next)),
            None => {}
        }
        true
    }

    /// Continues comparing values other than arrays; returns whether they are equal, `None` if not known yet.
    fn compare_leaves(&mut self, heap: &Heap, budget: &mut Budget) -> Option<bool> {
        let Some((a, b, from)) = &mut self.leaves else {
            return Some(true);
        };
        if budget.is_spent() {
            return None;
        }
        let (Some(x), Some(y)) = (heap.as_str(*a), heap.as_str(*b)) else {
            let work_before = heap.recorded_work();
            let equal = heap.equal_hosts(*a, *b);
            heap.charge_recorded_since(budget, work_before);
            self.leaves = None;
            return Some(equal);
        };
        let is_known = heap.are_different_texts(*a, *b)
            || x.len() >= BLOCK && *from == 0 && !self.texts.join(a.payload(), b.payload());
        if is_known {
            let equal = !heap.are_different_texts(*a, *b);
            self.leaves = None;
            return Some(equal);
        }
        let (x, y) = (x.as_bytes(), y.as_bytes());
        while *from < x.len() {
            if budget.is_spent() {
                return None;
            }
            let end = x.len().min(*from + BLOCK);
            budget.spend((end - *from) / BYTES_OF_STEP * VISITS_OF_STEP);
            if x[*from..end] != y[*from..end] {
                return Some(false);
            }
            *from = end;
        }
        self.leaves = None;
        Some(true)
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.work) + self.arrays.bytes() + self.texts.bytes()
    }
}

/// Arrays, or texts, that are taken as equal.
#[derive(Clone, Debug, Default)]
struct Classes {
    numbers: KeyedMap<Handle, u32>,
    /// For each array the number of one in its class; its own for the representative of the class.
    parents: Vec<u32>,
}

impl Classes {
    /// The class of arrays that are assumed to be equal to this one (union-find).
    fn class(&mut self, array: Handle) -> u32 {
        let new = self.parents.len() as u32;
        let mut at = *self.numbers.entry(array).or_insert(new);
        if at == new {
            self.parents.push(new);
        }
        while self.parents[at as usize] != at {
            let above = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = above;
            at = above;
        }
        at
    }

    fn bytes(&self) -> usize {
        room::hash_map(self.numbers.capacity(), 8) + room::row(&self.parents)
    }

    /// Makes one class of those of two arrays; false if they were one before.
    fn join(&mut self, a: Handle, b: Handle) -> bool {
        let (a, b) = (self.class(a), self.class(b));
        self.parents[a as usize] = b;
        a != b
    }
}
