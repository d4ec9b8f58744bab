//! What the machine does for values that the host holds.

use crate::machine::Machine;

impl Machine {
    /// Writes out the views of grid moments that handles reach. The run may go back beyond their moment, and then
    /// only the host could still see them.
    ///
    /// Until the next call, such views can only get into objects that were made after a choice point and survive a
    /// failure back to it: what the host holds that is younger than the choice point.
    pub(crate) fn settle_roots(&mut self) {
        let context = &mut self.context;
        context.heap.serials.youngest_rooted = if !context.roots.has_any() {
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
            self.context.heap.serials.youngest_rooted = u64::MAX;
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
