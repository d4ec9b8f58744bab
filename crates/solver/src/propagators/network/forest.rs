//! The chosen edges as rooted trees, and `acyclic`, which requires that they are a forest.

use std::collections::VecDeque;

use super::depth::NONE;
use super::wiring::Wiring;
use crate::kernel::{Inferences, Literal, Status};

/// A tree for each part that chosen edges hold together.
pub struct Trees {
    root: Vec<u32>,
    by: Vec<u32>,
    above: Vec<u32>,
    depth: Vec<u32>,
    /// The nodes, tree by tree, each after the one above it.
    order: Vec<u32>,
    /// A chosen edge that closes a loop.
    pub closing: Option<u32>,
}

impl Trees {
    /// The trees of the edges that hold, by breadth-first search.
    pub fn new(wiring: &Wiring, status: &[Status]) -> Trees {
        Trees::of(wiring, |edge| status[edge as usize] == Status::Yes)
    }

    /// The trees of the chosen edges, by breadth-first search.
    pub fn of(wiring: &Wiring, is_chosen: impl Fn(u32) -> bool) -> Trees {
        let nodes = wiring.nodes();
        let mut trees = Trees {
            root: vec![NONE; nodes],
            by: vec![NONE; nodes],
            above: vec![NONE; nodes],
            depth: vec![0; nodes],
            order: Vec::with_capacity(nodes),
            closing: None,
        };
        let mut waiting = VecDeque::new();
        for root in 0..nodes as u32 {
            if trees.root[root as usize] != NONE {
                continue;
            }
            trees.root[root as usize] = root;
            waiting.push_back(root);
            while let Some(node) = waiting.pop_front() {
                trees.order.push(node);
                for [edge, other] in wiring.around(node).iter().copied() {
                    if !is_chosen(edge) {
                        continue;
                    }
                    let at = other as usize;
                    if trees.root[at] == NONE {
                        trees.root[at] = root;
                        (trees.by[at], trees.above[at]) = (edge, node);
                        trees.depth[at] = trees.depth[node as usize] + 1;
                        waiting.push_back(other);
                    } else if trees.by[node as usize] != edge {
                        // An edge that leads down is met again from below, where it leads up.
                        let leads_down = trees.by[at] == edge;
                        trees.closing = trees.closing.or((!leads_down).then_some(edge));
                    }
                }
            }
        }
        trees
    }

    /// The nodes, tree by tree, each after the one above it.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The chosen edge to the node above, if there is one; otherwise `NONE`.
    pub fn by(&self, node: u32) -> u32 {
        self.by[node as usize]
    }

    pub fn root_of(&self, node: u32) -> u32 {
        self.root[node as usize]
    }

    /// Whether chosen edges join two nodes.
    pub fn are_joined(&self, [a, b]: [u32; 2]) -> bool {
        self.root_of(a) == self.root_of(b)
    }

    /// The chosen edges on the path between two nodes that are joined.
    pub fn path(&self, [mut a, mut b]: [u32; 2]) -> Vec<u32> {
        let mut path = Vec::new();
        while a != b {
            if self.depth[a as usize] < self.depth[b as usize] {
                (a, b) = (b, a);
            }
            path.push(self.by[a as usize]);
            a = self.above[a as usize];
        }
        path
    }
}

/// No loop among the chosen edges.
pub fn infer(wiring: &Wiring, status: &[Status], found: &mut Inferences) {
    found.spend(4 * wiring.nodes() + 4 * wiring.edges());
    let trees = Trees::new(wiring, status);
    let path = |edge: u32| -> Vec<Literal> {
        let path = trees.path(wiring.ends(edge));
        path.into_iter().map(Literal::yes).collect()
    };
    if let Some(edge) = trees.closing {
        found.fail_by(|| {
            let mut reason = path(edge);
            reason.push(Literal::yes(edge));
            reason
        });
        return;
    }
    for edge in 0..wiring.edges() as u32 {
        if status[edge as usize] == Status::Open && trees.are_joined(wiring.ends(edge)) {
            found.conclude_by(Literal::no(edge), || path(edge));
        }
    }
}
