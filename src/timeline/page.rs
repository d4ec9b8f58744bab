//! A search tree as a web page of its own.

use std::fmt::Write as _;

use super::json::quoted;
use super::svg::escaped;
use super::tree::SearchTree;

/// What the page looks like, and what it does.
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

impl SearchTree {
    /// The tree as one HTML file that needs nothing else: to be clicked and typed through, also with very many nodes.
    pub fn to_html(&self, title: &str) -> String {
        let title = escaped(title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}: search tree</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n<p id=\"summary\"></p>\n<form id=\"find\"><input id=\"words\" type=\"search\" placeholder=\"search\" aria-label=\"search in the tree\"> <button>next</button></form>\n<button id=\"deepest\" type=\"button\">deepest failure</button>\n<button id=\"solution\" type=\"button\">solution</button>\n<button id=\"unfold\" type=\"button\">unfold all</button>\n<button id=\"fold\" type=\"button\">fold failures</button>\n</header>\n<main>\n<div id=\"tree\" role=\"tree\" tabindex=\"0\" aria-label=\"search tree\"><div id=\"rows\"></div></div>\n<section id=\"details\" aria-live=\"polite\"></section>\n</main>\n<script>\nconst NODES = ["
        );
        for (at, node) in self.nodes().iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            let number = |number: Option<usize>| number.map_or(-1, |number| number as i64);
            let (why, why_line) = match &node.why {
                Some((why, span)) => (&**why, span.and_then(|span| self.sources().locate(span)).map(|found| found.1)),
                None => ("", None),
            };
            let writes: Vec<String> = node.writes.iter().map(|write| quoted(write)).collect();
            let _ = write!(
                out,
                "\n[{},{},{},\"{}\",{},{},{},{},[{}],{},{},{},{}]",
                number(node.parent),
                node.alternative,
                node.of,
                node.state.name(),
                number(self.line(node)),
                quoted(&node.label),
                quoted(why),
                number(why_line),
                writes.join(","),
                node.all_writes,
                quoted(&node.text),
                node.step,
                node.folded_failures,
            );
        }
        out.push_str("\n];\nconst LINES = [");
        let text = self.sources().files().first().map_or("", |file| &*file.text);
        for (at, line) in text.lines().enumerate() {
            out.push_str(if at == 0 { "\n" } else { ",\n" });
            out.push_str(&quoted(line));
        }
        let _ = write!(out, "\n];\n{SCRIPT}</script>\n</body>\n</html>\n");
        out
    }
}
