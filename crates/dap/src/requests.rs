//! Requests that look and do not move, and what the console takes.

use ndscript::Answer;
use ndscript_timeline::{Place, Recorded, variable};
use serde_json::{Value, json};

use super::breakpoint::{Breakpoint, Filters, HitCondition, Spot};
use super::debuggee::{Debuggee, THREAD};
use super::evaluate;
use super::launch::Host;
use super::message::Request;
use super::session::Session;
use super::shown::{Access, Reference, References, kind_name, shortened};

/// Open choices that are shown.
const CHOICES: usize = 100;

/// A value in the console may be so long.
pub const LONG: usize = 5000;

/// A value that is copied may be so long.
const COPIED: usize = 10_000_000;

impl<H: Host> Session<H> {
    /// Answers a request.
    pub(super) fn answer(&mut self, request: &Request) -> Result<Value, String> {
        let arguments = &request.arguments;
        match &*request.command {
            "threads" => Ok(json!({"threads": [{"id": THREAD, "name": "search"}]})),
            "setBreakpoints" => self.set_breakpoints(arguments),
            "setDataBreakpoints" => self.set_data_breakpoints(arguments),
            "setExceptionBreakpoints" => {
                self.filters = Filters::of(&arguments["filters"]);
                self.begin_again();
                Ok(Value::Null)
            }
            "source" => self.source(arguments),
            "loadedSources" => self.sources(),
            "stackTrace" => self.stack(arguments),
            "scopes" => self.scopes(arguments),
            "variables" => self.variables(arguments),
            "evaluate" => self.evaluate(arguments),
            "setVariable" => self.set_variable(arguments),
            "setExpression" => self.set_expression(arguments),
            "dataBreakpointInfo" => self.data_breakpoint_info(arguments),
            "stepInTargets" => self.alternatives(),
            other => Err(format!("there is no request `{other}` here")),
        }
    }

    /// The run, if it stands still.
    pub(super) fn standing(&mut self) -> Result<&mut Debuggee, String> {
        if self.motion.is_some() {
            return Err("the run is moving: pause it first".to_string());
        }
        self.debuggee
            .as_mut()
            .ok_or_else(|| "no program is debugged".to_string())
    }

    /// A file of the program as the protocol has it: one without a path is asked for by its number.
    pub(super) fn source_of(&self, name: &str) -> Value {
        let short = name.rsplit('/').next().unwrap_or(name);
        match self.host.path(name) {
            Some(path) => json!({"name": short, "path": path}),
            None => json!({"name": name, "sourceReference": self.file_number(name)}),
        }
    }

    fn file_names(&self) -> Vec<String> {
        let sources = self.debuggee.as_ref().map(Debuggee::sources);
        let sources = sources.unwrap_or_default();
        let names = sources.files().iter().map(|file| file.name.to_string());
        names.collect()
    }

    fn file_number(&self, name: &str) -> usize {
        let place = self.file_names().iter().position(|known| known == name);
        place.map_or(0, |place| place + 1)
    }

    /// The name that the program has for a file of the client.
    fn file_name(&self, source: &Value) -> Option<String> {
        let names = self.file_names();
        if let Some(number) = source["sourceReference"]
            .as_u64()
            .filter(|number| *number > 0)
        {
            return names.get(number as usize - 1).cloned();
        }
        let path = source["path"].as_str()?;
        names.into_iter().find(|name| {
            let known = self.host.path(name);
            known.is_some_and(|known| self.host.is_same_file(&known, path))
        })
    }

    fn set_breakpoints(&mut self, arguments: &Value) -> Result<Value, String> {
        let file = self.file_name(&arguments["source"]);
        let lines = match (&file, &self.debuggee) {
            (Some(file), Some(debuggee)) => {
                let program = debuggee.walk.timeline().head().program();
                program.lines_with_code(file)
            }
            _ => Vec::new(),
        };
        let is_old = |breakpoint: &Breakpoint| match &breakpoint.spot {
            Spot::Line(known, _) => Some(known) == file.as_ref(),
            _ => false,
        };
        self.breakpoints.retain(|breakpoint| !is_old(breakpoint));
        let mut answers = Vec::new();
        for wanted in arguments["breakpoints"].as_array().unwrap_or(&Vec::new()) {
            self.numbered += 1;
            let id = self.numbered;
            let line = wanted["line"]
                .as_u64()
                .unwrap_or(0)
                .saturating_add(1 - self.first_line) as usize;
            let refused = |why: &str| json!({"id": id, "verified": false, "message": why, "line": wanted["line"]});
            let Some(file) = &file else {
                answers.push(refused(
                    "the program that is debugged does not have this file",
                ));
                continue;
            };
            // The next line on which something happens.
            let next = lines.partition_point(|known| *known < line);
            let Some(line) = lines.get(next) else {
                answers.push(refused("nothing happens on this line or behind it"));
                continue;
            };
            match breakpoint(id, Spot::Line(file.clone(), *line), wanted) {
                Ok(breakpoint) => {
                    self.breakpoints.push(breakpoint);
                    let line = *line as u64 - 1 + self.first_line;
                    answers.push(json!({"id": id, "verified": true, "line": line}));
                }
                Err(why) => answers.push(refused(&why)),
            }
        }
        self.begin_again();
        Ok(json!({"breakpoints": answers}))
    }

    fn set_data_breakpoints(&mut self, arguments: &Value) -> Result<Value, String> {
        self.breakpoints
            .retain(|breakpoint| !breakpoint.spot.is_data());
        let mut answers = Vec::new();
        for wanted in arguments["breakpoints"].as_array().unwrap_or(&Vec::new()) {
            self.numbered += 1;
            let id = self.numbered;
            let text = wanted["dataId"].as_str().unwrap_or_default();
            match Spot::of_data(text).and_then(|spot| breakpoint(id, spot, wanted)) {
                Ok(breakpoint) => {
                    self.breakpoints.push(breakpoint);
                    answers.push(json!({"id": id, "verified": true}));
                }
                Err(why) => {
                    answers.push(json!({"id": id, "verified": false, "message": why}));
                }
            }
        }
        self.begin_again();
        Ok(json!({"breakpoints": answers}))
    }

    /// What a client needs to stop at writes to what it shows.
    fn data_breakpoint_info(&mut self, arguments: &Value) -> Result<Value, String> {
        let name = arguments["name"].as_str().unwrap_or_default().to_string();
        let number = arguments["variablesReference"].as_u64().unwrap_or(0) as usize;
        let debuggee = self.standing()?;
        let base = number
            .checked_sub(1)
            .and_then(|at| debuggee.references.get(at));
        // A candidate of a cell: when the cell loses it.
        if let Some(Reference::Value(access)) = base
            && let Some(place) = access
                .written
                .as_ref()
                .and_then(|it| it.parse::<Place>().ok())
        {
            let run = debuggee.walk.run().map_err(|beyond| beyond.to_string())?;
            if let Some(candidate) = access.candidate(run, &name) {
                return Ok(json!({
                    "dataId": Spot::name_of_loss(&place, &candidate),
                    "description": format!("{place} loses {candidate}"),
                    "accessTypes": ["write"],
                    "canPersist": true,
                }));
            }
        }
        let written = match base {
            Some(base) => base.written(&name),
            None => Some(name.clone()),
        };
        let place = written.and_then(|written| written.parse::<Place>().ok());
        Ok(match place {
            Some(place) => json!({
                "dataId": place.to_string(),
                "description": format!("writes to {place}"),
                "accessTypes": ["write"],
                "canPersist": true,
            }),
            None => json!({"dataId": null, "description": format!("nothing writes to {name}")}),
        })
    }

    fn source(&mut self, arguments: &Value) -> Result<Value, String> {
        let asked = if arguments["source"].is_object() {
            &arguments["source"]
        } else {
            arguments
        };
        let name = self.file_name(asked);
        let sources = self.debuggee.as_ref().map(Debuggee::sources);
        let sources = sources.unwrap_or_default();
        let file = sources
            .files()
            .iter()
            .find(|file| Some(&*file.name) == name.as_deref());
        match file {
            Some(file) => Ok(json!({"content": &*file.text})),
            None => Err("the program has no such file".to_string()),
        }
    }

    fn sources(&self) -> Result<Value, String> {
        let names = self.file_names();
        let sources: Vec<Value> = names.iter().map(|name| self.source_of(name)).collect();
        Ok(json!({"sources": sources}))
    }

    fn stack(&mut self, arguments: &Value) -> Result<Value, String> {
        let scene = self.standing()?.scene(0)?;
        let first = arguments["startFrame"].as_u64().unwrap_or(0) as usize;
        let levels = match arguments["levels"].as_u64() {
            None | Some(0) => usize::MAX,
            Some(levels) => levels as usize,
        };
        let calls = scene.calls.iter().enumerate().skip(first).take(levels);
        let frames: Vec<Value> = calls
            .map(|(at, call)| {
                let name = match call.function.as_deref() {
                    Some("") => "(function)",
                    Some(name) => name,
                    None => "the program",
                };
                let mut frame = json!({"id": at + 1, "name": name, "line": 0, "column": 0});
                if let Some(line) = &call.line {
                    frame["line"] = json!(line.line as u64 - 1 + self.first_line);
                    frame["column"] = json!(line.column as u64 - 1 + self.first_column);
                    frame["source"] = self.source_of(&line.file);
                }
                frame
            })
            .collect();
        Ok(json!({"stackFrames": frames, "totalFrames": scene.calls.len()}))
    }

    fn scopes(&mut self, arguments: &Value) -> Result<Value, String> {
        let call = call_of(arguments).unwrap_or(0);
        let debuggee = self.standing()?;
        let has_own = debuggee
            .scene(0)?
            .calls
            .get(call)
            .is_some_and(|call| call.function.is_some() || !call.variables.is_empty());
        let mut references = References(&mut debuggee.references);
        let mut scope = |name: &str, reference| json!({"name": name, "variablesReference": references.number(reference), "expensive": false});
        let mut scopes = Vec::new();
        if has_own {
            let mut own = scope("Locals", Reference::Call(call));
            own["presentationHint"] = json!("locals");
            scopes.push(own);
        }
        scopes.push(scope("Globals", Reference::Globals(call)));
        scopes.push(scope("Choices", Reference::Choices));
        scopes.push(scope("Search", Reference::Search));
        Ok(json!({"scopes": scopes}))
    }

    fn variables(&mut self, arguments: &Value) -> Result<Value, String> {
        let number = arguments["variablesReference"].as_u64().unwrap_or(0) as usize;
        let debuggee = self.standing()?;
        let known = number.checked_sub(1);
        let known = known.and_then(|at| debuggee.references.get(at).cloned());
        let Some(reference) = known else {
            return Err("this was shown before the run moved".to_string());
        };
        let scene = debuggee.scene(match reference {
            Reference::Choices | Reference::Choice(_) => CHOICES,
            _ => 0,
        })?;
        let Debuggee {
            walk, references, ..
        } = debuggee;
        let run = walk.run().map_err(|beyond| beyond.to_string())?;
        let parts = References(references).parts(&reference, run, &scene);
        let first = arguments["start"].as_u64().unwrap_or(0) as usize;
        let count = match arguments["count"].as_u64() {
            None | Some(0) => usize::MAX,
            Some(count) => count as usize,
        };
        let parts: Vec<Value> = parts.into_iter().skip(first).take(count).collect();
        Ok(json!({"variables": parts}))
    }

    fn evaluate(&mut self, arguments: &Value) -> Result<Value, String> {
        let text = arguments["expression"].as_str().unwrap_or_default().trim();
        if arguments["context"] == "repl"
            && let Some(answer) = self.console(text)
        {
            return answer.map(|result| json!({"result": result, "variablesReference": 0}));
        }
        let call = call_of(arguments);
        let most = match arguments["context"].as_str() {
            Some("clipboard") => COPIED,
            _ => LONG,
        };
        let debuggee = self.standing()?;
        let Debuggee {
            walk, references, ..
        } = debuggee;
        let run = walk.run().map_err(|beyond| beyond.to_string())?;
        if let Ok(place) = text.parse::<Place>()
            && let Some(value) = variable(run, call.or(Some(0)), &place.variable)
        {
            let Some(held) = place.follow(value) else {
                return Err(format!("{} holds no such part", place.variable));
            };
            let mut shown = json!({
                "result": shortened(held, most),
                "type": kind_name(held),
                "variablesReference": 0,
            });
            // Parts of parts are looked into by way of the variable.
            if place.path.is_empty() {
                let access = Access::of(call.or(Some(0)), &place.variable);
                let variable = References(references).shown(text, access, held);
                shown["variablesReference"] = variable["variablesReference"].clone();
            }
            return Ok(shown);
        }
        let value = evaluate::evaluate(run, call.unwrap_or(0), text)?;
        Ok(json!({"result": value.to_string(), "variablesReference": 0}))
    }

    /// What the console takes beside expressions: answers, and words of the debugger at the terminal.
    fn console(&mut self, text: &str) -> Option<Result<String, String>> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "untake" => {
                let is_back = self.standing().map(|debuggee| debuggee.walk.untake());
                Some(match is_back {
                    Ok(true) => {
                        self.other_way("");
                        Ok("back on the way that was left".to_string())
                    }
                    Ok(false) => {
                        Err("nothing was taken, so there is no way to return to".to_string())
                    }
                    Err(why) => Err(why),
                })
            }
            "take" => {
                let (alternative, choice) = rest.split_once(" of ").unwrap_or((rest, "1"));
                let number = |text: &str| text.trim().parse::<usize>().ok()?.checked_sub(1);
                let (alternative, choice) = (number(alternative)?, number(choice)?);
                let still = self.standing().map(|_| ());
                Some(still.and_then(|()| self.take(choice, alternative)))
            }
            "why" => Some(self.why(rest)),
            _ => {
                let debuggee = self.standing().ok()?;
                let is_there = debuggee.walk.at() >= debuggee.walk.timeline().end();
                let Recorded::Asked(question) = debuggee.walk.timeline().recorded() else {
                    return None;
                };
                if !is_there {
                    return None;
                }
                let answer = match &question.options {
                    None => Answer::Line(text.to_string()),
                    Some(options) => {
                        let known = options.iter().position(|option| option == text);
                        let Some(known) = known else {
                            let options = options.join(", ");
                            return Some(Err(format!("`{text}` is none of {options}")));
                        };
                        Answer::Option(known)
                    }
                };
                debuggee.walk.answer(answer);
                if let Some(debuggee) = &mut self.debuggee {
                    debuggee.stop(&mut self.out, "goto", "", &[]);
                }
                Some(Ok(format!("answered {text}; the run can go on")))
            }
        }
    }

    fn why(&mut self, place: &str) -> Result<String, String> {
        let place: Place = place.parse()?;
        let debuggee = self.standing()?;
        let at = debuggee.walk.at();
        let timeline = debuggee.walk.timeline_mut();
        let reasons = timeline.why(&place, at);
        reasons
            .map(|reasons| reasons.to_text(&place))
            .map_err(|none| none.to_string())
    }

    /// The alternatives of the latest open choice, which can be taken in place of what was.
    fn alternatives(&mut self) -> Result<Value, String> {
        let scene = self.standing()?.scene(1)?;
        let choice = scene.choices.first();
        let alternatives = choice.map_or(&[][..], |choice| &choice.alternatives);
        let targets = alternatives.iter().enumerate();
        let targets: Vec<Value> = targets
            .map(|(at, text)| json!({"id": at + 1, "label": format!("take {text}")}))
            .collect();
        Ok(json!({"targets": targets}))
    }
}

/// The call that a frame stands for.
pub fn call_of(arguments: &Value) -> Option<usize> {
    let frame = arguments["frameId"].as_u64()?;
    (frame as usize).checked_sub(1)
}

fn breakpoint(id: u64, spot: Spot, wanted: &Value) -> Result<Breakpoint, String> {
    let text = |name: &str| {
        let text = wanted[name].as_str().map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_string)
    };
    Ok(Breakpoint {
        id,
        spot,
        condition: text("condition"),
        hits: match text("hitCondition") {
            Some(hits) => Some(HitCondition::read(&hits)?),
            None => None,
        },
        log: text("logMessage"),
        met: Vec::new(),
        looked_to: None,
    })
}
