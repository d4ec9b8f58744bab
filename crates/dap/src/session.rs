//! A session of a client: messages go in and come out, and between them a move goes on in slices.

use super::breakpoint::{Breakpoint, Filters};
use super::debuggee::Debuggee;
use super::launch::{Host, Launch};
use super::message::Outbox;
use super::motion::Motion;

/// A debugger for one client.
///
/// ```
/// use ndscript::{Engine, Run};
/// use ndscript_dap::{Host, Launch, Session};
/// use serde_json::json;
///
/// struct OneProgram;
/// impl Host for OneProgram {
///     fn launch(&mut self, launch: &Launch) -> Result<Run, String> {
///         let program = Engine::new().compile_named(&launch.program, "let x = choose(1, 2);\nrequire(x > 1);");
///         Ok(program.map_err(|error| error.to_string())?.run(1))
///     }
///     fn path(&self, name: &str) -> Option<String> {
///         Some(name.to_string())
///     }
/// }
///
/// let mut session = Session::new(OneProgram);
/// let mut send = |command: &str, arguments| {
///     let request = json!({"seq": 1, "type": "request", "command": command, "arguments": arguments});
///     let mut answers = session.handle(&request);
///     while session.is_moving() {
///         answers.extend(session.work(1000));
///     }
///     answers
/// };
/// send("initialize", json!({}));
/// send("launch", json!({"program": "a.nds"}));
/// send("setExceptionBreakpoints", json!({"filters": ["failure", "solution"]}));
/// let stopped = send("configurationDone", json!({}));
/// assert_eq!(stopped.last().unwrap()["body"]["description"], "fail: the condition does not hold");
/// let stopped = send("continue", json!({"threadId": 1}));
/// assert_eq!(stopped.last().unwrap()["body"]["description"], "Solution 1");
/// ```
pub struct Session<H> {
    pub(super) host: H,
    pub(super) out: Outbox,
    pub(super) launched: Option<Launch>,
    pub(super) debuggee: Option<Debuggee>,
    pub(super) motion: Option<Motion>,
    pub(super) breakpoints: Vec<Breakpoint>,
    /// The number of the latest breakpoint.
    pub(super) numbered: u64,
    pub(super) filters: Filters,
    /// The numbers of the client's first line and column.
    pub(super) first_line: u64,
    pub(super) first_column: u64,
    pub(super) has_ended: bool,
}

impl<H: Host> Session<H> {
    /// A session that nothing was said in.
    pub fn new(host: H) -> Session<H> {
        Session {
            host,
            out: Outbox::default(),
            launched: None,
            debuggee: None,
            motion: None,
            breakpoints: Vec::new(),
            numbered: 0,
            filters: Filters {
                solution: true,
                ..Filters::default()
            },
            first_line: 1,
            first_column: 1,
            has_ended: false,
        }
    }

    /// Whether the run is moving: then [`Session::work`] is to be called again and again, and messages may come in between.
    pub fn is_moving(&self) -> bool {
        self.motion.is_some()
    }

    /// Whether the client has left.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Goes back to an open choice and takes another alternative of it, both counted from 0.
    pub(super) fn take(&mut self, choice: usize, alternative: usize) -> Result<String, String> {
        let Some(debuggee) = &mut self.debuggee else {
            return Err("no program is debugged".to_string());
        };
        let named = debuggee
            .scene(choice + 1)?
            .choices
            .get(choice)
            .and_then(|choice| choice.alternatives.get(alternative).cloned());
        debuggee
            .walk
            .take(choice, alternative)
            .map_err(|error| error.to_string())?;
        self.other_way("");
        Ok(format!(
            "took {}; `untake` returns",
            named.unwrap_or_default()
        ))
    }

    /// The run is on another way than before; why, in words.
    pub(super) fn other_way(&mut self, words: &str) {
        self.breakpoints.iter_mut().for_each(Breakpoint::forget);
        if let Some(debuggee) = &mut self.debuggee {
            debuggee.sent_solutions = 0;
            debuggee.stop(&mut self.out, "goto", words, &[]);
        }
    }
}
