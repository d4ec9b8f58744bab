//! Why an edge parts its nodes or does not, beside regions that edges part, in words.

use super::rule_words::{BoardPhrases, add_to_group, list_in_words};
use ndscript_solver::steps::Step;
use ndscript_solver::{Constraint, Division, Network, Shape};

/// At most this many reasons are told.
const MOST_TOLD: usize = 3;
/// At most this many edges are looked at for one step.
const MOST_LOOKED_AT: usize = 1 << 15;

/// What is known of the edges of a rule, with one edge more.
struct Supposed<'a> {
    network: &'a Network,
    division: &'a Division,
    /// Whether each edge parts its nodes, if that is known.
    parts: Vec<Option<bool>>,
}

impl Supposed<'_> {
    /// For each node the number of the group that it is in, by edges that are so.
    fn groups(&self, is_joining: impl Fn(Option<bool>) -> bool) -> Vec<usize> {
        let wiring = &self.network.wiring;
        let mut groups = vec![usize::MAX; wiring.nodes()];
        for first in 0..groups.len() {
            if groups[first] != usize::MAX {
                continue;
            }
            groups[first] = first;
            let mut waiting = vec![first as u32];
            while let Some(node) = waiting.pop() {
                for [edge, other] in wiring.around(node) {
                    let is_new = groups[*other as usize] == usize::MAX;
                    if is_new && is_joining(self.parts[*edge as usize]) {
                        groups[*other as usize] = first;
                        waiting.push(*other);
                    }
                }
            }
        }
        groups
    }

    /// What is wrong, said of the edge that was supposed.
    fn mistake(&self, edge: usize) -> Option<&'static str> {
        let wiring = &self.network.wiring;
        let pieces = self.groups(|parts| parts == Some(false));
        let rooms = self.groups(|parts| parts != Some(true));
        let is_within = |edge: usize| {
            let [a, b] = wiring.ends(edge as u32);
            pieces[a as usize] == pieces[b as usize]
        };
        let cut = |edge: &usize| self.parts[*edge] == Some(true) && is_within(*edge);
        if (0..self.parts.len()).any(|edge| cut(&edge)) {
            return Some(match self.parts[edge] {
                Some(true) => "would part one piece",
                _ => "would join two pieces that are parted elsewhere",
            });
        }
        let count = |groups: &[usize], node: usize| {
            groups.iter().filter(|own| **own == groups[node]).count()
        };
        let mut says = None;
        for node in 0..pieces.len() {
            let sizes = self.division.sizes_of(node)?;
            let (own, room) = (count(&pieces, node), count(&rooms, node));
            if sizes.iter().all(|size| (*size as usize) < own) {
                return Some("would make too large a piece");
            }
            if !sizes
                .iter()
                .any(|size| (own..=room).contains(&(*size as usize)))
            {
                says = Some("would leave a piece too little room");
            }
        }
        let is_no_sum = |node: usize| !self.division.can_be_divided(count(&rooms, node));
        says.or_else(|| {
            let mut nodes = 0..pieces.len();
            nodes
                .any(is_no_sum)
                .then_some("would cut off what cannot be divided into pieces")
        })
    }
}

impl BoardPhrases<'_> {
    /// What goes wrong with the values that a step excludes by pieces that edges part. `None` if it is not as simple as that.
    pub(super) fn division_without(&self, step: &Step) -> Option<String> {
        let [number] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let Constraint::Network(network) = &**solver.constraints().get(number as usize)? else {
            return None;
        };
        let Shape::Division(division) = &network.shape else {
            return None;
        };
        let (nodes, edges) = (network.wiring.nodes(), network.wiring.edges());
        if (nodes * nodes + edges) * step.conclusions.len() > MOST_LOOKED_AT {
            return None;
        }
        let mask = &network.booleans.masks;
        let is_parting = |value: &u32| {
            let word = mask.get(*value as usize / 64).copied().unwrap_or(0);
            word >> (value % 64) & 1 == 1
        };
        let status = |held: &[u32]| match held.iter().filter(|value| is_parting(value)).count() {
            0 => Some(false),
            all if all == held.len() => Some(true),
            _ => None,
        };
        let place_of = |edge: usize| network.booleans.holds[2 * edge];
        let known = |place: u32| {
            let own = step.places.iter().position(|other| *other == place);
            own.map_or_else(|| self.initial(place), |at| step.candidates[at].clone())
        };
        let mut supposed = Supposed {
            network,
            division,
            parts: (0..edges)
                .map(|edge| status(&known(place_of(edge))))
                .collect(),
        };
        let mut told: Vec<((&'static str, Vec<u32>), Vec<u32>)> = Vec::new();
        for one in &step.conclusions {
            let edge = (0..edges).find(|edge| place_of(*edge) == one.place)?;
            let before = supposed.parts[edge];
            supposed.parts[edge] = status(&one.values);
            let mistake = supposed.mistake(edge)?;
            supposed.parts[edge] = before;
            add_to_group(&mut told, (mistake, one.values.clone()), one.place);
        }
        let sentences: Vec<String> = told
            .iter()
            .map(|((mistake, values), places)| {
                let places = list_in_words(&self.names_of(places), "or");
                format!("{} at {places} {mistake}", self.either_of(values))
            })
            .collect();
        (!told.is_empty() && told.len() <= MOST_TOLD).then(|| list_in_words(&sentences, "and"))
    }
}
