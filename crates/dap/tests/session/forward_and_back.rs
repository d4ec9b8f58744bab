//! Steps in both directions over a search with calls, failures and boards.

use super::client::{Client, Seen};
use serde_json::json;

const SEARCH: &str = r#"let row = [];
let names = {a: 1, "b c": [2, 3]};
function safe(columns) {
    let last = sizeOf(columns) - 1;
    for (let i = 0; i < last; i++) {
        let apart = abs(columns[i] - columns[last]);
        if (apart == 0 || apart == last - i) return false;
    }
    return true;
}
for (let y = 0; y < 4; y++) {
    push(row, choose(0, 1, 2, 3));
    require(safe(row));
}
printLine(row);
let g = makeGrid(3, 2, setOf(1, 2, 3));
allDifferent(g, [position(0, 0), position(1, 0), position(2, 0)]);
g[0, 0] = choose(1, 2);
decide(g);
printGrid(g);
"#;

/// Goes until nothing more comes, and looks at each stop.
fn walk(client: &mut Client, command: &str, most: usize) -> Vec<Seen> {
    let mut seen = Vec::new();
    for _ in 0..most {
        let stopped = client.go(command);
        seen.push(client.view());
        if ["end", "entry"].contains(&stopped["reason"].as_str().unwrap())
            || stopped["description"] == "Solution 1"
        {
            break;
        }
    }
    seen
}

fn check(client: &Client, seen: &[Seen]) {
    for seen in seen {
        assert_eq!(*seen, client.stopped_by_itself(&seen.moment));
    }
}

#[test]
fn each_step_shows_what_a_run_stopped_there_shows() {
    let mut client = Client::launched(SEARCH, 1, true, &["solution"]);
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["reason"], "entry");
    let there = walk(&mut client, "stepIn", 120);
    assert_eq!(there.len(), 120);
    check(&client, &there);
    assert!(there.iter().any(|seen| seen.frames[0].0 == "safe"));
    assert!(there.iter().any(|seen| seen.choices.len() > 2));
    let back = walk(&mut client, "stepBack", 200);
    check(&client, &back);
    assert_eq!(back.last().unwrap().moment, "0");
    // Moments come in order, forward and back.
    let moments = |seen: &[Seen]| -> Vec<ndscript::When> {
        seen.iter()
            .map(|seen| seen.moment.parse().unwrap())
            .collect()
    };
    assert!(moments(&there).is_sorted_by(|one, next| one < next));
    assert!(moments(&back).is_sorted_by(|one, next| one > next));
}

#[test]
fn steps_over_calls_come_by_the_same_moments_on_the_way_back() {
    let mut client = Client::launched(SEARCH, 5, true, &["solution"]);
    client.ask("configurationDone", json!({}));
    let mut there = walk(&mut client, "next", 2000);
    check(&client, &there);
    assert!(there.last().unwrap().printed.contains('['));
    assert!(
        there.iter().all(|seen| seen.frames.len() <= 2),
        "calls are stepped over"
    );
    let mut back = walk(&mut client, "stepBack", 2000);
    check(&client, &back);
    // The solution is where the way back began, and the beginning where the way forward did.
    there.pop();
    back.pop();
    back.reverse();
    let moments =
        |seen: &[Seen]| -> Vec<String> { seen.iter().map(|seen| seen.moment.clone()).collect() };
    assert_eq!(moments(&back), moments(&there));
    assert_eq!(back, there);
}

#[test]
fn continuations_come_by_the_same_breakpoints_in_reverse() {
    let mut client = Client::launched(SEARCH, 7, false, &["solution", "choice", "failure"]);
    client.set_breakpoints(json!([{"line": 6}, {"line": 13}, {"line": 15}]));
    client.ask("configurationDone", json!({}));
    let first = client.wait();
    assert_eq!(first["reason"], "exception", "the first choice comes first");
    let mut there = vec![client.view()];
    there.extend(walk(&mut client, "continue", 2000));
    check(&client, &there);
    let lines: std::collections::BTreeSet<u64> =
        there.iter().map(|seen| seen.frames[0].1).collect();
    assert!(
        [6, 13, 15].iter().all(|line| lines.contains(line)),
        "{lines:?}"
    );
    let mut back = walk(&mut client, "reverseContinue", 2000);
    check(&client, &back);
    back.pop();
    there.pop();
    back.reverse();
    assert_eq!(back, there);
    // Once more forward, now over what is recorded.
    let again = walk(&mut client, "continue", 2000);
    assert_eq!(again[..again.len() - 1], there);
}

#[test]
fn a_call_is_left_in_both_directions() {
    let mut client = Client::launched(SEARCH, 1, false, &[]);
    client.set_breakpoints(json!([{"line": 4, "hitCondition": "2"}]));
    client.ask("configurationDone", json!({}));
    client.wait();
    let inside = client.view();
    assert_eq!((inside.frames[0].0.as_str(), client.line()), ("safe", 4));
    client.go("stepOut");
    let outside = client.view();
    assert_eq!(outside.frames[0].0, "the program");
    check(&client, &[inside, outside]);
    // The breakpoint inside would stop the way back.
    assert_eq!(client.go("stepBack")["reason"], "breakpoint");
    client.set_breakpoints(json!([]));
    client.go("stepOut");
    client.go("stepBack");
    assert_eq!(client.view().frames[0].0, "the program");
}

#[test]
fn a_step_from_a_failure_ends_wherever_the_search_goes_on() {
    let text = "function guess() {\n    return choose(1, 2);\n}\nlet x = guess();\nfunction deep() {\n    let y = choose(1, 2);\n    \
                return y;\n}\nlet y = deep();\nrequire(y == 2);\nprintLine(x, y);";
    let mut client = Client::launched(text, 1, false, &["failure", "solution"]);
    client.ask("configurationDone", json!({}));
    assert_eq!(
        client.wait()["description"],
        "fail: the condition does not hold"
    );
    let failed = client.view();
    assert_eq!(failed.frames[0].1, 10);
    for step in ["next", "stepOut", "stepIn"] {
        client.go(step);
        // The choice that is gone back to, in a call.
        assert_eq!(client.line(), 6, "{step}");
        client.go("stepBack");
        let back = client.view();
        assert_eq!(back, failed, "{step}");
    }
}

#[test]
fn a_step_into_a_function_comes_to_its_first_line() {
    let text = "function f(n) {\n    print(n);\n    while (n > 0) {\n        var twice = n * 2;\n        print(twice);\n        n = n - 1;\n    }\n}\nf(1);\nfunction g() {\n    let double = x => late + x;\n    print(1);\n    let late = 3;\n    print(double(2));\n}\ng();\n";
    let mut client = Client::launched(text, 1, true, &[]);
    // Where a variable is declared nothing happens before its line.
    client.set_breakpoints(json!([{"line": 4}]));
    client.ask("configurationDone", json!({}));
    client.wait();
    assert_eq!(client.line(), 9);
    let mut lines = Vec::new();
    while client.line() != 14 {
        client.go("stepIn");
        lines.push(client.line());
    }
    assert_eq!(lines, [2, 3, 4, 5, 6, 3, 8, 16, 11, 12, 13, 14]);
}
