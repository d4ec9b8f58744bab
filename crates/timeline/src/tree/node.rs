//! A node of the tree of a search: an alternative that was taken, and what became of it.

use crate::When;
use crate::moments::change::Change;
use crate::moments::words;
use ndscript_base::source::Span;

/// How an alternative ended.
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

/// In which of two runs a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In both.
    Both,
    /// Only in the first.
    First,
    /// Only in the second.
    Second,
}

impl Origin {
    /// As in the output of `ndscript tree --json`.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Both => "both",
            Origin::First => "first",
            Origin::Second => "second",
        }
    }

    /// The color of nodes that only one of two runs has.
    pub(crate) fn color(self) -> &'static str {
        match self {
            Origin::Both => "#555555",
            Origin::First => "#1f6fd0",
            Origin::Second => "#c05a00",
        }
    }
}

/// How an alternative ended in one of two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlternativeEnd {
    /// How it ended.
    pub state: State,
    /// Why it failed, and where.
    pub why: Option<(String, Option<Span>)>,
    /// Why the run has ended in it before it was finished.
    pub stop: Option<Box<Stop>>,
}

impl AlternativeEnd {
    pub(crate) fn of(node: &Node) -> AlternativeEnd {
        let why = node.why.clone().filter(|_| node.state == State::Failed);
        AlternativeEnd {
            state: node.state,
            why,
            stop: node.stop.clone(),
        }
    }
}

/// The end of a run in the middle of a branch: by an error, by a limit, or by an interruption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// `error`, `limit` or `interrupted`.
    pub result: String,
    /// The error message.
    pub error: String,
    /// Where the error was made.
    pub span: Option<Span>,
}

impl Stop {
    /// The end of the branch in words: `ended by an error: division by zero`.
    pub(crate) fn in_words(&self) -> String {
        match &*self.result {
            "error" if self.error.is_empty() => "ended by an error".to_string(),
            "error" => format!("ended by an error: {}", words::one_line(&self.error)),
            "limit" => "open: here a limit has stopped the run".to_string(),
            _ => "open: here the run was interrupted".to_string(),
        }
    }
}

/// An alternative that was taken.
#[derive(Clone, Debug)]
pub struct Node {
    /// The node in which the choice was made, by its place in [`SearchTree::nodes`](crate::SearchTree::nodes); it is always an earlier one.
    pub parent: Option<usize>,
    /// How many alternatives of that choice were taken before.
    pub alternative: usize,
    /// The number of alternatives of that choice; 0 if it was open before the recording.
    pub of: usize,
    /// How it ended.
    pub state: State,
    /// Where the choice stands.
    pub span: Option<Span>,
    /// The choice: an element as text, or the text of an alternative.
    pub label: String,
    /// Why it failed, and where.
    pub why: Option<(String, Option<Span>)>,
    /// The first changes that were made in it, but for those of the map.
    pub writes: Vec<Change>,
    /// How many changes were made in it.
    pub all_writes: usize,
    /// How many of them were changes of the map.
    pub map_writes: usize,
    /// The beginning of what was printed in it.
    pub text: String,
    /// The step at which it was taken.
    pub step: u64,
    /// The moment after that.
    pub when: When,
    /// The moment at which its own stretch has ended: a choice was made in it, it has failed, or the end was reached. A
    /// failure has undone nothing yet.
    pub until: When,
    /// How many failures there were in its own stretch; more than one if searches inside of it have failed.
    pub failures: u64,
    /// Whether a solution was found in it or below.
    pub leads_to_solution: bool,
    /// How many nodes below it were folded away to save memory; none of them led to a solution.
    pub folded: u64,
    /// How many failures there were among those.
    pub folded_failures: u64,
    /// In a tree of two runs: in which of them it is.
    pub origin: Option<Origin>,
    /// In a tree of two runs: whether they part here, which is in both.
    pub parts: bool,
    /// How it ended in the one and in the other, if that differs.
    pub ended: Option<Box<[AlternativeEnd; 2]>>,
    /// Why the run has ended in it before it was finished.
    pub stop: Option<Box<Stop>>,
}

impl Node {
    /// One that was taken just now.
    pub(crate) fn new(parent: Option<usize>, alternative: usize, of: usize) -> Node {
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
            map_writes: 0,
            text: String::new(),
            step: 0,
            when: When::START,
            until: When::START,
            failures: 0,
            leads_to_solution: false,
            folded: 0,
            folded_failures: 0,
            origin: None,
            parts: false,
            ended: None,
            stop: None,
        }
    }
}
