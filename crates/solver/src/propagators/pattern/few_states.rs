//! `pattern` with at most 64 states, as in most puzzles: the filtering of `automaton.rs`, with sets of states as words
//! and without pauses.
//!
//! States are numbered in the order of their symbols in the expression, so most transitions lead to the next state or
//! back to their own (Navarro and Raffinot, "Fast and simple character classes and bounded gaps pattern matching",
//! 2003). A shift and a mask take all of these at once; only states with other transitions are visited one by one.

use super::Automaton;
use crate::{ConstraintNumber, DomainWipeout, Solver, ones};
use ndscript_base::budget::Budget;
use ndscript_base::room::{self, block};

/// The most places for which this is used: it cannot pause.
const MOST_PLACES: usize = 128;

/// Visits per place and direction, on top of those of the masks.
const VISITS_OF_PLACE: usize = 4;

/// The transitions of an automaton, by kind.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The states with a transition to the next state, to themselves, and to any other one.
    steps_to_next: u64,
    self_loops: u64,
    other_transitions: u64,
    /// Each distinct mask of values, with the states that these values enter.
    entered: Vec<(u64, u64)>,
}

impl Steps {
    /// The transitions of an automaton, for `places` places. `None` if it has more than 64 states, classes or values,
    /// or too many places.
    pub(super) fn of(automaton: &Automaton, places: usize) -> Option<Box<Steps>> {
        let are_few =
            (1..=MOST_PLACES).contains(&places) && automaton.states <= 64 && automaton.words == 1;
        if !are_few || automaton.class_count() > 64 {
            return None;
        }
        let mut steps = Steps {
            steps_to_next: 0,
            self_loops: 0,
            other_transitions: 0,
            entered: Vec::new(),
        };
        for (state, follows) in automaton.follows.iter().enumerate() {
            let (own, next) = (1 << state, 2_u64.checked_shl(state as u32).unwrap_or(0));
            steps.steps_to_next |= if follows & next != 0 { own } else { 0 };
            steps.self_loops |= if follows & own != 0 { own } else { 0 };
            steps.other_transitions |= if follows & !(own | next) != 0 { own } else { 0 };
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

    /// The states that can follow any of `states`.
    #[inline(always)]
    fn successors(&self, automaton: &Automaton, states: u64) -> u64 {
        let next = (states & self.steps_to_next) << 1 | states & self.self_loops;
        match states & self.other_transitions {
            0 => next,
            far => ones(&[far]).fold(next, |next, state| next | automaton.follows[state]),
        }
    }

    /// Those of `states` that have a transition to one of `next`.
    #[inline(always)]
    fn predecessors(&self, automaton: &Automaton, states: u64, next: u64) -> u64 {
        let before = (next >> 1 & self.steps_to_next | next & self.self_loops) & states;
        let leads_on = |state: &usize| automaton.follows[*state] & next != 0;
        match states & self.other_transitions & !before {
            0 => before,
            far => ones(&[far])
                .filter(leads_on)
                .fold(before, |before, state| before | 1 << state),
        }
    }

    /// The states that a value of `word` enters.
    #[inline(always)]
    fn entered_by(&self, word: u64) -> u64 {
        let entered = |(mask, entered): &(u64, u64)| if mask & word != 0 { *entered } else { 0 };
        self.entered.iter().fold(0, |all, each| all | entered(each))
    }

    /// The values that enter any of `states`.
    #[inline(always)]
    fn values_into(&self, states: u64) -> u64 {
        let values = |(mask, entered): &(u64, u64)| if entered & states != 0 { *mask } else { 0 };
        self.entered.iter().fold(0, |all, each| all | values(each))
    }

    /// Removes the values that no accepted text has at its place: forward to the reachable states, then back from the
    /// accepting ones.
    pub(super) fn propagate(
        &self,
        solver: &mut Solver,
        number: ConstraintNumber,
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
            states = self.successors(automaton, states) & self.entered_by(words[*place as usize]);
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
                // The backward pass ends here: charge what it has done.
                budget.spend(visits * (places.len() - at));
                return Err(wiped);
            }
            usable = self.predecessors(automaton, reached[at], usable);
        }
        budget.spend(visits * places.len());
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        block(size_of::<Steps>()) + room::row(&self.entered)
    }
}
