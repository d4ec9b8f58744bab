//! Calls of script functions by the host: results, effects, and what they leave of the run.

use ndscript::{
    CallOutcome, Charged, Data, Engine, ErrorKind, LimitReached, Limits, Outcome, Question, Run,
    RunError, Value, ValueError,
};

fn run_of(text: &str) -> Run {
    let mut run = Engine::new().compile(text).unwrap().run(1);
    #[cfg(debug_assertions)]
    run.verify_backtracking();
    run.next().unwrap().unwrap();
    run
}

fn global(run: &Run, name: &str) -> String {
    run.view_global(name).unwrap().to_string()
}

const LIST: &str = "var list = []; var a = choose(1, 2, 3); push(list, a); print(list);
    function add(x) { print(`add ${x}`); push(list, x); let y = choose(x, x * 10); push(list, y); return y; }
    function none() { push(list, 99); fail; }
    function wrong() { push(list, 98); let o = {}; return o.nothing; }
    function forever() { while (true) push(list, 1); }
    function deep(n) { return deep(n + 1) + 1; }
    deterministic function first(x) { return add(x); }
    function searches() { return [once(() => add(1)), solutions(() => add(2)), not(() => none())]; }";

#[test]
fn results_come_one_after_another_and_undo_each_other() {
    let mut run = run_of(LIST);
    let add = run.global("add").unwrap();
    let mut call = run.call(&add, (5,)).unwrap();
    let first = call.next().unwrap().unwrap();
    assert_eq!(
        (call.text().as_str(), global(call.run(), "list").as_str()),
        ("add 5", "[1, 5, 5]")
    );
    let second = call.next().unwrap().unwrap();
    assert_eq!(
        (call.text().as_str(), global(call.run(), "list").as_str()),
        ("add 5", "[1, 5, 50]")
    );
    assert!(call.next().is_none() && call.next().is_none());
    drop(call);
    assert_eq!(
        (run.read::<i64>(&first), run.read::<i64>(&second)),
        (Ok(5), Ok(50))
    );
    assert_eq!(global(&run, "list"), "[1]");
    assert_eq!(
        run.map(|solution| solution.unwrap().text)
            .collect::<Vec<_>>(),
        ["[2]", "[3]"]
    );
}

#[test]
fn effects_of_the_last_result_stay_until_the_run_goes_back() {
    let mut run = run_of(LIST);
    let choices = run.open_choices();
    for x in [5, 6] {
        assert!(run.call("add", (x,)).unwrap().next().unwrap().is_ok());
    }
    assert_eq!(
        (global(&run, "list"), run.open_choices()),
        ("[1, 5, 5, 6, 6]".to_string(), choices)
    );
    let mut call = run.call("add", (7,)).unwrap();
    call.next();
    call.undo();
    let mut call = run.call("add", (7,)).unwrap();
    assert!(matches!(call.resume(0), CallOutcome::OutOfFuel));
    drop(call);
    drop(run.call("add", (7,)).unwrap());
    assert_eq!(global(&run, "list"), "[1, 5, 5, 6, 6]");
    assert_eq!(run.call_once::<i64>("first", (8,)).unwrap(), Some(8));
    assert_eq!(global(&run, "list"), "[1, 5, 5, 6, 6, 8, 8]");
    let solution = run.next().unwrap().unwrap();
    assert_eq!(
        (solution.text.as_str(), global(&run, "list").as_str()),
        ("[2]", "[2]")
    );
}

#[test]
fn a_thousand_calls_leave_nothing_behind() {
    let mut run = run_of(
        "var n = 0; choose first {} or {} function step(k) { print(\"noise\"); n = n + choose(k, 0); return n; }",
    );
    let step = run.global("step").unwrap();
    for turn in 1..=1_000 {
        assert_eq!(run.call_once::<i64>(&step, (2,)).unwrap(), Some(turn * 2));
    }
    assert_eq!(run.open_choices(), 1);
    let solution = run.next().unwrap().unwrap();
    assert_eq!(
        (solution.text.as_str(), global(&run, "n").as_str()),
        ("", "0")
    );
}

#[test]
fn a_call_that_fails_or_errs_is_undone() {
    let limits = Limits {
        steps: 200_000,
        depth: 5_000,
        ..Limits::default()
    };
    let program = Engine::new().with_limits(limits).compile(LIST).unwrap();
    let mut run = program.run(1);
    run.next().unwrap().unwrap();
    assert_eq!(run.call_once::<i64>("none", ()).unwrap(), None);
    match run.call("wrong", ()).unwrap().next() {
        Some(Err(RunError::Script(error))) => {
            assert_eq!(error.kind, ErrorKind::Field);
            let (_, line, _) = program
                .sources()
                .locate(error.diagnostic.span.unwrap())
                .unwrap();
            assert_eq!(
                (line, error.diagnostic.calls.len()),
                (4, 0),
                "the run itself has not led there"
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        run.call_once::<i64>("deep", (1,)),
        Err(RunError::Limit(LimitReached::Depth(_)))
    ));
    assert_eq!(
        run.call_once::<String>("add", (4,))
            .unwrap_err()
            .to_string(),
        "expected a string, not 4 (a number)"
    );
    assert_eq!(global(&run, "list"), "[1]");
    let mut call = run.call("wrong", ()).unwrap();
    assert!(matches!(call.next(), Some(Err(RunError::Script(_)))));
    assert!(call.next().is_none());
    drop(call);
    let mut call = run.call("forever", ()).unwrap();
    assert!(matches!(call.resume(100), CallOutcome::OutOfFuel));
    assert!(matches!(
        call.resume(1 << 40),
        CallOutcome::Limit(LimitReached::Steps(_))
    ));
    assert!(matches!(
        call.resume(1),
        CallOutcome::Limit(LimitReached::Steps(_))
    ));
    drop(call);
    assert_eq!(global(&run, "list"), "[1]");
    let mut call = run.call("forever", ()).unwrap();
    assert!(matches!(
        call.next(),
        Some(Err(RunError::Limit(LimitReached::Steps(_))))
    ));
    assert!(call.next().is_none(), "an iterator ends there");
    drop(call);
    assert!(
        matches!(
            run.next(),
            Some(Err(RunError::Limit(LimitReached::Steps(_))))
        ),
        "steps count for the run"
    );
}

/// A limit stops a call where it is, as it stops a run.
#[test]
fn a_call_goes_on_when_its_limit_is_lifted() {
    let text = "var seen = []; function count(n) { for (let i = 0; i < n; i++) push(seen, i); return sizeOf(seen); }
        choose(1, 2); print(sizeOf(seen));";
    let mut run = run_of(text);
    let token = run.cancel_token();
    run.begin_call("count", (1000,)).unwrap();
    assert!(matches!(run.resume_call(100), CallOutcome::OutOfFuel));
    token.cancel();
    for _ in 0..2 {
        assert!(matches!(
            run.resume_call(u64::MAX),
            CallOutcome::Limit(LimitReached::Cancelled)
        ));
    }
    token.clear();
    assert!(matches!(run.resume_call(100), CallOutcome::OutOfFuel));
    let limits = *run.limits();
    let steps = run.statistics().steps + 100;
    run.set_limits(Limits { steps, ..limits });
    for _ in 0..2 {
        assert!(matches!(
            run.resume_call(u64::MAX),
            CallOutcome::Limit(LimitReached::Steps(_))
        ));
    }
    // So does a clone, and the next solution is what it would have been.
    run.set_limits(limits);
    let mut clone = run.clone();
    for run in [&mut run, &mut clone] {
        let CallOutcome::Returned(count) = run.resume_call(u64::MAX) else {
            panic!("no result")
        };
        assert_eq!(run.read::<i64>(&count), Ok(1000));
        run.end_call();
        assert_eq!(run.view_global("seen").unwrap().len(), 1000);
        assert_eq!(run.next().unwrap().unwrap().text, "0");
    }
    // What is not gone on with is undone.
    run.begin_call("count", (1000,)).unwrap();
    run.cancel_token().cancel();
    assert!(matches!(
        run.resume_call(u64::MAX),
        CallOutcome::Limit(LimitReached::Cancelled)
    ));
    run.end_call();
    assert_eq!(run.view_global("seen").unwrap().len(), 0);
}

#[test]
fn what_cannot_be_called_says_so() {
    let mut run = run_of(
        "var number = 5; var r = relation([1, 2]); var built = sizeOf; function two(a, b) { return a - b; }",
    );
    let error = |run: &mut Run, name: &str, arguments: Vec<i64>| match run
        .call(name, arguments)
        .unwrap()
        .next()
    {
        Some(Err(RunError::Script(error))) => (
            error.kind,
            error.diagnostic.message.clone(),
            error.diagnostic.span,
        ),
        other => panic!("{other:?}"),
    };
    let (kind, message, span) = error(&mut run, "number", vec![]);
    assert_eq!(
        (kind, message.as_str(), span),
        (
            ErrorKind::Type,
            "5 (a number) is not a function and cannot be called",
            None
        )
    );
    let (kind, message, _) = error(&mut run, "two", vec![1]);
    assert_eq!(
        (kind, message.as_str()),
        (ErrorKind::Arity, "`two` takes 2 arguments, but got 1")
    );
    assert_eq!(
        error(&mut run, "two", (0..20).collect()).0,
        ErrorKind::Arity
    );
    assert_eq!(error(&mut run, "built", vec![]).0, ErrorKind::Arity);
    assert_eq!(run.call_once::<i64>("two", (7, 3)).unwrap(), Some(4));
    assert_eq!(run.call_once::<bool>("r", (1, 2)).unwrap(), Some(true));
    assert_eq!(
        run.call_once::<i64>("built", (vec![1, 2, 3],)).unwrap(),
        Some(3)
    );
    let unknown = run.call("tow", ()).err().unwrap();
    assert_eq!(
        unknown.to_string(),
        "the program has no global `tow`: did you mean `two`?"
    );
    let two = run.global("two").unwrap();
    let mut fork = run.clone();
    assert_eq!(fork.call(&two, (1, 2)).err(), Some(ValueError::OtherRun));
    let list = run.make(vec![1]).unwrap();
    assert_eq!(
        fork.call("two", (1, &list)).err(),
        Some(ValueError::OtherRun)
    );
    assert_eq!(fork.call_once::<i64>("two", (1, 2)).unwrap(), Some(-1));
}

#[test]
fn any_number_of_arguments_of_any_kind() {
    let mut run = run_of(
        "function nine(a, b, c, d, e, f, g, h, i) { return [a, b, c, d, e, f, g, h, i]; }
         function pick(from) { return chooseElement(from); } var choosing = chooseElement;",
    );
    let numbers: Vec<i64> = (1..10).collect();
    assert_eq!(
        run.call_once::<Vec<i64>>("nine", numbers.clone()).unwrap(),
        Some(numbers.clone())
    );
    assert_eq!(
        run.call_once::<Vec<i64>>("nine", numbers.as_slice().to_vec())
            .unwrap(),
        Some(numbers)
    );
    for name in ["pick", "choosing"] {
        let results: Vec<Value> = run
            .call(name, (vec!["a", "b", "c"],))
            .unwrap()
            .map(|value| value.unwrap())
            .collect();
        let mut texts: Vec<String> = results
            .iter()
            .map(|value| run.text_of(value).unwrap())
            .collect();
        texts.sort();
        assert_eq!(texts, ["a", "b", "c"]);
    }
}

#[test]
fn barriers_work_inside_a_call_and_around_it() {
    let mut run = run_of(LIST);
    assert_eq!(
        run.call_once::<String>("searches", ())
            .unwrap_err()
            .to_string(),
        "expected a string, not [1, [2, 20], true] (an array)"
    );
    assert_eq!(global(&run, "list"), "[1]");
    let text = "var best = 0; function probe() { cost(100); return minimize(() => { let x = choose(5, 4); cost(x); return x; }); }
        var found = minimize(() => { let x = chooseElement(range(1, 40)); cost(x); best = x; require(x % 7 == 0); return x; });
        var all = solutions(() => choose(1, 2, 3)); print(found, all);";
    let program = Engine::new().compile(text).unwrap();
    let alone = program.run(3).next().unwrap().unwrap().text;
    for fuel in [1, 2, 7] {
        let mut run = program.run(3);
        let solution = loop {
            match run.resume(fuel) {
                Outcome::Solved(solution) => break solution,
                Outcome::OutOfFuel => {}
                other => panic!("{other:?}"),
            }
            let mut call = run.call("probe", ()).unwrap();
            let value = call.next().unwrap().unwrap();
            assert_eq!(call.run().read::<i64>(&value), Ok(4));
            call.undo();
        };
        assert_eq!(
            solution.text, alone,
            "calls in the middle of a search do not disturb it"
        );
    }
}

#[test]
fn calls_in_the_middle_of_a_search_leave_it_alone() {
    let text = "var seen = 0; function look(x) { seen = seen + 1; return choose(x, -x); }
        function place(k, used) { if (k == 6) return used; let c = 0; choose c = 1; or c = 2; or c = 3;
            require(sizeOf(used) == 0 || used[sizeOf(used) - 1] != c); return place(k + 1, concat(used, [c])); }
        print(place(0, []));";
    let program = Engine::new().compile(text).unwrap();
    let alone: Vec<String> = program
        .run(9)
        .map(|solution| solution.unwrap().text)
        .collect();
    let mut run = program.run(9);
    #[cfg(debug_assertions)]
    run.verify_backtracking();
    let mut found = Vec::new();
    let mut turn = 0;
    loop {
        match run.resume(7) {
            Outcome::Solved(solution) => found.push(solution.text),
            Outcome::OutOfFuel => {}
            Outcome::Failed => break,
            other => panic!("{other:?}"),
        }
        turn += 1;
        let mut call = run.call("look", (turn,)).unwrap();
        for _ in 0..turn % 4 {
            call.next();
        }
        assert!(call.run().view_global("seen").unwrap().as_i64().is_some());
    }
    // Branches are undefined by random draws, so the same set comes, maybe in another order.
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert_eq!(sorted(found), sorted(alone));
}

#[test]
fn questions_of_calls_and_of_the_run_do_not_meet() {
    let text = "var a = choose(1, 2); print(\"run\"); function talk(x) { let c = choose(x, x + 1); print(\"talk\"); let y = ask(\"inner\", [c, 7]);
            print(\"on\"); let z = choose(y, y * 2); return z; }
        print(ask(\"outer\", [10, 20]));";
    let mut run = Engine::new().compile(text).unwrap().run(1);
    assert!(matches!(run.resume(1_000), Outcome::Asked(_)));
    let mut call = run.call("talk", (1,)).unwrap();
    let CallOutcome::Asked(Question {
        prompt,
        options,
        text,
        ..
    }) = call.resume(1_000)
    else {
        panic!()
    };
    assert_eq!((prompt.as_str(), text.as_str()), ("inner", "talk"));
    assert_eq!(options.unwrap(), ["1", "7"]);
    assert!(matches!(call.next(), Some(Err(RunError::Question(_)))));
    assert!(!call.answer_text("x") && call.answer(1));
    let results: Vec<Value> = call.by_ref().map(|value| value.unwrap()).collect();
    drop(call);
    assert_eq!(
        results
            .iter()
            .map(|value| run.read::<i64>(value).unwrap())
            .collect::<Vec<_>>(),
        [7, 14]
    );
    let Outcome::Asked(question) = run.resume(1_000) else {
        panic!()
    };
    assert_eq!(
        (question.prompt.as_str(), question.text.as_str()),
        ("outer", "run")
    );
    let mut call = run.call("talk", (1,)).unwrap();
    assert!(matches!(call.resume(1_000), CallOutcome::Asked(_)));
    drop(call);
    assert!(run.answer(0));
    let Outcome::Solved(solution) = run.resume(1_000) else {
        panic!()
    };
    assert_eq!(solution.text, "10");
}

#[test]
fn a_call_that_was_forgotten_ends_before_anything_else() {
    let mut run = run_of(LIST);
    for result in [false, true] {
        let mut call = run.call("add", (5,)).unwrap();
        if result {
            call.next();
        }
        std::mem::forget(call);
        assert_eq!(run.call_once::<i64>("add", (6,)).unwrap(), Some(6));
        std::mem::forget(run.call("none", ()).unwrap());
    }
    assert_eq!(global(&run, "list"), "[1, 6, 6, 5, 5, 6, 6]");
    let fork = run.clone();
    for run in [run, fork] {
        assert_eq!(
            run.map(|solution| solution.unwrap().text)
                .collect::<Vec<_>>(),
            ["[2]", "[3]"]
        );
    }
}

#[test]
fn handles_and_waiting_questions_survive_collections_in_calls() {
    let limits = Limits {
        memory: 8 << 20,
        ..Limits::default()
    };
    let text = "function waste(n) { let kept = [n]; for (let i = 0; i < n; i++) { let x = [i, `${i}`]; } return choose([kept, n], [n]); }
        let o = [1, [2, 3]]; print(ask(\"?\", [o, `b${1}`]));";
    let mut run = Engine::new()
        .with_limits(limits)
        .compile(text)
        .unwrap()
        .run(1);
    assert!(matches!(run.resume(1_000), Outcome::Asked(_)));
    let mut kept = Vec::new();
    for _ in 0..3 {
        let mut call = run.call("waste", (60_000,)).unwrap();
        kept.push(call.next().unwrap().unwrap());
        kept.push(call.next().unwrap().unwrap());
    }
    assert!(run.statistics().collections > 2);
    for pair in kept.chunks(2) {
        assert_eq!(
            [&pair[0], &pair[1]].map(|value| run.text_of(value).unwrap()),
            ["[[60000], 60000]", "[60000]"]
        );
    }
    assert!(run.answer(0));
    assert_eq!(run.next().unwrap().unwrap().text, "[1, [2, 3]]");
}

#[test]
fn calls_before_the_run_and_after_its_end() {
    let text = "var n = 1; function get() { return n; } n = choose(2, 3);";
    let mut run = Engine::new().compile(text).unwrap().run(1);
    assert!(
        run.call_once::<Option<i64>>("get", ()).unwrap().is_some(),
        "a declared function is there from the start"
    );
    let token = run.cancel_token();
    while run.next().is_some() {}
    assert!(run.call_once::<Option<i64>>("get", ()).unwrap().is_some());
    assert!(run.next().is_none());
    token.cancel();
    let mut endless = Engine::new()
        .compile("function f() { while (true) {} }")
        .unwrap()
        .run(1);
    endless.next().unwrap().unwrap();
    endless.cancel_token().cancel();
    assert!(matches!(
        endless.call_once::<()>("f", ()),
        Err(RunError::Limit(LimitReached::Cancelled))
    ));
}

#[test]
fn built_ins_are_called_by_name() {
    let engine = Engine::new().with_function("twice", |n: i64| Ok(n * 2));
    let text = "let upper = 3, early = later(); function later() { let trim = 1; } var counted = map([1], x => x); let soon = 1;";
    let mut run = engine.compile(text).unwrap().run(1);
    assert_eq!(run.call("soon", ()).err(), Some(no_global("soon")));
    run.next().unwrap().unwrap();
    assert_eq!(run.call_once::<i64>("sizeOf", ("abc",)).unwrap(), Some(3));
    assert_eq!(run.call_once::<i64>("twice", (21,)).unwrap(), Some(42));
    assert_eq!(
        run.call_once::<String>("trim", (" a ",)).unwrap(),
        Some("a".to_string())
    );
    let picked = run
        .call("chooseElement", (vec![7],))
        .map(|mut call| call.next());
    assert!(picked.is_ok() || matches!(picked, Err(ValueError::NotIncluded(_))));
    // A variable of the program has the name for itself.
    assert!(matches!(
        run.call("upper", ("x",)).unwrap().next(),
        Some(Err(RunError::Script(_)))
    ));
    // Built-ins that are written in the language come with the programs that name them.
    let twice = run.global("later").unwrap();
    assert_eq!(
        run.call("filter", (vec![1], &twice)).err(),
        Some(ValueError::NotIncluded("filter".to_string()))
    );
    for unknown in ["sizeof", "__gather", ""] {
        assert!(
            matches!(
                run.call(unknown, ()).err(),
                Some(ValueError::NoGlobal { .. })
            ),
            "{unknown}"
        );
    }
    for built_in in ["sizeOf", "twice", "filter", "map"] {
        assert_eq!(
            run.set_global(built_in, 1).err(),
            Some(ValueError::CannotBeSet(built_in.to_string()))
        );
    }
}

fn no_global(name: &str) -> ValueError {
    ValueError::NoGlobal {
        name: name.to_string(),
        nearest: None,
    }
}

#[test]
fn what_the_host_makes_has_to_have_room() {
    let limits = Limits {
        memory: 4 << 20,
        ..Limits::default()
    };
    let program = Engine::new()
        .with_limits(limits)
        .compile("var kept = 1; function f(x) { return sizeOf(x); }")
        .unwrap();
    let mut run = program.run(1);
    run.next().unwrap().unwrap();
    let large = || vec![0.1; 1 << 20];
    let limit = Some(ValueError::Limit(LimitReached::Memory(4 << 20)));
    assert_eq!(run.make(large()).err(), limit);
    assert_eq!(run.set_global("kept", large()).err(), limit);
    assert_eq!(run.call("f", (large(),)).err(), limit);
    assert_eq!(run.read::<i64>(&run.global("kept").unwrap()), Ok(1));
    // Nothing of it has stayed.
    assert_eq!(
        run.call_once::<i64>("f", (vec![0.1; 1 << 16],)).unwrap(),
        Some(1 << 16)
    );
    assert!(run.make(vec![0.1; 1 << 17]).is_ok());
    run.set_limits(Limits::default());
    assert_eq!(
        run.call_once::<i64>("f", (large(),)).unwrap(),
        Some(1 << 20)
    );
}

#[test]
fn an_argument_that_is_too_large_leaves_room_for_the_next_call() {
    let limits = Limits {
        memory: 1 << 20,
        ..Limits::default()
    };
    let engine = Engine::new().with_limits(limits);
    let program = engine
        .compile("function one() { return 1; } function size(a) { return sizeOf(a); }")
        .expect("it compiles");
    let mut run = program.run(1);
    run.next();
    let large = || (0..500_000i64).collect::<Vec<i64>>();
    let as_data = Data::from(large().into_iter().map(Data::from).collect::<Vec<Data>>());
    for _ in 0..2 {
        let refused = [
            run.begin_call("size", (large(),)),
            run.begin_call("size", (as_data.clone(),)),
        ];
        for refused in refused {
            assert!(matches!(refused, Err(ValueError::Limit(_))), "{refused:?}");
        }
        run.begin_call("one", ()).expect("there is room again");
        assert!(matches!(run.resume_call(1000), CallOutcome::Returned(_)));
        run.end_call();
    }
}

#[test]
fn a_host_that_charges_too_much_comes_to_the_limit() {
    for steps in [u64::MAX, u64::MAX - 9, 1 << 63, 1 << 62] {
        let limits = Limits {
            steps: 10_000,
            ..Limits::default()
        };
        let charging = move || Charged { steps, result: 1 };
        let engine = Engine::new()
            .with_limits(limits)
            .with_function("dear", charging);
        let program = engine
            .compile("let n = 0; while (true) n += dear();")
            .expect("it compiles");
        let mut run = program.run(1);
        let outcome = run.resume(1000);
        assert!(
            matches!(outcome, Outcome::Limit(LimitReached::Steps(_))),
            "{steps}: {outcome:?}"
        );
    }
}
