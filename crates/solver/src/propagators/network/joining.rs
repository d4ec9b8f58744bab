//! `connected` and `reachable` on any graph: the nodes that all regions or paths need, and those that none can use.
//!
//! Parts that are joined by only one node or edge need it (articulation points and bridges; between two ends,
//! dominators).

use super::depth::Depth;
use super::wiring::Wiring;
use crate::kernel::{Inferences, Literal, Status};

/// A graph whose nodes are items, and whose edges are further items if neighbors have to fit.
#[derive(Clone, Copy)]
pub struct Joining<'a> {
    pub wiring: &'a Wiring,
    pub status: &'a [Status],
    /// Whether edges are items.
    pub has_fits: bool,
    /// The item of each node; without it, its number.
    pub items: Option<&'a [u32]>,
}

impl Joining<'_> {
    pub fn item(&self, node: u32) -> u32 {
        self.items.map_or(node, |items| items[node as usize])
    }

    fn fit(&self, edge: u32) -> u32 {
        self.wiring.nodes() as u32 + edge
    }

    pub fn node(&self, node: u32) -> Status {
        self.status
            .get(self.item(node) as usize)
            .copied()
            .unwrap_or(Status::No)
    }

    pub fn edge(&self, edge: u32) -> Status {
        match self.has_fits {
            true => self.status[self.fit(edge) as usize],
            false => Status::Yes,
        }
    }

    pub fn is_open(&self, edge: u32, to: u32) -> bool {
        self.node(to) != Status::No && self.edge(edge) != Status::No
    }

    /// Why one cannot go over an edge to a node. A node that never was an item needs no reason.
    pub fn obstacle(&self, edge: u32, to: u32) -> Option<Literal> {
        match self.node(to) {
            Status::No => {
                let item = self.item(to);
                ((item as usize) < self.status.len()).then_some(Literal::no(item))
            }
            _ => Some(Literal::no(self.fit(edge))),
        }
    }

    /// The obstacles around some nodes, but for a node and an edge. One that is beside several of them is there as often.
    pub fn border(
        &self,
        nodes: &[u32],
        is_inside: impl Fn(u32) -> bool,
        but: (Option<u32>, Option<u32>),
    ) -> Vec<Literal> {
        let mut border = Vec::new();
        for node in nodes {
            for [edge, other] in self.wiring.around(*node).iter().copied() {
                let is_crossing = !is_inside(other) && but.0 != Some(other) && but.1 != Some(edge);
                border.extend(is_crossing.then(|| self.obstacle(edge, other)).flatten());
            }
        }
        border
    }

    fn flood(&self, root: u32, depth: &mut Depth) {
        depth.search(self.wiring, root, |edge, to| self.is_open(edge, to));
    }

    fn nodes(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.wiring.nodes() as u32
    }

    /// The nodes that are so form one piece.
    pub fn infer_piece(&self, found: &mut Inferences) {
        found.spend(self.wiring.nodes());
        let Some(root) = self.nodes().find(|node| self.node(*node) == Status::Yes) else {
            return;
        };
        found.spend(8 * self.wiring.nodes() + 4 * self.wiring.edges());
        let mut depth = Depth::new(self.wiring.nodes());
        self.flood(root, &mut depth);
        let count = depth.order.len();
        let needs = |node: u32| self.node(node) == Status::Yes;
        self.infer_needed(&depth, needs, true, found);
        // Components apart from the root.
        for start in self.nodes() {
            if self.node(start) == Status::No || depth.is_discovered(start) {
                continue;
            }
            let before = depth.order.len();
            self.flood(start, &mut depth);
            let nodes = &depth.order[before..];
            // What surrounds the smaller one keeps the two apart.
            let is_smaller = nodes.len() < count;
            let (from, to) = if is_smaller {
                (before, usize::MAX)
            } else {
                (0, count)
            };
            let side = if is_smaller {
                nodes
            } else {
                &depth.order[..count]
            };
            let reason = |hanging: Option<Literal>| {
                let inside = |node: u32| {
                    let discovery = depth.discovery[node as usize] as usize;
                    discovery > from && discovery <= to
                };
                let mut reason = self.border(side, inside, (None, None));
                reason.push(Literal::yes(self.item(root)));
                reason.extend(hanging);
                reason
            };
            if let Some(node) = nodes.iter().find(|node| needs(**node)) {
                found.fail_by(|| reason(Some(Literal::yes(self.item(*node)))));
                return;
            }
            found.conclude_by(Literal::no(self.item(start)), || reason(None));
            for node in &nodes[1..] {
                found.conclude_too(Literal::no(self.item(*node)));
            }
        }
        found.spend(depth.order.len() - count);
    }

    /// Both ends are in, and a path of such nodes joins them.
    pub fn infer_path(&self, ends: [u32; 2], found: &mut Inferences) {
        for end in ends {
            match self.node(end) {
                Status::No => {
                    found.fail_by(|| vec![Literal::no(self.item(end))]);
                    return;
                }
                Status::Open => found.conclude(Literal::yes(self.item(end)), []),
                Status::Yes => {}
            }
        }
        found.spend(8 * self.wiring.nodes() + 4 * self.wiring.edges());
        let mut depth = Depth::new(self.wiring.nodes());
        self.flood(ends[0], &mut depth);
        if !depth.is_discovered(ends[1]) {
            let inside = |node: u32| depth.is_discovered(node);
            found.fail_by(|| self.border(&depth.order, inside, (None, None)));
            return;
        }
        self.infer_needed(&depth, |node| node == ends[1], false, found);
    }

    /// Infers the items that join the root of a search with nodes that must be joined to it.
    fn infer_needed(
        &self,
        depth: &Depth,
        needs: impl Fn(u32) -> bool,
        are_reasons: bool,
        found: &mut Inferences,
    ) {
        for (top, hanging) in needed(depth, needs) {
            let above = depth.above[top as usize];
            let reason = |but: (Option<u32>, Option<u32>)| {
                let inside = |node: u32| depth.is_below(node, top);
                let mut reason = self.border(depth.below(top), inside, but);
                if are_reasons {
                    let ends = [depth.order[0], hanging].map(|node| Literal::yes(self.item(node)));
                    reason.extend(ends);
                }
                reason
            };
            if self.node(above) == Status::Open && above != depth.order[0] {
                let literal = Literal::yes(self.item(above));
                found.conclude_by(literal, || reason((Some(above), None)));
            }
            let edge_above = depth.by[top as usize];
            if self.edge(edge_above) == Status::Open && depth.hangs_by_edge(top) {
                let literal = Literal::yes(self.fit(edge_above));
                found.conclude_by(literal, || reason((None, Some(edge_above))));
            }
        }
    }
}

/// The nodes below which something needed hangs by the node above only, with one that does.
pub fn needed(depth: &Depth, needs: impl Fn(u32) -> bool) -> Vec<(u32, u32)> {
    let mut hanging = Vec::new();
    // The needed nodes in the order of the search.
    let known: Vec<u32> = (0..depth.order.len() as u32)
        .filter(|at| needs(depth.order[*at as usize]))
        .collect();
    for node in depth.order.iter().filter(|node| depth.hangs(**node)) {
        let discovered = depth.discovery[*node as usize];
        let first = known.partition_point(|at| at + 1 < discovered);
        if let Some(at) = known
            .get(first)
            .filter(|at| **at < depth.last[*node as usize])
        {
            hanging.push((*node, depth.order[*at as usize]));
        }
    }
    hanging
}
