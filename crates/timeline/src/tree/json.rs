//! A search tree as JSON (docs/language.md).

use std::fmt::Write as _;

use super::SearchTree;
use ndscript_base::source::Span;

impl SearchTree {
    /// The tree as `ndscript tree --json` prints it: all nodes, parents first.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{\"nodes\": [");
        for (id, node) in self.nodes().iter().enumerate() {
            out.push_str(if id == 0 { "\n" } else { ",\n" });
            let parent = node
                .parent
                .map_or_else(|| "null".to_string(), |parent| parent.to_string());
            let line = self
                .line(node)
                .map_or_else(|| "null".to_string(), |line| line.to_string());
            let _ = write!(
                out,
                "{{\"id\": {id}, \"parent\": {parent}, \"alternative\": {}, \"state\": \"{}\", \"line\": {line}, \"label\": {}",
                node.alternative,
                node.state.name(),
                quoted(&node.label)
            );
            let _ = write!(out, ", \"step\": {}", node.step);
            if let Some((why, span)) = &node.why {
                let _ = write!(
                    out,
                    ", \"why\": {}{}",
                    quoted(why),
                    self.place_as_fields(*span, "failed")
                );
            }
            if let Some(stop) = &node.stop {
                let _ = write!(out, ", \"stopped\": {}", quoted(&stop.result));
                if stop.result == "error" {
                    let _ = write!(
                        out,
                        ", \"error\": {}{}",
                        quoted(&stop.error),
                        self.place_as_fields(stop.span, "error")
                    );
                }
            }
            if node.folded > 0 {
                let _ = write!(
                    out,
                    ", \"folded\": {}, \"failures\": {}",
                    node.folded, node.folded_failures
                );
            }
            if let Some(origin) = node.origin {
                let _ = write!(
                    out,
                    ", \"run\": \"{}\", \"parts\": {}",
                    origin.name(),
                    node.parts
                );
            }
            if let Some(ended) = &node.ended {
                let [first, second] = ended.each_ref().map(|ended| {
                    let why = ended
                        .why
                        .as_ref()
                        .map(|(why, _)| format!(", \"why\": {}", quoted(why)));
                    let stop = ended
                        .stop
                        .as_ref()
                        .map(|stop| format!(", \"stopped\": {}", quoted(&stop.result)));
                    let state = ended.state.name();
                    format!(
                        "{{\"state\": \"{state}\"{}{}}}",
                        why.unwrap_or_default(),
                        stop.unwrap_or_default()
                    )
                });
                let _ = write!(out, ", \"first\": {first}, \"second\": {second}");
            }
            out.push('}');
        }
        out.push_str("\n]}\n");
        out
    }

    /// The file and the line of a place, as fields whose names begin with a word.
    fn place_as_fields(&self, span: Option<Span>, word: &str) -> String {
        let Some((file, line, _)) = span.and_then(|span| self.sources().locate(span)) else {
            return String::new();
        };
        format!(
            ", \"{word}_file\": {}, \"{word}_line\": {line}",
            quoted(&file.name)
        )
    }
}

/// A text as JSON writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // A page ends at `</script>`, even inside a text; and some readers take these characters for ends of lines.
            '\u{0}'..='\u{1f}' | '<' | '>' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
