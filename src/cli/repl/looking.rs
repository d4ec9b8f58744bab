//! Looking at what an input did: the commands `:trace`, `:why` and `:back`.

use std::collections::HashMap;
use std::ops::ControlFlow;

use ndscript::counted::counted;
use ndscript::source::Sources;
use ndscript::timeline::{Detail, Kind, Place, Reasoning, Recorded, Sought, Timeline, in_words};
use ndscript::{Event, Moment, Observer, When};

use super::super::terminal;
use super::super::watched::variable_of;
use super::reply::brief;
use super::session::Session;

/// So many lines of a trace are kept, at its beginning and at its end.
const KEPT: usize = 100;

/// Steps between two looks at whether somebody has enough.
const SLICE: u64 = 1 << 20;

/// The events of an input in words.
pub struct Trace {
    sources: Sources,
    depths: HashMap<u64, usize>,
    depth: usize,
    first: Vec<String>,
    last: std::collections::VecDeque<String>,
    left_out: u64,
}

impl Trace {
    pub fn new(sources: Sources) -> Trace {
        Trace {
            sources,
            depths: HashMap::new(),
            depth: 0,
            first: Vec::new(),
            last: std::collections::VecDeque::new(),
            left_out: 0,
        }
    }

    /// What has happened, a line an event; of very much the beginning and the end.
    pub fn lines(&self) -> Vec<String> {
        let between = (self.left_out > 0).then(|| format!("... {} left out", counted(self.left_out, "line")));
        self.first.iter().cloned().chain(between).chain(self.last.iter().cloned()).collect()
    }
}

impl Observer for Trace {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let mut depth = self.depth;
        match event {
            Event::Choice { id, parent, .. } => {
                depth = parent.and_then(|parent| self.depths.get(&parent)).map_or(0, |depth| depth + 1);
                self.depths.insert(*id, depth);
            }
            Event::Take { id, .. } => {
                depth = self.depths.get(id).copied().unwrap_or(0);
                self.depth = depth + 1;
            }
            Event::Enter { .. } | Event::Leave { .. } | Event::End { .. } => return ControlFlow::Continue(()),
            _ => {}
        }
        let place = moment.span.and_then(|span| self.sources.locate(span));
        let place = place.map_or_else(String::new, |(file, line, _)| format!("{}:{line}", file.name));
        let line = format!("{place:<12} {}{}", "  ".repeat(depth.min(20)), in_words(moment, event, &self.sources));
        if self.first.len() < KEPT {
            self.first.push(line);
        } else {
            if self.last.len() == KEPT {
                self.last.pop_front();
                self.left_out += 1;
            }
            self.last.push_back(line);
        }
        ControlFlow::Continue(())
    }
}

/// Why a place holds what it holds in a session.
///
/// # Errors
/// Why that cannot be said.
pub fn reasons(session: &Session, place: &Place) -> Result<String, String> {
    variable_of(session.program(), &place.variable)?;
    let mut reasoning = Reasoning::new(place).of(session.program().sources()).within(session.run().limits().memory);
    let run = session.all_once_more(&mut reasoning)?;
    reasoning.turn(&run).map_err(|none| none.to_string())?;
    session.all_once_more(&mut reasoning)?;
    Ok(reasoning.finish(session.program().sources()).to_text(place))
}

/// A look at an earlier moment of the latest input.
#[derive(Default)]
pub struct Looking {
    at: Option<(Timeline, When)>,
}

impl Looking {
    /// Goes so many lines back, and says what there was.
    ///
    /// # Errors
    /// If there is nothing to go back in.
    pub fn back(&mut self, session: &Session, lines: u64) -> Result<String, String> {
        let (mut timeline, mut at) = match self.at.take() {
            Some(looking) => looking,
            None => {
                let timeline = recorded(session)?;
                let end = timeline.end();
                (timeline, end)
            }
        };
        let mut is_at_begin = false;
        for _ in 0..lines {
            match timeline.previous(at, &Sought::Event(Kind::Line)) {
                Some(found) => at = found.when,
                None => {
                    is_at_begin = true;
                    at = timeline.begin();
                    break;
                }
            }
        }
        let scene =
            timeline.scene(at, &Detail { choices: 0, ..Detail::default() }).map_err(|beyond| beyond.to_string())?;
        let columns = (terminal::size().0 as usize).clamp(30, 160);
        let mut text = match &scene.line {
            Some(line) => format!("before {}:{}  {}\n", line.file, line.line, line.text.trim()),
            None => String::new(),
        };
        if is_at_begin {
            text += "the input begins here\n";
        }
        let own = scene.calls.iter().take(1).flat_map(|call| &call.variables);
        for variable in own.chain(&scene.globals) {
            text += &format!("{} = {}\n", variable.name, brief(&variable.text, columns));
        }
        self.at = Some((timeline, at));
        Ok(text)
    }
}

/// The latest input, recorded.
fn recorded(session: &Session) -> Result<Timeline, String> {
    let run = session.begun_once_more()?;
    let steps = session.run().statistics().steps;
    let mut timeline = Timeline::new(run);
    loop {
        match timeline.record(SLICE) {
            Recorded::Paused => {}
            Recorded::Solved(_) if timeline.end().step >= steps => return Ok(timeline),
            _ => {
                return Err(
                    "the latest input has gone back into earlier ones, or has asked: `:trace` tells what it did"
                        .to_string(),
                );
            }
        }
    }
}
