//! How the machine searches for a cheapest solution.

use super::{BestSolution, COPIED_OF_STEP, Minimization, RepeatedWrite};
use crate::errors::error::Fault;
use crate::host::output::OutputMark;
use crate::machine::Machine;
use crate::search::choices::barrier::{BarrierKind, Bound};
use crate::work::moments::MomentsOfBranch;
use crate::work::results::ResultCopy;
use ndscript_base::keyed::KeyedSet;
use ndscript_heap::kinds::hosted::Hosted;
use ndscript_heap::store::deep::BlockCache;
use ndscript_heap::store::trail::Target;
use ndscript_heap::{Kind, Value};
use std::sync::Arc;

impl Machine {
    /// Begins a search for the cheapest solution. `owed_sums` is null for a `decide` with `least`, else an array.
    pub(crate) fn open_minimize(&mut self, owed_sums: Value) {
        let spent = self.context.heap.branch.spent;
        self.open_barrier(BarrierKind::Minimize, None);
        self.search.minimizations.push(Minimization {
            trail: self.context.heap.trail_mark(),
            output: self.context.output.mark(),
            best: None,
            start_price: spent,
            limit: spent,
            cheapest_cut: None,
            rng: self.context.rng.clone(),
            owed_sums,
            is_improved: false,
        });
        if owed_sums != Value::NULL {
            self.set_bound(Bound {
                price: spent,
                reached: false,
            });
        }
    }

    /// The innermost search for the cheapest solution, if there is one that the running code may spend for.
    fn own_minimization(&self) -> Option<&Minimization> {
        let own = self
            .host_call
            .as_ref()
            .map_or(0, |host_call| host_call.minimizations as usize);
        let own = self.search.minimizations.get(own..).unwrap_or_default();
        own.iter()
            .rev()
            .find(|minimization| !minimization.is_least())
    }

    /// The values of a board in the best solution so far of the innermost search, if it minimizes a sum over boards.
    pub(crate) fn best_values(&self, board: Value) -> Option<Vec<Value>> {
        let minimization = self.search.minimizations.last()?;
        let best = minimization.best.as_ref()?;
        let heap = &self.context.heap;
        let count = heap.places_of(board);
        if minimization.is_least() {
            let is_alike = best.result.kind() == board.kind();
            let is_alike = is_alike && heap.places_of(best.result) == count;
            let value_of = |place| heap.at_place(best.result, place);
            return is_alike.then(|| (0..count).map(value_of).collect());
        }
        let sums = minimization.owed_sums.handle_of(Kind::Array)?;
        if heap.array_len(sums) == 0 {
            return None;
        }
        let mut values: Vec<Value> = (0..count)
            .map(|place| heap.at_place(board, place))
            .collect();
        for write in &best.writes {
            match write {
                RepeatedWrite::Cell { grid, cell, value }
                    if board.handle_of(Kind::Grid) == Some(*grid) =>
                {
                    if let Some(value_of) = values.get_mut(*cell as usize) {
                        *value_of = *value;
                    }
                }
                RepeatedWrite::Slots(container, slots)
                    if *container == board && slots.len() == count =>
                {
                    values.clone_from(slots);
                }
                _ => {}
            }
        }
        Some(values)
    }

    /// The array with the sums that the branch has_owed_sums; null where nothing is minimized.
    pub(crate) fn owed_sums(&self) -> Value {
        self.own_minimization()
            .map_or(Value::NULL, |minimization| minimization.owed_sums)
    }

    /// What the branch may still spend: it must end cheaper than the best solution. Null if there is none yet, or if
    /// a barrier around would take a failure from this bound for one of its own. Before the first solution, a branch
    /// that may cost more than the attempt allows is given up at once, so that an attempt does not search for
    /// branches that are cheap by chance.
    ///
    /// # Errors
    /// [`Fault::Fail`] if the branch is given up.
    pub(crate) fn bound_owed(&mut self, most: Value) -> Result<Value, Fault> {
        let Some(minimization) = self.own_minimization() else {
            return Ok(Value::NULL);
        };
        let (limit, best) = (minimization.limit, minimization.best_spent());
        let barriers = self.choices.barriers();
        let mut inside = (0..barriers.len()).rev();
        let inside = inside
            .by_ref()
            .take_while(|at| barriers[*at].kind != BarrierKind::Minimize);
        let is_seen = inside.into_iter().any(|at| match barriers[at].kind {
            BarrierKind::Commit | BarrierKind::Minimize => false,
            BarrierKind::Restarts => self.is_retry(at),
            BarrierKind::Search | BarrierKind::HostCall | BarrierKind::Function { .. } => true,
        });
        if is_seen {
            return Ok(Value::NULL);
        }
        let as_f64 = |value: Value| self.context.heap.as_f64(value).unwrap_or(0.0);
        let spent = as_f64(self.context.heap.branch.spent);
        if let Some(best) = best {
            return self.context.number(as_f64(best) - spent);
        }
        let price = spent + as_f64(most);
        if price <= as_f64(limit) {
            return Ok(Value::NULL);
        }
        let price = self.context.number(price)?;
        self.record_cut_at(price);
        Err(Fault::Fail)
    }

    /// Sets what branches of the innermost `minimize` may cost. An outer one bounds them as well: it has no use
    /// for a branch that costs more.
    fn set_bound(&mut self, own: Bound) {
        let outer = self
            .choices
            .barriers()
            .iter()
            .rev()
            .nth(1)
            .and_then(|outer| outer.bound);
        let bound = match outer {
            Some(outer) => {
                let order = self.context.heap.order(outer.price, own.price);
                if order.is_lt() || order.is_eq() && outer.reached {
                    outer
                } else {
                    own
                }
            }
            None => own,
        };
        self.choices.set_bound(bound);
    }

    /// Records, for every `minimize` whose limit the branch exceeds, that something was cut off.
    #[cold]
    pub(crate) fn record_cut(&mut self) {
        self.record_cut_at(self.context.heap.branch.spent);
    }

    /// Records the price of a branch that was cut off, from which the next attempt learns its limit.
    fn record_cut_at(&mut self, spent: Value) {
        let own = self
            .host_call
            .as_ref()
            .map_or(0, |host_call| host_call.minimizations as usize);
        for minimization in &mut self.search.minimizations[own..] {
            let cheaper = minimization
                .cheapest_cut
                .is_none_or(|cheapest| self.context.heap.order(spent, cheapest).is_lt());
            if cheaper && self.context.heap.order(spent, minimization.limit).is_gt() {
                minimization.cheapest_cut = Some(spent);
            }
        }
    }

    /// Ends an attempt: true if the search is over, else the next attempt is prepared.
    pub(crate) fn prepare_next_attempt(&mut self) -> Result<bool, Fault> {
        let Some(minimization) = self.search.minimizations.last_mut() else {
            return Ok(true);
        };
        if std::mem::take(&mut minimization.is_improved) {
            if !minimization.is_least() {
                self.context.rng = minimization.rng.clone();
            }
            self.clear_visits_of_attempt();
            return Ok(false);
        }
        if minimization.is_least() || minimization.best.is_some() {
            return Ok(true);
        }
        let Some(cut) = minimization.cheapest_cut.take() else {
            return Ok(true);
        };
        let as_f64 = |value: Value| self.context.heap.as_f64(value).unwrap_or(0.0);
        // The next limit includes at least the cheapest branch that was cut off; doubling keeps the number of
        // attempts small.
        let doubled = as_f64(minimization.start_price)
            + 2.0 * (as_f64(minimization.limit) - as_f64(minimization.start_price));
        let doubled = self.context.heap.float(doubled).unwrap_or(cut);
        let limit = if self.context.heap.order(doubled, cut).is_gt() {
            doubled
        } else {
            cut
        };
        minimization.limit = limit;
        self.context.rng = minimization.rng.clone();
        self.clear_visits_of_attempt();
        self.set_bound(Bound {
            price: limit,
            reached: false,
        });
        Ok(false)
    }

    /// The price of the best solution so far of the innermost `minimize`.
    pub(crate) fn best_spent(&self) -> Option<Value> {
        Some(self.search.minimizations.last()?.best.as_ref()?.spent)
    }

    /// The best solution so far of the innermost `minimize`.
    pub(crate) fn best_result(&self) -> Option<Value> {
        Some(self.search.minimizations.last()?.best.as_ref()?.result)
    }

    /// Stores a solution if it is cheaper than the best so far.
    pub(crate) fn offer(&mut self, result: Value) -> Result<(), Fault> {
        let spent = self.context.heap.branch.spent;
        let Some(minimization) = self.search.minimizations.last() else {
            return Ok(());
        };
        if let Some(best) = &minimization.best
            && self.context.heap.order(spent, best.spent).is_ge()
        {
            return Ok(());
        }
        let (trail, output) = (minimization.trail, minimization.output);
        self.write_out_moments(trail, result)?;
        self.room_for_writes(trail, output)?;
        let writes = self.writes_since(trail);
        self.context.charge_operation(writes.len() + 1);
        let (text, pictures) = self.context.output.output_after(output);
        self.context.heap.carry_texts(trail);
        if let Some(minimization) = self.search.minimizations.last_mut() {
            let serial = self.context.heap.next_serial();
            minimization.best = Some(Box::new(BestSolution {
                serial,
                spent,
                result,
                writes,
                text,
                pictures,
            }));
        }
        self.settle_floor();
        self.set_bound(Bound {
            price: spent,
            reached: true,
        });
        let has_owed_sums = self
            .search
            .minimizations
            .last()
            .and_then(|minimization| minimization.owed_sums.handle_of(Kind::Array))
            .is_some_and(|sums| self.context.heap.array_len(sums) > 0);
        if has_owed_sums {
            self.end_attempt();
        }
        if self.stop.is_diving && self.search.minimizations.len() == 1 {
            // Nothing more is wanted: the steps that are left are not granted.
            let left = self.grant.reserve as i64 + self.context.fuel;
            if left > 0 {
                self.grant.steps -= left as u64;
                (self.grant.reserve, self.context.fuel) = (0, 0);
            }
        }
        Ok(())
    }

    /// Stores a copy of a result whose sum is less than any before, and ends the attempt.
    pub(crate) fn offer_least(&mut self, sum: Value, result: Value) -> Result<(), Fault> {
        let since = self
            .choices
            .first_of_search()
            .map_or(0, |choice| choice.trail as usize);
        let copy = self
            .context
            .perform(|_| Ok(ResultCopy::new(result, since)))?;
        let serial = self.context.heap.next_serial();
        if let Some(minimization) = self.search.minimizations.last_mut() {
            minimization.best = Some(Box::new(BestSolution {
                serial,
                spent: sum,
                result: copy,
                writes: Vec::new(),
                text: String::new(),
                pictures: Vec::new(),
            }));
        }
        self.settle_floor();
        self.end_attempt();
        Ok(())
    }

    /// Makes the next failure end the attempt and begin another one.
    fn end_attempt(&mut self) {
        if let Some(minimization) = self.search.minimizations.last_mut() {
            minimization.is_improved = true;
        }
        if let Some(barrier) = self.choices.barriers().last() {
            // Only the search's own choice point is left.
            self.drop_choices(barrier.first() + 1);
        }
    }

    /// The serial under which a `minimize` stored its best solution last; 0 if none has.
    pub(crate) fn latest_best(&self) -> u64 {
        self.search
            .minimizations
            .iter()
            .filter_map(|minimization| minimization.best.as_ref())
            .map(|best| best.serial)
            .max()
            .unwrap_or(0)
    }

    /// Enables logging of changes that an open `minimize` would have to undo, and of no others.
    pub(crate) fn settle_floor(&mut self) {
        self.context.heap.serials.floor = self.latest_best();
        self.context.heap.set_top(self.choices.latest_serial());
    }

    /// Writes out the views of moments in the branch whose solution is stored: once the branch is undone, nothing can
    /// compute them.
    fn write_out_moments(&mut self, trail: usize, result: Value) -> Result<(), Fault> {
        let since = self
            .choices
            .first_of_search()
            .map_or(0, |choice| choice.serial);
        if self.context.heap.serials.latest_view >= since {
            self.context
                .perform(|context| Ok(MomentsOfBranch::new(&context.heap, since, trail, result)))?;
        }
        Ok(())
    }

    /// Checks that the changes above a height of the trail and of the output fit into memory.
    fn room_for_writes(&mut self, trail: usize, output: OutputMark) -> Result<(), Fault> {
        let heap = &self.context.heap;
        let entries = heap.trail_mark().saturating_sub(trail);
        let mut seen: KeyedSet<Value> = KeyedSet::default();
        let mut bytes = entries * (size_of::<RepeatedWrite>() + 24);
        // Counted apart from the bytes, which depend on the width of a pointer: a program must take equally many
        // steps on every machine.
        let mut work = entries * 2;
        for entry in heap.trail_from(trail) {
            if let Some(container) = entry.container()
                && matches!(container.kind(), Kind::Array | Kind::Object | Kind::Queue)
                && seen.insert(container)
            {
                let slots = heap.slots_of(container).len();
                bytes += slots * 8 + 16;
                work += slots / 4;
            }
            // The board may have lost them when they are posted again.
            if entry.target() == Target::Board && seen.insert(entry.old()) {
                bytes += heap.bytes_of_constraints(entry.handle(), entry.index());
                work += heap.number_of_constraints(entry.handle(), entry.index());
                // Most places hold one of a few sets.
                if !heap.adds_constraints_only(entry.handle(), entry.index()) {
                    let size = heap.size_at_first(entry.handle());
                    bytes += size * 2 * size_of::<Value>();
                    work += size;
                }
            }
            if entry.target() == Target::Host {
                let state = heap.host_bytes(Value::handle(Kind::Host, entry.handle()));
                bytes += state + size_of::<Hosted>();
                work += state / 32;
            }
        }
        let text = self
            .context
            .output
            .text
            .len()
            .saturating_sub(output.text as usize);
        bytes += text;
        work += text / COPIED_OF_STEP;
        self.context.charge_operation(work);
        self.context.reserve(bytes)
    }

    /// The places that the branch since a height of the trail has changed, with their present values.
    fn writes_since(&mut self, trail: usize) -> Vec<RepeatedWrite> {
        let heap = &mut self.context.heap;
        let mut seen: KeyedSet<(Value, usize)> = KeyedSet::default();
        let mut writes = Vec::new();
        let mut look = BlockCache::default();
        for at in trail..heap.trail_mark() {
            let Some(entry) = heap.trail_entry(at, &mut look) else {
                break;
            };
            let handle = entry.handle();
            match entry.target() {
                Target::Global => writes.push(RepeatedWrite::Global(handle, heap.global(handle))),
                Target::Variable => writes.push(RepeatedWrite::Variable(
                    handle,
                    heap.variables[handle].value,
                )),
                Target::Grid => {
                    if seen.insert((Value::handle(Kind::Grid, handle), entry.index()))
                        && let Some(value) = heap.grids[handle].slots.get(entry.index())
                    {
                        writes.push(RepeatedWrite::Cell {
                            grid: handle,
                            cell: entry.index() as u32,
                            value,
                        });
                    }
                }
                Target::Board => {
                    if seen.insert((entry.old(), usize::MAX)) {
                        let constraints = heap.constraints_of(handle, entry.index());
                        writes.push(RepeatedWrite::Constraints(
                            entry.old(),
                            constraints,
                            Arc::new(heap.at_first(handle, entry.index())),
                        ));
                    }
                }
                // No name outlives the call that gives it.
                Target::GridHistory | Target::Spent | Target::RuleName | Target::Buffer => {}
                Target::Host => {
                    let value = Value::handle(Kind::Host, handle);
                    if seen.insert((value, 0))
                        && let Some(kept) = heap.keep_state(value)
                    {
                        writes.push(RepeatedWrite::Host(handle, kept));
                    }
                }
                _ => {
                    if let Some(container) = entry.container()
                        && seen.insert((container, 0))
                    {
                        writes.push(RepeatedWrite::Slots(
                            container,
                            heap.slots_of(container).to_vec(),
                        ));
                    }
                }
            }
        }
        writes
    }

    /// Ends the search with the effects of the best solution and returns its result.
    pub(crate) fn take_best(&mut self) -> Result<Value, Fault> {
        self.close_barrier();
        self.context.charge_comparisons();
        let ended = self.search.minimizations.pop();
        let is_least = ended.as_ref().is_some_and(Minimization::is_least);
        let best = ended.and_then(|minimization| minimization.best);
        self.settle_floor();
        let best = best.ok_or(Fault::Fail)?;
        if !best.writes.is_empty() {
            self.forbid_skipping_guesses();
        }
        let heap = &mut self.context.heap;
        for write in &best.writes {
            match write {
                // Only forged bytes lead to globals of an input that was undone.
                RepeatedWrite::Global(slot, _) if *slot as usize >= heap.globals.len() => {}
                RepeatedWrite::Global(slot, value) => heap.set_global(*slot, *value),
                RepeatedWrite::Variable(handle, value) => heap.set_variable(*handle, *value),
                RepeatedWrite::Cell { grid, cell, value } => {
                    heap.set_cell(*grid, *cell as usize, *value)
                }
                RepeatedWrite::Slots(container, values) => heap.set_slots(*container, values),
                RepeatedWrite::Host(handle, kept) => heap.change_to_saved(*handle, *kept),
                RepeatedWrite::Constraints(..) => {}
            }
        }
        // On the board as it is now, with fewer candidates than when the constraints were posted.
        for write in &best.writes {
            if let RepeatedWrite::Constraints(container, constraints, before) = write {
                let board = heap.make_board(*container);
                heap.repost(board, constraints, before);
            }
        }
        let mut followed: KeyedSet<Value> = KeyedSet::default();
        for container in best.writes.iter().filter_map(RepeatedWrite::container) {
            if followed.insert(container) {
                heap.follow_board(container);
            }
        }
        if let Some(written) = &mut heap.observed.written {
            written.extend(best.writes.iter().filter_map(RepeatedWrite::change));
        }
        if !is_least {
            heap.set_spent(best.spent);
        }
        let added = self.context.output.append(&best.text, &best.pictures);
        self.context.heap.allocated(added);
        let work = self.context.heap.take_work() as usize;
        self.context
            .charge_operation(work + best.writes.len() + best.text.len() / COPIED_OF_STEP + 1);
        if self.is_too_dear() {
            Err(Fault::Fail)
        } else {
            Ok(best.result)
        }
    }
}
