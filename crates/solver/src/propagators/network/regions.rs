//! `regions`: places with equal values that touch form regions, which have one of some sizes, or are one for each
//! value.

use crate::ConstraintNumber;
use std::collections::VecDeque;

use super::depth::{Depth, NONE};
use super::joining::Joining;
use super::wiring::Wiring;
use crate::kernel::{Inferences, Literal, Status};
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};
use ndscript_base::room;

/// The conditions on the regions of each value.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// For each value the places that could hold it at first. Their items lie one after the other.
    pub places: Vec<Vec<u32>>,
    /// For each value the sizes that its regions may have, in order; empty if any size will do.
    pub sizes: Vec<Vec<u32>>,
    /// Whether a value has at most one region.
    pub single: bool,
}

impl Regions {
    /// How many items there are.
    pub fn count(&self) -> usize {
        self.places.iter().map(Vec::len).sum()
    }

    /// Whether everything is there for each value, and about nodes that there are.
    pub fn fits(&self, nodes: usize) -> bool {
        let mut places = self.places.iter().flatten();
        places.all(|place| (*place as usize) < nodes)
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        let rows =
            |rows: &Vec<Vec<u32>>| room::row(rows) + rows.iter().map(room::row).sum::<usize>();
        rows(&self.places) + rows(&self.sizes)
    }

    /// Infers what follows for the regions of each value.
    pub fn infer(&self, wiring: &Wiring, status: &[Status], found: &mut Inferences) {
        let nodes = wiring.nodes();
        let mut items = vec![NONE; nodes];
        let mut sizing = Sizing::new(nodes);
        let mut item = 0;
        for (value, places) in self.places.iter().enumerate() {
            for place in places {
                items[*place as usize] = item;
                item += 1;
            }
            found.spend(4 * places.len() + 4);
            let joining = Joining {
                wiring,
                status,
                has_fits: false,
                items: Some(&items),
            };
            if self.single {
                joining.infer_piece(found);
            }
            if let Some(sizes) = self.sizes.get(value) {
                sizing.infer(&joining, places, sizes, found);
            }
            if found.failure().is_some() {
                return;
            }
            for place in places {
                items[*place as usize] = NONE;
            }
        }
    }
}

impl Saved for Regions {
    fn save(&self, out: &mut Writer) {
        let Regions {
            places,
            sizes,
            single,
        } = self;
        places.save(out);
        sizes.save(out);
        single.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Regions, Unsound> {
        let loaded = Regions {
            places: Vec::load(from)?,
            sizes: Vec::load(from)?,
            single: bool::load(from)?,
        };
        let rises = |row: &Vec<u32>| row.windows(2).all(|two| two[0] < two[1]);
        let has_all = loaded.sizes.is_empty() || loaded.sizes.len() == loaded.places.len();
        let is_sound = has_all && loaded.sizes.iter().chain(&loaded.places).all(rises);
        ensure(is_sound, "regions have no such sizes")?;
        Ok(loaded)
    }
}

/// The sizes of the regions of one value; rows are cleared after it for the next one.
struct Sizing {
    /// The region of a node that holds the value, and the part of a node that may.
    piece: Vec<u32>,
    part: Vec<u32>,
    /// The distance of a node from the growing region.
    steps: Vec<u32>,
    depth: Depth,
}

impl Sizing {
    fn new(nodes: usize) -> Sizing {
        Sizing {
            piece: vec![NONE; nodes],
            part: vec![NONE; nodes],
            steps: vec![NONE; nodes],
            depth: Depth::new(nodes),
        }
    }

    /// Infers what follows for regions of these sizes on some places.
    fn infer(
        &mut self,
        joining: &Joining<'_>,
        places: &[u32],
        sizes: &[u32],
        found: &mut Inferences,
    ) {
        let pieces = gather(joining, places, &mut self.piece, |status| {
            status == Status::Yes
        });
        let parts = gather(joining, places, &mut self.part, |status| {
            status != Status::No
        });
        let visits: usize = places
            .iter()
            .map(|place| joining.wiring.around(*place).len())
            .sum();
        found.spend(4 * (places.len() + visits));
        let mut is_sound = true;
        for (number, part) in parts.iter().enumerate() {
            is_sound = is_sound && self.infer_part(joining, number as u32, part, sizes, found);
        }
        for piece in &pieces {
            is_sound = is_sound && self.infer_piece(joining, &parts, piece, sizes, found);
        }
        if is_sound {
            self.infer_joints(joining, &pieces, places, sizes, found);
        }
        for place in places {
            self.piece[*place as usize] = NONE;
            self.part[*place as usize] = NONE;
        }
    }

    /// A part that is too small for any region contains none; false if it does.
    fn infer_part(
        &self,
        joining: &Joining<'_>,
        number: ConstraintNumber,
        part: &[u32],
        sizes: &[u32],
        found: &mut Inferences,
    ) -> bool {
        if sizes
            .first()
            .is_some_and(|least| *least as usize <= part.len())
        {
            return true;
        }
        let border = || match sizes {
            [] => Vec::new(),
            _ => {
                let inside = |node: u32| self.part[node as usize] == number;
                joining.border(part, inside, (None, None))
            }
        };
        let held = part.iter().find(|node| joining.node(**node) == Status::Yes);
        if let Some(node) = held {
            found.fail_by(|| {
                let mut reason = border();
                reason.push(Literal::yes(joining.item(*node)));
                reason
            });
            return false;
        }
        for (at, node) in part.iter().enumerate() {
            let literal = Literal::no(joining.item(*node));
            match at {
                0 => found.conclude_by(literal, border),
                _ => found.conclude_too(literal),
            }
        }
        true
    }

    /// A region must not be too large, and must be able to grow; false if it is or cannot.
    fn infer_piece(
        &mut self,
        joining: &Joining<'_>,
        parts: &[Vec<u32>],
        piece: &[u32],
        sizes: &[u32],
        found: &mut Inferences,
    ) -> bool {
        let size = piece.len() as u32;
        let literals_of = |nodes: &[u32]| -> Vec<Literal> {
            let items = nodes.iter().map(|node| joining.item(*node));
            items.map(Literal::yes).collect()
        };
        let Some(wanted) = sizes.iter().copied().find(|wanted| *wanted >= size) else {
            let most = sizes.last().copied().unwrap_or(0) as usize;
            found.fail_by(|| literals_of(&piece[..most + 1]));
            return false;
        };
        // One node is reason enough for a region that is smaller than all sizes.
        let least = sizes.first().copied().unwrap_or(0);
        let reason_size = |most: usize| {
            if least as usize > most {
                1
            } else {
                piece.len()
            }
        };
        let number = self.part[piece[0] as usize];
        let part = &parts[number as usize];
        if (wanted as usize) > part.len() {
            found.fail_by(|| {
                let inside = |node: u32| self.part[node as usize] == number;
                let mut reason = joining.border(part, inside, (None, None));
                reason.extend(literals_of(&piece[..reason_size(part.len())]));
                reason
            });
            return false;
        }
        if wanted == size {
            return true;
        }
        // A region of the next wanted size lies within this number of steps.
        let near = self.reach_within(joining, piece, wanted - size);
        let steps = &self.steps;
        let is_near = |node: u32| steps[node as usize] != NONE;
        self.depth
            .search(joining.wiring, piece[0], |_, to| is_near(to));
        let depth = &self.depth;
        found.spend(8 * near.len() + 4 * depth.visits);
        for node in near
            .iter()
            .filter(|node| joining.node(**node) == Status::Open)
        {
            let subtrees = || {
                let around = joining.wiring.around(*node).iter();
                around.filter(|[edge, other]| {
                    depth.by[*other as usize] == *edge
                        && depth.is_discovered(*other)
                        && depth.above[*other as usize] == *node
                        && depth.hangs(*other)
                })
            };
            let lost_nodes: usize = subtrees().map(|[_, other]| depth.below(*other).len()).sum();
            let left = depth.order.len() - 1 - lost_nodes;
            if left >= wanted as usize {
                continue;
            }
            found.conclude_by(Literal::yes(joining.item(*node)), || {
                let remains = |other: u32| {
                    let is_in_subtree = |[_, top]: &[u32; 2]| depth.is_below(other, *top);
                    depth.is_discovered(other) && other != *node && !subtrees().any(is_in_subtree)
                };
                let remaining = depth.order.iter().copied().filter(|node| remains(*node));
                let remaining: Vec<u32> = remaining.collect();
                let mut reason = joining.border(&remaining, remains, (Some(*node), None));
                reason.extend(literals_of(&piece[..reason_size(left)]));
                reason
            });
        }
        self.depth.clear();
        self.depth.visits = 0;
        for node in near {
            self.steps[node as usize] = NONE;
        }
        true
    }

    /// The nodes that may hold the value within some steps of a region, with the region.
    fn reach_within(&mut self, joining: &Joining<'_>, piece: &[u32], most: u32) -> Vec<u32> {
        let mut near = piece.to_vec();
        piece.iter().for_each(|node| self.steps[*node as usize] = 0);
        let mut at = 0;
        while let Some(node) = near.get(at).copied() {
            at += 1;
            let next = self.steps[node as usize] + 1;
            for [_, other] in joining.wiring.around(node) {
                let is_new = self.steps[*other as usize] == NONE;
                if is_new && next <= most && joining.node(*other) != Status::No {
                    self.steps[*other as usize] = next;
                    near.push(*other);
                }
            }
        }
        near
    }

    /// A place that would make regions too large is on none of them.
    fn infer_joints(
        &self,
        joining: &Joining<'_>,
        pieces: &[Vec<u32>],
        places: &[u32],
        sizes: &[u32],
        found: &mut Inferences,
    ) {
        let most = sizes.last().copied().unwrap_or(0) as usize;
        let mut adjacent = Vec::new();
        for node in places
            .iter()
            .filter(|node| joining.node(**node) == Status::Open)
        {
            adjacent.clear();
            for [_, other] in joining.wiring.around(*node) {
                let piece = self.piece[*other as usize];
                if piece != NONE && !adjacent.contains(&piece) {
                    adjacent.push(piece);
                }
            }
            let sum: usize = adjacent
                .iter()
                .map(|piece| pieces[*piece as usize].len())
                .sum();
            if !adjacent.is_empty() && sum >= most {
                found.conclude_by(Literal::no(joining.item(*node)), || {
                    joined_to(joining, *node, most)
                });
            }
        }
    }
}

/// `count` places that hold the value and are joined to a node.
fn joined_to(joining: &Joining<'_>, node: u32, count: usize) -> Vec<Literal> {
    let mut seen = std::collections::BTreeSet::from([node]);
    let mut waiting = VecDeque::from([node]);
    let mut joined = Vec::new();
    while let Some(node) = waiting.pop_front() {
        for [_, other] in joining.wiring.around(node) {
            let is_held = joining.node(*other) == Status::Yes;
            if joined.len() < count && is_held && seen.insert(*other) {
                joined.push(Literal::yes(joining.item(*other)));
                waiting.push_back(*other);
            }
        }
    }
    joined
}

/// Groups those of some nodes that are of a kind and touch; each node records the number of its group.
fn gather(
    joining: &Joining<'_>,
    places: &[u32],
    numbers: &mut [u32],
    is_wanted: impl Fn(Status) -> bool,
) -> Vec<Vec<u32>> {
    let mut groups = Vec::new();
    for place in places {
        if numbers[*place as usize] != NONE || !is_wanted(joining.node(*place)) {
            continue;
        }
        let number = groups.len() as u32;
        let mut group = vec![*place];
        numbers[*place as usize] = number;
        let mut at = 0;
        while let Some(node) = group.get(at).copied() {
            at += 1;
            for [_, other] in joining.wiring.around(node) {
                let known = &mut numbers[*other as usize];
                if *known == NONE && is_wanted(joining.node(*other)) {
                    *known = number;
                    group.push(*other);
                }
            }
        }
        groups.push(group);
    }
    groups
}
