//! A search that gets a part of each frame. It knows nothing of Godot, so that tests run it without.

use std::time::{Duration, Instant};

use ndscript::{Data, Outcome, Param, Program, Question, Run, Solution};

/// The steps of a slice: the clock is read after each.
const SLICE: u64 = 2_000;

/// A program on its way to a solution.
pub struct FrameSearch {
    run: Run,
    /// A solution, a question or the end stands: the host decides what follows.
    rests: bool,
}

/// What a frame's share has led to.
#[derive(Debug)]
pub enum Found {
    /// A solution. The search rests until [`FrameSearch::search_next`].
    Solved(Solution),
    /// A question. The search rests until it is answered.
    Asked(Question),
    /// No solution, or none after those that were found, with the last reason that the program gave for a failure.
    Failed(Option<String>),
    /// The program made an error, or a limit was reached.
    Error(String),
}

impl FrameSearch {
    /// At the start of a program.
    pub fn new(program: &Program, seed: u64, parameters: &[(String, Param)]) -> FrameSearch {
        FrameSearch {
            run: program.run_with(seed, parameters),
            rests: false,
        }
    }

    /// Searches for this long at most, plus a slice of some tens of microseconds.
    pub fn advance(&mut self, time: Duration) -> Option<Found> {
        let until = Instant::now() + time;
        while !self.rests {
            let found = match self.run.resume(SLICE) {
                Outcome::OutOfFuel if Instant::now() < until => continue,
                // No function of this host lets a run wait.
                Outcome::OutOfFuel | Outcome::Waiting(_) => return None,
                Outcome::Solved(solution) => Found::Solved(solution),
                Outcome::Asked(question) => Found::Asked(question),
                Outcome::Failed => Found::Failed(self.run.failure_message().map(str::to_string)),
                Outcome::Error(error) => Found::Error(error.to_string()),
                Outcome::Limit(limit) => Found::Error(limit.to_string()),
            };
            self.rests = true;
            return Some(found);
        }
        None
    }

    /// Looks for the next solution.
    pub fn search_next(&mut self) {
        self.rests = false;
    }

    /// Answers a question with one of its options, counted from 0. False if there is no such question or option.
    pub fn answer(&mut self, option: usize) -> bool {
        let is_taken = self.run.answer(option);
        self.rests &= !is_taken;
        is_taken
    }

    /// Answers a question that has no options. False if there is no such question.
    pub fn answer_line(&mut self, line: &str) -> bool {
        let is_taken = self.run.answer_text(line);
        self.rests &= !is_taken;
        is_taken
    }

    /// Whether it is neither solved nor waiting nor at its end.
    pub fn is_searching(&self) -> bool {
        !self.rests
    }

    /// A global variable as it is now, if there is one with a value.
    pub fn global(&self, name: &str) -> Option<Data> {
        Some(self.run.view_global(name)?.data())
    }

    /// The steps so far, and the failures.
    pub fn statistics(&self) -> (u64, u64) {
        let statistics = self.run.statistics();
        (statistics.steps, statistics.failures)
    }
}
