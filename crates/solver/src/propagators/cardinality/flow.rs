//! A flow through a network of counts, and what no flow has: it is found by going along edges that can take more or less, and an
//! edge without flow can have one if its ends lie in one strongly connected component of these (Régin, 1996).

use std::collections::VecDeque;

use super::network::{Network, ROOT};
use crate::{Candidates, DomainWipeout, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

const NONE: u32 = u32::MAX;

/// The class of each place, and how many places each count has then.
#[derive(Clone, Debug, Default)]
pub struct FlowPropagation {
    /// What each place can hold, as bits of classes.
    can: Vec<u64>,
    holds: Vec<u8>,
    counts: Vec<u32>,
    /// The count that is looked at next.
    at: usize,
    /// From where each node was reached.
    before: Vec<u32>,
    waiting: VecDeque<u32>,
}

impl FlowPropagation {
    pub fn bytes_for(network: &Network) -> usize {
        let nodes = network.nodes.len() + network.places;
        64 * nodes + 512
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.can)
            + room::row(&self.holds)
            + room::row(&self.counts)
            + room::row(&self.before)
            + 4 * self.waiting.capacity()
    }

    /// Begins with a flow that is known, as a value for each place, as far as places can still hold it.
    pub fn begin<'a>(
        network: &Network,
        domains: impl Iterator<Item = Candidates<'a>>,
        known: &[u32],
    ) -> FlowPropagation {
        let mut flow = FlowPropagation {
            can: Vec::with_capacity(network.places),
            holds: vec![0; network.places],
            counts: vec![0; network.nodes.len()],
            ..FlowPropagation::default()
        };
        let mut is_open = vec![true; network.places];
        for (place, domain) in domains.enumerate() {
            flow.can.push(network.classes_of(domain));
            let value = known.get(place).map(|value| *value as usize);
            if let Some(value) = value.filter(|value| domain.has(*value)) {
                flow.put(network, place, network.class_of(value));
                is_open[place] = false;
            }
        }
        // What is decided first, so that the others see what is missing.
        for is_decided in [true, false] {
            for (place, is_open) in is_open.iter().enumerate() {
                if *is_open && (flow.can[place].count_ones() == 1) == is_decided {
                    let class = flow.best_class(network, place);
                    flow.put(network, place, class);
                }
            }
        }
        flow
    }

    fn put(&mut self, network: &Network, place: usize, class: usize) {
        self.holds[place] = class as u8;
        let mut node = network.leaf(place, class);
        while node != ROOT {
            self.counts[node] += 1;
            node = network.nodes[node].parent;
        }
    }

    /// A class of a place that a count needs, or else one that none has too many of.
    fn best_class(&self, network: &Network, place: usize) -> usize {
        let mut best = (0, 0);
        let mut left = self.can[place];
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

    /// Goes on to make it a flow; whether there is one, when that is known.
    pub fn resume(&mut self, network: &Network, budget: &mut Budget) -> Option<bool> {
        if self.can.contains(&0) {
            return Some(false);
        }
        while let Some(node) = network.nodes.get(self.at.max(1)) {
            let count = self.counts[self.at.max(1)];
            self.at = self.at.max(1);
            if (node.least..=node.most).contains(&count) {
                self.at += 1;
                continue;
            }
            if node.least > node.most {
                return Some(false);
            }
            if budget.is_spent() {
                return None;
            }
            let is_more = count < node.least;
            let (from, to) = match is_more {
                true => (self.at, node.parent),
                false => (node.parent, self.at),
            };
            let (is_found, visits) = self.search(network, from, to);
            budget.spend(visits);
            if !is_found {
                return Some(false);
            }
            self.push(network, from, to);
            match is_more {
                true => self.counts[self.at] += 1,
                false => self.counts[self.at] -= 1,
            }
        }
        Some(true)
    }

    /// Looks for a way along which one unit more can go, from a count to another.
    fn search(&mut self, network: &Network, from: usize, to: usize) -> (bool, usize) {
        let count = network.nodes.len();
        self.before.clear();
        self.before.resize(count + network.places, NONE);
        self.waiting.clear();
        self.waiting.push_back(from as u32);
        self.before[from] = from as u32;
        let mut visits = self.before.len() / 8;
        while let Some(node) = self.waiting.pop_front() {
            let mut edge = 0;
            while let Some(next) = self.next(network, node as usize, edge) {
                edge += 1;
                visits += 1;
                let Some(next) = next.filter(|next| self.before[*next] == NONE) else {
                    continue;
                };
                self.before[next] = node;
                if next == to {
                    return (true, visits);
                }
                self.waiting.push_back(next as u32);
            }
        }
        (false, visits)
    }

    /// The end of an edge of a node along which one unit more can go, if it can. `None` behind the last edge. Places lie behind the
    /// counts.
    #[inline]
    fn next(&self, network: &Network, node: usize, edge: usize) -> Option<Option<usize>> {
        let count = network.nodes.len();
        let Some(own) = network.nodes.get(node) else {
            let place = node - count;
            let leaf = network.leaf(place, usize::from(self.holds[place]));
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
        let takes = self.can[place] >> class & 1 == 1 && usize::from(self.holds[place]) != class;
        Some(takes.then_some(count + place))
    }

    /// Lets one unit more go along the way that was found.
    fn push(&mut self, network: &Network, from: usize, to: usize) {
        let count = network.nodes.len();
        let mut node = to;
        while node != from {
            let before = self.before[node] as usize;
            if node >= count {
                let (place, leaf) = (node - count, before);
                let class = self.class_from(network, place, leaf);
                self.holds[place] = class;
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

    /// A class that a place can hold, other than its own, and that it gets from a count.
    fn class_from(&self, network: &Network, place: usize, leaf: usize) -> u8 {
        let own = usize::from(self.holds[place]);
        let fits = |class: &usize| {
            self.can[place] >> class & 1 == 1
                && *class != own
                && network.leaf(place, *class) == leaf
        };
        (0..network.width()).find(fits).unwrap_or(own) as u8
    }

    /// Notes the flow, as a value for each place.
    pub fn note(&self, network: &Network, places: &[u32], solver: &Solver, witness: &mut Vec<u32>) {
        witness.resize(places.len(), 0);
        for (at, (place, noted)) in places.iter().zip(witness).enumerate() {
            let class = usize::from(self.holds[at]);
            let candidates = solver.candidates(*place as usize);
            let fits = |value: usize| candidates.has(value) && network.class_of(value) == class;
            if !fits(*noted as usize) {
                let first = candidates.numbers().find(|value| fits(*value));
                *noted = first.unwrap_or(0) as u32;
            }
        }
    }

    /// Takes away what no flow has.
    pub fn filter(
        &self,
        network: &Network,
        places: &[u32],
        solver: &mut Solver,
        number: u32,
    ) -> Result<(), DomainWipeout> {
        let components = self.components(network);
        let words = solver.width();
        for (at, place) in places.iter().enumerate() {
            let own = components[network.nodes.len() + at];
            let mut gone = 0;
            let mut left = self.can[at] & !(1 << self.holds[at]);
            while left != 0 {
                let class = left.trailing_zeros() as usize;
                left &= left - 1;
                if components[network.leaf(at, class)] != own {
                    gone |= 1 << class;
                }
            }
            if gone != 0 {
                let mask = network.values_of(gone, words);
                solver.leave_out(*place as usize, &mask, Some(number))?;
            }
        }
        Ok(())
    }

    /// The strongly connected component of each node (Tarjan, 1972), without recursion.
    fn components(&self, network: &Network) -> Vec<u32> {
        let count = network.nodes.len() + network.places;
        let mut components = vec![NONE; count];
        // When each was met, and the earliest that is reached from it.
        let (mut met, mut low) = (vec![NONE; count], vec![NONE; count]);
        let (mut open, mut going) = (Vec::new(), Vec::new());
        let (mut time, mut found) = (0, 0);
        for start in 0..count {
            if met[start] != NONE {
                continue;
            }
            going.push((start, 0));
            while let Some((node, edge)) = going.pop() {
                if edge == 0 {
                    (met[node], low[node]) = (time, time);
                    time += 1;
                    open.push(node);
                }
                let Some(next) = self.next(network, node, edge) else {
                    if low[node] == met[node] {
                        while let Some(own) = open.pop() {
                            components[own] = found;
                            if own == node {
                                break;
                            }
                        }
                        found += 1;
                    }
                    if let Some((before, _)) = going.last() {
                        low[*before] = low[*before].min(low[node]);
                    }
                    continue;
                };
                going.push((node, edge + 1));
                match next {
                    Some(next) if met[next] == NONE => going.push((next, 0)),
                    Some(next) if components[next] == NONE => low[node] = low[node].min(met[next]),
                    _ => {}
                }
            }
        }
        components
    }
}
