//! `regions` by edges that part: nodes fall into regions that have one of some sizes, and an edge parts two nodes exactly if
//! they are in different ones.

use std::collections::HashSet;

use super::depth::{Depth, NONE};
use super::forest::Trees;
use super::wiring::Wiring;
use crate::kernel::{Inferences, Literal, Status};
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};
use ndscript_base::room;

/// At most how many sums of sizes are looked at.
const MOST_OF_TOTALS: usize = 1 << 20;

/// The sizes that regions may have. The items are the edges; one that is so parts its nodes.
#[derive(Clone, Debug, Default)]
pub struct Division {
    /// Rows of sizes, each in order; empty if any size will do.
    sizes: Vec<Vec<u32>>,
    /// For each node the number of its row: the region of a node has one of these sizes.
    row_of: Vec<u32>,
    /// The least of all sizes.
    least: usize,
    /// The numbers of nodes that can be divided into regions of these sizes, where that is quickly found out; otherwise all.
    totals: Vec<bool>,
}

impl Division {
    /// At most what an inference keeps of a node, beside a search in depth.
    pub const BYTES_OF_NODE: usize = 192;

    /// Regions of any size.
    pub fn of_any_size() -> Division {
        Division::default()
    }

    /// Regions of some sizes: the rows, each in order, and for each node the number of its row.
    pub fn new(sizes: Vec<Vec<u32>>, row_of: Vec<u32>) -> Division {
        let mut totals = vec![false; row_of.len() + 1];
        totals[0] = true;
        let mut all: Vec<usize> = sizes.iter().flatten().map(|size| *size as usize).collect();
        all.sort_unstable();
        all.dedup();
        if all.len() * totals.len() > MOST_OF_TOTALS {
            totals.fill(true);
            all.clear();
        }
        for total in 1..totals.len() {
            let mut fitting = all.iter().take_while(|size| **size <= total);
            totals[total] |= fitting.any(|size| totals[total - size]);
        }
        let least = sizes.iter().flatten().min();
        Division {
            least: least.map_or(usize::MAX, |size| *size as usize),
            sizes,
            row_of,
            totals,
        }
    }

    /// A bound below the sizes from `size` on that the regions of all these nodes may have: it is `size` only if they may have that.
    /// `usize::MAX` if there are none.
    fn least_from(&self, size: usize, nodes: &[u32]) -> usize {
        let mut least = size;
        // Where there is one row, one node is as good as all.
        let nodes = if self.sizes.len() > 1 {
            nodes
        } else {
            &nodes[..1]
        };
        for node in nodes {
            let row = self.sizes_of(*node as usize).unwrap_or(&[]);
            let at = row.partition_point(|size| (*size as usize) < least);
            match row.get(at) {
                Some(size) => least = *size as usize,
                None => return usize::MAX,
            }
        }
        least
    }

    /// For each node the number of its row, if sizes are wanted.
    pub fn row_of(&self) -> &[u32] {
        &self.row_of
    }

    /// The rows of sizes.
    pub fn sizes(&self) -> &[Vec<u32>] {
        &self.sizes
    }

    /// The sizes that the region of a node may have, if sizes are wanted.
    pub fn sizes_of(&self, node: usize) -> Option<&[u32]> {
        let row = self.row_of.get(node)?;
        self.sizes.get(*row as usize).map(Vec::as_slice)
    }

    /// Whether this number of nodes can be divided into regions of these sizes; also true where that would take long to find out.
    pub fn can_be_divided(&self, nodes: usize) -> bool {
        self.totals.get(nodes).copied().unwrap_or(true)
    }

    /// Whether it says something of each node.
    pub fn fits(&self, nodes: usize) -> bool {
        self.sizes.is_empty() || self.row_of.len() == nodes
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.sizes)
            + self.sizes.iter().map(room::row).sum::<usize>()
            + room::row(&self.row_of)
            + room::row(&self.totals)
    }

    /// Infers what follows for the regions.
    pub fn infer(&self, wiring: &Wiring, status: &[Status], found: &mut Inferences) {
        let size = wiring.nodes() + wiring.edges();
        found.spend(12 * size);
        let parting = Parting {
            division: self,
            wiring,
            status,
            trees: Trees::of(wiring, |edge| status[edge as usize] == Status::No),
        };
        let groups = parting.groups();
        parting.infer_within(found);
        if found.failure().is_some() {
            return;
        }
        parting.infer_between(&groups, found);
        if !self.sizes.is_empty() {
            parting.infer_room(&groups, found);
        }
    }
}

/// Nodes that are known to be in one region.
#[derive(Default)]
struct Group {
    /// In the order of a search, so that the first ones hold together.
    nodes: Vec<u32>,
    /// A bound below the size of the region; `usize::MAX` if it cannot have any.
    wanted: usize,
}

/// A division, and what is known of its edges.
struct Parting<'a> {
    division: &'a Division,
    wiring: &'a Wiring,
    status: &'a [Status],
    /// The nodes that edges hold together.
    trees: Trees,
}

impl Parting<'_> {
    fn is_open(&self, edge: u32) -> bool {
        self.status[edge as usize] == Status::Open
    }

    fn parts(&self, edge: u32) -> bool {
        self.status[edge as usize] == Status::Yes
    }

    /// The groups, by their roots.
    fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        groups.resize_with(self.wiring.nodes(), Group::default);
        for node in self.trees.order() {
            groups[self.trees.root_of(*node) as usize].nodes.push(*node);
        }
        if !self.division.sizes.is_empty() {
            for group in groups.iter_mut().filter(|group| !group.nodes.is_empty()) {
                group.wanted = self.division.least_from(group.nodes.len(), &group.nodes);
            }
        }
        groups
    }

    /// The edges that hold some first nodes of a group together.
    fn held(&self, nodes: &[u32]) -> Vec<Literal> {
        let edges = nodes.iter().map(|node| self.trees.by(*node));
        let edges = edges.filter(|edge| *edge != NONE);
        edges.map(Literal::no).collect()
    }

    /// Why a group has no region of a size up to `most`: nothing, if no node has one.
    fn held_for(&self, group: &Group, most: usize) -> Vec<Literal> {
        match self.division.least > most {
            true => Vec::new(),
            false => self.held(&group.nodes),
        }
    }

    /// Why a group is larger than all regions that it could be in.
    fn held_too_large(&self, group: &Group) -> Vec<Literal> {
        let nodes = match &self.division.sizes[..] {
            [sizes] => sizes.last().map_or(1, |most| *most as usize + 1),
            _ => group.nodes.len(),
        };
        self.held(&group.nodes[..nodes.min(group.nodes.len())])
    }

    /// An edge between nodes of one region does not part them.
    fn infer_within(&self, found: &mut Inferences) {
        for edge in 0..self.wiring.edges() as u32 {
            let ends = self.wiring.ends(edge);
            if self.status[edge as usize] == Status::No || !self.trees.are_joined(ends) {
                continue;
            }
            let path = || -> Vec<Literal> {
                let path = self.trees.path(ends);
                path.into_iter().map(Literal::no).collect()
            };
            if self.parts(edge) {
                found.fail_by(|| {
                    let mut reason = path();
                    reason.push(Literal::yes(edge));
                    reason
                });
                return;
            }
            found.conclude_by(Literal::no(edge), path);
        }
    }

    /// Edges part groups that some edge parts, or that are too large together.
    fn infer_between(&self, groups: &[Group], found: &mut Inferences) {
        let pair = |edge: u32| {
            let [a, b] = self.wiring.ends(edge).map(|node| self.trees.root_of(node));
            [a.min(b), a.max(b)]
        };
        let edges = || 0..self.wiring.edges() as u32;
        let mut parted: Vec<([u32; 2], u32)> = edges()
            .filter(|edge| self.parts(*edge))
            .map(|edge| (pair(edge), edge))
            .collect();
        parted.sort_unstable();
        for edge in edges().filter(|edge| self.is_open(*edge)) {
            let own = pair(edge);
            if own[0] == own[1] {
                continue;
            }
            let at = parted.partition_point(|(other, _)| *other < own);
            if let Some((_, by)) = parted.get(at).filter(|(other, _)| *other == own) {
                found.conclude_by(Literal::yes(edge), || self.parted_by(edge, *by));
                continue;
            }
            let [a, b] = own.map(|root| &groups[root as usize]);
            let size = a.nodes.len() + b.nodes.len();
            let ends = self.wiring.ends(edge);
            if !self.division.sizes.is_empty()
                && self.division.least_from(size, &ends) == usize::MAX
            {
                found.conclude_by(Literal::yes(edge), || self.too_large(a, b));
            }
        }
    }

    /// Why an edge parts its nodes, as another one parts the same groups.
    fn parted_by(&self, edge: u32, by: u32) -> Vec<Literal> {
        let (ends, mut others) = (self.wiring.ends(edge), self.wiring.ends(by));
        if !self.trees.are_joined([ends[0], others[0]]) {
            others.swap(0, 1);
        }
        let mut reason = vec![Literal::yes(by)];
        for (own, other) in ends.into_iter().zip(others) {
            reason.extend(self.trees.path([own, other]).into_iter().map(Literal::no));
        }
        reason
    }

    /// Why two groups are not in one region.
    fn too_large(&self, a: &Group, b: &Group) -> Vec<Literal> {
        let mut reason = self.held(&a.nodes);
        reason.extend(self.held(&b.nodes));
        reason
    }

    /// The edges that part some nodes from the others, but for one.
    fn border(&self, nodes: &[u32], is_inside: impl Fn(u32) -> bool, but: u32) -> Vec<Literal> {
        let around = nodes.iter().flat_map(|node| self.wiring.around(*node));
        let crossing = around.filter(|[edge, other]| *edge != but && !is_inside(*other));
        crossing.map(|[edge, _]| Literal::yes(*edge)).collect()
    }

    /// Each group has room for its region, and all nodes that are not parted from each other can be divided; the edges that this
    /// needs do not part.
    fn infer_room(&self, groups: &[Group], found: &mut Inferences) {
        let mut depth = Depth::new(self.wiring.nodes());
        for root in 0..self.wiring.nodes() as u32 {
            if depth.is_discovered(root) {
                continue;
            }
            let start = depth.order.len();
            depth.search(self.wiring, root, |edge, _| !self.parts(edge));
            let room = &depth.order[start..];
            let border = || self.border(room, |node| depth.is_below(node, root), NONE);
            if !self.division.totals[room.len()] {
                found.fail_by(border);
                return;
            }
            let in_room = room
                .iter()
                .filter(|node| self.trees.root_of(**node) == **node);
            for group in in_room.map(|root| &groups[*root as usize]) {
                if group.wanted > room.len() {
                    found.fail_by(|| {
                        if group.wanted == usize::MAX {
                            return self.held_too_large(group);
                        }
                        let mut reason = self.held_for(group, room.len());
                        reason.extend(border());
                        reason
                    });
                    return;
                }
            }
            self.infer_bridges(groups, &depth, start, found);
        }
        found.spend(depth.visits);
    }

    /// Infers that the only edge between two parts joins them where one of the parts has no room without it.
    fn infer_bridges(&self, groups: &[Group], depth: &Depth, start: usize, found: &mut Inferences) {
        let room = &depth.order[start..];
        // The group that wants most among the first and the last nodes, and among those below each node.
        let want = |node: u32| (groups[self.trees.root_of(node) as usize].wanted, node);
        let most = |so_far: &mut (usize, u32), node: &u32| {
            *so_far = (*so_far).max(want(*node));
            Some(*so_far)
        };
        let first: Vec<(usize, u32)> = room.iter().scan((0, NONE), most).collect();
        let mut last: Vec<(usize, u32)> = room.iter().rev().scan((0, NONE), most).collect();
        last.reverse();
        let mut below: Vec<(usize, u32)> = room.iter().map(|node| want(*node)).collect();
        let position = |node: u32| depth.discovery[node as usize] as usize - 1 - start;
        for node in room.iter().rev().filter(|node| position(**node) > 0) {
            let above = position(depth.above[*node as usize]);
            below[above] = below[above].max(below[position(*node)]);
        }
        for top in room.iter().copied().filter(|top| depth.hangs_by_edge(*top)) {
            let bridge = depth.by[top as usize];
            if !self.is_open(bridge) {
                continue;
            }
            let inside = depth.below(top);
            let at = position(top);
            let after = last.get(at + inside.len()).copied().unwrap_or((0, NONE));
            let outside = first[at - 1].max(after);
            let is_inside = |node: u32| depth.is_below(node, top);
            let sides = [
                (inside.len(), below[at], true),
                (room.len() - inside.len(), outside, false),
            ];
            for (size, (wanted, node), is_below) in sides {
                let cannot_be_divided = !self.division.totals[size];
                if !cannot_be_divided && wanted <= size {
                    continue;
                }
                found.conclude_by(Literal::no(bridge), || {
                    let nodes: Vec<u32> = match is_below {
                        true => inside.to_vec(),
                        false => room
                            .iter()
                            .copied()
                            .filter(|node| !is_inside(*node))
                            .collect(),
                    };
                    let own: HashSet<u32> = nodes.iter().copied().collect();
                    let mut reason = self.border(&nodes, |node| own.contains(&node), bridge);
                    if !cannot_be_divided {
                        let group = &groups[self.trees.root_of(node) as usize];
                        reason.extend(self.held_for(group, size));
                    }
                    reason
                });
                break;
            }
        }
    }
}

impl Saved for Division {
    fn save(&self, out: &mut Writer) {
        self.sizes.save(out);
        self.row_of.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Division, Unsound> {
        let (sizes, row_of): (Vec<Vec<u32>>, Vec<u32>) = (Vec::load(from)?, Vec::load(from)?);
        let rises = |row: &Vec<u32>| row.windows(2).all(|two| two[0] < two[1]);
        let is_row = |row: &u32| (*row as usize) < sizes.len();
        let is_sound = sizes
            .iter()
            .all(|row| rises(row) && row.first() != Some(&0))
            && row_of.iter().all(is_row)
            && sizes.is_empty() == row_of.is_empty();
        ensure(is_sound, "regions have no such sizes")?;
        if sizes.is_empty() {
            return Ok(Division::of_any_size());
        }
        from.make_room::<bool>(row_of.len() + 1)?;
        Ok(Division::new(sizes, row_of))
    }
}
