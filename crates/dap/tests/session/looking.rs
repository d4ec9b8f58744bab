//! What a client can look at and try where a run stands.

use serde_json::{Value, json};

use super::client::{Client, pairs};

const THINGS: &str = r##"let g = gridFromText("ab\ncd");
let wide = makeGrid(2, 3, setOf(1, 2, 3));
let things = {name: "x", "two words": [1, [2, 3]], 4: setOf("p", "q"), pos: position(1, 2)};
let line = queue();
enqueue(5, line);
function half(n) {
    let text = "n";
    let result = n / 2;
    return result;
}
let h = half(6);
let first = choose("north", "south", "west");
let second = choose(10, 20);
printLine(first, second);
"##;

fn stopped_at(line: u64) -> Client {
    let mut client = Client::launched(THINGS, 1, false, &["solution"]);
    client.set_breakpoints(json!([{"line": line}]));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["reason"], "breakpoint");
    client
}

fn named<'v>(variables: &'v [Value], name: &str) -> &'v Value {
    let found = variables.iter().find(|variable| variable["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {variables:?}"))
}

#[test]
fn grids_are_rows_and_everything_opens() {
    let mut client = stopped_at(14);
    let globals = client.scope(1, "Globals");
    let rows = client.parts(named(&globals, "g"));
    assert_eq!(
        pairs(&rows),
        [
            ("row 0".into(), "a b".into()),
            ("row 1".into(), "c d".into())
        ]
    );
    let cells = client.parts(&rows[1]);
    assert_eq!(cells[0]["name"], "[0, 1]");
    assert_eq!(
        (&cells[0]["value"], &cells[0]["evaluateName"]),
        (&json!("\"c\""), &json!("g[0, 1]"))
    );
    let rows = client.parts(named(&globals, "wide"));
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[2]["value"], "123 123");
    let things = client.parts(named(&globals, "things"));
    let names: Vec<&str> = things
        .iter()
        .map(|thing| thing["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["name", "two words", "4", "pos"]);
    let words = named(&things, "two words");
    assert_eq!(
        (&words["type"], &words["evaluateName"]),
        (&json!("array"), &json!("things[\"two words\"]"))
    );
    let inner = client.parts(words);
    assert_eq!(inner[1]["evaluateName"], "things[\"two words\"][1]");
    assert_eq!(
        pairs(&client.parts(&inner[1])),
        [("0".into(), "2".into()), ("1".into(), "3".into())]
    );
    assert_eq!(pairs(&client.parts(named(&things, "4"))).len(), 2);
    assert_eq!(named(&things, "pos")["variablesReference"], 0);
    assert_eq!(
        pairs(&client.parts(named(&globals, "line"))),
        [("0".into(), "5".into())]
    );
    // What is named as the program would write it is evaluated as such.
    for (written, value) in [
        ("g[0, 1]", "\"c\""),
        ("things[\"two words\"][1]", "[2, 3]"),
        ("things.pos.x + 1", "2"),
        ("sizeOf(things[\"4\"]) == 2 && h == 3", "true"),
        ("map(wide[1, 2], v => v * h)", "[3, 6, 9]"),
    ] {
        assert_eq!(client.result(written), value, "{written}");
    }
    for (wrong, why) in [
        ("nowhere", "`nowhere` is not defined"),
        ("g[9, 9]", "holds no such part"),
        ("1 +", "expected"),
        ("require(false)", "fails"),
    ] {
        let message = client.refused("evaluate", json!({"expression": wrong, "frameId": 1}));
        assert!(message.contains(why), "{wrong}: {message}");
    }
    // Looking changes nothing, and numbers of another stop mean nothing.
    assert_eq!(client.result("h"), "3");
    let old = rows[0]["variablesReference"].clone();
    client.go("stepBack");
    client.refused("variables", json!({"variablesReference": old}));
}

#[test]
fn calls_have_variables_of_their_own() {
    let mut client = stopped_at(9);
    let stack = client.ask("stackTrace", json!({"threadId": 1}));
    let frames = stack["stackFrames"].as_array().unwrap();
    assert_eq!(
        (&frames[0]["name"], &frames[0]["line"]),
        (&json!("half"), &json!(9))
    );
    assert_eq!(frames[0]["source"]["path"], "/a.nds");
    assert_eq!(
        (&frames[1]["name"], &frames[1]["line"]),
        (&json!("the program"), &json!(11))
    );
    let own = pairs(&client.scope(1, "Locals"));
    assert_eq!(
        own,
        [
            ("n".into(), "6".into()),
            ("text".into(), "\"n\"".into()),
            ("result".into(), "3".into())
        ]
    );
    assert!(client.scope(2, "Locals").is_empty());
    assert_eq!(client.result("result + sizeOf(text)"), "4");
    let message = client.refused(
        "evaluate",
        json!({"expression": "result + 1", "frameId": 2}),
    );
    assert!(message.contains("result"), "{message}");
}

#[test]
fn open_choices_are_listed_and_taken() {
    let mut client = stopped_at(14);
    let choices = client.scope(1, "Choices");
    assert_eq!(choices[0]["value"], "line 13, 1 left: 20");
    assert_eq!(choices[1]["value"], "line 12, 2 left: \"south\", \"west\"");
    assert_eq!(
        pairs(&client.parts(&choices[1])),
        [
            ("1".into(), "\"south\"".into()),
            ("2".into(), "\"west\"".into())
        ]
    );
    let targets = client.ask("stepInTargets", json!({"frameId": 1}));
    assert_eq!(targets["targets"], json!([{"id": 1, "label": "take 20"}]));
    client.ask("stepIn", json!({"threadId": 1, "targetId": 1}));
    assert_eq!(client.go("continue")["reason"], "breakpoint");
    assert_eq!(
        (client.result("first"), client.result("second")),
        ("\"north\"".into(), "20".into())
    );
    let say = |client: &mut Client, text: &str| {
        client.send("evaluate", json!({"expression": text, "context": "repl"}))
    };
    assert_eq!(say(&mut client, "untake")["success"], true);
    assert_eq!(client.result("second"), "10");
    assert_eq!(say(&mut client, "untake")["success"], false);
    let why = say(&mut client, "why first");
    assert!(
        why["body"]["result"].as_str().unwrap().contains("north"),
        "{why}"
    );
    let taken = say(&mut client, "take 2 of 2");
    assert_eq!(taken["body"]["result"], "took \"west\"; `untake` returns");
    client.go("continue");
    assert_eq!(
        (client.result("first"), client.result("second")),
        ("\"west\"".into(), "10".into())
    );
    assert_eq!(
        client.go("reverseContinue")["description"],
        "This way begins here; `untake` returns to the one that was left"
    );
    assert!(
        say(&mut client, "take 9")["message"]
            .as_str()
            .unwrap()
            .contains("no such alternative")
    );
}

#[test]
fn a_program_that_asks_is_answered_in_the_console() {
    let text = "let name = input(\"Who?\");\nlet size = ask(\"How large?\", [\"small\", \"large\"]);\nprintLine(name, size);";
    let mut client = Client::launched(text, 1, false, &["solution"]);
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait()["description"], "The program asks: Who?");
    client.refused("continue", json!({}));
    let say = |client: &mut Client, text: &str| {
        client.send("evaluate", json!({"expression": text, "context": "repl"}))["success"].clone()
    };
    assert_eq!(say(&mut client, "Ann"), true);
    assert_eq!(
        client.go("continue")["description"],
        "The program asks: How large? (small, large)"
    );
    assert_eq!(say(&mut client, "huge"), false);
    assert_eq!(say(&mut client, "large"), true);
    assert_eq!(client.go("continue")["description"], "Solution 1");
    assert_eq!(client.written("stdout"), "Annlarge\n");
}

#[test]
fn sources_that_are_no_files_are_sent() {
    let text = "import \"std/picks.nds\";\nlet x = 1;\nprint(x);";
    let mut client = Client::launched(text, 1, true, &[]);
    let sources = client.ask("loadedSources", json!({}))["sources"].clone();
    let library = sources
        .as_array()
        .unwrap()
        .iter()
        .find(|source| source["path"].is_null());
    let library = library.unwrap();
    let body = client.ask("source", json!({"source": library}));
    assert!(body["content"].as_str().unwrap().contains("function"));
    assert_eq!(library["name"], "std/picks.nds");
}

#[test]
fn a_restart_begins_anew() {
    let mut client = stopped_at(14);
    let moment = client.moment();
    client.ask("restart", json!({}));
    assert_eq!(client.wait()["reason"], "breakpoint");
    assert_eq!(client.moment(), moment);
}

#[test]
fn strange_messages_are_answered_or_passed_over() {
    let mut client = Client::of("print(1);");
    for command in [
        "continue",
        "next",
        "stepBack",
        "stackTrace",
        "scopes",
        "variables",
        "evaluate",
        "restart",
        "launch",
        "source",
        "stepInTargets",
        "dataBreakpointInfo",
        "nonsense",
        "",
    ] {
        for arguments in [
            json!(null),
            json!({}),
            json!([1, 2]),
            json!({"frameId": -3, "variablesReference": 1e99, "program": 7, "expression": [], "breakpoints": 3}),
        ] {
            let message = client.refused(command, arguments);
            assert!(!message.is_empty());
        }
    }
    for command in [
        "setBreakpoints",
        "setDataBreakpoints",
        "setExceptionBreakpoints",
        "pause",
        "threads",
    ] {
        client.ask(command, json!({"breakpoints": [{}, 3, null, {"line": -1}, {"line": 1e30}], "filters": {"x": 1}}));
    }
    let mut client = Client::launched("let a = [1];\nprint(a);", 1, true, &[]);
    client.ask("configurationDone", json!({}));
    client.go("next");
    for number in [0, 1, 99, u64::MAX] {
        client.send("variables", json!({"variablesReference": number}));
        client.ask("scopes", json!({"frameId": number}));
        client.send("stepIn", json!({"targetId": number}));
        client.ask(
            "stackTrace",
            json!({"startFrame": number, "levels": number}),
        );
        client.send("evaluate", json!({"expression": "a", "frameId": number}));
        client.set_breakpoints(json!([{"line": number}]));
    }
    assert_eq!(client.result("a"), "[1]");
    client.ask("disconnect", json!({}));
    client.refused("stackTrace", json!({}));
}

#[test]
fn a_long_value_says_that_there_is_more_of_it() {
    let text = "let all = range(5000);\nlet text = join(all, \"\");\nprint(1);\n";
    let mut client = Client::launched(text, 1, false, &[]);
    client.set_breakpoints(json!([{"line": 3}]));
    client.ask("configurationDone", json!({}));
    client.wait();
    let globals = client.scope(1, "Globals");
    for name in ["all", "text"] {
        let value = named(&globals, name)["value"].as_str().unwrap();
        assert!(value.ends_with("...") && value.len() == 203, "{value}");
        // Where it is evaluated there is more, and a copy has all.
        assert_eq!(client.result(name).len(), 5003, "{name}");
        let copy = json!({"expression": name, "frameId": 1, "context": "clipboard"});
        let copied = client.ask("evaluate", copy)["result"].clone();
        assert!(copied.as_str().unwrap().contains("4999"), "{name}");
    }
    assert_eq!(client.parts(named(&globals, "all")).len(), 5000);
}

#[test]
fn a_global_that_a_local_variable_covers_is_not_evaluated_by_its_name() {
    let text = "let g = makeGrid(2, 1, setOf(1, 2));\nlet n = 1;\nfunction f(g) {\n    print(g);\n}\nf(5);\n";
    let mut client = Client::launched(text, 1, false, &[]);
    client.set_breakpoints(json!([{"line": 4}]));
    client.ask("configurationDone", json!({}));
    client.wait();
    let globals = client.scope(1, "Globals");
    assert_eq!(named(&globals, "g")["evaluateName"], Value::Null);
    assert_eq!(named(&globals, "n")["evaluateName"], "n");
    let rows = client.parts(named(&globals, "g"));
    let cells = client.parts(&rows[0]);
    assert_eq!(cells[0]["evaluateName"], Value::Null);
    assert_eq!(client.result("g"), "5");
    // In the call below the name means it.
    let globals = client.scope(2, "Globals");
    assert_eq!(named(&globals, "g")["evaluateName"], "g");
    // It can be narrowed all the same.
    client.ask(
        "setVariable",
        json!({"variablesReference": rows[0]["variablesReference"], "name": "[0, 0]", "value": "2"}),
    );
    let globals = client.scope(1, "Globals");
    let rows = client.parts(named(&globals, "g"));
    assert_eq!(rows[0]["value"], "2  12");
}
