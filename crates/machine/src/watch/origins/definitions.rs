//! Definitions: the writes and the guesses of the current branch, with the origins of each.

use std::sync::Arc;

use super::nodes::Node;
use crate::host::when::When;
use ndscript_base::keyed::KeyedMap;
use ndscript_base::source::Span;
use ndscript_heap::Value;

/// The target of a definition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DefinitionTarget {
    /// Nothing: it is a guess.
    Guess,
    /// Nothing: it was drawn, or asked for. In words, as no other report describes it later.
    Outside(Box<str>),
    /// The variable that is asked for: it, or another one of its name.
    Variable,
    /// A part of a collection.
    Part(Value, Part),
    /// A collection, with all its parts.
    Whole(Value),
    /// Which parts a collection has: some were taken away.
    Shape(Value),
}

/// A part of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Field(Arc<str>),
    Index(i64),
    Cell(i64, i64),
}

/// A write or a guess.
#[derive(Clone, Debug)]
pub struct Definition {
    pub when: When,
    pub span: Option<Span>,
    pub to: DefinitionTarget,
    /// The definitions that it came from.
    pub from: Box<[u32]>,
    /// The definition before it at the same place.
    pub before: Option<u32>,
    /// Whether the written value came from what `before` had written, too.
    pub keeps: bool,
    /// If it has only removed candidates: the origin of the place before that began.
    pub narrowed: Option<Node>,
    /// The value that was guessed.
    pub guessed: Option<Value>,
}

/// The definitions that one came from, and whether from what its place held before, too.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    pub from: Vec<u32>,
    pub keeps: bool,
    pub narrowed: Option<Node>,
    pub guessed: Option<Value>,
}

/// At most this many definitions are stored.
const MOST_DEFINITIONS: usize = 4_000_000;

/// Of the writes into a collection at most this many are reported.
const MOST_OF_WHOLE: usize = 24;

/// At most this many earlier definitions are searched to see whether one came from another.
const MOST_VISITED: usize = 200;

#[derive(Clone, Debug, Default)]
pub struct Definitions {
    list: Vec<Definition>,
    /// By the collection that was written to.
    by_collection: KeyedMap<Value, Vec<u32>>,
    /// The number of their dependencies, in all.
    sources: usize,
}

impl Definitions {
    pub fn list(&self) -> &[Definition] {
        &self.list
    }

    pub fn len(&self) -> u32 {
        self.list.len() as u32
    }

    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST_DEFINITIONS
    }

    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Definition>()
            + self.sources * size_of::<u32>()
            + self.by_collection.len() * 64
    }

    /// Adds a definition, and returns its number.
    pub fn push(&mut self, definition: Definition) -> u32 {
        let number = self.len();
        self.sources += definition.from.len();
        if let Some(collection) = definition.to.collection() {
            self.sources += 1;
            self.by_collection
                .entry(collection)
                .or_default()
                .push(number);
        }
        self.list.push(definition);
        number
    }

    /// Adds one of a branch that is over: its target does not exist any more.
    pub fn push_detached(&mut self, definition: Definition) -> u32 {
        self.sources += definition.from.len();
        self.list.push(definition);
        self.len() - 1
    }

    /// Adds a dependency on a definition made after this one by the same statement.
    pub fn add_source(&mut self, definition: u32, source: u32) {
        let Some(definition) = self
            .list
            .get_mut(definition as usize)
            .filter(|definition| !definition.from.contains(&source))
        else {
            return;
        };
        definition.from = std::iter::once(source)
            .chain(definition.from.iter().copied())
            .collect();
        self.sources += 1;
    }

    /// Forgets all definitions from a number on.
    pub fn cut_back(&mut self, length: u32) {
        let mut number = self.len();
        for definition in self.list.drain(length as usize..).rev() {
            number -= 1;
            self.sources -= definition.from.len();
            if let Some(all) = definition
                .to
                .collection()
                .and_then(|collection| self.by_collection.get_mut(&collection))
                && all.last() == Some(&number)
            {
                all.pop();
                self.sources -= 1;
            }
        }
    }

    /// Drops writes to collections that were freed.
    pub fn retain_collections(&mut self, is_alive: impl Fn(Value) -> bool) {
        self.by_collection.retain(|collection, all| {
            let stays = is_alive(*collection);
            if !stays {
                self.sources -= all.len();
            }
            stays
        });
    }

    /// The last write to each part of a collection among the first `before` definitions, the latest first.
    pub fn put_into(&self, collection: Value, before: u32) -> Vec<u32> {
        let all = self
            .by_collection
            .get(&collection)
            .map_or(&[][..], |all| &all[..]);
        let all = &all[..all.partition_point(|number| *number < before)];
        let mut found: Vec<u32> = Vec::new();
        for number in all.iter().rev().copied() {
            let to = &self.list[number as usize].to;
            if found
                .iter()
                .all(|known| self.list[*known as usize].to != *to)
            {
                found.push(number);
            }
            // Writes before the last write to all parts do not count.
            if found.len() >= MOST_OF_WHOLE || matches!(to, DefinitionTarget::Whole(_)) {
                break;
            }
        }
        found
    }

    /// Whether `definition` is `later`, or one before it at the same place.
    pub fn is_at_or_before(&self, definition: u32, later: u32) -> bool {
        let mut before = Some(later).filter(|later| *later >= definition);
        for _ in 0..MOST_VISITED {
            match before {
                Some(known) if known > definition => before = self.list[known as usize].before,
                _ => break,
            }
        }
        before == Some(definition)
    }

    /// Whether one came from another, at most [`MOST_VISITED`] steps back.
    pub fn came_from(&self, definitions: &[u32], wanted: u32) -> bool {
        let mut seen: Vec<u32> = definitions.to_vec();
        let mut at = 0;
        while let Some(number) = seen.get(at).copied().filter(|_| at < MOST_VISITED) {
            at += 1;
            let definition = &self.list[number as usize];
            if definition.from.contains(&wanted) {
                return true;
            }
            let older = definition
                .from
                .iter()
                .copied()
                .filter(|from| *from > wanted);
            let new: Vec<u32> = older.filter(|from| !seen.contains(from)).collect();
            seen.extend(new);
        }
        false
    }
}

impl DefinitionTarget {
    pub fn collection(&self) -> Option<Value> {
        match self {
            DefinitionTarget::Part(collection, _)
            | DefinitionTarget::Whole(collection)
            | DefinitionTarget::Shape(collection) => Some(*collection),
            DefinitionTarget::Guess | DefinitionTarget::Outside(_) | DefinitionTarget::Variable => {
                None
            }
        }
    }

    /// Whether it is where a value begins, and no write.
    pub fn is_beginning(&self) -> bool {
        matches!(self, DefinitionTarget::Guess | DefinitionTarget::Outside(_))
    }
}
