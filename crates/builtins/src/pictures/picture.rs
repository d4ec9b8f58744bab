//! Pictures of grids, and grids as text. Each returns its first argument.

use super::aligning::AlignedPrint;
use super::picture_work::{HeatMapWork, LayersWork, Show, SnapshotWork, TileMapWork, tile_name};
use crate::{Cost, Row, args};
use ndscript_base::counted::counted;
use ndscript_base::picture::Picture;
use ndscript_bytecode::Shows;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::host::record::LONGEST;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::writing::{Separator, TextTarget, Writing};

fn print_grid(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "printGrid", arguments[0])?;
    let (width, height) = (
        context.heap.grids[grid].width as usize,
        context.heap.grids[grid].height as usize,
    );
    let result = arguments[0];
    if let Some(separator) = arguments.get(1).copied() {
        args::handle(
            context,
            "printGrid",
            "a string as separator",
            Kind::Text,
            separator,
        )?;
        if width > 0 && height > 0 {
            return context.perform(move |context| {
                let cells = ListWalk::of_slots(result, 0, 1, width * height);
                context.reserve(cells.bytes_needed())?;
                Ok(AlignedPrint::new(result, width, cells, separator))
            });
        }
    }
    context.perform(move |context| {
        if width == 0 {
            context.print(&"\n".repeat(height))?;
        }
        let cells = ListWalk::of_slots(result, 0, 1, width * height);
        context.reserve(cells.bytes_needed())?;
        let writing =
            Writing::new(cells, TextTarget::Print(result)).with_between(Separator::Rows(width));
        Ok(writing.ending_with(if width * height > 0 { "\n" } else { "" }))
    })
}

fn print_image(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = tile_name(context, "printImage", arguments[0])?;
    context.reserve(name.len())?;
    context.draw(Picture::Image(name))?;
    Ok(arguments[0])
}

fn print_tilemap(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = arguments[0];
    context.perform(move |context| {
        TileMapWork::new(
            context,
            "printTilemap",
            "the name of a tile",
            grid,
            Show::Names,
        )
    })
}

/// `__printTilemap(g, legend)`: the legend is an object.
fn print_tilemap_by_legend(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let (grid, legend) = (
        arguments[0],
        args::object(context, "printTilemap", arguments[1])?,
    );
    context.perform(move |context| {
        let wanted = "a string, a number, a Boolean, a position or null";
        TileMapWork::new(context, "printTilemap", wanted, grid, Show::Legend(legend))
    })
}

fn print_tileset_map(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "printTilesetMap";
    if let [grid, default] = *arguments {
        args::grid(context, FUNCTION, grid)?;
        return context.perform(move |context| {
            // Even where no cell shows it.
            tile_name(context, FUNCTION, default)?;
            TileMapWork::new(
                context,
                FUNCTION,
                "no more than one name of a tile",
                grid,
                Show::Decided(default),
            )
        });
    }
    let grid = arguments[0];
    context.perform(move |context| {
        let wanted = "the name of a tile or a set of such names";
        TileMapWork::new(context, FUNCTION, wanted, grid, Show::Candidates)
    })
}

/// At most this many layers.
const MOST_LAYERS: usize = 100;

fn print_layers(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let layers = args::array(context, LayersWork::FUNCTION, arguments[0])?;
    let count = context.heap.array_len(layers);
    if count == 0 || count > MOST_LAYERS {
        let message =
            format!("`printLayers` wants 1 to {MOST_LAYERS} grids in its array, not {count}");
        return Err(Fault::error(ErrorKind::Value, message));
    }
    let grids = context.heap.elements(layers).to_vec();
    let mut size = None;
    for (at, layer) in grids.iter().enumerate() {
        let grid = args::handle(
            context,
            LayersWork::FUNCTION,
            "an array of grids",
            Kind::Grid,
            *layer,
        )?;
        let grid = &context.heap.grids[grid];
        let (width, height) = *size.get_or_insert((grid.width, grid.height));
        if (grid.width, grid.height) != (width, height) {
            let message = format!(
                "the layers of a picture must be equally large, but layer {at} has {} and {}, and layer 0 has \
                 {width} and {height}",
                counted(grid.width, "column"),
                counted(grid.height, "row")
            );
            return Err(Fault::error(ErrorKind::Value, message));
        }
    }
    let result = arguments[0];
    context.perform(move |_| Ok(LayersWork::new(result, grids)))
}

/// `snapshot(g[, caption])`. An observer must make no difference to the run: so it always takes equally many steps
/// and equally much memory, and what cannot be drawn is left out.
fn snapshot(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    args::grid(context, SnapshotWork::FUNCTION, arguments[0])?;
    let caption = arguments.get(1).copied();
    if let Some(caption) = caption
        && !caption.is_kind(Kind::Text)
    {
        return Err(context.wrong_argument(SnapshotWork::FUNCTION, "a string as caption", caption));
    }
    let grid = arguments[0];
    let recording = context.perform_whole(|context| SnapshotWork::new(context, grid))?;
    let caption = caption
        .and_then(|caption| context.heap.as_str(caption))
        .unwrap_or("");
    let looked_at = caption.len().min(LONGEST);
    if context.record.is_wanted {
        match recording.picture(context) {
            Some(picture) => context.record.draw(
                picture,
                caption,
                context.heap.serials.top,
                context.limits.memory,
            ),
            None => context.record.cannot_draw(),
        }
    }
    context.charge(looked_at / 8 + 1);
    Ok(grid)
}

fn print_heatmap(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let value = arguments[0];
    context.perform(move |context| HeatMapWork::new(context, value))
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "printGrid",
        "g[, separator]",
        1,
        Some(2),
        print_grid,
        "Prints the cells of a grid as text, a row a line; with a separator between them, in columns.",
        ("printGrid(grid([[1, 20], [300, 4]]), \" \")", "grid 2x2"),
    )
    .showing(Shows::Elements)
    .costing(Cost::Linear),
    Row::plain(
        "snapshot",
        "g[, caption]",
        1,
        Some(2),
        snapshot,
        "Records a picture of the grid, as `printTilesetMap(g)` draws it, for whoever watches the run; failures do not take it \
         back. Returns the grid.",
        ("snapshot(makeGrid(2, 2, setOf(\"red\", \"blue\")), \"at first\")", "grid 2x2"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "printImage",
        "name",
        1,
        Some(1),
        print_image,
        "Shows one image: a file, a color or a built-in tile.",
        ("printImage(\"red\")", "red"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "printTilemap",
        "g[, legend]",
        1,
        Some(2),
        print_tilemap,
        "Shows a grid whose cells are names of tiles, or get one from the legend: an object that has it by the text of the \
         value, or a function of the value.",
        ("printTilemap(gridFromText(\"~~^\"), {\"~\": \"blue\", \"^\": \"#7a7a7a\"})", "grid 3x1"),
    )
    .with_scripts(&[(2, "printTilemapBy")])
    .costing(Cost::Linear),
    Row::plain(
        "printTilesetMap",
        "g[, defaultTile]",
        1,
        Some(2),
        print_tileset_map,
        "Shows a grid of sets of tiles; undecided cells show the default, or without one all their candidates. A cell without \
         any shows a cross.",
        ("printTilesetMap(makeGrid(2, 2, setOf(\"red\", \"blue\")))", "grid 2x2"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "printLayers",
        "layers",
        1,
        Some(1),
        print_layers,
        "Shows equally large grids of tiles, given as an array, one over another: the last lies on top. Where a cell is null, \
         and where its tile has no color, what lies below shows.",
        ("let ground = makeGrid(3, 2, \"green\"); let things = makeGrid(3, 2, null); things[1, 1] = label(\"A\", {background: null}); \
          sizeOf(printLayers([ground, things]))", "2"),
    )
    .costing(Cost::Linear),
    super::label::ROW,
    super::legend::ROW,
    Row::plain(
        "printHeatmap",
        "g",
        1,
        Some(1),
        print_heatmap,
        "Shows a grid of numbers as colors; null is blank, the name of a tile shows that tile.",
        ("printHeatmap(grid([[0, 1.5], [3, null]]))", "grid 2x2"),
    )
    .costing(Cost::Linear),
    Row::plain("__printTilemap", "", 2, Some(2), print_tilemap_by_legend, "", ("", "")),
];
