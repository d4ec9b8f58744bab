//! Numbers: integers that are exact everywhere, and floats. A float without fraction inside the range of integers
//! is the integer, so that one number has one word.

use super::store::heap::Heap;
use super::value::{Handle, Kind, MAX_INTEGER, Value};
use ndscript_base::keyed::{self};

/// Why a result is no number of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFault {
    /// An integer beyond the range.
    Overflow,
    /// Infinite, or not a number.
    NotFinite,
}

impl Heap {
    /// The value of an integer.
    #[inline]
    pub fn integer(value: i64) -> Result<Value, NumberFault> {
        if (-MAX_INTEGER..=MAX_INTEGER).contains(&value) {
            Ok(Value::integer(value))
        } else {
            Err(NumberFault::Overflow)
        }
    }

    /// The value of a float.
    pub fn float(&mut self, value: f64) -> Result<Value, NumberFault> {
        if !value.is_finite() {
            return Err(NumberFault::NotFinite);
        }
        if let Some(word) = Value::from_float(value) {
            return Ok(word);
        }
        let bits = value.to_bits();
        let hash = keyed::hash_word(bits);
        if let Some(found) = self
            .interned
            .floats
            .find(hash, |handle| self.floats[*handle].to_bits() == bits)
        {
            return Ok(Value::handle(Kind::BoxedFloat, *found));
        }
        let handle = self.floats.add(value, &mut self.account.bytes);
        let floats = &self.floats;
        let hasher = |handle: &Handle| keyed::hash_word(floats[*handle].to_bits());
        self.interned
            .floats
            .enter(hash, handle, &hasher, &mut self.account.bytes);
        Ok(Value::handle(Kind::BoxedFloat, handle))
    }

    /// A number as a float.
    #[inline]
    pub fn as_f64(&self, value: Value) -> Option<f64> {
        if value.is_integer() {
            Some(value.integer_unchecked() as f64)
        } else if value.is_inline_float() {
            Some(value.inline_float_unchecked())
        } else {
            value
                .handle_of(Kind::BoxedFloat)
                .map(|handle| self.floats[handle])
        }
    }
}
