//! Conditions on a graph whose edges or nodes are in, out, or open.

use std::collections::VecDeque;

use super::triples;
use crate::bits::{self, Bits};
use crate::board::{Board, Written, index};
use crate::state::{Fact, State};

/// The nodes and edges, and what makes them so.
pub struct Graph {
    shape: Shape,
    edges: Vec<[usize; 2]>,
    /// By node, its edges with the nodes at the other end.
    edges_by_node: Vec<Vec<[usize; 2]>>,
    /// A place and what it has if the item is so: for edges, nodes, or nodes of each value.
    items: Vec<(usize, Bits)>,
    /// For each edge, if there are any, two places that have to be related.
    pub fits: Vec<[usize; 3]>,
}

enum Shape {
    Circuit,
    Acyclic,
    Piece,
    Path {
        ends: [usize; 2],
        least: usize,
        most: usize,
    },
    /// For each value the nodes that may have it, in the order of their items, and the sizes that its pieces may have.
    Regions {
        single: bool,
        nodes: Vec<Vec<usize>>,
        sizes: Option<Vec<Vec<usize>>>,
    },
    /// For each row of sizes its nodes, and the sizes that their regions may have. The items are the edges that part.
    Division {
        nodes: Vec<Vec<usize>>,
        sizes: Vec<Vec<usize>>,
    },
}

/// Whether something is so.
type Known = Option<bool>;

impl Graph {
    pub(crate) fn read(written: &Written<'_>, board: &Board) -> Result<Graph, String> {
        let number = |at: usize| -> Result<usize, String> {
            let number = written.numbers.get(at).copied().flatten();
            index(number.unwrap_or(-1), usize::MAX, "bound")
        };
        let nodes = number(0)?;
        let [ends, held, rest @ ..] = &written.sections[..] else {
            return Err("edges or items are missing".into());
        };
        let all = |numbers: &[i64], count: usize| -> Result<Vec<usize>, String> {
            let nodes = numbers.iter().map(|number| index(*number, count, "node"));
            nodes.collect()
        };
        let ends = all(ends, nodes)?;
        let edges: Vec<[usize; 2]> = ends.chunks_exact(2).map(|two| [two[0], two[1]]).collect();
        let mut items = Vec::new();
        for pair in held.chunks(2) {
            let [place, set] = pair else {
                return Err("an item is a place and a set".into());
            };
            let set = index(*set, board.sets.len(), "set")?;
            items.push((board.place(*place)?, board.sets[set].clone()));
        }
        let shape = match written.kind {
            "circuit" => Shape::Circuit,
            "acyclic" => Shape::Acyclic,
            "piece" => Shape::Piece,
            "way" => Shape::Path {
                ends: [
                    index(number(1)? as i64, nodes, "node")?,
                    index(number(2)? as i64, nodes, "node")?,
                ],
                least: number(3)?,
                most: match written.numbers.get(4) {
                    Some(None) => usize::MAX,
                    _ => number(4)?,
                },
            },
            "regions" | "division" => {
                let (mut of, mut sizes) = (Vec::new(), Vec::new());
                for pair in rest.chunks(2) {
                    let [own, allowed] = pair else {
                        return Err("each value has nodes and sizes".into());
                    };
                    of.push(all(own, nodes)?);
                    sizes.push(all(allowed, usize::MAX)?);
                }
                match written.kind {
                    "division" => Shape::Division { nodes: of, sizes },
                    _ => Shape::Regions {
                        single: number(1)? == 1,
                        nodes: of,
                        sizes: (number(2)? == 1).then_some(sizes),
                    },
                }
            }
            kind => return Err(format!("there is no rule `{kind}`")),
        };
        let fits = match (&shape, rest) {
            (Shape::Piece | Shape::Path { .. }, [fits]) => triples(fits, board)?,
            (Shape::Regions { .. } | Shape::Division { .. }, _) | (_, []) => Vec::new(),
            _ => return Err("there are too many sections".into()),
        };
        let expected = match &shape {
            Shape::Circuit | Shape::Acyclic | Shape::Division { .. } => edges.len(),
            Shape::Piece | Shape::Path { .. } => nodes,
            Shape::Regions { nodes, .. } => nodes.iter().map(Vec::len).sum(),
        };
        let has_all = items.len() == expected && (fits.is_empty() || fits.len() == edges.len());
        if !has_all || ends.len() % 2 == 1 || edges.iter().any(|[a, b]| a == b) {
            return Err("each edge has two nodes, and what is so is said of each".into());
        }
        if nodes > ends.len() + items.len() {
            return Err("there are nodes of which nothing is said".into());
        }
        let mut around = vec![Vec::new(); nodes];
        for (edge, [a, b]) in edges.iter().enumerate() {
            around[*a].push([edge, *b]);
            around[*b].push([edge, *a]);
        }
        Ok(Graph {
            shape,
            edges,
            edges_by_node: around,
            items,
            fits,
        })
    }

    /// The known items and edges; `None` if they contradict each other.
    fn known(
        &self,
        board: &Board,
        state: &State<'_>,
        facts: &[(Fact, bool)],
    ) -> Option<(Vec<Known>, Vec<Known>)> {
        let items = self.items.iter().map(|(place, set)| {
            let domain = state.domain(*place);
            match (bits::meets(domain, set), bits::is_within(domain, set)) {
                (false, _) => Some(false),
                (true, true) => Some(true),
                (true, false) => None,
            }
        });
        let mut fits: Vec<Known> = self
            .fits
            .iter()
            .map(|[first, second, relation]| {
                let other = state.domain(*second);
                let (mut some, mut all) = (false, true);
                for value in bits::numbers(state.domain(*first)) {
                    let row = &board.relations[*relation][value];
                    some |= bits::meets(other, row);
                    all &= bits::is_within(other, row);
                }
                match (some, all) {
                    (false, _) => Some(false),
                    (true, true) => Some(true),
                    (true, false) => None,
                }
            })
            .collect();
        for (fact, is) in facts {
            if let Fact::Fits(edge) = fact {
                if fits[*edge] == Some(!*is) {
                    return None;
                }
                fits[*edge] = Some(*is);
            }
        }
        if self.fits.is_empty() {
            fits = vec![Some(true); self.edges.len()];
        }
        Some((items.collect(), fits))
    }

    /// Whether the shape cannot hold, with what is known of nodes and edges.
    pub fn is_impossible(&self, board: &Board, state: &State<'_>, facts: &[(Fact, bool)]) -> bool {
        let Some((items, fits)) = self.known(board, state, facts) else {
            return true;
        };
        match &self.shape {
            Shape::Circuit => self.is_no_loop(&items),
            Shape::Acyclic => self.has_loop(&items),
            Shape::Piece => {
                let parts = self.parts(|node| items[node] != Some(false), &fits);
                are_apart(&parts, |node| items[node] == Some(true))
            }
            Shape::Path { ends, least, most } => {
                if ends.iter().any(|end| items[*end] == Some(false)) {
                    return true;
                }
                // Both ends are so, whatever is known.
                let is_true = |node: usize| items[node] == Some(true) || ends.contains(&node);
                let longest = self.steps(*ends, is_true, |edge| fits[edge] == Some(true));
                let may_be_true = |node: usize| items[node] != Some(false);
                let shortest = self.steps(*ends, may_be_true, |edge| fits[edge] != Some(false));
                shortest.is_none_or(|steps| steps > *most)
                    || longest.is_some_and(|steps| steps < *least)
            }
            Shape::Regions {
                single,
                nodes,
                sizes,
            } => {
                let mut first = 0;
                (0..nodes.len()).any(|value| {
                    let mut known = vec![Some(false); self.edges_by_node.len()];
                    for node in &nodes[value] {
                        known[*node] = items[first];
                        first += 1;
                    }
                    let sizes = sizes.as_ref().map(|sizes| &sizes[value]);
                    self.are_no_regions(&known, *single, sizes, &fits)
                })
            }
            Shape::Division { nodes, sizes } => self.is_no_division(&items, nodes, sizes),
        }
    }

    /// The number of the part that each node is in, if only some nodes are there.
    fn parts(&self, is_present: impl Fn(usize) -> bool, fits: &[Known]) -> Vec<Option<usize>> {
        let mut parts = vec![None; self.edges_by_node.len()];
        for start in 0..parts.len() {
            if parts[start].is_some() || !is_present(start) {
                continue;
            }
            parts[start] = Some(start);
            let mut waiting = vec![start];
            while let Some(node) = waiting.pop() {
                for [edge, other] in &self.edges_by_node[node] {
                    let is_open = fits[*edge] != Some(false) && is_present(*other);
                    if is_open && parts[*other].is_none() {
                        parts[*other] = Some(start);
                        waiting.push(*other);
                    }
                }
            }
        }
        parts
    }

    /// The number of steps of the shortest path over some nodes and edges.
    fn steps(
        &self,
        ends: [usize; 2],
        is_there: impl Fn(usize) -> bool,
        is_open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut steps = vec![None; self.edges_by_node.len()];
        steps[ends[0]] = Some(0);
        let mut waiting = VecDeque::from([ends[0]]);
        while let Some(node) = waiting.pop_front() {
            for [edge, other] in &self.edges_by_node[node] {
                if steps[*other].is_none() && is_there(*other) && is_open(*edge) {
                    steps[*other] = steps[node].map(|steps: usize| steps + 1);
                    waiting.push_back(*other);
                }
            }
        }
        steps[ends[1]]
    }

    /// A piece of a value has no size that it may have.
    fn are_no_regions(
        &self,
        known: &[Known],
        single: bool,
        sizes: Option<&Vec<usize>>,
        fits: &[Known],
    ) -> bool {
        let parts = self.parts(|node| known[node] != Some(false), fits);
        let is_true = |node: usize| known[node] == Some(true);
        if single && are_apart(&parts, is_true) {
            return true;
        }
        let Some(sizes) = sizes else { return false };
        let pieces = self.parts(is_true, fits);
        let size = |of: &[Option<usize>], wanted: Option<usize>| {
            of.iter().filter(|own| **own == wanted).count()
        };
        // Each piece by its first node.
        (0..pieces.len())
            .filter(|node| pieces[*node] == Some(*node))
            .any(|node| {
                let (least, most) = (size(&pieces, Some(node)), size(&parts, parts[node]));
                !sizes.iter().any(|size| (least..=most).contains(size))
            })
    }

    /// An edge parts nodes of one region, a region has no size that it may have, or nodes that are parted from all others are no
    /// sum of sizes.
    fn is_no_division(
        &self,
        parting: &[Known],
        nodes: &[Vec<usize>],
        sizes: &[Vec<usize>],
    ) -> bool {
        let not: Vec<Known> = parting.iter().map(|is| is.map(|is| !is)).collect();
        let joined: Vec<Known> = not.iter().map(|is| Some(*is == Some(true))).collect();
        let (pieces, rooms) = (self.parts(|_| true, &joined), self.parts(|_| true, &not));
        let parts_piece = |(edge, is): (usize, &Known)| {
            let [a, b] = self.edges[edge];
            *is == Some(true) && pieces[a] == pieces[b]
        };
        if parting.iter().enumerate().any(parts_piece) {
            return true;
        }
        if nodes.is_empty() {
            return false;
        }
        let count = |of: &[Option<usize>]| {
            let mut counts = vec![0; of.len()];
            of.iter().flatten().for_each(|first| counts[*first] += 1);
            counts
        };
        let (own, room) = (count(&pieces), count(&rooms));
        let mut allowed: Vec<Option<Vec<usize>>> = vec![None; pieces.len()];
        for (nodes, sizes) in nodes.iter().zip(sizes) {
            for piece in nodes.iter().filter_map(|node| pieces[*node]) {
                match &mut allowed[piece] {
                    Some(known) => known.retain(|size| sizes.contains(size)),
                    unknown => *unknown = Some(sizes.clone()),
                }
            }
        }
        let has_no_size = |first: usize| {
            let most = rooms[first].map_or(0, |start| room[start]);
            let sizes = allowed[first].as_ref();
            sizes.is_some_and(|sizes| !sizes.iter().any(|size| (own[first]..=most).contains(size)))
        };
        let firsts = (0..pieces.len()).filter(|node| pieces[*node] == Some(*node));
        if firsts.into_iter().any(has_no_size) {
            return true;
        }
        // Only if each node has a row: otherwise some regions have any size.
        let is_said_of_all = nodes.iter().map(Vec::len).sum::<usize>() == pieces.len();
        let mut sums = vec![false; pieces.len() + 1];
        sums[0] = true;
        for total in 1..sums.len() {
            let mut sizes = sizes.iter().flatten();
            sums[total] = sizes.any(|size| *size > 0 && *size <= total && sums[total - size]);
        }
        is_said_of_all && room.iter().any(|count| !sums[*count])
    }

    /// Edges that are so close a loop.
    fn has_loop(&self, edges: &[Known]) -> bool {
        let mut leads = Vec::from_iter(0..self.edges_by_node.len());
        let chosen = (0..self.edges.len()).filter(|edge| edges[*edge] == Some(true));
        chosen.into_iter().any(|edge| {
            let [a, b] = self.edges[edge].map(|node| top(&mut leads, node));
            leads[a] = b;
            a == b
        })
    }

    /// The chosen edges are not on one loop: three meet, a loop is closed beside another edge, or no block contains all
    /// of them.
    fn is_no_loop(&self, edges: &[Known]) -> bool {
        let is_chosen = |edge: usize| edges[edge] == Some(true);
        let meet =
            |around: &Vec<[usize; 2]>| around.iter().filter(|[edge, _]| is_chosen(*edge)).count();
        if self.edges_by_node.iter().any(|around| meet(around) > 2) {
            return true;
        }
        let chosen: Vec<usize> = (0..self.edges.len())
            .filter(|edge| is_chosen(*edge))
            .collect();
        if self.has_loop(edges) {
            let fits: Vec<Known> = (0..edges.len()).map(|edge| Some(is_chosen(edge))).collect();
            let parts = self.parts(|_| true, &fits);
            // The part of a loop is the loop: as many edges as nodes.
            let part = |edge: &usize| parts[self.edges[*edge][0]];
            return chosen.iter().any(|edge| part(edge) != part(&chosen[0]));
        }
        let blocks = self.blocks(|edge| edges[edge] != Some(false));
        let block = |edge: usize| blocks[edge];
        match chosen.split_first() {
            None => blocks.iter().all(Option::is_none),
            Some((first, rest)) => {
                block(*first).is_none() || rest.iter().any(|edge| block(*edge) != block(*first))
            }
        }
    }

    /// The block of each edge that is there: two edges are in one if a loop goes through both. `None` if no loop goes through it.
    fn blocks(&self, is_present: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
        let nodes = self.edges_by_node.len();
        let mut blocks = vec![None; self.edges.len()];
        let (mut discovery, mut low) = (vec![0; nodes], vec![0; nodes]);
        let (mut count, mut block) = (0, 0);
        for root in 0..nodes {
            if discovery[root] > 0 {
                continue;
            }
            count += 1;
            (discovery[root], low[root]) = (count, count);
            // A node, the edge to it, and the next edge to look at; edges that belong to no block yet.
            let mut path = vec![(root, usize::MAX, 0)];
            let mut edges: Vec<usize> = Vec::new();
            while let Some((node, by, next)) = path.last_mut() {
                let (node, by) = (*node, *by);
                if let Some([edge, other]) = self.edges_by_node[node].get(*next).copied() {
                    *next += 1;
                    if edge == by || !is_present(edge) || discovery[other] > discovery[node] {
                        continue;
                    }
                    edges.push(edge);
                    if discovery[other] == 0 {
                        count += 1;
                        (discovery[other], low[other]) = (count, count);
                        path.push((other, edge, 0));
                    } else {
                        low[node] = low[node].min(discovery[other]);
                    }
                    continue;
                }
                path.pop();
                let Some((above, ..)) = path.last().copied() else {
                    break;
                };
                low[above] = low[above].min(low[node]);
                if low[node] >= discovery[above] {
                    let start = edges.iter().rposition(|edge| *edge == by).unwrap_or(0);
                    let own = edges.split_off(start);
                    // A single edge is a bridge.
                    if own.len() > 1 {
                        own.iter().for_each(|edge| blocks[*edge] = Some(block));
                    }
                    block += 1;
                }
            }
        }
        blocks
    }
}

/// Nodes that are so lie in two parts.
fn are_apart(parts: &[Option<usize>], is_true: impl Fn(usize) -> bool) -> bool {
    let mut true_nodes = (0..parts.len()).filter(|node| is_true(*node));
    let first = true_nodes.next().map(|node| parts[node]);
    first.is_some_and(|first| true_nodes.any(|node| parts[node] != first))
}

fn top(leads: &mut [usize], mut node: usize) -> usize {
    while leads[node] != node {
        leads[node] = leads[leads[node]];
        node = leads[node];
    }
    node
}
