//! Operations on sets. Those on large ones can stop and resume.

use std::cmp::Ordering;

use super::memo::MemoKey;
use super::relation::Side;
use super::set::{LARGEST_ROW, Row};
use super::set_making::SetBuilder;
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use crate::walks::compare::Ordered;
use crate::walks::listing::ListWalk;
use crate::walks::search::ElementSearch;
use ndscript_base::budget::{Budget, PieceSize};
use ndscript_base::room;

/// Visits that a change of a large set by one element takes, and a search in one.
const CHANGE: usize = 300;
const SEARCH: usize = 60;

/// With longer paths to the changes than this, both sets are listed and merged instead.
const LONG_PATH: usize = 4096;

/// A running union, intersection or difference.
#[derive(Clone, Debug)]
pub enum SetOperationWalk {
    /// A few elements go into a large set, or out of it, one by one.
    Changing {
        set: Value,
        few: Vec<Value>,
        at: usize,
        change: Change,
        search: Option<ElementSearch>,
    },
    /// The path to one of the few elements is long: the rest of the operation will use lists.
    DeepStack {
        key: MemoKey,
        set: Value,
        few: Vec<Value>,
    },
    /// Of a few elements those that are in a large set stay, or those that are not.
    Choosing {
        set: Value,
        few: Vec<Value>,
        at: usize,
        keep: bool,
        chosen: Vec<Value>,
        search: Option<ElementSearch>,
    },
    /// Both sets are listed.
    Listing {
        key: MemoKey,
        lists: Box<[ListWalk; 2]>,
    },
    /// Both lists are merged.
    Merging {
        key: MemoKey,
        lists: [Vec<Value>; 2],
        at: [usize; 2],
        comparing: Option<Box<Ordered>>,
        merged: Vec<Value>,
    },
    /// The set is made.
    Making(SetBuilder),
    Done(Value),
}

/// How a large set is changed.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Add,
    Remove,
    /// Adds missing elements, removes present ones.
    Toggle,
}

/// Whether an operation takes the elements of the first set alone, of both, and of the second alone.
fn parts_of_result(key: MemoKey) -> (bool, bool, bool) {
    match key {
        MemoKey::Union => (true, true, true),
        MemoKey::Intersection => (false, true, false),
        MemoKey::SymmetricDifference => (true, false, true),
        _ => (true, false, false),
    }
}

impl Heap {
    /// Union, intersection or difference, remembered; returns its charge as well, by the number of elements visited.
    /// `None` if comparing the elements takes long.
    pub fn set_operation(&mut self, key: MemoKey, a: Value, b: Value) -> Option<(Value, usize)> {
        if let Some(found) = self.memo.get(key, a, b) {
            return Some(found);
        }
        let (result, work) = self.combine(key, a, b)?;
        self.memo.put(key, a, b, result, work / 4);
        Some((result, work / 4))
    }

    /// The result of an operation that is done at once, and its visits; `None` if it must be done in pieces.
    fn combine(&mut self, key: MemoKey, a: Value, b: Value) -> Option<(Value, usize)> {
        if a == b && matches!(key, MemoKey::Union | MemoKey::Intersection) {
            return Some((a, 1));
        }
        let (left, right) = (&self.sets[a.payload()], &self.sets[b.payload()]);
        let count = left.len() + right.len() + 1;
        if left.small_row().is_some() && right.small_row().is_some() {
            // Most sets are so small that allocating for the greatest size would take long.
            let combined = match count <= LARGEST_ROW {
                true => self.combine_rows::<LARGEST_ROW>(key, a, b),
                false => self.combine_rows::<{ 2 * LARGEST_ROW }>(key, a, b),
            };
            return combined.map(|combined| (combined, count));
        }
        let mut budget = Budget::at_once();
        let combined = SetOperationWalk::new(self, key, a, b).resume(self, &mut budget)?;
        Some((combined, budget.steps() * 4))
    }

    /// The operation on two small sets with at most `N` elements each.
    #[inline(always)]
    fn combine_rows<const N: usize>(&mut self, key: MemoKey, a: Value, b: Value) -> Option<Value> {
        let (mut merged, mut budget) = (Row::<N>::default(), Budget::at_once());
        let (left, right) = (self.sets[a.payload()].row(), self.sets[b.payload()].row());
        self.merge(left, right, key, &mut budget, |element| {
            merged.push(element)
        })?;
        self.record_work(budget.steps());
        Some(self.set_of_sorted(merged.elements()))
    }

    /// Walks through two sorted rows side by side, and pushes the elements that the result has.
    #[inline]
    fn merge(
        &self,
        a: &[Value],
        b: &[Value],
        key: MemoKey,
        budget: &mut Budget,
        mut push: impl FnMut(Value),
    ) -> Option<()> {
        let (only_a, both, only_b) = parts_of_result(key);
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            let order = match (a.get(i), b.get(j)) {
                (Some(a), Some(b)) if a.both_integers(*b) => a.scaled().cmp(&b.scaled()),
                (Some(a), Some(b)) => self.order_in_pieces(*a, *b, &mut None, budget)?,
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            let (element, keep) = match order {
                std::cmp::Ordering::Less => (a[i], only_a),
                std::cmp::Ordering::Equal => (a[i], both),
                std::cmp::Ordering::Greater => (b[j], only_b),
            };
            i += order.is_le() as usize;
            j += order.is_ge() as usize;
            if keep {
                push(element);
            }
        }
        Some(())
    }

    /// The set of everything on one side of the pairs whose other side is in a set, if that is little work:
    /// remembered, and with its charge.
    pub fn small_image(
        &mut self,
        relation: Handle,
        set: Value,
        side: Side,
        piece: PieceSize,
    ) -> Option<(Value, usize)> {
        let key = if side == Side::Left {
            MemoKey::LeftImage
        } else {
            MemoKey::RightImage
        };
        let mut budget = Budget::for_short(piece);
        let image = ImageWalk::new(self, relation, set, side).resume(self, &mut budget)?;
        let charge = budget.steps() + 1;
        self.memo.put(
            key,
            Value::handle(Kind::Relation, relation),
            set,
            image,
            charge,
        );
        Some((image, charge))
    }
}

impl SetOperationWalk {
    /// Begins an operation: by single changes if one of the sets is much smaller, else by merging both.
    pub fn new(heap: &mut Heap, key: MemoKey, a: Value, b: Value) -> SetOperationWalk {
        if a == b && matches!(key, MemoKey::Union | MemoKey::Intersection) {
            return SetOperationWalk::Done(a);
        }
        let (a_len, b_len) = (heap.set_len(a), heap.set_len(b));
        let (large, few) = if a_len > b_len { (a, b) } else { (b, a) };
        if a_len.min(b_len) * 16 < a_len.max(b_len) {
            let few = heap.set_elements(few);
            return match key {
                MemoKey::Union => SetOperationWalk::Changing {
                    set: large,
                    few,
                    at: 0,
                    change: Change::Add,
                    search: None,
                },
                MemoKey::SymmetricDifference => SetOperationWalk::Changing {
                    set: large,
                    few,
                    at: 0,
                    change: Change::Toggle,
                    search: None,
                },
                MemoKey::Except if a_len > b_len => SetOperationWalk::Changing {
                    set: large,
                    few,
                    at: 0,
                    change: Change::Remove,
                    search: None,
                },
                _ => {
                    let keep = key != MemoKey::Except;
                    SetOperationWalk::Choosing {
                        set: large,
                        few,
                        at: 0,
                        keep,
                        chosen: Vec::new(),
                        search: None,
                    }
                }
            };
        }
        let list = |heap: &mut Heap, set| {
            ListWalk::of(heap, set).unwrap_or_else(|| ListWalk::of_list(Vec::new()))
        };
        let lists = Box::new([list(heap, a), list(heap, b)]);
        SetOperationWalk::Listing { key, lists }
    }

    /// The bytes needed apart from the operands.
    pub fn bytes_needed(&self) -> usize {
        match self {
            // Each change makes a path of nodes.
            SetOperationWalk::Changing { few, .. } => few.len() * 20 * 40,
            SetOperationWalk::Choosing { few, .. } => {
                few.len() * 8 + SetBuilder::bytes_of_work(few.len())
            }
            SetOperationWalk::Listing { lists, .. } => {
                let count = lists[0].count() + lists[1].count();
                2 * count * 8 + SetBuilder::bytes_of_work(count)
            }
            _ => 0,
        }
    }

    /// The bytes for lists, if the rest must use them: then [`SetOperationWalk::go_by_lists`] must be called first.
    pub fn bytes_for_lists(&self, heap: &Heap) -> Option<usize> {
        let SetOperationWalk::DeepStack { set, few, .. } = self else {
            return None;
        };
        let count = heap.set_len(*set) + few.len();
        Some(3 * count * size_of::<Value>() + SetBuilder::bytes_of_work(count))
    }

    /// Does the rest by lists.
    pub fn go_by_lists(&mut self, heap: &mut Heap) {
        if let SetOperationWalk::DeepStack { key, set, few } = self {
            let list = ListWalk::of(heap, *set).unwrap_or_else(|| ListWalk::of_list(Vec::new()));
            let lists = Box::new([list, ListWalk::of_list(std::mem::take(few))]);
            *self = SetOperationWalk::Listing { key: *key, lists };
        }
    }

    /// Continues; the set when it is done, `None` also where [`SetOperationWalk::bytes_for_lists`] are wanted.
    pub fn resume(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<Value> {
        loop {
            match self {
                SetOperationWalk::Changing {
                    set,
                    few,
                    at,
                    change,
                    search,
                } => {
                    while let Some(element) = few.get(*at).copied() {
                        if budget.is_spent() {
                            return None;
                        }
                        let before = heap.recorded_work();
                        let search_step = search
                            .get_or_insert_with(|| ElementSearch::in_set(heap, *set, element));
                        let place = search_step.resume(heap, budget)?;
                        *search = None;
                        budget.spend(CHANGE);
                        let (key, adds) = match change {
                            Change::Add => (MemoKey::Union, true),
                            Change::Remove => (MemoKey::Except, false),
                            Change::Toggle => (MemoKey::SymmetricDifference, !place.is_found),
                        };
                        if heap.set_len(*set) > LONG_PATH
                            && heap.nodes_to_change(&place.path, adds) > LONG_PATH
                        {
                            heap.charge_recorded_since(budget, before);
                            *self = SetOperationWalk::DeepStack {
                                key,
                                set: *set,
                                few: few.split_off(*at),
                            };
                            return None;
                        }
                        *set = match adds {
                            true => heap.set_add_at(*set, element, place),
                            false => heap.set_remove_at(*set, element, place),
                        };
                        heap.charge_recorded_since(budget, before);
                        *at += 1;
                    }
                    return Some(*set);
                }
                SetOperationWalk::DeepStack { .. } => return None,
                SetOperationWalk::Choosing {
                    set,
                    few,
                    at,
                    keep,
                    chosen,
                    search,
                } => {
                    while let Some(element) = few.get(*at).copied() {
                        if budget.is_spent() {
                            return None;
                        }
                        let before = heap.recorded_work();
                        let search_step = search
                            .get_or_insert_with(|| ElementSearch::in_set(heap, *set, element));
                        let place = search_step.resume(heap, budget)?;
                        *search = None;
                        heap.charge_recorded_since(budget, before);
                        budget.spend(SEARCH);
                        if place.is_found == *keep {
                            chosen.push(element);
                        }
                        *at += 1;
                    }
                    *self = SetOperationWalk::Making(SetBuilder::of_sorted(std::mem::take(chosen)));
                }
                SetOperationWalk::Listing { key, lists } => {
                    if !lists.iter_mut().all(|list| list.resume(heap, budget)) {
                        return None;
                    }
                    let [a, b] = &mut **lists;
                    let lists = [
                        std::mem::take(&mut a.elements),
                        std::mem::take(&mut b.elements),
                    ];
                    let (only_a, both, only_b) = parts_of_result(*key);
                    let most = if only_b {
                        lists[0].len() + lists[1].len()
                    } else {
                        lists[0].len()
                    };
                    let most = if both && !only_a {
                        most.min(lists[1].len())
                    } else {
                        most
                    };
                    let merged = Vec::with_capacity(most);
                    *self = SetOperationWalk::Merging {
                        key: *key,
                        lists,
                        at: [0, 0],
                        comparing: None,
                        merged,
                    };
                }
                SetOperationWalk::Merging {
                    key,
                    lists: [a, b],
                    at: [i, j],
                    comparing,
                    merged,
                } => {
                    let (only_a, both, only_b) = parts_of_result(*key);
                    while *i < a.len() || *j < b.len() {
                        if budget.is_spent() {
                            return None;
                        }
                        let order = match (a.get(*i), b.get(*j)) {
                            (Some(a), Some(b)) => {
                                heap.order_in_pieces(*a, *b, comparing, budget)?
                            }
                            (Some(_), None) => Ordering::Less,
                            _ => Ordering::Greater,
                        };
                        budget.spend(4);
                        let (element, is_taken) = match order {
                            Ordering::Less => (a[*i], only_a),
                            Ordering::Equal => (a[*i], both),
                            Ordering::Greater => (b[*j], only_b),
                        };
                        *i += order.is_le() as usize;
                        *j += order.is_ge() as usize;
                        if is_taken {
                            merged.push(element);
                        }
                    }
                    *self = SetOperationWalk::Making(SetBuilder::of_sorted(std::mem::take(merged)));
                }
                SetOperationWalk::Making(making) => return making.resume(heap, budget),
                SetOperationWalk::Done(set) => return Some(*set),
            }
        }
    }

    /// Shows the values in it, and the trees that are made.
    pub fn values(&self, visit: &mut dyn FnMut(Value), visit_tree: &mut dyn FnMut(Handle)) {
        match self {
            SetOperationWalk::Changing { set, few, .. }
            | SetOperationWalk::DeepStack { set, few, .. }
            | SetOperationWalk::Choosing { set, few, .. } => {
                few.iter().chain([set]).for_each(|value| visit(*value));
            }
            SetOperationWalk::Listing { lists, .. } => {
                lists.iter().for_each(|list| list.values(visit))
            }
            SetOperationWalk::Merging { lists, .. } => {
                lists.iter().flatten().for_each(|value| visit(*value))
            }
            SetOperationWalk::Making(making) => making.values(visit, visit_tree),
            SetOperationWalk::Done(set) => visit(*set),
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            SetOperationWalk::Changing { few, search, .. } => {
                room::row(few) + search.as_ref().map_or(0, ElementSearch::bytes)
            }
            SetOperationWalk::DeepStack { few, .. } => room::row(few),
            SetOperationWalk::Choosing { few, chosen, .. } => room::row(few) + room::row(chosen),
            SetOperationWalk::Listing { lists, .. } => lists.iter().map(ListWalk::bytes).sum(),
            SetOperationWalk::Merging { lists, merged, .. } => {
                lists.iter().map(room::row).sum::<usize>() + room::row(merged)
            }
            SetOperationWalk::Making(making) => making.bytes(),
            SetOperationWalk::Done(_) => 0,
        }
    }
}

/// The image of a set under a relation, being computed.
#[derive(Clone, Debug)]
pub enum ImageWalk {
    Listing {
        relation: Handle,
        side: Side,
        list: ListWalk,
    },
    /// The pairs with one element after the other are read, from a pair on.
    Following {
        relation: Handle,
        side: Side,
        elements: Vec<Value>,
        at: usize,
        search: Option<ElementSearch>,
        pair: Option<usize>,
        image: Vec<Value>,
    },
    Making(SetBuilder),
}

impl ImageWalk {
    pub fn new(heap: &mut Heap, relation: Handle, set: Value, side: Side) -> ImageWalk {
        let list = ListWalk::of(heap, set).unwrap_or_else(|| ListWalk::of_list(Vec::new()));
        ImageWalk::Listing {
            relation,
            side,
            list,
        }
    }

    /// Continues; the set when it is done.
    pub fn resume(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<Value> {
        loop {
            match self {
                ImageWalk::Listing {
                    relation,
                    side,
                    list,
                } => {
                    if !list.resume(heap, budget) {
                        return None;
                    }
                    let elements = std::mem::take(&mut list.elements);
                    let (relation, side) = (*relation, *side);
                    *self = ImageWalk::Following {
                        relation,
                        side,
                        elements,
                        at: 0,
                        search: None,
                        pair: None,
                        image: Vec::new(),
                    };
                }
                ImageWalk::Following {
                    relation,
                    side,
                    elements,
                    at,
                    search,
                    pair,
                    image,
                } => {
                    let pairs = heap.relations[*relation].pairs_by(*side);
                    while let Some(element) = elements.get(*at) {
                        if budget.is_spent() {
                            return None;
                        }
                        let from = match *pair {
                            Some(from) => from,
                            None => {
                                let begun = search.get_or_insert_with(|| {
                                    ElementSearch::in_pairs(heap, *relation, *side, *element)
                                });
                                let place = begun.resume(heap, budget)?;
                                *search = None;
                                budget.spend(SEARCH);
                                place.index
                            }
                        };
                        let most = pairs.len().min(from.saturating_add(budget.room_for(2)));
                        let found = pairs.get(from..most).unwrap_or_default().iter();
                        let found = found
                            .take_while(|pair| side.here(pair) == *element)
                            .map(|pair| side.there(pair));
                        let before = image.len();
                        image.extend(found);
                        let count = image.len() - before;
                        budget.spend(2 * count);
                        *pair = (count > 0 && from + count == most && most < pairs.len())
                            .then_some(most);
                        *at += usize::from(pair.is_none());
                    }
                    *self = ImageWalk::Making(SetBuilder::new(std::mem::take(image)));
                }
                ImageWalk::Making(making) => return making.resume(heap, budget),
            }
        }
    }

    /// Shows the values in it, and the trees that are made.
    pub fn values(&self, visit: &mut dyn FnMut(Value), visit_tree: &mut dyn FnMut(Handle)) {
        match self {
            ImageWalk::Listing { list, .. } => list.values(visit),
            ImageWalk::Following {
                elements, image, ..
            } => elements.iter().chain(image).for_each(|value| visit(*value)),
            ImageWalk::Making(making) => making.values(visit, visit_tree),
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            ImageWalk::Listing { list, .. } => list.bytes(),
            ImageWalk::Following {
                elements, image, ..
            } => room::row(elements) + room::row(image),
            ImageWalk::Making(making) => making.bytes(),
        }
    }
}
