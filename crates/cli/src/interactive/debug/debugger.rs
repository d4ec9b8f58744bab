//! The debugger: its place in a timeline, and its commands. It does not use the terminal.

use std::cmp::Ordering;

use ndscript::diagnostics::{Diagnostic, bounded};
use ndscript::{Answer, CancelToken};
use ndscript_timeline::{
    Detail, Direction, Found, Goal as WalkGoal, Kind, NoAlternative, Place, Recorded, Scene,
    Sought, Timeline, Walk, When,
};

use super::command::{Command, Goal, HELP, parse};
use super::show;
use crate::arguments::limits;
use crate::runs::watched::variable_of;
use crate::terminal::{ask, interrupt};

/// Steps between two looks for Ctrl-C.
const SLICE: u64 = 1 << 20;

/// Lines of output are so long at most.
const WIDE: usize = 200;

/// Rows of a map that are shown at most.
const ROWS: usize = 200;

pub struct Debugger {
    walk: Walk,
    latest: Option<Command>,
    stop: CancelToken,
}

impl Debugger {
    pub fn new(timeline: Timeline) -> Debugger {
        let stop = CancelToken::new();
        interrupt::watch_session(stop.clone());
        Debugger {
            walk: Walk::new(timeline),
            latest: None,
            stop,
        }
    }

    fn scene(&mut self, choices: usize) -> Result<Scene, String> {
        let detail = Detail {
            choices,
            ..Detail::default()
        };
        self.walk
            .scene(&detail)
            .map_err(|beyond| beyond.to_string())
    }

    /// A description of the place that it has reached.
    pub fn arrive(&mut self) -> String {
        let scene = match self.scene(0) {
            Ok(scene) => scene,
            Err(why) => return why + "\n",
        };
        let line = scene.line.as_ref().map_or_else(String::new, |line| {
            format!("{:>6} | {}\n", line.line, line.text.trim_end())
        });
        format!("{}\n{line}", show::place(&scene))
    }

    /// The whole screen.
    pub fn screen(&mut self, reply: &str, columns: usize, rows: usize) -> String {
        match self.scene(3) {
            Ok(scene) => show::screen(&scene, self.walk.timeline().sources(), reply, columns, rows),
            Err(why) => why,
        }
    }

    /// Runs a command; its output, or `None` if the debugger is to end.
    pub fn command(&mut self, line: &str) -> Option<String> {
        let parsed = if line.trim().is_empty() {
            match self.latest.clone() {
                Some(latest) => Ok(latest),
                None => return Some(String::new()),
            }
        } else {
            parse(line)
        };
        let command = match parsed {
            Ok(Command::Quit) => return None,
            Ok(command) => command,
            Err(why) => return Some(bounded(why) + "\n"),
        };
        if matches!(command, Command::Move { .. }) {
            self.latest = Some(command.clone());
        }
        interrupt::begin();
        self.stop.clear();
        Some(
            self.carry_out(command)
                .unwrap_or_else(|why| bounded(why) + "\n"),
        )
    }

    /// Carries out a command; returns what to show.
    fn carry_out(&mut self, command: Command) -> Result<String, String> {
        Ok(match command {
            Command::Move { goal, back, times } => self.go(&goal, back, times)?,
            Command::Go(when) => self.go_to(when)?,
            Command::Start => {
                let begin = self.walk.timeline().begin();
                self.go_to(begin)?
            }
            Command::End => {
                self.record_to_end();
                let end = self.walk.timeline().end();
                self.walk.stand(end);
                format!("{}{}", self.end_in_words(), self.arrive())
            }
            Command::More => {
                // A search may have recorded more than up to the current moment.
                let at = self.walk.at();
                if let Some((end, number)) = self
                    .walk
                    .timeline()
                    .solutions()
                    .iter()
                    .copied()
                    .find(|(end, _)| *end > at)
                {
                    self.walk.stand(end);
                    return Ok(format!("solution {number}\n{}", self.arrive()));
                }
                if self.walk.timeline().has_ended() {
                    let end = self.walk.timeline().end();
                    self.walk.stand(end);
                    let hint = "nothing comes behind it: `back` leads to what came before, and `take` to another alternative\n";
                    return Ok(format!("{}{hint}{}", self.end_in_words(), self.arrive()));
                }
                let before = self.walk.timeline().solutions().len();
                self.record_further();
                self.record_to_end();
                let end = self.walk.timeline().end();
                self.walk.stand(end);
                let is_new = self.walk.timeline().solutions().len() > before;
                let word = if is_new {
                    ""
                } else {
                    "no further solution was found\n"
                };
                format!("{word}{}{}", self.end_in_words(), self.arrive())
            }
            Command::Variables => show::variables(&self.scene(0)?, WIDE),
            Command::Show(place) => {
                self.known(&place)?;
                let run = self.walk.run().map_err(|beyond| beyond.to_string())?;
                let calls = run.calls(1);
                let own = calls
                    .iter()
                    .flat_map(|call| &call.variables)
                    .find(|(name, _)| *name == place.variable);
                let value = own
                    .map(|(_, value)| *value)
                    .or_else(|| run.view_global(&place.variable));
                match value.map(|value| place.follow(value)) {
                    Some(Some(value)) => format!("{place} = {}\n", value.beginning(2000)),
                    Some(None) => format!(
                        "there is no {place} here: {} holds no such part\n",
                        place.variable
                    ),
                    None => format!(
                        "there is no variable `{}` here that has a value\n",
                        place.variable
                    ),
                }
            }
            Command::Map(name) => self.map(name.as_deref())?,
            Command::Choices => show::choices(&self.scene(20)?, 20, WIDE),
            Command::Calls => show::calls(&self.scene(0)?, WIDE),
            Command::Source => {
                let scene = self.scene(0)?;
                let sources = self.walk.timeline().sources().clone();
                scene.line.map_or_else(String::new, |line| {
                    show::source(&sources, &line, 2 * show::AROUND)
                })
            }
            Command::Text => {
                let text = self.scene(0)?.text;
                if text.is_empty() {
                    "nothing was printed so far\n".to_string()
                } else {
                    ended(text)
                }
            }
            Command::Take {
                alternative,
                choice,
            } => self.take(alternative, choice)?,
            Command::Untake => {
                if !self.walk.untake() {
                    return Err(
                        "nothing was taken with `take`, so there is no way to return to"
                            .to_string(),
                    );
                }
                format!("back on the way that was left\n{}", self.arrive())
            }
            Command::Answer(text) => self.answer(&text)?,
            Command::Why(place) => self.why(&place)?,
            Command::Where => self.arrive(),
            Command::Help => format!("{HELP}\n"),
            Command::Quit => String::new(),
        })
    }

    /// Goes to a moment, and records up to it first.
    fn go_to(&mut self, when: When) -> Result<String, String> {
        let stop = self.stop.clone();
        let timeline = self.walk.timeline_mut();
        while timeline.end() < when
            && matches!(timeline.recorded(), Recorded::Paused)
            && !stop.is_cancelled()
        {
            let left = when.step.saturating_sub(timeline.end().step);
            timeline.record(left.clamp(1, SLICE));
        }
        let exact = timeline
            .exactly(when)
            .map_err(|beyond| beyond.to_string())?;
        self.walk.stand(exact);
        let other = match exact.cmp(&when) {
            Ordering::Greater if when.inside > 0 || exact.step > when.step => "the next one",
            Ordering::Less => "the one before",
            _ => "",
        };
        let other = match other {
            "" => String::new(),
            which => format!("there is no moment {when}: this is {which}\n"),
        };
        Ok(other + &self.arrive())
    }

    fn record_further(&mut self) {
        self.walk.timeline_mut().record(1);
    }

    /// Records up to the next solution, or another end.
    fn record_to_end(&mut self) {
        while matches!(self.walk.timeline().recorded(), Recorded::Paused)
            && !self.stop.is_cancelled()
        {
            self.walk.timeline_mut().record(SLICE);
        }
    }

    /// How the recording has ended.
    fn end_in_words(&mut self) -> String {
        let solutions = self.walk.timeline().solutions().len();
        match self.walk.timeline().recorded() {
            Recorded::Solved(_) => format!("solution {solutions}; `more` looks for another one\n"),
            Recorded::Asked(question) => {
                let options = question
                    .options
                    .as_ref()
                    .map_or_else(String::new, |options| format!(" ({})", options.join(", ")));
                format!(
                    "the program asks: {}{options}; `answer TEXT` answers\n",
                    question.prompt
                )
            }
            Recorded::Failed if solutions > 0 => "there are no more solutions\n".to_string(),
            Recorded::Failed => "there is no solution\n".to_string(),
            Recorded::Error(error) => {
                let Diagnostic { message, hints, .. } = &error.diagnostic;
                let hints: String = hints
                    .iter()
                    .map(|hint| format!("  hint: {hint}\n"))
                    .collect();
                format!("the program ends with an error: {message}\n{hints}")
            }
            Recorded::Limit(limit) => {
                format!("{}\n", limits::in_words(*limit).replace('\n', "\n  hint: "))
            }
            Recorded::Paused => "stopped; the run can be recorded further\n".to_string(),
        }
    }

    /// Searches in slices, so that Ctrl-C takes effect.
    fn find(&mut self, goal: &WalkGoal, direction: Direction) -> Result<Option<Found>, String> {
        let mut search = self
            .walk
            .search(goal, direction)
            .map_err(|no_way| no_way.to_string())?;
        loop {
            if let Some(found) = self.walk.resume(&mut search, SLICE) {
                return Ok(found);
            }
            if self.stop.is_cancelled() {
                return Err("stopped".to_string());
            }
        }
    }

    /// Moves towards a goal, several times.
    fn go(&mut self, goal: &Goal, back: bool, times: u64) -> Result<String, String> {
        let mut reply = String::new();
        for _ in 0..times {
            match self.go_once(goal, back)? {
                Some(found) => {
                    reply = if found.kind == Kind::Line {
                        String::new()
                    } else {
                        format!("{}\n", found.text)
                    };
                    self.walk.come_to(&found);
                }
                None if back => {
                    let begin = self.walk.timeline().begin();
                    let is_line = matches!(goal, Goal::Step | Goal::Over);
                    if is_line {
                        self.walk.stand(begin);
                    }
                    let begins = if !self.walk.is_on_first_way() {
                        "this way begins here; `untake` returns to the one that was left"
                    } else {
                        "the run begins here"
                    };
                    reply = if is_line {
                        format!("{begins}\n")
                    } else {
                        format!("{}\n", goal.none_before())
                    };
                    break;
                }
                None => {
                    let end = self.walk.timeline().end();
                    self.walk.stand(end);
                    reply = match goal {
                        Goal::Change(place) => format!("nothing more is written to {place}\n"),
                        Goal::Loss(place) => format!("nothing more is taken away from {place}\n"),
                        _ => String::new(),
                    } + &self.end_in_words();
                    break;
                }
            }
        }
        Ok(reply + &self.arrive())
    }

    /// Moves towards a goal once; `None` if it is not reached.
    fn go_once(&mut self, goal: &Goal, back: bool) -> Result<Option<Found>, String> {
        let direction = if back {
            Direction::Back
        } else {
            Direction::Forward
        };
        let event = |kind| WalkGoal::Event(Sought::Event(kind));
        let goal = match goal {
            Goal::Step => WalkGoal::Step,
            Goal::Over => WalkGoal::Over,
            Goal::Out => WalkGoal::Out,
            Goal::Failure => event(Kind::Failure),
            Goal::Choice => event(Kind::Choice),
            Goal::Solution => event(Kind::Solution),
            Goal::Print => event(Kind::Print),
            Goal::Call => event(Kind::Call),
            Goal::Change(place) => {
                self.known(place)?;
                WalkGoal::Event(Sought::Write(place.clone()))
            }
            Goal::Loss(place) => {
                self.known(place)?;
                WalkGoal::Event(Sought::Loss(place.clone()))
            }
            Goal::Line(file, number) => {
                let file = match file {
                    Some(file) => file.clone(),
                    None => self
                        .scene(0)?
                        .line
                        .map_or_else(String::new, |line| line.file),
                };
                let sources = self.walk.timeline().sources();
                let known = sources.files().iter().find(|known| {
                    *known.name == *file || known.name.ends_with(&format!("/{file}"))
                });
                let Some(known) = known else {
                    return Err(format!("no file of the program is called {file}"));
                };
                let lines = known.text.lines().count();
                if !(1..=lines).contains(number) {
                    return Err(format!(
                        "there is no line {number}: {} has {lines}",
                        known.name
                    ));
                }
                WalkGoal::Event(Sought::Line {
                    at: Some((known.name.to_string(), *number)),
                    depth: None,
                })
            }
        };
        self.find(&goal, direction)
    }

    /// Whether the program has the variable of a place.
    fn known(&mut self, place: &Place) -> Result<(), String> {
        variable_of(self.walk.timeline().head().program(), &place.variable)
    }

    /// Shows a grid as text: the one that is named, else the first.
    fn map(&mut self, name: Option<&str>) -> Result<String, String> {
        let scene = self.scene(0)?;
        let all = scene
            .calls
            .iter()
            .flat_map(|call| &call.variables)
            .chain(&scene.globals);
        let mut grids = all.filter(|variable| variable.grid.is_some());
        let found = match name {
            Some(name) => {
                variable_of(self.walk.timeline().head().program(), name)?;
                grids.find(|variable| variable.name == name)
            }
            None => grids.next(),
        };
        match (
            found.and_then(|variable| Some((variable, variable.grid.as_ref()?))),
            name,
        ) {
            (Some((variable, grid)), _) => {
                Ok(format!("{}:\n{}", variable.name, show::map(grid, ROWS)))
            }
            (None, Some(name)) => Err(format!(
                "there is no variable `{name}` here that holds a grid"
            )),
            (None, None) => Err("no variable holds a grid here".to_string()),
        }
    }

    /// Goes back to an open choice and takes another alternative.
    fn take(&mut self, alternative: usize, choice: usize) -> Result<String, String> {
        let named = self
            .scene(choice + 1)?
            .choices
            .get(choice)
            .and_then(|choice| choice.alternatives.get(alternative).cloned());
        self.walk
            .take(choice, alternative)
            .map_err(|error| match error {
                NoAlternative::NotLeft => {
                    format!("{error}; `choices` numbers those that are left, from 1")
                }
                error => error.to_string(),
            })?;
        Ok(format!(
            "took {}; `untake` returns\n{}",
            named.unwrap_or_default(),
            self.arrive()
        ))
    }

    fn answer(&mut self, text: &str) -> Result<String, String> {
        let Recorded::Asked(question) = self.walk.timeline().recorded() else {
            return Err("the program asks nothing where the recording ends".to_string());
        };
        let answer = match &question.options {
            Some(options) => match ask::picked(text, options) {
                Some(option) => Answer::Option(option),
                None => return Err(format!("`{text}` is none of {}", options.join(", "))),
            },
            None => Answer::Line(text.to_string()),
        };
        self.walk.answer(answer);
        Ok(self.arrive())
    }

    /// Says why a place holds its value.
    fn why(&mut self, place: &Place) -> Result<String, String> {
        self.known(place)?;
        let stop = self.stop.clone();
        let at = self.walk.at();
        let timeline = self.walk.timeline_mut();
        let mut search = timeline
            .search_reasons(place, at)
            .map_err(|none| none.to_string())?;
        loop {
            if let Some(found) = search.resume(timeline, SLICE) {
                return found
                    .map(|reasons| reasons.to_text(place))
                    .map_err(|none| none.to_string());
            }
            if stop.is_cancelled() {
                return Err("stopped".to_string());
            }
        }
    }
}

fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
