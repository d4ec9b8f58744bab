//! Turns [`Picture`]s into pixels.
//!
//! How large a picture becomes is worked out, and checked, before any memory is asked for.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_macros))]

mod arrow;
pub mod board;
mod built_in;
mod canvas;
mod error;
mod formats;
mod heat;
mod label;
mod legend;
mod rectangles;
pub mod sheet;
mod terrain;
mod tile;

pub use canvas::Canvas;
pub use error::RenderError;
pub use formats::svg::draw_svg;
pub use formats::{animation, html, player, terminal};
pub use tile::pixels_of;

use canvas::Area;
use ndscript_base::picture::{Cell, Picture, TileMap};
pub use ndscript_base::tiles::FLAT_TILE_SIZE;
use ndscript_base::tiles::Tiles;
use tile::Bitmap;

/// The background of candidates of an undecided cell, and of a contradiction.
const UNDECIDED: [u8; 4] = [26, 27, 34, 255];
/// The cross of a cell that nothing fits.
const CROSS: [u8; 4] = [229, 56, 59, 255];

/// How pictures are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderOptions {
    /// The width and height of a cell of a map, of a flat tile and of a built-in tile. `None`: the largest image
    /// of the map decides, and [`FLAT_TILE_SIZE`] where there is none.
    pub tile_size: Option<u32>,
    /// The most pixels that a picture may have; also the most that all its tile images may have together.
    pub max_pixels: u64,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            tile_size: None,
            max_pixels: 1 << 26,
        }
    }
}

/// Draws a picture.
///
/// ```
/// use ndscript::picture::Picture;
/// use ndscript::render::{RenderOptions, draw};
/// use ndscript::tiles::Tiles;
/// let picture = Picture::Image("teal".into());
/// let canvas = draw(&picture, &Tiles::default(), &RenderOptions::default()).unwrap();
/// assert_eq!((canvas.width(), canvas.height()), (16, 16));
/// assert_eq!(canvas.pixel(3, 4), Some([0, 128, 128, 255]));
/// assert!(canvas.to_png().starts_with(b"\x89PNG"));
/// ```
pub fn draw(
    picture: &Picture,
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<Canvas, RenderError> {
    match picture {
        Picture::Image(name) => tile::load_one(name, tiles, options),
        Picture::Tiles(map) => draw_tiles(std::slice::from_ref(map), tiles, options),
        Picture::Layers(maps) => draw_tiles(maps, tiles, options),
        Picture::Heat(map) => heat::draw(map, tiles, options),
        Picture::Legend(legend) => legend::draw(legend, tiles, options),
    }
}

/// Draws a picture; if it would be too large, and the size of its cells is not given, with cells as large as fit, whose
/// size is returned as well.
///
/// # Errors
/// As [`draw`], also if cells of one pixel are too many.
pub fn draw_to_fit(
    picture: &Picture,
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<(Canvas, Option<u32>), RenderError> {
    let too_large = match draw(picture, tiles, options) {
        Err(why @ RenderError::TooLarge { .. }) if options.tile_size.is_none() => why,
        result => return result.map(|canvas| (canvas, None)),
    };
    if matches!(picture, Picture::Image(_) | Picture::Legend(_)) {
        return Err(too_large);
    }
    let (width, height) = picture.size();
    let cells = (u64::from(width) * u64::from(height)).max(1);
    let size = (options.max_pixels / cells)
        .isqrt()
        .min(u64::from(FLAT_TILE_SIZE)) as u32;
    if size == 0 {
        return Err(too_large);
    }
    let canvas = draw(
        picture,
        tiles,
        &RenderOptions {
            tile_size: Some(size),
            ..options.clone()
        },
    )?;
    Ok((canvas, Some(size)))
}

/// Draws maps one over another. The cells of all are as large as the largest tile of any.
fn draw_tiles(
    maps: &[TileMap],
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<Canvas, RenderError> {
    let names: Vec<_> = maps
        .iter()
        .flat_map(|map| map.names.iter().cloned())
        .collect();
    let found = tile::resolve_all(&names, tiles, options)?;
    let cell = tile::cell_size(&found, options);
    let (width, height) = maps.first().map_or((0, 0), |map| (map.width, map.height));
    let mut canvas = Canvas::for_cells(width, height, cell, options)?;
    let bitmaps = tile::decode_all(&found)?;
    let mut first = 0;
    for (at, map) in maps.iter().enumerate() {
        let own = &bitmaps[first..first + map.names.len()];
        draw_layer(&mut canvas, map, cell, own, at > 0);
        first += map.names.len();
    }
    Ok(canvas)
}

/// Draws a tile map, over what is there if `is_over`.
fn draw_layer(
    canvas: &mut Canvas,
    map: &TileMap,
    cell: (u32, u32),
    bitmaps: &[Bitmap],
    is_over: bool,
) {
    let (cell_width, cell_height) = cell;
    let places = (0..map.height).flat_map(|y| (0..map.width).map(move |x| (x, y)));
    for (cell, (x, y)) in map.cells.iter().zip(places) {
        let area = Area {
            x: x * cell_width,
            y: y * cell_height,
            width: cell_width,
            height: cell_height,
        };
        match *cell {
            Cell::Tile(index) => {
                if let Some(bitmap) = bitmaps.get(index as usize) {
                    if is_over {
                        bitmap.draw_over(canvas, area)
                    } else {
                        bitmap.draw(canvas, area)
                    }
                }
            }
            Cell::Nothing => {}
            Cell::Candidates(index) => {
                canvas.fill(area, UNDECIDED);
                if let Some(candidates) = map.candidates.get(index as usize) {
                    draw_candidates(canvas, area, candidates, bitmaps);
                }
            }
            Cell::Empty => draw_cross(canvas, area),
        }
    }
}

/// The candidates small, in a square of squares; where there are more than a cell has pixels, as many as fit.
fn draw_candidates(canvas: &mut Canvas, area: Area, candidates: &[u32], bitmaps: &[Bitmap]) {
    for (part, candidate) in places_of_candidates(candidates.len(), area).zip(candidates) {
        if let Some(bitmap) = bitmaps.get(*candidate as usize) {
            bitmap.draw_over(canvas, part);
        }
    }
}

/// The parts of a cell for this number of candidates.
fn places_of_candidates(count: usize, area: Area) -> impl Iterator<Item = Area> {
    let side = (count.min(1 << 24) as f64).sqrt().ceil() as u32;
    let columns = side.clamp(1, area.width);
    let rows = side.clamp(1, area.height);
    (0..rows)
        .flat_map(move |row| (0..columns).map(move |column| area.part(column, columns, row, rows)))
}

/// Draws a cross, which stands for a cell without candidates.
fn draw_cross(canvas: &mut Canvas, area: Area) {
    canvas.fill(area, UNDECIDED);
    let thickness = (area.width.min(area.height) / 8).max(1);
    for y in 0..area.height {
        // Where the two strokes are in this row, clear of the cell's edge by the stroke's own thickness.
        let along = u64::from(y) * u64::from(area.width.saturating_sub(thickness));
        let x = (along / u64::from(area.height.saturating_sub(1).max(1))) as u32;
        let inside = area.height < 6 || (y >= thickness && y + thickness < area.height);
        if inside {
            let mirrored = area.width.saturating_sub(thickness).saturating_sub(x);
            for left in [x, mirrored] {
                canvas.fill(
                    Area {
                        x: area.x + left,
                        y: area.y + y,
                        width: thickness,
                        height: 1,
                    },
                    CROSS,
                );
            }
        }
    }
}
