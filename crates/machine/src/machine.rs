//! The state of a run, and how it starts and stops.

mod running;

use super::driver::Driver;
use super::errors::trace::ScriptError;
use super::frame::Frame;
use super::host::global::HostWrite;
use super::host::host_call::HostCall;
use super::host::inputs::Input;
use super::natives::context::Context;
use super::search::barrier::ResultCollection;
use super::search::choices::Choices;
use super::search::guesses::Guess;
use super::search::minimize::Minimization;
use super::search::restarts::Restarts;
use super::search::visits::Visits;
use ndscript_base::limits::LimitReached;
use ndscript_bytecode::Constant;
use ndscript_heap::store::collection::Collection;
use ndscript_heap::store::heap::SMALLEST_COLLECTION;
use ndscript_heap::{Heap, Value};
use ndscript_solver::Conflict;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A frame can use this many registers, so that register numbers of one byte need no check.
pub const WINDOW: usize = 256;

/// A running program.
#[derive(Clone)]
pub struct Machine {
    /// The registers of all frames; a frame is a window of it.
    pub(super) stack: Vec<Value>,
    /// The waiting calls, `depth` of them. Entries above are unused: the list is as long as calls have ever been
    /// nested, so that a call needs no other check.
    pub(super) frames: Vec<Frame>,
    pub(super) depth: u32,
    /// The choice points that failures go back to.
    pub(super) choices: Choices,
    pub search: SearchState,
    /// Writes by the host that no choice point has saved, oldest first.
    pub(super) host_writes: Vec<HostWrite>,
    // The frame that runs.
    pub(super) pc: u32,
    pub(super) base: u32,

    pub(super) constants: Vec<Value>,
    /// The inputs that have begun, oldest first: one program, or the inputs of a growing one.
    pub(super) inputs: Vec<Input>,
    /// Whether a failure may not go back into earlier inputs.
    pub(super) stays: bool,
    /// Whether an instruction that is carried out for a watcher returns from a failure before anything is undone.
    pub(super) announces_failures: bool,
    /// A failure has gone back into an earlier input, so other code must run.
    pub(super) has_left: bool,
    /// The value of the latest solution.
    pub(super) result: Value,
    pub context: Context,
    pub driver: Driver,
    pub(super) state: State,
    pub(super) stop: Stop,
    pub(super) question: Option<PendingQuestion>,
    /// The running call by the host.
    pub(super) host_call: Option<HostCall>,
    pub statistics: Statistics,
    /// Bytes of the rows of the machine, as they are in the account.
    pub(super) counted: usize,
    /// Whether it is running. If it is at rest and this is set, a panic has passed through it.
    pub(super) is_inside: bool,
    pub(super) cancelled: Arc<AtomicBool>,
    pub clock: RunClock,
    pub(super) grant: Grant,
    /// A collection of garbage that the latest resumption has not finished.
    pub(super) collection: Option<Box<Collection>>,
    /// The bytes that must fit once it has ended.
    pub(super) wanted_room: Option<usize>,
    /// Hashes of the state at each choice point, if backtracking is verified.
    #[cfg(debug_assertions)]
    pub(super) verified: Option<super::exactness::States>,
}

/// What open searches have done so far.
#[derive(Clone, Default)]
pub struct SearchState {
    pub(super) gatherings: Vec<ResultCollection>,
    pub(super) minimizations: Vec<Minimization>,
    pub(super) restarts: Vec<Restarts>,
    /// The states that `firstVisit` has seen, by open barriers, outermost first.
    pub(super) visits: Vec<Visits>,
    /// The guesses of `decide` that may be wrong, oldest first.
    pub(super) guesses: Vec<Guess>,
    /// The conflict of the current failure.
    pub(super) conflict: Conflict,
    /// How many guesses the latest failure has skipped.
    pub skipped_by_failure: u64,
}

/// Where and why the machine has stopped before its end.
#[derive(Clone, Default)]
pub(super) struct Stop {
    /// The state in which the run, or a restored copy of it, continues after it has stopped at a limit.
    pub(super) unfinished: Option<State>,
    /// The limit that it has stopped at.
    pub(super) limit: Option<LimitReached>,
    /// Whether limits were set since then.
    pub(super) has_new_limits: bool,
    /// Whether it stops at the first result of the outermost `minimize`: see [`Machine::dive`].
    pub(super) is_diving: bool,
    /// The latest solution did not fit into memory when it was handed over.
    pub(super) undelivered: bool,
}

/// Times by the host's clock.
#[derive(Clone, Default)]
pub struct RunClock {
    /// Time spent before the latest resumption.
    pub(super) timed: Duration,
    /// The longest collection of garbage.
    pub longest_pause: Duration,
    /// When the latest resumption was.
    pub(super) resumed_at: Duration,
}

/// The steps that the host has granted for this resumption.
#[derive(Clone, Default)]
pub(super) struct Grant {
    pub(super) steps: u64,
    /// Those that are not in the fuel yet: it is filled in slices, so that the machine checks limits and cancellation
    /// regularly.
    pub(super) reserve: u64,
}

/// What the machine does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Continue with the next instruction.
    Running,
    /// Look for another solution.
    Solved,
    /// Go back to the latest choice point.
    Failing,
    /// Nothing more: no solution is left, or there was an error or a limit.
    Ended,
}

/// A question that waits for its answer.
#[derive(Clone, Debug)]
pub(super) struct PendingQuestion {
    /// A string; only a forged one is anything else.
    pub prompt: Value,
    /// `None` for a free line.
    pub options: Option<Vec<Value>>,
    /// The place on the stack for the answer.
    pub to: u32,
    /// The number under which a function of the host waits, if the script does not ask itself.
    pub ticket: Option<u64>,
    /// The message with which the host refused a result.
    pub refused: Option<String>,
}

/// Why the machine stopped.
#[derive(Clone, Debug)]
pub enum Exit {
    /// The program has ended with this value.
    Solved(Value),
    OutOfFuel,
    Asked,
    /// No solution is left.
    Failed,
    /// A failure has gone back into an earlier input: the main loop must restart with the code of that input.
    Reentered,
    /// An instruction has started work that is larger than a piece.
    Working,
    /// The branch fails, and the observer wants to see it before anything is undone. [`Machine::fail`] follows.
    Failing,
    Error(Box<ScriptError>),
    Limit(LimitReached),
}

/// Statistics of a run so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Fuel that was used.
    pub steps: u64,
    /// Choice points that were made.
    pub choice_points: u64,
    /// Branches that have failed: by `fail`, by a condition that did not hold, because nothing was left to choose, or
    /// because another solution was wanted. After the last one there is nothing to go back to if the search has
    /// ended.
    pub failures: u64,
    /// Alternatives of choice points that were tried, the first of each included.
    pub alternatives: u64,
    /// Guesses of `decide` that were skipped when backtracking, because they had no part in a failure.
    pub skipped: u64,
    /// The largest number of nested calls at a check.
    pub depth: u64,
    /// The largest number of bytes at a check.
    pub memory: usize,
    /// Collections of garbage.
    pub collections: u64,
    /// The largest number of open choice points.
    pub open_choices: u64,
}

impl Machine {
    /// A machine at the start of its program. The program's constants and globals go into the heap of `context`.
    pub fn new(mut context: Context, cancelled: Arc<AtomicBool>) -> Machine {
        // Arenas do not shrink, so under a tight limit garbage must not accumulate at first.
        context.heap.account.collect_at = SMALLEST_COLLECTION.min(context.limits.memory / 4);
        let code = context.code.clone();
        let mut machine = Machine::bare(context, cancelled);
        machine.begin(code);
        machine
    }

    /// A machine without constants and globals at the start of a program.
    pub(super) fn bare(context: Context, cancelled: Arc<AtomicBool>) -> Machine {
        let code = context.code.clone();
        Machine {
            stack: vec![Value::NULL; 2 * WINDOW],
            frames: Vec::new(),
            depth: 0,
            choices: Choices::default(),
            search: SearchState::default(),
            host_writes: Vec::new(),
            pc: code.heads[code.main as usize].entry,
            base: 0,
            constants: Vec::new(),
            inputs: Vec::new(),
            stays: false,
            announces_failures: false,
            has_left: false,
            result: Value::NULL,
            context,
            driver: Driver::default(),
            state: State::Running,
            stop: Stop::default(),
            question: None,
            host_call: None,
            statistics: Statistics::default(),
            counted: 0,
            is_inside: false,
            cancelled,
            clock: RunClock::default(),
            grant: Grant::default(),
            collection: None,
            wanted_room: None,
            #[cfg(debug_assertions)]
            verified: None,
        }
    }

    /// Sets the flag for cancellation.
    pub fn set_cancelled(&mut self, cancelled: Arc<AtomicBool>) {
        self.cancelled = cancelled;
    }

    /// The end of the registers that may be in use.
    pub(super) fn top(&self) -> usize {
        (self.base as usize + self.window_size()).min(self.stack.len())
    }

    /// The registers of the running frame that may be in use.
    pub(super) fn window_size(&self) -> usize {
        let code = &self.context.code;
        // At the end of the program there may be no further instruction.
        let at_end = self.stop.unfinished.unwrap_or(self.state) == State::Solved;
        let pc = if at_end {
            self.pc.saturating_sub(1)
        } else {
            self.pc
        };
        code.functions[code.function_at(pc) as usize].registers as usize
    }

    /// How many barriers are open, at whose end choices are discarded or effects undone.
    pub fn open_barriers(&self) -> usize {
        self.choices.barriers().len()
    }

    /// How many choice points are open.
    pub fn open_choices(&self) -> usize {
        self.choices.height()
    }
}

pub(super) fn constant_value(heap: &mut Heap, constant: &Constant) -> Value {
    match constant {
        Constant::Text(text) => heap.text(text),
        Constant::Float(float) => heap.float(*float).unwrap_or(Value::ZERO),
        Constant::Integer(integer) => Heap::integer(*integer).unwrap_or(Value::ZERO),
        Constant::Boolean(boolean) => Value::boolean(*boolean),
    }
}

ndscript_base::saved!(enum State { 0 => Running {}, 1 => Solved {}, 2 => Failing {}, 3 => Ended {} });

ndscript_base::saved!(struct PendingQuestion { prompt, options, to, ticket, refused });

ndscript_base::saved!(struct Statistics {
    steps,
    choice_points,
    failures,
    alternatives,
    skipped,
    depth,
    memory,
    collections,
    open_choices,
});
