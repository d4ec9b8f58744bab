//! A flow through a network of counts, found by augmenting paths. A value can be removed if no flow gives it to its
//! place: its edge has no flow and connects two strongly connected components of the residual graph (Régin, 1996).

use std::collections::VecDeque;

use super::network::{Network, ROOT};
use crate::{Candidates, ConstraintNumber, DomainWipeout, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

const NONE: u32 = u32::MAX;

/// A flow that is being built: a class of values for each place, and the number of places below each count.
#[derive(Clone, Debug, Default)]
pub struct FlowPropagation {
    /// The classes that each place can hold, as bits.
    domains: Vec<u64>,
    assigned: Vec<u8>,
    counts: Vec<u32>,
    /// The next node whose count `resume` visits.
    node: usize,
    /// By node, the node from which the search reached it; `NONE` if it did not.
    reached_from: Vec<u32>,
    waiting: VecDeque<u32>,
}

impl FlowPropagation {
    pub fn bytes_for(network: &Network) -> usize {
        let nodes = network.nodes.len() + network.places;
        64 * nodes + 512
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.domains)
            + room::row(&self.assigned)
            + room::row(&self.counts)
            + room::row(&self.reached_from)
            + 4 * self.waiting.capacity()
    }

    /// Starts from a known solution, a value for each place; a value that its place no longer has is replaced. Bounds
    /// need not hold yet: `resume` sees to that.
    pub fn begin<'a>(
        network: &Network,
        domains: impl Iterator<Item = Candidates<'a>>,
        known: &[u32],
    ) -> FlowPropagation {
        let mut flow = FlowPropagation {
            domains: Vec::with_capacity(network.places),
            assigned: vec![0; network.places],
            counts: vec![0; network.nodes.len()],
            ..FlowPropagation::default()
        };
        let mut is_open = vec![true; network.places];
        for (place, domain) in domains.enumerate() {
            flow.domains.push(network.classes_of(domain));
            let value = known.get(place).map(|value| *value as usize);
            if let Some(value) = value.filter(|value| domain.has(*value)) {
                flow.assign(network, place, network.class_of(value));
                is_open[place] = false;
            }
        }
        // Decided places first: `best_class` then sees what the counts still need.
        for is_decided in [true, false] {
            for (place, is_open) in is_open.iter().enumerate() {
                if *is_open && (flow.domains[place].count_ones() == 1) == is_decided {
                    let class = flow.best_class(network, place);
                    flow.assign(network, place, class);
                }
            }
        }
        flow
    }

    fn assign(&mut self, network: &Network, place: usize, class: usize) {
        self.assigned[place] = class as u8;
        let mut node = network.leaf(place, class);
        while node != ROOT {
            self.counts[node] += 1;
            node = network.nodes[node].parent;
        }
    }

    /// The best class for a place: one that a count below its lower bound needs, else one that no upper bound
    /// forbids, else any.
    fn best_class(&self, network: &Network, place: usize) -> usize {
        let mut best = (0, 0);
        let mut left = self.domains[place];
        while left != 0 {
            let class = left.trailing_zeros() as usize;
            left &= left - 1;
            let (mut is_needed, mut is_free) = (false, true);
            let mut node = network.leaf(place, class);
            while node != ROOT {
                is_needed |= self.counts[node] < network.nodes[node].least;
                is_free &= self.counts[node] < network.nodes[node].most;
                node = network.nodes[node].parent;
            }
            let rank = 1 + usize::from(is_needed && is_free) + usize::from(is_free);
            if rank > best.0 {
                best = (rank, class);
            }
        }
        best.1
    }

    /// Repairs counts that are out of bounds, one unit at a time. Returns `Some(true)` once all bounds hold,
    /// `Some(false)` if there is no flow, `None` if the budget is spent.
    pub fn resume(&mut self, network: &Network, budget: &mut Budget) -> Option<bool> {
        if self.domains.contains(&0) {
            return Some(false);
        }
        while let Some(node) = network.nodes.get(self.node.max(1)) {
            let count = self.counts[self.node.max(1)];
            self.node = self.node.max(1);
            if (node.least..=node.most).contains(&count) {
                self.node += 1;
                continue;
            }
            if node.least > node.most {
                return Some(false);
            }
            if budget.is_spent() {
                return None;
            }
            let is_too_few = count < node.least;
            let (from, to) = match is_too_few {
                true => (self.node, node.parent),
                false => (node.parent, self.node),
            };
            let (is_found, visits) = self.find_augmenting_path(network, from, to);
            budget.spend(visits);
            if !is_found {
                return Some(false);
            }
            self.augment(network, from, to);
            match is_too_few {
                true => self.counts[self.node] += 1,
                false => self.counts[self.node] -= 1,
            }
        }
        Some(true)
    }

    /// Searches the residual graph for a path along which one more unit can flow. Returns whether there is one (it is
    /// then in `reached_from`) and the visits.
    fn find_augmenting_path(&mut self, network: &Network, from: usize, to: usize) -> (bool, usize) {
        let count = network.nodes.len();
        self.reached_from.clear();
        self.reached_from.resize(count + network.places, NONE);
        self.waiting.clear();
        self.waiting.push_back(from as u32);
        self.reached_from[from] = from as u32;
        let mut visits = self.reached_from.len() / 8;
        while let Some(node) = self.waiting.pop_front() {
            let mut edge = 0;
            while let Some(next) = self.residual_edge(network, node as usize, edge) {
                edge += 1;
                visits += 1;
                let Some(next) = next.filter(|next| self.reached_from[*next] == NONE) else {
                    continue;
                };
                self.reached_from[next] = node;
                if next == to {
                    return (true, visits);
                }
                self.waiting.push_back(next as u32);
            }
        }
        (false, visits)
    }

    /// Edge number `edge` of a node in the residual graph. `None` after the last edge, `Some(None)` if the edge is
    /// saturated, else the node at its end. Nodes of places follow those of counts.
    #[inline]
    fn residual_edge(&self, network: &Network, node: usize, edge: usize) -> Option<Option<usize>> {
        let count = network.nodes.len();
        let Some(own) = network.nodes.get(node) else {
            let place = node - count;
            let leaf = network.leaf(place, usize::from(self.assigned[place]));
            return (edge == 0).then_some(Some(leaf));
        };
        if let Some(child) = own.children.get(edge) {
            let child = *child as usize;
            return Some((self.counts[child] < network.nodes[child].most).then_some(child));
        }
        let edge = edge - own.children.len();
        if edge == 0 {
            let gives = node != ROOT && self.counts[node] > own.least;
            return Some(gives.then_some(own.parent));
        }
        let slot = *own.slots.get(edge - 1)? as usize;
        let (place, class) = (slot / network.width(), slot % network.width());
        let has_residue =
            self.domains[place] >> class & 1 == 1 && usize::from(self.assigned[place]) != class;
        Some(has_residue.then_some(count + place))
    }

    /// Sends one unit along the path in `reached_from`.
    fn augment(&mut self, network: &Network, from: usize, to: usize) {
        let count = network.nodes.len();
        let mut node = to;
        while node != from {
            let before = self.reached_from[node] as usize;
            if node >= count {
                let (place, leaf) = (node - count, before);
                let class = self.class_gained_from(network, place, leaf);
                self.assigned[place] = class;
            } else if before < count {
                if network.nodes[node].parent == before && node != ROOT {
                    self.counts[node] += 1;
                } else {
                    self.counts[before] -= 1;
                }
            }
            node = before;
        }
    }

    /// Another class than its own that a place can hold and whose leaf is `leaf`; its own class if there is none.
    fn class_gained_from(&self, network: &Network, place: usize, leaf: usize) -> u8 {
        let own = usize::from(self.assigned[place]);
        let fits = |class: &usize| {
            self.domains[place] >> class & 1 == 1
                && *class != own
                && network.leaf(place, *class) == leaf
        };
        (0..network.width()).find(fits).unwrap_or(own) as u8
    }

    /// Stores the flow in `witness`, as a value for each place. A stored value that still fits stays.
    pub fn store_matching(
        &self,
        network: &Network,
        places: &[u32],
        solver: &Solver,
        witness: &mut Vec<u32>,
    ) {
        witness.resize(places.len(), 0);
        for (at, (place, stored)) in places.iter().zip(witness).enumerate() {
            let class = usize::from(self.assigned[at]);
            let candidates = solver.candidates(*place as usize);
            let fits = |value: usize| candidates.has(value) && network.class_of(value) == class;
            if !fits(*stored as usize) {
                let first = candidates.numbers().find(|value| fits(*value));
                *stored = first.unwrap_or(0) as u32;
            }
        }
    }

    /// Removes the classes that no flow gives to a place.
    pub fn filter(
        &self,
        network: &Network,
        places: &[u32],
        solver: &mut Solver,
        number: ConstraintNumber,
    ) -> Result<(), DomainWipeout> {
        let components = self.components(network);
        let words = solver.width();
        for (at, place) in places.iter().enumerate() {
            let own = components[network.nodes.len() + at];
            let mut removed = 0;
            let mut left = self.domains[at] & !(1 << self.assigned[at]);
            while left != 0 {
                let class = left.trailing_zeros() as usize;
                left &= left - 1;
                if components[network.leaf(at, class)] != own {
                    removed |= 1 << class;
                }
            }
            if removed != 0 {
                let mask = network.values_of(removed, words);
                solver.leave_out(*place as usize, &mask, Some(number))?;
            }
        }
        Ok(())
    }

    /// The strongly connected component of each node of the residual graph (Tarjan, 1972), without recursion.
    fn components(&self, network: &Network) -> Vec<u32> {
        let count = network.nodes.len() + network.places;
        let mut components = vec![NONE; count];
        // When each was entered, and the earliest open node that it reaches.
        let (mut entered, mut low) = (vec![NONE; count], vec![NONE; count]);
        let (mut open, mut path) = (Vec::new(), Vec::new());
        let (mut time, mut found) = (0, 0);
        for start in 0..count {
            if entered[start] != NONE {
                continue;
            }
            path.push((start, 0));
            while let Some((node, edge)) = path.pop() {
                if edge == 0 {
                    (entered[node], low[node]) = (time, time);
                    time += 1;
                    open.push(node);
                }
                let Some(next) = self.residual_edge(network, node, edge) else {
                    if low[node] == entered[node] {
                        while let Some(own) = open.pop() {
                            components[own] = found;
                            if own == node {
                                break;
                            }
                        }
                        found += 1;
                    }
                    if let Some((before, _)) = path.last() {
                        low[*before] = low[*before].min(low[node]);
                    }
                    continue;
                };
                path.push((node, edge + 1));
                match next {
                    Some(next) if entered[next] == NONE => path.push((next, 0)),
                    Some(next) if components[next] == NONE => {
                        low[node] = low[node].min(entered[next])
                    }
                    _ => {}
                }
            }
        }
        components
    }
}
