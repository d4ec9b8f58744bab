//! Combines counts. It is posted with a count, or an `allDifferent`, that shares places with others, and is withdrawn
//! with it.
//!
//! Counts of different values on equal places are combined by Hall's condition (`hall.rs`). If the places of one
//! contain those of another, as a board contains its rows, or if no value comes twice in a row, a flow combines them
//! (`flow.rs`, after Régin, 1996). `family.rs` finds constraints that can be combined.

mod family;
mod flow;
mod hall;
mod network;

use crate::explanation::Question;
use crate::learning::encoder::{Encoded, Encoder};
use crate::propagator::{Call, Propagator};
use crate::{Candidates, ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

use flow::FlowPropagation;
use hall::{Hall, HallPropagation};
use network::Network;

/// A combination of counts. It follows from the constraints before it.
#[derive(Clone, Debug, Default)]
pub struct Cardinality {
    /// The numbers of the constraints that it reasons about, in order.
    pub(crate) members: Vec<u32>,
    /// The counts that it supersedes, which do not run while it is posted.
    pub(crate) supersedes: Vec<u32>,
    /// In order.
    places: Vec<u32>,
    name: &'static str,
    method: Method,
}

/// How it reasons.
#[derive(Clone, Debug, Default)]
enum Method {
    #[default]
    None,
    Hall(Hall),
    Flow(Network),
}

/// A count: how many of some places hold one of some values, which are a mask.
#[derive(Clone, Debug)]
struct Bounds {
    places: std::sync::Arc<Vec<u32>>,
    values: Vec<u64>,
    least: u64,
    most: u64,
}

/// The progress of its propagation.
#[derive(Clone, Debug, Default)]
pub struct CardinalityPropagation {
    hall: HallPropagation,
    flow: Option<Box<FlowPropagation>>,
}

impl Cardinality {
    /// The combination of a constraint of the solver with those before it, if that removes more than each does alone;
    /// and the work.
    pub(crate) fn beside(
        solver: &Solver,
        number: ConstraintNumber,
    ) -> (Option<Cardinality>, usize) {
        family::find(solver, number)
    }

    /// Whether it knows something of a place.
    fn domains<'a>(
        &'a self,
        of: impl Fn(u32) -> Candidates<'a> + 'a,
    ) -> impl Iterator<Item = Candidates<'a>> + 'a {
        self.places.iter().map(move |place| of(*place))
    }
}

impl Propagator for Cardinality {
    type Progress = CardinalityPropagation;

    fn name(&self) -> &'static str {
        self.name
    }

    fn places(&self) -> Option<&[u32]> {
        Some(&self.places)
    }

    fn rank(&self) -> usize {
        2
    }

    /// A network that was restored is rebuilt.
    fn prepare(&mut self, solver: &Solver) {
        if let (Method::None, Some(last)) = (&self.method, solver.constraints.len().checked_sub(1))
        {
            *self = Cardinality::beside(solver, last as u32)
                .0
                .unwrap_or_default();
        }
    }

    /// It follows from the counts and rules that it combines.
    fn encode(&self, _: &mut Encoder, _: usize) -> Encoded {
        Encoded::Done
    }

    fn propagate(
        &self,
        progress: &mut CardinalityPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        if solver.is_superseded(call.number) {
            return Ok(Fixpoint::Reached);
        }
        match &self.method {
            Method::None => Ok(Fixpoint::Reached),
            Method::Hall(hall) => {
                progress
                    .hall
                    .resume(solver, call.number, &self.places, hall, budget)
            }
            Method::Flow(network) => {
                let bytes = FlowPropagation::bytes_for(network);
                if progress.flow.is_none() {
                    if !solver.is_granted(bytes) {
                        return Ok(Fixpoint::NeedsMemory(bytes));
                    }
                    let domains = self.domains(|place| solver.candidates(place as usize));
                    let flow = FlowPropagation::begin(network, domains, call.witness);
                    budget.spend(network.size());
                    progress.flow = Some(Box::new(flow));
                }
                let Some(flow) = &mut progress.flow else {
                    return Ok(Fixpoint::NotYet);
                };
                let Some(is_there) = flow.resume(network, budget) else {
                    return Ok(Fixpoint::NotYet);
                };
                if !is_there {
                    return Err(DomainWipeout);
                }
                budget.spend(3 * network.size());
                flow.store_matching(network, &self.places, solver, call.witness);
                flow.filter(network, &self.places, solver, call.number)?;
                Ok(Fixpoint::Reached)
            }
        }
    }

    fn bytes_of(progress: &CardinalityPropagation) -> usize {
        progress
            .flow
            .as_ref()
            .map_or(0, |flow| room::block(size_of_val(&**flow)) + flow.bytes())
    }

    fn can_hold(&self, question: &Question<'_>) -> Option<(bool, usize)> {
        let domains = self.domains(|place| question.domain(place));
        match &self.method {
            Method::None => None,
            Method::Hall(hall) => Some((hall.can_hold(domains), self.places.len())),
            Method::Flow(network) => {
                let mut flow = FlowPropagation::begin(network, domains, &[]);
                let holds = flow.resume(network, &mut Budget::unlimited());
                Some((holds.unwrap_or(true), 4 * network.size()))
            }
        }
    }

    fn is_derived(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        let own = room::row(&self.members) + room::row(&self.supersedes) + room::row(&self.places);
        own + match &self.method {
            Method::None => 0,
            Method::Hall(hall) => hall.bytes(),
            Method::Flow(network) => network.bytes(),
        }
    }

    /// A flow.
    fn bytes_beside(&self, _: usize) -> usize {
        room::row(&self.places)
    }
}

/// It follows from the constraints before it.
impl ndscript_base::codec::Saved for Cardinality {
    fn save(&self, _: &mut ndscript_base::codec::Writer) {}

    fn load(
        _: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Cardinality, ndscript_base::codec::Unsound> {
        Ok(Cardinality::default())
    }
}
