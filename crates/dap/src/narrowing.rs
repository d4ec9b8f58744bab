//! Places of boards are narrowed by the client, and the run goes on from there as a fork.

use ndscript_timeline::{Place, variable};
use serde_json::{Value, json};

use super::evaluate;
use super::launch::Host;
use super::requests::{LONG, call_of};
use super::session::Session;
use super::shown::{kind_name, shortened};

impl<H: Host> Session<H> {
    /// Narrows what is shown as a part of something.
    pub(super) fn set_variable(&mut self, arguments: &Value) -> Result<Value, String> {
        let name = arguments["name"].as_str().unwrap_or_default();
        let number = arguments["variablesReference"].as_u64().unwrap_or(0) as usize;
        let references = &self.standing()?.references;
        let known = number.checked_sub(1).and_then(|at| references.get(at));
        let known = known.ok_or("this was shown before the run moved")?;
        let call = known.call();
        let written = known.written(name).ok_or_else(|| {
            format!("`{name}` tells of the search: what can be narrowed are places of boards")
        })?;
        self.narrow(call, &written, arguments)
    }

    /// Narrows a place that is written as the program would.
    pub(super) fn set_expression(&mut self, arguments: &Value) -> Result<Value, String> {
        let written = arguments["expression"].as_str().unwrap_or_default();
        self.narrow(call_of(arguments).or(Some(0)), written, arguments)
    }

    /// Narrows a place to candidates that the client wrote, which begins a fork.
    fn narrow(
        &mut self,
        call: Option<usize>,
        written: &str,
        arguments: &Value,
    ) -> Result<Value, String> {
        let value = arguments["value"].as_str().unwrap_or_default();
        let place: Place = written.parse()?;
        let walk = &mut self.standing()?.walk;
        let run = walk.run().map_err(|beyond| beyond.to_string())?;
        let values = evaluate::candidates(run, call.unwrap_or(0), value)
            .map_err(|why| format!("`{value}`: {why}"))?;
        walk.narrow(call, &place, &values)
            .map_err(|why| why.to_string())?;
        let run = walk.run().map_err(|beyond| beyond.to_string())?;
        let held = variable(run, call, &place.variable).and_then(|held| place.follow(held));
        let (value, kind) = held.map_or((String::new(), "null"), |held| {
            (shortened(held, LONG), kind_name(held))
        });
        let words = format!("{place} is narrowed to {value}; a step back leaves this fork");
        self.other_way(&words);
        Ok(json!({"value": value, "type": kind, "variablesReference": 0}))
    }
}
