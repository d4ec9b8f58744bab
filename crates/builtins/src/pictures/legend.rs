//! Legends: what the tiles of a map mean.

use std::sync::Arc;

use super::picture_work::tile_name;
use crate::Row;
use ndscript_base::picture::{Legend, Picture};
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;

const FUNCTION: &str = "printLegend";

/// At most this many entries.
const MOST_ENTRIES: usize = 1000;

/// The longest words next to a tile, in characters; longer ones are cut.
const LONGEST_WORDS: usize = 100;

fn print_legend(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let legend = arguments[0];
    let count = match (
        legend.handle_of(Kind::Object),
        legend.handle_of(Kind::Array),
    ) {
        (Some(object), _) => context.heap.objects[object].slots().len() / 2,
        (_, Some(array)) => context.heap.array_len(array),
        _ => {
            let wanted = "an object whose values are names of tiles, or an array of such names";
            return Err(context.wrong_argument(FUNCTION, wanted, legend));
        }
    };
    if count == 0 || count > MOST_ENTRIES {
        let message = format!("`{FUNCTION}` shows 1 to {MOST_ENTRIES} tiles, not {count}");
        return Err(Fault::error(ErrorKind::Value, message));
    }
    let entries: Vec<(Value, Value)> = match (
        legend.handle_of(Kind::Object),
        legend.handle_of(Kind::Array),
    ) {
        (Some(object), _) => context.heap.objects[object]
            .slots()
            .chunks(2)
            .map(|pair| (pair[0], pair[1]))
            .collect(),
        (_, Some(array)) => context
            .heap
            .elements(array)
            .iter()
            .map(|name| (*name, *name))
            .collect(),
        _ => Vec::new(),
    };
    let mut shown = Legend::default();
    for (words, tile) in entries {
        let name = tile_name(context, FUNCTION, tile)?;
        let words = short(context.heap.as_str(words).unwrap_or_default());
        context.reserve(name.len() + words.len() + 64)?;
        shown.names.push(name);
        shown.words.push(words);
    }
    context.draw(Picture::Legend(shown))?;
    Ok(legend)
}

/// Words that fit on a line.
fn short(words: &str) -> Arc<str> {
    match words.char_indices().nth(LONGEST_WORDS) {
        Some((end, _)) => format!("{}...", &words[..end]).into(),
        None => words.into(),
    }
}

/// The row of this built-in, in the domain of pictures.
pub const ROW: Row = Row::plain(
    FUNCTION,
    "legend",
    1,
    Some(1),
    print_legend,
    "Shows what tiles mean, each with words beside it. The legend is an object from words to tiles, such as the one that \
     `printTilemap(g, legend)` takes, or an array of tiles, which stand beside their names.",
    (
        "sizeOf(printLegend({\"deep water\": \"sea\", \"meadow\": \"grass\"}))",
        "2",
    ),
);
