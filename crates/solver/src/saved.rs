//! Solvers as bytes. What constraints know of their places is saved; the caller restores the bits, and everything else
//! follows from the constraints.

use std::sync::Arc;

use super::propagation::posting::Height;
use super::propagation::waking::{Pending, Waking};
use super::{Constraint, Solver};
use ndscript_base::codec::{Reader, Saved, Unsound, Writer, ensure};

impl Saved for Height {
    fn save(&self, out: &mut Writer) {
        let Height {
            values,
            words,
            links: _,
        } = self;
        values.save(out);
        words.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Height, Unsound> {
        Ok(Height {
            values: usize::load(from)?,
            words: usize::load(from)?,
            links: 0,
        })
    }
}

impl Saved for Solver {
    fn save(&self, out: &mut Writer) {
        self.places.save(out);
        self.values.save(out);
        self.domains.save(out);
        self.constraints.save(out);
        self.witnesses.save(out);
        // Without that of a constraint that is being posted.
        self.heights[..self.constraints.len().min(self.heights.len())]
            .to_vec()
            .save(out);
        self.weights.save(out);
        self.waking
            .iter()
            .map(|waking| waking.slack)
            .collect::<Vec<u32>>()
            .save(out);
        self.losses.save(out);
        self.ties.save(out);
    }

    /// The rest is made by [`Solver::mend`].
    fn load(from: &mut Reader<'_>) -> Result<Solver, Unsound> {
        let (places, values) = (usize::load(from)?, usize::load(from)?);
        let domains = Saved::load(from)?;
        let (constraints, witnesses) = (Vec::load(from)?, Vec::load(from)?);
        let (heights, weights) = (Vec::load(from)?, Vec::load(from)?);
        let slack: Vec<u32> = Vec::load(from)?;
        let (losses, ties) = (Saved::load(from)?, u64::load(from)?);
        Ok(Solver {
            places,
            values,
            domains,
            constraints,
            witnesses,
            heights,
            weights,
            waking: slack
                .into_iter()
                .map(|slack| Waking {
                    slack,
                    ..Waking::default()
                })
                .collect(),
            losses,
            ties,
            ..Solver::default()
        })
    }
}

impl Solver {
    /// Checks what was read for this number of places, and rebuilds what was not saved. The bits of all places are
    /// empty then.
    ///
    /// # Errors
    /// If it cannot have been saved.
    pub fn mend(&mut self, places: usize) -> Result<(), Unsound> {
        let values = self.values;
        self.domains.make_bits();
        ensure(
            self.places == places && self.domains.is_sound(places, values),
            "a board has another size",
        )?;
        let rows = [self.weights.len(), self.waking.len(), self.witnesses.len()];
        ensure(
            rows == [self.constraints.len(); 3],
            "a board has another number of constraints",
        )?;
        ensure(self.losses.are_sound(places), "what was lost was not there")?;
        ensure(
            self.has_sound_heights(),
            "the constraints of a board do not lie on each other",
        )?;
        let fits = |constraint: &Arc<Constraint>| constraint.fits(places);
        ensure(
            self.constraints.iter().all(fits),
            "a constraint looks at what is not there",
        )?;
        let domains = std::mem::take(&mut self.domains);
        self.make_rows();
        self.domains = domains;
        for (number, constraint) in std::mem::take(&mut self.constraints)
            .into_iter()
            .enumerate()
        {
            self.put_back(number, constraint);
        }
        Ok(())
    }

    /// Puts a constraint back that was read.
    fn put_back(&mut self, number: usize, constraint: Arc<Constraint>) {
        let constraint = Arc::new(Arc::unwrap_or_clone(constraint).prepared(self));
        self.heights[number].links = self.watchers.height();
        for place in constraint.places().unwrap_or_default() {
            self.watch(*place as usize);
        }
        if constraint.places().is_none() {
            self.everywhere.push(number as u32);
        }
        let cells = if constraint.looks_at_changes() {
            vec![false; self.places]
        } else {
            Vec::new()
        };
        self.pending.push(Pending {
            cells: Vec::new(),
            is_in: cells,
        });
        let slack = self.waking[number].slack;
        self.waking[number] = Waking::of(&constraint, !constraint.is_native(), slack);
        if !constraint.is_native() {
            self.callbacks.push(number as u32);
        }
        if constraint.joined_cells().is_some() {
            self.paths.push(number as u32);
        }
        if constraint.may_run_short(self.places) {
            self.counts.push(number as u32);
        }
        self.tallies += usize::from(constraint.as_count().is_some());
        self.supersede(&constraint, true);
        self.rule_bytes += self.bytes_of(&constraint);
        self.constraints.push(constraint);
    }

    /// Whether the data of later constraints lie above those of earlier ones on each stack.
    fn has_sound_heights(&self) -> bool {
        let last = Height {
            values: self.values,
            words: self.domains.height(),
            links: 0,
        };
        let heights = self.heights.iter().chain([&last]);
        let rises = heights.clone().zip(heights.skip(1));
        self.heights.len() == self.constraints.len()
            && self
                .heights
                .iter()
                .all(|height| height.words >= self.places)
            && rises
                .into_iter()
                .all(|(low, high)| low.values <= high.values && low.words <= high.words)
    }
}
