//! The origins of what registers, variables and collections hold. Going back to a choice point restores them.

use super::nodes::{CONSTANT, NOWHERE, Node};
use ndscript_base::keyed::KeyedMap;
use ndscript_heap::Value;

/// Where a value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// On the stack of registers.
    Register(usize),
    /// A global variable in the heap.
    Global(usize),
    /// A place of a collection, a closure or a box.
    Place(Value, usize),
}

/// The known origins of the places of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceOrigins {
    nodes: Vec<Node>,
    /// The origin of the rest.
    rest: Node,
    aspects: KeyedMap<Aspect, Node>,
}

/// An aspect of a collection with an origin, apart from the values of its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aspect {
    /// The number of places, or which there are.
    Shape,
    /// Which value is where.
    Order,
    /// Whether a field exists.
    Key(Value),
    /// An item waiting in a queue: the value itself, or its ticket if it has a priority.
    Waiting(Value),
    /// A constraint on a board, by its number.
    Rule(u32),
}

/// An aspect uses as much memory as this many places.
const ASPECT: usize = 8;

/// A register or a global variable, and the latest choice when it was logged.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    node: Node,
    stamp: u64,
}

/// A waiting or running call: its decision, and its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub control: u32,
    pub call: u32,
}

#[derive(Clone, Debug)]
enum Undo {
    Register(usize, Slot),
    Global(usize, Slot),
    Place(Value, usize, Node),
    Collection(Value, Option<Box<PlaceOrigins>>),
    /// A place was added, or removed.
    Made(Value, usize),
    Gone(Value, usize, Node),
    Aspect(Value, Aspect, Option<Node>),
    Frame(usize, Frame),
    Latest(Cell, u32, Option<u32>),
}

#[derive(Clone, Debug, Default)]
pub struct Shadow {
    registers: Vec<Slot>,
    globals: Vec<Slot>,
    collections: KeyedMap<Value, PlaceOrigins>,
    frames: Vec<Frame>,
    /// The latest definition of a variable that is asked for, in a call.
    latest: KeyedMap<(Cell, u32), u32>,
    log: Vec<Undo>,
    /// The latest choice, the stamp of everything recorded since; 0 if none can be gone back to.
    choice: u64,
    places: usize,
}

impl Shadow {
    pub fn bytes(&self) -> usize {
        (self.registers.len() + self.globals.len()) * size_of::<Slot>()
            + self.collections.len() * 2 * (size_of::<PlaceOrigins>() + 8)
            + self.places * size_of::<Node>()
            + self.frames.len() * size_of::<Frame>()
            + self.log.capacity() * size_of::<Undo>()
    }

    /// Logs every later change; returns the length of the log.
    pub fn begin_choice(&mut self, choice: u64) -> usize {
        self.choice = choice;
        self.log.len()
    }

    /// Called when no choice is open any more: no failure restores anything.
    pub fn drop_choices(&mut self) {
        self.log = Vec::new();
        self.choice = 0;
    }

    pub fn has_choices(&self) -> bool {
        self.choice > 0
    }

    /// Undoes what was recorded since.
    pub fn go_back(&mut self, length: usize) {
        while self.log.len() > length {
            match self.log.pop() {
                Some(Undo::Register(at, slot)) => self.registers[at] = slot,
                Some(Undo::Global(at, slot)) => self.globals[at] = slot,
                Some(Undo::Place(collection, at, node)) => {
                    if let Some(place) = self
                        .collections
                        .get_mut(&collection)
                        .and_then(|places| places.nodes.get_mut(at))
                    {
                        *place = node;
                    }
                }
                Some(Undo::Collection(collection, places)) => {
                    self.put(collection, places.map(|places| *places));
                }
                Some(Undo::Made(collection, at)) => {
                    self.edit(collection, |places| {
                        places.nodes.remove(at);
                    });
                }
                Some(Undo::Gone(collection, at, node)) => {
                    self.edit(collection, |places| places.nodes.insert(at, node))
                }
                Some(Undo::Aspect(collection, aspect, before)) => self.edit(collection, |places| {
                    match before {
                        Some(node) => places.aspects.insert(aspect, node),
                        None => places.aspects.remove(&aspect),
                    };
                }),
                Some(Undo::Frame(at, frame)) => self.frames[at] = frame,
                Some(Undo::Latest(cell, call, before)) => {
                    match before {
                        Some(before) => self.latest.insert((cell, call), before),
                        None => self.latest.remove(&(cell, call)),
                    };
                }
                None => {}
            }
        }
    }

    /// Forgets the origins of collections that were freed.
    pub fn retain_collections(&mut self, is_alive: impl Fn(Value) -> bool) {
        self.collections
            .retain(|collection, _| is_alive(*collection));
        self.places = self.collections.values().map(PlaceOrigins::room).sum();
        self.latest
            .retain(|(cell, _), _| !matches!(cell, Cell::Place(holder, _) if !is_alive(*holder)));
    }

    pub fn get(&self, cell: Cell) -> Node {
        match cell {
            Cell::Register(at) => self.registers.get(at).map_or(NOWHERE, |slot| slot.node),
            Cell::Global(at) => self.globals.get(at).map_or(NOWHERE, |slot| slot.node),
            Cell::Place(collection, at) => self.place(collection, at).unwrap_or(NOWHERE),
        }
    }

    /// Sets the origin of what is stored somewhere, and logs the old one if a failure may restore it.
    pub fn set(&mut self, cell: Cell, node: Node) {
        let choice = self.choice;
        let (slots, at) = match cell {
            Cell::Register(at) => (&mut self.registers, at),
            Cell::Global(at) => (&mut self.globals, at),
            Cell::Place(collection, at) => return self.set_place(collection, at, node),
        };
        if at >= slots.len() {
            if node == NOWHERE && choice == 0 {
                return;
            }
            slots.resize(at + 1, Slot::default());
        }
        let slot = &mut slots[at];
        if slot.node == node {
            return;
        }
        let old = *slot;
        *slot = Slot {
            node,
            stamp: choice,
        };
        if old.stamp < choice {
            self.log.push(match cell {
                Cell::Register(_) => Undo::Register(at, old),
                _ => Undo::Global(at, old),
            });
        }
    }

    pub fn frame(&self, depth: usize) -> Frame {
        self.frames.get(depth).copied().unwrap_or_default()
    }

    pub fn set_frame(&mut self, depth: usize, frame: Frame) {
        if depth >= self.frames.len() {
            self.frames.resize(depth + 1, Frame::default());
        }
        if self.choice > 0 && self.frames[depth] != frame {
            self.log.push(Undo::Frame(depth, self.frames[depth]));
        }
        self.frames[depth] = frame;
    }

    /// The latest definition of a variable of a call.
    pub fn latest(&self, cell: Cell, call: u32) -> Option<u32> {
        self.latest.get(&(cell, call)).copied()
    }

    pub fn set_latest(&mut self, cell: Cell, call: u32, definition: u32) {
        let before = self.latest.insert((cell, call), definition);
        self.log_change(Undo::Latest(cell, call, before));
    }

    /// A variable is a new one, where another one was.
    pub fn clear_latest(&mut self, cell: Cell) {
        if let Some(before) = self.latest.remove(&(cell, 0)) {
            self.log_change(Undo::Latest(cell, 0, Some(before)));
        }
    }

    /// The origin of a place of a collection, if it is known.
    pub fn place(&self, collection: Value, at: usize) -> Option<Node> {
        let places = self.collections.get(&collection)?;
        let known = places
            .nodes
            .get(at)
            .copied()
            .filter(|node| *node != NOWHERE);
        known.or(Some(places.rest).filter(|node| *node != NOWHERE))
    }

    /// As `place`, if it is not only known through the rest of the collection.
    pub fn own_place(&self, collection: Value, at: usize) -> Option<Node> {
        self.collections
            .get(&collection)?
            .nodes
            .get(at)
            .copied()
            .filter(|node| *node > CONSTANT)
    }

    pub fn aspect(&self, collection: Value, aspect: Aspect) -> Node {
        let known = self
            .collections
            .get(&collection)
            .and_then(|places| places.aspects.get(&aspect));
        known.copied().unwrap_or(NOWHERE)
    }

    /// Sets the origin of an aspect of a collection, and logs the old one.
    pub fn set_aspect(&mut self, collection: Value, aspect: Aspect, node: Node) {
        let before = self
            .collections
            .get(&collection)
            .and_then(|places| places.aspects.get(&aspect))
            .copied();
        if before.unwrap_or(NOWHERE) == node {
            return;
        }
        self.know(collection, NOWHERE);
        self.edit(collection, |places| {
            match node {
                NOWHERE => places.aspects.remove(&aspect),
                node => places.aspects.insert(aspect, node),
            };
        });
        self.log_change(Undo::Aspect(collection, aspect, before));
    }

    /// A collection was made, perhaps with the handle of a freed one.
    pub fn make(&mut self, collection: Value, places: PlaceOrigins) {
        if places.nodes.iter().any(|node| *node > CONSTANT)
            || places.rest > CONSTANT
            || !places.aspects.is_empty()
        {
            self.set_places(collection, places);
        } else if self.collections.contains_key(&collection) {
            self.log_collection(collection);
            self.put(collection, None);
        }
    }

    /// All that is known of a collection.
    pub fn places(&self, collection: Value) -> Option<&PlaceOrigins> {
        self.collections.get(&collection)
    }

    /// The common origin of all places of a collection.
    pub fn rest(&self, collection: Value) -> Node {
        self.collections
            .get(&collection)
            .map_or(NOWHERE, |places| places.rest)
    }

    fn log_collection(&mut self, collection: Value) {
        if self.choice > 0 {
            let old = self.collections.get(&collection).cloned().map(Box::new);
            self.log.push(Undo::Collection(collection, old));
        }
    }

    /// Begins to know a collection of which nothing is known yet.
    pub fn know(&mut self, collection: Value, rest: Node) {
        if !self.collections.contains_key(&collection) {
            self.log_collection(collection);
            self.collections.insert(
                collection,
                PlaceOrigins {
                    rest,
                    ..PlaceOrigins::default()
                },
            );
        }
    }

    /// A collection is this from now on.
    pub fn set_places(&mut self, collection: Value, places: PlaceOrigins) {
        self.log_collection(collection);
        self.put(collection, Some(places));
    }

    /// Replaces the known origins of a collection, or removes them.
    fn put(&mut self, collection: Value, places: Option<PlaceOrigins>) {
        self.places += places.as_ref().map_or(0, PlaceOrigins::room);
        let before = match places {
            Some(places) => self.collections.insert(collection, places),
            None => self.collections.remove(&collection),
        };
        self.places -= before.as_ref().map_or(0, PlaceOrigins::room);
    }

    fn edit(&mut self, collection: Value, edit: impl FnOnce(&mut PlaceOrigins)) {
        if let Some(places) = self.collections.get_mut(&collection) {
            let before = places.room();
            edit(places);
            self.places = self.places + places.room() - before;
        }
    }

    fn log_change(&mut self, undo: Undo) {
        if self.choice > 0 {
            self.log.push(undo);
        }
    }

    /// The places from one on move up, and that one is new.
    pub fn insert_place(&mut self, collection: Value, at: usize, node: Node) {
        self.know(collection, NOWHERE);
        let Some(places) = self.collections.get_mut(&collection) else {
            return;
        };
        // Places after the known ones exist, too.
        if at <= places.nodes.len() {
            places.nodes.insert(at, node);
            self.places += 1;
            self.log_change(Undo::Made(collection, at));
        } else {
            self.set_place(collection, at, node);
        }
    }

    /// A place was removed, and those after it move down.
    pub fn remove_place(&mut self, collection: Value, at: usize) {
        let Some(places) = self.collections.get_mut(&collection) else {
            return;
        };
        if at < places.nodes.len() {
            let node = places.nodes.remove(at);
            self.places -= 1;
            self.log_change(Undo::Gone(collection, at, node));
        }
    }

    /// Sets the origin of a place of a collection, and logs the old one.
    fn set_place(&mut self, collection: Value, at: usize, node: Node) {
        self.know(collection, NOWHERE);
        let node = node.max(CONSTANT);
        let Some(places) = self.collections.get_mut(&collection) else {
            return;
        };
        if at >= places.nodes.len() {
            self.places += at + 1 - places.nodes.len();
            places.nodes.resize(at + 1, NOWHERE);
        }
        let old = std::mem::replace(&mut places.nodes[at], node);
        if self.choice > 0 && old != node {
            self.log.push(Undo::Place(collection, at, old));
        }
    }
}

impl PlaceOrigins {
    pub fn new(nodes: Vec<Node>, rest: Node) -> PlaceOrigins {
        PlaceOrigins {
            nodes,
            rest,
            ..PlaceOrigins::default()
        }
    }

    /// With the origin of an aspect, such as the number of places.
    pub fn with(mut self, aspect: Aspect, node: Node) -> PlaceOrigins {
        if node != NOWHERE {
            self.aspects.insert(aspect, node);
        }
        self
    }

    fn room(&self) -> usize {
        self.nodes.len() + ASPECT * self.aspects.len()
    }

    /// The origins of other aspects.
    pub fn aspects(&self) -> Vec<Node> {
        let tells = |aspect: &Aspect| matches!(aspect, Aspect::Shape | Aspect::Waiting(_));
        let mut all: Vec<Node> = self
            .aspects
            .iter()
            .filter(|(aspect, _)| tells(aspect))
            .map(|(_, node)| *node)
            .collect();
        all.sort_unstable();
        all
    }

    /// The known origins of the first places.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes of `length` places.
    pub fn all(&self, length: usize) -> Vec<Node> {
        let known = |at: usize| {
            self.nodes
                .get(at)
                .copied()
                .filter(|node| *node != NOWHERE)
                .unwrap_or(self.rest)
        };
        (0..length).map(known).collect()
    }
}
