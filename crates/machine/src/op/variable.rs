//! Registers, globals, and variables that functions share.

use super::{After, Done, Fast, or_forged};
use crate::errors::error::Fault;
use crate::machine::Machine;
use ndscript_base::budget::VISITS_OF_STEP;
use ndscript_bytecode::{Code, Register};
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};

impl Fast<'_> {
    /// `R[to] := R[from]`
    #[inline(always)]
    pub fn copy(&mut self, to: Register, from: Register) {
        self.r[to as usize] = self.r[from as usize];
    }

    /// `R[to] := value`
    #[inline(always)]
    pub fn integer(&mut self, to: Register, value: i32) {
        self.r[to as usize] = Value::integer(value as i64);
    }

    /// `R[to] := K[index]`
    #[inline(always)]
    pub fn constant(&mut self, to: Register, index: u32) {
        self.r[to as usize] = self.constants[index as usize];
    }

    /// `R[to] := null`
    #[inline(always)]
    pub fn null(&mut self, to: Register) {
        self.r[to as usize] = Value::NULL;
    }

    /// `R[to] :=` no value: the argument that a call leaves out
    #[inline(always)]
    pub fn leave_out(&mut self, to: Register) {
        self.r[to as usize] = Value::UNSET;
    }

    /// `R[to] :=` the built-in
    #[inline(always)]
    pub fn native(&mut self, to: Register, native: u32) {
        self.r[to as usize] = Value::handle(Kind::Native, native);
    }

    /// `R[to] := G[slot]`
    #[inline(always)]
    pub fn get_global(&mut self, to: Register, slot: u32) {
        self.r[to as usize] = self.heap.global(slot);
    }

    /// `R[to] := G[slot]`, if it has a value
    #[inline(always)]
    pub fn get_global_checked(&mut self, to: Register, slot: u32) -> Option<()> {
        let value = self.heap.global(slot);
        if value == Value::UNSET {
            return None;
        }
        self.r[to as usize] = value;
        Some(())
    }

    /// `G[slot] := R[from]`, if it need not be logged
    #[inline(always)]
    pub fn set_global(&mut self, from: Register, slot: u32) -> Option<()> {
        *self.heap.fresh_global(slot, self.top)? = self.r[from as usize];
        Some(())
    }

    /// `G[slot] := R[from]`, if it has a value and need not be logged
    #[inline(always)]
    pub fn set_global_checked(&mut self, from: Register, slot: u32) -> Option<()> {
        let global = self.heap.fresh_global(slot, self.top)?;
        if *global == Value::UNSET {
            return None;
        }
        *global = self.r[from as usize];
        Some(())
    }

    /// `R[to] := C[index]`
    #[inline(always)]
    pub fn get_captured(&mut self, to: Register, index: u32) {
        self.r[to as usize] = self.captured(index);
    }

    /// `R[to] :=` what the box `C[index]` holds
    #[inline(always)]
    pub fn get_captured_box(&mut self, to: Register, index: u32) -> Option<()> {
        let captured = self.captured(index);
        self.r[to as usize] = self.heap.variables.get(captured.payload())?.value;
        Some(())
    }

    /// The box `C[index]` holds `R[from]` from now on, if that need not be logged
    #[inline(always)]
    pub fn set_captured_box(&mut self, from: Register, index: u32) -> Option<()> {
        let captured = self.captured(index);
        *self
            .heap
            .variables
            .get_mut(captured.payload())?
            .fresh_place(self.top)? = self.r[from as usize];
        Some(())
    }

    /// `R[to] :=` what the box `R[from]` holds
    #[inline(always)]
    pub fn get_box(&mut self, to: Register, from: Register) -> Option<()> {
        self.r[to as usize] = self
            .heap
            .variables
            .get(self.r[from as usize].payload())?
            .value;
        Some(())
    }

    /// The box `R[at]` holds `R[from]` from now on, if that need not be logged
    #[inline(always)]
    pub fn set_box(&mut self, at: Register, from: Register) -> Option<()> {
        let variable = self.heap.variables.get_mut(self.r[at as usize].payload())?;
        *variable.fresh_place(self.top)? = self.r[from as usize];
        Some(())
    }

    #[inline(always)]
    fn captured(&self, index: u32) -> Value {
        self.heap.functions[self.r[0].payload()].captured[index as usize]
    }
}

impl Machine {
    /// `R[to] := G[slot]`, or the built-in of that name, or an error
    pub(crate) fn get_global_checked(&mut self, to: Register, slot: u32, code: &Code) -> Done {
        let mut value = self.context.heap.global(slot);
        if value == Value::UNSET {
            let global = &code.globals[slot as usize];
            value = match global.native {
                Some(native) if !global.lexical => Value::handle(Kind::Native, native),
                _ if global.lexical => {
                    return Err(Fault::Error(Box::new(self.before_its_line(&global.name))));
                }
                _ => return Err(Fault::Error(Box::new(self.undefined(&global.name)))),
            };
        }
        self.set(to, value);
        Ok(After::Next)
    }

    /// `G[slot] := R[from]`
    pub(crate) fn set_global(&mut self, from: Register, slot: u32) -> Done {
        let value = self.get(from);
        self.context.heap.set_global(slot, value);
        Ok(After::Next)
    }

    /// `G[slot] := R[from]`, an error if it has no value yet
    pub(crate) fn set_global_checked(&mut self, from: Register, slot: u32, code: &Code) -> Done {
        if self.context.heap.global(slot) == Value::UNSET {
            return Err(Fault::Error(Box::new(
                self.before_its_line(&code.globals[slot as usize].name),
            )));
        }
        self.set_global(from, slot)
    }

    /// `R[to] :=` what the box `C[index]` holds
    pub(crate) fn get_captured_box(&mut self, to: Register, index: u32) -> Done {
        let held = self.captured_box(index)?;
        let value = self.context.heap.variables[held].value;
        self.set(to, value);
        Ok(After::Next)
    }

    /// `R[to] :=` what the box `C[index]` holds, an error if it has no value yet
    pub(crate) fn get_captured_box_checked(&mut self, to: Register, index: u32) -> Done {
        let captured = self.captured_box(index)?;
        self.must_be_set(captured, |machine| machine.unset_captured(index))?;
        self.get_captured_box(to, index)
    }

    /// The box `C[index]` holds `R[from]` from now on
    pub(crate) fn set_captured_box(&mut self, from: Register, index: u32) -> Done {
        let captured = self.captured_box(index)?;
        let value = self.get(from);
        self.context.heap.set_variable(captured, value);
        Ok(After::Next)
    }

    /// The box `C[index]` holds `R[from]` from now on, an error if it has no value yet
    pub(crate) fn set_captured_box_checked(&mut self, from: Register, index: u32) -> Done {
        let captured = self.captured_box(index)?;
        self.must_be_set(captured, |machine| machine.unset_captured(index))?;
        self.set_captured_box(from, index)
    }

    /// `R[at] :=` a new box that holds `R[at]`
    pub(crate) fn new_box(&mut self, at: Register) -> Done {
        let value = self.get(at);
        let variable = self.context.heap.variable(value);
        self.set(at, variable);
        Ok(After::Next)
    }

    /// `R[at] :=` a new box that holds nothing yet
    pub(crate) fn new_unset_box(&mut self, at: Register) -> Done {
        let variable = self.context.heap.variable(Value::UNSET);
        self.set(at, variable);
        Ok(After::Next)
    }

    /// `R[to] :=` what the box `R[from]` holds
    pub(crate) fn get_box(&mut self, to: Register, from: Register) -> Done {
        let value = self.context.heap.variables[self.own_box(from)?].value;
        self.set(to, value);
        Ok(After::Next)
    }

    /// `R[to] :=` what the box `R[from]` holds, an error if it has no value yet
    pub(crate) fn get_box_checked(&mut self, to: Register, from: Register, name: u32) -> Done {
        let variable = self.own_box(from)?;
        self.must_be_set(variable, |machine| machine.unset_named(name))?;
        self.get_box(to, from)
    }

    /// The box `R[at]` holds `R[from]` from now on
    pub(crate) fn set_box(&mut self, at: Register, from: Register) -> Done {
        let variable = self.own_box(at)?;
        let value = self.get(from);
        self.context.heap.set_variable(variable, value);
        Ok(After::Next)
    }

    /// The box `R[at]` holds `R[from]` from now on, an error if it has no value yet
    pub(crate) fn set_box_checked(&mut self, at: Register, from: Register, name: u32) -> Done {
        let variable = self.own_box(at)?;
        self.must_be_set(variable, |machine| machine.unset_named(name))?;
        self.set_box(at, from)
    }

    /// `R[to] := R[from][index]`, an array of the frame's own variables
    pub(crate) fn get_spilled(&mut self, to: Register, from: Register, index: u32) -> Done {
        let array = or_forged(self.get(from).handle_of(Kind::Array))?;
        let value = self
            .context
            .heap
            .element(array, index as usize)
            .unwrap_or(Value::NULL);
        self.set(to, value);
        Ok(After::Next)
    }

    /// `R[at][index] := R[from]`, an array of the frame's own variables
    pub(crate) fn set_spilled(&mut self, at: Register, from: Register, index: u32) -> Done {
        let is_own =
            |array: &u32| self.context.heap.arrays[*array].is_writable_at(i64::from(index));
        let array = or_forged(self.get(at).handle_of(Kind::Array).filter(is_own))?;
        let value = self.get(from);
        self.context.heap.set_element(array, index as usize, value);
        Ok(After::Next)
    }

    /// `R[to] :=` a new array of `count` nulls
    pub(crate) fn new_spill(&mut self, to: Register, count: u32) -> Done {
        self.context.reserve(count as usize * size_of::<Value>())?;
        self.context.charge(count as usize / VISITS_OF_STEP);
        let spill = self.context.heap.array(vec![Value::NULL; count as usize]);
        self.set(to, spill);
        Ok(After::LookAtMemory)
    }

    /// The value in the running function's capture of this index.
    pub(crate) fn captured(&self, index: u32) -> Value {
        self.context.heap.functions[self.get(0).payload()].captured[index as usize]
    }

    fn captured_box(&self, index: u32) -> Result<Handle, Fault> {
        or_forged(self.captured(index).handle_of(Kind::Variable))
    }

    fn own_box(&self, register: Register) -> Result<Handle, Fault> {
        or_forged(self.get(register).handle_of(Kind::Variable))
    }

    fn must_be_set(
        &self,
        variable: Handle,
        error: impl FnOnce(&Machine) -> Fault,
    ) -> Result<(), Fault> {
        match self.context.heap.variables[variable].value {
            Value::UNSET => Err(error(self)),
            _ => Ok(()),
        }
    }

    #[cold]
    fn unset_named(&self, name: u32) -> Fault {
        let name = self
            .context
            .heap
            .as_str(self.constants[name as usize])
            .unwrap_or("");
        Fault::Error(Box::new(self.before_its_line(name)))
    }

    #[cold]
    fn unset_captured(&self, index: u32) -> Fault {
        let function = self.function_of(self.context.code.function_at(self.pc - 1));
        Fault::Error(Box::new(
            self.before_its_line(&function.capture_names[index as usize]),
        ))
    }
}
