//! The drivers agree: what instructions do fast they do in full, too. Generated programs are run by both; they must find
//! the same solutions, end in the same way, take the same steps, choices and failures, and be in the same state at every
//! choice point. Every script of `tests/language` is run by both as well (`tests/language/runner/check.rs`).
//!
//! `NDSCRIPT_PROGRAMS` sets how many programs are compared, `NDSCRIPT_SEED` which ones.
#![cfg(debug_assertions)]

mod generator;

use generator::{Node, minimised, shortened};
use ndscript::{Engine, Outcome, Program};

const PROGRAMS: u64 = 2000;
const SOLUTIONS: usize = 100;
const FUEL: u64 = 1_000_000;

/// What a run finds, how it ends, and the figures.
#[derive(Debug, PartialEq)]
struct Course {
    solutions: Vec<(String, String, usize)>,
    end: String,
    steps: u64,
    choice_points: u64,
    failures: u64,
    depth: u64,
    states: u64,
}

/// `None` if it is too long to be compared.
fn course(program: &Program, seed: u64, plain: bool) -> Option<Course> {
    let mut run = program.run(seed);
    run.verify_backtracking();
    if plain {
        run.run_plainly();
    }
    let mut solutions = Vec::new();
    let end = loop {
        match run.resume(FUEL) {
            Outcome::Solved(solution) => {
                solutions.push((solution.text, solution.value.to_string(), solution.pictures.len()));
            }
            Outcome::Error(error) => break format!("{:?}: {}", error.kind, error.diagnostic.message),
            Outcome::OutOfFuel | Outcome::Limit(_) => return None,
            other => break format!("{other:?}"),
        }
        if solutions.len() >= SOLUTIONS {
            break "enough".to_string();
        }
    };
    let figures = run.statistics();
    // A collection gives handles away anew, and they are part of the state.
    let states = if figures.collections == 0 { run.states() } else { 0 };
    let (steps, choice_points, failures, depth) =
        (figures.steps, figures.choice_points, figures.failures, figures.depth);
    Some(Course { solutions, end, steps, choice_points, failures, depth, states })
}

/// The courses of a program that both drivers come to an end of.
fn courses(text: &str, seed: u64) -> Option<[Course; 2]> {
    let program = Engine::new().compile(text).ok()?;
    Some([course(&program, seed, false)?, course(&program, seed, true)?])
}

/// A disagreement with its program made small.
fn report(seed: u64, nodes: Vec<Node>) -> String {
    let disagree = |nodes: &[Node]| courses(&generator::text(nodes), seed).is_some_and(|[fast, plain]| fast != plain);
    let small = minimised(nodes, &mut |nodes| disagree(nodes));
    let small = minimised(shortened(small, &mut |nodes| disagree(nodes)), &mut |nodes| disagree(nodes));
    let text = generator::text(&small);
    format!("seed {seed}:\n{text}\nfast and plain: {:#?}", courses(&text, seed))
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn fast_and_plain_drivers_agree() {
    let programs = from_environment("NDSCRIPT_PROGRAMS", PROGRAMS);
    let first = from_environment("NDSCRIPT_SEED", 0);
    let (mut compared, mut choosing) = (0, 0);
    for seed in first..first + programs {
        let nodes = generator::program(seed, seed % 3 == 2);
        let Some([fast, plain]) = courses(&generator::text(&nodes), seed) else { continue };
        assert!(fast == plain, "{}", report(seed, nodes));
        compared += 1;
        choosing += u64::from(fast.choice_points > 1);
    }
    assert!(compared * 10 > programs * 9, "only {compared} programs could be compared");
    assert!(choosing * 3 > programs, "only {choosing} programs choose");
}
