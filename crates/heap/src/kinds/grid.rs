//! Grids: rectangles of cells that know which of their cells are undecided.

use super::array::{Array, Role, UndecidedView};
use super::undecided::Undecided;
use crate::store::heap::Heap;
use crate::store::slots::{Logged, Slots, Undo};
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};
use ndscript_base::budget::Budget;
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

impl Heap {
    /// A new grid, with its cells row by row.
    pub fn grid(&mut self, width: u32, height: u32, cells: Vec<Value>) -> Value {
        self.allocated(room::row(&cells));
        let sequence = self.next_sequence();
        let slots = Slots::new(cells, self.serial);
        let grid = Grid {
            slots,
            width,
            height,
            sequence,
            board: 0,
            undecided: None,
        };
        Value::handle(Kind::Grid, self.grids.add(grid, &mut self.bytes))
    }

    /// Appends a cell to a grid that is being built, and has capacity for it.
    pub(crate) fn push_cell(&mut self, grid: Handle, value: Value) {
        self.grids[grid].slots.values_mut_unlogged().push(value);
    }

    /// Whether a cell that holds this value is undecided: a set with not exactly one element.
    #[inline]
    pub fn is_undecided(&self, value: Value) -> bool {
        value
            .handle_of(Kind::Set)
            .is_some_and(|set| self.sets[set].len() != 1)
    }

    /// Writes a cell that exists.
    #[inline]
    pub fn set_cell(&mut self, grid: Handle, cell: usize, value: Value) {
        let undecided = self.is_undecided(value);
        let top = self.top;
        let target = &mut self.grids[grid];
        let undo = target.slots.set(cell, value, top);
        let changed = match &mut target.undecided {
            Some(index) if index.now.contains(cell) != undecided => {
                index.now.toggle(cell);
                index.viewed
            }
            _ => false,
        };
        if let Some(undo) = undo {
            self.bytes += self.grids[grid].slots.take_bytes_to_account();
            self.log(Entry::of_slots(Target::Grid, Target::Grid, grid, undo));
        }
        if changed {
            self.remember_change(grid, cell);
        }
    }

    /// Writes the cell at a position, if it exists and if logging needs no large allocation; false if not,
    /// and nothing has changed.
    #[inline(never)]
    pub fn write_cell(&mut self, grid: Handle, x: i64, y: i64, value: Value) -> bool {
        let target = &self.grids[grid];
        match target.cell(x, y) {
            Some(cell) if target.board == 0 && target.slots.bytes_to_log(self.top) == 0 => {
                self.set_cell(grid, cell, value);
                true
            }
            _ => false,
        }
    }

    /// Adds a cell to the history of changes by which views find the undecided cells of earlier moments.
    fn remember_change(&mut self, grid: Handle, cell: usize) {
        let top = self.top;
        let target = &mut self.grids[grid];
        let cells = target.slots.len();
        let Some(index) = &mut target.undecided else {
            return;
        };
        let (length, stamp, looked_at) = (
            index.history.len() as u32,
            index.stamp,
            index.looked_at as usize,
        );
        let added = room::grow(&mut index.history, 1);
        index.stamp = index.stamp.max(top);
        index.history.push(cell as u32);
        if stamp < top {
            self.log(Entry::new(
                Target::GridHistory,
                grid,
                length,
                Value::NULL,
                stamp,
            ));
        }
        let is_long = length as usize > (2 * cells + 1024).max(looked_at);
        if added > 0 {
            self.allocated(added);
        }
        if is_long {
            self.shorten_history(grid);
        }
    }

    /// Writes out the views of a grid if that takes no more memory than its history, which is then dropped. Otherwise
    /// the history may grow to twice its length: written out, many views would take more memory.
    fn shorten_history(&mut self, grid: Handle) {
        let views = self
            .arrays
            .iter()
            .filter_map(|array| array.view())
            .filter(|view| view.grid == grid);
        let written: usize = views.map(|view| view.length as usize * 8).sum();
        self.record_work(self.arrays.places() / 8 + 1);
        let Some(index) = &mut self.grids[grid].undecided else {
            return;
        };
        if written <= index.history.capacity() * 4 + 4096 {
            index.looked_at = 0;
            self.write_out_views_of(grid);
        } else {
            index.looked_at = (index.history.len() as u32).saturating_mul(2);
        }
    }

    /// Restores a cell from an undo.
    pub(crate) fn restore_cell(&mut self, grid: Handle, cell: usize, undo: Undo) {
        self.grids[grid].slots.restore(undo);
        let undecided = self.grids[grid]
            .slots
            .get(cell)
            .is_some_and(|value| self.is_undecided(value));
        if let Some(index) = &mut self.grids[grid].undecided
            && index.now.contains(cell) != undecided
        {
            index.now.toggle(cell);
        }
        if self.grids[grid].board != 0 {
            self.follow_place(Value::handle(Kind::Grid, grid), cell);
        }
    }

    /// Continues the index of the undecided cells; true when there is one. It costs the size of the grid once.
    pub fn index_undecided(&mut self, grid: Handle, budget: &mut Budget) -> bool {
        let count = self.grids[grid].slots.len();
        if self.grids[grid].undecided.is_none() {
            let now = Undecided::new(count, |_| false);
            budget.spend(count / 64);
            self.allocated(now.bytes() + block(size_of::<UndecidedIndex>()));
            self.grids[grid].undecided = Some(Box::new(UndecidedIndex {
                now,
                ..UndecidedIndex::default()
            }));
        }
        let is_undecided = |heap: &Heap, cell: usize| {
            heap.grids[grid]
                .slots
                .get(cell)
                .is_some_and(|value| heap.is_undecided(value))
        };
        let Some(mut index) = self.grids[grid].undecided.take() else {
            return false;
        };
        let begun_at = index.built;
        while index.built < count && !budget.is_spent() {
            let most = budget
                .room_for(2)
                .min(64 - index.built % 64)
                .min(count - index.built);
            budget.spend(2 * most);
            let mut word = 0;
            for at in 0..most {
                word |= u64::from(is_undecided(self, index.built + at)) << at;
            }
            index.now.set_uncounted(index.built, most, word);
            index.built += most;
        }
        if index.built > begun_at {
            index.now.recount();
        }
        let is_built = index.built == count;
        self.grids[grid].undecided = Some(index);
        is_built
    }

    /// The positions of the undecided cells, row by row, once they have an index: a view of the grid at its present
    /// version.
    pub fn undecided_positions(&mut self, grid: Handle) -> Value {
        let Some(index) = &mut self.grids[grid].undecided else {
            return Value::NULL;
        };
        index.viewed = true;
        self.has_views = true;
        self.latest_view = self.serial;
        let view = UndecidedView {
            grid,
            version: index.history.len() as u32,
            length: index.now.len() as u32,
        };
        let slots = Slots::new(Vec::new(), self.serial);
        let array = self.arrays.add(
            Array {
                slots,
                role: Role::View(view),
            },
            &mut self.bytes,
        );
        Value::handle(Kind::Array, array)
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

impl Heap {
    /// Empties views whose version no longer exists. A failed branch has left them in registers that are written
    /// before they are read again, and a reader of saved runs would take them for forgeries.
    pub fn discard_lost_moments(&mut self) {
        let of = |array: Handle| {
            self.arrays[array]
                .view()
                .map(|view| (view.grid, view.version, view.length, array))
        };
        let mut views: Vec<_> = self.arrays.handles().filter_map(of).collect();
        views.sort_unstable_by(|a, b| b.cmp(a));
        let mut lost = Vec::new();
        for views in views.chunk_by(|a, b| a.0 == b.0) {
            let Some(index) = &self.grids[views[0].0].undecided else {
                continue;
            };
            let mut earlier = index.now.clone();
            let mut at = index.history.len();
            for (_, version, length, array) in views {
                let is_in_history = *version as usize <= index.history.len();
                while is_in_history && at > *version as usize {
                    at -= 1;
                    earlier.toggle(index.history[at] as usize);
                }
                if !is_in_history || earlier.len() != *length as usize {
                    lost.push(*array);
                }
            }
        }
        for array in lost {
            self.arrays[array].role = Role::None;
        }
    }

    /// Checks a grid that was read back, and rebuilds its index. `views` are those of arrays: the length of the
    /// history, and the number of undecided cells.
    pub(crate) fn mend_grid(
        &mut self,
        grid: Handle,
        mut views: Vec<(u32, u32)>,
    ) -> Result<(), ndscript_base::codec::Unsound> {
        use ndscript_base::codec::ensure;
        let target = &self.grids[grid];
        let cells = target.slots.values();
        let fits = target.width as u64 * target.height as u64 == cells.len() as u64;
        ensure(
            fits && target.width > 0 || cells.is_empty(),
            "a grid has not as many cells as it should",
        )?;
        let target_cells = cells.len();
        let now = Undecided::new(cells.len(), |cell| self.is_undecided(cells[cell]));
        let Some(index) = &target.undecided else {
            return ensure(views.is_empty(), "an array looks at an unwatched grid");
        };
        ensure(
            index
                .history
                .iter()
                .all(|cell| (*cell as usize) < cells.len()),
            "a change of no cell of a grid",
        )?;
        views.sort_unstable_by(|a, b| b.cmp(a));
        let mut earlier = now.clone();
        let mut at = index.history.len();
        for (version, length) in views {
            while at > version as usize {
                at -= 1;
                earlier.toggle(index.history[at] as usize);
            }
            ensure(
                earlier.len() == length as usize,
                "an array does not know how many cells were undecided",
            )?;
        }
        if let Some(index) = &mut self.grids[grid].undecided {
            index.built = target_cells;
            index.now = now;
        }
        Ok(())
    }
}
