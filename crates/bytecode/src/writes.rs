//! The registers of its frame that a function may still write, from each of its instructions on. The others do not
//! change while the frame exists, so a failure need not restore them.
//!
//! The program's own frame is the only one that lasts: the registers of any other are reused once its function has
//! returned. So a choice of the top level must save the registers that are written after the choice, and the compiler
//! gives the highest numbers to those that are written last.

use std::ops::Range;

use super::code::Code;
use super::op::{Destination, Flow, Register};

impl Code {
    /// From now on choices of the program itself save only the registers written after them.
    pub fn limit_saved_registers(&mut self) {
        let main = &self.functions[self.main as usize];
        let range = main.entry as usize..(main.entry + main.length) as usize;
        for writes in &mut self.writes[range] {
            writes.first_saved = writes.written;
        }
    }

    /// For each instruction of a function the lowest register that it, or a later instruction, may write.
    pub(super) fn lowest_written(&self, range: Range<usize>) -> Vec<Register> {
        let mut lowest = vec![Register::MAX; range.len()];
        // Backwards, until a loop brings nothing new: as often as loops are nested.
        loop {
            let mut is_new = false;
            for at in range.clone().rev() {
                let own = match self.ops[at].destination() {
                    Destination::Elsewhere => Register::MAX,
                    Destination::Register(register) | Destination::Foreach(register) => register,
                };
                let lowest_at = |at: usize| {
                    lowest
                        .get(at - range.start)
                        .copied()
                        .unwrap_or(Register::MAX)
                };
                let after = match self.ops[at].flow() {
                    Flow::Next => lowest_at(at + 1),
                    Flow::Jump(target) => lowest_at(target as usize),
                    Flow::MayJump(target) => lowest_at(at + 1).min(lowest_at(target as usize)),
                    Flow::Branch(table) => self
                        .targets(table)
                        .iter()
                        .map(|target| lowest_at(*target as usize))
                        .min()
                        .unwrap_or(Register::MAX),
                    Flow::End => Register::MAX,
                };
                let found = own.min(after);
                is_new |= found < lowest[at - range.start];
                lowest[at - range.start] = found;
            }
            if !is_new {
                return lowest;
            }
        }
    }
}
