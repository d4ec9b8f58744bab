//! `reachable` with a bound on the steps of the shortest path.

use std::collections::VecDeque;

use super::depth::{Depth, NONE};
use super::joining::{Joining, needed};
use crate::kernel::{Inferences, Literal, Status};

/// The distances of nodes from one of them.
struct Distances {
    from: Vec<u32>,
    /// The edge by which a node was discovered, and the node before it.
    by: Vec<u32>,
    before: Vec<u32>,
    order: Vec<u32>,
}

impl Distances {
    /// The distances from a node over open edges, by breadth-first search.
    fn new(joining: &Joining<'_>, start: u32, is_open: impl Fn(u32, u32) -> bool) -> Distances {
        let nodes = joining.wiring.nodes();
        let mut distances = Distances {
            from: vec![NONE; nodes],
            by: vec![NONE; nodes],
            before: vec![NONE; nodes],
            order: Vec::new(),
        };
        let mut waiting = VecDeque::from([start]);
        distances.from[start as usize] = 0;
        while let Some(node) = waiting.pop_front() {
            distances.order.push(node);
            for [edge, other] in joining.wiring.around(node).iter().copied() {
                let at = other as usize;
                if distances.from[at] == NONE && is_open(edge, other) {
                    distances.from[at] = distances.from[node as usize] + 1;
                    (distances.by[at], distances.before[at]) = (edge, node);
                    waiting.push_back(other);
                }
            }
        }
        distances
    }

    fn of(&self, node: u32) -> u64 {
        match self.from[node as usize] {
            NONE => u64::from(u32::MAX) * 2,
            steps => u64::from(steps),
        }
    }

    /// The nodes and edges by which one gets to a node, as they are.
    fn path(&self, joining: &Joining<'_>, mut node: u32) -> Vec<Literal> {
        let mut path = vec![Literal::yes(joining.item(node))];
        while self.before[node as usize] != NONE {
            let edge = self.by[node as usize];
            path.extend(fit(joining, edge));
            node = self.before[node as usize];
            path.push(Literal::yes(joining.item(node)));
        }
        path
    }
}

fn fit(joining: &Joining<'_>, edge: u32) -> Option<Literal> {
    let item = joining.wiring.nodes() as u32 + edge;
    joining.has_fits.then_some(Literal::yes(item))
}

impl Joining<'_> {
    /// The shortest path has at most `most` steps.
    pub fn infer_at_most(&self, ends: [u32; 2], most: u32, found: &mut Inferences) {
        found.spend(16 * self.wiring.nodes() + 12 * self.wiring.edges());
        let is_open = |edge: u32, to: u32| self.is_open(edge, to);
        let from = Distances::new(self, ends[0], is_open);
        let ball = || self.obstacles_within(&from, ends[1], u64::from(most));
        if from.of(ends[1]) > u64::from(most) {
            found.fail_by(ball);
            return;
        }
        let back = Distances::new(self, ends[1], is_open);
        let is_near = |edge: u32, to: u32| {
            let [a, b] = self.wiring.ends(edge);
            let before = if a == to { b } else { a };
            let steps = (from.of(before) + back.of(to)).min(from.of(to) + back.of(before));
            is_open(edge, to) && steps < u64::from(most)
        };
        let mut depth = Depth::new(self.wiring.nodes());
        depth.search(self.wiring, ends[0], is_near);
        let mut reason = None;
        for (top, _) in needed(&depth, |node| node == ends[1]) {
            let above = depth.above[top as usize];
            let mut conclude = |literal: Literal| {
                found.conclude_by(literal, || reason.get_or_insert_with(ball).clone());
            };
            if self.node(above) == Status::Open {
                conclude(Literal::yes(self.item(above)));
            }
            let edge_above = depth.by[top as usize];
            if self.edge(edge_above) == Status::Open && depth.hangs_by_edge(top) {
                conclude(Literal::yes(self.wiring.nodes() as u32 + edge_above));
            }
        }
    }

    /// The nodes that block paths within some steps, if the path over them would be short enough.
    fn obstacles_within(&self, from: &Distances, end: u32, most: u64) -> Vec<Literal> {
        let at_first = Distances::new(self, end, |_, _| true);
        let mut obstacles = Vec::new();
        for node in &from.order {
            for [edge, other] in self.wiring.around(*node).iter().copied() {
                let is_short = from.of(*node) + 1 + at_first.of(other) <= most;
                if is_short && !self.is_open(edge, other) {
                    obstacles.extend(self.obstacle(edge, other));
                }
            }
        }
        obstacles.sort_unstable_by_key(|literal| literal.item);
        obstacles.dedup();
        obstacles
    }

    /// The shortest path has at least `least` steps.
    pub fn infer_at_least(&self, ends: [u32; 2], least: u32, found: &mut Inferences) {
        let is_known = |node: u32| self.node(node) == Status::Yes;
        if !ends.into_iter().all(is_known) {
            return;
        }
        found.spend(8 * self.wiring.nodes() + 12 * self.wiring.edges());
        let is_path = |edge: u32, to: u32| is_known(to) && self.edge(edge) == Status::Yes;
        let [from, back] = ends.map(|end| Distances::new(self, end, is_path));
        if from.of(ends[1]) < u64::from(least) {
            found.fail_by(|| from.path(self, ends[1]));
            return;
        }
        for node in (0..self.wiring.nodes() as u32).filter(|node| self.node(*node) == Status::Open)
        {
            let beside = || {
                let around = self.wiring.around(node).iter();
                around.filter(|[edge, other]| is_path(*edge, *other))
            };
            let nearest = |distances: &Distances| {
                beside()
                    .map(|[edge, other]| (distances.of(*other), *edge, *other))
                    .min()
            };
            if let (Some(there), Some(on)) = (nearest(&from), nearest(&back))
                && there.0 + on.0 + 2 < u64::from(least)
            {
                found.conclude_by(Literal::no(self.item(node)), || {
                    let mut reason = from.path(self, there.2);
                    reason.extend(back.path(self, on.2));
                    reason.extend(
                        [there.1, on.1]
                            .into_iter()
                            .filter_map(|edge| fit(self, edge)),
                    );
                    reason
                });
            }
        }
        let edges = 0..if self.has_fits {
            self.wiring.edges() as u32
        } else {
            0
        };
        for edge in edges.filter(|edge| self.edge(*edge) == Status::Open) {
            let [a, b] = self.wiring.ends(edge);
            let path = [[a, b], [b, a]].into_iter().find(|[a, b]| {
                is_known(*a) && is_known(*b) && from.of(*a) + back.of(*b) + 1 < u64::from(least)
            });
            if let Some([a, b]) = path {
                let literal = Literal::no(self.wiring.nodes() as u32 + edge);
                found.conclude_by(literal, || {
                    let mut reason = from.path(self, a);
                    reason.extend(back.path(self, b));
                    reason
                });
            }
        }
    }
}
