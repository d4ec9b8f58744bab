//! Runs of items that are the same.

/// How many items are the same from the first of a row on, of so many at most.
#[inline]
pub fn alike_at_first<T: PartialEq>(row: &[T], most: usize) -> usize {
    let row = &row[..row.len().min(most)];
    row.iter().take_while(|item| **item == row[0]).count()
}
