//! Tiles as the machine sees them.

use std::sync::Arc;

use crate::tiles::{MAX_NAME_BYTES, Tiles, label_name, square_name, squares_in};
use crate::vm::context::TileAccess;

impl TileAccess for Tiles {
    fn full_name(&self, name: &str, folders: &Arc<[Arc<str>]>) -> Result<Arc<str>, String> {
        Tiles::full_name(self, name, folders)
    }

    fn label_name(
        &self,
        text: &str,
        look: [Option<&str>; 3],
        folders: &Arc<[Arc<str>]>,
    ) -> Result<Arc<str>, String> {
        Tiles::full_name(self, &label_name(text, look)?, folders)
    }

    fn longest_name(&self) -> usize {
        MAX_NAME_BYTES
    }

    fn size(&self, name: &str) -> Result<(u32, u32), String> {
        self.resolve(name).map(|tile| tile.size())
    }

    #[cfg(feature = "render")]
    fn pixels(&self, name: &str) -> Result<Vec<[u8; 4]>, String> {
        crate::render::pixels_of(&self.resolve(name)?).map_err(|why| why.to_string())
    }

    /// Without a decoder flat tiles are the only ones whose pixels are known.
    #[cfg(not(feature = "render"))]
    fn pixels(&self, name: &str) -> Result<Vec<[u8; 4]>, String> {
        let tile = self.resolve(name)?;
        let (width, height) = tile.size();
        match tile {
            crate::tiles::Tile::Color(color) => Ok(vec![color; width as usize * height as usize]),
            _ => Err(format!(
                "the pixels of {name:?} cannot be read: this host was built without pictures"
            )),
        }
    }

    fn squares(&self, name: &str, size: u32) -> Result<(u32, u32), String> {
        squares_in(name, TileAccess::size(self, name)?, size)
    }

    fn square_name(&self, name: &str, size: u32, column: u32, row: u32) -> String {
        square_name(name, size, column, row)
    }
}
