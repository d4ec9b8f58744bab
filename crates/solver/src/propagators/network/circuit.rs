//! `circuit`: the chosen edges form one closed loop, which goes through no node twice.
//!
//! A node has two chosen edges or none. An edge that would close a loop while others are chosen elsewhere is excluded.
//! A loop lies in one block of the edges that are not excluded, so edges of other blocks, and bridges, are not on it.

use super::depth::{Depth, NONE};
use super::wiring::Wiring;
use crate::kernel::{Inferences, Literal, Status};

/// Infers from the degrees of nodes, from loops that would close too early, and from blocks.
pub fn infer(wiring: &Wiring, status: &[Status], found: &mut Inferences) {
    let mut status = status.to_vec();
    found.spend(wiring.nodes() + wiring.edges());
    let mut counts = Counts::new(wiring, &status);
    // What follows at nodes is carried out before the whole graph is looked at, so that reasons hold.
    let follows = degrees(wiring, &counts, &mut status, found);
    if found.failure().is_some() || follows && found.wants_reasons() {
        return;
    }
    if follows {
        found.spend(wiring.nodes() + wiring.edges());
        counts = Counts::new(wiring, &status);
    }
    found.spend(4 * wiring.nodes());
    let follows = loops(wiring, &counts, &mut status, found);
    if found.failure().is_some() || follows && found.wants_reasons() {
        return;
    }
    found.spend(8 * wiring.nodes() + 4 * wiring.edges());
    blocks(wiring, &status, found);
}

/// By node how many of its edges are chosen, and how many are open.
struct Counts {
    chosen: Vec<u32>,
    open: Vec<u32>,
}

impl Counts {
    fn new(wiring: &Wiring, status: &[Status]) -> Counts {
        let mut counts = Counts {
            chosen: vec![0; wiring.nodes()],
            open: vec![0; wiring.nodes()],
        };
        for (edge, status) in (0..).zip(status) {
            let count = match status {
                Status::Yes => &mut counts.chosen,
                Status::Open => &mut counts.open,
                Status::No => continue,
            };
            for node in wiring.ends(edge) {
                count[node as usize] += 1;
            }
        }
        counts
    }
}

/// Nodes with more edges have too many clauses.
const MOST_AS_CLAUSES: usize = 6;

/// Two chosen edges at each node, or none, as clauses: no three of them, and none without another one.
pub fn degrees_as_clauses(wiring: &Wiring) -> Vec<Vec<Literal>> {
    let mut clauses = Vec::new();
    for node in 0..wiring.nodes() as u32 {
        let mut edges: Vec<u32> = wiring.around(node).iter().map(|[edge, _]| *edge).collect();
        if edges.len() > MOST_AS_CLAUSES {
            continue;
        }
        edges.sort_unstable();
        edges.dedup();
        for (at, first) in edges.iter().enumerate() {
            let others = edges.iter().filter(|edge| *edge != first);
            let others = others.map(|edge| Literal::yes(*edge));
            clauses.push([Literal::no(*first)].into_iter().chain(others).collect());
            for (between, second) in edges.iter().enumerate().skip(at + 1) {
                let third = edges.iter().skip(between + 1);
                clauses.extend(third.map(|third| {
                    let three = [*first, *second, *third];
                    three.map(Literal::no).to_vec()
                }));
            }
        }
    }
    clauses
}

/// Two chosen edges at each node, or none. Without reasons what follows from what was found is found, too.
fn degrees(
    wiring: &Wiring,
    counts: &Counts,
    status: &mut [Status],
    found: &mut Inferences,
) -> bool {
    let mut follows = false;
    let is_settled = |node: &u32| {
        let at = *node as usize;
        matches!(
            (counts.chosen[at], counts.open[at]),
            (0 | 2, 0) | (0 | 1, 2..)
        )
    };
    let nodes = 0..wiring.nodes() as u32;
    let mut waiting: Vec<u32> = nodes.filter(|node| !is_settled(node)).collect();
    while let Some(node) = waiting.pop() {
        let around = wiring.around(node);
        let now = &*status;
        let edges_with = |wanted: Status| {
            let edges = around.iter().map(|[edge, _]| *edge);
            edges.filter(move |edge| wanted == now[*edge as usize])
        };
        found.spend(2 + around.len());
        let (chosen, open) = (
            edges_with(Status::Yes).count(),
            edges_with(Status::Open).count(),
        );
        let known = |chosen: usize| -> Vec<Literal> {
            edges_with(Status::Yes)
                .take(chosen)
                .map(Literal::yes)
                .collect()
        };
        let closed = || {
            let mut reason = known(1);
            reason.extend(edges_with(Status::No).map(Literal::no));
            reason
        };
        if chosen > 2 {
            return found.fail_by(|| known(3));
        }
        if chosen == 1 && open == 0 {
            return found.fail_by(closed);
        }
        let inferred = match (chosen, open) {
            (2, _) => false,
            (1, 1) => true,
            (0, 1) => false,
            _ => continue,
        };
        let edges: Vec<u32> = edges_with(Status::Open).collect();
        for edge in edges {
            let literal = Literal {
                item: edge,
                is: inferred,
            };
            match chosen {
                2 => found.conclude_by(literal, || known(2)),
                _ => found.conclude_by(literal, closed),
            }
            follows = true;
        }
        if !found.wants_reasons() {
            for [edge, other] in around {
                let status = &mut status[*edge as usize];
                if *status == Status::Open {
                    *status = if inferred { Status::Yes } else { Status::No };
                    waiting.push(*other);
                }
            }
        }
    }
    follows
}

/// The chosen edges from a node on, where no node has more than two: each with the node that it leads to.
struct Walk<'a> {
    wiring: &'a Wiring,
    status: &'a [Status],
    at: u32,
    by: u32,
}

impl Iterator for Walk<'_> {
    type Item = [u32; 2];

    fn next(&mut self) -> Option<[u32; 2]> {
        let mut around = self.wiring.around(self.at).iter().copied();
        let next = around
            .find(|[edge, _]| *edge != self.by && self.status[*edge as usize] == Status::Yes)?;
        [self.by, self.at] = next;
        Some(next)
    }
}

/// One loop: nothing closes a loop while an edge that is not part of it is chosen.
fn loops(wiring: &Wiring, counts: &Counts, status: &mut [Status], found: &mut Inferences) -> bool {
    let walk = |at: u32| Walk {
        wiring,
        status: &*status,
        at,
        by: NONE,
    };
    let literals = |start: u32| {
        let mut is_over = false;
        let edges = walk(start).take_while(move |[_, node]| {
            let takes = !is_over;
            is_over = *node == start;
            takes
        });
        edges
            .map(|[edge, _]| Literal::yes(edge))
            .collect::<Vec<_>>()
    };
    let mut seen = vec![false; wiring.nodes()];
    // The two ends of each path.
    let mut paths: Vec<[u32; 2]> = Vec::new();
    for start in (0..wiring.nodes() as u32).filter(|node| counts.chosen[*node as usize] == 1) {
        if !seen[start as usize] {
            let mut end = start;
            for [_, node] in walk(start) {
                seen[node as usize] = true;
                end = node;
            }
            paths.push([start, end]);
        }
    }
    let is_on_loop = |node: &u32| counts.chosen[*node as usize] == 2 && !seen[*node as usize];
    if let Some(start) = (0..wiring.nodes() as u32).find(is_on_loop) {
        for [_, node] in walk(start) {
            if std::mem::replace(&mut seen[node as usize], true) {
                break;
            }
        }
        let other_loop = (0..wiring.nodes() as u32)
            .find(|node| counts.chosen[*node as usize] == 2 && !seen[*node as usize]);
        if let Some(other) = paths.first().map(|path| path[0]).or(other_loop) {
            return found.fail_by(|| {
                let mut reason = literals(start);
                reason.extend(walk(other).next().map(|[edge, _]| Literal::yes(edge)));
                reason
            });
        }
        let mut follows = false;
        for edge in 0..wiring.edges() as u32 {
            if status[edge as usize] == Status::Open {
                found.conclude_by(Literal::no(edge), || literals(start));
                follows = true;
            }
        }
        if !found.wants_reasons() {
            leave_out_open(status);
        }
        return follows;
    }
    let mut closing = Vec::new();
    for [start, end] in paths.iter().filter(|_| paths.len() > 1) {
        for [edge, other] in wiring.around(*start) {
            if other != end || status[*edge as usize] != Status::Open {
                continue;
            }
            found.conclude_by(Literal::no(*edge), || {
                let mut reason = literals(*start);
                let apart = paths.iter().find(|path| path[0] != *start);
                let apart = apart.and_then(|path| walk(path[0]).next());
                reason.extend(apart.map(|[edge, _]| Literal::yes(edge)));
                reason
            });
            closing.push(*edge);
        }
    }
    let follows = !closing.is_empty();
    for edge in closing.iter().filter(|_| !found.wants_reasons()) {
        status[*edge as usize] = Status::No;
    }
    follows
}

fn leave_out_open(status: &mut [Status]) {
    for status in status.iter_mut().filter(|status| **status == Status::Open) {
        *status = Status::No;
    }
}

/// Excludes edges that cannot be on the loop: bridges, and edges outside the block (biconnected component) of a chosen edge. Fails if
/// one of these is chosen, or if no cycle is left.
fn blocks(wiring: &Wiring, status: &[Status], found: &mut Inferences) {
    let is_left = |edge: u32| status[edge as usize] != Status::No;
    let mut depth = Depth::new(wiring.nodes());
    for root in 0..wiring.nodes() as u32 {
        depth.search(wiring, root, |edge, _| is_left(edge));
    }
    // Blocks that have a loop.
    let mut count = 0;
    for node in depth.order.iter().filter(|node| depth.hangs(**node)) {
        if !depth.hangs_by_edge(*node) {
            count += 1;
            continue;
        }
        let edge = depth.by[*node as usize];
        let cut = || bridge(wiring, &depth, edge);
        if status[edge as usize] == Status::Yes {
            found.fail_by(|| {
                let mut reason = cut();
                reason.push(Literal::yes(edge));
                reason
            });
            return;
        }
        found.conclude_by(Literal::no(edge), cut);
    }
    let edges = || 0..wiring.edges() as u32;
    if count == 0 {
        found.fail_by(|| {
            edges()
                .filter(|edge| !is_left(*edge))
                .map(Literal::no)
                .collect()
        });
        return;
    }
    if count == 1 {
        return;
    }
    // The loop is in the block of any chosen edge.
    let main = edges().find(|edge| status[*edge as usize] == Status::Yes);
    let Some(main) = main else { return };
    found.spend(4 * wiring.edges());
    let blocks = depth.blocks();
    let is_bridge = |edge: u32| {
        let lower = depth.lower_of(wiring.ends(edge));
        depth.by[lower as usize] == edge && depth.hangs_by_edge(lower)
    };
    let block_of = |edge: u32| blocks[depth.lower_of(wiring.ends(edge)) as usize];
    let block = block_of(main);
    let mut sides = None;
    let left = edges().filter(|edge| is_left(*edge));
    for edge in left.filter(|edge| !is_bridge(*edge) && block_of(*edge) != block) {
        let reason = |sides: &mut Option<Sides>| {
            let is_main = |edge: u32| !is_bridge(edge) && block_of(edge) == block;
            let sides = sides.get_or_insert_with(|| Sides::new(wiring, is_left, is_main));
            let mut reason = sides.cut(wiring, edge);
            reason.push(Literal::yes(main));
            reason
        };
        if status[edge as usize] == Status::Yes {
            found.fail_by(|| {
                let mut reason = reason(&mut sides);
                reason.push(Literal::yes(edge));
                reason
            });
            return;
        }
        found.conclude_by(Literal::no(edge), || reason(&mut sides));
    }
}

/// The excluded edges between the part below a bridge and the rest.
fn bridge(wiring: &Wiring, depth: &Depth, bridge: u32) -> Vec<Literal> {
    let lower = depth.lower_of(wiring.ends(bridge));
    let mut cut = Vec::new();
    for node in depth.below(lower) {
        for [edge, other] in wiring.around(*node) {
            if *edge != bridge && !depth.is_below(*other, lower) {
                cut.push(Literal::no(*edge));
            }
        }
    }
    cut
}

/// The parts that hang at nodes of a block, or lie apart from it: a side for each component without the block's nodes.
struct Sides {
    /// The side of a node; none if it is in the block.
    of: Vec<u32>,
    /// The excluded edges between each side and everything but the node that it hangs by.
    cuts: Vec<Vec<Literal>>,
}

impl Sides {
    /// The parts of the graph outside the main block, each with the node by which it hangs on the block.
    fn new(wiring: &Wiring, is_open: impl Fn(u32) -> bool, is_main: impl Fn(u32) -> bool) -> Sides {
        let mut in_block = vec![false; wiring.nodes()];
        for edge in (0..wiring.edges() as u32).filter(|edge| is_open(*edge) && is_main(*edge)) {
            for node in wiring.ends(edge) {
                in_block[node as usize] = true;
            }
        }
        let mut sides = Sides {
            of: vec![NONE; wiring.nodes()],
            cuts: Vec::new(),
        };
        for root in 0..wiring.nodes() as u32 {
            if in_block[root as usize] || sides.of[root as usize] != NONE {
                continue;
            }
            let side = sides.cuts.len() as u32;
            let mut nodes = vec![root];
            sides.of[root as usize] = side;
            let (mut at, mut cut) = (0, Vec::new());
            // It hangs by one node of the block at most.
            let mut hangs_by = NONE;
            while let Some(node) = nodes.get(at).copied() {
                at += 1;
                for [edge, other] in wiring.around(node) {
                    if !is_open(*edge) {
                        continue;
                    }
                    let other = *other as usize;
                    if in_block[other] {
                        hangs_by = other as u32;
                    } else if sides.of[other] == NONE {
                        sides.of[other] = side;
                        nodes.push(other as u32);
                    }
                }
            }
            for node in &nodes {
                for [edge, other] in wiring.around(*node) {
                    let is_cut = sides.of[*other as usize] != side && *other != hangs_by;
                    if !is_open(*edge) && is_cut {
                        cut.push(Literal::no(*edge));
                    }
                }
            }
            sides.cuts.push(cut);
        }
        sides
    }

    /// The cut between an edge and the block.
    fn cut(&self, wiring: &Wiring, edge: u32) -> Vec<Literal> {
        let sides = wiring.ends(edge).map(|node| self.of[node as usize]);
        let side = sides.into_iter().find(|side| *side != NONE);
        side.map_or(Vec::new(), |side| self.cuts[side as usize].clone())
    }
}
