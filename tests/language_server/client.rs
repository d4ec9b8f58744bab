//! An editor that talks to the server, with files in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ndscript::Engine;
use ndscript::library::LibraryFile;
use ndscript_editor::{Files, Server};
use serde_json::{Value, json};

/// Files in memory, shared with the test.
#[derive(Clone, Default)]
pub struct Memory(pub Arc<Mutex<BTreeMap<String, String>>>);

impl Files for Memory {
    fn read(&self, path: &str) -> Result<String, String> {
        let files = self.0.lock().unwrap();
        files
            .get(path)
            .cloned()
            .ok_or("there is no such file".to_string())
    }

    fn programs(&self, folder: &str) -> Vec<String> {
        let files = self.0.lock().unwrap();
        let inside = files.keys().filter(|path| path.starts_with(folder));
        inside.cloned().collect()
    }

    fn library(&self, file: &LibraryFile) -> Option<String> {
        Some(format!("/library/{}", file.path))
    }
}

pub struct Client {
    pub server: Server,
    /// What the server has told without being asked.
    pub told: Vec<Value>,
    next: i64,
    version: i64,
}

impl Client {
    /// A client that has told what it can, and works in the folder `/work`.
    pub fn new() -> Client {
        Client::with(Engine::new(), &[])
    }

    pub fn with(engine: Engine, files: &[(&str, &str)]) -> Client {
        let files = files
            .iter()
            .map(|(path, text)| (path.to_string(), text.to_string()));
        Client::with_files(engine, Memory(Arc::new(Mutex::new(files.collect()))))
    }

    /// One whose files change under its hands.
    pub fn with_files(engine: Engine, files: impl Files + 'static) -> Client {
        let mut client = Client {
            server: Server::new(engine, files, Vec::new()),
            told: Vec::new(),
            next: 0,
            version: 0,
        };
        let capabilities = json!({
            "general": {"positionEncodings": ["utf-16"]},
            "textDocument": {"completion": {"completionItem": {"snippetSupport": true}}},
        });
        let folders = json!([{"uri": "file:///work", "name": "work"}]);
        let parameters = json!({"processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders});
        let result = client.ask("initialize", parameters);
        assert!(result["capabilities"]["hoverProvider"].as_bool().unwrap());
        client.tell("initialized", json!({}));
        client
    }

    /// Lets the server work until it has nothing to do; returns the answer to a request.
    pub fn work(&mut self, id: Option<i64>) -> Option<Value> {
        let mut answer = None;
        while let Some(messages) = self.step() {
            for message in messages {
                assert_eq!(message["jsonrpc"], "2.0");
                if message.get("method").is_some() {
                    self.told.push(message);
                } else if id.is_some_and(|id| message["id"] == json!(id)) {
                    assert!(answer.is_none(), "two answers: {message}");
                    answer = Some(message);
                }
            }
        }
        answer
    }

    /// The whole answer, result or error.
    pub fn answer(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        self.work(Some(id)).expect("every request is answered")
    }

    #[track_caller]
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let mut answer = self.answer(method, parameters);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    pub fn tell(&mut self, method: &str, parameters: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    pub fn send(&mut self, message: Value) {
        self.server.receive(&message.to_string());
    }

    /// What the server says by its next piece of work; `None` if it has nothing to do.
    pub fn step(&mut self) -> Option<Vec<Value>> {
        said(&mut self.server)
    }

    pub fn open(&mut self, path: &str, text: &str) {
        self.version += 1;
        let document = json!({"uri": uri(path), "languageId": "ndscript", "version": self.version, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Replaces the whole text.
    pub fn replace(&mut self, path: &str, text: &str) {
        self.change(path, json!([{"text": text}]));
    }

    pub fn change(&mut self, path: &str, changes: Value) {
        self.version += 1;
        let document = json!({"uri": uri(path), "version": self.version});
        self.tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        );
    }

    /// The messages about a document as they are now.
    pub fn diagnostics(&mut self, path: &str) -> Vec<Value> {
        self.work(None);
        let about = |told: &&Value| told["params"]["uri"] == uri(path);
        let last = self.told.iter().rev().find(about);
        let last = last.expect("the document was checked");
        last["params"]["diagnostics"].as_array().unwrap().clone()
    }
}

/// What a server says by its next piece of work.
pub fn said(server: &mut Server) -> Option<Vec<Value>> {
    let said = server.step()?;
    let messages = said.iter().map(|message| serde_json::from_str(message));
    Some(messages.collect::<Result<_, _>>().unwrap())
}

pub fn uri(path: &str) -> String {
    format!("file://{path}")
}

/// Opens a text whose cursor stands at a `^`; returns the parameters of a request there.
pub fn at_cursor(client: &mut Client, path: &str, marked: &str) -> Value {
    let at = marked.find('^').expect("a cursor");
    let text = marked.replacen('^', "", 1);
    client.open(path, &text);
    json!({"textDocument": {"uri": uri(path)}, "position": place(&text, at)})
}

pub fn place(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({"line": line, "character": before[start..].encode_utf16().count()})
}

/// A text after edits, which do not overlap.
pub fn edited(text: &str, edits: &Value) -> String {
    let offset = |place: &Value| {
        let line = place["line"].as_u64().unwrap() as usize;
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        let start = starts.clone().nth(line).unwrap_or(text.len());
        let mut left = place["character"].as_u64().unwrap() as usize;
        let mut at = start;
        for character in text[start..].chars() {
            if left == 0 || character == '\n' {
                break;
            }
            left -= character.len_utf16();
            at += character.len_utf8();
        }
        at
    };
    let mut all: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().unwrap();
            (offset(&range["start"]), offset(&range["end"]), new)
        })
        .collect();
    all.sort_by_key(|edit| (edit.0, edit.1));
    let mut out = String::new();
    let mut at = 0;
    for (start, end, new) in all {
        assert!(at <= start && start <= end, "edits overlap");
        out += &text[at..start];
        out += new;
        at = end;
    }
    out + &text[at..]
}
