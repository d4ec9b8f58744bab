//! The meaning of each instruction: one file for each family.
//!
//! An instruction has a *fast form*, a *full form*, or both. The fast form is a function of [`Fast`], which sees the
//! registers and the heap, calls next to nothing and is inlined into the main loop. The full form is a function of
//! the machine, which may do anything. So there are three kinds of instructions:
//!
//! - Simple ones have a fast form that returns nothing: it is the whole meaning, and both drivers run it.
//! - Frequent ones have both. The fast form does the frequent case and returns `None` for any other, having changed
//!   nothing; the full form does every case, in the general way. The plain driver runs full forms alone, and tests
//!   compare the two.
//! - Rare ones have a full form only.

use super::errors::error::{ErrorKind, Fault};
use super::machine::{Exit, Machine, WINDOW};
use ndscript_bytecode::Register;
use ndscript_heap::{Heap, Value};

pub mod access;
pub mod arithmetic;
pub mod call;
pub mod collection;
pub mod decide;
pub mod foreach;
pub mod guess;
pub mod integers;
pub mod jump;
pub mod shortcut;
pub mod variable;

/// The registers of a frame.
pub type Window = [Value; WINDOW];

/// The registers of a frame.
#[inline(always)]
pub fn window(stack: &mut [Value], base: usize) -> &mut Window {
    match (&mut stack[base..base + WINDOW]).try_into() {
        Ok(window) => window,
        Err(_) => unreachable!("the slice has the length of a window"),
    }
}

/// The part of the machine that fast forms access.
pub struct Fast<'a> {
    pub r: &'a mut Window,
    pub heap: &'a mut Heap,
    pub constants: &'a [Value],
    /// The serial number of the latest choice point: what is younger need not be logged.
    pub top: u64,
}

/// An operand that is a constant, by its number.
#[derive(Clone, Copy)]
pub struct Constant(pub u32);

/// How the machine continues after an instruction.
pub enum After {
    /// With the next one.
    Next,
    /// With the next one, after checking for fuel.
    Look,
    /// As [`After::Look`], and memory is checked as well: something may have been allocated.
    LookAtMemory,
    Stop(Exit),
}

/// The outcome of an instruction.
pub type Done = Result<After, Fault>;

impl Fast<'_> {
    #[inline(always)]
    pub fn get(&self, register: Register) -> Value {
        self.r[register as usize]
    }

    #[inline(always)]
    pub fn set(&mut self, register: Register, value: Value) {
        self.r[register as usize] = value;
    }
}

impl Machine {
    /// The state for fast forms, for instructions that have no other form.
    #[inline]
    pub(crate) fn fast(&mut self) -> Fast<'_> {
        let heap = &mut self.context.heap;
        let top = heap.serials.top;
        Fast {
            r: window(&mut self.stack, self.base as usize),
            heap,
            constants: &self.constants,
            top,
        }
    }

    #[inline]
    pub(crate) fn get(&self, register: Register) -> Value {
        self.stack[self.base as usize + register as usize]
    }

    #[inline]
    pub(crate) fn set(&mut self, register: Register, value: Value) {
        self.stack[self.base as usize + register as usize] = value;
    }

    /// Consecutive registers.
    #[inline]
    pub(crate) fn row(&self, first: Register, count: usize) -> &[Value] {
        let first = self.base as usize + first as usize;
        &self.stack[first..first + count]
    }
}

/// A register that must hold such a value here, and does in every run that was not forged.
#[inline]
pub fn or_forged<T>(found: Option<T>) -> Result<T, Fault> {
    found.ok_or_else(forged)
}

/// The error for a run whose registers do not hold what its instructions have put there. No run gets there by itself.
#[cold]
pub fn forged() -> Fault {
    Fault::error(
        ErrorKind::Value,
        "the run was restored from bytes that no run has saved",
    )
    .with_hint("a key keeps forged bytes out: `Engine::with_save_key`")
}
