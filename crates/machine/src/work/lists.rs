//! Arrays given in place of sets: among the arguments of constraints, and in the places of boards.

use crate::errors::error::{ErrorKind, Fault};
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_heap::{Kind, Value};

/// At most this many places, candidates and elements are examined before a board is said to hold lists in place of
/// candidates.
const MOST_VISITED: usize = 64;

/// Whether a value has parts, as a set of candidates has, without being a set.
pub fn is_list(value: Value) -> bool {
    matches!(
        value.kind(),
        Kind::Array | Kind::Object | Kind::Grid | Kind::Queue
    )
}

impl Context {
    /// Whether a collection that is no candidate probably means its elements: the board has one of them as a
    /// candidate, or has no candidate of this kind.
    pub fn is_meant_as_list(
        &self,
        list: Value,
        knows: impl Fn(Value) -> bool,
        mut candidates: impl Iterator<Item = Value>,
    ) -> bool {
        let has_known = list.handle_of(Kind::Array).is_some_and(|array| {
            let slots = &self.heap.arrays[array].slots;
            (0..slots.len()).filter_map(|at| slots.get(at)).any(knows)
        });
        has_known || !candidates.any(|candidate| candidate.is_kind(list.kind()))
    }

    /// The error for a collection in place of a set of values.
    pub fn list_for_values(&self, function: &str, list: Value) -> Fault {
        let fault = self.wrong_argument(function, "a set of values or one value", list);
        if !list.is_kind(Kind::Array) {
            return fault;
        }
        match self.as_set(list) {
            Some(set) => fault.with_hint(format!("write `{set}`: no place can hold the array")),
            None => fault.with_hint("`toSet(a)` makes a set of an array"),
        }
    }

    /// How the set of the elements of an array is written, if they are few.
    fn as_set(&self, array: Value) -> Option<String> {
        let shown = self.brief(array);
        let elements = shown.strip_prefix('[')?.strip_suffix(']')?;
        (!elements.contains("...")).then(|| format!("setOf({elements})"))
    }

    /// The set to write in place of an array that means its elements.
    pub fn set_for_list(&self, list: Value) -> String {
        match self.as_set(list) {
            Some(set) => format!("candidates are a set: write `{set}`, or `toSet(a)` of an array"),
            None => "candidates are a set: write `toSet(a)` of an array".to_string(),
        }
    }

    /// A place that holds only an array, as if that was the list of its candidates, and the array. If some place has
    /// an array among several candidates, arrays are values. With `certain`, a set of one array does not count, which
    /// a search may have left of several.
    fn list_for_candidates(&self, container: Value, certain: bool) -> Option<(usize, Value)> {
        let board = self
            .heap
            .constrained(container)
            .map(|board| &self.heap.boards[board].solver);
        let mut lone_array = None;
        let looked_at = self.heap.places_of(container).min(MOST_VISITED);
        let are_alike = looked_at > 1 && self.heap.alike_from(container, 0, looked_at) == looked_at;
        for place in 0..self.heap.places_of(container).min(MOST_VISITED) {
            let content = self.heap.at_place(container, place);
            let bound = board.filter(|board| board.is_bound(place));
            let count = bound.map_or(self.heap.candidate_count(content), |board| {
                board.initial(place).count() as usize
            });
            let mut candidates =
                (0..count.min(MOST_VISITED)).filter_map(|at| self.heap.candidate(content, at));
            match candidates.find(|candidate| candidate.is_kind(Kind::Array)) {
                // An array that every place holds is not one candidate left of several, and a place with a constraint
                // knows its earlier ones.
                Some(array)
                    if count == 1
                        && (!certain
                            || bound.is_some()
                            || content.is_kind(Kind::Array)
                            || are_alike) =>
                {
                    lone_array = lone_array.or(Some((place, array)));
                }
                Some(_) => return None,
                None => {}
            }
        }
        lone_array
    }

    /// Fails for a value that no place can hold, but that is an element of an array in one.
    ///
    /// # Errors
    /// If it is one.
    pub fn refuse_element(
        &self,
        container: Value,
        function: &str,
        value: Value,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        budget.spend(2 * MOST_VISITED);
        let Some((place, list)) = self.list_for_candidates(container, true) else {
            return Ok(());
        };
        let slots = &self.heap.arrays[list.payload()].slots;
        let mut elements = (0..slots.len().min(MOST_VISITED)).filter_map(|at| slots.get(at));
        if !elements.any(|element| element == value) {
            return Ok(());
        }
        let (list_shown, place) = (
            self.brief(list),
            self.brief(self.name_of_place(container, place)),
        );
        let message = format!(
            "`{function}` is given {}, but the place {place} holds the array {list_shown}, and an array is one value",
            self.brief(value)
        );
        Err(Fault::error(ErrorKind::Value, message).with_hint(self.set_for_list(list)))
    }

    /// Adds to the failure message that a place holds an array, if that may be the cause.
    ///
    /// # Errors
    /// [`Fault::Memory`].
    pub(super) fn record_list(
        &mut self,
        container: Value,
        function: &str,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        budget.spend(MOST_VISITED);
        let Some((place, list)) = self.list_for_candidates(container, false) else {
            return Ok(());
        };
        let place = self.brief(self.name_of_place(container, place));
        self.set_failure_message(&format!(
            "`{function}` fails: the place {place} holds the array {}, and an array is one value; {}",
            self.brief(list),
            self.set_for_list(list)
        ))
    }
}
