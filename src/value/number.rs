//! Numbers: integers that are exact everywhere, and floats. A float without fraction inside the range of integers
//! is the integer, so that one number has one word.

use super::heap::Heap;
use super::room;
use super::value::{Handle, Kind, MAX_INTEGER, Value};
use crate::keyed;

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
        if let Some(word) = Value::inline_float(value) {
            if value.abs() < MAX_INTEGER as f64 + 1.0 {
                let whole = value as i64;
                if whole as f64 == value {
                    return Ok(Value::integer(whole));
                }
            }
            return Ok(word);
        }
        if value == 0.0 {
            return Ok(Value::ZERO);
        }
        let bits = value.to_bits();
        let hash = keyed::hash_word(bits);
        if let Some(found) = self.float_table.find(hash, |handle| self.floats[*handle].to_bits() == bits) {
            return Ok(Value::handle(Kind::BoxedFloat, *found));
        }
        let handle = self.floats.add(value, &mut self.bytes);
        let floats = &self.floats;
        let hasher = |handle: &Handle| keyed::hash_word(floats[*handle].to_bits());
        room::enter(&mut self.float_table, hash, handle, hasher, &mut self.bytes);
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
            value.handle_of(Kind::BoxedFloat).map(|handle| self.floats[handle])
        }
    }
}

/// A bijection that spreads the bits of a word, the same everywhere (splitmix64's finalizer): the shape of a tree goes by
/// it. Tables go by [`crate::keyed`].
#[inline]
pub fn scramble(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A hash for a table of what is stored with a short one, so that the table can grow without a look at contents.
#[inline]
pub fn spread(hash: u32) -> u64 {
    keyed::hash_word(u64::from(hash))
}

/// A hash of words that come bit by bit, the same everywhere.
#[derive(Clone, Copy, Debug)]
pub struct WordsHash(u64);

impl WordsHash {
    /// For so many words.
    #[inline]
    pub fn of(count: usize) -> WordsHash {
        WordsHash(count as u64)
    }

    #[inline]
    pub fn add_word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    #[inline]
    pub fn finish(self) -> u64 {
        scramble(self.0)
    }
}
