//! `related`: what no candidate of the other place allows.

use crate::explanation::Question;
use crate::learning::encoder::{Encoded, Encoder};
use crate::propagator::{Call, Propagator};
use crate::{ConstraintNumber, DomainWipeout, Fixpoint, Solver};
use ndscript_base::budget::Budget;
use ndscript_base::room;

/// For each value of the one place the values allowed at the other, and the reverse, in rows of `words` words.
#[derive(Clone, Debug)]
pub struct Related {
    /// The one place and the other.
    pub places: [u32; 2],
    /// Words in a row.
    pub width: u32,
    /// The values allowed at the other, by value of the one.
    pub forward: Vec<u64>,
    /// The values allowed at the one, by value of the other.
    pub backward: Vec<u64>,
}

impl Propagator for Related {
    type Progress = RelatedPropagation;

    fn name(&self) -> &'static str {
        "related"
    }

    fn places(&self) -> Option<&[u32]> {
        Some(&self.places)
    }

    fn rank(&self) -> usize {
        0
    }

    fn reads_twice(&self) -> bool {
        self.places[0] == self.places[1]
    }

    fn propagate(
        &self,
        progress: &mut RelatedPropagation,
        solver: &mut Solver,
        call: Call<'_>,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        progress.resume(solver, call.number, self, budget)
    }

    fn bytes_of(progress: &RelatedPropagation) -> usize {
        room::row(&progress.image.words)
    }

    fn can_hold(&self, question: &Question<'_>) -> Option<(bool, usize)> {
        let (width, [a, b]) = (self.width as usize, self.places);
        let other = question.domain(b);
        let row = |number: usize| {
            self.forward
                .get(number * width..(number + 1) * width)
                .unwrap_or_default()
        };
        let mut numbers = question.domain(a).numbers();
        let holds = numbers.any(|number| other.meets(row(number)));
        Some((holds, width * question.values()))
    }

    fn encode(&self, encoder: &mut Encoder, _: usize) -> Encoded {
        let (width, [a, b]) = (self.width as usize, self.places);
        let row = |rows: &[u64], value: u32| {
            let start = value as usize * width;
            rows.get(start..start + width).unwrap_or_default().to_vec()
        };
        encoder.support(a, b, |value| row(&self.forward, value));
        encoder.support(b, a, |value| row(&self.backward, value));
        Encoded::Done
    }

    fn knows_all_values(&self) -> bool {
        false
    }

    fn bytes(&self) -> usize {
        room::row(&self.forward) + room::row(&self.backward)
    }
}

impl ndscript_base::codec::Saved for Related {
    fn save(&self, out: &mut ndscript_base::codec::Writer) {
        self.places.to_vec().save(out);
        self.width.save(out);
        self.forward.save(out);
        self.backward.save(out);
    }

    fn load(
        from: &mut ndscript_base::codec::Reader<'_>,
    ) -> Result<Related, ndscript_base::codec::Unsound> {
        let places: Vec<u32> = Vec::load(from)?;
        let wrong =
            |_| ndscript_base::codec::Unsound::Wrong("a relation has other than two places");
        Ok(Related {
            places: places.try_into().map_err(wrong)?,
            width: u32::load(from)?,
            forward: Vec::load(from)?,
            backward: Vec::load(from)?,
        })
    }
}

/// The values allowed at a place by the candidates of another, computed one candidate after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Image {
    pub words: Vec<u64>,
    /// The next candidate to visit.
    next: usize,
    is_begun: bool,
}

impl Image {
    /// Continues to restrict `to` to what the candidates of `from` allow, in rows of `width` words; `None` if the
    /// budget is spent before, otherwise whether anything has changed.
    pub fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        (from, to): (usize, usize),
        (rows, width): (&[u64], usize),
        budget: &mut Budget,
    ) -> Result<Option<bool>, DomainWipeout> {
        let (first, target) = solver.candidates(to).words();
        let length = target.len();
        if !self.is_begun {
            self.words.clear();
            self.words.resize(length, 0);
            (self.next, self.is_begun) = (0, true);
        }
        for value in solver
            .candidates(from)
            .numbers()
            .filter(|value| *value >= self.next)
        {
            if budget.is_spent() {
                self.next = value;
                return Ok(None);
            }
            let row = rows.get(
                value * width + first..((value + 1) * width).min(value * width + first + length),
            );
            let row = row.unwrap_or_default();
            if from == to {
                // The place is its own neighbor: a candidate has to allow itself.
                budget.spend(2);
                let allows = row
                    .get((value / 64).wrapping_sub(first))
                    .is_some_and(|word| word >> (value % 64) & 1 == 1);
                if allows {
                    self.words[value / 64 - first] |= 1 << (value % 64);
                }
            } else {
                budget.spend(length + 1);
                self.words
                    .iter_mut()
                    .zip(row)
                    .for_each(|(image, row)| *image |= row);
            }
        }
        budget.spend(4);
        self.is_begun = false;
        solver.keep_words(to, &self.words, Some(number)).map(Some)
    }
}

/// Both directions of a relation between two places, and the first once more if the second has changed something.
#[derive(Clone, Debug, Default)]
pub struct RelatedPropagation {
    image: Image,
    done: usize,
}

impl RelatedPropagation {
    /// Keeps the values of each place that are related to one of the other.
    fn resume(
        &mut self,
        solver: &mut Solver,
        number: ConstraintNumber,
        own: &Related,
        budget: &mut Budget,
    ) -> Result<Fixpoint, DomainWipeout> {
        let (left, right) = (own.places[0] as usize, own.places[1] as usize);
        let width = own.width as usize;
        while self.done < 3 {
            let back = self.done == 1;
            let (ends, rows) = if back {
                ((right, left), (&own.backward[..], width))
            } else {
                ((left, right), (&own.forward[..], width))
            };
            let Some(changed) = self.image.resume(solver, number, ends, rows, budget)? else {
                return Ok(Fixpoint::NotYet);
            };
            self.done = if back && !changed { 3 } else { self.done + 1 };
        }
        Ok(Fixpoint::Reached)
    }
}
