//! Counted memory, and how rows grow.
//!
//! The account of a run counts the bytes that the allocator hands out, not those that a row uses at the moment: the
//! capacity of every row, and each block with the header and the rounding that an allocator adds. Large rows grow by
//! little at a time, so that counted and touched memory stay close together, and a row that grows asks for little
//! beyond what it needs.

/// Up to this many bytes a row doubles when it is full.
const DOUBLING: usize = 64 << 10;
/// Up to this many it grows by a quarter, then by an eighth, and the largest by a sixteenth.
const QUARTERS: usize = 4 << 20;
const EIGHTHS: usize = 32 << 20;

/// The bytes that a block of the allocator takes: with a word before it, in steps of 16, and at least 32.
#[inline]
pub const fn block(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        1..=24 => 32,
        _ => (bytes + 8 + 15) & !15,
    }
}

/// The bytes of a hash map or set of the standard library with entries of `entry` bytes.
pub fn hash_map(capacity: usize, entry: usize) -> usize {
    let buckets = match capacity {
        0 => return 0,
        1..=3 => 4,
        4..=7 => 8,
        _ => (capacity * 8 / 7).next_power_of_two(),
    };
    block(buckets * (entry + 1) + 16)
}

/// The bytes of a row.
#[inline]
pub fn row<T>(row: &Vec<T>) -> usize {
    block(row.capacity() * size_of::<T>())
}

/// The number of bytes by which a full row of this size grows.
pub fn step(bytes: usize) -> usize {
    match bytes {
        0..DOUBLING => bytes,
        DOUBLING..QUARTERS => bytes / 4,
        QUARTERS..EIGHTHS => bytes / 8,
        _ => bytes / 16,
    }
}

/// Reserves capacity for `more` items after those of a row; returns by how much its bytes grew.
#[cold]
#[inline(never)]
pub fn grow<T>(items: &mut Vec<T>, more: usize) -> usize {
    if items.capacity() - items.len() >= more {
        return 0;
    }
    let before = row(items);
    let item = size_of::<T>().max(1);
    let spare = (step(items.capacity() * item) / item).max(4);
    items.reserve_exact(more.max(spare));
    row(items) - before
}

/// Reserves capacity in a text likewise.
#[inline]
pub fn grow_text(text: &mut String, more: usize) -> usize {
    if text.capacity() - text.len() >= more {
        0
    } else {
        grow_full_text(text, more)
    }
}

#[cold]
#[inline(never)]
fn grow_full_text(text: &mut String, more: usize) -> usize {
    let before = block(text.capacity());
    text.reserve_exact(more.max(step(text.capacity())).max(32));
    block(text.capacity()) - before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_rows_grow_by_little() {
        let mut items: Vec<u64> = Vec::new();
        let mut counted = 0;
        let mut steps = 0;
        for item in 0..4_000_000 {
            if items.len() == items.capacity() {
                counted += grow(&mut items, 1);
                steps += 1;
            }
            items.push(item);
            assert_eq!(counted, row(&items));
        }
        assert!(
            items.capacity() < items.len() * 9 / 8 + 16,
            "{}",
            items.capacity()
        );
        assert!(steps < 60, "{steps}");
    }
}
