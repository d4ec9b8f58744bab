//! The functions of a board (`constrain`): which of them wait to run, because a place has lost candidates.
//!
//! Their flags are the elements of an array of the language, so that they are undone, forked and saved like everything
//! else. The first element says whether one of them runs: what it writes may let others wait, and itself once more, but
//! none begins before it has ended.

use super::{Board, Constraint};
use crate::heap::Heap;
use crate::value::{Handle, Value};

/// A function that is to run now.
#[derive(Clone, Copy, Debug)]
pub struct Woken {
    pub board: Handle,
    /// The number of its constraint.
    pub number: u32,
    pub function: Value,
}

impl Board {
    /// The values that its functions hold on to.
    pub(crate) fn held_by_functions(&self) -> impl Iterator<Item = Value> + '_ {
        self.functions
            .iter()
            .filter_map(|number| self.constraints.get(*number as usize))
            .flat_map(|constraint| constraint.values())
    }

    /// The array of flags, if there is any function.
    fn agenda(&self) -> Option<Handle> {
        let first = self.constraints.get(*self.functions.first()? as usize)?;
        if let Constraint::Function { agenda, .. } = &**first {
            Some(agenda.payload())
        } else {
            None
        }
    }

    /// The function with a number, and where its flag is.
    fn function(&self, number: u32) -> Option<(Value, usize)> {
        match &**self.constraints.get(number as usize)? {
            Constraint::Function { function, slot, .. } => Some((*function, *slot as usize)),
            _ => None,
        }
    }
}

impl Heap {
    /// The values that the functions of a board hold on to.
    #[cfg(debug_assertions)]
    pub fn held_by_board(&self, board: Handle) -> impl Iterator<Item = Value> + '_ {
        self.boards[board].held_by_functions()
    }

    /// Gives a function that has no flag yet its place in the agenda of a board. It waits from the beginning.
    pub(super) fn enter_in_agenda(&mut self, board: Handle, constraint: &mut Constraint) {
        let Constraint::Function { agenda, slot, .. } = constraint else {
            return;
        };
        if *agenda != Value::NULL {
            return;
        }
        let known = self.boards[board].agenda();
        let handle = known.unwrap_or_else(|| self.array(vec![Value::FALSE]).payload());
        *agenda = Value::handle(crate::Kind::Array, handle);
        *slot = self.array_len(handle) as u32;
        self.push_element(handle, Value::TRUE);
    }

    /// The bytes that noting which functions wait takes at most.
    pub fn bytes_to_wake(&self, board: Handle) -> usize {
        let Some(agenda) = self.boards[board].agenda() else {
            return 0;
        };
        let functions = self.boards[board].functions.len();
        self.arrays[agenda].slots.bytes_to_log(self.top) + 32 * functions
    }

    /// Notes that a place has lost candidates, for the functions that watch it.
    pub(super) fn wake_functions(&mut self, board: Handle, place: usize) {
        let Some(agenda) = self.boards[board].agenda() else {
            return;
        };
        let mut visits = 0;
        let mut link = self.boards[board].watchers.first(place);
        while let Some(at) = link {
            let (number, next) = self.boards[board].watchers.get(at);
            if let Some((_, slot)) = self.boards[board].function(number)
                && self.element(agenda, slot) != Some(Value::TRUE)
            {
                self.set_element(agenda, slot, Value::TRUE);
                visits += 16;
            }
            visits += 2;
            link = next;
        }
        self.note_work(visits);
    }

    /// Once a board is at rest: lets the machine know if functions of it are to run now.
    pub(super) fn note_woken(&mut self, board: Handle) {
        let Some(agenda) = self.boards[board].agenda() else {
            return;
        };
        let functions = self.boards[board].functions.len();
        self.note_work(functions);
        let is_busy = self.element(agenda, 0) == Some(Value::TRUE);
        let mut flags = (1..self.array_len(agenda)).map(|slot| self.element(agenda, slot));
        if !is_busy && flags.any(|flag| flag == Some(Value::TRUE)) {
            self.woken = Some(self.boards[board].container);
        }
    }

    /// The function of a board that runs next: of those that wait the one that was put on it first. From now on one of
    /// them runs, until there is none left.
    pub fn next_function(&mut self, container: Value) -> Option<Woken> {
        let board = self.board_of(container)?;
        let agenda = self.boards[board].agenda()?;
        let count = self.boards[board].functions.len();
        let waits = |at: &usize| {
            let slot = self.boards[board]
                .function(self.boards[board].functions[*at])
                .map_or(0, |(_, slot)| slot);
            slot > 0 && self.element(agenda, slot) == Some(Value::TRUE)
        };
        let found = (0..count).find(waits);
        self.note_work(2 * found.unwrap_or(count) + 8);
        if self.element(agenda, 0) != Some(Value::boolean(found.is_some())) {
            self.set_element(agenda, 0, Value::boolean(found.is_some()));
        }
        let number = self.boards[board].functions[found?];
        let (function, slot) = self.boards[board].function(number)?;
        self.set_element(agenda, slot, Value::FALSE);
        Some(Woken {
            board,
            number,
            function,
        })
    }

    /// Counts a failure that a constraint has caused.
    pub fn blame(&mut self, board: Handle, number: u32) {
        if let Some(board) = self
            .boards
            .get_mut(board)
            .filter(|board| (number as usize) < board.weights.len())
        {
            board.note_conflict(number);
        }
    }

    /// Whether the functions of a board that was read back have flags that they can set.
    pub(super) fn has_sound_agenda(&self, board: &Board) -> bool {
        let mut functions = board
            .functions
            .iter()
            .filter_map(|number| board.constraints.get(*number as usize));
        let agenda = board.agenda();
        functions.all(|constraint| match &**constraint {
            Constraint::Function {
                agenda: own, slot, ..
            } => own.handle_of(crate::Kind::Array).is_some_and(|handle| {
                let array = &self.arrays[handle];
                let is_plain = array.view().is_none() && !array.is_frozen();
                Some(handle) == agenda
                    && is_plain
                    && (1..array.slots.values().len()).contains(&(*slot as usize))
            }),
            _ => false,
        })
    }
}
