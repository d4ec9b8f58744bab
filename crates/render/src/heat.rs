//! Heat maps: numbers as colors.

use super::canvas::{Area, Canvas};
use super::{RenderError, RenderOptions, tile};
use ndscript_base::picture::{HeatCell, HeatMap};
use ndscript_base::tiles::Tiles;

/// The color of a blank cell, and behind tiles that are not opaque.
const BLANK: [u8; 4] = [38, 38, 42, 255];

/// From dark violet over blue and green to yellow. Equal steps of the number look like equal steps of the color, also
/// in gray and to people who see fewer colors (after matplotlib's "viridis").
const RAMP: [[u8; 3]; 17] = [
    [68, 1, 84],
    [72, 21, 104],
    [71, 40, 121],
    [67, 58, 131],
    [61, 74, 137],
    [53, 90, 140],
    [46, 105, 142],
    [40, 119, 142],
    [35, 133, 141],
    [31, 148, 139],
    [33, 162, 134],
    [50, 177, 124],
    [79, 191, 107],
    [117, 204, 83],
    [160, 215, 56],
    [206, 224, 30],
    [253, 231, 37],
];

/// Draws a heat map; the smallest number is the darkest, the largest the brightest.
pub(super) fn draw(
    map: &HeatMap,
    tiles: &Tiles,
    options: &RenderOptions,
) -> Result<Canvas, RenderError> {
    let found = tile::resolve_all(&map.names, tiles, options)?;
    let (cell_width, cell_height) = tile::cell_size(&found, options);
    let mut canvas = Canvas::for_cells(map.width, map.height, (cell_width, cell_height), options)?;
    let bitmaps = tile::decode_all(&found)?;
    let scale = Scale::of(map);
    let places = (0..map.height).flat_map(|y| (0..map.width).map(move |x| (x, y)));
    for (cell, (x, y)) in map.cells.iter().zip(places) {
        let area = Area {
            x: x * cell_width,
            y: y * cell_height,
            width: cell_width,
            height: cell_height,
        };
        canvas.fill(area, scale.under(cell));
        if let HeatCell::Tile(index) = *cell
            && let Some(bitmap) = bitmaps.get(index as usize)
        {
            bitmap.draw_over(&mut canvas, area);
        }
    }
    Ok(canvas)
}

/// The smallest and the largest number of a map.
pub(super) struct Scale {
    least: f64,
    greatest: f64,
}

impl Scale {
    pub fn of(map: &HeatMap) -> Scale {
        let numbers = || {
            map.cells.iter().filter_map(|cell| match cell {
                HeatCell::Number(value) if value.is_finite() => Some(*value),
                _ => None,
            })
        };
        let least = numbers().fold(f64::INFINITY, f64::min);
        Scale {
            least,
            greatest: numbers().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// The color of a cell, beneath its tile if it has one.
    pub fn under(&self, cell: &HeatCell) -> [u8; 4] {
        match *cell {
            HeatCell::Number(value) if value.is_finite() => color(value, self.least, self.greatest),
            HeatCell::Number(_) | HeatCell::Blank | HeatCell::Tile(_) => BLANK,
        }
    }
}

/// The color of a value between the least and the greatest one.
fn color(value: f64, least: f64, greatest: f64) -> [u8; 4] {
    // Halves, because the difference of two large numbers can pass what a float holds.
    let span = greatest / 2.0 - least / 2.0;
    let part = if span > 0.0 {
        ((value / 2.0 - least / 2.0) / span).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let place = part * (RAMP.len() - 1) as f64;
    let below = (place as usize).min(RAMP.len() - 2);
    let rest = place - below as f64;
    let mix = |at: usize| {
        let (low, high) = (f64::from(RAMP[below][at]), f64::from(RAMP[below + 1][at]));
        (low + (high - low) * rest + 0.5) as u8
    };
    [mix(0), mix(1), mix(2), 255]
}
