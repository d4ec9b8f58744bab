//! `allDifferent` where there are few symbols, as in most puzzles: what `different.rs` finds, by words of bits and in one go.
//!
//! Each place has a symbol of its own in a matching, and is known by that: so the candidates of a place are the places to which
//! an edge leads from it, as bits. All symbols that no place has are one node, from which edges lead to all places. Components
//! are found by a search in depth that keeps those on its way as a row of bit sets (after Gabow, "Path-based depth-first
//! search for strong and biconnected components", 2000).

use super::symbols::Places;
use super::{Board, Wiped};
use crate::value::budget::Budget;

/// One bit is that of all free symbols.
type Symbols = u128;
const FREE: usize = 127;
const MOST: usize = 127;
const NOBODY: u8 = u8::MAX;

/// So much is a place, beside its candidates where these are not their own symbols.
const VISITS_OF_PLACE: usize = 8;

fn bit(symbol: usize) -> Symbols {
    1 << symbol
}

fn symbols(mut of: Symbols) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = of.trailing_zeros() as usize;
        of &= of.wrapping_sub(1);
        (first < 128).then_some(first)
    })
}

/// The numbers of the values in a word.
fn values(word: u64) -> impl Iterator<Item = usize> {
    symbols(Symbols::from(word))
}

/// Places, what each can have, and what it has in a matching.
struct Few {
    count: usize,
    allowed: [Symbols; MOST],
    /// The symbol of each place, and the place of each symbol.
    has: [u8; MOST],
    owner: [u8; MOST],
    taken: Symbols,
    /// What is left to each place.
    left: [Symbols; MOST],
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
    let count = own.places.len();
    if count > MOST || !board.domains.is_plain() || board.universe.len() > 64 {
        return None;
    }
    let mut few =
        Few { count, allowed: [0; MOST], has: [NOBODY; MOST], owner: [NOBODY; MOST], taken: 0, left: [0; MOST] };
    let mut visits = VISITS_OF_PLACE * count;
    for (at, place) in own.places.iter().enumerate() {
        let word = board.domains.first_words()[*place as usize];
        few.allowed[at] = symbols_of(own, at, word)?;
        visits += if own.starts.is_empty() { 0 } else { word.count_ones() as usize };
    }
    budget.spend(visits);
    few.keep(board, own, earlier);
    if !few.is_matched() {
        return Some(Err(Wiped));
    }
    few.note(board, own, earlier);
    few.find_components();
    for (at, place) in own.places.iter().enumerate() {
        if few.left[at] == few.allowed[at] {
            continue;
        }
        let word = board.domains.first_words()[*place as usize];
        let stays = |value: &usize| few.left[at] >> own.symbol(at, 0, *value) & 1 == 1;
        let left = match own.starts.is_empty() {
            true => few.left[at] as u64,
            false => values(word).filter(stays).fold(0, |left, value| left | 1 << value),
        };
        if let Err(wiped) = board.keep_words(*place as usize, &[left], Some(number)) {
            return Some(Err(wiped));
        }
    }
    Some(Ok(()))
}

/// The symbols of what a place can be; nothing if one has no bit.
fn symbols_of(own: Places, at: usize, word: u64) -> Option<Symbols> {
    if own.starts.is_empty() {
        return Some(Symbols::from(word));
    }
    values(word).try_fold(0, |all, value| {
        let symbol = own.symbol(at, 0, value) as usize;
        (symbol < FREE).then(|| all | bit(symbol))
    })
}

impl Few {
    /// Keeps what of an earlier matching still holds.
    fn keep(&mut self, board: &Board, own: Places, earlier: &[u32]) {
        for (at, value) in earlier.iter().take(self.count).enumerate() {
            let (value, word) = (*value as usize, board.domains.first_words()[own.places[at] as usize]);
            if value > 63 || word >> value & 1 == 0 {
                continue;
            }
            let symbol = own.symbol(at, 0, value) as usize;
            if self.taken & bit(symbol) == 0 {
                self.give(at, symbol);
            }
        }
    }

    fn give(&mut self, place: usize, symbol: usize) {
        (self.has[place], self.owner[symbol]) = (symbol as u8, place as u8);
        self.taken |= bit(symbol);
    }

    /// Goes on to a matching of all places, if there is one.
    fn is_matched(&mut self) -> bool {
        (0..self.count).all(|place| self.has[place] != NOBODY || self.augment(place))
    }

    /// Matches one more place: a search in breadth for an alternating path from it to a free symbol, which is turned around.
    fn augment(&mut self, place: usize) -> bool {
        let (mut waiting, mut from) = ([0; MOST], [0; MOST]);
        let (mut next, mut end, mut seen) = (0, 1, 0);
        waiting[0] = place as u8;
        while next < end {
            let at = waiting[next];
            next += 1;
            let new = self.allowed[at as usize] & !seen;
            let free = new & !self.taken;
            if free != 0 {
                let mut symbol = free.trailing_zeros() as usize;
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
            seen |= new;
            for symbol in symbols(new) {
                from[symbol] = at;
                waiting[end] = self.owner[symbol];
                end += 1;
            }
        }
        false
    }

    /// Notes the matching by values.
    fn note(&self, board: &Board, own: Places, earlier: &mut Vec<u32>) {
        earlier.reserve_exact(self.count.saturating_sub(earlier.len()));
        earlier.resize(self.count, 0);
        for (at, value) in earlier.iter_mut().enumerate() {
            let symbol = u32::from(self.has[at]);
            let word = board.domains.first_words()[own.places[at] as usize];
            let is_it = |value: &usize| own.symbol(at, 0, *value) == symbol;
            *value = match own.starts.is_empty() {
                true => symbol,
                false => values(word).find(is_it).unwrap_or(0) as u32,
            };
        }
    }

    /// Where edges lead from a node: free symbols are one.
    fn edges(&self, node: usize) -> Symbols {
        if node == FREE {
            return self.taken;
        }
        let allowed = self.allowed[self.owner[node] as usize];
        allowed & self.taken | if allowed & !self.taken != 0 { bit(FREE) } else { 0 }
    }

    /// Leaves each place the symbols of its component, the free ones with that of their node.
    fn find_components(&mut self) {
        let all = self.allowed[..self.count].iter().fold(0, |all, allowed| all | allowed);
        let has_free = all & !self.taken != 0;
        // Nodes on the way from a root, and those that belong together among all that are in no component yet: the latest
        // of these last, each with its first node.
        let (mut path, mut depth) = ([0; MOST + 1], 0);
        let (mut parts, mut firsts, mut height) = ([0; MOST + 1], [0; MOST + 1], 0);
        let (mut seen, mut open): (Symbols, Symbols) = (0, 0);
        let mut root = if has_free { Some(FREE) } else { symbols(self.taken).next() };
        while let Some(mut entered) = root {
            loop {
                let edges = self.edges(entered);
                (path[depth], depth) = (entered, depth + 1);
                (parts[height], firsts[height], height) = (bit(entered), entered, height + 1);
                seen |= bit(entered);
                let mut back = edges & open & !bit(entered);
                open |= bit(entered);
                while back != 0 {
                    height -= 1;
                    let part = parts[height];
                    back &= !parts[height - 1];
                    parts[height - 1] |= part;
                }
                // Back to where a way leads on.
                let next = loop {
                    let node = path[depth - 1];
                    let on = self.edges(node) & !seen;
                    if on != 0 {
                        break Some(on.trailing_zeros() as usize);
                    }
                    depth -= 1;
                    if firsts[height - 1] == node {
                        height -= 1;
                        self.leave(parts[height]);
                        open &= !parts[height];
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
            root = symbols(self.taken & !seen).next();
        }
    }

    /// Leaves the places of a component its symbols.
    fn leave(&mut self, component: Symbols) {
        let free = if component & bit(FREE) != 0 { !self.taken } else { 0 };
        for symbol in symbols(component & self.taken) {
            let place = self.owner[symbol] as usize;
            self.left[place] = self.allowed[place] & (component & self.taken | free);
        }
    }
}
