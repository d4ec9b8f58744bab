//! The search for the cheapest solution: branch and bound, in attempts with a growing limit (iterative deepening on
//! the price, after Korf, 1985), so that an endless branch that costs something on every turn ends. Every attempt
//! begins with the random generator as it was. The cheapest solution so far is kept as the changes that it made, so
//! that its effects can be had again without running it again.

use std::sync::Arc;

use ndscript_base::keyed::KeyedSet;

use super::choices::barrier::{BarrierKind, Bound};
use crate::errors::error::Fault;
use crate::host::output::OutputMark;
use crate::machine::Machine;
use crate::work::moments::MomentsOfBranch;
use ndscript_base::picture::Picture;
use ndscript_base::rng::Rng;
use ndscript_heap::board::{InitialDomains, Rule};

use ndscript_heap::kinds::hosted::Hosted;
use ndscript_heap::store::deep::BlockCache;
use ndscript_heap::store::trail::Target;
use ndscript_heap::{Changed, Kind, Value};

/// So many bytes of a text are copied in the time of a step.
const COPIED_OF_STEP: usize = 32;

/// A `minimize` that is being run.
#[derive(Clone, Debug)]
pub struct Minimization {
    /// The height of the trail when it began.
    trail: usize,
    output: OutputMark,
    best: Option<Box<Best>>,
    /// What had been spent when it began, and what may have been spent in all in this attempt.
    entry: Value,
    limit: Value,
    /// The least that a branch had spent that this attempt cut off.
    cheapest_cut: Option<Value>,
    rng: Rng,
}

/// The first of the cheapest solutions so far.
#[derive(Clone, Debug)]
struct Best {
    /// Everything that it needs was made under this serial or an earlier one.
    serial: u64,
    spent: Value,
    result: Value,
    writes: Vec<Write>,
    text: String,
    pictures: Vec<(usize, Arc<Picture>)>,
}

/// A change to be made again.
#[derive(Clone, Debug)]
enum Write {
    Global(u32, Value),
    Variable(u32, Value),
    Cell {
        grid: u32,
        cell: u32,
        value: Value,
    },
    /// All slots of an array, object or queue.
    Slots(Value, Vec<Value>),
    /// A value of the host, and its state as it is kept.
    Host(u32, Value),
    /// The constraints of a board that the branch has put on it, and how the board was before.
    Constraints(Value, Vec<Rule>, Arc<InitialDomains>),
}

impl Write {
    /// What whoever watches is told of.
    fn change(&self) -> Option<Changed> {
        match self {
            Write::Global(slot, _) => Some(Changed::Global(*slot)),
            Write::Variable(handle, _) => Some(Changed::Variable(*handle)),
            Write::Cell { grid, cell, .. } => Some(Changed::Place(
                Value::handle(Kind::Grid, *grid),
                *cell as usize,
            )),
            Write::Slots(container, _) => Some(Changed::Whole(*container)),
            Write::Host(handle, _) => Some(Changed::Whole(Value::handle(Kind::Host, *handle))),
            Write::Constraints(..) => None,
        }
    }

    /// The container that may be a board.
    fn container(&self) -> Option<Value> {
        match self {
            Write::Cell { grid, .. } => Some(Value::handle(Kind::Grid, *grid)),
            Write::Slots(container, _) | Write::Constraints(container, ..) => Some(*container),
            _ => None,
        }
    }
}

impl Minimization {
    /// Lets the next attempt spend so much.
    pub fn allow(&mut self, price: Value) {
        self.cheapest_cut = Some(price);
    }

    /// What its best solution so far has spent.
    pub fn best_spent(&self) -> Option<Value> {
        Some(self.best.as_ref()?.spent)
    }

    pub fn bytes(&self) -> usize {
        let best = |best: &Best| {
            let slots = |write: &Write| match write {
                Write::Slots(_, values) => values.capacity() * 8,
                Write::Constraints(_, constraints, before) => {
                    let of_one = |rule: &Rule| rule.bytes() + size_of::<Rule>();
                    constraints.iter().map(of_one).sum::<usize>() + before.bytes()
                }
                _ => 0,
            };
            best.text.len()
                + best
                    .writes
                    .iter()
                    .map(|write| size_of::<Write>() + slots(write))
                    .sum::<usize>()
        };
        size_of::<Minimization>() + self.best.as_deref().map_or(0, best)
    }

    /// The values that it holds.
    pub fn values(&self, out: &mut Vec<Value>) {
        out.extend([self.entry, self.limit]);
        out.extend(self.cheapest_cut);
        let Some(best) = &self.best else { return };
        out.extend([best.spent, best.result]);
        for write in &best.writes {
            match write {
                Write::Global(_, value) => out.push(*value),
                Write::Variable(handle, value) => {
                    out.extend([Value::handle(Kind::Variable, *handle), *value])
                }
                Write::Cell { grid, value, .. } => {
                    out.extend([Value::handle(Kind::Grid, *grid), *value])
                }
                Write::Slots(container, values) => {
                    out.push(*container);
                    out.extend_from_slice(values);
                }
                Write::Host(handle, kept) => {
                    out.extend([Value::handle(Kind::Host, *handle), *kept])
                }
                Write::Constraints(container, constraints, before) => {
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
    pub(crate) fn open_minimize(&mut self) {
        let spent = self.context.heap.spent;
        self.open_barrier(BarrierKind::Minimize, None);
        self.minimizations.push(Minimization {
            trail: self.context.heap.trail_mark(),
            output: self.context.output.mark(),
            best: None,
            entry: spent,
            limit: spent,
            cheapest_cut: None,
            rng: self.context.rng.clone(),
        });
        self.set_bound(Bound {
            price: spent,
            reached: false,
        });
    }

    /// Sets what branches of the innermost `minimize` may cost. One around it bounds them as well: a branch too dear
    /// for that is of no use to anybody.
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

    /// Remembers, for every `minimize` whose limit the branch exceeds, that something was cut off.
    #[cold]
    pub(crate) fn note_cut(&mut self) {
        let spent = self.context.heap.spent;
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

    /// At the end of an attempt: whether the search has ended. If not, the next attempt is prepared.
    pub(crate) fn has_ended(&mut self) -> Result<bool, Fault> {
        let Some(minimization) = self.minimizations.last_mut() else {
            return Ok(true);
        };
        if minimization.best.is_some() {
            return Ok(true);
        }
        let Some(cut) = minimization.cheapest_cut.take() else {
            return Ok(true);
        };
        let as_f64 = |value: Value| self.context.heap.as_f64(value).unwrap_or(0.0);
        // At least the cheapest branch that was cut off comes in; doubling keeps the number of attempts small.
        let doubled = as_f64(minimization.entry)
            + 2.0 * (as_f64(minimization.limit) - as_f64(minimization.entry));
        let doubled = self.context.heap.float(doubled).unwrap_or(cut);
        let limit = if self.context.heap.order(doubled, cut).is_gt() {
            doubled
        } else {
            cut
        };
        minimization.limit = limit;
        self.context.rng = minimization.rng.clone();
        self.forget_visits_of_attempt();
        self.set_bound(Bound {
            price: limit,
            reached: false,
        });
        Ok(false)
    }

    /// What the best solution so far of the innermost `minimize` has spent.
    pub(crate) fn best_spent(&self) -> Option<Value> {
        Some(self.minimizations.last()?.best.as_ref()?.spent)
    }

    /// Keeps a solution if it is cheaper than the best so far.
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
        let writes = self.writes_behind(trail);
        self.context.charge_operation(writes.len() + 1);
        let (text, pictures) = self.context.output.behind(output);
        self.context.heap.carry_texts(trail);
        if let Some(minimization) = self.minimizations.last_mut() {
            let serial = self.context.heap.next_serial();
            minimization.best = Some(Box::new(Best {
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

    /// Under which serial a `minimize` has kept its best the last time; 0 if none has.
    pub(crate) fn latest_best(&self) -> u64 {
        self.minimizations
            .iter()
            .filter_map(|minimization| minimization.best.as_ref())
            .map(|best| best.serial)
            .max()
            .unwrap_or(0)
    }

    /// Lets changes be logged that would have to be taken back for a `minimize` that is open, and no others.
    pub(crate) fn settle_floor(&mut self) {
        self.context.heap.floor = self.latest_best();
        self.context.heap.set_top(self.choices.latest_serial());
    }

    /// Writes out the notes of moments of the branch that are to be kept with its solution: nobody will be able to find
    /// out what they stand for when the branch is undone.
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

    /// Makes sure that there is room for the changes behind a height of the trail and of the output.
    fn room_for_writes(&mut self, trail: usize, output: OutputMark) -> Result<(), Fault> {
        let heap = &self.context.heap;
        let entries = heap.trail_mark().saturating_sub(trail);
        let mut seen: KeyedSet<Value> = KeyedSet::default();
        let mut bytes = entries * (size_of::<Write>() + 24);
        // Counted apart from the bytes, which depend on the width of a pointer: a program takes the same steps everywhere.
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
            // The board may have lost them by the time that they are put on it again.
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

    /// What the branch since a height of the trail has changed, as it is now.
    fn writes_behind(&mut self, trail: usize) -> Vec<Write> {
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
                Target::Global => writes.push(Write::Global(handle, heap.global(handle))),
                Target::Variable => {
                    writes.push(Write::Variable(handle, heap.variables[handle].value))
                }
                Target::Grid => {
                    if seen.insert((Value::handle(Kind::Grid, handle), entry.index()))
                        && let Some(value) = heap.grids[handle].slots.get(entry.index())
                    {
                        writes.push(Write::Cell {
                            grid: handle,
                            cell: entry.index() as u32,
                            value,
                        });
                    }
                }
                Target::Board => {
                    if seen.insert((entry.old(), usize::MAX)) {
                        let constraints = heap.constraints_of(handle, entry.index());
                        writes.push(Write::Constraints(
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
                        writes.push(Write::Host(handle, kept));
                    }
                }
                _ => {
                    if let Some(container) = entry.container()
                        && seen.insert((container, 0))
                    {
                        writes.push(Write::Slots(container, heap.slots_of(container).to_vec()));
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
        let best = self
            .minimizations
            .pop()
            .and_then(|minimization| minimization.best);
        self.settle_floor();
        let best = best.ok_or(Fault::Fail)?;
        let heap = &mut self.context.heap;
        for write in &best.writes {
            match write {
                // Only forged bytes lead to globals of an input that was left.
                Write::Global(slot, _) if *slot as usize >= heap.globals.len() => {}
                Write::Global(slot, value) => heap.set_global(*slot, *value),
                Write::Variable(handle, value) => heap.set_variable(*handle, *value),
                Write::Cell { grid, cell, value } => heap.set_cell(*grid, *cell as usize, *value),
                Write::Slots(container, values) => heap.set_slots(*container, values),
                Write::Host(handle, kept) => heap.change_to_kept(*handle, *kept),
                Write::Constraints(..) => {}
            }
        }
        // On the board as it is now, whose candidates are fewer than when they were put on it.
        for write in &best.writes {
            if let Write::Constraints(container, constraints, before) = write {
                let board = heap.make_board(*container);
                heap.add_again(board, constraints, before);
            }
        }
        let mut followed: KeyedSet<Value> = KeyedSet::default();
        for container in best.writes.iter().filter_map(Write::container) {
            if followed.insert(container) {
                heap.follow_board(container);
            }
        }
        if let Some(written) = &mut heap.written {
            written.extend(best.writes.iter().filter_map(Write::change));
        }
        heap.set_spent(best.spent);
        let grown = self.context.output.append(&best.text, &best.pictures);
        self.context.heap.allocated(grown);
        let noted = self.context.heap.take_work() as usize;
        self.context
            .charge_operation(noted + best.writes.len() + best.text.len() / COPIED_OF_STEP + 1);
        if self.is_too_dear() {
            Err(Fault::Fail)
        } else {
            Ok(best.result)
        }
    }
}

ndscript_base::saved!(struct Minimization { trail, output, best, entry, limit, cheapest_cut, rng });
ndscript_base::saved!(struct Best { serial, spent, result, writes, text, pictures });
ndscript_base::saved!(enum Write {
    0 => Global(slot, value),
    1 => Variable(handle, value),
    2 => Cell { grid, cell, value },
    3 => Slots(container, values),
    4 => Host(handle, kept),
    5 => Constraints(container, constraints, before),
});

impl Minimization {
    /// Checks what was read back: that what it would write has a place.
    pub(crate) fn check(
        &self,
        context: &crate::natives::context::Context,
    ) -> Result<(), ndscript_base::codec::Unsound> {
        use ndscript_base::codec::ensure;
        let numbers = [Some(self.entry), Some(self.limit), self.cheapest_cut];
        ensure(
            numbers.into_iter().flatten().all(Value::is_number),
            "a price is no number",
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
            Write::Global(slot, _) => (*slot as usize) < heap.globals.len(),
            Write::Variable(handle, _) => heap.variables.is_used(*handle),
            Write::Cell { grid, cell, .. } => {
                heap.grids.is_used(*grid) && (*cell as usize) < heap.grids[*grid].slots.len()
            }
            Write::Slots(container, values) => heap.can_hold(*container, values),
            Write::Host(handle, kept) => heap.has_host(*handle) && heap.is_kept_of(*kept, *handle),
            Write::Constraints(container, constraints, before) => {
                let fits = |board| {
                    heap.can_have(board, constraints) && before.fits(heap.places_of(*container))
                };
                heap.board_of(*container).is_some_and(fits)
            }
        });
        ensure(fits, "a result would be written where nothing is")
    }
}
