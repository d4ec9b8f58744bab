//! Pictures for a terminal, two pixels a character.

use std::fmt::Write;

use crate::Canvas;

/// A pixel of the terminal: `None` shows the terminal's own background.
type Dot = Option<[u8; 3]>;

/// The picture in 24-bit colors, made of half blocks: at most `columns` characters wide, shrunk if needed. Every line
/// ends with a reset and a line break.
///
/// ```
/// use ndscript::picture::Picture;
/// use ndscript::render::{RenderOptions, draw, terminal};
/// let options = RenderOptions { tile_size: Some(2), ..RenderOptions::default() };
/// let canvas = draw(&Picture::Image("red".into()), &Default::default(), &options).unwrap();
/// assert_eq!(terminal::half_blocks(&canvas, 80), "\x1b[38;2;255;0;0;48;2;255;0;0m▀▀\x1b[0m\n");
/// ```
pub fn half_blocks(canvas: &Canvas, columns: u32) -> String {
    let (width, height) = dots(canvas, columns);
    let mut text = String::new();
    for top in (0..height).step_by(2) {
        let mut colors: Option<(Dot, Dot)> = None;
        for x in 0..width {
            let upper = average(canvas, x, width, top, height);
            let lower = if top + 1 < height {
                average(canvas, x, width, top + 1, height)
            } else {
                None
            };
            if colors != Some((upper, lower)) {
                set_colors(
                    &mut text,
                    upper,
                    lower,
                    colors.is_some_and(|before| before != (None, None)),
                );
                colors = Some((upper, lower));
            }
            text.push(match (upper, lower) {
                (None, None) => ' ',
                (None, Some(_)) => '▄',
                (Some(_), _) => '▀',
            });
        }
        text.push_str("\x1b[0m\n");
    }
    text
}

/// How many dots wide and high [`half_blocks`] shows a picture: a character is one dot wide and two high.
pub fn dots(canvas: &Canvas, columns: u32) -> (u32, u32) {
    let width = canvas.width().min(columns.max(1));
    let scaled = u64::from(canvas.height()) * u64::from(width) + u64::from(canvas.width()) / 2;
    (width, ((scaled / u64::from(canvas.width())) as u32).max(1))
}

fn set_colors(text: &mut String, upper: Dot, lower: Dot, reset: bool) {
    let transparent = upper.is_none() || lower.is_none();
    if reset && transparent {
        text.push_str("\x1b[0m");
    }
    // A `String` takes every write.
    let _ = match (upper, lower) {
        (Some([r, g, b]), Some([s, h, c])) => {
            write!(text, "\x1b[38;2;{r};{g};{b};48;2;{s};{h};{c}m")
        }
        (Some([r, g, b]), None) | (None, Some([r, g, b])) => write!(text, "\x1b[38;2;{r};{g};{b}m"),
        (None, None) => Ok(()),
    };
}

/// The mean color of the pixels of a dot, unless most of them are transparent.
fn average(canvas: &Canvas, x: u32, width: u32, y: u32, height: u32) -> Dot {
    let cut =
        |length: u32, at: u32, of: u32| (u64::from(length) * u64::from(at) / u64::from(of)) as u32;
    let (left, top) = (
        cut(canvas.width(), x, width),
        cut(canvas.height(), y, height),
    );
    let right = cut(canvas.width(), x + 1, width).max(left + 1);
    let bottom = cut(canvas.height(), y + 1, height).max(top + 1);
    let (mut sums, mut opacity, mut count) = ([0u64; 3], 0u64, 0u64);
    for row in top..bottom {
        for pixel in canvas
            .row(row)
            .iter()
            .take(right as usize)
            .skip(left as usize)
        {
            let weight = u64::from(pixel[3]);
            // Light is additive, its code is not: the mean of squares is close to how the eye mixes colors.
            for (sum, part) in sums.iter_mut().zip(pixel) {
                *sum += u64::from(*part) * u64::from(*part) * weight;
            }
            opacity += weight;
            count += 1;
        }
    }
    (opacity > 0 && opacity >= count * 128)
        .then(|| sums.map(|sum| (sum as f64 / opacity as f64).sqrt().round() as u8))
}
