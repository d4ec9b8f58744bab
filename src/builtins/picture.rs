//! Pictures of grids, and grids as text. Each returns its first argument.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::print::append;
use super::{Cost, Row, args};
use crate::limits::LimitReached;
use crate::picture::{Cell, HeatMap, Picture, TileMap};
use crate::value::value::Handle;
use crate::value::{Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::{ErrorKind, Fault};

fn print_grid(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "printGrid", arguments[0])?;
    let (width, height) = (context.heap.grids[grid].width as usize, context.heap.grids[grid].height as usize);
    append(context, |context, text| {
        for row in 0..height {
            for cell in row * width..(row + 1) * width {
                let value = context.heap.grids[grid].slots.values()[cell];
                context.display_to(value, text)?;
            }
            text.push('\n');
        }
        Ok(())
    })?;
    Ok(arguments[0])
}

fn print_image(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let name = tile_name(context, "printImage", arguments[0])?;
    context.reserve(name.len())?;
    context.draw(Picture::Image(name))?;
    Ok(arguments[0])
}

/// The name of a tile that can be drawn.
fn tile_name(context: &mut Context, function: &str, value: Value) -> Result<Arc<str>, Fault> {
    let name = context.heap.as_str(value);
    let length = name.map_or(0, str::len);
    let name = name.map(|name| context.tiles.check(name).map(|()| name.into()));
    context.charge(length / 8 + 1);
    match name {
        Some(name) => name.map_err(|problem| Fault::error(ErrorKind::Tile, problem)),
        None => Err(context.wrong_argument(function, "a string", value)),
    }
}

/// The grid that a built-in is to draw, once there is room for a description with so many bytes a cell.
fn drawable(context: &mut Context, function: &str, value: Value, bytes_of_cell: usize) -> Result<Handle, Fault> {
    let grid = args::grid(context, function, value)?;
    let count = context.heap.grids[grid].slots.len();
    if count > context.limits.picture_cells {
        return Err(Fault::Limit(LimitReached::PictureSize(context.limits.picture_cells)));
    }
    context.reserve(count * bytes_of_cell)?;
    context.charge(count / 4 + 1);
    Ok(grid)
}

/// The error for a cell that cannot be shown; `found` is the cell or what is wrong in it.
fn wrong_cell(context: &Context, function: &str, wanted: &str, grid: Handle, cell: usize, found: Value) -> Fault {
    let grid = &context.heap.grids[grid];
    let position = grid.position_of(cell).map_or_else(String::new, |position| context.brief(position));
    let found = if grid.slots.values()[cell] == found {
        format!("is {}", context.describe(found))
    } else {
        format!("contains {}", context.describe(found))
    };
    Fault::error(ErrorKind::Type, format!("`{function}` wants {wanted} in every cell, but the cell {position} {found}"))
}

/// A tile map on its way.
struct Maker<'a> {
    context: &'a mut Context,
    function: &'static str,
    /// What its cells must be, in words.
    wanted: &'static str,
    grid: Handle,
    names: Vec<Arc<str>>,
    name_numbers: FxHashMap<Value, u32>,
    candidates: Vec<Vec<u32>>,
    candidate_numbers: FxHashMap<Value, u32>,
    /// Bytes of the description so far.
    bytes: usize,
}

impl<'a> Maker<'a> {
    fn new(
        context: &'a mut Context,
        function: &'static str,
        wanted: &'static str,
        grid: Value,
    ) -> Result<Maker<'a>, Fault> {
        let grid = drawable(context, function, grid, size_of::<Cell>())?;
        let bytes = context.heap.grids[grid].slots.len() * size_of::<Cell>();
        Ok(Maker {
            context,
            function,
            wanted,
            grid,
            names: Vec::new(),
            name_numbers: FxHashMap::default(),
            candidates: Vec::new(),
            candidate_numbers: FxHashMap::default(),
            bytes,
        })
    }

    /// The number of a tile that a cell names.
    fn tile(&mut self, cell: usize, name: Value) -> Result<u32, Fault> {
        if let Some(number) = self.name_numbers.get(&name) {
            return Ok(*number);
        }
        if !name.is_kind(Kind::Text) {
            return Err(wrong_cell(self.context, self.function, self.wanted, self.grid, cell, name));
        }
        let text = tile_name(self.context, self.function, name)?;
        self.use_bytes(64 + text.len())?;
        let number = self.names.len() as u32;
        self.names.push(text);
        self.name_numbers.insert(name, number);
        Ok(number)
    }

    /// The number of the list of tiles in a set.
    fn candidates(&mut self, cell: usize, set: Value) -> Result<u32, Fault> {
        if let Some(number) = self.candidate_numbers.get(&set) {
            return Ok(*number);
        }
        let count = self.context.heap.set_len(set);
        // The list of elements, and the list of their numbers.
        self.use_bytes(64 + count * 12)?;
        self.context.charge(count);
        let elements = self.context.heap.set_elements(set);
        let tiles = elements.into_iter().map(|element| self.tile(cell, element)).collect::<Result<_, _>>()?;
        let number = self.candidates.len() as u32;
        self.candidates.push(tiles);
        self.candidate_numbers.insert(set, number);
        Ok(number)
    }

    fn use_bytes(&mut self, bytes: usize) -> Result<(), Fault> {
        self.bytes += bytes;
        self.context.reserve(self.bytes)
    }

    /// Draws the map with what `show` makes of each cell.
    fn draw(mut self, show: impl Fn(&mut Self, usize, Value) -> Result<Cell, Fault>) -> Result<(), Fault> {
        let grid = self.grid;
        let count = self.context.heap.grids[grid].slots.len();
        let mut cells = Vec::with_capacity(count);
        for cell in 0..count {
            let value = self.context.heap.grids[grid].slots.values()[cell];
            cells.push(show(&mut self, cell, value)?);
        }
        let (width, height) = (self.context.heap.grids[grid].width, self.context.heap.grids[grid].height);
        let map = TileMap { width, height, names: self.names, cells, candidates: self.candidates };
        self.context.draw(Picture::Tiles(map))
    }
}

fn print_tilemap(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let maker = Maker::new(context, "printTilemap", "the name of a tile", arguments[0])?;
    maker.draw(|maker, cell, value| maker.tile(cell, value).map(Cell::Tile))?;
    Ok(arguments[0])
}

fn print_tileset_map(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "printTilesetMap";
    if let [grid, default] = *arguments {
        args::grid(context, FUNCTION, grid)?;
        // Even where no cell shows it.
        tile_name(context, FUNCTION, default)?;
        let maker = Maker::new(context, FUNCTION, "no more than one name of a tile", grid)?;
        maker.draw(|maker, cell, value| {
            let tile = match value.kind() {
                Kind::Text => value,
                Kind::Set if maker.context.heap.set_len(value) == 1 => {
                    maker.context.heap.set_get(value, 0).unwrap_or(default)
                }
                _ => default,
            };
            maker.tile(cell, tile).map(Cell::Tile)
        })?;
        return Ok(grid);
    }
    let maker = Maker::new(context, FUNCTION, "the name of a tile or a set of such names", arguments[0])?;
    maker.draw(|maker, cell, value| {
        if !value.is_kind(Kind::Set) {
            return maker.tile(cell, value).map(Cell::Tile);
        }
        match maker.context.heap.set_len(value) {
            0 => Ok(Cell::Empty),
            1 => {
                let only = maker.context.heap.set_get(value, 0).unwrap_or(Value::NULL);
                maker.tile(cell, only).map(Cell::Tile)
            }
            _ => maker.candidates(cell, value).map(Cell::Candidates),
        }
    })?;
    Ok(arguments[0])
}

fn print_heatmap(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "printHeatmap";
    let grid = drawable(context, FUNCTION, arguments[0], size_of::<Option<f64>>())?;
    let drawn = &context.heap.grids[grid];
    let mut values = Vec::with_capacity(drawn.slots.len());
    for (cell, value) in drawn.slots.values().iter().enumerate() {
        match context.heap.as_f64(*value) {
            Some(number) => values.push(Some(number)),
            None if *value == Value::NULL => values.push(None),
            None => return Err(wrong_cell(context, FUNCTION, "a number or null", grid, cell, *value)),
        }
    }
    let map = HeatMap { width: drawn.width, height: drawn.height, values };
    context.draw(Picture::Heat(map))?;
    Ok(arguments[0])
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "printGrid",
        "g",
        1,
        Some(1),
        print_grid,
        "Prints the cells of a grid as text, a row a line.",
        ("printGrid(grid([[1, 2], [3, 4]]))", "grid 2x2"),
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
        "g",
        1,
        Some(1),
        print_tilemap,
        "Shows a grid whose cells are names of tiles.",
        ("printTilemap(grid([[\"green\", \"#1e90ff\"]]))", "grid 2x1"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "printTilesetMap",
        "g[, defaultTile]",
        1,
        Some(2),
        print_tileset_map,
        "Shows a grid of sets of tiles; undecided cells show the default, or without one all their candidates.",
        ("printTilesetMap(makeGrid(2, 2, setOf(\"red\", \"blue\")))", "grid 2x2"),
    )
    .costing(Cost::Linear),
    Row::plain(
        "printHeatmap",
        "g",
        1,
        Some(1),
        print_heatmap,
        "Shows a grid of numbers as colors; null is blank.",
        ("printHeatmap(grid([[0, 1.5], [3, null]]))", "grid 2x2"),
    )
    .costing(Cost::Linear),
];
