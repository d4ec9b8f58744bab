//! `pattern`: removes values that no text of a regular expression has at their place, after Pesant, "A regular
//! language membership constraint for finite sequences of variables" (2004). For each place, bits say which states
//! are both reachable from the start and able to reach an accepting state; a value stays if it takes one such state
//! to another.

use std::collections::BTreeMap;

use crate::learning::Lit;
use crate::learning::encoder::Encoder;
use crate::learning::log::Meaning;
use crate::{Candidates, ConstraintNumber, DomainWipeout, Fixpoint, Solver, ones};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// A nondeterministic automaton without empty transitions, in which all transitions into a state read equal values (a
/// Glushkov automaton).
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// The number of states. State 0 is the start; no transition enters it.
    pub states: u32,
    /// Successors of each state, a row of bits for each.
    pub follows: Vec<u64>,
    /// By state, the index of its mask.
    pub classes: Vec<u32>,
    /// The masks: the values that enter a state, `words` words each.
    pub masks: Vec<u64>,
    /// Words in a mask.
    pub words: u32,
    /// The accepting states, as bits.
    pub ends: Vec<u64>,
}

impl Automaton {
    /// Words in a set of states.
    pub fn state_words(states: usize) -> usize {
        states.div_ceil(64)
    }

    fn width(&self) -> usize {
        Automaton::state_words(self.states as usize)
    }

    /// Writes to `out` the states that can follow any of `states`.
    fn next(&self, states: &[u64], out: &mut [u64]) {
        let width = self.width();
        out.fill(0);
        for state in ones(states) {
            let row = self
                .follows
                .get(state * width..(state + 1) * width)
                .unwrap_or_default();
            out.iter_mut().zip(row).for_each(|(out, row)| *out |= row);
        }
    }

    pub(super) fn mask(&self, class: usize) -> &[u64] {
        let words = self.words as usize;
        self.masks
            .get(class * words..(class + 1) * words)
            .unwrap_or_default()
    }

    /// Encodes the constraint as clauses.
    pub(super) fn encode(&self, places: &[u32], encoder: &mut Encoder) {
        if !self.encode_rejected(places, encoder) {
            self.encode_states(places, encoder);
        }
    }

    /// A variable for each state after each place.
    fn encode_states(&self, places: &[u32], encoder: &mut Encoder) {
        let states = self.states as usize;
        let truth = encoder.truth();
        let width = self.width();
        let follows = |from: usize, to: usize| {
            let row = self.follows.get(from * width..(from + 1) * width);
            row.is_some_and(|row| Candidates::whole(row).has(to))
        };
        // The states that are reachable after the previous place, each with its literal.
        let mut before: Vec<(usize, Lit)> = vec![(0, truth)];
        for (at, place) in (1..).zip(places) {
            if encoder.engine.is_full {
                return;
            }
            let mut after: Vec<(usize, Lit)> = Vec::new();
            for state in 0..states {
                if !before.iter().any(|(from, _)| follows(*from, state)) {
                    continue;
                }
                let class = self.classes.get(state).copied().unwrap_or_default();
                let spelled = encoder.within(*place, self.mask(class as usize));
                if spelled == !truth {
                    continue;
                }
                let is_in = encoder.variable();
                encoder.record_meaning(is_in, || Meaning::State(at, state as u32));
                encoder.engine.add_clause(&[!is_in, spelled]);
                // It was entered from one of its predecessors.
                let mut clause = vec![!is_in];
                let from = before.iter().filter(|(from, _)| follows(*from, state));
                clause.extend(from.map(|(_, literal)| *literal));
                encoder.engine.add_clause(&clause);
                after.push((state, is_in));
            }
            let literals: Vec<Lit> = after.iter().map(|(_, literal)| *literal).collect();
            encoder.engine.add_clause(&literals);
            encoder.engine.add_exclusion(&literals);
            // A value enters a state that reads it. Values that equal sets of states read share a clause.
            let mut values_of: BTreeMap<Vec<Lit>, Vec<u64>> = BTreeMap::new();
            for (value, _) in encoder.values(*place).to_vec() {
                let spelling = after.iter().filter_map(|(state, is_in)| {
                    let class = self.classes.get(*state).copied().unwrap_or_default();
                    let mask = Candidates::whole(self.mask(class as usize));
                    mask.has(value as usize).then_some(*is_in)
                });
                let values = values_of
                    .entry(spelling.collect())
                    .or_insert_with(|| vec![0; self.words as usize]);
                if let Some(word) = values.get_mut(value as usize / 64) {
                    *word |= 1 << (value % 64);
                }
            }
            for (mut clause, values) in values_of {
                clause.push(!encoder.within(*place, &values));
                encoder.engine.add_clause(&clause);
            }
            // Each state has a successor at this place.
            for (from, literal) in &before {
                let mut clause = vec![!*literal];
                let next = after.iter().filter(|(state, _)| follows(*from, *state));
                clause.extend(next.map(|(_, is_in)| *is_in));
                encoder.engine.add_clause(&clause);
            }
            before = after;
        }
        let ends = Candidates::whole(&self.ends);
        let ends = before.iter().filter(|(state, _)| ends.has(*state));
        let clause: Vec<Lit> = ends.map(|(_, literal)| *literal).collect();
        encoder.engine.add_clause(&clause);
    }

    /// Whether it accepts some text whose characters are candidates of these places.
    pub(super) fn reads<'c>(&self, places: impl Iterator<Item = Candidates<'c>>) -> bool {
        let width = self.width();
        let (mut states, mut next) = (vec![0; width], vec![0; width]);
        states[0] = 1;
        for candidates in places {
            self.next(&states, &mut next);
            states.fill(0);
            for state in ones(&next) {
                let class = self.classes.get(state).copied().unwrap_or_default();
                if candidates.meets(self.mask(class as usize)) {
                    states[state / 64] |= 1 << (state % 64);
                }
            }
        }
        states
            .iter()
            .zip(&self.ends)
            .any(|(states, ends)| states & ends != 0)
    }

    pub(super) fn class_count(&self) -> usize {
        self.masks.len() / (self.words as usize).max(1)
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.follows)
            + room::row(&self.classes)
            + room::row(&self.masks)
            + room::row(&self.ends)
    }

    /// Whether all rows have the right length.
    pub(super) fn is_sound(&self) -> bool {
        let (states, width) = (self.states as usize, self.width());
        states < 1 << 16
            && states > 0
            && self.follows.len() == states * width
            && self.classes.len() == states
            && self.words > 0
            && self.ends.len() == width
            && ones(&self.follows).all(|bit| bit % (width * 64) < states)
            && ones(&self.ends).all(|state| state < states)
    }
}

/// A forward and a backward pass over the places.
#[derive(Clone, Debug, Default)]
pub struct PatternPropagation {
    /// The states reachable before each place, one row per place.
    reached: Vec<u64>,
    /// The states from which an accepting state is reachable.
    leads: Vec<u64>,
    /// Which classes the candidates of the current place meet, as far as computed.
    meets: Vec<bool>,
    mask: Vec<u64>,
    at: usize,
    is_forward: bool,
    /// The next class to look at in the backward pass, which collects the values that stay.
    class: usize,
    usable: Vec<u64>,
}

impl PatternPropagation {
    /// Removes the values that no accepted text has at its place.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        places: &[u32],
        automaton: &Automaton,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let width = automaton.width();
        if self.reached.is_empty() {
            let bytes = (places.len() + 1) * width * 8;
            if !solver.is_granted(bytes) {
                return Ok(Fixpoint::NeedsMemory(bytes));
            }
            self.reached = vec![0; (places.len() + 1) * width];
            self.reached[0] = 1;
            self.leads = automaton.ends.clone();
            self.usable = vec![0; width];
            self.is_forward = true;
            budget.spend(8 + places.len() * width / 8);
        }
        while self.is_forward {
            let Some(place) = places.get(self.at) else {
                self.is_forward = false;
                break;
            };
            if !self.meet(solver, *place as usize, automaton, budget) {
                return Ok(Fixpoint::NotYet);
            }
            let (before, behind) = self.reached.split_at_mut((self.at + 1) * width);
            let before = &before[self.at * width..];
            automaton.next(before, &mut self.usable);
            keep_reached(&mut self.usable, automaton, &self.meets);
            behind[..width].copy_from_slice(&self.usable);
            budget.spend((before_count(before) + 2) * width + self.meets.len() + 4);
            self.meets.clear();
            self.at += 1;
        }
        while let Some(at) = self.at.checked_sub(1) {
            let place = places[at] as usize;
            let is_begun = self.class > 0;
            if !is_begun {
                if !self.meet(solver, place, automaton, budget) {
                    return Ok(Fixpoint::NotYet);
                }
                let reached = self.reached[(at + 1) * width..].iter().zip(&self.leads);
                self.usable
                    .iter_mut()
                    .zip(reached)
                    .for_each(|(usable, (reached, leads))| *usable = reached & leads);
                budget.spend(width + self.meets.len() + 4);
                self.begin_mask(solver, place, automaton);
            }
            if !self.gather(solver, place, automaton, budget) {
                return Ok(Fixpoint::NotYet);
            }
            solver.keep_words(place, &self.mask, Some(number))?;
            let before = &self.reached[at * width..(at + 1) * width];
            self.leads.fill(0);
            for state in ones(before) {
                let row = &automaton.follows[state * width..(state + 1) * width];
                if row
                    .iter()
                    .zip(&self.usable)
                    .any(|(row, usable)| row & usable != 0)
                {
                    self.leads[state / 64] |= 1 << (state % 64);
                }
            }
            budget.spend((before_count(before) + 2) * width + self.meets.len() + 4);
            self.meets.clear();
            (self.at, self.class) = (at, 0);
        }
        if places.is_empty() && self.leads.first().is_none_or(|leads| leads & 1 == 0) {
            return Err(DomainWipeout);
        }
        Ok(Fixpoint::Reached)
    }

    /// Finds out which classes the candidates of a place meet; true when that is done.
    fn meet(
        &mut self,
        solver: &Solver,
        place: usize,
        automaton: &Automaton,
        budget: &mut Budget,
    ) -> bool {
        let candidates = solver.candidates(place);
        let words = candidates.words().1.len();
        for class in self.meets.len()..automaton.class_count() {
            if budget.is_spent() {
                return false;
            }
            budget.spend(words + 1);
            self.meets.push(candidates.meets(automaton.mask(class)));
        }
        true
    }

    /// Turns `meets` into the classes of the states that are used.
    fn begin_mask(&mut self, solver: &Solver, place: usize, automaton: &Automaton) {
        self.mask.clear();
        self.mask
            .resize(solver.candidates(place).words().1.len(), 0);
        self.meets.fill(false);
        for state in ones(&self.usable) {
            if let Some(meets) = self.meets.get_mut(automaton.classes[state] as usize) {
                *meets = true;
            }
        }
        self.class = 1;
    }

    /// Puts the values together that lead into states which are used; true when that is done.
    fn gather(
        &mut self,
        solver: &Solver,
        place: usize,
        automaton: &Automaton,
        budget: &mut Budget,
    ) -> bool {
        let (first, words) = solver.candidates(place).words();
        while let Some(is_used) = self.meets.get(self.class - 1) {
            if budget.is_spent() {
                return false;
            }
            if *is_used {
                budget.spend(words.len());
                let mask = automaton
                    .mask(self.class - 1)
                    .get(first..)
                    .unwrap_or_default();
                self.mask
                    .iter_mut()
                    .zip(mask)
                    .for_each(|(out, mask)| *out |= mask);
            }
            self.class += 1;
        }
        true
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.reached)
            + room::row(&self.leads)
            + room::row(&self.usable)
            + room::row(&self.meets)
            + room::row(&self.mask)
    }
}

fn before_count(states: &[u64]) -> usize {
    states.iter().map(|word| word.count_ones() as usize).sum()
}

/// Leaves only the states into which a candidate leads.
fn keep_reached(states: &mut [u64], automaton: &Automaton, meets: &[bool]) {
    for (at, word) in states.iter_mut().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let class = automaton.classes.get(at * 64 + bit).copied().unwrap_or(0) as usize;
            if !meets.get(class).copied().unwrap_or(false) {
                *word &= !(1 << bit);
            }
        }
    }
}

ndscript_base::saved!(struct Automaton { states, follows, classes, masks, words, ends });
