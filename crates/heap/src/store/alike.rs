//! Runs of equal items.

/// How many items are equal to the first of a row, at most `most`.
#[inline]
pub fn alike_at_first<T: PartialEq>(row: &[T], most: usize) -> usize {
    let row = &row[..row.len().min(most)];
    row.iter().take_while(|item| **item == row[0]).count()
}
