//! Values of the host in the heap: how they are made, changed, copied and compared.

use super::{HostState, Hosted, NoCopy, State, StateUndo, TypeRules};
use crate::outside::data::Data;
use crate::store::heap::Heap;
use crate::store::trail::{Entry, Target};
use crate::value::{Handle, Kind, Value};
use ndscript_base::room;
use std::cmp::Ordering;
use std::sync::Arc;

impl Heap {
    /// An empty heap for values of these types of the host as well.
    pub fn with_types(rules: Arc<[Arc<TypeRules>]>) -> Heap {
        let mut heap = Heap::default();
        heap.hosts.set_types(rules);
        heap
    }

    /// A new value of the type of that number.
    pub fn host_value(&mut self, rules: u32, state: State) -> Value {
        let sequence = self.next_sequence();
        let bytes = (self.hosts.rules[rules as usize].size)(&*state);
        self.add_hosted(Hosted {
            state: Some(state),
            rules,
            owner: None,
            frozen: false,
            stamp: self.serials.latest,
            sequence,
            bytes,
        })
    }

    fn add_hosted(&mut self, hosted: Hosted) -> Value {
        self.allocated(hosted.bytes);
        Value::handle(
            Kind::Host,
            self.hosts.places.add(hosted, &mut self.account.bytes),
        )
    }

    /// The rules for the type of a value, or of the value that a method belongs to.
    pub fn rules_of(&self, value: Value) -> &TypeRules {
        &self.hosts.rules[self.type_number(value) as usize]
    }

    /// The number of the type of a value.
    pub fn type_number(&self, value: Value) -> u32 {
        self.hosts.places[value.payload()].rules
    }

    /// The state of a value; `None` if it has none.
    pub fn host_state(&self, value: Value) -> Option<&HostState> {
        self.hosts.places[value.payload()].state.as_deref()
    }

    /// The bytes of the state of a value.
    pub fn host_bytes(&self, value: Value) -> usize {
        self.hosts.places[value.payload()].bytes
    }

    /// Whether a value is an element of sets, which no method may change.
    pub fn is_frozen_host(&self, value: Value) -> bool {
        self.hosts.places[value.payload()].frozen
    }

    /// The bytes that must be available before a value is changed.
    pub fn bytes_of_log(&self, value: Value) -> usize {
        let hosted = &self.hosts.places[value.payload()];
        let is_logged = hosted.stamp < self.serials.top
            && !matches!(self.rules_of(value).undo, StateUndo::Outside);
        if is_logged {
            hosted.bytes + size_of::<Hosted>()
        } else {
            0
        }
    }

    /// Takes the state of a value to change it, and saves what the trail needs. To be put back with
    /// [`Heap::put_state`]. `None` if there is no state.
    pub fn take_state(&mut self, value: Value) -> Option<State> {
        self.log_host(value);
        self.hosts.places[value.payload()].state.take()
    }

    /// Puts back a state that was taken.
    pub fn put_state(&mut self, value: Value, state: State) {
        // No function of the host is called while one of them panics: a second panic would end the process.
        let is_counted = !std::thread::panicking();
        let bytes = if is_counted {
            (self.rules_of(value).size)(&*state)
        } else {
            self.host_bytes(value)
        };
        let hosted = &mut self.hosts.places[value.payload()];
        hosted.state = Some(state);
        let before = std::mem::replace(&mut hosted.bytes, bytes);
        self.account.bytes = (self.account.bytes + bytes).saturating_sub(before);
    }

    /// Logs that a value is about to change, once per choice point.
    fn log_host(&mut self, value: Value) {
        let stamp = self.hosts.places[value.payload()].stamp;
        if stamp >= self.serials.top {
            return;
        }
        if let Some(kept) = self.keep_state(value) {
            self.log(Entry::new(Target::Host, value.payload(), 0, kept, stamp));
            self.hosts.places[value.payload()].stamp = self.serials.top;
        }
    }

    /// Saves the state of a value; returns the place it can be restored from. `None` if the type supports neither.
    pub fn keep_state(&mut self, value: Value) -> Option<Value> {
        let hosted = &self.hosts.places[value.payload()];
        let rules = &self.hosts.rules[hosted.rules as usize];
        let take = match &rules.undo {
            StateUndo::Outside => return None,
            StateUndo::Clone => rules.clone.as_ref()?,
            StateUndo::Memento { take, .. } => take,
        };
        let state = take(hosted.state.as_deref()?)?;
        let saved = Hosted {
            state: Some(state),
            rules: hosted.rules,
            owner: Some(value.payload()),
            frozen: false,
            stamp: 0,
            sequence: 0,
            // A memento counts as the state that it restores.
            bytes: hosted.bytes,
        };
        Some(self.add_hosted(saved))
    }

    /// Restores a saved state of a value, and empties its place.
    pub(crate) fn restore_state(&mut self, handle: Handle, saved: Value) {
        let place = &mut self.hosts.places[saved.payload()];
        let Some(state) = place.state.take() else {
            return;
        };
        let kept_bytes = std::mem::take(&mut place.bytes);
        let hosted = &mut self.hosts.places[handle];
        let rules = &self.hosts.rules[hosted.rules as usize];
        let freed = match (&rules.undo, &mut hosted.state) {
            (StateUndo::Memento { put_back, .. }, Some(current)) => {
                put_back(&mut **current, state);
                let bytes = (rules.size)(&**current);
                let before = std::mem::replace(&mut hosted.bytes, bytes);
                (before + kept_bytes).saturating_sub(bytes)
            }
            // A memento is useless without the value itself.
            (StateUndo::Memento { .. }, None) => kept_bytes,
            (_, current) => {
                *current = Some(state);
                std::mem::replace(&mut hosted.bytes, kept_bytes)
            }
        };
        self.account.bytes = self.account.bytes.saturating_sub(freed);
    }

    /// Undoes the changes of a value.
    #[cold]
    pub(crate) fn undo_host(&mut self, handle: Handle, saved: Value, stamp: u64) {
        self.restore_state(handle, saved);
        self.hosts.places[handle].stamp = stamp;
    }

    /// Changes a value to a saved state, as a new change.
    pub fn change_to_saved(&mut self, handle: Handle, saved: Value) {
        self.log_host(Value::handle(Kind::Host, handle));
        self.restore_state(handle, saved);
    }

    /// A copy of a value; the value itself if it never changes.
    pub fn copy_host(&mut self, value: Value) -> Result<Value, NoCopy> {
        let hosted = &self.hosts.places[value.payload()];
        let rules = &self.hosts.rules[hosted.rules as usize];
        if !rules.changes {
            return Ok(value);
        }
        let state = hosted.state.as_deref().ok_or(NoCopy::Gone(value))?;
        let clone = rules.clone.as_ref().ok_or(NoCopy::NoClone(value))?;
        let state = clone(state).ok_or(NoCopy::Gone(value))?;
        self.record_work(hosted.bytes / 32);
        let number = hosted.rules;
        Ok(self.host_value(number, state))
    }

    /// The one frozen value that is equal to this one.
    #[cold]
    pub(crate) fn freeze_host(&mut self, value: Value) -> Result<Value, NoCopy> {
        let hosted = &self.hosts.places[value.payload()];
        if hosted.frozen {
            return Ok(value);
        }
        let number = hosted.rules;
        let order = self.hosts.rules[number as usize]
            .order
            .as_ref()
            .ok_or(NoCopy::NoOrder(value))?;
        let state = hosted.state.as_deref().ok_or(NoCopy::Gone(value))?;
        let row = &self.hosts.frozen[number as usize];
        self.record_work(1 + row.len().checked_ilog2().unwrap_or(0) as usize);
        let found =
            row.binary_search_by(|other| match self.hosts.places[*other].state.as_deref() {
                Some(other) => order(other, state),
                None => Ordering::Less,
            });
        let at = match found {
            Ok(at) => return Ok(Value::handle(Kind::Host, row[at])),
            Err(at) => at,
        };
        let frozen = self.copy_host(value)?;
        self.hosts.places[frozen.payload()].frozen = true;
        let row = &mut self.hosts.frozen[number as usize];
        self.account
            .work
            .set(self.account.work.get() + ((row.len() - at) / 256) as u64);
        let added = if row.len() == row.capacity() {
            room::grow(row, 1)
        } else {
            0
        };
        row.insert(at, frozen.payload());
        self.account.bytes += added;
        Ok(frozen)
    }

    /// The order of two host values: by type, and then by the rules of the host. Values without an order, or without
    /// a state, follow in the order of creation.
    pub(crate) fn order_hosts(&self, a: Value, b: Value) -> Ordering {
        let (x, y) = (
            &self.hosts.places[a.payload()],
            &self.hosts.places[b.payload()],
        );
        let rules = &self.hosts.rules[x.rules as usize];
        let types = rules.name.cmp(self.hosts.rules[y.rules as usize].name);
        self.record_work(1);
        types.then_with(
            || match (&rules.order, x.state.as_deref(), y.state.as_deref()) {
                (Some(order), Some(x), Some(y)) => order(x, y),
                _ => x.sequence.cmp(&y.sequence),
            },
        )
    }

    /// Whether two different values are equal by the rules of the host.
    #[cold]
    pub fn equal_hosts(&self, a: Value, b: Value) -> bool {
        if !a.is_kind(Kind::Host)
            || !b.is_kind(Kind::Host)
            || self.type_number(a) != self.type_number(b)
        {
            return false;
        }
        self.record_work(1);
        let rules = self.rules_of(a);
        match (self.host_state(a), self.host_state(b)) {
            (Some(x), Some(y)) => match (&rules.order, &rules.equality) {
                (Some(order), _) => order(x, y).is_eq(),
                (None, Some(equality)) => equality(x, y),
                (None, None) => false,
            },
            _ => false,
        }
    }

    /// The text of a value.
    pub fn show_host(&self, value: Value, out: &mut String) {
        let rules = self.rules_of(value);
        match (&rules.show, self.host_state(value)) {
            (Some(show), Some(state)) => out.push_str(&show(state)),
            _ => out.push_str(rules.name),
        }
    }

    /// The value as data.
    pub(crate) fn data_of_host(&self, value: Value) -> Data {
        let rules = self.rules_of(value);
        match (&rules.data, self.host_state(value)) {
            (Some(data), Some(state)) => data(state),
            _ => {
                let mut text = String::new();
                self.show_host(value, &mut text);
                Data::Host(rules.name.into(), text.into())
            }
        }
    }
}
