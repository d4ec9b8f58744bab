//! Passes over the arenas, which free what has no mark.

use crate::store::arena::Arena;
use crate::store::handle_table::HandleTable;
use crate::store::heap::Heap;
use crate::value::Handle;
use ndscript_base::keyed;
use std::ops::Range;

/// Passes over some places of an arena or parts of a table, from one on. It adds what the objects own that stay.
pub(super) type Pass = fn(&mut Heap, usize, &mut usize) -> Passed;

/// What a pass has done.
pub(super) struct Passed {
    pub visits: usize,
    /// Where it goes on, if that was not all.
    pub next: Option<usize>,
}

/// This many places are passed at a time. Whatever the host grants, the pieces are the same, so rows grow the same way.
const PLACES: usize = 1024;

/// All of them, in their order.
pub(super) const PASSES: &[Pass] = &[
    mark_interned,
    // Interned objects leave their tables first: the tables find them by content.
    |heap, part, _| {
        let texts = &heap.texts;
        let hash = |text: &Handle| texts[*text].table_hash();
        forget(&mut heap.interned.texts, part, texts, Some(&hash))
    },
    |heap, part, _| {
        let floats = &heap.floats;
        let hash = |float: &Handle| keyed::hash_word(floats[*float].to_bits());
        forget(&mut heap.interned.floats, part, floats, Some(&hash))
    },
    |heap, part, _| {
        let arrays = &heap.arrays;
        let hash = |array: &Handle| arrays[*array].table_hash();
        forget(&mut heap.interned.frozen, part, arrays, Some(&hash))
    },
    |heap, part, _| forget(&mut heap.interned.sets, part, &heap.sets, None),
    |heap, part, _| forget(&mut heap.interned.nodes, part, &heap.nodes, None),
    need_buffers,
    end_buffers,
    |heap, from, owned| {
        sweep(&mut heap.buffers, from, owned, |buffer| {
            buffer.free_rest();
            buffer.bytes()
        })
    },
    // Before the sets, which they may refer to.
    |heap, from, owned| {
        sweep(&mut heap.boards, from, owned, |board| {
            board.discard_sets();
            board.bytes()
        })
    },
    |heap, from, owned| sweep(&mut heap.texts, from, owned, |text| text.bytes()),
    |heap, from, owned| sweep(&mut heap.floats, from, owned, |_| 0),
    |heap, from, owned| sweep(&mut heap.arrays, from, owned, |array| array.slots.bytes()),
    |heap, from, owned| sweep(&mut heap.sets, from, owned, |set| set.bytes()),
    |heap, from, owned| sweep(&mut heap.nodes, from, owned, |_| 0),
    |heap, from, owned| {
        sweep(&mut heap.relations, from, owned, |relation| {
            relation.bytes()
        })
    },
    |heap, from, owned| sweep(&mut heap.grids, from, owned, |grid| grid.bytes()),
    |heap, from, owned| sweep(&mut heap.objects, from, owned, |object| object.bytes()),
    |heap, from, owned| sweep(&mut heap.queues, from, owned, |queue| queue.bytes()),
    |heap, from, owned| sweep(&mut heap.functions, from, owned, |closure| closure.bytes()),
    |heap, from, owned| sweep(&mut heap.variables, from, owned, |_| 0),
    |heap, from, owned| {
        if from == 0 {
            heap.hosts.forget_unmarked();
        }
        sweep(&mut heap.hosts.places, from, owned, |hosted| hosted.bytes())
    },
];

/// The next places, and what a pass of them says.
fn places(from: usize, all: usize) -> (Range<usize>, Passed) {
    let end = all.min(from + PLACES);
    let passed = Passed {
        visits: (end - from) / 2,
        next: (end < all).then_some(end),
    };
    (from..end, passed)
}

fn sweep<T: Default>(
    arena: &mut Arena<T>,
    from: usize,
    owned: &mut usize,
    bytes: impl FnMut(&mut T) -> usize,
) -> Passed {
    let (range, passed) = places(from, arena.places());
    *owned += arena.sweep(range, bytes);
    passed
}

/// Takes what has no mark out of a part of a table. With hashes the part shrinks to what is left.
fn forget<T: Default>(
    table: &mut HandleTable,
    part: usize,
    arena: &Arena<T>,
    hash: Option<&dyn Fn(&Handle) -> u64>,
) -> Passed {
    let visits = table.retain(part, |handle| arena.is_marked(handle));
    if let Some(hash) = hash {
        table.shrink(part, hash);
    }
    let next = part + 1;
    Passed {
        visits,
        next: (next < table.parts()).then_some(next),
    }
}

/// Marks the interned texts that marked ones refer to.
fn mark_interned(heap: &mut Heap, from: usize, _: &mut usize) -> Passed {
    let (range, passed) = places(from, heap.texts.places());
    for at in range.map(|at| at as Handle) {
        if heap.texts.is_marked(at)
            && let Some(interned) = heap.texts[at].known_interned()
        {
            heap.texts.mark(interned);
        }
    }
    passed
}

/// Marks the buffers that texts need, and how much of them.
fn need_buffers(heap: &mut Heap, from: usize, _: &mut usize) -> Passed {
    let (range, passed) = places(from, heap.texts.places());
    for at in range.map(|at| at as Handle) {
        if heap.texts.is_marked(at)
            && let Some(buffer) = heap.texts[at].buffer()
        {
            heap.buffers.mark(buffer);
            heap.buffers[buffer].need(heap.texts[at].length());
        }
    }
    passed
}

/// Ends buffers before those that no text needs.
fn end_buffers(heap: &mut Heap, from: usize, _: &mut usize) -> Passed {
    let (range, passed) = places(from, heap.buffers.places());
    for at in range.map(|at| at as Handle) {
        if heap.buffers[at]
            .continuation()
            .is_some_and(|next| !heap.buffers.is_marked(next))
        {
            heap.buffers[at].ends_here();
        }
    }
    passed
}
