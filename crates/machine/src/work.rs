//! Long work: what a built-in or an operator does with much data, in pieces. The machine checks its limits between
//! pieces, so no host waits long for any instruction.
//!
//! An instruction that begins such work has changed nothing yet. The machine stores the work, does not run the
//! instruction, and does the work piece by piece. Then it runs the instruction in full: it asks for the work again,
//! and gets the result.

mod in_machine;

use super::errors::error::{Fault, UnlocatedError};
use super::natives::context::Context;
use ndscript_base::budget::{Budget, VISITS_OF_STEP};
use ndscript_heap::Value;
use ndscript_heap::store::collection::Root;
use ndscript_heap::value::Handle;
use std::any::Any;
use std::borrow::Borrow;
use std::cell::RefCell;

pub mod asking;

pub mod candidates;

pub mod comparing;

pub mod consulting;

pub mod freezing;

pub mod listing;

pub mod lists;

pub mod lookup;

pub mod moments;

pub mod naming;

pub mod narrowing;

pub mod posting;

pub mod propagating;

pub mod results;

pub mod sets;

pub mod weighing;

pub mod writing;

/// Traces the values of a work one by one: a list of them would double its memory.
pub struct Tracer<'a> {
    pub values: ValueTracer<'a>,
    pub trees: TreeTracer<'a>,
}

impl<'a> Tracer<'a> {
    fn new(mark: &'a dyn Fn(Root)) -> Tracer<'a> {
        Tracer {
            values: ValueTracer(mark),
            trees: TreeTracer(mark),
        }
    }
}

/// Visits traced values.
pub struct ValueTracer<'a>(&'a dyn Fn(Root));

impl ValueTracer<'_> {
    pub fn push(&mut self, value: Value) {
        (self.0)(Root::Value(value));
    }

    pub fn extend<V: Borrow<Value>>(&mut self, values: impl IntoIterator<Item = V>) {
        values
            .into_iter()
            .for_each(|value| self.push(*value.borrow()));
    }

    pub fn extend_from_slice(&mut self, values: &[Value]) {
        self.extend(values);
    }
}

/// Visits trees that belong to no set yet.
pub struct TreeTracer<'a>(&'a dyn Fn(Root));

impl TreeTracer<'_> {
    pub fn push(&mut self, tree: Handle) {
        (self.0)(Root::Tree(tree));
    }
}

/// A copy of a work, for a fork of the run. Every work that can be cloned has it.
pub trait ForkWork {
    fn fork(&self) -> Box<dyn Work>;
}

impl<T: Work + Clone> ForkWork for T {
    fn fork(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

/// An operation in pieces, which can stop and resume.
pub trait Work: ForkWork + Any + Send + Sync {
    /// Works until the budget is spent. Returns the result once it is done, else `None`. The result is null if the
    /// instruction takes the work itself ([`Context::perform_whole`]).
    ///
    /// # Errors
    /// As a built-in: what fails now fails the instruction, which has changed nothing. [`Fault::Memory`] is for the
    /// piece alone: it is done again when garbage is collected.
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault>;

    /// Shows what must not be collected.
    fn trace(&self, tracer: &mut Tracer);

    /// The bytes that it owns.
    fn bytes(&self) -> usize;

    /// Whether the instruction takes the work itself because its result is not a value.
    fn is_taken_whole(&self) -> bool {
        false
    }
}

/// The current work, and the result of a work that is done.
#[derive(Default)]
pub struct CurrentWork {
    work: Option<Box<dyn Work>>,
    /// The part of its bytes that the account includes.
    counted: usize,
    /// The rest of the budget of a piece that ran out of memory. The piece continues with it after the collection, so
    /// that steps do not depend on when garbage was collected.
    rest: Option<i64>,
    /// Its visits so far, and the steps charged for them and for what it has recorded.
    visits: usize,
    paid: i64,
    done: Option<WorkResult>,
    /// A search that learns, between two works on it.
    pub resting: Option<consulting::RestingSearch>,
}

/// The result of a work.
enum WorkResult {
    Value(Value),
    /// An error of the script that occurred while a run was being saved.
    Wrong(Box<UnlocatedError>),
    Whole(Box<dyn Work>),
}

/// The result of a work, as a saved run stores it.
pub enum Finished {
    Value(Value),
    Wrong(Box<UnlocatedError>),
}

ndscript_base::saved!(enum Finished { 0 => Value(value), 1 => Wrong(complaint) });

impl Clone for WorkResult {
    fn clone(&self) -> WorkResult {
        match self {
            WorkResult::Value(value) => WorkResult::Value(*value),
            WorkResult::Wrong(complaint) => WorkResult::Wrong(complaint.clone()),
            WorkResult::Whole(work) => WorkResult::Whole(work.fork()),
        }
    }
}

impl WorkResult {
    fn of(work: Box<dyn Work>, value: Value) -> WorkResult {
        if work.is_taken_whole() {
            WorkResult::Whole(work)
        } else {
            WorkResult::Value(value)
        }
    }
}

impl Clone for CurrentWork {
    fn clone(&self) -> CurrentWork {
        CurrentWork {
            work: self.work.as_ref().map(|work| work.fork()),
            counted: self.counted,
            rest: self.rest,
            visits: self.visits,
            paid: self.paid,
            done: self.done.clone(),
            resting: self.resting.clone(),
        }
    }
}

impl std::fmt::Debug for CurrentWork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UnderWay")
            .field("is_there", &self.work.is_some())
            .field("is_done", &self.done.is_some())
            .finish()
    }
}

impl CurrentWork {
    /// Whether there is a work, or a result that its instruction has not taken yet.
    #[inline]
    pub fn is_pending(&self) -> bool {
        self.work.is_some() || self.done.is_some()
    }

    /// The result that its instruction has not taken yet, if it can be saved.
    pub fn finished(&self) -> Option<Finished> {
        match &self.done {
            Some(WorkResult::Value(value)) => Some(Finished::Value(*value)),
            Some(WorkResult::Wrong(complaint)) => Some(Finished::Wrong(complaint.clone())),
            Some(WorkResult::Whole(_)) | None => None,
        }
    }

    /// No work, but the result of one.
    pub fn of_finished(finished: Option<Finished>) -> CurrentWork {
        let done = finished.map(|finished| match finished {
            Finished::Value(value) => WorkResult::Value(value),
            Finished::Wrong(complaint) => WorkResult::Wrong(complaint),
        });
        CurrentWork {
            done,
            ..CurrentWork::default()
        }
    }

    /// Shows what must not be collected.
    pub fn trace(&self, mark: &mut dyn FnMut(Root)) {
        let mark = RefCell::new(mark);
        let show = |root| (mark.borrow_mut())(root);
        let mut tracer = Tracer::new(&show);
        match &self.done {
            Some(WorkResult::Value(value)) => tracer.values.push(*value),
            Some(WorkResult::Wrong(complaint)) => tracer.values.extend(complaint.argument),
            Some(WorkResult::Whole(work)) => work.trace(&mut tracer),
            None => {}
        }
        self.work.iter().for_each(|work| work.trace(&mut tracer));
        tracer
            .values
            .extend(self.resting.iter().map(|resting| resting.board));
    }

    /// Its bytes.
    pub fn bytes(&self) -> usize {
        let done = if let Some(WorkResult::Whole(work)) = &self.done {
            work.bytes()
        } else {
            0
        };
        let resting = self.resting.as_ref();
        done + self.work.as_ref().map_or(0, |work| work.bytes())
            + resting.map_or(0, |resting| resting.learner.bytes())
    }
}

impl Context {
    /// Does work: at once if it fits into a piece, otherwise in pieces, after which the instruction runs again. An
    /// instruction does at most one work. `begin` makes the work, and asks for its memory.
    ///
    /// # Errors
    /// [`Fault::Later`] if it is larger than a piece; the errors of the work.
    pub fn perform<W: Work + 'static>(
        &mut self,
        begin: impl FnOnce(&mut Context) -> Result<W, Fault>,
    ) -> Result<Value, Fault> {
        if let Some(done) = self.take_done_value() {
            return Ok(done);
        }
        let fuel_at_start = self.open_work_account()?;
        let mut work = begin(self)?;
        match self.do_at_once(&mut work, fuel_at_start)? {
            Some(value) => Ok(value),
            None => Err(self.leave_for_later(Box::new(work))),
        }
    }

    /// As [`Context::perform`], for a result that is not a value: returns the work itself once it is done.
    ///
    /// # Errors
    /// As [`Context::perform`].
    pub fn perform_whole<W: Work>(
        &mut self,
        begin: impl FnOnce(&mut Context) -> Result<W, Fault>,
    ) -> Result<W, Fault> {
        if let Some(WorkResult::Whole(done)) = self
            .current_work
            .done
            .take_if(|done| matches!(done, WorkResult::Whole(_)))
        {
            self.count_work();
            let done: Box<dyn Any> = done;
            if let Ok(done) = done.downcast() {
                return Ok(*done);
            }
        }
        let fuel_at_start = self.open_work_account()?;
        let mut work = begin(self)?;
        match self.do_at_once(&mut work, fuel_at_start)? {
            Some(_) => Ok(work),
            None => Err(self.leave_for_later(Box::new(work))),
        }
    }

    /// The result of a work that is done.
    fn take_done_value(&mut self) -> Option<Value> {
        match self.current_work.done {
            Some(WorkResult::Value(done)) => {
                self.current_work.done = None;
                Some(done)
            }
            _ => None,
        }
    }

    /// Returns the fuel at the beginning of a work. What the instruction was charged before is refunded, and charged when it
    /// runs to its end; making the work is charged to the work.
    fn open_work_account(&mut self) -> Result<i64, Fault> {
        self.charge_comparisons();
        self.fuel_before -= self.heap.take_lasting_work() as i64;
        self.reserve(0)?;
        Ok(self.fuel)
    }

    /// Does the first piece of a work. `None` if there is more to do, also if it ran out of memory: repeated from its
    /// beginning it would run out again, since the collection would free what it has made.
    fn do_at_once(
        &mut self,
        work: &mut dyn Work,
        fuel_at_start: i64,
    ) -> Result<Option<Value>, Fault> {
        let mut budget = Budget::piece(self.piece);
        let result = work.resume(self, &mut budget);
        let spent = budget.steps() + 1;
        match result {
            Ok(None) | Err(Fault::Memory(_)) => {
                let spent_beyond_budget = fuel_at_start - self.fuel;
                self.current_work.rest = result.is_err().then(|| budget.left());
                self.current_work.visits = budget.visits();
                let paid = spent_beyond_budget + (spent + self.heap.take_work() as usize) as i64;
                self.current_work.paid = paid;
                self.heap.take_lasting_work();
                self.fuel = self.fuel_before - paid;
                Ok(None)
            }
            other => {
                self.charge(spent);
                other
            }
        }
    }

    /// Stores a work that the first piece has not finished.
    fn leave_for_later(&mut self, work: Box<dyn Work>) -> Fault {
        self.current_work.work = Some(work);
        Fault::Later
    }

    /// Does a piece of the current work, and charges it and what it has recorded.
    fn do_piece(&mut self, work: &mut dyn Work) -> Result<Option<Value>, Fault> {
        let before = self.fuel;
        let mut budget = match self.current_work.rest.take() {
            Some(left) => Budget::rest(self.piece, left),
            None => Budget::piece(self.piece),
        };
        let start = budget.left();
        let result = work.resume(self, &mut budget);
        let visits = self.current_work.visits + (start - budget.left()) as usize;
        self.charge(visits / VISITS_OF_STEP - self.current_work.visits / VISITS_OF_STEP);
        self.current_work.visits = visits;
        if let Err(Fault::Memory(_)) = result {
            self.current_work.rest = Some(budget.left());
        }
        self.charge_comparisons();
        self.current_work.paid += before - self.fuel;
        result
    }

    /// Updates the account to the bytes of the work.
    fn count_work(&mut self) {
        let now = self.current_work.bytes();
        let before = std::mem::replace(&mut self.current_work.counted, now);
        self.heap.account.bytes = (self.heap.account.bytes + now).saturating_sub(before);
    }
}
