//! Canonical trees for large sets: treaps (Seidel and Aragon, 1996) whose priorities are a hash of the element's
//! content, with every node interned. So a set has one tree however it was built, trees share common subtrees, and
//! adding an element makes O(log n) nodes.

use crate::number::scramble;
use crate::store::heap::Heap;
use crate::value::{Handle, Value};
use ndscript_base::budget::Budget;
use ndscript_base::keyed;
use ndscript_base::room;

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

impl Heap {
    pub fn tree_len(&self, tree: Handle) -> usize {
        if tree == NIL {
            0
        } else {
            self.nodes[tree].len as usize
        }
    }

    /// The interned node with this value between these subtrees.
    fn node(&mut self, value: Value, left: Handle, right: Handle) -> Handle {
        let mut node = Node {
            value,
            left,
            right,
            ..Node::default()
        };
        let hash = node.hash();
        if let Some(found) = self
            .node_table
            .find(hash, |handle| node.is_same(&self.nodes[*handle]))
        {
            return *found;
        }
        node.len = (1 + self.tree_len(left) + self.tree_len(right)) as u32;
        node.content = self.content_of_node(&node);
        let handle = self.nodes.add(node, &mut self.bytes);
        let nodes = &self.nodes;
        let hasher = |handle: &Handle| nodes[*handle].hash();
        self.node_table
            .enter(hash, handle, &hasher, &mut self.bytes);
        handle
    }

    /// Computes the content of a node.
    pub(crate) fn content_of_node(&self, node: &Node) -> u32 {
        let below = |branch: Handle| {
            if branch == NIL {
                0
            } else {
                self.nodes[branch].content
            }
        };
        let own = scramble(!self.content(node.value)) as u32;
        own.wrapping_add(below(node.left))
            .wrapping_add(below(node.right))
    }

    /// Whether a node has the size of its branches and is above them.
    pub(crate) fn is_tree(&self, tree: Handle) -> bool {
        let node = self.nodes[tree];
        let below =
            |branch: Handle| branch == NIL || self.is_above(node.value, self.nodes[branch].value);
        node.len as usize == 1 + self.tree_len(node.left) + self.tree_len(node.right)
            && below(node.left)
            && below(node.right)
    }

    /// The element with an index, in order.
    pub fn tree_get(&self, mut tree: Handle, mut index: usize) -> Option<Value> {
        let mut depth = 0;
        while tree != NIL {
            depth += 1;
            let node = &self.nodes[tree];
            let left = self.tree_len(node.left);
            match index.cmp(&left) {
                std::cmp::Ordering::Less => tree = node.left,
                std::cmp::Ordering::Equal => {
                    self.record_depth(depth);
                    return Some(node.value);
                }
                std::cmp::Ordering::Greater => {
                    index -= left + 1;
                    tree = node.right;
                }
            }
        }
        None
    }

    pub fn tree_contains(&self, tree: Handle, value: Value) -> bool {
        self.tree_find(tree, value).0 != NIL
    }

    /// The node of a value, if there is one, and the number of nodes on the path to it, including it.
    fn tree_find(&self, tree: Handle, value: Value) -> (Handle, usize) {
        let mut depth = 0;
        let found = self.go_to(tree, value, |_, _| depth += 1);
        depth += usize::from(found != NIL);
        self.record_depth(depth);
        (found, depth)
    }

    /// The path through these nodes to a value, or to where it would be.
    pub(crate) fn path_through(&self, above: Vec<(Handle, bool)>, found: Handle) -> TreapPath {
        self.record_depth(above.len());
        TreapPath { above, found }
    }

    /// Walks to the node of a value, and reports the nodes above it and whether it is to their right.
    #[inline]
    fn go_to(&self, mut tree: Handle, value: Value, mut visit: impl FnMut(Handle, bool)) -> Handle {
        while tree != NIL {
            let node = &self.nodes[tree];
            let right = match self.order(value, node.value) {
                std::cmp::Ordering::Less => false,
                std::cmp::Ordering::Equal => break,
                std::cmp::Ordering::Greater => true,
            };
            visit(tree, right);
            tree = if right { node.right } else { node.left };
        }
        tree
    }

    /// Records the work of passing more nodes than usual.
    #[inline]
    pub(crate) fn record_depth(&self, depth: usize) {
        if depth > USUAL_DEPTH {
            self.record_work(depth - USUAL_DEPTH);
        }
    }

    /// The nodes that an insertion makes; 0 if the value is there.
    pub(crate) fn nodes_to_insert(&self, path: &TreapPath) -> usize {
        if path.is_found() { 0 } else { path.above.len() }
    }

    /// The nodes that a removal makes or passes; 0 if the value is not there.
    pub(crate) fn nodes_to_remove(&self, path: &TreapPath) -> usize {
        if !path.is_found() {
            return 0;
        }
        let mut depth = path.above.len() + 1;
        let above = depth;
        let (mut left, mut right) = (self.nodes[path.found].left, self.nodes[path.found].right);
        while left != NIL && right != NIL {
            depth += 1;
            if self.is_above(self.nodes[left].value, self.nodes[right].value) {
                left = self.nodes[left].right;
            } else {
                right = self.nodes[right].left;
            }
        }
        self.record_depth(depth - above);
        depth
    }

    /// All elements, in order.
    pub fn tree_elements(&self, tree: Handle) -> Vec<Value> {
        let mut elements = Vec::with_capacity(self.tree_len(tree));
        let mut path = Vec::new();
        let mut at = tree;
        while at != NIL || !path.is_empty() {
            while at != NIL {
                path.push(at);
                at = self.nodes[at].left;
            }
            if let Some(handle) = path.pop() {
                elements.push(self.nodes[handle].value);
                at = self.nodes[handle].right;
            }
        }
        elements
    }

    /// The tree with one more element, to which `path` leads and which it does not have.
    pub(crate) fn tree_insert(&mut self, path: &TreapPath, value: Value) -> Handle {
        let is_below = |(node, _): &(Handle, bool)| !self.is_above(self.nodes[*node].value, value);
        let height = path
            .above
            .iter()
            .position(is_below)
            .unwrap_or(path.above.len());
        let (above, below) = path.above.split_at(height);
        let (left, right) = self.tree_split(below);
        let inserted = self.node(value, left, right);
        self.rebuild(above, inserted)
    }

    /// The tree without an element, to which `path` leads and which it has.
    pub(crate) fn tree_remove(&mut self, path: &TreapPath) -> Handle {
        let node = self.nodes[path.found];
        let joined = self.tree_join(node.left, node.right);
        self.rebuild(&path.above, joined)
    }

    /// Makes the nodes of a path anew, from its end up, with another subtree below it; `true` stands for the right
    /// side.
    fn rebuild(&mut self, path: &[(Handle, bool)], mut below: Handle) -> Handle {
        self.record_depth(path.len());
        for &(at, right) in path.iter().rev() {
            let node = self.nodes[at];
            below = if right {
                self.node(node.value, node.left, below)
            } else {
                self.node(node.value, below, node.right)
            };
        }
        below
    }

    /// The trees of the elements to the left and to the right of a value, in the tree in which a path to it begins.
    fn tree_split(&mut self, path: &[(Handle, bool)]) -> (Handle, Handle) {
        self.record_depth(path.len());
        let (mut left, mut right) = (NIL, NIL);
        for &(at, less) in path.iter().rev() {
            let node = self.nodes[at];
            if less {
                left = self.node(node.value, node.left, left);
            } else {
                right = self.node(node.value, right, node.right);
            }
        }
        (left, right)
    }

    /// Joins two trees, where all elements of the left one come before those of the right one.
    fn tree_join(&mut self, mut left: Handle, mut right: Handle) -> Handle {
        let mut path = Vec::with_capacity(USUAL_LENGTH);
        while left != NIL && right != NIL {
            if self.is_above(self.nodes[left].value, self.nodes[right].value) {
                path.push((left, true));
                left = self.nodes[left].right;
            } else {
                path.push((right, false));
                right = self.nodes[right].left;
            }
        }
        let rest = if left == NIL { right } else { left };
        self.rebuild(&path, rest)
    }

    /// The tree of elements that are sorted and without repetition. All at once.
    pub fn tree_of_sorted(&mut self, elements: &[Value]) -> Handle {
        let mut planting = TreapBuilder::new(elements.to_vec());
        let mut budget = Budget::unlimited();
        planting.resume(self, &mut budget).unwrap_or(NIL)
    }
}

/// The making of a tree; it can stop and resume.
///
/// The shape comes first, as a Cartesian tree by priority over a stack of right spines (Vuillemin, 1980), then nodes
/// from below.
#[derive(Clone, Debug)]
pub struct TreapBuilder {
    /// Sorted, and without repetition.
    elements: Vec<Value>,
    /// For each element those below it to the left and to the right.
    children: Vec<(u32, u32)>,
    spine: Vec<u32>,
    nodes: Vec<Handle>,
    /// Elements whose trees must be made, and whether those below are.
    work: Vec<(u32, bool)>,
}

const NONE: u32 = u32::MAX;

impl TreapBuilder {
    pub fn new(elements: Vec<Value>) -> TreapBuilder {
        TreapBuilder {
            elements,
            children: Vec::new(),
            spine: Vec::new(),
            nodes: Vec::new(),
            work: Vec::new(),
        }
    }

    pub fn elements(&self) -> &[Value] {
        &self.elements
    }

    /// The bytes for making a tree of this many elements apart from them and the nodes.
    pub fn bytes_of_work(count: usize) -> usize {
        count * (size_of::<(u32, u32)>() + size_of::<Handle>())
    }

    /// Continues; the tree when it is done.
    pub fn resume(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<Handle> {
        let count = self.elements.len();
        if count == 0 {
            return Some(NIL);
        }
        self.children.reserve_exact(count - self.children.len());
        while self.children.len() < count {
            if budget.is_spent() {
                return None;
            }
            self.grow_spine(heap, budget);
            if self.children.len() == count {
                self.nodes = vec![NIL; count];
                self.work.push((self.spine[0], false));
            }
        }
        while let Some((at, are_made)) = self.work.pop() {
            if budget.is_spent() {
                self.work.push((at, are_made));
                return None;
            }
            let (left, right) = self.children[at as usize];
            if are_made {
                budget.spend(20);
                let tree_of = |child: u32| {
                    if child == NONE {
                        NIL
                    } else {
                        self.nodes[child as usize]
                    }
                };
                let (left, right) = (tree_of(left), tree_of(right));
                self.nodes[at as usize] = heap.node(self.elements[at as usize], left, right);
            } else {
                self.work.push((at, true));
                let below = [left, right].into_iter().filter(|child| *child != NONE);
                self.work.extend(below.map(|child| (child, false)));
            }
        }
        Some(self.nodes[self.spine[0] as usize])
    }

    /// Each element is popped from the spine at most once, so the visits for that do not depend on the shape.
    fn grow_spine(&mut self, heap: &Heap, budget: &mut Budget) {
        let at = self.children.len();
        let mut last = NONE;
        while let Some(top) = self.spine.last()
            && heap.is_above(self.elements[at], self.elements[*top as usize])
        {
            last = *top;
            self.spine.pop();
        }
        budget.spend(6);
        self.children.push((last, NONE));
        if let Some(top) = self.spine.last() {
            self.children[*top as usize].1 = at as u32;
        }
        self.spine.push(at as u32);
    }

    /// Shows the elements, and the trees that are made.
    pub fn values(&self, visit: &mut dyn FnMut(Value), visit_tree: &mut dyn FnMut(Handle)) {
        self.elements.iter().for_each(|element| visit(*element));
        self.nodes
            .iter()
            .filter(|tree| **tree != NIL)
            .for_each(|tree| visit_tree(*tree));
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.elements)
            + room::row(&self.children)
            + room::row(&self.spine)
            + room::row(&self.nodes)
            + room::row(&self.work)
    }
}

ndscript_base::saved!(struct Node { value, left, right, len, content });

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::memo::MemoKey;
    use crate::sets::set_operation::SetOperationWalk;

    /// Numbers in order whose hashes are in order, too, so that each is above the one before.
    fn chain(length: u64) -> Vec<Value> {
        let room = u64::MAX / (length + 1);
        let mut number = 0;
        let stands = |number: i64| scramble(Value::integer(number).bits());
        (0..length)
            .map(|at| {
                number += 1;
                while !(at * room..(at + 1) * room).contains(&stands(number)) {
                    number += 1;
                }
                Value::integer(number)
            })
            .collect()
    }

    #[test]
    fn ways_in_a_tree_made_to_be_deep_are_paid_for() {
        let mut heap = Heap::default();
        let mut elements = chain(5000);
        let first = elements.remove(0);
        let set = heap.set_of_sorted(&elements);
        assert_eq!(
            heap.nodes_to_change(
                &heap.place_at_once(set, first).and_then(|place| place.path),
                true
            ),
            4999
        );
        let paid = |heap: &mut Heap, work: &mut dyn FnMut(&mut Heap)| {
            heap.take_work();
            work(heap);
            heap.take_work()
        };
        assert!(
            paid(&mut heap, &mut |heap| assert!(
                !heap.set_contains(set, first)
            )) > 4800
        );
        assert!(
            paid(&mut heap, &mut |heap| assert_eq!(
                heap.set_get(set, 0),
                Some(elements[0])
            )) > 4800
        );
        let mut larger = Value::NULL;
        assert!(paid(&mut heap, &mut |heap| larger = heap.set_add(set, first)) > 2 * 4800);
        assert!(
            paid(&mut heap, &mut |heap| assert_eq!(
                heap.set_remove(larger, first),
                set
            )) > 2 * 4800
        );
    }

    #[test]
    fn what_is_far_down_is_changed_by_lists() {
        let mut heap = Heap::default();
        let elements = chain(5000);
        let (few, many) = elements.split_at(10);
        let (few, many) = (heap.set_of_sorted(few), heap.set_of_sorted(many));
        let all = heap.set_of_sorted(&elements);
        for (key, a, result) in [
            (MemoKey::Union, many, all),
            (MemoKey::Except, all, many),
            (MemoKey::SymmetricDifference, all, many),
        ] {
            let mut combining = SetOperationWalk::new(&mut heap, key, a, few);
            let mut budget = Budget::unlimited();
            assert_eq!(combining.resume(&mut heap, &mut budget), None);
            assert!(
                combining
                    .bytes_for_lists(&heap)
                    .is_some_and(|bytes| bytes > 5000 * 24)
            );
            combining.go_by_lists(&mut heap);
            assert_eq!(combining.resume(&mut heap, &mut budget), Some(result));
        }
    }
}
