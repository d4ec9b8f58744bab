//! Tables that find interned objects by their content.

use hashbrown::HashTable;

use crate::value::Handle;

/// A large table has this many parts.
const PARTS: usize = 16;
/// A table with this many handles is a large one.
const LARGE: usize = 1 << 14;
/// The part of a hash is chosen by bits that neither its place nor its tag in the part uses.
const PART_AT: u32 = 44;

/// The hash of the object of a handle. It is called where a table grows or shrinks, through one shared function.
type Hasher<'a> = dyn Fn(&Handle) -> u64 + 'a;

/// Handles by the hash of their objects.
///
/// A growing table is moved to a larger one, and both exist for a moment. So a large table consists of parts that
/// grow one at a time: the extra memory outside the account, and the time, are small.
#[derive(Clone, Debug, Default)]
pub struct HandleTable {
    parts: [HashTable<Handle>; PARTS],
    /// `PARTS - 1` once the table is large, 0 before.
    mask: usize,
}

impl HandleTable {
    #[inline(always)]
    fn part(&self, hash: u64) -> usize {
        (hash >> PART_AT) as usize & self.mask & (PARTS - 1)
    }

    /// The handle with a hash for which `is_wanted` is true.
    #[inline]
    pub fn find(&self, hash: u64, is_same: impl FnMut(&Handle) -> bool) -> Option<&Handle> {
        self.parts[self.part(hash)].find(hash, is_same)
    }

    /// Enters a handle that is not in the table yet, and counts what the table grows by.
    #[inline]
    pub fn enter(&mut self, hash: u64, handle: Handle, hasher: &Hasher, bytes: &mut usize) {
        let part = &self.parts[self.part(hash)];
        if part.len() == part.capacity() {
            self.grow(hash, hasher, bytes);
        }
        let part = self.part(hash);
        self.parts[part].insert_unique(hash, handle, hasher);
    }

    /// Enters a handle unless there is an equal one; returns whether there was none.
    pub fn enter_new(
        &mut self,
        handle: Handle,
        is_same: impl FnMut(&Handle) -> bool,
        hasher: &Hasher,
    ) -> bool {
        let hash = hasher(&handle);
        let is_new = self.find(hash, is_same).is_none();
        if is_new {
            self.enter(hash, handle, hasher, &mut 0);
        }
        is_new
    }

    /// Makes room for one more with a hash.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, hash: u64, hasher: &Hasher, bytes: &mut usize) {
        let before = self.bytes();
        if self.mask == 0 && self.parts[0].len() >= LARGE {
            self.mask = PARTS - 1;
            for handle in std::mem::take(&mut self.parts[0]) {
                let hash = hasher(&handle);
                let part = self.part(hash);
                self.parts[part].insert_unique(hash, handle, hasher);
            }
        }
        let part = self.part(hash);
        self.parts[part].reserve(1, hasher);
        *bytes = (*bytes + self.bytes()).saturating_sub(before);
    }

    /// How many parts it has.
    pub fn parts(&self) -> usize {
        self.mask + 1
    }

    /// Keeps the handles of a part for which `is_kept` is true; returns how many there were.
    pub fn retain(&mut self, part: usize, mut is_kept: impl FnMut(Handle) -> bool) -> usize {
        let part = &mut self.parts[part];
        let before = part.len();
        part.retain(|handle| is_kept(*handle));
        before
    }

    /// Frees unused memory of a part.
    pub fn shrink(&mut self, part: usize, hasher: &Hasher) {
        self.parts[part].shrink_to(0, hasher);
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(HashTable::allocation_size).sum()
    }
}
