//! The order of frozen values, and the equality of all values.

use std::cmp::Ordering;

use rustc_hash::FxHashSet;

use super::heap::Heap;
use super::value::{Kind, Value};

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
    }
}

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
                Kind::Text => return self.texts[a.payload()].string.cmp(&self.texts[b.payload()].string),
                Kind::Position => {
                    let key = |value: Value| value.as_position().map(|(x, y)| (y, x));
                    return key(a).cmp(&key(b));
                }
                Kind::Array => {
                    let (x, y) = (self.arrays[a.payload()].slots.values(), self.arrays[b.payload()].slots.values());
                    match x.iter().zip(y).find(|(x, y)| x != y) {
                        Some((x, y)) => (a, b) = (*x, *y),
                        None => return x.len().cmp(&y.len()),
                    }
                }
                Kind::Set => match self.first_difference(a, b) {
                    (Some(x), Some(y)) => (a, b) = (x, y),
                    (x, y) => return x.is_some().cmp(&y.is_some()),
                },
                _ => return self.creation(a).cmp(&self.creation(b)),
            }
        }
    }

    fn first_difference(&self, a: Value, b: Value) -> (Option<Value>, Option<Value>) {
        let mut at = 0;
        loop {
            let (x, y) = (self.set_get(a, at), self.set_get(b, at));
            if x != y || x.is_none() {
                return (x, y);
            }
            at += 1;
        }
    }

    /// The place in the order of creation; built-ins come before everything that a program makes.
    fn creation(&self, value: Value) -> (u8, u64) {
        let handle = value.payload();
        match value.kind() {
            Kind::Relation => (1, self.relations[handle].sequence),
            Kind::Grid => (1, self.grids[handle].sequence),
            Kind::Object => (1, self.objects[handle].sequence),
            Kind::Queue => (1, self.queues[handle].sequence),
            Kind::Function => (1, self.functions[handle].sequence),
            _ => (0, handle as u64),
        }
    }

    /// Whether two values are equal: arrays and sets by content, all else by the word.
    #[inline]
    pub fn equal(&mut self, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        if a.is_kind(Kind::Array) && b.is_kind(Kind::Array) { self.equal_arrays(a, b) } else { false }
    }

    /// Compares contents without recursion; pairs that were met before are taken as equal, so that cycles end and
    /// shared parts are compared once.
    fn equal_arrays(&mut self, a: Value, b: Value) -> bool {
        let mut met: FxHashSet<(Value, Value)> = FxHashSet::default();
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            if a == b {
                continue;
            }
            if !a.is_kind(Kind::Array) || !b.is_kind(Kind::Array) {
                return false;
            }
            if !met.insert((a, b)) {
                continue;
            }
            let (a, b) = (a.payload(), b.payload());
            if self.array_len(a) != self.array_len(b) {
                return false;
            }
            self.elements(a);
            self.elements(b);
            let (x, y) = (self.arrays[a].slots.values(), self.arrays[b].slots.values());
            self.comparisons += x.len() as u64;
            for (x, y) in x.iter().zip(y) {
                if x != y {
                    if !x.is_kind(Kind::Array) || !y.is_kind(Kind::Array) {
                        return false;
                    }
                    work.push((*x, *y));
                }
            }
        }
        true
    }
}
