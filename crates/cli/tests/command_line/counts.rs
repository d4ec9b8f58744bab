//! What several commands tell of one run is the same.

use super::*;
use serde_json::Value;

const PROGRAMS: [&str; 4] = [
    "let v = [];
for (let row = 0; row < 5; row++) {
    let c = chooseElement(range(5));
    for (let e = 0; e < row; e++) { let d = abs(v[e] - c); require(d != 0 && d != row - e, \"beaten\"); }
    push(v, c);
}",
    "let best = minimize(() => { let a = choose(3, 1, 2); cost(a); return a; });
let one = once(() => { let b = choose(1, 2, 3); require(b > 1); return b; });
let many = countSolutions(() => choose(1, 2, 3));
choose { fail \"no\"; } or { let c = choose(1, 2); require(c == one); }",
    "let g = makeGrid(3, 3, setOf(1, 2, 3));
for (let i = 0; i < 3; i++) { allDifferent(g, map(range(3), x => position(x, i))); allDifferent(g, map(range(3), y => position(i, y))); }
decide(g);
require(sum(map(range(3), i => singletonValue(g[i, i]))) == 3, \"no such square\");",
    "deterministic function f(n) { let a = choose(1, 2, 3); require(a != n); return a; }
let a = f(1);
let b = choose(4, 5);
if (not(() => { let c = choose(a, b); require(c > 4); })) require(b > a);
fail;",
];

fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}")))
        .collect()
}

#[test]
fn a_trace_and_a_tree_count_what_the_figures_of_the_run_count() {
    for program in PROGRAMS {
        let folder = script(program);
        for seed in ["1", "2", "3"] {
            let told = |command: &str, options: &[&str]| {
                folder.run(
                    &[
                        &[command, "a.nds", "--seed", seed, "--solutions", "all"],
                        options,
                    ]
                    .concat(),
                )
            };
            let stats = told("run", &["--stats", "json"]).err;
            let stats: Value =
                serde_json::from_str(stats.lines().find(|line| line.starts_with('{')).unwrap())
                    .unwrap();
            let events = json_lines(&told("trace", &["--json"]).out);
            let count =
                |kind: &str| events.iter().filter(|event| event["event"] == kind).count() as u64;
            let tree: Value = serde_json::from_str(&told("tree", &["--json"]).out).unwrap();
            let nodes = tree["nodes"].as_array().unwrap();
            let of = |name: &str| stats[name].as_u64().unwrap();
            assert!(of("failures") > 0, "{program}");
            assert_eq!(
                count("fail"),
                of("failures"),
                "failures, seed {seed}\n{program}"
            );
            assert_eq!(
                count("choice"),
                of("choice_points"),
                "choices, seed {seed}\n{program}"
            );
            assert_eq!(
                count("take"),
                of("alternatives"),
                "alternatives, seed {seed}\n{program}"
            );
            assert_eq!(
                count("solution"),
                of("solutions"),
                "solutions, seed {seed}\n{program}"
            );
            assert_eq!(
                nodes.len() as u64 - 1,
                of("alternatives"),
                "nodes, seed {seed}\n{program}"
            );
            let told_by = |text: &str, noun: &str| -> u64 {
                let (before, _) = text
                    .split_once(noun)
                    .unwrap_or_else(|| panic!("no {noun}: {text}"));
                before
                    .split(' ')
                    .next_back()
                    .unwrap_or_default()
                    .parse()
                    .unwrap_or_else(|_| panic!("{noun}: {text}"))
            };
            let explained = told("explain", &[]).out;
            let (head, rest) = explained.split_once('\n').unwrap();
            assert_eq!(
                told_by(head, " failure"),
                of("failures"),
                "explained, seed {seed}\n{program}"
            );
            let causes = rest.split("\nwhere it chose:").next().unwrap();
            // What stands further to the right are the messages of a place.
            let times = causes
                .lines()
                .filter(|line| line.find(" time").is_some_and(|at| at <= 15))
                .collect::<Vec<_>>();
            let sum: u64 = times.iter().map(|line| told_by(line, " time")).sum();
            assert_eq!(
                sum,
                of("failures"),
                "causes, seed {seed}\n{program}\n{explained}"
            );
            let open = head.rsplit(", ").next().unwrap();
            assert_eq!(
                told_by(open, " choice"),
                of("open_choices"),
                "open, seed {seed}\n{program}\n{head}"
            );
            let profile = told("profile", &[]).out;
            assert_eq!(
                told_by(&profile, " failure"),
                of("failures"),
                "profile, seed {seed}\n{program}"
            );
        }
    }
}

/// What the page of a tree holds of each node, as its program reads it.
fn page(folder: &Folder, options: &[&str]) -> Value {
    let ended = folder.run(
        &[
            &["tree", "a.nds", "--seed", "1", "--html", "t.html"],
            options,
        ]
        .concat(),
    );
    assert!(ended.code <= 1, "{}", ended.err);
    let page = fs::read_to_string(folder.path("t.html")).unwrap();
    let data = page
        .split_once("id=\"data\">\n")
        .unwrap()
        .1
        .split_once("\n</script>")
        .unwrap()
        .0;
    serde_json::from_str(data).unwrap_or_else(|why| panic!("{why}: {data}"))
}

fn numbers(data: &Value, name: &str) -> Vec<i64> {
    data[name]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_i64().unwrap())
        .collect()
}

#[test]
fn a_page_holds_what_the_tree_holds() {
    let mut is_earlier = false;
    for program in PROGRAMS {
        let folder = script(program);
        for options in [&["--solutions", "all"][..], &["--diff", "2"]] {
            let data = page(&folder, options);
            let ended =
                folder.run(&[&["tree", "a.nds", "--seed", "1", "--json"], options].concat());
            let tree: Value = serde_json::from_str(&ended.out).unwrap();
            let nodes = tree["nodes"].as_array().unwrap();
            let parents: Vec<i64> = nodes
                .iter()
                .zip(0..)
                .map(|(node, at): (_, i64)| node["parent"].as_i64().map_or(0, |parent| at - parent))
                .collect();
            assert_eq!(numbers(&data, "parent"), parents);
            let of = |name: &str| {
                nodes
                    .iter()
                    .map(|node| node[name].as_i64().unwrap_or(0))
                    .collect::<Vec<i64>>()
            };
            assert_eq!(numbers(&data, "alternative"), of("alternative"));
            assert_eq!(numbers(&data, "line"), of("line"));
            let texts = data["texts"].as_array().unwrap();
            // The beginning has no label.
            for (number, node) in numbers(&data, "label").iter().zip(nodes).skip(1) {
                assert_eq!(texts[*number as usize], node["label"]);
            }
            let steps: Vec<i64> = numbers(&data, "step")
                .iter()
                .scan(0, |step, later| {
                    *step += later;
                    Some(*step)
                })
                .collect();
            assert!(
                steps.len() == nodes.len() && steps.iter().all(|step| *step >= 0),
                "{steps:?}"
            );
            // A second run begins anew.
            let goes_back = numbers(&data, "step").iter().any(|later| *later < 0);
            assert!(!goes_back || options[0] == "--diff");
            is_earlier |= goes_back;
        }
    }
    assert!(
        is_earlier,
        "no second run has steps before those of the first"
    );
    let text = "let a = choose(1, 2);\nlet b = a * 10;\nb = -b;\nlet c = choose(3, 4);\na = c;\nb = \"x\";\na = c;\nfail;";
    let data = page(&script(text), &[]);
    let written = |row: &Value| -> Vec<String> {
        let text = |number: &Value| {
            data["texts"][number.as_u64().unwrap() as usize]
                .as_str()
                .unwrap()
                .to_string()
        };
        row.as_array().unwrap().iter().map(text).collect()
    };
    let rows: Vec<Vec<String>> = data["writes"]
        .as_array()
        .unwrap()
        .iter()
        .map(written)
        .collect();
    let below = |c: i64| {
        vec![
            format!("c = {c}"),
            format!("a = {c}"),
            "b = \"x\"".to_string(),
            format!("a = {c}"),
        ]
    };
    let first = |a: i64| {
        vec![
            format!("a = {a}"),
            format!("b = {}", 10 * a),
            format!("b = {}", -10 * a),
        ]
    };
    assert_eq!(
        rows,
        [
            vec![],
            first(1),
            below(3),
            below(4),
            first(2),
            below(3),
            below(4)
        ]
    );
}
