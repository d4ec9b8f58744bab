//! The content of values, independent of their places in memory.
//!
//! The shape of a tree depends on this and not on handles: these depend on when garbage was collected, and the steps
//! of a run must not.

use super::hashes::{Hashes, WordsHash, scramble};
use super::store::heap::Heap;
use super::value::{Kind, Value};

/// These bits keep texts, and values that are distinguished by when they were made, apart from numbers.
const TEXT: u64 = 1 << 40;
const MADE: u64 = 1 << 56;

impl Heap {
    /// A word for a value that can be in a set. Equal values have equal words; different ones nearly always different
    /// words.
    #[inline]
    pub(super) fn content(&self, value: Value) -> u64 {
        match value.kind() {
            Kind::Array => u64::from(self.arrays[value.payload()].hash().content),
            Kind::Text => TEXT | u64::from(self.texts[value.payload()].hash()),
            Kind::Set => u64::from(self.sets[value.payload()].content()),
            Kind::BoxedFloat => self.floats[value.payload()].to_bits(),
            Kind::Relation
            | Kind::Grid
            | Kind::Object
            | Kind::Queue
            | Kind::Function
            | Kind::Method => MADE | self.creation(value).1,
            Kind::Host => MADE | self.hosts.places[value.payload()].sequence,
            _ => value.bits(),
        }
    }

    /// Adds a row of values to a hash.
    #[inline]
    pub fn add_contents(&self, hash: &mut WordsHash, values: &[Value]) {
        values
            .iter()
            .for_each(|value| hash.add(self.content(*value), *value));
    }

    /// The hashes of a row of values.
    pub(super) fn hash_contents(&self, values: &[Value]) -> Hashes {
        let mut hash = WordsHash::of(values.len());
        self.add_contents(&mut hash, values);
        hash.finish()
    }

    /// Whether one element is above another in a tree. Of two different ones exactly one is.
    #[inline]
    pub(super) fn is_above(&self, a: Value, b: Value) -> bool {
        let (x, y) = (scramble(self.content(a)), scramble(self.content(b)));
        x > y || x == y && self.order(a, b).is_gt()
    }
}
