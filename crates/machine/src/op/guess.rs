//! Choosing and failing. The fast forms, choosing among few and failing back to such a choice, are the most frequent
//! steps of searches. Unlike those of other families they see the whole machine, and are not inlined into the main
//! loop.

use super::{After, Done};
use crate::errors::error::Fault;
use crate::execute::CHOOSING;
use crate::machine::Machine;
use crate::natives::native::Control;
use crate::op::call::NativeOutcome;
use crate::search::choices::choice::{
    BITS, ONE_PICKED, all_bits, element_of_range, random_bit, range_word,
};
use crate::search::fail::UNDONE_AT_ONCE;
use ndscript_bytecode::{Code, Op, Register};
use ndscript_heap::{Kind, Value};

impl Machine {
    /// Go to one alternative of a table, at random or in order; keep the others, and the registers below `live_registers`
    pub(crate) fn choose(
        &mut self,
        live_registers: u8,
        table: u32,
        ordered: bool,
        code: &Code,
    ) -> Done {
        let targets = code.targets(table);
        let picked = self.choose_branch(targets.len(), ordered, live_registers);
        self.pc = targets[picked];
        Ok(After::LookAtMemory)
    }

    /// `R[to] :=` an element of the collection `R[base + 1]` at random; keep the others, and the registers below `base`
    pub(crate) fn choose_an_element(&mut self, base: Register, to: Register) -> Done {
        self.context.fuel -= 1;
        let value = self.control(Control::ChooseElement, base, 1, to)?;
        Ok(self.called(NativeOutcome::Value(value), to))
    }

    /// `R[to] :=` one of the numbers from `R[base + 1]` up to below `R[base + 2]` at random; keep the others likewise
    pub(crate) fn choose_a_number(&mut self, base: Register, to: Register) -> Done {
        self.context.fuel -= 1;
        let value = self.choose_number(self.get(base + 1), self.get(base + 2), base)?;
        Ok(self.called(NativeOutcome::Value(value), to))
    }

    /// `R[from]` is the message of the failure that follows
    pub(crate) fn set_failure_reason(&mut self, from: Register) -> Done {
        self.context.set_failure_message_to(self.get(from))?;
        Ok(After::LookAtMemory)
    }

    /// Report complaint number `complaint` of the function
    pub(crate) fn throw(&mut self, complaint: u32, code: &Code) -> Done {
        let function = &code.functions[code.function_at(self.pc - 1) as usize];
        Err(Fault::Error(Box::new(
            self.complaint(&function.complaints[complaint as usize]),
        )))
    }

    /// Chooses among few branches. False if they are not few, and nothing has changed.
    #[inline(never)]
    pub(crate) fn choose_fast(
        &mut self,
        targets: &[u32],
        live_registers: u8,
        ordered: bool,
    ) -> bool {
        let count = targets.len();
        if !(2..=BITS).contains(&count) {
            return false;
        }
        let bits = all_bits(count);
        let picked = if ordered {
            0
        } else {
            random_bit(bits, &mut self.context.rng)
        };
        self.push_choice(Value::NULL, bits & !(1 << picked), live_registers);
        self.pc = targets[picked as usize];
        true
    }

    /// Chooses among the elements of an array or a set. False if there are none or it is something else, and nothing
    /// has changed.
    #[inline(never)]
    pub(crate) fn choose_element_fast(&mut self, base: u8, to: u8) -> bool {
        let window = self.base as usize;
        let collection = self.stack[window + base as usize + 1];
        let count = match collection.handle_of(Kind::Array) {
            Some(array) => self.context.heap.array_len(array),
            None if collection.is_kind(Kind::Set) => self.context.heap.set_len(collection),
            None => return false,
        };
        if count == 0 {
            return false;
        }
        self.context.fuel -= 1;
        let picked = self.choose_place(collection, count, base);
        let value = self.place_of(collection, picked);
        self.context.charge_comparisons();
        self.stack[window + to as usize] = value;
        true
    }

    /// Chooses among few numbers. False if they are not few, and nothing has changed.
    #[inline(never)]
    pub(crate) fn choose_number_fast(&mut self, base: u8, to: u8) -> bool {
        let window = self.base as usize;
        let (from, bound) = (
            self.stack[window + base as usize + 1],
            self.stack[window + base as usize + 2],
        );
        let (from, bound) = (from.integer_unchecked(), bound.integer_unchecked());
        let count = bound - from;
        if count <= 0 || count > BITS as i64 {
            return false;
        }
        let Some(range) = range_word(from, count as usize) else {
            return false;
        };
        self.context.fuel -= 2 + count / 8;
        let picked = self.choose_place(range, count as usize, base);
        self.stack[window + to as usize] = Value::integer(from + picked as i64);
        true
    }

    /// Fails, and fails again where an alternative does nothing else, unless each failure must be reported. False if
    /// the latest failure is left undone, as [`Machine::fail_back`] says.
    #[inline(never)]
    pub(crate) fn fail_fast(&mut self, code: &Code, is_told: bool) -> bool {
        loop {
            if !self.fail_back(code) {
                return false;
            }
            let next = &code.ops[self.pc as usize];
            if is_told || !matches!(next, Op::Fail {}) || self.context.fuel <= CHOOSING {
                return true;
            }
            self.pc += 1;
        }
    }

    /// Fails if the latest choice point is one of few alternatives, only the trail and the registers of its own frame
    /// must be restored, and this place has failed before. Otherwise changes nothing.
    #[inline(always)]
    fn fail_back(&mut self, code: &Code) -> bool {
        debug_assert!(!self.has_left);
        let height = self.choices.height();
        let Some(choice) = self.choices.latest() else {
            return false;
        };
        let host_wrote = self
            .host_writes
            .last()
            .is_some_and(|write| write.choices as usize >= height);
        if !self.choices.is_plain()
            || !self.restarts.is_empty()
            || !self.guesses.is_empty()
            || host_wrote
            || self.context.record.shows_branch()
        {
            return false;
        }
        let heap = &mut self.context.heap;
        let mark = choice.trail as usize;
        let undone = heap.trail_mark() - mark;
        if choice.left & ONE_PICKED != 0
            || self.choices.has_frames_since(choice)
            || self.context.output.height() > choice.output
            || heap.must_settle(choice.serial)
            || undone > UNDONE_AT_ONCE
        {
            return false;
        }
        let (from, left, point) = (choice.from, choice.left, choice.in_frame());
        let op = code.ops[point.pc as usize - 1];
        let is_known = match op {
            Op::ChooseFirst { .. } | Op::Choose { .. } => from == Value::NULL,
            Op::ChooseRange { .. } => from.is_kind(Kind::Position),
            Op::ChooseElement { .. } => {
                from.is_kind(Kind::Array) && heap.arrays[from.payload()].view().is_none()
            }
            _ => false,
        };
        // The full form finds the place of an instruction that has not failed before.
        if !is_known || !self.context.record.failures.count(self.pc as usize - 1) {
            return false;
        }
        self.skipped_by_failure = 0;
        self.statistics.failures += 1;
        self.statistics.alternatives += 1;
        if undone > 0 {
            self.protect_held_texts();
            self.context.heap.undo_to(mark);
        }
        self.context.fuel -= undone as i64 + 1;
        self.choices
            .fail_in_frame(point, code.writes[point.pc as usize - 1], &mut self.stack);
        (self.depth, self.base, self.pc) = (point.frames, point.base, point.pc);
        let base = point.base as usize;
        #[cfg(debug_assertions)]
        self.compare_state(self.choices.height() - 1);
        let picked = match op {
            Op::ChooseFirst { .. } => left.trailing_zeros(),
            _ => random_bit(left, &mut self.context.rng),
        };
        match op {
            Op::ChooseFirst { table, .. } | Op::Choose { table, .. } => {
                self.pc = code.targets(table)[picked as usize];
            }
            Op::ChooseRange { to, .. } => {
                let number = element_of_range(from, picked as usize);
                self.stack[base + to as usize] = number.unwrap_or(Value::NULL);
            }
            Op::ChooseElement { to, .. } => {
                let element = self.context.heap.arrays[from.payload()]
                    .slots
                    .get(picked as usize);
                self.stack[base + to as usize] = element.unwrap_or(Value::NULL);
            }
            _ => {}
        }
        let rest = left & !(1 << picked);
        if rest == 0 {
            let serial = self.choices.drop_failed(point);
            self.context.heap.set_top(serial);
        } else {
            let serial = self.context.heap.next_serial();
            self.choices.take(rest, serial);
            self.context.heap.top = serial;
        }
        true
    }
}
