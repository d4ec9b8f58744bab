//! `allDifferent`: what no assignment of different values to all places can have, after Régin, "A filtering algorithm for
//! constraints of difference in CSPs" (1994). A value can stay in a place if and only if the two lie on an alternating
//! cycle of a matching that covers all places, or on an alternating path that ends at a value which it leaves free.

use super::{Board, Wiped, ones};

const NONE: u32 = u32::MAX;

/// Places and their candidates as a graph: for each place its values with their symbols.
struct Graph {
    starts: Vec<u32>,
    values: Vec<u32>,
    symbols: Vec<u32>,
    symbol_count: usize,
}

impl Graph {
    fn of(board: &Board, places: &[u32], symbols: &[u32]) -> Graph {
        let mut graph = Graph { starts: vec![0], values: Vec::new(), symbols: Vec::new(), symbol_count: 0 };
        let row = symbols.len() / places.len().max(1);
        for (at, place) in places.iter().enumerate() {
            for value in ones(board.candidates(*place as usize)) {
                let symbol = if row == 0 { value as u32 } else { symbols.get(at * row + value).copied().unwrap_or(0) };
                graph.values.push(value as u32);
                graph.symbols.push(symbol);
                graph.symbol_count = graph.symbol_count.max(symbol as usize + 1);
            }
            graph.starts.push(graph.values.len() as u32);
        }
        graph
    }

    fn edges(&self, place: usize) -> std::ops::Range<usize> {
        self.starts[place] as usize..self.starts[place + 1] as usize
    }
}

/// A matching: for each place an edge, for each symbol its place.
struct Matching {
    edges: Vec<u32>,
    owners: Vec<u32>,
}

impl Matching {
    /// What of an earlier matching, given by values, still holds.
    fn kept(graph: &Graph, earlier: &[u32], places: usize) -> Matching {
        let mut matching = Matching { edges: vec![NONE; places], owners: vec![NONE; graph.symbol_count] };
        for place in 0..places {
            let Some(value) = earlier.get(place) else { continue };
            let edge = graph.edges(place).find(|edge| graph.values[*edge] == *value);
            if let Some(edge) = edge
                && matching.owners[graph.symbols[edge] as usize] == NONE
            {
                matching.owners[graph.symbols[edge] as usize] = place as u32;
                matching.edges[place] = edge as u32;
            }
        }
        matching
    }

    /// Matches one more place, by an alternating path that ends at a free symbol.
    fn augment(&mut self, graph: &Graph, place: usize, seen: &mut [u32], from: &mut [(u32, u32)]) -> bool {
        let mark = place as u32;
        let mut waiting = vec![place as u32];
        let mut next = 0;
        while let Some(place) = waiting.get(next).copied() {
            next += 1;
            for edge in graph.edges(place as usize) {
                let symbol = graph.symbols[edge] as usize;
                if seen[symbol] == mark {
                    continue;
                }
                seen[symbol] = mark;
                from[symbol] = (place, edge as u32);
                if self.owners[symbol] != NONE {
                    waiting.push(self.owners[symbol]);
                    continue;
                }
                let mut symbol = symbol;
                loop {
                    let (place, edge) = from[symbol];
                    self.owners[symbol] = place;
                    let before = std::mem::replace(&mut self.edges[place as usize], edge);
                    if before == NONE {
                        return true;
                    }
                    symbol = graph.symbols[before as usize] as usize;
                }
            }
        }
        false
    }
}

/// The strongly connected components of the graph, after Tarjan (1972), without recursion. Nodes are the places, then
/// the symbols, then one that all free symbols lead to and that leads to all others. An edge leads from a place to the
/// symbols that it does not have, and from a symbol to the place that has it.
fn components(graph: &Graph, matching: &Matching) -> Vec<u32> {
    let places = matching.edges.len();
    let last = places + graph.symbol_count;
    let (mut component, mut order, mut low) = (vec![NONE; last + 1], vec![NONE; last + 1], vec![0u32; last + 1]);
    let (mut open, mut path): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    let (mut count, mut components) = (0, 0);
    for root in 0..places {
        if order[root] != NONE {
            continue;
        }
        path.push((root as u32, 0));
        while let Some((node, step)) = path.last_mut() {
            let at = *node as usize;
            if *step == 0 && order[at] == NONE {
                order[at] = count;
                low[at] = count;
                count += 1;
                open.push(*node);
            }
            let to = if at < places {
                let edge = graph.starts[at] + *step;
                (edge < graph.starts[at + 1]).then(|| {
                    if edge == matching.edges[at] { NONE } else { places as u32 + graph.symbols[edge as usize] }
                })
            } else if at < last {
                let owner = matching.owners[at - places];
                (*step == 0).then_some(if owner == NONE { last as u32 } else { owner })
            } else {
                let symbol = *step as usize;
                (symbol < graph.symbol_count)
                    .then(|| if matching.owners[symbol] == NONE { NONE } else { (places + symbol) as u32 })
            };
            match to {
                Some(NONE) => *step += 1,
                Some(to) => {
                    *step += 1;
                    if order[to as usize] == NONE {
                        path.push((to, 0));
                    } else if component[to as usize] == NONE {
                        low[at] = low[at].min(order[to as usize]);
                    }
                }
                None => {
                    path.pop();
                    if let Some((above, _)) = path.last() {
                        low[*above as usize] = low[*above as usize].min(low[at]);
                    }
                    if low[at] == order[at] {
                        while let Some(member) = open.pop() {
                            component[member as usize] = components;
                            if member as usize == at {
                                break;
                            }
                        }
                        components += 1;
                    }
                }
            }
        }
    }
    component
}

/// Takes away what the places cannot have. Returns how many candidates there were to look at.
pub(super) fn propagate(
    board: &mut Board,
    number: u32,
    places: &[u32],
    symbols: &[u32],
    matching: &mut Vec<u32>,
) -> Result<usize, Wiped> {
    let graph = Graph::of(board, places, symbols);
    let mut matched = Matching::kept(&graph, matching, places.len());
    let mut seen = vec![NONE; graph.symbol_count];
    let mut from = vec![(0, 0); graph.symbol_count];
    for place in 0..places.len() {
        if matched.edges[place] == NONE && !matched.augment(&graph, place, &mut seen, &mut from) {
            return Err(Wiped);
        }
    }
    matching.clear();
    matching.extend(matched.edges.iter().map(|edge| graph.values[*edge as usize]));
    let component = components(&graph, &matched);
    for (at, place) in places.iter().enumerate() {
        let mut mask = vec![0; board.width()];
        let mut takes = false;
        for edge in graph.edges(at) {
            let symbol = places.len() + graph.symbols[edge] as usize;
            if edge as u32 == matched.edges[at] || component[symbol] == component[at] {
                mask[graph.values[edge] as usize / 64] |= 1 << (graph.values[edge] % 64);
            } else {
                takes = true;
            }
        }
        if takes {
            board.keep(*place as usize, &mask, Some(number))?;
        }
    }
    Ok(graph.values.len())
}
