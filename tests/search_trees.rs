//! Trees of searches say what the searches did: their counts are those of the run, the ways to solutions are those that
//! the naive engine takes, and the map at a node is the one that stood there.
//!
//! `NDSCRIPT_PROGRAMS` sets how many programs are looked at, `NDSCRIPT_SEED` which ones.

#[allow(dead_code, unused_imports, reason = "other tests need more of it")]
mod generator;
#[allow(dead_code, reason = "other tests need more of it")]
mod naive;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ndscript::rng::Rng;
use ndscript::{Engine, Event, ImportSource, Limits, Moment, Observer, Outcome, Program, Run};
use ndscript_timeline::{Comparison, Content, Detail, Node, Origin, SearchTree, State, Timeline};

const PROGRAMS: u64 = 400;
const SOLUTIONS: usize = 60;
const FUEL: u64 = 300_000;
/// Nodes of a tree whose maps are looked at.
const LOOKED_AT: usize = 12;
/// The naive engine recurses on the native stack.
const STACK: usize = 512 << 20;

/// A tree, and what was told while it grew.
struct Grown {
    tree: SearchTree,
    choices: u64,
    takes: u64,
    failures: u64,
}

impl Observer for Grown {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        self.choices += u64::from(matches!(event, Event::Choice { .. }));
        self.takes += u64::from(matches!(event, Event::Take { .. }));
        self.failures += u64::from(matches!(event, Event::Fail { .. }));
        self.tree.observe(moment, event)
    }
}

/// Lets a tree grow; `None` if the run does not come to an end of its own.
fn grow(program: &Program, run: &mut Run, most: usize) -> Option<Grown> {
    let tree = SearchTree::new(program.sources().clone(), usize::MAX).with_maps(None);
    let mut grown = Grown {
        tree,
        choices: 0,
        takes: 0,
        failures: 0,
    };
    let mut solutions = 0;
    loop {
        match run.watch(FUEL, &mut grown) {
            Outcome::Solved(_) if solutions + 1 >= most => return Some(grown),
            Outcome::Solved(_) => solutions += 1,
            Outcome::Failed | Outcome::Error(_) => return Some(grown),
            Outcome::OutOfFuel | Outcome::Limit(_) | Outcome::Asked(_) | Outcome::Waiting(_) => {
                return None;
            }
        }
    }
}

/// What the map of a node is: the changes from the beginning to there, one after another.
fn map_at(tree: &SearchTree, node: usize) -> Option<((u32, u32), Vec<u32>)> {
    let mut way = Vec::new();
    let mut at = Some(node);
    while let Some(node) = at {
        way.push(node);
        at = tree.nodes()[node].parent;
    }
    let (mut size, mut cells) = ((0, 0), Vec::new());
    for node in way.into_iter().rev() {
        let change = tree.map_change(node)?;
        if let Some(other) = change.size {
            (size, cells) = (other, vec![0; other.0 as usize * other.1 as usize]);
        }
        change
            .cells
            .iter()
            .for_each(|(at, content)| cells[*at as usize] = *content);
    }
    Some((size, cells))
}

/// The candidates of the cells of a map, as text, each cell in order.
fn in_words(tree: &SearchTree, cells: &[u32]) -> Vec<Vec<String>> {
    let (values, contents) = (tree.values(), tree.contents());
    let words = |content: &u32| match &contents[*content as usize] {
        Content::Nothing => vec!["null".to_string()],
        Content::Candidates(candidates) => {
            let mut words: Vec<String> = candidates
                .iter()
                .map(|at| values[*at as usize].clone())
                .collect();
            words.sort();
            words
        }
    };
    cells.iter().map(words).collect()
}

/// Compares the maps of some nodes with what stood there; how many were compared.
fn check_maps(name: &str, tree: &SearchTree, run: Run) -> usize {
    let Some(variable) = tree.map_name() else {
        return 0;
    };
    let mut timeline = Timeline::new(run);
    let until = tree
        .nodes()
        .iter()
        .map(|node| node.until)
        .max()
        .unwrap_or_default();
    while timeline.end() < until && !timeline.has_ended() {
        timeline.record(100_000);
    }
    let step = (tree.nodes().len() / LOOKED_AT).max(1);
    let mut compared = 0;
    for (at, node) in tree.nodes().iter().enumerate().step_by(step) {
        // One that was left open has no end.
        if node.state == State::Open {
            continue;
        }
        let scene = timeline
            .scene(node.until, &Detail::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = scene
            .globals
            .iter()
            .find(|global| global.name == variable)
            .and_then(|global| global.grid.clone());
        let Some((size, cells)) = map_at(tree, at) else {
            panic!("{name}: node {at} has no map")
        };
        let Some(expected) = expected else {
            assert!(
                cells.is_empty(),
                "{name}: node {at} has a map of what is not there"
            );
            continue;
        };
        // A grid that nothing was chosen in yet may stand there before it is followed.
        if cells.is_empty() {
            continue;
        }
        assert_eq!(
            (size.0 as usize, size.1 as usize),
            (expected.width, expected.height),
            "{name}: node {at}"
        );
        let mut shown: Vec<Vec<String>> = expected
            .cells
            .iter()
            .map(|cell| cell.candidates.clone())
            .collect();
        shown.iter_mut().for_each(|cell| cell.sort());
        assert_eq!(
            in_words(tree, &cells),
            shown,
            "{name}: node {at} at {}",
            node.until
        );
        compared += 1;
    }
    compared
}

/// A tree that is told less of the run is the same tree.
fn check_without_changes(name: &str, program: &Program, seed: u64, told_of_all: &SearchTree) {
    let mut tree = SearchTree::new(program.sources().clone(), usize::MAX).without_changes();
    let mut run = program.run(seed);
    let mut solutions = 0;
    loop {
        match run.watch(FUEL, &mut tree) {
            Outcome::Solved(_) if solutions + 1 >= SOLUTIONS => break,
            Outcome::Solved(_) => solutions += 1,
            _ => break,
        }
    }
    let shape = |tree: &SearchTree| -> Vec<String> {
        let seen = |node: &Node| {
            let Node {
                parent,
                alternative,
                of,
                state,
                span,
                label,
                why,
                text,
                step,
                ..
            } = node;
            format!(
                "{parent:?} {alternative} of {of} {state:?} {span:?} {label} {why:?} {text:?} {step} {} {}",
                node.failures, node.leads_to_solution
            )
        };
        tree.nodes().iter().map(seen).collect()
    };
    let (expected, shape) = (shape(told_of_all), shape(&tree));
    for (at, (expected, node)) in expected.iter().zip(&shape).enumerate() {
        assert_eq!(expected, node, "{name}: node {at}");
    }
    assert_eq!(expected.len(), shape.len(), "{name}");
}

/// The alternatives that lead to a node.
fn way_to(tree: &SearchTree, mut at: usize) -> Vec<usize> {
    let mut way = Vec::new();
    while let Some(parent) = tree.nodes()[at].parent {
        way.push(tree.nodes()[at].alternative);
        at = parent;
    }
    way.reverse();
    way
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(otherwise)
}

#[test]
fn trees_of_generated_programs_are_what_the_searches_did() {
    let work = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let programs = from_environment("NDSCRIPT_PROGRAMS", PROGRAMS);
        let first = from_environment("NDSCRIPT_SEED", 0);
        let (mut counted, mut maps) = (0, 0);
        for seed in first..first + programs {
            let text = match seed % 8 {
                3 => generator::growing_texts(seed),
                6 => generator::made_in_searches(seed),
                _ => generator::text(&generator::program(seed, seed % 3 == 2)),
            };
            let Ok(program) = Engine::new().compile(&text) else {
                continue;
            };
            let mut run = program.run(seed);
            let Some(grown) = grow(&program, &mut run, SOLUTIONS) else {
                continue;
            };
            let (tree, figures) = (&grown.tree, run.statistics());
            assert_eq!(
                grown.choices, figures.choice_points,
                "{seed}: choices\n{text}"
            );
            assert_eq!(
                grown.takes + 1,
                tree.nodes().len() as u64,
                "{seed}: alternatives\n{text}"
            );
            let failures: u64 = tree.nodes().iter().map(|node| node.failures).sum();
            assert_eq!(grown.failures, failures, "{seed}: failures told\n{text}");
            assert_eq!(
                figures.alternatives, grown.takes,
                "{seed}: alternatives tried\n{text}"
            );
            assert_eq!(
                figures.failures, failures,
                "{seed}: failures counted\n{text}"
            );
            check_without_changes(&format!("{seed}\n{text}"), &program, seed, tree);
            counted += 1;
            maps += check_maps(&format!("{seed}\n{text}"), tree, program.run(seed));
        }
        assert!(
            counted * 10 > programs * 9,
            "only {counted} programs could be counted"
        );
        assert!(
            maps as u64 > programs / 4,
            "only {maps} maps could be compared"
        );
    });
    if let Err(panic) = work.unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}

/// A program of choices in order, without searches inside: blocks of choices, loops, recursion and conditions.
fn plain_program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut below = |bound: u64| rng.below(bound);
    let mut text = String::from("let v = [0, 0, 0];\nfunction f(n) {\n  if (n == 0) return;\n");
    fn block(text: &mut String, below: &mut dyn FnMut(u64) -> u64, depth: usize) {
        for _ in 0..1 + below(3) {
            let indent = "  ".repeat(depth);
            let (at, by) = (below(3), 1 + below(3));
            match below(5) {
                0 | 1 if depth < 4 => {
                    text.push_str(&format!("{indent}choose first {{\n"));
                    for other in 0..2 + below(2) {
                        if other > 0 {
                            text.push_str(&format!("{indent}}} or {{\n"));
                        }
                        block(text, below, depth + 1);
                    }
                    text.push_str(&format!("{indent}}}\n"));
                }
                2 => text.push_str(&format!(
                    "{indent}require(v[{at}] % {} != {});\n",
                    by + 1,
                    below(by + 1)
                )),
                3 if depth < 3 => {
                    text.push_str(&format!(
                        "{indent}for (let i{depth} = 0; i{depth} < {by}; i{depth}++) {{\n"
                    ));
                    block(text, below, depth + 2);
                    text.push_str(&format!("{indent}}}\n"));
                }
                _ => text.push_str(&format!("{indent}v[{at}] += {by};\n")),
            }
        }
    }
    block(&mut text, &mut below, 1);
    text.push_str(&format!("  f(n - 1);\n}}\nf({});\n", 1 + below(2)));
    block(&mut text, &mut below, 0);
    text + "printLine(v);\n"
}

/// The ways to solutions are those of the naive engine, and the failures are those that `--stats` counts.
#[test]
fn ways_to_solutions_are_those_of_the_naive_engine() {
    let work = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let (mut compared, mut solutions) = (0, 0);
        for seed in 0..from_environment("NDSCRIPT_PROGRAMS", PROGRAMS) {
            let text = plain_program(seed);
            let program = Engine::new()
                .compile(&text)
                .unwrap_or_else(|error| panic!("{text}{error}"));
            let mut run = program.run(seed);
            let Some(grown) = grow(&program, &mut run, SOLUTIONS) else {
                continue;
            };
            let script = ndscript::syntax::parse(&text, 0).expect("it was compiled");
            let bounds = naive::Bounds {
                steps: 100_000,
                solutions: SOLUTIONS,
            };
            let found = naive::run(&script, bounds, false);
            if !matches!(found.end, naive::End::Complete) {
                continue;
            }
            let nodes = grown.tree.nodes();
            let solved = (0..nodes.len()).filter(|at| nodes[*at].state == State::Solution);
            let ways: Vec<Vec<usize>> = solved.map(|at| way_to(&grown.tree, at)).collect();
            assert_eq!(
                ways, found.ways,
                "{seed}: the ways to solutions, and those of the naive engine\n{text}"
            );
            let failures: u64 = nodes.iter().map(|node| node.failures).sum();
            assert_eq!(
                run.statistics().failures,
                failures,
                "{seed}: failures\n{text}"
            );
            compared += 1;
            solutions += usize::from(ways.len() > 1);
        }
        assert!(
            compared > 200 && solutions > 60,
            "{compared} compared, {solutions} with several solutions"
        );
    });
    if let Err(panic) = work.unwrap().join() {
        std::panic::resume_unwind(panic);
    }
}

struct Beside(PathBuf);

impl ImportSource for Beside {
    fn read(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(self.0.join(path)).map_err(|error| error.to_string())
    }
}

fn programs_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            programs_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "nds") {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn maps_of_the_examples_are_what_stood_there() {
    let mut files = Vec::new();
    programs_in(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"),
        &mut files,
    );
    let (mut maps, mut with_maps) = (0, 0);
    for file in files {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(&file).unwrap();
        let limits = Limits {
            steps: 60_000,
            ..Limits::default()
        };
        let engine = Engine::new()
            .with_limits(limits)
            .with_imports(Beside(file.parent().unwrap().to_path_buf()));
        let Ok(program) = engine.compile(&text) else {
            continue;
        };
        // Few nodes, so that what has failed is folded on the way.
        let mut tree = SearchTree::new(program.sources().clone(), 60).with_maps(None);
        program.run(5).watch(u64::MAX, &mut tree);
        let compared = check_maps(&name, &tree, program.run(5));
        maps += compared;
        with_maps += usize::from(compared > 0);
    }
    assert!(
        maps > 100 && with_maps > 10,
        "{maps} maps of {with_maps} examples"
    );
}

fn searched(text: &str, seed: u64) -> SearchTree {
    let program = Engine::new().compile(text).unwrap();
    grow(&program, &mut program.run(seed), SOLUTIONS)
        .unwrap()
        .tree
}

/// A search in which others are made: what they do is undone, and belongs to no later choice.
#[test]
fn a_search_inside_of_another_goes_back_to_where_it_began() {
    let tree = searched(
        "let g = makeGrid(2, 1, setOf(1, 2));
         let n = countSolutions(() => { g[0, 0] = setOf(chooseElement(setOf(1, 2))); });
         if (not(() => { g[1, 0] = setOf(1); fail; })) g[1, 0] = setOf(2);
         let x; choose first { x = 1; } or { x = 2; }
         require(x == 2);",
        1,
    );
    let shown: Vec<(Option<usize>, State)> = tree
        .nodes()
        .iter()
        .map(|node| (node.parent, node.state))
        .collect();
    // A search inside is a choice: first the search, then what comes behind it.
    let expected = [
        (None, State::Inner),
        (Some(0), State::Inner),
        (Some(1), State::Failed),
        (Some(1), State::Failed),
        (Some(0), State::Inner),
        (Some(4), State::Failed),
        (Some(4), State::Inner),
        (Some(6), State::Failed),
        (Some(6), State::Solution),
    ];
    assert_eq!(shown, expected);
    let map = |node| in_words(&tree, &map_at(&tree, node).unwrap().1);
    assert_eq!(map(8), [vec!["1", "2"], vec!["2"]]);
    assert_eq!(map(5), [vec!["1", "2"], vec!["1"]]);
    assert!(
        map(2) != map(3) && map(2)[0].len() == 1,
        "{:?} {:?}",
        map(2),
        map(3)
    );
}

/// Every alternative of each of two runs is in the tree of both exactly once, below what it was below.
#[test]
fn a_comparison_has_both_trees() {
    let mut parted = 0;
    for seed in 0..60 {
        let text = generator::text(&generator::program(seed, true));
        let Ok(program) = Engine::new().compile(&text) else {
            continue;
        };
        let grown = |seed| grow(&program, &mut program.run(seed), 1).map(|grown| grown.tree);
        let (Some(first), Some(second)) = (grown(1), grown(2)) else {
            continue;
        };
        let both = Comparison::new(["a", "b"], &first, &second);
        let nodes = both.tree().nodes();
        for (tree, other) in [(&first, Origin::Second), (&second, Origin::First)] {
            let labels = |nodes: &[Node], way: &mut dyn FnMut(&Node) -> bool| {
                let mut labels: Vec<String> = nodes
                    .iter()
                    .filter(|node| way(node))
                    .map(|node| node.label.clone())
                    .collect();
                labels.sort();
                labels
            };
            let mine = labels(nodes, &mut |node| node.origin != Some(other));
            assert_eq!(mine, labels(tree.nodes(), &mut |_| true), "{seed}");
        }
        for (at, node) in nodes.iter().enumerate().skip(1) {
            let parent = node.parent.unwrap();
            assert!(
                parent < at
                    && (nodes[parent].origin == Some(Origin::Both)
                        || nodes[parent].origin == node.origin)
            );
            // Where a node of one run hangs at one of both, they part.
            if nodes[parent].origin == Some(Origin::Both) && node.origin != Some(Origin::Both) {
                assert!(nodes[parent].parts, "{seed}: {parent}");
            }
        }
        parted += usize::from(!both.partings().is_empty());
        let alone = Comparison::new(["a", "a"], &first, &first);
        assert!(alone.partings().is_empty() && alone.to_text().contains("they never part"));
        assert_eq!(alone.tree().nodes().len(), first.nodes().len());
    }
    assert!(parted > 5, "{parted}");
}
