//! Messages of a client are taken in, and what they ask for is done.

use ndscript_timeline::{Direction, Goal};
use serde_json::{Value, json};

use super::breakpoint::{Breakpoint, Filters};
use super::debuggee::Debuggee;
use super::launch::{Host, Launch};
use super::message::Request;
use super::motion::Wish;
use super::session::Session;

impl<H: Host> Session<H> {
    /// Takes a message of the client and gives what is to be sent back. What is no request is passed over.
    pub fn handle(&mut self, message: &Value) -> Vec<Value> {
        if let Some(request) = Request::of(message) {
            self.carry_out(&request);
        }
        self.take_messages()
    }

    /// Lets a move go on for about this many steps.
    pub fn work(&mut self, fuel: u64) -> Vec<Value> {
        self.advance(fuel);
        self.take_messages()
    }

    /// What is to be sent. Pictures go first: who hears that the run has stopped has heard all that it shows there.
    fn take_messages(&mut self) -> Vec<Value> {
        let messages = self.out.take();
        self.send_pictures();
        self.out.append(messages);
        self.out.take()
    }

    /// Carries out a request and answers it.
    fn carry_out(&mut self, request: &Request) {
        let arguments = &request.arguments;
        let done: Result<(), String> = match &*request.command {
            "initialize" => {
                let capabilities = self.initialize(arguments);
                return self.out.respond(request, Ok(capabilities));
            }
            "launch" => self.launch(arguments),
            "restart" => {
                // A client may send a launch that has changed.
                let launch = &arguments["arguments"];
                if launch.is_object() {
                    self.launch(launch)
                } else {
                    self.launch_again()
                }
            }
            "configurationDone" => {
                self.out.respond(request, Ok(Value::Null));
                return self.begin_session();
            }
            "disconnect" | "terminate" => {
                (self.motion, self.debuggee) = (None, None);
                self.has_ended = request.command == "disconnect";
                self.out.respond(request, Ok(Value::Null));
                if !self.has_ended {
                    self.out.event("terminated", json!({}));
                }
                return;
            }
            "pause" => {
                self.out.respond(request, Ok(Value::Null));
                return self.pause();
            }
            "continue" | "reverseContinue" | "next" | "stepIn" | "stepOut" | "stepBack" => {
                return self.move_on(request);
            }
            _ => {
                let answer = self.answer(request);
                // A message that the run stands elsewhere may wait already: the answer comes first.
                let messages = self.out.take();
                self.out.respond(request, answer);
                return self.out.append(messages);
            }
        };
        let is_launched = done.is_ok();
        self.out.respond(request, done.map(|()| Value::Null));
        if is_launched && request.command == "launch" {
            self.out.event("initialized", json!({}));
        } else if is_launched {
            self.begin_session();
        }
    }

    /// Stores how the client counts lines and columns; returns what the debugger can do.
    fn initialize(&mut self, arguments: &Value) -> Value {
        let first = |value: &Value| u64::from(value != &Value::Bool(false));
        self.first_line = first(&arguments["linesStartAt1"]);
        self.first_column = first(&arguments["columnsStartAt1"]);
        json!({
            "supportsConfigurationDoneRequest": true,
            "supportsConditionalBreakpoints": true,
            "supportsHitConditionalBreakpoints": true,
            "supportsLogPoints": true,
            "supportsDataBreakpoints": true,
            "supportsSetVariable": true,
            "supportsSetExpression": true,
            "supportsStepBack": true,
            "supportsStepInTargetsRequest": true,
            "supportsEvaluateForHovers": true,
            "supportsClipboardContext": true,
            "supportsRestartRequest": true,
            "supportsTerminateRequest": true,
            "exceptionBreakpointFilters": Filters::described(),
        })
    }

    fn launch(&mut self, arguments: &Value) -> Result<(), String> {
        self.launched = Some(Launch::of(arguments)?);
        self.launch_again()
    }

    fn launch_again(&mut self) -> Result<(), String> {
        let Some(launch) = self.launched.clone() else {
            return Err("nothing was launched yet".to_string());
        };
        let run = self.host.launch(&launch)?;
        self.motion = None;
        self.debuggee = Some(Debuggee::new(run));
        self.breakpoints.iter_mut().for_each(Breakpoint::forget);
        Ok(())
    }

    /// The client has set its breakpoints: the run may move.
    fn begin_session(&mut self) {
        let hit = self.hits_at_entry();
        let launch = self.launched.as_ref();
        let reason = match launch.is_some_and(|launch| launch.stop_on_entry) {
            true => Some("entry"),
            false => (!hit.is_empty()).then_some("breakpoint"),
        };
        if let (Some(debuggee), Some(reason)) = (&mut self.debuggee, reason) {
            return debuggee.stop(&mut self.out, reason, "", &hit);
        }
        // There is a way on from the beginning.
        let _ = self.begin(Wish::Continue, Direction::Forward);
    }

    /// Begins a move that a request asks for.
    fn move_on(&mut self, request: &Request) {
        let target = request.arguments["targetId"].as_u64();
        let result = match (&*request.command, target) {
            _ if self.motion.is_some() => Err("the run is moving: pause it first".to_string()),
            ("stepIn", Some(target)) => self.take(0, target.saturating_sub(1) as usize).map(|_| ()),
            (command, _) => {
                let (wish, direction) = match command {
                    "continue" => (Wish::Continue, Direction::Forward),
                    "reverseContinue" => (Wish::Continue, Direction::Back),
                    "stepIn" => (Wish::Step(Goal::Step), Direction::Forward),
                    "stepOut" => (Wish::Step(Goal::Out), Direction::Forward),
                    "stepBack" => (Wish::Step(Goal::Over), Direction::Back),
                    _ => (Wish::Step(Goal::Over), Direction::Forward),
                };
                self.begin(wish, direction)
            }
        };
        // A message that the run is through, or stands elsewhere, may wait already: the answer comes first.
        let messages = self.out.take();
        let body = match &*request.command {
            "continue" => json!({"allThreadsContinued": true}),
            _ => Value::Null,
        };
        self.out.respond(request, result.map(|()| body));
        self.out.append(messages);
    }
}
