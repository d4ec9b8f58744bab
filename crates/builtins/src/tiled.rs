//! `readTiled`: maps of the editor Tiled.

use super::args;
use super::row::{Cost, Row};
use super::tiled_reading::TiledReading;
use ndscript_heap::{Kind, Value};
use ndscript_machine::context::Context;
use ndscript_machine::error::{ErrorKind, Fault};

/// `readTiled(s)`
fn read_tiled(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let text = arguments[0];
    args::handle(context, "readTiled", "a string", Kind::Text, text)?;
    let start = context.heap.as_str(text).unwrap_or_default();
    let start = start.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if start.starts_with(['{', '[']) {
        return Err(Fault::error(
            ErrorKind::Value,
            "`readTiled` reads maps as .tmx, and this is JSON: save the map as .tmx in Tiled, or take `readJson`",
        ));
    }
    context.perform(|_| Ok(TiledReading::new(text)))
}

pub const TABLE: &[Row] = &[Row::plain(
    "readTiled",
    "s",
    1,
    Some(1),
    read_tiled,
    "The map in the text of a `.tmx` file as Tiled writes it, uncompressed: an object with `width`, `height`, `layers`, \
     `properties` and `tilesets`. A layer has `name`, `kind` (`\"tiles\"`, `\"objects\"`, `\"image\"`), `visible` and \
     `properties`; of tiles, `x`, `y` and a `grid` of tile names (null where there is no tile) with their turns; of things, \
     `objects`. A tile's name is its property `name`, its class, its picture, or its square in the picture of its set.",
    (
        "readTiled(\"<map width='3' height='2'></map>\").width",
        "3",
    ),
)
.costing(Cost::Linear)];
