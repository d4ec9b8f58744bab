//! Values of host types in a saved run. Their places are saved with the heap, their states after it, as bytes that
//! only the host can read.

use crate::kinds::hosted::{Hosted, SavedStates, State, StateUndo, TypeRules};
use crate::store::heap::Heap;
use crate::value::{Handle, Kind, Value};
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};

/// Why a value of a type of the host cannot be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// The type, by its name, cannot be saved.
    NoWay(&'static str),
    /// The host failed to save it: the type and the host's message.
    Host(&'static str, String),
    /// A panic of the host has left the run in the middle of an instruction.
    Broken,
}

impl Saved for Hosted {
    fn save(&self, out: &mut Writer) {
        out.number(u64::from(self.rules));
        self.owner.save(out);
        self.frozen.save(out);
        self.stamp.save(out);
        self.sequence.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Hosted, Unsound> {
        let rules = u32::load(from)?;
        let rules = from.type_number(rules)?;
        let owner: Option<Handle> = Option::load(from)?;
        if let Some(owner) = owner {
            from.check_handle(Kind::Host as usize, owner)?;
        }
        Ok(Hosted {
            rules,
            owner,
            frozen: Saved::load(from)?,
            stamp: Saved::load(from)?,
            sequence: Saved::load(from)?,
            ..Hosted::default()
        })
    }
}

impl TypeRules {
    fn saved(&self) -> Result<&SavedStates, Unsaved> {
        self.save.as_ref().ok_or(Unsaved::NoWay(self.name))
    }

    fn bytes_of(&self, state: &State) -> Result<Vec<u8>, Unsaved> {
        (self.saved()?.save)(&**state).map_err(|message| Unsaved::Host(self.name, message))
    }

    /// The bytes of the state that a memento restores: a memento itself cannot be saved.
    fn bytes_of_memento(&self, current: &State, memento: &State) -> Result<Vec<u8>, Unsaved> {
        let StateUndo::Memento {
            put_back, clone, ..
        } = &self.undo
        else {
            return self.bytes_of(memento);
        };
        let failed = |message| Unsaved::Host(self.name, message);
        let mut past =
            (self.saved()?.load)(&self.bytes_of(current)?, usize::MAX).map_err(failed)?;
        if let Some(memento) = clone(&**memento) {
            put_back(&mut *past, memento);
        }
        self.bytes_of(&past)
    }
}

impl Heap {
    /// The states of all values, in the order of their places, as bytes; `None` for missing ones.
    ///
    /// # Errors
    /// If one cannot be saved.
    pub fn saved_states(&self) -> Result<Vec<Option<Vec<u8>>>, Unsaved> {
        let bytes = |hosted: &Hosted| {
            let Some(state) = &hosted.state else {
                return Ok(None);
            };
            let rules = &self.hosts.rules[hosted.rules as usize];
            let current = hosted
                .owner
                .and_then(|owner| self.hosts.places[owner].state.as_ref());
            match current {
                Some(current) => rules.bytes_of_memento(current, state),
                None if hosted.owner.is_some() => return Ok(None),
                None => rules.bytes_of(state),
            }
            .map(Some)
        };
        self.hosts.places.iter().map(bytes).collect()
    }

    /// Reads the states, and checks the places that they belong to.
    ///
    /// # Errors
    /// If the host cannot read one, or a place is invalid.
    pub fn read_states(
        &mut self,
        from: &mut Reader<'_>,
        states: Vec<Option<Vec<u8>>>,
    ) -> Result<(), Unsound> {
        let places: Vec<Handle> = self.hosts.places.handles().collect();
        ensure(
            places.len() == states.len(),
            "there are more or fewer values of the host than places for them",
        )?;
        for (at, bytes) in places.into_iter().zip(states) {
            let Hosted {
                rules,
                owner,
                frozen,
                sequence,
                ..
            } = self.hosts.places[at];
            ensure(sequence < 1 << 60, "a number is too large")?;
            let rules = &self.hosts.rules[rules as usize];
            let fits = match owner {
                Some(owner) => {
                    let owner = &self.hosts.places[owner];
                    let same = std::ptr::eq(&*self.hosts.rules[owner.rules as usize], &**rules);
                    same && owner.owner.is_none() && !owner.frozen && !frozen
                }
                None => !frozen || rules.order.is_some(),
            };
            ensure(fits, "a value of the host is not what it should be")?;
            let Some(bytes) = bytes else { continue };
            let Some(saved) = &rules.save else {
                return Err(Unsound::Wrong("a type of the host has no way to be read"));
            };
            let mut state = match (saved.load)(&bytes, from.room()) {
                Ok(state) => state,
                Err(message) => return Err(from.complain(rules.name, message)),
            };
            let size = (rules.size)(&*state);
            if let (StateUndo::Memento { take, .. }, Some(_)) = (&rules.undo, owner) {
                let memento = take(&*state);
                state = memento.ok_or(Unsound::Wrong(
                    "a value of the host is not what it should be",
                ))?;
            }
            from.make_room::<u8>(size)?;
            self.hosts.places[at].fill(state, size);
        }
        Ok(())
    }

    /// Finds the frozen values again; equal ones must not occur twice.
    pub(crate) fn find_frozen_hosts(&mut self) -> Result<(), Unsound> {
        let frozen: Vec<Handle> = self
            .hosts
            .places
            .handles()
            .filter(|at| self.hosts.places[*at].frozen)
            .collect();
        for at in frozen {
            let value = Value::handle(Kind::Host, at);
            let row = &self.hosts.frozen[self.type_number(value) as usize];
            let place = row.binary_search_by(|other| {
                self.order_hosts(Value::handle(Kind::Host, *other), value)
            });
            match place {
                Ok(_) => return Err(Unsound::Wrong("a value is there twice")),
                Err(place) => {
                    let number = self.type_number(value) as usize;
                    self.hosts.frozen[number].insert(place, at);
                }
            }
        }
        Ok(())
    }

    /// Whether a value is a saved state of another one, as in the trail.
    pub fn is_saved_state_of(&self, saved: Value, owner: Handle) -> bool {
        saved
            .handle_of(Kind::Host)
            .is_some_and(|saved| self.hosts.places[saved].owner == Some(owner))
    }

    /// Whether there is a value of the host in a place.
    pub fn has_host(&self, handle: Handle) -> bool {
        self.hosts.places.is_used(handle)
    }
}
