//! Variables of the top level are registers where no function mentions them, and live in the heap where one does. A
//! host must not see which: the same program with and without such a function is driven in the same way, and both must
//! say the same all the time.

use std::ops::ControlFlow;

use ndscript::{Engine, Event, Limits, Moment, Outcome, Program, Run};

const BY_THE_TOP_LEVEL: &str = "var a = choose(1, 2, 3); let b = [a]; const c = 7; var d;
    for (var i = 0; i < 2; i++) {
        var e = chooseElement(range(2));
        d = a + e * i; push(b, d);
        choose { a = a + 10; } or { if (d == 3) fail; e = e + 100; }
    }
    a = a + e + c;";

const BY_FUNCTIONS: &str =
    "function pick(n) { let x = chooseElement(range(n)); let y = choose(x, x + 50); return y; }
    function deep(n) { if (n == 0) return pick(2); return deep(n - 1) + 1; }
    var a = 1, b = [], d = null; let c = deep(3);
    while (a < 3) { a = a + 1; d = pick(2); if (d > 50 && a == 2) fail; push(b, a + c); c = d; }
    var e = input(`a is ${a}`); d = pick(2);";

const BY_BARRIERS: &str =
    "deterministic function first(n) { let x = chooseElement(range(n)); let y = choose(x, x * 2); return x + y; }
    var a = 0, b = 5, c = [], d = choose(0, 1);
    while (a < 3) {
        a = a + 1;
        b = b + first(4) + once(() => choose(3, 4)) + countSolutions(() => choose(1, 2, 3));
        d = choose(d, b); push(c, d);
        if (not(() => { if (chooseElement(range(2)) == 0) fail; })) fail;
    }
    let e = minimize(() => { let x = choose(2, 1); cost(x); return x; });
    b = [b, e, choose(1, 2)];";

const PROGRAMS: [&str; 3] = [BY_THE_TOP_LEVEL, BY_FUNCTIONS, BY_BARRIERS];
const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
const CALLED: &str =
    "function called(n) { let x = choose(n, n + 1); let y = choose(x, 0); return [x, y]; }";

/// A run, and what it does of which both twins must say the same.
struct Twin {
    program: Program,
    run: Run,
}

fn twins(text: &str) -> [Twin; 2] {
    let shared = format!(
        "{text}\n{CALLED} function mentions() {{ return [{}]; }}",
        NAMES.join(", ")
    );
    [
        format!("{text}\n{CALLED} function mentions() {{ return []; }}"),
        shared,
    ]
    .map(|text| {
        let program = Engine::new().compile(&text).unwrap();
        let mut run = program.run(5);
        run.set_limits(Limits {
            steps: 100_000,
            ..Limits::default()
        });
        #[cfg(debug_assertions)]
        run.verify_backtracking();
        Twin { program, run }
    })
}

impl Twin {
    fn go_on(&mut self) -> String {
        match self.run.resume(u64::MAX) {
            Outcome::Solved(solution) => {
                let globals: Vec<String> = solution
                    .globals
                    .iter()
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect();
                format!("{} {globals:?}", solution.text)
            }
            Outcome::Asked(question) => format!("{question:?}"),
            other => format!("{other:?}"),
        }
    }

    fn act(&mut self, action: u32, argument: u32) -> String {
        let name = NAMES[argument as usize % NAMES.len()];
        match action {
            0 | 1 => self.go_on(),
            2 => format!("{:?}", self.run.set_global(name, i64::from(argument))),
            3 => format!("{:?}", self.run.set_global(name, vec![i64::from(argument)])),
            4 => {
                self.run.answer_text("said");
                self.go_on()
            }
            5 => {
                let mut fork = self.run.fork().unwrap();
                std::mem::swap(&mut self.run, &mut fork);
                let mut other = Twin {
                    program: self.program.clone(),
                    run: fork,
                };
                format!("{} {}", other.go_on(), other.state())
            }
            6 => {
                let bytes = self.run.save().unwrap();
                self.run = Engine::new().restore(&self.program, &bytes).unwrap();
                String::new()
            }
            7 => format!(
                "{:?}",
                self.run
                    .call_once::<Vec<i64>>("called", (i64::from(argument),))
            ),
            8 => {
                // Stops in the middle of a call; what it has begun is undone by what comes next.
                let mut call = self.run.call("called", (1,)).unwrap();
                format!("{}", call.next().is_some())
            }
            9 if argument.is_multiple_of(8) => {
                self.run.commit();
                String::new()
            }
            10 => format!(
                "{:?}",
                self.run.take_back_choice().is_some() && argument > 1000
            ),
            _ => String::new(),
        }
    }

    fn state(&self) -> String {
        let shown = self
            .run
            .show_globals(1000)
            .into_iter()
            .filter(|(_, value)| !value.starts_with("function"));
        let one_by_one: Vec<_> = NAMES
            .iter()
            .map(|name| self.run.view_global(name).map(|view| view.to_string()))
            .collect();
        format!(
            "{:?} {one_by_one:?} {}",
            shown.collect::<Vec<_>>(),
            self.run.open_choices()
        )
    }
}

#[test]
fn a_host_cannot_tell_where_variables_are() {
    for (number, text) in PROGRAMS.iter().enumerate() {
        for seed in 0..150_u32 {
            let mut random = seed.wrapping_mul(2_654_435_761).wrapping_add(number as u32);
            let mut next = || {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                random >> 16
            };
            let mut both = twins(text);
            for step in 0..40 {
                let (action, argument) = (next() % 11, next());
                let [said, same] = both
                    .each_mut()
                    .map(|twin| (twin.act(action, argument), twin.state()));
                assert_eq!(
                    said, same,
                    "program {number}, seed {seed}, step {step}, action {action}"
                );
            }
        }
    }
}

#[test]
fn a_watcher_is_told_of_what_is_written() {
    let told = |text: &str| {
        let mut lines = Vec::new();
        let mut run = Engine::new().compile(text).unwrap().run(3);
        for _ in 0..4 {
            let outcome = run.watch(u64::MAX, &mut |moment: &Moment, event: &Event| {
                if let Event::Write { target, value } = event {
                    lines.push(format!("{} = {value}", target.text(moment)));
                }
                ControlFlow::Continue(())
            });
            if matches!(outcome, Outcome::Asked(_)) {
                run.answer_text("said");
            }
        }
        lines
    };
    for text in PROGRAMS {
        let here = told(text);
        assert_eq!(
            here,
            told(&format!(
                "{text} function mentions() {{ return [{}]; }}",
                NAMES.join(", ")
            ))
        );
        assert!(here.len() > 5, "{here:?}");
    }
}

#[test]
fn many_variables_and_wide_expressions_have_room() {
    let mut text = String::new();
    for at in 0..300 {
        text.push_str(&format!("var v{at} = {at};"));
    }
    text.push_str("for (var i = 0; i < 10; i++) { v7 = v7 + i; v299 = v299 + v7; }");
    let solution = Engine::new()
        .compile(&text)
        .unwrap()
        .run(1)
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(solution.globals.get("v7").unwrap().as_i64(), Some(52));
    assert_eq!(
        solution.globals.get("v299").unwrap().as_i64(),
        Some(299 + 10 * 7 + 165)
    );
    assert_eq!(solution.globals.get("v150").unwrap().as_i64(), Some(150));

    // More registers than there are, if variables of the top level had some.
    let mut nested = "1".to_string();
    let mut depth = 0;
    loop {
        let wider = format!("`${{0}}${{{nested}}}`");
        let program = format!("print({wider});");
        if Engine::new().compile(&program).is_err() {
            break;
        }
        nested = wider;
        depth += 1;
    }
    assert!(depth > 50, "{depth}");
    let variables: String = (0..60).map(|at| format!("var v{at} = {at};")).collect();
    let program = Engine::new()
        .compile(&format!("{variables} print({nested}); print(v59);"))
        .unwrap();
    assert_eq!(
        program.run(1).next().unwrap().unwrap().text,
        format!("{}159", "0".repeat(depth))
    );
}
