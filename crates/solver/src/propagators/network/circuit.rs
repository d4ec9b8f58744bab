//! `circuit`: the chosen edges form one closed loop, which goes through no node twice.
//!
//! A node has two chosen edges or none. An edge that would close a loop while others are chosen elsewhere is excluded.
//! A loop lies in one block of the edges that are not excluded, so edges of other blocks, and bridges, are not on it.

use super::depth::{Depth, NONE};
use super::forest::Trees;
use super::wiring::Wiring;
use crate::kernel::{Inferences, Literal, Status};

/// Infers from the degrees of nodes, from loops that would close too early, and from blocks.
pub fn infer(wiring: &Wiring, status: &[Status], found: &mut Inferences) {
    let mut status = status.to_vec();
    found.spend(wiring.nodes() + 4 * wiring.edges());
    // What follows at nodes is carried out before the whole graph is looked at, so that reasons hold.
    if degrees(wiring, &mut status, found) || found.failure().is_some() {
        return;
    }
    found.spend(4 * wiring.nodes() + 4 * wiring.edges());
    let follows = loops(wiring, &mut status, found);
    if found.failure().is_some() || follows && found.wants_reasons() {
        return;
    }
    found.spend(8 * wiring.nodes() + 8 * wiring.edges());
    blocks(wiring, &status, found);
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
fn degrees(wiring: &Wiring, status: &mut [Status], found: &mut Inferences) -> bool {
    let mut follows = false;
    let mut waiting: Vec<u32> = (0..wiring.nodes() as u32).collect();
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

/// One loop: nothing closes a loop while an edge that is not part of it is chosen.
fn loops(wiring: &Wiring, status: &mut [Status], found: &mut Inferences) -> bool {
    let trees = Trees::new(wiring, status);
    let edges = 0..wiring.edges() as u32;
    let has_status = |edge: u32, wanted: Status| status[edge as usize] == wanted;
    let path = |edge: u32| -> Vec<Literal> {
        let path = trees.path(wiring.ends(edge));
        path.into_iter().map(Literal::yes).collect()
    };
    let root = |edge: u32| trees.root_of(wiring.ends(edge)[0]);
    // Nodes have two chosen edges at most, so that what holds the loop together is the loop.
    if let Some(closing) = trees.closing {
        let closed = || {
            let mut reason = path(closing);
            reason.push(Literal::yes(closing));
            reason
        };
        let other = |edge: &u32| has_status(*edge, Status::Yes) && root(*edge) != root(closing);
        if let Some(other) = edges.clone().find(other) {
            return found.fail_by(|| {
                let mut reason = closed();
                reason.push(Literal::yes(other));
                reason
            });
        }
        let mut follows = false;
        for edge in edges.filter(|edge| has_status(*edge, Status::Open)) {
            found.conclude_by(Literal::no(edge), closed);
            follows = true;
        }
        if !found.wants_reasons() {
            leave_out_open(status);
        }
        return follows;
    }
    let count = edges
        .clone()
        .filter(|edge| has_status(*edge, Status::Yes))
        .count();
    let mut closing = Vec::new();
    for edge in edges.clone().filter(|edge| has_status(*edge, Status::Open)) {
        let is_apart = trees.edges_of[root(edge) as usize] < count as u32;
        if !is_apart || !trees.are_joined(wiring.ends(edge)) {
            continue;
        }
        found.conclude_by(Literal::no(edge), || {
            let other = |other: &u32| has_status(*other, Status::Yes) && root(*other) != root(edge);
            let mut reason = path(edge);
            reason.extend(edges.clone().find(other).map(Literal::yes));
            reason
        });
        closing.push(edge);
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
    let blocks = depth.blocks();
    let is_bridge = |edge: u32| {
        let lower = depth.lower_of(wiring.ends(edge));
        depth.by[lower as usize] == edge && depth.hangs_by_edge(lower)
    };
    let block_of = |edge: u32| blocks[depth.lower_of(wiring.ends(edge)) as usize];
    let left = || (0..wiring.edges() as u32).filter(|edge| is_left(*edge));
    let mut has_loop = false;
    // The block that the loop is in, if it is known, by an edge of it.
    let mut main = None;
    for edge in left() {
        if is_bridge(edge) {
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
        } else {
            has_loop = true;
            main = main.or((status[edge as usize] == Status::Yes).then_some(edge));
        }
    }
    if !has_loop {
        let closed = (0..wiring.edges() as u32).filter(|edge| !is_left(*edge));
        found.fail_by(|| closed.map(Literal::no).collect());
        return;
    }
    let Some(main) = main else { return };
    let block = block_of(main);
    let mut sides = None;
    for edge in left().filter(|edge| !is_bridge(*edge) && block_of(*edge) != block) {
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
