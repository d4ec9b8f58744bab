//! Removals and conflicts of boards, as values of the language.

mod in_heap;

use crate::value::Value;

/// At most this many places without a constraint are searched for values that the board has not numbered.
const MOST_VISITED: usize = 256;

/// Candidates that a place of a board has lost at once.
#[derive(Clone, Debug)]
pub struct Removal {
    pub place: usize,
    /// The built-in that posted the constraint; `None` if the statement itself removed them.
    pub constraint: Option<&'static str>,
    /// The built-in of the count whose slack was too small, for cost filtering.
    pub beside: Option<&'static str>,
    /// Its number on the board.
    pub number: Option<u32>,
    /// The removed values.
    pub values: Vec<Value>,
    /// The reason: places with their candidates at that time. Empty if it follows from the constraint alone.
    pub from: Vec<(usize, Vec<Value>)>,
}

/// A board with a place that has no candidates left.
#[derive(Clone, Debug)]
pub struct DeadEnd {
    pub container: Value,
    /// Removals since the statement began, the latest last.
    pub removals: Vec<Removal>,
    /// The constraint that failed, if one did.
    pub constraint: Option<&'static str>,
    /// The places that it is on; none where it is on all.
    pub on: Vec<u32>,
}

impl DeadEnd {
    /// The values that it holds.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let removed = self.removals.iter().flat_map(|removal| {
            let from = removal.from.iter().flat_map(|(_, values)| values);
            removal.values.iter().chain(from).copied()
        });
        std::iter::once(self.container).chain(removed)
    }
}
