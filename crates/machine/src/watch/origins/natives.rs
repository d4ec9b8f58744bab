//! The origins of what built-ins return, and of what they put into collections.

use super::collections::{is_collection, places_of};
use super::definitions::{DefinitionTarget, Dependencies};
use super::nodes::{NOWHERE, Node};
use super::shadow::{Aspect, Cell, PlaceOrigins};
use super::{FoundEmpty, Origins};
use crate::machine::Machine;
use crate::natives::effect::{NativeEffect, OutsideSource};
use crate::natives::native::{Control, Native};
use crate::watch::EventPoint;
use ndscript_bytecode::Register;
use ndscript_heap::{Kind, Value};

/// The effect of a call, where it depends on the arguments.
fn effect_of(native: &Native, first: Value) -> NativeEffect {
    let is_array = first.is_kind(Kind::Array);
    match native.effect {
        NativeEffect::Lists if is_array => NativeEffect::Copies,
        NativeEffect::Lists if first.is_kind(Kind::Object) => NativeEffect::ListsKeys,
        NativeEffect::Lists if first.is_kind(Kind::Grid) => NativeEffect::LooksAtShape,
        NativeEffect::Lists => NativeEffect::Computes,
        NativeEffect::Slices | NativeEffect::Reverses | NativeEffect::Zips if !is_array => {
            NativeEffect::Computes
        }
        effect => effect,
    }
}

/// A call of a built-in before it is carried out.
#[derive(Clone, Debug)]
pub struct NativeCall {
    pub(super) effect: NativeEffect,
    outside: Option<OutsideSource>,
    /// The register of its first argument.
    pub(super) first: Option<usize>,
    to: Register,
    /// The origins of its result, and of what it writes.
    pub(super) result: Node,
    pub written: Node,
    pub index: Node,
    collection: Value,
    /// The place that it changes, or how many wait in a queue.
    place: usize,
    /// The key that it removes, or the one that represents an item waiting in a queue.
    key: Value,
    /// The origin of a priority.
    priority: Node,
    /// The origins of the elements of its result.
    pub(super) elements: Option<Vec<Node>>,
    /// The origin of the number of elements in its result.
    pub(super) shape: Node,
    /// The first two arguments; null if there are fewer.
    pub(super) first_arguments: [Value; 2],
    /// How many constraints there were on the board.
    constraints: usize,
    has_priorities: bool,
}

/// The origins of the alternatives of a choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfferedOrigins {
    /// The collection that has one of its elements chosen, if it is one.
    pub elements: Option<Value>,
    /// The origin of all of them.
    pub all: Node,
    /// The origin of the weights.
    pub loose: Node,
}

/// What a built-in has changed in a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionChange {
    /// A place has a new value.
    Place(usize),
    /// All places have.
    All,
    /// Places were removed.
    Shape,
}

impl NativeCall {
    /// What it changes in the collection, if anything.
    pub fn collection_change(&self) -> Option<CollectionChange> {
        match self.effect {
            NativeEffect::Pushes | NativeEffect::Inserts => {
                Some(CollectionChange::Place(self.place))
            }
            NativeEffect::Fills | NativeEffect::Computes => Some(CollectionChange::All),
            NativeEffect::Pops | NativeEffect::RemovesAt | NativeEffect::RemovesKey => {
                Some(CollectionChange::Shape)
            }
            _ => None,
        }
    }

    /// Whether it repeats what the cheapest branch has done.
    pub fn is_best(&self) -> bool {
        self.effect == NativeEffect::Controls(Control::Best)
    }

    /// The origins of its alternatives, if it makes a choice.
    pub fn offers(&self) -> OfferedOrigins {
        let elements = Some(self.collection);
        match self.effect {
            NativeEffect::Picks => OfferedOrigins {
                elements,
                all: self.result,
                loose: NOWHERE,
            },
            NativeEffect::Controls(Control::Guess) => OfferedOrigins {
                elements: None,
                all: self.result,
                loose: NOWHERE,
            },
            NativeEffect::Controls(Control::ChooseWeighted | Control::GuessWeighted) => {
                OfferedOrigins {
                    elements,
                    all: self.result,
                    loose: self.result,
                }
            }
            _ => OfferedOrigins::default(),
        }
    }

    /// What removing places changes in a collection.
    pub fn aspects(&self) -> Vec<Aspect> {
        match self.effect {
            NativeEffect::RemovesKey => vec![Aspect::Shape, Aspect::Key(self.key)],
            NativeEffect::RemovesAt => vec![Aspect::Shape, Aspect::Order],
            _ => vec![Aspect::Shape],
        }
    }
}

fn constraints_on(machine: &Machine, board: Value) -> usize {
    let heap = &machine.context.heap;
    heap.constrained(board)
        .map_or(0, |board| heap.boards[board].solver.constraints().len())
}

fn waiting_in(machine: &Machine, queue: Value) -> usize {
    queue
        .handle_of(Kind::Queue)
        .map_or(0, |queue| machine.context.heap.queues[queue].len())
}

impl Origins {
    /// The origins of the result of a call that comes next, and of what it writes, by the effect of the built-in.
    pub(super) fn call_of_native(
        &mut self,
        machine: &Machine,
        native: u32,
        to: Register,
        values: &[Value],
        nodes: &[Node],
    ) -> NativeCall {
        let value = |at: usize| values.get(at).copied().unwrap_or(Value::NULL);
        let node = |at: usize| nodes.get(at).copied().unwrap_or(NOWHERE);
        let first = value(0);
        let native = &machine.context.natives[native as usize];
        let effect = effect_of(native, first);
        let heap = &machine.context.heap;
        let length = |value: Value| places_of(machine, value);
        let index = |value: Value| {
            value
                .as_integer()
                .and_then(|at| usize::try_from(at).ok())
                .unwrap_or(0)
        };
        let shape_of =
            |origins: &Origins, at: usize| origins.shadow.aspect(value(at), Aspect::Shape);
        let written = self.all(nodes.iter().copied());
        let mut called = NativeCall {
            effect,
            outside: native.outside,
            first: None,
            to,
            result: written,
            written,
            index: NOWHERE,
            collection: first,
            place: 0,
            key: Value::NULL,
            priority: NOWHERE,
            elements: None,
            shape: NOWHERE,
            first_arguments: [first, value(1)],
            constraints: 0,
            has_priorities: false,
        };
        match effect {
            NativeEffect::LooksAtShape | NativeEffect::Requires => {}
            NativeEffect::Counts => {
                let shape = shape_of(self, 0);
                called.result = self.both(node(0), shape);
            }
            NativeEffect::HasKey => {
                let key = self.shadow.aspect(first, Aspect::Key(value(1)));
                called.result = self.both(written, key);
            }
            NativeEffect::ListsKeys => {
                called.shape = shape_of(self, 0);
                called.elements = Some(vec![called.shape; length(first)]);
                called.result = node(0);
            }
            NativeEffect::Pushes => {
                (called.result, called.written, called.place) = (node(0), node(1), length(first));
                called.index = shape_of(self, 0);
            }
            NativeEffect::Inserts => {
                (called.result, called.written, called.place) = (node(0), node(2), index(value(1)));
                called.index = node(1);
            }
            NativeEffect::RemovesAt | NativeEffect::Pops => {
                let last = length(first).saturating_sub(1);
                called.place = if effect == NativeEffect::Pops {
                    last
                } else {
                    index(value(1))
                };
                let exists = called.place < length(first);
                let old = if exists {
                    self.origin_of_place(first, called.place, node(0))
                } else {
                    node(0)
                };
                let leading = if effect == NativeEffect::Pops {
                    shape_of(self, 0)
                } else {
                    self.shadow.aspect(first, Aspect::Order)
                };
                let leading = self.both(written, leading);
                let indirect = self.nodes.as_lead(leading);
                called.result = self.both(old, indirect);
                called.index = node(1);
            }
            NativeEffect::RemovesKey => {
                (called.place, called.key) = (
                    machine.place_of_key(first, value(1)).unwrap_or(usize::MAX),
                    value(1),
                );
                called.index = node(1);
            }
            NativeEffect::Narrows => {
                (called.result, called.index, called.written) = (node(0), node(1), node(2))
            }
            NativeEffect::Constrains => {
                let wholes: Vec<Node> = values
                    .iter()
                    .skip(1)
                    .map(|value| self.whole_of(machine, *value))
                    .collect();
                called.result = node(0);
                called.written = self.all(wholes.into_iter().chain(nodes.iter().skip(1).copied()));
                called.constraints = constraints_on(machine, first);
            }
            NativeEffect::Fills => (called.result, called.written) = (node(0), node(1)),
            NativeEffect::Enqueues => {
                (called.result, called.written, called.collection) = (node(0), node(0), value(1));
                (called.priority, called.place) = (node(2), waiting_in(machine, value(1)));
                let queue = value(1)
                    .handle_of(Kind::Queue)
                    .map(|queue| &heap.queues[queue]);
                let ticket = queue
                    .filter(|queue| queue.has_priorities)
                    .map(|queue| queue.tickets().0);
                (called.key, called.has_priorities) = (ticket.unwrap_or(first), ticket.is_some());
            }
            NativeEffect::Dequeues | NativeEffect::Peeks => {
                let queue = first
                    .handle_of(Kind::Queue)
                    .map(|queue| &heap.queues[queue]);
                let ticket = queue
                    .filter(|queue| queue.has_priorities)
                    .and_then(|queue| queue.tickets().1);
                called.key = ticket.unwrap_or_else(|| {
                    queue
                        .and_then(|queue| queue.first_waiting())
                        .unwrap_or(Value::NULL)
                });
                let waiting = self.shadow.aspect(first, Aspect::Waiting(called.key));
                let order = self.shadow.aspect(first, Aspect::Order);
                let order = self.nodes.as_decision(order);
                let leading = self.nodes.as_lead(node(0));
                called.result = self.all([waiting, order, leading]);
            }
            NativeEffect::Picks => {
                let whole = self.whole_of(machine, first);
                called.result = self.both(written, whole);
            }
            NativeEffect::Controls(Control::Guess) => {
                (called.result, called.written) = (node(0), node(0))
            }
            NativeEffect::Controls(
                Control::ChooseWeighted | Control::DrawWeighted | Control::GuessWeighted,
            ) => {
                let weights = self.whole_of(machine, value(1));
                called.result = self.all([node(0), node(1), weights]);
            }
            NativeEffect::CopiesDeeply | NativeEffect::Names => called.result = node(0),
            NativeEffect::FindsPlaces => {
                let whole = self.whole_of(machine, first);
                let all = self.both(written, whole);
                called.result = self.nodes.as_lead(all);
            }
            _ if self.arranges(machine, &mut called, values, nodes) => {}
            _ => {
                let wholes: Vec<Node> = values
                    .iter()
                    .map(|value| self.whole_of(machine, *value))
                    .collect();
                called.result = self.all(wholes.into_iter().chain([written]));
                if effect == NativeEffect::Rearranges {
                    called.shape = shape_of(self, 0);
                }
            }
        }
        called
    }

    /// A built-in was called.
    pub(super) fn end_native(
        &mut self,
        machine: &Machine,
        at: EventPoint,
        called: &NativeCall,
        base: usize,
        is_prelude: bool,
    ) {
        let deciding = self.deciding();
        let to = base + called.to as usize;
        let result = machine.stack[to];
        let written = self.both(called.written, deciding);
        let collection = called.collection;
        let mut node = called.result;
        match called.effect {
            NativeEffect::Pushes => {
                // In the program it is a definition, which is recorded at once.
                if is_prelude {
                    self.shadow
                        .set(Cell::Place(collection, called.place), written);
                }
                let leading = self.nodes.as_lead(called.result);
                let why = self.both(deciding, leading);
                self.add_aspect(collection, Aspect::Shape, why);
            }
            NativeEffect::Inserts => {
                self.shadow.insert_place(collection, called.place, written);
                let order = self.both(called.index, deciding);
                self.add_aspect(collection, Aspect::Shape, deciding);
                self.add_aspect(collection, Aspect::Order, order);
            }
            NativeEffect::RemovesAt | NativeEffect::Pops | NativeEffect::RemovesKey => {
                self.shadow.remove_place(collection, called.place);
                let why = self.both(called.index, deciding);
                for aspect in called.aspects() {
                    self.add_aspect(collection, aspect, why);
                }
            }
            NativeEffect::Enqueues if waiting_in(machine, collection) > called.place => {
                let order = self.both(called.priority, deciding);
                self.shadow
                    .set_aspect(collection, Aspect::Waiting(called.key), written);
                self.add_aspect(collection, Aspect::Shape, deciding);
                if called.has_priorities {
                    self.add_aspect(collection, Aspect::Order, order);
                }
            }
            NativeEffect::Dequeues => {
                self.shadow
                    .set_aspect(collection, Aspect::Waiting(called.key), NOWHERE);
                self.add_aspect(collection, Aspect::Shape, deciding);
                if waiting_in(machine, collection) == 0 {
                    self.shadow.set_aspect(collection, Aspect::Order, NOWHERE);
                }
            }
            NativeEffect::Constrains => {
                for rule in called.constraints..constraints_on(machine, collection) {
                    self.shadow
                        .set_aspect(collection, Aspect::Rule(rule as u32), written);
                }
            }
            NativeEffect::CopiesDeeply => self.copied_deeply(machine, collection, result),
            NativeEffect::Counts if result == Value::TRUE || result == Value::ZERO => {
                self.found_empty = called.first.map(|register| FoundEmpty {
                    next: machine.pc,
                    collection,
                    register,
                });
            }
            NativeEffect::Zips => self.zipped(machine, result, called),
            NativeEffect::Picks => node = self.picked(machine, collection, result, node),
            NativeEffect::Requires => self.required(written),
            NativeEffect::Rearranges => {
                self.collection_made(result, called.result, called.shape);
                if called.outside == Some(OutsideSource::Shuffled) {
                    let definition = self.add_write(
                        at,
                        DefinitionTarget::Outside("shuffled".into()),
                        Dependencies::default(),
                        None,
                    );
                    let drawn = self.nodes.definition(definition);
                    self.add_aspect(result, Aspect::Order, drawn);
                }
            }
            // Known values lay somewhere before.
            NativeEffect::Computes | NativeEffect::FindsPlaces
                if is_collection(result)
                    && !called.first_arguments.contains(&result)
                    && self.shadow.places(result).is_none() =>
            {
                self.collection_made(result, called.result, called.result);
            }
            NativeEffect::Controls(control) => {
                self.shadow.set(Cell::Register(to), NOWHERE);
                return self.end_control(machine, at, control, called, to);
            }
            _ => {}
        }
        if called.effect == NativeEffect::Copies
            && collection.kind() == result.kind()
            && let Some(places) = self.shadow.places(collection).cloned()
        {
            self.shadow.make(result, places);
        } else if let Some(elements) = &called.elements {
            self.shadow.make(
                result,
                PlaceOrigins::new(elements.clone(), NOWHERE).with(Aspect::Shape, called.shape),
            );
        }
        let node = self
            .begins_outside(machine, at, called, result)
            .unwrap_or(node);
        let node = self.both(node, deciding);
        self.shadow.set(Cell::Register(to), node);
    }

    /// Drawn and asked values begin there.
    fn begins_outside(
        &mut self,
        machine: &Machine,
        at: EventPoint,
        called: &NativeCall,
        result: Value,
    ) -> Option<Node> {
        let words = match called.outside? {
            OutsideSource::Shuffled => return None,
            OutsideSource::Drawn => format!("drew {}", machine.context.brief(result)),
            OutsideSource::Asked => format!("asked {}", machine.context.brief(called.collection)),
        };
        let offered = OfferedOrigins {
            elements: Some(called.collection),
            all: called.result,
            loose: NOWHERE,
        };
        let from = self.offered(machine, offered, result);
        let definition = self.add_write(
            at,
            DefinitionTarget::Outside(words.into()),
            Dependencies {
                from,
                ..Dependencies::default()
            },
            None,
        );
        Some(self.nodes.definition(definition))
    }

    /// Records the origin of the result of a built-in that the machine carries out itself.
    fn end_control(
        &mut self,
        machine: &Machine,
        at: EventPoint,
        control: Control,
        called: &NativeCall,
        to: usize,
    ) {
        let drawn = self.begins_outside(machine, at, called, machine.stack[to]);
        let node = match control {
            _ if drawn.is_some() => drawn.unwrap_or(NOWHERE),
            // A value drawn by weights is one of the elements, and depends on all weights.
            Control::ChooseWeighted | Control::DrawWeighted | Control::GuessWeighted => {
                let element =
                    self.picked(machine, called.collection, machine.stack[to], called.result);
                let weights = self.nodes.as_decision(called.result);
                self.both(element, weights)
            }
            _ => called.result,
        };
        let node = self.both(node, self.deciding());
        self.shadow.set(Cell::Register(to), node);
        self.controlled(machine, control, called.collection, called.written, to);
    }
}
