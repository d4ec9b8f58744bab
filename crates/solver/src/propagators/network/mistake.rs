//! What is wrong with a graph at one look, without a conclusion in between: the mistakes that a person sees.

use super::{Division, Network, Shape};

/// Parts of graphs with more nodes are not looked at one by one.
const MOST_NODES_OF_PARTS: usize = 2048;

/// A mistake in a graph of which some edges are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Three edges of a loop meet.
    ThirdEdge,
    /// An edge of a loop leads nowhere.
    LooseEnd,
    /// The edges that are left contain no loop.
    NoLoop,
    /// A loop is closed where there may be none.
    Loop,
    /// A loop is closed, and there are edges elsewhere.
    LoopBeside,
    /// Edges of one loop cannot reach each other.
    Apart,
    /// The edges that lead into a part whose other ways are closed: a loop leaves it as often as it enters.
    OddWays(Vec<u32>),
    /// Two edges that could only be joined to a loop without another edge.
    ClosesWithout([u32; 2], u32),
    /// Two pieces that are parted elsewhere are joined.
    JoinsParted,
    /// A piece is parted within.
    PartsOne,
    /// A piece has more nodes than any may have.
    TooLarge,
    /// A piece cannot grow as large as it has to be.
    TooLittleRoom,
    /// A part cannot be divided into pieces of the sizes that are allowed.
    Indivisible,
}

impl Network {
    /// Whether it is about edges, so that it can be asked for a mistake.
    pub fn is_of_edges(&self) -> bool {
        matches!(
            self.shape,
            Shape::Circuit | Shape::Acyclic | Shape::Division(_)
        )
    }

    /// The place of an edge.
    pub fn place_of_edge(&self, edge: usize) -> u32 {
        self.booleans.holds[2 * edge]
    }

    /// Whether an edge holds what the rule is about, if values say so.
    pub fn status(&self, values: impl Iterator<Item = u32>) -> Option<bool> {
        let mask = &self.booleans.masks;
        let (mut wanted, mut all) = (0, 0);
        for value in values {
            let word = mask.get(value as usize / 64).copied().unwrap_or(0);
            wanted += word >> (value % 64) & 1;
            all += 1;
        }
        match wanted {
            0 => Some(false),
            _ if wanted == all => Some(true),
            _ => None,
        }
    }

    /// Whether each edge holds what the rule is about, with all that follows at single nodes of a loop: an edge goes on, and
    /// no third one joins two.
    pub fn followed(&self, mut known: Vec<Option<bool>>) -> Vec<Option<bool>> {
        if !matches!(self.shape, Shape::Circuit) {
            return known;
        }
        let mut waiting: Vec<u32> = (0..self.wiring.nodes() as u32).collect();
        while let Some(node) = waiting.pop() {
            let around = self.wiring.around(node);
            let count = |is: Option<bool>| {
                let around = around.iter();
                around
                    .filter(|[edge, _]| known[*edge as usize] == is)
                    .count()
            };
            let follows = match (count(Some(true)), count(None)) {
                (2, 1..) | (0, 1) => false,
                (1, 1) => true,
                _ => continue,
            };
            for [edge, other] in around {
                if known[*edge as usize].is_none() {
                    known[*edge as usize] = Some(follows);
                    waiting.push(*other);
                }
            }
        }
        known
    }

    /// What is wrong at one look, said of one edge if that was supposed. `known` tells of each edge whether it holds what the
    /// rule is about.
    pub fn mistake(&self, known: &[Option<bool>], edge: Option<usize>) -> Option<Mistake> {
        let network = self;
        Known { network, known }.mistake(edge)
    }
}

/// What is known of the edges of a rule.
struct Known<'a> {
    network: &'a Network,
    known: &'a [Option<bool>],
}

impl Known<'_> {
    /// For each node the number of the group that it is in, by edges that are so.
    fn groups(&self, is_joining: impl Fn(Option<bool>) -> bool) -> Vec<usize> {
        let wiring = &self.network.wiring;
        let mut groups = vec![usize::MAX; wiring.nodes()];
        for first in 0..groups.len() {
            if groups[first] != usize::MAX {
                continue;
            }
            groups[first] = first;
            let mut waiting = vec![first as u32];
            while let Some(node) = waiting.pop() {
                for [edge, other] in wiring.around(node) {
                    let is_new = groups[*other as usize] == usize::MAX;
                    if is_new && is_joining(self.known[*edge as usize]) {
                        groups[*other as usize] = first;
                        waiting.push(*other);
                    }
                }
            }
        }
        groups
    }

    /// How many nodes are in each group, by its number.
    fn counts(groups: &[usize]) -> Vec<usize> {
        let mut counts = vec![0; groups.len()];
        groups.iter().for_each(|group| counts[*group] += 1);
        counts
    }

    fn edges(&self) -> std::ops::Range<usize> {
        0..self.known.len()
    }

    fn ends(&self, edge: usize) -> [usize; 2] {
        self.network
            .wiring
            .ends(edge as u32)
            .map(|node| node as usize)
    }

    /// What is wrong, said of the edge that was supposed, if one was.
    fn mistake(&self, edge: Option<usize>) -> Option<Mistake> {
        match &self.network.shape {
            Shape::Division(division) => self.mistake_of_division(division, edge),
            Shape::Circuit => self.mistake_of_circuit(),
            Shape::Acyclic => self.closes_loop().then_some(Mistake::Loop),
            _ => None,
        }
    }

    /// Whether some edges form a loop: in some group as many of them as nodes.
    fn has_loop(&self, is_chosen: impl Fn(Option<bool>) -> bool) -> bool {
        let groups = self.groups(&is_chosen);
        let mut chosen = vec![0; groups.len()];
        for edge in self.edges().filter(|edge| is_chosen(self.known[*edge])) {
            chosen[groups[self.ends(edge)[0]]] += 1;
        }
        let nodes = Self::counts(&groups);
        chosen
            .iter()
            .zip(&nodes)
            .any(|(chosen, nodes)| *chosen > 0 && chosen >= nodes)
    }

    fn closes_loop(&self) -> bool {
        self.has_loop(|is| is == Some(true))
    }

    fn mistake_of_circuit(&self) -> Option<Mistake> {
        let wiring = &self.network.wiring;
        let (mut meet, mut end) = (false, false);
        for node in 0..wiring.nodes() as u32 {
            let around = || {
                wiring
                    .around(node)
                    .iter()
                    .map(|[edge, _]| self.known[*edge as usize])
            };
            let chosen = around().filter(|is| *is == Some(true)).count();
            meet |= chosen > 2;
            end |= chosen == 1 && !around().any(|is| is.is_none());
        }
        if meet {
            return Some(Mistake::ThirdEdge);
        }
        if end {
            return Some(Mistake::LooseEnd);
        }
        if !self.has_loop(|is| is != Some(false)) {
            return Some(Mistake::NoLoop);
        }
        let joined = self.groups(|is| is == Some(true));
        let near = self.groups(|is| is != Some(false));
        let mut chosen = self.edges().filter(|edge| self.known[*edge] == Some(true));
        let first = self.ends(chosen.next()?)[0];
        let is_elsewhere = |groups: &[usize]| {
            let mut chosen = self.edges().filter(|edge| self.known[*edge] == Some(true));
            chosen.any(|edge| groups[self.ends(edge)[0]] != groups[first])
        };
        if self.closes_loop() && is_elsewhere(&joined) {
            return Some(Mistake::LoopBeside);
        }
        if is_elsewhere(&near) {
            return Some(Mistake::Apart);
        }
        self.mistake_of_parts(joined)
    }

    /// What is wrong with the ways into parts of the graph in which nothing is known: there are an odd number of them, or two that
    /// are the ends of one path, while there are edges elsewhere. `joined` are groups of nodes that known edges join.
    fn mistake_of_parts(&self, mut joined: Vec<usize>) -> Option<Mistake> {
        if joined.len() > MOST_NODES_OF_PARTS {
            return None;
        }
        let parts = self.groups(|is| is.is_none());
        let mut ways: Vec<Vec<u32>> = vec![Vec::new(); parts.len()];
        let chosen = || self.edges().filter(|edge| self.known[*edge] == Some(true));
        for edge in chosen() {
            let [a, b] = self.ends(edge).map(|node| parts[node]);
            if a != b {
                ways[a].push(edge as u32);
                ways[b].push(edge as u32);
            }
        }
        if let Some(odd) = ways.iter().find(|ways| ways.len() % 2 == 1) {
            return Some(Mistake::OddWays(odd.clone()));
        }
        let two = ways.iter().enumerate().filter(|(_, ways)| ways.len() == 2);
        for (part, ways) in two {
            let node_of = |edge: u32| {
                self.ends(edge as usize)
                    .into_iter()
                    .find(|node| parts[*node] == part)
            };
            let (first, second) = (node_of(ways[0])?, node_of(ways[1])?);
            if first == second {
                continue;
            }
            let (own, other) = (joined[first], joined[second]);
            if own == other {
                let is_outside = |edge: &usize| {
                    let ends = self.ends(*edge);
                    joined[ends[0]] != own && ends.iter().any(|node| parts[*node] != part)
                };
                if let Some(outside) = chosen().find(is_outside) {
                    return Some(Mistake::ClosesWithout([ways[0], ways[1]], outside as u32));
                }
            }
            // Whatever the part looks like, these two are joined in it, with all that is in it.
            let within = (0..parts.len()).filter(|node| parts[*node] == part);
            let groups: Vec<usize> = within.map(|node| joined[node]).collect();
            for group in &mut joined {
                if groups.contains(group) {
                    *group = own;
                }
            }
        }
        None
    }

    fn mistake_of_division(&self, division: &Division, edge: Option<usize>) -> Option<Mistake> {
        let pieces = self.groups(|parts| parts == Some(false));
        let rooms = self.groups(|parts| parts != Some(true));
        let cuts = |edge: usize| {
            let [a, b] = self.ends(edge);
            self.known[edge] == Some(true) && pieces[a] == pieces[b]
        };
        if self.edges().any(cuts) {
            return Some(match edge.and_then(|edge| self.known[edge]) {
                Some(false) => Mistake::JoinsParted,
                _ => Mistake::PartsOne,
            });
        }
        let (in_piece, in_room) = (Self::counts(&pieces), Self::counts(&rooms));
        let mut says = None;
        for node in 0..pieces.len() {
            let sizes = division.sizes_of(node)?;
            let (own, room) = (in_piece[pieces[node]], in_room[rooms[node]]);
            if sizes.iter().all(|size| (*size as usize) < own) {
                return Some(Mistake::TooLarge);
            }
            if !sizes
                .iter()
                .any(|size| (own..=room).contains(&(*size as usize)))
            {
                says = Some(Mistake::TooLittleRoom);
            }
        }
        let is_no_sum = |node: usize| !division.can_be_divided(in_room[rooms[node]]);
        says.or_else(|| {
            let mut nodes = 0..pieces.len();
            nodes.any(is_no_sum).then_some(Mistake::Indivisible)
        })
    }
}
