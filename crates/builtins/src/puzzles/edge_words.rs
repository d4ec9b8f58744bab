//! Why an edge is so or is not, beside loops and regions that edges make, in words.

use super::rule_words::{BoardPhrases, add_to_group, list_in_words};
use ndscript_solver::steps::Step;
use ndscript_solver::{Constraint, Division, Network, Shape};

/// At most this many reasons are told.
const MOST_TOLD: usize = 3;
/// At most this many nodes and edges are looked at for one step.
const MOST_LOOKED_AT: usize = 1 << 15;

/// What would go wrong, and with which values.
type Mistake = (&'static str, Vec<u32>);

/// What is known of the edges of a rule, with one edge more.
struct Supposed<'a> {
    network: &'a Network,
    /// Whether each edge holds what the rule is about, if that is known.
    known: Vec<Option<bool>>,
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
                    if is_new && is_joining(self.known[*edge as usize]) {
                        groups[*other as usize] = first;
                        waiting.push(*other);
                    }
                }
            }
        }
        groups
    }

    /// How many nodes are in each group, by its number.
    fn counts(groups: &[usize]) -> Vec<usize> {
        let mut counts = vec![0; groups.len()];
        groups.iter().for_each(|group| counts[*group] += 1);
        counts
    }

    fn edges(&self) -> std::ops::Range<usize> {
        0..self.known.len()
    }

    fn ends(&self, edge: usize) -> [usize; 2] {
        self.network
            .wiring
            .ends(edge as u32)
            .map(|node| node as usize)
    }

    /// What is wrong, said of the edge that was supposed, if one was.
    fn mistake(&self, edge: Option<usize>) -> Option<&'static str> {
        match &self.network.shape {
            Shape::Division(division) => self.mistake_of_division(division, edge),
            Shape::Circuit => self.mistake_of_circuit(),
            Shape::Acyclic => self.closes_loop().then_some("would close a loop"),
            _ => None,
        }
    }

    /// Whether some edges form a loop: in some group as many of them as nodes.
    fn has_loop(&self, is_chosen: impl Fn(Option<bool>) -> bool) -> bool {
        let groups = self.groups(&is_chosen);
        let mut chosen = vec![0; groups.len()];
        for edge in self.edges().filter(|edge| is_chosen(self.known[*edge])) {
            chosen[groups[self.ends(edge)[0]]] += 1;
        }
        let nodes = Self::counts(&groups);
        chosen
            .iter()
            .zip(&nodes)
            .any(|(chosen, nodes)| *chosen > 0 && chosen >= nodes)
    }

    fn closes_loop(&self) -> bool {
        self.has_loop(|is| is == Some(true))
    }

    fn mistake_of_circuit(&self) -> Option<&'static str> {
        let wiring = &self.network.wiring;
        let (mut meet, mut end) = (false, false);
        for node in 0..wiring.nodes() as u32 {
            let around = || {
                wiring
                    .around(node)
                    .iter()
                    .map(|[edge, _]| self.known[*edge as usize])
            };
            let chosen = around().filter(|is| *is == Some(true)).count();
            meet |= chosen > 2;
            end |= chosen == 1 && !around().any(|is| is.is_none());
        }
        if meet {
            return Some("would be a third edge at a node");
        }
        if end {
            return Some("would leave a loose end");
        }
        if !self.has_loop(|is| is != Some(false)) {
            return Some("would leave no loop");
        }
        let joined = self.groups(|is| is == Some(true));
        let near = self.groups(|is| is != Some(false));
        let mut chosen = self.edges().filter(|edge| self.known[*edge] == Some(true));
        let first = self.ends(chosen.next()?)[0];
        let is_elsewhere = |groups: &[usize]| {
            let mut chosen = self.edges().filter(|edge| self.known[*edge] == Some(true));
            chosen.any(|edge| groups[self.ends(edge)[0]] != groups[first])
        };
        if self.closes_loop() && is_elsewhere(&joined) {
            return Some("would close a loop beside other edges");
        }
        is_elsewhere(&near).then_some("would cut the loop apart")
    }

    fn mistake_of_division(
        &self,
        division: &Division,
        edge: Option<usize>,
    ) -> Option<&'static str> {
        let pieces = self.groups(|parts| parts == Some(false));
        let rooms = self.groups(|parts| parts != Some(true));
        let cuts = |edge: usize| {
            let [a, b] = self.ends(edge);
            self.known[edge] == Some(true) && pieces[a] == pieces[b]
        };
        if self.edges().any(cuts) {
            return Some(match edge.and_then(|edge| self.known[edge]) {
                Some(false) => "would join two pieces that are parted elsewhere",
                _ => "would part one piece",
            });
        }
        let (in_piece, in_room) = (Self::counts(&pieces), Self::counts(&rooms));
        let mut says = None;
        for node in 0..pieces.len() {
            let sizes = division.sizes_of(node)?;
            let (own, room) = (in_piece[pieces[node]], in_room[rooms[node]]);
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
        let is_no_sum = |node: usize| !division.can_be_divided(in_room[rooms[node]]);
        says.or_else(|| {
            let mut nodes = 0..pieces.len();
            nodes
                .any(is_no_sum)
                .then_some("would cut off what cannot be divided into pieces")
        })
    }
}

impl BoardPhrases<'_> {
    /// What goes wrong with the values that a step excludes by what edges make, or with a value that is supposed. `None` if it is not as simple as that.
    pub(super) fn edges_without(
        &self,
        step: &Step,
        supposed_value: Option<(u32, u32)>,
    ) -> Option<String> {
        let [number] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let Constraint::Network(network) = &**solver.constraints().get(number as usize)? else {
            return None;
        };
        let are_edges = matches!(
            network.shape,
            Shape::Circuit | Shape::Acyclic | Shape::Division(_)
        );
        let (nodes, edges) = (network.wiring.nodes(), network.wiring.edges());
        let conclusions = step.conclusions.len();
        let visits = (nodes + edges) * (conclusions * conclusions).max(1);
        if !are_edges || visits > MOST_LOOKED_AT {
            return None;
        }
        let mask = &network.booleans.masks;
        let is_wanted = |value: &u32| {
            let word = mask.get(*value as usize / 64).copied().unwrap_or(0);
            word >> (value % 64) & 1 == 1
        };
        let status = |held: &[u32]| match held.iter().filter(|value| is_wanted(value)).count() {
            0 => Some(false),
            all if all == held.len() => Some(true),
            _ => None,
        };
        let place_of = |edge: usize| network.booleans.holds[2 * edge];
        let held = |place: u32| self.held(step, place);
        let mut supposed = Supposed {
            network,
            known: (0..edges)
                .map(|edge| status(&held(place_of(edge))))
                .collect(),
        };
        if step.conclusions.is_empty() {
            let mistake = supposed.mistake(None)?;
            return Some(match supposed_value {
                Some((place, value)) => {
                    format!("{} at {} {mistake}", self.value(value), self.place(place))
                }
                None => format!("that {mistake}"),
            });
        }
        let mut told: Vec<(Mistake, Vec<u32>)> = Vec::new();
        let mut left: Vec<_> = step.conclusions.iter().collect();
        // What is concluded first is known for the others.
        while !left.is_empty() {
            let count = left.len();
            left.retain(|one| {
                let Some(edge) = (0..edges).find(|edge| place_of(*edge) == one.place) else {
                    return true;
                };
                let before = supposed.known[edge];
                let excluded = status(&one.values);
                supposed.known[edge] = excluded;
                let Some(mistake) = supposed.mistake(Some(edge)) else {
                    supposed.known[edge] = before;
                    return true;
                };
                supposed.known[edge] = excluded.map(|is| !is);
                add_to_group(&mut told, (mistake, one.values.clone()), one.place);
                false
            });
            if left.len() == count {
                return None;
            }
        }
        let sentences: Vec<String> = told
            .iter()
            .map(|((mistake, values), places)| {
                let places = list_in_words(&self.names_of(places), "or");
                format!("{} at {places} {mistake}", self.either_of(values))
            })
            .collect();
        (told.len() <= MOST_TOLD).then(|| list_in_words(&sentences, "and"))
    }
}
