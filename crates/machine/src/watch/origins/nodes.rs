//! The graph of origins, which only grows at its end. A value depends on what it was computed from, and, more
//! loosely, on what decided that it was computed.

use super::number_set::NumberSet;
use ndscript_heap::Value;

/// A collection that was read as a whole: the writes into it until then, and the other origins of its places.
#[derive(Clone, Debug)]
pub struct WholeRead {
    pub collection: Value,
    /// The number of definitions so far; 0 if all places are known one by one.
    pub definitions: u32,
    pub places: Box<[Node]>,
}

/// Where a value comes from.
pub type Node = u32;

/// Constants of the program.
pub const NOWHERE: Node = 0;

/// As [`NOWHERE`], for a place of which more is known than of the rest of its collection.
pub const CONSTANT: Node = 1;

/// The most nodes visited, and definitions found, for one value.
const MOST_VISITED: usize = 1000;
const MOST_FOUND: usize = 64;

/// Whether one node is within another already is checked to this depth.
const CONTAINMENT_DEPTH: usize = 3;

/// At most this many recent deciding nodes are cached.
const CACHED_DECISIONS: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Nothing,
    Both(Node, Node),
    /// A write or a guess.
    Definition(u32),
    /// All writes into a collection until then.
    Whole(u32),
    /// The first value of a place that was never written.
    Untouched,
    /// It decided, but was no part of the value.
    Deciding(Node),
    /// It said where to look, or led to a collection.
    Leading(Node),
}

/// How a definition had a part, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum DefinitionRole {
    Value,
    Decision,
    Lead,
}

/// What a value depends on.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Definitions that the value was computed from, those that decided, and those that led there.
    pub parts: Vec<u32>,
    pub deciding: Vec<u32>,
    pub leading: Vec<u32>,
    /// Collections that were read as a whole: the known origins of their places are among the others.
    pub wholes: Vec<u32>,
    pub deciding_wholes: Vec<u32>,
    /// Places that were never written.
    pub untouched: Vec<Node>,
}

impl Found {
    /// All definitions, however they had a part.
    pub fn all(&self) -> Vec<u32> {
        self.parts
            .iter()
            .chain(&self.deciding)
            .chain(&self.leading)
            .copied()
            .collect()
    }
}

#[derive(Clone, Debug)]
pub struct Nodes {
    shapes: Vec<Shape>,
    /// Of each node, whether it only decided or led somewhere, and is no part of a value.
    is_loose: Vec<bool>,
    wholes: Vec<WholeRead>,
    /// The places of all of these.
    places: usize,
    /// The nodes joined last, and the result.
    latest: (Node, Node, Node),
    /// The nodes that have decided lately: a loop asks for them again and again.
    decided: [(Node, Node); CACHED_DECISIONS],
}

/// The size of the graph, to go back to.
#[derive(Clone, Copy, Debug)]
pub struct GraphSize {
    shapes: usize,
    wholes: usize,
}

impl GraphSize {
    /// The first node added since.
    pub fn first_after(&self) -> Node {
        self.shapes as Node
    }
}

/// The direct dependencies of a node.
#[derive(Clone, Copy, Debug)]
pub enum Predecessors {
    Nodes([Node; 2]),
    Definition(u32),
    Whole(u32),
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes {
            shapes: vec![Shape::Nothing; 2],
            is_loose: vec![true; 2],
            wholes: Vec::new(),
            places: 0,
            latest: (NOWHERE, NOWHERE, NOWHERE),
            decided: [(NOWHERE, NOWHERE); CACHED_DECISIONS],
        }
    }
}

impl Nodes {
    pub fn bytes(&self) -> usize {
        self.shapes.capacity() * (size_of::<Shape>() + 1)
            + self.wholes.capacity() * size_of::<WholeRead>()
            + self.places * size_of::<Node>()
    }

    pub fn extent(&self) -> GraphSize {
        GraphSize {
            shapes: self.shapes.len(),
            wholes: self.wholes.len(),
        }
    }

    /// Discards nodes added since. No remaining node refers to them.
    pub fn cut_back(&mut self, extent: GraphSize) {
        self.shapes.truncate(extent.shapes);
        self.is_loose.truncate(extent.shapes);
        self.places -= self
            .wholes
            .drain(extent.wholes..)
            .map(|whole| whole.places.len())
            .sum::<usize>();
        self.latest = (NOWHERE, NOWHERE, NOWHERE);
        self.decided = [(NOWHERE, NOWHERE); CACHED_DECISIONS];
    }

    fn add(&mut self, shape: Shape) -> Node {
        self.is_loose.push(match shape {
            Shape::Both(a, b) => self.is_loose[a as usize] && self.is_loose[b as usize],
            shape => matches!(shape, Shape::Deciding(_) | Shape::Leading(_)),
        });
        self.shapes.push(shape);
        (self.shapes.len() - 1) as Node
    }

    pub fn definition(&mut self, number: u32) -> Node {
        self.add(Shape::Definition(number))
    }

    pub fn untouched(&mut self) -> Node {
        self.add(Shape::Untouched)
    }

    pub fn whole(&mut self, whole: WholeRead) -> Node {
        self.places += whole.places.len();
        self.wholes.push(whole);
        self.add(Shape::Whole((self.wholes.len() - 1) as u32))
    }

    /// The node that depends on `node` as on a decision. A loop that continues by what decided before does not make
    /// it grow.
    pub fn as_decision(&mut self, node: Node) -> Node {
        if self.is_loose[node as usize] {
            return node;
        }
        let at = node as usize % CACHED_DECISIONS;
        if self.decided[at].0 != node {
            let deciding = match self.shapes[node as usize] {
                Shape::Both(a, b) if self.is_loose[a as usize] => self.add_deciding(a, b),
                Shape::Both(a, b) if self.is_loose[b as usize] => self.add_deciding(b, a),
                _ => self.add(Shape::Deciding(node)),
            };
            self.decided[at] = (node, deciding);
        }
        self.decided[at].1
    }

    /// Joins a node that already decided and one that must count as a decision, too.
    fn add_deciding(&mut self, loose: Node, node: Node) -> Node {
        let at = node as usize % CACHED_DECISIONS;
        if self.decided[at].0 != node {
            self.decided[at] = (node, self.add(Shape::Deciding(node)));
        }
        self.both(loose, self.decided[at].1)
    }

    /// The node that depends on `node` as on what said where to look, or led to a collection.
    pub fn as_lead(&mut self, node: Node) -> Node {
        match self.shapes[node as usize] {
            Shape::Nothing | Shape::Leading(_) => node,
            _ => self.add(Shape::Leading(node)),
        }
    }

    fn has(&self, node: Node, wanted: Node, depth: usize) -> bool {
        node == wanted
            || depth > 0
                && matches!(self.shapes[node as usize], Shape::Both(a, b)
                    if self.has(b, wanted, depth - 1) || self.has(a, wanted, depth - 1))
    }

    /// A node that depends on both.
    pub fn both(&mut self, a: Node, b: Node) -> Node {
        if b <= CONSTANT || self.has(a, b, CONTAINMENT_DEPTH) {
            return a;
        }
        if a <= CONSTANT || self.has(b, a, CONTAINMENT_DEPTH) {
            return b;
        }
        if (self.latest.0, self.latest.1) == (a, b) {
            return self.latest.2;
        }
        let node = self.add(Shape::Both(a, b));
        self.latest = (a, b, node);
        node
    }

    /// The definition that a node is, if it is just that.
    pub fn as_definition(&self, node: Node) -> Option<u32> {
        match self.shapes[node as usize] {
            Shape::Definition(number) => Some(number),
            _ => None,
        }
    }

    pub fn predecessors(&self, node: Node) -> Predecessors {
        match self.shapes[node as usize] {
            Shape::Nothing | Shape::Untouched => Predecessors::Nodes([NOWHERE; 2]),
            Shape::Both(a, b) => Predecessors::Nodes([a, b]),
            Shape::Deciding(inner) | Shape::Leading(inner) => Predecessors::Nodes([inner, NOWHERE]),
            Shape::Definition(number) => Predecessors::Definition(number),
            Shape::Whole(at) => Predecessors::Whole(at),
        }
    }

    /// Whether all that is known of a node is that it is equal wherever it is read.
    pub fn is_untouched(&self, node: Node) -> bool {
        self.shapes[node as usize] == Shape::Untouched
    }

    /// A collection that was read as a whole.
    pub fn looked_at(&self, whole: u32) -> &WholeRead {
        &self.wholes[whole as usize]
    }

    /// What a value depends on, the latest first.
    pub fn find(&self, node: Node) -> Found {
        let mut found = Found::default();
        if node <= CONSTANT {
            return found;
        }
        let mut seen = NumberSet::default();
        let mut open = vec![(node, DefinitionRole::Value)];
        while let Some((node, part)) = open.pop() {
            if seen.len() >= MOST_VISITED {
                break;
            }
            if !seen.insert(u64::from(node) * 4 + part as u64) {
                continue;
            }
            match (self.shapes[node as usize], part) {
                (Shape::Nothing, _) => {}
                (Shape::Both(a, b), _) => open.extend([(a, part), (b, part)]),
                (Shape::Deciding(inner), _) => {
                    open.push((inner, part.max(DefinitionRole::Decision)))
                }
                (Shape::Leading(inner), _) => open.push((inner, DefinitionRole::Lead)),
                (Shape::Definition(number), DefinitionRole::Value) => found.parts.push(number),
                (Shape::Definition(number), DefinitionRole::Decision) => {
                    found.deciding.push(number)
                }
                (Shape::Definition(number), DefinitionRole::Lead) => found.leading.push(number),
                (Shape::Whole(at), DefinitionRole::Value) => {
                    found.wholes.push(at);
                    open.extend(
                        self.wholes[at as usize]
                            .places
                            .iter()
                            .map(|place| (*place, DefinitionRole::Value)),
                    );
                }
                (Shape::Whole(at), _) => {
                    found.deciding_wholes.push(at);
                    if part == DefinitionRole::Decision {
                        open.extend(
                            self.wholes[at as usize]
                                .places
                                .iter()
                                .map(|place| (*place, part)),
                        );
                    }
                }
                (Shape::Untouched, DefinitionRole::Value) => found.untouched.push(node),
                (Shape::Untouched, _) => {}
            }
        }
        for list in [&mut found.parts, &mut found.deciding, &mut found.leading] {
            list.sort_unstable_by(|a, b| b.cmp(a));
            list.dedup();
            list.truncate(MOST_FOUND);
        }
        found
    }
}
