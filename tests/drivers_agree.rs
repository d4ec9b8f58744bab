//! The drivers agree: what instructions do fast they do in full, too, also when somebody watches. Generated programs are
//! run by all three; they must find the same solutions, end in the same way, take the same steps, choices and failures,
//! and be in the same state at every choice point. Every script of `tests/language` is run fast and plainly as well
//! (`tests/language/runner/check.rs`). What watching tells is counted against the figures of the run.
//!
//! `NDSCRIPT_PROGRAMS` sets how many programs are compared, `NDSCRIPT_SEED` which ones.
#![cfg(debug_assertions)]

mod generator;

use std::collections::HashMap;
use std::ops::ControlFlow;

use generator::{Node, minimised, shortened};
use ndscript::{
    Engine, Event, LimitReached, Limits, Moment, Observer, Outcome, Program, Run, Target, Value,
    Wanted,
};

const PROGRAMS: u64 = 1500;
const SOLUTIONS: usize = 100;
const FUEL: u64 = 1_000_000;

/// What a run finds, how it ends, and the figures.
#[derive(Debug, PartialEq)]
struct Course {
    solutions: Vec<(String, String, usize)>,
    end: String,
    steps: u64,
    choice_points: u64,
    failures: u64,
    failing: Vec<(u32, u64)>,
    depth: u64,
    states: u64,
}

#[derive(Clone, Copy, Debug)]
enum Driver {
    Fast,
    Plain,
    Watched,
}

/// What watching has told.
#[derive(Default)]
struct Counted {
    choices: u64,
    /// For each choice point how many alternatives it has, how many were tried, and how much text there was.
    points: HashMap<u64, (usize, usize, usize)>,
    /// Those that were tried after others.
    taken_later: u64,
    failures: u64,
    /// The text at each solution, made of what was told.
    solutions: Vec<String>,
    text: String,
    mistake: Option<String>,
}

impl Counted {
    fn count(&mut self, event: &Event<'_>) {
        match event {
            Event::Choice {
                id,
                parent,
                alternatives,
            } => {
                self.choices += 1;
                if parent.is_some_and(|parent| parent >= *id) || *alternatives < 2 {
                    self.mistake = Some(format!("choice {id} below {parent:?} of {alternatives}"));
                }
                self.points.insert(*id, (*alternatives, 0, self.text.len()));
            }
            Event::Take { id, number, .. } => {
                self.taken_later += u64::from(*number > 0);
                let (alternatives, tried, text) = self.points.entry(*id).or_default();
                self.text.truncate(*text);
                if number != tried || number >= alternatives {
                    self.mistake = Some(format!(
                        "choice {id} of {alternatives} takes {number} behind {tried}"
                    ));
                }
                *tried += 1;
            }
            Event::Fail { .. } => self.failures += 1,
            Event::Print { text } => self.text.push_str(text),
            Event::Solution { .. } => self.solutions.push(self.text.clone()),
            _ => {}
        }
    }

    /// Compares it with the figures of the run.
    fn check(&self, run: &Run, solutions: &[(String, String, usize)]) {
        let figures = run.statistics();
        assert_eq!(self.mistake, None);
        assert_eq!(
            self.choices, figures.choice_points,
            "choices told and counted"
        );
        assert!(
            self.taken_later <= figures.failures,
            "more alternatives than failures"
        );
        let placed = run.record().failing().map(|(_, count)| count).sum();
        assert!(
            (placed..=figures.failures).contains(&self.failures),
            "failures told and counted"
        );
        let texts: Vec<&str> = solutions.iter().map(|(text, _, _)| &**text).collect();
        assert_eq!(self.solutions, texts, "text told and printed");
    }
}

/// `None` if it is too long to be compared.
fn course(program: &Program, seed: u64, driver: Driver) -> Option<Course> {
    let mut run = program.run(seed);
    run.verify_backtracking();
    if let Driver::Plain = driver {
        run.run_plainly();
    }
    let mut counted = Counted::default();
    let mut solutions = Vec::new();
    let end = loop {
        let outcome = match driver {
            Driver::Fast | Driver::Plain => run.resume(FUEL),
            Driver::Watched => run.watch(FUEL, &mut |_: &Moment, event: &Event| {
                counted.count(event);
                ControlFlow::Continue(())
            }),
        };
        match outcome {
            Outcome::Solved(solution) => {
                solutions.push((
                    solution.text,
                    solution.value.to_string(),
                    solution.pictures.len(),
                ));
            }
            Outcome::Error(error) => {
                break format!("{:?}: {}", error.kind, error.diagnostic.message);
            }
            Outcome::OutOfFuel | Outcome::Limit(_) => return None,
            other => break format!("{other:?}"),
        }
        if solutions.len() >= SOLUTIONS {
            break "enough".to_string();
        }
    };
    if let Driver::Watched = driver {
        counted.check(&run, &solutions);
    }
    let figures = run.statistics();
    // A collection gives handles away anew, and they are part of the state.
    let states = if figures.collections == 0 {
        run.states()
    } else {
        0
    };
    let (steps, choice_points, failures, depth) = (
        figures.steps,
        figures.choice_points,
        figures.failures,
        figures.depth,
    );
    let failing: Vec<_> = run
        .record()
        .failing()
        .map(|(place, count)| (place.start, count))
        .collect();
    // Going back from a solution is a failure, too, of no place.
    assert!(
        failing.iter().map(|(_, count)| count).sum::<u64>() <= failures,
        "failures by their places"
    );
    Some(Course {
        solutions,
        end,
        steps,
        choice_points,
        failures,
        failing,
        depth,
        states,
    })
}

/// The courses of a program that all drivers come to an end of.
fn courses(text: &str, seed: u64) -> Option<[Course; 3]> {
    let program = Engine::new().compile(text).ok()?;
    let course = |driver| course(&program, seed, driver);
    Some([
        course(Driver::Fast)?,
        course(Driver::Plain)?,
        course(Driver::Watched)?,
    ])
}

fn disagree([fast, plain, watched]: &[Course; 3]) -> bool {
    fast != plain || fast != watched
}

/// A disagreement with its program made small.
fn report(seed: u64, nodes: Vec<Node>) -> String {
    let mut keeps = |nodes: &[Node]| {
        courses(&generator::text(nodes), seed).is_some_and(|found| disagree(&found))
    };
    let small = minimised(nodes, &mut keeps);
    let small = minimised(shortened(small, &mut keeps), &mut keeps);
    let text = generator::text(&small);
    format!(
        "seed {seed}:\n{text}\nfast, plain and watched: {:#?}",
        courses(&text, seed)
    )
}

/// What an observer wants, and what it was told, with the moments.
#[derive(Default)]
struct Log {
    choices: bool,
    variables: bool,
    calls: bool,
    told: Vec<(char, String)>,
}

/// The kinds of events that observers may do without.
const CHOICES: char = 'c';
const VARIABLES: char = 'v';
const CALLS: char = 'f';
const ALWAYS: char = 'a';

impl Observer for Log {
    fn observe(&mut self, moment: &Moment<'_>, event: &Event<'_>) -> ControlFlow<()> {
        let (kind, text) = match event {
            Event::Choice {
                id,
                parent,
                alternatives,
            } => (CHOICES, format!("choice {id} {parent:?} {alternatives}")),
            Event::Take {
                id,
                number,
                value,
                alternative,
            } => (
                CHOICES,
                format!(
                    "take {id} {number} {alternative:?} {:?}",
                    value.map(|value| value.to_string())
                ),
            ),
            Event::Fail { why } => (CHOICES, format!("fail {why}")),
            Event::Write {
                target: target @ Target::Variable(_),
                value,
            } => (VARIABLES, format!("{} = {value}", target.text(moment))),
            Event::Write { target, value } => {
                (ALWAYS, format!("{} = {value}", target.text(moment)))
            }
            Event::Enter {
                function,
                arguments,
            } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|value| value.to_string()).collect();
                (CALLS, format!("enter {function} {arguments:?}"))
            }
            Event::Leave { function, value } => (CALLS, format!("leave {function} {value}")),
            Event::Print { text } => (ALWAYS, format!("print {text}")),
            Event::Solution { number } => (ALWAYS, format!("solution {number}")),
            Event::End { result, .. } => (ALWAYS, format!("end {result}")),
            _ => (ALWAYS, "something else".to_string()),
        };
        self.told.push((
            kind,
            format!(
                "{}-{} {:?} {text}",
                moment.began(),
                moment.when(),
                moment.span
            ),
        ));
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            choices: self.choices,
            variables: self.variables,
            calls: self.calls,
            ..Wanted::NOTHING
        }
    }
}

/// What was told of the kinds that an observer wants, and where the run stands at last. It is watched in slices. `None` if it
/// is too long.
fn told(
    program: &Program,
    seed: u64,
    is_plain: bool,
    wanted: &str,
    slice: u64,
) -> Option<(Vec<String>, String)> {
    let mut run = program.run(seed);
    if is_plain {
        run.run_plainly();
    }
    let wants = |kind: char| wanted.contains(kind);
    let mut log = Log {
        choices: wants(CHOICES),
        variables: wants(VARIABLES),
        calls: wants(CALLS),
        ..Log::default()
    };
    let mut slices = 0;
    let mut solutions = 0;
    loop {
        match run.watch(slice, &mut log) {
            Outcome::Solved(_) => solutions += 1,
            Outcome::OutOfFuel => slices += 1,
            _ => break,
        }
        if slices * slice > FUEL {
            return None;
        }
        if solutions >= 10 {
            break;
        }
    }
    let all = log
        .told
        .into_iter()
        .filter(|(kind, _)| *kind == ALWAYS || wants(*kind));
    Some((all.map(|(_, text)| text).collect(), run.when().to_string()))
}

/// Whatever an observer does without, it is told the rest, with the same moments, as if each instruction had been looked at.
#[test]
fn what_is_told_does_not_depend_on_what_else_is_wanted() {
    let programs = from_environment("NDSCRIPT_PROGRAMS", PROGRAMS) / 25;
    let first = from_environment("NDSCRIPT_SEED", 0);
    let mut events = 0;
    for seed in first..first + programs {
        let text = generator::text(&generator::program(seed, seed % 3 == 2));
        let Ok(program) = Engine::new().compile(&text) else {
            continue;
        };
        for (wanted, slice) in [
            ("cvf", FUEL),
            ("cvf", 61),
            ("cf", 97),
            ("v", FUEL),
            ("vf", 1000),
            ("c", FUEL),
            ("", 50),
            ("", FUEL),
        ] {
            let Some(plain) = told(&program, seed, true, wanted, slice) else {
                break;
            };
            let Some(quick) = told(&program, seed, false, wanted, slice) else {
                break;
            };
            assert_eq!(
                quick, plain,
                "seed {seed}, wanted: {wanted}, by {slice} steps:\n{text}"
            );
            events += quick.0.len();
        }
    }
    assert!(events > 10_000, "only {events} events");
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(otherwise)
}

#[test]
fn the_drivers_agree() {
    let programs = from_environment("NDSCRIPT_PROGRAMS", PROGRAMS);
    let first = from_environment("NDSCRIPT_SEED", 0);
    let (mut compared, mut choosing) = (0, 0);
    for seed in first..first + programs {
        let nodes = generator::program(seed, seed % 3 == 2);
        let Some(found) = courses(&generator::text(&nodes), seed) else {
            continue;
        };
        assert!(!disagree(&found), "{}", report(seed, nodes));
        compared += 1;
        choosing += u64::from(found[0].choice_points > 1);
    }
    assert!(
        compared * 10 > programs * 9,
        "only {compared} programs could be compared"
    );
    assert!(choosing * 3 > programs, "only {choosing} programs choose");
}

/// What a search has made and handed on is written into by others.
#[test]
fn collections_that_searches_make_are_the_same() {
    let first = from_environment("NDSCRIPT_SEED", 0);
    let programs = from_environment("NDSCRIPT_PROGRAMS", PROGRAMS) / 3;
    let mut compared = 0;
    for seed in first..first + programs {
        let text = generator::made_in_searches(seed);
        let Some(found) = courses(&text, seed) else {
            continue;
        };
        assert!(
            !disagree(&found),
            "{seed}:\n{text}\nfast, plain and watched: {found:#?}"
        );
        compared += 1;
    }
    assert!(
        compared * 10 > programs * 9,
        "only {compared} programs could be compared"
    );
}

/// Where a run has stopped that may take so many steps, and gets so many at a time: the steps, failures and solutions.
fn stop(program: &Program, seed: u64, driver: Driver, limit: u64, slice: u64) -> (u64, u64, usize) {
    let mut run = program.run(seed);
    run.set_limits(Limits {
        steps: limit,
        ..Limits::default()
    });
    if let Driver::Plain = driver {
        run.run_plainly();
    }
    let mut solutions = 0;
    loop {
        let outcome = match driver {
            Driver::Fast | Driver::Plain => run.resume(slice),
            Driver::Watched => {
                run.watch(
                    slice,
                    &mut |_: &Moment, _: &Event| ControlFlow::Continue(()),
                )
            }
        };
        match outcome {
            Outcome::Solved(_) => solutions += 1,
            Outcome::OutOfFuel => {}
            Outcome::Limit(LimitReached::Steps(_)) => break,
            other => panic!("{other:?} within {limit} steps"),
        }
    }
    (run.statistics().steps, run.statistics().failures, solutions)
}

/// All drivers look at the limits in the same places, however few steps they get at a time.
#[test]
fn the_drivers_stop_at_the_same_step() {
    let programs = from_environment("NDSCRIPT_PROGRAMS", PROGRAMS) / 10;
    let first = from_environment("NDSCRIPT_SEED", 0);
    let mut compared = 0;
    for seed in first..first + programs {
        let text = generator::text(&generator::program(seed, seed % 3 == 2));
        let Ok(program) = Engine::new().compile(&text) else {
            continue;
        };
        let Some(whole) = course(&program, seed, Driver::Fast).filter(|whole| whole.steps < 5_000)
        else {
            continue;
        };
        for part in 1..8 {
            let limit = whole.steps * part / 9;
            let fast = stop(&program, seed, Driver::Fast, limit, FUEL);
            for driver in [Driver::Fast, Driver::Plain, Driver::Watched] {
                for slice in [1, 7, FUEL] {
                    let other = stop(&program, seed, driver, limit, slice);
                    assert_eq!(
                        other, fast,
                        "seed {seed}, {driver:?} by {slice}, at most {limit} steps:\n{text}"
                    );
                }
            }
            compared += 1;
        }
    }
    assert!(compared > programs * 4, "only {compared} were compared");
}

/// An alternative that is nothing but a failure is left where it is taken, and counts and is told as every other.
#[test]
fn alternatives_that_only_fail_are_the_same() {
    let programs = [
        "let n = 0; for (let i = 0; i < 9; i++) { choose first { n++; } or { fail; } or { fail; } } require(n < 3);",
        "function deep(n) { if (n == 0) fail; choose { deep(n - 1); } or { fail; } or { printLine(n); } or fail; } deep(6);",
        "printLine(countSolutions(() => { choose {} or fail; choose { fail; } or { let a = choose(1, 2); } or fail; }));",
        "let best = minimize(() => { let a = choose(1, 2, 3); cost(a); choose first {} or fail; return a; });",
        "choose first { let a = choose(1, 2); choose first { require(a > 2); } or fail; } or { fail; } or { printLine(5); }",
    ];
    for text in programs {
        let [fast, plain, watched] = courses(text, 1).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(fast, plain, "{text}");
        assert_eq!(fast, watched, "{text}");
        assert!(fast.failures > 2, "{text}: {fast:?}");
    }
}

/// A host may hold texts of branches that have failed, and what has grown in their place does not change them. Nor does it
/// change the run that somebody holds them.
#[test]
fn texts_that_the_host_holds_stay_what_they_are() {
    let first = from_environment("NDSCRIPT_SEED", 0);
    let (mut held_before, mut compared) = (0, 0);
    for seed in first..first + from_environment("NDSCRIPT_PROGRAMS", PROGRAMS) / 2 {
        let text = generator::growing_texts(seed);
        let Some([fast, plain, watched]) = courses(&text, seed) else {
            continue;
        };
        assert!(
            fast == plain && fast == watched,
            "{seed}:\n{text}\n{fast:#?}{plain:#?}{watched:#?}"
        );
        let mut run = Engine::new().compile(&text).unwrap().run(seed);
        let mut held: Vec<(Value, String)> = Vec::new();
        let mut writes = 0;
        let mut solutions = Vec::new();
        while solutions.len() < SOLUTIONS {
            let outcome = run.watch(FUEL, &mut |_: &Moment, event: &Event| {
                if let Event::Write { value, .. } = event {
                    writes += 1;
                    // At times nothing is held for a while.
                    if writes % 40 == 39 {
                        held.clear();
                    } else if writes % 3 == 0 {
                        held.push((value.hold(), value.to_string()));
                    }
                }
                ControlFlow::Continue(())
            });
            let Outcome::Solved(solution) = outcome else {
                break;
            };
            solutions.push((
                solution.text,
                solution.value.to_string(),
                solution.pictures.len(),
            ));
        }
        for (value, before) in held {
            let view = run.view(&value).unwrap();
            if view.as_str().is_some() {
                assert_eq!(run.text_of(&value).unwrap(), before, "{seed}:\n{text}");
                held_before += 1;
            }
        }
        let figures = run.statistics();
        assert_eq!(solutions, fast.solutions, "{seed}:\n{text}");
        assert_eq!(
            (figures.steps, figures.failures),
            (fast.steps, fast.failures),
            "{seed}:\n{text}"
        );
        compared += 1;
    }
    println!("{compared} programs, {held_before} texts that were held");
    assert!(compared > 100 && held_before > compared);
}

/// A map by `adjacent`, of a random size, with random tiles, some cells written beforehand, and decided by parts or twice.
fn map(random: &mut impl FnMut(u64) -> u64) -> String {
    let (width, height, tiles) = (
        1 + random(9),
        1 + random(9),
        [2, 3, 3, 4, 5, 9, 20, 70][random(8) as usize],
    );
    // Few rules fail often, many hardly ever.
    let allowed = 40 + random(60);
    let mut rule = || {
        let pairs: Vec<String> = (0..tiles * tiles)
            .filter(|_| random(100) < allowed)
            .map(|pair| format!("[{}, {}]", pair / tiles, pair % tiles))
            .collect();
        format!("relation([{}])", pairs.join(", "))
    };
    let rules = [rule(), format!("{{right: {}, down: {}}}", rule(), rule())];
    let options = ["", ", {wrap: true}", ", {diagonal: true}"];
    let (rules, options) = (&rules[random(2) as usize], options[random(3) as usize]);
    let options = if rules.starts_with('{') && options.contains("diagonal") {
        ""
    } else {
        options
    };
    let mut text = format!(
        "let g = makeGrid({width}, {height}, toSet(range({tiles})));\nadjacent(g, {rules}{options});\n"
    );
    for _ in 0..random(3) {
        text += &format!(
            "g[{}, {}] = setOf({}, {});\n",
            random(width),
            random(height),
            random(tiles),
            random(tiles)
        );
    }
    let orders = [
        "",
        ", {order: \"random\"}",
        ", {order: \"first\"}",
        ", {order: \"conflicts\"}",
        ", {backjump: false}",
    ];
    if random(4) == 0 {
        text += &format!(
            "decide(g, {{places: [position({}, {})]}});\n",
            random(width),
            random(height)
        );
    }
    if random(4) == 0 {
        text += "let views = undecided(g);\n";
    }
    text + &format!(
        "decide(g{});\nprintLine(map(valuesOf(g), singletonValue));\n",
        orders[random(5) as usize]
    )
}

/// What `decide` does in one go where guesses rest at once is what its parts do one by one, in slices and pieces of any size.
#[test]
fn guesses_that_rest_at_once_are_the_same() {
    let first = from_environment("NDSCRIPT_SEED", 0);
    let (mut solved, mut failures) = (0, 0);
    for seed in first..first + from_environment("NDSCRIPT_PROGRAMS", PROGRAMS) / 10 {
        let mut state = seed;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let text = map(&mut random);
        let Some(found) = courses(&text, seed) else {
            continue;
        };
        assert!(
            !disagree(&found),
            "{seed}:\n{text}\nfast, plain and watched: {found:#?}"
        );
        let [fast, ..] = found;
        solved += usize::from(!fast.solutions.is_empty());
        failures += fast.failures;
        let mut run = Engine::new().compile(&text).unwrap().run(seed);
        let slice = 1 + random(200);
        let mut texts = Vec::new();
        while texts.len() < SOLUTIONS {
            match run.resume(slice) {
                Outcome::Solved(solution) => texts.push(solution.text),
                Outcome::OutOfFuel => {}
                _ => break,
            }
        }
        assert!(
            texts
                .iter()
                .eq(fast.solutions.iter().map(|solution| &solution.0)),
            "{seed}, by {slice} steps:\n{text}"
        );
        assert_eq!(
            run.statistics().steps,
            fast.steps,
            "{seed}, by {slice} steps:\n{text}"
        );
        // Pieces have their price, but it is the same.
        let pieces = Engine::new()
            .with_pieces([20, 60, 300][random(3) as usize])
            .compile(&text)
            .unwrap();
        let [quick, plain] =
            [Driver::Fast, Driver::Plain].map(|driver| course(&pieces, seed, driver));
        assert_eq!(quick, plain, "{seed}, in pieces:\n{text}");
        assert!(
            quick.is_none_or(|quick| quick.solutions == fast.solutions),
            "{seed}, in pieces:\n{text}"
        );
    }
    assert!(
        solved > 100 && failures > 1000,
        "{solved} were solved, after {failures} failures"
    );
}
