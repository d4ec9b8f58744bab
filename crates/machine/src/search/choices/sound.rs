//! Checks choice points that were read back: heights must rise, and what is saved must lie where they say.

use super::Choices;
use super::choice::{Choice, LargeAlternatives};
use crate::machine::WINDOW;
use ndscript_base::codec::{Unsound, ensure};

impl Choices {
    /// Checks that choice points lie on one another, and that the saved calls are theirs. Must be called before
    /// anything else reads them.
    pub fn check(&self) -> Result<(), Unsound> {
        let mut lower = (0, 0, 0);
        for (choice, (saves, saved_frames)) in self.points.iter().zip(self.ends()) {
            let here = (choice.serial, choice.saves, choice.saved_frames);
            ensure(
                here.0 > lower.0 && here.1 >= lower.1 && here.2 >= lower.2,
                "a choice point lies too low",
            )?;
            let is_below =
                choice.saves as usize <= saves && choice.saved_frames as usize <= saved_frames;
            ensure(
                is_below && saves <= self.saves.len(),
                "a choice point lies too high",
            )?;
            ensure(
                saved_frames <= self.saved_frames.len(),
                "a choice point lies too high",
            )?;
            for saved in &self.saved_frames[choice.saved_frames as usize..saved_frames] {
                let (start, length) = (saved.start as usize, saved.length as usize);
                let (base, first) = (saved.frame.base as usize, saved.first as usize);
                let is_own = first >= base && first + length <= base + WINDOW;
                let fits = saved.start >= choice.saves && start + length <= saves && is_own;
                ensure(fits, "the registers of a call are not where they should be")?;
            }
            lower = here;
        }
        let lowest = self.points.get(0).map_or(0, |first| first.saved_frames);
        ensure(lowest == 0, "a call is saved for no choice point")?;
        let large = self.points.iter().filter_map(|choice| choice.large());
        ensure(
            large.eq(0..self.large.len()),
            "alternatives are not those of their choice points",
        )?;
        ensure(
            !self.large.iter().any(LargeAlternatives::is_used_up),
            "a choice point has no alternatives",
        )
    }

    /// Checks that each choice point has saved as many registers of its own frame as it needs.
    pub fn check_own(&self, saved_frame: impl Fn(&Choice) -> usize) -> Result<(), Unsound> {
        for (choice, (saves, saved_frames)) in self.points.iter().zip(self.ends()) {
            let own = choice.saves as usize + saved_frame(&choice);
            ensure(own <= saves, "a choice point lies too high")?;
            let mut frames = self.saved_frames[choice.saved_frames as usize..saved_frames].iter();
            let is_above = frames.all(|saved| saved.start as usize >= own);
            ensure(
                is_above,
                "the registers of a call are not where they should be",
            )?;
        }
        Ok(())
    }

    /// The ends of the registers and calls saved for each choice point.
    fn ends(&self) -> impl Iterator<Item = (usize, usize)> {
        let above = self
            .points
            .iter()
            .skip(1)
            .map(|above| (above.saves as usize, above.saved_frames as usize));
        above.chain([(self.saves.len(), self.saved_frames.len())])
    }
}
