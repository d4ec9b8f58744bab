//! The position of the machine, as the main loop holds it: in the processor's registers.

use super::frame::Frame;
use super::machine::{Machine, WINDOW};
use ndscript_bytecode::Register;

/// The machine's own fields of these names, while the main loop runs.
#[derive(Clone, Copy)]
pub struct LoopState {
    pub pc: usize,
    pub base: usize,
    pub depth: usize,
    pub protect: usize,
    pub fuel: i64,
}

impl LoopState {
    #[inline(always)]
    pub fn of(machine: &Machine) -> LoopState {
        LoopState {
            pc: machine.pc as usize,
            base: machine.base as usize,
            depth: machine.depth as usize,
            protect: machine.choices.protect() as usize,
            fuel: machine.context.fuel,
        }
    }

    /// Stores this position in the machine. State that must be saved for the way back is changed by the machine
    /// alone.
    #[inline(always)]
    pub fn put_back(&self, machine: &mut Machine) {
        machine.pc = self.pc as u32;
        machine.base = self.base as u32;
        machine.depth = self.depth as u32;
        machine.context.fuel = self.fuel;
    }

    /// Charges a turn of a loop, a call or a short built-in, if there is fuel.
    #[inline(always)]
    pub fn pay(&mut self) -> Option<()> {
        if self.fuel <= 0 {
            return None;
        }
        self.fuel -= 1;
        Some(())
    }

    /// Continues in a function that begins at `entry`, whose closure and arguments are in the registers from one on.
    /// `None` if there is no fuel, or a stack of the machine would have to grow.
    #[inline(always)]
    pub fn enter(
        &mut self,
        frames: &mut [Frame],
        stack: usize,
        at: Register,
        entry: u32,
    ) -> Option<()> {
        let inner = self.base + at as usize;
        if self.fuel <= 0 || inner + WINDOW > stack {
            return None;
        }
        *frames.get_mut(self.depth)? = Frame {
            pc: self.pc as u32,
            base: self.base as u32,
        };
        self.fuel -= 1;
        self.depth += 1;
        self.base = inner;
        self.pc = entry as usize;
        Some(())
    }

    /// Continues after the waiting call. `None` if there is none, or a choice point needs it unchanged.
    #[inline(always)]
    pub fn leave(&mut self, frames: &[Frame]) -> Option<()> {
        if self.depth <= self.protect {
            return None;
        }
        self.depth -= 1;
        let frame = frames[self.depth];
        self.pc = frame.pc as usize;
        self.base = frame.base as usize;
        Some(())
    }
}
