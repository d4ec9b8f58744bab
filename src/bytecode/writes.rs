//! Which registers the program's own frame may still write, from each of its instructions on. It is the only frame that
//! lasts: the registers of any other are somebody else's once its function has returned. So what a choice of the top level
//! has to keep of it are the registers that are written behind the choice, and the compiler lets those that are written
//! last have the highest numbers.

use super::code::Code;
use super::op::{Destination, Flow, Register};

impl Code {
    /// Notes for each instruction of the program itself the lowest register that it, or what can come behind it, may
    /// write.
    pub fn note_writes(&mut self) {
        let main = &self.functions[self.main as usize];
        let range = main.entry as usize..(main.entry + main.length) as usize;
        let mut lowest = vec![Register::MAX; self.ops.len() - range.start];
        // Backwards, until a loop brings nothing new: as often as loops are nested.
        loop {
            let mut is_new = false;
            for at in range.clone().rev() {
                let own = match self.ops[at].destination() {
                    Destination::Elsewhere => Register::MAX,
                    Destination::Register(register) | Destination::Foreach(register) => register,
                };
                let of = |at: usize| lowest.get(at - range.start).copied().unwrap_or(Register::MAX);
                let behind = match self.ops[at].flow() {
                    Flow::Next => of(at + 1),
                    Flow::Jump(target) => of(target as usize),
                    Flow::MayJump(target) => of(at + 1).min(of(target as usize)),
                    Flow::Branch(table) => {
                        self.targets(table).iter().map(|target| of(*target as usize)).min().unwrap_or(Register::MAX)
                    }
                    Flow::End => Register::MAX,
                };
                let found = own.min(behind);
                is_new |= found < lowest[at - range.start];
                lowest[at - range.start] = found;
            }
            if !is_new {
                break;
            }
        }
        self.first_written[range.clone()].copy_from_slice(&lowest[..range.len()]);
    }
}
