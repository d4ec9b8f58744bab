//! The texts that an automaton rejects, as few large boxes: a box has some classes of values for each place, and every text
//! spelled from them is rejected. Short patterns are encoded by these, a clause each: they propagate as well as the states of
//! the automaton do, and need no variables of their own.
//!
//! What is computed are all boxes that are in no larger one (the prime implicants of "rejected"; Quine, "A way to simplify truth
//! functions", 1955), place by place: a set of states rejects a box if each class of its first place takes it to states which reject
//! the rest.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Automaton;
use crate::Candidates;
use crate::learning::encoder::Encoder;

/// For each place its classes of values, as the sets of states that they enter.
type Classes = Vec<Vec<u64>>;

/// For each place a set of its classes, as bits.
type Rejected = Vec<u8>;

/// What was found for automata, by their transitions and ends, and by the classes of places: most patterns of a board are alike.
pub type Known = BTreeMap<(Vec<u64>, u64, Classes), Option<Arc<Vec<Rejected>>>>;

/// At most so many boxes are worth it, and so much work is done to find them.
const MOST_BOXES: usize = 48;
const MOST_WORK: usize = 1 << 16;
/// At most so many places does a text have: the search goes as deep.
const MOST_PLACES: usize = 64;
/// At most so many classes does a place have.
const MOST_CLASSES: usize = 6;

impl Automaton {
    /// Encodes the constraint by a clause for each box of texts that are rejected. False if these are no good way to say it.
    pub(super) fn encode_rejected(&self, places: &[u32], encoder: &mut Encoder) -> bool {
        let states = self.states as usize;
        if states > 64 || places.len() > MOST_PLACES {
            return false;
        }
        // By place the values that enter the same states.
        let mut classes = Vec::with_capacity(places.len());
        let mut masks: Vec<Vec<Vec<u64>>> = Vec::with_capacity(places.len());
        let mut count = 0;
        for place in places {
            let values = encoder.values(*place);
            let words = values.last().map_or(0, |(last, _)| *last as usize / 64 + 1);
            let mut values_of: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
            for (value, _) in values {
                let value = *value as usize;
                let entered = (0..states).filter(|state| {
                    let class = self.classes.get(*state).copied().unwrap_or_default();
                    Candidates::whole(self.mask(class as usize)).has(value)
                });
                let entered = entered.fold(0, |all, state| all | 1 << state);
                let own = values_of.entry(entered).or_insert_with(|| vec![0; words]);
                own[value / 64] |= 1 << (value % 64);
            }
            count += values.len();
            if values_of.len() > MOST_CLASSES {
                encoder.work += count * states / 8;
                return false;
            }
            classes.push(values_of.keys().copied().collect());
            masks.push(values_of.into_values().collect());
        }
        encoder.work += count * states / 8;
        let Some(boxes) = self.boxes_rejected(classes, encoder) else {
            return false;
        };
        encoder.work += count * boxes.len() / 8;
        for rejected in boxes.iter() {
            let mut clause = Vec::with_capacity(places.len());
            for ((place, masks), chosen) in places.iter().zip(&masks).zip(rejected) {
                let mut others = vec![0; masks[0].len()];
                let left = (0..).zip(masks);
                for (_, mask) in left.filter(|(class, _)| chosen >> class & 1 == 0) {
                    let words = others.iter_mut().zip(mask);
                    words.for_each(|(all, own)| *all |= own);
                }
                clause.push(encoder.within(*place, &others));
            }
            encoder.engine.add_clause(&clause);
        }
        true
    }

    /// The boxes for places with these classes, found before for another pattern or now.
    fn boxes_rejected(
        &self,
        classes: Classes,
        encoder: &mut Encoder,
    ) -> Option<Arc<Vec<Rejected>>> {
        let ends = self.ends.first().copied().unwrap_or_default();
        let key = (self.follows.clone(), ends, classes);
        if let Some(known) = encoder.rejected.get(&key) {
            return known.clone();
        }
        let mut search = Search::new(&self.follows, ends, &key.2);
        let found = search.all();
        encoder.work += search.work;
        let classes: usize = key.2.iter().map(|own| 24 + 8 * own.len()).sum();
        let boxes = found.iter().flat_map(|boxes| boxes.iter());
        let boxes: usize = boxes.map(|own| 24 + own.len()).sum();
        let bytes = 64 + 8 * key.0.len() + classes + boxes;
        encoder.engine.reserve(bytes);
        encoder.rejected.insert(key, found.clone());
        found
    }
}

/// The boxes of an automaton with at most 64 states.
struct Search<'a> {
    /// The successors of each state.
    follows: &'a [u64],
    ends: u64,
    classes: &'a [Vec<u64>],
    /// By place and states what was found.
    found: BTreeMap<(usize, u64), Arc<Vec<Rejected>>>,
    /// The work that was done.
    work: usize,
}

impl<'a> Search<'a> {
    fn new(follows: &'a [u64], ends: u64, classes: &'a [Vec<u64>]) -> Search<'a> {
        Search {
            follows,
            ends,
            classes,
            found: BTreeMap::new(),
            work: 0,
        }
    }

    /// All largest boxes, from state 0. `None` if they are too many, or hard to find.
    fn all(&mut self) -> Option<Arc<Vec<Rejected>>> {
        self.largest_from(0, 1)
            .filter(|boxes| boxes.len() <= MOST_BOXES)
    }

    /// The states that follow once a character of these classes was read.
    fn step(&self, at: usize, states: u64, classes: u8) -> u64 {
        let mut next = 0;
        let mut rest = states;
        while rest != 0 {
            next |= self.follows[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        let entered = (0..).zip(&self.classes[at]);
        let entered = entered.filter(|(class, _)| classes >> class & 1 == 1);
        next & entered.fold(0, |all, (_, entered)| all | entered)
    }

    /// The largest boxes from a place on that all these states reject.
    fn largest_from(&mut self, at: usize, states: u64) -> Option<Arc<Vec<Rejected>>> {
        if at == self.classes.len() {
            let accepts = states & self.ends != 0;
            return Some(Arc::new(if accepts { vec![] } else { vec![vec![]] }));
        }
        if let Some(known) = self.found.get(&(at, states)) {
            return Some(known.clone());
        }
        let count = self.classes[at].len();
        let mut boxes: Vec<Rejected> = Vec::new();
        for chosen in 1..1_u8 << count {
            self.work += 4 + self.classes[at].len();
            if self.work > MOST_WORK {
                return None;
            }
            let next = self.step(at, states, chosen);
            let rest = self.largest_from(at + 1, next)?;
            // A box is in a larger one if one more class would do as well.
            let more: Vec<u8> = (0..count)
                .map(|class| chosen | 1 << class)
                .filter(|more| *more != chosen)
                .collect();
            let mut larger = Vec::with_capacity(more.len());
            for more in more {
                let next = self.step(at, states, more);
                larger.push(self.largest_from(at + 1, next)?);
            }
            for tail in rest.iter() {
                self.work += larger.iter().map(|larger| larger.len()).sum::<usize>() + tail.len();
                let is_in =
                    |other: &Rejected| tail.iter().zip(other).all(|(own, other)| own & !other == 0);
                if self.work > MOST_WORK {
                    return None;
                }
                if larger.iter().any(|larger| larger.iter().any(is_in)) {
                    continue;
                }
                let mut own = Vec::with_capacity(1 + tail.len());
                own.push(chosen);
                own.extend_from_slice(tail);
                boxes.push(own);
            }
            if boxes.len() > 4 * MOST_BOXES {
                return None;
            }
        }
        let boxes = Arc::new(boxes);
        self.found.insert((at, states), boxes.clone());
        Some(boxes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndscript_base::rng::Rng;

    /// Whether the automaton accepts a text of classes.
    fn accepts(search: &Search<'_>, text: &[u8]) -> bool {
        let mut states = 1;
        for (at, class) in text.iter().enumerate() {
            states = search.step(at, states, 1 << class);
        }
        states & search.ends != 0
    }

    /// All texts of a box.
    fn texts(of: &[u8]) -> Vec<Vec<u8>> {
        of.iter().fold(vec![vec![]], |texts, classes| {
            let own = (0..8).filter(|class| classes >> class & 1 == 1);
            own.flat_map(|class| {
                let longer = |text: &Vec<u8>| [&text[..], &[class]].concat();
                texts.iter().map(longer).collect::<Vec<_>>()
            })
            .collect()
        })
    }

    #[test]
    fn the_boxes_are_the_largest_ones_and_hold_all_that_is_rejected() {
        let mut rng = Rng::new(1);
        let (mut seen, mut rejecting) = (0, 0);
        for _ in 0..300 {
            let states = 2 + rng.below(4) as usize;
            let places = 1 + rng.below(5) as usize;
            let subset = |rng: &mut Rng| rng.below(1 << states) & !1;
            let follows: Vec<u64> = (0..states).map(|_| subset(&mut rng)).collect();
            let ends = rng.below(1 << states);
            let classes: Vec<Vec<u64>> = (0..places)
                .map(|_| (0..1 + rng.below(3)).map(|_| subset(&mut rng)).collect())
                .collect();
            let mut search = Search::new(&follows, ends, &classes);
            let Some(boxes) = search.all() else { continue };
            seen += 1;
            rejecting += usize::from(!boxes.is_empty());
            let all: Vec<u8> = classes.iter().map(|own| (1 << own.len()) - 1).collect();
            for text in texts(&all) {
                let is_in =
                    |own: &Rejected| text.iter().zip(own).all(|(at, own)| own >> at & 1 == 1);
                assert_eq!(
                    boxes.iter().any(is_in),
                    !accepts(&search, &text),
                    "{text:?}"
                );
            }
            for own in boxes.iter() {
                for (at, classes) in classes.iter().enumerate() {
                    for more in (0..classes.len()).filter(|class| own[at] >> class & 1 == 0) {
                        let mut larger = own.clone();
                        larger[at] |= 1 << more;
                        assert!(texts(&larger).iter().any(|text| accepts(&search, text)));
                    }
                }
            }
        }
        assert!(seen > 250 && rejecting > 150, "{seen} {rejecting}");
    }
}
