//! Pixels in memory.

use super::{RenderError, RenderOptions};

/// A rectangle of pixels, each red, green, blue and opacity; it has at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

/// A part of a canvas.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Area {
    /// The field at `column` and `row` of this area cut into `columns` by `rows` fields.
    pub fn part(self, column: u32, columns: u32, row: u32, rows: u32) -> Area {
        let cut = |length: u32, at: u32, of: u32| {
            (u64::from(length) * u64::from(at) / u64::from(of.max(1))) as u32
        };
        let (left, right) = (
            cut(self.width, column, columns),
            cut(self.width, column + 1, columns),
        );
        let (top, bottom) = (cut(self.height, row, rows), cut(self.height, row + 1, rows));
        Area {
            x: self.x + left,
            y: self.y + top,
            width: right - left,
            height: bottom - top,
        }
    }
}

impl Area {
    /// The smallest area that has both in it.
    pub fn union(self, other: Area) -> Area {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width).max(other.x + other.width);
        let bottom = (self.y + self.height).max(other.y + other.height);
        Area {
            x,
            y,
            width: right - x,
            height: bottom - y,
        }
    }
}

impl Canvas {
    /// A transparent canvas; an error, before memory is asked for, if it would be larger than the options allow.
    /// A canvas without width or height becomes a single transparent pixel, as no image file can be empty.
    pub(super) fn new(
        width: u64,
        height: u64,
        options: &RenderOptions,
    ) -> Result<Canvas, RenderError> {
        let too_large = || RenderError::TooLarge {
            width,
            height,
            max_pixels: options.max_pixels,
        };
        let pixels = width
            .checked_mul(height)
            .filter(|pixels| *pixels <= options.max_pixels)
            .ok_or_else(too_large)?;
        if pixels == 0 {
            return Ok(Canvas::transparent());
        }
        let sides = (
            i32::try_from(width),
            i32::try_from(height),
            usize::try_from(pixels),
        );
        let (Ok(width), Ok(height), Ok(pixels)) = sides else {
            return Err(too_large());
        };
        Ok(Canvas {
            width: width.unsigned_abs(),
            height: height.unsigned_abs(),
            pixels: vec![[0; 4]; pixels],
        })
    }

    /// A transparent canvas for `columns` by `rows` cells of one size.
    pub(super) fn for_cells(
        columns: u32,
        rows: u32,
        cell: (u32, u32),
        options: &RenderOptions,
    ) -> Result<Canvas, RenderError> {
        Canvas::new(
            u64::from(columns) * u64::from(cell.0),
            u64::from(rows) * u64::from(cell.1),
            options,
        )
    }

    /// A canvas of pixels that are there already, `None` if there are none or they do not fill it.
    pub(super) fn from_pixels(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Option<Canvas> {
        let full =
            !pixels.is_empty() && pixels.len() as u64 == u64::from(width) * u64::from(height);
        full.then_some(Canvas {
            width,
            height,
            pixels,
        })
    }

    /// A single pixel that cannot be seen.
    pub(super) fn transparent() -> Canvas {
        Canvas {
            width: 1,
            height: 1,
            pixels: vec![[0; 4]],
        }
    }

    /// The pixels row by row, from the top.
    pub(super) fn into_pixels(self) -> Vec<[u8; 4]> {
        self.pixels
    }

    /// The width in pixels, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The height in pixels, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Red, green, blue and opacity of a pixel; `None` outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        self.row(y).get(x as usize).copied()
    }

    /// The pixels row by row, from the top.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The pixels of a row, none outside.
    pub fn row(&self, y: u32) -> &[[u8; 4]] {
        let start = y as usize * self.width as usize;
        self.pixels
            .get(start..start + self.width as usize)
            .unwrap_or_default()
    }

    /// The pixels of one row of an area, none outside.
    pub(super) fn row_mut(&mut self, area: Area, row: u32) -> &mut [[u8; 4]] {
        let start = (area.y + row) as usize * self.width as usize + area.x as usize;
        self.pixels
            .get_mut(start..start + area.width as usize)
            .unwrap_or_default()
    }

    /// Sets the color of a pixel, if it exists.
    pub(super) fn put(&mut self, x: u32, y: u32, color: [u8; 4]) {
        if x < self.width
            && let Some(pixel) = self
                .pixels
                .get_mut(y as usize * self.width as usize + x as usize)
        {
            *pixel = blend(*pixel, color);
        }
    }

    /// Marks the picture as one of a dead end: a red frame.
    pub fn mark_dead(&mut self) {
        const RED: [u8; 4] = [229, 56, 59, 255];
        let (width, height) = (self.width, self.height);
        let thick = (width.min(height) / 40).clamp(1, 4);
        let edge = |x, y, width, height| Area {
            x,
            y,
            width,
            height,
        };
        self.fill(edge(0, 0, width, thick), RED);
        self.fill(edge(0, height - thick, width, thick), RED);
        self.fill(edge(0, 0, thick, height), RED);
        self.fill(edge(width - thick, 0, thick, height), RED);
    }

    /// Gives all pixels of an area one color.
    pub(super) fn fill(&mut self, area: Area, color: [u8; 4]) {
        for row in 0..area.height {
            self.row_mut(area, row).fill(color);
        }
    }
}

/// `over` laid on `under`, as far as it is opaque.
pub(super) fn blend(under: [u8; 4], over: [u8; 4]) -> [u8; 4] {
    if over[3] == 255 {
        return over;
    }
    let opacity = u32::from(over[3]);
    let mix = |at: usize| {
        ((u32::from(over[at]) * opacity + u32::from(under[at]) * (255 - opacity) + 127) / 255) as u8
    };
    [mix(0), mix(1), mix(2), under[3].max(over[3])]
}
