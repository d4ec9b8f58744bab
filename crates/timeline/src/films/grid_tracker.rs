//! The grid that a film or a tree shows: which one it is, and its cells as the writes left them.

use super::contents::{Contents, MOST_CANDIDATES};
use ndscript::Kind;
use ndscript::View;
use ndscript::{Event, Moment, Target};
use ndscript_base::keyed::KeyedMap;

/// Larger grids are not tracked.
const MOST_CELLS: usize = 1 << 22;

/// At most this many function variables are listed if no global holds a grid.
const MOST_OTHERS: usize = 5;

/// Which grids are tracked if none is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Only those that hold sets of candidates.
    Candidates,
    /// Those, or else any.
    Any,
}

/// The effect of a write on the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// A cell was written to, which held this before.
    Cell(u32, u32),
    /// All cells were read, perhaps those of another grid; the earlier columns and rows, and cells.
    Whole((u32, u32), Vec<u32>),
}

/// Tracks the cells of a grid.
#[derive(Clone, Debug)]
pub(crate) struct GridTracker {
    pub name: Option<String>,
    wanted: Wanted,
    /// Whether another grid may still take the place of this one, because it holds sets.
    is_provisional: bool,
    /// Whether it has, since the last call of `take_switched`.
    has_switched: bool,
    /// Which grid the variable held last.
    identity: Option<u64>,
    pub contents: Contents,
    /// The cells as the writes left them, row by row.
    pub live: Vec<u32>,
    pub size: (u32, u32),
    /// Variables of functions that held such grids.
    pub others: Vec<String>,
}

impl GridTracker {
    /// Tracks the grid in the variable of this name, or else in the first global one that is wanted.
    pub fn new(name: Option<String>, wanted: Wanted) -> GridTracker {
        let is_provisional = name.is_none();
        GridTracker {
            name,
            wanted,
            is_provisional,
            has_switched: false,
            identity: None,
            contents: Contents::new(),
            live: Vec::new(),
            size: (0, 0),
            others: Vec::new(),
        }
    }

    /// The tracked grid, if the program can name it.
    pub fn grid<'a>(&self, moment: &Moment<'a>) -> Option<View<'a>> {
        let name = self.name.as_deref()?;
        moment
            .global(name)
            .filter(is_grid)
            .or_else(|| moment.variable(name).filter(is_grid))
    }

    /// Applies a write, if it concerns the grid.
    pub fn apply(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> Option<Written> {
        let Event::Write { target, value } = event else {
            return None;
        };
        match target {
            Target::Variable(name) => {
                if !is_grid(value) || !self.is_followed(moment, name, *value) {
                    return None;
                }
                Some(self.read(*value))
            }
            Target::Part(collection, key) => {
                let (x, y) = key.as_position()?;
                if self.identity != Some(collection.identity())
                    && !self.is_tracked_now(moment, *collection, *value)
                {
                    return None;
                }
                if !self.knows(*collection) {
                    return Some(self.read(*collection));
                }
                let at = usize::try_from(y).ok()? * collection.width() + usize::try_from(x).ok()?;
                let content = self.contents.number_of(*value);
                let before = std::mem::replace(self.live.get_mut(at)?, content);
                Some(Written::Cell(at as u32, before))
            }
            Target::Whole(grid) => {
                let first = grid.cell(0, 0).filter(|_| is_grid(grid))?;
                if self.identity != Some(grid.identity())
                    && !self.is_tracked_now(moment, *grid, first)
                {
                    return None;
                }
                Some(self.read(*grid))
            }
        }
    }

    /// Whether a grid that a variable got is the one to follow from now on.
    fn is_followed(&mut self, moment: &Moment<'_>, name: &str, grid: View<'_>) -> bool {
        if !self.is_provisional {
            // A variable of a function may be called like one of the program.
            let global = moment.global(name);
            return self.name.as_deref() == Some(name)
                && global.is_none_or(|global| global.is_same(grid));
        }
        let has_candidates = has_candidates(grid);
        if !is_global(moment, name, grid) {
            if has_candidates {
                self.record_other(name);
            }
            return false;
        }
        let is_taken = has_candidates
            || self.name.as_deref() == Some(name)
            || self.name.is_none()
                && self.wanted == Wanted::Any
                && grid.cells().take(50).all(can_be_shown);
        if is_taken {
            self.switch_to(name);
            self.is_provisional = !has_candidates;
        }
        is_taken
    }

    /// Whether a grid whose cell was written to is the one to track.
    fn is_tracked_now(&mut self, moment: &Moment<'_>, grid: View<'_>, value: View<'_>) -> bool {
        if self.is_provisional && is_choice(value) {
            // A grid may get its candidates cell by cell.
            let Some(name) = moment.name_of(grid) else {
                return false;
            };
            if !is_global(moment, name, grid) {
                self.record_other(name);
                return false;
            }
            self.switch_to(name);
            self.is_provisional = false;
            return true;
        }
        self.name.is_some()
            && self
                .grid(moment)
                .is_some_and(|followed| followed.is_same(grid))
    }

    fn switch_to(&mut self, name: &str) {
        self.has_switched |= self.name.as_deref().is_some_and(|known| known != name);
        self.name = Some(name.to_string());
    }

    /// Whether it has switched to another variable since the last call.
    pub fn take_switched(&mut self) -> bool {
        std::mem::take(&mut self.has_switched)
    }

    fn record_other(&mut self, name: &str) {
        if self.others.len() < MOST_OTHERS && self.others.iter().all(|known| known != name) {
            self.others.push(name.to_string());
        }
    }

    /// Reads all cells of the grid again, if the program can name it.
    pub fn reread(&mut self, moment: &Moment<'_>) -> bool {
        if self.is_provisional && self.live.is_empty() {
            let found = moment
                .globals()
                .find(|(_, view)| is_grid(view) && has_candidates(*view));
            self.name = found
                .map(|(name, _)| name.to_string())
                .or_else(|| self.name.take());
        }
        let grid = self.grid(moment);
        grid.map(|grid| self.read(grid)).is_some()
    }

    /// The present content of a cell.
    pub fn cell(&mut self, grid: View<'_>, at: u32) -> Option<u32> {
        let (x, y) = (at % self.size.0.max(1), at / self.size.0.max(1));
        Some(self.contents.number_of(grid.cell(x as usize, y as usize)?))
    }

    /// The variable may now hold another grid than the one whose cells are known.
    pub fn reset_identity(&mut self) {
        self.identity = None;
    }

    /// Whether a grid is the one whose cells are known.
    pub fn knows(&self, grid: View<'_>) -> bool {
        self.identity == Some(grid.identity())
            && self.size == (grid.width() as u32, grid.height() as u32)
    }

    pub fn read(&mut self, grid: View<'_>) -> Written {
        self.identity = Some(grid.identity());
        let size = std::mem::replace(&mut self.size, (grid.width() as u32, grid.height() as u32));
        let live = std::mem::replace(&mut self.live, Vec::with_capacity(grid.len()));
        // Equal sets lie at one place, so each is read once.
        let mut known: KeyedMap<u64, u32> = KeyedMap::default();
        for cell in grid.cells() {
            let contents = &mut self.contents;
            let number = *known
                .entry(cell.identity())
                .or_insert_with(|| contents.number_of(cell));
            self.live.push(number);
        }
        Written::Whole(size, live)
    }
}

fn is_global(moment: &Moment<'_>, name: &str, grid: View<'_>) -> bool {
    moment
        .global(name)
        .is_some_and(|global| global.is_same(grid))
}

fn is_grid(view: &View<'_>) -> bool {
    view.kind() == Kind::Grid && (1..=MOST_CELLS).contains(&view.len())
}

/// Whether a search may be about a cell that holds this.
fn is_choice(cell: View<'_>) -> bool {
    cell.kind() == Kind::Set
        && (2..MOST_CANDIDATES).contains(&cell.len())
        && cell.elements().take(50).all(is_plain)
}

fn has_candidates(grid: View<'_>) -> bool {
    grid.cells().any(is_choice)
}

fn can_be_shown(cell: View<'_>) -> bool {
    cell.is_null() || cell.kind() == Kind::Set || is_plain(cell)
}

/// Whether a value can stand in a cell.
fn is_plain(value: View<'_>) -> bool {
    value.as_str().is_some()
        || value.as_f64().is_some()
        || value.as_bool().is_some()
        || value.is_null()
        || value.as_position().is_some()
}
