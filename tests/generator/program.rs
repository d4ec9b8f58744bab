//! Programs as trees of lines, so that a disagreement can be made smaller.

/// A statement: its heads, each with what is nested under it, and its last line.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub parts: Vec<(String, Vec<Node>)>,
    pub end: String,
}

impl Node {
    pub fn line(text: impl Into<String>) -> Node {
        Node {
            parts: vec![(text.into(), Vec::new())],
            end: String::new(),
        }
    }

    pub fn block(head: impl Into<String>, body: Vec<Node>, end: &str) -> Node {
        Node {
            parts: vec![(head.into(), body)],
            end: end.to_string(),
        }
    }
}

/// The source text, a line a statement.
pub fn text(nodes: &[Node]) -> String {
    let mut out = String::new();
    write(nodes, 0, &mut out);
    out
}

fn write(nodes: &[Node], depth: usize, out: &mut String) {
    for node in nodes {
        for (head, body) in &node.parts {
            line(head, depth, out);
            write(body, depth + 1, out);
        }
        if !node.end.is_empty() {
            line(&node.end, depth, out);
        }
    }
}

fn line(text: &str, depth: usize, out: &mut String) {
    out.push_str(&"  ".repeat(depth));
    out.push_str(text);
    out.push('\n');
}

/// The same in one line, for a body inside an expression.
pub fn inline(nodes: &[Node]) -> String {
    text(nodes)
        .split('\n')
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// All programs that are smaller by one step: a statement less, an arm less, or a body instead of its statement.
fn smaller(nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut results = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let with =
            |replacement: Vec<Node>| [&nodes[..at], &replacement[..], &nodes[at + 1..]].concat();
        results.push(with(Vec::new()));
        for (part, (_, body)) in node.parts.iter().enumerate() {
            if !body.is_empty() {
                results.push(with(body.clone()));
            }
            if part > 0 {
                let mut less = node.clone();
                less.parts.remove(part);
                results.push(with(vec![less]));
            }
            for body in smaller(body) {
                let mut less = node.clone();
                less.parts[part].1 = body;
                results.push(with(vec![less]));
            }
        }
    }
    results
}

/// The smallest program reached by single steps that keep what is wanted.
pub fn minimised(mut nodes: Vec<Node>, keeps: &mut dyn FnMut(&[Node]) -> bool) -> Vec<Node> {
    loop {
        let Some(less) = smaller(&nodes).into_iter().find(|less| keeps(less)) else {
            return nodes;
        };
        nodes = less;
    }
}

/// Where groups in brackets begin and end in a line, both brackets included.
fn groups(line: &str) -> Vec<(usize, usize)> {
    let mut open = Vec::new();
    let mut groups = Vec::new();
    for (at, c) in line.char_indices() {
        match c {
            '(' | '[' | '{' => open.push(at),
            ')' | ']' | '}' => {
                if let Some(start) = open.pop() {
                    groups.push((start, at + 1));
                }
            }
            _ => {}
        }
    }
    groups
}

/// The places where a text has `separator` outside its brackets, as pieces with what follows them.
fn pieces(text: &str, separator: char) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if c == separator && depth == 0 => {
                pieces.push((start, at + 1));
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push((start, text.len()));
    pieces
}

/// Shorter lines that may still be of use, the shortest first: groups in brackets emptied, replaced or less one part.
fn shorter(line: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (start, end) in groups(line) {
        let (before, inner, after) = (&line[..start], &line[start + 1..end - 1], &line[end..]);
        let (bracket, closing) = (&line[start..=start], &line[end - 1..end]);
        let name = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        lines.push(format!("{before}{bracket}{closing}{after}"));
        lines.push(format!("{before}{inner}{after}"));
        for simple in [
            "0", "1", "true", "false", "[1, 2]", "setOf()", "setOf(1)", "\"\"",
        ] {
            lines.push(format!("{name}{simple}{after}"));
        }
        for separator in [',', ';', '?', ':', '&', '|', '+', '-'] {
            let parts = pieces(inner, separator);
            for (from, to) in &parts {
                let rest = format!("{}{}", &inner[..*from], &inner[*to..]);
                lines.push(format!("{before}{bracket}{rest}{closing}{after}"));
                lines.push(format!(
                    "{before}{bracket}{}{closing}{after}",
                    inner[*from..*to].trim_end_matches(separator)
                ));
            }
        }
    }
    lines.retain(|other| other.len() < line.len());
    lines.sort_by_key(String::len);
    lines.dedup();
    lines
}

/// The same with each line as short as it can be and keep what is wanted.
pub fn shortened(mut nodes: Vec<Node>, keeps: &mut dyn FnMut(&[Node]) -> bool) -> Vec<Node> {
    for at in 0..lines_of(&mut nodes).len() {
        let mut line = lines_of(&mut nodes)[at].clone();
        'shorter: loop {
            for candidate in shorter(&line) {
                *lines_of(&mut nodes)[at] = candidate.clone();
                if keeps(&nodes) {
                    line = candidate;
                    continue 'shorter;
                }
            }
            *lines_of(&mut nodes)[at] = line;
            break;
        }
    }
    nodes
}

fn lines_of(nodes: &mut [Node]) -> Vec<&mut String> {
    let mut lines = Vec::new();
    for node in nodes {
        for (head, body) in &mut node.parts {
            lines.push(head);
            lines.extend(lines_of(body));
        }
    }
    lines
}
