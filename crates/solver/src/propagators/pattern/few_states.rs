//! `pattern` where there are few states, as in most puzzles: what `automaton.rs` finds, by words of bits and in one go.
//!
//! States are numbered as their symbols stand in the expression, so what comes behind one is mostly the next, or itself once more
//! (as Navarro and Raffinot use it, "Fast and simple character classes and bounded gaps pattern matching", 2003): all states at
//! once take such a step by a shift and a mask. Only those that lead elsewhere, too, are looked at one by one.

use super::Automaton;
use crate::{DomainWipeout, Solver, ones};
use ndscript_base::budget::Budget;
use ndscript_base::room::{self, block};

/// So many places are few.
const MOST_PLACES: usize = 128;

/// The visits of a place each way, beside those of the masks.
const VISITS_OF_PLACE: usize = 4;

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
        let are_few =
            (1..=MOST_PLACES).contains(&places) && automaton.states <= 64 && automaton.words == 1;
        if !are_few || automaton.class_count() > 64 {
            return None;
        }
        let mut steps = Steps {
            on: 0,
            stay: 0,
            far: 0,
            entered: Vec::new(),
        };
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
        match states & self.far {
            0 => next,
            far => ones(&[far]).fold(next, |next, state| next | automaton.follows[state]),
        }
    }

    /// Those of some states behind which one of others may come.
    #[inline(always)]
    fn before(&self, automaton: &Automaton, states: u64, next: u64) -> u64 {
        let before = (next >> 1 & self.on | next & self.stay) & states;
        let leads_on = |state: &usize| automaton.follows[*state] & next != 0;
        match states & self.far & !before {
            0 => before,
            far => ones(&[far])
                .filter(leads_on)
                .fold(before, |before, state| before | 1 << state),
        }
    }

    /// The states into which some values lead.
    #[inline(always)]
    fn entered_by(&self, word: u64) -> u64 {
        let entered = |(mask, entered): &(u64, u64)| if mask & word != 0 { *entered } else { 0 };
        self.entered.iter().fold(0, |all, each| all | entered(each))
    }

    /// The values that lead into some states.
    #[inline(always)]
    fn values_into(&self, states: u64) -> u64 {
        let values = |(mask, entered): &(u64, u64)| if entered & states != 0 { *mask } else { 0 };
        self.entered.iter().fold(0, |all, each| all | values(each))
    }

    /// Takes away what no text has at its place.
    pub(super) fn read(
        &self,
        solver: &mut Solver,
        number: u32,
        places: &[u32],
        automaton: &Automaton,
        budget: &mut Budget,
    ) -> Result<(), DomainWipeout> {
        let mut reached = [0_u64; MOST_PLACES + 1];
        reached[0] = 1;
        let visits = VISITS_OF_PLACE + self.entered.len();
        budget.spend(8 + visits * places.len());
        let (mut states, words) = (1, solver.domains.first_words());
        for (place, reached) in places.iter().zip(&mut reached[1..]) {
            states = self.next(automaton, states) & self.entered_by(words[*place as usize]);
            *reached = states;
        }
        let mut usable = states & automaton.ends.first().copied().unwrap_or(0);
        for (at, place) in places.iter().enumerate().rev() {
            let place = *place as usize;
            let (word, values) = (
                solver.domains.first_words()[place],
                self.values_into(usable),
            );
            if word & !values != 0
                && let Err(wiped) = solver.keep_word(place, word & values, number)
            {
                // Back from the end as far as this.
                budget.spend(visits * (places.len() - at));
                return Err(wiped);
            }
            usable = self.before(automaton, reached[at], usable);
        }
        budget.spend(visits * places.len());
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        block(size_of::<Steps>()) + room::row(&self.entered)
    }
}
