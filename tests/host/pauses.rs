//! Collections of garbage that take several resumptions, and what a host does between these.

use ndscript::{CallOutcome, Engine, Limits, Outcome, Run};

/// Keeps a lot alive, drops a lot, fails back into older states and ends with a text made from all of it.
const PROGRAM: &str = r#"
    var kept = [], texts = {}, seed = 5, greeting = "none", chosen = setOf();
    function next(n) { seed = (seed * 7919 + 104729) % 1000003; return seed % n; }
    function grow(n) {
        let list = [];
        for (let i = 0; i < n; i++) push(list, i % 3 == 0 ? [i, `text ${i}`] : i % 3 == 1 ? setOf(i, i + 0.5) : position(i, n));
        return list;
    }
    function count() { return sizeOf(kept); }
    let tower = null, board = makeGrid(6, 6, setOf(1, 2, 3, 4, 5, 6)), tree = setOf();
    foreach (y in range(6)) allDifferent(board, map(range(6), x => position(x, y)));
    for (let round = 0; round < 240; round++) {
        grow(300);
        push(kept, grow(40 + next(60)));
        if (sizeOf(kept) > 20) kept[next(20)] = null;
        tower = [tower, `round ${round}`, x => x + round];
        texts[`key${next(30)}`] = join(map(range(30), i => `${i * round};`), "");
        tree = union(tree, toSet(map(range(50), i => i * round)));
        let guess = chooseElement(range(3));
        if (guess != round % 3) fail;
    }
    decide(board);
    let sum = 0;
    foreach (list in kept) if (list != null) sum += sizeOf(toString(list));
    let depth = 0;
    for (let at = tower; at != null; at = at[0]) depth += at[2](1);
    print(sum, " ", depth, " ", sizeOf(tree), " ", board, " ", texts);
"#;

fn engine() -> Engine {
    // Under a tight limit garbage is collected often.
    Engine::new().with_limits(Limits {
        memory: 3 << 20,
        ..Limits::default()
    })
}

/// The text and the steps of a run that is resumed by so many steps at a time, and how often it was resumed without taking
/// a step, as a collection was not finished. Then something is done to it.
fn resumed(fuel: u64, mut between: impl FnMut(Run, u64) -> Run) -> (String, u64, u64) {
    let mut run = engine().compile(PROGRAM).unwrap().run(3);
    let mut still = 0;
    loop {
        let before = run.statistics().steps;
        match run.resume(fuel) {
            Outcome::Solved(solution) => {
                return (solution.text, run.statistics().steps, still);
            }
            Outcome::OutOfFuel => {
                if run.statistics().steps == before {
                    still += 1;
                    run = between(run, still);
                }
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_collection_takes_several_resumptions_and_changes_nothing() {
    let (text, steps, still) = resumed(u64::MAX, |run, _| run);
    assert_eq!(still, 0);
    let (sliced, sliced_steps, still) = resumed(5, |run, _| run);
    assert_eq!((sliced, sliced_steps), (text, steps));
    assert!(still > 100, "{still}");
}

#[test]
fn between_two_parts_of_a_collection_a_host_does_what_it_likes() {
    let (text, steps, _) = resumed(u64::MAX, |run, _| run);
    let mut held = Vec::new();
    let (disturbed, taken, still) = resumed(5, |mut run, pause| {
        match pause * 7919 % 31 {
            0 => {
                let bytes = run.save().unwrap();
                held.clear();
                return engine().restore(run.program(), &bytes).unwrap();
            }
            1 => {
                held.clear();
                return run.fork().unwrap();
            }
            2 => run.collect_garbage(),
            3 | 23 => held.push(run.make(vec!["made", "by the host"]).unwrap()),
            4 | 24 => held.extend(run.global("kept")),
            5 | 25 => held.truncate(held.len() / 2),
            6 => run.set_global("greeting", vec![pause, pause]).unwrap(),
            7 => {
                run.begin_call("grow", (30,)).unwrap();
                // It may end in the middle of a collection, too.
                while let CallOutcome::OutOfFuel = run.resume_call(20) {}
                run.undo_call();
            }
            8 => {
                run.begin_call("count", ()).unwrap();
                run.resume_call(3);
                run.undo_call();
            }
            9 => {
                for value in &held {
                    run.view(value).unwrap().to_string();
                }
            }
            _ => {}
        }
        run
    });
    assert_eq!(disturbed, text);
    assert!(still > 20 && taken >= steps, "{still} {taken}");
}
