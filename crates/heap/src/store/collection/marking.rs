//! Marks what the roots reach.

use super::Collection;
use crate::kinds::text::Text;
use crate::sets::set::Set;
use crate::sets::treap::NIL;
use crate::store::arena::Arena;
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};

/// In a container with more places than this, this many are marked at a time, so that the work list stays short.
const CHUNK: usize = 64;

impl Heap {
    /// Marks a root; what it reaches is marked later.
    #[inline]
    pub(super) fn mark_root(&mut self, root: Value, collection: &mut Collection) {
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
                    self.mark_parts(root, 0, collection);
                }
            }
        }
    }

    /// Marks what the pending values reach, until nothing is pending or no visits are left.
    pub(super) fn mark_pending(&mut self, collection: &mut Collection, left: &mut usize) {
        while *left > 0 {
            let visits = if let Some(value) = collection.values.pop() {
                if self.mark(value) {
                    self.mark_parts(value, 0, collection)
                } else {
                    0
                }
            } else if let Some(node) = collection.nodes.pop() {
                self.mark_node(node, collection);
                0
            } else if let Some((value, done)) = collection.large.pop() {
                self.mark_parts(value, done, collection)
            } else {
                return;
            };
            *left = left.saturating_sub(visits + 1);
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

    /// Hands on the next parts of a value, from a place on; returns how many were visited.
    fn mark_parts(&mut self, value: Value, from: usize, collection: &mut Collection) -> usize {
        let mut visits = 0;
        if from == 0
            && matches!(value.kind(), Kind::Array | Kind::Grid | Kind::Object)
            && let Some(board) = self.board_of(value)
        {
            self.boards.mark(board);
            let board = &self.boards[board];
            visits += board.universe().len();
            enlist(
                board.universe(),
                &mut self.texts,
                &mut self.floats,
                &self.sets,
                collection,
            );
            collection.values.extend(board.values_of_functions());
        }
        let handle = value.payload();
        let parts: &[Value] = match value.kind() {
            Kind::Array => {
                let array = &self.arrays[handle];
                collection.values.extend(
                    array
                        .view()
                        .map(|view| Value::handle(Kind::Grid, view.grid)),
                );
                array.slots.values()
            }
            Kind::Set => {
                let root = self.sets[handle].root();
                if root != NIL {
                    collection.nodes.push(root);
                    return visits;
                }
                self.sets[handle].row()
            }
            Kind::Relation => {
                let pairs = &self.relations[handle].pairs;
                let end = pairs.len().min(from + CHUNK);
                for (left, right) in &pairs[from..end] {
                    enlist(
                        &[*left, *right],
                        &mut self.texts,
                        &mut self.floats,
                        &self.sets,
                        collection,
                    );
                }
                if end < pairs.len() {
                    collection.large.push((value, end));
                }
                return visits + 2 * (end - from);
            }
            Kind::Grid => self.grids[handle].slots.values(),
            Kind::Object => self.objects[handle].slots(),
            Kind::Queue => self.queues[handle].values(),
            Kind::Function => &self.functions[handle].captured,
            Kind::Variable => &[self.variables[handle].value],
            _ => &[],
        };
        let end = parts.len().min(from + CHUNK);
        enlist(
            &parts[from..end],
            &mut self.texts,
            &mut self.floats,
            &self.sets,
            collection,
        );
        if end < parts.len() {
            collection.large.push((value, end));
        }
        visits + end - from
    }

    /// Marks a node of a tree and its element, and hands on the nodes below.
    fn mark_node(&mut self, node: Handle, collection: &mut Collection) {
        if node != NIL && self.nodes.mark(node) {
            let node = self.nodes[node];
            collection.nodes.extend([node.left, node.right]);
            enlist(
                &[node.value],
                &mut self.texts,
                &mut self.floats,
                &self.sets,
                collection,
            );
        }
    }
}

/// Marks values without parts, and puts the rest on the list. Cells of a grid are often the same few sets: marked
/// ones are not added to it.
fn enlist(
    parts: &[Value],
    texts: &mut Arena<Text>,
    floats: &mut Arena<f64>,
    sets: &Arena<Set>,
    collection: &mut Collection,
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
            | Kind::Method => collection.values.push(*part),
            _ => {}
        }
    }
}
