//! Writes to boards with constraints, which are brought to rest.

use super::freezing::NotFrozen;
use super::{Held, Work};
use crate::value::board::{Constraint, Rest};
use crate::value::budget::Budget;
use crate::value::freeze::Freezing;
use crate::value::value::Handle;
use crate::value::{Kind, Value};
use crate::vm::context::Context;
use crate::vm::error::{ErrorKind, Fault};

/// A board on its way to rest.
#[derive(Clone, Debug)]
struct Resting {
    board: Handle,
    container: Value,
    /// The place whose content is the result; otherwise the container is.
    place: Option<usize>,
    /// Whether there was no room for the writes when they were due.
    lacks_room: bool,
}

impl Work for Resting {
    fn go(&mut self, context: &mut Context, budget: &mut Budget) -> Result<Option<Value>, Fault> {
        match context.heap.bring_to_rest(self.board, budget) {
            Ok(Rest::Reached) => {}
            Ok(Rest::NotYet) => return Ok(None),
            Err(_) => return Err(Fault::Fail),
        }
        let bytes = context.heap.bytes_to_settle(self.board);
        if !context.fits(bytes) {
            // The instruction must not begin anew, so the first time is no reason to stop.
            return if std::mem::replace(&mut self.lacks_room, true) { Err(Fault::Memory(bytes)) } else { Ok(None) };
        }
        budget.spend(bytes / 4);
        context.heap.settle(self.board);
        Ok(Some(self.place.map_or(self.container, |place| context.heap.at_place(self.container, place))))
    }

    fn hold(&self, held: &mut Held) {
        held.values.push(self.container);
    }

    fn bytes(&self) -> usize {
        size_of::<Resting>()
    }

    fn fork(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

impl Context {
    /// The frozen form of a value, at once.
    ///
    /// # Errors
    /// If it has none.
    pub fn freeze_at_once(&mut self, value: Value) -> Result<Value, Fault> {
        let mut freezing = Freezing::default();
        let mut budget = Budget::unlimited();
        loop {
            let frozen = match freezing.begin(&mut self.heap, value) {
                Ok(Some(frozen)) => Ok(frozen),
                Ok(None) => match self.go_on_freezing(&mut freezing, &mut budget) {
                    Ok(_) => continue,
                    Err(NotFrozen::Unfreezable(unfreezable)) => Err(unfreezable),
                    Err(NotFrozen::NoRoom(bytes)) => return Err(Fault::Memory(bytes)),
                },
                Err(unfreezable) => Err(unfreezable),
            };
            self.charge(budget.steps());
            return frozen.map_err(|unfreezable| self.not_frozen(unfreezable));
        }
    }

    /// The candidates that a value of the language stands for: the elements of a set, or the value alone.
    ///
    /// # Errors
    /// If it has no frozen form.
    pub fn candidates_of(&mut self, value: Value) -> Result<Vec<Value>, Fault> {
        if value.is_kind(Kind::Set) {
            self.charge(self.heap.set_len(value) / 4);
            return Ok(self.heap.set_elements(value));
        }
        Ok(vec![self.freeze_at_once(value)?])
    }

    /// The error for a change of the places of a board that has constraints.
    pub fn keeps_its_places(&self, container: Value) -> Fault {
        Fault::error(ErrorKind::Value, format!("a board with constraints keeps its places: {}", self.brief(container)))
            .with_hint("`copy(b)` is a plain one")
    }

    /// Assigns to a place of a board with constraints, which narrows it.
    ///
    /// # Errors
    /// [`Fault::Fail`] if nothing is left; an error if a value was no candidate; [`Fault::Later`].
    pub fn assign_place(&mut self, container: Value, place: usize, value: Value) -> Result<Value, Fault> {
        self.narrow_places(container, Some(place), value, true)
    }

    /// Assigns to all places.
    ///
    /// # Errors
    /// As [`Context::assign_place`].
    pub fn assign_all_places(&mut self, container: Value, value: Value) -> Result<Value, Fault> {
        self.narrow_places(container, None, value, true)
    }

    /// Narrows a place of any board, or all places. What is assigned, and not only allowed, must have been a candidate.
    ///
    /// # Errors
    /// As [`Context::assign_place`].
    pub fn narrow_places(
        &mut self,
        container: Value,
        only: Option<usize>,
        value: Value,
        assigns: bool,
    ) -> Result<Value, Fault> {
        self.perform(|context| {
            let values = context.candidates_of(value)?;
            let board = context.heap.make_board(container);
            context.heap.forget_changes(board);
            let all = 0..context.heap.places_of(container);
            let places = only.map_or(all, |place| place..place + 1);
            context.charge(places.len());
            if assigns {
                for place in places.clone().filter(|place| context.heap.boards[board].is_bound(*place)) {
                    if let Some(stranger) = context.heap.boards[board].stranger(place, &values) {
                        return Err(context.no_candidate(container, place, stranger));
                    }
                }
            }
            let mask = context.heap.boards[board].bits_of(&values);
            for place in places {
                if !context.heap.boards[board].is_bound(place) {
                    context.reserve_write(container)?;
                    let kept = if assigns { value } else { context.both(container, place, &values)? };
                    context.heap.put_at_place(container, place, kept);
                } else if context.heap.narrow_place(board, place, &mask).is_err() {
                    context.heap.forget_changes(board);
                    return Err(Fault::Fail);
                }
            }
            Ok(Resting { board, container, place: only, lacks_room: false })
        })
    }

    /// The set of what is both in a place and among some values.
    fn both(&mut self, container: Value, place: usize, values: &[Value]) -> Result<Value, Fault> {
        let held = self.heap.at_place(container, place);
        let mut both = self.candidates_of(held)?;
        let allowed = self.heap.set_of_frozen(values.to_vec());
        both.retain(|value| self.heap.set_contains(allowed, *value));
        self.charge(both.len() + values.len());
        if both.is_empty() { Err(Fault::Fail) } else { Ok(self.heap.set_of_frozen(both)) }
    }

    fn no_candidate(&self, container: Value, place: usize, value: Value) -> Fault {
        let message = format!(
            "{} was no candidate of the place {} when its first constraint was put on it",
            self.brief(value),
            self.brief(self.name_of_place(container, place))
        );
        Fault::error(ErrorKind::Value, message)
            .with_hint("assigning to a place with constraints only takes candidates away")
    }

    /// The position, index or key of a place.
    pub fn name_of_place(&self, container: Value, place: usize) -> Value {
        let handle = container.payload();
        let name = match container.kind() {
            Kind::Grid => self.heap.grids[handle].position_of(place),
            Kind::Object => self.heap.objects[handle].keys().nth(place),
            _ => Some(Value::size(place)),
        };
        name.unwrap_or(Value::NULL)
    }

    /// Puts a constraint on places of a board (all of them, if none are given) and brings the board to rest. `make` is
    /// given the board with all places bound.
    ///
    /// # Errors
    /// Those of `make`, [`Fault::Fail`] and [`Fault::Later`].
    pub fn constrain(
        &mut self,
        container: Value,
        places: Option<&[u32]>,
        make: impl FnOnce(&mut Context, Handle) -> Result<Constraint, Fault>,
    ) -> Result<Value, Fault> {
        self.perform(|context| {
            let count = context.heap.places_of(container);
            context.reserve(crate::value::board::Board::bytes_for(count) + context.heap.bytes_to_write(container))?;
            let all: Vec<u32> = (0..count as u32).collect();
            let places = places.unwrap_or(&all);
            context.charge(places.len());
            // Candidates are compared by content, so that what is bound is frozen.
            for place in places {
                let held = context.heap.at_place(container, *place as usize);
                if context.frozen_already(held).is_none() {
                    let frozen = context.freeze_at_once(held)?;
                    let set = context.heap.singleton(frozen);
                    context.heap.put_at_place(container, *place as usize, set);
                }
            }
            let board = context.heap.make_board(container);
            context.heap.forget_changes(board);
            context.heap.bind(board, &mut places.iter().map(|place| *place as usize));
            match make(context, board) {
                Ok(constraint) => context.heap.add_constraint(board, constraint),
                Err(fault) => {
                    context.heap.release(board, &mut places.iter().map(|place| *place as usize));
                    return Err(fault);
                }
            }
            let empty = places
                .iter()
                .any(|place| context.heap.boards[board].candidates(*place as usize).iter().all(|word| *word == 0));
            if empty { Err(Fault::Fail) } else { Ok(Resting { board, container, place: None, lacks_room: false }) }
        })
    }
}
