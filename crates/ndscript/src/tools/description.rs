//! What a host offers to scripts, as a file for editors.

use crate::host::constants::ConstantEntry;
use crate::host::modules::ModuleEntry;
use crate::host::types::{EngineMember, EngineType};
use crate::programs::engine::Engine;
use crate::tools::functions::HostEntry;
use ndscript_heap::outside::data::Data;

impl Engine {
    /// The functions, constants, types, modules and preludes of the host as JSON, for editors: `ndscript lsp --host FILE` reads
    /// it.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let engine = Engine::new().with_function("price", |item: String| Ok(item.len() as i64)).with_doc("item", "Its price.");
    /// let engine = engine.with_constant("most", 9).with_doc("", "So many.");
    /// assert_eq!(engine.description(), r#"{"functions": [
    ///   {"name": "price", "parameters": "item", "doc": "Its price.", "example": "", "gives": "", "least": 1, "most": 1}
    /// ], "constants": [
    ///   {"name": "most", "doc": "So many.", "value": 9}
    /// ], "types": [], "modules": [], "preludes": []}
    /// "#);
    /// ```
    pub fn description(&self) -> String {
        let types = self.types().map(host_type).collect();
        let modules = self.modules.iter().map(module).collect();
        let preludes = self.preludes.iter();
        let preludes = preludes.map(|text| format!("  {}", quoted(&text.text)));
        format!(
            "{{{}, \"types\": {}, \"modules\": {}, \"preludes\": {}}}\n",
            names(self),
            listed(types),
            listed(modules),
            listed(preludes.collect())
        )
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out + "\""
}

fn listed(items: Vec<String>) -> String {
    match items.is_empty() {
        true => "[]".to_string(),
        false => format!("[\n{}\n]", items.join(",\n")),
    }
}

/// The functions and constants of an engine itself.
fn names(engine: &Engine) -> String {
    let functions = engine.functions.iter().map(function).collect();
    let constants = engine.constants_there().map(constant).collect();
    format!(
        "\"functions\": {}, \"constants\": {}",
        listed(functions),
        listed(constants)
    )
}

fn function(entry: &HostEntry) -> String {
    let texts = [
        ("name", &entry.name),
        ("parameters", &entry.parameters),
        ("doc", &entry.doc),
        ("example", &entry.example),
        ("gives", &entry.gives),
    ];
    let texts = texts.map(|(key, text)| format!("\"{key}\": {}", quoted(text)));
    let (least, most) = entry.arity;
    let most = most.map_or("null".to_string(), |most| most.to_string());
    let texts = texts.join(", ");
    format!("  {{{texts}, \"least\": {least}, \"most\": {most}}}")
}

fn constant(entry: &ConstantEntry) -> String {
    format!(
        "  {{\"name\": {}, \"doc\": {}, \"value\": {}}}",
        quoted(&entry.name),
        quoted(&entry.doc),
        value(&entry.value)
    )
}

/// A value in JSON. A position becomes an object, and a set an array: their fields and elements can be read alike.
fn value(data: &Data) -> String {
    match data {
        Data::Boolean(value) => value.to_string(),
        Data::Integer(value) => value.to_string(),
        Data::Float(value) if value.is_finite() => format!("{value:?}"),
        Data::Text(text) => quoted(text),
        Data::Position(x, y) => format!("{{\"x\": {x}, \"y\": {y}}}"),
        Data::Array(elements) | Data::Set(elements) => {
            let elements = elements.iter().map(value).collect::<Vec<_>>();
            format!("[{}]", elements.join(", "))
        }
        Data::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(key, held)| format!("{}: {}", quoted(key), value(held)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        // Nothing else can be a constant.
        _ => "null".to_string(),
    }
}

fn host_type(host_type: EngineType) -> String {
    format!(
        "  {{\"name\": {}, \"doc\": {}, \"members\": {}}}",
        quoted(host_type.name),
        quoted(&host_type.doc),
        listed(host_type.members.into_iter().map(member).collect())
    )
}

fn member(member: EngineMember) -> String {
    format!(
        "    {{\"name\": {}, \"parameters\": {}, \"doc\": {}, \"isField\": {}}}",
        quoted(&member.name),
        quoted(&member.parameters),
        quoted(&member.doc),
        member.is_field
    )
}

/// A module, with its preludes as one text.
fn module(entry: &ModuleEntry) -> String {
    format!(
        "  {{\"name\": {}, {}, \"prelude\": {}}}",
        quoted(&entry.text.name),
        names(&entry.engine),
        quoted(&entry.text.text)
    )
}
