//! PNG files as canvases, row by row: apart from the canvas itself decoding takes a few rows, whatever the file contains.

use std::io::Cursor;

use png::{
    BitDepth, ColorType, Decoder, DecodingError, InterlaceInfo, Limits, Transformations,
    expand_interlaced_row,
};

use crate::Canvas;

/// The bytes that the decoder may take apart from rows.
const BYTES_OF_DECODER: usize = 1 << 20;
/// Rows, of up to eight bytes a pixel, that it may hold.
const ROWS: usize = 16;

impl Canvas {
    /// The pixels of a PNG file. Its texts and its color profile are ignored.
    pub(crate) fn from_png(file: &[u8], width: u32, height: u32) -> Result<Canvas, String> {
        decode(file, width, height)
            .map_err(|why| why.to_string())?
            .ok_or_else(|| "it has no pixels".to_string())
    }
}

/// Decodes a PNG file of this size row by row; `None` if it has another size.
fn decode(file: &[u8], width: u32, height: u32) -> Result<Option<Canvas>, DecodingError> {
    // Metadata of a camera is held as it is in the file, and read into a row that doubles as it grows.
    let bytes = BYTES_OF_DECODER + 4 * file.len() + ROWS * 8 * width as usize;
    let mut decoder = Decoder::new_with_limits(Cursor::new(file), Limits { bytes });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA);
    let mut reader = decoder.read_info()?;
    if (reader.info().width, reader.info().height) != (width, height) {
        return Ok(None);
    }
    let (colors, depth) = reader.output_color_type();
    let mut pixels = vec![[0; 4]; width as usize * height as usize];
    let mut next = 0;
    let mut row: Vec<[u8; 4]> = Vec::with_capacity(width as usize);
    while let Some(found) = reader.next_interlaced_row()? {
        row.clear();
        match depth {
            BitDepth::Sixteen => {
                let samples = found
                    .data()
                    .chunks_exact(2)
                    .map(|sample| rounded([sample[0], sample[1]]));
                append(&mut row, colors, samples);
            }
            _ => append(&mut row, colors, found.data().iter().copied()),
        }
        match found.interlace() {
            InterlaceInfo::Adam7(pass) => {
                let stride = width as usize * 4;
                expand_interlaced_row(
                    pixels.as_flattened_mut(),
                    stride,
                    row.as_flattened(),
                    pass,
                    32,
                );
            }
            InterlaceInfo::Null(_) => {
                if let Some(target) = pixels.get_mut(next..next + row.len()) {
                    target.copy_from_slice(&row);
                }
                next += row.len();
            }
        }
    }
    Ok(Canvas::from_pixels(width, height, pixels))
}

/// Appends the pixels of a row of samples.
fn append(row: &mut Vec<[u8; 4]>, colors: ColorType, mut samples: impl Iterator<Item = u8>) {
    let mut next = || samples.next();
    let mut pixel = || {
        Some(match colors {
            ColorType::Grayscale => {
                let gray = next()?;
                [gray, gray, gray, 255]
            }
            ColorType::GrayscaleAlpha => {
                let gray = next()?;
                [gray, gray, gray, next()?]
            }
            ColorType::Rgb => [next()?, next()?, next()?, 255],
            // Palettes are already converted to colors.
            ColorType::Rgba | ColorType::Indexed => [next()?, next()?, next()?, next()?],
        })
    };
    while let Some(pixel) = pixel() {
        row.push(pixel);
    }
}

/// A sample of 16 bits as the nearest one of 8.
fn rounded(sample: [u8; 2]) -> u8 {
    ((u32::from(u16::from_be_bytes(sample)) + 128) / 257) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_camera_says_may_be_long() {
        for size in [3 << 20, 3_000_000, 3_200_000, 70_000, 9_999_999] {
            let mut info = png::Info::with_size(2, 1);
            (info.color_type, info.bit_depth) = (ColorType::Rgb, BitDepth::Eight);
            info.exif_metadata = Some(vec![7; size].into());
            let mut file = Vec::new();
            let encoder = png::Encoder::with_info(&mut file, info).unwrap();
            let mut writer = encoder.write_header().unwrap();
            writer.write_image_data(&[1, 2, 3, 4, 5, 6]).unwrap();
            writer.finish().unwrap();
            assert!(file.len() > size);
            let canvas = Canvas::from_png(&file, 2, 1).unwrap();
            assert_eq!((canvas.width(), canvas.height()), (2, 1));
        }
    }
}
