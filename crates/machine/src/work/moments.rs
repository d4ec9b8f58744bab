//! Fills in arrays that stand for the undecided positions of a grid at an earlier version, before the branch is
//! undone.

use ndscript_base::keyed::KeyedSet;

use super::{Tracer, Work};
use crate::errors::error::Fault;
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::store::deep::BlockCache;
use ndscript_heap::store::trail::{Entry, Target};
use ndscript_heap::{Heap, Kind, Value};

/// Writes out views of grid moments that were made since a choice point, and that a value or a change made since then
/// reaches.
///
/// What was made before the choice point and has not changed since reaches no such view. So the work depends on what
/// the branch has made, and neither on the size of the run nor on when garbage was collected.
#[derive(Clone, Debug)]
pub struct MomentsOfBranch {
    result: Value,
    is_result_met: bool,
    /// The serial of the choice point.
    since: u64,
    /// Changes that were not visited yet: entries of the trail.
    changes: std::ops::Range<usize>,
    look: BlockCache<Entry>,
    /// The values being traversed, outermost first, and the index of their next part.
    open: Vec<(Value, usize)>,
    seen: KeyedSet<Value>,
}

/// The visits charged for a value with parts.
const VISITS_OF_COMPOUND: usize = 16;

impl MomentsOfBranch {
    /// Writes out the moments of the branch since a choice point, given by its serial and its height of the trail, and
    /// of the branch's result.
    pub fn new(heap: &Heap, since: u64, trail: usize, result: Value) -> MomentsOfBranch {
        let changes = trail..heap.trail_mark();
        MomentsOfBranch {
            result,
            is_result_met: false,
            since,
            changes,
            look: BlockCache::default(),
            open: Vec::new(),
            seen: KeyedSet::default(),
        }
    }

    /// Whether a value may have been made since the choice point.
    fn is_young(&self, heap: &Heap, value: Value) -> bool {
        let handle = value.payload();
        let created = match value.kind() {
            Kind::Array => heap.arrays[handle].slots.born(),
            Kind::Grid => heap.grids[handle].slots.born(),
            Kind::Object => heap.objects[handle].born(),
            Kind::Queue => heap.queues[handle].born(),
            Kind::Variable => heap.variables[handle].stamp,
            Kind::Set | Kind::Relation | Kind::Function => return true,
            _ => return false,
        };
        created >= self.since
    }

    /// Visits a value: young ones are traversed.
    fn meet(
        &mut self,
        context: &mut Context,
        value: Value,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        if !value.is_compound() {
            return Ok(());
        }
        budget.spend(VISITS_OF_COMPOUND);
        if self.is_young(&context.heap, value) {
            self.enter(context, value, budget)
        } else {
            Ok(())
        }
    }

    /// Enters a value that was not met before, to look at its parts.
    fn enter(
        &mut self,
        context: &mut Context,
        value: Value,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        if self.seen.contains(&value) {
            return Ok(());
        }
        let mut bytes = 0;
        if self.seen.len() == self.seen.capacity() {
            bytes += room::hash_map(2 * self.seen.capacity() + 1, size_of::<Value>());
        }
        if self.open.len() == self.open.capacity() {
            bytes += 2 * room::row(&self.open) + room::block(4 * size_of::<(Value, usize)>());
        }
        let view = value
            .handle_of(Kind::Array)
            .and_then(|array| context.heap.arrays[array].view());
        bytes += view.map_or(0, |view| view.length as usize * size_of::<Value>());
        if bytes > 0 {
            context.reserve(bytes)?;
        }
        self.seen.insert(value);
        if view.is_some() {
            // Positions lead nowhere.
            context
                .heap
                .charging_recorded(budget, |heap| heap.record_unfolding(value.payload()));
            context.heap.write_out(value.payload());
            return Ok(());
        }
        let first = if value.is_kind(Kind::Set) {
            context.heap.first_compound(value)
        } else {
            0
        };
        self.open.push((value, first));
        Ok(())
    }

    /// Visits the next change.
    fn look_at_change(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let Some(at) = self.changes.clone().next() else {
            return Ok(false);
        };
        budget.spend(4);
        let heap = &context.heap;
        let Some(entry) = heap.trail_entry(at, &mut self.look) else {
            return Ok(false);
        };
        let handle = entry.handle();
        match entry.target() {
            Target::Global => self.meet(context, heap.global(handle), budget)?,
            Target::Variable => self.meet(context, heap.variables[handle].value, budget)?,
            Target::Grid => {
                let cell = heap.grids[handle]
                    .slots
                    .get(entry.index())
                    .unwrap_or(Value::NULL);
                self.meet(context, cell, budget)?;
            }
            Target::Board
            | Target::GridHistory
            | Target::Spent
            | Target::RuleName
            | Target::Host
            | Target::Buffer => {}
            _ => {
                // The entry stores the whole value, whenever it was made.
                if let Some(container) = entry.container() {
                    self.enter(context, container, budget)?;
                }
            }
        }
        self.changes.start += 1;
        Ok(true)
    }
}

impl Work for MomentsOfBranch {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.is_result_met {
            self.meet(context, self.result, budget)?;
            self.is_result_met = true;
        }
        loop {
            if budget.is_spent() {
                return Ok(None);
            }
            let Some((value, next)) = self.open.last().copied() else {
                if self.look_at_change(context, budget)? {
                    continue;
                }
                return Ok(Some(Value::NULL));
            };
            let depth = self.open.len();
            match context.heap.part(value, next) {
                Some(part) => {
                    budget.spend(2);
                    self.meet(context, part, budget)?;
                    self.open[depth - 1].1 += 1;
                }
                None => {
                    self.open.pop();
                }
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.result);
        tracer.values.extend(self.seen.iter());
    }

    fn bytes(&self) -> usize {
        room::row(&self.open) + room::hash_map(self.seen.capacity(), size_of::<Value>())
    }
}
