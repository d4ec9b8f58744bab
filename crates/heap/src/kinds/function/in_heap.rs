//! Functions and variables in the heap.

use super::{Closure, Variable};
use crate::store::heap::Heap;
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};
use ndscript_base::room::block;

impl Heap {
    pub fn closure(&mut self, function: u32, captured: Box<[Value]>) -> Value {
        self.allocated(block(captured.len() * 8));
        if captured.is_empty() {
            // It owns no block, and its place may have been free before: otherwise garbage of its kind would not
            // count, and would only be collected when all places that fit into the limit of memory are used.
            self.account.collect_at = self.account.collect_at.saturating_sub(size_of::<Closure>());
        }
        let sequence = self.next_sequence();
        Value::handle(
            Kind::Function,
            self.functions.add(
                Closure {
                    function,
                    captured,
                    sequence,
                },
                &mut self.account.bytes,
            ),
        )
    }

    /// Detaches closures of functions from a number on: only the host can still hold them.
    pub fn detach_functions(&mut self, from: usize) {
        for closure in self
            .functions
            .iter_mut()
            .filter(|closure| closure.function as usize >= from)
        {
            closure.function = Closure::GONE;
        }
    }

    pub fn variable(&mut self, value: Value) -> Value {
        let stamp = self.serials.latest;
        Value::handle(
            Kind::Variable,
            self.variables
                .add(Variable { value, stamp }, &mut self.account.bytes),
        )
    }

    #[inline]
    pub fn set_variable(&mut self, handle: Handle, value: Value) {
        let top = self.serials.top;
        let variable = &mut self.variables[handle];
        if variable.stamp < top {
            let entry = Entry::new(Target::Variable, handle, 0, variable.value, variable.stamp);
            variable.stamp = top;
            self.log(entry);
        }
        self.variables[handle].value = value;
    }

    /// The value of a global variable.
    #[inline(always)]
    pub fn global(&self, slot: u32) -> Value {
        self.globals[slot as usize].value
    }

    /// A global variable, if a write needs no log.
    #[inline(always)]
    pub fn fresh_global(&mut self, slot: u32, top: u64) -> Option<&mut Value> {
        self.globals[slot as usize].fresh_place(top)
    }

    #[inline(always)]
    pub fn set_global(&mut self, slot: u32, value: Value) {
        let global = &mut self.globals[slot as usize];
        if global.stamp < self.serials.top {
            let entry = Entry::new(Target::Global, slot, 0, global.value, global.stamp);
            global.stamp = self.serials.top;
            self.log(entry);
        }
        self.globals[slot as usize].value = value;
    }
}
