//! Samples to learn from: grids made of pictures, and the neighbors in a grid.

use std::sync::Arc;

use ndscript_base::keyed::{KeyedMap, KeyedSet};

use crate::{Cost, Row, args};
use ndscript_base::budget::Budget;
use ndscript_base::limits::LimitReached;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::sets::relation::RelationFromPairs;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::freezing::FreezeAllWork;
use ndscript_machine::work::{Tracer, Work};

/// Bytes that reading a pixel takes: decoded, converted, and compared.
const BYTES_OF_PIXEL: usize = 24;
/// The greatest number of bytes of a cell's name apart from its text, in tables and as a string of the heap.
const BYTES_OF_NAME: usize = 128;

/// The parts of a picture: names, each once, and for every cell, row by row, the number of its name.
struct Pieces {
    width: u32,
    height: u32,
    names: Vec<String>,
    cells: Vec<u32>,
}

fn grid_from_picture(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    const FUNCTION: &str = "gridFromPicture";
    let wrong = |problem| Fault::error(ErrorKind::Tile, problem);
    let folders = &context.code.tile_folders;
    let name = match context.heap.as_str(arguments[0]) {
        Some(name) => context.tiles.full_name(name, folders).map_err(wrong)?,
        None => return Err(context.wrong_argument(FUNCTION, "a string", arguments[0])),
    };
    let pieces = match arguments.get(1) {
        None => {
            let size = context.tiles.size(&name).map_err(wrong)?;
            colors(&read(context, &name, size)?, size)
        }
        Some(side) => {
            let side = side_of_square(context, FUNCTION, *side)?;
            // A square of a square could get a name like one of the whole picture, but nothing could read that name.
            let (width, height) = context.tiles.squares(&name, side).map_err(wrong)?;
            let first = context.tiles.square_name(&name, side, 0, 0);
            context
                .tiles
                .full_name(&first, &Arc::default())
                .map_err(wrong)?;
            let pixels = read(context, &name, (width * side, height * side))?;
            squares(context, &name, &pixels, (width, height), side)
        }
    };
    let bytes: usize = pieces
        .names
        .iter()
        .map(|name| name.len() + BYTES_OF_NAME)
        .sum();
    context.reserve(bytes + pieces.cells.len() * size_of::<Value>())?;
    let values: Vec<Value> = pieces
        .names
        .into_iter()
        .map(|name| context.heap.text_owned(name))
        .collect();
    let cells = pieces
        .cells
        .iter()
        .map(|cell| values[*cell as usize])
        .collect();
    Ok(context.heap.grid(pieces.width, pieces.height, cells))
}

fn side_of_square(context: &Context, function: &str, value: Value) -> Result<u32, Fault> {
    let side = args::integer(context, function, value)?;
    u32::try_from(side)
        .ok()
        .filter(|side| *side > 0)
        .ok_or_else(|| {
            Fault::error(
                ErrorKind::Value,
                format!("`{function}` wants a size of squares that is 1 pixel or more, not {side}"),
            )
        })
}

/// The pixels of a picture, charged before they are read.
fn read(
    context: &mut Context,
    name: &str,
    (width, height): (u32, u32),
) -> Result<Vec<[u8; 4]>, Fault> {
    let count = width as usize * height as usize;
    if count > context.limits.picture_cells {
        return Err(Fault::Limit(LimitReached::PictureSize(
            context.limits.picture_cells,
        )));
    }
    context.reserve(count * BYTES_OF_PIXEL)?;
    context.charge(count + 1);
    let mut pixels = context
        .tiles
        .pixels(name)
        .map_err(|problem| Fault::error(ErrorKind::Tile, problem))?;
    pixels.resize(count, [0; 4]);
    Ok(pixels)
}

/// Every pixel a piece.
fn colors(pixels: &[[u8; 4]], (width, height): (u32, u32)) -> Pieces {
    let mut numbers = KeyedMap::default();
    let mut names = Vec::new();
    let number = |[red, green, blue, _]: &[u8; 4]| {
        *numbers.entry([*red, *green, *blue]).or_insert_with(|| {
            names.push(format!("#{red:02x}{green:02x}{blue:02x}"));
            names.len() as u32 - 1
        })
    };
    let cells = pixels.iter().map(number).collect();
    Pieces {
        width,
        height,
        names,
        cells,
    }
}

/// Every square a piece; one that looks like an earlier one has its name.
fn squares(
    context: &Context,
    name: &str,
    pixels: &[[u8; 4]],
    (width, height): (u32, u32),
    side: u32,
) -> Pieces {
    let across = width as usize * side as usize;
    let mut numbers: KeyedMap<Vec<[u8; 4]>, u32> = KeyedMap::default();
    let mut names = Vec::new();
    let mut cells = Vec::with_capacity(width as usize * height as usize);
    for row in 0..height {
        for column in 0..width {
            let corner = row as usize * side as usize * across + column as usize * side as usize;
            let lines =
                (0..side as usize).map(|line| &pixels[corner + line * across..][..side as usize]);
            // The color of an invisible pixel makes no difference.
            let seen = |pixel: &[u8; 4]| if pixel[3] == 0 { [0; 4] } else { *pixel };
            let content: Vec<[u8; 4]> = lines.flatten().map(seen).collect();
            cells.push(*numbers.entry(content).or_insert_with(|| {
                names.push(context.tiles.square_name(name, side, column, row));
                names.len() as u32 - 1
            }));
        }
    }
    Pieces {
        width,
        height,
        names,
        cells,
    }
}

fn relations_from(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let handle = args::grid(context, "relationsFrom", arguments[0])?;
    let grid = arguments[0];
    context.perform(move |context| {
        let (width, count) = (
            context.heap.grids[handle].width as usize,
            context.heap.grids[handle].slots.len(),
        );
        context.reserve(count * 80)?;
        Ok(Learning {
            width,
            listing: Some(ListWalk::of_slots(grid, 0, 1, count)),
            cells: FreezeAllWork::new(Vec::new()),
            directions: Vec::new(),
            at: 0,
            pairs_seen: PairsSeen::default(),
            made: Vec::new(),
        })
    })
}

/// Whether a sample has windows of a size.
fn window_size(context: &mut Context, arguments: &[Value]) -> Result<Value, Fault> {
    let grid = args::grid(context, "relationsFrom", arguments[0])?;
    let size = args::integer(context, "relationsFrom", arguments[1])?;
    let (width, height) = {
        let grid = &context.heap.grids[grid];
        (i64::from(grid.width), i64::from(grid.height))
    };
    if size < 2 || size > width.min(height) {
        let message = format!(
            "`relationsFrom` wants windows of 2 cells or more that the sample of {width} x {height} has, not of {size}"
        );
        return Err(Fault::error(ErrorKind::Value, message));
    }
    Ok(Value::NULL)
}

type PairsSeen = KeyedSet<(Value, Value)>;

/// The names of the directions, and whether they go down the grid, and backwards.
const DIRECTIONS: [(&str, bool, bool); 4] = [
    ("left", false, true),
    ("right", false, false),
    ("up", true, true),
    ("down", true, false),
];

/// The neighbors in a grid.
#[derive(Clone)]
struct Learning {
    width: usize,
    /// Lists the cells.
    listing: Option<ListWalk>,
    cells: FreezeAllWork,
    /// The pairs of each direction: each once, in an order independent of hash tables.
    directions: Vec<Vec<(Value, Value)>>,
    /// The next cell, for the last direction.
    at: usize,
    pairs_seen: PairsSeen,
    made: Vec<PatternRelation>,
}

#[derive(Clone)]
enum PatternRelation {
    Begun(RelationFromPairs),
    Done(Value),
}

impl Work for Learning {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if let Some(listing) = &mut self.listing {
            if !listing.resume(&mut context.heap, budget) {
                return Ok(None);
            }
            self.cells = FreezeAllWork::new(std::mem::take(&mut listing.elements));
            self.listing = None;
        }
        let are_frozen = self.cells.resume(context, budget);
        if !are_frozen.map_err(|why| context.no_frozen(why, Context::not_frozen))? {
            return Ok(None);
        }
        let cells = &self.cells.values;
        while self.made.len() < DIRECTIONS.len() {
            let (_, down, back) = DIRECTIONS[self.made.len()];
            let step = if down { self.width } else { 1 };
            self.at = self.at.max(step);
            if self.directions.len() == self.made.len() {
                self.directions.push(Vec::new());
            }
            let pairs = self.directions.last_mut();
            let Some(pairs) = pairs else { return Ok(None) };
            while self.at < cells.len() && self.width > 0 {
                if budget.is_spent() {
                    return Ok(None);
                }
                budget.spend(8);
                let (a, b) = (cells[self.at - step], cells[self.at]);
                let pair = if back { (b, a) } else { (a, b) };
                if (down || !self.at.is_multiple_of(self.width)) && self.pairs_seen.insert(pair) {
                    room::grow(pairs, 1);
                    pairs.push(pair);
                }
                self.at += 1;
            }
            self.at = 0;
            self.pairs_seen = PairsSeen::default();
            self.made
                .push(PatternRelation::Begun(RelationFromPairs::new(
                    std::mem::take(pairs),
                )));
        }
        for making in &mut self.made {
            if let PatternRelation::Begun(relation) = making {
                let Some(made) = relation.resume(&mut context.heap, budget) else {
                    return Ok(None);
                };
                *making = PatternRelation::Done(made);
            }
        }
        let object = context.heap.object();
        for ((name, _, _), made) in DIRECTIONS.into_iter().zip(&self.made) {
            let key = context.heap.text(name);
            let PatternRelation::Done(relation) = made else {
                continue;
            };
            context.heap.set_field(object.payload(), key, *relation);
        }
        Ok(Some(object))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.listing
            .iter()
            .for_each(|listing| listing.values(&mut |value| tracer.values.push(value)));
        self.cells.trace(tracer);
        for making in &self.made {
            match making {
                PatternRelation::Begun(relation) => {
                    relation.values(&mut |value| tracer.values.push(value))
                }
                PatternRelation::Done(relation) => tracer.values.push(*relation),
            }
        }
    }

    fn bytes(&self) -> usize {
        let bytes_of = |making: &PatternRelation| {
            if let PatternRelation::Begun(relation) = making {
                relation.bytes()
            } else {
                0
            }
        };
        self.listing.as_ref().map_or(0, ListWalk::bytes)
            + self.cells.bytes()
            + self.directions.iter().map(room::row).sum::<usize>()
            + room::hash_map(self.pairs_seen.capacity(), 16)
            + self.made.iter().map(bytes_of).sum::<usize>()
    }
}

/// The rows of this domain.
pub const TABLE: &[Row] = &[
    Row::plain(
        "gridFromPicture",
        "name[, size]",
        1,
        Some(2),
        grid_from_picture,
        "The pixels of an image as a grid of names `#rrggbb` (opacity is left out); or its squares of `size` pixels, as \
         names of tiles, where squares that look alike have one name.",
        ("gridFromPicture(\"teal\")[0, 0]", "#008080"),
    ).costing(Cost::Linear),
    Row::plain(
        "relationsFrom",
        "sampleGrid[, size]",
        1,
        Some(2),
        relations_from,
        "What stands beside what in a grid: an object of relations `left right up down`, where `r.right(a, b)` means \
         that a `b` stands directly to the right of an `a`, and so on. With a size, of the windows that are so many cells \
         wide and high, each an array of its cells, row by row: `r.right(a, b)` means that `b`, one cell further to the \
         right, is equal to `a` where they overlap. `std/samples` counts windows and makes maps of them.",
        (
            "var r = relationsFrom(gridFromText(\"ab\\nbb\")); [pairsOf(r.right), pairsOf(r.up)]",
            "[{[\"a\", \"b\"], [\"b\", \"b\"]}, {[\"b\", \"a\"], [\"b\", \"b\"]}]",
        ),
    ).with_scripts(&[(2, "relationsOfWindows")]).costing(Cost::Sorting),
    Row::plain("__windowSize", "", 2, Some(2), window_size, "", ("", "")),
];
