//! Values that the host of a run holds, which the collector must not free.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::machine::Machine;
use ndscript_heap::{Kind, Value};

/// The values that the host of one run holds. It also identifies the run: two tables are the same if and only if they
/// belong to one run.
#[derive(Debug, Default)]
pub struct RootTable(Mutex<Places>);

#[derive(Debug, Default)]
struct Places {
    /// A value, and how many handles there are to it; free places have none.
    places: Vec<(Value, u32)>,
    free: Vec<u32>,
}

/// The place of a value that needs none, because it is no object.
const NO_PLACE: u32 = u32::MAX;

impl RootTable {
    fn places(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The root table of a run. A clone has a new table: handles to the values of a run are not handles of its fork.
#[derive(Debug, Default)]
pub struct Roots(Arc<RootTable>);

impl Clone for Roots {
    fn clone(&self) -> Roots {
        Roots::default()
    }
}

impl Roots {
    /// Roots a value.
    pub fn hold(&self, value: Value) -> RootHandle {
        let place = if is_object(value) {
            let mut table = self.0.places();
            match table.free.pop() {
                Some(place) => {
                    table.places[place as usize] = (value, 1);
                    place
                }
                None => {
                    table.places.push((value, 1));
                    table.places.len() as u32 - 1
                }
            }
        } else {
            NO_PLACE
        };
        RootHandle {
            value,
            place,
            table: self.0.clone(),
        }
    }

    /// The value, if it belongs to this run.
    #[inline]
    pub fn value(&self, root: &RootHandle) -> Option<Value> {
        Arc::ptr_eq(&self.0, &root.table).then_some(root.value)
    }

    /// Whether there are any handles.
    pub fn has_any(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// All values that are held.
    pub fn values(&self) -> Vec<Value> {
        self.0
            .places()
            .places
            .iter()
            .filter(|place| place.1 > 0)
            .map(|place| place.0)
            .collect()
    }
}

/// Whether the value refers to memory of the run, and so must be kept from collection.
fn is_object(value: Value) -> bool {
    !matches!(
        value.kind(),
        Kind::Null
            | Kind::Unset
            | Kind::Boolean
            | Kind::Integer
            | Kind::Float
            | Kind::Position
            | Kind::Native
    )
}

/// A value that is not freed while this exists.
#[derive(Debug)]
pub struct RootHandle {
    value: Value,
    place: u32,
    table: Arc<RootTable>,
}

impl RootHandle {
    /// The kind of the value.
    pub fn kind(&self) -> Kind {
        self.value.kind()
    }
}

impl Clone for RootHandle {
    fn clone(&self) -> RootHandle {
        if self.place != NO_PLACE
            && let Some(place) = self.table.places().places.get_mut(self.place as usize)
        {
            place.1 += 1;
        }
        RootHandle {
            value: self.value,
            place: self.place,
            table: self.table.clone(),
        }
    }
}

impl Drop for RootHandle {
    fn drop(&mut self) {
        if self.place == NO_PLACE {
            return;
        }
        let mut table = self.table.places();
        let Some(place) = table.places.get_mut(self.place as usize) else {
            return;
        };
        place.1 -= 1;
        if place.1 == 0 {
            place.0 = Value::NULL;
            table.free.push(self.place);
        }
    }
}

impl Machine {
    /// Writes out the views of grid moments that handles reach. The run may go back beyond their moment, and then
    /// only the host could still see them.
    ///
    /// Until the next call, such views can only get into objects that were made after a choice point and survive a
    /// failure back to it: what the host holds that is younger than the choice point.
    pub(crate) fn settle_roots(&mut self) {
        let context = &mut self.context;
        context.heap.youngest_rooted = if !context.roots.has_any() {
            0
        } else if !context.heap.has_views {
            // No view was ever made.
            u64::MAX
        } else {
            context.heap.write_out_reachable(context.roots.values())
        };
    }

    /// Called after the host may have made handles in the middle of a run: all rooted values count as young.
    pub(crate) fn treat_roots_as_young(&mut self) {
        if self.context.roots.has_any() {
            self.context.heap.youngest_rooted = u64::MAX;
        }
    }

    /// Keeps the texts that the host may hold unchanged when later steps are undone.
    #[inline]
    pub(crate) fn protect_held_texts(&mut self) {
        if self.context.heap.logs_texts {
            self.context.heap.host_holds = self.context.roots.has_any();
        }
    }

    /// Whether going back to a choice point may leave the host with views of versions that no longer exist.
    #[inline]
    pub(crate) fn must_settle(&self, serial: u64) -> bool {
        self.context.heap.must_settle(serial)
    }
}
