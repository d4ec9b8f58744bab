//! How a machine begins further inputs and drops them.

use super::Input;
use crate::host::output::OutputMark;
use crate::machine::{Exit, Machine, State};
use ndscript_bytecode::{Code, FIRST_REGISTER, InitialValue};
use ndscript_heap::kinds::function::Variable;
use ndscript_heap::{Heap, Value};
use std::sync::Arc;

impl Machine {
    /// Begins the program's next input where the latest one ended. The code extends that of the run so far, so all
    /// numbers of functions, constants and globals keep their meaning.
    pub fn extend(&mut self, code: Arc<Code>) {
        self.finish_collection();
        let output = &mut self.context.output;
        if self.choices.height() == 0 {
            // No failure can go back to output printed before.
            output.cut_back(0);
            output.handed_over = OutputMark::default();
        }
        if let Some(input) = self.inputs.last_mut() {
            input.handed_over = output.handed_over;
        }
        output.handed_over = output.mark();
        self.context.failure_message = None;
        self.pc = code.heads[code.main as usize].entry;
        self.base = 0;
        self.choices.set_protect(0);
        self.state = State::Running;
        self.drop_work();
        self.begin(code);
        self.drop_codes(self.inputs.len().saturating_sub(2));
    }

    /// Drops the codes of inputs from a number on, counted from 0, into which no failure goes back.
    pub(crate) fn drop_codes(&mut self, from: usize) {
        for at in from..self.inputs.len().saturating_sub(1) {
            if self.inputs[at].choices == self.inputs[at + 1].choices {
                self.inputs[at].code = None;
            }
        }
    }

    /// Whether a failure can still go back into an input, counted from 0, or whether it is the latest.
    pub fn can_go_back_into(&self, input: usize) -> bool {
        self.inputs
            .get(input)
            .is_some_and(|input| input.code.is_some())
    }

    /// Begins an input: its constants, its globals, and what it declares.
    pub(crate) fn begin(&mut self, code: Arc<Code>) {
        let choices = self.choices.height() as u32;
        self.choices.set_floor(choices);
        self.inputs.push(Input {
            choices,
            code: Some(code.clone()),
            handed_over: OutputMark::default(),
        });
        let heap: &mut Heap = &mut self.context.heap;
        for constant in &code.constants[self.constants.len()..] {
            self.constants
                .push(crate::machine::constant_value(heap, constant));
        }
        for global in &code.globals[heap.globals.len()..] {
            let value = match global.function {
                Some(function) => heap.closure(function, Box::default()),
                None if global.starts_null => Value::NULL,
                None => Value::UNSET,
            };
            heap.globals.push(Variable { value, stamp: 0 });
        }
        for (register, slot) in (FIRST_REGISTER as usize..).zip(&code.top_level) {
            let starts_null = code.globals[*slot as usize].starts_null;
            self.stack[register] = if starts_null {
                Value::NULL
            } else {
                Value::UNSET
            };
        }
        for (slot, beginning) in &code.beginnings {
            let value = match beginning {
                InitialValue::Null if heap.global(*slot) != Value::UNSET => continue,
                InitialValue::Null => Value::NULL,
                InitialValue::Unset => Value::UNSET,
                InitialValue::Function(function) => heap.closure(*function, Box::default()),
            };
            // Logged, so that going back into an earlier input undoes a declaration.
            heap.set_global(*slot, value);
        }
        self.context.record.failures.discard_instructions();
        self.context.code = code;
    }

    /// After a failure went back to a choice point: the number of the input that runs, counted from 0.
    pub(crate) fn input_of(&self, choice: usize) -> usize {
        self.inputs
            .partition_point(|input| input.choices as usize <= choice)
            .saturating_sub(1)
    }

    /// Ends the inputs that began after the choice point at this height. The state is already restored, so nothing
    /// that they added is in use.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave_inputs(&mut self, choice: usize) {
        while self.inputs.len() > 1
            && self
                .inputs
                .last()
                .is_some_and(|input| input.choices as usize > choice)
        {
            self.inputs.pop();
        }
        let Some(input) = self.inputs.last() else {
            return;
        };
        self.choices.set_floor(input.choices);
        self.context.output.handed_over = input.handed_over;
        // A choice is open in it, so its code is there.
        let Some(code) = input.code.clone() else {
            return;
        };
        self.constants.truncate(code.constants.len());
        self.context.heap.globals.truncate(code.globals.len());
        self.context.heap.detach_functions(code.functions.len());
        self.context.record.failures.discard_instructions();
        self.context.code = code;
        self.has_left = true;
    }

    /// The number of the input that runs or has ended; the first is 1.
    pub fn input_number(&self) -> usize {
        self.inputs.len()
    }

    /// Whether the run has reached the end of its latest input.
    pub fn is_solved(&self) -> bool {
        self.state == State::Solved
    }

    /// As [`Machine::resume`], but does not go back into earlier inputs.
    pub fn resume_input(&mut self, steps: u64) -> Exit {
        self.stays = true;
        let exit = self.resume(steps);
        self.stays = false;
        exit
    }

    /// Drops all open choice points.
    pub fn commit_all(&mut self) {
        self.finish_collection();
        self.drop_choices(0);
    }

    /// Called when the choice points from a height on are removed: inputs that began above it have none below.
    pub(crate) fn lower_inputs(&mut self, height: u32) {
        let mut lowered = 0;
        for input in self
            .inputs
            .iter_mut()
            .rev()
            .take_while(|input| input.choices > height)
        {
            input.choices = height;
            lowered += 1;
        }
        self.drop_codes((self.inputs.len() - lowered).saturating_sub(1));
    }
}
