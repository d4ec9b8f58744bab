//! Built-ins on long lists, as work that can stop and resume.

use super::seeking::{Row, RowSearch};
use crate::args;
use ndscript_base::budget::Budget;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::walks::search::ElementSearch;
use ndscript_heap::{Heap, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::op::arithmetic::Operator;
use ndscript_machine::work::{Tracer, Work};

/// The sum of numbers.
#[derive(Clone)]
pub struct SumList {
    listing: ListWalk,
    at: usize,
    total: Value,
}

impl SumList {
    pub fn new(listing: ListWalk) -> SumList {
        SumList {
            listing,
            at: 0,
            total: Value::ZERO,
        }
    }
}

impl Work for SumList {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.listing.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        while let Some(element) = self.listing.elements.get(self.at).copied() {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(2);
            let total = self.total;
            let exact = match total.both_integers(element) {
                true => Heap::integer(total.integer_unchecked() + element.integer_unchecked()).ok(),
                false if !element.is_number() => {
                    return Err(args::no_number(context, "sum", "numbers", element));
                }
                false => None,
            };
            self.total = match exact {
                Some(exact) => exact,
                None => context.operate(Operator::Add, total, element)?,
            };
            self.at += 1;
        }
        Ok(Some(self.total))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.listing.values(&mut |value| tracer.values.push(value));
        tracer.values.push(self.total);
    }

    fn bytes(&self) -> usize {
        self.listing.bytes()
    }
}

/// A list in a random order (Durstenfeld, 1964).
#[derive(Clone)]
pub struct ShuffleList {
    listing: ListWalk,
    /// The places from here on are final.
    place: Option<usize>,
}

impl ShuffleList {
    pub fn new(listing: ListWalk) -> ShuffleList {
        ShuffleList {
            listing,
            place: None,
        }
    }
}

impl Work for ShuffleList {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.listing.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        let elements = &mut self.listing.elements;
        let place = self.place.get_or_insert(elements.len());
        while *place > 1 {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(6);
            *place -= 1;
            let other = context.rng.below(*place as u64 + 1) as usize;
            elements.swap(*place, other);
        }
        let elements = std::mem::take(elements);
        Ok(Some(context.heap.array(elements)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.listing.values(&mut |value| tracer.values.push(value));
    }

    fn bytes(&self) -> usize {
        self.listing.bytes()
    }
}

/// A list in reverse order.
#[derive(Clone)]
pub struct ReverseList {
    listing: ListWalk,
    /// This many at the beginning, and as many at the end, are swapped.
    swapped: usize,
}

impl ReverseList {
    pub fn new(listing: ListWalk) -> ReverseList {
        ReverseList {
            listing,
            swapped: 0,
        }
    }
}

impl Work for ReverseList {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.listing.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        let elements = &mut self.listing.elements;
        let middle = elements.len() / 2;
        let (first, second) = elements.split_at_mut(middle);
        while self.swapped < first.len() {
            if budget.is_spent() {
                return Ok(None);
            }
            let some = (first.len() - self.swapped).min(budget.room_for(1));
            // Two pairs cost one visit: swapping is as fast as copying.
            budget.spend(some / 2);
            let ones = first.iter_mut().skip(self.swapped);
            let others = second.iter_mut().rev().skip(self.swapped);
            ones.zip(others)
                .take(some)
                .for_each(|(one, other)| std::mem::swap(one, other));
            self.swapped += some;
        }
        let elements = std::mem::take(&mut self.listing.elements);
        Ok(Some(context.heap.array(elements)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.listing.values(&mut |value| tracer.values.push(value));
    }

    fn bytes(&self) -> usize {
        self.listing.bytes()
    }
}

/// The pairs of the elements of two lists.
#[derive(Clone)]
pub struct ZipLists {
    lists: Option<(ListWalk, ListWalk)>,
    pairs: ListWalk,
}

impl ZipLists {
    pub fn new(left: ListWalk, right: ListWalk) -> ZipLists {
        ZipLists {
            lists: Some((left, right)),
            pairs: ListWalk::of_list(Vec::new()),
        }
    }
}

impl Work for ZipLists {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if let Some((left, right)) = &mut self.lists {
            if !left.resume(&mut context.heap, budget) || !right.resume(&mut context.heap, budget) {
                return Ok(None);
            }
            let lists = (
                std::mem::take(&mut left.elements),
                std::mem::take(&mut right.elements),
            );
            self.pairs = ListWalk::of_pairs(lists.0, lists.1);
            self.lists = None;
            context.reserve(self.pairs.bytes_needed())?;
        }
        if !self.pairs.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        let pairs = std::mem::take(&mut self.pairs.elements);
        Ok(Some(context.heap.array(pairs)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        let lists = self
            .lists
            .iter()
            .flat_map(|(left, right)| [left, right])
            .chain([&self.pairs]);
        lists.for_each(|list| list.values(&mut |value| tracer.values.push(value)));
    }

    fn bytes(&self) -> usize {
        self.lists
            .iter()
            .map(|(left, right)| left.bytes() + right.bytes())
            .sum::<usize>()
            + self.pairs.bytes()
    }
}

/// The index of the first element equal to a value: in an array, or in slots of a queue with a stride.
#[derive(Clone)]
pub struct FindInList {
    container: Value,
    seeking: RowSearch,
}

impl FindInList {
    pub fn new(container: Value, wanted: Value, from: usize, step: usize) -> FindInList {
        FindInList {
            container,
            seeking: RowSearch::new(wanted, from, step),
        }
    }
}

impl Work for FindInList {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        let found = self
            .seeking
            .resume(&mut context.heap, Row::SlotsOf(self.container), budget);
        Ok(found.map(|found| found.map_or(Value::integer(-1), Value::size)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.container);
        self.seeking.trace(tracer);
    }

    fn bytes(&self) -> usize {
        self.seeking.bytes()
    }
}

/// Whether all elements of a list are in a set.
#[derive(Clone)]
pub struct ContainsAll {
    listing: ListWalk,
    set: Value,
    at: usize,
    search: Option<ElementSearch>,
}

impl ContainsAll {
    pub fn new(listing: ListWalk, set: Value) -> ContainsAll {
        ContainsAll {
            listing,
            set,
            at: 0,
            search: None,
        }
    }
}

impl Work for ContainsAll {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.listing.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        while let Some(element) = self.listing.elements.get(self.at) {
            if budget.is_spent() {
                return Ok(None);
            }
            let heap = &context.heap;
            let work_before = heap.recorded_work();
            let search = self
                .search
                .get_or_insert_with(|| ElementSearch::in_set(heap, self.set, *element));
            let Some(place) = search.resume(heap, budget) else {
                return Ok(None);
            };
            heap.charge_recorded_since(budget, work_before);
            budget.spend(30);
            self.search = None;
            if !place.is_found {
                return Ok(Some(Value::FALSE));
            }
            self.at += 1;
        }
        Ok(Some(Value::TRUE))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.listing.values(&mut |value| tracer.values.push(value));
        tracer.values.push(self.set);
    }

    fn bytes(&self) -> usize {
        self.listing.bytes()
    }
}

/// The first number of a list that no other of them beats.
#[derive(Clone)]
pub struct FindExtreme {
    listing: ListWalk,
    function: &'static str,
    beats: fn(f64, f64) -> bool,
    at: usize,
    best: Option<(f64, Value)>,
}

impl FindExtreme {
    pub fn new(
        listing: ListWalk,
        function: &'static str,
        beats: fn(f64, f64) -> bool,
    ) -> FindExtreme {
        FindExtreme {
            listing,
            function,
            beats,
            at: 0,
            best: None,
        }
    }
}

impl Work for FindExtreme {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.listing.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        while let Some(element) = self.listing.elements.get(self.at).copied() {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(2);
            let number = args::number(context, self.function, element)?;
            if self.best.is_none_or(|best| (self.beats)(number, best.0)) {
                self.best = Some((number, element));
            }
            self.at += 1;
        }
        match self.best {
            Some((_, value)) => Ok(Some(value)),
            None => {
                let message = format!("`{}` of a collection without elements", self.function);
                Err(Fault::error(ErrorKind::Empty, message)
                    .with_hint("`isEmpty(c)` tells whether there is something in it"))
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.listing.values(&mut |value| tracer.values.push(value));
    }

    fn bytes(&self) -> usize {
        self.listing.bytes()
    }
}

/// Whether a value is one of a list.
#[derive(Clone)]
pub struct ContainsElement {
    listing: ListWalk,
    seeking: RowSearch,
    is_negated: bool,
}

impl ContainsElement {
    pub fn new(listing: ListWalk, wanted: Value, is_negated: bool) -> ContainsElement {
        ContainsElement {
            listing,
            seeking: RowSearch::new(wanted, 0, 1),
            is_negated,
        }
    }

    /// Sets the wanted value, where it is known only after the list was made.
    pub fn look_for(&mut self, wanted: Value) {
        self.seeking.look_for(wanted);
    }
}

impl Work for ContainsElement {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.listing.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        let found =
            self.seeking
                .resume(&mut context.heap, Row::List(&self.listing.elements), budget);
        Ok(found.map(|found| Value::boolean(found.is_some() != self.is_negated)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        self.listing.values(&mut |value| tracer.values.push(value));
        self.seeking.trace(tracer);
    }

    fn bytes(&self) -> usize {
        self.listing.bytes() + self.seeking.bytes()
    }
}
