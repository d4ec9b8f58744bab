//! `allDifferent` where there are few symbols, as in most puzzles: what `different.rs` finds, by words of bits and in one go.
//!
//! Places that can have one symbol only have it, and no other place does; only the others are looked at closely. Each of them has a
//! symbol of its own in a matching, and is known by that: so the candidates of a place are the places to which an edge leads
//! from it, as bits. All symbols that no place has are one node, from which edges lead to all places. Components are found by a
//! search in depth that keeps those on its way as a row of bit sets (after Gabow, "Path-based depth-first search for strong and
//! biconnected components", 2000).

use super::symbol_set::{SymbolSet, each};
use super::symbols::{MOST_SYMBOLS as MOST, Places};
use super::{Board, Wiped};
use crate::value::budget::Budget;

const NOBODY: u8 = u8::MAX;

/// So much is a place, beside its candidates where these are not their own symbols.
const VISITS_OF_PLACE: usize = 8;

/// Places, what each can have, and what it has in a matching.
struct Few<S, const N: usize> {
    allowed: [S; N],
    /// The symbol of each place, and the place of each symbol.
    has: [u8; N],
    owner: [u8; N],
    /// Places that can have several symbols, and the symbols of those of them that are matched.
    open: [u8; N],
    open_count: usize,
    taken: S,
    /// What places have that can have nothing else.
    fixed: S,
}

/// Takes away what the places cannot have; nothing if there are too many symbols. `earlier` is a matching by values that may
/// still hold.
pub(super) fn part(
    board: &mut Board,
    number: u32,
    own: Places,
    earlier: &mut Vec<u32>,
    budget: &mut Budget,
) -> Option<Result<(), Wiped>> {
    let (count, values) = (own.places.len(), board.universe.len());
    if count > MOST || !board.domains.is_plain() || values > 64 {
        return None;
    }
    if own.starts.is_empty() && values < 64 {
        // More places than symbols have no matching.
        if count > values {
            budget.spend(VISITS_OF_PLACE * count);
            return Some(Err(Wiped));
        }
        return Few::<u64, 64>::part(board, number, own, earlier, budget);
    }
    Few::<u128, MOST>::part(board, number, own, earlier, budget)
}

impl<S: SymbolSet, const N: usize> Few<S, N> {
    fn part(
        board: &mut Board,
        number: u32,
        own: Places,
        earlier: &mut Vec<u32>,
        budget: &mut Budget,
    ) -> Option<Result<(), Wiped>> {
        let mut few = Few {
            allowed: [S::NONE; N],
            has: [NOBODY; N],
            owner: [NOBODY; N],
            open: [0; N],
            open_count: 0,
            taken: S::NONE,
            fixed: S::NONE,
        };
        let (words, mut visits) = (board.domains.first_words(), VISITS_OF_PLACE * own.places.len());
        for (at, place) in own.places.iter().enumerate() {
            let word = words[*place as usize];
            few.allowed[at] = symbols_of(own, at, word)?;
            few.open[at] = at as u8;
            visits += if own.starts.is_empty() { 0 } else { word.count_ones() as usize };
        }
        few.open_count = own.places.len();
        budget.spend(visits);
        if few.fix().is_err() {
            return Some(Err(Wiped));
        }
        if few.open_count > 0 {
            few.keep(words, own, earlier);
            if !few.is_matched() {
                return Some(Err(Wiped));
            }
            few.find_components();
        }
        few.note(words, own, earlier);
        for (at, place) in own.places.iter().enumerate() {
            let (place, allowed) = (*place as usize, few.allowed[at]);
            let before = board.domains.first_words()[place];
            let left = match own.shift(at) {
                Some(shift) => allowed.shifted_back(shift),
                None => {
                    let stays = |value: &usize| S::bit(own.symbol(at, 0, *value) as usize) & allowed != S::NONE;
                    each(before).filter(stays).fold(0, |left, value| left | 1 << value)
                }
            };
            if left != before
                && let Err(wiped) = board.keep_word(place, left, number)
            {
                return Some(Err(wiped));
            }
        }
        Some(Ok(()))
    }

    /// Finds the places that can have one symbol only, which no other can have then.
    fn fix(&mut self) -> Result<(), Wiped> {
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
                    return Err(Wiped);
                }
                found = found | left;
                self.has[place as usize] = left.first() as u8;
            }
            self.open_count = stays_open;
            self.fixed = self.fixed | found;
            if found == S::NONE {
                return Ok(());
            }
        }
    }

    /// Keeps what of an earlier matching still holds.
    fn keep(&mut self, words: &[u64], own: Places, earlier: &[u32]) {
        for at in 0..self.open_count {
            let place = self.open[at] as usize;
            let Some(value) = earlier.get(place) else { return };
            let value = *value as usize;
            if value > 63 || words[own.places[place] as usize] >> value & 1 == 0 {
                continue;
            }
            let symbol = own.symbol(place, 0, value) as usize;
            if S::bit(symbol) & self.allowed[place] & !self.taken != S::NONE {
                self.give(place, symbol);
            }
        }
    }

    fn give(&mut self, place: usize, symbol: usize) {
        (self.has[place], self.owner[symbol]) = (symbol as u8, place as u8);
        self.taken = self.taken | S::bit(symbol);
    }

    /// Goes on to a matching of all places, if there is one.
    fn is_matched(&mut self) -> bool {
        (0..self.open_count).all(|at| {
            let place = self.open[at] as usize;
            if self.has[place] != NOBODY {
                return true;
            }
            let free = self.allowed[place] & !self.taken;
            if free != S::NONE {
                self.give(place, free.first());
                return true;
            }
            self.augment(place)
        })
    }

    /// Matches one more place: a search in breadth for an alternating path from it to a free symbol, which is turned around.
    fn augment(&mut self, place: usize) -> bool {
        let (mut waiting, mut from) = ([0; N], [0; N]);
        let (mut next, mut end, mut seen) = (0, 1, S::NONE);
        waiting[0] = place as u8;
        while next < end {
            let at = waiting[next];
            next += 1;
            let new = self.allowed[at as usize] & !seen;
            let free = new & !self.taken;
            if free != S::NONE {
                let mut symbol = free.first();
                from[symbol] = at;
                loop {
                    let place = from[symbol] as usize;
                    let before = self.has[place];
                    self.give(place, symbol);
                    if before == NOBODY {
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

    /// Notes the matching by values.
    fn note(&self, words: &[u64], own: Places, earlier: &mut Vec<u32>) {
        let count = own.places.len();
        earlier.reserve_exact(count.saturating_sub(earlier.len()));
        earlier.resize(count, u32::MAX);
        for (at, value) in earlier.iter_mut().enumerate() {
            let symbol = u32::from(self.has[at]);
            if let Some(shift) = own.shift(at) {
                *value = symbol - shift as u32;
            } else if *value > 63 || own.symbol(at, 0, *value as usize) != symbol {
                let is_it = |value: &usize| own.symbol(at, 0, *value) == symbol;
                *value = each(words[own.places[at] as usize]).find(is_it).unwrap_or(0) as u32;
            }
        }
    }

    /// Where edges lead from a node: free symbols are one.
    #[inline(always)]
    fn edges(&self, node: usize) -> S {
        if node == S::FREE {
            return self.taken;
        }
        let allowed = self.allowed[self.owner[node] as usize];
        allowed & self.taken | if allowed & !self.taken != S::NONE { S::bit(S::FREE) } else { S::NONE }
    }

    /// Leaves each open place the symbols of its component, the free ones with that of their node.
    fn find_components(&mut self) {
        let all = self.open[..self.open_count].iter().fold(S::NONE, |all, place| all | self.allowed[*place as usize]);
        let has_free = all & !self.taken != S::NONE;
        // Nodes on the way from a root, and those that belong together among all that are in no component yet: the latest
        // of these last, each with its first node.
        let (mut path, mut depth) = ([0u8; N], 0);
        let (mut parts, mut firsts, mut height) = ([S::NONE; N], [0u8; N], 0);
        let (mut seen, mut open) = (S::NONE, S::NONE);
        // What can be left of no component: those that are closed.
        let mut root = if has_free { Some(S::FREE) } else { each(self.taken).next() };
        while let Some(mut entered) = root {
            loop {
                let edges = self.edges(entered);
                (path[depth], depth) = (entered as u8, depth + 1);
                (parts[height], firsts[height], height) = (S::bit(entered), entered as u8, height + 1);
                seen = seen | S::bit(entered);
                let mut back = edges & open & !S::bit(entered);
                open = open | S::bit(entered);
                while back != S::NONE {
                    height -= 1;
                    let part = parts[height];
                    back = back & !parts[height - 1];
                    parts[height - 1] = parts[height - 1] | part;
                }
                // Back to where a way leads on.
                let next = loop {
                    let node = path[depth - 1] as usize;
                    let on = self.edges(node) & !seen;
                    if on != S::NONE {
                        break Some(on.first());
                    }
                    depth -= 1;
                    if firsts[height - 1] as usize == node {
                        height -= 1;
                        self.leave(parts[height]);
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
            root = each(self.taken & !seen).next();
        }
    }

    /// Leaves the places of a component its symbols.
    fn leave(&mut self, component: S) {
        let mut stays = component & self.taken;
        let members = stays;
        if component & S::bit(S::FREE) != S::NONE {
            stays = stays | !self.taken;
        }
        for symbol in each(members) {
            let place = self.owner[symbol] as usize;
            self.allowed[place] = self.allowed[place] & stays;
        }
    }
}

/// The symbols of what a place can be; nothing if one has no bit.
fn symbols_of<S: SymbolSet>(own: Places, at: usize, word: u64) -> Option<S> {
    if let Some(shift) = own.shift(at) {
        // All symbols of a board that has shifts have bits.
        return Some(S::shifted(word, shift));
    }
    each(word).try_fold(S::NONE, |all, value| {
        let symbol = own.symbol(at, 0, value) as usize;
        (symbol < S::FREE).then(|| all | S::bit(symbol))
    })
}
