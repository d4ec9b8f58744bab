//! Values of host types: states that only the host understands, and the rules it has given for them.
//!
//! A value is an object like any other: it has a place in an arena, a stamp, and entries in the trail. A state that
//! the trail saves, as a clone or a memento, has its own place in the same arena: the entry refers to it as to any
//! old value, so that tracing, dropping, forking and saving entries covers states, too.

mod in_heap;

use crate::outside::data::Data;
use crate::store::arena::Arena;
use crate::value::{Handle, Value};
use ndscript_base::room;
use std::any::{Any, TypeId};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A host value, or the state that the trail saves of one.
pub type State = Box<dyn Any + Send>;

/// A reference to a state.
pub type HostState = dyn Any + Send;

/// A function of the host on a state.
pub type OnState<T> = Box<dyn Fn(&HostState) -> T + Send + Sync>;

/// Makes a state from another one; `None` if that has another type.
pub type StateOf = OnState<Option<State>>;

/// The host's order of states.
pub type StateOrder = Box<dyn Fn(&HostState, &HostState) -> Ordering + Send + Sync>;

/// The host's equality of states.
pub type StateEquality = Box<dyn Fn(&HostState, &HostState) -> bool + Send + Sync>;

/// Restores a state from a memento.
pub type PutBack = Box<dyn Fn(&mut HostState, State) + Send + Sync>;

/// Reads a saved state; allocates no more than this many bytes.
pub type LoadState = Box<dyn Fn(&[u8], usize) -> Result<State, String> + Send + Sync>;

/// The rules of the host for one of its types.
pub struct TypeRules {
    pub id: TypeId,
    pub name: &'static str,
    /// Whether some method changes values of the type.
    pub changes: bool,
    pub clone: Option<StateOf>,
    pub undo: StateUndo,
    pub order: Option<StateOrder>,
    /// What `==` does where there is no order.
    pub equality: Option<StateEquality>,
    pub show: Option<OnState<String>>,
    /// The bytes of a state, including its own place.
    pub size: OnState<usize>,
    pub data: Option<OnState<Data>>,
    pub save: Option<SavedStates>,
}

/// How changes of a value are undone.
pub enum StateUndo {
    /// Not at all: the state is the host's.
    Outside,
    /// By a clone from before the change.
    Clone,
    Memento {
        take: StateOf,
        put_back: PutBack,
        clone: StateOf,
    },
}

/// How states are written and read.
pub struct SavedStates {
    pub save: OnState<Result<Vec<u8>, String>>,
    pub load: LoadState,
}

impl fmt::Debug for TypeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypeRules").field(&self.name).finish()
    }
}

/// A place for a state.
#[derive(Debug, Default)]
pub struct Hosted {
    /// `None` while a method changes it, and if it was not cloned into a clone of the run.
    pub(crate) state: Option<State>,
    /// The number of its type.
    pub(crate) rules: u32,
    /// For an entry of the trail: the value whose state it was.
    pub(crate) owner: Option<Handle>,
    /// An element of sets and relations, which no method changes.
    pub(crate) frozen: bool,
    /// The serial under which it was made or last logged.
    pub(crate) stamp: u64,
    /// Its place in the order of creation.
    pub(crate) sequence: u64,
    /// The bytes of the state.
    pub(crate) bytes: usize,
}

/// All values of types of the host, and the types.
#[derive(Debug, Default)]
pub struct Hosts {
    pub(crate) places: Arena<Hosted>,
    pub(crate) rules: Arc<[Arc<TypeRules>]>,
    /// By type: the frozen values in their order. Equal ones are one word, as for all frozen values.
    pub(crate) frozen: Vec<Vec<Handle>>,
}

/// Why there is no copy, or no frozen form, of a value of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCopy {
    /// Its type has no order.
    NoOrder(Value),
    /// Its type has no clone.
    NoClone(Value),
    /// The value has no state.
    Gone(Value),
}

impl Hosted {
    /// Sets a missing state.
    pub(crate) fn fill(&mut self, state: State, bytes: usize) {
        self.state = Some(state);
        self.bytes = bytes;
    }

    /// A copy for a clone of the run. If its state cannot be cloned, the copy has none.
    fn fork(&self, rules: &TypeRules) -> Hosted {
        let clone = match (&rules.undo, self.owner) {
            (StateUndo::Memento { clone, .. }, Some(_)) => Some(clone),
            _ => rules.clone.as_ref(),
        };
        let state = self
            .state
            .as_ref()
            .and_then(|state| clone.and_then(|clone| clone(&**state)));
        let bytes = if state.is_some() { self.bytes } else { 0 };
        let Hosted {
            rules,
            owner,
            frozen,
            stamp,
            sequence,
            ..
        } = *self;
        Hosted {
            state,
            rules,
            owner,
            frozen,
            stamp,
            sequence,
            bytes,
        }
    }

    /// The bytes of its state.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Clone for Hosts {
    fn clone(&self) -> Hosts {
        let places = self
            .places
            .clone_with(|hosted| hosted.fork(&self.rules[hosted.rules as usize]));
        Hosts {
            places,
            rules: self.rules.clone(),
            frozen: self.frozen.clone(),
        }
    }
}

impl Hosts {
    /// The types.
    pub fn types(&self) -> Arc<[Arc<TypeRules>]> {
        self.rules.clone()
    }

    /// Sets the types.
    pub fn set_types(&mut self, rules: Arc<[Arc<TypeRules>]>) {
        self.frozen = vec![Vec::new(); rules.len()];
        self.rules = rules;
    }

    /// The number of a type of Rust.
    pub fn type_of<T: 'static>(&self) -> Option<u32> {
        let id = TypeId::of::<T>();
        self.rules
            .iter()
            .position(|rules| rules.id == id)
            .map(|number| number as u32)
    }

    /// The first value that cannot be cloned with the run: the name of its type.
    pub fn first_without_clone(&self) -> Option<&'static str> {
        let without = self.places.iter().find(|hosted| {
            hosted.owner.is_none()
                && hosted.state.is_some()
                && self.rules[hosted.rules as usize].clone.is_none()
        })?;
        Some(self.rules[without.rules as usize].name)
    }

    /// The bytes of its rows, without what the values own.
    pub(crate) fn row_bytes(&self) -> usize {
        self.places.bytes() + self.frozen.iter().map(room::row).sum::<usize>()
    }

    /// Takes unmarked values out of the lists of those that are elements.
    pub(crate) fn forget_unmarked(&mut self) {
        for frozen in &mut self.frozen {
            frozen.retain(|handle| self.places.is_marked(*handle));
        }
    }
}
