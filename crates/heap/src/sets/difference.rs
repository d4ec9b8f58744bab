//! Finds where two sets first differ. Shared subtrees are skipped, so that sets with much in common are ordered
//! quickly.

use super::treap::NIL;
use crate::store::heap::Heap;
use crate::value::{Handle, Value};
use ndscript_base::budget::Budget;

/// A remaining part of a set.
#[derive(Clone, Copy, Debug)]
enum Part {
    Tree(Handle),
    Element(Value),
}

/// The remaining parts of a set, the next one last.
#[derive(Clone, Debug)]
struct RemainingParts(Vec<Part>);

impl RemainingParts {
    fn of(heap: &Heap, set: Value) -> RemainingParts {
        let set = &heap.sets[set.payload()];
        if set.root() == NIL {
            RemainingParts(
                set.row()
                    .iter()
                    .rev()
                    .map(|element| Part::Element(*element))
                    .collect(),
            )
        } else {
            RemainingParts(vec![Part::Tree(set.root())])
        }
    }

    /// Replaces the next part, a tree, by its parts.
    fn open(&mut self, heap: &Heap, tree: Handle) {
        let node = heap.nodes[tree];
        self.0.pop();
        if node.right != NIL {
            self.0.push(Part::Tree(node.right));
        }
        self.0.push(Part::Element(node.value));
        if node.left != NIL {
            self.0.push(Part::Tree(node.left));
        }
    }
}

/// The search for the first elements in which two sets differ; it can stop and resume.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    a: RemainingParts,
    b: RemainingParts,
}

/// The visits charged for comparing two parts.
const VISITS: usize = 4;

impl Difference {
    pub fn new(heap: &Heap, a: Value, b: Value) -> Difference {
        Difference {
            a: RemainingParts::of(heap, a),
            b: RemainingParts::of(heap, b),
        }
    }

    /// Continues; when found, the first elements in which the sets differ, `None` for a set that has ended.
    pub fn resume(
        &mut self,
        heap: &Heap,
        budget: &mut Budget,
    ) -> Option<(Option<Value>, Option<Value>)> {
        let Difference { a, b } = self;
        loop {
            if budget.is_spent() {
                return None;
            }
            budget.spend(VISITS);
            match (a.0.last().copied(), b.0.last().copied()) {
                (Some(Part::Tree(x)), Some(Part::Tree(y))) if x == y => {
                    a.0.pop();
                    b.0.pop();
                }
                // The larger of two trees is opened, until shared subtrees align.
                (Some(Part::Tree(x)), Some(Part::Tree(y)))
                    if heap.tree_len(x) < heap.tree_len(y) =>
                {
                    b.open(heap, y)
                }
                (Some(Part::Tree(x)), _) => a.open(heap, x),
                (_, Some(Part::Tree(y))) => b.open(heap, y),
                (Some(Part::Element(x)), Some(Part::Element(y))) if x == y => {
                    a.0.pop();
                    b.0.pop();
                }
                (Some(Part::Element(x)), Some(Part::Element(y))) => {
                    return Some((Some(x), Some(y)));
                }
                (Some(Part::Element(x)), None) => return Some((Some(x), None)),
                (None, Some(Part::Element(y))) => return Some((None, Some(y))),
                (None, None) => return Some((None, None)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements, and the visits.
    fn difference(heap: &Heap, a: Value, b: Value) -> ((Option<Value>, Option<Value>), usize) {
        let mut budget = Budget::unlimited();
        let found = Difference::new(heap, a, b).resume(heap, &mut budget);
        (found.unwrap_or_default(), budget.visits())
    }

    #[test]
    fn agrees_with_going_through_all_elements() {
        let mut heap = Heap::default();
        let mut state = 7u64;
        let mut sets = Vec::new();
        for size in [0usize, 1, 5, 32, 33, 34, 100, 400] {
            for _ in 0..6 {
                let elements = (0..size)
                    .map(|_| {
                        state = state
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1);
                        Value::integer((state >> 33) as i64 % (size as i64 * 2))
                    })
                    .collect();
                sets.push(heap.set_of_frozen(elements));
            }
        }
        // Neighbors that share nearly all of their trees.
        for at in 0..sets.len() {
            sets.push(heap.set_add(sets[at], Value::integer(333)));
            sets.push(heap.set_remove(sets[at], Value::integer(3)));
        }
        for a in &sets {
            for b in &sets {
                let (x, y) = (heap.set_elements(*a), heap.set_elements(*b));
                let at = x.iter().zip(&y).take_while(|(x, y)| x == y).count();
                assert_eq!(
                    difference(&heap, *a, *b).0,
                    (x.get(at).copied(), y.get(at).copied())
                );
            }
        }
    }

    #[test]
    fn what_is_shared_is_skipped() {
        let mut heap = Heap::default();
        let all: Vec<Value> = (0..100_000).map(Value::integer).collect();
        let set = heap.set_of_sorted(&all);
        let other = heap.set_remove(set, Value::integer(77_777));
        let (found, visits) = difference(&heap, set, other);
        assert_eq!(
            found,
            (Some(Value::integer(77_777)), Some(Value::integer(77_778)))
        );
        assert!(visits < 4 * 400);
    }
}
