//! A search tree for Graphviz.

use std::fmt::Write as _;

use super::SearchTree;
use super::node::State;
use super::shape::{Shape, outcome};

impl SearchTree {
    /// The tree in the language of Graphviz: green leads to a solution, red has failed, gray was left open; subtrees
    /// that failed are one node, and so are chains of single alternatives. Of two runs, nodes of the first only have a
    /// blue border, those of the second only an orange one, and where they part the border is wide.
    pub fn to_dot(&self) -> String {
        let shape = Shape::of(self);
        let mut out = String::from(
            "digraph search {\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9];\n",
        );
        let mut todo = vec![0];
        while let Some(at) = todo.pop() {
            let node = &self.nodes()[at];
            let color = color(node.leads_to_solution, shape.is_dead[at], node.state);
            let text = match (at, outcome(self, &shape, at)) {
                (0, text) if node.stop.is_some() => format!("start: {text}"),
                (0, _) => "start".to_string(),
                (_, text) if text.is_empty() => self.line_in_words(node, ""),
                (_, text) => text,
            };
            let border = node.origin.map_or_else(String::new, |origin| {
                let wide = if node.parts { 4 } else { 2 };
                format!(", color=\"{}\", penwidth={wide}", origin.color())
            });
            let text = if node.parts {
                format!("{text}\nhere they part").trim().to_string()
            } else {
                text
            };
            let _ = writeln!(
                out,
                "  n{at} [label={}, fillcolor=\"{color}\"{border}];",
                quoted(&text)
            );
            for child in shape.shown(at) {
                let (end, between) = shape.chain(*child);
                let label = &self.nodes()[*child].label;
                if between > 1 {
                    let _ = writeln!(
                        out,
                        "  n{at} -> n{end} [label={}];",
                        quoted(&format!("{label} ... {between} more"))
                    );
                    todo.push(end);
                } else {
                    let _ = writeln!(out, "  n{at} -> n{child} [label={}];", quoted(label));
                    todo.push(*child);
                }
            }
        }
        out.push_str("}\n");
        out
    }
}

/// The color of a node.
pub(crate) fn color(leads_to_solution: bool, is_dead: bool, state: State) -> &'static str {
    match state {
        _ if leads_to_solution => "#a6dba0",
        State::Failed => "#f4a6a0",
        _ if is_dead => "#f4a6a0",
        _ => "#d9d9d9",
    }
}

/// A text as a string of the DOT language.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            // Shown as text: a reader may be a terminal.
            _ if character.is_control() => {
                out.push_str(&format!("\\\\u{{{:x}}}", u32::from(character)))
            }
            _ => out.push(character),
        }
    }
    out + "\""
}
