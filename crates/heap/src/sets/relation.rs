//! Relations: immutable sets of pairs, with both images stored.

mod in_heap;

use crate::value::Value;
pub use in_heap::RelationFromPairs;
use ndscript_base::keyed::KeyedSet;
use ndscript_base::room::{block, hash_map};

/// A relation. Its values are frozen, as in sets.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// Sorted by left, then right, without repetition.
    pub pairs: Box<[(Value, Value)]>,
    pairs_by_right: Box<[(Value, Value)]>,
    members: KeyedSet<(Value, Value)>,
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
    /// The pairs, sorted by where images of a side begin.
    #[inline]
    pub fn pairs_by(&self, side: Side) -> &[(Value, Value)] {
        if side == Side::Left {
            &self.pairs_by_right
        } else {
            &self.pairs
        }
    }

    pub fn contains(&self, left: Value, right: Value) -> bool {
        self.members.contains(&(left, right))
    }

    pub fn bytes(&self) -> usize {
        2 * block(self.pairs.len() * 16) + hash_map(self.members.capacity(), 16)
    }
}

impl Side {
    /// The other side of a pair: where an image begins.
    #[inline]
    pub fn here(self, pair: &(Value, Value)) -> Value {
        if self == Side::Left { pair.1 } else { pair.0 }
    }

    /// This side.
    #[inline]
    pub fn there(self, pair: &(Value, Value)) -> Value {
        if self == Side::Left { pair.0 } else { pair.1 }
    }
}

impl ndscript_base::codec::Saved for Relation {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Relation {
            pairs,
            pairs_by_right: _,
            members: _,
            sequence,
        } = self;
        pairs.save(out);
        sequence.save(out);
    }

    /// The indexes are made when all values are there.
    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Relation, ndscript_base::codec::Unsound> {
        let pairs: Box<[(Value, Value)]> = Box::load(from)?;
        from.make_room::<(Value, Value)>(pairs.len() * 2)?;
        Ok(Relation {
            pairs,
            sequence: u64::load(from)?,
            ..Relation::default()
        })
    }
}
