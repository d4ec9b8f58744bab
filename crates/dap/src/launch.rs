//! What an editor wants to be debugged.

use ndscript::Run;
use ndscript::picture::Picture;
use serde_json::{Map, Value};

/// The arguments of a launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Launch {
    /// The path of the program.
    pub program: String,
    /// The seed, a number or any text; without it a fresh one.
    pub seed: Option<String>,
    /// Parameters and their values, as they would be typed.
    pub params: Vec<(String, String)>,
    /// Folders with tile images.
    pub tiles: Vec<String>,
    /// Folders with files to import.
    pub import_path: Vec<String>,
    /// The run ends after this many steps.
    pub max_steps: Option<u64>,
    /// Whether to stop where the run begins.
    pub stop_on_entry: bool,
    /// Whether the client shows pictures: then it gets them as they come.
    pub pictures: bool,
}

/// What the debugger asks of the program that it is a part of.
pub trait Host {
    /// Makes the run that a client wants to be debugged.
    ///
    /// # Errors
    /// What is wrong, in words for a person.
    fn launch(&mut self, launch: &Launch) -> Result<Run, String>;

    /// Where a file of the program lies, by the name that the program has for it; `None` if it is no file.
    fn path(&self, name: &str) -> Option<String>;

    /// A picture as clients show it, such as a `data:` address of an image; `None` if it cannot be drawn.
    fn picture(&self, _picture: &Picture) -> Option<String> {
        None
    }

    /// Whether two paths lead to the same file.
    fn is_same_file(&self, one: &str, other: &str) -> bool {
        one == other
    }
}

impl Launch {
    /// Reads the arguments of a request.
    pub(crate) fn of(arguments: &Value) -> Result<Launch, String> {
        let program = arguments["program"]
            .as_str()
            .filter(|program| !program.is_empty())
            .ok_or("the launch names no program: `program` is to be the path of a script")?;
        Ok(Launch {
            program: program.to_string(),
            seed: match &arguments["seed"] {
                Value::Null => None,
                seed => Some(typed(seed)),
            },
            params: arguments["params"]
                .as_object()
                .unwrap_or(&Map::new())
                .iter()
                .map(|(name, value)| (name.clone(), typed(value)))
                .collect(),
            tiles: texts(&arguments["tiles"]),
            import_path: texts(&arguments["importPath"]),
            max_steps: arguments["maxSteps"].as_u64(),
            stop_on_entry: arguments["stopOnEntry"].as_bool().unwrap_or(false),
            pictures: arguments["pictures"].as_bool().unwrap_or(false),
        })
    }
}

/// A value as a person would type it.
fn typed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// One text, or a list of them.
fn texts(value: &Value) -> Vec<String> {
    let list = value
        .as_array()
        .map_or(std::slice::from_ref(value), |list| list);
    list.iter()
        .filter_map(Value::as_str)
        .map(str::to_string)
        .collect()
}
