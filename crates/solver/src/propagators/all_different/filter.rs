//! `allDifferent`: removes values that no assignment of different values has, after Régin, "A filtering algorithm for
//! constraints of difference in CSPs" (1994). A value can stay if and only if it is in a matching that covers all
//! places, or its edge is on an alternating cycle, or on an alternating path that ends at an unmatched value.

use super::AllDifferent;
use super::hall_count::{HallCount, Outcome};
use super::many_symbols::ManySymbols;
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

const NONE: u32 = u32::MAX;
/// Entries of a row that are cleared in a visit.
const CLEARED: usize = 16;

/// Places and their candidates as a graph: for each place its values with their symbols, which are the values themselves
/// where there are no offsets.
#[derive(Clone, Debug, Default)]
struct Graph {
    starts: Vec<u32>,
    values: Vec<u32>,
    symbols: Vec<u32>,
    symbol_count: usize,
}

impl Graph {
    fn edges(&self, place: usize) -> std::ops::Range<usize> {
        self.starts[place] as usize..self.starts[place + 1] as usize
    }

    fn symbol(&self, edge: usize) -> usize {
        let symbols = if self.symbols.is_empty() {
            &self.values
        } else {
            &self.symbols
        };
        symbols[edge] as usize
    }

    fn bytes(&self) -> usize {
        room::row(&self.starts) + room::row(&self.values) + room::row(&self.symbols)
    }
}

/// A matching: for each place an edge, for each symbol its place.
#[derive(Clone, Debug, Default)]
struct Matching {
    edges: Vec<u32>,
    owners: Vec<u32>,
}

/// A breadth-first search for an augmenting path from a place to an unmatched symbol.
#[derive(Clone, Debug, Default)]
struct Augmenting {
    seen: Vec<u32>,
    from: Vec<(u32, u32)>,
    waiting: Vec<u32>,
    next: usize,
    /// The next edge of the current place.
    edge: usize,
    /// Where flipping of the path that was found continues.
    turning: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    Found,
    NothingFound,
    NotYet,
}

impl Augmenting {
    fn begin(&mut self, place: usize, graph: &Graph) {
        self.waiting.clear();
        self.waiting.push(place as u32);
        (self.next, self.edge) = (0, graph.starts[place] as usize);
        self.turning = None;
    }

    /// Continues matching one more place, `mark`.
    fn resume(
        &mut self,
        matching: &mut Matching,
        graph: &Graph,
        mark: u32,
        budget: &mut Budget,
    ) -> Search {
        if let Some(symbol) = self.turning {
            return self.turn(matching, graph, symbol, budget);
        }
        while let Some(place) = self.waiting.get(self.next).copied() {
            let end = graph.starts[place as usize + 1] as usize;
            let from = self.edge;
            let most = end.min(from + budget.room_for(1));
            while self.edge < most {
                let edge = self.edge;
                self.edge += 1;
                let symbol = graph.symbol(edge);
                if self.seen[symbol] == mark {
                    continue;
                }
                self.seen[symbol] = mark;
                self.from[symbol] = (place, edge as u32);
                if matching.owners[symbol] != NONE {
                    self.waiting.push(matching.owners[symbol]);
                    continue;
                }
                budget.spend(self.edge - from);
                return self.turn(matching, graph, symbol, budget);
            }
            budget.spend(self.edge - from + 1);
            if self.edge < end {
                return Search::NotYet;
            }
            self.next += 1;
            if let Some(place) = self.waiting.get(self.next) {
                self.edge = graph.starts[*place as usize] as usize;
                if budget.is_spent() {
                    return Search::NotYet;
                }
            }
        }
        Search::NothingFound
    }

    /// Flips the path that ends at an unmatched symbol.
    fn turn(
        &mut self,
        matching: &mut Matching,
        graph: &Graph,
        mut symbol: usize,
        budget: &mut Budget,
    ) -> Search {
        loop {
            if budget.is_spent() {
                self.turning = Some(symbol);
                return Search::NotYet;
            }
            budget.spend(1);
            let (place, edge) = self.from[symbol];
            matching.owners[symbol] = place;
            let before = std::mem::replace(&mut matching.edges[place as usize], edge);
            if before == NONE {
                return Search::Found;
            }
            symbol = graph.symbol(before as usize);
        }
    }
}

/// The strongly connected components of the graph (Tarjan, 1972), without recursion. Nodes are the places, the
/// symbols, and one node for unmatched symbols: these have an edge to it, and it has edges to all others. A place has
/// edges to the symbols that it is not matched to, a symbol to the place that it is matched to.
#[derive(Clone, Debug, Default)]
struct Components {
    component: Vec<u32>,
    order: Vec<u32>,
    low: Vec<u32>,
    open: Vec<u32>,
    path: Vec<(u32, u32)>,
    root: usize,
    count: u32,
    components: u32,
    /// The node whose component is being closed.
    closing: Option<usize>,
}

impl Components {
    /// Goes on with Gabow's search for strongly connected components; true when done.
    fn resume(&mut self, graph: &Graph, matching: &Matching, budget: &mut Budget) -> bool {
        let places = matching.edges.len();
        loop {
            if let Some(at) = self.closing
                && !self.close(at, budget)
            {
                return false;
            }
            while let Some((node, step)) = self.path.last_mut() {
                if budget.is_spent() {
                    return false;
                }
                budget.spend(2);
                let at = *node as usize;
                if *step == 0 && self.order[at] == NONE {
                    (self.order[at], self.low[at]) = (self.count, self.count);
                    self.count += 1;
                    self.open.push(*node);
                }
                match step_from(graph, matching, at, *step) {
                    Some(NONE) => *step += 1,
                    Some(to) => {
                        *step += 1;
                        if self.order[to as usize] == NONE {
                            self.path.push((to, 0));
                        } else if self.component[to as usize] == NONE {
                            self.low[at] = self.low[at].min(self.order[to as usize]);
                        }
                    }
                    None => {
                        self.path.pop();
                        if let Some((above, _)) = self.path.last() {
                            self.low[*above as usize] = self.low[*above as usize].min(self.low[at]);
                        }
                        if self.low[at] == self.order[at] && !self.close(at, budget) {
                            return false;
                        }
                    }
                }
            }
            while self.root < places && self.order[self.root] != NONE {
                self.root += 1;
                budget.spend(1);
                if budget.is_spent() {
                    return false;
                }
            }
            if self.root == places {
                return true;
            }
            self.path.push((self.root as u32, 0));
        }
    }

    /// Pops a component: all open nodes down to `at`. True once that is done.
    fn close(&mut self, at: usize, budget: &mut Budget) -> bool {
        self.closing = Some(at);
        while let Some(member) = self.open.pop() {
            self.component[member as usize] = self.components;
            if member as usize == at {
                break;
            }
            budget.spend(1);
            if budget.is_spent() {
                return false;
            }
        }
        self.components += 1;
        self.closing = None;
        true
    }
}

/// The end of edge number `step` of a node: `Some(NONE)` if that number has no edge, `None` after the last one.
fn step_from(graph: &Graph, matching: &Matching, at: usize, step: u32) -> Option<u32> {
    let places = matching.edges.len();
    let last = places + graph.symbol_count;
    if at < places {
        let edge = graph.starts[at] + step;
        let has_edge = edge < graph.starts[at + 1];
        return has_edge.then(|| {
            if edge == matching.edges[at] {
                NONE
            } else {
                (places + graph.symbol(edge as usize)) as u32
            }
        });
    }
    if at < last {
        let owner = matching.owners[at - places];
        return (step == 0).then_some(if owner == NONE { last as u32 } else { owner });
    }
    let symbol = step as usize;
    (symbol < graph.symbol_count).then(|| {
        if matching.owners[symbol] == NONE {
            NONE
        } else {
            (places + symbol) as u32
        }
    })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    HallCount,
    CountEdges,
    BuildGraph,
    KeepMatching,
    MatchNext,
    FindAugmentingPath,
    StoreMatching,
    FindComponents,
    Remove,
    ManySymbols,
}

/// The filter, as far as it has come.
#[derive(Clone, Debug, Default)]
pub struct AllDifferentPropagation {
    stage: Stage,
    at: usize,
    hall_count: HallCount,
    edges: usize,
    graph: Graph,
    matching: Matching,
    augmenting: Augmenting,
    components: Components,
    mask: Vec<u64>,
    /// Used where rows of words are less work.
    many_symbols: Option<Box<ManySymbols>>,
}

impl AllDifferentPropagation {
    /// Removes what the places cannot have. `earlier` is an earlier matching, as values; it may hold no more.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        own: &AllDifferent,
        earlier: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let count = own.places.len();
        loop {
            if budget.is_spent() {
                return Ok(Fixpoint::NotYet);
            }
            match self.stage {
                Stage::HallCount => {
                    // With offsets, different values of places can have one symbol.
                    if own.starts.is_empty() {
                        match self
                            .hall_count
                            .resume(solver, number, &own.places, budget)?
                        {
                            Outcome::NotYet => return Ok(Fixpoint::NotYet),
                            Outcome::Wants(bytes) => return Ok(Fixpoint::NeedsMemory(bytes)),
                            Outcome::AllDone => return Ok(Fixpoint::Reached),
                            Outcome::MayBeShort => self.hall_count = HallCount::default(),
                        }
                    }
                    self.stage = Stage::CountEdges;
                }
                Stage::CountEdges => {
                    // So few values there are not.
                    if own.starts.is_empty() && solver.values < count {
                        return Err(DomainWipeout);
                    }
                    let Some(place) = own.places.get(self.at) else {
                        if own.starts.is_empty()
                            && ManySymbols::is_worthwhile(count, solver.values, self.edges)
                        {
                            self.many_symbols = Some(Box::default());
                            self.stage = Stage::ManySymbols;
                            continue;
                        }
                        let bytes = self.bytes_of_graph(count, own);
                        if !solver.is_granted(bytes) {
                            return Ok(Fixpoint::NeedsMemory(bytes));
                        }
                        self.graph.starts.reserve_exact(count + 1);
                        self.graph.starts.push(0);
                        self.graph.values.reserve_exact(self.edges);
                        if !own.starts.is_empty() {
                            self.graph.symbols.reserve_exact(self.edges);
                        }
                        (self.stage, self.at) = (Stage::BuildGraph, 0);
                        continue;
                    };
                    let candidates = solver.candidates(*place as usize);
                    budget.spend(1 + candidates.words().1.len());
                    self.edges += candidates.count() as usize;
                    self.at += 1;
                }
                Stage::BuildGraph => {
                    let Some(place) = own.places.get(self.at) else {
                        let bytes = self.bytes_of_graph(count, own) + self.bytes_of_search(count);
                        if !solver.is_granted(bytes) {
                            return Ok(Fixpoint::NeedsMemory(bytes));
                        }
                        self.begin_matching(count);
                        budget.spend((count + 2 * self.graph.symbol_count) / CLEARED);
                        continue;
                    };
                    let candidates = solver.candidates(*place as usize);
                    for value in candidates.numbers() {
                        let symbol = own.symbol(self.at, value);
                        self.graph.values.push(value as u32);
                        if !own.starts.is_empty() {
                            self.graph.symbols.push(symbol);
                        }
                        self.graph.symbol_count = self.graph.symbol_count.max(symbol as usize + 1);
                    }
                    let end = self.graph.values.len();
                    budget.spend(2 * (end - self.graph.starts[self.at] as usize) + 1);
                    self.graph.starts.push(end as u32);
                    self.at += 1;
                }
                Stage::KeepMatching => {
                    if self.at == count {
                        (self.stage, self.at) = (Stage::MatchNext, 0);
                        continue;
                    }
                    budget.spend(self.keep(self.at, earlier.get(self.at).copied()));
                    self.at += 1;
                }
                Stage::MatchNext => {
                    let end = count.min(self.at + budget.room_for(1));
                    let from = self.at;
                    while self.at < end && self.matching.edges[self.at] != NONE {
                        self.at += 1;
                    }
                    budget.spend(self.at - from + 1);
                    if self.at == end && end < count {
                        continue;
                    }
                    if self.at == count {
                        earlier.clear();
                        earlier.reserve_exact(count);
                        (self.stage, self.at) = (Stage::StoreMatching, 0);
                        continue;
                    }
                    self.augmenting.begin(self.at, &self.graph);
                    self.stage = Stage::FindAugmentingPath;
                }
                Stage::FindAugmentingPath => match self.augmenting.resume(
                    &mut self.matching,
                    &self.graph,
                    self.at as u32,
                    budget,
                ) {
                    Search::Found => self.stage = Stage::MatchNext,
                    Search::NothingFound => return Err(DomainWipeout),
                    Search::NotYet => return Ok(Fixpoint::NotYet),
                },
                Stage::StoreMatching => {
                    let end = count.min(self.at + budget.room_for(2));
                    let edges = self.matching.edges[self.at..end].iter();
                    earlier.extend(edges.map(|edge| self.graph.values[*edge as usize]));
                    budget.spend(2 * (end - self.at));
                    self.at = end;
                    if self.at < count {
                        continue;
                    }
                    let nodes = count + self.graph.symbol_count + 1;
                    budget.spend(3 * nodes / CLEARED);
                    self.augmenting = Augmenting::default();
                    self.components.component = vec![NONE; nodes];
                    self.components.order = vec![NONE; nodes];
                    self.components.low = vec![0; nodes];
                    self.components.open.reserve_exact(nodes);
                    self.components.path.reserve_exact(nodes);
                    self.stage = Stage::FindComponents;
                }
                Stage::FindComponents => {
                    if !self.components.resume(&self.graph, &self.matching, budget) {
                        return Ok(Fixpoint::NotYet);
                    }
                    (self.stage, self.at) = (Stage::Remove, 0);
                }
                Stage::Remove => {
                    let Some(place) = own.places.get(self.at) else {
                        return Ok(Fixpoint::Reached);
                    };
                    budget.spend(self.take(solver, number, *place as usize)?);
                    self.at += 1;
                }
                Stage::ManySymbols => {
                    let Some(many_symbols) = &mut self.many_symbols else {
                        return Ok(Fixpoint::Reached);
                    };
                    return many_symbols.resume(solver, number, &own.places, earlier, budget);
                }
            }
        }
    }

    fn bytes_of_graph(&self, places: usize, own: &AllDifferent) -> usize {
        4 * (places + 1) + self.edges * if own.starts.is_empty() { 4 } else { 8 }
    }

    /// The bytes of all other rows at most, once the number of symbols is known.
    fn bytes_of_search(&self, places: usize) -> usize {
        let symbols = self.graph.symbol_count;
        let matching = 4 * (places + symbols) + 4 * places;
        matching + (12 * symbols + 8 * places).max(24 * (places + symbols + 1))
    }

    /// Makes room for the matching and the search for augmenting paths.
    fn begin_matching(&mut self, places: usize) {
        let symbols = self.graph.symbol_count;
        self.matching = Matching {
            edges: vec![NONE; places],
            owners: vec![NONE; symbols],
        };
        self.augmenting.seen = vec![NONE; symbols];
        self.augmenting.from = vec![(0, 0); symbols];
        self.augmenting.waiting.reserve_exact(places + 1);
        (self.stage, self.at) = (Stage::KeepMatching, 0);
    }

    /// Takes over a pair of the earlier matching if it still holds. Returns the visits.
    fn keep(&mut self, place: usize, value: Option<u32>) -> usize {
        let Some(value) = value else { return 1 };
        let edges = self.graph.edges(place);
        // Values of a place ascend.
        let Ok(at) = self.graph.values[edges.clone()].binary_search(&value) else {
            return 4;
        };
        let edge = edges.start + at;
        let symbol = self.graph.symbol(edge);
        if self.matching.owners[symbol] == NONE {
            self.matching.owners[symbol] = place as u32;
            self.matching.edges[place] = edge as u32;
        }
        4
    }

    /// Removes the values of a place whose edges are on no cycle. Returns the visits.
    fn take(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        place: usize,
    ) -> Result<usize, DomainWipeout> {
        let (first, words) = solver.candidates(place).words();
        self.mask.clear();
        self.mask.resize(words.len(), 0);
        let component = &self.components.component;
        let mut takes = false;
        for edge in self.graph.edges(self.at) {
            let symbol = self.matching.edges.len() + self.graph.symbol(edge);
            if edge as u32 == self.matching.edges[self.at]
                || component[symbol] == component[self.at]
            {
                let value = self.graph.values[edge] as usize;
                self.mask[value / 64 - first] |= 1 << (value % 64);
            } else {
                takes = true;
            }
        }
        if takes {
            solver.keep_words(place, &self.mask, Some(number))?;
        }
        Ok(2 * self.graph.edges(self.at).len() + 2)
    }

    pub fn bytes(&self) -> usize {
        let Matching { edges, owners } = &self.matching;
        let Augmenting {
            seen,
            from,
            waiting,
            ..
        } = &self.augmenting;
        let Components {
            component,
            order,
            low,
            open,
            path,
            ..
        } = &self.components;
        let words = [edges, owners, seen, waiting, component, order, low, open];
        words.into_iter().map(room::row).sum::<usize>()
            + room::row(from)
            + room::row(path)
            + room::row(&self.mask)
            + self.graph.bytes()
            + self.many_symbols.as_ref().map_or(0, |many_symbols| {
                room::block(size_of::<ManySymbols>()) + many_symbols.bytes()
            })
            + self.hall_count.bytes()
    }
}
