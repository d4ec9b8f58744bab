//! How the machine opens and closes barriers, and collects results.

use crate::machine::Machine;
use crate::search::choices::barrier::{Barrier, BarrierKind, Bound};

impl Machine {
    #[inline]
    pub(crate) fn open_barrier(&mut self, kind: BarrierKind, bound: Option<Bound>) {
        if self.choices.open(kind, bound) {
            self.count_room();
        }
    }

    /// Closes the innermost barrier.
    #[inline]
    pub(crate) fn close_barrier(&mut self) -> Option<Barrier> {
        let barrier = self.choices.close();
        self.drop_visits();
        barrier
    }

    /// Closes the innermost barrier, and discards the choices above it.
    #[inline]
    pub(crate) fn close_and_commit(&mut self) {
        if let Some(barrier) = self.close_barrier()
            && self.choices.height() > barrier.first()
        {
            self.drop_choices(barrier.first());
        }
    }

    /// Ends the call of a deterministic function and discards its choices. False if the branch costs more
    /// than a `minimize` around it allows.
    #[inline]
    pub(crate) fn commit(&mut self) -> bool {
        self.close_and_commit();
        !self.is_too_dear()
    }

    /// Whether the branch has spent more than the `minimize` around it allows; if so, that is recorded there.
    #[inline]
    pub(crate) fn is_too_dear(&mut self) -> bool {
        match self.choices.barriers().last() {
            Some(Barrier {
                bound: Some(bound), ..
            }) => {
                let order = self
                    .context
                    .heap
                    .order(self.context.heap.branch.spent, bound.price);
                let too_dear = order.is_gt() || order.is_eq() && bound.reached;
                if too_dear {
                    self.record_cut();
                }
                too_dear
            }
            _ => false,
        }
    }

    /// Drops the choice points from a height on, and what they had saved, except what an older one needs.
    #[cold]
    #[inline(never)]
    pub(crate) fn drop_choices(&mut self, height: usize) {
        let Some(first) = self.choices.point(height) else {
            return;
        };
        let trail = first.trail as usize;
        let forgotten = self.choices.height() - height;
        let reaches_below = height < self.choices.floor();
        let freed = self.choices.drop_from(height);
        self.free_owned(freed);
        let remaining = self.choices.latest_serial();
        let undoable = self.context.heap.trail_mark() - trail;
        self.context.heap.drop_entries_above(trail, remaining);
        self.context.charge_operation(undoable / 4 + forgotten);
        self.context.heap.set_top(remaining);
        if !self.search.guesses.is_empty() {
            self.drop_guesses(height);
        }
        if !self.host_writes.is_empty() {
            self.lower_host_writes(height);
        }
        if reaches_below {
            self.lower_inputs(height as u32);
        }
    }
}
