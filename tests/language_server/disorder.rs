//! Documents and files that come, go and change in any order, and places that are none.

use ndscript::Engine;
use ndscript_editor::Server;
use serde_json::{Value, json};

use crate::client::{Client, Memory, place, uri};
use crate::hostile::{AT_PLACES, OF_DOCUMENTS, ask_all, ask_all_of, everything};

const A: &str = "/work/a.nds";

const PATHS: [&str; 4] = [A, "/work/b.nds", "/work/c.nds", "/work/\u{e4} b.nds"];

/// Texts that import one another, in circles too.
const TEXTS: [&str; 10] = [
    "import \"a.nds\";\nlet total = 1;\nprint(total);\n",
    "import \"b.nds\";\nimport \"c.nds\";\nprint(total, f(total));\n",
    "import \"c.nds\";\nfunction f(total) { return total; }\n",
    "import \"\u{e4} b.nds\";\nlet \u{e4} = \"\u{1f600}\"; print(\u{e4}, total);\n",
    "import \"a.nds\";\nimport \"a.nds\";\nlet total = 2;\n// \u{1f600}\n",
    "import \"std/picks.nds\"; let total = pick([1, 2], 1);\n",
    "let total = 3;\nlet other = total;\n{ let total = other; print(total); }\n",
    "import \"d.json\" as total;\nprint(total, \"red\");\n",
    "let total = ;\nfunction f( {",
    "",
];

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

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// What an editor has open, as it sees it.
type Open = std::collections::BTreeMap<&'static str, String>;

/// One thing that an editor may say or another program may do; the server is not told of files.
fn disturb(client: &mut Client, files: &Memory, open: &mut Open, random: &mut Random) {
    let path = random.of(&PATHS);
    let text = random.of(&TEXTS);
    match random.below(8) {
        // Also of what is open.
        0 | 1 => {
            client.open(path, text);
            open.insert(path, text.to_string());
        }
        // Also of what is not.
        2 => {
            let document = json!({"textDocument": {"uri": uri(path)}});
            client.tell("textDocument/didClose", document);
            open.remove(path);
        }
        3 => {
            client.replace(path, text);
            if let Some(known) = open.get_mut(path) {
                *known = text.to_string();
            }
        }
        // Places that are far away, end before they begin, or lie in what the change before has made.
        4 => {
            let far = [0, 1, 2, 7, 99, u32::MAX];
            let mut place = || json!({"line": random.of(&far), "character": random.of(&far)});
            let mut change =
                |text: &str| json!({"range": {"start": place(), "end": place()}, "text": text});
            let changes = json!([change("x"), change("\n\u{1f600}"), change(""), {"text": text}]);
            client.change(path, changes);
            if let Some(known) = open.get_mut(path) {
                *known = text.to_string();
            }
        }
        5 => {
            files.0.lock().unwrap().remove(path);
        }
        _ => {
            let mut files = files.0.lock().unwrap();
            files.insert(path.to_string(), text.to_string());
            files.insert("/work/d.json".to_string(), text.to_string());
        }
    }
}

#[test]
fn everything_comes_in_any_order() {
    let mut random = Random(3);
    let files = Memory::default();
    let mut client = Client::with_files(Engine::new(), files.clone());
    let mut open = Open::new();
    for round in 0..2_000 {
        disturb(&mut client, &files, &mut open, &mut random);
        if random.below(3) > 0 {
            client.work(None);
        }
        let path = random.of(&PATHS);
        let text = open.get(path).cloned().unwrap_or_default();
        let names = text.match_indices("total").map(|(at, _)| at + 1);
        let names: Vec<usize> = names.chain([0, text.len()]).collect();
        ask_all_of(&mut client, path, &place(&text, random.of(&names)));
        if round % 50 > 0 {
            continue;
        }
        // With the files as they are, it knows what one knows that was started now.
        client.tell("workspace/didChangeWatchedFiles", json!({"changes": []}));
        let mut fresh = Client::with_files(Engine::new(), files.clone());
        for (path, text) in &open {
            fresh.open(path, text);
        }
        for path in open.keys() {
            assert_eq!(client.diagnostics(path), fresh.diagnostics(path), "{path}");
        }
    }
}

#[test]
fn a_new_name_is_right_however_files_have_changed_meanwhile() {
    let files = Memory::default();
    let write = |text: &str| {
        let mut files = files.0.lock().unwrap();
        files.insert("/work/b.nds".to_string(), text.to_string());
    };
    write("let filler = 1;\nlet total = 3;");
    let mut client = Client::with_files(Engine::new(), files.clone());
    let text = "import \"b.nds\";\nprint(total);";
    client.open(A, text);
    client.work(None);
    let mut here = everything(&place(text, text.find("total").unwrap()));
    for (now, starts) in [
        ("let \u{e4} = 1; let total = 3;", 15),
        ("let total = 3;", 4),
    ] {
        write(now);
        let edit = client.ask("textDocument/rename", here.clone());
        let start = &edit["changes"][uri("/work/b.nds")][0]["range"]["start"];
        assert_eq!(start, &json!({"line": 0, "character": starts}));
    }
    // Nothing declares it any more.
    write("let \u{e4} = 1;");
    here["context"] = json!({"includeDeclaration": true});
    let found = client.ask("textDocument/references", here);
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
}

#[test]
fn places_that_are_none_are_refused() {
    let mut client = Client::new();
    let text = "let total = 1;\nprint(total);";
    client.open(A, text);
    let odd = [
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!("1"),
        json!(null),
        json!([1]),
    ];
    for number in odd {
        for place in [
            json!({"line": number, "character": 0}),
            json!({"line": 0, "character": number}),
        ] {
            for method in AT_PLACES.iter().chain(OF_DOCUMENTS) {
                let answer = client.answer(&format!("textDocument/{method}"), everything(&place));
                let needs_place = !["documentSymbol", "foldingRange", "semanticTokens/full"]
                    .iter()
                    .chain(&["documentLink", "documentColor", "formatting", "codeLens"])
                    .any(|it| it == method);
                let is_refused = answer["error"]["code"] == -32602;
                assert_eq!(is_refused, needs_place, "{method} {place}: {answer}");
            }
            let range = json!({"start": place, "end": place});
            client.change(A, json!([{"range": range, "text": "x"}]));
        }
    }
    // None of the changes was one.
    let document = json!({"textDocument": {"uri": uri(A)}});
    let symbols = client.ask("textDocument/documentSymbol", document);
    assert_eq!(symbols.as_array().unwrap().len(), 1, "{symbols}");
    assert_eq!(client.diagnostics(A).len(), 0);
}

#[test]
fn names_that_are_none_are_refused() {
    let mut client = Client::new();
    let text = "let total = 1;\nprint(total);";
    client.open(A, text);
    let long = "x".repeat(1 << 20) + " ";
    let words = ["let", "choose", "or", "foreach", "true", "first y", "print"];
    let odd = [
        "\u{0}",
        "a\nb",
        "a;b",
        "// a",
        "\"a\"",
        "\u{1f600}",
        "1",
        &long,
    ];
    for name in words.iter().chain(&odd) {
        let mut here = everything(&json!({"line": 0, "character": 5}));
        here["newName"] = json!(name);
        let answer = client.answer("textDocument/rename", here);
        assert_eq!(answer["error"]["code"], -32803, "{name:?}");
    }
}

#[test]
fn changes_that_belong_to_no_text_are_passed_over() {
    let mut server = Server::new(Engine::new(), Memory::default(), Vec::new());
    for message in [
        json!({"id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri(A)}}}),
        json!({"method": "textDocument/didChange", "params":
            {"textDocument": {"uri": uri(A), "version": 3}, "contentChanges": [{"text": "x"}]}}),
        json!({"id": 2, "method": "textDocument/hover", "params": everything(&json!({"line": 0, "character": 0}))}),
    ] {
        server.receive(&message.to_string());
    }
    let mut said: Vec<Value> = Vec::new();
    while let Some(messages) = crate::client::said(&mut server) {
        said.extend(messages);
    }
    let last = said.last().unwrap();
    assert_eq!(
        (&last["id"], &last["error"]["code"]),
        (&json!(2), &json!(-32602))
    );
}

#[test]
fn what_is_very_long_on_one_line_is_worked_on() {
    let mut client = Client::new();
    // Each took time that grows with the square of its length, or longer.
    let texts = [
        "/* a */ ".repeat(60_000),
        format!("print(\"{}", ")".repeat(60_000)),
        format!("let a = 1;{}", "a = a;".repeat(60_000)),
        "}".repeat(60_000),
    ];
    for text in texts {
        client.open(A, &text);
        let mistakes = client.diagnostics(A);
        ask_all(&mut client, &json!({"line": 0, "character": 14}));
        let mut here = everything(&json!({"line": 0, "character": text.len()}));
        here["context"]["diagnostics"] = json!(mistakes);
        client.answer("textDocument/codeAction", here);
    }
}
