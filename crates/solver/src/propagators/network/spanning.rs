//! `acyclic` beside a count: a forest of which so many edges are wanted that the others must join.
//!
//! A graph of some nodes and components has forests of as many edges as there are nodes more than components, and of no
//! more. So an edge without which there would be one component too many is chosen: with a count of one less than the nodes, each bridge.

use std::sync::Arc;

use super::depth::{Depth, NONE};
use super::{MOST_OF_NETWORK, Network, Shape, Wiring};
use crate::Constraint;
use crate::kernel::{Inferences, Item, Kernel, Literal, Status};
use crate::propagators::Count;

/// A forest of at least a number of edges.
pub struct Spanning {
    network: Network,
    least: usize,
}

impl Network {
    /// How many of the edges of an `acyclic` have to be chosen, by the counts of the board; and the work.
    pub(super) fn least_of<'a>(
        &self,
        counts: impl Iterator<Item = &'a Count>,
        places: usize,
    ) -> (usize, usize) {
        let (mut most, mut work) = (0, 0);
        if !matches!(self.shape, Shape::Acyclic) {
            return (most, work);
        }
        let edges = self.booleans.count_of_holds();
        for count in counts {
            // It need not know all of them, and a look at all might take long.
            if work > MOST_OF_NETWORK {
                break;
            }
            work += 1;
            let least = count.least as usize;
            // What is no edge could be all that the count wants.
            if least <= count.places.len().saturating_sub(edges) {
                continue;
            }
            work += places / 8 + 4 * edges + 2 * count.places.len();
            let mut is_edge = vec![false; places];
            for item in 0..edges {
                let (place, values) = self.booleans.hold(item);
                // What is counted there and not chosen would be no edge.
                let mut counted = count.values.iter().enumerate();
                is_edge[place as usize] |= counted
                    .all(|(at, word)| word & !values.get(at).copied().unwrap_or_default() == 0);
            }
            let places = count.places.iter();
            let others = places.filter(|place| !is_edge[**place as usize]).count();
            most = most.max(least.saturating_sub(others));
        }
        (most, work)
    }

    /// What follows from this rule together with counts, as a kernel, if there is anything; and the work.
    pub fn with_counts(
        &self,
        constraints: &[Arc<Constraint>],
        places: usize,
    ) -> (Option<Spanning>, usize) {
        let counts = constraints.iter().filter_map(|other| other.as_count());
        let (least, work) = self.least_of(counts, places);
        let spanning = (least > 0).then(|| Spanning {
            network: self.clone(),
            least,
        });
        (spanning, work)
    }
}

impl Kernel for Spanning {
    fn items(&self) -> Vec<Item> {
        self.network.items()
    }

    fn infer(&self, status: &[Status], found: &mut Inferences) {
        infer(&self.network.wiring, status, self.least, found);
    }
}

/// Infers from how many edges a forest of those that are not excluded can have.
pub fn infer(wiring: &Wiring, status: &[Status], least: usize, found: &mut Inferences) {
    found.spend(8 * wiring.nodes() + 4 * wiring.edges());
    let is_left = |edge: u32| status[edge as usize] != Status::No;
    let mut depth = Depth::new(wiring.nodes());
    let mut component = vec![NONE; wiring.nodes()];
    let mut components = 0;
    for root in 0..wiring.nodes() as u32 {
        let before = depth.order.len();
        depth.search(wiring, root, |edge, _| is_left(edge));
        for node in &depth.order[before..] {
            component[*node as usize] = root;
        }
        components += usize::from(depth.order.len() > before);
    }
    let most = wiring.nodes() - components;
    let are_apart = |edge: &u32| {
        let [a, b] = wiring.ends(*edge);
        component[a as usize] != component[b as usize]
    };
    let between_components = || {
        (0..wiring.edges() as u32)
            .filter(are_apart)
            .map(Literal::no)
    };
    if most < least {
        found.fail_by(|| between_components().collect());
    }
    if most != least {
        return;
    }
    let hanging = depth
        .order
        .iter()
        .filter(|node| depth.hangs_by_edge(**node));
    for node in hanging {
        let edge = depth.by[*node as usize];
        if status[edge as usize] != Status::Open {
            continue;
        }
        found.conclude_by(Literal::yes(edge), || {
            let around = depth
                .below(*node)
                .iter()
                .flat_map(|own| wiring.around(*own));
            let leaving = around.filter(|[other, to]| {
                *other != edge && !depth.is_below(*to, *node) && !are_apart(other)
            });
            let cut = leaving.map(|[other, _]| Literal::no(*other));
            cut.chain(between_components()).collect()
        });
    }
}
