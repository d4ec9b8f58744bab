//! The open choices in words: where they were made, the chosen values, and the alternatives left.

use ndscript::diagnostics::wrap;
use ndscript::source::{Sources, Span};
use ndscript::{Alternative, OpenChoice};

use super::Session;
use super::chosen::{ChoiceInWords, NOTES};
use super::taken::chosen_alternatives;
use crate::interactive::repl::reply::brief;
use crate::interactive::repl::saving;

/// At most this many open choices are listed.
const MOST_LISTED: usize = 50;

/// The open choices, the latest first, for a window of this many columns.
pub fn lines(session: &Session, columns: usize) -> Vec<String> {
    let open = session.run().open_choices();
    let choices = session.choices(MOST_LISTED);
    let words = choices_in_words(session, &choices);
    let alternatives = if choices.is_empty() {
        Vec::new()
    } else {
        chosen_alternatives(session)
    };
    let sources = session.program().sources();
    let mut lines = Vec::new();
    let mut latest_head = String::new();
    for (at, (input, choice)) in choices.iter().enumerate() {
        let words = words.get(at).and_then(Option::as_ref);
        let mut head = whereabouts(*input, choice.span, sources);
        if let Some(call) = &choice.call {
            head.push_str(&format!(", in {}", brief(call, 40)));
        }
        let code = brief(
            &unbroken(sources.text(choice.span)),
            columns.saturating_sub(head.len() + 3).max(16),
        );
        let locals = words.map_or(&[][..], |words| &words.locals);
        let locals: Vec<String> = locals
            .iter()
            .map(|(name, value)| format!("{name} is {}", brief(value, 24)))
            .collect();
        let locals_in_words = if locals.is_empty() {
            String::new()
        } else {
            format!(" with {}", locals.join(", "))
        };
        let head = format!("{head}: {code}{locals_in_words}");
        // A choice for many places is shown once.
        if choice.place.is_none() || head != latest_head {
            lines.push(wrap(&head, columns.saturating_sub(1), 4));
        }
        latest_head = head;
        let chosen = words
            .map(|words| words.chosen.as_str())
            .or_else(|| alternatives.get(at).map(String::as_str));
        let chosen = chosen.map(|chosen| brief(unbroken(chosen).trim_end_matches(';'), 30));
        let place = choice
            .place
            .as_ref()
            .map_or(String::new(), |place| format!("{place} is "));
        let now = match chosen.filter(|chosen| !chosen.is_empty()) {
            Some(chosen) if place.is_empty() => format!("now {chosen}; "),
            Some(chosen) => format!("{place}now {chosen}; "),
            None if place.is_empty() => String::new(),
            None => format!("{place}chosen; "),
        };
        let left = left(
            choice,
            &|span| brief(unbroken(sources.text(span)).trim_end_matches(';'), 30),
            columns,
            now.len(),
        );
        lines.push(format!("    {now}{left}"));
    }
    if open == 0 {
        lines.push("no choice is open".to_string());
    } else if open > choices.len() {
        lines.push(format!("and {} older ones", open - choices.len()));
    }
    lines
}

/// The input that has made a choice, and the place of its text.
fn whereabouts(input: usize, span: Span, sources: &Sources) -> String {
    let name = format!("input {input}");
    match sources.locate(span) {
        Some((file, line, _)) if *file.name == name => format!("{name}, line {line}"),
        Some((file, line, _)) => format!("{name} ({}, line {line})", file.name),
        None => name,
    }
}

/// The number of alternatives left, and those that fit.
fn left(choice: &OpenChoice, code: &dyn Fn(Span) -> String, columns: usize, used: usize) -> String {
    let mut named = Vec::new();
    let mut width = format!("    {} left: , ...", choice.left).len() + used;
    for alternative in &choice.alternatives {
        let text = match alternative {
            Alternative::Code(span) => code(*span),
            Alternative::Element(text) => brief(text, 30),
        };
        width += text.chars().count() + 2;
        if width > columns.max(30) {
            break;
        }
        named.push(text);
    }
    let more = if named.len() < choice.left && !named.is_empty() {
        ", ..."
    } else {
        ""
    };
    let colon = if named.is_empty() { "" } else { ": " };
    format!("{} left{colon}{}{more}", choice.left, named.join(", "))
}

/// The chosen values at these open choices, as far as they can be determined: the inputs run once more with all choices
/// recorded, and that run backtracks choice by choice.
fn choices_in_words(
    session: &Session,
    choices: &[(usize, OpenChoice)],
) -> Vec<Option<ChoiceInWords>> {
    if choices.is_empty() {
        return Vec::new();
    }
    let Some((text, places, mut run, solution)) = saving::recorded_choices(session) else {
        return Vec::new();
    };
    let Some(notes) = solution.globals.get(NOTES).map(|notes| notes.elements()) else {
        return Vec::new();
    };
    let sources = session.program().sources();
    let mut all = Vec::new();
    for (_, choice) in choices {
        if run.take_back_choice().is_none() {
            break;
        }
        // The first record after the choice is its own, unless a built-in made it.
        let before = run.view_global(NOTES).map(ndscript::View::len);
        let note = before.and_then(|before| notes.get(before));
        let words = note.and_then(|note| places.in_words(&text, note));
        all.push(
            words.filter(|words| places.text(&text, words.place) == sources.text(choice.span)),
        );
    }
    all
}

/// A text on one line, every run of white space a single space.
fn unbroken(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
