//! The parts of a search tree that are worth showing.

use super::SearchTree;
use super::node::{Node, State};
use ndscript_base::source::Span;

/// The children of each node, and a summary of its subtree.
pub struct Shape {
    pub children: Vec<Vec<usize>>,
    /// The failures in a node and below it, folded ones included.
    pub failures: Vec<u64>,
    /// Whether everything in a node and below it has failed.
    pub is_dead: Vec<bool>,
    /// Whether two runs part in a node, or below it.
    pub has_parting: Vec<bool>,
    parts: Vec<bool>,
}

impl Shape {
    /// The shape of a tree: which nodes are dead, how many failures each has below it, and where searches part.
    pub fn of(tree: &SearchTree) -> Shape {
        let nodes = tree.nodes();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        let mut failures: Vec<u64> = nodes.iter().map(|node| node.folded_failures).collect();
        let is_over =
            |node: &Node| matches!(node.state, State::Failed | State::Inner) && node.stop.is_none();
        let mut is_dead: Vec<bool> = nodes.iter().map(is_over).collect();
        let parts: Vec<bool> = nodes.iter().map(|node| node.parts).collect();
        let mut has_parting = parts.clone();
        // Parents come before their children, so in reverse order all children are known.
        for (at, node) in nodes.iter().enumerate().rev() {
            failures[at] += node.failures;
            if let Some(parent) = node.parent {
                children[parent].push(at);
                failures[parent] += failures[at];
                is_dead[parent] &= is_dead[at];
                has_parting[parent] |= has_parting[at];
            }
        }
        children.iter_mut().for_each(|children| children.reverse());
        Shape {
            children,
            failures,
            is_dead,
            has_parting,
            parts,
        }
    }

    /// The children of a node that are shown apart: those of a subtree that has failed are folded, unless two runs part
    /// in it.
    pub fn shown(&self, node: usize) -> &[usize] {
        if self.is_folded(node) {
            &[]
        } else {
            &self.children[node]
        }
    }

    /// Whether what lies below a node is not shown apart.
    pub fn is_folded(&self, node: usize) -> bool {
        self.is_dead[node] && node != 0 && !self.has_parting[node]
    }

    /// The end of a chain of single children that begins below a node, and how many lie between.
    pub fn chain(&self, first: usize) -> (usize, usize) {
        let (mut at, mut between) = (first, 0);
        while let [only] = self.shown(at)
            && self.shown(*only).len() == 1
            && !self.parts[at]
            && !self.parts[*only]
        {
            (at, between) = (*only, between + 1);
        }
        (at, between)
    }
}

/// How a node ended, as a word and a reason.
pub fn outcome(tree: &SearchTree, shape: &Shape, at: usize) -> String {
    let node: &Node = &tree.nodes()[at];
    if let Some(ended) = &node.ended {
        let [first, second] = ended
            .each_ref()
            .map(|ended| match (&ended.stop, ended.state) {
                (Some(stop), _) => stop.in_words() + &line_suffix(tree, stop.span),
                (None, State::Inner) => "goes on".to_string(),
                (None, state) => ended_in_words(tree, state, ended.why.as_ref()),
            });
        return format!("first: {first}; second: {second}");
    }
    if let Some(stop) = &node.stop {
        return stop.in_words() + &line_suffix(tree, stop.span);
    }
    match node.state {
        State::Solution | State::Open | State::Failed => {
            ended_in_words(tree, node.state, node.why.as_ref())
        }
        State::Inner if shape.is_dead[at] => match shape.failures[at] {
            1 => "failed below, once".to_string(),
            failures => format!("failed below, {failures} times"),
        },
        State::Inner => String::new(),
    }
}

fn ended_in_words(tree: &SearchTree, state: State, why: Option<&(String, Option<Span>)>) -> String {
    let reason = why.map_or_else(String::new, |(why, span)| {
        // It has to fit on one line.
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        format!(": {why}{}", line_suffix(tree, *span))
    });
    if state == State::Failed {
        format!("failed{reason}")
    } else {
        state.name().to_string()
    }
}

fn line_suffix(tree: &SearchTree, span: Option<Span>) -> String {
    let line = span.and_then(|span| tree.sources().line_in_words(span));
    line.map_or_else(String::new, |line| format!(", {line}"))
}
