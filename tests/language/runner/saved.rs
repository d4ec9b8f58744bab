//! Runs a script again, stopped, saved and restored on the way: nothing may differ.

use ndscript::{Engine, Program};

use super::expectation::Expectation;
use super::interrupted::Interrupted;
use super::observe::{Ending, Observed, observe_by};

/// How often a script is interrupted.
const INTERRUPTIONS: usize = 9;

/// Compares what a script did without interruption.
pub fn check_saved(
    engine: &Engine,
    program: &Program,
    expectation: &Expectation,
    observed: &Observed,
) -> Result<(), String> {
    let main = &program.sources().files()[0];
    let again = engine
        .compile_named(&main.name, &main.text)
        .map_err(|error| error.to_string())?;
    let mut interrupted = Interrupted::new(engine, again, observed.statistics.steps, INTERRUPTIONS);
    let saved = observe_by(program, expectation, 1, |run, fuel| {
        interrupted.resume(run, fuel)
    });
    // A restored copy is packed otherwise, so where memory is short it may reach the limit where the run did not.
    if expectation.max_memory.is_some() {
        return Ok(());
    }
    // Not the globals as data: how much of very large ones a solution holds depends on the room that is left.
    let texts = |observed: &Observed| -> Vec<String> {
        let solutions = observed.solutions.iter();
        solutions
            .map(|solution| {
                format!(
                    "{} {} {:?}",
                    solution.text, solution.value, solution.pictures
                )
            })
            .collect()
    };
    let same = texts(&saved) == texts(observed)
        && saved.questions == observed.questions
        && saved.text_before == observed.text_before
        && saved.ending == observed.ending;
    if !same {
        let told = |observed: &Observed| {
            let all = format!("{:?}, {:?}", texts(observed), observed.ending);
            all.chars().take(300).collect::<String>()
        };
        let times = interrupted.interruptions;
        let (now, before) = (told(&saved), told(observed));
        return Err(format!(
            "saved and restored {times} times, it does something else: {now}, instead of {before}"
        ));
    }
    let figures = |observed: &Observed| {
        let figures = &observed.statistics;
        (
            figures.steps,
            figures.choice_points,
            figures.failures,
            figures.depth,
        )
    };
    // A limit is looked at now and then, so when it is noticed depends on where the run was stopped.
    let is_limit = matches!(&observed.ending, Ending::Limit { .. });
    if !is_limit && figures(&saved) != figures(observed) {
        return Err(format!(
            "saved and restored, it takes {:?} and not {:?}",
            figures(&saved),
            figures(observed)
        ));
    }
    Ok(())
}
