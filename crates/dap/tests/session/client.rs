//! A client of the debugger.

use std::ops::ControlFlow;

use ndscript::picture::Picture;
use ndscript::{Engine, Event, Moment, Program, Run, When};
use ndscript_dap::{Host, Launch, Session};
use ndscript_timeline::{Detail, Scene};
use serde_json::{Value, json};

/// A program that is no file; its path is its name behind a slash.
pub struct Texts(pub Program);

impl Host for Texts {
    fn launch(&mut self, launch: &Launch) -> Result<Run, String> {
        let seed = launch.seed.as_ref().map_or(1, |seed| seed.parse().unwrap());
        Ok(self.0.run(seed))
    }

    fn path(&self, name: &str) -> Option<String> {
        (!name.starts_with("std/")).then(|| format!("/{name}"))
    }

    fn picture(&self, picture: &Picture) -> Option<String> {
        Some(format!("image: {}", picture.in_words()))
    }
}

pub struct Client {
    session: Session<Texts>,
    program: Program,
    seed: u64,
    sent: u64,
    /// Everything that came back, oldest first.
    pub heard: Vec<Value>,
}

impl Client {
    pub fn of(text: &str) -> Client {
        let program = Engine::new().compile_named("a.nds", text).unwrap();
        Client {
            session: Session::new(Texts(program.clone())),
            program,
            seed: 1,
            sent: 0,
            heard: Vec::new(),
        }
    }

    /// Launched, to begin with at its entry or not, with filters.
    pub fn launched(text: &str, seed: u64, stop_on_entry: bool, filters: &[&str]) -> Client {
        let mut client = Client::of(text);
        client.seed = seed;
        client.ask("initialize", json!({"adapterID": "ndscript"}));
        client.ask(
            "launch",
            json!({"program": "a.nds", "seed": seed, "stopOnEntry": stop_on_entry}),
        );
        client.ask("setExceptionBreakpoints", json!({"filters": filters}));
        client
    }

    pub fn send(&mut self, command: &str, arguments: Value) -> Value {
        self.sent += 1;
        let request = json!({"seq": self.sent, "type": "request", "command": command, "arguments": arguments});
        let answers = self.session.handle(&request);
        let sent = json!(self.sent);
        let is_answer =
            |answer: &&Value| answer["type"] == "response" && answer["request_seq"] == sent;
        let answer = answers.iter().find(is_answer).cloned();
        self.heard.extend(answers);
        answer.unwrap_or_else(|| panic!("no answer to {command}"))
    }

    /// Sends a request that succeeds; the body of the answer.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let answer = self.send(command, arguments);
        assert_eq!(answer["success"], true, "{answer}");
        answer["body"].clone()
    }

    /// Sends a request that is refused; why.
    pub fn refused(&mut self, command: &str, arguments: Value) -> String {
        let answer = self.send(command, arguments);
        assert_eq!(answer["success"], false, "{answer}");
        answer["message"].as_str().unwrap().to_string()
    }

    /// Moves until the run stops; the body of the event.
    pub fn go(&mut self, command: &str) -> Value {
        self.ask(command, json!({"threadId": 1}));
        self.wait()
    }

    /// Lets a move go on to its end; what has ended it.
    pub fn wait(&mut self) -> Value {
        self.work_until_it_stops();
        let last = self.heard.iter().rev().find(|message| {
            ["stopped", "terminated"].contains(&message["event"].as_str().unwrap_or_default())
        });
        let last = last.unwrap();
        let mut body = last["body"].clone();
        if last["event"] == "terminated" {
            body = json!({"reason": "terminated"});
        }
        body
    }

    pub fn is_moving(&self) -> bool {
        self.session.is_moving()
    }

    /// Lets a move go on to its end, if there is one.
    pub fn work_until_it_stops(&mut self) {
        while self.session.is_moving() {
            let told = self.session.work(997);
            self.heard.extend(told);
        }
    }

    /// Lets a move go on for a moment.
    pub fn work_a_little(&mut self) {
        let told = self.session.work(100);
        self.heard.extend(told);
        assert!(self.session.is_moving());
    }

    /// Lets a moving run tell what it has drawn.
    pub fn look_at_pictures(&mut self) {
        let told = self.session.pictures();
        self.heard.extend(told);
    }

    /// The bodies of the events of a name.
    pub fn events(&self, name: &str) -> Vec<Value> {
        let events = self.heard.iter().filter(|message| message["event"] == name);
        events.map(|event| event["body"].clone()).collect()
    }

    /// The texts of a category that were written.
    pub fn written(&self, category: &str) -> String {
        let outputs = self.heard.iter().filter(|message| {
            message["event"] == "output" && message["body"]["category"] == category
        });
        outputs
            .map(|output| output["body"]["output"].as_str().unwrap())
            .collect()
    }

    pub fn set_breakpoints(&mut self, breakpoints: Value) -> Vec<Value> {
        let body = self.ask(
            "setBreakpoints",
            json!({"source": {"path": "/a.nds"}, "breakpoints": breakpoints}),
        );
        body["breakpoints"].as_array().unwrap().clone()
    }

    /// A scope of the innermost call, or of another one.
    pub fn scope(&mut self, frame: u64, name: &str) -> Vec<Value> {
        let scopes = self.ask("scopes", json!({"frameId": frame}))["scopes"].clone();
        let scopes = scopes.as_array().unwrap();
        let found = scopes.iter().find(|scope| scope["name"] == name);
        found.map_or_else(Vec::new, |scope| self.parts(scope))
    }

    /// The parts of a variable or a scope.
    pub fn parts(&mut self, of: &Value) -> Vec<Value> {
        let number = &of["variablesReference"];
        assert_ne!(number, 0, "{of} has no parts");
        let body = self.ask("variables", json!({"variablesReference": number}));
        body["variables"].as_array().unwrap().clone()
    }

    /// The moment at which the run stands.
    pub fn moment(&mut self) -> When {
        let search = self.scope(1, "Search");
        search[0]["value"].as_str().unwrap().parse().unwrap()
    }

    pub fn line(&mut self) -> u64 {
        let stack = self.ask("stackTrace", json!({"threadId": 1}));
        stack["stackFrames"][0]["line"].as_u64().unwrap()
    }

    pub fn result(&mut self, expression: &str) -> String {
        let body = self.ask("evaluate", json!({"expression": expression, "frameId": 1}));
        body["result"].as_str().unwrap().to_string()
    }

    /// All that the client sees where the run stands.
    pub fn view(&mut self) -> Seen {
        let stack = self.ask("stackTrace", json!({"threadId": 1}))["stackFrames"].clone();
        let mut frames = Vec::new();
        for frame in stack.as_array().unwrap() {
            let own = self.scope(frame["id"].as_u64().unwrap(), "Locals");
            frames.push((
                frame["name"].as_str().unwrap().to_string(),
                frame["line"].as_u64().unwrap(),
                pairs(&own),
            ));
        }
        let choices = self.scope(1, "Choices");
        Seen {
            moment: self.moment().to_string(),
            frames,
            globals: pairs(&self.scope(1, "Globals")),
            printed: self.scope(1, "Search")[2]["value"]
                .as_str()
                .unwrap()
                .to_string(),
            choices: choices
                .iter()
                .map(|choice| self.parts(choice))
                .map(|alternatives| {
                    let named = alternatives.iter();
                    named
                        .map(|named| named["value"].as_str().unwrap().to_string())
                        .collect()
                })
                .collect(),
        }
    }

    /// What a fresh run shows that goes on until the same moment.
    pub fn stopped_by_itself(&self, moment: &str) -> Seen {
        let mut run = self.program.run(self.seed);
        let until: When = moment.parse().unwrap();
        let mut silent = |_: &Moment<'_>, _: &Event<'_>| ControlFlow::Continue(());
        while run.when() < until {
            run.watch_until(u64::MAX, Some(until), &mut silent);
        }
        let scene = Scene::of(
            &run,
            &Detail {
                choices: 100,
                calls: 1000,
                text: 200,
                cells: 0,
            },
        );
        let named = |variables: &[ndscript_timeline::Variable]| {
            let variables = variables.iter();
            variables
                .map(|variable| (variable.name.clone(), variable.text.clone()))
                .collect()
        };
        Seen {
            moment: run.when().to_string(),
            frames: scene
                .calls
                .iter()
                .map(|call| {
                    (
                        match call.function.as_deref() {
                            Some("") => "(function)".to_string(),
                            Some(name) => name.to_string(),
                            None => "the program".to_string(),
                        },
                        call.line.as_ref().map_or(0, |line| line.line as u64),
                        named(&call.variables),
                    )
                })
                .collect(),
            globals: named(&scene.globals),
            printed: scene.text,
            choices: scene
                .choices
                .into_iter()
                .map(|choice| choice.alternatives)
                .collect(),
        }
    }
}

/// Names and values.
pub fn pairs(variables: &[Value]) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    variables
        .iter()
        .map(|variable| (text(&variable["name"]), text(&variable["value"])))
        .collect()
}

/// Names with values.
type Named = Vec<(String, String)>;

#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub moment: String,
    /// The functions, their lines and their variables.
    pub frames: Vec<(String, u64, Named)>,
    pub globals: Named,
    pub printed: String,
    pub choices: Vec<Vec<String>>,
}
