//! A search tree as messages for CP-Profiler, which draws the searches of constraint solvers
//! (<https://github.com/cp-profiler/cp-profiler>, version 3 of its protocol).

use std::fmt::Write as _;

use super::json::quoted;
use super::node::{Node, State};
use super::tree::SearchTree;
use super::words;

const VERSION: i32 = 3;

/// What a message is about.
const NODE: u8 = 0;
const DONE: u8 = 1;
const START: u8 = 2;

/// What became of a node.
const SOLVED: u8 = 0;
const FAILED: u8 = 1;
const BRANCH: u8 = 2;
const SKIPPED: u8 = 3;

/// What may follow.
const LABEL: u8 = 0;
const INFO: u8 = 2;
const PROTOCOL: u8 = 3;

/// Of the alternatives of a choice that nobody has tried, so many are told.
const MOST_UNTRIED: usize = 100;

/// A message without the four bytes of its length, which stand before it.
struct Message(Vec<u8>);

impl Message {
    fn number(&mut self, number: i32) {
        self.0.extend(number.to_be_bytes());
    }

    fn text(&mut self, field: u8, text: &str) {
        self.0.push(field);
        self.number(text.len() as i32);
        self.0.extend(text.as_bytes());
    }

    /// A node of the only thread of the only attempt; -1 is none.
    fn id(&mut self, node: i32) {
        [node, 0, 0]
            .into_iter()
            .for_each(|number| self.number(number));
    }

    fn node(id: usize, parent: Option<usize>, at: usize, children: usize, status: u8) -> Message {
        let mut message = Message(vec![NODE]);
        message.id(id as i32);
        message.id(parent.map_or(-1, |parent| parent as i32));
        message.number(if parent.is_some() { at as i32 } else { -1 });
        message.number(children as i32);
        message.0.push(status);
        message
    }

    /// Lengths are in the order of bytes of the machine on which the other end runs too, which is this one on all that it
    /// is made for; everything else has its first byte first.
    fn put(self, out: &mut Vec<u8>) {
        out.extend((self.0.len() as u32).to_le_bytes());
        out.extend(self.0);
    }
}

/// Where the children of the nodes stand.
struct Places {
    /// For each node, which child of its parent it is.
    at: Vec<usize>,
    /// For each node, how many children it has, tried or not.
    children: Vec<usize>,
    /// Alternatives that were never tried and are not open any more: their node, the first of them, and how many.
    skipped: Vec<(usize, usize, usize)>,
}

/// A choice of a node, while its children are counted.
#[derive(Clone, Copy)]
struct Choice {
    begin: usize,
    taken: usize,
    of: usize,
    last: usize,
}

impl Places {
    /// A node may have made several choices, one behind another: their children stand in a row.
    fn of(tree: &SearchTree) -> Places {
        let nodes = tree.nodes();
        let mut is_open = vec![false; nodes.len()];
        let mut on_the_way = tree.open_at();
        while let Some(node) = on_the_way {
            is_open[node] = true;
            on_the_way = nodes[node].parent;
        }
        let mut places = Places {
            at: vec![0; nodes.len()],
            children: vec![0; nodes.len()],
            skipped: Vec::new(),
        };
        let mut choices: Vec<Option<Choice>> = vec![None; nodes.len()];
        for (id, node) in nodes.iter().enumerate() {
            let Some(parent) = node.parent else { continue };
            if node.alternative == 0 {
                places.end(parent, choices[parent].take(), false);
            }
            let begin = places.children[parent];
            let choice = choices[parent].get_or_insert(Choice {
                begin,
                taken: 0,
                of: node.of,
                last: id,
            });
            places.at[id] = choice.begin + choice.taken;
            choice.taken += 1;
            choice.last = id;
            choice.of = choice.of.saturating_sub(if choice.taken == 1 {
                node.alternative
            } else {
                0
            });
        }
        for (parent, choice) in choices.into_iter().enumerate() {
            places.end(
                parent,
                choice,
                choice.is_some_and(|choice| is_open[choice.last]),
            );
        }
        places
    }

    /// No more children of a choice come.
    fn end(&mut self, parent: usize, choice: Option<Choice>, is_open: bool) {
        let Some(choice) = choice else { return };
        let untried = choice.of.saturating_sub(choice.taken).min(MOST_UNTRIED);
        let end = choice.begin + choice.taken;
        self.children[parent] = end + untried;
        if untried > 0 && !is_open {
            self.skipped.push((parent, end, untried));
        }
    }
}

impl SearchTree {
    /// The tree as messages of CP-Profiler's protocol, as they go over its connection: `Start`, a message for each node,
    /// and `Done`.
    ///
    /// A node that is open has no message: its parent says how many children there are. What was left without being
    /// tried is skipped. A node whose subtree was folded has failed.
    ///
    /// ```
    /// use ndscript::Engine;
    /// use ndscript::timeline::SearchTree;
    /// let program = Engine::new().compile("let x = choose(1, 2); require(x == 2);")?;
    /// let mut tree = SearchTree::new(program.sources().clone(), 1000);
    /// program.run(1).watch(1000, &mut tree);
    /// let messages = tree.to_cp_profiler("x");
    /// assert_eq!(messages[4], 2); // Start, behind its length
    /// assert_eq!(messages[messages.len() - 5..], [1, 0, 0, 0, 1]); // Done
    /// # Ok::<(), ndscript::CompileError>(())
    /// ```
    pub fn to_cp_profiler(&self, title: &str) -> Vec<u8> {
        let (nodes, places) = (self.nodes(), Places::of(self));
        let mut out = Vec::new();
        let mut start = Message(vec![START, PROTOCOL]);
        start.number(VERSION);
        start.text(
            INFO,
            &format!("{{\"has_restarts\": false, \"name\": {}}}", quoted(title)),
        );
        start.put(&mut out);
        for (id, node) in nodes.iter().enumerate() {
            let status = match node.state {
                State::Solution => SOLVED,
                State::Failed => FAILED,
                State::Inner if places.children[id] == 0 => FAILED,
                State::Inner => BRANCH,
                State::Open if id > 0 => continue,
                State::Open => BRANCH,
            };
            // There, the root is a branch whatever it is said to be.
            let is_whole = id == 0 && status != BRANCH;
            let (children, shown) = if is_whole {
                (1, BRANCH)
            } else {
                (places.children[id], status)
            };
            self.put_node(
                Message::node(id, node.parent, places.at[id], children, shown),
                node,
                &mut out,
            );
            if is_whole {
                self.put_node(Message::node(1, Some(0), 0, 0, status), node, &mut out);
            }
        }
        let mut id = nodes.len();
        for (parent, begin, many) in places.skipped {
            for at in begin..begin + many {
                Message::node(id, Some(parent), at, 0, SKIPPED).put(&mut out);
                id += 1;
            }
        }
        Message(vec![DONE]).put(&mut out);
        out
    }

    fn put_node(&self, mut message: Message, node: &Node, out: &mut Vec<u8>) {
        message.text(LABEL, &words::one_line(&node.label));
        message.text(INFO, &self.info(node));
        message.put(out);
    }

    /// What else is known of a node, as JSON.
    fn info(&self, node: &Node) -> String {
        let mut info = format!("{{\"step\": {}", node.step);
        if let Some(line) = self.line(node) {
            let _ = write!(info, ", \"line\": {line}");
        }
        if let Some((why, span)) = node.why.as_ref().filter(|_| node.state == State::Failed) {
            let _ = write!(
                info,
                ", \"failed\": {}",
                quoted(&format!("{}{why}", self.failing_line(*span)))
            );
        }
        if node.folded > 0 {
            let _ = write!(
                info,
                ", \"folded\": {}, \"failures\": {}",
                node.folded, node.folded_failures
            );
        }
        if !node.writes.is_empty() {
            let writes: Vec<String> = node
                .writes
                .iter()
                .map(|write| quoted(&write.to_string()))
                .collect();
            let _ = write!(info, ", \"changes\": [{}]", writes.join(", "));
        }
        if !node.text.is_empty() {
            let _ = write!(info, ", \"printed\": {}", quoted(&node.text));
        }
        info + "}"
    }

    fn failing_line(&self, span: Option<ndscript_base::source::Span>) -> String {
        words::line_in_words(self.sources(), span, ": ")
    }
}
