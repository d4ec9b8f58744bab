//! How far the edges of a graph are from one of them: a reason nearby is told rather than one that goes all around.

use std::collections::BTreeMap;

use super::model::Model;
use crate::Constraint;

/// How far around an edge a reason is looked for at first, in edges.
pub(super) const DISTANCES: [u32; 2] = [1, 3];

impl Model {
    /// The places of edges with their distances from that of one place, of those that can be reached from there. `None` if a rule
    /// is not about edges.
    pub fn distances(&self, rule: u32, place: u32) -> Option<BTreeMap<u32, u32>> {
        let Constraint::Network(network) = &*self.rules[rule as usize].constraint else {
            return None;
        };
        if !network.is_of_edges() {
            return None;
        }
        let wiring = &network.wiring;
        let mut distances: Vec<Option<u32>> = vec![None; wiring.edges()];
        let edges = 0..distances.len();
        let mut newest: Vec<usize> = edges
            .filter(|edge| network.place_of_edge(*edge) == place)
            .collect();
        let mut distance = 0;
        while !newest.is_empty() {
            let mut next = Vec::new();
            for edge in newest {
                if distances[edge].is_none() {
                    distances[edge] = Some(distance);
                    let around = wiring.ends(edge as u32).into_iter();
                    let around = around.flat_map(|node| wiring.around(node));
                    next.extend(around.map(|[edge, _]| *edge as usize));
                }
            }
            next.retain(|edge| distances[*edge].is_none());
            newest = next;
            distance += 1;
        }
        let reached = distances.into_iter().enumerate();
        let reached =
            reached.filter_map(|(edge, distance)| Some((network.place_of_edge(edge), distance?)));
        Some(reached.collect())
    }
}
