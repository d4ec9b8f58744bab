//! How a host calls functions of the script.

use super::HostCall;
use crate::frame::Frame;
use crate::machine::{Machine, State, WINDOW};
use crate::search::choices::barrier::BarrierKind;
use ndscript_heap::Value;

impl Machine {
    /// Begins a call of a value with arguments, which [`Machine::resume`] then runs. Its results are solutions.
    pub fn begin_host_call(&mut self, callee: Value, arguments: &[Value]) {
        if self.is_broken() {
            return;
        }
        self.end_host_call();
        self.finish_collection();
        let base = self.base as usize + self.window_size();
        let needed = base + 2 + arguments.len() + 2 * WINDOW;
        if self.stack.len() < needed {
            self.stack.resize(needed, Value::NULL);
            self.count_room();
        }
        let host_call = HostCall {
            running: Frame {
                pc: self.pc,
                base: self.base,
            },
            protect: self.choices.protect(),
            frames: self.depth,
            choices: self.choices.height() as u32,
            barriers: self.choices.barriers().len() as u32,
            gatherings: self.search.gatherings.len() as u32,
            minimizations: self.search.minimizations.len() as u32,
            restarts: self.search.restarts.len() as u32,
            output: self.context.output.mark(),
            handed_over: self.context.output.handed_over,
            state: self.state,
            unfinished: self.stop.unfinished.take(),
            stopped: self.stop.limit.take(),
            undelivered: std::mem::take(&mut self.stop.undelivered),
            question: self.question.take(),
            current_work: std::mem::take(&mut self.context.current_work),
            board_with_due_functions: self.context.heap.board_with_due_functions.take(),
            conflict: std::mem::take(&mut self.search.conflict),
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
        // The registers of the interrupted frame do not change, so none are saved: as if the call itself had made the
        // choice.
        self.pc = entry + 1;
        self.push_choice(Value::NULL, 0, 1);
        self.open_barrier(BarrierKind::HostCall, None);
        self.wait(host_call.running);
        self.context.output.handed_over = host_call.output;
        self.choices.set_floor(host_call.choices);
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
        self.host_call = Some(host_call);
    }

    /// Whether a call by the host is running.
    pub fn is_in_host_call(&self) -> bool {
        self.host_call.is_some()
    }

    /// Ends the call, if there is one. At a result its effects stay and its choices are discarded; otherwise it is
    /// undone.
    pub fn end_host_call(&mut self) {
        // After a panic nothing may be done, not even undone.
        if self.is_broken() || self.host_call.is_none() {
            return;
        }
        self.finish_collection();
        if self.state == State::Solved {
            self.keep_host_call();
        } else {
            self.undo_host_call();
        }
    }

    fn keep_host_call(&mut self) {
        let Some(host_call) = self.host_call.take() else {
            return;
        };
        self.drop_choices(host_call.choices as usize);
        self.forbid_skipping_guesses();
        self.leave_host_call(host_call);
        // The call may have changed what the current work reads, so the work starts again.
        self.drop_work();
    }

    /// Ends the call and undoes its effects, except random draws and steps.
    pub fn undo_host_call(&mut self) {
        if self.is_broken() || self.host_call.is_none() {
            return;
        }
        self.finish_collection();
        let Some(host_call) = self.host_call.take() else {
            return;
        };
        let own = host_call.choices as usize;
        if self.choices.height() > own {
            self.pass_over(own);
            self.restore(own);
            self.drop_latest_choice();
        }
        self.leave_host_call(host_call);
    }

    /// Restores the state of the run from before a call by the host.
    fn leave_host_call(&mut self, host_call: HostCall) {
        self.depth = host_call.frames;
        self.choices.close_down_to(host_call.barriers as usize);
        self.drop_visits();
        self.search
            .gatherings
            .truncate(host_call.gatherings as usize);
        self.search
            .minimizations
            .truncate(host_call.minimizations as usize);
        self.settle_floor();
        self.search.restarts.truncate(host_call.restarts as usize);
        self.context.output.cut_back(host_call.output.height());
        self.context.output.handed_over = host_call.handed_over;
        let Frame { pc, base } = host_call.running;
        (self.pc, self.base) = (pc, base);
        self.choices.set_protect(host_call.protect);
        self.state = host_call.state;
        self.stop.unfinished = host_call.unfinished;
        self.stop.limit = host_call.stopped;
        self.stop.undelivered = host_call.undelivered;
        self.question = host_call.question;
        self.drop_work();
        self.context.current_work = host_call.current_work;
        self.context.heap.board_with_due_functions = host_call.board_with_due_functions;
        self.search.conflict = host_call.conflict;
        self.result = host_call.result;
        self.choices.set_floor(host_call.floor);
        self.stays = host_call.stays;
    }

    /// How many choice points a question leaves alone: those of the run, if it is asked during a host call.
    pub(crate) fn choices_below(&self) -> usize {
        self.host_call
            .as_ref()
            .map_or(0, |host_call| host_call.choices as usize + 1)
    }
}
