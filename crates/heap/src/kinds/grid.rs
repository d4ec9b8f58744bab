//! Grids: rectangles of cells that know which of their cells are undecided.

mod in_heap;

use super::undecided::Undecided;
use crate::store::slots::{Logged, Slots};
use crate::value::Value;
use ndscript_base::room::{self, block};

/// A grid. Its cells are stored row by row.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    pub slots: Slots,
    pub width: u32,
    pub height: u32,
    /// Its place in the order of creation.
    pub sequence: u64,
    /// The board's handle plus 1, or 0 if it never had constraints.
    pub board: u32,
    undecided: Option<Box<UndecidedIndex>>,
}

/// The cells that are undecided now, and the changes since the oldest view.
#[derive(Clone, Debug, Default)]
struct UndecidedIndex {
    now: Undecided,
    /// How many cells were entered; the index is usable when these are all.
    built: usize,
    /// The cells that became decided or undecided, in order. Recorded only while there may be a view of an earlier
    /// version.
    history: Vec<u32>,
    /// The serial under which the length of the history was last logged.
    stamp: u64,
    viewed: bool,
    /// The length of the history at which it is checked next.
    looked_at: u32,
}

/// Undecided cells at one version; nearby versions are computed from it.
#[derive(Debug, Default)]
pub struct UndecidedSnapshot {
    history_length: usize,
    cells: Undecided,
}

impl Grid {
    /// The number of the cell at a position.
    #[inline]
    pub fn cell(&self, x: i64, y: i64) -> Option<usize> {
        (x >= 0 && y >= 0 && x < self.width as i64 && y < self.height as i64)
            .then(|| y as usize * self.width as usize + x as usize)
    }

    /// The position of a cell.
    #[inline]
    pub fn position_of(&self, cell: usize) -> Option<Value> {
        let width = self.width as usize;
        Value::position((cell % width) as i64, (cell / width) as i64)
    }

    /// The cells, if writing them takes no more than logging.
    #[inline(always)]
    pub(crate) fn plain_cells(&mut self, top: u64) -> Option<Logged<'_>> {
        if self.undecided.is_none() {
            self.slots.logged(top)
        } else {
            None
        }
    }

    /// The k-th undecided cell of a version, if it is the present one.
    #[inline]
    pub fn undecided_now(&self, version: u32, k: usize) -> Option<usize> {
        let index = self.undecided.as_ref()?;
        if index.history.len() == version as usize {
            index.now.select(k)
        } else {
            None
        }
    }

    /// The undecided cells of a version, ascending.
    pub fn undecided_then(&self, version: u32) -> Vec<usize> {
        let Some(index) = &self.undecided else {
            return Vec::new();
        };
        if index.history.len() == version as usize {
            return index.now.list();
        }
        let mut earlier = index.now.clone();
        // An unreachable view from a failed branch may be newer than the history.
        for cell in index.history.get(version as usize..).unwrap_or_default() {
            earlier.toggle(*cell as usize);
        }
        earlier.list()
    }

    /// Changes a snapshot, if there is one, to another version; starts from the present version if that is closer.
    /// Returns how many changes lie between.
    pub fn go_to_moment(&self, from: &mut Option<UndecidedSnapshot>, version: u32) -> usize {
        let Some(index) = &self.undecided else {
            return 0;
        };
        let now = index.history.len();
        let version = (version as usize).min(now);
        let is_near =
            |from: &UndecidedSnapshot| from.history_length.abs_diff(version) <= now - version;
        let from = match from {
            Some(near) if is_near(near) => near,
            _ => from.insert(UndecidedSnapshot {
                history_length: now,
                cells: index.now.clone(),
            }),
        };
        let between = from.history_length.min(version)..from.history_length.max(version);
        index.history[between.clone()]
            .iter()
            .for_each(|cell| from.cells.toggle(*cell as usize));
        from.history_length = version;
        between.len()
    }

    /// The positions of the undecided cells of a snapshot, in order.
    pub fn positions_at(&self, moment: &UndecidedSnapshot) -> Vec<Value> {
        moment
            .cells
            .list()
            .into_iter()
            .filter_map(|cell| self.position_of(cell))
            .collect()
    }

    /// Computes the undecided cells of several versions, the latest first, in one walk back through the history.
    pub fn undecided_at_moments(
        &self,
        versions: impl Iterator<Item = u32>,
        mut each: impl FnMut(&mut dyn Iterator<Item = Value>),
    ) {
        let Some(index) = &self.undecided else { return };
        let (mut undecided, mut at) = (index.now.clone(), index.history.len());
        for version in versions {
            // One that is newer than the history is an unreachable view from a failed branch.
            let version = (version as usize).min(at);
            index.history[version..at]
                .iter()
                .for_each(|cell| undecided.toggle(*cell as usize));
            at = version;
            each(
                &mut undecided
                    .list()
                    .into_iter()
                    .filter_map(|cell| self.position_of(cell)),
            );
        }
    }

    /// How many changes the history has since a version.
    pub fn changes_since(&self, version: u32) -> usize {
        self.undecided.as_ref().map_or(0, |index| {
            index.history.len().saturating_sub(version as usize)
        })
    }

    /// The undecided cells by the index, if there is one.
    #[cfg(debug_assertions)]
    pub fn undecided_cells(&self) -> Option<Vec<usize>> {
        let built = self
            .undecided
            .as_ref()
            .filter(|index| index.built == self.slots.len());
        built.map(|index| index.now.iter().collect())
    }

    /// Truncates the history to an earlier length, for an undo.
    pub fn restore_history(&mut self, length: usize, stamp: u64) {
        if let Some(index) = &mut self.undecided {
            index.history.truncate(length);
            index.stamp = stamp;
        }
    }

    /// Drops the history; the caller has checked that no view needs it.
    pub fn discard_history(&mut self) {
        if let Some(index) = &mut self.undecided {
            index.history.clear();
            index.viewed = false;
        }
    }

    /// The bytes that the grid owns.
    pub fn bytes(&self) -> usize {
        let index = |index: &UndecidedIndex| {
            block(size_of::<UndecidedIndex>()) + index.now.bytes() + room::row(&index.history)
        };
        self.slots.bytes() + self.undecided.as_deref().map_or(0, index)
    }
}

ndscript_base::saved!(struct Grid { slots, width, height, sequence, board, undecided });

impl ndscript_base::codec::Saved for UndecidedIndex {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let UndecidedIndex {
            now: _,
            built: _,
            history,
            stamp,
            viewed,
            looked_at: _,
        } = self;
        history.save(out);
        stamp.save(out);
        viewed.save(out);
    }

    /// The undecided cells are computed when all values are read.
    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<UndecidedIndex, ndscript_base::codec::Unsound> {
        let (history, stamp, viewed) = (Vec::load(from)?, u64::load(from)?, bool::load(from)?);
        Ok(UndecidedIndex {
            now: Undecided::default(),
            built: 0,
            history,
            stamp,
            viewed,
            looked_at: 0,
        })
    }
}
