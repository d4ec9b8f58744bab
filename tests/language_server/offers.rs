//! What an editor gets.

use ndscript::Engine;
use ndscript::tiles::{TileSource, Tiles};
use ndscript_editor::{Files, Server};
use serde_json::{Value, json};

use crate::client::{Client, Memory, at_cursor, edited, place, said, uri};

const A: &str = "/work/a.nds";

pub fn labels(items: &Value) -> Vec<&str> {
    let items = items.as_array().unwrap().iter();
    items.map(|item| item["label"].as_str().unwrap()).collect()
}

/// What is offered at a place.
pub fn complete(client: &mut Client, here: Value) -> Value {
    let mut list = client.ask("textDocument/completion", here);
    list["items"].take()
}

#[test]
fn errors_and_warnings_are_told_with_what_to_do() {
    let mut client = Client::new();
    client.open(A, "let tree = 3;\nprint(tre);\n");
    let told = client.diagnostics(A);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["severity"], 2);
    assert!(
        told[0]["message"]
            .as_str()
            .unwrap()
            .ends_with("did you mean `tree`?")
    );
    assert_eq!(
        told[0]["range"]["start"],
        json!({"line": 1, "character": 6})
    );
    client.replace(A, "print(1)\nprint(2");
    let told = client.diagnostics(A);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().all(|told| told["severity"] == 1));
    client.replace(A, "print(1);");
    assert_eq!(client.diagnostics(A), [Value::Null; 0]);
}

#[test]
fn an_error_in_an_imported_file_stands_at_its_import() {
    let mut client = Client::with(Engine::new(), &[("/work/b.nds", "let x = ;")]);
    client.open(A, "let y = 1;\nimport \"b.nds\";\nprint(x);");
    let told = client.diagnostics(A);
    assert_eq!(told[0]["range"]["start"]["line"], 1, "{told:?}");
    assert_eq!(
        told[0]["relatedInformation"][0]["location"]["uri"],
        uri("/work/b.nds")
    );
    // The editor's text of it counts, not the one on disk.
    client.open("/work/b.nds", "let x = 1;");
    assert_eq!(client.diagnostics(A), [Value::Null; 0]);
    client.replace("/work/b.nds", "let z = 1;");
    assert_eq!(client.diagnostics(A).len(), 1);
}

#[test]
fn hints_become_changes() {
    let cases = [
        (
            "let tree = 3;\nprint(tre);\n",
            "let tree = 3;\nprint(tree);\n",
        ),
        (
            "let tree = 3\nprint(tree);\n",
            "let tree = 3;\nprint(tree);\n",
        ),
        (
            "total = 3;\nprint(total);\n",
            "var total = 3;\nprint(total);\n",
        ),
        (
            "let a = 1;\nif (a === 1) print(a);\n",
            "let a = 1;\nif (a == 1) print(a);\n",
        ),
        (
            "let a = 1;\nif (a = 1) print(a);\n",
            "let a = 1;\nif (a == 1) print(a);\n",
        ),
        (
            "const a = 1;\na = 2;\nprint(a);\n",
            "let a = 1;\na = 2;\nprint(a);\n",
        ),
        ("whlie (true) {}\n", "while (true) {}\n"),
        (
            "function f() {\n    let a = 1;\n}\nf();\n",
            "function f() {\n    let _a = 1;\n}\nf();\n",
        ),
        ("print((1 + 2);\n", "print((1 + 2));\n"),
        (
            "let a = [2, 1];\nsorted(a);\nprint(a);\n",
            "let a = [2, 1];\na = sorted(a);\nprint(a);\n",
        ),
        (
            "// A comment.\nmade = 1;\nprint(made);\n",
            "// A comment.\nvar made = 1;\nprint(made);\n",
        ),
        ("print(setOf([1]));\n", "print(toSet([1]));\n"),
        ("let a: number = 1;\nprint(a);\n", "let a = 1;\nprint(a);\n"),
        (
            "foreach (const x in [1]) print(x);\n",
            "foreach (x in [1]) print(x);\n",
        ),
        ("print(\"abc);\n", "print(\"abc\");\n"),
        ("let a := 1;\nprint(a);\n", "let a = 1;\nprint(a);\n"),
        ("print(1_000);\n", "print(1000);\n"),
        (
            "let a = 1;\nprint(a \u{2013} 2);\n",
            "let a = 1;\nprint(a - 2);\n",
        ),
        ("print(1\n", "print(1);\n"),
        (
            "for (const x of [1, 2]) { print(x); }\n",
            "foreach (x in [1, 2]) { print(x); }\n",
        ),
        (
            "foreach x in [1, 2] { print(x); }\n",
            "foreach (x in [1, 2]) { print(x); }\n",
        ),
        (
            "for x in [1, 2] { print(x); }\n",
            "foreach (x in [1, 2]) { print(x); }\n",
        ),
        (
            "for (int x : [1, 2]) { print(x); }\n",
            "foreach (x in [1, 2]) { print(x); }\n",
        ),
        (
            "for each (x in [1, 2]) { print(x); }\n",
            "foreach (x in [1, 2]) { print(x); }\n",
        ),
        (
            "let c = [1, 2];\nforeach (c as x) { print(x); }\n",
            "let c = [1, 2];\nforeach (x in c) { print(x); }\n",
        ),
        (
            "for (int i = 0; i < 3; i++) print(i);\n",
            "for (let i = 0; i < 3; i++) print(i);\n",
        ),
        (
            "for let i = 0; i < 3; i++ { print(i); }\n",
            "for (let i = 0; i < 3; i++) { print(i); }\n",
        ),
        (
            "let a = 1;\nwhile a < 2 { a++; }\n",
            "let a = 1;\nwhile (a < 2) { a++; }\n",
        ),
        (
            "let f = (x) -> x + 1;\nprint(f(1));\n",
            "let f = (x) => x + 1;\nprint(f(1));\n",
        ),
        (
            "let a = {1, 2,};\nprint(a);\n",
            "let a = setOf(1, 2);\nprint(a);\n",
        ),
        ("print(len([1]));\n", "print(sizeOf([1]));\n"),
        ("print(sort([2, 1]));\n", "print(sorted([2, 1]));\n"),
        ("console.log(1);\n", "printLine(1);\n"),
        ("print(Math.floor(1.5));\n", "print(floor(1.5));\n"),
        ("print(nil);\n", "print(null);\n"),
    ];
    for (text, wanted) in cases {
        let mut client = Client::new();
        client.open(A, text);
        let told = client.diagnostics(A);
        assert_eq!(told.len(), 1, "{text}: {told:?}");
        let parameters = json!({
            "textDocument": {"uri": uri(A)},
            "range": told[0]["range"],
            "context": {"diagnostics": told},
        });
        let actions = client.ask("textDocument/codeAction", parameters);
        let edits = &actions[0]["edit"]["changes"][uri(A)];
        assert!(edits.is_array(), "{text}: {told:?} {actions}");
        assert_eq!(edited(text, edits), wanted);
        client.replace(A, wanted);
        assert_eq!(client.diagnostics(A), [Value::Null; 0], "{text}");
    }
}

#[test]
fn words_are_completed_by_what_is_visible() {
    let mut client = Client::new();
    let text = "function around(spot) { let space = 1; sp^ }\nlet spare = 2;\nfunction other(spoon) { return spoon; }\n";
    let here = at_cursor(&mut client, A, text);
    let items = complete(&mut client, here);
    let found = labels(&items);
    assert!(
        found.starts_with(&["space", "spare", "split", "spot"]),
        "{found:?}"
    );
    assert!(!found.contains(&"spoon"), "{found:?}");
    let split = &items[found.iter().position(|it| *it == "split").unwrap()];
    assert!(
        split["textEdit"]["newText"]
            .as_str()
            .unwrap()
            .starts_with("split(${1:"),
        "{split}"
    );
    assert!(
        split["documentation"]["value"]
            .as_str()
            .unwrap()
            .contains("=>"),
        "{split}"
    );
    let here = at_cursor(&mut client, A, "foreac^");
    let items = complete(&mut client, here);
    assert_eq!(labels(&items), ["foreach"]);
    assert_eq!(items[0]["insertTextFormat"], 2);
    for nothing in ["print(\"sp^\");", "// sp^", "`sp^"] {
        let here = at_cursor(&mut client, A, nothing);
        assert_eq!(labels(&complete(&mut client, here)), [""; 0], "{nothing}");
    }
    let here = at_cursor(&mut client, A, "let spare = 1; print(`${sp^}`);");
    assert!(labels(&complete(&mut client, here)).contains(&"spare"));
    let here = at_cursor(&mut client, A, "let o = {speed: 1, weight: 2}; print(o.^);");
    assert_eq!(
        labels(&complete(&mut client, here)),
        ["speed", "weight", "x", "y"]
    );
}

#[test]
fn an_editor_asks_again_for_built_ins_when_a_word_begins() {
    let mut client = Client::new();
    for (text, is_incomplete) in [
        ("let a = 1;\n^", true),
        ("ma^", false),
        ("let o = {};\no.^", false),
    ] {
        let here = at_cursor(&mut client, A, text);
        let list = client.ask("textDocument/completion", here);
        assert_eq!(list["isIncomplete"], is_incomplete, "{text}");
    }
}

#[test]
fn of_very_many_names_some_are_offered_and_more_when_more_is_written() {
    let mut client = Client::new();
    let names: String = (0..2000).map(|at| format!("let v{at} = {at};\n")).collect();
    let inner = format!("{names}function f(inner) {{ ^ }}");
    let here = at_cursor(&mut client, A, &inner);
    let list = client.ask("textDocument/completion", here);
    let found = labels(&list["items"]);
    assert!(
        found.len() < 1000 && found.contains(&"inner"),
        "{}",
        found.len()
    );
    assert_eq!(list["isIncomplete"], true);
    let here = at_cursor(&mut client, A, &format!("{names}print(v199^);"));
    let found = complete(&mut client, here);
    assert_eq!(labels(&found)[..3], ["v199", "v1990", "v1991"]);
}

#[test]
fn files_to_import_are_completed() {
    let mut client = Client::with(Engine::new(), &[("/work/parts/trees.nds", "let x = 1;")]);
    let here = at_cursor(&mut client, A, "import \"^\";");
    let items = complete(&mut client, here);
    let found = labels(&items);
    assert!(
        found.contains(&"parts/trees.nds") && found.contains(&"std/picks.nds"),
        "{found:?}"
    );
    let here = at_cursor(&mut client, A, "import \"std/pi^\";");
    assert_eq!(labels(&complete(&mut client, here)), ["std/picks.nds"]);
}

#[test]
fn files_that_change_elsewhere_are_read_again() {
    let files = Memory::default();
    let mut server = Server::new(Engine::new(), files.clone(), Vec::new());
    let watching = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let initialize = json!({"id": 1, "method": "initialize", "params": {"capabilities": watching}});
    server.receive(&initialize.to_string());
    server.receive(&json!({"method": "initialized", "params": {}}).to_string());
    said(&mut server).unwrap();
    let asked = said(&mut server).unwrap();
    assert_eq!(asked[0]["method"], "client/registerCapability");
    server.receive(&json!({"id": asked[0]["id"], "result": null}).to_string());
    let document = json!({"uri": uri(A), "languageId": "ndscript", "version": 1, "text": "import \"b.nds\";\nprint(b);"});
    let open = json!({"method": "textDocument/didOpen", "params": {"textDocument": document}});
    server.receive(&open.to_string());
    let errors = |server: &mut Server| {
        let mut last = Vec::new();
        while let Some(messages) = said(server) {
            last.extend(messages);
        }
        let last = last.pop().unwrap();
        last["params"]["diagnostics"].as_array().unwrap().len()
    };
    assert_eq!(errors(&mut server), 1);
    files
        .0
        .lock()
        .unwrap()
        .insert("/work/b.nds".to_string(), "let b = 1;".to_string());
    let change = json!({"changes": [{"uri": uri("/work/b.nds"), "type": 1}]});
    server.receive(
        &json!({"method": "workspace/didChangeWatchedFiles", "params": change}).to_string(),
    );
    assert_eq!(errors(&mut server), 0);
}

#[test]
fn words_are_explained() {
    let mut client = Client::new();
    let hover = |client: &mut Client, text: &str| {
        let here = at_cursor(client, A, text);
        let hover = client.ask("textDocument/hover", here);
        hover["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_string()
    };
    assert!(hover(&mut client, "print(siz^eOf([1]));").contains("sizeOf(collection)"));
    let text =
        "// Twice a number.\nfunction double(n, m = 2) { return n * m; }\nprint(dou^ble(2));";
    let found = hover(&mut client, text);
    assert!(
        found.contains("function double(n, m = 2)") && found.ends_with("Twice a number."),
        "{found}"
    );
    assert!(hover(&mut client, "let size = 12; print(si^ze);").contains("let size = 12"));
    assert!(
        hover(
            &mut client,
            "import \"std/pi^cks.nds\"; print(pick([1], 1));"
        )
        .len()
            > 20
    );
    assert!(
        hover(
            &mut client,
            "import \"std/picks.nds\"; print(pi^ck([1], 1));"
        )
        .contains("std/picks.nds")
    );
    assert_eq!(hover(&mut client, "print(1);^"), "");
}

#[test]
fn parameters_of_the_call_are_shown() {
    let mut client = Client::new();
    let here = at_cursor(&mut client, A, "let x = 1;\nprint(chooseElement([1, 2], ^");
    let help = client.ask("textDocument/signatureHelp", here);
    let label = help["signatures"][0]["label"].as_str().unwrap();
    assert!(label.starts_with("chooseElement(collection"), "{help}");
    assert_eq!(help["activeParameter"], 1);
    let bytes = &help["signatures"][0]["parameters"][0]["label"];
    let bytes = bytes[0].as_u64().unwrap() as usize..bytes[1].as_u64().unwrap() as usize;
    assert_eq!(&label[bytes], "collection");
    let here = at_cursor(
        &mut client,
        A,
        "// Adds.\nfunction add(a, b) { return a + b; }\nadd(1^",
    );
    let help = client.ask("textDocument/signatureHelp", here);
    assert_eq!(help["signatures"][0]["label"], "add(a, b)");
    assert_eq!(help["activeParameter"], 0);
    let here = at_cursor(&mut client, A, "let x = [1, ^");
    assert_eq!(client.ask("textDocument/signatureHelp", here), Value::Null);
}

#[test]
fn names_lead_to_their_declarations() {
    let files = [
        (
            "/work/b.nds",
            "import \"c.nds\";\nfunction deep() { return top; }",
        ),
        ("/work/c.nds", "\nlet top = 3;"),
    ];
    let mut client = Client::with(Engine::new(), &files);
    let mut definition = |text: &str| {
        let here = at_cursor(&mut client, A, text);
        let found = client.ask("textDocument/definition", here);
        let start = &found["range"]["start"];
        (
            found["uri"].as_str().unwrap_or_default().to_string(),
            start["line"].as_u64(),
        )
    };
    assert_eq!(
        definition("let x = 1;\n{ let x = 2; print(^x); }"),
        (uri(A), Some(1))
    );
    assert_eq!(
        definition("let x = 1;\n{ let y = 2; print(x^, y); }"),
        (uri(A), Some(0))
    );
    assert_eq!(
        definition("import \"b.nds\"; print(to^p);"),
        (uri("/work/c.nds"), Some(1))
    );
    assert_eq!(
        definition("import \"b.nds\"; print(deep^());"),
        (uri("/work/b.nds"), Some(1))
    );
    assert_eq!(
        definition("import \"b.^nds\"; print(deep());"),
        (uri("/work/b.nds"), Some(0))
    );
    let (library, line) = definition("import \"std/picks.nds\"; print(pi^ck([1], 1));");
    assert_eq!(library, uri("/library/std/picks.nds"));
    assert!(line > Some(0));
    assert_eq!(definition("print(siz^eOf([]));").1, None);
    // In a text with errors, too.
    assert_eq!(
        definition("let x = 1;\nif (\nprint(^x);"),
        (uri(A), Some(0))
    );
}

#[test]
fn names_are_found_everywhere() {
    let files = [
        ("/work/b.nds", "import \"a.nds\";\nprint(total);"),
        ("/work/c.nds", "let total = 1;\nprint(total);"),
    ];
    let mut client = Client::with(Engine::new(), &files);
    let mut here = at_cursor(
        &mut client,
        A,
        "let total = 1;\nfunction f(total) { return total; }\nprint(^total, f(2));",
    );
    here["context"] = json!({"includeDeclaration": true});
    let found = client.ask("textDocument/references", here.clone());
    let mut places: Vec<(&str, u64)> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["uri"].as_str().unwrap(),
                it["range"]["start"]["line"].as_u64().unwrap(),
            )
        })
        .collect();
    places.sort_unstable();
    let (a, b) = (uri(A), uri("/work/b.nds"));
    assert_eq!(places, [(&*a, 0), (&*a, 2), (&*b, 1)]);
    here["context"] = json!({"includeDeclaration": false});
    assert_eq!(
        client
            .ask("textDocument/references", here.clone())
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        client
            .ask("textDocument/documentHighlight", here)
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn names_are_changed_where_that_changes_nothing_else() {
    let files = [
        (
            "/work/b.nds",
            "import \"a.nds\";\nlet wide = 1;\nprint(total, wide);",
        ),
        ("/work/c.nds", "import \"a.nds\";\nlet high = 1;"),
    ];
    let mut client = Client::with(Engine::new(), &files);
    let text = "let total = 1;\nfunction f(inner) { return total + inner; }\nprint(^total, f(2));";
    let mut here = at_cursor(&mut client, A, text);
    let prepared = client.ask("textDocument/prepareRename", here.clone());
    assert_eq!(prepared["placeholder"], "total");
    here["newName"] = json!("sum2");
    let edit = client.ask("textDocument/rename", here.clone());
    let changed = edited(&text.replace('^', ""), &edit["changes"][uri(A)]);
    assert_eq!(
        changed,
        "let sum2 = 1;\nfunction f(inner) { return sum2 + inner; }\nprint(sum2, f(2));"
    );
    let changed = edited(files[0].1, &edit["changes"][uri("/work/b.nds")]);
    assert_eq!(
        changed,
        "import \"a.nds\";\nlet wide = 1;\nprint(sum2, wide);"
    );
    // It would be captured, collide, hide a function that is used, or collide in programs that import it.
    for refused in ["inner", "f", "print", "wide", "high", "if", "2x", "a b", ""] {
        here["newName"] = json!(refused);
        let answer = client.answer("textDocument/rename", here.clone());
        assert_eq!(answer["error"]["code"], -32803, "{refused}: {answer}");
    }
    // What nothing declares is nothing before it is assigned; a built-in is there.
    let undeclared = "choose first { made = 1; fail; } or {}\nprint(ma^de);";
    let mut here = at_cursor(&mut client, A, undeclared);
    for (new, is_refused) in [("add", true), ("other", false)] {
        here["newName"] = json!(new);
        let answer = client.answer("textDocument/rename", here.clone());
        assert_eq!(answer.get("error").is_some(), is_refused, "{answer}");
    }
    for text in ["pri^nt(1);", "import \"std/picks.nds\"; pi^ck([1], 1);"] {
        let mut here = at_cursor(&mut client, A, text);
        assert!(
            client
                .answer("textDocument/prepareRename", here.clone())
                .get("error")
                .is_some()
        );
        here["newName"] = json!("other");
        assert!(
            client
                .answer("textDocument/rename", here)
                .get("error")
                .is_some(),
            "{text}"
        );
    }
}

#[test]
fn a_document_is_outlined_folded_and_selected() {
    let mut client = Client::new();
    let text = "// One.\n// Two.\nfunction f(a) {\n    let b = [\n        1,\n    ];\n    return a;\n}\nconst K = 3;\n";
    client.open(A, text);
    let document = json!({"textDocument": {"uri": uri(A)}});
    let symbols = client.ask("textDocument/documentSymbol", document.clone());
    assert_eq!(symbols[0]["name"], "f");
    assert_eq!(symbols[0]["children"][0]["name"], "b");
    assert_eq!(
        (&symbols[1]["name"], &symbols[1]["kind"]),
        (&json!("K"), &json!(14))
    );
    let folds = client.ask("textDocument/foldingRange", document);
    let folds: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| {
            (
                fold["startLine"].as_u64().unwrap(),
                fold["endLine"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(folds, [(0, 1), (2, 6), (3, 4)]);
    let at = text.find("1,").unwrap();
    let selected = client.ask(
        "textDocument/selectionRange",
        json!({"textDocument": {"uri": uri(A)}, "positions": [place(text, at)]}),
    );
    let mut lines = Vec::new();
    let mut range = &selected[0];
    while range.is_object() {
        lines.push(range["range"]["start"]["line"].as_u64().unwrap());
        range = &range["parent"];
    }
    assert!(
        lines.len() > 4 && lines.is_sorted_by(|inner, outer| inner >= outer),
        "{lines:?}"
    );
    let found = client.ask("workspace/symbol", json!({"query": "k"}));
    assert_eq!(found[0]["name"], "K");
}

#[test]
fn words_get_the_color_of_what_they_are() {
    let mut client = Client::new();
    client.open(
        A,
        "const k = f(1);\nfunction f(n) {\n    return n + `a\nb` + sizeOf(o.p);\n}\n",
    );
    let found = client.ask(
        "textDocument/semanticTokens/full",
        json!({"textDocument": {"uri": uri(A)}}),
    );
    let numbers: Vec<u64> = found["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_u64().unwrap())
        .collect();
    let (mut line, mut start) = (0, 0);
    let mut tokens = Vec::new();
    for token in numbers.chunks(5) {
        start = if token[0] > 0 {
            token[1]
        } else {
            start + token[1]
        };
        line += token[0];
        tokens.push((line, start, token[2], token[3], token[4]));
    }
    // Keyword, constant that is declared here, function, number.
    assert!(
        tokens.starts_with(&[
            (0, 0, 5, 0, 0),
            (0, 6, 1, 1, 5),
            (0, 8, 1, 5, 0),
            (0, 10, 1, 6, 0),
            (0, 12, 1, 2, 0)
        ]),
        "{tokens:?}"
    );
    assert!(
        tokens.contains(&(1, 11, 1, 7, 4)),
        "the parameter: {tokens:?}"
    );
    assert!(
        tokens.contains(&(3, 5, 6, 6, 2)),
        "the built-in: {tokens:?}"
    );
    assert!(tokens.contains(&(3, 14, 1, 8, 0)), "the field: {tokens:?}");
    // A text over two lines is two tokens.
    assert!(
        tokens.contains(&(2, 15, 2, 3, 0)) && tokens.contains(&(3, 0, 2, 3, 0)),
        "{tokens:?}"
    );
}

#[test]
fn data_has_a_name_like_any_other() {
    let mut client = Client::with(Engine::new(), &[("/work/d.json", "{}")]);
    client.open(A, "import \"d.json\" as data;\n");
    let document = json!({"textDocument": {"uri": uri(A)}});
    let found = client.ask("textDocument/semanticTokens/full", document);
    let types: Vec<&Value> = found["data"].as_array().unwrap()[3..]
        .iter()
        .step_by(5)
        .collect();
    // A keyword, a text, a keyword, a variable.
    assert_eq!(types[..4], [0, 3, 0, 1]);
}

#[test]
fn imports_are_links_and_tile_names_have_colors() {
    let mut client = Client::with(Engine::new(), &[("/work/b.nds", "")]);
    client.open(A, "import \"b.nds\";\nimport \"std/picks.nds\";\nlet t = [\"#ff8000\", \"navy\", \"no color\"];\n");
    let document = json!({"textDocument": {"uri": uri(A)}});
    let links = client.ask("textDocument/documentLink", document.clone());
    assert_eq!(links[0]["target"], uri("/work/b.nds"));
    assert_eq!(links[1]["target"], uri("/library/std/picks.nds"));
    let colors = client.ask("textDocument/documentColor", document);
    assert_eq!(colors.as_array().unwrap().len(), 2, "{colors}");
    assert_eq!(colors[0]["color"]["red"], 1.0);
    let parameters = json!({"textDocument": {"uri": uri(A)}, "color": colors[1]["color"], "range": colors[1]["range"]});
    let shown = client.ask("textDocument/colorPresentation", parameters);
    assert_eq!(labels(&shown), ["#000080", "navy"]);
}

/// A host whose programs have one image beside them.
struct OneImage;

impl Files for OneImage {
    fn tiles(&self, _program: &str) -> Tiles {
        Tiles::new(OneImage)
    }
}

impl TileSource for OneImage {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, String> {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        png.extend([0, 0, 0, 8, 0, 0, 0, 8, 8, 6, 0, 0, 0]);
        Ok((path == "pictures/tree.png").then_some(png))
    }

    fn places(&self) -> String {
        "the test".to_string()
    }
}

#[test]
fn names_of_tiles_are_links_to_their_images() {
    let mut client = Client::with_files(Engine::new(), OneImage);
    let text = "let t = [\"pictures/tree\", \"navy\", \"pictures/tree.png@4:1,0\", \"pictures/tree@90\", \"pictures\"];\n";
    client.open(A, text);
    let links = client.ask(
        "textDocument/documentLink",
        json!({"textDocument": {"uri": uri(A)}}),
    );
    let links = links.as_array().unwrap();
    let starts: Vec<&Value> = links
        .iter()
        .map(|link| &link["range"]["start"]["character"])
        .collect();
    assert_eq!(starts, [10, 35, 62]);
    for link in links {
        assert_eq!(link["target"], uri("/work/pictures/tree.png"));
    }
}

#[test]
fn documents_and_parts_of_them_are_formatted() {
    let mut client = Client::new();
    let text = "var a=1;\nvar b  =2;\nvar c=  3;\nprint(a,b,c);\n";
    client.open(A, text);
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let document = json!({"textDocument": {"uri": uri(A)}, "options": options});
    let edits = client.ask("textDocument/formatting", document);
    assert_eq!(edited(text, &edits), ndscript_editor::format(text).unwrap());
    let range = json!({"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 3}});
    let part = json!({"textDocument": {"uri": uri(A)}, "range": range, "options": options});
    let edits = client.ask("textDocument/rangeFormatting", part);
    let changed = edited(text, &edits);
    assert_eq!(changed, "var a=1;\nvar b = 2;\nvar c=  3;\nprint(a,b,c);\n");
    let ragged = "f( 1,\n  2 ) ;\n\n\nlet a = [ 1,2, ];let b=2;\n// c\nif(a)\n{ f( b ); }";
    client.replace(A, ragged);
    let document = json!({"textDocument": {"uri": uri(A)}, "options": options});
    let edits = client.ask("textDocument/formatting", document);
    let formatted = ndscript_editor::format(ragged).unwrap();
    assert_eq!(edited(ragged, &edits), formatted);
    // Each change by itself leaves the program as it is.
    for edit in edits.as_array().unwrap() {
        let part = edited(ragged, &json!([edit]));
        assert_eq!(ndscript_editor::format(&part).unwrap(), formatted);
    }
    client.replace(A, "var a = ;");
    let document = json!({"textDocument": {"uri": uri(A)}, "options": options});
    assert_eq!(client.ask("textDocument/formatting", document), json!([]));
}

#[test]
fn programs_and_tests_can_be_run() {
    let mut client = Client::new();
    client.open(
        A,
        "let x = 1;\nprint(x);\nfunction testIt(a = 1) { require(x == a); }\nfunction tester(n) {}\n{ function testInside() {} }\n",
    );
    let found = client.ask(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": uri(A)}}),
    );
    assert_eq!(found[0]["command"]["command"], "ndscript.run");
    assert_eq!(found[1]["command"]["command"], "ndscript.nextSolution");
    assert_eq!(found[2]["command"]["arguments"], json!([uri(A), "testIt"]));
    assert_eq!(found[2]["range"]["start"]["line"], 2);
    // What `ndscript test` does not run.
    assert_eq!(found[3], Value::Null);
}
