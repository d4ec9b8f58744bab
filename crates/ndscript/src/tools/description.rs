//! What a host offers to scripts, as a file for editors.

use crate::host::types::{EngineMember, EngineType};
use crate::programs::engine::Engine;
use crate::tools::functions::HostEntry;

impl Engine {
    /// The functions and types of the host as JSON, for editors: `ndscript lsp --host FILE` reads it.
    ///
    /// ```
    /// use ndscript::Engine;
    /// let engine = Engine::new().with_function("price", |item: String| Ok(item.len() as i64)).with_doc("item", "Its price.");
    /// assert_eq!(engine.description(), r#"{"functions": [
    ///   {"name": "price", "parameters": "item", "doc": "Its price.", "example": "", "gives": "", "least": 1, "most": 1}
    /// ], "types": []}
    /// "#);
    /// ```
    pub fn description(&self) -> String {
        let quoted = |text: &str| {
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
        };
        let function = |entry: &HostEntry| {
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
            format!(
                "  {{{}, \"least\": {least}, \"most\": {most}}}",
                texts.join(", ")
            )
        };
        let member = |member: EngineMember| {
            format!(
                "    {{\"name\": {}, \"parameters\": {}, \"doc\": {}, \"isField\": {}}}",
                quoted(&member.name),
                quoted(&member.parameters),
                quoted(&member.doc),
                member.is_field
            )
        };
        let listed = |items: Vec<String>| match items.is_empty() {
            true => "[]".to_string(),
            false => format!("[\n{}\n]", items.join(",\n")),
        };
        let host_type = |host_type: EngineType| {
            format!(
                "  {{\"name\": {}, \"doc\": {}, \"members\": {}}}",
                quoted(host_type.name),
                quoted(&host_type.doc),
                listed(host_type.members.into_iter().map(member).collect())
            )
        };
        let functions = self.functions.iter().map(function).collect();
        let types = self.types().map(host_type).collect();
        format!(
            "{{\"functions\": {}, \"types\": {}}}\n",
            listed(functions),
            listed(types)
        )
    }
}
