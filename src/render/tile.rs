//! From tile names to pixels of tiles.

use std::io::Cursor;
use std::sync::Arc;

use image::{ImageFormat, ImageReader, Limits};

use super::canvas::{Area, Canvas, blend};
use super::{FLAT_TILE_SIZE, RenderError, RenderOptions, built_in};
use crate::tiles::{ImageFile, MAX_IMAGE_SIDE, Tile, Tiles};

/// The most memory that the decoder of one image may ask for.
const MAX_DECODER_BYTES: u64 = 256 << 20;

/// A tile in a form that can be drawn at any size.
pub(super) enum Bitmap {
    Flat([u8; 4]),
    Pixels(Canvas),
}

impl Bitmap {
    /// Draws the tile in place of what is there, scaled to the area without smoothing.
    pub fn draw(&self, canvas: &mut Canvas, area: Area) {
        match self {
            Bitmap::Flat(color) => canvas.fill(area, *color),
            Bitmap::Pixels(tile) if (tile.width(), tile.height()) == (area.width, area.height) => {
                for row in 0..area.height {
                    let target = canvas.row_mut(area, row);
                    if target.len() == tile.width() as usize {
                        target.copy_from_slice(tile.row(row));
                    }
                }
            }
            Bitmap::Pixels(tile) => scale(tile, canvas, area, |_, over| over),
        }
    }

    /// The same over what is there, which shows where the tile is not opaque.
    pub fn draw_over(&self, canvas: &mut Canvas, area: Area) {
        match self {
            Bitmap::Flat(color) => {
                for row in 0..area.height {
                    canvas.row_mut(area, row).iter_mut().for_each(|pixel| *pixel = blend(*pixel, *color));
                }
            }
            Bitmap::Pixels(tile) => scale(tile, canvas, area, blend),
        }
    }
}

fn scale(tile: &Canvas, canvas: &mut Canvas, area: Area, put: impl Fn([u8; 4], [u8; 4]) -> [u8; 4]) {
    // The middle of each target pixel decides, so that shrinking takes samples from all over the tile.
    let source = |at: u32, of: u32, length: u32| {
        ((2 * u64::from(at) + 1) * u64::from(length) / (2 * u64::from(of).max(1))) as u32
    };
    for row in 0..area.height {
        let from = tile.row(source(row, area.height, tile.height()));
        for (column, pixel) in canvas.row_mut(area, row).iter_mut().enumerate() {
            let over = from.get(source(column as u32, area.width, tile.width()) as usize).copied().unwrap_or_default();
            *pixel = put(*pixel, over);
        }
    }
}

/// What all names stand for; an error if their images are too large together.
pub(super) fn resolve_all(
    names: &[Arc<str>],
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<Vec<Tile>, RenderError> {
    let mut pixels = 0;
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let tile = tiles.resolve(name).map_err(RenderError::Tile)?;
        if let Tile::Image(file) = &tile {
            pixels += u64::from(file.width) * u64::from(file.height);
        }
        found.push(tile);
    }
    if pixels > options.max_pixels {
        return Err(RenderError::TilesTooLarge { pixels, max_pixels: options.max_pixels });
    }
    Ok(found)
}

/// The size of every cell of a map with these tiles: as told, else that of the largest.
pub(super) fn cell_size(tiles: &[Tile], options: &RenderOptions) -> (u32, u32) {
    if let Some(size) = options.tile_size {
        return (size.max(1), size.max(1));
    }
    let own_size = |tile: &Tile| match tile {
        Tile::Image(file) => (file.width, file.height),
        Tile::Color(_) | Tile::BuiltIn(_) => (FLAT_TILE_SIZE, FLAT_TILE_SIZE),
    };
    let largest = tiles.iter().map(own_size).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)));
    largest.unwrap_or((FLAT_TILE_SIZE, FLAT_TILE_SIZE))
}

/// The tiles in a form that can be drawn.
pub(super) fn decode_all(tiles: &[Tile]) -> Result<Vec<Bitmap>, RenderError> {
    tiles.iter().map(decode).collect()
}

/// One tile by itself, at its own size.
pub(super) fn load_one(name: &str, tiles: &Tiles, options: &RenderOptions) -> Result<Canvas, RenderError> {
    let tile = tiles.resolve(name).map_err(RenderError::Tile)?;
    let (width, height) = match &tile {
        Tile::Image(file) => (file.width, file.height),
        Tile::Color(_) | Tile::BuiltIn(_) => cell_size(&[], options),
    };
    let mut canvas = Canvas::new(u64::from(width), u64::from(height), options)?;
    decode(&tile)?.draw(&mut canvas, Area { x: 0, y: 0, width, height });
    Ok(canvas)
}

fn decode(tile: &Tile) -> Result<Bitmap, RenderError> {
    match tile {
        Tile::Color(color) => Ok(Bitmap::Flat(*color)),
        Tile::BuiltIn(tile) => Ok(Bitmap::Pixels(built_in::pixels(*tile))),
        Tile::Image(file) => decode_file(file).map(Bitmap::Pixels),
    }
}

fn decode_file(file: &ImageFile) -> Result<Canvas, RenderError> {
    let damaged = |why: &dyn std::fmt::Display| {
        RenderError::Tile(format!("the tile image {:?} cannot be decoded: {why}", file.path))
    };
    let mut reader = ImageReader::with_format(Cursor::new(&*file.bytes), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_IMAGE_SIDE);
    limits.max_image_height = Some(MAX_IMAGE_SIDE);
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|why| damaged(&why))?.into_rgba8();
    let (width, height) = decoded.dimensions();
    let pixels = decoded.pixels().map(|pixel| pixel.0).collect();
    Canvas::from_pixels(width, height, pixels).ok_or_else(|| damaged(&"it has no pixels"))
}
