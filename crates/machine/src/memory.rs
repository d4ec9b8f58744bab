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
use ndscript_heap::store::heap::SMALLEST_COLLECTION;

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
    /// The limit, if they still do not fit, or if too little was freed to continue without collecting again and
    /// again.
    pub(super) fn make_room(&mut self, bytes: usize) -> Result<(), Exit> {
        self.collect();
        let spare = self.context.limits.memory / 64;
        if self.context.fits(bytes.saturating_add(spare)) {
            Ok(())
        } else {
            Err(Exit::Limit(LimitReached::Memory(
                self.context.limits.memory,
            )))
        }
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
        self.collect();
        // The run's own statistics do not count it.
        self.statistics.collections -= 1;
    }

    /// Frees all unreachable objects.
    ///
    /// This is not charged: when it happens depends on how tightly memory is packed, which differs between a run and
    /// its clone or restored copy, and all of them must take equally many steps. Allocations have paid for it.
    pub(super) fn collect(&mut self) {
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
        few.extend(self.context.roots.values());
        let works = self.take_works();
        // One by one, not copied into a list: in a deep search most memory is saved registers.
        let registers = self.stack[..top].iter().chain(&self.constants).copied();
        let gathered = self
            .search
            .gatherings
            .iter()
            .flat_map(|gathering| gathering.results.iter().copied());
        let visited = self.search.visits.iter().flat_map(Visits::values);
        let options = self
            .question
            .iter()
            .filter_map(|question| question.options.as_deref())
            .flatten()
            .copied();
        let roots = registers
            .chain(self.choices.values())
            .chain(gathered)
            .chain(visited)
            .chain(options)
            .chain(few);
        let begin = self.context.clock.as_ref().map(|clock| clock());
        self.context
            .heap
            .collect(roots, |mark| works.iter().for_each(|work| work.trace(mark)));
        self.put_works(works);
        self.statistics.collections += 1;
        self.recount_bytes();
        if let (Some(clock), Some(begin)) = (&self.context.clock, begin) {
            self.clock.longest_pause = self.clock.longest_pause.max(clock().saturating_sub(begin));
        }
    }

    /// Counts all bytes again, and sets when the next collection is due.
    pub(super) fn recount_bytes(&mut self) {
        self.counted = self.machine_bytes();
        let bytes_of_works = self.count_works();
        let all = self.context.heap.exact_bytes()
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
