//! How the machine lets a call of `decide` learn from its failures.

use super::{FIRST_LIMIT, Learning};
use crate::machine::Machine;
use crate::natives::context::Context;
use crate::natives::native::{Action, Control};
use crate::search::choices::choice::Choice;
use ndscript_bytecode::Op;
use ndscript_heap::{Kind, Value};

impl Machine {
    /// Makes the call of `decide` that has just begun try first the values of a board in the best solution so far.
    pub(crate) fn guide_by_best(&mut self, board: Value) {
        let Some(values) = self.best_values(board) else {
            return;
        };
        let heap = &self.context.heap;
        let Some(handle) = heap.constrained(board) else {
            return;
        };
        let number = |value: &Value| {
            let only = match value.kind() {
                Kind::Set if heap.set_len(*value) == 1 => heap.set_get(*value, 0),
                Kind::Set => None,
                _ => Some(*value),
            };
            let number = only.and_then(|only| heap.boards[handle].number_of(only));
            number.map_or(u32::MAX, |number| number as u32)
        };
        let guide: Vec<u32> = values.iter().map(number).collect();
        self.context.charge(guide.len());
        self.context.learning.guide = guide;
    }

    /// Records that a call of `decide` begins.
    pub(crate) fn begin_learning(&mut self, call: u64) {
        self.context.learning = Learning {
            call,
            since_height: self.choices.height(),
            limit: FIRST_LIMIT,
            ..Learning::default()
        };
    }

    /// Records that a call has ended with a solution of its board.
    pub(crate) fn end_learning(&mut self, call: u64) {
        let height = self.choices.height();
        let learning = &mut self.context.learning;
        if learning.call == call {
            (learning.since_height, learning.failures) = (height, 0);
            (learning.solution, learning.guide) = (Vec::new(), Vec::new());
        }
    }

    /// Counts a failure back to the latest choice point, if that is a guess. Once there were enough failures, returns
    /// the guess to go back to: the oldest one of its call that has led to no solution, or to none but the known one.
    pub(crate) fn guess_to_take_back(&mut self) -> Option<usize> {
        let top = self.choices.height();
        let latest_guess = self.search.guesses.last()?;
        // A choice point without a record is none of the call that was recorded last.
        if latest_guess.is_last || latest_guess.choices as usize + 1 != top {
            return None;
        }
        let call = latest_guess.call;
        if self.context.learning.call != call {
            self.begin_learning(call);
        }
        let steps = self.steps_now();
        let learning = &mut self.context.learning;
        learning.since_height = learning.since_height.min(top);
        if learning.failures == 0 {
            learning.steps = steps;
        }
        learning.failures = learning.failures.saturating_add(1);
        if !learning.has_failed_enough(steps) {
            return None;
        }
        let reach = learning.reach.map_or(top, |reach| reach as usize);
        let lowest = learning.since_height.max(top.saturating_sub(reach));
        let latest = self.choices.latest().copied()?;
        let mut height = top;
        while height > lowest
            && let Some(choice) = self.choices.point(height - 1)
        {
            // Those from before the call are older than it.
            let is_of_call = choice.serial > call
                && choice.base == latest.base
                && choice.frames == latest.frames
                && self.is_guess(&choice);
            if !is_of_call {
                break;
            }
            height -= 1;
        }
        let floor = self.choices.floor();
        let target = height.max(floor);
        self.context.charge(top - target);
        (target < top).then_some(target)
    }

    /// Whether a choice point is a guess of `decide`.
    fn is_guess(&self, choice: &Choice) -> bool {
        let Some(Op::CallNative { native, .. }) = self.context.code.ops.get(choice.pc as usize - 1)
        else {
            return false;
        };
        let native = self.context.natives.get(*native as usize);
        native.is_some_and(|native| {
            matches!(
                native.action,
                Action::Control(Control::Guess | Control::GuessWeighted)
            )
        })
    }

    /// The state is restored to where a guess was made: discards the guess, which is made again once more is known.
    pub(crate) fn guess_anew(&mut self) {
        self.drop_latest_choice();
        let ops = &self.context.code.ops;
        let rest = ops.get(self.pc as usize..).unwrap_or_default();
        let loop_start = rest.iter().find_map(|op| match op {
            Op::Loop { target } => Some(*target),
            _ => None,
        });
        // Guesses are made in a loop.
        self.pc = loop_start.unwrap_or(self.pc);
        self.context.learning.is_due = true;
        // The earlier question was about another state of the board.
        self.context.current_work.resting = None;
    }
}

impl Context {
    /// The place of a board by its name, if there is one.
    pub(crate) fn place_by_name(&self, board: Value, name: Value) -> Option<usize> {
        let heap = &self.heap;
        match board.kind() {
            Kind::Grid => {
                let (x, y) = name.as_position()?;
                heap.grids[board.payload()].cell(x, y)
            }
            Kind::Object => heap.objects[board.payload()].find(name),
            _ => usize::try_from(name.as_integer()?).ok(),
        }
    }
}
