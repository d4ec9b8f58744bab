//! Notes of a grid's undecided cells, which stand for a moment until somebody looks: finding out what they stand for is paid
//! for, and can stop.

use ndscript::{LimitReached, Limits, Outcome};

use super::program;

/// Two notes a turn, of moments that lie as far back as there are turns.
const KEPT: &str = "
    let g = makeGrid(40, 40, 1), keep = [];
    for (let i = 0; i < 1500; i++) {
        push(keep, nonsingletonPositionsOf(g)); g[0, 0] = setOf(1, 2); push(keep, undecided(g)); g[0, 0] = 1;
    }";

/// Whatever looks at all of them pays for the walks back through the history, and stops soon at a limit.
#[test]
fn looking_at_moments_is_paid_for_and_stops_at_limits() {
    let steps_of = |call: &str, limits: Limits| {
        let mut run = program(limits, &format!("{KEPT} {call};")).run(1);
        let outcome = run.resume(u64::MAX);
        (run.statistics().steps, outcome)
    };
    let plain = steps_of("null", Limits::default()).0;
    for call in [
        "toString(keep)",
        "print(keep)",
        "join(keep, ',')",
        "setOf(keep)",
        "toSet(keep)",
        "firstVisit(keep)",
        "deepCopy(keep)",
        "solutions(() => keep)",
        "sorted(keep)",
        "relation(map(keep, k => [k, k]))",
    ] {
        let (steps, _) = steps_of(call, Limits::default());
        // 3,000 notes, each of which lies 1,500 changes back on an average.
        assert!(
            steps - plain > 3000 * 1500 / 8,
            "{call} takes {} steps",
            steps - plain
        );
        let most = plain + 100_000;
        let (steps, outcome) = steps_of(
            call,
            Limits {
                steps: most,
                ..Limits::default()
            },
        );
        assert!(
            matches!(outcome, Outcome::Limit(LimitReached::Steps(_))),
            "{call}: {outcome:?}"
        );
        assert!(
            steps < most + (1 << 18),
            "{call} stops {} steps behind the limit",
            steps - most
        );
    }
}

/// When a history gets too long, all notes of its grid are written out in one walk, however many there are.
#[test]
fn a_long_history_is_walked_through_once_for_all_moments() {
    let text = "
        let g = makeGrid(100, 100, 1);
        for (let i = 0; i < 11000; i++) {
            nonsingletonPositionsOf(g); g[5, 5] = setOf(1, 2); nonsingletonPositionsOf(g); g[5, 5] = 1;
        }
        let last = nonsingletonPositionsOf(g); g[7, 8] = setOf(1, 2); let then = undecided(g);
        for (let i = 0; i < 11000; i++) { g[5, 5] = setOf(1, 2); g[5, 5] = 1; }
        print(last, then);";
    let mut run = program(Limits::default(), text).run(1);
    let Outcome::Solved(solution) = run.resume(u64::MAX) else {
        panic!("no solution")
    };
    assert_eq!(solution.text, "[][(7,8)]");
    assert!(
        run.longest_operation() > 20_000 / 4,
        "{} steps",
        run.longest_operation()
    );
}

/// The notes in the value of a solution are those of their moments, in whatever order they come.
#[test]
fn notes_of_moments_are_right_in_solutions() {
    let text = "
        let g = makeGrid(12, 12, 1), h = makeGrid(5, 5, 1), keep = [], printed = [];
        for (let i = 0; i < 900; i++) {
            g[i * 7 % 12, i * 5 % 11] = i % 3 == 0 ? 1 : setOf(1, 2);
            h[i % 5, i * 3 % 4] = i % 2 == 0 ? 1 : setOf(1, 2);
            push(keep, undecided(g)); push(keep, undecided(h));
        }
        let order = shuffled(keep);
        printed = map(order, note => toString(note));
        let again = map(printed, text => text);
        return [order, again];";
    let solution = program(Limits::default(), text)
        .run(5)
        .next()
        .unwrap()
        .unwrap();
    let [notes, texts] = solution.value.elements() else {
        panic!("no pair")
    };
    assert_eq!(notes.elements().len(), 1800);
    for (note, text) in notes.elements().iter().zip(texts.elements()) {
        assert_eq!(note.to_string(), text.as_str().unwrap());
    }
}
