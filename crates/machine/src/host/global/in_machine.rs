//! How a host reads and writes global variables.

use super::HostWrite;
use crate::machine::Machine;
use ndscript_bytecode::{Destination, FIRST_REGISTER, Global, Op, Register};
use ndscript_heap::{Kind, Value};

impl Machine {
    /// The value of a global variable as it is now; [`Value::UNSET`] if it has none.
    pub fn global_at(&self, slot: usize) -> Value {
        match self.context.code.globals[slot].register {
            // The program's own frame is the first of all.
            Some(register) => self.stack[register as usize],
            None => self.context.heap.global(slot as u32),
        }
    }

    /// A value of a global by name.
    pub fn global(&self, name: &str) -> Option<Value> {
        let slot = self
            .context
            .code
            .globals
            .iter()
            .position(|global| &*global.name == name)?;
        let value = self.global_at(slot);
        (value != Value::UNSET).then_some(value)
    }

    /// The global variables and functions that have a value, in the order of the program.
    pub fn globals(&self) -> impl Iterator<Item = (&Global, Value)> {
        let globals = self.context.code.globals.iter().enumerate();
        globals
            .map(|(slot, global)| (global, self.global_at(slot)))
            .filter(|(_, value)| *value != Value::UNSET)
    }

    /// The name of the global variable that holds a collection.
    pub fn name_of(&self, collection: Value) -> Option<&str> {
        self.globals()
            .find(|(_, value)| *value == collection)
            .map(|(global, _)| &*global.name)
    }

    /// Sets a global variable. Going back to an earlier choice point undoes that.
    pub fn put_global(&mut self, slot: usize, value: Value) {
        self.forbid_skipping_guesses();
        let Some(register) = self.context.code.globals[slot].register else {
            return self.context.heap.set_global(slot as u32, value);
        };
        if let Some(latest) = self.choices.height().checked_sub(1)
            && !self.keeps_register(latest, register)
        {
            let choices = latest as u32 + 1;
            let is_noted =
                |write: &HostWrite| (write.choices, write.register) == (choices, register);
            if !self.host_writes.iter().rev().any(is_noted) {
                let old = self.stack[register as usize];
                self.host_writes.push(HostWrite {
                    choices,
                    register,
                    old,
                });
            }
        }
        self.stack[register as usize] = value;
    }

    /// Whether going back to the latest choice point restores a register of the program's own frame. A choice point
    /// saves what the program may write after it: one made by the frame itself at once, one made by a function when
    /// the function returns into the frame, which is done here if it has not returned yet.
    fn keeps_register(&mut self, latest: usize, register: Register) -> bool {
        if let Some(first) = self.first_kept(latest) {
            return register as usize >= first;
        }
        // A call by the host runs above a frame that is not protected.
        for index in (0..self.choices.protect().max(1)).rev() {
            self.save_frame(index as usize);
        }
        self.first_kept(latest)
            .is_some_and(|first| register as usize >= first)
    }

    /// The first register of the program's own frame that a choice point has saved; `None` if the frame is not saved
    /// yet.
    fn first_kept(&self, choice: usize) -> Option<usize> {
        // The one below a host call saves nothing of the interrupted frame.
        let is_below_call = self
            .host_call
            .as_ref()
            .is_some_and(|host_call| host_call.choices as usize == choice);
        let choice = self.choices.point(choice)?;
        if choice.base == 0 && !is_below_call {
            return Some(self.saved_registers(&choice).start);
        }
        self.choices.saved_frame_since(&choice, 0)
    }

    /// Undoes writes by the host since a choice point that no choice point has saved.
    #[cold]
    pub(crate) fn undo_host_writes(&mut self, choice: usize) {
        while let Some(write) = self
            .host_writes
            .pop_if(|write| write.choices as usize > choice)
        {
            self.stack[write.register as usize] = write.old;
        }
    }

    /// Called when the choice points from a height on are removed: keeps the writes that the one below must undo.
    #[cold]
    pub(crate) fn lower_host_writes(&mut self, height: usize) {
        let Some(below) = height.checked_sub(1) else {
            return self.host_writes.clear();
        };
        let first = self.first_kept(below).unwrap_or(usize::MAX);
        let begin = self
            .host_writes
            .partition_point(|write| write.choices as usize <= height);
        for write in self.host_writes.split_off(begin) {
            let is_noted = |other: &HostWrite| {
                (other.choices as usize, other.register) == (height, write.register)
            };
            if (write.register as usize) < first && !self.host_writes.iter().any(is_noted) {
                self.host_writes.push(HostWrite {
                    choices: height as u32,
                    ..write
                });
            }
        }
    }

    /// The global variable that is the register which an instruction has written, and its value.
    pub(crate) fn written_register(&self, op: Op, base: u32) -> Option<(&Global, Value)> {
        let Destination::Register(register) = op.destination() else {
            return None;
        };
        if base != 0 || self.base != 0 {
            return None;
        }
        let code = &self.context.code;
        let slot = code
            .top_level
            .get(register.checked_sub(FIRST_REGISTER)? as usize)?;
        Some((&code.globals[*slot as usize], self.stack[register as usize]))
    }

    /// The value that a call by name reaches: a global, or else the built-in of that name.
    ///
    /// # Errors
    /// True if there is such a built-in but the program lacks the prelude functions it needs.
    pub fn callable(&self, name: &str) -> Result<Value, bool> {
        if let Some(value) = self.global(name) {
            return Ok(value);
        }
        let code = &self.context.code;
        let hides = |global: &Global| {
            &*global.name == name && (global.lexical || global.function.is_some())
        };
        if code.globals.iter().any(hides) {
            return Err(false);
        }
        let number = self.built_in(name).ok_or(false)?;
        let exists = self.context.natives[number]
            .scripts
            .iter()
            .all(|script| code.has(script.1));
        if exists {
            Ok(Value::handle(Kind::Native, number as u32))
        } else {
            Err(true)
        }
    }

    /// A built-in, also one that programs cannot name, or that a name of the program hides.
    pub fn hidden(&self, name: &str) -> Option<Value> {
        let number = self
            .context
            .natives
            .iter()
            .position(|native| native.name == name)?;
        Some(Value::handle(Kind::Native, number as u32))
    }

    /// The number of the built-in, or of the function of the host, of this name.
    pub fn built_in(&self, name: &str) -> Option<usize> {
        self.context
            .natives
            .iter()
            .rposition(|native| native.name == name && !name.starts_with("__"))
    }
}
