//! Programs as trees of lines, so that a disagreement can be made smaller.

/// A statement: its heads, each with what is nested under it, and its last line.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub parts: Vec<(String, Vec<Node>)>,
    pub end: String,
}

impl Node {
    pub fn line(text: impl Into<String>) -> Node {
        Node { parts: vec![(text.into(), Vec::new())], end: String::new() }
    }

    pub fn block(head: impl Into<String>, body: Vec<Node>, end: &str) -> Node {
        Node { parts: vec![(head.into(), body)], end: end.to_string() }
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
    text(nodes).split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// All programs that are smaller by one step: a statement less, an arm less, or a body instead of its statement.
fn smaller(nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut results = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let with = |replacement: Vec<Node>| [&nodes[..at], &replacement[..], &nodes[at + 1..]].concat();
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
        let Some(less) = smaller(&nodes).into_iter().find(|less| keeps(less)) else { return nodes };
        nodes = less;
    }
}
