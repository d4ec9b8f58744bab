//! The candidates that an argument means: the elements of a set, or one value.

use super::Tracer;
use super::lists::is_list;
use super::propagating::MemoryRequest;
use crate::errors::error::Fault;
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::value::Handle;
use ndscript_heap::walks::freeze::FreezeWalk;
use ndscript_heap::{Kind, Value};

/// A value being frozen, and then its candidates as a mask for a board.
#[derive(Clone, Debug)]
pub struct MaskWork {
    set_or_value: Value,
    value: Value,
    is_frozen: bool,
    freezing: FreezeWalk,
    at: usize,
    mask: Vec<u64>,
    /// The first candidate that the board does not know.
    unknown: Option<Value>,
}

impl MaskWork {
    pub fn new(value: Value) -> MaskWork {
        MaskWork {
            set_or_value: value,
            value,
            is_frozen: false,
            freezing: FreezeWalk::default(),
            at: 0,
            mask: Vec::new(),
            unknown: None,
        }
    }

    /// The value, frozen if that is done.
    pub fn value(&self) -> Value {
        self.value
    }

    /// Continues to freeze the value; true when that is done.
    ///
    /// # Errors
    /// If it has no frozen form.
    pub fn freeze(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        self.is_frozen |= self.value.is_kind(Kind::Set);
        while !self.is_frozen {
            // Freezing that has begun must finish first: a value met again while it is being frozen would seem to
            // contain itself.
            match context.go_on_freezing(&mut self.freezing, budget) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(why) => return Err(context.no_frozen(why, Context::not_frozen)),
            }
            match self.freezing.begin(&mut context.heap, self.value) {
                Ok(Some(frozen)) => (self.value, self.is_frozen) = (frozen, true),
                Ok(None) => {}
                Err(unfreezable) => return Err(context.not_frozen(unfreezable)),
            }
        }
        Ok(true)
    }

    /// Continues to make a mask of the frozen candidates; true when it is done.
    ///
    /// # Errors
    /// [`Fault::Memory`].
    pub fn mask(
        &mut self,
        context: &mut Context,
        board: Handle,
        asking: &mut MemoryRequest,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        if self.mask.is_empty() {
            let width = context.heap.boards[board].solver.width();
            if !asking.ask(context, width * 8)? {
                return Ok(false);
            }
            self.mask = vec![0; width];
        }
        let count = context.heap.candidate_count(self.value);
        let visits = context.heap.visits_of_candidate(self.value) + 4;
        while self.at < count {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(visits);
            let value = context
                .heap
                .candidate(self.value, self.at)
                .unwrap_or(Value::NULL);
            match context.heap.boards[board].number_of(value) {
                Some(number) => self.mask[number / 64] |= 1 << (number % 64),
                None => self.unknown = self.unknown.or(Some(value)),
            }
            self.at += 1;
        }
        Ok(true)
    }

    /// The first candidate that the board does not know.
    pub fn unknown(&self) -> Option<Value> {
        self.unknown
    }

    /// The mask that was made.
    pub fn take(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.mask)
    }

    pub fn finished_mask(&self) -> &[u64] {
        &self.mask
    }

    /// The first candidate that a place did not have at first.
    pub fn stranger(&self, context: &Context, board: Handle, place: usize) -> Option<Value> {
        let board = &context.heap.boards[board];
        let (first, initial) = board.solver.initial(place).words();
        let was_there = |at: usize| {
            at.checked_sub(first)
                .and_then(|at| initial.get(at))
                .copied()
                .unwrap_or(0)
        };
        if self.unknown.is_none()
            && self
                .mask
                .iter()
                .enumerate()
                .all(|(at, word)| word & !was_there(at) == 0)
        {
            return None;
        }
        let count = context.heap.candidate_count(self.value);
        let mut values = (0..count).filter_map(|at| context.heap.candidate(self.value, at));
        values.find(|value| {
            board
                .number_of(*value)
                .is_none_or(|number| !board.solver.initial(place).has(number))
        })
    }

    /// Fails for a collection given in place of a set of values when the board has only collections of that kind as
    /// candidates. The first candidates of a place are values, whatever they are.
    ///
    /// # Errors
    /// The error for such a collection.
    pub fn refuse_list(
        &self,
        context: &Context,
        board: Handle,
        function: &str,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        let Some(unknown) = self.unknown else {
            return Ok(());
        };
        if !is_list(self.value) {
            return context.refuse_element(
                context.heap.boards[board].container,
                function,
                unknown,
                budget,
            );
        }
        let board = &context.heap.boards[board];
        budget.spend(board.universe().len() + context.heap.visits_of_candidate(self.value));
        let is_known = |value: Value| board.number_of(value).is_some();
        match context.is_meant_as_list(self.value, is_known, board.universe().iter().copied()) {
            true => Err(context.list_for_values(function, self.set_or_value)),
            false => Ok(()),
        }
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.set_or_value, self.value]);
        self.freezing.values(&mut |value| tracer.values.push(value));
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.mask) + self.freezing.bytes()
    }
}
