//! A stack that may become very deep. Items far below are packed, and are unpacked when the stack shrinks to them: a
//! search with a million open choices only reads the latest ones.

use super::packing::{Packable, PackedBlock};
use ndscript_base::room;

/// A stack of items. The upper ones are stored plainly; to read older ones, callers lift them, or read copies.
#[derive(Clone, Debug)]
pub struct DeepStack<T, const N: usize> {
    /// The uppermost ones.
    near: Vec<T>,
    /// How many lie below these, packed.
    below: usize,
    pieces: Vec<PackedBlock>,
    /// The bytes that the pieces own.
    packed: usize,
}

/// This many items are packed together. Few in tests, so that small programs use packed ones, too.
const PIECE: usize = if cfg!(debug_assertions) { 16 } else { 512 };

/// From this many on, most of the plain items are packed before the stack allocates more. Shallower stacks pay
/// nothing. Deeper ones reuse the same memory, which is in the processor's cache and costs no new page.
const NEAR: usize = if cfg!(debug_assertions) {
    3 * PIECE
} else {
    8 * PIECE
};

/// A piece that was unpacked to read an item, reused for the next item. The stack must not be cut in between.
#[derive(Clone, Debug)]
pub struct BlockCache<T> {
    piece: usize,
    items: Vec<T>,
}

impl<T> Default for BlockCache<T> {
    fn default() -> Self {
        BlockCache {
            piece: usize::MAX,
            items: Vec::new(),
        }
    }
}

impl<T, const N: usize> Default for DeepStack<T, N> {
    fn default() -> Self {
        DeepStack {
            near: Vec::new(),
            below: 0,
            pieces: Vec::new(),
            packed: 0,
        }
    }
}

impl<T: Packable<N>, const N: usize> DeepStack<T, N> {
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.below + self.near.len()
    }

    /// Whether its height will soon exceed 32 bits.
    pub fn is_full(&self) -> bool {
        const ALMOST_ALL: usize = u32::MAX as usize - (1 << 28);
        self.len() > ALMOST_ALL
    }

    /// Whether `more` items fit without allocation.
    #[inline(always)]
    pub fn has_room(&self, more: usize) -> bool {
        self.near.capacity() - self.near.len() >= more
    }

    /// Makes room for `more` items. Returns by how many bytes the stack grew.
    #[cold]
    #[inline(never)]
    pub fn make_room(&mut self, more: usize) -> usize {
        let before = self.bytes();
        if self.near.len() >= NEAR {
            self.pack();
        }
        room::grow(&mut self.near, more);
        self.bytes().saturating_sub(before)
    }

    /// Packs all but the latest items.
    fn pack(&mut self) {
        // All but few, so that few have to move.
        let count = self.near.len() / PIECE - 1;
        room::grow(&mut self.pieces, count);
        for items in self.near[..count * PIECE].chunks_exact(PIECE) {
            let piece = PackedBlock::pack(items, self.pieces.last());
            self.packed += piece.bytes();
            self.pieces.push(piece);
        }
        self.near.drain(..count * PIECE);
        self.below += count * PIECE;
    }

    /// Puts an item on top. There should be room for it.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.near.push(item);
    }

    /// As `push`, for several.
    #[inline(always)]
    pub fn extend(&mut self, items: impl Iterator<Item = T>) {
        self.near.extend(items);
    }

    /// The uppermost item.
    #[inline(always)]
    pub fn last(&self) -> Option<&T> {
        self.near.last()
    }

    /// As `last`, mutable.
    #[inline(always)]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.near.last_mut()
    }

    /// Removes the uppermost item, if there is one. The next is not packed.
    #[inline(always)]
    pub fn drop_last(&mut self) {
        let Some(left) = self.near.len().checked_sub(1) else {
            return;
        };
        self.near.truncate(left);
        if left == 0 && self.below > 0 {
            self.lift(self.below - 1);
        }
    }

    /// Removes the uppermost item if it is not packed. Packed ones must be lifted.
    #[inline(always)]
    pub fn pop_near(&mut self) -> Option<T> {
        self.near.pop()
    }

    /// The items from one on, none of which may be packed.
    #[inline(always)]
    pub fn near_from(&self, at: usize) -> &[T] {
        &self.near[at - self.below..]
    }

    /// As `near_from`, mutable.
    #[inline]
    pub fn near_from_mut(&mut self, at: usize) -> &mut [T] {
        &mut self.near[at - self.below..]
    }

    /// Whether the items from one on are not packed.
    #[inline(always)]
    pub fn is_near(&self, at: usize) -> bool {
        at >= self.below
    }

    /// Unpacks the items from one on, and those that are packed with them.
    #[cold]
    #[inline(never)]
    pub fn lift(&mut self, at: usize) {
        if at >= self.below {
            return;
        }
        let first = at / PIECE;
        let lifted = self.below - first * PIECE;
        let above = self.near.len();
        self.near.reserve_exact(lifted);
        for piece in self.pieces.drain(first..) {
            self.packed -= piece.bytes();
            piece.unpack(&mut self.near);
        }
        self.near.rotate_left(above);
        self.below = first * PIECE;
    }

    /// Truncates the stack to a height. The uppermost remaining item may be packed, if all above are.
    #[inline(always)]
    pub fn cut(&mut self, len: usize) {
        if len >= self.below {
            self.near.truncate(len - self.below);
        } else {
            self.cut_deep(len);
        }
    }

    /// Truncates the stack to a height. The uppermost remaining item is not packed.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        if len > self.below || self.below == 0 {
            self.near.truncate(len - self.below);
        } else {
            self.cut_deep(len);
        }
    }

    /// Cuts the stack down to a length within its packed part.
    #[cold]
    #[inline(never)]
    fn cut_deep(&mut self, len: usize) {
        self.near.clear();
        let remaining = len.div_ceil(PIECE).min(self.pieces.len());
        self.packed -= self
            .pieces
            .drain(remaining..)
            .map(|piece| piece.bytes())
            .sum::<usize>();
        self.below = remaining * PIECE;
        self.lift(len.saturating_sub(1));
        self.near.truncate(len - self.below);
    }

    /// A copy of an item. For few: each unpacks a piece.
    pub fn get(&self, at: usize) -> Option<T> {
        self.look(at, &mut BlockCache::default())
    }

    /// A copy of an item, for callers that read many.
    #[inline]
    pub fn look(&self, at: usize, look: &mut BlockCache<T>) -> Option<T> {
        if at >= self.below {
            return self.near.get(at - self.below).copied();
        }
        let number = at / PIECE;
        if look.piece != number {
            look.items.clear();
            self.pieces[number].unpack(&mut look.items);
            look.piece = number;
        }
        look.items.get(at % PIECE).copied()
    }

    /// Copies of the items from one on.
    pub fn iter_from(&self, at: usize) -> impl Iterator<Item = T> + '_ {
        let mut look = BlockCache::default();
        (at..self.below)
            .filter_map(move |at| self.look(at, &mut look))
            .chain(self.items_near(at).iter().copied())
    }

    fn items_near(&self, at: usize) -> &[T] {
        self.near
            .get(at.saturating_sub(self.below)..)
            .unwrap_or_default()
    }

    /// Copies of all items.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.iter_from(0)
    }

    /// Copies of the items from one on, the uppermost first.
    pub fn iter_back_to(&self, at: usize) -> impl Iterator<Item = T> + '_ {
        let mut look = BlockCache::default();
        let near = self.items_near(at).iter().rev().copied();
        near.chain(
            (at..self.below)
                .rev()
                .filter_map(move |at| self.look(at, &mut look)),
        )
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.near) + room::row(&self.pieces) + self.packed
    }
}

impl<T: Packable<N> + ndscript_base::codec::Saved, const N: usize> ndscript_base::codec::Saved
    for DeepStack<T, N>
{
    /// Saved as a plain row: packing is an internal matter.
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        out.number(self.len() as u64);
        self.iter().for_each(|item| item.save(out));
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<DeepStack<T, N>, ndscript_base::codec::Unsound> {
        let count = from.count::<T>()?;
        let mut stack = DeepStack::default();
        for _ in 0..count {
            if !stack.has_room(1) {
                stack.make_room(1);
            }
            stack.push(T::load(from)?);
        }
        Ok(stack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    fn push(stack: &mut DeepStack<Value, 1>, row: &mut Vec<Value>, item: usize) {
        if !stack.has_room(1) {
            stack.make_room(1);
        }
        stack.push(Value::size(item));
        row.push(Value::size(item));
    }

    fn is_row(stack: &DeepStack<Value, 1>, row: &[Value]) {
        assert_eq!(stack.len(), row.len());
        assert_eq!(stack.last(), row.last());
        assert!(stack.iter().eq(row.iter().copied()));
        let middle = row.len() / 3;
        assert!(stack.iter_from(middle).eq(row[middle..].iter().copied()));
        assert!(
            stack
                .iter_back_to(middle)
                .eq(row[middle..].iter().rev().copied())
        );
        assert_eq!(stack.get(middle), row.get(middle).copied());
        assert_eq!(stack.get(row.len()), None);
        assert!(stack.clone().iter().eq(row.iter().copied()));
    }

    #[test]
    fn is_a_stack() {
        let (mut stack, mut row) = (DeepStack::default(), Vec::new());
        let mut state = 1u64;
        for round in 0..60 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let some = (state >> 33) as usize;
            match round % 3 {
                0 => (0..some % 90_000)
                    .for_each(|item| push(&mut stack, &mut row, item * some % 1000)),
                1 => {
                    let height = some % (row.len() + 1);
                    stack.truncate(height);
                    row.truncate(height);
                }
                _ => {
                    for _ in 0..(some % 40_000).min(row.len()) {
                        stack.lift(stack.len() - 1);
                        assert_eq!(stack.pop_near(), row.pop());
                    }
                    stack.truncate(row.len());
                }
            }
            is_row(&stack, &row);
        }
        let height = row.len().max(90_000);
        (row.len()..height).for_each(|item| push(&mut stack, &mut row, item));
        for at in [height - 1, 3000, 17, 0] {
            stack.lift(at);
            assert_eq!(stack.near_from(at), &row[at..]);
        }
        assert_eq!(
            stack.bytes(),
            room::row(&stack.near) + room::row(&stack.pieces)
        );
        for height in [2 * PIECE, PIECE, 0] {
            (row.len()..90_000).for_each(|item| push(&mut stack, &mut row, item));
            stack.truncate(height);
            row.truncate(height);
            is_row(&stack, &row);
        }
    }

    #[test]
    fn what_lies_below_takes_little() {
        let (mut stack, mut row) = (DeepStack::default(), Vec::new());
        (0..1_000_000).for_each(|item| push(&mut stack, &mut row, item));
        // Pieces of few items take more for each.
        let most = if PIECE < 512 { 6_500_000 } else { 2_500_000 };
        assert!(stack.bytes() < most, "{}", stack.bytes());
        is_row(&stack, &row);
    }
}
