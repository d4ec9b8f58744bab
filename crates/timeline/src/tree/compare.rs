//! Two searches side by side: one tree of both, which shows where they part.

use std::fmt::Write as _;

use super::SearchTree;
use super::node::{AlternativeEnd, Node, Origin, State};
use super::shape::{self, Shape};
use ndscript_base::counted::counted;
use ndscript_base::keyed::{KeyedMap, KeyedSet};
use ndscript_base::source::{Sources, Span};

/// At most this many places where the runs part are described in words.
const MOST_DESCRIBED: usize = 3;

/// Two searches in one tree. A node of both is an alternative that both have taken, after equal alternatives.
///
/// ```
/// use ndscript::Engine;
/// use ndscript_timeline::{Comparison, Origin, SearchTree};
/// let searched = |seed: u64, text: &str| {
///     let program = Engine::new().compile(text).unwrap();
///     let mut tree = SearchTree::new(program.sources().clone(), 1000);
///     program.run(seed).watch(10_000, &mut tree);
///     tree
/// };
/// let early = searched(1, "let x; choose first { x = 1; } or { x = 2; } require(x == 2); let y = choose(3, 4);");
/// let late = searched(1, "let x; choose first { x = 1; } or { x = 2; } let y = choose(3, 4); require(x == 2);");
/// let both = Comparison::new(["early", "late"], &early, &late);
/// let origins: Vec<_> = both.tree().nodes().iter().map(|node| node.origin.unwrap()).collect();
/// assert_eq!(origins[..4], [Origin::Both, Origin::Both, Origin::Second, Origin::Second]);
/// assert!(both.tree().nodes()[1].parts && both.to_text().contains("they part"));
/// ```
#[derive(Clone, Debug)]
pub struct Comparison {
    names: [String; 2],
    tree: SearchTree,
    /// Nodes, failures and solutions of each run.
    counts: [Counts; 2],
}

#[derive(Clone, Copy, Debug)]
struct Counts {
    nodes: u64,
    failures: u64,
    solutions: usize,
}

impl Counts {
    fn of(tree: &SearchTree) -> Counts {
        let nodes = tree.nodes();
        Counts {
            nodes: nodes.len() as u64 - 1 + tree.folded(),
            failures: nodes
                .iter()
                .map(|node| node.failures + node.folded_failures)
                .sum(),
            solutions: nodes
                .iter()
                .filter(|node| node.state == State::Solution)
                .count(),
        }
    }
}

/// Pairs up the nodes of two trees.
struct TreePairing<'a> {
    first: &'a SearchTree,
    second: &'a SearchTree,
    shapes: [Shape; 2],
    /// Where the files of the second program begin among those of both.
    bases: KeyedMap<u32, u32>,
    nodes: Vec<Node>,
    /// For each node which ones of the two trees it is.
    pairs: Vec<[Option<usize>; 2]>,
}

impl Comparison {
    /// The searches of two runs, with their names: one program with two seeds, or two programs for one problem.
    pub fn new(names: [&str; 2], first: &SearchTree, second: &SearchTree) -> Comparison {
        let mut sources = first.sources().clone();
        let bases = joined(&mut sources, second.sources());
        let shapes = [Shape::of(first), Shape::of(second)];
        let mut pairing = TreePairing {
            first,
            second,
            shapes,
            bases,
            nodes: Vec::new(),
            pairs: Vec::new(),
        };
        let mut todo = vec![(None, [Some(0), Some(0)])];
        while let Some((parent, pair)) = todo.pop() {
            let at = pairing.add(parent, pair);
            let children = pairing.children(pair);
            pairing.nodes[at].parts |= children.iter().any(|[a, b]| a.is_some() != b.is_some())
                && pair.iter().all(Option::is_some);
            todo.extend(children.into_iter().rev().map(|pair| (Some(at), pair)));
        }
        let TreePairing {
            mut nodes, pairs, ..
        } = pairing;
        for at in (0..nodes.len()).rev() {
            if let (true, Some(parent)) = (nodes[at].leads_to_solution, nodes[at].parent) {
                nodes[parent].leads_to_solution = true;
            }
        }
        let tree = SearchTree::joined(sources, nodes, [first, second], &pairs);
        let counts = [Counts::of(first), Counts::of(second)];
        Comparison {
            names: names.map(str::to_string),
            tree,
            counts,
        }
    }

    /// The tree of both: its nodes say in which run they are.
    pub fn tree(&self) -> &SearchTree {
        &self.tree
    }

    /// The names of the runs.
    pub fn names(&self) -> [&str; 2] {
        [&self.names[0], &self.names[1]]
    }

    /// The nodes of both at which the runs part: there one of them takes another alternative, or ends otherwise.
    pub fn partings(&self) -> Vec<usize> {
        (0..self.tree.nodes().len())
            .filter(|at| self.tree.nodes()[*at].parts)
            .collect()
    }

    /// In words: what each of them has done, and where they part; then the tree, with `=` before what both have done, `<`
    /// before what only the first has, and `>` before what only the second has.
    pub fn to_text(&self) -> String {
        self.in_words() + &self.tree.to_text()
    }

    /// A summary of each search, and where they part.
    pub fn in_words(&self) -> String {
        let mut out = String::new();
        for ((word, name), counts) in ["first ", "second"]
            .iter()
            .zip(&self.names)
            .zip(&self.counts)
        {
            let Counts {
                nodes,
                failures,
                solutions,
            } = *counts;
            let parts = [
                counted(nodes, "alternative"),
                counted(failures, "failure"),
                counted(solutions as u64, "solution"),
            ];
            let _ = writeln!(out, "{word}: {name}: {}", parts.join(", "));
        }
        let count_of = |origin| {
            self.tree
                .nodes()
                .iter()
                .skip(1)
                .filter(|node| node.origin == Some(origin))
                .count() as u64
        };
        let (both, first, second) = (
            count_of(Origin::Both),
            count_of(Origin::First),
            count_of(Origin::Second),
        );
        let _ = writeln!(
            out,
            "both  : {} the same, {first} only in the first, {second} only in the second",
            counted(both, "alternative")
        );
        let partings = self.partings();
        if partings.is_empty() {
            out.push_str("they never part\n");
        } else {
            let places = counted(partings.len(), "place");
            let _ = writeln!(out, "they part at {places}:");
            partings
                .iter()
                .take(MOST_DESCRIBED)
                .for_each(|at| self.describe_parting(&mut out, *at));
            if partings.len() > MOST_DESCRIBED {
                let _ = writeln!(out, "  ... and {} more", partings.len() - MOST_DESCRIBED);
            }
        }
        out
    }

    /// The first cell of the map that an alternative wrote, which distinguishes equal choices; empty if the choices
    /// differ.
    fn cell_in_words(&self, at: usize) -> String {
        let name = self
            .tree
            .map_name()
            .filter(|name| !self.tree.nodes()[at].label.starts_with(*name));
        let cell = self.tree.map_change(at).and_then(|change| change.first);
        let mut above = Some(at);
        let width = std::iter::from_fn(|| {
            let at = above?;
            above = self.tree.nodes()[at].parent;
            Some(self.tree.map_change(at)?.size)
        });
        match (name, cell, width.flatten().next()) {
            (Some(name), Some(cell), Some((width @ 1.., _))) => {
                format!(" for {name}[{}, {}]", cell % width, cell / width)
            }
            _ => String::new(),
        }
    }

    /// Writes where the two searches part, and what each does there.
    fn describe_parting(&self, out: &mut String, at: usize) {
        let nodes = self.tree.nodes();
        let mut path: Vec<String> = Vec::new();
        let mut above = Some(at);
        while let Some(at) = above.filter(|at| *at > 0) {
            path.push(one_line(&nodes[at].label));
            above = nodes[at].parent;
        }
        path.reverse();
        let path_in_words = match path.len() {
            0 => "at the first choice".to_string(),
            1 => format!("behind {}", path[0]),
            count => format!(
                "behind {}, the last of them {}",
                counted(count, "choice"),
                path[count - 1]
            ),
        };
        let _ = writeln!(out, "  {path_in_words}");
        let shape = Shape::of(&self.tree);
        for (origin, word) in [(Origin::First, "the first"), (Origin::Second, "the second")] {
            let own = shape.children[at]
                .iter()
                .filter(|child| nodes[**child].origin == Some(origin));
            let labels: Vec<String> = own
                .take(MOST_DESCRIBED)
                .map(|child| {
                    let line = self.tree.line_in_words(&nodes[*child], ": ");
                    format!(
                        "{line}{}{}",
                        one_line(&nodes[*child].label),
                        self.cell_in_words(*child)
                    )
                })
                .collect();
            if !labels.is_empty() {
                let _ = writeln!(
                    out,
                    "    {word} alone goes on with {}",
                    labels.join(" and ")
                );
            }
        }
        if nodes[at].ended.is_some() {
            let _ = writeln!(out, "    {}", shape::outcome(&self.tree, &shape, at));
        }
    }
}

impl TreePairing<'_> {
    /// Adds a node to the common tree, from one of the two trees or both.
    fn add(&mut self, parent: Option<usize>, [a, b]: [Option<usize>; 2]) -> usize {
        let mut node = match (a, b) {
            (Some(a), _) => self.first.nodes()[a].clone(),
            (None, Some(b)) => self.shifted(b),
            (None, None) => self.first.nodes()[0].clone(),
        };
        node.parent = parent;
        node.origin = Some(match (a, b) {
            (Some(_), Some(_)) => Origin::Both,
            (Some(_), None) => Origin::First,
            _ => Origin::Second,
        });
        if let (Some(_), Some(b)) = (a, b) {
            let other = self.shifted(b);
            let why = |node: &Node| {
                node.why
                    .as_ref()
                    .filter(|_| node.state == State::Failed)
                    .map(|why| why.0.clone())
            };
            let stopped = |node: &Node| {
                node.stop
                    .as_ref()
                    .map(|stop| (stop.result.clone(), stop.error.clone()))
            };
            let differs = node.state != other.state
                || why(&node) != why(&other)
                || stopped(&node) != stopped(&other);
            node.leads_to_solution |= other.leads_to_solution;
            if differs {
                let states = [node.state, other.state];
                let joined = [State::Inner, State::Solution, State::Open]
                    .into_iter()
                    .find(|state| states.contains(state));
                node.parts = true;
                node.ended = Some(Box::new([
                    AlternativeEnd::of(&node),
                    AlternativeEnd::of(&other),
                ]));
                node.state = joined.unwrap_or(State::Failed);
                node.stop = node.stop.or(other.stop);
            }
        }
        self.nodes.push(node);
        self.pairs.push([a, b]);
        self.nodes.len() - 1
    }

    /// A node of the second tree, with its places among the files of both.
    fn shifted(&self, at: usize) -> Node {
        let mut node = self.second.nodes()[at].clone();
        node.span = node.span.map(|span| self.shift(span));
        node.why = node
            .why
            .map(|(why, span)| (why, span.map(|span| self.shift(span))));
        if let Some(stop) = &mut node.stop {
            stop.span = stop.span.map(|span| self.shift(span));
        }
        node
    }

    /// A place in the second tree's sources, as a place in the common ones.
    fn shift(&self, span: Span) -> Span {
        let file = self
            .second
            .sources()
            .locate(span)
            .map(|(file, _, _)| file.base);
        let Some((from, to)) = file.and_then(|from| Some((from, *self.bases.get(&from)?))) else {
            return span;
        };
        Span::new(span.start - from + to, span.end - from + to)
    }

    /// The children of a node, in pairs where both have taken an equal alternative.
    fn children(&self, [a, b]: [Option<usize>; 2]) -> Vec<[Option<usize>; 2]> {
        let nodes_of = |which: usize, at: Option<usize>| {
            at.map_or(&[][..], |at| &self.shapes[which].children[at])
        };
        let (first, second) = (nodes_of(0, a), nodes_of(1, b));
        // Pairs by equal choices; equal ones in order.
        let mut left: KeyedMap<String, Vec<usize>> = KeyedMap::default();
        for child in second.iter().rev() {
            left.entry(key_of_alternative(self.second, *child))
                .or_default()
                .push(*child);
        }
        let mut pairs: Vec<[Option<usize>; 2]> = Vec::new();
        for child in first {
            let other = left
                .get_mut(&key_of_alternative(self.first, *child))
                .and_then(Vec::pop);
            pairs.push([Some(*child), other]);
        }
        let paired: KeyedSet<usize> = pairs.iter().filter_map(|pair| pair[1]).collect();
        pairs.extend(
            second
                .iter()
                .filter(|child| !paired.contains(*child))
                .map(|child| [None, Some(*child)]),
        );
        pairs
    }
}

/// The key of an alternative: what was chosen, and its first cell on the map.
fn key_of_alternative(tree: &SearchTree, at: usize) -> String {
    let first = tree.map_change(at).and_then(|change| change.first);
    format!("{first:?} {}", one_line(&tree.nodes()[at].label))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds the files of a second program that are not among those of the first; where each of them begins then.
fn joined(sources: &mut Sources, second: &Sources) -> KeyedMap<u32, u32> {
    let mut bases = KeyedMap::default();
    for file in second.files() {
        let same = sources
            .files()
            .iter()
            .find(|known| known.name == file.name && known.text == file.text);
        let base = same
            .map(|same| same.base)
            .or_else(|| sources.add(&file.name, &file.text));
        if let Some(base) = base {
            bases.insert(file.base, base);
        }
    }
    bases
}
