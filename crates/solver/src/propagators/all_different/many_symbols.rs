//! `allDifferent` with many symbols: the filtering of `filter.rs`, by rows of words (after van Kessel and Quimper,
//! "Filtering algorithms based on the word-RAM model", 2012). The cost does not depend on the number of edges: each
//! place is visited a few times, word by word. As in `few_symbols.rs`, places with a single symbol are set apart first,
//! a node is a place together with its symbol in a matching, and Gabow's search finds the components (2000). One more
//! node is for all unmatched symbols; it has an edge to all others.

use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver, ones};
use ndscript_base::budget::Budget;
use ndscript_base::room;

const NONE: u32 = u32::MAX;

/// Visits per place, on top of its words.
const VISITS_OF_PLACE: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Reserve,
    Load,
    FixSingleSymbols,
    KeepMatching,
    MatchNext,
    Augment,
    StoreMatching,
    FindComponents,
    RestrictToComponent,
    Remove,
}

/// The filter, as far as it has come.
#[derive(Clone, Debug, Default)]
pub(super) struct ManySymbols {
    stage: Stage,
    /// The position of the loop of this stage.
    at: usize,
    /// Words in a row: a bit for each symbol, and one for all unmatched ones.
    width: usize,
    free_node: usize,
    /// The symbols that each place can have, a row per place.
    rows: Vec<u64>,
    /// The symbol of each place, and the place of each symbol.
    has: Vec<u32>,
    owner: Vec<u32>,
    /// Places that began with several symbols, those of them that still have several, and the number of these that
    /// this round of `fix` has not removed.
    initially_open: Vec<u32>,
    open: Vec<u32>,
    still_open: usize,
    /// The symbols of places that can have no other, and those that this round has found.
    fixed: Vec<u64>,
    found: Vec<u64>,
    /// The matched symbols of open places; later all nodes of the search.
    matched: Vec<u64>,
    augmenting: Augmenting,
    search: Search,
}

/// A breadth-first search for an augmenting path from a place to an unmatched symbol.
#[derive(Clone, Debug, Default)]
struct Augmenting {
    waiting: Vec<u32>,
    next: usize,
    /// The place from which each symbol was reached.
    from: Vec<u32>,
    seen: Vec<u64>,
}

/// A depth-first search for strongly connected components.
#[derive(Clone, Debug, Default)]
struct Search {
    /// The nodes on the path from a root, each with the first word of its edges that is yet to be followed.
    path: Vec<(u32, u32)>,
    /// Sets of nodes known to share a component, among the open ones: the latest last. `firsts` has the first node of
    /// each.
    parts: Vec<u64>,
    firsts: Vec<u32>,
    seen: Vec<u64>,
    open: Vec<u64>,
    /// The first word that may have another root.
    root: usize,
}

fn set(words: &mut [u64], number: usize) {
    words[number / 64] |= 1 << (number % 64);
}

fn has(words: &[u64], number: usize) -> bool {
    words[number / 64] >> (number % 64) & 1 == 1
}

/// Whether more than one bit is set.
fn are_several(words: &[u64]) -> bool {
    let mut words = words.iter().filter(|word| **word != 0);
    words
        .next()
        .is_some_and(|first| first & (first - 1) != 0 || words.next().is_some())
}

impl ManySymbols {
    /// Whether this costs less than following all edges one by one.
    pub fn is_worthwhile(places: usize, symbols: usize, edges: usize) -> bool {
        edges > places * ManySymbols::width_of(symbols)
    }

    fn width_of(symbols: usize) -> usize {
        (symbols + 1).div_ceil(64)
    }

    /// Removes the symbols that the places cannot have. `earlier` is an earlier matching, as values (which are the
    /// symbols); it may hold no more.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        places: &[u32],
        earlier: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        loop {
            if budget.is_spent() {
                return Ok(Fixpoint::NotYet);
            }
            match self.stage {
                Stage::Reserve => {
                    self.free_node = solver.values;
                    self.width = ManySymbols::width_of(self.free_node);
                    let (count, symbols) = (places.len(), 64 * self.width);
                    let bytes = 8 * self.width * (2 * count + 9)
                        + 24 * count
                        + 8 * symbols
                        + 12 * (count + 1);
                    if !solver.is_granted(bytes) {
                        return Ok(Fixpoint::NeedsMemory(bytes));
                    }
                    self.reserve(count);
                    budget.spend(count * self.width / 16);
                    self.stage = Stage::Load;
                }
                Stage::Load => match places.get(self.at) {
                    Some(place) => self.load(solver, *place as usize, budget)?,
                    None => {
                        self.open.clone_from(&self.initially_open);
                        self.enter_stage(Stage::FixSingleSymbols);
                    }
                },
                Stage::FixSingleSymbols => self.fix(budget)?,
                Stage::KeepMatching => self.keep(earlier, budget),
                Stage::MatchNext => self.match_next(places.len(), earlier, budget),
                Stage::Augment => self.augment(budget)?,
                Stage::StoreMatching => self.record(earlier, budget),
                Stage::FindComponents => self.search(budget),
                Stage::RestrictToComponent => self.restrict_to_component(budget),
                Stage::Remove => {
                    let Some(at) = self.initially_open.get(self.at).map(|at| *at as usize) else {
                        return Ok(Fixpoint::Reached);
                    };
                    let place = places[at] as usize;
                    let (first, words) = solver.candidates(place).words();
                    let row = &self.rows[at * self.width..(at + 1) * self.width];
                    budget.spend(VISITS_OF_PLACE + 2 * words.len());
                    solver.keep_words(place, &row[first..first + words.len()], Some(number))?;
                    self.at += 1;
                }
            }
        }
    }

    fn enter_stage(&mut self, stage: Stage) {
        (self.stage, self.at) = (stage, 0);
    }

    fn reserve(&mut self, count: usize) {
        let width = self.width;
        self.rows = vec![0; count * width];
        (self.has, self.owner) = (vec![NONE; count], vec![NONE; 64 * width]);
        (self.initially_open, self.open) = (Vec::with_capacity(count), Vec::new());
        (self.fixed, self.found, self.matched) = (vec![0; width], vec![0; width], vec![0; width]);
        self.augmenting.seen = vec![0; width];
        self.augmenting.from = vec![0; 64 * width];
        (self.search.seen, self.search.open) = (vec![0; width], vec![0; width]);
    }

    fn row(&self, at: usize) -> &[u64] {
        &self.rows[at * self.width..(at + 1) * self.width]
    }

    /// Reads the symbols of a place, and sets places with a single one apart.
    fn load(
        &mut self,
        solver: &Solver,
        place: usize,
        budget: &mut Budget,
    ) -> Result<(), DomainWipeout> {
        let (first, words) = solver.candidates(place).words();
        budget.spend(VISITS_OF_PLACE + words.len());
        let start = self.at * self.width + first;
        self.rows[start..start + words.len()].copy_from_slice(words);
        if are_several(words) {
            self.initially_open.push(self.at as u32);
        } else {
            let only = ones(words).next().ok_or(DomainWipeout)?;
            if has(&self.fixed, 64 * first + only) {
                return Err(DomainWipeout);
            }
            set(&mut self.fixed, 64 * first + only);
        }
        self.at += 1;
        Ok(())
    }

    /// Finds places with a single symbol, which no other place can have then, until a round finds none.
    fn fix(&mut self, budget: &mut Budget) -> Result<(), DomainWipeout> {
        if let Some(place) = self.open.get(self.at).map(|place| *place as usize) {
            budget.spend(VISITS_OF_PLACE + self.width);
            let row = &mut self.rows[place * self.width..(place + 1) * self.width];
            row.iter_mut()
                .zip(&self.fixed)
                .for_each(|(row, fixed)| *row &= !fixed);
            if are_several(row) {
                self.open[self.still_open] = place as u32;
                self.still_open += 1;
            } else {
                let only = ones(row).next().ok_or(DomainWipeout)?;
                if has(&self.found, only) {
                    return Err(DomainWipeout);
                }
                set(&mut self.found, only);
            }
            self.at += 1;
            return Ok(());
        }
        budget.spend(self.width);
        self.open.truncate(self.still_open);
        let is_done = self.found.iter().all(|word| *word == 0);
        for (fixed, found) in self.fixed.iter_mut().zip(&mut self.found) {
            *fixed |= std::mem::take(found);
        }
        self.still_open = 0;
        self.enter_stage(if is_done {
            Stage::KeepMatching
        } else {
            Stage::FixSingleSymbols
        });
        Ok(())
    }

    /// Takes over the parts of the earlier matching that still hold.
    fn keep(&mut self, earlier: &[u32], budget: &mut Budget) {
        let Some(place) = self.open.get(self.at).map(|place| *place as usize) else {
            return self.enter_stage(Stage::MatchNext);
        };
        budget.spend(VISITS_OF_PLACE);
        let symbol = earlier
            .get(place)
            .map_or(usize::MAX, |symbol| *symbol as usize);
        if symbol < self.free_node && has(self.row(place), symbol) && !has(&self.matched, symbol) {
            self.assign(place, symbol);
        }
        self.at += 1;
    }

    fn assign(&mut self, place: usize, symbol: usize) {
        (self.has[place], self.owner[symbol]) = (symbol as u32, place as u32);
        set(&mut self.matched, symbol);
    }

    /// The first unmatched symbol of a place.
    fn free_symbol(&self, place: usize) -> Option<usize> {
        let mut free = self
            .row(place)
            .iter()
            .zip(&self.matched)
            .map(|(row, taken)| row & !taken)
            .enumerate();
        free.find(|(_, free)| *free != 0)
            .map(|(at, free)| 64 * at + free.trailing_zeros() as usize)
    }

    /// Gives the next unmatched place a symbol, or begins a search for an augmenting path.
    fn match_next(&mut self, count: usize, earlier: &mut Vec<u32>, budget: &mut Budget) {
        let Some(place) = self.open.get(self.at).map(|place| *place as usize) else {
            earlier.reserve_exact(count.saturating_sub(earlier.len()));
            earlier.resize(count, NONE);
            return self.enter_stage(Stage::StoreMatching);
        };
        budget.spend(1);
        if self.has[place] == NONE {
            budget.spend(self.width);
            match self.free_symbol(place) {
                Some(symbol) => self.assign(place, symbol),
                None => {
                    let Augmenting {
                        waiting,
                        next,
                        seen,
                        ..
                    } = &mut self.augmenting;
                    waiting.clear();
                    seen.fill(0);
                    waiting.push(place as u32);
                    (*next, self.stage) = (0, Stage::Augment);
                    return;
                }
            }
        }
        self.at += 1;
    }

    /// Continues the search for an augmenting path, and applies the path that it finds.
    fn augment(&mut self, budget: &mut Budget) -> Result<(), DomainWipeout> {
        let Augmenting {
            waiting,
            next,
            from,
            seen,
        } = &mut self.augmenting;
        let place = *waiting.get(*next).ok_or(DomainWipeout)?;
        *next += 1;
        budget.spend(VISITS_OF_PLACE + 2 * self.width);
        for (word, seen) in seen.iter_mut().enumerate() {
            let mut new = self.rows[place as usize * self.width + word] & !*seen;
            *seen |= new;
            while new != 0 {
                let symbol = 64 * word + new.trailing_zeros() as usize;
                new &= new - 1;
                from[symbol] = place;
                budget.spend(1);
                if !has(&self.matched, symbol) {
                    self.flip_path(symbol, budget);
                    self.stage = Stage::MatchNext;
                    self.at += 1;
                    return Ok(());
                }
                waiting.push(self.owner[symbol]);
            }
        }
        Ok(())
    }

    /// Applies an augmenting path: each place on it takes the symbol after it.
    fn flip_path(&mut self, mut symbol: usize, budget: &mut Budget) {
        loop {
            budget.spend(1);
            let place = self.augmenting.from[symbol] as usize;
            let before = self.has[place];
            self.assign(place, symbol);
            if before == NONE {
                return;
            }
            symbol = before as usize;
        }
    }

    /// Stores the matching in `earlier`, and adds edges to the node of unmatched symbols.
    fn record(&mut self, earlier: &mut [u32], budget: &mut Budget) {
        if let Some(place) = self.open.get(self.at).map(|place| *place as usize) {
            budget.spend(2 + self.width);
            earlier[place] = self.has[place];
            if self.free_symbol(place).is_some() {
                set(
                    &mut self.rows[place * self.width..(place + 1) * self.width],
                    self.free_node,
                );
                // The free node has an edge to all nodes, so it needs an owner.
                self.owner[self.free_node] = 0;
            }
            self.at += 1;
            return;
        }
        self.enter_stage(Stage::FindComponents);
        self.search
            .parts
            .reserve_exact((self.open.len() + 1) * self.width);
        self.search.path.reserve_exact(self.open.len() + 1);
        self.search.firsts.reserve_exact(self.open.len() + 1);
        if self.owner[self.free_node] != NONE {
            set(&mut self.matched, self.free_node);
            self.enter(self.free_node, budget);
        }
    }

    /// A word of the nodes to which a node has an edge.
    fn edges(&self, node: usize, word: usize) -> u64 {
        let nodes = self.matched[word];
        if node == self.free_node {
            return nodes;
        }
        self.rows[self.owner[node] as usize * self.width + word] & nodes
    }

    /// Enters a node. If it has an edge back to an open set, all sets from that one on are merged.
    fn enter(&mut self, node: usize, budget: &mut Budget) {
        let width = self.width;
        budget.spend(VISITS_OF_PLACE + 2 * width);
        self.search.path.push((node as u32, 0));
        self.search.firsts.push(node as u32);
        let start = self.search.parts.len();
        self.search.parts.resize(start + width, 0);
        set(&mut self.search.parts[start..], node);
        set(&mut self.search.seen, node);
        let (mut search, mut word) = (std::mem::take(&mut self.search), 0);
        while word < width {
            let top = search.parts.len() - width;
            if self.edges(node, word) & search.open[word] & !search.parts[top + word] == 0 {
                word += 1;
                continue;
            }
            // Merge the latest set into the one before.
            budget.spend(width);
            let (below, latest) = search.parts.split_at_mut(top);
            below[top - width..]
                .iter_mut()
                .zip(latest)
                .for_each(|(below, latest)| *below |= *latest);
            search.parts.truncate(top);
            search.firsts.pop();
        }
        set(&mut search.open, node);
        self.search = search;
    }

    /// Follows the next edge of the latest node, or leaves the node.
    fn search(&mut self, budget: &mut Budget) {
        let Some((node, from)) = self.search.path.last().copied() else {
            let roots = self.search.root..self.width;
            let next = roots
                .map(|word| (word, self.matched[word] & !self.search.seen[word]))
                .find(|(_, new)| *new != 0);
            budget.spend(1);
            match next {
                Some((word, new)) => {
                    self.search.root = word;
                    self.enter(64 * word + new.trailing_zeros() as usize, budget);
                }
                None => self.enter_stage(Stage::Remove),
            }
            return;
        };
        budget.spend(2);
        for word in from as usize..self.width {
            let new = self.edges(node as usize, word) & !self.search.seen[word];
            if new != 0 {
                if let Some(last) = self.search.path.last_mut() {
                    last.1 = word as u32;
                }
                budget.spend(word - from as usize);
                return self.enter(64 * word + new.trailing_zeros() as usize, budget);
            }
        }
        budget.spend(self.width - from as usize);
        self.search.path.pop();
        if self.search.firsts.last() == Some(&node) {
            self.search.firsts.pop();
            let part = &self.search.parts[self.search.parts.len() - self.width..];
            // With a single component nothing can be removed.
            self.enter_stage(if part == self.matched {
                Stage::Remove
            } else {
                Stage::RestrictToComponent
            });
        }
    }

    /// Restricts the places of the latest component to its symbols, and to unmatched symbols if the component
    /// includes their node.
    fn restrict_to_component(&mut self, budget: &mut Budget) {
        let width = self.width;
        let start = self.search.parts.len() - width;
        let part = &self.search.parts[start..];
        if self.at == width {
            self.search
                .open
                .iter_mut()
                .zip(part)
                .for_each(|(open, part)| *open &= !part);
            self.search.parts.truncate(start);
            budget.spend(width);
            self.stage = Stage::FindComponents;
            return;
        }
        let has_free = has(part, self.free_node);
        let mut rest = part[self.at];
        while rest != 0 {
            let symbol = 64 * self.at + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if symbol == self.free_node {
                continue;
            }
            budget.spend(width);
            let row = self.owner[symbol] as usize * width;
            let row = self.rows[row..row + width].iter_mut();
            for ((row, part), taken) in row.zip(part).zip(&self.matched) {
                *row &= part | if has_free { !taken } else { 0 };
            }
        }
        budget.spend(1);
        self.at += 1;
    }

    pub fn bytes(&self) -> usize {
        let Search {
            path,
            parts,
            firsts,
            seen,
            open,
            ..
        } = &self.search;
        let words = [
            &self.rows,
            &self.fixed,
            &self.found,
            &self.matched,
            parts,
            seen,
            open,
            &self.augmenting.seen,
        ];
        let numbers = [
            &self.has,
            &self.owner,
            &self.initially_open,
            &self.open,
            firsts,
            &self.augmenting.waiting,
            &self.augmenting.from,
        ];
        words.into_iter().map(room::row).sum::<usize>()
            + numbers.into_iter().map(room::row).sum::<usize>()
            + room::row(path)
    }
}
