//! Writes to boards with constraints, which are then propagated to the fixpoint.

use super::candidates::MaskWork;
use super::freezing::FreezeAllWork;
use super::lists::is_list;
use super::propagating::{MemoryRequest, PropagationWork};
use super::{Tracer, Work};
use crate::errors::error::{ErrorKind, Fault};
use crate::natives::context::Context;
use ndscript_base::budget::Budget;
use ndscript_heap::sets::memo::MemoKey;
use ndscript_heap::sets::set_operation::SetOperationWalk;
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};
use ndscript_solver::VISITS_OF_GUESS;

/// Narrowing a place of a board with constraints, or all places.
#[derive(Clone)]
struct NarrowWork {
    container: Value,
    board: Handle,
    claim: u64,
    /// The place whose content is the result; otherwise the container is.
    only: Option<usize>,
    value: Value,
    cause: NarrowCause,
    /// Made when it is needed: a guess is one value, mostly of a board with few.
    masking: Option<MaskWork>,
    /// Places checked for values that were never candidates; places narrowed.
    checked: usize,
    narrowed: usize,
    has_removed: bool,
    is_wiped_out: bool,
    propagation: PropagationWork,
    asking: MemoryRequest,
}

/// Why a place is narrowed.
#[derive(Clone, Copy, PartialEq)]
enum NarrowCause {
    /// Every assigned value must have been a candidate.
    Assign,
    Allow,
    /// As allowed, by `decide`.
    Guess,
    /// Like `Guess`, and removals are recorded for backjumping.
    RecordedGuess,
}

impl NarrowWork {
    fn new(
        context: &mut Context,
        container: Value,
        only: Option<usize>,
        value: Value,
        cause: NarrowCause,
    ) -> NarrowWork {
        let board = context.heap.make_board(container);
        let guess = only.filter(|_| cause == NarrowCause::RecordedGuess);
        let claim = match guess {
            Some(place) => context.heap.claim_board_to_guess(board, place),
            None => context.heap.claim_board(board),
        };
        NarrowWork {
            container,
            board,
            claim,
            only,
            value,
            cause,
            masking: None,
            checked: 0,
            narrowed: 0,
            has_removed: false,
            is_wiped_out: false,
            propagation: PropagationWork::default(),
            asking: MemoryRequest::default(),
        }
    }

    /// Continues narrowing; true when all places are done.
    fn narrow(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let (board, container) = (self.board, self.container);
        let count = if self.only.is_some() {
            1
        } else {
            context.heap.places_of(container)
        };
        if self.narrowed == count {
            return Ok(true);
        }
        if let Some(bit) = self.guessed_bit(context) {
            budget.spend(VISITS_OF_GUESS);
            self.is_wiped_out = context
                .heap
                .narrow_place(board, self.only.unwrap_or(0), &[bit])
                .is_err();
            self.narrowed = 1;
            return Ok(true);
        }
        let (value, is_guess) = (self.value, self.is_guess());
        let masking = self.masking.get_or_insert_with(|| {
            MaskWork::new(if is_guess {
                context.heap.as_candidate(value)
            } else {
                value
            })
        });
        if !masking.freeze(context, budget)?
            || !context.heap.freshen(board, budget)
            || !masking.mask(context, board, &mut self.asking, budget)?
        {
            return Ok(false);
        }
        if self.cause == NarrowCause::Allow && self.narrowed == 0 {
            masking.refuse_list(context, board, "narrow", budget)?;
        }
        while self.cause == NarrowCause::Assign && self.checked < count {
            if budget.is_spent() {
                return Ok(false);
            }
            let place = self.only.unwrap_or(self.checked);
            budget.spend(2 + masking.finished_mask().len());
            if context.heap.boards[board].solver.is_bound(place)
                && let Some(stranger) = masking.stranger(context, board, place)
            {
                return Err(context.no_candidate(container, place, stranger));
            }
            self.checked += 1;
        }
        while self.narrowed < count && !self.is_wiped_out {
            if budget.is_spent() {
                return Ok(false);
            }
            let place = self.only.unwrap_or(self.narrowed);
            budget.spend(8);
            if context.heap.boards[board].solver.is_bound(place) {
                match context
                    .heap
                    .narrow_place(board, place, masking.finished_mask())
                {
                    Ok(has_removed) => self.has_removed |= has_removed,
                    Err(_) => self.is_wiped_out = true,
                }
            } else {
                let bytes = context.heap.bytes_to_write(container) + 32;
                if !self.asking.ask(context, bytes)? {
                    return Ok(false);
                }
                context.heap.put_at_place(container, place, self.value);
            }
            self.narrowed += 1;
        }
        Ok(true)
    }

    fn is_guess(&self) -> bool {
        matches!(self.cause, NarrowCause::Guess | NarrowCause::RecordedGuess)
    }

    /// The bit of the guessed value, if the domains fit into one word and are up to date.
    fn guessed_bit(&self, context: &Context) -> Option<u64> {
        let is_known = self.is_guess() && self.masking.is_none();
        if is_known {
            context.heap.boards[self.board].only_bit(self.value)
        } else {
            None
        }
    }
}

impl Work for NarrowWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let (board, container) = (self.board, self.container);
        if !context.heap.holds_claim(board, self.claim) {
            // Another operation has used the board meanwhile, for the host.
            let (only, value) = (self.only, self.value);
            *self = NarrowWork::new(context, container, only, value, self.cause);
        }
        if self.is_wiped_out {
            if !context.heap.go_on_forgetting(board, budget) {
                return Ok(None);
            }
            if self.cause == NarrowCause::Allow {
                context.record_list(container, "narrow", budget)?;
            }
            return Err(Fault::Fail);
        }
        if !self.narrow(context, budget)? {
            return Ok(None);
        }
        if self.is_wiped_out {
            context.heap.record_dead_end(board);
            return self.resume(context, budget);
        }
        match self
            .propagation
            .resume(context, board, &mut self.asking, budget)
        {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(fault) => {
                if self.is_guess() && matches!(fault, Fault::Fail) {
                    context.heap.observed.failed_board = Some(container);
                }
                return Err(fault);
            }
        }
        if self.has_removed
            && !self.is_guess()
            && let Some(masking) = &self.masking
        {
            context.heap.record_given(board, self.only, masking.value());
        }
        Ok(Some(self.only.map_or(container, |place| {
            context.heap.at_place(container, place)
        })))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.container, self.value]);
        self.masking
            .iter()
            .for_each(|masking| masking.trace(tracer));
        self.propagation.trace(tracer);
    }

    fn bytes(&self) -> usize {
        size_of::<NarrowWork>()
            + self.masking.as_ref().map_or(0, MaskWork::bytes)
            + self.propagation.bytes()
    }
}

/// Intersects the value of a place without constraints with the allowed values.
#[derive(Clone)]
struct IntersectWork {
    container: Value,
    place: usize,
    values: Value,
    freezing: FreezeAllWork,
    combining: Option<SetOperationWalk>,
    asking: MemoryRequest,
}

impl IntersectWork {
    /// A failure, or an error for a collection that was given in place of a set of values.
    fn nothing_left(&self, context: &mut Context, budget: &mut Budget) -> Fault {
        let (old, allowed) = (self.freezing.values[0], self.freezing.values[1]);
        if !is_list(allowed) {
            let value = context.heap.candidate(allowed, 0).unwrap_or(Value::NULL);
            let refused = context.refuse_element(self.container, "narrow", value, budget);
            let recorded =
                refused.and_then(|()| context.record_list(self.container, "narrow", budget));
            return recorded.err().unwrap_or(Fault::Fail);
        }
        let old = || {
            (0..context.heap.candidate_count(old)).filter_map(|at| context.heap.candidate(old, at))
        };
        budget.spend(old().count() * (1 + context.heap.visits_of_candidate(allowed)));
        let was_candidate = |value: Value| old().any(|candidate| candidate == value);
        // An array may be an earlier candidate of the place, unless one of its elements is a candidate.
        let candidates = old().filter(|_| !allowed.is_kind(Kind::Array));
        let lost = allowed.is_kind(Kind::Array).then_some(allowed);
        match context.is_meant_as_list(allowed, was_candidate, candidates.chain(lost)) {
            true => context.list_for_values("narrow", self.values),
            false => Fault::Fail,
        }
    }
}

impl Work for IntersectWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self
            .freezing
            .resume(context, budget)
            .map_err(|why| context.no_frozen(why, Context::not_frozen))?
        {
            return Ok(None);
        }
        if self.combining.is_none() {
            let set = |context: &mut Context, value: Value| {
                if value.is_kind(Kind::Set) {
                    value
                } else {
                    context.heap.singleton(value)
                }
            };
            let (old, allowed) = (self.freezing.values[0], self.freezing.values[1]);
            let (old, allowed) = (set(context, old), set(context, allowed));
            let few = context.heap.set_len(old).min(context.heap.set_len(allowed));
            if !self.asking.ask(context, 16 * few)? {
                return Ok(None);
            }
            let combining =
                SetOperationWalk::new(&mut context.heap, MemoKey::Intersection, old, allowed);
            let bytes = combining.bytes_needed();
            // Stopped before it has changed anything.
            if !self.asking.ask(context, bytes)? {
                return Ok(None);
            }
            self.combining = Some(combining);
        }
        let Some(combining) = &mut self.combining else {
            return Ok(None);
        };
        let Some(both) = combining.resume(&mut context.heap, budget) else {
            return Ok(None);
        };
        if context.heap.set_len(both) == 0 {
            return Err(self.nothing_left(context, budget));
        }
        self.combining = Some(SetOperationWalk::Done(both));
        let bytes = context.heap.bytes_to_write(self.container) + 32;
        if !self.asking.ask(context, bytes)? {
            return Ok(None);
        }
        context.heap.put_at_place(self.container, self.place, both);
        Ok(Some(both))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend([self.container, self.values]);
        self.freezing.trace(tracer);
        if let Some(combining) = &self.combining {
            combining.values(&mut |value| tracer.values.push(value), &mut |tree| {
                tracer.trees.push(tree)
            });
        }
    }

    fn bytes(&self) -> usize {
        self.freezing.bytes() + self.combining.as_ref().map_or(0, SetOperationWalk::bytes)
    }
}

impl Context {
    /// The error for a change of the places of a board that has constraints.
    pub fn keeps_its_places(&self, container: Value) -> Fault {
        Fault::error(
            ErrorKind::Value,
            format!(
                "a board with constraints keeps its places: {}",
                self.brief(container)
            ),
        )
        .with_hint("make all its places before the first constraint; `copy(b)` is a plain one")
    }

    /// Assigns to a place of a board with constraints, which narrows it.
    ///
    /// # Errors
    /// [`Fault::Fail`] if nothing is left; an error if a value was no candidate; [`Fault::Later`].
    pub fn assign_place(
        &mut self,
        container: Value,
        place: usize,
        value: Value,
    ) -> Result<Value, Fault> {
        self.perform(|context| {
            Ok(NarrowWork::new(
                context,
                container,
                Some(place),
                value,
                NarrowCause::Assign,
            ))
        })
    }

    /// Assigns to all places.
    ///
    /// # Errors
    /// As [`Context::assign_place`].
    pub fn assign_all_places(&mut self, container: Value, value: Value) -> Result<Value, Fault> {
        self.perform(|context| {
            Ok(NarrowWork::new(
                context,
                container,
                None,
                value,
                NarrowCause::Assign,
            ))
        })
    }

    /// Removes from a place of any board every candidate that is not among some values; returns what is left.
    ///
    /// # Errors
    /// [`Fault::Fail`] if nothing is left; if a value has no frozen form; [`Fault::Later`].
    pub fn narrow_place(
        &mut self,
        container: Value,
        place: usize,
        value: Value,
    ) -> Result<Value, Fault> {
        self.narrow_by(container, place, value, NarrowCause::Allow)
    }

    /// As [`Context::narrow_place`] for one value, as a guess to which backjumping can return.
    ///
    /// # Errors
    /// As [`Context::narrow_place`].
    pub fn guess_place(
        &mut self,
        container: Value,
        place: usize,
        value: Value,
        call: u64,
    ) -> Result<Value, Fault> {
        let cause = if self.notes_guesses(call) {
            NarrowCause::RecordedGuess
        } else {
            NarrowCause::Guess
        };
        self.narrow_by(container, place, value, cause)
    }

    /// Whether constraints of a board may prefer some candidates.
    #[inline]
    pub fn may_be_advised(&self, container: Value) -> bool {
        self.heap
            .constrained(container)
            .is_some_and(|board| self.heap.boards[board].solver.may_advise())
    }

    /// Whether the guesses of a call of `decide` are recorded, because one has failed since it began.
    pub fn notes_guesses(&self, call: u64) -> bool {
        self.heap.serials.failed_at > call
    }

    /// Narrows a place: by work in pieces if it has constraints, else at once.
    fn narrow_by(
        &mut self,
        container: Value,
        place: usize,
        value: Value,
        cause: NarrowCause,
    ) -> Result<Value, Fault> {
        let board = self.heap.constrained(container);
        if board.is_some_and(|board| self.heap.boards[board].solver.is_bound(place)) {
            return self.perform(|context| {
                Ok(NarrowWork::new(
                    context,
                    container,
                    Some(place),
                    value,
                    cause,
                ))
            });
        }
        self.perform(|context| {
            if cause == NarrowCause::RecordedGuess {
                context.heap.record_unconstrained_guess(container, place);
            }
            let content = context.heap.at_place(container, place);
            if let Some(board) = board
                && cause != NarrowCause::Allow
            {
                context
                    .heap
                    .record_given_before_guess(board, place, content);
            }
            let given = if cause == NarrowCause::Allow {
                value
            } else {
                context.heap.as_candidate(value)
            };
            let freezing = FreezeAllWork::new(vec![content, given]);
            Ok(IntersectWork {
                container,
                place,
                values: given,
                freezing,
                combining: None,
                asking: MemoryRequest::default(),
            })
        })
    }

    /// The error of a value that the place never had as a candidate.
    fn no_candidate(&self, container: Value, place: usize, value: Value) -> Fault {
        let message = format!(
            "{} was not a candidate of the place {} when it got its first constraint",
            self.brief(value),
            self.brief(self.name_of_place(container, place))
        );
        let fault = Fault::error(ErrorKind::Value, message);
        match value.is_kind(Kind::Array) {
            true => fault.with_hint(self.set_for_list(value)),
            false => {
                fault.with_hint("assigning to a place with constraints can only remove candidates")
            }
        }
    }

    /// The position, index or key of a place.
    pub fn name_of_place(&self, container: Value, place: usize) -> Value {
        let handle = container.payload();
        let name = match container.kind() {
            Kind::Grid => self.heap.grids[handle].position_of(place),
            Kind::Object => self.heap.objects[handle].slots().get(2 * place).copied(),
            _ => Some(Value::size(place)),
        };
        name.unwrap_or(Value::NULL)
    }
}
