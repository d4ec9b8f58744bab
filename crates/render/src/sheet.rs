//! One picture of many small ones of a size, side by side, for pages that draw boards by themselves.

use super::canvas::{Area, Canvas};
use super::formats::html::base64;
use super::{RenderError, RenderOptions};

/// The most pictures in a row.
const ACROSS: u32 = 64;

/// Gathers what cells of a board can look like.
///
/// ```
/// use ndscript::render::board::{BoardLayout, BoardPainter};
/// use ndscript::render::sheet::Sheet;
/// use ndscript::tiles::Tiles;
/// let layout = BoardLayout { size: (1, 1), cell: Some(16), captions: Vec::new(), max_pixels: 1 << 20 };
/// let mut painter = BoardPainter::new(&["red".to_string()], &Tiles::default(), &layout)?;
/// painter.show(0, Some(&[0]));
/// let mut sheet = Sheet::new(16);
/// sheet.add(painter.canvas(), painter.corner(0));
/// assert_eq!(sheet.across(), 1);
/// assert!(sheet.url(1 << 20)?.starts_with("data:image/png;base64,"));
/// # Ok::<(), ndscript::render::RenderError>(())
/// ```
pub struct Sheet {
    cell: u32,
    looks: Vec<Vec<[u8; 4]>>,
}

impl Sheet {
    /// An empty sheet of pictures with this many pixels in width and height.
    pub fn new(cell: u32) -> Sheet {
        Sheet {
            cell,
            looks: Vec::new(),
        }
    }

    /// Adds a picture, which is found in a larger one from a corner on.
    pub fn add(&mut self, canvas: &Canvas, (left, top): (u32, u32)) {
        let rows = (top..top + self.cell).map(|y| canvas.row(y));
        let pixels = rows
            .flat_map(|row| row.iter().skip(left as usize).take(self.cell as usize))
            .copied()
            .collect();
        self.looks.push(pixels);
    }

    /// The width and height of each picture.
    pub fn cell(&self) -> u32 {
        self.cell
    }

    /// The number of pictures in a row.
    pub fn across(&self) -> u32 {
        self.count().min(ACROSS)
    }

    fn count(&self) -> u32 {
        self.looks.len().max(1) as u32
    }

    /// All pictures in one PNG file, as a data URL for a page.
    ///
    /// # Errors
    /// If it has more than `max_pixels` pixels.
    pub fn url(&self, max_pixels: u64) -> Result<String, RenderError> {
        let (cell, across) = (self.cell, self.across());
        let options = RenderOptions {
            tile_size: None,
            max_pixels,
        };
        let mut canvas = Canvas::for_cells(
            across,
            self.count().div_ceil(across),
            (cell, cell),
            &options,
        )?;
        for (at, pixels) in (0u32..).zip(&self.looks) {
            let area = Area {
                x: at % across * cell,
                y: at / across * cell,
                width: cell,
                height: cell,
            };
            for (y, row) in (0u32..).zip(pixels.chunks_exact(cell as usize)) {
                canvas.row_mut(area, y).copy_from_slice(row);
            }
        }
        Ok(format!(
            "data:image/png;base64,{}",
            base64(&canvas.to_png())
        ))
    }
}
