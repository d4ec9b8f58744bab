//! The writes of one statement to a board, place by place.

use crate::machine::Machine;
use ndscript_heap::Value;

/// The writes of one statement to a board. A place is written once, with all its removals, and the order does not say
/// what follows from what: a place from which another one lost candidates may be written after it.
#[derive(Clone, Debug, Default)]
pub struct BoardStatement {
    board: Option<(Value, u64)>,
    /// By place.
    is_written: Vec<bool>,
    /// Places that are still to be written, with the definitions that depend on them.
    awaited: Vec<(usize, u32)>,
}

impl BoardStatement {
    /// Begins with what the board has been claimed for, if that is another statement.
    pub fn begin(&mut self, board: Value, machine: &Machine) {
        let board = machine
            .context
            .heap
            .claim_of(board)
            .map(|claim| (board, claim));
        if board != self.board {
            *self = BoardStatement {
                board,
                ..BoardStatement::default()
            };
        }
    }

    /// Whether a place with this many candidates had lost some of them by this statement, which has not written to it
    /// yet.
    pub fn is_ahead(&self, machine: &Machine, place: usize, candidates: usize) -> bool {
        let Some((board, _)) = self
            .board
            .filter(|_| self.is_written.get(place) != Some(&true))
        else {
            return false;
        };
        machine
            .context
            .heap
            .candidates_at_first(board, place)
            .is_some_and(|first| candidates < first)
    }

    /// A definition has written to a place, and depends on others still to be written. Returns the definitions that
    /// depend on it.
    pub fn wrote(&mut self, place: usize, definition: u32, ahead: Vec<usize>) -> Vec<u32> {
        if self.is_written.len() <= place {
            self.is_written.resize(place + 1, false);
        }
        self.is_written[place] = true;
        self.awaited
            .extend(ahead.into_iter().map(|other| (other, definition)));
        self.awaited
            .extract_if(.., |(awaited, _)| *awaited == place)
            .map(|(_, definition)| definition)
            .collect()
    }
}
