//! An attempt that led to nothing: the session is as it was before, but the attempt can be examined.

use ndscript::Program;

use super::state::{GivenSeed, Input, PersonAnswer, State};
use crate::interactive::repl::reply::Reply;

/// The kind of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptKind {
    /// An input.
    Input,
    /// Another solution of all inputs.
    Refusal,
    /// Another solution of the latest input, which stays in that.
    Next,
}

/// An attempt that led to nothing.
pub struct Attempt {
    pub kind: AttemptKind,
    /// The inputs with that one.
    pub inputs: Vec<Input>,
    pub answers: Vec<PersonAnswer>,
    pub seeds: Vec<GivenSeed>,
    /// The program of all these inputs, even if it ended in an earlier one.
    pub program: Program,
    /// The step at which it was stopped; it has ended by itself if there is none.
    pub stopped_at: Option<u64>,
    /// Whether it has failed: then all that it did is undone at its end.
    pub has_failed: bool,
    pub was_interrupted: bool,
}

impl Attempt {
    /// The attempt that left this state, and ended with this reply.
    pub fn new(tried: AttemptKind, left: State, reply: &Reply) -> Attempt {
        let has_failed = matches!(reply, Reply::NoSolution(_));
        let has_ended = has_failed || matches!(reply, Reply::Error(..));
        let stopped_at = (!has_ended).then(|| left.run.statistics().steps);
        let was_interrupted = matches!(reply, Reply::Interrupted);
        let State {
            run,
            inputs,
            answers,
            seeds,
            ..
        } = left;
        let mut program = run.program().clone();
        // The first input of a run is the empty beginning.
        for input in &inputs[run.input().saturating_sub(1).min(inputs.len())..] {
            // All of them were compiled before.
            let Ok(longer) = input.extend(&program) else {
                break;
            };
            program = longer;
        }
        Attempt {
            kind: tried,
            inputs,
            answers,
            seeds,
            program,
            stopped_at,
            has_failed,
            was_interrupted,
        }
    }

    /// A remark before its output.
    pub fn in_words(&self) -> &'static str {
        match self.kind {
            AttemptKind::Input => "of the latest input, which was dropped:",
            AttemptKind::Refusal => {
                "of the search for another solution of all inputs, which found none:"
            }
            AttemptKind::Next => {
                "of the search for another solution of the latest input, which found none:"
            }
        }
    }
}
