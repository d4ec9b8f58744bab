//! The garbage collector: marks from the roots with a work list, then sweeps every arena.

use super::heap::Heap;
use super::number::{hash_word, hash_words};
use super::room::{block, row};
use super::text::hash_bytes;
use super::treap::NIL;
use super::value::{Handle, Kind, Value};

impl Heap {
    /// Frees everything that neither `roots` nor the heap's own roots (globals and trail) reach. Returns the
    /// number of objects that were reached. The caller counts the bytes afresh and sets when the next collection is
    /// due.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = Value>) -> usize {
        let mut work = vec![self.spent];
        let mut reached = 0;
        for root in roots {
            work.push(root);
            reached += self.mark_all(&mut work);
        }
        for at in 0..self.globals.len() {
            work.push(self.globals[at].value);
            reached += self.mark_all(&mut work);
        }
        for at in 0..self.trail.len() {
            let entry = self.trail[at];
            work.push(entry.old());
            work.extend(entry.container());
            reached += self.mark_all(&mut work);
        }
        self.sweep();
        self.memo.clear();
        reached
    }

    /// Marks what the work list reaches; returns how many objects that were.
    fn mark_all(&mut self, work: &mut Vec<Value>) -> usize {
        let mut reached = 0;
        while let Some(value) = work.pop() {
            reached += self.mark(value, work) as usize;
        }
        reached
    }

    fn mark(&mut self, value: Value, work: &mut Vec<Value>) -> bool {
        let handle = value.payload();
        match value.kind() {
            Kind::Text => self.texts.mark(handle),
            Kind::BoxedFloat => self.floats.mark(handle),
            Kind::Array => {
                let marked = self.arrays.mark(handle);
                if marked {
                    work.extend_from_slice(self.arrays[handle].slots.values());
                    work.extend(self.arrays[handle].view.map(|view| Value::handle(Kind::Grid, view.grid)));
                }
                marked
            }
            Kind::Set => {
                let marked = self.sets.mark(handle);
                if marked {
                    work.extend_from_slice(self.sets[handle].row());
                    let root = self.sets[handle].root();
                    if root != NIL {
                        self.mark_tree(root, work);
                    }
                }
                marked
            }
            Kind::Relation => {
                let marked = self.relations.mark(handle);
                if marked {
                    work.extend(self.relations[handle].pairs.iter().flat_map(|pair| [pair.0, pair.1]));
                }
                marked
            }
            Kind::Grid => {
                let marked = self.grids.mark(handle);
                if marked {
                    work.extend_from_slice(self.grids[handle].slots.values());
                }
                marked
            }
            Kind::Object => {
                let marked = self.objects.mark(handle);
                if marked {
                    let object = &self.objects[handle];
                    work.extend(object.keys().chain(object.values()));
                }
                marked
            }
            Kind::Queue => {
                let marked = self.queues.mark(handle);
                if marked {
                    work.extend_from_slice(self.queues[handle].values());
                }
                marked
            }
            Kind::Function => {
                let marked = self.functions.mark(handle);
                if marked {
                    work.extend_from_slice(&self.functions[handle].captured);
                }
                marked
            }
            Kind::Variable => {
                let marked = self.variables.mark(handle);
                if marked {
                    work.push(self.variables[handle].value);
                }
                marked
            }
            _ => false,
        }
    }

    fn sweep(&mut self) {
        // Interned objects leave their tables first: the tables find them by content.
        let texts = &self.texts;
        self.text_table.retain(|handle| texts.is_marked(*handle));
        let floats = &self.floats;
        self.float_table.retain(|handle| floats.is_marked(*handle));
        let arrays = &self.arrays;
        self.frozen_table.retain(|handle| arrays.is_marked(*handle));
        let sets = &self.sets;
        self.set_table.retain(|handle| sets.is_marked(*handle));
        let nodes = &self.nodes;
        self.node_table.retain(|handle| nodes.is_marked(*handle));
        let nothing = |_: Handle| ();
        self.texts.sweep(nothing);
        self.floats.sweep(nothing);
        self.arrays.sweep(nothing);
        self.sets.sweep(nothing);
        self.nodes.sweep(nothing);
        self.relations.sweep(nothing);
        self.grids.sweep(nothing);
        self.objects.sweep(nothing);
        self.queues.sweep(nothing);
        self.functions.sweep(nothing);
        self.variables.sweep(nothing);
        self.shrink_tables();
    }

    fn shrink_tables(&mut self) {
        let texts = &self.texts;
        self.text_table.shrink_to(0, |handle| hash_bytes(texts[*handle].string.as_bytes()));
        let floats = &self.floats;
        self.float_table.shrink_to(0, |handle| hash_word(floats[*handle].to_bits()));
        let arrays = &self.arrays;
        self.frozen_table.shrink_to(0, |handle| hash_words(arrays[*handle].slots.values()));
    }

    /// Bytes of places that new objects fill before the heap grows.
    pub fn spare(&self) -> usize {
        self.texts.spare()
            + self.floats.spare()
            + self.arrays.spare()
            + self.sets.spare()
            + self.nodes.spare()
            + self.relations.spare()
            + self.grids.spare()
            + self.objects.spare()
            + self.queues.spare()
            + self.functions.spare()
            + self.variables.spare()
    }

    /// The bytes that the heap holds, counted afresh.
    pub fn exact_bytes(&self) -> usize {
        let arenas = self.texts.bytes()
            + self.floats.bytes()
            + self.arrays.bytes()
            + self.sets.bytes()
            + self.nodes.bytes()
            + self.relations.bytes()
            + self.grids.bytes()
            + self.objects.bytes()
            + self.queues.bytes()
            + self.functions.bytes()
            + self.variables.bytes();
        let tables = self.text_table.allocation_size()
            + self.float_table.allocation_size()
            + self.frozen_table.allocation_size()
            + self.set_table.allocation_size()
            + self.node_table.allocation_size();
        let owned = self.texts.iter().map(|text| block(text.string.len())).sum::<usize>()
            + self.arrays.iter().map(|array| array.slots.bytes()).sum::<usize>()
            + self.sets.iter().map(|set| set.bytes()).sum::<usize>()
            + self.relations.iter().map(|relation| relation.bytes()).sum::<usize>()
            + self.grids.iter().map(|grid| grid.bytes()).sum::<usize>()
            + self.objects.iter().map(|object| object.bytes()).sum::<usize>()
            + self.queues.iter().map(|queue| queue.bytes()).sum::<usize>()
            + self.functions.iter().map(|closure| block(closure.captured.len() * 8)).sum::<usize>();
        arenas + tables + owned + row(&self.trail) + row(&self.globals) + self.memo.bytes()
    }
}
