//! Frozen forms of large values.

use super::{Tracer, Work};
use crate::errors::error::{ErrorKind, Fault, UnlocatedError};
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_heap::walks::freeze::{FreezeWalk, Progress, Unfreezable};
use ndscript_heap::{Kind, Value};

/// Why a value is not frozen.
#[derive(Clone, Copy, Debug)]
pub enum NotFrozen {
    /// It cannot be.
    Unfreezable(Unfreezable),
    /// This many bytes are missing; with them freezing continues.
    NoRoom(usize),
}

impl From<Unfreezable> for NotFrozen {
    fn from(unfreezable: Unfreezable) -> NotFrozen {
        NotFrozen::Unfreezable(unfreezable)
    }
}

/// Values that are being frozen, each in its place.
#[derive(Clone, Debug)]
pub struct FreezeAllWork {
    pub values: Vec<Value>,
    done: usize,
    freezing: FreezeWalk,
}

impl FreezeAllWork {
    pub fn new(values: Vec<Value>) -> FreezeAllWork {
        FreezeAllWork {
            values,
            done: 0,
            freezing: FreezeWalk::default(),
        }
    }

    /// Continues; true when all are frozen.
    ///
    /// # Errors
    /// The reason why one of them is not frozen.
    pub fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<bool, NotFrozen> {
        while let Some(value) = self.values.get(self.done).copied() {
            if budget.is_spent() || !context.go_on_freezing(&mut self.freezing, budget)? {
                return Ok(false);
            }
            budget.spend(1);
            if let Some(frozen) = self.freezing.begin(&mut context.heap, value)? {
                self.values[self.done] = frozen;
                self.done += 1;
            }
        }
        Ok(true)
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend_from_slice(&self.values);
        self.freezing.values(&mut |value| tracer.values.push(value));
    }

    pub fn bytes(&self) -> usize {
        ndscript_base::room::row(&self.values) + self.freezing.bytes()
    }
}

/// Frozen values, and a short operation on them.
#[derive(Clone)]
struct Frozen<F> {
    freezing: FreezeAllWork,
    then: F,
}

impl<F> Work for Frozen<F>
where
    F: Fn(&mut Context, Result<&[Value], Unfreezable>) -> Result<Value, Fault>
        + Clone
        + Send
        + Sync
        + 'static,
{
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        match self.freezing.resume(context, budget) {
            Ok(false) => Ok(None),
            Ok(true) => (self.then)(context, Ok(&self.freezing.values)).map(Some),
            Err(NotFrozen::Unfreezable(unfreezable)) => {
                (self.then)(context, Err(unfreezable)).map(Some)
            }
            Err(NotFrozen::NoRoom(bytes)) => Err(Fault::Memory(bytes)),
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.freezing.trace(tracer);
    }

    fn bytes(&self) -> usize {
        self.freezing.bytes()
    }
}

impl Context {
    /// The frozen form of a value if it is the value itself, or already known.
    #[inline]
    pub fn frozen_already(&self, value: Value) -> Option<Value> {
        (!value.is_kind(Kind::Host) && self.heap.is_frozen(value)).then_some(value)
    }

    /// Makes a value of the frozen forms of a few; `then` is short.
    ///
    /// # Errors
    /// Those of `then`; [`Fault::Later`].
    pub fn perform_freezing<const N: usize>(
        &mut self,
        values: [Value; N],
        then: impl Fn(&mut Context, Result<&[Value], Unfreezable>) -> Result<Value, Fault>
        + Clone
        + Send
        + Sync
        + 'static,
    ) -> Result<Value, Fault> {
        if values
            .iter()
            .all(|value| self.frozen_already(*value).is_some())
        {
            return then(self, Ok(&values));
        }
        self.perform(|context| {
            for value in values.iter().filter(|value| value.is_kind(Kind::Host)) {
                context.reserve(context.heap.host_bytes(*value))?;
            }
            Ok(Frozen {
                freezing: FreezeAllWork::new(values.to_vec()),
                then,
            })
        })
    }

    /// Whether two values are a pair of a relation.
    ///
    /// # Errors
    /// If one has no frozen form; [`Fault::Later`].
    #[inline]
    pub fn are_related(
        &mut self,
        relation: Value,
        left: Value,
        right: Value,
    ) -> Result<Value, Fault> {
        let handle = relation.payload();
        self.perform_freezing([left, right], move |context, frozen| match frozen {
            Ok([left, right]) => Ok(Value::boolean(
                context.heap.relations[handle].contains(*left, *right),
            )),
            Ok(_) => Ok(Value::FALSE),
            Err(unfreezable) => Err(context.not_frozen(unfreezable)),
        })
    }

    /// Continues freezing; true when the value that was begun is frozen.
    ///
    /// # Errors
    /// If it has no frozen form, or does not fit into memory.
    pub fn go_on_freezing(
        &mut self,
        freezing: &mut FreezeWalk,
        budget: &mut Budget,
    ) -> Result<bool, NotFrozen> {
        loop {
            match freezing.resume(&mut self.heap, budget)? {
                Progress::Done => return Ok(true),
                Progress::Spent => return Ok(false),
                Progress::Room(bytes) => {
                    if !self.fits(bytes) {
                        return Err(NotFrozen::NoRoom(bytes));
                    }
                    freezing.grant(bytes);
                }
            }
        }
    }

    /// The fault for a value that is not frozen; `wrong` describes one that cannot be.
    pub fn no_frozen(
        &self,
        why: NotFrozen,
        wrong: impl FnOnce(&Context, Unfreezable) -> Fault,
    ) -> Fault {
        match why {
            NotFrozen::Unfreezable(unfreezable) => wrong(self, unfreezable),
            NotFrozen::NoRoom(bytes) => Fault::Memory(bytes),
        }
    }

    /// The error for a value that cannot be an element of a set.
    pub fn not_frozen(&self, unfreezable: Unfreezable) -> Fault {
        match unfreezable {
            Unfreezable::ContainsItself => Fault::Error(Box::new(
                UnlocatedError::new(
                    ErrorKind::Value,
                    "an array that contains itself cannot be an element of a set",
                )
                .with_hint("put a part of it into the set instead"),
            )),
            Unfreezable::Host(host) => self.no_copy(host, "cannot be an element of a set"),
        }
    }
}
