//! What searches do most: choosing among few, and failing back to such a choice. The main loop calls these at once; what
//! is less frequent is left to [`Machine::step`].

use super::choice::{BITS, ONE_PICKED, random_bit};
use super::fail::{UNDONE_AT_ONCE, all_bits};
use super::machine::Machine;
use crate::bytecode::{Code, Op};
use crate::value::{Kind, Value};

impl Machine {
    /// Chooses among few branches. False if they are not few, and nothing has changed.
    #[inline(never)]
    pub(super) fn choose_shortly(&mut self, targets: &[u32], live: u8, ordered: bool) -> bool {
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

    /// Chooses among the elements of an array or a set. False if there are none or it is something else, and nothing
    /// has changed.
    #[inline(never)]
    pub(super) fn choose_element_shortly(&mut self, base: u8, to: u8) -> bool {
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
    pub(super) fn choose_number_shortly(&mut self, base: u8, to: u8) -> bool {
        let window = self.base as usize;
        let (from, bound) = (self.stack[window + base as usize + 1], self.stack[window + base as usize + 2]);
        let (from, bound) = (from.integer_unchecked(), bound.integer_unchecked());
        let count = bound - from;
        if count <= 0 || count > BITS as i64 {
            return false;
        }
        let Some(range) = range_word(from, count as usize) else { return false };
        self.context.fuel -= 2 + count / 8;
        let picked = self.choose_place(range, count as usize, base);
        self.stack[window + to as usize] = Value::integer(from + picked as i64);
        true
    }

    /// Fails if the latest choice point is one of few alternatives, and nothing but the trail and the registers of
    /// its own frame is to be put back. If not, nothing has changed.
    #[inline(never)]
    pub(super) fn fail_shortly(&mut self, code: &Code) -> bool {
        debug_assert!(!self.has_left);
        let height = self.choices.len();
        let Some(choice) = self.choices.last() else { return false };
        if let Some(barrier) = self.barriers.last()
            && (barrier.choices as usize >= height || barrier.bound.is_some())
        {
            return false;
        }
        if !self.restarts.is_empty() {
            return false;
        }
        let heap = &mut self.context.heap;
        let is_simple = height > self.floor as usize
            && choice.left & ONE_PICKED == 0
            && self.saved_frames.len() == choice.saved_frames as usize
            && self.context.output.height() <= choice.output
            && !heap.must_settle(choice.serial);
        let op = code.ops[choice.pc as usize - 1];
        let is_known = match op {
            Op::ChooseFirst { .. } | Op::Choose { .. } => choice.from == Value::NULL,
            Op::ChooseRange { .. } => choice.from.is_kind(Kind::Position),
            Op::ChooseElement { .. } => {
                choice.from.is_kind(Kind::Array) && heap.arrays[choice.from.payload()].view.is_none()
            }
            _ => false,
        };
        let undone = heap.trail_mark() - choice.trail as usize;
        if !is_simple || !is_known || undone > UNDONE_AT_ONCE {
            return false;
        }
        self.statistics.failures += 1;
        if undone > 0 {
            heap.undo_to(choice.trail as usize);
        }
        self.context.fuel -= undone as i64 + 1;
        // No frame was saved since, so what is saved above are registers of the choice point.
        let saved = &self.saves[choice.saves as usize..];
        debug_assert_eq!(saved.len(), self.live_of(choice).saturating_sub(1));
        let base = choice.base as usize;
        for (register, saved) in self.stack[base + 1..base + 1 + saved.len()].iter_mut().zip(saved) {
            *register = *saved;
        }
        self.depth = choice.frames;
        self.protect = choice.frames;
        self.base = choice.base;
        self.pc = choice.pc;
        #[cfg(debug_assertions)]
        self.compare_state(height - 1);
        let left = choice.left;
        let picked = match op {
            Op::ChooseFirst { .. } => left.trailing_zeros(),
            _ => random_bit(left, &mut self.context.rng),
        };
        match op {
            Op::ChooseFirst { table, .. } | Op::Choose { table, .. } => {
                self.pc = code.targets(table)[picked as usize];
            }
            Op::ChooseRange { to, .. } => {
                let number = element_of_range(choice.from, picked as usize);
                self.stack[base + to as usize] = number.unwrap_or(Value::NULL);
            }
            Op::ChooseElement { to, .. } => {
                let element = self.context.heap.arrays[choice.from.payload()].slots.get(picked as usize);
                self.stack[base + to as usize] = element.unwrap_or(Value::NULL);
            }
            _ => {}
        }
        let rest = left & !(1 << picked);
        if rest == 0 {
            self.saves.truncate(choice.saves as usize);
            self.choices.pop();
            let below = self.choices.last();
            self.context.heap.top = below.map_or(0, |below| below.serial);
            // As the choice point itself, the one below may need all frames that waited when it was made, or those up
            // to the one that was saved last.
            self.protect = match below {
                None => 0,
                Some(below) if self.saved_frames.len() == below.saved_frames as usize => below.frames,
                Some(_) => self.saved_frames.last().map_or(0, |saved| saved.index),
            };
        } else if let Some(choice) = self.choices.last_mut() {
            let serial = self.context.heap.next_serial();
            choice.left = rest;
            choice.serial = serial;
            self.context.heap.top = serial;
        }
        true
    }
}

/// A range of whole numbers as one word, for choices among them: a position of the first and of how many there are.
/// `None` if they do not fit.
pub(super) fn range_word(from: i64, count: usize) -> Option<Value> {
    Value::position(from, i64::try_from(count).ok()?)
}

/// A number of such a range.
#[inline]
pub(super) fn element_of_range(range: Value, index: usize) -> Option<Value> {
    range.as_position().map(|(from, _)| Value::integer(from + index as i64))
}
