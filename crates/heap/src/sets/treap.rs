//! Canonical trees for large sets: treaps (Seidel and Aragon, 1996) whose priorities are a hash of the element's
//! content, with every node interned. So a set has one tree however it was built, trees share common subtrees, and
//! adding an element makes O(log n) nodes.

mod in_heap;

use crate::value::{Handle, Value};
pub use in_heap::TreapBuilder;
use ndscript_base::keyed;

/// The empty tree.
pub const NIL: Handle = Handle::MAX;

/// Trees are hardly ever deeper than this, unless elements were chosen so that their hashes make them deep.
const USUAL_DEPTH: usize = 128;

/// A path begins with capacity for this many nodes; most are shorter.
pub const USUAL_LENGTH: usize = 24;

/// The bytes of each node on the path to a change: of its copy, its place in the table, and its entry in the path.
pub const BYTES_OF_PATH_NODE: usize = 2 * (size_of::<Node>() + 24);

/// A node of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub value: Value,
    pub left: Handle,
    pub right: Handle,
    /// Elements of the whole tree.
    pub len: u32,
    /// The hash of all elements together, independent of the shape of the tree.
    pub content: u32,
}

impl Default for Node {
    fn default() -> Self {
        Node {
            value: Value::NULL,
            left: NIL,
            right: NIL,
            len: 0,
            content: 0,
        }
    }
}

impl Node {
    /// The hash by which the node is interned.
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        keyed::hash_words([
            self.value.bits(),
            (self.left as u64) << 32 | self.right as u64,
        ])
    }

    /// Whether the elements are equal, given that equal trees are one.
    #[inline]
    pub(crate) fn is_same(&self, other: &Node) -> bool {
        self.value == other.value && self.left == other.left && self.right == other.right
    }
}

/// The path to a value in a tree.
#[derive(Clone)]
pub struct TreapPath {
    /// The nodes above it from the root on, and whether it is to their right.
    above: Vec<(Handle, bool)>,
    found: Handle,
}

impl TreapPath {
    /// Whether the tree has the value.
    pub(crate) fn is_found(&self) -> bool {
        self.found != NIL
    }
}

ndscript_base::saved!(struct Node { value, left, right, len, content });
