//! Boards that fail so often that the search that learns is asked: the same solutions as without it, each once, whatever stands around
//! `decide` and however often the run is saved.

use super::{Random, count};
use ndscript::{Engine, Outcome};

/// A board of sums that cross, with few solutions, and hardly anything that follows before most of it is guessed.
fn sums(random: &mut Random) -> String {
    let places = 16 + random.below(3);
    let hidden: Vec<usize> = (0..places).map(|_| random.below(3)).collect();
    let mut program = format!("let b = map(range({places}), i => setOf(0, 1, 2));\n");
    for _ in 0..5 + random.below(2) {
        let own = random.some(places, places - 3);
        let factors: Vec<i64> = own.iter().map(|_| random.below(15) as i64 - 7).collect();
        let sum: i64 = own
            .iter()
            .zip(&factors)
            .map(|(place, factor)| hidden[*place] as i64 * factor)
            .sum();
        program += &format!("sumOf(b, {sum}, {sum}, {own:?}, {factors:?});\n");
    }
    program
}

const PRINTING: &str = "join(map(b, c => toString(singletonValue(c))), \"\")";

/// What a program prints, with its failures; it is saved and read back after so many steps.
fn outcome(program: &str, seed: u64, stretch: u64) -> (String, u64, u64) {
    let engine = Engine::new();
    let compiled = engine
        .compile(program)
        .unwrap_or_else(|error| panic!("{program}\n{error}"));
    let mut run = compiled.run(seed);
    let mut text = String::new();
    loop {
        match run.resume(stretch) {
            Outcome::Solved(solution) => text += &solution.text,
            Outcome::OutOfFuel => {
                let saved = run.save().expect("it has no values of the host");
                run = engine.restore(&compiled, &saved).expect("a run");
            }
            Outcome::Failed => break,
            other => panic!("{program}\n{other:?}"),
        }
    }
    let figures = run.statistics();
    (text, figures.failures, figures.steps)
}

#[test]
fn the_same_solutions_come_each_once() {
    let mut random = Random(77);
    let mut fewer = 0;
    for number in 0..count() / 100 {
        let board = sums(&mut random);
        // Alone; with a guess before it and one behind; and all that a search of its own finds.
        let rest = match number % 3 {
            0 => "decide(b, OPTIONS); printLine(PRINTED);",
            1 => {
                "let first = choose(0, 1, 2); narrow(b, 3, first); decide(b, OPTIONS); let last = choose(1, 2); \
                 printLine(PRINTED, last);"
            }
            _ => {
                "let all = solutions(() => { decide(b, OPTIONS); return PRINTED; }); choose printLine(\"once\"); or \
                 printLine(\"twice\"); foreach (one in all) printLine(one);"
            }
        };
        let program = |options: &str| {
            let rest = rest
                .replace("OPTIONS", options)
                .replace("PRINTED", PRINTING);
            format!("{board}{rest}")
        };
        let lines = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
            lines.sort();
            lines
        };
        let seed = number as u64;
        let (plain, failures, _) = outcome(&program("{backjump: false}"), seed, u64::MAX);
        let learned = outcome(&program("{}"), seed, u64::MAX);
        assert_eq!(
            lines(&plain),
            lines(&learned.0),
            "{number}\n{}",
            program("{}")
        );
        fewer += u64::from(2 * learned.1 < failures);
        if number % 4 == 0 {
            let stopped = outcome(&program("{}"), seed, 1_777);
            assert_eq!(learned, stopped, "{number}\n{}", program("{}"));
        }
    }
    eprintln!("{fewer}");
    assert!(fewer > 5, "hardly anything was learned: {fewer}");
}

/// The guesses of a board that never fails have no record. Failures there are none of the board that was decided before it, whose
/// guesses have one.
#[test]
fn solutions_of_a_board_that_never_fails_come_once() {
    for order in ["random", "first", "smallest"] {
        let program = format!(
            "let x = grid([[setOf(2), setOf(3)], [setOf(3, 0, 1), setOf(3, 0, 1, 2)]]), y = makeGrid(6, 1, setOf(0, 1, 2, 3));
            let low = position(1, 1);
            sumOf(x, 2, 3, [low, position(1, 0), position(0, 1), low, low], [2, -1, 0, 2, 1]);
            related(y, position(0, 0), position(1, 0), (a, b) => a != b);
            decide(x, {{order: \"first\"}}); decide(y, {{order: \"{order}\"}});
            let all = concat(map(positionsOf(x), p => singletonValue(x[p])), map(positionsOf(y), p => singletonValue(y[p])));
            printLine(join(all, \"\"));"
        );
        let (text, ..) = outcome(&program, 2, u64::MAX);
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        let count = lines.len();
        lines.dedup();
        // Three of the one, 12 * 256 of the other.
        assert_eq!((count, lines.len()), (9216, 9216), "{order}");
    }
}

/// Little can be concluded about these before much is guessed.
#[test]
fn what_cannot_be_reasoned_about_is_found_out() {
    let circuit = "
        let edges = [];
        foreach (y in range(7)) foreach (x in range(7)) {
            if (x < 6) push(edges, [sizeOf(edges), position(x, y), position(x + 1, y)]);
            if (y < 6) push(edges, [sizeOf(edges), position(x, y), position(x, y + 1)]);
        }
        let b = map(edges, e => setOf(true, false));
        circuit(b, edges);
        exactly(b, 36, true);
        decide(b); printLine(\"done\");";
    let parity = "
        let b = makeGrid(6, 6, setOf(0, 1));
        foreach (n in range(6)) {
            exactly(b, 3, 1, map(range(6), m => position(n, m)));
            exactly(b, 3, 1, map(range(6), m => position(m, n)));
        }
        exactly(b, 17, 1, filter(positionsOf(b), p => (p.x + p.y) % 2 == 0));
        exactly(b, 2, 1, filter(positionsOf(b), p => (p.x + p.y) % 2 == 1));
        decide(b); printLine(\"done\");";
    for (program, expected) in [(circuit, "done\n"), (parity, "")] {
        let engine = Engine::new();
        let compiled = engine.compile(program).expect("a program");
        for seed in 0..3 {
            let mut run = compiled.run(seed);
            let text = match run.resume(400_000_000) {
                Outcome::Solved(solution) => solution.text,
                Outcome::Failed => String::new(),
                other => panic!("{seed}: {other:?}"),
            };
            assert_eq!(text, expected, "{seed}");
        }
    }
}
