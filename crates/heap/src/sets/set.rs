//! Sets: immutable and interned, so that equal sets are one word. Small ones are sorted rows, large ones canonical
//! trees; which of the two depends on the size alone.

mod in_heap;

use super::treap::NIL;
use crate::value::{Handle, Value};
use ndscript_base::keyed;
use ndscript_base::room::block;
use std::hash::Hasher;

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

ndscript_base::saved!(struct Set { len, root, row, content });
