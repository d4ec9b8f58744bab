//! `allDifferent` with few symbols, as in most puzzles: the filtering of `filter.rs`, with sets as words and without
//! pauses.
//!
//! A place with a single symbol has it, and no other place does; only the other places are searched. Each of them has
//! a symbol in a matching, which is its node: the candidates of a place are the nodes to which it has edges, as bits.
//! Which places reach an unmatched symbol is found backwards from these symbols; mostly all do. Among the others, a
//! depth-first search finds the strongly connected components, with a stack of bit sets (after Gabow, "Path-based
//! depth-first search for strong and biconnected components", 2000).

use super::AllDifferent;
use super::symbol_set::{SymbolSet, each};
use super::symbols::MOST_SYMBOLS as MOST;
use crate::{ConstraintNumber, DomainWipeout, Solver};
use ndscript_base::budget::Budget;

const UNMATCHED: u8 = u8::MAX;

/// Visits per place, on top of converting its candidates to symbols.
const VISITS_OF_PLACE: usize = 8;

/// Places, the symbols that each can have, and its symbol in a matching.
struct Few<S, const N: usize> {
    allowed: [S; N],
    /// The symbol of each place, and the place of each symbol.
    has: [u8; N],
    owner: [u8; N],
    /// Places that began with several symbols, and those of them that still have several.
    initially_open: [u8; N],
    initially_open_count: usize,
    open: [u8; N],
    open_count: usize,
    /// The symbols of open places that are matched.
    matched: S,
    /// The symbols of places that can have no other.
    fixed: S,
}

/// Removes what the places cannot have; does nothing if there are too many symbols. `earlier` is an earlier matching,
/// as values; it may hold no more.
pub(super) fn filter(
    solver: &mut Solver,
    number: ConstraintNumber,
    own: &AllDifferent,
    earlier: &mut Vec<u32>,
    budget: &mut Budget,
) -> Option<Result<(), DomainWipeout>> {
    let (count, values) = (own.places.len(), solver.values);
    if count > MOST || !solver.domains.is_plain() || values > 64 {
        return None;
    }
    if own.starts.is_empty() && values < 64 {
        // More places than symbols have no matching.
        if count > values {
            budget.spend(VISITS_OF_PLACE * count);
            return Some(Err(DomainWipeout));
        }
        return Few::<u64, 64>::filter(solver, number, own, earlier, budget);
    }
    Few::<u128, MOST>::filter(solver, number, own, earlier, budget)
}

impl<S: SymbolSet, const N: usize> Few<S, N> {
    fn filter(
        solver: &mut Solver,
        number: ConstraintNumber,
        own: &AllDifferent,
        earlier: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Option<Result<(), DomainWipeout>> {
        let mut few = Few {
            allowed: [S::NONE; N],
            has: [UNMATCHED; N],
            owner: [UNMATCHED; N],
            initially_open: [0; N],
            initially_open_count: 0,
            open: [0; N],
            open_count: 0,
            matched: S::NONE,
            fixed: S::NONE,
        };
        let (words, mut visits) = (
            solver.domains.first_words(),
            VISITS_OF_PLACE * own.places.len(),
        );
        let mut is_wiped_out = false;
        for (at, place) in own.places.iter().enumerate() {
            let word = words[*place as usize];
            let allowed: S = symbols_of(own, at, word)?;
            visits += if own.starts.is_empty() {
                0
            } else {
                word.count_ones() as usize
            };
            if word & word.wrapping_sub(1) == 0 {
                is_wiped_out |= allowed & !few.fixed == S::NONE;
                few.fixed = few.fixed | allowed;
                continue;
            }
            few.allowed[at] = allowed;
            few.initially_open[few.initially_open_count] = at as u8;
            few.initially_open_count += 1;
        }
        budget.spend(visits);
        few.open = few.initially_open;
        few.open_count = few.initially_open_count;
        if is_wiped_out || few.fix().is_err() {
            return Some(Err(DomainWipeout));
        }
        if few.open_count > 0 {
            few.keep(own, earlier);
            if !few.is_matched() {
                return Some(Err(DomainWipeout));
            }
            few.record(words, own, earlier);
            few.find_components();
        }
        for at in &few.initially_open[..few.initially_open_count] {
            let at = usize::from(*at);
            let (place, allowed) = (own.places[at] as usize, few.allowed[at]);
            let before = solver.domains.first_words()[place];
            let left = match own.shift(at) {
                // A place that is listed twice may have lost more since.
                Some(shift) => allowed.shifted_back(shift) & before,
                None => {
                    let stays =
                        |value: &usize| S::bit(own.symbol_of(at, *value)) & allowed != S::NONE;
                    each(before)
                        .filter(stays)
                        .fold(0, |left, value| left | 1 << value)
                }
            };
            if left != before
                && let Err(wiped) = solver.keep_word(place, left, number)
            {
                return Some(Err(wiped));
            }
        }
        Some(Ok(()))
    }

    /// Finds places with a single symbol, which no other place can have then, until there is no more.
    fn fix(&mut self) -> Result<(), DomainWipeout> {
        loop {
            let (mut found, mut stays_open) = (S::NONE, 0);
            for at in 0..self.open_count {
                let place = self.open[at];
                let left = self.allowed[place as usize] & !self.fixed;
                self.allowed[place as usize] = left;
                if left.without_first() != S::NONE {
                    self.open[stays_open] = place;
                    stays_open += 1;
                    continue;
                }
                if left & !found == S::NONE {
                    return Err(DomainWipeout);
                }
                found = found | left;
            }
            self.open_count = stays_open;
            self.fixed = self.fixed | found;
            if found == S::NONE {
                return Ok(());
            }
        }
    }

    /// Takes over the parts of the earlier matching that still hold.
    fn keep(&mut self, own: &AllDifferent, earlier: &[u32]) {
        for at in 0..self.open_count {
            let place = self.open[at] as usize;
            let Some(value) = earlier.get(place) else {
                return;
            };
            let value = *value as usize;
            if value > 63 {
                continue;
            }
            let symbol = own.symbol_of(place, value);
            if symbol < S::FREE && S::bit(symbol) & self.allowed[place] & !self.matched != S::NONE {
                self.give(place, symbol);
            }
        }
    }

    fn give(&mut self, place: usize, symbol: usize) {
        (self.has[place], self.owner[symbol]) = (symbol as u8, place as u8);
        self.matched = self.matched | S::bit(symbol);
    }

    /// Completes the matching; false if there is none.
    fn is_matched(&mut self) -> bool {
        (0..self.open_count).all(|at| {
            let place = self.open[at] as usize;
            if self.has[place] != UNMATCHED {
                return true;
            }
            let free = self.allowed[place] & !self.matched;
            if free != S::NONE {
                self.give(place, free.first());
                return true;
            }
            self.augment(place)
        })
    }

    /// Matches one more place: a breadth-first search for an augmenting path to an unmatched symbol. False if there
    /// is none.
    fn augment(&mut self, place: usize) -> bool {
        let (mut waiting, mut from) = ([0; N], [0; N]);
        let (mut next, mut end, mut seen) = (0, 1, S::NONE);
        waiting[0] = place as u8;
        while next < end {
            let at = waiting[next];
            next += 1;
            let new = self.allowed[at as usize] & !seen;
            let free = new & !self.matched;
            if free != S::NONE {
                let mut symbol = free.first();
                from[symbol] = at;
                loop {
                    let place = from[symbol] as usize;
                    let before = self.has[place];
                    self.give(place, symbol);
                    if before == UNMATCHED {
                        return true;
                    }
                    symbol = before as usize;
                }
            }
            seen = seen | new;
            for symbol in each(new) {
                from[symbol] = at;
                waiting[end] = self.owner[symbol];
                end += 1;
            }
        }
        false
    }

    /// Stores the matching of open places in `earlier`, as values.
    fn record(&self, words: &[u64], own: &AllDifferent, earlier: &mut Vec<u32>) {
        let count = own.places.len();
        earlier.reserve_exact(count.saturating_sub(earlier.len()));
        earlier.resize(count, u32::MAX);
        for at in &self.open[..self.open_count] {
            let at = usize::from(*at);
            let symbol = usize::from(self.has[at]);
            let value = &mut earlier[at];
            if let Some(shift) = own.shift(at) {
                *value = (symbol - shift) as u32;
            } else if *value > 63 || own.symbol_of(at, *value as usize) != symbol {
                let is_symbol = |value: &usize| own.symbol_of(at, *value) == symbol;
                *value = each(words[own.places[at] as usize])
                    .find(is_symbol)
                    .unwrap_or(0) as u32;
            }
        }
    }

    /// Restricts each open place to its strongly connected component. Unmatched symbols count as one component with
    /// all places that reach one of them.
    fn find_components(&mut self) {
        let open = &self.open[..self.open_count];
        let all = open
            .iter()
            .fold(S::NONE, |all, place| all | self.allowed[*place as usize]);
        let mut reaching = all & !self.matched;
        if reaching != S::NONE {
            loop {
                let before = reaching;
                for place in open {
                    let place = *place as usize;
                    if self.allowed[place] & reaching != S::NONE {
                        reaching = reaching | S::bit(self.has[place] as usize);
                    }
                }
                if reaching == before || self.matched & !reaching == S::NONE {
                    break;
                }
            }
            let others = self.matched & !reaching;
            if others == S::NONE {
                return;
            }
            for place in open {
                let place = *place as usize;
                if S::bit(self.has[place] as usize) & reaching != S::NONE {
                    self.allowed[place] = self.allowed[place] & !others;
                }
            }
            self.matched = others;
        }
        self.find_closed_components();
    }

    /// Does so for places that reach no unmatched symbol, by Gabow's search.
    fn find_closed_components(&mut self) {
        // `path`: the nodes from a root to the current one. The sets of nodes known to share a component are a stack,
        // each with its first node.
        let (mut path, mut depth) = ([0u8; N], 0);
        let (mut parts, mut firsts, mut height) = ([S::NONE; N], [0u8; N], 0);
        let (mut seen, mut open) = (S::NONE, S::NONE);
        let mut root = each(self.matched).next();
        while let Some(mut entered) = root {
            loop {
                let edges = self.edges(entered);
                (path[depth], depth) = (entered as u8, depth + 1);
                (parts[height], firsts[height], height) =
                    (S::bit(entered), entered as u8, height + 1);
                seen = seen | S::bit(entered);
                let mut back = edges & open & !S::bit(entered);
                open = open | S::bit(entered);
                while back != S::NONE {
                    height -= 1;
                    let part = parts[height];
                    back = back & !parts[height - 1];
                    parts[height - 1] = parts[height - 1] | part;
                }
                // Back to a node with an edge to follow.
                let next = loop {
                    let node = path[depth - 1] as usize;
                    let unseen = self.edges(node) & !seen;
                    if unseen != S::NONE {
                        break Some(unseen.first());
                    }
                    depth -= 1;
                    if firsts[height - 1] as usize == node {
                        height -= 1;
                        self.restrict_to_component(parts[height]);
                        open = open & !parts[height];
                    }
                    if depth == 0 {
                        break None;
                    }
                };
                match next {
                    Some(node) => entered = node,
                    None => break,
                }
            }
            root = each(self.matched & !seen).next();
        }
    }

    /// The successors of a node.
    #[inline(always)]
    fn edges(&self, node: usize) -> S {
        self.allowed[self.owner[node] as usize]
    }

    /// Restricts the places of a component to its symbols.
    fn restrict_to_component(&mut self, component: S) {
        for symbol in each(component) {
            let place = self.owner[symbol] as usize;
            self.allowed[place] = self.allowed[place] & component;
        }
    }
}

/// The symbols of the candidates of a place. `None` if one of them has no bit.
fn symbols_of<S: SymbolSet>(own: &AllDifferent, at: usize, word: u64) -> Option<S> {
    if let Some(shift) = own.shift(at) {
        // All symbols of a board that has shifts have bits.
        return Some(S::shifted(word, shift));
    }
    each(word).try_fold(S::NONE, |all, value| {
        let symbol = own.symbol_of(at, value);
        (symbol < S::FREE).then(|| all | S::bit(symbol))
    })
}
