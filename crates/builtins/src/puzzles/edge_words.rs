//! Why an edge is so or is not, beside loops and regions that edges make, in words.

use super::rule_words::{BoardPhrases, add_to_group, list_in_words};
use ndscript_solver::steps::Step;
use ndscript_solver::{Constraint, Mistake, Network};

/// At most this many reasons are told.
const MOST_TOLD: usize = 3;
/// At most this many nodes and edges are looked at for one step.
const MOST_LOOKED_AT: usize = 1 << 15;
/// At most this many ways into a part are named.
const MOST_WAYS: usize = 5;

/// A mistake with the values that make it, and whether it is seen at one look; the places where they do.
type Told = ((Mistake, Vec<u32>, bool), Vec<u32>);

impl BoardPhrases<'_> {
    fn mistake(&self, network: &Network, mistake: &Mistake) -> String {
        let named = |edges: &[u32]| {
            let places = edges
                .iter()
                .map(|edge| network.place_of_edge(*edge as usize));
            list_in_words(&self.names_of(&places.collect::<Vec<u32>>()), "and")
        };
        let words = match mistake {
            Mistake::ThirdEdge => "would be a third edge at a node",
            Mistake::LooseEnd => "would leave a loose end",
            Mistake::NoLoop => "would leave no loop",
            Mistake::Loop => "would close a loop",
            Mistake::LoopBeside => "would close a loop beside other edges",
            Mistake::Apart => "would cut the loop apart",
            Mistake::JoinsParted => "would join two pieces that are parted elsewhere",
            Mistake::PartsOne => "would part one piece",
            Mistake::TooLarge => "would make too large a piece",
            Mistake::TooLittleRoom => "would leave a piece too little room",
            Mistake::Indivisible => "would cut off what cannot be divided into pieces",
            Mistake::OddWays(ways) if ways.len() == 1 => {
                let way = named(ways);
                return format!(
                    "would let {way} lead into a part of the board that has no other way out"
                );
            }
            Mistake::OddWays(ways) => {
                let list = match ways.len() > MOST_WAYS {
                    true => String::new(),
                    false => format!(": {}", named(ways)),
                };
                return format!("would leave an odd number of ways into a part of the board{list}");
            }
            Mistake::ClosesWithout(ends, other) => {
                let (ends, other) = (named(ends), named(&[*other]));
                return format!("would let {ends} close only a loop without {other}");
            }
        };
        words.to_string()
    }

    /// What goes wrong with each value that a step excludes, if that is seen at one look, or where an edge leads from node to node.
    fn mistakes(
        &self,
        step: &Step,
        network: &Network,
        mut known: Vec<Option<bool>>,
    ) -> Option<Vec<Told>> {
        let mut told: Vec<Told> = Vec::new();
        let mut left: Vec<_> = step.conclusions.iter().collect();
        // What is concluded first is known for the others.
        while !left.is_empty() {
            let count = left.len();
            left.retain(|one| {
                let place_of = |edge: &usize| network.place_of_edge(*edge);
                let Some(edge) = (0..known.len()).find(|edge| place_of(edge) == one.place) else {
                    return true;
                };
                let excluded = network.status(one.values.iter().copied());
                let mut with = known.clone();
                with[edge] = excluded;
                let at_once = network.mistake(&with, Some(edge));
                let is_at_once = at_once.is_some();
                let at_last = || network.mistake(&network.followed(with), Some(edge));
                let Some(mistake) = at_once.or_else(at_last) else {
                    return true;
                };
                known[edge] = excluded.map(|is| !is);
                let what = (mistake, one.values.clone(), is_at_once);
                add_to_group(&mut told, what, one.place);
                false
            });
            if left.len() == count {
                return None;
            }
        }
        Some(told)
    }

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
        let (nodes, edges) = (network.wiring.nodes(), network.wiring.edges());
        let conclusions = step.conclusions.len();
        let visits = (nodes + edges) * (conclusions * conclusions).max(1);
        if !network.is_of_edges() || visits > MOST_LOOKED_AT {
            return None;
        }
        let status = |values: &[u32]| network.status(values.iter().copied());
        let held = (0..edges).map(|edge| self.held(step, network.place_of_edge(edge)));
        let named: Vec<Option<bool>> = held.map(|held| status(&held)).collect();
        // Nodes tell a reader more than a step names.
        let seen = network.followed(named.clone());
        if step.conclusions.is_empty() {
            let mistake = network.mistake(&named, None);
            let mistake = mistake.or_else(|| network.mistake(&seen, None))?;
            let mistake = self.mistake(network, &mistake);
            return Some(match supposed_value {
                Some((place, value)) => {
                    format!("{} at {} {mistake}", self.value(value), self.place(place))
                }
                None => format!("that {mistake}"),
            });
        }
        let told = self.mistakes(step, network, named);
        let told = told.or_else(|| self.mistakes(step, network, seen))?;
        let sentences: Vec<String> = told
            .iter()
            .map(|((mistake, values, is_at_once), places)| {
                let places = list_in_words(&self.names_of(places), "or");
                let mistake = self.mistake(network, mistake);
                let values = self.either_of(values);
                match is_at_once {
                    true => format!("{values} at {places} {mistake}"),
                    false => format!("{values} at {places}, followed from node to node, {mistake}"),
                }
            })
            .collect();
        (told.len() <= MOST_TOLD).then(|| list_in_words(&sentences, "and"))
    }
}
