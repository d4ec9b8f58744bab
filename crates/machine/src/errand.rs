//! Calls of the host: a function of the script runs above whatever the run is doing, which stands still meanwhile.
//!
//! Below everything that a call does lies a choice point without alternatives. Going back to it restores the run as it
//! was; so a call can be undone at any time, and one without further results undoes itself.

use super::choices::barrier::BarrierKind;
use super::frame::Frame;
use super::machine::{Machine, Pending, State, WINDOW};
use super::output::OutputMark;
use super::work::UnderWay;
use ndscript_base::limits::LimitReached;
use ndscript_heap::Value;
use ndscript_solver::Conflict;

/// A call of the host that is under way: what the run was doing, and how high everything stood.
#[derive(Clone, Debug)]
pub(super) struct Errand {
    /// The frame that stands still.
    running: Frame,
    protect: u32,
    pub frames: u32,
    /// How many choice points there were. The next is the one that undoes the call.
    pub choices: u32,
    barriers: u32,
    gatherings: u32,
    pub minimizations: u32,
    restarts: u32,
    output: OutputMark,
    handed_over: OutputMark,
    pub state: State,
    unfinished: Option<State>,
    stopped: Option<LimitReached>,
    undelivered: bool,
    pub question: Option<Pending>,
    pub under_way: UnderWay,
    /// The board of which functions are to run.
    woken: Option<Value>,
    /// What the failure comes from that is under way.
    conflict: Conflict,
    pub result: Value,
    floor: u32,
    stays: bool,
}

impl Errand {
    /// The values that it keeps for the run.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let options = self
            .question
            .as_ref()
            .and_then(|question| question.options.as_deref());
        let prompt = self.question.as_ref().map(|question| question.prompt);
        std::iter::once(self.result)
            .chain(self.woken)
            .chain(prompt)
            .chain(options.unwrap_or_default().iter().copied())
    }
}

impl Machine {
    /// Begins a call of a value with arguments, which [`Machine::resume`] then runs. Its results are solutions.
    pub fn begin_errand(&mut self, callee: Value, arguments: &[Value]) {
        if self.is_broken() {
            return;
        }
        self.end_errand();
        let base = self.base as usize + self.window_size();
        let needed = base + 2 + arguments.len() + 2 * WINDOW;
        if self.stack.len() < needed {
            self.stack.resize(needed, Value::NULL);
            self.count_room();
        }
        let errand = Errand {
            running: Frame {
                pc: self.pc,
                base: self.base,
            },
            protect: self.choices.protect(),
            frames: self.depth,
            choices: self.choices.height() as u32,
            barriers: self.choices.barriers().len() as u32,
            gatherings: self.gatherings.len() as u32,
            minimizations: self.minimizations.len() as u32,
            restarts: self.restarts.len() as u32,
            output: self.context.output.mark(),
            handed_over: self.context.output.handed_over,
            state: self.state,
            unfinished: self.unfinished.take(),
            stopped: self.stopped.take(),
            undelivered: std::mem::take(&mut self.undelivered),
            question: self.question.take(),
            under_way: std::mem::take(&mut self.context.under_way),
            woken: self.context.heap.woken.take(),
            conflict: std::mem::take(&mut self.conflict),
            result: self.result,
            floor: self.choices.floor() as u32,
            stays: self.stays,
        };
        let code = &self.context.code;
        let calls = &code.calls_of_host;
        // The last of them takes a list, for any number of arguments.
        let direct = arguments.len() + 1 < calls.len();
        let entry = code.heads[calls[if direct {
            arguments.len()
        } else {
            calls.len() - 1
        }] as usize]
            .entry;
        // The registers of the frame that stands still are not touched, so none are saved: as if the call itself had
        // made the choice.
        self.pc = entry + 1;
        self.push_choice(Value::NULL, 0, 1);
        self.open_barrier(BarrierKind::Errand, None);
        self.wait(errand.running);
        self.context.output.handed_over = errand.output;
        self.choices.set_floor(errand.choices);
        self.stays = true;
        self.pc = entry;
        self.base = base as u32;
        self.stack[base + 1] = callee;
        if direct {
            self.stack[base + 2..base + 2 + arguments.len()].copy_from_slice(arguments);
        } else {
            self.stack[base + 2] = self.context.heap.array(arguments.to_vec());
        }
        self.state = State::Running;
        self.errand = Some(errand);
    }

    /// Ends the call, if there is one. At a result its effects stay and its choices are forgotten; anywhere else it is
    /// undone.
    pub fn end_errand(&mut self) {
        // Nothing may be done to what a panic has left, not even taken back.
        if self.is_broken() {
            return;
        }
        if self.state == State::Solved {
            self.keep_errand();
        } else {
            self.undo_errand();
        }
    }

    fn keep_errand(&mut self) {
        let Some(errand) = self.errand.take() else {
            return;
        };
        self.forget_choices(errand.choices as usize);
        self.spoil_guesses();
        self.leave_errand(errand);
        // What the call has changed may be what the work goes over, so that begins anew.
        self.drop_work();
    }

    /// Ends the call and undoes what it did, random draws and steps excepted.
    pub fn undo_errand(&mut self) {
        if self.is_broken() {
            return;
        }
        let Some(errand) = self.errand.take() else {
            return;
        };
        let own = errand.choices as usize;
        if self.choices.height() > own {
            self.pass_over(own);
            self.restore(own);
            self.drop_latest_choice();
        }
        self.leave_errand(errand);
    }

    fn leave_errand(&mut self, errand: Errand) {
        self.depth = errand.frames;
        self.choices.close_down_to(errand.barriers as usize);
        self.forget_visits();
        self.gatherings.truncate(errand.gatherings as usize);
        self.minimizations.truncate(errand.minimizations as usize);
        self.settle_floor();
        self.restarts.truncate(errand.restarts as usize);
        self.context.output.cut_back(errand.output.height());
        self.context.output.handed_over = errand.handed_over;
        let Frame { pc, base } = errand.running;
        (self.pc, self.base) = (pc, base);
        self.choices.set_protect(errand.protect);
        self.state = errand.state;
        self.unfinished = errand.unfinished;
        self.stopped = errand.stopped;
        self.undelivered = errand.undelivered;
        self.question = errand.question;
        self.drop_work();
        self.context.under_way = errand.under_way;
        self.context.heap.woken = errand.woken;
        self.conflict = errand.conflict;
        self.result = errand.result;
        self.choices.set_floor(errand.floor);
        self.stays = errand.stays;
    }

    /// How many of the choice points a question leaves alone: those of the run, if it is asked in a call of the host.
    pub(super) fn choices_below(&self) -> usize {
        self.errand
            .as_ref()
            .map_or(0, |errand| errand.choices as usize + 1)
    }
}
