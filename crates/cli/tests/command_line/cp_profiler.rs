//! `ndscript tree --cp-profiler`, read as CP-Profiler reads it: by the description of its protocol, and with what its
//! tree of nodes asks for (each node is promised by its parent, and comes once).

use super::*;
use std::collections::BTreeMap;
use std::net::TcpListener;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Solved,
    Failed,
    Branch,
    Skipped,
    /// Promised by its parent, and never told of.
    Undetermined,
}

struct Drawn {
    status: Status,
    label: String,
    info: serde_json::Value,
    children: Vec<usize>,
}

#[derive(Default)]
struct Profiler {
    name: String,
    nodes: Vec<Drawn>,
    /// The nodes by the numbers that the messages have for them.
    known: BTreeMap<i32, usize>,
    is_done: bool,
}

/// What is left of a message.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().expect("a byte");
        self.0 = rest;
        *first
    }

    fn number(&mut self) -> i32 {
        let (first, rest) = self.0.split_first_chunk::<4>().expect("four bytes");
        self.0 = rest;
        i32::from_be_bytes(*first)
    }

    fn text(&mut self) -> String {
        let length = self.number() as usize;
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8(text.to_vec()).unwrap()
    }
}

impl Profiler {
    fn read(mut bytes: &[u8]) -> Profiler {
        let mut profiler = Profiler::default();
        while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
            assert!(!profiler.is_done, "a message behind the last one");
            let (message, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
            profiler.take(Rest(message));
            bytes = rest;
        }
        assert!(
            bytes.is_empty() && profiler.is_done,
            "it has not come to its end"
        );
        profiler
    }

    fn take(&mut self, mut message: Rest<'_>) {
        match message.byte() {
            0 => self.take_node(&mut message),
            1 => self.is_done = true,
            2 => {
                assert_eq!(
                    (message.byte(), message.number()),
                    (3, 3),
                    "the version of the protocol"
                );
                assert_eq!(message.byte(), 2);
                let info: serde_json::Value = serde_json::from_str(&message.text()).unwrap();
                self.name = info["name"].as_str().unwrap().to_string();
                assert_eq!(info["has_restarts"], false);
            }
            other => panic!("a message of kind {other}"),
        }
        assert!(message.0.is_empty(), "something is left of a message");
    }

    fn take_node(&mut self, message: &mut Rest<'_>) {
        let [id, restart, thread] = [0; 3].map(|_| message.number());
        let [parent, parent_restart, parent_thread] = [0; 3].map(|_| message.number());
        assert_eq!([restart, thread, parent_restart, parent_thread], [0; 4]);
        let (at, children) = (message.number(), message.number());
        let status = [
            Status::Solved,
            Status::Failed,
            Status::Branch,
            Status::Skipped,
        ][message.byte() as usize];
        let (mut label, mut info) = (String::new(), serde_json::Value::Null);
        while !message.0.is_empty() {
            match message.byte() {
                0 => label = message.text(),
                2 => info = serde_json::from_str(&message.text()).unwrap(),
                other => panic!("a field {other}"),
            }
        }
        let place = if parent == -1 {
            assert!(
                self.nodes.is_empty() && at == -1 && status == Status::Branch,
                "the root comes first"
            );
            self.promise()
        } else {
            self.nodes[self.known[&parent]].children[at as usize]
        };
        assert!(children == 0 || status == Status::Branch);
        assert_eq!(
            self.nodes[place].status,
            Status::Undetermined,
            "node {id} is told once"
        );
        let children = (0..children).map(|_| self.promise()).collect();
        self.nodes[place] = Drawn {
            status,
            label,
            info,
            children,
        };
        assert!(
            self.known.insert(id, place).is_none(),
            "node {id} has a number of its own"
        );
    }

    fn promise(&mut self) -> usize {
        let nothing = (String::new(), serde_json::Value::Null);
        self.nodes.push(Drawn {
            status: Status::Undetermined,
            label: nothing.0,
            info: nothing.1,
            children: Vec::new(),
        });
        self.nodes.len() - 1
    }

    fn count(&self, status: Status) -> u64 {
        self.nodes
            .iter()
            .filter(|node| node.status == status)
            .count() as u64
    }
}

fn figures(folder: &Folder, solutions: &str) -> serde_json::Value {
    let ended = folder.run(&[
        "run",
        "a.nds",
        "--seed",
        "1",
        "--solutions",
        solutions,
        "--stats",
        "json",
    ]);
    let line = ended
        .err
        .lines()
        .find(|line| line.starts_with('{'))
        .unwrap_or_else(|| panic!("{}", ended.err));
    serde_json::from_str(line).unwrap()
}

/// The tree that CP-Profiler would draw, of a run to so many solutions.
fn drawn(folder: &Folder, solutions: &str) -> Profiler {
    let code = folder
        .run(&[
            "tree",
            "a.nds",
            "--seed",
            "1",
            "--solutions",
            solutions,
            "--cp-profiler",
            "a.cpp",
        ])
        .code;
    assert!(code <= 1, "{code}");
    Profiler::read(&fs::read(folder.path("a.cpp")).unwrap())
}

const QUEENS: &str = "\
let columns = [];
for (let row = 0; row < 6; row++) {
    let column = choose(0, 1, 2, 3, 4, 5);
    for (let above = 0; above < row; above++) {
        let apart = abs(columns[above] - column);
        require(apart != 0 && apart != row - above, \"a queen above\");
    }
    push(columns, column);
}
printLine(columns);
";

#[test]
fn cp_profiler_counts_what_the_figures_of_a_run_count() {
    let folder = script(QUEENS);
    let (tree, stats) = (drawn(&folder, "all"), figures(&folder, "all"));
    assert_eq!(tree.name, "a.nds");
    assert_eq!(
        tree.count(Status::Branch),
        stats["choice_points"].as_u64().unwrap()
    );
    assert_eq!(
        tree.count(Status::Solved),
        stats["solutions"].as_u64().unwrap()
    );
    assert_eq!(
        tree.nodes.len() as u64 - 1,
        stats["alternatives"].as_u64().unwrap()
    );
    // A solution that another one is wanted behind is a failure, too.
    let ends = tree.count(Status::Failed) + tree.count(Status::Solved);
    assert_eq!(ends, stats["failures"].as_u64().unwrap());
    assert_eq!(
        (
            tree.count(Status::Skipped),
            tree.count(Status::Undetermined)
        ),
        (0, 0)
    );
    let failed = tree
        .nodes
        .iter()
        .find(|node| node.status == Status::Failed)
        .unwrap();
    assert_eq!(failed.info["failed"], "line 6: a queen above");
    assert!(
        ["0", "1", "2", "3", "4", "5"].contains(&failed.label.as_str()),
        "{}",
        failed.label
    );
    // Behind the first solution the rest is open.
    let (tree, stats) = (drawn(&folder, "1"), figures(&folder, "1"));
    let (open, all) = (tree.count(Status::Undetermined), tree.nodes.len() as u64);
    assert!(
        open > 0 && all - open - 1 == stats["alternatives"].as_u64().unwrap(),
        "{open} of {all}, {stats}"
    );
}

/// One node may make several choices: those of searches inside, which are left, stand beside those that follow.
#[test]
fn cp_profiler_is_told_where_a_search_has_gone_on() {
    let inner = "\
let x = minimize(() => { let y = choose(3, 1, 2); cost(y); return y; });
let a = once(() => choose(1, 2, 3));
let b = choose(1, 2);
require(b == 2);
";
    let tree = drawn(&script(inner), "all");
    assert_eq!(
        tree.count(Status::Undetermined),
        tree.nodes
            .iter()
            .filter(|node| node.label.is_empty())
            .count() as u64
            - tree.count(Status::Skipped)
    );
    assert!(
        tree.count(Status::Skipped) >= 2,
        "what `once` has left is skipped"
    );
    assert_eq!(tree.count(Status::Solved), 1);
    let none = drawn(&script("printLine(1);"), "1");
    assert_eq!((none.nodes.len(), none.count(Status::Solved)), (2, 1));
    let failed = drawn(&script("fail \"no\";"), "1");
    assert_eq!((failed.nodes.len(), failed.count(Status::Failed)), (2, 1));
    assert_eq!(failed.nodes[1].info["failed"], "line 1: no");
}

/// A subtree that was folded to save memory is one failure.
#[test]
fn cp_profiler_draws_what_was_folded_as_failed() {
    let folder = script("let a = choose(1, 2, 3); for (let i = 0; i < 8; i++) choose(1, 2); fail;");
    folder
        .run(&[
            "tree",
            "a.nds",
            "--seed",
            "1",
            "--nodes",
            "100",
            "--cp-profiler",
            "a.cpp",
        ])
        .expect_code(1);
    let tree = Profiler::read(&fs::read(folder.path("a.cpp")).unwrap());
    let folded: u64 = tree
        .nodes
        .iter()
        .filter_map(|node| node.info["failures"].as_u64())
        .sum();
    let alone = tree
        .nodes
        .iter()
        .filter(|node| node.status == Status::Failed && node.info["folded"].is_null())
        .count();
    assert_eq!(folded + alone as u64, 3 * 256);
    assert!(folded > 0 && tree.count(Status::Undetermined) == 0);
}

#[test]
fn a_tree_goes_over_a_connection_as_it_goes_into_a_file() {
    let folder = script(QUEENS);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        listener
            .accept()
            .unwrap()
            .0
            .read_to_end(&mut bytes)
            .unwrap();
        bytes
    });
    let ended = folder.run(&["tree", "a.nds", "--seed", "1", "--cp-profiler", &address]);
    assert!(
        ended.code == 0 && ended.err.contains(&format!("to CP-Profiler at {address}")),
        "{}",
        ended.err
    );
    assert_eq!(ended.out, "");
    let sent = reader.join().unwrap();
    drawn(&folder, "1");
    assert!(sent == fs::read(folder.path("a.cpp")).unwrap());
    // Nobody listens there any more: that is said before the search.
    let started = Instant::now();
    let endless = script(ENDLESS);
    let alone = endless
        .run(&["tree", "a.nds", "--seed", "1", "--cp-profiler", &address])
        .says("cannot reach CP-Profiler at");
    assert_eq!(alone.code, 2);
    alone.says("start it first");
    assert!(started.elapsed() < Duration::from_secs(60));
    folder
        .run(&[
            "tree",
            "a.nds",
            "--seed",
            "1",
            "--cp-profiler",
            "no.such.host.invalid:6565",
        ])
        .says("cannot reach");
    folder
        .run(&["tree", "a.nds", "--seed", "1", "--cp-profiler", "."])
        .says("cannot write \".\"")
        .expect_code(2);
    folder
        .run(&[
            "tree",
            "a.nds",
            "--seed",
            "1",
            "--diff",
            "2",
            "--cp-profiler",
            "x",
        ])
        .says("cannot be used with")
        .expect_code(2);
}
