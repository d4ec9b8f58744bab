//! Which nodes a walk has seen. There are many walks, each over some hundred nodes.

/// A set of numbers by open addressing. It is made and dropped for each walk, so it begins small and stores no
/// hashes.
#[derive(Clone, Debug, Default)]
pub struct NumberSet {
    /// A number plus one, or 0 if the slot is free. At most half of the slots are taken.
    slots: Vec<u64>,
    count: usize,
}

const FIRST_SLOTS: usize = 32;
/// The factor from one size to the next; it is large, so that numbers are moved seldom.
const GROWTH: usize = 8;
/// Spreads consecutive numbers over the table (Knuth, The Art of Computer Programming, 6.4).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl NumberSet {
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether a number is new.
    pub fn insert(&mut self, number: u64) -> bool {
        if 2 * self.count >= self.slots.len() {
            self.grow();
        }
        let is_new = self.put(number + 1);
        self.count += usize::from(is_new);
        is_new
    }

    /// Enters a number; false if it was there.
    fn put(&mut self, entry: u64) -> bool {
        let last = self.slots.len() - 1;
        let mut at = (entry.wrapping_mul(GOLDEN) >> 32) as usize & last;
        while self.slots[at] != 0 {
            if self.slots[at] == entry {
                return false;
            }
            at = (at + 1) & last;
        }
        self.slots[at] = entry;
        true
    }

    fn grow(&mut self) {
        let slots = (GROWTH * self.slots.len()).max(FIRST_SLOTS);
        let before = std::mem::replace(&mut self.slots, vec![0; slots]);
        before
            .into_iter()
            .filter(|entry| *entry != 0)
            .for_each(|entry| {
                self.put(entry);
            });
    }
}

#[cfg(test)]
mod tests {
    use super::NumberSet;

    #[test]
    fn numbers_are_new_once() {
        let mut seen = NumberSet::default();
        let numbers = || (0..2000).map(|number: u64| number * number % 997 * 64);
        let mut known = std::collections::BTreeSet::new();
        assert!(numbers().all(|number| seen.insert(number) == known.insert(number)));
        assert_eq!(seen.len(), known.len());
    }
}
