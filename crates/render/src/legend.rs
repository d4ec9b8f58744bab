//! Legends: tiles with words beside them, in columns.

use super::canvas::{Area, Canvas};
use super::{RenderError, RenderOptions, label, tile};
use ndscript_base::picture::Legend;
use ndscript_base::tiles::{FLAT_TILE_SIZE, Tiles};

/// The background of a legend, and its letters.
pub(super) const PAPER: [u8; 4] = [255, 255, 255, 255];
pub(super) const INK: [u8; 4] = [32, 33, 38, 255];

/// The most entries of one column, unless there are very many.
const LONGEST_COLUMN: usize = 12;

/// The positions of everything in a legend, in pixels.
pub(super) struct Layout {
    pub width: u64,
    pub height: u64,
    cell: (u32, u32),
    /// The factor by which letters are enlarged.
    pub scale: u32,
    rows: usize,
    row_height: u64,
    gap: u64,
    /// Where columns begin.
    columns: Vec<u64>,
}

impl Layout {
    /// The layout of a legend whose tiles have this size.
    pub fn of(legend: &Legend, cell: (u32, u32)) -> Layout {
        let scale = (cell.0.min(cell.1) / FLAT_TILE_SIZE).max(1);
        let (letter_width, letter_height) = label::LINE_LETTER;
        let gap = u64::from(4 * scale);
        // Many entries make a picture that is no wider than three times its height.
        let longest = LONGEST_COLUMN.max((2 * legend.words.len()).isqrt());
        let rows = legend
            .words
            .len()
            .div_ceil(legend.words.len().div_ceil(longest).max(1))
            .max(1);
        let row_height = u64::from(cell.1.max(letter_height * scale)) + gap;
        let mut right = gap;
        let mut columns = Vec::new();
        for words in legend.words.chunks(rows) {
            columns.push(right);
            let longest = words
                .iter()
                .map(|words| words.chars().count() as u64)
                .max()
                .unwrap_or(0);
            right += u64::from(cell.0) + gap + longest * u64::from(letter_width * scale) + 2 * gap;
        }
        let shown = rows.min(legend.words.len()) as u64;
        Layout {
            width: right - gap,
            height: shown * row_height + gap,
            cell,
            scale,
            rows,
            row_height,
            gap,
            columns,
        }
    }

    /// The tile of an entry, and where its words begin.
    pub fn place(&self, entry: usize) -> (Area, (u32, u32)) {
        let left = self
            .columns
            .get(entry / self.rows)
            .copied()
            .unwrap_or_default();
        let top = self.gap + (entry % self.rows) as u64 * self.row_height;
        let inner = (self.row_height - self.gap) as u32;
        let letters = label::LINE_LETTER.1 * self.scale;
        let (x, y) = (
            left as u32,
            top as u32 + (inner - self.cell.1.min(inner)) / 2,
        );
        let tile = Area {
            x,
            y,
            width: self.cell.0,
            height: self.cell.1,
        };
        (
            tile,
            (
                x + self.cell.0 + self.gap as u32,
                top as u32 + (inner - letters.min(inner)) / 2,
            ),
        )
    }
}

/// Draws a legend.
pub(super) fn draw(
    legend: &Legend,
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<Canvas, RenderError> {
    let found = tile::resolve_all(&legend.names, tiles, options)?;
    let layout = Layout::of(legend, tile::cell_size(&found, options));
    let mut canvas = Canvas::new(layout.width, layout.height, options)?;
    let bitmaps = tile::decode_all(&found)?;
    canvas.fill(
        Area {
            x: 0,
            y: 0,
            width: canvas.width(),
            height: canvas.height(),
        },
        PAPER,
    );
    for (entry, (bitmap, words)) in bitmaps.iter().zip(&legend.words).enumerate() {
        let (area, (x, y)) = layout.place(entry);
        bitmap.draw_over(&mut canvas, area);
        label::line(x, y, layout.scale, words).draw(&mut canvas, INK);
    }
    Ok(canvas)
}
