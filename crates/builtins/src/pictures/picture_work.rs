//! Pictures of grids, as work that can stop and resume.

use std::sync::Arc;

use crate::args;
use ndscript_base::budget::Budget;
use ndscript_base::keyed::KeyedMap;
use ndscript_base::limits::LimitReached;
use ndscript_base::picture::{Cell, HeatCell, HeatMap, Picture, TileMap};
use ndscript_base::room;
use ndscript_heap::value::Handle;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work, naming};

/// The name of a tile that can be drawn.
pub fn tile_name(context: &mut Context, function: &str, value: Value) -> Result<Arc<str>, Fault> {
    let name = context.heap.as_str(value);
    // The rest of it is not read.
    let length = name.map_or(0, str::len).min(context.tiles.longest_name());
    let name = name.map(|name| context.tiles.full_name(name, &context.code.tile_folders));
    context.charge(length / 8 + 1);
    match name {
        Some(name) => name.map_err(|problem| Fault::error(ErrorKind::Tile, problem)),
        None => Err(context.wrong_argument(function, "a string", value)),
    }
}

/// The grid that a built-in draws, once a description with this many bytes per cell fits into memory.
fn drawable(
    context: &mut Context,
    function: &str,
    value: Value,
    bytes_of_cell: usize,
) -> Result<Handle, Fault> {
    let grid = args::grid(context, function, value)?;
    let count = context.heap.grids[grid].slots.len();
    if count > context.limits.picture_cells {
        return Err(Fault::Limit(LimitReached::PictureSize(
            context.limits.picture_cells,
        )));
    }
    context.reserve(count * bytes_of_cell)?;
    Ok(grid)
}

/// The error for a cell that cannot be drawn; `found` is the cell, or the invalid part of it.
fn wrong_cell(
    context: &Context,
    function: &str,
    wanted: &str,
    grid: Handle,
    cell: usize,
    found: Value,
) -> Fault {
    let grid = &context.heap.grids[grid];
    let position = grid
        .position_of(cell)
        .map_or_else(String::new, |position| context.brief(position));
    let found = if grid.slots.values()[cell] == found {
        format!("is {}", context.describe(found))
    } else {
        format!("contains {}", context.describe(found))
    };
    let is_undecided = grid.slots.values()[cell].is_kind(Kind::Set);
    let message =
        format!("`{function}` wants {wanted} in every cell, but the cell {position} {found}");
    let fault = Fault::error(ErrorKind::Type, message);
    match is_undecided {
        true => fault.with_hint(format!(
            "`printTilesetMap(g)` shows what undecided cells may be; after `decide(g)`, `{function}(decided(g))` shows the map"
        )),
        false => fault,
    }
}

/// The tiles that the cells of a map name, each once.
#[derive(Clone, Default)]
struct Names {
    names: Vec<Arc<str>>,
    numbers: KeyedMap<Value, u32>,
    /// Bytes of the list.
    bytes: usize,
}

impl Names {
    /// The number of a tile that was not named before.
    fn add(&mut self, context: &mut Context, name: Value, text: Arc<str>) -> Result<u32, Fault> {
        let bytes = 64 + text.len();
        context.reserve(bytes)?;
        self.bytes += bytes;
        let number = self.names.len() as u32;
        self.names.push(text);
        self.numbers.insert(name, number);
        Ok(number)
    }

    fn bytes(&self) -> usize {
        self.bytes + room::hash_map(self.numbers.capacity(), 16)
    }
}

/// How a tile map shows a cell.
#[derive(Clone, Copy)]
pub enum Show {
    /// The cell is the name of its tile.
    Names,
    /// The object has the name of its tile, by its text.
    Legend(Handle),
    /// A set of one tile, or a name, is shown; every other cell is shown as this.
    Decided(Value),
    /// A set shows all its tiles.
    Candidates,
    /// As `Candidates`, but null shows nothing.
    Layer,
}

/// A tile map being made.
#[derive(Clone)]
pub struct TileMapWork {
    function: &'static str,
    /// What its cells must be, in words.
    wanted: &'static str,
    grid: Handle,
    show: Show,
    names: Names,
    /// The fields of a legend.
    fields: naming::Names,
    candidates: Vec<Vec<u32>>,
    candidate_numbers: KeyedMap<Value, u32>,
    /// The set of the current cell, if it is a large one.
    naming: Option<NameTilesWork>,
    cells: Vec<Cell>,
    /// Bytes of the lists of candidates so far.
    bytes: usize,
}

/// The tiles of a set, being read.
#[derive(Clone)]
struct NameTilesWork {
    elements: ListWalk,
    /// Their numbers so far.
    tiles: Vec<u32>,
}

impl TileMapWork {
    pub fn new(
        context: &mut Context,
        function: &'static str,
        wanted: &'static str,
        grid: Value,
        show: Show,
    ) -> Result<TileMapWork, Fault> {
        let grid = drawable(context, function, grid, size_of::<Cell>())?;
        Ok(TileMapWork {
            function,
            wanted,
            grid,
            show,
            names: Names::default(),
            fields: naming::Names::default(),
            candidates: Vec::new(),
            candidate_numbers: KeyedMap::default(),
            naming: None,
            cells: Vec::with_capacity(context.heap.grids[grid].slots.len()),
            bytes: 0,
        })
    }

    /// The number of a tile that a cell names.
    fn tile(&mut self, context: &mut Context, name: Value) -> Result<u32, Fault> {
        if let Some(number) = self.names.numbers.get(&name) {
            return Ok(*number);
        }
        if let Show::Legend(legend) = self.show {
            let tile = self.look_up(context, legend, name)?;
            let text = tile_name(context, self.function, tile)?;
            return self.names.add(context, name, text);
        }
        if !name.is_kind(Kind::Text) {
            return Err(wrong_cell(
                context,
                self.function,
                self.wanted,
                self.grid,
                self.cells.len(),
                name,
            ));
        }
        let text = tile_name(context, self.function, name).map_err(|fault| {
            let grid = match self.show {
                Show::Names | Show::Legend(_) => "g",
                Show::Decided(_) | Show::Candidates | Show::Layer => "decided(g)",
            };
            let name = context.heap.as_str(name).unwrap_or_default();
            let name: String = name.chars().take(20).collect();
            fault.with_hint(format!(
                "a legend says what is drawn for a value: `printTilemap({grid}, {{{name:?}: \"sea\"}})`"
            ))
        })?;
        self.names.add(context, name, text)
    }

    /// The name of the tile that a legend gives for a cell.
    fn look_up(&self, context: &mut Context, legend: Handle, cell: Value) -> Result<Value, Fault> {
        let (here, shown) = (
            self.cells.len(),
            cell.is_kind(Kind::Text) || cell.is_number(),
        );
        if !shown && !matches!(cell.kind(), Kind::Null | Kind::Boolean | Kind::Position) {
            let fault = wrong_cell(context, self.function, self.wanted, self.grid, here, cell);
            return Err(fault.with_hint(match cell.kind() {
                Kind::Set => {
                    "`decided(g)` is a decided board with plain values, and `printTilesetMap(g)` draws what is undecided"
                }
                _ => "a function as legend takes any value: `printTilemap(g, v => ...)`",
            }));
        }
        let key = if cell.is_kind(Kind::Text) {
            cell
        } else {
            let text = context.brief(cell);
            context.heap.text(&text)
        };
        context.heap.objects[legend].get(key).ok_or_else(|| {
            let place = context.heap.grids[self.grid].position_of(here);
            let place = place.map_or_else(String::new, |place| context.brief(place));
            let message = format!("the legend has no {} for the cell {place}", context.brief(key));
            Fault::error(ErrorKind::Value, message)
                .with_hint("the legend is an object that gives a tile for every value, by its text, or a function")
        })
    }

    /// The number of the list of tiles in a set; `None` if the piece is at its end.
    fn candidates(
        &mut self,
        context: &mut Context,
        set: Value,
        budget: &mut Budget,
    ) -> Result<Option<u32>, Fault> {
        if let Some(number) = self.candidate_numbers.get(&set) {
            return Ok(Some(*number));
        }
        let mut naming = match self.naming.take() {
            Some(naming) => naming,
            None => {
                let count = context.heap.set_len(set);
                // The list of elements, and the list of their numbers.
                let bytes = 64 + count * 12;
                context.reserve(bytes)?;
                // A set without tiles is mostly detected by its first element.
                let first = context.heap.set_get(set, 0).unwrap_or(Value::NULL);
                self.tile(context, first)?;
                let elements = ListWalk::of(&mut context.heap, set)
                    .unwrap_or_else(|| ListWalk::of_list(Vec::new()));
                NameTilesWork {
                    elements,
                    tiles: Vec::with_capacity(count),
                }
            }
        };
        let named = self.name_all(context, &mut naming, budget);
        match named {
            Ok(true) => {}
            Ok(false) | Err(Fault::Memory(_)) => {
                self.naming = Some(naming);
                return named.map(|_| None);
            }
            Err(fault) => return Err(fault),
        }
        self.bytes += 64 + room::row(&naming.tiles);
        let number = self.candidates.len() as u32;
        self.candidates.push(naming.tiles);
        self.candidate_numbers.insert(set, number);
        Ok(Some(number))
    }

    /// Continues to name the tiles of a set; true when all are named.
    fn name_all(
        &mut self,
        context: &mut Context,
        naming: &mut NameTilesWork,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        if !naming.elements.resume(&mut context.heap, budget) {
            return Ok(false);
        }
        while let Some(element) = naming.elements.elements.get(naming.tiles.len()) {
            if budget.is_spent() {
                return Ok(false);
            }
            let known = self.names.names.len();
            let tile = self.tile(context, *element)?;
            naming.tiles.push(tile);
            // Looking up a new name takes longer than finding a known one.
            budget.spend(if self.names.names.len() > known {
                12
            } else {
                3
            });
        }
        Ok(true)
    }

    /// How a cell is shown; `None` if the piece is at its end.
    fn cell(
        &mut self,
        context: &mut Context,
        value: Value,
        budget: &mut Budget,
    ) -> Result<Option<Cell>, Fault> {
        if matches!(self.show, Show::Layer) && value == Value::NULL {
            return Ok(Some(Cell::Nothing));
        }
        let names_all = matches!(self.show, Show::Names | Show::Legend(_));
        let Some(set) = value.handle_of(Kind::Set).filter(|_| !names_all) else {
            let is_shown = value.is_kind(Kind::Text) || !matches!(self.show, Show::Decided(_));
            let tile = if let (Show::Decided(default), false) = (self.show, is_shown) {
                default
            } else {
                value
            };
            return self.tile(context, tile).map(|tile| Some(Cell::Tile(tile)));
        };
        let only = match (context.heap.sets[set].len(), self.show) {
            (1, _) => context.heap.set_get(value, 0).unwrap_or(Value::NULL),
            (0, _) => return Ok(Some(Cell::Empty)),
            (_, Show::Decided(default)) => default,
            _ => {
                return self
                    .candidates(context, value, budget)
                    .map(|number| number.map(Cell::Candidates));
            }
        };
        self.tile(context, only).map(|tile| Some(Cell::Tile(tile)))
    }
}

impl TileMapWork {
    /// Continues to look at cells; true when all are there.
    pub fn map(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        while let Some(value) = context.heap.grids[self.grid].slots.get(self.cells.len()) {
            if budget.is_spent() {
                return Ok(false);
            }
            let shown = match self.show {
                Show::Legend(_) => self.fields.finding_name(context, value, budget),
                _ => Some(value),
            };
            let Some(shown) = shown else { return Ok(false) };
            let fuel = context.fuel;
            let cell = self
                .cell(context, shown, budget)
                .inspect_err(|_| context.fuel = fuel)?;
            let Some(cell) = cell else { return Ok(false) };
            budget.spend(6);
            self.cells.push(cell);
        }
        Ok(true)
    }

    /// The map, after all cells are done.
    pub fn finish(&mut self, context: &Context) -> TileMap {
        let (width, height) = (
            context.heap.grids[self.grid].width,
            context.heap.grids[self.grid].height,
        );
        TileMap {
            width,
            height,
            names: std::mem::take(&mut self.names.names),
            cells: std::mem::take(&mut self.cells),
            candidates: std::mem::take(&mut self.candidates),
        }
    }
}

impl Work for TileMapWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.map(context, budget)? {
            return Ok(None);
        }
        if context.output.pictures.len() >= context.limits.pictures {
            return Err(Fault::Limit(LimitReached::Pictures(
                context.limits.pictures,
            )));
        }
        let map = self.finish(context);
        context.draw(Picture::Tiles(map))?;
        Ok(Some(Value::handle(Kind::Grid, self.grid)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(Value::handle(Kind::Grid, self.grid));
        tracer.values.extend(
            self.names
                .numbers
                .keys()
                .chain(self.candidate_numbers.keys()),
        );
        self.naming.iter().for_each(|naming| {
            naming
                .elements
                .values(&mut |value| tracer.values.push(value))
        });
        match self.show {
            Show::Layer => {}
            Show::Decided(default) => tracer.values.push(default),
            Show::Legend(legend) => tracer.values.push(Value::handle(Kind::Object, legend)),
            Show::Names | Show::Candidates => {}
        }
    }

    fn bytes(&self) -> usize {
        let candidates = self.bytes + room::hash_map(self.candidate_numbers.capacity(), 16);
        let naming = self.naming.as_ref().map_or(0, |naming| {
            naming.elements.bytes() + room::row(&naming.tiles)
        });
        room::row(&self.cells) + self.names.bytes() + candidates + naming
    }
}

/// A picture for the record, being made.
#[derive(Clone)]
pub struct SnapshotWork {
    /// `None` if it cannot be drawn.
    mapping: Option<TileMapWork>,
}

/// The steps for finding that something cannot be drawn: names of tiles are searched among files, too, and error
/// messages search for similar names.
const NOT_DRAWN: usize = 2000;

impl SnapshotWork {
    pub const FUNCTION: &str = "snapshot";

    pub fn new(context: &mut Context, grid: Value) -> Result<SnapshotWork, Fault> {
        let wanted = "the name of a tile or a set of such names";
        let mapping = TileMapWork::new(
            context,
            SnapshotWork::FUNCTION,
            wanted,
            grid,
            Show::Candidates,
        );
        Ok(SnapshotWork {
            mapping: drawn(context, mapping)?,
        })
    }

    /// The picture, if it is drawn.
    pub fn picture(self, context: &Context) -> Option<Picture> {
        self.mapping
            .map(|mut mapping| Picture::Tiles(mapping.finish(context)))
    }
}

/// The result of drawing; `None` if it cannot be drawn.
fn drawn<T>(context: &mut Context, result: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match result {
        Ok(drawn) => Ok(Some(drawn)),
        Err(fault @ (Fault::Memory(_) | Fault::Later)) => Err(fault),
        Err(_) => {
            context.charge(NOT_DRAWN);
            Ok(None)
        }
    }
}

impl Work for SnapshotWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let Some(mapping) = &mut self.mapping else {
            return Ok(Some(Value::NULL));
        };
        let mapped = mapping.map(context, budget);
        let is_done = drawn(context, mapped)?;
        if is_done.is_none() {
            self.mapping = None;
        }
        Ok((is_done != Some(false)).then_some(Value::NULL))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.mapping
            .iter()
            .for_each(|mapping| mapping.trace(tracer));
    }

    fn bytes(&self) -> usize {
        self.mapping.as_ref().map_or(0, Work::bytes)
    }

    fn is_taken_whole(&self) -> bool {
        true
    }
}

/// Maps that are drawn one over another.
#[derive(Clone)]
pub struct LayersWork {
    result: Value,
    grids: Vec<Value>,
    mapping: Option<TileMapWork>,
    maps: Vec<TileMap>,
}

impl LayersWork {
    pub const FUNCTION: &str = "printLayers";

    pub fn new(result: Value, grids: Vec<Value>) -> LayersWork {
        LayersWork {
            result,
            grids,
            mapping: None,
            maps: Vec::new(),
        }
    }
}

impl Work for LayersWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        while let Some(grid) = self.grids.get(self.maps.len()).copied() {
            let mapping = match &mut self.mapping {
                Some(mapping) => mapping,
                None => {
                    let wanted = "the name of a tile, a set of such names, or null";
                    self.mapping.insert(TileMapWork::new(
                        context,
                        LayersWork::FUNCTION,
                        wanted,
                        grid,
                        Show::Layer,
                    )?)
                }
            };
            if !mapping.map(context, budget)? {
                return Ok(None);
            }
            let map = mapping.finish(context);
            self.maps.push(map);
            self.mapping = None;
        }
        if context.output.pictures.len() >= context.limits.pictures {
            return Err(Fault::Limit(LimitReached::Pictures(
                context.limits.pictures,
            )));
        }
        context.draw(Picture::Layers(std::mem::take(&mut self.maps)))?;
        Ok(Some(self.result))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.result);
        tracer.values.extend_from_slice(&self.grids);
        self.mapping
            .iter()
            .for_each(|mapping| mapping.trace(tracer));
    }

    fn bytes(&self) -> usize {
        let maps: usize = self
            .maps
            .iter()
            .map(|map| size_of::<TileMap>() + map.bytes())
            .sum();
        room::row(&self.grids) + self.mapping.as_ref().map_or(0, Work::bytes) + maps
    }
}

/// A heat map being made.
#[derive(Clone)]
pub struct HeatMapWork {
    grid: Handle,
    names: Names,
    cells: Vec<HeatCell>,
}

impl HeatMapWork {
    const FUNCTION: &str = "printHeatmap";

    pub fn new(context: &mut Context, value: Value) -> Result<HeatMapWork, Fault> {
        let grid = drawable(context, HeatMapWork::FUNCTION, value, size_of::<HeatCell>())?;
        let cells = Vec::with_capacity(context.heap.grids[grid].slots.len());
        Ok(HeatMapWork {
            grid,
            names: Names::default(),
            cells,
        })
    }

    /// The number of a tile that a cell names.
    fn tile(&mut self, context: &mut Context, name: Value) -> Result<u32, Fault> {
        const WANTED: &str = "a number, null or the name of a tile";
        if let Some(number) = self.names.numbers.get(&name) {
            return Ok(*number);
        }
        let cell = self.cells.len();
        if !name.is_kind(Kind::Text) {
            return Err(wrong_cell(
                context,
                Self::FUNCTION,
                WANTED,
                self.grid,
                cell,
                name,
            ));
        }
        // A text that names no tile is more often a number that was not converted than a misspelt tile.
        let text = tile_name(context, Self::FUNCTION, name).map_err(|fault| match fault {
            Fault::Error(complaint) => {
                wrong_cell(context, Self::FUNCTION, WANTED, self.grid, cell, name)
                    .with_hint(complaint.message)
            }
            other => other,
        })?;
        self.names.add(context, name, text)
    }
}

impl Work for HeatMapWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        while let Some(value) = context.heap.grids[self.grid].slots.get(self.cells.len()) {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(if value.is_kind(Kind::Text) { 6 } else { 3 });
            let cell = match context.heap.as_f64(value) {
                Some(number) => HeatCell::Number(number),
                None if value == Value::NULL => HeatCell::Blank,
                None => HeatCell::Tile(self.tile(context, value)?),
            };
            self.cells.push(cell);
        }
        if context.output.pictures.len() >= context.limits.pictures {
            return Err(Fault::Limit(LimitReached::Pictures(
                context.limits.pictures,
            )));
        }
        let (width, height) = (
            context.heap.grids[self.grid].width,
            context.heap.grids[self.grid].height,
        );
        let names = std::mem::take(&mut self.names.names);
        context.draw(Picture::Heat(HeatMap {
            width,
            height,
            names,
            cells: std::mem::take(&mut self.cells),
        }))?;
        Ok(Some(Value::handle(Kind::Grid, self.grid)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(Value::handle(Kind::Grid, self.grid));
        tracer.values.extend(self.names.numbers.keys());
    }

    fn bytes(&self) -> usize {
        room::row(&self.cells) + self.names.bytes()
    }
}
