//! Where what built-ins give, and what they put into collections, comes from.

use super::Origins;
use super::nodes::{CONSTANT, NOWHERE, Node, Whole};
use super::shadow::{Cell, Places};
use crate::bytecode::Register;
use crate::value::{Kind, Value};
use crate::vm::machine::Machine;

/// What a built-in does with collections, as far as it is more than looking at all that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    Computes,
    /// It looks at the size of a grid, not at its cells.
    LooksAtShape,
    /// What it writes comes from its last arguments.
    Pushes,
    Inserts,
    RemovesAt,
    Pops,
    RemovesKey,
    Fills,
    Enqueues,
    Dequeues,
    Peeks,
    /// What a place of a board may be comes from the third argument.
    Narrows,
    /// The new array has the elements of old ones.
    Copies,
    Slices,
    Concatenates,
    Reverses,
}

fn doing(name: &str) -> Doing {
    match name {
        "neighborsOf" | "neighbors8Of" | "positionsOf" | "widthOf" | "heightOf" | "inGrid" => Doing::LooksAtShape,
        "push" => Doing::Pushes,
        "insert" => Doing::Inserts,
        "removeAt" => Doing::RemovesAt,
        "pop" => Doing::Pops,
        "removeKey" => Doing::RemovesKey,
        "fill" => Doing::Fills,
        "enqueue" => Doing::Enqueues,
        "dequeue" => Doing::Dequeues,
        "peek" => Doing::Peeks,
        "narrow" | "__narrow" => Doing::Narrows,
        "copy" | "toArray" => Doing::Copies,
        "slice" => Doing::Slices,
        "concat" => Doing::Concatenates,
        "reversed" => Doing::Reverses,
        _ => Doing::Computes,
    }
}

/// A call of a built-in that is to be carried out.
#[derive(Clone, Debug)]
pub struct Called {
    doing: Doing,
    to: Register,
    /// What its result comes from, and what it writes.
    result: Node,
    pub written: Node,
    pub index: Node,
    collection: Value,
    /// The place that it changes.
    place: usize,
    /// What the elements of its result come from.
    elements: Option<Vec<Node>>,
    first: Value,
}

/// What a built-in has changed of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// A place has a new value.
    Place(usize),
    /// All places have.
    All,
}

impl Called {
    pub fn changed(&self) -> Option<Changed> {
        match self.doing {
            Doing::Pushes | Doing::Inserts => Some(Changed::Place(self.place)),
            Doing::Fills | Doing::Computes => Some(Changed::All),
            _ => None,
        }
    }
}

impl Origins {
    /// What everything in a collection comes from, as it is now.
    pub(super) fn whole_of(&mut self, value: Value) -> Node {
        if !matches!(value.kind(), Kind::Array | Kind::Object | Kind::Grid | Kind::Queue) {
            return NOWHERE;
        }
        let Some(places) = self.shadow.places(value) else { return NOWHERE };
        let nodes = || places.nodes().iter().copied().chain([self.shadow.rest(value)]).filter(|node| *node > CONSTANT);
        let is_small = places.nodes().len() <= MADE_OF;
        let places: Box<[Node]> = match is_small {
            true => nodes().collect(),
            // What was written to is found by its deeds.
            false => nodes().filter(|node| self.nodes.as_deed(*node).is_none()).take(MADE_OF).collect(),
        };
        let deeds = if is_small { 0 } else { self.deeds.len() };
        if is_small && places.is_empty() {
            return NOWHERE;
        }
        self.nodes.whole(Whole { collection: value, deeds, places })
    }

    /// Looks at a call of a built-in that comes next.
    pub(super) fn call_of_native(
        &mut self,
        machine: &Machine,
        native: u32,
        to: Register,
        values: &[Value],
        nodes: &[Node],
    ) -> Called {
        let doing = doing(machine.context.natives[native as usize].name.as_ref());
        let value = |at: usize| values.get(at).copied().unwrap_or(Value::NULL);
        let node = |at: usize| nodes.get(at).copied().unwrap_or(NOWHERE);
        let (queue, array) = (value(1), value(0));
        let heap = &machine.context.heap;
        let length = |value: Value| value.handle_of(Kind::Array).map_or(0, |array| heap.array_len(array));
        let index = |value: Value| value.as_integer().and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
        let written = self.all(nodes.iter().copied());
        let mut called = Called {
            doing,
            to,
            result: written,
            written,
            index: NOWHERE,
            collection: array,
            place: 0,
            elements: None,
            first: array,
        };
        match doing {
            Doing::LooksAtShape => {}
            Doing::Pushes => {
                (called.result, called.written, called.place) = (node(0), node(1), length(array));
            }
            Doing::Inserts => {
                (called.result, called.written, called.place) = (node(0), node(2), index(value(1)));
            }
            Doing::RemovesAt => {
                called.place = index(value(1));
                let is_there = called.place < length(array);
                let held = if is_there { self.held(array, called.place, node(0)) } else { node(0) };
                let looser = self.nodes.leading(written);
                called.result = self.both(held, looser);
            }
            Doing::Pops => {
                called.place = length(array).saturating_sub(1);
                let held = self.held(array, called.place, node(0));
                let looser = self.nodes.leading(written);
                called.result = self.both(held, looser);
            }
            Doing::RemovesKey => called.place = machine.place_of_key(array, value(1)).unwrap_or(usize::MAX),
            Doing::Narrows => (called.result, called.index, called.written) = (node(0), node(1), node(2)),
            Doing::Fills => (called.result, called.written) = (node(0), node(1)),
            Doing::Enqueues => {
                (called.result, called.written, called.collection) = (node(0), node(0), queue);
            }
            Doing::Dequeues | Doing::Peeks => called.result = node(0),
            Doing::Copies | Doing::Slices | Doing::Reverses if array.is_kind(Kind::Array) => {
                let mut elements = self
                    .shadow
                    .places(array)
                    .map_or_else(|| vec![node(0); length(array)], |all| all.all(length(array)));
                if doing == Doing::Reverses {
                    elements.reverse();
                }
                if doing == Doing::Slices {
                    let to = if values.len() > 2 { index(value(2)).min(elements.len()) } else { elements.len() };
                    elements = elements.get(index(value(1))..to).unwrap_or(&[]).to_vec();
                }
                called.elements = Some(elements);
                called.result = node(0);
            }
            Doing::Concatenates => {
                let mut elements = Vec::new();
                for (at, array) in values.iter().enumerate() {
                    let length = length(*array);
                    elements.extend(
                        self.shadow.places(*array).map_or_else(|| vec![node(at); length], |all| all.all(length)),
                    );
                }
                called.elements = Some(elements);
                called.result = NOWHERE;
            }
            Doing::Computes | Doing::Copies | Doing::Slices | Doing::Reverses => {
                let wholes: Vec<Node> = values.iter().map(|value| self.whole_of(*value)).collect();
                called.result = self.all(wholes.into_iter().chain([written]));
            }
        }
        called
    }

    /// A built-in was called.
    pub(super) fn end_native(&mut self, machine: &Machine, called: &Called, base: usize, is_prelude: bool) {
        let deciding = self.deciding();
        let to = base + called.to as usize;
        let result = machine.stack[to];
        let written = self.both(called.written, deciding);
        let mut node = called.result;
        match called.doing {
            // In the program it is a deed, which takes its place at once.
            Doing::Pushes if is_prelude => self.shadow.set(Cell::Place(called.collection, called.place), written),
            Doing::Inserts => self.shadow.insert_place(called.collection, called.place, written),
            Doing::RemovesAt | Doing::Pops | Doing::RemovesKey => {
                self.shadow.remove_place(called.collection, called.place);
            }
            Doing::Enqueues => self.shadow.set_waiting(called.collection, called.first, Some(written)),
            Doing::Dequeues | Doing::Peeks => {
                node = self.shadow.waiting(called.collection, result).unwrap_or(node);
                if called.doing == Doing::Dequeues {
                    self.shadow.set_waiting(called.collection, result, None);
                }
            }
            _ => {}
        }
        if let Some(elements) = &called.elements
            && elements.iter().any(|node| *node > NOWHERE)
        {
            self.shadow.set_places(result, Places::new(elements.clone(), NOWHERE));
        }
        let node = self.both(node, deciding);
        self.shadow.set(Cell::Register(to), node);
    }
}

/// Of a collection so many places are known one by one when it is looked at as a whole.
const MADE_OF: usize = 32;
