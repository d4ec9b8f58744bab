//! Messages for people.

use ndscript::diagnostics::{Diagnostic, Severity};
use ndscript::source::{Sources, Span};
use wasm_bindgen::JsValue;

use crate::object::{Fields, array};
use crate::offsets::units_before;

/// A message as `Diagnostic` of `types.d.ts` says.
pub fn message(diagnostic: &Diagnostic, sources: &Sources) -> JsValue {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let related = diagnostic.related.iter().filter_map(|(span, text)| {
        Some(
            Fields::new()
                .with("place", place(*span, sources)?)
                .with("text", text.as_str()),
        )
    });
    let calls = diagnostic.calls.iter().map(|call| {
        let place = call.span.and_then(|span| place(span, sources));
        Fields::new()
            .with("text", call.text.as_str())
            .with_some("place", place)
    });
    Fields::new()
        .with("severity", severity)
        .with("message", diagnostic.message.as_str())
        .with_some(
            "place",
            diagnostic.span.and_then(|span| place(span, sources)),
        )
        .with("label", diagnostic.label.as_str())
        .with("related", array(related))
        .with("hints", array(diagnostic.hints.iter().map(String::as_str)))
        .with("calls", array(calls))
        .with("rendered", diagnostic.render(sources, false))
        .into()
}

/// All messages about a program.
pub fn messages(diagnostics: &[Diagnostic], sources: &Sources) -> JsValue {
    array(
        diagnostics
            .iter()
            .map(|diagnostic| message(diagnostic, sources)),
    )
}

/// A stretch of a file as `Place` of `types.d.ts` says.
pub fn place(span: Span, sources: &Sources) -> Option<JsValue> {
    let (file, line, column) = sources.locate(span)?;
    let local =
        |offset: u32| units_before(&file.text, file.clamp(offset.saturating_sub(file.base))) as f64;
    let fields = Fields::new()
        .with("file", &*file.name)
        .with("start", local(span.start))
        .with("end", local(span.end));
    Some(
        fields
            .with("line", line as f64)
            .with("column", column as f64)
            .into(),
    )
}
