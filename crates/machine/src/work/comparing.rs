//! Equality of large values.

use std::cmp::Ordering;

use super::{Tracer, Work};
use crate::errors::error::{ErrorKind, Fault, VALUE_OF_SET};
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_heap::walks::compare::CompareWalk;
use ndscript_heap::{Kind, Value};

#[derive(Clone)]
struct Comparison {
    comparing: CompareWalk,
    sides: [Value; 2],
}

impl Work for Comparison {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        Ok(self
            .comparing
            .resume(&mut context.heap, budget)
            .map(Value::boolean))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.sides);
    }

    fn bytes(&self) -> usize {
        self.comparing.bytes()
    }
}

/// The order of two texts.
#[derive(Clone)]
struct TextComparison {
    sides: [Value; 2],
    /// The bytes from here on are not compared yet.
    from: usize,
}

/// At most this many bytes of texts are compared at a time.
const BLOCK: usize = 1 << 14;
/// Bytes of texts that are compared in a visit.
const BYTES_OF_VISIT: usize = 8;

impl Work for TextComparison {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let bytes = |side: Value| context.heap.as_str(side).unwrap_or("").as_bytes();
        let (a, b) = (bytes(self.sides[0]), bytes(self.sides[1]));
        loop {
            if budget.is_spent() {
                return Ok(None);
            }
            let block = |text: &'_ [u8]| text.len().min(self.from + BLOCK);
            let (x, y) = (&a[self.from..block(a)], &b[self.from..block(b)]);
            let order = x.cmp(y);
            budget.spend(x.len().min(y.len()) / BYTES_OF_VISIT + 1);
            if order.is_ne() || x.len() < BLOCK {
                return Ok(Some(Value::integer(order as i64)));
            }
            self.from += BLOCK;
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.sides);
    }

    fn bytes(&self) -> usize {
        0
    }
}

impl Context {
    /// The order of two texts.
    ///
    /// # Errors
    /// [`Fault::Later`].
    pub fn compare_texts(&mut self, a: Value, b: Value) -> Result<Ordering, Fault> {
        let order = self.perform(|_| {
            Ok(TextComparison {
                sides: [a, b],
                from: 0,
            })
        })?;
        Ok(order.as_integer().unwrap_or(0).cmp(&0))
    }

    /// Whether two values are equal.
    ///
    /// # Errors
    /// [`Fault::Later`]; an error if one is a set, and the other neither a set nor null.
    #[inline]
    pub fn equal(&mut self, a: Value, b: Value) -> Result<bool, Fault> {
        if a == b {
            return Ok(true);
        }
        if a.is_kind(Kind::Set) != b.is_kind(Kind::Set) && a != Value::NULL && b != Value::NULL {
            return Err(self.never_equal(a, b));
        }
        if !a.may_equal_another() || !b.may_equal_another() {
            return Ok(false);
        }
        self.equal_by_content(a, b)
    }

    /// The error for a set compared with something else: it would never be equal, which is seldom intended.
    #[cold]
    fn never_equal(&self, a: Value, b: Value) -> Fault {
        let message = format!(
            "a set never equals what is no set: {} and {} are compared",
            self.describe(a),
            self.describe(b)
        );
        Fault::error(ErrorKind::Type, message).with_hint(format!(
            "{VALUE_OF_SET}; `contains(v, s)` asks whether a set has a value"
        ))
    }

    /// Whether two values of one kind are equal by content; long arrays are compared in pieces.
    #[inline(never)]
    fn equal_by_content(&mut self, a: Value, b: Value) -> Result<bool, Fault> {
        if a.is_kind(Kind::Text) && b.is_kind(Kind::Text) {
            return Ok(!self.heap.are_different_texts(a, b) && self.compare_texts(a, b)?.is_eq());
        }
        if !a.is_kind(Kind::Array) || !b.is_kind(Kind::Array) {
            let equal = self.heap.may_be_equal(a, b) && self.heap.equal_hosts(a, b);
            self.charge_comparisons();
            return Ok(equal);
        }
        let equal = self.perform(|_| {
            Ok(Comparison {
                comparing: CompareWalk::new(a, b),
                sides: [a, b],
            })
        })?;
        Ok(equal == Value::TRUE)
    }
}
