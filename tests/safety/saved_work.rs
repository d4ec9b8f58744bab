//! A run that is saved in the middle of long work takes the same steps as one that is not, and comes to the same.

use ndscript::{Engine, Outcome, Run};

/// Work that ends in a value, in what is no value, in a failure and in an error.
const PROGRAMS: [&str; 11] = [
    "let a = sorted(map(range(60), i => -i)); print(a[3]);",
    "let a = map(range(60), i => [i, [i]]); let s = toSet(a); print(sizeOf(s));",
    "let t = repeat(\"name\", 60); let o = {}; o[t] = 1; print(o[t]);",
    "let w = map(range(60), i => i + 1); print(chooseElement(toSet(range(60)), w));",
    "let g = makeGrid(6, 6, [1, 2]); choose first { adjacent(g, (a, b) => a != b); } or { print(\"not\"); }",
    "let a = map(range(20), i => [[i], [i + 1]]); choose first { allDifferent(a); sumOf(a, 0, 3); } or print(\"not\");",
    "let a = map(range(40), i => setOf(1, 2)); choose first { allDifferent(a); } or print(\"not\");",
    "let x = [1]; x[0] = x; let a = map(range(60), i => [i]); push(a, x); toSet(a);",
    "let a = map(range(20), i => [i]); sumOf(a, 0, 3);",
    "let g = makeGrid(4, 4, [1, 2]); adjacent(g, relation([1, 2], [setOf(1), 2]));",
    "let a = map(range(40), i => [i]); push(a, x => x); print(sorted(a));",
];

fn engine() -> Engine {
    Engine::new().with_pieces(24)
}

fn ending(run: &mut Run) -> String {
    let outcome = run.resume(u64::MAX);
    let told = match outcome {
        Outcome::Solved(solution) => solution.text,
        Outcome::Error(error) => format!("{error:?}"),
        other => format!("{other:?}"),
    };
    let statistics = run.statistics();
    format!(
        "{told} {} steps, {} failures",
        statistics.steps, statistics.failures
    )
}

#[test]
fn saving_in_the_middle_of_work_changes_no_steps() {
    let mut wrong = Vec::new();
    for text in PROGRAMS {
        let engine = engine();
        let program = engine.compile(text).unwrap();
        let expected = ending(&mut program.run(1));
        let mut run = program.run(1);
        while let Outcome::OutOfFuel = run.resume(1) {
            let mut saved = run.clone();
            let steps = saved.statistics().steps;
            let bytes = saved.save().unwrap();
            let mut restored = engine.restore(&program, &bytes).unwrap();
            for (what, run) in [("saved", &mut saved), ("restored", &mut restored)] {
                let ending = ending(run);
                if ending != expected {
                    wrong.push(format!(
                        "{text}\n{what} after {steps} steps: {ending}\nexpected: {expected}"
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ, the first:\n{}",
        wrong.len(),
        wrong[0]
    );
}
