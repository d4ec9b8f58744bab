//! Changes that do what a hint says. A change is only offered if it makes the message disappear, and causes no other one.

use std::collections::HashMap;
use std::ops::Range;

use gen_lsp_types as lsp;
use ndscript::diagnostics::{Diagnostic, Severity};
use ndscript::syntax::highlight::{TokenClass, tokens};

use super::analysis::{Analysis, bytes};
use super::{Cursor, Failure, Server};
use crate::text::Text;

/// At most this many messages are examined for one request.
const MOST: usize = 8;

/// At most this many bytes are checked for one request, or one text that is longer: each guess checks the whole program.
const MOST_CHECKED: usize = 4 << 20;

/// A change that may be what a hint means.
struct Guess {
    title: String,
    bytes: Range<usize>,
    new: String,
}

impl Server {
    pub(super) fn fixes(
        &mut self,
        parameters: lsp::CodeActionParams,
    ) -> Result<Vec<lsp::CodeAction>, Failure> {
        let (name, document) = self.document(&parameters.text_document.uri)?;
        let only = &parameters.context.only;
        let wants_fixes = only.as_ref().is_none_or(|kinds| {
            let is_fix = |kind: &lsp::CodeActionKind| {
                let kind = serde_json::to_value(kind).unwrap_or_default();
                matches!(kind.as_str(), Some("" | "quickfix"))
            };
            kinds.iter().any(is_fix)
        });
        // Editors ask wherever the cursor goes. Where they show no message, the program need not be checked for it.
        if !wants_fixes || parameters.context.diagnostics.is_empty() {
            return Ok(Vec::new());
        }
        let analysis = self.analysis(&name, &document);
        let text = &document.text;
        let asked = text.bytes(parameters.range);
        let asked = text.line(text.line_of(asked.start)).start..asked.end;
        let check = analysis.check();
        let mut actions = Vec::new();
        let mut left = (MOST_CHECKED / text.text.len().max(1)).max(1);
        let own = check.diagnostics.iter().filter(|diagnostic| {
            let span = diagnostic.span.unwrap_or_default();
            let bytes = bytes(span, 0);
            bytes.end <= text.text.len() && bytes.start <= asked.end && asked.start <= bytes.end
        });
        for diagnostic in own.take(MOST) {
            let shown = self.shown(diagnostic, &check.sources, text, analysis.names().imports());
            let action = |title: String, edit| lsp::CodeAction {
                title,
                kind: Some(lsp::CodeActionKind::QuickFix),
                diagnostics: Some(vec![shown.clone()]),
                is_preferred: Some(true),
                edit: Some(edit),
                ..lsp::CodeAction::default()
            };
            if diagnostic.label == "nothing reads it" {
                let offset = bytes(diagnostic.span.unwrap_or_default(), 0).start;
                let cursor = Cursor {
                    name: name.clone(),
                    document: document.clone(),
                    analysis: analysis.clone(),
                    offset,
                };
                let new = analysis
                    .mention(offset)
                    .map(|(_, name)| format!("_{}", name.text));
                if let Some(new) = new
                    && let Ok(edit) = self.renamed(&cursor, &new)
                {
                    actions.push(action(format!("Call it `{new}`"), edit));
                }
                continue;
            }
            let mut guesses = guesses(diagnostic, text).into_iter();
            let is_cure = |guess: &Guess| {
                let may_check = left > 0;
                left = left.saturating_sub(1);
                may_check && is_cure(&analysis, diagnostic, text, guess)
            };
            if let Some(guess) = guesses.find(is_cure) {
                let edit = lsp::TextEdit {
                    range: text.range(guess.bytes),
                    new_text: guess.new,
                };
                let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
                let edit = lsp::WorkspaceEdit {
                    changes: Some(changes),
                    ..lsp::WorkspaceEdit::default()
                };
                actions.push(action(guess.title, edit));
            }
        }
        Ok(actions)
    }
}

/// Whether a change makes the message disappear, and causes no other one.
fn is_cure(analysis: &Analysis, diagnostic: &Diagnostic, text: &Text, guess: &Guess) -> bool {
    let changed = text.with(guess.bytes.clone(), &guess.new);
    let after = analysis.check_text(&changed.text);
    let count =
        |all: &[Diagnostic], severity| all.iter().filter(|it| it.severity == severity).count();
    let same = |all: &[Diagnostic]| {
        let is_same = |it: &&Diagnostic| it.message == diagnostic.message;
        all.iter().filter(is_same).count()
    };
    let before = &analysis.check().diagnostics;
    let after = &after.diagnostics;
    let errors = [before, after].map(|all| count(all, Severity::Error));
    // Only a program without errors gets warnings.
    let was_error = diagnostic.severity == Severity::Error;
    let is_better = if was_error {
        errors[1] < errors[0]
    } else {
        errors[1] == 0 && after.len() < before.len()
    };
    is_better && same(after) < same(before)
}

/// What a message and its hints may mean, the most likely first.
fn guesses(diagnostic: &Diagnostic, text: &Text) -> Vec<Guess> {
    let span = bytes(diagnostic.span.unwrap_or_default(), 0);
    let marked = text.text.get(span.clone()).unwrap_or_default();
    let mut guesses = Vec::new();
    let mut guess = |title: String, bytes: Range<usize>, new: &str| {
        guesses.push(Guess {
            title,
            bytes,
            new: new.to_string(),
        });
    };
    let is_missing = diagnostic.message.ends_with("is missing");
    let codes = quoted(&diagnostic.message);
    if let Some(code) = codes.first().filter(|_| is_missing) {
        let title = format!("Insert `{code}`");
        let line = text.line(text.line_of(span.start));
        let last = line.end - usize::from(text.text[line.clone()].ends_with(';'));
        let before = text.text[..span.start].trim_end().len();
        // What closes a bracket stands at the end; right after the open one it would mean something else.
        let places = if diagnostic.message.contains("that closes") {
            vec![last, line.end]
        } else {
            vec![span.end, before, span.start, last, line.end]
        };
        for at in places {
            guess(title.clone(), at..at, code);
        }
        // One who has not written a call to its end has not ended the statement either.
        if *code == ")" {
            guess("Insert `);`".to_string(), line.end..line.end, ");");
        }
    }
    for hint in &diagnostic.hints {
        let codes = quoted(hint);
        if hint.starts_with("leave it out") || hint.starts_with("remove it") {
            let gap =
                text.text[span.end..].len() - text.text[span.end..].trim_start_matches(' ').len();
            guess(format!("Remove `{marked}`"), span.start..span.end + gap, "");
        }
        if hint.starts_with("remove the")
            && let Some(code) = codes.first()
        {
            let before = &text.text[..span.start];
            if let Some(at) = before
                .rfind(code)
                .filter(|at| before[at + code.len()..].trim().is_empty())
            {
                guess(format!("Remove the `{code}`"), at..at + code.len(), "");
            }
        }
        if hint.starts_with("declare it: `var") && begins_statement(text, span.start) {
            guess(
                format!("Declare `{marked}` with `var`"),
                span.start..span.start,
                "var ",
            );
        }
        if hint.starts_with("declare it with `let`")
            && let Some((declared, _)) = diagnostic.related.first()
            && let Some(at) =
                text.text[..bytes(*declared, 0).start.min(text.text.len())].rfind("const")
        {
            guess(
                "Declare it with `let`".to_string(),
                at..at + "const".len(),
                "let",
            );
        }
        if let [new, old, ..] = codes[..]
            && hint.contains("instead of")
            && let Some(at) = find_token(text, &span, old)
        {
            guess(format!("Write `{new}`"), at, new);
        }
        let whole = ["did you mean `", "write `", "use `"];
        let is_whole = whole.iter().any(|begin| hint.starts_with(begin));
        for code in codes
            .iter()
            .filter(|code| !code.contains("...") && !code.is_empty())
        {
            let is_token = tokens(code).count() == 1 || code.split(' ').count() == 2;
            if is_token && (is_whole || hint.contains("written `") || hint.contains("write `")) {
                guess(format!("Write `{code}`"), span.clone(), code);
            }
        }
    }
    for hint in &diagnostic.hints {
        guesses.extend(rarer_guesses(hint, text, &span));
    }
    guesses
}

/// Fixes for hints whose wording follows no pattern.
fn rarer_guesses(hint: &str, text: &Text, span: &Range<usize>) -> Vec<Guess> {
    let marked = text.text.get(span.clone()).unwrap_or_default();
    let line = text.line(text.line_of(span.start));
    let codes = quoted(hint);
    let mut guesses = Vec::new();
    let mut guess = |title: String, bytes: Range<usize>, new: &str| {
        guesses.push(Guess {
            title,
            bytes,
            new: new.to_string(),
        });
    };
    // A result that is thrown away goes where it came from: `x = sorted(x);`.
    if let Some(argument) = first_argument(marked)
        && hint.contains(": write `")
    {
        let new = format!("{argument} = ");
        guess(
            format!("Write `{new}{marked};`"),
            span.start..span.start,
            &new,
        );
    }
    if hint.starts_with("a set of the elements is `setOf") && marked.starts_with("setOf") {
        let name = span.start..span.start + "setOf".len();
        guess("Write `toSet`".to_string(), name, "toSet");
    }
    if let Some(code) = codes.first()
        && hint.starts_with("leave `")
        && let Some(at) = text.text[line.clone()].find(code)
    {
        let at = line.start + at;
        let end = at + code.len();
        let gap = text.text[end..].len() - text.text[end..].trim_start_matches(' ').len();
        let gap = if code.starts_with(':') { 0 } else { gap };
        guess(format!("Leave `{code}` out"), at..end + gap, "");
    }
    // A text that does not end may end before whatever closes the statement.
    if let Some(quote) = codes.first().filter(|_| hint.contains("ends"))
        && matches!(*quote, "\"" | "'" | "`")
    {
        let end = line.end;
        let closing = [')', ';', ' ', ']', '}'];
        let first = text.text[..end].trim_end_matches(closing).len();
        let first = first.max(span.start + 1).min(end);
        for at in first..=end {
            guess(format!("Insert `{quote}`"), at..at, quote);
        }
    }
    guesses.extend(foreign_guesses(hint, text, span));
    let mut guess = |title: String, bytes: Range<usize>, new: &str| {
        guesses.push(Guess {
            title,
            bytes,
            new: new.to_string(),
        });
    };
    // One word or sign in place of the one that is marked.
    if let [code] = codes[..]
        && tokens(code).count() == 1
    {
        guess(format!("Write `{code}`"), span.clone(), code);
    }
    guesses
}

/// What hints mean that are about forms of other languages.
fn foreign_guesses(hint: &str, text: &Text, span: &Range<usize>) -> Vec<Guess> {
    let marked = text.text.get(span.clone()).unwrap_or_default();
    let line = text.line(text.line_of(span.start));
    let behind = text.text.get(span.end..line.end).unwrap_or_default();
    let mut guesses = Vec::new();
    let mut guess = |title: &str, bytes: Range<usize>, new: String| {
        guesses.push(Guess {
            title: title.to_string(),
            bytes,
            new,
        });
    };
    // `for (const x of c)`
    if let Some(code) = hint.strip_prefix("write `foreach (")
        && let Some(code) = code.strip_suffix('`')
        && code != "x in collection)"
    {
        let new = format!("foreach ({code}");
        guess(&format!("Write `{new}`"), span.clone(), new.clone());
    }
    // `if a == 1 {`, `while x < 3:`, `for i = 0; i < 3; i++ {`.
    let is_bare = hint.contains("stands in parentheses")
        || hint.starts_with("it is written `foreach (")
        || hint.starts_with("it is written `for (");
    let rest = text.text[span.start..line.end].trim_end();
    let head = match rest.find('{') {
        Some(at) => Some((rest[..at].trim_end(), "")),
        None => [":", " do", " then"]
            .into_iter()
            .find_map(|word| Some((rest.strip_suffix(word)?, word))),
    };
    if let Some((inside, word)) = head.filter(|_| is_bare) {
        let bytes = span.start..span.start + inside.len() + word.len();
        guess("Write parentheses", bytes, format!("({inside})"));
    }
    // `(x) -> x + 1`.
    if marked == "->" && hint.starts_with("a function value is written") {
        guess("Write `=>`", span.clone(), "=>".to_string());
    }
    // `{1, 2}`.
    if hint.contains("a set is written `setOf(")
        && let Some(open) = text.text[..span.start].rfind('{')
        && let Some(close) = text.text[span.start..].find('}')
    {
        let close = span.start + close;
        let elements = text.text[open + 1..close].trim().trim_end_matches(',');
        guess(
            "Write `setOf`",
            open..close + 1,
            format!("setOf({elements})"),
        );
    }
    // `len(c)`, `console.log(x)`: another function for the same arguments.
    let called = hint
        .strip_prefix("write `")
        .and_then(|code| code.split_once('('));
    if let Some((name, _)) = called
        && tokens(name).count() == 1
    {
        let field = behind.strip_prefix('.').map_or(0, |field| {
            let end = field.find(|c: char| !c.is_alphanumeric() && c != '_');
            1 + end.unwrap_or(field.len())
        });
        let bytes = span.start..span.end + field;
        guess(&format!("Write `{name}`"), bytes, name.to_string());
    }
    if hint.starts_with("its functions are called by their names alone") && behind.starts_with('.')
    {
        guess(
            &format!("Leave `{marked}.` out"),
            span.start..span.end + 1,
            String::new(),
        );
    }
    guesses
}

/// Whether a statement may begin there: comments aside, nothing stands before it, or what ends one.
fn begins_statement(text: &Text, at: usize) -> bool {
    let before = tokens(&text.text).take_while(|(_, range)| range.end <= at);
    let last = before
        .filter(|(class, _)| *class != TokenClass::Comment)
        .last();
    last.is_none_or(|(_, range)| matches!(&text.text[range], ";" | "}" | "{"))
}

/// The first argument of a call, if it is a name.
fn first_argument(call: &str) -> Option<&str> {
    let mut words = tokens(call).filter(|(class, _)| *class != TokenClass::Comment);
    let mut is_next = |wanted: TokenClass| words.next().filter(|(class, _)| *class == wanted);
    is_next(TokenClass::Name)?;
    is_next(TokenClass::Bracket).filter(|(_, range)| &call[range.clone()] == "(")?;
    let (_, argument) = is_next(TokenClass::Name)?;
    let next = words.next().map(|(_, range)| &call[range]);
    matches!(next, Some("," | ")")).then(|| &call[argument])
}

/// Where a word or operator stands in a stretch, or near its end.
fn find_token(text: &Text, span: &Range<usize>, wanted: &str) -> Option<Range<usize>> {
    let line = text.line(text.line_of(span.start));
    let mut all = tokens(&text.text).filter(|(class, range)| {
        *class == TokenClass::Operator
            && range.start >= span.start
            && range.end <= line.end.max(span.end)
    });
    let found = all.find(|(_, range)| &text.text[range.clone()] == wanted);
    found.map(|(_, range)| range)
}

/// What stands in backticks.
fn quoted(words: &str) -> Vec<&str> {
    words.split('`').skip(1).step_by(2).collect()
}
