//! Functions of boards (`constrain`), which run between two instructions when places have lost candidates.

use crate::errors::error::Fault;
use crate::machine::{Exit, Machine};
use crate::search::choices::barrier::BarrierKind;
use ndscript_heap::Value;

impl Machine {
    /// Before the next instruction: if a board has reached its fixpoint and functions of it are due, calls the
    /// function that runs them. Its frame lies above all registers of the running frame, and its result is dropped.
    ///
    /// # Errors
    /// The limit of depth; the functions stay due then.
    #[inline(always)]
    pub(crate) fn run_due_functions(&mut self) -> Result<(), Exit> {
        match self.context.heap.board_with_due_functions {
            None => Ok(()),
            Some(container) => self.enter_due_functions(container),
        }
    }

    /// Calls the function of the prelude that runs the functions which a board asks now.
    #[cold]
    #[inline(never)]
    fn enter_due_functions(&mut self, container: Value) -> Result<(), Exit> {
        self.context.charge_comparisons();
        self.context.fuel_before = self.context.fuel;
        let code = &self.context.code;
        let entry = code.heads[code.due_functions as usize].entry;
        let base = self.base as usize + self.window_size();
        match self.enter(entry, base) {
            Err(Fault::Limit(limit)) => return Err(Exit::Limit(limit)),
            Err(fault) => return self.handle(fault),
            Ok(()) => {}
        }
        self.stack[base + 1] = container;
        self.context.heap.board_with_due_functions = None;
        self.context.charge(1);
        Ok(())
    }

    /// Begins the next function of a board that waits; null if none does.
    pub(crate) fn next_function(&mut self, container: Value) -> Result<Value, Fault> {
        if let Some(board) = self.context.heap.board_of(container) {
            let bytes = self.context.heap.bytes_to_wake(board);
            self.context.reserve(bytes)?;
        }
        let Some(board_with_due_functions) = self.context.heap.next_function(container) else {
            return Ok(Value::NULL);
        };
        self.open_barrier(
            BarrierKind::Function {
                board: board_with_due_functions.board,
                number: board_with_due_functions.number,
            },
            None,
        );
        Ok(board_with_due_functions.function)
    }

    /// Ends a function of a board: discards its choices.
    pub(crate) fn end_function(&mut self) -> Result<Value, Fault> {
        if self.commit() {
            Ok(Value::NULL)
        } else {
            Err(Fault::Fail)
        }
    }
}
