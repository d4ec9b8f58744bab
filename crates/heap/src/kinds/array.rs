//! Arrays: rows of values. The list of a grid's undecided positions is an array, too, which only stores the grid and
//! the version until more than its size is read.

mod in_heap;

use crate::hashes::Hashes;
use crate::store::slots::Slots;
use crate::value::{Handle, Value};

/// An array.
#[derive(Clone, Debug, Default)]
pub struct Array {
    pub slots: Slots,
    pub role: Role,
}

/// The role of an array apart from being a row of values. It has at most one of these, so that they share their memory.
#[derive(Clone, Copy, Debug, Default)]
pub enum Role {
    #[default]
    None,
    /// The content of a set: interned, and immutable. The hashes of its elements.
    Frozen(Hashes),
    /// A container with constraints, now or before: the board's handle plus 1.
    Board(u32),
    /// The view that defines the elements, as long as they are not written out in the slots.
    View(UndecidedView),
}

/// The undecided positions of a grid at a moment.
#[derive(Clone, Copy, Debug)]
pub struct UndecidedView {
    pub grid: Handle,
    /// The length of the grid's history at that moment.
    pub version: u32,
    /// The number of positions.
    pub length: u32,
}

impl Array {
    /// Whether it is the content of a set.
    #[inline(always)]
    pub fn is_frozen(&self) -> bool {
        matches!(self.role, Role::Frozen(_))
    }

    /// The hashes of its elements, if it is frozen.
    #[inline]
    pub fn hash(&self) -> Hashes {
        if let Role::Frozen(hashes) = self.role {
            hashes
        } else {
            Hashes::default()
        }
    }

    /// The board's handle plus 1, or 0 if it never had constraints.
    #[inline(always)]
    pub fn board(&self) -> u32 {
        if let Role::Board(board) = self.role {
            board
        } else {
            0
        }
    }

    /// The view that defines the elements, as long as they are not written out.
    #[inline(always)]
    pub fn view(&self) -> Option<UndecidedView> {
        if let Role::View(view) = self.role {
            Some(view)
        } else {
            None
        }
    }

    /// Whether its elements are written out and may be written: it is in no set and under no constraint.
    #[inline(always)]
    fn is_open(&self) -> bool {
        matches!(self.role, Role::None)
    }

    /// The hash by which a frozen one is interned.
    #[inline]
    pub(crate) fn table_hash(&self) -> u64 {
        self.hash().in_table()
    }

    /// Whether the element at an index exists and may be written.
    #[inline]
    pub fn is_writable_at(&self, index: i64) -> bool {
        self.is_open() && index >= 0 && (index as usize) < self.slots.len()
    }

    /// The place of an element that can be written directly: not frozen, no board, and nothing to log.
    #[inline(always)]
    pub fn fresh_place(&mut self, index: usize, top: u64) -> Option<&mut Value> {
        if !self.is_open() || !self.slots.is_fresh(top) {
            return None;
        }
        self.slots.values_mut_unlogged().get_mut(index)
    }
}

impl ndscript_base::codec::Saved for Array {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Array { slots, role: _ } = self;
        slots.save(out);
        self.is_frozen().save(out);
        self.board().save(out);
        self.hash().content.save(out);
        self.view().save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Array, ndscript_base::codec::Unsound> {
        let (slots, frozen, board) = (Slots::load(from)?, bool::load(from)?, u32::load(from)?);
        // The hash for tables differs in each process.
        let hash = Hashes::new(u32::load(from)?, 0);
        let role = match (frozen, board, Option::load(from)?) {
            (false, 0, None) => Role::None,
            (true, 0, None) => Role::Frozen(hash),
            (false, board, None) => Role::Board(board),
            (false, 0, Some(view)) => Role::View(view),
            _ => {
                return Err(ndscript_base::codec::Unsound::Wrong(
                    "an array is two things at once",
                ));
            }
        };
        Ok(Array { slots, role })
    }
}

ndscript_base::saved!(struct UndecidedView { grid, version, length });

#[cfg(test)]
mod tests {
    #[test]
    fn an_array_is_56_bytes() {
        assert_eq!(size_of::<super::Array>(), 56);
    }
}
