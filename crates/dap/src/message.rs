//! Messages of the protocol.

use serde_json::{Value, json};

/// A request of the client.
pub struct Request {
    pub seq: Value,
    pub command: String,
    pub arguments: Value,
}

impl Request {
    /// Reads a message; `None` if it is no request.
    pub fn of(message: &Value) -> Option<Request> {
        let is_request = message["type"] == "request";
        is_request.then_some(())?;
        Some(Request {
            seq: message["seq"].clone(),
            command: message["command"].as_str()?.to_string(),
            arguments: message["arguments"].clone(),
        })
    }
}

/// Messages on their way to the client, which are numbered.
#[derive(Default)]
pub struct Outbox {
    sent: u64,
    messages: Vec<Value>,
}

impl Outbox {
    fn push(&mut self, mut message: Value) {
        self.sent += 1;
        message["seq"] = json!(self.sent);
        self.messages.push(message);
    }

    /// Answers a request with what it asked for, or with what is wrong.
    pub fn respond(&mut self, request: &Request, answer: Result<Value, String>) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(why) => {
                message["message"] = json!(why);
                message["body"] = json!({"error": {"id": 1, "format": why, "showUser": true}});
            }
        }
        self.push(message);
    }

    pub fn event(&mut self, event: &str, body: Value) {
        self.push(json!({"type": "event", "event": event, "body": body}));
    }

    /// Text for the console of the client, with a line break at its end.
    pub fn output(&mut self, category: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.event(
            "output",
            json!({"category": category, "output": format!("{text}{end}")}),
        );
    }

    /// Appends messages that were taken out before; their numbers change.
    pub fn append(&mut self, messages: Vec<Value>) {
        messages.into_iter().for_each(|message| self.push(message));
    }

    pub fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.messages)
    }
}
