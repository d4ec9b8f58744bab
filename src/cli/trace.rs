//! `ndscript trace`: what a search does, a line an event.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use ndscript::counted::counted;
use ndscript::source::{Sources, Span};
use ndscript::timeline::Place;
use ndscript::{Event, Moment, Observer, View, Wanted};
use serde_json::Value as Json;

use super::exit::{Exit, Stop};
use super::search_options::{EventKind, TraceOptions};
use super::stdout;
use super::terminal;
use super::watched::{Watched, Watching};

/// Texts of values are cut behind so many bytes: in lines for people, and in JSON.
const SHORT: usize = 60;
const LONG: usize = 4000;

/// Deeper choices are not indented further.
const DEEPEST: usize = 40;

/// Runs a program and writes down what happens.
pub fn trace(options: &TraceOptions) -> Result<Exit, Stop> {
    if let (Some(from), Some(to)) = (options.from, options.to)
        && from > to
    {
        return Err(Stop::error(format!("--from {from} is behind --to {to}: there is nothing between them")));
    }
    let Some(mut watched) = Watched::new(&options.watched)? else { return Ok(Exit::Error) };
    options.watch.iter().try_for_each(|place| watched.knows(place))?;
    let places: Vec<Place> = options.watch.iter().filter_map(|place| place.parse().ok()).collect();
    let sources = watched.sources().clone();
    let mut trace = Trace {
        options,
        never_written: places.clone(),
        places,
        sources: &sources,
        points: HashMap::new(),
        depth: 0,
        has_ended: false,
        has_enough: false,
        has_told: false,
        lost: None,
    };
    let exit = watched.finish(&mut trace);
    if let Some(stop) = trace.lost.take() {
        return Err(stop);
    }
    let exit = exit?;
    if let Some(from) = options.from.filter(|from| *from > watched.steps() && !trace.has_enough) {
        terminal::say(&format!("the run has ended at step {}, before step {from}", watched.steps()));
    }
    for place in trace.never_written.iter().filter(|_| !trace.has_enough) {
        terminal::say_text(&format!("nothing was written to `{place}`"));
    }
    if trace.has_enough && !trace.has_told {
        let to = options.to.unwrap_or(u64::MAX);
        let from = options.from.map_or_else(String::new, |from| format!(" from step {from}"));
        terminal::say(&format!("nothing of what is asked for has happened{from} up to step {to}"));
    }
    if !trace.has_ended {
        let result = match exit {
            _ if trace.has_enough => return Ok(Exit::Success),
            Exit::Success => "solution",
            Exit::NoSolution => "no solution",
            Exit::Error => "error",
            Exit::Limit => "limit",
            Exit::Interrupted => "interrupted",
        };
        trace.put_end(watched.steps(), result)?;
    }
    stdout::flush()?;
    Ok(exit)
}

struct Trace<'a> {
    options: &'a TraceOptions,
    /// What is watched.
    places: Vec<Place>,
    /// Those of them that nothing was written to so far.
    never_written: Vec<Place>,
    sources: &'a Sources,
    /// How deep each open choice point is, and how many alternatives it has.
    points: HashMap<u64, (usize, usize)>,
    depth: usize,
    has_ended: bool,
    has_enough: bool,
    /// Whether anything was told.
    has_told: bool,
    /// Why nothing can be written any more.
    lost: Option<Stop>,
}

impl Watching for Trace<'_> {
    fn has_enough(&self) -> bool {
        self.has_enough || self.lost.is_some()
    }
}

impl Observer for Trace<'_> {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        if self.has_enough() {
            return ControlFlow::Break(());
        }
        // A choice stands as deep as the one that was open before it lies, and what comes behind it one deeper.
        let mut depth = self.depth;
        match event {
            Event::Choice { id, parent, alternatives } => {
                depth = parent.and_then(|parent| self.points.get(&parent)).map_or(0, |point| point.0 + 1);
                self.points.insert(*id, (depth, *alternatives));
                self.depth = depth;
            }
            Event::Take { id, .. } => {
                depth = self.points.get(id).map_or(0, |point| point.0);
                self.depth = depth + 1;
            }
            Event::End { .. } => self.has_ended = true,
            _ => {}
        }
        if let Event::Write { target, .. } = event {
            // A whole that is written may lack the part that is watched.
            self.never_written
                .retain(|place| !place.is_changed_inside(moment, target) || place.value(moment).is_none());
        }
        let step = moment.step();
        if step > self.options.to.unwrap_or(u64::MAX) {
            self.has_enough = true;
            return ControlFlow::Break(());
        }
        if step < self.options.from.unwrap_or(0) || !self.is_wanted(moment, event) {
            return ControlFlow::Continue(());
        }
        let line = if self.options.json { self.json(moment, event) } else { self.line(moment, event, depth) };
        self.has_told = true;
        let written = if self.options.json { stdout::write_json(&line) } else { stdout::write(&line) };
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.lost = Some(stop);
                ControlFlow::Break(())
            }
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            variables: self.tells_of(EventKind::Write) || !self.places.is_empty(),
            calls: self.tells_of(EventKind::Enter) || self.tells_of(EventKind::Leave),
            ..Wanted::default()
        }
    }
}

impl Trace<'_> {
    fn tells_of(&self, kind: EventKind) -> bool {
        match &self.options.only[..] {
            // By itself a trace tells of the search, not of every call.
            [] => self.options.json || !matches!(kind, EventKind::Enter | EventKind::Leave),
            only => only.contains(&kind),
        }
    }

    fn is_wanted(&self, moment: &Moment<'_>, event: &Event<'_>) -> bool {
        let kind = kind_of(event);
        let is_wanted = match kind {
            Some(kind) => self.tells_of(kind),
            None => true,
        };
        match event {
            Event::Write { target, .. } if !self.places.is_empty() => {
                is_wanted && self.places.iter().any(|place| place.is_changed_inside(moment, target))
            }
            // Who watches a place wants to know what happens to it, and what came of it.
            Event::Print { .. } | Event::Picture { .. } if !self.options.watch.is_empty() => {
                !self.options.only.is_empty() && is_wanted
            }
            _ => is_wanted,
        }
    }

    /// Where an event has happened, as file and line.
    fn place(&self, span: Option<Span>) -> Option<(String, usize, usize)> {
        let (file, line, column) = self.sources.locate(span?)?;
        Some((file.name.to_string(), line, column))
    }

    /// An event for a person: step, line, and what happened, indented by the choices that are open.
    fn line(&self, moment: &Moment<'_>, event: &Event<'_>, depth: usize) -> String {
        let text = match event {
            Event::Choice { alternatives, .. } => format!("choose among {alternatives}"),
            Event::Take { id, number, alternative, value } => {
                let most = self.points.get(id).map_or(0, |point| point.1);
                let what = match (value, alternative) {
                    (Some(value), _) => format!(": {}", shown(*value, SHORT)),
                    (None, Some(span)) => format!(": {}", one_line(self.sources.text(*span), SHORT)),
                    (None, None) => {
                        moment.search_in_words(*number).map_or_else(String::new, |words| format!(": {words}"))
                    }
                };
                let word = if *number == 0 { "take" } else { "back, take" };
                let place = moment.place_decided();
                let place = place.map_or_else(String::new, |place| format!(" for {}", place.text(moment)));
                let skipped = match moment.skipped() {
                    skipped if *number == 0 || skipped == 0 => "",
                    skipped => &format!(" (skipped {} that had no part)", counted(skipped, "guess")),
                };
                format!("{word} {} of {most}{place}{what}{skipped}", number + 1)
            }
            Event::Fail { why } => format!("fail: {}", one_line(why, 2 * SHORT)),
            Event::Write { target, value } => format!("{} = {}", target.text(moment), shown(*value, SHORT)),
            Event::Print { text } => format!("print {:?}", one_line(text, SHORT)),
            Event::Picture { .. } => "picture".to_string(),
            Event::Snapshot { snapshot } if snapshot.caption.is_empty() => "snapshot".to_string(),
            Event::Snapshot { snapshot } => format!("snapshot {:?}", one_line(&snapshot.caption, SHORT)),
            Event::Enter { function, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|value| shown(value, SHORT / 3)).collect();
                format!("call {}({})", named(function), arguments.join(", "))
            }
            Event::Leave { function, value } => format!("{} returns {}", named(function), shown(*value, SHORT)),
            Event::Solution { number } => format!("solution {number}"),
            Event::End { result } => format!("end: {result}"),
            _ => return String::new(),
        };
        let place = moment.span.and_then(|span| self.sources.line_in_words(span)).unwrap_or_default();
        let indent = "  ".repeat(depth.min(DEEPEST));
        stdout::shown(&format!("{:>9}  {place:10}  {indent}{text}\n", moment.step())).into_owned()
    }

    fn json(&self, moment: &Moment<'_>, event: &Event<'_>) -> String {
        let mut out = format!("{{\"step\":{}", moment.step());
        let mut put = |key: &str, value: Json| {
            let _ = write!(out, ",\"{key}\":{value}");
        };
        match event {
            Event::Choice { id, parent, alternatives } => {
                put("event", "choice".into());
                put("id", (*id).into());
                put("parent", parent.map_or(Json::Null, Json::from));
                put("alternatives", (*alternatives).into());
            }
            Event::Take { id, number, value, .. } => {
                put("event", "take".into());
                put("id", (*id).into());
                put("number", (*number).into());
                if let Some(place) = moment.place_decided() {
                    put("place", place.text(moment).into());
                }
                if let Some(value) = value {
                    put("value", shown(*value, LONG).into());
                }
                if *number > 0 && moment.skipped() > 0 {
                    put("skipped", moment.skipped().into());
                }
            }
            Event::Fail { why } => {
                put("event", "fail".into());
                put("why", (*why).into());
            }
            Event::Write { target, value } => {
                put("event", "write".into());
                put("place", target.text(moment).into());
                put("value", shown(*value, LONG).into());
            }
            Event::Print { text } => {
                put("event", "print".into());
                put("text", (*text).into());
            }
            Event::Picture { .. } => put("event", "picture".into()),
            Event::Snapshot { snapshot } => {
                put("event", "picture".into());
                put("caption", (*snapshot.caption).into());
            }
            Event::Enter { function, arguments } => {
                put("event", "enter".into());
                put("function", named(function).into());
                put("arguments", arguments.iter().map(|value| shown(value, LONG)).collect::<Vec<_>>().into());
            }
            Event::Leave { function, value } => {
                put("event", "leave".into());
                put("function", named(function).into());
                put("value", shown(*value, LONG).into());
            }
            Event::Solution { number } => {
                put("event", "solution".into());
                put("number", (*number).into());
            }
            Event::End { result } => {
                put("event", "end".into());
                put("result", (*result).into());
            }
            _ => return String::new(),
        }
        if let Some((file, line, column)) = self.place(moment.span) {
            put("file", file.into());
            put("line", line.into());
            put("column", column.into());
        }
        out + "}\n"
    }

    /// The last line of a run that the command has ended.
    fn put_end(&self, step: u64, result: &str) -> Result<(), Stop> {
        if self.options.only.iter().all(|kind| *kind != EventKind::End) && !self.options.only.is_empty() {
            return Ok(());
        }
        if self.options.json {
            stdout::write(&format!("{{\"step\":{step},\"event\":\"end\",\"result\":\"{result}\"}}\n"))
        } else {
            stdout::write(&format!("{step:>9}  {:10}  end: {result}\n", ""))
        }
    }
}

fn kind_of(event: &Event<'_>) -> Option<EventKind> {
    Some(match event {
        Event::Choice { .. } => EventKind::Choice,
        Event::Take { .. } => EventKind::Take,
        Event::Fail { .. } => EventKind::Fail,
        Event::Write { .. } => EventKind::Write,
        Event::Print { .. } => EventKind::Print,
        Event::Picture { .. } | Event::Snapshot { .. } => EventKind::Picture,
        Event::Enter { .. } => EventKind::Enter,
        Event::Leave { .. } => EventKind::Leave,
        Event::Solution { .. } => EventKind::Solution,
        Event::End { .. } => EventKind::End,
        _ => return None,
    })
}

/// A function without a name has one for people.
fn named(function: &str) -> &str {
    if function.is_empty() { "(function)" } else { function }
}

/// A value as text, of at most about so many characters.
fn shown(value: View<'_>, most: usize) -> String {
    value.beginning(most)
}

/// The beginning of a text, on one line.
fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + word.len() >= most {
            let rest: String = word.chars().take(most.saturating_sub(line.len())).collect();
            return format!("{line}{}{rest}...", if line.is_empty() { "" } else { " " });
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    line
}
