//! The places of an `allDifferent`, and what their values stand for.

use super::Board;

/// The places of an `allDifferent`, and with offsets what their values stand for.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub places: &'a [u32],
    /// With offsets: the symbols of the values in the window of each place, a place after another, and where they begin.
    pub symbols: &'a [u32],
    pub starts: &'a [u32],
}

impl Places<'_> {
    pub fn symbol(&self, at: usize, first: usize, value: usize) -> u32 {
        match self.starts.get(at) {
            None => value as u32,
            Some(start) => self.symbols.get(*start as usize + value - first * 64).copied().unwrap_or(0),
        }
    }

    /// Numbers of symbols are below this.
    pub fn symbol_count(&self, board: &Board) -> usize {
        if self.starts.is_empty() { board.universe().len() } else { self.symbols.len() }
    }
}
