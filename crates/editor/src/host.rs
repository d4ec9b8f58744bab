//! What a host's engine offers to scripts, for an editor that has only a file that describes it.

use std::fmt::{self, Display, Formatter};

use ndscript::{Data, Engine, HostType, HostValue, Rest};
use serde::Deserialize;
use serde_json::Value;

/// Why a description of an engine cannot be used.
#[derive(Debug)]
pub struct HostError(serde_json::Error);

impl Display for HostError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "this is no description of an engine: {}", self.0)
    }
}

impl std::error::Error for HostError {}

#[derive(Deserialize)]
struct Description {
    #[serde(flatten)]
    names: Names,
    #[serde(default)]
    types: Vec<Type>,
    #[serde(default)]
    modules: Vec<Module>,
    #[serde(default)]
    preludes: Vec<String>,
}

#[derive(Deserialize)]
struct Names {
    functions: Vec<Function>,
    #[serde(default)]
    constants: Vec<Constant>,
}

#[derive(Deserialize)]
struct Module {
    name: String,
    #[serde(flatten)]
    names: Names,
    #[serde(default)]
    prelude: String,
}

#[derive(Deserialize)]
struct Constant {
    name: String,
    #[serde(default)]
    doc: String,
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    parameters: String,
    #[serde(default)]
    doc: String,
    #[serde(default)]
    example: String,
    #[serde(default)]
    gives: String,
    #[serde(default)]
    least: u32,
    most: Option<u32>,
}

#[derive(Deserialize)]
struct Type {
    name: String,
    #[serde(default)]
    doc: String,
    members: Vec<Member>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Member {
    name: String,
    #[serde(default)]
    parameters: String,
    #[serde(default)]
    doc: String,
    #[serde(default)]
    is_field: bool,
}

/// Stands for every type of a description. There are no values of it.
struct Described;

impl HostValue for Described {
    const NAME: &'static str = "described";
}

impl Type {
    fn host_type(self) -> HostType<Described> {
        // A description is read once, and its types are known as long as the process runs.
        let name = String::leak(self.name);
        let mut host_type = HostType::new().named(name).about(&self.doc);
        for member in self.members {
            host_type = if member.is_field {
                host_type.getter(&member.name, |_: &Described| 0)
            } else {
                host_type.method(&member.name, |_: &Described, _: Rest<Data>| Ok(0))
            };
            host_type = host_type.with_doc(&member.parameters, &member.doc);
        }
        host_type
    }
}

impl Names {
    fn added_to(self, mut engine: Engine) -> Engine {
        for function in self.functions {
            let does_nothing = |_: Rest<Data>| -> Result<i64, ndscript::HostError> {
                Err(ndscript::HostError::new("only its host can run it"))
            };
            engine = engine
                .with_function(&function.name, does_nothing)
                .with_arity(function.least, function.most)
                .with_doc(&function.parameters, &function.doc)
                .with_example(&function.example, &function.gives);
        }
        for constant in self.constants {
            engine = engine
                .with_constant(&constant.name, data(&constant.value))
                .with_doc("", &constant.doc);
        }
        engine
    }
}

/// The value of a constant.
fn data(value: &Value) -> Data {
    match value {
        Value::Null => Data::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        Value::String(text) => (&**text).into(),
        Value::Array(elements) => elements.iter().map(data).collect::<Vec<_>>().into(),
        Value::Object(fields) => {
            Data::object(fields.iter().map(|(key, held)| (&**key, data(held))))
        }
    }
}

/// An engine that knows what a description as [`Engine::description`] writes it speaks of. Programs can be checked with it, but
/// not run.
///
/// ```
/// use ndscript::Engine;
/// let host = Engine::new().with_function("price", |item: String| Ok(item.len() as i64)).with_doc("item", "What it costs.");
/// let engine = ndscript_editor::engine_of(&host.description()).unwrap();
/// assert_eq!(engine.doc("price"), host.doc("price"));
/// assert_eq!(engine.check("price();").diagnostics[0].message, "`price` takes 1 argument, but gets 0");
/// ```
///
/// # Errors
/// If the text is no such description.
pub fn engine_of(description: &str) -> Result<Engine, HostError> {
    let description: Description = serde_json::from_str(description).map_err(HostError)?;
    let mut engine = description.names.added_to(Engine::new());
    for host_type in description.types {
        engine = engine.with_type(host_type.host_type());
    }
    for module in description.modules {
        let mut inner = module.names.added_to(Engine::new());
        if !module.prelude.is_empty() {
            inner = inner.with_prelude(&module.prelude);
        }
        engine = engine.with_module(&module.name, inner);
    }
    for prelude in description.preludes {
        engine = engine.with_prelude(&prelude);
    }
    Ok(engine)
}
