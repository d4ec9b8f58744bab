//! Built-ins on large relations, as work that can stop and resume.

use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::sets::relation::{RelationFromPairs, Side};
use ndscript_heap::sets::set_making::SetBuilder;
use ndscript_heap::sets::set_operation::ImageWalk;
use ndscript_heap::walks::freeze::FreezeWalk;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::walks::search::ElementSearch;
use ndscript_heap::{Heap, Kind, Value};
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// The source of the pairs of a new relation.
#[derive(Clone)]
pub enum Pairs {
    /// A list of arrays of two elements, and the error for other elements.
    Listed(ListWalk, fn(&Context, Value) -> Fault),
    /// The pairs of a relation, with their sides exchanged.
    Turned(Value),
    /// The pairs of a relation, in both directions.
    BothWays(Value),
    /// From the left of a pair of the first relation to the right of a pair of the second that begins where the first
    /// ends; and the current position among those.
    Composed {
        first: Value,
        second: Value,
        search: Option<ElementSearch>,
        onward: Option<usize>,
    },
}

/// A relation being made.
#[derive(Clone)]
pub struct RelationWork {
    source: Pairs,
    /// How many items of the source were visited.
    at: usize,
    freezing: FreezeWalk,
    pairs: Vec<(Value, Value)>,
    is_gathered: bool,
    making: Option<RelationFromPairs>,
}

impl RelationWork {
    /// Makes a relation of listed pairs.
    pub fn new(listing: ListWalk, no_pair: fn(&Context, Value) -> Fault) -> RelationWork {
        RelationWork::of(Pairs::Listed(listing, no_pair))
    }

    pub fn of(source: Pairs) -> RelationWork {
        RelationWork {
            source,
            at: 0,
            freezing: FreezeWalk::default(),
            pairs: Vec::new(),
            is_gathered: false,
            making: None,
        }
    }

    /// Continues to gather pairs; true when all are there.
    fn gather(&mut self, context: &mut Context, budget: &mut Budget) -> Result<bool, Fault> {
        loop {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(4);
            room::grow(&mut self.pairs, 2);
            let pairs_at = |heap: &Heap, relation: Value, at: usize| {
                heap.relations[relation.payload()].pairs.get(at).copied()
            };
            match &mut self.source {
                Pairs::Listed(listing, no_pair) => {
                    if !listing.resume(&mut context.heap, budget) {
                        return Ok(false);
                    }
                    let Some(value) = listing.elements.get(self.at).copied() else {
                        return Ok(true);
                    };
                    let elements = value
                        .handle_of(Kind::Array)
                        .map(|array| context.heap.elements(array));
                    let Some([left, right]) = elements else {
                        return Err(no_pair(context, value));
                    };
                    let mut pair = [*left, *right];
                    for side in &mut pair {
                        *side = loop {
                            let is_done = context.go_on_freezing(&mut self.freezing, budget);
                            if !is_done
                                .map_err(|why| context.no_frozen(why, Context::not_frozen))?
                            {
                                return Ok(false);
                            }
                            let frozen = self.freezing.begin(&mut context.heap, *side);
                            if let Some(frozen) =
                                frozen.map_err(|unfreezable| context.not_frozen(unfreezable))?
                            {
                                break frozen;
                            }
                        };
                    }
                    self.pairs.push((pair[0], pair[1]));
                }
                Pairs::Turned(relation) => {
                    let Some((left, right)) = pairs_at(&context.heap, *relation, self.at) else {
                        return Ok(true);
                    };
                    self.pairs.push((right, left));
                }
                Pairs::BothWays(relation) => {
                    let Some((left, right)) = pairs_at(&context.heap, *relation, self.at) else {
                        return Ok(true);
                    };
                    self.pairs.extend([(left, right), (right, left)]);
                }
                Pairs::Composed {
                    first,
                    second,
                    search,
                    onward,
                } => {
                    let Some((left, middle)) = pairs_at(&context.heap, *first, self.at) else {
                        return Ok(true);
                    };
                    let heap = &context.heap;
                    let pairs = &heap.relations[second.payload()].pairs;
                    let from = match *onward {
                        Some(from) => from,
                        None => {
                            let begun = search.get_or_insert_with(|| {
                                ElementSearch::in_pairs(heap, second.payload(), Side::Right, middle)
                            });
                            let Some(place) = begun.resume(heap, budget) else {
                                // It will be visited again.
                                budget.give_back(4);
                                return Ok(false);
                            };
                            *search = None;
                            budget.spend(60);
                            place.index
                        }
                    };
                    let most = pairs.len().min(from.saturating_add(budget.room_for(4)));
                    let reached = pairs[from.min(most)..most]
                        .iter()
                        .take_while(|pair| pair.0 == middle);
                    let before = self.pairs.len();
                    room::grow(&mut self.pairs, most - from.min(most));
                    self.pairs.extend(reached.map(|pair| (left, pair.1)));
                    let count = self.pairs.len() - before;
                    budget.spend(4 * count);
                    *onward =
                        (count > 0 && from + count == most && most < pairs.len()).then_some(most);
                    if onward.is_some() {
                        continue;
                    }
                }
            }
            self.at += 1;
        }
    }
}

impl Work for RelationWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if self.making.is_none() {
            if !self.is_gathered && !self.gather(context, budget)? {
                return Ok(None);
            }
            self.is_gathered = true;
            // Its two rows, its table, and what sorting needs.
            context.reserve(self.pairs.len().saturating_mul(96))?;
            self.making = Some(RelationFromPairs::new(std::mem::take(&mut self.pairs)));
        }
        Ok(self
            .making
            .as_mut()
            .and_then(|making| making.resume(&mut context.heap, budget)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        let mut hold = |value| tracer.values.push(value);
        match &self.source {
            Pairs::Listed(listing, _) => listing.values(&mut hold),
            Pairs::Turned(relation) | Pairs::BothWays(relation) => hold(*relation),
            Pairs::Composed { first, second, .. } => {
                hold(*first);
                hold(*second);
            }
        }
        self.freezing.values(&mut hold);
        self.pairs
            .iter()
            .flat_map(|pair| [pair.0, pair.1])
            .for_each(&mut hold);
        self.making
            .iter()
            .for_each(|making| making.values(&mut hold));
    }

    fn bytes(&self) -> usize {
        let source = if let Pairs::Listed(listing, _) = &self.source {
            listing.bytes()
        } else {
            0
        };
        let making = self.making.as_ref().map_or(0, RelationFromPairs::bytes);
        source + self.freezing.bytes() + room::row(&self.pairs) + making
    }
}

/// The set of one side of the pairs of a relation, or of the pairs as arrays.
#[derive(Clone)]
pub struct Sides {
    relation: Value,
    side: Option<Side>,
    elements: Vec<Value>,
    making: Option<SetBuilder>,
}

impl Sides {
    /// Lists the values of one side, or the pairs if `side` is `None`.
    pub fn new(relation: Value, side: Option<Side>) -> Sides {
        Sides {
            relation,
            side,
            elements: Vec::new(),
            making: None,
        }
    }
}

impl Work for Sides {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if self.making.is_none() {
            let count = context.heap.relations[self.relation.payload()].pairs.len();
            if self.elements.is_empty() {
                context.reserve(count * 8 + SetBuilder::bytes_of_work(count))?;
                self.elements.reserve_exact(count);
            }
            while self.elements.len() < count {
                if budget.is_spent() {
                    return Ok(None);
                }
                let (left, right) =
                    context.heap.relations[self.relation.payload()].pairs[self.elements.len()];
                budget.spend(if self.side.is_some() { 2 } else { 20 });
                self.elements.push(match self.side {
                    Some(side) => side.there(&(left, right)),
                    None => context.heap.frozen_array(vec![left, right]),
                });
            }
            let elements = std::mem::take(&mut self.elements);
            // Pairs that are sorted by left and then right are sorted as arrays.
            let is_sorted = self.side.is_none();
            self.making = Some(if is_sorted {
                SetBuilder::of_sorted(elements)
            } else {
                SetBuilder::new(elements)
            });
        }
        Ok(self
            .making
            .as_mut()
            .and_then(|making| making.resume(&mut context.heap, budget)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.relation);
        tracer.values.extend_from_slice(&self.elements);
        if let Some(making) = &self.making {
            making.values(&mut |value| tracer.values.push(value), &mut |tree| {
                tracer.trees.push(tree)
            });
        }
    }

    fn bytes(&self) -> usize {
        room::row(&self.elements) + self.making.as_ref().map_or(0, SetBuilder::bytes)
    }
}

/// The image of a set under a relation.
#[derive(Clone)]
pub struct Image {
    operands: [Value; 2],
    imaging: ImageWalk,
}

impl Image {
    /// Begins the image of a set under a relation.
    pub fn new(heap: &mut Heap, operands: [Value; 2], side: Side) -> Image {
        Image {
            operands,
            imaging: ImageWalk::new(heap, operands[0].payload(), operands[1], side),
        }
    }
}

impl Work for Image {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        Ok(self.imaging.resume(&mut context.heap, budget))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.operands);
        self.imaging
            .values(&mut |value| tracer.values.push(value), &mut |tree| {
                tracer.trees.push(tree)
            });
    }

    fn bytes(&self) -> usize {
        self.imaging.bytes()
    }
}
