//! `decide` with `fair`: before the first guess a solution is drawn ([`FairDraw`]), which the guesses then follow.

use ndscript_base::budget::Budget;
use ndscript_heap::Value;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::consulting::room_for_copy;
use ndscript_machine::work::propagating::MemoryRequest;
use ndscript_machine::work::{Tracer, Work};
use ndscript_solver::learning::FairDraw;

/// Draws a solution of a board for the call of `decide` that has just begun. Where nothing can be drawn, guesses continue
/// without advice.
#[derive(Clone)]
pub struct FairWork {
    board: Value,
    /// Some solution, an array of values by place.
    first: Value,
    draw: Option<Box<FairDraw>>,
    asking: MemoryRequest,
}

impl FairWork {
    pub fn new(board: Value, first: Value) -> FairWork {
        FairWork {
            board,
            first,
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
            return Ok(Some(Value::NULL));
        };
        let Some(draw) = &mut self.draw else {
            if !context.heap.freshen(board, budget) {
                return Ok(None);
            }
            let Some((bytes, most)) = room_for_copy(context, board) else {
                return Ok(Some(Value::NULL));
            };
            if !self.asking.ask(context, bytes)? {
                return Ok(None);
            }
            let seed = context.rng.below(u64::MAX);
            let heap = &context.heap;
            let (known, solver) = (&heap.boards[board], &heap.boards[board].solver);
            let number = |place| {
                let value = heap.at_place(self.first, place);
                known.number_of(value).map_or(0, |number| number as u32)
            };
            let first = (0..solver.places()).map(number).collect();
            budget.spend(8 * solver.places() + solver.constraints().len());
            self.draw = Some(Box::new(FairDraw::new(solver, first, seed, most)));
            return Ok(None);
        };
        if !draw.resume(budget) {
            return Ok(None);
        }
        let (values, is_relaxed) = (draw.values().to_vec(), draw.is_relaxed());
        context.learning.use_solution(values, is_relaxed);
        Ok(Some(Value::NULL))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.board, self.first]);
    }

    fn bytes(&self) -> usize {
        self.draw.as_ref().map_or(0, |draw| draw.bytes())
    }
}
