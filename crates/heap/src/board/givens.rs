//! Givens: what a program has itself removed from places of a board since they got a constraint, as opposed to what
//! follows and what is guessed.
//!
//! They, and the names that the program has given to constraints, are the elements of an array of the language, so
//! that they are undone, forked and saved like everything else: a place, or null for all, and what it was narrowed
//! to; a place under no constraint, and what it held before it was guessed; a name, and the number of the constraint.
//! The array is made with the first constraint, so that it is older than any choice point above which something is
//! recorded in it.

use super::Board;
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use ndscript_base::keyed::KeyedMap;

impl Board {
    /// The array, if there is any.
    pub(crate) fn givens(&self) -> Value {
        self.givens
    }
}

impl Heap {
    /// Makes the array of a board that gets its first constraint.
    pub(super) fn begin_givens(&mut self, board: Handle) {
        if !self.boards[board].is_constrained() {
            self.boards[board].givens = self.array(Vec::new());
        }
    }

    /// Whether the functions of a board run: what they remove follows from constraints.
    fn is_function_running(&self, board: Handle) -> bool {
        self.boards[board]
            .agenda()
            .is_some_and(|agenda| self.arrays[agenda].slots.values().first() == Some(&Value::TRUE))
    }

    /// Records that the program has narrowed a place, or all of them, to a set, or to one value. Both are frozen.
    pub fn record_given(&mut self, board: Handle, place: Option<usize>, value: Value) {
        let Some(array) = self.boards[board].givens.handle_of(Kind::Array) else {
            return;
        };
        if self.is_function_running(board) {
            return;
        }
        self.push_element(array, place.map_or(Value::NULL, Value::size));
        self.push_element(array, value);
    }

    /// Records the value that a place under no constraint held before a guess decided it: in the puzzle, that place
    /// is free.
    pub fn record_given_before_guess(&mut self, board: Handle, place: usize, content: Value) {
        if content.is_kind(Kind::Set) {
            self.record_given(board, Some(place), content);
        }
    }

    /// The places under no constraint that could hold several values, apart from guesses.
    pub fn free_places(&self, board: Handle) -> Vec<u32> {
        let own = &self.boards[board];
        if own.solver.unbound() == 0 || own.solver.is_bound_everywhere() {
            return Vec::new();
        }
        let is_open = |value: Value| value.is_kind(Kind::Set) && self.set_len(value) > 1;
        let mut open: Vec<u32> = (0..own.solver.places())
            .filter(|place| is_open(self.at_place(own.container, *place)))
            .map(|place| place as u32)
            .collect();
        let recorded = own.givens.handle_of(Kind::Array);
        let recorded = recorded.map_or(&[][..], |array| self.arrays[array].slots.values());
        for pair in recorded.chunks_exact(2).filter(|pair| is_open(pair[1])) {
            open.extend(pair[0].as_integer().map(|place| place as u32));
        }
        open.retain(|place| !own.solver.is_bound(*place as usize));
        open.sort_unstable();
        open.dedup();
        open
    }

    /// Records the name of the constraints of a board from a number on, if they have any.
    pub fn record_rule_names(&mut self, board: Handle, from: usize) {
        let Some(array) = self.boards[board].givens.handle_of(Kind::Array) else {
            return;
        };
        if self.branch.rule_name == Value::NULL {
            return;
        }
        for number in from..self.boards[board].solver.constraints().len() {
            self.push_element(array, self.branch.rule_name);
            self.push_element(array, Value::size(number));
        }
    }

    /// The names of constraints by their numbers, those that have any.
    pub fn rule_names(&self, board: Handle) -> KeyedMap<u32, Value> {
        let array = self.boards[board].givens.handle_of(Kind::Array);
        let recorded = array.map_or(&[][..], |array| self.arrays[array].slots.values());
        let named = recorded
            .chunks_exact(2)
            .filter(|pair| pair[0].is_kind(Kind::Text));
        let named = named.filter_map(|pair| Some((pair[1].as_integer()? as u32, pair[0])));
        named.collect()
    }

    /// The recorded givens, as masks of places.
    pub fn givens(&self, board: Handle) -> Vec<(u32, Vec<u64>)> {
        let own = &self.boards[board];
        let Some(array) = own.givens.handle_of(Kind::Array) else {
            return Vec::new();
        };
        let mask_of = |value: Value| {
            let mut mask = vec![0; own.solver.width()];
            let numbers = (0..self.candidate_count(value))
                .filter_map(|at| self.candidate(value, at))
                .filter_map(|value| own.number_of(value));
            numbers.for_each(|number| mask[number / 64] |= 1 << (number % 64));
            mask
        };
        let mut masks = Vec::new();
        let recorded = self.arrays[array].slots.values().chunks_exact(2);
        for pair in recorded.filter(|pair| !pair[0].is_kind(Kind::Text)) {
            let mask = mask_of(pair[1]);
            match pair[0].as_integer() {
                Some(place) => masks.push((place as u32, mask)),
                None => {
                    let places = 0..own.solver.places() as u32;
                    masks.extend(places.map(|place| (place, mask.clone())));
                }
            }
        }
        masks.retain(|(place, _)| own.solver.is_bound(*place as usize));
        masks
    }

    /// Whether the recorded givens of a board that was read back are possible.
    pub(super) fn has_sound_givens(&self, board: &Board) -> bool {
        let Some(array) = board.givens.handle_of(Kind::Array) else {
            return board.givens == Value::NULL;
        };
        let own = &self.arrays[array];
        let is_plain = own.view().is_none() && !own.is_frozen();
        let elements = own.slots.values();
        let places = board.solver.places();
        let rules = board.solver.constraints().len();
        let is_rule = |pair: &[Value]| {
            let number = pair[1].as_integer();
            let number = number.and_then(|number| usize::try_from(number).ok());
            pair[0].is_kind(Kind::Text) && number.is_some_and(|number| number < rules)
        };
        let fits = |pair: &[Value]| {
            let is_place = pair[0]
                .as_integer()
                .is_some_and(|place| usize::try_from(place).is_ok_and(|place| place < places));
            is_place || pair[0] == Value::NULL || is_rule(pair)
        };
        is_plain && elements.len().is_multiple_of(2) && elements.chunks_exact(2).all(fits)
    }
}
