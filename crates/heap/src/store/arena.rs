//! Storage for all heap objects of one kind.

use crate::value::Handle;
use ndscript_base::room;
use std::ops::Range;

/// Objects by handle. Freed places are used again; a freed place holds the default.
#[derive(Clone, Debug)]
pub struct Arena<T> {
    items: Vec<T>,
    /// 0 free, 1 in use, 2 in use and marked.
    states: Vec<u8>,
    free: Vec<Handle>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena {
            items: Vec::new(),
            states: Vec::new(),
            free: Vec::new(),
        }
    }
}

const FREE: u8 = 0;
const USED: u8 = 1;
const MARKED: u8 = 2;

impl<T> Arena<T> {
    /// A copy, in which `clone` copies each object in use.
    pub fn clone_with(&self, mut clone: impl FnMut(&T) -> T) -> Arena<T>
    where
        T: Default,
    {
        let places = self.items.iter().zip(&self.states);
        let items = places
            .map(|(item, state)| {
                if *state == FREE {
                    T::default()
                } else {
                    clone(item)
                }
            })
            .collect();
        Arena {
            items,
            states: self.states.clone(),
            free: self.free.clone(),
        }
    }
}

impl<T: Default> Arena<T> {
    /// Stores an object, and counts the growth of the arena; not what the object owns.
    #[inline]
    pub fn add(&mut self, item: T, bytes: &mut usize) -> Handle {
        if let Some(handle) = self.free.pop() {
            self.items[handle as usize] = item;
            self.states[handle as usize] = USED;
            handle
        } else {
            if self.items.len() == self.items.capacity() {
                *bytes += self.grow();
            }
            self.items.push(item);
            self.states.push(USED);
            (self.items.len() - 1) as Handle
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> usize {
        let added = room::grow(&mut self.items, 1);
        let places = self.items.capacity() - self.states.len();
        added + room::grow(&mut self.states, places)
    }

    /// Marks an object; false if it was marked before or does not exist.
    #[inline]
    pub fn mark(&mut self, handle: Handle) -> bool {
        match self.states.get_mut(handle as usize) {
            Some(state) if *state == USED => {
                *state = MARKED;
                true
            }
            _ => false,
        }
    }

    pub fn is_marked(&self, handle: Handle) -> bool {
        self.states.get(handle as usize) == Some(&MARKED)
    }

    /// Whether there is an object in a place.
    pub fn is_used(&self, handle: Handle) -> bool {
        self.states
            .get(handle as usize)
            .is_some_and(|state| *state != FREE)
    }

    /// Frees the unmarked objects of some places, and clears the marks of the others. `bytes` says what each of these
    /// owns; their sum is returned.
    pub fn sweep(&mut self, places: Range<usize>, mut bytes: impl FnMut(&mut T) -> usize) -> usize {
        let states = &mut self.states[places.clone()];
        let unmarked = states.iter().filter(|state| **state == USED).count();
        room::grow(&mut self.free, unmarked);
        let mut owned = 0;
        for (at, state) in places.zip(states) {
            match *state {
                MARKED => {
                    *state = USED;
                    owned += bytes(&mut self.items[at]);
                }
                USED => {
                    self.items[at] = T::default();
                    *state = FREE;
                    self.free.push(at as Handle);
                }
                _ => {}
            }
        }
        owned
    }

    /// The handles in use, ascending.
    pub fn handles(&self) -> impl Iterator<Item = Handle> + '_ {
        self.states
            .iter()
            .enumerate()
            .filter(|(_, state)| **state != FREE)
            .map(|(at, _)| at as Handle)
    }

    /// The object in a place, if there is such a place. For handles that may be none of this kind.
    #[inline(always)]
    pub fn get(&self, handle: Handle) -> Option<&T> {
        self.items.get(handle as usize)
    }

    /// As `get`, mutable.
    #[inline(always)]
    pub fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        self.items.get_mut(handle as usize)
    }

    /// The number of places, free ones included.
    pub fn places(&self) -> usize {
        self.items.len()
    }

    /// The objects in use.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items
            .iter()
            .zip(&self.states)
            .filter(|(_, state)| **state != FREE)
            .map(|(item, _)| item)
    }

    /// As `iter`, mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.items
            .iter_mut()
            .zip(&self.states)
            .filter(|(_, state)| **state != FREE)
            .map(|(item, _)| item)
    }

    /// The number of objects.
    #[cfg(debug_assertions)]
    pub(super) fn used(&self) -> usize {
        self.items.len() - self.free.len()
    }

    /// Bytes of the places that are free.
    pub fn spare(&self) -> usize {
        self.free.len() * size_of::<T>()
    }

    /// Bytes of the arena itself, without what its objects own.
    pub fn bytes(&self) -> usize {
        room::row(&self.items) + room::row(&self.states) + room::row(&self.free)
    }
}

impl<T> std::ops::Index<Handle> for Arena<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, handle: Handle) -> &T {
        &self.items[handle as usize]
    }
}

impl<T> std::ops::IndexMut<Handle> for Arena<T> {
    #[inline(always)]
    fn index_mut(&mut self, handle: Handle) -> &mut T {
        &mut self.items[handle as usize]
    }
}

impl<T: Default + ndscript_base::codec::Saved> Arena<T> {
    /// Writes which places are used.
    pub fn save_places(&self, out: &mut ndscript_base::codec::Writer) {
        out.number(self.items.len() as u64);
        // With less capacity than before it would grow again soon, and reach a limit of memory earlier.
        out.number((self.items.capacity() - self.items.len()) as u64);
        ndscript_base::codec::Saved::save(&self.free, out);
    }

    /// Writes the objects.
    pub fn save_items(&self, out: &mut ndscript_base::codec::Writer) {
        self.iter().for_each(|item| item.save(out));
    }

    /// Makes the places, and registers them with the reader.
    pub fn load_places(
        from: &mut ndscript_base::codec::Reader<'_>,
        kind: usize,
    ) -> Result<Arena<T>, ndscript_base::codec::Unsound> {
        use ndscript_base::codec::{Saved, ensure};
        // An object, and the number of a free place, take a byte each at least.
        let count = from.count::<T>()?;
        from.make_room::<u16>(count)?;
        let spare = usize::load(from)?;
        from.make_room::<T>(spare)?;
        let free: Vec<Handle> = Vec::load(from)?;
        let mut states = vec![USED; count];
        for handle in &free {
            let state = states
                .get_mut(*handle as usize)
                .filter(|state| **state == USED);
            *state.ok_or(ndscript_base::codec::Unsound::Wrong(
                "a place is free that is not there",
            ))? = FREE;
        }
        ensure(
            count < 1 << super::trail::HANDLE_BITS,
            "there are too many objects",
        )?;
        from.know(kind, states.iter().map(|state| *state == USED).collect());
        let mut items = Vec::with_capacity(count + spare);
        items.resize_with(count, T::default);
        Ok(Arena {
            items,
            states,
            free,
        })
    }

    /// Fills the places that are in use.
    pub fn load_items(
        &mut self,
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<(), ndscript_base::codec::Unsound> {
        for (item, state) in self.items.iter_mut().zip(&self.states) {
            if *state == USED {
                *item = T::load(from)?;
            }
        }
        Ok(())
    }
}
