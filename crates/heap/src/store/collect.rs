//! The garbage collector: marks from the roots with a work list, then sweeps every arena.

use super::arena::Arena;
use super::deep::BlockCache;
use super::heap::Heap;
use super::trail::Target;
use crate::board::Board;
use crate::kinds::growing::Buffer;
use crate::kinds::text::Text;
use crate::sets::set::Set;
use crate::sets::treap::NIL;
use crate::value::{Handle, Kind, Value};
use ndscript_base::keyed;
use ndscript_base::room::{block, row};

/// In a container with more places than this, this many are marked at a time, so that the work list stays short.
const CHUNK: usize = 64;

/// Objects that are reached but not traversed yet.
#[derive(Default)]
struct Work {
    values: Vec<Value>,
    /// Large containers, with the number of places that were handed on already.
    large: Vec<(Value, usize)>,
}

/// Marks values without parts, and puts the rest on the list. Cells of a grid are often the same few sets: marked
/// ones are not added to it.
fn enlist(
    parts: &[Value],
    texts: &mut Arena<Text>,
    floats: &mut Arena<f64>,
    sets: &Arena<Set>,
    work: &mut Work,
) {
    for part in parts {
        match part.kind() {
            Kind::Set if sets.is_marked(part.payload()) => {}
            Kind::Text => {
                texts.mark(part.payload());
            }
            Kind::BoxedFloat => {
                floats.mark(part.payload());
            }
            Kind::Array
            | Kind::Set
            | Kind::Relation
            | Kind::Grid
            | Kind::Object
            | Kind::Queue
            | Kind::Function
            | Kind::Variable
            | Kind::Host
            | Kind::Method => work.values.push(*part),
            _ => {}
        }
    }
}

/// A root of the collection.
pub enum Root {
    Value(Value),
    /// A tree of a large set that belongs to no set yet.
    Tree(Handle),
}

impl Heap {
    /// Frees everything that is not reachable from `roots`, from the values that `trace_roots` visits, or from the heap's
    /// own roots (globals and trail). The caller counts the bytes again and sets when the next collection is due.
    pub fn collect(
        &mut self,
        roots: impl IntoIterator<Item = Value>,
        trace_roots: impl FnOnce(&mut dyn FnMut(Root)),
    ) {
        let mut work = Work::default();
        trace_roots(&mut |root| match root {
            Root::Value(value) => self.mark_root(value, &mut work),
            Root::Tree(tree) => {
                self.mark_tree(tree, &mut work);
                self.mark_all(&mut work);
            }
        });
        self.mark_root(self.spent, &mut work);
        self.mark_root(self.rule_name, &mut work);
        self.mark_root(
            self.board_with_due_functions.unwrap_or(Value::NULL),
            &mut work,
        );
        let dead_end: Vec<Value> = self
            .dead_end
            .iter()
            .flat_map(|dead_end| dead_end.values())
            .collect();
        dead_end
            .into_iter()
            .for_each(|value| self.mark_root(value, &mut work));
        for root in roots {
            self.mark_root(root, &mut work);
        }
        for at in 0..self.globals.len() {
            self.mark_root(self.globals[at].value, &mut work);
        }
        let mut look = BlockCache::default();
        for at in 0..self.trail.len() {
            let Some(entry) = self.trail.look(at, &mut look) else {
                break;
            };
            self.mark_root(entry.old(), &mut work);
            if let Some(container) = entry.container() {
                self.mark_root(container, &mut work);
            }
            if entry.target() == Target::Buffer {
                self.buffers.mark(entry.handle());
            }
        }
        self.sweep();
        self.memo.clear();
    }

    /// Marks a root and all that it reaches.
    fn mark_root(&mut self, root: Value, work: &mut Work) {
        match root.kind() {
            Kind::Text => {
                self.texts.mark(root.payload());
            }
            Kind::BoxedFloat => {
                self.floats.mark(root.payload());
            }
            // Most roots are numbers and positions, or were met before.
            _ => {
                if self.mark(root) {
                    self.mark_parts(root, 0, work);
                    self.mark_all(work);
                }
            }
        }
    }

    /// Marks all that the pending values reach.
    fn mark_all(&mut self, work: &mut Work) {
        loop {
            if let Some(value) = work.values.pop() {
                if self.mark(value) {
                    self.mark_parts(value, 0, work);
                }
            } else if let Some((value, done)) = work.large.pop() {
                self.mark_parts(value, done, work);
            } else {
                return;
            }
        }
    }

    /// Marks a value that has parts; false if it was marked before.
    fn mark(&mut self, value: Value) -> bool {
        let handle = value.payload();
        match value.kind() {
            Kind::Array => self.arrays.mark(handle),
            Kind::Set => self.sets.mark(handle),
            Kind::Relation => self.relations.mark(handle),
            Kind::Grid => self.grids.mark(handle),
            Kind::Object => self.objects.mark(handle),
            Kind::Queue => self.queues.mark(handle),
            Kind::Function => self.functions.mark(handle),
            Kind::Variable => self.variables.mark(handle),
            Kind::Host | Kind::Method => self.hosts.places.mark(handle),
            _ => false,
        }
    }

    /// Hands on the next parts of a value, from a place on.
    fn mark_parts(&mut self, value: Value, from: usize, work: &mut Work) {
        if from == 0
            && matches!(value.kind(), Kind::Array | Kind::Grid | Kind::Object)
            && let Some(board) = self.board_of(value)
        {
            self.boards.mark(board);
            let universe = self.boards[board].universe();
            enlist(
                universe,
                &mut self.texts,
                &mut self.floats,
                &self.sets,
                work,
            );
            work.values.extend(self.boards[board].values_of_functions());
        }
        let handle = value.payload();
        let (texts, floats, sets) = (&mut self.texts, &mut self.floats, &self.sets);
        let parts: &[Value] = match value.kind() {
            Kind::Array => {
                let array = &self.arrays[handle];
                work.values.extend(
                    array
                        .view()
                        .map(|view| Value::handle(Kind::Grid, view.grid)),
                );
                array.slots.values()
            }
            Kind::Set => {
                let root = sets[handle].root();
                if root != NIL {
                    return self.mark_tree(root, work);
                }
                sets[handle].row()
            }
            Kind::Relation => {
                let pairs = &self.relations[handle].pairs;
                let end = pairs.len().min(from + CHUNK);
                for (left, right) in &pairs[from..end] {
                    enlist(&[*left, *right], texts, floats, sets, work);
                }
                if end < pairs.len() {
                    work.large.push((value, end));
                }
                return;
            }
            Kind::Grid => self.grids[handle].slots.values(),
            Kind::Object => self.objects[handle].slots(),
            Kind::Queue => self.queues[handle].values(),
            Kind::Function => &self.functions[handle].captured,
            Kind::Variable => &[self.variables[handle].value],
            _ => &[],
        };
        let end = parts.len().min(from + CHUNK);
        enlist(&parts[from..end], texts, floats, sets, work);
        if end < parts.len() {
            work.large.push((value, end));
        }
    }

    /// Marks all nodes of a tree and their elements.
    fn mark_tree(&mut self, tree: Handle, work: &mut Work) {
        let mut nodes = vec![tree];
        while let Some(at) = nodes.pop() {
            if at != NIL && self.nodes.mark(at) {
                let node = self.nodes[at];
                enlist(
                    &[node.value],
                    &mut self.texts,
                    &mut self.floats,
                    &self.sets,
                    work,
                );
                nodes.extend([node.left, node.right]);
            }
        }
    }

    /// Frees all objects without a mark.
    fn sweep(&mut self) {
        for at in 0..self.texts.places() as Handle {
            if self.texts.is_marked(at)
                && let Some(interned) = self.texts[at].known_interned()
            {
                self.texts.mark(interned);
            }
        }
        // Interned objects leave their tables first: the tables find them by content.
        let texts = &self.texts;
        self.text_table.retain(|handle| texts.is_marked(handle));
        let floats = &self.floats;
        self.float_table.retain(|handle| floats.is_marked(handle));
        let arrays = &self.arrays;
        self.frozen_table.retain(|handle| arrays.is_marked(handle));
        let sets = &self.sets;
        self.set_table.retain(|handle| sets.is_marked(handle));
        let nodes = &self.nodes;
        self.node_table.retain(|handle| nodes.is_marked(handle));
        let nothing = |_: Handle| ();
        for text in self
            .texts
            .handles()
            .filter(|text| self.texts.is_marked(*text))
        {
            let text = &self.texts[text];
            if let Some(buffer) = text.buffer() {
                self.buffers.mark(buffer);
                self.buffers[buffer].need(text.length());
            }
        }
        for at in 0..self.buffers.places() as Handle {
            if self.buffers[at]
                .continuation()
                .is_some_and(|next| !self.buffers.is_marked(next))
            {
                self.buffers[at].ends_here();
            }
        }
        self.buffers.sweep(nothing);
        self.buffers.iter_mut().for_each(Buffer::free_rest);
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
        self.boards.sweep(nothing);
        self.boards.iter_mut().for_each(Board::discard_sets);
        self.hosts.sweep();
        self.shrink_tables();
    }

    /// Shrinks the tables of interned values to what is left.
    fn shrink_tables(&mut self) {
        let texts = &self.texts;
        self.text_table
            .shrink(&|handle| texts[*handle].table_hash());
        let floats = &self.floats;
        self.float_table
            .shrink(&|handle| keyed::hash_word(floats[*handle].to_bits()));
        let arrays = &self.arrays;
        self.frozen_table
            .shrink(&|handle| arrays[*handle].table_hash());
    }

    /// Bytes of places that new objects fill before the heap grows.
    pub fn spare(&self) -> usize {
        self.texts.spare()
            + self.buffers.spare()
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
            + self.boards.spare()
            + self.hosts.places.spare()
    }

    /// The bytes that the heap owns, counted again.
    pub fn exact_bytes(&self) -> usize {
        let arenas = self.texts.bytes()
            + self.buffers.bytes()
            + self.floats.bytes()
            + self.arrays.bytes()
            + self.sets.bytes()
            + self.nodes.bytes()
            + self.relations.bytes()
            + self.grids.bytes()
            + self.objects.bytes()
            + self.queues.bytes()
            + self.functions.bytes()
            + self.variables.bytes()
            + self.boards.bytes();
        let tables = self.text_table.bytes()
            + self.float_table.bytes()
            + self.frozen_table.bytes()
            + self.set_table.bytes()
            + self.node_table.bytes();
        let owned = self.texts.iter().map(Text::bytes).sum::<usize>()
            + self.buffers.iter().map(Buffer::bytes).sum::<usize>()
            + self
                .arrays
                .iter()
                .map(|array| array.slots.bytes())
                .sum::<usize>()
            + self.sets.iter().map(|set| set.bytes()).sum::<usize>()
            + self
                .relations
                .iter()
                .map(|relation| relation.bytes())
                .sum::<usize>()
            + self.grids.iter().map(|grid| grid.bytes()).sum::<usize>()
            + self
                .objects
                .iter()
                .map(|object| object.bytes())
                .sum::<usize>()
            + self.queues.iter().map(|queue| queue.bytes()).sum::<usize>()
            + self.boards.iter().map(|board| board.bytes()).sum::<usize>()
            + self
                .functions
                .iter()
                .map(|closure| block(closure.captured.len() * 8))
                .sum::<usize>();
        arenas
            + tables
            + owned
            + self.hosts.bytes()
            + self.trail.bytes()
            + row(&self.globals)
            + self.memo.bytes()
    }
}
