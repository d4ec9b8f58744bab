//! Equality of values that have much inside.

use std::cmp::Ordering;

use super::{Held, Work};
use crate::context::Context;
use crate::error::Fault;
use ndscript_base::budget::Budget;
use ndscript_heap::Value;
use ndscript_heap::compare::Comparing;

#[derive(Clone)]
struct Comparison {
    comparing: Comparing,
    sides: [Value; 2],
}

impl Work for Comparison {
    fn go(&mut self, context: &mut Context, budget: &mut Budget) -> Result<Option<Value>, Fault> {
        Ok(self
            .comparing
            .go(&mut context.heap, budget)
            .map(Value::boolean))
    }

    fn hold(&self, held: &mut Held) {
        held.values.extend(self.sides);
    }

    fn bytes(&self) -> usize {
        self.comparing.bytes()
    }

    fn fork(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

/// The order of two texts.
#[derive(Clone)]
struct TextComparison {
    sides: [Value; 2],
    /// The bytes from here on are still to be compared.
    from: usize,
}

/// So many bytes of texts are compared at a time.
const BLOCK: usize = 1 << 14;
/// Bytes of texts that are compared in a visit.
const BYTES_OF_VISIT: usize = 8;

impl Work for TextComparison {
    fn go(&mut self, context: &mut Context, budget: &mut Budget) -> Result<Option<Value>, Fault> {
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

    fn hold(&self, held: &mut Held) {
        held.values.extend(self.sides);
    }

    fn bytes(&self) -> usize {
        0
    }

    fn fork(&self) -> Box<dyn Work> {
        Box::new(self.clone())
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
    /// [`Fault::Later`].
    #[inline]
    pub fn equal(&mut self, a: Value, b: Value) -> Result<bool, Fault> {
        if a == b {
            return Ok(true);
        }
        if !a.may_equal_another() || !b.may_equal_another() {
            return Ok(false);
        }
        self.equal_by_content(a, b)
    }

    #[inline(never)]
    fn equal_by_content(&mut self, a: Value, b: Value) -> Result<bool, Fault> {
        use ndscript_heap::Kind;
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
                comparing: Comparing::new(a, b),
                sides: [a, b],
            })
        })?;
        Ok(equal == Value::TRUE)
    }
}
