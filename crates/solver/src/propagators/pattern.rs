//! `pattern`: what places spell is a text of a regular expression.

mod automaton;
mod few_states;
mod rejected;

use super::has_twice;
use crate::explanation::Question;
use crate::learning::encoder::{Encoded, Encoder};
use crate::propagator::{Call, Propagator};
use crate::{DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::{room, saved};

pub use automaton::Automaton;
use automaton::PatternPropagation;
use few_states::Steps;
pub(crate) use rejected::Known as KnownRejected;

/// The form in which a program described the automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Wording {
    /// Unknown.
    #[default]
    Unknown,
    /// As this regular expression.
    Expression(String),
    /// At least one place holds one of its values: class `n + 1` is what the n-th one may hold.
    Either,
    /// As states with their transitions.
    Transitions,
}

saved!(enum Wording { 0 => Unknown {}, 1 => Expression(text), 2 => Either {}, 3 => Transitions {} });

/// The places spell a text of an automaton.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The places, in the order of the text.
    pub places: Vec<u32>,
    /// The automaton that reads the text.
    pub automaton: Automaton,
    /// The form in which it was written, for messages about it.
    pub wording: Wording,
    /// They follow from the automaton.
    steps: Option<Box<Steps>>,
}

impl Pattern {
    /// Of an automaton.
    pub fn new(places: Vec<u32>, automaton: Automaton, wording: Wording) -> Pattern {
        Pattern {
            places,
            automaton,
            wording,
            steps: None,
        }
    }
}

impl Propagator for Pattern {
    type Progress = PatternPropagation;

    fn name(&self) -> &'static str {
        match self.wording {
            Wording::Either => "either",
            Wording::Transitions => "automaton",
            Wording::Unknown | Wording::Expression(_) => "pattern",
        }
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
    ) -> Option<Result<Fixpoint, DomainWipeout>> {
        let steps = self.steps.as_ref().filter(|_| solver.domains.is_plain())?;
        let result = steps.propagate(solver, call.number, &self.places, &self.automaton, budget);
        Some(result.map(|()| Fixpoint::Reached))
    }

    fn propagate(
        &self,
        progress: &mut PatternPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
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
        let text = match &self.wording {
            Wording::Expression(text) => text.capacity(),
            Wording::Unknown | Wording::Either | Wording::Transitions => 0,
        };
        room::row(&self.places)
            + text
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
        self.wording.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Pattern, ndscript_base::codec::Unsound> {
        Ok(Pattern::new(
            Vec::load(from)?,
            Automaton::load(from)?,
            Wording::load(from)?,
        ))
    }
}
