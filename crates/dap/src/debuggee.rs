//! The run that is debugged: where it stands, and what the client knows of it.

use ndscript::Run;
use ndscript::source::Sources;
use ndscript_timeline::{Beyond, Detail, Found, Recorded, Scene, Timeline, Walk, When};
use serde_json::{Value, json};

use super::breakpoint::Breakpoint;
use super::message::Outbox;
use super::sent_pictures::SentPictures;
use super::shown::Reference;

pub struct Debuggee {
    pub walk: Walk,
    /// What the numbers mean that the client got for what has parts; they hold until the run moves.
    pub references: Vec<Reference>,
    /// How many solutions the client has got, and whether it has got the end of the run.
    pub sent_solutions: u64,
    has_sent_end: bool,
    pub sent_pictures: SentPictures,
}

/// The only thread.
pub const THREAD: u64 = 1;

impl Debuggee {
    pub fn new(run: Run) -> Debuggee {
        Debuggee {
            walk: Walk::new(Timeline::new(run)),
            references: Vec::new(),
            sent_solutions: 0,
            has_sent_end: false,
            sent_pictures: SentPictures::default(),
        }
    }

    pub fn sources(&self) -> Sources {
        self.walk.timeline().sources().clone()
    }

    pub fn scene(&mut self, choices: usize) -> Result<Scene, String> {
        let detail = Detail {
            choices,
            calls: 1000,
            text: 2000,
            cells: 0,
        };
        self.walk
            .scene(&detail)
            .map_err(|beyond: Beyond| beyond.to_string())
    }

    /// Tells where it has come to.
    pub fn stop(&mut self, out: &mut Outbox, reason: &str, description: &str, hit: &[u64]) {
        self.references.clear();
        let mut body = json!({
            "reason": reason,
            "threadId": THREAD,
            "allThreadsStopped": true,
        });
        if !description.is_empty() {
            body["description"] = json!(description);
            body["text"] = json!(description);
        }
        if !hit.is_empty() {
            body["hitBreakpointIds"] = json!(hit);
        }
        out.event("stopped", body);
    }

    /// Stands at a solution, whose text is sent once; its number.
    pub fn come_to_solution(&mut self, out: &mut Outbox) -> u64 {
        let at = self.walk.at();
        let solutions = self.walk.timeline().solutions();
        let number = solutions
            .iter()
            .find(|(when, _)| *when == at)
            .map_or(solutions.len() as u64, |(_, number)| *number);
        if number > self.sent_solutions {
            self.sent_solutions = number;
            if let Ok(scene) = self.scene(0) {
                out.output("stdout", &scene.text);
            }
        }
        number
    }

    /// What the recording has ended with, in words, and the reason for a stop there.
    pub fn end(&mut self, out: &mut Outbox) -> (&'static str, String) {
        let timeline = self.walk.timeline();
        let solutions = timeline.solutions().len();
        let (reason, words) = match timeline.recorded() {
            Recorded::Failed if solutions > 0 => ("end", "There are no more solutions".to_string()),
            Recorded::Failed => {
                let reason = timeline.head().failure_message();
                let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                ("end", format!("There is no solution{reason}"))
            }
            Recorded::Error(error) => {
                if !self.has_sent_end {
                    let shown = error.diagnostic.render(timeline.sources(), false);
                    out.output("stderr", &shown);
                }
                self.has_sent_end = true;
                let message = &error.diagnostic.message;
                return (
                    "exception",
                    format!("The program ends with an error: {message}"),
                );
            }
            Recorded::Limit(limit) => ("end", limit.to_string()),
            Recorded::Asked(question) => {
                let options = question.options.as_ref();
                let options = options
                    .map_or_else(String::new, |options| format!(" ({})", options.join(", ")));
                out.output("stdout", &question.text);
                let words = format!("The program asks: {}{options}", question.prompt);
                out.output(
                    "console",
                    &format!("{words}\nType the answer into the debug console."),
                );
                return ("question", words);
            }
            Recorded::Solved(_) | Recorded::Paused => {
                ("end", "The recording ends here".to_string())
            }
        };
        if !self.has_sent_end {
            out.output("console", &words);
        }
        self.has_sent_end = true;
        (reason, words)
    }

    /// The exit code that the command line would have.
    pub fn exit_code(&self) -> u8 {
        let timeline = self.walk.timeline();
        match timeline.recorded() {
            Recorded::Error(_) => 2,
            Recorded::Limit(_) => 3,
            _ if !timeline.solutions().is_empty() => 0,
            _ => 1,
        }
    }

    /// How often a breakpoint has been come to up to where the run stands, which is such a time.
    pub fn times_met(&mut self, breakpoint: &mut Breakpoint) -> usize {
        let at = self.walk.at();
        let begin = self.walk.timeline().begin();
        if breakpoint.looked_to.is_none_or(|to| to < at) {
            let from = breakpoint.looked_to.unwrap_or(begin);
            let sought = breakpoint.sought();
            let timeline = self.walk.timeline_mut();
            let found = timeline.all(from, at, &sought, usize::MAX);
            for found in found {
                let holds = match &breakpoint.condition {
                    None => true,
                    Some(condition) => timeline
                        .run_at(found.when)
                        .is_ok_and(|run| super::evaluate::holds(run, 0, condition) == Ok(true)),
                };
                if holds {
                    breakpoint.met.push(found.when);
                }
            }
            // Of lines, what is there itself is not found from before it.
            if breakpoint.met.last() != Some(&at) {
                breakpoint.met.push(at);
            }
            breakpoint.looked_to = Some(at);
        }
        breakpoint.met.partition_point(|met| *met <= at)
    }

    /// Body of an event that says where a line is.
    pub fn place_of_line(&mut self, first: u64, path: impl Fn(&str) -> Option<String>) -> Value {
        let Ok(scene) = self.scene(0) else {
            return Value::Null;
        };
        let Some(line) = scene.line else {
            return Value::Null;
        };
        json!({"source": {"name": line.file, "path": path(&line.file)}, "line": line.line as u64 - 1 + first})
    }

    /// Whether it stands at the end of a recording that cannot go on.
    pub fn is_at_end(&self) -> bool {
        let timeline = self.walk.timeline();
        timeline.has_ended() && self.walk.at() >= timeline.end()
    }

    /// Whether it is this breakpoint that has led to a find.
    pub fn is_found_by(&mut self, found: &Found, breakpoint: &Breakpoint) -> bool {
        let timeline = self.walk.timeline_mut();
        let before = When::step(found.when.step.saturating_sub(1)).max(timeline.begin());
        let around = timeline.all(before, found.when, &breakpoint.sought(), usize::MAX);
        around.iter().any(|other| other.when == found.when)
    }
}
