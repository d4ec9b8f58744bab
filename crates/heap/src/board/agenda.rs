//! The agenda: the functions of a board (`constrain`) that are due, because a place has lost candidates.
//!
//! Their flags are the elements of an array of the language, so that they are undone, forked and saved like
//! everything else. The first element says whether one of them runs: what it writes may make others due, and itself
//! once more, but none begins before it has ended.

use std::sync::Arc;

use super::{Board, Rule};
use crate::store::heap::Heap;
use crate::value::{Handle, Value};
use ndscript_solver::{CallbackId, Constraint};

/// A function of the program that is a constraint, and the array with its flag. The number of its callback is the
/// place of the flag; both are unknown until it is on a board.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub function: Value,
    pub agenda: Value,
}

impl Function {
    /// A function that is not on a board yet.
    pub fn new(function: Value) -> Function {
        Function {
            function,
            agenda: Value::NULL,
        }
    }

    /// The values of the language that it refers to.
    pub fn values(self) -> [Value; 2] {
        [self.function, self.agenda]
    }
}

/// A function that runs now.
#[derive(Clone, Copy, Debug)]
pub struct DueFunction {
    pub board: Handle,
    /// The number of its constraint.
    pub number: u32,
    pub function: Value,
}

impl Board {
    /// The values that its functions refer to.
    pub(crate) fn values_of_functions(&self) -> impl Iterator<Item = Value> + '_ {
        self.functions
            .iter()
            .copied()
            .flat_map(Function::values)
            .chain([self.givens()])
    }

    /// The array of flags, if there is any function.
    pub(super) fn agenda(&self) -> Option<Handle> {
        self.functions.first().map(|first| first.agenda.payload())
    }

    /// Where the flag of a function is, by its number among the functions.
    fn slot(&self, at: usize) -> Option<usize> {
        let number = self.solver.callbacks().get(at)?;
        self.solver.callback(*number).map(|id| id.0 as usize)
    }
}

impl Heap {
    /// The values that the functions of a board refer to.
    #[cfg(debug_assertions)]
    pub fn values_of_board(&self, board: Handle) -> impl Iterator<Item = Value> + '_ {
        self.boards[board].values_of_functions()
    }

    /// Gives a function without a flag its place in the agenda of a board. It is due from the beginning, unless it
    /// waits for values that its place does not hold yet. A function that was on the board before has its flag.
    pub(super) fn enter_in_agenda(&mut self, board: Handle, rule: &mut Rule) {
        let Some(function) = rule
            .function
            .as_mut()
            .filter(|function| function.agenda == Value::NULL)
        else {
            return;
        };
        let known = self.boards[board].agenda();
        let handle = known.unwrap_or_else(|| self.array(vec![Value::FALSE]).payload());
        function.agenda = Value::handle(crate::Kind::Array, handle);
        if let Constraint::Callback(own) = Arc::make_mut(&mut rule.constraint) {
            own.callback = CallbackId(self.array_len(handle) as u32);
        }
        let solver = &self.boards[board].solver;
        let holds = |place: &u32, values| !solver.candidates(*place as usize).has_others(values);
        let is_due = rule.constraint.awaited().is_none_or(|values| {
            let mut places = rule.constraint.places().unwrap_or_default().iter();
            places.all(|place| holds(place, values))
        });
        self.push_element(handle, Value::boolean(is_due));
    }

    /// Whether a function becomes due as one of its places has lost candidates. A function that runs once has no flag
    /// after it ran.
    fn becomes_due(&self, board: Handle, number: u32, flag: Option<Value>) -> bool {
        match self.boards[board].solver.has_what_it_awaits(number) {
            None => flag != Some(Value::TRUE),
            Some(contains) => contains && flag == Some(Value::FALSE),
        }
    }

    /// The greatest number of bytes for recording which functions are due.
    pub fn bytes_to_wake(&self, board: Handle) -> usize {
        let Some(agenda) = self.boards[board].agenda() else {
            return 0;
        };
        let functions = self.boards[board].functions.len();
        self.arrays[agenda].slots.bytes_to_log(self.serials.top) + 32 * functions
    }

    /// Records that a place has lost candidates, for the functions that watch it.
    pub(super) fn wake_functions(&mut self, board: Handle, place: usize) {
        let Some(agenda) = self.boards[board].agenda() else {
            return;
        };
        let mut visits = 0;
        let mut link = self.boards[board].solver.watchers().first(place);
        while let Some(at) = link {
            let solver = &self.boards[board].solver;
            let (number, next) = solver.watchers().get(at);
            if let Some(CallbackId(slot)) = solver.callback(number)
                && let flag = self.element(agenda, slot as usize)
                && self.becomes_due(board, number, flag)
            {
                self.set_element(agenda, slot as usize, Value::TRUE);
                visits += 16;
            }
            visits += 2;
            link = next;
        }
        self.record_work(visits);
    }

    /// Once a board has reached its fixpoint: tells the machine if functions of it are due.
    pub(super) fn set_due(&mut self, board: Handle) {
        let Some(agenda) = self.boards[board].agenda() else {
            return;
        };
        let functions = self.boards[board].functions.len();
        self.record_work(functions);
        let is_busy = self.element(agenda, 0) == Some(Value::TRUE);
        let mut flags = (1..self.array_len(agenda)).map(|slot| self.element(agenda, slot));
        if !is_busy && flags.any(|flag| flag == Some(Value::TRUE)) {
            self.board_with_due_functions = Some(self.boards[board].container);
        }
    }

    /// The next function of a board to run: of the due ones, the one posted first. From now on a function runs, until
    /// none is due.
    pub fn next_function(&mut self, container: Value) -> Option<DueFunction> {
        let board = self.board_of(container)?;
        let agenda = self.boards[board].agenda()?;
        let count = self.boards[board].functions.len();
        let waits = |at: &usize| {
            let slot = self.boards[board].slot(*at).unwrap_or(0);
            slot > 0 && self.element(agenda, slot) == Some(Value::TRUE)
        };
        let found = (0..count).find(waits);
        self.record_work(2 * found.unwrap_or(count) + 8);
        if self.element(agenda, 0) != Some(Value::boolean(found.is_some())) {
            self.set_element(agenda, 0, Value::boolean(found.is_some()));
        }
        let at = found?;
        let own = &self.boards[board];
        let (number, slot) = (*own.solver.callbacks().get(at)?, own.slot(at)?);
        let function = own.functions.get(at)?.function;
        let runs_once = own.solver.has_what_it_awaits(number).is_some();
        let flag = if runs_once { Value::NULL } else { Value::FALSE };
        self.set_element(agenda, slot, flag);
        Some(DueFunction {
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
            .filter(|board| (number as usize) < board.solver.constraints().len())
        {
            board.solver.add_weight(number);
            board.index_failure(number);
        }
    }

    /// Whether the functions of a board that was read back have flags that they can set.
    pub(super) fn has_sound_agenda(&self, board: &Board) -> bool {
        let agenda = board.agenda();
        let fits = |(at, own): (usize, &Function)| {
            let (Some(handle), Some(slot)) =
                (own.agenda.handle_of(crate::Kind::Array), board.slot(at))
            else {
                return false;
            };
            let array = &self.arrays[handle];
            let is_plain = array.view().is_none() && !array.is_frozen();
            Some(handle) == agenda && is_plain && (1..array.slots.values().len()).contains(&slot)
        };
        board.functions.len() == board.solver.callbacks().len()
            && board.functions.iter().enumerate().all(fits)
    }
}
