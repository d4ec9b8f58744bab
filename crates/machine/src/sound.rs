//! Checks a machine that was read back: every function, instruction, table and height to which it will go back must
//! exist. Registers are known to hold values, but not of the kinds that instructions expect.

use super::frame::Frame;
use super::machine::{Machine, State, WINDOW};
use super::search::choices::barrier::BarrierKind;
use super::search::choices::choice::{Choice, LargeAlternatives};
use super::search::guesses::Failed;
use ndscript_base::codec::{Unsound, ensure};
use ndscript_bytecode::{Code, Flow};
use ndscript_heap::kinds::function::Closure;
use ndscript_heap::{Kind, Value};

/// The greatest distance between the registers of a function and those of one that it calls.
const STEP: u32 = WINDOW as u32;

impl Machine {
    /// Checks that the state that was read back is one that a run can be in.
    pub(super) fn check_soundness(&self) -> Result<(), Unsound> {
        self.check_inputs()?;
        let continues = self.state == State::Running;
        let code = &self.context.code;
        check_place(code, self.pc, continues)?;
        let has_code = |number: u32| (number as usize) < code.functions.len() && code.has(number);
        let mut closures = self
            .context
            .heap
            .functions
            .iter()
            .map(|closure| closure.function);
        let are_valid = closures.all(|function| function == Closure::GONE || has_code(function));
        ensure(are_valid, "there is no such function")?;
        self.choices.check()?;
        self.check_frames()?;
        self.choices
            .check_own(|choice| self.saved_registers(choice).len())?;
        let has_been = self
            .choices
            .points_from(0)
            .all(|choice| self.context.output.has_been(choice.output));
        ensure(has_been, "a height lies outside the text")?;
        self.choices
            .points_from(0)
            .try_for_each(|choice| self.check_alternatives(&choice))?;
        let rising = self
            .visits
            .windows(2)
            .all(|two| two[0].barriers < two[1].barriers);
        let innermost = self
            .visits
            .last()
            .map_or(0, |visits| visits.barriers as usize);
        ensure(
            rising && innermost <= self.choices.barriers().len(),
            "what was visited belongs to no barrier",
        )?;
        let kind_of = |barrier: u32| {
            self.choices
                .barriers()
                .get(barrier as usize)
                .map(|barrier| barrier.kind)
        };
        let is_open = self
            .restarts
            .iter()
            .all(|restarts| kind_of(restarts.barrier) == Some(BarrierKind::Restarts));
        ensure(is_open, "a search that begins again has no barrier")?;
        let written = self.host_writes.iter();
        let is_held = written
            .clone()
            .all(|write| code.is_top_level(write.register));
        let is_rising = written.clone().is_sorted_by_key(|write| write.choices);
        let highest = self
            .host_writes
            .last()
            .map_or(0, |write| write.choices as usize);
        ensure(
            is_held && is_rising && highest <= self.choices.height(),
            "what the host has set belongs to no choice point",
        )?;
        self.check_guesses()?;
        let figures = &self.statistics;
        let numbers = [
            figures.steps,
            figures.choice_points,
            figures.failures,
            figures.skipped,
            figures.collections,
        ];
        ensure(
            numbers.iter().all(|number| *number < 1 << 60),
            "a number is too large",
        )?;
        let to = self.question.as_ref().map_or(0, |question| question.to);
        ensure(to < self.base + STEP, "an answer has no place")?;
        let depth = u64::from(self.depth);
        ensure(
            figures.depth >= depth,
            "calls are nested more deeply than ever",
        )?;
        let last = self.choices.latest_serial();
        ensure(
            self.context.heap.serial >= last,
            "a choice point is newer than the latest",
        )?;
        let last = last.max(self.context.heap.floor);
        ensure(
            self.context.heap.top == last && self.context.heap.serial >= last,
            "the latest choice point is another one",
        )
    }

    pub(super) fn check_minimizations(&self) -> Result<(), Unsound> {
        self.minimizations
            .iter()
            .try_for_each(|minimization| minimization.check(&self.context))
    }

    /// Checks that guesses belong to boards and choice points.
    fn check_guesses(&self) -> Result<(), Unsound> {
        let heap = &self.context.heap;
        let has_places = |board: Value, places: &[u32]| {
            let count = heap.places_of(board);
            places.iter().all(|place| (*place as usize) < count)
        };
        for guess in &self.guesses {
            ensure(
                matches!(guess.board.kind(), Kind::Grid | Kind::Array | Kind::Object),
                "a guess has no board",
            )?;
            let has_part = match &guess.failed {
                Failed::Places(places) => has_places(guess.board, places),
                Failed::Somehow => true,
            };
            ensure(
                has_part && guess.choices as usize <= self.choices.height(),
                "a guess lies outside of its board",
            )?;
        }
        let rising = self
            .guesses
            .windows(2)
            .all(|two| two[0].choices <= two[1].choices);
        let is_open = self.guesses.iter().filter(|guess| !guess.is_last);
        let has_choice = is_open
            .clone()
            .all(|guess| (guess.choices as usize) < self.choices.height());
        ensure(rising && has_choice, "a guess has no choice point")?;
        let of_conflict = match self.guesses.last() {
            Some(guess) => has_places(guess.board, self.conflict.places()),
            None => self.conflict.places().is_empty(),
        };
        ensure(of_conflict, "a conflict lies outside of its board")
    }

    /// Checks that inputs have begun one after another.
    fn check_inputs(&self) -> Result<(), Unsound> {
        let begins = self.inputs.first().is_some_and(|input| input.choices == 0);
        let rising = self
            .inputs
            .windows(2)
            .all(|two| two[0].choices <= two[1].choices);
        ensure(
            begins && rising && self.choices.floor() <= self.choices.height(),
            "an input began out of order",
        )?;
        let has_text = self
            .inputs
            .iter()
            .all(|input| self.context.output.has(input.handed_over));
        ensure(has_text, "a height lies outside the text")
    }

    /// Checks that the first registers of all frames that will run hold what their functions capture, both now and as
    /// every failure will restore them. To be called when all else is known to be sound.
    pub(super) fn check_closures(&self) -> Result<(), Unsound> {
        let mut stack = self.stack.clone();
        let mut frames = self.frames.clone();
        if self.state == State::Running {
            self.check_closure(self.pc, stack[self.base as usize])?;
        }
        let waiting = &frames[..self.depth as usize];
        waiting
            .iter()
            .try_for_each(|frame| self.check_closure(frame.pc, stack[frame.base as usize]))?;
        for (_, choice, saved) in self.choices.going_back() {
            let mut lowest = choice.frames as usize;
            for saved in saved {
                let first = saved.first as usize;
                stack[first..first + saved.registers.len()].copy_from_slice(&saved.registers);
                frames[saved.index as usize] = saved.frame;
                lowest = lowest.min(saved.index as usize);
            }
            let waiting = &frames[lowest..choice.frames as usize];
            waiting
                .iter()
                .try_for_each(|frame| self.check_closure(frame.pc, stack[frame.base as usize]))?;
            self.check_closure(choice.pc, stack[choice.base as usize])?;
        }
        Ok(())
    }

    /// Checks that the running function, if it captures variables, runs as a closure of its own.
    fn check_closure(&self, pc: u32, closure: Value) -> Result<(), Unsound> {
        let code = &self.context.code;
        let function = code.function_at(pc);
        let is_valid = code.functions[function as usize].captures.is_empty()
            || closure
                .handle_of(Kind::Function)
                .is_some_and(|closure| self.context.heap.functions[closure].function == function);
        ensure(is_valid, "a function runs without its captured variables")
    }

    /// Checks the frames as they are, and as every failure will restore them.
    fn check_frames(&self) -> Result<(), Unsound> {
        let mut frames: Vec<Frame> = self.frames.clone();
        frames
            .iter()
            .try_for_each(|frame| check_frame(&self.context.code, frame))?;
        frames
            .windows(2)
            .try_for_each(|two| check_step(two[0].base, two[1].base))?;
        check_first(&frames, self.base)?;
        let mut input = self.inputs.len() - 1;
        for (at, choice, saved) in self.choices.going_back() {
            let before = std::mem::replace(&mut input, self.input_of(at));
            let Some(code) = &self.inputs[input].code else {
                return Err(Unsound::Wrong("a choice is open in an input without code"));
            };
            let mut lowest = frames.len();
            for saved in saved {
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
            ensure(
                choice.frames as usize <= frames.len(),
                "a call that waits is missing",
            )?;
            frames.truncate(choice.frames as usize);
            if input != before {
                frames
                    .iter()
                    .try_for_each(|frame| check_frame(code, frame))?;
            }
            let touched = lowest.saturating_sub(1).min(frames.len());
            frames[touched..]
                .windows(2)
                .try_for_each(|two| check_step(two[0].base, two[1].base))?;
            check_first(&frames, choice.base)?;
            ensure(choice.pc > 0, "a choice has no place")?;
            check_place(code, choice.pc, true)?;
        }
        Ok(())
    }

    /// Checks that the instruction of a choice point has the alternatives that are left.
    fn check_alternatives(&self, choice: &Choice) -> Result<(), Unsound> {
        let code = &self.context.code;
        let large = choice.large().map(|_| self.choices.large_of(choice));
        let op = code.ops[choice.pc as usize - 1];
        let fits = match op.flow() {
            Flow::Branch(table) => {
                let count = code.targets(table).len();
                match large {
                    Some(Some(LargeAlternatives::Branches(left))) => left.size() == count,
                    Some(_) => false,
                    None => {
                        choice.from == Value::NULL
                            && choice.left != 0
                            && count < 32
                            && choice.left >> count == 0
                    }
                }
            }
            _ if op.live_registers().is_some() => match large {
                Some(Some(LargeAlternatives::Weighted(left))) => left
                    .elements()
                    .iter()
                    .all(|(_, weight)| weight.is_finite() && *weight >= 0.0),
                Some(large) => matches!(large, Some(LargeAlternatives::Elements(_))),
                None => choice.from != Value::NULL && choice.left != 0,
            },
            _ => false,
        };
        ensure(fits, "a choice point has alternatives that are not there")
    }
}

/// Checks that there is such an instruction.
fn check_place(code: &Code, pc: u32, continues: bool) -> Result<(), Unsound> {
    let length = code.ops.len() + usize::from(!continues);
    ensure((pc as usize) < length, "there is no such instruction")
}

fn check_frame(code: &Code, frame: &Frame) -> Result<(), Unsound> {
    ensure(frame.pc > 0, "a call has no place")?;
    check_place(code, frame.pc, true)
}

/// The registers of a function begin within the window of its caller.
fn check_step(caller: u32, base: u32) -> Result<(), Unsound> {
    ensure(
        base > caller && base - caller <= STEP,
        "the registers of calls do not lie on one another",
    )
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

impl Machine {
    /// For tests: puts another value into a register, as forged bytes could. False if there is no such register, or
    /// if a reader of saved runs would notice.
    #[doc(hidden)]
    pub fn forge(&mut self, register: usize, value: Value) -> bool {
        if register >= self.top() {
            return false;
        }
        self.stack[register] = value;
        self.check_closures().is_ok()
    }
}
