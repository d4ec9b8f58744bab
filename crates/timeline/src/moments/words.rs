//! Events in words.

use ndscript::internals::GOES_ON;
use ndscript::{Event, Moment};
use ndscript_base::source::{Sources, Span};

/// At most this many characters of a value or a text are shown.
const MOST_CHARACTERS: usize = 80;

/// A line in words, followed by `end`; empty if the line is unknown.
pub fn line_in_words(sources: &Sources, span: Option<Span>, end: &str) -> String {
    span.and_then(|span| sources.line_in_words(span))
        .map_or_else(String::new, |line| line + end)
}

/// Whether what is written in a place is what was chosen in another one: `x[i] = choose(1, 2)`.
pub fn is_of_choice(written: Option<Span>, chosen: Option<Span>) -> bool {
    written
        .zip(chosen)
        .is_some_and(|(written, chosen)| written.start <= chosen.start && chosen.end <= written.end)
}

/// Whether a failure only goes back from a solution because another one is wanted. A `fail` of the program itself has a
/// span.
pub fn is_after_solution(moment: &Moment<'_>, why: &str) -> bool {
    moment.span.is_none() && why == GOES_ON
}

/// An event in a few words: `choose among 3`, `g[0, 1] = {2}`.
pub fn in_words(moment: &Moment<'_>, event: &Event<'_>, sources: &Sources) -> String {
    match event {
        Event::Line => moment
            .span
            .and_then(|span| sources.locate(span))
            .map_or_else(String::new, |(file, line, _)| {
                file.line(line).trim().to_string()
            }),
        Event::Choice { alternatives, .. } => format!("choose among {alternatives}"),
        Event::Take {
            number,
            alternative,
            value,
            ..
        } => {
            let place = moment.place_decided();
            let place =
                place.map_or_else(String::new, |place| format!(" for {}", place.text(moment)));
            match (value, alternative) {
                (Some(value), _) => format!(
                    "alternative {}{place}: {}",
                    number + 1,
                    value.beginning(MOST_CHARACTERS)
                ),
                (None, Some(span)) => format!(
                    "alternative {}{place}: {}",
                    number + 1,
                    one_line(sources.text(*span))
                ),
                (None, None) => match moment.search_in_words(*number) {
                    Some(words) => format!("alternative {}: {words}", number + 1),
                    None => format!("alternative {}{place}", number + 1),
                },
            }
        }
        Event::Fail { why } => format!("fail: {}", one_line(why)),
        Event::Write { target, value } => format!(
            "{} = {}",
            target.text_in(moment, sources),
            value.beginning(MOST_CHARACTERS)
        ),
        Event::Print { text } => format!("print {:?}", one_line(text)),
        Event::Picture { .. } => "picture".to_string(),
        Event::Snapshot { snapshot } => format!("snapshot {:?}", one_line(&snapshot.caption)),
        Event::Enter {
            function,
            arguments,
        } => {
            let arguments: Vec<String> = arguments
                .iter()
                .map(|value| value.beginning(MOST_CHARACTERS / 4))
                .collect();
            format!("call {}({})", named(function), arguments.join(", "))
        }
        Event::Leave { function, value } => {
            format!(
                "{} returns {}",
                named(function),
                value.beginning(MOST_CHARACTERS)
            )
        }
        Event::Solution { number } => format!("solution {number}"),
        Event::End { result, why } => match why.filter(|_| *result == "error") {
            Some(why) => format!("end: {result}: {}", one_line(why)),
            None => format!("end: {result}"),
        },
        // `Event` may grow. New events have no words.
        _ => String::new(),
    }
}

fn named(function: &str) -> &str {
    if function.is_empty() {
        "(function)"
    } else {
        function
    }
}

/// The beginning of a text, on one line.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let short: String = line.chars().take(MOST_CHARACTERS).collect();
    if short.len() < line.len() {
        short + "..."
    } else {
        short
    }
}

/// The beginning of a text, in at most `most` bytes and a mark if there was more.
pub(crate) fn beginning_in_bytes(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_string();
    }
    let end = (0..=most)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    if most == 0 {
        String::new()
    } else {
        format!("{}...", &text[..end])
    }
}

/// The first characters of a text.
pub(crate) fn beginning(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() && most > 0 {
        short.push_str("...");
    }
    short
}
