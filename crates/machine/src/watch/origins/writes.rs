//! Writes become definitions, each with its origins.

use super::Origins;
use super::collections::{is_collection, part_of};
use super::definitions::{Definition, DefinitionTarget, Dependencies};
use super::looking::cell_of;
use super::natives;
use super::nodes::{NOWHERE, Node, WholeRead};
use super::shadow::{Aspect, Cell, PlaceOrigins};
use crate::host::variables::CallAt;
use crate::machine::Machine;
use crate::watch::EventPoint;
use ndscript_base::source::Span;
use ndscript_heap::{Kind, Value};

impl Origins {
    /// Adds a write as a definition with its sources; `before` is the definition that it replaces.
    pub(super) fn add_write(
        &mut self,
        at: EventPoint,
        to: DefinitionTarget,
        sources: Dependencies,
        before: Option<u32>,
    ) -> u32 {
        let Dependencies {
            from,
            keeps,
            narrowed,
            guessed,
        } = sources;
        let span = at.span.filter(|span| *span != Span::default());
        self.definitions.push(Definition {
            when: at.when,
            span,
            to,
            from: from.into(),
            before,
            keeps,
            narrowed,
            guessed,
        })
    }

    /// The origins of a definition: what the value was computed from, and, if it adds anything, what decided on it.
    /// The earlier value of a place is covered by `before`.
    pub(super) fn sources(&self, value: Node, index: Node, before: Option<u32>) -> Dependencies {
        let mut sources = self.sources_under(value, index, self.deciding(), before);
        let mut control = self.control;
        while sources.from.is_empty() {
            let around = self.controls[control as usize];
            let deciding = self.nodes.find(around.node);
            let wholes = deciding.wholes.iter().chain(&deciding.deciding_wholes);
            let all = deciding
                .all()
                .into_iter()
                .chain(wholes.flat_map(|whole| self.all_of_whole(*whole)));
            let is_own = |number: &u32| {
                before.is_some_and(|before| self.definitions.is_at_or_before(*number, before))
            };
            sources.from = all.filter(|number| !is_own(number)).collect();
            if control == 0 {
                break;
            }
            control = around.outer;
        }
        sources.from.sort_unstable_by(|a, b| b.cmp(a));
        sources.from.dedup();
        sources
    }

    /// The origins of a value alone, independent of the position of the run.
    pub(super) fn reasons_of(&self, node: Node) -> Vec<u32> {
        if node == NOWHERE {
            Vec::new()
        } else {
            self.sources_under(node, NOWHERE, NOWHERE, None).from
        }
    }

    /// The definitions that a write depends on: through its value, its index and the conditions around it.
    fn sources_under(
        &self,
        value: Node,
        index: Node,
        deciding: Node,
        before: Option<u32>,
    ) -> Dependencies {
        let [value, index] = [value, index].map(|node| self.nodes.find(node));
        let is_own = |number: &u32| {
            before.is_some_and(|before| self.definitions.is_at_or_before(*number, before))
        };
        let keeps = value.parts.iter().any(is_own);
        let add = |all: &mut Vec<u32>, more: &[u32]| {
            more.iter()
                .filter(|number| !is_own(number))
                .for_each(|number| {
                    if !all.contains(number) {
                        all.push(*number);
                    }
                });
        };
        let add_wholes = |all: &mut Vec<u32>, wholes: &[u32]| {
            wholes
                .iter()
                .for_each(|whole| add(all, &self.put_into(*whole)));
        };
        let mut found = Vec::new();
        add(&mut found, &value.parts);
        add_wholes(&mut found, &value.wholes);
        let deciding = self.nodes.find(deciding);
        let mut indirect = Vec::new();
        add(&mut indirect, &value.deciding);
        add(&mut indirect, &deciding.parts);
        add(&mut indirect, &deciding.deciding);
        // The choice of the place matters if it was guessed, or if nothing else is known.
        let mut leading = Vec::new();
        [&value.leading, &index.parts, &deciding.leading]
            .into_iter()
            .for_each(|more| add(&mut leading, more));
        let is_known = !found.is_empty() || !indirect.is_empty();
        leading.retain(|number| {
            !is_known || self.definitions.list()[*number as usize].to == DefinitionTarget::Guess
        });
        add(&mut indirect, &leading);
        indirect.sort_unstable_by(|a, b| b.cmp(a));
        for number in indirect {
            if !found.contains(&number) && !self.is_reported_by(&found, number) {
                found.push(number);
            }
        }
        if found.is_empty() {
            add(&mut found, &index.all());
            for wholes in [
                &value.deciding_wholes,
                &index.wholes,
                &index.deciding_wholes,
            ] {
                wholes
                    .iter()
                    .for_each(|whole| add(&mut found, &self.all_of_whole(*whole)));
            }
        }
        Dependencies {
            from: found,
            keeps,
            ..Dependencies::default()
        }
    }

    /// The writes into a collection that was read as a whole.
    pub(super) fn put_into(&self, whole: u32) -> Vec<u32> {
        let WholeRead {
            collection,
            definitions,
            ..
        } = self.nodes.looked_at(whole);
        self.definitions.put_into(*collection, *definitions)
    }

    /// As `put_into`, with the origins of its places.
    fn all_of_whole(&self, whole: u32) -> Vec<u32> {
        let mut all = self.put_into(whole);
        for place in &self.nodes.looked_at(whole).places {
            let found = self.nodes.find(*place);
            all.extend(found.all());
        }
        all
    }

    /// Whether a deciding definition is covered by the known ones: one of them came from it, or is a later one at the
    /// same place.
    fn is_reported_by(&self, known: &[u32], number: u32) -> bool {
        known
            .iter()
            .any(|known| self.definitions.is_at_or_before(number, *known))
            || self.definitions.came_from(known, number)
    }

    /// The origins of a place of a board, through the definition that it holds if there is one.
    fn reasons_of_place(&self, board: Value, place: usize) -> Vec<u32> {
        let Some(node) = self.shadow.place(board, place) else {
            return Vec::new();
        };
        self.nodes
            .as_definition(node)
            .map_or_else(|| self.reasons_of(node), |definition| vec![definition])
    }

    /// The pending statement has written to a place of a collection.
    pub(super) fn wrote_part(
        &mut self,
        machine: &Machine,
        at: EventPoint,
        collection: Value,
        key: Value,
    ) {
        let Some(place) = machine.place_of_key(collection, key) else {
            return;
        };
        let Some(part) = part_of(machine, key) else {
            return;
        };
        let removals = machine.context.heap.removals(collection, place);
        let by_constraints = removals.iter().any(|removal| removal.constraint.is_some());
        let is_own = !by_constraints || removals.iter().any(|removal| removal.constraint.is_none());
        let to = DefinitionTarget::Part(collection, part);
        let cell = Cell::Place(collection, place);
        let old = self.shadow.get(cell);
        // A write that removes nothing is no reason.
        if removals.is_empty() && self.takes_nothing_away(machine, collection, place) {
            return;
        }
        // The value may be just what was guessed, or what lay elsewhere.
        let is_in_collection = |number: &u32| {
            self.definitions.list()[*number as usize].to.collection() == Some(collection)
        };
        let before = self.nodes.as_definition(old).filter(is_in_collection);
        let (value, index) = (self.pending.value, self.pending.index);
        let mut sources = match self.redone(&to) {
            Some(from) => Dependencies {
                from,
                ..Dependencies::default()
            },
            None if is_own => self.sources(value, index, before),
            None => Dependencies::default(),
        };
        // A guessed value is what it is, whatever else was possible before.
        let old_value = machine.context.heap.at_place(collection, place);
        let is_guessed = self.is_guessed(machine, old_value, &sources.from);
        let is_board = machine.context.heap.constrained(collection).is_some();
        let is_narrowed = is_board || old_value.is_kind(Kind::Set) && self.is_from(value, old);
        sources.keeps &= !is_guessed;
        if is_narrowed {
            let narrowed =
                before.and_then(|before| self.definitions.list()[before as usize].narrowed);
            sources.narrowed = Some(narrowed.unwrap_or(old));
        }
        if is_board {
            // Candidates that are left were there before.
            sources.keeps = before.is_some() && !is_guessed;
            if before.is_none() && !is_guessed {
                sources
                    .from
                    .extend(self.reasons_of_place(collection, place));
            }
        }
        let mut ahead = Vec::new();
        if by_constraints {
            let rules = removals.iter().filter_map(|removal| removal.number);
            let rules: Vec<Node> = rules
                .map(|rule| self.shadow.aspect(collection, Aspect::Rule(rule)))
                .collect();
            rules
                .into_iter()
                .for_each(|rule| sources.from.extend(self.reasons_of(rule)));
            self.statement.begin(collection, machine);
            for (other, then) in removals.iter().flat_map(|removal| &removal.from) {
                if *other == place {
                    continue;
                }
                match self.statement.is_ahead(machine, *other, then.len()) {
                    true => ahead.push(*other),
                    false => sources
                        .from
                        .extend(self.reasons_of_place(collection, *other)),
                }
            }
        }
        sources.from.retain(|number| Some(*number) != before);
        sources.from.sort_unstable_by(|a, b| b.cmp(a));
        sources.from.dedup();
        let definition = self.add_write(at, to, sources, before);
        let node = self.nodes.definition(definition);
        if !removals.is_empty() {
            self.statement.begin(collection, machine);
            for waiting in self.statement.wrote(place, definition, ahead) {
                if self
                    .definitions
                    .list()
                    .get(waiting as usize)
                    .is_some_and(|definition| definition.to.collection() == Some(collection))
                {
                    self.definitions.add_source(waiting, definition);
                }
            }
        }
        if is_board {
            // The branch continues because a candidate was left there.
            self.search_needs(old);
            self.search_needs(node);
        }
        self.define(value, old, node);
        self.shadow.set(cell, node);
    }

    /// Whether a place holds the candidates that it held before the pending statement.
    fn takes_nothing_away(&self, machine: &Machine, collection: Value, place: usize) -> bool {
        let heap = &machine.context.heap;
        if machine.statistics.collections != self.collections {
            return false;
        }
        let Some((_, _, before)) = self
            .pending
            .overwritten
            .filter(|(of, at, _)| (*of, *at) == (collection, place))
        else {
            return false;
        };
        let now = heap.at_place(collection, place);
        let are_sets = before.is_kind(Kind::Set) && now.is_kind(Kind::Set);
        are_sets
            && heap.set_len(before) == heap.set_len(now)
            && (0..heap.set_len(now)).all(|at| heap.set_get(before, at) == heap.set_get(now, at))
    }

    /// Whether a value was computed from what a place held.
    fn is_from(&self, value: Node, old: Node) -> bool {
        match self.nodes.as_definition(old) {
            Some(before) => self.nodes.find(value).parts.contains(&before),
            None => {
                let untouched = self.nodes.find(old).untouched;
                let found = self.nodes.find(value).untouched;
                untouched.iter().any(|node| found.contains(node))
            }
        }
    }

    /// Whether a set has one element, which one of some definitions has guessed.
    fn is_guessed(&self, machine: &Machine, value: Value, from: &[u32]) -> bool {
        let heap = &machine.context.heap;
        let only = value.is_kind(Kind::Set) && heap.set_len(value) == 1;
        let only = if only { heap.set_get(value, 0) } else { None };
        only.is_some()
            && from
                .iter()
                .any(|number| self.definitions.list()[*number as usize].guessed == only)
    }

    /// A variable that was computed from what a place held, and is stored there now, is the place's value: later uses
    /// are explained best by that definition.
    fn define(&mut self, value: Node, old: Node, node: Node) {
        let Some(from) = self.pending.from.filter(|_| self.is_from(value, old)) else {
            return;
        };
        self.shadow.set(Cell::Register(from), node);
        if let Some((_, cell)) = self.loaded.filter(|(register, _)| *register == from)
            && self.shadow.get(cell) == value
        {
            self.shadow.set(cell, node);
        }
    }

    /// A collection has other places than before, as a built-in has done it.
    pub(super) fn wrote_whole(&mut self, machine: &Machine, at: EventPoint, collection: Value) {
        let Some(changed) = self.pending.changed else {
            return;
        };
        let (value, index) = (self.pending.value, self.pending.index);
        match changed {
            natives::CollectionChange::Place(place) => {
                let Some(key) = machine.key_of_place(collection, place) else {
                    return;
                };
                let Some(part) = part_of(machine, key) else {
                    return;
                };
                let sources = self.sources(value, index, None);
                let definition =
                    self.add_write(at, DefinitionTarget::Part(collection, part), sources, None);
                let node = self.nodes.definition(definition);
                self.shadow.set(Cell::Place(collection, place), node);
            }
            natives::CollectionChange::All => {
                let mut sources = self.sources(value, NOWHERE, None);
                sources.from.extend(self.repeated_inside(collection));
                let definition =
                    self.add_write(at, DefinitionTarget::Whole(collection), sources, None);
                let node = self.nodes.definition(definition);
                self.shadow
                    .set_places(collection, PlaceOrigins::new(Vec::new(), node));
            }
            natives::CollectionChange::Shape => {
                let shape = self.shadow.aspect(collection, Aspect::Shape);
                let sources = self.sources(shape, NOWHERE, None);
                if sources.from.is_empty() {
                    return;
                }
                let definition =
                    self.add_write(at, DefinitionTarget::Shape(collection), sources, None);
                let node = self.nodes.definition(definition);
                for aspect in self.pending.aspects() {
                    self.shadow.set_aspect(collection, aspect, node);
                }
            }
        }
    }

    /// A variable of the name that is asked for was set.
    pub(super) fn wrote_variable(
        &mut self,
        machine: &Machine,
        at: EventPoint,
        name: &str,
        value: Value,
    ) {
        if *name != *self.variable {
            return;
        }
        let call = CallAt {
            function: machine.context.code.function_at(machine.pc),
            base: machine.base,
            at: machine.pc,
        };
        let Some((cell, is_born)) = cell_of(machine, &call, name) else {
            return;
        };
        let call = if matches!(cell, Cell::Register(_)) {
            self.call
        } else {
            0
        };
        let before = self.shadow.latest(cell, call).filter(|_| !is_born);
        let node = self.shadow.get(cell);
        let sources = self.sources(node, NOWHERE, before);
        let definition = self.add_write(at, DefinitionTarget::Variable, sources, before);
        self.shadow.set_latest(cell, call, definition);
        // The content of a collection does not depend on which variable holds the collection.
        if !is_collection(value) {
            let node = self.nodes.definition(definition);
            self.shadow.set(cell, node);
        }
    }
}
