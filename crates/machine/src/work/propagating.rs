//! Propagation on a board to its fixpoint, and writing the cells that have changed.

use super::Tracer;
use crate::errors::error::Fault;
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_base::keyed::KeyedMap;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::board::SetOfPlace;
use ndscript_heap::sets::set_making::SetBuilder;
use ndscript_heap::value::Handle;
use ndscript_solver::Fixpoint;

/// A request for memory by work that may have changed something already: its instruction must not start again.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryRequest {
    /// Whether memory was missing before: the first time the instruction does not stop, but continues as a work.
    lacked: bool,
}

impl MemoryRequest {
    /// Whether this number of bytes can be allocated. If not, the piece has to end.
    ///
    /// # Errors
    /// [`Fault::Memory`] from the second time on.
    pub fn ask(&mut self, context: &mut Context, bytes: usize) -> Result<bool, Fault> {
        if context.fits(bytes) {
            return Ok(true);
        }
        self.refused(bytes)
    }

    /// As `ask`, after the bytes turned out not to fit.
    pub fn refused(&mut self, bytes: usize) -> Result<bool, Fault> {
        if std::mem::replace(&mut self.lacked, true) {
            Err(Fault::Memory(bytes))
        } else {
            Ok(false)
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Propagate,
    /// A place has no candidate left.
    Forget,
    Settle,
}

/// A board being propagated.
#[derive(Clone, Debug, Default)]
pub struct PropagationWork {
    stage: Stage,
    /// How many of the changed places are written.
    written: usize,
    /// The set of the next place, if it is large.
    making: Option<SetBuilder>,
    /// Places that are being written, by their candidates: if a value is removed from many places, most of them share
    /// their set.
    place_by_set: KeyedMap<u64, u32>,
}

/// A set with more values is made in pieces.
const FEW: usize = 1 << 10;
/// The most sets for which a written place is recorded.
const MOST_SETS: usize = 1 << 10;
/// With at least this many values, and at most so many that they can be read at once, a few removals are taken out of
/// a place's set.
const MANY: usize = 65;
const AT_ONCE: usize = 1 << 12;
/// The visits charged for taking a value out of a large set.
const VISITS_OF_LOSS: usize = 128;
/// This many places are written between two requests for memory.
const WRITTEN_AT_ONCE: usize = 256;

impl PropagationWork {
    /// Continues; true once propagation has reached a fixpoint and the cells are written.
    ///
    /// # Errors
    /// [`Fault::Fail`] if a place has no candidate left; [`Fault::Memory`].
    pub fn resume(
        &mut self,
        context: &mut Context,
        board: Handle,
        asking: &mut MemoryRequest,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        loop {
            let noting = context.heap.bytes_to_record(board);
            if self.stage == Stage::Propagate && noting > 0 && !asking.ask(context, noting)? {
                return Ok(false);
            }
            match self.stage {
                Stage::Propagate => match context.heap.bring_to_rest(board, budget) {
                    Ok(Fixpoint::Reached) => {
                        let container = context.heap.boards[board].container;
                        let places = context.heap.changed_places(board).len();
                        let bytes = places * 32
                            + context.heap.bytes_to_write(container)
                            + context.heap.bytes_to_wake(board);
                        if !asking.ask(context, bytes)? {
                            return Ok(false);
                        }
                        self.stage = Stage::Settle;
                    }
                    Ok(Fixpoint::NotYet) => return Ok(false),
                    Ok(Fixpoint::NeedsMemory(bytes)) => {
                        if !asking.ask(context, bytes)? {
                            return Ok(false);
                        }
                        context.heap.grant(board, bytes);
                    }
                    Err(_) => {
                        context.heap.record_dead_end(board);
                        self.stage = Stage::Forget;
                    }
                },
                Stage::Forget => {
                    let is_done = context.heap.go_on_forgetting(board, budget);
                    return if is_done { Err(Fault::Fail) } else { Ok(false) };
                }
                Stage::Settle => {
                    if !self.settle(context, board, asking, budget)? {
                        return Ok(false);
                    }
                    context.heap.end_settling(board);
                    return Ok(true);
                }
            }
        }
    }

    /// Continues writing the changed cells.
    fn settle(
        &mut self,
        context: &mut Context,
        board: Handle,
        asking: &mut MemoryRequest,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        while self.written < context.heap.changed_places(board).len() {
            if budget.is_spent() {
                return Ok(false);
            }
            let in_portion = self.written % WRITTEN_AT_ONCE;
            if in_portion == 0 && !asking.ask(context, WRITTEN_AT_ONCE * 64)? {
                return Ok(false);
            }
            if self.making.is_none() {
                let most = WRITTEN_AT_ONCE - in_portion;
                let known = context.heap.settle_known(board, self.written, most, budget);
                self.written += known;
                if known > 0 {
                    continue;
                }
            }
            let Some(place) = context
                .heap
                .changed_places(board)
                .get(self.written)
                .copied()
            else {
                continue;
            };
            let place = place as usize;
            let set = match self.set_of(context, board, place, asking, budget)? {
                Some(set) => set,
                None => return Ok(false),
            };
            budget.spend(16);
            context.heap.settle_place(board, place, set);
            self.written += 1;
        }
        Ok(true)
    }

    /// The set of the candidates of a place; `None` if it is not made yet.
    fn set_of(
        &mut self,
        context: &mut Context,
        board: Handle,
        place: usize,
        asking: &mut MemoryRequest,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if self.making.is_none() {
            let candidates = context.heap.boards[board].solver.candidates(place);
            let (count, words) = (candidates.count() as usize, candidates.words().1.len());
            if words > 1 {
                budget.spend(2 * words);
                if let Some(set) = self.set_of_like(context, board, place) {
                    return Ok(Some(set));
                }
            }
            if count > FEW && !asking.ask(context, count * 8 + SetBuilder::bytes_of_work(count))? {
                return Ok(None);
            }
            // Not earlier: if this is called again, the place must not count as written.
            if words > 1 && self.place_by_set.len() < MOST_SETS {
                self.place_by_set.insert(
                    context.heap.boards[board].solver.hash_of(place),
                    place as u32,
                );
            }
            if let Some(lost) = context
                .heap
                .few_lost(board, place)
                .filter(|_| (MANY..=AT_ONCE).contains(&count))
            {
                budget.spend(2 * count + VISITS_OF_LOSS * lost);
                return Ok(Some(context.heap.set_without(board, place)));
            }
            // Charged for known sets, too: steps must not depend on what is cached.
            budget.spend(if count <= FEW { 8 * count } else { 2 * count });
            match context.heap.set_of_place(board, place) {
                SetOfPlace::Known(set) => return Ok(Some(set)),
                SetOfPlace::Values(values) if count <= FEW => {
                    return Ok(Some(context.heap.set_of_frozen(values)));
                }
                SetOfPlace::Values(values) => self.making = Some(SetBuilder::new(values)),
            }
        }
        let Some(making) = &mut self.making else {
            return Ok(None);
        };
        let set = making.resume(&mut context.heap, budget);
        if set.is_some() {
            self.making = None;
        }
        Ok(set)
    }

    /// The set of a written place with the candidates of this one.
    fn set_of_like(&self, context: &Context, handle: Handle, place: usize) -> Option<Value> {
        let board = &context.heap.boards[handle];
        let other = *self.place_by_set.get(&board.solver.hash_of(place))? as usize;
        board
            .solver
            .are_alike(other, place)
            .then(|| context.heap.at_place(board.container, other))
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        if let Some(making) = &self.making {
            making.values(&mut |value| tracer.values.push(value), &mut |tree| {
                tracer.trees.push(tree)
            });
        }
    }

    pub fn bytes(&self) -> usize {
        self.making.as_ref().map_or(0, SetBuilder::bytes)
            + room::hash_map(self.place_by_set.capacity(), 12)
    }
}
