//! Expressions over what a run holds at a moment. A place is looked at where it lies; anything else runs as a program of its
//! own, which has copies of the variables that it names, so that it can change nothing.

use ndscript::syntax::highlight::{TokenClass, tokens};
use ndscript::{Data, Engine, Outcome, Run};
use ndscript_timeline::variable;

/// An expression may take this many steps.
const STEPS: u64 = 1 << 20;

/// The value of an expression.
///
/// # Errors
/// What is wrong, in words.
pub fn evaluate(run: &Run, call: usize, expression: &str) -> Result<Data, String> {
    let expression = expression.trim().trim_end_matches(';');
    let program = Engine::new()
        .compile(&format!("return {expression}\n;"))
        .map_err(|error| {
            let first = error.diagnostics.first();
            first.map_or_else(String::new, |first| first.message.clone())
        })?;
    let mut own = program.run(1);
    for (class, range) in tokens(expression) {
        let name = &expression[range];
        if class != TokenClass::Name {
            continue;
        }
        if let Some(view) = variable(run, Some(call), name) {
            // A name that stands for a field alone is not wanted as a variable, and is none.
            let _ = own.set_global(name, view.data());
        }
    }
    match own.resume(STEPS) {
        Outcome::Solved(solution) => Ok(solution.value),
        Outcome::Failed => Err("it fails".to_string()),
        Outcome::Error(error) => Err(error.diagnostic.message.clone()),
        Outcome::Asked(_) | Outcome::Waiting(_) => Err("it asks, and nobody answers".to_string()),
        Outcome::OutOfFuel | Outcome::Limit(_) => Err("it takes too long".to_string()),
    }
}

/// The candidates that somebody has typed: an expression, or `{1, 2}` as a set is shown.
///
/// # Errors
/// What is wrong, in words.
pub fn candidates(run: &Run, call: usize, text: &str) -> Result<Data, String> {
    let inside = text.trim().strip_prefix('{');
    let elements = inside.and_then(|inside| inside.strip_suffix('}'));
    evaluate(run, call, text).or_else(|why| match elements {
        Some(elements) => evaluate(run, call, &format!("setOf({elements})")),
        None => Err(why),
    })
}

/// Whether a condition holds.
///
/// # Errors
/// If it cannot be evaluated, or is neither true nor false.
pub fn holds(run: &Run, call: usize, condition: &str) -> Result<bool, String> {
    match evaluate(run, call, condition)? {
        Data::Boolean(holds) => Ok(holds),
        other => Err(format!("it is {other}, which is neither true nor false")),
    }
}

/// A text with `{expression}` in it, with the values in place of these; `{{` is a brace.
pub fn message(run: &Run, call: usize, text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix('{') {
            out.push('{');
            rest = behind;
            continue;
        }
        let end = closing(rest);
        match evaluate(run, call, &rest[..end]) {
            Ok(Data::Text(text)) => out.push_str(&text),
            Ok(value) => out.push_str(&value.to_string()),
            Err(why) => out.push_str(&format!("<{why}>")),
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    out + rest
}

/// Where the brace closes that was opened before a text.
fn closing(text: &str) -> usize {
    let mut open = 0;
    for (at, character) in text.char_indices() {
        match character {
            '{' => open += 1,
            '}' if open == 0 => return at,
            '}' => open -= 1,
            _ => {}
        }
    }
    text.len()
}
