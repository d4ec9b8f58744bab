//! Messages for people, as JSON.

use ndscript::diagnostics::{Diagnostic, Severity};
use ndscript::source::{Sources, Span};
use ndscript::{EngineFunction, LimitReached};
use serde_json::{Value, json};

/// A message with its places. Offsets are bytes, lines and columns count from 1.
pub fn message(diagnostic: &Diagnostic, sources: &Sources) -> Value {
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

/// A limit in the words of hosts: how it is raised differs from host to host.
pub fn limit(reached: LimitReached) -> Value {
    let text = reached.to_string();
    let text = text.split(": raise").next().unwrap_or_default();
    json!({"severity": "error", "limit": reached.name(), "message": text, "rendered": text})
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
