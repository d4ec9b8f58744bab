//! Messages for people, as JSON.

use ndscript::diagnostics::{Diagnostic, Severity};
use ndscript::source::{Sources, Span};
use ndscript::{EngineFunction, LimitReached};
use serde_json::{Value, json};

/// What is for hosts in Rust, and how hosts in all other languages know it.
const NAMES: [(&str, &str); 10] = [
    ("`Limits::steps`", "the limit `steps`"),
    ("`Limits::memory`", "the limit `memory`"),
    ("`Limits::depth`", "the limit `depth`"),
    ("`Limits::output`", "the limit `output`"),
    ("`Limits::pictures`", "the limit `pictures`"),
    ("`Limits::picture_cells`", "the limit `pictureCells`"),
    ("`Limits::time`", "the limit `milliseconds`"),
    ("with `Limits::source`", "by the limit `source`"),
    ("`Engine::with_save_key`", "the engine's key for saved runs"),
    ("`Engine::with_type`", "the host"),
];

/// A message for hosts in words that fit any of them.
pub fn for_hosts(text: &str) -> String {
    NAMES.iter().fold(text.to_string(), |text, (rust, name)| {
        text.replace(rust, name)
    })
}

/// A message with its places. Offsets are bytes, lines and columns count from 1.
pub fn message(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let mut diagnostic = diagnostic.clone();
    for hint in &mut diagnostic.hints {
        *hint = for_hosts(hint);
    }
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let related: Vec<Value> = diagnostic
        .related
        .iter()
        .map(|(span, text)| json!({"place": place(*span, sources), "text": text}))
        .collect();
    let calls: Vec<Value> = diagnostic
        .calls
        .iter()
        .map(|call| json!({"text": call.text, "place": call.span.and_then(|span| place(span, sources))}))
        .collect();
    json!({
        "severity": severity,
        "message": diagnostic.message,
        "place": diagnostic.span.and_then(|span| place(span, sources)),
        "label": diagnostic.label,
        "related": related,
        "hints": diagnostic.hints,
        "calls": calls,
        "rendered": diagnostic.render(sources, false),
    })
}

/// The message about a program that cannot even be read.
pub fn unread(why: &str) -> Value {
    let mut diagnostic = Diagnostic::error(why, Span::default());
    diagnostic.span = None;
    messages(&[diagnostic], &Sources::default())
}

pub fn messages(diagnostics: &[Diagnostic], sources: &Sources) -> Value {
    diagnostics
        .iter()
        .map(|diagnostic| message(diagnostic, sources))
        .collect()
}

pub fn place(span: Span, sources: &Sources) -> Option<Value> {
    let (file, line, column) = sources.locate(span)?;
    let local = |offset: u32| file.clamp(offset.saturating_sub(file.base));
    Some(json!({
        "file": &*file.name,
        "line": line,
        "column": column,
        "start": local(span.start),
        "end": local(span.end),
    }))
}

/// A limit, by the name that nds_engine_set_limit knows.
pub fn limit(reached: LimitReached) -> Value {
    let name = match reached {
        LimitReached::Steps(_) => "steps",
        LimitReached::Memory(_) => "memory",
        LimitReached::Depth(_) => "depth",
        LimitReached::Output(_) => "output",
        LimitReached::Pictures(_) => "pictures",
        LimitReached::PictureSize(_) => "pictureCells",
        LimitReached::Time(_) => "milliseconds",
        LimitReached::Cancelled => "cancelled",
    };
    let text = reached.to_string();
    let text = text.split(": raise").next().unwrap_or_default();
    json!({"severity": "error", "limit": name, "message": text, "rendered": text})
}

pub fn function(function: &EngineFunction) -> Value {
    json!({
        "name": &*function.name,
        "call": function.call(),
        "domain": function.domain,
        "doc": &*function.doc,
        "example": &*function.example,
        "gives": &*function.gives,
    })
}
