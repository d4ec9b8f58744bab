//! Labels: tiles with words on them.

use crate::{Row, args};
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;

/// The name of a tile in the look of a label; `None` if the look does not say.
fn part(
    context: &mut Context,
    look: Option<Handle>,
    key: &str,
) -> Result<Option<Option<String>>, Fault> {
    let Some(look) = look else { return Ok(None) };
    let key_text = context.heap.text(key);
    match context.heap.objects[look].get(key_text) {
        None => Ok(None),
        Some(Value::NULL) => Ok(Some(None)),
        Some(value) if value.is_kind(Kind::Text) => {
            args::text(context, "label", value).map(|name| Some(Some(name)))
        }
        Some(other) => {
            let found = context.describe(other);
            let message = format!(
                "the `{key}` of a label is the name of a color or tile, or null, not {found}"
            );
            Err(Fault::error(ErrorKind::Type, message))
        }
    }
}

/// The first letters of the sides in the look of a label; `None` if the look does not say.
fn sides(context: &mut Context, look: Option<Handle>) -> Result<Option<String>, Fault> {
    const SIDES: [&str; 4] = ["left", "top", "right", "bottom"];
    let Some(look) = look else { return Ok(None) };
    let key = context.heap.text("sides");
    let Some(listed) = context.heap.objects[look].get(key) else {
        return Ok(None);
    };
    let names = match listed.kind() {
        Kind::Array => context.heap.elements(listed.payload()).to_vec(),
        Kind::Set => context.heap.set_elements(listed),
        _ => vec![listed],
    };
    let mut is_labelled = [false; SIDES.len()];
    for name in names {
        let text = context.heap.as_str(name);
        let Some(at) = SIDES.iter().position(|side| text == Some(side)) else {
            let found = context.describe(name);
            let message = format!(
                "the `sides` of a label are an array of \"left\", \"top\", \"right\" and \"bottom\", not {found}"
            );
            return Err(Fault::error(ErrorKind::Value, message));
        };
        is_labelled[at] = true;
    }
    let letters = SIDES.iter().zip(is_labelled).filter(|side| side.1);
    Ok(Some(letters.map(|side| &side.0[..1]).collect()))
}

fn label(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = match arguments[0] {
        text if text.is_kind(Kind::Text) => {
            // A text too long for a name is too long for a label: it is not copied.
            let length = context.heap.as_str(text).map_or(0, str::len);
            if length > context.tiles.longest_name() {
                let message = format!("a label is short, which a text of {length} bytes is not");
                return Err(Fault::error(ErrorKind::Value, message));
            }
            args::text(context, "label", text)?
        }
        number if number.is_number() => context.brief(number),
        other => {
            let fault = context.wrong_argument("label", "a string or a number", other);
            return Err(fault.with_hint("`toString(v)` is the text of any value"));
        }
    };
    let look = match arguments.get(1) {
        Some(look) => Some(args::object(context, "label", *look)?),
        None => None,
    };
    if let Some(look) = look {
        let known = ["color", "background", "frame", "sides"];
        let slots = context.heap.objects[look].slots().to_vec();
        let unknown = slots.iter().step_by(2).find(|key| {
            context
                .heap
                .as_str(**key)
                .is_some_and(|key| !known.contains(&key))
        });
        if let Some(key) = unknown {
            let message = format!("a label has no {}", context.brief(*key));
            return Err(Fault::error(ErrorKind::Value, message)
                .with_hint("what can be said is color, background, frame and sides"));
        }
    }
    let color = part(context, look, "color")?.flatten();
    let background = part(context, look, "background")?.unwrap_or_else(|| Some("white".into()));
    let frame = part(context, look, "frame")?.flatten();
    let frame = match sides(context, look)? {
        Some(sides) => Some(format!("{sides}@{}", frame.as_deref().unwrap_or("black"))),
        None => frame,
    };
    let look = [color.as_deref(), background.as_deref(), frame.as_deref()];
    let name = context
        .tiles
        .label_name(&text, look, &context.code.tile_folders);
    let name = name.map_err(|problem| Fault::error(ErrorKind::Tile, problem))?;
    context.charge(32);
    context.reserve(name.len())?;
    Ok(context.heap.text(&name))
}

/// The row of this built-in, in the domain of pictures.
pub const ROW: Row = Row::plain(
    "label",
    "text[, look]",
    1,
    Some(2),
    label,
    "The name of a tile with a text or a number on it, for pictures. The look is an object: `color` of the letters, \
     `background` (a color, any tile, or null for none; white if it is left out), `frame`, a color, and `sides`, those that the \
     frame has: an array of \"left\", \"top\", \"right\" and \"bottom\".",
    (
        "printTilemap(grid([[label(7), label(\"Ada\", {color: \"navy\", background: \"gold\", frame: \"black\"})]]))",
        "grid 2x1",
    ),
);
