//! Pictures in a row as one file that moves: GIF and APNG. Each frame holds only what has changed.

use ndscript_base::keyed::KeyedMap;
use std::borrow::Cow;
use std::io::Write;

use crate::canvas::Canvas;

/// A part of a picture: its left and upper edge, width and height.
pub type Part = (u32, u32, u32, u32);

/// How fast colours are counted where there are more than a GIF can have: from 1 (well) to 30 (fast).
const QUANTIZING_SPEED: i32 = 10;

/// The sides of a GIF have two bytes.
const LARGEST_GIF: u32 = 0xFFFF;

/// Why a picture could not become part of an animation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnimationError(String);

impl std::fmt::Display for AnimationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AnimationError {}

impl From<gif::EncodingError> for AnimationError {
    fn from(why: gif::EncodingError) -> AnimationError {
        AnimationError(why.to_string())
    }
}

impl From<std::io::Error> for AnimationError {
    fn from(why: std::io::Error) -> AnimationError {
        AnimationError(why.to_string())
    }
}

impl From<png::EncodingError> for AnimationError {
    fn from(why: png::EncodingError) -> AnimationError {
        AnimationError(why.to_string())
    }
}

/// A GIF that is being made; it begins again at its end.
///
/// ```
/// use ndscript::picture::Picture;
/// use ndscript::render::{RenderOptions, animation::Gif, draw};
/// use ndscript::tiles::Tiles;
/// let [red, blue] = ["red", "blue"].map(|name| {
///     draw(&Picture::Image(name.into()), &Tiles::default(), &RenderOptions::default()).unwrap()
/// });
/// let mut file = Vec::new();
/// let mut gif = Gif::new(&mut file, 16, 16)?;
/// gif.add(&red, (0, 0, 16, 16), 100)?;
/// gif.add(&blue, (4, 4, 8, 8), 100)?;
/// gif.finish()?;
/// assert!(file.starts_with(b"GIF89a"));
/// # Ok::<(), ndscript::render::animation::AnimationError>(())
/// ```
pub struct Gif<W: Write> {
    encoder: gif::Encoder<W>,
}

impl<W: Write> Gif<W> {
    /// An empty one of this size.
    ///
    /// # Errors
    /// If it is larger than a GIF can be.
    pub fn new(file: W, width: u32, height: u32) -> Result<Gif<W>, AnimationError> {
        if width > LARGEST_GIF || height > LARGEST_GIF {
            let message = format!(
                "{width} x {height} pixels are more than a GIF can have ({LARGEST_GIF} on a side)"
            );
            return Err(AnimationError(message));
        }
        let mut encoder = gif::Encoder::new(file, width as u16, height as u16, &[])?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Gif { encoder })
    }

    /// Adds a part of a picture, which is shown over what was there for so many milliseconds.
    ///
    /// # Errors
    /// If the part is not inside of the picture.
    pub fn add(
        &mut self,
        canvas: &Canvas,
        part: Part,
        milliseconds: u32,
    ) -> Result<(), AnimationError> {
        let (left, top, width, height) = part;
        let rows = rows_of(canvas, part)?;
        let mut frame = indexed(&rows, width, height).unwrap_or_else(|| {
            // Too many colours: the nearest of those that stand for most.
            let mut bytes: Vec<u8> = rows
                .iter()
                .flat_map(|row| row.iter().flatten().copied())
                .collect();
            bytes.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
            gif::Frame::from_rgba_speed(width as u16, height as u16, &mut bytes, QUANTIZING_SPEED)
        });
        (frame.left, frame.top) = (left as u16, top as u16);
        frame.delay = milliseconds.div_ceil(10).min(u32::from(u16::MAX)) as u16;
        frame.dispose = gif::DisposalMethod::Keep;
        Ok(self.encoder.write_frame(&frame)?)
    }

    /// Writes the end, and gives the file back.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> Result<W, AnimationError> {
        let mut file = self.encoder.into_inner()?;
        file.flush()?;
        Ok(file)
    }
}

/// The rows of a part of a picture.
fn rows_of(
    canvas: &Canvas,
    (left, top, width, height): Part,
) -> Result<Vec<&[[u8; 4]]>, AnimationError> {
    let is_inside = width > 0
        && height > 0
        && left + width <= canvas.width()
        && top + height <= canvas.height();
    if !is_inside {
        return Err(AnimationError(format!(
            "the part {left},{top} {width} x {height} is not inside of the picture"
        )));
    }
    Ok((top..top + height)
        .map(|y| &canvas.row(y)[left as usize..(left + width) as usize])
        .collect())
}

/// A frame with exactly the colours that there are, if a GIF can have so many.
fn indexed(rows: &[&[[u8; 4]]], width: u32, height: u32) -> Option<gif::Frame<'static>> {
    let mut palette: Vec<u8> = Vec::new();
    let mut numbers: KeyedMap<[u8; 4], u8> = KeyedMap::default();
    let mut bytes = Vec::with_capacity(width as usize * height as usize);
    // A pixel is mostly like the one before it.
    let mut latest: Option<([u8; 4], u8)> = None;
    for pixel in rows.iter().flat_map(|row| row.iter()) {
        let number = match latest {
            Some((color, number)) if color == *pixel => number,
            _ => match numbers.get(pixel) {
                Some(number) => *number,
                None => {
                    let number = u8::try_from(numbers.len()).ok()?;
                    numbers.insert(*pixel, number);
                    palette.extend(&pixel[..3]);
                    number
                }
            },
        };
        latest = Some((*pixel, number));
        bytes.push(number);
    }
    Some(gif::Frame {
        width: width as u16,
        height: height as u16,
        buffer: Cow::Owned(bytes),
        palette: Some(palette),
        ..gif::Frame::default()
    })
}

/// An animated PNG that is being made: all colours, and larger than a GIF; it begins again at its end.
///
/// ```
/// use ndscript::picture::Picture;
/// use ndscript::render::{RenderOptions, animation::Apng, draw};
/// use ndscript::tiles::Tiles;
/// let sea = draw(&Picture::Image("sea".into()), &Tiles::default(), &RenderOptions::default()).unwrap();
/// let mut file = Vec::new();
/// let mut apng = Apng::new(&mut file, 16, 16, 2)?;
/// apng.add(&sea, (0, 0, 16, 16), 100)?;
/// apng.add(&sea, (4, 4, 8, 8), 100)?;
/// apng.finish()?;
/// assert!(file.starts_with(b"\x89PNG"));
/// # Ok::<(), ndscript::render::animation::AnimationError>(())
/// ```
pub struct Apng<W: Write> {
    writer: png::Writer<W>,
}

impl<W: Write> Apng<W> {
    /// An empty one of this size, for so many frames.
    ///
    /// # Errors
    /// If there are no frames, or the file cannot be written.
    pub fn new(file: W, width: u32, height: u32, frames: u32) -> Result<Apng<W>, AnimationError> {
        let mut encoder = png::Encoder::new(file, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_animated(frames, 0)?;
        Ok(Apng {
            writer: encoder.write_header()?,
        })
    }

    /// Adds a part of a picture, which is shown over what was there for so many milliseconds. The first one is the whole.
    ///
    /// # Errors
    /// If the part is not inside of the picture, or the file cannot be written.
    pub fn add(
        &mut self,
        canvas: &Canvas,
        part: Part,
        milliseconds: u32,
    ) -> Result<(), AnimationError> {
        let rows = rows_of(canvas, part)?;
        let (left, top, width, height) = part;
        self.writer
            .set_frame_delay(milliseconds.min(u32::from(u16::MAX)) as u16, 1000)?;
        self.writer.reset_frame_position()?;
        self.writer.set_frame_dimension(width, height)?;
        self.writer.set_frame_position(left, top)?;
        self.writer.set_blend_op(png::BlendOp::Source)?;
        self.writer.set_dispose_op(png::DisposeOp::None)?;
        let bytes: Vec<u8> = rows
            .iter()
            .flat_map(|row| row.as_flattened().iter().copied())
            .collect();
        Ok(self.writer.write_image_data(&bytes)?)
    }

    /// Writes the end.
    ///
    /// # Errors
    /// If frames are missing, or the file cannot be written.
    pub fn finish(self) -> Result<(), AnimationError> {
        Ok(self.writer.finish()?)
    }
}
