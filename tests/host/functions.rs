//! Functions of the host: optional and variadic arguments, views, alternatives, listing; people and printed text.

use std::sync::{Arc, Mutex};

use ndscript::{
    Answer, Choices, Data, Engine, ErrorKind, HostError, LimitReached, Limits, Outcome, Question,
    Rest, RunError, Value, View,
};

fn texts(engine: &Engine, program: &str) -> Vec<String> {
    engine
        .compile(program)
        .unwrap()
        .run(1)
        .map(|solution| solution.unwrap().text)
        .collect()
}

fn error_of(engine: &Engine, program: &str) -> (ErrorKind, String) {
    match engine.compile(program).unwrap().run(1).next() {
        Some(Err(RunError::Script(error))) => (error.kind, error.diagnostic.message.clone()),
        other => panic!("{program}: {other:?}"),
    }
}

fn engine() -> Engine {
    Engine::new()
        .with_function("optional", |a: i64, b: Option<i64>, c: Option<String>| {
            Ok(format!("{a} {b:?} {c:?}"))
        })
        .with_function("middle", |a: Option<i64>, b: i64| Ok(a.unwrap_or(100) + b))
        .with_function("all", |rest: Rest<i64>| Ok(rest.iter().sum::<i64>()))
        .with_function("named", |name: &str, rest: Rest<Value>| {
            Ok(format!("{name}{}", rest.len()))
        })
        .with_function("lengths", |a: View, b: View| {
            Ok((a.len() as i64, b.len() as i64))
        })
        .with_function("same", |value: Value| Ok(value))
        .with_function("ordered", |list: Vec<i64>| Ok(Choices::in_order(list)))
        .with_function("shuffled", |list: Vec<Value>| Ok(Choices::shuffled(list)))
        .with_function("refuse", |n: i64| {
            if n > 2 {
                Err(HostError::new("too many"))
            } else {
                Ok(n)
            }
        })
}

#[test]
fn names_that_no_program_can_write_are_errors() {
    for name in [
        "",
        "if",
        "first name",
        "1st",
        "a-b",
        " a",
        "a ",
        "a\n",
        "true",
        "\"a\"",
        "a//",
        "a.b",
    ] {
        let engine = Engine::new().with_function(name, |n: i64| Ok(n));
        let error = engine
            .compile("print(1);")
            .err()
            .unwrap_or_else(|| panic!("{name:?}"))
            .to_string();
        assert!(
            error.contains(&format!("{name:?}")) && error.contains("a name is a letter or `_`"),
            "{error}"
        );
    }
    for name in ["a", "_", "größe", "first", "new", "__a", "a1"] {
        assert!(
            Engine::new()
                .with_function(name, |n: i64| Ok(n))
                .compile("print(1);")
                .is_ok(),
            "{name}"
        );
    }
}

#[test]
fn arguments_can_be_left_out_at_the_end() {
    let text = "print(optional(1), \" \", optional(1, 2), \" \", optional(1, null, \"x\"), \" \", middle(null, 1));";
    assert_eq!(
        texts(&engine(), text),
        ["1 None None 1 Some(2) None 1 None Some(\"x\") 101"]
    );
    let wrong = [
        (
            "optional();",
            "`optional` takes 1 to 3 arguments, but got 0",
        ),
        (
            "optional(1, 2, \"3\", 4);",
            "`optional` takes 1 to 3 arguments, but got 4",
        ),
        ("middle(1);", "`middle` takes 2 arguments, but got 1"),
        ("named();", "`named` takes at least 1 argument, but got 0"),
    ];
    for (program, message) in wrong {
        assert_eq!(
            error_of(&engine(), program),
            (ErrorKind::Arity, message.to_string())
        );
    }
    let (kind, message) = error_of(&engine(), "optional(1, \"two\");");
    assert_eq!(
        (kind, message.as_str()),
        (
            ErrorKind::Type,
            "`optional` wants a whole number as its second argument, not \"two\" (a string)"
        )
    );
    let (_, message) = error_of(&engine(), "all(1, 2, 3, [4]);");
    assert_eq!(
        message,
        "`all` wants a whole number as its fourth argument, not [4] (an array)"
    );
}

#[test]
fn any_number_of_arguments_can_come() {
    let many: Vec<String> = (0..1_000).map(|n| n.to_string()).collect();
    let text = format!(
        "print(all(), all(1), all({}), named(\"n\", [], {{}}));",
        many.join(", ")
    );
    assert_eq!(texts(&engine(), &text), ["01499500n2"]);
}

#[test]
fn views_and_handles_are_arguments() {
    let text = "let a = [1, 2]; let b = same(a); push(b, 3); print(a, lengths(a, \"four\"), map([a], same), same(null));";
    assert_eq!(texts(&engine(), text), ["[1, 2, 3](3,4)[[1, 2, 3]]null"]);
}

#[test]
fn alternatives_are_a_choice_of_the_script() {
    let text = "var a = ordered([1, 2, 3]); var b = ordered([a, a * 10]); require(b != 2); print(a, \"-\", b);";
    assert_eq!(
        texts(&engine(), text),
        ["1-1", "1-10", "2-20", "3-3", "3-30"]
    );
    assert_eq!(
        texts(&engine(), "print(1); ordered([]); print(2);"),
        [""; 0]
    );
    assert_eq!(
        texts(&engine(), "print(ordered([5]), shuffled([6]));"),
        ["56"]
    );
    for size in [3, 32, 33, 200] {
        let mut found = texts(&engine(), &format!("print(shuffled(range({size})));"));
        let in_order: Vec<String> = (0..size).map(|n| n.to_string()).collect();
        assert!(size == 3 || found != in_order);
        found.sort_by_key(|text| text.parse::<i64>().unwrap());
        assert_eq!(found, in_order);
        assert_eq!(
            texts(&engine(), &format!("print(ordered(range({size})));")),
            in_order
        );
    }
    let barriers =
        "print(once(() => ordered([7, 8])), solutions(() => ordered([1, 2])), countSolutions(() => shuffled([1, 2])),
        map([[1, 2], [3]], ordered), minimize(() => { let x = ordered([3, 1, 2]); cost(x); return x; }));";
    assert_eq!(
        texts(&engine(), barriers),
        ["7[1, 2]2[1, 3]1", "7[1, 2]2[2, 3]1"]
    );
}

#[test]
fn a_run_with_pending_alternatives_forks_and_comes_back_to_the_same() {
    let text =
        "var list = []; foreach (i in range(5)) { push(list, i % 2 == 0 ? shuffled(range(40)) : ordered([1, 2])); }
        require(sum(list) % 7 == 0); print(list);";
    let mut run = engine().compile(text).unwrap().run(3);
    for _ in 0..10 {
        assert!(run.next().unwrap().is_ok());
        let fork = run.clone();
        let there =
            std::thread::spawn(move || fork.take(30).map(|s| s.unwrap().text).collect::<Vec<_>>());
        let here: Vec<String> = run
            .clone()
            .take(30)
            .map(|solution| solution.unwrap().text)
            .collect();
        assert_eq!(there.join().unwrap(), here);
    }
    let program = engine().compile(text).unwrap();
    let whole: Vec<String> = program
        .run(3)
        .take(20)
        .map(|solution| solution.unwrap().text)
        .collect();
    let mut slowly = program.run(3);
    #[cfg(debug_assertions)]
    slowly.verify_backtracking();
    let mut found = Vec::new();
    while found.len() < 20 {
        match slowly.resume(3) {
            Outcome::Solved(solution) => found.push(solution.text),
            Outcome::OutOfFuel => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(found, whole);
}

#[test]
fn errors_of_the_host_pass_through_every_barrier() {
    for around in [
        "@",
        "once(() => @)",
        "not(() => @)",
        "solutions(() => @)",
        "minimize(() => @)",
        "map([1], x => @)",
    ] {
        let program = around.replace('@', "refuse(ordered([1, 2, 3]) + 2)");
        assert_eq!(
            error_of(&engine(), &format!("{program};")),
            (ErrorKind::Host, "too many".to_string()),
            "{program}"
        );
    }
}

#[test]
fn host_functions_are_listed_and_known_to_the_compiler() {
    let engine = engine()
        .with_doc("count", "Refuses large counts.")
        .with_function("print", |a: i64| Ok(a));
    let functions: Vec<_> = engine.functions().collect();
    let find = |name: &str| {
        functions
            .iter()
            .filter(|function| &*function.name == name)
            .collect::<Vec<_>>()
    };
    assert_eq!(&*find("refuse")[0].parameters, "count");
    assert_eq!(&*find("refuse")[0].doc, "Refuses large counts.");
    assert_eq!(&*find("optional")[0].parameters, "a[, b][, c]");
    assert_eq!(&*find("named")[0].parameters, "a, ...");
    assert_eq!(find("chooseElement")[0].domain, "Guessing");
    assert_eq!(
        (find("print").len(), find("print")[0].domain),
        (1, "The host")
    );
    let (kind, _) = error_of(&engine, "refsue(1);");
    assert_eq!(kind, ErrorKind::Undefined);
    match engine.compile("refsue(1);").unwrap().run(1).next() {
        Some(Err(RunError::Script(error))) => {
            assert_eq!(error.diagnostic.hints, ["did you mean `refuse`?"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn printed_text_is_handed_over_once_it_is_settled() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = log.clone();
    let engine = Engine::new().with_print(move |text| sink.lock().unwrap().push(text.to_string()));
    let text = "print(\"a\"); choose first { print(\"lost\"); fail; } or print(\"b\"); ask(\"?\", [1]); print(\"c\"); choose first print(\"d\"); or print(\"e\");";
    let mut run = engine.compile(text).unwrap().run(1);
    while matches!(run.resume(1), Outcome::OutOfFuel) {}
    assert!(
        matches!(run.resume(1), Outcome::Asked(_)),
        "it still waits, and nothing is handed over again"
    );
    assert_eq!(*log.lock().unwrap(), ["ab"]);
    assert!(run.answer(0));
    assert_eq!(
        run.by_ref()
            .map(|solution| solution.unwrap().text)
            .collect::<Vec<_>>(),
        ["cd", "ce"]
    );
    assert_eq!(*log.lock().unwrap(), ["ab", "cd", "ce"]);
}

#[test]
fn people_answer_by_themselves() {
    let text = "var n = 0; while (n < 3) { n = n + 1; print(ask(`q${n}`, [n, n * 10])); } print(input(\"name\"));";
    let answering = |question: &Question| match (&question.options, question.prompt.as_str()) {
        (Some(_), "q2") => Some(Answer::Option(0)),
        (Some(options), _) => Some(Answer::Option(options.len() - 1)),
        (None, _) => Some(Answer::Line("Ada".to_string())),
    };
    let run = Engine::new()
        .with_people(answering)
        .compile(text)
        .unwrap()
        .run(1);
    assert_eq!(
        run.map(|solution| solution.unwrap().text)
            .collect::<Vec<_>>(),
        ["Ada"],
        "each question settles text"
    );
    for wrong in [
        None,
        Some(Answer::Option(5)),
        Some(Answer::Line("x".to_string())),
    ] {
        let engine = Engine::new().with_people(move |_: &Question| wrong.clone());
        let mut run = engine.compile(text).unwrap().run(1);
        assert!(matches!(run.resume(u64::MAX), Outcome::Asked(_)));
        assert!(run.answer(1));
        assert!(matches!(run.resume(u64::MAX), Outcome::Asked(_)));
    }
    let endless = Engine::new().with_people(|_: &Question| Some(Answer::Option(0)));
    let mut run = endless
        .compile("while (true) ask(\"again?\", [1]);")
        .unwrap()
        .run(1);
    for _ in 0..3 {
        assert!(
            matches!(run.resume(100), Outcome::OutOfFuel),
            "answers cost fuel"
        );
    }
}

#[test]
fn copies_for_the_host_fit_into_the_run_and_are_paid_for() {
    let limits = Limits {
        memory: 4 << 20,
        ..Limits::default()
    };
    let engine = Engine::new()
        .with_limits(limits)
        .with_function("rows", |rows: Vec<Vec<i64>>| Ok(rows.len() as i64))
        .with_function("data", |_: Data| Ok(1))
        .with_function("handles", |list: Vec<Value>| Ok(list.len() as i64));
    let end = |text: &str| {
        let mut run = engine.compile(text).unwrap().run(1);
        (run.resume(u64::MAX), run.statistics().steps)
    };
    // Shared parts are not shared in a copy.
    let shared =
        "var row = range(40000); var all = []; for (let i = 0; i < 40000; i++) push(all, row);";
    for call in ["rows(all)", "data(all)"] {
        let (outcome, _) = end(&format!("{shared} print({call});"));
        assert!(
            matches!(outcome, Outcome::Limit(LimitReached::Memory { .. })),
            "{call}: {outcome:?}"
        );
    }
    // Handles are no copies.
    assert!(matches!(
        end(&format!("{shared} print(handles(all));")).0,
        Outcome::Solved(_)
    ));
    let doubled = |times: u32| {
        format!("var a = [1]; for (let i = 0; i < {times}; i++) a = [a, a]; print(data(a));")
    };
    let steps = end(&doubled(11)).1 - end(&doubled(10)).1;
    assert!(steps >= 1024, "{steps}");
    // What contains itself is no copy either, but an error in words.
    let (outcome, _) = end("var a = [1]; push(a, a); push(a, a); print(data(a));");
    assert!(matches!(outcome, Outcome::Error(_)), "{outcome:?}");
}

#[test]
fn a_loop_over_a_run_ends_at_a_question_that_nobody_answers() {
    let program = Engine::new()
        .compile("var a = ask('which?', [1, 2]); print(a);")
        .unwrap();
    assert_eq!(program.run(1).flatten().count(), 0);
    let mut run = program.run(1);
    let mut seen = Vec::new();
    while let Some(item) = run.next() {
        match item {
            Ok(solution) => seen.push(solution.text),
            Err(RunError::Question(_)) => assert!(run.answer(1)),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(seen, ["2"]);
}

/// What people write as closures: no `Result` where nothing goes wrong, state that changes, errors of other crates.
#[test]
fn closures_are_as_people_write_them() {
    fn parsed(text: String) -> Result<i64, HostError> {
        Ok(text.parse::<i64>()?)
    }
    let mut calls = 0;
    let engine = Engine::new()
        .with_function("twice", |n: i64| n * 2)
        .with_function("nothing", |_: i64| ())
        .with_function("exits", |room: i64| Choices::in_order([room - 1, room + 1]))
        .with_function("parsed", parsed)
        .with_function_mut("count", move |by: i64| {
            calls += by;
            calls
        })
        .with_function(
            "all",
            |a: i64,
             b: i64,
             c: i64,
             d: i64,
             e: i64,
             f: i64,
             g: i64,
             h: i64,
             i: i64,
             j: i64,
             k: i64,
             l: i64,
             m: i64,
             n: i64,
             o: i64,
             p: i64| { [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] },
        );
    let program = "print(twice(4), nothing(1), parsed('7'), count(2), count(3), exits(5), all(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));";
    let list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]";
    assert_eq!(
        texts(&engine, program),
        [format!("8null7254{list}"), format!("8null7256{list}")]
    );
    let error = engine
        .compile("parsed('x');")
        .unwrap()
        .run(1)
        .next()
        .unwrap()
        .unwrap_err();
    assert!(error.to_string().contains("invalid digit"), "{error}");
    // `unwrap_err` asks for it.
    assert!(format!("{:?} {:?}", engine, engine.compile("1;").unwrap().run(1)).contains("program"));
}

#[test]
fn errors_of_the_host_have_their_causes() {
    #[derive(Debug)]
    struct NoMap(std::num::ParseIntError);
    impl std::fmt::Display for NoMap {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("there is no such map")
        }
    }
    impl std::error::Error for NoMap {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    let error = HostError::from("x".parse::<i32>().map_err(NoMap).unwrap_err());
    assert_eq!(
        error.to_string(),
        "there is no such map: invalid digit found in string"
    );
}

#[test]
fn collections_of_rust_go_both_ways() {
    use ndscript::GridData;
    use std::collections::{HashMap, HashSet};
    let engine = Engine::new()
        .with_function("pairs", |of: HashMap<String, i64>| {
            let mut pairs: Vec<(String, i64)> = of.into_iter().collect();
            pairs.sort();
            pairs
        })
        .with_function("object", |pairs: Vec<(String, i64)>| {
            pairs.into_iter().collect::<HashMap<_, _>>()
        })
        .with_function("set", |of: HashSet<i64>| of)
        .with_function("swap", |(a, b): (u8, i32)| (b, a))
        .with_function("half", |(x, y): (f64, f64)| (x / 2.0, y / 2.0))
        .with_function("three", |[a, b, c]: [String; 3]| {
            (c, (b, 1.5), a.into_boxed_str().len(), true)
        })
        .with_function("turned", |grid: GridData| {
            let cells = (0..grid.width()).flat_map(|x| (0..grid.height()).map(move |y| (x, y)));
            let cells = cells
                .map(|(x, y)| grid.cell(x, y).unwrap().clone())
                .collect();
            GridData::new(grid.height(), cells).unwrap()
        });
    let program = "print(pairs({b: 2, a: 1}), object([['z', 1], ['a', 2]]), set(setOf(3, 1)), swap(position(3, 4)), half(position(3, 4)),
        half([1, 2]), three(['x', 'y', 'z']), valuesOf(turned(gridFromText('ab'))), heightOf(turned(gridFromText('ab'))));";
    assert_eq!(
        texts(&engine, program),
        [
            "[[\"a\", 1], [\"b\", 2]]{a: 2, z: 1}{1, 3}(4,3)[1.5, 2][0.5, 1][\"z\", [\"y\", 1.5], 1, true][\"a\", \"b\"]2"
        ]
    );
    for (program, message) in [
        (
            "swap(position(300, 4));",
            "`swap` cannot take argument 1: at .x: expected a whole number in range, not 300 (a number)",
        ),
        (
            "swap([3, 4]);",
            "`swap` takes a position as argument 1, not an array",
        ),
        ("three(['x', 'y']);", "3 elements, and there are 2"),
        ("pairs({a: 'b'});", "at .a: expected a whole number"),
        ("set([1]);", "a set of the right elements"),
    ] {
        let error = engine
            .compile(program)
            .unwrap()
            .run(1)
            .next()
            .unwrap()
            .unwrap_err();
        let RunError::Script(error) = error else {
            panic!()
        };
        let words = message.split("takes").next().unwrap();
        assert!(
            error.diagnostic.message.contains(words),
            "{program}: {}",
            error.diagnostic.message
        );
    }
}
