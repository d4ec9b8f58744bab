//! Runs a program and writes down what it does.

use ndscript::{ErrorKind, Outcome, Param, Program, Run, Solution, Statistics};

use super::expectation::Expectation;

/// What happened.
#[derive(Default)]
pub struct Observed {
    pub solutions: Vec<Solution>,
    pub questions: Vec<String>,
    /// What was printed and handed over with a question, before the first solution.
    pub text_before: String,
    pub ending: Ending,
    pub statistics: Statistics,
    pub message: Option<String>,
}

#[derive(Debug, Default, PartialEq)]
pub enum Ending {
    /// As many solutions as were asked for.
    #[default]
    Enough,
    NoMore,
    Error {
        kind: ErrorKind,
        message: String,
        line: Option<usize>,
        rendered: String,
        text: String,
    },
    Limit {
        name: String,
        text: String,
    },
    /// A question came and the script has no answer to it.
    Unanswered,
}

/// No test may take more steps than this, unless it says so.
const MAX_STEPS: u64 = 200_000_000;

/// Runs with one seed.
pub fn observe(program: &Program, expectation: &Expectation, seed: u64) -> Observed {
    observe_by(program, expectation, seed, |run, fuel| run.resume(fuel))
}

/// Runs with one seed, with the full forms of the instructions alone.
#[cfg(debug_assertions)]
pub fn observe_plainly(program: &Program, expectation: &Expectation, seed: u64) -> Observed {
    observe_by(program, expectation, seed, |run, fuel| {
        run.run_plainly();
        run.resume(fuel)
    })
}

/// Runs with one seed, resumed by a function of its own.
pub fn observe_by(
    program: &Program,
    expectation: &Expectation,
    seed: u64,
    mut resume: impl FnMut(&mut Run, u64) -> Outcome,
) -> Observed {
    let params: Vec<(String, Param)> = expectation
        .params
        .iter()
        .map(|(name, value)| (name.clone(), param(value)))
        .collect();
    let mut run = program.run_with(seed, &params);
    let mut answers = expectation.answers.iter();
    let mut observed = Observed::default();
    let wanted = expectation.solutions.unwrap_or(1);
    let mut fuel = expectation.max_steps.unwrap_or(MAX_STEPS);
    while observed.solutions.len() < wanted {
        let before = run.statistics().steps;
        let outcome = resume(&mut run, fuel);
        fuel = fuel.saturating_sub(run.statistics().steps - before);
        match outcome {
            Outcome::Solved(solution) => observed.solutions.push(solution),
            Outcome::Failed => {
                observed.ending = Ending::NoMore;
                break;
            }
            Outcome::Error(error) => {
                let diagnostic = &error.diagnostic;
                observed.ending = Ending::Error {
                    kind: error.kind,
                    message: super::check::words(diagnostic),
                    line: diagnostic
                        .span
                        .and_then(|span| Some(program.sources().locate(span)?.1)),
                    rendered: diagnostic.render(program.sources(), false),
                    text: run.pending_output().0,
                };
                break;
            }
            Outcome::Limit(limit) => {
                observed.ending = Ending::Limit {
                    name: limit.name().into(),
                    text: run.pending_output().0,
                };
                break;
            }
            Outcome::OutOfFuel | Outcome::Waiting(_) => {
                observed.ending = Ending::Limit {
                    name: "Steps".into(),
                    text: run.pending_output().0,
                };
                break;
            }
            Outcome::Asked(question) => {
                let options = question.options.as_deref();
                observed.questions.push(match options {
                    Some(options) => format!("{} {}", question.prompt, options.join(", ")),
                    None => question.prompt.trim_end().to_string(),
                });
                observed.text_before.push_str(&question.text);
                let Some(answer) = answers.next() else {
                    observed.ending = Ending::Unanswered;
                    break;
                };
                let understood = match options
                    .map(|options| options.iter().position(|option| option == answer))
                {
                    Some(index) => index.is_some_and(|index| run.answer(index)),
                    None => run.answer_text(answer),
                };
                if !understood {
                    observed.ending = Ending::Unanswered;
                    break;
                }
            }
        }
    }
    observed.statistics = run.statistics();
    observed.message = run.failure_message().map(str::to_string);
    observed
}

/// Values that read as numbers or Booleans are.
fn param(value: &str) -> Param {
    match Param::read(value) {
        Param::Text(text) => Param::Text(text),
        _ => Param::Typed(value.to_string()),
    }
}
