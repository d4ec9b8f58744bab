//! `ndscript trace`: what a search does, a line an event.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use ndscript::counted::counted;
use ndscript::source::{Sources, Span};
use ndscript::{Event, Moment, Observer, View, Wanted, When};
use ndscript_timeline::Place;
use serde_json::Value as Json;

use crate::arguments::search_options::{EventKind, TraceOptions};
use crate::exit::{Exit, Stop};
use crate::runs::watched::{Watched, Watching};
use crate::terminal;
use crate::terminal::stdout;

/// The most bytes of a value's text: in lines for people, and in JSON.
const MOST_BYTES_FOR_PEOPLE: usize = 60;
const MOST_BYTES_IN_JSON: usize = 4000;

/// The end of every run.
const END: When = When {
    step: u64::MAX,
    inside: u32::MAX,
};

/// Deeper choices are not indented further.
const DEEPEST: usize = 40;

/// Runs a program and writes down what happens.
pub fn trace(options: &TraceOptions) -> Result<Exit, Stop> {
    if let (Some(from), Some(to)) = (options.from, options.to)
        && from > to
    {
        return Err(Stop::error(format!(
            "--from {from} is behind --to {to}: there is nothing between them"
        )));
    }
    let Some(mut watched) = Watched::new(&options.watched)? else {
        return Ok(Exit::Error);
    };
    options
        .watch
        .iter()
        .try_for_each(|place| watched.knows(place))?;
    let places: Vec<Place> = options
        .watch
        .iter()
        .filter_map(|place| place.parse().ok())
        .collect();
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
        has_written: false,
        lost: None,
    };
    let exit = watched.finish(&mut trace);
    if let Some(stop) = trace.lost.take() {
        return Err(stop);
    }
    // The last event tells readers of JSON how the run has ended, for whatever reason.
    if !trace.has_ended && !trace.has_enough {
        let result = match exit {
            Exit::Success => "solution",
            Exit::NoSolution => "no solution",
            other => other.stopped_by().unwrap_or_default(),
        };
        trace.put_end(watched.when(), result)?;
    }
    stdout::flush()?;
    if let Some(from) = options
        .from
        .filter(|from| *from > watched.when() && !trace.has_enough)
    {
        terminal::say(&format!(
            "the run has ended at step {}, before step {from}",
            watched.when()
        ));
    }
    for place in trace.never_written.iter().filter(|_| !trace.has_enough) {
        terminal::say(&format!("nothing was written to `{place}`"));
    }
    if trace.has_enough && !trace.has_written {
        let to = options.to.unwrap_or(END);
        let from = options
            .from
            .map_or_else(String::new, |from| format!(" from step {from}"));
        terminal::say(&format!(
            "nothing of what is asked for has happened{from} up to step {to}"
        ));
    }
    Ok(if trace.has_enough {
        Exit::Success
    } else {
        exit
    })
}

struct Trace<'a> {
    options: &'a TraceOptions,
    /// The watched places.
    places: Vec<Place>,
    /// The watched places that nothing was written to so far.
    never_written: Vec<Place>,
    sources: &'a Sources,
    /// The depth of each open choice point, and its number of alternatives.
    points: HashMap<u64, (usize, usize)>,
    depth: usize,
    has_ended: bool,
    has_enough: bool,
    /// Whether any event was written.
    has_written: bool,
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
        // A choice is indented like the one that was open before it, and later events one level deeper.
        let mut depth = self.depth;
        match event {
            Event::Choice {
                id,
                parent,
                alternatives,
            } => {
                depth = parent
                    .and_then(|parent| self.points.get(&parent))
                    .map_or(0, |point| point.0 + 1);
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
            self.never_written.retain(|place| {
                !place.is_changed_inside(moment, target) || place.value(moment).is_none()
            });
        }
        let when = moment.when();
        if when > self.options.to.map_or(END, last_of) {
            self.has_enough = true;
            return ControlFlow::Break(());
        }
        if when < self.options.from.unwrap_or(When::START) || !self.is_wanted(moment, event) {
            return ControlFlow::Continue(());
        }
        let line = if self.options.json {
            self.json(moment, event)
        } else {
            self.line(moment, event, depth)
        };
        self.has_written = true;
        let written = if self.options.json {
            stdout::write_json(&line)
        } else {
            stdout::write_text(&line)
        };
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
            variables: self.writes_events_of(EventKind::Write) || !self.places.is_empty(),
            calls: self.writes_events_of(EventKind::Enter)
                || self.writes_events_of(EventKind::Leave),
            reasons: false,
            ..Wanted::default()
        }
    }
}

impl Trace<'_> {
    fn writes_events_of(&self, kind: EventKind) -> bool {
        match &self.options.only[..] {
            // By default a trace shows the search, not every call.
            [] => self.options.json || !matches!(kind, EventKind::Enter | EventKind::Leave),
            only => only.contains(&kind),
        }
    }

    /// Whether the options ask for an event.
    fn is_wanted(&self, moment: &Moment<'_>, event: &Event<'_>) -> bool {
        let kind = kind_of(event);
        let is_wanted = match kind {
            Some(kind) => self.writes_events_of(kind),
            None => true,
        };
        match event {
            Event::Write { target, .. } if !self.places.is_empty() => {
                is_wanted
                    && self
                        .places
                        .iter()
                        .any(|place| place.is_changed_inside(moment, target))
            }
            // Watching a place means wanting to know what happens to it, and the result.
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
            Event::Take {
                id,
                number,
                alternative,
                value,
            } => {
                let most = self.points.get(id).map_or(0, |point| point.1);
                let what = match (value, alternative) {
                    (Some(value), _) => format!(": {}", shown(*value, MOST_BYTES_FOR_PEOPLE)),
                    (None, Some(span)) => {
                        format!(
                            ": {}",
                            one_line(self.sources.text(*span), MOST_BYTES_FOR_PEOPLE)
                        )
                    }
                    (None, None) => moment
                        .search_in_words(*number)
                        .map_or_else(String::new, |words| format!(": {words}")),
                };
                let word = if *number == 0 { "take" } else { "back, take" };
                let place = moment.place_decided();
                let place =
                    place.map_or_else(String::new, |place| format!(" for {}", place.text(moment)));
                let skipped = match moment.skipped() {
                    skipped if *number == 0 || skipped == 0 => "",
                    skipped => {
                        &format!(" (skipped {} that had no part)", counted(skipped, "guess"))
                    }
                };
                format!("{word} {} of {most}{place}{what}{skipped}", number + 1)
            }
            Event::Fail { why } => format!("fail: {}", one_line(why, 2 * MOST_BYTES_FOR_PEOPLE)),
            Event::Write { target, value } => {
                format!(
                    "{} = {}",
                    target.text_in(moment, self.sources),
                    shown(*value, MOST_BYTES_FOR_PEOPLE)
                )
            }
            Event::Print { text } => format!("print {:?}", one_line(text, MOST_BYTES_FOR_PEOPLE)),
            Event::Picture { .. } => "picture".to_string(),
            Event::Snapshot { snapshot } if snapshot.caption.is_empty() => "snapshot".to_string(),
            Event::Snapshot { snapshot } => {
                format!(
                    "snapshot {:?}",
                    one_line(&snapshot.caption, MOST_BYTES_FOR_PEOPLE)
                )
            }
            Event::Enter {
                function,
                arguments,
            } => {
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|value| shown(value, MOST_BYTES_FOR_PEOPLE / 3))
                    .collect();
                format!("call {}({})", named(function), arguments.join(", "))
            }
            Event::Leave { function, value } => {
                format!(
                    "{} returns {}",
                    named(function),
                    shown(*value, MOST_BYTES_FOR_PEOPLE)
                )
            }
            Event::Solution { number } => format!("solution {number}"),
            Event::End { result, why } => match why.filter(|_| *result == "error") {
                Some(why) => format!(
                    "end: {result}: {}",
                    one_line(why, 2 * MOST_BYTES_FOR_PEOPLE)
                ),
                None => format!("end: {result}"),
            },
            _ => return String::new(),
        };
        let place = moment
            .span
            .and_then(|span| self.sources.line_in_words(span))
            .unwrap_or_default();
        let indent = "  ".repeat(depth.min(DEEPEST));
        stdout::shown(&format!(
            "{}  {place:10}  {indent}{text}\n",
            aligned(moment.when())
        ))
        .into_owned()
    }

    /// An event as a line of JSON.
    fn json(&self, moment: &Moment<'_>, event: &Event<'_>) -> String {
        let When { step, inside } = moment.when();
        let mut out = format!("{{\"step\":{step}");
        let mut put = |key: &str, value: Json| {
            let _ = write!(out, ",\"{key}\":{value}");
        };
        match event {
            Event::Choice {
                id,
                parent,
                alternatives,
            } => {
                put("event", "choice".into());
                put("id", (*id).into());
                put("parent", parent.map_or(Json::Null, Json::from));
                put("alternatives", (*alternatives).into());
            }
            Event::Take {
                id,
                number,
                alternative,
                value,
            } => {
                put("event", "take".into());
                put("id", (*id).into());
                put("number", (*number).into());
                if let Some(place) = moment.place_decided() {
                    put("place", place.text(moment).into());
                }
                match (value, alternative, moment.search_in_words(*number)) {
                    (None, Some(span), _) => put(
                        "alternative",
                        one_line(self.sources.text(*span), MOST_BYTES_IN_JSON).into(),
                    ),
                    (None, None, Some(words)) => put("alternative", words.into()),
                    _ => {}
                }
                if let Some(value) = value {
                    put("value", shown(*value, MOST_BYTES_IN_JSON).into());
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
                put("place", target.text_in(moment, self.sources).into());
                put("value", shown(*value, MOST_BYTES_IN_JSON).into());
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
            Event::Enter {
                function,
                arguments,
            } => {
                put("event", "enter".into());
                put("function", named(function).into());
                put(
                    "arguments",
                    arguments
                        .iter()
                        .map(|value| shown(value, MOST_BYTES_IN_JSON))
                        .collect::<Vec<_>>()
                        .into(),
                );
            }
            Event::Leave { function, value } => {
                put("event", "leave".into());
                put("function", named(function).into());
                put("value", shown(*value, MOST_BYTES_IN_JSON).into());
            }
            Event::Solution { number } => {
                put("event", "solution".into());
                put("number", (*number).into());
            }
            Event::End { result, why } => {
                put("event", "end".into());
                put("result", (*result).into());
                if let Some(why) = why.filter(|_| *result == "error") {
                    put("why", (*why).into());
                }
            }
            _ => return String::new(),
        }
        let is_end = matches!(event, Event::End { .. });
        if let Some((file, line, column)) = self.place(moment.span).filter(|_| !is_end) {
            put("file", file.into());
            put("line", line.into());
            put("column", column.into());
        }
        if inside > 0 {
            // With the step the moment, as other commands take it: `12.3`.
            put("inside", inside.into());
        }
        out + "}\n"
    }

    /// The last line of a run that the command has ended.
    fn put_end(&self, when: When, result: &str) -> Result<(), Stop> {
        if self.options.only.iter().all(|kind| *kind != EventKind::End)
            && !self.options.only.is_empty()
        {
            return Ok(());
        }
        if self.options.json {
            let When { step, inside } = when;
            let inside = if inside > 0 {
                format!(",\"inside\":{inside}")
            } else {
                String::new()
            };
            stdout::write_text(&format!(
                "{{\"step\":{step},\"event\":\"end\",\"result\":\"{result}\"{inside}}}\n"
            ))
        } else {
            stdout::write_text(&format!("{}  {:10}  end: {result}\n", aligned(when), ""))
        }
    }
}

/// A moment with its step aligned in each line: `   172.3`.
fn aligned(When { step, inside }: When) -> String {
    let inside = if inside > 0 {
        format!(".{inside}")
    } else {
        String::new()
    };
    format!("{step:>8}{inside:<3}")
}

/// The last moment that `when` names: a step alone includes all moments in it.
fn last_of(when: When) -> When {
    When {
        inside: if when.inside == 0 {
            u32::MAX
        } else {
            when.inside
        },
        ..when
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
    if function.is_empty() {
        "(function)"
    } else {
        function
    }
}

/// A value as text, of about `most` characters at most.
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
