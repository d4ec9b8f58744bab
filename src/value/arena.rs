//! Storage for all heap objects of one kind.

use super::room;
use super::value::Handle;

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
        Arena { items: Vec::new(), states: Vec::new(), free: Vec::new() }
    }
}

const FREE: u8 = 0;
const USED: u8 = 1;
const MARKED: u8 = 2;

impl<T: Default> Arena<T> {
    /// Stores an object, and counts what the arena grows by; not what the object owns.
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
        let grown = room::grow(&mut self.items, 1);
        let places = self.items.capacity() - self.states.len();
        grown + room::grow(&mut self.states, places)
    }

    /// Marks an object; false if it was marked before or is none.
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
        self.states[handle as usize] == MARKED
    }

    /// Frees what is not marked, telling `freed` of each, and takes the marks away.
    pub fn sweep(&mut self, mut freed: impl FnMut(Handle)) {
        let unmarked = self.states.iter().filter(|state| **state == USED).count();
        room::grow(&mut self.free, unmarked);
        for (at, state) in self.states.iter_mut().enumerate() {
            match *state {
                MARKED => *state = USED,
                USED => {
                    freed(at as Handle);
                    self.items[at] = T::default();
                    *state = FREE;
                    self.free.push(at as Handle);
                }
                _ => {}
            }
        }
    }

    /// The handles in use, ascending.
    pub fn handles(&self) -> impl Iterator<Item = Handle> + '_ {
        self.states.iter().enumerate().filter(|(_, state)| **state != FREE).map(|(at, _)| at as Handle)
    }

    /// How many places there are, free ones included.
    pub fn places(&self) -> usize {
        self.items.len()
    }

    /// The objects in use.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().zip(&self.states).filter(|(_, state)| **state != FREE).map(|(item, _)| item)
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
