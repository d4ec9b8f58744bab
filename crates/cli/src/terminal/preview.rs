//! Pictures in the terminal: half blocks or pixels, as large as the window or some characters a cell.

use ndscript::picture::{Cell, Legend, Picture, TileMap};
use ndscript::tiles::Tiles;
use ndscript_render::{Canvas, RenderOptions, terminal as half_blocks};

use super::pixels::{self, Protocol};
use crate::exit::Stop;
use crate::terminal;

/// Lines of the window that a picture leaves to a prompt.
pub const PROMPT: u32 = 2;

/// A tile as lines of half blocks, so wide that each line has this many columns.
pub fn swatch(name: &str, tiles: &Tiles, columns: u32) -> Result<Vec<String>, Stop> {
    let options = RenderOptions {
        tile_size: Some(columns),
        ..RenderOptions::default()
    };
    // As a map of one cell, since an image by itself has its own size.
    let map = TileMap {
        width: 1,
        height: 1,
        names: vec![name.into()],
        cells: vec![Cell::Tile(0)],
        candidates: Vec::new(),
    };
    let canvas = ndscript_render::draw(&Picture::Tiles(map), tiles, &options)
        .map_err(|why| Stop::undrawn(&why))?;
    Ok(half_blocks::half_blocks(&canvas, columns)
        .lines()
        .map(str::to_string)
        .collect())
}

/// How wide the tiles of a legend are shown.
const LEGEND_TILE: u32 = 4;

/// A legend as lines: words made of half blocks could not be read.
fn lines_of_legend(legend: &Legend, tiles: &Tiles) -> Result<String, Stop> {
    let mut out = String::new();
    for (name, words) in legend.names.iter().zip(&legend.words) {
        let lines = swatch(name, tiles, LEGEND_TILE)?;
        for (line, words) in lines.iter().zip([&**words, ""]) {
            out.push_str(format!("{line} {}", terminal::harmless(words)).trim_end());
            out.push('\n');
        }
    }
    Ok(out)
}

/// How large a picture is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As large as the window allows.
    Window,
    /// The characters for the width of a cell; an image has [`IMAGE_CELLS`].
    Cells(u32),
}

/// An image that is no map is shown as wide as a map of this many cells.
const IMAGE_CELLS: u32 = 16;

/// A picture as the terminal shows it, with the end of its line; `free` lines of the window stay free.
pub fn shown(
    protocol: Protocol,
    size: Size,
    picture: &Picture,
    canvas: &Canvas,
    free: u32,
    tiles: &Tiles,
) -> String {
    if let (Protocol::Blocks, Picture::Legend(legend)) = (protocol, picture)
        && let Ok(lines) = lines_of_legend(legend, tiles)
    {
        return lines;
    }
    let columns = match size {
        Size::Window => columns(picture, canvas, free),
        Size::Cells(wide) => compact_columns(picture, canvas, wide, terminal::size().0),
    };
    let pixels = pixels::picture(protocol, canvas, columns, terminal::size().0);
    pixels.unwrap_or_else(|| half_blocks::half_blocks(canvas, columns))
}

/// The columns if each cell has `wide` of them, or fewer if they do not fit into the window.
fn compact_columns(picture: &Picture, canvas: &Canvas, wide: u32, window: u32) -> u32 {
    let cells = match picture {
        Picture::Image(_) => IMAGE_CELLS,
        _ => cells(picture).0.max(1),
    };
    let wide = (1..=wide.max(1))
        .rev()
        .find(|wide| cells.saturating_mul(*wide) <= window)
        .unwrap_or(1);
    cells
        .saturating_mul(wide)
        .min(window)
        .min(canvas.width())
        .max(1)
}

/// The width and height in dots of the picture that [`shown`] draws as blocks in the window; a line shows two rows of
/// dots.
pub fn dots(picture: &Picture, canvas: &Canvas, free: u32) -> (u32, u32) {
    half_blocks::dots(canvas, columns(picture, canvas, free))
}

/// The number of cells of a picture, across and down; an image is one.
pub fn cells(picture: &Picture) -> (u32, u32) {
    match picture {
        Picture::Image(_) | Picture::Legend(_) => (1, 1),
        Picture::Tiles(map) => (map.width, map.height),
        Picture::Heat(map) => (map.width, map.height),
        Picture::Layers(maps) => maps.first().map_or((0, 0), |map| (map.width, map.height)),
    }
}

/// How wide a picture is shown: so that it fits into the window, and the cells of a map are equally wide.
fn columns(picture: &Picture, canvas: &Canvas, free: u32) -> u32 {
    let (columns, rows) = terminal::size();
    let cells = cells(picture).0.max(1);
    // A line of text shows two rows of dots.
    let dots = u64::from(rows.saturating_sub(free).max(1)) * 2;
    let fitting = dots * u64::from(canvas.width()) / u64::from(canvas.height());
    // A long map is rather scrolled than shrunk below a dot a cell.
    let wide = u32::try_from(fitting)
        .unwrap_or(u32::MAX)
        .max(cells)
        .min(columns)
        .min(canvas.width());
    if wide >= cells {
        wide / cells * cells
    } else {
        wide
    }
}
