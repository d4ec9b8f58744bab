//! The garbage collector: marks what the roots reach, then passes over all arenas and frees the rest.
//!
//! It goes in steps, so that a host that shows frames need not wait for all of it. Between two steps nothing else may
//! change the heap, so no write has to be watched.

mod marking;
mod sweeping;

use self::sweeping::PASSES;
use super::deep::BlockCache;
use super::heap::Heap;
use super::trail::Target;
use crate::value::{Handle, Value};

/// A root of the collection.
pub enum Root {
    Value(Value),
    /// A tree of a large set that belongs to no set yet.
    Tree(Handle),
}

/// A collection under way.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    phase: Phase,
    /// How far the phase has come: how many roots are marked, or from which place on the next pass goes.
    at: usize,
    /// Objects that are reached but not traversed yet.
    values: Vec<Value>,
    /// Large containers, with the number of places that were handed on already.
    large: Vec<(Value, usize)>,
    /// Nodes of trees of large sets.
    nodes: Vec<Handle>,
    /// The bytes that the objects own that were passed over and stay.
    owned: usize,
    /// How many objects there were, to check that nothing else changes the heap.
    #[cfg(debug_assertions)]
    objects: usize,
}

#[derive(Clone, Copy, Debug, Default)]
enum Phase {
    /// Marking from the roots outside of the heap.
    #[default]
    Roots,
    Globals,
    Trail,
    /// One of the passes.
    Pass(usize),
    Ended,
}

impl Collection {
    /// How many roots are marked, while others are not.
    pub fn marked_roots(&self) -> usize {
        match self.phase {
            Phase::Roots => self.at,
            _ => 0,
        }
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.at = 0;
    }
}

impl Heap {
    /// Begins a collection. It frees what is reachable neither from `few` roots, nor from those that `trace_roots` visits,
    /// nor from those that [`Heap::collect_some`] gets, nor from the heap's own (globals and trail).
    pub fn begin_collection(
        &mut self,
        few: impl IntoIterator<Item = Value>,
        trace_roots: impl FnOnce(&mut dyn FnMut(Root)),
    ) -> Collection {
        let mut collection = Collection {
            #[cfg(debug_assertions)]
            objects: self.objects_in_use(),
            ..Collection::default()
        };
        trace_roots(&mut |root| {
            match root {
                Root::Value(value) => self.mark_root(value, &mut collection),
                Root::Tree(tree) => collection.nodes.push(tree),
            }
            // A work may hold as many values as fit into memory: a list of them would be as large again.
            let mut all = usize::MAX;
            self.mark_pending(&mut collection, &mut all);
        });
        let dead_end = self.observed.dead_end.iter();
        let own: Vec<Value> = dead_end
            .flat_map(|dead_end| dead_end.values())
            .chain([self.branch.spent, self.branch.rule_name])
            .chain(self.board_with_due_functions)
            .collect();
        for root in few.into_iter().chain(own) {
            self.mark_root(root, &mut collection);
        }
        collection
    }

    /// Goes on with a collection for about so many visits of values and places; true once it has ended. `roots` are
    /// those that are not marked yet.
    pub fn collect_some(
        &mut self,
        collection: &mut Collection,
        mut roots: impl Iterator<Item = Value>,
        visits: usize,
    ) -> bool {
        let mut left = visits;
        let mut look = BlockCache::default();
        loop {
            self.mark_pending(collection, &mut left);
            if left == 0 {
                return false;
            }
            left -= 1;
            let at = collection.at;
            collection.at += 1;
            match collection.phase {
                Phase::Roots => match roots.next() {
                    Some(root) => self.mark_root(root, collection),
                    None => collection.enter(Phase::Globals),
                },
                Phase::Globals => match self.globals.get(at) {
                    Some(global) => self.mark_root(global.value, collection),
                    None => collection.enter(Phase::Trail),
                },
                Phase::Trail => match self.trail.look(at, &mut look) {
                    Some(entry) => {
                        self.mark_root(entry.old(), collection);
                        if let Some(container) = entry.container() {
                            self.mark_root(container, collection);
                        }
                        if entry.target() == Target::Buffer {
                            self.buffers.mark(entry.handle());
                        }
                    }
                    None => {
                        #[cfg(debug_assertions)]
                        assert_eq!(collection.objects, self.objects_in_use());
                        self.interned.memo.clear();
                        collection.enter(Phase::Pass(0));
                    }
                },
                Phase::Pass(number) => {
                    let Some(pass) = PASSES.get(number) else {
                        debug_assert_eq!(collection.owned, self.owned_bytes());
                        collection.enter(Phase::Ended);
                        continue;
                    };
                    let passed = pass(self, at, &mut collection.owned);
                    left = left.saturating_sub(passed.visits);
                    match passed.next {
                        Some(next) => collection.at = next,
                        None => collection.enter(Phase::Pass(number + 1)),
                    }
                }
                Phase::Ended => return true,
            }
        }
    }

    /// The bytes that the heap owns once a collection has ended.
    pub fn bytes_after(&self, collection: &Collection) -> usize {
        self.row_bytes() + collection.owned
    }

    #[cfg(debug_assertions)]
    fn objects_in_use(&self) -> usize {
        self.trail.len()
            + self.texts.used()
            + self.floats.used()
            + self.arrays.used()
            + self.sets.used()
            + self.relations.used()
            + self.grids.used()
            + self.objects.used()
            + self.queues.used()
            + self.functions.used()
            + self.variables.used()
    }

    /// A whole collection.
    #[cfg(test)]
    pub(crate) fn collect<const N: usize>(&mut self, roots: [Value; N]) {
        let mut collection = self.begin_collection(roots, |_| ());
        while !self.collect_some(&mut collection, std::iter::empty(), 10) {}
    }
}
