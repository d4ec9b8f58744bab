//! Jumps between the instructions of a function, once it is whole.

use super::function::Body;
use super::op::Op;

impl Body {
    /// Makes jumps to jumps go directly to the final target.
    pub(super) fn follow_jumps(&mut self) {
        for at in 0..self.ops.len() {
            let mut op = self.ops[at];
            if let Some(target) = op.target_mut() {
                *target = self.end_of(*target);
                self.ops[at] = op;
            }
        }
        for table in 0..self.tables.len() {
            for alternative in 0..self.tables[table].len() {
                self.tables[table][alternative].0 = self.end_of(self.tables[table][alternative].0);
            }
        }
    }

    /// Where a jump to an instruction ends up.
    fn end_of(&self, mut target: u32) -> u32 {
        // Jumps can go in circles.
        for _ in 0..8 {
            match self.ops.get(target as usize) {
                Some(Op::Jump { target: further }) => target = *further,
                _ => break,
            }
        }
        target
    }
}
