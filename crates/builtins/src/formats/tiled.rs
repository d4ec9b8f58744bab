//! `readTiled`: maps of the editor Tiled, and their sets of tiles.

mod fields;
mod json;
mod layer;
mod making;
mod names;
mod reading;
mod unpacking;
mod values;
mod wang;

use crate::args;
use crate::row::{Cost, Row};
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use reading::TiledReader;

/// `readTiled(s[, tileSets])`
fn read_tiled(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = arguments[0];
    args::handle(context, "readTiled", "a string", Kind::Text, text)?;
    let sets = match arguments.get(1) {
        Some(sets) => Some(args::object(context, "readTiled", *sets)?),
        None => None,
    };
    context.perform(|context| Ok(TiledReader::new(context, text, sets)))
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
