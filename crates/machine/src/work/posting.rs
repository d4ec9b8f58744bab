//! Posting constraints on boards.

use super::freezing::FreezeAllWork;
use super::naming::Names;
use super::propagating::{MemoryRequest, PropagationWork};
use super::{Tracer, Work};
use crate::errors::error::Fault;
use crate::natives::context::{Context, Refused};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::board::{BindStatus, Binding, Rule};
use ndscript_heap::value::Handle;
use ndscript_heap::{Kind, Value};

/// Finds the place of a board that a value names; the function is for the message.
pub type NamePlace = fn(&mut Context, &'static str, Value, Value) -> Result<usize, Fault>;

/// The places of a constraint.
#[derive(Clone, Debug)]
pub enum Places {
    /// All of them, as the rules of a grid that know no other.
    Everywhere,
    /// The named places, or all, as a list; each once if they must be distinct.
    Listed {
        names: Option<Value>,
        are_distinct: bool,
    },
    These(Vec<u32>),
}

/// Makes a constraint of the arguments of a built-in, once all places are bound.
pub trait ConstraintBuilder: CloneBuilder + Send + Sync + 'static {
    /// Continues; returns the constraint when it is done. It may then take the places out of the target.
    ///
    /// # Errors
    /// If an argument is wrong; [`Fault::Memory`] as [`MemoryRequest::ask`] has it.
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault>;

    /// Shows what must not be collected.
    fn trace(&self, _tracer: &mut Tracer) {}

    /// The bytes that it owns.
    fn bytes(&self) -> usize {
        0
    }
}

/// Clones what a box holds, so that one [`PostWork`] serves every builder of constraints.
pub trait CloneBuilder {
    fn copied(&self) -> Box<dyn ConstraintBuilder>;
}

impl<M: ConstraintBuilder + Clone> CloneBuilder for M {
    fn copied(&self) -> Box<dyn ConstraintBuilder> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn ConstraintBuilder> {
    fn clone(&self) -> Box<dyn ConstraintBuilder> {
        (**self).copied()
    }
}

/// The board on which a constraint is posted.
#[derive(Clone, Debug)]
pub struct Target {
    pub container: Value,
    pub board: Handle,
    /// The places of the constraint, if it has any of its own.
    pub places: Vec<u32>,
    pub asking: MemoryRequest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Name,
    Distinguish,
    Freeze,
    Bind,
    Make,
    Add,
    Fixpoint,
    /// It cannot be made, so its places are released again.
    TakeBack,
    /// It cannot hold, so it is withdrawn: the failure leaves the board as if it had not begun.
    Withdraw,
}

/// A constraint being built and posted.
#[derive(Clone)]
struct PostWork {
    stage: Stage,
    function: &'static str,
    name_place: NamePlace,
    names: Names,
    places: Places,
    target: Target,
    claim: u64,
    at: usize,
    /// The named places, as bits.
    named: Vec<u64>,
    freezing: Option<FreezeAllWork>,
    binding: Binding,
    is_empty: bool,
    /// As it was given, and in its present state.
    making: [Box<dyn ConstraintBuilder>; 2],
    rule: Option<Rule>,
    /// Why it cannot be made.
    failed: Option<Fault>,
    /// How many constraints there were before it.
    before: usize,
    propagation: PropagationWork,
}

impl PostWork {
    /// Goes on finding the places that the constraint is on by their names; true when done.
    fn name(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let Places::Listed {
            names,
            are_distinct,
        } = self.places
        else {
            return Ok(true);
        };
        let places = context.heap.places_of(self.target.container);
        let count = match names {
            None => places,
            Some(names) if names.is_kind(Kind::Set) => context.heap.set_len(names),
            Some(names) => context.heap.array_len(names.payload()),
        };
        if self.target.places.capacity() < count {
            let bytes = count * 4 + if are_distinct { places / 8 } else { 0 };
            if !self.target.asking.ask(context, bytes)? {
                return Ok(false);
            }
            self.target.places.reserve_exact(count);
            if are_distinct && names.is_some() {
                self.named = vec![0; places.div_ceil(64)];
            }
        }
        while self.at < count {
            if budget.is_spent() {
                return Ok(false);
            }
            let name = match names {
                None => None,
                Some(names) if names.is_kind(Kind::Set) => context.heap.set_get(names, self.at),
                Some(names) => context.heap.element(names.payload(), self.at),
            };
            let place = match name {
                None => self.at,
                Some(name) => {
                    let Some(name) = self.names.finding_name(context, name, budget) else {
                        return Ok(false);
                    };
                    (self.name_place)(context, self.function, self.target.container, name)?
                }
            };
            budget.spend(if names.is_some() { 8 } else { 1 });
            if let Some(word) = self.named.get_mut(place / 64) {
                *word |= 1 << (place % 64);
            } else {
                self.target.places.push(place as u32);
            }
            self.at += 1;
        }
        Ok(true)
    }

    /// Lists the places that are named, each once.
    fn distinguish(&mut self, budget: &mut Budget) -> bool {
        while let Some(word) = self.named.get(self.at).copied() {
            if budget.is_spent() {
                return false;
            }
            budget.spend(1 + word.count_ones() as usize);
            let mut rest = word;
            while rest != 0 {
                self.target
                    .places
                    .push((self.at * 64) as u32 + rest.trailing_zeros());
                rest &= rest - 1;
            }
            self.at += 1;
        }
        self.named = Vec::new();
        true
    }

    fn own_places(&self) -> Option<&[u32]> {
        if let Places::Everywhere = self.places {
            None
        } else {
            Some(&self.target.places)
        }
    }

    /// Candidates are compared by content, so they are frozen when a place gets its first constraint.
    fn freeze(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let container = self.target.container;
        let count = self
            .own_places()
            .map_or(context.heap.places_of(container), <[u32]>::len);
        while self.at < count {
            if budget.is_spent() {
                return Ok(false);
            }
            let room = budget.room_for(1);
            budget.spend(1);
            let place = self
                .own_places()
                .map_or(self.at, |places| places[self.at] as usize);
            let content = context.heap.at_place(container, place);
            if context.frozen_already(content).is_some() {
                // Mostly the next places hold an equal set.
                let most = if self.own_places().is_none() {
                    room.min(count - self.at)
                } else {
                    1
                };
                let alike = context.heap.alike_from(container, place, most);
                budget.spend(alike - 1);
                self.at += alike;
                continue;
            }
            // The content of a place with a constraint is frozen already.
            if !context.heap.boards[self.target.board]
                .solver
                .is_bound(place)
            {
                let freezing = self
                    .freezing
                    .get_or_insert_with(|| FreezeAllWork::new(vec![content]));
                if !freezing
                    .resume(context, budget)
                    .map_err(|why| context.no_frozen(why, Context::not_frozen))?
                {
                    return Ok(false);
                }
                let bytes = context.heap.bytes_to_write(container) + 256;
                if !self.target.asking.ask(context, bytes)? {
                    return Ok(false);
                }
                let frozen = freezing.values[0];
                let set = context.heap.singleton(frozen);
                context.heap.put_at_place(container, place, set);
                self.freezing = None;
            }
            self.at += 1;
        }
        Ok(true)
    }

    /// Starts again on a board that another operation has used.
    fn restart(&mut self, context: &mut Context) {
        self.target.board = context.heap.make_board(self.target.container);
        self.claim = context.heap.claim_board(self.target.board);
        self.stage = Stage::Name;
        (self.at, self.is_empty) = (0, false);
        match &self.places {
            Places::These(places) => self.target.places.clone_from(places),
            _ => self.target.places.clear(),
        }
        self.named = Vec::new();
        self.freezing = None;
        self.binding = Binding::default();
        self.making[1] = self.making[0].clone();
        self.rule = None;
        self.failed = None;
        self.propagation = PropagationWork::default();
    }
}

impl Context {
    /// Stores a board with the refused constraint.
    fn keep_refused(&mut self, container: Value, board: Handle) {
        if self.refused.latest.is_some() {
            return;
        }
        let own = &self.heap.boards[board];
        self.refused.latest = Some(Box::new(Refused {
            container,
            solver: own.solver.clone(),
            givens: self.heap.givens(board),
            values: own
                .universe()
                .iter()
                .map(|value| self.words(*value))
                .collect(),
        }));
    }
}

impl Work for PostWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let (board, container) = (self.target.board, self.target.container);
        if !context.heap.holds_claim(board, self.claim) {
            self.restart(context);
        }
        loop {
            match self.stage {
                Stage::Name => {
                    if !self.name(context, budget)? {
                        return Ok(None);
                    }
                    (self.stage, self.at) = (Stage::Distinguish, 0);
                }
                Stage::Distinguish => {
                    if !self.distinguish(budget) {
                        return Ok(None);
                    }
                    (self.stage, self.at) = (Stage::Freeze, 0);
                }
                Stage::Freeze => {
                    if !self.freeze(context, budget)? || !context.heap.freshen(board, budget) {
                        return Ok(None);
                    }
                    self.stage = Stage::Bind;
                }
                Stage::Bind => {
                    let limit = context.limits.memory;
                    let fits = |heap: &mut _, bytes| Context::fits_in(heap, limit, bytes);
                    let places = match self.places {
                        Places::Everywhere => None,
                        _ => Some(&self.target.places[..]),
                    };
                    match self
                        .binding
                        .resume(&mut context.heap, board, places, budget, fits)
                    {
                        BindStatus::NotYet => return Ok(None),
                        BindStatus::Wants(bytes) => {
                            self.target.asking.refused(bytes)?;
                            return Ok(None);
                        }
                        BindStatus::Done { is_empty } => self.is_empty = is_empty,
                    }
                    self.stage = Stage::Make;
                }
                Stage::Make => {
                    self.stage = match self.making[1].resume(context, &mut self.target, budget) {
                        Ok(None) => return Ok(None),
                        Ok(rule) => {
                            self.rule = rule;
                            Stage::Add
                        }
                        Err(Fault::Memory(bytes)) => return Err(Fault::Memory(bytes)),
                        Err(fault) => {
                            self.failed = Some(fault);
                            Stage::TakeBack
                        }
                    };
                }
                Stage::TakeBack => {
                    let length = context.heap.constraint_count(board);
                    if !context.heap.withdraw_constraints(board, length, budget) {
                        return Ok(None);
                    }
                    return Err(self.failed.take().unwrap_or(Fault::Fail));
                }
                Stage::Add => {
                    // Cells that must be visited, or a witness.
                    let has_no_places = self
                        .rule
                        .as_ref()
                        .is_some_and(|rule| rule.constraint.places().is_none());
                    let waiting = if has_no_places {
                        context.heap.places_of(container)
                    } else {
                        0
                    };
                    let solver = &context.heap.boards[board].solver;
                    let extra = self
                        .rule
                        .as_ref()
                        .map_or(0, |rule| solver.bytes_beside(&rule.constraint));
                    let bytes = 8 * waiting + extra + (1 << 10);
                    if !self.target.asking.ask(context, bytes)? {
                        return Ok(None);
                    }
                    budget.spend(waiting / 8);
                    let Some(constraint) = self.rule.take() else {
                        return Ok(None);
                    };
                    self.before = context.heap.constraint_count(board);
                    if self.before == 0 {
                        // The clone uses up no draw: later draws do not change.
                        let ties = context.rng.clone().below(u64::MAX);
                        context.heap.boards[board].solver.break_ties_by(ties);
                    }
                    context.heap.add_constraint(board, constraint);
                    self.stage = if self.is_empty {
                        Stage::Withdraw
                    } else {
                        Stage::Fixpoint
                    };
                }
                Stage::Fixpoint => {
                    match self
                        .propagation
                        .resume(context, board, &mut self.target.asking, budget)
                    {
                        Err(Fault::Fail) => self.stage = Stage::Withdraw,
                        Ok(true) => {
                            context.heap.record_rule_names(board, self.before);
                            return Ok(Some(container));
                        }
                        other => return other.map(|_| None),
                    }
                }
                Stage::Withdraw => {
                    if context.refused.is_wanted
                        && context.heap.constraint_count(board) > self.before
                    {
                        context.keep_refused(container, board);
                    }
                    if !context.heap.go_on_forgetting(board, budget)
                        || !context
                            .heap
                            .withdraw_constraints(board, self.before, budget)
                    {
                        return Ok(None);
                    }
                    context.record_list(container, self.function, budget)?;
                    return Err(Fault::Fail);
                }
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.target.container);
        if let Places::Listed {
            names: Some(names), ..
        } = self.places
        {
            tracer.values.push(names);
        }
        self.freezing
            .iter()
            .for_each(|freezing| freezing.trace(tracer));
        self.making.iter().for_each(|making| making.trace(tracer));
        self.propagation.trace(tracer);
    }

    fn bytes(&self) -> usize {
        let given = if let Places::These(places) = &self.places {
            room::row(places)
        } else {
            0
        };
        size_of::<PostWork>()
            + given
            + room::row(&self.target.places)
            + room::row(&self.named)
            + self.freezing.as_ref().map_or(0, FreezeAllWork::bytes)
            + self.binding.bytes()
            + self
                .making
                .iter()
                .map(|making| size_of_val(&**making) + making.bytes())
                .sum::<usize>()
            + self.rule.as_ref().map_or(0, Rule::bytes)
            + self.propagation.bytes()
    }
}

impl Context {
    /// Posts a constraint on places of a board and propagates to the fixpoint.
    ///
    /// # Errors
    /// Those of naming places and of `making`, [`Fault::Fail`] and [`Fault::Later`].
    pub fn constrain(
        &mut self,
        function: &'static str,
        container: Value,
        name_place: NamePlace,
        places: Places,
        making: impl ConstraintBuilder,
    ) -> Result<Value, Fault> {
        #[cfg(debug_assertions)]
        {
            self.has_constrained = true;
        }
        self.constrain_by(function, container, name_place, places, Box::new(making))
    }

    /// Posts a constraint on places of a container, as work in pieces.
    fn constrain_by(
        &mut self,
        function: &'static str,
        container: Value,
        name_place: NamePlace,
        places: Places,
        making: Box<dyn ConstraintBuilder>,
    ) -> Result<Value, Fault> {
        self.perform(|context| {
            let board = context.heap.make_board(container);
            let own = if let Places::These(places) = &places {
                places.clone()
            } else {
                Vec::new()
            };
            Ok(PostWork {
                stage: Stage::Name,
                function,
                name_place,
                names: Names::default(),
                target: Target {
                    container,
                    board,
                    places: own,
                    asking: MemoryRequest::default(),
                },
                claim: context.heap.claim_board(board),
                places,
                at: 0,
                named: Vec::new(),
                freezing: None,
                binding: Binding::default(),
                is_empty: false,
                making: [making.clone(), making],
                rule: None,
                failed: None,
                before: 0,
                propagation: PropagationWork::default(),
            })
        })
    }
}
