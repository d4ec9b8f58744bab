//! `pattern`: what places spell is a text of a regular expression.

mod automaton;
mod few_states;

use super::has_twice;
use crate::explanation::Question;
use crate::learning::encoder::{Encoded, Encoder};
use crate::propagator::{Call, Propagator};
use crate::{DomainWipeout, Rest, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

pub use automaton::Automaton;
use automaton::PatternPropagation;
use few_states::Steps;

/// What the places spell is a text of an automaton.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The places, in the order of the text.
    pub places: Vec<u32>,
    /// What reads the text.
    pub automaton: Automaton,
    /// They follow from the automaton.
    steps: Option<Box<Steps>>,
}

impl Pattern {
    /// Of an automaton.
    pub fn new(places: Vec<u32>, automaton: Automaton) -> Pattern {
        Pattern {
            places,
            automaton,
            steps: None,
        }
    }
}

impl Propagator for Pattern {
    type Progress = PatternPropagation;

    fn name(&self) -> &'static str {
        "pattern"
    }

    fn places(&self) -> Option<&[u32]> {
        Some(&self.places)
    }

    fn rank(&self) -> usize {
        1
    }

    fn prepare(&mut self, _: &Solver) {
        self.steps = Steps::of(&self.automaton, self.places.len());
    }

    fn propagate_at_once(
        &self,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Option<Result<Rest, DomainWipeout>> {
        let steps = self.steps.as_ref().filter(|_| solver.domains.is_plain())?;
        let result = steps.propagate(solver, call.number, &self.places, &self.automaton, budget);
        Some(result.map(|()| Rest::Reached))
    }

    fn propagate(
        &self,
        progress: &mut PatternPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Rest, DomainWipeout> {
        progress.resume(solver, call.number, &self.places, &self.automaton, budget)
    }

    fn bytes_of(progress: &PatternPropagation) -> usize {
        progress.bytes()
    }

    fn can_hold(&self, question: &Question<'_>) -> Option<(bool, usize)> {
        let domains = self.places.iter().map(|place| question.domain(*place));
        let work = self.places.len() * self.automaton.states as usize;
        Some((self.automaton.reads(domains), work))
    }

    fn encode(&self, encoder: &mut Encoder, _: usize) -> Encoded {
        self.automaton.encode(&self.places, encoder);
        Encoded::Done
    }

    fn reads_twice(&self) -> bool {
        has_twice(&self.places)
    }

    fn bytes(&self) -> usize {
        room::row(&self.places)
            + self.automaton.bytes()
            + self.steps.as_ref().map_or(0, |steps| steps.bytes())
    }

    fn fits(&self, _: usize) -> bool {
        self.automaton.is_sound()
    }
}

impl ndscript_base::codec::Saved for Pattern {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        self.places.save(out);
        self.automaton.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Pattern, ndscript_base::codec::Unsound> {
        Ok(Pattern::new(Vec::load(from)?, Automaton::load(from)?))
    }
}
