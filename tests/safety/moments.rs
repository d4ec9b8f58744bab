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
        assert!(steps - plain > 3000 * 1500 / 8, "{call} takes {} steps", steps - plain);
        let most = plain + 100_000;
        let (steps, outcome) = steps_of(call, Limits { steps: most, ..Limits::default() });
        assert!(matches!(outcome, Outcome::Limit(LimitReached::Steps(_))), "{call}: {outcome:?}");
        assert!(steps < most + (1 << 18), "{call} stops {} steps behind the limit", steps - most);
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
    let Outcome::Solved(solution) = run.resume(u64::MAX) else { panic!("no solution") };
    assert_eq!(solution.text, "[][(7,8)]");
    assert!(run.longest_operation() > 20_000 / 4, "{} steps", run.longest_operation());
}
