//! Tiles as the machine sees them.

use std::sync::Arc;

use ndscript_base::tiles::{MAX_NAME_BYTES, Tiles, label_name, square_name, squares_in};
use ndscript_machine::natives::context::TileAccess;

/// The tiles of an engine, for the machine.
pub(crate) struct EngineTiles(pub Tiles);

impl TileAccess for EngineTiles {
    fn full_name(&self, name: &str, folders: &Arc<[Arc<str>]>) -> Result<Arc<str>, String> {
        self.0.full_name(name, folders)
    }

    fn label_name(
        &self,
        text: &str,
        look: [Option<&str>; 3],
        folders: &Arc<[Arc<str>]>,
    ) -> Result<Arc<str>, String> {
        self.0.full_name(&label_name(text, look)?, folders)
    }

    fn longest_name(&self) -> usize {
        MAX_NAME_BYTES
    }

    fn size(&self, name: &str) -> Result<(u32, u32), String> {
        self.0.resolve(name).map(|tile| tile.size())
    }

    #[cfg(feature = "render")]
    fn pixels(&self, name: &str) -> Result<Vec<[u8; 4]>, String> {
        ndscript_render::pixels_of(&self.0.resolve(name)?).map_err(|why| why.to_string())
    }

    /// Without a decoder flat tiles are the only ones whose pixels are known.
    #[cfg(not(feature = "render"))]
    fn pixels(&self, name: &str) -> Result<Vec<[u8; 4]>, String> {
        let tile = self.0.resolve(name)?;
        let (width, height) = tile.size();
        match tile {
            ndscript_base::tiles::Tile::Color(color) => {
                Ok(vec![color; width as usize * height as usize])
            }
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
