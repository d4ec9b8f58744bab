//! The machine's account of memory, and when garbage is collected.

use super::host::host_call::HostCall;
use super::machine::{Exit, Machine};
use super::search::barrier::ResultCollection;
use super::search::guesses::Guess;
use super::search::minimize::Minimization;
use super::search::visits::Visits;
use ndscript_base::limits::LimitReached;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::store::collection::{Collection, Root};
use ndscript_heap::store::heap::SMALLEST_COLLECTION;

/// At each resumption a collection may visit this many values for each step that was granted.
const VISITS_OF_STEP: usize = 8;

/// A resumption goes on with a collection by at least this many visits. Few in tests, so that small heaps take several
/// resumptions, too.
const FEWEST_VISITS: usize = if cfg!(debug_assertions) { 64 } else { 1 << 14 };

/// The heap grows by at least this many bytes before the next collection.
const SMALLEST_GROWTH: usize = 1 << 20;

impl Machine {
    /// Whether a test checks the account without collecting garbage each time.
    pub(super) fn is_tested(&self) -> bool {
        #[cfg(debug_assertions)]
        return self.context.heap.account.refuse_at.is_some();
        #[cfg(not(debug_assertions))]
        false
    }

    /// Collects garbage because this many bytes do not fit.
    ///
    /// # Errors
    /// As [`Machine::collect_by_grant`]: also if too little was freed to continue without collecting again and again.
    pub(super) fn make_room(&mut self, bytes: usize) -> Result<(), Exit> {
        self.collect_by_grant(Some(bytes))
    }

    /// Bytes of the rows of the machine.
    fn machine_bytes(&self) -> usize {
        room::row(&self.stack)
            + room::row(&self.frames)
            + self.choices.bytes()
            + room::row(&self.search.gatherings)
            + room::row(&self.search.minimizations)
            + room::row(&self.search.restarts)
            + room::row(&self.host_writes)
            + room::row(&self.search.visits)
            + room::row(&self.search.guesses)
            + self.search.conflict.bytes()
            + self.context.learning.bytes()
            + self
                .question
                .as_ref()
                .and_then(|question| question.options.as_ref())
                .map_or(0, room::row)
            + self
                .context
                .failure_message
                .as_ref()
                .map_or(0, |message| room::block(message.capacity()))
            + self
                .search
                .gatherings
                .iter()
                .map(ResultCollection::bytes)
                .sum::<usize>()
            + self
                .search
                .minimizations
                .iter()
                .map(Minimization::bytes)
                .sum::<usize>()
            + self.search.visits.iter().map(Visits::bytes).sum::<usize>()
    }

    /// Updates the account of the machine's stacks.
    pub(super) fn recount(&mut self) {
        let now = self.machine_bytes();
        let heap = &mut self.context.heap;
        heap.account.bytes = (heap.account.bytes + now).saturating_sub(self.counted);
        // The stacks of the machine are no garbage: their growth in a deep search must not cause collections.
        let later = heap.account.collect_at + now.saturating_sub(self.counted);
        heap.account.collect_at = later
            .min(self.context.limits.memory)
            .max(heap.account.collect_at);
        self.counted = now;
    }

    /// Called after a stack of the machine has grown: counts it, and has the limits checked soon.
    #[cold]
    #[inline(never)]
    pub(super) fn count_room(&mut self) {
        self.recount();
        // The rest of the slice goes back, so that the next call or loop reaches a check.
        if self.context.fuel > 0 {
            self.grant.reserve += self.context.fuel as u64;
            self.context.fuel = 0;
        }
    }

    /// Frees unreachable objects, if enough have accumulated while the run was suspended.
    fn collect_if_due(&mut self) {
        if self.context.heap.wants_collection() {
            self.collect();
        }
    }

    /// Whether the host's values and `bytes` more fit into memory, after collecting garbage if necessary.
    ///
    /// # Errors
    /// The limit of memory.
    pub fn room_for_host(&mut self, bytes: usize) -> Result<(), LimitReached> {
        self.finish_collection();
        self.collect_if_due();
        if self.context.fits(bytes) {
            return Ok(());
        }
        self.collect();
        if self.context.fits(bytes) {
            Ok(())
        } else {
            Err(LimitReached::Memory(self.context.limits.memory))
        }
    }

    /// Frees unreachable objects while the run is suspended.
    pub fn collect_garbage(&mut self) {
        self.finish_collection();
        self.collect();
        // The run's own statistics do not count it.
        self.statistics.collections -= 1;
    }

    /// Frees all unreachable objects.
    ///
    /// This is not charged: when it happens depends on how tightly memory is packed, which differs between a run and
    /// its clone or restored copy, and all of them must take equally many steps. Allocations have paid for it.
    pub(super) fn collect(&mut self) {
        self.collect_some(usize::MAX);
    }

    /// Frees unreachable objects, as far as the grant of this resumption allows. If that is not all, the next one goes on
    /// with it, and nothing else happens before.
    ///
    /// # Errors
    /// That the grant is used up, or the limit if then there is no room for so many bytes.
    pub(super) fn collect_by_grant(&mut self, room: Option<usize>) -> Result<(), Exit> {
        let steps = usize::try_from(self.grant.steps).unwrap_or(usize::MAX);
        let visits = steps.saturating_mul(VISITS_OF_STEP).max(FEWEST_VISITS);
        if !self.collect_some(visits) {
            self.wanted_room = room;
            return Err(Exit::OutOfFuel);
        }
        let limit = self.context.limits.memory;
        match room {
            Some(bytes) if !self.context.fits(bytes.saturating_add(limit / 64)) => {
                Err(Exit::Limit(LimitReached::Memory(limit)))
            }
            _ => Ok(()),
        }
    }

    /// Goes on with a collection that the latest resumption has left.
    ///
    /// # Errors
    /// As [`Machine::collect_by_grant`].
    pub(super) fn go_on_collecting(&mut self) -> Result<(), Exit> {
        let room = self.wanted_room.take();
        match self.collection {
            Some(_) => self.collect_by_grant(room),
            None => Ok(()),
        }
    }

    /// Finishes a collection that the latest resumption has left: something else is about to change the run.
    pub fn finish_collection(&mut self) {
        if self.collection.is_some() {
            self.collect();
            // What wanted the room asks again.
            self.wanted_room = None;
        }
    }

    /// Goes on with the collection, or begins one; true once it has ended.
    fn collect_some(&mut self, visits: usize) -> bool {
        let begin = self.context.clock.as_ref().map(|clock| clock());
        let mut collection = match self.collection.take() {
            Some(collection) => collection,
            None => Box::new(self.begin_collection()),
        };
        // One by one, not copied into a list: in a deep search most memory is saved registers.
        let registers = self.stack[..self.top()].iter().chain(&self.constants);
        let gatherings = self.search.gatherings.iter();
        let gathered = gatherings.flat_map(|gathering| gathering.results.iter());
        let visited = self.search.visits.iter().flat_map(Visits::values);
        let question = self.question.iter();
        let options = question.filter_map(|question| question.options.as_deref());
        let others = registers
            .chain(options.flatten())
            .chain(gathered)
            .copied()
            .chain(self.choices.large_values())
            .chain(visited);
        let (at, deep) = (collection.marked_roots(), self.choices.count_values());
        let roots = self
            .choices
            .values_from(at)
            .chain(others.skip(at.saturating_sub(deep)));
        let heap = &mut self.context.heap;
        let has_ended = heap.collect_some(&mut collection, roots, visits);
        if has_ended {
            self.statistics.collections += 1;
            let bytes = self.context.heap.bytes_after(&collection);
            self.settle_account(bytes);
        } else {
            self.collection = Some(collection);
        }
        if let (Some(clock), Some(begin)) = (&self.context.clock, begin) {
            self.clock.longest_pause = self.clock.longest_pause.max(clock().saturating_sub(begin));
        }
        has_ended
    }

    fn begin_collection(&mut self) -> Collection {
        let top = self.top();
        // Registers above may refer to freed objects now, and must not get into a window again.
        for word in &mut self.stack[top..] {
            *word = Value::NULL;
        }
        let mut few = vec![self.result];
        for minimization in &self.search.minimizations {
            minimization.values(&mut few);
        }
        few.extend(self.host_writes.iter().map(|write| write.old));
        few.extend(self.search.guesses.iter().map(|guess| guess.board));
        few.extend(self.question.iter().map(|question| question.prompt));
        few.extend(self.host_call.iter().flat_map(HostCall::values));
        // What the host comes to hold later is reachable now.
        few.extend(self.context.roots.values());
        let works = self.take_works();
        let trace = |mark: &mut dyn FnMut(Root)| works.iter().for_each(|work| work.trace(mark));
        let collection = self.context.heap.begin_collection(few, trace);
        self.put_works(works);
        collection
    }

    /// Counts all bytes again, and sets when the next collection is due.
    pub(super) fn recount_bytes(&mut self) {
        let bytes = self.context.heap.exact_bytes();
        self.settle_account(bytes);
    }

    /// Sets the account to the bytes of the heap and all others, and when the next collection is due.
    fn settle_account(&mut self, bytes_of_heap: usize) {
        self.counted = self.machine_bytes();
        let bytes_of_works = self.count_works();
        let all = bytes_of_heap
            + self.counted
            + self.choices.owned()
            + self.search.guesses.iter().map(Guess::bytes).sum::<usize>()
            + self.context.output.bytes()
            + bytes_of_works;
        self.context.heap.account.bytes = all;
        let limit = self.context.limits.memory;
        // The next collection comes when the heap has doubled, or at the limit. Freed places are filled first, which
        // the account does not see.
        let spare = self.context.heap.spare();
        let growth = (all - spare.min(all) + SMALLEST_COLLECTION)
            .saturating_sub(spare)
            .max(SMALLEST_GROWTH);
        let growth = growth.min(limit.saturating_sub(all)).max(limit / 32);
        self.context.heap.account.collect_at = all + growth;
    }
}
