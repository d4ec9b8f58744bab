//! Requests that are wrong, huge, too early, too late or out of order: each is answered, and none ends the debugger.

use serde_json::{Value, json};

use super::client::Client;

const PROGRAM: &str = r#"let g = makeGrid(2, 2, setOf(1, 2));
function f(n) {
    if (n == 0) fail "deep";
    return f(n - 1);
}
allDifferent([g[0, 0], g[1, 0]]);
choose f(2); or print("other");
let o = {a: [1, {b: 2}], "x y": setOf(1, 2)};
decide(g);
printImage("red");
print(g);
"#;

#[test]
fn what_comes_too_early_is_refused() {
    let mut client = Client::of(PROGRAM);
    // Nothing was initialized, so nothing is launched.
    for command in ["next", "stepBack", "reverseContinue", "stackTrace"] {
        let why = client.refused(command, json!({"threadId": 1}));
        assert_eq!(why, "no program is debugged", "{command}");
    }
    assert_eq!(
        client.refused("restart", json!({})),
        "nothing was launched yet"
    );
    client.ask("configurationDone", json!({}));
    client.ask("pause", json!({"threadId": 1}));
    assert_eq!(client.events("stopped").len(), 0);
    // And then all goes its way.
    client.ask("launch", json!({"program": "a.nds", "stopOnEntry": true}));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["reason"], "entry");
}

#[test]
fn the_beginning_is_not_gone_behind() {
    let mut client = Client::launched(PROGRAM, 1, true, &["solution"]);
    client.ask("configurationDone", json!({}));
    let begin = client.moment();
    for command in ["stepBack", "reverseContinue", "stepBack"] {
        assert_eq!(client.go(command)["description"], "The run begins here");
        assert_eq!(client.moment(), begin);
    }
    client.go("next");
    assert!(client.moment() > begin);
}

#[test]
fn breakpoints_in_other_files_stop_nothing() {
    let mut client = Client::launched(PROGRAM, 1, false, &["solution"]);
    for source in [
        json!({"path": "/other.nds"}),
        json!({"sourceReference": 99}),
        json!({"path": ""}),
        json!(null),
    ] {
        let breakpoints = json!([{"line": 1}, {"line": 2, "condition": "true"}]);
        let wanted = json!({"source": source, "breakpoints": breakpoints});
        let set = client.ask("setBreakpoints", wanted)["breakpoints"].clone();
        let why = "the program that is debugged does not have this file";
        assert_eq!(
            (&set[0]["verified"], &set[1]["message"]),
            (&json!(false), &json!(why))
        );
    }
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["description"], "Solution 1");
}

#[test]
fn a_client_leaves_and_launches_in_the_middle_of_a_run() {
    let endless = "var n = 0;\nwhile (true) n++;";
    for command in ["launch", "restart", "terminate", "disconnect"] {
        let mut client = Client::launched(endless, 1, false, &[]);
        client.ask("configurationDone", json!({}));
        client.work_a_little();
        client.refused("stackTrace", json!({"threadId": 1}));
        client.refused("next", json!({"threadId": 1}));
        client.ask(command, json!({"program": "a.nds", "stopOnEntry": true}));
        if command == "restart" {
            client.work_a_little();
            client.ask("pause", json!({}));
        }
        assert!(!client.is_moving(), "{command}");
        let is_there = command == "restart" || command == "launch";
        let answer = client.send("stackTrace", json!({"threadId": 1}));
        assert_eq!(answer["success"], is_there, "{command}");
    }
}

/// Draws that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    /// Arguments with everything that any request wants, none of it right for sure.
    fn arguments(&mut self) -> Value {
        let odd = [
            json!(0),
            json!(-1),
            json!(1.5),
            json!(1e300),
            json!(u64::MAX),
            json!("1"),
            json!(null),
            json!([]),
        ];
        let words = [
            "g",
            "o",
            "n",
            "a",
            "row 0",
            "[0, 0]",
            "x y",
            "g[0, 0]",
            "o.a[1].b",
            "",
            "g[",
            "{1}",
            "{",
            "1 +",
            "f(2)",
            "fail",
            "choose(1, 2)",
            "ask(\"q\")",
            "makeArray(1e9, 1)",
            "while (true) {}",
            "untake",
            "take 1",
            "take 2 of 2",
            "take 99 of 99",
            "why g[0, 0]",
            "why",
            "loss g[0, 0]",
            "% 2",
            "> 1",
            "99999999999999999999",
            "{g} {{ }",
            "\0",
        ];
        let numbers = [
            "threadId",
            "frameId",
            "variablesReference",
            "targetId",
            "start",
        ];
        let texts = [
            "name",
            "value",
            "expression",
            "dataId",
            "condition",
            "hitCondition",
        ];
        let mut arguments = json!({
            "program": "a.nds",
            "source": self.of(&[json!({"path": "/a.nds"}), json!({"sourceReference": 1}), json!(3)]),
            "filters": self.of(&[json!(["solution"]), json!(["failure", "choice", "emptyCell"]), json!({})]),
            "context": self.of(&[json!("repl"), json!("hover"), json!([])]),
            "stopOnEntry": self.below(2) == 0,
            "logMessage": if self.below(6) == 0 { json!(self.of(&words)) } else { json!(null) },
        });
        for name in numbers
            .iter()
            .chain(&["count", "startFrame", "levels", "line", "seq"])
        {
            arguments[name] = match self.below(3) {
                0 => self.of(&odd),
                _ => json!(self.below(12)),
            };
        }
        for name in texts {
            if self.below(3) > 0 {
                arguments[name] = json!(self.of(&words));
            }
        }
        let breakpoint = arguments.clone();
        arguments["breakpoints"] = json!([breakpoint, self.of(&odd)]);
        match self.below(30) {
            0 => self.of(&odd),
            _ => arguments,
        }
    }
}

#[test]
fn anything_is_answered_in_any_order() {
    let commands = [
        "initialize",
        "launch",
        "configurationDone",
        "setBreakpoints",
        "setDataBreakpoints",
        "setExceptionBreakpoints",
        "stackTrace",
        "scopes",
        "variables",
        "evaluate",
        "setVariable",
        "setExpression",
        "dataBreakpointInfo",
        "stepInTargets",
        "next",
        "stepIn",
        "stepOut",
        "stepBack",
        "continue",
        "reverseContinue",
        "pause",
        "restart",
        "source",
        "loadedSources",
        "threads",
        "terminate",
        "disconnect",
        "cancel",
    ];
    let mut random = Random(5);
    for _ in 0..60 {
        let mut client = Client::launched(PROGRAM, 1, true, &["solution"]);
        client.ask("configurationDone", json!({}));
        for _ in 0..100 {
            // Rarely at the scopes of where it stands, whose numbers the others use.
            if random.below(4) == 0 {
                client.send("scopes", json!({"frameId": 1}));
            }
            client.send(random.of(&commands), random.arguments());
            if random.below(2) > 0 {
                client.work_until_it_stops();
            }
        }
    }
}
