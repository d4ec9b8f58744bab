//! A search tree as lines of text.

use ndscript_base::counted::counted;
use std::fmt::Write as _;

use super::SearchTree;
use super::node::Origin;
use super::shape::{Shape, outcome};

/// At most this many failed alternatives of one choice get their own lines.
const MOST_FAILED: usize = 6;

/// Deeper nodes are not indented further.
const DEEPEST: usize = 60;

/// Where two runs part.
const PART: &str = "  -- here they part";

impl SearchTree {
    /// The tree as indented lines: subtrees that failed are one line each, and so are chains of single alternatives.
    pub fn to_text(&self) -> String {
        let shape = Shape::of(self);
        let outcome = outcome(self, &shape, 0);
        let dash = if outcome.is_empty() { "" } else { "  -- " };
        let part = if self.nodes()[0].parts { PART } else { "" };
        let mut out = format!("{}start{dash}{outcome}{part}\n", self.mark(0));
        let mut todo: Vec<(usize, usize)> = shape
            .shown(0)
            .iter()
            .rev()
            .map(|child| (*child, 1))
            .collect();
        let mut failed_in_a_row = 0;
        while let Some((at, depth)) = todo.pop() {
            let indent = format!("{}{}", self.mark(at), "  ".repeat(depth.min(DEEPEST)));
            let is_last_of_row = todo.last().is_none_or(|(next, _)| {
                self.nodes()[*next].parent != self.nodes()[at].parent || !shape.is_folded(*next)
            });
            failed_in_a_row = if shape.is_folded(at) {
                failed_in_a_row + 1
            } else {
                0
            };
            if failed_in_a_row > MOST_FAILED {
                if is_last_of_row {
                    let _ = writeln!(
                        out,
                        "{indent}... {} more failed",
                        failed_in_a_row - MOST_FAILED
                    );
                    failed_in_a_row = 0;
                }
                continue;
            }
            if is_last_of_row {
                failed_in_a_row = 0;
            }
            let _ = writeln!(out, "{indent}{}", self.label(&shape, at));
            let (end, between) = shape.chain(at);
            if between > 1 {
                let _ = writeln!(
                    out,
                    "{indent}  ... {}, each of a single alternative tried",
                    counted(between, "choice")
                );
            }
            let from = if between > 1 { end } else { at };
            todo.extend(
                shape
                    .shown(from)
                    .iter()
                    .rev()
                    .map(|child| (*child, depth + 1)),
            );
        }
        out
    }

    /// In which of two runs a node is.
    fn mark(&self, at: usize) -> &'static str {
        match self.nodes()[at].origin {
            None => "",
            Some(Origin::Both) => "= ",
            Some(Origin::First) => "< ",
            Some(Origin::Second) => "> ",
        }
    }

    /// A node in a line: which alternative, of which choice, and what became of it.
    fn label(&self, shape: &Shape, at: usize) -> String {
        let node = &self.nodes()[at];
        let line = self.line_in_words(node, ": ");
        let label: Vec<&str> = node.label.split_whitespace().collect();
        let label = if label.is_empty() {
            String::new()
        } else {
            format!(": {}", label.join(" "))
        };
        let outcome = outcome(self, shape, at);
        let dash = if outcome.is_empty() { "" } else { "  -- " };
        let part = if node.parts { PART } else { "" };
        // The number of alternatives of a choice that was open before the recording is unknown.
        let number = node.alternative + 1;
        let number = match node.of {
            // Nor has the branch that was there before a number.
            0 if node.alternative == 0 => return format!("{}{dash}{outcome}{part}", node.label),
            0 => format!("alternative {number}"),
            of => format!("{number} of {of}"),
        };
        format!("{line}{number}{label}{dash}{outcome}{part}")
    }
}
