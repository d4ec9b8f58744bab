//! Large results of `solutions` are copied in pieces, and nobody can tell where the copying was stopped.

use ndscript::{Engine, LimitReached, Limits, Outcome, Run};

use super::program;

/// Everything that can be in a result, many times, with sharing and cycles.
const TEXT: &str = "
    let all = map(range(4000), i => ({n: i, at: [i]}));
    foreach (o in all) o.next = all[(o.n + 1) % 4000];
    let g = makeGrid(200, 20, 0), q = queue(), p = priorityQueue(), wide = {};
    foreach (o in all) { g[o.n % 200, floor(o.n, 200)] = o; enqueue(o, q); enqueue(o, p, -o.n); wide['key ' + o.n] = o; }
    let kept = {all: all, s: toSet(all), sets: toSet(map(all, o => [setOf(o), o.n])), r: relation(map(all, o => [o.n, o])),
        f: map(all, o => { let n = o.n; return () => n += o.n; }), g: g, q: q, p: p, wide: wide, numbers: toArray(range(100000))};
    let found = solutions(() => { foreach (f in kept.f) f(); all[7].n = choose(-1, -2); return kept; });
    foreach (x in found) {
        require(x.s == toSet(x.all) && x.r(7, x.all[7]) && x.all[6].next == x.all[7] && x.wide['key 7'] == x.all[7]);
        require(contains([setOf(x.all[7]), 7], x.sets) && x.g[7, 0] == x.all[7] && sizeOf(x.q) == 4000);
        require(dequeue(x.q) == x.all[0] && dequeue(x.p) == x.all[3999] && sum(x.numbers) == 4999950000);
        print(x.all[7].n, ' ', x.f[7](), ' ', x.f[7](), ' ', x.f[8](), ';');
    }
    print(all[7].n, kept.f[7]());";

fn text_of(run: &mut Run, mut between: impl FnMut(&mut Run)) -> String {
    loop {
        match run.resume(5000) {
            Outcome::OutOfFuel => between(run),
            Outcome::Solved(solution) => return solution.text,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn results_are_copied_in_pieces() {
    let program = program(Limits::default(), TEXT);
    let mut whole = program.run(1);
    let expected = text_of(&mut whole, |_| {});
    assert_eq!(expected, "-1 13 12 24;-2 12 10 24;714");
    let steps = whole.statistics().steps;
    // No piece takes long, and between any two the run can be cancelled.
    let (mut before, mut longest, mut stops) = (0, 0, 0);
    let mut run = program.run(1);
    let token = run.cancel_token();
    let text = text_of(&mut run, |run| {
        longest = longest.max(run.statistics().steps - before);
        token.cancel();
        assert!(matches!(
            run.resume(5000),
            Outcome::Limit(LimitReached::Cancelled)
        ));
        token.clear();
        before = run.statistics().steps;
        stops += 1;
    });
    assert_eq!((text, run.statistics().steps), (expected.clone(), steps));
    assert!(
        longest < 150_000,
        "{longest} steps without a look at the limits"
    );
    assert!(stops > 20, "{stops}");
    // Forks and restored copies go on where it was stopped.
    let engine = Engine::new();
    let mut stops = 0;
    let mut run = program.run(1);
    let text = text_of(&mut run, |run| {
        stops += 1;
        if stops % 7 == 0 {
            *run = run.clone();
        } else if stops % 40 == 0 {
            *run = engine.restore(&program, &run.save().unwrap()).unwrap();
        }
    });
    assert_eq!(text, expected);
}

/// The host calls functions while a copy is under way, and what these change is part of the result or not, but never in
/// pieces.
#[test]
fn a_call_in_the_middle_of_a_copy_does_no_harm() {
    let text = "let q = queue(), a = [], o = {}, p = priorityQueue();
        foreach (i in range(20000)) { enqueue(i, q); push(a, [i]); enqueue([i], p, i); } foreach (i in range(2999)) o['k' + i] = [i];
        function shrink() { while (sizeOf(q) > 9) { dequeue(q); pop(a); dequeue(p); } foreach (k in o) o = {}; return 1; }
        let found = solutions(() => { choose(1, 2); return [q, a, o, p]; });
        foreach (x in found) { foreach (i in range(3)) dequeue(x[0]); while (!isEmpty(x[3])) dequeue(x[3]); print(sizeOf(x[0]), ' ', sizeOf(x[1]), ';'); }";
    let program = program(Limits::default(), text);
    let mut all = 0;
    text_of(&mut program.run(1), |_| all += 1);
    let mut sizes = std::collections::BTreeSet::new();
    // Most of these are in the middle of a copy.
    for at in (all * 3 / 10..all * 45 / 100).step_by(all / 76) {
        let mut run = program.run(1);
        let mut stops = 0;
        let text = text_of(&mut run, |run| {
            stops += 1;
            if stops == at {
                run.call("shrink", ()).unwrap().next();
            }
        });
        sizes.insert(text);
    }
    // As many of the queue as of the array were taken, and three more at the end.
    let is_whole = |one: &str| {
        let (queue, array) = one.split_once(' ').unwrap();
        queue.parse::<usize>().unwrap() + 3 == array.parse::<usize>().unwrap()
    };
    assert!(
        sizes
            .iter()
            .all(|text| text.trim_end_matches(';').split(';').all(is_whole)),
        "{sizes:?}"
    );
    assert!(sizes.len() > 2, "{sizes:?}");
}
