//! What a host gets: functions of its own, pauses, forks, limits, cancellation, questions.

mod callbacks;
mod calls;
mod choices;
mod embed;
mod forged;
mod functions;
mod grown;
mod limits;
mod modules;
mod panics;
mod pauses;
mod reload;
mod save;
mod serde;
mod timeline;
mod top_level;
mod types;
mod values;
mod waiting;
mod watching;

use ndscript::{
    Engine, ErrorKind, HostError, ImportSource, LimitReached, Limits, Outcome, Param, RunError,
};

fn texts(engine: &Engine, program: &str) -> Vec<String> {
    engine
        .compile(program)
        .unwrap()
        .run(1)
        .map(|solution| solution.unwrap().text)
        .collect()
}

#[test]
fn host_functions_take_and_give_plain_types() {
    let engine = Engine::new()
        .with_function("twice", |n: i64| Ok(n * 2))
        .with_function("shout", |text: String, times: i64| {
            Ok(text.to_uppercase().repeat(times as usize))
        })
        .with_function("halves", |list: Vec<f64>| {
            Ok(list.into_iter().map(|n| n / 2.0).collect::<Vec<f64>>())
        })
        .with_function("mirror", |(x, y): (i64, i64)| Ok((y, x)))
        .with_function("orElse", |n: Option<i64>| Ok(n.unwrap_or(-1)))
        .with_function("nothing", || Ok(()));
    let program =
        "print(twice(4), shout(\"é\", 3), halves(setOf(1, 2)), mirror(position(1, 2)), orElse(null), orElse(3),
        nothing(), map([1, 2], twice), twice);";
    assert_eq!(
        texts(&engine, program),
        ["8ÉÉÉ[0.5, 1](2,1)-13null[2, 4]function twice"]
    );
}

#[test]
fn errors_of_host_functions_have_a_place_and_calls() {
    let engine = Engine::new().with_function("open", |door: String| -> Result<bool, HostError> {
        Err(HostError::new(format!("there is no door {door}")))
    });
    let program = engine
        .compile("function enter(d) {\n  return open(d);\n}\nonce(() => enter(\"north\"));")
        .unwrap();
    match program.run(1).next() {
        Some(Err(RunError::Script(error))) => {
            assert_eq!(error.kind, ErrorKind::Host);
            assert_eq!(error.diagnostic.message, "there is no door north");
            let (_, line, _) = program
                .sources()
                .locate(error.diagnostic.span.unwrap())
                .unwrap();
            assert_eq!(line, 2);
            assert!(
                error.diagnostic.calls[0]
                    .text
                    .starts_with("enter(\"north\")")
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn wrong_arguments_of_host_functions_are_script_errors() {
    let engine = Engine::new().with_function("twice", |n: i64| Ok(n * 2));
    for (program, kind) in [
        ("twice(\"a\");", ErrorKind::Type),
        ("twice();", ErrorKind::Arity),
        ("twice(0.5);", ErrorKind::Type),
    ] {
        match engine.compile(program).unwrap().run(1).next() {
            Some(Err(RunError::Script(error))) => assert_eq!(error.kind, kind, "{program}"),
            other => panic!("{program}: {other:?}"),
        }
    }
}

#[test]
fn a_program_may_use_the_name_of_a_host_function_for_itself() {
    let engine = Engine::new().with_function("twice", |n: i64| Ok(n * 2));
    assert_eq!(
        texts(
            &engine,
            "function twice(n) { return n + 1; } print(twice(1));"
        ),
        ["2"]
    );
}

#[test]
fn a_run_is_the_same_however_often_it_is_paused() {
    let program = Engine::new()
        .compile("var x = chooseElement(range(50)); require(x % 7 == 3); print(x);")
        .unwrap();
    let whole: Vec<String> = program
        .run(5)
        .map(|solution| solution.unwrap().text)
        .collect();
    for fuel in [1, 2, 7, 100] {
        let mut run = program.run(5);
        let mut found = Vec::new();
        loop {
            match run.resume(fuel) {
                Outcome::Solved(solution) => found.push(solution.text),
                Outcome::OutOfFuel => {}
                Outcome::Failed => break,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(found, whole);
    }
}

#[test]
fn a_fork_goes_on_by_itself_and_finds_the_same() {
    let program = Engine::new()
        .compile("var list = []; foreach (i in range(8)) { push(list, chooseElement(range(9))); require(sum(list) % 3 != 1); } print(list);")
        .unwrap();
    let mut run = program.run(3);
    for _ in 0..5 {
        run.resume(40);
        let fork = run.clone();
        let rest =
            std::thread::spawn(move || fork.take(20).map(|s| s.unwrap().text).collect::<Vec<_>>());
        let mine: Vec<String> = run
            .clone()
            .take(20)
            .map(|solution| solution.unwrap().text)
            .collect();
        assert_eq!(rest.join().unwrap(), mine);
        assert_eq!(mine.len(), 20);
    }
}

#[test]
fn limits_pass_through_every_barrier() {
    let endless = "while (true) { }";
    let deep = "function f(n) { return 1 + f(n + 1); } f(0);";
    let hungry = "let a = []; while (true) push(a, [1, 2, 3]);";
    let chatty = "while (true) printLine(\"again and again\");";
    let choosy = "while (true) { choose first {} or {} }";
    for body in [endless, deep, hungry, chatty, choosy] {
        for around in [
            "@",
            "once(() => { @ });",
            "not(() => { @ });",
            "solutions(() => { @ });",
            "minimize(() => { @ });",
        ] {
            let text = around.replace('@', body);
            let limits = Limits {
                steps: 3_000_000,
                memory: 16 << 20,
                depth: 10_000,
                output: 1 << 20,
                ..Limits::default()
            };
            let program = Engine::new().with_limits(limits).compile(&text).unwrap();
            let mut run = program.run(1);
            match run.resume(u64::MAX) {
                Outcome::Limit(_) => {}
                other => panic!("{text}: {other:?}"),
            }
            assert!(
                run.statistics().memory < 40 << 20,
                "{text}: {:?}",
                run.statistics()
            );
            assert!(
                matches!(run.resume(1000), Outcome::Limit(_)),
                "a run that reached a limit stands still"
            );
        }
    }
}

#[test]
fn a_run_is_cancelled_from_another_thread() {
    let program = Engine::new().compile("while (true) { }").unwrap();
    let mut run = program.run(1);
    let token = run.cancel_token();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        token.cancel();
    });
    assert!(matches!(
        run.resume(u64::MAX),
        Outcome::Limit(LimitReached::Cancelled)
    ));
    canceller.join().unwrap();
}

#[test]
fn questions_are_answered_by_the_host() {
    let program = Engine::new()
        .compile("print(\"hello\"); var a = ask(\"which?\", [1, \"two\"]); var b = input(\"name?\"); print(a, b);")
        .unwrap();
    let mut run = program.run(1);
    let Outcome::Asked(question) = run.resume(1000) else {
        panic!()
    };
    assert_eq!(
        (question.prompt.as_str(), question.text.as_str()),
        ("which?", "hello")
    );
    assert_eq!(
        question.options,
        Some(vec!["1".to_string(), "two".to_string()])
    );
    assert!(
        matches!(run.resume(1000), Outcome::Asked(_)),
        "it still waits"
    );
    assert!(!run.answer(2) && !run.answer_text("x") && run.answer(1));
    let Outcome::Asked(question) = run.resume(1000) else {
        panic!()
    };
    assert_eq!(question.options, None);
    assert!(run.answer_text("Ada"));
    let Outcome::Solved(solution) = run.resume(1000) else {
        panic!()
    };
    assert_eq!(solution.text, "twoAda");
}

#[test]
fn parameters_and_globals_by_name() {
    let program = Engine::new()
        .compile(
            "var size = param(\"size\", 3); var name = param(\"name\", \"none\"); let flag = param(\"flag\", false);",
        )
        .unwrap();
    let mut run = program.run_with(
        1,
        &[
            ("size".into(), Param::Number(7.0)),
            ("flag".into(), Param::Boolean(true)),
        ],
    );
    run.next().unwrap().unwrap();
    let text = |name: &str| run.view_global(name).map(|view| view.to_string());
    assert_eq!(
        ["size", "name", "flag"].map(|name| text(name).unwrap()),
        ["7", "none", "true"]
    );
    assert_eq!(text("other"), None);
}

struct Library;

impl ImportSource for Library {
    fn read(&self, path: &str) -> Result<String, String> {
        match path {
            "tools.nds" => Ok("var made = 1; function twice(n) { return n * 2; }".to_string()),
            _ => Err("there is no such file".to_string()),
        }
    }
}

#[test]
fn imports_come_from_the_host() {
    let engine = Engine::new().with_imports(Library);
    assert_eq!(
        texts(
            &engine,
            "import \"tools.nds\"; import \"tools.nds\"; print(twice(4), made);"
        ),
        ["81"]
    );
    let error = engine.compile("import \"other.nds\";").err().unwrap();
    assert!(error.to_string().contains("there is no such file"));
    assert!(Engine::new().compile("import \"tools.nds\";").is_err());
}

#[test]
fn a_megabyte_of_stack_is_enough() {
    let work = || {
        let program =
            "function f(n) { if (n == 0) return [0]; return [f(n - 1)]; } var a = f(20000); print(sizeOf(toString(a)));
            var b = deepCopy(a); print(a == b); print(sizeOf(setOf(a, b)));";
        let texts: Vec<String> = Engine::new()
            .compile(program)
            .unwrap()
            .run(1)
            .map(|s| s.unwrap().text)
            .collect();
        assert_eq!(texts, ["40003true1"]);
        let nested = format!("print({}1{});", "(".repeat(150), ")".repeat(150));
        assert!(Engine::new().compile(&nested).is_ok());
        assert!(Engine::new().compile(&"[".repeat(100_000)).is_err());
    };
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}
