//! Taking an alternative that somebody wants, where a search would draw one.

use super::choice::{BITS, Choice, Large, ManyLeft, ONE_PICKED};
use super::machine::{Machine, State};
use super::shuffle::Shuffle;
use crate::bytecode::Flow;
use crate::value::Value;

impl Machine {
    /// Undoes everything since an open choice point, counted from the latest, and goes on from there with one of the
    /// alternatives that it has left, by its place among those of [`Machine::open_choice_points`]. False if there is
    /// none; then the machine is good for nothing any more.
    pub fn take_alternative(&mut self, choice: usize, alternative: usize) -> bool {
        for _ in 0..choice {
            if self.take_back().is_none() {
                return false;
            }
        }
        let Some(last) = self.choices.len().checked_sub(1) else { return false };
        self.restore(last);
        self.doubt_guess();
        if last < self.floor as usize {
            self.leave_inputs(last);
        }
        if !self.take_numbered(last, alternative) {
            return false;
        }
        self.question = None;
        self.drop_work();
        self.unfinished = None;
        self.stopped = None;
        self.undelivered = false;
        self.state = State::Running;
        true
    }

    fn take_numbered(&mut self, last: usize, alternative: usize) -> bool {
        let Choice { from, left, pc, .. } = self.choices[last];
        let is_few = left & ONE_PICKED == 0 && !from.is_integer();
        if is_few {
            let Some(bit) = (0..BITS as u32).filter(|bit| left >> bit & 1 == 1).nth(alternative) else { return false };
            let rest = left & !(1 << bit);
            if from == Value::NULL {
                return self.go_to_branch(pc, bit as usize) && self.leave_in(last, rest);
            }
            self.leave_in(last, rest);
            let value = self.place_of(from, bit as usize);
            self.put_result(value);
            return true;
        }
        if left & ONE_PICKED != 0 {
            let size = self.alternatives(from).unwrap_or(0).max(2);
            let many = ManyLeft { collection: from, order: Shuffle::after_first(size, left & !ONE_PICKED) };
            self.choices[last].from = Value::size(self.large.len());
            self.choices[last].left = 0;
            self.add_large(Large::Elements(many));
        }
        let Some(large) = self.large.last_mut() else { return false };
        let before = large.bytes();
        let (mut branch, mut element, mut value) = (None, None, None);
        match large {
            Large::Branches(order) => branch = order.take(alternative),
            Large::Elements(many) => {
                element = many.order.take(alternative).map(|number| (many.collection, number));
            }
            Large::Weighted(weighted) if alternative < weighted.elements().len() => {
                value = Some(weighted.take(alternative))
            }
            Large::Weighted(_) => {}
        }
        let (grown, left) = (large.bytes().saturating_sub(before), u32::from(!large.is_used_up()));
        self.own(grown);
        self.leave_in(last, left);
        if let Some(branch) = branch {
            return self.go_to_branch(pc, branch);
        }
        if let Some((collection, number)) = element {
            value = Some(self.place_of(collection, number));
        }
        let Some(value) = value else { return false };
        self.put_result(value);
        true
    }

    fn leave_in(&mut self, last: usize, left: u32) -> bool {
        self.picked(last, left);
        true
    }

    fn go_to_branch(&mut self, pc: u32, number: usize) -> bool {
        let Flow::Branch(table) = self.context.code.ops[pc as usize - 1].flow() else { return false };
        let Some(target) = self.context.code.targets(table).get(number).copied() else { return false };
        self.pc = target;
        true
    }
}
