//! Pictures in the terminal: half blocks or pixels, as large as the window or so many characters a cell.

use ndscript::picture::Picture;
use ndscript::render::{Canvas, terminal as half_blocks};

use super::pixels::{self, Protocol};
use super::terminal;

/// Lines of the window that a picture leaves to a prompt.
pub const PROMPT: u32 = 2;

/// A picture as lines of half blocks that fit into the window, of which so many lines are left free.
pub fn preview(picture: &Picture, canvas: &Canvas, free: u32) -> String {
    half_blocks::half_blocks(canvas, columns(picture, canvas, free))
}

/// How large a picture is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As large as the window allows.
    Window,
    /// So many characters for the width of a cell; an image has [`IMAGE_CELLS`].
    Cells(u32),
}

/// An image that is no map is shown as wide as a map of so many cells.
const IMAGE_CELLS: u32 = 16;

/// A picture as the terminal shows it, with the end of its line; so many lines of the window are left free.
pub fn shown(protocol: Protocol, size: Size, picture: &Picture, canvas: &Canvas, free: u32) -> String {
    let columns = match size {
        Size::Window => columns(picture, canvas, free),
        Size::Cells(wide) => compact_columns(picture, canvas, wide, terminal::size().0),
    };
    let pixels = pixels::picture(protocol, canvas, columns, terminal::size().0);
    pixels.unwrap_or_else(|| half_blocks::half_blocks(canvas, columns))
}

/// So many columns that each cell has this many, or fewer if they do not fit into the window.
fn compact_columns(picture: &Picture, canvas: &Canvas, wide: u32, window: u32) -> u32 {
    let cells = match picture {
        Picture::Image(_) => IMAGE_CELLS,
        _ => cells(picture).0.max(1),
    };
    let wide = (1..=wide.max(1)).rev().find(|wide| cells.saturating_mul(*wide) <= window).unwrap_or(1);
    cells.saturating_mul(wide).min(window).min(canvas.width()).max(1)
}

/// How many dots wide and high [`preview`] shows the same picture; a line shows two rows of dots.
pub fn dots(picture: &Picture, canvas: &Canvas, free: u32) -> (u32, u32) {
    half_blocks::dots(canvas, columns(picture, canvas, free))
}

/// How many cells a picture has, across and down; an image is one.
pub fn cells(picture: &Picture) -> (u32, u32) {
    match picture {
        Picture::Image(_) => (1, 1),
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
    let wide = u32::try_from(fitting).unwrap_or(u32::MAX).max(cells).min(columns).min(canvas.width());
    if wide >= cells { wide / cells * cells } else { wide }
}
