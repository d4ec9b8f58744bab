//! What stops a run: breakpoints with conditions, numbers of times and messages, writes to places, kinds of events.

use serde_json::json;

use super::client::Client;

const LOOP: &str = "let total = 0;\nlet g = makeGrid(2, 2, setOf(1, 2, 3));\n// nothing here\nfor (let i = 0; i < 20; i++) {\n    total += i;\n}\ng[1, 0] = setOf(1, 2);\ng[1, 0] = setOf(1);\nprintLine(total);\n";

#[test]
fn breakpoints_are_set_on_lines_where_something_happens() {
    let mut client = Client::launched(LOOP, 1, false, &["solution"]);
    let set = client.set_breakpoints(json!([{"line": 3}, {"line": 5}, {"line": 99}]));
    assert_eq!(set[0]["line"], 4);
    assert_eq!(set[1], json!({"id": 2, "verified": true, "line": 5}));
    assert_eq!(set[2]["verified"], false);
    let unknown = client.ask(
        "setBreakpoints",
        json!({"source": {"path": "/other.nds"}, "breakpoints": [{"line": 1}]}),
    );
    assert_eq!(unknown["breakpoints"][0]["verified"], false);
    client.ask("configurationDone", json!({}));
    let stopped = client.wait();
    assert_eq!(stopped["reason"], "breakpoint");
    assert_eq!(
        (client.line(), &stopped["hitBreakpointIds"]),
        (4, &json!([1]))
    );
    let stopped = client.go("continue");
    assert_eq!(
        (client.line(), &stopped["hitBreakpointIds"]),
        (5, &json!([2]))
    );
    // Without any, the run goes on to its solution.
    client.set_breakpoints(json!([]));
    assert_eq!(client.go("continue")["description"], "Solution 1");
    assert_eq!(client.written("stdout"), "190\n");
    assert_eq!(client.go("continue")["reason"], "end");
    assert_eq!(client.go("continue")["reason"], "terminated");
    let exited = client.heard.iter().find(|heard| heard["event"] == "exited");
    assert_eq!(exited.unwrap()["body"]["exitCode"], 0);
}

#[test]
fn a_breakpoint_on_the_first_line_stops_where_the_run_begins() {
    let mut client = Client::launched(LOOP, 1, false, &[]);
    client.set_breakpoints(json!([{"line": 1}]));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["reason"], "breakpoint");
    assert_eq!(
        (client.line(), client.moment().to_string()),
        (1, "0".to_string())
    );
}

#[test]
fn what_stands_on_the_first_line_counts_there_as_anywhere() {
    for text in [
        "let x = 1; let y = 2;\nprint(x + y);",
        "for (let i = 0; i < 1; i++) print(i);\nprint(2);",
        "function f() { return 1; }\nprint(f());",
        "\n// Words.\nprint(choose(1, 2));",
        "import \"std/picks.nds\";\nprint(pick([1], 1));",
    ] {
        let is_first = |line: &str| !line.is_empty() && !line.starts_with("//");
        let line = 1 + text.lines().position(is_first).unwrap();
        let first = |filters: &[&str], breakpoint: serde_json::Value, stop_on_entry| {
            let mut client = Client::launched(text, 1, stop_on_entry, filters);
            let set = client.set_breakpoints(json!([breakpoint]));
            assert_eq!(set[0]["verified"], true, "{text}");
            client.ask("configurationDone", json!({}));
            let stopped = client.wait();
            (client, stopped, set[0]["line"].as_u64().unwrap())
        };
        let (mut client, stopped, at) = first(&["solution"], json!({"line": line}), false);
        assert_eq!(
            (&stopped["reason"], client.line()),
            (&json!("breakpoint"), at),
            "{text}"
        );
        let log = json!({"line": line, "logMessage": "here {1 + 1}"});
        for stop_on_entry in [false, true] {
            let (mut client, stopped, _) = first(&["solution"], log.clone(), stop_on_entry);
            if stop_on_entry {
                assert_eq!(stopped["reason"], "entry");
                client.go("continue");
            }
            assert_eq!(client.written("console"), "here 2\n", "{text}");
        }
        for (rule, holds) in [
            (json!({"line": line, "condition": "1 > 2"}), false),
            (json!({"line": line, "condition": "2 > 1"}), true),
            (json!({"line": line, "hitCondition": "1"}), true),
            (json!({"line": line, "hitCondition": "2"}), false),
        ] {
            let (_, stopped, _) = first(&["solution"], rule.clone(), false);
            assert_eq!(stopped["reason"] == "breakpoint", holds, "{text} {rule}");
        }
    }
}

#[test]
fn conditions_and_numbers_of_times_hold_in_both_directions() {
    let mut client = Client::launched(LOOP, 1, false, &["solution"]);
    client.set_breakpoints(json!([{"line": 5, "condition": "i % 2 == 1", "hitCondition": "% 3"}]));
    client.ask("configurationDone", json!({}));
    client.wait();
    let mut there = vec![client.result("i")];
    while client.go("continue")["reason"] == "breakpoint" {
        there.push(client.result("i"));
    }
    // Of 1, 3, 5, 7, 9, ... each third one.
    assert_eq!(there, ["5", "11", "17"]);
    let mut back = Vec::new();
    while client.go("reverseContinue")["reason"] == "breakpoint" {
        back.push(client.result("i"));
    }
    assert_eq!(back, ["17", "11", "5"]);
    // A condition that cannot be evaluated stops, and says so.
    client.set_breakpoints(json!([{"line": 5, "condition": "missing > 1"}]));
    assert_eq!(client.go("continue")["reason"], "breakpoint");
    assert!(
        client.written("stderr").contains("missing"),
        "{}",
        client.written("stderr")
    );
    let refused = client.set_breakpoints(json!([{"line": 5, "hitCondition": "often"}]));
    assert_eq!(refused[0]["verified"], false);
}

#[test]
fn log_points_write_and_go_on() {
    let mut client = Client::launched(LOOP, 1, false, &["solution"]);
    client.set_breakpoints(json!([
        {"line": 5, "condition": "i > 17", "logMessage": "i is {i}, {{twice}} {i * 2}, {setOf(i, 'x')}"}
    ]));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["description"], "Solution 1");
    assert_eq!(
        client.written("console"),
        "i is 18, {twice}} 36, {18, \"x\"}\ni is 19, {twice}} 38, {19, \"x\"}\n"
    );
    let logged = client
        .heard
        .iter()
        .find(|heard| heard["body"]["category"] == "console");
    assert_eq!(logged.unwrap()["body"]["line"], 5);
    // A step goes over them as well, and ends where it would without them.
    client.go("reverseContinue");
    for _ in 0..3 {
        client.go("next");
    }
    assert_eq!(client.line(), 5);
}

#[test]
fn writes_to_places_stop() {
    let mut client = Client::launched(LOOP, 1, false, &["solution"]);
    client.ask("configurationDone", json!({}));
    client.wait();
    let globals = client.scope(1, "Globals");
    let grid = globals
        .iter()
        .find(|variable| variable["name"] == "g")
        .unwrap();
    let rows = client.parts(grid);
    let info = client.ask(
        "dataBreakpointInfo",
        json!({"variablesReference": rows[0]["variablesReference"], "name": "[1, 0]"}),
    );
    assert_eq!(info["dataId"], "g[1, 0]");
    let set = client.ask(
        "setDataBreakpoints",
        json!({"breakpoints": [
            {"dataId": info["dataId"], "condition": "!contains(2, g[1, 0])"},
            {"dataId": "total", "condition": "total == 3"},
            {"dataId": "3 +"},
        ]}),
    );
    let verified: Vec<bool> = set["breakpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|set| set["verified"].as_bool().unwrap())
        .collect();
    assert_eq!(verified, [true, true, false]);
    let stopped = client.go("reverseContinue");
    assert_eq!(stopped["reason"], "data breakpoint");
    assert_eq!(client.result("g[1, 0]"), "{1}");
    let stopped = client.go("reverseContinue");
    assert_eq!(
        (&stopped["description"], client.result("total")),
        (&json!("total = 3"), "3".to_string())
    );
    assert_eq!(client.go("reverseContinue")["reason"], "entry");
}

#[test]
fn losses_of_a_candidate_stop() {
    const TEXT: &str = "let g = makeGrid(2, 1, setOf(1, \"sea\", \"land\"));\ng[0, 0] = setOf(1, \"sea\");\ng[1, 0] = setOf(1, \"sea\");\ng[0, 0] = setOf(1);\ng[0, 0] = setOf(\"land\");\ng[1, 0] = setOf(\"sea\");\nprintLine(g);";
    let mut client = Client::launched(TEXT, 1, true, &["solution"]);
    client.ask("configurationDone", json!({}));
    client.wait();
    client.go("next");
    // Clients ask for what a person has marked in the list of variables: an element of the cell.
    let globals = client.scope(1, "Globals");
    let grid = globals.iter().find(|variable| variable["name"] == "g");
    let rows = client.parts(grid.unwrap());
    let cells = client.parts(&rows[0]);
    let mut breakpoints = Vec::new();
    for (cell, wanted) in [(0, "\"sea\""), (1, "1")] {
        let candidates = client.parts(&cells[cell]);
        let candidate = candidates
            .iter()
            .find(|candidate| candidate["value"] == wanted);
        let info = client.ask(
            "dataBreakpointInfo",
            json!({"variablesReference": cells[cell]["variablesReference"], "name": candidate.unwrap()["name"]}),
        );
        assert_eq!(
            info["description"],
            format!("g[{cell}, 0] loses {}", wanted.trim_matches('"'))
        );
        breakpoints.push(json!({"dataId": info["dataId"]}));
    }
    let set = client.ask("setDataBreakpoints", json!({"breakpoints": breakpoints}));
    assert_eq!(set["breakpoints"][1]["verified"], true);
    // Each once, and nowhere else, in both directions.
    for motion in ["continue", "reverseContinue"] {
        let mut stops = Vec::new();
        let mut stopped = client.go(motion);
        while stopped["reason"] == "data breakpoint" && stops.len() < 9 {
            stops.push(stopped["description"].clone());
            stopped = client.go(motion);
        }
        let mut expected = [json!("g[0, 0] = {1}"), json!("g[1, 0] = {\"sea\"}")];
        if motion == "reverseContinue" {
            expected.reverse();
        }
        assert_eq!(stops, expected, "{motion}");
    }
}

const BOARD: &str = "let b = [setOf(1, 2), setOf(1, 2), setOf(1, 2, 3)];\nfor (let i = 0; i < 3; i++) require(i < choose(0, 3));\nallDifferent(b, [0, 1]);\nb[0] = choose(3, 1);\nlet n = choose(4, 0);\nrelated(b, 0, 2, (p, q) => q == p + n);\nprintLine(b);";

#[test]
fn filters_stop_at_kinds_of_events() {
    let stops = |filter: &str| {
        let text = BOARD.replace("choose(3, 1)", "choose(1, 2)");
        let mut client = Client::launched(&text, 1, false, &[filter]);
        client.ask("configurationDone", json!({}));
        let mut stops = Vec::new();
        let mut stopped = client.wait();
        while stopped["reason"] == "exception" && stops.len() < 100 {
            stops.push(stopped["description"].as_str().unwrap().to_string());
            stopped = client.go("continue");
        }
        stops
    };
    let failures = stops("failure");
    let empty = stops("emptyCell");
    assert!(
        failures.len() > empty.len() && !empty.is_empty(),
        "{failures:?} {empty:?}"
    );
    assert!(failures.iter().all(|failure| failure.starts_with("fail: ")));
    let of_places = [
        "fail: no candidate is left",
        "fail: `related` leaves nothing",
    ];
    assert!(
        empty.iter().all(|failure| of_places.contains(&&**failure)),
        "{empty:?}"
    );
    let choices = stops("choice");
    assert!(
        choices.iter().all(|choice| choice == "choose among 2"),
        "{choices:?}"
    );
    assert!(stops("solution").is_empty() || stops("solution")[0] == "Solution 1");
}

#[test]
fn without_the_filter_the_first_solution_ends_the_run() {
    let mut client = Client::launched("print(choose(1, 2));", 1, false, &[]);
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["reason"], "terminated");
    assert_eq!(client.written("stdout").lines().count(), 1);
}

#[test]
fn an_endless_run_is_paused_and_looked_at() {
    let mut client = Client::launched("var n = 0;\nwhile (true) n++;", 1, false, &[]);
    client.ask("configurationDone", json!({}));
    client.work_a_little();
    assert!(
        client
            .refused("variables", json!({"variablesReference": 1}))
            .contains("pause")
    );
    assert!(client.refused("next", json!({})).contains("pause"));
    client.ask("pause", json!({"threadId": 1}));
    assert_eq!(client.wait()["reason"], "pause");
    let n: u64 = client.result("n").parse().unwrap();
    assert!(n > 0);
    client.go("stepBack");
    client.go("stepBack");
    assert!(client.result("n").parse::<u64>().unwrap() <= n);
    // A breakpoint that comes while the run moves counts from then on.
    client.ask("continue", json!({}));
    client.work_a_little();
    client.set_breakpoints(json!([{"line": 2, "condition": "n % 1000 == 0"}]));
    assert_eq!(client.wait()["reason"], "breakpoint");
    assert_eq!(client.result("n").parse::<u64>().unwrap() % 1000, 0);
}

#[test]
fn a_run_without_a_solution_and_one_with_an_error_end() {
    let mut client = Client::launched(
        "let x = choose(1, 2);\nfail `x is ${x}`;",
        1,
        false,
        &["solution"],
    );
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["description"], "There is no solution: x is 2");
    client.go("stepBack");
    assert_eq!(client.result("x"), "2");
    let mut client = Client::launched("let x = 1;\nlet y = x / 0;", 1, false, &["solution"]);
    client.ask("configurationDone", json!({}));
    let stopped = client.wait();
    assert_eq!(stopped["reason"], "exception");
    assert!(
        stopped["description"].as_str().unwrap().contains("zero"),
        "{stopped}"
    );
    assert!(client.written("stderr").contains("a.nds:2"));
    assert_eq!(client.go("continue")["reason"], "terminated");
    let exited = client.heard.iter().find(|heard| heard["event"] == "exited");
    assert_eq!(exited.unwrap()["body"]["exitCode"], 2);
}

#[test]
fn what_happens_at_one_moment_hides_nothing_of_it() {
    let text = "let a = 0;\nforeach (x in [1, 2]) {\n    a = x;\n    print(a);\n    a = choose(3, 4);\n    print(a);\n}\n";
    // Behind each write to `a` begins a line.
    let watched = json!({"breakpoints": [{"dataId": "a", "condition": "a == 9"}]});
    let mut client = Client::launched(text, 1, true, &[]);
    client.ask("setDataBreakpoints", watched);
    client.set_breakpoints(json!([{"line": 4}, {"line": 6}]));
    client.ask("configurationDone", json!({}));
    client.wait();
    let mut lines = Vec::new();
    while client.go("continue")["reason"] == "breakpoint" {
        lines.push(client.line());
    }
    assert_eq!(lines, [4, 6, 4, 6]);
    let mut back = Vec::new();
    while client.go("reverseContinue")["reason"] == "breakpoint" {
        back.push(client.line());
    }
    assert_eq!(back, [6, 4, 6, 4]);
    client.set_breakpoints(json!([]));
    let steps: Vec<u64> = (0..6)
        .map(|_| {
            assert_eq!(client.go("stepIn")["reason"], "step");
            client.line()
        })
        .collect();
    assert_eq!(steps, [2, 3, 4, 5, 6, 2]);
    // A write and a line that are both wanted are told at once.
    client.ask(
        "setDataBreakpoints",
        json!({"breakpoints": [{"dataId": "a"}]}),
    );
    client.set_breakpoints(json!([{"line": 4}]));
    let stopped = client.go("continue");
    assert_eq!(stopped["reason"], "data breakpoint");
    assert_eq!(stopped["hitBreakpointIds"].as_array().unwrap().len(), 2);
}

#[test]
fn a_failure_on_a_line_that_is_logged_is_come_to() {
    let text = "let a = choose(1, 2);\nif (a < 3) {\n    fail;\n}\n";
    let mut client = Client::launched(text, 1, true, &["failure"]);
    client.set_breakpoints(json!([{"line": 3, "logMessage": "a is {a}"}]));
    client.ask("configurationDone", json!({}));
    client.wait();
    assert_eq!(client.go("continue")["reason"], "exception");
    assert_eq!(client.written("console"), "a is 1\n");
    assert_eq!(client.result("a"), "1");
    assert_eq!(client.go("continue")["reason"], "exception");
    assert_eq!(client.result("a"), "2");
}
