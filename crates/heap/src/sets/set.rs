//! Sets: immutable and interned, so that equal sets are one word. Small ones are sorted rows, large ones canonical
//! trees; which of the two depends on the size alone.

use std::hash::Hasher;

use super::memo::MemoKey;
use super::treap::{NIL, TreapPath};
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use crate::walks::search::{ElementPlace, ElementSearch};
use ndscript_base::budget::Budget;
use ndscript_base::keyed;
use ndscript_base::room::block;

/// Sets of more elements are trees.
pub(crate) const LARGEST_ROW: usize = 64;

/// The hash of a row, with its length: rows of all lengths are in one table.
#[inline]
fn hash_row(row: &[Value]) -> u64 {
    let mut hash = keyed::WordsKeyed::default();
    hash.add(row.len() as u64);
    row.iter().for_each(|value| hash.add(value.bits()));
    hash.finish()
}

/// A set of frozen values.
#[derive(Clone, Debug)]
pub struct Set {
    len: u32,
    root: Handle,
    row: Box<[Value]>,
    /// See [`Heap::content`].
    content: u32,
}

impl Default for Set {
    fn default() -> Self {
        Set {
            len: 0,
            root: NIL,
            row: Box::default(),
            content: 0,
        }
    }
}

impl Set {
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    pub(crate) fn content(&self) -> u32 {
        self.content
    }

    /// The tree of a large set; `NIL` for a small one.
    pub fn root(&self) -> Handle {
        self.root
    }

    /// The elements of a set that is small.
    #[inline(always)]
    pub fn small_row(&self) -> Option<&[Value]> {
        if self.root == NIL {
            Some(&self.row)
        } else {
            None
        }
    }

    /// The elements of a small set.
    pub fn row(&self) -> &[Value] {
        &self.row
    }

    /// The hash by which the set is interned.
    pub(crate) fn hash(&self) -> u64 {
        if self.root == NIL {
            hash_row(&self.row)
        } else {
            keyed::hash_word(self.root as u64)
        }
    }

    /// Whether the elements are equal, given that equal trees are one.
    pub(crate) fn is_same(&self, other: &Set) -> bool {
        self.root == other.root && self.row == other.row
    }

    /// Whether it is a row or a tree as its size requires.
    pub(crate) fn has_right_form(&self) -> bool {
        (self.root == NIL) == (self.len() <= LARGEST_ROW)
    }

    pub fn bytes(&self) -> usize {
        block(self.row.len() * 8)
    }
}

/// The elements of a small set being built, at most `N`.
pub(crate) struct Row<const N: usize> {
    elements: [Value; N],
    len: usize,
}

impl<const N: usize> Default for Row<N> {
    fn default() -> Row<N> {
        Row {
            elements: [Value::NULL; N],
            len: 0,
        }
    }
}

impl<const N: usize> Row<N> {
    #[inline(always)]
    pub(crate) fn push(&mut self, element: Value) {
        self.elements[self.len] = element;
        self.len += 1;
    }

    pub(crate) fn elements(&self) -> &[Value] {
        &self.elements[..self.len]
    }
}

impl Heap {
    fn intern_set(&mut self, set: Set) -> Value {
        let hash = set.hash();
        if let Some(found) = self
            .set_table
            .find(hash, |handle| set.is_same(&self.sets[*handle]))
        {
            return Value::handle(Kind::Set, *found);
        }
        self.enter_set(set, hash)
    }

    /// The small set of these elements; nothing is allocated if it exists already.
    fn intern_row(&mut self, elements: &[Value]) -> Value {
        let hash = hash_row(elements);
        let is_same = |handle: &Handle| {
            let set = &self.sets[*handle];
            set.root == NIL && *set.row == *elements
        };
        if let Some(found) = self.set_table.find(hash, is_same) {
            return Value::handle(Kind::Set, *found);
        }
        self.enter_set(
            Set {
                len: elements.len() as u32,
                row: elements.into(),
                ..Set::default()
            },
            hash,
        )
    }

    /// Adds a set to the table of interned sets.
    fn enter_set(&mut self, mut set: Set, hash: u64) -> Value {
        set.content = self.content_of_set(&set);
        self.allocated(set.bytes());
        let handle = self.sets.add(set, &mut self.bytes);
        let sets = &self.sets;
        self.set_table.enter(
            hash,
            handle,
            &|handle| sets[*handle].hash(),
            &mut self.bytes,
        );
        Value::handle(Kind::Set, handle)
    }

    /// Computes [`Heap::content`] for a set.
    pub(crate) fn content_of_set(&self, set: &Set) -> u32 {
        if set.root == NIL {
            self.hash_contents(&set.row).content
        } else {
            self.nodes[set.root].content
        }
    }

    /// The set of frozen values that are sorted and without repetition.
    pub fn set_of_sorted(&mut self, elements: &[Value]) -> Value {
        if elements.len() <= LARGEST_ROW {
            return self.intern_row(elements);
        }
        let root = self.tree_of_sorted(elements);
        self.set_of_tree(root)
    }

    /// The set of the elements of a tree with many.
    pub(crate) fn set_of_tree(&mut self, root: Handle) -> Value {
        let len = self.tree_len(root) as u32;
        self.intern_set(Set {
            len,
            root,
            ..Set::default()
        })
    }

    /// The set of frozen values in any order.
    pub fn set_of_frozen(&mut self, mut elements: Vec<Value>) -> Value {
        if elements.len() > 1 {
            elements.sort_by(|a, b| self.order(*a, *b));
            elements.dedup();
        }
        self.set_of_sorted(&elements)
    }

    /// The set of one frozen value.
    #[inline]
    pub fn singleton(&mut self, element: Value) -> Value {
        if let Some((found, _)) = self.memo.get(MemoKey::Singleton, element, Value::NULL) {
            return found;
        }
        let set = self.set_of_sorted(&[element]);
        self.memo
            .put(MemoKey::Singleton, element, Value::NULL, set, 0);
        set
    }

    /// The set that means one value where a set means its elements: a value that is a set itself must not be read as
    /// several.
    pub fn as_candidate(&mut self, value: Value) -> Value {
        if value.is_kind(Kind::Set) {
            self.singleton(value)
        } else {
            value
        }
    }

    /// The number of elements of a set.
    #[inline]
    pub fn set_len(&self, set: Value) -> usize {
        self.sets[set.payload()].len()
    }

    /// The element with an index, in order.
    #[inline]
    pub fn set_get(&self, set: Value, index: usize) -> Option<Value> {
        let set = &self.sets[set.payload()];
        if set.root == NIL {
            set.row.get(index).copied()
        } else {
            self.tree_get(set.root, index)
        }
    }

    /// All elements, in order.
    pub fn set_elements(&self, set: Value) -> Vec<Value> {
        let set = &self.sets[set.payload()];
        if set.root == NIL {
            set.row.to_vec()
        } else {
            self.tree_elements(set.root)
        }
    }

    /// Whether a frozen value is an element.
    #[inline]
    pub fn set_contains(&self, set: Value, element: Value) -> bool {
        let set = &self.sets[set.payload()];
        if set.root == NIL {
            set.row.contains(&element)
        } else {
            self.tree_contains(set.root, element)
        }
    }

    /// Number of tree nodes that inserting or removing at `path` touches; 0 if none.
    pub fn nodes_to_change(&self, path: &Option<TreapPath>, adds: bool) -> usize {
        match path {
            None => 0,
            Some(path) if adds => self.nodes_to_insert(path),
            Some(path) => self.nodes_to_remove(path),
        }
    }

    /// Where a value is in a set, or would be. All at once.
    fn place_in(&self, set: Value, element: Value) -> ElementPlace {
        let mut budget = Budget::unlimited();
        let place = ElementSearch::in_set(self, set, element).resume(self, &mut budget);
        self.record_work(budget.steps());
        place.unwrap_or(ElementPlace {
            path: None,
            index: 0,
            is_found: false,
        })
    }

    /// The set with one more frozen value.
    pub fn set_add(&mut self, set: Value, element: Value) -> Value {
        let place = self.place_in(set, element);
        self.set_add_at(set, element, place)
    }

    /// As [`Heap::set_add`], at the value's place.
    pub fn set_add_at(&mut self, set: Value, element: Value, place: ElementPlace) -> Value {
        if place.is_found {
            return set;
        }
        if let Some(path) = place.path {
            let root = self.tree_insert(&path, element);
            return self.set_of_tree(root);
        }
        let mut elements = self.set_elements(set);
        elements.insert(place.index, element);
        self.set_of_sorted(&elements)
    }

    /// The set without a frozen value.
    pub fn set_remove(&mut self, set: Value, element: Value) -> Value {
        let place = self.place_in(set, element);
        self.set_remove_at(set, element, place)
    }

    /// As [`Heap::set_remove`], at the value's place.
    pub fn set_remove_at(&mut self, set: Value, element: Value, place: ElementPlace) -> Value {
        if !place.is_found {
            return set;
        }
        if let Some(path) = place.path
            && self.set_len(set) > LARGEST_ROW + 1
        {
            let root = self.tree_remove(&path);
            return self.set_of_tree(root);
        }
        if let Some(elements) = self.sets[set.payload()].small_row() {
            let mut rest = Row::<LARGEST_ROW>::default();
            elements
                .iter()
                .filter(|other| **other != element)
                .for_each(|other| rest.push(*other));
            return self.set_of_sorted(rest.elements());
        }
        let mut elements = self.set_elements(set);
        elements.retain(|other| *other != element);
        self.set_of_sorted(&elements)
    }

    /// The remembered result of an operation on two sets, or a relation and a set, and its charge; `None` also for
    /// other values.
    #[inline(always)]
    pub fn remembered_operation(&self, key: MemoKey, a: Value, b: Value) -> Option<(Value, usize)> {
        self.memo.get(key, a, b)
    }
}

ndscript_base::saved!(struct Set { len, root, row, content });
