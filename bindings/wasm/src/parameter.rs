//! Parameters of runs: what a program asks for, and what JavaScript gives.

use js_sys::Object;
use ndscript::{Data, Engine, Limits, Param, Program};
use wasm_bindgen::{JsCast, JsError, JsValue};

use crate::object::{Fields, array};

/// A default is worked out if that takes no more steps than this: it stands for itself, or nearly.
const STEPS: u64 = 10_000;

/// A parameter as `Parameter` of `types.d.ts` says.
pub fn parameter(program: &Program, name: &str) -> JsValue {
    let default = program.parameter_default(name);
    let value = default.and_then(|span| default_value(program.sources().text(span)));
    let choices = default.and_then(|span| {
        let (file, line, _) = program.sources().locate(span)?;
        choices(file.line(line))
    });
    // Of several parameters on a line it is the one whose default is among them.
    let choices = choices.filter(|choices| {
        let default = value.as_ref().and_then(JsValue::as_string);
        default.is_some_and(|default| choices.contains(&default))
    });
    let choices = choices.map(|choices| array(choices.iter().map(String::as_str)));
    Fields::new()
        .with("name", name)
        .with_some("default", value)
        .with_some("choices", choices)
        .into()
}

/// The value of an expression that needs nothing of its program.
fn default_value(text: &str) -> Option<JsValue> {
    let limits = Limits {
        steps: STEPS,
        memory: 1 << 22,
        ..Limits::default()
    };
    let program = Engine::new()
        .with_limits(limits)
        .compile(&format!("return ({text}\n);"))
        .ok()?;
    match program.run(0).next()?.ok()?.value {
        Data::Boolean(value) => Some(value.into()),
        Data::Integer(value) => Some((value as f64).into()),
        Data::Float(value) => Some(value.into()),
        Data::Text(text) => Some((&*text).into()),
        _ => None,
    }
}

/// What a comment at the end of a line names: `// north | east | south`.
fn choices(line: &str) -> Option<Vec<String>> {
    let (_, comment) = line.rsplit_once("//")?;
    let names: Vec<String> = comment
        .split('|')
        .map(|name| name.trim().to_string())
        .collect();
    (names.len() > 1 && names.iter().all(|name| !name.is_empty())).then_some(names)
}

/// What JavaScript gives: an object with a field for each parameter.
pub fn given(parameters: &JsValue) -> Result<Vec<(String, Param)>, JsError> {
    if parameters.is_undefined() || parameters.is_null() {
        return Ok(Vec::new());
    }
    let Some(object) = parameters.dyn_ref::<Object>() else {
        return Err(JsError::new(
            "parameters are an object with a field for each: { size: 10 }",
        ));
    };
    let entries = Object::entries(object).into_iter().map(|entry| {
        let entry: js_sys::Array = entry.unchecked_into();
        let (name, value) = (entry.get(0).as_string().unwrap_or_default(), entry.get(1));
        let param = value
            .as_bool()
            .map(Param::Boolean)
            .or_else(|| value.as_f64().map(Param::Number));
        match param.or_else(|| value.as_string().map(Param::Text)) {
            Some(param) => Ok((name, param)),
            None => Err(JsError::new(&format!(
                "the parameter {name:?} has to be a number, a boolean or a text"
            ))),
        }
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::choices;

    #[test]
    fn choices_are_named_by_a_comment() {
        assert_eq!(
            choices("let w = param(\"w\", 1); // a | b c").unwrap(),
            ["a", "b c"]
        );
        assert_eq!(choices("let w = param(\"w\", 1); // how wide"), None);
        assert_eq!(choices("let w = a || b; // a ||"), None);
    }
}
