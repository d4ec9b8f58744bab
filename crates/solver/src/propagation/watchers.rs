//! Which constraints watch which place. Constraints come and go like a stack, so the links of a constraint follow
//! those of all earlier ones, and are popped from the end.

use ndscript_base::room;

/// No link. Links are numbered from 1, so that zeroed memory is a valid row: if all constraints watch all places, it
/// is never written.
const NONE: u32 = 0;

/// A constraint that watches a place, in the doubly linked list of that place.
#[derive(Clone, Copy, Debug)]
struct Link {
    constraint: u32,
    place: u32,
    before: u32,
    next: u32,
}

/// For each place the list of constraints that watch it, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Watchers {
    links: Vec<Link>,
    /// The first and the last link of each place.
    first_and_last: Vec<[u32; 2]>,
}

impl Watchers {
    /// No watchers, for this number of places.
    pub fn new(places: usize) -> Watchers {
        Watchers {
            links: Vec::new(),
            first_and_last: vec![[NONE; 2]; places],
        }
    }

    /// The number of links.
    pub fn height(&self) -> usize {
        self.links.len()
    }

    /// The bytes of `more` additional links.
    pub fn bytes_for(more: usize) -> usize {
        more * size_of::<Link>()
    }

    /// Reserves memory for `more` additional links.
    pub fn make_room(&mut self, more: usize) {
        room::grow(&mut self.links, more);
    }

    /// Makes a constraint watch a place.
    pub fn add(&mut self, constraint: u32, place: u32) {
        let number = self.links.len() as u32 + 1;
        let Some([first, last]) = self.first_and_last.get_mut(place as usize) else {
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

    /// Pops the latest link; returns its place. `None` if there is none.
    pub fn pop(&mut self) -> Option<usize> {
        let Link { place, before, .. } = self.links.pop()?;
        let [first, last] = self.first_and_last.get_mut(place as usize)?;
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
        self.first_and_last
            .get(place)
            .map(|first_and_last| first_and_last[0])
            .filter(|link| *link != NONE)
    }

    /// The constraint of a link, and the next link of its place.
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
        room::row(&self.links) + room::row(&self.first_and_last)
    }
}
