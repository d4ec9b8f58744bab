//! `readTiled`: maps of the editor Tiled, and their sets of tiles.

mod fields;
mod json;
mod layer;
mod making;
mod names;
mod reading;
mod unpacking;
mod wang;

use super::args;
use super::row::{Cost, Row};
use ndscript_heap::value::Handle;
use ndscript_heap::{Heap, Kind, Value};
use ndscript_machine::context::Context;
use ndscript_machine::error::Fault;
use reading::TiledReading;

/// A tag, with what stands in it, is no longer than so many bytes.
const LONGEST_TAG: usize = 1 << 16;
/// The bytes that the name of a tile may take, with its turns and its place among the texts.
const LONGEST_NAME: usize = 1 << 17;
/// What the values that come of one tag take, beside its texts.
const VALUES_OF_TAG: usize = 1 << 12;

/// Why a text is no map.
enum Wrong {
    Text(String),
    /// Memory, or something that is no matter of the text.
    Fault(Fault),
}

impl Wrong {
    fn new(text: &str) -> Wrong {
        Wrong::Text(text.to_string())
    }
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Wrong {
        Wrong::Fault(fault)
    }
}

/// The beginning of a name, for messages.
fn short(name: &str) -> String {
    name.chars().take(40).collect()
}

fn signed(number: i32) -> Value {
    Heap::integer(i64::from(number)).unwrap_or(Value::NULL)
}

/// Writes a field; there is room for it.
fn put(context: &mut Context, object: Handle, key: &str, value: Value) {
    let key = context.heap.text(key);
    context.heap.set_field(object, key, value);
}

fn put_text(context: &mut Context, object: Handle, key: &str, text: &str) {
    let text = context.heap.text(text);
    put(context, object, key, text);
}

/// `readTiled(s[, tileSets])`
fn read_tiled(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = arguments[0];
    args::handle(context, "readTiled", "a string", Kind::Text, text)?;
    let sets = match arguments.get(1) {
        Some(sets) => Some(args::object(context, "readTiled", *sets)?),
        None => None,
    };
    context.perform(|context| Ok(TiledReading::new(context, text, sets)))
}

pub const TABLE: &[Row] = &[Row::plain(
    "readTiled",
    "s[, tileSets]",
    1,
    Some(2),
    read_tiled,
    "The map in the text of a file of Tiled (`.tmx`, or its JSON), in any encoding and compression: an object with `width`, \
     `height`, `orientation`, `layers`, `properties` and `tilesets`. A layer has `name`, `kind` (`\"tiles\"`, `\"objects\"`, \
     `\"image\"`), `visible` and `properties`; of tiles, `x`, `y` and a `grid` of tile names (null where there is no tile) with \
     their turns; of things, `objects`. A set of tiles has `tiles`, of which something is said, and `wangSets`, each with \
     `relations` as `adjacent` takes them. Sets in files of their own (`.tsx`, or JSON) are read where `tileSets` gives their \
     texts by name, or by themselves. A tile's name is its property `name`, its class, its picture, or its square in the \
     picture of its set.",
    (
        "readTiled(\"<map width='3' height='2'></map>\").width",
        "3",
    ),
)
.costing(Cost::Linear)];
