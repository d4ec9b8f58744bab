//! Taking a given alternative, where a search would draw one.

use super::choices::choice::{BITS, Choice, Large, ONE_PICKED};
use super::fail::Drawn;
use crate::machine::{Machine, State};
use ndscript_heap::Value;

impl Machine {
    /// Undoes everything since an open choice point, counted from the latest, and continues with one of its remaining
    /// alternatives, by its index among those of [`Machine::open_choice_points`]. False if there is none; then the
    /// machine must not run any more.
    pub fn take_alternative(&mut self, choice: usize, alternative: usize) -> bool {
        for _ in 0..choice {
            if self.take_back().is_none() {
                return false;
            }
        }
        let Some(last) = self.choices.height().checked_sub(1) else {
            return false;
        };
        self.restore(last);
        self.doubt_guess();
        if last < self.choices.floor() {
            self.leave_inputs(last);
        }
        if !self.take_numbered(alternative) {
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

    fn take_numbered(&mut self, alternative: usize) -> bool {
        let Some(Choice { from, left, pc, .. }) = self.choices.latest().copied() else {
            return false;
        };
        let is_few = left & ONE_PICKED == 0 && !from.is_integer();
        if is_few {
            let Some(bit) = (0..BITS as u32)
                .filter(|bit| left >> bit & 1 == 1)
                .nth(alternative)
            else {
                return false;
            };
            let number = bit as usize;
            self.take(left & !(1 << bit));
            let drawn = if from == Value::NULL {
                Drawn::Branch(number)
            } else {
                Drawn::Element(from, number)
            };
            return self.go_on_with(drawn, pc);
        }
        if left & ONE_PICKED != 0 {
            self.list_the_rest(from, left & !ONE_PICKED);
        }
        let drawn = self.choices.draw(|large| match large {
            Large::Branches(order) => order.take_listed(alternative).map(Drawn::Branch),
            Large::Elements(many) => {
                let collection = many.collection;
                many.order
                    .take_listed(alternative)
                    .map(|number| Drawn::Element(collection, number))
            }
            Large::Weighted(weighted) => (alternative < weighted.elements().len())
                .then(|| Drawn::Value(weighted.take(alternative))),
        });
        let Some((drawn, left, grown)) = drawn else {
            return false;
        };
        self.context.heap.allocated(grown);
        self.take(left);
        drawn.is_some_and(|drawn| self.go_on_with(drawn, pc))
    }
}
