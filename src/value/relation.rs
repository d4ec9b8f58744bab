//! Relations: immutable sets of pairs, with both images at hand.

use rustc_hash::FxHashSet;

use super::heap::Heap;
use super::memo::MemoKey;
use super::room::{block, hash_map};
use super::value::{Handle, Kind, Value};

/// A relation. Its values are frozen, as in sets.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// Sorted by left, then right, without repetition.
    pub pairs: Box<[(Value, Value)]>,
    pairs_by_right: Box<[(Value, Value)]>,
    members: FxHashSet<(Value, Value)>,
    /// Its place in the order of creation.
    pub sequence: u64,
}

/// Which side of the pairs an image collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

impl Relation {
    pub fn contains(&self, left: Value, right: Value) -> bool {
        self.members.contains(&(left, right))
    }

    /// Makes of the pairs what finds them by their right sides, and by both.
    pub(super) fn index(&mut self, heap: &Heap) {
        self.pairs_by_right = self.pairs.clone();
        self.pairs_by_right.sort_by(|a, b| heap.order(a.1, b.1));
        self.members = self.pairs.iter().copied().collect();
    }

    pub fn bytes(&self) -> usize {
        2 * block(self.pairs.len() * 16) + hash_map(self.members.capacity(), 16)
    }
}

impl Heap {
    /// The relation of these pairs of frozen values.
    pub fn relation(&mut self, pairs: Vec<(Value, Value)>) -> Value {
        let sequence = self.next_sequence();
        let relation = self.relations.add(Relation { sequence, ..Relation::default() }, &mut self.bytes);
        self.fill_relation(relation, pairs);
        Value::handle(Kind::Relation, relation)
    }

    /// Gives a relation that has no pairs, and that nobody has seen, these pairs of frozen values.
    pub(super) fn fill_relation(&mut self, relation: Handle, mut pairs: Vec<(Value, Value)>) {
        pairs.sort_by(|a, b| self.order(a.0, b.0).then_with(|| self.order(a.1, b.1)));
        pairs.dedup();
        let sequence = self.relations[relation].sequence;
        let mut filled = Relation { pairs: pairs.into_boxed_slice(), sequence, ..Relation::default() };
        filled.index(self);
        self.allocated(filled.bytes());
        self.relations[relation] = filled;
    }

    /// The set of everything on one side of the pairs whose other side is in a set. Returns its charge as
    /// well, by how many pairs and elements were looked at.
    pub fn image(&mut self, relation: Handle, set: Value, side: Side) -> (Value, usize) {
        let key = if side == Side::Left { MemoKey::LeftImage } else { MemoKey::RightImage };
        let operand = Value::handle(Kind::Relation, relation);
        if let Some(found) = self.memo.get(key, operand, set) {
            return found;
        }
        let elements = self.set_elements(set);
        let mut image = Vec::new();
        {
            let relation = &self.relations[relation];
            let pairs = if side == Side::Left { &relation.pairs_by_right } else { &relation.pairs };
            let here = |pair: &(Value, Value)| if side == Side::Left { pair.1 } else { pair.0 };
            let there = |pair: &(Value, Value)| if side == Side::Left { pair.0 } else { pair.1 };
            for element in &elements {
                let from = pairs.partition_point(|pair| self.order(here(pair), *element).is_lt());
                image.extend(pairs[from..].iter().take_while(|pair| here(pair) == *element).map(there));
            }
        }
        let charge = (elements.len() + image.len()).div_ceil(2);
        let result = self.set_of_frozen(image);
        self.memo.put(key, operand, set, result, charge);
        (result, charge)
    }
}

#[cfg(feature = "save")]
impl crate::codec::Saved for Relation {
    fn save(&self, out: &mut crate::codec::Writer) {
        let Relation { pairs, pairs_by_right: _, members: _, sequence } = self;
        pairs.save(out);
        sequence.save(out);
    }

    /// The indexes are made when all values are there.
    fn load(from: &mut crate::codec::Reader<'_>) -> Result<Relation, crate::codec::Unsound> {
        let pairs: Box<[(Value, Value)]> = Box::load(from)?;
        from.make_room::<(Value, Value)>(pairs.len() * 2)?;
        Ok(Relation { pairs, sequence: u64::load(from)?, ..Relation::default() })
    }
}
