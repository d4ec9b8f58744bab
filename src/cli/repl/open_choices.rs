//! The open choices in words: where they were made, what is chosen, and what is left.

use ndscript::{Alternative, OpenChoice};

use super::chosen::{NOTES, Told};
use super::reply::brief;
use super::saving;
use super::session::Session;

/// So many open choices are listed.
const LISTED: usize = 50;

/// The open choices, the latest first, for a window of so many columns.
pub fn lines(session: &Session, columns: usize) -> Vec<String> {
    let open = session.run().open_choices();
    let choices = session.choices(LISTED);
    let told = told(session, &choices);
    let sources = session.program().sources();
    let mut lines = Vec::new();
    for (at, (input, choice)) in choices.iter().enumerate() {
        let line = sources.locate(choice.span).map_or(1, |(_, line, _)| line);
        let told = told.get(at).and_then(Option::as_ref);
        let mut head = format!("input {input}, line {line}");
        if let Some(call) = &choice.call {
            head.push_str(&format!(", in {}", brief(call, 40)));
        }
        if let Some(place) = &choice.place {
            head.push_str(&format!(", for {place}"));
        }
        let code = brief(&unbroken(sources.text(choice.span)), columns.saturating_sub(head.len() + 3).max(16));
        let locals = told.map_or(&[][..], |told| &told.locals);
        let locals: Vec<String> =
            locals.iter().map(|(name, value)| format!("{name} is {}", brief(value, 24))).collect();
        let with = if locals.is_empty() { String::new() } else { format!(" with {}", locals.join(", ")) };
        lines.push(format!("{head}: {code}{with}"));
        let now = told.map_or(String::new(), |told| format!("now {}; ", told.chosen.trim_end_matches(';')));
        let left =
            left(choice, &|span| brief(unbroken(sources.text(span)).trim_end_matches(';'), 30), columns, now.len());
        lines.push(format!("    {now}{left}"));
    }
    if open == 0 {
        lines.push("no choice is open".to_string());
    } else if open > choices.len() {
        lines.push(format!("and {} older ones", open - choices.len()));
    }
    lines
}

/// How many alternatives are left, and as many of them as there is room for.
fn left(choice: &OpenChoice, code: &dyn Fn(ndscript::source::Span) -> String, columns: usize, used: usize) -> String {
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
    let more = if named.len() < choice.left && !named.is_empty() { ", ..." } else { "" };
    let colon = if named.is_empty() { "" } else { ": " };
    format!("{} left{colon}{}{more}", choice.left, named.join(", "))
}

/// What was chosen at each of these open choices, as far as it can be found out: the inputs are run once more with all
/// choices noted, and that run is taken back choice by choice.
fn told(session: &Session, choices: &[(usize, OpenChoice)]) -> Vec<Option<Told>> {
    if choices.is_empty() {
        return Vec::new();
    }
    let Some((text, places, mut run, solution)) = saving::noted(session) else { return Vec::new() };
    let Some(notes) = solution.globals.get(NOTES).map(|notes| notes.elements()) else { return Vec::new() };
    let sources = session.program().sources();
    let mut all = Vec::new();
    for (_, choice) in choices {
        if run.take_back_choice().is_none() {
            break;
        }
        // The first note behind the choice is its own, unless it was made by a built-in.
        let before = run.view_global(NOTES).map(ndscript::View::len);
        let note = before.and_then(|before| notes.get(before));
        let told = note.and_then(|note| places.told(&text, note));
        all.push(told.filter(|told| places.text(&text, told.place) == sources.text(choice.span)));
    }
    all
}

/// A text on one line, every run of white space a single space.
fn unbroken(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
