//! Why a place cannot hold a value beside regions of given sizes, in words.

use super::rule_words::{BoardPhrases, add_to_group, list_in_words};
use ndscript_solver::steps::{Conclusion, Step};
use ndscript_solver::{Constraint, Network, Regions, Shape, ones};

/// At most this many reasons are told.
const MOST_TOLD: usize = 4;
/// At most this many places are looked at for one step.
const MOST_LOOKED_AT: usize = 1 << 17;

/// The board that a step knows, with one value more.
struct Supposed<'a> {
    network: &'a Network,
    regions: &'a Regions,
    held: Vec<Vec<u32>>,
}

impl Supposed<'_> {
    /// The sizes that regions of a value may have.
    fn sizes(&self, value: u32) -> &[u32] {
        let masks = &self.network.booleans.masks;
        let words = masks.len() / self.regions.places.len().max(1);
        let mut masks = masks.chunks(words.max(1));
        let own = masks.position(|mask| ones(mask).any(|own| own == value as usize));
        let sizes = own.and_then(|own| self.regions.sizes.get(own));
        sizes.map_or(&[], Vec::as_slice)
    }

    /// The places that can be reached from a place by others for which a condition holds.
    fn reached(&self, place: u32, is_way: impl Fn(&[u32]) -> bool) -> Vec<u32> {
        let mut found = vec![place];
        let mut is_found = vec![false; self.held.len()];
        is_found[place as usize] = true;
        let mut at = 0;
        while let Some(place) = found.get(at).copied() {
            at += 1;
            for [_, other] in self.network.wiring.around(place) {
                let other = *other as usize;
                if !is_found[other] && is_way(&self.held[other]) {
                    is_found[other] = true;
                    found.push(other as u32);
                }
            }
        }
        found
    }

    /// The places of a value joined to a place that has it.
    fn piece(&self, place: u32, value: u32) -> Vec<u32> {
        self.reached(place, |held| held == [value])
    }

    /// Whether the piece of a value at a place is larger than all sizes.
    fn is_too_large(&self, place: u32, value: u32) -> bool {
        let most = self.sizes(value).last();
        most.is_some_and(|most| self.piece(place, value).len() > *most as usize)
    }

    /// Whether the piece of a value at a place cannot grow to any size.
    fn has_no_room(&self, place: u32, value: u32) -> bool {
        let own = self.piece(place, value).len();
        let room = self.reached(place, |held| held.contains(&value)).len();
        let sizes = self.sizes(value);
        !sizes.is_empty()
            && !sizes
                .iter()
                .any(|size| (own..=room).contains(&(*size as usize)))
    }
}

/// A piece that needs places, which leads to a mistake.
struct Forced {
    /// A place of the piece.
    place: u32,
    /// What it needs.
    needed: Vec<u32>,
    /// Whether a piece becomes too large by them; else one has too little room.
    is_too_large: bool,
}

impl Supposed<'_> {
    /// What a piece needs where a place is supposed to have a value, if that leads to a mistake: that of the place itself, or a known one.
    fn forced(&mut self, at: u32, value: u32, known: &[u32]) -> Option<Forced> {
        if self.held.len().pow(2) * known.len() > MOST_LOOKED_AT {
            return None;
        }
        let others = known.iter().copied().filter(|place| *place != at);
        for place in [at].into_iter().chain(others) {
            let [own] = self.held[place as usize][..] else {
                continue;
            };
            let room = self.reached(place, |held| held.contains(&own));
            let mut needed = Vec::new();
            for cell in room {
                if self.held[cell as usize].len() == 1 {
                    continue;
                }
                let before = std::mem::take(&mut self.held[cell as usize]);
                if self.has_no_room(place, own) {
                    needed.push(cell);
                }
                self.held[cell as usize] = before;
            }
            if needed.is_empty() {
                continue;
            }
            let before: Vec<Vec<u32>> = needed
                .iter()
                .map(|cell| std::mem::replace(&mut self.held[*cell as usize], vec![own]))
                .collect();
            let is_too_large = self.is_too_large(place, own) || self.is_too_large(at, value);
            let is_mistake = is_too_large
                || self.has_no_room(at, value)
                || known
                    .iter()
                    .any(|other| match self.held[*other as usize][..] {
                        [own] => self.has_no_room(*other, own),
                        _ => false,
                    });
            for (cell, before) in needed.iter().zip(before) {
                self.held[*cell as usize] = before;
            }
            if is_mistake {
                needed.sort_unstable();
                return Some(Forced {
                    place,
                    needed,
                    is_too_large,
                });
            }
        }
        None
    }
}

/// What goes wrong with values at places that a step excludes.
#[derive(Default)]
struct Mistakes {
    /// Values that would make too large a piece, with their places.
    large: Vec<(Vec<u32>, Vec<u32>)>,
    /// Values that would have too little room.
    small: Vec<(Vec<u32>, Vec<u32>)>,
    /// A place whose piece needs some others.
    needing: Vec<(u32, Vec<u32>)>,
    /// Values at a place, beside which a piece needs places that lead to a mistake.
    forced: Vec<(u32, u32, Forced)>,
}

impl Mistakes {
    /// Records what goes wrong with the values that a conclusion excludes; false if that is not simple.
    fn find(&mut self, supposed: &mut Supposed<'_>, one: &Conclusion, known: &[u32]) -> bool {
        let before = supposed.held[one.place as usize].clone();
        let (mut too_large, mut too_small) = (Vec::new(), Vec::new());
        let (mut needs, mut is_simple) = (None, true);
        for value in &one.values {
            supposed.held[one.place as usize] = vec![*value];
            let stuck = |place: &u32| match supposed.held[*place as usize][..] {
                [own] => *place != one.place && supposed.has_no_room(*place, own),
                _ => false,
            };
            if supposed.is_too_large(one.place, *value) {
                too_large.push(*value);
            } else if supposed.has_no_room(one.place, *value) {
                too_small.push(*value);
            } else if let Some(place) = known.iter().copied().find(stuck) {
                needs = Some(place);
            } else if let Some(forced) = supposed.forced(one.place, *value, known) {
                self.forced.push((*value, one.place, forced));
            } else {
                is_simple = false;
            }
        }
        supposed.held[one.place as usize] = before;
        if !is_simple {
            return false;
        }
        if !too_large.is_empty() {
            add_to_group(&mut self.large, too_large, one.place);
        }
        if !too_small.is_empty() {
            add_to_group(&mut self.small, too_small, one.place);
        }
        if let Some(needing_it) = needs {
            add_to_group(&mut self.needing, needing_it, one.place);
        }
        true
    }
}

/// How much work it is, in visits, to say why a step follows from sizes of regions.
pub(super) fn work_of_regions(places: usize, step: &Step) -> usize {
    let values: usize = step.conclusions.iter().map(|one| one.values.len()).sum();
    let known = 1 + step.places.len() + step.conclusions.len();
    let simple = places * known * values * step.conclusions.len().max(1);
    let ahead = places.pow(2) * known;
    let ahead = if ahead > MOST_LOOKED_AT {
        0
    } else {
        ahead * values
    };
    simple.min(MOST_LOOKED_AT) + ahead
}

impl BoardPhrases<'_> {
    /// What goes wrong with the values that a step excludes by sizes of regions: `2 at (0,1) would have no room`, `the 4 at
    /// (1,1) needs it`. `None` if it is not as simple as that.
    pub(super) fn regions_without(&self, step: &Step) -> Option<String> {
        let [number] = step.rules[..] else {
            return None;
        };
        let solver = &self.context.heap.boards[self.board].solver;
        let Constraint::Network(network) = &**solver.constraints().get(number as usize)? else {
            return None;
        };
        let Shape::Regions(regions) = &network.shape else {
            return None;
        };
        let values: usize = step.conclusions.iter().map(|one| one.values.len()).sum();
        let conclusions = step.conclusions.len();
        let known = 1 + step.places.len() + conclusions;
        if solver.places() * known * values * conclusions.max(1) > MOST_LOOKED_AT {
            return None;
        }
        let mut supposed = Supposed {
            network,
            regions,
            held: (0..solver.places() as u32)
                .map(|place| self.start(place))
                .collect(),
        };
        for (place, candidates) in step.places.iter().zip(&step.candidates) {
            supposed.held[*place as usize] = candidates.clone();
        }
        let mut mistakes = Mistakes::default();
        let mut known = step.places.clone();
        let mut left: Vec<&Conclusion> = step.conclusions.iter().collect();
        // What is concluded first is known for the others.
        while !left.is_empty() {
            let count = left.len();
            left.retain(|one| {
                let is_told = mistakes.find(&mut supposed, one, &known);
                if is_told {
                    supposed.held[one.place as usize].retain(|value| !one.values.contains(value));
                    known.push(one.place);
                }
                !is_told
            });
            if left.len() == count {
                return None;
            }
        }
        let Mistakes {
            large,
            small,
            needing,
            forced,
        } = mistakes;
        let at = |values: &[u32], places: &[u32]| {
            let places = list_in_words(&self.names_of(places), "or");
            format!("{} at {places}", self.either_of(values))
        };
        let mut told: Vec<String> = Vec::new();
        told.extend(large.iter().map(|(values, places)| {
            format!("{} would make too large a piece", at(values, places))
        }));
        told.extend(
            small.iter().map(|(values, places)| {
                format!("{} would have too little room", at(values, places))
            }),
        );
        told.extend(needing.iter().filter_map(|(place, places)| {
            let [value] = supposed.held[*place as usize][..] else {
                return None;
            };
            let (value, place) = (self.value(value), self.place(*place));
            let needed = list_in_words(&self.names_of(places), "and");
            Some(format!(
                "{value} at {place} has too little room without {needed}"
            ))
        }));
        told.extend(forced.iter().map(|(value, at, forced)| {
            let needed = list_in_words(&self.names_of(&forced.needed), "and");
            let place = self.place(forced.place);
            let own = match supposed.held[forced.place as usize].first() {
                Some(own) if forced.place != *at => format!("the {} at {place}", self.value(*own)),
                _ => "it".to_string(),
            };
            let (value, at) = (self.value(*value), self.place(*at));
            let wrong = match forced.is_too_large {
                true => "a piece would be too large",
                false => "a piece would have too little room",
            };
            format!("with {value} at {at}, {own} would need {needed}, and {wrong}")
        }));
        (!told.is_empty() && told.len() <= MOST_TOLD).then(|| list_in_words(&told, "and"))
    }
}
