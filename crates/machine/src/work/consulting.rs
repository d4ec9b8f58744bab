//! Asks the search that learns whether a board has a solution, see `learning.rs`. It runs from one of its restarts
//! to the next: there it rests, and may be saved.

use super::Tracer;
use super::propagating::MemoryRequest;
use crate::errors::error::Fault;
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_base::codec::{Reader, Saved, Unsound, Writer};
use ndscript_heap::value::Handle;
use ndscript_heap::{Heap, Value};
use ndscript_solver::learning::{Learner, Resting, Verdict};

/// A question to the search that learns.
#[derive(Clone)]
pub struct AskLearnerWork {
    board: Value,
    learner: Option<Box<Learner>>,
    asking: MemoryRequest,
}

/// A search at rest, and its board.
#[derive(Clone)]
pub struct RestingSearch {
    pub board: Value,
    pub learner: Box<Learner>,
}

/// The outcome of a piece of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    NotYet,
    /// It must be asked again.
    Resting,
    /// Guessing may continue.
    Done,
}

/// The bytes that a search may own, at most this share of those that are free.
const MOST_BYTES: usize = 48 << 20;
const SHARE: usize = 3;

/// The bytes of the copy of a board that learns, and the most that it may own; `None` if there is no room for it.
pub fn room_for_copy(context: &Context, board: Handle) -> Option<(usize, usize)> {
    let solver = &context.heap.boards[board].solver;
    let free = context
        .limits
        .memory
        .saturating_sub(context.heap.account.bytes)
        / SHARE;
    let copied = solver.domains().bytes() + 64 * solver.constraints().len();
    let most = free.min(MOST_BYTES);
    (copied <= most).then_some((copied, most))
}

impl AskLearnerWork {
    /// The question about a board, if one is due.
    pub fn of(context: &mut Context, board: Value) -> Option<AskLearnerWork> {
        if !context.learning.is_due() {
            return None;
        }
        let resting = context.current_work.resting.take();
        Some(AskLearnerWork {
            board,
            learner: resting
                .filter(|resting| resting.board == board)
                .map(|resting| resting.learner),
            asking: MemoryRequest::default(),
        })
    }

    /// Continues.
    ///
    /// # Errors
    /// [`Fault::Fail`] if the board has no solution; [`Fault::Memory`].
    pub fn resume(&mut self, context: &mut Context, budget: &mut Budget) -> Result<Answer, Fault> {
        let Some(board) = context.heap.constrained(self.board) else {
            context.learning.give_up();
            return Ok(Answer::Done);
        };
        let Some(learner) = &mut self.learner else {
            if !context.heap.freshen(board, budget) {
                return Ok(Answer::NotYet);
            }
            let Some((copied, most)) = room_for_copy(context, board) else {
                context.learning.give_up();
                return Ok(Answer::Done);
            };
            if !self.asking.ask(context, copied)? {
                return Ok(Answer::NotYet);
            }
            let seed = context.rng.below(u64::MAX);
            let solver = &context.heap.boards[board].solver;
            budget.spend(solver.places() / 8 + solver.constraints().len());
            let mut learner = Learner::of_bound(solver, seed, most);
            learner.prefer(context.learning.guide().to_vec());
            learner.look_besides(context.learning.known().to_vec());
            self.learner = Some(Box::new(learner));
            return Ok(Answer::NotYet);
        };
        match learner.resume(budget) {
            Verdict::NotYet => return Ok(Answer::NotYet),
            Verdict::Resting if context.learning.has_had_its_turn(learner.visits_of_turn()) => {
                context.learning.put_off();
            }
            Verdict::Resting => {
                context.current_work.resting = self.learner.take().map(|learner| RestingSearch {
                    board: self.board,
                    learner,
                });
                return Ok(Answer::Resting);
            }
            Verdict::Solution => {
                let places = context.heap.boards[board].solver.places();
                let solution = (0..places).map(|place| learner.value(place)).collect();
                context
                    .learning
                    .use_solution(solution, learner.is_relaxed());
            }
            Verdict::NoSolution => {
                context.learning.refute();
                return Err(Fault::Fail);
            }
            Verdict::TooLarge => context.learning.give_up(),
        }
        Ok(Answer::Done)
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.board);
    }

    pub fn bytes(&self) -> usize {
        self.learner.as_ref().map_or(0, |learner| learner.bytes())
    }
}

impl RestingSearch {
    pub fn save(&self, out: &mut Writer) {
        self.board.save(out);
        self.learner.save(out);
    }

    /// Reads back what was saved, once the board is restored; `known` is the solution besides which another was looked for.
    ///
    /// # Errors
    /// If it does not fit the board.
    pub fn load(
        saved: (Value, Resting),
        known: &[u32],
        heap: &mut Heap,
    ) -> Result<RestingSearch, Unsound> {
        let (container, resting) = saved;
        let Some(board) = heap.constrained(container) else {
            return Err(Unsound::Wrong("a search is of no board"));
        };
        heap.freshen(board, &mut Budget::unlimited());
        Ok(RestingSearch {
            board: container,
            learner: Box::new(resting.on(&heap.boards[board].solver, known, MOST_BYTES)?),
        })
    }

    /// The saved state of a resting search, if there is one.
    ///
    /// # Errors
    /// If the bytes are no such state.
    pub fn read(from: &mut Reader<'_>) -> Result<Option<(Value, Resting)>, Unsound> {
        if bool::load(from)? {
            Ok(Some((Value::load(from)?, Resting::load(from)?)))
        } else {
            Ok(None)
        }
    }
}
