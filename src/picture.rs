//! What the picture built-ins put into a solution: descriptions, drawn only when somebody asks for pixels.

use std::sync::Arc;

/// A picture of a solution. The `render` feature turns it into pixels.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// One image, as printed by `printImage`.
    Image(Arc<str>),
    /// A map of cells, row by row.
    Tiles(TileMap),
    /// Numbers as colours, row by row; `None` is a blank cell.
    Heat(HeatMap),
}

/// A rectangle of cells, `cells.len() == width * height`, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct TileMap {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The names that cells refer to by index, each once.
    pub names: Vec<Arc<str>>,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The lists of names that [`Cell::Candidates`] refers to by index, each once.
    pub candidates: Vec<Vec<u32>>,
}

/// What a cell of a tile map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// One tile, drawn over the whole cell.
    Tile(u32),
    /// Several tiles, drawn small beside one another.
    Candidates(u32),
    /// A contradiction: drawn as a cross.
    Empty,
}

/// A rectangle of numbers, `values.len() == width * height`, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The numbers, row by row.
    pub values: Vec<Option<f64>>,
}

impl Picture {
    /// The bytes that the description takes.
    pub fn bytes(&self) -> usize {
        size_of::<Picture>()
            + match self {
                Picture::Image(name) => name.len(),
                Picture::Tiles(map) => {
                    map.cells.capacity() * size_of::<Cell>()
                        + map.names.iter().map(|name| 16 + name.len()).sum::<usize>()
                        + map.candidates.iter().map(|list| 24 + list.capacity() * 4).sum::<usize>()
                }
                Picture::Heat(map) => map.values.capacity() * size_of::<Option<f64>>(),
            }
    }
}
