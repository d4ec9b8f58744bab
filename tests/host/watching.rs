//! Runs that are watched are the same runs.

use std::ops::ControlFlow;

use ndscript::{Engine, Event, Limits, Moment, Observer, Outcome, Run, Target, Wanted};

const PROGRAM: &str = "
    let log = [];
    for (let i = 0; i < 5; i++) {
        let n = chooseElement(range(5));
        require(!contains(n, log));
        push(log, n);
    }
    printLine(log);
";

/// Watches until so many events were told; the texts of the solutions, and whether the run is over.
fn watch_some(run: &mut Run, most: usize, texts: &mut Vec<String>) -> bool {
    let mut told = 0;
    let outcome = run.watch(u64::MAX, &mut |_: &Moment, _: &Event| {
        told += 1;
        if told < most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    match outcome {
        Outcome::Solved(solution) => texts.push(solution.text),
        Outcome::Failed => return true,
        Outcome::OutOfFuel => {}
        other => panic!("{other:?}"),
    }
    false
}

#[test]
fn a_run_goes_on_wherever_its_observer_stops_it() {
    let engine = Engine::new();
    let program = engine.compile(PROGRAM).unwrap();
    let expected: Vec<String> = program
        .run(3)
        .map(|solution| solution.unwrap().text)
        .collect();
    assert_eq!(expected.len(), 120);
    let mut whole = program.run(3);
    while !matches!(whole.resume(u64::MAX), Outcome::Failed) {}
    for most in [1, 2, 7, 50] {
        let mut run = program.run(3);
        let mut texts = Vec::new();
        while !watch_some(&mut run, most, &mut texts) {}
        assert_eq!(texts, expected, "stopped every {most} events");
        assert_eq!(run.statistics().steps, whole.statistics().steps);
    }
}

#[test]
fn watched_and_unwatched_stretches_forks_and_saves_mix() {
    let engine = Engine::new();
    let program = engine.compile(PROGRAM).unwrap();
    let expected: Vec<String> = program
        .run(3)
        .map(|solution| solution.unwrap().text)
        .collect();
    let mut run = program.run(3);
    let mut texts = Vec::new();
    for turn in 0.. {
        match turn % 4 {
            0 => match run.resume(40) {
                Outcome::Solved(solution) => texts.push(solution.text),
                Outcome::Failed => break,
                _ => {}
            },
            1 => {
                if watch_some(&mut run, 10, &mut texts) {
                    break;
                }
            }
            2 => run = run.fork().unwrap(),
            _ => run = engine.restore(&program, &run.save().unwrap()).unwrap(),
        }
    }
    assert_eq!(texts, expected);
}

#[test]
fn moments_know_the_variables() {
    let program = Engine::new()
        .compile("let a = 1; choose first { a += 1; } or { a += 2; } require(a == 3);")
        .unwrap();
    let mut seen = Vec::new();
    program
        .run(1)
        .watch(u64::MAX, &mut |moment: &Moment, event: &Event| {
            if let Event::Write { target, value } = event {
                let now = moment.global("a").map(|value| value.to_string());
                seen.push((
                    target.text(moment),
                    value.to_string(),
                    now,
                    moment.open_choices(),
                ));
            }
            ControlFlow::Continue(())
        });
    let is = |value: &str, open| {
        (
            "a".to_string(),
            value.to_string(),
            Some(value.to_string()),
            open,
        )
    };
    assert_eq!(seen, [is("1", 0), is("2", 1), is("3", 0)]);
}

/// What built-ins change is told, too: by the collection, or by the place of what was appended.
#[test]
fn what_built_ins_change_is_told() {
    let text = "let a = [1]; push(a, 5); pop(a); let q = queue(); enqueue(2, q); dequeue(q); let o = {k: 1}; removeKey(o, \"k\");
        let g = makeGrid(2, 1, setOf(1, 2)); allDifferent(g); g[0, 0] = 1;
        insert(a, 0, 4); removeAt(a, 0); let h = makeGrid(3, 1, 0); fill(h, 7);";
    let program = Engine::new().compile(text).unwrap();
    let mut told = Vec::new();
    let outcome = program
        .run(1)
        .watch(u64::MAX, &mut |moment: &Moment, event: &Event| {
            if let Event::Write { target, value } = event {
                told.push(format!("{} = {value}", target.text(moment)));
            }
            ControlFlow::Continue(())
        });
    assert!(matches!(outcome, Outcome::Solved(_)), "{outcome:?}");
    let changed: Vec<&str> = told
        .iter()
        .map(|write| &**write)
        .filter(|write| !write.ends_with("grid 2x1"))
        .collect();
    let expected = [
        "a = [1]",
        "a[1] = 5",
        "a = [1]",
        "q = queue []",
        "q = queue [2]",
        "q = queue []",
        "o = {k: 1}",
        "o = {}",
        "g[0, 0] = {1}",
        "g[1, 0] = {2}",
        "a = [4, 1]",
        "a = [1]",
        "h = grid 3x1",
        "h = grid 3x1",
    ];
    assert_eq!(changed, expected);
}

/// What the cheapest solution of `minimize` leaves behind is told as writes, where the search has come to its end.
#[test]
fn the_result_of_minimize_is_told() {
    let text = "let g = makeGrid(2, 1, 0); let a = [0]; let o = {k: 0}; let n = 0;
        function search() {
            let own = 0;
            let r = minimize(() => { let x = choose(3, 1, 2); g[1, 0] = x; push(a, x); o.k = x; n = x; own = x; cost(x); return x; });
            return own + r;
        }
        let s = search();";
    let program = Engine::new().compile(text).unwrap();
    for seed in 0..10 {
        let mut told: Vec<(u64, String)> = Vec::new();
        let outcome = program
            .run(seed)
            .watch(u64::MAX, &mut |moment: &Moment, event: &Event| {
                match event {
                    Event::Write { target, value } => {
                        told.push((moment.step(), format!("{} = {value}", target.text(moment))))
                    }
                    Event::Fail { .. } => told.push((moment.step(), "fail".to_string())),
                    _ => {}
                }
                ControlFlow::Continue(())
            });
        assert!(matches!(outcome, Outcome::Solved(_)), "{outcome:?}");
        let last = told.iter().rposition(|(_, text)| text == "fail").unwrap();
        let mut behind: Vec<&str> = told[last + 1..].iter().map(|(_, text)| &**text).collect();
        assert_eq!(
            &behind[behind.len() - 2..],
            ["r = 1", "s = 2"],
            "{behind:?}"
        );
        behind.truncate(behind.len() - 2);
        behind.sort_unstable();
        assert_eq!(
            behind,
            [
                "a = [0, 1]",
                "g[1, 0] = 1",
                "n = 1",
                "o = {k: 1}",
                "own = 1"
            ],
            "seed {seed}"
        );
    }
}

/// What is drawn for whoever looks on is paid for in any case, and what cannot be drawn is seen at its first tile.
#[test]
fn snapshots_take_the_same_steps_whoever_looks() {
    for text in [
        "let g = makeGrid(50, 50, setOf(\"red\", \"blue\")); snapshot(g, repeat(\"word \", 1000));",
        "let g = makeGrid(50, 50, \"red\"); g[49, 49] = 5; snapshot(g, \"no tile\");",
        "let g = makeGrid(2, 2, \"there is no such tile\"); snapshot(g);",
        "let g = makeGrid(1, 1, toSet(range(50000))); for (let i = 0; i < 5; i++) snapshot(g);",
        "let g = makeGrid(1, 1, toSet(map(range(50000), i => \"#\" + (i + 100000)))); snapshot(g);",
        "for (let i = 0; i < 5; i++) tally(repeat(\"long\", 100));",
    ] {
        let program = Engine::new().compile(text).unwrap();
        let steps = |is_watched: bool, keeps: bool| {
            let mut run = program.run(1);
            run.keep_record(is_watched);
            run.keep_recorded_pictures(keeps);
            assert!(matches!(run.resume(u64::MAX), Outcome::Solved(_)), "{text}");
            run.statistics().steps
        };
        assert_eq!(
            [steps(false, true), steps(true, false)],
            [steps(true, true); 2],
            "{text}"
        );
    }
    let steps = |text: &str| {
        let mut run = Engine::new().compile(text).unwrap().run(1);
        assert!(matches!(run.resume(u64::MAX), Outcome::Solved(_)), "{text}");
        run.statistics().steps
    };
    let set = "let g = makeGrid(1, 1, toSet(range(50000)));";
    let once = steps(&format!("{set} snapshot(g);")) - steps(set);
    assert!(
        (1_000..10_000).contains(&once),
        "{once} steps for a set without any tile"
    );
}

/// The record takes a share of the limit of memory; what comes then is counted.
#[test]
fn the_record_keeps_to_its_share_of_memory() {
    let limits = Limits {
        memory: 4 << 20,
        ..Limits::default()
    };
    let engine = Engine::new().with_limits(limits);
    let text =
        "let g = makeGrid(100, 100, \"red\"); for (let i = 0; i < 50; i++) snapshot(g, i + \"\");";
    let mut run = engine.compile(text).unwrap().run(1);
    run.keep_record(true);
    assert!(matches!(run.resume(u64::MAX), Outcome::Solved(_)));
    let (kept, left_out) = (run.record().snapshots().len(), run.record().left_out());
    let bytes: usize = run
        .record()
        .snapshots()
        .iter()
        .map(|snapshot| snapshot.picture.bytes())
        .sum();
    assert!(
        kept > 0 && bytes <= limits.memory / 8 && kept as u64 + left_out == 50,
        "{kept} kept with {bytes} bytes"
    );
    let text = "for (let i = 0; i < 9000; i++) tally(repeat(\"x\", 190) + i);";
    let mut run = engine.compile(text).unwrap().run(1);
    run.keep_record(true);
    assert!(matches!(run.resume(u64::MAX), Outcome::Solved(_)));
    let names: usize = run.record().tallies().map(|(name, _)| name.len()).sum();
    assert!(
        names > 10_000 && names <= limits.memory / 8,
        "{names} bytes of names"
    );
}

/// Within `minimize`, too, a branch dies of what it dies of.
#[test]
fn a_branch_is_too_dear_only_where_it_spends() {
    let text =
        "let m = minimize(() => { let n = choose(7, 1, 8); cost(n); require(n > 1); return n; });";
    let mut whys = Vec::new();
    let outcome = Engine::new().compile(text).unwrap().run(1).watch(
        10_000,
        &mut |_: &Moment, event: &Event<'_>| {
            if let Event::Fail { why } = event {
                whys.push(why.to_string());
            }
            ControlFlow::Continue(())
        },
    );
    assert!(matches!(outcome, Outcome::Solved(_)), "{outcome:?}");
    let (condition, up_to_now) = (
        "the condition does not hold",
        "dearer than `minimize` searches up to now",
    );
    let (better, no_cheaper) = (
        "`minimize` keeps a result and looks for a better one",
        "no cheaper than the best solution",
    );
    // Up to 0, up to 1, and up to 7, where there is a solution.
    let expected = [
        [up_to_now; 3],
        [up_to_now, condition, up_to_now],
        [better, condition, no_cheaper],
    ]
    .concat();
    assert_eq!(whys, expected);
}

/// Notes what variables hold as branches die, and how deep the search is when that is told of.
#[derive(Default)]
struct FailingBranches {
    seen: Vec<String>,
    failures: usize,
}

impl Observer for FailingBranches {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Failing => {
                let held = |name| {
                    moment
                        .variable(name)
                        .map_or_else(|| "-".to_string(), |value| value.to_string())
                };
                self.seen
                    .push(format!("{} {} {}", held("a"), held("b"), held("g")));
            }
            Event::Fail { .. } => self.failures += 1,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            failing: true,
            ..Wanted::NOTHING
        }
    }
}

/// As a branch dies, everything is there as the branch has left it, also where the failure goes back over several choices; the run
/// is the one that nobody watches.
#[test]
fn a_branch_that_dies_is_seen_before_it_is_undone() {
    let failing = [
        "fail;",
        "require(false);",
        "let n = chooseElement([]);",
        "g[0] = remove(g[0], 7);",
        "narrow(g, 0, 8);",
        "function deep(n) { if (n == 0) fail \"no\"; return deep(n - 1) + 1; } deep(3);",
        "let m = minimize(() => { cost(1); fail; }); fail;",
    ];
    for branch in failing {
        let text = format!(
            "let g = [setOf(7, 9)]; related(g, 0, 0, (x, y) => x == y); g[0] = remove(g[0], 9); let a = 0; let b = 0;\n\
             choose first {{ a = 1; }} or {{ a = 2; }} choose first {{ b = 3; }} or {{ b = 4; }}\n{branch}"
        );
        let program = Engine::new().compile(&text).unwrap();
        let (mut run, mut failing) = (program.run(1), FailingBranches::default());
        let outcome = run.watch(u64::MAX, &mut failing);
        assert!(matches!(outcome, Outcome::Failed), "{text}: {outcome:?}");
        let mut held = failing.seen.clone();
        held.dedup();
        assert_eq!(
            held,
            ["1 3 [{7}]", "1 4 [{7}]", "2 3 [{7}]", "2 4 [{7}]"],
            "{text}"
        );
        assert_eq!(failing.failures as u64, run.statistics().failures, "{text}");
        let mut plain = program.run(1);
        assert!(matches!(plain.resume(u64::MAX), Outcome::Failed));
        assert_eq!(plain.statistics(), run.statistics(), "{text}");
    }
}

/// What constraints take away, and from which places they had it where that is wanted.
struct Losses {
    reasons: bool,
    seen: Vec<(String, usize)>,
}

impl Observer for Losses {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Write {
            target: Target::Part(board, place),
            ..
        } = event
        {
            for removal in moment.removals(*board, *place) {
                let lost: Vec<String> =
                    removal.lost.iter().map(|value| value.to_string()).collect();
                self.seen.push((
                    format!("{place} {:?} {}", removal.constraint, lost.join(" ")),
                    removal.from.len(),
                ));
            }
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            reasons: self.reasons,
            ..Wanted::default()
        }
    }
}

/// Reasons take long to find, so they are left out where nobody wants them. What was lost is told all the same.
#[test]
fn reasons_are_found_for_those_who_want_them() {
    let text = "let b = [setOf(1, 2, 3), setOf(1, 2, 3), setOf(1, 2, 3)]; allDifferent(b); sumOf(b, 4, 5, [0, 1]);\n\
                let g = makeGrid(4, 1, setOf(0, 1)); connected(g, 1); atMost(g, 2, 1); g[0, 0] = 1; b[0] = 1; g[2, 0] = 0;";
    let program = Engine::new().compile(text).unwrap();
    let told = |reasons| {
        let (mut run, mut losses) = (
            program.run(1),
            Losses {
                reasons,
                seen: Vec::new(),
            },
        );
        assert!(matches!(
            run.watch(u64::MAX, &mut losses),
            Outcome::Solved(_)
        ));
        losses.seen
    };
    let (with, without) = (told(true), told(false));
    assert!(
        with.iter().filter(|(_, from)| *from > 0).count() >= 3,
        "{with:?}"
    );
    assert!(without.iter().all(|(_, from)| *from == 0), "{without:?}");
    let lost =
        |seen: Vec<(String, usize)>| seen.into_iter().map(|(lost, _)| lost).collect::<Vec<_>>();
    assert_eq!(lost(with), lost(without));
}
