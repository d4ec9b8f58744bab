//! Canonical trees for large sets: treaps (Seidel and Aragon, 1996) whose priorities are a hash of what
//! the element is, with every node interned. So a set has one tree however it was built, trees share what they have in
//! common, and adding an element makes O(log n) nodes.

use super::budget::Budget;
use super::heap::Heap;
use super::number::{hash_word, hash_words};
use super::room;
use super::value::{Handle, Value};

/// The empty tree.
pub const NIL: Handle = Handle::MAX;

/// A node of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub value: Value,
    pub left: Handle,
    pub right: Handle,
    /// Elements of the whole tree.
    pub len: u32,
    /// Of all elements together, whatever the shape of the tree.
    pub content: u32,
}

impl Default for Node {
    fn default() -> Self {
        Node { value: Value::NULL, left: NIL, right: NIL, len: 0, content: 0 }
    }
}

impl Node {
    /// The hash by which the node is interned.
    #[inline]
    pub(super) fn hash(&self) -> u64 {
        hash_words(&[self.value, Value::from_bits((self.left as u64) << 32 | self.right as u64)])
    }

    /// Whether the elements are the same, if equal trees are one.
    #[inline]
    pub(super) fn is_same(&self, other: &Node) -> bool {
        self.value == other.value && self.left == other.left && self.right == other.right
    }
}

impl Heap {
    pub fn tree_len(&self, tree: Handle) -> usize {
        if tree == NIL { 0 } else { self.nodes[tree].len as usize }
    }

    fn node(&mut self, value: Value, left: Handle, right: Handle) -> Handle {
        let mut node = Node { value, left, right, ..Node::default() };
        let hash = node.hash();
        if let Some(found) = self.node_table.find(hash, |handle| node.is_same(&self.nodes[*handle])) {
            return *found;
        }
        node.len = (1 + self.tree_len(left) + self.tree_len(right)) as u32;
        node.content = self.content_of_node(&node);
        let handle = self.nodes.add(node, &mut self.bytes);
        let nodes = &self.nodes;
        let hasher = |handle: &Handle| nodes[*handle].hash();
        room::enter(&mut self.node_table, hash, handle, hasher, &mut self.bytes);
        handle
    }

    /// What a node is to say of its content.
    pub(super) fn content_of_node(&self, node: &Node) -> u32 {
        let below = |branch: Handle| if branch == NIL { 0 } else { self.nodes[branch].content };
        let own = hash_word(!self.content(node.value)) as u32;
        own.wrapping_add(below(node.left)).wrapping_add(below(node.right))
    }

    /// Whether a node has the size of its branches and stands above them.
    #[cfg(feature = "save")]
    pub(super) fn is_tree(&self, tree: Handle) -> bool {
        let node = self.nodes[tree];
        let below = |branch: Handle| branch == NIL || self.is_above(node.value, self.nodes[branch].value);
        node.len as usize == 1 + self.tree_len(node.left) + self.tree_len(node.right)
            && below(node.left)
            && below(node.right)
    }

    /// The element with an index, in order.
    pub fn tree_get(&self, mut tree: Handle, mut index: usize) -> Option<Value> {
        while tree != NIL {
            let node = &self.nodes[tree];
            let left = self.tree_len(node.left);
            match index.cmp(&left) {
                std::cmp::Ordering::Less => tree = node.left,
                std::cmp::Ordering::Equal => return Some(node.value),
                std::cmp::Ordering::Greater => {
                    index -= left + 1;
                    tree = node.right;
                }
            }
        }
        None
    }

    pub fn tree_contains(&self, mut tree: Handle, value: Value) -> bool {
        while tree != NIL {
            let node = &self.nodes[tree];
            tree = match self.order(value, node.value) {
                std::cmp::Ordering::Less => node.left,
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Greater => node.right,
            };
        }
        false
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

    /// The tree with one more element, which it does not have.
    pub fn tree_insert(&mut self, tree: Handle, value: Value) -> Handle {
        let mut path = Vec::new();
        let mut at = tree;
        while at != NIL && self.is_above(self.nodes[at].value, value) {
            let right = self.order(value, self.nodes[at].value).is_gt();
            path.push((at, right));
            at = if right { self.nodes[at].right } else { self.nodes[at].left };
        }
        let (left, right) = self.tree_split(at, value);
        let inserted = self.node(value, left, right);
        self.rebuild(path, inserted)
    }

    /// The tree without an element, which it has.
    pub fn tree_remove(&mut self, tree: Handle, value: Value) -> Handle {
        let mut path = Vec::new();
        let mut at = tree;
        while at != NIL && self.nodes[at].value != value {
            let right = self.order(value, self.nodes[at].value).is_gt();
            path.push((at, right));
            at = if right { self.nodes[at].right } else { self.nodes[at].left };
        }
        if at == NIL {
            return tree;
        }
        let node = self.nodes[at];
        let joined = self.tree_join(node.left, node.right);
        self.rebuild(path, joined)
    }

    fn rebuild(&mut self, path: Vec<(Handle, bool)>, mut below: Handle) -> Handle {
        for (at, right) in path.into_iter().rev() {
            let node = self.nodes[at];
            below =
                if right { self.node(node.value, node.left, below) } else { self.node(node.value, below, node.right) };
        }
        below
    }

    fn tree_split(&mut self, tree: Handle, value: Value) -> (Handle, Handle) {
        let mut path = Vec::new();
        let mut at = tree;
        while at != NIL {
            let less = self.order(self.nodes[at].value, value).is_lt();
            path.push((at, less));
            at = if less { self.nodes[at].right } else { self.nodes[at].left };
        }
        let (mut left, mut right) = (NIL, NIL);
        for (at, less) in path.into_iter().rev() {
            let node = self.nodes[at];
            if less {
                left = self.node(node.value, node.left, left);
            } else {
                right = self.node(node.value, right, node.right);
            }
        }
        (left, right)
    }

    fn tree_join(&mut self, mut left: Handle, mut right: Handle) -> Handle {
        let mut path = Vec::new();
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
        self.rebuild(path, rest)
    }

    /// The tree of elements that are sorted and without repetition. All at once.
    pub fn tree_of_sorted(&mut self, elements: &[Value]) -> Handle {
        let mut planting = Planting::new(elements.to_vec());
        let mut budget = Budget::unlimited();
        planting.go(self, &mut budget).unwrap_or(NIL)
    }
}

/// The making of a tree; can stop and go on.
///
/// The shape comes first, as a Cartesian tree by priority over a stack of right spines (Vuillemin, 1980), then nodes
/// from below.
#[derive(Clone, Debug)]
pub struct Planting {
    /// Sorted, and without repetition.
    elements: Vec<Value>,
    /// For each element those below it to the left and to the right.
    children: Vec<(u32, u32)>,
    spine: Vec<u32>,
    made: Vec<Handle>,
    /// Elements whose trees are to be made, and whether those below are.
    work: Vec<(u32, bool)>,
}

const NONE: u32 = u32::MAX;

impl Planting {
    pub fn new(elements: Vec<Value>) -> Planting {
        Planting { elements, children: Vec::new(), spine: Vec::new(), made: Vec::new(), work: Vec::new() }
    }

    pub fn elements(&self) -> &[Value] {
        &self.elements
    }

    /// What making a tree of so many elements needs beside them and the nodes.
    pub fn bytes_beside(count: usize) -> usize {
        count * (size_of::<(u32, u32)>() + size_of::<Handle>())
    }

    /// Goes on; the tree when it is done.
    pub fn go(&mut self, heap: &mut Heap, budget: &mut Budget) -> Option<Handle> {
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
                self.made = vec![NIL; count];
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
                let tree_of = |child: u32| if child == NONE { NIL } else { self.made[child as usize] };
                let (left, right) = (tree_of(left), tree_of(right));
                self.made[at as usize] = heap.node(self.elements[at as usize], left, right);
            } else {
                self.work.push((at, true));
                let below = [left, right].into_iter().filter(|child| *child != NONE);
                self.work.extend(below.map(|child| (child, false)));
            }
        }
        Some(self.made[self.spine[0] as usize])
    }

    /// Each element comes off the spine once at most, so the visits for that are the same whatever the shape.
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
        self.made.iter().filter(|tree| **tree != NIL).for_each(|tree| visit_tree(*tree));
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.elements)
            + room::row(&self.children)
            + room::row(&self.spine)
            + room::row(&self.made)
            + room::row(&self.work)
    }
}

#[cfg(feature = "save")]
saved!(struct Node { value, left, right, len, content });
