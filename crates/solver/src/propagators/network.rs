//! Rules over graphs of any kind: one loop, no loop, a region or a path by neighbors that are given, regions of given sizes.
//! Each is a kernel, which says what follows from Booleans and why; the propagator reads these from the board, and removes
//! what they rule out.

mod booleans;
mod circuit;
mod depth;
mod division;
mod forest;
mod joining;
mod lattice;
mod mistake;
mod regions;
mod spanning;
mod steps;
#[cfg(test)]
mod tests;
mod wiring;

pub use booleans::Booleans;
pub use division::Division;
use joining::Joining;
pub use lattice::Lattice;
pub use mistake::Mistake;
pub use regions::Regions;
pub use wiring::Wiring;

use super::super::kernel::{Inferences, Item, Kernel, Literal, Status};
use crate::groups::MOST_OF_GROUP;
use crate::propagator::{Call, Propagator};
use crate::{DomainWipeout, Fixpoint, Solver};
use depth::Depth;
use ndscript_base::budget::Budget;
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};
use ndscript_base::room;

/// The condition on a graph.
#[derive(Clone, Debug)]
pub enum Shape {
    /// The edges that hold are one closed loop. The items are the edges.
    Circuit,
    /// No closed loop is among them.
    Acyclic,
    /// The nodes that hold form one region. The items are the nodes, and then the edges if neighbors have to fit.
    Connected,
    /// Two nodes hold, and a path joins them whose shortest form has a number of steps within bounds.
    Reachable {
        /// The two nodes.
        ends: [u32; 2],
        /// The least and the most steps of the shortest path.
        steps: [u32; 2],
    },
    /// The regions of each value have some sizes, or are one. The items are the places of each value, one value after
    /// the other.
    Regions(Regions),
    /// The nodes fall into regions of some sizes, and the edges that hold are those between different ones.
    Division(Division),
}

/// A rule over a graph.
#[derive(Clone, Debug)]
pub struct Network {
    /// Its places, in the order in which they were named; `None` for the whole board.
    pub places: Option<Vec<u32>>,
    /// The meaning of its Booleans.
    pub booleans: Booleans,
    /// The graph.
    pub wiring: Wiring,
    /// The condition that its graph has to meet.
    pub shape: Shape,
}

/// The most nodes, edges and items. A graph is visited as a whole, some visits for each of them, so this bounds the
/// time of a visit to some pieces of work.
pub const MOST_OF_NETWORK: usize = 1 << 18;

impl Network {
    /// The bytes that a look at it takes.
    fn bytes_of_look(&self) -> usize {
        let (nodes, items) = (self.wiring.nodes(), self.booleans.count());
        let of_shape = match self.shape {
            Shape::Division(_) => Division::BYTES_OF_NODE * nodes,
            _ => 32 * nodes,
        };
        2 * Depth::bytes_of(nodes) + of_shape + 32 * items
    }

    /// The kernel of a rule that has a propagator of its own.
    pub(super) fn into_kernel(self) -> Option<Box<dyn Kernel>> {
        let size = self.wiring.nodes() + self.wiring.edges() + self.booleans.count();
        (size <= MOST_OF_NETWORK).then(|| -> Box<dyn Kernel> { Box::new(self) })
    }

    fn joining<'a>(&'a self, status: &'a [Status]) -> Joining<'a> {
        Joining {
            wiring: &self.wiring,
            status,
            has_fits: !self.booleans.fits.is_empty(),
            items: None,
        }
    }

    /// The inferences on the present board, but with `values` as the domain of one place.
    fn infer_with(&self, solver: &Solver, place: u32, values: &[u64]) -> (Vec<Status>, Inferences) {
        let mut status = Vec::new();
        let domain = |other: u32| match other == place {
            true => crate::Candidates::whole(values),
            false => solver.candidates(other as usize),
        };
        self.booleans.statuses(domain, &mut status);
        let mut found = Inferences::new(true);
        self.infer(&status, &mut found);
        (status, found)
    }
}

impl Kernel for Network {
    fn items(&self) -> Vec<Item> {
        self.booleans.items()
    }

    fn infer(&self, status: &[Status], found: &mut Inferences) {
        match &self.shape {
            Shape::Circuit => circuit::infer(&self.wiring, status, found),
            Shape::Acyclic => forest::infer(&self.wiring, status, found),
            Shape::Connected => self.joining(status).infer_piece(found),
            Shape::Reachable { ends, steps } => {
                let joining = self.joining(status);
                joining.infer_path(*ends, found);
                if steps[1] < u32::MAX && found.failure().is_none() {
                    joining.infer_at_most(*ends, steps[1], found);
                }
                if steps[0] > 0 && found.failure().is_none() {
                    joining.infer_at_least(*ends, steps[0], found);
                }
            }
            Shape::Regions(regions) => regions.infer(&self.wiring, status, found),
            Shape::Division(division) => division.infer(&self.wiring, status, found),
        }
    }

    fn clauses(&self) -> Vec<Vec<Literal>> {
        match self.shape {
            Shape::Circuit => circuit::degrees_as_clauses(&self.wiring),
            _ => Vec::new(),
        }
    }
}

impl Propagator for Network {
    type Progress = ();

    fn name(&self) -> &'static str {
        match self.shape {
            Shape::Circuit => "circuit",
            Shape::Acyclic => "acyclic",
            Shape::Connected => "connected",
            Shape::Reachable { .. } => "reachable",
            Shape::Regions(_) | Shape::Division(_) => "regions",
        }
    }

    fn places(&self) -> Option<&[u32]> {
        self.places.as_deref()
    }

    fn rank(&self) -> usize {
        2
    }

    fn propagate(
        &self,
        (): &mut (),
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let bytes = self.bytes_of_look() + solver.places();
        if !solver.is_granted(bytes) {
            return Ok(Fixpoint::NeedsMemory(bytes));
        }
        let mut status = Vec::new();
        let mut found = Inferences::new(false);
        let counts = solver.counts.iter().filter_map(|number| {
            let constraint = solver.constraints.get(*number as usize);
            constraint.and_then(|constraint| constraint.as_count())
        });
        // Paid for within the loop: each piece makes progress, however small it is.
        let (least, mut work) = self.least_of(counts, solver.places());
        loop {
            if budget.is_spent() {
                return Ok(Fixpoint::NotYet);
            }
            let domain = |place: u32| solver.candidates(place as usize);
            budget.spend(self.booleans.statuses(domain, &mut status));
            found.clear();
            self.infer(&status, &mut found);
            if least > 0 && found.failure().is_none() {
                spanning::infer(&self.wiring, &status, least, &mut found);
            }
            budget.spend(found.work() + std::mem::take(&mut work));
            if found.failure().is_some() {
                return Err(DomainWipeout);
            }
            let mut changes = false;
            for (literal, _) in found.conclusions() {
                budget.spend(4);
                changes |= self.booleans.carry_out(literal, solver, call.number)?;
            }
            if !changes {
                return Ok(Fixpoint::Reached);
            }
        }
    }

    fn kernel(&self) -> Option<Box<dyn Kernel>> {
        Some(Box::new(self.clone()))
    }

    /// The places of the kernel's reason, if one inference gives it; otherwise all that may be a reason.
    fn explain(&self, solver: &Solver, place: u32, values: &[u32]) -> Vec<u32> {
        let mut bits = vec![0; solver.width()];
        for value in solver.candidates(place as usize).numbers() {
            bits[value / 64] |= 1 << (value % 64);
        }
        let set = |bits: &mut [u64]| {
            for value in values {
                bits[*value as usize / 64] |= 1 << (value % 64);
            }
        };
        set(&mut bits);
        let (_, found) = self.infer_with(solver, place, &bits);
        let concerns =
            |(literal, _): &(Literal, &[Literal])| self.booleans.concerns(*literal, place, values);
        let concluded = found
            .conclusions()
            .find(concerns)
            .map(|(_, reason)| reason.to_vec());
        let reason = concluded.or_else(|| {
            // The place that has lost the values: the constraint failed with these alone.
            bits.fill(0);
            set(&mut bits);
            let (_, found) = self.infer_with(solver, place, &bits);
            found.failure().map(<[Literal]>::to_vec)
        });
        let Some(reason) = reason else {
            let everywhere = || (0..solver.places() as u32).collect();
            let places = self.places.clone().unwrap_or_else(everywhere);
            return solver.all_possible_reasons(&places, place);
        };
        let items = reason.into_iter().map(|literal| literal.item);
        let mut places: Vec<u32> = items
            .flat_map(|item| self.booleans.places_of(item))
            .collect();
        places.retain(|other| *other != place);
        places.sort_unstable();
        places.dedup();
        places
    }

    fn groups(&self, take: &mut dyn FnMut(Vec<u32>)) {
        let are_edges = matches!(
            self.shape,
            Shape::Circuit | Shape::Acyclic | Shape::Division(_)
        );
        // Items of regions are of a value and a place; their nodes are the places.
        let are_places = matches!(self.shape, Shape::Regions(_));
        for node in 0..self.wiring.nodes() as u32 {
            let around = self.wiring.around(node).iter();
            let others = around.map(|[edge, other]| if are_edges { *edge } else { *other });
            let own = (!are_edges).then_some(node);
            let mut group: Vec<u32> = Vec::new();
            for item in own.into_iter().chain(others).take(MOST_OF_GROUP) {
                if are_places {
                    group.push(item);
                } else {
                    group.extend(self.booleans.places_of(item));
                }
            }
            group.sort_unstable();
            group.dedup();
            if group.len() > 1 {
                take(group);
            }
        }
    }

    fn bytes(&self) -> usize {
        let regions = match &self.shape {
            Shape::Regions(regions) => regions.bytes(),
            Shape::Division(division) => division.bytes(),
            _ => 0,
        };
        self.places.as_ref().map_or(0, room::row)
            + self.booleans.bytes()
            + self.wiring.bytes()
            + regions
    }

    fn fits(&self, places: usize) -> bool {
        let (nodes, items) = (self.wiring.nodes(), self.booleans.count_of_holds());
        let fits = self.booleans.fits.len() / 3;
        let is_whole = match &self.shape {
            Shape::Circuit | Shape::Acyclic => items == self.wiring.edges() && fits == 0,
            Shape::Connected => items == nodes && (fits == 0 || fits == self.wiring.edges()),
            Shape::Reachable { ends, .. } => {
                items == nodes
                    && (fits == 0 || fits == self.wiring.edges())
                    && ends.iter().all(|end| (*end as usize) < nodes)
            }
            Shape::Regions(regions) => items == regions.count() && fits == 0 && regions.fits(nodes),
            Shape::Division(division) => {
                items == self.wiring.edges() && fits == 0 && division.fits(nodes)
            }
        };
        is_whole && self.booleans.fits_on(places)
    }
}

impl Saved for Network {
    fn save(&self, out: &mut Writer) {
        let Network {
            places,
            booleans,
            wiring,
            shape,
        } = self;
        places.save(out);
        booleans.save(out);
        wiring.save(out);
        match shape {
            Shape::Circuit => out.byte(0),
            Shape::Acyclic => out.byte(1),
            Shape::Connected => out.byte(2),
            Shape::Reachable { ends, steps } => {
                out.byte(3);
                for number in ends.iter().chain(steps) {
                    number.save(out);
                }
            }
            Shape::Regions(regions) => {
                out.byte(4);
                regions.save(out);
            }
            Shape::Division(division) => {
                out.byte(5);
                division.save(out);
            }
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Network, Unsound> {
        let (places, booleans) = (Option::load(from)?, Booleans::load(from)?);
        let wiring = Wiring::load(from)?;
        let shape = match from.byte()? {
            0 => Shape::Circuit,
            1 => Shape::Acyclic,
            2 => Shape::Connected,
            3 => Shape::Reachable {
                ends: [u32::load(from)?, u32::load(from)?],
                steps: [u32::load(from)?, u32::load(from)?],
            },
            4 => Shape::Regions(Regions::load(from)?),
            5 => Shape::Division(Division::load(from)?),
            _ => return Err(Unsound::Wrong("there is no such rule over a graph")),
        };
        let size = wiring.nodes() + wiring.edges() + booleans.count();
        ensure(size <= MOST_OF_NETWORK, "a rule over a graph is too large")?;
        Ok(Network {
            places,
            booleans,
            wiring,
            shape,
        })
    }
}
