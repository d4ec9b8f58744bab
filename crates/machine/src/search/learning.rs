//! When the guesses of a `decide` fail again and again, they are undone back to the latest solution, and a search
//! that learns from its conflicts ([`ndscript_solver::learning`]) decides whether there is a solution, and finds one.
//! The guesses are then made again, following that solution, so that every solution still comes once.

use crate::machine::Machine;
use crate::natives::context::Context;
use crate::natives::native::{Action, Control};
use ndscript_base::room;
use ndscript_bytecode::Op;
use ndscript_heap::{Kind, Value};

use super::choices::choice::{Choice, LargeAlternatives, ONE_PICKED};

/// Failures before the learning search starts; most boards are solved earlier, in less time than making its copy of
/// the board takes.
const FIRST_LIMIT: u64 = 1024;
/// The limit after learning has refuted a guess: the rest is likely to be as hard.
const NEXT_LIMIT: u64 = 64;

/// This part of the limit is enough if the failures took this many steps for each that the limit allows.
const PART_OF_LIMIT: u64 = 8;
const STEPS_OF_FAILURE: u64 = 4096;

/// The visits of the first turn of the search that learns.
const FIRST_TURN: u64 = 1 << 26;
/// Each turn is four times as long as the one before; its length doubles at most this many times.
const MOST_DOUBLED: u32 = 32;

/// The state of learning for the latest call of `decide` that has failed. Backtracking does not undo it.
#[derive(Clone, Debug, Default)]
pub struct Learning {
    call: u64,
    /// Guesses up to this serial may have led to solutions and stay.
    since_serial: u64,
    failures: u64,
    limit: u64,
    /// The steps that the run had taken at the first of these failures.
    steps: u64,
    /// How many times the search that learns was put off.
    postponements: u32,
    /// Whether the search that learns is asked before the next guess.
    is_due: bool,
    /// By place the number of the value that the solution has there; empty if none is known.
    solution: Vec<u32>,
    /// By place, the value numbers of a solution that only costs too much; a better one is likely to be similar.
    guide: Vec<u32>,
}

impl Learning {
    /// Whether the search that learns is asked before the next guess.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.is_due
    }

    /// Uses a solution. If it does not cover all constraints it may be wrong, and learning runs less often.
    pub fn use_solution(&mut self, solution: Vec<u32>, may_be_none: bool) {
        self.solution = solution;
        (self.is_due, self.failures) = (false, 0);
        self.limit = if may_be_none {
            self.limit.saturating_mul(4)
        } else {
            FIRST_LIMIT
        };
    }

    /// Whether a search that has made this many visits is put off: neither way of searching is better for all boards,
    /// so they alternate, with growing turns.
    pub fn has_had_its_turn(&self, visits: u64) -> bool {
        visits >= FIRST_TURN << (2 * self.postponements).min(MOST_DOUBLED)
    }

    /// Starts another period of guessing.
    pub fn put_off(&mut self) {
        self.postponements = self.postponements.saturating_add(1);
        (self.is_due, self.failures) = (false, 0);
        self.limit = (2 * NEXT_LIMIT) << self.postponements.min(MOST_DOUBLED);
        self.solution.clear();
    }

    /// There is no solution: an earlier guess is wrong. Lowers the limit, so learning restarts soon.
    pub fn refute(&mut self) {
        (self.is_due, self.failures, self.limit) = (false, 0, NEXT_LIMIT);
        self.solution.clear();
    }

    /// Whether there were enough failures, or enough work for a part of them, to start the search that learns.
    fn has_failed_enough(&self, steps: u64) -> bool {
        let is_part = self.failures >= self.limit / PART_OF_LIMIT;
        let work = self.limit.saturating_mul(STEPS_OF_FAILURE);
        self.failures >= self.limit || is_part && steps.saturating_sub(self.steps) >= work
    }

    /// Called when the run continues at another place.
    pub fn discard_question(&mut self) {
        self.is_due = false;
    }

    /// Learning cannot decide this call.
    pub fn give_up(&mut self) {
        (self.is_due, self.limit) = (false, u64::MAX);
    }

    /// The number of the value that is tried first at a place of the board of a call.
    pub fn suggested(&self, call: Value, place: usize) -> Option<u32> {
        let is_own = call
            .as_integer()
            .is_some_and(|call| call as u64 == self.call);
        let known = self.solution.get(place).or_else(|| self.guide.get(place));
        known.copied().filter(|_| is_own)
    }

    /// Whether the values of a solution, or of one that costs too much, are tried first.
    #[inline]
    pub fn is_guided(&self) -> bool {
        !self.guide.is_empty() || !self.solution.is_empty()
    }

    /// By place the value of a solution that costs too much; empty if none is known.
    pub fn guide(&self) -> &[u32] {
        &self.guide
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.solution) + room::row(&self.guide)
    }
}

ndscript_base::saved!(struct Learning { call, since_serial, failures, limit, steps, postponements, is_due, solution, guide });

impl Machine {
    /// Makes the call of `decide` that has just begun try first the values of a board in the best solution so far.
    pub(super) fn guide_by_best(&mut self, board: Value) {
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
            since_serial: call,
            limit: FIRST_LIMIT,
            ..Learning::default()
        };
    }

    /// Records that a call has ended with a solution of its board.
    pub(crate) fn end_learning(&mut self, call: u64) {
        let now = self.context.heap.next_serial();
        let learning = &mut self.context.learning;
        if learning.call == call {
            (learning.since_serial, learning.failures) = (now, 0);
            (learning.solution, learning.guide) = (Vec::new(), Vec::new());
        }
    }

    /// Counts a failure back to the latest choice point, if that is a guess. Once there were enough failures, returns
    /// the guess to go back to: the oldest one of its call that is still at its first alternative, and has led to no
    /// solution.
    pub(crate) fn guess_to_take_back(&mut self) -> Option<usize> {
        let call = self.guesses.last()?.call;
        if self.context.learning.call != call {
            let now = self.context.heap.next_serial();
            self.begin_learning(call);
            self.context.learning.since_serial = now;
        }
        let steps = self.steps_now();
        let learning = &mut self.context.learning;
        if learning.failures == 0 {
            learning.steps = steps;
        }
        learning.failures = learning.failures.saturating_add(1);
        if !learning.has_failed_enough(steps) {
            return None;
        }
        let (since_serial, top) = (learning.since_serial, self.choices.height());
        let latest = self.choices.latest().copied()?;
        let mut height = top;
        while let Some(choice) = height.checked_sub(1).and_then(|at| self.choices.point(at)) {
            let is_of_call = choice.serial > since_serial
                && choice.base == latest.base
                && choice.frames == latest.frames
                && self.is_guess(&choice);
            if !is_of_call || !self.is_at_first(&choice) {
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

    /// Whether only one alternative of a choice point was taken so far.
    fn is_at_first(&self, choice: &Choice) -> bool {
        if let Some(large) = self.choices.large_of(choice) {
            return match large {
                LargeAlternatives::Branches(_) => false,
                LargeAlternatives::Elements(many) => many.order.left() + 1 == many.order.size(),
                // The number of elements at the beginning is not known any more.
                LargeAlternatives::Weighted(_) => false,
            };
        }
        if choice.left & ONE_PICKED != 0 {
            return true;
        }
        let count = self.alternatives(choice.from).unwrap_or(0);
        choice.left.count_ones() as usize + 1 == count
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
