//! `setVariable`: a place of a board is narrowed, and the run goes on from there as a fork.

use serde_json::{Value, json};

use super::client::Client;

const BOARD: &str = r#"let size = 3;
let g = makeGrid(3, 1, setOf(1, 2, 3));
allDifferent(g);
let plain = [setOf("a", "b"), 7];
let parts = {"two words": setOf(1, 2), o: {k: setOf(5, 6)}};
function paint(own) {
    let first = own[0];
    return own[0];
}
let n = choose(1, 2);
paint([setOf(8, 9)]);
decide(g);
printLine(g[0, 0], g[1, 0], g[2, 0], n);
"#;

fn stopped_at(line: u64) -> Client {
    let mut client = Client::launched(BOARD, 1, false, &["solution"]);
    client.set_breakpoints(json!([{"line": line}]));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["reason"], "breakpoint");
    client
}

/// A variable of a scope.
fn named(client: &mut Client, scope: &str, name: &str) -> Value {
    let all = client.scope(1, scope);
    let found = all.iter().find(|variable| variable["name"] == name);
    found.unwrap_or_else(|| panic!("no {name}")).clone()
}

/// The arguments that narrow a part of something.
fn setting(of: &Value, name: &str, value: &str) -> Value {
    json!({"variablesReference": of["variablesReference"], "name": name, "value": value})
}

/// The only row of the grid.
fn row(client: &mut Client) -> Value {
    let grid = named(client, "Globals", "g");
    client.parts(&grid)[0].clone()
}

#[test]
fn a_narrowed_cell_makes_a_fork_that_a_step_back_leaves() {
    let mut client = stopped_at(12);
    let before = client.moment();
    let row = row(&mut client);
    let heard = client.heard.len();
    let set = client.ask("setVariable", setting(&row, "[1, 0]", "{3}"));
    assert_eq!(set["value"], "{3}");
    // The answer comes before it is told that the run stands elsewhere.
    assert_eq!(client.heard[heard]["type"], "response");
    let stopped = &client.heard[heard + 1]["body"];
    assert_eq!(
        stopped["description"],
        "g[1, 0] is narrowed to {3}; a step back leaves this fork"
    );
    // What the constraint rules out is gone, too.
    assert_eq!(client.result("g[0, 0]"), "{1, 2}");
    assert!(client.moment() > before);
    let fork = client.moment();
    client.set_breakpoints(json!([]));
    assert_eq!(client.go("continue")["description"], "Solution 1");
    let printed = client.written("stdout");
    assert_eq!(printed.get(3..6), Some("{3}"), "{printed}");
    // A step back within the fork ends where it begins, the next one before it.
    let mut last = client.go("stepBack");
    while client.moment() > fork {
        last = client.go("stepBack");
    }
    assert_eq!(
        last["description"],
        "This fork begins here; a step back leaves it"
    );
    assert_eq!(client.moment(), fork);
    assert_eq!(client.result("g[1, 0]"), "{3}");
    client.go("stepBack");
    assert!(client.moment() < before);
    assert_eq!(client.line(), 11);
    assert_eq!(client.result("g[1, 0]"), "{1, 2, 3}");
    // And forward on the way that was left.
    client.go("next");
    assert_eq!(
        (client.moment(), client.result("g[1, 0]")),
        (before, "{1, 2, 3}".to_string())
    );
}

#[test]
fn a_reverse_continuation_runs_through_the_beginning_of_a_fork() {
    let mut client = stopped_at(12);
    let row = row(&mut client);
    client.ask("setVariable", setting(&row, "[0, 0]", "2"));
    client.set_breakpoints(json!([{"line": 3}]));
    client.go("next");
    assert_eq!(client.go("reverseContinue")["reason"], "breakpoint");
    assert_eq!(
        (client.line(), client.result("g[0, 0]")),
        (3, "{1, 2, 3}".to_string())
    );
    assert_eq!(
        client.go("reverseContinue")["description"],
        "The run begins here"
    );
}

#[test]
fn a_failure_goes_back_behind_a_fork() {
    let mut client = stopped_at(12);
    let row = row(&mut client);
    client.ask("setVariable", setting(&row, "[0, 0]", "{2}"));
    client.set_breakpoints(json!([]));
    let mut solutions = 0;
    while client.go("continue")["reason"] == "exception" {
        solutions += 1;
    }
    // Two where the first cell is 2, and, behind the choice before it, all six.
    assert_eq!(solutions, 8);
}

#[test]
fn places_of_everything_with_candidates_are_narrowed() {
    let mut client = stopped_at(12);
    let plain = named(&mut client, "Globals", "plain");
    assert_eq!(
        client.ask("setVariable", setting(&plain, "0", "\"b\""))["value"],
        "{\"b\"}"
    );
    let parts = named(&mut client, "Globals", "parts");
    assert_eq!(
        client.ask("setVariable", setting(&parts, "two words", "setOf(2, 3)"))["value"],
        "{2}"
    );
    let inner = json!({"expression": "parts.o.k", "value": "size * 2", "frameId": 1});
    assert_eq!(client.ask("setExpression", inner)["value"], "{6}");
    assert_eq!(client.result("parts.o.k"), "{6}");
    // Forks of forks are left one by one.
    for left in ["{5, 6}", "{5, 6}", "{5, 6}"] {
        let say = json!({"expression": "untake", "context": "repl"});
        client.ask("evaluate", say);
        assert_eq!(client.result("parts.o.k"), left);
    }
    assert_eq!(client.result("plain[0]"), "{\"a\", \"b\"}");
    // A variable of a call.
    let mut client = stopped_at(8);
    let own = named(&mut client, "Locals", "own");
    assert_eq!(
        client.ask("setVariable", setting(&own, "0", "9"))["value"],
        "{9}"
    );
    client.set_breakpoints(json!([]));
    assert_eq!(client.go("continue")["description"], "Solution 1");
}

#[test]
fn what_cannot_be_narrowed_is_refused_in_words() {
    let mut client = stopped_at(12);
    let row = row(&mut client);
    let moment = client.moment();
    let globals = json!({"variablesReference": client.ask("scopes", json!({"frameId": 1}))["scopes"][0]["variablesReference"]});
    let plain = named(&mut client, "Globals", "plain");
    let search = client.ask("scopes", json!({"frameId": 1}))["scopes"][2].clone();
    let cases = [
        (
            setting(&row, "[0, 0]", "4"),
            "4 is no candidate of `g[0, 0]`, which can only lose some of {1, 2, 3}",
        ),
        (setting(&row, "[0, 0]", "{}"), "no candidate"),
        (setting(&row, "[9, 0]", "1"), "there is no place `g[9, 0]`"),
        (setting(&row, "[0, 0]", "1 +"), "`1 +`: "),
        (
            setting(&row, "[0, 0]", "missing"),
            "`missing` is not defined",
        ),
        (
            setting(&globals, "size", "4"),
            "`size` is no place of a board",
        ),
        (
            setting(&plain, "1", "7"),
            "`plain[1]` is no place of a board",
        ),
        (setting(&search, "moment", "7"), "tells of the search"),
        (
            json!({"variablesReference": 999, "name": "a", "value": "1"}),
            "before the run moved",
        ),
    ];
    for (arguments, why) in cases {
        let message = client.refused("setVariable", arguments.clone());
        assert!(message.contains(why), "{arguments}: {message}");
    }
    assert_eq!(client.moment(), moment);
    let narrow =
        |place: &str, value: &str| json!({"expression": place, "value": value, "frameId": 1});
    client.ask("setExpression", narrow("g[1, 0]", "1"));
    let message = client.refused("setExpression", narrow("g[1, 0]", "1"));
    assert!(
        message.contains("`g[1, 0]` is decided: it is 1"),
        "{message}"
    );
    // Behind a solution nothing comes on its way.
    client.set_breakpoints(json!([]));
    client.go("continue");
    let message = client.refused("setExpression", narrow("plain[0]", "\"a\""));
    assert!(message.contains("step back"), "{message}");
}

#[test]
fn a_place_is_not_narrowed_where_the_constraints_leave_nothing_then() {
    let text = "let b = [setOf(1, 2), setOf(1, 2), setOf(1, 2)];\nallDifferent(b, [0, 1]);\nallDifferent(b, [1, 2]);\nallDifferent(b, [0, 2]);\nprint(b);";
    let mut client = Client::launched(text, 1, false, &[]);
    client.set_breakpoints(json!([{"line": 5}]));
    client.ask("configurationDone", json!({}));
    client.wait();
    let arguments = json!({"expression": "b[0]", "value": "1", "frameId": 1});
    assert_eq!(
        client.refused("setExpression", arguments),
        "narrowing `b[0]` so leads nowhere: the constraints leave no candidate of some place"
    );
    assert_eq!(client.result("b[0]"), "{1, 2}");
}

#[test]
fn a_board_inside_of_something_is_narrowed_with_all_that_follows() {
    let mut client = Client::launched(
        "let b = [setOf(1, 2), setOf(2, 3), setOf(1, 3)];\nallDifferent(b);\nlet c = [b];\nprint(c);",
        1,
        true,
        &[],
    );
    client.ask("configurationDone", json!({}));
    for _ in 0..3 {
        client.go("next");
    }
    let narrow =
        |place: &str, value: &str| json!({"expression": place, "value": value, "frameId": 1});
    client.ask("setExpression", narrow("c[0][0]", "1"));
    assert_eq!(client.result("b"), "[{1}, {2}, {3}]");
}
