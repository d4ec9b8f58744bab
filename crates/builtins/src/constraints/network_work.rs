//! Rules over graphs, made of the arguments of built-ins in pieces: the edges, and the meaning of places.

use super::constraint_work::{RelationBuilder, Rows};
use super::missing::MissingSearch;
use super::place::place_named;
use super::region_sizes::{NodeSizes, sizes_of};
use ndscript_base::budget::Budget;
use ndscript_base::keyed::{KeyedMap, KeyedSet};
use ndscript_base::room;
use ndscript_heap::board::Rule;
use ndscript_heap::{Kind, Value};
use ndscript_machine::errors::error::{ErrorKind, Fault};
use ndscript_machine::natives::context::Context;
use ndscript_machine::work::Tracer;
use ndscript_machine::work::candidates::MaskWork;
use ndscript_machine::work::freezing::FreezeAllWork;
use ndscript_machine::work::naming::Names;
use ndscript_machine::work::posting::{ConstraintBuilder, Target};
use ndscript_solver::{
    Booleans, Constraint, Lattice, MOST_OF_NETWORK, Network, Regions, Shape, Wiring,
};

/// The parameters of a graph that are known before its nodes.
#[derive(Clone)]
pub enum Wanted {
    /// A shape over places with some values.
    Shape(Shape),
    /// Regions, of one piece for each value or not.
    Regions { single: bool, has_sizes: bool },
    /// Regions of nodes that edges part.
    Division,
}

/// The source of the edges.
#[derive(Clone)]
pub enum Edges {
    /// A place is an edge; its nodes come after it in the list.
    Listed,
    /// The neighbors on a grid.
    Lattice(Lattice),
    /// A relation, or a list of pairs, of places.
    Links(Value),
}

/// The neighbors that count: those joined by a relation, or a relation for the right and one for below.
#[derive(Clone)]
pub enum NeighborRelation {
    /// Every neighbor, without a relation.
    All,
    /// One relation, for either order of the two.
    Both,
    /// The number of the relation for each of the two sides.
    Sides([Option<u32>; 2]),
}

/// A rule over a graph, being built.
#[derive(Clone)]
pub struct NetworkBuilder {
    function: &'static str,
    wanted: Wanted,
    edges: Edges,
    joined: NeighborRelation,
    relating: Option<RelationBuilder<()>>,
    values: Option<MaskWork>,
    missing: Option<MissingSearch>,
    /// The nodes of edges, or values with their sizes: as they were given, and frozen.
    argument: Option<Value>,
    /// Nodes with the sizes of their regions, or one size for all.
    sizes: Option<Value>,
    frozen: FreezeAllWork,
    names: Names,
    /// The next item of a list or a grid, and the place that was named before it.
    at: usize,
    first: Option<u32>,
    numbers: KeyedMap<Value, u32>,
    known: KeyedSet<u64>,
    ends: Vec<u32>,
    /// Triples: the first place, the second place, the number of the relation.
    fits: Vec<u32>,
}

impl NetworkBuilder {
    pub fn new(function: &'static str, wanted: Wanted, edges: Edges) -> NetworkBuilder {
        NetworkBuilder {
            function,
            wanted,
            edges,
            joined: NeighborRelation::All,
            relating: None,
            values: None,
            missing: Some(MissingSearch::default()),
            argument: None,
            sizes: None,
            frozen: FreezeAllWork::new(Vec::new()),
            names: Names::default(),
            at: 0,
            first: None,
            numbers: KeyedMap::default(),
            known: KeyedSet::default(),
            ends: Vec::new(),
            fits: Vec::new(),
        }
    }

    /// With the values that it is about.
    pub fn about(mut self, values: Value, allows_missing: bool) -> NetworkBuilder {
        self.values = Some(MaskWork::new(values));
        self.missing = self.missing.filter(|_| !allows_missing);
        self
    }

    /// With an array of nodes, or of values and their sizes.
    pub fn listing(mut self, list: Value) -> NetworkBuilder {
        self.argument = Some(list);
        self
    }

    /// With an array of nodes and the sizes of their regions, or one element that is for all.
    pub fn sized_by(mut self, sizes: Value) -> NetworkBuilder {
        self.sizes = Some(sizes);
        self
    }

    /// With relations for the neighbors that count.
    pub fn joined_by(mut self, joined: NeighborRelation, rows: Vec<Rows>) -> NetworkBuilder {
        self.joined = joined;
        let allows_missing = self.missing.is_none();
        self.relating = Some(RelationBuilder::tables_of(
            self.function,
            allows_missing,
            rows,
        ));
        self
    }

    /// Continues to make the mask of the values.
    fn mask(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let Some(values) = &mut self.values else {
            return Ok(true);
        };
        if !values.freeze(context, budget)?
            || !values.mask(context, target.board, &mut target.asking, budget)?
        {
            return Ok(false);
        }
        values.refuse_list(context, target.board, self.function, budget)?;
        match (&mut self.missing, values.unknown()) {
            (Some(missing), Some(value)) => {
                missing.refuse(context, target, self.function, value, budget)
            }
            _ => Ok(true),
        }
    }

    /// Continues to freeze the listed values, so that equal ones are one word.
    fn freeze(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let Some(list) = self.argument else {
            return Ok(true);
        };
        let of_each = match self.edges {
            Edges::Listed => 2,
            Edges::Lattice(_) | Edges::Links(_) => 1,
        };
        let listed = of_each * length_of(context, list);
        let sizes = self.sizes.map_or(0, |sizes| length_of(context, sizes));
        let count = listed + sizes;
        if self.frozen.values.capacity() < count {
            if !target.asking.ask(context, 8 * count)? {
                return Ok(false);
            }
            self.frozen.values.reserve_exact(count);
        }
        while self.frozen.values.len() < count {
            if budget.is_spent() {
                return Ok(false);
            }
            budget.spend(4);
            if let Some(sizes) = self.sizes.filter(|_| self.frozen.values.len() >= listed) {
                let element = element_of(context, sizes, self.frozen.values.len() - listed);
                self.frozen.values.push(element);
                continue;
            }
            let element = element_of(context, list, self.frozen.values.len() / of_each);
            if let Edges::Listed = self.edges {
                let nodes = [1, 2].map(|at| element_of(context, element, at));
                self.frozen.values.extend(nodes);
            } else {
                self.frozen.values.push(element);
            }
        }
        let frozen = self.frozen.resume(context, budget);
        frozen.map_err(|why| context.no_frozen(why, Context::not_frozen))
    }

    /// Makes room for one more edge.
    fn make_room(&mut self, context: &mut Context, target: &mut Target) -> Result<bool, Fault> {
        if self.ends.len() / 2 >= MOST_OF_NETWORK {
            return Err(too_large(self.function));
        }
        let mut bytes = 0;
        for row in [&self.ends, &self.fits] {
            if row.capacity() - row.len() < 3 {
                bytes += 4 * (2 * row.capacity() + 8);
            }
        }
        if self.known.len() == self.known.capacity() {
            bytes += room::hash_map(2 * self.known.capacity() + 4, 8);
        }
        if self.numbers.len() + 2 >= self.numbers.capacity() {
            bytes += room::hash_map(2 * self.numbers.capacity() + 4, 16);
        }
        target.asking.ask(context, bytes)
    }

    /// Continues to find the edges.
    fn find_edges(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        match self.edges.clone() {
            Edges::Listed => self.number_nodes(context, target, budget),
            Edges::Lattice(lattice) => {
                let cells = lattice.columns as usize * lattice.rows as usize;
                while self.at < cells {
                    if budget.is_spent() {
                        return Ok(false);
                    }
                    budget.spend(16);
                    let cell = self.at as u32;
                    for (side, other) in lattice.neighbors_of(cell) {
                        if !self.make_room(context, target)? {
                            return Ok(false);
                        }
                        // A cell that is started again has its first neighbors already.
                        self.join([cell, other], side);
                    }
                    self.at += 1;
                }
                Ok(true)
            }
            Edges::Links(list) => self.find_links(context, target, list, budget),
        }
    }

    /// Records an edge between two places, once, unless this side does not count. With a relation also records in `fits` which one the
    /// pair has to satisfy.
    fn join(&mut self, [a, b]: [u32; 2], side: usize) {
        let table = match self.joined {
            NeighborRelation::All => None,
            NeighborRelation::Both => Some(0),
            NeighborRelation::Sides(tables) => match tables.get(side).copied().flatten() {
                Some(table) => Some(table),
                None => return,
            },
        };
        // For a relation of one side, the order of the two matters.
        let is_turned = a > b && !matches!(self.joined, NeighborRelation::Sides(_));
        let [first, second] = if is_turned { [b, a] } else { [a, b] };
        let relation = table.unwrap_or(0);
        if a == b
            || !self
                .known
                .insert(u64::from(first) << 33 | u64::from(second) << 1 | u64::from(relation))
        {
            return;
        }
        self.ends.extend([first, second]);
        if let Some(table) = table {
            self.fits.extend([first, second, table]);
        }
    }

    /// Continues to read the list of edges; true when all are read.
    fn find_links(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        list: Value,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let count = length_of(context, list);
        while self.at < 2 * count {
            if budget.is_spent() || !self.make_room(context, target)? {
                return Ok(false);
            }
            budget.spend(8);
            let pair = match list.kind() {
                Kind::Relation => {
                    let pairs = &context.heap.relations[list.payload()].pairs;
                    pairs.get(self.at / 2).map(|(left, right)| [*left, *right])
                }
                _ => {
                    let pair = element_of(context, list, self.at / 2);
                    let is_pair = pair.is_kind(Kind::Array) && length_of(context, pair) == 2;
                    if !is_pair {
                        let wanted = "`links` as pairs of places";
                        return Err(context.wrong_argument(self.function, wanted, pair));
                    }
                    Some([0, 1].map(|at| element_of(context, pair, at)))
                }
            };
            let name = pair.map_or(Value::NULL, |pair| pair[self.at % 2]);
            let Some(name) = self.names.finding_name(context, name, budget) else {
                return Ok(false);
            };
            let place = place_named(context, self.function, target.container, name)? as u32;
            match self.first.take() {
                None => self.first = Some(place),
                Some(first) => self.join([first, place], 0),
            }
            self.at += 1;
        }
        Ok(true)
    }

    /// Continues to give nodes numbers.
    fn number_nodes(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<bool, Fault> {
        let count = 2 * self.argument.map_or(0, |edges| length_of(context, edges));
        while self.at < count {
            if budget.is_spent() || !self.make_room(context, target)? {
                return Ok(false);
            }
            budget.spend(16);
            let nodes = [self.frozen.values[self.at], self.frozen.values[self.at + 1]];
            if nodes[0] == nodes[1] {
                let message = format!(
                    "`{}` has an edge from {} to itself",
                    self.function,
                    context.brief(nodes[0])
                );
                return Err(Fault::error(ErrorKind::Value, message)
                    .with_hint("an edge joins two different nodes: `[place, node, node]`"));
            }
            for node in nodes {
                let next = self.numbers.len() as u32;
                self.ends.push(*self.numbers.entry(node).or_insert(next));
            }
            self.at += 2;
        }
        Ok(true)
    }

    /// The meaning of places for the rule, and the rule itself.
    fn make(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        sizes: &NodeSizes,
    ) -> Result<Network, Fault> {
        let solver = &context.heap.boards[target.board].solver;
        let (places, width) = (solver.places(), solver.width());
        let mut booleans = Booleans {
            width: width as u32,
            ..Booleans::default()
        };
        if let Some(values) = &mut self.values {
            booleans.masks = values.take();
        }
        let mut own = None;
        let nodes = match self.edges {
            Edges::Listed => self.numbers.len(),
            Edges::Lattice(_) | Edges::Links(_) => places,
        };
        if let Edges::Listed = self.edges {
            let places = std::mem::take(&mut target.places);
            booleans.holds = places.iter().flat_map(|place| [*place, 0]).collect();
            own = Some(places);
        }
        let shape = match &self.wanted {
            Wanted::Shape(shape) => {
                if own.is_none() {
                    booleans.holds = (0..places as u32).flat_map(|place| [place, 0]).collect();
                }
                shape.clone()
            }
            Wanted::Division => Shape::Division(sizes.division(context, self.function)?),
            Wanted::Regions { single, has_sizes } => {
                let mut regions = Regions {
                    single: *single,
                    ..Regions::default()
                };
                self.lay_out(context, target, &mut regions, &mut booleans)?;
                if !has_sizes {
                    regions.sizes = Vec::new();
                }
                Shape::Regions(regions)
            }
        };
        if let Some(relating) = &mut self.relating {
            let tables = relating.take_tables().into_iter();
            booleans.tables = tables.map(|[forward, _]| forward).collect();
            booleans.fits = std::mem::take(&mut self.fits);
        }
        Ok(Network {
            places: own,
            booleans,
            wiring: Wiring::new(nodes as u32, std::mem::take(&mut self.ends)),
            shape,
        })
    }

    /// What was said of the sizes of nodes.
    fn node_sizes(&self, context: &Context) -> NodeSizes {
        let listed = self.argument.filter(|_| self.sizes.is_some());
        let listed = listed.map_or(self.frozen.values.len(), |edges| {
            2 * length_of(context, edges)
        });
        NodeSizes::new(&self.frozen.values[listed..], &self.numbers)
    }

    /// The places of each value, and its possible sizes.
    fn lay_out(
        &self,
        context: &mut Context,
        target: &Target,
        regions: &mut Regions,
        booleans: &mut Booleans,
    ) -> Result<(), Fault> {
        let board = &context.heap.boards[target.board];
        let (places, width) = (board.solver.places(), board.solver.width());
        let mut places_by_value = vec![Vec::new(); board.universe().len()];
        for place in 0..places {
            for value in board.solver.candidates(place).numbers() {
                places_by_value[value].push(place as u32);
            }
        }
        let mut sizes = vec![Vec::new(); places_by_value.len()];
        for pair in self.frozen.values.chunks_exact(2) {
            let allowed = sizes_of(context, self.function, pair[1])?;
            let board = &context.heap.boards[target.board];
            if let Some(number) = board.number_of(pair[0]) {
                sizes[number] = allowed;
            }
        }
        for (value, (places, sizes)) in places_by_value.into_iter().zip(sizes).enumerate() {
            if places.is_empty() {
                continue;
            }
            let mask = regions.places.len() as u32;
            let holds = places.iter().flat_map(|place| [*place, mask]);
            booleans.holds.extend(holds);
            let start = booleans.masks.len();
            booleans.masks.resize(start + width, 0);
            booleans.masks[start + value / 64] = 1 << (value % 64);
            regions.places.push(places);
            regions.sizes.push(sizes);
        }
        Ok(())
    }

    /// At most how many items there are; checked before they are made.
    fn size(&self, context: &Context, target: &Target) -> usize {
        let board = &context.heap.boards[target.board];
        let items = match self.wanted {
            Wanted::Shape(_) | Wanted::Division => board.solver.places().max(target.places.len()),
            Wanted::Regions { .. } => (0..board.solver.places())
                .map(|place| board.solver.candidates(place).count() as usize)
                .sum(),
        };
        let nodes = match self.edges {
            Edges::Listed => self.numbers.len(),
            Edges::Lattice(_) | Edges::Links(_) => board.solver.places(),
        };
        items + self.fits.len() / 3 + nodes + self.ends.len() / 2
    }
}

/// The number of elements of an array, a set or a relation.
pub(super) fn length_of(context: &Context, list: Value) -> usize {
    match list.kind() {
        Kind::Set => context.heap.set_len(list),
        Kind::Relation => context.heap.relations[list.payload()].pairs.len(),
        _ => context.heap.array_len(list.payload()),
    }
}

/// An element of an array or a set.
pub(super) fn element_of(context: &mut Context, list: Value, at: usize) -> Value {
    let element = match list.kind() {
        Kind::Set => context.heap.set_get(list, at),
        _ => context.heap.element(list.payload(), at),
    };
    element.unwrap_or(Value::NULL)
}

fn too_large(function: &str) -> Fault {
    let message =
        format!("`{function}` has a graph of more than {MOST_OF_NETWORK} nodes, edges and places");
    Fault::error(ErrorKind::Value, message)
}

impl ConstraintBuilder for NetworkBuilder {
    fn resume(
        &mut self,
        context: &mut Context,
        target: &mut Target,
        budget: &mut Budget,
    ) -> Result<Option<Rule>, Fault> {
        if !self.mask(context, target, budget)?
            || !self.freeze(context, target, budget)?
            || !self.find_edges(context, target, budget)?
        {
            return Ok(None);
        }
        if let Some(relating) = &mut self.relating
            && !relating.relate(context, target, budget)?
        {
            return Ok(None);
        }
        let sizes = self.node_sizes(context);
        let size = self.size(context, target) + sizes.count(context);
        if size > MOST_OF_NETWORK {
            return Err(too_large(self.function));
        }
        let solver = &context.heap.boards[target.board].solver;
        let masks = 8 * solver.width() * context.heap.boards[target.board].universe().len();
        let bytes = Wiring::bytes_of(solver.places() + self.numbers.len(), self.ends.len() / 2)
            + 32 * size
            + masks;
        if !target.asking.ask(context, bytes)? {
            return Ok(None);
        }
        budget.spend(4 * size + masks / 32);
        let network = self.make(context, target, &sizes)?;
        Ok(Some(Constraint::from(network).into()))
    }

    fn trace(&self, tracer: &mut Tracer) {
        tracer.values.extend(self.argument);
        tracer.values.extend(self.sizes);
        if let Edges::Links(list) = self.edges {
            tracer.values.push(list);
        }
        self.frozen.trace(tracer);
        self.values.iter().for_each(|values| values.trace(tracer));
        self.relating
            .iter()
            .for_each(|relating| relating.show(tracer));
    }

    fn bytes(&self) -> usize {
        self.values.as_ref().map_or(0, MaskWork::bytes)
            + self.frozen.bytes()
            + self
                .relating
                .as_ref()
                .map_or(0, RelationBuilder::bytes_owned)
            + room::hash_map(self.numbers.capacity(), 16)
            + room::hash_map(self.known.capacity(), 8)
            + room::row(&self.ends)
            + room::row(&self.fits)
    }
}
