//! Barriers: stretches of a run whose choices are forgotten, or whose effects are undone, when they end.

use super::choice::Choice;
use super::machine::Machine;
use crate::value::value::Handle;
use crate::value::{Value, room};

/// An open stretch.
#[derive(Clone, Copy, Debug)]
pub struct Barrier {
    pub kind: BarrierKind,
    /// How many choice points there were when it was opened.
    pub choices: u32,
    /// What a branch may cost; `None` where being too dear must not be seen as a failure.
    pub bound: Option<Bound>,
}

/// The price from which on a branch is of no use to the `minimize` around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    pub price: Value,
    /// Whether that very price is too dear already, because a solution of that price is known.
    pub reached: bool,
}

/// What a stretch is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierKind {
    /// A call of a `deterministic` function.
    Commit,
    /// `not`, `solutions`, `countSolutions`: what happens inside is undone, so nobody can be asked.
    Search,
    Minimize,
    /// `withRestarts`: what happens inside may be undone, so nobody can be asked.
    Restarts,
    /// A call of the host: what is around it does not concern it.
    Errand,
    /// A function of a board, by the number of its constraint: as a call of a deterministic function, but what makes it
    /// fail counts as a failure of the constraint.
    Function {
        board: Handle,
        number: u32,
    },
}

/// Results that survive the failures of the search that found them.
#[derive(Clone, Debug, Default)]
pub struct Gathering {
    pub results: Vec<Value>,
    pub count: u64,
}

impl Gathering {
    pub fn bytes(&self) -> usize {
        room::row(&self.results)
    }
}

impl Machine {
    #[inline]
    pub(super) fn open_barrier(&mut self, kind: BarrierKind, bound: Option<Bound>) {
        if self.barriers.len() == self.barriers.capacity() {
            room::grow(&mut self.barriers, 1);
            self.count_room();
        }
        self.barriers.push(Barrier { kind, choices: self.choices.len() as u32, bound });
    }

    /// Closes the innermost barrier.
    #[inline]
    pub(super) fn close_barrier(&mut self) -> Option<Barrier> {
        let barrier = self.barriers.pop();
        self.forget_visits();
        barrier
    }

    /// Ends the call of a deterministic function: its choices are forgotten. False if the branch turns out to be
    /// too dear for a `minimize` around it.
    #[inline]
    pub(super) fn commit(&mut self) -> bool {
        let Some(barrier) = self.close_barrier() else { return true };
        if self.choices.len() > barrier.choices as usize {
            self.forget_choices(barrier.choices as usize);
        }
        !self.is_too_dear()
    }

    /// Whether what has been spent is more than the `minimize` around it allows; it is told if so.
    #[inline]
    pub(super) fn is_too_dear(&mut self) -> bool {
        match self.barriers.last() {
            Some(Barrier { bound: Some(bound), .. }) => {
                let order = self.context.heap.order(self.context.heap.spent, bound.price);
                let too_dear = order.is_gt() || order.is_eq() && bound.reached;
                if too_dear {
                    self.note_cut();
                }
                too_dear
            }
            _ => false,
        }
    }

    /// Drops the choice points from a height on, and of what they had saved all that no older one needs.
    #[cold]
    #[inline(never)]
    pub(super) fn forget_choices(&mut self, height: usize) {
        let Some(first) = self.choices.get(height).copied() else { return };
        let (trail, saves, saved_frames) = (first.trail, first.saves as usize, first.saved_frames as usize);
        let mut needed = self.protected_below(height, saved_frames);
        let remaining = height.checked_sub(1).map_or(0, |below| self.choices[below].serial);
        let before = self.context.heap.trail_mark();
        self.context.heap.forget_behind(trail as usize, remaining);
        self.context.charge((before - trail as usize) / 4 + self.choices.len() - height);
        // The oldest save of a frame that was still unsaved for the choice point below is the one it needs.
        let (mut kept_frames, mut kept_registers) = (saved_frames, saves);
        for at in saved_frames..self.saved_frames.len() {
            let mut saved = self.saved_frames[at];
            if saved.index < needed {
                needed = saved.index;
                let start = saved.start as usize;
                self.saves.copy_within(start..start + saved.length as usize, kept_registers);
                saved.start = kept_registers as u32;
                kept_registers += saved.length as usize;
                self.saved_frames[kept_frames] = saved;
                kept_frames += 1;
            }
        }
        self.saved_frames.truncate(kept_frames);
        self.saves.truncate(kept_registers);
        self.protect = needed;
        if let Some(large) = self.choices[height..].iter().find_map(Choice::large) {
            self.drop_large(large);
        }
        self.choices.truncate(height);
        self.context.heap.top = remaining;
        if !self.guesses.is_empty() {
            self.forget_guesses(height);
        }
        if !self.host_writes.is_empty() {
            self.lower_host_writes(height);
        }
        // What is still open was opened before all that is chosen from here on.
        for barrier in self.barriers.iter_mut().rev() {
            if barrier.choices as usize <= height {
                break;
            }
            barrier.choices = height as u32;
        }
        if height < self.floor as usize {
            self.lower_floors(height as u32);
        }
    }
}

#[cfg(feature = "save")]
saved!(struct Barrier { kind, choices, bound });
#[cfg(feature = "save")]
saved!(struct Bound { price, reached });
#[cfg(feature = "save")]
saved!(enum BarrierKind {
    0 => Commit {},
    1 => Search {},
    2 => Minimize {},
    3 => Errand {},
    4 => Restarts {},
    5 => Function { board, number },
});
#[cfg(feature = "save")]
saved!(struct Gathering { results, count });
