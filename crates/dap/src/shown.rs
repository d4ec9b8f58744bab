//! What a client looks into: scopes, variables, and the parts of what they hold. A grid is shown as its rows.

use ndscript::{Kind, Run, View};
use ndscript_timeline::{CellShown, Scene, variable};
use serde_json::{Value, json};

/// So many characters of a value are shown in a line.
const SHORT: usize = 200;

/// So many parts of a collection are shown.
const MOST: usize = 10_000;

/// Something with parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Reference {
    /// The variables of a call, counted from the innermost one.
    Call(usize),
    /// The global variables, looked at from a call.
    Globals(usize),
    /// The open choices.
    Choices,
    /// The alternatives that an open choice has left.
    Choice(usize),
    /// Where the search is.
    Search,
    /// What a value holds.
    Value(Access),
    /// A row of a grid.
    Row(Access, usize),
}

impl Reference {
    /// How the program would write a part of it by its name; `None` if it cannot.
    pub fn written(&self, name: &str) -> Option<String> {
        match self {
            Reference::Call(_) | Reference::Globals(_) => Some(name.to_string()),
            Reference::Value(access) => {
                let base = access.written.as_ref()?;
                let is_index = name.parse::<u64>().is_ok();
                Some(if is_index {
                    format!("{base}[{name}]")
                } else {
                    base.clone() + &field(name)
                })
            }
            Reference::Row(access, _) => Some(access.written.clone()? + name),
            Reference::Choices | Reference::Choice(_) | Reference::Search => None,
        }
    }

    /// The call whose variables it leads to.
    pub fn call(&self) -> Option<usize> {
        match self {
            Reference::Call(call) => Some(*call),
            Reference::Value(access) | Reference::Row(access, _) => access.call,
            _ => None,
        }
    }
}

/// How the program writes a field of an object.
fn field(key: &str) -> String {
    if ndscript_base::letters::is_name(key) {
        format!(".{key}")
    } else {
        format!("[{}]", ndscript::internals::in_quotes(key))
    }
}

/// The way to a value: a variable, and which part of it, of what that holds again, and so on.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The call whose variable it is, unless it is a global one.
    pub call: Option<usize>,
    pub variable: String,
    parts: Vec<usize>,
    /// How the program would write it; `None` if it cannot.
    pub written: Option<String>,
    /// Whether that means something else where it is looked at: a variable of the call covers the global one.
    is_covered: bool,
}

impl Access {
    pub fn of(call: Option<usize>, variable: &str) -> Access {
        Access {
            call,
            variable: variable.to_string(),
            parts: Vec::new(),
            written: Some(variable.to_string()),
            is_covered: false,
        }
    }

    /// The value that it leads to.
    pub fn follow<'r>(&self, run: &'r Run) -> Option<View<'r>> {
        let base = variable(run, self.call, &self.variable)?;
        self.parts
            .iter()
            .try_fold(base, |held, part| part_of(held, *part))
    }

    /// The text of a candidate, which clients know by its number among those of a cell.
    pub fn candidate(&self, run: &Run, name: &str) -> Option<String> {
        let cell = CellShown::of(self.follow(run)?);
        let number: usize = name.parse().ok()?;
        cell.candidates.get(number).filter(|_| cell.is_set).cloned()
    }

    fn part(&self, part: usize, written: Option<String>) -> Access {
        let mut access = self.clone();
        access.parts.push(part);
        access.written = self
            .written
            .as_ref()
            .zip(written)
            .map(|(base, part)| base.clone() + &part);
        access
    }
}

fn part_of(collection: View<'_>, part: usize) -> Option<View<'_>> {
    match collection.kind() {
        Kind::Grid => {
            let width = collection.width().max(1);
            collection.cell(part % width, part / width)
        }
        Kind::Object => collection.fields().nth(part).map(|(_, value)| value),
        _ => collection.get(part),
    }
}

/// What a value is, as `typeOf` says.
pub fn kind_name(value: View<'_>) -> &'static str {
    match value.kind() {
        Kind::Null => "null",
        Kind::Boolean => "boolean",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Position => "position",
        Kind::Array => "array",
        Kind::Set => "set",
        Kind::Relation => "relation",
        Kind::Grid => "grid",
        Kind::Object => "object",
        Kind::Queue => "queue",
        Kind::Function => "function",
        // `Kind` may grow.
        _ => "value",
    }
}

/// The beginning of a value's text, with dots where there is more of it.
pub fn shortened(value: View<'_>, most: usize) -> String {
    let mut text = value.beginning(most);
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text += "...";
    }
    text
}

/// The numbers of what has parts.
pub struct References<'r>(pub &'r mut Vec<Reference>);

impl References<'_> {
    pub fn number(&mut self, reference: Reference) -> usize {
        if let Some(known) = self.0.iter().position(|known| *known == reference) {
            return known + 1;
        }
        self.0.push(reference);
        self.0.len()
    }

    /// A variable or a part, as the protocol has it.
    pub fn shown(&mut self, name: &str, access: Access, value: View<'_>) -> Value {
        let has_parts = matches!(
            value.kind(),
            Kind::Array | Kind::Set | Kind::Grid | Kind::Object | Kind::Queue
        ) && !value.is_empty();
        let mut json = json!({
            "name": name,
            "value": shortened(value, SHORT),
            "type": kind_name(value),
        });
        if let Some(written) = access.written.as_ref().filter(|_| !access.is_covered) {
            json["evaluateName"] = json!(written);
        }
        json["variablesReference"] = json!(if has_parts {
            self.number(Reference::Value(access))
        } else {
            0
        });
        json
    }

    /// The parts of something, where a run stands.
    pub fn parts(&mut self, reference: &Reference, run: &Run, scene: &Scene) -> Vec<Value> {
        match reference {
            Reference::Call(call) => {
                let calls = run.calls(call + 1);
                let Some(shown) = calls.get(*call) else {
                    return Vec::new();
                };
                let variables = shown.variables.iter();
                variables
                    .map(|(name, value)| self.shown(name, Access::of(Some(*call), name), *value))
                    .collect()
            }
            Reference::Globals(call) => {
                let calls = run.calls(call + 1);
                let own = calls.get(*call).map_or(&[][..], |call| &call.variables);
                let shown = run.view_globals().map(|(name, value)| {
                    let mut access = Access::of(None, name);
                    access.is_covered = own.iter().any(|(known, _)| *known == name);
                    self.shown(name, access, value)
                });
                shown.collect()
            }
            Reference::Choices => self.choices(scene),
            Reference::Choice(choice) => {
                scene.choices.get(*choice).map_or_else(Vec::new, |choice| {
                    let named = choice.alternatives.iter().enumerate();
                    named
                        .map(|(at, text)| plain(&(at + 1).to_string(), text))
                        .collect()
                })
            }
            Reference::Search => vec![
                plain("moment", &scene.when.to_string()),
                plain("open choices", &scene.open.to_string()),
                plain("printed", &scene.text),
            ],
            Reference::Value(access) => access
                .follow(run)
                .map_or_else(Vec::new, |value| self.parts_of(access, value)),
            Reference::Row(access, y) => access.follow(run).map_or_else(Vec::new, |grid| {
                let cells = (0..grid.width().min(MOST)).filter_map(|x| {
                    let written = format!("[{x}, {y}]");
                    let part = access.part(y * grid.width() + x, Some(written.clone()));
                    Some(self.shown(&written, part, grid.cell(x, *y)?))
                });
                cells.collect()
            }),
        }
    }

    fn parts_of(&mut self, access: &Access, value: View<'_>) -> Vec<Value> {
        match value.kind() {
            Kind::Grid => self.rows(access, value),
            Kind::Object => {
                let fields = value.fields().take(MOST).enumerate();
                let shown = fields.map(|(at, (key, held))| {
                    self.shown(key, access.part(at, Some(field(key))), held)
                });
                shown.collect()
            }
            kind => {
                let elements = value.elements().take(MOST).enumerate();
                let shown = elements.map(|(at, element)| {
                    let written = (kind == Kind::Array).then(|| format!("[{at}]"));
                    self.shown(&at.to_string(), access.part(at, written), element)
                });
                shown.collect()
            }
        }
    }

    fn rows(&mut self, access: &Access, grid: View<'_>) -> Vec<Value> {
        let width = grid.width().max(1);
        let cells: Vec<String> = grid
            .cells()
            .take(MOST * 100)
            .map(|cell| CellShown::of(cell).brief())
            .collect();
        let wide = cells.iter().map(|cell| cell.chars().count()).max();
        let wide = wide.unwrap_or(1);
        let rows = cells.chunks(width).take(MOST).enumerate();
        let shown = rows.map(|(y, row)| {
            let padded: Vec<String> = row.iter().map(|cell| format!("{cell:wide$}")).collect();
            json!({
                "name": format!("row {y}"),
                "value": padded.join(" ").trim_end(),
                "variablesReference": self.number(Reference::Row(access.clone(), y)),
            })
        });
        shown.collect()
    }

    fn choices(&mut self, scene: &Scene) -> Vec<Value> {
        let choices = scene.choices.iter().enumerate();
        let shown = choices.map(|(number, choice)| {
            let line = choice.line.as_ref();
            let line = line.map_or_else(String::new, |line| line.in_words.clone());
            let place = choice.place.as_ref();
            let place = place.map_or_else(String::new, |place| format!(" for {place}"));
            let call = choice.call.as_ref();
            let call = call.map_or_else(String::new, |call| format!(" in {call}"));
            let left = choice.left;
            let named = choice.alternatives.join(", ");
            let more = if left > choice.alternatives.len() {
                ", ..."
            } else {
                ""
            };
            json!({
                "name": (number + 1).to_string(),
                "value": format!("{line}{call}{place}, {left} left: {named}{more}"),
                "variablesReference": self.number(Reference::Choice(number)),
            })
        });
        shown.collect()
    }
}

fn plain(name: &str, value: &str) -> Value {
    json!({"name": name, "value": value, "variablesReference": 0})
}
