//! The state of a session: its inputs, the answers, and the run at their end.

use std::sync::Arc;

use ndscript::source::SourceFile;
use ndscript::{Program, Run};

use crate::interactive::repl::reply::Answer;
use crate::terminal::interrupt::fork;

/// A person's reply to a question of the program.
#[derive(Clone)]
pub enum PersonAnswer {
    Option(usize),
    Line(String),
    /// Nobody can answer.
    Nothing,
    /// Ctrl-C.
    Interrupted,
}

/// An input that is part of the session.
#[derive(Clone)]
pub struct Input {
    pub text: Arc<str>,
    /// The file that it was loaded from.
    pub file: Option<Arc<str>>,
    /// Its text and its imports at that time. Its program is not stored: each contains that of all inputs before.
    pub(in crate::interactive::repl) files: Arc<[SourceFile]>,
    pub answer: Arc<Answer>,
    /// The global variables at its end.
    pub(in crate::interactive::repl) globals: Arc<[(String, String)]>,
    /// The number of solutions that a person has refused while it was the latest input, by `fail;` or `:next`.
    pub refused: u32,
}

impl Input {
    /// Begins this input again, on a run at the end of the one before it.
    pub fn begin_once_more(&self, run: &mut Run) -> Result<(), String> {
        let program = self.extend(run.program())?;
        run.extend(&program).map_err(|why| why.to_string())
    }

    /// The program with this input after the inputs that it has.
    pub fn extend(&self, program: &Program) -> Result<Program, String> {
        program
            .extend_again(&self.files)
            .map_err(|why| why.to_string())
    }
}

/// All that `:undo` brings back.
pub struct State {
    pub run: Run,
    pub inputs: Vec<Input>,
    /// The answers. Nothing backtracks beyond an answer.
    pub answers: Vec<PersonAnswer>,
    /// The sources of its random numbers; the first is that of the beginning.
    pub seeds: Vec<GivenSeed>,
    /// The number of inputs when they were found to have no other solution.
    pub exhausted: usize,
}

/// A seed, and where a person gave it: after this many inputs, and at this step, which distinguishes it from the seed
/// that was given there on an earlier pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenSeed {
    pub inputs: usize,
    pub step: u64,
    pub seed: u64,
}

impl State {
    /// The bytes of the program and of the inputs that no other state shares.
    pub fn copies(&self) -> usize {
        // The run has an entry for each input, too, and its program has one for each file.
        self.run.program().bytes() + self.inputs.len() * (size_of::<Input>() + 64)
    }
}

impl Clone for State {
    fn clone(&self) -> State {
        let (inputs, answers, seeds) = (
            self.inputs.clone(),
            self.answers.clone(),
            self.seeds.clone(),
        );
        State {
            run: fork(&self.run),
            inputs,
            answers,
            seeds,
            exhausted: self.exhausted,
        }
    }
}
