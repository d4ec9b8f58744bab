//! Work on all places of a board, in pieces: their candidates, and the next place to decide.

use ndscript_base::keyed::KeyedSet;

use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::board::{Indexed, Order, VISITS_OF_PICK};
use ndscript_heap::sets::set_making::SetBuilder;
use ndscript_heap::value::Handle;
use ndscript_heap::{Heap, Kind, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::consulting::{Answer, AskLearnerWork};
use ndscript_machine::work::freezing::FreezeAllWork;
use ndscript_machine::work::naming::Names;
use ndscript_machine::work::posting::{NamePlace, Places};
use ndscript_machine::work::propagating::MemoryRequest;
use ndscript_machine::work::{Tracer, Work};

/// The undecided places of an array or an object, in order.
#[derive(Clone)]
pub struct CandidatesWork {
    board: Value,
    at: usize,
    names: Vec<Value>,
}

impl CandidatesWork {
    /// There is room for as many names as the board has places.
    pub fn undecided(board: Value) -> CandidatesWork {
        CandidatesWork {
            board,
            at: 0,
            names: Vec::new(),
        }
    }
}

impl Work for CandidatesWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let count = context.heap.places_of(self.board);
        while self.at < count {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(2);
            if context
                .heap
                .is_undecided(context.heap.at_place(self.board, self.at))
            {
                if self.names.len() == self.names.capacity() {
                    room::grow(&mut self.names, 1);
                }
                self.names.push(context.name_of_place(self.board, self.at));
            }
            self.at += 1;
        }
        Ok(Some(context.heap.array(std::mem::take(&mut self.names))))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.board);
        tracer.values.extend_from_slice(&self.names);
    }

    fn bytes(&self) -> usize {
        room::row(&self.names)
    }
}

/// At most this many sets are recorded.
const MOST_SETS: usize = 1 << 15;

/// All values that a place, or all places, can have, in order.
#[derive(Clone)]
pub struct Candidates {
    board: Value,
    only: Option<usize>,
    at: usize,
    /// Whether the set of the place is being listed, and its candidate that comes next.
    is_open: bool,
    next: usize,
    all: Vec<Value>,
    /// Places often hold the same few sets. Limited to `MOST_SETS`, as a table grows in one go.
    sets_seen: KeyedSet<Value>,
    /// The latest of them.
    latest: Option<Value>,
    freezing: Option<FreezeAllWork>,
    making: Option<SetBuilder>,
    /// The set, and its elements so far.
    set: Option<Value>,
    candidates: Vec<Value>,
    asking: MemoryRequest,
}

impl Candidates {
    pub fn new(board: Value, only: Option<usize>) -> Candidates {
        Candidates {
            board,
            only,
            at: 0,
            is_open: false,
            next: 0,
            all: Vec::new(),
            sets_seen: KeyedSet::default(),
            latest: None,
            freezing: None,
            making: None,
            set: None,
            candidates: Vec::new(),
            asking: MemoryRequest::default(),
        }
    }

    /// As `gather`, for a place under a constraint: its first candidates. What other constraints rule out must not
    /// become part of a new constraint, or steps would name the wrong reason.
    fn gather_initial(
        &mut self,
        context: &mut Context,
        board: Handle,
        place: usize,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let count = context.heap.boards[board].solver.initial(place).count() as usize;
        if self.all.capacity() < count {
            if !self.asking.ask(context, 8 * count)? {
                return Ok(false);
            }
            self.all.reserve_exact(count);
        }
        let board = &context.heap.boards[board];
        let from = self.next;
        let initial = board.solver.initial(place).numbers();
        for number in initial.skip_while(|number| *number < from) {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(2);
            self.all.extend(board.universe().get(number));
            self.next = number + 1;
        }
        Ok(true)
    }

    /// Continues to gather candidates, each as often as sets have it.
    fn gather(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        let count = if self.only.is_some() {
            1
        } else {
            context.heap.places_of(self.board)
        };
        if let Some(place) = self.only
            && let Some(board) = context.heap.board_of(self.board)
            && context.heap.boards[board].solver.is_bound(place)
        {
            return self.gather_initial(context, board, place, budget);
        }
        while self.at < count {
            if budget.is_spent() {
                return Ok(false);
            }
            let room = budget.room_for(2);
            budget.spend(2);
            let place = self.only.unwrap_or(self.at);
            let content = context.heap.at_place(self.board, place);
            if !self.is_open && (self.latest == Some(content) || self.sets_seen.contains(&content))
            {
                self.latest = Some(content);
                let alike = context
                    .heap
                    .alike_from(self.board, place, room.min(count - self.at));
                budget.spend(2 * (alike - 1));
                self.at += alike;
                continue;
            }
            if !self.is_open && self.sets_seen.len() < MOST_SETS {
                if self.sets_seen.len() == self.sets_seen.capacity() {
                    let bytes = room::hash_map(2 * self.sets_seen.capacity() + 1, 8);
                    if !self.asking.ask(context, bytes)? {
                        return Ok(false);
                    }
                    budget.spend(self.sets_seen.len());
                    self.sets_seen.reserve(1);
                }
                self.sets_seen.insert(content);
            }
            self.is_open = true;
            let (size, visits) = (
                context.heap.candidate_count(content),
                context.heap.visits_of_candidate(content),
            );
            while self.next < size {
                if budget.is_spent() {
                    return Ok(false);
                }
                if self.all.len() == self.all.capacity() {
                    let bytes = room::step(self.all.len() * 8).max(64);
                    if !self.asking.ask(context, bytes)? {
                        return Ok(false);
                    }
                    room::grow(&mut self.all, 1);
                }
                budget.spend(visits);
                let mut value = context
                    .heap
                    .candidate(content, self.next)
                    .unwrap_or(Value::NULL);
                if context.frozen_already(value).is_none() {
                    // A value that is no set counts by content.
                    let freezing = self
                        .freezing
                        .get_or_insert_with(|| FreezeAllWork::new(vec![value]));
                    if !freezing
                        .resume(context, budget)
                        .map_err(|why| context.no_frozen(why, Context::not_frozen))?
                    {
                        return Ok(false);
                    }
                    value = freezing.values[0];
                    self.freezing = None;
                }
                self.all.push(value);
                self.next += 1;
            }
            (self.at, self.is_open, self.next) = (self.at + 1, false, 0);
        }
        Ok(true)
    }
}

impl Work for Candidates {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if self.making.is_none() {
            if !self.gather(context, budget)? {
                return Ok(None);
            }
            if !self
                .asking
                .ask(context, SetBuilder::bytes_of_work(self.all.len()))?
            {
                return Ok(None);
            }
            self.making = Some(SetBuilder::new(std::mem::take(&mut self.all)));
        }
        if self.set.is_none() {
            self.set = self
                .making
                .as_mut()
                .and_then(|making| making.resume(&mut context.heap, budget));
        }
        let Some(set) = self.set else { return Ok(None) };
        let (count, visits) = (
            context.heap.set_len(set),
            context.heap.visits_of_candidate(set),
        );
        if self.candidates.capacity() < count {
            if !self.asking.ask(context, 8 * count)? {
                return Ok(None);
            }
            self.candidates.reserve_exact(count);
        }
        while let Some(value) = context.heap.set_get(set, self.candidates.len()) {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(visits);
            self.candidates.push(value);
        }
        Ok(Some(
            context.heap.array(std::mem::take(&mut self.candidates)),
        ))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.board);
        tracer.values.extend(self.set);
        self.freezing
            .iter()
            .for_each(|freezing| freezing.trace(tracer));
        tracer.values.extend_from_slice(&self.all);
        tracer.values.extend_from_slice(&self.candidates);
        if let Some(making) = &self.making {
            making.values(&mut |value| tracer.values.push(value), &mut |tree| {
                tracer.trees.push(tree)
            });
        }
    }

    fn bytes(&self) -> usize {
        room::row(&self.all)
            + room::row(&self.candidates)
            + room::hash_map(self.sets_seen.capacity(), 8)
            + self.freezing.as_ref().map_or(0, FreezeAllWork::bytes)
            + self.making.as_ref().map_or(0, SetBuilder::bytes)
    }
}

/// The place that `decide` turns to, or null if all are decided.
#[derive(Clone)]
pub struct NextPlaceWork {
    board: Value,
    /// The question to the search that learns, which comes first.
    consulting: Option<AskLearnerWork>,
    order: Order,
    places: Places,
    name_place: NamePlace,
    names: Names,
    at: usize,
    /// The places that are as good as any so far, and how good that is: number of candidates and weight.
    best: Vec<u32>,
    least: (u64, u64),
    /// How many places tie by the index; and which of those is drawn.
    ties: u64,
    drawn: Option<u64>,
    asking: MemoryRequest,
}

impl NextPlaceWork {
    /// The result when the search that learns must be asked again, in another work.
    pub const ASK_AGAIN: Value = Value::FALSE;

    pub fn new(
        context: &mut Context,
        board: Value,
        order: Order,
        places: Places,
        name_place: NamePlace,
    ) -> NextPlaceWork {
        // If only some places are decided, nothing is known of the others.
        let is_whole = matches!(places, Places::Listed { names: None, .. });
        if !is_whole {
            context.learning.give_up();
        }
        NextPlaceWork {
            board,
            consulting: AskLearnerWork::of(context, board),
            order,
            places,
            name_place,
            names: Names::default(),
            at: 0,
            best: Vec::new(),
            least: (u64::MAX, 1),
            ties: 0,
            drawn: None,
            asking: MemoryRequest::default(),
        }
    }

    /// By the index of the board, if it has one.
    fn by_index(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Option<usize>>, Fault> {
        let Some(handle) = context.heap.constrained(self.board) else {
            return Ok(None);
        };
        let limit = context.limits.memory;
        let fits = |heap: &mut Heap, bytes: usize| Context::fits_in(heap, limit, bytes);
        match context
            .heap
            .index_sizes(handle, self.order.goes_by_count(), budget, fits)
        {
            Indexed::No => return Ok(None),
            Indexed::NotYet => return Ok(Some(None)),
            Indexed::Wants(bytes) => return self.asking.refused(bytes).map(|_| Some(None)),
            Indexed::Yes => {}
        }
        budget.spend(VISITS_OF_PICK);
        let rng = &mut context.rng;
        Ok(Some(
            match context
                .heap
                .pick_open(handle, self.order, |bound| rng.below(bound))
            {
                Some(picked) => Some(picked.unwrap_or(usize::MAX)),
                None => self.by_conflicts(context, handle, budget),
            },
        ))
    }

    /// Looks for the fewest candidates for the failures, then for the place that is drawn among all that are as good.
    fn by_conflicts(
        &mut self,
        context: &mut Context,
        handle: Handle,
        budget: &mut Budget,
    ) -> Option<usize> {
        loop {
            let conflicts = context.heap.conflicts(handle)?;
            let end = conflicts.places().min(self.at + budget.room_for(1));
            budget.spend(end - self.at);
            while self.at < end {
                let place = self.at;
                self.at += 1;
                let Some((count, weight)) = conflicts.of(place) else {
                    continue;
                };
                let order = (u128::from(count) * u128::from(self.least.1))
                    .cmp(&(u128::from(self.least.0) * u128::from(weight)));
                if let Some(drawn) = &mut self.drawn {
                    if order.is_eq() && *drawn == 0 {
                        return Some(place);
                    }
                    *drawn -= u64::from(order.is_eq());
                } else if order.is_lt() {
                    (self.least, self.ties) = ((count, weight), 1);
                } else {
                    self.ties += u64::from(order.is_eq());
                }
            }
            if self.at < conflicts.places() {
                return None;
            }
            if self.ties == 0 || self.drawn.is_some() {
                return Some(usize::MAX);
            }
            let drawn = if self.ties == 1 {
                0
            } else {
                context.rng.below(self.ties)
            };
            (self.at, self.drawn) = (0, Some(drawn));
        }
    }

    /// Compares an open place with the best places so far: few candidates count, and with some orders also the weight.
    fn look_at(&mut self, context: &Context, place: u32, budget: &mut Budget) {
        let size = context
            .heap
            .set_len(context.heap.at_place(self.board, place as usize)) as u64;
        let weight = match (self.order, context.heap.constrained(self.board)) {
            (Order::Conflicts, Some(handle)) => {
                let (weight, visits) = context.heap.weight_of_place(handle, place as usize);
                budget.spend(visits);
                weight
            }
            _ => 1,
        };
        let order = (u128::from(size) * u128::from(self.least.1))
            .cmp(&(u128::from(self.least.0) * u128::from(weight)));
        if order.is_lt() {
            self.best.clear();
            self.least = (size, weight);
        }
        if order.is_le() {
            self.best.push(place);
        }
    }
}

impl Work for NextPlaceWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let Places::Listed { names, .. } = self.places else {
            return Ok(Some(Value::NULL));
        };
        if let Some(consulting) = &mut self.consulting {
            match consulting.resume(context, budget)? {
                Answer::NotYet => return Ok(None),
                Answer::Resting => return Ok(Some(NextPlaceWork::ASK_AGAIN)),
                Answer::Done => self.consulting = None,
            }
        }
        if names.is_none()
            && let Some(found) = self.by_index(context, budget)?
        {
            let name = |place| {
                if place == usize::MAX {
                    Value::NULL
                } else {
                    context.name_of_place(self.board, place)
                }
            };
            return Ok(found.map(name));
        }
        let count = match names {
            None => context.heap.places_of(self.board),
            Some(names) if names.is_kind(Kind::Set) => context.heap.set_len(names),
            Some(names) => context.heap.array_len(names.payload()),
        };
        while self.at < count {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(2);
            let name = match names {
                None => None,
                Some(names) if names.is_kind(Kind::Set) => context.heap.set_get(names, self.at),
                Some(names) => context.heap.element(names.payload(), self.at),
            };
            let place = match name {
                None => self.at,
                Some(name) => {
                    let Some(name) = self.names.finding_name(context, name, budget) else {
                        return Ok(None);
                    };
                    (self.name_place)(context, "decide", self.board, name)?
                }
            };
            if context
                .heap
                .is_undecided(context.heap.at_place(self.board, place))
            {
                if self.best.len() == self.best.capacity() {
                    let bytes = room::step(4 * self.best.len()).max(64);
                    if !self.asking.ask(context, bytes)? {
                        return Ok(None);
                    }
                    room::grow(&mut self.best, 1);
                }
                match self.order {
                    Order::First if !self.best.is_empty() => {}
                    Order::First | Order::Random => self.best.push(place as u32),
                    Order::Smallest | Order::Conflicts => {
                        self.look_at(context, place as u32, budget)
                    }
                }
            }
            self.at += 1;
        }
        let picked = match self.best.len() {
            0 => return Ok(Some(Value::NULL)),
            1 => self.best[0],
            count => self.best[context.rng.below(count as u64) as usize],
        };
        Ok(Some(context.name_of_place(self.board, picked as usize)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.board);
        self.consulting
            .iter()
            .for_each(|consulting| consulting.trace(tracer));
        if let Places::Listed {
            names: Some(names), ..
        } = self.places
        {
            tracer.values.push(names);
        }
    }

    fn bytes(&self) -> usize {
        room::row(&self.best) + self.consulting.as_ref().map_or(0, AskLearnerWork::bytes)
    }
}
