//! How the machine records guesses, and goes back to the one that a failure depends on.

use super::{Failed, Guess, number_of};
use crate::machine::Machine;
use ndscript_base::room;
use ndscript_heap::Value;

impl Machine {
    /// A number for a call of `decide` on a board whose guesses may be skipped.
    pub(crate) fn begin_deciding(&mut self, board: Value) -> Value {
        let call = self.context.heap.next_serial();
        self.begin_learning(call);
        self.guide_by_best(board);
        Value::integer(call as i64)
    }

    /// Ends a call of `decide`. Later failures have other causes, and go back to choice points only.
    pub(crate) fn end_deciding(&mut self, board: Value, call: Value) -> Value {
        let Some(call) = number_of(call) else {
            return board;
        };
        self.end_learning(call);
        while self
            .search
            .guesses
            .last()
            .is_some_and(|guess| guess.call == call && guess.is_last)
        {
            self.drop_guess();
        }
        board
    }

    /// Records the guess of the latest choice point, if it was made since `before` choice points were open.
    pub(crate) fn record_guess(&mut self, before: usize, board: Value, call: Value) {
        let Some(call) = number_of(call) else { return };
        let is_noted = self.context.notes_guesses(call) && self.choices.height() == before + 1;
        if !is_noted || self.context.heap.constrained(board).is_none() {
            return;
        }
        if self.search.guesses.is_empty() {
            // Removals since a guess that was not recorded.
            self.context.heap.discard_removals(board, 0);
        }
        if self.search.guesses.len() == self.search.guesses.capacity() {
            room::grow(&mut self.search.guesses, 1);
            self.count_room();
        }
        let losses = self.context.heap.losses(board);
        let failed = Failed::Places(Vec::new());
        self.search.guesses.push(Guess {
            call,
            board,
            choices: before as u32,
            is_last: false,
            losses,
            failed,
        });
    }

    /// Records an effect because of which guesses cannot be skipped.
    pub(crate) fn forbid_skipping_guesses(&mut self) {
        if let Some(guess) = self.search.guesses.last() {
            self.context.heap.mark_removals_unknown(guess.board);
        }
    }

    /// Begins a failure: computes its conflict, if the constraints of a board have caused it.
    pub(crate) fn begin_conflict(&mut self) {
        let failed_board = self.context.heap.observed.failed_board.take();
        if failed_board.is_some() {
            self.context.heap.serials.failed_at = self.context.heap.next_serial();
        }
        match failed_board {
            Some(board)
                if self
                    .search
                    .guesses
                    .last()
                    .is_some_and(|guess| guess.board == board) =>
            {
                self.context
                    .heap
                    .begin_conflict(board, &mut self.search.conflict);
            }
            _ => self.search.conflict.set_unknown(),
        }
    }

    /// The bytes that tracing a conflict back to a choice point may take.
    pub(crate) fn bytes_to_trace(&self) -> usize {
        let Some(guess) = self.search.guesses.last() else {
            return 0;
        };
        let places = self.context.heap.places_of(guess.board);
        let constraints = self
            .context
            .heap
            .board_of(guess.board)
            .map_or(0, |board| self.context.heap.constraint_count(board));
        let explaining = self.context.heap.bytes_to_explain(guess.board);
        // A list of them twice, as it grows, and one for the guess.
        16 * places + constraints / 8 + 64 + explaining
    }

    /// Traces the conflict back to the latest choice point. Returns whether that is a guess without a part in it,
    /// which is then discarded.
    pub(crate) fn had_no_part(&mut self, last: usize) -> bool {
        while let Some(guess) = self.search.guesses.last() {
            let is_open = !guess.is_last;
            if (guess.choices as usize) < last || guess.choices as usize == last && !is_open {
                break;
            }
            let is_latest = is_open && guess.choices as usize == last;
            let (board, losses) = (guess.board, guess.losses);
            let had_part = !self.search.conflict.is_known()
                || self
                    .context
                    .heap
                    .trace_back(board, losses, &mut self.search.conflict);
            if !is_latest {
                if had_part {
                    self.take_up_earlier_failures();
                }
                self.go_on_below();
                continue;
            }
            if !had_part {
                self.go_on_below();
                return true;
            }
            self.keep_conflict();
            self.search.conflict.set_unknown();
            return false;
        }
        self.search.conflict.set_unknown();
        false
    }

    /// Moves from a guess to the one before it.
    fn go_on_below(&mut self) {
        let Some(call) = self.drop_guess() else {
            return;
        };
        if self
            .search
            .guesses
            .last()
            .is_none_or(|below| below.call != call)
        {
            self.search.conflict.set_unknown();
        }
    }

    /// Adds the conflicts of all other alternatives of the latest guess to the current one.
    fn take_up_earlier_failures(&mut self) {
        if !self.search.conflict.is_known() {
            return;
        }
        match self.search.guesses.last().map(|guess| &guess.failed) {
            Some(Failed::Places(places)) => {
                self.context.heap.record_work(places.len());
                places
                    .iter()
                    .for_each(|place| self.search.conflict.add(*place));
            }
            _ => self.search.conflict.set_unknown(),
        }
    }

    /// Adds to the latest guess why one more of its alternatives has failed.
    fn keep_conflict(&mut self) {
        self.take_up_earlier_failures();
        let failed = match self.search.conflict.is_known() {
            true => Failed::Places(self.search.conflict.places().to_vec()),
            false => Failed::Somehow,
        };
        self.context
            .heap
            .record_work(self.search.conflict.places().len());
        self.replace_failed(failed);
    }

    fn replace_failed(&mut self, failed: Failed) {
        let Some(guess) = self.search.guesses.last_mut() else {
            return;
        };
        let before = guess.bytes();
        guess.failed = failed;
        let now = guess.bytes();
        let heap = &mut self.context.heap;
        heap.account.bytes = (heap.account.bytes + now).saturating_sub(before);
    }

    /// Drops the latest guess and its removals; returns its call.
    fn drop_guess(&mut self) -> Option<u64> {
        self.replace_failed(Failed::Somehow);
        let guess = self.search.guesses.pop()?;
        self.context
            .heap
            .discard_removals(guess.board, guess.losses);
        Some(guess.call)
    }

    /// Called after everything was restored to a choice point: drops later guesses, but not their removals.
    #[cold]
    pub(crate) fn return_to_guess(&mut self, last: usize) {
        while self
            .search
            .guesses
            .last()
            .is_some_and(|guess| guess.choices as usize > last)
        {
            self.drop_guess();
        }
        if let Some(guess) = self
            .search
            .guesses
            .last()
            .filter(|guess| guess.choices as usize == last && !guess.is_last)
        {
            self.context
                .heap
                .discard_removals(guess.board, guess.losses);
        }
    }

    /// Called when an alternative was given up without failing: the failures of the latest guess are unknown then.
    pub(crate) fn make_guess_unknown(&mut self) {
        self.replace_failed(Failed::Somehow);
    }

    /// Called when a choice point is removed: its guess stays, with the alternative taken last.
    #[cold]
    pub(crate) fn record_last_alternative(&mut self, last: usize) {
        if let Some(guess) = self
            .search
            .guesses
            .last_mut()
            .filter(|guess| guess.choices as usize == last)
        {
            guess.is_last = true;
        }
    }

    /// Called when the choice points from a height on are discarded: discards their guesses. One that is older and
    /// has taken its last alternative may be among them, so earlier removals are unknown from now on.
    #[cold]
    pub(crate) fn drop_guesses(&mut self, height: usize) {
        while let Some(guess) = self
            .search
            .guesses
            .last()
            .filter(|guess| guess.choices as usize >= height)
        {
            let board = guess.board;
            self.drop_guess();
            self.context.heap.mark_removals_unknown(board);
        }
    }

    /// Skips the latest choice point. What it has saved is needed for backtracking further.
    pub(crate) fn skip_choice(&mut self) {
        self.statistics.skipped += 1;
        self.search.skipped_by_failure += 1;
        self.context.fuel -= 1;
        let freed = self.choices.skip_latest();
        self.free_owned(freed);
    }
}
