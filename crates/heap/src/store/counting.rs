//! The bytes of the heap, counted anew.

use super::arena::Arena;
use super::heap::Heap;
use ndscript_base::room::row;

impl Heap {
    /// Bytes of places that new objects fill before the heap grows.
    pub fn spare(&self) -> usize {
        self.texts.spare()
            + self.buffers.spare()
            + self.floats.spare()
            + self.arrays.spare()
            + self.sets.spare()
            + self.nodes.spare()
            + self.relations.spare()
            + self.grids.spare()
            + self.objects.spare()
            + self.queues.spare()
            + self.functions.spare()
            + self.variables.spare()
            + self.boards.spare()
            + self.hosts.places.spare()
    }

    /// The bytes that the heap owns, counted again.
    pub fn exact_bytes(&self) -> usize {
        self.row_bytes() + self.owned_bytes()
    }

    /// The bytes of arenas, tables and other rows, without what objects own.
    pub(super) fn row_bytes(&self) -> usize {
        let arenas = self.texts.bytes()
            + self.buffers.bytes()
            + self.floats.bytes()
            + self.arrays.bytes()
            + self.sets.bytes()
            + self.nodes.bytes()
            + self.relations.bytes()
            + self.grids.bytes()
            + self.objects.bytes()
            + self.queues.bytes()
            + self.functions.bytes()
            + self.variables.bytes()
            + self.boards.bytes();
        let tables = self.interned.texts.bytes()
            + self.interned.floats.bytes()
            + self.interned.frozen.bytes()
            + self.interned.sets.bytes()
            + self.interned.nodes.bytes()
            + self.interned.memo.bytes();
        arenas + tables + self.hosts.row_bytes() + self.trail.bytes() + row(&self.globals)
    }

    /// The bytes that objects own.
    pub(super) fn owned_bytes(&self) -> usize {
        fn sum<T: Default>(arena: &Arena<T>, bytes: impl Fn(&T) -> usize) -> usize {
            arena.iter().map(bytes).sum()
        }
        sum(&self.texts, |text| text.bytes())
            + sum(&self.buffers, |buffer| buffer.bytes())
            + sum(&self.arrays, |array| array.slots.bytes())
            + sum(&self.sets, |set| set.bytes())
            + sum(&self.relations, |relation| relation.bytes())
            + sum(&self.grids, |grid| grid.bytes())
            + sum(&self.objects, |object| object.bytes())
            + sum(&self.queues, |queue| queue.bytes())
            + sum(&self.boards, |board| board.bytes())
            + sum(&self.functions, |closure| closure.bytes())
            + sum(&self.hosts.places, |hosted| hosted.bytes())
    }
}
