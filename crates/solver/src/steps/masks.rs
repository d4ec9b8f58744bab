//! The candidates of all places as rows of bits, one after another.

use crate::{Candidates, ones};

/// A row of words for each place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Masks {
    width: usize,
    bits: Vec<u64>,
}

impl Masks {
    /// Empty rows for this number of values.
    pub fn new(places: usize, values: usize) -> Masks {
        let width = values.div_ceil(64).max(1);
        Masks {
            width,
            bits: vec![0; places * width],
        }
    }

    pub fn places(&self) -> usize {
        self.bits.len() / self.width.max(1)
    }

    pub fn row(&self, place: usize) -> &[u64] {
        &self.bits[place * self.width..(place + 1) * self.width]
    }

    pub fn row_mut(&mut self, place: usize) -> &mut [u64] {
        &mut self.bits[place * self.width..(place + 1) * self.width]
    }

    /// Copies the rows of some places from elsewhere.
    pub fn copy_rows(&mut self, other: &Masks, places: &[u32]) {
        for place in places {
            let row = other.row(*place as usize);
            self.row_mut(*place as usize).copy_from_slice(row);
        }
    }

    /// Sets the candidates of a place.
    pub fn set(&mut self, place: usize, candidates: Candidates<'_>) {
        let (first, words) = candidates.words();
        let row = self.row_mut(place);
        row.fill(0);
        for (at, word) in words.iter().enumerate() {
            if let Some(own) = row.get_mut(first + at) {
                *own = *word;
            }
        }
    }

    /// Leaves a place what is in a mask.
    pub fn keep(&mut self, place: usize, mask: &[u64]) {
        let row = self.row_mut(place).iter_mut();
        row.zip(mask).for_each(|(word, mask)| *word &= mask);
    }

    /// Takes the values of a mask from a place.
    pub fn leave_out(&mut self, place: usize, mask: &[u64]) {
        let row = self.row_mut(place).iter_mut();
        row.zip(mask).for_each(|(word, mask)| *word &= !mask);
    }

    pub fn count(&self, place: usize) -> u32 {
        Candidates::whole(self.row(place)).count()
    }

    /// The value of a place that has one only.
    pub fn only(&self, place: usize) -> Option<u32> {
        let mut numbers = ones(self.row(place));
        let first = numbers.next()?;
        numbers.next().is_none().then_some(first as u32)
    }

    /// The candidates of some places.
    pub fn candidates_of(&self, places: &[u32]) -> Vec<Vec<u32>> {
        let row = |place: &u32| {
            ones(self.row(*place as usize))
                .map(|value| value as u32)
                .collect()
        };
        places.iter().map(row).collect()
    }

    /// All rows, as one.
    pub fn words(&self) -> (usize, &[u64]) {
        (self.width, &self.bits)
    }
}

/// A mask with one value.
pub(super) fn mask_of(value: u32, width: usize) -> Vec<u64> {
    let mut mask = vec![0; width];
    mask[value as usize / 64] = 1 << (value % 64);
    mask
}
