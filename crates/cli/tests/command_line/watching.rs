//! `ndscript trace` and `ndscript tree`.

use super::*;

const LATIN: &str = "\
let g = makeGrid(2, 2, setOf(1, 2));
for (let i = 0; i < 2; i++) {
    allDifferent(g, [position(0, i), position(1, i)]);
    allDifferent(g, [position(i, 0), position(i, 1)]);
}
decide(g, {order: \"first\"});
let word;
choose first { word = \"a\"; } or { word = \"b\"; } or { word = \"c\"; }
if (word == \"a\") fail \"a is not wanted\";
require(word == \"c\", \"only c will do\");
printLine(word);
";

#[test]
fn a_trace_tells_what_was_guessed_and_why_it_failed() {
    let ended = script(LATIN).run(&["trace", "a.nds", "--seed", "1"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("trace", ended.out) });
    let only = script(LATIN).run(&["trace", "a.nds", "--seed", "1", "--only", "fail,end"]);
    let lines: Vec<&str> = only.out.lines().map(|line| line[13..].trim()).collect();
    assert_eq!(
        lines,
        [
            "line 9          fail: a is not wanted",
            "line 10         fail: only c will do",
            "end: solution"
        ]
    );
    // A place and all that lies in it.
    let cell = script(LATIN).run(&[
        "trace", "a.nds", "--seed", "1", "--watch", "g[0,0]", "--only", "write",
    ]);
    // The variable got its grid, and the cell its value.
    assert_eq!(cell.out.lines().count(), 2, "{}", cell.out);
    let none = script(LATIN).run(&["trace", "a.nds", "--seed", "1", "--watch", "h"]);
    assert!(
        none.code == 2 && none.err.contains("no variable `h`") && none.err.contains("g, word, i"),
        "{}",
        none.err
    );
    let grid = script(LATIN).run(&[
        "trace", "a.nds", "--seed", "1", "--watch", "g", "--only", "write",
    ]);
    assert_eq!(grid.out.lines().count(), 5, "{}", grid.out);
}

/// What cannot be written, and what the run has not come to, is said.
#[test]
fn what_cannot_be_shown_of_a_search_is_said() {
    let folder = script(LATIN);
    for form in ["--html", "--svg", "--dot", "--speedscope"] {
        for file in [".", "a.nds/tree.out"] {
            let ended = folder.run(&["tree", "a.nds", "--seed", "1", form, file]);
            let message = format!("cannot write \"{file}\"");
            assert!(
                ended.code == 2 && ended.err.contains(&message),
                "{form}: {} {}",
                ended.code,
                ended.err
            );
        }
    }
    let none = folder.run(&[
        "tree", "a.nds", "--seed", "1", "--html", "a.html", "--watch", "nope",
    ]);
    assert!(
        none.code == 2 && none.err.contains("no variable `nope`"),
        "{}",
        none.err
    );
    let late = folder.run(&["trace", "a.nds", "--seed", "1", "--from", "100000"]);
    assert!(
        late.code == 0 && late.err.contains("the run has ended at step "),
        "{}",
        late.err
    );
    assert!(late.err.contains(", before step 100000"), "{}", late.err);
    let nothing = folder.run(&[
        "trace", "a.nds", "--seed", "1", "--only", "fail", "--to", "2",
    ]);
    nothing
        .expect(0, "")
        .says("nothing of what is asked for has happened up to step 2");
    // What looks like standard output is no file.
    for arguments in [
        ["tree", "--svg"],
        ["animate", "--gif"],
        ["animate", "--html"],
        ["run", "--html"],
    ] {
        let [command, form] = arguments;
        let ended = folder.run(&[command, "a.nds", "--seed", "1", form, "-"]);
        assert_eq!(ended.code, 2, "{command} {form}");
        ended.says("for standard output name /dev/stdout");
    }
    assert!(!folder.path("-").exists());
}

#[test]
fn a_trace_as_json_has_an_object_a_line() {
    let ended = script(LATIN).run(&["trace", "a.nds", "--seed", "1", "--json"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let events: Vec<serde_json::Value> = ended
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |kind: &str| {
        events
            .iter()
            .filter(|event| event["event"] == kind)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (of("choice").len(), of("take").len(), of("fail").len()),
        (2, 4, 2)
    );
    assert_eq!(of("choice")[0]["parent"], serde_json::Value::Null);
    assert_eq!(of("choice")[1]["parent"], of("choice")[0]["id"]);
    assert_eq!(of("choice")[1]["alternatives"], 3);
    assert_eq!(
        of("take")
            .iter()
            .map(|take| take["number"].as_u64().unwrap())
            .collect::<Vec<_>>(),
        [0, 0, 1, 2]
    );
    assert_eq!(
        (&of("fail")[0]["why"], &of("fail")[0]["line"]),
        (&"a is not wanted".into(), &9.into())
    );
    assert_eq!(of("print")[0]["text"], "c\n");
    let last = events.last().unwrap();
    assert_eq!(
        (&last["event"], &last["result"]),
        (&"end".into(), &"solution".into())
    );
    assert!(events.iter().all(|event| event["step"].is_u64()));
    assert!(
        events
            .windows(2)
            .all(|pair| pair[0]["step"].as_u64() <= pair[1]["step"].as_u64()),
        "steps go up"
    );
    let placed = |event: &&serde_json::Value| {
        event["event"] == "end" || event["event"] == "solution" || event["file"] == "a.nds"
    };
    assert!(
        events.iter().all(|event| placed(&event)),
        "all but the end say where"
    );
}

#[test]
fn a_trace_begins_and_ends_at_steps_and_says_how_the_run_ended() {
    let all = script(LATIN).run(&["trace", "a.nds", "--seed", "1", "--json"]);
    let step = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["step"]
            .as_u64()
            .unwrap()
    };
    let wanted: Vec<&str> = all
        .out
        .lines()
        .filter(|line| (120..=200).contains(&step(line)))
        .collect();
    let some = script(LATIN).run(&[
        "trace", "a.nds", "--seed", "1", "--json", "--from", "120", "--to", "200",
    ]);
    assert_eq!(some.out.lines().collect::<Vec<_>>(), wanted);
    let ends = |text: &str, options: &[&str]| {
        let ended = script(text).run(&[&["trace", "a.nds", "--only", "end"], options].concat());
        (ended.code, ended.out.trim().to_string())
    };
    let (code, end) = ends("require(choose(1, 2) == 3);", &[]);
    assert!(
        code == 1 && end.ends_with("end: no solution"),
        "{code} {end}"
    );
    let (code, end) = ends("let a = []; a[1];", &[]);
    assert!(
        code == 2 && end.contains("end: error: index 1 is out of range"),
        "{code} {end}"
    );
    let (code, end) = ends("while (true) {}", &["--max-steps", "1000"]);
    assert!(code == 3 && end.ends_with("end: limit"), "{code} {end}");
}

#[test]
fn a_tree_shows_what_was_tried() {
    let folder = script(LATIN);
    let ended = folder.run(&["tree", "a.nds", "--seed", "1"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("tree", ended.out) });
    let json = folder.run(&["tree", "a.nds", "--seed", "1", "--json"]);
    let tree: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let nodes = tree["nodes"].as_array().unwrap();
    let states: Vec<&str> = nodes
        .iter()
        .map(|node| node["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["inner", "inner", "failed", "failed", "solution"]);
    let parents: Vec<Option<u64>> = nodes.iter().map(|node| node["parent"].as_u64()).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(1)]);
    folder
        .run(&[
            "tree", "a.nds", "--seed", "1", "--html", "t.html", "--svg", "t.svg", "--dot", "t.dot",
        ])
        .expect(0, "");
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    let page = read("t.html");
    assert!(page.contains("a is not wanted") && page.trim_end().ends_with("</html>"));
    assert!(
        !page.contains("src=") && !page.contains("href="),
        "the page needs nothing else"
    );
    assert!(read("t.svg").starts_with("<svg") && read("t.svg").contains("failed: only c will do"));
    assert!(read("t.dot").starts_with("digraph") && read("t.dot").contains("-> n1"));
}

/// What only one of two runs has done, and where they part, in every form.
#[test]
fn a_comparison_says_where_two_runs_part() {
    let early = "let x; choose first { x = 1; } or { x = 2; }\nrequire(x == 2, \"too small\");\nlet y = choose(3, 3);";
    let late = "let x; choose first { x = 1; } or { x = 2; }\nlet y = choose(3, 3);\nrequire(x == 2, \"too small\");";
    let folder = script(early).with("late.nds", late);
    let compared = |options: &[&str]| {
        let ended = folder.run(
            &[
                &["tree", "a.nds", "--seed", "1", "--diff", "late.nds"],
                options,
            ]
            .concat(),
        );
        assert_eq!(ended.code, 0, "{}", ended.err);
        ended
    };
    let text = compared(&[]).out;
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("tree_diff", text) });
    let json: serde_json::Value = serde_json::from_str(&compared(&["--json"]).out).unwrap();
    let nodes = json["nodes"].as_array().unwrap();
    let runs: Vec<&str> = nodes
        .iter()
        .map(|node| node["run"].as_str().unwrap())
        .collect();
    assert_eq!(runs[..3], ["both", "both", "second"], "{runs:?}");
    assert_eq!(nodes[1]["parts"], true);
    assert_eq!(
        (&nodes[1]["first"]["state"], &nodes[1]["second"]["state"]),
        (&"failed".into(), &"inner".into())
    );
    compared(&["--html", "d.html", "--svg", "d.svg", "--dot", "d.dot"]);
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    assert!(read("d.dot").contains("here they part") && read("d.svg").contains("here they part"));
    assert!(read("d.html").contains("\"partings\":[1"));
    let same = folder.run(&["tree", "a.nds", "--seed", "1", "--diff", "1"]);
    assert!(
        same.out.contains("they never part") && !same.out.contains("< "),
        "{}",
        same.out
    );
    if let Some(page) = dumped(&folder.path("d.html"), 1) {
        let said = "first: failed: too small; second: goes on";
        assert!(
            page.contains(said)
                && page.contains("here they part")
                && page.contains("only in the first"),
            "{page}"
        );
    }
    let missing = folder.run(&["tree", "a.nds", "--seed", "1", "--diff", "none.nds"]);
    assert!(
        missing.code == 2 && missing.err.contains("none.nds"),
        "{}",
        missing.err
    );
}

/// What a browser makes of a page, where there is one.
fn dumped(path: &Path, node: usize) -> Option<String> {
    const BROWSER: &str = "/usr/bin/chromium";
    if !Path::new(BROWSER).exists() {
        eprintln!("there is no {BROWSER}: the page is not opened");
        return None;
    }
    let address = format!("file://{}#{node}", path.display());
    let profile = path.with_extension("profile");
    let ended = Command::new(BROWSER)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=5000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(address)
        .output()
        .unwrap();
    assert!(
        ended.status.success(),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    Some(String::from_utf8(ended.stdout).unwrap())
}

/// A page in a browser: the tree, and at a node its line, its text, its changes and its map.
#[test]
fn a_browser_shows_the_node_that_is_asked_for() {
    let folder = script(&LATIN.replace("printLine(word);", "printLine(word, \"</script>\");"));
    folder
        .run(&["tree", "a.nds", "--seed", "1", "--html", "t.html"])
        .expect(0, "");
    let path = folder.path("t.html");
    let Some(page) = dumped(&path, 1) else { return };
    for part in [
        "5 nodes, 2 failures, 1 solution",
        "1 of 2: g[0, 0]: 2",
        "aria-label=\"g, 2 by 2, 4 changes\"",
        "g[0, 0]: 1, 2 → 2",
        "the choice, line 6",
        "aria-selected=\"true\"",
    ] {
        assert!(page.contains(part), "{part} is missing in {page}");
    }
    let page = dumped(&path, 2).unwrap();
    assert!(
        page.contains("it failed in line 9: a is not wanted") && page.contains("g as it failed"),
        "{page}"
    );
    let page = dumped(&path, 4).unwrap();
    assert!(
        page.contains("what was printed") && page.contains("c&lt;/script&gt;"),
        "{page}"
    );
}

/// Chains of single alternatives are one row, until a node of one is asked for; what failed says where.
#[test]
fn a_browser_shows_chains_as_one_row() {
    let text = "let row = [];\nfor (let i = 0; i < 9; i++) push(row, chooseElement([1, 2]));\n\
                choose first { fail 'no'; } or { push(row, 0); }";
    let folder = script(text);
    folder
        .run(&[
            "tree",
            "a.nds",
            "--seed",
            "1",
            "--html",
            "t.html",
            "--svg",
            "t.svg",
            "--speedscope",
            "t.json",
        ])
        .expect(0, "");
    let path = folder.path("t.html");
    let Some(page) = dumped(&path, 0) else { return };
    let rows = |page: &str| page.matches("role=\"treeitem\"").count();
    assert_eq!(rows(&page), 5, "{page}");
    assert!(
        page.contains("... 8 choices, each of a single alternative tried"),
        "{page}"
    );
    assert!(
        page.contains("failed: no, line 3") && page.contains("— solution"),
        "{page}"
    );
    let page = dumped(&path, 5).unwrap();
    assert!(
        rows(&page) == 12 && !page.contains("... 8 choices"),
        "{page}"
    );
    let drawing = fs::read_to_string(folder.path("t.svg")).unwrap();
    assert!(
        drawing.contains(">line 3</text>") && drawing.contains("+7"),
        "{drawing}"
    );
}

/// Nothing on the way to where the search is can be folded: a search that only goes on makes more and more of it.
#[test]
fn a_tree_that_cannot_be_folded_ends_the_run() {
    let folder = Folder::new().with(
        "on.nds",
        "for (let i = 0;; i++) { choose first { fail \"no\"; } or {} }",
    );
    let ended = folder.run(&["tree", "on.nds", "--seed", "1", "--nodes", "100", "--json"]);
    assert_eq!(ended.code, 3, "{}", ended.err);
    let tree: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let nodes = tree["nodes"].as_array().unwrap().len();
    assert!((10_000..11_000).contains(&nodes), "{nodes} nodes");
    ended
        .says("stopped at step ")
        .says("the search goes on and on without coming back; --nodes keeps more");
}

/// Beyond so many nodes what has failed is folded, and nothing is lost of the count.
#[test]
fn a_large_tree_is_folded_while_it_is_made() {
    let text = "let d = map(range(4), i => chooseElement(range(10))); require(d[0] == 99);";
    let folder = script(text);
    let count = |options: &[&str]| {
        let ended = folder.run(&[&["tree", "a.nds", "--seed", "1", "--json"], options].concat());
        assert_eq!(ended.code, 1);
        let tree: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
        let nodes = tree["nodes"].as_array().unwrap().clone();
        let failed = nodes
            .iter()
            .filter(|node| node["state"] == "failed")
            .count() as u64;
        (
            nodes.len(),
            failed
                + nodes
                    .iter()
                    .filter_map(|node| node["failures"].as_u64())
                    .sum::<u64>(),
        )
    };
    assert_eq!(count(&[]), (11_111, 10_000));
    let (nodes, failures) = count(&["--nodes", "100"]);
    assert!(nodes < 200 && failures == 10_000, "{nodes} {failures}");
}

/// Text of a script does not end the page's own.
#[test]
fn a_page_shows_text_as_text() {
    let folder = script("let x = choose(\"</script><b>\", \"<!--\"); if (x != 1) fail \"<i>\";");
    folder
        .run(&[
            "tree", "a.nds", "--seed", "1", "--html", "t.html", "--svg", "t.svg",
        ])
        .expect_code(1);
    for name in ["t.html", "t.svg"] {
        let text = fs::read_to_string(folder.path(name)).unwrap();
        assert!(
            !text.contains("</script><b>") && !text.contains("<i>") && !text.contains("<!--"),
            "{name}"
        );
    }
}

#[test]
fn explain_says_what_failed_how_often() {
    let folder = script(
        "let seats = [];
for (let i = 0; i < 3; i++) {
    let knight = chooseElement([1, 2, 3]);
    require(!contains(knight, seats), \"nobody sits twice\");
    push(seats, knight);
}
require(seats[2] > 3, \"the last one is too small\");
",
    );
    let ended = folder.run(&["explain", "a.nds", "--seed", "1"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!("explain", ended.out) });
}

/// Very many open choices are counted; only the latest are kept.
#[test]
fn explain_counts_the_choices_before() {
    let text = "for (var i = 0; i < 70000; i++) { choose 1; or 2; }\nrequire(false, \"too late\");";
    let ended = script(text).run(&["explain", "a.nds", "--seed", "1", "--max-steps", "400000"]);
    assert!(
        ended.out.contains("70000 choices open at most\n"),
        "{}",
        ended.out
    );
    assert!(
        ended
            .out
            .contains("the deepest branch failed on line 2: too late\n  ... 69992 choices before\n  line 1: 1 of 2: "),
        "{}",
        ended.out
    );
}

/// The trap of choosing the next place is told.
#[test]
fn explain_groups_what_one_line_says() {
    let text = "let n = chooseElement(range(30));\nrequire(n > 40, `${n} is too small`);";
    let ended = script(text).run(&["explain", "a.nds", "--seed", "1"]);
    assert!(
        ended.out.contains("       30 times  line 2\n"),
        "{}",
        ended.out
    );
    assert!(
        ended.out.contains("and 27 times with other words\n"),
        "{}",
        ended.out
    );
    let text = "let n = chooseElement(range(30));\nrequire(n > 40, n % 2 == 0 ? 'even' : 'odd');";
    let few = script(text).run(&["explain", "a.nds", "--seed", "1"]);
    assert!(
        few.out.contains("15 times: even\n") && !few.out.contains("other words"),
        "{}",
        few.out
    );
    assert!(
        ended
            .out
            .starts_with("0 solutions: 30 failures, 1 choice point, 1 choice open at most\n"),
        "{}",
        ended.out
    );
    let ended =
        script("for (;;) {}").run(&["explain", "a.nds", "--seed", "1", "--max-steps", "1000"]);
    assert!(
        ended.out.contains("Nothing has failed") && ended.out.contains("`ndscript profile`"),
        "{}",
        ended.out
    );
}

/// Where a grid was when branches died is listed and drawn; what ended by an error did not take too long.
#[test]
fn explain_shows_the_cells_at_which_branches_died() {
    let text = "let g = makeGrid(2, 2, 0);\ng[0, 1] = 1;\ng[1, 0] = choose(1, 2, 3);\nrequire(g[1, 0] > 3);";
    let ended = script(text).run(&["explain", "a.nds", "--seed", "1"]);
    let told = "\nwhere in `g` branches died: g[1, 0] 3 times\n  . 9\n  . .\n";
    assert!(ended.out.ends_with(told), "{}", ended.out);
    // The cell that the failing line looks at, and not the one that was written last.
    let text = "let g = makeGrid(2, 2, 0);\ng[0, 1] = choose(1, 2, 3);\ng[1, 0] = 1;\nlet p = position(0, 1);\nrequire(g[p] > 3);";
    let ended = script(text).run(&["explain", "a.nds", "--seed", "1"]);
    assert!(
        ended
            .out
            .ends_with("\nwhere in `g` branches died: g[0, 1] 3 times\n  . .\n  9 .\n"),
        "{}",
        ended.out
    );
    let ended = script("missing;").run(&["explain", "a.nds", "--seed", "1"]);
    assert!(!ended.out.contains("Nothing has failed"), "{}", ended.out);
    let ended = script("let x = 1 / 0;").run(&["explain", "a.nds", "--seed", "1"]);
    assert!(
        ended.code == 2 && !ended.out.contains("Nothing has failed"),
        "{}",
        ended.out
    );
}

/// What the failing line looked at is told as it was in the branch that died, even where the failure leads far back.
#[test]
fn explain_tells_what_the_failing_line_saw() {
    let text = "let limit = 3;\nlet spot = position(1, 2);\nlet g = [choose(7, 7)];\nlet a = choose(1, 1);\nlet i = 0;\n\
                require(a + g[i] > limit + spot.x + 9 && g[0] != limit, \"no\");";
    let ended = script(text).run(&["explain", "a.nds", "--seed", "1"]);
    let told = "the last time with a = 1, g[i] = 7, i = 0, limit = 3, spot.x = 1, g[0] = 7\n";
    assert!(ended.out.contains(told), "{}", ended.out);
    // Behind very many failures it is an example.
    let text = "let a = 0;\nwhile (a < 12) { choose a++; or a++; }\nlet b = choose(1, 2);\nrequire(a + b < 0);";
    let ended = script(text).run(&["explain", "a.nds", "--seed", "1"]);
    assert!(ended.out.contains("8192 times  line 4"), "{}", ended.out);
    assert!(ended.out.contains(" with a = 12, b = "), "{}", ended.out);
}

/// A guess that is redone again and again without any effect on what fails is named, and nothing else is advised for it.
#[test]
fn explain_names_guesses_that_had_no_part() {
    let text = "let g = makeGrid(5, 5, 0);\nlet treasure = chooseElement(positionsOf(g));\nlet monster = chooseElement(positionsOf(g));\n\
                require(distance(position(0, 0), treasure) > 7);";
    let ended = script(text).run(&["explain", "a.nds", "--seed", "2"]);
    assert!(
        ended
            .out
            .contains("what was guessed in between, on line 3, has no part in it"),
        "{}",
        ended.out
    );
    assert!(!ended.out.contains("randomElement"), "{}", ended.out);
    // What the line does look at is no such guess, also by way of what was made of it, nor is one whose line calls a function
    // that may look at anything.
    for last in [
        "require(distance(treasure, monster) > 9);",
        "let near = distance(treasure, monster) < 9; require(!near);",
        "let far = distance(treasure, monster) > 9;\nrequire(far);",
        "g[0, 0] = monster.x < 9 ? 1 : 2;\nrequire(g[0, 0] > 1);",
        "function far() { return distance(treasure, monster) > 9; } require(far());",
    ] {
        let text = text.replace("require(distance(position(0, 0), treasure) > 7);", last);
        let ended = script(&text).run(&["explain", "a.nds", "--seed", "2"]);
        assert!(!ended.out.contains("has no part in it"), "{}", ended.out);
    }
}

/// A run that comes to nothing says by itself which lines failed most, unless there is little to count and the program has said why.
#[test]
fn a_run_that_comes_to_nothing_says_where_it_failed() {
    let folder = script("debug('looked at');\nlet n = chooseElement(range(30));\nrequire(n > 40);")
        .with(
            "few.nds",
            "let n = chooseElement(range(3)); require(n > 40, 'small');",
        )
        .with(
            "some.nds",
            "let n = chooseElement(range(30)); require(n > 20);",
        )
        .with(
            "asks.nds",
            "let a = ask('a', ['x', 'y']); let n = chooseElement(range(30)); require(n > 40);",
        );
    let most = "most often here; `ndscript explain` tells more:\n       30 times  line 3: require(n > 40);\n";
    let ended = folder.run(&["a.nds", "--seed", "1"]);
    assert!(ended.code == 1 && ended.err.contains(most), "{}", ended.err);
    assert_eq!(ended.err.matches("looked at").count(), 1, "{}", ended.err);
    let ended = folder.run(&["a.nds", "--seed", "1", "--max-steps", "160"]);
    assert!(
        ended.code == 3 && ended.err.contains("most often here; `ndscript explain`"),
        "{}",
        ended.err
    );
    for file in ["few.nds", "some.nds"] {
        let ended = folder.run(&[file, "--seed", "1"]);
        assert!(!ended.err.contains("most often"), "{}", ended.err);
    }
    let silent =
        script("let n = chooseElement(range(3));\nrequire(n > 40);").run(&["a.nds", "--seed", "1"]);
    assert!(
        silent.err.contains("3 times  line 2: require(n > 40);"),
        "{}",
        silent.err
    );
    let ended = folder.run_with_input(&["asks.nds", "--seed", "1"], "1\n");
    assert!(
        ended.err.contains("30 times  line 1: let a = ask"),
        "{}",
        ended.err
    );
    // What is saved is without the counts.
    let stopped = folder.run(&[
        "a.nds",
        "--seed",
        "1",
        "--max-steps",
        "160",
        "--save",
        "a.state",
    ]);
    assert!(
        stopped.code == 3 && !stopped.err.contains("it failed"),
        "{}",
        stopped.err
    );
    let ended = folder.run(&["resume", "a.state"]);
    let told = ended.err.split_once("it failed ").unwrap().1;
    assert!(
        told.contains("times since it was taken up again, most often here"),
        "{told}"
    );
    let count: u64 = told.split_once(' ').unwrap().0.parse().unwrap();
    assert!(
        0 < count && count < 30 && told.contains(&format!("{count} times  line 3")),
        "{told}"
    );
}

#[test]
fn what_built_ins_go_back_for_is_told() {
    let text = "let all = solutions(() => choose(1, 2));\nlet n = countSolutions(() => choose(1, 2));\n\
                let low = minimize(() => { let c = choose(2, 1); cost(c); return c; });\nnot(() => choose(1, 2) < 5);";
    let out = script(text)
        .run(&["trace", "a.nds", "--seed", "1", "--only", "fail"])
        .out;
    for (words, times) in [
        ("fail: `solutions` keeps a result and looks for more", 2),
        (
            "fail: `countSolutions` counts a result and looks for more",
            2,
        ),
        ("fail: `not` has found a solution", 1),
        (
            "fail: `minimize` keeps a result and looks for a better one",
            1,
        ),
    ] {
        assert!(out.matches(words).count() >= times, "{words}: {out}");
    }
    assert!(!out.contains("fail: fail"), "{out}");
}

#[test]
fn explain_knows_a_place_that_need_not_be_chosen() {
    let text = "let g = makeGrid(5, 1, setOf(1, 2));
while (!isEmpty(undecided(g))) {
    let p = chooseElement(undecided(g));
    g[p] = setOf(chooseElement(g[p]));
}
require(g[0, 0] == setOf(3));
";
    let ended = script(text).run(&["explain", "a.nds", "--seed", "1"]);
    assert!(
        ended.code == 1
            && ended.out.contains("line 3 chooses a place")
            && ended.out.contains("randomElement"),
        "{}",
        ended.out
    );
    let drawn = script(&text.replace("let p = chooseElement", "let p = randomElement"));
    let ended = drawn.run(&["explain", "a.nds", "--seed", "1"]);
    assert!(
        ended.code == 1 && !ended.out.contains("chooses a place"),
        "{}",
        ended.out
    );
}

/// A built-in that searches chooses in the prelude, whose text is not the program's.
#[test]
fn choices_of_built_ins_have_no_text_of_the_program() {
    let folder = script("print(countSolutions(() => choose(1, 2))); // some text of the program\n");
    let ended = folder.run(&["tree", "a.nds", "--seed", "1"]);
    assert!(
        ended.code == 0 && !ended.out.contains("program"),
        "{}",
        ended.out
    );
    assert!(
        ended.out.lines().any(
            |line| line.trim_start() == "line 1: 2 of 2: `countSolutions` has all  -- solution"
        ),
        "{}",
        ended.out
    );
}

/// A recursion, function values, a built-in that calls back, choices in a function, and a barrier.
const COSTLY: &str = "\
let g = makeGrid(4, 4, setOf(1, 2, 3));
deterministic function rule(p, allowed) {
    let left = intersection(g[p], allowed);
    if (left == g[p]) return;
    require(!isEmpty(left), \"nothing is left\");
    g[p] = left;
    if (isSingleton(left)) foreach (n in neighborsOf(p, g)) rule(n, except(g[n], left));
}
function guess(p) {
    return chooseElement(g[p]);
}
foreach (p in positionsOf(g)) rule(p, setOf(guess(p)));
let sum = reduce(map(positionsOf(g), p => singletonValue(g[p])), (a, b) => a + b, 0);
let few = once(() => chooseElement(filter(range(50), n => n > 40)));
require(sum > 30 && few > 0, \"too small\");
printLine(sum);
";

#[test]
fn a_profile_has_every_step() {
    let folder = script(COSTLY);
    for seed in ["1", "2", "3"] {
        let told = folder
            .run(&["run", "a.nds", "--seed", seed, "--stats=json"])
            .err;
        let stats: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
        let files = ["--svg", "f.svg", "--speedscope", "f.json", "--source"];
        let ended = folder.run(&[&["profile", "a.nds", "--seed", seed], &files[..]].concat());
        assert_eq!(ended.code, 0, "{}", ended.err);
        let sum = |column: usize| -> u64 {
            // A run that is soon over has no times.
            let column = column
                - usize::from(column > 1 && !ended.out.lines().next().unwrap().contains("time"));
            let lines = ended
                .out
                .lines()
                .skip(1)
                .filter(|line| !line.starts_with("           "));
            lines
                .map(|line| {
                    line.split_whitespace()
                        .nth(column)
                        .unwrap()
                        .parse::<u64>()
                        .unwrap()
                })
                .sum()
        };
        assert_eq!(Some(sum(0)), stats["steps"].as_u64(), "{}", ended.out);
        assert_eq!(
            Some(sum(3)),
            stats["choice_points"].as_u64(),
            "{}",
            ended.out
        );
        assert!(Some(sum(4)) >= stats["failures"].as_u64(), "{}", ended.out);
        let flames = fs::read_to_string(folder.path("f.json")).unwrap();
        let flames: serde_json::Value = serde_json::from_str(&flames).unwrap();
        let profile = &flames["profiles"][0];
        let weights: u64 = profile["weights"]
            .as_array()
            .unwrap()
            .iter()
            .map(|weight| weight.as_u64().unwrap())
            .sum();
        assert_eq!(
            (Some(weights), profile["endValue"].as_u64()),
            (stats["steps"].as_u64(), stats["steps"].as_u64())
        );
        let frames = flames["shared"]["frames"].as_array().unwrap();
        let names: Vec<&str> = frames
            .iter()
            .map(|frame| frame["name"].as_str().unwrap())
            .collect();
        assert!(
            ["the program itself", "rule", "guess", "map"]
                .iter()
                .all(|name| names.contains(name)),
            "{names:?}"
        );
        assert!(
            fs::read_to_string(folder.path("f.svg"))
                .unwrap()
                .contains("rule, line 2: ")
        );
    }
}

#[test]
fn a_profile_says_what_was_called_how_often() {
    let text = "function f(n) { return n < 1 ? 0 : f(n - 1); }\nfunction g() { return f(3); }\nlet a = g() + g() + f(0);\n";
    let ended = script(text).run(&["profile", "a.nds", "--seed", "1"]);
    let calls = |name: &str| {
        let line = ended
            .out
            .lines()
            .find(|line| line.ends_with(name))
            .expect(&ended.out);
        line.split_whitespace()
            .nth(2)
            .unwrap()
            .parse::<u64>()
            .unwrap()
    };
    assert_eq!((calls("  f, line 1"), calls("  g, line 2")), (9, 2));
}

#[test]
fn statistics_have_the_lines_that_failed_most() {
    let text =
        "let x = choose(1, 2, 3, 4);\nif (x < 3) fail;\nrequire(x > 3, \"three\");\nprintLine(x);";
    for seed in ["1", "2", "3"] {
        let told = script(text)
            .run(&[
                "run",
                "a.nds",
                "--seed",
                seed,
                "--solutions",
                "all",
                "--stats",
            ])
            .err;
        let lines: Vec<&str> = told
            .lines()
            .skip_while(|line| !line.starts_with("failing lines"))
            .collect();
        assert_eq!(
            lines,
            [
                "failing lines  2 times line 2: if (x < 3) fail;",
                "               1 time line 3: require(x > 3, \"three\");"
            ]
        );
    }
    let told = script(text)
        .run(&["run", "a.nds", "--solutions", "all", "--stats=json"])
        .err;
    let stats: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!(
        stats["failing"][0],
        serde_json::json!({"file": "a.nds", "line": 2, "failures": 2})
    );
}

/// Who fails behind a `decide` goes back into it: its choices are made where it is called.
#[test]
fn choices_of_a_built_in_stay_at_its_line() {
    let text = "let g = makeGrid(2, 2, setOf(1, 2));\ndecide(g);\nrequire(g[0, 0] == setOf(3));\n";
    let ended = script(text).run(&["tree", "a.nds", "--seed", "1", "--json"]);
    let tree: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let lines: Vec<_> = tree["nodes"].as_array().unwrap()[1..]
        .iter()
        .map(|node| node["line"].as_u64())
        .collect();
    assert!(
        lines.len() == 30 && lines.iter().all(|line| *line == Some(2)),
        "{lines:?}"
    );
}

/// A line of an imported file is told with its file.
#[test]
fn lines_of_imports_are_told_with_their_file() {
    let program = "import \"parts/walls.nds\";\nlet own = 7;\npick();\n";
    let walls = "let all = [setOf(1, 2)];\n\nfunction pick() {\n    all[0] = setOf(choose(1, 2));\n    require(all[0] == setOf(3), \"three\");\n}\n";
    let folder = script(program).with("parts/walls.nds", walls);
    for (arguments, told) in [
        (&["trace"][..], "walls.nds, line 5  "),
        (&["trace"], "  line 2      own = 7"),
        (
            &["tree"],
            "walls.nds, line 4: 1 of 2: all[0] = {1}  -- failed: three, walls.nds, line 5",
        ),
        (&["explain"], "walls.nds, line 5: three"),
        (
            &["explain"],
            "  walls.nds, line 4: 1 choice, 2 alternatives tried",
        ),
        (
            &["explain"],
            "the deepest branch failed on walls.nds, line 5: three",
        ),
    ] {
        let out = folder
            .run(&[arguments, &["a.nds", "--seed", "1"]].concat())
            .out;
        assert!(out.contains(told), "{told}\n{out}");
    }
    let out = folder.run(&["why", "a.nds", "all[0]", "--seed", "1"]).out;
    assert!(out.contains("walls.nds, line 4: all[0] = "), "{out}");
}

/// So do those that it makes once a function of the program has returned to it.
#[test]
fn choices_of_a_built_in_stay_at_its_line_behind_functions() {
    let functions = "let g = makeGrid(2, 2, setOf(1, 2));\nlet p = position(0, 0);\nconstrain(g, [p], () => {\n    narrow(g, p, g[p]);\n});\n";
    let ended = script(&format!("{functions}decide(g);\n"))
        .run(&["tree", "a.nds", "--seed", "1", "--json"]);
    let tree: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let lines: Vec<_> = tree["nodes"].as_array().unwrap()[1..]
        .iter()
        .map(|node| node["line"].as_u64())
        .collect();
    assert!(
        lines.len() == 4 && lines.iter().all(|line| *line == Some(6)),
        "{lines:?}"
    );
}

/// Pictures that `snapshot` has recorded are shown in order, those of dead ends marked.
#[test]
fn recorded_pictures_are_shown_with_their_captions() {
    let text = "let g = makeGrid(2, 1, setOf(\"red\", \"blue\"));
snapshot(g, \"the beginning\");
let x = choose(1, 2, 3);
g[0, 0] = setOf(\"red\");
snapshot(g, `try ${x}`);
require(once(() => { let y = choose(1, 2); snapshot(g); require(y == 2); return true; }));
require(x == 3);
snapshot(g, \"done\");
";
    let folder = script(text);
    for seed in ["1", "2", "3"] {
        let ended = folder.run(&[
            "run", "a.nds", "--seed", seed, "--frames", "steps", "--html", "a.html",
        ]);
        assert!(
            ended.code == 0 && ended.err.contains("to steps"),
            "{}",
            ended.err
        );
        let captions = fs::read_to_string(folder.path("steps/captions.txt")).unwrap();
        let lines: Vec<&str> = captions.lines().collect();
        assert!(
            lines[0] == "001.png  1: the beginning" && lines.last().unwrap().ends_with(": done"),
            "{captions}"
        );
        let tries: Vec<&&str> = lines.iter().filter(|line| line.contains(": try")).collect();
        let (last, wrong) = tries.split_last().unwrap();
        assert!(
            last.ends_with(": try 3") && wrong.iter().all(|line| line.ends_with(" (a dead end)")),
            "{captions}"
        );
        let pictures = folder
            .files()
            .iter()
            .filter(|name| name.starts_with("steps/") && name.ends_with(".png"))
            .count();
        let page = fs::read_to_string(folder.path("a.html")).unwrap();
        assert!(page.contains("Recorded on the way") && page.contains("the beginning"));
        assert!(page.matches("<img").count() == lines.len() && pictures >= lines.len());
        fs::remove_dir_all(folder.path("steps")).unwrap();
    }
    let none = script(
        "let g = makeGrid(1, 1, \"red\"); snapshot(g); choose(1, 2); snapshot(g, \"there\"); fail;",
    );
    none.run(&["run", "a.nds", "--frames", "steps"])
        .expect_code(1);
    let captions = fs::read_to_string(none.path("steps/captions.txt")).unwrap();
    assert!(
        captions.lines().all(|line| line.ends_with(" (a dead end)")),
        "{captions}"
    );
}

#[test]
fn a_tree_for_speedscope_opens_and_closes() {
    let folder = script(LATIN);
    folder
        .run(&["tree", "a.nds", "--seed", "1", "--speedscope", "t.json"])
        .expect(0, "");
    let tree: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path("t.json")).unwrap()).unwrap();
    let mut open = Vec::new();
    let mut at = 0;
    let events = tree["profiles"][0]["events"].as_array().unwrap();
    for event in events {
        assert!(event["at"].as_u64().unwrap() >= at);
        at = event["at"].as_u64().unwrap();
        match event["type"].as_str() {
            Some("O") => open.push(event["frame"].clone()),
            _ => assert_eq!(open.pop(), Some(event["frame"].clone())),
        }
    }
    assert!(
        open.is_empty()
            && events.len() == 10
            && tree["profiles"][0]["endValue"].as_u64() == Some(at)
    );
}

#[test]
fn a_trace_that_goes_back_into_an_earlier_input_names_no_wrong_line() {
    let session = "let g = [setOf(1, 2), setOf(1, 2, 3)]; decide(g);\nlet t = 6;\nfail;\n:trace\n";
    let told = Folder::new()
        .run_with_input(&["repl", "--seed", "5"], session)
        .out;
    assert!(
        told.contains("alternative 2 for g[1]") && told.contains("input 2:1      t = 6"),
        "{told}"
    );
    assert!(!told.contains("input 2:2"), "{told}");
}

#[test]
fn a_place_that_nothing_is_written_to_is_told() {
    let folder = script("let cast = {A: 1}; cast.A = choose(1, 2); require(cast.A == 2);");
    folder
        .run(&["trace", "a.nds", "--seed", "1", "--watch", "cast.Bx"])
        .says("nothing was written to `cast.Bx`");
    let ended = folder.run(&["trace", "a.nds", "--seed", "1", "--watch", "cast.A"]);
    assert!(
        ended.code == 0 && !ended.err.contains("nothing was written"),
        "{}",
        ended.err
    );
    let ended = folder.run(&["trace", "a.nds", "--seed", "1", "--watch", "nope"]);
    assert_eq!(ended.code, 2);
    ended.says("the program has no variable `nope`");
}

#[test]
fn choices_of_built_ins_are_named_in_trees() {
    let told = |text: &str| script(text).run(&["tree", "a.nds", "--seed", "1"]).out;
    let tree = told("let best = minimize(() => { let a = choose(3, 1, 2); cost(a); return a; });");
    for part in [
        "`minimize` searches up to a price",
        "`minimize` has searched up to that price",
    ] {
        assert!(tree.contains(part), "{tree}");
    }
    let tree = told("let none = not(() => { let a = choose(1, 2); require(a > 2); });");
    assert!(
        tree.contains("`not` looks for a solution") && tree.contains("`not` finds none"),
        "{tree}"
    );
    // What `decide` has chosen has its place, in the deepest branch as well.
    let board = "let b = [setOf(1, 2), setOf(1, 2)]; decide(b); require(singletonValue(b[0]) > 2);";
    let told = script(board).run(&["explain", "a.nds", "--seed", "1"]);
    assert!(
        told.out.contains("b[0]: ") || told.out.contains("b[1]: "),
        "{}",
        told.out
    );
}

/// Where constraints fail over and over behind early guesses, `explain` knows what to try.
#[test]
fn explain_tells_of_restarts() {
    // What a way needs is not set against sums.
    let text = "let g = makeGrid(14, 14, setOf(0, 1));\nreachable(g, 1, position(0, 0), position(13, 13));\n\
                sumOf(g, 0, 65);\n";
    let folder = script(&format!(
        "{text}// Not withRestarts.\ndecide(g, {{backjump: false}});"
    ))
    .with(
        "again.nds",
        format!("{text}withRestarts(() => decide(g), 5000);"),
    );
    let stopped = |file| {
        folder
            .run(&["explain", file, "--seed", "1", "--max-steps", "2000000"])
            .out
    };
    assert!(
        stopped("a.nds").contains("`withRestarts(() => decide(g))` begins again"),
        "{}",
        stopped("a.nds")
    );
    assert!(
        !stopped("again.nds").contains("begins again"),
        "{}",
        stopped("again.nds")
    );
    let few = folder
        .run(&["explain", "a.nds", "--seed", "1", "--max-steps", "100000"])
        .out;
    assert!(!few.contains("begins again"), "{few}");
    // What the program says itself is no constraint.
    let said = "let b = [setOf(1, 2)]; decide(b); while (true) { let x = choose(1, 2); require(x == 2, '`it` leaves nothing'); }";
    let told = script(said)
        .run(&["explain", "a.nds", "--seed", "1", "--max-steps", "100000"])
        .out;
    assert!(
        told.contains("leaves nothing") && !told.contains("begins again"),
        "{told}"
    );
}

/// The numbers of a run are the same wherever they are told.
#[test]
fn a_stopped_run_has_one_count_of_steps_and_of_failures() {
    let folder =
        script("let i = 0;\nwhile (true) { i = i + 1; let q = choose(1, 2); require(q == 2); }");
    for most in [500, 700, 800, 1100, 1101, 1102, 1103, 1104, 1105, 1106] {
        let (most, number) = (most.to_string(), |text: &str| {
            text.split(' ').next().unwrap().to_string()
        });
        let limit = ["--seed", "1", "--max-steps", &most];
        let run = folder.run(&[&["a.nds", "--stats"], &limit[..]].concat());
        let row = |name: &str| {
            run.err
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap()
                .trim()
                .to_string()
        };
        let told = |before: &str| number(run.err.split_once(before).unwrap().1);
        assert_eq!(told("it failed "), row("failures"), "{}", run.err);
        assert_eq!(
            told("most often here; `ndscript explain` tells more:\n").trim(),
            "",
            "{}",
            run.err
        );
        assert_eq!(told("stopped after "), row("steps"), "{}", run.err);
        // A run that is watched may be stopped an instruction earlier. What it tells is the same in all commands.
        let explained = folder.run(&[&["explain", "a.nds"], &limit[..]].concat());
        let trace = folder.run(&[&["trace", "a.nds", "--only", "fail,end"], &limit[..]].concat());
        let failures = trace.out.lines().count() - 1;
        assert!(
            explained
                .out
                .starts_with(&format!("0 solutions: {failures} failures")),
            "{}",
            explained.out
        );
        let end = trace
            .out
            .lines()
            .last()
            .unwrap()
            .split([' ', '.'])
            .find(|word| !word.is_empty())
            .unwrap();
        for ended in [&explained, &trace] {
            assert!(
                ended.err.contains(&format!("stopped after {end} steps")),
                "{}",
                ended.err
            );
        }
    }
}

/// Whatever ends a run, the events of its trace end with the one that says so.
#[test]
fn a_trace_has_one_end() {
    for (text, options, code, result) in [
        ("print(1);", &[][..], 0, "solution"),
        ("choose(1, 2);", &["--solutions", "all"], 0, "solution"),
        ("fail;", &[], 1, "no solution"),
        ("let a = choose(1, 2); input('who?');", &[], 2, "error"),
        ("let a = 1; a[0] = 1;", &[], 2, "error"),
        ("for (;;) {}", &["--max-steps", "100"], 3, "limit"),
        ("for (;;) {}", &["--timeout", "0.2"], 3, "limit"),
        (
            "let a = []; for (;;) push(a, repeat('ab', 1000));",
            &["--max-memory", "1M"],
            3,
            "limit",
        ),
        ("function f() { return f() + 1; } f();", &[], 3, "limit"),
    ] {
        let folder = script(text);
        for form in [&["--json"][..], &[]] {
            let ended = folder.run(
                &[
                    &["trace", "a.nds", "--seed", "1", "--only", "end"],
                    form,
                    options,
                ]
                .concat(),
            );
            assert_eq!(ended.code, code, "{text}: {}", ended.err);
            let lines: Vec<&str> = ended.out.lines().collect();
            assert_eq!(lines.len(), 1, "{text}: {}", ended.out);
            if form.is_empty() {
                assert!(
                    lines[0].contains(&format!("end: {result}")),
                    "{text}: {}",
                    ended.out
                );
            } else {
                let end: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
                assert_eq!(
                    (&end["event"], &end["result"]),
                    (&"end".into(), &result.into()),
                    "{text}"
                );
                assert!(end.get("line").is_none(), "{end}");
            }
            assert!(!ended.err.contains("Limits::"), "{}", ended.err);
        }
    }
}

/// What one command shows of a moment, the others take.
#[test]
fn moments_are_written_in_one_way() {
    let folder = script(
        "let x = choose(1, 2);\nlet y = x + 1;\nlet z = [y, y * 2];\nz[1] = 7;\nrequire(x == 2);\n",
    );
    let all = folder.run(&["trace", "a.nds", "--seed", "1"]).out;
    let moments: Vec<&str> = all
        .lines()
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert!(moments.iter().any(|moment| moment.contains('.')), "{all}");
    let json = folder.run(&[
        "trace",
        "a.nds",
        "--seed",
        "1",
        "--json",
        "--only",
        "choice,take,write,fail,solution,end",
    ]);
    for (line, moment) in json.out.lines().zip(&moments) {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        let inside = event
            .get("inside")
            .map_or(String::new(), |inside| format!(".{inside}"));
        assert_eq!(format!("{}{inside}", event["step"]), **moment, "{line}");
    }
    for moment in &moments {
        let one = folder.run(&[
            "trace", "a.nds", "--seed", "1", "--from", moment, "--to", moment,
        ]);
        let here = one
            .out
            .lines()
            .filter(|line| line.split_whitespace().next() == Some(moment))
            .count();
        assert!(here > 0, "{moment}: {}{}", one.out, one.err);
        let gone = folder.run_with_input(
            &["debug", "a.nds", "--seed", "1"],
            &format!("go {moment}\n"),
        );
        assert!(
            gone.out.contains(&format!("\nstep {moment}  ")),
            "{moment}: {}",
            gone.out
        );
    }
    let written = all.lines().find(|line| line.contains("z[1] = 7")).unwrap();
    let why = folder.run(&[
        "why",
        "a.nds",
        "z[1]",
        "--seed",
        "1",
        "--at",
        written.split_whitespace().next().unwrap(),
    ]);
    assert!(why.out.starts_with("z[1] = 7\n"), "{}{}", why.out, why.err);
}

/// A branch that ended with an error says so, and which and where.
#[test]
fn a_tree_says_where_the_run_was_stopped() {
    let text = "let x;\nchoose first { x = 1; fail; } or { x = 0; }\nlet y = choose(0, 2);\nrequire(y == 2);\n1 / x;";
    let folder = script(text);
    let tree = |form: &[&str]| {
        folder
            .run(&[&["tree", "a.nds", "--seed", "1"], form].concat())
            .out
    };
    let out = tree(&[]);
    assert!(
        out.ends_with("line 3: 2 of 2: 2  -- ended by an error: division by zero, line 5\n"),
        "{out}"
    );
    let told: serde_json::Value = serde_json::from_str(&tree(&["--json"])).unwrap();
    let nodes = told["nodes"].as_array().unwrap();
    let error = nodes.last().unwrap();
    assert_eq!(
        (&error["state"], &error["stopped"]),
        (&"open".into(), &"error".into()),
        "{error}"
    );
    assert_eq!(
        (&error["error"], &error["error_line"]),
        (&"division by zero".into(), &5.into()),
        "{error}"
    );
    let failed = nodes
        .iter()
        .find(|node| node["state"] == "failed" && node["line"] == 3)
        .unwrap();
    assert_eq!(
        (&failed["failed_line"], &failed["failed_file"]),
        (&4.into(), &"a.nds".into()),
        "{failed}"
    );
    let steps: Vec<u64> = nodes
        .iter()
        .map(|node| node["step"].as_u64().unwrap())
        .collect();
    assert!(steps.is_sorted() && steps[1] < steps[2], "{steps:?}");
    assert!(
        tree(&["--dot", "/dev/stdout"]).contains("ended by an error: division by zero, line 5")
    );
    assert!(
        tree(&["--svg", "/dev/stdout"]).contains("ended by an error: division by zero, line 5")
    );
    // Before any choice, and where a limit has stopped it.
    let ended = |text: &str, options: &[&str]| {
        script(text)
            .run(&[&["tree", "a.nds"], options].concat())
            .out
    };
    assert_eq!(
        ended("1 / 0;", &[]),
        "start  -- ended by an error: division by zero, line 1\n"
    );
    let endless = ended(
        "for (;;) choose(1, 2);",
        &["--max-steps", "5", "--solutions", "all"],
    );
    assert!(
        endless.ends_with("-- open: here a limit has stopped the run\n"),
        "{endless}"
    );
}

/// Of many maps it is told what each has counted, as what a run has counted is.
#[test]
fn tallies_of_many_maps_are_told() {
    let folder =
        script("let x = randomInt(1, 3); tally('tried', x); if (x == 2) tally('two'); print(x);");
    let args = ["run", "a.nds", "--seed", "1", "--count", "20"];
    let json = folder.run(&[&args[..], &["--stats", "json"]].concat());
    let stats: serde_json::Value = serde_json::from_str(json.err.lines().last().unwrap()).unwrap();
    let numbers: Vec<f64> = json
        .out
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    assert_eq!(numbers.len(), 20, "{}", json.out);
    let mean = numbers.iter().sum::<f64>() / 20.0;
    assert_eq!(
        stats["tallies"]["tried"]["mean"].as_f64(),
        Some(mean),
        "{stats}"
    );
    // A map that has counted nothing has counted 0.
    let twos = numbers.iter().filter(|number| **number == 2.0).count() as f64;
    assert_eq!(
        stats["tallies"]["two"]["mean"].as_f64(),
        Some(twos / 20.0),
        "{stats}"
    );
    for jobs in ["1", "3"] {
        let text = folder.run(&[&args[..], &["--stats", "--jobs", jobs]].concat());
        let row = text
            .err
            .lines()
            .find(|line| line.starts_with("tally \"tried\""))
            .unwrap();
        let shown: f64 = row.split_whitespace().nth(2).unwrap().parse().unwrap();
        assert!((shown - mean).abs() < 0.006, "{row}");
    }
    let lines = folder.run(&[&args[..], &["--stats", "--jsonl", "-"]].concat());
    for line in lines.out.lines() {
        let map: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            map["tallies"]["tried"].as_f64(),
            map["value"]
                .as_f64()
                .or(map["text"].as_str().unwrap().parse().ok())
        );
    }
    let solutions = script("let x = choose(1, 2, 3); tally('tried'); print(x);");
    solutions
        .run(&["a.nds", "--seed", "1", "--solutions", "all", "--stats"])
        .says("tally \"tried\"  3");
    solutions
        .run(&["a.nds", "--seed", "1", "--race", "2", "--stats"])
        .says("tally \"tried\"  1");
}

/// Where the answers run out, what the search came to until then is shown.
#[test]
fn a_search_that_waits_for_an_answer_is_shown() {
    let folder = script("let x = choose(1, 2);\nrequire(x == 2);\nlet a = input('who?');");
    let shown = |command: &str| folder.run_with_input(&[command, "a.nds", "--seed", "1"], "");
    for (command, part) in [
        ("tree", "2 of 2: 2  -- ended by an error"),
        ("explain", "0 solutions: 1 failure, 1 choice point"),
        ("profile", "2: require(x == 2);"),
        ("trace", "end: error"),
    ] {
        let ended = shown(command);
        assert!(
            ended.code == 2 && ended.out.contains(part),
            "{command}: {} {}",
            ended.out,
            ended.err
        );
        ended.says("error: the input ended before \"who?\" was answered");
    }
}

/// The limits of a run without an option are told with what may be wrong, in every command.
#[test]
fn limits_are_told_in_one_way() {
    let folder = script("let x = 1;\nfunction f() { x = 2; return f() + 1; }\nf();");
    for arguments in [
        &["tree"][..],
        &["explain"],
        &["profile"],
        &["trace", "--only", "end"],
        &["why", "x"],
        &["hint"],
    ] {
        let (command, rest) = arguments.split_first().unwrap();
        let ended = folder.run(
            &[
                &[*command, "a.nds"],
                rest,
                &["--seed", "1", "--max-memory", "100M"],
            ]
            .concat(),
        );
        assert_eq!(ended.code, 3, "{command}: {}", ended.err);
        assert!(
            ended.err.contains("of memory") && !ended.err.contains("Limits::"),
            "{command}: {}",
            ended.err
        );
    }
    let debugged = folder.run_with_input(
        &["debug", "a.nds", "--seed", "1", "--max-memory", "100M"],
        "end\n",
    );
    assert!(
        debugged
            .out
            .contains("of memory\n  hint: `--max-memory SIZE` allows more"),
        "{}",
        debugged.out
    );
}

/// Several variables may hold one collection: outside of functions, a write is told to what the statement names. And the last
/// instruction of a block writes to variables of the block.
#[test]
fn a_write_is_told_to_the_place_that_the_statement_names() {
    let program = "let a = [1, [2]];\nlet b = a;\nb[0] = 5;\nlet o = {b: a, g: 1};\no.b[0] = 6;\no.g = 2;\na[1][0] = 3;\n\
                   foreach (let r in [a]) { r[0] = 7; }\n{ let c = 1; c = 2; }\n{ let e = [1]; e[0] = 3; }\nlet q = queue();\n\
                   let z = q;\nenqueue(1, z);\nfunction f(list) { { let k = 1; list[0] = k; k = 4; } }\nf(b);\n";
    let told = script(program)
        .run(&["trace", "a.nds", "--seed", "1", "--json", "--only", "write"])
        .out;
    let told: Vec<String> = told
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|event| event["event"] == "write")
        .map(|event| {
            format!(
                "{} {}={}",
                event["line"],
                event["place"].as_str().unwrap(),
                event["value"].as_str().unwrap()
            )
        })
        .collect();
    let expected = [
        "1 a=[1, [2]]",
        "2 b=[1, [2]]",
        "3 b[0]=5",
        "4 o={b: [5, [2]], g: 1}",
        "5 o.b[0]=6",
        "6 o.g=2",
        "7 a[1][0]=3",
        "8 r=[6, [3]]",
        "8 r[0]=7",
        "9 c=1",
        "9 c=2",
        "10 e=[1]",
        "10 e[0]=3",
        "11 q=queue []",
        "12 z=queue []",
        "13 z=queue [1]",
        "14 k=1",
        "14 a[0]=1",
        "14 k=4",
    ];
    assert_eq!(told, expected);
}

/// Whoever asks about a function learns what can be asked about.
#[test]
fn functions_are_no_places() {
    let folder = script("let x = 1;\nfunction f() { return x; }\nx = f();\n");
    for name in ["f", "map"] {
        folder
            .run(&["why", "a.nds", name])
            .says("is a function: nothing writes to it")
            .says("of what they hold: x");
    }
    folder
        .run(&["trace", "a.nds", "--watch", "f"])
        .says("is a function")
        .expect_code(2);
    folder
        .run_with_input(&["debug", "a.nds", "--seed", "1"], "why f\n")
        .expect_code(0);
}

/// Where nothing can be filmed, how the run has ended is told as of other commands.
#[test]
fn a_film_without_frames_ends_as_its_run_does() {
    for (program, code) in [
        ("while (true) { }", 3),
        ("fail;", 1),
        ("let x = 1;", 2),
        ("let x = [1][2];", 2),
    ] {
        let ended = script(program).run(&[
            "animate",
            "a.nds",
            "--gif",
            "a.gif",
            "--seed",
            "1",
            "--max-steps",
            "1000",
        ]);
        assert_eq!(ended.code, code, "{program}: {}", ended.err);
    }
}

/// A question that nobody answers ends a branch, which says so.
#[test]
fn a_tree_names_the_question_that_was_not_answered() {
    let folder = script("let a = choose(1, 2);\nlet n = input(\"name?\");\n");
    let ended = folder.run(&["tree", "a.nds", "--seed", "1"]);
    assert!(
        ended
            .out
            .contains("the input ended before \"name?\" was answered, line 2"),
        "{}",
        ended.out
    );
    let json = folder.run(&["tree", "a.nds", "--seed", "1", "--json"]).out;
    assert!(
        json.contains("\"error_line\": 2") && json.contains("was answered"),
        "{json}"
    );
}

/// An interrupted search is shown, however long that takes.
#[cfg(unix)]
#[test]
fn an_interrupted_tree_is_drawn() {
    let folder = script(
        "debug(\"begun\");\nlet n = 0;\nwhile (true) { n = choose(1, 2, 3); require(n < 3); }",
    );
    let mut child = folder
        .command(&["tree", "a.nds", "--seed", "1", "--nodes", "100000"])
        .spawn()
        .unwrap();
    let mut begun = [0; 6];
    child
        .stderr
        .as_mut()
        .unwrap()
        .read_exact(&mut begun)
        .unwrap();
    assert!(
        Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(
        text.starts_with("start") && text.contains("here the run was interrupted"),
        "{} bytes",
        text.len()
    );
}

/// A choice that is written into a collection at once is named by its place, in trees and in what `explain` says.
#[test]
fn choices_are_named_by_the_place_that_they_go_to() {
    let program = "let c = {};\nfunction twice(x) { let y = 2 * x; return y; }\n\
                   foreach (let n in [\"a\", \"b\"]) { c[n] = twice(choose(1, 2)); }\nlet d = [0];\nlet e = choose(3, 4);\nd[0] = e;\n\
                   require(c.a + c.b + e > 11, \"too few\");\n";
    let folder = script(program);
    let tree = folder.run(&["tree", "a.nds", "--seed", "1"]).out;
    for label in [
        "1 of 2: c.a = 2",
        "2 of 2: c.a = 4",
        "2 of 2: c.b = 4",
        "2 of 2: 4  -- solution",
    ] {
        assert!(tree.contains(label), "{label}: {tree}");
    }
    let explained = folder.run(&["explain", "a.nds", "--seed", "1"]).out;
    assert!(
        explained
            .contains("line 3: 1 of 2: c.a = 2\n  line 3: 1 of 2: c.b = 2\n  line 5: 1 of 2: 3\n"),
        "{explained}"
    );
}
