//! What of a search tree is worth showing.

use super::tree::{Node, SearchTree, State};

/// Who is whose child, and what lies below each node.
pub struct Shape {
    pub children: Vec<Vec<usize>>,
    /// The failures in a node and below it, folded ones included.
    pub failures: Vec<u64>,
    /// Whether everything in a node and below it has failed.
    pub is_dead: Vec<bool>,
}

impl Shape {
    pub fn of(tree: &SearchTree) -> Shape {
        let nodes = tree.nodes();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        let mut failures: Vec<u64> = nodes.iter().map(|node| node.folded_failures).collect();
        let mut is_dead: Vec<bool> =
            nodes.iter().map(|node| matches!(node.state, State::Failed | State::Inner)).collect();
        // Parents come first, so from behind all children are known.
        for (at, node) in nodes.iter().enumerate().rev() {
            failures[at] += u64::from(node.state == State::Failed);
            if let Some(parent) = node.parent {
                children[parent].push(at);
                failures[parent] += failures[at];
                is_dead[parent] &= is_dead[at];
            }
        }
        children.iter_mut().for_each(|children| children.reverse());
        Shape { children, failures, is_dead }
    }

    /// The children of a node that are shown apart: those of a subtree that has failed are folded.
    pub fn shown(&self, node: usize) -> &[usize] {
        if self.is_dead[node] && node != 0 { &[] } else { &self.children[node] }
    }

    /// The end of a chain of single children that begins below a node, and how many lie between.
    pub fn chain(&self, first: usize) -> (usize, usize) {
        let (mut at, mut between) = (first, 0);
        while let [only] = self.shown(at)
            && self.shown(*only).len() == 1
        {
            (at, between) = (*only, between + 1);
        }
        (at, between)
    }
}

/// What became of a node, as a word and a reason.
pub fn outcome(tree: &SearchTree, shape: &Shape, at: usize) -> String {
    let node: &Node = &tree.nodes()[at];
    let reason = node.why.as_ref().map_or_else(String::new, |(why, span)| {
        let line = span.and_then(|span| tree.sources().line_in_words(span)).map(|line| format!(", {line}"));
        format!(": {why}{}", line.unwrap_or_default())
    });
    match node.state {
        State::Solution => "solution".to_string(),
        State::Open => "open".to_string(),
        State::Failed => format!("failed{reason}"),
        State::Inner if shape.is_dead[at] => match shape.failures[at] {
            1 => "failed below, once".to_string(),
            failures => format!("failed below, {failures} times"),
        },
        State::Inner => String::new(),
    }
}
