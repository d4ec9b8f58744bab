//! Runs that are stopped, saved and restored on their way, which must make no difference.

use ndscript::rng::Rng;
use ndscript::{Engine, Outcome, Program, Run};

/// Resumes runs with interruptions.
pub struct Interrupted<'a> {
    engine: &'a Engine,
    /// Compiled afresh, as another process would.
    program: Program,
    rng: Rng,
    /// About how many steps pass until the next interruption.
    steps: u64,
    left: usize,
    pub interruptions: usize,
}

impl<'a> Interrupted<'a> {
    /// At most so many interruptions, at random steps, most of them early.
    pub fn new(engine: &'a Engine, program: Program, seed: u64, most: usize) -> Interrupted<'a> {
        Interrupted {
            engine,
            program,
            rng: Rng::new(seed),
            steps: 5,
            left: most,
            interruptions: 0,
        }
    }

    /// As `run.resume(fuel)`.
    pub fn resume(&mut self, run: &mut Run, fuel: u64) -> Outcome {
        let mut fuel = fuel;
        loop {
            let slice = if self.left > 0 {
                self.rng.below(self.steps).min(fuel)
            } else {
                fuel
            };
            let before = run.statistics().steps;
            let outcome = run.resume(slice);
            fuel = fuel.saturating_sub(run.statistics().steps - before);
            match outcome {
                Outcome::OutOfFuel if fuel > 0 => self.interrupt(run),
                Outcome::Solved(_) | Outcome::Asked(_) => {
                    self.interrupt(run);
                    return outcome;
                }
                _ => return outcome,
            }
        }
    }

    fn interrupt(&mut self, run: &mut Run) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        self.interruptions += 1;
        self.steps += self.steps / 2;
        let saved = run.save().unwrap();
        let mut restored = self
            .engine
            .restore(&self.program, &saved)
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(
            saved == restored.save().unwrap(),
            "a restored run is saved otherwise"
        );
        // At times the run itself goes on, which must not know that it was saved.
        if self.rng.below(4) > 0 {
            *run = restored;
        }
    }
}
