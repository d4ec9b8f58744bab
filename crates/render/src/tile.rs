//! From tile names to pixels of tiles.

use std::sync::Arc;

use super::canvas::{Area, Canvas, blend};
use super::label::{Common, Label};
use super::{FLAT_TILE_SIZE, RenderError, RenderOptions, built_in};
use ndscript_base::tiles::{ImageFile, Square, Tile, Tiles, Turned};

/// A tile in a form that can be drawn at any size.
pub(super) enum Bitmap {
    Flat([u8; 4]),
    Pixels(Canvas),
    Label(Label),
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
            Bitmap::Label(label) => label.draw(canvas, area, false),
        }
    }

    /// Draws the tile over the canvas, which shows where the tile is not opaque.
    pub fn draw_over(&self, canvas: &mut Canvas, area: Area) {
        match self {
            Bitmap::Flat(color) => {
                for row in 0..area.height {
                    canvas
                        .row_mut(area, row)
                        .iter_mut()
                        .for_each(|pixel| *pixel = blend(*pixel, *color));
                }
            }
            Bitmap::Pixels(tile) => scale(tile, canvas, area, blend),
            Bitmap::Label(label) => label.draw(canvas, area, true),
        }
    }
}

fn scale(
    tile: &Canvas,
    canvas: &mut Canvas,
    area: Area,
    put: impl Fn([u8; 4], [u8; 4]) -> [u8; 4],
) {
    // The middle of each target pixel decides, so that shrinking takes samples from all over the tile.
    let source = |at: u32, of: u32, length: u32| {
        ((2 * u64::from(at) + 1) * u64::from(length) / (2 * u64::from(of).max(1))) as u32
    };
    for row in 0..area.height {
        let from = tile.row(source(row, area.height, tile.height()));
        for (column, pixel) in canvas.row_mut(area, row).iter_mut().enumerate() {
            let over = from
                .get(source(column as u32, area.width, tile.width()) as usize)
                .copied()
                .unwrap_or_default();
            *pixel = put(*pixel, over);
        }
    }
}

/// The tiles of all names; an error if their images are too large together.
pub(super) fn resolve_all(
    names: &[Arc<str>],
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<Vec<Tile>, RenderError> {
    let mut pixels = 0;
    // The picture that squares were last cut out of: it is decoded once for all of them.
    let mut cut: Option<Arc<str>> = None;
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let tile = tiles.resolve(name).map_err(RenderError::Tile)?;
        match &tile {
            Tile::Image(file) => pixels += pixels_in(file),
            Tile::Square(square) => {
                pixels += u64::from(square.size).pow(2);
                if let Tile::Image(file) = &*square.of
                    && cut.as_ref() != Some(&file.path)
                {
                    pixels += pixels_in(file);
                    cut = Some(file.path.clone());
                }
            }
            Tile::Label(label) => pixels += label.background.as_deref().map_or(0, pixels_under),
            Tile::Turned(_) => pixels += pixels_under(&tile),
            Tile::Color(_) | Tile::BuiltIn(_) => {}
        }
        found.push(tile);
    }
    if pixels > options.max_pixels {
        return Err(RenderError::TilesTooLarge {
            pixels,
            max_pixels: options.max_pixels,
        });
    }
    Ok(found)
}

/// The pixels to decode for a tile beneath a label.
fn pixels_under(tile: &Tile) -> u64 {
    match tile {
        Tile::Image(file) => pixels_in(file),
        Tile::Square(square) => pixels_under(&square.of) + u64::from(square.size).pow(2),
        Tile::Turned(turned) => {
            let (width, height) = turned.of.size();
            pixels_under(&turned.of) + u64::from(width) * u64::from(height)
        }
        Tile::Color(_) | Tile::BuiltIn(_) | Tile::Label(_) => 0,
    }
}

fn pixels_in(file: &ImageFile) -> u64 {
    u64::from(file.width) * u64::from(file.height)
}

/// The size of every cell of a map with these tiles: the given one, else that of the largest tile.
pub(super) fn cell_size(tiles: &[Tile], options: &RenderOptions) -> (u32, u32) {
    if let Some(size) = options.tile_size {
        return (size.max(1), size.max(1));
    }
    let largest = tiles
        .iter()
        .map(Tile::size)
        .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)));
    largest.unwrap_or((FLAT_TILE_SIZE, FLAT_TILE_SIZE))
}

/// The tiles in a form that can be drawn.
pub(super) fn decode_all(tiles: &[Tile]) -> Result<Vec<Bitmap>, RenderError> {
    let (mut whole, common) = (None, Common::of(tiles));
    let of_tile = |tile| {
        let mut bitmap = decode(tile, &mut whole)?;
        if let Bitmap::Label(label) = &mut bitmap {
            label.common = common;
        }
        Ok(bitmap)
    };
    tiles.iter().map(of_tile).collect()
}

/// The pixels of a tile at its own size, row by row: red, green, blue, opacity.
pub fn pixels_of(tile: &Tile) -> Result<Vec<[u8; 4]>, RenderError> {
    let (width, height) = tile.size();
    Ok(match decode(tile, &mut None)? {
        Bitmap::Flat(color) => vec![color; width as usize * height as usize],
        Bitmap::Pixels(canvas) => canvas.into_pixels(),
        label @ Bitmap::Label(_) => {
            let options = RenderOptions::default();
            let mut canvas = Canvas::new(u64::from(width), u64::from(height), &options)?;
            label.draw(
                &mut canvas,
                Area {
                    x: 0,
                    y: 0,
                    width,
                    height,
                },
            );
            canvas.into_pixels()
        }
    })
}

/// The size of a tile that is a picture by itself.
pub(super) fn size_of_tile(tile: &Tile, options: &RenderOptions) -> (u32, u32) {
    match tile {
        Tile::Image(_) | Tile::Square(_) | Tile::Label(_) => tile.size(),
        Tile::Turned(turned) => {
            let (width, height) = size_of_tile(&turned.of, options);
            if turned.turn.is_sideways() {
                (height, width)
            } else {
                (width, height)
            }
        }
        Tile::Color(_) | Tile::BuiltIn(_) => cell_size(&[], options),
    }
}

/// One tile by itself, at its own size.
pub(super) fn load_one(
    name: &str,
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<Canvas, RenderError> {
    let tile = tiles.resolve(name).map_err(RenderError::Tile)?;
    let (width, height) = size_of_tile(&tile, options);
    let mut canvas = Canvas::new(u64::from(width), u64::from(height), options)?;
    decode(&tile, &mut None)?.draw(
        &mut canvas,
        Area {
            x: 0,
            y: 0,
            width,
            height,
        },
    );
    Ok(canvas)
}

/// The picture that squares are cut out of, with its path, once it is decoded.
pub(super) type DecodedPicture = Option<(Arc<str>, Canvas)>;

pub(super) fn decode(tile: &Tile, whole: &mut DecodedPicture) -> Result<Bitmap, RenderError> {
    match tile {
        Tile::Color(color) => Ok(Bitmap::Flat(*color)),
        Tile::BuiltIn(tile) => Ok(Bitmap::Pixels(built_in::pixels(*tile))),
        Tile::Image(file) => decode_file(file).map(Bitmap::Pixels),
        Tile::Square(square) => cut_out(square, whole),
        Tile::Turned(turned) => turn(turned),
        Tile::Label(label) => {
            let background = match &label.background {
                Some(tile) => Some(Box::new(decode(tile, whole)?)),
                None => None,
            };
            Ok(Bitmap::Label(Label {
                text: label.text.to_string(),
                common: Common::of(std::slice::from_ref(tile)),
                color: label.color,
                background,
                frame: label.frame,
                sides: label.sides,
            }))
        }
    }
}

fn cut_out(square: &Square, whole: &mut DecodedPicture) -> Result<Bitmap, RenderError> {
    match &*square.of {
        Tile::Image(file) => {
            if whole.as_ref().is_none_or(|(path, _)| *path != file.path) {
                *whole = None;
                *whole = Some((file.path.clone(), decode_file(file)?));
            }
            Ok(whole.as_ref().map_or(Bitmap::Flat([0; 4]), |(_, canvas)| {
                Bitmap::Pixels(part_of(canvas, square))
            }))
        }
        Tile::BuiltIn(tile) => Ok(Bitmap::Pixels(part_of(&built_in::pixels(*tile), square))),
        Tile::Color(color) => Ok(Bitmap::Flat(*color)),
        Tile::Turned(turned) => Ok(match self::turn(turned)? {
            Bitmap::Pixels(canvas) => Bitmap::Pixels(part_of(&canvas, square)),
            other => other,
        }),
        Tile::Square(_) | Tile::Label(_) => Err(RenderError::Tile(
            "a square of a square or of a label cannot be drawn".to_string(),
        )),
    }
}

/// The pixels of a tile that is turned, or its color if it has only one.
fn turn(turned: &Turned) -> Result<Bitmap, RenderError> {
    if let Tile::Color(color) = &*turned.of {
        return Ok(Bitmap::Flat(*color));
    }
    let pixels = pixels_of(&turned.of)?;
    // The drawings of built-in tiles have a size of their own.
    let from = match &*turned.of {
        Tile::BuiltIn(tile) => {
            let canvas = built_in::pixels(*tile);
            (canvas.width(), canvas.height())
        }
        tile => tile.size(),
    };
    let (width, height) = if turned.turn.is_sideways() {
        (from.1, from.0)
    } else {
        from
    };
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let turned = places.map(|(x, y)| {
        let (x, y) = turned.turn.source(x, y, from);
        let at = y as usize * from.0 as usize + x as usize;
        pixels.get(at).copied().unwrap_or_default()
    });
    let canvas = Canvas::from_pixels(width, height, turned.collect());
    Ok(Bitmap::Pixels(canvas.unwrap_or_else(Canvas::transparent)))
}

fn part_of(canvas: &Canvas, square: &Square) -> Canvas {
    let size = square.size as usize;
    let left = square.column as usize * size;
    let rows = square.row * square.size..(square.row + 1) * square.size;
    let pixels: Vec<[u8; 4]> = rows
        .flat_map(|y| canvas.row(y).iter().skip(left).take(size))
        .copied()
        .collect();
    // Missing parts of a damaged file are transparent.
    Canvas::from_pixels(square.size, square.size, pixels).unwrap_or_else(Canvas::transparent)
}

fn decode_file(file: &ImageFile) -> Result<Canvas, RenderError> {
    Canvas::from_png(&file.bytes, file.width, file.height).map_err(|why| {
        RenderError::Tile(format!(
            "the tile image {:?} cannot be decoded: {why}",
            file.path
        ))
    })
}
