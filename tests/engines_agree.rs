//! Two engines agree: the machine and the naive interpreter of `tests/naive` must find the same solutions of
//! generated programs, in the same order where choices are ordered, and end with the same kind of error.
//!
//! `NDSCRIPT_PROGRAMS` sets how many programs are compared, `NDSCRIPT_SEED` which ones; `NDSCRIPT_ONLY` compares the
//! one program whose seed a disagreement names.

mod agreement;
mod corpus;
mod generator;
#[path = "support/interrupted.rs"]
mod interrupted;
#[allow(dead_code, reason = "ways are for the trees of searches")]
mod naive;
#[path = "agreement/slices.rs"]
mod slices;

use std::time::{Duration, Instant};

use ndscript::{Engine, Outcome, Run};

use agreement::{
    Difference, SOLUTIONS, STACK, STEPS, Verdict, agree_in_order, compare, difference, run_machine,
};
use generator::{Node, minimised, shortened};
use naive::{Bounds, End};

const PROGRAMS: u64 = 3000;
/// How long a disagreement is made smaller.
const PATIENCE: Duration = Duration::from_secs(40);
/// Every so many programs one is run once more, saved and restored on its way.
const SAVED: u64 = 5;
const SHOWN_DISAGREEMENTS: usize = 5;

/// A disagreement with its program made small.
fn report(seed: u64, any_order: bool, nodes: Vec<Node>, kind: Difference) -> String {
    let begin = Instant::now();
    let mut keeps = |nodes: &[Node]| {
        begin.elapsed() < PATIENCE
            && ndscript::syntax::parse(&generator::text(nodes), 0).is_ok()
            && matches!(compare(&generator::text(nodes), any_order).verdict, Verdict::Disagree(other, _) if other == kind)
    };
    let small = minimised(nodes, &mut keeps);
    let small = minimised(shortened(small, &mut keeps), &mut keeps);
    let text = generator::text(&small);
    let Verdict::Disagree(_, difference) = compare(&text, any_order).verdict else {
        return format!("{seed}: unstable");
    };
    let order = if any_order { "any order" } else { "in order" };
    format!("seed {seed}, {order}:\n{text}{difference}\n")
}

/// The same of a run that is saved on its way.
fn report_saved(seed: u64, nodes: Vec<Node>) -> String {
    let begin = Instant::now();
    let mut keeps = |nodes: &[Node]| {
        begin.elapsed() < PATIENCE && difference_when_saved(&generator::text(nodes), seed).is_some()
    };
    let small = minimised(nodes, &mut keeps);
    let text = generator::text(&minimised(shortened(small, &mut keeps), &mut keeps));
    format!(
        "seed {seed}, {}\n{text}",
        difference_when_saved(&text, seed).unwrap_or_default()
    )
}

/// What a run finds, how it ends, and the figures that must not depend on where it was stopped.
type Course = (Vec<(String, String)>, String, [u64; 4]);

/// `None` if the run takes too long.
fn course(run: &mut Run, mut resume: impl FnMut(&mut Run, u64) -> Outcome) -> Option<Course> {
    let mut solutions = Vec::new();
    let end = loop {
        match resume(run, 300_000) {
            Outcome::Solved(solution) => {
                solutions.push((solution.text, solution.value.to_string()))
            }
            Outcome::Error(error) => break error.diagnostic.message.clone(),
            Outcome::OutOfFuel => return None,
            other => break format!("{other:?}"),
        }
        if solutions.len() >= SOLUTIONS {
            break "enough".to_string();
        }
    };
    let figures = run.statistics();
    Some((
        solutions,
        end,
        [
            figures.steps,
            figures.choice_points,
            figures.failures,
            figures.depth,
        ],
    ))
}

/// How a run that is saved and restored on its way differs from one that is left alone.
fn difference_when_saved(text: &str, seed: u64) -> Option<String> {
    let engine = Engine::new();
    // Long work is small, so that runs are saved in the middle of it.
    #[cfg(debug_assertions)]
    let engine = if seed.is_multiple_of(2) {
        engine.with_pieces(20)
    } else {
        engine
    };
    let program = engine.compile(text).ok()?;
    let expected = course(&mut program.run(seed), |run, fuel| run.resume(fuel))?;
    let again = engine.compile(text).ok()?;
    let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut interrupted = interrupted::Interrupted::new(&engine, again, seed, 25);
        course(&mut program.run(seed), |run, fuel| {
            interrupted.resume(run, fuel)
        })
    }));
    match found {
        Ok(found) => (found.as_ref() != Some(&expected))
            .then(|| format!("saved:\n{found:?}\ninstead of\n{expected:?}")),
        Err(panic) => {
            let words = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or(panic.downcast_ref::<&str>().copied());
            Some(format!("saving panics: {}", words.unwrap_or_default()))
        }
    }
}

#[derive(Default)]
struct Tally {
    compared: usize,
    dropped: Vec<String>,
    several_solutions: usize,
    errors: usize,
    disagreements: Vec<String>,
}

fn tally(seeds: impl Iterator<Item = u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        // A third of the programs has random choices.
        let any_order = seed % 3 == 2;
        let nodes = generator::program(seed, any_order);
        let comparison = compare(&generator::text(&nodes), any_order);
        tally.compared += 1;
        tally.several_solutions += usize::from(comparison.solutions > 1);
        tally.errors += usize::from(comparison.error);
        match comparison.verdict {
            Verdict::Agree => {}
            Verdict::Dropped(reason) => tally.dropped.push(reason),
            Verdict::Disagree(kind, _) => {
                tally
                    .disagreements
                    .push(report(seed, any_order, nodes.clone(), kind))
            }
        }
        if seed % SAVED == 0 && difference_when_saved(&generator::text(&nodes), seed).is_some() {
            tally.disagreements.push(report_saved(seed, nodes));
        }
        if tally.disagreements.len() >= SHOWN_DISAGREEMENTS {
            break;
        }
    }
    tally
}

fn on_big_stack<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> std::thread::JoinHandle<T> {
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(work).expect("a thread can be made")
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(otherwise, |value| value.parse().expect("a number"))
}

#[test]
fn engines_agree_on_generated_programs() {
    // A panic of the machine is reported with its program; while that is made smaller it panics many times.
    std::panic::set_hook(Box::new(|_| {}));
    let programs = from_environment("NDSCRIPT_PROGRAMS", PROGRAMS);
    let first = from_environment("NDSCRIPT_SEED", 1).wrapping_mul(1_000_000_000);
    let (first, programs) = match from_environment("NDSCRIPT_ONLY", 0) {
        0 => (first, programs),
        only => (only, 1),
    };
    let workers: Vec<_> = (0..2)
        .map(|worker| {
            on_big_stack(move || {
                tally(
                    (0..programs)
                        .filter(move |n| n % 2 == worker)
                        .map(move |n| first + n),
                )
            })
        })
        .collect();
    let mut total = Tally::default();
    for worker in workers {
        let part = worker.join().expect("the comparison itself does not panic");
        total.compared += part.compared;
        total.dropped.extend(part.dropped);
        total.several_solutions += part.several_solutions;
        total.errors += part.errors;
        total.disagreements.extend(part.disagreements);
    }
    println!(
        "{} programs, {} with several solutions, {} with errors, {} dropped {:?}",
        total.compared,
        total.several_solutions,
        total.errors,
        total.dropped.len(),
        total.dropped.first()
    );
    let _ = std::panic::take_hook();
    assert!(
        total.disagreements.is_empty(),
        "\n{}",
        total.disagreements.join("\n")
    );
    if total.compared >= 500 {
        assert!(
            total.dropped.len() * 20 < total.compared,
            "too many dropped: {:?}",
            total.dropped
        );
        assert!(
            total.several_solutions * 5 > total.compared,
            "too few programs have several solutions"
        );
        assert!(
            total.errors * 100 > total.compared,
            "too few programs have errors"
        );
    }
}

/// Programs of one kind, all of whose solutions come in order, and some of them saved on their way.
fn agree_on(make: fn(u64) -> String) {
    let first = from_environment("NDSCRIPT_SEED", 0);
    let programs = from_environment("NDSCRIPT_PROGRAMS", PROGRAMS) / 2;
    let work = on_big_stack(move || {
        let (mut several, mut dropped) = (0, 0);
        for seed in first..first + programs {
            let text = make(seed);
            let found = compare(&text, false);
            several += u64::from(found.solutions > 1);
            match found.verdict {
                Verdict::Agree => {}
                Verdict::Dropped(_) => dropped += 1,
                Verdict::Disagree(_, how) => panic!("program {seed}:\n{text}\n{how}"),
            }
            if seed % SAVED == 0
                && let Some(how) = difference_when_saved(&text, seed)
            {
                panic!("program {seed}:\n{text}\n{how}");
            }
        }
        println!("{programs} programs, {several} with several solutions, {dropped} dropped");
        assert!(
            several * 3 > programs && dropped * 20 < programs,
            "{several} and {dropped} of {programs}"
        );
    });
    if let Err(panic) = work.join() {
        std::panic::resume_unwind(panic);
    }
}

/// A failure takes back how far texts have grown, and what searches have found stays what it is.
#[test]
fn texts_grow_beside_failures() {
    agree_on(generator::growing_texts);
}

/// What a search has made and handed on is written into by others.
#[test]
fn collections_are_made_in_searches() {
    agree_on(generator::made_in_searches);
}

#[test]
fn both_engines_know_what_follows_from_the_contract() {
    let work = on_big_stack(|| {
        for known in naive::known::PROGRAMS {
            let program = known.program;
            let script = ndscript::syntax::parse(program, 0)
                .unwrap_or_else(|e| panic!("{program}: {}", e[0].message));
            let naive = naive::run(
                &script,
                Bounds {
                    steps: STEPS,
                    solutions: SOLUTIONS,
                },
                false,
            );
            let solutions: Vec<(&str, &str)> = naive
                .solutions
                .iter()
                .map(|(text, value)| (&**text, &**value))
                .collect();
            assert_eq!(
                solutions, known.solutions,
                "the naive interpreter on {program}"
            );
            let error = match &naive.end {
                End::Error(name, _) => Some(*name),
                _ => None,
            };
            assert_eq!(error, known.error, "the naive interpreter on {program}");
            let compiled = Engine::new()
                .compile(program)
                .unwrap_or_else(|e| panic!("{program}: {e}"));
            let machine = run_machine(&compiled, 1, SOLUTIONS);
            assert!(
                agree_in_order(&naive, &machine),
                "{program}\n{}",
                difference(&naive, &machine)
            );
        }
    });
    if let Err(panic) = work.join() {
        std::panic::resume_unwind(panic);
    }
}
