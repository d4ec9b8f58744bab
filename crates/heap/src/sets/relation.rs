//! Relations: immutable sets of pairs, with both images stored.

use ndscript_base::keyed::KeyedSet;

use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use crate::walks::sorting::{RightSideOrder, SortWalk, Sortable};
use ndscript_base::budget::Budget;
use ndscript_base::room::{self, block, hash_map};

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

    /// Sorts indexes of the pairs by their right sides, and by both.
    pub(crate) fn index(&mut self, heap: &Heap) {
        self.pairs_by_right = self.pairs.clone();
        self.pairs_by_right.sort_by(|a, b| heap.order(a.1, b.1));
        self.members = self.pairs.iter().copied().collect();
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

impl Heap {
    /// The relation of these pairs of frozen values. All at once.
    pub fn relation(&mut self, pairs: Vec<(Value, Value)>) -> Value {
        let mut budget = Budget::unlimited();
        RelationFromPairs::new(pairs)
            .resume(self, &mut budget)
            .unwrap_or(Value::NULL)
    }

    /// Moves the pairs of one relation into another that is being built.
    pub fn move_pairs(&mut self, from: Handle, to: Handle) {
        let sequence = self.relations[to].sequence;
        self.relations[to] = Relation {
            sequence,
            ..std::mem::take(&mut self.relations[from])
        };
    }
}

/// The making of a relation; it can stop and resume.
#[derive(Clone, Debug)]
pub enum RelationFromPairs {
    Sorting(SortWalk<(Value, Value)>),
    /// Equal pairs are removed; the others are entered in the indexes of both sides.
    Entering {
        pairs: Vec<(Value, Value)>,
        kept: usize,
        at: usize,
        by_right: Vec<(Value, Value)>,
        members: KeyedSet<(Value, Value)>,
    },
    SortingByRight {
        pairs: Box<[(Value, Value)]>,
        sorting: SortWalk<(Value, Value), RightSideOrder>,
        members: KeyedSet<(Value, Value)>,
    },
}

impl RelationFromPairs {
    pub fn new(pairs: Vec<(Value, Value)>) -> RelationFromPairs {
        RelationFromPairs::Sorting(SortWalk::new(pairs))
    }

    /// Continues; the relation when it is done.
    pub fn resume(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<Value> {
        let mut relation = self.relation(heap, budget)?;
        relation.sequence = heap.next_sequence();
        heap.allocated(relation.bytes());
        Some(Value::handle(
            Kind::Relation,
            heap.relations.add(relation, &mut heap.bytes),
        ))
    }

    /// As `resume`, without a place among the relations.
    fn relation(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<Relation> {
        loop {
            match self {
                RelationFromPairs::Sorting(sorting) => {
                    if !sorting.resume(heap, budget) {
                        return None;
                    }
                    let pairs = std::mem::replace(sorting, SortWalk::new(Vec::new())).into_items();
                    let members =
                        KeyedSet::with_capacity_and_hasher(pairs.len(), Default::default());
                    *self = RelationFromPairs::Entering {
                        pairs,
                        kept: 0,
                        at: 0,
                        by_right: Vec::new(),
                        members,
                    };
                }
                RelationFromPairs::Entering {
                    pairs,
                    kept,
                    at,
                    by_right,
                    members,
                } => {
                    while *at < pairs.len() {
                        if budget.is_spent() {
                            return None;
                        }
                        budget.spend(12);
                        let pair = pairs[*at];
                        if members.insert(pair) {
                            pairs[*kept] = pair;
                            *kept += 1;
                            room::grow(by_right, 1);
                            by_right.push(pair);
                        }
                        *at += 1;
                    }
                    pairs.truncate(*kept);
                    let sorting = SortWalk::new(std::mem::take(by_right));
                    let (pairs, members) = (
                        std::mem::take(pairs).into_boxed_slice(),
                        std::mem::take(members),
                    );
                    *self = RelationFromPairs::SortingByRight {
                        pairs,
                        sorting,
                        members,
                    };
                }
                RelationFromPairs::SortingByRight {
                    pairs,
                    sorting,
                    members,
                } => {
                    if !sorting.resume(heap, budget) {
                        return None;
                    }
                    let by_right =
                        std::mem::replace(sorting, SortWalk::new(Vec::new())).into_items();
                    return Some(Relation {
                        pairs: std::mem::take(pairs),
                        pairs_by_right: by_right.into_boxed_slice(),
                        members: std::mem::take(members),
                        sequence: 0,
                    });
                }
            }
        }
    }

    /// Shows the values in it.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        match self {
            RelationFromPairs::Sorting(sorting) => sorting.values(visit),
            RelationFromPairs::Entering { pairs, .. } => {
                pairs.iter().for_each(|pair| pair.values(visit))
            }
            RelationFromPairs::SortingByRight { pairs, .. } => {
                pairs.iter().for_each(|pair| pair.values(visit))
            }
        }
    }

    pub fn bytes(&self) -> usize {
        let table = |members: &KeyedSet<(Value, Value)>| hash_map(members.capacity(), 16);
        match self {
            RelationFromPairs::Sorting(sorting) => sorting.bytes(),
            RelationFromPairs::Entering {
                pairs,
                by_right,
                members,
                ..
            } => room::row(pairs) + room::row(by_right) + table(members),
            RelationFromPairs::SortingByRight {
                pairs,
                sorting,
                members,
            } => block(pairs.len() * 16) + sorting.bytes() + table(members),
        }
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
