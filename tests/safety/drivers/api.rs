//! A random sequence of calls of the host's API.

use ndscript::{
    CancelToken, Engine, HostError, HostType, HostValue, Limits, Outcome, Param, Program, Run,
    Value,
};

const TEXTS: &[&str] = &[
    "var n = 0; while (true) { choose first { n += 1; print(n); } or { n += 2; } if (n > 20) break; } return n;",
    "var a = []; foreach (x in range(5)) { push(a, chooseElement([x, x + 1, x + 2])); } print(a); return a;",
    "var name = input(\"name\"); var pick = ask(\"which\", [name, 2, setOf(3)]); print(name, pick); choose(1, 2);",
    "var g = makeGrid(4, 4, setOf(1, 2)); foreach (p in positionsOf(g)) g[p] = setOf(chooseElement(g[p]));
     require(g[0, 0] == g[1, 0]); printHeatmap(makeGrid(2, 2, 1)); return nonsingletonPositionsOf(g);",
    "print(minimize(() => { let x = chooseElement([3, 1, 2]); cost(x); return twice(x); }), solutions(() => choose(1, 2)));",
    "function f(n) { if (n == 0) return 0; return 1 + f(n - 1); } print(f(param(\"n\", 50)));",
    "var q = queue(); for (let i = 0; i < 50; i++) { enqueue(i, q); if (i % 3 == 0) choose first {} or { dequeue(q); } } print(q);",
    "twice(\"no number\");",
    "function f(n) { let x = chooseElement(range(n + 1)); a[0] = x; print(x); return map([x], y => y * 2); } var a = [0]; print(f(3));",
    "function f(n) { if (n > 5) return ask(\"which\", [1, 2]); while (true) n += 1; } var a = choose(1, 2); f(9);",
    "var x = ;",
    "while (true) { choose first { fail; } or {} }",
    "let o = {a: [1], b: {c: null}}; o.b.c = o; print(o); return o;",
    "var a = stack(); var s = setOf(); function f(n) { a.push(choose(n, n + 1)); s = union(s, setOf(a)); return a; }
     foreach (x in range(6)) { choose first f(x); or a.pop(); a.push(x); } print(a, s); return [a, a.push];",
    "var a = stack(); var n = log(); function f(x) { n.note(x); a.push(x); return [n, copy(a)]; }
     print(minimize(() => { f(choose(3, 1, 2)); cost(a.pop()); return n.last; }), solutions(() => f(choose(1, 2))));",
];

/// A type of the host with all that there is.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Stack(Vec<i64>);

impl HostValue for Stack {
    const NAME: &'static str = "stack";
}

/// One with next to nothing.
#[derive(Default)]
struct Log(i64);

impl HostValue for Log {
    const NAME: &'static str = "log";
}

fn with_types(engine: Engine) -> Engine {
    let stack = HostType::<Stack>::new()
        .method_mut("push", |stack: &mut Stack, number: i64| {
            stack.0.push(number);
            Ok(stack.0.len())
        })
        .method_mut("pop", |stack: &mut Stack| {
            stack.0.pop().ok_or(HostError::new("the stack is empty"))
        })
        .cloned()
        .ordered()
        .shown_by(|stack| format!("{:?}", stack.0))
        .sized_by(|stack| stack.0.capacity() * 8)
        .saved_by(
            |stack| {
                Ok(stack
                    .0
                    .iter()
                    .flat_map(|number| number.to_le_bytes())
                    .collect())
            },
            |bytes| {
                let number = |bytes: &[u8]| {
                    bytes
                        .iter()
                        .rev()
                        .fold(0, |sum: i64, byte| sum << 8 | i64::from(*byte))
                };
                Ok(Stack(bytes.chunks(8).map(number).collect()))
            },
        );
    let log = HostType::<Log>::new()
        .method_mut("note", |log: &mut Log, number: i64| {
            log.0 = number;
            Ok(())
        })
        .getter("last", |log: &Log| Ok(log.0));
    engine
        .with_type(stack)
        .with_type(log)
        .with_function("stack", || Ok(Stack::default()))
        .with_function("log", || Ok(Log::default()))
}

/// Reads decisions from bytes.
struct Decisions<'a>(std::slice::Iter<'a, u8>);

impl Decisions<'_> {
    fn next(&mut self) -> usize {
        self.0.next().map_or(0, |byte| *byte as usize)
    }

    fn has_more(&self) -> bool {
        !self.0.as_slice().is_empty()
    }
}

fn engine(memory: usize) -> Engine {
    let limits = Limits {
        steps: 200_000,
        memory,
        depth: 300,
        output: 1 << 14,
        pictures: 4,
        picture_cells: 1 << 8,
        source: 1 << 14,
        ..Limits::default()
    };
    with_types(Engine::new())
        .with_limits(limits)
        .with_function("twice", |x: f64| Ok::<f64, HostError>(x * 2.0))
}

pub fn drive(bytes: &[u8]) {
    let mut decisions = Decisions(bytes.iter());
    let engine = engine(1 << (16 + decisions.next() % 8));
    let mut programs: Vec<Program> = Vec::new();
    let mut runs: Vec<(Run, usize)> = Vec::new();
    let mut tokens: Vec<CancelToken> = Vec::new();
    let mut handles: Vec<Value> = Vec::new();
    // Something to begin with, so that short sequences do something.
    if let Ok(program) = engine.compile(TEXTS[decisions.next() % TEXTS.len()]) {
        runs.push((program.run(1), 0));
        programs.push(program);
    }
    for _ in 0..60 {
        if !decisions.has_more() {
            break;
        }
        let what = decisions.next() % 20;
        let number = decisions.next();
        match what {
            0 => {
                let text = TEXTS[number % TEXTS.len()];
                match engine.compile(text) {
                    Ok(program) => programs.push(program),
                    Err(error) => drop(error.to_string()),
                }
                continue;
            }
            1 => {
                match engine.compile_input("input", TEXTS[number % TEXTS.len()]) {
                    Ok(program) => programs.push(program),
                    Err(error) => drop(error.to_string()),
                }
                continue;
            }
            2 if !programs.is_empty() && runs.len() < 8 => {
                let at = number % programs.len();
                let parameters = [("n".to_string(), Param::Number(number as f64))];
                let run = if number % 2 == 0 {
                    programs[at].run(number as u64)
                } else {
                    programs[at].run_with(1, &parameters)
                };
                runs.push((run, at));
                continue;
            }
            _ => {}
        }
        if runs.is_empty() {
            continue;
        }
        let at = number % runs.len();
        let argument = decisions.next();
        if what == 9 {
            if runs.len() < 8 {
                let of = runs[at].1;
                let clone = runs[at].0.clone();
                let fork = runs[at].0.fork().unwrap_or(clone);
                runs.push((fork, of));
            }
            continue;
        }
        if what == 10 {
            runs.swap_remove(at);
            continue;
        }
        let (run, of) = &mut runs[at];
        match what {
            3..=6 => step(
                run,
                &programs[*of],
                [0, 1, 50, 1000, 100_000, u64::MAX][argument % 6],
            ),
            7 => drop(run.answer(argument % 5)),
            8 => drop(run.answer_text(["", "x", "a longer line ▒"][argument % 3])),
            11 => {
                let names = ["n", "a", "g", "o", "nothing", ""];
                let _ = (
                    run.global(names[argument % names.len()]),
                    run.show_globals(argument),
                    run.show_value(argument),
                );
            }
            12 => {
                let _ = (
                    run.pending_output(),
                    run.statistics(),
                    run.memory(),
                    run.open_choices(),
                );
                run.open_choice_points(argument % 9);
            }
            13 => match argument % 3 {
                0 => run.commit(),
                1 => run.reseed(argument as u64),
                _ => step(run, &programs[*of], 500),
            },
            14 => {
                if let Ok(program) = programs[*of].extend("more", TEXTS[argument % TEXTS.len()]) {
                    if run.extend(&program).is_ok() {
                        *of = programs.len();
                        assert_eq!(run.program().disassemble(), program.disassemble());
                    }
                    programs.push(program);
                    let _ = run.resume_input(1000);
                }
            }
            15 => match run.save() {
                Ok(saved) => {
                    let restored = engine.restore(&programs[*of], &saved);
                    let of = *of;
                    if let Ok(restored) = restored
                        && runs.len() < 8
                    {
                        runs.push((restored, of));
                    }
                }
                Err(error) => drop(error.to_string()),
            },
            16 => {
                let names = ["n", "a", "g", "q", "o", "nothing"];
                let name = names[argument % names.len()];
                handles.extend(run.global(name));
                let written = match argument % 4 {
                    0 => run.set_global(name, argument as i64),
                    1 => run.set_global(name, "text"),
                    2 => run.set_global(name, vec![1.5, -0.0]),
                    _ => handles
                        .last()
                        .cloned()
                        .map_or(Ok(()), |value| run.set_global(name, value)),
                };
                drop(written.map_err(|error| error.to_string()));
            }
            17 => {
                handles.extend(run.make(vec![argument as i64; argument]));
                handles.truncate(20);
                for handle in &handles {
                    drop((
                        run.text_of(handle),
                        run.data(handle),
                        run.read::<Vec<f64>>(handle),
                    ));
                    drop(run.change_host_value(handle, |stack: &mut Stack| stack.0.push(1)));
                    drop(run.host_value::<Log>(handle).map(|log| log.0));
                }
            }
            18 => {
                let name = ["f", "sizeOf", "map", "chooseElement"][argument / 64];
                if let Ok(mut call) = run.call(name, (argument as i64,)) {
                    for _ in 0..argument % 5 {
                        drop(call.resume([1, 100, 100_000][argument % 3]));
                        call.answer(argument % 2);
                    }
                    drop((call.text(), call.output()));
                    if argument % 2 == 0 {
                        call.undo();
                    }
                }
            }
            _ => {
                tokens.push(run.cancel_token());
                let token = &tokens[argument % tokens.len()];
                match argument % 5 {
                    0 => token.cancel(),
                    1 => token.clear(),
                    2 => run.set_cancel_token(&token.clone()),
                    _ => {
                        let limits = Limits {
                            steps: 400_000,
                            output: 1 << 15,
                            depth: 600,
                            ..*run.limits()
                        };
                        run.set_limits(Limits {
                            memory: 1 << (14 + argument % 10),
                            ..limits
                        });
                        let _ = run.stopped_at();
                    }
                }
            }
        }
    }
}

fn step(run: &mut Run, program: &Program, fuel: u64) {
    if let Outcome::Error(error) = run.resume(fuel) {
        assert!(!error.diagnostic.render(program.sources(), false).is_empty());
    }
}
