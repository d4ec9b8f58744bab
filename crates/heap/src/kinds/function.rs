//! Functions as values, and the boxes of the variables that they capture.

mod in_heap;

use crate::value::Value;
use ndscript_base::room;

/// A function of the program with the variables that it captures.
#[derive(Clone, Debug, Default)]
pub struct Closure {
    /// Its index in the program's table of functions.
    pub function: u32,
    /// Boxes of variables, or plain values of variables that never change.
    pub captured: Box<[Value]>,
    /// Its place in the order of creation.
    pub sequence: u64,
}

impl Closure {
    /// The bytes that it owns.
    pub(crate) fn bytes(&self) -> usize {
        room::block(self.captured.len() * size_of::<Value>())
    }
}

/// The box of a captured variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    pub value: Value,
    /// The serial under which it was made or last logged.
    pub stamp: u64,
}

impl Default for Variable {
    fn default() -> Self {
        Variable {
            value: Value::NULL,
            stamp: 0,
        }
    }
}

impl Closure {
    /// In place of a function's number: the input that declared it was undone.
    pub const GONE: u32 = u32::MAX;
}

impl Variable {
    /// The value, if a write needs no log.
    #[inline(always)]
    pub fn fresh_place(&mut self, top: u64) -> Option<&mut Value> {
        (self.stamp >= top).then_some(&mut self.value)
    }
}

ndscript_base::saved!(struct Closure { function, captured, sequence });

ndscript_base::saved!(struct Variable { value, stamp });
