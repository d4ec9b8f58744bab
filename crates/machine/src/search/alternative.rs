//! Taking a given alternative, where a search would draw one.

use super::choices::choice::{BITS, Choice, LargeAlternatives, ONE_PICKED};
use super::fail::DrawnAlternative;
use crate::machine::{Machine, State};
use ndscript_heap::Value;

impl Machine {
    /// Undoes everything since an open choice point, counted from the latest, and continues with one of its remaining
    /// alternatives, by its index among those of [`Machine::open_choice_points`]. False if there is none; then the
    /// machine must not run any more.
    pub fn take_alternative(&mut self, choice: usize, alternative: usize) -> bool {
        self.finish_collection();
        for _ in 0..choice {
            if self.take_back().is_none() {
                return false;
            }
        }
        let Some(last) = self.choices.height().checked_sub(1) else {
            return false;
        };
        self.restore(last);
        self.make_guess_unknown();
        if last < self.choices.floor() {
            self.leave_inputs(last);
        }
        if !self.take_numbered(alternative) {
            return false;
        }
        self.question = None;
        self.drop_work();
        self.stop.unfinished = None;
        self.stop.limit = None;
        self.stop.undelivered = false;
        self.state = State::Running;
        true
    }

    /// Takes one of the remaining alternatives of the latest choice point by its number; false if there is none.
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
                DrawnAlternative::Branch(number)
            } else {
                DrawnAlternative::Element(from, number)
            };
            return self.continue_with(drawn, pc);
        }
        if left & ONE_PICKED != 0 {
            self.list_the_rest(from, left & !ONE_PICKED);
        }
        let drawn = self.choices.draw(|large| match large {
            LargeAlternatives::Branches(order) => order
                .take_by_rank(alternative)
                .map(DrawnAlternative::Branch),
            LargeAlternatives::Elements(many) => {
                let collection = many.collection;
                many.order
                    .take_by_rank(alternative)
                    .map(|number| DrawnAlternative::Element(collection, number))
            }
            LargeAlternatives::Weighted(weighted) => (alternative < weighted.elements().len())
                .then(|| DrawnAlternative::Value(weighted.take(alternative))),
        });
        let Some((drawn, left, added_bytes)) = drawn else {
            return false;
        };
        self.context.heap.allocated(added_bytes);
        self.take(left);
        drawn.is_some_and(|drawn| self.continue_with(drawn, pc))
    }
}
