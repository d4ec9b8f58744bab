//! Clauses: at least one of the literals holds. They lie in one row, one after another; each is watched by its first
//! two literals.

use super::literal::Lit;
use super::log::Id;
use ndscript_base::room;

/// Where a clause lies.
pub type ClauseAt = u32;

/// The header of a clause, before its literals.
#[derive(Clone, Copy, Debug)]
struct Head {
    start: u32,
    length: u32,
    /// The number of levels of its literals when it was learned; 0 for a clause of a constraint.
    levels: u32,
    is_dropped: bool,
}

/// All clauses.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    heads: Vec<Head>,
    literals: Vec<Lit>,
    /// By clause its number in the log; empty if there is none.
    ids: Vec<Id>,
    /// The number of learned clauses that are stored.
    learned: usize,
}

impl Clauses {
    /// Adds a clause; `levels` is 0 for a clause of a constraint.
    pub fn add(&mut self, literals: &[Lit], levels: u32) -> ClauseAt {
        let at = self.heads.len() as ClauseAt;
        self.heads.push(Head {
            start: self.literals.len() as u32,
            length: literals.len() as u32,
            levels,
            is_dropped: false,
        });
        self.literals.extend_from_slice(literals);
        self.learned += usize::from(levels > 0);
        at
    }

    /// Records the number that the latest clause has in the log.
    pub fn set_id(&mut self, id: Id) {
        self.ids.push(id);
    }

    /// The number of a clause in the log.
    pub fn id(&self, at: ClauseAt) -> Id {
        self.ids.get(at as usize).copied().unwrap_or_default()
    }

    #[inline]
    pub fn get(&self, at: ClauseAt) -> &[Lit] {
        let head = self.heads[at as usize];
        &self.literals[head.start as usize..(head.start + head.length) as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, at: ClauseAt) -> &mut [Lit] {
        let head = self.heads[at as usize];
        &mut self.literals[head.start as usize..(head.start + head.length) as usize]
    }

    /// The number of learned clauses that are stored.
    pub fn learned(&self) -> usize {
        self.learned
    }

    /// Lowers the number of levels of a learned clause, if the new one is smaller.
    pub fn improve(&mut self, at: ClauseAt, levels: u32) {
        let head = &mut self.heads[at as usize];
        if head.levels > levels {
            head.levels = levels.max(1);
        }
    }

    /// The number of levels of its literals; 0 for a clause of a constraint.
    pub fn levels(&self, at: ClauseAt) -> u32 {
        self.heads[at as usize].levels
    }

    /// Drops a learned clause. Its place stays taken until [`Clauses::settle`].
    pub fn drop(&mut self, at: ClauseAt) {
        let head = &mut self.heads[at as usize];
        if !head.is_dropped {
            head.is_dropped = true;
            self.learned -= 1;
        }
    }

    /// All clauses that are stored.
    pub fn all(&self) -> impl Iterator<Item = ClauseAt> + '_ {
        (0..self.heads.len() as ClauseAt).filter(|at| !self.heads[*at as usize].is_dropped)
    }

    /// Removes dropped clauses and those with a literal that always holds, and from the others the literals that never
    /// hold. Sorts the rest, so that the order of earlier visits does not show.
    pub fn settle(&mut self, holds: impl Fn(Lit) -> bool) {
        let (mut kept, mut end) = (0, 0);
        for at in 0..self.heads.len() {
            let head = self.heads[at];
            let own = head.start as usize..(head.start + head.length) as usize;
            let is_over = self.literals[own.clone()]
                .iter()
                .any(|literal| holds(*literal));
            if head.is_dropped || is_over {
                self.learned -= usize::from(head.levels > 0 && !head.is_dropped);
                continue;
            }
            let start = end;
            for from in own {
                let literal = self.literals[from];
                if !holds(!literal) {
                    self.literals[end] = literal;
                    end += 1;
                }
            }
            self.literals[start..end].sort_unstable();
            self.heads[kept] = Head {
                start: start as u32,
                length: (end - start) as u32,
                ..head
            };
            if let Some(id) = self.ids.get(at).copied() {
                self.ids[kept] = id;
            }
            kept += 1;
        }
        self.heads.truncate(kept);
        self.ids.truncate(kept);
        self.literals.truncate(end);
    }

    /// The bytes that they own.
    pub fn bytes(&self) -> usize {
        room::row(&self.heads) + room::row(&self.literals) + room::row(&self.ids)
    }
}

impl Clauses {
    /// How many have a place.
    pub fn count(&self) -> usize {
        self.heads.len()
    }
}
