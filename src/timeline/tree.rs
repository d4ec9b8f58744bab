//! The tree of a search: a node for its beginning, and one for every alternative that was taken.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::When;
use super::words;
use crate::host::observer::{Event, Moment, Observer, Target};
use crate::source::{Sources, Span};

/// Of a label, a text or a list of changes, so much is kept.
const LABEL: usize = 60;
const TEXT: usize = 400;
const WRITES: usize = 12;

/// What became of an alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The end of the program was reached in it.
    Solution,
    /// It has failed, before any further choice.
    Failed,
    /// It was not finished.
    Open,
    /// There were further choices in it.
    Inner,
}

impl State {
    /// As in the output of `ndscript tree --json`.
    pub fn name(self) -> &'static str {
        match self {
            State::Solution => "solution",
            State::Failed => "failed",
            State::Open => "open",
            State::Inner => "inner",
        }
    }
}

/// An alternative that was taken.
#[derive(Clone, Debug)]
pub struct Node {
    /// The node in which the choice was made, by its place in [`SearchTree::nodes`]; it is always an earlier one.
    pub parent: Option<usize>,
    /// How many alternatives of that choice were taken before.
    pub alternative: usize,
    /// How many alternatives that choice has.
    pub of: usize,
    /// What became of it.
    pub state: State,
    /// Where the choice stands.
    pub span: Option<Span>,
    /// What was chosen: an element as text, or the text of an alternative.
    pub label: String,
    /// Why it failed, and where.
    pub why: Option<(String, Option<Span>)>,
    /// The first changes that were made in it, as `place = value`, and how many there were.
    pub writes: Vec<String>,
    /// How many changes were made in it.
    pub all_writes: usize,
    /// The beginning of what was printed in it.
    pub text: String,
    /// The step at which it was taken.
    pub step: u64,
    /// The moment behind that.
    pub when: When,
    /// Whether a solution was found in it or below.
    pub leads_to_solution: bool,
    /// How many nodes below it were folded away to save memory; none of them led to a solution.
    pub folded: u64,
    /// How many failures there were among those.
    pub folded_failures: u64,
}

/// Watches a run and keeps the shape of its search.
///
/// It is bounded: beyond so many nodes, subtrees that have failed are folded into their uppermost node as soon as they
/// are finished. What leads to solutions, and what is open, stays.
///
/// ```
/// use ndscript::Engine;
/// use ndscript::timeline::{SearchTree, State};
/// let program = Engine::new().compile("let x; choose first { x = 1; } or { x = 2; } require(x == 2);")?;
/// let mut tree = SearchTree::new(program.sources().clone(), 1000);
/// program.run(1).watch(1000, &mut tree);
/// let states: Vec<State> = tree.nodes().iter().map(|node| node.state).collect();
/// assert_eq!(states, [State::Inner, State::Failed, State::Solution]);
/// assert_eq!(tree.nodes()[2].label, "{ x = 2; }");
/// # Ok::<(), ndscript::CompileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchTree {
    sources: Sources,
    nodes: Vec<Node>,
    most: usize,
    /// For each open choice point the node in which it was made, the one of its latest alternative, and how many
    /// alternatives it has.
    points: HashMap<u64, Point>,
    current: usize,
    folded: u64,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    parent: usize,
    latest: Option<usize>,
    alternatives: usize,
}

impl SearchTree {
    /// A tree of a run that begins, of programs with these texts, with so many nodes at most (but for those that cannot
    /// be folded).
    pub fn new(sources: Sources, most: usize) -> SearchTree {
        let mut root = node(None, 0, 0);
        root.label = "start".to_string();
        SearchTree { sources, nodes: vec![root], most, points: HashMap::new(), current: 0, folded: 0 }
    }

    /// The nodes; parents come before their children, and subtrees lie together.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many nodes were folded away.
    pub fn folded(&self) -> u64 {
        self.folded
    }

    /// The texts of the program.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The line on which the choice of a node stands.
    pub fn line(&self, node: &Node) -> Option<usize> {
        Some(self.sources.locate(node.span?)?.1)
    }

    /// The same as people are told of it, with what comes behind it; empty where nothing is known.
    pub(super) fn line_in_words(&self, node: &Node, end: &str) -> String {
        words::line_in_words(&self.sources, node.span, end)
    }

    fn take(&mut self, moment: &Moment<'_>, id: u64, number: usize, label: String) {
        let Some(point) = self.points.get(&id).copied() else { return };
        if let Some(latest) = point.latest {
            self.fold(latest);
        }
        let mut taken = node(Some(point.parent), number, point.alternatives);
        taken.span = moment.span;
        taken.label = label;
        taken.step = moment.step();
        taken.when = moment.when();
        self.nodes[point.parent].state = State::Inner;
        self.current = self.nodes.len();
        self.nodes.push(taken);
        let latest = Some(self.current);
        if number + 1 >= point.alternatives {
            // Nothing comes back to it.
            self.points.remove(&id);
        } else {
            self.points.insert(id, Point { latest, ..point });
        }
    }

    /// Folds the subtree of a node that is finished, which is the latest one, if memory is short.
    fn fold(&mut self, root: usize) {
        if self.nodes.len() < self.most || self.nodes[root].leads_to_solution {
            return;
        }
        let below = &self.nodes[root + 1..];
        let (mut folded, mut failures) = (below.len() as u64, 0);
        for node in below {
            folded += node.folded;
            failures += node.folded_failures + u64::from(node.state == State::Failed);
        }
        self.folded += below.len() as u64;
        self.nodes.truncate(root + 1);
        self.nodes[root].folded += folded;
        self.nodes[root].folded_failures += failures;
    }
}

impl Observer for SearchTree {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Choice { id, alternatives, .. } => {
                let point = Point { parent: self.current, latest: None, alternatives: *alternatives };
                self.points.insert(*id, point);
            }
            Event::Take { id, number, alternative, value } => {
                let label = match (value, alternative) {
                    (Some(value), _) => value.beginning(LABEL),
                    (None, Some(span)) => beginning(self.sources.text(*span), LABEL),
                    (None, None) => String::new(),
                };
                if *number > 0
                    && moment.skipped() > 0
                    && let Some((why, _)) = &mut self.nodes[self.current].why
                {
                    let (skipped, guesses) =
                        (moment.skipped(), if moment.skipped() == 1 { "guess" } else { "guesses" });
                    *why += &format!("; skipped {skipped} {guesses} that had no part in it");
                }
                self.take(moment, *id, *number, label);
            }
            Event::Fail { why } => {
                let current = &mut self.nodes[self.current];
                if current.state == State::Open {
                    current.state = State::Failed;
                }
                if current.state != State::Solution {
                    current.why = Some((why.clone(), moment.span));
                }
            }
            Event::Solution { .. } => {
                self.nodes[self.current].state = State::Solution;
                let mut at = Some(self.current);
                while let Some(node) = at {
                    self.nodes[node].leads_to_solution = true;
                    at = self.nodes[node].parent;
                }
            }
            Event::Write { target, value } => {
                let current = &mut self.nodes[self.current];
                current.all_writes += 1;
                if current.writes.len() < WRITES {
                    let write = format!("{} = {}", target.text(moment), value.beginning(LABEL));
                    if current.all_writes == 1 && moment.span == current.span && matches!(target, Target::Part(..)) {
                        // What `decide` has chosen says little without the place that it chose it for.
                        current.label.clone_from(&write);
                    }
                    current.writes.push(write);
                }
            }
            Event::Print { text } => {
                let current = &mut self.nodes[self.current];
                let left = TEXT.saturating_sub(current.text.len());
                current.text.push_str(&beginning(text, left));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn node(parent: Option<usize>, alternative: usize, of: usize) -> Node {
    Node {
        parent,
        alternative,
        of,
        state: State::Open,
        span: None,
        label: String::new(),
        why: None,
        writes: Vec::new(),
        all_writes: 0,
        text: String::new(),
        step: 0,
        when: When::START,
        leads_to_solution: false,
        folded: 0,
        folded_failures: 0,
    }
}

/// The first characters of a text.
fn beginning(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() && most > 0 {
        short.push_str("...");
    }
    short
}
