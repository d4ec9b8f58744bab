//! The transitive closure of a relation, as work that can stop and resume.
//!
//! The closure is computed by strongly connected components (Tarjan, 1972), each of which reaches what its successors
//! reach (Nuutila, 1995): the elements of a component share one row of the closure.

use std::collections::BinaryHeap;

use ndscript_base::keyed::{KeyedMap, KeyedSet};

use ndscript_base::budget::Budget;
use ndscript_base::room;
use ndscript_heap::Value;
use ndscript_heap::sets::relation::{RelationFromPairs, Side};
use ndscript_heap::sets::set_making::SetBuilder;
use ndscript_heap::walks::listing::ListWalk;
use ndscript_heap::walks::search::ElementSearch;
use ndscript_machine::errors::error::Fault;
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::{Tracer, Work};

/// Allocates memory for more items, after asking for it.
fn grow<T>(context: &mut Context, items: &mut Vec<T>, more: usize) -> Result<(), Fault> {
    if items.capacity() - items.len() < more {
        context
            .reserve(room::step(items.capacity() * size_of::<T>()) + (more + 4) * size_of::<T>())?;
        room::grow(items, more);
    }
    Ok(())
}

/// A relation as a graph: the elements of its pairs are numbered.
#[derive(Clone, Default)]
struct Graph {
    nodes: Vec<Value>,
    numbers: KeyedMap<Value, u32>,
    /// For each node the range of its edges, and their targets.
    edges: Vec<(u32, u32)>,
    targets: Vec<u32>,
}

impl Graph {
    fn number(&mut self, context: &mut Context, value: Value) -> Result<u32, Fault> {
        if let Some(number) = self.numbers.get(&value) {
            return Ok(*number);
        }
        if self.numbers.len() == self.numbers.capacity() {
            context.reserve(room::hash_map(2 * self.numbers.capacity() + 4, 16))?;
        }
        grow(context, &mut self.nodes, 1)?;
        grow(context, &mut self.edges, 1)?;
        let number = self.nodes.len() as u32;
        self.nodes.push(value);
        self.edges.push((0, 0));
        self.numbers.insert(value, number);
        Ok(number)
    }

    /// Continues to read the pairs of a relation; true when all are read.
    fn read(
        &mut self,
        context: &mut Context,
        relation: Value,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        while let Some((left, right)) = context.heap.relations[relation.payload()]
            .pairs
            .get(self.targets.len())
            .copied()
        {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(16);
            let at = self.targets.len() as u32;
            let left = self.number(context, left)? as usize;
            let right = self.number(context, right)?;
            grow(context, &mut self.targets, 1)?;
            // Pairs with one left side are adjacent.
            let begin = if self.edges[left].1 == 0 {
                at
            } else {
                self.edges[left].0
            };
            self.edges[left] = (begin, at + 1);
            self.targets.push(right);
        }
        Ok(true)
    }

    fn bytes(&self) -> usize {
        let rows = room::row(&self.nodes) + room::row(&self.edges) + room::row(&self.targets);
        rows + room::hash_map(self.numbers.capacity(), 16)
    }
}

/// A node that is in no component yet.
const NONE: u32 = u32::MAX;

/// The strongly connected components of a graph, each after all components that it leads to.
#[derive(Clone, Default)]
struct Parts {
    /// When a node was discovered, from 1 on, and the earliest node on the stack that it leads back to.
    discovery: Vec<u32>,
    low: Vec<u32>,
    discovered: u32,
    stack: Vec<u32>,
    /// The nodes being visited, each with its next edge.
    path: Vec<(u32, u32)>,
    /// The node that closes a component whose nodes are being popped from the stack.
    closing: Option<u32>,
    next_root: usize,
    /// The component of each node, the nodes component by component, and the beginning of each component.
    of: Vec<u32>,
    members: Vec<u32>,
    begins: Vec<u32>,
}

impl Parts {
    fn begin(&mut self, context: &mut Context, count: usize) -> Result<(), Fault> {
        context.reserve(count * 32)?;
        (self.discovery, self.low, self.of) = (vec![0; count], vec![0; count], vec![NONE; count]);
        self.begins = vec![0];
        for row in [&mut self.stack, &mut self.members] {
            row.reserve_exact(count);
        }
        self.path.reserve_exact(count);
        self.begins.reserve_exact(count);
        Ok(())
    }

    fn open(&mut self, graph: &Graph, node: u32) {
        self.discovered += 1;
        self.discovery[node as usize] = self.discovered;
        self.low[node as usize] = self.discovered;
        self.stack.push(node);
        self.path.push((node, graph.edges[node as usize].0));
    }

    /// Continues to find parts; true when all are found.
    fn find(&mut self, graph: &Graph, budget: &mut Budget) -> bool {
        loop {
            if budget.is_spent() {
                return false;
            }
            budget.spend(4);
            if let Some(last) = self.closing {
                let Some(node) = self.stack.pop() else {
                    return true;
                };
                self.of[node as usize] = self.begins.len() as u32 - 1;
                self.members.push(node);
                if node == last {
                    self.begins.push(self.members.len() as u32);
                    self.closing = None;
                }
                continue;
            }
            let Some((node, edge)) = self.path.last_mut() else {
                if self.next_root == graph.nodes.len() {
                    return true;
                }
                if self.discovery[self.next_root] == 0 {
                    self.open(graph, self.next_root as u32);
                }
                self.next_root += 1;
                continue;
            };
            let at = *node as usize;
            if *edge < graph.edges[at].1 {
                let to = graph.targets[*edge as usize];
                *edge += 1;
                if self.discovery[to as usize] == 0 {
                    self.open(graph, to);
                } else if self.of[to as usize] == NONE {
                    self.low[at] = self.low[at].min(self.discovery[to as usize]);
                }
                continue;
            }
            self.path.pop();
            if let Some((before, _)) = self.path.last() {
                self.low[*before as usize] = self.low[*before as usize].min(self.low[at]);
            }
            if self.low[at] == self.discovery[at] {
                self.closing = Some(at as u32);
            }
        }
    }

    fn count(&self) -> usize {
        self.begins.len() - 1
    }

    fn members(&self, part: usize) -> &[u32] {
        &self.members[self.begins[part] as usize..self.begins[part + 1] as usize]
    }

    fn bytes(&self) -> usize {
        let rows = [
            &self.discovery,
            &self.low,
            &self.stack,
            &self.of,
            &self.members,
            &self.begins,
        ];
        rows.into_iter().map(room::row).sum::<usize>() + room::row(&self.path)
    }
}

/// The components that each component reaches, one row after another.
#[derive(Clone, Default)]
struct ReachedComponents {
    parts: Vec<u32>,
    begins: Vec<usize>,
    /// The latest component that was found to reach, or to lead to, each component; counted from 1.
    marks: Vec<u32>,
    successors: BinaryHeap<u32>,
    is_cyclic: bool,
    /// Member and edge of the component being visited.
    member: usize,
    edge: usize,
    /// The range being copied from the row of a successor.
    copying: Option<(usize, usize)>,
}

impl ReachedComponents {
    fn begin(&mut self, context: &mut Context, count: usize) -> Result<(), Fault> {
        context.reserve(count * 24)?;
        self.marks = vec![0; count];
        self.begins = Vec::with_capacity(count + 1);
        self.begins.push(0);
        self.successors = BinaryHeap::with_capacity(count);
        Ok(())
    }

    /// Continues to find what parts reach; true when all is found.
    fn find(
        &mut self,
        context: &mut Context,
        graph: &Graph,
        parts: &Parts,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        while self.begins.len() <= parts.count() {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(4);
            let part = self.begins.len() - 1;
            if let Some(node) = parts.members(part).get(self.member) {
                let (begin, end) = graph.edges[*node as usize];
                if begin as usize + self.edge == end as usize {
                    (self.member, self.edge) = (self.member + 1, 0);
                    continue;
                }
                let to = parts.of[graph.targets[begin as usize + self.edge] as usize];
                self.edge += 1;
                if to as usize == part {
                    self.is_cyclic = true;
                } else {
                    // The nearest come first: what they reach need not be visited again.
                    budget.spend(8);
                    if self.successors.len() == self.successors.capacity() {
                        context.reserve(self.successors.len() * 8 + 64)?;
                    }
                    self.successors.push(to);
                }
                continue;
            }
            grow(context, &mut self.parts, 1)?;
            if let Some((at, end)) = self.copying {
                let next = self.parts[at];
                self.enter(part, next);
                self.copying = (at + 1 < end).then_some((at + 1, end));
                continue;
            }
            match self.successors.pop() {
                Some(next) => {
                    if self.enter(part, next) {
                        let row = (self.begins[next as usize], self.begins[next as usize + 1]);
                        self.copying = (row.0 < row.1).then_some(row);
                    }
                }
                None => {
                    if self.is_cyclic {
                        self.parts.push(part as u32);
                    }
                    self.begins.push(self.parts.len());
                    (self.member, self.edge, self.is_cyclic) = (0, 0, false);
                }
            }
        }
        Ok(true)
    }

    /// Records that a component reaches another; false if that was known. The capacity must suffice.
    fn enter(&mut self, part: usize, reached: u32) -> bool {
        let mark = &mut self.marks[reached as usize];
        let is_new = *mark != part as u32 + 1;
        if is_new {
            *mark = part as u32 + 1;
            self.parts.push(reached);
        }
        is_new
    }

    fn of(&self, part: usize) -> &[u32] {
        &self.parts[self.begins[part]..self.begins[part + 1]]
    }

    fn bytes(&self) -> usize {
        let successors = room::block(self.successors.capacity() * 4);
        room::row(&self.parts) + room::row(&self.begins) + room::row(&self.marks) + successors
    }
}

/// Where the pairs of a closure are being written.
#[derive(Clone, Copy, Default)]
struct PairCursor {
    part: usize,
    member: usize,
    reached: usize,
    other: usize,
}

/// The pairs of nodes that a graph leads between.
#[derive(Clone)]
enum Phase {
    Reading,
    Parting,
    Reaching,
    Counting {
        part: usize,
        at: usize,
        pairs: usize,
    },
    Pairing(PairCursor),
    Making(Box<RelationFromPairs>),
}

/// The transitive closure of a relation.
#[derive(Clone)]
pub struct ClosureWork {
    relation: Value,
    graph: Graph,
    parts: Parts,
    reached: ReachedComponents,
    pairs: Vec<(Value, Value)>,
    phase: Phase,
}

impl ClosureWork {
    pub fn new(relation: Value) -> ClosureWork {
        ClosureWork {
            relation,
            graph: Graph::default(),
            parts: Parts::default(),
            reached: ReachedComponents::default(),
            pairs: Vec::new(),
            phase: Phase::Reading,
        }
    }

    /// Continues to write pairs; true when all are written.
    fn pair(&mut self, place: &mut PairCursor, budget: &mut Budget) -> bool {
        while place.part < self.parts.count() {
            if budget.is_spent() {
                return false;
            }
            budget.spend(4);
            let Some(node) = self.parts.members(place.part).get(place.member) else {
                *place = PairCursor {
                    part: place.part + 1,
                    ..PairCursor::default()
                };
                continue;
            };
            let Some(part) = self.reached.of(place.part).get(place.reached) else {
                *place = PairCursor {
                    member: place.member + 1,
                    reached: 0,
                    other: 0,
                    ..*place
                };
                continue;
            };
            let others = &self.parts.members(*part as usize)[place.other..];
            let count = others.len().min(budget.room_for(4));
            budget.spend(4 * count);
            let left = self.graph.nodes[*node as usize];
            self.pairs.extend(
                others[..count]
                    .iter()
                    .map(|other| (left, self.graph.nodes[*other as usize])),
            );
            if count < others.len() {
                place.other += count;
            } else {
                (place.reached, place.other) = (place.reached + 1, 0);
            }
        }
        true
    }
}

impl Work for ClosureWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        loop {
            match &mut self.phase {
                Phase::Reading => {
                    if !self.graph.read(context, self.relation, budget)? {
                        return Ok(None);
                    }
                    self.parts.begin(context, self.graph.nodes.len())?;
                    self.phase = Phase::Parting;
                }
                Phase::Parting => {
                    if !self.parts.find(&self.graph, budget) {
                        return Ok(None);
                    }
                    self.reached.begin(context, self.parts.count())?;
                    self.phase = Phase::Reaching;
                }
                Phase::Reaching => {
                    if !self
                        .reached
                        .find(context, &self.graph, &self.parts, budget)?
                    {
                        return Ok(None);
                    }
                    self.phase = Phase::Counting {
                        part: 0,
                        at: 0,
                        pairs: 0,
                    };
                }
                Phase::Counting { part, at, pairs } => {
                    while *part < self.parts.count() {
                        if budget.is_spent() {
                            return Ok(None);
                        }
                        budget.spend(2);
                        let Some(reached) = self.reached.of(*part).get(*at) else {
                            (*part, *at) = (*part + 1, 0);
                            continue;
                        };
                        let rows = self.parts.members(*part).len();
                        *pairs = pairs.saturating_add(
                            rows.saturating_mul(self.parts.members(*reached as usize).len()),
                        );
                        *at += 1;
                    }
                    let pairs = *pairs;
                    // Its two rows, its table, and what sorting needs.
                    context.reserve(pairs.saturating_mul(112))?;
                    self.pairs.reserve_exact(pairs);
                    self.phase = Phase::Pairing(PairCursor::default());
                }
                Phase::Pairing(place) => {
                    let mut place = *place;
                    let is_done = self.pair(&mut place, budget);
                    if !is_done {
                        self.phase = Phase::Pairing(place);
                        return Ok(None);
                    }
                    self.phase = Phase::Making(Box::new(RelationFromPairs::new(std::mem::take(
                        &mut self.pairs,
                    ))));
                }
                Phase::Making(making) => return Ok(making.resume(&mut context.heap, budget)),
            }
        }
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.relation);
        tracer.values.extend_from_slice(&self.graph.nodes);
        if let Phase::Making(making) = &self.phase {
            making.values(&mut |value| tracer.values.push(value));
        }
    }

    fn bytes(&self) -> usize {
        let making = if let Phase::Making(making) = &self.phase {
            making.bytes()
        } else {
            0
        };
        self.graph.bytes()
            + self.parts.bytes()
            + self.reached.bytes()
            + room::row(&self.pairs)
            + making
    }
}

/// All elements reachable through a relation from the elements of a set.
#[derive(Clone)]
pub struct ReachableWork {
    relation: Value,
    from: ListWalk,
    /// How many elements of the set were visited.
    visited: usize,
    known: KeyedSet<Value>,
    found: Vec<Value>,
    /// The current element, and the current pair.
    at: usize,
    search: Option<ElementSearch>,
    pair: Option<usize>,
    making: Option<SetBuilder>,
}

impl ReachableWork {
    pub fn new(relation: Value, from: ListWalk) -> ReachableWork {
        ReachableWork {
            relation,
            from,
            visited: 0,
            known: KeyedSet::default(),
            found: Vec::new(),
            at: 0,
            search: None,
            pair: None,
            making: None,
        }
    }

    fn find(&mut self, context: &mut Context, value: Value) -> Result<(), Fault> {
        if self.known.contains(&value) {
            return Ok(());
        }
        if self.known.len() == self.known.capacity() {
            context.reserve(room::hash_map(2 * self.known.capacity() + 4, 8))?;
        }
        grow(context, &mut self.found, 1)?;
        self.known.insert(value);
        self.found.push(value);
        Ok(())
    }
}

impl Work for ReachableWork {
    fn resume(
        &mut self,
        context: &mut Context,
        budget: &mut Budget,
    ) -> Result<Option<Value>, Fault> {
        if !self.from.resume(&mut context.heap, budget) {
            return Ok(None);
        }
        while let Some(element) = self.from.elements.get(self.visited).copied() {
            if budget.is_spent() {
                return Ok(None);
            }
            budget.spend(8);
            self.find(context, element)?;
            self.visited += 1;
        }
        while self.making.is_none() {
            if budget.is_spent() {
                return Ok(None);
            }
            let Some(left) = self.found.get(self.at).copied() else {
                context.reserve(SetBuilder::bytes_of_work(self.found.len()))?;
                self.making = Some(SetBuilder::new(std::mem::take(&mut self.found)));
                break;
            };
            let heap = &context.heap;
            let pairs = &heap.relations[self.relation.payload()].pairs;
            let pair = match self.pair {
                Some(pair) => pair,
                None => {
                    let begun = self.search.get_or_insert_with(|| {
                        ElementSearch::in_pairs(heap, self.relation.payload(), Side::Right, left)
                    });
                    let Some(found) = begun.resume(heap, budget) else {
                        return Ok(None);
                    };
                    self.search = None;
                    budget.spend(60);
                    *self.pair.insert(found.index)
                }
            };
            budget.spend(8);
            match pairs.get(pair).copied().filter(|pair| pair.0 == left) {
                Some((_, right)) => {
                    self.find(context, right)?;
                    self.pair = Some(pair + 1);
                }
                None => (self.at, self.pair) = (self.at + 1, None),
            }
        }
        Ok(self
            .making
            .as_mut()
            .and_then(|making| making.resume(&mut context.heap, budget)))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.push(self.relation);
        self.from.values(&mut |value| tracer.values.push(value));
        tracer.values.extend_from_slice(&self.found);
        if let Some(making) = &self.making {
            making.values(&mut |value| tracer.values.push(value), &mut |tree| {
                tracer.trees.push(tree)
            });
        }
    }

    fn bytes(&self) -> usize {
        let making = self.making.as_ref().map_or(0, SetBuilder::bytes);
        self.from.bytes()
            + room::row(&self.found)
            + room::hash_map(self.known.capacity(), 8)
            + making
    }
}
