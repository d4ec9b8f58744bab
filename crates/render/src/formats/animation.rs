//! Pictures in a row as one file that moves: GIF and APNG. Each frame holds only what has changed: the smallest rectangle
//! around it, with nothing where it is as before, since that packs best.

use ndscript_base::keyed::KeyedMap;
use std::borrow::Cow;
use std::io::Write;

use crate::canvas::Canvas;

/// A part of a picture: its left and upper edge, width and height.
pub type Part = (u32, u32, u32, u32);

/// The speed of color quantization where a GIF cannot have all colors: from 1 (well) to 30 (fast).
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
    shown: CurrentPicture,
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
        let shown = CurrentPicture::new(width, height);
        Ok(Gif { encoder, shown })
    }

    /// Shows a picture for some milliseconds, which differs from the one before only in `part`.
    ///
    /// # Errors
    /// If the part is not inside of the picture.
    pub fn add(
        &mut self,
        canvas: &Canvas,
        part: Part,
        milliseconds: u32,
    ) -> Result<(), AnimationError> {
        let changes = self.shown.take(canvas, part)?;
        let mut frame = indexed(&changes).unwrap_or_else(|| {
            // Too many colors: the nearest of those that are most frequent.
            let mut bytes = changes.bytes();
            let is_changed = changes.pixels.iter().map(Option::is_some);
            bytes
                .chunks_exact_mut(4)
                .zip(is_changed)
                .for_each(|(pixel, is_new)| pixel[3] = 255 * u8::from(is_new));
            let (width, height) = (changes.part.2 as u16, changes.part.3 as u16);
            gif::Frame::from_rgba_speed(width, height, &mut bytes, QUANTIZING_SPEED)
        });
        (frame.left, frame.top) = (changes.part.0 as u16, changes.part.1 as u16);
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

/// The present picture of an animation.
struct CurrentPicture {
    width: u32,
    height: u32,
    /// Row by row; empty before the first picture, and nothing where none was shown.
    pixels: Vec<Option<[u8; 4]>>,
}

/// The changed part of a picture.
struct Changes {
    part: Part,
    /// Row by row; nothing where it is as it was.
    pixels: Vec<Option<[u8; 4]>>,
}

impl CurrentPicture {
    fn new(width: u32, height: u32) -> CurrentPicture {
        CurrentPicture {
            width,
            height,
            pixels: Vec::new(),
        }
    }

    /// Takes over a part of a picture.
    fn take(&mut self, canvas: &Canvas, part: Part) -> Result<Changes, AnimationError> {
        let (left, top, width, height) = part;
        let is_inside = (canvas.width(), canvas.height()) == (self.width, self.height)
            && width > 0
            && height > 0
            && left + width <= self.width
            && top + height <= self.height;
        if !is_inside {
            return Err(AnimationError(format!(
                "the part {left},{top} {width} x {height} is not inside of the picture"
            )));
        }
        self.pixels
            .resize(self.width as usize * self.height as usize, None);
        let is_changed = |y: u32, x: u32| {
            let now = canvas.row(y)[x as usize];
            (self.pixels[self.at(x, y)] != Some(now)).then_some(now)
        };
        let (rows, columns) = (top..top + height, left..left + width);
        let in_row = |y: &u32| columns.clone().any(|x| is_changed(*y, x).is_some());
        let first = rows.clone().find(in_row);
        let last = rows.clone().rev().find(in_row);
        let (Some(first), Some(last)) = (first, last) else {
            // A frame has at least a pixel.
            return Ok(Changes {
                part: (left, top, 1, 1),
                pixels: vec![None],
            });
        };
        let in_column = |x: &u32| (first..=last).any(|y| is_changed(y, *x).is_some());
        let begin = columns.clone().find(in_column).unwrap_or(left);
        let end = columns.clone().rev().find(in_column).unwrap_or(begin);
        let places = (first..=last).flat_map(|y| (begin..=end).map(move |x| (x, y)));
        let pixels: Vec<_> = places.clone().map(|(x, y)| is_changed(y, x)).collect();
        for ((x, y), pixel) in places.zip(&pixels) {
            let at = self.at(x, y);
            self.pixels[at] = pixel.or(self.pixels[at]);
        }
        Ok(Changes {
            part: (begin, first, end - begin + 1, last - first + 1),
            pixels,
        })
    }

    fn at(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }
}

impl Changes {
    /// A part of a picture with all that is in it.
    fn all_of(canvas: &Canvas, part: Part) -> Changes {
        let (left, top, width, height) = part;
        let row = |y| &canvas.row(y)[left as usize..(left + width) as usize];
        let pixels = (top..top + height).flat_map(row).map(|pixel| Some(*pixel));
        Changes {
            part,
            pixels: pixels.collect(),
        }
    }

    /// The pixels, which cannot be seen where they are as they were.
    fn bytes(&self) -> Vec<u8> {
        self.pixels
            .iter()
            .flat_map(|pixel| pixel.unwrap_or_default())
            .collect()
    }

    /// Whether it can be laid over what was there: what can be seen through would mix with that.
    fn covers(&self) -> bool {
        self.pixels.iter().flatten().all(|pixel| pixel[3] == 255)
    }
}

/// A frame with exactly the given colors, if a GIF can have as many.
fn indexed(changes: &Changes) -> Option<gif::Frame<'static>> {
    let mut palette: Vec<u8> = Vec::new();
    let mut numbers: KeyedMap<Option<[u8; 4]>, u8> = KeyedMap::default();
    let mut bytes = Vec::with_capacity(changes.pixels.len());
    // A pixel is mostly like the one before it.
    let mut latest: Option<(Option<[u8; 4]>, u8)> = None;
    for pixel in &changes.pixels {
        let number = match latest {
            Some((color, number)) if color == *pixel => number,
            _ => match numbers.get(pixel) {
                Some(number) => *number,
                None => {
                    let number = u8::try_from(numbers.len()).ok()?;
                    numbers.insert(*pixel, number);
                    palette.extend(&pixel.unwrap_or_default()[..3]);
                    number
                }
            },
        };
        latest = Some((*pixel, number));
        bytes.push(number);
    }
    Some(gif::Frame {
        width: changes.part.2 as u16,
        height: changes.part.3 as u16,
        buffer: Cow::Owned(bytes),
        palette: Some(palette),
        transparent: numbers.get(&None).copied(),
        ..gif::Frame::default()
    })
}

/// An animated PNG that is being made: with all colors, and larger than a GIF; it repeats.
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
    shown: CurrentPicture,
}

impl<W: Write> Apng<W> {
    /// An empty animation of this size, for this number of frames.
    ///
    /// # Errors
    /// If there are no frames, or the file cannot be written.
    pub fn new(file: W, width: u32, height: u32, frames: u32) -> Result<Apng<W>, AnimationError> {
        let mut encoder = png::Encoder::new(file, width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        encoder.set_animated(frames, 0)?;
        Ok(Apng {
            writer: encoder.write_header()?,
            shown: CurrentPicture::new(width, height),
        })
    }

    /// Shows a picture for some milliseconds, which differs from the one before only in `part`. Of the first one it is
    /// the whole.
    ///
    /// # Errors
    /// If the part is not inside of the picture, or the file cannot be written.
    pub fn add(
        &mut self,
        canvas: &Canvas,
        part: Part,
        milliseconds: u32,
    ) -> Result<(), AnimationError> {
        let is_first = self.shown.pixels.is_empty();
        let mut changes = self.shown.take(canvas, part)?;
        let is_over = !is_first && changes.covers();
        if !is_over {
            changes = Changes::all_of(canvas, if is_first { part } else { changes.part });
        }
        let (left, top, width, height) = changes.part;
        self.writer
            .set_frame_delay(milliseconds.min(u32::from(u16::MAX)) as u16, 1000)?;
        self.writer.reset_frame_position()?;
        self.writer.set_frame_dimension(width, height)?;
        self.writer.set_frame_position(left, top)?;
        self.writer.set_blend_op(if is_over {
            png::BlendOp::Over
        } else {
            png::BlendOp::Source
        })?;
        self.writer.set_dispose_op(png::DisposeOp::None)?;
        let bytes = changes.bytes();
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
