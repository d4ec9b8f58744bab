//! Relations in the heap, and the walk that makes one from pairs.

use super::Relation;
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use crate::walks::sorting::{RightSideOrder, SortWalk, Sortable};
use ndscript_base::budget::Budget;
use ndscript_base::keyed::KeyedSet;
use ndscript_base::room;
use ndscript_base::room::{block, hash_map};

impl Relation {
    /// Sorts indexes of the pairs by their right sides, and by both.
    pub(crate) fn index(&mut self, heap: &Heap) {
        self.pairs_by_right = self.pairs.clone();
        self.pairs_by_right.sort_by(|a, b| heap.order(a.1, b.1));
        self.members = self.pairs.iter().copied().collect();
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
            heap.relations.add(relation, &mut heap.account.bytes),
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
