//! What searches do most, choosing among few and failing back to such a choice, done between two simple instructions.
//! What is less frequent is left to [`Machine::step`].

use super::choice::{BITS, ONE_PICKED, random_bit};
use super::fail::all_bits;
use super::machine::Machine;
use super::native::{Action, Control};
use crate::bytecode::{Code, Op};
use crate::value::{Kind, Value};

impl Machine {
    /// Carries out the instruction before `pc` if it is one of those; if not, nothing has changed.
    #[inline(always)]
    pub(super) fn retry(&mut self, code: &Code) -> bool {
        match code.ops[self.pc as usize - 1] {
            Op::Fail {} => self.fail_shortly(code),
            Op::ChooseFirst { live, table } => self.choose_shortly(code, table, live, true),
            Op::Choose { live, table } => self.choose_shortly(code, table, live, false),
            Op::CallNative { base, to, arguments: 1, native }
                if matches!(self.context.natives[native as usize].action, Action::Control(Control::ChooseElement)) =>
            {
                self.choose_element_shortly(base, to)
            }
            _ => false,
        }
    }

    /// Chooses among few branches.
    #[inline(always)]
    fn choose_shortly(&mut self, code: &Code, table: u32, live: u8, ordered: bool) -> bool {
        let targets = code.targets(table);
        let count = targets.len();
        if !(2..=BITS).contains(&count) {
            return false;
        }
        let bits = all_bits(count);
        let picked = if ordered { 0 } else { random_bit(bits, &mut self.context.rng) };
        self.push_choice(Value::NULL, bits & !(1 << picked), live);
        self.pc = targets[picked as usize];
        true
    }

    /// Chooses among the elements of an array of few.
    #[inline(always)]
    fn choose_element_shortly(&mut self, base: u8, to: u8) -> bool {
        let window = self.base as usize;
        let collection = self.stack[window + base as usize + 1];
        let Some(array) = collection.handle_of(Kind::Array) else { return false };
        let array = &self.context.heap.arrays[array];
        let count = array.slots.len();
        if array.view.is_some() || count == 0 || count > BITS {
            return false;
        }
        self.context.fuel -= 1;
        let picked = self.choose_place(collection, count, base);
        let value = self.place_of(collection, picked);
        self.stack[window + to as usize] = value;
        true
    }

    /// Fails if the latest choice point is one of few alternatives, and nothing but the trail and the registers of
    /// its own frame is to be put back. Whoever calls it looks at the fuel and the limits afterwards.
    #[inline(always)]
    fn fail_shortly(&mut self, code: &Code) -> bool {
        debug_assert!(!self.has_left);
        let height = self.choices.len();
        let Some(&choice) = self.choices.last() else { return false };
        let is_inside = match self.barriers.last() {
            Some(barrier) => (barrier.choices as usize) < height && barrier.bound.is_none(),
            None => true,
        };
        let is_simple = is_inside
            && height > self.floor as usize
            && choice.left & ONE_PICKED == 0
            && self.saved_frames.len() == choice.saved_frames as usize
            && self.context.output.height() <= choice.output
            && !self.must_settle(choice.serial);
        if !is_simple {
            return false;
        }
        let heap = &mut self.context.heap;
        let (from, left, base) = (choice.from, choice.left, choice.base as usize);
        // Where the alternatives are.
        let (ordered, place) = match code.ops[choice.pc as usize - 1] {
            Op::ChooseFirst { table, .. } if from == Value::NULL => (true, table),
            Op::Choose { table, .. } if from == Value::NULL => (false, table),
            Op::CallNative { to, .. } if from.is_kind(Kind::Array) && heap.arrays[from.payload()].view.is_none() => {
                (false, to as u32)
            }
            _ => return false,
        };
        self.statistics.failures += 1;
        let undone = heap.trail_mark() - choice.trail as usize;
        if undone > 0 {
            heap.undo_to(choice.trail as usize);
        }
        self.context.fuel -= undone as i64 + 1;
        // No frame was saved since, so what is saved above are registers of the choice point.
        let saved = &self.saves[choice.saves as usize..];
        for (register, saved) in self.stack[base + 1..base + 1 + saved.len()].iter_mut().zip(saved) {
            *register = *saved;
        }
        self.depth = choice.frames;
        self.base = choice.base;
        self.pc = choice.pc;
        self.protect = choice.frames;
        #[cfg(debug_assertions)]
        self.compare_state(height - 1);
        let picked = if ordered { left.trailing_zeros() } else { random_bit(left, &mut self.context.rng) };
        if from == Value::NULL {
            self.pc = code.targets(place)[picked as usize];
        } else {
            let chosen = self.context.heap.arrays[from.payload()].slots.get(picked as usize).unwrap_or(Value::NULL);
            self.stack[base + place as usize] = chosen;
        }
        let rest = left & !(1 << picked);
        if rest == 0 {
            self.drop_last_choice(height - 1);
        } else if let Some(choice) = self.choices.last_mut() {
            let serial = self.context.heap.next_serial();
            choice.left = rest;
            choice.serial = serial;
            self.context.heap.top = serial;
        }
        true
    }
}
