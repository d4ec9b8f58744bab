//! Calls by the host: a function of the script runs above the interrupted run.
//!
//! Below everything that a call does lies a choice point without alternatives. Going back to it restores the run as
//! it was; so a call can be undone at any time, and one without further results undoes itself.

mod in_machine;

use super::output::OutputMark;
use crate::frame::Frame;
use crate::machine::{PendingQuestion, State};
use crate::work::CurrentWork;
use ndscript_base::limits::LimitReached;
use ndscript_heap::Value;
use ndscript_solver::Conflict;

/// A running call by the host: the state of the interrupted run, and the heights of all stacks.
#[derive(Clone, Debug)]
pub(crate) struct HostCall {
    /// The interrupted frame.
    running: Frame,
    protect: u32,
    pub frames: u32,
    /// How many choice points there were. The next one undoes the call.
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
    pub question: Option<PendingQuestion>,
    pub current_work: CurrentWork,
    /// The board with due functions.
    board_with_due_functions: Option<Value>,
    /// The conflict of the current failure.
    conflict: Conflict,
    pub result: Value,
    floor: u32,
    stays: bool,
}

impl HostCall {
    /// The values of the interrupted run.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let options = self
            .question
            .as_ref()
            .and_then(|question| question.options.as_deref());
        let prompt = self.question.as_ref().map(|question| question.prompt);
        std::iter::once(self.result)
            .chain(self.board_with_due_functions)
            .chain(prompt)
            .chain(options.unwrap_or_default().iter().copied())
    }
}
