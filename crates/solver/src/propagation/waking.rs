//! When constraints have something to look at, and cells that wait for them.

use crate::Constraint;

/// When a constraint has something to look at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Waking {
    /// How many places have to lose something before that, if it is more than one. A failure gives places something back, so that
    /// it is at least as many then.
    pub slack: u32,
    /// Its queue, and whether it waits there.
    pub rank: u8,
    pub is_queued: bool,
    /// Whether it wants to know which cells have changed.
    pub wants_cells: bool,
    /// Whether it reads a place twice, so that its own removals may concern it.
    pub rereads: bool,
    /// Whether it depends only on the least and the largest candidate of a place.
    pub by_ends: bool,
    /// Whether another one knows all that it knows.
    pub is_superseded: bool,
}

impl Waking {
    pub fn of(constraint: &Constraint, is_queued: bool, slack: u32) -> Waking {
        Waking {
            slack,
            rank: constraint.rank() as u8,
            is_queued,
            wants_cells: constraint.looks_at_changes(),
            rereads: constraint.reads_twice(),
            by_ends: constraint.looks_at_ends(),
            is_superseded: false,
        }
    }
}

/// Cells that wait, the latest last, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    pub cells: Vec<u32>,
    pub is_in: Vec<bool>,
}

impl Pending {
    /// All cells.
    pub fn all(count: usize) -> Pending {
        Pending {
            cells: (0..count as u32).collect(),
            is_in: vec![true; count],
        }
    }

    pub fn push(&mut self, cell: usize) {
        if let Some(is_in) = self.is_in.get_mut(cell)
            && !std::mem::replace(is_in, true)
        {
            self.cells.push(cell as u32);
        }
    }

    pub fn pop(&mut self) -> Option<u32> {
        let cell = self.cells.pop()?;
        self.is_in[cell as usize] = false;
        Some(cell)
    }
}
