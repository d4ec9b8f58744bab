//! Timelines: every moment of a recorded run is what it was, and what happened is found in both directions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ndscript::rng::Rng;
use ndscript::{
    Answer, Engine, Event, ImportSource, Limits, Moment, Observer, Outcome, Program, Run, Wanted,
};
use ndscript_timeline::{
    Detail, Direction, Found, Kind, Place, Recorded, Scene, Sought, Timeline, When,
};

/// A search with calls, loops, boards, closures, sets, weights and text.
const SEARCH: &str = r#"
    let g = makeGrid(3, 3, setOf(1, 2, 3));
    let tried = 0;
    let log = [];
    function put(p, values) {
        let before = g[p];
        let now = intersection(before, values);
        tried += 1;
        if (isEmpty(now)) fail "empty";
        if (now == before) return false;
        g[p] = now;
        let count = 0;
        foreach (q in neighborsOf(p, g)) {
            if (isSingleton(now) && put(q, except(g[q], now))) count++;
        }
        return true;
    }
    let order = map(toArray(nonsingletonPositionsOf(g)), p => { let twice = p + p; return twice - p; });
    for (let i = 0; i < sizeOf(order); i++) {
        let p = order[i];
        if (!isSingleton(g[p])) {
            let value = chooseElement(g[p], {"1": 3, "2": 1, "3": 1});
            put(p, setOf(value));
            push(log, value);
        }
    }
    choose { tried = -1; } or { tried += 2; }
    require(singletonValue(g[0, 0]) != 1 || singletonValue(g[2, 1]) == 1, "corners");
    printLine(log);
"#;

fn program(text: &str) -> Program {
    Engine::new()
        .compile(text)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Records up to so many solutions.
fn record(timeline: &mut Timeline, solutions: usize) -> usize {
    let mut found = 0;
    while found < solutions {
        match timeline.record(10_000) {
            Recorded::Solved(_) => found += 1,
            Recorded::Paused => {}
            _ => break,
        }
    }
    found
}

/// All that can be seen of a run.
fn seen(run: &Run) -> String {
    let calls = run.calls(50);
    let calls = calls.iter().map(|call| {
        let variables = call
            .variables
            .iter()
            .map(|(name, value)| format!("{name} = {}", value.beginning(300)));
        format!(
            "{:?} {:?} {:?}",
            call.function,
            call.span,
            variables.collect::<Vec<_>>()
        )
    });
    let calls: Vec<String> = calls.collect();
    let statistics = run.statistics();
    format!(
        "{:?}\n{calls:#?}\n{:?} {} {} {}",
        run.show_globals(2000),
        run.pending_output().0,
        run.open_choices(),
        statistics.failures,
        statistics.steps
    )
}

/// The program files of the examples.
fn examples(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            examples(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "nds") {
            found.push(path);
        }
    }
    found.sort();
}

/// The next number from 0 on below another.
fn below(rng: &mut Rng, bound: u64) -> u64 {
    rng.below(bound.max(1))
}

#[test]
fn any_moment_of_every_example_is_what_it_was() {
    const STEPS: u64 = 40_000;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files = Vec::new();
    examples(&folder, &mut files);
    assert!(files.len() > 20);
    let mut rng = Rng::new(11);
    let (mut moments, mut between, mut inside, mut events) = (0, 0, 0, 0);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let beside = file.parent().unwrap().to_path_buf();
        let limits = Limits {
            steps: STEPS,
            ..Limits::default()
        };
        let engine = Engine::new()
            .with_limits(limits)
            .with_imports(Beside(beside));
        let Ok(program) = engine.compile(&text) else {
            continue;
        };
        // A run that is stopped again and again. Each of its instructions is looked at, so its moments are counted one by one,
        // where the timeline has them from the main loop.
        let mut run = program.run(5);
        let mut stops: Vec<u64> = (0..100).map(|_| below(&mut rng, STEPS)).collect();
        stops.sort_unstable();
        let mut expected: BTreeMap<When, String> = BTreeMap::new();
        for stop in stops {
            let steps = run.statistics().steps;
            if stop <= steps {
                continue;
            }
            let mut stopper = Stopper {
                step: stop,
                inside: below(&mut rng, 12) as u32,
            };
            match run.watch(2 * STEPS, &mut stopper) {
                Outcome::OutOfFuel | Outcome::Solved(_) => {
                    drop(expected.insert(run.when(), seen(&run)))
                }
                _ => break,
            }
            let is_inside = expected
                .last_key_value()
                .is_some_and(|(when, _)| when.inside > 0);
            inside += usize::from(is_inside);
        }
        let mut timeline = Timeline::new(program.run(5)).bounded(8, 64 << 20);
        while matches!(
            timeline.record(1000),
            Recorded::Paused | Recorded::Solved(_)
        ) {}
        let mut expected: Vec<(When, String)> = expected.into_iter().collect();
        // In no order, so that there are ways back and forth.
        for at in (1..expected.len()).rev() {
            expected.swap(at, below(&mut rng, at as u64 + 1) as usize);
        }
        for (when, expected) in expected {
            let run = timeline
                .run_at(when)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            // A run can be stopped in the middle of going back, too: that is no boundary between two instructions.
            if run.when() != when {
                between += 1;
                continue;
            }
            assert_eq!(seen(run), expected, "{} at {when}", file.display());
            moments += 1;
        }
        assert!(timeline.stored_forks().0 <= 8);
        // What is found was told in the main loop, in its own count of moments.
        let mut log = Log {
            lines: true,
            ..Log::default()
        };
        let mut run = program.run(5);
        while matches!(
            run.watch(STEPS, &mut log),
            Outcome::Solved(_) | Outcome::OutOfFuel
        ) && run.statistics().steps < STEPS
        {}
        let kind =
            [Kind::Choice, Kind::Take, Kind::Failure, Kind::Write][below(&mut rng, 4) as usize];
        let all: Vec<When> = log
            .all
            .iter()
            .filter(|event| event.0 == kind)
            .map(|event| event.1)
            .collect();
        let from = all.get(below(&mut rng, all.len() as u64) as usize);
        if let Some(from) = from.and_then(|from| timeline.exactly(*from).ok())
            && let Some(next) = all.iter().filter(|when| **when > from).min()
            // The failure that asks for another solution behind the last one is the end of the run.
            && *next < timeline.end()
        {
            let found = timeline
                .next(from, &Sought::Event(kind))
                .map(|found| found.when);
            assert_eq!(
                found,
                Some(*next),
                "{}: {kind:?} behind {from}",
                file.display()
            );
            events += 1;
        }
    }
    assert!(events > 20, "{events} events");
    assert!(
        moments > 1000 && between * 20 < moments,
        "{moments} moments, {between} between two"
    );
    assert!(inside > 300, "{inside} moments inside of a step");
}

/// Stops a run at the first line behind a moment.
struct Stopper {
    step: u64,
    inside: u32,
}

impl Observer for Stopper {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let is_behind = moment.when()
            >= When {
                step: self.step,
                inside: self.inside,
            };
        if is_behind && matches!(event, Event::Line) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            lines: true,
            ..Wanted::default()
        }
    }
}

struct Beside(PathBuf);

impl ImportSource for Beside {
    fn read(&self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(self.0.join(path)).map_err(|error| error.to_string())
    }
}

/// What a watched run tells, with its moments.
#[derive(Default)]
struct Log {
    all: Vec<(Kind, When, Vec<String>)>,
    lines: bool,
}

const PLACES: [&str; 5] = ["g[0,0]", "g[1,1]", "g", "tried", "log"];

impl Observer for Log {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let kind = Kind::of(event);
        let when = if kind == Kind::Failure {
            moment.began()
        } else {
            moment.when()
        };
        let mut changed = Vec::new();
        if let Event::Write { target, .. } = event {
            let places = PLACES
                .iter()
                .filter(|place| place.parse::<Place>().unwrap().is_changed(moment, target));
            changed.extend(places.map(|place| place.to_string()));
        }
        self.all.push((kind, when, changed));
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            lines: self.lines,
            ..Wanted::default()
        }
    }
}

#[test]
fn what_happened_is_found_from_any_moment_in_both_directions() {
    let program = program(SEARCH);
    let mut log = Log {
        lines: true,
        ..Log::default()
    };
    let mut run = program.run(3);
    for _ in 0..40 {
        if !matches!(run.watch(u64::MAX, &mut log), Outcome::Solved(_)) {
            break;
        }
    }
    let mut timeline = Timeline::new(program.run(3)).bounded(5, 64 << 20);
    record(&mut timeline, 40);
    let end = timeline.end();
    assert!(
        end.step > 10_000 && timeline.stored_forks().0 >= 3,
        "{end}, {:?}",
        timeline.stored_forks()
    );
    for kind in [
        Kind::Choice,
        Kind::Take,
        Kind::Failure,
        Kind::Print,
        Kind::Solution,
    ] {
        let told = log.all.iter().filter(|event| event.0 == kind).count() as u64;
        assert_eq!(timeline.counts().of(kind), told, "{kind:?}");
    }
    let mut sought: Vec<(Sought, Vec<When>)> = Vec::new();
    for kind in [
        Kind::Choice,
        Kind::Take,
        Kind::Failure,
        Kind::Write,
        Kind::Print,
        Kind::Call,
        Kind::Return,
        Kind::Solution,
        Kind::Line,
    ] {
        let all = log
            .all
            .iter()
            .filter(|event| event.0 == kind)
            .map(|event| event.1)
            .collect();
        sought.push((Sought::Event(kind), all));
    }
    for place in PLACES {
        let all = log
            .all
            .iter()
            .filter(|event| event.2.iter().any(|changed| changed == place));
        sought.push((
            Sought::Write(place.parse().unwrap()),
            all.map(|event| event.1).collect(),
        ));
    }
    let mut rng = Rng::new(4);
    for (what, all) in &sought {
        assert!(!all.is_empty(), "{what:?}");
        for _ in 0..12 {
            let from = all[below(&mut rng, all.len() as u64) as usize];
            let from = When {
                inside: from.inside + below(&mut rng, 2) as u32,
                ..from
            };
            if from > end {
                continue;
            }
            // What is meant is the first boundary from there on.
            let from = timeline.exactly(from).unwrap();
            let next = all.iter().filter(|when| **when > from).min();
            let previous = all.iter().filter(|when| **when < from).max();
            let found = |found: Option<Found>| found.map(|found| found.when);
            assert_eq!(
                found(timeline.previous(from, what)),
                previous.copied(),
                "before {from}: {what:?}"
            );
            if next.is_some() {
                assert_eq!(
                    found(timeline.next(from, what)),
                    next.copied(),
                    "behind {from}: {what:?}"
                );
            }
            // In slices it comes to the same.
            let mut search = timeline.search(from, Direction::Back, what.clone());
            let sliced = loop {
                if let Some(found) = search.resume(&mut timeline, 500) {
                    break found;
                }
            };
            assert_eq!(sliced.first().map(|found| found.when), previous.copied());
        }
    }
}

#[test]
fn moments_are_gone_to_in_slices() {
    let program = program(SEARCH);
    let mut timeline = Timeline::new(program.run(3)).bounded(3, 64 << 20);
    record(&mut timeline, 20);
    let middle = When::step(timeline.end().step / 2);
    let whole = format!("{:?}", timeline.scene(middle, &Detail::default()).unwrap());
    timeline.scene(When::START, &Detail::default()).unwrap();
    let mut slices = 0;
    while !timeline.approach(middle, 100).unwrap() {
        slices += 1;
    }
    assert!(slices > 3, "{slices}");
    assert_eq!(
        format!("{:?}", timeline.scene(middle, &Detail::default()).unwrap()),
        whole
    );
    let beyond = When::step(timeline.end().step + 1);
    let error = timeline
        .scene(beyond, &Detail::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with(&format!("step {beyond} was not recorded: ")),
        "{error}"
    );
}

#[test]
fn a_failure_shows_what_it_will_undo() {
    let program = program("let x = choose(1, 2, 3);\nlet y = x * 10;\nif (y < 30) {\n  fail;\n}");
    let mut timeline = Timeline::new(program.run(1));
    record(&mut timeline, 1);
    let mut at = timeline.end();
    let mut seen = Vec::new();
    while let Some(found) = timeline.previous(at, &Sought::Event(Kind::Failure)) {
        let scene = timeline.scene(found.when, &Detail::default()).unwrap();
        let value = |name: &str| scene.variable(name).unwrap().text.clone();
        seen.push(format!(
            "line {}: x = {}, y = {}",
            found.line.unwrap().line,
            value("x"),
            value("y")
        ));
        at = found.when;
    }
    assert_eq!(seen, ["line 4: x = 2, y = 20", "line 4: x = 1, y = 10"]);
}

/// A moment in the middle of a built-in that fails is the one before it: behind it everything is undone.
#[test]
fn a_moment_within_what_fails_shows_what_was() {
    let program = program(
        "let x = 0; let a = choose(1, 2); x = a * 10; require(contains(20, [x, x, x, x, x, x, x, x]), \"twenty\");",
    );
    let mut timeline = Timeline::new(program.run(1));
    record(&mut timeline, 1);
    let failure = timeline
        .previous(timeline.end(), &Sought::Event(Kind::Failure))
        .unwrap();
    let value = |timeline: &mut Timeline, step: u64| {
        let when = When {
            step,
            ..timeline.begin()
        };
        timeline
            .scene(when, &Detail::default())
            .unwrap()
            .variable("x")
            .unwrap()
            .text
            .clone()
    };
    let first = failure.when.step + 1;
    let last = (first..)
        .find(|step| value(&mut timeline, *step) != "10")
        .unwrap();
    assert!(last >= first + 2, "the failure took {} steps", last - first);
    // From wherever one comes.
    assert_eq!(value(&mut timeline, last + 1), "20");
    assert_eq!(value(&mut timeline, first + 1), "10");
}

/// The lines that run, by stepping.
fn lines(timeline: &mut Timeline, depth: Option<usize>) -> Vec<usize> {
    let (mut at, mut lines) = (When::START, Vec::new());
    while let Some(found) = timeline.next(at, &Sought::Line { at: None, depth }) {
        lines.push(found.line.unwrap().line);
        at = found.when;
    }
    lines
}

#[test]
fn lines_come_one_by_one_and_calls_can_be_stepped_over() {
    let text = "let a = 1;\nfunction f(x) {\n  let y = x + 1;\n  return y;\n}\nlet b = f(a) + f(2);\nfor (let i = 0; i < 2; i++) {\n  a += i;\n}\nprint(b);";
    let program = program(text);
    let mut timeline = Timeline::new(program.run(1));
    assert_eq!(
        lines(&mut timeline, None),
        [6, 3, 4, 3, 4, 7, 8, 7, 8, 7, 10]
    );
    assert_eq!(lines(&mut timeline, Some(0)), [6, 7, 8, 7, 8, 7, 10]);
    // And back the same way.
    let (mut at, mut back) = (timeline.end(), Vec::new());
    while let Some(found) = timeline.previous(
        at,
        &Sought::Line {
            at: None,
            depth: Some(0),
        },
    ) {
        back.push(found.line.unwrap().line);
        at = found.when;
    }
    assert_eq!(back, [10, 7, 8, 7, 8, 7, 6, 1]);
}

#[test]
fn writes_to_variables_of_functions_are_told() {
    let text = "function f(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++) { sum += i; }\n  let add = () => { sum = sum + 100; };\n  add();\n  const pick = chooseElement([7]);\n  n = choose(pick, 8);\n  foreach (c in \"ab\") { let copy = c; }\n  return sum;\n}\nf(3);";
    let mut told = Vec::new();
    let mut watch = |moment: &Moment, event: &Event| {
        if let Event::Write { target, value } = event {
            told.push(format!("{} = {value}", target.text(moment)));
        }
        ControlFlow::Continue(())
    };
    program(text).run(1).watch(u64::MAX, &mut watch);
    let expected = [
        "sum = 0",
        "i = 0",
        "sum = 0",
        "i = 1",
        "sum = 1",
        "i = 2",
        "sum = 3",
        "i = 3",
        "add = function",
        "sum = 103",
        "pick = 7",
        "n = 7",
        "c = a",
        "copy = a",
        "c = b",
        "copy = b",
    ];
    assert_eq!(told, expected);
}

/// All texts that are printed from here on.
fn printed(timeline: &mut Timeline) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    loop {
        match timeline.record(u64::MAX) {
            Recorded::Solved(solution) => drop(texts.insert(solution.text)),
            Recorded::Paused => {}
            Recorded::Failed => return texts,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn another_alternative_can_be_taken_of_every_kind_of_choice() {
    let choices = [
        "choose(1, 2, 3)",
        "chooseElement([1, 2, 3])",
        "chooseElement(range(60))",
        "chooseElement([1, 2, 3], x => x)",
        "chooseElement(\"abc\")",
        "chooseElement(range(100), x => 1 + x % 3)",
    ];
    for choice in choices {
        let program = program(&format!(
            "let a = choose(8, 9); let x = {choice}; let b = choose(5, 6); print(`${{x}} `, b);"
        ));
        let mut timeline = Timeline::new(program.run(2));
        record(&mut timeline, 1);
        let end = timeline.end();
        let scene = timeline.scene(end, &Detail::default()).unwrap();
        assert_eq!(scene.choices.len(), 3);
        let (named, left) = (scene.choices[1].alternatives.clone(), scene.choices[1].left);
        for (number, name) in named.iter().enumerate() {
            let mut other = timeline.with_alternative(end, 1, number).unwrap();
            let Recorded::Solved(solution) = other.record(u64::MAX) else {
                panic!("{choice}: {name}")
            };
            assert_eq!(
                solution.text.split(' ').next().unwrap(),
                name.trim_matches('"'),
                "{choice}"
            );
            // What it does not take is still there.
            let rest = printed(&mut other);
            assert!(rest.len() >= 2 * (left - 1), "{choice}, {name}: {rest:?}");
        }
        assert!(
            timeline
                .with_alternative(end, 1, named.len() + 100)
                .is_err()
        );
        assert!(timeline.with_alternative(end, 3, 0).is_err());
    }
    let program = program("let x; choose { x = 1; } or { x = 2; } or { x = 3; } print(x);");
    let mut timeline = Timeline::new(program.run(2));
    record(&mut timeline, 1);
    let end = timeline.end();
    let named = timeline.scene(end, &Detail::default()).unwrap().choices[0]
        .alternatives
        .clone();
    for (number, name) in named.iter().enumerate() {
        let mut other = timeline.with_alternative(end, 0, number).unwrap();
        let Recorded::Solved(solution) = other.record(u64::MAX) else {
            panic!("{name}")
        };
        assert_eq!(format!("{{ x = {}; }}", solution.text), *name);
    }
}

#[test]
fn answers_are_given_once_more_on_the_way_back() {
    let program = program(
        "let who = input(\"Who?\");\nlet n = ask(\"How many?\", [1, 2]);\nfor (let i = 0; i < 5000; i++) { n += 1; }\nprint(who, n);",
    );
    let mut timeline = Timeline::new(program.run(1));
    assert!(
        matches!(timeline.record(u64::MAX), Recorded::Asked(question) if question.prompt == "Who?")
    );
    assert!(
        timeline
            .next(timeline.end(), &Sought::Event(Kind::Print))
            .is_none()
    );
    assert!(!timeline.answer(Answer::Option(0)));
    assert!(timeline.answer(Answer::Line("Ann".to_string())));
    assert!(matches!(timeline.record(u64::MAX), Recorded::Asked(_)));
    assert!(timeline.answer(Answer::Option(1)));
    assert!(
        matches!(timeline.record(u64::MAX), Recorded::Solved(solution) if solution.text == "Ann5002")
    );
    let last: Scene = timeline.scene(timeline.end(), &Detail::default()).unwrap();
    assert_eq!(last.text, "Ann5002");
    let early = timeline
        .scene(When::step(2000), &Detail::default())
        .unwrap();
    assert_eq!(early.variable("who").unwrap().text, "\"Ann\"");
}

#[test]
fn what_is_kept_is_bounded() {
    let program = program(
        "let n = 0; let data = range(20000); while (true) { n = choose(n + 1, n); if (n % 100 == 0) push(data, n); if (n > 60000) break; }",
    );
    let mut timeline = Timeline::new(program.run(1)).bounded(10, 64 << 20);
    record(&mut timeline, 1);
    assert!(timeline.counts().of(Kind::Choice) > 60_000);
    let (forks, bytes) = timeline.stored_forks();
    assert!(
        (2..=10).contains(&forks) && bytes <= 64 << 20,
        "{forks} forks, {bytes} bytes of {}",
        timeline.head().memory()
    );
    // Where a fork has to be copied from far away, the moment is still exact.
    let write = timeline
        .previous(
            When::step(timeline.end().step / 3),
            &Sought::Write("n".parse().unwrap()),
        )
        .unwrap();
    let scene = timeline.scene(write.when, &Detail::default()).unwrap();
    assert_eq!(
        write.text,
        format!("n = {}", scene.variable("n").unwrap().text)
    );
}

/// A constraint on a large board takes more steps at once than stretches overlap by, and the run cannot be stopped within it.
#[test]
fn the_line_before_a_long_instruction_is_found() {
    let text =
        "let g = makeGrid(200, 3, setOf(1, 2, 3));\nadjacent(g, (p, q) => p != q);\ndecide(g);";
    let mut timeline = Timeline::new(program(text).run(1));
    record(&mut timeline, 1);
    let mut back = timeline
        .next(timeline.begin(), &Sought::Event(Kind::Choice))
        .expect("it guesses")
        .when;
    let mut lines = Vec::new();
    while back > timeline.begin() {
        let mut search = timeline.search(
            back,
            Direction::Back,
            Sought::Line {
                at: None,
                depth: None,
            },
        );
        let found = (0..100)
            .find_map(|_| search.resume(&mut timeline, 1_000_000))
            .expect("it comes to an end");
        let Some(line) = found.into_iter().next() else {
            break;
        };
        back = line.when;
        lines.push(line.line.map(|line| line.line));
    }
    lines.dedup();
    assert_eq!(lines, [Some(3), Some(2), Some(1)]);
}
