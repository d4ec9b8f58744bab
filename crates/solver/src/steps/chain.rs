//! Steps by a contradiction: something is supposed, and what follows from it, rule by rule, leaves nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::masks::{Masks, mask_of};
use super::model::{Model, lost, rest};
use super::reason::fewest;
use super::{Conclusion, End, Kind, Progress, Step, Steps};
use crate::learning::{Learner, Verdict};
use crate::{Solver, ones};
use ndscript_base::budget::Budget;

/// The suppositions that are tried, and those that have led to a contradiction soonest.
#[derive(Clone)]
pub(super) struct Suppositions {
    /// At rest.
    all: Solver,
    /// Those that have led to a contradiction before. If there are any, no other is tried.
    earlier_contradictions: Vec<(u32, u32)>,
    retries_earlier: bool,
    next: (usize, u32),
    /// How many places had changed, the place and the value.
    best: Vec<(usize, u32, u32)>,
    /// Whether that list is complete, how many of them were examined closer, and the one of those that is told best.
    is_listed: bool,
    examined: usize,
    simplest: Option<Step>,
    searching: Option<Box<CommonValueSearch>>,
}

impl Suppositions {
    /// The next place and value to suppose.
    fn next_of(&mut self, known: &Masks) -> Option<(usize, u32)> {
        if self.retries_earlier {
            let (place, value) = self.earlier_contradictions.pop()?;
            return Some((place as usize, value));
        }
        while self.next.0 < known.places() {
            let (place, least) = self.next;
            let value = ones(known.row(place)).find(|value| *value >= least as usize);
            match value.filter(|_| known.count(place) > 1) {
                Some(value) => {
                    self.next = (place, value as u32 + 1);
                    return Some((place, value as u32));
                }
                None => self.next = (place + 1, 0),
            }
        }
        None
    }

    /// The bytes that it owns, about.
    pub fn bytes(&self) -> usize {
        let searching = self.searching.as_ref();
        self.all.bytes()
            + 8 * self.earlier_contradictions.len()
            + 16 * self.best.len()
            + self.simplest.as_ref().map_or(0, Step::bytes)
            + searching.map_or(0, |searching| searching.learner.bytes())
    }
}

/// The number of suppositions that are examined closer, and how many as long as each of them takes a long chain.
const MOST_EXAMINED: usize = 6;
const MOST_EXAMINED_LONG: usize = 24;
/// A chain of so many links is easy to follow.
const EASY: usize = 5;
/// A contradiction over at most this number of places is not reduced further.
const SHORT: usize = 4;

/// Several rules together are shown as a chain of at most this many links.
const TOLD_AS_CHAIN: usize = 6;

/// A conclusion from a supposition.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub rules: Vec<u32>,
    pub place: u32,
    pub values: Vec<u64>,
    /// How many events there were before its round.
    pub before: usize,
}

/// The conclusions from a supposition, up to rules that cannot hold.
pub(super) struct Chain {
    pub events: Vec<Event>,
    pub last: Vec<u32>,
}

impl Steps {
    /// Continues to search for a supposition that leads to a contradiction.
    pub(super) fn suppose(&mut self, budget: &mut Budget) -> Progress {
        let every: Vec<u32> = (0..self.model.rules.len() as u32).collect();
        let mut suppositions = match self.probing.take() {
            Some(suppositions) => suppositions,
            None => {
                let Some(all) = self.model.propagated(&self.known, &every, budget) else {
                    // Only several rules together lead to this.
                    let step = self.model.chain_to(&self.known, None, true, budget);
                    self.end = Some(End::NoSolution);
                    return step.map_or(Progress::End(End::NoSolution), |step| {
                        Progress::Step(Box::new(step))
                    });
                };
                let domains: Vec<(u32, Vec<u64>)> = (0..self.known.places())
                    .map(|place| {
                        let removed = lost(self.known.row(place), all.candidates(place));
                        (place as u32, removed)
                    })
                    .filter(|(_, removed)| removed.iter().any(|word| *word != 0))
                    .collect();
                if let Some((place, removed)) = domains.first() {
                    return Progress::Step(Box::new(
                        self.together(*place, removed, &every, budget),
                    ));
                }
                let mut earlier = std::mem::take(&mut self.refuted);
                earlier.retain(|(place, value)| {
                    let row = self.known.row(*place as usize);
                    self.has_any(*place, &mask_of(*value, row.len()))
                });
                Suppositions {
                    all,
                    retries_earlier: !earlier.is_empty(),
                    earlier_contradictions: earlier,
                    next: (0, 0),
                    best: Vec::new(),
                    is_listed: false,
                    examined: 0,
                    simplest: None,
                    searching: None,
                }
            }
        };
        let was_listed = suppositions.is_listed;
        while !suppositions.is_listed {
            if budget.is_spent() {
                self.probing = Some(suppositions);
                return Progress::NotYet;
            }
            let Some((place, value)) = suppositions.next_of(&self.known) else {
                suppositions.is_listed = true;
                break;
            };
            let mut solver = suppositions.all.clone();
            budget.spend(4 * self.known.places());
            let mask = mask_of(value, self.known.row(place).len());
            let is_consistent = solver.narrow(place, &mask).is_ok()
                && rest(&mut solver, self.known.places(), budget);
            if !is_consistent {
                let changed = solver.changed().len();
                suppositions.best.push((changed, place as u32, value));
                suppositions.is_listed = changed <= SHORT;
            }
        }
        if !was_listed {
            suppositions.best.sort_unstable();
            self.refuted = std::mem::take(&mut suppositions.earlier_contradictions);
            let pairs = suppositions.best.iter();
            self.refuted
                .extend(pairs.map(|(_, place, value)| (*place, *value)));
        }
        while let Some((_, place, value)) = suppositions.best.get(suppositions.examined) {
            let most = match &suppositions.simplest {
                Some(simplest) if simplest.chain.len() <= EASY => MOST_EXAMINED,
                _ => MOST_EXAMINED_LONG,
            };
            if suppositions.examined >= most {
                break;
            }
            if budget.is_spent() {
                self.probing = Some(suppositions);
                return Progress::NotYet;
            }
            let supposed = Some((*place, *value));
            let step = self.model.chain_to(&self.known, supposed, false, budget);
            let size = |step: &Step| (step.rules.len(), step.chain.len(), step.places.len());
            let found = suppositions.simplest.take().into_iter().chain(step);
            suppositions.simplest = found.min_by_key(size);
            suppositions.examined += 1;
        }
        let best = suppositions.simplest.take();
        if let Some(best) = best {
            // Only what is told is made as short as can be.
            let shorter = self
                .model
                .chain_to(&self.known, best.supposed, true, budget);
            let mut step = shorter.unwrap_or(best);
            let Some((place, value)) = step.supposed else {
                return Progress::End(End::GaveUp);
            };
            let mask = mask_of(value, self.known.row(place as usize).len());
            step.conclusions = self.conclude(&[(place, mask)]);
            return Progress::Step(Box::new(step));
        }
        if suppositions.retries_earlier {
            // If none of them can be explained, others may.
            self.refuted.clear();
            suppositions.retries_earlier = false;
            suppositions.best.clear();
            (suppositions.is_listed, suppositions.examined) = (false, 0);
            self.probing = Some(suppositions);
            return Progress::NotYet;
        }
        if let Some((_, place, value)) = suppositions.best.first().copied() {
            let mask = mask_of(value, self.known.row(place as usize).len());
            let conclusions = self.conclude(&[(place, mask)]);
            return Progress::Step(Box::new(self.model.by_all(conclusions, Kind::Search)));
        }
        self.search(suppositions, budget)
    }

    /// A step by rules that remove more together than each alone: counts that are combined, and regions that keep each
    /// other apart. It is shown as a chain if there is one in which each rule works by itself.
    fn together(
        &mut self,
        place: u32,
        removed: &[u64],
        every: &[u32],
        budget: &mut Budget,
    ) -> Step {
        let known = &self.known;
        let first = super::first_of(removed).map(|value| (place, value));
        if let Some(mut step) = self.model.chain_to(known, first, true, budget)
            && step.chain.len() <= TOLD_AS_CHAIN
            && step.chain.iter().all(|link| link.rules.len() == 1)
            && let Some((_, value)) = first
        {
            step.kind = Kind::Rules;
            step.conclusions = self.conclude(&[(place, mask_of(value, removed.len()))]);
            return step;
        }
        let known = &self.known;
        let rules = self
            .model
            .fewest_rules(known, every, Some((place, removed)), budget);
        let reason = self
            .model
            .reason(known, &rules, place, removed, &[], budget);
        let reason = reason.unwrap_or_else(|| self.model.cells(known, &rules));
        let candidates = known.candidates_of(&reason);
        let conclusions = self.conclude(&[(place, removed.to_vec())]);
        Step::by_rules(self.model.numbers(&rules), reason, candidates, conclusions)
    }
}

impl Model {
    /// The numbers of rules by which a solver knows them.
    pub fn numbers(&self, rules: &[u32]) -> Vec<u32> {
        let numbers = rules.iter().map(|rule| self.rules[*rule as usize].number);
        numbers.collect()
    }

    /// The fewest of some rules that together remove values from a place, or cannot hold together. All of them together do.
    fn fewest_rules(
        &self,
        domains: &Masks,
        rules: &[u32],
        removed: Option<(u32, &[u64])>,
        budget: &mut Budget,
    ) -> Vec<u32> {
        let follows = |rules: &[u32]| match (self.propagated(domains, rules, budget), removed) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(left), Some((place, removed))) => {
                let lost = lost(domains.row(place as usize), left.candidates(place as usize));
                removed
                    .iter()
                    .zip(&lost)
                    .all(|(removed, lost)| removed & !lost == 0)
            }
        };
        fewest(rules.to_vec(), follows)
    }

    /// A step of which nothing is known but that all rules together say it.
    fn by_all(&self, conclusions: Vec<Conclusion>, kind: Kind) -> Step {
        Step {
            kind,
            conclusions,
            rules: self.rules.iter().map(|rule| rule.number).collect(),
            places: Vec::new(),
            candidates: Vec::new(),
            supposed: None,
            chain: Vec::new(),
        }
    }

    /// The fewest cells from which it follows that rules cannot hold. `first` are those that it is better to do without.
    pub fn smallest_conflict(
        &self,
        known: &Masks,
        rules: &[u32],
        first: &[u32],
        budget: &mut Budget,
    ) -> Vec<u32> {
        let cells = self.cells_in_order(known, rules, first);
        let clues = self.clues(rules);
        let all = cells.clone();
        let relaxed = self.relaxed(known, rules, &clues);
        let mut wiped = |cells: &[u32]| {
            let mut domains = relaxed.clone();
            domains.copy_rows(known, cells);
            self.propagated(&domains, rules, budget).is_none()
        };
        if !wiped(&all) {
            return all;
        }
        let mut found = fewest(cells, wiped);
        found.extend(&clues);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// A step that supposes a value of a place, or nothing, with the shortest chain that is found, by few rules and cells; with
    /// no link that the end does not need, if it is shortened.
    fn chain_to(
        &self,
        known: &Masks,
        supposed: Option<(u32, u32)>,
        is_shortened: bool,
        budget: &mut Budget,
    ) -> Option<Step> {
        let every: Vec<u32> = (0..self.rules.len() as u32).collect();
        let with_supposed = |domains: &Masks| {
            let mut domains = domains.clone();
            if let Some((place, value)) = supposed {
                let mask = mask_of(value, domains.row(place as usize).len());
                domains.row_mut(place as usize).copy_from_slice(&mask);
            }
            domains
        };
        let chain = self.chain(
            &with_supposed(known),
            supposed.map(|(place, _)| place),
            &every,
            budget,
        )?;
        let (needed, _) = self.needed(&with_supposed(known), known, &chain, budget);
        let mut rules: Vec<u32> = needed
            .keys()
            .flat_map(|at| chain.events[*at].rules.iter().copied())
            .chain(chain.last.iter().copied())
            .collect();
        rules.sort_unstable();
        rules.dedup();
        let own = supposed.map(|(place, _)| place);
        let mut is_wiped_out = |rules: &[u32]| {
            self.propagated(&with_supposed(known), rules, budget)
                .is_none()
        };
        if is_wiped_out(&rules) {
            rules = fewest(rules, is_wiped_out);
        }
        // Search again with only those rules. All that is known may be used: that makes the chain short.
        let mut chain = self.chain(&with_supposed(known), own, &rules, budget)?;
        if is_shortened {
            let (needed, _) = self.needed(&with_supposed(known), known, &chain, budget);
            let needed: Vec<u32> = needed.keys().map(|at| *at as u32).collect();
            chain = self.fewest_links(&with_supposed(known), chain, needed, budget);
        }
        let (needed, cells) = self.needed(&with_supposed(known), known, &chain, budget);
        let clues = self.clues(&rules);
        let facts: BTreeSet<u32> = cells
            .into_iter()
            .filter(|cell| self.is_known(known, *cell))
            .chain(clues)
            .filter(|cell| Some(*cell) != own)
            .collect();
        let facts: Vec<u32> = facts.into_iter().collect();
        let steps = self.steps_of(&with_supposed(known), &chain, needed, budget);
        Some(Step {
            kind: match rules.len() {
                1 => Kind::Rule,
                2 => Kind::Rules,
                _ => Kind::Suppose,
            },
            conclusions: Vec::new(),
            rules: self.numbers(&rules),
            candidates: known.candidates_of(&facts),
            places: facts,
            supposed,
            chain: steps,
        })
    }

    fn is_known(&self, known: &Masks, cell: u32) -> bool {
        let cell = cell as usize;
        self.is_given[cell] || known.row(cell) != self.initial.row(cell)
    }

    /// Applies rules in rounds, until one cannot hold.
    fn chain(
        &self,
        domains: &Masks,
        supposed: Option<u32>,
        rules: &[u32],
        budget: &mut Budget,
    ) -> Option<Chain> {
        let mut domains = domains.clone();
        let mut events: Vec<Event> = Vec::new();
        let allowed: BTreeSet<u32> = rules.iter().copied().collect();
        let mut dirty: BTreeSet<u32> = match supposed {
            Some(place) => self.rules_of[place as usize]
                .iter()
                .copied()
                .filter(|rule| allowed.contains(rule))
                .collect(),
            None => allowed.clone(),
        };
        let mut is_first = true;
        loop {
            let before = events.len();
            for rule in std::mem::take(&mut dirty) {
                let Some(left) = self.propagated(&domains, &[rule], budget) else {
                    return Some(Chain {
                        events,
                        last: vec![rule],
                    });
                };
                for place in &self.rules[rule as usize].places {
                    let values = lost(
                        domains.row(*place as usize),
                        left.candidates(*place as usize),
                    );
                    if values.iter().any(|word| *word != 0) {
                        events.push(Event {
                            rules: vec![rule],
                            place: *place,
                            values,
                            before,
                        });
                    }
                }
            }
            for event in &events[before..] {
                domains.leave_out(event.place as usize, &event.values);
                if domains.count(event.place as usize) == 0 {
                    // Two rules leave different values: any rule on it sees that.
                    return Some(Chain {
                        last: event.rules.clone(),
                        events,
                    });
                }
                let own = &self.rules_of[event.place as usize];
                dirty.extend(own.iter().copied().filter(|rule| allowed.contains(rule)));
            }
            if events.len() == before {
                if is_first {
                    // In a model with fewer cells, the known values may have changed nothing that was supposed.
                    is_first = false;
                    dirty = allowed.clone();
                    continue;
                }
                // No rule alone removes more.
                let Some(left) = self.propagated(&domains, rules, budget) else {
                    let last = self.fewest_rules(&domains, rules, None, budget);
                    return Some(Chain { events, last });
                };
                let mut lost = (0..domains.places()).map(|place| {
                    let row = domains.row(place);
                    (place, lost(row, left.candidates(place)))
                });
                let (place, values) = lost.find(|(_, lost)| lost.iter().any(|word| *word != 0))?;
                let removed = Some((place as u32, &values[..]));
                let together = self.fewest_rules(&domains, rules, removed, budget);
                domains.leave_out(place, &values);
                let own = &self.rules_of[place];
                dirty.extend(own.iter().copied().filter(|rule| allowed.contains(rule)));
                events.push(Event {
                    rules: together,
                    place: place as u32,
                    values,
                    before,
                });
            }
        }
    }

    /// The domains before some event.
    fn state(&self, domains: &Masks, chain: &Chain, before: usize) -> Masks {
        let mut state = domains.clone();
        for event in &chain.events[..before] {
            state.leave_out(event.place as usize, &event.values);
        }
        state
    }

    /// The events that the end of a chain needs, with the cells from which each follows, and all those cells.
    fn needed(
        &self,
        domains: &Masks,
        known: &Masks,
        chain: &Chain,
        budget: &mut Budget,
    ) -> (BTreeMap<usize, Vec<u32>>, BTreeSet<u32>) {
        let end = chain.events.len();
        let mut needed: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let mut cells = BTreeSet::new();
        let state = self.state(domains, chain, end);
        let empty = (0..state.places()).find(|place| {
            state.count(*place) == 0
                && chain
                    .events
                    .iter()
                    .any(|event| event.place as usize == *place)
        });
        let derived = |before: usize| -> Vec<u32> {
            let places = chain.events[..before].iter().map(|event| event.place);
            places
                .filter(|place| state.row(*place as usize) != known.row(*place as usize))
                .collect()
        };
        let mut waiting: BTreeSet<usize> = BTreeSet::new();
        let reason = match empty {
            // The place that was emptied is all that is needed.
            Some(place) => vec![place as u32],
            None => self.smallest_conflict(&state, &chain.last, &derived(end), budget),
        };
        let events_on = |places: &[u32], before: usize| -> Vec<usize> {
            let own = chain.events[..before].iter().enumerate();
            own.filter(|(_, event)| places.contains(&event.place))
                .map(|(at, _)| at)
                .collect()
        };
        waiting.extend(events_on(&reason, end));
        cells.extend(reason);
        while let Some(at) = waiting.pop_last() {
            let event = &chain.events[at];
            let state = self.state(domains, chain, event.before);
            let reason = self
                .reason(
                    &state,
                    &event.rules,
                    event.place,
                    &event.values,
                    &derived(event.before),
                    budget,
                )
                .unwrap_or_else(|| self.cells(&state, &event.rules));
            for other in events_on(&reason, event.before) {
                if !needed.contains_key(&other) {
                    waiting.insert(other);
                }
            }
            cells.extend(reason.iter().copied());
            needed.insert(at, reason);
        }
        (needed, cells)
    }

    /// The steps of a chain.
    fn steps_of(
        &self,
        domains: &Masks,
        chain: &Chain,
        needed: BTreeMap<usize, Vec<u32>>,
        budget: &mut Budget,
    ) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut state = domains.clone();
        for (at, reason) in needed {
            let event = &chain.events[at];
            let place = event.place as usize;
            let own: Vec<u64> = state
                .row(place)
                .iter()
                .zip(&event.values)
                .map(|(word, values)| word & values)
                .collect();
            let candidates = state.candidates_of(&reason);
            state.leave_out(place, &event.values);
            let conclusion = Conclusion {
                place: event.place,
                values: ones(&own).map(|value| value as u32).collect(),
                decided: state.only(place),
            };
            if conclusion.values.is_empty() {
                continue;
            }
            let rules = self.numbers(&event.rules);
            match steps.last_mut() {
                Some(step) if step.rules == rules && step.places == reason => {
                    step.conclusions.push(conclusion);
                }
                _ => steps.push(Step::by_rules(rules, reason, candidates, vec![conclusion])),
            }
        }
        let mut places = chain.events.iter().map(|event| event.place as usize);
        let is_emptied = places.any(|place| state.count(place) == 0);
        if !is_emptied {
            let places = self.smallest_conflict(&state, &chain.last, &[], budget);
            let candidates = state.candidates_of(&places);
            let rules = self.numbers(&chain.last);
            steps.push(Step::by_rules(rules, places, candidates, Vec::new()));
        }
        steps
    }
}

/// A search for what all solutions have.
#[derive(Clone)]
struct CommonValueSearch {
    learner: Learner,
    /// Values that some solution has.
    possible: BTreeSet<(u32, u32)>,
    next: (usize, u32),
    asked: Option<(u32, u32)>,
}

/// At most this many conflicts are searched for one question.
const MOST_CONFLICTS: u64 = 20_000;
const MOST_BYTES: usize = 32 << 20;

impl Steps {
    /// Continues to search for a value that no solution has.
    fn search(&mut self, mut probing: Suppositions, budget: &mut Budget) -> Progress {
        let mut searching = probing.searching.take().unwrap_or_else(|| {
            Box::new(CommonValueSearch {
                learner: Learner::new(&probing.all, 0, MOST_BYTES),
                possible: BTreeSet::new(),
                next: (0, 0),
                asked: None,
            })
        });
        let progress = loop {
            if budget.is_spent() {
                break Progress::NotYet;
            }
            match searching.learner.resume(budget) {
                Verdict::NotYet => break Progress::NotYet,
                Verdict::Resting if searching.learner.conflicts() < MOST_CONFLICTS => continue,
                Verdict::Resting | Verdict::TooLarge => break Progress::End(End::GaveUp),
                Verdict::Solution => {
                    let places = 0..self.known.places();
                    let learner = &searching.learner;
                    searching
                        .possible
                        .extend(places.map(|place| (place as u32, learner.value(place))));
                }
                Verdict::NoSolution => match searching.asked {
                    None => break Progress::End(End::NoSolution),
                    Some((place, value)) => {
                        let mask = mask_of(value, self.known.row(place as usize).len());
                        let conclusions = self.conclude(&[(place, mask)]);
                        let step = self.model.by_all(conclusions, Kind::Search);
                        return Progress::Step(Box::new(step));
                    }
                },
            }
            // The next value that no solution is known for.
            let next = loop {
                let (place, value) = searching.next;
                if place >= self.known.places() {
                    break None;
                }
                let row = self.known.row(place);
                let Some(value) = ones(row).find(|other| *other >= value as usize) else {
                    searching.next = (place + 1, 0);
                    continue;
                };
                searching.next = (place, value as u32 + 1);
                if !searching.possible.contains(&(place as u32, value as u32)) {
                    break Some((place as u32, value as u32));
                }
            };
            budget.spend(16);
            let Some(asked) = next else {
                break Progress::End(End::Open);
            };
            searching.asked = Some(asked);
            searching.learner.suppose(&[asked]);
        };
        if progress == Progress::NotYet {
            probing.searching = Some(searching);
            self.probing = Some(probing);
        }
        progress
    }
}
