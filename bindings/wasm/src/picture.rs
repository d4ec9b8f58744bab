//! Pictures: descriptions, drawn when somebody asks for pixels.

use std::sync::Arc;

use ndscript::picture::{Cell, Picture as Described};
use ndscript::tiles::Tiles;
use ndscript_render::{Canvas, RenderOptions, draw_svg, draw_to_fit};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::object::array;

/// The most pixels of a picture: a page draws it at once.
const MOST_PIXELS: u64 = 1 << 24;

/// A picture that a program has printed.
#[wasm_bindgen]
pub struct Picture {
    described: Arc<Described>,
    tiles: Tiles,
}

impl Picture {
    pub(crate) fn new(described: Arc<Described>, tiles: Tiles) -> Picture {
        Picture { described, tiles }
    }

    fn draw(&self, tile_size: Option<u32>) -> Result<Canvas, JsError> {
        let options = RenderOptions {
            tile_size,
            max_pixels: MOST_PIXELS,
        };
        let drawn = draw_to_fit(&self.described, &self.tiles, &options);
        drawn
            .map(|(canvas, _)| canvas)
            .map_err(|why| JsError::new(&format!("cannot draw a picture: {why}")))
    }
}

#[wasm_bindgen]
impl Picture {
    /// The picture as the bytes of a PNG file. `tileSize` is the width and height of a cell in pixels; without it the
    /// tiles of the map decide. Throws if there is no such tile, or if the picture is too large at a pixel a cell.
    pub fn png(
        &self,
        #[wasm_bindgen(js_name = "tileSize")] tile_size: Option<u32>,
    ) -> Result<Vec<u8>, JsError> {
        Ok(self.draw(tile_size)?.to_png())
    }

    /// The picture as an SVG file. Throws as [`png`](Picture::png) does.
    pub fn svg(&self) -> Result<String, JsError> {
        let options = RenderOptions {
            max_pixels: MOST_PIXELS,
            ..RenderOptions::default()
        };
        draw_svg(&self.described, &self.tiles, &options)
            .map_err(|why| JsError::new(&format!("cannot draw a picture: {why}")))
    }

    /// How many cells are beside each other.
    #[wasm_bindgen(getter)]
    pub fn columns(&self) -> u32 {
        self.described.size().0
    }

    /// How many cells are above each other.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> u32 {
        self.described.size().1
    }

    /// The names of the tiles of a map, row by row, for each of its layers; `null` where there is none, or several. No layers if it
    /// is no map of tiles.
    #[wasm_bindgen(unchecked_return_type = "(string | null)[][]")]
    pub fn layers(&self) -> JsValue {
        let maps = match &*self.described {
            Described::Tiles(map) => std::slice::from_ref(map),
            Described::Layers(maps) => maps,
            _ => &[],
        };
        array(maps.iter().map(|map| {
            array(map.cells.iter().map(|cell| match cell {
                Cell::Tile(name) => JsValue::from(&*map.names[*name as usize]),
                _ => JsValue::NULL,
            }))
        }))
    }

    /// What the picture shows, for those who cannot see it.
    #[wasm_bindgen(getter, js_name = "inWords")]
    pub fn in_words(&self) -> String {
        self.described.in_words()
    }
}
