//! Operators on two integers, where the result lies in its word; `None` leaves the rest to [`super::arithmetic`].

use crate::value::{Heap, Value};
use crate::vm::execute::branch;

#[inline(always)]
pub(in crate::vm) fn add_integers(a: Value, b: Value) -> Option<Value> {
    let sum = a.scaled().checked_add(b.scaled())?;
    branch();
    Value::from_scaled(sum)
}

#[inline(always)]
pub(in crate::vm) fn subtract_integers(a: Value, b: Value) -> Option<Value> {
    let difference = a.scaled().checked_sub(b.scaled())?;
    branch();
    Value::from_scaled(difference)
}

#[inline(always)]
pub(in crate::vm) fn multiply_integers(a: Value, b: Value) -> Option<Value> {
    a.integer_unchecked().checked_mul(b.scaled()).and_then(Value::from_scaled)
}

#[inline(always)]
pub(in crate::vm) fn divide_integers(a: Value, b: Value) -> Option<Value> {
    let (x, y) = (a.integer_unchecked(), b.integer_unchecked());
    if y == 0 {
        return None;
    }
    if remainder_of(x, y) != 0 {
        return Value::fraction(x as f64 / y as f64);
    }
    Heap::integer(x / y).ok()
}

#[inline(always)]
pub(in crate::vm) fn remainder_integers(a: Value, b: Value) -> Option<Value> {
    let (x, y) = (a.integer_unchecked(), b.integer_unchecked());
    if y == 0 {
        return None;
    }
    Some(Value::integer(remainder_of(x, y)))
}

/// Most numbers are small, and dividing small ones is several times faster. The range of integers leaves out the one
/// quotient that would overflow.
#[inline(always)]
fn remainder_of(x: i64, y: i64) -> i64 {
    if (x | y) as u64 >> 32 == 0 { (x as u32 % y as u32) as i64 } else { x % y }
}
