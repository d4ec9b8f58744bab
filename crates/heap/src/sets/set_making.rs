//! The making of sets, which can stop and resume.

use super::set::LARGEST_ROW;
use super::treap::TreapBuilder;
use crate::store::heap::Heap;
use crate::value::{Handle, Value};
use crate::walks::sorting::SortWalk;
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// A set that is being made, and the stage that it has reached.
#[derive(Clone, Debug)]
pub enum SetBuilder {
    /// Frozen values are sorted.
    Sorting(SortWalk<Value>),
    /// All but the first of equal values are removed: the first `kept` are done, those from `at` on are compared
    /// next.
    RemovingEqual {
        elements: Vec<Value>,
        kept: usize,
        at: usize,
    },
    /// The tree is built.
    TreapBuilder(TreapBuilder),
}

impl SetBuilder {
    /// Makes a set of frozen values in any order.
    pub fn new(elements: Vec<Value>) -> SetBuilder {
        SetBuilder::Sorting(SortWalk::new(elements))
    }

    /// Makes a set of frozen values that are sorted and without repetition.
    pub fn of_sorted(elements: Vec<Value>) -> SetBuilder {
        SetBuilder::TreapBuilder(TreapBuilder::new(elements))
    }

    /// At most the bytes that making a set of `count` values needs in addition to them: the nodes of its tree, and
    /// temporary memory.
    pub fn bytes_of_work(count: usize) -> usize {
        if count <= LARGEST_ROW {
            return count * 8;
        }
        let meanwhile =
            SortWalk::<Value>::bytes_of_work(count).max(TreapBuilder::bytes_of_work(count));
        count * BYTES_OF_NODE + meanwhile
    }

    /// Resumes; returns the set when it is done.
    pub fn resume(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<Value> {
        loop {
            match self {
                SetBuilder::Sorting(sorting) => {
                    if !sorting.resume(heap, budget) {
                        return None;
                    }
                    let elements =
                        std::mem::replace(sorting, SortWalk::new(Vec::new())).into_items();
                    *self = SetBuilder::RemovingEqual {
                        kept: elements.len().min(1),
                        at: 1,
                        elements,
                    };
                }
                SetBuilder::RemovingEqual { elements, kept, at } => {
                    let end = elements.len().min(at.saturating_add(budget.room_for(1)));
                    budget.spend(end.saturating_sub(*at));
                    while *at < end {
                        if elements[*at] != elements[*kept - 1] {
                            elements[*kept] = elements[*at];
                            *kept += 1;
                        }
                        *at += 1;
                    }
                    if *at < elements.len() {
                        return None;
                    }
                    elements.truncate(*kept);
                    *self = SetBuilder::of_sorted(std::mem::take(elements));
                }
                SetBuilder::TreapBuilder(builder) => {
                    if builder.elements().len() <= LARGEST_ROW {
                        return Some(heap.set_of_sorted(builder.elements()));
                    }
                    let root = builder.resume(heap, budget)?;
                    return Some(heap.set_of_tree(root));
                }
            }
        }
    }

    /// Shows the values in it, and the trees that are made.
    pub fn values(&self, visit: &mut dyn FnMut(Value), visit_tree: &mut dyn FnMut(Handle)) {
        match self {
            SetBuilder::Sorting(sorting) => sorting.values(visit),
            SetBuilder::RemovingEqual { elements, .. } => {
                elements.iter().for_each(|element| visit(*element))
            }
            SetBuilder::TreapBuilder(builder) => builder.values(visit, visit_tree),
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            SetBuilder::Sorting(sorting) => sorting.bytes(),
            SetBuilder::RemovingEqual { elements, .. } => room::row(elements),
            SetBuilder::TreapBuilder(builder) => builder.bytes(),
        }
    }
}

/// Bytes of a node of a tree, with its place in the table.
const BYTES_OF_NODE: usize = 40;
