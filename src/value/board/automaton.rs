//! `pattern`: what no text of a regular expression has at its place, after Pesant, "A regular language membership
//! constraint for finite sequences of variables" (2004). The states that can be reached from the beginning and from which
//! the end can be reached are kept as bits for each place in turn; a value stays if some such state leads to another by it.

use super::{Board, Wiped};
use crate::value::room;

/// A nondeterministic automaton over numbers of values, without empty steps.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// How many states there are. The first is the beginning.
    pub states: u32,
    /// From a state by a value to a state.
    pub steps: Vec<(u32, u32, u32)>,
    /// The states at which a text may end.
    pub ends: Vec<u32>,
}

impl Automaton {
    pub fn bytes(&self) -> usize {
        room::row(&self.steps) + room::row(&self.ends)
    }

    /// Whether it names only states that it has.
    #[cfg(feature = "save")]
    pub(super) fn is_sound(&self) -> bool {
        let has = |state: u32| state < self.states;
        self.states < 1 << 20
            && self.steps.iter().all(|(from, _, to)| has(*from) && has(*to))
            && self.ends.iter().all(|end| has(*end))
    }

    /// Takes away what no text has at its place. Returns the work that it took.
    pub(super) fn propagate(&self, board: &mut Board, number: u32, places: &[u32]) -> Result<usize, Wiped> {
        let states = self.states as usize;
        let can_be = |board: &Board, place: u32, value: u32| {
            let bits = board.candidates(place as usize);
            bits.get(value as usize / 64).is_some_and(|word| word >> (value % 64) & 1 == 1)
        };
        let mut reached = vec![vec![false; states]; places.len() + 1];
        if let Some(first) = reached[0].first_mut() {
            *first = true;
        }
        for (at, place) in places.iter().enumerate() {
            for (from, value, to) in &self.steps {
                if reached[at][*from as usize] && can_be(board, *place, *value) {
                    reached[at + 1][*to as usize] = true;
                }
            }
        }
        let mut leads = vec![false; states];
        self.ends.iter().for_each(|end| leads[*end as usize] = true);
        for (at, place) in places.iter().enumerate().rev() {
            let mut mask = vec![0; board.width()];
            let mut before = vec![false; states];
            for (from, value, to) in &self.steps {
                let is_way = reached[at][*from as usize] && leads[*to as usize];
                if is_way && can_be(board, *place, *value) {
                    before[*from as usize] = true;
                    mask[*value as usize / 64] |= 1 << (value % 64);
                }
            }
            board.keep(*place as usize, &mask, Some(number))?;
            leads = before;
        }
        if places.is_empty() && !leads.first().is_some_and(|leads| *leads) {
            return Err(Wiped);
        }
        Ok(2 * places.len() * (self.steps.len() + states) + 8)
    }
}

#[cfg(feature = "save")]
impl crate::codec::Saved for Automaton {
    fn save(&self, out: &mut crate::codec::Writer) {
        self.states.save(out);
        let flat: Vec<u32> = self.steps.iter().flat_map(|(from, value, to)| [*from, *value, *to]).collect();
        flat.save(out);
        self.ends.save(out);
    }

    fn load(from: &mut crate::codec::Reader<'_>) -> Result<Automaton, crate::codec::Unsound> {
        let (states, flat, ends) = (u32::load(from)?, Vec::<u32>::load(from)?, Vec::load(from)?);
        let steps = flat.chunks_exact(3).map(|step| (step[0], step[1], step[2])).collect();
        Ok(Automaton { states, steps, ends })
    }
}
