//! Messages that are wrong, huge, late, cancelled or out of order, and texts that are being written.

use std::sync::Mutex;

use ndscript::Engine;
use ndscript_editor::{NoFiles, Server};
use serde_json::{Value, json};

use crate::client::{Client, Memory, place, said, uri};

const A: &str = "/work/a.nds";

/// Requests about a place in a document.
pub const AT_PLACES: &[&str] = &[
    "completion",
    "hover",
    "signatureHelp",
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
    "selectionRange",
];

/// Requests about a document, or a part of it.
pub const OF_DOCUMENTS: &[&str] = &[
    "documentSymbol",
    "foldingRange",
    "semanticTokens/full",
    "semanticTokens/range",
    "documentLink",
    "documentColor",
    "colorPresentation",
    "formatting",
    "rangeFormatting",
    "codeLens",
    "codeAction",
];

/// Parameters with everything that any request wants.
pub fn everything(place: &Value) -> Value {
    let mistake = json!({"range": {"start": place, "end": place}, "message": "any"});
    json!({
        "textDocument": {"uri": uri(A)},
        "position": place,
        "positions": [place],
        "range": {"start": {"line": 0, "character": 0}, "end": place},
        "context": {"includeDeclaration": true, "diagnostics": [mistake]},
        "newName": "other",
        "options": {"tabSize": 4, "insertSpaces": true},
        "color": {"red": 0.5, "green": 2.0, "blue": -1.0, "alpha": 1.0},
        "query": "a",
    })
}

/// Asks everything at a place; each request is answered, some with an error.
pub fn ask_all(client: &mut Client, place: &Value) {
    ask_all_of(client, A, place);
}

/// The same in another document.
pub fn ask_all_of(client: &mut Client, path: &str, place: &Value) {
    let mut parameters = everything(place);
    parameters["textDocument"]["uri"] = json!(uri(path));
    for method in AT_PLACES.iter().chain(OF_DOCUMENTS) {
        client.answer(&format!("textDocument/{method}"), parameters.clone());
    }
}

fn example(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/");
    std::fs::read_to_string(format!("{root}{path}")).unwrap()
}

/// Lets a server work; returns what it says.
fn told(server: &mut Server, messages: &[Value]) -> Vec<Value> {
    for message in messages {
        server.receive(&message.to_string());
    }
    let mut told = Vec::new();
    while let Some(messages) = said(server) {
        told.extend(messages);
    }
    told
}

fn request(id: i64, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"capabilities": {}}})
}

#[test]
fn what_is_no_message_is_answered_or_passed_over() {
    let mut client = Client::new();
    let odd = [
        json!(null),
        json!(7),
        json!("initialize"),
        json!([]),
        json!([{"method": "shutdown", "id": 1}]),
        json!({}),
        json!({"id": 7}),
        json!({"method": 7, "id": 7}),
        json!({"id": {"a": [1]}, "method": "textDocument/hover"}),
        json!({"id": 1, "result": null}),
        json!({"method": "textDocument/didOpen"}),
        json!({"method": "textDocument/didChange", "params": [[[]]]}),
        json!({"method": "textDocument/didClose", "params": {"textDocument": {"uri": "nowhere"}}}),
        json!({"method": "$/cancelRequest"}),
        json!({"method": "$/cancelRequest", "params": {"id": 99}}),
        json!({"method": "no/such", "params": {}}),
    ];
    for message in odd {
        client.send(message.clone());
        while let Some(answers) = client.step() {
            for answer in answers {
                let is_error = answer["error"]["code"].is_i64();
                assert!(
                    is_error || answer.get("method").is_some(),
                    "{message}: {answer}"
                );
            }
        }
    }
    for text in ["", "{", "\u{0}", "{\"id\": 1, \"method\": \"shutdown\"} x"] {
        client.server.receive(text);
        assert!(
            client.step().unwrap()[0]["error"]["code"].is_i64(),
            "{text}"
        );
    }
    for method in AT_PLACES.iter().chain(OF_DOCUMENTS) {
        for parameters in [
            json!(null),
            json!([]),
            json!({}),
            json!({"textDocument": 3}),
            everything(&json!(7)),
        ] {
            let answer = client.answer(&format!("textDocument/{method}"), parameters);
            assert!(answer["error"]["code"].is_i64(), "{method}: {answer}");
        }
    }
    client.open(A, "print(1);");
    assert_eq!(client.diagnostics(A).len(), 0);
}

#[test]
fn messages_out_of_order_are_refused() {
    let mut server = Server::new(Engine::new(), NoFiles, Vec::new());
    let code = |told: &[Value]| told[0]["error"]["code"].as_i64();
    assert_eq!(
        code(&told(&mut server, &[request(1, "textDocument/hover")])),
        Some(-32002)
    );
    assert_eq!(
        code(&told(&mut server, &[request(2, "shutdown")])),
        Some(-32002)
    );
    let open = json!({"method": "textDocument/didOpen", "params": {"textDocument":
        {"uri": "file:///a.nds", "languageId": "ndscript", "version": 1, "text": "x"}}});
    assert_eq!(
        told(&mut server, std::slice::from_ref(&open)),
        [Value::Null; 0]
    );
    assert_eq!(code(&told(&mut server, &[request(3, "initialize")])), None);
    assert_eq!(
        code(&told(&mut server, &[request(4, "initialize")])),
        Some(-32600)
    );
    assert_eq!(
        code(&told(&mut server, &[request(5, "no/such")])),
        Some(-32601)
    );
    assert_eq!(code(&told(&mut server, &[request(6, "shutdown")])), None);
    assert_eq!(
        code(&told(&mut server, &[request(7, "textDocument/hover")])),
        Some(-32600)
    );
    assert_eq!(server.ended(), None);
    told(&mut server, &[json!({"method": "exit"})]);
    assert_eq!(server.ended(), Some(0));
    assert_eq!(
        told(&mut server, &[request(8, "initialize"), open]),
        [Value::Null; 0]
    );
    let mut server = Server::new(Engine::new(), NoFiles, Vec::new());
    told(
        &mut server,
        &[request(1, "initialize"), json!({"method": "exit"})],
    );
    assert_eq!(server.ended(), Some(1));
}

#[test]
fn what_is_cancelled_while_it_waits_is_not_worked_on() {
    let mut client = Client::new();
    client.open(A, "print(1);");
    client.work(None);
    let wanted = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": everything(&json!({"line": 0, "character": 2}))});
    client.send(wanted(501));
    client.send(wanted(502));
    client.tell("$/cancelRequest", json!({"id": 501}));
    let first = client.step().unwrap();
    assert_eq!(
        (&first[0]["id"], &first[0]["error"]["code"]),
        (&json!(501), &json!(-32800))
    );
    let second = client.step().unwrap();
    assert_eq!(second[0]["id"], 502);
    assert!(second[0]["result"].is_object());
    // Too late: it was answered.
    client.tell("$/cancelRequest", json!({"id": 502}));
    assert_eq!(client.step(), None);
}

#[test]
fn changes_that_do_not_fit_are_clamped() {
    let mut client = Client::new();
    client.open(A, "print(1);\nprint(2);");
    let far = json!({"line": 4_000_000_000u32, "character": 4_000_000_000u32});
    let start = json!({"line": 0, "character": 0});
    client.change(
        A,
        json!([{"range": {"start": far, "end": far}, "text": "\nprint(3);"}]),
    );
    client.change(
        A,
        json!([{"range": {"start": far, "end": start}, "text": "\n"}]),
    );
    client.change(A, json!([{"range": {"start": start, "end": start}, "text": "\u{1f600}"}, {"text": "print(\"\u{1f600}\");"}]));
    // Inside of a character that takes two units.
    let inside = json!({"line": 0, "character": 8});
    client.change(
        A,
        json!([{"range": {"start": inside, "end": inside}, "text": "x"}]),
    );
    assert_eq!(client.diagnostics(A).len(), 0);
    ask_all(&mut client, &far);
    client.change("/work/not_open.nds", json!([{"text": "x"}]));
    client.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri(A)}}),
    );
    assert_eq!(client.diagnostics(A).len(), 0);
    let answer = client.answer("textDocument/hover", everything(&start));
    assert_eq!(answer["error"]["code"], -32602);
}

#[test]
fn what_older_editors_leave_out_is_not_needed() {
    let files = Memory::default();
    let importing = (
        "/work/b.nds".to_string(),
        "import \"a.nds\";\nprint(old);".to_string(),
    );
    files.0.lock().unwrap().extend([importing]);
    let mut server = Server::new(Engine::new(), files, Vec::new());
    // One folder, and a change without a version.
    let initialize = json!({"id": 1, "method": "initialize", "params": {"rootUri": uri("/work"), "capabilities": {}}});
    let document =
        json!({"uri": uri(A), "languageId": "ndscript", "version": 1, "text": "let new = 1;"});
    let open = json!({"method": "textDocument/didOpen", "params": {"textDocument": document}});
    let whole = json!({"textDocument": {"uri": uri(A), "version": null}, "contentChanges": [{"text": "let old = 1;"}]});
    let change = json!({"method": "textDocument/didChange", "params": whole});
    let asked = json!({"id": 2, "method": "textDocument/references", "params": everything(&json!({"line": 0, "character": 5}))});
    let said = told(&mut server, &[initialize, open, change, asked]);
    let answer = said.iter().find(|message| message["id"] == 2).unwrap();
    assert_eq!(answer["result"].as_array().unwrap().len(), 2, "{answer}");
}

#[test]
fn huge_and_odd_texts_are_taken() {
    let mut client = Client::new();
    let lines: String = (0..20_000)
        .map(|at| format!("let v{at} = {at}; print(v{at});\n"))
        .collect();
    let texts = [
        lines,
        "x".repeat(1 << 20),
        // What goes over the line for each place in it takes minutes here.
        "f\u{fc}r(1, '\u{1f600}');".repeat(40_000),
        "(".repeat(1 << 16),
        format!("x = {}1{};", "[".repeat(190), "]".repeat(190)),
        format!("{}{}", "function f() { ".repeat(60), "}".repeat(60)),
        "`${".repeat(1000),
        "\r\n\r\r\n\t".repeat(1000),
        "\u{feff}\u{1f600}\u{0}\u{2028}".repeat(100),
        "import \"a.nds\";".to_string(),
        String::new(),
    ];
    for text in texts {
        client.open(A, &text);
        client.work(None);
        for at in [0, text.len() / 2, text.len()] {
            let at = (0..=at)
                .rev()
                .find(|at| text.is_char_boundary(*at))
                .unwrap();
            ask_all(&mut client, &place(&text, at));
        }
    }
}

/// A program that is being written: asks at the end of each prefix that ends `apart` bytes behind the one before.
fn write_slowly(path: &str, text: &str, first: usize, apart: usize) {
    let mut client = Client::new();
    client.open(A, "");
    let ends = (first..=text.len()).step_by(apart.max(1));
    for (number, end) in ends.enumerate() {
        if !text.is_char_boundary(end) {
            continue;
        }
        let prefix = &text[..end];
        client.replace(A, prefix);
        client.work(None);
        let here = place(prefix, end);
        for method in [
            "completion",
            "signatureHelp",
            "hover",
            "semanticTokens/full",
        ] {
            client.answer(&format!("textDocument/{method}"), everything(&here));
        }
        if number % 9 == 0 {
            ask_all(&mut client, &here);
        }
    }
    client.replace(A, text);
    let errors = client.diagnostics(A);
    let is_error = |told: &&Value| told["severity"] == 1;
    // Files to import are not there.
    let of_itself = |told: &&Value| !told["message"].as_str().unwrap().contains("import");
    assert_eq!(
        errors.iter().filter(is_error).find(of_itself),
        None,
        "{path}"
    );
}

/// All programs of the gallery.
fn examples() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![std::path::PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples"
    ))];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "nds") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.display().to_string(), text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_prefix_of_a_program_is_taken() {
    for path in ["queens/short.nds", "sudoku/short.nds", "tiles/border.nds"] {
        write_slowly(path, &example(path), 0, 1);
    }
}

#[test]
fn some_prefixes_of_every_example_are_taken() {
    let examples = examples();
    assert!(examples.len() > 80, "{}", examples.len());
    for (number, (path, text)) in examples.iter().enumerate() {
        write_slowly(path, text, number % 7, text.len() / 20);
    }
}

/// By hand, for it takes long: `cargo test --release --test language_server every_prefix_of_every -- --ignored`.
#[test]
#[ignore = "it takes long"]
fn every_prefix_of_every_example_is_taken() {
    let left = Mutex::new(examples());
    let next = || left.lock().unwrap().pop();
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((path, text)) = next() {
                    write_slowly(&path, &text, 0, 1);
                }
            });
        }
    });
}

#[test]
fn changes_one_by_one_are_the_same_as_the_whole_text() {
    let mut text = example("tiles/border.nds");
    let mut client = Client::new();
    client.open(A, &text);
    let mut state = 11u64;
    let mut below = |end: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % end.max(1)
    };
    let pieces = [
        "",
        "",
        "",
        "x",
        ";",
        "\n",
        "(",
        ")",
        "{",
        "}",
        "\"",
        "\u{e4}\u{1f600}",
        " var y = 1; ",
        "\r\n",
        "`${",
        "//",
        "import \"std/picks.nds\";\n",
    ];
    for round in 0..10_000 {
        let boundary = |at: usize| {
            (0..=at)
                .rev()
                .find(|at| text.is_char_boundary(*at))
                .unwrap()
        };
        let start = boundary(below(text.len() + 1));
        let end = boundary((start + below(12)).min(text.len())).max(start);
        // Between CR and LF there is no place.
        let splits = |at: usize| {
            at > 0 && text.as_bytes()[at - 1] == b'\r' && text.as_bytes().get(at) == Some(&b'\n')
        };
        if splits(start) || splits(end) || text[start..end].contains('\r') {
            continue;
        }
        let new = pieces[below(pieces.len())];
        let lines = crlf_place(&text, start);
        let range = json!({"start": lines, "end": crlf_place(&text, end)});
        client.change(A, json!([{"range": range, "text": new}]));
        text.replace_range(start..end, new);
        if text.len() > 3_000 {
            text.truncate(boundary_of(&text, 1_500));
            client.replace(A, &text);
        }
        if round % 20 > 0 {
            continue;
        }
        let mut fresh = Client::new();
        fresh.open(A, &text);
        assert_eq!(client.diagnostics(A), fresh.diagnostics(A), "{text}");
        let document = json!({"textDocument": {"uri": uri(A)}});
        for method in [
            "semanticTokens/full",
            "documentSymbol",
            "foldingRange",
            "documentColor",
        ] {
            let method = format!("textDocument/{method}");
            let answers = [&mut client, &mut fresh].map(|it| it.ask(&method, document.clone()));
            assert_eq!(answers[0], answers[1], "{method} {text}");
        }
    }
}

fn boundary_of(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap()
}

/// The place of a byte as the protocol counts lines: a CR alone ends one, too.
fn crlf_place(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let joined = before.replace("\r\n", "\n").replace('\r', "\n");
    place(&joined, joined.len())
}
