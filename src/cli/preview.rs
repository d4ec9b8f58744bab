//! Pictures in the terminal: half blocks, sized to the window.

use ndscript::picture::Picture;
use ndscript::render::{Canvas, terminal as half_blocks};

use super::terminal;

/// Lines of the window that a picture leaves to a prompt.
pub const PROMPT: u32 = 2;

/// A picture as lines of half blocks that fit into the window, of which so many lines are left free.
pub fn preview(picture: &Picture, canvas: &Canvas, free: u32) -> String {
    half_blocks::half_blocks(canvas, columns(picture, canvas, free))
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
