//! `pattern` where there are few states, as in most puzzles: what `automaton.rs` finds, by words of bits and in one go.
//!
//! States are numbered as their symbols stand in the expression, so what comes behind one is mostly the next, or itself once more
//! (as Navarro and Raffinot use it, "Fast and simple character classes and bounded gaps pattern matching", 2003): all states at
//! once take such a step by a shift and a mask. Only those that lead elsewhere, too, are looked at one by one.

use super::{Automaton, Board, Wiped, ones};
use crate::value::budget::Budget;
use crate::value::room::{self, block};

/// So many places are few.
const MOST_PLACES: usize = 128;

/// How states lead to states.
#[derive(Clone, Debug)]
pub struct Steps {
    /// Those that lead to the next one, those that lead to themselves, and those that lead elsewhere, too.
    on: u64,
    stay: u64,
    far: u64,
    /// What the values of a mask lead into, each mask once.
    entered: Vec<(u64, u64)>,
}

impl Steps {
    /// The steps of an automaton whose states have a bit each, for so many places of so many values.
    pub(super) fn of(automaton: &Automaton, places: usize) -> Option<Box<Steps>> {
        let are_few = (1..=MOST_PLACES).contains(&places) && automaton.states <= 64 && automaton.words == 1;
        if !are_few || automaton.class_count() > 64 {
            return None;
        }
        let mut steps = Steps { on: 0, stay: 0, far: 0, entered: Vec::new() };
        for (state, follows) in automaton.follows.iter().enumerate() {
            let (own, next) = (1 << state, 2_u64.checked_shl(state as u32).unwrap_or(0));
            steps.on |= if follows & next != 0 { own } else { 0 };
            steps.stay |= if follows & own != 0 { own } else { 0 };
            steps.far |= if follows & !(own | next) != 0 { own } else { 0 };
        }
        for (state, class) in automaton.classes.iter().enumerate() {
            let mask = automaton.masks.get(*class as usize).copied().unwrap_or(0);
            match steps.entered.iter_mut().find(|(known, _)| *known == mask) {
                Some((_, entered)) => *entered |= 1 << state,
                None => steps.entered.push((mask, 1 << state)),
            }
        }
        Some(Box::new(steps))
    }

    /// The states that may come behind some.
    #[inline(always)]
    fn next(&self, automaton: &Automaton, states: u64) -> u64 {
        let next = (states & self.on) << 1 | states & self.stay;
        ones(&[states & self.far]).fold(next, |next, state| next | automaton.follows[state])
    }

    /// Those of some states behind which one of others may come.
    #[inline(always)]
    fn before(&self, automaton: &Automaton, states: u64, next: u64) -> u64 {
        let before = next >> 1 & self.on | next & self.stay;
        let leads_on = |state: &usize| automaton.follows[*state] & next != 0;
        ones(&[states & self.far]).filter(leads_on).fold(before & states, |before, state| before | 1 << state)
    }

    /// Takes away what no text has at its place.
    pub(super) fn read(
        &self,
        board: &mut Board,
        number: u32,
        places: &[u32],
        automaton: &Automaton,
        budget: &mut Budget,
    ) -> Result<(), Wiped> {
        let classes = automaton.class_count();
        let mut reached = [0_u64; MOST_PLACES + 1];
        reached[0] = 1;
        let (mut visits, mut looked) = (automaton.states as usize + 8, 0);
        for (at, place) in places.iter().enumerate() {
            let word = board.domains.first_words()[*place as usize];
            let met = self.entered.iter().filter(|(mask, _)| mask & word != 0);
            let met = met.fold(0, |met, (_, entered)| met | entered);
            reached[at + 1] = self.next(automaton, reached[at]) & met;
            looked += reached[at].count_ones() as usize + 4;
        }
        visits += looked + 2 * classes * places.len();
        let mut leads = automaton.ends.first().copied().unwrap_or(0);
        for (at, place) in places.iter().enumerate().rev() {
            let usable = reached[at + 1] & leads;
            let used = self.entered.iter().filter(|(_, entered)| entered & usable != 0);
            let mask = used.fold(0, |mask, (values, _)| mask | values);
            let word = board.domains.first_words()[*place as usize];
            if word & !mask != 0
                && let Err(wiped) = board.keep_word(*place as usize, word & mask, number)
            {
                // Back from the end as far as this.
                let seen = |reached: &u64| classes + reached.count_ones() as usize + 4;
                budget.spend(visits + reached[at..places.len()].iter().map(seen).sum::<usize>());
                return Err(wiped);
            }
            leads = self.before(automaton, reached[at], usable);
        }
        budget.spend(visits + looked + classes * places.len());
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        block(size_of::<Steps>()) + room::row(&self.entered)
    }
}
