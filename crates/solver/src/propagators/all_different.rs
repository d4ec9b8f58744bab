//! `allDifferent`: no two places are equal.
//!
//! A matching shows which values no solution has (Régin, 1994). With few symbols this is done with sets as words,
//! without pauses (`few_symbols.rs`). Otherwise counting sizes of domains comes first (`hall_count.rs`), which mostly
//! shows that nothing can be removed; then the matching is searched edge by edge (`filter.rs`), or by rows of words
//! where places have many candidates (`many_symbols.rs`).

mod few_symbols;
mod filter;
mod hall_count;
mod hall_set;
mod many_symbols;
mod symbol_set;
mod symbols;

use std::collections::BTreeMap;

use super::has_twice;
use crate::learning::Lit;
use crate::learning::encoder::{Encoded, Encoder};
use crate::propagator::{Call, Propagator};
use crate::{DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

use filter::AllDifferentPropagation;

/// No two places are equal. With offsets, each value of each place has a symbol, and no two symbols are equal:
/// `symbols` has those of one place after another.
#[derive(Clone, Debug, Default)]
pub struct AllDifferent {
    /// The places, each once.
    pub places: Vec<u32>,
    /// The symbols of values; empty if these are the values themselves.
    pub symbols: Vec<u32>,
    /// By place, the symbol of value 0. It may lie before the first symbol (modulo 2^32): only values that a place
    /// could hold when the symbols were made have one. So symbols do not depend on how a solver stores its domains.
    pub starts: Vec<u32>,
    /// By place, the difference of symbol and value, if that is equal for all values of each place; else empty.
    shifts: Vec<u8>,
}

impl AllDifferent {
    /// Without offsets.
    pub fn new(places: Vec<u32>) -> AllDifferent {
        AllDifferent {
            places,
            ..AllDifferent::default()
        }
    }

    /// With offsets.
    pub fn with_symbols(places: Vec<u32>, symbols: Vec<u32>, starts: Vec<u32>) -> AllDifferent {
        AllDifferent {
            places,
            symbols,
            starts,
            shifts: Vec::new(),
        }
    }

    /// The smallest Hall set that needs the symbols that `values` have at `place`; `None` if there is none, or a
    /// place is listed twice.
    fn hall_set_of_symbols(&self, solver: &Solver, place: u32, values: &[u32]) -> Option<Vec<u32>> {
        let mut needed = Vec::new();
        let mut others = Vec::new();
        for (at, other) in self.places.iter().enumerate() {
            let candidates = solver.candidates(*other as usize);
            let symbol = |value: usize| self.symbol(at, value);
            if *other != place {
                others.push((*other, candidates.numbers().map(symbol).collect()));
            } else if needed.is_empty() {
                needed.extend(values.iter().map(|value| symbol(*value as usize)));
            } else {
                return None;
            }
        }
        hall_set::smallest_hall_set(&needed, &others)
    }
}

impl Propagator for AllDifferent {
    type Progress = AllDifferentPropagation;

    fn name(&self) -> &'static str {
        "allDifferent"
    }

    fn places(&self) -> Option<&[u32]> {
        Some(&self.places)
    }

    fn rank(&self) -> usize {
        2
    }

    fn prepare(&mut self, solver: &Solver) {
        if !self.starts.is_empty() && self.places.len() <= symbols::MOST_SYMBOLS {
            self.shifts =
                symbols::shifts(&self.places, &self.symbols, &self.starts, solver.domains());
        }
    }

    fn propagate_at_once(
        &self,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Option<Result<Fixpoint, DomainWipeout>> {
        let result = few_symbols::filter(solver, call.number, self, call.witness, budget)?;
        Some(result.map(|()| Fixpoint::Reached))
    }

    fn knows_all_values(&self) -> bool {
        self.starts.is_empty()
    }

    fn reads_twice(&self) -> bool {
        // Without offsets a place is listed once.
        !self.starts.is_empty() && has_twice(&self.places)
    }

    fn propagate(
        &self,
        progress: &mut AllDifferentPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        progress.resume(solver, call.number, self, call.witness, budget)
    }

    fn bytes_of(progress: &AllDifferentPropagation) -> usize {
        progress.bytes()
    }

    /// Each symbol is at most at one place, and at least at one if there are no more symbols than places.
    fn encode(&self, encoder: &mut Encoder, _: usize) -> Encoded {
        let mut by_symbol: BTreeMap<u32, Vec<Lit>> = BTreeMap::new();
        for (at, place) in self.places.iter().enumerate() {
            for (value, literal) in encoder.values(*place) {
                let symbol = self.symbol(at, *value as usize);
                by_symbol.entry(symbol).or_default().push(*literal);
            }
        }
        if by_symbol.len() < self.places.len() {
            encoder.engine.add_clause(&[]);
            return Encoded::Done;
        }
        let is_full = by_symbol.len() == self.places.len();
        for literals in by_symbol.into_values() {
            encoder.engine.add_exclusion(&literals);
            if is_full {
                encoder.engine.add_clause(&literals);
            }
        }
        Encoded::Done
    }

    fn explain(&self, solver: &Solver, place: u32, values: &[u32]) -> Vec<u32> {
        // A place that has the value already is reason enough.
        let is_decided_to_one = |other: &u32| {
            let candidates = solver.candidates(*other as usize);
            candidates.count() == 1 && values.iter().any(|value| candidates.has(*value as usize))
        };
        let others = self.places.iter().copied().filter(|other| *other != place);
        let decided: Vec<u32> = others.filter(is_decided_to_one).collect();
        if self.starts.is_empty() && decided.len() >= values.len() {
            return decided;
        }
        self.hall_set_of_symbols(solver, place, values)
            .unwrap_or_else(|| solver.all_possible_reasons(&self.places, place))
    }

    fn bytes(&self) -> usize {
        room::row(&self.places)
            + room::row(&self.symbols)
            + room::row(&self.starts)
            + room::row(&self.shifts)
    }

    /// The matching that is stored between runs.
    fn bytes_beside(&self, _: usize) -> usize {
        room::row(&self.places)
    }

    fn fits(&self, _: usize) -> bool {
        let are_small = self
            .symbols
            .iter()
            .all(|symbol| (*symbol as usize) < self.symbols.len());
        let is_plain = self.starts.is_empty() && self.symbols.is_empty();
        is_plain || are_small && self.starts.len() == self.places.len()
    }
}

impl ndscript_base::codec::Saved for AllDifferent {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        let AllDifferent {
            places,
            symbols,
            starts,
            // Shifts are computed from the rest.
            shifts: _,
        } = self;
        places.save(out);
        symbols.save(out);
        starts.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<AllDifferent, ndscript_base::codec::Unsound> {
        Ok(AllDifferent::with_symbols(
            Vec::load(from)?,
            Vec::load(from)?,
            Vec::load(from)?,
        ))
    }
}
