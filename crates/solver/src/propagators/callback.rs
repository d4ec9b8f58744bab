//! A constraint that is a function of the caller, which alone can run it.

use crate::propagator::{Call, Propagator};
use crate::{DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// The number by which the caller knows a callback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallbackId(pub u32);

/// A function that is on some places. It is never propagated here.
#[derive(Clone, Debug, Default)]
pub struct Callback {
    /// The places that it is on.
    pub places: Vec<u32>,
    /// The number by which the caller knows it.
    pub callback: CallbackId,
    /// It runs once, as soon as its places hold nothing but these values, which are a mask; otherwise whenever they lose something.
    pub awaits: Option<Vec<u64>>,
}

impl Propagator for Callback {
    type Progress = ();

    fn name(&self) -> &'static str {
        match self.awaits {
            Some(_) => "when",
            None => "constrain",
        }
    }

    fn places(&self) -> Option<&[u32]> {
        Some(&self.places)
    }

    fn rank(&self) -> usize {
        2
    }

    fn is_native(&self) -> bool {
        false
    }

    fn propagate(
        &self,
        (): &mut (),
        _: &mut Solver,
        _: Call<'_>,
        _: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        Ok(Fixpoint::Reached)
    }

    fn explain(&self, solver: &Solver, place: u32, _: &[u32]) -> Vec<u32> {
        solver.all_possible_reasons(&self.places, place)
    }

    fn bytes(&self) -> usize {
        room::row(&self.places) + self.awaits.as_ref().map_or(0, room::row)
    }
}

impl ndscript_base::codec::Saved for Callback {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        self.places.save(out);
        self.callback.0.save(out);
        self.awaits.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Callback, ndscript_base::codec::Unsound> {
        Ok(Callback {
            places: Vec::load(from)?,
            callback: CallbackId(u32::load(from)?),
            awaits: Option::load(from)?,
        })
    }
}
