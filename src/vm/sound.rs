//! Whether a machine that was read back can be one: that every function, instruction, table and height which it will
//! go back to is there. What registers hold is known to be a value, but not of which kind an instruction wants it.

use super::choice::{Alternatives, Choice};
use super::frame::Frame;
use super::machine::{Machine, State, WINDOW};
use crate::codec::{Unsound, ensure};
use crate::value::{Kind, Value};

/// The greatest distance between the registers of a function and those of one that it calls.
const STEP: u32 = WINDOW as u32;

impl Machine {
    pub(super) fn check_soundness(&self) -> Result<(), Unsound> {
        let goes_on = self.state == State::Running;
        self.check_place(self.function, self.pc, self.closure, goes_on)?;
        let code = &self.context.code.functions;
        let has_code = |number: u32| code.get(number as usize).is_some_and(|function| !function.code.is_empty());
        let closures = self.context.heap.functions.iter().all(|closure| has_code(closure.function));
        ensure(closures, "there is no such function")?;
        self.check_frames()?;
        self.check_heights()?;
        self.choices.iter().try_for_each(|choice| self.check_alternatives(choice))?;
        let figures = &self.statistics;
        let numbers = [figures.steps, figures.choice_points, figures.failures, figures.collections];
        ensure(numbers.iter().all(|number| *number < 1 << 60), "a number is too large")?;
        let to = self.question.as_ref().map_or(0, |question| question.to);
        ensure(to < self.base + STEP, "an answer has no place")?;
        let depth = self.frames.len() as u64;
        ensure(figures.depth >= depth, "calls are nested more deeply than ever")?;
        let last = self.choices.last().map_or(0, |choice| choice.serial);
        ensure(self.context.heap.top == last, "the latest choice point is another one")
    }

    pub(super) fn check_minimizations(&self) -> Result<(), Unsound> {
        self.minimizations.iter().try_for_each(|minimization| minimization.check(&self.context))
    }

    /// Checks that there is such an instruction, and that the function has what it takes along.
    fn check_place(&self, function: u32, pc: u32, closure: Value, goes_on: bool) -> Result<(), Unsound> {
        let code = &self.context.code.functions;
        let code = code.get(function as usize).ok_or(Unsound::Wrong("there is no such function"))?;
        let length = code.code.len() + usize::from(!goes_on);
        ensure((pc as usize) < length, "there is no such instruction")?;
        let taken = match closure.kind() {
            Kind::Function => self.context.heap.functions[closure.payload()].function == function,
            Kind::Null => code.captures.is_empty(),
            _ => false,
        };
        ensure(taken, "a function runs without what it takes along")
    }

    /// Checks the frames as they are, and as every failure will restore them.
    fn check_frames(&self) -> Result<(), Unsound> {
        let mut frames: Vec<Frame> = self.frames.clone();
        frames.iter().try_for_each(|frame| self.check_frame(frame))?;
        frames.windows(2).try_for_each(|two| check_step(two[0].base, two[1].base))?;
        check_first(&frames, self.base)?;
        let mut height = self.saved_frames.len();
        for choice in self.choices.iter().rev() {
            let kept = choice.saved_frames as usize;
            ensure(kept <= height, "a choice point lies too high")?;
            let mut lowest = frames.len();
            for saved in self.saved_frames[kept..height].iter().rev() {
                self.check_frame(&saved.frame)?;
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
            let touched = lowest.saturating_sub(1).min(frames.len());
            frames[touched..].windows(2).try_for_each(|two| check_step(two[0].base, two[1].base))?;
            check_first(&frames, choice.base)?;
            self.check_place(choice.function, choice.pc, choice.closure, true)?;
        }
        ensure(height == 0 || self.choices.is_empty(), "a call is saved for no choice point")
    }

    fn check_frame(&self, frame: &Frame) -> Result<(), Unsound> {
        ensure(frame.pc > 0, "a call has no place")?;
        self.check_place(frame.function, frame.pc, frame.closure, true)
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
            let saves = choice.saves as usize + choice.live as usize;
            let here = (choice.serial, choice.saves, choice.saved_frames);
            ensure(choice.serial > lower.0 && here.1 >= lower.1 && here.2 >= lower.2, "a choice point lies too low")?;
            ensure(saves <= ends.0 && choice.saved_frames as usize <= ends.1, "a choice point lies too high")?;
            for saved in &self.saved_frames[choice.saved_frames as usize..ends.1] {
                let (start, length) = (saved.start as usize, saved.length as usize);
                let fits = start >= saves && start + length <= ends.0 && length <= WINDOW;
                ensure(fits, "the registers of a call are not where they should be")?;
            }
            ensure(output.has(choice.output), "a height lies outside the text")?;
            lower = here;
        }
        ensure(self.context.heap.serial >= lower.0, "a choice point is newer than the latest")
    }

    fn check_alternatives(&self, choice: &Choice) -> Result<(), Unsound> {
        let tables = &self.context.code.functions[choice.function as usize].tables;
        let size = |table: u32| tables.get(table as usize).map_or(0, |targets| targets.len());
        let fits = match &choice.alternatives {
            Alternatives::Branches { table, left, .. } => {
                let count = size(*table);
                (1..=32).contains(&count) && (count == 32 || left >> count == 0)
            }
            Alternatives::ManyBranches { table, left } => left.size() == size(*table),
            Alternatives::Weighted { left, .. } => {
                left.elements.iter().all(|(_, weight)| weight.is_finite() && *weight >= 0.0)
            }
            Alternatives::InOrder { collection, next, .. } => {
                let array = collection.handle_of(Kind::Array);
                array.is_some_and(|array| (*next as usize) < self.context.heap.array_len(array))
            }
            Alternatives::Elements { .. } | Alternatives::OncePicked { .. } | Alternatives::ManyElements { .. } => true,
        };
        ensure(fits, "a choice point has alternatives that are not there")
    }
}

/// The registers of a function begin within the window of its caller.
fn check_step(caller: u32, base: u32) -> Result<(), Unsound> {
    ensure(base > caller && base - caller <= STEP, "the registers of calls do not lie on one another")
}

/// The registers above the waiting frames, or the first of all.
fn check_first(frames: &[Frame], base: u32) -> Result<(), Unsound> {
    match (frames.first(), frames.last()) {
        (Some(first), Some(last)) => {
            ensure(first.base == 1, "the first registers are missing")?;
            check_step(last.base, base)
        }
        _ => ensure(base == 1, "the first registers are missing"),
    }
}
