//! Limits do not depend on slices: however many steps a run is resumed for at a time, a limit of steps stops it at the
//! same place or not at all. And what it stopped at a limit comes when that is raised.

use ndscript::{Engine, LimitReached, Limits, Outcome, Program, Run};

use super::{corpus, generator};

/// What a run has come to: what it has told, each with the steps until then.
type Course = Vec<(String, u64)>;

/// So much is looked at of each run.
const MOST_TOLD: usize = 5;

/// Goes on to the end, or to a limit.
fn go_on(run: &mut Run, slice: u64, course: &mut Course) {
    while course.len() < MOST_TOLD {
        let (told, goes_on) = match run.resume(slice) {
            Outcome::OutOfFuel => continue,
            Outcome::Solved(solution) => (format!("{} {}", solution.text, solution.value), true),
            Outcome::Asked(question) => {
                let goes_on = if question.options.is_some() {
                    run.answer(0)
                } else {
                    run.answer_text("7")
                };
                (question.prompt, goes_on)
            }
            Outcome::Error(error) => (error.diagnostic.message.clone(), false),
            other => (format!("{other:?}"), false),
        };
        course.push((told, run.statistics().steps));
        if !goes_on {
            return;
        }
    }
}

fn run_within(program: &Program, steps: u64) -> Run {
    let mut run = program.run(7);
    run.set_limits(Limits {
        steps,
        ..*run.limits()
    });
    run
}

/// Compares all slices under limits near every step at which the run tells something. Returns how many limits those were.
fn check(text: &str, from: &str) -> usize {
    let Ok(program) = Engine::new().compile(text) else {
        return 0;
    };
    let mut whole = Course::new();
    go_on(&mut run_within(&program, 2500), u64::MAX, &mut whole);
    let Some((last, total)) = whole.last() else {
        return 0;
    };
    if last.starts_with("Limit") || *total > 2500 {
        return 0;
    }
    let mut limits: Vec<u64> = whole
        .iter()
        .flat_map(|(_, steps)| steps.saturating_sub(3)..steps + 3)
        .collect();
    limits.extend((0..4).map(|part| total * part / 4));
    limits.sort_unstable();
    limits.dedup();
    for limit in &limits {
        let mut expected = Course::new();
        go_on(&mut run_within(&program, *limit), u64::MAX, &mut expected);
        let is_limit = |told: &(String, u64)| {
            told.0 == format!("{:?}", Outcome::Limit(LimitReached::Steps(*limit)))
        };
        // What is told is told within the limit; an error may be found a little later.
        let within = whole.iter().take_while(|(_, steps)| steps <= limit).count();
        let kept = expected
            .iter()
            .zip(&whole)
            .take_while(|(found, expected)| found == expected)
            .count();
        let is_error = |told: &(String, u64)| whole.last() == Some(told) && kept == whole.len();
        let ends_well = expected
            .last()
            .is_some_and(|told| is_limit(told) && kept == within || is_error(told));
        assert!(
            ends_well || whole.len() == MOST_TOLD,
            "{from}, {limit} of {total} steps:\n{text}\n{expected:?}\n{whole:?}"
        );
        for slice in [1, 300] {
            let mut found = Course::new();
            let mut run = run_within(&program, *limit);
            go_on(&mut run, slice, &mut found);
            assert_eq!(
                found, expected,
                "{from}, slices of {slice}, {limit} of {total} steps:\n{text}"
            );
            if found.last().is_some_and(is_limit) {
                found.pop();
                run.set_limits(Limits::default());
                go_on(&mut run, slice, &mut found);
                assert_eq!(
                    found, whole,
                    "{from}, raised, slices of {slice}, {limit} of {total} steps:\n{text}"
                );
            }
        }
    }
    limits.len()
}

#[test]
fn limits_do_not_depend_on_slices() {
    let mut count = 0;
    for seed in 0..60 {
        count += check(
            &generator::text(&generator::program(seed, seed % 3 == 2)),
            &format!("seed {seed}"),
        );
    }
    for path in corpus::scripts().into_iter().step_by(3) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if text.len() < 4000 {
            count += check(&text, &path.display().to_string());
        }
    }
    println!("{count} limits");
    assert!(count > 2000, "{count}");
}
