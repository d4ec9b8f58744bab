//! A search in depth over the part of a graph that is open: what hangs together only by one node or edge (Hopcroft and Tarjan,
//! 1973).

use super::wiring::Wiring;

/// No edge leads to a node, or no node is there.
pub const NONE: u32 = u32::MAX;

/// What a depth-first search records of nodes.
pub struct Depth {
    /// The nodes in the order in which they were discovered.
    pub order: Vec<u32>,
    /// When a node was discovered, from 1 on; 0 if it was not.
    pub discovery: Vec<u32>,
    /// The earliest that a node and what hangs below it lead back to.
    pub low: Vec<u32>,
    /// How many were discovered when a node's subtree was complete: the subtree lies together in `order`.
    pub last: Vec<u32>,
    /// The edge by which a node was discovered, and the node above it.
    pub by: Vec<u32>,
    pub above: Vec<u32>,
    /// The search's position at each node on the path from the root.
    path: Vec<(u32, u32)>,
    pub visits: usize,
}

impl Depth {
    pub fn new(nodes: usize) -> Depth {
        Depth {
            order: Vec::with_capacity(nodes),
            discovery: vec![0; nodes],
            low: vec![0; nodes],
            last: vec![0; nodes],
            by: vec![NONE; nodes],
            above: vec![NONE; nodes],
            path: Vec::new(),
            visits: 0,
        }
    }

    /// The bytes of a search over this number of nodes.
    pub fn bytes_of(nodes: usize) -> usize {
        nodes * (6 * 4 + 8)
    }

    /// Clears the records, so that it can be used again.
    pub fn clear(&mut self) {
        for node in self.order.drain(..) {
            self.discovery[node as usize] = 0;
        }
    }

    fn meet(&mut self, node: u32, by: u32, above: u32) {
        self.order.push(node);
        let (at, now) = (node as usize, self.order.len() as u32);
        (self.discovery[at], self.low[at]) = (now, now);
        (self.by[at], self.above[at]) = (by, above);
    }

    /// Visits everything reachable from a root over open edges. `is_open` tells whether the step over an edge to a node
    /// is open.
    pub fn search(&mut self, wiring: &Wiring, root: u32, is_open: impl Fn(u32, u32) -> bool) {
        if self.discovery[root as usize] != 0 {
            return;
        }
        self.meet(root, NONE, NONE);
        let (mut node, mut next) = (root, 0);
        loop {
            let at = node as usize;
            let (around, by) = (wiring.around(node), self.by[at]);
            let mut low = self.low[at];
            let mut below = None;
            while let Some([edge, other]) = around.get(next).copied() {
                next += 1;
                if edge == by || !is_open(edge, other) {
                    continue;
                }
                match self.discovery[other as usize] {
                    0 => {
                        below = Some((edge, other));
                        break;
                    }
                    met => low = low.min(met),
                }
            }
            self.low[at] = low;
            if let Some((edge, other)) = below {
                self.path.push((node, next as u32));
                self.meet(other, edge, node);
                (node, next) = (other, 0);
                continue;
            }
            self.visits += 1 + around.len();
            self.last[at] = self.order.len() as u32;
            let Some((above, after)) = self.path.pop() else {
                return;
            };
            let above_low = &mut self.low[above as usize];
            *above_low = low.min(*above_low);
            (node, next) = (above, after as usize);
        }
    }

    /// Whether a node was discovered.
    pub fn is_discovered(&self, node: u32) -> bool {
        self.discovery[node as usize] != 0
    }

    /// A node and all below it.
    pub fn below(&self, node: u32) -> &[u32] {
        let at = node as usize;
        &self.order[self.discovery[at] as usize - 1..self.last[at] as usize]
    }

    /// Whether a node lies below another one, or is it.
    pub fn is_below(&self, node: u32, top: u32) -> bool {
        let (discovery, top) = (self.discovery[node as usize], top as usize);
        discovery >= self.discovery[top] && discovery <= self.last[top]
    }

    /// The node below an edge of the search.
    pub fn lower_of(&self, [a, b]: [u32; 2]) -> u32 {
        if self.discovery[a as usize] > self.discovery[b as usize] {
            a
        } else {
            b
        }
    }

    /// Whether all paths from the part below a node to the rest lead over the node above it.
    pub fn hangs(&self, node: u32) -> bool {
        let above = self.above[node as usize];
        above != NONE && self.low[node as usize] >= self.discovery[above as usize]
    }

    /// Whether they even lead over the edge to the node above it.
    pub fn hangs_by_edge(&self, node: u32) -> bool {
        self.above[node as usize] != NONE
            && self.low[node as usize] == self.discovery[node as usize]
    }

    /// The part of the graph that an edge belongs to in which no node is needed to join any two others, by the node through which
    /// the search came into it; nodes in the order of the search.
    pub fn blocks(&self) -> Vec<u32> {
        let mut blocks = vec![NONE; self.discovery.len()];
        for node in &self.order {
            let above = self.above[*node as usize];
            blocks[*node as usize] = match self.hangs(*node) {
                true => *node,
                false if above == NONE => NONE,
                false => blocks[above as usize],
            };
        }
        blocks
    }
}
