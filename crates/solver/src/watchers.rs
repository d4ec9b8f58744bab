//! Who watches which place. Constraints come and go like a stack, so what a constraint adds lies behind everything that
//! those before it have added, and is taken away from the end.

use ndscript_base::room;

/// Links are numbered from 1, so that the rows of a board whose constraints are all on all places are never written to.
const NONE: u32 = 0;

/// A constraint that watches a place, between its neighbours in the order in which they came.
#[derive(Clone, Copy, Debug)]
struct Link {
    constraint: u32,
    place: u32,
    before: u32,
    next: u32,
}

/// The constraints on places, as lists: one for each place, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Watchers {
    links: Vec<Link>,
    /// The first and the last link of each place.
    ends: Vec<[u32; 2]>,
}

impl Watchers {
    /// Of so many places that nobody watches.
    pub fn new(places: usize) -> Watchers {
        Watchers {
            links: Vec::new(),
            ends: vec![[NONE; 2]; places],
        }
    }

    /// How many links there are.
    pub fn height(&self) -> usize {
        self.links.len()
    }

    /// The bytes that so many more links take.
    pub fn bytes_for(more: usize) -> usize {
        more * size_of::<Link>()
    }

    /// Makes room for so many more links.
    pub fn make_room(&mut self, more: usize) {
        room::grow(&mut self.links, more);
    }

    /// Lets a constraint watch a place.
    pub fn add(&mut self, constraint: u32, place: u32) {
        let number = self.links.len() as u32 + 1;
        let Some([first, last]) = self.ends.get_mut(place as usize) else {
            return;
        };
        let before = std::mem::replace(last, number);
        if before == NONE {
            *first = number;
        } else {
            self.links[before as usize - 1].next = number;
        }
        self.links.push(Link {
            constraint,
            place,
            before,
            next: NONE,
        });
    }

    /// Takes the latest link away; returns its place.
    pub fn pop(&mut self) -> Option<usize> {
        let Link { place, before, .. } = self.links.pop()?;
        let [first, last] = self.ends.get_mut(place as usize)?;
        *last = before;
        if before == NONE {
            *first = NONE;
        } else {
            self.links[before as usize - 1].next = NONE;
        }
        Some(place as usize)
    }

    /// The first link of a place.
    #[inline]
    pub fn first(&self, place: usize) -> Option<u32> {
        if self.links.is_empty() {
            return None;
        }
        self.ends
            .get(place)
            .map(|ends| ends[0])
            .filter(|link| *link != NONE)
    }

    /// The constraint of a link, and the link behind it.
    #[inline]
    pub fn get(&self, link: u32) -> (u32, Option<u32>) {
        let Link {
            constraint, next, ..
        } = self.links[link as usize - 1];
        (constraint, (next != NONE).then_some(next))
    }

    /// The constraints on a place.
    pub fn of(&self, place: usize) -> impl Iterator<Item = u32> + '_ {
        let mut link = self.first(place);
        std::iter::from_fn(move || {
            let (constraint, next) = self.get(link?);
            link = next;
            Some(constraint)
        })
    }

    /// The bytes that they own.
    pub fn bytes(&self) -> usize {
        room::row(&self.links) + room::row(&self.ends)
    }
}
