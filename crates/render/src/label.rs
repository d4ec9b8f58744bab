//! Words in cells: the largest letters that fit, on a tile or a color, in a frame.

use std::convert::Infallible;

use embedded_graphics::Drawable;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::iso_8859_1::{
    FONT_4X6, FONT_5X8, FONT_6X10, FONT_6X13, FONT_6X13_BOLD, FONT_7X13_BOLD, FONT_8X13_BOLD,
    FONT_9X15_BOLD, FONT_9X18_BOLD, FONT_10X20,
};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::text::{Baseline, Text};

use super::canvas::{Area, Canvas, blend};
use super::rectangles::rectangles;
use super::tile::Bitmap;
use ndscript_base::tiles::{Sides, Tile, turn_in};

/// A font: how large its letters are, and where their drawings are found. A function of its own gives those, so that a page
/// need not load drawings of which it shows none.
#[derive(Clone, Copy)]
struct Font {
    letter: Size,
    drawings: fn() -> &'static MonoFont<'static>,
}

macro_rules! fonts {
    ($($font:ident,)+) => {
        [$(Font { letter: $font.character_size, drawings: || &$font }),+]
    };
}

/// From the smallest letters to the largest.
const FONTS: [Font; 9] = fonts![
    FONT_4X6,
    FONT_5X8,
    FONT_6X10,
    FONT_6X13_BOLD,
    FONT_7X13_BOLD,
    FONT_8X13_BOLD,
    FONT_9X15_BOLD,
    FONT_9X18_BOLD,
    FONT_10X20,
];

/// What the labels of a picture have in common, so that their letters have one size.
#[derive(Clone, Copy, Default)]
pub(super) struct Common {
    /// How many letters the longest of them has.
    pub longest: u32,
    /// Whether any of them has a frame.
    pub is_framed: bool,
}

impl Common {
    /// That of the labels among some tiles.
    pub fn of(tiles: &[Tile]) -> Common {
        let labels = tiles.iter().filter_map(|tile| match tile {
            Tile::Label(label) => Some(label),
            _ => None,
        });
        labels.fold(Common::default(), |common, label| Common {
            longest: common.longest.max(label.text.chars().count() as u32),
            is_framed: common.is_framed || label.frame.is_some(),
        })
    }
}

/// A label in a form that can be drawn at any size.
pub(super) struct Label {
    pub text: String,
    pub common: Common,
    pub color: [u8; 4],
    pub background: Option<Box<Bitmap>>,
    pub frame: Option<[u8; 4]>,
    pub sides: Sides,
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
        if let Some(color) = self.frame {
            frame(area, self.sides)
                .into_iter()
                .for_each(|side| canvas.fill(side, color));
        }
        if let Some(letters) = letters_in(area, self.common, &self.text) {
            letters.draw(canvas, self.color);
        }
    }
}

/// The words of a label where they stand in its area.
pub(super) fn letters_in(area: Area, common: Common, text: &str) -> Option<Letters> {
    let area = if common.is_framed {
        inset(area, thickness(area))
    } else {
        area
    };
    letters_enlarged(area, text, common.longest, u32::MAX)
}

fn thickness(area: Area) -> u32 {
    (area.width.min(area.height) / 16).max(1)
}

fn inset(area: Area, by: u32) -> Area {
    let by_x = by.min(area.width / 2);
    let by_y = by.min(area.height / 2);
    Area {
        x: area.x + by_x,
        y: area.y + by_y,
        width: area.width - 2 * by_x,
        height: area.height - 2 * by_y,
    }
}

/// The sides of a frame, none over another.
pub(super) fn frame(area: Area, sides: Sides) -> Vec<Area> {
    let (wide, high) = (
        thickness(area).min(area.width),
        thickness(area).min(area.height),
    );
    let (right, bottom) = (area.x + area.width - wide, area.y + area.height - high);
    let (above, below) = (high * u32::from(sides.top), high * u32::from(sides.bottom));
    let upright = Area {
        y: area.y + above,
        width: wide,
        height: area.height.saturating_sub(above + below),
        ..area
    };
    let flat = Area {
        height: high,
        ..area
    };
    let all = [
        (sides.top, flat),
        (sides.bottom, Area { y: bottom, ..flat }),
        (sides.left, upright),
        (
            sides.right,
            Area {
                x: right,
                ..upright
            },
        ),
    ];
    all.into_iter()
        .filter(|side| side.0)
        .map(|side| side.1)
        .collect()
}

/// The letters of a text, as a row of bits for each of their lines.
struct Mask {
    width: u32,
    height: u32,
    bits: Vec<bool>,
}

impl Mask {
    fn of(text: &str, font: &MonoFont<'static>) -> Mask {
        let (width, height) = (
            font.character_size.width * text.chars().count() as u32,
            font.character_size.height,
        );
        let mut mask = Mask {
            width,
            height,
            bits: vec![false; width as usize * height as usize],
        };
        let style = MonoTextStyle::new(font, BinaryColor::On);
        let Ok(_) = Text::with_baseline(text, Point::zero(), style, Baseline::Top).draw(&mut mask);
        mask
    }

    fn is_lit(&self, x: u32, y: u32) -> bool {
        x < self.width
            && self
                .bits
                .get((y * self.width + x) as usize)
                .copied()
                .unwrap_or_default()
    }
}

impl OriginDimensions for Mask {
    fn size(&self) -> Size {
        Size::new(self.width, self.height)
    }
}

impl DrawTarget for Mask {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        for Pixel(Point { x, y }, color) in pixels {
            let inside =
                (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
            if inside && color == BinaryColor::On {
                self.bits[y as usize * self.width as usize + x as usize] = true;
            }
        }
        Ok(())
    }
}

/// Letters in their places: dots, each some pixels wide and high, cut off at the edge of the area.
pub(super) struct Letters {
    area: Area,
    times: u32,
    mask: Mask,
    /// The part of the mask that is shown.
    left: u32,
    top: u32,
}

/// Writes a text in the middle of an area, in letters so small that `longest` of them fit, enlarged so often at most.
pub(super) fn write(
    canvas: &mut Canvas,
    area: Area,
    text: &str,
    longest: u32,
    color: [u8; 4],
    most_times: u32,
) {
    if let Some(letters) = letters_enlarged(area, text, longest, most_times) {
        letters.draw(canvas, color);
    }
}

/// Writes a line from the left edge of an area; the rest of a long line is cut off.
pub(super) fn write_line(canvas: &mut Canvas, area: Area, text: &str, color: [u8; 4]) {
    let count = (area.width / LINE_LETTER.0) as usize;
    let shown: String = match text.chars().nth(count) {
        Some(_) => text
            .chars()
            .take(count.saturating_sub(2))
            .chain("..".chars())
            .take(count)
            .collect(),
        None => text.to_string(),
    };
    if !shown.is_empty() && area.height >= LINE_LETTER.1 {
        line(area.x, area.y, 1, &shown).draw(canvas, color);
    }
}

/// A text in lines of at most `letters` letters, broken between words if possible; the last of `most` lines contains
/// the rest and may be longer.
pub(super) fn rows(text: &str, letters: usize, most: usize) -> Vec<String> {
    let mut rows: Vec<String> = vec![String::new()];
    let letters = letters.max(1);
    for word in text.split(' ') {
        let count = word.chars().count();
        let last = rows.len() - 1;
        let has_room = rows[last].is_empty() || rows[last].chars().count() + 1 + count <= letters;
        if !has_room && rows.len() < most {
            rows.push(String::new());
        } else if !rows[last].is_empty() {
            rows[last].push(' ');
        }
        let mut rest: Vec<char> = word.chars().collect();
        while rest.len() > letters && rows.len() < most {
            let last = rows.len() - 1;
            rows[last].extend(rest.drain(..letters));
            rows.push(String::new());
        }
        let last = rows.len() - 1;
        rows[last].extend(rest);
    }
    rows
}

/// A text in the middle of an area, in the largest letters of which `longest` fit; what does not fit in the smallest is
/// cut off.
fn letters_enlarged(area: Area, text: &str, longest: u32, most_times: u32) -> Option<Letters> {
    let count = text.chars().count() as u32;
    let longest = longest.max(count);
    if count == 0 || area.width == 0 || area.height == 0 {
        return None;
    }
    // How often a font can be enlarged; the largest letters win, and among equal ones those that are enlarged least.
    let enlarged = |font: &Font| {
        let (width, height) = (font.letter.width * longest, font.letter.height);
        // The last column of a letter is empty.
        ((area.width + 1) / width.max(1)).min(area.height / height.max(1))
    };
    let best = FONTS
        .iter()
        .filter(|font| enlarged(font) > 0)
        .max_by_key(|font| {
            let times = enlarged(font);
            (times * font.letter.height, font.letter.height)
        });
    let font = best.copied().unwrap_or(FONTS[0]);
    let times = enlarged(&font).clamp(1, most_times);
    let fitting = ((area.width + 1) / (font.letter.width * times).max(1)).clamp(1, count);
    let shown = shortened(text, fitting as usize);
    let mask = Mask::of(&shown, (font.drawings)());
    // Only their middle part is visible.
    let columns: Vec<u32> = (0..mask.width)
        .filter(|x| (0..mask.height).any(|y| mask.is_lit(*x, y)))
        .collect();
    let rows: Vec<u32> = (0..mask.height)
        .filter(|y| (0..mask.width).any(|x| mask.is_lit(x, *y)))
        .collect();
    let (left, right, top, bottom) = (
        *columns.first()?,
        *columns.last()?,
        *rows.first()?,
        *rows.last()?,
    );
    let (width, height) = ((right - left + 1) * times, (bottom - top + 1) * times);
    let area = Area {
        x: area.x + area.width.saturating_sub(width) / 2,
        y: area.y + area.height.saturating_sub(height) / 2,
        width: width.min(area.width),
        height: height.min(area.height),
    };
    Some(Letters {
        area,
        times,
        mask,
        left,
        top,
    })
}

/// The beginning of a text in so many letters. Of the name of a turned tile the turns are kept, a sign for each, as its candidates
/// differ in nothing else: `>` for a quarter, `v` for a half, `<` for three quarters, `|` for its mirror image.
fn shortened(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_string();
    }
    let (mut tile, mut signs) = (text, String::new());
    while let Some((before, turn)) = turn_in(tile) {
        let sign = match turn {
            "90" => '>',
            "180" => 'v',
            "270" => '<',
            _ => '|',
        };
        signs.insert(0, sign);
        tile = before;
    }
    let room = letters.saturating_sub(signs.chars().count()).max(1);
    let all = tile.chars().take(room).chain(signs.chars());
    all.take(letters).collect()
}

/// The width and height of a letter in a line of text, before it is enlarged.
pub(super) const LINE_LETTER: (u32, u32) = (
    FONT_6X13.character_size.width,
    FONT_6X13.character_size.height,
);

/// A line of text, enlarged so often; lines of one height have their letters at one height, too.
pub(super) fn line(x: u32, y: u32, times: u32, text: &str) -> Letters {
    let mask = Mask::of(text, &FONT_6X13);
    let area = Area {
        x,
        y,
        width: mask.width * times,
        height: mask.height * times,
    };
    Letters {
        area,
        times,
        mask,
        left: 0,
        top: 0,
    }
}

impl Letters {
    /// Draws them over what is there.
    pub fn draw(&self, canvas: &mut Canvas, color: [u8; 4]) {
        for y in 0..self.area.height {
            for (x, pixel) in canvas
                .row_mut(
                    Area {
                        height: 1,
                        ..self.area
                    },
                    y,
                )
                .iter_mut()
                .enumerate()
            {
                if self
                    .mask
                    .is_lit(self.left + x as u32 / self.times, self.top + y / self.times)
                {
                    *pixel = blend(*pixel, color);
                }
            }
        }
    }

    /// The dots as rectangles.
    pub fn rectangles(&self) -> Vec<Area> {
        let Letters {
            area,
            times,
            mask,
            left,
            top,
        } = self;
        let lit = |x: u32, y: u32| mask.is_lit(left + x, top + y).then_some(());
        let dots = rectangles(
            area.width.div_ceil(*times),
            area.height.div_ceil(*times),
            lit,
        );
        let place = |(_, dots): ((), Area)| {
            let (x, y) = (dots.x * times, dots.y * times);
            let (width, height) = (
                (dots.width * times).min(area.width - x),
                (dots.height * times).min(area.height - y),
            );
            Area {
                x: area.x + x,
                y: area.y + y,
                width,
                height,
            }
        };
        dots.into_iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RenderOptions;

    #[test]
    fn turns_are_not_cut_off() {
        for (text, shown) in [
            ("bend", "ben"),
            ("bend@90", "be>"),
            ("bend@270@flip", "b<|"),
            ("a@180", "av"),
            ("b@c", "b@c"),
            ("abc@x", "abc"),
        ] {
            assert_eq!(shortened(text, 3), shown, "{text}");
        }
    }

    #[test]
    fn letters_are_as_large_as_fits_and_in_the_middle() {
        for (width, height, text) in [
            (16, 16, "7"),
            (16, 16, "12"),
            (48, 16, "Ada"),
            (100, 100, "M"),
            (3, 3, "toolong"),
            (200, 9, ""),
        ] {
            let mut canvas = Canvas::new(width, height, &RenderOptions::default()).unwrap();
            let area = Area {
                x: 0,
                y: 0,
                width: width as u32,
                height: height as u32,
            };
            if let Some(letters) = letters_enlarged(area, text, 0, u32::MAX) {
                letters.draw(&mut canvas, [1, 2, 3, 255]);
            }
            let lit: Vec<(u32, u32)> = (0..height as u32)
                .flat_map(|y| (0..width as u32).map(move |x| (x, y)))
                .filter(|(x, y)| canvas.pixel(*x, *y) == Some([1, 2, 3, 255]))
                .collect();
            assert_eq!(lit.is_empty(), text.is_empty(), "{text}");
            if text.len() == 1 {
                let rows = lit.iter().map(|place| place.1);
                let (top, bottom) = (rows.clone().min().unwrap(), rows.max().unwrap());
                assert!(
                    bottom - top + 1 >= height as u32 / 2,
                    "{text} from {top} to {bottom}"
                );
                assert!(
                    top.abs_diff(height as u32 - 1 - bottom) <= 1,
                    "{text} from {top} to {bottom}"
                );
            }
        }
    }
}
