//! A random order, drawn as it is needed.

use ndscript_base::keyed::KeyedMap;

use ndscript_base::rng::Rng;
use ndscript_base::room::{hash_map, row};

/// The remaining ones of `size` numbers. Unordered, it is a Fisher-Yates shuffle that stores only the positions that
/// have been touched, so a draw costs equally much for any `size`.
#[derive(Clone, Debug)]
pub struct Shuffle {
    size: u32,
    drawn: u32,
    ordered: bool,
    moved_row: Vec<(u32, u32)>,
    moved_table: KeyedMap<u32, u32>,
}

/// At most this many alternatives of a choice point are listed, sorted.
pub const MOST_LISTED: usize = 20;

/// Beyond this many touched positions, they are found by hash.
const FEW: usize = 12;

impl Shuffle {
    pub fn new(size: usize, ordered: bool) -> Shuffle {
        Shuffle {
            size: size as u32,
            drawn: 0,
            ordered,
            moved_row: Vec::new(),
            moved_table: KeyedMap::default(),
        }
    }

    /// The state after a first draw that gave this number.
    pub fn after_first(size: usize, picked: u32) -> Shuffle {
        let mut shuffle = Shuffle::new(size, false);
        if picked != 0 {
            shuffle.put(picked, 0);
        }
        shuffle.drawn = 1;
        shuffle
    }

    /// How many are left.
    pub fn left(&self) -> usize {
        (self.size - self.drawn) as usize
    }

    /// The number at a place of the shuffled row.
    fn at(&self, place: u32) -> u32 {
        if self.moved_table.is_empty() {
            self.moved_row
                .iter()
                .rev()
                .find(|touched| touched.0 == place)
                .map_or(place, |touched| touched.1)
        } else {
            self.moved_table.get(&place).copied().unwrap_or(place)
        }
    }

    /// Puts a number at a place of the shuffled row: into a short list, later into a table.
    fn put(&mut self, place: u32, number: u32) {
        if !self.moved_table.is_empty() {
            self.moved_table.insert(place, number);
        } else if let Some(touched) = self.moved_row.iter_mut().find(|touched| touched.0 == place) {
            touched.1 = number;
        } else if self.moved_row.len() < FEW {
            self.moved_row.push((place, number));
        } else {
            self.moved_table.extend(self.moved_row.drain(..));
            self.moved_table.insert(place, number);
        }
    }

    /// The bytes that the next draw may allocate at once.
    pub fn bytes_to_draw(&self) -> usize {
        let is_full =
            !self.moved_table.is_empty() && self.moved_table.len() == self.moved_table.capacity();
        if is_full {
            hash_map(2 * self.moved_table.capacity(), 8)
        } else {
            0
        }
    }

    /// The next number; there must be one left.
    pub fn draw(&mut self, rng: &mut Rng) -> usize {
        if self.ordered {
            self.drawn += 1;
            return self.drawn as usize - 1;
        }
        let place = self.drawn + rng.below(self.left() as u64) as u32;
        let number = self.at(place);
        let moved = self.at(self.drawn);
        if place != self.drawn {
            self.put(place, moved);
        }
        self.drawn += 1;
        number as usize
    }

    /// Removes and returns the number at an index of [`Shuffle::remaining`]. If ordered, also skips all smaller
    /// numbers.
    pub fn take_by_rank(&mut self, rank: usize) -> Option<usize> {
        let number = *self
            .remaining(rank.saturating_add(1).max(MOST_LISTED))
            .get(rank)? as u32;
        if self.ordered {
            self.drawn = number + 1;
            return Some(number as usize);
        }
        let at = (self.drawn..self.size).find(|at| self.at(*at) == number)?;
        let moved = self.at(self.drawn);
        if at != self.drawn {
            self.put(at, moved);
        }
        self.drawn += 1;
        Some(number as usize)
    }

    /// At most `most` of the remaining numbers, sorted; if `most` cuts them off, not necessarily the smallest.
    pub fn remaining(&self, most: usize) -> Vec<usize> {
        let places = (self.drawn..self.size).take(most);
        let mut numbers: Vec<usize> = places
            .map(|place| if self.ordered { place } else { self.at(place) } as usize)
            .collect();
        numbers.sort_unstable();
        numbers
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        row(&self.moved_row) + hash_map(self.moved_table.capacity(), 8)
    }
}

impl ndscript_base::codec::Saved for Shuffle {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let Shuffle {
            size,
            drawn,
            ordered,
            moved_row: few,
            moved_table: many,
        } = self;
        size.save(out);
        drawn.save(out);
        ordered.save(out);
        few.save(out);
        let mut many: Vec<(u32, u32)> = many
            .iter()
            .map(|(place, number)| (*place, *number))
            .collect();
        many.sort_unstable();
        many.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Shuffle, ndscript_base::codec::Unsound> {
        use ndscript_base::codec::ensure;
        let (size, drawn, ordered) = (u32::load(from)?, u32::load(from)?, bool::load(from)?);
        let few: Vec<(u32, u32)> = Vec::load(from)?;
        let many: Vec<(u32, u32)> = Vec::load(from)?;
        let inside = few
            .iter()
            .chain(&many)
            .all(|(place, number)| *place < size && *number < size);
        ensure(
            drawn < size && inside && few.len() <= FEW,
            "an order has no number left",
        )?;
        ensure(few.is_empty() || many.is_empty(), "an order is kept twice")?;
        from.make_room::<(u32, u64)>(many.len())?;
        Ok(Shuffle {
            size,
            drawn,
            ordered,
            moved_row: few,
            moved_table: many.into_iter().collect(),
        })
    }
}

impl Shuffle {
    /// The number of all its elements.
    pub fn size(&self) -> usize {
        self.size as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        let mut rng = Rng::new(3);
        for size in [1usize, 2, 5, 40, 300] {
            let mut shuffle = Shuffle::new(size, false);
            let mut drawn: Vec<usize> = (0..size).map(|_| shuffle.draw(&mut rng)).collect();
            assert_eq!(shuffle.left(), 0);
            drawn.sort_unstable();
            assert_eq!(drawn, (0..size).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut rng = Rng::new(5);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..12_000 {
            let mut shuffle = Shuffle::new(4, false);
            let order: Vec<usize> = (0..4).map(|_| shuffle.draw(&mut rng)).collect();
            *counts.entry(order).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(
            counts.values().all(|count| (400..600).contains(count)),
            "{counts:?}"
        );
    }
}
