//! Whether a machine that was read back can be one: that every function, instruction, table and height which it will
//! go back to is there. What registers hold is known to be a value, but not of which kind an instruction wants it.

use super::barrier::BarrierKind;
use super::choice::{Choice, Large};
use super::frame::Frame;
use super::machine::{Machine, State, WINDOW};
use crate::bytecode::{Code, Flow};
use crate::codec::{Unsound, ensure};
use crate::value::function::Closure;
use crate::value::{Kind, Value};

/// The greatest distance between the registers of a function and those of one that it calls.
const STEP: u32 = WINDOW as u32;

impl Machine {
    pub(super) fn check_soundness(&self) -> Result<(), Unsound> {
        self.check_inputs()?;
        let goes_on = self.state == State::Running;
        let code = &self.context.code;
        check_place(code, self.pc, goes_on)?;
        let has_code = |number: u32| (number as usize) < code.functions.len() && code.has(number);
        let mut closures = self.context.heap.functions.iter().map(|closure| closure.function);
        let is_there = closures.all(|function| function == Closure::GONE || has_code(function));
        ensure(is_there, "there is no such function")?;
        self.check_frames()?;
        self.check_heights()?;
        self.choices.iter().try_for_each(|choice| self.check_alternatives(choice))?;
        let large = self.choices.iter().filter_map(Choice::large);
        ensure(large.eq(0..self.large.len()), "alternatives are not those of their choice points")?;
        ensure(!self.large.iter().any(Large::is_used_up), "a choice point has no alternatives")?;
        let rising = self.visits.windows(2).all(|two| two[0].barriers < two[1].barriers);
        let innermost = self.visits.last().map_or(0, |visits| visits.barriers as usize);
        ensure(rising && innermost <= self.barriers.len(), "what was visited belongs to no barrier")?;
        let of = |barrier: u32| self.barriers.get(barrier as usize).map(|barrier| barrier.kind);
        let is_open = self.restarts.iter().all(|restarts| of(restarts.barrier) == Some(BarrierKind::Restarts));
        ensure(is_open, "a search that begins again has no barrier")?;
        let written = self.host_writes.iter();
        let is_held = written.clone().all(|write| code.is_top_level(write.register));
        let is_rising = written.clone().is_sorted_by_key(|write| write.choices);
        let highest = self.host_writes.last().map_or(0, |write| write.choices as usize);
        ensure(
            is_held && is_rising && highest <= self.choices.len(),
            "what the host has set belongs to no choice point",
        )?;
        let figures = &self.statistics;
        let numbers = [figures.steps, figures.choice_points, figures.failures, figures.collections];
        ensure(numbers.iter().all(|number| *number < 1 << 60), "a number is too large")?;
        let to = self.question.as_ref().map_or(0, |question| question.to);
        ensure(to < self.base + STEP, "an answer has no place")?;
        let depth = u64::from(self.depth);
        ensure(figures.depth >= depth, "calls are nested more deeply than ever")?;
        let last = self.choices.last().map_or(0, |choice| choice.serial);
        ensure(self.context.heap.top == last, "the latest choice point is another one")
    }

    pub(super) fn check_minimizations(&self) -> Result<(), Unsound> {
        self.minimizations.iter().try_for_each(|minimization| minimization.check(&self.context))
    }

    /// Checks that inputs have begun one after another.
    fn check_inputs(&self) -> Result<(), Unsound> {
        let begins = self.inputs.first().is_some_and(|input| input.choices == 0);
        let rising = self.inputs.windows(2).all(|two| two[0].choices <= two[1].choices);
        ensure(begins && rising && self.floor as usize <= self.choices.len(), "an input began out of order")?;
        let has_text = self.inputs.iter().all(|input| self.context.output.has(input.handed_over));
        ensure(has_text, "a height lies outside the text")
    }

    /// Checks that the frames that will run have in their first registers what their functions take along, as these
    /// are and as every failure will restore them. To be called when all else is known to be sound.
    pub(super) fn check_closures(&self) -> Result<(), Unsound> {
        let mut stack = self.stack.clone();
        let mut frames = self.frames.clone();
        if self.state == State::Running {
            self.check_closure(self.pc, stack[self.base as usize])?;
        }
        let waiting = &frames[..self.depth as usize];
        waiting.iter().try_for_each(|frame| self.check_closure(frame.pc, stack[frame.base as usize]))?;
        let mut height = self.saved_frames.len();
        for choice in self.choices.iter().rev() {
            let mut lowest = choice.frames as usize;
            for saved in self.saved_frames[choice.saved_frames as usize..height].iter().rev() {
                let (first, start, length) = (saved.first as usize, saved.start as usize, saved.length as usize);
                stack[first..first + length].copy_from_slice(&self.saves[start..start + length]);
                frames[saved.index as usize] = saved.frame;
                lowest = lowest.min(saved.index as usize);
            }
            height = choice.saved_frames as usize;
            let waiting = &frames[lowest..choice.frames as usize];
            waiting.iter().try_for_each(|frame| self.check_closure(frame.pc, stack[frame.base as usize]))?;
            self.check_closure(choice.pc, stack[choice.base as usize])?;
        }
        Ok(())
    }

    fn check_closure(&self, pc: u32, closure: Value) -> Result<(), Unsound> {
        let code = &self.context.code;
        let function = code.function_at(pc);
        let taken = code.functions[function as usize].captures.is_empty()
            || closure
                .handle_of(Kind::Function)
                .is_some_and(|closure| self.context.heap.functions[closure].function == function);
        ensure(taken, "a function runs without what it takes along")
    }

    /// Checks the frames as they are, and as every failure will restore them.
    fn check_frames(&self) -> Result<(), Unsound> {
        let mut frames: Vec<Frame> = self.frames.clone();
        frames.iter().try_for_each(|frame| check_frame(&self.context.code, frame))?;
        frames.windows(2).try_for_each(|two| check_step(two[0].base, two[1].base))?;
        check_first(&frames, self.base)?;
        let mut height = self.saved_frames.len();
        let mut input = self.inputs.len() - 1;
        for (at, choice) in self.choices.iter().enumerate().rev() {
            let before = std::mem::replace(&mut input, self.input_of(at));
            let Some(code) = &self.inputs[input].code else {
                return Err(Unsound::Wrong("a choice is open in an input without code"));
            };
            let kept = choice.saved_frames as usize;
            ensure(kept <= height, "a choice point lies too high")?;
            let mut lowest = frames.len();
            for saved in self.saved_frames[kept..height].iter().rev() {
                check_frame(code, &saved.frame)?;
                let index = saved.index as usize;
                ensure(index <= frames.len(), "a call that waits is missing")?;
                lowest = lowest.min(index);
                if index < frames.len() {
                    frames[index] = saved.frame;
                } else {
                    frames.push(saved.frame);
                }
            }
            height = kept;
            ensure(choice.frames as usize <= frames.len(), "a call that waits is missing")?;
            frames.truncate(choice.frames as usize);
            if input != before {
                frames.iter().try_for_each(|frame| check_frame(code, frame))?;
            }
            let touched = lowest.saturating_sub(1).min(frames.len());
            frames[touched..].windows(2).try_for_each(|two| check_step(two[0].base, two[1].base))?;
            check_first(&frames, choice.base)?;
            ensure(choice.pc > 0, "a choice has no place")?;
            check_place(code, choice.pc, true)?;
        }
        ensure(height == 0 || self.choices.is_empty(), "a call is saved for no choice point")
    }

    /// Checks that choice points lie on one another, and that what they have saved is theirs.
    fn check_heights(&self) -> Result<(), Unsound> {
        let output = &self.context.output;
        let mut lower = (0, 0, 0);
        for (at, choice) in self.choices.iter().enumerate() {
            let next = self.choices.get(at + 1);
            let ends = next.map_or((self.saves.len(), self.saved_frames.len()), |next| {
                (next.saves as usize, next.saved_frames as usize)
            });
            let saves = choice.saves as usize + self.kept_of(choice).len();
            let here = (choice.serial, choice.saves, choice.saved_frames);
            ensure(choice.serial > lower.0 && here.1 >= lower.1 && here.2 >= lower.2, "a choice point lies too low")?;
            ensure(saves <= ends.0 && choice.saved_frames as usize <= ends.1, "a choice point lies too high")?;
            for saved in &self.saved_frames[choice.saved_frames as usize..ends.1] {
                let (start, length) = (saved.start as usize, saved.length as usize);
                let (base, first) = (saved.frame.base as usize, saved.first as usize);
                let is_own = first >= base && first + length <= base + WINDOW;
                let fits = start >= saves && start + length <= ends.0 && is_own;
                ensure(fits, "the registers of a call are not where they should be")?;
            }
            ensure(output.has_been(choice.output), "a height lies outside the text")?;
            lower = here;
        }
        ensure(self.context.heap.serial >= lower.0, "a choice point is newer than the latest")
    }

    fn check_alternatives(&self, choice: &Choice) -> Result<(), Unsound> {
        let code = &self.context.code;
        let large = choice.large().map(|place| self.large.get(place));
        let op = code.ops[choice.pc as usize - 1];
        let fits = match op.flow() {
            Flow::Branch(table) => {
                let count = code.targets(table).len();
                match large {
                    Some(Some(Large::Branches(left))) => left.size() == count,
                    Some(_) => false,
                    None => choice.from == Value::NULL && choice.left != 0 && count < 32 && choice.left >> count == 0,
                }
            }
            _ if op.live().is_some() => match large {
                Some(Some(Large::Weighted(left))) => {
                    left.elements().iter().all(|(_, weight)| weight.is_finite() && *weight >= 0.0)
                }
                Some(large) => matches!(large, Some(Large::Elements(_))),
                None => choice.from != Value::NULL && choice.left != 0,
            },
            _ => false,
        };
        ensure(fits, "a choice point has alternatives that are not there")
    }
}

/// Checks that there is such an instruction.
fn check_place(code: &Code, pc: u32, goes_on: bool) -> Result<(), Unsound> {
    let length = code.ops.len() + usize::from(!goes_on);
    ensure((pc as usize) < length, "there is no such instruction")
}

fn check_frame(code: &Code, frame: &Frame) -> Result<(), Unsound> {
    ensure(frame.pc > 0, "a call has no place")?;
    check_place(code, frame.pc, true)
}

/// The registers of a function begin within the window of its caller.
fn check_step(caller: u32, base: u32) -> Result<(), Unsound> {
    ensure(base > caller && base - caller <= STEP, "the registers of calls do not lie on one another")
}

/// The registers above the waiting frames, or the first of all.
fn check_first(frames: &[Frame], base: u32) -> Result<(), Unsound> {
    match (frames.first(), frames.last()) {
        (Some(first), Some(last)) => {
            ensure(first.base == 0, "the first registers are missing")?;
            check_step(last.base, base)
        }
        _ => ensure(base == 0, "the first registers are missing"),
    }
}

#[cfg(test)]
impl Machine {
    /// Lets a register hold something else, as forged bytes could. False if there is no such register, or if a reader
    /// of saved runs would notice.
    pub fn forge(&mut self, register: usize, value: Value) -> bool {
        if register >= self.top() {
            return false;
        }
        self.stack[register] = value;
        self.check_closures().is_ok()
    }
}
