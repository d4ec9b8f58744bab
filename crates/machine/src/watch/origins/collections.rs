//! Collections: which of them are reachable, what they hold, and the origins of all of that.

use super::Origins;
use super::definitions::Part;
use super::nodes::{CONSTANT, NOWHERE, Node, WholeRead};
use super::shadow::{Aspect, PlaceOrigins};
use crate::machine::Machine;
use ndscript_base::keyed::KeyedSet;
use ndscript_heap::{Kind, Value};

/// When a collection is read as a whole, at most this many places are recorded one by one.
const MADE_OF: usize = 32;

/// At most this many places, and this many collections, are searched for collections within.
const PLACES_WITHIN: usize = 256;
const WITHIN: usize = 32;

/// When a value is copied deeply, at most this many of its collections are followed.
const MOST_COPIED: usize = 1 << 14;

/// Whether a value has parts that are read one by one.
pub fn is_collection(value: Value) -> bool {
    matches!(
        value.kind(),
        Kind::Array | Kind::Object | Kind::Grid | Kind::Queue
    )
}

/// Whether a value has places, each with a value.
fn has_places(value: Value) -> bool {
    matches!(value.kind(), Kind::Array | Kind::Object | Kind::Grid)
}

/// Whether the object that a value refers to still exists.
pub fn is_alive(machine: &Machine, value: Value) -> bool {
    let (heap, handle) = (&machine.context.heap, value.payload());
    match value.kind() {
        Kind::Array => heap.arrays.is_used(handle),
        Kind::Object => heap.objects.is_used(handle),
        Kind::Grid => heap.grids.is_used(handle),
        Kind::Queue => heap.queues.is_used(handle),
        Kind::Function => heap.functions.is_used(handle),
        Kind::Variable => heap.variables.is_used(handle),
        _ => false,
    }
}

pub fn part_of(machine: &Machine, key: Value) -> Option<Part> {
    if let Some((x, y)) = key.as_position() {
        return Some(Part::Cell(x, y));
    }
    let index = key.as_integer().map(Part::Index);
    index.or_else(|| Some(Part::Field(machine.context.heap.as_str(key)?.into())))
}

/// How many places a collection has, if each of them has a value.
pub fn places_of(machine: &Machine, value: Value) -> usize {
    if has_places(value) {
        machine.context.heap.places_of(value)
    } else {
        0
    }
}

/// The collections in the first places of another one, in those of these, and so on, the outermost first.
fn all_within(machine: &Machine, value: Value) -> Vec<Value> {
    let mut found = Vec::new();
    found.extend(is_collection(value).then_some(value));
    let mut at = 0;
    while let Some(collection) = found.get(at).copied() {
        at += 1;
        for place in 0..places_of(machine, collection).min(PLACES_WITHIN) {
            let content = machine.context.heap.at_place(collection, place);
            if found.len() < WITHIN && is_collection(content) && !found.contains(&content) {
                found.push(content);
            }
        }
    }
    found
}

impl Origins {
    /// The origin of everything in a collection as it is now, with what lies within its places.
    pub(super) fn whole_of(&mut self, machine: &Machine, value: Value) -> Node {
        if !is_collection(value) {
            return NOWHERE;
        }
        let wholes: Vec<Node> = all_within(machine, value)
            .into_iter()
            .map(|collection| self.whole_of_one(collection))
            .collect();
        self.all(wholes)
    }

    /// The origin of everything in one collection; of a large one the parts that were written are found later.
    fn whole_of_one(&mut self, value: Value) -> Node {
        let Some(places) = self.shadow.places(value) else {
            return NOWHERE;
        };
        let aspects = places.aspects();
        let nodes = || {
            places
                .nodes()
                .iter()
                .copied()
                .chain([self.shadow.rest(value)])
                .chain(aspects.iter().copied())
                .filter(|node| *node > CONSTANT)
        };
        let is_small = places.nodes().len() <= MADE_OF;
        let places: Box<[Node]> = match is_small {
            true => nodes().collect(),
            // Written parts are found by their definitions.
            false => nodes()
                .filter(|node| self.nodes.as_definition(*node).is_none())
                .take(MADE_OF)
                .collect(),
        };
        let definitions = if is_small { 0 } else { self.definitions.len() };
        if is_small && places.is_empty() {
            return NOWHERE;
        }
        self.nodes.whole(WholeRead {
            collection: value,
            definitions,
            places,
        })
    }

    /// The origin of each element of a collection, where `reference` is the origin of what leads to the collection.
    pub(super) fn elements_of(
        &self,
        machine: &Machine,
        value: Value,
        reference: Node,
    ) -> Vec<Node> {
        let length = places_of(machine, value);
        let known = |at| self.shadow.place(value, at).unwrap_or(reference);
        (0..length).map(known).collect()
    }

    /// The origins of the elements that a value may be.
    pub(super) fn picked(
        &mut self,
        machine: &Machine,
        collection: Value,
        value: Value,
        all: Node,
    ) -> Node {
        let length = places_of(machine, collection);
        if length > PLACES_WITHIN || !collection.is_kind(Kind::Array) {
            return all;
        }
        let heap = &machine.context.heap;
        let nodes = (0..length).filter(|at| heap.at_place(collection, *at) == value);
        let nodes: Vec<Option<Node>> = nodes.map(|at| self.shadow.place(collection, at)).collect();
        if nodes.is_empty() || nodes.contains(&None) {
            return all;
        }
        self.all(nodes.into_iter().flatten())
    }

    /// A collection was copied with everything in it.
    pub(super) fn copied_deeply(&mut self, machine: &Machine, from: Value, to: Value) {
        let mut seen = KeyedSet::default();
        let mut open = vec![(from, to)];
        while let Some((from, to)) = open.pop() {
            if from == to
                || !is_collection(from)
                || from.kind() != to.kind()
                || seen.len() >= MOST_COPIED
                || !seen.insert(from)
            {
                continue;
            }
            if let Some(places) = self.shadow.places(from).cloned() {
                self.shadow.make(to, places);
            }
            let heap = &machine.context.heap;
            let length = places_of(machine, from).min(places_of(machine, to));
            open.extend((0..length).map(|at| (heap.at_place(from, at), heap.at_place(to, at))));
        }
    }

    /// The last writes to each place of a collection and of those within, the latest first, or what it was made of.
    pub fn of_contents(&self, machine: &Machine, collection: Value) -> Vec<u32> {
        let (mut all, mut looked_at) = (Vec::new(), 0);
        for collection in all_within(machine, collection) {
            let Some(places) = self.shadow.places(collection) else {
                continue;
            };
            let others = places
                .aspects()
                .into_iter()
                .chain([self.shadow.rest(collection)]);
            for node in places.nodes().iter().copied().chain(others) {
                match self.nodes.as_definition(node) {
                    Some(definition) => all.push(definition),
                    None if looked_at < super::looking::MOST_PLACES => {
                        looked_at += 1;
                        all.extend(self.found(node));
                    }
                    None => {}
                }
            }
        }
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.dedup();
        all
    }

    /// What decided how many places a collection has, or which come first.
    pub(super) fn add_aspect(&mut self, collection: Value, aspect: Aspect, node: Node) {
        let known = self.shadow.aspect(collection, aspect);
        let node = self.both(known, node);
        self.shadow.set_aspect(collection, aspect, node);
    }

    /// A built-in has made a collection whose places have the origin `rest`, and their number the origin `shape`.
    pub(super) fn collection_made(&mut self, collection: Value, rest: Node, shape: Node) {
        if is_collection(collection) {
            self.shadow.make(
                collection,
                PlaceOrigins::new(Vec::new(), rest).with(Aspect::Shape, shape),
            );
        }
    }
}
