//! Looking at what an input did: the commands `:trace`, `:why` and `:back`.

use std::collections::HashMap;
use std::ops::ControlFlow;

use ndscript::counted::counted;
use ndscript::source::Sources;
use ndscript::{Event, LimitReached, Moment, Observer, Wanted, When};
use ndscript_timeline::{Detail, Kind, Place, Reasoning, Recorded, Sought, Timeline, in_words};

use super::reply::brief;
use super::session::Session;
use super::session::once_more::LastPass;
use crate::runs::watched::variable_of;
use crate::terminal;

/// The most lines of a trace that are stored, from its beginning and from its end.
const KEPT_LINES: usize = 100;

/// Steps between two looks for Ctrl-C.
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

    /// The events, one a line; of very many the beginning and the end.
    pub fn lines(&self) -> Vec<String> {
        let between =
            (self.left_out > 0).then(|| format!("... {} left out", counted(self.left_out, "line")));
        self.first
            .iter()
            .cloned()
            .chain(between)
            .chain(self.last.iter().cloned())
            .collect()
    }
}

impl Observer for Trace {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let mut depth = self.depth;
        match event {
            Event::Choice { id, parent, .. } => {
                depth = parent
                    .and_then(|parent| self.depths.get(&parent))
                    .map_or(0, |depth| depth + 1);
                self.depths.insert(*id, depth);
            }
            Event::Take { id, .. } => {
                depth = self.depths.get(id).copied().unwrap_or(0);
                self.depth = depth + 1;
            }
            Event::Enter { .. } | Event::Leave { .. } => return ControlFlow::Continue(()),
            _ => {}
        }
        let place = moment.span.and_then(|span| self.sources.locate(span));
        let place = place.map_or_else(String::new, |(file, line, _)| {
            format!("{}:{line}", file.name)
        });
        let words = match event {
            // The number of solutions before it, of earlier inputs as well, does not matter.
            Event::Solution { .. } => "solution".to_string(),
            _ => in_words(moment, event, &self.sources),
        };
        let line = format!("{place:<12} {}{words}", "  ".repeat(depth.min(20)));
        if self.first.len() < KEPT_LINES {
            self.first.push(line);
        } else {
            if self.last.len() == KEPT_LINES {
                self.last.pop_front();
                self.left_out += 1;
            }
            self.last.push_back(line);
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            reasons: false,
            ..Wanted::default()
        }
    }
}

/// Why a place has its value: at the present end of the session, or where the latest input has failed or was stopped.
///
/// # Errors
/// Why the answer is unknown.
pub fn reasons(session: &Session, place: &Place) -> Result<String, String> {
    let program = session.program_of_latest();
    variable_of(program, &place.variable)?;
    let mut reasoning = Reasoning::new(place).within(session.run().limits().memory);
    let stop = session.last_failure()?;
    let run = session.everything_once_more(&mut reasoning, stop)?;
    reasoning
        .begin_second_pass(&run)
        .map_err(|none| none.to_string())?;
    session.everything_once_more(&mut reasoning, stop)?;
    Ok(reasoning.finish(program.sources()).to_text(place))
}

/// A look at an earlier moment of the latest input.
#[derive(Default)]
pub struct EarlierMoment {
    at: Option<(Timeline, When)>,
}

impl EarlierMoment {
    /// Goes back this many lines, and shows the state there.
    ///
    /// # Errors
    /// If there is nothing to go back in.
    pub fn back(&mut self, session: &Session, lines: u64) -> Result<String, String> {
        let (mut timeline, mut at) = match self.at.take() {
            Some(looking) => looking,
            None => recorded(session)?,
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
        let scene = timeline
            .scene(
                at,
                &Detail {
                    choices: 0,
                    ..Detail::default()
                },
            )
            .map_err(|beyond| beyond.to_string())?;
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

/// A recording of the latest input from its last beginning, and the moment to look at: its end, or before its last
/// failure if there is nothing else.
fn recorded(session: &Session) -> Result<(Timeline, When), String> {
    let LastPass { run, answers } = session.last_pass()?;
    let steps = session.latest_steps();
    let mut answers = answers.into_iter();
    let mut inside = InputObserver { input: run.input() };
    let mut timeline = Timeline::new(run);
    let is_over = |timeline: &Timeline| steps.is_some_and(|steps| timeline.end().step >= steps);
    while !is_over(&timeline) && timeline.head().input() >= inside.input {
        let left = steps.map_or(SLICE, |steps| steps.saturating_sub(timeline.end().step));
        match timeline.record_with(left.min(SLICE), &mut inside) {
            Recorded::Paused | Recorded::Solved(_) => {}
            Recorded::Asked(_) => match answers.next() {
                Some(answer) => drop(timeline.answer(answer)),
                None => break,
            },
            Recorded::Limit(LimitReached::Cancelled) => return Err("interrupted".to_string()),
            Recorded::Failed | Recorded::Error(_) | Recorded::Limit(_) => break,
        }
    }
    let end = timeline.end();
    let failure = if session.has_failed() {
        timeline.previous(end, &Sought::Event(Kind::Failure))
    } else {
        None
    };
    Ok((timeline, failure.map_or(end, |found| found.when)))
}

/// Stays in an input: what a failure does in earlier ones belongs to another pass.
struct InputObserver {
    input: usize,
}

impl Observer for InputObserver {
    fn observe(&mut self, moment: &Moment<'_>, _: &Event<'_>) -> ControlFlow<()> {
        if moment.input() < self.input {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted::NOTHING
    }
}
