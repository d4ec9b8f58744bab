//! Taking the cheapest solution so far of a `minimize` that is still searching: at a limit, or when a person stops
//! it.

use super::choices::barrier::BarrierKind;
use crate::machine::{Machine, State};

impl Machine {
    /// The cost of the best solution so far of the outermost `minimize`, if it has one and its result would stay.
    pub fn best_so_far(&self) -> Option<f64> {
        let (number, _) = self.minimization_with_best()?;
        let best = self.search.minimizations[number].best_spent()?;
        self.context.heap.as_f64(best)
    }

    /// The number of the outermost `minimize` that has a solution, and of the choice point that ends it. Effects
    /// inside a `not` or a `solutions` are undone, so no solution is taken from a `minimize` in there.
    fn minimization_with_best(&self) -> Option<(usize, usize)> {
        let number = self
            .search
            .minimizations
            .iter()
            .position(|minimization| minimization.best_spent().is_some())?;
        let mut before = number;
        for barrier in self.choices.barriers() {
            match barrier.kind {
                BarrierKind::Commit | BarrierKind::Restarts => {}
                BarrierKind::Minimize if before > 0 => before -= 1,
                BarrierKind::Minimize => return Some((number, barrier.first())),
                BarrierKind::Search | BarrierKind::HostCall | BarrierKind::Function { .. } => {
                    return None;
                }
            }
        }
        None
    }

    /// The choice point that ends the outermost `minimize`, if its result would stay.
    fn outermost_minimization(&self) -> Option<usize> {
        let around = self.choices.barriers().iter().take_while(|barrier| {
            matches!(barrier.kind, BarrierKind::Commit | BarrierKind::Restarts)
        });
        let barrier = self.choices.barriers().get(around.count())?;
        // A `decide` with `least` ends because there is nothing better, whatever its attempts may cost.
        let has_price = self
            .search
            .minimizations
            .first()
            .is_some_and(|minimization| !minimization.is_least());
        (barrier.kind == BarrierKind::Minimize && has_price).then(|| barrier.first())
    }

    /// Searches for a first solution of the outermost `minimize`, whatever it costs, for at most `steps` steps: its
    /// attempts so far have found none within their limits. Returns whether there is one then. The current attempt is
    /// given up.
    pub fn dive(&mut self, steps: u64) -> bool {
        self.finish_collection();
        let Some(own) = self.outermost_minimization() else {
            return false;
        };
        let Ok(any) = self.context.heap.float(f64::MAX) else {
            return false;
        };
        if !self.can_resume() || self.choices.height() <= own || !self.return_to(0, own) {
            return false;
        }
        // This is the limit of the next attempt.
        if let Some(minimization) = self.search.minimizations.first_mut() {
            minimization.allow(any);
        }
        self.stop.is_diving = true;
        self.resume(steps);
        self.stop.is_diving = false;
        self.best_so_far().is_some()
    }

    /// Whether the run was interrupted while running, outside host calls and questions.
    fn can_resume(&self) -> bool {
        let state = self.stop.unfinished.unwrap_or(self.state);
        matches!(state, State::Running | State::Failing)
            && !self.is_broken()
            && self.host_call.is_none()
            && self.question.is_none()
    }

    /// Gives up the search above the choice point of a `minimize`, and takes the alternative that the choice point
    /// has left, which asks whether the search has ended.
    fn return_to(&mut self, number: usize, own: usize) -> bool {
        let barriers = self.choices.barriers();
        let own_barrier = barriers
            .iter()
            .rposition(|barrier| barrier.kind == BarrierKind::Minimize && barrier.first() == own)
            .unwrap_or(barriers.len());
        self.drop_work();
        self.context.heap.board_with_due_functions = None;
        self.search.conflict.set_unknown();
        self.search.minimizations.truncate(number + 1);
        if let Some(minimization) = self.search.minimizations.last_mut() {
            minimization.settle();
        }
        self.search.gatherings.clear();
        self.search
            .restarts
            .retain(|restarts| (restarts.barrier as usize) < own_barrier);
        self.pass_over(own);
        self.settle_floor();
        self.restore(own);
        if !self.take_next() {
            return false;
        }
        (self.stop.limit, self.stop.unfinished, self.stop.undelivered) = (None, None, false);
        self.state = State::Running;
        true
    }

    /// Ends the outermost `minimize` that has a solution with the best one, whatever is running inside; the run
    /// continues after it, beyond the limit at which it stopped. False if there is no solution; then nothing has
    /// changed.
    pub fn end_with_best(&mut self) -> bool {
        self.finish_collection();
        let Some((number, own)) = self.minimization_with_best() else {
            return false;
        };
        // Above its own choice point the search is running; otherwise it ends by itself.
        self.can_resume() && self.choices.height() > own && self.return_to(number, own)
    }
}
