//! Operations on a set and one value: the value may have to be frozen, and comparing it with elements may take long.

use super::freezing::{FreezeAllWork, NotFrozen};
use super::{Tracer, Work};
use crate::errors::error::Fault;
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_heap::sets::treap::BYTES_OF_PATH_NODE;
use ndscript_heap::walks::freeze::Unfreezable;
use ndscript_heap::walks::search::{ElementPlace, ElementSearch};
use ndscript_heap::{Kind, Value};

/// The operation on the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The set with it.
    Add,
    /// The set without it.
    Remove,
    /// Whether the set has it.
    Contains,
}

#[derive(Clone)]
struct LookingUp {
    set: Value,
    lookup: Lookup,
    freezing: FreezeAllWork,
    search: Option<ElementSearch>,
    /// The result of the search. It survives a garbage collection, so that nothing is searched, and charged, twice.
    place: Option<ElementPlace>,
}

impl Work for LookingUp {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        match self.freezing.resume(context, budget) {
            Ok(false) => return Ok(None),
            Ok(true) => {}
            Err(NotFrozen::Unfreezable(unfreezable)) => {
                return self
                    .lookup
                    .without_form(context, self.set, unfreezable)
                    .map(Some);
            }
            Err(NotFrozen::NoRoom(bytes)) => return Err(Fault::Memory(bytes)),
        }
        let Some(element) = self.freezing.values.first().copied() else {
            return Ok(Some(self.set));
        };
        if self.place.is_none() {
            let heap = &context.heap;
            let search = self
                .search
                .get_or_insert_with(|| ElementSearch::in_set(heap, self.set, element));
            let work_before = heap.recorded_work();
            let Some(place) = search.resume(heap, budget) else {
                return Ok(None);
            };
            heap.charge_recorded_since(budget, work_before);
            self.place = Some(place);
        }
        let Some(place) = self.place.clone() else {
            return Ok(None);
        };
        self.lookup
            .at_place(context, self.set, element, place)
            .map(Some)
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.set);
        self.freezing.trace(tracer);
    }

    fn bytes(&self) -> usize {
        self.freezing.bytes() + self.search.as_ref().map_or(0, ElementSearch::bytes)
    }
}

impl Lookup {
    /// The result for a value without a frozen form.
    fn without_form(
        self,
        context: &Context,
        set: Value,
        unfreezable: Unfreezable,
    ) -> Result<Value, Fault> {
        match self {
            Lookup::Add => Err(context.not_frozen(unfreezable)),
            // A value that contains itself cannot be frozen, so no set has it.
            Lookup::Remove => Ok(set),
            Lookup::Contains => Ok(Value::FALSE),
        }
    }

    /// Where it is in the set, or would be.
    fn at_place(
        self,
        context: &mut Context,
        set: Value,
        element: Value,
        place: ElementPlace,
    ) -> Result<Value, Fault> {
        const MAY_BE_DEEP: usize = 1 << 16;
        if self == Lookup::Contains {
            return Ok(Value::boolean(place.is_found));
        }
        if context.heap.set_len(set) > MAY_BE_DEEP {
            let nodes = context
                .heap
                .nodes_to_change(&place.path, self == Lookup::Add);
            context.reserve(nodes * BYTES_OF_PATH_NODE)?;
        }
        Ok(match self {
            Lookup::Add => context.heap.set_add_at(set, element, place),
            _ => context.heap.set_remove_at(set, element, place),
        })
    }
}

impl Context {
    /// Adds a value to a set, removes it or looks it up.
    ///
    /// # Errors
    /// If a value that is to be added has no frozen form; [`Fault::Later`].
    pub fn perform_looking_up(
        &mut self,
        set: Value,
        value: Value,
        lookup: Lookup,
    ) -> Result<Value, Fault> {
        if let Some(element) = self.frozen_already(value) {
            if lookup == Lookup::Contains {
                if let Some(found) = self.heap.has_at_once(set, element) {
                    return Ok(Value::boolean(found));
                }
            } else if let Some(place) = self.heap.place_at_once(set, element) {
                return lookup.at_place(self, set, element, place);
            }
        }
        self.perform(|context| {
            if value.is_kind(Kind::Host) {
                context.reserve(context.heap.host_bytes(value))?;
            }
            Ok(LookingUp {
                set,
                lookup,
                freezing: FreezeAllWork::new(vec![value]),
                search: None,
                place: None,
            })
        })
    }
}
