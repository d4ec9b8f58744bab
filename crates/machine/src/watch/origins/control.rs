//! What decides that an instruction runs: conditions, each up to where it makes no difference, and the calls around
//! them.

use super::nodes::{NOWHERE, Node};
use super::operands::PendingOp;
use super::regions::NEVER;
use super::shadow::{Aspect, Cell, Frame};
use super::{FoundEmpty, Origins};
use crate::machine::Machine;
use ndscript_bytecode::{Code, Destination, Flow, Op};
use ndscript_heap::Kind;

/// A decision that the run depends on until an instruction of the running function: a condition, or the call of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    pub outer: u32,
    /// The instruction that decided, and the first one that no longer depends on it.
    at: u32,
    until: u32,
    /// Its origin and those of the conditions around it in its call.
    pub node: Node,
    /// Whether it is a call: its instructions run in the called function.
    is_call: bool,
}

impl Control {
    /// Nothing decides that the program begins.
    pub fn none() -> Control {
        Control {
            outer: 0,
            at: NEVER,
            until: NEVER,
            node: NOWHERE,
            is_call: true,
        }
    }
}

impl Origins {
    /// Calls may have been made, the last one of a function with an origin, or have returned.
    pub(super) fn follow_calls(&mut self, depth: usize, callee: Node) {
        while self.depth < depth {
            self.shadow.set_frame(
                self.depth,
                Frame {
                    control: self.control,
                    call: self.call,
                },
            );
            self.depth += 1;
            self.calls += 1;
            self.call = self.calls;
            let outer = self.control;
            let node = if self.depth == depth {
                self.nodes.as_decision(callee)
            } else {
                NOWHERE
            };
            if node != NOWHERE || self.control() != Control::none() {
                self.push_control(Control {
                    outer,
                    node,
                    ..Control::none()
                });
            }
        }
        if self.depth > depth {
            let frame = self.shadow.frame(depth);
            (self.control, self.call, self.depth) = (frame.control, frame.call, depth);
        }
    }

    fn push_control(&mut self, control: Control) {
        // Regions that have ended are dropped, unless a failure can go back to them.
        self.controls
            .truncate(self.controls_of_choice.max(self.control as usize + 1));
        self.controls.push(control);
        self.control = (self.controls.len() - 1) as u32;
    }

    fn control(&self) -> Control {
        self.controls[self.control as usize]
    }

    /// The origin of the conditions that let the running call do what it does.
    pub(super) fn deciding(&self) -> Node {
        self.control().node
    }

    pub(super) fn leave_regions(&mut self, pc: u32) {
        while self.control().until == pc {
            self.control = self.control().outer;
        }
    }

    /// An instruction that decides where to continue was carried out.
    pub(super) fn decide(&mut self, machine: &Machine, code: &Code, pending: &PendingOp) {
        if !matches!(pending.op.flow(), Flow::MayJump(_) | Flow::Jump(_)) {
            return;
        }
        let turn = machine.pc..=pending.pc;
        if machine.pc <= pending.pc {
            // The next turn of a loop: decisions within the previous turn end, except those that could have ended the
            // loop there.
            while turn.contains(&self.control().at) && turn.contains(&self.control().until) {
                self.control = self.control().outer;
            }
        }
        self.leaves_empty(machine, code, pending);
        if pending.condition != NOWHERE {
            self.search_decides(machine, code, pending);
            self.depend_on_skipped(machine, code, pending);
            self.decided_by(code, pending.pc, pending.condition);
        }
    }

    /// A loop that only ends when a collection is empty leaves it empty, whatever was put into it before.
    fn leaves_empty(&mut self, machine: &Machine, code: &Code, pending: &PendingOp) {
        let Some(FoundEmpty {
            collection,
            register,
            ..
        }) = self.found_empty.take_if(|found| found.next == pending.pc)
        else {
            return;
        };
        if !self.regions.is_only_exit(code, pending.pc, machine.pc) {
            return;
        }
        match collection.kind() {
            Kind::Array | Kind::Object | Kind::Queue => {
                self.shadow.set_aspect(collection, Aspect::Shape, NOWHERE);
                self.shadow.set_aspect(collection, Aspect::Order, NOWHERE);
            }
            _ => {
                self.shadow.set(Cell::Register(register), NOWHERE);
                if let Some((_, cell)) = self.loaded.filter(|(loaded, _)| *loaded == register) {
                    self.shadow.set(cell, NOWHERE);
                }
            }
        }
    }

    /// In the prelude, code that a condition has skipped depends on that condition, too: an element is the least
    /// because others are not less, and those have written nothing.
    fn depend_on_skipped(&mut self, machine: &Machine, code: &Code, pending: &PendingOp) {
        let is_prelude = code.functions[code.function_at(pending.pc) as usize].prelude;
        if !is_prelude || machine.pc <= pending.pc + 1 {
            return;
        }
        for op in &code.ops[pending.pc as usize + 1..machine.pc as usize] {
            if let Destination::Register(to) = op.destination() {
                let cell = Cell::Register(machine.base as usize + to as usize);
                let node = self.both(self.shadow.get(cell), pending.condition);
                self.shadow.set(cell, node);
            }
            if let Op::Push { a: list, .. } | Op::Append { array: list, .. } = op {
                self.add_aspect(machine.get(*list), Aspect::Shape, pending.condition);
            }
        }
    }

    /// Code from here on, up to where it makes no difference, runs because of a value.
    fn decided_by(&mut self, code: &Code, at: u32, condition: Node) {
        let until = self.regions.end_of(code, at);
        if until == at + 1 {
            return;
        }
        let is_prelude = code.functions[code.function_at(at) as usize].prelude;
        // Decisions inside a built-in belong to how it computes.
        let condition = if is_prelude {
            condition
        } else {
            self.nodes.as_decision(condition)
        };
        self.begin_region(at, until, condition);
    }

    /// Begins a region up to an instruction, decided by a condition and by those around it. What decided there in the
    /// previous turn of a loop, and let it continue, stays part of it.
    pub(super) fn begin_region(&mut self, at: u32, until: u32, condition: Node) {
        let node = self.both(self.deciding(), condition);
        let mut outer = self.control;
        let mut looked_at = self.control;
        loop {
            let control = self.controls[looked_at as usize];
            if control.is_call {
                break;
            }
            if control.at == at {
                outer = control.outer;
                break;
            }
            looked_at = control.outer;
        }
        self.control = outer;
        self.push_control(Control {
            outer,
            at,
            until,
            node,
            is_call: false,
        });
    }
}
