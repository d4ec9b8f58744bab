//! The search for the cheapest solution: branch and bound, in attempts with a growing limit (iterative deepening on
//! the price, after Korf, 1985), so that an endless branch that costs something on every turn ends. Every attempt
//! begins with the random generator as it was. The cheapest solution so far is stored as its changes, so that its
//! effects can be restored without running it again.

use std::sync::Arc;

use ndscript_base::keyed::KeyedSet;

use super::choices::barrier::{BarrierKind, Bound};
use crate::errors::error::Fault;
use crate::host::output::OutputMark;
use crate::machine::Machine;
use crate::work::moments::MomentsOfBranch;
use crate::work::results::ResultCopy;
use ndscript_base::picture::Picture;
use ndscript_base::rng::Rng;
use ndscript_heap::board::{InitialDomains, Rule};

use ndscript_heap::kinds::hosted::Hosted;
use ndscript_heap::store::deep::BlockCache;
use ndscript_heap::store::trail::Target;
use ndscript_heap::{Changed, Kind, Value};

/// Copying this many bytes of a text counts as a step.
const COPIED_OF_STEP: usize = 32;

/// A `minimize` that is being run.
#[derive(Clone, Debug)]
pub struct Minimization {
    /// The height of the trail when it began.
    trail: usize,
    output: OutputMark,
    best: Option<Box<BestSolution>>,
    /// The price at its beginning, and the greatest price in this attempt.
    start_price: Value,
    limit: Value,
    /// The least price of a branch that this attempt cut off.
    cheapest_cut: Option<Value>,
    rng: Rng,
    /// An array with the sums of boards that the branch has_owed_sums (`costOf`); null for a `decide` with `least`, which has
    /// no price.
    owed_sums: Value,
    /// Whether a solution was found that ends its attempt: the next one begins with its price as a bound.
    is_improved: bool,
}

/// The first of the cheapest solutions so far.
#[derive(Clone, Debug)]
struct BestSolution {
    /// Everything that it needs was made under this serial or an earlier one.
    serial: u64,
    /// Its price, or the sum to be minimized.
    spent: Value,
    result: Value,
    writes: Vec<RepeatedWrite>,
    text: String,
    pictures: Vec<(usize, Arc<Picture>)>,
}

/// A change to be repeated.
#[derive(Clone, Debug)]
enum RepeatedWrite {
    Global(u32, Value),
    Variable(u32, Value),
    Cell {
        grid: u32,
        cell: u32,
        value: Value,
    },
    /// All slots of an array, object or queue.
    Slots(Value, Vec<Value>),
    /// A host value, and its state as it is stored.
    Host(u32, Value),
    /// The constraints that the branch has posted on a board, and the board before them.
    Constraints(Value, Vec<Rule>, Arc<InitialDomains>),
}

impl RepeatedWrite {
    /// The change for observers.
    fn change(&self) -> Option<Changed> {
        match self {
            RepeatedWrite::Global(slot, _) => Some(Changed::Global(*slot)),
            RepeatedWrite::Variable(handle, _) => Some(Changed::Variable(*handle)),
            RepeatedWrite::Cell { grid, cell, .. } => Some(Changed::Place(
                Value::handle(Kind::Grid, *grid),
                *cell as usize,
            )),
            RepeatedWrite::Slots(container, _) => Some(Changed::Whole(*container)),
            RepeatedWrite::Host(handle, _) => {
                Some(Changed::Whole(Value::handle(Kind::Host, *handle)))
            }
            RepeatedWrite::Constraints(..) => None,
        }
    }

    /// The container that may be a board.
    fn container(&self) -> Option<Value> {
        match self {
            RepeatedWrite::Cell { grid, .. } => Some(Value::handle(Kind::Grid, *grid)),
            RepeatedWrite::Slots(container, _) | RepeatedWrite::Constraints(container, ..) => {
                Some(*container)
            }
            _ => None,
        }
    }
}

impl Minimization {
    /// Sets the limit of the next attempt.
    pub fn allow(&mut self, price: Value) {
        self.cheapest_cut = Some(price);
    }

    /// The price of its best solution so far.
    pub fn best_spent(&self) -> Option<Value> {
        Some(self.best.as_ref()?.spent)
    }

    /// Whether it is a `decide` with `least`: any solution improves on those before, and nothing is spent.
    pub fn is_least(&self) -> bool {
        self.owed_sums == Value::NULL
    }

    /// Lets it end with its best solution.
    pub fn settle(&mut self) {
        self.is_improved = false;
    }

    pub fn bytes(&self) -> usize {
        let best = |best: &BestSolution| {
            let slots = |write: &RepeatedWrite| match write {
                RepeatedWrite::Slots(_, values) => values.capacity() * 8,
                RepeatedWrite::Constraints(_, constraints, before) => {
                    let of_one = |rule: &Rule| rule.bytes() + size_of::<Rule>();
                    constraints.iter().map(of_one).sum::<usize>() + before.bytes()
                }
                _ => 0,
            };
            best.text.len()
                + best
                    .writes
                    .iter()
                    .map(|write| size_of::<RepeatedWrite>() + slots(write))
                    .sum::<usize>()
        };
        size_of::<Minimization>() + self.best.as_deref().map_or(0, best)
    }

    /// The values that it holds.
    pub fn values(&self, out: &mut Vec<Value>) {
        out.extend([self.start_price, self.limit, self.owed_sums]);
        out.extend(self.cheapest_cut);
        let Some(best) = &self.best else { return };
        out.extend([best.spent, best.result]);
        for write in &best.writes {
            match write {
                RepeatedWrite::Global(_, value) => out.push(*value),
                RepeatedWrite::Variable(handle, value) => {
                    out.extend([Value::handle(Kind::Variable, *handle), *value])
                }
                RepeatedWrite::Cell { grid, value, .. } => {
                    out.extend([Value::handle(Kind::Grid, *grid), *value])
                }
                RepeatedWrite::Slots(container, values) => {
                    out.push(*container);
                    out.extend_from_slice(values);
                }
                RepeatedWrite::Host(handle, kept) => {
                    out.extend([Value::handle(Kind::Host, *handle), *kept])
                }
                RepeatedWrite::Constraints(container, constraints, before) => {
                    out.push(*container);
                    out.extend(before.values());
                    out.extend(
                        constraints
                            .iter()
                            .flat_map(|constraint| constraint.values()),
                    );
                }
            }
        }
    }
}

impl Machine {
    /// Begins a search for the cheapest solution. `owed_sums` is null for a `decide` with `least`, else an array.
    pub(crate) fn open_minimize(&mut self, owed_sums: Value) {
        let spent = self.context.heap.spent;
        self.open_barrier(BarrierKind::Minimize, None);
        self.minimizations.push(Minimization {
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
        let own = self.minimizations.get(own..).unwrap_or_default();
        own.iter()
            .rev()
            .find(|minimization| !minimization.is_least())
    }

    /// The values of a board in the best solution so far of the innermost search, if it minimizes a sum over boards.
    pub(super) fn best_values(&self, board: Value) -> Option<Vec<Value>> {
        let minimization = self.minimizations.last()?;
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
        let spent = as_f64(self.context.heap.spent);
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
        self.record_cut_at(self.context.heap.spent);
    }

    /// Records the price of a branch that was cut off, from which the next attempt learns its limit.
    fn record_cut_at(&mut self, spent: Value) {
        let own = self
            .host_call
            .as_ref()
            .map_or(0, |host_call| host_call.minimizations as usize);
        for minimization in &mut self.minimizations[own..] {
            let cheaper = minimization
                .cheapest_cut
                .is_none_or(|cheapest| self.context.heap.order(spent, cheapest).is_lt());
            if cheaper && self.context.heap.order(spent, minimization.limit).is_gt() {
                minimization.cheapest_cut = Some(spent);
            }
        }
    }

    /// Ends an attempt: true if the search is over, else the next attempt is prepared.
    pub(crate) fn end_attempt(&mut self) -> Result<bool, Fault> {
        let Some(minimization) = self.minimizations.last_mut() else {
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
        Some(self.minimizations.last()?.best.as_ref()?.spent)
    }

    /// The best solution so far of the innermost `minimize`.
    pub(crate) fn best_result(&self) -> Option<Value> {
        Some(self.minimizations.last()?.best.as_ref()?.result)
    }

    /// Stores a solution if it is cheaper than the best so far.
    pub(crate) fn offer(&mut self, result: Value) -> Result<(), Fault> {
        let spent = self.context.heap.spent;
        let Some(minimization) = self.minimizations.last() else {
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
        if let Some(minimization) = self.minimizations.last_mut() {
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
            .minimizations
            .last()
            .and_then(|minimization| minimization.owed_sums.handle_of(Kind::Array))
            .is_some_and(|sums| self.context.heap.array_len(sums) > 0);
        if has_owed_sums {
            self.end_attempt();
        }
        if self.is_diving && self.minimizations.len() == 1 {
            // Nothing more is wanted: the steps that are left are not granted.
            let left = self.reserve as i64 + self.context.fuel;
            if left > 0 {
                self.granted -= left as u64;
                (self.reserve, self.context.fuel) = (0, 0);
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
        if let Some(minimization) = self.minimizations.last_mut() {
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
        if let Some(minimization) = self.minimizations.last_mut() {
            minimization.is_improved = true;
        }
        if let Some(barrier) = self.choices.barriers().last() {
            // Only the search's own choice point is left.
            self.drop_choices(barrier.first() + 1);
        }
    }

    /// The serial under which a `minimize` stored its best solution last; 0 if none has.
    pub(crate) fn latest_best(&self) -> u64 {
        self.minimizations
            .iter()
            .filter_map(|minimization| minimization.best.as_ref())
            .map(|best| best.serial)
            .max()
            .unwrap_or(0)
    }

    /// Enables logging of changes that an open `minimize` would have to undo, and of no others.
    pub(crate) fn settle_floor(&mut self) {
        self.context.heap.floor = self.latest_best();
        self.context.heap.set_top(self.choices.latest_serial());
    }

    /// Writes out the views of moments in the branch whose solution is stored: once the branch is undone, nothing can
    /// compute them.
    fn write_out_moments(&mut self, trail: usize, result: Value) -> Result<(), Fault> {
        let since = self
            .choices
            .first_of_search()
            .map_or(0, |choice| choice.serial);
        if self.context.heap.latest_view >= since {
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
        let ended = self.minimizations.pop();
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
        if let Some(written) = &mut heap.written {
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

ndscript_base::saved!(struct Minimization { trail, output, best, start_price, limit, cheapest_cut, rng, owed_sums, is_improved });
ndscript_base::saved!(struct BestSolution { serial, spent, result, writes, text, pictures });
ndscript_base::saved!(enum RepeatedWrite {
    0 => Global(slot, value),
    1 => Variable(handle, value),
    2 => Cell { grid, cell, value },
    3 => Slots(container, values),
    4 => Host(handle, kept),
    5 => Constraints(container, constraints, before),
});

impl Minimization {
    /// Checks what was read back: everything that it would write has a place.
    pub(crate) fn check(
        &self,
        context: &crate::natives::context::Context,
    ) -> Result<(), ndscript_base::codec::Unsound> {
        use ndscript_base::codec::ensure;
        let numbers = [Some(self.start_price), Some(self.limit), self.cheapest_cut];
        ensure(
            numbers.into_iter().flatten().all(Value::is_number),
            "a price is no number",
        )?;
        ensure(
            self.owed_sums == Value::NULL || self.owed_sums.is_kind(Kind::Array),
            "the owed sums are no array",
        )?;
        ensure(
            context.output.has(self.output),
            "a height lies outside the text",
        )?;
        let Some(best) = &self.best else {
            return Ok(());
        };
        ensure(best.spent.is_number(), "a price is no number")?;
        let heap = &context.heap;
        let fits = best.writes.iter().all(|write| match write {
            RepeatedWrite::Global(slot, _) => (*slot as usize) < heap.globals.len(),
            RepeatedWrite::Variable(handle, _) => heap.variables.is_used(*handle),
            RepeatedWrite::Cell { grid, cell, .. } => {
                heap.grids.is_used(*grid) && (*cell as usize) < heap.grids[*grid].slots.len()
            }
            RepeatedWrite::Slots(container, values) => heap.can_hold(*container, values),
            RepeatedWrite::Host(handle, kept) => {
                heap.has_host(*handle) && heap.is_saved_state_of(*kept, *handle)
            }
            RepeatedWrite::Constraints(container, constraints, before) => {
                let fits = |board| {
                    heap.can_have(board, constraints) && before.fits(heap.places_of(*container))
                };
                heap.board_of(*container).is_some_and(fits)
            }
        });
        ensure(fits, "a result would be written where nothing is")
    }
}
