//! Nodes and edges by number, and their adjacency.

use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};
use ndscript_base::room;

/// A graph without direction. Two nodes may have several edges; no edge joins a node with itself.
#[derive(Clone, Debug, Default)]
pub struct Wiring {
    nodes: u32,
    /// The two nodes of each edge, one after the other.
    ends: Vec<u32>,
    /// For each node where its edges begin in `around`.
    starts: Vec<u32>,
    /// An edge and the node at its other end.
    around: Vec<[u32; 2]>,
}

impl Wiring {
    /// Two nodes for each edge, one after the other; an odd one at the end is none.
    pub fn new(nodes: u32, mut ends: Vec<u32>) -> Wiring {
        ends.truncate(ends.len() / 2 * 2);
        let mut starts = vec![0; nodes as usize + 1];
        for node in &ends {
            starts[*node as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut around = vec![[0; 2]; ends.len()];
        for (edge, pair) in ends.chunks_exact(2).enumerate() {
            for (node, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let at = &mut next[node as usize];
                around[*at as usize] = [edge as u32, other];
                *at += 1;
            }
        }
        Wiring {
            nodes,
            ends,
            starts,
            around,
        }
    }

    /// The bytes of a graph with this number of nodes and edges.
    pub fn bytes_of(nodes: usize, edges: usize) -> usize {
        4 * (nodes + 1) + edges * (2 * 4 + 2 * 8)
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.nodes as usize
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.ends.len() / 2
    }

    /// The two nodes of an edge.
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        let at = 2 * edge as usize;
        [self.ends[at], self.ends[at + 1]]
    }

    /// The edges of a node, each with the node at its other end.
    pub fn around(&self, node: u32) -> &[[u32; 2]] {
        let at = node as usize;
        &self.around[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        room::row(&self.ends) + room::row(&self.starts) + room::row(&self.around)
    }
}

impl Saved for Wiring {
    fn save(&self, out: &mut Writer) {
        self.nodes.save(out);
        self.ends.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Wiring, Unsound> {
        let nodes = u32::load(from)?;
        let ends: Vec<u32> = Vec::load(from)?;
        let is_sound = ends.iter().all(|node| *node < nodes)
            && ends
                .chunks(2)
                .all(|pair| pair.len() == 2 && pair[0] != pair[1]);
        ensure(is_sound, "an edge joins what is no node")?;
        from.make_room::<u32>(2 * nodes as usize + 2)?;
        from.make_room::<[u32; 2]>(ends.len())?;
        Ok(Wiring::new(nodes, ends))
    }
}
