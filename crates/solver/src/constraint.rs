//! The kinds of constraints, a row for each.

use super::explanation::Question;
use super::kernel::Kernel;
use super::learning::encoder::{Encoded, Encoder};
use super::propagator::{Call, JoinedCells, Propagator};
use super::propagators::{
    Adjacent, AllDifferent, Callback, Cardinality, Connected, Count, Lexicographic, Network,
    Pattern, Reachable, Related, Sum, Tuples,
};
use super::{CallbackId, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;

/// Makes one type of all kinds. A row is the number of a kind in saves, and its type.
macro_rules! constraints {
    ($d:tt $($number:literal $kind:ident,)*) => {
        /// A constraint of any kind.
        #[derive(Clone, Debug)]
        #[allow(missing_docs)]
        pub enum Constraint {
            $($kind($kind),)*
        }

        /// The propagation of a constraint that has stopped.
        #[derive(Clone, Debug)]
        pub(super) enum Propagation {
            $($kind(<$kind as Propagator>::Progress),)*
        }

        $(impl From<$kind> for Constraint {
            fn from(own: $kind) -> Constraint {
                Constraint::$kind(own)
            }
        })*

        macro_rules! each {
            ($d constraint:expr, $d own:ident => $d what:expr) => {
                match $d constraint {
                    $(Constraint::$kind($d own) => $d what,)*
                }
            };
        }

        impl Propagation {
            pub fn bytes(&self) -> usize {
                match self {
                    $(Propagation::$kind(progress) => $kind::bytes_of(progress),)*
                }
            }
        }

        impl Constraint {
            /// Starts the propagator. If it stops, the second is its unfinished state.
            pub(super) fn begin(
                &self,
                solver: &mut Solver,
                call: Call<'_>,
                budget: &mut Budget,
            ) -> (Result<Fixpoint, DomainWipeout>, Option<Unfinished>) {
                match self {
                    $(Constraint::$kind(own) => begin(own, solver, call, budget, Propagation::$kind),)*
                }
            }

            /// Resumes the propagator.
            pub(super) fn resume(
                &self,
                unfinished: &mut Propagation,
                solver: &mut Solver,
                call: Call<'_>,
                budget: &mut Budget,
            ) -> Result<Fixpoint, DomainWipeout> {
                match (self, unfinished) {
                    $((Constraint::$kind(own), Propagation::$kind(progress)) => {
                        own.propagate(progress, solver, call, budget)
                    })*
                    _ => Ok(Fixpoint::Reached),
                }
            }
        }

        impl ndscript_base::codec::Saved for Constraint {
            fn save(&self, out: &mut ndscript_base::codec::Writer) {
                match self {
                    $(Constraint::$kind(own) => {
                        u32::save(&$number, out);
                        own.save(out);
                    })*
                }
            }

            fn load(
                from: &mut ndscript_base::codec::Reader<'_>,
            ) -> Result<Constraint, ndscript_base::codec::Unsound> {
                Ok(match u32::load(from)? {
                    $($number => Constraint::$kind(ndscript_base::codec::Saved::load(from)?),)*
                    _ => return Err(ndscript_base::codec::Unsound::Wrong("there is no such constraint")),
                })
            }
        }
    };
}

constraints! { $
    0 AllDifferent,
    1 Related,
    2 Adjacent,
    3 Count,
    4 Sum,
    5 Tuples,
    6 Connected,
    7 Reachable,
    8 Pattern,
    9 Callback,
    10 Cardinality,
    11 Lexicographic,
    12 Network,
}

/// The number of a constraint and its unfinished propagation.
type Unfinished = Box<(u32, Propagation)>;

/// Starts a propagator. If it does not finish, returns its progress as well.
fn begin<P: Propagator>(
    own: &P,
    solver: &mut Solver,
    mut call: Call<'_>,
    budget: &mut Budget,
    stopped: fn(P::Progress) -> Propagation,
) -> (Result<Fixpoint, DomainWipeout>, Option<Unfinished>) {
    let number = call.number;
    let is_stopped = |result: &Result<Fixpoint, DomainWipeout>| {
        matches!(result, Ok(Fixpoint::NotYet | Fixpoint::NeedsMemory(_)))
    };
    if let Some(result) = own.propagate_at_once(solver, call.reborrow(), budget) {
        let unfinished =
            is_stopped(&result).then(|| Box::new((number, stopped(P::Progress::default()))));
        return (result, unfinished);
    }
    let mut progress = P::Progress::default();
    let result = own.propagate(&mut progress, solver, call, budget);
    let unfinished = is_stopped(&result).then(|| Box::new((number, stopped(progress))));
    (result, unfinished)
}

impl Constraint {
    /// With what the solver can prepare for short paths, unless that is long work.
    pub fn prepared(mut self, solver: &Solver) -> Constraint {
        each!(&mut self, own => own.prepare(solver));
        self
    }

    /// The name of the constraint, for messages.
    pub fn name(&self) -> &'static str {
        each!(self, own => own.name())
    }

    /// The places that it is on; `None` for all.
    pub fn places(&self) -> Option<&[u32]> {
        each!(self, own => own.places())
    }

    /// Small groups of places that it joins closely, see [`Propagator::groups`].
    pub(super) fn groups(&self, take: &mut dyn FnMut(Vec<u32>)) {
        each!(self, own => own.groups(take));
    }

    pub(super) fn rank(&self) -> usize {
        each!(self, own => own.rank())
    }

    pub(super) fn reads_twice(&self) -> bool {
        each!(self, own => own.reads_twice())
    }

    pub(super) fn looks_at_ends(&self) -> bool {
        each!(self, own => own.looks_at_ends())
    }

    pub(super) fn looks_at_changes(&self) -> bool {
        each!(self, own => own.looks_at_changes())
    }

    pub(super) fn joined_cells(&self) -> Option<JoinedCells<'_>> {
        each!(self, own => own.joined_cells())
    }

    pub(super) fn may_run_short(&self, places: usize) -> bool {
        each!(self, own => own.may_run_short(places))
    }

    pub(super) fn explain(&self, solver: &Solver, place: u32, values: &[u32]) -> Vec<u32> {
        each!(self, own => own.explain(solver, place, values))
    }

    /// Whether it can hold with the domains of a question, see [`Propagator::can_hold`].
    pub fn can_hold(&self, question: &Question<'_>) -> Option<(bool, usize)> {
        each!(self, own => own.can_hold(question))
    }

    /// The kernel of the constraint, if it has one; see [`Propagator::kernel`].
    pub fn kernel(&self) -> Option<Box<dyn Kernel>> {
        each!(self, own => own.kernel())
    }

    pub(super) fn encode(&self, encoder: &mut Encoder, part: usize) -> Encoded {
        each!(self, own => own.encode(encoder, part))
    }

    pub(super) fn clues(&self) -> &[u32] {
        each!(self, own => own.clues())
    }

    pub(super) fn knows_all_values(&self) -> bool {
        each!(self, own => own.knows_all_values())
    }

    /// Whether it is propagated here. A callback is not.
    pub fn is_native(&self) -> bool {
        each!(self, own => own.is_native())
    }

    /// Whether it follows from others, and comes and goes with the one before it.
    pub fn is_derived(&self) -> bool {
        each!(self, own => own.is_derived())
    }

    /// As a constraint that combines counts, if it is one.
    pub(super) fn as_cardinality(&self) -> Option<&Cardinality> {
        match self {
            Constraint::Cardinality(own) => Some(own),
            _ => None,
        }
    }

    /// As a count, if it is one.
    pub(super) fn as_count(&self) -> Option<&Count> {
        match self {
            Constraint::Count(own) => Some(own),
            _ => None,
        }
    }

    /// The id of a callback.
    pub fn callback(&self) -> Option<CallbackId> {
        match self {
            Constraint::Callback(own) => Some(own.callback),
            _ => None,
        }
    }

    /// The values that a callback waits for, as a mask.
    pub fn awaited(&self) -> Option<&[u64]> {
        match self {
            Constraint::Callback(own) => own.awaits.as_deref(),
            _ => None,
        }
    }

    /// The bytes that it owns.
    pub fn bytes(&self) -> usize {
        each!(self, own => own.bytes())
    }

    pub(super) fn bytes_beside(&self, places: usize) -> usize {
        each!(self, own => own.bytes_beside(places))
    }

    /// Whether all its places exist on a board of this size, and its data are sound.
    pub fn fits(&self, places: usize) -> bool {
        let own = self.places().unwrap_or_default();
        own.iter().all(|place| (*place as usize) < places) && each!(self, own => own.fits(places))
    }
}
