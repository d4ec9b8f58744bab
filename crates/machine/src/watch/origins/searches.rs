//! Searches of built-ins: the dependencies of their results outlive the branches in which they were found. Whatever
//! may end a branch counts there: what was required, what decided that something could fail, and the alternatives of
//! choices.

use super::Origins;
use super::definitions::{Definition, DefinitionTarget};
use super::nodes::{GraphSize, NOWHERE, Node, Predecessors};
use super::operands::PendingOp;
use super::regions::NEVER;
use super::shadow::{Aspect, Cell, PlaceOrigins};
use crate::host::when::When;
use crate::machine::Machine;
use crate::natives::effect::NativeEffect;
use crate::natives::native::{Action, Control};
use ndscript_base::keyed::{KeyedMap, KeyedSet};
use ndscript_bytecode::{Code, Flow, Op};
use ndscript_heap::{Changed, Kind, Value};

/// At most this many dependencies of a search are stored.
const MOST_DEPENDENCIES: usize = 200;

/// At most this many definitions are stored of a branch with a result, and at most this many results are distinct.
const MOST_DEFINITIONS: usize = 200;
const MOST_RESULTS: usize = 1000;

/// A running search.
#[derive(Clone, Debug)]
pub struct OpenSearch {
    /// The graph before it: that is not dropped with its branches.
    extent: GraphSize,
    definitions: u32,
    control: u32,
    /// Its own choice point, above which its branches lie.
    choice: Option<u64>,
    /// The earlier nodes that it depends on, in order.
    nodes: Vec<Node>,
    known: KeyedSet<Node>,
    from: Vec<u32>,
    /// The nodes visited in the current branch.
    seen: Vec<bool>,
    seen_definitions: Vec<bool>,
    results: Vec<SearchResult>,
    /// The price of the best result, where it is searched for.
    best: Option<Value>,
}

/// A result, and the definitions of its branch that led there.
#[derive(Clone, Debug, Default)]
struct SearchResult {
    from: Vec<u32>,
    definitions: Vec<(u32, Definition)>,
}

fn mark(seen: &mut Vec<bool>, at: usize) -> bool {
    if at >= seen.len() {
        seen.resize(at + 1, false);
    }
    !std::mem::replace(&mut seen[at], true)
}

impl Origins {
    /// Begins to collect what the result of a search depends on.
    fn begin_search(&mut self) {
        self.searches.push(OpenSearch {
            extent: self.nodes.extent(),
            definitions: self.definitions.len(),
            control: self.control,
            choice: None,
            nodes: Vec::new(),
            known: KeyedSet::default(),
            from: Vec::new(),
            seen: Vec::new(),
            seen_definitions: Vec::new(),
            results: Vec::new(),
            best: None,
        });
    }

    /// The running search depends on a node.
    pub(super) fn search_needs(&mut self, node: Node) {
        let Some(search) = self.searches.last_mut() else {
            return;
        };
        let first = search.extent.first_after();
        let (mut open, mut definitions) = (vec![node], Vec::new());
        loop {
            if let Some(number) = definitions.pop() {
                if number < search.definitions {
                    if search.from.len() < MOST_DEPENDENCIES && !search.from.contains(&number) {
                        search.from.push(number);
                    }
                } else if mark(
                    &mut search.seen_definitions,
                    (number - search.definitions) as usize,
                ) {
                    let definition = &self.definitions.list()[number as usize];
                    definitions.extend(
                        definition
                            .from
                            .iter()
                            .copied()
                            .chain(definition.before.filter(|_| definition.keeps)),
                    );
                }
                continue;
            }
            let Some(node) = open.pop() else { break };
            if node <= super::nodes::CONSTANT {
                continue;
            }
            if node < first {
                if search.nodes.len() < MOST_DEPENDENCIES && search.known.insert(node) {
                    search.nodes.push(node);
                }
                continue;
            }
            if !mark(&mut search.seen, (node - first) as usize) {
                continue;
            }
            match self.nodes.predecessors(node) {
                Predecessors::Nodes(nodes) => open.extend(nodes),
                Predecessors::Definition(number) => definitions.push(number),
                Predecessors::Whole(at) => {
                    let whole = self.nodes.looked_at(at);
                    open.extend(whole.places.iter());
                    definitions.extend(
                        self.definitions
                            .put_into(whole.collection, whole.definitions),
                    );
                }
            }
        }
    }

    /// As `search_needs`, for the conditions in all calls of the search.
    fn search_needs_control(&mut self) {
        let Some(search) = self.searches.last() else {
            return;
        };
        let (first, mut at) = (search.control, self.control);
        while at > first {
            let control = self.controls[at as usize];
            if control.node != NOWHERE {
                self.search_needs(control.node);
            }
            at = control.outer;
        }
    }

    /// A decision was made. It matters if something may fail because of it.
    pub(super) fn search_decides(&mut self, machine: &Machine, code: &Code, pending: &PendingOp) {
        if self.searches.is_empty() {
            return;
        }
        let natives = &machine.context.natives;
        let fails = |op: Op| match op {
            Op::Fail {}
            | Op::ChooseElement { .. }
            | Op::ChooseRange { .. }
            | Op::Call { .. }
            | Op::CallKnown { .. } => true,
            Op::CallNative { native, .. } => {
                let native = &natives[native as usize];
                native.effect == NativeEffect::Requires
                    || matches!(native.action, Action::Control(_) | Action::Script)
            }
            // A fast call returns, or begins a choice.
            _ => matches!(op.flow(), Flow::End | Flow::Branch(_)),
        };
        if self.regions.may_fail(code, pending.pc, fails) {
            self.search_needs(pending.condition);
        }
    }

    /// An instruction has failed; nothing is undone yet.
    pub(super) fn failed(&mut self, machine: &Machine) {
        if self.searches.is_empty() {
            return;
        }
        for node in [
            self.pending.value,
            self.pending.index,
            self.pending.condition,
        ] {
            self.search_needs(node);
        }
        self.search_needs_control();
        if let Some(dead_end) = &machine.context.heap.dead_end {
            let board = dead_end.container;
            for removal in &dead_end.removals {
                let rule = removal.number.map_or(NOWHERE, |rule| {
                    self.shadow.aspect(board, Aspect::Rule(rule))
                });
                self.search_needs(rule);
                for place in removal
                    .from
                    .iter()
                    .map(|(place, _)| *place)
                    .chain([removal.place])
                {
                    let node = self.shadow.place(board, place).unwrap_or(NOWHERE);
                    self.search_needs(node);
                }
            }
        }
    }

    /// A value was required, or an alternative chosen.
    pub(super) fn required(&mut self, node: Node) {
        if !self.searches.is_empty() {
            self.search_needs(node);
            self.search_needs_control();
        }
    }

    /// A choice point was made, perhaps the one of the search itself.
    pub(super) fn search_chooses(&mut self, id: u64, offered: Node) {
        match self.searches.last_mut() {
            Some(search) if search.choice.is_none() => search.choice = Some(id),
            Some(_) => self.required(offered),
            None => {}
        }
    }

    /// A failure goes back to a choice point: searches that began above it are given up, and the searches around them
    /// inherit their dependencies.
    pub(super) fn search_goes_back(&mut self, id: u64) {
        while self
            .searches
            .last()
            .is_some_and(|search| search.choice.is_none_or(|own| own > id))
        {
            self.drop_search();
        }
    }

    /// Undone parts of the graph must be visited again.
    pub(super) fn search_has_gone_back(&mut self) {
        let (first, definitions) = (self.nodes.extent().first_after(), self.definitions.len());
        for search in &mut self.searches {
            search
                .seen
                .truncate(first.saturating_sub(search.extent.first_after()) as usize);
            search
                .seen_definitions
                .truncate(definitions.saturating_sub(search.definitions) as usize);
        }
    }

    /// Ends the innermost search without a result. The search around it depends on what this one depended on.
    fn drop_search(&mut self) {
        let Some(search) = self.searches.pop() else {
            return;
        };
        if self.searches.is_empty() {
            return;
        }
        for node in search.nodes {
            self.search_needs(node);
        }
        for number in search.from {
            let node = self.nodes.definition(number);
            self.search_needs(node);
        }
    }

    /// A built-in that serves a search was carried out, which has left its result in a register.
    pub(super) fn controlled(
        &mut self,
        machine: &Machine,
        control: Control,
        first: Value,
        written: Node,
        to: usize,
    ) {
        match control {
            Control::OpenSearch | Control::OpenMinimize => self.begin_search(),
            Control::Collect => self.keep_result(machine, first, written),
            Control::Offer | Control::OfferLeast => {
                let best = machine.best_spent();
                if let Some(search) = self.searches.last_mut()
                    && best.is_some()
                    && best != search.best
                {
                    search.best = best;
                    search.results.clear();
                    self.keep_result(machine, first, written);
                }
            }
            Control::DropSearch => self.drop_search(),
            Control::EndSearch => self.results = self.end_search(),
            Control::Gathered => {
                let nodes = std::mem::take(&mut self.results);
                let array = machine.stack[to];
                let shape = self.deciding();
                let indirect = self.nodes.as_decision(shape);
                let nodes: Vec<Node> = nodes
                    .into_iter()
                    .map(|node| self.both(node, indirect))
                    .collect();
                self.shadow.make(
                    array,
                    PlaceOrigins::new(nodes, shape).with(Aspect::Shape, shape),
                );
            }
            Control::Best => {
                let results = self.end_search();
                let node = self.all(results);
                let node = self.both(self.deciding(), node);
                self.best = Some(node);
                for change in machine.context.heap.written.iter().flatten() {
                    match *change {
                        Changed::Global(slot) => self.shadow.set(Cell::Global(slot as usize), node),
                        Changed::Variable(handle) => {
                            self.shadow
                                .set(Cell::Place(Value::handle(Kind::Variable, handle), 0), node);
                        }
                        _ => {}
                    }
                }
                self.shadow.set(Cell::Register(to), node);
            }
            _ => {}
        }
    }

    /// Stores the definitions that led to a result, and the guesses and writes of its branch.
    fn keep_result(&mut self, machine: &Machine, result: Value, node: Node) {
        let whole = self.whole_of(machine, result);
        let node = self.both(node, whole);
        let from = self.reasons_of(node);
        let Some(search) = self.searches.last_mut() else {
            return;
        };
        if search.results.len() >= MOST_RESULTS {
            return;
        }
        let list = self.definitions.list();
        let mut needed: KeyedSet<u32> = KeyedSet::default();
        let mut open: Vec<u32> = from.clone();
        // The effects of the cheapest are repeated.
        if search.best.is_some() {
            let last = list.len() as u32;
            open.extend(
                search
                    .definitions
                    .max(last.saturating_sub(MOST_DEFINITIONS as u32))..last,
            );
        }
        while let Some(number) = open.pop() {
            if number >= search.definitions
                && needed.len() < 2 * MOST_DEFINITIONS
                && needed.insert(number)
            {
                let definition = &list[number as usize];
                open.extend(definition.from.iter().copied().chain(definition.before));
            }
        }
        let mut needed: Vec<u32> = needed.into_iter().collect();
        needed.sort_unstable();
        let definitions = needed
            .into_iter()
            .map(|number| (number, list[number as usize].clone()))
            .collect();
        search.results.push(SearchResult { from, definitions });
    }

    /// The search is over: from now on all of the call depends on its dependencies. Returns the origins of each
    /// result.
    fn end_search(&mut self) -> Vec<Node> {
        let Some(search) = self.searches.last_mut() else {
            return Vec::new();
        };
        let (first, results) = (search.definitions, std::mem::take(&mut search.results));
        let (nodes, from) = (search.nodes.clone(), search.from.clone());
        self.drop_search();
        let mut node = self.all(nodes);
        for number in from {
            let definition = self.nodes.definition(number);
            node = self.both(node, definition);
        }
        self.begin_region(NEVER, NEVER, node);
        let mut again: KeyedMap<(When, DefinitionTarget), u32> = KeyedMap::default();
        let mut all = Vec::with_capacity(results.len());
        self.redone = Vec::new();
        for SearchResult { from, definitions } in results {
            let mut numbers: KeyedMap<u32, u32> = KeyedMap::default();
            let find = |numbers: &KeyedMap<u32, u32>, number: u32| {
                if number < first {
                    Some(number)
                } else {
                    numbers.get(&number).copied()
                }
            };
            for (number, definition) in definitions {
                let name = (definition.when, definition.to.clone());
                let new = again.get(&name).copied().unwrap_or_else(|| {
                    let from = definition
                        .from
                        .iter()
                        .filter_map(|number| find(&numbers, *number))
                        .collect();
                    let before = definition.before.and_then(|before| find(&numbers, before));
                    self.definitions.push_detached(Definition {
                        from,
                        before,
                        narrowed: None,
                        ..definition
                    })
                });
                numbers.insert(number, new);
                self.redone.push((name.1.clone(), new));
                again.insert(name, new);
            }
            let nodes: Vec<Node> = from
                .iter()
                .filter_map(|number| find(&numbers, *number))
                .map(|number| self.nodes.definition(number))
                .collect();
            all.push(self.all(nodes));
        }
        all
    }

    /// The definitions behind a repeated write of the cheapest branch.
    pub(super) fn redone(&self, to: &DefinitionTarget) -> Option<Vec<u32>> {
        if !self.pending.is_best() {
            return None;
        }
        let (_, number) = self.redone.iter().rev().find(|(known, _)| known == to)?;
        let mut from = self.definitions.list()[*number as usize].from.to_vec();
        from.extend(self.reasons_of(self.deciding()));
        Some(from)
    }

    /// As `redone`, for all parts of a collection.
    pub(super) fn repeated_inside(&self, collection: Value) -> Vec<u32> {
        let is_in_collection = |to: &DefinitionTarget| matches!(to, DefinitionTarget::Part(known, _) if *known == collection);
        let again = self
            .redone
            .iter()
            .filter(|(to, _)| self.pending.is_best() && is_in_collection(to));
        again
            .flat_map(|(_, number)| {
                self.definitions.list()[*number as usize]
                    .from
                    .iter()
                    .copied()
            })
            .collect()
    }
}
