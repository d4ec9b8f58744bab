//! Words in cells: the largest letters that fit, on a tile or a colour, in a frame.

use std::convert::Infallible;

use embedded_graphics::Drawable;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::iso_8859_1::{
    FONT_4X6, FONT_5X8, FONT_6X10, FONT_6X13_BOLD, FONT_7X13_BOLD, FONT_8X13_BOLD, FONT_9X15_BOLD, FONT_9X18_BOLD,
    FONT_10X20,
};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::text::{Baseline, Text};

use super::canvas::{Area, Canvas, blend};
use super::tile::Bitmap;

/// From the smallest letters to the largest.
const FONTS: [&MonoFont<'static>; 9] = [
    &FONT_4X6,
    &FONT_5X8,
    &FONT_6X10,
    &FONT_6X13_BOLD,
    &FONT_7X13_BOLD,
    &FONT_8X13_BOLD,
    &FONT_9X15_BOLD,
    &FONT_9X18_BOLD,
    &FONT_10X20,
];

/// Longer texts are words, for which there are so many of the fonts: as wide as a cell has room for each letter.
const FEW_LETTERS: u32 = 2;
const FONTS_OF_WORDS: usize = 4;

/// A label in a form that can be drawn at any size.
pub(super) struct Label {
    pub text: String,
    pub color: [u8; 4],
    pub background: Option<Box<Bitmap>>,
    pub frame: Option<[u8; 4]>,
}

impl Label {
    /// Draws the label, over what is there if `is_over`.
    pub fn draw(&self, canvas: &mut Canvas, area: Area, is_over: bool) {
        match &self.background {
            Some(background) if is_over => background.draw_over(canvas, area),
            Some(background) => background.draw(canvas, area),
            None if is_over => {}
            None => canvas.fill(area, [0; 4]),
        }
        let mut inner = area;
        if let Some(frame) = self.frame {
            let thickness = (area.width.min(area.height) / 16).max(1);
            draw_frame(canvas, area, thickness, frame);
            inner = inset(area, thickness);
        }
        write(canvas, inner, &self.text, self.color, Letters::Any);
    }
}

fn inset(area: Area, by: u32) -> Area {
    let by_x = by.min(area.width / 2);
    let by_y = by.min(area.height / 2);
    Area { x: area.x + by_x, y: area.y + by_y, width: area.width - 2 * by_x, height: area.height - 2 * by_y }
}

pub(super) fn draw_frame(canvas: &mut Canvas, area: Area, thickness: u32, color: [u8; 4]) {
    let (wide, high) = (thickness.min(area.width), thickness.min(area.height));
    let right = area.x + area.width - wide;
    let bottom = area.y + area.height - high;
    canvas.fill(Area { height: high, ..area }, color);
    canvas.fill(Area { y: bottom, height: high, ..area }, color);
    canvas.fill(Area { width: wide, ..area }, color);
    canvas.fill(Area { x: right, width: wide, ..area }, color);
}

/// The letters of a text, as a row of bits for each of their lines.
struct Mask {
    width: u32,
    height: u32,
    bits: Vec<bool>,
}

impl OriginDimensions for Mask {
    fn size(&self) -> Size {
        Size::new(self.width, self.height)
    }
}

impl DrawTarget for Mask {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(Point { x, y }, color) in pixels {
            let inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
            if inside && color == BinaryColor::On {
                self.bits[y as usize * self.width as usize + x as usize] = true;
            }
        }
        Ok(())
    }
}

/// How large letters may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    /// As large as there is room for.
    Any,
    /// Of the size of the fonts, so that those of a row look alike.
    Small,
}

/// Writes a line from the left edge of an area on; what does not fit is cut off.
pub(super) fn write_line(canvas: &mut Canvas, area: Area, text: &str, color: [u8; 4]) {
    let font = FONTS[2];
    let size = font.character_size;
    let count = (area.width / size.width) as usize;
    let shown: String = match text.chars().nth(count) {
        Some(_) => text.chars().take(count.saturating_sub(2)).chain("..".chars()).take(count).collect(),
        None => text.to_string(),
    };
    if shown.is_empty() {
        return;
    }
    let mask = Mask::of(&shown, font);
    for y in 0..mask.height.min(area.height) {
        let line = Area { width: mask.width.min(area.width), height: 1, ..area };
        for (x, pixel) in canvas.row_mut(line, y).iter_mut().enumerate() {
            if mask.bits[y as usize * mask.width as usize + x] {
                *pixel = color;
            }
        }
    }
}

impl Mask {
    /// A text in the letters of a font.
    fn of(text: &str, font: &MonoFont) -> Mask {
        let size = font.character_size;
        let mut mask = Mask { width: size.width * text.chars().count() as u32, height: size.height, bits: Vec::new() };
        mask.bits = vec![false; (mask.width * mask.height) as usize];
        let style = MonoTextStyle::new(font, BinaryColor::On);
        let Ok(_) = Text::with_baseline(text, Point::zero(), style, Baseline::Top).draw(&mut mask);
        mask
    }
}

/// Writes a text in the middle of an area, in the largest letters that fit; what does not fit in the smallest is cut off.
pub(super) fn write(canvas: &mut Canvas, area: Area, text: &str, color: [u8; 4], letters: Letters) {
    let count = text.chars().count() as u32;
    if count == 0 || area.width == 0 || area.height == 0 {
        return;
    }
    // How often a font can be enlarged; the largest letters win, and among equal ones those that are enlarged least.
    let enlarged = |font: &MonoFont| {
        let (width, height) = (font.character_size.width * count, font.character_size.height);
        // The last column of a letter is empty.
        ((area.width + 1) / width.max(1)).min(area.height / height.max(1))
    };
    // Words of different lengths that stand beside one another are to look alike.
    let fonts = if count > FEW_LETTERS { &FONTS[..FONTS_OF_WORDS] } else { &FONTS[..] };
    let best = fonts.iter().filter(|font| enlarged(font) > 0).max_by_key(|font| {
        let times = enlarged(font);
        (times * font.character_size.height, font.character_size.height)
    });
    let font = best.copied().unwrap_or(FONTS[0]);
    let times = if letters == Letters::Small { 1 } else { enlarged(font).max(1) };
    let size = font.character_size;
    let fitting = ((area.width + 1) / (size.width * times).max(1)).clamp(1, count);
    let shown: String = text.chars().take(fitting as usize).collect();
    put(canvas, area, &Mask::of(&shown, font), times, color);
}

/// Puts the letters where what can be seen of them is in the middle.
fn put(canvas: &mut Canvas, area: Area, mask: &Mask, times: u32, color: [u8; 4]) {
    let lit = |x: u32, y: u32| mask.bits[(y * mask.width + x) as usize];
    let columns: Vec<u32> = (0..mask.width).filter(|x| (0..mask.height).any(|y| lit(*x, y))).collect();
    let rows: Vec<u32> = (0..mask.height).filter(|y| (0..mask.width).any(|x| lit(x, *y))).collect();
    let (Some(left), Some(right)) = (columns.first(), columns.last()) else { return };
    let (Some(top), Some(bottom)) = (rows.first(), rows.last()) else { return };
    let (width, height) = ((right - left + 1) * times, (bottom - top + 1) * times);
    let begin_x = area.x + area.width.saturating_sub(width) / 2;
    let begin_y = area.y + area.height.saturating_sub(height) / 2;
    for y in 0..height.min(area.height) {
        let line = Area { x: begin_x, y: begin_y, width: width.min(area.width), height: 1 };
        for (x, pixel) in canvas.row_mut(line, y).iter_mut().enumerate() {
            if lit(left + x as u32 / times, top + y / times) {
                *pixel = blend(*pixel, color);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::RenderOptions;

    #[test]
    fn letters_are_as_large_as_fits_and_in_the_middle() {
        for (width, height, text) in
            [(16, 16, "7"), (16, 16, "12"), (48, 16, "Ada"), (100, 100, "M"), (3, 3, "toolong"), (200, 9, "")]
        {
            let mut canvas = Canvas::new(width, height, &RenderOptions::default()).unwrap();
            let area = Area { x: 0, y: 0, width: width as u32, height: height as u32 };
            write(&mut canvas, area, text, [1, 2, 3, 255], Letters::Any);
            let lit: Vec<(u32, u32)> = (0..height as u32)
                .flat_map(|y| (0..width as u32).map(move |x| (x, y)))
                .filter(|(x, y)| canvas.pixel(*x, *y) == Some([1, 2, 3, 255]))
                .collect();
            assert_eq!(lit.is_empty(), text.is_empty(), "{text}");
            if text.len() == 1 {
                let rows = lit.iter().map(|place| place.1);
                let (top, bottom) = (rows.clone().min().unwrap(), rows.max().unwrap());
                assert!(bottom - top + 1 >= height as u32 / 2, "{text} from {top} to {bottom}");
                assert!(top.abs_diff(height as u32 - 1 - bottom) <= 1, "{text} from {top} to {bottom}");
            }
        }
    }
}
