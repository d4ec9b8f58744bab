//! The tree of a search: a node for its beginning, and one for every alternative that was taken.

pub mod compare;
mod dot;
pub(crate) mod json;
pub(crate) mod node;
pub(crate) mod page;
mod shape;
mod speedscope;
mod svg;
mod text;

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::films::contents::Content;
use super::films::maps::{MapChange, Maps};
use super::moments::change::Names;
use super::moments::words;
use ndscript::{Event, Moment, Observer, Target, Wanted};
use ndscript_base::counted::counted;
use ndscript_base::source::{Sources, Span};
use node::{Node, State, Stop};

/// The most characters of a label, bytes of a text, and changes of a node that are stored.
const MOST_LABEL: usize = 60;
const MOST_BYTES_OF_TEXT: usize = 400;
const MOST_WRITES: usize = 12;

/// The label of a branch that existed before watching began.
const FIRST_BRANCH: &str = "what was chosen before";

/// Watches a run and records the tree of its search.
///
/// Its size is bounded: beyond a number of nodes, subtrees that have failed are folded into their root as soon as they
/// are finished. Paths to solutions and open branches stay.
///
/// ```
/// use ndscript::Engine;
/// use ndscript_timeline::{SearchTree, State};
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
    points: FxHashMap<u64, Point>,
    current: usize,
    /// Whether the search is over: no choice point has an alternative left.
    is_over: bool,
    folded: u64,
    /// For each node how many barriers were open when its choice was made.
    barriers: Vec<u32>,
    /// A branch has failed and no alternative is taken yet: the number of open barriers then.
    failed_to: Option<usize>,
    /// For each open barrier, the position of the map at the first event inside it.
    barrier_marks: Vec<usize>,
    /// The position of the map at the latest choice: what was overwritten before may have to be restored.
    open_mark: usize,
    maps: Option<Maps>,
    has_changes: bool,
    /// Nothing was written into a collection since the latest alternative was taken.
    is_fresh: bool,
    names: Names,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    parent: usize,
    latest: Option<usize>,
    alternatives: usize,
    barriers: u32,
    /// The position of the map.
    mark: usize,
}

impl SearchTree {
    /// A tree of a run that begins, of programs with these sources, with at most `most` nodes (apart from those that
    /// cannot be folded).
    pub fn new(sources: Sources, most: usize) -> SearchTree {
        let mut root = Node::new(None, 0, 0);
        root.label = "start".to_string();
        SearchTree {
            sources,
            nodes: vec![root],
            most,
            points: FxHashMap::default(),
            current: 0,
            is_over: false,
            folded: 0,
            barriers: vec![0],
            failed_to: None,
            barrier_marks: Vec::new(),
            open_mark: 0,
            maps: None,
            has_changes: true,
            is_fresh: false,
            names: Names::default(),
        }
    }

    /// Stores no [`Node::writes`], which makes watching much faster. The tree is otherwise equal.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript_timeline::SearchTree;
    /// let program = Engine::new().compile("let x = choose(1, 2); let y = x + 1; require(y == 3);")?;
    /// let mut trees = [SearchTree::new(program.sources().clone(), 1000), SearchTree::new(program.sources().clone(), 1000)];
    /// trees[1] = trees[1].clone().without_changes();
    /// trees.iter_mut().for_each(|tree| drop(program.run(1).watch(1000, tree)));
    /// assert_eq!(trees[0].to_text(), trees[1].to_text());
    /// assert_eq!(trees[0].nodes()[1].writes[0].to_string(), "x = 1");
    /// assert!(trees[1].nodes()[1].writes.is_empty());
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    #[must_use]
    pub fn without_changes(mut self) -> SearchTree {
        self.has_changes = false;
        self
    }

    /// Records the map at each node, too: the grid in the variable of this name, or else the one that the search is
    /// about, which is the first in a variable of the program that holds sets, or any.
    #[must_use]
    pub fn with_maps(mut self, name: Option<String>) -> SearchTree {
        self.maps = Some(Maps::new(name));
        self
    }

    /// A tree of two runs, whose nodes are those of the one, of the other, or of both.
    pub(super) fn joined(
        sources: Sources,
        nodes: Vec<Node>,
        from: [&SearchTree; 2],
        pairs: &[[Option<usize>; 2]],
    ) -> SearchTree {
        let maps = match from.map(|tree| tree.maps.as_ref().map(|maps| (maps, tree.current))) {
            [Some(first), Some(second)] => Some(Maps::joined(first, second, pairs)),
            _ => None,
        };
        let folded = from.iter().map(|tree| tree.folded).sum();
        let mut tree = SearchTree::new(sources, usize::MAX);
        (tree.nodes, tree.folded, tree.maps, tree.current) = (nodes, folded, maps, usize::MAX);
        tree
    }

    /// In a tree of two runs: what a node of both has done to the map in the second, if that is something else.
    pub fn second_map_change(&self, node: usize) -> Option<MapChange> {
        self.maps.as_ref()?.second_change(node)
    }

    /// The variable whose map is stored; `None` if it is not known yet.
    pub fn map_name(&self) -> Option<&str> {
        self.maps.as_ref()?.name()
    }

    /// Variables of functions that held grids with sets, as long as none of the program did: the first few.
    pub fn other_maps(&self) -> &[String] {
        self.maps.as_ref().map_or(&[], Maps::others)
    }

    /// The changes of a node to the map, if maps are recorded, relative to the map of its parent. Those of the first
    /// node are relative to an empty map.
    pub fn map_change(&self, node: usize) -> Option<MapChange> {
        self.maps.as_ref()?.change(node, self.current)
    }

    /// The values that cells of the map may have, as text: numbers first, in order, then words.
    pub fn values(&self) -> Vec<String> {
        self.maps
            .as_ref()
            .map_or_else(Vec::new, |maps| maps.contents().values())
    }

    /// The contents of cells of the map; their candidates are indices into [`SearchTree::values`].
    pub fn contents(&self) -> Vec<Content> {
        self.maps
            .as_ref()
            .map_or_else(Vec::new, |maps| maps.contents().contents())
    }

    /// The nodes; parents come before their children, and subtrees are contiguous.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of folded nodes.
    pub fn folded(&self) -> u64 {
        self.folded
    }

    /// The node in which the search continues; `None` if it is over.
    pub(super) fn open_at(&self) -> Option<usize> {
        (!self.is_over && self.current < self.nodes.len()).then_some(self.current)
    }

    /// Records that the run was stopped: by a `limit` of the host, or because it was `interrupted`.
    pub fn record_stop(&mut self, result: &str) {
        if let Some(at) = self.open_at() {
            self.nodes[at].stop = Some(Box::new(Stop {
                result: result.to_string(),
                error: String::new(),
                span: None,
            }));
        }
    }

    /// Records that an error stopped the run, perhaps one of its host: a question that nobody answers.
    pub fn record_error(&mut self, why: &str, span: Option<Span>) {
        if let Some(at) = self.open_at() {
            let error = words::beginning_in_bytes(why, MOST_BYTES_OF_TEXT);
            self.nodes[at].stop = Some(Box::new(Stop {
                result: "error".to_string(),
                error,
                span,
            }));
        }
    }

    /// The texts of the program.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The line of the choice of a node.
    pub fn line(&self, node: &Node) -> Option<usize> {
        Some(self.sources.locate(node.span?)?.1)
    }

    /// The line in words, followed by `end`; empty if the line is unknown.
    pub(super) fn line_in_words(&self, node: &Node, end: &str) -> String {
        words::line_in_words(&self.sources, node.span, end)
    }

    /// Adds the node of an alternative that is taken.
    fn take(&mut self, moment: &Moment<'_>, id: u64, number: usize, label: String) {
        self.failed_to = None;
        self.is_fresh = true;
        // The choice was open before the recording: its present alternative is the first that is seen.
        let unseen = Point {
            parent: 0,
            latest: None,
            alternatives: 0,
            barriers: 0,
            mark: self.open_mark,
        };
        let point = self.points.get(&id).copied().unwrap_or(unseen);
        if !self.points.contains_key(&id) {
            self.keep_first_branch();
        }
        if let Some(maps) = &mut self.maps {
            maps.settle(self.current);
        }
        if let Some(latest) = point.latest {
            self.fold(latest);
        }
        let mut node = Node::new(Some(point.parent), number, point.alternatives);
        node.span = moment.span;
        node.label = label;
        node.step = moment.step();
        node.when = moment.when();
        self.nodes[point.parent].state = State::Inner;
        self.current = self.nodes.len();
        self.barriers.truncate(self.current);
        self.barriers.push(point.barriers);
        if let Some(maps) = &mut self.maps {
            maps.begin(self.current, point.parent, point.mark);
        }
        self.open_mark = point.mark;
        self.nodes.push(node);
        let latest = Some(self.current);
        if number + 1 >= point.alternatives {
            // No failure backtracks to it.
            self.points.remove(&id);
        } else {
            self.points.insert(id, Point { latest, ..point });
        }
    }

    /// A failure backtracks to a choice that was open before watching began: the branch until then gets a node of its
    /// own, a sibling of the alternative.
    fn keep_first_branch(&mut self) {
        if self.nodes.len() > 1 || self.nodes[0].state != State::Failed || self.maps.is_some() {
            return;
        }
        let mut first = self.nodes[0].clone();
        (first.parent, first.label) = (Some(0), FIRST_BRANCH.to_string());
        let mut root = Node::new(None, 0, 0);
        root.label = std::mem::take(&mut self.nodes[0].label);
        (root.step, root.when) = (first.step, first.when);
        self.nodes = vec![root, first];
        self.barriers.push(0);
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
            failures += node.folded_failures + node.failures;
        }
        self.folded += below.len() as u64;
        if let Some(maps) = &mut self.maps {
            maps.fold(root + 1);
        }
        self.nodes.truncate(root + 1);
        self.nodes[root].folded += folded;
        self.nodes[root].folded_failures += failures;
    }

    /// An inner search has ended, with all its branches: the run continues at the node where it began, with this
    /// number of open barriers.
    fn return_to(&mut self, barriers: usize, moment: &Moment<'_>, has_failed_again: bool) {
        self.is_fresh = false;
        while self.barriers[self.current] as usize > barriers
            && let Some(parent) = self.nodes[self.current].parent
        {
            if let Some(maps) = &mut self.maps {
                maps.settle(self.current);
            }
            self.current = parent;
        }
        let current = &mut self.nodes[self.current];
        if current.state == State::Failed {
            (current.state, current.why) = (State::Open, None);
        }
        if let (Some(maps), Some(mark)) = (&mut self.maps, self.barrier_marks.get(barriers)) {
            if has_failed_again {
                // Its nodes are folded by now.
                maps.undo(*mark);
            } else {
                maps.return_to(moment, *mark);
            }
        }
        self.barrier_marks.truncate(barriers);
    }

    /// The mark at which the innermost open search began: changes before it may have to be restored.
    fn open_mark(&self) -> usize {
        self.open_mark
            .max(self.barrier_marks.last().copied().unwrap_or(0))
    }

    fn record_barriers(&mut self, moment: &Moment<'_>) {
        let mark = self.maps.as_ref().map_or(0, Maps::mark);
        self.barrier_marks.resize(moment.barriers(), mark);
    }
}

impl Observer for SearchTree {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let is_failure = matches!(event, Event::Fail { .. });
        if !matches!(event, Event::Take { .. } | Event::End { .. }) {
            if let Some(barriers) = self.failed_to.take() {
                let barriers = if is_failure {
                    barriers
                } else {
                    barriers.min(moment.barriers())
                };
                self.return_to(barriers, moment, is_failure);
            }
            if !is_failure {
                self.record_barriers(moment);
                self.maps
                    .iter_mut()
                    .for_each(|maps| maps.reread_if_stale(moment));
            }
        }
        match event {
            Event::Choice {
                id, alternatives, ..
            } => {
                self.nodes[self.current].until = moment.when();
                let mark = self.maps.as_ref().map_or(0, Maps::mark);
                if let Some(maps) = &mut self.maps {
                    maps.end(self.current);
                }
                let barriers = moment.barriers() as u32;
                let point = Point {
                    parent: self.current,
                    latest: None,
                    alternatives: *alternatives,
                    barriers,
                    mark,
                };
                self.open_mark = mark;
                self.points.insert(*id, point);
            }
            Event::Take {
                id,
                number,
                alternative,
                value,
            } => {
                let label = match (value, alternative) {
                    (Some(value), _) => value.beginning(MOST_LABEL),
                    (None, Some(span)) => words::beginning(self.sources.text(*span), MOST_LABEL),
                    (None, None) => moment
                        .search_in_words(*number)
                        .unwrap_or_default()
                        .to_string(),
                };
                if *number > 0
                    && moment.skipped() > 0
                    && let Some((why, _)) = &mut self.nodes[self.current].why
                {
                    let skipped = counted(moment.skipped(), "guess");
                    *why += &format!("; skipped {skipped} that had no part in it");
                }
                // What `decide` has chosen means little without its place.
                let label = match moment.place_decided() {
                    Some(place) => format!("{}: {label}", place.text(moment)),
                    None => label,
                };
                self.take(moment, *id, *number, label);
                self.record_barriers(moment);
                // After the search of a built-in, such as `minimize`, its best result is in place without having been
                // written.
                if *number > 0
                    && value.is_none()
                    && alternative.is_none()
                    && let Some(maps) = &mut self.maps
                {
                    maps.expect_changes();
                }
            }
            Event::Fail { why } => {
                self.failed_to = Some(moment.barriers());
                let current = &mut self.nodes[self.current];
                current.failures += 1;
                if current.state == State::Open {
                    current.state = State::Failed;
                    current.until = moment.began();
                }
                if current.state != State::Solution {
                    current.why = Some((
                        words::beginning_in_bytes(why, MOST_BYTES_OF_TEXT),
                        moment.span,
                    ));
                }
            }
            Event::Solution { .. } => {
                self.nodes[self.current].state = State::Solution;
                self.nodes[self.current].until = moment.when();
                let mut at = Some(self.current);
                while let Some(node) = at {
                    self.nodes[node].leads_to_solution = true;
                    at = self.nodes[node].parent;
                }
            }
            Event::Write { target, value } => {
                let open = self.open_mark();
                let is_on_map = self
                    .maps
                    .as_mut()
                    .is_some_and(|maps| maps.follow(moment, event, self.current, open));
                let current = &mut self.nodes[self.current];
                current.all_writes += 1;
                current.map_writes += usize::from(is_on_map);
                // A value written in the choosing statement means more than the alternative.
                let is_part = !matches!(target, Target::Variable(_));
                let is_first = is_part && std::mem::replace(&mut self.is_fresh, false);
                let is_label = is_first
                    && matches!(target, Target::Part(..))
                    && words::is_of_choice(moment.span, current.span);
                // Changes that the map shows need no text.
                let is_kept = self.has_changes && !is_on_map && current.writes.len() < MOST_WRITES;
                if is_label || is_kept {
                    let change = self.names.record_write(
                        (moment, &self.sources),
                        target,
                        *value,
                        MOST_LABEL,
                    );
                    if is_label && !current.label.starts_with(change.place()) {
                        current.label = change.to_string();
                    }
                    if is_kept {
                        current.writes.push(change);
                    }
                }
            }
            Event::Print { text } => {
                let current = &mut self.nodes[self.current];
                let left = MOST_BYTES_OF_TEXT.saturating_sub(current.text.len());
                current
                    .text
                    .push_str(&words::beginning_in_bytes(text, left));
            }
            Event::End {
                result: "solution" | "no solution",
                ..
            } => self.is_over = true,
            Event::End { result, why } => {
                if *result == "error" {
                    self.record_error(why.unwrap_or_default(), moment.span);
                } else {
                    self.record_stop(result);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            variables: self.has_changes || self.maps.is_some(),
            calls: false,
            reasons: false,
            ..Wanted::default()
        }
    }
}
