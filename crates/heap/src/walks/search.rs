//! Finds the place of a value in a set, or among the pairs of a relation; can stop and resume.

use std::cmp::Ordering;

use super::compare::Ordered;
use crate::sets::relation::Side;
use crate::sets::treap::{NIL, TreapPath, USUAL_LENGTH};
use crate::store::heap::Heap;
use crate::value::{Handle, Value};
use ndscript_base::budget::Budget;

/// A running search. What it searches must stay alive, and so must the value.
#[derive(Clone, Debug)]
pub struct ElementSearch {
    wanted: Value,
    range: Range,
    comparing: Option<Box<Ordered>>,
}

/// Where the value may still be.
#[derive(Clone, Debug)]
enum Range {
    /// In a tree below the nodes that were passed, each with whether it is to their right.
    Tree {
        at: Handle,
        above: Vec<(Handle, bool)>,
    },
    /// Among the elements of a small set from one on and before another.
    Row {
        set: Handle,
        low: usize,
        high: usize,
    },
    /// The first of its pairs, likewise.
    Pairs {
        relation: Handle,
        side: Side,
        low: usize,
        high: usize,
    },
}

/// Where a value is in a set, or would be.
#[derive(Clone)]
pub struct ElementPlace {
    /// The path to it, if the set is a tree.
    pub path: Option<TreapPath>,
    /// How many elements come before it, if the set is not a tree.
    pub index: usize,
    pub is_found: bool,
}

impl Heap {
    /// Where a value is in a set, or would be, if comparing it with elements does not take long.
    pub fn place_at_once(&self, set: Value, wanted: Value) -> Option<ElementPlace> {
        let found = &self.sets[set.payload()];
        let mut budget = Budget::at_once();
        let place = match found.small_row() {
            Some(row) => match row.iter().position(|other| *other == wanted) {
                Some(index) => ElementPlace {
                    path: None,
                    index,
                    is_found: true,
                },
                None => {
                    let (mut low, mut high) = (0, row.len());
                    while low < high {
                        let middle = (low + high) / 2;
                        match self.order_in_pieces(wanted, row[middle], &mut None, &mut budget)? {
                            Ordering::Greater => low = middle + 1,
                            _ => high = middle,
                        }
                    }
                    ElementPlace {
                        path: None,
                        index: low,
                        is_found: false,
                    }
                }
            },
            None => {
                let mut above = Vec::with_capacity(USUAL_LENGTH);
                let at = self.go_at_once(found.root(), wanted, &mut budget, |node, right| {
                    above.push((node, right))
                })?;
                ElementPlace {
                    path: Some(self.path_through(above, at)),
                    index: 0,
                    is_found: at != NIL,
                }
            }
        };
        self.record_work(budget.steps());
        Some(place)
    }

    /// Whether a set has a value, if comparing it with elements does not take long.
    pub fn has_at_once(&self, set: Value, wanted: Value) -> Option<bool> {
        let found = &self.sets[set.payload()];
        if let Some(row) = found.small_row() {
            return Some(row.contains(&wanted));
        }
        let (mut budget, mut depth) = (Budget::at_once(), 0);
        let at = self.go_at_once(found.root(), wanted, &mut budget, |_, _| depth += 1)?;
        self.record_depth(depth + usize::from(at != NIL));
        self.record_work(budget.steps());
        Some(at != NIL)
    }

    /// Walks to the node of a value, and reports the nodes above it and whether it is to their right.
    #[inline]
    fn go_at_once(
        &self,
        mut tree: Handle,
        wanted: Value,
        budget: &mut Budget,
        mut visit: impl FnMut(Handle, bool),
    ) -> Option<Handle> {
        while tree != NIL {
            let node = &self.nodes[tree];
            let right = match self.order_in_pieces(wanted, node.value, &mut None, budget)? {
                Ordering::Less => false,
                Ordering::Equal => break,
                Ordering::Greater => true,
            };
            visit(tree, right);
            tree = if right { node.right } else { node.left };
        }
        Some(tree)
    }
}

impl ElementSearch {
    /// In a set.
    pub fn in_set(heap: &Heap, set: Value, wanted: Value) -> ElementSearch {
        let found = &heap.sets[set.payload()];
        let range = match found.root() {
            NIL => Range::Row {
                set: set.payload(),
                low: 0,
                high: found.len(),
            },
            root => Range::Tree {
                at: root,
                above: Vec::new(),
            },
        };
        ElementSearch {
            wanted,
            range,
            comparing: None,
        }
    }

    /// Searches for the first pair of a relation with a value on the side from which images are looked up.
    pub fn in_pairs(heap: &Heap, relation: Handle, side: Side, wanted: Value) -> ElementSearch {
        let high = heap.relations[relation].pairs_by(side).len();
        ElementSearch {
            wanted,
            range: Range::Pairs {
                relation,
                side,
                low: 0,
                high,
            },
            comparing: None,
        }
    }

    /// Continues; returns the place when it is known. Among pairs the index is that of the first that does not come
    /// before the value.
    pub fn resume(&mut self, heap: &Heap, budget: &mut Budget) -> Option<ElementPlace> {
        loop {
            let (other, middle) = match &self.range {
                Range::Tree { at: NIL, .. } => return Some(self.place_found(heap, false)),
                Range::Row { low, high, .. } | Range::Pairs { low, high, .. } if low == high => {
                    return Some(self.place_found(heap, false));
                }
                Range::Tree { at, .. } => (heap.nodes[*at].value, 0),
                Range::Row { set, low, high } => {
                    let middle = (low + high) / 2;
                    (heap.sets[*set].row()[middle], middle)
                }
                Range::Pairs {
                    relation,
                    side,
                    low,
                    high,
                } => {
                    let middle = (low + high) / 2;
                    (
                        side.here(&heap.relations[*relation].pairs_by(*side)[middle]),
                        middle,
                    )
                }
            };
            let order = heap.order_in_pieces(self.wanted, other, &mut self.comparing, budget)?;
            match &mut self.range {
                Range::Tree { .. } | Range::Row { .. } if order.is_eq() => {
                    return Some(self.place_found(heap, true));
                }
                Range::Tree { at, above } => {
                    let node = &heap.nodes[*at];
                    above.push((*at, order.is_gt()));
                    *at = if order.is_gt() { node.right } else { node.left };
                }
                Range::Row { low, high, .. } | Range::Pairs { low, high, .. } => match order {
                    Ordering::Greater => *low = middle + 1,
                    _ => *high = middle,
                },
            }
        }
    }

    /// Where the search has ended: at the element, or where it would be inserted.
    fn place_found(&mut self, heap: &Heap, is_found: bool) -> ElementPlace {
        match &mut self.range {
            Range::Tree { at, above } => {
                let path = heap.path_through(std::mem::take(above), *at);
                ElementPlace {
                    path: Some(path),
                    index: 0,
                    is_found,
                }
            }
            Range::Row { low, high, .. } => ElementPlace {
                path: None,
                index: if is_found { (*low + *high) / 2 } else { *low },
                is_found,
            },
            Range::Pairs { low, .. } => ElementPlace {
                path: None,
                index: *low,
                is_found,
            },
        }
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        match &self.range {
            Range::Tree { above, .. } => ndscript_base::room::row(above),
            _ => 0,
        }
    }
}
