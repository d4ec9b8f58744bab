//! The order of frozen values, and the equality of all values.

use std::cmp::Ordering;

use crate::keyed::KeyedMap;

use super::budget::Budget;
use super::heap::Heap;
use super::room;
use super::value::{Handle, Kind, Value};

/// The classes of the order, lowest first.
fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Null | Kind::Unset => 0,
        Kind::Boolean => 1,
        Kind::Integer | Kind::Float | Kind::BoxedFloat => 2,
        Kind::Text => 3,
        Kind::Position => 4,
        Kind::Array => 5,
        Kind::Set => 6,
        Kind::Relation | Kind::Grid | Kind::Object | Kind::Queue | Kind::Function | Kind::Native | Kind::Variable => 7,
        Kind::Method => 7,
        Kind::Host => 8,
    }
}

/// A comparison of so many visits is an operation of which hosts are told.
const LONG_COMPARISON: usize = 1 << 12;

impl Heap {
    /// The order of two frozen values; equal only if they are the same word. Descends without recursion.
    pub fn order(&self, mut a: Value, mut b: Value) -> Ordering {
        loop {
            if a == b {
                return Ordering::Equal;
            }
            if a.both_integers(b) {
                return a.scaled().cmp(&b.scaled());
            }
            let ranks = rank(a.kind()).cmp(&rank(b.kind()));
            if ranks.is_ne() {
                return ranks;
            }
            match a.kind() {
                Kind::Integer | Kind::Float | Kind::BoxedFloat => {
                    let (x, y) = (self.as_f64(a).unwrap_or(0.0), self.as_f64(b).unwrap_or(0.0));
                    return x.total_cmp(&y);
                }
                Kind::Boolean => return a.bits().cmp(&b.bits()),
                Kind::Text => {
                    let (x, y) = (self.text_at(a.payload()).string, self.text_at(b.payload()).string);
                    self.note_comparison(x.len().min(y.len()) / 64);
                    return x.cmp(y);
                }
                Kind::Position => {
                    let key = |value: Value| value.as_position().map(|(x, y)| (y, x));
                    return key(a).cmp(&key(b));
                }
                Kind::Array => {
                    let (x, y) = (self.arrays[a.payload()].slots.values(), self.arrays[b.payload()].slots.values());
                    let at = x.iter().zip(y).take_while(|(x, y)| x == y).count();
                    self.note_comparison(at / 4);
                    match (x.get(at), y.get(at)) {
                        (Some(x), Some(y)) => (a, b) = (*x, *y),
                        _ => return x.len().cmp(&y.len()),
                    }
                }
                Kind::Set => match self.first_difference(a, b) {
                    (Some(x), Some(y)) => (a, b) = (x, y),
                    (x, y) => return x.is_some().cmp(&y.is_some()),
                },
                Kind::Host => return self.order_hosts(a, b),
                // Of methods several belong to one object.
                _ => return self.creation(a).cmp(&self.creation(b)).then_with(|| a.bits().cmp(&b.bits())),
            }
        }
    }

    /// Notes one comparison, which is not cut into pieces.
    #[inline]
    fn note_comparison(&self, visits: usize) {
        self.note_work(visits);
        if visits > LONG_COMPARISON {
            self.note_operation(visits);
        }
    }

    /// The place in the order of creation; built-ins come before everything that a program makes.
    pub(super) fn creation(&self, value: Value) -> (u8, u64) {
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

    /// Whether two values are equal: arrays and long texts by content, values of the host as it says, all else by the word.
    #[inline]
    pub fn equal(&mut self, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        if !a.may_equal_another() || !b.may_equal_another() {
            return false;
        }
        if a.is_kind(Kind::Array) && b.is_kind(Kind::Array) { self.equal_arrays(a, b) } else { self.equal_leaves(a, b) }
    }

    /// The same of two words that are different, not both arrays, of which others may be equal.
    fn equal_leaves(&self, a: Value, b: Value) -> bool {
        if a.is_kind(Kind::Text) && b.is_kind(Kind::Text) { self.equal_texts(a, b) } else { self.equal_hosts(a, b) }
    }

    /// Compares contents, all at once.
    fn equal_arrays(&mut self, a: Value, b: Value) -> bool {
        let mut comparing = Comparing::new(a, b);
        let mut budget = Budget::unlimited();
        let equal = comparing.go(self, &mut budget).unwrap_or(false);
        self.note_work(budget.steps());
        equal
    }
}

/// Compares the contents of two arrays; can stop and go on.
///
/// Arrays that were found together are taken as equal from then on, so that cycles end, and in classes (Hopcroft and
/// Karp, 1971), so that the work is that of looking at each array once however many pairs of them meet.
#[derive(Clone, Debug)]
pub struct Comparing {
    classes: Classes,
    /// Pairs of arrays that are still to be compared, from an index on.
    work: Vec<(Handle, Handle, usize)>,
    is_first: bool,
}

impl Comparing {
    pub fn new(a: Value, b: Value) -> Comparing {
        Comparing { classes: Classes::default(), work: vec![(a.payload(), b.payload(), 0)], is_first: true }
    }

    /// Goes on; whether they are equal, when that is known.
    pub fn go(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<bool> {
        while let Some((a, b, from)) = self.work.pop() {
            if budget.is_spent() {
                self.work.push((a, b, from));
                return None;
            }
            if from == 0 {
                budget.spend(4);
                // Most arrays hold no arrays: then there is nothing to remember.
                if !self.is_first && !self.classes.join(a, b) {
                    continue;
                }
                if heap.array_len(a) != heap.array_len(b) {
                    return Some(false);
                }
                let noted = heap.noted_work();
                heap.elements(a);
                heap.elements(b);
                budget.include_since(heap, noted);
            }
            let (x, y) = (heap.arrays[a].slots.values(), heap.arrays[b].slots.values());
            // Where all of them are arrays, each takes so many visits.
            let end = x.len().min(y.len()).min(from.saturating_add(budget.room_for(12)));
            if end < x.len() {
                self.work.push((a, b, end));
            }
            budget.spend(end.saturating_sub(from));
            let height = self.work.len();
            for (x, y) in x[from.min(end)..end].iter().zip(&y[from.min(end)..end]) {
                if x == y {
                    continue;
                }
                if x.is_kind(Kind::Array) && y.is_kind(Kind::Array) {
                    let pair = (x.payload(), y.payload(), 0);
                    // Often the same pair comes many times in a row.
                    if self.work.last() != Some(&pair) {
                        self.work.push(pair);
                    }
                } else if !(x.may_equal_another() && y.may_equal_another() && heap.equal_leaves(*x, *y)) {
                    return Some(false);
                }
            }
            budget.spend(12 * (self.work.len() - height));
            if self.is_first && !self.work.is_empty() {
                self.classes.join(a, b);
            }
            self.is_first = false;
        }
        Some(true)
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.work) + self.classes.bytes()
    }
}

/// Arrays that are taken as equal.
#[derive(Clone, Debug, Default)]
struct Classes {
    numbers: KeyedMap<Handle, u32>,
    /// For each array the number of one in its class; its own for one that stands for the class.
    parents: Vec<u32>,
}

impl Classes {
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
