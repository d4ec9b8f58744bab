//! A flow network of nested counts. Edges lead from each count to the counts inside it, and to the places that hold
//! one of its values unless an inner count has both. Each place takes one unit.

use super::Bounds;
use crate::Candidates;
use ndscript_base::room;

/// The root, which contains all counts.
pub(super) const ROOT: usize = 0;

/// A count, by the numbers of its parent and its children.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub parent: usize,
    pub least: u32,
    pub most: u32,
    pub children: Vec<u32>,
    /// Edges to places, each as place times number of classes plus class.
    pub slots: Vec<u32>,
}

/// The network of some places.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    pub places: usize,
    /// Classes of values that no count distinguishes, as masks. One more class is for all other values.
    classes: Vec<Vec<u64>>,
    pub nodes: Vec<Node>,
    /// The node that a place gets a class from, by slot.
    leaves: Vec<u16>,
}

impl Network {
    /// Builds the network. Any two counts are nested or disjoint, larger ones come first, `places` are sorted, and
    /// each count is a union of classes.
    pub fn new(places: &[u32], classes: Vec<Vec<u64>>, counts: &[Bounds]) -> Network {
        let width = classes.len() + 1;
        let mut network = Network {
            places: places.len(),
            classes,
            nodes: vec![Node::default()],
            leaves: vec![ROOT as u16; places.len() * width],
        };
        for count in counts {
            let number = network.nodes.len();
            let held: Vec<usize> = (0..width - 1)
                .filter(|class| meet(&network.classes[*class], &count.values))
                .collect();
            let mut parent = ROOT;
            for place in count.places.iter() {
                let Ok(at) = places.binary_search(place) else {
                    continue;
                };
                for class in &held {
                    let leaf = &mut network.leaves[at * width + class];
                    parent = usize::from(std::mem::replace(leaf, number as u16));
                }
            }
            let most = count.most.min(count.places.len() as u64) as u32;
            network.nodes.push(Node {
                parent,
                least: count.least.min(u64::from(u32::MAX)) as u32,
                most,
                ..Node::default()
            });
            network.nodes[parent].children.push(number as u32);
        }
        for (slot, leaf) in network.leaves.iter().enumerate() {
            network.nodes[usize::from(*leaf)].slots.push(slot as u32);
        }
        network
    }

    /// How many classes there are, with the one of all other values.
    pub fn width(&self) -> usize {
        self.classes.len() + 1
    }

    /// The node that a place gets a class from.
    #[inline]
    pub fn leaf(&self, place: usize, class: usize) -> usize {
        usize::from(self.leaves[place * self.width() + class])
    }

    /// The classes of which a place can hold something, as bits.
    pub fn classes_of(&self, candidates: Candidates<'_>) -> u64 {
        let (first, words) = candidates.words();
        let (mut found, mut others) = (0, false);
        for (at, bits) in words.iter().enumerate() {
            let mut left = *bits;
            for (number, class) in self.classes.iter().enumerate() {
                let mask = class.get(first + at).copied().unwrap_or(0);
                found |= u64::from(bits & mask != 0) << number;
                left &= !mask;
            }
            others |= left != 0;
        }
        found | u64::from(others) << self.classes.len()
    }

    /// The class of a value.
    pub fn class_of(&self, value: usize) -> usize {
        let contains = |class: &Vec<u64>| {
            let word = class.get(value / 64).copied().unwrap_or(0);
            word >> (value % 64) & 1 == 1
        };
        let found = self.classes.iter().position(contains);
        found.unwrap_or(self.classes.len())
    }

    /// The values of some classes, as a mask of `words` words.
    pub fn values_of(&self, classes: u64, words: usize) -> Vec<u64> {
        let mut mask = vec![0; words];
        let of_others = classes >> self.classes.len() & 1 == 1;
        for (at, word) in mask.iter_mut().enumerate() {
            let (mut own, mut known) = (0, 0);
            for (number, class) in self.classes.iter().enumerate() {
                let values = class.get(at).copied().unwrap_or(0);
                known |= values;
                own |= values * (classes >> number & 1);
            }
            *word = own | if of_others { !known } else { 0 };
        }
        mask
    }

    /// The approximate number of edges.
    pub fn size(&self) -> usize {
        self.leaves.len() + 2 * self.nodes.len()
    }

    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.iter();
        let of_nodes = nodes.map(|node| room::row(&node.children) + room::row(&node.slots));
        let classes: usize = self.classes.iter().map(room::row).sum();
        room::row(&self.classes)
            + classes
            + room::row(&self.nodes)
            + room::row(&self.leaves)
            + of_nodes.sum::<usize>()
    }
}

/// Whether two masks have something in common.
pub(super) fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}
