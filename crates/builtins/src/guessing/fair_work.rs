//! `decide` with `fair`: before the first guess a solution is drawn ([`FairDraw`]), which the guesses then follow.

use ndscript_base::budget::Budget;
use ndscript_heap::Value;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::consulting::room_for_copy;
use ndscript_machine::work::propagating::MemoryRequest;
use ndscript_machine::work::{Tracer, Work};
use ndscript_solver::learning::{FairDraw, Verdict};

/// Draws a solution of a board for the call of `decide` that has just begun. The result is false if the board has none.
#[derive(Clone)]
pub struct FairWork {
    board: Value,
    draw: Option<Box<FairDraw>>,
    asking: MemoryRequest,
}

impl FairWork {
    pub fn new(board: Value) -> FairWork {
        FairWork {
            board,
            draw: None,
            asking: MemoryRequest::default(),
        }
    }
}

impl Work for FairWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        // Without a constraint the draws of guesses are fair themselves.
        let Some(board) = context.heap.constrained(self.board) else {
            return Ok(Some(Value::TRUE));
        };
        let Some(draw) = &mut self.draw else {
            if !context.heap.freshen(board, budget) {
                return Ok(None);
            }
            let Some((bytes, most)) = room_for_copy(context, board) else {
                return Ok(Some(Value::TRUE));
            };
            if !self.asking.ask(context, bytes)? {
                return Ok(None);
            }
            let seed = context.rng.below(u64::MAX);
            let solver = &context.heap.boards[board].solver;
            budget.spend(2 * solver.places() + solver.constraints().len());
            self.draw = Some(Box::new(FairDraw::new(solver, seed, most)));
            return Ok(None);
        };
        match draw.resume(budget) {
            Verdict::NotYet | Verdict::Resting => return Ok(None),
            Verdict::Solution => {
                let (values, is_relaxed) = (draw.values().to_vec(), draw.is_relaxed());
                context.learning.use_solution(values, is_relaxed);
            }
            Verdict::NoSolution => return Ok(Some(Value::FALSE)),
            // Guesses go on without advice.
            Verdict::TooLarge => {}
        }
        Ok(Some(Value::TRUE))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.board);
    }

    fn bytes(&self) -> usize {
        self.draw.as_ref().map_or(0, |draw| draw.bytes())
    }
}
