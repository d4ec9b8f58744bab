//! What a program has taken from the places of a board by itself since they were put under a constraint: what it was given, as opposed to
//! what follows and what is guessed.
//!
//! They are the elements of an array of the language, so that they are undone, forked and saved like everything else: a place, or null
//! for all, and what it was narrowed to. The array is made with the first constraint, so that it is older than any choice point behind
//! which something is noted in it.

use super::Board;
use crate::heap::Heap;
use crate::value::{Handle, Kind, Value};

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

    /// Whether the functions of a board run: what they take away follows.
    fn is_function_running(&self, board: Handle) -> bool {
        self.boards[board]
            .agenda()
            .is_some_and(|agenda| self.arrays[agenda].slots.values().first() == Some(&Value::TRUE))
    }

    /// Notes that the program has narrowed a place, or all of them, to a set, or to one value. Both are frozen.
    pub fn note_given(&mut self, board: Handle, place: Option<usize>, value: Value) {
        let Some(array) = self.boards[board].givens.handle_of(Kind::Array) else {
            return;
        };
        if self.is_function_running(board) {
            return;
        }
        self.push_element(array, place.map_or(Value::NULL, Value::size));
        self.push_element(array, value);
    }

    /// What was noted, as masks of places.
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
        for pair in self.arrays[array].slots.values().chunks_exact(2) {
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

    /// Whether what a board that was read back has noted can have been.
    pub(super) fn has_sound_givens(&self, board: &Board) -> bool {
        let Some(array) = board.givens.handle_of(Kind::Array) else {
            return board.givens == Value::NULL;
        };
        let own = &self.arrays[array];
        let is_plain = own.view().is_none() && !own.is_frozen();
        let elements = own.slots.values();
        let places = board.solver.places();
        let fits = |pair: &[Value]| {
            let is_place = pair[0]
                .as_integer()
                .is_some_and(|place| usize::try_from(place).is_ok_and(|place| place < places));
            is_place || pair[0] == Value::NULL
        };
        is_plain && elements.len().is_multiple_of(2) && elements.chunks_exact(2).all(fits)
    }
}
