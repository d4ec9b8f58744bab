//! `ndscript dap` as an editor talks to it: messages with headers, through pipes.

use std::io::BufReader;
use std::process::{ChildStdin, ChildStdout};

use serde_json::{Value, json};

use super::*;

struct Adapter {
    child: Child,
    /// Nothing once the editor is gone.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    sent: u64,
}

impl Adapter {
    fn start(folder: &Folder) -> Adapter {
        let mut child = folder
            .command(&["dap"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Adapter {
            child,
            input,
            output,
            sent: 0,
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn send(&mut self, command: &str, arguments: Value) {
        self.sent += 1;
        let message = json!({"seq": self.sent, "type": "request", "command": command, "arguments": arguments});
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    /// The next message.
    fn read(&mut self) -> Value {
        use std::io::BufRead;
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(": ").unwrap();
            assert_eq!(name, "Content-Length");
            length = value.parse().unwrap();
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The answer to a request; what comes before it is passed over.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        self.send(command, arguments);
        loop {
            let message = self.read();
            if message["type"] == "response" && message["request_seq"] == json!(self.sent) {
                return message;
            }
        }
    }

    fn event(&mut self, name: &str) -> Value {
        loop {
            let message = self.read();
            if message["event"] == name {
                return message["body"].clone();
            }
        }
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const PROGRAM: &str = "import \"part.nds\";\nlet size = param(\"size\", 2);\nlet name = param(\"name\", \"\");\nlet x = choose(1, size, 3);\nprintLine(shout(name), x);\n";

fn folder() -> Folder {
    script(PROGRAM)
        .with(
            "part.nds",
            "function shout(text) {\n    return upper(text);\n}",
        )
        .with("endless.nds", "var n = 0;\nwhile (true) n++;")
        .with("bad.nds", "let = 1;")
}

#[test]
fn an_editor_debugs_a_program_with_parameters_and_imports() {
    let folder = folder();
    let mut adapter = Adapter::start(&folder);
    let capabilities = adapter.ask("initialize", json!({"adapterID": "ndscript"}))["body"].clone();
    assert_eq!(capabilities["supportsStepBack"], true);
    let launch =
        json!({"program": "a.nds", "seed": "any text", "params": {"size": 7, "name": "ann"}});
    assert_eq!(adapter.ask("launch", launch)["success"], true);
    adapter.event("initialized");
    let path = folder.path("part.nds").canonicalize().unwrap();
    let breakpoints = json!({"source": {"path": path}, "breakpoints": [{"line": 2}]});
    let set = adapter.ask("setBreakpoints", breakpoints);
    assert_eq!(set["body"]["breakpoints"][0]["verified"], true, "{set}");
    adapter.ask("configurationDone", json!({}));
    assert_eq!(adapter.event("stopped")["reason"], "breakpoint");
    let stack = adapter.ask("stackTrace", json!({"threadId": 1}))["body"]["stackFrames"].clone();
    assert_eq!(
        (&stack[0]["name"], &stack[0]["line"]),
        (&json!("shout"), &json!(2))
    );
    assert_eq!(stack[0]["source"]["path"], json!(path));
    assert_eq!(stack[1]["source"]["name"], "a.nds");
    let result = adapter.ask("evaluate", json!({"expression": "text", "frameId": 1}));
    assert_eq!(result["body"]["result"], "\"ann\"");
    let result = adapter.ask("evaluate", json!({"expression": "size", "frameId": 1}));
    assert_eq!(result["body"]["result"], "7");
    adapter.ask("stepBack", json!({"threadId": 1}));
    adapter.event("stopped");
    adapter.ask("continue", json!({"threadId": 1}));
    adapter.event("stopped");
    adapter.ask("continue", json!({"threadId": 1}));
    assert_eq!(adapter.event("output")["output"], "ANN1\n");
    assert_eq!(adapter.event("stopped")["description"], "Solution 1");
    adapter.ask("disconnect", json!({}));
    assert_eq!(wait_for(&mut adapter.child), 0);
}

#[test]
fn an_editor_is_told_what_is_wrong_and_goes_on() {
    let folder = folder();
    let mut adapter = Adapter::start(&folder);
    // No request, and no JSON.
    adapter.write(b"Content-Length: 2\r\n\r\n{}content-length: 4\r\nOther: x\r\n\r\n[1,}");
    adapter.ask("initialize", json!({}));
    for (program, says) in [
        ("bad.nds", "bad.nds:1:5"),
        ("missing.nds", "missing.nds"),
        ("", "names no program"),
        // What the editor says comes there.
        ("-", "there is no such file"),
        (".", "it is a folder"),
    ] {
        let answer = adapter.ask("launch", json!({"program": program}));
        assert_eq!(answer["success"], false);
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains(says), "{message}");
    }
    #[cfg(unix)]
    for launch in [
        json!({"program": "/dev/stdin"}),
        json!({"program": "a.nds", "params": {"name": "@/dev/stdin"}}),
    ] {
        let answer = adapter.ask("launch", launch);
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains("it is not a regular file"), "{message}");
    }
    // A run that does not end is paused while it runs.
    adapter.ask("launch", json!({"program": "endless.nds", "seed": 1}));
    adapter.ask("configurationDone", json!({}));
    let answer = adapter.ask("threads", json!({}));
    assert_eq!(answer["body"]["threads"][0]["id"], 1);
    adapter.ask("pause", json!({"threadId": 1}));
    assert_eq!(adapter.event("stopped")["reason"], "pause");
    // With a limit it ends.
    adapter.ask(
        "launch",
        json!({"program": "endless.nds", "seed": 1, "maxSteps": 1000}),
    );
    adapter.ask("configurationDone", json!({}));
    assert_eq!(adapter.event("stopped")["reason"], "end");
    // An editor that is gone is not waited for.
    adapter.input = None;
    assert_eq!(wait_for(&mut adapter.child), 0);
}

#[test]
fn what_is_no_message_ends_both_servers_in_words() {
    let folder = folder();
    for server in ["lsp", "dap"] {
        for (sent, says) in [
            ("hello\r\n\r\n", "its header has no Content-Length"),
            ("Content-Length: 99999999999\r\n\r\n{}", "it is too long"),
            ("Content-Length", "its header does not end"),
        ] {
            let ended = folder.run_with_input(&[server], sent);
            assert_eq!(ended.code, 2, "{server} {sent}");
            assert!(ended.err.contains(says), "{server} {sent}: {}", ended.err);
        }
    }
}
