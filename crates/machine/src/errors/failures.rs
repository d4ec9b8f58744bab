//! Counts failures by place, in every run, so that a run without a solution can report at once where it failed.

use std::collections::BTreeMap;

use ndscript_base::source::Span;

/// Places of the program that failed. The first failure of an instruction finds its place; later ones only count.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// By instruction of the running code; `None` if its place is not recorded.
    counts: Vec<u64>,
    /// The instructions that have a place.
    known: Vec<(u32, Span)>,
    /// Failures at other places.
    others: BTreeMap<Span, u64>,
}

impl Failures {
    /// Counts a failure of an instruction whose place is recorded. Otherwise changes nothing.
    #[inline(always)]
    pub fn count(&mut self, instruction: usize) -> bool {
        match self.counts.get_mut(instruction) {
            Some(count) if *count > 0 => {
                *count += 1;
                true
            }
            _ => false,
        }
    }

    /// Counts a failure at a place.
    pub fn count_at(&mut self, place: Span) {
        *self.others.entry(place).or_default() += 1;
    }

    /// Counts the first failure of an instruction. This place is recorded for it, whatever calls lead to later
    /// failures.
    pub fn count_first(&mut self, instruction: u32, place: Span) {
        let at = instruction as usize;
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] = 1;
        self.known.push((instruction, place));
    }

    /// Called when other code runs: its instructions have other places.
    pub fn discard_instructions(&mut self) {
        for (instruction, place) in std::mem::take(&mut self.known) {
            *self.others.entry(place).or_default() += self.counts[instruction as usize];
        }
        self.counts.clear();
    }

    /// The places and how often each failed, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = (Span, u64)> + '_ {
        let mut all = self.others.clone();
        for (instruction, place) in &self.known {
            *all.entry(*place).or_default() += self.counts[*instruction as usize];
        }
        all.into_iter()
    }

    /// The bytes of the rows.
    pub fn bytes(&self) -> usize {
        self.counts.capacity() * size_of::<u64>()
            + self.known.capacity() * size_of::<(u32, Span)>()
            + self.others.len() * 2 * size_of::<(Span, u64)>()
    }
}
