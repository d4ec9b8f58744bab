//! Errors in a program, as tools read them: a message with its places as numbers.

use ndscript::diagnostics::{Diagnostic, Severity};
use ndscript::source::{Sources, Span};
use serde_json::{Value, json};

/// A message of the checker or of a run.
pub struct Finding {
    pub severity: Severity,
    pub message: String,
    /// The label at the marked place; may be empty.
    pub label: String,
    /// `None` if it is about no place.
    pub region: Option<Region>,
    /// What to do, one line each.
    pub hints: Vec<String>,
    /// Other places that matter.
    pub related: Vec<(Region, String)>,
}

/// A stretch of a file. Lines and columns count from 1, columns in characters, and the end is not part of it.
pub struct Region {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl Region {
    /// Where a span lies; `None` if it is in no file.
    pub fn of(sources: &Sources, span: Span) -> Option<Region> {
        let (file, line, column) = sources.locate(span)?;
        let end = span.end.max(span.start).saturating_sub(file.base);
        let (end_line, end_column) = file.line_column(end);
        Some(Region {
            file: file.name.to_string(),
            line,
            column,
            end_line,
            end_column,
        })
    }

    fn add_to(&self, json: &mut Value) {
        json["file"] = json!(self.file);
        json["line"] = json!(self.line);
        json["column"] = json!(self.column);
        json["endLine"] = json!(self.end_line);
        json["endColumn"] = json!(self.end_column);
    }
}

impl Finding {
    pub fn of(diagnostic: &Diagnostic, sources: &Sources) -> Finding {
        let related = diagnostic.related.iter();
        Finding {
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            label: diagnostic.label.clone(),
            region: diagnostic.span.and_then(|span| Region::of(sources, span)),
            hints: diagnostic.hints.clone(),
            related: related
                .filter_map(|(span, text)| Some((Region::of(sources, *span)?, text.clone())))
                .collect(),
        }
    }

    /// An error about a whole file, such as one that cannot be read: its first line as it is, further lines as hints.
    pub fn of_file(message: &str) -> Finding {
        let mut lines = message.lines().map(str::to_string);
        Finding {
            severity: Severity::Error,
            message: lines.next().unwrap_or_default(),
            label: String::new(),
            region: None,
            hints: lines.collect(),
            related: Vec::new(),
        }
    }

    /// The word for how grave it is.
    pub fn level(&self) -> &'static str {
        match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }

    /// All its text, in lines.
    pub fn words(&self) -> String {
        let mut words = self.message.clone();
        if !self.label.is_empty() {
            words += &format!(": {}", self.label);
        }
        for hint in &self.hints {
            words += &format!("\nhint: {hint}");
        }
        words
    }

    /// An object. It is about `file` if it is about no place.
    pub fn to_json(&self, file: &str) -> Value {
        let mut json = json!({"file": file});
        if let Some(region) = &self.region {
            region.add_to(&mut json);
        }
        json["severity"] = json!(self.level());
        json["message"] = json!(self.message);
        if !self.label.is_empty() {
            json["label"] = json!(self.label);
        }
        if !self.hints.is_empty() {
            json["hints"] = json!(self.hints);
        }
        if !self.related.is_empty() {
            let related = self.related.iter().map(|(region, text)| {
                let mut json = json!({});
                region.add_to(&mut json);
                json["message"] = json!(text);
                json
            });
            json["related"] = related.collect();
        }
        json
    }
}
