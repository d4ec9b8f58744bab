//! Which places of a board have how many candidates, so that a place with the fewest is found at once.

use crate::value::room;
use crate::value::undecided::Undecided;

/// Places by number of candidates. What is found does not depend on how it came to be.
#[derive(Clone, Debug)]
pub struct Sizes {
    counts: Vec<u32>,
    /// By number of candidates; the decided ones, which have one, are in none.
    by_count: Vec<Undecided>,
    open: Undecided,
}

impl Sizes {
    pub fn new(counts: Vec<u32>) -> Sizes {
        let most = counts.iter().copied().max().unwrap_or(0);
        let places = counts.len();
        let of = |count: u32| Undecided::new(places, |place| counts[place] == count && count != 1);
        let by_count = (0..=most).map(of).collect();
        let open = Undecided::new(places, |place| counts[place] != 1);
        Sizes { by_count, open, counts }
    }

    pub fn set(&mut self, place: usize, count: u32) {
        let before = std::mem::replace(&mut self.counts[place], count);
        if before == count {
            return;
        }
        let places = self.counts.len();
        while self.by_count.len() <= count as usize {
            self.by_count.push(Undecided::new(places, |_| false));
        }
        for side in [before, count].into_iter().filter(|side| *side != 1) {
            self.by_count[side as usize].toggle(place);
        }
        if (before == 1) != (count == 1) {
            self.open.toggle(place);
        }
    }

    /// The undecided places, ascending.
    pub fn open(&self) -> &Undecided {
        &self.open
    }

    /// The places with the fewest candidates of those that are undecided.
    pub fn fewest(&self) -> Option<&Undecided> {
        self.by_count.iter().find(|places| places.len() > 0)
    }

    pub fn bytes(&self) -> usize {
        room::row(&self.counts)
            + room::row(&self.by_count)
            + self.by_count.iter().map(Undecided::bytes).sum::<usize>()
            + self.open.bytes()
    }
}
